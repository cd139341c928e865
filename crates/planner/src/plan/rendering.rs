//! Renders the paths of a search as sections of itineraries, with live data, fares and the names of the request's places.

use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;
use trestle_model::itinerary::Itinerary;
use trestle_street::path::StreetPath;

use super::places::ResolvedPlace;
use crate::fares::fare_of;
use crate::itinerary::{
    FareFunction, ItineraryContext, Section, SectionEnd, SectionPaths, join_sections, street_section,
    transit_section,
};
use crate::live_facts::LiveFacts;

/// Walk limit in metres if the request has none; longer itineraries are only marked.
const DEFAULT_WALK_LIMIT_M: f64 = 2000.0;

pub(super) struct SectionEnds<'a> {
    pub(super) from: SectionEnd,
    pub(super) to: SectionEnd,
    /// The section before this one.
    pub(super) previous: Option<&'a Section>,
}

impl SectionEnds<'_> {
    /// Ends of a section that is the whole trip.
    pub(super) fn whole((from, to): &(ResolvedPlace, ResolvedPlace)) -> Self {
        SectionEnds { from: from.requested_end(), to: to.requested_end(), previous: None }
    }
}

/// Renders the paths between two places.
pub(super) struct Renderer<'a> {
    snapshot: &'a Snapshot,
    request: &'a RoutingRequest,
    ends: &'a SectionEnds<'a>,
    facts: LiveFacts<'a>,
    fare: Box<FareFunction<'a>>,
}

impl<'a> Renderer<'a> {
    pub(super) fn new(
        snapshot: &'a Snapshot,
        request: &'a RoutingRequest,
        ends: &'a SectionEnds<'a>,
    ) -> Self {
        let facts = LiveFacts::new(snapshot, request);
        let fare = Box::new(|payable: &_| fare_of(snapshot, payable));
        Renderer { snapshot, request, ends, facts, fare }
    }

    /// Renders a path on streets only.
    pub(super) fn street(&self, path: &StreetPath) -> Section {
        street_section(&self.snapshot.graph, path, &self.context(), self.ends.previous)
    }

    /// Renders a transit path with the street paths before, after and between the vehicles.
    pub(super) fn transit(&self, paths: &SectionPaths<'_>) -> Section {
        transit_section(&self.snapshot.graph, paths, &self.context(), self.ends.previous)
    }

    /// Joins the sections of a trip via intermediate places.
    pub(super) fn join(&self, sections: Vec<Section>) -> Option<Itinerary> {
        let walk_limit = self.request.max_walk_distance;
        join_sections(sections, &ItineraryContext { walk_limit, ..self.context() })
    }

    fn context(&self) -> ItineraryContext<'_> {
        let request = self.request;
        let given = request.max_walk_distance;
        let walk_limit = match (request.uses_transit(), given.is_finite()) {
            (true, _) => f64::INFINITY,
            (false, true) => given,
            (false, false) => DEFAULT_WALK_LIMIT_M,
        };
        ItineraryContext {
            from: self.ends.from.clone(),
            to: self.ends.to.clone(),
            requested_time: request.epoch_seconds,
            arrive_by: request.arrive_by,
            show_intermediate_stops: request.show_intermediate_stops,
            locale: &request.locale,
            zone: &self.snapshot.zone,
            walk_limit,
            alight_seconds: request.alight_times.map(|seconds| seconds + request.alight_slack),
            facts: &self.facts,
            fare: &*self.fare,
        }
    }
}
