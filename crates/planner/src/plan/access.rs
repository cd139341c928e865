//! Access and egress: stops that can be reached from the start, and stops from which the destination can be reached.

use trestle_engine::graph::Graph;
use trestle_engine::snapshot::Snapshot;
use trestle_engine::station_edges::StationEdges;
use trestle_model::ids::StopIdx;
use trestle_model::{Direction, PlanError, RoutingRequest};
use trestle_street::cost::{StreetCosts, StreetLimits, WalkPace};
use trestle_street::path::StreetPath;
use trestle_street::search::{Interrupted, LinkedBikeStations, NearbyStops, StreetQuery, StreetSearch};
use trestle_transit::path::{TransferWalk, TransitPath};
use trestle_transit::raptor::Endpoint;

use super::not_found;
use super::places::{self, ResolvedPlace};
use crate::scratch::Scratch;

/// The search for the path of a transfer covers at least this many seconds of walking.
const LEAST_TRANSFER_SECONDS: i32 = 600;

/// Access and egress of a plan request, for programs that search for transit paths themselves.
///
/// # Errors
/// Those of [`super::plan`].
pub fn transit_ends(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    scratch: &mut Scratch,
) -> Result<(Vec<Endpoint>, Vec<Endpoint>), PlanError> {
    let timed_out = |Interrupted| not_found(true);
    let (from, to) = places::resolve_ends(snapshot, request)?;
    let streets = StreetsAround::new(snapshot, request);
    let access = streets.access(&from, &mut scratch.access, &|| false).map_err(timed_out)?;
    let egress = streets.egress(&to, &mut scratch.egress, &|| false).map_err(timed_out)?;
    Ok((access.endpoints, egress.endpoints))
}

/// Stops around a place, and the street search that knows the paths to them.
#[derive(Default)]
pub(super) struct NearStops<'m> {
    endpoints: Vec<Endpoint>,
    /// Index of each endpoint's stop in `reached`; `None` for a stop where the traveller already is.
    by: Vec<Option<usize>>,
    reached: Option<NearbyStops<'m>>,
}

impl NearStops<'_> {
    pub(super) fn stops(&self) -> impl Iterator<Item = StopIdx> + '_ {
        self.endpoints.iter().map(|endpoint| endpoint.stop)
    }

    pub(super) fn endpoints(&self) -> &[Endpoint] {
        &self.endpoints
    }

    /// The street path of an endpoint; empty if the traveller already is at the stop.
    pub(super) fn path(&self, endpoint: usize) -> StreetPath {
        match (self.by[endpoint], &self.reached) {
            (Some(number), Some(reached)) => reached.path_to(number),
            _ => StreetPath::default(),
        }
    }

    /// Removes all endpoints except those at some stops.
    pub(super) fn keep(&mut self, stops: &[StopIdx]) {
        let (endpoints, by) = (self.endpoints.iter().zip(&self.by))
            .filter(|(endpoint, _)| stops.contains(&endpoint.stop))
            .map(|(endpoint, by)| (*endpoint, *by))
            .unzip();
        (self.endpoints, self.by) = (endpoints, by);
    }

    fn add(&mut self, endpoint: Endpoint, by: Option<usize>) {
        self.endpoints.push(endpoint);
        self.by.push(by);
    }

    /// Adds the other stops of the same stations at no further cost, where that is cheaper than the streets.
    fn add_other_stops_of_stations(&mut self, edges: StationEdges<'_>) {
        let costs: Vec<_> = self.endpoints.iter().map(|end| (end.stop, end.cost)).collect();
        for (stop, i) in edges.cheaper_others(&costs) {
            self.add(Endpoint { stop, ..self.endpoints[i] }, self.by[i]);
        }
    }
}

/// The streets before and after transit.
pub(super) struct StreetsAround<'a> {
    graph: &'a Graph,
    stations: &'a LinkedBikeStations,
    wheelchair: bool,
    limits: StreetLimits,
    before: StreetCosts,
    after: StreetCosts,
}

impl<'a> StreetsAround<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, request: &RoutingRequest) -> Self {
        let before = StreetCosts::from_request(request, snapshot.utc_offset(request.epoch_seconds));
        let after = before.for_mode(before.street_mode.after_transit());
        let stations = snapshot.bike_stations_at(request.epoch_seconds);
        let limits = StreetLimits::around_transit(request);
        StreetsAround {
            graph: &snapshot.graph,
            stations,
            wheelchair: request.wheelchair,
            limits,
            before,
            after,
        }
    }

    /// Stops that can be reached from the start.
    pub(super) fn access<'m>(
        &'m self,
        from: &'m ResolvedPlace,
        memory: &'m mut StreetSearch,
        interrupted: &'m dyn Fn() -> bool,
    ) -> Result<NearStops<'m>, Interrupted> {
        self.near(from, Direction::Forward, &self.before, memory, interrupted)
    }

    /// Stops from which the destination can be reached.
    pub(super) fn egress<'m>(
        &'m self,
        to: &'m ResolvedPlace,
        memory: &'m mut StreetSearch,
        interrupted: &'m dyn Fn() -> bool,
    ) -> Result<NearStops<'m>, Interrupted> {
        self.near(to, Direction::Backward, &self.after, memory, interrupted)
    }

    fn near<'m>(
        &'m self,
        place: &'m ResolvedPlace,
        direction: Direction,
        costs: &'m StreetCosts,
        memory: &'m mut StreetSearch,
        interrupted: &'m dyn Fn() -> bool,
    ) -> Result<NearStops<'m>, Interrupted> {
        let mut near = NearStops::default();
        for &stop in &place.stops {
            near.add(Endpoint { stop, seconds: 0, cost: 0.0 }, None);
        }
        if let Some(linked) = &place.linked {
            let query = StreetQuery {
                stations: Some(self.stations),
                limits: self.limits,
                interrupted,
                ..StreetQuery::new(&self.graph.street, costs)
            };
            let link_seconds = |stop: u32| self.graph.stop_link_seconds(StopIdx(stop));
            let reached = memory.nearby_stops(&query, linked, direction, &link_seconds)?;
            for (number, reach) in reached.stops().iter().enumerate() {
                let stop = StopIdx(reach.stop);
                near.add(Endpoint { stop, seconds: reach.seconds, cost: reach.weight }, Some(number));
            }
            near.reached = Some(reached);
        }
        near.add_other_stops_of_stations(self.graph.station_edges(direction, self.wheelchair));
        Ok(near)
    }

    /// The street paths of the walks between the vehicles of a path; none for pathways and straight lines.
    pub(super) fn transfer_paths(
        &self,
        path: &TransitPath,
        memory: &mut StreetSearch,
    ) -> Vec<Option<StreetPath>> {
        let request = RoutingRequest { wheelchair: self.wheelchair, ..RoutingRequest::default() };
        let costs = StreetCosts::from_request(&request, 0);
        let (query, pace) = (StreetQuery::new(&self.graph.street, &costs), WalkPace::of(&request));
        let walks = path.transfers.iter().map(|walk| walk.filter(|walk| !walk.pathway && !walk.straight));
        let mut path_of = |walk: TransferWalk| {
            // Slopes, stairs and elevators take more time than the metres alone.
            let most = LEAST_TRANSFER_SECONDS.max(2 * pace.seconds(walk.meters) as i32);
            memory.transfer_path(&query, walk.from_stop.0, walk.to_stop.0, most)
        };
        walks.map(|walk| walk.and_then(&mut path_of)).collect()
    }
}
