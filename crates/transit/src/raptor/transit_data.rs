//! What a search reads: vehicles, walks between stops, and the rules of transfers.txt for changes between vehicles.

use trestle_model::ids::StopIdx;
use trestle_model::lists::list;
use trestle_model::{Directed, Mode};

use super::active_service::{ActiveService, TripAndRoute};
use super::costs::{Centicost, Costs};
use super::transfers::{Walk, Walks};
use super::verdicts::{TransferVerdict, rules_between, verdict};
use crate::timetable::{Timetable, TransferRule};

/// A transfer between two vehicles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transfer {
    /// When the rider is ready for the next vehicle, before the slack (key).
    pub(super) ready: i32,
    /// Seconds of waiting that only the least time of a rule demands.
    pub(super) wait: i32,
    /// Cost of the transfer, without those of the walk and the wait.
    pub(super) cost: Centicost,
}

/// The vehicles and walks of a search.
#[derive(Clone, Copy)]
pub(super) struct TransitData<'a> {
    pub(super) timetable: &'a Timetable,
    /// The runs of the days that the search can see.
    pub(super) service: &'a ActiveService,
    pub(super) walks: &'a Walks,
}

impl<'a> TransitData<'a> {
    /// The rules' verdict on all changes of a search in direction `D` from `from` to `to`. Plain if there are rules for
    /// certain trips or routes: these are checked when the vehicle is known.
    #[inline(always)]
    fn general_verdict<D: Directed>(&self, from: u32, to: u32) -> TransferVerdict {
        if !self.walks.has_rules(from as usize) || !self.walks.has_rules(to as usize) {
            return TransferVerdict::Plain { preferred: false };
        }
        let (first, second) = D::pick((from, to), (to, from));
        let rules = rules_between(self.timetable, first, second);
        if rules.iter().all(TransferRule::is_general) {
            verdict(rules, None)
        } else {
            TransferVerdict::Plain { preferred: false }
        }
    }

    /// A transfer from `from` to `to` by the rules for all trips; `None` if they forbid it. The rider left a vehicle at
    /// `off`, was ready to walk at `left`, and walks for `seconds`.
    #[inline(always)]
    pub(super) fn transfer<D: Directed>(
        &self,
        costs: &Costs,
        (from, to): (u32, u32),
        (left, seconds): (i32, i32),
        off: impl FnOnce() -> i32,
    ) -> Option<Transfer> {
        let walked = left.saturating_add(seconds);
        match self.general_verdict::<D>(from, to) {
            TransferVerdict::Forbidden => None,
            TransferVerdict::AtLeast(least) => {
                // The next vehicle is not known yet. One that takes longer to enter than others at its stop has to
                // leave that much later.
                let enter_time = self.times_at(to, &costs.enter_times).min().unwrap_or(0);
                let soonest = off().saturating_add(least).saturating_sub(costs.later_slack + enter_time);
                let wait = soonest.saturating_sub(walked).max(0);
                let cost = costs.transfer + costs.nonpreferred_transfer;
                Some(Transfer { ready: walked.saturating_add(wait), wait, cost })
            }
            TransferVerdict::Plain { preferred } => {
                let penalty = if preferred { 0 } else { costs.nonpreferred_transfer };
                Some(Transfer { ready: walked, wait: 0, cost: costs.transfer + penalty })
            }
        }
    }

    /// The times by mode of the vehicles that call at a stop.
    pub(super) fn times_at<'t>(
        &self,
        stop: u32,
        times: &'t [i32; Mode::COUNT],
    ) -> impl Iterator<Item = i32> + use<'a, 't> {
        let service = self.service;
        // Usually they are the same for all modes.
        let is_same = times.iter().all(|&time| time == times[0]);
        let calls = if is_same { &[][..] } else { service.calls_at(StopIdx(stop)) };
        let time_of = |&[pattern, _]: &[u32; 2]| times[service.patterns[pattern as usize].mode as usize];
        is_same.then_some(times[0]).into_iter().chain(calls.iter().map(time_of))
    }

    /// [`Self::verdict`] if some of the rules are for certain trips or routes; otherwise `None`, as
    /// [`Self::general_verdict`] is enough.
    pub(super) fn verdict_by_trip<D: Directed>(
        &self,
        from: (u32, TripAndRoute),
        to: (u32, TripAndRoute),
    ) -> Option<TransferVerdict> {
        let (first, second) = D::pick((from.0, to.0), (to.0, from.0));
        let is_enough = rules_between(self.timetable, first, second).iter().all(TransferRule::is_general);
        (!is_enough).then(|| self.verdict::<D>(from, to))
    }

    /// The rules' verdict on a change of a search in direction `D` between two vehicles, each at a stop.
    pub(super) fn verdict<D: Directed>(
        &self,
        from: (u32, TripAndRoute),
        to: (u32, TripAndRoute),
    ) -> TransferVerdict {
        let (first, second) = D::pick((from, to), (to, from));
        if !self.walks.has_rules(first.0 as usize) || !self.walks.has_rules(second.0 as usize) {
            return TransferVerdict::Plain { preferred: false };
        }
        verdict(rules_between(self.timetable, first.0, second.0), Some([first.1, second.1]))
    }

    /// Walks of a search in direction `D` from a stop.
    #[inline(always)]
    pub(super) fn walks_from<D: Directed>(&self, stop: usize) -> &'a [Walk] {
        let walks = self.walks;
        let (offsets, walks) =
            D::pick((&walks.forward_offsets, &walks.forward), (&walks.backward_offsets, &walks.backward));
        list(offsets, walks, stop)
    }

    /// Whether a prepared transfer that the request allows leads from one stop to another in direction `D`.
    pub(super) fn has_walk<D: Directed>(&self, from: StopIdx, to: StopIdx) -> bool {
        let mut walks = self.walks_from::<D>(from.index()).iter();
        walks.any(|walk| walk.other_stop == to.0 && walk.is_allowed())
    }

    /// Walks of a search in direction `D` to a stop; their other stop is where they come from.
    #[inline(always)]
    pub(super) fn walks_to<D: Directed>(&self, stop: usize) -> &'a [Walk] {
        self.walks_from::<D::Opposite>(stop)
    }
}
