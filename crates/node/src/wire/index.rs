//! Entities of the index as typed objects. `index` is the entity's position in the graph, which other look-ups take;
//! texts that the feed does not give are absent.

use napi::bindgen_prelude::{Float64Array, Uint32Array};
use napi_derive::napi;
use trestle_engine::index::{Cluster as EngineCluster, service_of};
use trestle_model::ids::{FeedIdx, PatternIdx, RouteIdx, ServiceIdx, StopIdx, TripIdx};
use trestle_model::lists::{Lists, offsets_of_lengths};
use trestle_model::{Mode, ServiceDate};
use trestle_transit::calendar::midnight;
use trestle_transit::timetable::{Agencies, Feeds, FlexTrip as FlexRow, Routes, Stops};

use super::made::made;
use super::rows::Rows;

/// A day of a feed's validity.
#[napi(object)]
pub struct FeedDate {
    /// `YYYYMMDD`.
    pub text: String,
    /// Local midnight, epoch seconds.
    pub midnight: i64,
}

made! {
    /// A feed, with what feed_info.txt says.
    pub struct Feed from (reader: &Rows<'_>, rows: &Feeds, i: usize) {
        pub index: u32 = i as u32,
        pub id: String = reader.text(rows.id[i]),
        /// Whether there is a feed_info.txt.
        pub has_info: bool = rows.has_info[i] == 1,
        /// feed_id as written in feed_info.txt.
        pub info_id: Option<String> = reader.opt(rows.info_id[i]),
        pub publisher_name: Option<String> = reader.opt(rows.publisher_name[i]),
        pub publisher_url: Option<String> = reader.opt(rows.publisher_url[i]),
        pub lang: Option<String> = reader.opt(rows.lang[i]),
        pub version: Option<String> = reader.opt(rows.version[i]),
        pub start_date: Option<FeedDate> = reader.feed_date(rows.start_date[i]),
        pub end_date: Option<FeedDate> = reader.feed_date(rows.end_date[i]),
    }
}

made! {
    /// A row of agency.txt.
    pub struct Agency from (reader: &Rows<'_>, rows: &Agencies, i: usize) {
        pub index: u32 = i as u32,
        /// Feed id.
        pub feed: String = reader.timetable.feed_id(FeedIdx(rows.feed[i])).to_owned(),
        /// agency_id without the feed.
        pub id: String = reader.text(rows.id[i]),
        pub name: String = reader.text(rows.name[i]),
        pub url: String = reader.text(rows.url[i]),
        pub timezone: String = reader.text(rows.timezone[i]),
        pub lang: Option<String> = reader.opt(rows.lang[i]),
        pub phone: Option<String> = reader.opt(rows.phone[i]),
        pub fare_url: Option<String> = reader.opt(rows.fare_url[i]),
        pub branding_url: Option<String> = reader.opt(rows.branding_url[i]),
    }
}

made! {
    /// A row of stops.txt.
    pub struct Stop from (reader: &Rows<'_>, rows: &Stops, i: usize) {
        pub index: u32 = i as u32,
        /// `feed:stop`.
        pub id: String = reader.timetable.stop_id(StopIdx(i as u32)),
        pub code: Option<String> = reader.opt(rows.code[i]),
        pub name: String = reader.text(rows.name[i]),
        pub desc: Option<String> = reader.opt(rows.desc[i]),
        pub lat: f64 = rows.lat[i],
        pub lon: f64 = rows.lon[i],
        pub zone_id: Option<String> = reader.opt(rows.zone[i]),
        pub url: Option<String> = reader.opt(rows.url[i]),
        pub location_type: u32 = u32::from(rows.location_type[i]),
        pub wheelchair_boarding: u32 = u32::from(rows.wheelchair[i]),
        /// parent_station without the feed.
        pub parent_station: Option<String> = reader.opt(rows.parent_id[i]),
        /// `index` of the station.
        pub parent: Option<u32> = StopIdx(rows.parent[i]).some().map(|stop| stop.0),
        pub direction: Option<String> = reader.opt(rows.direction[i]),
        pub timezone: Option<String> = reader.opt(rows.timezone[i]),
        /// -999 when not given.
        pub vehicle_type: i32 = rows.vehicle_type[i],
        pub platform_code: Option<String> = reader.opt(rows.platform[i]),
    }
}

made! {
    /// A row of routes.txt.
    pub struct Route from (reader: &Rows<'_>, rows: &Routes, i: usize) {
        pub index: u32 = i as u32,
        /// `feed:route`.
        pub id: String = reader.timetable.route_id(RouteIdx(i as u32)),
        /// `index` of the agency.
        pub agency: u32 = rows.agency[i],
        pub short_name: Option<String> = reader.opt(rows.short_name[i]),
        pub long_name: Option<String> = reader.opt(rows.long_name[i]),
        /// What its vehicles are.
        #[napi(ts_type = "RouteMode")]
        pub mode: String = Mode::from_number(rows.mode[i]).unwrap_or(Mode::Bus).name().to_owned(),
        /// route_type.
        #[napi(js_name = "type")]
        pub route_type: i32 = rows.route_type[i],
        pub desc: Option<String> = reader.opt(rows.desc[i]),
        pub url: Option<String> = reader.opt(rows.url[i]),
        pub color: Option<String> = reader.opt(rows.color[i]),
        pub text_color: Option<String> = reader.opt(rows.text_color[i]),
        pub route_bikes_allowed: u32 = u32::from(rows.route_bikes_allowed[i]),
        pub bikes_allowed: u32 = u32::from(rows.bikes_allowed[i]),
        /// -999 when not given.
        pub sort_order: i32 = rows.sort_order[i],
        /// -999 when not given.
        pub eligibility_restricted: i32 = rows.eligibility_restricted[i],
        pub branding_url: Option<String> = reader.opt(rows.branding_url[i]),
    }
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
#[napi(object, object_from_js = false)]
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

made! {
    /// Flexible service of a trip, as the feed describes it.
    pub struct FlexTrip from (reader: &Rows<'_>, row: &FlexRow) {
        pub max_travel_time: Option<String> = reader.opt(row.max_travel_time),
        pub avg_travel_time: Option<String> = reader.opt(row.avg_travel_time),
        /// Seconds before the trip by which it must be booked.
        pub advance_book_seconds: f64 = row.advance_book_min * 60.0,
        pub pickup_message: Option<String> = reader.opt(row.pickup_message),
        pub drop_off_message: Option<String> = reader.opt(row.drop_off_message),
        pub continuous_pickup_message: Option<String> = reader.opt(row.continuous_pickup_message),
        pub continuous_drop_off_message: Option<String> = reader.opt(row.continuous_drop_off_message),
    }
}

made! {
    /// Stops that clients may show as one.
    pub struct Cluster from (index: u32, cluster: EngineCluster<'_>) {
        pub index: u32 = index,
        pub id: String = cluster.id.to_owned(),
        pub name: String = cluster.name.to_owned(),
        pub lat: f64 = cluster.position.lat,
        pub lon: f64 = cluster.position.lon,
    }
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

pub(crate) fn index_lists(lists: Lists<u32>) -> IndexLists {
    IndexLists { offsets: lists.offsets.into(), values: lists.items.into() }
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

/// Entities; `None` at a position that does not exist.
impl Rows<'_> {
    pub(crate) fn feed(&self, index: u32) -> Option<Feed> {
        let (rows, i) = (&self.timetable.feeds, index as usize);
        (i < rows.id.len()).then(|| Feed::of(self, rows, i))
    }

    fn feed_date(&self, day: i32) -> Option<FeedDate> {
        let date = (day != i32::MIN).then_some(ServiceDate(day))?;
        Some(FeedDate { text: date.to_string(), midnight: midnight(date, &self.snapshot.zone) })
    }

    pub(crate) fn agency(&self, index: u32) -> Option<Agency> {
        let (rows, i) = (&self.timetable.agencies, index as usize);
        (i < rows.id.len()).then(|| Agency::of(self, rows, i))
    }

    pub(crate) fn stop(&self, index: u32) -> Option<Stop> {
        let (rows, i) = (&self.timetable.stops, index as usize);
        (i < rows.id.len()).then(|| Stop::of(self, rows, i))
    }

    pub(crate) fn route(&self, index: u32) -> Option<Route> {
        let (rows, i) = (&self.timetable.routes, index as usize);
        (i < rows.id.len()).then(|| Route::of(self, rows, i))
    }

    pub(crate) fn pattern(&self, index: u32) -> Option<Pattern> {
        let (rows, i) = (&self.timetable.patterns, index as usize);
        if i >= rows.count() {
            return self.live_pattern(index);
        }
        let first = rows.trips(PatternIdx(index)).start;
        Some(Pattern {
            index,
            code: self.text(rows.code[i]),
            name: self.text(rows.name[i]),
            route: rows.route[i],
            direction: rows.direction[i],
            headsign: self.timetable.trips.headsign.get(first).and_then(|&text| self.opt(text)),
        })
    }

    fn live_pattern(&self, index: u32) -> Option<Pattern> {
        let live = self.snapshot.live_schedule();
        let row = live.pattern(PatternIdx(index))?;
        Some(Pattern {
            index,
            code: row.code.clone(),
            name: String::new(),
            route: row.route.0,
            direction: row.direction,
            headsign: live.calls_of(PatternIdx(index)).and_then(|trip| trip.headsign.clone()),
        })
    }

    pub(crate) fn trip(&self, index: u32) -> Option<Trip> {
        let (rows, i) = (&self.timetable.trips, index as usize);
        if i >= rows.count() {
            return self.live_trip(index);
        }
        let pattern = self.timetable.pattern_of(TripIdx(index));
        let feed = self.timetable.feed_id(self.timetable.feed_of_trip(TripIdx(index)));
        // A trip without information about bikes takes them: the interface writes 2 and 1 for it.
        let bikes = match (rows.trip_bikes_allowed[i], rows.bikes_allowed[i]) {
            (0, 0) => (2, 1),
            (old, new) => (u32::from(old), u32::from(new)),
        };
        Some(Trip {
            index,
            id: self.timetable.trip_id(TripIdx(index)),
            pattern: pattern.0,
            route: self.timetable.route_of(pattern).0,
            service_id: Some(self.timetable.service_id(ServiceIdx(rows.service[i]))),
            short_name: self.opt(rows.short_name[i]),
            headsign: self.opt(rows.headsign[i]),
            route_short_name: self.opt(rows.route_short_name[i]),
            direction: self.timetable.patterns.direction[pattern.index()],
            block_id: self.opt(rows.block[i]),
            shape_id: self.opt(rows.shape[i]),
            qualified_shape_id: self.opt(rows.shape[i]).map(|shape| format!("{feed}:{shape}")),
            fare_id: self.opt(rows.fare[i]),
            wheelchair_accessible: u32::from(rows.wheelchair[i]),
            trip_bikes_allowed: bikes.0,
            bikes_allowed: bikes.1,
            flex: self.timetable.flex.trip(TripIdx(index)).map(|row| FlexTrip::of(self, row)),
        })
    }

    /// An added trip. What live data does not say is taken from the trip that it replaces or copies.
    fn live_trip(&self, index: u32) -> Option<Trip> {
        let live = self.snapshot.live_schedule();
        let added = live.trip(TripIdx(index))?;
        let scheduled = added.scheduled().and_then(|trip| self.trip(trip.0));
        let own = Trip {
            index,
            id: added.outer_id(self.timetable),
            pattern: live.pattern_of(TripIdx(index))?.0,
            route: added.route.0,
            service_id: service_of(self.timetable, added).map(|service| self.timetable.service_id(service)),
            short_name: None,
            headsign: added.headsign.clone(),
            route_short_name: None,
            direction: added.direction,
            block_id: None,
            shape_id: None,
            qualified_shape_id: None,
            fare_id: None,
            wheelchair_accessible: 0,
            trip_bikes_allowed: 2,
            bikes_allowed: 1,
            flex: None,
        };
        let Some(scheduled) = scheduled else { return Some(own) };
        let common = Trip { index, pattern: own.pattern, headsign: own.headsign, flex: None, ..scheduled };
        // A copy has an id of its own and no block.
        Some(match added.copies {
            Some(_) => Trip { id: own.id, service_id: own.service_id, block_id: None, ..common },
            None if added.scheduled_with_same_calls(self.timetable).is_some() => common,
            None => Trip { shape_id: None, qualified_shape_id: None, ..common },
        })
    }

    pub(crate) fn cluster(&self, index: u32) -> Option<Cluster> {
        self.snapshot.graph.listing.clusters.get(index).map(|cluster| Cluster::of(index, cluster))
    }

    pub(crate) fn flex_area(&self, index: u32) -> Option<FlexArea> {
        let areas = &self.timetable.flex.areas;
        let id = self.text(*areas.id.get(index as usize)?);
        let feed = self.timetable.feed_id(FeedIdx(areas.feed[index as usize]));
        Some(FlexArea { index, id: format!("{feed}:{id}") })
    }
}
