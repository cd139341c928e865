//! The points at which streets are sampled. They depend on the graph alone, so each street is measured once for all
//! analyses.

use std::sync::{Arc, Mutex, PoisonError};

use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::{LatLon, planar_distance_m};
use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_street::graph::{Edge, EdgeKind, StreetGraph, edge_flags};

/// How many sets of points are kept, and the most points that a kept set may have (16 bytes each).
const KEPT_SETS: usize = 2;
const MOST_POINTS: usize = 1 << 21;

/// What sampling needs of every street.
#[derive(Clone, Copy, Debug)]
pub(super) struct Street {
    /// Vertices at both ends, in the order of the points.
    pub(super) ends: [u32; 2],
    /// See [`trestle_street::graph::edge_flags`]; along the points and against them; none where there is no such edge.
    pub(super) permissions: [u8; 2],
}

/// A street that is sampled between its ends, with what sampling needs in both directions, so that it reads one place
/// for each street.
#[derive(Clone, Copy, Debug)]
pub(super) struct LongStreet {
    pub(super) street: Street,
    /// Millimetres, as in searches.
    pub(super) length_mm: u32,
    /// Metres of the drawn line.
    pub(super) drawn_m: f64,
    /// Along the points and against them.
    pub(super) directions: [StreetDirection; 2],
    /// End of its points; they begin where those of the previous street end.
    points_end: u32,
}

/// One direction of a street.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StreetDirection {
    /// Effective length for speed ÷ length.
    pub(super) slope_speed_factor: f32,
    /// m/s.
    pub(super) car_speed: f32,
}

impl From<&Edge> for StreetDirection {
    fn from(edge: &Edge) -> Self {
        StreetDirection { slope_speed_factor: edge.slope_speed_factor, car_speed: edge.car_speed }
    }
}

/// All streets of a graph with points that are at most a certain distance apart.
#[derive(Debug)]
pub struct StreetPoints {
    step_m: f64,
    streets: Vec<Street>,
    long: Vec<LongStreet>,
    points: Vec<LatLon>,
}

/// The most recently used last.
#[derive(Default)]
struct KeptStreetPoints(Mutex<Vec<Arc<StreetPoints>>>);

impl StreetPoints {
    /// The points, at most `step_m` metres apart, at which the streets of a graph are sampled.
    pub fn of(snapshot: &Snapshot, step_m: f64) -> Arc<StreetPoints> {
        // Concurrent requests for the same points wait for the first one.
        let KeptStreetPoints(kept) = snapshot.derived_from_streets.get();
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = kept.iter().position(|points| points.step_m() == step_m) {
            let points = kept.remove(at);
            kept.push(points.clone());
            return points;
        }
        let made = Arc::new(StreetPoints::new(&snapshot.graph.street, step_m));
        if made.point_count() <= MOST_POINTS {
            if kept.len() >= KEPT_SETS {
                kept.remove(0);
            }
            kept.push(made.clone());
        }
        made
    }

    /// Measures all streets of a graph; `step_m` is the longest piece between points, metres.
    pub fn new(graph: &StreetGraph, step_m: f64) -> StreetPoints {
        let mut made = StreetPoints { step_m, streets: Vec::new(), long: Vec::new(), points: Vec::new() };
        let mut is_back = vec![false; graph.edges.len()];
        let mut line = Line::default();
        for (e, edge) in graph.edges.iter().enumerate() {
            if edge.kind() != EdgeKind::Street || is_back[e] {
                continue;
            }
            let back = opposite(graph, edge, &is_back);
            if let Some(back) = back {
                is_back[back as usize] = true;
            }
            let back = back.map(|e| &graph.edges[e as usize]);
            let permissions = [Some(edge), back].map(|edge| edge.map_or(0, permissions));
            let street = Street { ends: [edge.from, edge.to], permissions };
            made.streets.push(street);
            line.set(graph.edge_line(EdgeIdx(e as u32)));
            let points = made.points.len();
            line.inner_points(step_m, &mut made.points);
            if made.points.len() > points {
                made.long.push(LongStreet {
                    street,
                    length_mm: edge.length_mm,
                    drawn_m: line.length,
                    directions: [edge.into(), back.map_or_else(StreetDirection::default, Into::into)],
                    points_end: made.points.len() as u32,
                });
            }
        }
        made
    }

    /// Longest piece between points, metres.
    pub fn step_m(&self) -> f64 {
        self.step_m
    }

    /// Number of inner points.
    pub fn point_count(&self) -> usize {
        self.points.len()
    }

    /// All streets.
    pub(super) fn streets(&self) -> &[Street] {
        &self.streets
    }

    /// The streets that are sampled between their ends, and the points there, evenly spread.
    pub(super) fn long_streets(&self) -> impl Iterator<Item = (&LongStreet, &[LatLon])> {
        let firsts = std::iter::once(0).chain(self.long.iter().map(|street| street.points_end));
        let points = |(street, first): (_, u32)| {
            let street: &LongStreet = street;
            (street, &self.points[first as usize..street.points_end as usize])
        };
        self.long.iter().zip(firsts).map(points)
    }
}

fn permissions(edge: &Edge) -> u8 {
    (edge.flags & edge_flags::PERMISSIONS) as u8
}

/// The edge along the same line in the opposite direction that has not been used yet.
fn opposite(graph: &StreetGraph, edge: &Edge, taken: &[bool]) -> Option<u32> {
    if edge.from == edge.to {
        return None;
    }
    graph.out_edges(VertexIdx(edge.to)).find(|&e| {
        let other = &graph.edges[e as usize];
        other.to == edge.from
            && other.kind() == EdgeKind::Street
            && other.geometry == edge.geometry
            && other.length_mm == edge.length_mm
            && !taken[e as usize]
    })
}

/// A measured line; its memory is reused from line to line.
#[derive(Default)]
struct Line {
    points: Vec<LatLon>,
    /// Metres from each point to the next.
    pieces: Vec<f64>,
    /// Metres.
    length: f64,
}

impl Line {
    fn set(&mut self, points: impl Iterator<Item = LatLon>) {
        self.points.clear();
        self.points.extend(points);
        self.pieces.clear();
        self.pieces.extend(self.points.windows(2).map(|ends| planar_distance_m(ends[0], ends[1])));
        self.length = self.pieces.iter().sum();
    }

    /// Adds the smallest number of points that divide the line into even parts of at most `step_m`.
    fn inner_points(&self, step_m: f64, inner: &mut Vec<LatLon>) {
        let parts = (self.length / step_m).ceil().max(1.0);
        let step = self.length / parts;
        let (mut start, mut next) = (0.0, 1.0);
        for (ends, piece) in self.points.windows(2).zip(&self.pieces) {
            let (from, to) = (ends[0], ends[1]);
            while next < parts && next * step < start + piece {
                let k = (next * step - start) / piece;
                inner.push(LatLon::new(
                    from.lat + (to.lat - from.lat) * k,
                    from.lon + (to.lon - from.lon) * k,
                ));
                next += 1.0;
            }
            start += piece;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_points_divide_a_line_evenly() {
        let metre = trestle_model::geo::meters_to_degrees(1.0);
        let mut line = Line::default();
        line.set([0.0, 130.0, 250.0].map(|m| LatLon::new(m * metre, 0.0)).into_iter());
        let inner = |step: f64| {
            let mut inner = Vec::new();
            line.inner_points(step, &mut inner);
            inner.iter().map(|p| (p.lat / metre).round() as i32).collect::<Vec<_>>()
        };
        assert_eq!(inner(100.0), [83, 167]);
        assert_eq!(inner(130.0), [125]);
        assert_eq!(inner(300.0), [0; 0]);
    }
}
