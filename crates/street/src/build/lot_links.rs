//! Links park-and-ride lots without a street into or out of them to the nearest streets, like the places of a request:
//! the way in is a piece of street that ends at the lot, the way out one that begins there. The street itself stays whole,
//! so that passing traffic is not affected.

use rustc_hash::{FxHashMap, FxHashSet};

use super::geometry;
use super::stop_links::{Linker, shared_length};
use crate::graph::{Edge, EdgeKind, edge_flags, vertex_flags};
use crate::osm::Permission;

/// Which piece of a street a lot is joined to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// The one before the lot, on which cars arrive.
    Inbound,
    /// The one after the lot, on which people leave on foot.
    Outbound,
}

/// How a lot can be used through the streets that share a node with it.
#[derive(Clone, Copy, Default)]
pub(super) struct Gates {
    can_drive_in: bool,
    can_walk_out: bool,
}

impl Linker<'_> {
    pub(super) fn gates(&self, lots: FxHashSet<u32>) -> FxHashMap<u32, Gates> {
        let edges = || self.network.edges.iter().map(|build| &build.edge);
        let mut lots_at: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for link in edges().filter(|edge| edge.kind() == EdgeKind::ParkAndRideLink && lots.contains(&edge.to))
        {
            lots_at.entry(link.from).or_default().push(link.to);
        }
        let mut gates: FxHashMap<u32, Gates> = FxHashMap::default();
        let is_open = |edge: &Edge, mode: Permission, cut_off: u32| {
            self.network.permission(edge).allows_any(mode) && !edge.has(cut_off)
        };
        for edge in edges().filter(|edge| edge.kind() == EdgeKind::Street) {
            for lot in lots_at.get(&edge.to).into_iter().flatten() {
                let cut_off = edge_flags::no_way_in(edge_flags::CAR);
                gates.entry(*lot).or_default().can_drive_in |= is_open(edge, Permission::CAR, cut_off);
            }
            for lot in lots_at.get(&edge.from).into_iter().flatten() {
                let cut_off = edge_flags::no_way_out(edge_flags::WALK);
                gates.entry(*lot).or_default().can_walk_out |= is_open(edge, Permission::WALK, cut_off);
            }
        }
        gates
    }

    /// Links a lot to the nearest streets for cars, unless one leads into it, and to the nearest for pedestrians, unless
    /// one leads out. False where there are no such streets nearby.
    pub(super) fn link_lot(&mut self, lot: u32, gates: Gates) -> bool {
        (gates.can_drive_in || self.link_lot_to(lot, Permission::CAR, Piece::Inbound))
            && (gates.can_walk_out || self.link_lot_to(lot, Permission::WALK, Piece::Outbound))
    }

    fn link_lot_to(&mut self, lot: u32, mode: Permission, piece: Piece) -> bool {
        let position = self.network.position(lot);
        let nearest = self.nearest(position, mode);
        for &street in &nearest {
            self.join_lot(lot, street, piece);
        }
        !nearest.is_empty()
    }

    fn join_lot(&mut self, lot: u32, street: u32, piece: Piece) {
        let parent = self.network.edges[street as usize].clone();
        let position = self.network.position(lot);
        let mut line = Vec::new();
        self.network.line_into(&parent.edge, &mut line);
        let Some(at) = geometry::project(&line, position, position.lat.to_radians().cos()) else { return };
        let gate = geometry::point_at(&line, &at);
        let (before, after) = geometry::cut(&line, &at, gate);
        let (before_mm, after_mm) = shared_length(&parent, &before, &after);
        let vertex = self.network.add_vertex(gate, 0, vertex_flags::SPLIT);
        let half = match piece {
            Piece::Inbound => self.half(&parent, parent.edge.from, vertex, &before, before_mm),
            Piece::Outbound => self.half(&parent, vertex, parent.edge.to, &after, after_mm),
        };
        self.make_like(half, &parent.edge);
        let (from, to) = if piece == Piece::Inbound { (vertex, lot) } else { (lot, vertex) };
        self.network.add_lot_link(from, to, EdgeKind::ParkAndRideLink, 0);
    }
}
