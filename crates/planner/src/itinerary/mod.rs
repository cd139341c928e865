//! Renders paths as itineraries: legs with places, steps and lines.
//!
//! A street path becomes the street legs between its changes of mode; a transit path becomes access legs, one leg
//! per ride, transfer legs and egress legs. Waiting, boarding, parking and the links between streets and stops are
//! the gaps between legs. Times are epoch milliseconds in the result and epoch seconds inside.

mod context;
mod corner;
mod edges;
mod elevation;
mod geometry;
mod legs;
mod live;
mod names;
mod notes;
mod on_board;
mod places;
mod rides;
mod section;
mod segment;
mod steps;
mod transfers;

#[cfg(test)]
mod tests;

pub use context::{FareFunction, ItineraryContext, Payable, SectionEnd};
pub use edges::{BegunStep, NarratedEdge, narrated_edges};
pub use live::{LegFacts, LiveRide, Schedule};
pub(crate) use on_board::ON_BOARD;
pub use section::{Section, SectionPaths, join_sections, street_section, transit_section};
