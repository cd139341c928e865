//! The centre of an analysis.

use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::{LatLon, distance_m};
use trestle_model::ids::VertexIdx;
use trestle_model::request::PlaceRequest;
use trestle_model::{Direction, RoutingRequest};
use trestle_street::cost::WalkPace;
use trestle_street::graph::StreetGraph;
use trestle_street::link::LinkedPlace;
use trestle_street::nearest_vertices::{SearchEnd, nearest_open_vertices, nearest_vertices};
use trestle_street::search::{Interrupted, Objective, StreetQuery, StreetSearch, TreeStart};

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

/// The street within which a search by cost from (backward: to) a centre starts; `None` if it starts at nodes.
pub(crate) fn street_of(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    center: LatLon,
) -> Option<LinkedPlace> {
    match Joined::by_cost(&snapshot.graph.street, center, request) {
        Ok(Joined::Street(place)) => Some(place),
        _ => None,
    }
}

/// What a centre is joined to.
#[derive(Debug)]
pub(crate) enum Joined {
    /// Nodes near it, and the straight distance to each in whole metres.
    Nodes(Vec<(VertexIdx, f64)>),
    /// The street to which plans link it, where no node is near, as on a long street in the country.
    Street(LinkedPlace),
}

impl Joined {
    /// The nodes are the nearest and the third nearest walkable one, or both when there are only two. If the travellers of
    /// `open` cannot leave these (backward: reach them), as by car on footpaths, they are the nearest and the third nearest
    /// of those that they can leave.
    ///
    /// # Errors
    /// [`AnalysisError::PlaceNotFound`] when no street is near enough.
    pub(super) fn of(
        street: &StreetGraph,
        position: LatLon,
        request: &RoutingRequest,
        open: Option<SearchEnd>,
    ) -> Result<Joined, AnalysisError> {
        let mut nearest = joined(nearest_vertices(street, position, JOINED[1] + 1));
        if let Some(by) = open
            && by.is_closed_at(street, nearest.iter().map(|&(vertex, _)| vertex))
        {
            let open = joined(nearest_open_vertices(street, position, JOINED[1] + 1, by));
            nearest = if open.is_empty() { nearest } else { open };
        }
        if nearest.is_empty() {
            let by = SearchEnd::at_known_time(request);
            let place = LinkedPlace::at_coordinate(street, position, by.mode, by.end);
            let missing = AnalysisError::PlaceNotFound(request.direction.pick("from", "to"));
            return place.map(Joined::Street).ok_or(missing);
        }
        nearest.iter_mut().for_each(|(_, metres)| *metres = metres.trunc());
        Ok(Joined::Nodes(nearest))
    }

    /// The same for searches by cost, in which only drivers are joined to other than the nearest nodes.
    pub(super) fn by_cost(
        street: &StreetGraph,
        position: LatLon,
        request: &RoutingRequest,
    ) -> Result<Joined, AnalysisError> {
        Joined::of(street, position, request, SearchEnd::at_known_time(request).of_drivers())
    }

    /// Where a search starts at the centre. A straight walk takes time, which is its cost if the query minimizes time;
    /// otherwise it costs nothing.
    pub(super) fn starts(
        &self,
        query: &StreetQuery<'_>,
        pace: WalkPace,
        direction: Direction,
        memory: &mut StreetSearch,
    ) -> Result<Vec<TreeStart>, Interrupted> {
        match self {
            Joined::Nodes(nodes) => {
                Ok(nodes.iter().map(|&(vertex, metres)| straight_walk(vertex, metres, query, pace)).collect())
            }
            Joined::Street(place) => along_street(place, query, pace, direction, memory),
        }
    }
}

/// The start of a search at a node at the end of a straight walk.
pub(super) fn straight_walk(
    vertex: VertexIdx,
    metres: f64,
    query: &StreetQuery<'_>,
    pace: WalkPace,
) -> TreeStart {
    let seconds = pace.seconds(metres) as i32;
    let weight = if query.objective == Objective::Time { f64::from(seconds) } else { 0.0 };
    TreeStart { vertex, seconds, weight, walk_distance: metres }
}

/// The starts of a search at the ends of the streets that a place is on: after a straight walk to the street, travellers
/// go on along it as the query says.
pub(super) fn along_street(
    place: &LinkedPlace,
    query: &StreetQuery<'_>,
    pace: WalkPace,
    direction: Direction,
    memory: &mut StreetSearch,
) -> Result<Vec<TreeStart>, Interrupted> {
    let mut starts = memory.starts_at(query, place, direction)?;
    for start in &mut starts {
        let walk = straight_walk(start.vertex, off_street(place), query, pace);
        start.seconds += walk.seconds;
        start.weight += walk.weight;
        start.walk_distance += walk.walk_distance;
    }
    Ok(starts)
}

/// Whole metres from a place to the street that it is linked to.
pub(crate) fn off_street(place: &LinkedPlace) -> f64 {
    distance_m(place.position, place.snapped).trunc()
}

/// The nodes that a centre is joined to, out of the nearest ones.
fn joined(nearest: Vec<(VertexIdx, f64)>) -> Vec<(VertexIdx, f64)> {
    if nearest.len() > JOINED[1] { JOINED.iter().map(|&i| nearest[i]).collect() } else { nearest }
}
