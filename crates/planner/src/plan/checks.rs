//! Checks of a request before the search.

use trestle_engine::snapshot::Snapshot;
use trestle_model::request_ranges::OutOfRange;
use trestle_model::{PlanError, PlanErrorCode, RoutingRequest};

/// Refuses requests that contradict themselves or cannot have an answer.
///
/// # Errors
/// The interface's error code for the first fault found.
pub(super) fn check(request: &RoutingRequest) -> Result<(), PlanError> {
    if !request.triangle_is_affine() {
        return Err(PlanError::new(PlanErrorCode::TriangleNotAffine, "the triangle factors must sum to 1"));
    }
    if request.walk_speed <= 0.0 || request.bike_speed <= 0.0 {
        return Err(PlanError::new(PlanErrorCode::PathNotFound, "walkSpeed and bikeSpeed must be positive"));
    }
    if let Some(OutOfRange { parameter, reason }) = request.out_of_range() {
        return Err(PlanError::new(PlanErrorCode::BogusParameter, format!("{parameter}: {reason}")));
    }
    if request.board_slack + request.alight_slack > request.transfer_slack {
        return Err(PlanError::new(
            PlanErrorCode::SystemError,
            "Invalid parameters: transfer slack must be greater than or equal to board slack plus alight slack",
        ));
    }
    if request.num_itineraries <= 0 {
        return Err(PlanError::new(PlanErrorCode::PathNotFound, "numItineraries must be positive"));
    }
    Ok(())
}

/// Refuses requests with transit modes at a time outside [first service date, last service date + 1 day), wherever in the
/// graph these days begin first and end last.
///
/// # Errors
/// `NO_TRANSIT_TIMES`.
pub(super) fn check_service_period(snapshot: &Snapshot, request: &RoutingRequest) -> Result<(), PlanError> {
    if !request.uses_transit() {
        return Ok(());
    }
    let in_period = match snapshot.service_period_in_all_zones {
        Some((from, until)) => (from..until).contains(&request.epoch_seconds),
        None => false,
    };
    if in_period {
        return Ok(());
    }
    Err(PlanError::new(PlanErrorCode::NoTransitTimes, "the date is outside the period of the transit data"))
}
