//! Relations between entities, for many entities at once, so that a caller makes one call per list and not per item.

use rustc_hash::FxHashSet;
use trestle_model::ServiceDate;
use trestle_model::ids::{PatternIdx, RouteIdx, ServiceIdx, StopIdx, TripIdx};
use trestle_model::lists::Lists;
use trestle_model::named;
use trestle_transit::timetable::Timetable;

use crate::snapshot::Snapshot;

named! {
    /// A relation from one kind of entity to another.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Relation {
        /// Routes of an agency, in listing order.
        AgencyRoutes = "agencyRoutes",
        /// Patterns that call at a stop, each once, in listing order. In all lists, those of live data come last.
        StopPatterns = "stopPatterns",
        /// Routes that call at a stop, each once.
        StopRoutes = "stopRoutes",
        /// Cluster of a stop: one or none.
        StopCluster = "stopCluster",
        /// Patterns of a route, in listing order.
        RoutePatterns = "routePatterns",
        /// Stops of a route, each once.
        RouteStops = "routeStops",
        /// Trips of a route, pattern by pattern; a frequency trip once per row of frequencies.txt.
        RouteTrips = "routeTrips",
        /// Stops of a pattern in order; a stop that it calls at twice is there twice.
        PatternStops = "patternStops",
        /// Trips of a pattern; a frequency trip once per row of frequencies.txt.
        PatternTrips = "patternTrips",
        /// Stops of a trip in order.
        TripStops = "tripStops",
        /// Stops of a cluster.
        ClusterStops = "clusterStops",
        /// Stops of a station where travellers can board.
        StationStops = "stationStops",
    }
}

/// The related entities of each of `entities`, as positions in the columns of their kind; none for an entity that does
/// not exist.
pub fn related(snapshot: &Snapshot, relation: Relation, entities: &[u32]) -> Lists<u32> {
    let mut lists = Lists { offsets: vec![0], items: Vec::new() };
    for &entity in entities {
        lists.items.extend(related_to(snapshot, relation, entity));
        lists.offsets.push(lists.items.len() as u32);
    }
    lists
}

fn related_to(snapshot: &Snapshot, relation: Relation, entity: u32) -> Vec<u32> {
    let (timetable, listing) = (&snapshot.graph.timetable, &snapshot.graph.listing);
    match relation {
        Relation::AgencyRoutes => {
            let routes = listing.routes.iter().copied();
            routes.filter(|&route| timetable.routes.agency[route as usize] == entity).collect()
        }
        Relation::StopPatterns => stop_patterns(snapshot, StopIdx(entity)),
        Relation::StopRoutes => {
            let patterns = stop_patterns(snapshot, StopIdx(entity));
            distinct(patterns.into_iter().map(|pattern| route_of(snapshot, PatternIdx(pattern)).0))
        }
        Relation::StopCluster => listing.clusters.of_stop(StopIdx(entity)).into_iter().collect(),
        Relation::RoutePatterns => route_patterns(snapshot, RouteIdx(entity)),
        Relation::RouteStops => {
            let patterns = route_patterns(snapshot, RouteIdx(entity)).into_iter();
            distinct(patterns.flat_map(|pattern| pattern_stops(snapshot, PatternIdx(pattern))))
        }
        Relation::RouteTrips => {
            let patterns = route_patterns(snapshot, RouteIdx(entity)).into_iter();
            patterns.flat_map(|pattern| pattern_trips(snapshot, PatternIdx(pattern))).collect()
        }
        Relation::PatternStops => pattern_stops(snapshot, PatternIdx(entity)),
        Relation::PatternTrips => pattern_trips(snapshot, PatternIdx(entity)),
        Relation::TripStops => {
            let live = snapshot.live_schedule().pattern_of(TripIdx(entity));
            pattern_stops(snapshot, live.unwrap_or_else(|| timetable.pattern_of(TripIdx(entity))))
        }
        Relation::ClusterStops => {
            let cluster = listing.clusters.get(entity);
            cluster.map(|cluster| cluster.stops.to_vec()).unwrap_or_default()
        }
        Relation::StationStops => station_stops(timetable, entity),
    }
}

/// Patterns that call at a stop, each once, in listing order; those of live data last.
fn stop_patterns(snapshot: &Snapshot, stop: StopIdx) -> Vec<u32> {
    let live = snapshot.live_schedule().patterns_at(stop).iter().copied();
    scheduled_patterns_at(snapshot, stop).into_iter().chain(live).collect()
}

/// Scheduled patterns that call at a stop, each once, in listing order.
pub(super) fn scheduled_patterns_at(snapshot: &Snapshot, stop: StopIdx) -> Vec<u32> {
    let timetable = &snapshot.graph.timetable;
    let mut patterns: Vec<u32> = timetable.stops.calls_at(stop).iter().map(|[pattern, _]| *pattern).collect();
    snapshot.graph.listing.sort_patterns(&mut patterns);
    patterns
}

fn route_patterns(snapshot: &Snapshot, route: RouteIdx) -> Vec<u32> {
    let live = snapshot.live_schedule().patterns_of(route).iter().copied();
    scheduled_patterns_of(snapshot, route).into_iter().chain(live).collect()
}

fn scheduled_patterns_of(snapshot: &Snapshot, route: RouteIdx) -> Vec<u32> {
    let timetable = &snapshot.graph.timetable;
    let mut patterns = timetable.routes.patterns_of(route).to_vec();
    snapshot.graph.listing.sort_patterns(&mut patterns);
    patterns
}

fn route_of(snapshot: &Snapshot, pattern: PatternIdx) -> RouteIdx {
    let live = snapshot.live_schedule().pattern(pattern).map(|row| row.route);
    live.unwrap_or_else(|| snapshot.graph.timetable.route_of(pattern))
}

fn pattern_stops(snapshot: &Snapshot, pattern: PatternIdx) -> Vec<u32> {
    match snapshot.live_schedule().calls_of(pattern) {
        Some(trip) => trip.stops.iter().map(|stop| stop.0).collect(),
        None => snapshot.graph.timetable.patterns.stops(pattern).to_vec(),
    }
}

fn pattern_trips(snapshot: &Snapshot, pattern: PatternIdx) -> Vec<u32> {
    if let Some(live) = snapshot.live_schedule().pattern(pattern) {
        return live.trips.iter().map(|trip| trip.0).collect();
    }
    let timetable = &snapshot.graph.timetable;
    let listed = |trip: usize| {
        let rows = timetable.trips.frequencies_of(TripIdx::from(trip)).len();
        std::iter::repeat_n(trip as u32, rows.max(1))
    };
    timetable.patterns.trips(pattern).flat_map(listed).collect()
}

fn station_stops(timetable: &Timetable, station: u32) -> Vec<u32> {
    let stops = &timetable.stops;
    let parts = stops.with_parts(|stop| stop.0 == station).filter(|stop| stop.0 != station);
    parts.filter(|&stop| stops.is_boardable(stop)).map(|stop| stop.0).collect()
}

fn distinct(values: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut seen = FxHashSet::default();
    values.filter(|value| seen.insert(*value)).collect()
}

/// The first scheduled trip of a route in a direction that departs from its first stop at `time` by the schedule and
/// whose service runs on `date`.
pub fn fuzzy_trip(
    snapshot: &Snapshot,
    route: u32,
    direction: i32,
    date: ServiceDate,
    time: i32,
) -> Option<TripIdx> {
    let timetable = &snapshot.graph.timetable;
    let patterns = scheduled_patterns_of(snapshot, RouteIdx(route)).into_iter();
    let directed = patterns.filter(|&pattern| timetable.patterns.direction[pattern as usize] == direction);
    let mut trips =
        directed.flat_map(|pattern| timetable.patterns.trips(PatternIdx(pattern))).map(TripIdx::from);
    trips.find(|&trip| {
        let service = ServiceIdx(timetable.trips.service[trip.index()]);
        timetable.trip_calls(trip).first_departure() == Some(time)
            && timetable.services.runs_on(service, date)
    })
}
