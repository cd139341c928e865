//! The search from one place to everywhere.

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;
use trestle_model::geo::LatLon;
use trestle_model::ids::{StopIdx, VertexIdx};
use trestle_model::request_ranges::OutOfRange;
use trestle_street::cost::{StreetCosts, StreetLimits, StreetMode, WalkPace};
use trestle_street::graph::StreetGraph;
use trestle_street::link::LinkedPlace;
use trestle_street::search::{Direction, StreetQuery, StreetSearch, StreetTree, TreeStart};
use trestle_transit::raptor::{
    Endpoint, OneToAllAnswer, OneToAllQuery, StopArrival, TransitScratch, one_to_all,
};

use super::after_rides::{AfterRides, CheapestAfter, EarlierRides, Left};
use super::search_costs::SearchCosts;
use super::{links_within, place};
use crate::error::AnalysisError;
use crate::scratch::Scratch;
use crate::vertex_set::{VertexPiece, VertexSet};

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
    fn max_cost_beyond(&self) -> f64 {
        if self.beyond_walk_limit {
            return f64::INFINITY;
        }
        StreetLimits::max_cost_within(self.request, self.max_seconds)
    }
}

/// Where a search starts (ends, with `arrive_by`).
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    /// At the nodes near the request's start, or its destination with `arrive_by`: a straight walk to them takes time
    /// but has no cost.
    Center(LatLon),
    /// At a place on a street, as in plans; getting to the street is free.
    Place(&'a LinkedPlace),
}

/// What it takes to get to each street vertex that is reached (or from each, with `arrive_by`), by position among these
/// vertices.
#[derive(Clone, Debug, Default)]
pub struct VertexValues {
    /// The vertices.
    pub vertices: VertexSet,
    /// Seconds without the initial wait.
    pub seconds: Vec<f32>,
    /// Seconds of the initial wait that are not included in these; empty if there are none.
    pub removed_waits: Vec<f32>,
    /// Metres walked and cycled.
    pub walk_distance: Vec<f32>,
    /// Vehicles boarded.
    pub boardings: Vec<u8>,
}

/// Searches from the origin to every street vertex.
///
/// # Errors
/// [`AnalysisError`]: no street near, or stopped.
pub fn one_to_many(
    snapshot: &Snapshot,
    query: &OneToMany<'_>,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<VertexValues, AnalysisError> {
    let search = Search::new(snapshot, query, deadline)?;
    let Scratch { access, egress, early_egress, transit, .. } = scratch;
    let interrupted = || deadline.passed();
    let max_cost_beyond = query.max_cost_beyond();
    let [streets_only, to_transit] = [&search.costs.streets_only, &search.costs.to_transit].map(|costs| {
        let query = search.street_query(costs, &interrupted);
        StreetQuery { limits: StreetLimits { max_cost_beyond, ..search.limits }, ..query }
    });
    let nearer = match search.request.uses_transit() && !search.costs.are_alike_to_transit() {
        true => Some(search.stops_near(&search.streets(&to_transit, query.origin, access)?)),
        false => None,
    };
    let streets = match search.costs.needs_transit() {
        true => access.tree(&streets_only, &[], search.direction)?,
        false => search.streets(&streets_only, query.origin, access)?,
    };
    if !search.request.uses_transit() {
        return Ok(search.values(&streets, None));
    }
    let near = nearer.unwrap_or_else(|| search.stops_near(&streets));
    if near.is_empty() {
        return Ok(search.values(&streets, None));
    }
    let after = search.street_query(&search.costs.from_transit, &interrupted);
    let mut streets_after = CheapestAfter::new(&search, &near, after, egress);
    let arrivals = search.search_timetable(&near, &mut streets_after, transit, deadline)?;
    let mut rides = streets_after.finish(&arrivals.stops)?;
    // Searches that ignore the walking limit would search all streets again.
    if !query.beyond_walk_limit && search.costs.from_transit.street_mode == StreetMode::Walk {
        let left = search.leave_transit(&arrivals.earliest, &near, |arrival| f64::from(arrival.seconds));
        let pace = WalkPace::of(&search.request);
        let earlier = EarlierRides::search(&after, &rides.tree, left, pace, search.direction, early_egress)?;
        rides.earlier = Some(earlier);
    }
    Ok(search.values(&streets, Some(&rides)))
}

impl VertexValues {
    /// Seconds to a vertex, infinite where it is not reached.
    pub fn seconds_to(&self, vertex: VertexIdx) -> f32 {
        self.vertices.position(vertex.0).map_or(f32::INFINITY, |position| self.seconds[position])
    }

    /// Makes room for the values of this many vertices.
    fn make_room(&mut self, count: usize) {
        self.seconds.reserve_exact(count - self.seconds.len());
        self.removed_waits.reserve_exact(count - self.removed_waits.len());
        self.walk_distance.reserve_exact(count - self.walk_distance.len());
        self.boardings.reserve_exact(count - self.boardings.len());
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

pub(super) struct Search<'a> {
    snapshot: &'a Snapshot,
    pub(super) request: RoutingRequest,
    pub(super) direction: Direction,
    max_seconds: i32,
    costs: SearchCosts,
    limits: StreetLimits,
}

impl<'a> Search<'a> {
    fn new(
        snapshot: &'a Snapshot,
        query: &OneToMany<'_>,
        deadline: &Deadline,
    ) -> Result<Search<'a>, AnalysisError> {
        let request = query.request.clone();
        check(&request)?;
        deadline.check()?;
        let costs = SearchCosts::new(snapshot, &request);
        let limits = StreetLimits {
            // Without transit the limit has no effect.
            max_walk_distance: if request.uses_transit() { request.max_walk_distance } else { f64::INFINITY },
            max_pre_transit_seconds: request.max_pre_transit_time,
            max_seconds: query.max_seconds,
            max_cost_beyond: f64::INFINITY,
        };
        let direction = Direction::from_known_time(request.arrive_by);
        Ok(Search { snapshot, request, direction, max_seconds: query.max_seconds, costs, limits })
    }

    fn street(&self) -> &'a StreetGraph {
        &self.snapshot.graph.street
    }

    fn street_query<'q>(
        &'q self,
        costs: &'q StreetCosts,
        interrupted: &'q dyn Fn() -> bool,
    ) -> StreetQuery<'q> {
        StreetQuery {
            stations: Some(self.snapshot.bike_stations_at(self.request.epoch_seconds)),
            limits: self.limits,
            interrupted,
            ..StreetQuery::new(self.street(), costs)
        }
    }

    /// What is reached on the streets from an origin.
    fn streets<'s>(
        &self,
        query: &StreetQuery<'_>,
        origin: Origin<'_>,
        memory: &'s mut StreetSearch,
    ) -> Result<StreetTree<'s>, AnalysisError> {
        Ok(match origin {
            Origin::Center(center) => memory.tree(query, &self.starts(center)?, self.direction),
            Origin::Place(place) => memory.tree_from_place(query, place, self.direction),
        }?)
    }

    /// A straight walk to the nearest nodes: it takes time but has no cost.
    fn starts(&self, center: LatLon) -> Result<Vec<TreeStart>, AnalysisError> {
        let starts = place::starts(&self.snapshot.graph, center, &self.request)?;
        Ok(starts.into_iter().map(|start| TreeStart { weight: 0.0, ..start }).collect())
    }

    /// The arrival of least `key` at each stop that is reached, also by free edges of its station, in the order of the
    /// stops.
    fn best_arrivals<'s>(
        &self,
        arrivals: &'s [StopArrival],
        key: impl Fn(&StopArrival) -> f64,
    ) -> Vec<(StopIdx, &'s StopArrival)> {
        let graph = &self.snapshot.graph;
        let own = arrivals.iter().map(|arrival| (arrival.stop, arrival));
        let of_station = arrivals.iter().flat_map(|arrival| {
            let others = graph.other_stops_of_station(arrival.stop, self.direction, self.request.wheelchair);
            others.map(move |other| (other, arrival))
        });
        let mut best: Vec<(StopIdx, &StopArrival)> = own.chain(of_station).collect();
        // If the keys of several arrivals are equal, the one whose vehicle is left at the stop itself counts.
        best.sort_by(|(a, to_a), (b, to_b)| a.cmp(b).then(key(to_a).total_cmp(&key(to_b))));
        best.dedup_by_key(|(stop, _)| *stop);
        best
    }

    /// The cheapest path to each stop that is reached on streets.
    fn stops_near(&self, streets: &StreetTree<'_>) -> Vec<NearStop> {
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
        self.add_other_stops_of_stations(&mut near);
        near
    }

    /// Adds the other stops of the reached stations, which free edges join, where these are cheaper than the streets.
    fn add_other_stops_of_stations(&self, near: &mut Vec<NearStop>) {
        let costs: Vec<_> = near.iter().map(|n| (n.endpoint.stop, n.endpoint.cost)).collect();
        let (graph, wheelchair) = (&self.snapshot.graph, self.request.wheelchair);
        for (stop, i) in graph.cheaper_stops_of_stations(&costs, self.direction, wheelchair) {
            near.push(NearStop { endpoint: Endpoint { stop, ..near[i].endpoint }, ..near[i] });
        }
    }

    fn search_timetable(
        &self,
        near: &[NearStop],
        streets: &mut CheapestAfter<'_, '_>,
        scratch: &mut TransitScratch,
        deadline: &Deadline,
    ) -> Result<OneToAllAnswer, AnalysisError> {
        let request = &self.request;
        let service = self.snapshot.active_service(request.epoch_seconds, request.ignore_realtime);
        let endpoints: Vec<Endpoint> = near.iter().map(|n| n.endpoint).collect();
        let query = OneToAllQuery {
            request,
            near: &endpoints,
            max_seconds: self.max_seconds,
            interrupted: &|| deadline.passed(),
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

    /// The values on streets alone, or with transit where that is better. The wait for the first vehicle is subtracted.
    fn values(&self, streets: &StreetTree<'_>, rides: Option<&AfterRides<'_>>) -> VertexValues {
        let ridden = rides.into_iter().flat_map(AfterRides::reached);
        let vertices = VertexSet::of(streets.reached().chain(ridden).map(|vertex| vertex.0));
        let mut pieces = vertices.map_pieces(|piece| self.values_of(piece, streets, rides)).into_iter();
        let mut values = pieces.next().unwrap_or_default();
        values.make_room(vertices.len());
        for piece in pieces {
            values.seconds.extend_from_slice(&piece.seconds);
            values.removed_waits.extend_from_slice(&piece.removed_waits);
            values.walk_distance.extend_from_slice(&piece.walk_distance);
            values.boardings.extend_from_slice(&piece.boardings);
        }
        VertexValues { vertices, ..values }
    }

    /// The same for some of the vertices.
    fn values_of(
        &self,
        piece: &VertexPiece<'_>,
        streets: &StreetTree<'_>,
        rides: Option<&AfterRides<'_>>,
    ) -> VertexValues {
        let mut values = VertexValues::default();
        values.make_room(piece.positions.len());
        for vertex in piece.iter().map(VertexIdx) {
            let walked = streets.get(vertex);
            let ridden = rides.and_then(|rides| rides.get(vertex));
            let is_better = |weight: f64| walked.as_ref().is_none_or(|walked| weight < walked.weight);
            let ridden = ridden.filter(|(reached, _)| is_better(reached.weight));
            let reached = ridden.as_ref().map(|(reached, _)| *reached).or(walked);
            let ride = ridden.map(|(_, ride)| ride).unwrap_or_default();
            let removed_wait = self.wait_removed(ride.initial_wait);
            let seconds = reached.map_or(f32::INFINITY, |reached| (reached.seconds - removed_wait) as f32);
            values.seconds.push(seconds);
            values.removed_waits.push(removed_wait as f32);
            values.walk_distance.push(reached.map_or(0.0, |reached| reached.walk_distance as f32));
            values.boardings.push(ride.boardings);
        }
        values
    }

    fn wait_removed(&self, wait: i32) -> i32 {
        match self.request.clamp_initial_wait {
            limit if limit < 0 => wait,
            limit => wait.min(limit.min(i64::from(i32::MAX)) as i32),
        }
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
