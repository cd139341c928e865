//! The narrative of a trip: bare paths of both layers decorated with the graph into legs, places, steps and lines.
//!
//! A street path becomes the street legs between its changes of mode; a transit path becomes access legs, one leg
//! per ride, transfer legs and egress legs. Waiting, boarding, parking and the links between streets and stops are
//! the gaps between legs. All times are epoch milliseconds in the result and epoch seconds inside.

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
pub use edges::{EdgeTurn, NarratedEdge, narrated_edges};
pub use live::{LegFacts, LiveRide, Schedule};
pub use section::{Section, join_sections, street_section, transit_section};

use trestle_engine::graph::Graph;
use trestle_model::itinerary::Itinerary;
use trestle_street::path::StreetPath;
use trestle_transit::path::TransitPath;

/// Decorates a path on streets only. It starts at the requested time, or ends then with `arrive_by`.
pub fn street_itinerary(graph: &Graph, path: &StreetPath, context: &ItineraryContext<'_>) -> Itinerary {
    street_section(graph, path, context, None).itinerary
}

/// Decorates a path through the timetable. `access` is `None` when the trip starts on board a vehicle;
/// `transfer_paths[i]` is the street path of `transit.transfers[i]`, for its line (missing entries: straight lines).
pub fn transit_itinerary(
    graph: &Graph,
    transit: &TransitPath,
    access: Option<&StreetPath>,
    egress: &StreetPath,
    transfer_paths: &[Option<StreetPath>],
    context: &ItineraryContext<'_>,
) -> Itinerary {
    transit_section(graph, transit, access, egress, transfer_paths, context, None).itinerary
}
