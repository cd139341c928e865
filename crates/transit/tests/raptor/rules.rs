//! Slacks, penalties of transfers, and transfers.txt.

use super::town::{Town, check};

const CHANGE: &str = "
    days 20240610 20241231
    1/T1 : A 8:00, B 8:10
    2/U1 : B 8:12, C 8:20
    2/U2 : B 8:22, C 8:30
    2/U3 : B 8:32, C 8:40
";

const U1: &str = "8:00 A -[T1]-> B 8:10, 8:12 B -[U1]-> C 8:20";
const U2: &str = "8:00 A -[T1]-> B 8:10, 8:22 B -[U2]-> C 8:30";

fn with_rules(rows: &str) -> Town {
    Town::new(&format!(
        "{CHANGE}\n\ntable transfers.txt\nfrom_stop_id,to_stop_id,transfer_type,min_transfer_time,to_trip_id\n{rows}\n\n"
    ))
}

#[test]
fn slacks() {
    let town = Town::new(CHANGE);
    let question = ["A -> C at 8:00", "A -> C by 8:39"];
    check(&town, question[0], |r| (r.num_itineraries, r.transfer_slack) = (1, 120), &[U1]);
    check(&town, question[0], |r| (r.num_itineraries, r.transfer_slack) = (1, 121), &[U2]);
    check(&town, question[1], |r| (r.num_itineraries, r.transfer_slack) = (1, 720), &[U2]);
    check(&town, question[1], |r| (r.num_itineraries, r.transfer_slack) = (1, 721), &[]);
    check(
        &town,
        question[0],
        |r| (r.transfer_slack, r.alight_slack, r.num_itineraries) = (120, 100, 1),
        &[U1],
    );
    check(&town, "A -> C by 8:30", |r| (r.board_slack, r.num_itineraries) = (60, 1), &[U1]);
    let path = &town.ask("A -> C at 7:00", |r| (r.board_slack, r.num_itineraries) = (60, 1))[0];
    assert_eq!(town.clock(path.departure), "7:59");
    // Slack at the price of riding, the rest of the first wait at 0.4.
    let expected = 60.0 + 0.4 * 59.0 * 60.0 + 20.0 * 60.0 + 1200.0;
    assert!((path.weight - expected).abs() < 0.01, "{}", path.weight);
    let path = &town
        .ask("A -> C+10 at 8:00", |r| (r.transfer_slack, r.alight_slack, r.num_itineraries) = (90, 90, 1))[0];
    assert_eq!(town.clock(path.arrival), "8:21:40");
}

#[test]
fn transfers_cost_their_penalty() {
    let town = Town::new(CHANGE);
    let weight = |town: &Town, penalty| {
        town.ask("A -> C at 8:00", |r| (r.transfer_penalty, r.num_itineraries) = (penalty, 1))[0].weight
    };
    assert_eq!(weight(&town, 0), 20.0 * 60.0 + 1200.0);
    assert_eq!(weight(&town, 500), 20.0 * 60.0 + 1200.0 + 500.0);
    // With a preferred transfer somewhere, all others cost more.
    assert_eq!(weight(&with_rules("A,C,0,,"), 0), 20.0 * 60.0 + 1200.0 + 180.0);
    assert_eq!(weight(&with_rules("B,B,0,,"), 0), 20.0 * 60.0 + 1200.0);
    assert_eq!(weight(&with_rules("B,B,1,,"), 0), 20.0 * 60.0 + 1200.0);
    assert_eq!(weight(&with_rules("B,B,0,,U1"), 0), 20.0 * 60.0 + 1200.0);
    assert_eq!(weight(&with_rules("B,B,0,,U2"), 0), 20.0 * 60.0 + 1200.0 + 180.0);
}

#[test]
fn forbidden_and_minimum_times() {
    let one = |r: &mut trestle_model::RoutingRequest| r.num_itineraries = 1;
    let (at, by) = ("A -> C at 8:00", "A -> C by 8:39");
    check(&with_rules("B,B,3,,"), by, one, &[]);
    for question in [at, "A -> C by 8:30"] {
        check(&with_rules("B,B,2,121,"), question, one, &[U2]);
        check(&with_rules("B,B,2,720,"), question, one, &[U2]);
        check(&with_rules("B,B,3,,U1"), question, one, &[U2]);
        check(&with_rules("B,B,3,,\nB,B,2,0,U2"), question, one, &[U2]);
    }
    check(&with_rules("B,B,2,721,"), by, one, &[]);
    check(&with_rules("B,B,2,120,"), at, one, &[U1]);
    check(&with_rules("B,B,3,,\nB,B,2,0,U1"), "A -> C by 8:20", one, &[U1]);
}

#[test]
fn two_walks_in_a_row_are_refused_and_nobody_gets_off_to_take_the_same_line_again() {
    let walks = Town::new(
        "1/T1 : A 8:00, B 8:10\n 2/U1 : D 8:30, E 8:40\n walk B C 100\n walk C D 100\n 3/V1 : C 7:00, X 7:10",
    );
    check(&walks, "A -> E by 8:40", |r| r.num_itineraries = 1, &[]);
    let again = Town::new("1/T1 : A 8:00, B 8:10, C 8:20\n 1/T2 : A 8:30, B 8:40, C 8:50\n walk C B 100");
    let paths = again.ask("A -> C by 9:00", |r| r.num_itineraries = 9);
    assert!(paths.iter().all(|path| path.rides.len() == 1));
}
