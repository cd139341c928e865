//! Plans itineraries: checks the request, links its places, finds the paths between them (`sections`) and sorts them.

mod access;
mod checks;
mod choice;
mod first_boarding;
mod on_board;
mod places;
mod rendering;
mod section_query;
mod sections;
mod street_paths;
mod timetable_search;
mod timings;
mod via;

use std::time::Instant;

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::itinerary::{Itinerary, Place, Plan};
use trestle_model::{PlanError, PlanErrorCode, RoutingRequest};

pub use access::transit_ends;
pub use street_paths::prepare_street_paths;

use crate::scratch::Scratch;
use places::ResolvedPlace;
use rendering::SectionEnds;
use section_query::SectionQuery;

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
    if !request.intermediate_places.is_empty() {
        return via::plan(snapshot, request, scratch, deadline);
    }
    let started = Instant::now();
    let ends = places::resolve_ends(snapshot, request)?;
    checks::check_service_period(snapshot, request)?;
    let section_ends = SectionEnds::whole(&ends);
    let query = SectionQuery { snapshot, request, ends: &ends, deadline };
    let found = sections::find(&query, &section_ends, scratch)?;
    let mut itineraries: Vec<Itinerary> = found.sections.into_iter().map(|s| s.itinerary).collect();
    choice::drop_too_long(request, &mut itineraries);
    choice::sort(request, &mut itineraries);
    if itineraries.is_empty() {
        return Err(not_found(found.timings.timed_out));
    }
    let timings = found.timings.finish(started);
    Ok(Plan {
        date: request.epoch_seconds * 1000,
        from: end_place(&ends.0),
        to: end_place(&ends.1),
        itineraries,
        timings,
    })
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
