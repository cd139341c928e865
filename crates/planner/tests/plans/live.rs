//! Live data of scheduled trips, and of single runs of frequency trips.

use trestle_engine::realtime::messages::{
    EncodedShape, FeedEntity, StopTimeEvent, StopTimeUpdate, TripDescriptor, TripProperties, TripUpdate,
};
use trestle_engine::realtime::{TripUpdateOptions, TripUpdateReport};
use trestle_model::RoutingRequest;
use trestle_model::polyline::{decode, encode};

use super::live_message::{STREET, after_entities, after_message, whole_feed};
use super::town::Town;

const LINE: &str = "
    stop A 41 -8.000
    stop B 41 -7.990
    stop C 41 -7.970
    stop D 41 -7.950
    route R 3
    service WK 20240101 20241231 1111110
    trip T R WK : A 8:00:00, B 8:05:00, C 8:15:00, D 8:25:00
";

const DAY: &str = "20240103";

/// A trip update about a trip, or a run of it, on the day of the plans.
pub(super) fn update(trip: &str, start_time: Option<&str>, relationship: Option<i32>) -> TripUpdate {
    TripUpdate {
        trip: Some(TripDescriptor {
            trip_id: Some(trip.to_owned()),
            start_date: Some(DAY.to_owned()),
            start_time: start_time.map(str::to_owned),
            relationship,
            ..TripDescriptor::default()
        }),
        ..TripUpdate::default()
    }
}

/// The second call is skipped, and the first is a minute late.
fn skipping(trip: &str) -> TripUpdate {
    let late = StopTimeEvent { delay: Some(60), ..StopTimeEvent::default() };
    let first = StopTimeUpdate { stop_sequence: Some(1), departure: Some(late), ..StopTimeUpdate::default() };
    let second =
        StopTimeUpdate { stop_sequence: Some(2), relationship: Some(1), ..StopTimeUpdate::default() };
    TripUpdate { calls: vec![first, second], ..update(trip, None, None) }
}

/// The town with live data at eight, and the report of the message.
pub(super) fn under(town: Town, updates: Vec<TripUpdate>) -> (Town, TripUpdateReport) {
    let now = town.epoch("8:00");
    under_at(town, now, false, updates)
}

fn under_at(
    town: Town,
    now: i64,
    purge_expired_data: bool,
    updates: Vec<TripUpdate>,
) -> (Town, TripUpdateReport) {
    after_message(town, &TripUpdateOptions { purge_expired_data, ..whole_feed(now) }, updates)
}

#[test]
fn a_trip_that_skips_a_call_keeps_its_delay_and_its_positions() {
    let (town, _) = under(Town::new(STREET, LINE), vec![skipping("T")]);
    let found = town.itineraries("n1 -> n4 at 7:50", |r| r.show_intermediate_stops = true).unwrap();
    let leg = found[0].legs.iter().find(|leg| leg.transit.is_some()).unwrap();
    assert_eq!((leg.departure_delay, leg.arrival_delay, leg.real_time), (60, 60, true));
    let between = leg.intermediate_stops.as_ref().unwrap().iter().map(|place| place.stop_index);
    assert_eq!(between.collect::<Vec<_>>(), [Some(2)], "the vehicle does not call at the second stop");
    assert_eq!((leg.from.stop_sequence, leg.to.stop_sequence), (Some(1), Some(4)));
    assert_eq!(leg.transit.as_ref().unwrap().trip_id, "1:T");
}

#[test]
fn events_without_a_delay_and_a_time_say_nothing() {
    let nothing = Some(StopTimeEvent::default());
    let zero = Some(StopTimeEvent { time: Some(0), ..StopTimeEvent::default() });
    let call = |number: u32| StopTimeUpdate { stop_sequence: Some(number), ..StopTimeUpdate::default() };
    for [arrival, departure] in [[nothing, nothing], [None, nothing], [zero, None], [None, None]] {
        let TripUpdate { calls, .. } = skipping("T");
        let calls = vec![calls[0].clone(), StopTimeUpdate { arrival, departure, ..call(3) }];
        let (town, report) =
            under(Town::new(STREET, LINE), vec![TripUpdate { calls, ..update("T", None, None) }]);
        let codes: Vec<_> = report.issues.issues().iter().map(|issue| issue.code).collect();
        assert_eq!((report.updated, report.rejected, codes), (1, 0, vec!["empty-event"]));
        let found = town.itineraries("n1 -> n4 at 7:50", |_| {}).unwrap();
        let leg = found[0].legs.iter().find(|leg| leg.transit.is_some()).unwrap();
        assert_eq!((leg.departure_delay, leg.arrival_delay), (60, 60), "{arrival:?} {departure:?}");
    }
    // Alone, they leave the trip to the schedule, or to its own delay.
    for (delay, expected) in [(None, 0), (Some(90), 90)] {
        let calls = vec![StopTimeUpdate { departure: nothing, ..call(1) }];
        let (town, _) =
            under(Town::new(STREET, LINE), vec![TripUpdate { calls, delay, ..update("T", None, None) }]);
        let found = town.itineraries("n1 -> n4 at 7:50", |_| {}).unwrap();
        let leg = found[0].legs.iter().find(|leg| leg.transit.is_some()).unwrap();
        assert_eq!((leg.departure_delay, leg.arrival_delay), (expected, expected));
    }
    let (_, report) = under(Town::new(STREET, LINE), vec![skipping("T")]);
    assert!(report.issues.issues().is_empty(), "a call that is skipped needs no events");
    let calls = vec![StopTimeUpdate { departure: nothing, ..call(1) }];
    let (_, report) = under(Town::new(STREET, LINE), vec![TripUpdate { calls, ..update("X", None, None) }]);
    assert_eq!((report.rejected, report.issues.issues().len()), (1, 1), "only why it was rejected");
}

#[test]
fn a_start_inside_a_vehicle_that_skips_a_call() {
    let aboard = |r: &mut RoutingRequest| r.start_transit_trip = Some("1:T".to_owned());
    let (town, _) = under(Town::new(STREET, LINE), vec![skipping("T")]);
    // Half way between B and C; the rider cannot leave before.
    assert_eq!(town.plan("41.0,-7.98 -> n3 at 8:10", aboard), "8:10 bus T on board 8:10 - C 8:15, 8:15:01");
    let (canceled, _) = under(Town::new(STREET, LINE), vec![update("T", None, Some(3))]);
    assert_eq!(canceled.plan("41.0,-7.98 -> n3 at 8:10", aboard), "SystemError");
}

/// Minutes after eight at which the vehicle leaves that takes someone who sets out then.
fn departure(town: &Town, time: &str) -> i64 {
    let found = town.itineraries(&format!("n1 -> n4 at {time}"), |_| {}).unwrap();
    let leg = found[0].legs.iter().find(|leg| leg.transit.is_some()).unwrap();
    (leg.start_time / 1000 - town.epoch("8:00")) / 60
}

#[test]
fn a_run_of_a_frequency_trip_is_addressed_by_its_start() {
    for exact in [1, 0] {
        let rows = format!(
            "{LINE}\ntable frequencies.txt\ntrip_id,start_time,end_time,headway_secs,exact_times\n\
             T,8:00:00,10:00:00,600,{exact}\n\n"
        );
        let town = || Town::new(STREET, &rows);
        let canceled = update("T", Some("08:20:00"), Some(3));
        let (under_it, report) = under(town(), vec![canceled]);
        assert_eq!((report.canceled, report.rejected), (1, 0));
        // Nobody leaves between 8:20 and 8:30; all other runs stay.
        assert!((30..=31).contains(&departure(&under_it, "8:21")), "{exact}");
        assert!(departure(&under_it, "8:01") < 20);
        let late = TripUpdate { delay: Some(180), ..update("T", Some("08:20:00"), None) };
        let (under_it, report) = under(town(), vec![late]);
        assert_eq!((report.updated, report.rejected), (1, 0));
        assert_eq!(departure(&under_it, "8:21"), 23);
        let unknown = TripUpdate { delay: Some(180), ..update("T", None, None) };
        let (_, report) = under(town(), vec![unknown, update("T", Some("10:00:00"), Some(3))]);
        assert_eq!((report.updated, report.canceled, report.rejected), (0, 0, 2));
    }
}

#[test]
fn two_sources_about_runs_of_one_trip_neither_lose_nor_double_one() {
    let rows = format!(
        "{LINE}\ntable frequencies.txt\ntrip_id,start_time,end_time,headway_secs,exact_times\n\
         T,8:00:00,10:00:00,600,1\n\n"
    );
    let from = |source: u32, town: Town, entities: Vec<FeedEntity>| {
        let options = TripUpdateOptions { source, ..whole_feed(town.epoch("8:00")) };
        let (town, report) = after_entities(town, &options, entities);
        assert_eq!(report.rejected, 0);
        town
    };
    let told = |update: TripUpdate| vec![FeedEntity { trip_update: Some(update), ..FeedEntity::default() }];
    // The vehicle of 8:20 leaves at 8:23 and passes the second stop.
    let late = Some(StopTimeEvent { delay: Some(180), ..StopTimeEvent::default() });
    let mut skipping = TripUpdate { trip: update("T", Some("08:20:00"), None).trip, ..skipping("T") };
    skipping.calls[0].departure = late;
    let canceled = || told(update("T", Some("08:40:00"), Some(3)));
    let town = from(1, Town::new(STREET, &rows), told(skipping));
    let town = from(2, town, canceled());
    assert_eq!([departure(&town, "8:21"), departure(&town, "8:31")], [23, 50]);
    let town = from(1, town, vec![]);
    assert_eq!(departure(&town, "8:11"), 23, "the replacement of the run is there as long as the run is not");
    let town = from(2, town, canceled());
    assert_eq!([departure(&town, "8:11"), departure(&town, "8:21")], [20, 30], "and no longer");
    assert_eq!(departure(&town, "8:31"), 50);
    // An update that is taken back leaves nothing.
    let taken_back = canceled().into_iter().map(|entity| FeedEntity { is_deleted: Some(true), ..entity });
    let town = from(3, town, taken_back.collect());
    assert_eq!(departure(&town, "8:31"), 40);
    let overlay = town.snapshot.overlay.as_deref().unwrap();
    assert_eq!((overlay.runs.len(), overlay.added.len(), overlay.sources.len()), (0, 0, 0));
}

#[test]
fn no_trip_runs_on_a_day_without_service_because_it_skips_a_call() {
    let sunday = "20240107";
    let mut skipping = skipping("T");
    skipping.trip.as_mut().unwrap().start_date = Some(sunday.to_owned());
    let (town, report) = under(Town::new(STREET, LINE), vec![skipping]);
    assert_eq!((report.modified, report.rejected), (0, 1));
    assert_eq!(report.issues.issues()[0].code, "not-running");
    assert!(town.snapshot.overlay.as_ref().unwrap().added.is_empty());
}

/// A call at a stop at an epoch second.
pub(super) fn call(stop: &str, time: i64) -> StopTimeUpdate {
    let event = Some(StopTimeEvent { time: Some(time), ..StopTimeEvent::default() });
    let stop_id = Some(stop.to_owned());
    StopTimeUpdate { stop_id, arrival: event, departure: event, ..StopTimeUpdate::default() }
}

/// A trip of the route that only live data has.
pub(super) fn extra(calls: Vec<StopTimeUpdate>) -> TripUpdate {
    let mut extra = TripUpdate { calls, ..update("extra", None, Some(1)) };
    extra.trip.as_mut().unwrap().route_id = Some("R".to_owned());
    extra
}

#[test]
fn a_start_inside_a_trip_that_live_data_added() {
    let town = Town::new(STREET, LINE);
    let (b, c) = (town.epoch("12:00"), town.epoch("12:10"));
    let (town, report) = under(town, vec![extra(vec![call("B", b), call("C", c)])]);
    assert_eq!((report.added, report.rejected), (1, 0));
    let aboard = |r: &mut RoutingRequest| r.start_transit_trip = Some("1:extra".to_owned());
    let question = "41.0,-7.98 -> n3 at 12:05";
    assert_eq!(town.plan(question, aboard), "12:05 bus extra on board 12:05 - C 12:10, 12:10:01");
    let by_schedule = |r: &mut RoutingRequest| {
        aboard(r);
        r.ignore_realtime = true;
    };
    assert_eq!(town.plan(question, by_schedule), "BogusParameter");
}

#[test]
fn calls_of_live_trips_are_numbered_as_live_data_numbers_them() {
    let numbered = |number: u32, call: StopTimeUpdate| StopTimeUpdate { stop_sequence: Some(number), ..call };
    let sequences = |town: &Town| {
        let found = town.itineraries("n1 -> n3 at 11:59", |_| {}).unwrap();
        let ride = found[0].legs.iter().find(|leg| leg.from.stop_index.is_some()).unwrap();
        (ride.from.stop_sequence, ride.to.stop_sequence)
    };
    let town = Town::new(STREET, LINE);
    let times = ["12:00", "12:10"].map(|time| town.epoch(time));
    let calls = |numbers: [u32; 2]| {
        let calls = ["A", "C"].into_iter().zip(times).map(|(stop, time)| call(stop, time));
        extra(calls.zip(numbers).map(|(call, number)| numbered(number, call)).collect())
    };
    let (town, report) = under(town, vec![calls([10, 30])]);
    assert_eq!((report.added, report.rejected), (1, 0), "{:?}", report.issues.issues());
    assert_eq!(sequences(&town), (Some(10), Some(30)));
    let (town, _) = under(town, vec![calls([30, 10])]);
    assert_eq!(sequences(&town), (None, None), "not in order");
}

#[test]
fn calls_of_a_replaced_trip_may_name_their_stops_by_the_schedule() {
    let town = Town::new(STREET, LINE);
    let at = |number: u32, time: &str| StopTimeUpdate {
        stop_sequence: Some(number),
        stop_id: None,
        ..call("", town.epoch(time))
    };
    let changed = TripUpdate { calls: vec![at(1, "12:00"), at(4, "12:10")], ..update("T", None, Some(5)) };
    let unknown = TripUpdate { calls: vec![at(1, "12:00"), at(9, "12:10")], ..update("T", None, Some(5)) };
    let (town, report) = under(town, vec![changed]);
    assert_eq!((report.modified, report.rejected), (1, 0), "{:?}", report.issues.issues());
    assert!(town.ask("n1 -> n3 at 11:59").contains("A 12:00 - D 12:10"), "{}", town.ask("n1 -> n3 at 11:59"));
    let (_, report) = under(town, vec![unknown]);
    assert_eq!((report.modified, report.rejected), (0, 1));
}

/// The points of the leg by vehicle of a trip from the first stop, without those that go straight on.
fn line_of_ride(town: &Town) -> Vec<[f64; 2]> {
    let found = town.itineraries("n1 -> n3 at 7:59", |_| {}).unwrap();
    let ride = found[0].legs.iter().find(|leg| leg.from.stop_index.is_some()).unwrap();
    decode(&ride.geometry.points).unwrap()
}

fn with_shape(update: TripUpdate, id: &str) -> TripUpdate {
    let properties = TripProperties { shape_id: Some(id.to_owned()), ..TripProperties::default() };
    TripUpdate { properties: Some(properties), ..update }
}

#[test]
fn live_trips_run_along_the_shapes_of_their_message() {
    // North of the street, past stop B.
    let line = [(41.0, -8.0), (41.002, -7.995), (41.002, -7.985), (41.0, -7.97), (41.0, -7.95)];
    let shape = |id: &str, points: String| FeedEntity {
        id: Some(id.to_owned()),
        shape: Some(EncodedShape { shape_id: Some(id.to_owned()), encoded_polyline: Some(points) }),
        ..FeedEntity::default()
    };
    let trip = |update: TripUpdate| FeedEntity {
        id: Some("trip".to_owned()),
        trip_update: Some(update),
        ..FeedEntity::default()
    };
    let lines = |update: TripUpdate, points: String| {
        let entities = vec![trip(update), shape("detour", points)];
        let town = Town::new(STREET, LINE);
        let options = whole_feed(town.epoch("7:50"));
        let (town, report) = after_entities(town, &options, entities);
        assert_eq!(report.rejected, 0, "{:?}", report.issues.issues());
        (line_of_ride(&town), report.issues.issues().len())
    };
    let (encoded, broken) = (|| encode(line).points, || "_".to_owned());
    let as_scheduled = || update("T", None, None);
    let is_north = |line: &[[f64; 2]]| line.iter().any(|[lat, _]| *lat > 41.0019);
    let (drawn, issues) = lines(with_shape(as_scheduled(), "detour"), encoded());
    assert!(is_north(&drawn) && issues == 0, "{drawn:?}, {issues} issues");
    let town = Town::new(STREET, LINE);
    let calls = ["A", "C"].into_iter().zip([town.epoch("8:00"), town.epoch("8:05")]);
    let added = extra(calls.map(|(stop, time)| call(stop, time)).collect());
    let (drawn, issues) = lines(with_shape(added.clone(), "detour"), encoded());
    assert!(is_north(&drawn) && issues == 0, "{drawn:?}, {issues} issues");
    let endless = || "??".repeat(110_000) + &encoded();
    for (id, points) in [("other", encoded()), ("detour", broken()), ("detour", endless())] {
        let (drawn, issues) = lines(with_shape(added.clone(), id), points);
        assert!(!is_north(&drawn) && issues == 1, "{drawn:?}, {issues} issues");
    }
}

#[test]
fn a_place_at_a_stop_that_only_live_data_serves() {
    // Both are far from all streets.
    let line = LINE.replace("route R 3", "stop E 41.3 -7.970\n    stop F 41.301 -7.970\n    route R 3");
    let town = Town::new(STREET, &line);
    let (from_stop, to_stop) = ("41.3001,-7.97 -> n3 at 11:55", "n2 -> 41.3001,-7.97 by 12:35");
    assert_eq!([from_stop, to_stop].map(|question| town.ask(question)), ["OutsideBounds"; 2]);
    let times = ["12:00", "12:20", "12:30"].map(|time| town.epoch(time));
    let calls = ["E", "B", "E"].into_iter().zip(times).map(|(stop, time)| call(stop, time)).collect();
    let (town, report) = under(town, vec![extra(calls)]);
    assert_eq!((report.added, report.rejected), (1, 0), "{:?}", report.issues.issues());
    assert_eq!(town.ask(&from_stop.replace("n3", "n2")), "12:00 bus extra E 12:00 - B 12:20, 12:20:01");
    assert_eq!(town.ask(to_stop), "12:19:59 bus extra B 12:20 - E 12:30, 12:30");
    assert_eq!(town.plan(to_stop, |r| r.ignore_realtime = true), "OutsideBounds");
}

#[test]
fn a_place_between_a_stop_with_scheduled_service_and_one_that_only_live_data_serves() {
    // Without streets, and nearer to E than to S.
    let feed = "
        stop S 41 -8.000
        stop E 41 -7.9995
        stop D 41 -7.950
        route R 3
        service WK 20240101 20241231 1111111
        trip T R WK : S 12:00:00, D 12:20:00
        trip U R WK : S 13:00:00, D 13:20:00
    ";
    let ask = |departure: &str, arrival: &str| {
        let town = Town::new("", feed);
        let calls = [("E", departure), ("D", arrival)].map(|(stop, time)| call(stop, town.epoch(time)));
        let (town, report) = under(town, vec![extra(calls.into())]);
        assert_eq!((report.added, report.rejected), (1, 0), "{:?}", report.issues.issues());
        town.ask("41,-7.9996 -> D at 11:54")
    };
    let by_schedule = "12:00 bus T S 12:00 - D 12:20, 12:20";
    assert_eq!(Town::new("", feed).ask("41,-7.9996 -> D at 11:54"), by_schedule);
    assert_eq!(ask("2024-01-04T12:00", "2024-01-04T12:20"), by_schedule);
    assert_eq!(ask("10:00", "10:20"), by_schedule);
    assert_eq!(ask("11:56", "12:10"), "11:56 bus extra E 11:56 - D 12:10, 12:10");
}

#[test]
fn a_start_inside_a_run_of_a_frequency_trip() {
    let aboard = |r: &mut RoutingRequest| r.start_transit_trip = Some("1:T".to_owned());
    for exact in [1, 0] {
        let rows = format!(
            "{LINE}\ntable frequencies.txt\ntrip_id,start_time,end_time,headway_secs,exact_times\n\
             T,7:00:00,10:00:00,600,{exact}\n\n"
        );
        let town = Town::new(STREET, &rows);
        // A vehicle passes half way between B and C ten minutes after it left A.
        let plain = town.plan("41.0,-7.98 -> n3 at 8:30", aboard);
        assert_eq!(plain, "8:30 bus T on board 8:30 - C 8:35, 8:35:01", "{exact}");
        // The vehicle that left at 8:20 is three minutes late, and is the one that is there at 8:33.
        let late = TripUpdate { delay: Some(180), ..update("T", Some("08:20:00"), None) };
        let canceled = update("T", Some("09:00:00"), Some(3));
        let (town, report) = under(town, vec![late, canceled]);
        assert_eq!((report.updated, report.canceled), (1, 1));
        let leg = |time: &str| {
            let found = town.itineraries(&format!("41.0,-7.98 -> n3 at {time}"), aboard).unwrap();
            let leg = &found[0].legs[0];
            ((leg.end_time / 1000 - town.epoch(time)) / 60, leg.real_time, leg.arrival_delay)
        };
        assert_eq!(leg("8:33"), (5, true, 180), "{exact}");
        assert_eq!(leg("8:10"), (5, false, 0), "{exact}");
        // The run of nine o'clock does not run: its neighbours are the nearest.
        assert_eq!(leg("9:10"), (5, false, 0), "{exact}");
    }
}

/// An agency whose days begin eight hours after those of the graph.
const FAR_WEST: &str = "
    table agency.txt
    agency_id,agency_name,agency_timezone
    LA,West,America/Los_Angeles

    stop C 41 -7.970
    stop D 41 -7.950
    route W 3
    service NIGHT 20240102 20240102 0100000
    trip N W NIGHT : C 22:00:00, D 22:10:00
";

fn two_zones() -> Town {
    let lisbon = "
        stop A 41 -8.000
        stop B 41 -7.990
        route R 3
        service WK 20240101 20241231 1111111
        trip T R WK : A 8:00:00, B 8:05:00
    ";
    Town::built(STREET, &[lisbon, FAR_WEST], &super::town::options())
}

#[test]
fn a_start_inside_a_vehicle_of_another_time_zone() {
    // Ten in the evening of the second in Los Angeles is six in the morning of the third in Lisbon.
    let aboard = |r: &mut RoutingRequest| r.start_transit_trip = Some("2:N".to_owned());
    let found = two_zones().itineraries("41.0,-7.96 -> n4 at 6:05", aboard).unwrap();
    let leg = &found[0].legs[0];
    assert_eq!(leg.transit.as_ref().unwrap().service_date, "20240102");
    assert_eq!(
        two_zones().plan("41.0,-7.96 -> n4 at 6:05", aboard),
        "6:05 bus N on board 6:05 - D 6:10, 6:10:01"
    );
}

#[test]
fn an_update_without_a_date_is_for_today_where_the_agency_is() {
    let call = |stop: &str, time: i64| StopTimeUpdate {
        stop_id: Some(stop.to_owned()),
        departure: Some(StopTimeEvent { time: Some(time), ..StopTimeEvent::default() }),
        arrival: Some(StopTimeEvent { time: Some(time), ..StopTimeEvent::default() }),
        ..StopTimeUpdate::default()
    };
    let undated = |mut update: TripUpdate| {
        update.trip.as_mut().unwrap().start_date = None;
        update
    };
    // At seven in the morning in Lisbon it is still the second in Los Angeles.
    let town = two_zones();
    let (now, c, d) = (town.epoch("7:00"), town.epoch("7:30"), town.epoch("7:40"));
    let mut extra = TripUpdate { calls: vec![call("C", c), call("D", d)], ..update("extra", None, Some(1)) };
    extra.trip.as_mut().unwrap().route_id = Some("W".to_owned());
    let late = TripUpdate { delay: Some(60), ..update("N", None, None) };
    let (town, report) = under_at(town, now, false, vec![undated(extra), undated(late)]);
    assert_eq!((report.added, report.updated, report.rejected), (1, 1, 0), "{:?}", report.issues.issues());
    let overlay = town.snapshot.overlay.as_ref().unwrap();
    assert_eq!(overlay.added[0].service_date.to_string(), "20240102");
    assert_eq!(overlay.scheduled.keys().next().unwrap().1.to_string(), "20240102");
}

/// An update of a trip whose service day is the second, a minute late.
fn late_on_the_second(trip: &str) -> TripUpdate {
    let mut late = TripUpdate { delay: Some(60), ..update(trip, None, None) };
    late.trip.as_mut().unwrap().start_date = Some("20240102".to_owned());
    late
}

#[test]
fn live_data_is_kept_for_two_days_where_the_agency_is() {
    let town = two_zones();
    // At seven in the morning of the fifth in Lisbon it is still the fourth in Los Angeles.
    let now = town.epoch("7:00") + 2 * 86_400;
    let (town, report) = under_at(town, now, true, vec![late_on_the_second("T"), late_on_the_second("N")]);
    assert_eq!((report.updated, report.expired), (2, 1));
    let overlay = town.snapshot.overlay.as_ref().unwrap();
    let kept: Vec<_> =
        overlay.scheduled.keys().map(|key| town.snapshot.graph.timetable.trip_id(key.0)).collect();
    assert_eq!(kept, ["2:N"]);
    let (town, report) = under_at(town, now + 86_400, true, vec![late_on_the_second("N")]);
    assert_eq!((report.updated, report.expired), (1, 1));
    assert!(town.snapshot.overlay.as_ref().unwrap().scheduled.is_empty());
}

#[test]
fn live_data_is_kept_while_vehicles_are_under_way() {
    // Three days from one end to the other.
    let long = format!("{LINE}\n trip L R WK : A 8:00:00, D 80:00:00");
    for (days, expired) in [(2, 0), (3, 1)] {
        let town = Town::new(STREET, &long);
        let now = town.epoch("7:00") + days * 86_400;
        let (_, report) = under_at(town, now, true, vec![late_on_the_second("L")]);
        assert_eq!((report.updated, report.expired), (1, expired), "{days}");
    }
}
