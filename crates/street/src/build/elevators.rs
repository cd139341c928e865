//! Elevators: nodes that join streets on several levels.

use super::streets::Streets;
use crate::graph::{EdgeKind, edge_flags, vertex_flags};
use crate::osm::{Permission, Tags, means_no};

impl Streets<'_> {
    /// Makes all elevators: for each level a vertex at the door and one in the cabin, and hops between neighbouring
    /// levels.
    pub(super) fn build_elevators(&mut self) {
        let nothing = Tags::default();
        for (node, mut levels) in std::mem::take(&mut self.elevators) {
            levels.sort_by(|a, b| a.0.number.total_cmp(&b.0.number));
            let tags = self.data.node_tags(node).unwrap_or(&nothing);
            let permission = match means_no(tags.get("bicycle")) {
                true => Permission::WALK,
                false => Permission::WALK_BICYCLE,
            };
            let wheelchair = match means_no(tags.get("wheelchair")) {
                true => 0,
                false => edge_flags::WHEELCHAIR,
            };
            let flags = permission.flags() | wheelchair;
            let osm_id = self.data.node_id(node);
            let mut below = None;
            for (level, street) in &levels {
                let network = &mut self.network;
                let name = network.names.intern(&level.name);
                let position = network.position(*street);
                let door = network.add_vertex(position, osm_id, vertex_flags::ELEVATOR);
                let cabin = network.add_vertex(position, osm_id, vertex_flags::ELEVATOR);
                network.vertices[door as usize].name = name;
                network.vertices[cabin as usize].name = name;
                network.add_connection(*street, door, EdgeKind::Free, flags, 0);
                network.add_connection(door, *street, EdgeKind::Free, flags, 0);
                network.add_connection(door, cabin, EdgeKind::ElevatorBoard, flags, name);
                network.add_connection(cabin, door, EdgeKind::ElevatorAlight, flags, name);
                if let Some(below) = below {
                    network.add_connection(below, cabin, EdgeKind::ElevatorHop, flags, name);
                    network.add_connection(cabin, below, EdgeKind::ElevatorHop, flags, name);
                }
                below = Some(cabin);
            }
        }
    }
}
