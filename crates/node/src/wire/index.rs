//! Entities of the index as typed objects. `index` is the entity's position in the graph, which other look-ups take;
//! texts that the feed does not give are absent.

use napi::bindgen_prelude::{Float64Array, Uint32Array};
use napi_derive::napi;
use trestle_engine::index::{Cluster as EngineCluster, Lists, service_of};
use trestle_engine::snapshot::Snapshot;
use trestle_model::ids::{AgencyIdx, FeedIdx, PatternIdx, RouteIdx, ServiceIdx, StopIdx, TripIdx};
use trestle_model::strings::StringIdx;
use trestle_model::{Mode, ServiceDate};
use trestle_transit::calendar::midnight;
use trestle_transit::overlay::AddedTrip;
use trestle_transit::timetable::{FlexTrip as FlexRow, Timetable};

/// A day of a feed's validity.
#[napi(object)]
pub struct FeedDate {
    /// `YYYYMMDD`.
    pub text: String,
    /// Local midnight, epoch milliseconds.
    pub epoch_ms: i64,
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
    #[napi(ts_type = "Mode")]
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
    /// Minutes before the trip by which it must be booked.
    pub advance_book_min: f64,
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

/// Reads entities; a position that does not exist gives `None`.
pub(crate) struct Rows<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) timetable: &'a Timetable,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(snapshot: &'a Snapshot) -> Self {
        Rows { snapshot, timetable: &snapshot.graph.timetable }
    }

    fn text(&self, text: StringIdx) -> String {
        self.timetable.texts.get(text).to_owned()
    }

    fn opt(&self, text: StringIdx) -> Option<String> {
        self.timetable.texts.opt(text).map(str::to_owned)
    }

    pub(crate) fn feed(&self, index: u32) -> Option<Feed> {
        let (rows, i) = (&self.timetable.feeds, index as usize);
        rows.id.get(i)?;
        Some(Feed {
            index,
            id: self.text(rows.id[i]),
            has_info: rows.has_info[i] == 1,
            info_id: self.opt(rows.info_id[i]),
            publisher_name: self.opt(rows.publisher_name[i]),
            publisher_url: self.opt(rows.publisher_url[i]),
            lang: self.opt(rows.lang[i]),
            version: self.opt(rows.version[i]),
            start_date: self.feed_date(rows.start_date[i]),
            end_date: self.feed_date(rows.end_date[i]),
        })
    }

    fn feed_date(&self, day: i32) -> Option<FeedDate> {
        let date = (day != i32::MIN).then_some(ServiceDate(day))?;
        Some(FeedDate { text: date.to_string(), epoch_ms: midnight(date, &self.snapshot.zone) * 1000 })
    }

    pub(crate) fn agency(&self, index: u32) -> Option<Agency> {
        let (rows, i) = (&self.timetable.agencies, AgencyIdx(index).index());
        rows.id.get(i)?;
        Some(Agency {
            index,
            feed: self.timetable.feed_id(FeedIdx(rows.feed[i])).to_owned(),
            id: self.text(rows.id[i]),
            name: self.text(rows.name[i]),
            url: self.text(rows.url[i]),
            timezone: self.text(rows.timezone[i]),
            lang: self.opt(rows.lang[i]),
            phone: self.opt(rows.phone[i]),
            fare_url: self.opt(rows.fare_url[i]),
            branding_url: self.opt(rows.branding_url[i]),
        })
    }

    pub(crate) fn stop(&self, index: u32) -> Option<Stop> {
        let (rows, i) = (&self.timetable.stops, index as usize);
        rows.id.get(i)?;
        Some(Stop {
            index,
            id: self.timetable.stop_id(StopIdx(index)),
            code: self.opt(rows.code[i]),
            name: self.text(rows.name[i]),
            desc: self.opt(rows.desc[i]),
            lat: rows.lat[i],
            lon: rows.lon[i],
            zone_id: self.opt(rows.zone[i]),
            url: self.opt(rows.url[i]),
            location_type: u32::from(rows.location_type[i]),
            wheelchair_boarding: u32::from(rows.wheelchair[i]),
            parent_station: self.opt(rows.parent_id[i]),
            parent: StopIdx(rows.parent[i]).some().map(|stop| stop.0),
            direction: self.opt(rows.direction[i]),
            timezone: self.opt(rows.timezone[i]),
            vehicle_type: rows.vehicle_type[i],
            platform_code: self.opt(rows.platform[i]),
        })
    }

    pub(crate) fn route(&self, index: u32) -> Option<Route> {
        let (rows, i) = (&self.timetable.routes, index as usize);
        rows.id.get(i)?;
        Some(Route {
            index,
            id: self.timetable.route_id(RouteIdx(index)),
            agency: rows.agency[i],
            short_name: self.opt(rows.short_name[i]),
            long_name: self.opt(rows.long_name[i]),
            mode: Mode::from_number(rows.mode[i]).unwrap_or(Mode::Bus).name().to_owned(),
            route_type: rows.route_type[i],
            desc: self.opt(rows.desc[i]),
            url: self.opt(rows.url[i]),
            color: self.opt(rows.color[i]),
            text_color: self.opt(rows.text_color[i]),
            route_bikes_allowed: u32::from(rows.route_bikes_allowed[i]),
            bikes_allowed: u32::from(rows.bikes_allowed[i]),
            sort_order: rows.sort_order[i],
            eligibility_restricted: rows.eligibility_restricted[i],
            branding_url: self.opt(rows.branding_url[i]),
        })
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
            flex: self.timetable.flex.trip(TripIdx(index)).map(|row| self.flex_trip(row)),
        })
    }

    /// An added trip. What live data does not say is taken from the trip that it replaces.
    fn live_trip(&self, index: u32) -> Option<Trip> {
        let live = self.snapshot.live_schedule();
        let added = live.trip(TripIdx(index))?;
        let replaced = added.replaces.and_then(|trip| self.trip(trip.0));
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
        Some(match replaced {
            None => own,
            Some(trip) => Trip {
                index,
                pattern: own.pattern,
                headsign: own.headsign,
                shape_id: None,
                qualified_shape_id: None,
                flex: None,
                ..trip
            },
        })
    }

    /// An added trip; `None` for scheduled and unknown ones.
    pub(crate) fn added_trip(&self, index: u32) -> Option<&'a AddedTrip> {
        self.snapshot.live_schedule().trip(TripIdx(index))
    }

    fn flex_trip(&self, row: &FlexRow) -> FlexTrip {
        FlexTrip {
            max_travel_time: self.opt(row.max_travel_time),
            avg_travel_time: self.opt(row.avg_travel_time),
            advance_book_min: row.advance_book_min,
            pickup_message: self.opt(row.pickup_message),
            drop_off_message: self.opt(row.drop_off_message),
            continuous_pickup_message: self.opt(row.continuous_pickup_message),
            continuous_drop_off_message: self.opt(row.continuous_drop_off_message),
        }
    }

    pub(crate) fn cluster(&self, index: u32) -> Option<Cluster> {
        let clusters = self.snapshot.catalog.clusters(&self.snapshot.graph);
        clusters.all.get(index as usize).map(|c| cluster(index, c))
    }

    pub(crate) fn flex_area(&self, index: u32) -> Option<FlexArea> {
        let areas = &self.timetable.flex.areas;
        let id = self.text(*areas.id.get(index as usize)?);
        let feed = self.timetable.feed_id(FeedIdx(areas.feed[index as usize]));
        Some(FlexArea { index, id: format!("{feed}:{id}") })
    }
}

fn cluster(index: u32, cluster: &EngineCluster) -> Cluster {
    Cluster {
        index,
        id: cluster.id.clone(),
        name: cluster.name.clone(),
        lat: cluster.position.lat,
        lon: cluster.position.lon,
    }
}

/// The start of each list among lists laid end to end, and the end of the last.
pub(crate) fn list_offsets(lengths: impl Iterator<Item = usize>) -> impl Iterator<Item = u32> {
    let ends = lengths.scan(0, |end, length| {
        *end += length as u32;
        Some(*end)
    });
    std::iter::once(0).chain(ends)
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
        offsets: list_offsets(walks.iter().map(Vec::len)).collect::<Vec<u32>>().into(),
        stops: all().map(|(stop, _)| *stop).collect::<Vec<u32>>().into(),
        distances: all().map(|(_, meters)| *meters).collect::<Vec<f64>>().into(),
    }
}

pub(crate) fn shapes(lines: &[Vec<[f64; 2]>]) -> Shapes {
    Shapes {
        offsets: list_offsets(lines.iter().map(Vec::len)).collect::<Vec<u32>>().into(),
        points: lines.iter().flatten().flatten().copied().collect::<Vec<f64>>().into(),
    }
}
