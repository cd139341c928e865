//! One-to-all searches.

use trestle_model::ids::StopIdx;
use trestle_model::request::BannedTrip;
use trestle_model::{Direction, Mode, RoutingRequest};
use trestle_transit::raptor::{
    ArrivalWithWait, Departure, Departures, LabelSettingScratch, NoStreets, OneToAllQuery, RangeScratch,
    StopArrival, StreetWalk, StreetsAfter, StreetsBetween, TransitScratch, UNREACHED, Walked, label_setting,
    one_to_all, range,
};

use super::town::{Town, seconds};

const LINE: &str = "
    1/T1 : A 8:00, B 8:10, C 8:30
    1/T2 : A 8:20, B 8:30, C 8:50
    2/U1 : B 8:35, D 8:45
    walk C E 133
    3/V1 : E 8:40, F 8:50
";

fn arrivals(town: &Town, near: &str, request: &RoutingRequest, max_seconds: i32) -> Vec<StopArrival> {
    let near = town.endpoints(near);
    let query = OneToAllQuery { request, near: &near, max_seconds, interrupted: &|| false };
    one_to_all(&town.timetable, &town.service, &query, &mut NoStreets, &mut TransitScratch::default()).stops
}

/// `stop seconds wait boardings` of every stop reached.
fn reached(town: &Town, near: &str, request: &RoutingRequest, max_seconds: i32) -> Vec<String> {
    lines(town, arrivals(town, near, request, max_seconds))
}

fn lines(town: &Town, arrivals: Vec<StopArrival>) -> Vec<String> {
    let line = |r: StopArrival| {
        let stop = town.timetable.stop_id(r.stop);
        format!("{} {} {} {}", stop.trim_start_matches("1:"), r.seconds, r.initial_wait, r.boardings)
    };
    arrivals.into_iter().map(line).collect()
}

fn at(town: &Town, time: &str) -> RoutingRequest {
    RoutingRequest { epoch_seconds: town.day_start + i64::from(seconds(time)), ..Default::default() }
}

#[test]
fn stops_are_reached_with_their_first_wait() {
    let town = Town::new(LINE);
    assert_eq!(
        reached(&town, "A+60", &at(&town, "7:50"), 3600),
        ["B 1200 540 1", "C 2400 540 1", "D 3300 540 2", "F 3600 540 2"]
    );
    assert_eq!(reached(&town, "A+60", &at(&town, "7:50"), 2400), ["B 1200 540 1", "C 2400 540 1"]);
    let by = RoutingRequest { direction: Direction::Backward, ..at(&town, "8:45") };
    assert_eq!(reached(&town, "D", &by, 3600), ["A 1500 0 2", "B 600 0 1"]);
}

/// A walk of 133 m between two stops, in both directions.
struct Street([StopIdx; 2]);

impl StreetsAfter for Street {
    fn walk_on(&mut self, cheaper: &[StopArrival]) -> Option<Vec<StreetWalk>> {
        let [c, e] = self.0;
        let walks = [(c, e), (e, c)].into_iter().filter(|(from, _)| cheaper.iter().any(|a| a.stop == *from));
        Some(walks.map(|(from, to)| StreetWalk { from, to, seconds: 100, cost: 200.0 }).collect())
    }
}

#[test]
fn walks_on_the_streets_lead_to_vehicles_as_prepared_transfers_do() {
    let on_streets = LINE.replace("walk C E 133", "4/W1 : E 23:00, C 23:10");
    let [prepared, town] = [LINE, &on_streets].map(Town::new);
    for (near, time, arrive_by) in [("A+60", "7:50", false), ("F", "8:55", true)] {
        let request = RoutingRequest { direction: Direction::of_request(arrive_by), ..at(&town, time) };
        let endpoints = town.endpoints(near);
        let query =
            OneToAllQuery { request: &request, near: &endpoints, max_seconds: 3600, interrupted: &|| false };
        let mut street = Street(["C", "E"].map(|id| town.endpoints(id)[0].stop));
        let scratch = &mut TransitScratch::default();
        let found = one_to_all(&town.timetable, &town.service, &query, &mut street, scratch);
        assert_eq!(lines(&town, found.stops), reached(&prepared, near, &request, 3600));
        assert_ne!(reached(&town, near, &request, 3600), reached(&prepared, near, &request, 3600));
    }
}

/// X is reached after 1200 s for 1620, or after 1500 s for 1740. The latter would wait 300 s less: D for 3240, not 3420.
#[test]
fn a_later_and_more_expensive_path_is_dropped_even_if_it_would_wait_less() {
    let lines = "
        1/T1 : A 8:05, X 8:20
        2/U1 : B 8:10, X 8:25
        3/V1 : X 8:30, D 8:40
    ";
    let town = Town::new(lines);
    let request = at(&town, "8:00");
    assert_eq!(reached(&town, "A,B", &request, 3600), ["D 2400 300 2", "X 1200 300 1"]);
}

/// A change at X takes at least ten minutes.
const TEN_MINUTES_AT_X: &str =
    "table transfers.txt\nfrom_stop_id,to_stop_id,transfer_type,min_transfer_time\nX,X,2,600\n\n";

fn arrival_at_d(town: &Town, request: &RoutingRequest) -> StopArrival {
    let found = arrivals(town, "A", request, 3600);
    found.into_iter().find(|arrival| arrival.stop == town.stop("D")).unwrap()
}

/// A change takes at least 600 s, which cost as much as waiting for a vehicle.
#[test]
fn least_times_of_changes_cost_as_much_as_waiting() {
    let lines = "
        1/T1 : A 8:00, X 8:10
        2/U1 : X 8:15, D 8:30
        2/U2 : X 8:25, D 8:40
    ";
    let town = Town::new(&format!("{lines}\n\n{TEN_MINUTES_AT_X}"));
    let at_d = arrival_at_d(&town, &at(&town, "8:00"));
    // 10 and 15 minutes in vehicles, 15 of waiting, two boardings.
    assert_eq!((at_d.seconds, at_d.cost), (2400, 600.0 + 900.0 + 900.0 + 1200.0));
}

/// A least time of ten minutes counts from the arrival of the vehicle, however long it takes to leave it.
#[test]
fn least_times_of_changes_include_the_time_of_leaving_a_vehicle() {
    let lines = "
        1/T1 : A 8:00, X 8:10
        2/U0 : X 8:15, D 8:24
        2/U1 : X 8:21, D 8:30
        2/U2 : X 8:31, D 8:40
    ";
    let town = Town::new(&format!("{lines}\n\n{TEN_MINUTES_AT_X}"));
    let (mut of_buses, mut of_ferries) = ([0; Mode::COUNT], [0; Mode::COUNT]);
    (of_buses[Mode::Bus as usize], of_ferries[Mode::Ferry as usize]) = (120, 600);
    for (alight_times, expected) in [([120; Mode::COUNT], 1920), (of_buses, 1920), (of_ferries, 1800)] {
        let request = RoutingRequest { alight_times, ..at(&town, "8:00") };
        assert_eq!(arrival_at_d(&town, &request).seconds, expected);
        assert_eq!(first_arrivals(&town, "A", &request, 0)[town.stop("D").index()].seconds, expected);
        assert_eq!(ranged(&town, "D", &request, 1), [expected]);
    }
}

/// Seconds to `stop` for departures every ten minutes from 8:00.
fn ranged(town: &Town, stop: &str, request: &RoutingRequest, count: usize) -> Vec<i32> {
    let near = town.endpoints(request.direction.pick("A", "C"));
    let first = at(town, request.direction.pick("8:00", "8:30")).epoch_seconds;
    let request = &RoutingRequest { epoch_seconds: first, ..request.clone() };
    let query = OneToAllQuery { request, near: &near, max_seconds: 2 * 3600, interrupted: &|| false };
    let (departures, mut scratch) = (Departures { step: 600, count }, RangeScratch::default());
    let mut result = vec![0; count];
    let stop = town.stop(stop).index();
    let mut keep = |departure: Departure<'_>| result[departure.index] = departure.seconds[stop];
    let complete = range(&town.timetable, &town.service, &query, departures, &mut scratch, &mut keep);
    assert!(complete);
    result
}

#[test]
fn every_departure_of_a_window_is_searched() {
    let town = Town::new(LINE);
    let forward = RoutingRequest::default();
    assert_eq!(ranged(&town, "C", &forward, 4), [1800, 2400, 1800, UNREACHED]);
    assert_eq!(ranged(&town, "F", &forward, 2), [3000, UNREACHED]);
    assert_eq!(ranged(&town, "D", &forward, 4), [2700, 2100, 1500, UNREACHED]);
    let none = RoutingRequest { max_transfers: 0, ..RoutingRequest::default() };
    assert_eq!(ranged(&town, "D", &none, 1), [UNREACHED]);
    let backward = RoutingRequest { direction: Direction::Backward, ..RoutingRequest::default() };
    assert_eq!(ranged(&town, "A", &backward, 3), [1800, 2400, 1800]);
}

#[test]
fn nobody_stays_seated_in_a_trip_that_is_banned() {
    let block = "
        1/T1 block_id=x : A 8:00, B 8:10
        2/T2 block_id=x : B 8:12, C 8:20
        3/T3 block_id=x : C 8:22, D 8:30
    ";
    let town = Town::new(block);
    let banned = |trip: &str| RoutingRequest {
        banned_trips: vec![BannedTrip { trip: trip.to_owned(), stop_positions: Vec::new() }],
        ..at(&town, "8:00")
    };
    assert_eq!(ranged(&town, "D", &banned("1:none"), 1), [1800]);
    assert_eq!(departed("A", "D", block, &banned("1:none")), "1800 0");
    let request = banned("1:T2");
    assert_eq!(ranged(&town, "D", &request, 1), [UNREACHED]);
    assert_eq!(reached(&town, "A", &request, 3600), ["B 600 0 1"]);
    assert_eq!(first_arrivals(&town, "A", &request, 1800)[town.stop("D").index()].seconds, UNREACHED);
}

/// `seconds initial-wait` of `stop` for one departure at 8:00 from the stops of `near`.
fn departed(near: &str, stop: &str, network: &str, request: &RoutingRequest) -> String {
    let town = Town::new(network);
    let request = RoutingRequest { epoch_seconds: at(&town, "8:00").epoch_seconds, ..request.clone() };
    let arrival = first_arrivals(&town, near, &request, 1800)[town.stop(stop).index()];
    format!("{} {}", arrival.seconds, arrival.initial_wait)
}

fn first_arrivals(town: &Town, near: &str, request: &RoutingRequest, clamp: i32) -> Vec<ArrivalWithWait> {
    first_arrivals_over(&mut NoStreets, town, near, request, clamp)
}

fn first_arrivals_over(
    streets: &mut impl StreetsBetween,
    town: &Town,
    near: &str,
    request: &RoutingRequest,
    clamp: i32,
) -> Vec<ArrivalWithWait> {
    let near = town.endpoints(near);
    let query = OneToAllQuery { request, near: &near, max_seconds: 2 * 3600, interrupted: &|| false };
    let mut scratch = LabelSettingScratch::default();
    label_setting(&town.timetable, &town.service, &query, clamp, streets, &mut scratch).unwrap()
}

#[test]
fn of_paths_that_arrive_together_the_one_with_the_longest_first_wait_counts() {
    let forward = RoutingRequest::default();
    // The same bus: at A after a minute's walk, at B after four.
    assert_eq!(departed("A+60,B+240", "C", LINE, &forward), "1800 360");
    assert_eq!(departed("B+240", "C", LINE, &forward), "1800 360");
    assert_eq!(departed("A+0", "D", LINE, &forward), "2700 0", "a later arrival at B is not kept");
    let two_lines = "
        1/T1 : A 8:10, C 8:40
        2/U1 : B 8:30, C 8:40
    ";
    assert_eq!(departed("A+60,B+60", "C", two_lines, &forward), "2400 1740");
    assert_eq!(departed("B+60,A+60", "C", two_lines, &forward), "2400 1740");
    let by = RoutingRequest { direction: Direction::Backward, ..forward };
    assert_eq!(departed("C+60", "A", "1/T1 : A 7:00, C 7:40", &by), "3600 1140");
}

/// The bus reaches X a minute before the tram, which leaves 18 minutes after it; riders of both take the train to Y.
#[test]
fn labels_are_continued_in_order_of_their_time_without_the_first_wait() {
    let lines = "
        1/T1 : A 8:02, X 8:30
        2/U1 : A 8:20, X 8:31
        3/V1 : X 8:35, Y 8:45
    ";
    let town = Town::new(lines);
    let waits = |clamp: i32| {
        let found = first_arrivals(&town, "A", &at(&town, "8:00"), clamp);
        ["X", "Y"].map(|stop| {
            let arrival = found[town.stop(stop).index()];
            (arrival.seconds, arrival.initial_wait)
        })
    };
    assert_eq!(waits(1800), [(1800, 120), (2700, 1200)], "riders of the tram board the train first");
    assert_eq!(waits(0), [(1800, 120), (2700, 120)]);
}

#[test]
fn transfers_cost_more_where_others_are_preferred() {
    let lines = "
        1/T1 : A 8:00, X 8:10
        2/U1 : X 8:20, D 8:30
    ";
    let cost = |rules: &str| {
        let town = Town::new(&format!("{lines}\n\n{rules}"));
        first_arrivals(&town, "A", &at(&town, "8:00"), 1800)[town.stop("D").index()].cost
    };
    let preferred = |stop: &str| {
        cost(&format!("table transfers.txt\nfrom_stop_id,to_stop_id,transfer_type\n{stop},{stop},0\n\n"))
    };
    assert_eq!(preferred("X"), cost(""));
    assert_eq!(preferred("A") - cost(""), 180.0);
}

/// A walk between two stops, at twice its seconds.
struct OneWalk {
    from: StopIdx,
    to: StopIdx,
    seconds: i32,
    /// Walks under way, with their seconds at the stop without the first wait.
    under_way: Vec<(i32, Walked)>,
}

impl StreetsBetween for OneWalk {
    fn leave(&mut self, stop: StopIdx, arrival: &ArrivalWithWait, number: usize) {
        if stop == self.from {
            let (seconds, cost) =
                (arrival.seconds + self.seconds, arrival.cost + f64::from(2 * self.seconds));
            let walked = Walked { stop: self.to, seconds, cost, number };
            self.under_way.push((seconds - arrival.initial_wait, walked));
        }
    }

    fn walk_until(&mut self, seconds: i32, walked: &mut Vec<Walked>) -> bool {
        walked
            .extend(self.under_way.extract_if(.., |(second, _)| *second <= seconds).map(|(_, there)| there));
        true
    }
}

#[test]
fn riders_walk_to_another_stop_on_the_streets_and_board_there() {
    let lines = "
        1/T1 : A 8:05, B 8:10
        2/U1 : E 8:40, F 8:50
    ";
    let town = Town::new(lines);
    let at_f = |seconds: i32| {
        let mut walk = OneWalk { from: town.stop("B"), to: town.stop("E"), seconds, under_way: Vec::new() };
        let found = first_arrivals_over(&mut walk, &town, "A", &at(&town, "8:00"), 1800);
        assert_eq!(found[town.stop("E").index()].seconds, UNREACHED, "no vehicle is left there");
        found[town.stop("F").index()]
    };
    // Five minutes at 0.4 before the first bus, five in it, 25 on foot at 2, five of waiting, ten in the second bus.
    let cost = 120.0 + 600.0 + 300.0 + 3000.0 + 300.0 + 600.0 + 600.0;
    assert_eq!(at_f(1500), ArrivalWithWait { seconds: 3000, initial_wait: 300, cost });
    assert_eq!(at_f(1801).seconds, UNREACHED);
}
