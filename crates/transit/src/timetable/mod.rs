//! The transit layer as flat columns, made by the build and read by searches and look-ups. Times are seconds after "noon
//! minus 12 h" of the service day. Text members are indices into `texts` (0 = not given). Entities are in the order of
//! feeds, then files, except patterns and trips (see there).

use bytemuck::{Pod, Zeroable};
use trestle_model::rules::{
    any, both, each, each_of, group, index, index_or_none, offsets, offsets_or_none, on_earth, single, text,
    within,
};
use trestle_model::{Column, Strings, columns};

mod continuations;
mod flex;
mod rules;

pub use continuations::Continuation;
pub use flex::{Flex, FlexAreas, FlexCall, FlexTrip};

/// "Not given" for GTFS integers, as the interface writes it.
pub const UNSET: i32 = -999;

/// A vehicle is under way for at most this many days after its service day. The costs of longer trips would not fit
/// into the labels of searches.
pub(crate) const MOST_DAYS_UNDER_WAY: i32 = 10;

/// Latest time of a trip, seconds after the start of its service day. Later times of a feed are dropped.
pub const LAST_SECOND: i32 = MOST_DAYS_UNDER_WAY * 86_400;

/// Largest number of runs that the exact frequencies of a feed may have. Searches expand them for up to three days, so
/// this limits their memory. The largest networks with exact frequencies have far fewer.
pub(crate) const MOST_EXACT_RUNS: u64 = 500_000;
/// Largest number of calls that these runs may have.
pub(crate) const MOST_EXACT_CALLS: u64 = 10_000_000;

columns! {
    /// Feeds in load order.
    pub struct Feeds in Timetable {
        /// Feed id (feed_info.feed_id without `_` and `:`, else the running number from 1).
        pub id: Column<u32> => |t| text(t.feeds.id.len(), &t.texts),
        /// Input file name.
        pub file: Column<u32> => |t| text(t.feeds.id.len(), &t.texts),
        /// 1 when feed_info.txt was there.
        pub has_info: Column<u32> => |t| within(t.feeds.id.len(), 0..=1),
        /// feed_info.feed_publisher_name.
        pub publisher_name: Column<u32> => |t| text(t.feeds.id.len(), &t.texts),
        /// feed_info.feed_publisher_url.
        pub publisher_url: Column<u32> => |t| text(t.feeds.id.len(), &t.texts),
        /// feed_info.feed_lang.
        pub lang: Column<u32> => |t| text(t.feeds.id.len(), &t.texts),
        /// feed_info.feed_version.
        pub version: Column<u32> => |t| text(t.feeds.id.len(), &t.texts),
        /// feed_info.feed_id as written (key of the interface's FeedInfo).
        pub info_id: Column<u32> => |t| text(t.feeds.id.len(), &t.texts),
        /// feed_info.feed_start_date, `i32::MIN` when absent (days since 1970).
        pub start_date: Column<i32> => |t| each(t.feeds.id.len(), rules::day_or_none),
        /// feed_info.feed_end_date.
        pub end_date: Column<i32> => |t| each(t.feeds.id.len(), rules::day_or_none),
    }
}

columns! {
    /// agency.txt.
    pub struct Agencies in Timetable {
        pub feed: Column<u32> => |t| index(t.agencies.id.len(), t.feeds.id.len()),
        /// agency_id; the feed id when blank.
        pub id: Column<u32> => |t| text(t.agencies.id.len(), &t.texts),
        pub name: Column<u32> => |t| text(t.agencies.id.len(), &t.texts),
        pub url: Column<u32> => |t| text(t.agencies.id.len(), &t.texts),
        pub timezone: Column<u32> => |t| text(t.agencies.id.len(), &t.texts),
        pub lang: Column<u32> => |t| text(t.agencies.id.len(), &t.texts),
        pub phone: Column<u32> => |t| text(t.agencies.id.len(), &t.texts),
        pub fare_url: Column<u32> => |t| text(t.agencies.id.len(), &t.texts),
        pub branding_url: Column<u32> => |t| text(t.agencies.id.len(), &t.texts),
    }
}

columns! {
    /// stops.txt, all location types.
    pub struct Stops in Timetable {
        pub feed: Column<u32> => |t| index(t.stops.id.len(), t.feeds.id.len()),
        pub id: Column<u32> => |t| text(t.stops.id.len(), &t.texts),
        pub code: Column<u32> => |t| text(t.stops.id.len(), &t.texts),
        pub name: Column<u32> => |t| text(t.stops.id.len(), &t.texts),
        pub desc: Column<u32> => |t| text(t.stops.id.len(), &t.texts),
        pub lat: Column<f64> => |t| within(t.stops.id.len(), -90.0..=90.0),
        pub lon: Column<f64> => |t| within(t.stops.id.len(), -180.0..=180.0),
        pub zone: Column<u32> => |t| text(t.stops.id.len(), &t.texts),
        pub url: Column<u32> => |t| text(t.stops.id.len(), &t.texts),
        /// location_type 0–4.
        pub location_type: Column<u8> => |t| any(t.stops.id.len()),
        /// wheelchair_boarding 0–2 as in the feed; [`Stops::bars_wheelchairs`] looks at stations too.
        pub wheelchair: Column<u8> => |t| any(t.stops.id.len()),
        /// Parent station, `u32::MAX` for none (or unknown).
        pub parent: Column<u32> => |t| both(index_or_none(t.stops.id.len(), t.stops.id.len()), each(t.stops.id.len(), |stop, _| rules::parents(t, stop))),
        /// parent_station as written.
        pub parent_id: Column<u32> => |t| text(t.stops.id.len(), &t.texts),
        pub timezone: Column<u32> => |t| text(t.stops.id.len(), &t.texts),
        /// vehicle_type, [`UNSET`] when absent.
        pub vehicle_type: Column<i32> => |t| any(t.stops.id.len()),
        /// platform_code.
        pub platform: Column<u32> => |t| text(t.stops.id.len(), &t.texts),
        pub direction: Column<u32> => |t| text(t.stops.id.len(), &t.texts),
        /// First entry in `patterns` of each stop; one more entry than stops.
        pub pattern_offsets: Column<u32> => |t| offsets(t.stops.id.len(), t.stops.patterns.len()),
        /// (pattern, position) of each call at the stop, in pattern order (a pattern that calls twice appears twice).
        pub patterns: Column<[u32; 2]> => |t| each_of(&t.stops.pattern_offsets, |stop, call| rules::call_at(t, stop, *call)),
    }
}

columns! {
    /// routes.txt (all rows; routes without a pattern exist here but not in the interface's index).
    pub struct Routes in Timetable {
        pub feed: Column<u32> => |t| index(t.routes.id.len(), t.feeds.id.len()),
        pub agency: Column<u32> => |t| index(t.routes.id.len(), t.agencies.id.len()),
        pub id: Column<u32> => |t| text(t.routes.id.len(), &t.texts),
        pub short_name: Column<u32> => |t| text(t.routes.id.len(), &t.texts),
        pub long_name: Column<u32> => |t| text(t.routes.id.len(), &t.texts),
        pub route_type: Column<i32> => |t| any(t.routes.id.len()),
        /// `Mode as u8`.
        pub mode: Column<u8> => |t| within(t.routes.id.len(), 0..=rules::LAST_MODE),
        pub desc: Column<u32> => |t| text(t.routes.id.len(), &t.texts),
        pub url: Column<u32> => |t| text(t.routes.id.len(), &t.texts),
        pub color: Column<u32> => |t| text(t.routes.id.len(), &t.texts),
        pub text_color: Column<u32> => |t| text(t.routes.id.len(), &t.texts),
        /// route_bikes_allowed (deprecated column), 0 when absent.
        pub route_bikes_allowed: Column<u8> => |t| any(t.routes.id.len()),
        /// bikes_allowed, 0 when absent.
        pub bikes_allowed: Column<u8> => |t| any(t.routes.id.len()),
        /// route_sort_order, [`UNSET`] when absent.
        pub sort_order: Column<i32> => |t| any(t.routes.id.len()),
        /// eligibility_restricted, [`UNSET`] when absent.
        pub eligibility_restricted: Column<i32> => |t| any(t.routes.id.len()),
        pub branding_url: Column<u32> => |t| text(t.routes.id.len(), &t.texts),
        /// First entry in `patterns` of each route; one more entry than routes.
        pub pattern_offsets: Column<u32> => |t| offsets(t.routes.id.len(), t.routes.patterns.len()),
        /// Patterns of each route in pattern order.
        pub patterns: Column<u32> => |t| each_of(&t.routes.pattern_offsets, |route, pattern| rules::pattern_of_route(t, route, *pattern)),
    }
}

columns! {
    /// Patterns: trips of one route and direction with one sequence of (stop, pickup, drop-off), in the order
    /// of the interface (see `hash_order`) within a feed.
    pub struct Patterns in Timetable {
        pub route: Column<u32> => |t| index(t.patterns.route.len(), t.routes.id.len()),
        /// direction_id, −1 when unknown.
        pub direction: Column<i32> => |t| any(t.patterns.route.len()),
        /// `feed:route:direction:nn`.
        pub code: Column<u32> => |t| text(t.patterns.route.len(), &t.texts),
        /// Name (see `patterns`).
        pub name: Column<u32> => |t| text(t.patterns.route.len(), &t.texts),
        /// First call of each pattern in the `call_*` columns; one more entry than patterns.
        pub call_offsets: Column<u32> => |t| both(offsets(t.patterns.route.len(), t.patterns.call_stop.len()), rules::lists_of_two(&t.patterns.call_offsets)),
        /// Stop of each call.
        pub call_stop: Column<u32> => |t| index(t.patterns.call_stop.len(), t.stops.id.len()),
        /// pickup_type of each call; always 0 at the last one.
        pub call_pickup: Column<u8> => |t| any(t.patterns.call_stop.len()),
        /// drop_off_type of each call; always 0 at the first one.
        pub call_dropoff: Column<u8> => |t| any(t.patterns.call_stop.len()),
        /// First trip of each pattern; one more entry than patterns. Trips are stored pattern by pattern in the
        /// order of the interface (see `hash_order`).
        pub trip_offsets: Column<u32> => |t| offsets(t.patterns.route.len(), t.trips.id.len()),
        /// First point of the hop that starts at each call (same length as `call_stop`, last call of a pattern =
        /// start of the next); one more entry. Empty hops: no shape (straight line).
        pub hop_offsets: Column<u32> => |t| offsets(t.patterns.call_stop.len(), t.patterns.hop_points.len()),
        /// (lat, lon) of the hop shapes, degrees, both ends of every hop included.
        pub hop_points: Column<[f64; 2]> => |t| each(t.patterns.hop_points.len(), |_, at| on_earth(at)),
        /// 1 when the pattern has a shape.
        pub has_shape: Column<u8> => |t| within(t.patterns.route.len(), 0..=1),
    }
}

columns! {
    /// Trips, pattern by pattern.
    pub struct Trips in Timetable {
        pub id: Column<u32> => |t| text(t.trips.id.len(), &t.texts),
        pub pattern: Column<u32> => |t| both(index(t.trips.id.len(), t.patterns.route.len()), each(t.trips.id.len(), |trip, pattern| rules::trip_of_pattern(t, trip, *pattern))),
        pub service: Column<u32> => |t| index(t.trips.id.len(), t.services.id.len()),
        pub headsign: Column<u32> => |t| text(t.trips.id.len(), &t.texts),
        pub short_name: Column<u32> => |t| text(t.trips.id.len(), &t.texts),
        /// route_short_name of trips.txt (a rare extension).
        pub route_short_name: Column<u32> => |t| text(t.trips.id.len(), &t.texts),
        pub block: Column<u32> => |t| text(t.trips.id.len(), &t.texts),
        pub shape: Column<u32> => |t| text(t.trips.id.len(), &t.texts),
        /// fare_id (extension).
        pub fare: Column<u32> => |t| text(t.trips.id.len(), &t.texts),
        /// wheelchair_accessible 0–2.
        pub wheelchair: Column<u8> => |t| any(t.trips.id.len()),
        /// bikes_allowed 0–2 as written (0 when absent).
        pub bikes_allowed: Column<u8> => |t| any(t.trips.id.len()),
        /// trip_bikes_allowed (deprecated column), 0 when absent.
        pub trip_bikes_allowed: Column<u8> => |t| any(t.trips.id.len()),
        /// Row in trips.txt (0-based), for file order.
        pub row: Column<u32> => |t| any(t.trips.id.len()),
        /// Number of the trip's first call among those of all trips (as many as its pattern has).
        pub call_offset: Column<u32> => |t| each(t.trips.id.len(), |trip, offset| rules::call_offset(t, trip, *offset)),
        /// Arrival at the first call, from which the times of its run profile count.
        pub start: Column<i32> => |t| within(t.trips.id.len(), 0..=LAST_SECOND),
        /// First entry of the trip's run profile in the `profile_*` columns (as many as its pattern has calls). Trips that
        /// take equally long between the same calls share one.
        pub profile_offset: Column<u32> => |t| each(t.trips.id.len(), |trip, offset| rules::run_profile(t, trip, *offset)),
        /// Arrival at each call, seconds after the start.
        pub profile_arrival: Column<i32> => |t| within(t.trips.profile_arrival.len(), 0..=LAST_SECOND),
        /// Departure from each call, seconds after the start.
        pub profile_departure: Column<i32> => |t| within(t.trips.profile_arrival.len(), 0..=LAST_SECOND),
        /// First entry of the trip's calls in `sequences` and `timepoints`. Trips with equal entries share them.
        pub sequence_offset: Column<u32> => |t| each(t.trips.id.len(), |trip, offset| rules::call_list(t, trip, *offset, t.trips.sequences.len())),
        /// stop_sequence of each call.
        pub sequences: Column<u32> => |t| any(t.trips.sequences.len()),
        /// timepoint of each call as the interface shows it (0/1).
        pub timepoints: Column<u8> => |t| within(t.trips.sequences.len(), 0..=1),
        /// First entry in `headsigns` of each trip, `u32::MAX` when no call has a stop_headsign. Trips with equal entries
        /// share them.
        pub headsign_offset: Column<u32> => |t| each(t.trips.id.len(), |trip, offset| rules::headsign_list(t, trip, *offset)),
        /// stop_headsign of each call of the trips that have any.
        pub headsigns: Column<u32> => |t| text(t.trips.headsigns.len(), &t.texts),
        /// Trips whose vehicles continue as other trips. A trip may have several next trips: on a day, the first of them that
        /// runs counts.
        pub continuations: Column<Continuation> => |t| each(t.trips.continuations.len(), |_, row| continuations::continuation(t, row)),
        /// First entry in `frequencies` of each trip; one more entry than trips.
        pub frequency_offsets: Column<u32> => |t| offsets(t.trips.id.len(), t.trips.frequencies.len()),
        /// frequencies.txt rows by trip.
        pub frequencies: Column<Frequency> => |t| both(each(t.trips.frequencies.len(), rules::frequency), rules::bounded_runs(t)),
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
    /// Number of runs of a row with exact times, 0 for other rows.
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
    /// Services and the days on which they run.
    pub struct Services in Timetable {
        pub feed: Column<u32> => |t| index(t.services.id.len(), t.feeds.id.len()),
        pub id: Column<u32> => |t| text(t.services.id.len(), &t.texts),
        /// First day of the bit sets, days since 1970 (one entry).
        pub first_day: Column<i32> => |_| single(rules::day),
        /// 64-bit words per service (one entry).
        pub words: Column<u32> => |_| single(rules::words),
        /// Bit `d` of service `s` is bit `d % 64` of word `s * words + d / 64`; `d` counts from `first_day`.
        pub days: Column<u64> => |t| any(rules::service_words(t)),
    }
}

/// An entry of transfers.txt after expansion of stations to their stops.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub struct TransferRule {
    /// From stop; the column is sorted by (from_stop, to_stop).
    pub from_stop: u32,
    pub to_stop: u32,
    /// Route or [`Self::ANY`].
    pub from_route: u32,
    /// Route or [`Self::ANY`].
    pub to_route: u32,
    /// Trip or [`Self::ANY`].
    pub from_trip: u32,
    /// Trip or [`Self::ANY`].
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
    /// The stop at its other end: the end stop in `direct`, the start stop in `reverse`.
    pub other_stop: u32,
    /// Metres walked, along a straight line for a transfers.txt edge; 0 for a pathway and between stops of a station.
    pub meters: f32,
    /// Fixed seconds; −1 for a walk, whose time depends on the speed.
    pub seconds: i32,
    /// [`crate::transfers::WHEELCHAIR`], [`crate::transfers::WHEELCHAIR_ONLY`], [`crate::transfers::PATHWAY`] and
    /// [`crate::transfers::AT_ONE_POINT`].
    pub flags: u32,
}

columns! {
    /// Transfers: rules of transfers.txt and precomputed walks.
    pub struct Transfers in Timetable {
        /// transfers.txt.
        pub rules: Column<TransferRule> => |t| each(t.transfers.rules.len(), |row, rule| rules::transfer_rule(t, row, rule)),
        /// First entry in `direct` of each stop; one more entry than stops (empty until the build computed them).
        pub direct_offsets: Column<u32> => |t| offsets_or_none(t.stops.id.len(), t.transfers.direct.len()),
        /// Walks, pathways and (with useTransfersTxt) transfers.txt edges by start stop.
        pub direct: Column<DirectTransfer> => |t| each(t.transfers.direct.len(), |_, edge| rules::direct_transfer(t, edge)),
        /// First entry in `reverse` of each stop.
        pub reverse_offsets: Column<u32> => |t| offsets_or_none(t.stops.id.len(), t.transfers.reverse.len()),
        /// The same edges by end stop.
        pub reverse: Column<DirectTransfer> => |t| each(t.transfers.reverse.len(), |_, edge| rules::direct_transfer(t, edge)),
    }
}

/// A row of pathways.txt.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub struct Pathway {
    pub from_stop: u32,
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
    pub minor_units: i64,
    /// The same for youth (`youth_price`), −1 when absent.
    pub youth_minor_units: i64,
    /// The same for seniors (`senior_price`), −1 when absent.
    pub senior_minor_units: i64,
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

/// A step of the prices of rented bikes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub struct RentalPrice {
    /// Price in the currency's smallest unit.
    pub minor_units: i64,
    /// Position of the fare service.
    pub service: u32,
    /// For less than this many seconds.
    pub below_seconds: u32,
}

columns! {
    /// The fare services configured for the build, whose prices are added up.
    pub struct FareServices in Timetable {
        pub kind: Column<u32> => |t| within(t.fare_services.kind.len(), 0..=rules::LAST_FARE_SERVICE),
        /// Currency of rented bikes (text), 0 for other services.
        pub currency: Column<u32> => |t| text(t.fare_services.kind.len(), &t.texts),
        /// Prices of rented bikes.
        pub rental_prices: Column<RentalPrice> => |t| each(t.fare_services.rental_prices.len(), |_, price| rules::rental_price(t, price)),
        /// (service, text `feed:agency`) of agencies whose most expensive fare pays for all.
        pub max_fare_agencies: Column<[u32; 2]> => |t| each(t.fare_services.max_fare_agencies.len(), |_, pair| rules::max_fare_agency(t, *pair)),
    }
}

columns! {
    /// Entities sorted by outer id, for binary search.
    pub struct IdOrders in Timetable {
        /// Agencies by (feed, id).
        pub agencies: Column<u32> => |t| index(t.agencies.id.len(), t.agencies.id.len()),
        /// Stops by (feed, id).
        pub stops: Column<u32> => |t| index(t.stops.id.len(), t.stops.id.len()),
        /// Routes by (feed, id).
        pub routes: Column<u32> => |t| index(t.routes.id.len(), t.routes.id.len()),
        /// Trips by (feed, id).
        pub trips: Column<u32> => |t| index(t.trips.id.len(), t.trips.id.len()),
        /// Services by (feed, id).
        pub services: Column<u32> => |t| index(t.services.id.len(), t.services.id.len()),
        /// Patterns by code.
        pub patterns: Column<u32> => |t| index(t.patterns.route.len(), t.patterns.route.len()),
    }
}

columns! {
    /// The whole transit layer.
    pub struct Timetable in Timetable {
        pub texts: Strings => |t| group(&t.texts),
        pub feeds: Feeds => group,
        pub agencies: Agencies => group,
        pub stops: Stops => group,
        pub routes: Routes => group,
        pub patterns: Patterns => group,
        pub trips: Trips => group,
        pub services: Services => group,
        pub transfers: Transfers => group,
        pub pathways: Column<Pathway> => |t| each(t.pathways.len(), |_, pathway| rules::pathway(t, pathway)),
        /// fare_attributes.txt.
        pub fares: Column<FareAttribute> => |t| each(t.fares.len(), |_, fare| rules::fare(t, fare)),
        pub fare_rules: Column<FareRule> => |t| each(t.fare_rules.len(), |_, rule| rules::fare_rule(t, rule)),
        pub fare_services: FareServices => group,
        /// Flexible service.
        pub flex: Flex => group,
        /// Orders for look-ups by outer id.
        pub id_orders: IdOrders => group,
    }
}
