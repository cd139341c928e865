//! Patterns with a single run: how they are collected, and which of them a search looks at.

use std::ops::RangeInclusive;

use trestle_model::ids::StopIdx;
use trestle_model::lists::Lists;
use trestle_model::{Backward, Directed, Forward};

use super::active_service::{ActivePattern, ActiveService};
use super::costs::Centicost;
use super::labels::Entry;
use super::mc_raptor::McRaptor;
use super::scan::roles;
use super::timed_calls::{OnlyRuns, TimedCall, TimedCalls};

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
