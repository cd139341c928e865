//! Street legs: the parts of a street path between changes of mode, and between taking and returning a rented bike.

use std::ops::Range;

use trestle_model::Mode;
use trestle_model::itinerary::{Alert, Leg, Place};
use trestle_street::path::{StreetPath, Traversal, TraversalKind};

use super::context::SectionContext;
use super::geometry::encode;
use super::notes::add_notes;
use super::places::{at_station, at_vertex, section_end, section_start};
use super::segment::street_line;
use super::steps::steps;

#[derive(Default)]
pub(super) struct StreetLegs {
    pub(super) legs: Vec<Leg>,
    /// Azimuth at the start of the first step of the first leg.
    pub(super) first_step_angle: Option<f64>,
    /// Azimuth at the start of the last step; `None` when the last leg has no steps.
    pub(super) last_step_angle: Option<f64>,
}

/// The traversals of a leg: a part of the path in one mode, all of it with a rented bike or none.
pub(super) struct LegRange {
    pub(super) range: Range<usize>,
    pub(super) mode: Mode,
    /// Whether it is made with a rented bike.
    with_rented_bike: bool,
    /// Seconds after the start of the path.
    start: i64,
    end: i64,
}

/// Cuts a path that starts at `start` (epoch seconds) into legs. `previous` is the azimuth at the start of the last
/// step of the leg before, `None` after transit and at the start of the trip.
pub(super) fn street_legs(
    path: &StreetPath,
    start: i64,
    context: &SectionContext<'_>,
    previous: Option<f64>,
) -> StreetLegs {
    let live = context.live();
    let mut done = StreetLegs { last_step_angle: previous, ..StreetLegs::default() };
    for part in leg_ranges(path) {
        let found = steps(
            &context.snapshot.graph.street,
            Some(&live),
            path,
            part.range.clone(),
            done.last_step_angle,
            &context.request.locale,
        );
        done.last_step_angle = found.last_step_angle;
        if done.legs.is_empty() {
            done.first_step_angle = found.first_step_angle;
        }
        let mut leg = leg_of(path, &part, start, context);
        leg.steps = found.steps;
        done.legs.push(leg);
    }
    done
}

fn leg_of(path: &StreetPath, part: &LegRange, start: i64, context: &SectionContext<'_>) -> Leg {
    let traversals = &path.traversals[part.range.clone()];
    let points = street_line(&context.snapshot.graph.street, path, part.range.clone());
    let (start_time, end_time) = ((start + part.start) * 1000, (start + part.end) * 1000);
    let mut from = end_of_part(path, part.range.start, context, true);
    let mut to = end_of_part(path, part.range.end, context, false);
    from.departure = Some(start_time);
    to.arrival = Some(end_time);
    Leg {
        start_time,
        end_time,
        distance: traversals.iter().map(|t| t.length_m).sum(),
        mode: part.mode,
        agency_time_zone_offset_ms: context.zone_offset_ms(start + part.start),
        from,
        to,
        geometry: encode(&points),
        alerts: notes_of(context, path, part),
        rented_bike: part.with_rented_bike,
        intermediate_stops: context.request.show_intermediate_stops.then(Vec::new),
        ..Leg::default()
    }
}

/// The place before the traversal `index`, where a part begins (or ends).
fn end_of_part(path: &StreetPath, index: usize, context: &SectionContext<'_>, is_start: bool) -> Place {
    let (before, after) = path.traversals.split_at(index);
    let outside = if is_start { before } else { after };
    if outside.iter().all(|t| matches!(t.kind, TraversalKind::Free | TraversalKind::StopLink)) {
        return if is_start { section_start(path, context) } else { section_end(path, context) };
    }
    if let Some(station) = station_between(before, after).and_then(|s| context.live().rental_station(s)) {
        return at_station(station);
    }
    match before.iter().rev().find_map(|t| t.end_vertex.some()) {
        Some(vertex) => at_vertex(&context.snapshot.graph.street, vertex, &context.request.locale),
        None => section_start(path, context),
    }
}

/// The station between two parts of a path.
fn station_between(before: &[Traversal], after: &[Traversal]) -> Option<u32> {
    let is_event = |t: &&Traversal| {
        matches!(
            t.kind,
            TraversalKind::RentalPickup
                | TraversalKind::RentalDropoff
                | TraversalKind::BikePark
                | TraversalKind::StationLink
        )
    };
    let events_before = before.iter().rev().take_while(is_event);
    let events_after = after.iter().take_while(is_event);
    events_before.chain(events_after).find_map(|t| t.station)
}

/// Street notes in the part, and, as in the reference, of the edge before it.
fn notes_of(context: &SectionContext<'_>, path: &StreetPath, part: &LegRange) -> Vec<Alert> {
    let (live, mut alerts) = (context.live(), Vec::new());
    for traversal in &path.traversals[part.range.start.saturating_sub(1)..part.range.end] {
        add_notes(
            &context.snapshot.graph.street,
            Some(&live),
            traversal,
            &context.request.locale,
            &mut alerts,
        );
    }
    alerts
}

/// Whether a rented bike is taken along. Taking and returning it belong to the walk before and after.
fn with_rented_bike(traversal: &Traversal) -> bool {
    traversal.renting && !is_rental(traversal)
}

fn is_rental(traversal: &Traversal) -> bool {
    matches!(traversal.kind, TraversalKind::RentalPickup | TraversalKind::RentalDropoff)
}

/// The mode in which a traversal is shown. The way between a station and the street belongs to the ride that follows it
/// from there, or leads to it, as in the interface.
fn mode_of(path: &StreetPath, index: usize) -> Mode {
    let own = path.traversals[index];
    if !(own.renting && own.kind == TraversalKind::StationLink) {
        return own.mode;
    }
    let (before, after) = (&path.traversals[..index], &path.traversals[index + 1..]);
    let ridden = |found: Option<&Traversal>| found.filter(|t| t.renting && !is_rental(t)).map(|t| t.mode);
    let takes_time = |t: &&Traversal| t.kind != TraversalKind::Free;
    let previous = ridden(before.iter().rev().find(takes_time));
    previous.or_else(|| ridden(after.iter().find(takes_time))).unwrap_or(own.mode)
}

/// Cuts a path where the mode changes, around parking and stop links, and at stations to or from which a rented bike is
/// walked. Free connections and drop-offs take no time and belong to the part before them.
pub(super) fn leg_ranges(path: &StreetPath) -> Vec<LegRange> {
    let mut ranges: Vec<LegRange> = Vec::new();
    let mut open = false;
    let mut clock = 0i64;
    for (i, traversal) in path.traversals.iter().enumerate() {
        let seconds = i64::from(traversal.seconds);
        let (mode, with_rented_bike) = (mode_of(path, i), with_rented_bike(traversal));
        let timeless = matches!(traversal.kind, TraversalKind::Free | TraversalKind::CarDropoff);
        if mode == Mode::LegSwitch && !timeless {
            open = false;
        } else if timeless {
            if let Some(part) = ranges.last_mut().filter(|_| open) {
                part.range.end = i + 1;
            }
        } else if let Some(part) = ranges
            .last_mut()
            .filter(|part| (open, part.mode, part.with_rented_bike) == (true, mode, with_rented_bike))
        {
            part.range.end = i + 1;
            part.end = clock + seconds;
        } else {
            ranges.push(LegRange {
                range: i..i + 1,
                mode,
                with_rented_bike,
                start: clock,
                end: clock + seconds,
            });
            open = true;
        }
        clock += seconds;
    }
    ranges
}

#[cfg(test)]
mod tests {
    use TraversalKind::{RentalDropoff, RentalPickup, StationLink, Street};

    use super::*;

    fn ranges(traversals: &[(TraversalKind, Mode, bool)]) -> Vec<(Range<usize>, bool)> {
        let traversal =
            |&(kind, mode, renting)| Traversal { kind, mode, renting, seconds: 1, ..Traversal::event() };
        let path =
            StreetPath { traversals: traversals.iter().map(traversal).collect(), ..StreetPath::default() };
        leg_ranges(&path).into_iter().map(|part| (part.range, part.with_rented_bike)).collect()
    }

    const PICKUP: [(TraversalKind, Mode, bool); 3] = [
        (StationLink, Mode::Walk, false),
        (RentalPickup, Mode::Walk, false),
        (StationLink, Mode::Walk, true),
    ];
    const DROPOFF: [(TraversalKind, Mode, bool); 3] = [
        (StationLink, Mode::Walk, true),
        (RentalDropoff, Mode::Walk, true),
        (StationLink, Mode::Walk, false),
    ];
    const WALK: (TraversalKind, Mode, bool) = (Street, Mode::Walk, false);
    const CYCLE: (TraversalKind, Mode, bool) = (Street, Mode::Bicycle, true);
    const PUSH: (TraversalKind, Mode, bool) = (Street, Mode::Walk, true);

    #[test]
    fn walks_begin_and_end_at_the_stations_of_a_rented_bike() {
        let usual = [&[WALK][..], &PICKUP, &[CYCLE], &DROPOFF, &[WALK]].concat();
        assert_eq!(ranges(&usual), [(0..3, false), (3..6, true), (6..9, false)]);
    }

    #[test]
    fn walking_a_rented_bike_is_a_leg_of_its_own() {
        let walked = [&[WALK][..], &PICKUP, &[PUSH, CYCLE, PUSH], &DROPOFF, &[WALK]].concat();
        assert_eq!(
            ranges(&walked),
            [(0..3, false), (3..5, true), (5..6, true), (6..8, true), (8..11, false)]
        );
    }
}
