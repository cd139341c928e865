//! Lower bounds of the cost that remains, for goal-directed searches.

use trestle_model::geo::{EARTH_RADIUS_M, LatLon};
use trestle_model::ids::VertexIdx;

use super::Objective;
use crate::cost::{Journey, StreetCosts};
use crate::graph::StreetGraph;

/// Stays below every real cost although lengths are truncated to millimetres and heights are ignored.
const SAFETY: f64 = 0.998;

/// What the rest of the way costs at least. Consistent: along an edge it never falls by more than the edge costs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    /// Nothing is known: searches without a goal.
    None,
    /// Straight line in a plane that nowhere stretches distances.
    Straight { goal: LatLon, cost_per_lat: f64, cost_per_lon: f64 },
}

impl Bound {
    /// The bound towards a goal.
    pub(super) fn towards(graph: &StreetGraph, costs: &StreetCosts, goal: LatLon) -> Bound {
        let (Some(&[south, _, height, _]), Some(&[rows, _])) =
            (graph.spatial.frame.first(), graph.spatial.size.first())
        else {
            return Bound::None;
        };
        let farthest = south.abs().max((south + height * f64::from(rows)).abs());
        let cost_per_lat = costs.least_cost_per_meter(graph) * SAFETY * EARTH_RADIUS_M * 1f64.to_radians();
        let cost_per_lon = cost_per_lat * farthest.to_radians().cos().max(0.0);
        Bound::Straight { goal, cost_per_lat, cost_per_lon }
    }

    /// The least cost from a vertex to the goal.
    #[inline(always)]
    pub(super) fn at(&self, graph: &StreetGraph, vertex: u32) -> f64 {
        match self {
            Bound::None => 0.0,
            Bound::Straight { .. } => self.at_position(graph.position(VertexIdx(vertex))),
        }
    }

    /// The least cost from a position to the goal.
    #[inline(always)]
    pub(super) fn at_position(&self, position: LatLon) -> f64 {
        match self {
            Bound::None => 0.0,
            Bound::Straight { goal, cost_per_lat, cost_per_lon } => {
                let y = (position.lat - goal.lat) * cost_per_lat;
                let x = (position.lon - goal.lon) * cost_per_lon;
                (x * x + y * y).sqrt()
            }
        }
    }
}

/// What a millimetre of street adds to the key of a label at least.
pub(super) fn least_per_mm(graph: &StreetGraph, costs: &StreetCosts, objective: Objective) -> f64 {
    let least = match objective {
        Objective::Cost => costs.least_cost_per_meter(graph),
        Objective::Time if costs.journey == Journey::Walk => 1.0 / costs.foot.speed,
        Objective::Time => 0.0,
    };
    least * SAFETY / 1000.0
}
