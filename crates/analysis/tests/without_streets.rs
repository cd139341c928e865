//! Places off the streets, and those of graphs without streets, have the times of plans in matrices: they are at their
//! nearest stops.

use prost::Message;

use crate::support::{GridTown, at, crossing, place};
use trestle_analysis::Scratch;
use trestle_analysis::matrix::{Matrix, MatrixQuery};
use trestle_analysis::samples::linked_destinations;
use trestle_analysis::surface::UNREACHED;
use trestle_engine::deadline::Deadline;
use trestle_engine::realtime::messages::{
    FeedEntity, FeedHeader, FeedMessage, StopTimeEvent, StopTimeUpdate, TripDescriptor, TripUpdate,
};
use trestle_engine::realtime::{TripUpdateOptions, apply_trip_updates};
use trestle_engine::scenario::Scenario;
use trestle_engine::snapshot::Snapshot;
use trestle_model::{Mode, ModeSet, PlanErrorCode, RoutingRequest};
use trestle_planner::plan::plan;
use trestle_street::link::{LinkEnd, LinkMode, LinkedPlace};
use trestle_transit::scenario::Modification;

/// Line 1 to a station where line 2 begins, and a third line beside the end of line 1. Nothing leads to F. All these are
/// far from the crossings. There are lines from and to G, which is at a crossing, and H, which is beside them.
const LINES: &str = "
    stop A 100 0
    stop B1 140 0 in B
    stop B2 142 0 in B
    stop C 180 0
    stop D 180 40
    stop E 181 40
    stop F 100 90
    stop G 1 1
    stop H 11 1
    line 1 600 7:04 9:30 : A 0, B1 6, D 20
    line 2 600 7:02 9:30 : B2 0, C 5
    line 3 900 7:00 9:30 : E 0, C 7
    line 4 900 7:00 9:30 : F 0, A 7
    line 5 900 7:00 9:30 : G 0, A 8
    line 6 900 7:05 9:30 : C 0, G 9
    line 7 900 7:05 9:30 : H 0, A 9
    line 8 900 7:00 9:30 : A 0, H 8
";

/// Beside A, at the station, beside C and F, at G, and farther from all stops than anybody walks.
const PLACES: [(f64, f64); 8] = [
    (100.0, 3.0),
    (140.0, 0.0),
    (179.0, 1.0),
    (101.0, 90.0),
    (1.0, 1.0),
    (140.0, 60.0),
    // On the streets, and on the other side of H.
    (2.0, 1.0),
    (19.0, 1.0),
];

#[test]
fn times_are_those_of_plans() {
    let town = GridTown::new("without-streets", 0, 0, LINES);
    assert_eq!(town.snapshot.graph.street.vertex_count(), 0);
    assert_eq!(check_times(&town, ModeSet::TRANSIT.with(Mode::Walk)), 43);
    assert_eq!(check_times(&town, ModeSet::of(&[Mode::Walk])), 9);
}

#[test]
fn times_off_the_streets_are_those_of_plans() {
    let town = GridTown::new("off-the-streets", 8, 8, LINES);
    let linked = PLACES.map(|(column, row)| {
        let street = &town.snapshot.graph.street;
        LinkedPlace::at_coordinate(street, crossing(column, row), LinkMode::Walk, LinkEnd::Start).is_some()
    });
    assert_eq!(linked, [false, false, false, false, true, false, true, false]);
    assert_eq!(check_times(&town, ModeSet::TRANSIT.with(Mode::Walk)), 43);
    // The last place is beside H, whose street leads to those on the streets and back.
    assert_eq!(check_times(&town, ModeSet::of(&[Mode::Walk])), 13);
}

/// Compares all times, and returns how many places are reached from all of them.
fn check_times(town: &GridTown, modes: ModeSet) -> usize {
    let request = RoutingRequest { modes, ..RoutingRequest::default() };
    check_times_of(&town.snapshot, &request)
}

/// The same for a request without its places and time.
fn check_times_of(snapshot: &Snapshot, request: &RoutingRequest) -> usize {
    let places = PLACES.map(|(column, row)| crossing(column, row));
    let request = RoutingRequest { epoch_seconds: at("8:00"), max_transfers: 4, ..request.clone() };
    let (mut scratch, deadline) = (Scratch::default(), Deadline::default());
    let destinations = linked_destinations(snapshot, &places, &request, &deadline).unwrap();
    let query = MatrixQuery { request: request.clone(), max_seconds: 7200, destinations, origins: 1 };
    let matrix = Matrix::new(snapshot, &query, &mut scratch, &deadline).unwrap();
    let mut reached = 0;
    for (origin, from) in places.iter().enumerate() {
        let row = matrix.row(*from, &mut scratch).unwrap();
        for (destination, to) in places.iter().enumerate() {
            let request = RoutingRequest { from: place(*from), to: place(*to), ..request.clone() };
            let memory = &mut trestle_planner::Scratch::default();
            let expected = match plan(snapshot, &request, memory, &deadline) {
                Ok(plan) => {
                    let ends = plan.itineraries.iter().map(|itinerary| itinerary.end_time / 1000);
                    (ends.min().unwrap() - request.epoch_seconds) as i32
                }
                Err(error) if error.code == PlanErrorCode::TooClose => 0,
                Err(_) => UNREACHED,
            };
            assert_eq!(row[destination], expected, "from {origin} to {destination} by {:?}", request.modes);
            reached += usize::from(row[destination] != UNREACHED);
        }
    }
    reached
}

/// A vehicle that the schedule does not know goes to the place that is far from all stops, and one comes back.
#[test]
fn stops_that_only_live_data_serves_count() {
    for (name, crossings) in [("live-without-streets", 0), ("live-off-the-streets", 8)] {
        let town = GridTown::new(name, crossings, crossings, &format!("{LINES}\nstop L 140 62"));
        let snapshot = &town.snapshot;
        let there = extra_trip("there", [("A", "8:06"), ("L", "8:20")]);
        let back = extra_trip("back", [("L", "8:30"), ("C", "8:40")]);
        let live = under(snapshot, vec![there, back]);
        let request = RoutingRequest::default();
        let by_schedule = RoutingRequest { ignore_realtime: true, ..request.clone() };
        assert_eq!(check_times_of(snapshot, &request), 43);
        assert_eq!(check_times_of(&live, &request), 51);
        assert_eq!(check_times_of(&live, &by_schedule), 43);
        assert_eq!(check_times_of(&under(&live, vec![]), &request), 43, "the next message has no such trip");
    }
}

/// A trip that is added to line 1.
fn extra_trip(id: &str, calls: [(&str, &str); 2]) -> TripUpdate {
    let call = |(stop, time): (&str, &str)| {
        let at = Some(StopTimeEvent { time: Some(at(time)), ..StopTimeEvent::default() });
        StopTimeUpdate {
            stop_id: Some(stop.to_owned()),
            arrival: at,
            departure: at,
            ..StopTimeUpdate::default()
        }
    };
    let trip = TripDescriptor {
        trip_id: Some(id.to_owned()),
        route_id: Some("1".to_owned()),
        start_date: Some("20240610".to_owned()),
        relationship: Some(1),
        ..TripDescriptor::default()
    };
    TripUpdate { trip: Some(trip), calls: calls.map(call).into(), ..TripUpdate::default() }
}

/// The graph after a message that has all trip updates of its feed.
fn under(snapshot: &Snapshot, updates: Vec<TripUpdate>) -> Snapshot {
    let entity = |update| FeedEntity { trip_update: Some(update), ..FeedEntity::default() };
    let header = FeedHeader { version: Some("2.0".to_owned()), ..FeedHeader::default() };
    let message = FeedMessage { header: Some(header), entities: updates.into_iter().map(entity).collect() };
    let options = TripUpdateOptions {
        feed_id: String::new(),
        source: 0,
        differential: false,
        fuzzy_trip_matching: false,
        purge_expired_data: false,
        now: at("8:00"),
    };
    let (overlay, report) = apply_trip_updates(snapshot, &message.encode_to_vec(), &options).unwrap();
    assert_eq!(report.rejected, 0, "{:?}", report.issues.issues());
    snapshot.with_trip_updates(overlay)
}

#[test]
fn without_vehicles_only_places_at_the_same_stop_are_reached() {
    let town = GridTown::new("without-streets-on-foot", 0, 0, LINES);
    // The first two are nearest to A.
    let places = [(100.0, 3.0), (100.0, -3.0), (179.0, 1.0)].map(|(column, row)| crossing(column, row));
    let (mut scratch, deadline) = (Scratch::default(), Deadline::default());
    for mode in [Mode::Walk, Mode::Car, Mode::Ferry] {
        let modes = ModeSet::of(&[mode]);
        let request = RoutingRequest { epoch_seconds: at("8:00"), modes, ..RoutingRequest::default() };
        let destinations = linked_destinations(&town.snapshot, &places, &request, &deadline).unwrap();
        let query = MatrixQuery { request, max_seconds: 7200, destinations, origins: 1 };
        let matrix = Matrix::new(&town.snapshot, &query, &mut scratch, &deadline).unwrap();
        let row = matrix.row(places[0], &mut scratch).unwrap();
        assert_eq!(row, [0, 0, UNREACHED], "{mode:?}");
    }
}

/// Scenarios share what was found on the streets with their graph, but have stops of their own.
#[test]
fn stops_of_scenarios_are_not_those_of_their_graph() {
    let town = GridTown::new("scenario-off-the-streets", 8, 8, LINES);
    let [origin, destination] = [(100.0, 3.0), (140.0, 60.0)].map(|(column, row)| crossing(column, row));
    let moved = Modification::MoveStop { stop: "1:D".to_owned(), position: destination };
    let scenario = Scenario::new(&town.snapshot, &[moved]).under(&town.snapshot);
    let request = RoutingRequest { epoch_seconds: at("8:00"), ..RoutingRequest::default() };
    let (mut scratch, deadline) = (Scratch::default(), Deadline::default());
    for (snapshot, expected) in
        [(&town.snapshot, UNREACHED), (&scenario, 24 * 60), (&town.snapshot, UNREACHED)]
    {
        let destinations = linked_destinations(snapshot, &[destination], &request, &deadline).unwrap();
        let query = MatrixQuery { request: request.clone(), max_seconds: 7200, destinations, origins: 1 };
        let matrix = Matrix::new(snapshot, &query, &mut scratch, &deadline).unwrap();
        assert_eq!(matrix.row(origin, &mut scratch).unwrap(), [expected]);
    }
}
