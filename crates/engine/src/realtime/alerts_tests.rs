//! The alerts of all rides of a town, compared with the rules of selectors stated again over the rows of its feeds.

use std::collections::{BTreeMap, BTreeSet};

use prost::Message;
use trestle_model::ids::StopIdx;
use trestle_model::{IssueSink, ServiceDate};
use trestle_transit::build::{TransitBuildOptions, build_timetable_from_tables};
use trestle_transit::gtfs::FeedFiles;
use trestle_transit::timetable::Timetable;

use super::messages::{
    Alert as AlertMessage, EntitySelector, FeedEntity, FeedHeader, FeedMessage, TimeRange, TranslatedString,
    Translation, TripDescriptor,
};
use super::{AlertOptions, AlertSet, AlertedRide, decode_alerts};

/// Route, agency and type.
const ROUTES: [(&str, &str, i32); 4] = [("R", "A", 3), ("S", "A", 0), ("T", "B", 3), ("U", "B", 1)];
/// Stop and station.
const STOPS: [(&str, &str); 5] = [("a", "X"), ("b", "X"), ("c", "Y"), ("d", ""), ("e", "")];
/// Days of the service.
const DAYS: [&str; 2] = ["20240610", "20240611"];

/// A trip of both feeds.
struct Trip {
    id: String,
    route: usize,
    direction: u32,
    stops: Vec<usize>,
    /// Seconds of the service day at the first stop, and from stop to stop.
    start: i32,
    hop: i32,
}

struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }

    /// One of them, or in one of some cases none.
    fn maybe<T: Clone>(&mut self, one_in: usize, all: &[T]) -> Option<T> {
        (self.below(one_in) == 0).then(|| all[self.below(all.len())].clone())
    }
}

fn trips(random: &mut Random) -> Vec<Trip> {
    (0..24)
        .map(|number| Trip {
            id: format!("t{number}"),
            route: number % ROUTES.len(),
            direction: (number / 4 % 2) as u32,
            stops: (0..3).map(|at| (number + at * (1 + number % 4)) % STOPS.len()).collect(),
            start: 3600 * (1 + number as i32),
            hop: 600 + random.below(3000) as i32,
        })
        .collect()
}

fn timetable(trips: &[Trip]) -> Timetable {
    let clock = |time: i32| format!("{}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60);
    let lines = |head: &str, rows: Vec<String>| format!("{head}\n{}", rows.join("\n"));
    let routes = ROUTES.iter().map(|(id, agency, kind)| format!("{id},{agency},{id},{kind}")).collect();
    let stop =
        |(number, (id, station)): (usize, &(&str, &str))| format!("{id},{id},41.{number},-8.6,0,{station}");
    let mut stops: Vec<String> = STOPS.iter().enumerate().map(stop).collect();
    stops.extend(["X,X,41.0,-8.6,1,".to_owned(), "Y,Y,41.2,-8.6,1,".to_owned()]);
    let row = |t: &Trip| format!("{},W,{},{}", ROUTES[t.route].0, t.id, t.direction);
    let call = |trip: &Trip, at: usize| {
        let time = clock(trip.start + at as i32 * trip.hop);
        format!("{},{at},{},{time},{time}", trip.id, STOPS[trip.stops[at]].0)
    };
    let calls = trips.iter().flat_map(|trip| (0..trip.stops.len()).map(|at| call(trip, at))).collect();
    let dates = DAYS.iter().map(|day| format!("W,{day},1")).collect();
    let tables: BTreeMap<String, String> = [
        (
            "agency.txt",
            "agency_id,agency_name,agency_url,agency_timezone\nA,A,http://a.example,UTC\nB,B,http://b.example,UTC"
                .to_owned(),
        ),
        ("stops.txt", lines("stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station", stops)),
        ("routes.txt", lines("route_id,agency_id,route_short_name,route_type", routes)),
        ("trips.txt", lines("route_id,service_id,trip_id,direction_id", trips.iter().map(row).collect())),
        ("stop_times.txt", lines("trip_id,stop_sequence,stop_id,arrival_time,departure_time", calls)),
        ("calendar_dates.txt", lines("service_id,date,exception_type", dates)),
    ]
    .map(|(name, text)| (name.to_owned(), text))
    .into();
    let feeds = ["1", "2"].map(|name| FeedFiles::from_tables(name, tables.clone()));
    let options = TransitBuildOptions::default();
    build_timetable_from_tables(feeds.into(), &options, &mut IssueSink::default(), &mut |_, _| {}).unwrap()
}

fn selector(random: &mut Random, trips: &[Trip]) -> EntitySelector {
    let owned = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
    let routes = owned(&["R", "S", "T", "U", "unknown"]);
    let mut ids: Vec<String> = trips.iter().map(|trip| trip.id.clone()).collect();
    ids.push("unknown".to_owned());
    let trip = TripDescriptor {
        trip_id: random.maybe(2, &ids),
        route_id: random.maybe(2, &routes),
        direction_id: random.maybe(3, &[0, 1]),
        start_date: random.maybe(2, &owned(&DAYS)),
        start_time: random.maybe(4, &owned(&["03:00:00", "5:00:00", "24:00:00"])),
        ..TripDescriptor::default()
    };
    EntitySelector {
        agency_id: random.maybe(3, &owned(&["A", "B", "unknown"])),
        route_id: random.maybe(4, &routes),
        route_type: random.maybe(4, &[0, 1, 3]),
        stop_id: random.maybe(3, &owned(&["a", "b", "c", "d", "e", "X", "Y", "unknown"])),
        direction_id: random.maybe(4, &[0, 1]),
        trip: random.maybe(3, &[trip]),
    }
}

/// A ride between two calls of a trip of one feed on one day.
struct Ridden<'a> {
    feed: &'a str,
    trip: &'a Trip,
    day: &'a str,
    calls: [usize; 2],
    times: [i64; 2],
}

/// Whether a selector of feed 1 is about a ride at one of its ends.
fn is_about(selector: &EntitySelector, ride: &Ridden<'_>, end: usize) -> bool {
    let (route, agency, route_type) = ROUTES[ride.trip.route];
    let descriptor = selector.trip.clone().unwrap_or_default();
    let TripDescriptor { trip_id, start_date, start_time, .. } = descriptor;
    let route_id = selector.route_id.clone().or(descriptor.route_id);
    let empty = trip_id.is_none() && route_id.is_none() && selector.agency_id.is_none();
    if empty && selector.trip.is_some() && selector.route_type.is_none() && selector.stop_id.is_none() {
        return false;
    }
    let seconds = |text: &str| {
        text.split(':')
            .zip([3600, 60, 1])
            .map(|(part, unit)| part.parse::<i32>().unwrap() * unit)
            .sum::<i32>()
    };
    // The id of a trip says enough about its time; a route has trips at many times.
    let vehicle = match (&trip_id, &route_id) {
        (Some(id), _) => *id == ride.trip.id,
        (None, Some(id)) => {
            id == route && start_time.as_deref().is_none_or(|time| seconds(time) == ride.trip.start)
        }
        (None, None) => {
            selector.agency_id.as_deref().is_none_or(|id| id == agency)
                && start_time.as_deref().is_none_or(|time| seconds(time) == ride.trip.start)
        }
    };
    let (stop, station) = STOPS[ride.trip.stops[ride.calls[end]]];
    let direction = selector.direction_id.or(descriptor.direction_id);
    ride.feed == "1"
        && vehicle
        && start_date.as_deref().is_none_or(|day| day == ride.day)
        && selector.stop_id.as_deref().is_none_or(|id| id == stop || id == station)
        && selector.route_type.is_none_or(|kind| kind == route_type)
        && direction.is_none_or(|direction| direction == ride.trip.direction)
}

#[test]
fn every_ride_has_the_alerts_whose_selectors_are_about_it() {
    let mut random = Random(7);
    let trips = trips(&mut random);
    let timetable = timetable(&trips);
    let midnight = |day: &str| i64::from(ServiceDate::parse_compact(day).unwrap().0) * 86_400;
    let first = midnight(DAYS[0]);
    let alerts: Vec<(EntitySelector, Option<TimeRange>)> = (0..400)
        .map(|_| {
            let start = random.maybe(2, &[first + 7200, first + 36_000, first + 90_000]);
            let end = random.maybe(2, &[first + 50_000, first + 130_000]);
            let period = TimeRange { start: start.map(|s| s as u64), end: end.map(|e| e as u64) };
            (selector(&mut random, &trips), random.maybe(2, &[period]))
        })
        .collect();
    let entity = |(number, (selector, period)): (usize, &(EntitySelector, Option<TimeRange>))| FeedEntity {
        id: Some(number.to_string()),
        alert: Some(AlertMessage {
            active_periods: period.iter().cloned().collect(),
            informed_entities: vec![selector.clone()],
            header: Some(TranslatedString {
                translations: vec![Translation { text: Some(number.to_string()), language: None }],
            }),
            ..AlertMessage::default()
        }),
        ..FeedEntity::default()
    };
    let message = FeedMessage {
        header: Some(FeedHeader { version: Some("2.0".to_owned()), ..FeedHeader::default() }),
        entities: alerts.iter().enumerate().map(entity).collect(),
    };
    let options = AlertOptions { feed_id: "1".to_owned(), early_start: 0 };
    let patches = decode_alerts(&message.encode_to_vec(), &options).unwrap();
    let set = AlertSet::default().with_source(&timetable, 0, patches);
    let mut shown = 0;
    for (feed, trip, day) in trips_of_days(&trips) {
        for calls in [[0, 1], [0, 2], [1, 2]] {
            let time = |call: usize| midnight(day) + i64::from(trip.start + call as i32 * trip.hop);
            let ride = Ridden { feed, trip, day, calls, times: calls.map(time) };
            let from = ride.times[0] - 300;
            let in_force = |period: &Option<TimeRange>, time: i64| {
                let TimeRange { start, end } = period.unwrap_or_default();
                start.is_none_or(|start| time >= start as i64) && end.is_none_or(|end| from < end as i64)
            };
            let expected: BTreeSet<usize> = (0..alerts.len())
                .filter(|&n| {
                    let (selector, period) = &alerts[n];
                    (0..2).any(|end| is_about(selector, &ride, end) && in_force(period, ride.times[end]))
                })
                .collect();
            let found = set.of_ride(&timetable, &alerted(&timetable, &ride), from, "en", false);
            let found: BTreeSet<usize> =
                found.iter().map(|alert| alert.header.as_ref().unwrap().parse().unwrap()).collect();
            let wrong: Vec<_> = found.symmetric_difference(&expected).map(|&n| (n, &alerts[n])).collect();
            assert!(wrong.is_empty(), "{} of feed {feed} on {day}, {calls:?}: {wrong:#?}", trip.id);
            shown += found.len();
        }
    }
    assert!(shown > 1000, "{shown}");
}

/// Each trip of each feed on each day.
fn trips_of_days(trips: &[Trip]) -> impl Iterator<Item = (&'static str, &Trip, &'static str)> {
    let feeds = ["1", "2"].into_iter().flat_map(|feed| DAYS.map(|day| (feed, day)));
    feeds.flat_map(|(feed, day)| trips.iter().map(move |trip| (feed, trip, day)))
}

/// The same ride as searches find it.
fn alerted<'a>(timetable: &'a Timetable, ride: &Ridden<'_>) -> AlertedRide<'a> {
    let trip = timetable.trip_by_id(&format!("{}:{}", ride.feed, ride.trip.id)).unwrap();
    let pattern = timetable.pattern_of(trip);
    AlertedRide {
        trip: Some(trip),
        added_trip: None,
        service_date: ServiceDate::parse_compact(ride.day).unwrap(),
        start_time: timetable.trip_calls(trip).first_departure(),
        route: timetable.route_of(pattern),
        direction: timetable.patterns.direction[pattern.index()],
        headsign: None,
        ends: ride.calls.map(|call| StopIdx(timetable.patterns.stops(pattern)[call])),
        times: ride.times,
    }
}
