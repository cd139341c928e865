//! What a request must fulfil before anything is searched.

use trestle_model::request::Optimize;
use trestle_model::{PlanError, PlanErrorCode, RoutingRequest};

use crate::snapshot::Snapshot;

/// Tolerance of the sum of the triangle factors: 3 units in the last place of a 32-bit 1.
const TRIANGLE_TOLERANCE: f64 = 3.0 * f32::EPSILON as f64;

/// Refuses requests that contradict themselves or cannot have an answer.
///
/// # Errors
/// The interface's error for the first fault found.
pub(super) fn check(request: &RoutingRequest) -> Result<(), PlanError> {
    check_triangle(request)?;
    if request.board_slack + request.alight_slack > request.transfer_slack {
        return Err(PlanError::new(
            PlanErrorCode::SystemError,
            "Invalid parameters: transfer slack must be greater than or equal to board slack plus alight slack",
        ));
    }
    if request.num_itineraries <= 0 {
        return Err(PlanError::new(
            PlanErrorCode::PathNotFound,
            "numItineraries: no itinerary was asked for",
        ));
    }
    let usable = |speed: f64| speed.is_finite() && speed > 0.0;
    if !usable(request.walk_speed) || !usable(request.bike_speed) {
        return Err(PlanError::new(PlanErrorCode::PathNotFound, "walkSpeed and bikeSpeed must be positive"));
    }
    Ok(())
}

fn check_triangle(request: &RoutingRequest) -> Result<(), PlanError> {
    if request.optimize != Optimize::Triangle {
        return Ok(());
    }
    let factors = [request.triangle_safety, request.triangle_slope, request.triangle_time];
    let sum: f64 = factors.iter().sum();
    if sum.is_nan() || (sum - 1.0).abs() > TRIANGLE_TOLERANCE {
        return Err(PlanError::new(PlanErrorCode::TriangleNotAffine, "the triangle factors must sum to 1"));
    }
    Ok(())
}

/// Refuses times without transit data: with transit modes the requested time must lie in [first service
/// date, last service date + 1 day).
///
/// # Errors
/// `NO_TRANSIT_TIMES`.
pub(super) fn check_service_period(snapshot: &Snapshot, request: &RoutingRequest) -> Result<(), PlanError> {
    if !request.uses_transit() {
        return Ok(());
    }
    let in_period = match snapshot.service_period {
        Some((from, until)) => (from..until).contains(&request.epoch_seconds),
        None => false,
    };
    if in_period {
        return Ok(());
    }
    Err(PlanError::new(PlanErrorCode::NoTransitTimes, "the date is outside the period of the transit data"))
}
