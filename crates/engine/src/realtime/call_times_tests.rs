//! Live times of the calls of a trip.

use std::sync::LazyLock;

use super::call_times::*;
use super::messages::{StopTimeEvent, StopTimeProperties, StopTimeUpdate};
use super::rejections::Unusable;
use trestle_transit::lookup::TripCalls;
use trestle_transit::timetable::Timetable;

static TIMETABLE: LazyLock<Timetable> = LazyLock::new(Timetable::default);

const SEQUENCES: [u32; 4] = [1, 2, 3, 4];
const ARRIVALS: [i32; 4] = [0, 100, 200, 300];
const DEPARTURES: [i32; 4] = [0, 120, 220, 300];

fn trip<'a>() -> ScheduledCalls<'a> {
    let calls = TripCalls {
        start: 100,
        profile_arrivals: &ARRIVALS,
        profile_departures: &DEPARTURES,
        sequences: &SEQUENCES,
        timepoints: &[1; 4],
        headsigns: None,
    };
    let stop_ids = vec!["a", "b", "a", "c"];
    ScheduledCalls { calls, stop_ids, day_start: 1_000_000, stops: &[0, 1, 0, 2], timetable: &TIMETABLE }
}

fn at(sequence: u32, arrival: Option<i32>, departure: Option<i32>) -> StopTimeUpdate {
    let event =
        |delay: Option<i32>| delay.map(|d| StopTimeEvent { delay: Some(d), ..StopTimeEvent::default() });
    StopTimeUpdate {
        stop_sequence: Some(sequence),
        arrival: event(arrival),
        departure: event(departure),
        ..StopTimeUpdate::default()
    }
}

#[test]
fn calls_before_the_first_update_have_no_time_and_those_after_it_keep_its_delay() {
    let live = trip().apply(&[at(2, Some(30), Some(30))], None).unwrap().times;
    assert_eq!(live.arrivals, [-1, 230, 330, 430]);
    assert_eq!(live.departures, [-1, 250, 350, 430]);
}

#[test]
fn the_delay_of_a_trip_counts_until_a_call_has_times() {
    let skipped = StopTimeUpdate { stop_sequence: Some(2), relationship: Some(1), ..Default::default() };
    let live = trip().apply(std::slice::from_ref(&skipped), Some(60)).unwrap();
    assert_eq!(live.times.departures, [160, 280, 380, 460]);
    assert_eq!(live.skipped, [false, true, false, false]);
    let live = trip().apply(&[skipped, at(3, Some(10), Some(10))], Some(60)).unwrap();
    assert_eq!(live.times.departures, [160, 280, 330, 410]);
    let early = trip().apply(&[at(3, Some(-110), Some(-110))], Some(60)).unwrap();
    assert_eq!(early.times.departures, [160, 190, 210, 290]);
    let unlikely = trip().apply(&[at(3, Some(10), Some(10))], Some(i32::MAX)).unwrap();
    assert_eq!(unlikely.times.departures, [-1, -1, 330, 410]);
}

#[test]
fn times_go_before_delays_and_stops_are_found_in_order() {
    let event = StopTimeEvent { delay: Some(5), time: Some(1_000_000 + 360), ..StopTimeEvent::default() };
    let update = |stop: &str| StopTimeUpdate {
        stop_id: Some(stop.to_owned()),
        departure: Some(event),
        ..StopTimeUpdate::default()
    };
    let live = trip().apply(&[at(2, Some(0), Some(0)), update("a")], None).unwrap().times;
    assert_eq!(live.departures, [-1, 220, 360, 440]);
    assert_eq!(live.arrivals, [-1, 200, 300, 440]);
    assert_eq!(trip().apply(&[update("c"), update("b")], None), Err(Unusable::UnknownCall));
}

#[test]
fn the_stop_decides_when_the_sequence_is_that_of_another_one() {
    let named = |sequence: u32, stop: &str| StopTimeUpdate {
        stop_id: Some(stop.to_owned()),
        ..at(sequence, Some(30), Some(30))
    };
    let departures = |update: StopTimeUpdate| trip().apply(&[update], None).unwrap().times.departures;
    assert_eq!(departures(named(2, "b")), [-1, 250, 350, 430]);
    assert_eq!(departures(named(3, "c")), [-1, -1, -1, 430]);
    assert_eq!(departures(named(3, "elsewhere")), [-1, -1, 350, 430]);
    assert_eq!(departures(named(3, "a")), [-1, -1, 350, 430]);
}

#[test]
fn no_data_returns_to_the_schedule() {
    let none = StopTimeUpdate { stop_sequence: Some(3), relationship: Some(2), ..Default::default() };
    let live = trip().apply(&[at(1, None, Some(60)), none], None).unwrap().times;
    assert_eq!(live.arrivals, [160, 260, 300, 400]);
}

#[test]
fn a_late_vehicle_without_data_is_not_ahead_of_itself() {
    let none = StopTimeUpdate { stop_sequence: Some(3), relationship: Some(2), ..Default::default() };
    let live = trip().apply(&[at(1, None, Some(600)), none.clone()], None).unwrap().times;
    assert_eq!((live.arrivals, live.departures), (vec![700, 800, 820, 820], vec![700, 820, 820, 820]));
    let known_again = trip().apply(&[at(1, None, Some(600)), none, at(4, Some(0), None)], None);
    assert_eq!(known_again, Err(Unusable::TimesDecrease));
}

#[test]
fn an_early_vehicle_without_data_before_is_not_behind_itself() {
    let none = |sequence: u32| StopTimeUpdate { relationship: Some(2), ..at(sequence, None, None) };
    let live = trip().apply(&[none(1), at(3, Some(-210), Some(-210)), none(4)], None).unwrap().times;
    assert_eq!((live.arrivals, live.departures), (vec![90, 90, 90, 400], vec![90, 90, 110, 400]));
}

#[test]
fn an_arrival_without_data_gives_way_to_a_departure() {
    let none = StopTimeUpdate { relationship: Some(2), ..at(2, None, None) };
    let live = trip().apply(&[at(1, None, Some(600)), none, at(3, None, Some(500))], None).unwrap().times;
    assert_eq!((live.arrivals, live.departures), (vec![700, 700, 700, 900], vec![700, 700, 820, 900]));
}

#[test]
fn times_days_away_from_the_schedule_are_refused() {
    let day = 86_400;
    assert_eq!(trip().shifted(2 * day).unwrap().arrivals[0], 2 * day + 100);
    for delay in [2 * day + 1, -2 * day - 1, i32::MIN, i32::MAX] {
        assert_eq!(trip().shifted(delay), Err(Unusable::FarFromSchedule), "{delay}");
        assert_eq!(
            trip().apply(&[at(1, None, Some(delay))], None),
            Err(Unusable::FarFromSchedule),
            "{delay}"
        );
    }
    let event = StopTimeEvent { time: Some(i64::MAX), ..StopTimeEvent::default() };
    let far = StopTimeUpdate { departure: Some(event), ..at(1, None, None) };
    assert_eq!(trip().apply(&[far], None), Err(Unusable::FarFromSchedule));
}

#[test]
fn a_vehicle_cannot_go_back_in_time() {
    let updates = [at(1, Some(0), Some(300)), at(2, Some(0), Some(0))];
    assert_eq!(trip().apply(&updates, None), Err(Unusable::TimesDecrease));
}

#[test]
fn predictions_that_overlap_a_little_are_straightened() {
    let live = trip().apply(&[at(1, Some(0), Some(0)), at(2, Some(90), Some(0))], None).unwrap().times;
    assert_eq!((live.arrivals[1], live.departures[1]), (290, 290));
}

#[test]
fn a_skipped_call_does_not_hold_up_a_vehicle_that_makes_up_time() {
    let skip = StopTimeUpdate { relationship: Some(1), ..at(2, None, None) };
    for (delay, times) in [(60, [360, 380]), (-10, [300, 310])] {
        let updates = [at(1, None, Some(200)), skip.clone(), at(3, Some(delay), Some(delay))];
        let live = trip().apply(&updates, None).unwrap().times;
        assert_eq!([live.arrivals[2], live.departures[2]], times);
    }
}

#[test]
fn calls_that_the_build_has_merged_are_one() {
    const GAPS: [u32; 4] = [1, 2, 4, 5];
    let trip = ScheduledCalls { calls: TripCalls { sequences: &GAPS, ..trip().calls }, ..trip() };
    let skip = |sequence: u32| StopTimeUpdate { relationship: Some(1), ..at(sequence, None, None) };
    let late =
        trip.apply(&[at(2, Some(10), Some(20)), at(3, Some(25), Some(30)), at(4, Some(0), Some(0))], None);
    let late = late.unwrap().times;
    assert_eq!((late.arrivals, late.departures), (vec![-1, 210, 300, 400], vec![-1, 250, 320, 400]));

    let none = |sequence: u32| StopTimeUpdate { relationship: Some(2), ..at(sequence, None, None) };
    let without_data = trip.apply(&[at(2, Some(600), Some(600)), none(3)], None).unwrap().times;
    assert_eq!(without_data.arrivals, [-1, 800, 800, 800]);
    assert_eq!(without_data.departures, [-1, 800, 800, 800]);

    let skipped_first = trip.apply(&[at(1, None, Some(110)), skip(2), none(3)], None).unwrap().times;
    assert_eq!((skipped_first.arrivals[1], skipped_first.departures[1]), (220, 220));
    let early = trip.apply(&[at(1, None, Some(600)), at(2, Some(0), Some(0)), none(3)], None);
    assert_eq!(early, Err(Unusable::TimesDecrease));

    let both = trip.apply(&[at(1, None, Some(10)), skip(2), skip(3)], None).unwrap();
    assert_eq!(
        (both.skipped, both.times.arrivals),
        (vec![false, true, false, false], vec![110, 210, 310, 410])
    );
    let second = trip.apply(&[at(1, None, Some(10)), at(2, Some(10), Some(20)), skip(3)], None).unwrap();
    assert_eq!((second.skipped[1], &second.times.departures[1..]), (false, &[240, 340, 420][..]));
    let first = trip.apply(&[at(1, None, Some(10)), skip(2), at(3, Some(30), Some(40))], None).unwrap();
    assert_eq!((first.skipped[1], first.times.arrivals[1]), (false, 250));
    assert_eq!(first.times.departures[1..], [260, 360, 440]);
}

#[test]
fn merged_calls_are_found_by_their_stop() {
    let update = |stop: &str| StopTimeUpdate { stop_id: Some(stop.to_owned()), ..at(0, Some(30), Some(30)) };
    let named = |stop: &str| StopTimeUpdate { stop_sequence: None, ..update(stop) };
    let departures =
        |updates: &[StopTimeUpdate]| trip().apply(updates, None).map(|live| live.times.departures);
    assert_eq!(departures(&[named("b"), named("b"), named("c")]), Ok(vec![-1, 250, 350, 430]));
    assert_eq!(departures(&[named("a"), named("a"), named("a")]), Ok(vec![130, 250, 350, 430]));
    assert_eq!(departures(&[named("a"), named("c"), named("b")]), Err(Unusable::UnknownCall));
    assert_eq!(departures(&[at(1, None, Some(0)), at(9, None, Some(0))]), Err(Unusable::UnknownCall));
}

#[test]
fn merged_calls_are_at_one_assigned_stop() {
    const GAPS: [u32; 4] = [1, 2, 4, 5];
    let trip = ScheduledCalls { calls: TripCalls { sequences: &GAPS, ..trip().calls }, ..trip() };
    let at = |sequence: u32, assigned: &str| StopTimeUpdate {
        properties: Some(StopTimeProperties {
            assigned_stop_id: Some(assigned.to_owned()),
            ..StopTimeProperties::default()
        }),
        ..at(sequence, Some(0), Some(0))
    };
    let assigned = |updates: &[StopTimeUpdate]| trip.apply(updates, None).map(|live| live.assigned);
    let moved = Ok(vec![(1, "d".to_owned())]);
    assert_eq!(assigned(&[at(2, "d"), at(3, "d")]), moved);
    assert_eq!(assigned(&[at(2, "d"), at(4, "a")]), moved);
    assert_eq!(assigned(&[at(3, "d")]), moved);
    let also_named = StopTimeUpdate { stop_id: Some("d".to_owned()), ..at(3, "d") };
    assert_eq!(assigned(&[at(2, "d"), also_named]), moved);
    for other in ["b", "e", ""] {
        assert_eq!(assigned(&[at(2, "d"), at(3, other)]), Err(Unusable::DividedCall));
    }
    let skipped = StopTimeUpdate { relationship: Some(1), ..at(3, "e") };
    assert_eq!(assigned(&[at(2, "d"), skipped]), moved);
}

#[test]
fn skipped_calls_are_reported() {
    let skip = StopTimeUpdate { stop_sequence: Some(2), relationship: Some(1), ..Default::default() };
    let live = trip().apply(&[at(1, None, Some(10)), skip], None).unwrap();
    assert_eq!(live.skipped, [false, true, false, false]);
    assert_eq!(live.times.arrivals, [110, 210, 310, 410]);
}

#[test]
fn arrival_and_departure_may_be_given_apart() {
    let [arrival, departure] = [at(2, Some(10), None), at(2, None, Some(20))];
    let together = trip().apply(&[at(2, Some(10), Some(20)), at(4, Some(0), Some(0))], None).unwrap();
    for [first, second] in [[&arrival, &departure], [&departure, &arrival]] {
        let apart = trip().apply(&[first.clone(), second.clone(), at(4, Some(0), Some(0))], None);
        assert_eq!(apart.unwrap().times, together.times);
    }
    let again = trip().apply(&[at(2, Some(10), None), at(2, Some(30), None)], None).unwrap().times;
    assert_eq!((again.arrivals[1], again.departures[1]), (230, 250));
    let without_data = StopTimeUpdate { relationship: Some(2), ..at(2, None, None) };
    for updates in
        [[without_data.clone(), at(2, Some(10), Some(20))], [at(2, Some(10), Some(20)), without_data]]
    {
        assert_eq!(trip().apply(&updates, None).unwrap().times.departures, [-1, 240, 340, 420]);
    }
    let skipped = StopTimeUpdate { relationship: Some(1), ..at(2, None, None) };
    for updates in [[skipped.clone(), at(2, Some(10), Some(20))], [at(2, Some(10), Some(20)), skipped]] {
        let live = trip().apply(&updates, None).unwrap();
        assert_eq!((live.skipped[1], live.times.departures[1]), (false, 240));
    }
}

#[test]
fn the_last_update_of_a_call_assigns_its_stop() {
    let at = |assigned: Option<&str>| StopTimeUpdate {
        properties: Some(StopTimeProperties {
            assigned_stop_id: assigned.map(str::to_owned),
            ..StopTimeProperties::default()
        }),
        ..at(2, Some(0), Some(0))
    };
    for (updates, stop) in [([None, Some("d")], "d"), ([Some("d"), None], "d"), ([Some("d"), Some("e")], "e")]
    {
        let live = trip().apply(&updates.map(at), None).unwrap();
        assert_eq!(live.assigned, [(1, stop.to_owned())]);
    }
}
