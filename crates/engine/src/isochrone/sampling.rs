//! Sampling travel times along streets into a grid.

use trestle_model::geo::{LatLon, planar_distance_m, planar_length_m};
use trestle_model::ids::EdgeIdx;
use trestle_model::{Mode, RoutingRequest};
use trestle_street::graph::{Edge, EdgeKind, StreetGraph, edge_flags};

use super::grid::{Grid, GridFrame, GridTooLarge, Sample};

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
    /// Longest piece between samples, metres.
    pub step_m: f64,
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
    times: VertexTimes<'_>,
    rules: &SamplingRules,
    frame: GridFrame,
) -> Result<Grid, GridTooLarge> {
    let (south_west, north_east) =
        reached_bounds(graph, times, rules).unwrap_or((frame.anchor, frame.anchor));
    let mut grid = Grid::covering(frame, south_west, north_east)?;
    for vertex in 0..graph.vertex_count() {
        if f64::from(times.seconds[vertex]) == f64::INFINITY {
            continue;
        }
        for edge in graph.first_out[vertex]..graph.first_out[vertex + 1] {
            sample_edge(graph, edge, times, rules, &mut grid);
        }
    }
    grid.close();
    Ok(grid)
}

/// Bounds of all geometry that can be sampled, with inner points that lie outside their vertices' box.
fn reached_bounds(
    graph: &StreetGraph,
    times: VertexTimes<'_>,
    rules: &SamplingRules,
) -> Option<(LatLon, LatLon)> {
    let mut bounds: Option<(LatLon, LatLon)> = None;
    let mut extend = |p: LatLon| {
        let (low, high) = bounds.unwrap_or((p, p));
        bounds = Some((
            LatLon::new(low.lat.min(p.lat), low.lon.min(p.lon)),
            LatLon::new(high.lat.max(p.lat), high.lon.max(p.lon)),
        ));
    };
    for vertex in 0..graph.vertex_count() {
        if !times.seconds[vertex].is_finite() {
            continue;
        }
        for edge in graph.first_out[vertex]..graph.first_out[vertex + 1] {
            if is_sampled(graph, edge, times, rules) {
                graph.edge_line(EdgeIdx(edge)).for_each(&mut extend);
            }
        }
    }
    bounds
}

fn is_sampled(graph: &StreetGraph, edge: u32, times: VertexTimes<'_>, rules: &SamplingRules) -> bool {
    let e = &graph.edges[edge as usize];
    let (t0, t1) = (times.seconds[e.from as usize], times.seconds[e.to as usize]);
    e.kind() == EdgeKind::Street
        && e.has(rules.travel.permission)
        && t0.is_finite()
        && t1.is_finite()
        && f64::from(t0.min(t1)) < rules.max_seconds
}

fn sample_edge(
    graph: &StreetGraph,
    edge: u32,
    times: VertexTimes<'_>,
    rules: &SamplingRules,
    grid: &mut Grid,
) {
    if !is_sampled(graph, edge, times, rules) {
        return;
    }
    let e = &graph.edges[edge as usize];
    let (from, to) = (e.from as usize, e.to as usize);
    let [t0, t1] = [from, to].map(|v| f64::from(times.seconds[v]));
    let walked = f64::from(times.walk_distance[to]);
    let speed = rules.speed_on(e, (t0 - t1).abs());
    let driving = rules.travel.permission == edge_flags::CAR;
    let length = planar_length_m(graph.edge_line(EdgeIdx(edge)));
    let mut add = |point: LatLon, along: f64| {
        // What was walked is measured from one end of the street for both ways, as the interface's reference does.
        let from_end = |seconds: f64, vertex: usize, metres: f64| {
            let walk_distance = walked + if driving { 0.0 } else { metres };
            let within = walk_distance <= rules.max_walk_distance;
            let time = if within { seconds + metres / speed } else { f64::INFINITY };
            Sample { time, boardings: f64::from(times.boardings[vertex]), walk_distance }
        };
        let (a, b) = (from_end(t0, from, along), from_end(t1, to, length - along));
        let sample = if a.time < b.time { a } else { b };
        if sample.time < rules.max_seconds {
            grid.add(point, sample);
        }
    };
    points_along(graph.edge_line(EdgeIdx(edge)), length, rules.step_m, &mut add);
}

/// Calls `visit` with both ends of a line and with points between them that are at most `step_m` apart.
fn points_along(
    line: impl Iterator<Item = LatLon>,
    length: f64,
    step_m: f64,
    visit: &mut impl FnMut(LatLon, f64),
) {
    let step = length / (length / step_m).ceil().max(1.0);
    let (mut previous, mut start, mut next): (Option<LatLon>, f64, f64) = (None, 0.0, step);
    for point in line {
        let Some(from) = previous else {
            visit(point, 0.0);
            previous = Some(point);
            continue;
        };
        let piece = planar_distance_m(from, point);
        while next < start + piece && next < length - 1e-6 {
            let k = (next - start) / piece;
            visit(
                LatLon::new(from.lat + (point.lat - from.lat) * k, from.lon + (point.lon - from.lon) * k),
                next,
            );
            next += step;
        }
        start += piece;
        previous = Some(point);
    }
    if let Some(end) = previous {
        visit(end, length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_at_the_ends_and_evenly_between() {
        let metre = trestle_model::geo::meters_to_degrees(1.0);
        let line = [0.0, 130.0, 250.0].map(|m| LatLon::new(m * metre, 0.0));
        let mut seen = Vec::new();
        points_along(line.into_iter(), 250.0, 100.0, &mut |p, d| seen.push((p.lat / metre, d)));
        let rounded: Vec<(i32, i32)> =
            seen.iter().map(|(p, d)| (p.round() as i32, d.round() as i32)).collect();
        assert_eq!(rounded, [(0, 0), (83, 83), (167, 167), (250, 250)]);
    }
}
