//! A quick check whether a destination is on a small island, or among a few streets behind others that are closed to
//! through traffic, so that a search that cannot succeed is not started.

use rustc_hash::FxHashSet;

use super::arc::{Arc, arc_bits};
use super::places::Ends;
use crate::cost::Journey;
use crate::graph::{StreetGraph, edge_flags, vertex_flags};

/// Number of vertices that are checked, one that is reached in both ways of [`Reached`] counted twice; larger islands are
/// not recognized.
const LARGEST_ISLAND: usize = 256;

/// Memory of the check.
#[derive(Default, Debug)]
pub(super) struct Island {
    seen: FxHashSet<Reached>,
    open: Vec<Reached>,
}

/// A vertex from which the end can be reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Reached {
    vertex: u32,
    /// Whether the way from here has come out of streets that are closed to through traffic. Such a way must have started
    /// in them, see [`super::step::through_flags`].
    has_come_out: bool,
}

impl Island {
    /// Whether only a few vertices lead to the end and none of them is a start. Goes back from the end over every edge
    /// that the journey might use; of the rules of searches, only the one against through traffic counts.
    pub(super) fn cuts_off(
        &mut self,
        graph: &StreetGraph,
        journey: Journey,
        ends: &Ends,
        backward: bool,
    ) -> bool {
        let usable = permissions(journey) as u16 | arc_bits::SPECIAL;
        let (arcs, first) = graph.arcs_of(!backward);
        self.seen.clear();
        self.open.clear();
        self.open
            .extend(ends.arriving.iter().map(|joint| Reached { vertex: joint.vertex, has_come_out: false }));
        self.seen.extend(self.open.iter().copied());
        while let Some(reached) = self.open.pop() {
            let vertex = reached.vertex;
            if self.seen.len() > LARGEST_ISLAND || ends.leaving.iter().any(|j| j.vertex == vertex) {
                return false;
            }
            let range = first[vertex as usize] as usize..first[vertex as usize + 1] as usize;
            for arc in arcs[range].iter().filter(|arc| arc.has(usable)) {
                if let Some(before) = reached.before(graph, arc)
                    && self.seen.insert(before)
                {
                    self.open.push(before);
                }
            }
        }
        true
    }
}

impl Reached {
    /// What is reached before an arc that leads here; `None` where the rule against through traffic forbids it. Over an
    /// edge that is not a street, nothing is known of the streets before.
    fn before(self, graph: &StreetGraph, arc: &Arc) -> Option<Reached> {
        let is_through = graph.vertex_flags[self.vertex as usize] & vertex_flags::THROUGH != 0;
        let has_come_out = match (arc.is_street(), arc.has(arc_bits::NO_THROUGH)) {
            (false, _) => false,
            (true, true) => self.has_come_out || is_through,
            (true, false) if self.has_come_out => return None,
            (true, false) => false,
        };
        Some(Reached { vertex: arc.end, has_come_out })
    }
}

/// Permissions of which a street needs at least one to be used by a journey.
fn permissions(journey: Journey) -> u32 {
    use edge_flags::{BICYCLE, CAR, WALK};
    match journey {
        Journey::Walk => WALK,
        Journey::Car => CAR,
        Journey::Bicycle | Journey::RentedBicycle | Journey::ParkBicycle => WALK | BICYCLE,
        Journey::ParkCar | Journey::KissAndRide => WALK | CAR,
    }
}
