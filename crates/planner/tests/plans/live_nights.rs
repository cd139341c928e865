//! Live data of trips past midnight, and updates that do not say their day.

use trestle_engine::build::BuildOptions;
use trestle_engine::realtime::messages::{
    FeedEntity, StopTimeEvent, StopTimeUpdate, TripDescriptor, TripUpdate,
};
use trestle_engine::realtime::{TripUpdateOptions, TripUpdateReport};

use super::live_message::{STREET, after_entities, after_message, whole_feed};
use super::town::Town;

/// A trip through the night, and one of an hour.
const LINE: &str = "
    stop A 41 -8.000
    stop B 41 -7.990
    stop C 41 -7.970
    stop D 41 -7.950
    route R 3
    service WK 20240101 20241231 1111111
    trip NIGHT R WK : A 20:00:00, B 22:00:00, C 34:30:00, D 35:00:00
    trip DAY R WK : A 12:00:00, B 12:20:00, C 12:40:00, D 13:00:00
";

const CANCELED: Option<i32> = Some(3);
const ADDED: Option<i32> = Some(1);

/// An update of a trip on a day that it does not say.
fn undated(trip: &str, relationship: Option<i32>, calls: Vec<StopTimeUpdate>) -> TripUpdate {
    let descriptor = TripDescriptor {
        trip_id: Some(trip.to_owned()),
        route_id: Some("R".to_owned()),
        relationship,
        ..TripDescriptor::default()
    };
    TripUpdate { trip: Some(descriptor), calls, ..TripUpdate::default() }
}

fn dated(mut update: TripUpdate, date: &str) -> TripUpdate {
    update.trip.as_mut().unwrap().start_date = Some(date.to_owned());
    update
}

fn call(stop: &str, time: i64) -> StopTimeUpdate {
    let event = StopTimeEvent { time: Some(time), ..StopTimeEvent::default() };
    StopTimeUpdate { stop_id: Some(stop.to_owned()), arrival: Some(event), ..StopTimeUpdate::default() }
}

fn skipped(stop: &str) -> StopTimeUpdate {
    StopTimeUpdate { stop_id: Some(stop.to_owned()), relationship: Some(1), ..StopTimeUpdate::default() }
}

/// The town after one more message, which changes only the trips that it names.
fn after(town: Town, now: i64, updates: Vec<TripUpdate>) -> (Town, TripUpdateReport) {
    after_message(town, &TripUpdateOptions { differential: true, ..whole_feed(now) }, updates)
}

/// The days of trips that the schedule has and live data changes.
fn days(town: &Town) -> Vec<String> {
    town.snapshot.overlay.as_ref().unwrap().scheduled.keys().map(|(_, date)| date.to_string()).collect()
}

#[test]
fn an_undated_update_is_for_the_run_that_is_near_its_times() {
    let town = || Town::new(STREET, LINE);
    // At half past ten, last night's vehicle is nearer to its end than tonight's is to its start.
    let (now, late) = (town().epoch("10:30"), town().epoch("10:40"));
    let (timed, report) = after(town(), now, vec![undated("NIGHT", None, vec![call("C", late)])]);
    assert_eq!((report.updated, report.rejected), (1, 0));
    assert_eq!(days(&timed), ["20240102"]);
    assert_eq!(timed.ask("C -> D at 10:35"), "10:40 bus NIGHT C 10:40 - D 11:10, 11:10");
    let delayed = TripUpdate { delay: Some(300), ..undated("NIGHT", None, Vec::new()) };
    assert_eq!(days(&after(town(), now, vec![delayed]).0), ["20240102"]);
    let canceled = undated("NIGHT", CANCELED, Vec::new());
    assert_eq!(days(&after(town(), now, vec![canceled]).0), ["20240103"]);
}

#[test]
fn an_undated_added_trip_is_of_the_day_of_its_first_call() {
    let town = Town::new(STREET, LINE);
    let at = |time: &str| town.epoch(time);
    let evening = vec![call("B", at("2024-01-02T23:50")), call("C", at("0:20")), call("D", at("0:40"))];
    let night = vec![call("C", at("0:21")), call("D", at("0:41"))];
    let (first, second) = (at("0:05"), at("0:15"));
    let (town, report) = after(town, first, vec![undated("extra", ADDED, evening)]);
    assert_eq!((report.added, report.rejected), (1, 0), "{:?}", report.issues.issues());
    let found = town.itineraries("C -> D at 0:10", |_| {}).unwrap();
    assert_eq!(found[0].legs[0].transit.as_ref().unwrap().service_date, "20240102");
    // The same vehicle, after it has passed its first call.
    let (town, _) = after(town, second, vec![undated("extra", ADDED, night)]);
    assert_eq!(town.snapshot.overlay.as_ref().unwrap().added.len(), 1);
    assert_eq!(town.ask("C -> D at 0:10"), "0:21 bus extra C 0:21 - D 0:41, 0:41");
}

#[test]
fn an_added_trip_before_the_service_day_begins() {
    // Clocks are put back in the night to 27 October 2024, so its service day begins at one.
    let town = Town::new(STREET, LINE);
    let at = |time: &str| town.epoch(&format!("2024-10-27T{time}"));
    let calls = vec![call("C", at("0:30")), call("D", at("0:50"))];
    let (now, extra) = (at("0:05"), undated("extra", ADDED, calls));
    for update in [extra.clone(), dated(extra, "20241027")] {
        let (town, report) = after(Town::new(STREET, LINE), now, vec![update]);
        assert_eq!((report.added, report.rejected), (1, 0), "{:?}", report.issues.issues());
        let leg = "0:30 bus extra C 0:30 - D 0:50, 0:50";
        assert_eq!(town.ask("C -> D at 2024-10-27T0:20"), leg);
        assert_eq!(town.ask("C -> D by 2024-10-27T0:55"), leg);
    }
}

#[test]
fn an_added_trip_passes_a_skipped_stop_without_times() {
    let town = Town::new(STREET, LINE);
    let (a, d) = (town.epoch("15:00"), town.epoch("15:30"));
    let calls = vec![call("A", a), skipped("B"), call("D", d)];
    let (town, report) = after(town, a - 600, vec![undated("extra", ADDED, calls)]);
    assert_eq!((report.added, report.rejected), (1, 0), "{:?}", report.issues.issues());
    assert_eq!(town.ask("A -> D at 14:50"), "15:00 bus extra A 15:00 - D 15:30, 15:30");
}

#[test]
fn a_trip_that_skips_a_stop_has_the_delay_of_the_trip() {
    let town = Town::new(STREET, LINE);
    let now = town.epoch("11:50");
    let late = TripUpdate { delay: Some(600), ..undated("DAY", None, vec![skipped("B")]) };
    let (town, report) = after(town, now, vec![late]);
    assert_eq!((report.modified, report.rejected), (1, 0));
    assert_eq!(town.ask("A -> D at 11:55"), "12:10 bus DAY A 12:10 - D 13:10, 13:10");
}

#[test]
fn an_id_that_two_feeds_have_is_the_trip_that_runs_or_that_of_the_route() {
    let line = |route: &str, days: &str, start: &str| {
        format!(
            "
            stop A 41 -8.000
            stop D 41 -7.950
            route {route} 3
            service S 20240101 20241231 {days}
            trip T {route} S : A {start}:00, D {start}:30
            "
        )
    };
    // The day of the questions is a Wednesday.
    let feeds = [line("R", "1101111", "8:00"), line("Q", "1111111", "9:00")];
    let built = || Town::built(STREET, &[&feeds[0], &feeds[1]], &BuildOptions::default());
    let canceled = |day: &str, route: Option<&str>| {
        let mut update = dated(undated("T", CANCELED, Vec::new()), day);
        update.trip.as_mut().unwrap().route_id = route.map(str::to_owned);
        let (town, report) = after(built(), built().epoch("7:00"), vec![update]);
        let overlay = town.snapshot.overlay.as_ref().unwrap();
        assert_eq!(overlay.scheduled.len(), report.canceled as usize);
        let (trip, _) = overlay.scheduled.keys().next()?;
        Some(town.snapshot.graph.timetable.trip_id(*trip))
    };
    let trip = |feed: usize| Some(format!("{feed}:T"));
    assert_eq!(canceled("20240103", None), trip(2));
    assert_eq!(canceled("20240104", None), trip(1));
    assert_eq!(canceled("20240104", Some("R")), trip(1));
    assert_eq!(canceled("20240104", Some("Q")), trip(2));
    assert_eq!(canceled("20240104", Some("other")), trip(1));
    assert_eq!(canceled("20240103", Some("R")), None);
}

#[test]
fn a_route_that_two_feeds_have_is_that_of_the_stops_or_of_the_start() {
    let feed = |stops: [&str; 2], start: &str| {
        let [first, last] = stops;
        format!(
            "
            stop {first} 41 -8.000
            stop {last} 41 -7.950
            route R 3
            service S 20240101 20241231 1111111
            trip T{start} R S direction_id=0 : {first} {start}:00:00, {last} {start}:30:00
            "
        )
    };
    let feeds = [feed(["A", "D"], "8"), feed(["X", "Y"], "9")];
    let built = || Town::built(STREET, &[&feeds[0], &feeds[1]], &BuildOptions::default());
    let at = |time: &str| built().epoch(time);
    let added =
        |stops: [&str; 2]| undated("E", ADDED, vec![call(stops[0], at("8:00")), call(stops[1], at("8:20"))]);
    for (stops, expected) in [(["A", "D"], "1"), (["X", "Y"], "2")] {
        let (town, report) = after(built(), at("7:00"), vec![added(stops)]);
        assert_eq!((report.added, report.rejected), (1, 0), "{stops:?}");
        let (timetable, overlay) = (&town.snapshot.graph.timetable, town.snapshot.overlay.as_ref().unwrap());
        assert_eq!(overlay.added[0].outer_id(timetable), format!("{expected}:E"));
        // What deletes a trip says no stops.
        let update = undated("E", ADDED, Vec::new());
        let gone = FeedEntity { is_deleted: Some(true), trip_update: Some(update), ..FeedEntity::default() };
        let options = TripUpdateOptions { differential: true, ..whole_feed(at("7:00")) };
        let (town, _) = after_entities(town, &options, vec![gone]);
        assert!(town.snapshot.overlay.as_ref().unwrap().added.is_empty(), "{stops:?}");
    }
    let descriptor = TripDescriptor {
        route_id: Some("R".to_owned()),
        direction_id: Some(0),
        start_time: Some("09:00:00".to_owned()),
        start_date: Some("20240103".to_owned()),
        relationship: CANCELED,
        ..TripDescriptor::default()
    };
    let update = TripUpdate { trip: Some(descriptor), ..TripUpdate::default() };
    let options = TripUpdateOptions { fuzzy_trip_matching: true, ..whole_feed(at("7:00")) };
    let (_, report) = after_message(built(), &options, vec![update]);
    assert_eq!((report.canceled, report.rejected), (1, 0));
}
