//! Live data of a graph: each call makes a new snapshot beside the running searches and then puts it in place, so a
//! search sees exactly one state.

use std::sync::Arc;
use std::time::Instant;

use napi::bindgen_prelude::*;
use napi_derive::napi;
use trestle_engine::realtime::{
    AlertOptions, AlertSet, BikeRental, StreetAlerts, apply_trip_updates, decode_alerts, decode_vehicles,
};

use crate::error::CodedError;
use crate::graph::Graph;
use crate::promise::on_own_thread;
use crate::wire::realtime::{
    AlertPatch, RentalStationInput, StaticRentalStation, StreetAlertInput, TripUpdateOptions, Vehicle,
    alert_patch, engine_alert, live_station, street_alert, trip_update_options, trip_update_report, vehicle,
};

/// `Stations::kind` of a rental station.
const RENTAL: u32 = 0;

#[napi]
impl Graph {
    /// Applies a GTFS-Realtime message with trip updates. Rejects with `REALTIME_INVALID` (the former data stays) or
    /// `DISPOSED`.
    #[napi(ts_return_type = "Promise<TripUpdateReport>")]
    pub fn apply_trip_updates<'env>(
        &self,
        env: &'env Env,
        bytes: Uint8Array,
        options: Option<TripUpdateOptions>,
    ) -> napi::Result<Object<'env>, String> {
        let options = trip_update_options(options.unwrap_or_default());
        let bytes = bytes.to_vec();
        let live = self.live();
        on_own_thread(env, "trestle-realtime", move || {
            live.change(|snapshot| {
                let started = Instant::now();
                let (overlay, report) = apply_trip_updates(snapshot, &bytes, &options)?;
                let next = snapshot.with_trip_updates(overlay);
                // Here, so that the first look-up need not: thousands of added trips take milliseconds.
                next.live_schedule();
                Ok((next, trip_update_report(report, started.elapsed().as_secs_f64() * 1000.0)))
            })
        })
    }

    /// Forgets all trip updates.
    #[napi]
    pub fn clear_trip_updates(&self) -> napi::Result<(), String> {
        Ok(self.live().change(|snapshot| Ok((snapshot.with_overlay(None), ())))?)
    }

    /// Replaces the live rental stations. Returns the ids of those that no street is near; those are not used.
    #[napi]
    pub fn set_rental_stations(
        &self,
        stations: Vec<RentalStationInput>,
    ) -> napi::Result<Vec<String>, String> {
        let stations: Vec<_> = stations.into_iter().map(live_station).collect();
        Ok(self.live().change(|snapshot| {
            let (bikes, unlinked) = BikeRental::new(&snapshot.graph.street, &stations);
            Ok((snapshot.with_bikes(Arc::new(bikes)), unlinked))
        })?)
    }

    /// Rental stations that the graph was built with.
    #[napi]
    pub fn static_rental_stations(&self) -> napi::Result<Vec<StaticRentalStation>, String> {
        let snapshot = self.snapshot()?;
        let street = &snapshot.graph.street;
        let rows = &street.stations;
        let rental = (0..rows.vertex.len()).filter(|&s| rows.kind[s] == RENTAL);
        let networks = |s: usize| street.names.get(rows.networks[s]).split(',');
        Ok(rental
            .map(|s| StaticRentalStation {
                id: street.names.get(rows.id[s]).to_owned(),
                name: street.names.get(rows.name[s]).to_owned(),
                lat: street.vertex_lat[rows.vertex[s] as usize],
                lon: street.vertex_lon[rows.vertex[s] as usize],
                networks: networks(s).filter(|n| !n.is_empty()).map(str::to_owned).collect(),
            })
            .collect())
    }

    /// Replaces the alerts about transit.
    #[napi]
    pub fn set_alerts(&self, alerts: Vec<AlertPatch>) -> napi::Result<(), String> {
        let patches = alerts.into_iter().map(engine_alert).collect();
        Ok(self.live().change(|snapshot| {
            let set = AlertSet::new(&snapshot.graph.timetable, patches);
            Ok((snapshot.with_alerts(Arc::new(set)), ()))
        })?)
    }

    /// Replaces the alerts about streets. Returns the number of streets that are near the places of some.
    #[napi]
    pub fn set_street_alerts(&self, alerts: Vec<StreetAlertInput>) -> napi::Result<u32, String> {
        let alerts: Vec<_> = alerts.into_iter().map(street_alert).collect();
        Ok(self.live().change(|snapshot| {
            let found = StreetAlerts::new(&snapshot.graph.street, &alerts);
            let streets = found.streets() as u32;
            Ok((snapshot.with_street_alerts(Arc::new(found)), streets))
        })?)
    }
}

/// The alerts of a GTFS-Realtime message, shown `earlyStart` seconds before their start. Throws `REALTIME_INVALID`.
#[napi(js_name = "decodeAlerts")]
pub fn decode_alert_message(
    bytes: Uint8Array,
    feed_id: String,
    early_start: Option<i64>,
) -> napi::Result<Vec<AlertPatch>, String> {
    let options = AlertOptions { feed_id, early_start: early_start.unwrap_or(0) };
    let patches = decode_alerts(&bytes, &options).map_err(CodedError::from)?;
    Ok(patches.into_iter().map(alert_patch).collect())
}

/// The vehicles of a GTFS-Realtime message. Throws `REALTIME_INVALID`.
#[napi(js_name = "decodeVehicles")]
pub fn decode_vehicle_message(bytes: Uint8Array) -> napi::Result<Vec<Vehicle>, String> {
    Ok(decode_vehicles(&bytes).map_err(CodedError::from)?.into_iter().map(vehicle).collect())
}
