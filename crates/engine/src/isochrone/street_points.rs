//! The points at which streets are sampled. They depend on the graph alone, so analyses measure each street once.

use trestle_model::geo::{LatLon, planar_distance_m};
use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_street::graph::{Edge, EdgeKind, StreetGraph};

/// Stands for no edge.
const NO_EDGE: u32 = u32::MAX;

/// A street in one direction or both, with the points between its ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Street<'a> {
    /// Index of the edge along which the points follow each other.
    pub(super) edge: u32,
    /// Index of the edge in the opposite direction, if there is one.
    pub(super) back: Option<u32>,
    /// Metres of the drawn line.
    pub(super) length: f64,
    /// Points between both ends, evenly spread.
    pub(super) inner: &'a [LatLon],
}

#[derive(Clone, Copy, Debug)]
struct Record {
    edge: u32,
    back: u32,
    length: f64,
    /// End of the inner points; they begin where those of the record before end.
    points_end: u32,
}

/// All streets of a graph with points that are at most a certain distance apart.
#[derive(Debug)]
pub struct StreetPoints {
    step_m: f64,
    records: Vec<Record>,
    points: Vec<LatLon>,
}

impl StreetPoints {
    /// Measures all streets of a graph; `step_m` is the longest piece between points, metres.
    pub fn new(graph: &StreetGraph, step_m: f64) -> StreetPoints {
        let mut made = StreetPoints { step_m, records: Vec::new(), points: Vec::new() };
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
            line.set(graph.edge_line(EdgeIdx(e as u32)));
            line.inner_points(step_m, &mut made.points);
            made.records.push(Record {
                edge: e as u32,
                back: back.unwrap_or(NO_EDGE),
                length: line.length,
                points_end: made.points.len() as u32,
            });
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

    /// Number of streets.
    pub(super) fn street_count(&self) -> usize {
        self.records.len()
    }

    #[inline]
    pub(super) fn street(&self, number: usize) -> Street<'_> {
        let Record { edge, back, length, points_end } = self.records[number];
        let first = number.checked_sub(1).map_or(0, |before| self.records[before].points_end);
        let inner = &self.points[first as usize..points_end as usize];
        Street { edge, back: (back != NO_EDGE).then_some(back), length, inner }
    }
}

/// The edge along the same line in the opposite direction that is not taken yet.
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

/// A measured line; its memory is used for one line after the other.
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

    /// Adds the least number of points that divide the line into even parts of at most `step_m`.
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
        assert_eq!(inner(125.0), [125]);
        assert_eq!(inner(300.0), [0; 0]);
    }
}
