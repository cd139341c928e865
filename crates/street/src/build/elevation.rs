//! Elevation of streets: profiles from a raster, and straight ones where the terrain does not count.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use trestle_model::IssueSink;
use trestle_model::geo::{LatLon, distance_m};

use super::geometry;
use super::network::{BuildProfile, EdgeState, Network};
use crate::elevation::Raster;
use crate::elevation_slope::SlopeCosts;
use crate::graph::{Edge, EdgeKind, edge_flags};

/// Distance between samples, metres.
const SAMPLE_M: f64 = 10.0;
/// Heights are carried on from known vertices at most this far, metres.
const MAX_CARRY_M: f64 = 2000.0;

/// Gives elevation to all whole streets. Halves of split edges stay flat, and so do split edges that survive.
pub(super) fn apply(network: &mut Network, raster: &Raster, unit: f64, issues: &mut IssueSink) {
    let heights = |position: LatLon| raster.height(position).unwrap_or(0.0) * unit;
    let streets: Vec<u32> = network
        .live_edges()
        .filter(|(_, b)| b.edge.kind() == EdgeKind::Street && !b.edge.has(edge_flags::HALF))
        .map(|(index, _)| index)
        .collect();
    let mut line = Vec::new();
    for index in &streets {
        let edge = network.edges[*index as usize].edge;
        if !edge.has(edge_flags::SLOPE_OVERRIDE) {
            network.line_into(&edge, &mut line);
            set_profile(network, *index, sample(&line, heights), issues);
        }
    }
    let vertex_heights = vertex_heights(network, &streets);
    for index in &streets {
        let edge = network.edges[*index as usize].edge;
        let is_sampled = network.profiles.get(index).is_some_and(|profile| profile.points.len() > 2);
        let ends = (vertex_heights[edge.from as usize], vertex_heights[edge.to as usize]);
        if let ((Some(from), Some(to)), false) = (ends, is_sampled) {
            set_profile(network, *index, vec![[0.0, from], [edge.length_m(), to]], issues);
        }
    }
}

/// (distance, height) at the start, every 10 m and at the end of a line. An inner sample less than 5 m before the
/// end is left out.
fn sample(line: &[LatLon], height: impl Fn(LatLon) -> f64) -> Vec<[f64; 2]> {
    let (Some(&first), Some(&last)) = (line.first(), line.last()) else { return Vec::new() };
    let total = geometry::length_m(line);
    let mut profile = vec![[0.0, height(first)]];
    let mut next = SAMPLE_M;
    let mut passed = 0.0;
    for pair in line.windows(2) {
        let length = distance_m(pair[0], pair[1]);
        while next < passed + length && total - next >= SAMPLE_M / 2.0 {
            let fraction = (next - passed) / length;
            let position = LatLon::new(
                pair[0].lat + fraction * (pair[1].lat - pair[0].lat),
                pair[0].lon + fraction * (pair[1].lon - pair[0].lon),
            );
            profile.push([next, height(position)]);
            next += SAMPLE_M;
        }
        passed += length;
    }
    profile.push([total, height(last)]);
    profile
}

/// Stores a profile and what follows from it. Setting one again multiplies the safety surcharge again, as in the
/// reference.
fn set_profile(network: &mut Network, index: u32, profile: Vec<[f64; 2]>, issues: &mut IssueSink) {
    let edge = &mut network.edges[index as usize].edge;
    let costs = SlopeCosts::of_profile(&profile, edge.has(edge_flags::CAR));
    edge.slope_speed_factor = costs.speed_factor as f32;
    edge.slope_work_factor = costs.work_factor as f32;
    edge.max_slope = costs.max_slope as f32;
    edge.bicycle_safety *= costs.length_multiplier as f32;
    if edge.length_mm > 0 {
        edge.bicycle_safety += (costs.safety_cost / edge.length_m()) as f32;
    }
    edge.flags &= !edge_flags::FLATTENED;
    if costs.flattened {
        edge.flags |= edge_flags::FLATTENED;
        let position = network.position(network.edges[index as usize].edge.from);
        let message =
            format!("edge from {:.6},{:.6}: impossible slope taken as flat", position.lat, position.lon);
        issues.add("elevation-flattened", "", 0, message);
    }
    let points = profile.iter().map(|[x, y]| [centimeters(*x), centimeters(*y)]).collect();
    network.profiles.insert(index, BuildProfile { points });
}

/// Profiles are stored to the centimetre.
fn centimeters(meters: f64) -> f32 {
    ((meters * 100.0).round() / 100.0) as f32
}

/// A known height on its way along streets without one.
#[derive(Clone, Copy, Debug)]
struct Carried {
    vertex: u32,
    /// Position in the list of carried heights this one came from, and the length of the edge between.
    back: Option<(usize, f64)>,
    distance: f64,
    /// The height it started with, and where.
    height: f64,
    origin: u32,
}

/// Height of every vertex: from the profiles of edges that were not flattened, from `ele` tags, or interpolated by
/// distance between two known ones.
fn vertex_heights(network: &Network, streets: &[u32]) -> Vec<Option<f64>> {
    let mut heights: Vec<Option<f64>> = network.vertices.iter().map(|v| v.elevation).collect();
    let mut carried = Vec::new();
    let mut queue = BinaryHeap::new();
    for index in streets {
        let edge = &network.edges[*index as usize].edge;
        let profile = network.profiles.get(index).filter(|_| !edge.has(edge_flags::FLATTENED));
        let Some((first, last)) = profile.and_then(|p| Some((p.points.first()?, p.points.last()?))) else {
            continue;
        };
        for (vertex, height) in [(edge.from, f64::from(first[1])), (edge.to, f64::from(last[1]))] {
            let known = &mut heights[vertex as usize];
            if known.is_none() {
                *known = Some(height);
                queue.push(Reverse((OrderedMeters(0.0), carried.len())));
                carried.push(Carried { vertex, back: None, distance: 0.0, height, origin: vertex });
            }
        }
    }
    if heights.iter().any(Option::is_none) {
        carry_heights(network, &mut heights, carried, queue);
    }
    heights
}

/// Distances without NaN, ordered.
#[derive(Clone, Copy, PartialEq, Debug)]
struct OrderedMeters(f64);

impl Eq for OrderedMeters {}

impl PartialOrd for OrderedMeters {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OrderedMeters {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

type CarryQueue = BinaryHeap<Reverse<(OrderedMeters, usize)>>;

/// Grows a shortest path tree from the vertices with a height; where a branch meets another known height, the
/// vertices of the branch get heights in between.
fn carry_heights(
    network: &Network,
    heights: &mut [Option<f64>],
    mut carried: Vec<Carried>,
    mut queue: CarryQueue,
) {
    let neighbors = Neighbors::new(network);
    let mut closed = vec![false; heights.len()];
    while let Some(Reverse((_, at))) = queue.pop() {
        let state = carried[at];
        if std::mem::replace(&mut closed[state.vertex as usize], true) {
            continue;
        }
        let mut met: Option<(f64, f64)> = None;
        for (neighbor, length) in neighbors.of(state.vertex) {
            if neighbor == state.origin {
                continue;
            }
            match heights[neighbor as usize] {
                Some(height) if met.is_none_or(|(best, _)| length < best) => met = Some((length, height)),
                Some(_) => {}
                None => {
                    let distance = state.distance + length;
                    queue.push(Reverse((OrderedMeters(distance), carried.len())));
                    carried.push(Carried { vertex: neighbor, back: Some((at, length)), distance, ..state });
                }
            }
        }
        if met.is_none() && state.distance > MAX_CARRY_M {
            met = Some((state.distance, state.height));
        }
        if let Some(met) = met {
            interpolate(heights, &carried, at, met);
        }
    }
}

/// Sets the heights of a branch between its origin and a known height `met` (distance, height) at its end.
fn interpolate(heights: &mut [Option<f64>], carried: &[Carried], end: usize, met: (f64, f64)) {
    let (mut ahead, height_ahead) = met;
    let total = ahead + carried[end].distance;
    let mut state = carried[end];
    loop {
        let height = if total == 0.0 {
            height_ahead
        } else {
            (height_ahead * state.distance + state.height * ahead) / total
        };
        heights[state.vertex as usize] = Some(height);
        let Some((back, length)) = state.back else { return };
        ahead += length;
        state = carried[back];
        if heights[state.vertex as usize].is_some() {
            return;
        }
    }
}

/// Vertices joined by street edges, with the lengths of the edges: first along outgoing, then incoming ones.
struct Neighbors {
    offsets: Vec<u32>,
    entries: Vec<(u32, f64)>,
}

impl Neighbors {
    fn new(network: &Network) -> Self {
        let streets = || {
            network.edges.iter().filter(|b| b.state == EdgeState::Live && b.edge.kind() == EdgeKind::Street)
        };
        let mut offsets = vec![0u32; network.vertices.len() + 1];
        for build in streets() {
            offsets[build.edge.from as usize + 1] += 1;
            offsets[build.edge.to as usize + 1] += 1;
        }
        for vertex in 1..offsets.len() {
            offsets[vertex] += offsets[vertex - 1];
        }
        let mut next = offsets.clone();
        let mut entries = vec![(0, 0.0); offsets.last().map_or(0, |n| *n as usize)];
        let mut put = |from: u32, to: u32, edge: &Edge| {
            let slot = &mut next[from as usize];
            entries[*slot as usize] = (to, edge.length_m());
            *slot += 1;
        };
        streets().for_each(|b| put(b.edge.from, b.edge.to, &b.edge));
        streets().for_each(|b| put(b.edge.to, b.edge.from, &b.edge));
        Neighbors { offsets, entries }
    }

    fn of(&self, vertex: u32) -> impl Iterator<Item = (u32, f64)> {
        let range = self.offsets[vertex as usize] as usize..self.offsets[vertex as usize + 1] as usize;
        self.entries[range].iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line to the east along the equator; one metre is this many degrees.
    const METER: f64 = 180.0 / (std::f64::consts::PI * trestle_model::geo::EARTH_RADIUS_M);

    fn distances(meters: f64) -> Vec<f64> {
        let middle = LatLon::new(0.0, meters * METER * 0.3);
        let line = [LatLon::default(), middle, LatLon::new(0.0, meters * METER)];
        sample(&line, |p| p.lon / METER)
            .into_iter()
            .map(|[x, y]| {
                assert!((x - y).abs() < 1e-6);
                x.round()
            })
            .collect()
    }

    #[test]
    fn samples_every_ten_metres_but_not_just_before_the_end() {
        assert_eq!(distances(14.0), [0.0, 14.0]);
        assert_eq!(distances(16.0), [0.0, 10.0, 16.0]);
        assert_eq!(distances(34.0), [0.0, 10.0, 20.0, 34.0]);
        assert_eq!(distances(36.0), [0.0, 10.0, 20.0, 30.0, 36.0]);
    }
}
