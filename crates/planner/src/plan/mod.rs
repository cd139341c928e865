//! Plans itineraries: checks the request, links its places, finds the paths between them (`sections`) and sorts them.

mod access;
mod checks;
mod choice;
mod first_boarding;
mod on_board;
mod places;
mod section_query;
mod sections;
mod street_paths;
mod timetable_search;
mod timings;
mod via;
mod wheelchair;

use std::time::Instant;

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::itinerary::{Itinerary, Place, Plan};
use trestle_model::{PlanError, PlanErrorCode, RoutingRequest};

pub use access::transit_ends;
pub use street_paths::prepare_street_paths;

use crate::itinerary::SectionContext;
use crate::scratch::Scratch;
use places::ResolvedPlace;
use section_query::SectionQuery;
use timings::Timings;

/// Plans the itineraries of a request.
///
/// # Errors
/// [`PlanError`] with the reason why there is no itinerary.
pub fn plan(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<Plan, PlanError> {
    checks::check(request)?;
    wheelchair::plan(snapshot, request, scratch, deadline)
}

/// Plans a request that has been checked.
fn within_limits(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<Plan, PlanError> {
    if !request.intermediate_places.is_empty() {
        return via::plan(snapshot, request, scratch, deadline);
    }
    let started = Instant::now();
    let ends = places::resolve_ends(snapshot, request)?;
    checks::check_service_period(snapshot, request)?;
    let query = SectionQuery { snapshot, request, ends: &ends, deadline };
    let found = sections::find(&query, &whole_trip(snapshot, request, &ends), scratch)?;
    let itineraries = found.sections.into_iter().map(|section| section.itinerary).collect();
    finish(request, [&ends.0, &ends.1], itineraries, &found.timings, started)
}

/// The plan of these itineraries, without those that are too long.
///
/// # Errors
/// When no itinerary is left.
fn finish(
    request: &RoutingRequest,
    [from, to]: [&ResolvedPlace; 2],
    mut itineraries: Vec<Itinerary>,
    timings: &Timings,
    started: Instant,
) -> Result<Plan, PlanError> {
    choice::drop_too_long(request, &mut itineraries);
    choice::sort(request, &mut itineraries);
    if itineraries.is_empty() {
        return Err(not_found(timings.timed_out));
    }
    Ok(Plan {
        date: request.epoch_seconds * 1000,
        from: end_place(from),
        to: end_place(to),
        itineraries,
        timings: timings.finish(started),
    })
}

/// What the only section of a trip is rendered from, or the last one of a trip via intermediate places.
fn whole_trip<'a>(
    snapshot: &'a Snapshot,
    request: &'a RoutingRequest,
    (from, to): &(ResolvedPlace, ResolvedPlace),
) -> SectionContext<'a> {
    SectionContext { snapshot, request, from: from.requested_end(), to: to.requested_end(), previous: None }
}

/// The error for a search that found nothing or ran out of time.
fn not_found(timed_out: bool) -> PlanError {
    match timed_out {
        true => PlanError::new(PlanErrorCode::RequestTimeout, "the search ran out of time"),
        false => PlanError::new(PlanErrorCode::PathNotFound, "no itinerary was found"),
    }
}

/// The start or destination of a plan as a place.
fn end_place(place: &ResolvedPlace) -> Place {
    Place {
        name: place.name.clone(),
        lat: place.position.lat,
        lon: place.position.lon,
        orig: Some(place.orig.clone()),
        ..Place::default()
    }
}
