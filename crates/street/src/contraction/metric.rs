//! Costs of the arcs of a contraction, in two bytes wherever these suffice. Most arcs are short, so that a metric takes
//! little more than half of the memory.

use rustc_hash::FxHashMap;
use trestle_model::BitSet;

use super::Contraction;

/// The cost where there is no path. The sum of two of them does not overflow.
pub(super) const NO_PATH: u32 = (1 << 31) - 1;
/// [`NO_PATH`] in two bytes.
const NO_PATH_NARROW: u16 = u16::MAX;

/// Costs of the arcs of a contraction.
#[derive(Debug)]
pub(crate) struct Metric {
    /// From the lower rank of each arc to the higher one.
    up: Costs,
    /// From the higher rank to the lower one.
    down: Costs,
    /// Ranks with an arc whose cost needs more than two bytes.
    wide: BitSet,
    /// The first of the upper halves of each of these ranks.
    first_high: FxHashMap<u32, u32>,
    /// Whole number for a cost of 1.
    pub(super) scale: f64,
}

/// Costs in one direction: the lower halves of all arcs, and the upper ones of those of wide ranks.
#[derive(Default, Debug)]
struct Costs {
    low: Vec<u16>,
    high: Vec<u16>,
}

impl Metric {
    /// The highest cost. Costs are whole numbers, so that sums are exact and bounds stay consistent.
    pub(crate) const LARGEST: u32 = (1 << 30) - 1;

    /// The metric with these costs of all arcs.
    pub(super) fn new(contraction: &Contraction, up: &[u32], down: &[u32], scale: f64) -> Metric {
        let (mut wide, mut first_high) = (BitSet::default(), FxHashMap::default());
        wide.reset(contraction.count());
        let mut highs = 0;
        for rank in 0..contraction.count() as u32 {
            let arcs = contraction.arcs(rank);
            if up[arcs.clone()].iter().chain(&down[arcs.clone()]).any(|&cost| is_wide(cost)) {
                wide.insert(rank as usize);
                first_high.insert(rank, highs);
                highs += arcs.len() as u32;
            }
        }
        let halves = |costs: &[u32]| {
            let mut low: Vec<u16> = costs.iter().map(|&cost| narrow(cost)).collect();
            let mut high = Vec::with_capacity(highs as usize);
            for arc in wide.iter().flat_map(|rank| contraction.arcs(rank as u32)) {
                low[arc] = costs[arc] as u16;
                high.push((costs[arc] >> 16) as u16);
            }
            Costs { low, high }
        };
        let [up, down] = [halves(up), halves(down)];
        Metric { up, down, wide, first_high, scale }
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        let of = |costs: &Costs| size_of_val(costs.low.as_slice()) + size_of_val(costs.high.as_slice());
        of(&self.up) + of(&self.down)
    }

    /// The whole number for a cost, rounded down.
    pub(super) fn whole(&self, cost: f64) -> Option<u32> {
        whole(cost, self.scale)
    }

    /// Calls `each` with the higher ranks of a rank's arcs and the costs to go there.
    #[inline(always)]
    pub(super) fn up(&self, contraction: &Contraction, rank: u32, each: impl FnMut(u32, u32)) {
        self.arcs(&self.up, contraction, rank, each);
    }

    /// Calls `each` with the higher ranks of a rank's arcs and the costs to come from there.
    #[inline(always)]
    pub(super) fn down(&self, contraction: &Contraction, rank: u32, each: impl FnMut(u32, u32)) {
        self.arcs(&self.down, contraction, rank, each);
    }

    #[inline(always)]
    fn arcs(&self, costs: &Costs, contraction: &Contraction, rank: u32, mut each: impl FnMut(u32, u32)) {
        let arcs = contraction.arcs(rank);
        let (count, low) = (arcs.len(), &costs.low[arcs.clone()]);
        let higher = &contraction.up[arcs];
        if self.wide.has(rank as usize) {
            let first = self.first_high.get(&rank).map_or(0, |&first| first as usize);
            let halves = low.iter().zip(&costs.high[first..first + count]);
            higher.iter().zip(halves).for_each(|(&to, (&low, &high))| each(to, from_halves(low, high)));
        } else {
            higher.iter().zip(low).for_each(|(&to, &cost)| each(to, from_narrow(cost)));
        }
    }
}

/// The whole number for a cost, rounded down; `None` for a negative one and NaN.
pub(super) fn whole(cost: f64, scale: f64) -> Option<u32> {
    (cost >= 0.0).then(|| ((cost * scale) as u32).min(Metric::LARGEST))
}

fn is_wide(cost: u32) -> bool {
    cost >= u32::from(NO_PATH_NARROW) && cost != NO_PATH
}

fn narrow(cost: u32) -> u16 {
    if cost == NO_PATH { NO_PATH_NARROW } else { cost as u16 }
}

/// The cost that two bytes stand for.
#[inline(always)]
fn from_narrow(cost: u16) -> u32 {
    if cost == NO_PATH_NARROW { NO_PATH } else { u32::from(cost) }
}

/// The cost with these halves.
#[inline(always)]
fn from_halves(low: u16, high: u16) -> u32 {
    u32::from(low) | u32::from(high) << 16
}
