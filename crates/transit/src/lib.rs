//! The transit layer: GTFS in, a timetable of flat columns, and round-based searches over it. It knows nothing of streets.

mod appended;
pub mod build;
pub mod calendar;
mod call_lists;
pub mod error;
pub mod fares;
pub mod gtfs;
pub mod hash_order;
mod hop_lines;
pub mod listing_order;
pub mod lookup;
pub mod overlay;
pub mod path;
mod pathways;
mod patterns;
pub mod raptor;
pub mod scenario;
pub mod semantic_hash;
pub mod timetable;
pub mod transfers;
