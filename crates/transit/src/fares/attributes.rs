//! GTFS fares v1: finds the cheapest fares that together cover the rides of a journey, each valid for consecutive
//! rides.

use std::collections::BTreeSet;

use trestle_model::ids::TripIdx;

use super::{DOLLAR, FareDetail, FarePrice, FareRide, FareType, agency_id};
use crate::timetable::{FareAttribute, FareRule, Timetable};

/// How fares are applied.
pub(super) struct Tariff<'a> {
    /// Who pays.
    pub(super) fare_type: FareType,
    /// A fare that is the `fare_id` of trips in trips.txt is valid on those trips only.
    pub(super) fares_of_trips: bool,
    /// `feed:agency` of agencies whose most expensive fare pays for all.
    pub(super) max_fare_agencies: &'a [String],
}

impl Tariff<'_> {
    /// As in the GTFS specification.
    pub(super) fn regular() -> Self {
        Tariff { fare_type: FareType::Regular, fares_of_trips: false, max_fare_agencies: &[] }
    }

    /// Price of a fare, in the currency's smallest unit.
    fn minor_units(&self, fare: &FareAttribute) -> i64 {
        let minor_units = match self.fare_type {
            FareType::Regular => fare.minor_units,
            FareType::Youth => fare.youth_minor_units,
            FareType::Senior => fare.senior_minor_units,
        };
        if minor_units >= 0 { minor_units } else { fare.minor_units }
    }

    /// Whether all rides are of one agency whose most expensive fare pays for all.
    fn takes_highest(&self, timetable: &Timetable, rides: &[FareRide]) -> bool {
        let agency = |ride: &FareRide| {
            format!("{}:{}", timetable.feed_id(ride.feed), agency_id(timetable, ride.route))
        };
        let Some(first) = rides.first().filter(|_| !self.max_fare_agencies.is_empty()).map(agency) else {
            return false;
        };
        self.max_fare_agencies.contains(&first) && rides.iter().all(|ride| agency(ride) == first)
    }
}

/// The rules of one fare attribute; an empty set has no effect.
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

    fn allows(&self, covered: &CoveredRides<'_>) -> bool {
        let pairs = [(covered.start_zone, covered.end_zone), (covered.start_zone, 0), (0, covered.end_zone)];
        let zones_match = self.origin_destinations.is_empty()
            || pairs.iter().any(|pair| self.origin_destinations.contains(pair));
        zones_match
            && (self.contains.is_empty() || self.contains == covered.zones)
            && (self.routes.is_empty()
                || covered.rides.iter().all(|ride| self.routes.contains(&ride.route.0)))
    }
}

/// Consecutive rides under one fare.
struct CoveredRides<'a> {
    rides: &'a [FareRide],
    start_zone: u32,
    end_zone: u32,
    zones: BTreeSet<u32>,
    /// Last boarding minus first boarding.
    boarding_span: i64,
    /// Last alighting minus first boarding.
    duration: i64,
}

impl<'a> CoveredRides<'a> {
    /// `None` for no rides, or rides of several feeds: a fare is only valid within its feed.
    fn of(rides: &'a [FareRide]) -> Option<Self> {
        let (first, last) = (rides.first()?, rides.last()?);
        rides.iter().all(|ride| ride.feed == first.feed).then(|| CoveredRides {
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

    /// Whether every trip has the fare as its `fare_id`.
    fn trips_name(&self, timetable: &Timetable, fare: &FareAttribute) -> bool {
        let name = |trip: &TripIdx| timetable.trips.fare.get(trip.index()) == Some(&fare.id);
        self.rides.iter().all(|ride| !ride.trips.is_empty() && ride.trips.iter().all(name))
    }
}

/// The fares of a timetable with their rules.
#[derive(Clone, Default, Debug)]
pub(super) struct AttributeFares {
    rule_sets: Vec<RuleSet>,
    /// Whether each fare is the `fare_id` of a trip.
    named_by_trips: Vec<bool>,
}

impl AttributeFares {
    /// Collects the rules of each fare; takes time proportional to the number of rules and trips.
    pub(super) fn new(timetable: &Timetable) -> Self {
        let mut rule_sets = vec![RuleSet::default(); timetable.fares.len()];
        for rule in timetable.fare_rules.iter() {
            if let Some(rules) = rule_sets.get_mut(rule.fare as usize) {
                rules.add(rule);
            }
        }
        let named: BTreeSet<u32> = timetable.trips.fare.iter().copied().filter(|&id| id != 0).collect();
        let named_by_trips = timetable.fares.iter().map(|fare| named.contains(&fare.id)).collect();
        AttributeFares { rule_sets, named_by_trips }
    }

    /// The cheapest fares that cover all rides; `None` without rides, or when no fare covers one of them. Consecutive
    /// rides on one route count as one. Prices in different currencies have no sum and cannot be compared, so the fares
    /// are in one currency: the first in the feeds whose fares cover all rides.
    pub(super) fn cheapest(
        &self,
        timetable: &Timetable,
        rides: &[FareRide],
        tariff: &Tariff<'_>,
    ) -> Option<FarePrice> {
        let rides = FareRide::merged(rides);
        let mut currencies: Vec<u32> = Vec::new();
        for fare in timetable.fares.iter().filter(|fare| rides.iter().any(|ride| ride.feed.0 == fare.feed)) {
            if !currencies.contains(&fare.currency) {
                currencies.push(fare.currency);
            }
        }
        currencies.into_iter().find_map(|currency| self.cheapest_in(timetable, &rides, tariff, currency))
    }

    /// The cheapest fares in one currency that cover all rides.
    fn cheapest_in(
        &self,
        timetable: &Timetable,
        rides: &[FareRide],
        tariff: &Tariff<'_>,
        currency: u32,
    ) -> Option<FarePrice> {
        // best[n]: the price of the first n rides, and the last ticket among those bought for them.
        let mut best: Vec<Option<(i64, Ticket)>> = vec![Some((0, Ticket::default()))];
        for end in 1..=rides.len() {
            let tickets = (0..end).filter_map(|start| {
                let (before, _) = best[start]?;
                let ticket = self.ticket(timetable, rides, start..end, tariff, currency)?;
                Some((before.saturating_add(ticket.minor_units), ticket))
            });
            best.push(tickets.min_by_key(|(minor_units, _)| *minor_units));
        }
        let (minor_units, _) = best[rides.len()]?;
        let details = collect_details(&best, rides);
        details.first()?;
        let currency = timetable.texts.get(currency).to_owned();
        Some(FarePrice { fare_type: tariff.fare_type, currency, minor_units, details })
    }

    /// The regular price of the cheapest single fare in US dollars that covers all rides, cents.
    pub(super) fn one_fare_in_dollars(&self, timetable: &Timetable, rides: &[FareRide]) -> Option<i64> {
        let tariff = Tariff::regular();
        let fare = self.cheapest_single(timetable, rides, &tariff, dollar(timetable)?)?;
        Some(tariff.minor_units(timetable.fares.get(fare)?))
    }

    /// The regular price of the cheapest fares in US dollars that together cover all rides, cents.
    pub(super) fn cheapest_in_dollars(&self, timetable: &Timetable, rides: &[FareRide]) -> Option<i64> {
        let rides = FareRide::merged(rides);
        let price = self.cheapest_in(timetable, &rides, &Tariff::regular(), dollar(timetable)?)?;
        Some(price.minor_units)
    }

    /// The ticket that covers `rides[range]`: a single fare, or for an agency whose most expensive fare pays for all,
    /// the most expensive of the fares needed.
    fn ticket(
        &self,
        timetable: &Timetable,
        rides: &[FareRide],
        range: std::ops::Range<usize>,
        tariff: &Tariff<'_>,
        currency: u32,
    ) -> Option<Ticket> {
        let start = range.start;
        let covered = &rides[range];
        let price =
            |fare: usize| Ticket { start, fare, minor_units: tariff.minor_units(&timetable.fares[fare]) };
        let single = self.cheapest_single(timetable, covered, tariff, currency).map(price);
        if covered.len() < 2 || !tariff.takes_highest(timetable, covered) {
            return single;
        }
        // least[n]: the fare that pays for the first n of the covered rides.
        let mut least: Vec<Option<Ticket>> = vec![Some(Ticket::default())];
        for end in 1..=covered.len() {
            let highest = (0..end).filter_map(|from| {
                let fare = self.cheapest_single(timetable, &covered[from..end], tariff, currency)?;
                let (before, ticket) = (least[from]?, price(fare));
                Some(if before.minor_units > ticket.minor_units { before } else { ticket })
            });
            least.push(highest.min_by_key(|ticket| ticket.minor_units));
        }
        let highest = least.pop().flatten();
        single.into_iter().chain(highest).min_by_key(|ticket| ticket.minor_units)
    }

    /// The cheapest single fare in a currency that covers all of `rides`.
    fn cheapest_single(
        &self,
        timetable: &Timetable,
        rides: &[FareRide],
        tariff: &Tariff<'_>,
        currency: u32,
    ) -> Option<usize> {
        let covered = CoveredRides::of(rides)?;
        let fares = timetable.fares.iter().zip(&self.rule_sets).enumerate();
        fares
            .filter(|(_, (fare, _))| fare.currency == currency)
            .filter(|(_, (fare, rules))| covered.is_within(fare) && rules.allows(&covered))
            .filter(|(i, (fare, _))| {
                let is_for_named_trips = tariff.fares_of_trips && self.named_by_trips.get(*i) == Some(&true);
                !is_for_named_trips || covered.trips_name(timetable, fare)
            })
            .min_by_key(|(_, (fare, _))| tariff.minor_units(fare))
            .map(|(index, _)| index)
    }
}

/// The US dollar as the currency of fares; `None` if none of them is in dollars.
fn dollar(timetable: &Timetable) -> Option<u32> {
    let mut currencies = timetable.fares.iter().map(|fare| fare.currency);
    currencies.find(|&currency| timetable.texts.get(currency) == DOLLAR)
}

/// A fare, its price, and the ride it is first used on.
#[derive(Clone, Copy, Default, Debug)]
struct Ticket {
    start: usize,
    fare: usize,
    minor_units: i64,
}

fn collect_details(best: &[Option<(i64, Ticket)>], rides: &[FareRide]) -> Vec<FareDetail> {
    let mut details = Vec::new();
    let mut end = rides.len();
    while end > 0 {
        let Some(Some((_, ticket))) = best.get(end) else { break };
        let routes = rides[ticket.start..end].iter().map(|ride| ride.route).collect();
        details.push(FareDetail { fare: ticket.fare, minor_units: ticket.minor_units, routes });
        end = ticket.start;
    }
    details.reverse();
    details
}

#[cfg(test)]
mod tests {
    use trestle_model::ids::{FeedIdx, RouteIdx, StopIdx};

    use super::*;
    use crate::fares::testing::{FareTown, prices};

    /// `minor_units transfers transfer_duration journey_duration | rules`, rules `route/origin/destination/contains`.
    fn fares(texts: &[&str]) -> (Timetable, AttributeFares) {
        let (mut attributes, mut rules) = (Vec::new(), Vec::new());
        for (fare, text) in (0..).zip(texts) {
            let (numbers, rule_texts) = text.split_once('|').unwrap();
            let n: Vec<i64> = numbers.split_whitespace().map(|n| n.parse().unwrap()).collect();
            attributes.push(FareAttribute {
                minor_units: n[0],
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
        let fares = AttributeFares::new(&timetable);
        (timetable, fares)
    }

    /// `route board-alight zone zone …` per ride; the answer is `minor_units: fare(routes) …`.
    fn price(texts: &[&str], rides: &str) -> String {
        let (timetable, fares) = fares(texts);
        let rides: Vec<FareRide> = rides.split(',').map(parse_ride).collect();
        let Some(fare) = fares.cheapest(&timetable, &rides, &Tariff::regular()) else {
            return "none".to_owned();
        };
        let details = fare.details.iter().map(|detail| {
            let routes: Vec<String> = detail.routes.iter().map(|route| route.0.to_string()).collect();
            format!(" {}({})", detail.fare, routes.join(" "))
        });
        format!("{}:{}", fare.minor_units, details.collect::<String>())
    }

    fn parse_ride(text: &str) -> FareRide {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (board, alight) = words[1].split_once('-').unwrap();
        let zones: Vec<u32> = words[2..].iter().map(|zone| zone.parse().unwrap()).collect();
        FareRide {
            route: RouteIdx(words[0].parse().unwrap()),
            trips: Vec::new(),
            feed: FeedIdx(0),
            first_stop: StopIdx(0),
            last_stop: StopIdx(0),
            start_zone: zones[0],
            end_zone: *zones.last().unwrap(),
            zones: zones.into_iter().collect(),
            board_time: board.parse().unwrap(),
            alight_time: alight.parse().unwrap(),
            walked_before: false,
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
        assert_eq!(price(&["100 -1 -1 -1|//9/"], "1 0-9 5 9"), "100: 0(1)");
        assert_eq!(price(&["100 -1 -1 -1|//9/"], "1 0-9 9 5"), "none");
        assert_eq!(price(&["100 -1 -1 -1|//9/"], "1 0-9 5 6, 2 10-19 6 9"), "100: 0(1 2)");
        assert_eq!(price(&["100 -1 -1 -1|///5 ///6"], "1 0-9 5 6"), "100: 0(1)");
        assert_eq!(price(&["100 -1 -1 -1|///5 ///6"], "1 0-9 5 7 6"), "none");
    }

    #[test]
    fn fares_are_in_one_currency() {
        // Fares are given with their feed and currency; the feed of a ride has the number of its route.
        let price = |currencies: &[(u32, u32)], prices: &[i64], rides: &str| {
            let texts: Vec<String> = prices.iter().map(|price| format!("{price} -1 -1 -1|")).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let (mut timetable, _) = fares(&texts);
            let mut attributes = timetable.fares.to_vec();
            for (fare, &(feed, currency)) in attributes.iter_mut().zip(currencies) {
                (fare.feed, fare.currency) = (feed, currency);
            }
            timetable.fares = attributes.into();
            let fares = AttributeFares::new(&timetable);
            let mut rides: Vec<FareRide> = rides.split(',').map(parse_ride).collect();
            rides.iter_mut().for_each(|ride| ride.feed = FeedIdx(ride.route.0));
            let fare = fares.cheapest(&timetable, &rides, &Tariff::regular())?;
            Some((fare.minor_units, fare.details.iter().map(|detail| detail.fare).collect::<Vec<_>>()))
        };
        let both = "1 0-9 0, 2 10-19 0";
        assert_eq!(price(&[(1, 7), (2, 7)], &[100, 30], both), Some((130, vec![0, 1])));
        assert_eq!(price(&[(1, 7), (2, 8)], &[100, 30], both), None, "francs and euros have no sum");
        assert_eq!(price(&[(1, 7), (2, 8), (2, 7)], &[100, 30, 50], both), Some((150, vec![0, 2])));
        assert_eq!(price(&[(1, 7), (1, 8)], &[100, 90], "1 0-9 0"), Some((100, vec![0])));
        assert_eq!(price(&[(2, 7), (1, 8)], &[100, 90], "1 0-9 0"), Some((90, vec![1])));
    }

    #[test]
    fn fares_of_missing_routes_are_not_for_other_routes() {
        let town = |fares| FareTown {
            agencies: "AG",
            routes: "1 AG 3, 2 AG 3",
            stops: "A B",
            fares,
            services: "default",
        };
        let price = |fares, rides: &str| prices(&town(fares), rides);
        assert_eq!(price("taxi 1.00 : 77, bus 2.50 : 1 2", "1 A-B 0-9"), "regular 250");
        assert_eq!(price("taxi 1.00 : 77 A>B, bus 2.50 :", "1 A-B 0-9"), "regular 250");
        assert_eq!(price("taxi 1.00 : 77", "1 A-B 0-9"), "none");
        assert_eq!(price("both 1.00 : 77 1, bus 2.50 :", "1 A-B 0-9"), "regular 100");
        assert_eq!(price("both 1.00 : 77 1, bus 2.50 :", "2 A-B 0-9"), "regular 250");
    }

    #[test]
    fn fares_are_valid_within_one_feed() {
        let (timetable, fares) = fares(&["100 -1 -1 -1|"]);
        let (first, mut second) = (parse_ride("1 0-9 0"), parse_ride("2 10-19 0"));
        second.feed = FeedIdx(1);
        assert_eq!(fares.cheapest(&timetable, &[first, second], &Tariff::regular()), None);
        assert_eq!(fares.cheapest(&timetable, &[], &Tariff::regular()), None);
    }
}
