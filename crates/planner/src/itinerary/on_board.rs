//! Trips that start inside a running vehicle: the part of the first hop that is left.

use trestle_model::geo::LatLon;
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

/// Where a trip starts that begins with this leg.
pub(super) fn start_place(leg: &Leg, context: &ItineraryContext<'_>) -> Place {
    let position = start_position(context).unwrap_or(LatLon::new(leg.from.lat, leg.from.lon));
    Place { departure: Some(leg.start_time), ..named(ON_BOARD.to_owned(), position) }
}

/// The line from its point nearest to `position` on. Nearest is meant in degrees, as in the reference.
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
    let (north, east) = (b.lat - a.lat, b.lon - a.lon);
    let square = north * north + east * east;
    if square <= 0.0 {
        return a;
    }
    let along = ((position.lat - a.lat) * north + (position.lon - a.lon) * east) / square;
    let along = along.clamp(0.0, 1.0);
    LatLon::new(a.lat + along * north, a.lon + along * east)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_begins_beside_the_position() {
        let line = [LatLon::new(0.0, 0.0), LatLon::new(0.0, 1.0), LatLon::new(1.0, 1.0)];
        let rest = rest_of_line(&line, LatLon::new(0.3, 0.25));
        assert_eq!(rest, [LatLon::new(0.0, 0.25), line[1], line[2]]);
        assert_eq!(rest_of_line(&line, LatLon::new(-1.0, -1.0)), line);
    }
}
