//! Scenarios over a small feed without streets: stops are joined in a straight line.

use std::collections::BTreeMap;
use std::sync::Arc;

use trestle_model::geo::LatLon;
use trestle_model::ids::{RouteIdx, StopIdx, TripIdx};
use trestle_model::{IssueSink, ServiceDate};
use trestle_street::graph::StreetGraph;
use trestle_transit::build::{TransitBuildOptions, build_timetable_from_tables};
use trestle_transit::gtfs::FeedFiles;
use trestle_transit::overlay::{AddedTrip, LiveTimes, Overlay, TripState};
use trestle_transit::timetable::Timetable;

use super::*;
use crate::realtime::{AlertPatch, AlertedRide};

/// A and B are 111 m apart, C and D are far away; nothing calls at B. D is in the station S.
const TABLES: &[(&str, &str)] = &[
    (
        "agency.txt",
        "agency_id,agency_name,agency_url,agency_timezone\nAG,Agency,http://a.example,Europe/Lisbon",
    ),
    (
        "stops.txt",
        "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nA,A,41.000,-8.6,,\nB,B,41.001,-8.6,,\n\
         C,C,41.1,-8.6,,\nD,D,41.2,-8.6,,S\nS,S,41.2,-8.6,1,",
    ),
    ("routes.txt", "route_id,agency_id,route_short_name,route_type\nR,AG,10,3"),
    ("trips.txt", "route_id,service_id,trip_id\nR,WK,T1\nR,WK,T2"),
    (
        "calendar.txt",
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n\
         WK,1,1,1,1,1,1,1,20240101,20241231",
    ),
    (
        "stop_times.txt",
        "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n\
         T1,1,C,8:00:00,8:00:00\nT1,2,A,8:10:00,8:10:00\nT1,3,D,8:11:00,8:11:00\n\
         T2,1,C,9:00:00,9:00:00\nT2,2,A,9:10:00,9:10:00\nT2,3,D,9:11:00,9:11:00",
    ),
];

fn base() -> Snapshot {
    base_with(GraphFacts::default())
}

fn base_with(facts: GraphFacts) -> Snapshot {
    Snapshot::new(Arc::new(Graph::of(StreetGraph::default(), timetable(&[]), facts)), 0)
}

/// The timetable of [`TABLES`] and more.
fn timetable(more: &[(&str, &str)]) -> Timetable {
    let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    let tables: BTreeMap<String, String> = TABLES.iter().chain(more).map(owned).collect();
    let options = TransitBuildOptions::default();
    let feeds = vec![FeedFiles::from_tables("f", tables)];
    build_timetable_from_tables(feeds, &options, &mut IssueSink::default(), &mut |_, _| {}).unwrap()
}

fn line(stops: Vec<PatternStop>) -> Modification {
    let hops = vec![300; stops.len() - 1];
    Modification::AddTripPattern(AddedPattern {
        route: PatternRoute::Known("1:R".to_owned()),
        direction: 0,
        headsign: None,
        stops,
        timetables: vec![PatternTimetable {
            starts: PatternStarts::At(vec![30_000]),
            hops: HopTimes::Seconds(hops),
            dwells: Vec::new(),
            days: PatternDays::Service("1:WK".to_owned()),
        }],
    })
}

fn known(id: &str) -> PatternStop {
    PatternStop::Known(format!("1:{id}"))
}

/// `from->to meters` of all walks.
fn walks(snapshot: &Snapshot) -> Vec<String> {
    let timetable = &snapshot.graph.timetable;
    let stops = (0..timetable.stops.id.len()).map(StopIdx::from);
    let name = |stop: StopIdx| timetable.stop_id(stop).trim_start_matches("1:").to_owned();
    let walks =
        stops.flat_map(|from| timetable.transfers.direct_from(from).iter().map(move |walk| (from, walk)));
    walks
        .map(|(from, walk)| format!("{}->{} {:.0}", name(from), name(StopIdx(walk.other_stop)), walk.meters))
        .collect()
}

#[test]
fn new_patterns_are_reached_on_foot_from_the_stops_around() {
    let base = base();
    let scenario = Scenario::new(&base, &[line(vec![known("B"), known("D")])]);
    assert_eq!(scenario.reports()[0], Report { changed: 1, ..Report::default() });
    assert_eq!(walks(&scenario.under(&base)), ["A->B 111", "B->A 111"]);
    // A pattern with the same stops as before needs no search.
    let same = Scenario::new(&base, &[line(vec![known("C"), known("A"), known("D")])]);
    assert!(same.under(&base).graph.timetable.transfers.direct.is_empty());
    assert!(base.graph.timetable.transfers.direct.is_empty());
}

#[test]
fn new_stops_without_streets_are_warned_of() {
    let stop = PatternStop::New { position: LatLon::new(41.05, -8.6), name: "New".to_owned() };
    let scenario = Scenario::new(&base(), &[line(vec![known("A"), stop, known("C")])]);
    assert_eq!(scenario.reports()[0].warnings, ["no street is near the stop at 41.050000,-8.600000"]);
    let graph = &scenario.under(&base()).graph;
    assert_eq!(graph.timetable.stops.id.len(), 6);
}

const DAY: &str = "20240610";

fn day() -> ServiceDate {
    ServiceDate::parse_compact(DAY).unwrap()
}

/// The base with live data: T1 is 60 s late at its first call and 120 s late after that, T2 skips its last call.
fn live() -> (Snapshot, [TripIdx; 2]) {
    let base = base();
    let timetable = &base.graph.timetable;
    let trips = ["1:T1", "1:T2"].map(|id| timetable.trip_by_id(id).unwrap());
    let late = LiveTimes { arrivals: vec![28_860, 29_460, 29_580], departures: vec![28_860, 29_520, 29_580] };
    let skipping = AddedTrip {
        route: RouteIdx(0),
        service_date: day(),
        replaces: Some(trips[1]),
        stops: vec![StopIdx(2), StopIdx(0), StopIdx(3)],
        pickup: vec![0, 0, 1],
        dropoff: vec![0, 0, 1],
        skipped: vec![false, false, true],
        times: LiveTimes { arrivals: vec![32_400, 33_000, 33_060], departures: vec![32_400, 33_000, 33_060] },
        ..AddedTrip::default()
    };
    let overlay = Overlay {
        version: 1,
        scheduled: [((trips[0], day()), TripState::Updated(late)), ((trips[1], day()), TripState::Modified)]
            .into_iter()
            .collect(),
        added: vec![skipping],
        ..Overlay::default()
    };
    (base.with_overlay(Some(Arc::new(overlay))), trips)
}

fn selected(ids: &[&str]) -> TripSelection {
    TripSelection { trips: ids.iter().map(|id| (*id).to_owned()).collect(), ..TripSelection::default() }
}

#[test]
fn frequency_trips_keep_the_live_data_of_runs_that_the_scenario_has_too() {
    let rows = "trip_id,start_time,end_time,headway_secs,exact_times\nT1,8:00:00,10:00:00,1200,1\nT2,9:00:00,11:00:00,600,0";
    let timetable = timetable(&[("frequencies.txt", rows)]);
    let base =
        Snapshot::new(Arc::new(Graph::of(StreetGraph::default(), timetable, GraphFacts::default())), 0);
    let trips = ["1:T1", "1:T2"].map(|id| base.graph.timetable.trip_by_id(id).unwrap());
    let times = |arrivals: [i32; 3]| LiveTimes { arrivals: arrivals.into(), departures: arrivals.into() };
    // The run of 8:20 does not run, and that of 8:40 is a minute late. Nor does the other trip on that day.
    let late = TripState::Updated(times([31_260, 31_860, 31_920]));
    let runs = BTreeMap::from([(30_000, TripState::Canceled), (31_200, late)]);
    let overlay = Overlay {
        version: 1,
        scheduled: [((trips[1], day()), TripState::Canceled)].into_iter().collect(),
        runs: [((trips[0], day()), runs)].into_iter().collect(),
        ..Overlay::default()
    };
    let live = base.with_overlay(Some(Arc::new(overlay)));
    let runs_with = |headway: i32| {
        let trips = selected(&["1:T1", "1:T2"]);
        let change = Modification::AdjustHeadway { trips, headway, starts: (0, 864_000) };
        let under = Scenario::new(&live, &[change]).under(&live);
        let (timetable, overlay) = (&under.graph.timetable, under.overlay.as_ref().unwrap());
        let now = ["1:T1", "1:T2"].map(|id| timetable.trip_by_id(id).unwrap());
        assert_eq!(overlay.state(now[1], day()), Some(&TripState::Canceled), "{headway}");
        overlay.runs_of(now[0], day()).cloned().unwrap_or_default()
    };
    let kept = runs_with(600);
    assert_eq!(kept.get(&30_000), Some(&TripState::Canceled));
    assert_eq!(kept.get(&31_200), Some(&TripState::Updated(times([31_260, 31_860, 31_920]))));
    assert_eq!(runs_with(1200).len(), 2);
    assert!(runs_with(2400).keys().eq([&31_200]), "only 8:00, 8:40 and 9:20");
    assert!(runs_with(1800).is_empty(), "neither 8:20 nor 8:40");
}

#[test]
fn delays_are_carried_over_to_the_changed_trip() {
    let (live, trips) = live();
    let dwell = Modification::AdjustDwellTime {
        trips: selected(&["1:T1"]),
        stops: vec!["1:A".to_owned()],
        dwell: 200,
    };
    let scenario = Scenario::new(&live, &[dwell]);
    let under = scenario.under(&live);
    let (timetable, overlay) = (&under.graph.timetable, under.overlay.as_ref().unwrap());
    let now = timetable.trip_by_id("1:T1").unwrap();
    assert_ne!(now, trips[0]);
    // By the schedule 8:10 to 8:13:20 at the second stop, then 8:14:20; late by 60, 120 and 120 s.
    let late = LiveTimes { arrivals: vec![28_860, 29_460, 29_780], departures: vec![28_860, 29_720, 29_780] };
    assert_eq!(overlay.state(now, day()), Some(&TripState::Updated(late)));
    assert_eq!(overlay.state(trips[0], day()), None);
    // What the scenario does not touch is as it was.
    assert_eq!(overlay.added[0].replaces, Some(trips[1]));
    // The overlay stays the same until live data changes, because compiled service is found by it.
    assert!(Arc::ptr_eq(overlay, scenario.under(&live).overlay.as_ref().unwrap()));
    assert!(scenario.under(&base()).overlay.is_none());
}

#[test]
fn calls_that_live_data_skips_are_skipped_in_the_scenario_too() {
    let (live, _) = live();
    let skip = Modification::SkipStop { trips: selected(&["1:T2"]), stops: vec!["1:A".to_owned()] };
    let under = Scenario::new(&live, &[skip]).under(&live);
    let now = under.graph.timetable.trip_by_id("1:T2").unwrap();
    let overlay = under.overlay.as_ref().unwrap();
    assert_eq!(overlay.state(now, day()), Some(&TripState::Modified));
    let [added] = &overlay.added[..] else { panic!("one trip is replaced") };
    assert_eq!((added.replaces, &added.stops), (Some(now), &vec![StopIdx(2), StopIdx(3)]));
    assert_eq!((&added.pickup, &added.dropoff), (&vec![0, 1], &vec![0, 1]));
    assert_eq!(added.skipped, [false, true]);
    assert_eq!(added.times.arrivals, [32_400, 33_060]);
}

#[test]
fn calls_are_at_the_stops_that_live_data_assigns_in_the_scenario_too() {
    let base = base();
    let trip = base.graph.timetable.trip_by_id("1:T1").unwrap();
    let beside = AddedTrip {
        route: RouteIdx(0),
        service_date: day(),
        replaces: Some(trip),
        stops: vec![StopIdx(2), StopIdx(1), StopIdx(3)],
        moved: vec![(1, StopIdx(0))],
        pickup: vec![0; 3],
        dropoff: vec![0; 3],
        times: LiveTimes { arrivals: vec![28_800, 29_460, 29_520], departures: vec![28_800, 29_460, 29_520] },
        ..AddedTrip::default()
    };
    let scheduled = [((trip, day()), TripState::Modified)].into_iter().collect();
    let overlay = Overlay { version: 1, scheduled, added: vec![beside], ..Overlay::default() };
    let live = base.with_overlay(Some(Arc::new(overlay)));
    let without = |stop: &str| {
        let skip = Modification::SkipStop { trips: selected(&["1:T1"]), stops: vec![stop.to_owned()] };
        let under = Scenario::new(&live, &[skip]).under(&live);
        let [added] = &under.overlay.as_ref().unwrap().added[..] else { panic!("one trip is replaced") };
        let timetable = &under.graph.timetable;
        assert_eq!(added.scheduled_with_same_calls(timetable), timetable.trip_by_id("1:T1"));
        (added.stops.clone(), added.moved.clone(), added.times.departures.clone())
    };
    let moved = (vec![StopIdx(1), StopIdx(3)], vec![(0, StopIdx(0))], vec![29_460, 29_520]);
    assert_eq!(without("1:C"), moved);
    assert_eq!(without("1:A"), (vec![StopIdx(2), StopIdx(3)], vec![], vec![28_800, 29_520]));
}

#[test]
fn trip_updates_of_trips_that_do_not_run_any_more_do_not_count() {
    let (live, trips) = live();
    let under = Scenario::new(&live, &[Modification::RemoveTrip(selected(&["1:T1", "1:T2"]))]).under(&live);
    let overlay = under.overlay.as_ref().unwrap();
    assert!(overlay.added.is_empty() && trips.iter().all(|trip| overlay.state(*trip, day()).is_none()));
    assert_eq!(live.overlay.as_ref().unwrap().added.len(), 1);
}

/// A copy of T1 that starts at 10:00, a minute late, and the trip that it copies.
fn live_copy() -> (Snapshot, TripIdx) {
    let base = base();
    let trip = base.graph.timetable.trip_by_id("1:T1").unwrap();
    let copy = AddedTrip {
        id: "copy".to_owned(),
        route: RouteIdx(0),
        service_date: day(),
        copies: Some(trip),
        run: Some(36_000),
        stops: vec![StopIdx(2), StopIdx(0), StopIdx(3)],
        pickup: vec![0, 0, 0],
        dropoff: vec![0, 0, 0],
        skipped: vec![false, true, false],
        times: LiveTimes { arrivals: vec![36_060, 36_660, 36_720], departures: vec![36_060, 36_660, 36_720] },
        ..AddedTrip::default()
    };
    let overlay = Overlay { version: 1, added: vec![copy], ..Overlay::default() };
    (base.with_overlay(Some(Arc::new(overlay))), trip)
}

#[test]
fn copies_of_trips_that_do_not_run_any_more_do_not_run_either() {
    let (live, trip) = live_copy();
    let added_with = |change: Modification| {
        let under = Scenario::new(&live, &[change]).under(&live);
        under.overlay.as_ref().unwrap().added.clone()
    };
    assert!(added_with(Modification::RemoveTrip(selected(&["1:T1"]))).is_empty());
    let of_another = added_with(Modification::RemoveTrip(selected(&["1:T2"])));
    assert_eq!(of_another.iter().map(|added| added.copies).collect::<Vec<_>>(), [Some(trip)]);
}

#[test]
fn added_trips_of_a_route_that_has_no_trips_any_more_do_not_run() {
    let (live, _) = live_copy();
    let mut overlay = Overlay::clone(live.overlay.as_deref().unwrap());
    (overlay.added[0].copies, overlay.added[0].run) = (None, None);
    let live = live.with_overlay(Some(Arc::new(overlay)));
    let added_without = |trips: &[&str]| {
        let under = Scenario::new(&live, &[Modification::RemoveTrip(selected(trips))]).under(&live);
        under.overlay.as_ref().unwrap().added.len()
    };
    assert_eq!((added_without(&["1:T1", "1:T2"]), added_without(&["1:T1"])), (0, 1));
}

#[test]
fn copies_have_the_calls_of_the_changed_trip() {
    let (live, trip) = live_copy();
    let copy_with = |change: Modification| {
        let under = Scenario::new(&live, &[change]).under(&live);
        let timetable = &under.graph.timetable;
        let [added] = &under.overlay.as_ref().unwrap().added[..] else { panic!("there is one copy") };
        let now = timetable.trip_by_id("1:T1").unwrap();
        assert_ne!(now, trip);
        assert_eq!((added.replaces, added.copies), (None, Some(now)));
        assert_eq!(added.scheduled_with_same_calls(timetable), Some(now));
        assert_eq!(added.run_shift(timetable), 7200);
        added.clone()
    };
    let (trips, at_a) = (selected(&["1:T1"]), vec!["1:A".to_owned()]);
    let dwell = Modification::AdjustDwellTime { trips: trips.clone(), stops: at_a, dwell: 200 };
    let stays = copy_with(dwell);
    assert_eq!(stays.times.arrivals, [36_060, 36_660, 36_920]);
    assert_eq!(stays.times.departures, [36_060, 36_860, 36_920]);
    assert_eq!((&stays.skipped[..], stays.run), (&[false, true, false][..], Some(36_000)));
    let skip = Modification::SkipStop { trips, stops: vec!["1:C".to_owned()] };
    let shorter = copy_with(skip);
    assert_eq!((shorter.stops, shorter.skipped), (vec![StopIdx(0), StopIdx(3)], vec![true, false]));
    assert_eq!((shorter.times.arrivals, shorter.run), (vec![36_660, 36_720], Some(36_600)));
}

#[test]
fn alerts_are_about_the_changed_trip() {
    let (live, _) = live();
    let patch = AlertPatch {
        trip: Some("1:T1".to_owned()),
        direction_id: -1,
        periods: vec![(0, i64::MAX)].into(),
        ..AlertPatch::default()
    };
    let live =
        live.with_alerts(Arc::new(AlertSet::default().with_source(&live.graph.timetable, 0, vec![patch])));
    let skip = Modification::SkipStop { trips: selected(&["1:T1"]), stops: vec!["1:A".to_owned()] };
    let under = Scenario::new(&live, &[skip]).under(&live);
    let timetable = &under.graph.timetable;
    let ride = AlertedRide {
        added_trip: None,
        trip: timetable.trip_by_id("1:T1"),
        service_date: day(),
        start_time: None,
        route: RouteIdx(0),
        direction: -1,
        headsign: None,
        ends: [StopIdx(2), StopIdx(3)],
        times: [1, 2],
    };
    assert_eq!(under.alerts.of_ride(timetable, &ride, 0, "en", false).len(), 1);
}

#[test]
fn alerts_of_a_route_type_or_station_are_about_its_routes_or_stops() {
    let (live, _) = live();
    let timetable = &live.graph.timetable;
    let route_type = timetable.routes.route_type[0];
    let about = |route_type: Option<i32>, stop: Option<&str>| {
        let patch = AlertPatch {
            feed_id: "1".to_owned(),
            direction_id: -1,
            route_type,
            stop: stop.map(str::to_owned),
            periods: vec![(0, i64::MAX)].into(),
            ..AlertPatch::default()
        };
        let stop = |id| timetable.stop_by_id(id).unwrap();
        let ride = AlertedRide {
            added_trip: None,
            trip: None,
            service_date: day(),
            start_time: None,
            route: RouteIdx(0),
            direction: -1,
            headsign: None,
            ends: [stop("1:C"), stop("1:D")],
            times: [1, 2],
        };
        let alerts = AlertSet::default().with_source(timetable, 0, vec![patch]);
        !alerts.of_ride(timetable, &ride, 0, "en", false).is_empty()
    };
    assert!(about(None, None) && about(Some(route_type), None) && !about(Some(route_type + 1), None));
    assert!(about(None, Some("1:S")) && about(None, Some("1:D")) && !about(None, Some("1:A")));
    assert!(about(Some(route_type), Some("1:S")) && !about(Some(route_type + 1), Some("1:S")));
}

#[test]
fn alerts_about_a_trip_of_one_day_are_not_shown_on_others() {
    let (live, _) = live();
    let timetable = &live.graph.timetable;
    let patch = AlertPatch {
        trip: Some("1:T1".to_owned()),
        direction_id: -1,
        service_date: Some(day()),
        periods: vec![(0, i64::MAX)].into(),
        ..AlertPatch::default()
    };
    let alerts = AlertSet::default().with_source(timetable, 0, vec![patch]);
    let shown = |service_date: ServiceDate| {
        let ride = AlertedRide {
            added_trip: None,
            trip: timetable.trip_by_id("1:T1"),
            service_date,
            start_time: None,
            route: RouteIdx(0),
            direction: -1,
            headsign: None,
            ends: [StopIdx(2), StopIdx(3)],
            times: [1, 2],
        };
        alerts.of_ride(timetable, &ride, 0, "en", false).len()
    };
    assert_eq!([day(), day().plus(1)].map(shown), [1, 0]);
}

#[test]
fn alerts_about_one_run_of_many_are_not_shown_on_others() {
    const EIGHT: i32 = 8 * 3600;
    let often =
        ("frequencies.txt", "trip_id,start_time,end_time,headway_secs,exact_times\nT1,8:00:00,9:00:00,600,1");
    let timetable = timetable(&[often]);
    let shown = |trip: Option<&str>, start_time: Option<i32>| {
        let patch = AlertPatch {
            trip: trip.map(str::to_owned),
            route: Some("1:R".to_owned()),
            direction_id: -1,
            start_time: Some(EIGHT),
            periods: vec![(0, i64::MAX)].into(),
            ..AlertPatch::default()
        };
        let ride = AlertedRide {
            added_trip: None,
            trip: timetable.trip_by_id(trip.unwrap_or("1:T2")),
            service_date: day(),
            start_time,
            route: RouteIdx(0),
            direction: -1,
            headsign: None,
            ends: [StopIdx(2), StopIdx(3)],
            times: [1, 2],
        };
        let alerts = AlertSet::default().with_source(&timetable, 0, vec![patch]);
        !alerts.of_ride(&timetable, &ride, 0, "en", false).is_empty()
    };
    for trip in [Some("1:T1"), None] {
        assert!(shown(trip, Some(EIGHT)) && !shown(trip, Some(EIGHT + 600)), "{trip:?}");
        assert!(shown(trip, None), "a run that cannot be told from others");
    }
    assert!(shown(Some("1:T2"), Some(EIGHT + 3600)), "a trip that runs once a day is known by its id");
}

#[test]
fn walks_of_moved_stops_are_searched_again() {
    let base = base();
    let line = line(vec![known("B"), known("D")]);
    let shift =
        |lat: f64| Modification::MoveStop { stop: "1:B".to_owned(), position: LatLon::new(lat, -8.6) };
    let beside_c = Scenario::new(&base, &[line.clone(), shift(41.101)]);
    assert_eq!(walks(&beside_c.under(&base)), ["B->C 111", "C->B 111"]);
    let nowhere = Scenario::new(&base, &[line, shift(41.15)]);
    assert!(walks(&nowhere.under(&base)).is_empty());
    assert_eq!(nowhere.reports()[1].warnings, ["no street is near the stop at 41.150000,-8.600000"]);
}

#[test]
fn walks_are_as_long_as_those_of_the_build() {
    let line = line(vec![known("B"), known("D")]);
    let a_kilometre_from_c =
        Modification::MoveStop { stop: "1:B".to_owned(), position: LatLon::new(41.11, -8.6) };
    for (max_transfer_seconds, expected) in [(600, vec![]), (1200, vec!["B->C 1112", "C->B 1112"])] {
        let facts =
            GraphFacts { max_transfer_seconds: vec![max_transfer_seconds].into(), ..GraphFacts::default() };
        let base = base_with(facts);
        for modifications in
            [vec![line.clone(), a_kilometre_from_c.clone()], vec![a_kilometre_from_c.clone(), line.clone()]]
        {
            assert_eq!(walks(&Scenario::new(&base, &modifications).under(&base)), expected);
        }
    }
}
