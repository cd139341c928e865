//! Every itinerary is feasible: random trips across two real cities, with each leg checked against the feed.
//! Skips cities that `shared` does not find.

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::itinerary::{Itinerary, Leg};
use trestle_model::request::PlaceRequest;
use trestle_model::{Direction, PlanErrorCode, RoutingRequest};
use trestle_planner::Scratch;
use trestle_planner::plan::plan;
use trestle_transit::timetable::Timetable;

use crate::dice::Dice;
use crate::shared_city::graph_of;

/// Requests per city.
const PAIRS: usize = 1000;

#[test]
fn trips_across_porto_alegre_are_feasible() {
    // 13 May 2019, 12:00 to 16:00 local time.
    check_city("poa", 1_557_759_600, 4 * 3600);
}

#[test]
fn trips_across_zheleznogorsk_are_feasible() {
    // 9 April 2024, 07:00 to 19:00 local time.
    check_city("zhelez", 1_712_620_800, 12 * 3600);
}

fn check_city(name: &str, from: i64, span: usize) {
    let Some(graph) = graph_of(name) else { return };
    let snapshot = Snapshot::new(graph, 0);
    let timetable = &snapshot.graph.timetable;
    let linked: Vec<usize> = snapshot.graph.street.stop_links.iter().map(|l| l.stop as usize).collect();
    let (mut dice, mut scratch) = (Dice(7), Scratch::default());
    let mut answered = 0;
    for number in 0..PAIRS {
        let mut place = || {
            let stop = linked[dice.below(linked.len())];
            let off = |dice: &mut Dice| (dice.below(4001) as f64 - 2000.0) * 1e-6;
            let (dlat, dlon) = (off(&mut dice), off(&mut dice));
            let position = LatLon::new(timetable.stops.lat[stop] + dlat, timetable.stops.lon[stop] + dlon);
            PlaceRequest { position: Some(position), ..PlaceRequest::default() }
        };
        let (start, end) = (place(), place());
        let request = RoutingRequest {
            from: start,
            to: end,
            epoch_seconds: from + dice.below(span) as i64,
            direction: Direction::of_request(number % 3 == 0),
            max_walk_distance: 2000.0,
            max_transfers: 4,
            ..RoutingRequest::default()
        };
        match plan(&snapshot, &request, &mut scratch, &Deadline::default()) {
            Ok(found) => {
                answered += 1;
                for itinerary in &found.itineraries {
                    let faults = faults(timetable, &request, itinerary);
                    assert!(faults.is_empty(), "{name} {number}: {faults:?}\n{request:?}");
                }
            }
            Err(error) => assert!(
                matches!(error.code, PlanErrorCode::PathNotFound | PlanErrorCode::TooClose),
                "{name} {number}: {error}"
            ),
        }
    }
    assert!(answered > PAIRS / 2, "{name}: only {answered} of {PAIRS} requests have an answer");
}

fn faults(timetable: &Timetable, request: &RoutingRequest, itinerary: &Itinerary) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault = |text: String| faults.push(text);
    let requested = request.epoch_seconds * 1000;
    if request.direction.pick(itinerary.start_time < requested, itinerary.end_time > requested) {
        fault("outside the requested time".to_owned());
    }
    if itinerary.walk_time + itinerary.transit_time + itinerary.waiting_time
        != (itinerary.end_time - itinerary.start_time) / 1000
    {
        fault("the parts do not add up to the duration".to_owned());
    }
    for pair in itinerary.legs.windows(2) {
        if pair[1].start_time < pair[0].end_time {
            fault(format!("{} starts before {} ends", pair[1].mode.name(), pair[0].mode.name()));
        }
    }
    let rides: Vec<&Leg> = itinerary.legs.iter().filter(|leg| leg.transit.is_some()).collect();
    for (i, leg) in rides.iter().enumerate() {
        if let Some(text) = ride_fault(timetable, leg) {
            fault(text);
        }
        let same_trip = |other: &&&Leg| {
            other.transit.as_ref().map(|t| &t.trip_id) == leg.transit.as_ref().map(|t| &t.trip_id)
        };
        if rides[..i].iter().any(|other| same_trip(&other)) {
            fault("one trip is boarded twice".to_owned());
        }
    }
    faults
}

/// A ride must be one of the feed's trips, between two of its stops, at its scheduled times.
fn ride_fault(timetable: &Timetable, leg: &Leg) -> Option<String> {
    let ride = leg.transit.as_ref()?;
    let Some(trip) = timetable.trip_by_id(&ride.trip_id) else {
        return Some(format!("no trip {}", ride.trip_id));
    };
    let (Some(board), Some(alight)) = (leg.from.stop_index, leg.to.stop_index) else {
        return Some("a ride without positions".to_owned());
    };
    let (board, alight) = (board as usize, alight as usize);
    let calls = timetable.trip_calls(trip);
    let stops = timetable.patterns.stops(timetable.pattern_of(trip));
    if board >= alight || alight >= stops.len() {
        return Some(format!("{}: rides from call {board} to call {alight}", ride.trip_id));
    }
    let stop_id = |position: usize| Some(timetable.stop_id(trestle_model::ids::StopIdx(stops[position])));
    if leg.from.stop_id != stop_id(board) || leg.to.stop_id != stop_id(alight) {
        return Some(format!("{}: other stops than the trip's", ride.trip_id));
    }
    let scheduled = i64::from(calls.arrival(alight) - calls.departure(board));
    let ridden = (leg.end_time - leg.start_time) / 1000;
    let time_of_day = (leg.start_time / 1000 - i64::from(calls.departure(board))).rem_euclid(3600);
    // Service days start on a full hour in both cities' zones.
    (scheduled != ridden || time_of_day != 0)
        .then(|| format!("{}: {ridden} s instead of {scheduled} s, {time_of_day} s off", ride.trip_id))
}
