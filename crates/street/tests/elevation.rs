//! Elevation of streets from a small raster.

use crate::support::{elevation_file, line, read};
use proptest::prelude::*;
use trestle_model::geo::LatLon;
use trestle_model::ids::EdgeIdx;
use trestle_street::build::{StopPoint, StreetBuildOptions};
use trestle_street::elevation::Raster;
use trestle_street::graph::{StreetGraph, edge_flags};

/// A slope that rises by 5 m in 0.001 degrees to the north (about 4.5 %), over 0.01 degrees.
fn slope_file() -> Vec<u8> {
    let heights: Vec<f32> = (0..11u8).rev().flat_map(|row| [f32::from(row) * 5.0; 3]).collect();
    elevation_file(&heights)
}

fn slope() -> Raster {
    Raster::read("slope.tif", &slope_file()).unwrap()
}

fn graph(town: &str, stops: &[StopPoint]) -> StreetGraph {
    let (mut builder, mut issues) = read(town, &StreetBuildOptions::default());
    builder.link_stops(stops, &mut issues);
    builder.apply_elevation(&slope(), &mut issues, &mut |_| ());
    builder.finish()
}

fn profile(graph: &StreetGraph, start: &str) -> Vec<[f64; 2]> {
    let edge = graph.edges().position(|edge| line(graph, &edge).starts_with(start)).unwrap();
    graph.elevation.profile(EdgeIdx::from(edge))
}

#[test]
fn profiles_have_a_sample_every_ten_metres() {
    let graph = graph("n1 0 0\n n2 0.0004 0\n w10 1,2 highway=residential", &[]);
    // 44.48 m long, 5 m per 111.2 m, from 5 m up (the raster starts 0.001 degrees farther south).
    let expected = [[0.0, 5.0], [10.0, 5.45], [20.0, 5.9], [30.0, 6.35], [44.48, 7.0]];
    assert_eq!(profile(&graph, "1>2"), expected);
    let up = graph.edges().find(|e| line(&graph, e).starts_with("1>2")).unwrap();
    let down = graph.edge(EdgeIdx(u32::from(graph.edge(EdgeIdx::from(0)).from == up.from)));
    assert!((up.max_slope - 0.045).abs() < 1e-3 && up.max_slope == down.max_slope);
    assert!(up.slope_factors.speed > 2.0 && down.slope_factors.speed < 0.7);
    assert!((up.slope_factors.work - 1.365).abs() < 0.01, "{}", up.slope_factors.work);
    assert!(down.bicycle_safety > up.bicycle_safety);
}

#[test]
fn gaps_that_a_raster_does_not_name_are_none() {
    let (mut builder, mut issues) =
        read("n1 0 0\n n2 0.0004 0\n w10 1,2 highway=path", &StreetBuildOptions::default());
    // The lowest number marks a gap, though nothing in the file says so.
    let raster = Raster::read("gaps.tif", &elevation_file(&[f32::MIN; 33])).unwrap();
    builder.apply_elevation(&raster, &mut issues, &mut |_| ());
    let graph = builder.finish();
    assert!(profile(&graph, "1>2").iter().all(|[_, height]| *height == 0.0));
    assert!(graph.edges().all(|edge| edge.max_slope == 0.0));
}

#[test]
fn edges_outside_a_raster_are_counted() {
    let town = "n1 0 0\n n2 0.0004 0\n n3 5 5\n n4 5.001 5\n w10 1,2 highway=path\n w11 3,4 highway=path";
    let (mut builder, mut issues) = read(town, &StreetBuildOptions::default());
    builder.apply_elevation(&slope(), &mut issues, &mut |_| ());
    let missing = issues.issues().iter().find(|issue| issue.code == "elevation-missing").unwrap();
    assert_eq!(
        missing.to_string(),
        "slope.tif: elevation-missing: 2 of 4 edges begin where the raster has no height, which counts as 0 m"
    );
}

#[test]
fn bridges_are_straight_between_their_ends() {
    let graph = graph(
        "n1 0 0\n n2 0.001 0\n n3 0.004 0\n n4 0.005 0
        w10 1,2 highway=path\n w11 2,3 highway=path bridge=yes\n w12 3,4 highway=path",
        &[],
    );
    let bridge = profile(&graph, "2>3");
    assert_eq!(bridge.len(), 2);
    assert_eq!((bridge[0][1], bridge[1][1]), (10.0, 25.0));
    assert!(graph.edges().filter(|e| e.has(edge_flags::SLOPE_OVERRIDE)).all(|e| e.max_slope > 0.04));
}

#[test]
fn heights_between_known_ends_are_interpolated() {
    let graph = graph(
        "n1 0 0\n n2 0.001 0\n n5 0.002 0\n n3 0.004 0\n n4 0.005 0
        w10 1,2 highway=path\n w11 2,5 highway=path bridge=yes\n w13 5,3 highway=path tunnel=yes\n w12 3,4 highway=path",
        &[],
    );
    let (first, second) = (profile(&graph, "2>5"), profile(&graph, "5>3"));
    assert!((first[1][1] - 15.0).abs() < 0.01 && first[1][1] == second[0][1], "{first:?} {second:?}");
}

#[test]
fn halves_stay_flat() {
    let stop = StopPoint { lat: 0.0002, lon: 0.0, ..StopPoint::default() };
    let graph =
        graph("n1 0 0\n n2 0.0004 0\n n3 0.0008 0\n w10 1,2 highway=path\n w11 2,3 highway=path", &[stop]);
    assert!(profile(&graph, "1>*").is_empty() && !profile(&graph, "2>3").is_empty());
    assert!(graph.edges().filter(|e| e.has(edge_flags::HALF)).all(|e| e.slope_factors.speed == 1.0));
}

#[test]
fn impossible_slopes_are_flattened_on_streets_for_cars_only() {
    // Outside the raster the height counts as 0: a cliff of 50 m at its northern edge.
    let town = "n1 0.0088 0\n n2 0.0092 0\n w10 1,2 highway=HIGHWAY";
    let street = graph(&town.replace("HIGHWAY", "residential"), &[]);
    assert!(street.edges().all(|e| e.has(edge_flags::FLATTENED)));
    assert!(street.edges().all(|e| e.max_slope < 0.35));
    let (mut builder, mut issues) =
        read(&town.replace("HIGHWAY", "residential"), &StreetBuildOptions::default());
    builder.apply_elevation(&slope(), &mut issues, &mut |_| ());
    let issue = issues.issues()[0].to_string();
    assert!(issue.starts_with("slope.tif: elevation-flattened: edge from 0.0"), "{issue}");
    assert!(issue.contains("(node 1)") || issue.contains("(node 2)"), "{issue}");
}

proptest! {
    #[test]
    fn damaged_rasters_are_refused_or_read(
        cut in 0.0..2.0f64, flips in proptest::collection::vec((0.0..1.0f64, any::<u8>()), 0..6)
    ) {
        let mut bytes = slope_file();
        for (at, with) in flips {
            let place = (at * bytes.len() as f64) as usize;
            bytes[place] = with;
        }
        bytes.truncate((cut * bytes.len() as f64) as usize);
        if let Ok(raster) = Raster::read("slope.tif", &bytes) {
            for position in [(0.0, 0.0), (0.005, 0.0005), (89.0, 179.0), (-91.0, 400.0), (f64::NAN, 0.0)] {
                raster.height(LatLon::new(position.0, position.1));
            }
        }
    }
}

#[test]
fn heights_that_are_not_on_earth_are_no_heights() {
    let bridge = |ele: &str| {
        let town = format!("n1 0 0 ele={ele}\n n2 0.0004 0\n w10 1,2 highway=residential bridge=yes\n");
        let graph = graph(&format!("{town} n3 0.0008 0\n w11 2,3 highway=residential"), &[]);
        let edge = graph.edges().find(|edge| line(&graph, edge).starts_with("1>2")).unwrap();
        (profile(&graph, "1>2").first().map(|point| point[1]), edge.slope_factors.work.is_finite())
    };
    assert_eq!(bridge("6.5"), (Some(6.5), true));
    for ele in ["1e300", "-99999", "29029"] {
        let (height, is_finite) = bridge(ele);
        assert!(is_finite && height.is_none_or(|height| height < 100.0), "{ele}: {height:?}");
    }
}
