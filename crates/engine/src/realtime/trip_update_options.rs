//! What a feed's configuration says of its trip updates.

/// How a message is to be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TripUpdateOptions {
    /// Feed that the ids belong to; empty: whichever feed has the trip.
    pub feed_id: String,
    /// The message adds to the earlier ones, whatever its header says (streams).
    pub differential: bool,
    /// Trips without a known id are found by route, direction, date and start time.
    pub fuzzy_trip_matching: bool,
    /// Service days before the day two days ago, where their agency is, are forgotten, unless a vehicle may still be under
    /// way.
    pub purge_expired_data: bool,
    /// The present, epoch seconds.
    pub now: i64,
}
