//! Access and egress: stops that can be reached from the start, and stops from which the destination can be reached.

use trestle_engine::deadline::Deadline;
use trestle_engine::graph::Graph;
use trestle_engine::snapshot::Snapshot;
use trestle_engine::station_edges::StationEdges;
use trestle_model::geo::distance_m;
use trestle_model::ids::StopIdx;
use trestle_model::{Direction, PlanError, RoutingRequest};
use trestle_street::cost::{StreetCosts, StreetLimits, StreetMode, WalkPace, walk_cost};
use trestle_street::path::StreetPath;
use trestle_street::search::{
    Interrupted, LinkedBikeStations, NearbyStop, NearbyStops, StreetQuery, StreetSearch,
};
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
    let unlimited = Deadline::default();
    let streets = StreetsAround::new(snapshot, request, &unlimited);
    let access = streets.near(&from, Direction::Forward, &mut scratch.access).map_err(timed_out)?;
    let egress = streets.near(&to, Direction::Backward, &mut scratch.egress).map_err(timed_out)?;
    Ok((access.endpoints, egress.endpoints))
}

/// The way between a place and a stop.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// The traveller already is at the stop.
    None,
    /// Along streets: the index in `reached`.
    Streets(usize),
    /// A straight walk between two stops that are linked to one point of the streets, which may be far apart.
    Straight(TransferWalk),
}

/// Stops around a place, and the street search that knows the paths to them.
#[derive(Default)]
pub(super) struct NearStops<'m> {
    endpoints: Vec<Endpoint>,
    /// How each endpoint's stop is reached.
    by: Vec<Way>,
    reached: Option<NearbyStops<'m>>,
}

impl NearStops<'_> {
    pub(super) fn stops(&self) -> impl Iterator<Item = StopIdx> + '_ {
        self.endpoints.iter().map(|endpoint| endpoint.stop)
    }

    pub(super) fn endpoints(&self) -> &[Endpoint] {
        &self.endpoints
    }

    /// The street path of an endpoint; empty if no street leads there.
    pub(super) fn path(&self, endpoint: usize) -> StreetPath {
        match (self.by[endpoint], &self.reached) {
            (Way::Streets(number), Some(reached)) => reached.path_to(number),
            _ => StreetPath::default(),
        }
    }

    /// The cheapest path along streets to one of some stops.
    fn cheapest_path_to(&self, stops: &[StopIdx]) -> Option<StreetPath> {
        let is_there = |&end: &usize| {
            stops.contains(&self.endpoints[end].stop) && matches!(self.by[end], Way::Streets(_))
        };
        let ends = (0..self.endpoints.len()).filter(is_there);
        ends.min_by(|&a, &b| self.endpoints[a].cost.total_cmp(&self.endpoints[b].cost))
            .map(|end| self.path(end))
    }

    /// The walk of an endpoint that does not follow streets.
    pub(super) fn straight_walk(&self, endpoint: usize) -> Option<TransferWalk> {
        match self.by[endpoint] {
            Way::Straight(walk) => Some(walk),
            Way::None | Way::Streets(_) => None,
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

    fn add(&mut self, endpoint: Endpoint, by: Way) {
        self.endpoints.push(endpoint);
        self.by.push(by);
    }

    /// Adds a stop that is linked to the streets where `from` is, if it is not too far to walk.
    fn add_straight_walk(
        &mut self,
        streets: &StreetsAround<'_>,
        end: Endpoint,
        (from, direction): (StopIdx, Direction),
    ) {
        let meters = streets.straight_meters(from, end.stop);
        if meters >= streets.limits.max_walk_distance {
            return;
        }
        let walked = streets.pace.seconds(meters).ceil() as i32;
        let seconds = end.seconds + walked;
        let (from_stop, to_stop) = direction.pick((from, end.stop), (end.stop, from));
        let walk = TransferWalk { from_stop, to_stop, meters, seconds, pathway: false, straight: true };
        let cost = end.cost + walk_cost(walked, streets.walk_reluctance);
        self.add(Endpoint { seconds, cost, ..end }, Way::Straight(walk));
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
    pace: WalkPace,
    walk_reluctance: f64,
    before: StreetCosts,
    after: StreetCosts,
    deadline: &'a Deadline,
}

impl<'a> StreetsAround<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, request: &RoutingRequest, deadline: &'a Deadline) -> Self {
        let before = StreetCosts::from_request(request, snapshot.utc_offset(request.epoch_seconds));
        let after = before.for_mode(before.street_mode.after_transit());
        let stations = snapshot.bike_stations_at(request.epoch_seconds);
        let limits = StreetLimits::around_transit(request);
        StreetsAround {
            graph: &snapshot.graph,
            stations,
            wheelchair: request.wheelchair,
            limits,
            pace: WalkPace::of(request),
            walk_reluctance: request.walk_reluctance,
            before,
            after,
            deadline,
        }
    }

    /// The path of passengers whose destination is a stop: they are dropped off there, as at the stop of a vehicle.
    pub(super) fn dropped_off_at(&self, to: &ResolvedPlace, access: &NearStops<'_>) -> Option<StreetPath> {
        let is_driven = self.before.street_mode == StreetMode::KissAndRide;
        is_driven.then(|| access.cheapest_path_to(&to.stops)).flatten()
    }

    /// Stops that can be reached from the start, or (backward) from which the destination can be reached.
    pub(super) fn near<'m>(
        &'m self,
        place: &'m ResolvedPlace,
        direction: Direction,
        memory: &'m mut StreetSearch,
    ) -> Result<NearStops<'m>, Interrupted> {
        let mut near = NearStops::default();
        for &stop in &place.stops {
            near.add(Endpoint { stop, seconds: 0, cost: 0.0 }, Way::None);
        }
        if let Some(linked) = &place.linked {
            let query = StreetQuery {
                stations: Some(self.stations),
                limits: self.limits,
                interrupted: self.deadline.interrupted(),
                ..StreetQuery::new(&self.graph.street, direction.pick(&self.before, &self.after))
            };
            let link_seconds = |stop: u32| self.graph.stop_link_seconds(StopIdx(stop));
            let reached = memory.nearby_stops(&query, linked, direction, &link_seconds)?;
            for (number, reach) in reached.stops().iter().enumerate() {
                let end = Endpoint { stop: StopIdx(reach.stop), seconds: reach.seconds, cost: reach.weight };
                match self.nearest_at_one_point(place, reach) {
                    Some(stop) => near.add_straight_walk(self, end, (stop, direction)),
                    None => near.add(end, Way::Streets(number)),
                }
            }
            near.reached = Some(reached);
        }
        near.add_other_stops_of_stations(self.graph.station_edges(direction, self.wheelchair));
        Ok(near)
    }

    /// Where no street leads from the stops of a place to another stop because both are linked at one point: the nearest of
    /// the place's stops.
    fn nearest_at_one_point(&self, place: &ResolvedPlace, reach: &NearbyStop) -> Option<StopIdx> {
        if reach.street_meters > 0.0 {
            return None;
        }
        let meters = |&stop: &StopIdx| self.straight_meters(stop, StopIdx(reach.stop));
        place.stops.iter().min_by(|a, b| meters(a).total_cmp(&meters(b))).copied()
    }

    fn straight_meters(&self, a: StopIdx, b: StopIdx) -> f64 {
        let stops = &self.graph.timetable.stops;
        distance_m(stops.position(a), stops.position(b))
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
