//! Where streets and transit meet: the graph, its file and its build, live data and scenarios over it, look-ups in it.
//! A request works on a snapshot: a graph, which never changes, with one state of live data.

mod agency_zones;
pub mod build;
pub mod deadline;
mod derived;
mod error;
pub mod graph;
pub mod index;
pub mod info;
pub mod realtime;
pub mod scenario;
mod service_cache;
pub mod snapshot;
pub mod station_edges;
pub mod store;

pub use derived::Derived;
pub use error::EngineError;
