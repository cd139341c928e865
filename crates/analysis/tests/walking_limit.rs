//! Walks of matrices are limited in metres, as in plans: turns and whole seconds for each street make no difference.

use crate::support::{GridTown, crossing, request_from};
use trestle_analysis::Scratch;
use trestle_analysis::matrix::{Matrix, MatrixQuery};
use trestle_analysis::samples::linked_destinations;
use trestle_analysis::surface::UNREACHED;
use trestle_engine::deadline::Deadline;
use trestle_model::RoutingRequest;
use trestle_model::geo::LatLon;

const LINES: &str = "
    stop A 1 2
    stop B 30 2
    line 1 600 7:00 9:00 : A 0, B 3
";

/// Seconds between two places, walking at most 930 m each time. Streets of 100 m take a runner 15 s instead of 14.3, so
/// 900 m take longer than 930 m would in one go.
fn seconds(town: &GridTown, [from, to]: [LatLon; 2]) -> i32 {
    let request = RoutingRequest { max_walk_distance: 930.0, walk_speed: 7.0, ..request_from(from, "7:30") };
    let (mut scratch, deadline) = (Scratch::default(), Deadline::default());
    let destinations = linked_destinations(&town.snapshot, &[to], &request, &deadline).unwrap();
    let query = MatrixQuery { request, max_seconds: 3600, destinations, origins: 1 };
    let matrix = Matrix::new(&town.snapshot, &query, &mut scratch, &deadline).unwrap();
    matrix.row(from, &mut scratch).unwrap()[0]
}

#[test]
fn walks_in_matrices_are_limited_in_metres() {
    let town = GridTown::new("limit", 32, 14, LINES);
    // The walk is 900 m long, 1,060 m or 942 m.
    for (walk, first, last, is_within) in [
        ("all the way", crossing(8.0, 5.0), crossing(15.0, 7.0), true),
        ("all the way", crossing(8.0, 5.0), crossing(15.0, 8.6), false),
        // The last corner is within the limit, the place beyond it is not.
        ("all the way", crossing(8.0, 5.0), crossing(15.3, 7.3), false),
        ("all the way back", crossing(15.0, 7.0), crossing(8.0, 5.0), true),
        ("to A", crossing(5.0, 7.0), crossing(30.0, 2.0), true),
        ("to A", crossing(5.0, 8.6), crossing(30.0, 2.0), false),
        ("from B", crossing(1.0, 2.0), crossing(26.0, 7.0), true),
        ("from B", crossing(1.0, 2.0), crossing(26.0, 8.6), false),
    ] {
        let seconds = seconds(&town, [first, last]);
        assert_eq!(seconds != UNREACHED, is_within, "{walk} {first:?} {last:?}: {seconds}");
    }
}
