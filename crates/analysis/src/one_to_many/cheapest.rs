//! Cheapest paths: from one place to everywhere by generalized cost, step by step. [`super::search`] takes the steps.

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_engine::station_edges::StationEdges;
use trestle_model::RoutingRequest;
use trestle_model::geo::LatLon;
use trestle_model::ids::{StopIdx, VertexIdx};
use trestle_model::request_ranges::OutOfRange;
use trestle_street::cost::{StreetCosts, StreetLimits, WalkPace};
use trestle_street::graph::StreetGraph;
use trestle_street::link::LinkedPlace;
use trestle_street::search::{StreetQuery, StreetSearch, StreetTree, TreeStart};
use trestle_transit::raptor::{
    Endpoint, OneToAllAnswer, OneToAllQuery, StopArrival, StreetsAfter, TransitScratch, one_to_all,
};

use super::links_within;
use super::place::Joined;
use super::search_costs::SearchCosts;
use crate::error::AnalysisError;

/// A search from one place to everywhere, by generalized cost, with the request's limits on transfers (hard) and
/// walking (soft).
#[derive(Clone, Copy, Debug)]
pub struct OneToMany<'a> {
    /// Place, time and all options.
    pub request: &'a RoutingRequest,
    /// Where it starts.
    pub origin: Origin<'a>,
    /// Longest time with the wait for the first vehicle, seconds.
    pub max_seconds: i32,
    /// Also find what is beyond the walking limit. Otherwise, paths beyond it are followed only while they may be
    /// cheaper than paths within it, whose labels they then replace.
    pub beyond_walk_limit: bool,
}

impl OneToMany<'_> {
    /// Paths to the stops beyond the walking limit must cost less than this.
    pub(super) fn max_cost_beyond(&self) -> f64 {
        if self.beyond_walk_limit {
            return f64::INFINITY;
        }
        StreetLimits::max_cost_within(self.request, self.max_seconds)
    }
}

/// Where a search starts (backward: ends).
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    /// At the nodes near the request's start (backward: its destination): a straight walk to them takes time
    /// but has no cost. Where none is near, on the street to which plans link the place.
    Center(LatLon),
    /// At a place on a street, as in plans; getting to the street is free.
    Place(&'a LinkedPlace),
}

/// What is known of the vehicles that bring someone to a place.
#[derive(Clone, Copy, Default)]
pub(super) struct Ridden {
    pub(super) initial_wait: i32,
    pub(super) boardings: u8,
}

/// Where vehicles are left, as starts of a search of the streets.
#[derive(Default)]
pub(super) struct Left {
    pub(super) starts: Vec<TreeStart>,
    /// By start.
    pub(super) arrivals: Vec<StopArrival>,
}

impl Left {
    pub(super) fn add(&mut self, start: TreeStart, ridden: &StopArrival) {
        self.starts.push(start);
        self.arrivals.push(*ridden);
    }

    pub(super) fn append(&mut self, mut more: Left) {
        self.starts.append(&mut more.starts);
        self.arrivals.append(&mut more.arrivals);
    }

    pub(super) fn ridden(&self, start: usize) -> Option<Ridden> {
        let ridden = self.arrivals.get(start)?;
        Some(Ridden { initial_wait: ridden.initial_wait, boardings: ridden.boardings.min(255) as u8 })
    }
}

/// A stop reached on streets.
#[derive(Clone, Copy)]
pub(super) struct NearStop {
    pub(super) endpoint: Endpoint,
    pub(super) walk_distance: f64,
    /// Number of the start of the path.
    pub(super) start: usize,
}

/// A search by generalized cost.
pub(super) struct CheapestSearch<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) request: RoutingRequest,
    pub(super) costs: SearchCosts,
    pub(super) limits: StreetLimits,
    deadline: &'a Deadline,
}

impl<'a> CheapestSearch<'a> {
    pub(super) fn new(
        snapshot: &'a Snapshot,
        query: &OneToMany<'_>,
        deadline: &'a Deadline,
    ) -> Result<CheapestSearch<'a>, AnalysisError> {
        let request = query.request.clone();
        check(&request)?;
        deadline.check()?;
        let costs = SearchCosts::new(snapshot, &request);
        let limits = StreetLimits {
            // Without transit the limit has no effect.
            max_walk_distance: if request.uses_transit() { request.max_walk_distance } else { f64::INFINITY },
            cheap_pre_transit_seconds: request.max_pre_transit_time,
            max_seconds: query.max_seconds,
            max_cost_beyond: f64::INFINITY,
            ..StreetLimits::default()
        };
        Ok(CheapestSearch { snapshot, request, costs, limits, deadline })
    }

    pub(super) fn street(&self) -> &'a StreetGraph {
        &self.snapshot.graph.street
    }

    pub(super) fn street_query<'q>(&'q self, costs: &'q StreetCosts) -> StreetQuery<'q> {
        StreetQuery {
            stations: Some(self.snapshot.bike_stations_at(self.request.epoch_seconds)),
            limits: self.limits,
            interrupted: self.deadline.interrupted(),
            ..StreetQuery::new(self.street(), costs)
        }
    }

    /// What is reached on the streets from an origin.
    pub(super) fn streets<'s>(
        &self,
        query: &StreetQuery<'_>,
        origin: Origin<'_>,
        memory: &'s mut StreetSearch,
    ) -> Result<StreetTree<'s>, AnalysisError> {
        Ok(match origin {
            Origin::Center(center) => {
                let (direction, pace) = (self.request.direction, WalkPace::of(&self.request));
                let joined = Joined::by_cost(self.street(), center, &self.request)?;
                let starts = joined.starts(query, pace, direction, memory)?;
                memory.tree(query, &starts, direction)
            }
            Origin::Place(place) => memory.tree_from_place(query, place, self.request.direction),
        }?)
    }

    /// The arrival of least `key` at each stop that is reached, also by free edges of its station, in the order of the
    /// stops.
    fn best_arrivals<'s>(
        &self,
        arrivals: &'s [StopArrival],
        key: impl Fn(&StopArrival) -> f64,
    ) -> Vec<(StopIdx, &'s StopArrival)> {
        let edges = self.station_edges();
        let own = arrivals.iter().map(|arrival| (arrival.stop, arrival));
        let of_station = (arrivals.iter())
            .flat_map(|arrival| edges.others(arrival.stop).map(move |other| (other, arrival)));
        let mut best: Vec<(StopIdx, &StopArrival)> = own.chain(of_station).collect();
        // If the keys of several arrivals are equal, the one whose vehicle is left at the stop itself counts.
        best.sort_by(|(a, to_a), (b, to_b)| a.cmp(b).then(key(to_a).total_cmp(&key(to_b))));
        best.dedup_by_key(|(stop, _)| *stop);
        best
    }

    /// The cheapest path to each stop that is reached on streets.
    pub(super) fn stops_near(&self, streets: &StreetTree<'_>) -> Vec<NearStop> {
        self.stops_at(streets.reached_at_stops(), streets)
    }

    /// The cheapest path to each stop on streets that is linked to one of some vertices.
    pub(super) fn stops_at(
        &self,
        vertices: impl Iterator<Item = VertexIdx>,
        streets: &StreetTree<'_>,
    ) -> Vec<NearStop> {
        let mut near: Vec<NearStop> = Vec::new();
        for link in links_within(self.street(), vertices) {
            let Some(reached) = streets.get_at_stop(VertexIdx(link.vertex)) else { continue };
            let link_seconds = self.snapshot.graph.stop_link_seconds(StopIdx(link.stop));
            let endpoint = Endpoint {
                stop: StopIdx(link.stop),
                seconds: reached.seconds + link_seconds,
                cost: reached.weight + f64::from(link_seconds),
            };
            let found = NearStop { endpoint, walk_distance: reached.walk_distance, start: reached.start };
            match near.last_mut() {
                Some(last) if last.endpoint.stop == endpoint.stop => {
                    if endpoint.cost < last.endpoint.cost {
                        *last = found;
                    }
                }
                _ => near.push(found),
            }
        }
        let costs: Vec<_> = near.iter().map(|n| (n.endpoint.stop, n.endpoint.cost)).collect();
        for (stop, i) in self.station_edges().cheaper_others(&costs) {
            near.push(NearStop { endpoint: Endpoint { stop, ..near[i].endpoint }, ..near[i] });
        }
        near
    }

    fn station_edges(&self) -> StationEdges<'a> {
        self.snapshot.graph.station_edges(self.request.direction, self.request.wheelchair)
    }

    pub(super) fn search_timetable(
        &self,
        near: &[NearStop],
        streets: &mut impl StreetsAfter,
        scratch: &mut TransitScratch,
    ) -> Result<OneToAllAnswer, AnalysisError> {
        let request = &self.request;
        let service = self.snapshot.active_service(request.epoch_seconds, request.ignore_realtime);
        let endpoints: Vec<Endpoint> = near.iter().map(|n| n.endpoint).collect();
        let query = OneToAllQuery {
            request,
            near: &endpoints,
            max_seconds: self.limits.max_seconds,
            interrupted: self.deadline.interrupted(),
        };
        let answer = one_to_all(&self.snapshot.graph.timetable, &service, &query, streets, scratch);
        if answer.stopped { Err(AnalysisError::Stopped) } else { Ok(answer) }
    }

    /// The state of least `key` on the streets after each stop, as starts of the next search, and more about each of them.
    pub(super) fn leave_transit(
        &self,
        stops: &[StopArrival],
        near: &[NearStop],
        key: impl Fn(&StopArrival) -> f64,
    ) -> Left {
        let graph = &self.snapshot.graph;
        let mut left = Left::default();
        for (stop, ridden) in self.best_arrivals(stops, key) {
            let link_seconds = graph.stop_link_seconds(stop);
            let seconds = ridden.seconds + link_seconds;
            let weight = ridden.cost + f64::from(link_seconds);
            let walk_distance = near.get(ridden.endpoint).map_or(0.0, |n| n.walk_distance)
                + WalkPace::of(&self.request).metres(f64::from(ridden.transfer_seconds));
            for link in self.street().links_of(stop.0) {
                let start = TreeStart { vertex: VertexIdx(link.vertex), seconds, weight, walk_distance };
                left.add(start, ridden);
            }
        }
        left
    }
}

/// Refuses values that no search can use. Unlike a plan, an analysis has an answer at any time: outside the
/// timetables no vehicle runs, but what is reached without vehicles remains.
pub(super) fn check(request: &RoutingRequest) -> Result<(), AnalysisError> {
    let usable = |speed: f64| speed.is_finite() && speed > 0.0;
    if !usable(request.walk_speed) || !usable(request.bike_speed) {
        return Err(AnalysisError::Invalid("walkSpeed and bikeSpeed must be positive".to_owned()));
    }
    if let Some(OutOfRange { parameter, reason }) = request.out_of_range() {
        return Err(AnalysisError::Invalid(format!("{parameter}: {reason}")));
    }
    Ok(())
}
