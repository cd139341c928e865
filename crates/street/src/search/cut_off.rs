//! A quick check that spares searches that cannot succeed: whether a destination is on a small island, or on a few
//! streets that can only be reached over others that are closed to through traffic.

use rustc_hash::FxHashSet;
use trestle_model::Direction;

use super::places::Ends;
use crate::arc::{Arc, arc_bits};
use crate::cost::StreetMode;
use crate::graph::{StreetGraph, edge_flags, vertex_flags};

/// Largest number of [`Visit`]s of the check; larger islands are not recognized.
const LARGEST_ISLAND: usize = 256;

/// Memory of the check.
#[derive(Default, Debug)]
pub(super) struct Island {
    seen: FxHashSet<Visit>,
    open: Vec<Visit>,
}

/// A vertex from which the end can be reached. The check may visit a vertex twice, with different flags.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Visit {
    vertex: u32,
    /// Whether the path from here leaves streets that are closed to through traffic. Such a path must start in them, see
    /// `through_flags` in [`super::step`].
    has_come_out: bool,
}

impl Island {
    /// Whether only a few vertices lead to the end and none of them is a start. Follows every edge that the street mode
    /// might use backwards from the end. The only rule of searches that it applies is the one against through traffic.
    pub(super) fn cuts_off(
        &mut self,
        graph: &StreetGraph,
        street_mode: StreetMode,
        ends: &Ends,
        direction: Direction,
    ) -> bool {
        let usable = permissions(street_mode) as u16 | arc_bits::SPECIAL;
        self.seen.clear();
        self.open.clear();
        self.open
            .extend(ends.arriving.iter().map(|joint| Visit { vertex: joint.vertex, has_come_out: false }));
        self.seen.extend(self.open.iter().copied());
        while let Some(visit) = self.open.pop() {
            let vertex = visit.vertex;
            if self.seen.len() > LARGEST_ISLAND || ends.leaving.iter().any(|j| j.vertex == vertex) {
                return false;
            }
            for arc in graph.arcs_at(vertex, direction.opposite()).iter().filter(|arc| arc.has(usable)) {
                if let Some(before) = visit.before(graph, arc)
                    && self.seen.insert(before)
                {
                    self.open.push(before);
                }
            }
        }
        true
    }
}

impl Visit {
    /// The visit at the start of an arc that leads here; `None` where the rule against through traffic forbids it. Before an
    /// edge that is not a street, the rule starts again.
    fn before(self, graph: &StreetGraph, arc: &Arc) -> Option<Visit> {
        let is_through = graph.vertex_flags[self.vertex as usize] & vertex_flags::THROUGH != 0;
        let has_come_out = match (arc.is_street(), arc.has(arc_bits::NO_THROUGH)) {
            (false, _) => false,
            (true, true) => self.has_come_out || is_through,
            (true, false) if self.has_come_out => return None,
            (true, false) => false,
        };
        Some(Visit { vertex: arc.end, has_come_out })
    }
}

/// Permissions of which a street needs at least one to be used by a street mode.
fn permissions(street_mode: StreetMode) -> u32 {
    use edge_flags::{BICYCLE, CAR, WALK};
    match street_mode {
        StreetMode::Walk => WALK,
        StreetMode::Car => CAR,
        StreetMode::Bicycle | StreetMode::RentedBicycle | StreetMode::ParkBicycle => WALK | BICYCLE,
        StreetMode::ParkCar | StreetMode::KissAndRide => WALK | CAR,
    }
}
