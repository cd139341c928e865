//! Times point-to-point searches between random vertices, and one-to-all searches, on the graph of a folder:
//! `cargo run --release -p trestle-street --example street_bench -- FOLDER`. Every goal-directed answer is checked
//! against the one-to-all search.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_model::{Direction, IssueSink, RoutingRequest};
use trestle_street::build::{StreetBuildOptions, StreetBuilder};
use trestle_street::cost::{StreetCosts, StreetMode};
use trestle_street::graph::{StreetGraph, edge_flags, vertex_flags};
use trestle_street::link::LinkedPlace;
use trestle_street::osm::OsmInput;
use trestle_street::path::StreetPath;
use trestle_street::search::{Objective, StreetMetrics, StreetQuery, StreetSearch, TreeStart};

const PAIRS: usize = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: street_bench FOLDER")?;
    let graph = build(&folder)?;
    println!("{} vertices, {} edges", graph.vertex_count(), graph.edge_count());
    for (street_mode, permission) in [
        (StreetMode::Walk, edge_flags::WALK),
        (StreetMode::Bicycle, edge_flags::BICYCLE),
        (StreetMode::Car, edge_flags::CAR),
        (StreetMode::ParkCar, edge_flags::CAR),
        (StreetMode::KissAndRide, edge_flags::CAR),
    ] {
        pairs(&graph, street_mode, permission)?;
    }
    everywhere(&graph)?;
    Ok(())
}

/// Pseudo-random OSM nodes that can be left with the permission.
fn places(graph: &StreetGraph, permission: u32) -> Vec<VertexIdx> {
    let usable: Vec<u32> = (0..graph.vertex_count() as u32)
        .filter(|&v| graph.vertex_flags[v as usize] & vertex_flags::OSM_NODE != 0)
        .filter(|&v| graph.out_edges(VertexIdx(v)).any(|e| graph.edge(EdgeIdx(e)).has(permission)))
        .collect();
    let mut seed = 5u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usable[(seed >> 33) as usize % usable.len()]
    };
    (0..2 * PAIRS).map(|_| VertexIdx(random())).collect()
}

fn pairs(graph: &StreetGraph, street_mode: StreetMode, permission: u32) -> Result<(), Box<dyn Error>> {
    let costs = StreetCosts::from_request(&RoutingRequest::default(), 0).for_mode(street_mode);
    let query = StreetQuery::new(graph, &costs);
    let time = Instant::now();
    let metrics = StreetMetrics::default();
    metrics.prepare(&query, Direction::Forward)?;
    let metric_time = time.elapsed();
    let with_metric = StreetQuery { metrics: Some(&metrics), ..query };
    let (mut search, mut check) = (StreetSearch::new(), StreetSearch::new());
    let (mut micros, mut metric_micros, mut tree_micros) = (Vec::new(), Vec::new(), Vec::new());
    let (mut answered, mut wrong) = (0, 0);
    for pair in places(graph, permission).chunks(2) {
        let [a, b] = [pair[0], pair[1]].map(|v| LinkedPlace::at_vertex(graph, v));
        let time = Instant::now();
        let path = search.route(&query, &a, &b, Direction::Forward)?;
        micros.push(time.elapsed().as_micros());
        let time = Instant::now();
        let same = search.route(&with_metric, &a, &b, Direction::Forward)?;
        metric_micros.push(time.elapsed().as_micros());
        let time = Instant::now();
        let tree = check.tree_from_place(&query, &a, Direction::Forward)?;
        tree_micros.push(time.elapsed().as_micros());
        let reached = tree.get(pair[1]).map(|r| r.weight);
        answered += u32::from(path.is_some());
        let agrees = |path: Option<StreetPath>| match (path.map(|p| p.weight), reached) {
            (Some(found), Some(least)) => (found - least).abs() < 0.01,
            (None, None) => true,
            _ => false,
        };
        wrong += u32::from(!agrees(path)) + u32::from(!agrees(same));
    }
    println!("{street_mode:?}: {answered} of {PAIRS} answered, {wrong} differ from the plain search");
    show("  pair", &mut micros);
    println!("  metric: {} ms", metric_time.as_millis());
    show("  pair with it", &mut metric_micros);
    show("  everywhere", &mut tree_micros);
    Ok(())
}

/// Walking trees as isochrones need them: by time within 30 minutes, and from many starts.
fn everywhere(graph: &StreetGraph) -> Result<(), Box<dyn Error>> {
    let costs = StreetCosts::from_request(&RoutingRequest::default(), 0);
    let mut query = StreetQuery { objective: Objective::Time, ..StreetQuery::new(graph, &costs) };
    query.limits.max_seconds = 1800;
    let mut search = StreetSearch::new();
    let places = places(graph, edge_flags::WALK);
    let start =
        |vertex: VertexIdx, seconds: i32| TreeStart { vertex, seconds, weight: 0.0, walk_distance: 0.0 };
    let mut micros = Vec::new();
    for &place in &places {
        let time = Instant::now();
        search.tree(&query, &[start(place, 0)], Direction::Forward)?;
        micros.push(time.elapsed().as_micros());
    }
    show("walking 30 min from one vertex", &mut micros);
    let starts: Vec<TreeStart> =
        places.iter().enumerate().map(|(i, &v)| start(v, (i as i32 * 37) % 1500)).collect();
    let mut micros = Vec::new();
    for _ in 0..20 {
        let time = Instant::now();
        search.tree(&query, &starts, Direction::Forward)?;
        micros.push(time.elapsed().as_micros());
    }
    show("walking from 600 vertices", &mut micros);
    let mut micros = Vec::new();
    for _ in 0..20 {
        let time = Instant::now();
        search.walk_times(&query, &starts, Direction::Forward)?;
        micros.push(time.elapsed().as_micros());
    }
    show("the same with walk_times", &mut micros);
    Ok(())
}

fn show(what: &str, micros: &mut [u128]) {
    micros.sort_unstable();
    let at = |share: usize| micros[(micros.len() - 1) * share / 100];
    println!("{what}: p50 {} µs, p90 {} µs, p99 {} µs", at(50), at(90), at(99));
}

fn build(folder: &str) -> Result<StreetGraph, Box<dyn Error>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "pbf" || e == "osm"))
        .collect();
    files.sort();
    let contents = files.iter().map(std::fs::read).collect::<Result<Vec<_>, _>>()?;
    let inputs: Vec<_> = contents.iter().map(|bytes| OsmInput { name: "osm", bytes }).collect();
    let mut issues = IssueSink::default();
    let options = StreetBuildOptions { static_park_and_ride: true, ..StreetBuildOptions::default() };
    let mut builder = StreetBuilder::read(&inputs, &options, &mut issues, &mut |_, _| {})?;
    builder.prune_islands(&mut issues);
    Ok(builder.finish())
}
