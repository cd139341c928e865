//! The quickest drives from a place to everywhere, by Dijkstra's algorithm on the graph of turns: for a few places, and to
//! check the others.

use trestle_model::ids::VertexIdx;

use super::super::keys::{Key, Keys};
use super::super::queue::Queue;
use super::super::{INTERRUPT_EVERY, Interrupted};
use super::turn_graph::TurnGraph;
use crate::cost::StreetCosts;
use crate::graph::StreetGraph;

/// Memory for such searches.
#[derive(Default, Debug)]
pub(super) struct TurnSearch {
    /// Seconds by node.
    seconds: Keys<u32>,
    queue: Queue,
}

impl TurnSearch {
    /// Searches from some nodes, each with its seconds, within `max_seconds`. Returns how many nodes it reached.
    pub(super) fn search(
        &mut self,
        turns: &TurnGraph,
        streets: (&StreetGraph, &StreetCosts),
        starts: impl Iterator<Item = (u32, u32)>,
        max_seconds: u32,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<u32, Interrupted> {
        self.seconds.begin(turns.count());
        self.queue.clear();
        starts.for_each(|(node, seconds)| self.offer(node, seconds, max_seconds));
        let has_timed = !turns.timed().is_empty();
        let mut settled = 0u32;
        while let Some(node) = self.next(turns) {
            settled += 1;
            if settled.is_multiple_of(INTERRUPT_EVERY) && interrupted() {
                return Err(Interrupted);
            }
            let seconds = self.seconds.get(node);
            for turn in turns.turns_from(node) {
                self.offer(turn.node, seconds + turn.seconds, max_seconds);
            }
            if has_timed {
                for turn in turns.timed_from(streets, node, seconds) {
                    self.offer(turn.node, seconds + turn.seconds, max_seconds);
                }
            }
        }
        Ok(settled)
    }

    /// Takes the first node of the queue, and fetches what the nodes after it will read.
    fn next(&mut self, turns: &TurnGraph) -> Option<u32> {
        let TurnSearch { seconds, queue } = self;
        queue.pop(|soon| {
            soon.clone().for_each(|node| turns.fetch(node));
            soon.flat_map(|node| turns.turns_from(node)).for_each(|turn| seconds.fetch(turn.node));
        })
    }

    #[inline(always)]
    fn offer(&mut self, node: u32, seconds: u32, max_seconds: u32) {
        if seconds <= max_seconds && seconds < self.seconds.get(node) {
            self.seconds.set(node, seconds);
            self.queue.push(f64::from(seconds), node);
        }
    }

    /// Seconds to a vertex over any of its edges; `None` where it was not reached.
    pub(super) fn seconds(&self, turns: &TurnGraph, graph: &StreetGraph, vertex: VertexIdx) -> Option<u32> {
        let reached = turns.reaching(graph, vertex).map(|node| self.seconds.get(node));
        reached.min().filter(|&seconds| seconds != u32::NEVER)
    }
}
