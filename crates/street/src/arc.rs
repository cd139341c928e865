//! Arcs: what the inner loop needs of an edge in sixteen bytes, so that searches read little memory.

use bytemuck::{Pod, Zeroable};
use trestle_model::Direction;

use crate::edge::{Edge, EdgeKind, SlopeFactors, edge_flags};

/// Bits of [`Arc::bits`]; the permissions are those of [`edge_flags`].
pub(crate) mod arc_bits {
    /// highway=steps.
    pub(crate) const STAIRS: u16 = 1 << 3;
    /// Usable in a wheelchair.
    pub(crate) const WHEELCHAIR: u16 = 1 << 4;
    /// No through traffic.
    pub(crate) const NO_THROUGH: u16 = 1 << 5;
    /// A turn restriction starts here.
    pub(crate) const RESTRICTED: u16 = 1 << 6;
    /// Not a street: elevator, lot, link.
    pub(crate) const SPECIAL: u16 = 1 << 7;
    /// Slopes count and have to be read from the edge.
    pub(crate) const UNEVEN: u16 = 1 << 8;
    /// The only way on from its end is back.
    pub(crate) const DEAD_END: u16 = 1 << 9;
}

/// An edge as seen from the vertex that a search expands.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
pub struct Arc {
    /// The vertex it leads to (backward: comes from).
    pub end: u32,
    /// As in [`Edge`].
    pub length_mm: u32,
    /// As in [`Edge`].
    pub car_speed: f32,
    /// Permissions and the bits of `arc_bits`.
    pub bits: u16,
    /// As in [`Edge`].
    pub first_angle: u8,
    /// As in [`Edge`].
    pub last_angle: u8,
}

impl Arc {
    /// The arc of an edge; seen from the vertex at which a search in this direction uses it.
    #[inline]
    pub(crate) fn of(edge: &Edge, direction: Direction) -> Arc {
        let uneven = edge.max_slope != 0.0 || edge.slope_factors != SlopeFactors::default();
        let mut bits = (edge.flags & edge_flags::PERMISSIONS) as u16;
        for (set, bit) in [
            (edge.has(edge_flags::STAIRS), arc_bits::STAIRS),
            (edge.has(edge_flags::WHEELCHAIR), arc_bits::WHEELCHAIR),
            (edge.has(edge_flags::NO_THROUGH), arc_bits::NO_THROUGH),
            (edge.has(edge_flags::RESTRICTED), arc_bits::RESTRICTED),
            (edge.kind() != EdgeKind::Street, arc_bits::SPECIAL),
            (uneven, arc_bits::UNEVEN),
        ] {
            bits |= if set { bit } else { 0 };
        }
        Arc {
            end: direction.pick(edge.to, edge.from),
            length_mm: edge.length_mm,
            car_speed: edge.car_speed,
            bits,
            first_angle: edge.first_angle,
            last_angle: edge.last_angle,
        }
    }

    #[inline(always)]
    pub(crate) fn length_m(&self) -> f64 {
        f64::from(self.length_mm) / 1000.0
    }

    /// Whether a bit of [`arc_bits`] or a permission is set.
    #[inline(always)]
    pub(crate) fn has(&self, bit: u16) -> bool {
        self.bits & bit != 0
    }

    /// Whether it is a street, and not an elevator, lot or link.
    #[inline(always)]
    pub fn is_street(&self) -> bool {
        !self.has(arc_bits::SPECIAL)
    }

    /// Whether a permission of [`edge_flags`] is given.
    #[inline(always)]
    pub fn permits(&self, permission: u32) -> bool {
        self.has(permission as u16)
    }
}

/// The arcs with [`arc_bits::DEAD_END`] set where it applies. `first` holds the first arc of each vertex.
pub(crate) fn with_dead_ends(arcs: Vec<Arc>, first: &[u32]) -> Vec<Arc> {
    let leads_back_only = |arc: &Arc, vertex: u32| {
        let end = arc.end as usize;
        let after = &arcs[first[end] as usize..first[end + 1] as usize];
        after.iter().all(|next| next.end == vertex && !next.has(arc_bits::SPECIAL))
    };
    let mut dead_ends = vec![false; arcs.len()];
    for (vertex, range) in first.windows(2).enumerate() {
        for i in range[0] as usize..range[1] as usize {
            dead_ends[i] = leads_back_only(&arcs[i], vertex as u32);
        }
    }
    let marked = |(arc, dead_end): (&Arc, bool)| Arc {
        bits: arc.bits | if dead_end { arc_bits::DEAD_END } else { 0 },
        ..*arc
    };
    arcs.iter().zip(dead_ends).map(marked).collect()
}
