//! Live data: trip updates, rental stations, alerts and vehicles across the boundary.

use napi_derive::napi;
use trestle_engine::realtime::{
    AlertPatch as EngineAlertPatch, LiveStation, LocalizedText, StationKind, StreetAlert,
    TripUpdateOptions as EngineOptions, TripUpdateReport as EngineReport, Vehicle as EngineVehicle,
};
use trestle_model::geo::LatLon;
use trestle_model::issue::Issue;
use trestle_model::itinerary::Alert;
use trestle_transit::timetable::Timetable;

use super::dates::service_date;
use super::given::given;
use super::itinerary::seconds;
use super::made::made;
use crate::error::Coded;

given! {
    /// How to read a message of trip updates; absent members are false, or have the default given.
    pub struct TripUpdateOptions for EngineOptions {
        /// Feed that the ids belong to; if empty or absent, each trip is looked for in all feeds.
        pub feed_id: Option<String>,
        /// Number that the caller gives the source of the message (default 0). A full dataset replaces the earlier data of its
        /// source about this feed, and leaves that of other sources. All callers that give none are one source; the updaters
        /// of a configuration count from 1.
        pub source: Option<u32>,
        /// The message adds to the earlier ones, even if its header says otherwise.
        pub differential: Option<bool>,
        /// Trips without a known id are found by route, direction, date and start time.
        pub fuzzy_trip_matching: Option<bool>,
        /// Forget service days earlier than two days ago (default true).
        pub purge_expired_data: Option<bool>,
        /// The present, epoch seconds (default: the clock).
        pub now: Option<i64>,
    }
}

made! {
    /// A part of a message that could not be used.
    pub struct RealtimeIssue from (issue: &Issue) {
        /// Stable code in kebab case.
        pub code: String = issue.code.to_owned(),
        /// What was wrong.
        pub message: String = issue.message.clone(),
    }
}

made! {
    /// What a message of trip updates did.
    pub struct TripUpdateReport from (report: &EngineReport, seconds: f64) {
        /// Trip updates in the message.
        pub received: u32 = report.received,
        /// Trips, and runs of frequency trips, with other times.
        pub updated: u32 = report.updated,
        /// Trips, and runs of frequency trips, that do not run.
        pub canceled: u32 = report.canceled,
        /// Trips that the schedule does not have.
        pub added: u32 = report.added,
        /// Trips, and runs of frequency trips, that skip stops or serve others.
        pub modified: u32 = report.modified,
        /// Updates that could not be applied.
        pub rejected: u32 = report.rejected,
        /// Entries of past days that were dropped.
        pub expired: u32 = report.expired,
        /// When the message was made, epoch seconds.
        pub timestamp: Option<i64> = report.timestamp,
        /// Reasons why updates were rejected, which accepted updates have calls without data (`empty-event`), and what else
        /// is not read (`unread-entities`); at most a thousand of each kind.
        pub issues: Vec<RealtimeIssue> = report.issues.issues().iter().map(RealtimeIssue::from).collect(),
        /// Seconds it took.
        pub seconds: f64 = seconds,
    }
}

/// A rental station, or a bike that is parked anywhere.
#[napi(object)]
pub struct RentalStationInput {
    pub id: String,
    pub name: String,
    pub lat: f64,
    pub lon: f64,
    /// A bike park: travellers leave their own bikes here, and cannot take any.
    pub is_bike_park: Option<bool>,
    /// It rents out cars instead of bikes: no trip takes one, but trips can start and end here.
    pub is_car_station: Option<bool>,
    /// Bikes that can be taken.
    pub bikes_available: u32,
    /// Bikes that can be returned or left.
    pub spaces_available: u32,
    /// Whether bikes may be returned at all.
    pub allow_dropoff: bool,
    /// Networks whose bikes can be taken and returned here; an empty list is a separate network.
    pub networks: Vec<String>,
}

pub(crate) fn live_station(station: RentalStationInput) -> LiveStation {
    let kind = match (station.is_bike_park, station.is_car_station) {
        (Some(true), _) => StationKind::BikePark,
        (_, Some(true)) => StationKind::CarRental,
        _ => StationKind::Rental,
    };
    LiveStation {
        kind,
        id: station.id,
        name: station.name,
        position: LatLon::new(station.lat, station.lon),
        bikes: station.bikes_available,
        spaces: station.spaces_available,
        allow_dropoff: station.allow_dropoff,
        networks: station.networks,
    }
}

/// A rental station that the graph was built with.
#[napi(object, object_from_js = false)]
pub struct StaticRentalStation {
    pub id: String,
    pub name: String,
    pub lat: f64,
    pub lon: f64,
    pub networks: Vec<String>,
    /// Number of docks; absent where the map does not tell.
    pub capacity: Option<u32>,
}

/// A text in one language.
#[napi(object)]
pub struct Translation {
    /// Language code; empty for the default.
    pub language: String,
    pub text: String,
}

/// A half-open period, epoch seconds.
#[napi(object)]
pub struct AlertPeriod {
    pub start: i64,
    pub end: i64,
}

/// An alert about one selection of transit.
#[napi(object)]
pub struct AlertPatch {
    pub id: String,
    pub header: Vec<Translation>,
    pub description: Vec<Translation>,
    pub url: Vec<Translation>,
    pub feed_id: String,
    /// agency_id.
    pub agency: Option<String>,
    /// `feed:route`.
    pub route: Option<String>,
    /// `feed:trip`.
    pub trip: Option<String>,
    /// `feed:stop`.
    pub stop: Option<String>,
    /// Headsign of the trips concerned.
    pub direction: Option<String>,
    /// direction_id of the trips concerned, -1 for any.
    pub direction_id: i32,
    /// route_type of the routes concerned.
    pub route_type: Option<i32>,
    /// Service day of the trips concerned, `YYYYMMDD`; left out for all days.
    pub service_date: Option<String>,
    /// First departure of the run concerned, seconds of the service day, where a trip has many runs or is described by its
    /// route; left out for all runs.
    pub start_time: Option<i32>,
    pub periods: Vec<AlertPeriod>,
    /// When it takes effect, epoch seconds; plans show it. Left out when unknown.
    pub effective_start: Option<f64>,
    /// When it ends, epoch seconds; left out when unknown.
    pub effective_end: Option<f64>,
}

/// Instants as the engine counts them.
fn milliseconds(seconds: f64) -> i64 {
    (seconds * 1000.0).round() as i64
}

pub(crate) fn engine_alert(patch: AlertPatch) -> Coded<EngineAlertPatch> {
    let texts =
        |all: Vec<Translation>| -> LocalizedText { all.into_iter().map(|t| (t.language, t.text)).collect() };
    Ok(EngineAlertPatch {
        id: patch.id,
        header: texts(patch.header),
        description: texts(patch.description),
        url: texts(patch.url),
        feed_id: patch.feed_id,
        agency: patch.agency,
        route: patch.route,
        trip: patch.trip,
        stop: patch.stop,
        direction: patch.direction,
        direction_id: patch.direction_id,
        route_type: patch.route_type,
        service_date: patch.service_date.as_deref().map(service_date).transpose()?,
        start_time: patch.start_time,
        periods: patch.periods.into_iter().map(|p| (p.start, p.end)).collect(),
        effective_start: patch.effective_start.map(milliseconds),
        effective_end: patch.effective_end.map(milliseconds),
    })
}

pub(crate) fn alert_patch(timetable: &Timetable, patch: &EngineAlertPatch) -> AlertPatch {
    let texts = |all: &LocalizedText| -> Vec<Translation> {
        all.iter()
            .map(|(language, text)| Translation { language: language.clone(), text: text.clone() })
            .collect()
    };
    AlertPatch {
        id: patch.id.clone(),
        header: texts(&patch.header),
        description: texts(&patch.description),
        url: texts(&patch.url),
        feed_id: patch.feed_id.clone(),
        agency: patch.agency.clone(),
        route: patch.route.clone(),
        trip: patch.trip.clone(),
        stop: patch.stop.clone(),
        direction: patch.direction.clone(),
        direction_id: patch.direction_id,
        route_type: patch.route_type,
        service_date: patch.service_date.map(|date| date.to_string()),
        start_time: patch.start_of_run(timetable),
        periods: patch.periods.iter().map(|&(start, end)| AlertPeriod { start, end }).collect(),
        effective_start: patch.effective_start.map(seconds),
        effective_end: patch.effective_end.map(seconds),
    }
}

/// An alert about the streets at a place.
#[napi(object, object_to_js = false)]
pub struct StreetAlertInput {
    pub header: String,
    pub description: Option<String>,
    /// When it begins, epoch seconds.
    pub effective_start: Option<f64>,
    /// Lines of the place, each latitude, longitude, latitude, …; for an area, its closed rings.
    pub lines: Vec<Vec<f64>>,
    /// Whether streets within the lines are concerned too.
    pub is_area: Option<bool>,
}

pub(crate) fn street_alert(input: StreetAlertInput) -> StreetAlert {
    let line = |line: Vec<f64>| line.chunks_exact(2).map(|pair| LatLon::new(pair[0], pair[1])).collect();
    StreetAlert {
        alert: Alert {
            header: Some(input.header),
            description: input.description,
            effective_start: input.effective_start.map(milliseconds),
            ..Alert::default()
        },
        lines: input.lines.into_iter().map(line).collect(),
        is_area: input.is_area.unwrap_or(false),
    }
}

made! {
    /// Where a vehicle is.
    pub struct Vehicle from (vehicle: EngineVehicle) {
        pub id: String,
        pub label: Option<String>,
        pub lat: f64,
        pub lon: f64,
        /// Degrees clockwise from north.
        pub bearing: Option<f64>,
        /// Metres per second.
        pub speed: Option<f64>,
        /// Ids without the feed.
        pub trip_id: Option<String>,
        pub route_id: Option<String>,
        pub stop_id: Option<String>,
        /// Epoch seconds.
        pub timestamp: Option<i64>,
    }
}

/// The vehicles of a message.
#[napi(object, object_from_js = false)]
pub struct VehicleMessage {
    pub vehicles: Vec<Vehicle>,
    /// Number of vehicles left out because there were too many.
    pub left_out: u32,
}
