//! Least costs from some vertices to all those above them in the elimination tree, or back from these. Every cheapest
//! path is a climb and then a descent, so two of them give the cost from place to place.

use super::Contraction;
use super::metric::Metric;

/// Not above any of the starts.
const OUTSIDE: u32 = u32::MAX;
/// Above one of the starts, but not reached so far.
const UNREACHED: u32 = u32::MAX - 1;

/// Memory for climbs, reused from one to the next.
#[derive(Default, Debug)]
pub(crate) struct Climb {
    /// The cost of each rank.
    costs: Vec<u32>,
    /// The ranks above the starts, rising.
    ranks: Vec<u32>,
}

impl Climb {
    /// The costs from vertices with these costs to the ranks above them; with `down`, from those ranks to the vertices.
    /// Costs above `most` are left out.
    pub(crate) fn from(
        &mut self,
        (contraction, metric): (&Contraction, &Metric),
        starts: impl Iterator<Item = (u32, u32)>,
        down: bool,
        most: u32,
    ) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.begin(contraction, starts);
        let Climb { costs, ranks } = self;
        for &rank in ranks.iter() {
            let cost = costs[rank as usize];
            if cost > most {
                continue;
            }
            let improve = |higher: u32, arc: u32| {
                let known = &mut costs[higher as usize];
                *known = (*known).min(cost + arc);
            };
            match down {
                false => metric.up(contraction, rank, improve),
                true => metric.down(contraction, rank, improve),
            }
        }
        let costs = &*costs;
        ranks.iter().map(|&rank| (rank, costs[rank as usize])).filter(move |&(_, cost)| cost <= most)
    }

    fn begin(&mut self, contraction: &Contraction, starts: impl Iterator<Item = (u32, u32)>) {
        self.ranks.drain(..).for_each(|rank| self.costs[rank as usize] = OUTSIDE);
        self.costs.resize(contraction.count(), OUTSIDE);
        for (vertex, cost) in starts {
            let start = contraction.rank[vertex as usize];
            let mut next = Some(start);
            while let Some(rank) = next.filter(|&rank| self.costs[rank as usize] == OUTSIDE) {
                self.costs[rank as usize] = UNREACHED;
                self.ranks.push(rank);
                next = contraction.parent(rank);
            }
            let known = &mut self.costs[start as usize];
            *known = (*known).min(cost);
        }
        self.ranks.sort_unstable();
    }
}
