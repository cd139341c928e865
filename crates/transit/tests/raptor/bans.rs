//! Everything that requests can ban: all searches find the first arrivals that a plain search finds.

use proptest::prelude::*;
use trestle_model::request::BannedTrip;
use trestle_model::{Direction, RoutingRequest};
use trestle_transit::path::TransitPath;
use trestle_transit::raptor::{
    Departures, Endpoint, LabelSettingScratch, NoStreets, OneToAllQuery, RangeScratch, TransitQuery,
    TransitScratch, UNREACHED, label_setting, one_to_all, plan, range,
};

use super::brute_force::{Line, Network};
use super::filters::route;
use super::plain_search::PlainSearch;
use super::random::{STOPS, line, moments, near, network, question, varied};
use super::town::{Town, seconds};

const HOURS: i32 = 6 * 3600;

/// Seconds from 8:00 to the time around which vehicles run by night.
const NIGHT: i32 = 15 * 3600 + 1800;

/// The departures of a range search, and the seconds between them.
const DEPARTURES: (usize, i32) = (5, 240);

/// A request whose costs are seconds, so that the cheapest path arrives first.
fn request(town: &Town, time: i32, arrive_by: bool) -> RoutingRequest {
    RoutingRequest {
        epoch_seconds: town.day_start + i64::from(time),
        direction: Direction::of_request(arrive_by),
        max_transfers: 12,
        wait_at_beginning_factor: 1.0,
        walk_reluctance: 1.0,
        walk_board_cost: 0,
        num_itineraries: 1,
        ..RoutingRequest::default()
    }
}

fn banned(trip: &str, stop_positions: &[u32]) -> BannedTrip {
    BannedTrip { trip: format!("1:{trip}"), stop_positions: stop_positions.to_vec() }
}

/// Seconds to every stop by each of the searches to all stops, with its name.
fn found(town: &Town, request: &RoutingRequest, near: &[Endpoint]) -> Vec<(&'static str, Vec<i32>)> {
    let (timetable, service) = (&town.timetable, &town.service);
    let query = OneToAllQuery { request, near, max_seconds: HOURS, interrupted: &|| false };
    let (count, step) = DEPARTURES;
    let ranged = |count: usize| {
        let (departures, mut scratch) = (Departures { step, count }, RangeScratch::default());
        let mut first = Vec::new();
        range(timetable, service, &query, departures, &mut scratch, &mut |departure| {
            if departure.index == 0 {
                first = departure.seconds.to_vec();
            }
        });
        first
    };
    let mut scratch = LabelSettingScratch::default();
    let labels = label_setting(timetable, service, &query, 900, &mut NoStreets, &mut scratch).unwrap();
    let mut cheapest = vec![UNREACHED; timetable.stops.id.len()];
    for arrival in
        one_to_all(timetable, service, &query, &mut NoStreets, &mut TransitScratch::default()).stops
    {
        cheapest[arrival.stop.index()] = arrival.seconds;
    }
    vec![
        ("range of one", ranged(1)),
        ("range of several", ranged(count)),
        ("label setting", labels.into_iter().map(|arrival| arrival.seconds).collect()),
        ("one to all", cheapest),
    ]
}

/// Seconds of the first path to each stop.
fn planned(town: &Town, request: &RoutingRequest, near: &[Endpoint]) -> Vec<i32> {
    let seconds_to = |stop: usize| {
        let far = [Endpoint { stop: stop.into(), seconds: 0, cost: 0.0 }];
        let (access, egress) = request.direction.pick((near, &far[..]), (&far[..], near));
        let interrupted = &|_| false;
        let query = TransitQuery { request, access, egress, on_board: None, on_streets: None, interrupted };
        let paths = plan(&town.timetable, &town.service, &query, &mut TransitScratch::default()).paths;
        let seconds = |path: &TransitPath| match request.direction {
            Direction::Backward => request.epoch_seconds - path.departure,
            Direction::Forward => path.arrival - request.epoch_seconds,
        };
        paths
            .iter()
            .map(seconds)
            .min()
            .filter(|seconds| *seconds <= i64::from(HOURS))
            .map_or(UNREACHED, |s| s as i32)
    };
    (0..town.timetable.stops.id.len()).map(seconds_to).collect()
}

/// Compares all searches from a stop with the plain one, whose seconds to another stop are returned.
fn compared(text: &str, ask: &str, change: impl Fn(&mut RoutingRequest)) -> Option<i32> {
    let town = Town::new(text);
    let words: Vec<_> = ask.split_whitespace().collect();
    let [from, "->", to, kind, time] = words[..] else { panic!("cannot parse “{ask}”") };
    let (near, far) = if kind == "by" { (to, from) } else { (from, to) };
    let mut request = request(&town, seconds(time), kind == "by");
    change(&mut request);
    let near = town.endpoints(near);
    let expected = PlainSearch::new(&town, &request).seconds(&near, HOURS);
    for (search, found) in found(&town, &request, &near) {
        assert_eq!(found, expected, "{search}: {ask}");
    }
    assert_eq!(planned(&town, &request, &near), expected, "plan: {ask}");
    Some(expected[town.stop(far).index()]).filter(|seconds| *seconds != UNREACHED)
}

const LINE: &str = "
    days 20240610 20240610
    1/T1 : A 8:00, B 8:10, C 8:20
    1/T2 : A 8:05, B 8:15, C 8:25
    1/T3 : A 8:30, B 8:40, C 8:50
";

/// T1 comes first but cannot be left at C, or is not boarded where riders of T2 are.
#[test]
fn a_trip_banned_at_some_calls_does_not_hide_later_ones() {
    let without =
        |calls: &'static [u32]| move |r: &mut RoutingRequest| r.banned_trips = vec![banned("T1", calls)];
    assert_eq!(compared(LINE, "A -> C at 8:00", |_| {}), Some(20 * 60));
    assert_eq!(compared(LINE, "A -> C at 8:00", without(&[2])), Some(25 * 60));
    assert_eq!(compared(LINE, "A -> C at 8:00", without(&[0])), Some(25 * 60));
    assert_eq!(compared(LINE, "A -> C at 8:00", without(&[1])), Some(20 * 60));
    let without =
        |calls: &'static [u32]| move |r: &mut RoutingRequest| r.banned_trips = vec![banned("T3", calls)];
    assert_eq!(compared(LINE, "A -> C by 8:50", |_| {}), Some(20 * 60));
    assert_eq!(compared(LINE, "A -> C by 8:50", without(&[0])), Some(45 * 60));
    assert_eq!(compared(LINE, "A -> C by 8:50", without(&[2])), Some(45 * 60));
}

/// Riders of T1 arrive first, but only the vehicle of T2 goes on to D. In the other direction only that of T1 comes from D.
#[test]
fn a_later_trip_is_taken_where_its_vehicle_continues() {
    let town = "
        days 20240610 20240610
        1/T1 : A 8:00, B 8:10
        1/T2 block_id=x : A 8:05, B 8:15
        2/U2 block_id=x : B 8:16, D 8:30
    ";
    // Nobody changes at B.
    let closed = |r: &mut RoutingRequest| r.banned_stops = vec!["1:B".into()];
    assert_eq!(compared(town, "A -> D at 8:00", closed), Some(30 * 60));
    assert_eq!(compared(town, "A -> D at 8:01", closed), Some(29 * 60));
    let town = "
        days 20240610 20240610
        1/U1 block_id=x : D 7:45, B 7:59
        2/T1 block_id=x : B 8:00, A 8:10
        2/T2 : B 8:05, A 8:15
    ";
    assert_eq!(compared(town, "D -> A by 8:15", closed), Some(30 * 60));
}

/// The vehicle of T1 continues as U1, which is banned or goes no further than C; that of T2 continues to E.
#[test]
fn a_later_trip_is_taken_where_its_vehicle_continues_further() {
    let town = "
        days 20240610 20240610
        1/T1 block_id=x : A 8:00, B 8:10
        2/U1 block_id=x : B 8:10, C 8:20
        1/T2 block_id=y : A 8:05, B 8:15
        2/U2 block_id=y : B 8:15, C 8:25
        3/V2 block_id=y : C 8:25, E 8:35
    ";
    let stops = || vec!["1:B".into(), "1:C".into()];
    assert_eq!(compared(town, "A -> E at 8:00", |r| r.banned_stops = stops()), Some(35 * 60));
    let ban = |trip: &'static str, calls: &'static [u32]| {
        move |r: &mut RoutingRequest| {
            (r.banned_trips, r.banned_stops) = (vec![banned(trip, calls)], vec!["1:B".into()]);
        }
    };
    assert_eq!(compared(town, "A -> C at 8:00", ban("V2", &[])), Some(20 * 60));
    assert_eq!(compared(town, "A -> C at 8:00", ban("U1", &[])), Some(25 * 60));
    assert_eq!(compared(town, "A -> C at 8:00", ban("U1", &[1])), Some(25 * 60));
    assert_eq!(compared(town, "A -> C at 8:00", ban("T1", &[0])), Some(25 * 60));
}

/// Riders of R1 stay seated in T2, which T1 is ahead of, but only T2 continues to E.
#[test]
fn riders_who_stay_seated_are_not_hidden_by_an_earlier_trip() {
    let town = "
        days 20240610 20240610
        4/R1 block_id=x : Z 7:50, A 8:04
        1/T1 : A 8:00, M 8:05, B 8:10
        1/T2 block_id=x : A 8:05, M 8:10, B 8:15
        3/V2 block_id=x : B 8:16, E 8:30
        5/S1 : Z 7:50, M 8:03
    ";
    let closed = |r: &mut RoutingRequest| r.banned_stops = vec!["1:A".into(), "1:B".into()];
    assert_eq!(compared(town, "Z -> E at 7:50", closed), Some(40 * 60));
}

/// The vehicle of T2, which is banned, continues to D; that of T1 does not.
#[test]
fn nobody_takes_a_later_trip_that_is_banned() {
    let town = "
        days 20240610 20240610
        1/T1 : A 8:00, B 8:10
        1/T2 block_id=x : A 8:05, B 8:15
        2/U2 block_id=x : B 8:16, D 8:30
    ";
    let ban = |calls: &'static [u32]| {
        move |r: &mut RoutingRequest| {
            (r.banned_trips, r.banned_stops) = (vec![banned("T2", calls)], vec!["1:B".into()]);
        }
    };
    assert_eq!(compared(town, "A -> D at 8:00", ban(&[])), None);
    assert_eq!(compared(town, "A -> D at 8:00", ban(&[0])), None);
}

/// No trip is boarded at its last stop to stay seated.
#[test]
fn nobody_boards_at_the_last_stop_of_a_trip() {
    let town = "
        days 20240610 20240610
        stop B stop_lat=41 stop_lon=-8.6
        stop C stop_lat=41.0001 stop_lon=-8.6
        1/T1 block_id=x : A 8:00, B 8:10
        2/T2 block_id=x : C 8:12, D 8:30
    ";
    assert_eq!(compared(town, "B -> D at 8:00", |_| {}), None);
    assert_eq!(compared(town, "A -> C by 8:30", |_| {}), None);
}

/// Riders who stay seated in T2, which they may not leave at D, do not keep others from T3.
#[test]
fn riders_of_a_block_do_not_hide_later_trips() {
    let town = "
        days 20240610 20240610
        1/T1 block_id=x : A 8:00, B 8:10
        2/T2 block_id=x : B 8:12, C 8:20, D 8:30
        2/T3 : B 8:22, C 8:30, D 8:40
    ";
    let ban = |r: &mut RoutingRequest| r.banned_trips = vec![banned("T2", &[2])];
    assert_eq!(compared(town, "A -> D at 8:00", ban), Some(40 * 60));
    let ban = |r: &mut RoutingRequest| r.banned_trips = vec![banned("T2", &[0, 2])];
    assert_eq!(compared(town, "A -> D at 8:00", ban), Some(40 * 60));
}

/// The vehicle of T1 begins T2 at another stop.
#[test]
fn nobody_passes_a_closed_stop_where_the_next_trip_of_a_block_begins() {
    let town = "
        days 20240610 20240610
        stop A stop_lat=41 stop_lon=-8.6
        stop B stop_lat=41.0001 stop_lon=-8.6
        stop C stop_lat=41.0002 stop_lon=-8.6
        1/T1 block_id=x : A 8:00, B 8:10
        2/T2 block_id=x : C 8:12, D 8:30
    ";
    for ask in ["A -> D at 8:00", "A -> D by 8:30"] {
        let closed =
            |stop: &'static str| move |r: &mut RoutingRequest| r.banned_stops_hard = vec![stop.into()];
        assert_eq!(compared(town, ask, |_| {}), Some(30 * 60));
        assert_eq!(compared(town, ask, closed("1:B")), None);
        assert_eq!(compared(town, ask, closed("1:C")), None);
        assert_eq!(compared(town, ask, |r| r.banned_stops = vec!["1:B".into(), "1:C".into()]), Some(30 * 60));
    }
}

/// T2, which continues to D, can only be boarded before the closed stop M, and T3 after it too.
#[test]
fn nobody_stays_seated_in_a_trip_that_passed_a_closed_stop() {
    let town = "
        days 20240610 20240610
        5/F1 : Z 7:55, A 8:05
        6/G1 : Z 7:55, N 8:30
        1/T2 block_id=x : A 8:10, M 8:15, N 8:18, B 8:20
        2/U2 block_id=x : B 8:21, D 8:30
        1/T3 : A 8:31, M 8:35, N 8:38, B 8:40
    ";
    assert_eq!(compared(town, "Z -> D at 7:50", |_| {}), Some(40 * 60));
    assert_eq!(compared(town, "Z -> D at 7:50", |r| r.banned_stops_hard = vec!["1:M".into()]), None);
    assert_eq!(compared(town, "Z -> B at 7:50", |r| r.banned_stops_hard = vec!["1:M".into()]), Some(50 * 60));
}

/// A timetable by day or by night with trips that overtake others, a frequency trip, and vehicles that continue as
/// another trip; all stops are so close together that they continue from any stop.
#[derive(Clone)]
struct Service {
    network: Network,
    express: Line,
    /// Seconds between vehicles, and whether they run at exact times.
    frequency: (i32, i32),
    /// (line, trip) and (line, trip) with one vehicle.
    blocks: Vec<[(usize, usize); 2]>,
    /// The same by rows of transfers.txt.
    linked: Vec<[(usize, usize); 2]>,
    by_night: bool,
}

impl Service {
    fn text(&self) -> String {
        let moved = if self.by_night { NIGHT } else { 0 };
        let mut text = varied(&self.network, &self.express, self.frequency, moved);
        for (block, trips) in self.blocks.iter().enumerate() {
            for (line, trip) in trips {
                let name = format!("/L{line}_{trip} :");
                text = text.replace(&name, &format!("{} block_id=b{block} :", name.trim_end_matches(" :")));
            }
        }
        let text: String = text.lines().map(|line| format!("{}\n", begun_again(line))).collect();
        let trip = |(line, trip): (usize, usize)| format!("L{line}_{trip}");
        let rows: String =
            self.linked.iter().map(|[a, b]| format!("4,{},{}\n", trip(*a), trip(*b))).collect();
        let columns = "transfer_type,from_trip_id,to_trip_id,from_stop_id,to_stop_id";
        let mut text = format!("{text}\ntable transfers.txt\n{columns}\n{rows}\n");
        for stop in 0..self.network.stops {
            let place = format!("stop S{stop} stop_lat=41.000{stop} stop_lon=-8.6\n");
            text = text.replace(&format!("stop S{stop}\n"), &place);
        }
        text
    }
}

/// The line of a trip with times of the next day, if it is the second one of its line and starts after midnight: every
/// day is the same, so nothing changes but the service day of its runs.
fn begun_again(line: &str) -> String {
    let starts_later = |calls: &str| calls.split([' ', '-']).find(|word| word.contains(':')) >= Some("24");
    match line.split_once(" : ") {
        Some((trip, calls)) if trip.contains("_1") && starts_later(calls) => {
            let again = |word: &str| match word.split_once(':') {
                Some((hours, rest)) => format!("{}:{rest}", hours.parse::<i32>().unwrap() - 24),
                None => word.to_owned(),
            };
            let calls: Vec<_> = calls.split_inclusive([' ', '-']).map(again).collect();
            format!("{trip} : {}", calls.concat())
        }
        _ => line.to_owned(),
    }
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}

fn service() -> impl Strategy<Value = Service> {
    let trip = || (0..4usize, 0..3usize);
    let block = (trip(), trip()).prop_map(|(from, to)| [from, to]);
    let blocks = || prop_oneof![Just(Vec::new()), prop::collection::vec(block.clone(), 1..4)];
    let parts =
        (trip(), prop::collection::vec(trip(), 2..5), any::<bool>()).prop_map(|(one, parts, divided)| {
            parts.into_iter().map(|part| if divided { [one, part] } else { [part, one] }).collect()
        });
    let linked = prop_oneof![blocks(), parts];
    (network(), line(), (300..1800i32, 0..2i32), blocks(), linked, any::<bool>()).prop_map(
        |(network, express, frequency, blocks, linked, by_night)| Service {
            network,
            express,
            frequency,
            blocks,
            linked,
            by_night,
        },
    )
}

/// Something that a request bans, by the names of [`Service::text`].
#[derive(Clone, Debug)]
enum Ban {
    Route(usize),
    Trip(usize, usize),
    Calls(usize, usize, Vec<u32>),
    Stop(usize),
    HardStop(usize),
}

impl Ban {
    fn add_to(&self, request: &mut RoutingRequest) {
        match self {
            Ban::Route(line) => request.banned_routes.push(route(&line.to_string())),
            Ban::Trip(line, trip) => request.banned_trips.push(banned(&format!("L{line}_{trip}"), &[])),
            Ban::Calls(line, trip, calls) => {
                request.banned_trips.push(banned(&format!("L{line}_{trip}"), calls))
            }
            Ban::Stop(stop) => request.banned_stops.push(format!("1:S{stop}")),
            Ban::HardStop(stop) => request.banned_stops_hard.push(format!("1:S{stop}")),
        }
    }
}

fn bans() -> impl Strategy<Value = Vec<Ban>> {
    let (line, trip, stop) = (0..4usize, 0..4usize, 0..STOPS);
    let calls = prop::collection::vec(0..5u32, 1..4);
    let ban = prop_oneof![
        1 => line.clone().prop_map(Ban::Route),
        2 => (line.clone(), trip.clone()).prop_map(|(line, trip)| Ban::Trip(line, trip)),
        4 => (line, trip, calls).prop_map(|(line, trip, calls)| Ban::Calls(line, trip, calls)),
        1 => stop.clone().prop_map(Ban::Stop),
        2 => stop.prop_map(Ban::HardStop),
    ];
    prop::collection::vec(ban, 0..5)
}

proptest! {
    #[test]
    fn all_searches_obey_bans(service in service(), bans in bans(), question in question()) {
        let town = Town::new(&service.text());
        let near = near(&town, &question).into_iter();
        let near: Vec<_> = near.map(|end| Endpoint { cost: end.seconds.into(), ..end }).collect();
        for (arrive_by, time) in moments(&question) {
            // By night also soon after midnight, when runs of the day before are under way.
            let times = if service.by_night { vec![time + NIGHT, time + NIGHT + 3600 - 86_400] } else { vec![time] };
            for time in times {
                let mut request =
                    RoutingRequest { transfer_slack: question.transfer_slack, ..request(&town, time, arrive_by) };
                bans.iter().for_each(|ban| ban.add_to(&mut request));
                let expected = PlainSearch::new(&town, &request).seconds(&near, HOURS);
                let planned = ("plan", planned(&town, &request, &near));
                for (search, found) in found(&town, &request, &near).into_iter().chain([planned]) {
                    prop_assert_eq!(&found, &expected, "{}, arrive_by {} at {}", search, arrive_by, time);
                }
            }
        }
    }
}
