//! Memory of one search worker for plans, kept from request to request.

use trestle_street::search::StreetSearch;
use trestle_transit::raptor::TransitScratch;

/// What the searches of a plan write into. One per worker; never shared.
#[derive(Default)]
pub struct Scratch {
    /// Streets around the start; its labels live until the itineraries are made.
    pub(crate) access: StreetSearch,
    /// Streets around the destination.
    pub(crate) egress: StreetSearch,
    /// Street-only paths and transfers. Also lent to look-ups of stops within a walk, which need no other memory.
    pub direct: StreetSearch,
    /// Timetable.
    pub(crate) transit: TransitScratch,
}
