//! Finds the sections of itineraries between two places: access, egress, search, choice, rendering.

use std::time::Instant;

use trestle_model::{Direction, PlanError, PlanErrorCode};
use trestle_street::search::Interrupted;

use super::access::{NearStops, StreetsAround};
use super::places::{self, ResolvedPlace};
use super::timetable_search::{self, TimetableEnds};
use super::timings::Timings;
use super::{Planner, SectionQuery, choice, not_found, on_board, street_paths};
use crate::itinerary::{Section, SectionContext, SectionPaths, street_section, transit_section};
use crate::scratch::Scratch;

/// Rendered paths, in the order of the search.
pub(super) struct Found {
    pub(super) sections: Vec<Section>,
    pub(super) timings: Timings,
}

impl Planner<'_> {
    /// Finds and renders the paths between two places.
    pub(super) fn find_sections(
        &mut self,
        context: &SectionContext<'_>,
        ends: &(ResolvedPlace, ResolvedPlace),
    ) -> Result<Found, PlanError> {
        let &SectionContext { snapshot, request, .. } = context;
        if !on_board::begins_aboard(request) && is_too_close(ends) {
            return Err(PlanError::new(PlanErrorCode::TooClose, "both places are the same"));
        }
        let query = SectionQuery { snapshot, request, ends, deadline: self.deadline };
        if request.uses_transit() {
            return with_transit(&query, context, self.scratch);
        }
        let started = Instant::now();
        let path = street_paths::without_transit(&query, &mut self.scratch.direct)?;
        let timings = Timings { search: started.elapsed(), paths: 1, ..Timings::default() };
        Ok(Found { sections: vec![street_section(context, &path)], timings })
    }
}

/// The cheapest of the transit paths and, if it is within the limits, the street path.
fn with_transit(
    query: &SectionQuery<'_>,
    context: &SectionContext<'_>,
    scratch: &mut Scratch,
) -> Result<Found, PlanError> {
    let &SectionQuery { snapshot, request, ends, deadline } = query;
    let started = Instant::now();
    let Scratch { access: access_memory, egress: egress_memory, direct, transit } = scratch;
    let timed_out = |Interrupted| not_found(true);
    let streets = StreetsAround::new(snapshot, request, deadline);
    let on_board = on_board::start(snapshot, request, ends.0.position)?;
    let first_boarding = places::first_boarding(&snapshot.graph, request)?;

    let mut access = match on_board {
        Some(_) => NearStops::default(),
        None => streets.near(&ends.0, Direction::Forward, access_memory).map_err(timed_out)?,
    };
    if let Some(stops) = &first_boarding {
        access.keep(stops);
    }

    let egress = streets.near(&ends.1, Direction::Backward, egress_memory).map_err(timed_out)?;
    let precalculation = started.elapsed();

    let may_stay_on_streets = on_board.is_none() && first_boarding.is_none();
    let on_streets = match may_stay_on_streets {
        true => {
            let paths =
                [street_paths::beside_transit(query, direct)?, streets.dropped_off_at(&ends.1, &access)];
            paths.into_iter().flatten().min_by(|a, b| a.weight.total_cmp(&b.weight))
        }
        false => None,
    };
    let between =
        TimetableEnds { access: &access, egress: &egress, on_board, on_streets: on_streets.as_ref() };
    let answer = timetable_search::search(query, &between, transit);

    let mut paths = answer.paths;
    let on_streets = on_streets.filter(|path| choice::make_room(request, &mut paths, path));
    let search = started.elapsed() - precalculation;

    let mut sections: Vec<Section> = on_streets.iter().map(|path| street_section(context, path)).collect();
    for transit in &paths {
        let before = transit.access.map(|endpoint| access.path(endpoint));
        let after = egress.path(transit.egress);
        let transfers = &streets.transfer_paths(transit, direct);
        let straight = [
            transit.access.and_then(|endpoint| access.straight_walk(endpoint)),
            egress.straight_walk(transit.egress),
        ];
        let paths = SectionPaths { transit, access: before.as_ref(), egress: &after, straight, transfers };
        sections.push(transit_section(context, &paths));
    }
    let timings = Timings { precalculation, search, paths: sections.len(), timed_out: answer.stopped };
    Ok(Found { sections, timings })
}

/// Whether both places are the same: at the same corner, or with a stop in common.
pub(super) fn is_too_close((from, to): &(ResolvedPlace, ResolvedPlace)) -> bool {
    let is_same_corner = match (&from.linked, &to.linked) {
        (Some(a), Some(b)) => !a.vertices.is_empty() && a.vertices == b.vertices && from.is_around(to),
        _ => false,
    };
    is_same_corner || from.shares_stop(to)
}
