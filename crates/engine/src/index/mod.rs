//! Look-ups over the transit layer, answered from its columns.

mod catalog;
mod clusters;
mod live;
mod live_calls;
mod relations;
mod search;
pub mod stop_times;
#[cfg(test)]
mod tests;

pub use catalog::{Catalog, is_listed};
pub use clusters::{Cluster, Clusters};
pub use live::{LivePattern, LiveSchedule, pattern_hash, service_of, trip_hash};
pub use relations::{Lists, Relation, fuzzy_trip, related};
pub use search::{MAX_RADIUS_M, stops_in_box, stops_in_circle, stops_within_walk, transfers_from};
