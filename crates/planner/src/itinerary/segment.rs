//! A street edge of a path, whole or in part, for legs and steps.

use std::borrow::Cow;
use std::ops::Range;

use trestle_model::geo::LatLon;
use trestle_model::ids::VertexIdx;
use trestle_street::graph::{Edge, EdgeKind, StreetGraph, edge_flags, vertex_flags};
use trestle_street::path::{StreetPath, Traversal, TraversalKind};

use super::geometry::{concatenate, first_angle, last_angle};
use super::names::edge_name;

/// A traversal of a street edge with its line and name.
pub(super) struct Segment<'a> {
    pub(super) traversal: &'a Traversal,
    pub(super) edge: Edge,
    /// The request's start or destination is on it.
    cut_by_request: bool,
    pub(super) line: Vec<LatLon>,
    pub(super) name: Cow<'a, str>,
    pub(super) first_angle: f64,
    pub(super) last_angle: f64,
}

impl<'a> Segment<'a> {
    /// The street edge of `path.traversals[index]`; `None` for other traversals, which have no line.
    pub(super) fn of(
        street: &'a StreetGraph,
        path: &'a StreetPath,
        index: usize,
        locale: &str,
    ) -> Option<Segment<'a>> {
        let (traversal, edge) = street_edge(street, path, index)?;
        let cuts = Cuts::of(path, index);
        let line = line_of(street, path, traversal, cuts);
        Some(Segment {
            traversal,
            edge,
            cut_by_request: cuts.at_start || cuts.at_end,
            name: edge_name(street, &edge, locale),
            first_angle: first_angle(&line),
            last_angle: last_angle(&line),
            line,
        })
    }

    /// Whether a stop, station or place of the request cuts the edge.
    fn is_part(&self) -> bool {
        let whole = self.traversal.from_fraction <= 0.0 && self.traversal.to_fraction >= 1.0;
        self.edge.has(edge_flags::HALF) || !whole
    }

    /// Whether its name was generated; false for the part between a place of the request and the next corner, as in the
    /// reference.
    pub(super) fn bogus_name(&self) -> bool {
        self.edge.has(edge_flags::BOGUS_NAME) && !self.cut_by_request
    }

    /// Whether it is in or around an open area; false for parts of an edge, as in the reference.
    pub(super) fn area(&self) -> bool {
        self.edge.has(edge_flags::AREA) && !self.is_part()
    }

    /// Whether it is part of a roundabout.
    pub(super) fn roundabout(&self) -> bool {
        self.edge.has(edge_flags::ROUNDABOUT)
    }

    /// Whether it is a `_link` road.
    pub(super) fn link_road(&self) -> bool {
        self.edge.has(edge_flags::LINK_ROAD)
    }

    /// Vertex where the traversal starts; `None` at a request's place in the middle of the edge.
    pub(super) fn start_vertex(&self) -> Option<VertexIdx> {
        (self.traversal.from_fraction <= 0.0).then_some(VertexIdx(self.edge.from))
    }

    /// Position where the traversal starts.
    pub(super) fn start(&self) -> LatLon {
        self.line.first().copied().unwrap_or_default()
    }

    /// Name of the motorway exit where the traversal starts.
    pub(super) fn exit_name(&self, street: &'a StreetGraph) -> Option<&'a str> {
        let vertex = self.start_vertex()?.index();
        let is_exit = street.vertex_flags[vertex] & vertex_flags::EXIT != 0;
        is_exit.then(|| street.names.get(street.vertex_name[vertex]))
    }
}

/// The line of all street edges of a range of traversals. Unlike a [`Segment`] it needs neither angles nor names.
pub(super) fn street_line(street: &StreetGraph, path: &StreetPath, range: Range<usize>) -> Vec<LatLon> {
    let line_at = |index| {
        let (traversal, _) = street_edge(street, path, index)?;
        Some(line_of(street, path, traversal, Cuts::of(path, index)))
    };
    let lines: Vec<Vec<LatLon>> = range.filter_map(line_at).collect();
    concatenate(lines.iter().map(|line| &line[..]))
}

/// The street edge of `path.traversals[index]`; `None` for other traversals.
fn street_edge<'a>(
    street: &StreetGraph,
    path: &'a StreetPath,
    index: usize,
) -> Option<(&'a Traversal, Edge)> {
    let traversal = path.traversals.get(index)?;
    if traversal.kind != TraversalKind::Street || traversal.edge.some().is_none() {
        return None;
    }
    let edge = street.edge(traversal.edge);
    (edge.kind() == EdgeKind::Street).then_some((traversal, edge))
}

/// Whether the request's start or destination cuts the traversed edge.
#[derive(Clone, Copy)]
struct Cuts {
    at_start: bool,
    at_end: bool,
}

impl Cuts {
    fn of(path: &StreetPath, index: usize) -> Cuts {
        let is_street = |t: &Traversal| t.kind == TraversalKind::Street;
        let traversal = &path.traversals[index];
        let is_first = !path.traversals[..index].iter().any(is_street);
        let is_last = !path.traversals[index + 1..].iter().any(is_street);
        Cuts {
            at_start: path.start.is_some() && is_first && traversal.from_fraction > 0.0,
            at_end: path.end.is_some() && is_last && traversal.to_fraction < 1.0,
        }
    }
}

/// Line of a traversed edge. Where the request cuts it, it ends exactly at the linked point.
fn line_of(street: &StreetGraph, path: &StreetPath, traversal: &Traversal, cuts: Cuts) -> Vec<LatLon> {
    let (from, to) = (traversal.from_fraction, traversal.to_fraction);
    let mut line = street.edge_line_part(traversal.edge, f64::from(from), f64::from(to));
    if !cuts.at_start && !cuts.at_end {
        return line;
    }
    if let (true, Some(start), Some(point)) = (cuts.at_start, path.start, line.first_mut()) {
        *point = start;
    }
    if let (true, Some(end), Some(point)) = (cuts.at_end, path.end, line.last_mut()) {
        *point = end;
    }
    // A rounded fraction may repeat an inner point of the line.
    if line.len() > 2 && coincide(line[0], line[1]) {
        line.remove(1);
    }
    if line.len() > 2 && coincide(line[line.len() - 1], line[line.len() - 2]) {
        line.remove(line.len() - 2);
    }
    line
}

/// Whether two points are nearer than a millimetre.
fn coincide(a: LatLon, b: LatLon) -> bool {
    (a.lat - b.lat).abs() < 1e-8 && (a.lon - b.lon).abs() < 1e-8
}
