//! What is reached from a place: times worked out by hand, times of plans, and the isochrones of walks.

use std::sync::{Arc, LazyLock};

use crate::bans::bans;
use crate::support::{GridTown, at, crossing, place, request_from};
use proptest::prelude::*;
use trestle_analysis::AnalysisError;
use trestle_analysis::Scratch;
use trestle_analysis::isochrone::polygons::contains;
use trestle_analysis::isochrone::walkshed::{Walkshed, WalkshedForm, walkshed};
use trestle_analysis::isochrone::{Grid, SampledArea, Seconds, contours, time_grid};
use trestle_analysis::matrix::{Matrix, MatrixQuery};
use trestle_analysis::one_to_many::{EarliestSearch, OneToMany, Origin, one_to_many};
use trestle_analysis::samples::{Destination, Sample, linked_destinations};
use trestle_analysis::surface::{UNREACHED, surface};
use trestle_engine::deadline::Deadline;
use trestle_engine::realtime::{BikeStations, LiveStation};
use trestle_model::geo::{LatLon, distance_m};
use trestle_model::ids::{StopIdx, VertexIdx};
use trestle_model::itinerary::Itinerary;
use trestle_model::request::PlaceRequest;
use trestle_model::{Direction, Mode, ModeSet, RoutingRequest};
use trestle_planner::plan::plan;
use trestle_street::cost::WalkPace;
use trestle_street::nearest_vertices::nearest_vertices;

const LINES: &str = "
    stop A 1 1
    stop B 12 1
    stop C 24 1
    stop D 12 4
    stop E 20 9
    line 1 600 7:04 9:30 : A 0, B 3, C 6
    line 2 420 7:02 9:30 : D 0, E 5
";

/// 100 m at 1.33 m/s, rounded up as every street is.
const BLOCK: i32 = 76;

pub(crate) static TOWN: LazyLock<GridTown> = LazyLock::new(|| GridTown::new("ground", 26, 11, LINES));

/// Seconds to every vertex by the way of least cost.
fn cheapest(request: &RoutingRequest) -> Vec<i32> {
    let center = request.from.position.unwrap();
    let query =
        OneToMany { request, origin: Origin::Center(center), max_seconds: 5400, beyond_walk_limit: true };
    let found = one_to_many(&TOWN.snapshot, &query, &mut Scratch::default(), &Deadline::default());
    let found = found.unwrap();
    TOWN.vertices().map(|vertex| found.seconds_to(vertex) as i32).collect()
}

/// Least seconds to every vertex, without at most `clamp` seconds of the wait for the first vehicle.
fn earliest(request: &RoutingRequest, clamp: i32) -> Vec<i32> {
    let center = request.from.position.unwrap();
    let deadline = Deadline::default();
    let search = EarliestSearch::new(&TOWN.snapshot, request, 5400, &deadline).unwrap();
    let mut scratch = Scratch::default();
    let found = search.everywhere(center, clamp, &mut scratch).unwrap();
    let times = found.active_times(clamp);
    TOWN.vertices().map(|vertex| times.seconds_to(vertex)).collect()
}

/// The vertex of a crossing.
fn vertex(column: f64, row: f64) -> usize {
    TOWN.vertex_at(crossing(column, row)).index()
}

/// At any time that can be written: on days outside the timetables the answer is as if no vehicle were allowed.
#[test]
fn outside_of_the_timetables_streets_remain() {
    for (arrive_by, column) in [(false, 1.0), (true, 24.0)] {
        let center = crossing(column, 1.0);
        let base = RoutingRequest {
            to: place(center),
            direction: Direction::of_request(arrive_by),
            ..request_from(center, "8:00")
        };
        let walked = RoutingRequest { whitelisted_agencies: vec!["nobody".to_owned()], ..base.clone() };
        let (by_cost, by_time) = (cheapest(&walked), earliest(&walked, -1));
        assert!(by_time.iter().any(|&seconds| seconds > 600), "{arrive_by}");
        assert_ne!(by_time, earliest(&base, -1), "{arrive_by}");
        for epoch_seconds in [-1, 0, 4_102_444_800, 253_402_300_799] {
            let outside = RoutingRequest { epoch_seconds, ..base.clone() };
            assert_eq!(cheapest(&outside), by_cost);
            assert_eq!(earliest(&outside, -1), by_time);
        }
    }
}

/// Ways beyond the walking limit are only given up where they hide nothing within it. Here they hide expensive rides.
#[test]
fn results_within_the_walking_limit_are_the_same_with_and_without_those_beyond() {
    let request = RoutingRequest {
        max_walk_distance: 600.0,
        walk_board_cost: 3000,
        ..request_from(crossing(1.0, 1.0), "8:00")
    };
    let center = request.from.position.unwrap();
    let [all, within] = [true, false].map(|beyond_walk_limit| {
        let query = OneToMany {
            request: &request,
            origin: Origin::Center(center),
            max_seconds: 3000,
            beyond_walk_limit,
        };
        let found =
            one_to_many(&TOWN.snapshot, &query, &mut Scratch::default(), &Deadline::default()).unwrap();
        let ways = found.vertices.iter().zip(found.seconds).zip(found.walk_distance);
        ways.filter(|(_, walked)| *walked <= 600.0).collect::<Vec<_>>()
    });
    assert_eq!(within, all);
    assert!(all.len() > 50);
}

/// Before the first bus, everyone walks at the same speed.
#[test]
fn walking_distances_on_sampled_streets_match_the_times() {
    let request = request_from(crossing(12.0, 5.0), "3:00");
    let area = SampledArea { max_seconds: 800, precision_m: 20, off_road_m: 30, anchor: None };
    let (mut scratch, deadline) = (Scratch::default(), Deadline::default());
    let grid: Grid = time_grid(&TOWN.snapshot, &request, &area, &mut scratch, &deadline).unwrap();
    let (_, _, width, height) = grid.rectangle();
    let nodes = (0..(width * height) as usize).filter(|&at| grid.exists(at) && grid.distance(at) < 5.0);
    let walks: Vec<(f64, f64)> =
        nodes.map(|at| (grid.sample(at).walk_distance, grid.sample(at).time * request.walk_speed)).collect();
    assert!(walks.len() > 500, "{} nodes lie on streets", walks.len());
    for (walked, by_time) in walks {
        // Streets are rounded up to seconds, and off the streets walking is slower.
        assert!((walked - by_time).abs() < 0.02 * by_time + 10.0, "{walked} m, {by_time} m by time");
    }
}

/// Twice this distance is more than the numbers of the search can hold.
#[test]
fn ground_that_is_very_far_from_streets_does_not_fit_into_a_grid() {
    let request = request_from(crossing(12.0, 5.0), "3:00");
    let area = SampledArea { max_seconds: 800, precision_m: 20, off_road_m: i32::MAX, anchor: None };
    let found =
        time_grid::<Seconds>(&TOWN.snapshot, &request, &area, &mut Scratch::default(), &Deadline::default());
    assert!(matches!(found, Err(AnalysisError::TooLarge(text)) if text.contains("offRoadDistanceMeters")));
}

/// At 8:04:30 the next bus leaves A in 9:30 minutes, which are subtracted afterwards. Halfway to B it is about as quick
/// to ride to B and walk back.
#[test]
fn between_a_corner_walked_to_and_one_ridden_to_the_first_wait_counts() {
    let request = RoutingRequest {
        epoch_seconds: at("8:04") + 30,
        walk_board_cost: 0,
        wait_at_beginning_factor: 0.01,
        ..request_from(crossing(1.0, 1.0), "8:04")
    };
    let seconds = cheapest(&request);
    let by_foot = |column: &i32| seconds[vertex(f64::from(*column), 1.0)] > (column - 1) * BLOCK - 8;
    let last = (2..12).take_while(by_foot).last().unwrap();
    let ends = [last, last + 1].map(|column| seconds[vertex(f64::from(column), 1.0)]);
    let area = SampledArea { max_seconds: 3000, precision_m: 20, off_road_m: 30, anchor: None };
    let (mut scratch, deadline) = (Scratch::default(), Deadline::default());
    let grid: Grid = time_grid(&TOWN.snapshot, &request, &area, &mut scratch, &deadline).unwrap();
    let middle = crossing(f64::from(last) + 0.5, 1.0);
    let (west, south, width, height) = grid.rectangle();
    let metres = |at: usize| {
        let (x, y) = (at as i32 % width, at as i32 / width);
        distance_m(grid.frame.node(west + x, south + y), middle)
    };
    let at_middle = (0..(width * height) as usize).filter(|&at| grid.exists(at));
    let at_middle = at_middle.min_by(|a, b| metres(*a).total_cmp(&metres(*b))).unwrap();
    let time = grid.sample(at_middle).time as i32;
    assert!(time > ends[0].max(ends[1]) + BLOCK, "{time} s between {ends:?}");
}

#[test]
fn walking_and_riding_times_are_those_derived_by_hand() {
    // 8:00 at stop A; the bus leaves at 8:04 and is at B after 3, at C after 6 minutes.
    let request = request_from(crossing(1.0, 1.0), "8:00");
    for (aim, seconds) in [("cheapest", cheapest(&request)), ("earliest", earliest(&request, i32::MAX))] {
        let to = |column: f64, row: f64| seconds[vertex(column, row)];
        assert_eq!(to(1.0, 1.0), 0, "{aim}: the place itself");
        assert_eq!(to(3.0, 1.0), 2 * BLOCK, "{aim}: two blocks straight on");
        assert_eq!(to(4.0, 1.0), 3 * BLOCK, "{aim}: three blocks straight on");
        // A second onto the stop, the wait taken off, the ride, a second off it.
        assert_eq!(to(24.0, 1.0), 1 + 360 + 1, "{aim}: stop C");
        assert_eq!(to(25.0, 1.0), 1 + 360 + 1 + BLOCK, "{aim}: one block after stop C");
    }
}

#[test]
fn the_wait_counts_as_far_as_it_is_not_removed() {
    let plain = request_from(crossing(1.0, 1.0), "8:00");
    let at_c = |clamp: i64| {
        let base = RoutingRequest { clamp_initial_wait: clamp, ..plain.clone() };
        cheapest(&base)[vertex(24.0, 1.0)]
    };
    // 8:10:01 at the street beside C, of which 239 s are waiting after the second onto the stop.
    assert_eq!((at_c(0), at_c(100), at_c(-1)), (601, 501, 362));
    let at_c = |clamp: i32| earliest(&plain, clamp)[vertex(24.0, 1.0)];
    assert_eq!((at_c(0), at_c(100), at_c(i32::MAX)), (601, 501, 362));
}

#[test]
fn walkers_reach_corners_without_vehicles() {
    let request =
        RoutingRequest { modes: ModeSet::of(&[Mode::Walk]), ..request_from(crossing(1.0, 1.0), "8:00") };
    assert_eq!(cheapest(&request)[vertex(12.0, 1.0)], 11 * BLOCK);
}

fn by_places(from: LatLon, to: LatLon, base: &RoutingRequest) -> RoutingRequest {
    RoutingRequest { from: place(from), to: place(to), ..base.clone() }
}

/// A request whose costs are seconds, some minutes after half past seven.
fn by_time_alone(from: LatLon, to: LatLon, minute: i64) -> RoutingRequest {
    let base = RoutingRequest {
        epoch_seconds: at("7:30") + 60 * minute,
        clamp_initial_wait: 0,
        max_walk_distance: 15_000.0,
        max_transfers: 4,
        num_itineraries: 3,
        walk_reluctance: 1.0,
        stairs_reluctance: 1.0,
        wait_at_beginning_factor: 1.0,
        walk_board_cost: 0,
        ..RoutingRequest::default()
    };
    by_places(from, to, &base)
}

/// A node that a place is joined to, and the seconds of the straight walk.
fn joined(node: VertexIdx, metres: f64, base: &RoutingRequest) -> (LatLon, i32) {
    (TOWN.snapshot.graph.street.position(node), WalkPace::of(base).seconds(metres.trunc()) as i32)
}

/// The nodes that a place is joined to where a search starts.
fn starts(place: LatLon, base: &RoutingRequest) -> [(LatLon, i32); 2] {
    let near = nearest_vertices(&TOWN.snapshot.graph.street, place, 3);
    [near[0], near[2]].map(|(node, metres)| joined(node, metres, base))
}

/// Seconds of the best plan, which begins when `before` seconds have passed.
fn planned(before: i32, from: LatLon, to: LatLon, base: &RoutingRequest) -> i32 {
    let epoch_seconds = base.epoch_seconds + i64::from(before);
    let request = RoutingRequest { epoch_seconds, ..by_places(from, to, base) };
    let memory = &mut trestle_planner::Scratch::default();
    let seconds = |itinerary: &Itinerary| itinerary.end_time / 1000 - base.epoch_seconds;
    let found = plan(&TOWN.snapshot, &request, memory, &Deadline::default());
    found.map_or(UNREACHED, |plan| plan.itineraries.iter().map(seconds).min().unwrap() as i32)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// When costs are seconds, the cheapest plan is the earliest one.
    #[test]
    fn each_time_is_that_of_the_best_plan(
        (column, row) in (0..26u32, 0..11u32),
        (to_column, to_row) in (0..26u32, 0..11u32),
        minute in 0..60i64,
        bans in bans(),
    ) {
        let center = crossing(f64::from(column), f64::from(row));
        let goal = crossing(f64::from(to_column), f64::from(to_row));
        prop_assume!(distance_m(center, goal) > 500.0);
        let mut base = by_time_alone(center, goal, minute);
        bans.iter().for_each(|ban| ban.add_to(&mut base, &TOWN));
        let surface = earliest(&base, 0)[vertex(f64::from(to_column), f64::from(to_row))];
        let ways = starts(center, &base).map(|(start, before)| planned(before, start, goal, &base));
        let best = ways.into_iter().min().unwrap();
        prop_assume!(best != UNREACHED);
        // Searches in opposite directions may take other corners after the last vehicle.
        prop_assert!((surface - best).abs() <= 8, "surface {surface} s, plan {best} s");
    }

    /// Matrices join places to nodes by straight walks. Between these nodes, their times are those of plans.
    #[test]
    fn times_of_a_matrix_are_those_of_plans_between_the_nodes(
        from in (0.0..25.0, 0.0..10.0),
        to in (0.0..25.0, 0.0..10.0),
        minute in 0..60i64,
        bans in bans(),
    ) {
        let [from, to] = [from, to].map(|(column, row)| crossing(column, row));
        // Plans from a node to itself are refused.
        prop_assume!(distance_m(from, to) > 500.0);
        let mut base = by_time_alone(from, to, minute);
        bans.iter().for_each(|ban| ban.add_to(&mut base, &TOWN));
        let (scratch, deadline) = (&mut Scratch::default(), Deadline::default());
        let destinations =
            linked_destinations(&TOWN.snapshot, &[to], &base, &deadline).unwrap();
        let Destination::Nodes { sample: Sample { vertices, metres }, .. } = destinations[0] else {
            unreachable!()
        };
        let query = MatrixQuery { request: base.clone(), max_seconds: 5400, destinations, origins: 1 };
        let matrix = Matrix::new(&TOWN.snapshot, &query, scratch, &deadline).unwrap();
        let found = matrix.row(from, scratch).unwrap()[0];
        let ends = [0, 1].map(|i| joined(VertexIdx(vertices[i]), f64::from(metres[i]), &base));
        let ways = starts(from, &base).into_iter().flat_map(|start| ends.map(move |end| (start, end)));
        let best = ways.map(|((start, before), (end, after))| {
            planned(before, start, end, &base).saturating_add(after)
        });
        prop_assert_eq!(found, best.min().unwrap());
    }
}

#[test]
fn a_ride_after_a_long_wait_counts_beside_the_sooner_walk() {
    // At 8:04:30 the next bus leaves A in 9:30 minutes. Eight blocks on foot take less time than the ride to B and
    // three blocks back, but without the wait the ride is quicker.
    let request =
        RoutingRequest { epoch_seconds: at("8:04") + 30, ..request_from(crossing(1.0, 1.0), "8:04") };
    let deadline = Deadline::default();
    let search = EarliestSearch::new(&TOWN.snapshot, &request, 5400, &deadline).unwrap();
    let center = request.from.position.unwrap();
    let mut scratch = Scratch::default();
    let found = search.everywhere(center, 1800, &mut scratch).unwrap();
    let [walk, ride] = [0, 1800].map(|clamp| found.active_times(clamp).seconds_to(vertex(9.0, 1.0).into()));
    assert!((8 * BLOCK - 8..=8 * BLOCK).contains(&walk), "{walk}");
    assert_eq!(ride, 1 + 180 + 1 + 3 * BLOCK);
}

#[test]
fn nobody_walks_from_stop_to_stop_before_the_first_vehicle() {
    let stop = |column, row| {
        let stops = &TOWN.snapshot.graph.timetable.stops;
        let metres = |s: usize| distance_m(crossing(column, row), LatLon::new(stops.lat[s], stops.lon[s]));
        StopIdx((0..stops.lat.len()).min_by(|a, b| metres(*a).total_cmp(&metres(*b))).unwrap() as u32)
    };
    let request = request_from(crossing(12.0, 1.0), "8:00");
    let deadline = Deadline::default();
    let search = EarliestSearch::new(&TOWN.snapshot, &request, 5400, &deadline).unwrap();
    let at_stops = |origin: StopIdx| {
        let mut scratch = Scratch::default();
        let found = search.everywhere_from_stops(&[origin], 0, &mut scratch);
        found.unwrap().active_seconds_at_stops(1800)
    };
    let from_b = at_stops(stop(12.0, 1.0));
    assert_eq!(from_b[stop(24.0, 1.0).index()], 1 + 180, "stop C, without the wait");
    // Via stop D, three blocks away, it would be 8:10; from stop C the walk is 15 blocks back, for the vehicle of 8:33.
    assert_eq!(from_b[stop(20.0, 9.0).index()], 38 * 60 - (7 * 60 - 1), "stop E");
}

/// The vehicles of line 2 leave nine blocks from where those of line 1 arrive: farther than prepared transfers are.
#[test]
fn walks_to_another_stop_may_be_long() {
    let lines = "
        stop A 1 1
        stop B 12 1
        stop D 12 10
        stop E 24 10
        line 1 600 7:04 9:30 : A 0, B 3
        line 2 420 7:02 9:30 : D 0, E 5
    ";
    let town = GridTown::new("far", 26, 11, lines);
    assert!(town.snapshot.graph.timetable.transfers.direct.is_empty());
    let request = request_from(crossing(1.0, 1.0), "8:00");
    let deadline = Deadline::default();
    let search = EarliestSearch::new(&town.snapshot, &request, 5400, &deadline).unwrap();
    let center = request.from.position.unwrap();
    let mut scratch = Scratch::default();
    let found = search.everywhere(center, 1800, &mut scratch).unwrap();
    let end = town.vertex_at(crossing(24.0, 10.0));
    let [all, active] = [0, 1800].map(|clamp| found.active_times(clamp).seconds_to(end));
    // At B at 8:07, at D at 8:18:26, at E at 8:24; one second of the wait at A is used for getting onto the stop.
    assert_eq!((all, active), (24 * 60 + 1, 24 * 60 + 1 - 239));
}

fn shed(seconds: f64, form: WalkshedForm) -> Result<Walkshed, AnalysisError> {
    let walk = ModeSet::of(&[Mode::Walk]);
    let request = RoutingRequest { modes: walk, ..request_from(crossing(10.5, 5.0), "8:00") };
    walkshed(&TOWN.snapshot, &request, seconds, form, &mut Scratch::default(), &Deadline::default())
}

#[test]
fn five_minutes_reach_the_crossings_within_four_blocks() {
    // Half a block takes 38 s to both sides, each further one 76 s: 300 s are half a block and three blocks.
    let Walkshed::Points(points) = shed(300.0, WalkshedForm::Points).unwrap() else { panic!() };
    let reached = |column: f64, row: f64| points.iter().any(|p| distance_m(*p, crossing(column, row)) < 1.0);
    assert!(reached(14.0, 5.0) && reached(7.0, 5.0), "straight on");
    assert!(!reached(15.0, 5.0) && !reached(6.0, 5.0) && !reached(12.0, 8.0));
    let Walkshed::Edges(lines) = shed(300.0, WalkshedForm::Edges).unwrap() else { panic!() };
    let east = lines.iter().flatten().map(|p| p.lon).fold(f64::MIN, f64::max);
    // 34 s are left after the last crossing: 45 m of the next block.
    let expected = crossing(14.45, 5.0).lon;
    assert!((east - expected).abs() < 1e-5 * 2.0, "the last street is cut: {east}, not {expected}");
    let Walkshed::Shed(ring) = shed(300.0, WalkshedForm::Shed).unwrap() else { panic!() };
    assert!(contains(&ring, crossing(12.2, 5.2)) && !contains(&ring, crossing(14.0, 8.0)));
}

/// Recorded answers and other servers count a stop as a place of its own, a second after its street.
#[test]
fn the_stops_at_reached_streets_are_reached_unless_by_car() {
    // B is at a crossing, one and a half blocks away: 38 and 76 s on foot.
    let points_at_b = |seconds: f64, mode: Mode| {
        let request =
            RoutingRequest { modes: ModeSet::of(&[mode]), ..request_from(crossing(10.5, 1.0), "8:00") };
        let (scratch, deadline) = (&mut Scratch::default(), Deadline::default());
        let found = walkshed(&TOWN.snapshot, &request, seconds, WalkshedForm::Points, scratch, &deadline);
        let Walkshed::Points(points) = found.unwrap() else { panic!() };
        points.iter().filter(|&&point| distance_m(point, crossing(12.0, 1.0)) < 1.0).count()
    };
    assert_eq!([113.0, 114.0, 115.0].map(|seconds| points_at_b(seconds, Mode::Walk)), [0, 1, 2]);
    assert_eq!(points_at_b(60.0, Mode::Bicycle), 2);
    assert_eq!(points_at_b(600.0, Mode::Car), 1);
}

#[test]
fn impossible_times_are_refused() {
    assert!(matches!(shed(f64::NAN, WalkshedForm::Shed), Err(AnalysisError::Invalid(_))));
    assert!(matches!(shed(1e9, WalkshedForm::Shed), Err(AnalysisError::TooLarge(_))));
    assert_eq!(shed(-1.0, WalkshedForm::Points), Ok(Walkshed::Points(Vec::new())));
}

/// As in plans and in recorded answers, a place far off its street is as good as one on it.
#[test]
fn the_way_to_the_street_takes_no_time() {
    let base = |row: f64| RoutingRequest {
        modes: ModeSet::default().with(Mode::Walk),
        ..request_from(crossing(5.5, row), "8:00")
    };
    let points = |row: f64| {
        let (request, scratch) = (base(row), &mut Scratch::default());
        let found =
            walkshed(&TOWN.snapshot, &request, 300.0, WalkshedForm::Points, scratch, &Deadline::default());
        let Walkshed::Points(points) = found.unwrap() else { panic!() };
        points.len()
    };
    // Row 0 is the southernmost street; there is no other half a block south of it.
    assert_eq!(points(0.0), points(-0.5));
    assert!(points(0.0) > 5);
}

#[test]
fn a_rental_station_is_a_place() {
    let position = crossing(5.0, 5.0);
    let station = LiveStation { id: "w".to_owned(), position, ..LiveStation::default() };
    let (bikes, _) = BikeStations::new(&TOWN.snapshot.graph.street, &[station]);
    let live = TOWN.snapshot.with_bikes(Arc::new(bikes));
    let labelled = |label: &str| {
        let from = PlaceRequest { label: label.to_owned(), ..PlaceRequest::default() };
        RoutingRequest { from, ..request_from(position, "8:00") }
    };
    let area = SampledArea { max_seconds: 600, precision_m: 50, off_road_m: 50, anchor: None };
    let contours = |request: &RoutingRequest| {
        let (scratch, deadline) = (&mut Scratch::default(), &Deadline::default());
        let grid: Grid<Seconds> = time_grid(&live, request, &area, scratch, deadline)?;
        contours(&grid, &[600], 5, deadline)
    };
    let times = |request: &RoutingRequest| {
        let found = surface(&live, request, 10, &mut Scratch::default(), &Deadline::default()).unwrap();
        TOWN.vertices().map(|vertex| found.seconds_to(vertex.0)).collect::<Vec<_>>()
    };
    let (named, at_coordinate) = (labelled("bike rental station w"), request_from(position, "8:00"));
    assert_eq!(contours(&named).unwrap(), contours(&at_coordinate).unwrap());
    assert_eq!(times(&named), times(&at_coordinate));
    let unknown = contours(&labelled("bike rental station x"));
    assert_eq!(unknown, Err(AnalysisError::PlaceNotFound("from")));
}
