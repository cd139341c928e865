//! Memory of a search thread for plans, reused for the next request.

use trestle_street::search::StreetSearch;
use trestle_transit::raptor::TransitScratch;

/// The memory of the searches of a plan. Each search thread has its own.
#[derive(Default)]
pub struct Scratch {
    /// The search around the start. Its labels are needed until the itineraries are made.
    pub(crate) access: StreetSearch,
    /// Streets around the destination.
    pub(crate) egress: StreetSearch,
    /// Street-only paths and transfers. Look-ups of stops within a walk use it too.
    pub direct: StreetSearch,
    /// Timetable.
    pub(crate) transit: TransitScratch,
}
