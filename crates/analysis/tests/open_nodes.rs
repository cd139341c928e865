//! Places whose nearest nodes lead nowhere, such as those on a path behind a private road, which plans link to another
//! street.

use crate::support::{GridTown, crossing, place, request_from};
use trestle_analysis::Scratch;
use trestle_analysis::matrix::{Matrix, MatrixQuery};
use trestle_analysis::samples::linked_destinations;
use trestle_engine::deadline::Deadline;
use trestle_model::geo::LatLon;
use trestle_model::{Mode, ModeSet, RoutingRequest};
use trestle_planner::plan::plan;

fn in_matrix(town: &GridTown, request: &RoutingRequest, [from, to]: [LatLon; 2]) -> i32 {
    let (mut scratch, deadline) = (Scratch::default(), Deadline::default());
    let destinations = linked_destinations(&town.snapshot, &[to], request, &deadline).unwrap();
    let query = MatrixQuery { request: request.clone(), max_seconds: 7200, destinations, origins: 1 };
    let matrix = Matrix::new(&town.snapshot, &query, &mut scratch, &deadline).unwrap();
    matrix.row(from, &mut scratch, &deadline).unwrap()[0]
}

fn in_plan(town: &GridTown, request: &RoutingRequest, to: LatLon) -> i32 {
    let request = RoutingRequest { to: place(to), ..request.clone() };
    let memory = &mut trestle_planner::Scratch::default();
    let plan = plan(&town.snapshot, &request, memory, &Deadline::default()).unwrap();
    let itinerary = &plan.itineraries[0];
    ((itinerary.end_time - itinerary.start_time) / 1000) as i32
}

#[test]
fn matrices_lead_out_of_yards_and_into_them_like_plans() {
    let town = GridTown::new("yards", 20, 8, "yard 9 3 9.5 3.5");
    let (yard, elsewhere) = (crossing(9.5, 3.5), crossing(16.0, 5.0));
    for modes in [ModeSet::of(&[Mode::Walk]), ModeSet::of(&[Mode::Bicycle])] {
        for [from, to] in [[yard, elsewhere], [elsewhere, yard]] {
            let request = RoutingRequest { modes, ..request_from(from, "8:00") };
            let planned = in_plan(&town, &request, to);
            let seconds = in_matrix(&town, &request, [from, to]);
            assert!((seconds - planned).abs() < 90, "{modes:?}: {seconds} s, plan {planned} s");
        }
    }
}
