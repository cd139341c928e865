//! Slacks, penalties of transfers, prices of waits, and transfers.txt.

use trestle_model::RoutingRequest;

use super::town::{Town, check, one};

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
    // Slack costs as much as riding, the rest of the first wait 0.4 per second.
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
    // If any transfer is preferred, all others cost more.
    assert_eq!(weight(&with_rules("A,C,0,,"), 0), 20.0 * 60.0 + 1200.0 + 180.0);
    assert_eq!(weight(&with_rules("B,B,0,,"), 0), 20.0 * 60.0 + 1200.0);
    assert_eq!(weight(&with_rules("B,B,1,,"), 0), 20.0 * 60.0 + 1200.0);
    assert_eq!(weight(&with_rules("B,B,0,,U1"), 0), 20.0 * 60.0 + 1200.0);
    assert_eq!(weight(&with_rules("B,B,0,,U2"), 0), 20.0 * 60.0 + 1200.0 + 180.0);
}

#[test]
fn forbidden_and_minimum_times() {
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
fn a_rule_for_a_trip_comes_before_one_for_two_routes() {
    let rules = |rows: &str| {
        let header =
            "from_stop_id,to_stop_id,transfer_type,from_route_id,to_route_id,from_trip_id,to_trip_id";
        Town::new(&format!("{CHANGE}\n\ntable transfers.txt\n{header}\n{rows}\n\n"))
    };
    let (routes, trip) = ("B,B,3,1,2,,", "B,B,0,,,,U1");
    for rows in [format!("{routes}\n{trip}"), format!("{trip}\n{routes}")] {
        check(&rules(&rows), "A -> C at 8:00", one, &[U1]);
        check(&rules(&rows), "A -> C by 8:39", one, &[U1]);
    }
    let (route, routes) = ("B,B,3,1,,,", "B,B,0,1,2,,");
    for rows in [format!("{routes}\n{route}"), format!("{route}\n{routes}")] {
        check(&rules(&rows), "A -> C at 8:00", one, &[U1]);
    }
}

#[test]
fn paths_have_no_two_walks_in_a_row_and_do_not_leave_a_line_to_take_it_again() {
    let walks = Town::new(
        "1/T1 : A 8:00, B 8:10\n 2/U1 : D 8:30, E 8:40\n walk B C 100\n walk C D 100\n 3/V1 : C 7:00, X 7:10",
    );
    check(&walks, "A -> E by 8:40", one, &[]);
    let again = Town::new("1/T1 : A 8:00, B 8:10, C 8:20\n 1/T2 : A 8:30, B 8:40, C 8:50\n walk C B 100");
    let paths = again.ask("A -> C by 9:00", |r| r.num_itineraries = 9);
    assert!(paths.iter().all(|path| path.rides.len() == 1));
}

/// A timetable with rules for certain trips, `from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_trip_id,to_trip_id`.
fn with_trip_rules(timetable: &str, rows: &str) -> Town {
    Town::new(&format!(
        "days 20240610 20240610\n{timetable}\n\ntable transfers.txt\n\
         from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_trip_id,to_trip_id\n{rows}\n\n"
    ))
}

#[test]
fn an_earlier_rider_does_not_dominate_one_whom_rules_allow_more() {
    let two_ways_to = "1/T1 : A 8:00, B 8:10\n 3/V1 : A 8:01, B 8:11\n 2/U1 : B 8:12, C 8:20";
    let way = "8:01 A -[V1]-> B 8:11, 8:12 B -[U1]-> C 8:20";
    for rule in ["B,B,3,,T1,", "B,B,3,,T1,U1", "B,B,2,300,T1,", "B,B,3,,,U1\nB,B,2,0,V1,U1"] {
        check(&with_trip_rules(two_ways_to, rule), "A -> C at 8:00", one, &[way]);
        check(&with_trip_rules(two_ways_to, rule), "A -> C by 8:20", one, &[way]);
    }
    let two_ways_from = "1/T1 : A 8:00, B 8:10\n 2/U1 : B 8:12, C 8:20\n 3/V1 : B 8:11, C 8:19";
    let way = "8:00 A -[T1]-> B 8:10, 8:11 B -[V1]-> C 8:19";
    for rule in ["B,B,3,,,U1", "B,B,3,,T1,U1", "B,B,2,300,,U1"] {
        check(&with_trip_rules(two_ways_from, rule), "A -> C at 8:00", one, &[way]);
        check(&with_trip_rules(two_ways_from, rule), "A -> C by 8:20", one, &[way]);
    }
}

#[test]
fn riders_choose_among_vehicles_of_a_line_if_rules_name_them() {
    let change = "1/T1 : A 8:00, B 8:10\n 2/U1 : B 8:12, C 8:20, D 8:30\n 2/U2 : B 8:13, C 8:21, D 8:31\n 3/V1 : C 8:22, E 8:30";
    let timed = with_trip_rules(change, "B,B,1,,,U2");
    check(&timed, "A -> D at 8:00", one, &["8:00 A -[T1]-> B 8:10, 8:13 B -[U2]-> D 8:31"]);
    assert_eq!(timed.ask("A -> D at 8:00", one)[0].weight, 31.0 * 60.0 + 1200.0);
    let forbidden = with_trip_rules(change, "C,C,3,,U1,V1");
    let way = "8:00 A -[T1]-> B 8:10, 8:13 B -[U2]-> C 8:21, 8:22 C -[V1]-> E 8:30";
    check(&forbidden, "A -> E at 8:00", one, &[way]);
    check(&forbidden, "A -> E by 8:30", one, &[way]);
}

/// With the penalty of other transfers, the change would cost more than staying in the vehicle.
#[test]
fn a_transfer_is_tried_that_is_preferred_for_certain_trips_only() {
    let lines = "1/T1 : A 8:00, B 8:10, C 9:00\n 2/U1 : B 8:10, C 8:48";
    let way = "8:00 A -[T1]-> B 8:10, 8:10 B -[U1]-> C 8:48";
    for rule in ["B,B,0,,T1,", "B,B,0,,,U1", "B,B,1,,T1,U1", "B,B,0,,,"] {
        check(&with_trip_rules(lines, rule), "A -> C at 8:00", one, &[way]);
    }
    check(&with_trip_rules(lines, "A,A,0,,,"), "A -> C at 8:00", one, &["8:00 A -[T1]-> C 9:00"]);
}

#[test]
fn rules_apply_to_vehicles_without_fixed_times() {
    let headway = |timetable: &str, rule: &str| {
        with_trip_rules(
            &format!(
                "{timetable}\n\ntable frequencies.txt\ntrip_id,start_time,end_time,headway_secs\nH1,8:00:00,9:00:00,600"
            ),
            rule,
        )
    };
    let before = "1/T1 : A 8:00, B 8:10\n 2/H1 : B 0:00, C 0:08";
    for (rule, way) in [
        ("B,B,2,720,,H1", &["8:00 A -[T1]-> B 8:10, 8:32 B -[H1]-> C 8:40"][..]),
        ("B,B,2,720,T1,", &["8:00 A -[T1]-> B 8:10, 8:32 B -[H1]-> C 8:40"]),
        ("B,B,3,,T1,H1", &[]),
        ("A,A,3,,T1,H1", &["8:00 A -[T1]-> B 8:10, 8:20 B -[H1]-> C 8:28"]),
    ] {
        check(&headway(before, rule), "A -> C at 8:00", one, way);
    }
    // Arriving by a time, a vehicle may come up to a headway after the stated time.
    let after = "1/T1 : B 8:40, C 8:48\n 2/H1 : A 0:00, B 0:08";
    for (rule, way) in [
        ("B,B,2,720,H1,", &["8:10 A -[H1]-> B 8:18, 8:40 B -[T1]-> C 8:48"][..]),
        ("B,B,2,720,,T1", &["8:10 A -[H1]-> B 8:18, 8:40 B -[T1]-> C 8:48"]),
        ("B,B,3,,H1,T1", &[]),
    ] {
        check(&headway(after, rule), "A -> C by 8:48", one, way);
    }
}

/// Where riding costs more than waiting, the later vehicle from B is the cheaper one, though an earlier one is reached.
#[test]
fn people_leave_later_though_they_do_not_move_all_waits() {
    let town = Town::new(
        "days 20240610 20240610
        1/T1 : A 8:00, B 8:10
        1/T2 : A 8:40, B 8:50
        2/U1 : B 9:00, C 9:20
        2/U2 : B 9:30, C 9:40
        3/V1 : C 10:00, D 10:10",
    );
    let cheap_waits = |request: &mut RoutingRequest| {
        (request.wait_reluctance, request.wait_at_beginning_factor) = (0.6, 0.6);
        request.num_itineraries = 1;
    };
    let way = "8:40 A -[T2]-> B 8:50, 9:30 B -[U2]-> C 9:40, 10:00 C -[V1]-> D 10:10";
    check(&town, "A -> D at 7:50", cheap_waits, &[way]);
    check(&town, "A -> D by 10:10", cheap_waits, &[way]);
}
