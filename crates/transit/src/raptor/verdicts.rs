//! What the rules of transfers.txt say about a change of vehicles.

use trestle_model::ids::{RouteIdx, StopIdx};

use super::active_service::TripAndRoute;
use crate::timetable::{Timetable, TransferRule};

/// A trip that no rule names.
const NO_TRIP: u32 = u32::MAX - 1;

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

/// The vehicles before or after a change that a rule is about. Trip and route may be [`TransferRule::ANY`].
#[derive(Clone, Copy)]
pub(super) struct RuleSide {
    trip: u32,
    route: u32,
}

impl RuleSide {
    pub(super) fn includes(self, vehicle: TripAndRoute) -> bool {
        let fits = |named: u32, number: u32| named == TransferRule::ANY || named == number;
        fits(self.trip, vehicle.trip) && fits(self.route, vehicle.route)
    }
}

/// The sides of a rule, in travel order.
pub(super) fn sides_of(rule: &TransferRule) -> [RuleSide; 2] {
    let from = RuleSide { trip: rule.from_trip, route: rule.from_route };
    [from, RuleSide { trip: rule.to_trip, route: rule.to_route }]
}

/// Rules between two stops, in travel order.
pub(super) fn rules_between(timetable: &Timetable, from_stop: u32, to_stop: u32) -> &[TransferRule] {
    let rules = &timetable.transfers.rules;
    let first = rules.partition_point(|r| (r.from_stop, r.to_stop) < (from_stop, to_stop));
    let count =
        rules[first..].iter().take_while(|r| (r.from_stop, r.to_stop) == (from_stop, to_stop)).count();
    &rules[first..first + count]
}

/// The verdict of the most specific rule for a change between two vehicles, given in travel order; without them, all
/// rules match. As in GTFS, a rule that names a trip is more specific than one that names none, even if that one names
/// both routes.
pub(super) fn verdict(rules: &[TransferRule], vehicles: Option<[TripAndRoute; 2]>) -> TransferVerdict {
    let specificity = |rule: &TransferRule| {
        let of_side = |side: RuleSide| {
            if side.trip != TransferRule::ANY { 3 } else { u32::from(side.route != TransferRule::ANY) }
        };
        let [from, to] = sides_of(rule).map(of_side);
        from + to
    };
    let matches = |rule: &&TransferRule| {
        let [from, to] = sides_of(rule);
        vehicles.is_none_or(|[left, entered]| from.includes(left) && to.includes(entered))
    };
    let best = rules.iter().filter(matches).max_by_key(|rule| specificity(rule));
    match best {
        Some(rule) if rule.kind == TransferRule::FORBIDDEN => TransferVerdict::Forbidden,
        Some(rule) if rule.kind == TransferRule::MINIMUM_TIME => {
            TransferVerdict::AtLeast(rule.seconds.max(0))
        }
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
    let of_route = |route: RouteIdx| TripAndRoute { trip: NO_TRIP, route: route.0 };
    let vehicles = [from.1, to.1].map(of_route);
    match verdict(rules_between(timetable, from.0.0, to.0.0), Some(vehicles)) {
        TransferVerdict::Plain { .. } => Some(0),
        TransferVerdict::AtLeast(seconds) => Some(seconds),
        TransferVerdict::Forbidden => None,
    }
}

/// Whether any transfer is preferred or timed, so that the others cost more.
pub(super) fn has_preferred(timetable: &Timetable) -> bool {
    timetable.transfers.rules.iter().any(|rule| rule.kind < TransferRule::MINIMUM_TIME)
}
