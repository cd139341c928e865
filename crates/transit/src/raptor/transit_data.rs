//! What a search reads: vehicles, walks between stops, and the rules of transfers.txt for changes between vehicles.

use trestle_model::ids::{RouteIdx, StopIdx};

use super::active_service::ActiveService;
use super::costs::Costs;
use super::direction::Direction;
use super::transfers::{ANY, Walk, Walks, is_general};
use crate::timetable::{Timetable, TransferRule};

/// transfer_type 2: a minimum time.
const MINIMUM_TIME: u32 = 2;
/// transfer_type 3: not possible.
const FORBIDDEN: u32 = 3;
/// A trip that no rule names.
const NO_TRIP: u32 = u32::MAX - 1;

/// The vehicles and walks of a search.
#[derive(Clone, Copy)]
pub(super) struct TransitData<'a> {
    pub(super) timetable: &'a Timetable,
    /// The runs of the days that the search can see.
    pub(super) service: &'a ActiveService,
    /// The walks of the request.
    pub(super) walks: &'a Walks,
}

impl<'a> TransitData<'a> {
    /// The rules' verdict on all changes of a search in direction `D` from `from` to `to`. Plain if there are rules for
    /// certain trips or routes: these are checked when the vehicle is known.
    #[inline(always)]
    pub(super) fn general_verdict<D: Direction>(&self, from: u32, to: u32) -> TransferVerdict {
        if !self.walks.has_rules(from as usize) || !self.walks.has_rules(to as usize) {
            return TransferVerdict::Plain { preferred: false };
        }
        let (first, second) = D::pick((from, to), (to, from));
        let rules = rules_between(self.timetable, first, second);
        if rules.iter().all(is_general) {
            verdict(rules, None)
        } else {
            TransferVerdict::Plain { preferred: false }
        }
    }

    /// When someone is ready at `to` after leaving a vehicle at `from` at the time `left` and walking for `seconds`, by
    /// the rules for all trips; `None` if they forbid it.
    #[inline(always)]
    pub(super) fn ready<D: Direction>(
        &self,
        costs: &Costs,
        (from, to): (u32, u32),
        left: i32,
        seconds: i32,
    ) -> Option<i32> {
        let walked = left.saturating_add(seconds);
        match self.general_verdict::<D>(from, to) {
            TransferVerdict::Forbidden => None,
            TransferVerdict::AtLeast(least) => {
                let ready = (left - costs.leave_slack).saturating_add(least);
                Some(walked.max(ready.saturating_sub(costs.later_slack)))
            }
            TransferVerdict::Plain { .. } => Some(walked),
        }
    }

    /// [`Self::verdict`] if some of the rules are for certain trips or routes; otherwise `None`, as
    /// [`Self::general_verdict`] is enough.
    pub(super) fn verdict_by_trip<D: Direction>(
        &self,
        from: (u32, (u32, u32)),
        to: (u32, (u32, u32)),
    ) -> Option<TransferVerdict> {
        let (first, second) = D::pick((from.0, to.0), (to.0, from.0));
        let is_enough = rules_between(self.timetable, first, second).iter().all(is_general);
        (!is_enough).then(|| self.verdict::<D>(from, to))
    }

    /// The rules' verdict on a change of a search in direction `D` between two rides, each given as
    /// (stop, (trip, route)).
    pub(super) fn verdict<D: Direction>(
        &self,
        from: (u32, (u32, u32)),
        to: (u32, (u32, u32)),
    ) -> TransferVerdict {
        let (first, second) = D::pick((from, to), (to, from));
        if !self.walks.has_rules(first.0 as usize) || !self.walks.has_rules(second.0 as usize) {
            return TransferVerdict::Plain { preferred: false };
        }
        let change =
            Change { from_trip: first.1.0, from_route: first.1.1, to_trip: second.1.0, to_route: second.1.1 };
        verdict(rules_between(self.timetable, first.0, second.0), Some(&change))
    }

    /// Walks of a search in direction `D` from a stop.
    #[inline(always)]
    pub(super) fn walks_from<D: Direction>(&self, stop: usize) -> &'a [Walk] {
        let (transfers, walks) = (&self.timetable.transfers, self.walks);
        let (offsets, walks) = D::pick(
            (&transfers.direct_offsets, &walks.forward),
            (&transfers.reverse_offsets, &walks.backward),
        );
        slice(offsets, walks, stop)
    }

    /// Walks of a search in direction `D` to a stop; their other stop is where they come from.
    #[inline(always)]
    pub(super) fn walks_to<D: Direction>(&self, stop: usize) -> &'a [Walk] {
        self.walks_from::<D::Opposite>(stop)
    }
}

/// Entries of `stop`; none when the columns are empty.
#[inline(always)]
fn slice<'a, T>(offsets: &[u32], entries: &'a [T], stop: usize) -> &'a [T] {
    match (offsets.get(stop), offsets.get(stop + 1)) {
        (Some(&from), Some(&to)) => entries.get(from as usize..to as usize).unwrap_or(&[]),
        _ => &[],
    }
}

/// The rules' verdict on one change of vehicles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TransferVerdict {
    /// No rule, or a rule without effect on time.
    Plain {
        /// The rule makes it a preferred or timed transfer.
        preferred: bool,
    },
    /// At least this many seconds between alighting and boarding.
    AtLeast(i32),
    /// Not allowed.
    Forbidden,
}

/// Routes and trips before and after a change.
#[derive(Clone, Copy, Debug)]
struct Change {
    from_route: u32,
    to_route: u32,
    from_trip: u32,
    to_trip: u32,
}

/// Rules between two stops, in travel order.
fn rules_between(timetable: &Timetable, from_stop: u32, to_stop: u32) -> &[TransferRule] {
    let rules = &timetable.transfers.rules;
    let first = rules.partition_point(|r| (r.from_stop, r.to_stop) < (from_stop, to_stop));
    let count =
        rules[first..].iter().take_while(|r| (r.from_stop, r.to_stop) == (from_stop, to_stop)).count();
    &rules[first..first + count]
}

/// The verdict of the most specific rule that matches; without `change` all match. As in GTFS, a rule that names a trip
/// is more specific than one that names none, even if that one names both routes.
fn verdict(rules: &[TransferRule], change: Option<&Change>) -> TransferVerdict {
    let specificity = |rule: &TransferRule| {
        let side = |trip: u32, route: u32| if trip != ANY { 3 } else { u32::from(route != ANY) };
        side(rule.from_trip, rule.from_route) + side(rule.to_trip, rule.to_route)
    };
    let fits = |wanted: u32, is: u32| wanted == ANY || wanted == is;
    let best = rules
        .iter()
        .filter(|rule| {
            change.is_none_or(|change| {
                fits(rule.from_route, change.from_route)
                    && fits(rule.to_route, change.to_route)
                    && fits(rule.from_trip, change.from_trip)
                    && fits(rule.to_trip, change.to_trip)
            })
        })
        .max_by_key(|rule| specificity(rule));
    match best {
        Some(rule) if rule.kind == FORBIDDEN => TransferVerdict::Forbidden,
        Some(rule) if rule.kind == MINIMUM_TIME => TransferVerdict::AtLeast(rule.seconds.max(0)),
        Some(_) => TransferVerdict::Plain { preferred: true },
        None => TransferVerdict::Plain { preferred: false },
    }
}

/// Least seconds that transfers.txt demands between leaving a vehicle and boarding another, each given as (stop, route):
/// 0 without a rule, `None` if the change is forbidden. Ignores rules for certain trips.
pub fn least_change_seconds(
    timetable: &Timetable,
    from: (StopIdx, RouteIdx),
    to: (StopIdx, RouteIdx),
) -> Option<i32> {
    let change = Change { from_route: from.1.0, to_route: to.1.0, from_trip: NO_TRIP, to_trip: NO_TRIP };
    match verdict(rules_between(timetable, from.0.0, to.0.0), Some(&change)) {
        TransferVerdict::Plain { .. } => Some(0),
        TransferVerdict::AtLeast(seconds) => Some(seconds),
        TransferVerdict::Forbidden => None,
    }
}

/// Whether any transfer is preferred or timed, so that the others cost more.
pub(super) fn has_preferred(timetable: &Timetable) -> bool {
    timetable.transfers.rules.iter().any(|rule| rule.kind < MINIMUM_TIME)
}
