//! Timetables that scenarios make, checked column by column.

use trestle_model::geo::LatLon;
use trestle_model::ids::{PatternIdx, ServiceIdx, StopIdx, TripIdx};
use trestle_transit::scenario::{FrequencyGroup, HopTimes, Modification, PatternStop, PatternTimetable};
use trestle_transit::timetable::Timetable;

use super::super::town::{Town, check, one, seconds};
use super::{ALL_DAY, at_eight, known, new_line, route, stops, trip};

/// Checks that all references between columns agree.
fn assert_consistent(timetable: &Timetable) {
    let (patterns, trips, stops) = (&timetable.patterns, &timetable.trips, &timetable.stops);
    assert_eq!(trips.frequency_offsets.len(), trips.count() + 1);
    assert_eq!(patterns.hop_offsets.len(), patterns.call_stop.len() + 1);
    assert_eq!(stops.pattern_offsets.len(), stops.id.len() + 1);
    assert_eq!(timetable.routes.pattern_offsets.len(), timetable.routes.id.len() + 1);
    for row in trips.continuations.iter() {
        let runs = [row.from_trip, row.to_trip].map(|trip| {
            let service = ServiceIdx(trips.service[trip as usize]);
            timetable.services.days_of(service).next().is_some()
        });
        assert_eq!(runs, [true; 2], "a vehicle continues as a trip that is out");
    }
    for pattern in (0..patterns.count()).map(PatternIdx::from) {
        let calls = patterns.stops(pattern);
        assert!(calls.len() > 1 && calls.iter().all(|&stop| (stop as usize) < stops.id.len()));
        let code = timetable.texts.get(patterns.code[pattern.index()]);
        assert_eq!(timetable.pattern_by_code(code), Some(pattern));
        let mut running = false;
        for trip in patterns.trips(pattern).map(TripIdx::from) {
            assert_eq!(timetable.pattern_of(trip), pattern);
            let times = timetable.trip_calls(trip);
            assert_eq!((times.count(), times.sequences.len()), (calls.len(), calls.len()));
            let clock = (0..times.count()).flat_map(|call| [times.arrival(call), times.departure(call)]);
            assert!(clock.is_sorted(), "{}: {times:?}", timetable.trip_id(trip));
            let service = ServiceIdx(trips.service[trip.index()]);
            let runs = timetable.services.days_of(service).next().is_some();
            running |= runs;
            if runs {
                assert_eq!(timetable.trip_by_id(&timetable.trip_id(trip)), Some(trip));
            }
        }
        for (position, &stop) in (0u32..).zip(calls) {
            let listed = stops.calls_at(StopIdx(stop)).contains(&[pattern.0, position]);
            assert_eq!(listed, running, "{code} at {stop}");
        }
        let route = timetable.route_of(pattern);
        assert_eq!(timetable.routes.patterns_of(route).contains(&pattern.0), running);
    }
}

#[test]
fn all_modifications_together_are_consistent() {
    let lines = "
        1/T1 block_id=b : A 8:00, B 8:10-8:12, C 8:20, D 8:30
        1/T2 : A 9:00, B 9:10-9:12, C 9:20, D 9:30
        1/T3 : A 9:10, B 9:20-9:22, C 9:30, D 9:41
        2/U1 block_id=b : D 8:35, A 8:50
        3/V1 : D 8:33, E 8:40
        3/V2 : D 8:55, E 9:05
    ";
    let new_stop = PatternStop::New { position: LatLon::new(41.5, -8.6), name: "New".to_owned() };
    let two_hops = PatternTimetable { hops: HopTimes::Seconds(vec![60, 60]), ..at_eight() };
    let modifications = [
        Modification::AdjustDwellTime { trips: route("1"), stops: Vec::new(), dwell: 45 },
        Modification::SkipStop { trips: trip("T1"), stops: stops(&["C"]) },
        Modification::ConvertToFrequency {
            trips: route("1"),
            group: FrequencyGroup::RouteDirection,
            starts: (seconds("8:30"), seconds("10:00")),
        },
        Modification::AdjustHeadway { trips: route("1"), headway: 300, starts: ALL_DAY },
        new_line(vec![known("A"), new_stop, known("E")], two_hops),
        Modification::RemoveTrip(trip("V1")),
        Modification::SkipStop { trips: route("2"), stops: stops(&["D"]) },
    ];
    let base = Town::new(lines);
    for count in 0..=modifications.len() {
        let (town, _) = base.changed(&modifications[..count]);
        assert_consistent(&town.timetable);
    }
    let (town, reports) = base.changed(&modifications);
    assert_eq!(reports.iter().map(|r| r.changed).collect::<Vec<_>>(), [3, 1, 2, 1, 1, 1, 1]);
    // Route 2 has no trips left, T1 skips C, and T2 and T3 are one frequency trip.
    check(&town, "D -> A at 8:00", one, &[]);
    check(&town, "A -> D at 8:00", one, &["8:00 A -[T1]-> D 8:28:45"]);
    assert_consistent(&base.timetable);
}
