//! Builds real cities and checks that the figures are plausible and that a second build gives the same bytes. Skipped
//! where `shared` does not find the cities.

use std::path::{Path, PathBuf};

use trestle_model::IssueSink;
use trestle_model::column::{ColumnSink, Columnar};
use trestle_model::ids::EdgeIdx;
use trestle_shared_data::shared;
use trestle_street::build::{StopPoint, StreetBuildOptions, StreetBuilder};
use trestle_street::elevation::Raster;
use trestle_street::graph::{StreetGraph, edge_flags};
use trestle_street::osm::OsmInput;

fn data(path: &str) -> Option<PathBuf> {
    shared(&format!("data/{path}"))
}

fn build(osm: &Path, stops: &[StopPoint], raster: Option<&Path>) -> StreetGraph {
    let bytes = std::fs::read(osm).unwrap();
    let inputs = [OsmInput { name: "city", bytes: &bytes }];
    let mut issues = IssueSink::default();
    let options = StreetBuildOptions::default();
    let mut builder = StreetBuilder::read(&inputs, &options, &mut issues, &mut |_, _| {}).unwrap();
    builder.prune_islands(&mut issues);
    builder.link_stops(stops, &mut issues);
    if let Some(raster) = raster {
        builder.apply_elevation(
            &Raster::read("raster", &std::fs::read(raster).unwrap()).unwrap(),
            &mut issues,
            &mut |_| (),
        );
    }
    builder.finish()
}

/// Checks the references between the columns.
fn check_columns(graph: &StreetGraph) {
    let (vertices, edges) = (graph.vertex_count(), graph.edge_count() as u32);
    assert_eq!(graph.first_out.len(), vertices + 1);
    assert_eq!(graph.first_in.len(), vertices + 1);
    assert_eq!(graph.in_edges.len() as u32, edges);
    for (index, edge) in graph.edges().enumerate() {
        let from = edge.from as usize;
        assert!((graph.first_out[from]..graph.first_out[from + 1]).contains(&(index as u32)));
        assert!((edge.to as usize) < vertices && graph.names.len() as u32 > edge.name);
        assert!(edge.geometry == u32::MAX || (edge.geometry as usize) < graph.geometry_offsets.len() - 1);
        assert!(edge.slope_factors.speed > 0.0 && edge.bicycle_safety.is_finite());
    }
    for restriction in graph.restrictions.iter() {
        let edge = |edge: u32| graph.edge(EdgeIdx(edge));
        assert_eq!(edge(restriction.from).to, edge(restriction.to).from);
    }
    assert!(graph.restrictions.is_sorted_by_key(|r| r.from) && graph.notes.is_sorted_by_key(|n| n.edge));
    assert!(graph.stop_links.is_sorted_by_key(|l| l.stop));
}

fn share(graph: &StreetGraph, flag: u32) -> f64 {
    graph.edges().filter(|e| e.has(flag)).count() as f64 / graph.edge_count() as f64
}

#[test]
fn porto() {
    let Some(osm) = data("porto/porto_portugal.osm.pbf") else { return };
    let graph = build(&osm, &[], None);
    check_columns(&graph);
    assert!((80_000..110_000).contains(&graph.vertex_count()), "{}", graph.vertex_count());
    assert!((200_000..250_000).contains(&graph.edge_count()), "{}", graph.edge_count());
    assert!((200..357).contains(&graph.restrictions.len()), "of 357 relations: {}", graph.restrictions.len());
    assert!(share(&graph, edge_flags::WALK) > 0.95);
    assert!((0.6..0.9).contains(&share(&graph, edge_flags::CAR)));
    assert!(graph.top_car_speed[0] > 25.0 && graph.top_car_speed[0] < 45.0);
}

#[test]
fn pdx() {
    let Some(osm) = data("pdx/portland-central-filtered.osm.pbf") else { return };
    let graph = build(&osm, &[], None);
    check_columns(&graph);
    assert!((8_000..15_000).contains(&graph.vertex_count()), "{}", graph.vertex_count());
    assert!(graph.restrictions.len() > 300 && graph.edges().any(|e| e.has(edge_flags::STAIRS)));
}

#[test]
fn poa_has_elevation_and_the_same_bytes_in_each_build() {
    let (Some(osm), Some(raster)) = (data("poa/poa_osm.pbf"), data("poa/poa_elevation.tif")) else { return };
    let stop = |lat, lon| StopPoint { lat, lon, ..StopPoint::default() };
    let stops = [stop(-30.0277, -51.2287), stop(-30.0346, -51.2177), stop(-30.05, -51.2)];
    let graph = build(&osm, &stops, Some(&raster));
    check_columns(&graph);
    let profiles = (0..graph.edge_count()).map(|edge| graph.elevation.profile(EdgeIdx::from(edge)));
    let points: Vec<[f64; 2]> = profiles.flatten().collect();
    assert!((300_000..500_000).contains(&points.len()), "{}", points.len());
    assert!(points.iter().all(|[_, height]| (-10.0..400.0).contains(height)));
    assert_eq!(graph.stop_links.iter().map(|l| l.stop).collect::<std::collections::BTreeSet<_>>().len(), 3);
    assert!(graph.edges().any(|e| e.has(edge_flags::HALF)));
    assert_eq!(bytes(&graph), bytes(&build(&osm, &stops, Some(&raster))));
}

#[test]
fn beatty_from_xml() {
    let Some(osm) = data("beatty/beatty.osm") else { return };
    let graph = build(&osm, &[], None);
    check_columns(&graph);
    assert!((200..400).contains(&graph.vertex_count()), "{}", graph.vertex_count());
}

/// All columns one after another.
struct Bytes(Vec<u8>);

impl ColumnSink for Bytes {
    fn column<T: bytemuck::Pod>(&mut self, name: &str, values: &[T]) {
        self.0.extend_from_slice(name.as_bytes());
        self.0.extend_from_slice(bytemuck::cast_slice(values));
    }
}

fn bytes(graph: &StreetGraph) -> Vec<u8> {
    let mut bytes = Bytes(Vec::new());
    graph.write("street", &mut bytes);
    bytes.0
}
