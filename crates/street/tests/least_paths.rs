//! Every search finds what a plain version of Dijkstra's algorithm finds, which has its own copy of the rules: on real
//! cities, in both directions, for all modes. Skipped where `shared` does not find the cities.
#![allow(clippy::print_stdout)]

use crate::oracle::{Oracle, Ties};
use trestle_model::geo::LatLon;
use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_model::request::Optimize;
use trestle_model::{Direction, IssueSink, RoutingRequest};
use trestle_shared_data::shared;
use trestle_street::build::{StreetBuildOptions, StreetBuilder};
use trestle_street::cost::{StreetCosts, StreetLimits, StreetMode};
use trestle_street::elevation::Raster;
use trestle_street::graph::{StreetGraph, edge_flags};
use trestle_street::link::{LinkEnd, LinkMode, LinkedPlace};
use trestle_street::osm::OsmInput;
use trestle_street::search::{
    BikeStation, DrivingMemory, DrivingTimes, LinkedBikeStations, Objective, StreetMetrics, StreetQuery,
    StreetSearch, TreeStart,
};

const STREET_MODES: [StreetMode; 7] = [
    StreetMode::Walk,
    StreetMode::Bicycle,
    StreetMode::Car,
    StreetMode::RentedBicycle,
    StreetMode::ParkBicycle,
    StreetMode::ParkCar,
    StreetMode::KissAndRide,
];

fn city(osm: &str, raster: Option<&str>) -> Option<StreetGraph> {
    let data = |file: &str| shared(&format!("data/{file}"));
    let bytes = std::fs::read(data(osm)?).unwrap();
    let inputs = [OsmInput { name: "city", bytes: &bytes }];
    let mut issues = IssueSink::default();
    let options = StreetBuildOptions {
        static_park_and_ride: true,
        static_bike_park_and_ride: true,
        ..StreetBuildOptions::default()
    };
    let mut builder = StreetBuilder::read(&inputs, &options, &mut issues, &mut |_, _| {}).unwrap();
    builder.prune_islands(&mut issues);
    if let Some(raster) = raster {
        let bytes = std::fs::read(data(raster)?).unwrap();
        builder.apply_elevation(&Raster::read("raster", &bytes).unwrap(), &mut issues, &mut |_| ());
    }
    Some(builder.finish())
}

/// Pseudo-random vertices with streets for all modes.
fn vertices(graph: &StreetGraph, count: usize) -> Vec<VertexIdx> {
    let all = edge_flags::WALK | edge_flags::BICYCLE | edge_flags::CAR;
    let open = |v: u32| {
        graph.out_edges(VertexIdx(v)).any(|e| graph.edge(EdgeIdx(e)).flags & edge_flags::PERMISSIONS == all)
    };
    let usable: Vec<u32> = (0..graph.vertex_count() as u32).filter(|&v| open(v)).collect();
    let mut seed = 11u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usable[(seed >> 33) as usize % usable.len()]
    };
    (0..count).map(|_| VertexIdx(random())).collect()
}

fn requests() -> Vec<RoutingRequest> {
    let usual = RoutingRequest { bike_switch_time: 7, bike_switch_cost: 11.0, ..RoutingRequest::default() };
    let triangle = RoutingRequest {
        optimize: Optimize::Triangle,
        triangle_time: 0.2,
        triangle_slope: 0.3,
        triangle_safety: 0.5,
        turn_reluctance: 1.5,
        // A Monday at eight.
        epoch_seconds: 4 * 86_400 + 8 * 3600,
        ..RoutingRequest::default()
    };
    let wheelchair = RoutingRequest { wheelchair: true, ..RoutingRequest::default() };
    vec![usual, triangle, wheelchair]
}

/// A query with its starts, and the same for the oracle.
struct Case<'a> {
    query: StreetQuery<'a>,
    direction: Direction,
    starts: &'a [TreeStart],
    oracle: Oracle<'a>,
}

impl Case<'_> {
    fn check_tree(&self, search: &mut StreetSearch, at_stops: bool) -> usize {
        let expected = self.oracle.labels(self.starts, at_stops);
        let find = if at_stops { StreetSearch::tree_from_transit } else { StreetSearch::tree };
        let tree = find(search, &self.query, self.starts, self.direction).unwrap();
        for v in 0..self.query.graph.vertex_count() as u32 {
            let expected =
                expected.get(&v).map(|label| (label.cost, label.seconds, f64::from(label.walk), label.start));
            let found = tree.get(VertexIdx(v));
            let found = found.map(|label| (label.weight, label.seconds, label.walk_distance, label.start));
            assert_eq!(found, expected, "vertex {v}");
        }
        expected.len()
    }

    fn check_walk_times(&self, search: &mut StreetSearch) {
        let expected = self.oracle.labels(self.starts, false);
        let limits_metres = self.query.limits.max_walk_distance < f64::INFINITY;
        let times = match limits_metres {
            true => search.walk_times_within(&self.query, self.starts, |_| true, self.direction),
            false => search.walk_times(&self.query, self.starts, self.direction),
        }
        .unwrap();
        for v in 0..self.query.graph.vertex_count() as u32 {
            let metres = |walk: f32| if limits_metres { walk } else { 0.0 };
            let expected =
                expected.get(&v).map(|label| (label.seconds as u32, label.start, metres(label.walk)));
            let found = times.get(VertexIdx(v)).map(|to| (to.seconds, to.start, to.metres));
            assert_eq!(found, expected, "vertex {v}");
        }
    }
}

fn check_city(graph: &StreetGraph, seconds: i32) {
    let places = vertices(graph, 24);
    let (starts, stations) = places.split_at(4);
    let starts: Vec<TreeStart> = (0..)
        .zip(starts)
        .map(|(i, &vertex)| TreeStart {
            vertex,
            seconds: 90 * i,
            weight: 130.0 * f64::from(i),
            walk_distance: 40.0 * f64::from(i),
        })
        .collect();
    let station = |&vertex: &VertexIdx| BikeStation {
        kind: trestle_street::search::StationKind::Rental,
        place: LinkedPlace::at_vertex(graph, vertex),
        has_bikes: true,
        has_spaces: true,
        allow_dropoff: true,
        networks: 1,
    };
    let stations: Vec<BikeStation> = stations.iter().map(station).collect();
    let rental = LinkedBikeStations::new(graph, stations.clone());
    let mut search = StreetSearch::new();
    for (number, request) in requests().iter().enumerate() {
        let mut reached = [0; 7];
        for (i, street_mode) in STREET_MODES.into_iter().enumerate() {
            let costs = StreetCosts::from_request(request, 0).for_mode(street_mode);
            for direction in [Direction::Forward, Direction::Backward] {
                for (objective, metres, max_pre_transit_seconds, cheap_pre_transit_seconds) in [
                    (Objective::Cost, f64::INFINITY, seconds / 2, i32::MAX),
                    (Objective::Cost, 700.0, i32::MAX, seconds / 4),
                    (Objective::Time, f64::INFINITY, seconds / 2, seconds / 4),
                ] {
                    let limits = StreetLimits {
                        max_seconds: seconds,
                        max_walk_distance: metres,
                        max_cost_beyond: 2500.0,
                        max_pre_transit_seconds,
                        cheap_pre_transit_seconds,
                    };
                    let by_time = objective == Objective::Time;
                    let mut case = Case {
                        query: StreetQuery {
                            limits,
                            objective,
                            stations: Some(&rental),
                            ..StreetQuery::new(graph, &costs)
                        },
                        direction,
                        starts: &starts,
                        oracle: Oracle {
                            graph,
                            request,
                            street_mode,
                            limits,
                            by_time,
                            ties: Ties::ByNumber,
                            backward: direction == Direction::Backward,
                            stations: &stations,
                            ends: [None; 2],
                        },
                    };
                    println!("{number} {street_mode:?} {direction:?} {objective:?} {metres}");
                    reached[i] += case.check_tree(&mut search, false);
                    if street_mode == StreetMode::KissAndRide {
                        case.check_tree(&mut search, true);
                    }
                    if street_mode == StreetMode::Walk && by_time {
                        case.oracle.ties = Ties::LatestFirst;
                        case.check_walk_times(&mut search);
                        let limits =
                            StreetLimits { max_walk_distance: 700.0, max_cost_beyond: 0.0, ..limits };
                        (case.query.limits, case.oracle.limits) = (limits, limits);
                        case.check_walk_times(&mut search);
                    }
                }
            }
        }
        println!("reached by street mode: {reached:?}");
        assert!(reached[0] > 200 && reached[1] > 200, "{reached:?}");
    }
}

/// Searches from place to place find paths of the same cost with a metric and without.
fn check_metrics(graph: &StreetGraph) {
    let beside =
        |v: VertexIdx| LatLon::new(graph.vertex_lat[v.index()] + 2e-4, graph.vertex_lon[v.index()] + 3e-4);
    let positions: Vec<LatLon> = vertices(graph, 30).into_iter().map(beside).collect();
    let metrics = StreetMetrics::default();
    let (mut search, mut found) = (StreetSearch::new(), 0);
    for request in requests() {
        for (street_mode, mode) in [
            (StreetMode::Walk, LinkMode::Walk),
            (StreetMode::Bicycle, LinkMode::Bicycle),
            (StreetMode::Car, LinkMode::Car),
            (StreetMode::ParkCar, LinkMode::Car),
            (StreetMode::KissAndRide, LinkMode::Car),
        ] {
            let costs = StreetCosts::from_request(&request, 0).for_mode(street_mode);
            let plain = StreetQuery::new(graph, &costs);
            for direction in [Direction::Forward, Direction::Backward] {
                if !metrics.prepare(&plain, direction).unwrap() {
                    assert_eq!((street_mode, direction), (StreetMode::KissAndRide, Direction::Backward));
                    continue;
                }
                for pair in positions.chunks(2) {
                    let start = LinkedPlace::at_coordinate(graph, pair[0], mode, LinkEnd::Start).unwrap();
                    let end = LinkedPlace::at_coordinate(graph, pair[1], mode, LinkEnd::Destination).unwrap();
                    let [with, without] = [Some(&metrics), None].map(|metrics| {
                        let query = StreetQuery { metrics, ..plain };
                        search.route(&query, &start, &end, direction).unwrap().map(|path| path.weight)
                    });
                    assert_eq!(with.is_some(), without.is_some(), "{street_mode:?} {direction:?} {pair:?}");
                    let Some((with, without)) = with.zip(without) else { continue };
                    assert!(
                        (with - without).abs() < 0.01,
                        "{street_mode:?} {direction:?} {pair:?}: {with} {without}"
                    );
                    found += 1;
                }
            }
        }
    }
    println!("{found} paths with metrics");
    assert!(found > 100, "{found}");
}

/// Rows of matrices by car find the quickest drives, with a contraction and without.
fn check_drives(graph: &StreetGraph, max_seconds: i32) {
    let places = vertices(graph, 340);
    let (origins, destinations) = places.split_at(40);
    let ends: Vec<_> = (destinations.windows(2).zip(0..))
        .map(|(pair, walk)| [Some((pair[0], walk % 90)), Some((pair[1], walk % 70)).filter(|_| walk % 3 > 0)])
        .collect();
    let (mut memory, mut found) = (DrivingMemory::default(), 0);
    for request in &requests() {
        let costs = StreetCosts::from_request(request, 0).for_mode(StreetMode::Car);
        let times = DrivingTimes::default();
        // Few rows are searched one by one, for many it pays to contract the turns.
        let [few, many] = [1, 1_000_000].map(|count| {
            let turns = times.turns(graph, &costs, &|| false).unwrap().unwrap();
            turns.to((graph, &costs), ends.clone(), max_seconds as u32, count)
        });
        for pair in origins.chunks(2) {
            let start = |(&vertex, seconds)| TreeStart { vertex, seconds, weight: 0.0, walk_distance: 0.0 };
            let starts: Vec<TreeStart> = pair.iter().zip([20, 0]).map(start).collect();
            let limits = StreetLimits { max_seconds, ..StreetLimits::default() };
            let oracle = Oracle {
                graph,
                request,
                street_mode: StreetMode::Car,
                limits,
                by_time: true,
                ties: Ties::LabelPerEdge,
                backward: false,
                stations: &[],
                ends: [None; 2],
            };
            let labels = oracle.labels(&starts, false);
            let seconds =
                |&(vertex, walk): &(VertexIdx, u32)| Some(labels.get(&vertex.0)?.seconds + walk as i32);
            let quickest = |ends: &[Option<(VertexIdx, u32)>; 2]| {
                let seconds = ends.iter().flatten().filter_map(seconds).min();
                seconds.filter(|&seconds| seconds <= max_seconds).unwrap_or(i32::MAX)
            };
            let expected: Vec<i32> = ends.iter().map(quickest).collect();
            found += expected.iter().filter(|&&seconds| seconds < i32::MAX).count();
            for rows in [&few, &many] {
                assert_eq!(rows.row(&starts, &mut memory, &|| false).unwrap(), expected, "{pair:?}");
            }
        }
        assert_eq!([few.is_prepared(), many.is_prepared()], [false, true]);
    }
    println!("{found} drives");
    assert!(found > 1_000, "{found}");
}

#[test]
fn porto_alegre_with_slopes() {
    let Some(graph) = city("poa/poa_osm.pbf", Some("poa/poa_elevation.tif")) else { return };
    check_city(&graph, 700);
    check_metrics(&graph);
    check_drives(&graph, 900);
}

#[test]
fn portland_with_restricted_turns() {
    let Some(graph) = city("pdx/portland-central-filtered.osm.pbf", None) else { return };
    check_city(&graph, 900);
    check_metrics(&graph);
    check_drives(&graph, 1800);
}

#[test]
fn porto_with_metrics() {
    let Some(graph) = city("porto/porto_portugal.osm.pbf", None) else { return };
    check_metrics(&graph);
}
