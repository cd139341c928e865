//! Reads entities of the index from the columns of the timetable and from live data.

use trestle_engine::index::{Cluster as EngineCluster, service_of};
use trestle_engine::snapshot::Snapshot;
use trestle_model::ids::{FeedIdx, PatternIdx, RouteIdx, ServiceIdx, StopIdx, TripIdx};
use trestle_model::strings::StringIdx;
use trestle_model::{Mode, ServiceDate};
use trestle_transit::calendar::midnight;
use trestle_transit::overlay::AddedTrip;
use trestle_transit::timetable::{FlexTrip as FlexRow, Timetable};

use super::index::{Agency, Cluster, Feed, FeedDate, FlexArea, FlexTrip, Pattern, Route, Stop, Trip};

/// Reads entities; a position that does not exist gives `None`.
pub(crate) struct Rows<'a> {
    snapshot: &'a Snapshot,
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
        Some(FeedDate { text: date.to_string(), midnight: midnight(date, &self.snapshot.zone) })
    }

    pub(crate) fn agency(&self, index: u32) -> Option<Agency> {
        let (rows, i) = (&self.timetable.agencies, index as usize);
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
            advance_book_seconds: row.advance_book_min * 60.0,
            pickup_message: self.opt(row.pickup_message),
            drop_off_message: self.opt(row.drop_off_message),
            continuous_pickup_message: self.opt(row.continuous_pickup_message),
            continuous_drop_off_message: self.opt(row.continuous_drop_off_message),
        }
    }

    pub(crate) fn cluster(&self, index: u32) -> Option<Cluster> {
        self.snapshot.graph.listing.clusters.get(index).map(|c| cluster(index, c))
    }

    pub(crate) fn flex_area(&self, index: u32) -> Option<FlexArea> {
        let areas = &self.timetable.flex.areas;
        let id = self.text(*areas.id.get(index as usize)?);
        let feed = self.timetable.feed_id(FeedIdx(areas.feed[index as usize]));
        Some(FlexArea { index, id: format!("{feed}:{id}") })
    }
}

fn cluster(index: u32, cluster: EngineCluster<'_>) -> Cluster {
    Cluster {
        index,
        id: cluster.id.to_owned(),
        name: cluster.name.to_owned(),
        lat: cluster.position.lat,
        lon: cluster.position.lon,
    }
}
