//! The streets before, after and instead of transit are those of a plain search, with rented bikes too, and for those who
//! park a bike or car on the way or are dropped off.

use std::collections::HashMap;

use trestle_engine::snapshot::Snapshot;
use trestle_model::ids::StopIdx;
use trestle_model::request::PlaceRequest;
use trestle_model::{Direction, RoutingRequest};
use trestle_street::cost::{StreetCosts, StreetLimits, StreetMode};
use trestle_street::link::{LinkEnd, LinkMode, LinkedPlace};
use trestle_street::search::{LinkedBikeStations, StreetMetrics, StreetQuery, StreetSearch};
use trestle_transit::raptor::Endpoint;

use super::CLOSE;
use crate::oracle::{Oracle, Ties};

/// One of this many questions is asked, because a plain search of a city takes up to a second.
/// `TRESTLE_STREETS_OF` sets another number.
const ONE_OF: usize = 100;

pub(crate) fn one_of() -> usize {
    super::setting("TRESTLE_STREETS_OF", ONE_OF).max(1)
}

/// Of equally good paths to a vertex a search keeps one, and the turn from there may cost another's less. The search for a
/// place keeps others than the plain search, because it looks at vertices in another order; by this share of their cost
/// paths may differ.
const TIES: f64 = 0.01;

/// What was compared, and what differs.
#[derive(Default)]
pub(crate) struct StreetComparison {
    pub(crate) stops: usize,
    pub(crate) paths: usize,
    pub(crate) differs: Vec<String>,
}

/// A request's streets, for both searches.
struct Streets<'a> {
    snapshot: &'a Snapshot,
    request: RoutingRequest,
    limits: StreetLimits,
    places: [LinkedPlace; 2],
    stations: &'a LinkedBikeStations,
}

/// Compares access, egress and the path without transit. `None` when a place is off the streets.
pub(crate) fn compare(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    [access, egress]: [&[Endpoint]; 2],
) -> Option<StreetComparison> {
    let street = &snapshot.graph.street;
    let mode = LinkMode::of(request);
    let leaves_car = request.car_park || request.kiss_and_ride;
    let link =
        |place: &PlaceRequest, mode, end| LinkedPlace::with_nearer_street(street, place.position?, mode, end);
    let from = link(&request.from, mode, LinkEnd::Start)?;
    let to = link(&request.to, if leaves_car { LinkMode::Walk } else { mode }, LinkEnd::Destination)?;
    // The plain search takes times as local ones.
    let local = request.epoch_seconds + i64::from(snapshot.utc_offset(request.epoch_seconds));
    let streets = Streets {
        snapshot,
        request: RoutingRequest { epoch_seconds: local, ..request.clone() },
        limits: StreetLimits::around_transit(request),
        places: [from, to],
        stations: snapshot.bike_stations_at(request.epoch_seconds),
    };
    let street_mode = StreetMode::of(request);
    let mut found = StreetComparison::default();
    streets.compare_stops(Direction::Forward, street_mode, access, &mut found);
    streets.compare_stops(Direction::Backward, street_mode.after_transit(), egress, &mut found);
    for limits in [streets.limits, StreetLimits::default()] {
        streets.compare_paths(street_mode, limits, &mut found);
    }
    Some(found)
}

impl Streets<'_> {
    fn oracle(&self, direction: Direction, street_mode: StreetMode, limits: StreetLimits) -> Oracle<'_> {
        let backward = direction == Direction::Backward;
        let [from, to] = &self.places;
        Oracle {
            graph: &self.snapshot.graph.street,
            request: &self.request,
            street_mode,
            limits,
            by_time: false,
            ties: Ties::ByNumber,
            backward,
            stations: self.stations.stations(),
            ends: if backward { [Some(to), Some(from)] } else { [Some(from), Some(to)] },
        }
    }

    fn compare_stops(
        &self,
        direction: Direction,
        street_mode: StreetMode,
        found: &[Endpoint],
        comparison: &mut StreetComparison,
    ) {
        let graph = &self.snapshot.graph;
        let mut oracle = self.oracle(direction, street_mode, self.limits);
        // Nothing leads to the other end yet.
        oracle.ends[1] = None;
        let expected = oracle.stops(&|stop| graph.stop_link_seconds(StopIdx(stop)));
        comparison.stops += expected.len();
        // Other stops of the same stations come after those that are reached on streets.
        let mut by_stop = HashMap::new();
        for end in found {
            by_stop.entry(end.stop.0).or_insert(end);
        }
        for (stop, (seconds, cost, _)) in &expected {
            let end = by_stop.get(stop).map(|end| (end.seconds, end.cost));
            if !end.is_some_and(|end| end.0 == *seconds && (end.1 - cost).abs() < CLOSE) {
                let text =
                    format!("{direction:?} {street_mode:?} stop {stop}: {end:?}, not {seconds} {cost}");
                comparison.differs.push(text);
            }
        }
        let edges = graph.station_edges(direction, self.request.wheelchair);
        let by_station = |stop: u32| {
            let mut reached = expected.keys().map(|&other| StopIdx(other));
            reached.any(|other| edges.others(other).any(|next| next.0 == stop))
        };
        let unknown = by_stop.keys().filter(|stop| !expected.contains_key(stop) && !by_station(**stop));
        let texts = unknown.map(|stop| format!("{direction:?} {street_mode:?} stop {stop} is not reached"));
        comparison.differs.extend(texts);
    }

    fn compare_paths(
        &self,
        street_mode: StreetMode,
        limits: StreetLimits,
        comparison: &mut StreetComparison,
    ) {
        let costs = StreetCosts::from_request(&self.request, 0);
        let metrics = StreetMetrics::default();
        let [from, to] = &self.places;
        for direction in [Direction::Forward, Direction::Backward] {
            if direction.is_backward() && street_mode.is_routed_along_travel_only() {
                continue;
            }
            let expected = self.oracle(direction, street_mode, limits).route();
            comparison.paths += usize::from(expected.is_some());
            for metrics in [None, Some(&metrics)] {
                let plain = StreetQuery::new(&self.snapshot.graph.street, &costs);
                let query = StreetQuery { stations: Some(self.stations), limits, metrics, ..plain };
                let found = StreetSearch::new().route(&query, from, to, direction).unwrap();
                let found = found.map(|path| (path.weight, path.seconds, path.walk_distance_m));
                let agree = match (found, expected) {
                    (Some(found), Some(expected)) => (found.0 - expected.0).abs() < CLOSE + TIES * expected.0,
                    (found, expected) => found.is_none() && expected.is_none(),
                };
                if !agree {
                    let guided = if metrics.is_some() { " guided" } else { "" };
                    let limit = limits.max_walk_distance;
                    comparison.differs.push(format!(
                        "{direction:?} {street_mode:?}{guided} path within {limit}: {found:?}, not {expected:?}"
                    ));
                }
            }
        }
    }
}
