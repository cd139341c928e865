//! Options over a departure window, compared with times derived by hand.

use std::sync::LazyLock;

use crate::plans::street_rules::ESTATE;
use crate::plans::town::Town;
use crate::support::{GridTown, at, crossing};
use trestle_engine::deadline::Deadline;
use trestle_planner::Scratch;

use trestle_model::geo::LatLon;
use trestle_model::{Mode, ModeSet};
use trestle_planner::profile::{ProfileError, ProfileMode, ProfileOption, ProfileRequest, Stats, profile};

/// Line 1 from A over B to C; line 2 from B to D; line 9 takes very long.
const LINES: &str = "
    stop A 1 1
    stop B 21 1
    stop C 41 1
    stop D 21 21
    line 1 600 7:00 11:00 : A 0, B 5, C 10
    line 2 1200 7:08 11:00 : B 0, D 6
    line 9 600 7:00 11:00 : A 0, C 60
";

static TOWN: LazyLock<GridTown> = LazyLock::new(|| GridTown::new("profile", 44, 24, LINES));

fn request(from: LatLon, to: LatLon) -> ProfileRequest {
    ProfileRequest {
        from,
        to,
        from_epoch: at("8:00"),
        to_epoch: at("9:00") - 1,
        walk_speed: 1.0,
        bike_speed: 4.0,
        access_modes: vec![ProfileMode::Walk],
        direct_modes: vec![ProfileMode::Walk],
        ..ProfileRequest::default()
    }
}

fn ask(request: &ProfileRequest) -> Vec<ProfileOption> {
    ask_in(&TOWN, request)
}

fn ask_in(town: &GridTown, request: &ProfileRequest) -> Vec<ProfileOption> {
    profile(&town.snapshot, request, &mut Scratch::default(), &Deadline::default()).unwrap()
}

/// `1 A>B wait 0 299 599 ride 300 300 300, 2 …` of every option with rides.
fn describe(options: &[ProfileOption]) -> Vec<String> {
    let timetable = &TOWN.snapshot.graph.timetable;
    let ride = |segment: &trestle_planner::profile::Segment| {
        let name = |route: &trestle_model::ids::RouteIdx| {
            timetable.texts.get(timetable.routes.short_name[route.index()]).to_owned()
        };
        let routes: Vec<String> = segment.routes.iter().map(name).collect();
        let stats = |s: Stats| format!("{} {} {}", s.min, s.avg, s.max);
        let ends = format!("{}>{}", short(&segment.from_name), short(&segment.to_name));
        format!("{} {ends} wait {} ride {}", routes.join("/"), stats(segment.wait), stats(segment.ride))
    };
    let with_rides = options.iter().filter(|option| !option.transit.is_empty());
    with_rides.map(|option| option.transit.iter().map(ride).collect::<Vec<_>>().join(", ")).collect()
}

fn short(name: &str) -> &str {
    name.trim_start_matches("STOP ")
}

#[test]
fn one_line_every_ten_minutes() {
    let options = ask(&request(crossing(1.0, 1.0), crossing(41.0, 1.0)));
    // Ready at any second of an hour: up to 599 s before the next of six buses.
    assert_eq!(describe(&options), ["1 A>C wait 0 299 599 ride 600 600 600"]);
    let option = &options[0];
    let segment = &option.transit[0];
    assert_eq!(segment.mode, Mode::Bus);
    assert_eq!((segment.patterns.len(), segment.patterns[0].board, segment.patterns[0].alight), (1, 0, 2));
    assert_eq!(segment.patterns[0].trips, 6);
    let street: i32 = option.access.iter().chain(&option.egress).map(|s| s.seconds).sum();
    assert_eq!(option.stats.min, street + 600);
    assert_eq!(option.stats.max, street + 599 + 600);
    assert_eq!(option.stats.num, 1);
    assert_eq!(option.fares, [None]);
}

#[test]
fn changing_counts_the_walk_and_the_wait_of_every_vehicle() {
    let options = ask(&request(crossing(1.0, 1.0), crossing(21.0, 21.0)));
    // Buses of 8:10 to 9:00 are at B from 8:15 to 9:05; line 2 leaves at 8:08, 8:28, …: three of them wait three
    // minutes, three thirteen.
    assert_eq!(
        describe(&options),
        ["1 A>B wait 0 299 599 ride 300 300 300, 2 B>D wait 180 480 780 ride 360 360 360"]
    );
}

#[test]
fn transfer_rules_and_least_times_are_kept() {
    let requested = request(crossing(1.0, 1.0), crossing(21.0, 21.0));
    let ruled = |name: &str, rule: &str| {
        describe(&ask_in(&GridTown::new(name, 44, 24, &format!("{LINES}\n{rule}")), &requested))
    };
    assert_eq!(ruled("profile-forbidden", "change B B 3 0"), [] as [&str; 0]);
    // With ten minutes needed at B, the three of six vehicles that arrive three minutes before line 2 have to wait
    // 23.
    assert_eq!(
        ruled("profile-slow", "change B B 2 600"),
        ["1 A>B wait 0 299 599 ride 300 300 300, 2 B>D wait 780 1080 1380 ride 360 360 360"]
    );
    assert_eq!(ruled("profile-elsewhere", "change C C 3 0").len(), 1);
}

/// Stops of a station are joined by free transfers, so that the vehicle is reached as in a plan.
#[test]
fn stations_are_walked_through_at_both_ends() {
    let lines = "
        stop A 1 1 in S
        stop F 13 1 in S
        stop C 41 1 in T
        stop G 29 1 in T
        line 1 600 7:00 11:00 : F 0, C 5
    ";
    let town = GridTown::new("profile-stations", 44, 4, lines);
    let options = ask_in(&town, &request(crossing(1.0, 2.0), crossing(29.0, 2.0)));
    let option = options.iter().find(|option| !option.transit.is_empty()).unwrap();
    let seconds = [&option.access, &option.egress].map(|segments| segments[0].seconds);
    assert!(seconds.iter().all(|seconds| (100..115).contains(seconds)), "{seconds:?}");
    assert!(option.access[0].edges.len() + option.egress[0].edges.len() < 8, "the paths to A and from G");
}

#[test]
fn the_last_option_is_the_one_without_vehicles() {
    let mut requested = request(crossing(1.5, 1.0), crossing(11.5, 1.0));
    requested.direct_modes = vec![ProfileMode::Walk, ProfileMode::Bicycle];
    let options = ask(&requested);
    let direct = options.last().unwrap();
    assert!(direct.transit.is_empty() && direct.egress.is_empty());
    let [walk, bicycle] = &direct.access[..] else { panic!("{direct:?}") };
    assert_eq!((walk.mode, bicycle.mode), (ProfileMode::Walk, ProfileMode::Bicycle));
    // 1,000 m at 1 m/s; every piece of street is rounded up to a second.
    assert!((1000..1015).contains(&walk.seconds), "{}", walk.seconds);
    assert!((250..275).contains(&bicycle.seconds), "{}", bicycle.seconds);
    assert_eq!(direct.stats, Stats { min: bicycle.seconds, max: walk.seconds, num: 1, ..direct.stats });
    let metres: f64 = walk.edges.iter().map(|edge| edge.edge.length_m).sum();
    assert!((metres - 1000.0).abs() < 10.0, "{metres}");
    let first = walk.edges[0].edge.begins.as_ref().unwrap();
    assert_eq!((first.mode, first.step.street_name.as_str()), (Some(Mode::Walk), "Row 1"));
    assert!(walk.edges[1..].iter().all(|edge| edge.edge.begins.is_none()), "one street, one step");
}

#[test]
fn limits_of_street_parts_hold() {
    let far = ProfileRequest { walk_seconds: 60, ..request(crossing(5.0, 1.0), crossing(41.0, 1.0)) };
    assert_eq!(describe(&ask(&far)), [] as [&str; 0], "A is 400 s away");
    let near = ProfileRequest { walk_seconds: 450, ..far.clone() };
    assert_eq!(describe(&ask(&near)).len(), 1);
    let cycling = ProfileRequest { access_modes: vec![ProfileMode::Walk, ProfileMode::Bicycle], ..near };
    let options = ask(&cycling);
    let modes: Vec<_> = options[0].access.iter().map(|segment| segment.mode).collect();
    assert_eq!(modes, [ProfileMode::Walk, ProfileMode::Bicycle]);
    let direct = ProfileRequest { street_seconds: 600, ..request(crossing(1.0, 1.0), crossing(21.0, 1.0)) };
    let options = ask(&direct);
    let without_vehicles = options.last().unwrap();
    assert_eq!((&without_vehicles.access[..], without_vehicles.stats), (&[][..], Stats::default()));
}

/// The town has no rental bikes, and the stop is too near to drive to it.
#[test]
fn walking_does_not_count_for_modes_with_vehicles() {
    let mut requested = request(crossing(1.5, 1.0), crossing(41.0, 1.0));
    requested.access_modes = vec![ProfileMode::BicycleRent];
    assert_eq!(describe(&ask(&requested)), [] as [&str; 0]);
    requested.access_modes = vec![ProfileMode::Car, ProfileMode::Walk];
    let options = ask(&ProfileRequest { min_car_seconds: 0, ..requested });
    for segment in &options[0].access {
        let drives =
            segment.edges.iter().filter_map(|e| e.edge.begins.as_ref()).any(|t| t.mode == Some(Mode::Car));
        assert_eq!(drives, segment.mode == ProfileMode::Car);
    }
}

/// The search from the start misses one of the two paths.
#[test]
fn paths_without_transit_are_found_from_either_end() {
    let town = Town::new(ESTATE, "");
    let [start, end] = ["n1", "n6"].map(|node| town.place(node).position.unwrap());
    for (from, to) in [(start, end), (end, start)] {
        let requested = request(from, to);
        let options =
            profile(&town.snapshot, &requested, &mut Scratch::default(), &Deadline::default()).unwrap();
        assert_eq!(options[0].access.len(), 1);
    }
}

#[test]
fn options_are_limited_and_ordered() {
    let mut requested = request(crossing(1.0, 1.0), crossing(41.0, 1.0));
    requested.suboptimal_seconds = 3600;
    assert_eq!(describe(&ask(&requested)).len(), 1, "riders of the first vehicle sometimes ride for an hour");
    let none = ProfileRequest { transit_modes: ModeSet::of(&[Mode::Rail]), ..requested.clone() };
    assert_eq!(ask(&none).len(), 1);
    let night = ProfileRequest { from_epoch: at("3:00"), to_epoch: at("3:30"), ..requested };
    assert_eq!(ask(&night).len(), 1, "no vehicle within an hour and a half");
}

#[test]
fn places_far_from_streets_have_an_empty_option() {
    let options = ask(&request(LatLon::new(48.85, 2.35), crossing(1.0, 1.0)));
    let [only] = &options[..] else { panic!("{options:?}") };
    assert_eq!((only.access.len(), only.stats), (0, Stats::default()));
}

#[test]
fn invalid_requests_are_refused() {
    let good = request(crossing(1.0, 1.0), crossing(41.0, 1.0));
    let refused = |requested: ProfileRequest| {
        let answer = profile(&TOWN.snapshot, &requested, &mut Scratch::default(), &Deadline::default());
        assert!(matches!(answer, Err(ProfileError::Invalid(_))), "{answer:?}");
    };
    refused(ProfileRequest { egress_modes: vec![ProfileMode::CarPark], ..good.clone() });
    refused(ProfileRequest { to_epoch: good.from_epoch - 1, ..good.clone() });
    refused(ProfileRequest { walk_speed: f64::NAN, ..good });
}
