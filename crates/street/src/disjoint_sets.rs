//! Union-find over the numbers of vertices or areas.

/// Disjoint sets of the numbers below a count.
pub struct DisjointSets {
    parent: Vec<u32>,
    sizes: Vec<u32>,
}

impl DisjointSets {
    /// Each number in a set of its own.
    pub fn new(count: usize) -> Self {
        DisjointSets { parent: (0..count as u32).collect(), sizes: vec![1; count] }
    }

    /// The smallest number in the set of a number.
    pub fn root(&mut self, vertex: u32) -> u32 {
        let mut vertex = vertex;
        while self.parent[vertex as usize] != vertex {
            let grandparent = self.parent[self.parent[vertex as usize] as usize];
            self.parent[vertex as usize] = grandparent;
            vertex = grandparent;
        }
        vertex
    }

    /// The size of a number's set.
    pub fn size(&mut self, vertex: u32) -> u32 {
        let root = self.root(vertex);
        self.sizes[root as usize]
    }

    /// Merges the sets of two numbers.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            // The smaller index becomes the root, so that reports do not depend on the order of edges.
            let (root, child) = (a.min(b), a.max(b));
            self.parent[child as usize] = root;
            self.sizes[root as usize] += self.sizes[child as usize];
        }
    }
}
