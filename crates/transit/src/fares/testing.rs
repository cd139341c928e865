//! Small towns for the tests of fare services.

use std::collections::{BTreeMap, BTreeSet};

use trestle_model::IssueSink;
use trestle_model::ids::{FeedIdx, StopIdx};

use super::{FareRide, FareService, FareServiceOption, PaidParts};
use crate::build::{TransitBuildOptions, build_timetable_from_tables};
use crate::gtfs::FeedFiles;
use crate::timetable::Timetable;

/// A feed `f`. Spaces in ids are written as underscores.
#[derive(Clone, Copy)]
pub(super) struct FareTown<'a> {
    pub(super) agencies: &'a str,
    /// `id agency type [fare=fare_id of its trips]`, separated by commas.
    pub(super) routes: &'a str,
    /// Stop ids; each stop is a zone of that name.
    pub(super) stops: &'a str,
    /// `id price [youth=price] [senior=price] [transfers=number] [currency=code] : rules`, separated by commas; a rule
    /// is a route or `origin>destination`.
    pub(super) fares: &'a str,
    pub(super) services: &'a str,
}

/// The prices of rides `[walk] route from-to minute-minute`, separated by commas.
pub(super) fn prices(town: &FareTown<'_>, rides: &str) -> String {
    let timetable = town.timetable();
    let rides = rides.split(',').map(|text| Some(ride(&timetable, text))).collect();
    let parts = PaidParts { rides, rental_seconds: Vec::new() };
    let prices = FareService::new(&timetable).prices(&timetable, &parts);
    let texts: Vec<String> =
        prices.iter().map(|p| format!("{} {}", p.fare_type.name(), p.minor_units)).collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
}

fn ride(timetable: &Timetable, text: &str) -> FareRide {
    let text = text.trim();
    let (walked_before, text) = text.strip_prefix("walk ").map_or((false, text), |rest| (true, rest));
    let words: Vec<&str> = text.split_whitespace().collect();
    let (from, to) = words[1].split_once('-').unwrap();
    let (board, alight) = words[2].split_once('-').unwrap();
    let route = timetable.route_by_id(&format!("f:{}", words[0])).unwrap();
    let trip = timetable.trip_by_id(&format!("f:{}", words[0])).unwrap();
    let stop = |id: &str| timetable.stop_by_id(&format!("f:{id}")).unwrap();
    let zone = |stop: StopIdx| timetable.stops.zone[stop.index()];
    let minutes = |text: &str| text.parse::<i64>().unwrap() * 60;
    let (first_stop, last_stop) = (stop(from), stop(to));
    FareRide {
        route,
        trips: vec![trip],
        feed: FeedIdx(0),
        first_stop,
        last_stop,
        start_zone: zone(first_stop),
        end_zone: zone(last_stop),
        zones: BTreeSet::from([zone(first_stop), zone(last_stop)]),
        board_time: minutes(board),
        alight_time: minutes(alight),
        walked_before,
    }
}

impl FareTown<'_> {
    fn timetable(&self) -> Timetable {
        let files = FeedFiles::from_tables("f", self.tables());
        let options = TransitBuildOptions { fares: vec![self.service()], ..TransitBuildOptions::default() };
        build_timetable_from_tables(vec![files], &options, &mut IssueSink::default(), &mut |_, _| {}).unwrap()
    }

    fn service(&self) -> FareServiceOption {
        let (name, rest) = self.services.split_once(' ').unwrap_or((self.services, ""));
        match name {
            "default" => FareServiceOption::Attributes,
            "san-francisco" => FareServiceOption::SanFrancisco,
            "new-york" => FareServiceOption::NewYork,
            "seattle" => FareServiceOption::Seattle {
                max_fare_agencies: rest.split_whitespace().map(str::to_owned).collect(),
            },
            _ => panic!("unknown service “{name}”"),
        }
    }

    fn tables(&self) -> BTreeMap<String, String> {
        let lines = |header: &str, rows: Vec<String>| format!("{header}\n{}", rows.join("\n"));
        let (mut routes, mut trips, mut calls) = (Vec::new(), Vec::new(), Vec::new());
        let (from, to) = self.stops.split_once(' ').unwrap();
        let to = to.split(' ').next().unwrap();
        for text in self.routes.split(',') {
            let words: Vec<&str> = text.split_whitespace().collect();
            let fare = words.get(3).map_or("", |text| &text["fare=".len()..]);
            let id = words[0];
            routes.push(format!("{id},{},{id},{}", words[1].replace('_', " "), words[2]));
            trips.push(format!("{id},{id},WK,{fare}"));
            calls.push(format!("{id},1,{from},8:00:00,8:00:00\n{id},2,{to},9:00:00,9:00:00"));
        }
        let (mut attributes, mut rules) = (Vec::new(), Vec::new());
        for text in self.fares.split(',').filter(|text| !text.is_empty()) {
            let (fare, own_rules) = text.split_once(':').unwrap();
            let words: Vec<&str> = fare.split_whitespace().collect();
            let extra = |name: &str| words.iter().find_map(|word| word.strip_prefix(name)).unwrap_or("");
            let (youth, senior, transfers) = (extra("youth="), extra("senior="), extra("transfers="));
            let transfers = if transfers.is_empty() { "0" } else { transfers };
            let currency = if extra("currency=").is_empty() { "USD" } else { extra("currency=") };
            attributes.push(format!("{},{},{currency},{youth},{senior},{transfers}", words[0], words[1]));
            rules.extend(own_rules.split_whitespace().map(|rule| match rule.split_once('>') {
                Some((from, to)) => format!("{},,{from},{to}", words[0]),
                None => format!("{},{rule},,", words[0]),
            }));
        }
        let each = |text: &str, row: &dyn Fn(&str) -> String| text.split_whitespace().map(row).collect();
        BTreeMap::from(
            [
                ("feed_info.txt", "feed_id,feed_publisher_name\nf,Publisher".to_owned()),
                (
                    "agency.txt",
                    lines(
                        "agency_id,agency_name,agency_timezone",
                        each(self.agencies, &|id| format!("{0},{0},America/New_York", id.replace('_', " "))),
                    ),
                ),
                (
                    "stops.txt",
                    lines(
                        "stop_id,stop_name,stop_lat,stop_lon,zone_id",
                        each(self.stops, &|id| format!("{id},{id},41,-73,{id}")),
                    ),
                ),
                ("routes.txt", lines("route_id,agency_id,route_short_name,route_type", routes)),
                ("trips.txt", lines("trip_id,route_id,service_id,fare_id", trips)),
                ("stop_times.txt", lines("trip_id,stop_sequence,stop_id,arrival_time,departure_time", calls)),
                ("calendar_dates.txt", "service_id,date,exception_type\nWK,20240101,1".to_owned()),
                (
                    "fare_attributes.txt",
                    lines("fare_id,price,currency_type,youth_price,senior_price,transfers", attributes),
                ),
                ("fare_rules.txt", lines("fare_id,route_id,origin_id,destination_id", rules)),
            ]
            .map(|(name, text)| (name.to_owned(), text)),
        )
    }
}
