//! Plans trips from place to place as itineraries with fares, and answers profile requests with options. Each is a
//! function of a snapshot, a request, the memory of a search thread and a deadline.

mod fares;
pub mod itinerary;
mod lines;
mod live_facts;
pub mod plan;
pub mod profile;
mod scratch;

pub use live_facts::LiveFacts;
pub use scratch::Scratch;
