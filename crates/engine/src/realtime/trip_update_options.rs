//! Options for reading the trip updates of a feed.

use trestle_model::with_defaults;

with_defaults! {
    /// How to read a message.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct TripUpdateOptions {
        /// Feed that the ids belong to; if empty, each trip is looked for in all feeds.
        pub feed_id: String = String::new(),
        /// Number of the source. A message that is a full dataset replaces only what this source sent before.
        pub source: u32 = 0,
        /// The message adds to the earlier ones, even if its header says otherwise (streams).
        pub differential: bool = false,
        /// Trips without a known id are found by route, direction, date and start time.
        pub fuzzy_trip_matching: bool = false,
        /// Forget service days earlier than two days ago, in the agency's zone, unless a vehicle may still be under way.
        pub purge_expired_data: bool = true,
        /// The present, epoch seconds.
        pub now: i64 = 0,
    }
}
