//! Routing requests: a typed object is turned into the model's request. Absent members take the built-in defaults.

use std::collections::HashMap;

use napi_derive::napi;
use trestle_model::geo::LatLon;
use trestle_model::request::{self as model, Optimize};
use trestle_model::{Direction, Mode, ModeSet, RoutingRequest};

use super::given::given;
use super::made::each;
use crate::error::{Coded, CodedError, constant};

/// A place: a coordinate (`lat`, `lon`) or a vertex label (`feed:stop`, `osm:node:1`).
#[napi(object)]
#[derive(Clone, Default)]
pub struct PlaceRequest {
    /// The user's name for it.
    pub name: Option<String>,
    /// Degrees.
    pub lat: Option<f64>,
    /// Degrees.
    pub lon: Option<f64>,
    /// Vertex label when there is no coordinate.
    pub label: Option<String>,
}

/// A route, given by `routeId` or by `name` (short name, else long name), within `feed` when given.
#[napi(object)]
#[derive(Clone)]
pub struct RouteSpec {
    pub feed: Option<String>,
    pub name: Option<String>,
    pub route_id: Option<String>,
}

/// A trip (`feed:trip`) that may not be used, or not at the given pattern positions.
#[napi(object)]
#[derive(Clone)]
pub struct BannedTrip {
    pub trip: String,
    pub stop_positions: Option<Vec<u32>>,
}

given! {
    /// The options of a search. Seconds, metres, metres per second; a cost of 1 is about a second in a vehicle.
    pub struct SearchRequest for RoutingRequest {
        /// Start.
        pub from: Option<PlaceRequest> = from.into(),
        /// Destination.
        pub to: Option<PlaceRequest> = to.into(),
        /// Places to pass on the way, in order; plans only.
        pub intermediate_places: Option<Vec<PlaceRequest>> = each(intermediate_places),
        /// Departure, or arrival with `arriveBy`; seconds since 1970.
        pub epoch_seconds: Option<i64>,
        /// `epochSeconds` is the latest arrival.
        pub arrive_by: Option<bool> => direction = Direction::of_request(arrive_by),
        /// `WALK`, `BICYCLE`, `CAR`, `BUS`, ...; `TRANSIT` stands for all transit modes. Default: `TRANSIT`, `WALK`.
        #[napi(ts_type = "Array<RequestMode>")]
        pub modes: Option<Vec<String>> = mode_set("modes", &modes)?,
        /// What a cyclist optimizes for.
        #[napi(ts_type = "Optimization")]
        pub optimize: Option<String> = optimization(&optimize)?,
        /// Only streets, stops and trips that a wheelchair can use.
        pub wheelchair: Option<bool>,
        /// Most itineraries of a plan (default 3).
        pub num_itineraries: Option<i32>,
        /// Longest distance walked or cycled, metres; absent for no limit.
        pub max_walk_distance: Option<f64>,
        /// Longest walk between two vehicles, metres; absent for no limit.
        pub max_transfer_walk_distance: Option<f64>,
        /// Longest drive before transit, seconds (default 1800).
        pub max_pre_transit_time: Option<i32>,
        /// Cost of a second of walking (default 2).
        pub walk_reluctance: Option<f64>,
        /// Cost of a second on stairs (default 2).
        pub stairs_reluctance: Option<f64>,
        /// Cost of a second that turning takes (default 1).
        pub turn_reluctance: Option<f64>,
        /// Cost of a second of waiting between vehicles (default 1).
        pub wait_reluctance: Option<f64>,
        /// Cost of a second of waiting for the first vehicle (default 0.4).
        pub wait_at_beginning_factor: Option<f64>,
        /// Walking speed, metres per second (default 1.33).
        pub walk_speed: Option<f64>,
        /// Cycling speed, metres per second (default 5).
        pub bike_speed: Option<f64>,
        /// Cars are no faster than this on any street, metres per second (default 40).
        pub car_speed: Option<f64>,
        /// Seconds to change between walking and riding one's own bike (default 0).
        pub bike_switch_time: Option<i32>,
        /// Cost of that change (default 0).
        pub bike_switch_cost: Option<f64>,
        /// Weight of safety when `optimize` is `TRIANGLE`.
        pub triangle_safety: Option<f64>,
        /// Weight of slopes.
        pub triangle_slope: Option<f64>,
        /// Weight of time.
        pub triangle_time: Option<f64>,
        /// Rent a bike.
        pub bike_rental: Option<bool>,
        /// Ride one's own bike to a bike park, then take transit.
        pub bike_park: Option<bool>,
        /// Drive to a car park, then take transit.
        pub car_park: Option<bool>,
        /// Be driven to transit.
        pub kiss_and_ride: Option<bool>,
        /// Least seconds between leaving one vehicle and boarding the next (default 0).
        pub transfer_slack: Option<i32>,
        /// Seconds kept free before the first boarding (default 0).
        pub board_slack: Option<i32>,
        /// Seconds kept free after alighting (default 0).
        pub alight_slack: Option<i32>,
        /// Cost of boarding a route that is not preferred, if any routes or agencies are (default 300).
        pub other_than_preferred_routes_penalty: Option<i32>,
        /// Cost of boarding a route of `unpreferredRoutes` or `unpreferredAgencies` (default 300).
        pub use_unpreferred_routes_penalty: Option<i32>,
        /// Cost of each boarding on foot (default 600).
        pub walk_board_cost: Option<i32>,
        /// Cost of each boarding with a bike (default 600).
        pub bike_board_cost: Option<i32>,
        /// Cost of each boarding after the first (default 0).
        pub transfer_penalty: Option<i32>,
        /// Cost of a transfer that is neither preferred nor timed, if the feed has such transfers (default 180).
        pub nonpreferred_transfer_penalty: Option<i32>,
        /// Most transfers (default 2): one vehicle more may be boarded.
        pub max_transfers: Option<i32>,
        /// Most transfers of a plan when no itinerary has as few as `maxTransfers` (default: `maxTransfers`). Itineraries then
        /// have at most one transfer more than necessary, or two where those wait long, and more only if there are none.
        pub max_transfers_if_no_path: Option<i32> = Some(max_transfers_if_no_path),
        /// Legs list the stops that they pass.
        pub show_intermediate_stops: Option<bool>,
        /// Analyses: up to this many seconds of the first wait are left out of travel times; if negative, all of them.
        pub clamp_initial_wait: Option<i64>,
        /// Language code (default `en`).
        pub locale: Option<String>,
        /// Ignore live data.
        pub ignore_realtime: Option<bool>,
        /// Steepest usable slope in a wheelchair: metres up for each metre on (default 0.0833).
        pub max_slope: Option<f64>,
        /// Vehicles keep to the right, so that turns to the left take longer (default true).
        pub drive_on_right: Option<bool>,
        /// Seconds to take a rented bike (default 60).
        pub bike_rental_pickup_time: Option<i32>,
        /// Cost of taking it (default 120).
        pub bike_rental_pickup_cost: Option<f64>,
        /// Seconds to return it (default 30).
        pub bike_rental_dropoff_time: Option<i32>,
        /// Cost of returning it (default 30).
        pub bike_rental_dropoff_cost: Option<f64>,
        /// Seconds to park a bike (default 60).
        pub bike_park_time: Option<i32>,
        /// Cost of parking it (default 120).
        pub bike_park_cost: Option<f64>,
        /// Seconds to park a car, or to get out of it (default 120).
        pub car_dropoff_time: Option<i32>,
        /// Seconds to board a lift (default 90).
        pub elevator_board_time: Option<i32>,
        /// Cost of boarding it (default 90).
        pub elevator_board_cost: Option<f64>,
        /// Seconds for each floor in a lift (default 20).
        pub elevator_hop_time: Option<i32>,
        /// Cost of each floor (default 20).
        pub elevator_hop_cost: Option<f64>,
        /// Itineraries that take so many seconds or more are left out; absent for no limit.
        pub max_duration: Option<f64>,
        /// Measure `maxDuration` from the requested time.
        pub max_duration_from_requested_time: Option<bool>,
        /// Sort itineraries by duration.
        pub sort_by_duration: Option<bool>,
        /// Show alerts outside their periods too.
        pub disable_alert_filtering: Option<bool>,
        /// Ids of agencies; routes that neither these nor `preferredRoutes` include cost extra.
        pub preferred_agencies: Option<Vec<String>>,
        /// Ids of agencies that cost extra.
        pub unpreferred_agencies: Option<Vec<String>>,
        /// Ids of agencies that are not used.
        pub banned_agencies: Option<Vec<String>>,
        /// Ids of agencies; if there are any, only these and `whitelistedRoutes` are used.
        pub whitelisted_agencies: Option<Vec<String>>,
        /// Ids (`feed:stop`) of stops where nobody may board or alight.
        pub banned_stops: Option<Vec<String>>,
        /// Ids of stops that vehicles may not even pass.
        pub banned_stops_hard: Option<Vec<String>>,
        /// Seconds from the start of the search for the 1st, 2nd, ... itinerary (default 5, 4, 2).
        pub timeouts: Option<Vec<f64>> => timeouts_ms = all_milliseconds(&timeouts),
        /// Routes that neither these nor `preferredAgencies` include cost extra.
        pub preferred_routes: Option<Vec<RouteSpec>> = each(preferred_routes),
        /// Routes that cost extra.
        pub unpreferred_routes: Option<Vec<RouteSpec>> = each(unpreferred_routes),
        /// Routes that are not used.
        pub banned_routes: Option<Vec<RouteSpec>> = each(banned_routes),
        /// If there are any, only these and `whitelistedAgencies` are used.
        pub whitelisted_routes: Option<Vec<RouteSpec>> = each(whitelisted_routes),
        /// Trips that may not be used.
        pub banned_trips: Option<Vec<BannedTrip>> = each(banned_trips),
        /// Id (`feed:stop`) of the stop or station where a plan boards its first vehicle.
        pub start_transit_stop: Option<String> = Some(start_transit_stop),
        /// Id (`feed:trip`) of the trip that the traveller is on when the plan begins.
        pub start_transit_trip: Option<String> = Some(start_transit_trip),
        /// Seconds added before boarding, by mode name.
        #[napi(ts_type = "Partial<Record<Mode, number>>")]
        pub board_times: Option<HashMap<String, i32>> = mode_seconds("boardTimes", &board_times)?,
        /// Seconds added after alighting, by mode name.
        #[napi(ts_type = "Partial<Record<Mode, number>>")]
        pub alight_times: Option<HashMap<String, i32>> = mode_seconds("alightTimes", &alight_times)?,
    }
}

impl From<PlaceRequest> for model::PlaceRequest {
    fn from(place: PlaceRequest) -> Self {
        model::PlaceRequest {
            name: place.name.unwrap_or_default(),
            position: place.lat.zip(place.lon).map(|(lat, lon)| LatLon::new(lat, lon)),
            label: place.label.unwrap_or_default(),
        }
    }
}

impl From<RouteSpec> for model::RouteSpec {
    fn from(spec: RouteSpec) -> Self {
        model::RouteSpec {
            feed: spec.feed.unwrap_or_default(),
            name: spec.name.unwrap_or_default(),
            route_id: spec.route_id.unwrap_or_default(),
        }
    }
}

impl From<BannedTrip> for model::BannedTrip {
    fn from(banned: BannedTrip) -> Self {
        model::BannedTrip { trip: banned.trip, stop_positions: banned.stop_positions.unwrap_or_default() }
    }
}

fn all_milliseconds(seconds: &[f64]) -> Vec<u32> {
    seconds.iter().map(|seconds| (seconds * 1000.0).round() as u32).collect()
}

pub(super) fn mode_set(member: &str, names: &[String]) -> Coded<ModeSet> {
    names.iter().try_fold(ModeSet::default(), |set, name| match name.as_str() {
        "TRANSIT" => Ok(ModeSet(set.0 | ModeSet::TRANSIT.0)),
        name => Mode::from_name(name)
            .map(|m| set.with(m))
            .ok_or_else(|| CodedError::invalid(format!("{member}: unknown mode {name:?}"))),
    })
}

/// Avoids transfers with a cost in addition to the penalty that the request has for each.
const FEWEST_TRANSFERS: &str = "TRANSFERS";
const FEWEST_TRANSFERS_PENALTY: i32 = 1800;

fn optimization(name: &str) -> Coded<Optimize> {
    constant("optimize", name, Optimize::named().chain([(FEWEST_TRANSFERS, Optimize::Quick)]))
}

fn mode_seconds(name: &str, by_mode: &HashMap<String, i32>) -> Coded<[i32; Mode::COUNT]> {
    let mut seconds = [0; Mode::COUNT];
    for (mode, value) in by_mode {
        let mode = Mode::from_name(mode)
            .ok_or_else(|| CodedError::invalid(format!("{name}: unknown mode {mode:?}")))?;
        seconds[mode as usize] = *value;
    }
    Ok(seconds)
}

/// The model's request.
///
/// # Errors
/// `INVALID_REQUEST` naming the member that is wrong.
pub(crate) fn routing_request(request: SearchRequest) -> Coded<RoutingRequest> {
    let avoids_transfers = request.optimize.as_deref() == Some(FEWEST_TRANSFERS);
    let mut request = request.into_engine_options()?;
    if avoids_transfers {
        request.transfer_penalty = request.transfer_penalty.saturating_add(FEWEST_TRANSFERS_PENALTY);
    }
    Ok(request)
}
