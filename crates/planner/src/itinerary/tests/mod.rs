//! Itineraries on small graphs.

mod graphs;
mod streets;
mod transit;
