//! The first arrival as a bound of costs.

use super::bounds::{Bounds, Level};
use super::costs::{Centicost, INFINITE, centi};
use super::query::Endpoint;

/// The first arrival as a bound, for searches across a night without service, where bounds from least running times are far
/// too low: no path arrives before this time, and every second until then has a least cost.
#[derive(Debug)]
pub(super) struct FirstArrival {
    /// The earliest arrival (key).
    pub(super) earliest: i32,
    /// Least cost of a second after the first vehicle is entered.
    pub(super) cost_per_second: Centicost,
    /// Bounds on the further cost without the least cost of each second: boardings, walks.
    pub(super) beyond: Bounds,
}

impl FirstArrival {
    /// The least cost of a path that starts at one of some endpoints at `start` and enters a vehicle without a wait.
    pub(super) fn least_from(&self, near: &[Endpoint], start: i32) -> Centicost {
        let costs = near.iter().filter_map(|end| {
            let beyond = *self.beyond.all().enter.get(end.stop.index())?;
            Some(centi(end.cost) + self.cost_per_second * (self.earliest - start - end.seconds) + beyond)
        });
        costs.min().unwrap_or(INFINITE).min(INFINITE)
    }

    /// Raises a bound on the further cost at `time`; `beyond` reads the entry of the same place in [`Self::beyond`].
    #[inline(always)]
    pub(super) fn raise(
        first_arrival: Option<&FirstArrival>,
        bound: Centicost,
        time: i32,
        rides: usize,
        beyond: impl FnOnce(&Level) -> Centicost,
    ) -> Centicost {
        match first_arrival {
            Some(first) => bound.max(
                first.cost_per_second * (first.earliest - time) + beyond(first.beyond.with_rides(rides)),
            ),
            None => bound,
        }
    }
}
