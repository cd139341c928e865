//! Rows of all feeds, one after another; references count across all feeds.

use rustc_hash::FxHashMap;
use trestle_model::IssueSink;
use trestle_model::strings::StringsBuilder;

use super::hop_shapes::{self, HopLines};
use super::{Calls, calls, exact_frequencies};
use crate::gtfs::{
    AgencyRow, AreaRow, Feed, FeedInfo, FlexCallRow, OfFeed, RouteRow, SeatRow, ServiceRow, StopRow,
    StopTimeRow, TransferRow, TripRow,
};
use crate::patterns::{FeedPattern, NamedFeed, group};
use crate::timetable::{FareAttribute, FareRule, Frequency, Pathway, TransferRule};

pub(super) struct FeedEntry {
    pub(super) id: u32,
    pub(super) file: u32,
    pub(super) info: Option<FeedInfo>,
}

/// A pattern with references across all feeds.
pub(super) struct PatternEntry {
    pub(super) route: u32,
    pub(super) direction: i32,
    pub(super) code: u32,
    pub(super) name: u32,
    /// First of its trips, which are stored one after another.
    pub(super) first_trip: u32,
    pub(super) calls: Vec<crate::patterns::PatternCall>,
    /// One entry per hop, or empty without a shape.
    pub(super) hops: HopLines,
}

/// A kept trip.
pub(super) struct TripEntry {
    pub(super) row: TripRow,
    pub(super) pattern: u32,
    /// Positions of calls with flexible service, and their rows.
    pub(super) flex_calls: Vec<(u32, FlexCallRow)>,
    pub(super) frequencies: Vec<Frequency>,
}

/// Everything read so far. References are positions across all feeds.
#[derive(Default)]
pub(super) struct Assembly {
    pub(super) texts: StringsBuilder,
    pub(super) feeds: Vec<FeedEntry>,
    pub(super) agencies: Vec<OfFeed<AgencyRow>>,
    pub(super) stops: Vec<OfFeed<StopRow>>,
    pub(super) routes: Vec<OfFeed<RouteRow>>,
    pub(super) services: Vec<OfFeed<ServiceRow>>,
    pub(super) patterns: Vec<PatternEntry>,
    pub(super) trips: Vec<TripEntry>,
    /// The calls of each feed's trips.
    calls: Vec<Calls>,
    pub(super) transfers: Vec<TransferRule>,
    pub(super) seats: Vec<SeatRow>,
    pub(super) pathways: Vec<Pathway>,
    pub(super) fares: Vec<FareAttribute>,
    pub(super) fare_rules: Vec<FareRule>,
    pub(super) areas: Vec<OfFeed<AreaRow>>,
}

/// Positions of the first rows of a feed.
#[derive(Clone, Copy)]
struct Bases {
    feed: u32,
    agencies: u32,
    stops: u32,
    routes: u32,
    services: u32,
    fares: u32,
}

impl Assembly {
    /// Adds a feed: repairs its stop times, groups its trips and appends its rows.
    pub(super) fn add_feed(&mut self, mut feed: Feed, file: &str, issues: &mut IssueSink) {
        let calls = calls::repair(&mut feed, file, issues);
        let feed_id = self.feed_id(&feed);
        let patterns = group(NamedFeed { feed: &feed, feed_id: &feed_id, texts: &self.texts }, &calls);
        let bases = Bases {
            feed: self.feeds.len() as u32,
            agencies: self.agencies.len() as u32,
            stops: self.stops.len() as u32,
            routes: self.routes.len() as u32,
            services: self.services.len() as u32,
            fares: self.fares.len() as u32,
        };
        let feed_text = self.texts.intern(&feed_id);
        let file_text = self.texts.intern(file);
        if let Some(other) = self.feeds.iter().find(|other| other.id == feed_text) {
            let other = self.texts.get(other.file);
            let message = format!(
                "feed id “{feed_id}” is also that of {other}; where stops or routes have the same id, only those of {other} are found"
            );
            issues.add("repeated-feed-id", file, 0, message);
        }
        self.feeds.push(FeedEntry { id: feed_text, file: file_text, info: feed.info.take() });
        let frequencies = exact_frequencies::by_trip(&feed, &calls, file, issues);
        let patterns = hop_shapes::with_hops(&feed, &calls, patterns, file, issues);
        let trip_index = self.add_patterns(&feed, &calls, patterns, frequencies, bases);
        self.calls.push(calls);
        self.add_transfers(&feed, &trip_index, bases, file, issues);
        self.add_tables(feed, feed_text, bases);
    }

    /// feed_info.feed_id without `_` and `:`, else the running number of the feed.
    fn feed_id(&self, feed: &Feed) -> String {
        let given = feed.info.as_ref().map_or("", |info| self.texts.get(info.id));
        let stripped: String = given.chars().filter(|c| !['_', ':'].contains(c)).collect();
        if stripped.is_empty() { (self.feeds.len() + 1).to_string() } else { stripped }
    }

    /// Appends patterns and their trips; returns the new position of each kept trip of the feed.
    fn add_patterns(
        &mut self,
        feed: &Feed,
        calls: &Calls,
        patterns: Vec<(FeedPattern, HopLines)>,
        mut frequencies: FxHashMap<u32, Vec<Frequency>>,
        bases: Bases,
    ) -> FxHashMap<u32, u32> {
        let mut trip_index = FxHashMap::default();
        for (pattern, hops) in patterns {
            let number = self.patterns.len() as u32;
            let (code, name) = (self.texts.intern(&pattern.code), self.texts.intern(&pattern.name));
            let mut pattern_calls = pattern.calls;
            pattern_calls.iter_mut().for_each(|call| call.stop += bases.stops);
            self.patterns.push(PatternEntry {
                route: pattern.route + bases.routes,
                direction: pattern.direction,
                code,
                name,
                first_trip: self.trips.len() as u32,
                calls: pattern_calls,
                hops,
            });
            for position in pattern.trips {
                trip_index.insert(position, self.trips.len() as u32);
                let mut row = feed.trips[position as usize].clone();
                row.facts.service += bases.services;
                self.trips.push(TripEntry {
                    row,
                    pattern: number,
                    flex_calls: flex_calls(feed, calls.of(position)),
                    frequencies: frequencies.remove(&position).unwrap_or_default(),
                });
            }
        }
        trip_index
    }

    fn add_transfers(
        &mut self,
        feed: &Feed,
        trip_index: &FxHashMap<u32, u32>,
        bases: Bases,
        file: &str,
        issues: &mut IssueSink,
    ) {
        let any = TransferRule::ANY;
        let trip = |trip: u32| if trip == any { Some(trip) } else { trip_index.get(&trip).copied() };
        let route = |route: u32| if route == any { route } else { route + bases.routes };
        let path = format!("{file}/transfers.txt");
        let mut dropped = |line: u64| {
            issues.add("transfer-of-dropped-trip", &path, line, "its trip was dropped; row dropped");
        };
        for row in &feed.seats {
            match (trip(row.from_trip), trip(row.to_trip)) {
                (Some(from_trip), Some(to_trip)) => self.seats.push(SeatRow { from_trip, to_trip, ..*row }),
                _ => dropped(row.line),
            }
        }
        for &TransferRow { rule, line } in &feed.transfers {
            let (Some(from_trip), Some(to_trip)) = (trip(rule.from_trip), trip(rule.to_trip)) else {
                dropped(line);
                continue;
            };
            self.transfers.push(TransferRule {
                from_stop: rule.from_stop + bases.stops,
                to_stop: rule.to_stop + bases.stops,
                from_route: route(rule.from_route),
                to_route: route(rule.to_route),
                from_trip,
                to_trip,
                ..rule
            });
        }
    }

    fn add_tables(&mut self, feed: Feed, feed_text: u32, bases: Bases) {
        let number = bases.feed;
        self.agencies.extend(feed.agencies.into_iter().map(|mut row| {
            row.id = if row.id == 0 { feed_text } else { row.id };
            OfFeed { feed: number, row }
        }));
        self.stops.extend(feed.stops.into_iter().map(|mut row| {
            row.parent = if row.parent == u32::MAX { row.parent } else { row.parent + bases.stops };
            OfFeed { feed: number, row }
        }));
        self.routes.extend(feed.routes.into_iter().map(|mut row| {
            row.agency += bases.agencies;
            OfFeed { feed: number, row }
        }));
        self.services.extend(feed.services.into_iter().map(|row| OfFeed { feed: number, row }));
        self.pathways.extend(feed.pathways.into_iter().map(|row| Pathway {
            from_stop: row.from_stop + bases.stops,
            to_stop: row.to_stop + bases.stops,
            ..row
        }));
        self.fares.extend(feed.fares.into_iter().map(|row| FareAttribute { feed: number, ..row }));
        self.fare_rules.extend(feed.fare_rules.into_iter().map(|row| FareRule {
            fare: row.fare + bases.fares,
            route: if row.route == u32::MAX { row.route } else { row.route + bases.routes },
            ..row
        }));
        self.areas.extend(feed.areas.into_iter().map(|row| OfFeed { feed: number, row }));
    }

    pub(super) fn calls_of(&self, trip: &TripEntry) -> &[StopTimeRow] {
        self.calls[self.feed_of(trip) as usize].of(trip.row.facts.row)
    }

    pub(super) fn start(&self, trip: &TripEntry) -> i32 {
        self.calls_of(trip).first().map_or(0, |call| call.departure)
    }

    pub(super) fn end(&self, trip: &TripEntry) -> i32 {
        self.calls_of(trip).last().map_or(0, |call| call.arrival)
    }

    pub(super) fn feed_of(&self, trip: &TripEntry) -> u32 {
        self.services[trip.row.facts.service as usize].feed
    }

    /// File name of a trip's feed.
    pub(super) fn file_of(&self, trip: &TripEntry) -> &str {
        self.texts.get(self.feeds[self.feed_of(trip) as usize].file)
    }
}

fn flex_calls(feed: &Feed, calls: &[StopTimeRow]) -> Vec<(u32, FlexCallRow)> {
    let flex_row = |(at, call): (u32, &StopTimeRow)| Some((at, *feed.flex_calls.get(call.flex as usize)?));
    (0..).zip(calls).filter_map(flex_row).collect()
}
