//! Entities of the index as typed objects. `index` is the entity's position in the graph, which other look-ups take;
//! texts that the feed does not give are absent.

use napi::bindgen_prelude::{Float64Array, Uint32Array};
use napi_derive::napi;
use trestle_engine::index::Lists;
use trestle_model::lists::offsets_of_lengths;

/// A day of a feed's validity.
#[napi(object)]
pub struct FeedDate {
    /// `YYYYMMDD`.
    pub text: String,
    /// Local midnight, epoch seconds.
    pub midnight: i64,
}

/// A feed, with what feed_info.txt says.
#[napi(object)]
pub struct Feed {
    pub index: u32,
    pub id: String,
    /// Whether there is a feed_info.txt.
    pub has_info: bool,
    /// feed_id as written in feed_info.txt.
    pub info_id: Option<String>,
    pub publisher_name: Option<String>,
    pub publisher_url: Option<String>,
    pub lang: Option<String>,
    pub version: Option<String>,
    pub start_date: Option<FeedDate>,
    pub end_date: Option<FeedDate>,
}

/// A row of agency.txt.
#[napi(object)]
pub struct Agency {
    pub index: u32,
    /// Feed id.
    pub feed: String,
    /// agency_id without the feed.
    pub id: String,
    pub name: String,
    pub url: String,
    pub timezone: String,
    pub lang: Option<String>,
    pub phone: Option<String>,
    pub fare_url: Option<String>,
    pub branding_url: Option<String>,
}

/// A row of stops.txt.
#[napi(object)]
pub struct Stop {
    pub index: u32,
    /// `feed:stop`.
    pub id: String,
    pub code: Option<String>,
    pub name: String,
    pub desc: Option<String>,
    pub lat: f64,
    pub lon: f64,
    pub zone_id: Option<String>,
    pub url: Option<String>,
    pub location_type: u32,
    pub wheelchair_boarding: u32,
    /// parent_station without the feed.
    pub parent_station: Option<String>,
    /// `index` of the station.
    pub parent: Option<u32>,
    pub direction: Option<String>,
    pub timezone: Option<String>,
    /// -999 when not given.
    pub vehicle_type: i32,
    pub platform_code: Option<String>,
}

/// A row of routes.txt.
#[napi(object)]
pub struct Route {
    pub index: u32,
    /// `feed:route`.
    pub id: String,
    /// `index` of the agency.
    pub agency: u32,
    pub short_name: Option<String>,
    pub long_name: Option<String>,
    /// What its vehicles are.
    #[napi(ts_type = "RouteMode")]
    pub mode: String,
    /// route_type.
    #[napi(js_name = "type")]
    pub route_type: i32,
    pub desc: Option<String>,
    pub url: Option<String>,
    pub color: Option<String>,
    pub text_color: Option<String>,
    pub route_bikes_allowed: u32,
    pub bikes_allowed: u32,
    /// -999 when not given.
    pub sort_order: i32,
    /// -999 when not given.
    pub eligibility_restricted: i32,
    pub branding_url: Option<String>,
}

/// Trips of one route and direction that call at the same stops under the same rules.
#[napi(object)]
pub struct Pattern {
    pub index: u32,
    /// `feed:route:direction:nn`; `feed:route:direction:rt#n` when only live data knows it.
    pub code: String,
    /// Empty for patterns of live data.
    pub name: String,
    /// `index` of the route.
    pub route: u32,
    /// -1 when unknown.
    pub direction: i32,
    /// Headsign of the first trip.
    pub headsign: Option<String>,
}

/// A row of trips.txt, or a trip that live data adds.
#[napi(object)]
pub struct Trip {
    pub index: u32,
    /// `feed:trip`.
    pub id: String,
    /// `index` of the pattern.
    pub pattern: u32,
    /// `index` of the route.
    pub route: u32,
    /// `feed:service`; absent for an added trip on a day without service.
    pub service_id: Option<String>,
    pub short_name: Option<String>,
    pub headsign: Option<String>,
    pub route_short_name: Option<String>,
    /// -1 when unknown.
    pub direction: i32,
    pub block_id: Option<String>,
    /// shape_id without the feed.
    pub shape_id: Option<String>,
    /// `feed:shape`.
    pub qualified_shape_id: Option<String>,
    pub fare_id: Option<String>,
    pub wheelchair_accessible: u32,
    pub trip_bikes_allowed: u32,
    pub bikes_allowed: u32,
    /// Flexible service, when the row has any of its fields.
    pub flex: Option<FlexTrip>,
}

/// Flexible service of a trip, as the feed describes it.
#[napi(object)]
pub struct FlexTrip {
    pub max_travel_time: Option<String>,
    pub avg_travel_time: Option<String>,
    /// Seconds before the trip by which it must be booked.
    pub advance_book_seconds: f64,
    pub pickup_message: Option<String>,
    pub drop_off_message: Option<String>,
    pub continuous_pickup_message: Option<String>,
    pub continuous_drop_off_message: Option<String>,
}

/// Stops that clients may show as one.
#[napi(object)]
pub struct Cluster {
    pub index: u32,
    pub id: String,
    pub name: String,
    pub lat: f64,
    pub lon: f64,
}

/// A flex area.
#[napi(object)]
pub struct FlexArea {
    pub index: u32,
    /// `feed:area`.
    pub id: String,
}

/// Related entities of several entities, end to end: those of the i-th are
/// `values.subarray(offsets[i], offsets[i + 1])`.
#[napi(object)]
pub struct IndexLists {
    pub offsets: Uint32Array,
    pub values: Uint32Array,
}

/// Walks from several stops, end to end: those of the i-th are `offsets[i]` to `offsets[i + 1]`.
#[napi(object)]
pub struct Transfers {
    pub offsets: Uint32Array,
    /// `index` of the stops they lead to.
    pub stops: Uint32Array,
    /// Metres.
    pub distances: Float64Array,
}

/// Shapes of several patterns, end to end: the points of the i-th are `offsets[i]` to `offsets[i + 1]`.
#[napi(object)]
pub struct Shapes {
    pub offsets: Uint32Array,
    /// lat, lon, lat, lon, ...
    pub points: Float64Array,
}

/// Stops with a distance each.
#[napi(object)]
pub struct StopDistances {
    pub stops: Uint32Array,
    /// Metres.
    pub distances: Float64Array,
}

/// Which calls at a stop are wanted.
#[napi(object)]
pub struct UpcomingOptions {
    /// Epoch seconds.
    pub start_time: i64,
    /// Seconds; a pattern without service from `startTime` to `startTime + timeRange` is left out (default 86400).
    pub time_range: Option<i64>,
    /// Calls per pattern (default 2).
    pub number_of_departures: Option<i32>,
    /// Leave out calls that nobody can board at.
    pub omit_non_pickups: Option<bool>,
}

pub(crate) fn index_lists(lists: Lists) -> IndexLists {
    IndexLists { offsets: lists.offsets.into(), values: lists.values.into() }
}

pub(crate) fn stop_distances(near: Vec<(u32, f64)>) -> StopDistances {
    let (stops, distances): (Vec<u32>, Vec<f64>) = near.into_iter().unzip();
    StopDistances { stops: stops.into(), distances: distances.into() }
}

pub(crate) fn transfers(walks: &[Vec<(u32, f64)>]) -> Transfers {
    let all = || walks.iter().flatten();
    Transfers {
        offsets: offsets_of_lengths(walks.iter().map(Vec::len)).collect::<Vec<u32>>().into(),
        stops: all().map(|(stop, _)| *stop).collect::<Vec<u32>>().into(),
        distances: all().map(|(_, meters)| *meters).collect::<Vec<f64>>().into(),
    }
}

pub(crate) fn shapes(lines: &[Vec<[f64; 2]>]) -> Shapes {
    Shapes {
        offsets: offsets_of_lengths(lines.iter().map(Vec::len)).collect::<Vec<u32>>().into(),
        points: lines.iter().flatten().flatten().copied().collect::<Vec<f64>>().into(),
    }
}
