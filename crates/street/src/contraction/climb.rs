//! Least costs from some vertices to all their ancestors in the elimination tree, or back from these: half of what the
//! literature calls an elimination tree query. Every cheapest path goes up and then down, so two halves give the cost
//! from place to place.

use std::cell::Cell;

use trestle_model::Direction;

use super::Contraction;
use super::customization::sum;
use super::metric::{Metric, NO_PATH};

/// The cost of a rank that is not above any of the starts.
pub(super) const OUTSIDE: u32 = u32::MAX;

/// Memory for climbs, reused from one to the next.
#[derive(Default, Debug)]
pub(crate) struct Climb {
    /// The cost of each rank.
    costs: Vec<Cell<u32>>,
    /// The ranks above the starts, rising.
    ranks: Vec<u32>,
}

impl Climb {
    /// The costs from vertices with these costs to the ranks above them (backward: from those ranks to the vertices).
    /// Costs above `most` are left out.
    pub(crate) fn from(
        &mut self,
        arcs: (&Contraction, &Metric),
        starts: impl Iterator<Item = (u32, u32)>,
        direction: Direction,
        most: u32,
    ) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.climb(arcs, starts, direction, most);
        self.ranks().iter().map(|&rank| (rank, self.cost(rank))).filter(move |&(_, cost)| cost <= most)
    }

    /// Computes the same. Ranks above the starts without a path have the cost [`NO_PATH`].
    pub(super) fn climb(
        &mut self,
        (contraction, metric): (&Contraction, &Metric),
        starts: impl Iterator<Item = (u32, u32)>,
        direction: Direction,
        most: u32,
    ) {
        self.begin(contraction, starts);
        for &rank in self.ranks() {
            let cost = self.cost(rank);
            if cost > most {
                continue;
            }
            let improve = |higher: u32, arc: u32| self.set(higher, self.cost(higher).min(sum(cost, arc)));
            match direction {
                Direction::Forward => metric.up(contraction, rank, improve),
                Direction::Backward => metric.down(contraction, rank, improve),
            }
        }
    }

    fn begin(&mut self, contraction: &Contraction, starts: impl Iterator<Item = (u32, u32)>) {
        self.ranks.drain(..).for_each(|rank| self.costs[rank as usize].set(OUTSIDE));
        // Graphs may differ in size from one search to the next.
        self.costs.resize(contraction.count(), Cell::new(OUTSIDE));
        for (vertex, cost) in starts {
            let start = contraction.rank[vertex as usize];
            let mut next = Some(start);
            while let Some(rank) = next.filter(|&rank| self.cost(rank) == OUTSIDE) {
                self.set(rank, NO_PATH);
                self.ranks.push(rank);
                next = contraction.parent(rank);
            }
            self.set(start, self.cost(start).min(cost));
        }
        self.ranks.sort_unstable();
    }

    /// The ranks above the starts, rising.
    pub(super) fn ranks(&self) -> &[u32] {
        &self.ranks
    }

    #[inline(always)]
    pub(super) fn cost(&self, rank: u32) -> u32 {
        self.costs[rank as usize].get()
    }

    #[inline(always)]
    pub(super) fn set(&self, rank: u32, cost: u32) {
        self.costs[rank as usize].set(cost);
    }
}
