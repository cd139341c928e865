//! Planning: from a request to itineraries.
//!
//! link the places → walk (cycle, drive) to and from stops → search the timetable → search the streets alone →
//! choose → tell.

mod checks;
mod choice;
mod first_boarding;
mod on_board;
mod places;
mod sections;
mod street_paths;
mod transit_paths;

use std::time::{Duration, Instant};

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::itinerary::{Itinerary, Place, Plan, PlanTimings};
use trestle_model::{PlanError, PlanErrorCode, RoutingRequest};

use crate::itinerary::{Section, SectionEnd};
use crate::scratch::Scratch;
use places::ResolvedPlace;
pub use transit_paths::transit_ends;

/// Plans the itineraries of a request.
///
/// # Errors
/// [`PlanError`]: there is no answer, and why.
pub fn plan(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<Plan, PlanError> {
    checks::check(request)?;
    if !request.intermediate_places.is_empty() {
        return sections::plan_via(snapshot, request, scratch, deadline);
    }
    let started = Instant::now();
    let ends = places::resolve_ends(snapshot, request)?;
    checks::check_service_period(snapshot, request)?;
    let told = Telling::whole(&ends);
    let found = find_sections(snapshot, request, &ends, &told, scratch, deadline)?;
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

/// No itinerary: because there is none, or because the time was up first.
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

/// How the ends of a section are told.
struct Telling<'a> {
    from: SectionEnd,
    to: SectionEnd,
    previous: Option<&'a Section>,
}

impl Telling<'_> {
    /// A section that is the whole trip.
    fn whole(ends: &(ResolvedPlace, ResolvedPlace)) -> Self {
        Telling { from: ends.0.requested_end(), to: ends.1.requested_end(), previous: None }
    }
}

/// Paths told as sections, the search's own order.
struct Found {
    sections: Vec<Section>,
    timings: Timings,
}

/// Where the time went, as durations.
#[derive(Clone, Debug, Default)]
struct Timings {
    precalculation: Duration,
    search: Duration,
    paths: usize,
    timed_out: bool,
}

impl Timings {
    fn finish(&self, started: Instant) -> PlanTimings {
        let millis = |d: Duration| d.as_millis().min(u128::from(u32::MAX)) as u32;
        let rendering = started.elapsed().saturating_sub(self.precalculation + self.search);
        let share = millis(self.search) / self.paths.max(1) as u32;
        PlanTimings {
            precalculation: millis(self.precalculation),
            path_calculation: millis(self.search),
            paths: vec![share; self.paths],
            rendering: millis(rendering),
            timed_out: self.timed_out,
        }
    }
}

/// Finds and tells the paths between two resolved places.
fn find_sections(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    ends: &(ResolvedPlace, ResolvedPlace),
    telling: &Telling<'_>,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<Found, PlanError> {
    if request.start_transit_trip.is_none() && is_trivial(ends) {
        return Err(PlanError::new(PlanErrorCode::TooClose, "both places lie on the same street segment"));
    }
    if request.uses_transit() {
        transit_paths::find(snapshot, request, ends, telling, scratch, deadline)
    } else {
        street_paths::find(snapshot, request, ends, telling, scratch, deadline)
    }
}

/// Whether both places are the same, or cut the same piece of street.
fn is_trivial(ends: &(ResolvedPlace, ResolvedPlace)) -> bool {
    let (from, to) = ends;
    match (&from.linked, &to.linked) {
        (Some(a), Some(b)) if from.stops.is_empty() && to.stops.is_empty() => {
            a.shares_edge_with(b) || (!a.vertices.is_empty() && a.vertices == b.vertices)
        }
        _ => from.stops.iter().any(|stop| to.stops.contains(stop)),
    }
}
