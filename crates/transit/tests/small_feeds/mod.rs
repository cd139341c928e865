//! The build on small feeds.

mod limits;
mod several_feeds;
mod shapes;
mod stations;

use crate::support::feed::{timetable, timetable_with_issues};
use trestle_model::ids::{PatternIdx, RouteIdx, StopIdx, TripIdx};
use trestle_transit::build::TransitBuildOptions;
use trestle_transit::timetable::{Continuation, Timetable, TransferRule};
use trestle_transit::transfers::fixed_transfers;
use trestle_transit::{listing_order, semantic_hash};

const TOWN: &str = "
    stop A 41.000 -8.600 zone_id=Z1
    stop B 41.010 -8.600
    stop C 41.020 -8.600
    stop D 41.030 -8.600
    route R 3 route_short_name=10
    service WK 20240101 20241231 1111100
    service SA 20240101 20241231 0000010
";

fn town(more: &str) -> (Timetable, Vec<String>) {
    timetable(&format!("{TOWN}\n{more}"))
}

/// `code = name: trips` of every pattern, trips sorted.
fn patterns(timetable: &Timetable) -> Vec<String> {
    let text = |index: u32| timetable.texts.get(index);
    let describe = |p: usize| {
        let pattern = PatternIdx::from(p);
        let mut trips: Vec<&str> =
            timetable.patterns.trips(pattern).map(|trip| text(timetable.trips.id[trip])).collect();
        trips.sort_unstable();
        format!(
            "{} = {}: {}",
            text(timetable.patterns.code[p]),
            text(timetable.patterns.name[p]),
            trips.join(" ")
        )
    };
    let mut lines: Vec<String> = (0..timetable.patterns.count()).map(describe).collect();
    lines.sort_unstable();
    lines
}

fn trip(timetable: &Timetable, id: &str) -> TripIdx {
    timetable.trip_by_id(&format!("1:{id}")).unwrap_or_else(|| panic!("no trip {id}"))
}

/// `stop arrival-departure` of a trip's calls.
fn calls(timetable: &Timetable, id: &str) -> String {
    let trip = trip(timetable, id);
    let times = timetable.trip_calls(trip);
    let stops = timetable.patterns.stops(timetable.pattern_of(trip));
    let call = |i: usize| {
        let stop = timetable.texts.get(timetable.stops.id[stops[i] as usize]);
        format!("{stop} {}-{}", times.arrival(i), times.departure(i))
    };
    (0..stops.len()).map(call).collect::<Vec<_>>().join(", ")
}

#[test]
fn trips_with_one_sequence_of_calls_share_a_pattern() {
    let (timetable, issues) = town(
        "trip T1 R WK direction_id=0 : A 8:00:00, B 8:10:00, C 8:20:00
         trip T2 R SA direction_id=0 : A 9:00:00, B 9:10:00, C 9:20:00
         trip T3 R WK direction_id=0 : A 8:00:00, B 8:10:00 pickup_type=1, C 8:20:00
         trip T4 R WK direction_id=1 : C 8:00:00, B 8:10:00, A 8:20:00
         trip T5 R WK : A 8:00:00, D 8:10:00",
    );
    assert_eq!(issues, [""; 0]);
    let lines = patterns(&timetable);
    let by_trips = |trips: &str| lines.iter().find(|line| line.ends_with(&format!(": {trips}"))).unwrap();
    assert_eq!(lines.len(), 4);
    assert!(by_trips("T1 T2").contains(" = 10 to Stop_C (1:C) from Stop_A (1:A) express"));
    assert!(by_trips("T3").contains(" = 10 to Stop_C (1:C) from Stop_A (1:A) express"));
    assert_eq!(by_trips("T4"), "1:R:1:01 = 10 to Stop_A (1:A): T4");
    assert_eq!(by_trips("T5"), "1:R::01 = 10 to Stop_D (1:D): T5");
}

#[test]
fn pattern_names_are_as_long_as_needed_to_differ() {
    let (timetable, _) = town(
        "route S 3 route_short_name=10
         trip T1 R WK : A 8:00:00, B 8:05:00, D 8:10:00
         trip T2 R WK : A 8:00:00, C 8:05:00, D 8:10:00
         trip T3 R WK : A 8:00:00, D 8:10:00
         trip T4 R WK : B 8:00:00, D 8:10:00
         trip T5 S WK : A 8:00:00, B 8:10:00",
    );
    let names: Vec<String> =
        patterns(&timetable).iter().map(|l| l.split(" = ").nth(1).unwrap().to_owned()).collect();
    for expected in [
        "10 to Stop_D (1:D) from Stop_A (1:A) via Stop_B (1:B): T1",
        "10 to Stop_D (1:D) from Stop_A (1:A) via Stop_C (1:C): T2",
        "10 to Stop_D (1:D) from Stop_A (1:A) like trip 1_T3: T3",
        "10 to Stop_D (1:D) from Stop_B (1:B): T4",
    ] {
        // The order of their ids decides which of the two routes called 10 keeps its name.
        assert!(
            names.iter().any(|name| name.replacen("10 2 ", "10 ", 1) == expected),
            "{expected} in {names:?}"
        );
    }
    assert!(names.iter().any(|name| name == "10: T5" || name == "10 2: T5"));
    assert_eq!(
        names.iter().filter(|name| name.starts_with("10 2")).count() % 3,
        1,
        "one route has the number"
    );
}

#[test]
fn stop_times_are_sorted_and_repaired() {
    let (timetable, issues) = town(
        "trip T1 R WK : A 8:00:00, B -, C 8:10:01
         trip T2 R WK : A 23:59:00, B 0:01:00, C 0:05:00
         trip T3 R WK : A 8:00:00, A 8:01:00, B 7:00:00
         trip T4 R WK : A 8:00:00
         trip T5 R WK : A 25:10:00, B 25:20:00-25:21:00",
    );
    assert_eq!(calls(&timetable, "T1"), "A 28800-28800, B 29100-29100, C 29401-29401");
    assert_eq!(calls(&timetable, "T2"), "A 86340-86340, B 86460-86460, C 86700-86700");
    assert_eq!(calls(&timetable, "T3"), "A 28800-28860, B 28860-28860");
    assert_eq!(calls(&timetable, "T5"), "A 90600-90600, B 91200-91260");
    assert_eq!(timetable.trip_by_id("1:T4"), None);
    let expected = [
        "f/stop_times.txt:6: unmarked-midnight",
        "f/stop_times.txt:9: repeated-call",
        "f/stop_times.txt:10: backward-time",
        "f/trips.txt:5: trip-with-too-few-calls",
    ];
    assert_eq!(issues, expected);
}

#[test]
fn timepoints_headsigns_and_frequencies_belong_to_their_trips() {
    let (timetable, _) = town(
        "trip T1 R WK : A 8:00:00, B -, C 8:20:00
         trip T2 R WK : A 8:00:00 timepoint=0, B 8:10:00 timepoint=1 stop_headsign=Beach, C 8:20:00
         table frequencies.txt
         trip_id,start_time,end_time,headway_secs,exact_times
         T1,6:00:00,7:00:00,600,1
         T1,7:00:00,6:00:00,600,0
         T1,9:00:00,10:00:00,300,
         T9,9:00:00,10:00:00,300,",
    );
    let (t1, t2) = (trip(&timetable, "T1"), trip(&timetable, "T2"));
    assert_eq!(timetable.trip_calls(t1).timepoints, [1, 0, 1]);
    assert_eq!(timetable.trip_calls(t2).timepoints, [0, 1, 0]);
    assert_eq!(timetable.trip_calls(t1).headsigns, None);
    let headsigns = timetable.trip_calls(t2).headsigns.unwrap().iter().map(|&text| timetable.texts.get(text));
    assert_eq!(headsigns.collect::<Vec<_>>(), ["", "Beach", ""]);
    let frequencies = timetable.trips.frequencies_of(t1).iter().map(|f| (f.start, f.end, f.headway, f.exact));
    assert_eq!(frequencies.collect::<Vec<_>>(), [(21600, 25200, 600, 1), (32400, 36000, 300, 0)]);
    assert_eq!(semantic_hash::trip(&timetable, t1), "");
    assert_eq!(semantic_hash::trip(&timetable, t2).len(), 13);
}

/// `from to` of the trips between which riders stay seated, `from to +1` over midnight.
fn continuations(timetable: &Timetable) -> Vec<String> {
    let id = |trip: u32| timetable.texts.get(timetable.trips.id[trip as usize]);
    let pair = |row: &Continuation| {
        let later = if row.days == 0 { String::new() } else { format!(" +{}", row.days) };
        format!("{} {}{later}", id(row.from_trip), id(row.to_trip))
    };
    timetable.trips.continuations.iter().map(pair).collect()
}

#[test]
fn vehicles_continue_within_their_block_and_service() {
    let (timetable, issues) = town(
        "stop B2 41.0101 -8.600
         trip T1 R WK block_id=b : A 8:00:00, B 8:10:00
         trip T2 R WK block_id=b : B2 8:10:00, C 8:20:00
         trip T3 R WK block_id=b : D 8:30:00, A 8:40:00
         trip T4 R WK block_id=b : A 8:35:00, B 8:50:00
         trip T5 R SA block_id=b : C 8:20:00, D 8:50:00",
    );
    assert_eq!(continuations(&timetable), ["T1 T2"]);
    assert_eq!(issues, ["f/trips.txt:3: broken-block", "f/trips.txt:4: broken-block"], "too far, too early");
}

#[test]
fn transfers_txt_says_where_riders_stay_seated() {
    let (timetable, issues) = town(
        "trip T1 R WK block_id=b : A 8:00:00, B 8:10:00
         trip T2 R WK block_id=b : B 8:15:00, C 8:25:00
         trip T3 R WK block_id=b : C 8:30:00, D 8:40:00
         trip T4 R WK : D 8:45:00, A 8:55:00
         trip T5 R WK : A 8:50:00, B 9:00:00
         trip T6 R SA : A 9:00:00, B 9:10:00
         trip T7 R MO : A 9:00:00, B 9:10:00
         service MO 20240101 20241231 1000000
         table transfers.txt
         from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id
         B,B,5,T1,T2
         ,,4,T2,T3
         ,,4,T3,T4
         A,A,4,T4,T5
         A,A,4,T4,T6
         ,,4,T4,
         ,,4,T4,T7
         ,,4,T6,T7",
    );
    assert_eq!(continuations(&timetable), ["T2 T3", "T3 T4", "T4 T7"]);
    assert_eq!(
        issues,
        [
            "f/transfers.txt:7: unknown-reference",
            "f/transfers.txt:5: broken-block",
            "f/transfers.txt:6: broken-block",
            "f/transfers.txt:9: broken-block"
        ]
    );
    assert!(timetable.transfers.rules.is_empty());
}

#[test]
fn rows_about_staying_seated_need_no_columns_of_stops() {
    let (timetable, issues) = town(
        "trip T1 R WK : A 8:00:00, B 8:10:00
         trip T2 R WK : B 8:15:00, C 8:25:00
         table transfers.txt
         transfer_type,from_trip_id,to_trip_id
         4,T1,T2",
    );
    assert_eq!((continuations(&timetable), issues), (vec!["T1 T2".to_owned()], vec![]));
}

/// Continuations with rows of transfers.txt of type 4, and the messages about them.
fn linked(more: &str, rows: &[&str]) -> (Vec<String>, Vec<String>) {
    let rows: String = rows.iter().map(|row| format!("\n,,4,{row}")).collect();
    let (timetable, issues) = timetable_with_issues(&format!(
        "{TOWN}
         service MO 20240101 20241231 1000000
         service TU 20240101 20241231 0100000
         {more}
         table transfers.txt
         from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id{rows}"
    ));
    let messages = issues.issues().iter().map(|issue| format!("{}: {}", issue.line, issue.message));
    (continuations(&timetable), messages.collect())
}

#[test]
fn trips_continue_as_another_trip_on_other_days() {
    let trips = "
        trip T R WK : A 8:00:00, B 8:10:00
        trip U R MO : B 8:15:00, C 8:25:00
        trip V R TU : B 8:15:00, C 8:25:00
        trip W R TU : A 8:05:00, B 8:12:00
        trip X R MO : B 8:16:00, D 8:30:00";
    let (joined, messages) = linked(trips, &["T,U", "T,V", "W,V", "T,V", "T,X"]);
    assert_eq!(joined, ["T U", "T V", "W V", "T X"]);
    assert_eq!(messages, [""; 0]);
}

/// Vehicles of no block are parts of trains; the trips of a block are one vehicle.
#[test]
fn vehicles_of_a_block_continue_as_one_trip_a_day() {
    let trips = "
        trip T R WK block_id=b : A 8:00:00, B 8:10:00
        trip U R MO : B 8:15:00, C 8:25:00
        trip V R TU block_id=b : B 8:15:00, C 8:25:00
        trip W R TU block_id=b : A 8:05:00, B 8:12:00
        trip X R TU block_id=b : B 8:16:00, D 8:30:00";
    let (joined, messages) = linked(trips, &["T,U", "T,V", "W,V", "T,V", "T,X"]);
    assert_eq!(joined, ["T V", "W V", "T X", "T U"]);
    let expected = [
        "4: on some days the second trip continues another one of its block already; riders have to change",
        "6: on some days the first trip has another next trip in its block already; riders have to change",
        "4: after trip V: the next trip of the block starts earlier; riders have to change",
    ];
    assert_eq!(messages, expected);
}

#[test]
fn vehicles_continue_over_midnight() {
    let trips = "
        trip T R MO : A 23:50:00, B 24:10:00
        trip U R TU : B 0:15:00, C 0:25:00
        trip V R MO : B 0:15:00, C 0:25:00
        trip W R WK : B 0:05:00, C 0:25:00
        trip X R TU : B 12:11:00, C 12:25:00";
    let (joined, messages) = linked(trips, &["T,U", "T,V", "T,W", "T,X", "U,T"]);
    assert_eq!(joined, ["T U +1"]);
    let expected = [
        "3: the trips never run on one day and the next; riders have to change",
        "4: the second trip starts earlier; riders have to change",
        "5: the second trip starts earlier; riders have to change",
        "6: the trips never run on the same day; riders have to change",
    ];
    assert_eq!(messages, expected);
}

#[test]
fn transfer_rules_of_stations_apply_to_their_stops() {
    let (timetable, issues) = town(
        "stop S 41.0 -8.6 location_type=1
         stop S1 41.0 -8.6 parent_station=S
         stop S2 41.0 -8.6 parent_station=S
         stop X 41.0 -8.6 parent_station=nowhere
         trip T1 R WK : A 8:00:00, B 8:10:00
         table transfers.txt
         from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_route_id,to_trip_id
         S,A,2,120,,
         A,S1,3,,R,T1
         A,B,0,,,
         A,nowhere,0,,,
         A,C,6,,,",
    );
    let stop = |id: &str| timetable.stop_by_id(&format!("1:{id}")).unwrap().0;
    let any = TransferRule {
        from_route: u32::MAX,
        to_route: u32::MAX,
        from_trip: u32::MAX,
        to_trip: u32::MAX,
        ..Default::default()
    };
    let rule = |from: &str, to: &str| TransferRule { from_stop: stop(from), to_stop: stop(to), ..any };
    let expected = [
        TransferRule { seconds: -1, ..rule("A", "B") },
        TransferRule {
            seconds: -1,
            kind: 3,
            from_route: 0,
            to_trip: trip(&timetable, "T1").0,
            ..rule("A", "S1")
        },
        TransferRule { seconds: 120, kind: 2, ..rule("S1", "A") },
        TransferRule { seconds: 120, kind: 2, ..rule("S2", "A") },
    ];
    assert_eq!(&timetable.transfers.rules[..], &expected);
    assert_eq!(
        issues,
        [
            "f/stops.txt:9: unknown-reference",
            "f/transfers.txt:5: unknown-reference",
            "f/transfers.txt:6: unused-transfer-type"
        ]
    );
    let options =
        TransitBuildOptions { use_transfers_txt: true, station_transfers: true, ..Default::default() };
    let edges: Vec<_> = fixed_transfers(&timetable, &options)
        .iter()
        .map(|e| (e.from_stop.0, e.transfer.other_stop, e.transfer.seconds))
        .collect();
    let (a, s1, s2) = (stop("A"), stop("S1"), stop("S2"));
    assert_eq!(edges, [(a, stop("B"), 1111), (s1, a, 120), (s2, a, 120), (s1, s2, 0), (s2, s1, 0)]);
}

#[test]
fn broken_rows_are_dropped_and_reported() {
    let (timetable, issues) = town(
        "stop A 1 2
         stop N - -
         stop O 99 0
         route Q 1500
         route R 3
         trip T1 R WK : A 8:00:00, B 8:10:00
         trip T2 Q WK : A 8:00:00, B 8:10:00
         trip T3 R XX : A 8:00:00, B 8:10:00
         trip T4 R WK : A 8:00:00, Q 8:05:00, B x",
    );
    assert_eq!(timetable.trips.count(), 1);
    assert_eq!(timetable.stops.id.len(), 4);
    let expected = [
        "f/stops.txt:6: repeated-id",
        "f/stops.txt:7: bad-value",
        "f/stops.txt:7: bad-value",
        "f/stops.txt:7: stop-without-position",
        "f/stops.txt:8: stop-without-position",
        "f/routes.txt:3: unusable-route-type",
        "f/routes.txt:4: repeated-id",
        "f/trips.txt:3: unknown-reference",
        "f/trips.txt:4: unknown-reference",
        "f/stop_times.txt:4: unknown-reference",
        "f/stop_times.txt:5: unknown-reference",
        "f/stop_times.txt:6: unknown-reference",
        "f/stop_times.txt:7: unknown-reference",
        "f/stop_times.txt:9: unknown-reference",
        "f/stop_times.txt:10: bad-value",
        "f/stop_times.txt:10: bad-value",
        "f/stop_times.txt:10: call-without-time",
        "f/trips.txt:5: trip-with-too-few-calls",
    ];
    assert_eq!(issues, expected);
}

#[test]
fn colors_lose_their_number_signs() {
    let (timetable, issues) = town(
        "route Q 3 route_color=#f40606 route_text_color=FFFFFF
         route S 3 route_color=00ff00 route_text_color=#000000",
    );
    let texts =
        |column: &[u32]| column.iter().map(|&text| timetable.texts.get(text).to_owned()).collect::<Vec<_>>();
    assert_eq!(texts(&timetable.routes.color), ["", "f40606", "00ff00"]);
    assert_eq!(texts(&timetable.routes.text_color), ["", "FFFFFF", "000000"]);
    assert_eq!(issues, ["f/routes.txt:3: color-with-number-sign", "f/routes.txt:4: color-with-number-sign"]);
}

#[test]
fn entities_are_found_by_outer_id() {
    let (timetable, _) = town("stop x:y 41 -8\ntrip T1 R WK direction_id=1 : A 8:00:00, B 8:10:00");
    assert_eq!(timetable.stop_by_id("1:x:y"), Some(StopIdx(4)));
    assert_eq!(timetable.stop_id(StopIdx(4)), "1:x:y");
    assert_eq!(timetable.route_by_id("1:R"), Some(RouteIdx(0)));
    assert_eq!(timetable.trip_by_id("1:T1"), Some(TripIdx(0)));
    assert_eq!(timetable.pattern_by_code("1:R:1:01"), Some(PatternIdx(0)));
    assert_eq!(timetable.service_by_id("1:SA").map(|s| timetable.service_id(s)), Some("1:SA".to_owned()));
    assert_eq!(timetable.agency_by_id("1", "AG").map(|agency| agency.0), Some(0));
    for unknown in ["", "R", "1:", "1:Q", "2:R", ":"] {
        assert_eq!(timetable.route_by_id(unknown), None, "{unknown}");
        assert_eq!(timetable.stop_by_id(unknown), None, "{unknown}");
        assert_eq!(timetable.pattern_by_code(unknown), None, "{unknown}");
    }
    assert_eq!(timetable.stops.calls_at(StopIdx(1)), [[0, 1]]);
    assert_eq!(timetable.routes.patterns_of(RouteIdx(0)), [0]);
    assert_eq!(listing_order::patterns(&timetable), [0]);
    assert_eq!(listing_order::stops(&timetable).len(), 5);
}

#[test]
fn flex_areas_of_both_forms() {
    let (timetable, issues) = town(
        r#"table locations.geojson
        {"type":"FeatureCollection","features":[
         {"id":"a","type":"Feature","geometry":{"type":"Polygon","coordinates":[[[1,2],[3,2],[3,4],[1,2]]]}},
         {"id":7,"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[[1,2],[3,2],[3,4],[1,2]]]]}},
         {"type":"Feature","geometry":null}]}

        table areas.txt
        area_id,wkt
        w,"POLYGON((1 2, 3 2, 3 4, 1 2))""#,
    );
    let areas = &timetable.flex.areas;
    let ids: Vec<_> = areas.id.iter().map(|&id| timetable.texts.get(id)).collect();
    assert_eq!(ids, ["w", "a", "7"]);
    assert_eq!(areas.offsets[..], [0, 4, 8, 12]);
    assert_eq!(areas.points[..4], [[2.0, 1.0], [2.0, 3.0], [4.0, 3.0], [2.0, 1.0]]);
    assert_eq!(areas.points[..4], areas.points[8..]);
    assert_eq!(issues, ["f/locations.geojson:0: unusable-area"]);
}

#[test]
fn flexible_service_of_trips_and_calls() {
    let (timetable, issues) = town(
        r#"route H 3 continuous_pickup=0 continuous_drop_off=2
        trip T1 R WK drt_max_travel_time=5+t*2 drt_advance_book_min=30 drt_pickup_message=Call : A 8:00:00 start_service_area_id=w start_service_area_radius=250, B 8:10:00 continuous_pickup=3, C 8:20:00
        trip T2 H WK : A 9:00:00, B 9:10:00 continuous_drop_off=1
        trip T3 R WK : A 9:00:00, B 9:10:00 start_service_area_id=none

        table areas.txt
        area_id,wkt
        w,"POLYGON((1 2, 3 2, 3 4, 1 2))""#,
    );
    let flex = &timetable.flex;
    let booking = flex.trip(trip(&timetable, "T1")).unwrap();
    let text = |text: u32| timetable.texts.get(text);
    assert_eq!((text(booking.max_travel_time), text(booking.pickup_message)), ("5+t*2", "Call"));
    assert_eq!((booking.advance_book_min, booking.drop_off_message), (30.0, 0));
    assert_eq!(flex.trip(trip(&timetable, "T3")), None);
    let call = |id: &str, position: u32| {
        let first = timetable.trips.call_offset[trip(&timetable, id).index()];
        flex.call((first + position) as usize)
            .map(|c| (c.continuous_pickup, c.continuous_drop_off, c.radius, c.area))
    };
    assert_eq!(call("T1", 0), Some((1, 1, 250.0, 0)));
    assert_eq!(call("T1", 1), Some((3, 1, 0.0, u32::MAX)));
    assert_eq!(call("T1", 2), None);
    assert_eq!(call("T2", 0), Some((0, 2, 0.0, u32::MAX)), "blank values of the call are those of the route");
    assert_eq!(call("T2", 1), Some((0, 1, 0.0, u32::MAX)));
    assert_eq!(issues, ["f/stop_times.txt:8: unknown-area"]);
}

#[test]
fn calls_in_zones_are_named_as_such() {
    let (timetable, issues) = town(
        "trip T1 R WK : A 8:00:00, B 8:10:00
         trip T2 R WK : A - stop_id= location_id=z, A - stop_id= location_group_id=g, C 8:20:00",
    );
    assert_eq!(timetable.trips.count(), 1);
    let expected = [
        "f/stop_times.txt:4: call-without-stop",
        "f/stop_times.txt:5: call-without-stop",
        "f/trips.txt:3: trip-with-too-few-calls",
    ];
    assert_eq!(issues, expected);
}
