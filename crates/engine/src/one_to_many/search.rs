//! The search from one place to everywhere.

use rustc_hash::FxHashMap;
use trestle_model::RoutingRequest;
use trestle_model::geo::LatLon;
use trestle_model::ids::{StopIdx, VertexIdx};
use trestle_model::request_ranges::OutOfRange;
use trestle_street::cost::{StreetCosts, StreetLimits};
use trestle_street::graph::StreetGraph;
use trestle_street::link::LinkedPlace;
use trestle_street::search::{Direction, Interrupted, NO_START, StreetQuery, StreetTree, TreeStart};
use trestle_transit::raptor::{Endpoint, ReachQuery, ReachedStop, StopSignal, reach};

use super::error::AnalysisError;
use super::place;
use crate::deadline::Deadline;
use crate::scratch::Scratch;
use crate::snapshot::Snapshot;

/// A search from one place to everywhere, by generalized cost, with the request's limits on transfers (hard) and
/// walking (soft).
#[derive(Clone, Copy, Debug)]
pub struct OneToMany<'a> {
    /// Place, time and everything else.
    pub request: &'a RoutingRequest,
    /// The place; the position of the request's start, or of its destination with `arrive_by`.
    pub center: LatLon,
    /// Longest time with the wait for the first vehicle, seconds.
    pub max_seconds: i32,
}

/// Where a search starts (ends, with `arrive_by`).
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    /// At the nodes near the query's centre: a straight walk to them takes time, but costs nothing.
    Center,
    /// At a place on a street, as plans do; getting to the street is free.
    Place(&'a LinkedPlace),
}

/// What it takes to get to each street vertex (or from each, with `arrive_by`).
#[derive(Clone, Debug, Default)]
pub struct VertexValues {
    /// Seconds without the initial wait; infinite where not reached.
    pub seconds: Vec<f32>,
    /// Metres walked and cycled.
    pub walk_distance: Vec<f32>,
    /// Vehicles boarded.
    pub boardings: Vec<u8>,
}

/// A way to be on the streets, having left transit.
#[derive(Clone, Copy, Default)]
struct Arrival {
    initial_wait: i32,
    boardings: u8,
}

/// Searches from the centre to every street vertex.
///
/// # Errors
/// [`AnalysisError`]: no street near, outside the period of the data, or stopped.
pub fn one_to_many(
    snapshot: &Snapshot,
    query: &OneToMany<'_>,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<VertexValues, AnalysisError> {
    one_to_many_from(snapshot, query, &Origin::Center, scratch, deadline)
}

/// Searches from an origin to every street vertex.
///
/// # Errors
/// [`AnalysisError`]: no street near, outside the period of the data, or stopped.
pub fn one_to_many_from(
    snapshot: &Snapshot,
    query: &OneToMany<'_>,
    origin: &Origin<'_>,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<VertexValues, AnalysisError> {
    let search = Search::new(snapshot, query, deadline)?;
    let mut values = VertexValues::unreached(snapshot.graph.street.vertex_count());
    let mut weights = vec![f64::INFINITY; values.seconds.len()];
    let interrupted = || deadline.passed();
    let stopped = |Interrupted| AnalysisError::Stopped;
    let before = search.street_query(&search.before, &interrupted);
    let tree = match origin {
        Origin::Center => scratch.access.tree(&before, &search.starts()?, search.direction),
        Origin::Place(place) => scratch.access.tree_from_place(&before, place, search.direction),
    };
    let tree = tree.map_err(stopped)?;
    search.keep_streets(&tree, &mut values, &mut weights);
    if !search.request.uses_transit() {
        return Ok(values);
    }
    let near = search.stops_near(&tree);
    if near.is_empty() {
        return Ok(values);
    }
    let stops = search.ride(&near, scratch, deadline)?;
    let (starts, arrivals) = search.leave_transit(&stops, &near);
    let after = search.street_query(&search.after, &interrupted);
    let tree = scratch.egress.tree(&after, &starts, search.direction).map_err(stopped)?;
    search.keep_better(&tree, &arrivals, &mut values, &mut weights);
    Ok(values)
}

impl VertexValues {
    fn unreached(vertices: usize) -> VertexValues {
        VertexValues {
            seconds: vec![f32::INFINITY; vertices],
            walk_distance: vec![0.0; vertices],
            boardings: vec![0; vertices],
        }
    }
}

/// A stop reached on streets.
#[derive(Clone, Copy)]
struct NearStop {
    endpoint: Endpoint,
    walk_distance: f64,
}

struct Search<'a> {
    snapshot: &'a Snapshot,
    request: RoutingRequest,
    center: LatLon,
    direction: Direction,
    max_seconds: i32,
    before: StreetCosts,
    after: StreetCosts,
    limits: StreetLimits,
}

impl<'a> Search<'a> {
    fn new(
        snapshot: &'a Snapshot,
        query: &OneToMany<'_>,
        deadline: &Deadline,
    ) -> Result<Search<'a>, AnalysisError> {
        let request = query.request.clone();
        check(snapshot, &request)?;
        if deadline.passed() {
            return Err(AnalysisError::Stopped);
        }
        let before = StreetCosts::from_request(&request, snapshot.utc_offset(request.epoch_seconds));
        let after = before.for_journey(before.journey.behind_transit());
        let limits = StreetLimits {
            // Without transit the limit binds nothing.
            max_walk_distance: if request.uses_transit() { request.max_walk_distance } else { f64::INFINITY },
            max_pre_transit_seconds: request.max_pre_transit_time,
            max_seconds: query.max_seconds,
            soft_walk_limit: true,
        };
        let direction = Direction::from_known_time(request.arrive_by);
        Ok(Search {
            snapshot,
            request,
            center: query.center,
            direction,
            max_seconds: query.max_seconds,
            before,
            after,
            limits,
        })
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
            stations: Some(&self.snapshot.rental),
            limits: self.limits,
            interrupted,
            ..StreetQuery::new(self.street(), costs)
        }
    }

    /// A straight walk to the nearest nodes: it takes time, but costs nothing.
    fn starts(&self) -> Result<Vec<TreeStart>, AnalysisError> {
        let starts = place::starts(&self.snapshot.graph, self.center, &self.request)?;
        Ok(starts.into_iter().map(|start| TreeStart { weight: 0.0, ..start }).collect())
    }

    fn keep_streets(&self, tree: &StreetTree<'_>, values: &mut VertexValues, weights: &mut [f64]) {
        for (vertex, reached) in tree.iter() {
            let v = vertex.index();
            weights[v] = reached.weight;
            values.seconds[v] = reached.seconds as f32;
            values.walk_distance[v] = reached.walk_distance as f32;
        }
    }

    /// The best way to each stop on streets.
    fn stops_near(&self, tree: &StreetTree<'_>) -> Vec<NearStop> {
        let mut near: Vec<NearStop> = Vec::new();
        for link in self.street().stop_links.iter() {
            let Some(reached) = tree.get(VertexIdx(link.vertex)) else { continue };
            let link_seconds = self.snapshot.graph.stop_link_seconds(StopIdx(link.stop));
            let endpoint = Endpoint {
                stop: StopIdx(link.stop),
                seconds: reached.seconds + link_seconds,
                cost: reached.weight + f64::from(link_seconds),
            };
            let found = NearStop { endpoint, walk_distance: reached.walk_distance };
            match near.last_mut() {
                Some(last) if last.endpoint.stop == endpoint.stop => {
                    if endpoint.cost < last.endpoint.cost {
                        *last = found;
                    }
                }
                _ => near.push(found),
            }
        }
        self.add_station_mates(&mut near);
        near
    }

    /// Adds the stops that free edges of a station join with the ones reached, where that is cheaper than the
    /// streets.
    fn add_station_mates(&self, near: &mut Vec<NearStop>) {
        let mut cheapest: FxHashMap<StopIdx, f64> =
            near.iter().map(|n| (n.endpoint.stop, n.endpoint.cost)).collect();
        for i in 0..near.len() {
            let NearStop { endpoint, walk_distance } = near[i];
            for mate in self.snapshot.graph.station_mates(endpoint.stop) {
                let known = cheapest.entry(mate).or_insert(f64::INFINITY);
                if endpoint.cost < *known {
                    *known = endpoint.cost;
                    near.push(NearStop { endpoint: Endpoint { stop: mate, ..endpoint }, walk_distance });
                }
            }
        }
    }

    fn ride(
        &self,
        near: &[NearStop],
        scratch: &mut Scratch,
        deadline: &Deadline,
    ) -> Result<Vec<ReachedStop>, AnalysisError> {
        let request = &self.request;
        let window = self.snapshot.service_window(request.epoch_seconds, request.ignore_realtime);
        let endpoints: Vec<Endpoint> = near.iter().map(|n| n.endpoint).collect();
        let deadlines = deadline.per_itinerary(&[]);
        let query = ReachQuery {
            request,
            near: &endpoints,
            bike_aboard: request.bike_aboard(),
            max_seconds: self.max_seconds,
            stop: StopSignal { deadlines: &deadlines, cancelled: deadline.flag() },
        };
        let answer = reach(&self.snapshot.graph.timetable, &window, &query, &mut scratch.transit);
        if answer.stopped { Err(AnalysisError::Stopped) } else { Ok(answer.stops) }
    }

    /// The best way to be on the streets behind each stop, as starts of the last search; one per vertex, with what
    /// else is known of it.
    fn leave_transit(
        &self,
        stops: &[ReachedStop],
        near: &[NearStop],
    ) -> (Vec<TreeStart>, Vec<(u32, Arrival)>) {
        let graph = &self.snapshot.graph;
        let mates = stops
            .iter()
            .flat_map(|way| graph.station_mates(way.stop).map(|stop| ReachedStop { stop, ..*way }));
        let mut ways: Vec<ReachedStop> = stops.iter().copied().chain(mates).collect();
        ways.sort_by_key(|way| way.stop.0);
        let best = cheapest_by_stop(&ways);
        let mut starts: Vec<(TreeStart, Arrival)> = Vec::new();
        for link in self.street().stop_links.iter() {
            let Ok(at) = best.binary_search_by_key(&link.stop, |way| way.stop.0) else { continue };
            let way = &best[at];
            let link_seconds = graph.stop_link_seconds(StopIdx(link.stop));
            let seconds = way.seconds + link_seconds;
            let weight = way.cost + f64::from(link_seconds);
            let walked = near.get(way.endpoint).map_or(0.0, |n| n.walk_distance)
                + f64::from(way.transfer_seconds) * self.request.walk_speed;
            let start = TreeStart { vertex: VertexIdx(link.vertex), seconds, weight, walk_distance: walked };
            let boardings = way.boardings.min(255) as u8;
            starts.push((start, Arrival { initial_wait: way.initial_wait, boardings }));
        }
        starts.sort_by(|(a, _), (b, _)| a.vertex.0.cmp(&b.vertex.0).then(a.weight.total_cmp(&b.weight)));
        starts.dedup_by_key(|(start, _)| start.vertex.0);
        let arrivals = starts.iter().map(|(start, arrival)| (start.vertex.0, *arrival)).collect();
        (starts.into_iter().map(|(start, _)| start).collect(), arrivals)
    }

    /// Takes what transit does better than the streets alone. The wait for the first vehicle is taken off.
    fn keep_better(
        &self,
        tree: &StreetTree<'_>,
        arrivals: &[(u32, Arrival)],
        values: &mut VertexValues,
        weights: &mut [f64],
    ) {
        let start_of = tree.starts();
        let mut arrival_at = vec![Arrival::default(); self.street().vertex_count()];
        for (vertex, arrival) in arrivals {
            arrival_at[*vertex as usize] = *arrival;
        }
        for (vertex, reached) in tree.iter() {
            let v = vertex.index();
            if reached.weight >= weights[v] || start_of[v] == NO_START {
                continue;
            }
            let arrival = arrival_at[start_of[v] as usize];
            weights[v] = reached.weight;
            values.seconds[v] = (reached.seconds - self.wait_removed(arrival.initial_wait)) as f32;
            values.walk_distance[v] = reached.walk_distance as f32;
            values.boardings[v] = arrival.boardings;
        }
    }

    fn wait_removed(&self, wait: i32) -> i32 {
        match self.request.clamp_initial_wait {
            limit if limit < 0 => wait,
            limit => wait.min(limit.min(i64::from(i32::MAX)) as i32),
        }
    }
}

/// The cheapest way per stop, of ways that are sorted by stop.
fn cheapest_by_stop(stops: &[ReachedStop]) -> Vec<ReachedStop> {
    let mut best: Vec<ReachedStop> = Vec::new();
    for way in stops {
        match best.last_mut() {
            Some(last) if last.stop == way.stop => {
                if way.cost < last.cost {
                    *last = *way;
                }
            }
            _ => best.push(*way),
        }
    }
    best
}

pub(super) fn check(snapshot: &Snapshot, request: &RoutingRequest) -> Result<(), AnalysisError> {
    let usable = |speed: f64| speed.is_finite() && speed > 0.0;
    if !usable(request.walk_speed) || !usable(request.bike_speed) {
        return Err(AnalysisError::Invalid("walkSpeed and bikeSpeed must be positive".to_owned()));
    }
    if let Some(OutOfRange { parameter, reason }) = request.out_of_range() {
        return Err(AnalysisError::Invalid(format!("{parameter}: {reason}")));
    }
    let in_period = |(from, until): (i64, i64)| (from..until).contains(&request.epoch_seconds);
    if request.uses_transit() && !snapshot.service_period.is_some_and(in_period) {
        return Err(AnalysisError::NoTransitTimes);
    }
    Ok(())
}
