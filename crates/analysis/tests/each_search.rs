//! The searches from one place to everywhere, side by side.

use crate::support::GridTown;
use trestle_analysis::Scratch;
use trestle_analysis::one_to_many::window::{NOT_REACHED, WindowQuery, window_times};
use trestle_analysis::one_to_many::{EarliestSearch, OneToMany, Origin, one_to_many};
use trestle_analysis::surface::UNREACHED;
use trestle_engine::deadline::Deadline;
use trestle_model::RoutingRequest;
use trestle_model::geo::LatLon;

/// Seconds between a centre and the vertex at another position by each search: by time, by cost, and over a window.
/// [`UNREACHED`] where it is not reached within `max_seconds`.
pub(crate) fn seconds_by_each_search(
    town: &GridTown,
    request: &RoutingRequest,
    [center, other]: [LatLon; 2],
    max_seconds: i32,
) -> [i32; 3] {
    let (mut scratch, deadline, there) = (Scratch::default(), Deadline::default(), town.vertex_at(other));
    let search = EarliestSearch::new(&town.snapshot, request, max_seconds, &deadline).unwrap();
    let by_time = search.everywhere(center, 0, &mut scratch).unwrap().active_times(0);
    let query = OneToMany { request, origin: Origin::Center(center), max_seconds, beyond_walk_limit: true };
    let by_cost = one_to_many(&town.snapshot, &query, &mut scratch, &deadline).unwrap().seconds_to(there);
    let window =
        WindowQuery { request, center, step: 60, count: 1, max_seconds, max_stop_seconds: max_seconds };
    let in_window = window_times(&town.snapshot, &window, &mut scratch, &deadline).unwrap().seconds(0, there);
    [
        by_time.seconds_to(there),
        if by_cost.is_finite() { by_cost as i32 } else { UNREACHED },
        if in_window == NOT_REACHED { UNREACHED } else { in_window.into() },
    ]
}
