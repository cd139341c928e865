//! Finds the places of a request in the graph.

use trestle_engine::graph::Graph;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::{LatLon, distance_m};
use trestle_model::ids::{EdgeIdx, StopIdx, VertexIdx};
use trestle_model::request::PlaceRequest;
use trestle_model::{Direction, PlanError, PlanErrorCode, RoutingRequest};
use trestle_street::graph::edge_flags;
use trestle_street::link::{LinkEnd, LinkMode, LinkedPlace};

use super::on_board;
use crate::itinerary::{ON_BOARD, SectionEnd, corner_name};

/// A stop farther than this from a place is elsewhere, even if both are linked to one point of the streets; metres.
const SAME_PLACE_M: f64 = 100.0;

/// Within this many metres of a place, a traveller is at it.
const AT_PLACE_M: f64 = 10.0;

/// A place of a request, found in the graph.
#[derive(Clone, Debug)]
pub(super) struct ResolvedPlace {
    /// Displayed name: the request's, the stop's, or `Origin` / `Destination`.
    pub(super) name: String,
    /// The request's name, maybe empty.
    pub(super) orig: String,
    /// The request's coordinate, or that of the stop or vertex.
    pub(super) position: LatLon,
    /// Stops at which the traveller already is.
    pub(super) stops: Vec<StopIdx>,
    /// Its link to the streets.
    pub(super) linked: Option<LinkedPlace>,
    /// Id of the rental station that the request names.
    pub(super) station: Option<String>,
}

/// Finds both ends of a request.
///
/// # Errors
/// `OUTSIDE_BOUNDS` with the places that are unknown or too far from any street or stop; the errors of a start inside a
/// vehicle.
pub(super) fn resolve_ends(
    snapshot: &Snapshot,
    request: &RoutingRequest,
) -> Result<(ResolvedPlace, ResolvedPlace), PlanError> {
    let mode = LinkMode::of(request);
    let from = match on_board::begins_aboard(request) {
        true => in_vehicle(snapshot, request)?,
        false => resolve(snapshot, request, &request.from, (LinkEnd::Start, mode)),
    };
    let to_mode = destination_mode(request, mode);
    let to = resolve(snapshot, request, &request.to, (LinkEnd::Destination, to_mode));
    match (from, to) {
        (Some(from), Some(to)) => Ok((from, to)),
        (from, to) => {
            let mut error = PlanError::new(PlanErrorCode::OutsideBounds, "a place is not on the map");
            if from.is_none() {
                error.missing.push("from");
            }
            if to.is_none() {
                error.missing.push("to");
            }
            Err(error)
        }
    }
}

/// The destination is reached on foot after park and ride or kiss and ride.
fn destination_mode(request: &RoutingRequest, mode: LinkMode) -> LinkMode {
    if request.uses_transit() && (request.car_park || request.kiss_and_ride) { LinkMode::Walk } else { mode }
}

fn resolve(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    place: &PlaceRequest,
    link: (LinkEnd, LinkMode),
) -> Option<ResolvedPlace> {
    let mut resolved = match place.position {
        Some(position) => at_coordinate(snapshot, request, position, link),
        None => at_label(snapshot, &place.label, &request.locale, request.wheelchair.then_some(link.0)),
    }?;
    if !place.name.is_empty() {
        resolved.name.clone_from(&place.name);
    }
    resolved.orig.clone_from(&place.name);
    Some(resolved)
}

/// The start inside a vehicle. It needs no street nearby: a ferry may be far from the shore.
fn in_vehicle(snapshot: &Snapshot, request: &RoutingRequest) -> Result<Option<ResolvedPlace>, PlanError> {
    let given = request.from.position.filter(|position| position.is_on_earth());
    let position = match on_board::whereabouts(snapshot, request)?.or(given) {
        Some(position) => Some(position),
        None => at_label(snapshot, &request.from.label, &request.locale, None).map(|place| place.position),
    };
    Ok(position.map(|position| ResolvedPlace {
        name: ON_BOARD.to_owned(),
        orig: request.from.name.clone(),
        ..ResolvedPlace::at(position)
    }))
}

fn at_coordinate(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    position: LatLon,
    (end, mode): (LinkEnd, LinkMode),
) -> Option<ResolvedPlace> {
    if !position.is_on_earth() {
        return None;
    }
    let graph = &snapshot.graph;
    let on_street = LinkedPlace::with_nearer_street(&graph.street, position, mode, end);
    let stops = match on_street {
        Some(_) => Vec::new(),
        None => snapshot.stops_near(position, request.ignore_realtime),
    };
    let linked = on_street.or_else(|| graph.linked_at_stops(&stops, position));
    let found = linked.is_some() || !stops.is_empty();
    let name = if end == LinkEnd::Start { "Origin" } else { "Destination" };
    found.then(|| ResolvedPlace { name: name.to_owned(), stops, linked, ..ResolvedPlace::at(position) })
}

/// Labels: `feed:stop`, `osm:node:<id>`, `bike rental station <id>`. `wheelchair` is the end of a request for one.
fn at_label(
    snapshot: &Snapshot,
    label: &str,
    locale: &str,
    wheelchair: Option<LinkEnd>,
) -> Option<ResolvedPlace> {
    let graph = &snapshot.graph;
    if label.is_empty() {
        return None;
    }
    if let Some((linked, station)) = snapshot.bikes.by_label(label) {
        return Some(ResolvedPlace {
            name: station.name.clone(),
            linked: Some(linked.clone()),
            station: Some(station.id.clone()),
            ..ResolvedPlace::at(station.position)
        });
    }
    if let Some(vertex) = graph.street.vertex_by_label(label) {
        return Some(at_vertex(graph, vertex, locale));
    }
    graph.timetable.stop_by_id(label).map(|stop| at_stop(graph, stop, wheelchair))
}

fn at_vertex(graph: &Graph, vertex: VertexIdx, locale: &str) -> ResolvedPlace {
    let linked = LinkedPlace::at_vertex(&graph.street, vertex);
    let position = linked.position;
    ResolvedPlace {
        name: corner_name(&graph.street, vertex, locale),
        linked: Some(linked),
        ..ResolvedPlace::at(position)
    }
}

/// A stop, or a station with its child stops.
fn at_stop(graph: &Graph, stop: StopIdx, wheelchair: Option<LinkEnd>) -> ResolvedPlace {
    let stops = &graph.timetable.stops;
    let i = stop.index();
    let position = stops.position(stop);
    let exit = wheelchair.map_or(stop, |end| exit_for_wheelchairs(graph, stop, end));
    let linked = graph.linked_at_stops(&[exit], position);
    let name = graph.timetable.texts.get(stops.name[i]).to_owned();
    let stops = boardable(graph, stop);
    ResolvedPlace { name, stops, linked, ..ResolvedPlace::at(position) }
}

/// The stop of the same station whose way to or from the streets a wheelchair can use, where steps lead to the stop itself.
fn exit_for_wheelchairs(graph: &Graph, stop: StopIdx, end: LinkEnd) -> StopIdx {
    let street = &graph.street;
    let is_open = |edge: u32| {
        let edge = street.edge(EdgeIdx(edge));
        edge.has(edge_flags::WALK) && edge.has(edge_flags::WHEELCHAIR)
    };
    let is_exit = |&stop: &StopIdx| {
        let mut corners = street.links_of(stop.0).iter().map(|link| VertexIdx(link.vertex));
        corners.any(|corner| match end {
            LinkEnd::Destination => street.incoming(corner).iter().copied().any(is_open),
            LinkEnd::Start | LinkEnd::Both => street.out_edges(corner).any(&is_open),
        })
    };
    if is_exit(&stop) {
        return stop;
    }
    let direction = if end == LinkEnd::Destination { Direction::Backward } else { Direction::Forward };
    let edges = graph.station_edges(direction, true);
    let mut others = boardable(graph, stop).into_iter().flat_map(|part| edges.with_others(part));
    let is_usable = |other: &StopIdx| !graph.timetable.stops.bars_wheelchairs(*other) && is_exit(other);
    others.find(is_usable).unwrap_or(stop)
}

/// The stop itself and the boarding areas of a platform that vehicles call at, or the stops of a station, which is one of
/// them where vehicles call at the station itself.
fn boardable(graph: &Graph, stop: StopIdx) -> Vec<StopIdx> {
    let stops = &graph.timetable.stops;
    let is_itself = |part: StopIdx| part == stop && !stops.is_station(stop);
    let parts = stops.with_parts(|whole| whole == stop);
    parts.filter(|&part| is_itself(part) || stops.is_boardable(part)).collect()
}

/// The stop where the first vehicle must be boarded (`startTransitStopId`), or the stops of the station. Clients use it to
/// find the trip before or after one that they show.
///
/// # Errors
/// `BOGUS_PARAMETER` for an unknown stop.
pub(super) fn first_boarding(
    graph: &Graph,
    request: &RoutingRequest,
) -> Result<Option<Vec<StopIdx>>, PlanError> {
    let Some(id) = request.start_transit_stop.as_deref() else { return Ok(None) };
    let stop = graph.timetable.stop_by_id(id).ok_or_else(|| {
        PlanError::new(PlanErrorCode::BogusParameter, format!("startTransitStopId: unknown stop {id}"))
    })?;
    Ok(Some(boardable(graph, stop)))
}

impl ResolvedPlace {
    /// A place without a name and without ways to it.
    fn at(position: LatLon) -> ResolvedPlace {
        ResolvedPlace {
            name: String::new(),
            orig: String::new(),
            position,
            stops: Vec::new(),
            linked: None,
            station: None,
        }
    }

    /// Whether this place and another one count as the same if they are linked to the same point of the streets. Stops that
    /// are far apart, beyond the border of the map or on both sides of a river, may be linked to the end of one street.
    pub(super) fn is_around(&self, other: &ResolvedPlace) -> bool {
        let without_stops = self.stops.is_empty() && other.stops.is_empty();
        without_stops || distance_m(self.position, other.position) <= SAME_PLACE_M
    }

    /// Whether someone at this place is also at the other one.
    pub(super) fn is_at(&self, other: &ResolvedPlace) -> bool {
        distance_m(self.position, other.position) <= AT_PLACE_M
    }

    /// Whether both places are coordinates on one street between two corners.
    pub(super) fn is_on_street_of(&self, other: &ResolvedPlace) -> bool {
        let are_linked_to_one = |(a, b): (&LinkedPlace, &LinkedPlace)| a.shares_edge_with(b);
        self.stops.is_empty()
            && other.stops.is_empty()
            && self.linked.as_ref().zip(other.linked.as_ref()).is_some_and(are_linked_to_one)
    }

    /// Whether both places have a stop in common, as a station and one of its platforms have.
    pub(super) fn shares_stop(&self, other: &ResolvedPlace) -> bool {
        self.stops.iter().any(|stop| other.stops.contains(stop))
    }

    /// This place as the start or destination that the request names.
    pub(super) fn requested_end(&self) -> SectionEnd {
        let ResolvedPlace { name, position, orig, station, .. } = self.clone();
        SectionEnd::Requested { name, position, orig, station }
    }
}
