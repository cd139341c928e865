//! Small parts of the street network that cannot be left on foot lose walking and cycling.

use trestle_model::IssueSink;

use super::network::{EdgeState, Network};
use crate::disjoint_sets::DisjointSets;
use crate::graph::{EdgeKind, edge_flags};
use crate::osm::Permission;

/// Removes walking and cycling from all edges that leave a vertex of a walk-connected island with fewer than
/// `max_vertices` vertices; edges left without permission are removed.
pub(super) fn prune(network: &mut Network, max_vertices: u32, issues: &mut IssueSink) {
    let mut groups = DisjointSets::new(network.vertices.len());
    // A vertex without walkable edges belongs to no island.
    let mut is_walked = vec![false; network.vertices.len()];
    for (_, build) in network.live_edges() {
        if is_walkable(network, &build.edge) {
            groups.join(build.edge.from, build.edge.to);
            is_walked[build.edge.from as usize] = true;
            is_walked[build.edge.to as usize] = true;
        }
    }
    let mut edges = std::mem::take(&mut network.edges);
    let mut islands = std::collections::BTreeSet::new();
    for build in &mut edges {
        let edge = &mut build.edge;
        let is_small = is_walked[edge.from as usize] && groups.size(edge.from) < max_vertices;
        if build.state != EdgeState::Live || edge.kind() != EdgeKind::Street || !is_small {
            continue;
        }
        islands.insert(groups.root(edge.from));
        edge.flags &= !Permission::WALK_BICYCLE.flags();
        if edge.flags & edge_flags::PERMISSIONS == 0 {
            build.state = EdgeState::Removed;
        }
    }
    network.edges = edges;
    for island in islands {
        let vertex = &network.vertices[island as usize];
        let message = format!(
            "island of {} vertices around {:.6},{:.6} (node {}): no walking or cycling",
            groups.size(island),
            vertex.position.lat,
            vertex.position.lon,
            vertex.osm_id
        );
        issues.add("street-island", network.file_of(island), 0, message);
    }
}

/// Whether a walker can use an edge; connections between streets and elevators can always be used.
fn is_walkable(network: &Network, edge: &crate::graph::Edge) -> bool {
    match edge.kind() {
        EdgeKind::Street => network.permission(edge).allows_any(Permission::WALK),
        kind => kind.belongs_to_elevator(),
    }
}
