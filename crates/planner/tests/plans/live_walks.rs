//! Walks between vehicles to and from the stops of trips that live data adds or changes.

use trestle_engine::realtime::messages::{StopTimeEvent, StopTimeUpdate, TripUpdate};

use super::live::{call, extra, under, update};
use super::live_message::STREET;
use super::town::Town;

/// Line R from A to C, line S from C to D and back. E is 42 m from C, and only live data serves it.
const TWO_LINES: &str = "
    stop A 41 -8.000
    stop C 41 -7.9700
    stop E 41 -7.9705
    stop D 41 -7.950
    route R 3
    route S 3
    service WK 20240101 20241231 1111111
    trip T R WK : A 7:00:00, C 7:10:00
    trip U S WK : C 8:30:00, D 8:40:00
    trip V S WK : D 9:00:00, C 9:10:00
";

#[test]
fn riders_walk_to_and_from_stops_that_only_live_data_serves() {
    let town = Town::new(STREET, TWO_LINES);
    let (there, back) = ("n1 -> n4 at 7:50", "n4 -> n1 by 10:00");
    let times = ["8:00", "8:20", "9:20", "9:40"].map(|time| town.epoch(time));
    let calls = ["A", "E", "E", "A"].into_iter().zip(times).map(|(stop, time)| call(stop, time)).collect();
    let (town, _) = under(town, vec![extra(calls)]);
    let out = "7:59:59 bus extra A 8:00 - E 8:20, walk 42 m, bus U C 8:30 - D 8:40, 8:40:01";
    let home = "8:59:59 bus V D 9:00 - C 9:10, walk 42 m, bus extra E 9:20 - A 9:40, 9:40:01";
    assert_eq!([there, back].map(|question| town.ask(question)), [out, home]);
    let by_schedule = |question: &str| town.plan(question, |r| r.ignore_realtime = true);
    let planned = [there, back].map(by_schedule);
    assert!(planned.iter().all(|plan| !plan.contains("extra")), "{planned:?}");
    // The next message has no such trip any more.
    let (town, _) = under(town, vec![]);
    assert!(town.snapshot.overlay.as_ref().unwrap().transfers.is_none());
    assert_eq!([there, back].map(|question| town.ask(question)), planned);
}

#[test]
fn riders_walk_between_two_stops_that_only_live_data_serves() {
    // Without streets. From E to F it is 42 m.
    let feed = "
        stop A 41 -8.000
        stop E 41 -7.9700
        stop F 41 -7.9705
        stop D 41 -7.950
        route R 3
        service WK 20240101 20241231 1111111
        trip T R WK : A 7:00:00, D 7:10:00
    ";
    let town = Town::new("", feed);
    let calls = |calls: [(&str, &str); 2]| calls.map(|(stop, time)| call(stop, town.epoch(time))).to_vec();
    let first = extra(calls([("A", "8:00"), ("E", "8:20")]));
    let mut second = extra(calls([("F", "8:30"), ("D", "8:40")]));
    second.trip.as_mut().unwrap().trip_id = Some("second".to_owned());
    let (town, report) = under(town, vec![first, second]);
    assert_eq!((report.added, report.rejected), (2, 0), "{:?}", report.issues.issues());
    let change = "8:00 bus extra A 8:00 - E 8:20, walk 42 m, bus second F 8:30 - D 8:40, 8:40";
    assert_eq!(town.ask("A -> D at 7:50"), change);
}

/// A line that ends at X, from where it is 42 m to P and 126 m to Q.
const LINE_TO_X: &str = "
    stop A 41 -8.000
    stop X 41 -7.9800
    stop P 41 -7.9795
    stop Q 41 -7.9785
    stop D 41 -7.950
    route R 3
    route S 3
    service WK 20240101 20241231 1111111
    trip T R WK : A 8:00:00, X 8:20:00
";

#[test]
fn riders_walk_on_past_a_stop_that_a_vehicle_skips() {
    let town = Town::new(STREET, &format!("{LINE_TO_X} trip U S WK : P 8:30:00, Q 8:32:00, D 8:45:00"));
    let question = "n1 -> n4 at 7:50";
    let usual = "7:59:59 bus T A 8:00 - X 8:20, walk 42 m, bus U P 8:30 - D 8:45, 8:45:01";
    assert_eq!(town.ask(question), usual);
    let on_time = Some(StopTimeEvent { delay: Some(0), ..StopTimeEvent::default() });
    let skipped = StopTimeUpdate { stop_sequence: Some(1), relationship: Some(1), ..Default::default() };
    let second = StopTimeUpdate { stop_sequence: Some(2), departure: on_time, ..Default::default() };
    let (town, report) =
        under(town, vec![TripUpdate { calls: vec![skipped, second], ..update("U", None, None) }]);
    assert_eq!((report.modified, report.rejected), (1, 0), "{:?}", report.issues.issues());
    let longer = "7:59:59 bus T A 8:00 - X 8:20, walk 126 m, bus U Q 8:32 - D 8:45, 8:45:01";
    assert_eq!(town.ask(question), longer);
}

#[test]
fn riders_walk_past_a_stop_to_which_a_pathway_leads() {
    // From X to P in 20 minutes.
    let pathway = "
        table pathways.txt
        pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time
        w,X,P,1,1,1200

    ";
    let with = |trip: &str| Town::new(STREET, &format!("{LINE_TO_X}{trip}{pathway}"));
    let there = "7:59:59 bus T A 8:00 - X 8:20, walk 126 m, bus extra Q 8:32 - D 8:45, 8:45:01";
    let question = "n1 -> n4 at 7:50";
    assert_eq!(with("trip extra S WK : P 8:30:00, Q 8:32:00, D 8:45:00").ask(question), there);
    let town = with("");
    let calls = [("P", "8:30"), ("Q", "8:32"), ("D", "8:45")];
    let calls = calls.map(|(stop, time)| call(stop, town.epoch(time))).to_vec();
    assert_eq!(under(town, vec![extra(calls)]).0.ask(question), there);
}
