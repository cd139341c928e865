//! Elevation of streets: profiles from a raster, and straight ones on bridges and the like.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use trestle_model::IssueSink;
use trestle_model::geo::{LatLon, distance_m, length_m};
use trestle_model::lists::Lists;
use trestle_model::processors::on_parts;

use super::network::{BuildEdge, Network};
use crate::elevation::{HEIGHTS_ON_EARTH, Raster};
use crate::elevation_profiles::{SAMPLE_M, encode};
use crate::elevation_slope::SlopeCosts;
use crate::geometry::between;
use crate::graph::{Edge, EdgeKind, SlopeFactors, edge_flags};

/// Known heights are carried along streets up to this far, metres.
const MAX_CARRY_M: f64 = 2000.0;

/// Streets whose heights are looked up at a time, on all processors.
const BATCH: usize = 1 << 16;

/// Gives elevation to all whole streets. Halves of split edges stay flat, and so do split edges that survive. `progress`
/// is called with the fraction done.
pub(super) fn apply(
    network: &mut Network,
    raster: &Raster,
    unit: f64,
    issues: &mut IssueSink,
    progress: &mut dyn FnMut(f32),
) {
    let is_whole_street = |b: &BuildEdge| b.edge.kind() == EdgeKind::Street && !b.edge.has(edge_flags::HALF);
    let streets: Vec<u32> =
        network.live_edges().filter(|(_, b)| is_whole_street(b)).map(|(index, _)| index).collect();
    let known = |position: LatLon| {
        let height = raster.height(position).map(|height| height * unit);
        height.filter(|height| HEIGHTS_ON_EARTH.contains(height))
    };
    let heights = |position: LatLon| known(position).unwrap_or(0.0);
    for (batch, part) in streets.chunks(BATCH).enumerate() {
        progress((batch * BATCH) as f32 / streets.len() as f32);
        for sampled in sample_all(network, part, &heights) {
            set_profile(network, sampled, &raster.file, issues);
        }
    }
    let vertex_heights = vertex_heights(network, &streets);
    for &index in &streets {
        let edge = network.edges[index as usize].edge;
        let is_sampled = network.profiles.heights(index) > 2;
        let ends = (vertex_heights[edge.from as usize], vertex_heights[edge.to as usize]);
        if let ((Some(from), Some(to)), false) = (ends, is_sampled) {
            let profile = [[0.0, from], [edge.length_m(), to]];
            set_profile(network, Sampled::new(index, &edge, &profile), &raster.file, issues);
        }
    }
    let start = |index: u32| network.position(network.edges[index as usize].edge.from);
    let missing = streets.iter().filter(|&&index| known(start(index)).is_none()).count();
    if missing > 0 {
        let all = streets.len();
        let message =
            format!("{missing} of {all} edges begin where the raster has no height, which counts as 0 m");
        issues.add("elevation-missing", &raster.file, 0, message);
    }
}

/// The heights of streets that are not bridges and the like, looked up on all processors.
fn sample_all(network: &Network, streets: &[u32], heights: &(impl Fn(LatLon) -> f64 + Sync)) -> Vec<Sampled> {
    on_parts(streets, |part| {
        let mut line = Vec::new();
        let edges = part.iter().map(|&index| (index, network.edges[index as usize].edge));
        let sampled = edges.filter(|(_, edge)| !edge.has(edge_flags::SLOPE_OVERRIDE)).map(|(index, edge)| {
            network.line_into(&edge, &mut line);
            Sampled::new(index, &edge, &sample(&line, heights))
        });
        sampled.collect()
    })
}

/// The profile of an edge and what follows from it.
struct Sampled {
    edge: u32,
    costs: SlopeCosts,
    profile: Vec<u8>,
}

impl Sampled {
    fn new(index: u32, edge: &Edge, points: &[[f64; 2]]) -> Sampled {
        let mut profile = Vec::new();
        encode(points, &mut profile);
        Sampled { edge: index, costs: SlopeCosts::of_profile(points, edge.has(edge_flags::CAR)), profile }
    }
}

/// (distance, height) at the start, every 10 m and at the end of a line. An inner sample less than 5 m before the
/// end is left out.
fn sample(line: &[LatLon], height: impl Fn(LatLon) -> f64) -> Vec<[f64; 2]> {
    let (Some(&first), Some(&last)) = (line.first(), line.last()) else { return Vec::new() };
    let total = length_m(line);
    let mut profile = vec![[0.0, height(first)]];
    let mut next = SAMPLE_M;
    let mut passed = 0.0;
    for pair in line.windows(2) {
        let length = distance_m(pair[0], pair[1]);
        while next < passed + length && total - next >= SAMPLE_M / 2.0 {
            let position = between(pair[0], pair[1], (next - passed) / length);
            profile.push([next, height(position)]);
            next += SAMPLE_M;
        }
        passed += length;
    }
    profile.push([total, height(last)]);
    profile
}

/// Stores a profile from a raster file and its effects on the edge. Setting a second one applies the safety surcharge
/// twice, as in the reference.
fn set_profile(network: &mut Network, sampled: Sampled, file: &str, issues: &mut IssueSink) {
    let Sampled { edge: index, costs, profile } = sampled;
    let edge = &mut network.edges[index as usize].edge;
    edge.slope_factors = SlopeFactors { speed: costs.speed_factor as f32, work: costs.work_factor as f32 };
    edge.max_slope = costs.max_slope as f32;
    edge.bicycle_safety *= costs.length_multiplier as f32;
    if edge.length_mm > 0 {
        edge.bicycle_safety += (costs.safety_cost / edge.length_m()) as f32;
    }
    edge.flags &= !edge_flags::FLATTENED;
    if costs.flattened {
        edge.flags |= edge_flags::FLATTENED;
        let from = &network.vertices[network.edges[index as usize].edge.from as usize];
        let LatLon { lat, lon } = from.position;
        let message =
            format!("edge from {lat:.6},{lon:.6} (node {}): impossible slope taken as flat", from.osm_id);
        issues.add("elevation-flattened", file, 0, message);
    }
    network.profiles.set(index, &profile);
}

/// A known height that is carried along streets without heights.
#[derive(Clone, Copy, Debug)]
struct Carried {
    vertex: u32,
    /// Position in the list of the carried height before this one, and the length of the edge between.
    back: Option<(usize, f64)>,
    distance: f64,
    /// The known height, and its vertex.
    height: f64,
    origin: u32,
}

/// Height of every vertex: from the profiles of edges that were not flattened, from `ele` tags, or interpolated by
/// distance between two known ones.
fn vertex_heights(network: &Network, streets: &[u32]) -> Vec<Option<f64>> {
    let mut heights: Vec<Option<f64>> = network.vertices.iter().map(|v| v.elevation).collect();
    let mut carried = Vec::new();
    let mut queue = BinaryHeap::new();
    for &index in streets {
        let edge = &network.edges[index as usize].edge;
        // Most streets meet others whose profiles came first.
        let is_known = |vertex: u32| heights[vertex as usize].is_some();
        if edge.has(edge_flags::FLATTENED) || is_known(edge.from) && is_known(edge.to) {
            continue;
        }
        let profile = network.profiles.get(index);
        let Some((first, last)) = profile.and_then(|p| Some((*p.first()?, *p.last()?))) else {
            continue;
        };
        for (vertex, height) in [(edge.from, first[1]), (edge.to, last[1])] {
            // Single precision, like the heights of a raster.
            let height = f64::from(height as f32);
            let known = &mut heights[vertex as usize];
            if known.is_none() {
                *known = Some(height);
                queue.push(Reverse((0f64.to_bits(), carried.len())));
                carried.push(Carried { vertex, back: None, distance: 0.0, height, origin: vertex });
            }
        }
    }
    if heights.iter().any(Option::is_none) {
        carry_heights(network, &mut heights, carried, queue);
    }
    heights
}

/// The bits of distances, which have the same order as the distances because none is negative, and positions in the list
/// of carried heights.
type CarryQueue = BinaryHeap<Reverse<(u64, usize)>>;

/// Grows a shortest path tree from the vertices with a height; where a branch meets another known height, the
/// vertices of the branch get heights in between.
fn carry_heights(
    network: &Network,
    heights: &mut [Option<f64>],
    mut carried: Vec<Carried>,
    mut queue: CarryQueue,
) {
    let neighbours = neighbours(network);
    let mut closed = vec![false; heights.len()];
    while let Some(Reverse((_, at))) = queue.pop() {
        let state = carried[at];
        if std::mem::replace(&mut closed[state.vertex as usize], true) {
            continue;
        }
        let mut met: Option<(f64, f64)> = None;
        for &(neighbour, length) in neighbours.get(state.vertex) {
            if neighbour == state.origin {
                continue;
            }
            match heights[neighbour as usize] {
                Some(height) if met.is_none_or(|(best, _)| length < best) => met = Some((length, height)),
                Some(_) => {}
                None => {
                    let distance = state.distance + length;
                    queue.push(Reverse((distance.to_bits(), carried.len())));
                    carried.push(Carried { vertex: neighbour, back: Some((at, length)), distance, ..state });
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

/// The neighbours of each vertex along street edges, with the lengths of the edges: first along outgoing, then along
/// incoming ones.
fn neighbours(network: &Network) -> Lists<(u32, f64)> {
    let streets = || network.live_edges().map(|(_, b)| b.edge).filter(|edge| edge.kind() == EdgeKind::Street);
    let outgoing = streets().map(|edge| (edge.from, (edge.to, edge.length_m())));
    let incoming = streets().map(|edge| (edge.to, (edge.from, edge.length_m())));
    Lists::of(network.vertices.len(), outgoing.chain(incoming))
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
