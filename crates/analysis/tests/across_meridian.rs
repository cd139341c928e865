//! Analyses of a graph on both sides of the 180th meridian.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::support::place;
use trestle_analysis::Scratch;
use trestle_analysis::surface::crs::Crs;
use trestle_analysis::surface::images::{NO_VALUE, RasterSize, raster};
use trestle_analysis::surface::surface;
use trestle_engine::build::{BuildOptions, build_directory};
use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::{Mode, ModeSet, RoutingRequest};

/// Crossings in a row and in a column of an island.
const SIDE: usize = 8;
/// Degrees between crossings.
const SPACING: f64 = 0.001;
/// Longitudes of the west ends of both islands.
const WESTS: [f64; 2] = [179.98, -179.99];

/// The crossing of a row and a column of an island.
fn crossing(island: usize, row: usize, column: usize) -> LatLon {
    LatLon::new(-16.8 + row as f64 * SPACING, WESTS[island] + column as f64 * SPACING)
}

/// Two islands with a grid of streets each.
fn islands() -> Snapshot {
    let mut osm = String::from("<osm version=\"0.6\">\n");
    let id = |island: usize, row: usize, column: usize| 1 + (island * SIDE + row) * SIDE + column;
    for (island, row, column) in all_crossings() {
        let (number, LatLon { lat, lon }) = (id(island, row, column), crossing(island, row, column));
        writeln!(osm, "<node id=\"{number}\" lat=\"{lat:.9}\" lon=\"{lon:.9}\"/>").unwrap();
    }
    for (number, (island, line, _)) in all_crossings().filter(|(.., column)| *column == 0).enumerate() {
        let row = (0..SIDE).map(|column| id(island, line, column)).collect::<Vec<_>>();
        let column = (0..SIDE).map(|row| id(island, row, line)).collect();
        for (way, nodes) in [(2 * number, row), (2 * number + 1, column)] {
            let nodes: String = nodes.iter().map(|node| format!("<nd ref=\"{node}\"/>")).collect();
            writeln!(osm, "<way id=\"{way}\">{nodes}<tag k=\"highway\" v=\"residential\"/></way>").unwrap();
        }
    }
    let folder = std::env::temp_dir().join(format!("trestle-islands-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("islands.osm"), osm + "</osm>\n").unwrap();
    let output = folder.join("Graph.obj");
    let outcome = build_directory(&folder, &output, &BuildOptions::default(), &mut |_, _| {}).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    Snapshot::new(Arc::new(outcome.graph), 0)
}

/// Islands, rows and columns.
fn all_crossings() -> impl Iterator<Item = (usize, usize, usize)> {
    (0..2 * SIDE * SIDE).map(|i| (i / (SIDE * SIDE), i / SIDE % SIDE, i % SIDE))
}

#[test]
fn a_raster_leads_the_shorter_way_across_the_meridian() {
    let snapshot = islands();
    let deadline = Deadline::default();
    for island in [0, 1] {
        let request = RoutingRequest {
            from: place(crossing(island, 4, 4)),
            modes: ModeSet::of(&[Mode::Walk]),
            ..RoutingRequest::default()
        };
        let found = surface(&snapshot, &request, 60, &mut Scratch::default(), &deadline).unwrap();
        for crs in ["EPSG:4326", "EPSG:3857", "EPSG:32760", "EPSG:32701"] {
            let crs = Crs::from_code(crs).unwrap();
            let image = raster(&found, crs.clone(), RasterSize::Pixels(74, 18), &deadline).unwrap();
            let minutes = |at: LatLon| {
                // Beyond the meridian, as in the picture.
                let lon = if at.lon < 0.0 { at.lon + 360.0 } else { at.lon };
                let [x, y] = crs.project(LatLon::new(at.lat, lon)).unwrap();
                let column = ((x - image.corner[0]) / image.pixel[0]) as usize;
                let row = ((image.corner[1] - y) / image.pixel[1]) as usize;
                image.minutes[row * image.width + column]
            };
            assert!((0..=1).contains(&minutes(crossing(island, 4, 4))), "{crs:?}");
            assert!((3..=8).contains(&minutes(crossing(island, 4, 1))), "{crs:?}");
            assert_eq!(minutes(crossing(1 - island, 4, 4)), NO_VALUE, "{crs:?}");
        }
    }
}
