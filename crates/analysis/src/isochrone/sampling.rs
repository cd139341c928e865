//! Sampling travel times along streets into a grid.

use trestle_model::geo::LatLon;
use trestle_model::ids::VertexIdx;
use trestle_street::cost::StreetPace;
use trestle_street::graph::{StreetGraph, edge_flags};

use super::grid::{Grid, GridFrame, GridTooLarge, Sample, Sampled, Samples};
use super::street_points::{LongStreet, Street, StreetDirection, StreetPoints};

/// What a one-to-many search found at each street vertex (same length as the vertices).
#[derive(Clone, Copy, Debug)]
pub struct VertexTimes<'a> {
    /// Seconds without the initial wait; infinite where not reached.
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
    fn at(&self, vertex: usize) -> Sample {
        Sample {
            time: f64::from(self.seconds[vertex]),
            boardings: f64::from(self.boardings[vertex]),
            walk_distance: f64::from(self.walk_distance[vertex]),
        }
    }

    /// Seconds including all waits.
    #[inline]
    fn elapsed(&self, vertex: usize) -> f64 {
        f64::from(self.seconds[vertex] + self.removed_waits.get(vertex).copied().unwrap_or(0.0))
    }
}

/// How streets are travelled and which samples count.
#[derive(Clone, Copy, Debug)]
pub struct SamplingRules {
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
    points: &StreetPoints,
    times: VertexTimes<'_>,
    rules: &SamplingRules,
    frame: GridFrame,
) -> Result<Grid<S>, GridTooLarge> {
    let sampling = Sampling { times, rules };
    let counts = sampling.counts(points);
    let at_ends = || {
        let counted = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        counted.map(|(v, &count)| (v, graph.position(VertexIdx(v as u32)), f64::from(count)))
    };
    let within: Vec<_> =
        points.long_streets().filter(|(long, _)| sampling.is_reached(&long.street)).collect();
    let between = within.iter().flat_map(|(_, inner)| inner.iter().copied());
    let bounds = between.fold(at_ends().map(|(_, point, _)| point).fold(NO_BOUNDS, extended), extended);
    let (south_west, north_east) = if bounds == NO_BOUNDS { (frame.anchor, frame.anchor) } else { bounds };
    let mut grid = Grid::covering(frame, south_west, north_east)?;
    for (vertex, point, count) in at_ends() {
        grid.add(point, &Samples::repeated(count, times.at(vertex).into()));
    }
    for (long, inner) in within {
        sampling.add_inner_points(long, inner, &mut grid);
    }
    grid.close();
    Ok(grid)
}

struct Sampling<'a> {
    times: VertexTimes<'a>,
    rules: &'a SamplingRules,
}

impl Sampling<'_> {
    /// Number of samples at each vertex: one per direction of each street that ends there. The time to the vertex is
    /// what the search found, whichever street is considered.
    fn counts(&self, points: &StreetPoints) -> Vec<u16> {
        let mut counts = vec![0u16; self.times.seconds.len()];
        for street in points.streets() {
            if !self.is_reached(street) {
                continue;
            }
            let [a, b] = street.ends.map(|v| v as usize);
            let [onward, back] = street.permissions;
            let ways = u16::from(self.counts_to(b, onward)) + u16::from(self.counts_to(a, back));
            for v in [a, b] {
                if f64::from(self.times.seconds[v]) < self.rules.max_seconds {
                    counts[v] = counts[v].saturating_add(ways);
                }
            }
        }
        counts
    }

    /// Whether both ends are reached, and one of them in time.
    #[inline]
    fn is_reached(&self, street: &Street) -> bool {
        let times = street.ends.map(|v| self.times.seconds[v as usize]);
        times[0].max(times[1]) < f32::INFINITY && f64::from(times[0].min(times[1])) < self.rules.max_seconds
    }

    /// Whether a way to a vertex is sampled at its ends: the walking limit is measured at its far end, see
    /// [`Way::sample`].
    #[inline]
    fn counts_to(&self, end: usize, permissions: u8) -> bool {
        self.permits(permissions) && f64::from(self.times.walk_distance[end]) <= self.rules.max_walk_distance
    }

    #[inline]
    fn permits(&self, permissions: u8) -> bool {
        u32::from(permissions) & self.rules.travel.permission != 0
    }

    fn add_inner_points<S: Sampled>(&self, street: &LongStreet, inner: &[LatLon], grid: &mut Grid<S>) {
        let [onward, back] = &self.ways(street);
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
    fn ways(&self, street: &LongStreet) -> [Option<Way>; 2] {
        let LongStreet { street: Street { ends: [a, b], permissions }, length_mm, directions, .. } = *street;
        let ends = [a, b].map(|v| self.times.at(v as usize));
        // Nobody is faster along the street than the search was between its ends, including all waits. If the ends are
        // reached in different ways, their times may differ so much that the middle is out of reach from both.
        let metres = f64::from(length_mm) / 1000.0;
        let elapsed = [a, b].map(|v| self.times.elapsed(v as usize));
        let least_pace = ((elapsed[0] - elapsed[1]).abs() / metres).min(1e10);
        let way = |ends: [Sample; 2], permissions: u8, direction: &StreetDirection| {
            let pace = self.rules.travel.seconds_per_meter(direction.slope_speed_factor, direction.car_speed);
            self.permits(permissions).then(|| Way { ends, pace: pace.max(least_pace) })
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
