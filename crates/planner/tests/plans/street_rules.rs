//! Rules of streets: lifts, stairs, cycling preferences, and turn restrictions with times.

use trestle_model::mode::{Mode, ModeSet};
use trestle_model::request::Optimize;
use trestle_model::{PlanErrorCode, RoutingRequest};

use super::town::Town;

fn by(mode: Mode) -> impl Fn(&mut RoutingRequest) {
    move |r: &mut RoutingRequest| r.modes = ModeSet::default().with(mode)
}

/// A street, a bridge over it, and between them a lift and a long flight of stairs.
pub(crate) const LIFT: &str = "
    n1 41.0 -8.000
    n2 41.0 -7.999
    n3 41.0 -7.998 highway=elevator
    n4 41.0 -7.997
    n5 41.001 -7.999
    w1 1,2,3 highway=footway name=Below level=0
    w2 3,4 highway=footway name=Bridge level=1
    w3 2,5,4 highway=steps
";

#[test]
fn lifts_take_time_and_stairs_have_a_reluctance() {
    let town = Town::new(LIFT, "");
    assert_eq!(town.plan("n1 -> n4 at 8:00", by(Mode::Walk)), "8:00 walk 252 m, 8:05:02");
    let slow_lift = |r: &mut RoutingRequest| {
        by(Mode::Walk)(r);
        r.elevator_board_cost = 5000.0;
    };
    assert_eq!(town.plan("n1 -> n4 at 8:00", slow_lift), "8:00 walk 709 m, 8:08:56");
    let no_stairs = |r: &mut RoutingRequest| {
        slow_lift(r);
        r.stairs_reluctance = 50.0;
    };
    assert_eq!(town.plan("n1 -> n4 at 8:00", no_stairs), "8:00 walk 252 m, 8:05:02");
    let wheelchair = |r: &mut RoutingRequest| {
        slow_lift(r);
        r.wheelchair = true;
    };
    assert_eq!(town.plan("n1 -> n4 at 8:00", wheelchair), "8:00 walk 252 m, 8:05:02");
    let closed = Town::new(&LIFT.replace("highway=elevator", "highway=elevator wheelchair=no"), "");
    assert_eq!(closed.itineraries("n1 -> n4 at 8:00", wheelchair), Err(PlanErrorCode::LocationNotAccessible));
}

/// A main road straight to the goal and a cycleway around.
const TWO_WAYS: &str = "
    n1 41.0 -8.00
    n2 41.0 -7.98
    n3 41.005 -7.99
    w1 1,2 highway=primary name=Main
    w2 1,3,2 highway=cycleway name=Green
    w3 1,11 highway=cycleway
    n11 40.9 -8.00
";

#[test]
fn cyclists_choose_between_speed_and_safety() {
    let town = Town::new(TWO_WAYS, "");
    let cycling = |optimize: Optimize, triangle: [f64; 3]| {
        let plans = town.itineraries("n1 -> n2 at 8:00", |r| {
            by(Mode::Bicycle)(r);
            r.optimize = optimize;
            [r.triangle_safety, r.triangle_slope, r.triangle_time] = triangle;
        });
        plans.unwrap()[0].legs[0].steps[0].street_name.clone()
    };
    let none = [0.0; 3];
    assert_eq!(cycling(Optimize::Quick, none), "Main");
    assert_eq!(cycling(Optimize::Flat, none), "Main");
    assert_eq!(cycling(Optimize::Safe, none), "Green");
    assert_eq!(cycling(Optimize::Greenways, none), "Green");
    assert_eq!(cycling(Optimize::Triangle, [1.0, 0.0, 0.0]), "Green");
    assert_eq!(cycling(Optimize::Triangle, [0.0, 0.0, 1.0]), "Main");
}

/// A block: turning left from Up into Right is forbidden on workdays from seven to nine.
const TIMED: &str = "
    n1 41.000 -8.00
    n2 41.002 -8.00
    n3 41.004 -8.00
    n4 41.002 -8.01
    n5 41.004 -8.01
    w1 1,2 highway=residential name=Up
    w2 2,3 highway=residential name=Further
    w3 2,4 highway=residential name=Left
    w4 3,5 highway=residential name=Top
    w5 5,4 highway=residential name=Down
    r1 from:w1 via:n2 to:w3 type=restriction restriction=no_left_turn day_on=Monday day_off=Friday hour_on=07:00 hour_off=09:00
";

/// The names of the streets from place to place.
fn streets(town: &Town, question: &str, mode: Mode) -> String {
    let plans = town.itineraries(question, by(mode)).unwrap();
    plans[0].legs[0].steps.iter().map(|s| s.street_name.clone()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_turn_restriction_holds_at_its_hours() {
    let town = Town::new(TIMED, "");
    let streets = |question: &str, mode: Mode| streets(&town, question, mode);
    assert_eq!(streets("n1 -> n4 at 8:00", Mode::Car), "Up Further Top Down");
    assert_eq!(streets("n1 -> n4 at 9:30", Mode::Car), "Up Left");
    assert_eq!(streets("n1 -> n4 at 2024-01-06T8:00", Mode::Car), "Up Left", "on a Saturday");
    assert_eq!(streets("n1 -> n4 at 8:00", Mode::Bicycle), "Up Further Top Down");
    assert_eq!(streets("n1 -> n4 at 8:00", Mode::Walk), "Up Left");
}

#[test]
fn a_turn_restriction_may_have_hours_or_days_alone() {
    let at = |tags: &str, time: &str| {
        let map = TIMED.replace("day_on=Monday day_off=Friday hour_on=07:00 hour_off=09:00", tags);
        streets(&Town::new(&map, ""), &format!("n1 -> n4 at {time}"), Mode::Car)
    };
    let (forbidden, allowed) = ("Up Further Top Down", "Up Left");
    let hours = "hour_on=07:00 hour_off=09:00";
    assert_eq!(at(hours, "2024-01-06T8:00"), forbidden, "every day");
    assert_eq!(at(hours, "9:30"), allowed);
    let days = "day_on=Monday day_off=Friday";
    assert_eq!(at(days, "9:30"), forbidden, "all day");
    assert_eq!(at(days, "2024-01-06T8:00"), allowed);
    assert_eq!(at("hour_on=07:00", "9:30"), forbidden, "without its end it is always in force");
}

/// A private road with an exit at its end, and a short cut over an open street in its middle.
pub(crate) const ESTATE: &str = "
    n1 41.000 -8.000
    n2 41.000 -7.997
    n3 41.000 -7.993
    n4 41.000 -7.990
    n5 41.000 -7.987
    n6 41.000 -7.984
    n7 41.003 -7.995
    w1 1,2 highway=residential name=Short access=private
    w2 2,3 highway=residential name=Open
    w3 3,4 highway=residential name=Gate access=private
    w4 1,7,4 highway=residential name=Long access=private
    w5 4,5 highway=residential name=Exit access=private
    w6 5,6 highway=residential name=Beyond
";

#[test]
fn a_path_that_one_direction_misses_is_found() {
    let town = Town::new(ESTATE, "");
    for mode in [Mode::Walk, Mode::Bicycle, Mode::Car] {
        let streets = |question: &str| streets(&town, question, mode);
        assert_eq!(streets("n1 -> n6 at 8:00"), "Long Exit Beyond");
        assert_eq!(streets("n1 -> n6 by 9:00"), "Long Exit Beyond");
        assert_eq!(streets("n6 -> n1 at 8:00"), "Beyond Exit Long");
        assert_eq!(streets("n6 -> n1 by 9:00"), "Beyond Exit Long");
    }
    let times = |question: &str| town.plan(question, by(Mode::Walk));
    assert_eq!(times("n1 -> n6 at 8:00").split_once(' ').map(|(start, _)| start), Some("8:00"));
    assert!(times("n6 -> n1 by 9:00").ends_with(", 9:00"));
}
