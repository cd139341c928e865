//! Plans itineraries: checks the request, links its places, finds the paths between them (`sections`) and sorts them.

mod access;
mod checks;
mod choice;
mod on_board;
mod places;
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
    Planner { snapshot, scratch, deadline }.plan(request)
}

/// What a request, and other requests that it is divided into or replaced by, are planned with.
struct Planner<'a> {
    snapshot: &'a Snapshot,
    scratch: &'a mut Scratch,
    deadline: &'a Deadline,
}

impl Planner<'_> {
    fn plan(&mut self, request: &RoutingRequest) -> Result<Plan, PlanError> {
        checks::check(request)?;
        self.plan_for_wheelchair(request)
    }

    /// Plans a request that has been checked.
    fn plan_within_limits(&mut self, request: &RoutingRequest) -> Result<Plan, PlanError> {
        if !request.intermediate_places.is_empty() {
            return self.plan_via_places(request);
        }
        let started = Instant::now();
        let ends = places::resolve_ends(self.snapshot, request)?;
        checks::check_service_period(self.snapshot, request)?;
        let found = self.find_sections(&whole_trip(self.snapshot, request, &ends), &ends)?;
        let itineraries = found.sections.into_iter().map(|section| section.itinerary).collect();
        finish(request, [&ends.0, &ends.1], itineraries, &found.timings, started)
    }
}

/// What the searches between two places read. The paths that they find are rendered from a [`SectionContext`].
struct SectionQuery<'a> {
    snapshot: &'a Snapshot,
    request: &'a RoutingRequest,
    ends: &'a (ResolvedPlace, ResolvedPlace),
    deadline: &'a Deadline,
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
