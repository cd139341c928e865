//! Streets that are sampled between their ends, because they are longer than the distance between samples. They are
//! measured when they are reached.

use trestle_model::geo::{LatLon, planar_distance_m};
use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_street::graph::{Edge, StreetGraph, edge_flags};

/// A street whose recorded length is below this share of the distance between samples is not measured: the drawn line of
/// a street is at most a little longer.
const NEARLY: f64 = 0.9;

/// A street with points between its ends, and the points there, evenly spread.
#[derive(Clone, Copy, Debug)]
pub(super) struct LongStreet<'p> {
    /// Positions of the vertices at both ends, in the order of the points.
    pub(super) ends: [usize; 2],
    /// See [`edge_flags`]; along the points and against them; none where there is no such edge.
    pub(super) permissions: [u32; 2],
    /// Metres, as in searches.
    pub(super) length_m: f64,
    /// Metres of the drawn line.
    pub(super) drawn_m: f64,
    /// Along the points and against them.
    pub(super) directions: [StreetDirection; 2],
    /// The points.
    pub(super) inner: &'p [LatLon],
}

/// One direction of a street.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StreetDirection {
    /// Effective length for speed ÷ length.
    pub(super) slope_speed_factor: f32,
    /// m/s.
    pub(super) car_speed: f32,
}

impl From<Edge> for StreetDirection {
    fn from(edge: Edge) -> Self {
        StreetDirection { slope_speed_factor: edge.slope_factors.speed, car_speed: edge.car_speed }
    }
}

/// A measured street.
#[derive(Clone, Copy, Debug)]
struct Measured {
    edge: u32,
    ends: [usize; 2],
    drawn_m: f64,
    /// First of its points, and the one after its last.
    points: [u32; 2],
}

/// Long streets, in the order in which they were added.
#[derive(Debug)]
pub(super) struct LongStreets<'g> {
    graph: &'g StreetGraph,
    /// Longest piece between points, metres.
    step_m: f64,
    /// Only streets whose recorded length is more than this many millimetres may have points.
    shortest_mm: u32,
    streets: Vec<Measured>,
    points: Vec<LatLon>,
    line: Line,
}

impl<'g> LongStreets<'g> {
    /// None yet; `step_m` is the longest piece between points, metres.
    pub(super) fn new(graph: &'g StreetGraph, step_m: f64) -> LongStreets<'g> {
        let shortest_mm = (step_m * (1000.0 * NEARLY)) as u32;
        LongStreets {
            graph,
            step_m,
            shortest_mm,
            streets: Vec::new(),
            points: Vec::new(),
            line: Line::default(),
        }
    }

    /// Whether a street of this recorded length may have points.
    #[inline]
    pub(super) fn may_be_long(&self, length_mm: u32) -> bool {
        length_mm > self.shortest_mm
    }

    /// Adds the street of an edge between two vertices, with their positions, if it has points and was not added with the
    /// edge in the opposite direction. Edges of lower vertices come first, so only the lower vertex is looked at, which
    /// was looked at not long before. Not inlined, because the caller skips many short streets.
    #[inline(never)]
    pub(super) fn add(&mut self, [from, to]: [u32; 2], number: u32, ends: [usize; 2]) {
        if to < from && opposite(self.graph, from, number).is_some() {
            return;
        }
        self.line.set(self.graph.edge_line(EdgeIdx(number)));
        let first = self.points.len();
        self.line.inner_points(self.step_m, &mut self.points);
        let end = self.points.len();
        if end > first {
            let points = [first as u32, end as u32];
            self.streets.push(Measured { edge: number, ends, drawn_m: self.line.length, points });
        }
    }

    /// The points of all streets.
    pub(super) fn points(&self) -> &[LatLon] {
        &self.points
    }

    /// The streets of which a point is wanted, and their points.
    pub(super) fn with_points(
        &self,
        wanted: impl Fn(&LatLon) -> bool,
    ) -> impl Iterator<Item = LongStreet<'_>> {
        let inner = |street: &Measured| &self.points[street.points[0] as usize..street.points[1] as usize];
        let streets = self.streets.iter().map(move |street| (street, inner(street)));
        streets.filter(move |(_, inner)| inner.iter().any(&wanted)).map(|(street, inner)| {
            let Measured { ends, drawn_m, .. } = *street;
            let edge = self.graph.edge(EdgeIdx(street.edge));
            let back =
                opposite(self.graph, edge.from, street.edge).map(|back| self.graph.edge(EdgeIdx(back)));
            LongStreet {
                ends,
                permissions: [Some(edge), back]
                    .map(|edge| edge.map_or(0, |edge| edge.flags & edge_flags::PERMISSIONS)),
                length_m: edge.length_m(),
                drawn_m,
                directions: [edge.into(), back.map_or_else(StreetDirection::default, Into::into)],
                inner,
            }
        })
    }
}

/// The edge along the same line as one that leaves a vertex, in the opposite direction. Of several between the same
/// vertices, each has another one.
fn opposite(graph: &StreetGraph, from: u32, number: u32) -> Option<u32> {
    let (arcs, details) = (&*graph.arcs, &*graph.details);
    let arc = &arcs[number as usize];
    if arc.end == from {
        return None;
    }
    let geometry = details[number as usize].geometry;
    let along = |e: &u32, to: u32| {
        let other = &arcs[*e as usize];
        other.end == to
            && other.length_mm == arc.length_mm
            && other.is_street()
            && details[*e as usize].geometry == geometry
    };
    let before = (graph.out_edges(VertexIdx(from)).start..number).filter(|e| along(e, arc.end)).count();
    graph.out_edges(VertexIdx(arc.end)).filter(|e| along(e, from)).nth(before)
}

/// A measured line; its memory is reused from line to line.
#[derive(Default, Debug)]
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
            if next >= parts {
                return;
            }
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
