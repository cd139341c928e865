//! The quickest drives from a place to everywhere, by Dijkstra's algorithm on the graph of turns: for a few places, and to
//! check the others.

use trestle_model::buckets::{Buckets, chunk_of};
use trestle_model::ids::VertexIdx;

use super::super::keys::{Key, Keys};
use super::super::{INTERRUPT_EVERY, Interrupted};
use super::turn_graph::TurnGraph;
use crate::cost::StreetCosts;
use crate::graph::StreetGraph;

/// Memory for such searches.
#[derive(Default, Debug)]
pub(super) struct TurnSearch {
    /// Seconds by node.
    seconds: Keys<u32>,
    /// Nodes by the second at which they are reached.
    waiting: Buckets<u32, { chunk_of::<u32>() }>,
    /// Those of the current second.
    due: Vec<u32>,
    second: u32,
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
        self.waiting.clear();
        self.due.clear();
        self.second = 0;
        starts.for_each(|(node, seconds)| self.offer(node, seconds, max_seconds));
        let has_timed = !turns.timed().is_empty();
        let mut settled = 0u32;
        while let Some(node) = self.next(turns) {
            settled += 1;
            if settled.is_multiple_of(INTERRUPT_EVERY) && interrupted() {
                return Err(Interrupted);
            }
            let seconds = self.second;
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

    /// Takes the next node, and fetches what all nodes of its second will read. Skips nodes for which a
    /// quicker way was found after they were added.
    fn next(&mut self, turns: &TurnGraph) -> Option<u32> {
        let TurnSearch { seconds, waiting, due, second } = self;
        loop {
            match due.pop() {
                Some(node) if seconds.get(node) == *second => return Some(node),
                Some(_) => continue,
                None => {}
            }
            // Turns that take no time lead to nodes of the same second.
            let next = waiting.next_from(*second as usize)?;
            *second = next as u32;
            waiting.take(next, due);
            due.iter().for_each(|&node| turns.fetch(node));
            due.iter().flat_map(|&node| turns.turns_from(node)).for_each(|turn| seconds.fetch(turn.node));
        }
    }

    #[inline(always)]
    fn offer(&mut self, node: u32, seconds: u32, max_seconds: u32) {
        if seconds <= max_seconds && seconds < self.seconds.get(node) {
            self.seconds.set(node, seconds);
            self.waiting.push(seconds as usize, node);
        }
    }

    /// Seconds to a vertex over any of its edges; `None` where it was not reached.
    pub(super) fn seconds(&self, turns: &TurnGraph, graph: &StreetGraph, vertex: VertexIdx) -> Option<u32> {
        let reached = turns.reaching(graph, vertex).map(|node| self.seconds.get(node));
        reached.min().filter(|&seconds| seconds != u32::NEVER)
    }
}
