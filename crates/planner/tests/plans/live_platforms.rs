//! Stops that live data assigns to calls (`assigned_stop_id`). Plans are those of a feed with these stops in its tables.

use trestle_engine::index::stop_times::{StopTimes, Upcoming};
use trestle_engine::realtime::TripUpdateReport;
use trestle_engine::realtime::messages::{
    StopTimeEvent, StopTimeProperties, StopTimeUpdate, TripProperties, TripUpdate,
};
use trestle_model::itinerary::Leg;
use trestle_model::{RoutingRequest, ServiceDate};

use super::live::{under, update};
use super::live_message::STREET;
use super::town::Town;

pub(super) const LINE: &str = "
    stop A 41 -8.000 wheelchair_boarding=1
    stop A2 41.0005 -8.0002
    stop B 41 -7.990
    stop F 41 -7.9905
    stop G 41 -7.970 location_type=1
    stop C 41 -7.970 parent_station=G platform_code=1
    stop C2 41.0004 -7.9715 parent_station=G platform_code=2
    stop C3 41.0004 -7.9690 parent_station=G wheelchair_boarding=2
    stop GATE 41.0001 -7.970 parent_station=G location_type=2
    stop D 41 -7.950
    stop D2 41.0004 -7.9507
    route R 3
    service WK 20240101 20241231 1111111
    shape S : 41.0 -8.0, 41.001 -7.995, 41.0 -7.99, 41.002 -7.98, 41.0 -7.97, 41.001 -7.96, 41.0 -7.95
    trip T R WK shape_id=S block_id=X : A 8:00:00 stop_headsign=Up, B 8:05:00, C 8:15:00-8:16:00 stop_headsign=On, D 8:25:00
    trip ON R WK block_id=X : D 8:30:00, F 8:50:00
    trip LATER R WK shape_id=S : A 9:00:00, B 9:05:00, C 9:15:00, D 9:25:00
    trip LOOP R WK : C 10:00:00, B 10:10:00, C 10:20:00, D 10:30:00
    trip LAYOVER R WK : A 11:00:00, C 11:10:00, C3 11:15:00, D 11:25:00
    trip EVERY R WK shape_id=S : A 12:00:00, B 12:05:00, C 12:15:00, D 12:25:00
    table frequencies.txt
    trip_id,start_time,end_time,headway_secs,exact_times
    EVERY,13:00:00,14:00:00,1200,1
";

fn call(number: u32, assigned: &str) -> StopTimeUpdate {
    StopTimeUpdate {
        stop_sequence: Some(number),
        relationship: Some(2),
        properties: Some(StopTimeProperties {
            assigned_stop_id: Some(assigned.to_owned()),
            ..StopTimeProperties::default()
        }),
        ..StopTimeUpdate::default()
    }
}

pub(super) fn late(number: u32, assigned: &str, delay: i32) -> StopTimeUpdate {
    let event = Some(StopTimeEvent { delay: Some(delay), ..StopTimeEvent::default() });
    StopTimeUpdate { arrival: event, departure: event, relationship: None, ..call(number, assigned) }
}

fn skipped(number: u32, assigned: &str) -> StopTimeUpdate {
    StopTimeUpdate { relationship: Some(1), ..call(number, assigned) }
}

pub(super) fn moved(trip: &str, calls: Vec<StopTimeUpdate>) -> TripUpdate {
    TripUpdate { calls, ..update(trip, None, None) }
}

pub(super) fn town() -> Town {
    Town::new(STREET, LINE)
}

/// The legs of the best plan, without what only live data says.
pub(super) fn legs(town: &Town, question: &str) -> Vec<Leg> {
    let found = town.itineraries(question, |r| {
        (r.show_intermediate_stops, r.walk_reluctance) = (true, 10.0);
    });
    let mut legs = found.map_or_else(|code| panic!("{question}: {code:?}"), |found| found[0].legs.clone());
    for leg in &mut legs {
        (leg.real_time, leg.departure_delay, leg.arrival_delay) = (false, 0, 0);
    }
    legs
}

/// The first ride of the best plan.
fn ride(town: &Town, question: &str) -> Leg {
    legs(town, question).into_iter().find(|leg| leg.transit.is_some()).unwrap()
}

/// Checks that live data answers like the feed after a replacement of a text. Other trips stay as they are.
pub(super) fn check(updates: Vec<TripUpdate>, [text, by]: [&str; 2], questions: &[&str]) {
    let (live, report) = under(town(), updates);
    assert_eq!(report.rejected, 0, "{:?}", report.issues.issues());
    assert!(LINE.contains(text));
    let edited = Town::new(STREET, &LINE.replace(text, by));
    for question in questions {
        assert_eq!(live.ask(question), edited.ask(question), "{question}");
        assert_eq!(
            format!("{:#?}", legs(&live, question)),
            format!("{:#?}", legs(&edited, question)),
            "{question}"
        );
    }
}

const THERE_AND_BACK: [&str; 6] = [
    "n1 -> n4 at 7:50",
    "n1 -> n4 by 8:35",
    "n1 -> n3 at 7:50",
    "n1 -> n3 by 8:20",
    "n3 -> n4 at 8:10",
    "C2 -> D by 8:30",
];

#[test]
fn a_call_is_at_the_assigned_stop() {
    let text = ["C 8:15:00-8:16:00", "C2 8:15:00-8:16:00"];
    check(vec![moved("T", vec![call(3, "C2")])], text, &THERE_AND_BACK);
    let [live, scheduled] = [under(town(), vec![moved("T", vec![call(3, "C2")])]).0, town()];
    let [now, before] = [&live, &scheduled].map(|town| ride(town, "n1 -> n3 at 7:50"));
    assert_eq!((now.to.stop_id.as_deref(), now.to.stop_sequence), (Some("1:C2"), Some(3)));
    assert_ne!(now.geometry, before.geometry, "it ends earlier");
    assert_eq!(
        live.ask("n1 -> n3 at 8:50"),
        scheduled.ask("n1 -> n3 at 8:50"),
        "the next trip is where it was"
    );
}

#[test]
fn the_first_and_the_last_call_are_at_other_stops() {
    let calls = vec![call(1, "A2"), call(4, "D2")];
    let live = under(town(), vec![moved("T", calls)]).0;
    let edited = LINE.replace("A 8:00:00", "A2 8:00:00").replace("D 8:25:00", "D2 8:25:00");
    let edited = Town::new(STREET, &edited);
    for question in THERE_AND_BACK {
        assert_eq!(live.ask(question), edited.ask(question), "{question}");
    }
    let accessible = |r: &mut RoutingRequest| r.wheelchair = true;
    assert_eq!(live.plan("A -> D2 at 7:50", accessible), edited.plan("A -> D2 at 7:50", accessible));
}

#[test]
fn neighbouring_calls_are_at_other_stops_and_late() {
    let text = "B 8:05:00, C 8:15:00-8:16:00 stop_headsign=On, D 8:25:00";
    let by = "B 8:07:00, C2 8:17:00-8:18:00 stop_headsign=On, D2 8:26:00";
    let calls = vec![late(1, "A", 0), late(2, "B", 120), late(3, "C2", 120), late(4, "D2", 60)];
    let questions = [&THERE_AND_BACK[..], &["n2 -> n4 at 8:05", "n2 -> n4 by 8:40"]].concat();
    check(vec![moved("T", calls)], [text, by], &questions);
}

#[test]
fn a_call_is_skipped_and_another_one_moved() {
    let text = ["B 8:05:00, C 8:15:00-8:16:00", "C3 8:15:00-8:16:00"];
    let live = under(town(), vec![moved("T", vec![skipped(2, "nowhere"), call(3, "C3")])]);
    assert_eq!((live.1.modified, live.1.rejected), (1, 0));
    let edited = Town::new(STREET, &LINE.replace(text[0], text[1]));
    for question in THERE_AND_BACK {
        assert_eq!(live.0.ask(question), edited.ask(question), "{question}");
    }
    let between = ride(&live.0, "n1 -> n4 at 7:50").intermediate_stops.unwrap();
    assert_eq!(between.iter().map(|place| place.stop_id.as_deref()).collect::<Vec<_>>(), [Some("1:C3")]);
}

#[test]
fn of_two_calls_at_one_stop_only_one_is_moved() {
    let questions = ["n3 -> n2 at 9:50", "n2 -> n3 at 10:05", "n2 -> n3 by 10:25", "n2 -> n4 at 10:05"];
    for (number, by) in [
        (1, "C2 10:00:00, B 10:10:00, C 10:20:00, D 10:30:00"),
        (3, "C 10:00:00, B 10:10:00, C2 10:20:00, D 10:30:00"),
    ] {
        let text = ["C 10:00:00, B 10:10:00, C 10:20:00, D 10:30:00", by];
        check(vec![moved("LOOP", vec![call(number, "C2")])], text, &questions);
        // Some feeds write the assigned stop twice.
        let twice = StopTimeUpdate { stop_id: Some("C2".to_owned()), ..call(number, "C2") };
        check(vec![moved("LOOP", vec![twice])], text, &questions);
    }
}

#[test]
fn the_stop_of_another_call_is_assigned() {
    let text = ["C 11:10:00, C3 11:15:00", "C 11:10:00, C 11:15:00"];
    let to_first = StopTimeUpdate { stop_id: Some("C".to_owned()), ..call(3, "C") };
    let (live, report) = under(town(), vec![moved("LAYOVER", vec![call(2, "C"), to_first])]);
    assert_eq!((report.modified, report.rejected), (1, 0), "{:?}", report.issues.issues());
    let edited = Town::new(STREET, &LINE.replace(text[0], text[1]));
    for question in ["n1 -> n3 at 10:50", "n1 -> n3 by 11:12", "n3 -> n4 at 11:12", "n1 -> n4 at 10:50"] {
        assert_eq!(live.ask(question), edited.ask(question), "{question}");
    }
    assert!(live.ask("n3 -> n4 at 11:08").contains("C 11:15 - D 11:25"));
}

#[test]
fn riders_stay_seated_at_other_platforms() {
    let calls = |trip: &str, number| moved(trip, vec![call(number, "D2")]);
    for (updates, text, by) in
        [(vec![calls("T", 4)], "D 8:25:00", "D2 8:25:00"), (vec![calls("ON", 1)], "D 8:30:00", "D2 8:30:00")]
    {
        let (live, _) = under(town(), updates);
        let edited = Town::new(STREET, &LINE.replace(text, by));
        for question in ["n3 -> n2 at 8:10", "n3 -> n2 by 8:55"] {
            let legs = [&live, &edited].map(|town| legs(town, question));
            assert_eq!(format!("{:#?}", legs[0]), format!("{:#?}", legs[1]));
            let stays = |leg: &Leg| leg.transit.as_ref().is_some_and(|ride| ride.interline_with_previous);
            assert!(legs[0].iter().any(stays), "{}", live.ask(question));
        }
    }
}

#[test]
fn a_run_of_a_frequency_trip_and_a_copy() {
    let run = TripUpdate { calls: vec![call(3, "C2")], ..update("EVERY", Some("13:20:00"), None) };
    let properties = TripProperties {
        trip_id: Some("copy".to_owned()),
        start_date: Some("20240103".to_owned()),
        start_time: Some("15:00:00".to_owned()),
        headsign: None,
        ..TripProperties::default()
    };
    let copy =
        TripUpdate { calls: vec![call(3, "C2")], properties: Some(properties), ..update("T", None, Some(6)) };
    let (live, report) = under(town(), vec![run, copy]);
    assert_eq!((report.modified, report.added, report.rejected), (1, 1, 0), "{:?}", report.issues.issues());
    for (question, expected) in [
        ("n1 -> n3 at 13:10", "A 13:20 - C2 13:35"),
        ("n1 -> n3 at 13:30", "A 13:40 - C 13:55"),
        ("n1 -> n3 at 14:50", "A 15:00 - C2 15:15"),
    ] {
        assert!(live.ask(question).contains(expected), "{}", live.ask(question));
    }
}

#[test]
fn trips_of_live_data_alone() {
    let calls = |town: &Town, hour: &str| -> Vec<StopTimeUpdate> {
        let event = |minute: &str| {
            Some(StopTimeEvent {
                time: Some(town.epoch(&format!("{hour}:{minute}"))),
                ..StopTimeEvent::default()
            })
        };
        let timed = |call: StopTimeUpdate, minute: &str| StopTimeUpdate {
            stop_sequence: None,
            relationship: None,
            departure: event(minute),
            ..call
        };
        let named = StopTimeUpdate { stop_id: Some("C".to_owned()), ..call(2, "C2") };
        vec![timed(call(1, "A2"), "00"), timed(named, "20")]
    };
    let plain = town();
    let mut added = update("new", None, Some(8));
    added.trip.as_mut().unwrap().route_id = Some("R".to_owned());
    added.calls = calls(&plain, "16");
    let replaced = TripUpdate { calls: calls(&plain, "17"), ..update("T", None, Some(5)) };
    let (live, report) = under(plain, vec![added, replaced]);
    assert_eq!((report.added, report.modified, report.rejected), (1, 1, 0), "{:?}", report.issues.issues());
    assert!(live.ask("n1 -> n3 at 15:50").contains("A2 16:00 - C2 16:20"));
    assert!(live.ask("n1 -> n3 at 16:50").contains("A2 17:00 - C2 17:20"));
}

/// The report about an update of T, and what is planned under it.
fn refused(calls: Vec<StopTimeUpdate>) -> (TripUpdateReport, String) {
    let (live, report) = under(town(), vec![moved("T", calls)]);
    (report, live.ask("n1 -> n3 at 7:50"))
}

#[test]
fn a_stop_that_is_not_a_platform_of_the_station_is_refused() {
    let scheduled = town().ask("n1 -> n3 at 7:50");
    for (assigned, code) in [
        ("none", "unknown-assigned-stop"),
        ("G", "assigned-stop-not-boardable"),
        ("GATE", "assigned-stop-not-boardable"),
        ("B", "assigned-stop-elsewhere"),
    ] {
        let (report, plan) = refused(vec![late(3, assigned, 300)]);
        let codes: Vec<_> = report.issues.issues().iter().map(|issue| issue.code).collect();
        assert_eq!((report.rejected, codes), (1, vec![code]), "{assigned}");
        assert_eq!(plan, scheduled);
    }
    let (report, plan) = refused(vec![late(1, "", 300), late(3, "C", 300), late(4, "D", 300)]);
    assert_eq!((report.updated, report.modified, report.rejected), (1, 0, 0), "nothing else is assigned");
    assert!(plan.contains("C 8:20"), "{plan}");
}

#[test]
fn the_next_message_counts() {
    let scheduled = town().ask("n1 -> n3 at 7:50");
    let (live, _) = under(town(), vec![moved("T", vec![call(3, "C2")])]);
    assert!(live.ask("n1 -> n3 at 7:50").contains("C2 8:15"));
    let (live, _) = under(live, vec![moved("T", vec![call(3, "C3")])]);
    assert!(live.ask("n1 -> n3 at 7:50").contains("C3 8:15"));
    let (live, report) = under(live, vec![moved("T", vec![late(3, "C", 0)])]);
    assert_eq!((report.updated, report.modified), (1, 0));
    assert_eq!(live.ask("n2 -> n4 at 8:06"), town().ask("n2 -> n4 at 8:06"));
    let (live, _) = under(live, vec![moved("T", vec![call(3, "C2")])]);
    let (live, _) = under(live, vec![update("T", None, Some(3))]);
    assert!(live.snapshot.overlay.as_ref().unwrap().added.is_empty());
    assert!(live.ask("n1 -> n3 at 7:50").contains("A 9:00"));
    let (live, _) = under(live, vec![]);
    assert_eq!(live.ask("n1 -> n3 at 7:50"), scheduled);
}

#[test]
fn a_start_inside_a_vehicle_that_uses_another_platform() {
    let (live, _) = under(town(), vec![moved("T", vec![call(3, "C2")])]);
    let edited = Town::new(STREET, &LINE.replace("C 8:15:00-8:16:00", "C2 8:15:00-8:16:00"));
    let aboard = |r: &mut RoutingRequest| r.start_transit_trip = Some("1:T".to_owned());
    for question in ["41.0008,-7.976 -> n4 at 8:10", "41.0002,-7.969 -> n4 at 8:17"] {
        assert_eq!(live.plan(question, aboard), edited.plan(question, aboard), "{question}");
    }
}

#[test]
fn banned_stops_are_those_that_are_used() {
    let (live, _) = under(town(), vec![moved("T", vec![call(3, "C2")])]);
    let edited = Town::new(STREET, &LINE.replace("C 8:15:00-8:16:00", "C2 8:15:00-8:16:00"));
    for stop in ["1:C", "1:C2"] {
        let ban = |r: &mut RoutingRequest| r.banned_stops = vec![stop.to_owned()];
        let question = "n1 -> n3 at 7:50";
        assert_eq!(live.plan(question, ban), edited.plan(question, ban), "{stop}");
    }
}

#[test]
fn departures_are_listed_at_the_assigned_stop() {
    let (live, _) = under(town(), vec![moved("T", vec![late(3, "C2", 60)])]);
    let timetable = &live.snapshot.graph.timetable;
    let departures = |stop: &str| -> Vec<(i32, i32, u32)> {
        let stop = timetable.stop_by_id(&format!("1:{stop}")).unwrap();
        let wanted =
            Upcoming { from: live.epoch("8:10"), range: 600, per_pattern: 9, omit_non_pickups: false };
        let groups = StopTimes::new(&live.snapshot).upcoming(stop, wanted);
        let calls = groups.iter().flat_map(|group| &group.calls);
        calls.map(|call| (call.scheduled_departure, call.realtime_departure, call.sequence)).collect()
    };
    assert_eq!(departures("C2"), [(29_760, 29_820, 3)]);
    assert!(departures("C").iter().all(|call| call.0 > 30_000), "{:?}", departures("C"));
    let trip = timetable.trip_by_id("1:T").unwrap();
    let day = ServiceDate::parse_compact("20240103").unwrap();
    let stops = |day| {
        let calls = StopTimes::new(&live.snapshot).of_trip_on(trip, day).calls;
        calls.iter().map(|call| timetable.stop_id(call.stop)).collect::<Vec<_>>()
    };
    assert_eq!(stops(day), ["1:A", "1:B", "1:C2", "1:D"]);
    assert_eq!(stops(day.plus(1)), ["1:A", "1:B", "1:C", "1:D"]);
}
