//! Marks the streets that cannot be left or reached by each mode: those from which no large part of the network can be
//! reached, and those that cannot be reached from any large part.
//!
//! A place should not be joined to a pavement that shares no node with a street, to a car park inside a wall, or to a
//! one-way road that ends at the edge of the map.

use super::network::{BuildEdge, EdgeState, Network};
use crate::graph::{Edge, EdgeKind, edge_flags};
use crate::lists::Lists;
use crate::osm::Permission;

/// Each mode's own permission, and those that open a street to it: bicycles may be walked.
const MODES: [(u32, Permission); 3] = [
    (edge_flags::WALK, Permission::WALK),
    (edge_flags::BICYCLE, Permission::WALK_BICYCLE),
    (edge_flags::CAR, Permission::CAR),
];

/// Marks the streets that cannot be left and those that cannot be reached. A strongly connected part of the network is
/// large when it has `least_vertices` vertices on ways. The outlines of areas do not count: a pavement drawn as an area
/// around a block has a hundred vertices, but cannot be left when it shares no node with a street. Nothing is marked
/// where no part is large.
pub(super) fn mark(network: &mut Network, least_vertices: u32) {
    for (mode, permissions) in MODES {
        let streets = UsableStreets::of_mode(network, mode, permissions);
        let large = streets.large_parts(least_vertices);
        if !large.contains(&true) {
            continue;
        }
        let (leads_out, is_reached) = (streets.spread(&large, true), streets.spread(&large, false));
        for BuildEdge { edge, .. } in &mut network.edges {
            if edge.kind() != EdgeKind::Street || !Permission::of_flags(edge.flags).allows_any(permissions) {
                continue;
            }
            edge.flags |= if leads_out[edge.to as usize] { 0 } else { edge_flags::no_way_out(mode) };
            edge.flags |= if is_reached[edge.from as usize] { 0 } else { edge_flags::no_way_in(mode) };
        }
    }
}

/// The part of the network that a mode uses.
struct UsableStreets {
    /// Ends of the edges that leave each vertex.
    outgoing: Lists<u32>,
    /// Starts of the edges that lead to each vertex.
    incoming: Lists<u32>,
    /// Whether a vertex is on an edge that is not the outline of an area.
    is_on_way: Vec<bool>,
}

/// Depth-first search over neighbours from a vertex to all that have not been seen. Calls `leave` with each vertex after
/// those that it leads to.
fn search(neighbours: &Lists<u32>, start: u32, is_seen: &mut [bool], leave: &mut impl FnMut(u32)) {
    if std::mem::replace(&mut is_seen[start as usize], true) {
        return;
    }
    let mut stack = vec![(start, neighbours.get(start).iter())];
    while let Some((vertex, left)) = stack.last_mut() {
        let vertex = *vertex;
        match left.next() {
            Some(&next) if is_seen[next as usize] => {}
            Some(&next) => {
                is_seen[next as usize] = true;
                stack.push((next, neighbours.get(next).iter()));
            }
            None => {
                leave(vertex);
                stack.pop();
            }
        }
    }
}

impl UsableStreets {
    fn of_mode(network: &Network, mode: u32, permissions: Permission) -> Self {
        let is_open = |edge: &Edge| match edge.kind() {
            EdgeKind::Street => network.permission(edge).allows_any(permissions),
            EdgeKind::Free | EdgeKind::ElevatorBoard | EdgeKind::ElevatorHop | EdgeKind::ElevatorAlight => {
                mode != edge_flags::CAR
            }
            EdgeKind::ParkAndRideLink | EdgeKind::ParkAndRide | EdgeKind::StationLink => false,
        };
        let live = network.edges.iter().filter(|build| build.state == EdgeState::Live);
        let edges: Vec<&Edge> = live.map(|build| &build.edge).filter(|edge| is_open(edge)).collect();
        let count = network.vertices.len();
        let mut is_on_way = vec![false; count];
        for edge in edges.iter().filter(|edge| !edge.has(edge_flags::AREA)) {
            is_on_way[edge.from as usize] = true;
            is_on_way[edge.to as usize] = true;
        }
        UsableStreets {
            outgoing: Lists::of(count, edges.iter().map(|edge| (edge.from, edge.to))),
            incoming: Lists::of(count, edges.iter().map(|edge| (edge.to, edge.from))),
            is_on_way,
        }
    }

    /// Whether each vertex is in a strongly connected part with at least this many vertices on ways.
    fn large_parts(&self, least_vertices: u32) -> Vec<bool> {
        let parts = self.parts();
        let mut sizes = vec![0; parts.len()];
        for (part, _) in parts.iter().zip(&self.is_on_way).filter(|(_, is_on_way)| **is_on_way) {
            sizes[*part as usize] += 1;
        }
        parts.iter().map(|&part| sizes[part as usize] >= least_vertices.max(1)).collect()
    }

    /// The strongly connected component of each vertex, named by a vertex of it (Kosaraju's algorithm).
    fn parts(&self) -> Vec<u32> {
        let count = self.is_on_way.len();
        let mut order = Vec::with_capacity(count);
        let mut is_seen = vec![false; count];
        for vertex in 0..count as u32 {
            search(&self.outgoing, vertex, &mut is_seen, &mut |left| order.push(left));
        }
        let mut parts = vec![0; count];
        is_seen.fill(false);
        for &vertex in order.iter().rev() {
            search(&self.incoming, vertex, &mut is_seen, &mut |member| parts[member as usize] = vertex);
        }
        parts
    }

    /// The vertices from which a set can be reached, or with `backward` false those that can be reached from it. Both
    /// include the set.
    fn spread(&self, set: &[bool], backward: bool) -> Vec<bool> {
        let neighbours = if backward { &self.incoming } else { &self.outgoing };
        let mut is_seen = vec![false; set.len()];
        for vertex in (0..set.len() as u32).filter(|&vertex| set[vertex as usize]) {
            search(neighbours, vertex, &mut is_seen, &mut |_| ());
        }
        is_seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestGraph, graph};
    use proptest::prelude::*;
    use trestle_model::geo::LatLon;

    /// A graph and its edges, marked with parts of four vertices being large.
    fn marked(text: &str) -> (TestGraph, Vec<Edge>) {
        let test = graph(text);
        let mut network = Network::new();
        for _ in test.graph.vertex_lat.iter() {
            network.add_vertex(LatLon::default(), 0, 0);
        }
        for edge in test.graph.edges() {
            network.add_edge(edge, false);
        }
        mark(&mut network, 4);
        (test, network.edges.into_iter().map(|build| build.edge).collect())
    }

    /// The edges with a flag, as the names of their ends.
    fn with_flag(test: &TestGraph, edges: &[Edge], flag: u32) -> Vec<String> {
        let name = |vertex| test.name(trestle_model::ids::VertexIdx(vertex));
        edges.iter().filter(|e| e.has(flag)).map(|e| name(e.from) + &name(e.to)).collect()
    }

    const TOWN: &str = "A 0 0\nB 100 0\nC 200 0\nD 300 0\nE 400 0\nF 0 50\nG 100 50\n\
                        A - B wbc\nB - C wbc\nC - D wbc";

    #[test]
    fn one_way_dead_ends_cannot_be_left_and_one_way_entries_cannot_be_reached() {
        let (test, edges) = marked(&format!("{TOWN}\nD > E c\nF > A c"));
        assert_eq!(with_flag(&test, &edges, edge_flags::no_way_out(edge_flags::CAR)), ["DE"]);
        assert_eq!(with_flag(&test, &edges, edge_flags::no_way_in(edge_flags::CAR)), ["FA"]);
        assert!(with_flag(&test, &edges, edge_flags::no_way_out(edge_flags::WALK)).is_empty());
    }

    #[test]
    fn islands_can_be_neither_left_nor_reached_and_bicycles_may_be_walked() {
        let (test, edges) = marked(&format!("{TOWN}\nF - G wb\nD > E b\nE > D w"));
        for flag in [edge_flags::no_way_out(edge_flags::WALK), edge_flags::no_way_in(edge_flags::BICYCLE)] {
            assert_eq!(with_flag(&test, &edges, flag), ["FG", "GF"]);
        }
        assert!(with_flag(&test, &edges, edge_flags::no_way_out(edge_flags::CAR)).is_empty());
    }

    #[test]
    fn nothing_is_cut_off_where_all_parts_are_small() {
        let (_, edges) = marked("A 0 0\nB 100 0\nF 0 50\nG 100 50\nA - B wbc\nF > G wbc");
        assert!(edges.iter().all(|edge| edge.flags & edge_flags::CUT_OFF == 0));
    }

    proptest! {
        /// Compares with the definition, from a table of which vertices reach which others.
        #[test]
        fn marks_are_those_of_the_definition(ways in proptest::collection::vec((0..12u32, 0..12u32), 0..30)) {
            let mut text: String = (0..12).map(|v| format!("{v} {} 0\n", v * 100)).collect();
            for (from, to) in ways.iter().filter(|(from, to)| from != to) {
                text += &format!("{from} > {to} c\n");
            }
            let (_, edges) = marked(&text);
            let mut reaches = [[false; 12]; 12];
            (0..12).for_each(|v| reaches[v][v] = true);
            edges.iter().for_each(|e| reaches[e.from as usize][e.to as usize] = true);
            for k in 0..12 {
                for i in 0..12 {
                    for j in 0..12 {
                        reaches[i][j] |= reaches[i][k] && reaches[k][j];
                    }
                }
            }
            let part = |v: usize| (0..12).filter(|&u| reaches[u][v] && reaches[v][u]).count();
            let large: Vec<usize> = (0..12).filter(|&v| part(v) >= 4).collect();
            for edge in &edges {
                let leads_out = large.is_empty() || large.iter().any(|&v| reaches[edge.to as usize][v]);
                let is_reached = large.is_empty() || large.iter().any(|&v| reaches[v][edge.from as usize]);
                prop_assert_eq!(edge.has(edge_flags::no_way_out(edge_flags::CAR)), !leads_out);
                prop_assert_eq!(edge.has(edge_flags::no_way_in(edge_flags::CAR)), !is_reached);
            }
        }
    }
}
