//! Plans trips from place to place as itineraries with fares, and answers profile requests with options. Each is a
//! function of a snapshot, a request, the memory of a search thread and a deadline.

pub mod itinerary;
mod lines;
pub mod plan;
pub mod profile;
mod scratch;

pub use scratch::Scratch;
