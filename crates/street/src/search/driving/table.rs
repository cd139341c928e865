//! What the rows of a large matrix share: seconds to its destinations in the contracted graph of turns, and the turns
//! that are permitted only at times, which the contraction leaves out.

use super::turn_graph::TurnGraph;
use super::turn_hierarchy::{MOST_ENTRIES, SecondsTo, TurnHierarchy};
use super::{DriveEnd, Interrupted};
use crate::contraction::Climb;
use crate::cost::StreetCosts;
use crate::graph::StreetGraph;

/// Seconds to the destinations of a matrix.
#[derive(Debug)]
pub(super) struct DrivingTable {
    /// What each destination is joined to.
    pub(super) destinations: Vec<[DriveEnd; 2]>,
    /// Drives that take longer are left out.
    pub(super) max_seconds: u32,
    /// To the destinations, and then to the node before each of the timed turns.
    to: SecondsTo,
    /// The same from the node after each of the timed turns.
    after_timed: Vec<Vec<u32>>,
}

impl DrivingTable {
    /// The table for these destinations; `None` if it takes too much memory.
    pub(super) fn new(
        hierarchy: &TurnHierarchy,
        (graph, turns): (&StreetGraph, &TurnGraph),
        destinations: &[[DriveEnd; 2]],
        max_seconds: u32,
        climb: &mut Climb,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Option<DrivingTable>, Interrupted> {
        let timed = turns.timed().len();
        if timed * (destinations.len() + timed) > MOST_ENTRIES {
            return Ok(None);
        }
        let joined = |ends: &[DriveEnd; 2]| {
            let nodes = |(vertex, walk)| turns.reaching(graph, vertex).map(move |node| (node, walk));
            ends.iter().flatten().copied().flat_map(nodes).collect::<Vec<_>>()
        };
        let before_timed = turns.timed().iter().map(|timed| vec![(timed.from, 0)]);
        let targets = destinations.iter().map(joined).chain(before_timed).map(Vec::into_iter);
        let Some(to) = SecondsTo::new(hierarchy, targets, max_seconds, climb, interrupted)? else {
            return Ok(None);
        };
        let mut after_timed = Vec::with_capacity(timed);
        for timed in turns.timed() {
            if interrupted() {
                return Err(Interrupted);
            }
            after_timed.push(to.from(hierarchy, std::iter::once((timed.turn.node, 0)), climb));
        }
        Ok(Some(DrivingTable { destinations: destinations.to_vec(), max_seconds, to, after_timed }))
    }

    /// Seconds from the best of some nodes, each with its seconds, to all destinations.
    pub(super) fn from(
        &self,
        hierarchy: &TurnHierarchy,
        turns: &TurnGraph,
        streets: (&StreetGraph, &StreetCosts),
        starts: impl Iterator<Item = (u32, u32)>,
        climb: &mut Climb,
    ) -> Vec<u32> {
        let count = self.destinations.len();
        let mut row = self.to.from(hierarchy, starts, climb);
        let mut left: Vec<usize> = (0..turns.timed().len()).collect();
        // Dijkstra's algorithm on the timed turns: the next one is that which is reached first.
        while let Some(at) = (0..left.len()).min_by_key(|&at| row[count + left[at]]) {
            let number = left.swap_remove(at);
            let (reached, timed) = (row[count + number], &turns.timed()[number]);
            if reached > self.max_seconds {
                break;
            }
            if turns.may_turn(streets, timed, reached) {
                let after = reached + timed.turn.seconds;
                for (known, rest) in row.iter_mut().zip(&self.after_timed[number]) {
                    *known = (*known).min(after + rest);
                }
            }
        }
        row.truncate(count);
        row
    }
}
