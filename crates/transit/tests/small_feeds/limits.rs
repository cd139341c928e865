//! What lies beyond the limits of a timetable: long periods, late times, too many runs or calls, circles.

use super::{town, trip};

#[test]
fn periods_without_an_end_are_kept() {
    let (timetable, issues) = town(
        "service LONG 20240101 99991231 1111100
         service FAR 18000101 22001231 1111111
         trip T1 R LONG : A 8:00:00, B 8:10:00",
    );
    let day = |text| trestle_model::ServiceDate::parse_compact(text).unwrap();
    let service =
        |name| timetable.services.id.iter().position(|&id| timetable.texts.get(id) == name).unwrap();
    let runs = |name, date| {
        timetable.services.runs_on(trestle_model::ids::ServiceIdx::from(service(name)), day(date))
    };
    assert!(runs("LONG", "20240102") && runs("LONG", "21991231") && !runs("LONG", "20231229"));
    assert!(runs("FAR", "19000101") && runs("FAR", "22000101"));
    assert_eq!(timetable.services.date_range(), Some((day("19000101"), day("22000101"))));
    let out_of_range = issues.iter().filter(|issue| issue.contains("date-out-of-range")).count();
    assert_eq!(out_of_range, 3, "{issues:?}");
}

#[test]
fn exact_frequencies_with_too_many_runs_are_left_out() {
    let (timetable, issues) = town(
        "trip T1 R WK : A 8:00:00, B 8:10:00
         trip T2 R WK : A 8:00:00, B 8:10:00
         table frequencies.txt
         trip_id,start_time,end_time,headway_secs,exact_times
         T1,0:00:00,9999:00:00,1,1
         T1,6:00:00,9:00:00,10,1
         T2,0:00:00,9999:00:00,1,0
         T2,6:00:00,9:00:00,99999999,0",
    );
    let rows = |id| {
        timetable.trips.frequencies_of(trip(&timetable, id)).iter().map(|f| f.headway).collect::<Vec<_>>()
    };
    assert_eq!((rows("T1"), rows("T2")), (vec![10], vec![1, 604_800]));
    assert!(issues.iter().any(|issue| issue.contains("too-many-exact-runs")), "{issues:?}");
}

#[test]
fn trips_end_after_ten_days() {
    let (timetable, issues) = town(
        "trip T1 R WK : A 8:00:00, B 240:00:00, A 9999:00:00
         trip T2 R WK : A 8:00:00, B 8:10:00
         table frequencies.txt
         trip_id,start_time,end_time,headway_secs,exact_times
         T2,6:00:00,9999:00:00,600,0
         T2,300:00:00,400:00:00,600,0",
    );
    assert_eq!(timetable.trip_calls(trip(&timetable, "T1")).arrivals(), [28_800, 864_000]);
    let ends: Vec<i32> =
        timetable.trips.frequencies_of(trip(&timetable, "T2")).iter().map(|row| row.end).collect();
    assert_eq!(ends, [864_000]);
    let late: Vec<_> = issues.iter().filter(|issue| issue.contains("late-time")).collect();
    assert_eq!(late, ["f/frequencies.txt:2: late-time", "f/stop_times.txt:4: late-time"]);
}

#[test]
fn trips_have_at_most_65535_calls() {
    for (count, drops) in [(65_535, 0), (65_536, 1)] {
        let time = |i: u32| format!("{:02}:{:02}:{:02}", 8 + i / 3600, i / 60 % 60, i % 60);
        let call = |i: u32| format!("{} {}", if i.is_multiple_of(2) { "A" } else { "B" }, time(i));
        let calls: Vec<String> = (0..count).map(call).collect();
        let (timetable, issues) = town(&format!("trip T1 R WK : {}", calls.join(", ")));
        let dropped = issues.iter().filter(|issue| issue.ends_with("trip-with-too-many-calls")).count();
        assert_eq!((dropped, timetable.trips.id.len()), (drops, 1 - drops), "{count}");
    }
}

#[test]
fn circles_of_stations_are_broken() {
    let (timetable, issues) = town(
        "trip T1 R WK : A 8:00:00, B 8:10:00
         stop X 41.03 -8.6 location_type=1 parent_station=Y
         stop Y 41.03 -8.6 location_type=1 parent_station=X",
    );
    let parent = |id: &str| timetable.stops.parent[timetable.stop_by_id(id).unwrap().index()];
    assert_eq!(parent("1:X"), u32::MAX);
    assert_eq!(parent("1:Y"), timetable.stop_by_id("1:X").unwrap().0);
    assert!(issues.iter().any(|issue| issue.contains("parent-circle")), "{issues:?}");
}

#[test]
fn many_stops_may_have_no_position() {
    let unplaced: String = (0..40_000).map(|n| format!("stop X{n} - - parent_station=none\n")).collect();
    let placed: String = (0..40_000).map(|n| format!("stop Y{n} 41 -8\n")).collect();
    let began = std::time::Instant::now();
    let (timetable, _) = town(&format!("{unplaced}{placed}trip T R WK : A 8:00:00, B 8:10:00"));
    assert_eq!(timetable.stops.id.len(), 40_004);
    assert!(timetable.stop_by_id("1:Y39999").is_some());
    // Minutes if the dropped rows before each other row were counted.
    assert!(began.elapsed().as_secs() < 20);
}
