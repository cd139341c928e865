//! The stop at which the first vehicle has to be boarded (`startTransitStopId`): clients ask so for the trip before or
//! after one that they show.

use trestle_engine::graph::Graph;
use trestle_model::ids::StopIdx;
use trestle_model::{PlanError, PlanErrorCode, RoutingRequest};

use super::places::boardable;

/// The stops that the request names, a stop or those of a station, if it names any.
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
