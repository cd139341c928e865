//! Renders paths as itineraries: legs with places, steps and lines.
//!
//! A street path becomes the street legs between its changes of mode; a transit path becomes access legs, one leg
//! per ride, transfer legs and egress legs. Waiting, boarding, parking and the links between streets and stops are
//! the gaps between legs. Times are epoch milliseconds in the result and epoch seconds inside.

mod context;
mod corner;
mod edges;
mod elevation;
mod fares;
mod geometry;
mod legs;
mod live_facts;
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

pub use context::{Section, SectionContext, SectionEnd};
pub(crate) use corner::corner_name;
pub use edges::{BegunStep, NarratedEdge, narrated_edges};
pub(crate) use on_board::ON_BOARD;
pub use section::{SectionPaths, join_sections, street_section, transit_section};
