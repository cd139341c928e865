//! Trips that only live data has are found like those of the schedule, whether each has calls of its own or they have the
//! same calls.

use proptest::prelude::*;
use trestle_model::ServiceDate;
use trestle_model::ids::{StopIdx, TripIdx};
use trestle_transit::overlay::{AddedTrip, LiveTimes, Overlay, TripState};
use trestle_transit::timetable::Timetable;

use super::brute_force::Question;
use super::random::{least_cost, moments, network, question, ranged, town_of_a_day_text};
use super::town::{Town, day};

/// An added trip in place of each trip of the schedule. With `own_calls`, riders have to phone for some calls, at each trip
/// for others.
fn replaced(timetable: &Timetable, date: ServiceDate, own_calls: bool) -> Overlay {
    let trip = |trip: TripIdx| {
        let (pattern, calls) = (timetable.pattern_of(trip), timetable.trip_calls(trip));
        let stops: Vec<StopIdx> =
            timetable.patterns.stops(pattern).iter().map(|stop| StopIdx(*stop)).collect();
        let phones = |call: usize| if own_calls && trip.index() >> call & 1 == 1 { 2 } else { 0 };
        AddedTrip {
            id: format!("live {}", trip.0),
            route: timetable.route_of(pattern),
            service_date: date,
            replaces: Some(trip),
            pickup: (0..stops.len()).map(phones).collect(),
            dropoff: vec![0; stops.len()],
            times: LiveTimes { arrivals: calls.arrivals(), departures: calls.departures() },
            stops,
            ..AddedTrip::default()
        }
    };
    let trips = || (0..timetable.trips.count()).map(TripIdx::from);
    Overlay {
        version: 1,
        scheduled: trips().map(|trip| ((trip, date), TripState::Modified)).collect(),
        added: trips().map(trip).collect(),
        ..Overlay::default()
    }
}

proptest! {
    #[test]
    fn live_trips_are_found_like_scheduled_ones(
        network in network(), question in question(), own_calls in any::<bool>(), wait in 60..140i64
    ) {
        let text = town_of_a_day_text(&network);
        let scheduled = Town::new(&text);
        let live = Town::with_overlay(&text, |timetable| Some(replaced(timetable, day(), own_calls)));
        // With one price for all waits, moving them to the start changes no cost.
        let question = Question { waits: (wait, wait), ..question };
        let (mut scratch, mut live_scratch) = Default::default();
        for (arrive_by, time) in moments(&question) {
            let moment = Question { start: time, ..question.clone() };
            prop_assert_eq!(
                least_cost(&live, &moment, arrive_by, usize::MAX),
                least_cost(&scheduled, &moment, arrive_by, usize::MAX)
            );
            for count in [1, 4] {
                prop_assert_eq!(
                    ranged(&live, &question, arrive_by, time, count, 7200, &mut live_scratch),
                    ranged(&scheduled, &question, arrive_by, time, count, 7200, &mut scratch)
                );
            }
        }
    }
}

#[test]
fn live_trips_with_equal_calls_are_one_pattern() {
    let text = "1/T1 : A 8:00, B 8:10\n1/T2 : A 8:20, B 8:30\n1/T3 : A 8:40, B 8:50";
    let patterns = |own_calls: bool| {
        let town = Town::with_overlay(text, |timetable| Some(replaced(timetable, day(), own_calls)));
        let of_day = |pattern: &u32| *pattern as usize >= town.timetable.patterns.route.len();
        town.service.patterns.iter().map(|active| active.pattern).filter(of_day).collect::<Vec<_>>()
    };
    let first = 1;
    assert_eq!((patterns(false), patterns(true)), (vec![first], vec![first, first + 1, first + 2]));
}

#[test]
fn an_added_trip_is_offered_once_even_if_it_runs_on_two_days() {
    let town = Town::with_overlay("1/T1 : A 6:00, B 6:10", |timetable| {
        let added = |service_date: ServiceDate| AddedTrip {
            id: "new".to_owned(),
            replaces: None,
            service_date,
            times: LiveTimes { arrivals: vec![28_800, 29_400], departures: vec![28_800, 29_400] },
            ..replaced(timetable, service_date, false).added.remove(0)
        };
        let added = vec![added(day()), added(day().plus(1))];
        Some(Overlay { version: 1, added, ..Overlay::default() })
    });
    let paths = town.ask("A -> B at 7:00", |request| request.num_itineraries = 3);
    let departures: Vec<i64> = paths.iter().map(|path| path.rides[0].board_time - town.day_start).collect();
    assert_eq!(departures, [8 * 3600, 30 * 3600]);
}
