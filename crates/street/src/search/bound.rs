//! Lower bounds on the remaining cost, for goal-directed searches.

use trestle_model::Direction;
use trestle_model::geo::{BoundingBox, EARTH_RADIUS_M, LatLon, distance_m};
use trestle_model::ids::VertexIdx;

use super::layer_metrics::of_layer;
use super::places::Ends;
use super::{Objective, StreetQuery};
use crate::arc::Arc;
use crate::contraction::Potential;
use crate::cost::{StreetCosts, StreetMode};
use crate::graph::{StreetGraph, vertex_flags};
use crate::link::LinkedPlace;

/// Keeps bounds below every real cost, although lengths are truncated to millimetres and heights ignored.
const SAFETY: f64 = 0.998;

/// The flags of the vertices of bike stations.
const STATION: u16 = vertex_flags::BIKE_RENTAL | vertex_flags::BIKE_PARK;

/// A lower bound on the remaining cost. It is consistent: along an edge it never falls by more than the edge costs, except
/// over the link to a station of the map. Such a station is settled too early, so it may be reached over the more
/// expensive of its links.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound<'a> {
    /// 0, for searches without a goal.
    None,
    /// The cost of a straight line in a plane in which no distance is longer than on the ground.
    Straight { goal: LatLon, cost_per_lat: f64, cost_per_lon: f64 },
    /// Potentials of the first layer and of the others, minus the least one at the start of the search, so that keys are
    /// small and therefore exact.
    Potential { potentials: [Potential<'a>; 2], nearest: f64 },
}

impl<'a> Bound<'a> {
    pub(super) fn towards(graph: &StreetGraph, costs: &StreetCosts, goal: LatLon) -> Bound<'a> {
        let Some(grid) = graph.spatial.grid() else { return Bound::None };
        let BoundingBox { south, north, .. } = grid.area();
        let farthest = south.abs().max(north.abs());
        let cost_per_lat = costs.least_cost_per_meter(graph) * SAFETY * EARTH_RADIUS_M * 1f64.to_radians();
        let cost_per_lon = cost_per_lat * farthest.to_radians().cos().max(0.0);
        Bound::Straight { goal, cost_per_lat, cost_per_lon }
    }

    /// The bound by the potentials of the first layer and of the others, for a search from a layer; `None` when no path
    /// leads to the goal.
    pub(super) fn by_potentials(
        potentials: [Potential<'a>; 2],
        start_layer: u32,
        ends: &Ends,
        (graph, direction): (&StreetGraph, Direction),
    ) -> Option<Bound<'a>> {
        // A search that starts at a vertex makes no turn there, so it can reach the next vertices below their potential.
        let vertices = ends.leaving.iter().flat_map(|joint| {
            let after = if joint.half == u32::MAX { graph.arcs_at(joint.vertex, direction) } else { &[] };
            std::iter::once(joint.vertex).chain(after.iter().map(|arc| arc.end))
        });
        let potential = of_layer(&potentials, start_layer);
        let nearest = vertices.filter_map(|vertex| potential.at(vertex)).min_by(f64::total_cmp)?;
        Some(Bound::Potential { potentials, nearest })
    }

    /// The bound at the goal itself.
    #[inline(always)]
    pub(super) fn at_goal(&self) -> f64 {
        match self {
            Bound::Potential { nearest, .. } => -nearest,
            Bound::None | Bound::Straight { .. } => 0.0,
        }
    }

    /// The bound at a vertex in a layer.
    #[inline(always)]
    pub(super) fn at(&self, graph: &StreetGraph, layer: u32, vertex: u32) -> f64 {
        match self {
            Bound::None => 0.0,
            Bound::Potential { potentials, nearest } => {
                of_layer(potentials, layer).at(vertex).map_or(f64::INFINITY, |cost| cost - nearest)
            }
            // The link of a station costs the same however far the station is from the street.
            Bound::Straight { .. } if graph.vertex_flags[vertex as usize] & STATION != 0 => 0.0,
            Bound::Straight { .. } => self.at_position(graph.position(VertexIdx(vertex))),
        }
    }

    #[inline(always)]
    pub(super) fn at_position(&self, position: LatLon) -> f64 {
        match self {
            Bound::None | Bound::Potential { .. } => 0.0,
            Bound::Straight { goal, cost_per_lat, cost_per_lon } => {
                let y = (position.lat - goal.lat) * cost_per_lat;
                let x = (position.lon - goal.lon) * cost_per_lon;
                (x * x + y * y).sqrt()
            }
        }
    }
}

/// Whether even the straight line is longer than may be walked and cycled: the line between two places or, where the
/// traveller drives to a lot, every line from the gate of a lot to the second place.
pub(super) fn is_out_of_reach(
    query: &StreetQuery<'_>,
    origin: &LinkedPlace,
    destination: &LinkedPlace,
) -> bool {
    let StreetQuery { graph, limits, .. } = query;
    if limits.max_cost_beyond > 0.0 || limits.max_walk_distance == f64::INFINITY {
        return false;
    }
    let is_too_far = |metres: f64| metres * SAFETY >= limits.max_walk_distance;
    match query.costs.street_mode {
        StreetMode::Walk | StreetMode::Bicycle | StreetMode::RentedBicycle | StreetMode::ParkBicycle => {
            is_too_far(origin.distance_to(destination))
        }
        StreetMode::ParkCar => {
            // The path from a lot to its gates has no limit.
            let is_gate_too_far = |gate: &Arc| {
                let gate = graph.position(VertexIdx(gate.end));
                destination.points().all(|point| is_too_far(distance_m(gate, point)))
            };
            graph.lots().all(|lot| graph.arcs_at(lot, Direction::Forward).iter().all(is_gate_too_far))
        }
        StreetMode::Car | StreetMode::KissAndRide => false,
    }
}

/// Whether the straight line takes longer than allowed on level streets. Some paths downhill may be faster.
pub(super) fn is_late_on_level_streets(
    query: &StreetQuery<'_>,
    origin: &LinkedPlace,
    destination: &LinkedPlace,
) -> bool {
    let speed = match query.costs.street_mode {
        StreetMode::Walk => query.costs.foot.speed,
        StreetMode::Bicycle | StreetMode::RentedBicycle | StreetMode::ParkBicycle => {
            query.costs.bicycle.speed.max(query.costs.foot.speed)
        }
        StreetMode::Car | StreetMode::ParkCar | StreetMode::KissAndRide => return false,
    };
    origin.distance_to(destination) * SAFETY > speed * f64::from(query.limits.max_seconds)
}

/// The least that a millimetre of street adds to the key of a label.
pub(super) fn least_per_mm(graph: &StreetGraph, costs: &StreetCosts, objective: Objective) -> f64 {
    let least = match objective {
        Objective::Cost => costs.least_cost_per_meter(graph),
        Objective::Time if costs.street_mode == StreetMode::Walk => 1.0 / costs.foot.speed,
        Objective::Time => 0.0,
    };
    least * SAFETY / 1000.0
}
