//! Concave hulls: the outline of scattered points, as fine as a longest side allows.
//!
//! The characteristic shape of Duckham and others (Pattern Recognition 41, 2008): starting from the Delaunay
//! triangulation of the points, triangles at long sides of the outline are removed, the longest side first, as long as
//! the outline stays a simple ring.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use delaunator::{EMPTY, Point, Triangulation, next_halfedge, triangulate};
use trestle_model::geo::{LatLon, meters_to_degrees};

use super::isoline::{Ring, signed_area};

/// The outline of points as a counter-clockwise ring, with sides of at most `longest_m` metres where the points allow
/// it; `None` when all points are on a line.
///
/// The points are rounded to `decimals` first. An outline that is rounded afterwards may cross or touch itself.
pub fn concave_hull(points: &[LatLon], longest_m: f64, decimals: i32) -> Option<Ring> {
    let lattice = Lattice::around(points, decimals)?;
    let nodes = lattice.nodes(points);
    let flat: Vec<Point> = nodes.iter().map(|node| lattice.point(*node)).collect();
    let triangulation = triangulate(&flat);
    if triangulation.triangles.is_empty() {
        return None;
    }
    let mut carving = Carving::new(&triangulation, &flat);
    carving.carve(longest_m / lattice.unit_m);
    let mut ring: Ring = carving.outline()?.into_iter().map(|i| lattice.position(nodes[i])).collect();
    ring.push(ring[0]);
    if signed_area(&ring) < 0.0 {
        ring.reverse();
    }
    Some(ring)
}

/// The parts of a step in latitude that are the units of the plane.
const UNITS: f64 = 1000.0;

/// Positions of some decimals, and a plane in which their coordinates are whole numbers. So points in a row are exactly
/// on a line, and no triangle between them, which has no area, is a part of the triangulation.
struct Lattice {
    steps_per_degree: f64,
    /// Units in a step of longitude; as long as those of latitude, almost.
    lon_units: f64,
    /// The length of a unit, metres.
    unit_m: f64,
}

/// A position in steps: latitude and longitude.
type Node = (i64, i64);

impl Lattice {
    fn around(points: &[LatLon], decimals: i32) -> Option<Lattice> {
        let middle = points.get(points.len() / 2)?;
        let steps_per_degree = 10f64.powi(decimals);
        let lon_units = (UNITS * middle.lat.to_radians().cos()).round().max(1.0);
        let unit_m = 1.0 / meters_to_degrees(1.0) / steps_per_degree / UNITS;
        Some(Lattice { steps_per_degree, lon_units, unit_m })
    }

    /// Points without repetitions, in order.
    fn nodes(&self, points: &[LatLon]) -> Vec<Node> {
        let steps = |degrees: f64| (degrees * self.steps_per_degree).round() as i64;
        let finite = points.iter().filter(|p| p.lat.is_finite() && p.lon.is_finite());
        let mut nodes: Vec<Node> = finite.map(|p| (steps(p.lat), steps(p.lon))).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    fn point(&self, (lat, lon): Node) -> Point {
        Point { x: lon as f64 * self.lon_units, y: lat as f64 * UNITS }
    }

    fn position(&self, (lat, lon): Node) -> LatLon {
        LatLon::new(lat as f64 / self.steps_per_degree, lon as f64 / self.steps_per_degree)
    }
}

/// A side of the outline; the longest comes first, equal ones by number.
#[derive(PartialEq)]
struct Side {
    length: f64,
    half_edge: usize,
}

impl Eq for Side {}

impl Ord for Side {
    fn cmp(&self, other: &Side) -> Ordering {
        self.length.total_cmp(&other.length).then(other.half_edge.cmp(&self.half_edge))
    }
}

impl PartialOrd for Side {
    fn partial_cmp(&self, other: &Side) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A triangulation from which triangles are removed at the outside.
struct Carving<'a> {
    triangulation: &'a Triangulation,
    points: &'a [Point],
    /// Removed triangles.
    removed: Vec<bool>,
    /// Points on the outline.
    outside: Vec<bool>,
    sides: BinaryHeap<Side>,
}

impl<'a> Carving<'a> {
    fn new(triangulation: &'a Triangulation, points: &'a [Point]) -> Self {
        let mut carving = Carving {
            triangulation,
            points,
            removed: vec![false; triangulation.triangles.len() / 3],
            outside: vec![false; points.len()],
            sides: BinaryHeap::new(),
        };
        for &point in &triangulation.hull {
            carving.outside[point] = true;
        }
        for half_edge in 0..triangulation.halfedges.len() {
            if triangulation.halfedges[half_edge] == EMPTY {
                carving.add_side(half_edge);
            }
        }
        carving
    }

    fn ends(&self, half_edge: usize) -> (usize, usize) {
        let triangles = &self.triangulation.triangles;
        (triangles[half_edge], triangles[next_halfedge(half_edge)])
    }

    fn add_side(&mut self, half_edge: usize) {
        let (a, b) = self.ends(half_edge);
        let (a, b) = (&self.points[a], &self.points[b]);
        self.sides.push(Side { length: (a.x - b.x).hypot(a.y - b.y), half_edge });
    }

    /// Removes the triangles at sides longer than `longest`, except where the outline would touch itself.
    fn carve(&mut self, longest: f64) {
        while let Some(Side { length, half_edge }) = self.sides.pop() {
            if length <= longest {
                return;
            }
            let (second, third) = (next_halfedge(half_edge), next_halfedge(next_halfedge(half_edge)));
            let opposite = self.triangulation.triangles[third];
            if self.outside[opposite] {
                continue;
            }
            self.outside[opposite] = true;
            self.removed[half_edge / 3] = true;
            for inner in [second, third] {
                let twin = self.triangulation.halfedges[inner];
                if twin != EMPTY {
                    self.add_side(twin);
                }
            }
        }
    }

    /// The points of the outline in order.
    fn outline(&self) -> Option<Vec<usize>> {
        let mut next = vec![usize::MAX; self.points.len()];
        let mut start = None;
        for half_edge in 0..self.triangulation.halfedges.len() {
            let twin = self.triangulation.halfedges[half_edge];
            let is_side = twin == EMPTY || self.removed[twin / 3];
            if !self.removed[half_edge / 3] && is_side {
                let (a, b) = self.ends(half_edge);
                next[a] = b;
                start = Some(a);
            }
        }
        let start = start?;
        let mut outline = vec![start];
        let mut at = next[start];
        while at != start {
            outline.push(at);
            at = *next.get(at)?;
        }
        Some(outline)
    }
}

#[cfg(test)]
mod tests {
    use super::super::polygons::contains;
    use super::*;

    /// Points every 100 m of an L with arms 1 km long and 300 m wide.
    fn ell() -> Vec<LatLon> {
        let metre = trestle_model::geo::meters_to_degrees(1.0);
        let inside = |x: i32, y: i32| x <= 3 || y <= 3;
        (0..=10)
            .flat_map(|x| (0..=10).map(move |y| (x, y)))
            .filter(|&(x, y)| inside(x, y))
            .map(|(x, y)| LatLon::new(f64::from(y) * 100.0 * metre, f64::from(x) * 100.0 * metre))
            .collect()
    }

    #[test]
    fn a_short_longest_side_follows_the_bend_and_a_long_one_does_not() {
        let metre = trestle_model::geo::meters_to_degrees(1.0);
        let in_the_bend = LatLon::new(550.0 * metre, 550.0 * metre);
        let fine = concave_hull(&ell(), 150.0, 7).unwrap();
        let coarse = concave_hull(&ell(), 5000.0, 7).unwrap();
        assert!(!contains(&fine, in_the_bend), "the ground between the arms is outside");
        assert!(contains(&coarse, in_the_bend), "the convex hull covers it");
        for ring in [&fine, &coarse] {
            assert!(signed_area(ring) > 0.0 && ring.first() == ring.last());
            assert!(contains(ring, LatLon::new(150.0 * metre, 150.0 * metre)));
        }
    }

    #[test]
    fn points_on_a_line_have_no_outline() {
        let line: Vec<LatLon> = (0..9).map(|i| LatLon::new(45.0, f64::from(i) * 0.001)).collect();
        assert_eq!(concave_hull(&line, 100.0, 7), None);
        assert_eq!(concave_hull(&[], 100.0, 7), None);
    }

    /// Whether no two sides of a ring have a point in common, except neighbours their corner.
    fn is_simple(ring: &[LatLon]) -> bool {
        let corners: Vec<(i64, i64)> =
            ring.iter().map(|p| ((p.lon * 1e4).round() as i64, (p.lat * 1e4).round() as i64)).collect();
        let turn = |a: (i64, i64), b: (i64, i64), c: (i64, i64)| {
            ((b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)).signum()
        };
        let within = |a: i64, b: i64, x: i64| a.min(b) <= x && x <= a.max(b);
        let is_on = |p: (i64, i64), a: (i64, i64), b: (i64, i64)| {
            turn(a, b, p) == 0 && within(a.0, b.0, p.0) && within(a.1, b.1, p.1)
        };
        let sides: Vec<_> = corners.windows(2).map(|side| (side[0], side[1])).collect();
        (0..sides.len()).all(|i| {
            (i + 1..sides.len()).all(|j| {
                let ((a, b), (c, d)) = (sides[i], sides[j]);
                let is_next = |first: usize, then: usize| (first + 1) % sides.len() == then;
                if is_next(i, j) {
                    return !is_on(d, a, b) && !is_on(a, c, d);
                }
                if is_next(j, i) {
                    return !is_on(c, a, b) && !is_on(b, c, d);
                }
                let cross = turn(a, b, c) != turn(a, b, d) && turn(c, d, a) != turn(c, d, b);
                !(cross || is_on(c, a, b) || is_on(d, a, b) || is_on(a, c, d) || is_on(b, c, d))
            })
        })
    }

    /// Streets in rows and columns and anywhere, with narrow ways between them.
    fn town(seed: u64) -> Vec<LatLon> {
        let mut state = seed;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1u32 << 31)
        };
        (0..400)
            .map(|i| {
                let (lat, lon) = (random() * 0.02, random() * 0.02);
                match i % 3 {
                    0 => LatLon::new((lat * 500.0).round() / 500.0, lon),
                    1 => LatLon::new(lat, lat * 1.5 + 0.0003 * random()),
                    _ => LatLon::new(lat * 0.3, lon * 0.3),
                }
            })
            .map(|p| LatLon::new(p.lat + 41.15, p.lon - 8.6))
            .collect()
    }

    #[test]
    fn an_outline_of_few_decimals_neither_crosses_nor_touches_itself() {
        for seed in 0..60 {
            let hull = concave_hull(&town(seed), 250.0, 4).unwrap();
            assert!(hull.len() > 20 && signed_area(&hull) > 0.0, "{seed}");
            assert!(is_simple(&hull), "{seed}");
        }
        let finest = (0..60).map(|seed| concave_hull(&town(seed), 250.0, 7).unwrap());
        assert!(finest.filter(|hull| !is_simple(hull)).count() > 0, "rounded afterwards, some do");
    }
}
