//! Random small timetables with random rules of transfers.txt, some for certain routes and trips: the search finds no
//! path that breaks them, states the right cost, and finds what trying every sequence of rides finds, in both directions.

use proptest::prelude::*;
use trestle_model::ids::StopIdx;
use trestle_transit::path::TransitPath;
use trestle_transit::raptor::{TransitScratch, plan};

use super::brute_force::{Network, Question, walk_seconds};
use super::random::{STOPS, ask, mirrored, network, question, request, town_of_a_day_with};
use super::town::Town;

const BOARDING: i64 = 600;
const NOT_PREFERRED: i64 = 180;

/// A trip by its line and number.
type Trip = (usize, usize);

/// A row of transfers.txt.
#[derive(Clone, Copy, Debug)]
struct Rule {
    stops: (usize, usize),
    lines: (Option<usize>, Option<usize>),
    trips: (Option<Trip>, Option<Trip>),
    kind: u8,
    seconds: i32,
}

/// What the rules say about a change.
#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Forbidden,
    AtLeast(i32),
    Preferred,
    None,
}

impl Rule {
    /// Whether it is about a change, and how special it is: a trip counts more than both routes.
    fn rank(&self, stops: (usize, usize), from: Trip, to: Trip) -> Option<u32> {
        let side = |line: Option<usize>, trip: Option<Trip>, is: Trip| {
            let fits = line.is_none_or(|line| line == is.0) && trip.is_none_or(|trip| trip == is);
            fits.then_some(if trip.is_some() { 3 } else { u32::from(line.is_some()) })
        };
        let ranks = side(self.lines.0, self.trips.0, from).zip(side(self.lines.1, self.trips.1, to));
        ranks.filter(|_| self.stops == stops).map(|(first, second)| first + second)
    }

    fn mirrored(&self) -> Rule {
        let Rule { stops, lines, trips, .. } = *self;
        Rule { stops: (stops.1, stops.0), lines: (lines.1, lines.0), trips: (trips.1, trips.0), ..*self }
    }

    fn row(&self) -> String {
        let line = |line: Option<usize>| line.map_or(String::new(), |line| line.to_string());
        let trip = |trip: Option<Trip>| trip.map_or(String::new(), |(line, trip)| format!("L{line}_{trip}"));
        format!(
            "S{},S{},{},{},{},{},{},{}",
            self.stops.0,
            self.stops.1,
            self.kind,
            self.seconds,
            line(self.lines.0),
            line(self.lines.1),
            trip(self.trips.0),
            trip(self.trips.1)
        )
    }
}

/// Of the rules that are as special as the most special one, the last.
fn verdict(rules: &[Rule], stops: (usize, usize), from: Trip, to: Trip) -> Verdict {
    let ranked = rules.iter().filter_map(|rule| Some((rule.rank(stops, from, to)?, rule)));
    match ranked.max_by_key(|(rank, _)| *rank) {
        None => Verdict::None,
        Some((_, rule)) if rule.kind == 3 => Verdict::Forbidden,
        Some((_, rule)) if rule.kind == 2 => Verdict::AtLeast(rule.seconds),
        Some(_) => Verdict::Preferred,
    }
}

/// Whether the last rule for all trips makes the change between two stops a timed transfer, which takes no time.
fn is_timed(rules: &[Rule], stops: (usize, usize)) -> bool {
    let is_general = |rule: &&Rule| rule.lines == (None, None) && rule.trips == (None, None);
    let last = rules.iter().filter(|rule| rule.stops == stops).rfind(is_general);
    stops.0 != stops.1 && last.is_some_and(|rule| rule.kind == 1)
}

/// Rules for changes at the stops where two lines meet, and between stops that a walk joins.
fn rules(network: &Network) -> impl Strategy<Value = Vec<Rule>> + use<> {
    let trips: Vec<usize> = network.lines.iter().map(|line| line.trips.len()).collect();
    let lines_at = |stop: usize| network.lines.iter().filter(|line| line.stops.contains(&stop)).count();
    let mut pairs: Vec<(usize, usize)> =
        (0..STOPS).filter(|stop| lines_at(*stop) > 1).map(|stop| (stop, stop)).collect();
    pairs.extend(network.walks.iter().flat_map(|walk| [walk.ends, (walk.ends.1, walk.ends.0)]));
    pairs.push((0, 0));
    let side = move || {
        let trips = trips.clone();
        (0..4u8, 0..trips.len(), any::<prop::sample::Index>()).prop_map(
            move |(kind, line, trip)| match kind {
                0 => (None, None),
                1 | 2 => (Some(line), None),
                _ => (None, Some((line, trip.index(trips[line])))),
            },
        )
    };
    let seconds = prop::sample::select(vec![0, 60, 180, 420, 900]);
    let rule = (prop::sample::select(pairs), side(), side(), 0..4u8, seconds);
    let rule = rule.prop_map(|(stops, from, to, kind, seconds)| Rule {
        stops,
        lines: (from.0, to.0),
        trips: (from.1, to.1),
        kind,
        seconds,
    });
    prop::collection::vec(rule, 1..20)
}

fn town(network: &Network, rules: &[Rule]) -> Town {
    let rows: Vec<String> = rules.iter().map(Rule::row).collect();
    let columns = "from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_route_id,to_route_id,\
                   from_trip_id,to_trip_id";
    town_of_a_day_with(network, &format!("\n\ntable transfers.txt\n{columns}\n{}\n\n", rows.join("\n")))
}

/// What a search tries.
struct Tries<'a> {
    network: &'a Network,
    rules: &'a [Rule],
    question: &'a Question,
    /// Arrival and cost of all ways, and whether they take a line again just after leaving it.
    found: Vec<(i32, i64, bool)>,
}

#[derive(Clone, Copy)]
struct State {
    /// Where the vehicle was left, and when.
    left: (usize, i32),
    /// Where the rider is after a walk, and when.
    at: (usize, i32),
    cost: i64,
    rides: usize,
    trip: Option<Trip>,
    again: bool,
}

impl Tries<'_> {
    /// The least cost of all ways with every trip of every line, without ways that one taking a line twice dominates: the
    /// search may drop them in favour of that one, which it does not allow in the end.
    fn least_cost(mut self) -> Option<i64> {
        for &(stop, seconds) in &self.question.access {
            let at = (stop, self.question.start + seconds);
            let cost = i64::from(seconds) * 2;
            self.board(State { left: at, at, cost, rides: 0, trip: None, again: false });
        }
        let best = self.found.iter().filter(|way| !way.2).min_by_key(|way| (way.1, way.0))?;
        let is_dominated = self.found.iter().any(|way| way.2 && way.0 <= best.0 && way.1 <= best.1);
        (!is_dominated).then_some(best.1)
    }

    fn board(&mut self, state: State) {
        if state.rides == self.question.max_rides {
            return;
        }
        let network = self.network;
        for (number, line) in network.lines.iter().enumerate() {
            for from in (0..line.stops.len()).filter(|&from| line.stops[from] == state.at.0) {
                for (trip, times) in line.trips.iter().enumerate() {
                    if let Some(paid) = self.change(&state, (number, trip), times[from].1) {
                        self.ride(&state, (number, trip), from, state.cost + paid);
                    }
                }
            }
        }
    }

    /// Cost of entering a trip at a departure; `None` if that is too early or forbidden.
    fn change(&self, state: &State, trip: Trip, departure: i32) -> Option<i64> {
        let Some(last) = state.trip else {
            return (departure >= state.at.1).then(|| i64::from(departure - state.at.1) + BOARDING);
        };
        let verdict = verdict(self.rules, (state.left.0, state.at.0), last, trip);
        let ready = state.at.1 + self.question.transfer_slack;
        let earliest = match verdict {
            Verdict::Forbidden => return None,
            Verdict::AtLeast(seconds) => ready.max(state.left.1 + seconds),
            _ => ready,
        };
        let prefers = self.rules.iter().any(|rule| rule.kind < 2);
        let penalty = if prefers && verdict != Verdict::Preferred { NOT_PREFERRED } else { 0 };
        (departure >= earliest).then(|| i64::from(departure - state.at.1) + penalty + BOARDING)
    }

    fn ride(&mut self, state: &State, trip: Trip, from: usize, cost: i64) {
        let line = &self.network.lines[trip.0];
        let times = &line.trips[trip.1];
        for to in from + 1..times.len() {
            let left = (line.stops[to], times[to].0);
            let ridden = State {
                left,
                at: left,
                cost: cost + i64::from(times[to].0 - times[from].1),
                rides: state.rides + 1,
                trip: Some(trip),
                again: state.again || state.trip.is_some_and(|last| last.0 == trip.0),
            };
            for &(_, seconds) in self.question.egress.iter().filter(|(stop, _)| *stop == left.0) {
                self.found.push((left.1 + seconds, ridden.cost + i64::from(seconds) * 2, ridden.again));
            }
            self.board(ridden);
            for walk in &self.network.walks {
                let (a, b) = walk.ends;
                for other in [(a, b), (b, a)].into_iter().filter(|ends| ends.0 == left.0).map(|ends| ends.1) {
                    let waits = is_timed(self.rules, (left.0, other));
                    let seconds = if waits { 0 } else { walk_seconds(walk.meters) };
                    let cost = ridden.cost + i64::from(seconds) * 2;
                    self.board(State { at: (other, left.1 + seconds), cost, ..ridden });
                }
            }
        }
    }
}

/// The changes of a path that rules forbid, or for which there is too little time.
fn broken(town: &Town, rules: &[Rule], slack: i32, path: &TransitPath) -> Vec<String> {
    let stop = |stop: StopIdx| town.timetable.stop_id(stop)[3..].parse::<usize>().unwrap();
    let called = |index: usize, position: u32| {
        let pattern = town.timetable.pattern_of(path.rides[index].trip);
        stop(StopIdx(town.timetable.patterns.stops(pattern)[position as usize]))
    };
    let trip = |index: usize| -> Trip {
        let id = town.timetable.trip_id(path.rides[index].trip);
        let (line, number) = id[3..].split_once('_').unwrap();
        (line.parse().unwrap(), number.parse().unwrap())
    };
    let mut broken = Vec::new();
    for next in 1..path.rides.len() {
        let (before, after) = (&path.rides[next - 1], &path.rides[next]);
        let stops = (called(next - 1, before.alight_position), called(next, after.board_position));
        let walked = path.transfers[next - 1].map_or(0, |walk| walk.seconds);
        let least = match verdict(rules, stops, trip(next - 1), trip(next)) {
            Verdict::Forbidden => i32::MAX,
            Verdict::AtLeast(seconds) => seconds.max(walked + slack),
            _ => walked + slack,
        };
        if after.board_time - before.alight_time < i64::from(least) {
            broken.push(format!("{:?} to {:?} at {stops:?}", trip(next - 1), trip(next)));
        }
    }
    broken
}

fn cheapest(town: &Town, question: &Question, time: i32, arrive_by: bool) -> Option<TransitPath> {
    let mut request = request(town, question, time, arrive_by);
    request.num_itineraries = 1;
    let mut scratch = TransitScratch::default();
    let paths = ask(town, question, &request, |query| {
        plan(&town.timetable, &town.service, query, &mut scratch).paths
    });
    paths.into_iter().next()
}

proptest! {
    #[test]
    fn the_cheapest_path_obeys_the_rules_of_the_feed(
        (network, rules) in network().prop_flat_map(|network| { let rules = rules(&network); (Just(network), rules) }),
        question in question()
    ) {
        // With one price for all time, moving waits changes no cost.
        let question = Question { waits: (100, 100), ..question };
        let tries = Tries { network: &network, rules: &rules, question: &question, found: Vec::new() };
        let least = tries.least_cost();
        let (mirror, mirror_rules) = (mirrored(&network), rules.iter().map(Rule::mirrored).collect::<Vec<_>>());
        let swapped = Question { access: question.egress.clone(), egress: question.access.clone(), ..question.clone() };
        let forward = town(&network, &rules);
        let backward = town(&mirror, &mirror_rules);
        for (town, rules, question, time, arrive_by) in [
            (&forward, &rules, &question, question.start, false),
            (&backward, &mirror_rules, &swapped, 24 * 3600 - question.start, true),
        ] {
            let path = cheapest(town, question, time, arrive_by);
            if let Some(path) = &path {
                let broken = broken(town, rules, question.transfer_slack, path);
                prop_assert!(broken.is_empty(), "{}: {broken:?}", town.describe(path));
            }
            if let Some(least) = least {
                let weight = path.as_ref().map(|path| path.weight);
                prop_assert!(
                    weight.is_some_and(|weight| weight <= least as f64 + 0.01),
                    "arrive_by {arrive_by}: {weight:?}, not {least}: {}", path.map_or(String::new(), |path| town.describe(&path))
                );
            }
        }
    }
}
