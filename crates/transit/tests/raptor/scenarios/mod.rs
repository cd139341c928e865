//! Modifications of a schedule, checked by the paths found afterwards.

mod consistency;

use trestle_model::geo::LatLon;
use trestle_transit::overlay::{Overlay, TripState};
use trestle_transit::raptor::ActiveService;
use trestle_transit::scenario::{
    AddedPattern, AddedTransferRule, FrequencyGroup, HopTimes, Modification, PatternDays, PatternRoute,
    PatternStarts, PatternStop, PatternTimetable, TransferEnd, TripSelection, apply,
};

use super::town::{Town, check, day, one, seconds};

const LINES: &str = "
    1/T1 : A 8:00, B 8:10-8:12, C 8:20, D 8:30
    1/T2 : A 9:00, B 9:10-9:12, C 9:20, D 9:30
    2/U1 : A 8:05, D 8:50
    3/V1 : D 8:33, E 8:40
    3/V2 : D 8:55, E 9:05
";

const T1: &str = "8:00 A -[T1]-> D 8:30";
const U1: &str = "8:05 A -[U1]-> D 8:50";

fn route(id: &str) -> TripSelection {
    TripSelection { routes: vec![format!("1:{id}")], ..TripSelection::default() }
}

fn trip(id: &str) -> TripSelection {
    TripSelection { trips: vec![format!("1:{id}")], ..TripSelection::default() }
}

fn stops(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| format!("1:{id}")).collect()
}

/// The town with modifications that report no warnings and no errors.
fn changed(modifications: &[Modification]) -> Town {
    let (town, reports) = Town::new(LINES).changed(modifications);
    for report in reports {
        assert_eq!((&report.warnings[..], report.error), (&[][..], None));
    }
    town
}

#[test]
fn a_scenario_without_modifications_is_the_schedule() {
    let town = changed(&[]);
    check(&town, "A -> D at 8:00", one, &[T1]);
    check(&town, "A -> E at 8:00", one, &["8:00 A -[T1]-> D 8:30, 8:33 D -[V1]-> E 8:40"]);
}

#[test]
fn removed_trips_do_not_run() {
    let town = changed(&[Modification::RemoveTrip(trip("T1"))]);
    check(&town, "A -> D at 8:00", one, &[U1]);
    let town = changed(&[Modification::RemoveTrip(TripSelection {
        route_types: vec![3],
        direction: Some(-1),
        ..TripSelection::default()
    })]);
    check(&town, "A -> D at 8:00", one, &[]);
    assert!(!town.timetable.stops.is_served(town.stop("A")));
    assert!(Town::new(LINES).timetable.stops.is_served(town.stop("A")));
}

#[test]
fn longer_dwells_shift_later_calls() {
    let dwell = |stops: &[&str], dwell: i32| Modification::AdjustDwellTime {
        trips: route("1"),
        stops: self::stops(stops),
        dwell,
    };
    check(&changed(&[dwell(&["B"], 300)]), "A -> D at 8:00", one, &["8:00 A -[T1]-> D 8:33"]);
    check(&changed(&[dwell(&["B"], 0)]), "A -> D at 8:00", one, &["8:00 A -[T1]-> D 8:28"]);
    let everywhere = dwell(&[], 60);
    check(&changed(&[everywhere]), "A -> D at 8:00", one, &["8:00 A -[T1]-> D 8:30"]);
    // Each modification applies to the result of those before it.
    let town = changed(&[dwell(&["B"], 300), dwell(&["C"], 60)]);
    check(&town, "A -> D at 8:00", one, &["8:00 A -[T1]-> D 8:34"]);
}

/// A ride from a stop to the same stop would be an alternative to walking.
#[test]
fn a_vehicle_that_turns_at_a_skipped_stop_waits_at_the_one_before() {
    let lines = "
        1/T1 : A 8:00, B 8:10, C 8:15-8:17, B 8:22, A 8:32
        1/T2 : A 9:00, B 9:10, C 9:15-9:17, B 9:22, D 9:32
    ";
    let skip = Modification::SkipStop { trips: route("1"), stops: stops(&["C"]) };
    let (town, reports) = Town::new(lines).changed(&[skip]);
    assert_eq!(reports[0].changed, 2);
    check(&town, "A -> B at 8:00", one, &["8:00 A -[T1]-> B 8:10"]);
    check(&town, "B -> A at 8:00", one, &["8:20 B -[T1]-> A 8:30"]);
    check(&town, "A -> D at 8:00", one, &["9:00 A -[T2]-> D 9:30"]);
    let calls = |id: &str| {
        let trip = town.timetable.trip_by_id(id).unwrap();
        let calls = town.timetable.trip_calls(trip);
        (0..calls.count()).map(|at| (calls.arrival(at) / 60, calls.departure(at) / 60)).collect::<Vec<_>>()
    };
    assert_eq!(calls("1:T1"), [(480, 480), (490, 500), (510, 510)]);
    assert_eq!(calls("1:T2"), [(540, 540), (550, 560), (570, 570)]);
}

#[test]
fn a_skipped_station_is_skipped_at_its_boarding_areas() {
    let parts =
        "stop S location_type=1\n stop P parent_station=S\n stop B location_type=4 parent_station=P\n";
    let skip = Modification::SkipStop { trips: route("1"), stops: stops(&["S"]) };
    let (town, _) = Town::new(&format!("{parts}{LINES}")).changed(&[skip]);
    check(&town, "A -> B at 8:00", one, &[]);
}

#[test]
fn skipped_stops_save_their_dwell() {
    let skip = |ids: &[&str]| Modification::SkipStop { trips: route("1"), stops: stops(ids) };
    let town = changed(&[skip(&["B"])]);
    check(&town, "A -> D at 8:00", one, &["8:00 A -[T1]-> D 8:28"]);
    check(&town, "A -> B at 8:00", one, &[]);
    check(&town, "B -> D at 8:00", one, &[]);
    // Without the first stop the other times stay the same; without the last one the trip ends earlier.
    let town = changed(&[skip(&["A"])]);
    check(&town, "B -> D at 8:00", one, &["8:12 B -[T1]-> D 8:30"]);
    let town = changed(&[skip(&["D"])]);
    check(&town, "A -> C at 8:00", one, &["8:00 A -[T1]-> C 8:20"]);
    check(&town, "A -> D at 8:01", one, &[U1]);
    let (town, reports) = Town::new(LINES).changed(&[skip(&["A", "B", "C"])]);
    assert_eq!(reports[0].warnings, ["2 trips have fewer than two stops left and do not run any more"]);
    check(&town, "A -> D at 8:00", one, &[U1]);
    let (_, reports) = Town::new("1/T1 : A 8:00, B 8:10").changed(&[skip(&["A"])]);
    assert_eq!(reports[0].warnings, ["1 trip has fewer than two stops left and does not run any more"]);
}

#[test]
fn timetables_become_headways_and_headways_change() {
    let lines = "
        1/T1 : A 8:00, B 8:10
        1/T2 : A 8:10, B 8:20
        1/T3 : A 8:20, B 8:32
        1/T4 : A 12:00, B 12:10
    ";
    let convert = Modification::ConvertToFrequency {
        trips: route("1"),
        group: FrequencyGroup::Pattern,
        starts: (seconds("8:00"), seconds("9:00")),
    };
    let (town, reports) = Town::new(lines).changed(std::slice::from_ref(&convert));
    assert_eq!((reports[0].changed, reports[0].warnings.len()), (3, 0));
    assert_eq!(town.timetable.trips.frequencies[0].headway, 600);
    // The wait is the longest possible: a whole headway.
    check(&town, "A -> B at 8:03", one, &["8:13 A -[T1]-> B 8:23"]);
    check(&town, "A -> B at 11:00", one, &["12:00 A -[T4]-> B 12:10"]);
    let faster = Modification::AdjustHeadway { trips: route("1"), headway: 120, starts: ALL_DAY };
    let (town, reports) = Town::new(lines).changed(&[convert, faster.clone()]);
    assert_eq!(reports[1].changed, 1);
    check(&town, "A -> B at 8:03", one, &["8:05 A -[T1]-> B 8:15"]);
    let (town, reports) = Town::new(lines).changed(&[faster]);
    assert_eq!(
        reports[0].warnings,
        [
            "4 trips run by timetable and stay as they are; convert-to-frequency makes them frequency-based",
            "changes nothing"
        ]
    );
    check(&town, "A -> B at 8:03", one, &["8:10 A -[T2]-> B 8:20"]);
}

fn new_line(stops: Vec<PatternStop>, timetable: PatternTimetable) -> Modification {
    Modification::AddTripPattern(AddedPattern {
        route: PatternRoute::New { name: "X".to_owned(), route_type: 0, agency: None },
        direction: 0,
        headsign: None,
        stops,
        timetables: vec![timetable],
    })
}

fn known(id: &str) -> PatternStop {
    PatternStop::Known(format!("1:{id}"))
}

fn at_eight() -> PatternTimetable {
    PatternTimetable {
        starts: PatternStarts::At(vec![seconds("8:01")]),
        hops: HopTimes::Seconds(vec![120]),
        dwells: Vec::new(),
        days: PatternDays::Weekdays([true, false, false, false, false, false, false]),
    }
}

const ALL_DAY: (i32, i32) = (0, i32::MAX);

#[test]
fn headways_change_within_hours() {
    let lines = "
        1/T1 : A 7:00, B 7:10

        table frequencies.txt
        trip_id,start_time,end_time,headway_secs
        T1,7:00:00,10:00:00,1200
    ";
    let rush = Modification::AdjustHeadway {
        trips: route("1"),
        headway: 300,
        starts: (seconds("8:00"), seconds("8:30")),
    };
    let (town, reports) = Town::new(lines).changed(&[rush]);
    assert_eq!(reports[0].changed, 1);
    let trip = town.timetable.trip_by_id("1:T1").unwrap();
    let rows: Vec<_> = town
        .timetable
        .trips
        .frequencies_of(trip)
        .iter()
        .map(|row| (row.start, row.end, row.headway))
        .collect();
    let at = |start: &str, end: &str, headway| (seconds(start), seconds(end), headway);
    assert_eq!(rows, [at("7:00", "8:00", 1200), at("8:00", "8:30", 300), at("8:30", "10:00", 1200)]);
}

#[test]
fn moved_stops_keep_their_calls() {
    let there = LatLon::new(41.5, -8.6);
    let shift = |id: &str| Modification::MoveStop { stop: format!("1:{id}"), position: there };
    let base = Town::new(LINES);
    let applied = apply(&base.timetable, &[shift("D"), shift("none")]);
    assert_eq!(applied.reports[1].error.as_deref(), Some("unknown stop '1:none'"));
    assert!(applied.reports[0].changed > 0);
    let stop = base.timetable.stop_by_id("1:D").unwrap();
    assert_eq!(applied.placed_stops.iter().map(|placed| placed.stop).collect::<Vec<_>>(), [stop]);
    let stops = &applied.timetable.stops;
    assert_eq!((stops.lat[stop.index()], stops.lon[stop.index()]), (41.5, -8.6));
    assert_eq!(applied.timetable.trips.count(), base.timetable.trips.count());
    check(&changed(&[shift("D")]), "A -> E at 8:00", one, &["8:00 A -[T1]-> D 8:30, 8:33 D -[V1]-> E 8:40"]);
}

#[test]
fn new_lines_run() {
    let town = changed(&[new_line(vec![known("A"), known("D")], at_eight())]);
    check(&town, "A -> D at 8:00", one, &["8:01 A -[scenario-trip-1]-> D 8:03"]);
    let route = town.timetable.route_by_id("1:scenario-route-1").unwrap();
    assert_eq!(town.timetable.texts.get(town.timetable.routes.short_name[route.index()]), "X");
    let pattern = town.timetable.pattern_by_code("1:scenario-route-1:0:s01").unwrap();
    assert_eq!(town.timetable.texts.get(town.timetable.patterns.name[pattern.index()]), "X to Stop_D");
    // The line runs on Mondays only.
    let tuesday = |r: &mut trestle_model::RoutingRequest| {
        r.num_itineraries = 1;
        r.epoch_seconds += 86_400;
    };
    let path = &town.ask("A -> D at 8:00", tuesday)[0];
    assert_eq!(town.timetable.trip_id(path.rides[0].trip), "1:T1");
    let every = PatternTimetable {
        starts: PatternStarts::Every { headway: 300, start: seconds("7:00"), end: seconds("9:00") },
        dwells: vec![0, 30, 0],
        hops: HopTimes::Seconds(vec![60, 60]),
        ..at_eight()
    };
    let town = changed(&[new_line(vec![known("A"), known("C"), known("E")], every)]);
    check(&town, "A -> E at 8:00", one, &["8:05 A -[scenario-trip-1]-> E 8:07:30"]);
}

#[test]
fn a_station_that_vehicles_call_at_is_a_stop() {
    let end = || TransferEnd { stop: "1:D".to_owned(), route: None, trip: None };
    let forbidden = AddedTransferRule { from: end(), to: end(), kind: 3, seconds: None };
    let modifications = [
        Modification::MoveStop { stop: "1:D".to_owned(), position: LatLon::new(41.5, -8.6) },
        new_line(vec![known("A"), known("D")], at_eight()),
        Modification::TransferRule(forbidden),
    ];
    let base = Town::new(&format!("stop D location_type=1\nstop S location_type=1\n{LINES}"));
    let (town, reports) = base.changed(&modifications);
    assert_eq!(reports.iter().map(|report| report.error.as_deref()).collect::<Vec<_>>(), [None; 3]);
    assert!(reports.iter().all(|report| report.changed > 0));
    check(&town, "A -> D at 8:00", one, &["8:01 A -[scenario-trip-1]-> D 8:03"]);
    check(&town, "A -> E at 8:00", one, &[]);
    let unserved = Modification::MoveStop { stop: "1:S".to_owned(), position: LatLon::new(41.5, -8.6) };
    let (_, reports) = base.changed(&[unserved]);
    assert_eq!(
        reports[0].error.as_deref(),
        Some("'1:S' is a station or entrance that no vehicle calls at: name one of its stops")
    );
}

#[test]
fn new_stops_join_the_schedule() {
    let stop = PatternStop::New { position: LatLon::new(41.5, -8.6), name: "New town".to_owned() };
    let by_speed = PatternTimetable { hops: HopTimes::Speed(20.0), ..at_eight() };
    let lines = [
        new_line(vec![known("A"), stop.clone()], at_eight()),
        new_line(
            vec![stop, known("D")],
            PatternTimetable { starts: PatternStarts::At(vec![seconds("8:03")]), ..by_speed },
        ),
    ];
    let applied = apply(&Town::new(LINES).timetable, &lines);
    assert_eq!(applied.placed_stops.len(), 1);
    assert_eq!(applied.new_patterns.len(), 2);
    let town = changed(&lines);
    let paths = town.ask("A -> D at 8:00", one);
    // 0.47 degrees at 20 m/s: 43 minutes.
    assert_eq!(paths[0].rides.len(), 1);
    let expected =
        "8:01 A -[scenario-trip-1]-> scenario-stop-1 8:03, 8:03 scenario-stop-1 -[scenario-trip-2]-> D 8:";
    let only_new = |r: &mut trestle_model::RoutingRequest| {
        r.num_itineraries = 1;
        r.modes = trestle_model::mode::ModeSet::of(&[trestle_model::Mode::Tram]);
    };
    let line = town.describe(&town.ask("A -> D at 8:00", only_new)[0]);
    assert!(line.starts_with(expected), "{line}");
}

#[test]
fn transfer_rules_apply() {
    let end = |trip: Option<&str>| TransferEnd {
        stop: "1:D".to_owned(),
        route: None,
        trip: trip.map(|id| format!("1:{id}")),
    };
    let rule = |kind: u32, seconds: Option<i32>, to_trip: Option<&str>| {
        Modification::TransferRule(AddedTransferRule { from: end(None), to: end(to_trip), kind, seconds })
    };
    let (short, long) =
        ("8:00 A -[T1]-> D 8:30, 8:33 D -[V1]-> E 8:40", "8:05 A -[U1]-> D 8:50, 8:55 D -[V2]-> E 9:05");
    check(&changed(&[]), "A -> E at 8:00", one, &[short]);
    check(&changed(&[rule(2, Some(180), None)]), "A -> E at 8:00", one, &[short]);
    check(
        &changed(&[rule(2, Some(181), None)]),
        "A -> E at 8:00",
        |r| {
            one(r);
            r.banned_trips =
                vec![trestle_model::request::BannedTrip { trip: "1:T1".into(), stop_positions: vec![] }];
        },
        &[long],
    );
    check(&changed(&[rule(3, None, None)]), "A -> E at 8:00", one, &[]);
    // A rule for a trip also holds after an earlier modification has changed the trip.
    let stay = Modification::AdjustDwellTime { trips: route("1"), stops: stops(&["B"]), dwell: 60 };
    let town = changed(&[stay, rule(3, None, Some("V1"))]);
    let line = town.describe(&town.ask("A -> E at 8:00", one)[0]);
    assert!(line.ends_with("8:55 D -[V2]-> E 9:05"), "{line}");
}

#[test]
fn riders_still_stay_seated() {
    let lines = "
        1/T1 block_id=b : A 8:00, B 8:10
        2/T2 block_id=b : B 8:12, C 8:20, D 8:30
    ";
    let seated = "8:00 A -[T1]-> B 8:10 on 8:12 B -[T2]-> D 8:30";
    check(&Town::new(lines), "A -> D at 8:00", one, &[seated]);
    let stay = Modification::AdjustDwellTime { trips: route("2"), stops: stops(&["C"]), dwell: 60 };
    let (town, _) = Town::new(lines).changed(std::slice::from_ref(&stay));
    check(&town, "A -> D at 8:00", one, &["8:00 A -[T1]-> B 8:10 on 8:12 B -[T2]-> D 8:31"]);
    let (town, _) = Town::new(lines).changed(&[stay, Modification::RemoveTrip(trip("T1"))]);
    check(&town, "A -> D at 8:00", one, &[]);
}

#[test]
fn unknown_ids_are_reported() {
    let message = |modification: Modification| {
        let (_, reports) = Town::new(LINES).changed(&[modification]);
        let report = &reports[0];
        report.error.clone().unwrap_or_else(|| report.warnings.join(", "))
    };
    assert_eq!(message(Modification::RemoveTrip(route("9"))), "unknown route '1:9'");
    assert_eq!(
        message(Modification::RemoveTrip(TripSelection::default())),
        "selects no trips: name agencies, routes, patterns, trips or route types"
    );
    let some = TripSelection { routes: vec!["1:9".into(), "1:2".into()], ..TripSelection::default() };
    assert_eq!(message(Modification::RemoveTrip(some)), "unknown route '1:9'");
    assert_eq!(
        message(Modification::SkipStop { trips: route("1"), stops: stops(&["E"]) }),
        "changes nothing"
    );
    assert_eq!(
        message(Modification::SkipStop { trips: route("1"), stops: stops(&["Z"]) }),
        "unknown stop '1:Z'"
    );
    assert_eq!(message(new_line(vec![known("A"), known("Z")], at_eight())), "unknown stop '1:Z'");
    assert_eq!(
        message(new_line(vec![known("A"), known("B"), known("C")], at_eight())),
        "hopTimes: 1 are given for 2 hops"
    );
    assert_eq!(message(new_line(vec![known("A")], at_eight())), "needs at least two stops");
}

#[test]
fn live_data_applies_only_to_unmodified_trips() {
    let town = Town::new(LINES);
    let stay = Modification::AdjustDwellTime { trips: trip("T1"), stops: stops(&["B"]), dwell: 60 };
    let applied = apply(&town.timetable, &[stay]);
    let mut overlay = Overlay::default();
    for id in ["1:T1", "1:U1"] {
        overlay.scheduled.insert((town.timetable.trip_by_id(id).unwrap(), day()), TripState::Canceled);
    }
    let service = ActiveService::compile(&applied.timetable, day(), 1, Some(&overlay));
    let live = Town { timetable: applied.timetable, service, day_start: town.day_start };
    check(&live, "A -> D at 8:00", one, &["8:00 A -[T1]-> D 8:29"]);
    let none_later = |r: &mut trestle_model::RoutingRequest| {
        one(r);
        r.banned_trips =
            vec![trestle_model::request::BannedTrip { trip: "1:T1".into(), stop_positions: vec![] }];
    };
    check(&live, "A -> D at 8:00", none_later, &["9:00 A -[T2]-> D 9:30"]);
}

#[test]
fn scenarios_keep_the_limits_of_feeds() {
    let town = Town::new(
        "1/T1 : A 8:00, B 8:10, A 8:20
         1/T2 : A 8:00, B 8:10

         table frequencies.txt
         trip_id,start_time,end_time,headway_secs,exact_times
         T2,0:00:00,239:00:00,600,1",
    );
    let pattern = AddedPattern {
        route: PatternRoute::Known("1:1".to_owned()),
        direction: 0,
        headsign: None,
        stops: vec![known("A"), known("B")],
        timetables: vec![PatternTimetable {
            starts: PatternStarts::At(vec![28_800, 604_800]),
            hops: HopTimes::Seconds(vec![604_800]),
            dwells: Vec::new(),
            days: PatternDays::Service("1:D".to_owned()),
        }],
    };
    let (changed, reports) = town.changed(&[
        Modification::AdjustHeadway { trips: trip("T2"), headway: 1, starts: ALL_DAY },
        Modification::AdjustHeadway { trips: trip("T2"), headway: 300, starts: ALL_DAY },
        Modification::AdjustDwellTime { trips: trip("T1"), stops: Vec::new(), dwell: 900_000 },
        Modification::AddTripPattern(pattern),
    ]);
    let outcomes: Vec<_> = reports.iter().map(|r| (r.changed, r.error.is_some(), r.warnings.len())).collect();
    assert_eq!(outcomes, [(0, true, 0), (1, false, 0), (0, false, 2), (0, true, 0)], "{reports:?}");
    assert_eq!(changed.timetable.trips.count(), town.timetable.trips.count() + 1, "only T2 is replaced");
}
