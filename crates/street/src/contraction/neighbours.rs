//! Undirected graphs without loops and multiple edges, for computing the order of contraction.

use trestle_model::lists::Lists;

/// Neighbours of each of the vertices 0, 1, …, every list in rising order.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbours {
    /// Where each list begins in `to`; one more entry than vertices.
    first: Vec<u32>,
    to: Vec<u32>,
}

impl Neighbours {
    /// The graph of pairs of vertices below `count`. Pairs may come in any order, either way round and repeatedly.
    pub(super) fn of_pairs(count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Neighbours {
        let both = pairs.filter(|(a, b)| a != b).flat_map(|(a, b)| [(a, b), (b, a)]);
        let Lists { offsets: first, items: to } = Lists::of(count, both);
        let mut neighbours = Neighbours { first, to };
        neighbours.sort_and_thin_out();
        neighbours
    }

    fn sort_and_thin_out(&mut self) {
        let mut kept = 0;
        for v in 0..self.count() {
            let range = self.first[v] as usize..self.first[v + 1] as usize;
            self.to[range.clone()].sort_unstable();
            let first = kept;
            for i in range {
                if kept == first || self.to[kept - 1] != self.to[i] {
                    self.to[kept] = self.to[i];
                    kept += 1;
                }
            }
            self.first[v] = first as u32;
        }
        let last = self.count();
        self.first[last] = kept as u32;
        self.to.truncate(kept);
    }

    /// Number of vertices.
    pub(super) fn count(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// Number of pairs of neighbours, each counted in both directions.
    pub(super) fn arc_count(&self) -> usize {
        self.to.len()
    }

    /// The arcs that leave a vertex.
    #[inline(always)]
    pub(super) fn arcs(&self, vertex: u32) -> std::ops::Range<usize> {
        self.first[vertex as usize] as usize..self.first[vertex as usize + 1] as usize
    }

    /// The vertex to which an arc leads.
    #[inline(always)]
    pub(super) fn head(&self, arc: usize) -> u32 {
        self.to[arc]
    }

    /// The neighbours of a vertex.
    #[inline(always)]
    pub(super) fn of(&self, vertex: u32) -> &[u32] {
        &self.to[self.arcs(vertex)]
    }

    /// The subgraph of some vertices, given in ascending order, which are renumbered in this order. `numbers` is memory for a
    /// number per vertex.
    pub(super) fn between(&self, vertices: &[u32], numbers: &mut [u32]) -> Neighbours {
        for (number, &vertex) in vertices.iter().enumerate() {
            numbers[vertex as usize] = number as u32;
        }
        let mut part = Neighbours { first: vec![0], to: Vec::new() };
        for &vertex in vertices {
            for &other in self.of(vertex) {
                let number = numbers[other as usize];
                if vertices.get(number as usize) == Some(&other) {
                    part.to.push(number);
                }
            }
            part.first.push(part.to.len() as u32);
        }
        part
    }

    /// For each arc, the arc in the other direction.
    pub(super) fn twins(&self) -> Vec<u32> {
        let mut next = self.first.clone();
        let mut twins = vec![0; self.to.len()];
        // The arcs that lead to a vertex come in the order of the vertices they leave, and so do that vertex's own arcs.
        for (arc, &head) in self.to.iter().enumerate() {
            twins[arc] = next[head as usize];
            next[head as usize] += 1;
        }
        twins
    }
}
