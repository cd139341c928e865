//! Points that are joined to the streets, and bytes of surfaces, serve all surfaces of a graph and its scenarios, and no
//! others.

use crate::support::{GridTown, crossing, request_from};
use trestle_analysis::samples::LinkedPoints;
use trestle_analysis::surface::{Surface, surface};
use trestle_analysis::{AnalysisError, Scratch};
use trestle_engine::deadline::Deadline;
use trestle_engine::scenario::Scenario;
use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;
use trestle_transit::scenario::Modification;

const LINES: &str = "stop A 1 1\nstop C 24 1\nline 1 600 7:04 9:30 : A 0, C 6";

fn searched(snapshot: &Snapshot) -> Surface {
    let request = request_from(crossing(1.0, 1.0), "8:00");
    surface(snapshot, &request, 60, &mut Scratch::default(), &Deadline::default()).unwrap()
}

#[test]
fn points_are_not_used_for_surfaces_of_other_streets() {
    let town = GridTown::new("linked-points", 26, 4, LINES);
    let other = GridTown::new("linked-points-elsewhere", 25, 4, LINES);
    let points = LinkedPoints::new(&town.snapshot, vec![crossing(20.0, 2.0)]);
    let moved = Modification::MoveStop { stop: "1:C".to_owned(), position: crossing(20.0, 2.0) };
    let scenario = Scenario::new(&town.snapshot, &[moved]).under(&town.snapshot);

    let times = searched(&town.snapshot).times_to(&points, None).unwrap();
    let sooner = searched(&scenario).times_to(&points, None).unwrap();
    assert!(sooner[0] < times[0], "{sooner:?} {times:?}");

    let refused = searched(&other.snapshot).times_to(&points, None);
    assert!(matches!(refused, Err(AnalysisError::Invalid(_))), "{refused:?}");
}

#[test]
fn the_walk_to_a_point_is_as_fast_as_the_search_unless_asked_otherwise() {
    let town = GridTown::new("walks-to-points", 26, 4, LINES);
    let points = LinkedPoints::new(&town.snapshot, vec![crossing(20.4, 2.4)]);
    for walk_speed in [0.5, 1.33, 4.0] {
        let request = RoutingRequest { walk_speed, ..request_from(crossing(1.0, 1.0), "8:00") };
        let surface =
            surface(&town.snapshot, &request, 120, &mut Scratch::default(), &Deadline::default()).unwrap();
        let times = |speed| surface.times_to(&points, speed).unwrap();
        assert_eq!(times(None), times(Some(walk_speed)));
        assert_ne!(times(None), times(Some(1.0)));
    }
}

#[test]
fn bytes_of_a_surface_are_not_read_with_as_many_other_vertices() {
    let town = GridTown::new("surface-bytes", 26, 4, LINES);
    // As many crossings, at other places.
    let other = GridTown::new("surface-bytes-elsewhere", 4, 26, "");
    let bytes = searched(&town.snapshot).to_bytes();
    let request = RoutingRequest::default();
    let read = |snapshot: &Snapshot| Surface::from_bytes(snapshot, &request, &bytes);
    let scenario = Scenario::new(&town.snapshot, &[]).under(&town.snapshot);
    assert!(read(&town.snapshot).is_ok() && read(&scenario).is_ok());
    let refused = read(&other.snapshot).err();
    assert!(matches!(refused, Some(AnalysisError::Invalid(_))), "{refused:?}");
}
