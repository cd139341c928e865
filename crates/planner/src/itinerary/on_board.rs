//! Trips that start inside a running vehicle, in the middle of their first hop.

use trestle_model::geo::LatLon;
use trestle_model::itinerary::{Leg, Place};

use super::context::{SectionContext, SectionEnd};
use super::places::named;

/// Name of the place of a trip that starts inside a vehicle.
pub(crate) const ON_BOARD: &str = "on_board_depart";

/// The position given for the start of the trip.
pub(super) fn start_position(context: &SectionContext<'_>) -> Option<LatLon> {
    match &context.from {
        SectionEnd::Requested { position, .. } | SectionEnd::Via { position, .. } => Some(*position),
        SectionEnd::Resumed => None,
    }
}

/// The start of a trip that begins with this leg.
pub(super) fn start_place(leg: &Leg, context: &SectionContext<'_>) -> Place {
    let position = start_position(context).unwrap_or(LatLon::new(leg.from.lat, leg.from.lon));
    Place { departure: Some(leg.start_time), ..named(ON_BOARD.to_owned(), position) }
}
