//! Values that cross the boundary between Rust and TypeScript: requests and options in, results out.

pub(crate) mod analysis;
mod coordinates;
pub(crate) mod dates;
pub(crate) mod given;
pub(crate) mod index;
pub(crate) mod info;
pub(crate) mod itinerary;
pub(crate) mod made;
pub(crate) mod options;
pub(crate) mod packed;
pub(crate) mod profile;
pub(crate) mod realtime;
pub(crate) mod request;
pub(crate) mod rows;
pub(crate) mod scenario;
pub(crate) mod stop_times;
pub(crate) mod text;
