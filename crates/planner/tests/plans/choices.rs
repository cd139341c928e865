//! The choice of vehicles: bans, preferences, white lists, wheelchairs, and the number of itineraries.

use trestle_model::mode::ModeSet;
use trestle_model::request::{BannedTrip, RouteSpec};
use trestle_model::{Mode, PlanErrorCode, RoutingRequest};

use super::town::Town;

/// Three lines from A over M to B: a fast bus, a slower one of another agency, and a tram in between.
const LINES: &str = "
    table agency.txt
    agency_id,agency_name,agency_timezone
    red,Red,Europe/Lisbon
    blue,Blue,Europe/Lisbon

    stop A 41.0 -8.00
    stop M 41.1 -8.00
    stop B 41.2 -8.00
    route R 3 agency_id=red route_short_name=one
    route S 3 agency_id=blue route_short_name=two
    route T 0 agency_id=blue route_short_name=three
    service WK 20240101 20241231 1111111
    trip r1 R WK wheelchair_accessible=2 : A 8:00:00, M 8:05:00, B 8:10:00
    trip r2 R WK wheelchair_accessible=1 : A 9:00:00, M 9:05:00, B 9:10:00
    trip s1 S WK : A 8:00:00, M 8:15:00, B 8:30:00
    trip t1 T WK : A 8:00:00, B 8:20:00
";

fn route(id: &str) -> Vec<RouteSpec> {
    vec![RouteSpec { feed: "1".to_owned(), route_id: id.to_owned(), ..RouteSpec::default() }]
}

fn named(name: &str) -> Vec<RouteSpec> {
    vec![RouteSpec { name: name.to_owned(), ..RouteSpec::default() }]
}

/// The trips of each itinerary from A to B.
fn trips(change: impl FnOnce(&mut RoutingRequest)) -> String {
    match Town::new("", LINES).itineraries("A -> B at 7:55", change) {
        Ok(plans) => {
            let trip =
                |leg: &trestle_model::itinerary::Leg| leg.transit.as_ref().unwrap().trip_id[2..].to_owned();
            let trips = plans.iter().map(|plan| plan.legs.iter().map(trip).collect::<Vec<_>>().join("+"));
            trips.collect::<Vec<_>>().join(" ")
        }
        Err(code) => format!("{code:?}"),
    }
}

#[test]
fn banned_and_white_listed() {
    let agencies = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(trips(|_| {}), "r1");
    assert_eq!(trips(|r| r.banned_routes = route("R")), "t1");
    assert_eq!(trips(|r| r.banned_routes = named("one")), "t1");
    assert_eq!(trips(|r| r.banned_agencies = agencies(&["red"])), "t1");
    assert_eq!(trips(|r| r.banned_agencies = agencies(&["red", "blue"])), "PathNotFound");
    assert_eq!(trips(|r| r.whitelisted_routes = route("S")), "s1");
    assert_eq!(trips(|r| r.whitelisted_agencies = agencies(&["blue"])), "t1");
    assert_eq!(trips(|r| r.modes = ModeSet::default().with(Mode::Tram).with(Mode::Walk)), "t1");
    let whole = |trip: &str| vec![BannedTrip { trip: trip.to_owned(), stop_positions: vec![] }];
    assert_eq!(trips(|r| r.banned_trips = whole("1:r1")), "t1");
    let at_the_end = vec![BannedTrip { trip: "1:r1".to_owned(), stop_positions: vec![2] }];
    assert_eq!(trips(|r| r.banned_trips = at_the_end), "t1");
}

#[test]
fn preferences() {
    assert_eq!(trips(|r| r.unpreferred_routes = route("R")), "r1");
    assert_eq!(
        trips(|r| {
            r.unpreferred_routes = route("R");
            r.use_unpreferred_routes_penalty = 900;
        }),
        "t1"
    );
    assert_eq!(
        trips(|r| {
            r.preferred_routes = route("S");
            r.other_than_preferred_routes_penalty = 2000;
        }),
        "s1"
    );
    assert_eq!(
        trips(|r| {
            r.preferred_agencies = vec!["blue".to_owned()];
            r.other_than_preferred_routes_penalty = 2000;
        }),
        "t1"
    );
    assert_eq!(
        trips(|r| {
            r.unpreferred_agencies = vec!["red".to_owned()];
            r.use_unpreferred_routes_penalty = 900;
        }),
        "t1"
    );
    assert_eq!(
        trips(|r| {
            (r.preferred_agencies, r.unpreferred_routes) = (vec!["blue".to_owned()], route("R"));
            (r.other_than_preferred_routes_penalty, r.use_unpreferred_routes_penalty) = (i32::MAX, i32::MAX);
        }),
        "t1"
    );
}

#[test]
fn banned_stops() {
    let stop = |id: &str| vec![format!("1:{id}")];
    assert_eq!(trips(|r| r.banned_stops = stop("M")), "r1", "riding through is allowed");
    assert_eq!(trips(|r| r.banned_stops_hard = stop("M")), "t1");
    assert_eq!(trips(|r| r.banned_stops = stop("B")), "PathNotFound");
}

#[test]
fn wheelchairs() {
    assert_eq!(trips(|r| r.wheelchair = true), "r2");
}

#[test]
fn numbers_and_order_of_itineraries() {
    // t1 and s1 leave with r1 and arrive ten minutes later or more, so they are not offered.
    assert_eq!(trips(|r| r.num_itineraries = 2), "r1 r2");
    assert_eq!(trips(|r| r.num_itineraries = 3), "r1 r2");
    assert_eq!(trips(|r| r.num_itineraries = 0), "PathNotFound");
    let without_r1 = |r: &mut RoutingRequest| {
        r.num_itineraries = 9;
        r.banned_trips = vec![BannedTrip { trip: "1:r1".to_owned(), stop_positions: Vec::new() }];
    };
    assert_eq!(trips(without_r1), "t1 r2");
    assert_eq!(
        trips(|r| {
            without_r1(r);
            r.max_duration = 720.0;
        }),
        "r2"
    );
    assert_eq!(
        trips(|r| {
            without_r1(r);
            r.sort_by_duration = true;
        }),
        "r2 t1"
    );
    assert_eq!(
        trips(|r| {
            without_r1(r);
            r.max_duration = 1800.0;
            r.max_duration_from_requested_time = true;
        }),
        "t1"
    );
}

#[test]
fn intermediate_stops_are_listed_on_request() {
    let town = Town::new("", LINES);
    let plans = town.itineraries("A -> B at 7:55", |r| r.show_intermediate_stops = true).unwrap();
    let names: Vec<&str> =
        plans[0].legs[0].intermediate_stops.iter().flatten().map(|place| &*place.name).collect();
    assert_eq!(names, ["Stop_M"]);
    assert_eq!(town.itineraries("A -> B at 7:55", |_| {}).unwrap()[0].legs[0].intermediate_stops, None);
    assert_eq!(town.itineraries("A -> 9:B at 7:55", |_| {}), Err(PlanErrorCode::OutsideBounds));
}
