//! The stop where the first vehicle must be boarded (`startTransitStopId`). Clients use it to find the trip before or after
//! one that they show.

use trestle_engine::graph::Graph;
use trestle_model::ids::StopIdx;
use trestle_model::{PlanError, PlanErrorCode, RoutingRequest};

use super::places::boardable;

/// The stop that the request names, or the stops of the station.
///
/// # Errors
/// `BOGUS_PARAMETER` for an unknown stop.
pub(super) fn stops(graph: &Graph, request: &RoutingRequest) -> Result<Option<Vec<StopIdx>>, PlanError> {
    let Some(id) = request.start_transit_stop.as_deref() else { return Ok(None) };
    let stop = graph.timetable.stop_by_id(id).ok_or_else(|| {
        PlanError::new(PlanErrorCode::BogusParameter, format!("startTransitStopId: unknown stop {id}"))
    })?;
    Ok(Some(boardable(graph, stop)))
}
