//! Paths on streets alone.

use std::time::Instant;

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::{PlanError, PlanErrorCode, RoutingRequest};
use trestle_street::cost::{StreetCosts, StreetLimits};
use trestle_street::path::StreetPath;
use trestle_street::search::{Direction, Interrupted, StreetQuery, StreetSearch};

use super::places::ResolvedPlace;
use super::{Found, Telling, Timings, not_found};
use crate::fares::fare_of;
use crate::itinerary::{FareFunction, ItineraryContext, street_section};
use crate::live_facts::LiveFacts;
use crate::scratch::Scratch;

/// Walk limit that only marks itineraries when no other was given, metres.
const DEFAULT_WALK_LIMIT_M: f64 = 2000.0;

/// Finds the one street path of a request without transit. Walking limits do not bind it.
pub(super) fn find(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    ends: &(ResolvedPlace, ResolvedPlace),
    telling: &Telling<'_>,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<Found, PlanError> {
    let started = Instant::now();
    let path = search(snapshot, request, ends, StreetLimits::default(), &mut scratch.direct, deadline)
        .map_err(|Interrupted| not_found(true))?;
    let path = path.ok_or_else(|| not_found(false))?;
    if path.seconds == 0 && path.walk_distance_m == 0.0 {
        return Err(PlanError::new(PlanErrorCode::TooClose, "both places are the same"));
    }
    let search = started.elapsed();
    let facts = LiveFacts::new(snapshot, request);
    let fare = |payable: &_| fare_of(snapshot, payable);
    let context = context(snapshot, request, telling, &facts, &fare);
    let sections = vec![street_section(&snapshot.graph, &path, &context, telling.previous)];
    Ok(Found { sections, timings: Timings { search, paths: 1, ..Timings::default() } })
}

/// The cheapest street path between two places, if both join the streets.
pub(super) fn search(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    ends: &(ResolvedPlace, ResolvedPlace),
    limits: StreetLimits,
    memory: &mut StreetSearch,
    deadline: &Deadline,
) -> Result<Option<StreetPath>, Interrupted> {
    let (Some(from), Some(to)) = (&ends.0.linked, &ends.1.linked) else { return Ok(None) };
    let costs = StreetCosts::from_request(request, snapshot.utc_offset(request.epoch_seconds));
    let interrupted = || deadline.passed();
    let query = StreetQuery {
        stations: Some(snapshot.rental_at(request.epoch_seconds)),
        limits,
        interrupted: &interrupted,
        ..StreetQuery::new(&snapshot.graph.street, &costs)
    };
    let direction = Direction::from_known_time(request.arrive_by);
    memory.route(&query, from, to, direction)
}

/// What the narrative needs to know of a request.
pub(super) fn context<'a>(
    snapshot: &'a Snapshot,
    request: &'a RoutingRequest,
    telling: &Telling<'_>,
    facts: &'a LiveFacts<'a>,
    fare: &'a FareFunction<'a>,
) -> ItineraryContext<'a> {
    let given = request.max_walk_distance;
    let walk_limit = match (request.uses_transit(), given.is_finite()) {
        (true, _) => f64::INFINITY,
        (false, true) => given,
        (false, false) => DEFAULT_WALK_LIMIT_M,
    };
    ItineraryContext {
        from: telling.from.clone(),
        to: telling.to.clone(),
        requested_time: request.epoch_seconds,
        arrive_by: request.arrive_by,
        show_intermediate_stops: request.show_intermediate_stops,
        locale: &request.locale,
        zone: &snapshot.zone,
        walk_limit,
        alight_seconds: request.alight_times.map(|seconds| seconds + request.alight_slack),
        too_sloped: false,
        facts,
        fare,
    }
}
