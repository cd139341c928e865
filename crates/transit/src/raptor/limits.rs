//! Limits of cost for a search that knows no path yet. It looks for paths up to the first limit, and up to the next one
//! if there are none. Without a limit nothing is too expensive until a path is found, and by then a search in a large
//! city has made most of its labels.

use super::costs::Centicost;

/// Where vehicles are frequent, most paths of interest cost at most this many times as much as the bounds promise. (In Porto
/// and in the sample metropolis the cheapest path costs 1.25 times its bound in the median, and others are of interest up to
/// 1.15 times that.)
const COST_PER_BOUND: f64 = 1.5;

/// If a search up to some cost goes at most this many times as far beyond the least cost as a limit does, it is not
/// worth searching up to the limit first.
const LARGER: f64 = 3.0;

/// Limits of cost, each higher than the one before.
pub(super) struct Limits {
    least: Centicost,
    /// What the limit adds to the least cost.
    beyond: f64,
    /// How many times as much the next limit adds.
    growth: f64,
}

impl Limits {
    /// The limits where no path costs less than `least` by the bounds.
    pub(super) fn new(least: Centicost) -> Limits {
        Limits::from(least, (f64::from(least) * (COST_PER_BOUND - 1.0)) as Centicost)
    }

    /// The limits from `beyond` more than `least`.
    pub(super) fn from(least: Centicost, beyond: Centicost) -> Limits {
        Limits { least, beyond: f64::from(beyond.max(1)), growth: 2.0 }
    }

    pub(super) fn first(&self) -> Centicost {
        (f64::from(self.least) + self.beyond) as Centicost
    }

    /// Whether a search up to a cost is so little larger than one up to the limit that it is made at once.
    pub(super) fn is_near(&self, cost: Centicost) -> bool {
        f64::from(cost) <= f64::from(self.least) + self.beyond * LARGER
    }

    /// The limit after a search that found nothing. It rises so fast that where a path costs far more than its bound,
    /// such as by night, the limits soon exclude nothing.
    pub(super) fn next(&mut self) -> Centicost {
        self.beyond *= self.growth;
        self.growth *= self.growth;
        self.first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_near_a_limit_up_to_three_times_what_it_adds() {
        let limits = Limits::new(1000);
        assert!(limits.is_near(2500) && !limits.is_near(2501));
    }

    #[test]
    fn limits_rise_to_any_cost_in_a_few_steps() {
        for least in [0, 1, 500_000, super::super::costs::INFINITE] {
            let mut limits = Limits::new(least);
            let mut costs = vec![limits.first()];
            while costs.last() != Some(&Centicost::MAX) {
                costs.push(limits.next());
            }
            assert!(costs.is_sorted() && costs.len() <= 8, "{costs:?}");
        }
    }
}
