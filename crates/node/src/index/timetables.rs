//! Timetables and shapes: calls at stops and of trips, their texts, and the hashes of patterns and trips.

use napi::bindgen_prelude::{Env, Uint32Array};
use napi_derive::napi;
use trestle_engine::index;
use trestle_engine::index::stop_times::{PatternCalls, StopTimes as Times, Upcoming};
use trestle_engine::snapshot::Snapshot;
use trestle_model::ids::{PatternIdx, StopIdx, TripIdx};
use trestle_model::lists::list;
use trestle_model::polyline::encode;

use crate::error::CodedError;
use crate::graph::Graph;
use crate::wire::dates::service_date;
use crate::wire::index::{Shapes, UpcomingOptions, shapes};
use crate::wire::itinerary::Polyline;
use crate::wire::rows::Rows;
use crate::wire::stop_times::{CallTexts, StopTimes, texts};

#[napi]
impl Graph {
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
        let shapes = patterns
            .iter()
            .map(|&pattern| polyline(index::pattern_geometry(&snapshot, PatternIdx(pattern)).into_iter()));
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
        let geometry = |&pattern: &u32| index::pattern_geometry(&snapshot, PatternIdx(pattern));
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
        Ok(StopTimes::pack(env, &snapshot.graph.timetable, &calls).map_err(CodedError::from)?)
    }
}

fn boundary(snapshot: &Snapshot, area: u32) -> Polyline {
    let areas = &snapshot.graph.timetable.flex.areas;
    polyline(list(&areas.offsets, &areas.points, area as usize).iter().copied())
}

fn polyline(points: impl Iterator<Item = [f64; 2]>) -> Polyline {
    encode(points.map(|[lat, lon]| (lat, lon))).into()
}
