//! Concave hulls: the outline of scattered points, as fine as a longest side allows.
//!
//! The characteristic shape of Duckham and others (Pattern Recognition 41, 2008): starting from the Delaunay
//! triangulation of the points, triangles at long sides of the outline are removed, the longest side first, as long as
//! the outline stays a simple ring.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use delaunator::{EMPTY, Point, Triangulation, next_halfedge, triangulate};
use trestle_model::geo::LatLon;

use super::isoline::{Ring, signed_area};

/// The outline of points as a counter-clockwise ring, with sides of at most `longest_m` metres where the points allow
/// it; `None` when all points are on a line.
pub fn concave_hull(points: &[LatLon], longest_m: f64) -> Option<Ring> {
    let points = distinct(points);
    let plane = Plane::around(&points)?;
    let flat: Vec<Point> = points.iter().map(|p| plane.point(*p)).collect();
    let triangulation = triangulate(&flat);
    if triangulation.triangles.is_empty() {
        return None;
    }
    let mut carving = Carving::new(&triangulation, &flat);
    carving.carve(longest_m);
    let mut ring: Ring = carving.outline()?.into_iter().map(|i| points[i]).collect();
    ring.push(ring[0]);
    if signed_area(&ring) < 0.0 {
        ring.reverse();
    }
    Some(ring)
}

/// Points without repetitions (to 1e-7 degrees).
fn distinct(points: &[LatLon]) -> Vec<LatLon> {
    let key = |p: &LatLon| ((p.lat * 1e7).round() as i64, (p.lon * 1e7).round() as i64);
    let mut points: Vec<LatLon> =
        points.iter().copied().filter(|p| p.lat.is_finite() && p.lon.is_finite()).collect();
    points.sort_by_key(key);
    points.dedup_by_key(|p| key(p));
    points
}

/// Metres around a point.
struct Plane {
    origin: LatLon,
    lat_m: f64,
    lon_m: f64,
}

impl Plane {
    fn around(points: &[LatLon]) -> Option<Plane> {
        let origin = *points.get(points.len() / 2)?;
        let lat_m = 1.0 / trestle_model::geo::meters_to_degrees(1.0);
        Some(Plane { origin, lat_m, lon_m: lat_m * origin.lat.to_radians().cos() })
    }

    fn point(&self, p: LatLon) -> Point {
        Point { x: (p.lon - self.origin.lon) * self.lon_m, y: (p.lat - self.origin.lat) * self.lat_m }
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
        let fine = concave_hull(&ell(), 150.0).unwrap();
        let coarse = concave_hull(&ell(), 5000.0).unwrap();
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
        assert_eq!(concave_hull(&line, 100.0), None);
        assert_eq!(concave_hull(&[], 100.0), None);
    }
}
