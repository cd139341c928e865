//! Graphs for tests, written as small texts.
//!
//! ```text
//! A 0 0              a vertex: metres east and north of the origin; then `light`, `split`, `park`, `lot`
//! A > B wbc          a one-way edge; `-` instead of `>` makes both directions; then `speed=`, `safety=`,
//!                    `steps`, `private`, `slope=`, `kind=`
//! no A B C           a turn restriction (`only` likewise)
//! stop 3 B           a stop link
//! ```

use std::collections::BTreeMap;

use trestle_model::geo::{EARTH_RADIUS_M, LatLon, distance_m};
use trestle_model::ids::VertexIdx;
use trestle_model::lists::{Lists, offsets_of_items};
use trestle_model::strings::StringsBuilder;

use crate::contraction::Uncontracted;
use crate::edge_index::EdgeIndex;
use crate::graph::{Edge, StopLink, StreetGraph, TurnRestriction, edge_flags, vertex_flags};
use crate::search::SearchIndex;

/// A graph and the names of its vertices.
pub(crate) struct TestGraph {
    pub(crate) graph: StreetGraph,
    names: BTreeMap<String, u32>,
}

impl TestGraph {
    pub(crate) fn vertex(&self, name: &str) -> VertexIdx {
        VertexIdx(self.names[name])
    }

    /// The names of vertices along a path.
    pub(crate) fn name(&self, vertex: VertexIdx) -> String {
        self.names.iter().find(|n| *n.1 == vertex.0).map_or_else(|| "*".to_owned(), |n| n.0.clone())
    }
}

/// A position some metres east and north of the tests' origin.
pub(crate) fn at(east: f64, north: f64) -> LatLon {
    let degrees = |m: f64| (m / EARTH_RADIUS_M).to_degrees();
    let lat = 41.0 + degrees(north);
    LatLon::new(lat, -8.0 + degrees(east) / 41f64.to_radians().cos())
}

/// Reads a graph. Panics on an invalid text.
pub(crate) fn graph(text: &str) -> TestGraph {
    let mut names = BTreeMap::new();
    let mut graph = StreetGraph::default();
    let (mut positions, mut flags) = (Vec::new(), Vec::new());
    let mut edges: Vec<Edge> = Vec::new();
    let mut turns: Vec<(bool, [u32; 3])> = Vec::new();
    let mut links = Vec::new();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["no" | "only", a, b, c] => turns.push((words[0] == "only", [names[a], names[b], names[c]])),
            ["stop", stop, vertex] => {
                links.push(StopLink { stop: stop.parse().unwrap(), vertex: names[vertex] });
                flags[names[vertex] as usize] |= vertex_flags::STOP;
            }
            [a, direction @ (">" | "-"), b, ref options @ ..] => {
                let edge = edge(&positions, names[a], names[b], options);
                edges.push(edge);
                if direction == "-" {
                    edges.push(reverse(&edge));
                }
            }
            [name, east, north, ref options @ ..] => {
                names.insert(name.to_owned(), positions.len() as u32);
                positions.push(at(east.parse().unwrap(), north.parse().unwrap()));
                flags.push(vertex_flag(options));
            }
            _ => panic!("cannot read {line}"),
        }
    }
    edges.sort_by_key(|e| e.from);
    graph.restrictions = restrictions(&mut edges, &turns).into();
    finish(&mut graph, &positions, flags, edges, links);
    TestGraph { graph, names }
}

fn vertex_flag(options: &[&str]) -> u16 {
    options.iter().fold(vertex_flags::OSM_NODE, |flags, option| {
        flags
            | match *option {
                "light" => vertex_flags::TRAFFIC_LIGHT,
                "split" => vertex_flags::SPLIT,
                "park" => vertex_flags::BIKE_PARK,
                "rental" => vertex_flags::BIKE_RENTAL,
                "lot" => vertex_flags::PARK_AND_RIDE,
                other => panic!("vertex option {other}"),
            }
    })
}

fn edge(positions: &[LatLon], from: u32, to: u32, options: &[&str]) -> Edge {
    let (a, b) = (positions[from as usize], positions[to as usize]);
    let azimuth = ((b.lon - a.lon) * a.lat.to_radians().cos()).atan2(b.lat - a.lat);
    let angle = ((azimuth / std::f64::consts::TAU * 256.0).round() as i32).rem_euclid(256) as u8;
    let mut edge = Edge {
        from,
        to,
        length_mm: (distance_m(a, b) * 1000.0) as u32,
        flags: edge_flags::WHEELCHAIR,
        car_speed: 11.2,
        bicycle_safety: 1.0,
        geometry: u32::MAX,
        first_angle: angle,
        last_angle: angle,
        ..Edge::default()
    };
    for option in options {
        match option.split_once('=') {
            Some(("speed", speed)) => edge.car_speed = speed.parse().unwrap(),
            Some(("safety", safety)) => edge.bicycle_safety = safety.parse().unwrap(),
            Some(("slope", slope)) => edge.max_slope = slope.parse().unwrap(),
            Some(("kind", kind)) => edge.flags |= kind.parse::<u32>().unwrap() << edge_flags::KIND_SHIFT,
            _ => edge.flags |= flag(option),
        }
    }
    if edge.has(edge_flags::STAIRS) {
        edge.length_mm *= 2;
    }
    edge
}

fn flag(option: &str) -> u32 {
    match option {
        "steps" => edge_flags::STAIRS,
        "private" => edge_flags::NO_THROUGH,
        modes => modes.chars().fold(0, |flags, mode| {
            flags
                | match mode {
                    'w' => edge_flags::WALK,
                    'b' => edge_flags::BICYCLE,
                    'c' => edge_flags::CAR,
                    other => panic!("mode {other}"),
                }
        }),
    }
}

fn reverse(edge: &Edge) -> Edge {
    Edge {
        from: edge.to,
        to: edge.from,
        first_angle: edge.first_angle.wrapping_add(128),
        last_angle: edge.last_angle.wrapping_add(128),
        ..*edge
    }
}

fn restrictions(edges: &mut [Edge], turns: &[(bool, [u32; 3])]) -> Vec<TurnRestriction> {
    let find = |edges: &[Edge], from, to| {
        edges.iter().position(|e| (e.from, e.to) == (from, to)).expect("edge of a restriction") as u32
    };
    let mut found: Vec<TurnRestriction> = turns
        .iter()
        .map(|&(only, [a, b, c])| TurnRestriction {
            from: find(edges, a, b),
            to: find(edges, b, c),
            only: u8::from(only),
            modes: 3,
            day_to: 6,
            ..TurnRestriction::default()
        })
        .collect();
    found.sort_by_key(|r| r.from);
    found.iter().for_each(|r| edges[r.from as usize].flags |= edge_flags::RESTRICTED);
    found
}

fn finish(
    graph: &mut StreetGraph,
    positions: &[LatLon],
    mut flags: Vec<u16>,
    edges: Vec<Edge>,
    links: Vec<StopLink>,
) {
    let count = positions.len();
    let outgoing = offsets_of_items(count, edges.iter().map(|edge| edge.from));
    let incoming = Lists::of(count, edges.iter().map(|edge| edge.to).zip(0u32..));
    for edge in &edges {
        flags[edge.from as usize] |= if edge.has(edge_flags::NO_THROUGH) { 0 } else { vertex_flags::THROUGH };
        flags[edge.from as usize] |= if edge.has(edge_flags::WALK) { vertex_flags::WALKABLE } else { 0 };
    }
    for v in 0..count {
        let one_way_out = outgoing[v + 1] - outgoing[v] == 1;
        let one_way_in = incoming.get(v as u32).len() == 1;
        if one_way_out && one_way_in && flags[v] & vertex_flags::TRAFFIC_LIGHT == 0 {
            flags[v] |= vertex_flags::FREE_FLOWING;
        }
    }
    graph.vertex_lat = positions.iter().map(|p| p.lat).collect();
    graph.vertex_lon = positions.iter().map(|p| p.lon).collect();
    graph.vertex_flags = flags.into();
    graph.set_edges(edges.into_iter());
    graph.geometry_offsets = vec![0].into();
    let mut links = links;
    links.sort_by_key(|l| l.stop);
    graph.stop_links = links.into();
    graph.names = StringsBuilder::default().finish();
    graph.spatial = EdgeIndex::build(graph);
    graph.search = SearchIndex::build(graph);
    let pairs = graph.edges().map(|edge| (edge.from, edge.to));
    graph.contraction = Uncontracted::new(positions, pairs).contract();
}
