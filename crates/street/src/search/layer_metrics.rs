//! The potentials of a search by layer: those before parking lead to the places where the traveller parks.

use std::sync::Arc;

use trestle_model::Directed;

use super::layers::{FIRST_LAYER, Layers, PARKED_LAYER, street_modes};
use super::places::Ends;
use super::{Interrupted, StreetMetrics, StreetQuery, least_steps};
use crate::contraction::{Metric, Potential, PotentialMemory};
use crate::cost::{StreetCosts, StreetMode};

/// The metrics of a search by layer, the same twice for street modes of one layer.
pub(super) struct LayerMetrics {
    metrics: [Arc<Metric>; 2],
    costs: [StreetCosts; 2],
}

/// Memory for the potentials of a search.
pub(super) type LayerMemory = [PotentialMemory; 2];

impl LayerMetrics {
    /// The metrics for a search, if there are some for all its layers.
    pub(super) fn get<D: Directed>(
        query: &StreetQuery<'_>,
        metrics: &StreetMetrics,
    ) -> Result<Option<LayerMetrics>, Interrupted> {
        let Some(street_modes) = street_modes(query.costs.street_mode, D::DIRECTION) else { return Ok(None) };
        let costs = street_modes.map(|street_mode| query.costs.for_mode(street_mode));
        let of = |layer: usize| metrics.get::<D>(&StreetQuery { costs: &costs[layer], ..*query });
        let Some(first) = of(0)? else { return Ok(None) };
        let second = if street_modes[0] == street_modes[1] { Some(first.clone()) } else { of(1)? };
        Ok(second.map(|second| LayerMetrics { metrics: [first, second], costs }))
    }

    /// The potentials towards the end of a search in the first layer and in the others.
    pub(super) fn potentials<'a, D: Directed>(
        &'a self,
        query: &StreetQuery<'a>,
        ends: &Ends,
        memory: &'a mut LayerMemory,
    ) -> [Potential<'a>; 2] {
        let contraction = &query.graph.contraction;
        let [memory, other_memory] = memory;
        let last = Layers::of(query.costs.street_mode, None).end(D::DIRECTION) as usize;
        let in_last = StreetQuery { costs: &self.costs[last], ..*query };
        let to_goal = || least_steps::to_goal::<D>(&in_last, ends);
        let at_end = Potential::towards(contraction, &self.metrics[last], to_goal(), memory);
        let other = 1 - last;
        let before = match query.costs.street_mode {
            StreetMode::ParkCar => {
                let cost = query.costs.car_park.1;
                let lots = query.graph.lots().filter_map(|lot| Some((lot, at_end.at(lot)? + cost)));
                Potential::towards(contraction, &self.metrics[other], lots, other_memory)
            }
            StreetMode::KissAndRide => {
                Potential::towards(contraction, &self.metrics[other], to_goal(), other_memory)
            }
            _ => return [at_end; 2],
        };
        if last == PARKED_LAYER as usize { [before, at_end] } else { [at_end, before] }
    }
}

/// Which of two potentials is for a layer.
#[inline(always)]
pub(super) fn of_layer<'p, 'a>(potentials: &'p [Potential<'a>; 2], layer: u32) -> &'p Potential<'a> {
    &potentials[usize::from(layer != FIRST_LAYER)]
}
