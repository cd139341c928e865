//! Patterns with a single run. Live data makes one of each trip that skips calls or makes them at other stops, unless it
//! has the same calls as another one, so there may be thousands of them in a city. A search can take few of them: most
//! have left, or come too late. So their calls at a stop are kept in the order of their times, and a search in rounds
//! looks only at those between two times.

use std::ops::RangeInclusive;

use trestle_model::Directed;
use trestle_model::lists::list;

/// A call of a pattern with a single run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct TimedCall {
    /// When the run can be entered there: its departure or, for backward searches, its arrival.
    pub(super) time: i32,
    pub(super) pattern: u32,
    pub(super) position: u32,
}

impl TimedCall {
    /// When a search in direction `D` can enter the run (key).
    #[inline(always)]
    pub(super) fn entered<D: Directed>(&self) -> i32 {
        D::key(self.time)
    }
}

/// Calls at which vehicles can be entered, stop by stop, those of a stop in the order of their times.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct TimedCalls {
    pub(super) offsets: Vec<u32>,
    pub(super) calls: Vec<TimedCall>,
}

/// The last patterns of a service, each with a single run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OnlyRuns {
    /// Per stop: how many calls the patterns before these have there. Empty if there are none of these.
    pub(super) other_calls: Vec<u32>,
    pub(super) departures: TimedCalls,
    pub(super) arrivals: TimedCalls,
}

impl OnlyRuns {
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.other_calls.is_empty()
    }

    /// Those of all calls at a stop that are of other patterns; they come first.
    #[inline(always)]
    pub(super) fn without<'c>(&self, stop: usize, calls: &'c [[u32; 2]]) -> &'c [[u32; 2]] {
        self.other_calls.get(stop).map_or(calls, |&count| &calls[..count as usize])
    }

    /// The calls at a stop where a search in direction `D` can enter the run within some time (keys).
    pub(super) fn between<D: Directed>(&self, stop: usize, keys: &RangeInclusive<i32>) -> &[TimedCall] {
        let TimedCalls { offsets, calls } = D::pick(&self.departures, &self.arrivals);
        let calls = list(offsets, calls, stop);
        let is_too_early = |call: &TimedCall| call.entered::<D>() < *keys.start();
        let is_too_late = |call: &TimedCall| call.entered::<D>() > *keys.end();
        let (from, to) = if D::is_backward() {
            (calls.partition_point(is_too_late), calls.partition_point(|call| !is_too_early(call)))
        } else {
            (calls.partition_point(is_too_early), calls.partition_point(|call| !is_too_late(call)))
        };
        &calls[from..to.max(from)]
    }

    /// Approximate bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.departures.calls[..]) + size_of_val(&self.arrivals.calls[..])
    }
}
