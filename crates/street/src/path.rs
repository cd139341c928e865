//! Street paths as a search finds them: edge by edge, without names.

use trestle_model::Mode;
use trestle_model::geo::LatLon;
use trestle_model::ids::{EdgeIdx, VertexIdx};

use crate::graph::StreetGraph;
use crate::link::LinkedPlace;

/// What happened in one traversal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraversalKind {
    /// A street edge, or part of one.
    Street,
    /// A free connection (no time, no geometry).
    Free,
    /// Elevator board, hop or alight edge.
    Elevator,
    /// Taking a rented bike at the station at the edge's end vertex.
    RentalPickup,
    /// Returning it.
    RentalDropoff,
    /// Leaving one's own bike at a bike park.
    BikePark,
    /// Leaving the car at a park-and-ride lot.
    CarPark,
    /// Being dropped off (kiss and ride): a change from driving to walking.
    CarDropoff,
    /// Between a street and a station or lot.
    StationLink,
    /// Between a street and a stop (mode `LegSwitch`).
    StopLink,
}

/// One edge of a path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Traversal {
    /// Edge; `EdgeIdx::NONE` for events (pickup, drop-off, parking, stop link).
    pub edge: EdgeIdx,
    /// Start of the used part as a fraction of the edge's geometric length; 0 for a whole edge.
    pub from_fraction: f32,
    /// End of the used part; 1 for a whole edge.
    pub to_fraction: f32,
    /// What happened.
    pub kind: TraversalKind,
    /// Mode of the leg it belongs to (`Walk` while walking a bike; `LegSwitch` for parking and stop links).
    pub mode: Mode,
    /// On a rented bike.
    pub renting: bool,
    /// Whole seconds it took.
    pub seconds: i32,
    /// Generalized cost.
    pub weight: f64,
    /// Length in metres as the steps and legs show it (0 for events).
    pub length_m: f64,
    /// What it added to the walk distance (length + turn cost / 100; nothing when driving).
    pub walk_distance_m: f64,
    /// Vertex at its end (`VertexIdx::NONE` for a temporary end at a request's place).
    pub end_vertex: VertexIdx,
    /// Rental station of a pickup or drop-off: its position among the search's stations.
    pub station: Option<u32>,
}

impl Traversal {
    /// An event, which is not an edge, without time or cost.
    pub fn event() -> Traversal {
        Traversal {
            edge: EdgeIdx::NONE,
            from_fraction: 0.0,
            to_fraction: 1.0,
            kind: TraversalKind::Free,
            mode: Mode::LegSwitch,
            renting: false,
            seconds: 0,
            weight: 0.0,
            length_m: 0.0,
            walk_distance_m: 0.0,
            end_vertex: VertexIdx::NONE,
            station: None,
        }
    }
}

/// A path in travel order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StreetPath {
    /// Traversals in travel order.
    pub traversals: Vec<Traversal>,
    /// Sum of their seconds.
    pub seconds: i32,
    /// Sum of their weights.
    pub weight: f64,
    /// Sum of their walk distances, metres.
    pub walk_distance_m: f64,
    /// Where the path starts on the street (the snapped point), when it starts at a request's place.
    pub start: Option<LatLon>,
    /// Where it ends on the street.
    pub end: Option<LatLon>,
}

impl StreetPath {
    /// Whether it leads nowhere: it takes no time, or only leaves a stop and enters another one that is joined to the streets at
    /// the same point.
    pub fn is_trivial(&self) -> bool {
        let takes_no_time = self.seconds == 0 && self.walk_distance_m == 0.0;
        takes_no_time || self.traversals.iter().all(|traversal| traversal.kind == TraversalKind::StopLink)
    }

    /// The path with the point at which it leaves a place.
    pub(crate) fn starting_at(self, graph: &StreetGraph, place: &LinkedPlace) -> StreetPath {
        let mut streets = self.traversals.iter().filter(|traversal| traversal.kind == TraversalKind::Street);
        let first = streets.next().map(|street| (street.edge, street.from_fraction > 0.0));
        let vertex = |edge| graph.edge(edge).from;
        StreetPath { start: Some(point_of(graph, place, first, vertex)), ..self }
    }

    /// The path with the point at which it comes to a place.
    pub(crate) fn ending_at(self, graph: &StreetGraph, place: &LinkedPlace) -> StreetPath {
        let mut streets = self.traversals.iter().filter(|traversal| traversal.kind == TraversalKind::Street);
        let last = streets.next_back().map(|street| (street.edge, street.to_fraction < 1.0));
        let vertex = |edge| graph.edge(edge).to;
        StreetPath { end: Some(point_of(graph, place, last, vertex)), ..self }
    }
}

/// The point at which a path is at a place, given the street that the path uses there and whether the place cuts it, and the
/// vertex at that end of a street.
fn point_of(
    graph: &StreetGraph,
    place: &LinkedPlace,
    street: Option<(EdgeIdx, bool)>,
    vertex: impl Fn(EdgeIdx) -> u32,
) -> LatLon {
    match street {
        Some((edge, true)) => place.point_on(edge).unwrap_or(place.snapped),
        Some((edge, false)) if place.nearer.is_some() => graph.position(VertexIdx(vertex(edge))),
        _ => place.snapped,
    }
}
