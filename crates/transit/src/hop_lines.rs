//! The lines that vehicles run along from call to call.

use std::ops::Range;

use trestle_model::geo::LatLon;
use trestle_model::ids::{PatternIdx, StopIdx};

use crate::build::{ShapeLocation, between, locate_by_position};
use crate::gtfs::ShapePoint;
use crate::timetable::Timetable;

impl Timetable {
    /// The line from a call of a pattern to the next: its shape, or without one a straight line between the `stops`.
    pub fn hop_line(
        &self,
        pattern: Option<PatternIdx>,
        position: usize,
        stops: [LatLon; 2],
    ) -> impl Iterator<Item = LatLon> {
        let shape = pattern.map_or(&[][..], |pattern| self.patterns.hop(pattern, position));
        let shape = if shape.len() > 1 { shape } else { &[] };
        let straight = shape.is_empty().then_some(stops);
        shape.iter().map(|&[lat, lon]| LatLon::new(lat, lon)).chain(straight.into_iter().flatten())
    }

    /// The line from a call to the next of a vehicle that calls at `stops`: the shape of a pattern with the same calls, or
    /// without one a straight line. Where live data assigns other stops to calls, the shape is cut next to these.
    pub fn live_hop_line(
        &self,
        pattern: Option<PatternIdx>,
        position: usize,
        stops: &[StopIdx],
    ) -> Vec<LatLon> {
        let ends = [position, position + 1].map(|call| self.place(stops.get(call)));
        let shaped = pattern.and_then(|pattern| self.cut_again(pattern, position, stops));
        shaped.unwrap_or_else(|| self.hop_line(pattern, position, ends).collect())
    }

    /// The lines of all hops of such a vehicle in one; empty without a shape.
    pub fn live_line(&self, pattern: PatternIdx, stops: &[StopIdx]) -> Vec<[f64; 2]> {
        if self.patterns.has_shape.get(pattern.index()) != Some(&1) {
            return Vec::new();
        }
        let hops =
            (0..stops.len().saturating_sub(1)).map(|hop| self.live_hop_line(Some(pattern), hop, stops));
        let points = hops.enumerate().flat_map(|(hop, line)| line.into_iter().skip(usize::from(hop > 0)));
        points.map(|point| [point.lat, point.lon]).collect()
    }

    /// The line from a call to the next if one of them is not at the stop of the pattern; `None` if both are.
    fn cut_again(&self, pattern: PatternIdx, position: usize, stops: &[StopIdx]) -> Option<Vec<LatLon>> {
        let scheduled = self.patterns.stops(pattern);
        let is_moved = |call: usize| scheduled.get(call) != stops.get(call).map(|stop| &stop.0);
        if !is_moved(position) && !is_moved(position + 1) {
            return None;
        }
        let stretch = stretch(position, stops.len(), is_moved);
        let line = self.line_of(pattern, stretch.clone());
        let places: Vec<LatLon> =
            stretch.clone().chain([stretch.end]).map(|call| self.place(stops.get(call))).collect();
        let [first, last] = [stretch.start, stretch.end].map(is_moved);
        let hop = position - stretch.start;
        let straight = || vec![places[hop], places[hop + 1]];
        Some(line.and_then(|line| part(&line, &places, [first, last], hop)).unwrap_or_else(straight))
    }

    /// The shape of a pattern along some hops; `None` if it has none there but straight lines between the stops.
    fn line_of(&self, pattern: PatternIdx, hops: Range<usize>) -> Option<Vec<ShapePoint>> {
        let stops = self.patterns.stops(pattern);
        let is_straight = |hop: usize| {
            let ends =
                [hop, hop + 1].map(|call| self.place(stops.get(call).map(|stop| StopIdx(*stop)).as_ref()));
            self.patterns.hop(pattern, hop) == ends.map(|end| [end.lat, end.lon])
        };
        if hops.clone().any(|hop| self.patterns.hop(pattern, hop).len() < 2) || hops.clone().all(is_straight)
        {
            return None;
        }
        let points = hops.flat_map(|hop| self.patterns.hop(pattern, hop));
        let mut points: Vec<[f64; 2]> = points.copied().collect();
        points.dedup();
        Some(points.into_iter().map(|[lat, lon]| ShapePoint::at(LatLon::new(lat, lon))).collect())
    }

    fn place(&self, stop: Option<&StopIdx>) -> LatLon {
        let known = stop.filter(|stop| stop.index() < self.stops.lat.len());
        known.map_or_else(LatLon::default, |&stop| self.stops.position(stop))
    }
}

/// The hops around one between calls that are not moved or at the ends of the trip.
fn stretch(hop: usize, calls: usize, is_moved: impl Fn(usize) -> bool) -> Range<usize> {
    let first = (0..=hop).rev().find(|call| !is_moved(*call)).unwrap_or(0);
    let last = (hop + 1..calls).find(|call| !is_moved(*call));
    first..last.unwrap_or(calls.saturating_sub(1))
}

/// One hop of a line along `places`, cut next to these; except where they are moved, the ends of the line stay as they are.
/// `None` if the line cannot be followed from place to place.
fn part(
    line: &[ShapePoint],
    places: &[LatLon],
    ends_are_moved: [bool; 2],
    hop: usize,
) -> Option<Vec<LatLon>> {
    if line.len() < 2 {
        return None;
    }
    let [first, last] = ends_are_moved.map(|is_moved| usize::from(!is_moved));
    let found = locate_by_position(line, &places[first..places.len() - last])?;
    let start = (first == 1).then(|| ShapeLocation::new(0, 0.0));
    let end = (last == 1).then(|| ShapeLocation::new(line.len() - 1, 0.0));
    let locations: Vec<ShapeLocation> = start.into_iter().chain(found).chain(end).collect();
    let points = between(line, *locations.get(hop)?, *locations.get(hop + 1)?);
    Some(points.into_iter().map(|[lat, lon]| LatLon::new(lat, lon)).collect())
}
