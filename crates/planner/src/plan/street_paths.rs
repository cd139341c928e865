//! Paths on streets only.

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::{Direction, PlanError, PlanErrorCode, RoutingRequest};
use trestle_street::cost::{StreetCosts, StreetLimits};
use trestle_street::link::LinkedPlace;
use trestle_street::path::StreetPath;
use trestle_street::search::{Interrupted, StreetMetrics, StreetQuery, StreetSearch};

use super::{SectionQuery, not_found};

/// The path of a request without transit, without walking limits.
///
/// # Errors
/// There is no path, the path has no length, or the search ran out of time.
pub(super) fn without_transit(
    query: &SectionQuery<'_>,
    memory: &mut StreetSearch,
) -> Result<StreetPath, PlanError> {
    let found = search(query, StreetLimits::default(), StreetSearch::route_from_either_end, memory);
    let path = found.map_err(|Interrupted| not_found(true))?;
    let path = path.ok_or_else(|| not_found(false))?;
    leading_somewhere(path, query)?.ok_or_else(|| not_found(false))
}

/// The path that competes with transit paths, if one is found within the limits and in time.
///
/// # Errors
/// The path leads nowhere: the traveller is there already and needs no vehicle.
pub(super) fn beside_transit(
    query: &SectionQuery<'_>,
    memory: &mut StreetSearch,
) -> Result<Option<StreetPath>, PlanError> {
    let limits = StreetLimits::around_transit(query.request);
    // A search keeps the cheapest path to each vertex. On foot or by bike alone that is nearly the shortest one, but by both
    // it may ride so far that the rest of the way is beyond the limit, where a shorter one is not.
    let rides_and_walks = query.request.bike_rental || query.request.bike_park;
    let find = if rides_and_walks { StreetSearch::route_from_either_end } else { StreetSearch::route };
    let path = search(query, limits, find, memory).unwrap_or_default();
    let Some(path) = path else { return Ok(None) };
    Ok(leading_somewhere(path, query)?.filter(|path| path.seconds > 0))
}

/// The path, unless it leads nowhere because both places are linked to the same point: no path between stops far apart.
fn leading_somewhere(path: StreetPath, query: &SectionQuery<'_>) -> Result<Option<StreetPath>, PlanError> {
    let (from, to) = query.ends;
    match (path.is_trivial(), from.is_around(to)) {
        (false, _) => Ok(Some(path)),
        (true, true) => Err(PlanError::new(PlanErrorCode::TooClose, "both places are the same")),
        (true, false) => Ok(None),
    }
}

/// Makes the metrics of street searches for a request in advance, so that even the first of them has one. Returns false for
/// requests whose searches have none.
///
/// # Errors
/// [`Interrupted`] if the deadline passed first.
pub fn prepare_street_paths(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    deadline: &Deadline,
) -> Result<bool, Interrupted> {
    let costs = StreetCosts::from_request(request, snapshot.utc_offset(request.epoch_seconds));
    let query = StreetQuery {
        interrupted: deadline.interrupted(),
        ..StreetQuery::new(&snapshot.graph.street, &costs)
    };
    let metrics: &StreetMetrics = snapshot.derived_from_streets.get();
    metrics.prepare(&query, direction(request, &costs))
}

/// The direction of the search. A path that is found only along travel costs the same at any time, so it can be searched
/// for in that direction even where the time of arrival is given.
fn direction(request: &RoutingRequest, costs: &StreetCosts) -> Direction {
    match costs.street_mode.is_routed_along_travel_only() {
        true => Direction::Forward,
        false => request.direction,
    }
}

/// Finds a path between two places.
type FindPath = fn(
    &mut StreetSearch,
    &StreetQuery<'_>,
    &LinkedPlace,
    &LinkedPlace,
    Direction,
) -> Result<Option<StreetPath>, Interrupted>;

/// The cheapest street path between two places, if both are linked to streets.
fn search(
    &SectionQuery { snapshot, request, ends, deadline }: &SectionQuery<'_>,
    limits: StreetLimits,
    find: FindPath,
    memory: &mut StreetSearch,
) -> Result<Option<StreetPath>, Interrupted> {
    let (Some(from), Some(to)) = (&ends.0.linked, &ends.1.linked) else { return Ok(None) };
    let costs = StreetCosts::from_request(request, snapshot.utc_offset(request.epoch_seconds));
    let query = StreetQuery {
        stations: Some(snapshot.bike_stations_at(request.epoch_seconds)),
        limits,
        metrics: Some(snapshot.derived_from_streets.get()),
        interrupted: deadline.interrupted(),
        ..StreetQuery::new(&snapshot.graph.street, &costs)
    };
    find(memory, &query, from, to, direction(request, &costs))
}
