//! Parts of the street network that cannot be reached from each other on foot.

use std::sync::OnceLock;

use trestle_engine::snapshot::Snapshot;
use trestle_street::disjoint_sets::DisjointSets;
use trestle_street::graph::{EdgeKind, StreetGraph, edge_flags};

/// Number of vertices of the part that each vertex belongs to.
#[derive(Debug)]
pub(crate) struct Islands {
    sizes: Vec<u32>,
}

impl Islands {
    /// The parts of a graph's streets; the first use finds them.
    pub(crate) fn of(snapshot: &Snapshot) -> &Islands {
        let kept: &OnceLock<Islands> = snapshot.derived.get();
        kept.get_or_init(|| Islands::new(&snapshot.graph.street))
    }

    /// Parts that are connected by walkable streets, in either direction, and by elevators.
    pub(super) fn new(street: &StreetGraph) -> Islands {
        let count = street.vertex_count();
        let mut parts = DisjointSets::new(count);
        let walkable = street.edges().filter(|edge| match edge.kind() {
            EdgeKind::Street => edge.has(edge_flags::WALK),
            kind => kind.belongs_to_elevator(),
        });
        for edge in walkable {
            parts.join(edge.from, edge.to);
        }
        Islands { sizes: (0..count as u32).map(|vertex| parts.size(vertex)).collect() }
    }

    /// Vertices of the part that a vertex belongs to.
    pub(crate) fn size(&self, vertex: u32) -> u32 {
        self.sizes.get(vertex as usize).copied().unwrap_or(1)
    }

    /// Whether a part is most of the network.
    pub(crate) fn is_mainland(&self, size: u32) -> bool {
        u64::from(size) * 2 > self.sizes.len() as u64
    }
}
