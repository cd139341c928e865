//! Sampling travel times along streets into a grid.

use trestle_model::geo::{LatLon, meters_to_degrees, planar_distance_m};
use trestle_model::ids::{EdgeIdx, VertexIdx};
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
        reached_bounds(graph, times, rules, &frame).unwrap_or((frame.anchor, frame.anchor));
    let mut grid = Grid::covering(frame, south_west, north_east)?;
    let mut line = Line::default();
    for vertex in 0..graph.vertex_count() {
        if f64::from(times.seconds[vertex]) == f64::INFINITY {
            continue;
        }
        for edge in graph.first_out[vertex]..graph.first_out[vertex + 1] {
            sample_edge(graph, edge, times, rules, &mut line, &mut grid);
        }
    }
    grid.close();
    Ok(grid)
}

/// Bounds of all geometry that can be sampled, with inner points that lie outside their vertices' box. No point of an edge
/// is farther from its ends than the edge is long, so that few edges have to be looked at point by point.
fn reached_bounds(
    graph: &StreetGraph,
    times: VertexTimes<'_>,
    rules: &SamplingRules,
    frame: &GridFrame,
) -> Option<(LatLon, LatLon)> {
    let mut bounds: Option<(LatLon, LatLon)> = None;
    for vertex in 0..graph.vertex_count() {
        if !times.seconds[vertex].is_finite() {
            continue;
        }
        let position = graph.position(VertexIdx(vertex as u32));
        for edge in graph.first_out[vertex]..graph.first_out[vertex + 1] {
            if !is_sampled(graph, edge, times, rules) {
                continue;
            }
            let north = meters_to_degrees(LENGTH_MARGIN * graph.edges[edge as usize].length_m() + 1.0);
            let reach = LatLon::new(north, north / frame.cos_lat * COSINE_MARGIN);
            if !bounds.is_some_and(|bounds| lies_within(position, reach, bounds)) {
                graph.edge_line(EdgeIdx(edge)).for_each(|point| bounds = Some(extended(bounds, point)));
            }
        }
    }
    bounds
}

/// How much longer than its length an edge may be drawn, and how much narrower degrees may be than at the anchor.
const LENGTH_MARGIN: f64 = 1.1;
const COSINE_MARGIN: f64 = 2.0;

/// Whether all that is within `reach` degrees of a point lies within bounds.
fn lies_within(point: LatLon, reach: LatLon, (low, high): (LatLon, LatLon)) -> bool {
    point.lat - reach.lat >= low.lat
        && point.lat + reach.lat <= high.lat
        && point.lon - reach.lon >= low.lon
        && point.lon + reach.lon <= high.lon
}

fn extended(bounds: Option<(LatLon, LatLon)>, p: LatLon) -> (LatLon, LatLon) {
    let (low, high) = bounds.unwrap_or((p, p));
    (
        LatLon::new(low.lat.min(p.lat), low.lon.min(p.lon)),
        LatLon::new(high.lat.max(p.lat), high.lon.max(p.lon)),
    )
}

#[inline]
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
    line: &mut Line,
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
    line.set(graph.edge_line(EdgeIdx(edge)));
    let length = line.length;
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
    line.points_along(rules.step_m, &mut add);
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

    /// Calls `visit` with both ends and with points between them that are at most `step_m` apart, and the metres to
    /// them.
    fn points_along(&self, step_m: f64, visit: &mut impl FnMut(LatLon, f64)) {
        let (Some(&first), Some(&last)) = (self.points.first(), self.points.last()) else { return };
        let step = self.length / (self.length / step_m).ceil().max(1.0);
        visit(first, 0.0);
        let (mut start, mut next) = (0.0, step);
        for (ends, piece) in self.points.windows(2).zip(&self.pieces) {
            let (from, to) = (ends[0], ends[1]);
            while next < start + piece && next < self.length - 1e-6 {
                let k = (next - start) / piece;
                let between =
                    LatLon::new(from.lat + (to.lat - from.lat) * k, from.lon + (to.lon - from.lon) * k);
                visit(between, next);
                next += step;
            }
            start += piece;
        }
        visit(last, self.length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_at_the_ends_and_evenly_between() {
        let metre = trestle_model::geo::meters_to_degrees(1.0);
        let mut line = Line::default();
        line.set([0.0, 130.0, 250.0].map(|m| LatLon::new(m * metre, 0.0)).into_iter());
        let mut seen = Vec::new();
        line.points_along(100.0, &mut |p, d| seen.push((p.lat / metre, d)));
        let rounded: Vec<(i32, i32)> =
            seen.iter().map(|(p, d)| (p.round() as i32, d.round() as i32)).collect();
        assert_eq!(rounded, [(0, 0), (83, 83), (167, 167), (250, 250)]);
    }
}
