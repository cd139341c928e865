//! Trips that start inside a running vehicle, in the middle of their first hop.

use trestle_model::geo::{LatLon, nearest_share};
use trestle_model::itinerary::{Leg, Place};

use super::context::{ItineraryContext, SectionEnd};
use super::places::named;

/// Name of the place of a trip that starts inside a vehicle.
const ON_BOARD: &str = "on_board_depart";

/// The position given for the start of the trip.
pub(super) fn start_position(context: &ItineraryContext<'_>) -> Option<LatLon> {
    match &context.from {
        SectionEnd::Requested { position, .. } | SectionEnd::Via { position, .. } => Some(*position),
        SectionEnd::Resumed => None,
    }
}

/// The start of a trip that begins with this leg.
pub(super) fn start_place(leg: &Leg, context: &ItineraryContext<'_>) -> Place {
    let position = start_position(context).unwrap_or(LatLon::new(leg.from.lat, leg.from.lon));
    Place { departure: Some(leg.start_time), ..named(ON_BOARD.to_owned(), position) }
}

/// The part of a line after its point nearest to `position`, in degrees as in the reference.
pub(super) fn rest_of_line(line: &[LatLon], position: LatLon) -> Vec<LatLon> {
    let pieces = line.windows(2).enumerate().map(|(i, ends)| {
        let point = nearest_on_piece(ends[0], ends[1], position);
        let (north, east) = (point.lat - position.lat, point.lon - position.lon);
        (north * north + east * east, i, point)
    });
    match pieces.min_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((_, i, point)) => {
            let rest = line[i + 1..].iter().copied().skip_while(|p| *p == point);
            std::iter::once(point).chain(rest).collect()
        }
        None => line.to_vec(),
    }
}

fn nearest_on_piece(a: LatLon, b: LatLon, position: LatLon) -> LatLon {
    let share = nearest_share(position.plane(), a.plane(), b.plane());
    LatLon::new(a.lat + share * (b.lat - a.lat), a.lon + share * (b.lon - a.lon))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_begins_at_the_nearest_point() {
        let line = [LatLon::new(0.0, 0.0), LatLon::new(0.0, 1.0), LatLon::new(1.0, 1.0)];
        let rest = rest_of_line(&line, LatLon::new(0.3, 0.25));
        assert_eq!(rest, [LatLon::new(0.0, 0.25), line[1], line[2]]);
        assert_eq!(rest_of_line(&line, LatLon::new(-1.0, -1.0)), line);
    }
}
