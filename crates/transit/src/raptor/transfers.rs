//! Transfers of a request: seconds and cost of every walk, and where transfers.txt has rules.

use trestle_model::ids::TripIdx;
use trestle_model::{BitSet, Directed, RoutingRequest};

use super::active_service::{ActiveService, TripAndRoute};
use super::costs::{Centicost, INFINITE, centi, walk};
use super::verdicts::sides_of;
use crate::timetable::{DirectTransfer, Timetable, TransferRule};

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
        self.seconds < INFINITE
    }
}

/// Everything that the walks depend on.
#[derive(Clone, Copy, PartialEq, Debug)]
struct WalkKey {
    compiled_service: u64,
    /// [`crate::overlay::LiveTransfers::id`]; 0 for the timetable's transfers.
    live_transfers: u64,
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
    pub(super) forward: Vec<Walk>,
    /// First walk of each stop in `forward`.
    pub(super) forward_offsets: Vec<u32>,
    /// By end stop.
    pub(super) backward: Vec<Walk>,
    /// First walk of each stop in `backward`.
    pub(super) backward_offsets: Vec<u32>,
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
        let transfers = service.transfers(timetable);
        let key = WalkKey {
            compiled_service: service.compiled_id,
            live_transfers: service.live_transfers.as_ref().map_or(0, |live| live.id),
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
        self.forward.extend(transfers.direct.iter().map(walk));
        self.forward_offsets.clear();
        self.forward_offsets.extend_from_slice(&transfers.direct_offsets);
        self.backward.clear();
        self.backward.extend(transfers.reverse.iter().map(walk));
        self.backward_offsets.clear();
        self.backward_offsets.extend_from_slice(&transfers.reverse_offsets);
        for rule in transfers.timed() {
            take_no_time(&mut self.forward, &self.forward_offsets, (rule.from_stop, rule.to_stop));
            take_no_time(&mut self.backward, &self.backward_offsets, (rule.to_stop, rule.from_stop));
        }
        let rules = &transfers.rules;
        self.ruled_stops = stops_of(rules.iter());
        self.set_trip_rules(rules.iter().filter(|rule| !rule.is_general()).copied().collect());
        self.key = Some(key);
    }

    /// Whether a stop has rules in transfers.txt.
    #[inline(always)]
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
        let trips = rules.iter().flat_map(|rule| [rule.from_trip, rule.to_trip]);
        for trip in trips.filter(|trip| *trip != TransferRule::ANY) {
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
    pub(super) fn has_trip_rules_out_of<D: Directed>(&self, stop: u32) -> bool {
        !self.trip_rules_out_of::<D>(stop).is_empty()
    }

    /// Whether all rules are the same after leaving vehicle `a` or `b` at a stop.
    pub(super) fn treats_alike<D: Directed>(&self, stop: u32, a: TripAndRoute, b: TripAndRoute) -> bool {
        let fits = |rule: &TransferRule, vehicle: TripAndRoute| {
            let [from, to] = sides_of(rule);
            D::pick(from, to).includes(vehicle)
        };
        a == b || self.trip_rules_out_of::<D>(stop).iter().all(|rule| fits(rule, a) == fits(rule, b))
    }

    /// Rules for certain trips or routes from a stop where a search in direction `D` leaves a vehicle.
    fn trip_rules_out_of<D: Directed>(&self, stop: u32) -> &[TransferRule] {
        let rules = D::pick(&self.trip_rules_forward, &self.trip_rules_backward);
        let left_at = |rule: &TransferRule| D::pick(rule.from_stop, rule.to_stop);
        let first = rules.partition_point(|rule| left_at(rule) < stop);
        let end = first + rules[first..].partition_point(|rule| left_at(rule) == stop);
        &rules[first..end]
    }
}

/// The walk of one edge; [`INFINITE`] if the request does not allow it.
fn transfer(edge: &DirectTransfer, request: &RoutingRequest) -> Walk {
    let is_too_long = f64::from(edge.meters) > request.max_transfer_walk_distance;
    let (seconds, cost) = if is_too_long || !edge.is_usable(request.wheelchair) {
        (INFINITE, INFINITE)
    } else if edge.seconds >= 0 {
        (edge.seconds, centi(f64::from(edge.seconds)))
    } else if request.walk_speed <= 0.0 {
        (INFINITE, INFINITE)
    } else {
        walk(edge.meters, request)
    };
    Walk { other_stop: edge.other_stop, seconds, cost }
}

/// Makes the allowed walks from one stop to another those of a timed transfer.
fn take_no_time(walks: &mut [Walk], offsets: &[u32], (from, to): (u32, u32)) {
    let Some(&[first, end]) = offsets.get(from as usize..from as usize + 2) else { return };
    for walk in &mut walks[first as usize..end as usize] {
        if walk.other_stop == to && walk.is_allowed() {
            (walk.seconds, walk.cost) = (0, 0);
        }
    }
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
