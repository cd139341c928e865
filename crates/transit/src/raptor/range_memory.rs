//! The memory of range searches: times by round and stop.

use super::active_service::ActiveService;
use super::lane_spans::{LaneSpans, RiddenRuns};
use super::scan::Marks;

/// Time at stops that are not reached.
pub const UNREACHED: i32 = i32::MAX;

/// Memory of a range search, kept from request to request.
#[derive(Debug, Default)]
pub(super) struct RangeMemory {
    pub(super) marks: Marks,
    /// Per round (as many as the search has had) and stop: when the next vehicle can be entered.
    pub(super) enter: Vec<Vec<i32>>,
    /// Per round and stop: when a vehicle was left, in this round or before.
    pub(super) left: Vec<Vec<i32>>,
    /// Per stop: when the next vehicle can be entered after a ride, in any round; the earliest time of one departure.
    pub(super) best_enter: Vec<i32>,
    /// Runs as which the vehicles of seated riders continue.
    pub(super) seated: Vec<u32>,
    /// Per run: the first round in which riders stayed seated until it.
    pub(super) ridden: Vec<u32>,
    pub(super) spans: LaneSpans,
    pub(super) ridden_runs: RiddenRuns,
    pub(super) seconds: Vec<i32>,
    /// Per stop: seconds from there to the far place, if only the first arrival there counts; else empty.
    pub(super) to_far: Vec<i32>,
}

impl RangeMemory {
    /// Prepares for a search.
    pub(super) fn reset(&mut self, service: &ActiveService) {
        let stops = service.stop_count();
        for arrays in [&mut self.enter, &mut self.left] {
            arrays.resize_with(1, Vec::new);
            arrays[0].clear();
            arrays[0].resize(stops, UNREACHED);
        }
        self.best_enter.clear();
        self.best_enter.resize(stops, UNREACHED);
        self.marks.reset(service);
        self.seated.clear();
        self.to_far.clear();
        self.ridden.clear();
        if !service.continuations.is_empty() {
            self.ridden.resize(service.runs.len(), u32::MAX);
        }
        self.ridden_runs.clear(service.lanes.len());
    }
}
