//! Marks the streets that cannot be left or reached by each mode: those from which no large part of the network can be
//! reached, and those that cannot be reached from any large part.
//!
//! A place should not be joined to a pavement that shares no node with a street, to a car park inside a wall, to a
//! one-way road that ends at the edge of the map, or to a path that only leads to streets closed to through traffic.

use trestle_model::lists::Lists;
use trestle_model::processors::on_parts;

use super::components::Components;
use super::network::{BuildEdge, Network};
use crate::graph::{Edge, EdgeKind, edge_flags, vertex_flags};
use crate::osm::Permission;

/// Each mode's own permission, and those that open a street to it: bicycles may be walked.
const MODES: [(u32, Permission); 3] = [
    (edge_flags::WALK, Permission::WALK),
    (edge_flags::BICYCLE, Permission::WALK_BICYCLE),
    (edge_flags::CAR, Permission::CAR),
];

/// Marks the streets that cannot be left and those that cannot be reached, and takes back earlier marks. A strongly
/// connected part of the network is large when it has `least_vertices` vertices on ways; where streets are closed to
/// through traffic, only the open ones count, if those are enough. The outlines of areas do not count: a pavement drawn
/// as an area around a block has a hundred vertices, but cannot be left when it shares no node with a street. Nothing
/// is marked where no part is large.
pub(super) fn mark(network: &mut Network, least_vertices: u32) {
    let is_open_to_through_traffic = open_vertices(network);
    let numbers = StateNumbers::of(network);
    let spreads = on_parts(&MODES, |modes| {
        let spread = |&(mode, permissions)| {
            let streets =
                UsableStreets::of_mode(network, mode, permissions, &numbers, &is_open_to_through_traffic);
            streets.spread(least_vertices)
        };
        modes.iter().map(spread).collect()
    });
    for BuildEdge { edge, .. } in &mut network.edges {
        for (&(mode, permissions), spread) in MODES.iter().zip(&spreads) {
            spread.mark(edge, mode, permissions, &numbers);
        }
    }
}

/// Where a mode can come from and get to.
struct Spread {
    is_any_large: bool,
    /// Whether a large part can be reached from each state.
    leads_out: Vec<bool>,
    /// Whether each state can be reached from a large part.
    is_reached: Vec<bool>,
}

impl Spread {
    fn mark(&self, edge: &mut Edge, mode: u32, permissions: Permission, numbers: &StateNumbers) {
        let (no_way_out, no_way_in) = (edge_flags::no_way_out(mode), edge_flags::no_way_in(mode));
        edge.flags &= !(no_way_out | no_way_in);
        let is_usable =
            edge.kind() == EdgeKind::Street && Permission::of_flags(edge.flags).allows_any(permissions);
        if !self.is_any_large || !is_usable {
            return;
        }
        let after = if edge.has(edge_flags::NO_THROUGH) { Past::OnlyClosed } else { Past::Open };
        let has_way_out = self.leads_out[numbers.at(after, edge.to) as usize];
        // Open streets do not begin where travellers who entered closed ones may be.
        let mut pasts = numbers.pasts_at(edge.from).iter();
        let has_way_in = pasts.any(|&past| self.is_reached[numbers.at(past, edge.from) as usize]);
        edge.flags |= if has_way_out { 0 } else { no_way_out };
        edge.flags |= if has_way_in { 0 } else { no_way_in };
    }
}

/// Whether streets that are open to through traffic leave each vertex, as in [`vertex_flags::THROUGH`].
fn open_vertices(network: &Network) -> Vec<bool> {
    let mut is_open = vec![false; network.vertices.len()];
    for (_, edge) in network.kept_edges() {
        is_open[edge.from as usize] |= edge.kind() == EdgeKind::Street && !edge.has(edge_flags::NO_THROUGH);
    }
    is_open
}

/// What the rule against through traffic has to know about the way to a vertex.
#[derive(Clone, Copy)]
enum Past {
    /// It came over a street that is open to through traffic.
    Open,
    /// It came only over streets that are closed to through traffic, or by lift.
    OnlyClosed,
    /// It came from an open street to closed ones, and must stay there.
    EnteredClosed,
}

impl Past {
    const ALL: [Past; 3] = [Past::Open, Past::OnlyClosed, Past::EnteredClosed];

    /// The past after an edge that ends at a vertex with open streets or not. `None` where the rule forbids the edge.
    fn after(self, edge: &Edge, ends_at_open: bool) -> Option<Past> {
        match (self, edge.kind() == EdgeKind::Street, edge.has(edge_flags::NO_THROUGH)) {
            (Past::EnteredClosed, false, _) => Some(Past::EnteredClosed),
            (_, false, _) => Some(Past::OnlyClosed),
            (_, true, false) => Some(Past::Open),
            (Past::OnlyClosed, true, true) => Some(Past::OnlyClosed),
            (_, true, true) => (!ends_at_open).then_some(Past::EnteredClosed),
        }
    }
}

/// Numbers the states of being at a vertex with a past. Where nothing but open streets ends, there is only
/// [`Past::Open`].
struct StateNumbers {
    /// For each vertex the number of its state with [`Past::OnlyClosed`], which that with [`Past::EnteredClosed`] follows;
    /// [`Self::NONE`] where it has neither.
    closed: Vec<u32>,
    count: usize,
}

impl StateNumbers {
    const NONE: u32 = u32::MAX;

    fn of(network: &Network) -> Self {
        let mut count = network.vertices.len();
        let mut closed = vec![Self::NONE; count];
        let is_closed = |edge: &Edge| edge.kind() != EdgeKind::Street || edge.has(edge_flags::NO_THROUGH);
        for BuildEdge { edge, .. } in network.edges.iter().filter(|build| is_closed(&build.edge)) {
            for end in [edge.from, edge.to] {
                if closed[end as usize] == Self::NONE {
                    closed[end as usize] = count as u32;
                    count += 2;
                }
            }
        }
        StateNumbers { closed, count }
    }

    /// Whether anything but open streets is used.
    fn has_closed(&self) -> bool {
        self.count > self.closed.len()
    }

    fn pasts_at(&self, vertex: u32) -> &'static [Past] {
        if self.closed[vertex as usize] == Self::NONE { &[Past::Open] } else { &Past::ALL }
    }

    /// The state of being at a vertex with one of its pasts.
    fn at(&self, past: Past, vertex: u32) -> u32 {
        match past {
            Past::Open => vertex,
            Past::OnlyClosed => self.closed[vertex as usize],
            Past::EnteredClosed => self.closed[vertex as usize] + 1,
        }
    }
}

/// The part of the network that a mode uses.
struct UsableStreets<'a> {
    numbers: &'a StateNumbers,
    /// From each vertex.
    arcs: Lists<u32>,
    /// From each state, see [`StateNumbers`].
    state_arcs: Lists<u32>,
    /// Whether a vertex is on an edge that is not the outline of an area. Where a stop splits a street does not count.
    is_on_way: Vec<bool>,
}

impl<'a> UsableStreets<'a> {
    fn of_mode(
        network: &Network,
        mode: u32,
        permissions: Permission,
        numbers: &'a StateNumbers,
        ends_at_open: &[bool],
    ) -> Self {
        let is_open = |edge: &Edge| match edge.kind() {
            EdgeKind::Street => network.permission(edge).allows_any(permissions),
            kind => kind.belongs_to_elevator() && mode != edge_flags::CAR,
        };
        let edges: Vec<&Edge> =
            network.kept_edges().map(|(_, edge)| edge).filter(|edge| is_open(edge)).collect();
        let mut is_on_way = vec![false; network.vertices.len()];
        for edge in edges.iter().filter(|edge| !edge.has(edge_flags::AREA)) {
            for end in [edge.from, edge.to] {
                is_on_way[end as usize] = network.vertices[end as usize].flags & vertex_flags::SPLIT == 0;
            }
        }
        let between_states = edges.iter().flat_map(|edge| {
            numbers.pasts_at(edge.from).iter().filter_map(|&past| {
                let after = past.after(edge, ends_at_open[edge.to as usize])?;
                Some((numbers.at(past, edge.from), numbers.at(after, edge.to)))
            })
        });
        UsableStreets {
            numbers,
            arcs: Lists::of(is_on_way.len(), edges.iter().map(|edge| (edge.from, edge.to))),
            state_arcs: Lists::of(numbers.count, between_states),
            is_on_way,
        }
    }

    fn spread(&self, least_vertices: u32) -> Spread {
        let components = Components::of(&self.state_arcs);
        let large = self.large_components(&components, least_vertices);
        let of_states = |found: Vec<bool>| components.of.iter().map(|&of| found[of as usize]).collect();
        Spread {
            is_any_large: large.contains(&true),
            leads_out: of_states(components.leading_to(large.clone(), &self.state_arcs)),
            is_reached: of_states(components.reached_from(large, &self.state_arcs)),
        }
    }

    /// Whether each component of states is in a large part: one of open streets, or one with closed streets that has no
    /// large part of open ones.
    fn large_components(&self, by_state: &Components, least_vertices: u32) -> Vec<bool> {
        let state_component = |past, vertex| by_state.of[self.numbers.at(past, vertex) as usize] as usize;
        let open_component = |vertex| state_component(Past::Open, vertex);
        let mut is_large = self.with_vertices(by_state.count, open_component, least_vertices);
        if !self.numbers.has_closed() {
            return is_large;
        }
        let parts = Components::of(&self.arcs);
        let part = |vertex: u32| parts.of[vertex as usize] as usize;
        let mut is_closed_large = self.with_vertices(parts.count, part, least_vertices);
        let vertices = 0..self.is_on_way.len() as u32;
        for vertex in vertices.clone().filter(|&vertex| is_large[open_component(vertex)]) {
            is_closed_large[part(vertex)] = false;
        }
        for vertex in vertices.filter(|&vertex| is_closed_large[part(vertex)]) {
            for &past in self.numbers.pasts_at(vertex) {
                is_large[state_component(past, vertex)] = true;
            }
        }
        is_large
    }

    /// Whether each component has at least this many vertices on ways.
    fn with_vertices(&self, count: usize, component: impl Fn(u32) -> usize, least: u32) -> Vec<bool> {
        let mut sizes = vec![0; count];
        for vertex in (0..self.is_on_way.len()).filter(|&vertex| self.is_on_way[vertex]) {
            sizes[component(vertex as u32)] += 1;
        }
        sizes.into_iter().map(|size| size >= least.max(1)).collect()
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

    #[test]
    fn paths_that_lead_only_to_closed_streets_can_be_neither_left_nor_reached() {
        let (test, edges) = marked(&format!("{TOWN}\nC - F w private\nF - G w"));
        assert_eq!(with_flag(&test, &edges, edge_flags::no_way_out(edge_flags::WALK)), ["FG", "GF"]);
        assert_eq!(with_flag(&test, &edges, edge_flags::no_way_in(edge_flags::WALK)), ["FC", "FG", "GF"]);
        // F has an open path, so nobody can pass it, but those who start behind it can.
        let (test, edges) = marked(&format!("{TOWN}\nC - F w private\nF > E w\nF - G w private"));
        assert_eq!(with_flag(&test, &edges, edge_flags::no_way_out(edge_flags::WALK)), ["FE"]);
        assert_eq!(
            with_flag(&test, &edges, edge_flags::no_way_in(edge_flags::WALK)),
            ["FC", "FE", "FG", "GF"]
        );
    }

    #[test]
    fn closed_streets_are_left_for_each_other_where_no_large_part_is_open() {
        let private = TOWN.replace("wbc", "wbc private");
        let (test, edges) = marked(&format!("{private}\nA - F w\nE - G w"));
        assert_eq!(with_flag(&test, &edges, edge_flags::no_way_out(edge_flags::WALK)), ["EG", "GE"]);
    }

    /// For each edge, whether it leads out and is reached, from the paths that the rule against through traffic
    /// permits.
    fn by_definition(edges: &[Edge]) -> Vec<(bool, bool)> {
        let count = 12;
        let reaches = |may_use: &dyn Fn(&Edge) -> bool| {
            let mut table = vec![vec![false; count]; count];
            (0..count).for_each(|v| table[v][v] = true);
            for edge in edges.iter().filter(|edge| may_use(edge)) {
                table[edge.from as usize][edge.to as usize] = true;
            }
            for (k, i, j) in (0..count.pow(3)).map(|n| (n / count / count, n / count % count, n % count)) {
                table[i][j] |= table[i][k] && table[k][j];
            }
            table
        };
        let is_open = |edge: &Edge| !edge.has(edge_flags::NO_THROUGH);
        let (all, open) = (reaches(&|_| true), reaches(&is_open));
        let part = |table: &[Vec<bool>], v: usize| -> Vec<usize> {
            (0..count).filter(|&u| table[u][v] && table[v][u]).collect()
        };
        let in_open: Vec<bool> = (0..count).map(|v| part(&open, v).len() >= 4).collect();
        let is_large = |v: usize| part(&all, v).len() >= 4 && !part(&all, v).iter().any(|&u| in_open[u]);
        let in_closed: Vec<bool> = (0..count).map(is_large).collect();
        if !in_open.iter().chain(&in_closed).any(|&large| large) {
            return vec![(true, true); edges.len()];
        }
        let is_through = |v: u32| edges.iter().any(|edge| edge.from == v && is_open(edge));
        // All edges, and whether closed ones were entered before their ends, on paths that begin with an edge. Some
        // of these edges may only be used up to a place on them.
        let follow = |first: usize, entered: bool| {
            let mut seen = vec![(first, entered)];
            let mut next = 0;
            while let Some(&(last, entered)) = seen.get(next) {
                next += 1;
                if entered && is_through(edges[last].to) {
                    continue;
                }
                for (number, edge) in edges.iter().enumerate().filter(|(_, e)| e.from == edges[last].to) {
                    let entered = entered || is_open(&edges[last]) && !is_open(edge);
                    if !seen.contains(&(number, entered)) {
                        seen.push((number, entered));
                    }
                }
            }
            seen
        };
        let mut found = vec![(false, false); edges.len()];
        for first in 0..edges.len() {
            let from = edges[first].from as usize;
            found[first].0 = follow(first, false).iter().any(|&(last, entered)| {
                let to = edges[last].to;
                let arrives = !(entered && is_through(to));
                arrives && (in_open[to as usize] && is_open(&edges[last]) || in_closed[to as usize])
            });
            if in_open[from] || in_closed[from] {
                let enters = !in_closed[from] && !is_open(&edges[first]);
                follow(first, enters).iter().for_each(|&(last, _)| found[last].1 = true);
            }
        }
        found
    }

    proptest! {
        /// Streets of which every third is closed to through traffic.
        #[test]
        fn marks_are_those_of_the_definition(
            ways in proptest::collection::vec((0..12u32, 0..12u32, 0..3), 0..30)
        ) {
            let mut text: String = (0..12).map(|v| format!("{v} {} 0\n", v * 100)).collect();
            for (from, to, kind) in ways.iter().filter(|(from, to, _)| from != to) {
                text += &format!("{from} > {to} c {}\n", if *kind == 0 { "private" } else { "" });
            }
            let (_, edges) = marked(&text);
            for (edge, (leads_out, is_reached)) in edges.iter().zip(by_definition(&edges)) {
                prop_assert_eq!(edge.has(edge_flags::no_way_out(edge_flags::CAR)), !leads_out);
                prop_assert_eq!(edge.has(edge_flags::no_way_in(edge_flags::CAR)), !is_reached);
            }
        }
    }
}
