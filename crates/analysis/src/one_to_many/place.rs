//! The centre of an analysis.

use trestle_engine::graph::Graph;
use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;
use trestle_model::geo::LatLon;
use trestle_model::ids::VertexIdx;
use trestle_model::request::PlaceRequest;
use trestle_street::cost::WalkPace;
use trestle_street::nearest_vertices::{SearchEnd, nearest_open_vertices, nearest_vertices};
use trestle_street::search::TreeStart;

use crate::error::AnalysisError;

/// Which of the nodes around a centre it is joined to, 0 being the nearest. The interface's reference skips the second
/// nearest, which is usually the other end of the same street.
const JOINED: [usize; 2] = [0, 2];

/// Position of the central place: the start (backward: the destination).
///
/// # Errors
/// [`AnalysisError::PlaceNotFound`] for an unknown label, or without a place.
pub fn center(snapshot: &Snapshot, request: &RoutingRequest) -> Result<LatLon, AnalysisError> {
    let (place, name) = request.direction.pick((&request.from, "from"), (&request.to, "to"));
    position(snapshot, place).ok_or(AnalysisError::PlaceNotFound(name))
}

/// As in plans, a label is that of a vertex, of a bike rental station or of a stop.
fn position(snapshot: &Snapshot, place: &PlaceRequest) -> Option<LatLon> {
    if let Some(position) = place.position {
        return position.is_on_earth().then_some(position);
    }
    let graph = &snapshot.graph;
    if let Some(vertex) = graph.street.vertex_by_label(&place.label) {
        return Some(graph.street.position(vertex));
    }
    if let Some((_, station)) = snapshot.bikes.by_label(&place.label) {
        return Some(station.position);
    }
    Some(graph.timetable.stops.position(graph.timetable.stop_by_id(&place.label)?))
}

/// The straight walk to each of the nodes that a centre is joined to, in seconds, which are also its cost. See [`link`].
///
/// # Errors
/// [`AnalysisError::PlaceNotFound`] when none is near enough.
pub(super) fn starts(
    graph: &Graph,
    position: LatLon,
    request: &RoutingRequest,
    open: Option<SearchEnd>,
) -> Result<Vec<TreeStart>, AnalysisError> {
    let start = |(vertex, metres): (VertexIdx, f64)| {
        let seconds = WalkPace::of(request).seconds(metres) as i32;
        TreeStart { vertex, seconds, weight: f64::from(seconds), walk_distance: metres }
    };
    Ok(link(graph, position, request, open)?.into_iter().map(start).collect())
}

/// The nodes that a centre is joined to and the straight distance to each in whole metres: the nearest and the third
/// nearest walkable one, or both when there are only two. If the travellers of `open` cannot leave these (backward: reach
/// them), as by car on footpaths, they are joined to the nearest and the third nearest of the nodes that they can leave.
///
/// # Errors
/// [`AnalysisError::PlaceNotFound`] when none is near enough.
fn link(
    graph: &Graph,
    position: LatLon,
    request: &RoutingRequest,
    open: Option<SearchEnd>,
) -> Result<Vec<(VertexIdx, f64)>, AnalysisError> {
    let street = &graph.street;
    let mut nearest = joined(nearest_vertices(street, position, JOINED[1] + 1));
    if let Some(by) = open
        && by.is_closed_at(street, nearest.iter().map(|&(vertex, _)| vertex))
    {
        let open = joined(nearest_open_vertices(street, position, JOINED[1] + 1, by));
        nearest = if open.is_empty() { nearest } else { open };
    }
    if nearest.is_empty() {
        return Err(AnalysisError::PlaceNotFound(request.direction.pick("from", "to")));
    }
    nearest.iter_mut().for_each(|(_, metres)| *metres = metres.trunc());
    Ok(nearest)
}

/// The nodes that a centre is joined to, out of the nearest ones.
fn joined(nearest: Vec<(VertexIdx, f64)>) -> Vec<(VertexIdx, f64)> {
    if nearest.len() > JOINED[1] { JOINED.iter().map(|&i| nearest[i]).collect() } else { nearest }
}
