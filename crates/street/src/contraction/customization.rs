//! Customization: costs of all arcs, such that the cheapest path between two vertices first rises and then falls in rank.

use std::ops::Range;

use super::Contraction;
use super::metric::{Metric, NO_PATH, whole};

/// Arcs that are looked at between two checks of the deadline.
const INTERRUPT_EVERY: usize = 1 << 20;

/// Costs of the arcs of a contraction that is being customized.
#[derive(Debug)]
pub(crate) struct Customization<'a> {
    contraction: &'a Contraction,
    /// From the lower rank of each arc to the higher one.
    up: Vec<u32>,
    /// From the higher rank to the lower one.
    down: Vec<u32>,
    /// Whole number for a cost of 1.
    scale: f64,
}

/// Why there are no costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoMetric {
    /// The deadline passed.
    Interrupted,
    /// A step has a negative cost or NaN, or the contraction is of other streets or would be too large.
    Unfit,
}

impl<'a> Customization<'a> {
    /// All costs unknown; a cost of 1 will be the whole number `scale`.
    pub(crate) fn new(contraction: &'a Contraction, scale: f64) -> Customization<'a> {
        let unknown = vec![NO_PATH; contraction.up.len()];
        Customization { contraction, up: unknown.clone(), down: unknown, scale }
    }

    /// Adds a step from one vertex to another that costs at least this.
    pub(crate) fn step(&mut self, from: u32, to: u32, cost: f64) -> Result<(), NoMetric> {
        let [from, to] = [from, to].map(|vertex| self.contraction.rank[vertex as usize]);
        if from == to {
            return Ok(());
        }
        let cost = whole(cost, self.scale).ok_or(NoMetric::Unfit)?;
        let arc = self.contraction.arc_between(from.min(to), from.max(to)).ok_or(NoMetric::Unfit)?;
        let known = if from < to { &mut self.up[arc] } else { &mut self.down[arc] };
        *known = (*known).min(cost);
        Ok(())
    }

    /// Lowers the cost of every arc to that of the paths over lower ranks, the lowest rank first.
    pub(crate) fn finish(mut self, interrupted: &dyn Fn() -> bool) -> Result<Metric, NoMetric> {
        let contraction = self.contraction;
        let mut below = Below::new(contraction.count());
        // The arc from the current rank to each higher one.
        let mut arc_to = vec![0u32; contraction.count()];
        let mut looked_at = INTERRUPT_EVERY;
        for rank in 0..contraction.count() as u32 {
            looked_at += 1 + contraction.arcs(rank).len();
            for arc in contraction.arcs(rank) {
                arc_to[contraction.up[arc] as usize] = arc as u32;
            }
            let sides = contraction.arcs(rank);
            let mut next = below.first(rank);
            while let Some(lower) = next {
                if looked_at >= INTERRUPT_EVERY {
                    looked_at = 0;
                    if interrupted() {
                        return Err(NoMetric::Interrupted);
                    }
                }
                next = below.after(lower);
                let arc = below.arc(lower);
                let later = arc + 1..contraction.arcs(lower).end;
                looked_at += later.len();
                self.lower_triangles((arc, later), &arc_to, &sides)?;
                below.put(contraction, lower, arc + 1);
            }
            below.put(contraction, rank, contraction.arcs(rank).start);
        }
        Ok(Metric::new(contraction, &self.up, &self.down, self.scale))
    }

    /// Lowers the costs of the current rank's arcs over a lower rank: over its arc to the current rank and each of its
    /// later arcs. `sides` are the arcs of the current rank, and `arc_to` is the one that leads to each rank.
    fn lower_triangles(
        &mut self,
        (arc, later): (usize, Range<usize>),
        arc_to: &[u32],
        sides: &Range<usize>,
    ) -> Result<(), NoMetric> {
        let (rising, falling) = (self.up[arc], self.down[arc]);
        if rising == NO_PATH && falling == NO_PATH {
            return Ok(());
        }
        for later in later {
            let higher = self.contraction.up[later];
            let side = arc_to[higher as usize] as usize;
            // An entry left by another rank shows that the contraction is of other streets.
            if !sides.contains(&side) {
                return Err(NoMetric::Unfit);
            }
            self.up[side] = self.up[side].min(sum(falling, self.up[later]));
            self.down[side] = self.down[side].min(sum(self.down[later], rising));
        }
        Ok(())
    }
}

/// The sum of two costs.
#[inline(always)]
pub(super) fn sum(a: u32, b: u32) -> u32 {
    capped(a + b)
}

/// A sum of two costs as a cost.
#[inline(always)]
pub(super) fn capped(sum: u32) -> u32 {
    if sum >= NO_PATH { NO_PATH } else { sum.min(Metric::LARGEST) }
}

/// Lists of lower ranks by the higher one at which their next arc ends.
struct Below {
    first: Vec<u32>,
    after: Vec<u32>,
    arc: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Below {
    fn new(count: usize) -> Below {
        Below { first: vec![NONE; count], after: vec![NONE; count], arc: vec![0; count] }
    }

    fn first(&self, rank: u32) -> Option<u32> {
        Some(self.first[rank as usize]).filter(|&lower| lower != NONE)
    }

    fn after(&self, lower: u32) -> Option<u32> {
        Some(self.after[lower as usize]).filter(|&lower| lower != NONE)
    }

    fn arc(&self, lower: u32) -> usize {
        self.arc[lower as usize] as usize
    }

    fn put(&mut self, contraction: &Contraction, lower: u32, arc: usize) {
        if arc < contraction.arcs(lower).end {
            let list = &mut self.first[contraction.up[arc] as usize];
            self.after[lower as usize] = std::mem::replace(list, lower);
            self.arc[lower as usize] = arc as u32;
        }
    }
}
