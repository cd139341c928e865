//! The default fare service (GTFS fares v1): the cheapest way to cover the rides of a journey with fares, each
//! valid for a contiguous run of rides.

use std::collections::BTreeSet;

use trestle_model::ids::{FeedIdx, PatternIdx, RouteIdx};

use crate::path::Ride;
use crate::timetable::{FareAttribute, FareRule, Timetable};

/// A stretch on one route, as far as fares care.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FareRide {
    /// Route.
    pub route: RouteIdx,
    /// Feed of the stops.
    pub feed: FeedIdx,
    /// zone_id text of the stop boarded at (0 = none).
    pub start_zone: u32,
    /// zone_id text of the stop alighted at.
    pub end_zone: u32,
    /// Zones of all stops touched, ends included.
    pub zones: BTreeSet<u32>,
    /// Boarding, epoch seconds.
    pub board_time: i64,
    /// Alighting, epoch seconds.
    pub alight_time: i64,
}

impl FareRide {
    /// Riding a pattern from call `board` to call `alight`; `None` for positions outside it.
    pub fn along(
        timetable: &Timetable,
        pattern: PatternIdx,
        (board, alight): (usize, usize),
        (board_time, alight_time): (i64, i64),
    ) -> Option<Self> {
        let touched = timetable.patterns.stops(pattern).get(board..=alight)?;
        let zone = |stop: &u32| timetable.stops.zone.get(*stop as usize).copied().unwrap_or(0);
        let (first, last) = (touched.first()?, touched.last()?);
        Some(FareRide {
            route: timetable.route_of(pattern),
            feed: FeedIdx(*timetable.stops.feed.get(*first as usize)?),
            start_zone: zone(first),
            end_zone: zone(last),
            zones: touched.iter().map(zone).collect(),
            board_time,
            alight_time,
        })
    }

    /// A ride of a transit path; `None` for a trip that is not in the timetable (added by real-time data).
    pub fn of(timetable: &Timetable, ride: &Ride) -> Option<Self> {
        let calls = (ride.board_position as usize, ride.alight_position as usize);
        FareRide::along(
            timetable,
            timetable.pattern_of(ride.trip),
            calls,
            (ride.board_time, ride.alight_time),
        )
    }

    /// Stays on the route in another vehicle.
    fn extend(&mut self, next: &FareRide) {
        self.end_zone = next.end_zone;
        self.alight_time = next.alight_time;
        self.zones.extend(&next.zones);
    }
}

/// What a journey costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fare {
    /// ISO 4217 code text.
    pub currency: u32,
    /// Price in the currency's smallest unit.
    pub cents: i64,
    /// The fares bought, in travel order.
    pub details: Vec<FareDetail>,
}

/// A fare bought and the routes it is used on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FareDetail {
    /// Position in [`Timetable::fares`].
    pub fare: usize,
    /// Routes, in travel order.
    pub routes: Vec<RouteIdx>,
}

/// The rules of one fare attribute; an empty set restricts nothing.
#[derive(Clone, Default, Debug)]
struct RuleSet {
    /// (origin, destination), 0 for "any".
    origin_destinations: BTreeSet<(u32, u32)>,
    contains: BTreeSet<u32>,
    routes: BTreeSet<u32>,
}

impl RuleSet {
    fn add(&mut self, rule: &FareRule) {
        if rule.contains != 0 {
            self.contains.insert(rule.contains);
        }
        if (rule.origin, rule.destination) != (0, 0) {
            self.origin_destinations.insert((rule.origin, rule.destination));
        }
        if rule.route != u32::MAX {
            self.routes.insert(rule.route);
        }
    }

    fn allows(&self, run: &Run<'_>) -> bool {
        // The reference compares the *start* zone with destinations of rules without origin; prices depend on it.
        let pairs = [(run.start_zone, run.end_zone), (run.start_zone, 0), (0, run.start_zone)];
        let zones_match = self.origin_destinations.is_empty()
            || pairs.iter().any(|pair| self.origin_destinations.contains(pair));
        zones_match
            && (self.contains.is_empty() || self.contains == run.zones)
            && (self.routes.is_empty() || run.rides.iter().all(|ride| self.routes.contains(&ride.route.0)))
    }
}

/// Contiguous rides under one fare.
struct Run<'a> {
    rides: &'a [FareRide],
    start_zone: u32,
    end_zone: u32,
    zones: BTreeSet<u32>,
    /// Last boarding minus first boarding.
    boarding_span: i64,
    /// Last alighting minus first boarding.
    duration: i64,
}

impl<'a> Run<'a> {
    /// `None` for no rides, or rides of several feeds: fares are only valid within theirs.
    fn of(rides: &'a [FareRide]) -> Option<Self> {
        let (first, last) = (rides.first()?, rides.last()?);
        rides.iter().all(|ride| ride.feed == first.feed).then(|| Run {
            rides,
            start_zone: first.start_zone,
            end_zone: last.end_zone,
            zones: rides.iter().flat_map(|ride| &ride.zones).copied().collect(),
            boarding_span: last.board_time - first.board_time,
            duration: last.alight_time - first.board_time,
        })
    }

    fn is_within(&self, fare: &FareAttribute) -> bool {
        let at_most = |value: i64, limit: i32| limit < 0 || value <= i64::from(limit);
        self.rides.first().is_some_and(|ride| ride.feed.0 == fare.feed)
            && at_most(self.rides.len() as i64 - 1, fare.transfers)
            && at_most(self.boarding_span, fare.transfer_duration)
            && at_most(self.duration, fare.journey_duration)
    }
}

/// The fares of a timetable with their rules sorted out.
#[derive(Clone, Default, Debug)]
pub struct FareService {
    rule_sets: Vec<RuleSet>,
}

impl FareService {
    /// Sorts out the rules; takes time proportional to their number.
    pub fn new(timetable: &Timetable) -> Self {
        let mut rule_sets = vec![RuleSet::default(); timetable.fares.len()];
        for rule in timetable.fare_rules.iter() {
            if let Some(rules) = rule_sets.get_mut(rule.fare as usize) {
                rules.add(rule);
            }
        }
        FareService { rule_sets }
    }

    /// The cheapest fares that cover all rides; `None` when some ride has no fare. Rides that follow each other on
    /// one route count as one.
    pub fn cheapest(&self, timetable: &Timetable, rides: &[FareRide]) -> Option<Fare> {
        let rides = merge_same_route(rides);
        // best[n]: price of the first n rides, and where the last fare begins.
        let mut best: Vec<Option<(i64, Option<Piece>)>> = vec![Some((0, None))];
        for end in 1..=rides.len() {
            let mut cheapest: Option<(i64, Option<Piece>)> = None;
            for start in 0..end {
                let Some((before, _)) = best[start] else { continue };
                let Some(fare) = self.cheapest_single(timetable, &rides[start..end]) else { continue };
                let price = before.saturating_add(timetable.fares[fare].cents);
                if cheapest.is_none_or(|(other, _)| price < other) {
                    cheapest = Some((price, Some(Piece { start, fare })));
                }
            }
            best.push(cheapest);
        }
        let (cents, _) = best[rides.len()]?;
        let details = collect_details(&best, &rides);
        let currency = timetable.fares.get(details.first()?.fare)?.currency;
        Some(Fare { currency, cents, details })
    }

    /// The cheapest single fare that covers all of `rides`.
    fn cheapest_single(&self, timetable: &Timetable, rides: &[FareRide]) -> Option<usize> {
        let run = Run::of(rides)?;
        let fares = timetable.fares.iter().zip(&self.rule_sets).enumerate();
        fares
            .filter(|(_, (fare, rules))| run.is_within(fare) && rules.allows(&run))
            .min_by_key(|(_, (fare, _))| fare.cents)
            .map(|(index, _)| index)
    }
}

/// A fare and the ride it is first used on.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: usize,
    fare: usize,
}

fn collect_details(best: &[Option<(i64, Option<Piece>)>], rides: &[FareRide]) -> Vec<FareDetail> {
    let mut details = Vec::new();
    let mut end = rides.len();
    while let Some(Some((_, Some(piece)))) = best.get(end) {
        let routes = rides[piece.start..end].iter().map(|ride| ride.route).collect();
        details.push(FareDetail { fare: piece.fare, routes });
        end = piece.start;
    }
    details.reverse();
    details
}

fn merge_same_route(rides: &[FareRide]) -> Vec<FareRide> {
    let mut merged: Vec<FareRide> = Vec::with_capacity(rides.len());
    for ride in rides {
        match merged.last_mut() {
            Some(last) if last.route == ride.route => last.extend(ride),
            _ => merged.push(ride.clone()),
        }
    }
    merged
}

/// Digits after the point in prices of a currency (ISO 4217).
pub fn fraction_digits(currency: &str) -> u32 {
    match currency {
        "BIF" | "CLP" | "DJF" | "GNF" | "ISK" | "JPY" | "KMF" | "KRW" | "PYG" | "RWF" | "UGX" | "UYI"
        | "VND" | "VUV" | "XAF" | "XOF" | "XPF" => 0,
        "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "OMR" | "TND" => 3,
        "CLF" | "UYW" => 4,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `cents transfers transfer_duration journey_duration | rules`, rules `route/origin/destination/contains`.
    fn service(fares: &[&str]) -> (Timetable, FareService) {
        let (mut attributes, mut rules) = (Vec::new(), Vec::new());
        for (fare, text) in (0..).zip(fares) {
            let (numbers, rule_texts) = text.split_once('|').unwrap();
            let n: Vec<i64> = numbers.split_whitespace().map(|n| n.parse().unwrap()).collect();
            attributes.push(FareAttribute {
                cents: n[0],
                transfers: n[1] as i32,
                transfer_duration: n[2] as i32,
                journey_duration: n[3] as i32,
                ..Default::default()
            });
            for rule in rule_texts.split_whitespace() {
                let part: Vec<Option<u32>> = rule.split('/').map(|p| p.parse().ok()).collect();
                let zone = |i: usize| part[i].unwrap_or(0);
                let route = part[0].unwrap_or(u32::MAX);
                let (origin, destination, contains) = (zone(1), zone(2), zone(3));
                rules.push(FareRule { fare, route, origin, destination, contains });
            }
        }
        let timetable =
            Timetable { fares: attributes.into(), fare_rules: rules.into(), ..Default::default() };
        let service = FareService::new(&timetable);
        (timetable, service)
    }

    /// `route board-alight zone zone …` per ride; the answer is `cents: fare(routes) …`.
    fn price(fares: &[&str], rides: &str) -> String {
        let (timetable, service) = service(fares);
        let rides: Vec<FareRide> = rides.split(',').map(parse_ride).collect();
        let Some(fare) = service.cheapest(&timetable, &rides) else { return "none".to_owned() };
        let details = fare.details.iter().map(|detail| {
            let routes: Vec<String> = detail.routes.iter().map(|route| route.0.to_string()).collect();
            format!(" {}({})", detail.fare, routes.join(" "))
        });
        format!("{}:{}", fare.cents, details.collect::<String>())
    }

    fn parse_ride(text: &str) -> FareRide {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (board, alight) = words[1].split_once('-').unwrap();
        let zones: Vec<u32> = words[2..].iter().map(|zone| zone.parse().unwrap()).collect();
        FareRide {
            route: RouteIdx(words[0].parse().unwrap()),
            feed: FeedIdx(0),
            start_zone: zones[0],
            end_zone: *zones.last().unwrap(),
            zones: zones.into_iter().collect(),
            board_time: board.parse().unwrap(),
            alight_time: alight.parse().unwrap(),
        }
    }

    #[test]
    fn a_fare_without_rules_covers_everything_up_to_its_limits() {
        assert_eq!(price(&["470 -1 -1 -1|"], "1 0-9 0, 2 10-19 0"), "470: 0(1 2)");
        assert_eq!(price(&["470 0 -1 -1|"], "1 0-9 0, 2 10-19 0"), "940: 0(1) 0(2)");
        assert_eq!(price(&["470 0 -1 -1|"], "1 0-9 0, 1 10-19 0"), "470: 0(1)", "one route is one ride");
        assert_eq!(price(&["250 -1 100 -1|"], "1 0-9 0, 2 100-300 0"), "250: 0(1 2)");
        assert_eq!(price(&["250 -1 99 -1|"], "1 0-9 0, 2 100-300 0"), "500: 0(1) 0(2)");
        assert_eq!(price(&["250 -1 -1 200|"], "1 0-9 0, 2 100-300 0"), "500: 0(1) 0(2)");
        assert_eq!(price(&["250 -1 -1 99|"], "1 0-9 0, 2 100-300 0"), "none");
    }

    #[test]
    fn routes_and_zones_restrict() {
        assert_eq!(
            price(&["100 -1 -1 -1|1///", "300 -1 -1 -1|1/// 2///"], "1 0-9 0, 2 10-19 0"),
            "300: 1(1 2)"
        );
        assert_eq!(price(&["100 -1 -1 -1|1///"], "1 0-9 0, 2 10-19 0"), "none");
        assert_eq!(price(&["100 -1 -1 -1|/5/6/"], "1 0-9 5 7 6"), "100: 0(1)");
        assert_eq!(price(&["100 -1 -1 -1|/5/6/"], "1 0-9 6 5"), "none");
        assert_eq!(price(&["100 -1 -1 -1|/5//"], "1 0-9 5 9"), "100: 0(1)");
        assert_eq!(price(&["100 -1 -1 -1|///5 ///6"], "1 0-9 5 6"), "100: 0(1)");
        assert_eq!(price(&["100 -1 -1 -1|///5 ///6"], "1 0-9 5 7 6"), "none");
    }

    #[test]
    fn fares_are_valid_within_one_feed() {
        let (timetable, service) = service(&["100 -1 -1 -1|"]);
        let (first, mut second) = (parse_ride("1 0-9 0"), parse_ride("2 10-19 0"));
        second.feed = FeedIdx(1);
        assert_eq!(service.cheapest(&timetable, &[first, second]), None);
        assert_eq!(service.cheapest(&timetable, &[]), None);
    }
}
