//! Cuts a shape into hops, one from each call of a pattern to the next.

use trestle_model::IssueSink;
use trestle_model::geo::{EARTH_RADIUS_M, LatLon, fast_distance_m};
use trestle_model::processors::on_parts;

use super::Calls;
use crate::gtfs::{Feed, ShapePoint, StopTimeRow, TripRow};
use crate::patterns::FeedPattern;

/// A stop is projected onto segments up to this far away.
const SNAP_METERS: f64 = 150.0;

/// A stop this far from its place on the shape is not on it: the shape is too short, as where a line was extended, or of
/// another line.
const FAR_METERS: f64 = 1000.0;

/// A stop this far from its place on the shape has a wrong position, such as 0,0.
const WRONG_METERS: f64 = 100_000.0;

/// A place on a shape: `fraction` of the way along segment `segment`.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub(crate) struct ShapeLocation {
    segment: usize,
    /// 0 up to but not including 1.
    fraction: f64,
}

impl ShapeLocation {
    pub(crate) fn new(segment: usize, fraction: f64) -> Self {
        if fraction >= 1.0 {
            ShapeLocation { segment: segment + 1, fraction: 0.0 }
        } else {
            ShapeLocation { segment, fraction: fraction.max(0.0) }
        }
    }
}

/// Lines from each call of a pattern to the next, (lat, lon) with both ends.
pub(super) type HopLines = Vec<Vec<[f64; 2]>>;

/// Patterns with their hops, by the first trip that has a shape_id; without any when no trip has one. Where its shape
/// cannot be followed from stop to stop, the lines are straight.
pub(super) fn with_hops(
    feed: &Feed,
    calls: &Calls,
    patterns: Vec<FeedPattern>,
    file: &str,
    issues: &mut IssueSink,
) -> Vec<(FeedPattern, HopLines)> {
    let shaped = |trips: &[u32]| {
        trips.iter().map(|&trip| &feed.trips[trip as usize]).find(|trip| trip.facts.shape != 0)
    };
    let cut = on_parts(&patterns, |part| {
        let cut = |trip: &TripRow| cut(feed, trip.shape, calls.of(trip.facts.row));
        part.iter().map(|pattern| shaped(&pattern.trips).map(cut)).collect()
    });
    let with_lines = |(pattern, lines): (FeedPattern, Option<Option<HopLines>>)| {
        let lines = match (lines, shaped(&pattern.trips)) {
            (Some(Some(lines)), _) => lines,
            (Some(None), Some(trip)) => {
                // Unknown shapes are reported with their trips.
                if trip.shape != u32::MAX {
                    let path = format!("{file}/trips.txt");
                    let message = "the shape cannot be followed from stop to stop; straight lines instead";
                    issues.add("unusable-shape", &path, trip.line, message);
                }
                straight(feed, calls.of(trip.facts.row))
            }
            _ => HopLines::new(),
        };
        (pattern, lines)
    };
    patterns.into_iter().zip(cut).map(with_lines).collect()
}

/// The lines along `calls` by a shape; a straight line leads to a stop that is not on the shape. `None` where the shape
/// cannot be followed from stop to stop.
fn cut(feed: &Feed, shape: u32, calls: &[StopTimeRow]) -> Option<HopLines> {
    let stops = positions(feed, calls);
    let points = feed.shapes.points(shape);
    let locations = if points.len() < 2 { None } else { locate(points, calls, &stops) }?;
    let off = meters_off(points, &locations, &stops);
    // The shape is in the wrong place, not the stops, as where latitude and longitude are swapped.
    if off.iter().all(|&meters| meters >= WRONG_METERS) {
        return None;
    }
    let hop = |end| {
        let part = between(points, locations[end - 1], locations[end]);
        with_far_stops(part, [stops[end - 1], stops[end]], [off[end - 1], off[end]])
    };
    Some((1..stops.len()).map(hop).collect())
}

/// Straight lines between the stops.
fn straight(feed: &Feed, calls: &[StopTimeRow]) -> HopLines {
    positions(feed, calls).windows(2).map(|ends| ends.iter().copied().map(lat_lon).collect()).collect()
}

fn positions(feed: &Feed, calls: &[StopTimeRow]) -> Vec<LatLon> {
    calls.iter().map(|call| feed.stops[call.stop as usize].position).collect()
}

/// A part of the shape between two stops, extended to those stops that are far from it; `off` is how far each is.
fn with_far_stops(part: Vec<[f64; 2]>, stops: [LatLon; 2], off: [f64; 2]) -> Vec<[f64; 2]> {
    let is_far = off.map(|meters| (FAR_METERS..WRONG_METERS).contains(&meters));
    let [start, end] = stops.map(lat_lon);
    // Both are beyond the same end of the shape.
    if is_far == [true, true] && meters_along(&part) < off[0] + off[1] {
        return vec![start, end];
    }
    let (start, end) = (is_far[0].then_some(start), is_far[1].then_some(end));
    start.into_iter().chain(part).chain(end).collect()
}

fn meters_along(line: &[[f64; 2]]) -> f64 {
    let at = |[lat, lon]: [f64; 2]| LatLon::new(lat, lon);
    line.windows(2).map(|ends| fast_distance_m(at(ends[0]), at(ends[1]))).sum()
}

fn lat_lon(position: LatLon) -> [f64; 2] {
    [position.lat, position.lon]
}

/// Locations by shape_dist_traveled if there are any, or else by projection. Wrong distances, for example in other
/// units than in the other table, put a stop on a part of the shape that does not come near it, although another part
/// does.
fn locate(points: &[ShapePoint], calls: &[StopTimeRow], stops: &[LatLon]) -> Option<Vec<ShapeLocation>> {
    let Some(stated) = locate_by_distance(points, calls) else { return locate_by_position(points, stops) };
    let off = farthest_off(points, &stated, stops);
    if off <= SNAP_METERS {
        return Some(stated);
    }
    let projected = locate_by_position(points, stops);
    projected.filter(|found| farthest_off(points, found, stops) + SNAP_METERS < off).or(Some(stated))
}

/// The greatest distance of a stop from its location, metres.
fn farthest_off(points: &[ShapePoint], locations: &[ShapeLocation], stops: &[LatLon]) -> f64 {
    meters_off(points, locations, stops).into_iter().fold(0.0, f64::max)
}

/// Metres from each stop to its location.
fn meters_off(points: &[ShapePoint], locations: &[ShapeLocation], stops: &[LatLon]) -> Vec<f64> {
    let off = |(&location, &stop): (&ShapeLocation, &LatLon)| {
        let [lat, lon] = position_at(points, location);
        fast_distance_m(LatLon::new(lat, lon), stop)
    };
    locations.iter().zip(stops).map(off).collect()
}

/// Locations by shape_dist_traveled, when every call and every point has one and neither runs backwards.
fn locate_by_distance(points: &[ShapePoint], calls: &[StopTimeRow]) -> Option<Vec<ShapeLocation>> {
    if !points.is_sorted_by(|a, b| a.distance <= b.distance)
        || !calls.is_sorted_by(|a, b| a.distance < b.distance)
        || points.iter().any(|p| p.distance.is_nan())
        || calls.iter().any(|c| c.distance.is_nan())
    {
        return None;
    }
    Some(calls.iter().map(|call| location_at(points, call.distance)).collect())
}

/// The location at a distance along the shape.
fn location_at(points: &[ShapePoint], distance: f64) -> ShapeLocation {
    let after = points.partition_point(|p| p.distance < distance);
    match points.get(after) {
        None => ShapeLocation { segment: points.len() - 1, fraction: 0.0 },
        Some(_) if after == 0 => ShapeLocation { segment: 0, fraction: 0.0 },
        Some(end) => {
            let start = points[after - 1].distance;
            ShapeLocation::new(after - 1, (distance - start) / (end.distance - start))
        }
    }
}

/// A segment that a stop may be projected onto.
struct Candidate {
    segment: usize,
    meters: f64,
    fraction: f64,
}

/// Locations by projection. Each stop takes the nearest segment within reach that is not before the segment of the
/// previous stop and that leaves every later stop a segment within reach. `None` when no such choice exists.
pub(crate) fn locate_by_position(points: &[ShapePoint], stops: &[LatLon]) -> Option<Vec<ShapeLocation>> {
    let candidates: Vec<Vec<Candidate>> = stops.iter().map(|&stop| candidates(points, stop)).collect();
    // The last segment that each stop may take, found from the last stop backwards.
    let mut latest = vec![usize::MAX; stops.len()];
    let mut bound = usize::MAX;
    for (slot, options) in latest.iter_mut().zip(&candidates).rev() {
        bound = options.iter().map(|c| c.segment).filter(|&segment| segment <= bound).max()?;
        *slot = bound;
    }
    let mut locations: Vec<ShapeLocation> = Vec::with_capacity(stops.len());
    let mut earliest = 0;
    for (options, &latest) in candidates.iter().zip(&latest) {
        let usable = options.iter().filter(|c| (earliest..=latest).contains(&c.segment));
        let chosen = usable.min_by(|a, b| a.meters.total_cmp(&b.meters))?;
        earliest = chosen.segment;
        locations.push(ShapeLocation::new(chosen.segment, chosen.fraction));
    }
    Some(locations)
}

/// Segments within reach of a stop; the nearest segment when none is.
fn candidates(points: &[ShapePoint], stop: LatLon) -> Vec<Candidate> {
    let all = points.windows(2).enumerate().map(|(segment, ends)| project(segment, ends, stop));
    let mut near = Vec::new();
    let mut nearest: Option<Candidate> = None;
    for candidate in all {
        if candidate.meters < SNAP_METERS {
            near.push(candidate);
        } else if nearest.as_ref().is_none_or(|best| candidate.meters < best.meters) {
            nearest = Some(candidate);
        }
    }
    if near.is_empty() { nearest.into_iter().collect() } else { near }
}

/// Projection onto one segment, by cross-track and along-track distances on great circles.
fn project(segment: usize, ends: &[ShapePoint], stop: LatLon) -> Candidate {
    let (start, end) = (ends[0].position, ends[1].position);
    let (to_start, to_end) = (fast_distance_m(start, stop), fast_distance_m(end, stop));
    let length = fast_distance_m(start, end);
    let turn = bearing(start, stop) - bearing(start, end);
    let across = ((to_start / EARTH_RADIUS_M).sin() * turn.sin()).asin() * EARTH_RADIUS_M;
    let beyond = if to_start < to_end { along(to_end, across) } else { along(to_start, across) };
    let meters = if beyond > length { to_start.min(to_end) } else { across.abs() };
    // As in the reference, the distance along the segment has no sign: a stop before the start of a shape is put the
    // same distance after the start. Below a tenth of a metre the arc cosine is 0, which puts the stop on the point of
    // the shape.
    let fraction = if across < to_start && across < to_end {
        along(to_start, across) / length
    } else if to_start < to_end {
        0.0
    } else {
        1.0
    };
    Candidate { segment, meters, fraction }
}

/// Distance along a track of a point that is `away` metres from the track's start and `across` metres from the track.
fn along(away: f64, across: f64) -> f64 {
    ((away / EARTH_RADIUS_M).cos() / (across / EARTH_RADIUS_M).cos()).acos() * EARTH_RADIUS_M
}

/// Initial bearing of the great circle, radians.
fn bearing(from: LatLon, to: LatLon) -> f64 {
    let (lat1, lat2) = (from.lat.to_radians(), to.lat.to_radians());
    let turn = (to.lon - from.lon).to_radians();
    let north = lat1.cos() * lat2.sin() - lat1.sin() * lat2.cos() * turn.cos();
    (turn.sin() * lat2.cos()).atan2(north)
}

/// The points of the shape from one location to another, at least two, with interpolated ends. Two stops on one segment
/// may be in the wrong order; the hop then runs backwards.
pub(crate) fn between(points: &[ShapePoint], from: ShapeLocation, to: ShapeLocation) -> Vec<[f64; 2]> {
    if to < from {
        let mut line = between(points, to, from);
        line.reverse();
        return line;
    }
    let mut line = Vec::new();
    if from.fraction > 0.0 {
        line.push(position_at(points, from));
    }
    let first_vertex = from.segment + usize::from(from.fraction > 0.0);
    let vertices = points.get(first_vertex..=to.segment).unwrap_or_default();
    line.extend(vertices.iter().map(|point| lat_lon(point.position)));
    if to.fraction > 0.0 {
        line.push(position_at(points, to));
    }
    if line.len() < 2 {
        let end = line.first().copied().unwrap_or_else(|| position_at(points, from));
        line.resize(2, end);
    }
    line
}

fn position_at(points: &[ShapePoint], location: ShapeLocation) -> [f64; 2] {
    let last = points.len() - 1;
    let start = points[location.segment.min(last)].position;
    let end = points[(location.segment + 1).min(last)].position;
    let f = location.fraction;
    [start.lat + f * (end.lat - start.lat), start.lon + f * (end.lon - start.lon)]
}
