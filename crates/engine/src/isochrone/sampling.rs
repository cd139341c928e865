//! Sampling travel times along streets into a grid.

use trestle_model::geo::LatLon;
use trestle_model::ids::VertexIdx;
use trestle_model::{Mode, RoutingRequest};
use trestle_street::graph::{Edge, StreetGraph, edge_flags};

use super::grid::{Grid, GridFrame, GridTooLarge, Sample, Samples};
use super::street_points::{Street, StreetPoints};

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
        match self.speed {
            Some(speed) => speed / f64::from(edge.slope_speed_factor),
            None => f64::from(edge.car_speed),
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

impl SamplingRules {
    /// Highest speed along an edge: the mode's, but not more than what the search needed for it.
    fn speed_on(&self, edge: &Edge, seconds: f64) -> f64 {
        self.travel.speed_on(edge).min((edge.length_m() / seconds).max(1e-10))
    }
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
        sampling.add_inner_points(&points.street(number as usize), &mut grid);
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
        for number in 0..points.street_count() {
            let street = points.street(number);
            let mut is_sampled = false;
            for way in self.ways(&street).into_iter().flatten() {
                is_sampled = true;
                for (vertex, along) in [(way.from, 0.0), (way.to, street.length)] {
                    if let Some(sample) = way.sample(along, street.length - along, self.rules) {
                        ends.at_vertices[vertex as usize].add(&sample);
                    }
                }
            }
            if !is_sampled {
                continue;
            }
            let edge = &self.graph.edges[street.edge as usize];
            for vertex in [edge.from, edge.to] {
                ends.bounds = Some(extended(ends.bounds, self.graph.position(VertexIdx(vertex))));
            }
            if !street.inner.is_empty() {
                ends.bounds = street.inner.iter().fold(ends.bounds, |b, &point| Some(extended(b, point)));
                ends.with_inner_points.push(number as u32);
            }
        }
        ends
    }

    fn add_inner_points(&self, street: &Street<'_>, grid: &mut Grid) {
        let ways = self.ways(street);
        let step = street.length / (street.inner.len() + 1) as f64;
        for (i, &point) in street.inner.iter().enumerate() {
            let along = (i + 1) as f64 * step;
            let mut samples = Samples::default();
            let rest = street.length - along;
            let [onward, back] = &ways;
            let onward = onward.as_ref().and_then(|way| way.sample(along, rest, self.rules));
            let back = back.as_ref().and_then(|way| way.sample(rest, along, self.rules));
            onward.iter().chain(&back).for_each(|sample| samples.add(sample));
            if samples.count > 0.0 {
                grid.add(point, &samples);
            }
        }
    }

    /// The directions in which a street is sampled.
    #[inline]
    fn ways(&self, street: &Street<'_>) -> [Option<Way>; 2] {
        let edge = &self.graph.edges[street.edge as usize];
        let (t0, t1) = (self.times.seconds[edge.from as usize], self.times.seconds[edge.to as usize]);
        // Neither is infinite.
        let reached = t0.max(t1) < f32::INFINITY && f64::from(t0.min(t1)) < self.rules.max_seconds;
        if !reached {
            return [None, None];
        }
        [Some(edge), street.back.map(|back| &self.graph.edges[back as usize])].map(|edge| self.way(edge?))
    }

    fn way(&self, edge: &Edge) -> Option<Way> {
        if !edge.has(self.rules.travel.permission) {
            return None;
        }
        let (from, to) = (edge.from as usize, edge.to as usize);
        let seconds = [from, to].map(|v| f64::from(self.times.seconds[v]));
        let speed = self.rules.speed_on(edge, (seconds[0] - seconds[1]).abs());
        Some(Way {
            from: edge.from,
            to: edge.to,
            seconds,
            boardings: [from, to].map(|v| f64::from(self.times.boardings[v])),
            walked: f64::from(self.times.walk_distance[to]),
            speed,
        })
    }
}

/// A street in one direction.
struct Way {
    from: u32,
    to: u32,
    /// At both ends.
    seconds: [f64; 2],
    /// At both ends.
    boardings: [f64; 2],
    /// Metres, at the far end.
    walked: f64,
    /// m/s.
    speed: f64,
}

impl Way {
    /// The sample at a point that is `along` metres from the start and `rest` metres from the end, if it counts. What
    /// was walked is measured from one end of the street for both directions, as the interface's reference does.
    #[inline]
    fn sample(&self, along: f64, rest: f64, rules: &SamplingRules) -> Option<Sample> {
        let driving = rules.travel.permission == edge_flags::CAR;
        let from_end = |end: usize, metres: f64| {
            let walk_distance = self.walked + if driving { 0.0 } else { metres };
            let within = walk_distance <= rules.max_walk_distance;
            let time = if within { self.seconds[end] + metres / self.speed } else { f64::INFINITY };
            Sample { time, boardings: self.boardings[end], walk_distance }
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
