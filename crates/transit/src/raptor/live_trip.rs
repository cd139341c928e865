//! The trips of live data.

use trestle_model::ids::TripIdx;

/// How requests can name a trip of the overlay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LiveTrip {
    /// It replaces a scheduled trip and has other calls. Rules and bans of the scheduled trip apply to it too.
    Replacing(TripIdx),
    /// It is not in the schedule: its outer id, and the scheduled trip that it duplicates, if any.
    Added(String, Option<TripIdx>),
}
