//! Costs of single edges and turns.

use trestle_model::Direction;

use super::permitted_turns::holds_at;
use super::*;
use crate::graph::TurnRestriction;

#[test]
fn angles_truncate_towards_south() {
    assert_eq!([degrees(128), degrees(0), degrees(64), degrees(192), degrees(123)], [0, -180, -90, 90, -7]);
}

#[test]
fn car_turns_have_three_classes() {
    let costs = StreetCosts::from_request(&RoutingRequest::default(), 0);
    let turn = |degrees: i32| (degrees * 256 / 360) as u8;
    assert_eq!(costs.car_turn(0, turn(90), false), 8.0);
    assert_eq!(costs.car_turn(0, turn(10), false), 5.0);
    assert_eq!(costs.car_turn(0, turn(270), false), 8.0);
    assert_eq!(costs.car_turn(0, turn(10), true), 15.0);
}

#[test]
fn stairs_have_their_own_reluctance_and_slopes_take_time() {
    let costs = StreetCosts::from_request(&RoutingRequest::default(), 0);
    let mut edge =
        Edge { length_mm: 13_300, flags: edge_flags::WALK, bicycle_safety: 1.0, ..Edge::default() };
    let (time, cost) = costs.edge(
        Means::Foot,
        &Arc::of(&edge, Direction::Forward),
        edge.max_slope,
        StreetRecord::Given(&edge),
    );
    assert!((time - 10.0).abs() < 1e-9 && (cost - 20.0).abs() < 1e-9);
    edge.max_slope = 0.1;
    let (time, _) = costs.edge(
        Means::Foot,
        &Arc::of(&edge, Direction::Forward),
        edge.max_slope,
        StreetRecord::Given(&edge),
    );
    assert!((time - (0.75 + 0.146) * 13.3 * (4.0 / 3.0) / 1.33).abs() < 1e-6);
}

#[test]
fn rounding_up() {
    assert_eq!([whole_seconds(0.0), whole_seconds(0.1), whole_seconds(3.0)], [0, 1, 3]);
}

#[test]
fn restrictions_hold_at_their_hours() {
    let rush =
        TurnRestriction { day_from: 0, day_to: 4, time_from: 25_200, time_to: 36_000, ..Default::default() };
    let monday = 4 * 86_400; // 1970-01-05
    assert!(holds_at(&rush, monday + 28_800));
    assert!(!holds_at(&rush, monday + 40_000));
    assert!(!holds_at(&rush, monday + 5 * 86_400 + 28_800));
    assert!(holds_at(&TurnRestriction { day_to: 6, ..Default::default() }, 0));
}

#[test]
fn restrictions_by_night_end_on_the_day_after() {
    // From ten in the evening of Fridays and Saturdays to five in the morning.
    let night =
        TurnRestriction { day_from: 4, day_to: 5, time_from: 79_200, time_to: 18_000, ..Default::default() };
    let friday = 86_400; // 1970-01-02
    let hours = [2, 12, 23, 26, 36, 47, 50, 53, 71];
    let held = hours.map(|hour| holds_at(&night, friday + hour * 3_600));
    assert_eq!(held, [false, false, true, true, false, true, true, false, false]);
}
