//! Potentials: lower bounds of the cost from each vertex to a goal, computed when a search needs them (Strasser and Zeitz,
//! 2021).

use std::cell::RefCell;

use trestle_model::Direction;

use super::Contraction;
use super::climb::{Climb, OUTSIDE};
use super::customization::capped;
use super::metric::{Metric, NO_PATH};

/// Memory for potentials, reused from search to search.
#[derive(Default, Debug)]
pub(crate) struct PotentialMemory {
    /// The potentials by rank: those above the goal at first.
    climb: Climb,
    /// Ranks whose potentials a search needed later.
    found: RefCell<Vec<u32>>,
    open: RefCell<Vec<u32>>,
}

/// The potentials towards one goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Potential<'a> {
    contraction: &'a Contraction,
    metric: &'a Metric,
    memory: &'a PotentialMemory,
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
        let PotentialMemory { climb, found, .. } = &mut *memory;
        found.get_mut().drain(..).for_each(|rank| climb.set(rank, OUTSIDE));
        let goal = goal.map(|(vertex, cost)| (vertex, metric.whole(cost).unwrap_or(0)));
        // First down to the goal, then up and down.
        climb.climb((contraction, metric), goal, Direction::Backward, Metric::LARGEST);
        let potential = Potential { contraction, metric, memory };
        for &rank in potential.memory.climb.ranks().iter().rev() {
            potential.know(rank, potential.rise_from(rank));
        }
        potential
    }

    /// The least cost from a vertex to the goal; `None` without a path.
    #[inline]
    pub(crate) fn at(&self, vertex: u32) -> Option<f64> {
        let rank = self.contraction.rank[vertex as usize];
        if self.known(rank) == OUTSIDE {
            self.find(rank);
        }
        let whole = self.known(rank);
        (whole != NO_PATH).then(|| f64::from(whole) / self.metric.scale)
    }

    /// Computes the potential of a rank and of all ranks above it in the elimination tree.
    fn find(&self, rank: u32) {
        let mut open = self.memory.open.borrow_mut();
        let mut next = Some(rank);
        while let Some(ancestor) = next.filter(|&rank| self.known(rank) == OUTSIDE) {
            open.push(ancestor);
            next = self.contraction.parent(ancestor);
        }
        let mut found = self.memory.found.borrow_mut();
        while let Some(rank) = open.pop() {
            self.know(rank, NO_PATH);
            self.know(rank, self.rise_from(rank));
            found.push(rank);
        }
    }

    #[inline(always)]
    fn known(&self, rank: u32) -> u32 {
        self.memory.climb.cost(rank)
    }

    #[inline(always)]
    fn know(&self, rank: u32, cost: u32) {
        self.memory.climb.set(rank, cost);
    }

    /// The least of the cost known at a rank and the costs of paths over its higher neighbours.
    #[inline]
    fn rise_from(&self, rank: u32) -> u32 {
        let mut least = NO_PATH;
        self.metric.up(self.contraction, rank, |higher, up| least = least.min(self.known(higher) + up));
        capped(least).min(self.known(rank))
    }
}
