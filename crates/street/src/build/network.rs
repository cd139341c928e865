//! The street network while it is being built.

use std::collections::BTreeMap;

use trestle_model::geo::{LatLon, distance_m};
use trestle_model::lists::list;
use trestle_model::strings::StringsBuilder;

use super::geometry;
use super::profiles::BuildProfiles;
use crate::geometry::{from_micro, to_micro};
use crate::graph::{Edge, EdgeKind, StopLink, StreetNote, TurnRestriction, edge_flags};
use crate::osm::Permission;

/// A straight line between the vertices: no geometry of its own.
pub(crate) const STRAIGHT: u32 = u32::MAX;

/// A vertex being built.
#[derive(Clone, Debug)]
pub(crate) struct BuildVertex {
    pub(crate) position: LatLon,
    /// 0 when it is not an OSM node.
    pub(crate) osm_id: i64,
    /// See [`crate::graph::vertex_flags`].
    pub(crate) flags: u16,
    /// Index of its name, 0 for none.
    pub(crate) name: u32,
    /// The modes that a barrier here lets through.
    pub(crate) passable: Permission,
    /// Height from an `ele` tag, metres.
    pub(crate) elevation: Option<f64>,
    /// Input file that it is from, index into [`Network::files`].
    pub(crate) file: u16,
}

/// Whether an edge is still in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EdgeState {
    /// Part of the network.
    Live,
    /// Split, but kept in addition to its halves because a restriction or note refers to it. Not split again.
    Surviving,
    Removed,
}

/// An edge being built.
#[derive(Clone, Debug)]
pub(crate) struct BuildEdge {
    pub(crate) edge: Edge,
    pub(crate) state: EdgeState,
    /// Made for the back direction of its way.
    pub(crate) is_back: bool,
}

/// A bike rental station, bike park or park-and-ride lot.
#[derive(Clone, Debug)]
pub(crate) struct BuildStation {
    pub(crate) vertex: u32,
    /// See [`crate::graph::station_kinds`].
    pub(crate) kind: u32,
    pub(crate) id: u32,
    pub(crate) name: u32,
    pub(crate) networks: u32,
    pub(crate) capacity: u32,
    /// Still to be linked to the nearest street (a lot only if no street at its outline will do).
    pub(crate) needs_link: bool,
}

/// Vertices, edges and everything that belongs to them.
#[derive(Default)]
pub(crate) struct Network {
    /// Names of the input files, for issues.
    pub(crate) files: Vec<String>,
    pub(crate) vertices: Vec<BuildVertex>,
    pub(crate) edges: Vec<BuildEdge>,
    /// First inner point of each geometry; one more entry than geometries.
    pub(crate) geometry_offsets: Vec<u32>,
    pub(crate) geometry_points: Vec<[i32; 2]>,
    pub(crate) names: StringsBuilder,
    /// (name, language) → translation, all indices into `names`.
    pub(crate) translations: BTreeMap<(u32, u32), u32>,
    pub(crate) restrictions: Vec<TurnRestriction>,
    /// Edges that a restriction starts from or leads to.
    pub(crate) restricted_edges: rustc_hash::FxHashSet<u32>,
    pub(crate) notes: Vec<StreetNote>,
    pub(crate) stop_links: Vec<StopLink>,
    pub(crate) stations: Vec<BuildStation>,
    /// Vertices of OSM stops with the stop code in their `ref`.
    pub(crate) stop_nodes: Vec<(u32, String)>,
    /// Elevation by edge; empty without elevation.
    pub(crate) profiles: BuildProfiles,
}

impl Network {
    pub(crate) fn new() -> Self {
        Network { geometry_offsets: vec![0], ..Default::default() }
    }

    pub(crate) fn add_vertex(&mut self, position: LatLon, osm_id: i64, flags: u16) -> u32 {
        let (name, passable, elevation, file) = (0, Permission::ALL, None, 0);
        self.vertices.push(BuildVertex { position, osm_id, flags, name, passable, elevation, file });
        self.vertices.len() as u32 - 1
    }

    /// Name of the input file of a vertex.
    pub(crate) fn file_of(&self, vertex: u32) -> &str {
        self.files.get(usize::from(self.vertices[vertex as usize].file)).map_or("", String::as_str)
    }

    pub(crate) fn position(&self, vertex: u32) -> LatLon {
        self.vertices[vertex as usize].position
    }

    pub(crate) fn add_edge(&mut self, edge: Edge, is_back: bool) -> u32 {
        self.edges.push(BuildEdge { edge, state: EdgeState::Live, is_back });
        self.edges.len() as u32 - 1
    }

    /// Adds an edge without geometry, length or permission of its own.
    pub(crate) fn add_connection(
        &mut self,
        from: u32,
        to: u32,
        kind: EdgeKind,
        flags: u32,
        name: u32,
    ) -> u32 {
        let flags = flags | (kind as u32) << edge_flags::KIND_SHIFT;
        let edge = Edge { from, to, flags, name, geometry: STRAIGHT, bicycle_safety: 1.0, ..Edge::default() };
        self.add_edge(edge, false)
    }

    /// Adds a connection between a lot and a street, with the length of the straight line.
    pub(crate) fn add_lot_link(&mut self, from: u32, to: u32, kind: EdgeKind, name: u32) {
        let meters = distance_m(self.position(from), self.position(to));
        let link = self.add_connection(from, to, kind, 0, name);
        self.edges[link as usize].edge.length_mm = geometry::millimeters(meters);
    }

    /// Stores the inner points of a line.
    pub(crate) fn add_geometry(&mut self, line: &[LatLon]) -> u32 {
        if line.len() <= 2 {
            return STRAIGHT;
        }
        self.geometry_points.extend(line[1..line.len() - 1].iter().map(|p| to_micro(*p)));
        self.geometry_offsets.push(self.geometry_points.len() as u32);
        self.geometry_offsets.len() as u32 - 2
    }

    /// The stored inner points of a line; a straight one has none.
    pub(crate) fn inner_points(&self, geometry: u32) -> &[[i32; 2]] {
        list(&self.geometry_offsets, &self.geometry_points, geometry as usize)
    }

    /// Fills `line` with the stored line of an edge, from its start to its end.
    pub(crate) fn line_into(&self, edge: &Edge, line: &mut Vec<LatLon>) {
        line.clear();
        line.push(self.position(edge.from));
        let inner = self.inner_points(edge.geometry).iter().map(|p| from_micro(*p));
        if edge.has(edge_flags::REVERSED_GEOMETRY) {
            line.extend(inner.rev());
        } else {
            line.extend(inner);
        }
        line.push(self.position(edge.to));
    }

    /// What an edge permits, barriers at its ends included.
    pub(crate) fn permission(&self, edge: &Edge) -> Permission {
        let passable = |vertex: u32| self.vertices[vertex as usize].passable;
        Permission::of_flags(edge.flags).intersect(passable(edge.from)).intersect(passable(edge.to))
    }

    /// Edges that the graph will have.
    pub(crate) fn kept_edges(&self) -> impl Iterator<Item = (u32, &Edge)> + Clone {
        let kept = (0u32..).zip(&self.edges).filter(|(_, build)| build.state != EdgeState::Removed);
        kept.map(|(number, build)| (number, &build.edge))
    }

    /// Edges that are part of the network, split ones excluded.
    pub(crate) fn live_edges(&self) -> impl Iterator<Item = (u32, &BuildEdge)> + Clone {
        self.edges.iter().enumerate().filter(|(_, e)| e.state == EdgeState::Live).map(|(i, e)| (i as u32, e))
    }
}
