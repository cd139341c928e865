//! The generalized cost of the transit part, in hundredths of a cost unit so that all sums are exact.

use trestle_model::RoutingRequest;

use super::direction::Direction;

/// Hundredths of a cost unit (about a second in a vehicle).
pub(super) type Centicost = i32;

/// Cost of a second in a vehicle.
pub(super) const RIDE: Centicost = 100;

/// More than any real cost or time; sums of a few of it do not overflow.
pub(super) const FAR: i32 = i32::MAX / 4;

/// Seconds added to every walk between stops: leaving the one and reaching the other.
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
pub(super) fn walking(request: &RoutingRequest) -> Centicost {
    centi(request.walk_reluctance)
}

/// Seconds and cost of a walk between stops.
pub(super) fn walk(meters: f32, request: &RoutingRequest) -> (i32, Centicost) {
    let seconds = (f64::from(meters) / request.walk_speed).ceil() as i32 + LINK_SECONDS;
    (seconds, centi(f64::from(seconds) * request.walk_reluctance))
}

/// Costs and times of one request, seen in the direction of its search: a vehicle is *entered* and *left*.
#[derive(Clone, Debug)]
pub(super) struct Costs {
    /// A second of waiting between vehicles.
    pub(super) wait: Centicost,
    /// What a later entry at a stop may cost more per second and still be kept: what it costs to wait that long, or nothing.
    /// See [`super::labels::Entry`].
    pub(super) reduction: Centicost,
    /// A second of waiting for the first vehicle of the search.
    pub(super) first_wait: Centicost,
    /// Entering a vehicle.
    pub(super) board: Centicost,
    /// Entering the second or a later one, on top.
    pub(super) transfer: Centicost,
    /// A transfer that is neither preferred nor timed, on top.
    pub(super) nonpreferred_transfer: Centicost,
    /// Seconds before the first vehicle is entered.
    pub(super) first_slack: i32,
    /// Seconds before a later vehicle is entered.
    pub(super) later_slack: i32,
    /// Seconds after a vehicle is left.
    pub(super) leave_slack: i32,
    /// What these seconds cost: those before a boarding as much as riding, those after alighting nothing.
    pub(super) first_slack_cost: Centicost,
    /// See `first_slack_cost`.
    pub(super) later_slack_cost: Centicost,
    /// See `first_slack_cost`.
    pub(super) leave_slack_cost: Centicost,
    /// A second of [`Self::enter_times`] before the first vehicle. When arriving by a time those are seconds of alighting.
    pub(super) first_enter_time: Centicost,
    /// Seconds it takes to enter, by mode.
    pub(super) enter_times: [i32; 13],
    /// Seconds it takes to leave, by mode.
    pub(super) leave_times: [i32; 13],
    /// Vehicles entered at most.
    pub(super) max_rides: usize,
}

impl Costs {
    /// The costs of a request. `preferred_transfers` says whether any transfer is preferred or timed.
    pub(super) fn new<D: Direction>(
        request: &RoutingRequest,
        bike_aboard: bool,
        preferred_transfers: bool,
    ) -> Self {
        let board = if bike_aboard { request.bike_board_cost } else { request.walk_board_cost };
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
            first_slack_cost: RIDE * first_charged.max(0),
            later_slack_cost: RIDE * later_charged.max(0),
            leave_slack_cost: RIDE * leave_charged.max(0),
            first_enter_time: rate(D::pick(request.wait_at_beginning_factor, request.wait_reluctance)),
            enter_times,
            leave_times,
            max_rides: (request.max_transfers.clamp(-1, 62) + 1) as usize,
        }
    }

    /// Prices of entering a vehicle of a mode in a round.
    #[inline(always)]
    pub(super) fn entering(&self, round: u32, mode: u8) -> EnterPrices {
        let enter_time = self.enter_times[mode as usize];
        if round == 1 {
            EnterPrices {
                slack: self.first_slack,
                slack_cost: self.first_slack_cost,
                wait: self.first_wait,
                enter_time_cost: self.first_enter_time * enter_time,
            }
        } else {
            EnterPrices {
                slack: self.later_slack,
                slack_cost: self.later_slack_cost,
                wait: self.wait,
                enter_time_cost: self.wait * enter_time,
            }
        }
    }

    /// Whether it may pay to let a vehicle pass where waiting for it has this price: who rides for less time may wait less
    /// on the way as well, or wait where that is cheap.
    pub(super) fn may_let_pass(&self, wait: Centicost) -> bool {
        wait < RIDE || self.wait > RIDE
    }

    /// Whether it pays to take the first vehicle that comes wherever one changes.
    pub(super) fn takes_first_of_later(&self) -> bool {
        !self.may_let_pass(self.wait)
    }
}

/// What it takes to enter a vehicle.
#[derive(Clone, Copy, Debug)]
pub(super) struct EnterPrices {
    /// Seconds before it.
    pub(super) slack: i32,
    /// What those cost.
    pub(super) slack_cost: Centicost,
    /// A second of waiting for it.
    pub(super) wait: Centicost,
    /// What the time it takes to enter costs.
    pub(super) enter_time_cost: Centicost,
}
