//! The memory of range searches: times by round and stop.

use super::active_service::ActiveService;
use super::lane_spans::{LaneSpans, RiddenRuns};
use super::marks::Marks;
use super::scan::SeatedIn;

/// Time at stops that are not reached.
pub const UNREACHED: i32 = i32::MAX;

/// Memory of a range search, kept from request to request.
#[derive(Debug, Default)]
pub(super) struct RangeMemory {
    pub(super) marks: Marks,
    /// When the next vehicle can be entered, and when one was left in this round or before.
    pub(super) enter: RoundTimes,
    pub(super) left: RoundTimes,
    pub(super) seated: Vec<SeatedIn<()>>,
    pub(super) stayed: SeatedRounds,
    pub(super) spans: LaneSpans,
    pub(super) ridden_runs: RiddenRuns,
    pub(super) seconds: Vec<i32>,
    /// Per stop: seconds from there to the far place, if only the first arrival there is wanted; otherwise empty.
    pub(super) to_far: Vec<i32>,
}

/// A time for each stop in each of the rounds that the search has had.
#[derive(Debug, Default)]
pub(super) struct RoundTimes {
    /// Round by round.
    times: Vec<i32>,
    stops: usize,
    rounds: usize,
}

impl RoundTimes {
    /// One round, which has reached nothing.
    fn reset(&mut self, stops: usize) {
        (self.stops, self.rounds) = (stops, 0);
        self.times.clear();
        self.add_unreached();
    }

    pub(super) fn rounds(&self) -> usize {
        self.rounds
    }

    /// Adds a round that has reached nothing.
    pub(super) fn add_unreached(&mut self) {
        self.rounds += 1;
        self.times.resize(self.rounds * self.stops, UNREACHED);
    }

    /// Adds a round with the times of the last one.
    pub(super) fn add_copy(&mut self) {
        self.times.extend_from_within(self.times.len() - self.stops..);
        self.rounds += 1;
    }

    /// Where the times of a round start, for [`RoundTimes::at`].
    #[inline(always)]
    pub(super) fn start_of(&self, round: usize) -> usize {
        round * self.stops
    }

    #[inline(always)]
    pub(super) fn at(&self, start: usize, stop: usize) -> i32 {
        self.times[start + stop]
    }

    #[inline(always)]
    pub(super) fn round_mut(&mut self, round: usize) -> &mut [i32] {
        &mut self.times[round * self.stops..(round + 1) * self.stops]
    }

    /// The times of the last round.
    pub(super) fn last(&self) -> &[i32] {
        &self.times[self.times.len() - self.stops..]
    }

    /// Lowers the times of a stop in the round whose times start at `start`, and in those after it.
    #[inline(always)]
    pub(super) fn lower_from(&mut self, start: usize, stop: usize, time: i32) {
        for known in self.times[start + stop..].iter_mut().step_by(self.stops) {
            *known = time.min(*known);
        }
    }
}

/// The first round in which riders stayed seated into each run. A search has few such runs, so only these are cleared.
#[derive(Debug, Default)]
pub(super) struct SeatedRounds {
    /// By run; `u32::MAX` if nobody stayed seated into it.
    rounds: Vec<u32>,
    /// The runs with a round, some perhaps repeatedly.
    runs: Vec<u32>,
}

impl SeatedRounds {
    fn reset(&mut self, count: usize) {
        for run in self.runs.drain(..) {
            self.rounds[run as usize] = u32::MAX;
        }
        self.rounds.resize(count, u32::MAX);
    }

    /// Stores a round if it is before the known one; returns whether it is.
    pub(super) fn improve(&mut self, run: u32, round: u32) -> bool {
        let Some(known) = self.rounds.get_mut(run as usize) else { return false };
        let is_before = round < *known;
        if is_before {
            *known = round;
            self.runs.push(run);
        }
        is_before
    }
}

impl RangeMemory {
    /// Prepares for a search.
    pub(super) fn reset(&mut self, service: &ActiveService) {
        let stops = service.stop_count();
        self.enter.reset(stops);
        self.left.reset(stops);
        self.marks.reset(service);
        self.seated.clear();
        self.to_far.clear();
        self.stayed.reset(if service.continuations.is_empty() { 0 } else { service.runs.len() });
        self.ridden_runs.clear(service.lanes.len());
    }
}
