//! Alerts about streets, such as road works, found by location.

use rustc_hash::FxHashMap;
use trestle_model::geo::{BoundingBox, LatLon, is_west_of_piece, meters_to_degrees, nearest_share};
use trestle_model::ids::EdgeIdx;
use trestle_model::itinerary::Alert;
use trestle_street::graph::{EdgeKind, StreetGraph};

/// An alert is about the streets within this many metres of its place, because places are drawn slightly beside their
/// streets.
const NEAR_M: f64 = 1.0;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct StreetAlert {
    pub alert: Alert,
    /// Lines, or a single point; for an area its rings, with the first point repeated at the end of each.
    pub lines: Vec<Vec<LatLon>>,
    /// Whether streets within the lines are concerned too.
    pub is_area: bool,
}

/// All alerts about streets, indexed by street.
#[derive(Clone, Debug, Default)]
pub struct StreetAlerts {
    alerts: Vec<Alert>,
    by_edge: FxHashMap<EdgeIdx, Vec<u32>>,
}

impl StreetAlerts {
    /// Finds the streets that touch the places.
    pub fn new(street: &StreetGraph, all: &[StreetAlert]) -> StreetAlerts {
        let mut by_edge: FxHashMap<EdgeIdx, Vec<u32>> = FxHashMap::default();
        for (number, place) in (0u32..).zip(all) {
            let Some(shape) = Shape::new(place) else { continue };
            let near = street.spatial.within(shape.bounds).into_iter();
            let streets = near.filter(|edge| street.edge(*edge).kind() == EdgeKind::Street);
            for edge in streets.filter(|edge| shape.touches(street.edge_line(*edge))) {
                by_edge.entry(edge).or_default().push(number);
            }
        }
        StreetAlerts { alerts: all.iter().map(|place| place.alert.clone()).collect(), by_edge }
    }

    pub fn of_edge(&self, edge: EdgeIdx) -> impl Iterator<Item = &Alert> {
        let numbers = self.by_edge.get(&edge).into_iter().flatten();
        numbers.map(|number| &self.alerts[*number as usize])
    }

    /// Number of streets that have any.
    pub fn streets(&self) -> usize {
        self.by_edge.len()
    }
}

/// Metres east and north of a place's first point.
type Meters = [f64; 2];

/// A place on the plane.
struct Shape<'a> {
    place: &'a StreetAlert,
    origin: LatLon,
    lines: Vec<Vec<Meters>>,
    /// The box around it, including the margin.
    bounds: BoundingBox,
}

impl<'a> Shape<'a> {
    /// `None` for a place without any point.
    fn new(place: &'a StreetAlert) -> Option<Self> {
        let points = || place.lines.iter().flatten();
        let origin = *points().next()?;
        let margin = meters_to_degrees(NEAR_M);
        let wide = margin / origin.lat.to_radians().cos().max(0.01);
        let bounds = BoundingBox::around(points().copied()).widened(margin, wide);
        let shape = Shape { place, origin, lines: Vec::new(), bounds };
        let line = |line: &Vec<LatLon>| line.iter().map(|point| shape.meters(*point)).collect();
        Some(Shape { lines: place.lines.iter().map(line).collect(), ..shape })
    }

    fn meters(&self, point: LatLon) -> Meters {
        let per_degree = 1.0 / meters_to_degrees(1.0);
        let east = (point.lon - self.origin.lon) * self.origin.lat.to_radians().cos();
        [east * per_degree, (point.lat - self.origin.lat) * per_degree]
    }

    fn touches(&self, street: impl Iterator<Item = LatLon>) -> bool {
        let street: Vec<Meters> = street.map(|point| self.meters(point)).collect();
        let is_near = |line: &Vec<Meters>| {
            pieces(line).any(|piece| pieces(&street).any(|other| distance(piece, other) <= NEAR_M))
        };
        self.lines.iter().any(is_near)
            || (self.place.is_area && street.first().is_some_and(|start| self.contains(*start)))
    }

    /// Whether a line to the east crosses the rings an odd number of times.
    fn contains(&self, point: Meters) -> bool {
        let crosses = |[a, b]: &[Meters; 2]| is_west_of_piece(point, *a, *b);
        self.lines.iter().flat_map(|ring| pieces(ring)).filter(crosses).count() % 2 == 1
    }
}

/// The straight pieces of a line; for a single point, the point.
fn pieces(line: &[Meters]) -> impl Iterator<Item = [Meters; 2]> {
    let point = (line.len() == 1).then(|| [line[0], line[0]]);
    line.windows(2).map(|ends| [ends[0], ends[1]]).chain(point)
}

/// Distance between two straight pieces.
fn distance(a: [Meters; 2], b: [Meters; 2]) -> f64 {
    if cross(a, b) {
        return 0.0;
    }
    let ends = [to_piece(a[0], b), to_piece(a[1], b), to_piece(b[0], a), to_piece(b[1], a)];
    ends.into_iter().fold(f64::INFINITY, f64::min)
}

fn cross(a: [Meters; 2], b: [Meters; 2]) -> bool {
    let side = |line: [Meters; 2], point: Meters| {
        let [from, to] = line;
        (to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0])
    };
    side(a, b[0]) * side(a, b[1]) < 0.0 && side(b, a[0]) * side(b, a[1]) < 0.0
}

fn to_piece(point: Meters, [from, to]: [Meters; 2]) -> f64 {
    let share = nearest_share(point, from, to);
    let away = |axis: usize| point[axis] - from[axis] - share * (to[axis] - from[axis]);
    away(0).hypot(away(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: &[[f64; 2]]) -> Vec<LatLon> {
        let degrees = meters_to_degrees(1.0);
        points.iter().map(|[x, y]| LatLon::new(y * degrees, x * degrees)).collect()
    }

    fn touches(is_area: bool, place: &[[f64; 2]], street: &[[f64; 2]]) -> bool {
        let place = StreetAlert { lines: vec![line(place)], is_area, ..StreetAlert::default() };
        Shape::new(&place).unwrap().touches(line(street).into_iter())
    }

    #[test]
    fn streets_that_cross_or_nearly_touch_are_meant() {
        assert!(touches(false, &[[0.0, -10.0], [0.0, 10.0]], &[[-5.0, 0.0], [5.0, 0.0]]));
        assert!(touches(false, &[[3.0, 0.9]], &[[0.0, 0.0], [9.0, 0.0]]));
        assert!(!touches(false, &[[3.0, 1.1]], &[[0.0, 0.0], [9.0, 0.0]]));
    }

    #[test]
    fn streets_within_an_area_are_meant() {
        let square = [[0.0, 0.0], [90.0, 0.0], [90.0, 90.0], [0.0, 90.0], [0.0, 0.0]];
        assert!(touches(true, &square, &[[40.0, 40.0], [50.0, 40.0]]));
        assert!(!touches(false, &square, &[[40.0, 40.0], [50.0, 40.0]]));
        assert!(!touches(true, &square, &[[140.0, 40.0], [150.0, 40.0]]));
    }
}
