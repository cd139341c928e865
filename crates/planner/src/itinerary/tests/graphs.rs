//! Small graphs and paths from texts.
//!
//! ```text
//! A 0 0                     a vertex: metres east and north of the origin
//! A - B Rua_A bogus         an edge with its name (`_` is a space), in both directions; `>` for one direction;
//!                           then `bogus`, `round`, `link`, `area`, `half`, `note=Text`, `heights=1,2,3` (every ten metres
//!                           and at the end)
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use trestle_engine::graph::Graph;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::{EARTH_RADIUS_M, LatLon, distance_m};
use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_model::itinerary::{Itinerary, Leg, Step};
use trestle_model::strings::StringsBuilder;
use trestle_model::{Mode, RoutingRequest};
use trestle_street::elevation_profiles::ElevationProfiles;
use trestle_street::graph::{Edge, StreetGraph, StreetNote, edge_flags};
use trestle_street::path::{StreetPath, Traversal, TraversalKind};

use crate::itinerary::{SectionContext, SectionEnd};

/// Streets on which tests walk at one metre per second.
pub(super) struct TestStreets {
    pub(super) graph: StreetGraph,
    vertices: BTreeMap<String, u32>,
}

/// A position some metres east and north of the origin.
pub(super) fn at(east: f64, north: f64) -> LatLon {
    let degrees = |meters: f64| (meters / EARTH_RADIUS_M).to_degrees();
    LatLon::new(degrees(north), degrees(east))
}

impl TestStreets {
    pub(super) fn new(text: &str) -> TestStreets {
        let mut names = StringsBuilder::default();
        let mut vertices = BTreeMap::new();
        let mut positions = Vec::new();
        let mut edges: Vec<(Edge, Vec<f32>, Option<u32>)> = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [a, direction @ (">" | "-"), b, name, ref options @ ..] => {
                    let ends = (vertices[a], vertices[b]);
                    let name = names.intern(&name.replace('_', " "));
                    let edge = edge(&positions, ends, name, options, &mut names);
                    if direction == "-" {
                        let (record, heights, note) = &edge;
                        let back = Edge { from: record.to, to: record.from, ..*record };
                        edges.push((back, heights.iter().rev().copied().collect(), *note));
                    }
                    edges.push(edge);
                }
                [name, east, north] => {
                    vertices.insert(name.to_owned(), positions.len() as u32);
                    positions.push(at(east.parse().unwrap(), north.parse().unwrap()));
                }
                _ => panic!("cannot read {line}"),
            }
        }
        edges.sort_by_key(|(edge, ..)| edge.from);
        TestStreets { graph: columns(&positions, &edges, names), vertices }
    }

    pub(super) fn vertex(&self, name: &str) -> VertexIdx {
        VertexIdx(self.vertices[name])
    }

    fn edge(&self, from: &str, to: &str) -> EdgeIdx {
        let (from, to) = (self.vertex(from), self.vertex(to));
        let found = self.graph.out_edges(from).find(|&e| self.graph.edge(EdgeIdx(e)).to == to.0);
        EdgeIdx(found.unwrap())
    }

    /// A path over vertices, e.g. `A B C`, at one metre per second.
    pub(super) fn path(&self, mode: Mode, vertices: &str) -> StreetPath {
        let names: Vec<&str> = vertices.split_whitespace().collect();
        let traversals = names.windows(2).map(|pair| {
            let edge = self.edge(pair[0], pair[1]);
            let length_m = self.graph.edge(edge).length_m();
            Traversal {
                edge,
                kind: TraversalKind::Street,
                mode,
                seconds: length_m.ceil() as i32,
                length_m,
                walk_distance_m: length_m,
                end_vertex: self.vertex(pair[1]),
                ..Traversal::event()
            }
        });
        summed(traversals.collect())
    }
}

/// A path of these traversals.
pub(super) fn summed(traversals: Vec<Traversal>) -> StreetPath {
    StreetPath {
        seconds: traversals.iter().map(|t| t.seconds).sum(),
        walk_distance_m: traversals.iter().map(|t| t.walk_distance_m).sum(),
        traversals,
        ..StreetPath::default()
    }
}

/// The link of a stop.
pub(super) fn stop_link(seconds: i32) -> Traversal {
    Traversal { kind: TraversalKind::StopLink, seconds, ..Traversal::event() }
}

fn edge(
    positions: &[LatLon],
    (from, to): (u32, u32),
    name: u32,
    options: &[&str],
    names: &mut StringsBuilder,
) -> (Edge, Vec<f32>, Option<u32>) {
    let meters = distance_m(positions[from as usize], positions[to as usize]);
    let mut edge = Edge {
        from,
        to,
        name,
        length_mm: (meters * 1000.0).round() as u32,
        flags: edge_flags::PERMISSIONS,
        geometry: u32::MAX,
        ..Edge::default()
    };
    let (mut heights, mut note) = (Vec::new(), None);
    for option in options {
        match option.split_once('=') {
            Some(("heights", list)) => heights = list.split(',').map(|h| h.parse().unwrap()).collect(),
            Some(("note", text)) => {
                note = Some(names.intern(text));
                edge.flags |= edge_flags::NOTE;
            }
            _ => edge.flags |= flag(option),
        }
    }
    (edge, heights, note)
}

fn flag(option: &str) -> u32 {
    match option {
        "bogus" => edge_flags::BOGUS_NAME,
        "round" => edge_flags::ROUNDABOUT,
        "link" => edge_flags::LINK_ROAD,
        "area" => edge_flags::AREA,
        "half" => edge_flags::HALF,
        other => panic!("option {other}"),
    }
}

fn columns(
    positions: &[LatLon],
    edges: &[(Edge, Vec<f32>, Option<u32>)],
    names: StringsBuilder,
) -> StreetGraph {
    let mut profiles = Vec::new();
    let mut notes = Vec::new();
    for (i, (edge, heights, note)) in edges.iter().enumerate() {
        let distance = |k: usize| if k + 1 < heights.len() { 10.0 * k as f64 } else { edge.length_m() };
        profiles.push((0..heights.len()).map(|k| [distance(k), f64::from(heights[k])]).collect());
        notes.extend(note.map(|text| StreetNote { edge: i as u32, text, modes: 1 }));
    }
    let mut graph = StreetGraph {
        vertex_lat: positions.iter().map(|p| p.lat).collect(),
        vertex_lon: positions.iter().map(|p| p.lon).collect(),
        vertex_flags: vec![0; positions.len()].into(),
        vertex_name: vec![0; positions.len()].into(),
        elevation: ElevationProfiles::of_points(&profiles),
        notes: notes.into(),
        names: names.finish(),
        ..StreetGraph::default()
    };
    graph.set_edges(edges.iter().map(|(edge, ..)| *edge));
    graph
}

/// A graph, and a request from `Origin` to `Destination` at 1000 s after the epoch.
pub(super) struct Scene {
    pub(super) snapshot: Snapshot,
    pub(super) request: RoutingRequest,
}

impl Scene {
    pub(super) fn new(graph: Graph) -> Scene {
        let request = RoutingRequest { epoch_seconds: 1000, alight_slack: 0, ..RoutingRequest::default() };
        Scene { snapshot: Snapshot::new(Arc::new(graph), 0), request }
    }

    pub(super) fn of_streets(streets: &TestStreets) -> Scene {
        Scene::new(Graph { street: streets.graph.clone(), ..Graph::default() })
    }

    pub(super) fn context(&self) -> SectionContext<'_> {
        let end = |name: &str| SectionEnd::Requested {
            name: name.to_owned(),
            position: at(0.0, 0.0),
            orig: String::new(),
            station: None,
        };
        SectionContext {
            snapshot: &self.snapshot,
            request: &self.request,
            from: end("Origin"),
            to: end("Destination"),
            previous: None,
        }
    }
}

/// One line per leg: mode, times, places, then its steps.
pub(super) fn describe(itinerary: &Itinerary) -> Vec<String> {
    itinerary.legs.iter().map(leg_line).collect()
}

fn leg_line(leg: &Leg) -> String {
    let route = leg.transit.as_ref().map_or(String::new(), |transit| format!(" {}", transit.route));
    let steps: Vec<String> = leg.steps.iter().map(step_text).collect();
    format!(
        "{}{route} {}-{} {} > {}: {}",
        leg.mode.name(),
        leg.start_time / 1000,
        leg.end_time / 1000,
        leg.from.name,
        leg.to.name,
        steps.join(", ")
    )
}

/// The steps of the only leg.
pub(super) fn steps_of(itinerary: &Itinerary) -> Vec<String> {
    assert_eq!(itinerary.legs.len(), 1);
    itinerary.legs[0].steps.iter().map(step_text).collect()
}

fn step_text(step: &Step) -> String {
    let mut text = format!("{:?} {} {:.0}", step.relative, step.street_name, step.distance);
    for (flag, word) in [(step.stay_on, "stay"), (step.area, "area"), (step.bogus_name, "bogus")] {
        if flag {
            text = format!("{text} {word}");
        }
    }
    match &step.exit {
        Some(exit) => format!("{text} exit {exit}"),
        None => text,
    }
}
