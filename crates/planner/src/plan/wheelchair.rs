//! Plans for wheelchairs where nothing is found within the limit of slopes.

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::itinerary::Plan;
use trestle_model::{Direction, PlanError, PlanErrorCode, RoutingRequest};
use trestle_street::cost::{StreetCosts, StreetLimits, StreetMode};
use trestle_street::link::LinkedPlace;
use trestle_street::search::{Interrupted, StreetQuery, StreetSearch};

use super::Planner;
use super::access::StreetsAround;
use super::places::{ResolvedPlace, resolve_ends};

/// Travellers who get to fewer corners count as cut off, as on the islands of streets that builds close.
const LEAST_CORNERS: usize = 40;

/// Corners are counted at least this far from a place, metres, because a request with a low walking limit gets to few of
/// them anywhere.
const COUNTED_WITHIN_M: f64 = 5000.0;

impl Planner<'_> {
    /// The plan within the slope limit of a wheelchair. If there is none, itineraries over steeper streets, marked.
    ///
    /// # Errors
    /// Those of the plan; `LOCATION_NOT_ACCESSIBLE` if there is none because a wheelchair cannot leave or reach a place.
    pub(super) fn plan_for_wheelchair(&mut self, request: &RoutingRequest) -> Result<Plan, PlanError> {
        match self.plan_within_limits(request) {
            Err(error) if request.wheelchair && error.code == PlanErrorCode::PathNotFound => {
                let steep = RoutingRequest { max_slope: f64::INFINITY, ..request.clone() };
                let beyond = self.plan_beyond_limit(&steep)?;
                beyond.ok_or_else(|| self.inaccessible_end(&steep).unwrap_or(error))
            }
            found => found,
        }
    }

    /// The plan without a limit of slopes, if there are slopes and a plan.
    ///
    /// # Errors
    /// The search ran out of time.
    fn plan_beyond_limit(&mut self, steep: &RoutingRequest) -> Result<Option<Plan>, PlanError> {
        if self.snapshot.graph.street.max_slopes.is_empty() {
            return Ok(None);
        }
        match self.plan_within_limits(steep) {
            Ok(mut plan) => {
                plan.itineraries.iter_mut().for_each(|itinerary| itinerary.too_sloped = true);
                Ok(Some(plan))
            }
            Err(error) if error.code == PlanErrorCode::RequestTimeout => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// The error that names the start or the destination if it is cut off; `None` if neither is, or in case of doubt.
    fn inaccessible_end(&mut self, steep: &RoutingRequest) -> Option<PlanError> {
        // Drivers stay in their cars.
        if StreetMode::of(steep) == StreetMode::Car && !steep.uses_transit() {
            return None;
        }
        let ends = resolve_ends(self.snapshot, steep).ok()?;
        let surroundings = Surroundings { snapshot: self.snapshot, request: steep, deadline: self.deadline };
        let memory = &mut self.scratch.direct;
        let mut is_cut_off =
            |place, direction| surroundings.is_cut_off(place, direction, memory).unwrap_or(false);
        let reason = if is_cut_off(&ends.0, Direction::Forward) {
            "fromPlace: cannot be left in a wheelchair"
        } else if is_cut_off(&ends.1, Direction::Backward) {
            "toPlace: cannot be reached in a wheelchair"
        } else {
            return None;
        };
        Some(PlanError::new(PlanErrorCode::LocationNotAccessible, reason))
    }
}

/// What is around the places of a request.
struct Surroundings<'a> {
    snapshot: &'a Snapshot,
    request: &'a RoutingRequest,
    deadline: &'a Deadline,
}

impl Surroundings<'_> {
    /// Whether a wheelchair gets to no stop and hardly any corner, where someone on foot gets to more corners.
    fn is_cut_off(
        &self,
        place: &ResolvedPlace,
        direction: Direction,
        memory: &mut StreetSearch,
    ) -> Result<bool, Interrupted> {
        if self.gets_to_a_stop(place, direction, memory)? {
            return Ok(false);
        }
        // A vehicle in which the trip begins has neither.
        let Some(linked) = &place.linked else { return Ok(!place.stops.is_empty()) };
        let corners = self.corners(linked, self.request, direction, memory)?;
        if corners >= LEAST_CORNERS {
            return Ok(false);
        }
        let on_foot = RoutingRequest { wheelchair: false, ..self.request.clone() };
        Ok(self.corners(linked, &on_foot, direction, memory)? > corners)
    }

    fn gets_to_a_stop(
        &self,
        place: &ResolvedPlace,
        direction: Direction,
        memory: &mut StreetSearch,
    ) -> Result<bool, Interrupted> {
        let streets = StreetsAround::new(self.snapshot, self.request, self.deadline);
        let near = streets.near(place, direction, memory)?;
        let stops = &self.snapshot.graph.timetable.stops;
        Ok(near.stops().any(|stop| !stops.bars_wheelchairs(stop)))
    }

    /// Number of corners around a place, also beyond the limits of the request.
    fn corners(
        &self,
        place: &LinkedPlace,
        request: &RoutingRequest,
        direction: Direction,
        memory: &mut StreetSearch,
    ) -> Result<usize, Interrupted> {
        let costs = StreetCosts::from_request(request, self.snapshot.utc_offset(request.epoch_seconds));
        let usual = RoutingRequest::default();
        let limits = StreetLimits {
            max_walk_distance: request.max_walk_distance.max(COUNTED_WITHIN_M),
            max_pre_transit_seconds: request.max_pre_transit_time.max(usual.max_pre_transit_time),
            ..StreetLimits::default()
        };
        let query = StreetQuery {
            stations: Some(self.snapshot.bike_stations_at(request.epoch_seconds)),
            limits,
            interrupted: self.deadline.interrupted(),
            ..StreetQuery::new(&self.snapshot.graph.street, &costs)
        };
        Ok(memory.tree_from_place(&query, place, direction)?.reached().count())
    }
}
