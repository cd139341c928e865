//! Streets that are sampled between their ends, because they are longer than the distance between samples. They are
//! measured when they are reached.

use trestle_model::geo::{LatLon, planar_distance_m};
use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_model::prefetch::prefetch;
use trestle_street::cost::StreetPace;
use trestle_street::graph::StreetGraph;

/// A street whose recorded length is below this share of the distance between samples is not measured: the drawn line of
/// a street is at most a little longer.
const NEARLY: f64 = 0.9;

/// How many streets ahead memory is fetched.
const AHEAD: usize = 8;

/// An edge of a street that may have points between its ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The vertices where it starts and ends.
    pub(super) ends: [u32; 2],
    pub(super) number: u32,
    /// Whether it may have samples along the edge, and in the opposite direction.
    pub(super) sampled: [bool; 2],
    /// The positions of its ends.
    pub(super) positions: [usize; 2],
}

/// A street with points between its ends, and the points there, evenly spread.
#[derive(Clone, Copy, Debug)]
pub(super) struct LongStreet<'p> {
    /// Metres, as in searches.
    pub(super) length_m: f64,
    /// Metres of the drawn line.
    pub(super) drawn_m: f64,
    /// Seconds per metre along the points and against them, if that is permitted.
    pub(super) paces: [Option<f64>; 2],
    /// The points.
    pub(super) inner: &'p [LatLon],
}

/// Measures long streets; its memory is reused from street to street.
#[derive(Debug)]
pub(super) struct LongStreets<'g> {
    graph: &'g StreetGraph,
    /// Longest piece between points, metres.
    step_m: f64,
    /// Only streets whose recorded length is more than this many millimetres may have points.
    shortest_mm: u32,
    /// Only directions that it permits are sampled.
    travel: StreetPace,
    line: Line,
    inner: Vec<LatLon>,
}

impl<'g> LongStreets<'g> {
    /// `step_m` is the longest piece between points, metres; only directions that `travel` permits are sampled.
    pub(super) fn new(graph: &'g StreetGraph, step_m: f64, travel: StreetPace) -> LongStreets<'g> {
        LongStreets {
            graph,
            step_m,
            shortest_mm: (step_m * (1000.0 * NEARLY)) as u32,
            travel,
            line: Line::default(),
            inner: Vec::new(),
        }
    }

    /// Whether a street of this recorded length may have points.
    #[inline]
    pub(super) fn may_be_long(&self, length_mm: u32) -> bool {
        length_mm > self.shortest_mm
    }

    /// Calls `each` with the streets of these candidates that [`LongStreets::street`] finds, and the positions of their ends.
    /// Without fetching memory in advance, waiting for it would take more than half of the time.
    pub(super) fn each_of(
        &mut self,
        candidates: &[Candidate],
        mut each: impl FnMut(&LongStreet<'_>, [usize; 2]),
    ) {
        for (at, street) in candidates.iter().enumerate() {
            self.fetch(candidates.get(at + 2 * AHEAD), candidates.get(at + AHEAD));
            if let Some(found) = self.street(street.ends, street.number, street.sampled) {
                each(&found, street.positions);
            }
        }
    }

    /// Fetches memory for the street that comes later and, where its place is now known, for the one that comes soon.
    #[inline]
    fn fetch(&self, later: Option<&Candidate>, soon: Option<&Candidate>) {
        let graph = self.graph;
        if let Some(later) = later {
            prefetch(&graph.details, later.number as usize);
            prefetch(&graph.first_out, later.ends[1] as usize);
            if self.travel.reads_slopes() {
                prefetch(&graph.slope_factors, later.number as usize);
            }
        }
        if let Some(soon) = soon {
            let back = graph.out_edges(VertexIdx(soon.ends[1]));
            for edge in [back.start, back.end.saturating_sub(1)] {
                prefetch(&graph.arcs, edge as usize);
                prefetch(&graph.details, edge as usize);
                if self.travel.reads_slopes() {
                    prefetch(&graph.slope_factors, edge as usize);
                }
            }
            prefetch(&graph.geometry_offsets, graph.details[soon.number as usize].geometry as usize);
        }
    }

    /// The street of an edge between two vertices, if it has points and is sampled. A street with edges in both
    /// directions is only returned for the edge from the lower vertex. `sampled`: whether it may have samples along the
    /// edge, and in the opposite direction.
    pub(super) fn street(
        &mut self,
        [from, to]: [u32; 2],
        number: u32,
        sampled: [bool; 2],
    ) -> Option<LongStreet<'_>> {
        let graph = self.graph;
        let back = opposite(graph, from, number);
        if to < from && back.is_some() {
            return None;
        }
        let pace = |edge: u32| {
            let permits = graph.arcs[edge as usize].permits(self.travel.permission);
            permits.then(|| self.travel.pace_on(graph, EdgeIdx(edge)))
        };
        let paces = [pace(number), back.and_then(pace)];
        if !paces.iter().zip(sampled).any(|(pace, sampled)| sampled && pace.is_some()) {
            return None;
        }
        self.line.set(graph.edge_line(EdgeIdx(number)));
        self.inner.clear();
        self.line.inner_points(self.step_m, &mut self.inner);
        if self.inner.is_empty() {
            return None;
        }
        Some(LongStreet {
            length_m: f64::from(graph.arcs[number as usize].length_mm) / 1000.0,
            drawn_m: self.line.length,
            paces,
            inner: &self.inner,
        })
    }
}

/// The edge in the opposite direction along the same line as an edge that leaves a vertex. If several edges join the
/// same vertices along one line, each of them has a different opposite edge.
fn opposite(graph: &StreetGraph, from: u32, number: u32) -> Option<u32> {
    let arc = &graph.arcs[number as usize];
    if arc.end == from {
        return None;
    }
    let geometry = |e: u32| graph.details[e as usize].geometry;
    let along = |from: u32, to: u32| {
        // Lengths are stored beside the ends of edges, so they are compared first.
        let is_along = move |e: &u32| {
            let other = &graph.arcs[*e as usize];
            let is_alike = other.end == to && other.length_mm == arc.length_mm && other.is_street();
            is_alike && geometry(*e) == geometry(number)
        };
        graph.out_edges(VertexIdx(from)).filter(is_along)
    };
    let before = along(from, arc.end).take_while(|e| *e < number).count();
    along(arc.end, from).nth(before)
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
        self.pieces.clear();
        self.length = 0.0;
        points.for_each(|point| {
            if let Some(last) = self.points.last() {
                let piece = planar_distance_m(*last, point);
                self.length += piece;
                self.pieces.push(piece);
            }
            self.points.push(point);
        });
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
    use trestle_model::{Mode, ModeSet, RoutingRequest};
    use trestle_street::graph::{Edge, SlopeFactors, edge_flags};

    /// Two vertices 333 m apart with edges from one to the other, each with its permissions and geometry.
    fn graph(edges: &[(u32, u32, u32, u32)]) -> StreetGraph {
        let mut graph = StreetGraph {
            vertex_lat: [45.0, 45.003].into_iter().collect(),
            vertex_lon: [9.0, 9.0].into_iter().collect(),
            ..StreetGraph::default()
        };
        let edge = |&(from, to, flags, geometry)| Edge {
            from,
            to,
            flags,
            geometry,
            length_mm: 333_000,
            ..Edge::default()
        };
        graph.set_edges(edges.iter().map(edge));
        graph
    }

    #[test]
    fn opposite_edges_of_several_streets_are_along_the_same_line() {
        const WALK: u32 = edge_flags::WALK;
        let several =
            graph(&[(0, 1, WALK, 5), (0, 1, WALK, 6), (0, 1, WALK, 6), (1, 0, WALK, 6), (1, 0, WALK, 5)]);
        let opposites = |from: u32, edges: std::ops::Range<u32>| {
            edges.map(|edge| opposite(&several, from, edge)).collect::<Vec<_>>()
        };
        assert_eq!(opposites(0, 0..3), [Some(4), Some(3), None]);
        assert_eq!(opposites(1, 3..5), [Some(1), Some(0)]);
        let one_way = graph(&[(0, 1, WALK, u32::MAX)]);
        assert_eq!(opposite(&one_way, 0, 0), None);
        let halves_of_a_roundabout = graph(&[(0, 1, WALK, 5), (1, 0, WALK, 6)]);
        assert_eq!(opposite(&halves_of_a_roundabout, 0, 0), None);
    }

    #[test]
    fn only_directions_that_may_have_samples_are_measured() {
        let street = graph(&[(0, 1, edge_flags::WALK, u32::MAX), (1, 0, edge_flags::CAR, u32::MAX)]);
        let given = |mode, ends, number, sampled| {
            let request = RoutingRequest { modes: ModeSet::of(&[mode]), ..RoutingRequest::default() };
            let mut long = LongStreets::new(&street, 100.0, StreetPace::of(&request));
            long.street(ends, number, sampled).map(|street| street.paces.map(|found| found.is_some()))
        };
        assert_eq!(given(Mode::Walk, [0, 1], 0, [true; 2]), Some([true, false]));
        assert_eq!(given(Mode::Car, [0, 1], 0, [true; 2]), Some([false, true]));
        assert_eq!(given(Mode::Walk, [0, 1], 0, [false, true]), None);
        assert_eq!(given(Mode::Car, [0, 1], 0, [true, false]), None);
        assert_eq!(given(Mode::Walk, [1, 0], 1, [true; 2]), None, "given for the other edge");
    }

    #[test]
    fn slopes_count_on_foot_and_not_by_car() {
        let mut uphill = graph(&[(0, 1, edge_flags::WALK | edge_flags::CAR, u32::MAX)]);
        let slope_factors = SlopeFactors { speed: 1.5, ..SlopeFactors::default() };
        let edges = uphill.edges().map(|edge| Edge { car_speed: 8.0, slope_factors, max_slope: 0.1, ..edge });
        let edges: Vec<Edge> = edges.collect();
        uphill.set_edges(edges.into_iter());
        let paces = |mode| {
            let modes = ModeSet::of(&[mode]);
            let request = RoutingRequest { modes, walk_speed: 1.25, ..RoutingRequest::default() };
            let mut long = LongStreets::new(&uphill, 100.0, StreetPace::of(&request));
            long.street([0, 1], 0, [true; 2]).map(|street| street.paces)
        };
        assert_eq!(paces(Mode::Walk), Some([Some(1.5 / 1.25), None]));
        assert_eq!(paces(Mode::Car), Some([Some(1.0 / 8.0), None]));
    }

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
