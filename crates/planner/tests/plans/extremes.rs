//! Nonsensical requests and inputs give an answer or an error, never a crash, and the next request is answered.

use std::path::PathBuf;

use trestle_engine::build::{BuildOptions, build_directory};
use trestle_model::itinerary::Itinerary;
use trestle_model::mode::{Mode, ModeSet};
use trestle_model::request::{BannedTrip, Optimize, RouteSpec};
use trestle_model::{Direction, PlanErrorCode, RoutingRequest};

use super::town::{Town, options};
use crate::streets;

/// Streets with a lot, a lift, racks and rental stations, two lines with a transfer, and a pond without streets.
const STREETS: &str = "
    n1 41.0 -8.00
    n2 41.0 -7.99
    n3 41.0 -7.97 highway=elevator
    n4 41.0 -7.96
    n5 41.0001 -7.995 amenity=bicycle_rental capacity=5
    n6 41.0001 -7.975 amenity=bicycle_rental capacity=5
    n7 41.0001 -7.989 amenity=bicycle_parking
    n8 40.9999 -7.9901
    n9 40.9999 -7.9899
    w1 1,2,3 highway=residential name=Rua level=0
    w2 3,4 highway=residential name=Ponte level=1
    w3 2,8,9,2 amenity=parking park_ride=yes highway=service
";
const LINES: &str = "
    stop A 41.0 -7.99
    stop B 41.0 -7.98
    stop C 41.0 -7.96
    route R 3
    route S 0
    service WK 20240101 20241231 1111111
    trip T R WK bikes_allowed=1 : A 8:20:00, B 8:25:00
    trip U S WK bikes_allowed=1 : B 8:30:00, C 8:35:00
    trip F S WK : A 0:00:00, C 0:20:00
    table frequencies.txt
    trip_id,start_time,end_time,headway_secs
    F,8:00:00,10:00:00,600
";

fn town() -> Town {
    let mut options = options();
    options.street.static_bike_rental = true;
    options.street.static_bike_park_and_ride = true;
    Town::built(STREETS, &[LINES], &options)
}

fn transit_with(mode: Mode) -> ModeSet {
    ModeSet::TRANSIT.with(Mode::Walk).with(mode)
}

/// Modes that use every kind of search.
const WAYS: [fn(&mut RoutingRequest); 8] = [
    |_| {},
    |r| r.direction = Direction::Backward,
    |r| r.modes = ModeSet::default().with(Mode::Bicycle),
    |r| r.modes = ModeSet::default().with(Mode::Car),
    |r| r.modes = ModeSet::TRANSIT.with(Mode::Bicycle),
    |r| (r.modes, r.bike_rental) = (transit_with(Mode::Bicycle), true),
    |r| (r.modes, r.bike_park) = (transit_with(Mode::Bicycle), true),
    |r| (r.modes, r.car_park) = (transit_with(Mode::Car), true),
];

type Member<T> = (&'static str, fn(&mut RoutingRequest, T));

const WHOLE: [Member<i32>; 20] = [
    ("numItineraries", |r, n| r.num_itineraries = n.min(50)),
    ("maxPreTransitTime", |r, n| r.max_pre_transit_time = n),
    ("bikeSwitchTime", |r, n| r.bike_switch_time = n),
    ("minTransferTime", |r, n| r.transfer_slack = n),
    ("boardSlack", |r, n| (r.board_slack, r.transfer_slack) = (n, n)),
    ("alightSlack", |r, n| (r.alight_slack, r.transfer_slack) = (n, n)),
    ("boardSlack alone", |r, n| r.board_slack = n),
    ("both slacks", |r, n| (r.board_slack, r.alight_slack, r.transfer_slack) = (n, n, n)),
    ("otherThanPreferredRoutesPenalty", |r, n| {
        r.preferred_agencies = vec!["x".to_owned()];
        r.other_than_preferred_routes_penalty = n;
    }),
    ("useUnpreferredRoutesPenalty", |r, n| {
        r.unpreferred_agencies = vec!["AG".to_owned()];
        r.use_unpreferred_routes_penalty = n;
    }),
    ("walkBoardCost", |r, n| r.walk_board_cost = n),
    ("bikeBoardCost", |r, n| r.bike_board_cost = n),
    ("transferPenalty", |r, n| r.transfer_penalty = n),
    ("nonpreferredTransferPenalty", |r, n| r.nonpreferred_transfer_penalty = n),
    ("maxTransfers", |r, n| r.max_transfers = n),
    ("carDropoffTime", |r, n| r.car_dropoff_time = n),
    ("bikeRentalPickupTime", |r, n| r.bike_rental_pickup_time = n),
    ("bikeParkTime", |r, n| r.bike_park_time = n),
    ("elevatorBoardTime", |r, n| r.elevator_board_time = n),
    ("boardTimes", |r, n| (r.board_times, r.alight_times) = ([n; 13], [n; 13])),
];
const WHOLE_VALUES: [i32; 6] = [i32::MIN, -1, 0, 1, 1_000_000_000, i32::MAX];

const DECIMAL: [Member<f64>; 17] = [
    ("maxWalkDistance", |r, x| r.max_walk_distance = x),
    ("maxTransferWalkDistance", |r, x| r.max_transfer_walk_distance = x),
    ("walkReluctance", |r, x| r.walk_reluctance = x),
    ("waitReluctance", |r, x| r.wait_reluctance = x),
    ("waitAtBeginningFactor", |r, x| r.wait_at_beginning_factor = x),
    ("walkSpeed", |r, x| r.walk_speed = x),
    ("bikeSpeed", |r, x| r.bike_speed = x),
    ("bikeSwitchCost", |r, x| r.bike_switch_cost = x),
    ("maxHours", |r, x| r.max_duration = x),
    ("stairsReluctance", |r, x| r.stairs_reluctance = x),
    ("turnReluctance", |r, x| r.turn_reluctance = x),
    ("maxSlope", |r, x| (r.max_slope, r.wheelchair) = (x, true)),
    ("bikeRentalPickupCost", |r, x| r.bike_rental_pickup_cost = x),
    ("bikeParkCost", |r, x| r.bike_park_cost = x),
    ("elevatorHopCost", |r, x| r.elevator_hop_cost = x),
    ("triangle", |r, x| (r.optimize, r.triangle_safety, r.triangle_time) = (Optimize::Triangle, x, 1.0 - x)),
    ("carSpeed", |r, x| r.car_speed = x),
];
const DECIMAL_VALUES: [f64; 8] = [-1.0, 0.0, 1e-9, 1e6, 1e15, 1e300, f64::INFINITY, f64::NAN];

/// What is wrong with an itinerary of any request.
fn contradiction(itinerary: &Itinerary) -> Option<String> {
    let mut end = itinerary.start_time;
    for leg in &itinerary.legs {
        if leg.start_time < end || leg.end_time < leg.start_time {
            return Some(format!("a leg from {} to {} after {end}", leg.start_time, leg.end_time));
        }
        end = leg.end_time;
    }
    (end > itinerary.end_time).then(|| "the end is before the last leg's".to_owned())
}

fn try_everything<T: Copy + std::fmt::Debug>(town: &Town, members: &[Member<T>], values: &[T]) {
    let good = town.ask("n1 -> n4 at 8:00");
    for (name, set) in members {
        for &value in values {
            for (way, travel) in WAYS.iter().enumerate() {
                let answer = town.itineraries("n1 -> n4 at 8:00", |r| {
                    r.max_walk_distance = 9000.0;
                    travel(r);
                    set(r, value);
                });
                let fault = answer.iter().flatten().find_map(contradiction);
                assert_eq!(fault, None, "{name}={value:?} way {way}");
            }
        }
    }
    assert_eq!(town.ask("n1 -> n4 at 8:00"), good, "the next request is answered as before");
}

#[test]
fn whole_numbers_of_any_size() {
    try_everything(&town(), &WHOLE, &WHOLE_VALUES);
}

#[test]
fn decimal_numbers_of_any_size() {
    try_everything(&town(), &DECIMAL, &DECIMAL_VALUES);
}

#[test]
fn moments_of_any_size() {
    let town = town();
    for time in [i64::MIN, -1, 0, 253_402_300_799, i64::MAX] {
        for travel in WAYS {
            let answer = town.itineraries("n1 -> n4 at 8:00", |r| {
                travel(r);
                r.epoch_seconds = time;
            });
            let error = answer.err();
            match time {
                i64::MIN | i64::MAX => assert_eq!(error, Some(PlanErrorCode::BogusParameter)),
                _ if uses_transit(travel) => assert_eq!(error, Some(PlanErrorCode::NoTransitTimes)),
                // There are streets at all times, though none for cars over the lift.
                _ => assert!(error.is_none_or(|code| code == PlanErrorCode::PathNotFound)),
            }
        }
    }
}

fn uses_transit(travel: fn(&mut RoutingRequest)) -> bool {
    let mut request = RoutingRequest::default();
    travel(&mut request);
    request.uses_transit()
}

#[test]
fn entities_that_do_not_exist() {
    let town = town();
    let none = |change: fn(&mut RoutingRequest)| town.plan("n1 -> n4 at 8:00", change);
    let usual = town.ask("n1 -> n4 at 8:00");
    assert_eq!(none(|r| r.banned_stops = vec!["9:x".to_owned(), String::new(), ":".to_owned()]), usual);
    assert_eq!(none(|r| r.banned_stops_hard = vec!["é".repeat(9999)]), usual);
    assert_eq!(none(|r| r.banned_routes = vec![RouteSpec::default(); 9]), usual);
    assert_eq!(none(|r| r.banned_agencies = vec![String::new()]), usual);
    let trip = |positions: &[u32]| BannedTrip { trip: "1:T".to_owned(), stop_positions: positions.to_vec() };
    assert_eq!(town.plan("n1 -> n4 at 8:00", |r| r.banned_trips = vec![trip(&[u32::MAX, 999])]), usual);
    assert_eq!(none(|r| r.start_transit_trip = Some("nonsense".to_owned())), "BogusParameter");
    assert_eq!(none(|r| r.whitelisted_agencies = vec!["nobody".to_owned()]), "PathNotFound");
}

#[test]
fn places_far_from_streets() {
    let town = town();
    for place in ["0,0", "91,0", "-91,-181", "41.5,-8.0", "1e308,1e308", "NaN,0"] {
        let places = format!("n1 -> {place} at 8:00");
        assert_eq!(town.ask(&places), "OutsideBounds", "{place}");
    }
    let far = town.itineraries("41.5,-8.0 -> n4 at 8:00", |_| {});
    assert_eq!(far, Err(PlanErrorCode::OutsideBounds));
    assert_eq!(town.ask("n2 -> n2 at 8:00"), "TooClose");
}

#[test]
fn stops_at_the_same_point_are_too_close() {
    // Stops of two feeds at one place. The buses there and back again take ten minutes.
    let same = "stop A 41.0 -7.99\nstop B 41.0 -7.96\nroute R 3\nservice WK 20240101 20241231 1111111";
    let there = format!("{same}\ntrip T R WK : A 8:00:00, B 8:04:00");
    let back = format!("{same}\ntrip U R WK : B 8:06:00, A 8:10:00");
    let town = Town::built(STREETS, &[&there, &back], &options());
    for way in WAYS {
        let to_other_feed = |request: &mut RoutingRequest| {
            way(request);
            request.to.label = "2:A".to_owned();
        };
        assert_eq!(town.plan("A -> A at 7:55", to_other_feed), "TooClose");
    }
}

#[test]
fn stops_far_apart_are_not_too_close_at_the_end_of_one_street() {
    // Both are beyond the border of the map.
    let line = "
        stop A 41.0 -8.005
        stop B 41.0 -8.010
        route R 3
        service WK 20240101 20241231 1111111
        trip T R WK : A 8:00:00, B 8:04:00
    ";
    let town = Town::built(STREETS, &[line], &options());
    let found = town.ask("A -> B at 7:55");
    assert!(found.contains("bus T A 8:00 - B 8:04"), "{found}");
    let on_foot = town.plan("A -> B at 7:55", |r| r.modes = ModeSet::default().with(Mode::Walk));
    assert_eq!(on_foot, "PathNotFound");
}

#[test]
fn an_island_can_only_be_left_by_boat() {
    let streets = "
        n1 41.0 -8.00
        n2 41.0 -7.99
        n3 41.5 -8.00
        n4 41.5 -7.99
        w1 1,2 highway=residential
        w2 3,4 highway=residential
    ";
    let boat = "
        stop A 41.0 -7.99
        stop B 41.5 -8.00
        route R 4
        service WK 20240101 20241231 1111111
        trip T R WK : A 9:00:00, B 9:30:00
    ";
    let town = Town::new(streets, boat);
    assert_eq!(
        town.plan("n1 -> n4 at 8:00", |r| r.modes = ModeSet::default().with(Mode::Walk)),
        "PathNotFound"
    );
    assert!(town.ask("n1 -> n4 at 8:00").contains("ferry T A 9:00 - B 9:30"));
    assert_eq!(town.ask("n4 -> n1 at 8:00"), "PathNotFound");
}

/// The error of a build of a directory with these files.
fn build_error(files: &[(&str, &[u8])]) -> Option<String> {
    let directory: PathBuf = std::env::temp_dir().join(format!(
        "trestle-extremes-{}-{}",
        std::process::id(),
        files.iter().map(|(name, bytes)| format!("{name}{}", bytes.len())).collect::<String>()
    ));
    std::fs::create_dir_all(&directory).unwrap();
    for (name, bytes) in files {
        std::fs::write(directory.join(name), bytes).unwrap();
    }
    let output = directory.join("Graph.obj");
    let outcome = build_directory(&directory, &output, &BuildOptions::default(), &mut |_, _| {});
    let has_output = output.exists();
    std::fs::remove_dir_all(&directory).unwrap();
    assert_eq!(outcome.is_ok(), has_output, "a failed build leaves no graph");
    outcome.err().map(|error| error.to_string())
}

#[test]
fn inputs_that_are_cut_name_their_file() {
    let osm = streets::xml(STREETS);
    let cut = &osm.as_bytes()[..osm.len() / 2];
    let error = build_error(&[("town.osm", cut)]).unwrap();
    assert!(error.contains("town.osm"), "{error}");
    let error = build_error(&[("town.osm.pbf", b"\x00\x00\x00\x0dnonsense")]).unwrap();
    assert!(error.contains("town.osm.pbf"), "{error}");
    let error = build_error(&[("feed.zip", b"PK\x03\x04 nothing else")]).unwrap();
    assert!(error.contains("feed.zip"), "{error}");
    let error = build_error(&[("notes.txt", b"hello")]).unwrap();
    assert!(error.contains("no GTFS or OSM input"), "{error}");
}
