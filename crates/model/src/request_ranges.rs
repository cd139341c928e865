//! Ranges of the numbers in a request. Searches add them up as whole seconds and as costs that grow along a path;
//! outside these ranges sums would overflow or never end.

use std::ops::RangeInclusive;

use crate::request::{Optimize, RoutingRequest};

/// Durations in seconds, up to more than eleven days.
const SECONDS: RangeInclusive<f64> = 0.0..=1e6;
/// Factors and costs.
const COSTS: RangeInclusive<f64> = 0.0..=1e6;
/// Speeds in metres per second.
const SPEEDS: RangeInclusive<f64> = 0.001..=1000.0;
/// Tolerance of the sum of the triangle factors: 3 units in the last place of a 32-bit 1.
const TRIANGLE_TOLERANCE: f64 = 3.0 * f32::EPSILON as f64;
/// Moments between the years −9999 and 9999, epoch seconds.
const MOMENTS: RangeInclusive<i64> = -377_705_023_201..=253_402_300_799;

/// A member of a request that is out of range: its name in the interface or configuration, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutOfRange {
    pub parameter: &'static str,
    /// What the value is and what it may be.
    pub reason: String,
}

impl RoutingRequest {
    /// The first number that is out of range, if any.
    pub fn out_of_range(&self) -> Option<OutOfRange> {
        let boarding = self.board_times.map(|seconds| ("boardTimes", seconds));
        let alighting = self.alight_times.map(|seconds| ("alightTimes", seconds));
        let seconds = self.durations().into_iter().chain(boarding).chain(alighting);
        let seconds = seconds.map(|(parameter, value)| (parameter, f64::from(value), SECONDS));
        let costs = self.costs().map(|(parameter, value)| (parameter, value, COSTS));
        let speeds =
            [("walkSpeed", self.walk_speed), ("bikeSpeed", self.bike_speed), ("carSpeed", self.car_speed)];
        let speeds = speeds.map(|(parameter, value)| (parameter, value, SPEEDS));
        let mut all = seconds.chain(costs).chain(speeds);
        let out = all.find(|(_, value, range)| !range.contains(value)).map(|(parameter, value, range)| {
            let reason = format!("is {value}, but must be from {} to {}", range.start(), range.end());
            OutOfRange { parameter, reason }
        });
        out.or_else(|| self.limit_out_of_range())
    }

    /// Whether the triangle factors, where they are used, add up to 1.
    pub fn triangle_is_affine(&self) -> bool {
        let factors = [self.triangle_safety, self.triangle_slope, self.triangle_time];
        let sum: f64 = factors.iter().sum();
        self.optimize != Optimize::Triangle
            || (factors.iter().all(|factor| (0.0..=1.0).contains(factor))
                && (sum - 1.0).abs() <= TRIANGLE_TOLERANCE)
    }

    fn durations(&self) -> [(&'static str, i32); 10] {
        [
            ("minTransferTime", self.transfer_slack),
            ("boardSlack", self.board_slack),
            ("alightSlack", self.alight_slack),
            ("bikeSwitchTime", self.bike_switch_time),
            ("bikeRentalPickupTime", self.bike_rental_pickup_time),
            ("bikeRentalDropoffTime", self.bike_rental_dropoff_time),
            ("bikeParkTime", self.bike_park_time),
            ("carDropoffTime", self.car_dropoff_time),
            ("elevatorBoardTime", self.elevator_board_time),
            ("elevatorHopTime", self.elevator_hop_time),
        ]
    }

    fn costs(&self) -> [(&'static str, f64); 11] {
        [
            ("walkReluctance", self.walk_reluctance),
            ("stairsReluctance", self.stairs_reluctance),
            ("turnReluctance", self.turn_reluctance),
            ("waitReluctance", self.wait_reluctance),
            ("waitAtBeginningFactor", self.wait_at_beginning_factor),
            ("bikeSwitchCost", self.bike_switch_cost),
            ("bikeRentalPickupCost", self.bike_rental_pickup_cost),
            ("bikeRentalDropoffCost", self.bike_rental_dropoff_cost),
            ("bikeParkCost", self.bike_park_cost),
            ("elevatorBoardCost", self.elevator_board_cost),
            ("elevatorHopCost", self.elevator_hop_cost),
        ]
    }

    fn limit_out_of_range(&self) -> Option<OutOfRange> {
        let limits = [
            ("maxWalkDistance", self.max_walk_distance),
            ("maxTransferWalkDistance", self.max_transfer_walk_distance),
            ("maxSlope", self.max_slope),
            ("maxHours", self.max_duration),
        ];
        let no_number = limits.into_iter().find(|(_, value)| value.is_nan());
        let no_number =
            no_number.map(|(parameter, _)| OutOfRange { parameter, reason: "is not a number".to_owned() });
        let moment = || {
            (!MOMENTS.contains(&self.epoch_seconds)).then(|| OutOfRange {
                parameter: "time",
                reason: format!("is {} seconds after 1970, which is too far from today", self.epoch_seconds),
            })
        };
        no_number.or_else(moment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parameter that is reported after `change`.
    fn culprit(change: impl FnOnce(&mut RoutingRequest)) -> Option<&'static str> {
        let mut request = RoutingRequest::default();
        change(&mut request);
        request.out_of_range().map(|fault| fault.parameter)
    }

    #[test]
    fn the_culprit_is_named() {
        assert_eq!(culprit(|_| {}), None);
        assert_eq!(culprit(|r| r.walk_reluctance = -1.0), Some("walkReluctance"));
        assert_eq!(culprit(|r| r.walk_reluctance = f64::NAN), Some("walkReluctance"));
        assert_eq!(culprit(|r| r.bike_park_cost = 1e300), Some("bikeParkCost"));
        assert_eq!(culprit(|r| r.board_slack = i32::MAX), Some("boardSlack"));
        assert_eq!(culprit(|r| r.alight_times[3] = -1), Some("alightTimes"));
        assert_eq!(culprit(|r| r.walk_speed = 1e-9), Some("walkSpeed"));
        assert_eq!(culprit(|r| r.max_duration = f64::NAN), Some("maxHours"));
        assert_eq!(culprit(|r| r.max_walk_distance = f64::INFINITY), None);
        assert_eq!(culprit(|r| r.epoch_seconds = i64::MIN), Some("time"));
    }

    #[test]
    fn triangle_factors_are_shares_of_a_whole() {
        let affine = |safety: f64, slope: f64, time: f64| {
            let request = RoutingRequest {
                optimize: Optimize::Triangle,
                triangle_safety: safety,
                triangle_slope: slope,
                triangle_time: time,
                ..RoutingRequest::default()
            };
            request.triangle_is_affine()
        };
        assert!(affine(0.2, 0.3, 0.5));
        assert!(affine(1.0, 0.0, 0.0));
        assert!(!affine(0.2, 0.3, 0.6));
        assert!(!affine(-1.0, 1.0, 1.0));
        assert!(!affine(f64::NAN, 0.0, 1.0));
        assert!(RoutingRequest::default().triangle_is_affine(), "unused factors may have any value");
    }
}
