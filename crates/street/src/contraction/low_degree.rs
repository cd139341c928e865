//! Vertices with at most two neighbours come first: contracting them makes the graph smaller and adds no arcs.

use super::neighbours::Neighbours;

/// Contracts vertices as long as any has at most two neighbours left. Returns them in this order, and the pairs of
/// neighbours among the remaining vertices.
pub(super) fn contract(graph: &Neighbours) -> (Vec<u32>, Vec<(u32, u32)>) {
    let mut rest = Rest::new(graph);
    let mut order = Vec::new();
    let mut open: Vec<u32> = (0..graph.count() as u32).filter(|&v| rest.degree[v as usize] <= 2).collect();
    let mut round = 0;
    while !open.is_empty() {
        round += 1;
        let mut later = Vec::new();
        for vertex in open {
            if rest.is_gone(vertex) {
                continue;
            }
            // Neighbours of contracted vertices stay for this round, so that a chain becomes a low tree instead of a long path.
            if rest.round[vertex as usize] == round {
                later.push(vertex);
                continue;
            }
            order.push(vertex);
            rest.contract(vertex, round, &mut later);
        }
        open = later;
    }
    (order, rest.pairs())
}

/// The remaining graph.
struct Rest {
    first: Vec<u32>,
    to: Vec<u32>,
    /// Neighbours left; `GONE` for those that were contracted.
    degree: Vec<u32>,
    /// The last round in which a neighbour was contracted.
    round: Vec<u32>,
}

const GONE: u32 = u32::MAX;

impl Rest {
    fn new(graph: &Neighbours) -> Rest {
        let vertices = 0..graph.count() as u32;
        let mut first = Vec::with_capacity(graph.count());
        let mut to = Vec::with_capacity(graph.arc_count());
        for vertex in vertices.clone() {
            first.push(to.len() as u32);
            to.extend_from_slice(graph.of(vertex));
        }
        let degree = vertices.map(|v| graph.of(v).len() as u32).collect();
        Rest { first, to, degree, round: vec![0; graph.count()] }
    }

    fn is_gone(&self, vertex: u32) -> bool {
        self.degree[vertex as usize] == GONE
    }

    fn of(&mut self, vertex: u32) -> &mut [u32] {
        let first = self.first[vertex as usize] as usize;
        &mut self.to[first..first + self.degree[vertex as usize] as usize]
    }

    fn contract(&mut self, vertex: u32, round: u32, later: &mut Vec<u32>) {
        let ends = match *self.of(vertex) {
            [] => [None, None],
            [a] => [Some(a), None],
            [a, b, ..] => [Some(a), Some(b)],
        };
        for (end, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            let Some(end) = end else { continue };
            self.replace(end, vertex, other);
            self.round[end as usize] = round;
            if self.degree[end as usize] <= 2 {
                later.push(end);
            }
        }
        self.degree[vertex as usize] = GONE;
    }

    /// Replaces a neighbour by another one, or removes it if the other already is one.
    fn replace(&mut self, vertex: u32, old: u32, new: Option<u32>) {
        let list = self.of(vertex);
        let Some(at) = list.iter().position(|&v| v == old) else { return };
        match new.filter(|new| !list.contains(new)) {
            Some(new) => list[at] = new,
            None => {
                list.swap(at, list.len() - 1);
                self.degree[vertex as usize] -= 1;
            }
        }
    }

    fn pairs(mut self) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for vertex in 0..self.degree.len() as u32 {
            if !self.is_gone(vertex) {
                pairs.extend(self.of(vertex).iter().filter(|&&v| v > vertex).map(|&v| (vertex, v)));
            }
        }
        pairs
    }
}
