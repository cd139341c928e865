//! Earliest arrivals: from one place to everywhere by time alone, without limits on transfers and cost.

use std::sync::Arc;

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_engine::station_edges::StationEdges;
use trestle_model::geo::LatLon;
use trestle_model::ids::{StopIdx, VertexIdx};
use trestle_model::{Direction, RoutingRequest};
use trestle_street::cost::{StreetCosts, StreetLimits, StreetMode, WalkPace};
use trestle_street::link::LinkedPlace;
use trestle_street::nearest_vertices::SearchEnd;
use trestle_street::search::{LinkedBikeStations, Objective, StreetQuery, StreetSearch, TreeStart};
use trestle_transit::raptor::{
    ActiveService, ArrivalWithWait, Departure, Departures, Endpoint, LabelSettingScratch, NoStreets,
    OneToAllQuery, RangeScratch, StreetsBetween, UNREACHED, label_setting, range,
};

use super::arrivals::{AfterTransit, EarliestArrivals};
use super::links_within;
use super::place::{Joined, along_street, straight_walk};
use super::search_costs::SearchCosts;
use super::street_times::StreetTimes;
use super::walks_between::WalksBetween;
use crate::error::AnalysisError;
use crate::samples::Destination;
use crate::scratch::Scratch;

/// Largest number of changes of vehicle; searches end long before, when there is nothing more to gain.
const MAX_TRANSFERS: i32 = 12;

/// A search by time alone.
pub struct EarliestSearch<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) request: RoutingRequest,
    max_seconds: i32,
    pub(super) costs: SearchCosts,
    /// Bike stations as expected at the request's time.
    stations: Arc<LinkedBikeStations>,
    /// Most metres walked and cycled before, after or instead of transit.
    max_metres: f64,
    /// Most seconds on streets before transit, for those who drive there.
    max_drive_seconds: i32,
    /// The end at which a place is joined to nodes that travellers can leave (backward: reach); `None` for the nearest ones.
    open: Option<SearchEnd>,
    pub(crate) deadline: &'a Deadline,
}

impl<'a> EarliestSearch<'a> {
    /// A search at the request's time. `max_seconds` is the longest time with the wait for the first vehicle.
    ///
    /// # Errors
    /// [`AnalysisError`]: speeds that are not positive, or a value out of its range.
    pub fn new(
        snapshot: &'a Snapshot,
        request: &RoutingRequest,
        max_seconds: i32,
        deadline: &'a Deadline,
    ) -> Result<EarliestSearch<'a>, AnalysisError> {
        super::cheapest::check(request)?;
        let request = RoutingRequest { max_transfers: MAX_TRANSFERS, ..request.clone() };
        let costs = SearchCosts::new(snapshot, &request);
        let stations = snapshot.bike_stations_at(request.epoch_seconds).clone();
        let (max_metres, open) = (f64::INFINITY, SearchEnd::at_known_time(&request).of_drivers());
        let max_drive_seconds = i32::MAX;
        Ok(EarliestSearch {
            snapshot,
            request,
            max_seconds,
            costs,
            stations,
            max_metres,
            max_drive_seconds,
            open,
            deadline,
        })
    }

    /// The same search from (backward: to) nodes that lead somewhere, as in plans, for pedestrians and cyclists as well.
    #[must_use]
    pub fn at_open_nodes(self) -> Self {
        EarliestSearch { open: Some(SearchEnd::at_known_time(&self.request)), ..self }
    }

    /// The same search, with the request's limits on walking, cycling and driving around transit.
    #[must_use]
    pub fn within_limits(self) -> Self {
        let RoutingRequest { max_walk_distance, max_pre_transit_time, .. } = self.request;
        EarliestSearch { max_metres: max_walk_distance, max_drive_seconds: max_pre_transit_time, ..self }
    }

    /// Whether this many metres may be walked and cycled before, after or instead of transit.
    pub fn allows(&self, metres: f64) -> bool {
        metres < self.max_metres
    }

    /// What it takes to get from (backward: to) a place to every street vertex. Up to `clamp` seconds of the
    /// wait for the first vehicle do not matter. If several paths are equally early, the one that servers of
    /// the interface find counts.
    ///
    /// # Errors
    /// [`AnalysisError`]: no street near, or stopped.
    pub fn everywhere<'s>(
        &self,
        center: LatLon,
        clamp: i32,
        scratch: &'s mut Scratch,
    ) -> Result<EarliestArrivals<'s>, AnalysisError> {
        let joined = self.joined(center)?;
        self.search(Some(&joined), &[], clamp, scratch)
    }

    /// The same from (backward: to) the best of some stops. They are as far away as if the place were on their streets, and
    /// nobody walks between them before the first vehicle.
    pub fn everywhere_from_stops<'s>(
        &self,
        stops: &[StopIdx],
        clamp: i32,
        scratch: &'s mut Scratch,
    ) -> Result<EarliestArrivals<'s>, AnalysisError> {
        self.search(None, stops, clamp, scratch)
    }

    fn search<'s>(
        &self,
        center: Option<&Joined>,
        at_once: &[StopIdx],
        clamp: i32,
        scratch: &'s mut Scratch,
    ) -> Result<EarliestArrivals<'s>, AnalysisError> {
        let Scratch { access, egress, label_setting, .. } = scratch;
        let (streets, mut near) = self.around(center, self.max_seconds, access, egress)?;
        if self.request.uses_transit() {
            let endpoint = |&stop: &StopIdx| {
                let seconds = self.snapshot.graph.stop_link_seconds(stop);
                Endpoint { stop, seconds, cost: 0.0 }
            };
            near.extend(at_once.iter().map(endpoint));
        }
        let weighed = matches!(streets, StreetTimes::Walk(_))
            && self.costs.from_transit.street_mode == StreetMode::Walk;
        let arrivals = EarliestArrivals::on_streets(streets, weighed);
        if near.is_empty() {
            return Ok(arrivals);
        }
        if self.costs.from_transit.street_mode == StreetMode::Walk {
            let query = self.street_query(&self.costs.from_transit, self.max_seconds);
            let (graph, direction) = (&self.snapshot.graph, self.request.direction);
            let edges = self.station_edges(direction);
            let mut between = WalksBetween::new(graph, &query, direction, egress, edges, clamp);
            let found = self.search_timetable_once(&near, clamp, &mut between, label_setting)?;
            let (times, initial_waits) = between.finish();
            let after = AfterTransit { streets: StreetTimes::Walk(times), initial_waits };
            return Ok(arrivals.with_transit(&found, after));
        }
        let found = self.search_timetable_once(&near, clamp, &mut NoStreets, label_setting)?;
        let after = self.egress_by_other_modes(&found, egress)?;
        Ok(arrivals.with_transit(&found, after))
    }

    /// Searches the timetable for the request's time.
    fn search_timetable_once(
        &self,
        near: &[Endpoint],
        clamp: i32,
        streets: &mut impl StreetsBetween,
        scratch: &mut LabelSettingScratch,
    ) -> Result<Vec<ArrivalWithWait>, AnalysisError> {
        let query = self.query(near);
        let timetable = &self.snapshot.graph.timetable;
        let found = label_setting(timetable, &self.service(), &query, clamp, streets, scratch);
        found.ok_or(AnalysisError::Stopped)
    }

    fn service(&self) -> Arc<ActiveService> {
        self.snapshot.active_service(self.request.epoch_seconds, self.request.ignore_realtime)
    }

    fn query<'q>(&'q self, near: &'q [Endpoint]) -> OneToAllQuery<'q> {
        let (max_seconds, interrupted) = (self.max_seconds, self.deadline.interrupted());
        OneToAllQuery { request: &self.request, near, max_seconds, interrupted }
    }

    /// The rental stations that egress depends on; none where no bike is rented after transit.
    pub(crate) fn stations_after_transit(&self) -> Option<&Arc<LinkedBikeStations>> {
        Some(&self.stations).filter(|_| self.costs.from_transit.street_mode == StreetMode::RentedBicycle)
    }

    /// The costs of driving, if cars are driven all the way.
    pub(crate) fn costs_of_driving(&self) -> Option<&StreetCosts> {
        let drives = !self.request.uses_transit() && self.costs.streets_only.street_mode == StreetMode::Car;
        drives.then_some(&self.costs.streets_only)
    }

    /// What a place is joined to.
    ///
    /// # Errors
    /// [`AnalysisError::PlaceNotFound`]: no street near.
    pub(crate) fn joined(&self, center: LatLon) -> Result<Joined, AnalysisError> {
        Joined::of(&self.snapshot.graph.street, center, &self.request, self.open)
    }

    /// Where searches on streets alone start at a place.
    pub(crate) fn starts(
        &self,
        center: &Joined,
        memory: &mut StreetSearch,
    ) -> Result<Vec<TreeStart>, AnalysisError> {
        let query = self.street_query(&self.costs.streets_only, self.max_seconds);
        Ok(center.starts(&query, self.walk_pace(), self.request.direction, memory)?)
    }

    /// Where searches against the travel start at a destination, on streets alone or, with `after_transit`, on those after
    /// transit.
    pub(crate) fn starts_from(
        &self,
        destination: &Destination,
        after_transit: bool,
        memory: &mut StreetSearch,
    ) -> Result<Vec<TreeStart>, AnalysisError> {
        let costs = if after_transit { &self.costs.from_transit } else { &self.costs.streets_only };
        let query = self.street_query(costs, self.max_seconds);
        let (pace, direction) = (self.walk_pace(), self.request.direction.opposite());
        Ok(match destination {
            Destination::Nodes { sample, .. } => {
                sample.nodes().map(|(vertex, metres)| straight_walk(vertex, metres, &query, pace)).collect()
            }
            Destination::Street(place) => along_street(place, &query, pace, direction, memory)?,
            Destination::Stops(stops) => match self.street_at_stops(stops) {
                Some(place) => along_street(&place, &query, pace, direction, memory)?,
                None => Vec::new(),
            },
        })
    }

    /// The street of a place off the streets, which is at some stops, as in plans. Travellers are at the stops, so they need
    /// no walk to the street.
    pub(crate) fn street_at_stops(&self, stops: &[StopIdx]) -> Option<LinkedPlace> {
        let place = self.snapshot.graph.linked_at_stops(stops, LatLon::default())?;
        Some(LinkedPlace { position: place.snapped, ..place })
    }

    /// A place on the street to which plans link it.
    pub(super) fn linked(&self, at: LatLon, by: SearchEnd) -> Option<LinkedPlace> {
        LinkedPlace::at_coordinate(&self.snapshot.graph.street, at, by.mode, by.end)
    }

    /// The speed of walking off the streets.
    pub fn walk_pace(&self) -> WalkPace {
        WalkPace::of(&self.request)
    }

    /// Seconds on the streets alone from (backward: to) a place, and the quickest path to each stop on streets (no stops
    /// without transit modes); both within `max_seconds`. Without a place nothing is reached. The seconds stay in `memory`.
    pub(crate) fn around<'s>(
        &self,
        center: Option<&Joined>,
        max_seconds: i32,
        memory: &'s mut StreetSearch,
        other: &mut StreetSearch,
    ) -> Result<(StreetTimes<'s>, Vec<Endpoint>), AnalysisError> {
        let (costs, direction) = (&self.costs, self.request.direction);
        let starts = |query: &StreetQuery<'_>, memory: &mut StreetSearch| match center {
            Some(center) => center.starts(query, self.walk_pace(), direction, memory),
            None => Ok(Vec::new()),
        };
        let query = self.street_query(&costs.streets_only, max_seconds);
        let at_center = starts(&query, memory)?;
        let streets = StreetTimes::search(memory, &query, &at_center, direction)?;
        let near = if !self.request.uses_transit() {
            Vec::new()
        } else if costs.are_alike_to_transit() {
            self.stops_near(&streets)
        } else {
            let query = self.street_query(&costs.to_transit, max_seconds);
            let at_center = starts(&query, other)?;
            self.stops_near(&StreetTimes::search(other, &query, &at_center, direction)?)
        };
        Ok((streets, near))
    }

    /// Whether travellers move in the same way at a vertex, with and without transit, so that only the earlier of both
    /// times matters there. Otherwise one is on foot and the other in a vehicle, which may go on faster.
    pub(super) fn ends_alike(&self) -> bool {
        self.request.direction == Direction::Forward || self.costs.are_alike_to_transit()
    }

    /// Seconds on the streets after transit to all vertices (backward: from all), searched from the far side.
    pub fn streets_to<'s>(
        &self,
        search: &'s mut StreetSearch,
        starts: &[TreeStart],
        max_seconds: i32,
    ) -> Result<StreetTimes<'s>, AnalysisError> {
        let query = self.street_query(&self.costs.from_transit, max_seconds);
        Ok(StreetTimes::search(search, &query, starts, self.request.direction.opposite())?)
    }

    /// The query of searches on streets alone.
    pub(super) fn query_on_streets(&self) -> StreetQuery<'_> {
        self.street_query(&self.costs.streets_only, self.max_seconds)
    }

    pub(super) fn street_query<'q>(&'q self, costs: &'q StreetCosts, max_seconds: i32) -> StreetQuery<'q> {
        let limits = StreetLimits {
            max_pre_transit_seconds: self.max_drive_seconds,
            max_seconds,
            max_walk_distance: self.max_metres,
            ..StreetLimits::default()
        };
        StreetQuery {
            stations: Some(&self.stations),
            limits,
            objective: Objective::Time,
            interrupted: self.deadline.interrupted(),
            ..StreetQuery::new(&self.snapshot.graph.street, costs)
        }
    }

    /// The quickest path to each stop on streets.
    fn stops_near(&self, streets: &StreetTimes<'_>) -> Vec<Endpoint> {
        let mut near: Vec<Endpoint> = Vec::new();
        self.each_stop_with_weight(streets, self.request.direction, |stop, (seconds, weight)| {
            let link = f64::from(self.snapshot.graph.stop_link_seconds(stop));
            near.push(Endpoint { stop, seconds, cost: f64::from(weight) + link });
        });
        near
    }

    /// Calls `each` with every stop from which the places of [`EarliestSearch::streets_to`] are reached, and the least
    /// seconds from it. Stops that lead to other stops of their station may come more than once.
    pub fn each_stop_to(&self, streets: &StreetTimes<'_>, mut each: impl FnMut(StopIdx, i32)) {
        let direction = self.request.direction.opposite();
        self.each_stop_with_weight(streets, direction, |stop, (seconds, _)| each(stop, seconds));
    }

    /// Calls `each` with every stop within reach, the least seconds to (backward: from) it, and the generalized
    /// cost to its link.
    fn each_stop_with_weight(
        &self,
        streets: &StreetTimes<'_>,
        direction: Direction,
        mut each: impl FnMut(StopIdx, (i32, f32)),
    ) {
        let graph = &self.snapshot.graph;
        let mut least: Vec<(StopIdx, (i32, f32))> = Vec::new();
        for link in links_within(&graph.street, streets.reached_at_stops()) {
            let Some(arrival) = streets.arrival_at_stop(VertexIdx(link.vertex)) else { continue };
            let stop = StopIdx(link.stop);
            let reached = (arrival.seconds + graph.stop_link_seconds(stop), arrival.weight);
            match least.last_mut() {
                Some((last, least)) if *last == stop => {
                    if reached.0 < least.0 {
                        *least = reached;
                    }
                }
                _ => least.push((stop, reached)),
            }
        }
        least.iter().for_each(|&(stop, reached)| each(stop, reached));
        let edges = self.station_edges(direction);
        for &(stop, reached) in &least {
            edges.others(stop).for_each(|other| each(other, reached));
        }
    }

    /// The free edges of stations for travellers of the request.
    pub(crate) fn station_edges(&self, direction: Direction) -> StationEdges<'a> {
        self.snapshot.graph.station_edges(direction, self.request.wheelchair)
    }

    /// Searches the timetable from stops near the place and calls `each` with what each departure reaches.
    pub fn search_timetable(
        &self,
        near: &[Endpoint],
        departures: Departures,
        scratch: &mut RangeScratch,
        mut each: impl FnMut(&Departure<'_>),
    ) -> Result<(), AnalysisError> {
        let query = self.query(near);
        let timetable = &self.snapshot.graph.timetable;
        let complete =
            range(timetable, &self.service(), &query, departures, scratch, &mut |found| each(&found));
        if complete { Ok(()) } else { Err(AnalysisError::Stopped) }
    }

    /// When each stop is left for the streets, and the stop of its station at which the vehicle was left. Takes seconds
    /// by stop, and gives them with [`UNREACHED`] where there are none.
    pub(super) fn left_at(&self, seconds: &[i32]) -> Vec<(i32, usize)> {
        let stop = |stop: usize| StopIdx(stop as u32);
        let edges = self.station_edges(self.request.direction.opposite());
        let at = |other: StopIdx| seconds.get(other.index()).map(|&seconds| (seconds, other.index()));
        (seconds.iter().zip(0..))
            .map(|(&own, number)| {
                edges.others(stop(number)).filter_map(at).fold((own, number), std::cmp::Ord::min)
            })
            .collect()
    }

    /// Continues from where transit was left, by any mode but walking.
    fn egress_by_other_modes<'s>(
        &self,
        found: &[ArrivalWithWait],
        egress: &'s mut StreetSearch,
    ) -> Result<AfterTransit<'s>, AnalysisError> {
        let seconds: Vec<i32> = found.iter().map(|arrival| arrival.seconds).collect();
        let left = self.left_at(&seconds);
        let (mut starts, mut initial_waits) = (Vec::new(), Vec::new());
        for link in self.snapshot.graph.street.stop_links.iter() {
            let Some(&(seconds, stop)) = left.get(link.stop as usize) else { continue };
            if seconds == UNREACHED {
                continue;
            }
            let link_seconds = self.snapshot.graph.stop_link_seconds(StopIdx(link.stop));
            let (vertex, seconds) = (VertexIdx(link.vertex), seconds + link_seconds);
            let weight = found[stop].cost + f64::from(link_seconds);
            starts.push(TreeStart { vertex, seconds, weight, walk_distance: 0.0 });
            initial_waits.push(found[stop].initial_wait);
        }
        let query = self.street_query(&self.costs.from_transit, self.max_seconds);
        let streets =
            StreetTimes::Other(egress.tree_from_transit(&query, &starts, self.request.direction)?);
        Ok(AfterTransit { streets, initial_waits })
    }
}
