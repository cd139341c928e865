//! The generalized cost of the transit part, in hundredths of a cost unit so that all sums are exact.

use trestle_model::RoutingRequest;

use super::direction::Direction;

/// Hundredths of a cost unit (about a second in a vehicle).
pub(super) type Centicost = i32;

/// Cost of a second in a vehicle.
pub(super) const RIDE: Centicost = 100;

/// More than any real cost or time; sums of a few of it do not overflow.
pub(super) const FAR: i32 = i32::MAX / 4;

/// A cost of the interface in hundredths, bounded so that sums stay in range.
pub(super) fn centi(cost: f64) -> Centicost {
    (cost * 100.0).round().clamp(0.0, 5.0e7) as Centicost
}

/// A cost per second in hundredths, bounded so that the cost of a few days stays in range.
fn rate(cost: f64) -> Centicost {
    centi(cost).min(5000)
}

/// Costs and times of one request, seen in the direction of its search: a vehicle is *entered* and *left*.
#[derive(Clone, Debug)]
pub(super) struct Costs {
    /// A second of waiting between vehicles.
    pub(super) wait: Centicost,
    /// What a later entry at a stop may cost more per second and still be kept: what it costs to wait that long, or nothing.
    /// See [`super::labels::Entry`].
    pub(super) settling: Centicost,
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
    /// Seconds it takes to enter, by mode.
    pub(super) enter_times: [i32; 13],
    /// Seconds it takes to leave, by mode.
    pub(super) leave_times: [i32; 13],
    /// Vehicles entered at most.
    pub(super) max_rides: usize,
}

impl Costs {
    /// The costs of a request. `preferred_transfers` tells whether any transfer is preferred or timed.
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
        let nonpreferred = if preferred_transfers { request.nonpreferred_transfer_penalty } else { 0 };
        Costs {
            wait: rate(request.wait_reluctance),
            settling: rate(request.wait_reluctance),
            first_wait: rate(request.wait_at_beginning_factor),
            board: centi(f64::from(board)),
            transfer: centi(f64::from(request.transfer_penalty)),
            nonpreferred_transfer: centi(f64::from(nonpreferred)),
            first_slack: before.max(0),
            later_slack: (request.transfer_slack - after).max(0),
            leave_slack: after.max(0),
            enter_times,
            leave_times,
            max_rides: (request.max_transfers.clamp(-1, 62) + 1) as usize,
        }
    }
}
