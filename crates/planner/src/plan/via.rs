//! Trips via intermediate places: one search per section, joined at the places.

use std::time::Instant;

use trestle_engine::snapshot::Snapshot;
use trestle_model::itinerary::Plan;
use trestle_model::request::PlaceRequest;
use trestle_model::{Mode, PlanError, RoutingRequest};

use super::places::{ResolvedPlace, resolve_ends};
use super::timings::Timings;
use super::{Planner, checks, finish, not_found, on_board, sections, whole_trip};
use crate::itinerary::{Section, SectionContext, SectionEnd, join_sections};

impl Planner<'_> {
    /// Plans a trip via intermediate places: one itinerary or none. Places where the traveller already is are left out.
    pub(super) fn plan_via_places(&mut self, request: &RoutingRequest) -> Result<Plan, PlanError> {
        let snapshot = self.snapshot;
        let started = Instant::now();
        let visited = visited_places(snapshot, request);
        if visited.is_empty() {
            let direct = RoutingRequest { intermediate_places: Vec::new(), ..request.clone() };
            return self.plan(&direct);
        }
        let places: Vec<&PlaceRequest> =
            [&request.from].into_iter().chain(visited).chain([&request.to]).collect();
        let section_count = places.len() - 1;
        let mut sections: Vec<Section> = Vec::new();
        let mut ends: Vec<(ResolvedPlace, ResolvedPlace)> = Vec::new();
        let mut time = request.epoch_seconds;
        let mut timings = Timings::default();
        checks::check_service_period(snapshot, request)?;
        for i in (0..section_count).map(|i| request.direction.pick(i, section_count - 1 - i)) {
            let part = section_request(request, (places[i], places[i + 1]), time, i == 0);
            let part_ends = resolve_ends(snapshot, &part)?;
            let previous = request.direction.pick(sections.last(), None);
            let context = SectionContext {
                snapshot,
                request: &part,
                from: if i == 0 { part_ends.0.requested_end() } else { SectionEnd::Resumed },
                to: if i + 1 == section_count { part_ends.1.requested_end() } else { via(&part_ends.1) },
                previous,
            };
            let found = self.find_sections(&context, &part_ends)?;
            let section =
                found.sections.into_iter().next().ok_or_else(|| not_found(found.timings.timed_out))?;
            time = request.direction.pick(section.itinerary.end_time, section.itinerary.start_time) / 1000;
            timings.precalculation += found.timings.precalculation;
            timings.search += found.timings.search;
            timings.timed_out |= found.timings.timed_out;
            sections.push(section);
            ends.push(part_ends);
        }
        if request.direction.is_backward() {
            sections.reverse();
            ends.reverse();
        }
        let (Some(first), Some(last)) = (ends.first(), ends.last()) else { return Err(not_found(false)) };
        let itinerary = join_sections(&whole_trip(snapshot, request, last), sections);
        let timings = Timings { paths: 1, ..timings };
        finish(request, [&first.0, &last.1], itinerary.into_iter().collect(), &timings, started)
    }
}

/// The intermediate places, except those that are where the last one listed so far (or the start) is, and except those at
/// the end that are where the destination is.
fn visited_places<'a>(snapshot: &Snapshot, request: &'a RoutingRequest) -> Vec<&'a PlaceRequest> {
    let mut visited: Vec<&PlaceRequest> = Vec::new();
    // A vehicle may be anywhere.
    let start = (!on_board::begins_aboard(request)).then_some(&request.from);
    for place in &request.intermediate_places {
        let before = visited.last().copied().or(start);
        let is_first = visited.is_empty();
        if !before.is_some_and(|before| are_one(snapshot, request, (before, place), is_first)) {
            visited.push(place);
        }
    }
    while visited.last().is_some_and(|last| are_one(snapshot, request, (last, &request.to), false)) {
        visited.pop();
    }
    visited
}

fn are_one(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    (from, to): (&PlaceRequest, &PlaceRequest),
    is_first: bool,
) -> bool {
    let mut part = section_request(request, (from, to), request.epoch_seconds, is_first);
    (part.start_transit_stop, part.start_transit_trip) = (None, None);
    // Coordinates far from streets have all stops within a long walk.
    let are_named = [from, to].iter().all(|place| place.position.is_none());
    resolve_ends(snapshot, &part).is_ok_and(|ends| {
        let is_one = ends.0.is_at(&ends.1) || are_named && ends.0.shares_stop(&ends.1);
        is_one && (sections::is_too_close(&ends) || ends.0.is_on_street_of(&ends.1))
    })
}

/// The request of one section: one itinerary, from the arrival of the section before.
fn section_request(
    request: &RoutingRequest,
    (from, to): (&PlaceRequest, &PlaceRequest),
    time: i64,
    is_first: bool,
) -> RoutingRequest {
    let mut part = RoutingRequest {
        from: from.clone(),
        to: to.clone(),
        intermediate_places: Vec::new(),
        epoch_seconds: time,
        num_itineraries: 1,
        ..request.clone()
    };
    if !is_first {
        // These are about the start of the trip.
        (part.start_transit_stop, part.start_transit_trip) = (None, None);
        leave_vehicle(&mut part);
    }
    part
}

/// A traveller who parks or is dropped off does so in the first section, and continues without the vehicle.
fn leave_vehicle(request: &mut RoutingRequest) {
    if !(request.car_park || request.kiss_and_ride || request.bike_park) {
        return;
    }
    (request.car_park, request.kiss_and_ride, request.bike_park) = (false, false, false);
    let may_ride = request.bike_rental && request.modes.has(Mode::Bicycle);
    let on_foot = request.modes.transit_only().with(Mode::Walk);
    request.modes = if may_ride { on_foot.with(Mode::Bicycle) } else { on_foot };
}

fn via(place: &ResolvedPlace) -> SectionEnd {
    SectionEnd::Via { name: place.name.clone(), position: place.position }
}
