//! Adds the stops of a scenario to a finished graph.

use trestle_model::geo::LatLon;
use trestle_model::ids::VertexIdx;

use crate::graph::{StopLink, StreetGraph, vertex_flags};
use crate::link::nearest_vertices;

impl StreetGraph {
    /// The same streets with more stops, each linked to the nearest walkable vertex; all columns but those of the links
    /// are shared. `stops` are (index, position), with indices above those of all linked stops. Also returns the indices
    /// of stops without a vertex nearby.
    pub fn with_stops(&self, stops: &[(u32, LatLon)]) -> (StreetGraph, Vec<u32>) {
        let mut graph = self.clone();
        let mut links = self.stop_links.to_vec();
        let mut flags = self.vertex_flags.to_vec();
        let mut unlinked = Vec::new();
        for &(stop, position) in stops {
            match nearest_vertices(self, position, 1).first() {
                Some(&(VertexIdx(vertex), _)) => {
                    flags[vertex as usize] |= vertex_flags::STOP;
                    links.push(StopLink { stop, vertex });
                }
                None => unlinked.push(stop),
            }
        }
        let mut by_vertex: Vec<u32> = (0..links.len() as u32).collect();
        by_vertex.sort_by_key(|&link| links[link as usize].vertex);
        graph.stop_links = links.into();
        graph.vertex_flags = flags.into();
        graph.search.links_by_vertex = by_vertex.into();
        (graph, unlinked)
    }
}
