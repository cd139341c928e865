//! The generalized cost of the transit part, in hundredths of a cost unit so that sums are exact.

use trestle_model::{Directed, Mode, RoutingRequest};

/// Hundredths of a cost unit (about a second in a vehicle).
pub(super) type Centicost = i32;

/// Cost of a second in a vehicle.
pub(super) const RIDE_RATE: Centicost = 100;

/// Stands for infinity: more than any real cost or time, and a few of these can be added up without overflow.
pub(super) const INFINITE: i32 = i32::MAX / 4;

/// Seconds added to every walk between stops, for leaving one and entering the other.
const LINK_SECONDS: i32 = 2;

/// A cost of the interface in hundredths, bounded so that sums stay in range.
pub(super) fn centi(cost: f64) -> Centicost {
    (cost * 100.0).round().clamp(0.0, 5.0e7) as Centicost
}

/// A cost per second in hundredths, bounded so that the cost of a few days stays in range.
fn rate(cost: f64) -> Centicost {
    centi(cost).min(5000)
}

/// Cost of a second on foot.
pub(super) fn walk_rate(request: &RoutingRequest) -> Centicost {
    centi(request.walk_reluctance)
}

/// Seconds and cost of a walk between stops.
pub(super) fn walk(meters: f32, request: &RoutingRequest) -> (i32, Centicost) {
    let seconds = (f64::from(meters) / request.walk_speed).ceil() as i32 + LINK_SECONDS;
    (seconds, centi(f64::from(seconds) * request.walk_reluctance))
}

/// Costs and times of one request in the direction of its search, in which a vehicle is *entered* and *left*.
#[derive(Clone, Debug)]
pub(super) struct Costs {
    /// A second of waiting between vehicles.
    pub(super) wait: Centicost,
    /// A later entry at a stop is kept if it costs less than an earlier one plus this much for each second between
    /// them: the cost of waiting, or nothing. See [`super::labels::Entry`].
    pub(super) reduction: Centicost,
    /// A second of waiting for the first vehicle of the search.
    pub(super) first_wait: Centicost,
    /// Entering a vehicle; see [`Self::boarding`].
    pub(super) board: Centicost,
    /// Added for entering the second or a later one.
    pub(super) transfer: Centicost,
    /// Added for a transfer that is neither preferred nor timed.
    pub(super) nonpreferred_transfer: Centicost,
    /// Seconds before the first vehicle is entered.
    pub(super) first_slack: i32,
    /// Seconds before a later vehicle is entered.
    pub(super) later_slack: i32,
    /// Seconds after a vehicle is left.
    pub(super) leave_slack: i32,
    /// Cost of `first_slack`: seconds before boarding cost as much as riding, seconds after alighting nothing.
    pub(super) first_slack_cost: Centicost,
    pub(super) later_slack_cost: Centicost,
    pub(super) leave_slack_cost: Centicost,
    /// Cost of a second of [`Self::enter_times`] at the first vehicle (backward: these are for alighting).
    pub(super) first_enter_time: Centicost,
    /// Seconds it takes to enter, by mode.
    pub(super) enter_times: [i32; Mode::COUNT],
    /// Seconds it takes to leave, by mode.
    pub(super) leave_times: [i32; Mode::COUNT],
    /// Largest number of vehicles that may be entered.
    pub(super) max_rides: usize,
}

impl Costs {
    /// The costs of a request. `preferred_transfers` says whether any transfer is preferred or timed.
    pub(super) fn new<D: Directed>(request: &RoutingRequest, preferred_transfers: bool) -> Self {
        let board = if request.bike_aboard() { request.bike_board_cost } else { request.walk_board_cost };
        let (before, after) =
            D::pick((request.board_slack, request.alight_slack), (request.alight_slack, request.board_slack));
        let (enter_times, leave_times) =
            D::pick((request.board_times, request.alight_times), (request.alight_times, request.board_times));
        let (first_charged, later_charged, leave_charged) = D::pick(
            (before, request.transfer_slack - after, 0),
            (0, request.transfer_slack - after - before, after),
        );
        let nonpreferred = if preferred_transfers { request.nonpreferred_transfer_penalty } else { 0 };
        Costs {
            wait: rate(request.wait_reluctance),
            reduction: rate(request.wait_reluctance),
            first_wait: rate(request.wait_at_beginning_factor),
            board: centi(f64::from(board)),
            transfer: centi(f64::from(request.transfer_penalty)),
            nonpreferred_transfer: centi(f64::from(nonpreferred)),
            first_slack: before.max(0),
            later_slack: (request.transfer_slack - after).max(0),
            leave_slack: after.max(0),
            first_slack_cost: RIDE_RATE * first_charged.max(0),
            later_slack_cost: RIDE_RATE * later_charged.max(0),
            leave_slack_cost: RIDE_RATE * leave_charged.max(0),
            first_enter_time: rate(D::pick(request.wait_at_beginning_factor, request.wait_reluctance)),
            enter_times,
            leave_times,
            max_rides: max_rides(request.max_transfers),
        }
    }

    /// The most rides of a path from a round on.
    #[inline(always)]
    pub(super) fn rides_from(&self, round: u32) -> usize {
        self.max_rides + 1 - round as usize
    }

    /// Cost of boarding a vehicle of a pattern with a penalty.
    #[inline(always)]
    pub(super) fn boarding(&self, penalty: Centicost) -> Centicost {
        self.board + penalty
    }

    /// Times and costs of entering a vehicle of a mode in a round, of a pattern with a penalty.
    #[inline(always)]
    pub(super) fn entering(&self, round: u32, mode: u8, penalty: Centicost) -> EnterPrices {
        let enter_time = self.enter_times[mode as usize];
        let (slack, slack_cost, wait, second_of_entering) = match round {
            1 => (self.first_slack, self.first_slack_cost, self.first_wait, self.first_enter_time),
            _ => (self.later_slack, self.later_slack_cost, self.wait, self.wait),
        };
        EnterPrices {
            preparation: slack + enter_time,
            cost: self.boarding(penalty) + slack_cost + second_of_entering * enter_time,
            wait,
        }
    }

    /// Whether it may pay to let a vehicle pass where a second of waiting costs `wait`: a later vehicle may be cheaper
    /// because waiting here is cheap, or because less waiting follows.
    pub(super) fn may_let_pass(&self, wait: Centicost) -> bool {
        wait < RIDE_RATE || self.wait > RIDE_RATE
    }

    /// Whether the first vehicle is always the best at a change.
    pub(super) fn takes_first_of_later(&self) -> bool {
        !self.may_let_pass(self.wait)
    }
}

/// Number of vehicles with this many transfers between them.
pub(super) fn max_rides(transfers: i32) -> usize {
    (transfers.clamp(-1, 62) + 1) as usize
}

/// Times and costs of entering a vehicle.
#[derive(Clone, Copy, Debug)]
pub(super) struct EnterPrices {
    /// Seconds from arriving at the stop until a vehicle can be entered: the slack and the time that entering takes.
    pub(super) preparation: i32,
    /// Cost of boarding and of the preparation, without the wait.
    pub(super) cost: Centicost,
    /// Cost of a second of waiting.
    pub(super) wait: Centicost,
}
