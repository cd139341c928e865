//! Where streets and transit meet: the graph, its file, its build, and the use cases over it.
//! A use case is a pure function of (snapshot, request, deadline); a graph never changes once built.

pub mod build;
pub mod deadline;
mod error;
mod fares;
pub mod geocoder;
pub mod graph;
pub mod index;
pub mod info;
pub mod inspector;
pub mod isochrone;
pub mod itinerary;
pub mod matrix;
pub mod one_to_many;
pub mod plan;
mod processors;
pub mod profile;
pub mod raster;
pub mod realtime;
pub mod scenario;
mod scratch;
pub mod snapshot;
pub mod store;
pub mod surface;
mod windows;

pub use error::EngineError;
pub use scratch::Scratch;
