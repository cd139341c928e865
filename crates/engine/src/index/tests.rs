//! Look-ups over a small feed: a line A–B–C there and back, and a loop at L.

use std::collections::BTreeMap;
use std::sync::Arc;

use trestle_model::geo::LatLon;
use trestle_model::ids::{PatternIdx, StopIdx, TripIdx};
use trestle_model::{IssueSink, ServiceDate};
use trestle_street::graph::StreetGraph;
use trestle_transit::build::{TransitBuildOptions, build_timetable_from_tables};
use trestle_transit::calendar::service_day_start;
use trestle_transit::gtfs::FeedFiles;
use trestle_transit::overlay::{AddedTrip, LiveTimes, NO_TIME, Overlay, TripState};

use super::call_time::RealtimeState;
use super::stop_times::{PatternCalls, StopTimes, Upcoming};
use super::{
    Relation, fuzzy_trip, pattern_geometry, pattern_hash, related, service_of, stops_in_box, stops_in_circle,
    trip_hash,
};
use crate::graph::{Graph, GraphFacts};
use crate::snapshot::Snapshot;

const TABLES: &[(&str, &str)] = &[
    (
        "agency.txt",
        "agency_id,agency_name,agency_url,agency_timezone\nAG,Agency,http://a.example,Europe/Lisbon",
    ),
    (
        "stops.txt",
        "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n\
         A,Main St & 1st,41.000,-8.600,0,S\nB,Oak,41.010,-8.600,0,\nC,End,41.020,-8.600,0,\n\
         D,1st @ Main Street,41.001,-8.600,0,S\nL,Loop,41.030,-8.600,0,\nS,Station,41.0005,-8.600,1,",
    ),
    ("routes.txt", "route_id,agency_id,route_short_name,route_type\nR,AG,10,3\nO,AG,Loop,0\nX,AG,Unused,3"),
    (
        "trips.txt",
        "route_id,service_id,trip_id,trip_headsign,direction_id\nR,WK,T1,End,0\nR,WK,T2,End,0\n\
         R,WK,back,Start,1\nO,WK,loop,Round,0\nR,SA,sat,End,0",
    ),
    (
        "calendar.txt",
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n\
         WK,1,1,1,1,1,0,0,20240101,20241231\nSA,0,0,0,0,0,1,0,20240101,20241231",
    ),
    (
        "stop_times.txt",
        "trip_id,stop_sequence,stop_id,arrival_time,departure_time,pickup_type\n\
         T1,1,A,8:00:00,8:00:00,\nT1,2,B,8:10:00,8:11:00,\nT1,3,C,8:20:00,8:20:00,\n\
         T2,1,A,25:00:00,25:00:00,\nT2,2,B,25:10:00,25:11:00,\nT2,3,C,25:20:00,25:20:00,\n\
         back,1,C,9:00:00,9:00:00,\nback,2,B,9:10:00,9:10:00,1\nback,3,A,9:20:00,9:20:00,\n\
         loop,1,L,6:00:00,6:00:00,\nloop,2,B,6:10:00,6:10:00,\nloop,3,L,6:20:00,6:20:00,\n\
         sat,1,A,10:00:00,10:00:00,\nsat,2,B,10:10:00,10:11:00,\nsat,3,C,10:20:00,10:20:00,",
    ),
    ("frequencies.txt", "trip_id,start_time,end_time,headway_secs\nloop,6:00:00,7:00:00,1200"),
];

fn snapshot() -> Snapshot {
    snapshot_with_all(&[])
}

/// The feed with another table, or one in place of its own.
pub(super) fn snapshot_with(table: &str, content: &str) -> Snapshot {
    snapshot_with_all(&[(table, content)])
}

fn snapshot_with_all(others: &[(&str, &str)]) -> Snapshot {
    let owned = |(name, content): &(&str, &str)| ((*name).to_owned(), (*content).to_owned());
    let tables: BTreeMap<String, String> = TABLES.iter().chain(others).map(owned).collect();
    let feeds = vec![FeedFiles::from_tables("f", tables)];
    let options = TransitBuildOptions::default();
    let timetable =
        build_timetable_from_tables(feeds, &options, &mut IssueSink::default(), &mut |_, _| {}).unwrap();
    Snapshot::new(Arc::new(Graph::of(StreetGraph::default(), timetable, GraphFacts::default())), 0)
}

fn stop(snapshot: &Snapshot, id: &str) -> StopIdx {
    snapshot.graph.timetable.stop_by_id(&format!("1:{id}")).unwrap()
}

fn date(text: &str) -> ServiceDate {
    ServiceDate::parse_compact(text).unwrap()
}

/// Epoch second of a time (seconds) on a day.
pub(super) fn at(snapshot: &Snapshot, day: &str, seconds: i64) -> i64 {
    service_day_start(date(day), &snapshot.zone) + seconds
}

/// `pattern: trip hh:mm, …` per pattern.
fn lines(snapshot: &Snapshot, groups: &[PatternCalls]) -> Vec<String> {
    let timetable = &snapshot.graph.timetable;
    let line = |group: &PatternCalls| {
        let code = timetable.texts.get(timetable.patterns.code[group.pattern.index()]);
        let call = |call: &super::CallTime| {
            let trip = timetable.texts.get(timetable.trips.id[call.trip.index()]);
            let time = call.scheduled_departure;
            format!("{trip} {}:{:02}", time / 3600, time / 60 % 60)
        };
        format!("{code}: {}", group.calls.iter().map(call).collect::<Vec<_>>().join(", "))
    };
    let mut lines: Vec<String> = groups.iter().map(line).collect();
    lines.sort();
    lines
}

pub(super) fn upcoming(snapshot: &Snapshot, id: &str, from: i64) -> Vec<String> {
    let wanted = Upcoming { from, range: 86_400, per_pattern: 3, omit_non_pickups: false };
    lines(snapshot, &StopTimes::new(snapshot).upcoming(stop(snapshot, id), wanted))
}

#[test]
fn trips_that_take_days_are_coming_on_the_third_day() {
    let calls = "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n\
         T1,1,A,8:00:00,8:00:00\nT1,2,B,50:00:00,50:00:00\nT1,3,C,52:00:00,52:00:00";
    let snapshot = snapshot_with("stop_times.txt", calls);
    // Wednesday, 1:00: Monday's vehicle comes at 2:00, Tuesday's the next day.
    let found = upcoming(&snapshot, "B", at(&snapshot, "20241009", 3600));
    assert_eq!(found, ["1:R:0:01: T1 50:00, T1 50:00, T1 50:00"]);
    let first = Upcoming {
        from: at(&snapshot, "20241009", 3600),
        range: 86_400,
        per_pattern: 1,
        omit_non_pickups: false,
    };
    let calls = StopTimes::new(&snapshot).upcoming(stop(&snapshot, "B"), first);
    assert_eq!(calls[0].calls[0].service_day, at(&snapshot, "20241007", 0));
}

#[test]
fn boarding_areas_belong_to_the_station_of_their_platform() {
    let stops = "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n\
         A,Area,41.000,-8.600,4,D\nB,Oak,41.010,-8.600,0,\nC,Unused,41.000,-8.600,4,D\n\
         D,Platform,41.001,-8.600,0,S\nL,Loop,41.030,-8.600,0,\nS,Station,41.0005,-8.600,1,";
    let calls = "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n\
         T1,1,A,8:00:00,8:00:00\nT1,2,B,8:10:00,8:10:00";
    let snapshot = snapshot_with_all(&[("stops.txt", stops), ("stop_times.txt", calls)]);
    let parts = related(&snapshot, Relation::StationStops, &[stop(&snapshot, "S").0]).items;
    assert_eq!(parts, [stop(&snapshot, "A").0, stop(&snapshot, "D").0]);
}

/// Vehicles should call at the stops of a station, but those of some feeds call at the station itself.
#[test]
fn a_station_is_listed_where_vehicles_call_at_it() {
    let listed = |snapshot: &Snapshot| {
        let mut ids: Vec<_> = snapshot.graph.listing.stops.iter().map(|&stop| StopIdx(stop)).collect();
        ids.sort_by_key(|stop| stop.0);
        ids.into_iter().map(|id| snapshot.graph.timetable.stop_id(id)).collect::<Vec<_>>()
    };
    assert_eq!(listed(&snapshot()), ["1:A", "1:B", "1:C", "1:D", "1:L"]);
    let calls = "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n\
         T1,1,S,8:00:00,8:00:00\nT1,2,B,8:10:00,8:10:00";
    let snapshot = snapshot_with("stop_times.txt", calls);
    assert_eq!(listed(&snapshot), ["1:A", "1:B", "1:C", "1:D", "1:L", "1:S"]);
    assert_eq!(upcoming(&snapshot, "S", at(&snapshot, "20241009", 3600)), ["1:R:0:01: T1 8:00"]);
}

#[test]
fn next_calls_look_at_the_day_the_day_before_and_the_day_after() {
    let snapshot = snapshot();
    // Wednesday half past midnight: Tuesday's trip that runs after midnight is still to come.
    let found = upcoming(&snapshot, "A", at(&snapshot, "20241009", 1800));
    assert_eq!(found, ["1:R:0:01: T2 25:00, T1 8:00, T2 25:00", "1:R:1:01: back 9:20"]);
    assert!(upcoming(&snapshot, "A", at(&snapshot, "20300101", 0)).is_empty());
    assert!(upcoming(&snapshot, "S", at(&snapshot, "20241009", 0)).is_empty());
}

#[test]
fn frequencies_give_runs_and_a_loop_is_one_pattern() {
    let snapshot = snapshot();
    let found = upcoming(&snapshot, "L", at(&snapshot, "20241009", 5 * 3600));
    assert_eq!(found, ["1:O:0:01: loop 6:00, loop 6:20, loop 6:20"]);
    let none = Upcoming { from: 0, range: 86_400, per_pattern: 0, omit_non_pickups: false };
    assert!(StopTimes::new(&snapshot).upcoming(stop(&snapshot, "L"), none).is_empty());
}

#[test]
fn runs_of_frequencies_are_canceled_and_moved_one_by_one() {
    let plain = snapshot();
    let (trip, day) = (plain.graph.timetable.trip_by_id("1:loop").unwrap(), date("20241009"));
    let under = |start: i32, state: TripState| {
        let mut overlay = Overlay::default();
        overlay.runs.entry((trip, day)).or_default().insert(start, state);
        plain.with_overlay(Some(Arc::new(overlay)))
    };
    let departures = |snapshot: &Snapshot| {
        let wanted = Upcoming {
            from: at(snapshot, "20241009", 5 * 3600),
            range: 86_400,
            per_pattern: 3,
            omit_non_pickups: true,
        };
        let groups = StopTimes::new(snapshot).upcoming(stop(snapshot, "L"), wanted);
        let calls = groups.into_iter().flat_map(|group| group.calls);
        calls.map(|call| (call.realtime_departure / 60, call.state)).collect::<Vec<_>>()
    };
    let scheduled = |minute| (minute, RealtimeState::Scheduled);
    assert_eq!(departures(&plain), [360, 380, 400].map(scheduled));
    let canceled = under(6 * 3600, TripState::Canceled);
    assert_eq!(departures(&canceled), [380, 400, 420].map(scheduled));
    let calls = plain.graph.timetable.trip_calls(trip);
    let late = |times: Vec<i32>| times.iter().map(|time| time - calls.departure(0) + 22_500).collect();
    let times = LiveTimes { arrivals: late(calls.arrivals()), departures: late(calls.departures()) };
    let moved = under(6 * 3600, TripState::Updated(times));
    assert_eq!(departures(&moved), [(375, RealtimeState::Updated), scheduled(380), scheduled(400)]);
}

#[test]
fn calls_without_pickup_can_be_left_out() {
    let snapshot = snapshot();
    let on = |omit| {
        let calls = StopTimes::new(&snapshot).on_date(stop(&snapshot, "B"), date("20241009"), omit);
        lines(&snapshot, &calls)
    };
    assert_eq!(on(false), ["1:O:0:01: ", "1:R:0:01: T2 25:11, T1 8:11", "1:R:1:01: back 9:10"]);
    assert_eq!(on(true), ["1:O:0:01: ", "1:R:0:01: T2 25:11, T1 8:11", "1:R:1:01: "]);
}

#[test]
fn live_data_moves_cancels_and_hides_calls() {
    let plain = snapshot();
    let trip = |id: &str| plain.graph.timetable.trip_by_id(&format!("1:{id}")).unwrap();
    let moved =
        LiveTimes { arrivals: vec![NO_TIME, 30_000, 30_600], departures: vec![NO_TIME, 30_060, 30_600] };
    let day = date("20241009");
    let mut overlay = Overlay::default();
    overlay.scheduled.insert((trip("T1"), day), TripState::Updated(moved));
    overlay.scheduled.insert((trip("back"), day), TripState::Canceled);
    let live = plain.with_overlay(Some(Arc::new(overlay)));
    let calls = StopTimes::new(&live).on_date(stop(&live, "B"), day, false);
    let call = |id: &str| calls.iter().flat_map(|g| &g.calls).find(|c| c.trip == trip(id)).copied().unwrap();
    assert_eq!((call("T1").realtime_departure, call("T1").state), (30_060, RealtimeState::Updated));
    assert_eq!((call("back").realtime_departure, call("back").state), (-1, RealtimeState::Canceled));
    assert_eq!(call("T2").state, RealtimeState::Scheduled);
    // A call without a time is not among the next calls.
    let next = upcoming(&live, "A", at(&live, "20241009", 7 * 3600));
    assert_eq!(next, ["1:R:0:01: T2 25:00"]);
    let template = StopTimes::new(&live).of_trip(trip("T1"));
    assert!(template.calls.iter().all(|c| c.state == RealtimeState::Scheduled && c.service_day == 0));
    let that_day = StopTimes::new(&live).of_trip_on(trip("T1"), day);
    assert_eq!(that_day.calls[0].realtime_arrival, -1);
}

#[test]
fn a_late_vehicle_is_among_the_next_calls_when_all_others_have_gone() {
    let plain = snapshot();
    let trip = plain.graph.timetable.trip_by_id("1:back").unwrap();
    let next = |from: i64, delay: i32| {
        let times = LiveTimes {
            arrivals: vec![32_400 + delay, 33_000 + delay, 33_600 + delay],
            departures: vec![32_400 + delay, 33_000 + delay, 33_600 + delay],
        };
        let mut overlay = Overlay::default();
        overlay.scheduled.insert((trip, date("20241009")), TripState::Updated(times));
        let live = plain.with_overlay(Some(Arc::new(overlay)));
        let range = 600;
        let wanted =
            Upcoming { from: at(&live, "20241009", from), range, per_pattern: 3, omit_non_pickups: false };
        let groups = StopTimes::new(&live).upcoming(stop(&live, "B"), wanted);
        groups.iter().flat_map(|group| &group.calls).any(|call| call.trip == trip)
    };
    // It is scheduled from 9:00 to 9:20.
    assert!(next(32_400, 0) && !next(35_000, 0) && !next(30_000, 0));
    assert!(next(35_000, 2100) && !next(36_500, 2100) && next(30_000, -1900));
}

/// An added trip of route R on Wednesday 9 October 2024.
fn added(snapshot: &Snapshot, id: &str, calls: &[(&str, i32)]) -> AddedTrip {
    let times: Vec<i32> = calls.iter().map(|call| call.1).collect();
    AddedTrip {
        id: id.to_owned(),
        route: snapshot.graph.timetable.route_by_id("1:R").unwrap(),
        direction: 0,
        service_date: date("20241009"),
        stops: calls.iter().map(|call| stop(snapshot, call.0)).collect(),
        pickup: vec![0; calls.len()],
        dropoff: vec![0; calls.len()],
        times: LiveTimes { arrivals: times.clone(), departures: times },
        ..AddedTrip::default()
    }
}

#[test]
fn added_trips_with_equal_calls_are_one_pattern() {
    let plain = snapshot();
    let timetable = &plain.graph.timetable;
    let trips = vec![
        added(&plain, "late", &[("A", 40_000), ("L", 40_600)]),
        added(&plain, "early", &[("A", 30_000), ("L", 30_600)]),
        added(&plain, "round", &[("L", 30_000), ("A", 30_600), ("L", 31_200)]),
    ];
    let live = plain.with_overlay(Some(Arc::new(Overlay { added: trips, ..Overlay::default() })));
    let schedule = live.live_schedule();
    let at_l = related(&live, Relation::StopPatterns, &[stop(&live, "L").0]).items;
    let patterns: Vec<PatternIdx> = at_l[1..].iter().map(|&pattern| PatternIdx(pattern)).collect();
    assert_eq!(at_l[0], timetable.pattern_by_code("1:O:0:01").unwrap().0);
    assert_eq!(patterns.len(), 2);
    let early = schedule.find_trip("1:early").unwrap();
    let shuttle = schedule.pattern_of(early).unwrap();
    let ids: Vec<&str> = schedule.trips_of(shuttle).map(|(_, trip)| trip.id.as_str()).collect();
    assert_eq!(ids, ["early", "late"]);
    let code = &schedule.pattern(shuttle).unwrap().code;
    assert!(code.starts_with("1:R:0:rt#"), "{code}");
    assert_eq!(schedule.find_pattern(code), Some(shuttle));
    assert_eq!(
        related(&live, Relation::TripStops, &[early.0]).items,
        related(&live, Relation::PatternStops, &[shuttle.0]).items
    );
    assert_eq!(related(&live, Relation::PatternTrips, &[shuttle.0]).items, [early.0, early.0 - 1]);
    let route = timetable.route_by_id("1:R").unwrap().0;
    assert!(related(&live, Relation::RouteStops, &[route]).items.contains(&stop(&live, "L").0));
    assert_eq!(
        trip_hash(&live, early).unwrap().split_once(':').unwrap().0,
        pattern_hash(&live, shuttle).unwrap()
    );
    let service = service_of(timetable, schedule.trip(early).unwrap()).unwrap();
    assert_eq!(timetable.service_id(service), "1:WK");
    // Equal calls have the same code, whatever else runs.
    let alone = vec![added(&plain, "other", &[("A", 50_000), ("L", 50_600)])];
    let later = plain.with_overlay(Some(Arc::new(Overlay { added: alone, ..Overlay::default() })));
    assert!(later.live_schedule().find_pattern(code).is_some());
    assert!(plain.live_schedule().find_pattern(code).is_none());
}

#[test]
fn live_trips_have_the_shape_of_the_scheduled_one() {
    let shape = "shape_id,shape_pt_sequence,shape_pt_lat,shape_pt_lon\n\
                 S,1,41.000,-8.600\nS,2,41.005,-8.601\nS,3,41.010,-8.600\nS,4,41.020,-8.600";
    let trips = "route_id,service_id,trip_id,direction_id,shape_id\nR,WK,T1,0,S\nR,WK,T2,0,S\nR,WK,back,1,\nO,WK,loop,0,";
    let plain = snapshot_with_all(&[("shapes.txt", shape), ("trips.txt", trips)]);
    let calls = [("A", 40_000), ("B", 40_600), ("C", 41_200)];
    let t1 = plain.graph.timetable.trip_by_id("1:T1").unwrap();
    let copy = AddedTrip { copies: Some(t1), ..added(&plain, "copy", &calls) };
    let elsewhere = added(&plain, "T1", &[("D", 40_000), ("B", 40_600), ("C", 41_200)]);
    let moved = AddedTrip { replaces: Some(t1), moved: vec![(0, stop(&plain, "A"))], ..elsewhere };
    let added = vec![added(&plain, "own", &calls), copy, moved];
    let live = plain.with_overlay(Some(Arc::new(Overlay { added, ..Overlay::default() })));
    let schedule = live.live_schedule();
    let shape_of = |id: &str| {
        let trip = schedule.find_trip(id).unwrap();
        pattern_geometry(&live, schedule.pattern_of(trip).unwrap())
    };
    let scheduled = pattern_geometry(&live, live.graph.timetable.pattern_of(t1));
    assert!(scheduled.contains(&[41.005, -8.601]), "{scheduled:?}");
    let cut = shape_of("1:T1");
    assert!((41.0009..41.0011).contains(&cut[0][0]) && cut[1..] == scheduled[1..], "{cut:?}");
    assert_eq!(["1:copy", "1:own"].map(shape_of), [scheduled, vec![]]);
}

#[test]
fn next_calls_of_added_trips_obey_time_range_and_pickups() {
    let plain = snapshot();
    let trips = vec![added(&plain, "X", &[("L", 30_000), ("A", 30_600), ("L", 31_200)])];
    let live = plain.with_overlay(Some(Arc::new(Overlay { added: trips, ..Overlay::default() })));
    let seconds = |id: &str, from: i64, range: i64, omit_non_pickups: bool| -> Vec<i32> {
        let wanted = Upcoming { from: at(&live, "20241009", from), range, per_pattern: 3, omit_non_pickups };
        let groups = StopTimes::new(&live).upcoming(stop(&live, id), wanted);
        let added = groups.iter().flat_map(|group| &group.calls).filter(|c| c.state == RealtimeState::Added);
        added.map(|call| call.realtime_departure).collect()
    };
    assert_eq!(seconds("L", 29_000, 3600, false), [30_000, 31_200]);
    assert_eq!(seconds("L", 29_000, 3600, true), [30_000]);
    assert_eq!(seconds("L", 30_100, 3600, false), [31_200]);
    assert!(seconds("L", 29_000, 500, false).is_empty());
    assert!(seconds("L", 31_201, 3600, false).is_empty());
}

#[test]
fn a_skipped_stop_has_no_calls() {
    let plain = snapshot();
    let t1 = plain.graph.timetable.trip_by_id("1:T1").unwrap();
    let calls = [("A", 28_860), ("B", 29_520), ("C", 30_060)];
    let closed = || vec![0, 1, 0];
    let trip = AddedTrip {
        replaces: Some(t1),
        pickup: closed(),
        dropoff: closed(),
        skipped: vec![false, true, false],
        ..added(&plain, "T1", &calls)
    };
    let day = trip.service_date;
    let mut overlay = Overlay { added: vec![trip], ..Overlay::default() };
    overlay.scheduled.insert((t1, day), TripState::Modified);
    let live = plain.with_overlay(Some(Arc::new(overlay)));
    let first = TripIdx(plain.graph.timetable.trips.count() as u32);
    let pattern = live.live_schedule().pattern_of(first).unwrap();
    let at_stop = |id: &str| {
        let wanted = Upcoming {
            from: at(&live, "20241009", 28_000),
            range: 3600,
            per_pattern: 3,
            omit_non_pickups: false,
        };
        let groups = StopTimes::new(&live).upcoming(stop(&live, id), wanted);
        let calls =
            groups.iter().flat_map(|group| &group.calls).filter(|c| c.state == RealtimeState::Modified);
        calls.map(|call| call.realtime_departure).collect::<Vec<_>>()
    };
    assert_eq!((at_stop("A"), at_stop("B"), at_stop("C")), (vec![28_860], vec![], vec![30_060]));
    let patterns = |id: &str| related(&live, Relation::StopPatterns, &[stop(&live, id).0]).items;
    assert!(patterns("C").contains(&pattern.0) && !patterns("B").contains(&pattern.0));
    let times = StopTimes::new(&live).of_trip_on(first, day).calls;
    let shown: Vec<_> = times.iter().map(|c| (c.scheduled_arrival, c.realtime_arrival)).collect();
    assert_eq!(shown, [(28_800, 28_860), (29_400, -1), (30_000, 30_060)]);
    // The trip of the schedule is the one that clients know.
    assert_eq!(StopTimes::new(&live).of_trip_on(t1, day).calls, times);
    let tomorrow = StopTimes::new(&live).of_trip_on(t1, ServiceDate(day.0 + 1)).calls;
    assert!(tomorrow.iter().all(|call| call.state == RealtimeState::Scheduled));
}

#[test]
fn a_trip_that_passes_stops_keeps_its_schedule_beside_its_live_times() {
    let plain = snapshot();
    let t1 = plain.graph.timetable.trip_by_id("1:T1").unwrap();
    let replacing = |calls: &[(&str, i32)]| AddedTrip { replaces: Some(t1), ..added(&plain, "T1", calls) };
    let trips = vec![
        replacing(&[("A", 28_860), ("B", 29_520), ("C", 30_060)]),
        AddedTrip { sequences: vec![3, 8], ..replacing(&[("A", 28_860), ("L", 30_060)]) },
    ];
    let live = plain.with_overlay(Some(Arc::new(Overlay { added: trips, ..Overlay::default() })));
    let first = TripIdx(plain.graph.timetable.trips.count() as u32);
    let calls = StopTimes::new(&live).of_trip(first).calls;
    assert_eq!((calls[1].scheduled_departure, calls[1].realtime_departure), (29_460, 29_520));
    assert_eq!((calls[1].state, calls[1].service_day, calls[1].sequence), (RealtimeState::Modified, 0, 2));
    let diverted = StopTimes::new(&live).of_trip_on(TripIdx(first.0 + 1), date("20241009")).calls;
    assert_eq!((diverted[1].scheduled_departure, diverted[1].realtime_departure), (30_060, 30_060));
    assert_eq!((diverted[1].service_day, diverted[1].sequence), (at(&live, "20241009", 0), 8));
}

#[test]
fn relations_of_many_come_end_to_end() {
    let snapshot = snapshot();
    let timetable = &snapshot.graph.timetable;
    let ids = |relation, entities: &[u32]| {
        let lists = related(&snapshot, relation, entities);
        let names: Vec<&str> = lists
            .items
            .iter()
            .map(|&v| match relation {
                Relation::StopRoutes | Relation::AgencyRoutes => {
                    timetable.texts.get(timetable.routes.id[v as usize])
                }
                Relation::PatternTrips | Relation::RouteTrips => {
                    timetable.texts.get(timetable.trips.id[v as usize])
                }
                _ => timetable.texts.get(timetable.stops.id[v as usize]),
            })
            .collect();
        (lists.offsets, names.join(" "))
    };
    let (a, l) = (stop(&snapshot, "A").0, stop(&snapshot, "L").0);
    assert_eq!(ids(Relation::StopRoutes, &[a, l, 999]), (vec![0, 1, 2, 2], "R O".to_owned()));
    let looping = timetable.pattern_by_code("1:O:0:01").unwrap();
    assert_eq!(ids(Relation::PatternStops, &[looping.0]).1, "L B L");
    assert_eq!(ids(Relation::PatternTrips, &[looping.0]).1, "loop");
    let station = stop(&snapshot, "S").0;
    assert_eq!(ids(Relation::StationStops, &[station]).1, "A D");
    assert_eq!(ids(Relation::AgencyRoutes, &[0]).0, [0, 2]);
    assert_eq!(related(&snapshot, Relation::StopPatterns, &[l]).items, [looping.0]);
}

#[test]
fn stops_by_box_circle_and_cluster() {
    let snapshot = snapshot();
    let all = stops_in_box(&snapshot, LatLon::new(41.0, -8.6), LatLon::new(41.02, -8.6));
    assert_eq!(all.len(), 4);
    let near = stops_in_circle(&snapshot, LatLon::new(41.0, -8.6), 1200.0);
    let ids: Vec<u32> = near.iter().map(|(stop, _)| *stop).collect();
    assert_eq!(ids, [stop(&snapshot, "A").0, stop(&snapshot, "D").0, stop(&snapshot, "B").0]);
    assert!(stops_in_circle(&snapshot, LatLon::new(41.0, -8.6), 0.0).is_empty());
    let clusters = &snapshot.graph.listing.clusters;
    let shared = clusters.of_stop(stop(&snapshot, "A")).unwrap();
    assert_eq!(clusters.of_stop(stop(&snapshot, "D")), Some(shared));
    assert_eq!(clusters.get(shared).unwrap().name, "1ST & MAIN ST");
    assert_eq!(clusters.count(), 4);
    assert_eq!(clusters.find(clusters.get(0).unwrap().id), Some(0));
    assert_eq!(clusters.find("C999"), None);
}

#[test]
fn trips_by_their_first_departure() {
    let snapshot = snapshot();
    let timetable = &snapshot.graph.timetable;
    let route = timetable.route_by_id("1:R").unwrap().0;
    let found = |direction, day, time| {
        fuzzy_trip(&snapshot, route, direction, date(day), time)
            .map(|TripIdx(trip)| timetable.texts.get(timetable.trips.id[trip as usize]))
    };
    assert_eq!(found(0, "20241009", 8 * 3600), Some("T1"));
    assert_eq!(found(0, "20241012", 8 * 3600), None);
    assert_eq!(found(0, "20241012", 10 * 3600), Some("sat"));
    assert_eq!(found(1, "20241009", 9 * 3600), Some("back"));
    assert!(timetable.patterns.trips(PatternIdx(999)).is_empty());
}
