//! Sampling travel times along streets into a grid.

use trestle_model::geo::LatLon;
use trestle_model::ids::VertexIdx;
use trestle_model::{Mode, RoutingRequest};
use trestle_street::graph::{Edge, StreetGraph, edge_flags};

use super::grid::{Grid, GridFrame, GridTooLarge, Sample, Samples};
use super::street_points::{Street, StreetDirection, StreetPoints};

/// What a one-to-many search found at each street vertex (same length as the vertices).
#[derive(Clone, Copy, Debug)]
pub struct VertexTimes<'a> {
    /// Seconds without the initial wait; infinite where not reached.
    pub seconds: &'a [f32],
    /// Metres walked and cycled.
    pub walk_distance: &'a [f32],
    /// Vehicles boarded.
    pub boardings: &'a [u8],
}

/// How a request travels on streets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StreetUse {
    /// Permission a street needs, one of [`edge_flags`].
    pub permission: u32,
    /// m/s on streets; `None`: each edge's driving speed.
    pub speed: Option<f64>,
}

impl StreetUse {
    /// Driving only without transit; cycling with the request's first mode; else walking.
    pub fn of(request: &RoutingRequest) -> StreetUse {
        match request.start_mode() {
            Mode::Car if !request.uses_transit() => StreetUse { permission: edge_flags::CAR, speed: None },
            Mode::Bicycle => StreetUse {
                permission: edge_flags::BICYCLE | edge_flags::WALK,
                speed: Some(request.bike_speed),
            },
            _ => StreetUse { permission: edge_flags::WALK, speed: Some(request.walk_speed) },
        }
    }

    /// m/s along an edge, slope-adjusted.
    pub fn speed_on(&self, edge: &Edge) -> f64 {
        1.0 / self.pace(edge.slope_speed_factor, edge.car_speed)
    }

    /// Seconds per metre.
    fn pace(&self, slope_speed_factor: f32, car_speed: f32) -> f64 {
        match self.speed {
            Some(speed) => f64::from(slope_speed_factor) / speed,
            None => 1.0 / f64::from(car_speed),
        }
    }
}

/// How streets are travelled and which samples count.
#[derive(Clone, Copy, Debug)]
pub struct SamplingRules {
    /// How streets are travelled.
    pub travel: StreetUse,
    /// Samples at or beyond this many seconds are dropped.
    pub max_seconds: f64,
    /// Samples beyond this many metres walked are dropped.
    pub max_walk_distance: f64,
}

/// Samples every street both of whose ends are reached, and closes the grid.
///
/// # Errors
/// [`GridTooLarge`].
pub fn sample_streets(
    graph: &StreetGraph,
    points: &StreetPoints,
    times: VertexTimes<'_>,
    rules: &SamplingRules,
    frame: GridFrame,
) -> Result<Grid, GridTooLarge> {
    let sampling = Sampling { graph, times, rules };
    let ends = sampling.ends(points);
    let (south_west, north_east) = ends.bounds.unwrap_or((frame.anchor, frame.anchor));
    let mut grid = Grid::covering(frame, south_west, north_east)?;
    for (vertex, samples) in ends.at_vertices.iter().enumerate() {
        if samples.count > 0.0 {
            grid.add(graph.position(VertexIdx(vertex as u32)), samples);
        }
    }
    for &number in &ends.with_inner_points {
        sampling.add_inner_points(points, number as usize, &mut grid);
    }
    grid.close();
    Ok(grid)
}

/// What is known when the ends of all streets were sampled: many streets meet in one vertex, and most are so short that
/// there is nothing else to sample.
struct Ends {
    at_vertices: Vec<Samples>,
    /// Streets that are sampled between their ends, too.
    with_inner_points: Vec<u32>,
    /// South-west and north-east of all samples.
    bounds: Option<(LatLon, LatLon)>,
}

struct Sampling<'a> {
    graph: &'a StreetGraph,
    times: VertexTimes<'a>,
    rules: &'a SamplingRules,
}

impl Sampling<'_> {
    fn ends(&self, points: &StreetPoints) -> Ends {
        let mut ends = Ends {
            at_vertices: vec![Samples::default(); self.graph.vertex_count()],
            with_inner_points: Vec::new(),
            bounds: None,
        };
        for (number, street) in points.streets().iter().enumerate() {
            let ways = self.ways(street);
            if ways.iter().all(Option::is_none) {
                continue;
            }
            for way in ways.iter().flatten() {
                for (end, along) in [(0, 0.0), (1, street.drawn_m)] {
                    if let Some(sample) = way.sample(along, street.drawn_m - along, self.rules) {
                        ends.at_vertices[way.ends[end] as usize].add(&sample);
                    }
                }
            }
            for vertex in street.ends {
                ends.bounds = Some(extended(ends.bounds, self.graph.position(VertexIdx(vertex))));
            }
            let inner = points.inner(number);
            if !inner.is_empty() {
                ends.bounds = inner.iter().fold(ends.bounds, |b, &point| Some(extended(b, point)));
                ends.with_inner_points.push(number as u32);
            }
        }
        ends
    }

    fn add_inner_points(&self, points: &StreetPoints, number: usize, grid: &mut Grid) {
        let (street, inner) = (&points.streets()[number], points.inner(number));
        let [onward, back] = &self.ways(street);
        let step = street.drawn_m / (inner.len() + 1) as f64;
        for (i, &point) in inner.iter().enumerate() {
            let along = (i + 1) as f64 * step;
            let rest = street.drawn_m - along;
            let onward = onward.as_ref().and_then(|way| way.sample(along, rest, self.rules));
            let back = back.as_ref().and_then(|way| way.sample(rest, along, self.rules));
            let mut samples = Samples::default();
            onward.iter().chain(&back).for_each(|sample| samples.add(sample));
            if samples.count > 0.0 {
                grid.add(point, &samples);
            }
        }
    }

    /// The directions in which a street is sampled.
    #[inline]
    fn ways(&self, street: &Street) -> [Option<Way>; 2] {
        let [a, b] = street.ends;
        let times = [a, b].map(|v| self.times.seconds[v as usize]);
        // Neither is infinite.
        let reached = times[0].max(times[1]) < f32::INFINITY
            && f64::from(times[0].min(times[1])) < self.rules.max_seconds;
        if !reached {
            return [None, None];
        }
        let seconds = times.map(f64::from);
        // Nobody is faster along the street than the search was between its ends.
        let metres = f64::from(street.length_mm) / 1000.0;
        let least_pace = ((seconds[0] - seconds[1]).abs() / metres).min(1e10);
        let [onward, back] = street.directions;
        let way = |direction: StreetDirection, ends: [u32; 2], seconds: [f64; 2]| {
            let permitted = direction.permissions & self.rules.travel.permission != 0;
            permitted.then(|| Way {
                ends,
                seconds,
                boardings: ends.map(|v| f64::from(self.times.boardings[v as usize])),
                walked: ends.map(|v| f64::from(self.times.walk_distance[v as usize])),
                pace: self
                    .rules
                    .travel
                    .pace(direction.slope_speed_factor, direction.car_speed)
                    .max(least_pace),
            })
        };
        [way(onward, [a, b], seconds), way(back, [b, a], [seconds[1], seconds[0]])]
    }
}

/// A street in one direction.
struct Way {
    /// Vertices.
    ends: [u32; 2],
    /// At both ends.
    seconds: [f64; 2],
    /// At both ends.
    boardings: [f64; 2],
    /// Metres, at both ends.
    walked: [f64; 2],
    /// Seconds per metre.
    pace: f64,
}

impl Way {
    /// The sample at a point that is `along` metres from the start and `rest` metres from the end, if it counts. The limit
    /// on walking is measured from one end of the street for both, as the interface's reference does.
    #[inline]
    fn sample(&self, along: f64, rest: f64, rules: &SamplingRules) -> Option<Sample> {
        let driving = rules.travel.permission == edge_flags::CAR;
        let from_end = |end: usize, metres: f64| {
            let walked = if driving { 0.0 } else { metres };
            let within = self.walked[1] + walked <= rules.max_walk_distance;
            let time = if within { self.seconds[end] + metres * self.pace } else { f64::INFINITY };
            Sample { time, boardings: self.boardings[end], walk_distance: self.walked[end] + walked }
        };
        let (a, b) = (from_end(0, along), from_end(1, rest));
        let sample = if a.time < b.time { a } else { b };
        (sample.time < rules.max_seconds).then_some(sample)
    }
}

fn extended(bounds: Option<(LatLon, LatLon)>, p: LatLon) -> (LatLon, LatLon) {
    let (low, high) = bounds.unwrap_or((p, p));
    (
        LatLon::new(low.lat.min(p.lat), low.lon.min(p.lon)),
        LatLon::new(high.lat.max(p.lat), high.lon.max(p.lon)),
    )
}
