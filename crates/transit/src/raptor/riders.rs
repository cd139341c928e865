//! The riders of a lane at a call. Those that another one dominates are dropped.

use super::active_service::{Lane, NONE};
use super::costs::{Costs, RIDE_RATE};
use super::direction::Direction;
use super::filters::{Filters, MOST_PAIRS};
use super::labels::Rider;
use super::transit_data::TransitData;

/// What riders of a lane are compared by.
pub(super) struct LaneRiders<'a> {
    pub(super) data: &'a TransitData<'a>,
    pub(super) filters: &'a Filters,
    pub(super) costs: &'a Costs,
    pub(super) lane: &'a Lane,
    /// Entering time of each run at the call.
    pub(super) times: &'a [i32],
    /// Whether it may be useful to stay seated at the end of the lane.
    pub(super) stays_seated: bool,
}

impl LaneRiders<'_> {
    /// Adds a rider unless another one dominates it; removes those that it dominates.
    #[inline(always)]
    pub(super) fn add<D: Direction>(&self, riders: &mut Vec<Rider>, rider: Rider) {
        if riders.iter().any(|other| self.dominates::<D>(other, &rider)) {
            return;
        }
        riders.retain(|other| !self.dominates::<D>(&rider, other));
        riders.push(rider);
    }

    /// Whether rider `a` can reach everything that `b` can, at no higher cost.
    #[inline(always)]
    fn dominates<D: Direction>(&self, a: &Rider, b: &Rider) -> bool {
        // Runs of a lane never overtake; vehicles of a headway lane are ordered by their shift.
        let order = |r: &Rider| if self.lane.headway == NONE { D::key(r.run as i32) } else { r.shift };
        let is_no_worse = if self.costs.reduction == 0 {
            let cost =
                |r: &Rider| r.reduced_cost + RIDE_RATE * (D::key(self.times[r.run as usize]) + r.shift);
            order(a) <= order(b) && cost(a) <= cost(b)
        } else {
            // If waiting costs more than riding, a later vehicle can turn out cheaper further on.
            let comparable =
                if self.costs.wait <= RIDE_RATE { order(a) <= order(b) } else { order(a) == order(b) };
            comparable && a.reduced_cost <= b.reduced_cost
        };
        is_no_worse
            && !self.filters.is_partial(self.lane.first_run + a.run)
            && self.continues_as_well::<D>(a, b)
    }

    /// Whether staying seated is as good for rider `a` as for rider `b`.
    #[inline(always)]
    fn continues_as_well<D: Direction>(&self, a: &Rider, b: &Rider) -> bool {
        let run = |rider: &Rider| self.lane.first_run + rider.run;
        !self.stays_seated
            || self.filters.continues_as_well::<D>(self.data, (run(a), run(b)), &mut { MOST_PAIRS })
    }
}
