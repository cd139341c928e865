//! Look-ups of the links between stops and vertices.

use trestle_model::lists::{list, offsets_of_items};
use trestle_model::rules::{each, offsets};
use trestle_model::{Column, columns};

use crate::graph::{StopLink, StreetGraph};
use crate::rules::link_by_vertex;

/// Number of consecutive vertices that share an offset. Few vertices have links, so an offset for each would waste
/// memory.
const BLOCK: usize = 64;

columns! {
    /// The links of a graph by stop and by vertex.
    pub struct StopLinkIndex in StreetGraph {
        /// First entry in `stop_links` of each stop up to the last one with a link; one more entry than these.
        pub first_of_stop: Column<u32> => |g| offsets(g.search.links.first_of_stop.len().saturating_sub(1), g.stop_links.len()),
        /// Positions in `stop_links`, sorted by vertex.
        pub by_vertex: Column<u32> => |g| each(g.stop_links.len(), |at, link| link_by_vertex(g, at, *link)),
        /// First entry in `by_vertex` of each block of vertices; one more entry than blocks.
        pub first_in_block: Column<u32> => |g| offsets(g.vertex_lat.len().div_ceil(BLOCK), g.stop_links.len()),
    }
}

impl StopLinkIndex {
    /// The index of links, which are sorted by stop, to vertices numbered below `vertices`.
    pub(crate) fn of(links: &[StopLink], vertices: usize) -> StopLinkIndex {
        let mut by_vertex: Vec<u32> = (0..links.len() as u32).collect();
        by_vertex.sort_by_key(|&link| links[link as usize].vertex);
        let stops = links.last().map_or(0, |link| link.stop as usize + 1);
        let blocks = links.iter().map(|link| link.vertex / BLOCK as u32);
        StopLinkIndex {
            first_of_stop: offsets_of_items(stops, links.iter().map(|link| link.stop)).into(),
            by_vertex: by_vertex.into(),
            first_in_block: offsets_of_items(vertices.div_ceil(BLOCK), blocks).into(),
        }
    }
}

impl StreetGraph {
    pub fn links_of(&self, stop: u32) -> &[StopLink] {
        list(&self.search.links.first_of_stop, &self.stop_links, stop as usize)
    }

    /// Positions in `stop_links` of the links at a vertex.
    pub fn links_at(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let StopLinkIndex { by_vertex, first_in_block, .. } = &self.search.links;
        let block = vertex as usize / BLOCK;
        let of_block = &by_vertex[first_in_block[block] as usize..first_in_block[block + 1] as usize];
        let vertex_of = |link: u32| self.stop_links[link as usize].vertex;
        let first = of_block.partition_point(|&link| vertex_of(link) < vertex);
        of_block[first..].iter().copied().take_while(move |&link| vertex_of(link) == vertex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_by_stop_and_by_vertex() {
        let all = [(1, 70), (1, 63), (3, 70), (4, 200)].map(|(stop, vertex)| StopLink { stop, vertex });
        let mut graph = StreetGraph { stop_links: all.to_vec().into(), ..StreetGraph::default() };
        graph.search.links = StopLinkIndex::of(&all, 201);
        for stop in 0..7 {
            let expected: Vec<StopLink> = all.iter().filter(|link| link.stop == stop).copied().collect();
            assert_eq!(graph.links_of(stop), expected);
        }
        for vertex in 0..201 {
            let expected: Vec<u32> = (0..4).filter(|&link| all[link as usize].vertex == vertex).collect();
            assert_eq!(graph.links_at(vertex).collect::<Vec<u32>>(), expected);
        }
    }
}
