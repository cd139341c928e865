//! Modifications of a schedule.

use napi_derive::napi;
use trestle_engine::scenario::{
    AddedPattern, AddedTransferRule, FrequencyGroup, HopTimes, Modification, PatternDays, PatternRoute,
    PatternStarts, PatternStop as EngineStop, PatternTimetable as EngineTimetable, Report, TransferEnd,
    TripSelection as EngineSelection,
};
use trestle_model::geo::LatLon;

use super::made::made;
use crate::error::{Coded, CodedError, constant};

/// Trips that match every condition given; a list matches if one of its members does. Ids are `feed:id`.
#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct TripSelection {
    pub agency_id: Option<Vec<String>>,
    pub route_id: Option<Vec<String>>,
    pub trip_id: Option<Vec<String>>,
    /// Pattern codes.
    pub pattern_id: Option<Vec<String>>,
    /// GTFS route_type values.
    pub route_type: Option<Vec<i32>>,
    pub direction_id: Option<i32>,
}

/// A stop of an added pattern: a scheduled stop by `stopId`, or a new one at `lat`, `lon`.
#[napi(object, object_to_js = false)]
pub struct PatternStop {
    pub stop_id: Option<String>,
    pub lat: Option<f64>,
    pub lon: Option<f64>,
    pub name: Option<String>,
}

/// Runs of an added pattern: at `departures`, or every `headway` seconds from `startTime` to before `endTime`.
/// Between stops they take `hopTimes`, or go at `speed`.
#[napi(object, object_to_js = false)]
pub struct PatternTimetable {
    /// Seconds of the service day.
    pub departures: Option<Vec<i32>>,
    /// Seconds.
    pub headway: Option<i32>,
    /// Seconds of the service day.
    pub start_time: Option<i32>,
    /// Seconds of the service day.
    pub end_time: Option<i32>,
    /// Seconds of each hop.
    pub hop_times: Option<Vec<i32>>,
    /// Metres per second over the straight line.
    pub speed: Option<f64>,
    /// Seconds at each stop.
    pub dwell_times: Option<Vec<i32>>,
    /// A service of the schedule on whose days they run.
    pub service_id: Option<String>,
    /// Seven flags, Monday first; every day when neither this nor `serviceId` is given.
    pub days: Option<Vec<bool>>,
}

/// One change of the schedule.
#[napi(discriminant = "type", discriminant_case = "kebab-case", object_to_js = false)]
pub enum ScenarioModification {
    RemoveTrip {
        trips: TripSelection,
    },
    AdjustHeadway {
        trips: TripSelection,
        /// Seconds.
        headway: i32,
        /// Only departures from this second of the service day on.
        window_start: Option<i32>,
        /// Only departures before this second of the service day.
        window_end: Option<i32>,
    },
    AdjustDwellTime {
        trips: TripSelection,
        /// All stops when empty.
        stop_id: Vec<String>,
        /// Seconds.
        dwell_time: i32,
    },
    SkipStop {
        trips: TripSelection,
        stop_id: Vec<String>,
    },
    /// Its links to the streets and its walks are found again; calls stay.
    MoveStop {
        /// Not a station.
        stop_id: String,
        lat: f64,
        lon: f64,
    },
    AddTripPattern {
        /// A route of the schedule; without it, a new route with `name`, `routeType` and `agencyId`.
        route_id: Option<String>,
        name: Option<String>,
        route_type: Option<i32>,
        agency_id: Option<String>,
        direction_id: Option<i32>,
        headsign: Option<String>,
        stops: Vec<PatternStop>,
        timetables: Vec<PatternTimetable>,
    },
    ConvertToFrequency {
        trips: TripSelection,
        #[napi(ts_type = "'ROUTE' | 'ROUTE_DIRECTION' | 'PATTERN'")]
        group_by: String,
        /// Seconds of the service day.
        window_start: i32,
        window_end: i32,
    },
    TransferRule {
        from_stop_id: String,
        to_stop_id: String,
        from_route_id: Option<String>,
        to_route_id: Option<String>,
        from_trip_id: Option<String>,
        to_trip_id: Option<String>,
        /// GTFS transfer_type 0-3.
        transfer_type: u32,
        /// min_transfer_time.
        seconds: Option<i32>,
    },
}

made! {
    /// The outcome of a modification.
    pub struct ModificationReport from (report: &Report) {
        /// Trips (of a transfer rule: pairs of stops) that it changed.
        pub changed: u32 = report.changed as u32,
        /// What was left out of it or may be unexpected.
        pub warnings: Vec<String> = report.warnings.clone(),
        /// Why it was left out as a whole.
        pub error: Option<String> = report.error.clone(),
    }
}

fn selection(trips: TripSelection) -> EngineSelection {
    EngineSelection {
        agencies: trips.agency_id.unwrap_or_default(),
        routes: trips.route_id.unwrap_or_default(),
        trips: trips.trip_id.unwrap_or_default(),
        patterns: trips.pattern_id.unwrap_or_default(),
        route_types: trips.route_type.unwrap_or_default(),
        direction: trips.direction_id,
    }
}

/// The engine's modification.
///
/// # Errors
/// `INVALID_REQUEST` naming the member that is missing or out of range.
pub(crate) fn modification(given: ScenarioModification) -> Coded<Modification> {
    use ScenarioModification as Given;
    Ok(match given {
        Given::RemoveTrip { trips } => Modification::RemoveTrip(selection(trips)),
        Given::AdjustHeadway { trips, headway, window_start, window_end } => Modification::AdjustHeadway {
            trips: selection(trips),
            headway: seconds("headway", headway, 1)?,
            starts: (window_start.unwrap_or(0), window_end.unwrap_or(MAX_SECONDS)),
        },
        Given::AdjustDwellTime { trips, stop_id, dwell_time } => Modification::AdjustDwellTime {
            trips: selection(trips),
            stops: stop_id,
            dwell: seconds("dwellTime", dwell_time, 0)?,
        },
        Given::SkipStop { trips, stop_id } => {
            Modification::SkipStop { trips: selection(trips), stops: stop_id }
        }
        Given::MoveStop { stop_id, lat, lon } => Modification::MoveStop {
            stop: stop_id,
            position: position(lat, lon)
                .ok_or_else(|| invalid("lat", "must be a position on Earth together with lon"))?,
        },
        Given::ConvertToFrequency { trips, group_by, window_start, window_end } => {
            Modification::ConvertToFrequency {
                trips: selection(trips),
                group: constant("groupBy", &group_by, FrequencyGroup::named())?,
                starts: (window_start, window_end),
            }
        }
        Given::AddTripPattern {
            route_id,
            name,
            route_type,
            agency_id,
            direction_id,
            headsign,
            stops,
            timetables,
        } => Modification::AddTripPattern(AddedPattern {
            route: pattern_route(route_id, name, route_type, agency_id)?,
            direction: direction_id.unwrap_or(-1),
            headsign,
            stops: stops.into_iter().map(pattern_stop).collect::<Coded<_>>()?,
            timetables: timetables.into_iter().map(pattern_timetable).collect::<Coded<_>>()?,
        }),
        Given::TransferRule {
            from_stop_id,
            to_stop_id,
            from_route_id,
            to_route_id,
            from_trip_id,
            to_trip_id,
            transfer_type,
            seconds,
        } => Modification::TransferRule(AddedTransferRule {
            from: TransferEnd { stop: from_stop_id, route: from_route_id, trip: from_trip_id },
            to: TransferEnd { stop: to_stop_id, route: to_route_id, trip: to_trip_id },
            kind: transfer_type,
            seconds,
        }),
    })
}

/// Longest time between two events of a trip, and latest time of a service day, seconds: a week.
const MAX_SECONDS: i32 = 7 * 86_400;

fn invalid(name: &str, reason: &str) -> CodedError {
    CodedError::invalid(format!("{name}: {reason}"))
}

fn seconds(name: &str, value: i32, least: i32) -> Coded<i32> {
    let usable = (least..=MAX_SECONDS).contains(&value);
    if usable { Ok(value) } else { Err(invalid(name, &format!("is not between {least} and {MAX_SECONDS}"))) }
}

fn all_seconds(name: &str, values: Vec<i32>) -> Coded<Vec<i32>> {
    values.into_iter().map(|value| seconds(name, value, 0)).collect()
}

fn pattern_route(
    route: Option<String>,
    name: Option<String>,
    route_type: Option<i32>,
    agency: Option<String>,
) -> Coded<PatternRoute> {
    match (route, name) {
        (Some(id), _) => Ok(PatternRoute::Known(id)),
        (None, Some(name)) => Ok(PatternRoute::New { name, route_type: route_type.unwrap_or(3), agency }),
        (None, None) => Err(invalid("routeId", "is missing; give it, or the name of a new route")),
    }
}

/// A position on Earth; `None` if the numbers are not one.
fn position(lat: f64, lon: f64) -> Option<LatLon> {
    Some(LatLon::new(lat, lon)).filter(|position| position.is_on_earth())
}

fn pattern_stop(stop: PatternStop) -> Coded<EngineStop> {
    if let Some(id) = stop.stop_id {
        return Ok(EngineStop::Known(id));
    }
    let place = stop.lat.zip(stop.lon).and_then(|(lat, lon)| position(lat, lon));
    let position = place.ok_or_else(|| invalid("stops", "a stop needs a stopId, or lat and lon"))?;
    let name = stop.name.unwrap_or_else(|| format!("{:.5}, {:.5}", position.lat, position.lon));
    Ok(EngineStop::New { position, name })
}

fn pattern_timetable(given: PatternTimetable) -> Coded<EngineTimetable> {
    let starts = match (given.departures, given.headway, given.start_time, given.end_time) {
        (Some(departures), None, ..) => PatternStarts::At(all_seconds("departures", departures)?),
        (None, Some(headway), Some(start), Some(end)) => PatternStarts::Every {
            headway: seconds("headway", headway, 1)?,
            start: seconds("startTime", start, 0)?,
            end: seconds("endTime", end, 0)?,
        },
        _ => return Err(invalid("timetables", "give departures, or headway, startTime and endTime")),
    };
    let hops = match (given.hop_times, given.speed) {
        (Some(times), None) => HopTimes::Seconds(all_seconds("hopTimes", times)?),
        (None, Some(speed)) if (0.1..=1000.0).contains(&speed) => HopTimes::Speed(speed),
        _ => return Err(invalid("timetables", "give hopTimes, or a speed from 0.1 to 1000")),
    };
    let days = match (given.service_id, given.days) {
        (Some(service), None) => PatternDays::Service(service),
        (None, None) => PatternDays::Weekdays([true; 7]),
        (None, Some(days)) => PatternDays::Weekdays(
            days.try_into().map_err(|_| invalid("days", "must be seven flags, Monday first"))?,
        ),
        _ => return Err(invalid("timetables", "give serviceId or days, not both")),
    };
    let dwells = all_seconds("dwellTimes", given.dwell_times.unwrap_or_default())?;
    Ok(EngineTimetable { starts, hops, dwells, days })
}
