//! Live data: what it adds to searches, look-ups and itineraries.

mod facts;

pub use facts::LiveFacts;
