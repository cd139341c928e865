//! Patterns with a single run. Live data makes one of each trip that skips calls or makes them at other stops, unless it
//! has the same calls as another one, so there may be thousands of them in a city. A search can take few of them: most
//! have left, or come too late. So their calls at a stop are kept in the order of their times, and a search in rounds
//! looks only at those between two times.

use std::ops::RangeInclusive;

use trestle_model::ids::StopIdx;
use trestle_model::lists::{Lists, list};
use trestle_model::{Backward, Directed, Forward};

use super::active_service::{ActivePattern, ActiveService};
use super::costs::Centicost;
use super::labels::Entry;
use super::mc_raptor::McRaptor;
use super::scan::roles;

/// A call of a pattern with a single run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct TimedCall {
    /// When the run can be entered there: its departure or, for backward searches, its arrival.
    time: i32,
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
struct TimedCalls {
    offsets: Vec<u32>,
    calls: Vec<TimedCall>,
}

impl TimedCalls {
    /// The calls of the patterns from `first` on at which a search in direction `D` can enter.
    fn new<D: Directed>(service: &ActiveService, first: u32) -> TimedCalls {
        let (can_enter, _) = roles::<D>();
        let patterns = (0..).zip(&service.patterns).skip(first as usize);
        let calls = patterns.flat_map(|(pattern, active): (u32, &ActivePattern)| {
            let lane = &service.lanes[active.first_lane as usize];
            let calls = active.calls as usize;
            let is_entered = move |position: &usize| {
                let flags = service.call_flags[active.call_at(*position)];
                flags & can_enter != 0 && D::position(*position, calls) + 1 < calls
            };
            (0..calls).filter(is_entered).map(move |position| {
                let time = service.entering_at::<D>(lane, position, 0);
                let stop = service.call_stop[active.call_at(position)];
                (stop.0, TimedCall { time, pattern, position: position as u32 })
            })
        });
        let Lists { offsets, items: mut calls } = Lists::of(service.stop_count(), calls);
        for stop in offsets.windows(2) {
            calls[stop[0] as usize..stop[1] as usize].sort_unstable();
        }
        TimedCalls { offsets, calls }
    }
}

/// The last patterns of a service, each with a single run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OnlyRuns {
    /// Per stop: how many calls the patterns before these have there. Empty if there are none of these.
    other_calls: Vec<u32>,
    departures: TimedCalls,
    arrivals: TimedCalls,
}

impl OnlyRuns {
    /// The calls of the patterns of a service from `first` on.
    pub(super) fn new(service: &ActiveService, first: u32) -> OnlyRuns {
        if first as usize >= service.patterns.len() {
            return OnlyRuns::default();
        }
        let others = |stop: usize| {
            service.calls_at(StopIdx::from(stop)).partition_point(|[pattern, _]| *pattern < first) as u32
        };
        OnlyRuns {
            other_calls: (0..service.stop_count()).map(others).collect(),
            departures: TimedCalls::new::<Forward>(service, first),
            arrivals: TimedCalls::new::<Backward>(service, first),
        }
    }

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

impl McRaptor<'_> {
    /// When a search that is at a stop may usefully enter a run (keys); `None` if it cannot enter any.
    pub(super) fn useful_times(&self, round: u32, stop: usize) -> Option<RangeInclusive<i32>> {
        let (memory, costs) = (&*self.memory, self.costs);
        let prices = costs.entering(round, 0, 0);
        let slack = if round == 1 { costs.first_slack } else { costs.later_slack };
        let bound = self.bounds.with_rides(costs.rides_from(round)).enter[stop];
        let entries = memory.enter[stop].entries().iter().filter(|entry| entry.round + 1 == round);
        let times = entries.map(|entry| {
            let ready = entry.time + slack;
            if prices.wait <= 0 || self.waits_for_less(round, entry) {
                return (ready, self.latest);
            }
            let cost = entry.reduced_cost + costs.reduction * (entry.time - self.start)
                - costs.nonpreferred_transfer
                + bound;
            let longest_wait = memory.arrivals.limit().saturating_sub(cost) / prices.wait;
            // The preparation, which takes some modes longer than the slack, may cost less than a wait.
            let longest_preparation = costs.enter_times.iter().copied().max().unwrap_or(0).max(0);
            let last = ready.saturating_add(longest_wait).saturating_add(longest_preparation);
            (ready, last.min(self.latest))
        });
        let (from, to) = times.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        Some(from..=to)
    }

    /// Whether someone cannot enter the only run of a pattern, or only too late. It is entered at `on`; `cost` is the least
    /// one of a path that enters it without a wait. Inlined, it would make searches without such runs slower.
    #[inline(never)]
    pub(super) fn misses_only_run(
        &self,
        round: u32,
        pattern: usize,
        entry: &Entry,
        (on, cost): (i32, Centicost),
    ) -> bool {
        let mode = self.data.service.patterns[pattern].mode;
        let prices = self.costs.entering(round, mode, self.filters.pattern_penalty[pattern]);
        let ready = entry.time + prices.preparation;
        on < ready
            || on > self.latest
            || !self.waits_for_less(round, entry)
                && self.memory.arrivals.dominates(on, cost + prices.wait * (on - ready))
    }

    /// Whether waiting for a vehicle may cost less than usual, because the path so far can slide (see [`super::apart`]).
    fn waits_for_less(&self, round: u32, entry: &Entry) -> bool {
        round > 1 && entry.slide > 0 && self.slide_price() > 0
    }
}
