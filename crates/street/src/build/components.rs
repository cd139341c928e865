//! Strongly connected components of a directed graph, and what leads to and from them.

use trestle_model::lists::Lists;

/// Strongly connected components. Arcs lead to the same component or to one with a lower number.
pub(super) struct Components {
    /// The component of each node.
    pub(super) of: Vec<u32>,
    pub(super) count: usize,
    /// All nodes, in the order of their components.
    nodes: Vec<u32>,
}

impl Components {
    /// The components of the graph that has arcs from each node to its list.
    pub(super) fn of(arcs: &Lists<u32>) -> Components {
        let mut search = Search::new(arcs);
        for node in 0..search.lowest.len() as u32 {
            search.run(node);
        }
        search.found
    }

    /// The components from which one of a set can be reached, itself included.
    pub(super) fn leading_to(&self, mut set: Vec<bool>, arcs: &Lists<u32>) -> Vec<bool> {
        for &node in &self.nodes {
            let leads_there = arcs.get(node).iter().any(|&next| set[self.of[next as usize] as usize]);
            set[self.of[node as usize] as usize] |= leads_there;
        }
        set
    }

    /// The components that can be reached from one of a set, itself included.
    pub(super) fn reached_from(&self, mut set: Vec<bool>, arcs: &Lists<u32>) -> Vec<bool> {
        for &node in self.nodes.iter().rev() {
            if set[self.of[node as usize] as usize] {
                arcs.get(node).iter().for_each(|&next| set[self.of[next as usize] as usize] = true);
            }
        }
        set
    }
}

/// A node that has not been visited.
const UNSEEN: u32 = u32::MAX;
/// A node whose component is complete.
const COMPLETE: u32 = u32::MAX - 1;

/// Tarjan's algorithm (1972), without recursion.
struct Search<'a> {
    arcs: &'a Lists<u32>,
    visited: u32,
    /// The first visited node of an incomplete component that each node is known to lead to, as the number of its visit.
    lowest: Vec<u32>,
    /// The nodes from the first one to that being visited, with the numbers of their visits and the arcs left.
    path: Vec<(u32, u32, std::slice::Iter<'a, u32>)>,
    /// Visited nodes whose components are not complete.
    incomplete: Vec<u32>,
    found: Components,
}

impl<'a> Search<'a> {
    fn new(arcs: &'a Lists<u32>) -> Self {
        let count = arcs.offsets.len() - 1;
        Search {
            arcs,
            visited: 0,
            lowest: vec![UNSEEN; count],
            path: Vec::new(),
            incomplete: Vec::new(),
            found: Components { of: vec![0; count], count: 0, nodes: Vec::with_capacity(count) },
        }
    }

    /// Visits a node and all that it leads to.
    fn run(&mut self, start: u32) {
        if self.lowest[start as usize] != UNSEEN {
            return;
        }
        self.visit(start);
        while let Some((node, number, left)) = self.path.last_mut() {
            let (node, number) = (*node, *number);
            let Some(&next) = left.next() else {
                self.path.pop();
                self.leave(node, number);
                continue;
            };
            match self.lowest[next as usize] {
                UNSEEN => self.visit(next),
                COMPLETE => {}
                lowest => self.lower(node, lowest),
            }
        }
    }

    fn visit(&mut self, node: u32) {
        self.lowest[node as usize] = self.visited;
        self.incomplete.push(node);
        self.path.push((node, self.visited, self.arcs.get(node).iter()));
        self.visited += 1;
    }

    fn lower(&mut self, node: u32, lowest: u32) {
        let known = &mut self.lowest[node as usize];
        *known = lowest.min(*known);
    }

    /// Completes a component, unless the node leads to one that was visited before.
    fn leave(&mut self, node: u32, number: u32) {
        let lowest = self.lowest[node as usize];
        if lowest < number {
            if let Some(&(before, ..)) = self.path.last() {
                self.lower(before, lowest);
            }
            return;
        }
        while let Some(member) = self.incomplete.pop() {
            self.lowest[member as usize] = COMPLETE;
            self.found.of[member as usize] = self.found.count as u32;
            self.found.nodes.push(member);
            if member == node {
                break;
            }
        }
        self.found.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NODES: usize = 10;

    proptest! {
        #[test]
        fn components_and_what_they_lead_to_are_those_of_the_definition(
            arcs in proptest::collection::vec((0..NODES as u32, 0..NODES as u32), 0..25),
            chosen in 0..NODES,
        ) {
            let lists = Lists::of(NODES, arcs.iter().copied());
            let components = Components::of(&lists);
            let mut leads = [[false; NODES]; NODES];
            (0..NODES).for_each(|node| leads[node][node] = true);
            arcs.iter().for_each(|&(from, to)| leads[from as usize][to as usize] = true);
            for (k, i, j) in (0..NODES.pow(3)).map(|n| (n / 100, n / 10 % 10, n % 10)) {
                leads[i][j] |= leads[i][k] && leads[k][j];
            }
            let set = || (0..components.count).map(|c| c == components.of[chosen] as usize).collect();
            let (leading, reached) = (components.leading_to(set(), &lists), components.reached_from(set(), &lists));
            for (node, leads_to) in leads.iter().enumerate() {
                let of = components.of[node];
                prop_assert_eq!(of == components.of[chosen], leads_to[chosen] && leads[chosen][node]);
                prop_assert_eq!(leading[of as usize], leads_to[chosen]);
                prop_assert_eq!(reached[of as usize], leads[chosen][node]);
            }
        }
    }
}
