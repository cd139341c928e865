//! The transit layer as flat columns: what the build makes and every search and look-up reads.
//! Times are seconds after "noon minus 12 h" of the service day. Text members are indices into `texts`
//! (0 = not given). Order of entities: feed, then file order, except patterns and trips (see there).

use bytemuck::{Pod, Zeroable};
use trestle_model::{Column, Strings, columns};

use crate::fares::RentalPrice;

/// "Not given" for GTFS integers, as the interface writes it.
pub const UNSET: i32 = -999;

columns! {
    /// Feeds in load order.
    pub struct Feeds {
        /// Feed id (feed_info.feed_id without `_` and `:`, else the running number from 1).
        pub id: Column<u32>,
        /// Input file name.
        pub file: Column<u32>,
        /// 1 when feed_info.txt was there.
        pub has_info: Column<u32>,
        /// feed_info.feed_publisher_name.
        pub publisher_name: Column<u32>,
        /// feed_info.feed_publisher_url.
        pub publisher_url: Column<u32>,
        /// feed_info.feed_lang.
        pub lang: Column<u32>,
        /// feed_info.feed_version.
        pub version: Column<u32>,
        /// feed_info.feed_id as written (key of the interface's FeedInfo).
        pub info_id: Column<u32>,
        /// feed_info.feed_start_date, `i32::MIN` when absent (days since 1970).
        pub start_date: Column<i32>,
        /// feed_info.feed_end_date.
        pub end_date: Column<i32>,
    }
}

columns! {
    /// agency.txt.
    pub struct Agencies {
        /// Feed.
        pub feed: Column<u32>,
        /// agency_id; the feed id when blank.
        pub id: Column<u32>,
        /// agency_name.
        pub name: Column<u32>,
        /// agency_url.
        pub url: Column<u32>,
        /// agency_timezone.
        pub timezone: Column<u32>,
        /// agency_lang.
        pub lang: Column<u32>,
        /// agency_phone.
        pub phone: Column<u32>,
        /// agency_fare_url.
        pub fare_url: Column<u32>,
        /// agency_branding_url.
        pub branding_url: Column<u32>,
    }
}

columns! {
    /// stops.txt, all location types.
    pub struct Stops {
        /// Feed.
        pub feed: Column<u32>,
        /// stop_id.
        pub id: Column<u32>,
        /// stop_code.
        pub code: Column<u32>,
        /// stop_name.
        pub name: Column<u32>,
        /// stop_desc.
        pub desc: Column<u32>,
        /// Latitude, degrees.
        pub lat: Column<f64>,
        /// Longitude, degrees.
        pub lon: Column<f64>,
        /// zone_id.
        pub zone: Column<u32>,
        /// stop_url.
        pub url: Column<u32>,
        /// location_type 0–4.
        pub location_type: Column<u8>,
        /// wheelchair_boarding 0–2 (own value, not inherited).
        pub wheelchair: Column<u8>,
        /// Parent station, `u32::MAX` for none (or unknown).
        pub parent: Column<u32>,
        /// parent_station as written.
        pub parent_id: Column<u32>,
        /// stop_timezone.
        pub timezone: Column<u32>,
        /// vehicle_type, [`UNSET`] when absent.
        pub vehicle_type: Column<i32>,
        /// platform_code.
        pub platform: Column<u32>,
        /// direction.
        pub direction: Column<u32>,
        /// First entry in `stop_patterns` of each stop; one more entry than stops.
        pub pattern_offsets: Column<u32>,
        /// (pattern, position) pairs that call at the stop, in pattern order (a pattern that calls twice is there twice).
        pub patterns: Column<[u32; 2]>,
    }
}

columns! {
    /// routes.txt (all rows; routes without a pattern exist here but not in the interface's index).
    pub struct Routes {
        /// Feed.
        pub feed: Column<u32>,
        /// Agency.
        pub agency: Column<u32>,
        /// route_id.
        pub id: Column<u32>,
        /// route_short_name.
        pub short_name: Column<u32>,
        /// route_long_name.
        pub long_name: Column<u32>,
        /// route_type.
        pub route_type: Column<i32>,
        /// `Mode as u8`.
        pub mode: Column<u8>,
        /// route_desc.
        pub desc: Column<u32>,
        /// route_url.
        pub url: Column<u32>,
        /// route_color.
        pub color: Column<u32>,
        /// route_text_color.
        pub text_color: Column<u32>,
        /// route_bikes_allowed (deprecated column), 0 when absent.
        pub route_bikes_allowed: Column<u8>,
        /// bikes_allowed, 0 when absent.
        pub bikes_allowed: Column<u8>,
        /// route_sort_order, [`UNSET`] when absent.
        pub sort_order: Column<i32>,
        /// eligibility_restricted, [`UNSET`] when absent.
        pub eligibility_restricted: Column<i32>,
        /// route_branding_url.
        pub branding_url: Column<u32>,
        /// First entry in `patterns` of each route; one more entry than routes.
        pub pattern_offsets: Column<u32>,
        /// Patterns of each route in pattern order.
        pub patterns: Column<u32>,
    }
}

columns! {
    /// Patterns: trips of one route and direction with one sequence of (stop, pickup, drop-off), in the order
    /// of the interface (see `hash_order`) within a feed.
    pub struct Patterns {
        /// Route.
        pub route: Column<u32>,
        /// direction_id, −1 when unknown.
        pub direction: Column<i32>,
        /// `feed:route:direction:nn`.
        pub code: Column<u32>,
        /// Name (see `patterns`).
        pub name: Column<u32>,
        /// First call of each pattern in the `call_*` columns; one more entry than patterns.
        pub call_offsets: Column<u32>,
        /// Stop of each call.
        pub call_stop: Column<u32>,
        /// pickup_type of each call; 0 at the last one whatever the feed says.
        pub call_pickup: Column<u8>,
        /// drop_off_type of each call; 0 at the first one whatever the feed says.
        pub call_dropoff: Column<u8>,
        /// First trip of each pattern; one more entry than patterns. Trips are stored pattern by pattern in the
        /// order of the interface (see `hash_order`).
        pub trip_offsets: Column<u32>,
        /// First point of the hop that starts at each call (same length as `call_stop`, last call of a pattern =
        /// start of the next); one more entry. Empty hops: no shape (straight line).
        pub hop_offsets: Column<u32>,
        /// (lat, lon) of the hop shapes, degrees, both ends of every hop included.
        pub hop_points: Column<[f64; 2]>,
        /// 1 when the pattern has a shape.
        pub has_shape: Column<u8>,
    }
}

columns! {
    /// Trips, pattern by pattern.
    pub struct Trips {
        /// trip_id.
        pub id: Column<u32>,
        /// Pattern.
        pub pattern: Column<u32>,
        /// Service.
        pub service: Column<u32>,
        /// trip_headsign.
        pub headsign: Column<u32>,
        /// trip_short_name.
        pub short_name: Column<u32>,
        /// route_short_name of trips.txt (a rare extension).
        pub route_short_name: Column<u32>,
        /// block_id.
        pub block: Column<u32>,
        /// shape_id.
        pub shape: Column<u32>,
        /// fare_id (extension).
        pub fare: Column<u32>,
        /// wheelchair_accessible 0–2.
        pub wheelchair: Column<u8>,
        /// bikes_allowed 0–2 as written (0 when absent).
        pub bikes_allowed: Column<u8>,
        /// trip_bikes_allowed (deprecated column), 0 when absent.
        pub trip_bikes_allowed: Column<u8>,
        /// Row in trips.txt (0-based), for file order.
        pub row: Column<u32>,
        /// Number of the trip's first call among those of all trips (as many as its pattern has).
        pub call_offset: Column<u32>,
        /// Arrival at the first call: what the times of its run profile count from.
        pub start: Column<i32>,
        /// First entry of the trip's run profile in the `profile_*` columns (as many as its pattern has calls). Trips that
        /// take equally long between the same calls share one.
        pub profile_offset: Column<u32>,
        /// Arrival at each call, seconds after the start.
        pub profile_arrival: Column<i32>,
        /// Departure from each call, seconds after the start.
        pub profile_departure: Column<i32>,
        /// First entry of the trip's calls in `sequences` and `timepoints`. Trips that number their calls alike share them.
        pub sequence_offset: Column<u32>,
        /// stop_sequence of each call.
        pub sequences: Column<u32>,
        /// timepoint of each call as the interface shows it (0/1).
        pub timepoints: Column<u8>,
        /// First entry in `headsigns` of each trip, `u32::MAX` when no call has a stop_headsign.
        pub headsign_offset: Column<u32>,
        /// stop_headsign of each call of the trips that have any.
        pub headsigns: Column<u32>,
        /// Trip the vehicle continues as (same block, same service), `u32::MAX` for none.
        pub next_in_block: Column<u32>,
        /// Trip the vehicle comes from, `u32::MAX` for none.
        pub previous_in_block: Column<u32>,
        /// First entry in `frequencies` of each trip; one more entry than trips.
        pub frequency_offsets: Column<u32>,
        /// frequencies.txt rows by trip.
        pub frequencies: Column<Frequency>,
    }
}

/// A row of frequencies.txt.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub struct Frequency {
    /// start_time.
    pub start: i32,
    /// end_time.
    pub end: i32,
    /// headway_secs.
    pub headway: i32,
    /// exact_times.
    pub exact: i32,
}

impl Frequency {
    /// How many runs the row stands for: one with each headway, 0 when it has none or no fixed times.
    pub fn exact_runs(&self) -> u64 {
        if self.exact != 1 || self.headway <= 0 || self.start >= self.end {
            return 0;
        }
        (i64::from(self.end) - i64::from(self.start))
            .unsigned_abs()
            .div_ceil(self.headway.unsigned_abs().into())
    }
}

columns! {
    /// Services: which days they run.
    pub struct Services {
        /// Feed.
        pub feed: Column<u32>,
        /// service_id.
        pub id: Column<u32>,
        /// First day of the bit sets, days since 1970 (one entry).
        pub first_day: Column<i32>,
        /// 64-bit words per service (one entry).
        pub words: Column<u32>,
        /// Bit `d` of service `s` is bit `d % 64` of word `s * words + d / 64`; `d` counts from `first_day`.
        pub days: Column<u64>,
    }
}

/// An entry of transfers.txt after expansion of stations to their stops.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub struct TransferRule {
    /// From stop; the column is sorted by (from_stop, to_stop).
    pub from_stop: u32,
    /// To stop.
    pub to_stop: u32,
    /// Route, `u32::MAX` for any.
    pub from_route: u32,
    /// Route, `u32::MAX` for any.
    pub to_route: u32,
    /// Trip, `u32::MAX` for any.
    pub from_trip: u32,
    /// Trip, `u32::MAX` for any.
    pub to_trip: u32,
    /// transfer_type 0 preferred, 1 timed, 2 minimum time, 3 forbidden.
    pub kind: u32,
    /// min_transfer_time, −1 when absent.
    pub seconds: i32,
}

/// A walking connection between two stops.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
pub struct DirectTransfer {
    /// To stop.
    pub to_stop: u32,
    /// Metres walked; for a pathway or a transfers.txt edge the seconds are given instead.
    pub meters: f32,
    /// Fixed seconds of a pathway or transfers.txt edge; −1 for a walk.
    pub seconds: i32,
    /// Bit 0: usable in a wheelchair; bit 1: a pathway.
    pub flags: u32,
}

columns! {
    /// Transfers: rules of transfers.txt and precomputed walks.
    pub struct Transfers {
        /// transfers.txt.
        pub rules: Column<TransferRule>,
        /// First entry in `direct` of each stop; one more entry than stops (empty until the build computed them).
        pub direct_offsets: Column<u32>,
        /// Walks, pathways and (with useTransfersTxt) transfers.txt edges by start stop.
        pub direct: Column<DirectTransfer>,
        /// First entry in `reverse` of each stop.
        pub reverse_offsets: Column<u32>,
        /// The same edges by end stop; `to_stop` is the start.
        pub reverse: Column<DirectTransfer>,
    }
}

/// A row of pathways.txt.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub struct Pathway {
    /// From stop.
    pub from_stop: u32,
    /// To stop.
    pub to_stop: u32,
    /// traversal_time in seconds.
    pub seconds: i32,
    /// Seconds in a wheelchair, −1 when impassable.
    pub wheelchair_seconds: i32,
}

/// A row of fare_attributes.txt.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
pub struct FareAttribute {
    /// Price in the currency's smallest unit.
    pub cents: i64,
    /// The same for youth (`youth_price`), −1 when absent.
    pub youth_cents: i64,
    /// The same for seniors (`senior_price`), −1 when absent.
    pub senior_cents: i64,
    /// Feed.
    pub feed: u32,
    /// fare_id text.
    pub id: u32,
    /// ISO 4217 code text.
    pub currency: u32,
    /// Allowed transfers, −1 for any number.
    pub transfers: i32,
    /// transfer_duration seconds, −1 when absent.
    pub transfer_duration: i32,
    /// journey_duration seconds, −1 when absent.
    pub journey_duration: i32,
}

/// A row of fare_rules.txt; zone texts, 0 when blank.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub struct FareRule {
    /// Fare attribute.
    pub fare: u32,
    /// Route, `u32::MAX` when blank.
    pub route: u32,
    /// origin_id.
    pub origin: u32,
    /// destination_id.
    pub destination: u32,
    /// contains_id.
    pub contains: u32,
}

columns! {
    /// The fare services that the build was told to apply; their prices add up.
    pub struct FareServices {
        /// Kind of each service.
        pub kind: Column<u32>,
        /// Currency of rented bikes (text), 0 for other services.
        pub currency: Column<u32>,
        /// Prices of rented bikes.
        pub rental_prices: Column<RentalPrice>,
        /// (service, text `feed:agency`) of agencies whose dearest fare pays for all.
        pub max_fare_agencies: Column<[u32; 2]>,
    }
}

columns! {
    /// A GTFS-flex area (locations.geojson or the older areas.txt).
    pub struct FlexAreas {
        /// Feed.
        pub feed: Column<u32>,
        /// Area id.
        pub id: Column<u32>,
        /// First boundary point of each area; one more entry than areas.
        pub offsets: Column<u32>,
        /// (lat, lon) boundary points.
        pub points: Column<[f64; 2]>,
    }
}

/// Flexible service of a trip; texts are 0 when blank.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
pub struct FlexTrip {
    /// drt_advance_book_min, minutes.
    pub advance_book_min: f64,
    /// Trip.
    pub trip: u32,
    /// drt_max_travel_time.
    pub max_travel_time: u32,
    /// drt_avg_travel_time.
    pub avg_travel_time: u32,
    /// drt_pickup_message.
    pub pickup_message: u32,
    /// drt_drop_off_message.
    pub drop_off_message: u32,
    /// continuous_pickup_message.
    pub continuous_pickup_message: u32,
    /// continuous_drop_off_message.
    pub continuous_drop_off_message: u32,
    /// Zero.
    pub padding: u32,
}

/// Flexible service at a call: boarding and alighting between it and the next.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
pub struct FlexCall {
    /// start_service_area_radius, metres; 0 without.
    pub radius: f64,
    /// Position in the trips' columns of calls.
    pub call: u32,
    /// continuous_pickup: 0 anywhere, 1 not at all, 2 by phone, 3 with the driver.
    pub continuous_pickup: u32,
    /// continuous_drop_off, as above.
    pub continuous_drop_off: u32,
    /// Service area (position in the flex areas), `u32::MAX` without.
    pub area: u32,
}

columns! {
    /// What is flexible about trips and calls: only those that have anything of it.
    pub struct Flex {
        /// Areas.
        pub areas: FlexAreas,
        /// By trip.
        pub trips: Column<FlexTrip>,
        /// By call.
        pub calls: Column<FlexCall>,
    }
}

impl Flex {
    /// What a trip says.
    pub fn trip(&self, trip: trestle_model::ids::TripIdx) -> Option<&FlexTrip> {
        let at = self.trips.binary_search_by_key(&trip.0, |row| row.trip).ok()?;
        self.trips.get(at)
    }

    /// What a call says, by its position in the trips' columns of calls.
    pub fn call(&self, call: usize) -> Option<&FlexCall> {
        let at = self.calls.binary_search_by_key(&(call as u32), |row| row.call).ok()?;
        self.calls.get(at)
    }
}

columns! {
    /// Orders by outer identity, for binary search: a stored graph is opened without building any table.
    pub struct IdOrders {
        /// Agencies by (feed, id).
        pub agencies: Column<u32>,
        /// Stops by (feed, id).
        pub stops: Column<u32>,
        /// Routes by (feed, id).
        pub routes: Column<u32>,
        /// Trips by (feed, id).
        pub trips: Column<u32>,
        /// Services by (feed, id).
        pub services: Column<u32>,
        /// Patterns by code.
        pub patterns: Column<u32>,
    }
}

columns! {
    /// The whole transit layer.
    pub struct Timetable {
        /// Texts.
        pub texts: Strings,
        /// Feeds.
        pub feeds: Feeds,
        /// Agencies.
        pub agencies: Agencies,
        /// Stops.
        pub stops: Stops,
        /// Routes.
        pub routes: Routes,
        /// Patterns.
        pub patterns: Patterns,
        /// Trips.
        pub trips: Trips,
        /// Services.
        pub services: Services,
        /// Transfers.
        pub transfers: Transfers,
        /// pathways.txt.
        pub pathways: Column<Pathway>,
        /// fare_attributes.txt.
        pub fares: Column<FareAttribute>,
        /// fare_rules.txt.
        pub fare_rules: Column<FareRule>,
        /// Fare services.
        pub fare_services: FareServices,
        /// Flexible service.
        pub flex: Flex,
        /// Orders for look-ups by outer id.
        pub id_orders: IdOrders,
    }
}
