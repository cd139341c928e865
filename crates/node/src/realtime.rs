//! Live data of a graph. Each call makes a new snapshot while searches run and then puts it in place, so a search sees
//! exactly one state.

use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use napi::bindgen_prelude::*;
use napi_derive::napi;
use trestle_engine::realtime::{
    AlertOptions, AlertPatch as EngineAlertPatch, BikeStations, StreetAlerts, apply_trip_updates,
    decode_alerts, decode_vehicles,
};
use trestle_street::graph::station_kinds::RENTAL;

use crate::error::Coded;
use crate::graph::{Graph, LiveState};
use crate::priority::{Priority, give_way};
use crate::promise::on_own_thread;
use crate::wire::realtime::{
    AlertPatch, RentalStationInput, StaticRentalStation, StreetAlertInput, TripUpdateOptions,
    TripUpdateReport, Vehicle, VehicleMessage, alert_patch, engine_alert, live_station, street_alert,
};

/// Source of the alerts that were sent to the server; feeds have the numbers after it.
const SENT_ALERTS: u32 = 0;

/// Most vehicles of a message that are kept; a message of 64 MB may have a million.
const MOST_VEHICLES: usize = 100_000;

#[napi]
impl Graph {
    /// Applies a GTFS-Realtime message with trip updates. Rejects with `REALTIME_INVALID` (the previous data stays) or
    /// `DISPOSED`.
    ///
    /// @example
    /// // A message without updates, as an agency sends it at night.
    /// const message = Uint8Array.of(10, 5, 10, 3, 50, 46, 48);
    /// const { received, updated, seconds } = await graph.applyTripUpdates(message, { feedId: 'city' });
    /// console.log(received, 'updates,', updated, 'trips with other times, after', seconds, 's');
    #[napi(catch_unwind, ts_return_type = "Promise<TripUpdateReport>")]
    pub fn apply_trip_updates<'env>(
        &self,
        env: &'env Env,
        bytes: Uint8Array,
        options: Option<TripUpdateOptions>,
    ) -> napi::Result<Object<'env>, String> {
        let mut options = options.unwrap_or_default();
        options.now.get_or_insert_with(present);
        let options = options.into_engine_options()?;
        let (bytes, live) = (bytes.to_vec(), self.live());
        beside_searches(env, move || {
            live.change(|snapshot| {
                let started = Instant::now();
                let (overlay, report) = apply_trip_updates(snapshot, &bytes, &options)?;
                let next = snapshot.with_trip_updates(overlay);
                // Done here, so that the first look-up is not slowed down: thousands of added trips take milliseconds.
                next.live_schedule();
                Ok((next, TripUpdateReport::of(&report, started.elapsed().as_secs_f64())))
            })
        })
    }

    /// Forgets all trip updates. Rejects with `DISPOSED`.
    ///
    /// @example
    /// await graph.clearTripUpdates();
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn clear_trip_updates<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>, String> {
        let live = self.live();
        beside_searches(env, move || live.change(|snapshot| Ok((snapshot.with_overlay(None), ()))))
    }

    /// Replaces the live rental stations. Resolves with the ids of those that are not near any street; those are not
    /// used. Rejects with `DISPOSED`.
    ///
    /// @example
    /// const station = { id: 'a', name: 'Harbour', lat: 48.0056, lon: 15.0306, allowDropoff: true, networks: ['bikes'] };
    /// const unlinked = await graph.setRentalStations([{ ...station, bikesAvailable: 4, spacesAvailable: 8 }]);
    /// console.log(unlinked.length, 'stations are not near any street');
    #[napi(catch_unwind, ts_return_type = "Promise<string[]>")]
    pub fn set_rental_stations<'env>(
        &self,
        env: &'env Env,
        stations: Vec<RentalStationInput>,
    ) -> napi::Result<Object<'env>, String> {
        let live = self.live();
        beside_searches(env, move || {
            let stations: Vec<_> = stations.into_iter().map(live_station).collect();
            live.change(|snapshot| {
                let (bikes, unlinked) = BikeStations::new(&snapshot.graph.street, &stations);
                Ok((snapshot.with_bikes(Arc::new(bikes)), unlinked))
            })
        })
    }

    /// Rental stations that the graph was built with. Rejects with `DISPOSED`.
    ///
    /// @example
    /// console.log((await graph.staticRentalStations()).length, 'rental stations');
    // The library asks for `count` of them at a time, from position `from` on.
    #[napi(catch_unwind, ts_args_type = "", ts_return_type = "Promise<Array<StaticRentalStation>>")]
    pub fn static_rental_stations(
        &self,
        from: u32,
        count: u32,
    ) -> napi::Result<Vec<StaticRentalStation>, String> {
        let snapshot = self.snapshot()?;
        let street = &snapshot.graph.street;
        let rows = &street.stations;
        let rental = (0..rows.vertex.len()).filter(|&s| rows.kind[s] == RENTAL);
        let wanted = rental.skip(from as usize).take(count as usize);
        let networks = |s: usize| street.names.get(rows.networks[s]).split(',');
        Ok(wanted
            .map(|s| StaticRentalStation {
                id: street.names.get(rows.id[s]).to_owned(),
                name: street.names.get(rows.name[s]).to_owned(),
                lat: street.vertex_lat[rows.vertex[s] as usize],
                lon: street.vertex_lon[rows.vertex[s] as usize],
                networks: networks(s).filter(|n| !n.is_empty()).map(str::to_owned).collect(),
                capacity: Some(rows.capacity[s]).filter(|&capacity| capacity != u32::MAX),
            })
            .collect())
    }

    /// Replaces the transit alerts that were sent to the server; those of feeds stay. Rejects with `DISPOSED`,
    /// and with `INVALID_REQUEST` for a date of another form.
    ///
    /// @example
    /// const text = (text: string) => [{ language: '', text }];
    /// const alert = { id: 'works', header: text('Works'), description: [], url: [], feedId: 'city', route: 'city:U1' };
    /// await graph.setAlerts([{ ...alert, directionId: -1, periods: [{ start: 0, end: 4e9 }] }]);
    /// console.log((await graph.alerts(0, 10)).length);
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn set_alerts<'env>(
        &self,
        env: &'env Env,
        alerts: Vec<AlertPatch>,
    ) -> napi::Result<Object<'env>, String> {
        let live = self.live();
        beside_searches(env, move || {
            let patches: Coded<_> = alerts.into_iter().map(engine_alert).collect();
            put_alerts(&live, SENT_ALERTS, patches?)
        })
    }

    /// At most `count` of the transit alerts, from position `from` on: one per alert and informed entity, those outside
    /// their periods too. Those that were sent come before those of feeds. Rejects with `DISPOSED`.
    ///
    /// @example
    /// for (const { id, route, stop } of await graph.alerts(0, 100)) console.log(id, route ?? stop);
    #[napi(catch_unwind, ts_return_type = "Promise<Array<AlertPatch>>")]
    pub fn alerts(&self, from: u32, count: u32) -> napi::Result<Vec<AlertPatch>, String> {
        let snapshot = self.snapshot()?;
        let wanted = snapshot.alerts.patches().skip(from as usize).take(count as usize);
        Ok(wanted.map(|patch| alert_patch(&snapshot.graph.timetable, patch)).collect())
    }

    /// Replaces the transit alerts of one feed (a number that the caller gives it) with those of a GTFS-Realtime
    /// message, shown `earlyStart` seconds before their start. Resolves with their number: one per alert and informed
    /// entity. Rejects with `REALTIME_INVALID` (the previous ones stay) or `DISPOSED`.
    ///
    /// @example
    /// const message = Uint8Array.of(10, 5, 10, 3, 50, 46, 48);
    /// console.log(await graph.applyAlerts(0, message, 'city', 3600), 'alerts');
    #[napi(catch_unwind, ts_return_type = "Promise<number>")]
    pub fn apply_alerts<'env>(
        &self,
        env: &'env Env,
        feed: u32,
        bytes: Uint8Array,
        feed_id: String,
        early_start: Option<i64>,
    ) -> napi::Result<Object<'env>, String> {
        let (bytes, live) = (bytes.to_vec(), self.live());
        let options = AlertOptions { feed_id, early_start: early_start.unwrap_or(0) };
        beside_searches(env, move || {
            let patches = decode_alerts(&bytes, &options)?;
            let count = patches.len() as u32;
            put_alerts(&live, feed.saturating_add(SENT_ALERTS + 1), patches)?;
            Ok(count)
        })
    }

    /// Replaces the alerts about streets. Resolves with the number of streets that at least one alert is about. Rejects
    /// with `DISPOSED`.
    ///
    /// @example
    /// const lines = [[48.0056, 15.0306, 48.006, 15.031]];
    /// console.log(await graph.setStreetAlerts([{ header: 'Flooded', lines }]), 'streets');
    #[napi(catch_unwind, ts_return_type = "Promise<number>")]
    pub fn set_street_alerts<'env>(
        &self,
        env: &'env Env,
        alerts: Vec<StreetAlertInput>,
    ) -> napi::Result<Object<'env>, String> {
        let live = self.live();
        beside_searches(env, move || {
            let alerts: Vec<_> = alerts.into_iter().map(street_alert).collect();
            live.change(|snapshot| {
                let found = StreetAlerts::new(&snapshot.graph.street, &alerts);
                let streets = found.streets() as u32;
                Ok((snapshot.with_street_alerts(Arc::new(found)), streets))
            })
        })
    }
}

/// Epoch seconds.
fn present() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs() as i64)
}

/// Runs work on live data on a thread of its own, which gives way to searches.
fn beside_searches<'env, T: ToNapiValue + Send + 'static>(
    env: &'env Env,
    work: impl FnOnce() -> Coded<T> + Send + 'static,
) -> napi::Result<Object<'env>, String> {
    on_own_thread(env, Priority::LiveData.thread_name(), move || {
        give_way(Priority::LiveData);
        work()
    })
}

fn put_alerts(live: &LiveState, source: u32, patches: Vec<EngineAlertPatch>) -> Coded<()> {
    live.change(|snapshot| {
        let set = snapshot.alerts.with_source(&snapshot.graph.timetable, source, patches);
        Ok((snapshot.with_alerts(Arc::new(set)), ()))
    })
}

/// The vehicles of a GTFS-Realtime message: at most a hundred thousand of them. Rejects with `REALTIME_INVALID`.
///
/// @example
/// const { vehicles } = await decodeVehicles(Uint8Array.of(10, 5, 10, 3, 50, 46, 48));
/// console.log(vehicles.map(({ lat, lon }) => [lat, lon]));
#[napi(catch_unwind, js_name = "decodeVehicles", ts_return_type = "Promise<VehicleMessage>")]
pub fn decode_vehicle_message(env: &Env, bytes: Uint8Array) -> napi::Result<Object<'_>, String> {
    let bytes = bytes.to_vec();
    beside_searches(env, move || {
        let vehicles = decode_vehicles(&bytes)?;
        let left_out = vehicles.len().saturating_sub(MOST_VEHICLES) as u32;
        let vehicles = vehicles.into_iter().take(MOST_VEHICLES).map(Vehicle::from).collect();
        Ok(VehicleMessage { vehicles, left_out })
    })
}
