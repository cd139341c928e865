//! Wheelchairs on slopes, and at places that they cannot leave or reach.

use std::fmt::Write;

use trestle_engine::deadline::Deadline;
use trestle_model::mode::{Mode, ModeSet};
use trestle_model::{PlanErrorCode, RoutingRequest};
use trestle_planner::Scratch;
use trestle_planner::plan::plan;

use super::town::{Town, options};
use crate::streets::elevation_file;

/// The ground around 0, 0 rises by 10 % to the north.
fn slope() -> Vec<u8> {
    let heights: Vec<f32> = (0..11u8).rev().flat_map(|row| [f32::from(row) * 11.12; 3]).collect();
    elevation_file(&heights)
}

/// Low Street, High Street above it, and a lane between them.
const HILL: &str = "
    n1 0.0010 -0.0008
    n2 0.0010 0.0008
    n3 0.0030 0.0008
    n4 0.0030 -0.0008
    w1 1,2 highway=residential name=Low
    w2 2,3 highway=residential name=Lane
    w3 3,4 highway=residential name=High
";

/// A way up that is not as steep as the lane: on a bridge, which climbs steadily.
const RAMP: &str = "
    n5 0.0020 0.0060
    w4 2,5 highway=footway bridge=yes
    w5 5,3 highway=footway bridge=yes
";

fn in_wheelchair(request: &mut RoutingRequest) {
    request.wheelchair = true;
    request.modes = ModeSet::default().with(Mode::Walk);
}

fn on_foot(request: &mut RoutingRequest) {
    request.modes = ModeSet::default().with(Mode::Walk);
}

/// Whether each itinerary is too sloped.
fn marks(town: &Town, question: &str, change: impl FnOnce(&mut RoutingRequest)) -> Vec<bool> {
    town.itineraries(question, change).unwrap().iter().map(|itinerary| itinerary.too_sloped).collect()
}

#[test]
fn where_all_ways_are_too_steep_one_is_given_and_marked() {
    let town = Town::with_raster(HILL, &[], &slope(), &options());
    let (up, down) = ("0.001,-0.0004 -> 0.003,-0.0004 at 8:00", "0.003,-0.0004 -> 0.001,-0.0004 by 8:00");
    for question in [up, down] {
        assert_eq!(marks(&town, question, in_wheelchair), [true], "{question}");
        let strong = |r: &mut RoutingRequest| {
            in_wheelchair(r);
            r.max_slope = 0.11;
        };
        assert_eq!(marks(&town, question, strong), [false], "{question}");
        assert_eq!(marks(&town, question, on_foot), [false], "{question}");
    }
    let via = |r: &mut RoutingRequest| {
        in_wheelchair(r);
        r.intermediate_places = vec![town.place("n3")];
    };
    assert_eq!(marks(&town, up, via), [true]);
}

#[test]
fn a_way_within_the_limit_is_not_marked() {
    let town = Town::with_raster(&format!("{HILL}{RAMP}"), &[], &slope(), &options());
    let question = "0.001,-0.0004 -> 0.003,-0.0004 at 8:00";
    assert_eq!(marks(&town, question, in_wheelchair), [false]);
    let itineraries = town.itineraries(question, in_wheelchair).unwrap();
    assert!(itineraries[0].walk_distance > 1000.0, "around the lane");
}

/// A street of 60 corners, and a terrace at its end that only steps lead to.
fn terrace() -> String {
    let mut streets = String::new();
    for i in 1..=60 {
        writeln!(streets, "n{i} {:.5} 0", f64::from(i) * 0.0002).unwrap();
    }
    for i in 1..60 {
        writeln!(streets, "w{i} {i},{} highway=residential name=Street", i + 1).unwrap();
    }
    streets + "n91 0.0125 0\nn92 0.0125 0.001\nw91 60,91 highway=steps\nw92 91,92 highway=footway\n"
}

#[test]
fn places_behind_steps_are_not_accessible() {
    let town = Town::new(&terrace(), "");
    let error = |question: &str| {
        let mut request = town.request(question);
        in_wheelchair(&mut request);
        plan(&town.snapshot, &request, &mut Scratch::default(), &Deadline::default()).unwrap_err()
    };
    for time in ["at", "by"] {
        let leaving = error(&format!("n92 -> n2 {time} 8:00"));
        assert_eq!(leaving.code, PlanErrorCode::LocationNotAccessible);
        assert_eq!(leaving.reason, "fromPlace: cannot be left in a wheelchair");
        let arriving = error(&format!("n2 -> n92 {time} 8:00"));
        assert_eq!(arriving.code, PlanErrorCode::LocationNotAccessible);
        assert_eq!(arriving.reason, "toPlace: cannot be reached in a wheelchair");
    }
    assert!(town.itineraries("n92 -> n2 at 8:00", on_foot).is_ok());
}

/// Two streets with no way between them have nothing to do with wheelchairs, and neither is a stop without vehicles.
#[test]
fn places_without_any_way_between_them_have_no_path() {
    let streets = terrace().replace("w91 60,91 highway=steps", "w91 60,61 highway=residential\nn61 0.0124 0");
    let town = Town::new(&streets, "");
    assert_eq!(town.plan("n92 -> n2 at 8:00", in_wheelchair), "PathNotFound");
}

#[test]
fn a_stop_that_wheelchairs_can_use_is_accessible() {
    let feed = |boarding: u8| {
        format!(
            "stop A 0.0125 0.0005 wheelchair_boarding={boarding}
             stop B 0.0020 0.0000 wheelchair_boarding=1
             route R 3
             service WK 20240103 20240103 1111111
             trip T R WK wheelchair_accessible=1 : A 7:00:00, B 7:10:00"
        )
    };
    let riding = |r: &mut RoutingRequest| r.wheelchair = true;
    let plans = |boarding| Town::new(&terrace(), &feed(boarding)).plan("n92 -> n2 at 8:00", riding);
    assert_eq!(plans(1), "PathNotFound", "the last vehicle has left");
    assert_eq!(plans(2), "LocationNotAccessible");
}

/// Within 150 m there are a few corners and steps, as at most places, but no stop.
#[test]
fn a_low_walking_limit_does_not_make_a_place_inaccessible() {
    let feed = "
        stop A 0.0010 0.0000 wheelchair_boarding=1
        stop B 0.0030 0.0000 wheelchair_boarding=1
        route R 3
        service WK 20240103 20240103 1111111
        trip T R WK wheelchair_accessible=1 : A 9:00:00, B 9:10:00";
    let town = Town::new(&terrace(), feed);
    for question in ["n59 -> n2 at 8:00", "n2 -> n59 at 8:00"] {
        let little = |wheelchair| {
            move |r: &mut RoutingRequest| {
                r.wheelchair = wheelchair;
                r.max_walk_distance = 150.0;
            }
        };
        assert_eq!(town.plan(question, little(false)), "PathNotFound", "{question}");
        assert_eq!(town.plan(question, little(true)), "PathNotFound", "{question}");
    }
}

/// Steps lead to A; B of the same station is on the street.
#[test]
fn a_wheelchair_uses_another_exit_of_the_station() {
    let streets = "
        n1 41.0 -8.000
        n2 41.001 -8.000
        n3 41.001 -7.996
        w1 1,2 highway=steps
        w2 2,3 highway=residential";
    let feed = "
        stop S 41.0005 -8.000 location_type=1 wheelchair_boarding=1
        stop A 41.0004 -8.000 parent_station=S
        stop B 41.001 -7.999 parent_station=S
        stop C 41.001 -7.996
        route R 3
        service WK 20240101 20241231 1111111
        trip T R WK : A 8:00:00, B 8:05:00, C 8:15:00";
    let mut joined = options();
    joined.transit_layer.station_transfers = true;
    let town = Town::built(streets, &[feed], &joined);
    for question in ["A -> n3 at 8:00", "n3 -> A at 8:00"] {
        let rolling = town.plan(question, in_wheelchair);
        assert!(rolling.contains("walk 252 m"), "from B: {rolling}");
        let walking = town.plan(question, on_foot);
        assert!(walking.contains("walk 4"), "67 m of steps count twice, and 336 m of street: {walking}");
    }
    let apart = Town::built(streets, &[feed], &options());
    assert!(!apart.plan("A -> n3 at 8:00", in_wheelchair).contains("walk"), "nothing joins A and B");
}
