//! Edges inside stations that take no time.

use rustc_hash::FxHashMap;
use trestle_model::Direction;
use trestle_model::ids::StopIdx;
use trestle_transit::timetable::{DirectTransfer, Timetable};

/// The free edges between stops of one station, along (backward: against) travel: pathways may lead in one direction
/// alone. In a wheelchair only edges usable with it count.
#[derive(Clone, Copy)]
pub struct StationEdges<'a> {
    pub(crate) timetable: &'a Timetable,
    pub(crate) direction: Direction,
    pub(crate) wheelchair: bool,
}

impl<'a> StationEdges<'a> {
    /// The stops to which edges lead from a stop.
    pub fn others(self, stop: StopIdx) -> impl Iterator<Item = StopIdx> + 'a {
        let transfers = &self.timetable.transfers;
        let edges = match self.direction {
            Direction::Forward => transfers.direct_from(stop),
            Direction::Backward => transfers.direct_to(stop),
        };
        let is_free = |edge: &DirectTransfer| edge.seconds == 0 && edge.meters == 0.0;
        let joining = edges.iter().filter(move |edge| is_free(edge) && edge.is_usable(self.wheelchair));
        joining.map(|edge| StopIdx(edge.other_stop))
    }

    /// The stop itself, and those to which edges lead from it.
    pub fn with_others(self, stop: StopIdx) -> impl Iterator<Item = StopIdx> + 'a {
        std::iter::once(stop).chain(self.others(stop))
    }

    /// Where edges lead from stops of known cost: each other stop that is cheaper this way, with the index of the stop that
    /// leads to it.
    pub fn cheaper_others(self, costs: &[(StopIdx, f64)]) -> Vec<(StopIdx, usize)> {
        let mut least: FxHashMap<StopIdx, f64> = costs.iter().copied().collect();
        let mut cheaper = Vec::new();
        for (index, &(stop, cost)) in costs.iter().enumerate() {
            for other in self.others(stop) {
                let known = least.entry(other).or_insert(f64::INFINITY);
                if cost < *known {
                    *known = cost;
                    cheaper.push((other, index));
                }
            }
        }
        cheaper
    }
}
