//! Transfer legs: the walk between two stops.

use trestle_model::Mode;
use trestle_model::geo::LatLon;
use trestle_model::itinerary::{Leg, Place, RelativeDirection, Step};
use trestle_street::path::StreetPath;
use trestle_transit::path::TransferWalk;

use super::context::SectionContext;
use super::geometry::{encode, first_angle, octant};
use super::rides::stop_place;
use super::segment::street_line;

/// Metres of a transfer, rounded to the millimetre to which they were measured.
pub(super) fn meters(walk: &TransferWalk) -> f64 {
    (walk.meters * 1000.0).round() / 1000.0
}

/// The leg of a transfer that starts at `start` (epoch seconds), with a single step from stop to stop.
pub(super) fn transfer_leg(
    walk: &TransferWalk,
    path: Option<&StreetPath>,
    start: i64,
    context: &SectionContext<'_>,
) -> Leg {
    let graph = &context.snapshot.graph;
    let (mut from, mut to) =
        (stop_place(&graph.timetable, walk.from_stop), stop_place(&graph.timetable, walk.to_stop));
    let (start_time, end_time) = (start * 1000, (start + i64::from(walk.seconds)) * 1000);
    (from.departure, to.arrival) = (Some(start_time), Some(end_time));
    let mut line =
        path.map_or_else(Vec::new, |path| street_line(&graph.street, path, 0..path.traversals.len()));
    // No streets lead from stop to stop where both are linked at the same point, or where transfers.txt says how to go.
    if line.is_empty() && walk.meters > 0.0 {
        line = vec![LatLon::new(from.lat, from.lon), LatLon::new(to.lat, to.lon)];
    }
    let steps = if line.is_empty() { Vec::new() } else { vec![step(&from, &to, &line, meters(walk))] };
    Leg {
        start_time,
        end_time,
        distance: meters(walk),
        pathway: walk.pathway,
        mode: Mode::Walk,
        agency_time_zone_offset_ms: context.zone_offset_ms(start),
        from,
        to,
        geometry: encode(&line),
        intermediate_stops: context.request.show_intermediate_stops.then(Vec::new),
        steps,
        ..Leg::default()
    }
}

/// The only step of a transfer.
fn step(from: &Place, to: &Place, line: &[LatLon], distance: f64) -> Step {
    Step {
        distance,
        relative: RelativeDirection::Depart,
        street_name: format!("{} => {}", from.name, to.name),
        absolute: Some(octant(first_angle(line))),
        lon: from.lon,
        lat: from.lat,
        ..Step::default()
    }
}
