//! Potentials: lower bounds of the cost from each vertex to a goal, computed when a search needs them (Strasser and Zeitz,
//! 2021).

use std::cell::{Cell, RefCell};

use super::Contraction;
use super::customization::{capped, sum};
use super::metric::{Metric, NO_PATH};

/// Not computed yet.
const UNKNOWN: u32 = u32::MAX;

/// Memory for potentials, reused from search to search.
#[derive(Default, Debug)]
pub(crate) struct PotentialMemory {
    /// By rank.
    known: Vec<Cell<u32>>,
    /// Ranks that are known.
    touched: RefCell<Vec<u32>>,
    open: RefCell<Vec<u32>>,
}

/// The potentials towards one goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Potential<'a> {
    contraction: &'a Contraction,
    metric: &'a Metric,
    memory: &'a PotentialMemory,
}

impl PotentialMemory {
    fn reset(&mut self, count: usize) {
        for rank in self.touched.get_mut().drain(..) {
            self.known[rank as usize].set(UNKNOWN);
        }
        // Graphs may differ in size from one search to the next.
        self.known.resize(count, Cell::new(UNKNOWN));
    }
}

impl<'a> Potential<'a> {
    /// Potentials towards a goal. `goal` has the vertices from which it is reached, with a lower bound of the cost from
    /// each.
    pub(crate) fn towards(
        contraction: &'a Contraction,
        metric: &'a Metric,
        goal: impl Iterator<Item = (u32, f64)>,
        memory: &'a mut PotentialMemory,
    ) -> Potential<'a> {
        memory.reset(contraction.count());
        let potential = Potential { contraction, metric, memory };
        let mut ranks = potential.memory.touched.borrow_mut();
        for (vertex, cost) in goal {
            let rank = contraction.rank[vertex as usize];
            let mut next = Some(rank);
            while let Some(ancestor) = next.filter(|&rank| potential.known(rank) == UNKNOWN) {
                potential.know(ancestor, NO_PATH);
                ranks.push(ancestor);
                next = contraction.parent(ancestor);
            }
            let cost = metric.whole(cost).unwrap_or(0);
            potential.know(rank, potential.known(rank).min(cost));
        }
        ranks.sort_unstable();
        // First down to the goal, then up and down.
        ranks.iter().for_each(|&rank| potential.fall_to(rank));
        ranks.iter().rev().for_each(|&rank| potential.know(rank, potential.rise_from(rank)));
        drop(ranks);
        potential
    }

    /// The least cost from a vertex to the goal; `None` without a path.
    #[inline]
    pub(crate) fn at(&self, vertex: u32) -> Option<f64> {
        let rank = self.contraction.rank[vertex as usize];
        if self.known(rank) == UNKNOWN {
            self.find(rank);
        }
        let whole = self.known(rank);
        (whole != NO_PATH).then(|| f64::from(whole) / self.metric.scale)
    }

    /// Computes the potential of a rank and of all ranks above it in the elimination tree.
    fn find(&self, rank: u32) {
        let mut open = self.memory.open.borrow_mut();
        let mut next = Some(rank);
        while let Some(ancestor) = next.filter(|&rank| self.known(rank) == UNKNOWN) {
            open.push(ancestor);
            next = self.contraction.parent(ancestor);
        }
        let mut touched = self.memory.touched.borrow_mut();
        while let Some(rank) = open.pop() {
            self.know(rank, NO_PATH);
            self.know(rank, self.rise_from(rank));
            touched.push(rank);
        }
    }

    #[inline(always)]
    fn known(&self, rank: u32) -> u32 {
        self.memory.known[rank as usize].get()
    }

    #[inline(always)]
    fn know(&self, rank: u32, cost: u32) {
        self.memory.known[rank as usize].set(cost);
    }

    /// Lowers the costs of the higher neighbours of a rank to those of paths over it.
    fn fall_to(&self, rank: u32) {
        let cost = self.known(rank);
        if cost == NO_PATH {
            return;
        }
        self.metric.down(self.contraction, rank, |higher, down| {
            self.know(higher, self.known(higher).min(sum(cost, down)));
        });
    }

    /// The least of the cost known at a rank and the costs of paths over its higher neighbours.
    #[inline]
    fn rise_from(&self, rank: u32) -> u32 {
        let mut least = NO_PATH;
        self.metric.up(self.contraction, rank, |higher, up| least = least.min(self.known(higher) + up));
        capped(least).min(self.known(rank))
    }
}
