//! Lines of edges: whole, or the part that a path uses.

use trestle_model::geo::{LatLon, distance_m};
use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_model::lists::list;

use crate::graph::{StreetGraph, edge_flags};

impl StreetGraph {
    #[inline]
    pub fn position(&self, vertex: VertexIdx) -> LatLon {
        LatLon::new(self.vertex_lat[vertex.index()], self.vertex_lon[vertex.index()])
    }

    /// Points of an edge from its start to its end vertex; at least the two vertices.
    #[inline]
    pub fn edge_line(&self, edge: EdgeIdx) -> impl Iterator<Item = LatLon> + '_ {
        let record = self.edge(edge);
        let inner = list(&self.geometry_offsets, &self.geometry_points, record.geometry as usize);
        let reversed = record.has(edge_flags::REVERSED_GEOMETRY);
        let count = inner.len();
        let inner = (0..count).map(move |i| from_micro(inner[if reversed { count - 1 - i } else { i }]));
        std::iter::once(self.position(VertexIdx(record.from)))
            .chain(inner)
            .chain(std::iter::once(self.position(VertexIdx(record.to))))
    }

    /// Points of the part of an edge between two fractions of its geometric length (0 start, 1 end).
    pub fn edge_line_part(&self, edge: EdgeIdx, from_fraction: f64, to_fraction: f64) -> Vec<LatLon> {
        let line: Vec<LatLon> = self.edge_line(edge).collect();
        if from_fraction <= 0.0 && to_fraction >= 1.0 {
            return line;
        }
        let pieces: Vec<f64> = line.windows(2).map(|w| distance_m(w[0], w[1])).collect();
        let total: f64 = pieces.iter().sum();
        let (start, end) = (from_fraction * total, to_fraction * total);
        let mut part = vec![point_along(&line, &pieces, start)];
        let mut passed = 0.0;
        for (piece, point) in pieces.iter().zip(&line[1..]) {
            passed += piece;
            if passed > start && passed < end {
                part.push(*point);
            }
        }
        part.push(point_along(&line, &pieces, end));
        part
    }
}

/// The point `meters` from the start of a line, or the line's nearer end.
fn point_along(line: &[LatLon], pieces: &[f64], meters: f64) -> LatLon {
    let mut rest = meters.max(0.0);
    for (piece, ends) in pieces.iter().zip(line.windows(2)) {
        if rest <= *piece && *piece > 0.0 {
            return between(ends[0], ends[1], rest / piece);
        }
        rest -= piece;
    }
    line.last().copied().unwrap_or_default()
}

/// Inner points of lines are stored in millionths of a degree.
const MICRO: f64 = 1e6;

/// A point as it is stored inside a line: (lat, lon) in millionths of a degree.
pub(crate) fn to_micro(point: LatLon) -> [i32; 2] {
    let round = |degrees: f64| (degrees * MICRO + 0.5).floor() as i32;
    [round(point.lat), round(point.lon)]
}

/// The position of a stored inner point.
#[inline]
pub(crate) fn from_micro([lat, lon]: [i32; 2]) -> LatLon {
    LatLon::new(f64::from(lat) / MICRO, f64::from(lon) / MICRO)
}

/// The point at a fraction of the straight line from `a` to `b`.
pub(crate) fn between(a: LatLon, b: LatLon, fraction: f64) -> LatLon {
    LatLon::new(a.lat + (b.lat - a.lat) * fraction, a.lon + (b.lon - a.lon) * fraction)
}
