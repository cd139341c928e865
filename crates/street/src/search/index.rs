//! Columns for the searches that are derived from the graph's other columns at the end of a build.

use rustc_hash::FxHashSet;
use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_model::rules::{both, each, group, index, single};
use trestle_model::{Column, Direction, columns};

use super::stop_link_index::StopLinkIndex;
use crate::arc::{Arc, arc_bits, with_dead_ends};
use crate::graph::{EdgeKind, StreetGraph};
use crate::rules::{Ascending, in_arc_of, slope_factor};

columns! {
    /// Derived columns of a street graph, see [`SearchIndex::build`].
    pub struct SearchIndex in StreetGraph {
        /// Edges on which a turn restriction starts, sorted.
        pub restricted: Column<u32> => |g| both(index(g.search.restricted.len(), g.arcs.len()), Ascending),
        /// Edges that start at the vertex of a turn restriction, sorted. Backward searches use them instead of `restricted`.
        pub after_restrictions: Column<u32> => |g| both(index(g.search.after_restrictions.len(), g.arcs.len()), Ascending),
        /// The edges as arcs of backward searches, in the order of `in_edges`.
        pub in_arcs: Column<Arc> => |g| each(g.arcs.len(), |at, arc| in_arc_of(g, at, arc)),
        pub links: StopLinkIndex => group,
        /// Smallest ratio of effective to real length (one entry; 1 without elevation).
        pub least_slope_factor: Column<f32> => |_| single(slope_factor),
    }
}

impl StreetGraph {
    /// The arcs that leave the vertices (backward: lead to them), and the first arc of each vertex.
    pub(super) fn arcs_of(&self, direction: Direction) -> (&[Arc], &[u32]) {
        direction.pick((&self.arcs, &self.first_out), (&self.search.in_arcs, &self.first_in))
    }

    /// The same arcs of one vertex.
    pub(super) fn arcs_at(&self, vertex: u32, direction: Direction) -> &[Arc] {
        let (arcs, first) = self.arcs_of(direction);
        &arcs[first[vertex as usize] as usize..first[vertex as usize + 1] as usize]
    }

    /// Largest slope of an edge or half of one, whose arc is given.
    #[inline(always)]
    pub(super) fn slope(&self, edge: u32, arc: &Arc) -> f32 {
        if arc.has(arc_bits::UNEVEN) {
            self.max_slopes.get(edge as usize).copied().unwrap_or(0.0)
        } else {
            0.0
        }
    }
}

impl SearchIndex {
    /// The index of a graph whose other columns are complete.
    pub fn build(graph: &StreetGraph) -> SearchIndex {
        let mut restricted: Vec<u32> = graph.restrictions.iter().map(|r| r.from).collect();
        restricted.dedup();
        let corners: FxHashSet<u32> = restricted.iter().map(|&e| graph.arcs[e as usize].end).collect();
        let mut after: Vec<u32> = corners.iter().flat_map(|&v| graph.out_edges(VertexIdx(v))).collect();
        after.sort_unstable();
        let streets = graph.edges().filter(|edge| edge.kind() == EdgeKind::Street);
        let least = streets.map(|edge| edge.slope_factors.speed).fold(1.0, f32::min);
        let in_arc = |&edge: &u32| Arc::of(&graph.edge(EdgeIdx(edge)), Direction::Backward);
        let in_arcs = graph.in_edges.iter().map(in_arc).collect();
        SearchIndex {
            restricted: restricted.into(),
            after_restrictions: after.into(),
            in_arcs: with_dead_ends(in_arcs, &graph.first_in).into(),
            links: StopLinkIndex::of(&graph.stop_links, graph.vertex_count()),
            least_slope_factor: vec![least].into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::graph;

    #[test]
    fn dead_ends_lead_nowhere_but_back() {
        let text = "A 0 0\nB 100 0\nC 200 0\nD 300 0\nE 100 90";
        let t = graph(&format!("{text}\nA - B w\nB - C w\nC - D w\nB > E w\nC - D w kind=3"));
        let dead_ends = |arcs: &[Arc], first: &[u32]| {
            let mut names = Vec::new();
            for (vertex, range) in first.windows(2).enumerate() {
                let arcs = &arcs[range[0] as usize..range[1] as usize];
                for arc in arcs.iter().filter(|arc| arc.has(arc_bits::DEAD_END)) {
                    names.push([vertex as u32, arc.end].map(|v| t.name(VertexIdx(v))).concat());
                }
            }
            names
        };
        let (graph, index) = (&t.graph, &t.graph.search);
        let onward = dead_ends(&graph.arcs, &graph.first_out);
        assert_eq!(onward, ["BA", "BE"], "an elevator leads on from D");
        assert_eq!(dead_ends(&index.in_arcs, &graph.first_in), ["BA"], "no edge leaves E");
    }
}
