//! Random small timetables: the search finds what a brute-force search finds, its paths can be travelled and have the
//! stated cost, and arriving by a time mirrors departing at one.

use proptest::prelude::*;
use trestle_model::ids::{PatternIdx, StopIdx};
use trestle_model::{Direction, RoutingRequest};
use trestle_transit::path::TransitPath;
use trestle_transit::raptor::{
    Departures, Endpoint, LabelSettingScratch, NoStreets, OneToAllQuery, RangeScratch, TransitQuery,
    TransitScratch, UNREACHED, label_setting, plan, range,
};

use super::brute_force::{Footpath, Line, Network, Question, RideSequences, walk_seconds};
use super::town::Town;

pub(super) const STOPS: usize = 7;
const EIGHT: i32 = 8 * 3600;

pub(super) fn line() -> impl Strategy<Value = Line> {
    let stops = proptest::sample::subsequence((0..STOPS).collect::<Vec<_>>(), 2..=5).prop_shuffle();
    (stops, prop::collection::vec((1..20i32, 0..3i32), 5), prop::collection::vec(0..90i32, 1..5)).prop_map(
        |(stops, hops, mut starts)| {
            starts.sort();
            starts.dedup();
            let trip = |start: &i32| {
                let mut time = EIGHT + start * 60;
                let call = |index: usize| {
                    let (hop, dwell) = hops[index];
                    let arrival = time + if index == 0 { 0 } else { hop * 60 };
                    time = arrival + dwell * 30;
                    (arrival, time)
                };
                (0..stops.len()).map(call).collect::<Vec<_>>()
            };
            let trips = starts.iter().map(trip).collect();
            Line { trips, stops }
        },
    )
}

pub(super) fn network() -> impl Strategy<Value = Network> {
    let walk = (0..STOPS, 1..STOPS, 50..800i32)
        .prop_map(|(a, offset, meters)| Footpath { ends: (a, (a + offset) % STOPS), meters });
    (prop::collection::vec(line(), 1..6), prop::collection::vec(walk, 0..5)).prop_map(|(lines, mut walks)| {
        walks.sort_by_key(|walk| (walk.ends.0.min(walk.ends.1), walk.ends.0.max(walk.ends.1)));
        walks.dedup_by_key(|walk| (walk.ends.0.min(walk.ends.1), walk.ends.0.max(walk.ends.1)));
        Network { stops: STOPS, lines, walks }
    })
}

pub(super) fn question() -> impl Strategy<Value = Question> {
    // One way to each stop, as in the server's queries. With two, the later one may miss a vehicle that the other one
    // boards, and be cheaper because its wait is a first wait; the search does not let vehicles pass for that.
    let ends = || {
        prop::collection::vec((0..STOPS, 0..600i32), 1..3).prop_map(|mut ends| {
            ends.sort_unstable();
            ends.dedup_by_key(|(stop, _)| *stop);
            ends
        })
    };
    let waits = prop::sample::select(vec![(40, 100), (40, 60), (100, 100), (0, 30)]);
    (0..60i32, ends(), ends(), 1..4usize, waits, 0..240i32).prop_map(
        |(start, access, egress, max_rides, waits, transfer_slack)| Question {
            start: EIGHT + start * 60,
            access,
            egress,
            max_rides,
            waits,
            transfer_slack,
        },
    )
}

fn clock(seconds: i32) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The network as a town: stop `n` is `Sn`, trip `t` of line `l` is `Ll_t`.
fn town(network: &Network) -> Town {
    Town::new(&town_text(network))
}

/// The town without service on other days.
pub(super) fn town_of_a_day(network: &Network) -> Town {
    town_of_a_day_with(network, "")
}

/// The same with more text, such as tables.
pub(super) fn town_of_a_day_with(network: &Network, more: &str) -> Town {
    Town::new(&format!("{}{more}", town_of_a_day_text(network)))
}

pub(super) fn town_of_a_day_text(network: &Network) -> String {
    format!("days 20240610 20240610\n{}", town_text(network))
}

fn town_text(network: &Network) -> String {
    let mut text = (0..network.stops).map(|stop| format!("stop S{stop}\n")).collect::<String>();
    for (index, line) in network.lines.iter().enumerate() {
        for (number, trip) in line.trips.iter().enumerate() {
            let call = |(stop, (arrival, departure)): (&usize, &(i32, i32))| {
                format!("S{stop} {}-{}", clock(*arrival), clock(*departure))
            };
            let calls: Vec<_> = line.stops.iter().zip(trip).map(call).collect();
            text += &format!("{index}/L{index}_{number} : {}\n", calls.join(", "));
        }
    }
    for walk in &network.walks {
        text += &format!("walk S{} S{} {}\n", walk.ends.0, walk.ends.1, walk.meters);
    }
    text
}

/// The network, shifted by `later` seconds, with trips that overtake others on its first line, and a frequency trip on
/// its last line.
pub(super) fn varied(network: &Network, express: &Line, (headway, exact): (i32, i32), later: i32) -> String {
    let mut network = network.clone();
    network.lines[0].trips.extend(express.trips.clone());
    for (arrival, departure) in network.lines.iter_mut().flat_map(|line| line.trips.iter_mut().flatten()) {
        (*arrival, *departure) = (*arrival + later, *departure + later);
    }
    let [first, last] = [EIGHT + 600, EIGHT + 2 * 3600].map(|time| clock(time + later));
    let (text, often) = (town_text(&network), network.lines.len() - 1);
    format!(
        "{text}\ntable frequencies.txt\ntrip_id,start_time,end_time,headway_secs,exact_times\n\
         L{often}_0,{first},{last},{headway},{exact}\n\n"
    )
}

/// Times at which searches begin, in both directions, one of them twice because searches share their memory.
pub(super) fn moments(question: &Question) -> [(bool, i32); 5] {
    let moment = |(arrive_by, later)| (arrive_by, question.start + later + if arrive_by { 3600 } else { 0 });
    [(false, 0), (false, 900), (true, 900), (true, 0), (false, 0)].map(moment)
}

pub(super) fn near(town: &Town, question: &Question) -> Vec<Endpoint> {
    let near = |(stop, seconds): &(usize, i32)| Endpoint {
        stop: town.stop(&format!("S{stop}")),
        seconds: *seconds,
        cost: 0.0,
    };
    question.access.iter().map(near).collect()
}

/// Seconds to every stop of the first of `count` departures, a second apart.
pub(super) fn ranged(
    town: &Town,
    question: &Question,
    arrive_by: bool,
    first: i32,
    count: usize,
    max_seconds: i32,
    scratch: &mut RangeScratch,
) -> Vec<i32> {
    let request = &request(town, question, first, arrive_by);
    let query = OneToAllQuery { request, near: &near(town, question), max_seconds, interrupted: &|| false };
    let departures = Departures { step: 1, count };
    let mut found = vec![];
    range(&town.timetable, &town.service, &query, departures, scratch, &mut |departure| {
        if departure.index == 0 {
            found = departure.seconds.to_vec();
        }
    });
    found
}

fn in_time(seconds: Vec<i32>, most: i32) -> Vec<i32> {
    seconds.into_iter().map(|seconds| if seconds <= most { seconds } else { UNREACHED }).collect()
}

/// Up to a hundred paths.
fn paths(town: &Town, question: &Question, time: i32, arrive_by: bool) -> Vec<TransitPath> {
    let request = request(town, question, time, arrive_by);
    let mut scratch = TransitScratch::default();
    ask(town, question, &request, |query| plan(&town.timetable, &town.service, query, &mut scratch).paths)
}

/// The least cost, by a search that starts again from the first arrival when it has made this many labels.
pub(super) fn least_cost(
    town: &Town,
    question: &Question,
    arrive_by: bool,
    most_labels: usize,
) -> Option<f64> {
    let request = RoutingRequest { num_itineraries: 1, ..request(town, question, question.start, arrive_by) };
    let mut scratch = TransitScratch::default();
    scratch.most_labels = most_labels;
    let paths = ask(town, question, &request, |query| {
        plan(&town.timetable, &town.service, query, &mut scratch).paths
    });
    paths.first().map(|path| path.weight)
}

pub(super) fn ask<T>(
    town: &Town,
    question: &Question,
    request: &RoutingRequest,
    answer: impl FnOnce(&TransitQuery<'_>) -> T,
) -> T {
    let ends = |list: &[(usize, i32)]| -> Vec<Endpoint> {
        let end = |(stop, seconds): &(usize, i32)| Endpoint {
            stop: town.stop(&format!("S{stop}")),
            seconds: *seconds,
            cost: f64::from(*seconds) * 2.0,
        };
        list.iter().map(end).collect()
    };
    let query = TransitQuery {
        request,
        access: &ends(&question.access),
        egress: &ends(&question.egress),
        on_board: None,
        on_streets: None,
        interrupted: &|_| false,
    };
    answer(&query)
}

pub(super) fn request(town: &Town, question: &Question, time: i32, arrive_by: bool) -> RoutingRequest {
    RoutingRequest {
        epoch_seconds: town.day_start + i64::from(time),
        direction: Direction::of_request(arrive_by),
        num_itineraries: 100,
        max_transfers: question.max_rides as i32 - 1,
        wait_at_beginning_factor: question.waits.0 as f64 / 100.0,
        wait_reluctance: question.waits.1 as f64 / 100.0,
        transfer_slack: question.transfer_slack,
        ..RoutingRequest::default()
    }
}

/// Follows a path call by call; returns the cost.
fn travel(
    town: &Town,
    network: &Network,
    question: &Question,
    path: &TransitPath,
) -> Result<f64, TestCaseError> {
    let timetable = &town.timetable;
    let (first_wait, later_wait) = (question.waits.0 as f64 / 100.0, question.waits.1 as f64 / 100.0);
    let access = question.access[path.access.unwrap()];
    let mut cost = 2.0 * f64::from(access.1);
    let mut at = StopIdx::from(0);
    let mut now = path.departure + i64::from(access.1);
    prop_assert!(path.departure >= town.day_start + i64::from(question.start));
    cost += first_wait * (path.departure - town.day_start - i64::from(question.start)) as f64;
    prop_assert!(path.rides.len() <= question.max_rides);
    for (index, ride) in path.rides.iter().enumerate() {
        let pattern = timetable.pattern_of(ride.trip);
        let stops = timetable.patterns.stops(PatternIdx(pattern.0));
        let calls = timetable.trip_calls(ride.trip);
        let (board, alight) = (ride.board_position as usize, ride.alight_position as usize);
        prop_assert!(board < alight);
        let time = |seconds: i32| ride.service_day_start + i64::from(seconds);
        prop_assert_eq!(ride.board_time, time(calls.departure(board)));
        prop_assert_eq!(ride.alight_time, time(calls.arrival(alight)));
        if index == 0 {
            prop_assert_eq!(stops[board], town.stop(&format!("S{}", access.0)).0);
            prop_assert_eq!(ride.board_time, now);
        } else {
            if let Some(walk) = path.transfers[index - 1] {
                prop_assert_eq!(walk.from_stop, at);
                let meters = network.walks.iter().find(|w| {
                    let ends = [w.ends.0, w.ends.1].map(|stop| town.stop(&format!("S{stop}")));
                    ends == [at, walk.to_stop] || ends == [walk.to_stop, at]
                });
                prop_assert_eq!(walk.seconds, walk_seconds(meters.unwrap().meters));
                now += i64::from(walk.seconds);
                cost += 2.0 * f64::from(walk.seconds);
                at = walk.to_stop;
            }
            prop_assert_eq!(stops[board], at.0);
            let ready = now + i64::from(question.transfer_slack);
            prop_assert!(ride.board_time >= ready);
            cost += f64::from(question.transfer_slack) + later_wait * (ride.board_time - ready) as f64;
        }
        cost += 600.0 + (ride.alight_time - ride.board_time) as f64;
        now = ride.alight_time;
        at = StopIdx(stops[alight]);
    }
    let egress = question.egress[path.egress];
    prop_assert_eq!(at, town.stop(&format!("S{}", egress.0)));
    prop_assert_eq!(path.arrival, now + i64::from(egress.1));
    Ok(cost + 2.0 * f64::from(egress.1))
}

/// The network with time running backwards around noon of the day.
pub(super) fn mirrored(network: &Network) -> Network {
    let flip = |time: i32| 24 * 3600 - time;
    let line = |line: &Line| {
        let trip = |trip: &Vec<(i32, i32)>| trip.iter().rev().map(|(a, d)| (flip(*d), flip(*a))).collect();
        Line {
            stops: line.stops.iter().rev().copied().collect(),
            trips: line.trips.iter().map(trip).collect(),
        }
    };
    Network { lines: network.lines.iter().map(line).collect(), ..network.clone() }
}

proptest! {
    #[test]
    fn the_search_finds_what_brute_force_finds(network in network(), question in question()) {
        let town = town(&network);
        let paths = paths(&town, &question, question.start, false);
        for path in &paths {
            let cost = travel(&town, &network, &question, path)?;
            prop_assert!((cost - path.weight).abs() < 0.02, "{} but {}: {}", path.weight, cost, town.describe(path));
        }
        // `front` leaves out ways that are dominated by a way that takes the same line again. The search drops them at
        // some stop in favour of such a way, which it may not allow further on.
        if let Some((_, cost)) = RideSequences::find(&network, &question).front().last() {
            let least = least_cost(&town, &question, false, usize::MAX);
            prop_assert!(least.is_some_and(|least| least * 100.0 <= *cost as f64 + 1.0), "{:?}, not {}", least, cost);
        }
    }

    #[test]
    fn a_search_from_the_first_arrival_finds_the_cheapest_path(
        network in network(), question in question(), arrive_by in any::<bool>(), later_wait in 60..140i64
    ) {
        let town = town(&network);
        // With one price for all waits, moving them to the start changes no cost.
        let question = Question { waits: (later_wait, later_wait), ..question };
        let usual = least_cost(&town, &question, arrive_by, usize::MAX);
        let from_first_arrival = least_cost(&town, &question, arrive_by, 0);
        prop_assert_eq!(usual, from_first_arrival);
    }

    #[test]
    fn no_two_itineraries_use_the_same_trips(network in network(), question in question()) {
        let town = town(&network);
        let paths = paths(&town, &question, question.start, false);
        let mut trips: Vec<Vec<_>> = paths.iter().map(|p| p.rides.iter().map(|r| r.trip).collect()).collect();
        trips.sort();
        trips.dedup();
        prop_assert_eq!(trips.len(), paths.len());
    }

    #[test]
    fn arriving_by_a_time_mirrors_departing_at_one(
        network in network(), question in question(), every_wait in 60..140i64
    ) {
        // If the first wait has its own price, moving waits after the search makes paths cheaper, and which of two equally
        // cheap paths becomes the best is arbitrary.
        let question = Question { waits: (every_wait, every_wait), ..question };
        // Only one day: trips of other days have no mirror image, and with cheap waiting tomorrow's may be the best.
        let (town, mirror) = (town_of_a_day(&network), town_of_a_day(&mirrored(&network)));
        let forward = paths(&town, &question, question.start, false);
        let swapped = Question { access: question.egress.clone(), egress: question.access.clone(), ..question.clone() };
        let backward = paths(&mirror, &swapped, 24 * 3600 - question.start, true);
        let least = |paths: &[TransitPath]| paths.iter().map(|p| (p.weight * 100.0).round() as i64).min();
        let first = forward.iter().map(|path| path.arrival - town.day_start).min();
        let mirror_first = backward.iter().map(|path| mirror.day_start + 24 * 3600 - path.departure).min();
        prop_assert_eq!(first, mirror_first);
        prop_assert_eq!(least(&forward), least(&backward));
    }

    #[test]
    fn a_range_search_equals_many_searches(network in network(), question in question()) {
        let town = town(&network);
        let near = near(&town, &question);
        let request = &request(&town, &question, question.start, false);
        let (step, count) = (420, 12);
        let query =
            OneToAllQuery { request, near: &near, max_seconds: 6 * 3600, interrupted: &|| false };
        let (departures, mut scratch) = (Departures { step, count }, RangeScratch::default());
        let mut got = vec![vec![]; count];
        range(&town.timetable, &town.service, &query, departures, &mut scratch, &mut |departure| {
            got[departure.index] = departure.seconds.to_vec();
        });
        for (index, seconds) in got.iter().enumerate() {
            for stop in 0..STOPS {
                let start = question.start + step * index as i32;
                let one = Question { start, egress: vec![(stop, 0)], ..question.clone() };
                let expected = RideSequences::find(&network, &one).first().map_or(UNREACHED, |arrival| arrival - start);
                prop_assert_eq!(seconds[town.stop(&format!("S{stop}")).index()], expected);
            }
        }
    }

    #[test]
    fn one_departure_alone_reaches_every_stop_as_soon_as_one_of_two(
        network in network(), express in line(), frequency in (300..1800i32, 0..2i32), question in question(),
        max_seconds in 600..6 * 3600i32
    ) {
        // With a vehicle that continues as another trip.
        let text = varied(&network, &express, frequency, 0);
        let town = Town::new(&text.replace("0/L0_0 :", "0/L0_0 block_id=b :").replace("1/L1_0 :", "1/L1_0 block_id=b :"));
        let mut scratch = RangeScratch::default();
        for (arrive_by, first) in moments(&question) {
            // A search of two departures skips no riders who are no sooner than others, and a longer search skips no runs
            // after the end of a shorter one.
            let expected = in_time(ranged(&town, &question, arrive_by, first, 2, 24 * 3600, &mut scratch), max_seconds);
            let found = ranged(&town, &question, arrive_by, first, 1, max_seconds, &mut scratch);
            prop_assert_eq!(found, expected, "arrive_by {} at {}", arrive_by, clock(first));
        }
    }

    #[test]
    fn label_setting_reaches_every_stop_as_soon_as_rounds(
        network in network(), express in line(), frequency in (300..1800i32, 0..2i32), question in question(),
        max_seconds in 600..6 * 3600i32, clamp in 0..3600i32
    ) {
        let town = Town::new(&varied(&network, &express, frequency, 0));
        let near = near(&town, &question);
        // A limit on rides that has no effect.
        let question = Question { max_rides: 12, ..question };
        let (mut scratch, mut waiting) = (RangeScratch::default(), LabelSettingScratch::default());
        for (arrive_by, first) in moments(&question) {
            let request = &request(&town, &question, first, arrive_by);
            let query = OneToAllQuery { request, near: &near, max_seconds, interrupted: &|| false };
            let streets = &mut NoStreets;
            let found = label_setting(&town.timetable, &town.service, &query, clamp, streets, &mut waiting).unwrap();
            let found: Vec<_> = found.into_iter().map(|way| way.seconds).collect();
            let expected = ranged(&town, &question, arrive_by, first, 1, max_seconds, &mut scratch);
            prop_assert_eq!(found, expected, "arrive_by {} at {}", arrive_by, clock(first));
        }
    }

    #[test]
    fn walks_to_stops_that_vehicles_reach_sooner_change_nothing(
        network in network(), question in question(), walks in prop::collection::vec(0..2400i32, STOPS)
    ) {
        let town = town(&network);
        let near: Vec<_> = walks.iter().enumerate().map(|(stop, seconds)| Endpoint {
            stop: town.stop(&format!("S{stop}")), seconds: *seconds, cost: 0.0
        }).collect();
        let ranged = |first: i32, count: usize| {
            let request = &RoutingRequest { max_transfers: 12, ..request(&town, &question, first, false) };
            let query =
                OneToAllQuery { request, near: &near, max_seconds: 6 * 3600, interrupted: &|| false };
            let (departures, mut scratch) = (Departures { step: 300, count }, RangeScratch::default());
            let mut got = vec![vec![]; count];
            range(&town.timetable, &town.service, &query, departures, &mut scratch, &mut |departure| {
                got[departure.index] = departure.seconds.to_vec();
            });
            got
        };
        for (index, seconds) in ranged(question.start, 12).into_iter().enumerate() {
            let alone = ranged(question.start + 300 * index as i32, 1).remove(0);
            // The results differ only at stops that walking reaches as soon as vehicles.
            for ((stop, ranged), single) in seconds.iter().enumerate().zip(alone) {
                let walked = near.iter().find(|end| end.stop.index() == stop).map_or(UNREACHED, |end| end.seconds);
                prop_assert_eq!((*ranged).min(walked), single.min(walked), "stop {}", stop);
            }
        }
    }
}

/// At `S1` line 1 arrives a minute before line 2 and dominates it, but only riders of line 2 may enter line 1 there.
#[test]
fn the_first_arrival_is_no_later_where_a_line_would_be_taken_again() {
    let town = Town::new(
        "1/a : S0 8:00, S2 8:01, S1 8:02
        1/b : S0 9:05, S2 9:06, S1 9:07
        2/c : S3 9:05, S1 9:08
        3/d : S3 8:11, S2 8:12
        walk S1 S0 50",
    );
    let question = Question {
        start: EIGHT + 7 * 60 + 30,
        access: vec![(2, 234), (3, 241)],
        egress: vec![(2, 0)],
        max_rides: 2,
        waits: (111, 111),
        transfer_slack: 0,
    };
    // 9:05 from S3, 40 s of walking to S0, and the first vehicle of the next day.
    let cheapest = least_cost(&town, &question, false, usize::MAX).unwrap();
    assert!(cheapest < 97_000.0, "{cheapest}");
    assert_eq!(least_cost(&town, &question, false, 0), Some(cheapest));
}
