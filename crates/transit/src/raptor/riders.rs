//! The riders of a lane at a call. Those that another one dominates are dropped.

use trestle_model::Directed;

use super::active_service::NONE;
use super::costs::{INFINITE, RIDE_RATE};
use super::entering::Entrance;
use super::filters::MOST_PAIRS;
use super::labels::Rider;
use super::mc_raptor::McRaptor;

impl McRaptor<'_> {
    /// Adds a rider unless another one dominates it; removes those that it dominates.
    #[inline(always)]
    pub(super) fn add_rider<D: Directed>(&mut self, entrance: &Entrance<'_>, rider: Rider) {
        let mut riders = std::mem::take(&mut self.memory.riders);
        let dominates = |a: &Rider, b: &Rider| match entrance.keeps_apart {
            true => self.rider_dominates_apart(entrance.lane, a, b),
            false => self.rider_dominates::<D>(entrance, a, b),
        };
        if !riders.iter().any(|other| dominates(other, &rider)) {
            riders.retain(|other| !dominates(&rider, other));
            riders.push(rider);
        }
        self.memory.riders = riders;
    }

    /// Whether rider `a` can reach everything that `b` can, at no higher cost.
    #[inline(always)]
    fn rider_dominates<D: Directed>(
        &self,
        &Entrance { lane, times, seated_bound, .. }: &Entrance<'_>,
        a: &Rider,
        b: &Rider,
    ) -> bool {
        // Runs of a lane never overtake; vehicles of a headway lane are ordered by their shift.
        let order = |r: &Rider| if lane.headway == NONE { D::key(r.run as i32) } else { r.shift };
        let is_no_worse = if self.costs.reduction == 0 {
            let cost = |r: &Rider| r.reduced_cost + RIDE_RATE * (D::key(times[r.run as usize]) + r.shift);
            order(a) <= order(b) && cost(a) <= cost(b)
        } else {
            // If waiting costs more than riding, a later vehicle can turn out cheaper further on.
            let comparable =
                if self.costs.wait <= RIDE_RATE { order(a) <= order(b) } else { order(a) == order(b) };
            comparable && a.reduced_cost <= b.reduced_cost
        };
        let runs = (lane.first_run + a.run, lane.first_run + b.run);
        let continues_as_well = || self.filters.continues_as_well::<D>(&self.data, runs, &mut { MOST_PAIRS });
        is_no_worse && !self.filters.is_partial(runs.0) && (seated_bound >= INFINITE || continues_as_well())
    }
}
