//! Links the stops that a scenario adds or moves to a finished graph.

use trestle_model::geo::LatLon;
use trestle_model::ids::VertexIdx;

use crate::graph::{StopLink, StreetGraph, vertex_flags};
use crate::nearest_vertices::nearest_vertices;
use crate::search::StopLinkIndex;

impl StreetGraph {
    /// The same streets, with these stops linked to the nearest walkable vertex instead of the vertices that they were
    /// linked to before. All columns except those of the links are shared. `stops` are (index, position), each index
    /// once. Also returns the indices of stops without a vertex nearby.
    pub fn with_stops(&self, stops: &[(u32, LatLon)]) -> (StreetGraph, Vec<u32>) {
        let mut graph = self.clone();
        let is_placed = |stop: u32| stops.iter().any(|&(placed, _)| placed == stop);
        let mut links: Vec<StopLink> =
            self.stop_links.iter().filter(|link| !is_placed(link.stop)).copied().collect();
        let mut flags = self.vertex_flags.to_vec();
        self.stop_links.iter().for_each(|link| flags[link.vertex as usize] &= !vertex_flags::STOP);
        let mut unlinked = Vec::new();
        for &(stop, position) in stops {
            match nearest_vertices(self, position, 1).first() {
                Some(&(VertexIdx(vertex), _)) => {
                    links.push(StopLink { stop, vertex });
                }
                None => unlinked.push(stop),
            }
        }
        links.sort_by_key(|link| link.stop);
        links.iter().for_each(|link| flags[link.vertex as usize] |= vertex_flags::STOP);
        graph.search.links = StopLinkIndex::of(&links, graph.vertex_count());
        graph.stop_links = links.into();
        graph.vertex_flags = flags.into();
        (graph, unlinked)
    }
}
