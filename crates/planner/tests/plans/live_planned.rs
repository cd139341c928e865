//! Scheduled times that live data gives for trips with calls of their own.

use trestle_engine::index::stop_times::{StopTimes, Upcoming};
use trestle_engine::realtime::messages::{StopTimeEvent, StopTimeUpdate, TripUpdate};

use super::live::{extra, under, update};
use super::live_message::STREET;
use super::town::Town;

const LINE: &str = "
    stop B 41 -7.990
    stop C 41 -7.970
    stop D 41 -7.950
    route R 3
    service WK 20240101 20241231 1111111
    trip T R WK : B 8:05:00, C 8:15:00, D 8:25:00
";

fn call(stop: &str, event: StopTimeEvent) -> StopTimeUpdate {
    let stop_id = Some(stop.to_owned());
    StopTimeUpdate { stop_id, arrival: Some(event), departure: Some(event), ..StopTimeUpdate::default() }
}

/// Calls that are planned at 12:00 and 12:10, two minutes and three minutes late.
fn planned(town: &Town) -> Vec<StopTimeUpdate> {
    let [noon, later] = ["12:00", "12:10"].map(|time| Some(town.epoch(time)));
    let late = StopTimeEvent { delay: Some(120), scheduled_time: noon, ..StopTimeEvent::default() };
    let later_still =
        StopTimeEvent { time: Some(town.epoch("12:13")), scheduled_time: later, ..StopTimeEvent::default() };
    vec![call("B", late), call("C", later_still)]
}

fn is_late_against_its_plan(update: TripUpdate) {
    let (town, report) = under(Town::new(STREET, LINE), vec![update]);
    assert_eq!(report.rejected, 0, "{:?}", report.issues.issues());
    let found = town.itineraries("n2 -> n3 at 11:55", |_| {}).unwrap();
    let leg = found[0].legs.iter().find(|leg| leg.transit.is_some()).unwrap();
    assert_eq!([leg.start_time, leg.end_time], ["12:02", "12:13"].map(|time| town.epoch(time) * 1000));
    assert_eq!((leg.departure_delay, leg.arrival_delay), (120, 180));
    let stop = town.snapshot.graph.timetable.stop_by_id("1:B").unwrap();
    let wanted = Upcoming { from: town.epoch("12:00"), range: 600, per_pattern: 1, omit_non_pickups: false };
    let calls = StopTimes::new(&town.snapshot).upcoming(stop, wanted).remove(0).calls;
    assert_eq!((calls[0].scheduled_departure, calls[0].realtime_departure), (43_200, 43_320));
}

#[test]
fn an_added_trip_is_late_against_its_plan() {
    is_late_against_its_plan(extra(planned(&Town::new(STREET, LINE))));
}

#[test]
fn a_replaced_trip_is_late_against_its_plan() {
    let calls = planned(&Town::new(STREET, LINE));
    is_late_against_its_plan(TripUpdate { calls, ..update("T", None, Some(5)) });
}

#[test]
fn calls_without_a_plan_are_on_time() {
    let town = Town::new(STREET, LINE);
    let mut calls = planned(&town);
    calls[0] = call("B", StopTimeEvent { time: Some(town.epoch("12:02")), ..StopTimeEvent::default() });
    let (town, _) = under(town, vec![extra(calls)]);
    let found = town.itineraries("n2 -> n3 at 11:55", |_| {}).unwrap();
    let leg = found[0].legs.iter().find(|leg| leg.transit.is_some()).unwrap();
    assert_eq!((leg.departure_delay, leg.arrival_delay), (0, 180));
}

#[test]
fn a_scheduled_trip_keeps_its_own_plan() {
    let town = Town::new(STREET, LINE);
    let other = StopTimeEvent { scheduled_time: Some(town.epoch("9:00")), ..StopTimeEvent::default() };
    let (town, report) =
        under(town, vec![TripUpdate { calls: vec![call("C", other)], ..update("T", None, None) }]);
    assert_eq!((report.updated, report.issues.issues()[0].code), (1, "empty-event"));
    assert!(town.ask("n2 -> n4 at 8:00").contains("B 8:05 - D 8:25"));
}
