//! Straight walks across open areas: between entrances that see each other, and around corners.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::geo::{LatLon, distance_m};

use super::area_groups::AreaGroup;
use super::areas::{AreaShape, Ring, length_deg};
use crate::osm::{NodeRef, OsmData};

/// Groups with more visibility points keep only their boundary.
const MAX_POINTS: usize = 500;
/// A line counts as inside when at most this share of it is outside.
const OUTSIDE_SHARE: f64 = 1e-6;

/// A node at which walks across the group start, end or bend.
struct Point {
    node: NodeRef,
    position: LatLon,
    /// Walkers enter or leave here: a node of a way or of another area.
    is_entrance: bool,
}

/// Lines across a group of areas that lie on a shortest walk between two entrances. Each is given by its two nodes, and
/// by the position in the group of the area that most of the line lies in.
pub(super) fn crossings(
    data: &OsmData,
    group: &AreaGroup<'_, '_>,
    shapes: &[AreaShape],
    shared: &[bool],
) -> Vec<(NodeRef, NodeRef, usize)> {
    let points = visibility_points(data, group, shared);
    if points.len() > MAX_POINTS {
        return Vec::new();
    }
    let sight = lines_of_sight(&points, shapes);
    let boundary: FxHashSet<(NodeRef, NodeRef)> = group
        .areas
        .iter()
        .flat_map(|area| area.rings())
        .flat_map(Ring::pieces)
        .flat_map(|(a, b)| [(a, b), (b, a)])
        .collect();
    let mut used = BTreeSet::new();
    for (start, _) in points.iter().enumerate().filter(|(_, p)| p.is_entrance) {
        let back = shortest_walks(&points, &sight, start);
        for (end, _) in points.iter().enumerate().filter(|(i, p)| *i != start && p.is_entrance) {
            let mut at = end;
            while let Some(before) = back[at] {
                used.insert((at.min(before), at.max(before)));
                at = before;
            }
        }
    }
    used.into_iter()
        .map(|(a, b)| (points[a].node, points[b].node, sight[&(a, b)]))
        .filter(|(a, b, _)| !boundary.contains(&(*a, *b)))
        .collect()
}

/// Entrances, and corners that walks may bend around, each node once.
fn visibility_points(data: &OsmData, group: &AreaGroup<'_, '_>, shared: &[bool]) -> Vec<Point> {
    let mut points = Vec::new();
    let mut seen = FxHashSet::default();
    for area in &group.areas {
        let outer = area.outer.iter().map(|ring| (ring, true));
        for (ring, is_outer) in outer.chain(area.inner.iter().map(|ring| (ring, false))) {
            for (i, node) in ring.nodes.iter().enumerate() {
                let is_entrance = shared[node.0 as usize];
                let Some(position) = data.position(*node) else { continue };
                if (is_entrance || bends_inwards(data, ring, i, is_outer)) && seen.insert(*node) {
                    points.push(Point { node: *node, position, is_entrance });
                }
            }
        }
    }
    points
}

/// Whether the area's inside angle at a node is more than 180°, so that the shortest walk may touch it.
fn bends_inwards(data: &OsmData, ring: &Ring, i: usize, is_outer: bool) -> bool {
    let nodes = &ring.nodes;
    let at = |i: usize| data.position(nodes[i % nodes.len()]).unwrap_or_default();
    let (before, here, after) = (at(i + nodes.len() - 1), at(i), at(i + 1));
    let cross = |o: LatLon, a: LatLon, b: LatLon| {
        (a.lon - o.lon) * (b.lat - o.lat) - (a.lat - o.lat) * (b.lon - o.lon)
    };
    let doubled_area: f64 = (0..nodes.len()).map(|i| cross(at(0), at(i), at(i + 1))).sum();
    let turns_outwards = cross(before, here, after) * doubled_area > 0.0;
    turns_outwards != is_outer
}

/// Pairs of points (smaller first) whose line is inside the areas, and the area with the largest part of the line.
fn lines_of_sight(points: &[Point], shapes: &[AreaShape]) -> FxHashMap<(usize, usize), usize> {
    let mut sight = FxHashMap::default();
    for (a, from) in points.iter().enumerate() {
        for (b, to) in points.iter().enumerate().skip(a + 1) {
            let (from, to) = (from.position, to.position);
            let inside: Vec<f64> = shapes.iter().map(|shape| shape.length_inside(from, to)).collect();
            if inside.iter().sum::<f64>() < length_deg(from, to) * (1.0 - OUTSIDE_SHARE) {
                continue;
            }
            let largest = inside.iter().enumerate().max_by(|x, y| x.1.total_cmp(y.1).then(y.0.cmp(&x.0)));
            sight.extend(largest.map(|(owner, _)| ((a, b), owner)));
        }
    }
    sight
}

/// The point before each point on its shortest walk from `start`.
fn shortest_walks(
    points: &[Point],
    sight: &FxHashMap<(usize, usize), usize>,
    start: usize,
) -> Vec<Option<usize>> {
    let mut back = vec![None; points.len()];
    let mut best = vec![u64::MAX; points.len()];
    let mut queue = BinaryHeap::from([Reverse((0u64, start))]);
    best[start] = 0;
    while let Some(Reverse((walked, at))) = queue.pop() {
        if walked > best[at] {
            continue;
        }
        for next in 0..points.len() {
            if !sight.contains_key(&(at.min(next), at.max(next))) {
                continue;
            }
            let millimeters = (distance_m(points[at].position, points[next].position) * 1000.0) as u64;
            if walked + millimeters < best[next] {
                best[next] = walked + millimeters;
                back[next] = Some(at);
                queue.push(Reverse((best[next], next)));
            }
        }
    }
    back
}
