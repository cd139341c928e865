//! Random feeds as real ones are written, with days when clocks change, blank times, midnights, blocks, frequencies and
//! exceptions, answer like a slow second reading of their rows. `PROPTEST_CASES` sets how many are tried.
#![allow(clippy::expect_used)]

mod feed;
mod random;
mod reading;
mod search;

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::sync::Arc;

use proptest::prelude::*;
use trestle_engine::build::{BuildOptions, build_directory};
use trestle_engine::index::stop_times::{PatternCalls, StopTimes, Upcoming};
use trestle_engine::snapshot::Snapshot;
use trestle_model::ids::StopIdx;
use trestle_model::{Direction, RoutingRequest, ServiceDate};
use trestle_transit::raptor::{
    Departures, Endpoint, LabelSettingScratch, NoStreets, OneToAllQuery, RangeScratch, UNREACHED,
    label_setting, range,
};

use feed::{Feed, stop_id};
use random::{CHANGES, Change, Random, STEADY};
use reading::Run;
use search::Place;

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(150)
}

/// One or two feeds, as they are written and as they were built.
struct Town {
    change: Change,
    /// Seconds ahead of UTC of the second feed.
    second: i64,
    feeds: Vec<Feed>,
    snapshot: Snapshot,
    runs: Vec<Run>,
}

impl Town {
    fn new(seed: u64) -> Town {
        let random = &mut Random::new(seed);
        let change = *random.of(&CHANGES);
        let (zone, second) = *random.of(&STEADY);
        let mut feeds = vec![random::feed(random, "a", change.zone, change.day)];
        if random.one_in(2) {
            feeds.push(random::feed(random, "b", zone, change.day));
        }
        let start = |feed: usize, day: i32| day_start((&change, second), feed, day);
        let runs = reading::runs(&feeds, change.day - 6..=change.day + 5, start);
        let snapshot = built(&feeds, seed, random);
        Town { change, second, feeds, snapshot, runs }
    }

    fn stop(&self, (feed, stop): Place) -> StopIdx {
        let id = format!("{}:{}", feed + 1, stop_id(stop));
        self.snapshot.graph.timetable.stop_by_id(&id).unwrap()
    }

    fn places(&self) -> impl Iterator<Item = Place> + '_ {
        let stops = |(number, feed): (usize, &Feed)| {
            (0..feed.stops).map(move |stop| (number, stop)).collect::<Vec<_>>()
        };
        self.feeds.iter().enumerate().flat_map(stops)
    }

    /// Trip, position of the call, both times and start of the day of all calls at a stop.
    fn calls(&self, place: Place, keep: impl Fn(&Run, i64) -> bool) -> Vec<(String, usize, i64, i64, i64)> {
        let mut calls = Vec::new();
        for run in self.runs.iter().filter(|run| run.feed == place.0 && !run.is_repeated) {
            let id = &self.feeds[run.feed].trips[run.trip].id;
            for (at, call) in run.calls.iter().enumerate() {
                if call.stop == place.1 && keep(run, call.goes) {
                    calls.push((id.clone(), at, call.comes, call.goes, run.day_start));
                }
            }
        }
        calls.sort();
        calls
    }

    /// The calls of frequency trips at a stop that look-ups list from a moment on, on days up to one.
    fn repeated(&self, place: Place, from: i64, last: i32) -> Vec<(String, usize, i64, i64, i64)> {
        let feed = &self.feeds[place.0];
        let mut calls = Vec::new();
        for (number, trip) in feed.trips.iter().enumerate() {
            let stops = reading::stops_of(trip);
            if stops.len() < 2 || reading::usable(trip).next().is_none() {
                continue;
            }
            for at in (0..stops.len()).filter(|at| stops[*at] == place.1) {
                for day in self.change.day - 6..=last {
                    let start = day_start((&self.change, self.second), place.0, day);
                    let listed = reading::listed(feed, number, (day, start), at, from);
                    calls.extend(
                        listed.into_iter().map(|(comes, goes)| (trip.id.clone(), at, comes, goes, start)),
                    );
                }
            }
        }
        calls
    }

    fn found(&self, patterns: Vec<PatternCalls>) -> Vec<(String, usize, i64, i64, i64)> {
        let timetable = &self.snapshot.graph.timetable;
        let calls = patterns.into_iter().flat_map(|pattern| pattern.calls);
        let mut found: Vec<_> = calls
            .map(|call| {
                let time = |seconds: i32| call.service_day + i64::from(seconds);
                let (comes, goes) = (time(call.scheduled_arrival), time(call.scheduled_departure));
                let id = timetable.trip_id(call.trip)[2..].to_owned();
                (id, call.position as usize, comes, goes, call.service_day)
            })
            .collect();
        found.sort();
        found
    }

    fn check_stop_times(&self, seed: u64) {
        let random = &mut Random::new(seed ^ 0xABCD);
        for place in self.places() {
            let stop = self.stop(place);
            for day in self.change.day - 2..=self.change.day + 2 {
                let found = self.found(StopTimes::new(&self.snapshot).on_date(stop, ServiceDate(day), false));
                let expected = self.calls(place, |run, _| run.day == day);
                assert_eq!(
                    found, expected,
                    "calls at {place:?} on day {day} of seed {seed}: {:?}",
                    self.feeds
                );
            }
            let from = i64::from(self.change.day) * DAY + random.below(3 * DAY as u64) as i64 - DAY;
            // The next day in the zone of the feed is the last one.
            let ahead = match place.0 {
                0 => [
                    self.change.ahead[0].min(self.change.ahead[1]),
                    self.change.ahead[0].max(self.change.ahead[1]),
                ],
                _ => [self.second; 2],
            };
            let last = ahead.map(|ahead| (from + ahead).div_euclid(DAY) as i32 + 1);
            if last[0] != last[1] {
                continue;
            }
            let wanted = Upcoming { from, range: 10 * DAY, per_pattern: 10_000, omit_non_pickups: false };
            let mut found = self.found(StopTimes::new(&self.snapshot).upcoming(stop, wanted));
            let mut expected = self.calls(place, |run, goes| goes >= from && run.day <= last[0]);
            expected.extend(self.repeated(place, from, last[0]));
            expected.sort();
            // Vehicles that have come to their last stop and have not left it are listed with others of their pattern only.
            found.retain(|(_, _, comes, ..)| *comes >= from);
            expected.retain(|(_, _, comes, ..)| *comes >= from);
            assert_eq!(
                found, expected,
                "next calls at {place:?} from {from} of seed {seed}: {:?}",
                self.feeds
            );
        }
    }

    fn check_first_arrivals(&self, seed: u64) {
        let random = &mut Random::new(seed ^ 0x1234);
        let mirror = search::mirrored(&self.runs);
        for _ in 0..6 {
            let feed = random.below(self.feeds.len() as u64) as usize;
            let from = (feed, random.below(self.feeds[feed].stops as u64) as usize);
            let time = self.moment(random);
            for backward in [false, true] {
                let found = self.soonest(from, time, backward);
                let runs = if backward { &mirror } else { &self.runs };
                let start = if backward { -time } else { time };
                let first = search::first_arrivals(runs, self.feeds.len(), (from, start), MOST_RIDES);
                for place in self.places() {
                    let expected = first.get(&place).map(|time| time - start).filter(|s| *s <= MAX_SECONDS);
                    let found = found[self.stop(place).index()];
                    let found = (found != UNREACHED).then_some(i64::from(found));
                    assert_eq!(
                        found, expected,
                        "{from:?} to {place:?} at {time}, backward {backward}, seed {seed}: {:?}",
                        self.feeds
                    );
                }
            }
        }
    }

    /// A moment near a departure, or any other around the day.
    fn moment(&self, random: &mut Random) -> i64 {
        let near: Vec<i64> = self
            .runs
            .iter()
            .filter(|run| run.headway.is_none() && (run.day - self.change.day).abs() < 2)
            .flat_map(|run| run.calls.iter().map(|call| call.goes))
            .collect();
        match near.is_empty() || random.one_in(3) {
            true => i64::from(self.change.day) * DAY + random.below(2 * DAY as u64) as i64 - DAY,
            false => random.of(&near) + random.below(2400) as i64 - 1200,
        }
    }

    /// Seconds to all stops, by two searches that have to agree.
    fn soonest(&self, from: Place, time: i64, arrive_by: bool) -> Vec<i32> {
        let timetable = &self.snapshot.graph.timetable;
        let request = RoutingRequest {
            epoch_seconds: time,
            direction: Direction::of_request(arrive_by),
            max_transfers: MOST_RIDES as i32 - 1,
            wait_reluctance: 1.0,
            wait_at_beginning_factor: 1.0,
            ..RoutingRequest::default()
        };
        let service = self.snapshot.active_service(time, false);
        let near = [Endpoint { stop: self.stop(from), seconds: 0, cost: 0.0 }];
        let max_seconds = MAX_SECONDS as i32;
        let query = OneToAllQuery { request: &request, near: &near, max_seconds, interrupted: &|| false };
        let mut found = Vec::new();
        let mut scratch = RangeScratch::default();
        range(timetable, &service, &query, Departures::ONE, &mut scratch, &mut |departure| {
            found = departure.seconds.to_vec();
        });
        let mut scratch = LabelSettingScratch::default();
        let by_labels = label_setting(timetable, &service, &query, 0, &mut NoStreets, &mut scratch).unwrap();
        let by_labels: Vec<i32> = by_labels.iter().map(|arrival| arrival.seconds).collect();
        assert_eq!(found, by_labels, "label setting and a range search");
        found
    }
}

/// When a day of a feed begins, epoch seconds.
fn day_start((change, second): (&Change, i64), feed: usize, day: i32) -> i64 {
    let ahead = match feed {
        0 => change.ahead[usize::from(day >= change.day)],
        _ => second,
    };
    i64::from(day) * DAY - ahead
}

/// Limits of the searches.
const MOST_RIDES: usize = 13;
const MAX_SECONDS: i64 = 20 * HOUR;

/// The graph of the feeds alone.
fn built(feeds: &[Feed], seed: u64, random: &mut Random) -> Snapshot {
    let directory = std::env::temp_dir().join(format!("trestle-raw-{}-{seed}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    for (number, feed) in feeds.iter().enumerate() {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let mut tables: BTreeMap<_, _> = feed.tables(random).into_iter().collect();
        // What macOS leaves behind.
        tables.insert("__MACOSX/._stops.txt", "\0\u{5}\u{16}\u{7}".to_owned());
        for (name, text) in tables {
            zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        std::fs::write(directory.join(format!("{number}.zip")), zip.finish().unwrap().into_inner()).unwrap();
    }
    let output = directory.join("Graph.obj");
    let outcome = build_directory(&directory, &output, &BuildOptions::default(), &mut |_, _| {}).unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    Snapshot::new(Arc::new(outcome.graph), 0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn feeds_answer_like_their_rows(seed in any::<u64>()) {
        let town = Town::new(seed);
        town.check_stop_times(seed);
        town.check_first_arrivals(seed);
    }
}
