//! The nodes at which searches to everywhere start and end.

use trestle_model::RoutingRequest;
use trestle_model::geo::{LatLon, fast_distance_m, meters_to_degrees};
use trestle_model::ids::{EdgeIdx, VertexIdx};

use crate::cost::StreetMode;
use crate::graph::{Edge, EdgeKind, StreetGraph, vertex_flags};
use crate::link::{LinkEnd, LinkMode};

/// Batch searches start at vertices up to this far away, metres.
pub const BATCH_LINK_RADIUS_M: f64 = 500.0;

/// How travellers use the streets at one end of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchEnd {
    /// How they move.
    pub mode: LinkMode,
    /// Whether travel starts there or leads there.
    pub end: LinkEnd,
}

impl SearchEnd {
    /// The end of a request's search at the place whose time is known.
    pub fn at_known_time(request: &RoutingRequest) -> SearchEnd {
        let [here, _] = StreetMode::of(request).around_transit(request.direction);
        SearchEnd::of(here, request.direction.pick(LinkEnd::Start, LinkEnd::Destination))
    }

    /// The other end of a request's search, at all the places that it reaches.
    pub fn elsewhere(request: &RoutingRequest) -> SearchEnd {
        let [_, elsewhere] = StreetMode::of(request).around_transit(request.direction);
        SearchEnd::of(elsewhere, request.direction.pick(LinkEnd::Destination, LinkEnd::Start))
    }

    fn of(street_mode: StreetMode, end: LinkEnd) -> SearchEnd {
        let mode = match street_mode {
            StreetMode::Car | StreetMode::ParkCar | StreetMode::KissAndRide => LinkMode::Car,
            StreetMode::Bicycle | StreetMode::ParkBicycle => LinkMode::Bicycle,
            StreetMode::Walk | StreetMode::RentedBicycle => LinkMode::Walk,
        };
        SearchEnd { mode, end }
    }

    fn is_open(self, edge: &Edge) -> bool {
        edge.kind() == EdgeKind::Street
            && edge.has(self.mode.permissions())
            && !edge.has(self.end.cut_off(self.mode))
    }

    /// This end if travellers drive there. Except in matrices, pedestrians and cyclists keep their vertices even if these
    /// lead nowhere: recorded isochrones agree only then.
    pub fn of_drivers(self) -> Option<SearchEnd> {
        (self.mode == LinkMode::Car).then_some(self)
    }

    /// Whether travellers cannot leave any of these vertices (at a destination: reach any of them).
    pub fn is_closed_at(self, graph: &StreetGraph, vertices: impl IntoIterator<Item = VertexIdx>) -> bool {
        !vertices.into_iter().any(|vertex| self.is_open_at(graph, vertex))
    }

    /// Whether travellers can leave a vertex (at a destination: reach it).
    pub fn is_open_at(self, graph: &StreetGraph, vertex: VertexIdx) -> bool {
        let is_open = |edge: u32| self.is_open(&graph.edge(EdgeIdx(edge)));
        match self.end {
            LinkEnd::Destination => graph.incoming(vertex).iter().copied().any(is_open),
            _ => graph.out_edges(vertex).any(is_open),
        }
    }
}

/// The OSM nodes at which a batch search starts: up to `count` nodes with a walkable way out within
/// [`BATCH_LINK_RADIUS_M`], nearest first, with their straight distances in metres.
pub fn nearest_vertices(graph: &StreetGraph, position: LatLon, count: usize) -> Vec<(VertexIdx, f64)> {
    let walkable = |edge: EdgeIdx| {
        let vertex = graph.edge(edge).from;
        (graph.vertex_flags[vertex as usize] & vertex_flags::WALKABLE != 0).then_some(vertex)
    };
    nearest_ends(graph, position, count, walkable)
}

/// Like [`nearest_vertices`], for the OSM nodes that travellers can leave (at a destination: reach).
pub fn nearest_open_vertices(
    graph: &StreetGraph,
    position: LatLon,
    count: usize,
    by: SearchEnd,
) -> Vec<(VertexIdx, f64)> {
    let open = |number: EdgeIdx| {
        let edge = graph.edge(number);
        let vertex = if by.end == LinkEnd::Destination { edge.to } else { edge.from };
        by.is_open(&edge).then_some(vertex)
    };
    nearest_ends(graph, position, count, open)
}

/// The nearest OSM nodes among those that `end_of` returns for edges.
fn nearest_ends(
    graph: &StreetGraph,
    position: LatLon,
    count: usize,
    end_of: impl Fn(EdgeIdx) -> Option<u32>,
) -> Vec<(VertexIdx, f64)> {
    let limit = std::cell::Cell::new(meters_to_degrees(BATCH_LINK_RADIUS_M) * 1.01);
    let mut found: Vec<(VertexIdx, f64)> = Vec::new();
    let visit = |e: u32| {
        let Some(vertex) = end_of(EdgeIdx(e)) else { return };
        if graph.vertex_flags[vertex as usize] & vertex_flags::OSM_NODE == 0 {
            return;
        }
        let meters = fast_distance_m(position, graph.position(VertexIdx(vertex)));
        if meters > BATCH_LINK_RADIUS_M || found.iter().any(|f| f.0.0 == vertex) {
            return;
        }
        let at = found.partition_point(|f| f.1 <= meters);
        found.insert(at, (VertexIdx(vertex), meters));
        found.truncate(count);
        if found.len() == count {
            limit.set(meters_to_degrees(found[count - 1].1) * 1.01);
        }
    };
    graph.spatial.rings(position, visit, |reached| reached > limit.get());
    found
}
