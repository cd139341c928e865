//! A search over a window of departures gives the same as many searches of one departure.

use std::sync::{Arc, LazyLock};

use crate::bans::{Ban, bans};
use crate::support::{GridTown, at, crossing, place};
use proptest::prelude::*;
use trestle_analysis::AnalysisError;
use trestle_analysis::Scratch;
use trestle_analysis::one_to_many::EarliestSearch;
use trestle_analysis::one_to_many::window::{NOT_REACHED, WindowQuery, window_times};
use trestle_analysis::surface::{DepartureWindow, Statistic, UNREACHED, surface, window_surfaces};
use trestle_engine::deadline::Deadline;
use trestle_engine::realtime::BikeStations;
use trestle_model::geo::LatLon;
use trestle_model::{Direction, Mode, ModeSet, RoutingRequest};
use trestle_transit::overlay::Overlay;

const LINES: &str = "
    stop A 1 1
    stop B 12 1
    stop C 24 1
    stop D 12 4
    stop E 20 9
    line 1 600 7:00 9:30 : A 0, B 3, C 6
    line 1E 1500 7:05 9:30 : A 0, C 4
    line 2 420 7:02 9:30 : D 0, E 5
    line 2R 900 7:02 9:30 : E 0, D 5, B 7
";

/// Corners where walkers who arrive from two sides at the same time may turn differently: seconds.
const TIE_SECONDS: i32 = 7;

/// Travellers at A of station S are at F as well, eight blocks away; those who leave a vehicle at E are at G.
const STATIONS: &str = "
    stop A 1 1 in S
    stop F 1 9 in S
    stop C 24 1
    stop E 20 9 in T
    stop G 9 5 in T
    line 1 600 7:00 9:30 : A 0, C 6
    line 2 420 7:02 9:30 : F 0, E 5
";

static STATION_TOWN: LazyLock<GridTown> = LazyLock::new(|| GridTown::new("stations", 26, 11, STATIONS));
static TOWN: LazyLock<GridTown> = LazyLock::new(|| GridTown::new("window", 26, 11, LINES));

fn request(center: LatLon, time: i64, arrive_by: bool) -> RoutingRequest {
    RoutingRequest {
        from: place(center),
        to: place(center),
        epoch_seconds: time,
        direction: Direction::of_request(arrive_by),
        clamp_initial_wait: 0,
        ..RoutingRequest::default()
    }
}

/// Seconds of one departure to every vertex.
fn single(town: &GridTown, request: &RoutingRequest, center: LatLon, max_seconds: i32) -> Vec<f32> {
    let deadline = Deadline::default();
    let search = EarliestSearch::new(&town.snapshot, request, max_seconds, &deadline).unwrap();
    let mut scratch = Scratch::default();
    let found = search.everywhere(center, 0, &mut scratch).unwrap().active_times(0);
    let drawn = |seconds: i32| if seconds == UNREACHED { f32::INFINITY } else { seconds as f32 };
    town.vertices().map(|vertex| drawn(found.seconds_to(vertex))).collect()
}

/// The place, the number of departures and the seconds between them, and the direction.
type Question = (f64, f64, usize, i32, bool);

fn compare(town: &GridTown, question: &Question, bans: &[Ban]) -> Result<(), TestCaseError> {
    let &(column, row, count, step, arrive_by) = question;
    let (center, first, max_seconds) = (crossing(column, row), at("7:40"), 3000);
    let request = |time: i64| {
        let mut request = request(center, time, arrive_by);
        bans.iter().for_each(|ban| ban.add_to(&mut request, town));
        request
    };
    let base = request(first);
    let query = WindowQuery { request: &base, center, step, count, max_seconds, max_stop_seconds: i32::MAX };
    let mut scratch = Scratch::default();
    let times = window_times(&town.snapshot, &query, &mut scratch, &Deadline::default()).unwrap();
    prop_assert_eq!(times.departures(), count);
    for index in 0..count {
        let moment = request(first + i64::from(step) * index as i64);
        let expected = single(town, &moment, center, max_seconds);
        for (vertex, expected) in town.vertices().zip(expected) {
            let got = times.seconds(index, vertex);
            // Where the limit is within a tie, one of the two may be beyond it.
            let near_limit = expected > (max_seconds - TIE_SECONDS) as f32
                || i32::from(got) > max_seconds - TIE_SECONDS && got != NOT_REACHED;
            let same = match (got, expected) {
                (NOT_REACHED, expected) => expected.is_infinite(),
                (got, expected) => (f32::from(got) - expected).abs() <= TIE_SECONDS as f32,
            };
            prop_assert!(same || near_limit, "departure {index}, {vertex:?}: {got}, not {expected}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_window_is_many_searches(
        question in (0.0..25.0f64, 0.0..10.0f64, 1..14usize, 30..400i32, any::<bool>()),
        bans in bans(),
    ) {
        compare(&TOWN, &question, &bans)?;
        compare(&STATION_TOWN, &question, &bans)?;
    }
}

#[test]
fn statistics_are_those_of_all_departures() {
    let town = &TOWN;
    let (center, first) = (crossing(1.0, 1.0), at("8:00"));
    let base = request(center, first, false);
    let statistics = [
        Statistic::Min,
        Statistic::Avg,
        Statistic::Max,
        Statistic::Percentile(50.0),
        Statistic::Percentile(95.0),
    ];
    let window = DepartureWindow { seconds: 3600, step: 60, max_stop_seconds: i32::MAX, cutoff_minutes: 40 };
    let (mut scratch, deadline) = (Scratch::default(), Deadline::default());
    let surfaces =
        window_surfaces(&town.snapshot, &base, window, &statistics, &mut scratch, &deadline).unwrap();
    let all: Vec<Vec<f32>> = (0..60)
        .map(|minute| single(town, &request(center, first + 60 * minute, false), center, 2400))
        .collect();
    for vertex in 0..all[0].len() {
        let mut values: Vec<f32> = all.iter().map(|seconds| seconds[vertex]).collect();
        values.sort_by(f32::total_cmp);
        let reached: Vec<f32> = values.iter().copied().filter(|seconds| seconds.is_finite()).collect();
        let average = reached.iter().sum::<f32>() / reached.len().max(1) as f32;
        let average = if reached.is_empty() { f32::INFINITY } else { average };
        for (surface, expected) in
            surfaces.iter().zip([values[0], average, values[59], values[29], values[56]])
        {
            let got = surface.seconds_to(vertex as u32);
            let same = match got {
                UNREACHED => expected > 2390.0,
                got => (got as f32 - expected).abs() <= TIE_SECONDS as f32 || expected > 2390.0,
            };
            assert!(same, "vertex {vertex}: {got}, not {expected}");
        }
    }
}

/// Line 1 leaves A every ten minutes; C is six minutes away and more than an hour's walk.
#[test]
fn later_departures_wait_less() {
    let town = &TOWN;
    let center = crossing(1.0, 1.0);
    let base = request(center, at("9:10"), false);
    let query = WindowQuery {
        request: &base,
        center,
        step: 60,
        count: 9,
        max_seconds: 1500,
        max_stop_seconds: i32::MAX,
    };
    let mut scratch = Scratch::default();
    let times = window_times(&town.snapshot, &query, &mut scratch, &Deadline::default()).unwrap();
    let street = &town.snapshot.graph.street;
    let target = crossing(24.0, 1.0);
    let (vertex, _) = trestle_street::nearest_vertices::nearest_vertices(street, target, 1)[0];
    let minutes: Vec<i16> = (0..9).map(|index| times.seconds(index, vertex)).collect();
    // The walk to the stop takes some seconds: too late for the bus of 9:10, in time for the express of 9:10 + 0.
    let waits: Vec<i16> = minutes.windows(2).map(|pair| pair[0] - pair[1]).collect();
    assert!(waits[1..].iter().all(|&less| less == 60), "{minutes:?}");
}

#[test]
fn windows_that_cannot_be_searched_are_refused() {
    let town = &TOWN;
    let center = crossing(1.0, 1.0);
    let base = request(center, at("8:00"), false);
    let search = |base: &RoutingRequest, center, count, step, max_seconds| {
        let query =
            WindowQuery { request: base, center, step, count, max_seconds, max_stop_seconds: i32::MAX };
        window_times(&town.snapshot, &query, &mut Scratch::default(), &Deadline::default())
            .map(|times| times.departures())
    };
    assert_eq!(search(&base, center, 3, 60, 600), Ok(3));
    assert!(matches!(search(&base, center, 0, 60, 600), Err(AnalysisError::Invalid(_))));
    assert!(matches!(search(&base, center, 3, 0, 600), Err(AnalysisError::Invalid(_))));
    assert!(matches!(search(&base, center, 600, 60, 600), Err(AnalysisError::Invalid(_))));
    let far = LatLon::new(50.0, 8.0);
    assert_eq!(search(&base, far, 3, 60, 600), Err(AnalysisError::PlaceNotFound("from")));
    let walking = RoutingRequest { modes: ModeSet::of(&[Mode::Walk]), ..base.clone() };
    assert_eq!(search(&walking, center, 2, 60, 600), Ok(2));
}

#[test]
fn surfaces_do_not_keep_the_live_data_of_their_moment() {
    let stations = Arc::<BikeStations>::default();
    let live = TOWN.snapshot.with_trip_updates(Overlay::default().successor()).with_bikes(stations.clone());
    let request = request(crossing(5.0, 5.0), at("8:00"), false);
    let (mut scratch, deadline) = (Scratch::default(), Deadline::default());
    let window = DepartureWindow { seconds: 600, step: 60, max_stop_seconds: i32::MAX, cutoff_minutes: 30 };
    let mut kept =
        window_surfaces(&live, &request, window, &[Statistic::Avg], &mut scratch, &deadline).unwrap();
    kept.push(surface(&live, &request, 30, &mut scratch, &deadline).unwrap());
    drop(live);
    assert!(kept.iter().all(|surface| surface.snapshot.overlay.is_none()));
    assert_eq!(Arc::strong_count(&stations), 1);
}
