//! Searches from place to place find the same with a metric and without.

use proptest::prelude::*;
use trestle_model::request::Optimize;
use trestle_model::{Direction, Forward};

use super::*;
use crate::search::{BikeStation, LinkedBikeStations, StationKind, StreetLimits, StreetMetrics};
use crate::testing::{at, graph};

const SIDE: usize = 6;
const CORNERS: usize = SIDE * SIDE;

/// Of two paths of equal cost to a corner a search keeps either one, and the turn that follows may cost more after one
/// than after the other. Few towns have such paths, and hardly any still has them when its streets are a little longer: one
/// of 30,000 had them at three lengths.
const STRETCHES: [f64; 4] = [1.0, 1.0007, 1.0019, 1.0041];

/// A town with all features for which searches have rules.
fn town(choices: &[u8], stretch: f64) -> TestGraph {
    let mut text = String::new();
    for i in 0..CORNERS {
        let (jitter, unique) = (f64::from(choices[i] % 40), i as f64);
        let (east, north) = ((i % SIDE) as f64 * 100.0 + jitter, (i / SIDE) as f64 * 100.0);
        let kind = ["", "", "", "light", "split"][usize::from(choices[i]) / 40 % 5];
        let (east, north) = ((east + unique.sqrt()) * stretch, (north + unique.sin() * 9.0) * stretch);
        text += &format!("v{i} {east} {north} {kind}\n");
    }
    // A footbridge over the third row, with a lift at each end and a free way down in the middle.
    let level = |i: usize| 2 * SIDE + i;
    for i in 0..SIDE {
        let corner = text.lines().nth(level(i)).unwrap_or_default().split(' ').collect::<Vec<_>>();
        let aside = if [0, 3, 5].contains(&i) { 0.0 } else { 7.0 + i as f64 };
        text += &format!("l{i} {} {}\n", corner[1], corner[2].parse::<f64>().unwrap() + aside);
    }
    text += &format!(
        "v{0} - l0 w kind=2\nl5 - v{1} w kind=2\nl3 > v{2} w kind=1\n",
        level(0),
        level(5),
        level(3)
    );
    (1..SIDE).for_each(|i| text += &format!("l{} - l{i} wbc\n", i - 1));
    let mut open = Vec::new();
    let right = |i: usize| (i % SIDE + 1 < SIDE).then_some((i, i + 1));
    let above = |i: usize| (i + SIDE < CORNERS).then_some((i, i + SIDE));
    let streets = (0..CORNERS).flat_map(|i| right(i).into_iter().chain(above(i)));
    for ((a, b), choice) in streets.zip(&choices[CORNERS..]) {
        let (a, b) = if choice & 64 == 0 { (a, b) } else { (b, a) };
        let (arrow, options) = match choice % 20 {
            0 | 1 => continue,
            2 => (">", "wbc"),
            3 => ("-", "w steps"),
            4 => ("-", "wbc speed=30"),
            5 => ("-", "w"),
            6 => ("-", "wbc safety=2.06"),
            7 | 8 => ("-", "wbc private"),
            9 => ("-", "wbc slope=0.06"),
            _ => ("-", "wbc"),
        };
        text += &format!("v{a} {arrow} v{b} {options}\n");
        open.push((a, b));
        open.extend((arrow == "-").then_some((b, a)));
    }
    // Two lots, each at a corner.
    for (lot, choice) in [(0, choices[7]), (1, choices[8])] {
        let gate = usize::from(choice) % CORNERS;
        text += &format!(
            "p{lot} {} {} lot\np{lot} - v{gate} w kind=5\np{lot} > p{lot} w kind=6\n",
            37 + 330 * lot,
            411 - 290 * lot
        );
    }
    for choice in choices.iter().rev().take(6).filter(|_| !open.is_empty()) {
        let (a, b) = open[usize::from(*choice) % open.len()];
        let onward: Vec<_> = open.iter().filter(|street| street.0 == b && street.1 != a).collect();
        if let Some((_, c)) = onward.get(usize::from(*choice) % onward.len().max(1)) {
            text += &format!("{} v{a} v{b} v{c}\n", if choice & 32 == 0 { "no" } else { "only" });
        }
    }
    graph(&text)
}

fn requests() -> Vec<RoutingRequest> {
    let usual = RoutingRequest { bike_switch_time: 7, bike_switch_cost: 11.0, ..RoutingRequest::default() };
    let triangle = RoutingRequest {
        optimize: Optimize::Triangle,
        triangle_time: 0.2,
        triangle_slope: 0.3,
        triangle_safety: 0.5,
        turn_reluctance: 3.0,
        ..RoutingRequest::default()
    };
    let wheelchair = RoutingRequest { wheelchair: true, turn_reluctance: 10.0, ..RoutingRequest::default() };
    vec![usual, triangle, wheelchair]
}

/// The costs with a metric and without, of a search in a direction.
fn with_and_without(
    query: &StreetQuery<'_>,
    metrics: &StreetMetrics,
    ends: &[LinkedPlace; 2],
    direction: Direction,
) -> [Option<f64>; 2] {
    let mut search = StreetSearch::new();
    [Some(metrics), None].map(|metrics| {
        let query = StreetQuery { metrics, ..*query };
        search.route(&query, &ends[0], &ends[1], direction).unwrap().map(|path| path.weight)
    })
}

/// Prepares the metrics of searches in a direction; none are for cars that take somebody, from their ends.
fn prepared(query: &StreetQuery<'_>, direction: Direction) -> StreetMetrics {
    let metrics = StreetMetrics::default();
    let is_prepared = metrics.prepare(query, direction).unwrap();
    assert!(
        is_prepared || (query.costs.street_mode, direction) == (StreetMode::KissAndRide, Direction::Backward)
    );
    metrics
}

/// Where searches between two corners, between two other places, and between places that may be on one street, find
/// different costs with a metric and without.
fn differences(test: &TestGraph, corners: [usize; 2], (east, north): ([f64; 2], [f64; 2])) -> Vec<String> {
    let mut found = Vec::new();
    for (request, street_mode) in requests().iter().flat_map(|request| {
        [StreetMode::Walk, StreetMode::Bicycle, StreetMode::Car, StreetMode::ParkCar, StreetMode::KissAndRide]
            .map(|street_mode| (request, street_mode))
    }) {
        let costs = StreetCosts::from_request(request, 0).for_mode(street_mode);
        let query = StreetQuery::new(&test.graph, &costs);
        let corners = corners.map(|v| LinkedPlace::at_vertex(&test.graph, test.vertex(&format!("v{v}"))));
        let places = [0, 1].map(|i| link(test, at(east[i], north[i]), street_mode));
        let near = [0.0, 25.0].map(|metres| link(test, at(east[0] + metres, north[0] + metres), street_mode));
        let metrics = [Direction::Forward, Direction::Backward]
            .map(|direction| (prepared(&query, direction), direction));
        for (ends, (metrics, direction)) in
            [&corners, &places, &near].into_iter().flat_map(|ends| metrics.iter().map(move |one| (ends, one)))
        {
            let [with, without] = with_and_without(&query, metrics, ends, *direction);
            let is_same = match (with, without) {
                (Some(with), Some(without)) => (with - without).abs() < 1e-3,
                _ => with == without,
            };
            if !is_same {
                found.push(format!("{street_mode:?} {direction:?} {with:?} {without:?}"));
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn metrics_change_no_cost(
        choices in proptest::collection::vec(any::<u8>(), 100),
        from in 0..CORNERS, to in 0..CORNERS,
        east in [0.0..560.0f64, 0.0..560.0], north in [0.0..560.0f64, 0.0..560.0],
    ) {
        let of_town = |stretch| differences(&town(&choices, stretch), [from, to], (east, north));
        let found: Vec<_> =
            STRETCHES.into_iter().map(of_town).take_while(|found| !found.is_empty()).collect();
        prop_assert!(found.len() < STRETCHES.len(), "{found:?}");
    }

    #[test]
    fn places_out_of_reach_are_those_without_a_path(
        choices in proptest::collection::vec(any::<u8>(), 100),
        east in [0.0..560.0f64, 0.0..560.0], north in [0.0..560.0f64, 0.0..560.0],
        max_walk_distance in 0.0..900.0f64,
    ) {
        let test = town(&choices, 1.0);
        let kinds = [StationKind::Rental, StationKind::Rental, StationKind::BikePark];
        let stations = kinds.into_iter().zip([at(120.0, 130.0), at(400.0, 210.0), at(330.0, 420.0)]);
        let station = |(kind, position)| BikeStation {
            kind,
            place: link(&test, position, StreetMode::Walk),
            has_bikes: true,
            has_spaces: true,
            allow_dropoff: true,
            networks: 1,
        };
        let stations = LinkedBikeStations::new(&test.graph, stations.map(station).collect());
        for (street_mode, direction) in [
            StreetMode::Walk,
            StreetMode::Bicycle,
            StreetMode::RentedBicycle,
            StreetMode::ParkBicycle,
            StreetMode::ParkCar,
            StreetMode::KissAndRide,
        ]
        .into_iter()
        .flat_map(|street_mode| [(street_mode, Direction::Forward), (street_mode, Direction::Backward)])
        {
            let costs = StreetCosts::from_request(&RoutingRequest::default(), 0).for_mode(street_mode);
            let ends = [0, 1].map(|i| link(&test, at(east[i], north[i]), street_mode));
            // The limit is as hard with a cost that no path stays below, but then places are not compared in advance.
            let [first, second] = [0.0, 1e-9].map(|max_cost_beyond| {
                let limits = StreetLimits { max_walk_distance, max_cost_beyond, ..StreetLimits::default() };
                let stations = Some(&stations);
                let query = StreetQuery { limits, stations, ..StreetQuery::new(&test.graph, &costs) };
                let path = StreetSearch::new().route(&query, &ends[0], &ends[1], direction).unwrap();
                path.map(|path| path.weight)
            });
            prop_assert_eq!(first, second, "{:?} {:?}", street_mode, direction);
        }
    }
}

#[test]
fn nothing_is_searched_for_a_place_out_of_reach() {
    let test = town(&[19; 100], 1.0);
    let costs = StreetCosts::from_request(&RoutingRequest::default(), 0);
    let ends = [at(0.0, 0.0), at(500.0, 500.0)].map(|position| link(&test, position, StreetMode::Walk));
    let metrics = StreetMetrics::default();
    let is_made_within = |max_walk_distance: f64| {
        let limits = StreetLimits { max_walk_distance, ..StreetLimits::default() };
        let query = StreetQuery { limits, metrics: Some(&metrics), ..StreetQuery::new(&test.graph, &costs) };
        for _ in 0..100 {
            StreetSearch::new().route(&query, &ends[0], &ends[1], Direction::Forward).unwrap();
        }
        metrics.get::<Forward>(&query).unwrap().is_some()
    };
    assert!(!is_made_within(600.0), "searches that settle nothing need no metric");
    assert!(is_made_within(800.0));
}
