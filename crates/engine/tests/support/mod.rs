//! A town on a grid of streets with lines of buses, written as a few lines and really built.
//!
//! ```text
//! stop A 0 2                       stop A at the crossing of column 0 and row 2
//! stop B 3 2 in S                  the same, as a stop of station S: its stops are joined by free transfers
//! line 1 600 7:00 9:00 : A 0, B 2  line 1 every 600 s, first from A at 7:00 and last before 9:00; minutes from there
//! path 5 5 5.3 5.4                 a footpath from that crossing to a place beside it
//! yard 5 5 5.3 5.4                 the same behind a private road
//! road 5 5 25 5                    a street that leads out of the town and ends there
//! change A B 2 300                 transfers.txt: transfer_type 2 from A to B, min_transfer_time 300
//! stairs A B 20                    pathways.txt: both ways between A and B in 20 s, but not in a wheelchair
//! escalator A B 20                 the same, but only from A to B
//! ```
//! Crossings are 100 m apart. All lines run every day of 2024; the time zone is UTC.
#![allow(dead_code, clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use trestle_engine::build::{BuildOptions, build_directory};
use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;
use trestle_model::geo::{LatLon, distance_m, meters_to_degrees};
use trestle_model::ids::VertexIdx;
use trestle_model::request::PlaceRequest;

/// Epoch second of 10 June 2024, 00:00 UTC.
pub(crate) const DAY: i64 = 1_717_977_600;

/// Metres between crossings.
const SPACING_M: f64 = 100.0;

/// A built town.
pub(crate) struct GridTown {
    pub(crate) snapshot: Snapshot,
}

impl GridTown {
    /// Builds a town with this many columns and rows of crossings; without any streets for none.
    pub(crate) fn new(name: &str, columns: usize, rows: usize, lines: &str) -> GridTown {
        let folder = std::env::temp_dir().join(format!("trestle-grid-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        if columns > 0 {
            std::fs::write(folder.join("town.osm"), streets(columns, rows, lines)).unwrap();
        }
        write_feed(&folder.join("feed.zip"), lines);
        let mut options = BuildOptions::default();
        options.transit_layer.station_transfers = true;
        let outcome = build_directory(&folder, &folder.join("Graph.obj"), &options, &mut |_, _| {}).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        GridTown { snapshot: Snapshot::new(Arc::new(outcome.graph), 0) }
    }

    /// All vertices of its streets.
    pub(crate) fn vertices(&self) -> impl Iterator<Item = VertexIdx> + use<> {
        (0..self.snapshot.graph.street.vertex_count()).map(VertexIdx::from)
    }

    /// The vertex that is nearest to a position.
    pub(crate) fn vertex_at(&self, position: LatLon) -> VertexIdx {
        let street = &self.snapshot.graph.street;
        let metres = |v: &VertexIdx| distance_m(position, street.position(*v));
        self.vertices().min_by(|a, b| metres(a).total_cmp(&metres(b))).unwrap()
    }
}

/// A position as a place of a request.
pub(crate) fn place(position: LatLon) -> PlaceRequest {
    PlaceRequest { position: Some(position), ..PlaceRequest::default() }
}

/// A request from a position at a time of the day.
pub(crate) fn request_from(position: LatLon, time: &str) -> RoutingRequest {
    RoutingRequest { from: place(position), epoch_seconds: at(time), ..RoutingRequest::default() }
}

/// Position of a crossing; fractions are between crossings.
pub(crate) fn crossing(column: f64, row: f64) -> LatLon {
    let degrees = meters_to_degrees(SPACING_M);
    LatLon::new(0.01 + row * degrees, 0.01 + column * degrees)
}

/// Epoch second of a time of the day, e.g. `8:05`.
pub(crate) fn at(time: &str) -> i64 {
    DAY + i64::from(seconds(time))
}

fn seconds(time: &str) -> i32 {
    let (hours, minutes) = time.split_once(':').unwrap();
    hours.parse::<i32>().unwrap() * 3600 + minutes.parse::<i32>().unwrap() * 60
}

/// Column and row of the crossing at which each way of a kind begins, and of its other end.
fn ways<'l>(lines: &'l str, kind: &'l str) -> impl Iterator<Item = [f64; 4]> + 'l {
    lines.lines().filter_map(move |line| line.trim().strip_prefix(kind)).map(|path| {
        let numbers: Vec<f64> = path.split_whitespace().map(|number| number.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    })
}

fn streets(columns: usize, rows: usize, lines: &str) -> String {
    let mut osm = String::from("<osm version=\"0.6\">\n");
    let id = |column: usize, row: usize| 1 + column + row * columns;
    for row in 0..rows {
        for column in 0..columns {
            let LatLon { lat, lon } = crossing(column as f64, row as f64);
            writeln!(osm, "<node id=\"{}\" lat=\"{lat:.9}\" lon=\"{lon:.9}\"/>", id(column, row)).unwrap();
        }
    }
    let mut straight = |kind: &str, first: usize| -> Vec<[usize; 2]> {
        let ways = ways(lines, kind).enumerate().map(|(number, [column, row, to_column, to_row])| {
            let (end, LatLon { lat, lon }) = (first + number, crossing(to_column, to_row));
            writeln!(osm, "<node id=\"{end}\" lat=\"{lat:.9}\" lon=\"{lon:.9}\"/>").unwrap();
            [id(column as usize, row as usize), end]
        });
        ways.collect()
    };
    let (footpaths, roads) = (straight("path ", 100_000), straight("road ", 150_000));
    let mut yards: Vec<Vec<usize>> = Vec::new();
    for (number, [column, row, to_column, to_row]) in ways(lines, "yard ").enumerate() {
        let corners: Vec<usize> = (200_000 + 10 * number..).take(4).collect();
        for (part, corner) in [0.6, 0.8, 0.9, 1.0].into_iter().zip(&corners) {
            let between = |first: f64, last: f64| first + part * (last - first);
            let LatLon { lat, lon } = crossing(between(column, to_column), between(row, to_row));
            writeln!(osm, "<node id=\"{corner}\" lat=\"{lat:.9}\" lon=\"{lon:.9}\"/>").unwrap();
        }
        yards.push([vec![id(column as usize, row as usize)], corners].concat());
    }
    let mut way = |number: usize, name: String, highway: &str, nodes: Vec<usize>| {
        let nodes: String = nodes.iter().map(|node| format!("<nd ref=\"{node}\"/>")).collect();
        let access = if name.starts_with("Gate") { "private" } else { "yes" };
        let tags = [("highway", highway), ("name", &name), ("access", access)];
        let tags: String = tags.iter().map(|(k, v)| format!("<tag k=\"{k}\" v=\"{v}\"/>")).collect();
        writeln!(osm, "<way id=\"{number}\">{nodes}{tags}</way>").unwrap();
    };
    for row in 0..rows {
        let nodes = (0..columns).map(|column| id(column, row)).collect();
        way(row + 1, format!("Row {row}"), "residential", nodes);
    }
    for column in 0..columns {
        let nodes = (0..rows).map(|row| id(column, row)).collect();
        way(1000 + column, format!("Column {column}"), "residential", nodes);
    }
    for (number, nodes) in footpaths.into_iter().enumerate() {
        way(2000 + number, format!("Path {number}"), "footway", nodes.to_vec());
    }
    for (number, nodes) in roads.into_iter().enumerate() {
        way(2500 + number, format!("Road {number}"), "residential", nodes.to_vec());
    }
    for (number, corners) in yards.into_iter().enumerate() {
        way(3000 + number, format!("Gate {number}"), "service", corners[..2].to_vec());
        // Several ways, because only their ends become vertices.
        for (part, ends) in corners[1..].windows(2).enumerate() {
            way(4000 + 10 * number + part, format!("Yard {number}"), "footway", ends.to_vec());
        }
    }
    osm + "</osm>\n"
}

fn write_feed(file: &Path, lines: &str) {
    let mut stops = String::from(
        "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding\n",
    );
    let mut stations = BTreeSet::new();
    let mut routes = String::from("route_id,agency_id,route_short_name,route_type\n");
    let mut trips = String::from("route_id,service_id,trip_id,wheelchair_accessible\n");
    let mut times = String::from("trip_id,stop_sequence,stop_id,arrival_time,departure_time\n");
    let mut transfers = String::from("from_stop_id,to_stop_id,transfer_type,min_transfer_time\n");
    let mut pathways =
        String::from("pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time\n");
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (head, calls) = line.split_once(" : ").unwrap_or((line, ""));
        match head.split_whitespace().collect::<Vec<_>>()[..] {
            ["stop", id, column, row, ref within @ ..] => {
                let LatLon { lat, lon } = crossing(column.parse().unwrap(), row.parse().unwrap());
                let station = within.get(1).copied().unwrap_or_default();
                writeln!(stops, "{id},Stop {id},{lat:.9},{lon:.9},0,{station},1").unwrap();
                if !station.is_empty() && stations.insert(station) {
                    writeln!(stops, "{station},Station {station},{lat:.9},{lon:.9},1,,1").unwrap();
                }
            }
            [kind @ ("line" | "subway"), id, headway, first, end] => {
                let route_type = if kind == "subway" { 1 } else { 3 };
                writeln!(routes, "{id},AG,{id},{route_type}").unwrap();
                let starts = (seconds(first)..seconds(end)).step_by(headway.parse().unwrap());
                for start in starts {
                    writeln!(trips, "{id},ALL,{id}_{start},1").unwrap();
                    for (sequence, call) in calls.split(", ").enumerate() {
                        let (stop, minutes) = call.split_once(' ').unwrap();
                        let time = start + minutes.parse::<i32>().unwrap() * 60;
                        let clock = format!("{}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60);
                        writeln!(times, "{id}_{start},{sequence},{stop},{clock},{clock}").unwrap();
                    }
                }
            }
            ["path" | "yard" | "road", ..] => {}
            ["change", from, to, kind, seconds] => {
                writeln!(transfers, "{from},{to},{kind},{seconds}").unwrap();
            }
            ["stairs", from, to, seconds] => {
                writeln!(pathways, "{from}-{to},{from},{to},2,1,{seconds}").unwrap();
            }
            ["escalator", from, to, seconds] => {
                writeln!(pathways, "{from}-{to},{from},{to},4,0,{seconds}").unwrap();
            }
            _ => panic!("unknown line: “{line}”"),
        }
    }
    let agency = "agency_id,agency_name,agency_url,agency_timezone\nAG,Agency,http://a.example,UTC\n";
    let calendar = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n\
                    ALL,1,1,1,1,1,1,1,20240101,20241231\n";
    let mut feed = zip::ZipWriter::new(std::fs::File::create(file).unwrap());
    for (name, content) in [
        ("agency.txt", agency),
        ("calendar.txt", calendar),
        ("stops.txt", &stops),
        ("routes.txt", &routes),
        ("trips.txt", &trips),
        ("stop_times.txt", &times),
        ("transfers.txt", &transfers),
        ("pathways.txt", &pathways),
    ] {
        feed.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        feed.write_all(content.as_bytes()).unwrap();
    }
    feed.finish().unwrap();
}
