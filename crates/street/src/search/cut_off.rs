//! A quick check whether a destination is on a small island, so that a search that cannot succeed is not started.

use rustc_hash::FxHashSet;

use super::arc::arc_bits;
use super::places::Ends;
use crate::cost::Journey;
use crate::graph::{StreetGraph, edge_flags};

/// Number of vertices that are checked; larger islands are not recognized.
const LARGEST_ISLAND: usize = 256;

/// Memory of the check.
#[derive(Default, Debug)]
pub(super) struct Island {
    seen: FxHashSet<u32>,
    open: Vec<u32>,
}

impl Island {
    /// Whether only a few vertices lead to the end and none of them is a start. Goes back from the end over every edge
    /// that the journey might use, and ignores turns and other rules.
    pub(super) fn cuts_off(
        &mut self,
        graph: &StreetGraph,
        journey: Journey,
        ends: &Ends,
        backward: bool,
    ) -> bool {
        let permissions = permissions(journey) as u16;
        let (arcs, first) = graph.arcs_of(!backward);
        self.seen.clear();
        self.open.clear();
        self.open.extend(ends.arriving.iter().map(|j| j.vertex));
        self.seen.extend(self.open.iter().copied());
        while let Some(vertex) = self.open.pop() {
            if self.seen.len() > LARGEST_ISLAND || ends.leaving.iter().any(|j| j.vertex == vertex) {
                return false;
            }
            let range = first[vertex as usize] as usize..first[vertex as usize + 1] as usize;
            for arc in &arcs[range] {
                if (arc.has(permissions) || arc.has(arc_bits::SPECIAL)) && self.seen.insert(arc.end) {
                    self.open.push(arc.end);
                }
            }
        }
        true
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
