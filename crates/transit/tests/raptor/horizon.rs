//! Itineraries beyond the hours and the costs that a search covers first.

use trestle_model::RoutingRequest;
use trestle_model::request::BannedTrip;
use trestle_transit::raptor::TransitScratch;

use super::town::{Town, Traveller, check, one, two};

/// Checks the answer of searches that start again from the first arrival after few labels, with limits from none to
/// nine.
fn check_with_few_labels(
    town: &Town,
    question: &str,
    change: impl Fn(&mut RoutingRequest),
    expected: &[&str],
) {
    for most_labels in 0..10 {
        let mut scratch = TransitScratch::default();
        scratch.most_labels = most_labels;
        let paths = town.ask_in(question, &change, Traveller::default(), &mut scratch);
        let lines: Vec<String> = paths.iter().map(|path| town.describe(path)).collect();
        assert_eq!(lines, expected, "{most_labels} labels");
    }
}

#[test]
fn a_quick_path_in_the_evening_is_better_than_a_slow_one_by_day() {
    let town = Town::new("1/SLOW : A 8:30, B 17:30\n2/QUICK : A 19:00, B 19:10");
    check(&town, "A -> B at 8:00", one, &["19:00 A -[QUICK]-> B 19:10"]);
}

#[test]
fn a_quick_path_in_the_morning_is_better_than_a_slow_one_by_day() {
    let town = Town::new("1/SLOW : A 12:30, B 19:30\n2/QUICK : A 9:00, B 9:10");
    check(&town, "A -> B by 20:00", one, &["9:00 A -[QUICK]-> B 9:10"]);
}

#[test]
fn alternatives_may_be_hours_away() {
    let town = Town::new("1/T1 : A 8:30, B 8:40\n1/T2 : A 20:30, B 20:40");
    check(&town, "A -> B at 8:00", two, &["8:30 A -[T1]-> B 8:40", "20:30 A -[T2]-> B 20:40"]);
    check(&town, "A -> B by 21:00", two, &["20:30 A -[T2]-> B 20:40", "8:30 A -[T1]-> B 8:40"]);
}

#[test]
fn bounds_from_quick_vehicles_by_night_do_not_help_slow_ones_by_day() {
    // By night the line takes 10 minutes, by day an hour.
    let town = Town::new(
        "
        1/NIGHT : A 3:00, B 3:10
        1/DAY : A 9:00, B 10:00
        2/OTHER : A 9:00, B 9:50
    ",
    );
    check(&town, "A -> B at 8:50", one, &["9:00 A -[OTHER]-> B 9:50"]);
    check(&town, "A -> B at 2:50", one, &["3:00 A -[NIGHT]-> B 3:10"]);
}

#[test]
fn paths_of_interest_may_cost_more_than_the_first_limit() {
    // QUICK makes the least cost 1,800. T1 costs 2,600, within one and a half times that, and with U1 2,900; OTHER costs 2,700.
    let town = Town::new(
        "
        1/T1 : A 8:08:20, B 8:18:20, C 8:38:20
        1/QUICK : A 15:00, B 15:05, C 15:20
        2/U1 : B 8:20:20, C 8:33:20
        3/OTHER : A 8:10, C 8:41
    ",
    );
    let first = "8:08:20 A -[T1]-> B 8:18:20, 8:20:20 B -[U1]-> C 8:33:20";
    check(&town, "A -> C at 8:00", two, &[first, "8:08:20 A -[T1]-> C 8:38:20"]);
}

#[test]
fn a_search_may_start_again_from_the_first_arrival_and_then_without_its_horizon() {
    // With the wait at B, other paths of interest may cost as much as those after the horizon.
    let town = Town::new(
        "
        1/T1 : A 8:30, B 8:40
        2/T2 : B 11:50, C 12:00
        3/T3 : B 12:00, C 12:40
        4/T4 : B 12:10, C 13:00
    ",
    );
    let expected = ["8:30 A -[T1]-> B 8:40, 11:50 B -[T2]-> C 12:00"];
    check_with_few_labels(&town, "A -> C at 8:00", two, &expected);
}

#[test]
fn the_first_arrival_may_be_in_a_vehicle_after_one_that_may_not_be_left() {
    let town = Town::new(
        "
        1/T1 : A 8:30, B 8:40, C 8:50
        1/T2 : A 8:35, B 8:45, C 8:55
    ",
    );
    let ban = |request: &mut RoutingRequest| {
        one(request);
        request.banned_trips = vec![BannedTrip { trip: "1:T1".into(), stop_positions: vec![1] }];
    };
    check_with_few_labels(&town, "A -> B at 8:00", ban, &["8:35 A -[T2]-> B 8:45"]);
}

#[test]
fn the_first_arrival_excludes_no_path_that_is_a_little_better() {
    // The transfer costs 600 and saves ten and a half minutes.
    let town = Town::new("1/DIRECT : A 8:30, B 8:40, C 9:00:30\n2/CHANGE : B 8:45, C 8:50");
    let expected = ["8:30 A -[DIRECT]-> B 8:40, 8:45 B -[CHANGE]-> C 8:50"];
    check_with_few_labels(&town, "A -> C at 8:00", one, &expected);
}
