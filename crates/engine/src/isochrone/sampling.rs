//! Sampling travel times along streets into a grid.

use trestle_model::geo::{EARTH_RADIUS_M, LatLon};
use trestle_model::ids::EdgeIdx;
use trestle_street::graph::{EdgeKind, StreetGraph, edge_flags};

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

/// How streets are travelled and which samples count.
#[derive(Clone, Copy, Debug)]
pub struct SamplingRules {
    /// Permission a street needs, one of [`edge_flags`].
    pub permission: u32,
    /// m/s on streets; `None`: each edge's driving speed.
    pub speed: Option<f64>,
    /// Samples at or beyond this many seconds are dropped.
    pub max_seconds: f64,
    /// Ends of streets beyond this many metres walked give no samples.
    pub max_walk_distance: f64,
    /// Longest piece between samples, metres.
    pub step_m: f64,
}

impl SamplingRules {
    /// Highest speed along an edge: the mode's (slope-adjusted), but not more than what the search needed for it.
    fn speed_on(&self, graph: &StreetGraph, edge: u32, seconds: f64) -> f64 {
        let edge = &graph.edges[edge as usize];
        let own = match self.speed {
            Some(speed) => speed / f64::from(edge.slope_speed_factor),
            None => f64::from(edge.car_speed),
        };
        own.min((edge.length_m() / seconds).max(1e-10))
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
        && e.has(rules.permission)
        && t0.is_finite()
        && t1.is_finite()
        && f64::from(t0.min(t1)) < rules.max_seconds
        && [e.from, e.to]
            .iter()
            .any(|&v| f64::from(times.walk_distance[v as usize]) <= rules.max_walk_distance)
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
    let ends = [e.from as usize, e.to as usize].map(|v| Sample {
        // An end beyond the walking limit is none to start from, but the street may be walked to its end.
        time: match f64::from(times.walk_distance[v]) > rules.max_walk_distance {
            true => f64::INFINITY,
            false => f64::from(times.seconds[v]),
        },
        boardings: f64::from(times.boardings[v]),
        walk_distance: f64::from(times.walk_distance[v]),
    });
    let between = f64::from(times.seconds[e.from as usize]) - f64::from(times.seconds[e.to as usize]);
    let speed = rules.speed_on(graph, edge, between.abs());
    let driving = rules.permission == edge_flags::CAR;
    let length = line_length(graph.edge_line(EdgeIdx(edge)));
    let mut add = |point: LatLon, along: f64| {
        let from = |end: &Sample, metres: f64| Sample {
            time: end.time + metres / speed,
            boardings: end.boardings,
            walk_distance: end.walk_distance + if driving { 0.0 } else { metres },
        };
        let (a, b) = (from(&ends[0], along), from(&ends[1], length - along));
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
        let piece = flat_distance(from, point);
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

fn line_length(line: impl Iterator<Item = LatLon>) -> f64 {
    let mut previous: Option<LatLon> = None;
    line.map(|p| previous.replace(p).map_or(0.0, |from| flat_distance(from, p))).sum()
}

/// Equirectangular distance in metres.
fn flat_distance(a: LatLon, b: LatLon) -> f64 {
    let x = (b.lon - a.lon) * ((a.lat + b.lat) / 2.0).to_radians().cos();
    let y = b.lat - a.lat;
    (x * x + y * y).sqrt().to_radians() * EARTH_RADIUS_M
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
