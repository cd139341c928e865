//! Transfers of a request: seconds and cost of every walk, and the rules of transfers.txt.

use trestle_model::ids::{RouteIdx, StopIdx, TripIdx};
use trestle_model::{BitSet, RoutingRequest};

use super::active_service::ActiveService;
use super::costs::{Centicost, Costs, FAR, centi, walk};
use super::direction::Direction;
use crate::timetable::{DirectTransfer, Timetable, TransferRule};
use crate::transfers::WHEELCHAIR;

/// transfer_type 2: a minimum time.
const MINIMUM_TIME: u32 = 2;
/// transfer_type 3: not possible.
const FORBIDDEN: u32 = 3;
/// Any route or trip.
const ANY: u32 = u32::MAX;
/// A trip that no rule names.
const NO_TRIP: u32 = u32::MAX - 1;

/// A transfer edge in the search's direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    pub(super) other_stop: u32,
    pub(super) seconds: i32,
    pub(super) cost: Centicost,
}

impl Walk {
    /// Whether the request allows it.
    #[inline(always)]
    pub(super) fn is_allowed(&self) -> bool {
        self.seconds < FAR
    }
}

/// Everything that the walks depend on.
#[derive(Clone, Copy, PartialEq, Debug)]
struct WalkKey {
    /// Live data changes no walks.
    compiled_service: u64,
    walk_speed: f64,
    walk_reluctance: f64,
    longest: f64,
    wheelchair: bool,
}

/// The walks of both directions, kept from request to request while nothing changes.
#[derive(Debug, Default)]
pub(super) struct Walks {
    key: Option<WalkKey>,
    /// By start stop.
    forward: Vec<Walk>,
    /// By end stop.
    backward: Vec<Walk>,
    /// Stops with rules.
    ruled_stops: BitSet,
    /// Stops with rules for certain trips or routes.
    trip_ruled_stops: BitSet,
    /// Rules for certain trips or routes, by the stop where a forward search leaves a vehicle.
    trip_rules_forward: Vec<TransferRule>,
    /// The same rules by the stop where a backward search does.
    trip_rules_backward: Vec<TransferRule>,
    /// Trips that rules name.
    named_trips: BitSet,
    names_trips: bool,
}

impl Walks {
    /// Computes the walks of a request unless they are the same as before.
    pub(super) fn prepare(
        &mut self,
        timetable: &Timetable,
        service: &ActiveService,
        request: &RoutingRequest,
    ) {
        let direct = &timetable.transfers.direct;
        let key = WalkKey {
            compiled_service: service.compiled_id,
            walk_speed: request.walk_speed,
            walk_reluctance: request.walk_reluctance,
            longest: request.max_transfer_walk_distance,
            wheelchair: request.wheelchair,
        };
        if self.key == Some(key) {
            return;
        }
        let walk = |edge: &DirectTransfer| transfer(edge, request);
        self.forward.clear();
        self.forward.extend(direct.iter().map(walk));
        self.backward.clear();
        self.backward.extend(timetable.transfers.reverse.iter().map(walk));
        let rules = &timetable.transfers.rules;
        self.ruled_stops = stops_of(rules.iter());
        self.set_trip_rules(rules.iter().filter(|rule| !is_general(rule)).copied().collect());
        self.key = Some(key);
    }

    /// Whether a stop has rules in transfers.txt.
    pub(super) fn has_rules(&self, stop: usize) -> bool {
        self.ruled_stops.has(stop)
    }

    /// Whether rules for certain trips or routes may matter to entering a vehicle at a stop.
    #[inline(always)]
    pub(super) fn has_trip_rules(&self, stop: usize) -> bool {
        self.trip_ruled_stops.has(stop)
    }

    fn set_trip_rules(&mut self, rules: Vec<TransferRule>) {
        self.trip_ruled_stops = stops_of(rules.iter());
        self.named_trips = BitSet::default();
        for trip in rules.iter().flat_map(|rule| [rule.from_trip, rule.to_trip]).filter(|trip| *trip != ANY) {
            self.named_trips.insert(trip as usize);
        }
        self.names_trips = !self.named_trips.is_empty();
        self.trip_rules_backward = rules.clone();
        self.trip_rules_backward.sort_by_key(|rule| rule.to_stop);
        self.trip_rules_forward = rules;
        self.trip_rules_forward.sort_by_key(|rule| rule.from_stop);
    }

    /// Whether rules name any trip.
    #[inline(always)]
    pub(super) fn names_trips(&self) -> bool {
        self.names_trips
    }

    /// Whether a rule names a trip of the schedule.
    #[inline(always)]
    pub(super) fn names(&self, trip: TripIdx) -> bool {
        self.names_trips && self.named_trips.has(trip.index())
    }

    /// Whether rules for certain trips or routes may matter after leaving a vehicle at a stop.
    pub(super) fn has_trip_rules_out_of<D: Direction>(&self, stop: u32) -> bool {
        !self.trip_rules_out_of::<D>(stop).is_empty()
    }

    /// Whether all rules are the same after leaving vehicle `a` or `b` at a stop, each given as (trip, route).
    pub(super) fn treats_alike<D: Direction>(&self, stop: u32, a: (u32, u32), b: (u32, u32)) -> bool {
        let fits = |rule: &TransferRule, (trip, route): (u32, u32)| {
            let (wanted_trip, wanted_route) =
                D::pick((rule.from_trip, rule.from_route), (rule.to_trip, rule.to_route));
            (wanted_trip == ANY || wanted_trip == trip) && (wanted_route == ANY || wanted_route == route)
        };
        a == b || self.trip_rules_out_of::<D>(stop).iter().all(|rule| fits(rule, a) == fits(rule, b))
    }

    /// Rules for certain trips or routes from a stop where a search in direction `D` leaves a vehicle.
    fn trip_rules_out_of<D: Direction>(&self, stop: u32) -> &[TransferRule] {
        let rules = D::pick(&self.trip_rules_forward, &self.trip_rules_backward);
        let left_at = |rule: &TransferRule| D::pick(rule.from_stop, rule.to_stop);
        let first = rules.partition_point(|rule| left_at(rule) < stop);
        let end = first + rules[first..].partition_point(|rule| left_at(rule) == stop);
        &rules[first..end]
    }

    /// The rules' verdict on all changes of a search in direction `D` from `from` to `to`. Plain if there are rules for
    /// certain trips or routes: these are checked when the vehicle is known.
    #[inline(always)]
    pub(super) fn general_verdict<D: Direction>(
        &self,
        timetable: &Timetable,
        from: u32,
        to: u32,
    ) -> TransferVerdict {
        if !self.ruled_stops.has(from as usize) || !self.ruled_stops.has(to as usize) {
            return TransferVerdict::Plain { preferred: false };
        }
        let (first, second) = D::pick((from, to), (to, from));
        let rules = rules_between(timetable, first, second);
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
        timetable: &Timetable,
        costs: &Costs,
        (from, to): (u32, u32),
        left: i32,
        seconds: i32,
    ) -> Option<i32> {
        let walked = left.saturating_add(seconds);
        match self.general_verdict::<D>(timetable, from, to) {
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
        timetable: &Timetable,
        from: (u32, (u32, u32)),
        to: (u32, (u32, u32)),
    ) -> Option<TransferVerdict> {
        let (first, second) = D::pick((from.0, to.0), (to.0, from.0));
        let is_enough = rules_between(timetable, first, second).iter().all(is_general);
        (!is_enough).then(|| self.verdict::<D>(timetable, from, to))
    }

    /// The rules' verdict on a change of a search in direction `D` between two rides, each given as
    /// (stop, (trip, route)).
    pub(super) fn verdict<D: Direction>(
        &self,
        timetable: &Timetable,
        from: (u32, (u32, u32)),
        to: (u32, (u32, u32)),
    ) -> TransferVerdict {
        let (first, second) = D::pick((from, to), (to, from));
        if !self.ruled_stops.has(first.0 as usize) || !self.ruled_stops.has(second.0 as usize) {
            return TransferVerdict::Plain { preferred: false };
        }
        let change =
            Change { from_trip: first.1.0, from_route: first.1.1, to_trip: second.1.0, to_route: second.1.1 };
        verdict(rules_between(timetable, first.0, second.0), Some(&change))
    }

    /// Walks of a search in direction `D` from a stop.
    #[inline(always)]
    pub(super) fn out_of<D: Direction>(&self, timetable: &Timetable, stop: usize) -> &[Walk] {
        let transfers = &timetable.transfers;
        let (offsets, walks) =
            D::pick((&transfers.direct_offsets, &self.forward), (&transfers.reverse_offsets, &self.backward));
        slice(offsets, walks, stop)
    }

    /// Walks of a search in direction `D` to a stop; their other stop is where they come from.
    #[inline(always)]
    pub(super) fn leading_to<D: Direction>(&self, timetable: &Timetable, stop: usize) -> &[Walk] {
        self.out_of::<D::Opposite>(timetable, stop)
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

/// The walk of one edge; [`FAR`] if the request does not allow it.
fn transfer(edge: &DirectTransfer, request: &RoutingRequest) -> Walk {
    let usable = !request.wheelchair || edge.flags & WHEELCHAIR != 0;
    let (seconds, cost) = if !usable {
        (FAR, FAR)
    } else if edge.seconds >= 0 {
        (edge.seconds, centi(f64::from(edge.seconds)))
    } else if f64::from(edge.meters) > request.max_transfer_walk_distance || request.walk_speed <= 0.0 {
        (FAR, FAR)
    } else {
        walk(edge.meters, request)
    };
    Walk { other_stop: edge.other_stop, seconds, cost }
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

/// The stops at both ends of rules.
fn stops_of<'a>(rules: impl Iterator<Item = &'a TransferRule>) -> BitSet {
    let mut stops = BitSet::default();
    for rule in rules {
        stops.insert(rule.from_stop as usize);
        stops.insert(rule.to_stop as usize);
    }
    stops
}

/// Whether a rule is for all trips.
fn is_general(rule: &TransferRule) -> bool {
    [rule.from_route, rule.to_route, rule.from_trip, rule.to_trip] == [ANY; 4]
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
