//! Sampling travel times along streets into a grid.

use trestle_model::geo::LatLon;
use trestle_model::ids::VertexIdx;
use trestle_street::cost::StreetPace;
use trestle_street::graph::{StreetGraph, edge_flags};

use super::grid::{Grid, GridFrame, GridTooLarge, Sample, Sampled, Samples};
use super::long_streets::{LongStreet, LongStreets, StreetDirection};
use crate::vertex_set::VertexSet;

/// What a one-to-many search found at the street vertices that it reached, by position among these.
#[derive(Clone, Copy, Debug)]
pub struct VertexTimes<'a> {
    /// The vertices.
    pub vertices: &'a VertexSet,
    /// Seconds without the initial wait.
    pub seconds: &'a [f32],
    /// Seconds of the initial wait that are not included in these; empty if there are none.
    pub removed_waits: &'a [f32],
    /// Metres walked and cycled.
    pub walk_distance: &'a [f32],
    /// Vehicles boarded.
    pub boardings: &'a [u8],
}

impl VertexTimes<'_> {
    #[inline]
    fn at(&self, position: usize) -> Sample {
        Sample {
            time: f64::from(self.seconds[position]),
            boardings: f64::from(self.boardings[position]),
            walk_distance: f64::from(self.walk_distance[position]),
        }
    }

    /// Seconds including all waits.
    #[inline]
    fn elapsed(&self, position: usize) -> f64 {
        f64::from(self.seconds[position] + self.removed_waits.get(position).copied().unwrap_or(0.0))
    }
}

/// How streets are travelled and which samples count.
#[derive(Clone, Copy, Debug)]
pub struct SamplingRules {
    /// Most metres between samples.
    pub step_m: f64,
    /// How streets are travelled.
    pub travel: StreetPace,
    /// Samples at or beyond this many seconds are dropped.
    pub max_seconds: f64,
    /// Samples beyond this many metres walked are dropped.
    pub max_walk_distance: f64,
}

/// Samples every street both of whose ends are reached, and closes the grid.
///
/// # Errors
/// [`GridTooLarge`].
pub fn sample_streets<S: Sampled>(
    graph: &StreetGraph,
    times: VertexTimes<'_>,
    rules: &SamplingRules,
    frame: GridFrame,
) -> Result<Grid<S>, GridTooLarge> {
    let sampling = Sampling { graph, times, rules };
    let (counts, long) = sampling.streets();
    let at_ends = || {
        let counted = counts.iter().zip(times.vertices.iter()).enumerate();
        let counted = counted.filter(|(_, (count, _))| **count > 0);
        counted.map(|(at, (&count, vertex))| (at, graph.position(VertexIdx(vertex)), f64::from(count)))
    };
    let between = long.points().iter().copied();
    let bounds = between.fold(at_ends().map(|(_, point, _)| point).fold(NO_BOUNDS, extended), extended);
    let (south_west, north_east) = if bounds == NO_BOUNDS { (frame.anchor, frame.anchor) } else { bounds };
    let mut grid = Grid::covering(frame, south_west, north_east)?;
    for (at, point, count) in at_ends() {
        grid.add(point, &Samples::repeated(count, times.at(at).into()));
    }
    long.iter().for_each(|street| sampling.add_inner_points(&street, &mut grid));
    grid.close();
    Ok(grid)
}

struct Sampling<'a> {
    graph: &'a StreetGraph,
    times: VertexTimes<'a>,
    rules: &'a SamplingRules,
}

impl<'a> Sampling<'a> {
    /// Number of samples at each vertex: one per direction of each street that ends there. The time to the vertex is
    /// what the search found, whichever street is considered. And the streets that are sampled between their ends, too.
    fn streets(&self) -> (Vec<u16>, LongStreets<'a>) {
        let VertexTimes { vertices, seconds, .. } = self.times;
        let mut counts = vec![0u16; vertices.len()];
        let mut long = LongStreets::new(self.graph, self.rules.step_m);
        for (a, vertex) in vertices.iter().enumerate() {
            for number in self.graph.out_edges(VertexIdx(vertex)) {
                let arc = &self.graph.arcs[number as usize];
                let Some(b) = vertices.position(arc.end).filter(|_| arc.is_street()) else { continue };
                if f64::from(seconds[a].min(seconds[b])) >= self.rules.max_seconds {
                    continue;
                }
                if arc.permits(self.rules.travel.permission) && self.counts_to(b) {
                    for end in [a, b] {
                        if f64::from(seconds[end]) < self.rules.max_seconds {
                            counts[end] = counts[end].saturating_add(1);
                        }
                    }
                }
                if long.may_be_long(arc.length_mm) {
                    long.add(number, [a, b]);
                }
            }
        }
        (counts, long)
    }

    /// Whether a way to a vertex is sampled at its ends: the walking limit is measured at its far end, see
    /// [`Way::sample`].
    #[inline]
    fn counts_to(&self, end: usize) -> bool {
        f64::from(self.times.walk_distance[end]) <= self.rules.max_walk_distance
    }

    fn add_inner_points<S: Sampled>(&self, street: &LongStreet<'_>, grid: &mut Grid<S>) {
        let [onward, back] = &self.ways(street);
        let inner = street.inner;
        let step = street.drawn_m / (inner.len() + 1) as f64;
        for (i, &point) in inner.iter().enumerate() {
            let along = (i + 1) as f64 * step;
            let rest = street.drawn_m - along;
            let onward = onward.as_ref().and_then(|way| way.sample(along, rest, self.rules));
            let back = back.as_ref().and_then(|way| way.sample(rest, along, self.rules));
            let mut samples = Samples::NONE;
            onward.iter().chain(&back).for_each(|&sample| samples.add(sample.into()));
            if samples.count > 0.0 {
                grid.add(point, &samples);
            }
        }
    }

    /// The directions in which a street is sampled.
    #[inline]
    fn ways(&self, street: &LongStreet<'_>) -> [Option<Way>; 2] {
        let LongStreet { ends: [a, b], permissions, length_m, directions, .. } = *street;
        let ends = [a, b].map(|end| self.times.at(end));
        // Nobody is faster along the street than the search was between its ends, including all waits. If the ends are
        // reached in different ways, their times may differ so much that the middle is out of reach from both.
        let elapsed = [a, b].map(|end| self.times.elapsed(end));
        let least_pace = ((elapsed[0] - elapsed[1]).abs() / length_m).min(1e10);
        let way = |ends: [Sample; 2], permissions: u32, direction: &StreetDirection| {
            let pace = self.rules.travel.seconds_per_meter(direction.slope_speed_factor, direction.car_speed);
            (permissions & self.rules.travel.permission != 0)
                .then(|| Way { ends, pace: pace.max(least_pace) })
        };
        let back = [ends[1], ends[0]];
        [way(ends, permissions[0], &directions[0]), way(back, permissions[1], &directions[1])]
    }
}

/// A street in one direction.
struct Way {
    /// What the search found at both ends.
    ends: [Sample; 2],
    /// Seconds per metre.
    pace: f64,
}

impl Way {
    /// The sample at a point that is `along` metres from the start and `rest` metres from the end, if it counts. The
    /// walking limit is measured from one end of the street for both directions, as the interface's reference does.
    #[inline]
    fn sample(&self, along: f64, rest: f64, rules: &SamplingRules) -> Option<Sample> {
        let driving = rules.travel.permission == edge_flags::CAR;
        let from_end = |end: usize, metres: f64| {
            let walked = if driving { 0.0 } else { metres };
            let within = self.ends[1].walk_distance + walked <= rules.max_walk_distance;
            let Sample { time, boardings, walk_distance } = self.ends[end];
            let time = if within { time + metres * self.pace } else { f64::INFINITY };
            Sample { time, boardings, walk_distance: walk_distance + walked }
        };
        let (a, b) = (from_end(0, along), from_end(1, rest));
        let sample = if a.time < b.time { a } else { b };
        (sample.time < rules.max_seconds).then_some(sample)
    }
}

/// The empty box, as south-west and north-east corner.
const NO_BOUNDS: (LatLon, LatLon) =
    (LatLon { lat: f64::INFINITY, lon: f64::INFINITY }, LatLon { lat: -f64::INFINITY, lon: -f64::INFINITY });

/// The box from `low` to `high`, extended by a point.
#[inline]
fn extended((low, high): (LatLon, LatLon), p: LatLon) -> (LatLon, LatLon) {
    (
        LatLon::new(low.lat.min(p.lat), low.lon.min(p.lon)),
        LatLon::new(high.lat.max(p.lat), high.lon.max(p.lon)),
    )
}
