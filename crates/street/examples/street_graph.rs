//! Builds the street graph of a folder (OSM files, stops of GTFS feeds, elevation raster) and prints counts and
//! step timings:
//! `cargo run --release -p trestle-street --example street_graph -- FOLDER`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::HashMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use trestle_model::IssueSink;
use trestle_street::build::{StopPoint, StreetBuildOptions, StreetBuilder};
use trestle_street::elevation::Raster;
use trestle_street::graph::{StreetGraph, edge_flags, vertex_flags};
use trestle_street::osm::OsmInput;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: street_graph FOLDER")?;
    let osm = files(Path::new(&folder), &[".pbf", ".osm", ".osm.xml", ".osm.gz"])?;
    let contents = osm.iter().map(|(_, path)| std::fs::read(path)).collect::<Result<Vec<_>, _>>()?;
    let inputs: Vec<_> =
        osm.iter().zip(&contents).map(|((name, _), bytes)| OsmInput { name, bytes }).collect();

    let mut issues = IssueSink::default();
    let start = Instant::now();
    let mut step = (String::new(), Instant::now());
    let mut progress = |name: &str, _: f32| {
        if step.0 != name {
            report(&step.0, step.1);
            step = (name.to_owned(), Instant::now());
        }
    };
    let options = StreetBuildOptions::default();
    let mut builder = StreetBuilder::read(&inputs, &options, &mut issues, &mut progress)?;
    report(&step.0, step.1);
    let time = Instant::now();
    builder.prune_islands(&mut issues);
    report("islands", time);
    let stops = stops(Path::new(&folder))?;
    let time = Instant::now();
    builder.link_stops(&stops, &mut issues);
    report("stop links", time);
    if let Some((name, path)) = files(Path::new(&folder), &[".tif", ".tiff"])?.first() {
        let time = Instant::now();
        let raster = Raster::read(name, &std::fs::read(path)?)?;
        builder.apply_elevation(&raster, &mut issues);
        report("elevation", time);
    }
    let time = Instant::now();
    let graph = builder.finish();
    report("finish", time);
    report("all", start);
    print_counts(&graph);
    for (code, count) in issues.counts() {
        println!("issue {code}: {count}");
    }
    Ok(())
}

/// Files of a folder with one of the endings, by name.
fn files(folder: &Path, endings: &[&str]) -> Result<Vec<(String, PathBuf)>, Box<dyn Error>> {
    let mut files: Vec<_> = std::fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter_map(|path| Some((path.file_name()?.to_str()?.to_owned(), path)))
        .filter(|(name, _)| endings.iter().any(|ending| name.ends_with(ending)))
        .collect();
    files.sort();
    Ok(files)
}

/// Stops of all feeds in a folder.
fn stops(folder: &Path) -> Result<Vec<StopPoint>, Box<dyn Error>> {
    let mut stops = Vec::new();
    for (_, path) in files(folder, &[".zip"])? {
        let mut archive = zip::ZipArchive::new(std::fs::File::open(path)?)?;
        let Ok(table) = archive.by_name("stops.txt") else { continue };
        for row in csv::Reader::from_reader(table).deserialize::<HashMap<String, String>>() {
            let row = row?;
            let number = |key: &str| row.get(key).and_then(|text| text.trim().parse::<f64>().ok());
            let is_stop = row.get("location_type").is_none_or(|t| matches!(t.as_str(), "" | "0"));
            if let (true, Some(lat), Some(lon)) = (is_stop, number("stop_lat"), number("stop_lon")) {
                stops.push(StopPoint { lat, lon, code: row.get("stop_code").cloned(), turn: 0 });
            }
        }
    }
    Ok(stops)
}

fn report(step: &str, since: Instant) {
    if !step.is_empty() {
        println!("{step}: {:.1} ms", since.elapsed().as_secs_f64() * 1000.0);
    }
}

fn print_counts(graph: &StreetGraph) {
    let edges = |flag: u32| graph.edges.iter().filter(|e| e.has(flag)).count();
    let vertices = |flag: u16| graph.vertex_flags.iter().filter(|f| *f & flag != 0).count();
    println!("vertices {}, edges {}", graph.vertex_count(), graph.edges.len());
    println!(
        "walk {}, bicycle {}, car {}, stairs {}, areas {}, halves {}",
        edges(edge_flags::WALK),
        edges(edge_flags::BICYCLE),
        edges(edge_flags::CAR),
        edges(edge_flags::STAIRS),
        edges(edge_flags::AREA),
        edges(edge_flags::HALF)
    );
    println!(
        "lights {}, barriers {}, exits {}, restrictions {}, notes {}, names {}, inner points {}",
        vertices(vertex_flags::TRAFFIC_LIGHT),
        vertices(vertex_flags::BARRIER),
        vertices(vertex_flags::EXIT),
        graph.restrictions.len(),
        graph.notes.len(),
        graph.names.len(),
        graph.geometry_points.len()
    );
    let linked = graph.stop_links.iter().map(|l| l.stop).collect::<std::collections::BTreeSet<_>>();
    println!(
        "linked stops {}, stop links {}, stations {}, elevation points {}",
        linked.len(),
        graph.stop_links.len(),
        graph.stations.vertex.len(),
        graph.elevation_points.len()
    );
}
