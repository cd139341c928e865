//! The lines that vehicles run along from call to call.

use std::ops::Range;

use trestle_model::geo::LatLon;
use trestle_model::ids::{PatternIdx, StopIdx};

use crate::build::{ShapeLocation, between, locate_by_position};
use crate::gtfs::ShapePoint;
use crate::overlay::AddedTrip;
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

    /// The lines from call to call of a vehicle that calls at `stops`: the shape of a pattern with the same calls, or
    /// without one straight lines. Where live data assigns other stops to calls, the shape is cut next to these.
    pub fn live_hop_lines(
        &self,
        pattern: Option<PatternIdx>,
        hops: Range<usize>,
        stops: &[StopIdx],
    ) -> Vec<Vec<LatLon>> {
        let mut lines: Vec<Vec<LatLon>> = Vec::with_capacity(hops.len());
        while lines.len() < hops.len() {
            let hop = hops.start + lines.len();
            if let Some(cut) = pattern.and_then(|pattern| self.cut_again(pattern, hop, stops)) {
                lines.extend(cut.into_iter().take(hops.end - hop));
            } else {
                let ends = [hop, hop + 1].map(|call| self.place(stops.get(call)));
                lines.push(self.hop_line(pattern, hop, ends).collect());
            }
        }
        lines
    }

    /// The lines from call to call of a trip that live data adds: along the shape that live data gives, or else as
    /// [`Self::live_hop_lines`].
    pub fn added_hop_lines(&self, added: &AddedTrip, hops: Range<usize>) -> Vec<Vec<LatLon>> {
        let places: Vec<LatLon> = added.stops.iter().map(|stop| self.place(Some(stop))).collect();
        let along = added.shape.as_ref().and_then(|shape| {
            let points = shape.iter().map(|point| point.map(|units| f64::from(units) / 1e5));
            let line: Vec<_> = points.map(|[lat, lon]| ShapePoint::at(LatLon::new(lat, lon))).collect();
            parts(&line, &places, [true; 2])
        });
        match along {
            Some(lines) => lines.into_iter().skip(hops.start).take(hops.len()).collect(),
            None => {
                let scheduled = added.scheduled_with_same_calls(self);
                self.live_hop_lines(scheduled.map(|trip| self.pattern_of(trip)), hops, &added.stops)
            }
        }
    }

    /// The lines of all hops of such a vehicle in one; empty without a shape.
    pub fn live_line(&self, pattern: PatternIdx, stops: &[StopIdx]) -> Vec<[f64; 2]> {
        if self.patterns.has_shape.get(pattern.index()) != Some(&1) {
            return Vec::new();
        }
        let lines = self.live_hop_lines(Some(pattern), 0..stops.len().saturating_sub(1), stops);
        let points =
            lines.into_iter().enumerate().flat_map(|(hop, line)| line.into_iter().skip(usize::from(hop > 0)));
        points.map(|point| [point.lat, point.lon]).collect()
    }

    /// The lines of a hop and of those after it up to the next call that is not moved, if one of the ends of the hop is not
    /// at the stop of the pattern; `None` if both are. All are cut at once, because the place of each stop on the shape
    /// depends on the others.
    fn cut_again(&self, pattern: PatternIdx, hop: usize, stops: &[StopIdx]) -> Option<Vec<Vec<LatLon>>> {
        let scheduled = self.patterns.stops(pattern);
        let is_moved = |call: usize| scheduled.get(call) != stops.get(call).map(|stop| &stop.0);
        if !is_moved(hop) && !is_moved(hop + 1) {
            return None;
        }
        let stretch = stretch(hop, stops.len(), is_moved);
        let line = self.line_of(pattern, stretch.clone());
        let places: Vec<LatLon> =
            stretch.clone().chain([stretch.end]).map(|call| self.place(stops.get(call))).collect();
        let [first, last] = [stretch.start, stretch.end].map(is_moved);
        let straight = || places.windows(2).map(<[LatLon]>::to_vec).collect();
        let cut = line.and_then(|line| parts(&line, &places, [first, last])).unwrap_or_else(straight);
        Some(cut.into_iter().skip(hop - stretch.start).collect())
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

/// The hops of a line along `places`, cut next to these; except where they are moved, the ends of the line stay as they are.
/// `None` if the line cannot be followed from place to place.
fn parts(line: &[ShapePoint], places: &[LatLon], ends_are_moved: [bool; 2]) -> Option<Vec<Vec<LatLon>>> {
    if line.len() < 2 {
        return None;
    }
    let [first, last] = ends_are_moved.map(|is_moved| usize::from(!is_moved));
    let found = locate_by_position(line, &places[first..places.len() - last])?;
    let start = (first == 1).then(|| ShapeLocation::new(0, 0.0));
    let end = (last == 1).then(|| ShapeLocation::new(line.len() - 1, 0.0));
    let locations: Vec<ShapeLocation> = start.into_iter().chain(found).chain(end).collect();
    let part = |ends: &[ShapeLocation]| {
        let points = between(line, ends[0], ends[1]);
        points.into_iter().map(|[lat, lon]| LatLon::new(lat, lon)).collect()
    };
    Some(locations.windows(2).map(part).collect())
}
