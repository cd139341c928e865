//! Parameters that exclude routes, trips and stops.

use trestle_model::request::{BannedTrip, RouteSpec};
use trestle_model::{Mode, ModeSet, RoutingRequest};

use super::town::{Town, check, one};

const TWO_LINES: &str = "
    stop A wheelchair_boarding=1
    stop B wheelchair_boarding=1
    stop C wheelchair_boarding=1
    1/T1 wheelchair_accessible=1 bikes_allowed=2 : A 8:00, B 8:10, C 8:20
    2/U1 wheelchair_accessible=0 bikes_allowed=1 : A 8:05, B 8:15, C 8:25
    2/U2 wheelchair_accessible=1 bikes_allowed=1 : A 8:10, B 8:20, C 8:30
    mode 2 0
";

const T1: &str = "8:00 A -[T1]-> C 8:20";
const U1: &str = "8:05 A -[U1]-> C 8:25";
const U2: &str = "8:10 A -[U2]-> C 8:30";

pub(crate) fn route(name: &str) -> RouteSpec {
    RouteSpec { name: name.to_owned(), ..RouteSpec::default() }
}

#[test]
fn routes_agencies_and_modes() {
    let town = Town::new(TWO_LINES);
    let ask = "A -> C at 8:00";
    check(&town, ask, |_| {}, &[T1, U1, U2]);
    check(&town, ask, |r| r.banned_routes = vec![route("2")], &[T1]);
    check(&town, ask, |r| r.whitelisted_routes = vec![route("2")], &[U1, U2]);
    let by_id = RouteSpec { feed: "1".into(), route_id: "1".into(), ..RouteSpec::default() };
    check(&town, ask, |r| r.banned_routes = vec![by_id], &[U1, U2]);
    check(
        &town,
        ask,
        |r| r.banned_routes = vec![RouteSpec { feed: "9".into(), ..route("1") }],
        &[T1, U1, U2],
    );
    check(&town, ask, |r| r.banned_agencies = vec!["AG".into()], &[]);
    check(&town, ask, |r| r.whitelisted_agencies = vec!["other".into()], &[]);
    check(&town, ask, |r| r.modes = ModeSet::of(&[Mode::Walk, Mode::Tram]), &[U1, U2]);
}

#[test]
fn preferences_add_their_penalties() {
    let town = Town::new(TWO_LINES);
    let first = |change: fn(&mut trestle_model::RoutingRequest)| {
        let paths = town.ask("A -> C at 8:00", |r| {
            r.num_itineraries = 1;
            change(r);
        });
        (town.describe(&paths[0]), paths[0].weight)
    };
    let plain = 600.0 + 20.0 * 60.0;
    assert_eq!(first(|_| {}), (T1.to_owned(), plain));
    assert_eq!(first(|r| r.unpreferred_routes = vec![route("1")]), (U1.to_owned(), plain + 0.4 * 300.0));
    assert_eq!(first(|r| r.preferred_routes = vec![route("2")]), (U1.to_owned(), plain + 0.4 * 300.0));
    let little = first(|r| {
        r.preferred_routes = vec![route("2")];
        r.other_than_preferred_routes_penalty = 100;
    });
    assert_eq!(little, (T1.to_owned(), plain + 100.0));
    assert_eq!(first(|r| r.unpreferred_agencies = vec!["AG".into()]), (T1.to_owned(), plain + 300.0));
}

#[test]
fn trips_are_banned_whole_or_at_some_calls() {
    let town = Town::new(TWO_LINES);
    let ban = |trip: &str, stop_positions: Vec<u32>| vec![BannedTrip { trip: trip.into(), stop_positions }];
    let ask = "A -> C at 8:00";
    check(&town, ask, |r| r.banned_trips = ban("1:T1", vec![]), &[U1, U2]);
    check(&town, ask, |r| r.banned_trips = ban("1:T1", vec![1]), &[T1, U1, U2]);
    check(&town, ask, |r| r.banned_trips = ban("1:U1", vec![2]), &[T1, U2]);
    check(&town, ask, |r| r.banned_trips = ban("1:none", vec![]), &[T1, U1, U2]);
}

const BLOCK: &str = "
    1/T1 block_id=x : A 8:00, B 8:10
    2/T2 block_id=x : B 8:12, C 8:20, D 8:30
    2/T3 : B 8:22, C 8:30, D 8:40
";

#[test]
fn riders_stay_seated_where_a_trip_may_not_be_boarded() {
    let town = Town::new(BLOCK);
    let ban = |stop_positions: Vec<u32>| vec![BannedTrip { trip: "1:T2".into(), stop_positions }];
    let seated = "8:00 A -[T1]-> B 8:10 on 8:12 B -[T2]-> D 8:30";
    check(&town, "A -> D at 8:00", |r| (r.num_itineraries, r.banned_trips) = (1, ban(vec![0])), &[seated]);
    check(&town, "A -> D by 8:35", |r| (r.num_itineraries, r.banned_trips) = (1, ban(vec![0])), &[seated]);
    let changed = "8:00 A -[T1]-> B 8:10, 8:22 B -[T3]-> D 8:40";
    check(&town, "A -> D at 8:00", |r| (r.num_itineraries, r.banned_trips) = (1, ban(vec![2])), &[changed]);
}

#[test]
fn penalties_are_those_of_the_route_that_is_boarded() {
    let town = Town::new(BLOCK);
    for ask in ["A -> D at 8:00", "A -> D by 8:30"] {
        let weight = |unpreferred: &str| {
            let paths =
                town.ask(ask, |r| (r.num_itineraries, r.unpreferred_routes) = (1, vec![route(unpreferred)]));
            paths[0].weight
        };
        assert_eq!((weight("1"), weight("2")), (2700.0, 2400.0), "{ask}");
    }
    // The search compares what the paths cost: staying seated from route 1 on costs 2,700, route 3 costs 2,508.
    let other = Town::new(&format!("{BLOCK}    3/T4 : A 7:58, D 8:29:40\n"));
    let ask = "A -> D by 8:30";
    check(
        &other,
        ask,
        |r| (r.num_itineraries, r.unpreferred_routes) = (1, vec![route("1")]),
        &["7:58 A -[T4]-> D 8:29:40"],
    );
    let seated = "8:00 A -[T1]-> B 8:10 on 8:12 B -[T2]-> D 8:30";
    check(&other, ask, |r| (r.num_itineraries, r.unpreferred_routes) = (1, vec![route("2")]), &[seated]);
}

#[test]
fn banned_stops() {
    let town = Town::new(TWO_LINES);
    let ask = "A -> C at 8:00";
    check(&town, ask, |r| r.banned_stops = vec!["1:B".into()], &[T1, U1, U2]);
    check(&town, ask, |r| r.banned_stops = vec!["1:C".into()], &[]);
    check(&town, ask, |r| r.banned_stops_hard = vec!["1:B".into()], &[]);
    let station =
        Town::new("stop P location_type=1\n stop B parent_station=P\n 1/T1 : A 8:00, B 8:10, C 8:20");
    check(&station, ask, |r| r.banned_stops_hard = vec!["1:P".into()], &[]);
    check(&station, "A -> B at 8:00", |r| r.banned_stops = vec!["1:P".into()], &[]);
    let area = Town::new(
        "stop S location_type=1\n stop P parent_station=S\n stop B location_type=4 parent_station=P\n
         1/T1 : A 8:00, B 8:10, C 8:20",
    );
    for closed in ["1:B", "1:P", "1:S"] {
        check(&area, ask, |r| r.banned_stops_hard = vec![closed.into()], &[]);
        check(&area, "A -> B at 8:00", |r| r.banned_stops = vec![closed.into()], &[]);
    }
}

#[test]
fn wheelchairs_and_bikes_need_trips_that_allow_them() {
    let town = Town::new(TWO_LINES);
    check(&town, "A -> C at 8:00", |r| r.wheelchair = true, &[T1, U2]);
    let steps = Town::new(&TWO_LINES.replace("stop C wheelchair_boarding=1", "stop C wheelchair_boarding=2"));
    check(&steps, "A -> C at 8:00", |r| r.wheelchair = true, &[]);
    // A stop that says nothing is like its station.
    let says = |stop: &str, station: &str| {
        let stops = format!("stop C {stop} parent_station=P\n stop P location_type=1 {station}\n");
        Town::new(&TWO_LINES.replace("stop C wheelchair_boarding=1", &stops))
    };
    let (no, yes) = ("wheelchair_boarding=2", "wheelchair_boarding=1");
    check(&says("", no), "A -> C at 8:00", |r| r.wheelchair = true, &[]);
    check(&says("wheelchair_boarding=0", no), "A -> C at 8:00", |r| r.wheelchair = true, &[]);
    check(&says("", no), "A -> C at 8:00", |_| {}, &[T1, U1, U2]);
    check(&says(yes, no), "A -> C at 8:00", |r| r.wheelchair = true, &[T1, U2]);
    check(&says(no, yes), "A -> C at 8:00", |r| r.wheelchair = true, &[]);
    check(&says("", ""), "A -> C at 8:00", |r| r.wheelchair = true, &[T1, U2]);
    let by_bike = |r: &mut RoutingRequest| {
        r.bike_board_cost = 700;
        r.modes = ModeSet::TRANSIT.with(Mode::Bicycle);
    };
    let paths = town.ask("A -> C at 8:00", by_bike);
    assert_eq!(paths.iter().map(|p| town.describe(p)).collect::<Vec<_>>(), [U1, U2]);
    assert_eq!(paths[0].weight, 700.0 + 20.0 * 60.0 + 0.4 * 300.0);
}

#[test]
fn pickup_and_drop_off_types() {
    let town = Town::new("1/T1 : A 8:00, B 8:10 pickup_type=1, C 8:20 drop_off_type=1, D 8:30");
    check(&town, "B -> D by 8:30", one, &[]);
    check(&town, "A -> C by 8:30", one, &[]);
    check(&town, "A -> B by 8:30", one, &["8:00 A -[T1]-> B 8:10"]);
    check(&town, "C -> D by 8:30", one, &["8:20 C -[T1]-> D 8:30"]);
}
