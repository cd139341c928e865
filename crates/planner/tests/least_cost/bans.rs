//! What a request bans or prefers, read from it plainly, and requests that ban or prefer something on a path.

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::RoutingRequest;
use trestle_model::ids::{RouteIdx, StopIdx, TripIdx};
use trestle_model::request::{BannedTrip, RouteSpec};
use trestle_transit::path::TransitPath;
use trestle_transit::timetable::Timetable;

use crate::dice::Dice;

/// What a request bans or prefers.
pub(crate) struct Bans {
    /// Cost units that boarding each route adds; `None` where it is banned.
    routes: Vec<Option<i32>>,
    trips: FxHashSet<TripIdx>,
    calls: FxHashMap<TripIdx, Vec<u32>>,
    /// Stops at which nobody boards or alights.
    stops: FxHashSet<u32>,
    /// Stops that nobody passes in a vehicle either.
    hard_stops: FxHashSet<u32>,
}

impl Bans {
    pub(crate) fn new(timetable: &Timetable, request: &RoutingRequest) -> Bans {
        let routes = (0..timetable.routes.id.len()).map(|route| price(timetable, request, route.into()));
        let mut bans = Bans {
            routes: routes.collect(),
            trips: FxHashSet::default(),
            calls: FxHashMap::default(),
            stops: named_stops(timetable, &request.banned_stops),
            hard_stops: named_stops(timetable, &request.banned_stops_hard),
        };
        for BannedTrip { trip, stop_positions } in &request.banned_trips {
            let Some(trip) = timetable.trip_by_id(trip) else { continue };
            if stop_positions.is_empty() {
                bans.trips.insert(trip);
            } else {
                bans.calls.entry(trip).or_default().extend(stop_positions);
            }
        }
        bans
    }

    /// Cost units that boarding a trip of a route adds; `None` where it is banned.
    pub(crate) fn price(&self, trip: TripIdx, route: RouteIdx) -> Option<i32> {
        self.routes[route.index()].filter(|_| !self.trips.contains(&trip))
    }

    /// Whether a trip may be boarded and left at a position of its pattern.
    pub(crate) fn allow_call(&self, trip: TripIdx, position: usize) -> bool {
        !self.calls.get(&trip).is_some_and(|calls| calls.contains(&(position as u32)))
    }

    /// Whether riders may board and alight at a stop.
    pub(crate) fn allow_stop(&self, stop: u32) -> bool {
        !self.stops.contains(&stop) && self.allow_passing(stop)
    }

    /// Whether riders may pass a stop in a vehicle.
    pub(crate) fn allow_passing(&self, stop: u32) -> bool {
        !self.hard_stops.contains(&stop)
    }
}

fn price(timetable: &Timetable, request: &RoutingRequest, route: RouteIdx) -> Option<i32> {
    let is_in = |specs: &[RouteSpec]| specs.contains(&spec(timetable, route));
    if is_in(&request.banned_routes) {
        return None;
    }
    let is_other = !request.preferred_routes.is_empty() && !is_in(&request.preferred_routes);
    let other = if is_other { request.other_than_preferred_routes_penalty } else { 0 };
    let unpreferred = is_in(&request.unpreferred_routes);
    Some(other + if unpreferred { request.use_unpreferred_routes_penalty } else { 0 })
}

/// The stops with one of these ids, and the stops of stations with one.
fn named_stops(timetable: &Timetable, ids: &[String]) -> FxHashSet<u32> {
    let named: FxHashSet<u32> = ids.iter().filter_map(|id| Some(timetable.stop_by_id(id)?.0)).collect();
    let parents = timetable.stops.parent.iter().zip(0..).filter(|(parent, _)| named.contains(parent));
    parents.map(|(_, stop)| stop).chain(named.iter().copied()).collect()
}

fn spec(timetable: &Timetable, route: RouteIdx) -> RouteSpec {
    let id = timetable.route_id(route);
    let (feed, route_id) = id.split_once(':').unwrap();
    RouteSpec { feed: feed.to_owned(), route_id: route_id.to_owned(), name: String::new() }
}

/// The request of a path, with something on the path banned or preferred; what it is, for messages.
pub(crate) fn with_ban(
    timetable: &Timetable,
    request: &RoutingRequest,
    path: &TransitPath,
    dice: &mut Dice,
) -> (RoutingRequest, String) {
    let ride = &path.rides[dice.below(path.rides.len())];
    let pattern = timetable.pattern_of(ride.trip);
    let route = spec(timetable, timetable.route_of(pattern));
    let stops = timetable.patterns.stops(pattern);
    let stop = |position: u32| timetable.stop_id(StopIdx(stops[position as usize]));
    let passed =
        ride.board_position + dice.below((ride.alight_position - ride.board_position) as usize) as u32;
    let end = dice.of(&[ride.board_position, ride.alight_position]);
    let trip = |stop_positions| BannedTrip { trip: timetable.trip_id(ride.trip), stop_positions };
    let mut request = request.clone();
    let ban = match dice.below(8) {
        0 => {
            request.banned_routes.push(route);
            "route".to_owned()
        }
        1 => {
            request.banned_trips.push(trip(Vec::new()));
            "trip".to_owned()
        }
        2 | 3 => {
            request.banned_trips.push(trip(vec![end]));
            format!("call {end}")
        }
        4 => {
            request.banned_stops.push(stop(end));
            "stop".to_owned()
        }
        5 => {
            request.banned_stops_hard.push(stop(passed));
            "passing".to_owned()
        }
        6 => {
            request.unpreferred_routes.push(route);
            "unpreferred".to_owned()
        }
        _ => {
            request.preferred_routes.push(route);
            "preferred".to_owned()
        }
    };
    let what = format!("{ban} {} of {}", stop(end), timetable.trip_id(ride.trip));
    (request, what)
}
