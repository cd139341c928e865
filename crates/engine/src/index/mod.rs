//! Look-ups over the transit layer, answered from its columns.

mod added_runs;
mod call_time;
mod clusters;
mod hashes;
mod listing;
mod live;
mod relations;
mod search;
mod service_day;
mod shapes;
pub mod stop_times;
#[cfg(test)]
mod tests;
mod upcoming;

pub use call_time::{CallTime, RealtimeState};
pub use clusters::{Cluster, Clusters};
pub use hashes::{pattern_hash, trip_hash};
pub use listing::Listing;
pub use live::{LivePattern, LiveSchedule, service_of};
pub use relations::{Relation, fuzzy_trip, related};
pub use search::{MAX_RADIUS_M, stops_in_box, stops_in_circle, stops_within_walk, transfers_from};
pub use shapes::pattern_geometry;
