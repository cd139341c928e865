//! The time from one place to another on foot, by bike, by car or by transit: that of a plan and that of a matrix.

use crate::support::{GridTown, place};
use trestle_analysis::Scratch;
use trestle_analysis::matrix::{Matrix, MatrixQuery};
use trestle_analysis::samples::linked_destinations;
use trestle_engine::deadline::Deadline;
use trestle_model::RoutingRequest;
use trestle_model::geo::LatLon;
use trestle_planner::plan::plan;

/// Seconds from the request's time to the earliest arrival of a plan.
pub(crate) fn in_plan(town: &GridTown, request: &RoutingRequest, [from, to]: [LatLon; 2]) -> i32 {
    let request = RoutingRequest { from: place(from), to: place(to), ..request.clone() };
    let memory = &mut trestle_planner::Scratch::default();
    let plan = plan(&town.snapshot, &request, memory, &Deadline::default()).unwrap();
    let itineraries = plan.itineraries.iter();
    itineraries.map(|i| (i.end_time / 1000 - request.epoch_seconds) as i32).min().unwrap()
}

/// Seconds in a matrix.
pub(crate) fn in_matrix(town: &GridTown, request: &RoutingRequest, [from, to]: [LatLon; 2]) -> i32 {
    let (mut scratch, deadline) = (Scratch::default(), Deadline::default());
    let destinations = linked_destinations(&town.snapshot, &[to], request, &deadline).unwrap();
    let query = MatrixQuery { request: request.clone(), max_seconds: 7200, destinations, origins: 1 };
    let matrix = Matrix::new(&town.snapshot, &query, &mut scratch, &deadline).unwrap();
    matrix.row(from, &mut scratch).unwrap()[0]
}
