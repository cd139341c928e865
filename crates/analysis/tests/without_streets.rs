//! Matrices of graphs without streets have the times of plans: places are at their nearest stops.
#![allow(clippy::unwrap_used)]

#[path = "../../engine/tests/support/mod.rs"]
mod support;

use support::{GridTown, at, crossing};
use trestle_analysis::Scratch;
use trestle_analysis::matrix::{Matrix, MatrixQuery};
use trestle_analysis::samples::linked_destinations;
use trestle_analysis::surface::UNREACHED;
use trestle_engine::deadline::Deadline;
use trestle_model::request::PlaceRequest;
use trestle_model::{Mode, ModeSet, RoutingRequest};
use trestle_planner::plan::plan;
use trestle_street::nearest_vertices::SearchEnd;

/// Line 1 to a station where line 2 begins, and a third line beside the end of line 1. Nothing leads to F.
const LINES: &str = "
    stop A 0 0
    stop B1 40 0 in B
    stop B2 42 0 in B
    stop C 80 0
    stop D 80 40
    stop E 81 40
    stop F 0 90
    line 1 600 7:04 9:30 : A 0, B1 6, D 20
    line 2 600 7:02 9:30 : B2 0, C 5
    line 3 900 7:00 9:30 : E 0, C 7
    line 4 900 7:00 9:30 : F 0, A 7
";

#[test]
fn times_are_those_of_plans() {
    let town = GridTown::new("without-streets", 0, 0, LINES);
    assert_eq!(town.snapshot.graph.street.vertex_count(), 0);
    // Beside A, at the station, beside C and F, and farther from all stops than anybody walks.
    let places = [(0.0, 3.0), (40.0, 0.0), (79.0, 1.0), (1.0, 90.0), (40.0, 60.0)];
    let places = places.map(|(column, row)| crossing(column, row));
    let request = RoutingRequest { epoch_seconds: at("8:00"), ..RoutingRequest::default() };
    let (mut scratch, deadline) = (Scratch::default(), Deadline::default());
    let by = SearchEnd::elsewhere(&request);
    let destinations = linked_destinations(&town.snapshot, &places, by, &deadline).unwrap();
    let query = MatrixQuery { request: request.clone(), max_seconds: 7200, destinations };
    let matrix = Matrix::new(&town.snapshot, &query, &mut scratch, &deadline).unwrap();
    let mut reached = 0;
    for (origin, from) in places.iter().enumerate() {
        let row = matrix.row(*from, &mut scratch, &deadline).unwrap();
        for (destination, to) in places.iter().enumerate() {
            let place = |position| PlaceRequest { position: Some(position), ..PlaceRequest::default() };
            let request = RoutingRequest { from: place(*from), to: place(*to), ..request.clone() };
            let memory = &mut trestle_planner::Scratch::default();
            let arrivals = plan(&town.snapshot, &request, memory, &deadline).map(|plan| {
                let ends = plan.itineraries.iter().map(|itinerary| itinerary.end_time / 1000);
                (ends.min().unwrap() - request.epoch_seconds) as i32
            });
            let is_same = origin == destination && origin < 4;
            let expected = if is_same { 0 } else { arrivals.unwrap_or(UNREACHED) };
            assert_eq!(row[destination], expected, "from {origin} to {destination}");
            reached += usize::from(row[destination] != UNREACHED);
        }
    }
    assert_eq!(reached, 4 + 2 + 1 + 3, "to themselves; from A, B and F");
}

#[test]
fn nobody_gets_anywhere_without_vehicles() {
    let town = GridTown::new("without-streets-on-foot", 0, 0, LINES);
    // Both are nearest to A.
    let places = [(0.0, 3.0), (0.0, -3.0)].map(|(column, row)| crossing(column, row));
    let (mut scratch, deadline) = (Scratch::default(), Deadline::default());
    for (mode, between) in [(Mode::Walk, UNREACHED), (Mode::Car, UNREACHED), (Mode::Bus, 0)] {
        let modes = ModeSet::of(&[mode]);
        let request = RoutingRequest { epoch_seconds: at("8:00"), modes, ..RoutingRequest::default() };
        let by = SearchEnd::elsewhere(&request);
        let destinations = linked_destinations(&town.snapshot, &places, by, &deadline).unwrap();
        let query = MatrixQuery { request, max_seconds: 7200, destinations };
        let matrix = Matrix::new(&town.snapshot, &query, &mut scratch, &deadline).unwrap();
        assert_eq!(matrix.row(places[0], &mut scratch, &deadline).unwrap(), [between; 2], "{mode:?}");
    }
}
