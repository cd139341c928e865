//! Entities: which there are, what is known of them, and which belong together or lie near a place.

use napi::bindgen_prelude::{Env, Int32Array, Object, Uint32Array};
use napi_derive::napi;
use trestle_engine::index::{self, Relation};
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::named;

use crate::error::constant;
use crate::graph::Graph;
use crate::search::{SearchOptions, run};
use crate::wire::index::{
    Agency, Cluster, Feed, FlexArea, IndexLists, Pattern, Route, Stop, StopDistances, Transfers, Trip,
    index_lists, stop_distances, transfers,
};
use crate::wire::rows::Rows;

named! {
    /// Kinds of entities.
    #[derive(Clone, Copy)]
    enum EntityKind {
        Feeds = "feeds",
        Agencies = "agencies",
        Stops = "stops",
        Routes = "routes",
        Patterns = "patterns",
        Trips = "trips",
        Clusters = "clusters",
        FlexAreas = "flexAreas",
    }
}

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
        Ok(Uint32Array::new(match constant("kind", &kind, EntityKind::named())? {
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
        let kind = constant("kind", &kind, EntityKind::named())?;
        let found = ids.iter().map(|id| find(&snapshot, kind, id).map_or(-1, |index| index as i32));
        Ok(Int32Array::new(found.collect()))
    }

    /// Feeds at the given positions. Here and below: positions that do not exist are left out, and a position that is
    /// not a whole number is `INVALID_REQUEST`.
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
            constant("relation", &relation, Relation::named())?,
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

    /// Stops within a walk of `radius` metres (at most 5000), nearest first. Rejects with `TIMEOUT`, `BUSY`,
    /// `ABORTED`, `DISPOSED` or `PANIC`.
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
                index::stops_within_walk(&snapshot, center, radius, &mut scratch.planner.direct, deadline)?;
            Ok(stop_distances(near))
        })
    }

    /// Precomputed walks along streets from each stop to others.
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
