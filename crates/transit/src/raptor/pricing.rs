//! Times and generalized cost of a journey, from parts that [`super::transfer_optimization`] compares too.

use trestle_model::{Direction, Forward};

use super::costs::{RIDE_RATE, centi};
use super::filters::Filters;
use super::journey::{Journey, JourneyRules, RunRide};
use super::verdicts::TransferVerdict;

/// Departure, arrival and cost of a journey.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Price {
    pub(super) departure: i32,
    pub(super) arrival: i32,
    pub(super) cost: i64,
    /// The cost without the initial wait (backward: the final one).
    pub(super) under_way: i64,
}

impl JourneyRules<'_> {
    /// Times and cost of a journey, with an initial wait since the requested time (a final one until it when arriving by
    /// a time).
    pub(super) fn price(&self, journey: &Journey, filters: &Filters) -> Price {
        let (mut departure, mut under_way) = (self.requested(), 0);
        for (index, ride) in journey.rides.iter().enumerate() {
            under_way += match (index, journey.access) {
                (0, Some(access)) => {
                    departure = self.departure(access, ride);
                    self.access_price(access, ride, filters)
                }
                (0, None) => ride_price(self.boarding(ride) - self.requested()),
                _ if ride.seated => {
                    ride_price(self.boarding(ride) - self.alighting(&journey.rides[index - 1]))
                }
                _ => self.change_price(&journey.rides[index - 1], journey.walks[index - 1], ride, filters),
            };
            under_way += ride_price(self.alighting(ride) - self.boarding(ride));
            if !journey.rides.get(index + 1).is_some_and(|next| next.seated) {
                under_way += self.leave_price(ride);
            }
        }
        under_way += i64::from(centi(self.query.egress[journey.egress as usize].cost));
        let arrival = journey.rides.last().map_or(departure, |ride| self.arrival(ride, journey.egress));
        let waited = match self.request().direction {
            Direction::Forward => departure - self.requested(),
            Direction::Backward => self.requested() - arrival,
        };
        Price { departure, arrival, cost: under_way + self.initial_wait_price(waited), under_way }
    }

    /// The requested time as a time of the service.
    pub(super) fn requested(&self) -> i32 {
        self.data.service.time_of(self.request().epoch_seconds)
    }

    /// When to leave the place for a first ride.
    pub(super) fn departure(&self, access: u32, first: &RunRide) -> i32 {
        let access = &self.query.access[access as usize];
        self.boarding(first)
            - self.costs.enter_times[self.mode(first)]
            - self.costs.first_slack
            - access.seconds
    }

    /// Arrival at the place after a last ride.
    pub(super) fn arrival(&self, last: &RunRide, egress: u32) -> i32 {
        self.at_stop(last, None) + self.query.egress[egress as usize].seconds
    }

    /// Cost of waiting before the first ride or after the last.
    pub(super) fn initial_wait_price(&self, seconds: i32) -> i64 {
        i64::from(self.costs.first_wait) * i64::from(seconds.max(0))
    }

    /// Cost of access and first boarding, without the initial wait.
    pub(super) fn access_price(&self, access: u32, first: &RunRide, filters: &Filters) -> i64 {
        i64::from(centi(self.query.access[access as usize].cost))
            + ride_price(self.costs.first_slack)
            + i64::from(self.costs.first_enter_time) * i64::from(self.costs.enter_times[self.mode(first)])
            + self.board_price(first, filters)
    }

    /// Cost between two rides with a change of vehicles.
    pub(super) fn change_price(
        &self,
        before: &RunRide,
        walked: Option<i32>,
        after: &RunRide,
        filters: &Filters,
    ) -> i64 {
        let costs = &self.costs;
        let waited = self.boarding(after) - self.at_stop(before, walked) - costs.later_slack;
        let penalty = match self.verdict(before, after) {
            TransferVerdict::Plain { preferred: true } => 0,
            _ => i64::from(costs.nonpreferred_transfer),
        };
        walked.map_or(0, |seconds| self.walk_price(before, after, seconds))
            + ride_price(costs.later_slack)
            + i64::from(costs.wait) * i64::from(waited)
            + i64::from(costs.transfer)
            + penalty
            + self.board_price(after, filters)
    }

    /// Cost of alighting.
    pub(super) fn leave_price(&self, ride: &RunRide) -> i64 {
        i64::from(self.costs.wait) * i64::from(self.costs.leave_times[self.mode(ride)])
    }

    fn board_price(&self, ride: &RunRide, filters: &Filters) -> i64 {
        let pattern = self.data.service.lane_of_run(ride.run as usize).pattern;
        i64::from(self.costs.boarding(filters.pattern_penalty[pattern as usize].max(0)))
    }

    fn walk_price(&self, before: &RunRide, after: &RunRide, seconds: i32) -> i64 {
        let to = self.stop(after, after.board).0;
        let walks = self.data.walks_from::<Forward>(self.stop(before, before.alight).index());
        let walk = walks.iter().find(|walk| walk.other_stop == to && walk.seconds == seconds);
        walk.map_or(0, |walk| i64::from(walk.cost))
    }
}

/// Cost of seconds in a vehicle.
pub(super) fn ride_price(seconds: i32) -> i64 {
    i64::from(RIDE_RATE) * i64::from(seconds)
}
