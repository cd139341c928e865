//! Which vertices belong together.

/// Disjoint sets of the numbers below a count.
pub struct DisjointSets {
    parent: Vec<u32>,
    sizes: Vec<u32>,
}

impl DisjointSets {
    /// Every number is a set of its own.
    pub fn new(count: usize) -> Self {
        DisjointSets { parent: (0..count as u32).collect(), sizes: vec![1; count] }
    }

    /// The number that stands for the set of another.
    pub fn root(&mut self, vertex: u32) -> u32 {
        let mut vertex = vertex;
        while self.parent[vertex as usize] != vertex {
            let grandparent = self.parent[self.parent[vertex as usize] as usize];
            self.parent[vertex as usize] = grandparent;
            vertex = grandparent;
        }
        vertex
    }

    /// How many numbers the set of one has.
    pub fn size(&mut self, vertex: u32) -> u32 {
        let root = self.root(vertex);
        self.sizes[root as usize]
    }

    /// Makes one set of two.
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
