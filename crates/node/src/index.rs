//! Look-ups over the transit layer. Entities are named by their position in the graph; `find` resolves their ids. Each
//! entity takes some microseconds; what could take longer (walks, all clusters) runs on the pool or once per graph.
//!
//! Those that are given ids or positions return at once here, and a promise in the library, which calls them with a few
//! at a time (`src/native/look-ups.ts`).

use napi::bindgen_prelude::{Env, Int32Array, Object, Uint32Array};
use napi_derive::napi;
use trestle_engine::index::stop_times::{PatternCalls, StopTimes as Times, Upcoming};
use trestle_engine::index::{self, Relation};
use trestle_engine::snapshot::Snapshot;
use trestle_model::ServiceDate;
use trestle_model::geo::LatLon;
use trestle_model::ids::{PatternIdx, StopIdx, TripIdx};
use trestle_model::polyline::encode;

use crate::error::{Coded, CodedError, constant};
use crate::graph::Graph;
use crate::search::{SearchOptions, run};
use crate::wire::index::{
    Agency, Cluster, Feed, FlexArea, IndexLists, Pattern, Route, Shapes, Stop, StopDistances, Transfers,
    Trip, UpcomingOptions, index_lists, shapes, stop_distances, transfers,
};
use crate::wire::itinerary::Polyline;
use crate::wire::rows::Rows;
use crate::wire::stop_times::{CallTexts, StopTimes, columns, texts};

/// Kinds of entities.
#[derive(Clone, Copy)]
enum EntityKind {
    Feeds,
    Agencies,
    Stops,
    Routes,
    Patterns,
    Trips,
    Clusters,
    FlexAreas,
}

const ENTITY_KINDS: [(&str, EntityKind); 8] = [
    ("feeds", EntityKind::Feeds),
    ("agencies", EntityKind::Agencies),
    ("stops", EntityKind::Stops),
    ("routes", EntityKind::Routes),
    ("patterns", EntityKind::Patterns),
    ("trips", EntityKind::Trips),
    ("clusters", EntityKind::Clusters),
    ("flexAreas", EntityKind::FlexAreas),
];

const RELATIONS: [(&str, Relation); 12] = [
    ("agencyRoutes", Relation::AgencyRoutes),
    ("stopPatterns", Relation::StopPatterns),
    ("stopRoutes", Relation::StopRoutes),
    ("stopCluster", Relation::StopCluster),
    ("routePatterns", Relation::RoutePatterns),
    ("routeStops", Relation::RouteStops),
    ("routeTrips", Relation::RouteTrips),
    ("patternStops", Relation::PatternStops),
    ("patternTrips", Relation::PatternTrips),
    ("tripStops", Relation::TripStops),
    ("clusterStops", Relation::ClusterStops),
    ("stationStops", Relation::StationStops),
];

/// The entities at the given positions that exist.
fn rows<T>(
    graph: &Graph,
    indices: &[u32],
    read: impl Fn(&Rows<'_>, u32) -> Option<T>,
) -> napi::Result<Vec<T>, String> {
    let snapshot = graph.snapshot()?;
    let rows = Rows::new(&snapshot);
    Ok(indices.iter().filter_map(|&index| read(&rows, index)).collect())
}

#[napi]
impl Graph {
    /// Positions of all entities of a kind, in the order in which the interface lists them. Patterns and trips are the
    /// scheduled ones only; those of live data can be found by id and through their stop or route.
    ///
    /// Look-ups that are given positions or ids return promises: they read some at a time, so that the program goes on
    /// with other things in between, and all that one of them reads has the same live data. An entity takes 1 to 20 µs.
    /// `graph.each(kind)` gives the entities of a long list one after the other.
    ///
    /// @example
    /// for (const { id, name } of await graph.stops(graph.list('stops').slice(0, 20))) console.log(id, name);
    #[napi(catch_unwind)]
    pub fn list(
        &self,
        #[napi(ts_arg_type = "EntityKind")] kind: String,
    ) -> napi::Result<Uint32Array, String> {
        let snapshot = self.snapshot()?;
        let (timetable, listing) = (&snapshot.graph.timetable, &snapshot.graph.listing);
        let all = |count: usize| (0..count as u32).collect::<Vec<u32>>();
        Ok(Uint32Array::new(match constant("kind", &kind, &ENTITY_KINDS)? {
            EntityKind::Feeds => all(timetable.feeds.id.len()),
            EntityKind::Agencies => all(timetable.agencies.id.len()),
            EntityKind::Stops => listing.stops.to_vec(),
            EntityKind::Routes => listing.routes.to_vec(),
            EntityKind::Patterns => listing.patterns.to_vec(),
            EntityKind::Trips => listing.trips.to_vec(),
            EntityKind::Clusters => listing.clusters.listing.to_vec(),
            EntityKind::FlexAreas => all(timetable.flex.areas.id.len()),
        }))
    }

    /// Positions of the entities with these ids (`feed:entity`, pattern codes, cluster ids, feed ids; agencies as
    /// `feed:agency`); -1 for an unknown or malformed one. Stops are all rows of stops.txt, stations too; routes
    /// without a pattern are unknown.
    ///
    /// @example
    /// const found = await graph.find('routes', ['city:U1', 'city:none']);
    /// console.log(await graph.routes(found), found[1] === -1);
    #[napi(catch_unwind, ts_return_type = "Promise<Int32Array>")]
    pub fn find(
        &self,
        #[napi(ts_arg_type = "EntityKind")] kind: String,
        ids: Vec<String>,
    ) -> napi::Result<Int32Array, String> {
        let snapshot = self.snapshot()?;
        let kind = constant("kind", &kind, &ENTITY_KINDS)?;
        let found = ids.iter().map(|id| find(&snapshot, kind, id).map_or(-1, |index| index as i32));
        Ok(Int32Array::new(found.collect()))
    }

    /// Feeds at the given positions. Here and below: positions that do not exist are left out, and a position that is
    /// not an integer is `INVALID_REQUEST`.
    ///
    /// @example
    /// for (const { id, version } of await graph.feeds(graph.list('feeds'))) console.log(id, version);
    #[napi(catch_unwind, ts_return_type = "Promise<Array<Feed>>")]
    pub fn feeds(
        &self,
        #[napi(ts_arg_type = "Positions")] indices: Uint32Array,
    ) -> napi::Result<Vec<Feed>, String> {
        rows(self, &indices, |rows, index| rows.feed(index))
    }

    /// Agencies at the given positions.
    ///
    /// @example
    /// for (const { id, name, timezone } of await graph.agencies(graph.list('agencies'))) console.log(id, name, timezone);
    #[napi(catch_unwind, ts_return_type = "Promise<Array<Agency>>")]
    pub fn agencies(
        &self,
        #[napi(ts_arg_type = "Positions")] indices: Uint32Array,
    ) -> napi::Result<Vec<Agency>, String> {
        rows(self, &indices, |rows, index| rows.agency(index))
    }

    /// Stops at the given positions.
    ///
    /// @example
    /// const [stop] = await graph.stops(await graph.find('stops', ['city:Th5-5-6+']));
    /// console.log(stop?.name, stop?.lat, stop?.lon);
    #[napi(catch_unwind, ts_return_type = "Promise<Array<Stop>>")]
    pub fn stops(
        &self,
        #[napi(ts_arg_type = "Positions")] indices: Uint32Array,
    ) -> napi::Result<Vec<Stop>, String> {
        rows(self, &indices, |rows, index| rows.stop(index))
    }

    /// Routes at the given positions.
    ///
    /// @example
    /// for (const { shortName, longName, mode } of await graph.routes(graph.list('routes'))) console.log(mode, shortName, longName);
    #[napi(catch_unwind, ts_return_type = "Promise<Array<Route>>")]
    pub fn routes(
        &self,
        #[napi(ts_arg_type = "Positions")] indices: Uint32Array,
    ) -> napi::Result<Vec<Route>, String> {
        rows(self, &indices, |rows, index| rows.route(index))
    }

    /// Patterns at the given positions.
    ///
    /// @example
    /// const { values } = await graph.related('routePatterns', await graph.find('routes', ['city:U1']));
    /// for (const { code, name } of await graph.patterns(values)) console.log(code, name);
    #[napi(catch_unwind, ts_return_type = "Promise<Array<Pattern>>")]
    pub fn patterns(
        &self,
        #[napi(ts_arg_type = "Positions")] indices: Uint32Array,
    ) -> napi::Result<Vec<Pattern>, String> {
        rows(self, &indices, |rows, index| rows.pattern(index))
    }

    /// Trips at the given positions.
    ///
    /// @example
    /// const trips = await graph.trips(graph.list('trips'));
    /// console.log(new Set(trips.map(({ serviceId }) => serviceId)).size, 'services');
    #[napi(catch_unwind, ts_return_type = "Promise<Array<Trip>>")]
    pub fn trips(
        &self,
        #[napi(ts_arg_type = "Positions")] indices: Uint32Array,
    ) -> napi::Result<Vec<Trip>, String> {
        rows(self, &indices, |rows, index| rows.trip(index))
    }

    /// Clusters at the given positions.
    ///
    /// @example
    /// const [cluster] = await graph.clusters(graph.list('clusters').slice(0, 1));
    /// console.log(cluster?.name, cluster?.lat, cluster?.lon);
    #[napi(catch_unwind, ts_return_type = "Promise<Array<Cluster>>")]
    pub fn clusters(
        &self,
        #[napi(ts_arg_type = "Positions")] indices: Uint32Array,
    ) -> napi::Result<Vec<Cluster>, String> {
        rows(self, &indices, |rows, index| rows.cluster(index))
    }

    /// Flex areas at the given positions.
    ///
    /// @example
    /// const areas = await graph.flexAreas(graph.list('flexAreas'));
    /// console.log(areas.length, 'flex areas');
    #[napi(catch_unwind, ts_return_type = "Promise<Array<FlexArea>>")]
    pub fn flex_areas(
        &self,
        #[napi(ts_arg_type = "Positions")] indices: Uint32Array,
    ) -> napi::Result<Vec<FlexArea>, String> {
        rows(self, &indices, |rows, index| rows.flex_area(index))
    }

    /// The related entities of each of the given ones.
    ///
    /// @example
    /// const { values } = await graph.related('routeStops', await graph.find('routes', ['city:U1']));
    /// for (const { name } of await graph.stops(values)) console.log(name);
    #[napi(catch_unwind, ts_return_type = "Promise<IndexLists>")]
    pub fn related(
        &self,
        #[napi(ts_arg_type = "EntityRelation")] relation: String,
        #[napi(ts_arg_type = "Positions")] indices: Uint32Array,
    ) -> napi::Result<IndexLists, String> {
        Ok(index_lists(index::related(
            &self.snapshot()?,
            constant("relation", &relation, &RELATIONS)?,
            &indices,
        )))
    }

    /// Stops inside a box, edges included.
    ///
    /// @example
    /// for (const { name } of await graph.stops(graph.stopsInBox(48.0, 15.02, 48.01, 15.04))) console.log(name);
    #[napi(catch_unwind)]
    pub fn stops_in_box(
        &self,
        min_lat: f64,
        min_lon: f64,
        max_lat: f64,
        max_lon: f64,
    ) -> napi::Result<Uint32Array, String> {
        let (south_west, north_east) = (LatLon::new(min_lat, min_lon), LatLon::new(max_lat, max_lon));
        Ok(index::stops_in_box(&self.snapshot()?, south_west, north_east).into())
    }

    /// Stops nearer than `radius` metres (at most 5000), nearest first.
    ///
    /// @example
    /// const { stops, distances } = graph.stopsInCircle(48.0056, 15.0306, 400);
    /// for (const [i, { name }] of (await graph.stops(stops)).entries()) console.log(name, Math.round(distances[i] ?? 0), 'm');
    #[napi(catch_unwind)]
    pub fn stops_in_circle(&self, lat: f64, lon: f64, radius: f64) -> napi::Result<StopDistances, String> {
        Ok(stop_distances(index::stops_in_circle(&self.snapshot()?, LatLon::new(lat, lon), radius)))
    }

    /// Stops within a walk of `radius` metres (at most 5000), nearest first. Rejects with `BUSY`, `ABORTED` when it was
    /// stopped or took too long, `DISPOSED` or `PANIC`.
    ///
    /// @example
    /// const { stops, distances } = await graph.stopsWithinWalk(48.0056, 15.0306, 600);
    /// console.log(stops.length, 'stops, the nearest after', distances[0], 'm');
    #[napi(catch_unwind, ts_return_type = "Promise<StopDistances>")]
    pub fn stops_within_walk<'env>(
        &self,
        env: &'env Env,
        lat: f64,
        lon: f64,
        radius: f64,
        options: Option<SearchOptions<'env>>,
    ) -> napi::Result<Object<'env>, String> {
        let snapshot = self.snapshot()?;
        let center = LatLon::new(lat, lon);
        run(env, self.integrity()?, options, move |scratch, deadline| {
            let near =
                index::stops_within_walk(&snapshot, center, radius, &mut scratch.planner.direct, deadline);
            if deadline.passed() {
                return Err(CodedError::new("ABORTED", "the search for stops was stopped"));
            }
            Ok(stop_distances(near))
        })
    }

    /// Precomputed walks from each stop to others.
    ///
    /// @example
    /// const { stops, distances } = await graph.transfers(graph.list('stops').slice(0, 1));
    /// for (const [i, { id }] of (await graph.stops(stops)).entries()) console.log(id, distances[i], 'm');
    #[napi(catch_unwind, ts_return_type = "Promise<Transfers>")]
    pub fn transfers(
        &self,
        #[napi(ts_arg_type = "Positions")] stops: Uint32Array,
    ) -> napi::Result<Transfers, String> {
        let snapshot = self.snapshot()?;
        let walks: Vec<_> = stops.iter().map(|&stop| index::transfers_from(&snapshot, stop)).collect();
        Ok(transfers(&walks))
    }

    /// The next calls at each stop.
    ///
    /// @example
    /// const { stops } = graph.stopsInCircle(48.0056, 15.0306, 400);
    /// const eight = Date.parse('2026-11-23T07:00:00Z') / 1000;
    /// const calls = await graph.stopTimes(stops.slice(0, 1), { startTime: eight, numberOfDepartures: 3 });
    /// const { texts, headsigns } = await graph.callTexts(calls.trips, calls.stops, calls.positions);
    /// calls.realtimeDepartures.forEach((seconds, i) => console.log(seconds / 3600, texts[headsigns[i] ?? 0]));
    #[napi(catch_unwind, ts_return_type = "Promise<StopTimes>")]
    pub fn stop_times<'env>(
        &self,
        env: &'env Env,
        #[napi(ts_arg_type = "Positions")] stops: Uint32Array,
        options: UpcomingOptions,
    ) -> napi::Result<StopTimes<'env>, String> {
        let wanted = Upcoming {
            from: options.start_time,
            range: options.time_range.unwrap_or(86_400),
            per_pattern: options.number_of_departures.unwrap_or(2).max(0) as usize,
            omit_non_pickups: options.omit_non_pickups.unwrap_or(false),
        };
        self.calls(env, &stops, |times, stop| times.upcoming(StopIdx(stop), wanted))
    }

    /// All calls at each stop on a day (`YYYYMMDD`; months and days may roll over). `INVALID_REQUEST` for another form.
    ///
    /// @example
    /// const { trips } = await graph.stopTimesOnDate(graph.list('stops').slice(0, 1), '20261123');
    /// console.log(trips.length, 'calls on that day');
    #[napi(catch_unwind, ts_return_type = "Promise<StopTimes>")]
    pub fn stop_times_on_date<'env>(
        &self,
        env: &'env Env,
        #[napi(ts_arg_type = "Positions")] stops: Uint32Array,
        date: String,
        omit_non_pickups: Option<bool>,
    ) -> napi::Result<StopTimes<'env>, String> {
        let (date, omit) = (service_date(&date)?, omit_non_pickups.unwrap_or(false));
        self.calls(env, &stops, |times, stop| times.on_date(StopIdx(stop), date, omit))
    }

    /// The calls of each trip: of a day when one is given (`YYYYMMDD`), else of the plain timetable. An added trip has
    /// the times that live data gives, on whichever day it runs.
    ///
    /// @example
    /// const { stops, scheduledDepartures } = await graph.tripStopTimes(graph.list('trips').slice(0, 1));
    /// for (const [i, { name }] of (await graph.stops(stops)).entries()) console.log(name, scheduledDepartures[i], 's');
    #[napi(catch_unwind, ts_return_type = "Promise<StopTimes>")]
    pub fn trip_stop_times<'env>(
        &self,
        env: &'env Env,
        #[napi(ts_arg_type = "Positions")] trips: Uint32Array,
        date: Option<String>,
    ) -> napi::Result<StopTimes<'env>, String> {
        let date = date.as_deref().map(service_date).transpose()?;
        self.calls(env, &trips, |times, trip| match date {
            Some(date) => vec![times.of_trip_on(TripIdx(trip), date)],
            None => vec![times.of_trip(TripIdx(trip))],
        })
    }

    /// Texts of calls: takes columns of `StopTimes` and gives one text for each call.
    ///
    /// @example
    /// const { trips, stops, positions } = await graph.tripStopTimes(graph.list('trips').slice(0, 1));
    /// const { texts, stopIds } = await graph.callTexts(trips, stops, positions);
    /// console.log([...stopIds].map((text) => texts[text]));
    #[napi(catch_unwind, ts_return_type = "Promise<CallTexts>")]
    pub fn call_texts(
        &self,
        #[napi(ts_arg_type = "Positions")] trips: Uint32Array,
        #[napi(ts_arg_type = "Positions")] stops: Uint32Array,
        #[napi(ts_arg_type = "Positions")] positions: Uint32Array,
    ) -> napi::Result<CallTexts, String> {
        let snapshot = self.snapshot()?;
        Ok(texts(&Rows::new(&snapshot), &trips, &stops, &positions))
    }

    /// The shape of each pattern; no points when it has none.
    ///
    /// @example
    /// for (const { points } of await graph.patternGeometries(graph.list('patterns').slice(0, 3))) console.log(points);
    #[napi(catch_unwind, ts_return_type = "Promise<Array<Polyline>>")]
    pub fn pattern_geometries(
        &self,
        #[napi(ts_arg_type = "Positions")] patterns: Uint32Array,
    ) -> napi::Result<Vec<Polyline>, String> {
        let snapshot = self.snapshot()?;
        let shapes = patterns.iter().map(|&pattern| {
            let points = snapshot.graph.timetable.patterns.geometry(PatternIdx(pattern));
            polyline(points.into_iter())
        });
        Ok(shapes.collect())
    }

    /// The shape of each pattern as points; none when it has no shape.
    ///
    /// @example
    /// const { points } = await graph.patternPoints(graph.list('patterns').slice(0, 1));
    /// console.log('from', points.subarray(0, 2), 'to', points.subarray(-2));
    #[napi(catch_unwind, ts_return_type = "Promise<Shapes>")]
    pub fn pattern_points(
        &self,
        #[napi(ts_arg_type = "Positions")] patterns: Uint32Array,
    ) -> napi::Result<Shapes, String> {
        let snapshot = self.snapshot()?;
        let geometry = |&pattern: &u32| snapshot.graph.timetable.patterns.geometry(PatternIdx(pattern));
        Ok(shapes(&patterns.iter().map(geometry).collect::<Vec<_>>()))
    }

    /// The boundary of each flex area.
    ///
    /// @example
    /// for (const { points } of await graph.flexAreaBoundaries(graph.list('flexAreas'))) console.log(points);
    #[napi(catch_unwind, ts_return_type = "Promise<Array<Polyline>>")]
    pub fn flex_area_boundaries(
        &self,
        #[napi(ts_arg_type = "Positions")] areas: Uint32Array,
    ) -> napi::Result<Vec<Polyline>, String> {
        let snapshot = self.snapshot()?;
        Ok(areas.iter().map(|&area| boundary(&snapshot, area)).collect())
    }

    /// Hash of each pattern's stops and rules.
    ///
    /// @example
    /// console.log(await graph.patternHashes(graph.list('patterns').slice(0, 3)));
    #[napi(catch_unwind, ts_return_type = "Promise<Array<string>>")]
    pub fn pattern_hashes(
        &self,
        #[napi(ts_arg_type = "Positions")] patterns: Uint32Array,
    ) -> napi::Result<Vec<String>, String> {
        let snapshot = self.snapshot()?;
        Ok(patterns
            .iter()
            .filter_map(|&pattern| index::pattern_hash(&snapshot, PatternIdx(pattern)))
            .collect())
    }

    /// Hash of each trip's pattern and times; empty for trips by frequency.
    ///
    /// @example
    /// console.log(await graph.tripHashes(graph.list('trips').slice(0, 3)));
    #[napi(catch_unwind, ts_return_type = "Promise<Array<string>>")]
    pub fn trip_hashes(
        &self,
        #[napi(ts_arg_type = "Positions")] trips: Uint32Array,
    ) -> napi::Result<Vec<String>, String> {
        let snapshot = self.snapshot()?;
        Ok(trips.iter().filter_map(|&trip| index::trip_hash(&snapshot, TripIdx(trip))).collect())
    }

    /// The first scheduled trip of a route in a direction whose scheduled departure from its first stop is `time` (seconds after
    /// the service day's start) and that runs on `date` (`YYYYMMDD`).
    #[napi(catch_unwind)]
    pub fn fuzzy_trip(
        &self,
        route: u32,
        direction: i32,
        date: String,
        time: i32,
    ) -> napi::Result<Option<u32>, String> {
        let date = service_date(&date)?;
        Ok(index::fuzzy_trip(&self.snapshot()?, route, direction, date, time).map(|trip| trip.0))
    }
}

impl Graph {
    fn calls<'env>(
        &self,
        env: &'env Env,
        entities: &[u32],
        mut read: impl FnMut(&mut Times<'_>, u32) -> Vec<PatternCalls>,
    ) -> napi::Result<StopTimes<'env>, String> {
        let snapshot = self.snapshot()?;
        let mut times = Times::new(&snapshot);
        let calls: Vec<_> = entities.iter().map(|&entity| read(&mut times, entity)).collect();
        Ok(columns(env, &snapshot.graph.timetable, &calls).map_err(CodedError::from)?)
    }
}

fn boundary(snapshot: &Snapshot, area: u32) -> Polyline {
    let areas = &snapshot.graph.timetable.flex.areas;
    let ends = (areas.offsets.get(area as usize), areas.offsets.get(area as usize + 1));
    let own = match ends {
        (Some(&from), Some(&to)) => areas.points.get(from as usize..to as usize).unwrap_or_default(),
        _ => &[],
    };
    polyline(own.iter().copied())
}

fn find(snapshot: &Snapshot, kind: EntityKind, id: &str) -> Option<u32> {
    let timetable = &snapshot.graph.timetable;
    match kind {
        EntityKind::Feeds => timetable.feeds_by_id(id).next().map(|feed| feed.0),
        EntityKind::Agencies => {
            let (feed, agency) = id.split_once(':')?;
            timetable.agency_by_id(feed, agency).map(|agency| agency.0)
        }
        EntityKind::Stops => timetable.stop_by_id(id).map(|stop| stop.0),
        EntityKind::Routes => {
            let route = timetable.route_by_id(id)?;
            let live = snapshot.live_schedule().patterns_of(route);
            (!timetable.routes.patterns_of(route).is_empty() || !live.is_empty()).then_some(route.0)
        }
        EntityKind::Patterns => {
            let scheduled = timetable.pattern_by_code(id);
            scheduled.or_else(|| snapshot.live_schedule().find_pattern(id)).map(|pattern| pattern.0)
        }
        EntityKind::Trips => {
            let scheduled = timetable.trip_by_id(id);
            scheduled.or_else(|| snapshot.live_schedule().find_trip(id)).map(|trip| trip.0)
        }
        EntityKind::Clusters => snapshot.graph.listing.clusters.find(id),
        EntityKind::FlexAreas => {
            let rows = Rows::new(snapshot);
            (0..timetable.flex.areas.id.len() as u32)
                .find(|&area| rows.flex_area(area).is_some_and(|a| a.id == id))
        }
    }
}

fn service_date(text: &str) -> Coded<ServiceDate> {
    ServiceDate::parse_compact(text)
        .ok_or_else(|| CodedError::invalid(format!("{text:?} is not a date of the form YYYYMMDD")))
}

fn polyline(points: impl Iterator<Item = [f64; 2]>) -> Polyline {
    let line = encode(points.map(|[lat, lon]| (lat, lon)));
    Polyline { points: line.points, length: line.length }
}
