//! Stops by position: in a box, in a circle, within a walk.

use trestle_model::geo::{LatLon, fast_distance_m};
use trestle_model::ids::StopIdx;
use trestle_model::{Direction, RoutingRequest};
use trestle_street::cost::StreetCosts;
use trestle_street::link::{LinkEnd, LinkMode, LinkedPlace};
use trestle_street::search::{Interrupted, StreetQuery, StreetSearch};
use trestle_transit::transfers::{AT_ONE_POINT, PATHWAY};

use crate::deadline::Deadline;
use crate::snapshot::Snapshot;

/// Larger radii are reduced to this many metres.
pub const MAX_RADIUS_M: f64 = 5000.0;

/// Listed stops in a box, edges included, in listing order.
pub fn stops_in_box(snapshot: &Snapshot, south_west: LatLon, north_east: LatLon) -> Vec<u32> {
    let timetable = &snapshot.graph.timetable;
    let within = |&stop: &u32| {
        let LatLon { lat, lon } = timetable.stops.position(StopIdx(stop));
        (south_west.lat..=north_east.lat).contains(&lat) && (south_west.lon..=north_east.lon).contains(&lon)
    };
    snapshot.graph.listing.stops.iter().copied().filter(within).collect()
}

/// Listed stops nearer than `radius` metres (at most [`MAX_RADIUS_M`]) with their distance, nearest first.
pub fn stops_in_circle(snapshot: &Snapshot, center: LatLon, radius: f64) -> Vec<(u32, f64)> {
    let timetable = &snapshot.graph.timetable;
    let radius = radius.min(MAX_RADIUS_M);
    let distance = |stop: u32| fast_distance_m(center, timetable.stops.position(StopIdx(stop)));
    let all = snapshot.graph.listing.stops.iter().map(|&stop| (stop, distance(stop)));
    let mut near: Vec<(u32, f64)> = all.filter(|(_, meters)| *meters < radius).collect();
    near.sort_by(|a, b| a.1.total_cmp(&b.1));
    near
}

/// Listed stops within a walk of `radius` metres (at most [`MAX_RADIUS_M`]) with the metres walked, nearest first.
/// Without streets, the straight line is the walk.
///
/// # Errors
/// [`Interrupted`] if the deadline passed first.
pub fn stops_within_walk(
    snapshot: &Snapshot,
    center: LatLon,
    radius: f64,
    memory: &mut StreetSearch,
    deadline: &Deadline,
) -> Result<Vec<(u32, f64)>, Interrupted> {
    deadline.check()?;
    let street = &snapshot.graph.street;
    if street.vertex_count() == 0 {
        return Ok(stops_in_circle(snapshot, center, radius));
    }
    let place = LinkedPlace::at_coordinate(street, center, LinkMode::Walk, LinkEnd::Start);
    let Some(place) = place else { return Ok(Vec::new()) };
    let request = RoutingRequest { walk_speed: 1.0, ..RoutingRequest::default() };
    let costs = StreetCosts::from_request(&request, 0);
    let radius = radius.min(MAX_RADIUS_M);
    let mut query = StreetQuery { interrupted: deadline.interrupted(), ..StreetQuery::new(street, &costs) };
    // Not the seconds, even at one metre per second: turns take time too.
    query.limits.max_walk_distance = radius.next_up();
    let reached = memory.nearby_stops(&query, &place, Direction::Forward, &|_| 0)?;
    let stops = &snapshot.graph.timetable.stops;
    let listed = |stop: u32| stops.is_boardable(StopIdx(stop));
    let mut near: Vec<(u32, f64)> = (reached.stops().iter())
        .map(|reach| (reach.stop, reach.walk_distance))
        .filter(|(stop, meters)| *meters <= radius && listed(*stop))
        .collect();
    near.sort_by(|a, b| a.1.total_cmp(&b.1));
    Ok(near)
}

/// The precomputed walks along streets (or transfers.txt edges) from a stop: target and metres. Pathways inside a
/// station and straight walks to stops at the same point of the streets are not included.
pub fn transfers_from(snapshot: &Snapshot, stop: u32) -> Vec<(u32, f64)> {
    let own = snapshot.graph.timetable.transfers.direct_from(StopIdx(stop));
    let millimeters = |meters: f32| (f64::from(meters) * 1000.0).round() / 1000.0;
    own.iter()
        .filter(|t| t.is_usable(false) && t.flags & (PATHWAY | AT_ONE_POINT) == 0)
        .map(|t| (t.other_stop, millimeters(t.meters)))
        .collect()
}
