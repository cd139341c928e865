//! Copies of scheduled trips (`DUPLICATED`), and the properties of trips in messages.

use trestle_engine::realtime::messages::{
    FeedEntity, StopTimeEvent, StopTimeUpdate, TripProperties, TripUpdate,
};
use trestle_model::RoutingRequest;
use trestle_model::request::BannedTrip;

use super::live::{extra, under, update};
use super::live_message::{STREET, after_entities, whole_feed};
use super::town::Town;

const LINE: &str = "
    stop A 41 -8.000 wheelchair_boarding=1
    stop B 41 -7.990
    stop C 41 -7.970
    stop D 41 -7.950 wheelchair_boarding=1
    route R 3
    service WK 20240101 20241231 1111111
    service OLD 20230101 20231231 1111111
    trip T R WK trip_headsign=Depot wheelchair_accessible=1 block_id=X : A 8:00:00, B 8:05:00, C 8:15:00, D 8:25:00
    trip PAST R OLD : A 8:00:00, B 8:05:00
";

/// A copy of a trip on the day of the plans.
fn copy(trip: &str, id: &str, start: &str) -> TripUpdate {
    let properties = TripProperties {
        trip_id: Some(id.to_owned()),
        start_date: Some("20240103".to_owned()),
        start_time: Some(start.to_owned()),
        headsign: None,
        ..TripProperties::default()
    };
    TripUpdate { properties: Some(properties), ..update(trip, None, Some(6)) }
}

fn banned(trip: &str) -> BannedTrip {
    BannedTrip { trip: trip.to_owned(), stop_positions: vec![] }
}

#[test]
fn a_copy_runs_in_addition_at_its_own_time() {
    let (town, report) = under(Town::new(STREET, LINE), vec![copy("T", "copy", "10:00:00")]);
    assert_eq!((report.added, report.rejected), (1, 0), "{:?}", report.issues.issues());
    let found = town.itineraries("n1 -> n4 at 9:50", |r| r.wheelchair = true).unwrap();
    let leg = found[0].legs.iter().find(|leg| leg.transit.is_some()).unwrap();
    assert_eq!([leg.start_time, leg.end_time], ["10:00", "10:25"].map(|time| town.epoch(time) * 1000));
    assert_eq!((leg.departure_delay, leg.to.stop_sequence), (0, Some(4)));
    let transit = leg.transit.as_ref().unwrap();
    assert_eq!((transit.trip_id.as_str(), transit.headsign.as_deref()), ("1:copy", Some("Depot")));
    assert_eq!(transit.block_id, None);
    assert!(town.ask("n1 -> n4 at 7:50").contains("bus T A 8:00 - D 8:25"), "the trip runs as well");
    let without = |r: &mut RoutingRequest| r.banned_trips = vec![banned("1:copy")];
    assert!(!town.plan("n1 -> n4 at 9:50", without).contains("10:00"));
}

#[test]
fn a_copy_may_be_late_and_skip_stops() {
    let late = Some(StopTimeEvent { delay: Some(120), ..StopTimeEvent::default() });
    let first = StopTimeUpdate { stop_sequence: Some(1), departure: late, ..StopTimeUpdate::default() };
    let second =
        StopTimeUpdate { stop_sequence: Some(2), relationship: Some(1), ..StopTimeUpdate::default() };
    let copy = TripUpdate { calls: vec![first, second], ..copy("T", "copy", "10:00:00") };
    let (town, _) = under(Town::new(STREET, LINE), vec![copy]);
    let found = town.itineraries("n1 -> n4 at 9:50", |r| r.show_intermediate_stops = true).unwrap();
    let leg = found[0].legs.iter().find(|leg| leg.transit.is_some()).unwrap();
    assert_eq!((leg.departure_delay, leg.arrival_delay), (120, 120));
    assert_eq!(leg.intermediate_stops.as_ref().unwrap().len(), 1);
}

#[test]
fn a_copy_of_a_trip_that_no_longer_runs_and_one_at_the_same_time() {
    let updates = vec![copy("PAST", "again", "11:00:00"), copy("T", "same", "8:00:00")];
    let (town, report) = under(Town::new(STREET, LINE), updates);
    assert_eq!((report.added, report.rejected), (2, 0), "{:?}", report.issues.issues());
    assert!(town.ask("n1 -> n2 at 10:55").contains("bus again A 11:00 - B 11:05"));
    let of_the_trip = |r: &mut RoutingRequest| r.banned_trips = vec![banned("1:T")];
    assert!(town.plan("n1 -> n4 at 7:50", of_the_trip).contains("bus same A 8:00 - D 8:25"));
}

/// A time of its calls does not tell the day of a copy: 25:00 belongs to the day before.
#[test]
fn copies_need_a_day_and_a_start() {
    for missing in [None, Some(String::new())] {
        let (mut undated, mut untimed) = (copy("T", "night", "25:00:00"), copy("T", "copy", "10:00:00"));
        let town = Town::new(STREET, LINE);
        let departs = StopTimeEvent { time: Some(town.epoch("25:00")), ..StopTimeEvent::default() };
        undated.calls = vec![StopTimeUpdate {
            stop_sequence: Some(1),
            departure: Some(departs),
            ..StopTimeUpdate::default()
        }];
        undated.trip.as_mut().unwrap().start_date = None;
        undated.properties.as_mut().unwrap().start_date = missing.clone();
        untimed.properties.as_mut().unwrap().start_time = missing;
        let (_, report) = under(town, vec![undated, untimed]);
        let codes: Vec<_> = report.issues.issues().iter().map(|issue| issue.code).collect();
        let expected = ["duplicate-without-start-date", "duplicate-without-start-time"];
        assert_eq!((report.added, report.rejected, &codes[..]), (0, 2, &expected[..]));
    }
}

#[test]
fn copies_that_cannot_be_made_are_reported() {
    let mut unnamed = copy("T", "", "10:00:00");
    let mut undated = copy("T", "copy", "10:00:00");
    undated.properties.as_mut().unwrap().start_date = Some("today".to_owned());
    let known = copy("T", "PAST", "10:00:00");
    let updates =
        vec![unnamed.clone(), undated, known, copy("none", "copy", "10:00:00"), copy("T", "copy", "10")];
    let (_, report) = under(Town::new(STREET, LINE), updates);
    let codes: Vec<_> = report.issues.issues().iter().map(|issue| issue.code).collect();
    let expected = [
        "duplicate-without-id",
        "bad-start-date",
        "added-trip-is-scheduled",
        "unknown-trip",
        "bad-start-time",
    ];
    assert_eq!((report.added, report.rejected, &codes[..]), (0, 5, &expected[..]));
    unnamed.properties = None;
    assert_eq!(under(Town::new(STREET, LINE), vec![unnamed]).1.rejected, 1);
}

#[test]
fn a_copy_is_replaced_by_its_next_update_and_deleted() {
    let entity = |update, is_deleted| FeedEntity {
        id: Some("1".to_owned()),
        trip_update: Some(update),
        is_deleted: Some(is_deleted),
        ..FeedEntity::default()
    };
    let town = Town::new(STREET, LINE);
    let options = whole_feed(town.epoch("8:00"));
    let options = trestle_engine::realtime::TripUpdateOptions { differential: true, ..options };
    let copies = |town: &Town| town.snapshot.overlay.as_ref().unwrap().added.len();
    let (town, _) = after_entities(town, &options, vec![entity(copy("T", "copy", "10:00:00"), false)]);
    let (town, _) = after_entities(town, &options, vec![entity(copy("T", "copy", "10:10:00"), false)]);
    assert_eq!(copies(&town), 1);
    assert!(town.ask("n1 -> n4 at 9:50").contains("A 10:10"));
    let (town, report) = after_entities(town, &options, vec![entity(copy("T", "copy", "10:10:00"), true)]);
    assert_eq!((copies(&town), report.rejected), (0, 0));
}

#[test]
fn the_headsign_of_a_message_is_that_of_the_trip() {
    let calls = |town: &Town| {
        let times = ["12:00", "12:10"]
            .map(|time| StopTimeEvent { time: Some(town.epoch(time)), ..StopTimeEvent::default() });
        ["B", "C"].into_iter().zip(times).map(|(stop, time)| StopTimeUpdate {
            stop_id: Some(stop.to_owned()),
            arrival: Some(time),
            departure: Some(time),
            ..StopTimeUpdate::default()
        })
    };
    let town = Town::new(STREET, LINE);
    let headsign = Some("Fair".to_owned());
    let properties = Some(TripProperties { headsign, ..TripProperties::default() });
    let mut late = TripUpdate { delay: Some(60), ..copy("T", "copy", "10:00:00") };
    late.properties.as_mut().unwrap().headsign = Some("Festival".to_owned());
    let updates = vec![TripUpdate { properties, ..extra(calls(&town).collect()) }, late];
    let (town, _) = under(town, updates);
    let headsign = |question: &str| {
        let found = town.itineraries(question, |_| {}).unwrap();
        found[0].legs.iter().find_map(|leg| leg.transit.as_ref()).unwrap().headsign.clone().unwrap()
    };
    assert_eq!(["n2 -> n3 at 11:55", "n1 -> n4 at 9:55"].map(headsign), ["Fair", "Festival"]);
}
