//! The stops that are linked to reached streets.

use trestle_model::ids::VertexIdx;
use trestle_street::graph::{StopLink, StreetGraph};

/// The links of stops at some vertices, in the order of the stops and each once; vertices may come twice.
pub(crate) fn links_within(
    street: &StreetGraph,
    vertices: impl Iterator<Item = VertexIdx>,
) -> impl Iterator<Item = &StopLink> {
    let with_stops = vertices.filter(|vertex| street.has_stop(vertex.0));
    let mut links: Vec<u32> = with_stops.flat_map(|vertex| street.links_at(vertex.0)).collect();
    links.sort_unstable();
    links.dedup();
    links.into_iter().map(|link| &street.stop_links[link as usize])
}
