//! The graph of turns after contraction, and what it takes from all nodes to some targets.

use trestle_model::Direction;
use trestle_model::geo::LatLon;
use trestle_model::lists::Lists;

use super::turn_graph::TurnGraph;
use super::{Interrupted, UNREACHED};
use crate::contraction::{Climb, Contraction, Customization, Metric, NoMetric, Uncontracted};
use crate::graph::StreetGraph;

/// Graphs with more nodes than this are not contracted: it takes about a hundred bytes for each of them.
const MOST_NODES: usize = 6_000_000;
/// Contractions have about eight arcs for each node, but those of graphs without small cuts would have very many.
const MOST_ARCS: usize = 1 << 27;
/// Turns between two checks of the deadline.
const INTERRUPT_EVERY: usize = 1 << 16;
/// Largest number of entries of a table, of eight bytes each.
pub(super) const MOST_ENTRIES: usize = 1 << 24;

/// The contraction of all turns that are always permitted, with the seconds of its arcs.
#[derive(Debug)]
pub(super) struct TurnHierarchy {
    contraction: Contraction,
    metric: Metric,
}

impl TurnHierarchy {
    /// Contracts the graph of turns.
    pub(super) fn new(
        graph: &StreetGraph,
        turns: &TurnGraph,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<TurnHierarchy, NoMetric> {
        if turns.count() > MOST_NODES {
            return Err(NoMetric::Unfit);
        }
        let ends: Vec<LatLon> =
            (0..turns.count() as u32).map(|node| graph.position(turns.end(graph, node))).collect();
        let pairs = turns.steps().map(|(node, turn)| (node, turn.node));
        let contraction = Uncontracted::new(&ends, pairs).contract_unless(MOST_ARCS, interrupted)?;
        let mut customization = Customization::new(&contraction, 1.0);
        for (number, (node, turn)) in turns.steps().enumerate() {
            if number.is_multiple_of(INTERRUPT_EVERY) && interrupted() {
                return Err(NoMetric::Interrupted);
            }
            customization.step(node, turn.node, f64::from(turn.seconds))?;
        }
        let metric = customization.finish(interrupted)?;
        Ok(TurnHierarchy { contraction, metric })
    }

    fn arcs(&self) -> (&Contraction, &Metric) {
        (&self.contraction, &self.metric)
    }
}

/// Seconds to some targets from the nodes above these in the elimination tree: "buckets" (Knopp and others, 2007).
#[derive(Debug)]
pub(super) struct SecondsTo {
    targets: usize,
    /// Longer drives are left out.
    max_seconds: u32,
    /// Target and seconds, by rank.
    by_rank: Lists<(u32, u32)>,
}

impl SecondsTo {
    /// Seconds to targets, each of which is at some nodes and the seconds from there. `None` if that takes too much memory.
    pub(super) fn new<T: Iterator<Item = (u32, u32)>>(
        hierarchy: &TurnHierarchy,
        targets: impl Iterator<Item = T>,
        max_seconds: u32,
        climb: &mut Climb,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Option<SecondsTo>, Interrupted> {
        let (mut entries, mut count) = (Vec::new(), 0);
        for (target, nodes) in (0..).zip(targets) {
            if interrupted() {
                return Err(Interrupted);
            }
            let above = climb.from(hierarchy.arcs(), nodes, Direction::Backward, max_seconds);
            entries.extend(above.map(|(rank, seconds)| (rank, (target, seconds))));
            if entries.len() > MOST_ENTRIES {
                return Ok(None);
            }
            count += 1;
        }
        let by_rank = Lists::of(hierarchy.contraction.count(), entries.iter().copied());
        Ok(Some(SecondsTo { targets: count, max_seconds, by_rank }))
    }

    /// Seconds from the best of some nodes, each with its seconds, to all targets; or [`UNREACHED`].
    pub(super) fn from(
        &self,
        hierarchy: &TurnHierarchy,
        starts: impl Iterator<Item = (u32, u32)>,
        climb: &mut Climb,
    ) -> Vec<u32> {
        let mut row = vec![UNREACHED; self.targets];
        for (rank, seconds) in climb.from(hierarchy.arcs(), starts, Direction::Forward, self.max_seconds) {
            for &(target, rest) in self.by_rank.get(rank) {
                let known = &mut row[target as usize];
                *known = (*known).min(seconds + rest);
            }
        }
        row
    }
}
