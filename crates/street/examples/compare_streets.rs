//! Replays the reference's recorded street-only plans on graphs built from the same data and compares distance and
//! duration: `cargo run --release -p trestle-street --example compare_streets [-- CITY…]`. Needs `../shared`
//! beside the repository. Also prints the time of each kind of search.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use trestle_model::geo::LatLon;
use trestle_model::request::Optimize;
use trestle_model::{IssueSink, Mode, ModeSet, RoutingRequest};
use trestle_shared_data::shared;
use trestle_street::build::{StopPoint, StreetBuildOptions, StreetBuilder};
use trestle_street::cost::StreetCosts;
use trestle_street::elevation::Raster;
use trestle_street::graph::StreetGraph;
use trestle_street::link::{LinkEnd, LinkMode, LinkedPlace};
use trestle_street::osm::OsmInput;
use trestle_street::search::{Direction, StreetQuery, StreetSearch};

/// Each search runs this often; its time is the best of them.
const REPEATS: usize = 5;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let Some(shared) = shared("") else { return Ok(()) };
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for city in ["poa", "porto", "pdx"] {
        if wanted.is_empty() || wanted.iter().any(|w| w == city) {
            compare_city(&shared, city)?;
        }
    }
    Ok(())
}

/// What an answer says: metres and seconds, or that there is no path.
type Answer = Option<(f64, i64)>;

/// Cases, agreeing, exact, microseconds of each search.
#[derive(Default)]
struct Tally {
    cases: u32,
    agree: u32,
    exact: u32,
    micros: Vec<u128>,
}

fn compare_city(shared: &Path, city: &str) -> Outcome<()> {
    let time = Instant::now();
    let graph = build(&shared.join("data").join(city))?;
    println!(
        "{city}: {} vertices, {} edges, built in {:.1} s",
        graph.vertex_count(),
        graph.edges.len(),
        time.elapsed().as_secs_f64()
    );
    let mut search = StreetSearch::new();
    let mut tallies: BTreeMap<&'static str, Tally> = BTreeMap::new();
    for (name, parameters, expected) in cases(&shared.join("golden").join(city).join("plan.jsonl.gz"))? {
        let Some((request, mode)) = request(&parameters) else { continue };
        let (found, mut micros) = answer(&graph, &mut search, &request);
        for _ in 1..REPEATS {
            micros = micros.min(answer(&graph, &mut search, &request).1);
        }
        let tally = tallies.entry(mode.name()).or_default();
        tally.cases += 1;
        tally.micros.push(micros);
        let (agree, exact) = judge(expected, found);
        tally.agree += u32::from(agree);
        tally.exact += u32::from(exact);
        if !exact {
            println!("  {name} {}: expected {}, found {}", mode.name(), show(expected), show(found));
        }
    }
    for (mode, tally) in &mut tallies {
        tally.micros.sort_unstable();
        println!(
            "  {mode}: agree {}/{}, exact {}; median {} µs, slowest {} µs",
            tally.agree,
            tally.cases,
            tally.exact,
            tally.micros[tally.micros.len() / 2],
            tally.micros.last().copied().unwrap_or_default()
        );
    }
    Ok(())
}

fn show(answer: Answer) -> String {
    answer.map_or_else(|| "no path".to_owned(), |(meters, seconds)| format!("{meters:.1} m {seconds} s"))
}

fn judge(expected: Answer, found: Answer) -> (bool, bool) {
    match (expected, found) {
        (None, None) => (true, true),
        (Some((meters, seconds)), Some((m, s))) => {
            let (dm, ds) = ((m - meters).abs(), (s - seconds).abs());
            let agree = dm <= (meters * 0.01).max(10.0) && ds as f64 <= (seconds as f64 * 0.01).max(3.0);
            (agree, dm <= 0.5 && ds == 0)
        }
        _ => (false, false),
    }
}

fn answer(graph: &StreetGraph, search: &mut StreetSearch, request: &RoutingRequest) -> (Answer, u128) {
    let time = Instant::now();
    let mode = LinkMode::of(request);
    let costs = StreetCosts::from_request(request, 0);
    let link = |position: Option<LatLon>, end| LinkedPlace::at_coordinate(graph, position?, mode, end);
    let ends = (link(request.from.position, LinkEnd::Start), link(request.to.position, LinkEnd::Destination));
    let found = match ends {
        (Some(a), Some(b)) if !a.shares_edge_with(&b) => {
            let query = StreetQuery::new(graph, &costs);
            search.route(&query, &a, &b, Direction::Forward).ok().flatten()
        }
        _ => None,
    };
    let answer = found.map(|path| {
        if std::env::var_os("TRACE").is_some() {
            for t in &path.traversals {
                let edge = &graph.edges[t.edge.index()];
                println!(
                    "    {} {:.3} m {} s {:?} flags {:x} name {}",
                    t.edge.0,
                    t.length_m,
                    t.seconds,
                    t.mode,
                    edge.flags,
                    graph.names.get(edge.name)
                );
            }
        }
        (path.traversals.iter().map(|t| t.length_m).sum(), i64::from(path.seconds))
    });
    (answer, time.elapsed().as_micros())
}

/// The request of a recorded case, if it is a depart-after request of one street mode.
fn request(parameters: &BTreeMap<String, String>) -> Option<(RoutingRequest, Mode)> {
    let text = |name: &str| parameters.get(name).map(String::as_str);
    let number = |name: &str, default: f64| text(name).and_then(|v| v.parse().ok()).unwrap_or(default);
    let mode = match text("mode")? {
        "WALK" => Mode::Walk,
        "BICYCLE" => Mode::Bicycle,
        "CAR" => Mode::Car,
        _ => return None,
    };
    let plain = text("arriveBy") != Some("true")
        && ["intermediatePlaces", "batch", "numItineraries"].iter().all(|p| text(p).is_none());
    let mut request = RoutingRequest { modes: ModeSet::of(&[mode]), ..RoutingRequest::default() };
    request.from.position = position(text("fromPlace")?);
    request.to.position = position(text("toPlace")?);
    request.walk_speed = number("walkSpeed", request.walk_speed);
    request.bike_speed = number("bikeSpeed", request.bike_speed);
    request.walk_reluctance = number("walkReluctance", request.walk_reluctance);
    request.wheelchair = text("wheelchair") == Some("true");
    request.triangle_safety = number("triangleSafetyFactor", 0.0);
    request.triangle_slope = number("triangleSlopeFactor", 0.0);
    request.triangle_time = number("triangleTimeFactor", 0.0);
    request.optimize = match text("optimize") {
        Some("SAFE") => Optimize::Safe,
        Some("FLAT") => Optimize::Flat,
        Some("GREENWAYS") => Optimize::Greenways,
        Some("TRIANGLE") => Optimize::Triangle,
        _ => Optimize::Quick,
    };
    let sum = request.triangle_safety + request.triangle_slope + request.triangle_time;
    let refused = request.optimize == Optimize::Triangle && (sum - 1.0).abs() > 1e-6;
    (plain && !refused).then_some((request, mode))
}

/// The coordinate of a place; a heading after it is ignored.
fn position(place: &str) -> Option<LatLon> {
    let mut numbers = place
        .rsplit("::")
        .next()?
        .split([',', ' '])
        .filter(|word| !word.is_empty())
        .map_while(|word| word.parse::<f64>().ok());
    Some(LatLon::new(numbers.next()?, numbers.next()?))
}

type Case = (String, BTreeMap<String, String>, Answer);

/// Name, parameters and answer of every recorded plan.
fn cases(file: &Path) -> Outcome<Vec<Case>> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(File::open(file)?).read_to_string(&mut text)?;
    let mut cases = Vec::new();
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line)?;
        let (Some(name), Some(path), Some(body)) =
            (case["name"].as_str(), case["path"].as_str(), case["response_b64"].as_str())
        else {
            continue;
        };
        let Some((_, query)) = path.split_once('?') else { continue };
        let parameters = query.split('&').filter_map(|p| p.split_once('=')).rev();
        let parameters = parameters.map(|(name, value)| (name.to_owned(), decode_url(value))).collect();
        let Ok(answer) = serde_json::from_slice::<serde_json::Value>(&decode_base64(body)) else { continue };
        let itinerary = &answer["plan"]["itineraries"][0];
        let expected = itinerary["duration"].as_i64().map(|seconds| {
            let legs = itinerary["legs"].as_array().into_iter().flatten();
            (legs.filter_map(|leg| leg["distance"].as_f64()).sum(), seconds)
        });
        cases.push((name.to_owned(), parameters, expected));
    }
    Ok(cases)
}

fn decode_url(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let hex: Option<u8> = (byte == b'%')
            .then(|| rest.clone().take(2).map(char::from).collect::<String>())
            .and_then(|digits| u8::from_str_radix(&digits, 16).ok());
        bytes.push(hex.unwrap_or(if byte == b'+' { b' ' } else { byte }));
        if hex.is_some() {
            rest.nth(1);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn decode_base64(text: &str) -> Vec<u8> {
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

/// The street graph of a city folder, with its stops linked.
fn build(folder: &Path) -> Outcome<StreetGraph> {
    let mut issues = IssueSink::default();
    let osm = files(folder, &[".pbf", ".osm"])?;
    let contents = osm.iter().map(std::fs::read).collect::<Result<Vec<_>, _>>()?;
    let inputs: Vec<_> = contents.iter().map(|bytes| OsmInput { name: "osm", bytes }).collect();
    let options = StreetBuildOptions::default();
    let mut builder = StreetBuilder::read(&inputs, &options, &mut issues, &mut |_, _| {})?;
    builder.prune_islands(&mut issues);
    let mut stops = Vec::new();
    for feed in files(folder, &[".zip"])? {
        read_stops(&feed, &mut stops)?;
    }
    builder.link_stops(&stops, &mut issues);
    if let Some(raster) = files(folder, &[".tif"])?.first() {
        builder.apply_elevation(&Raster::read("elevation", &std::fs::read(raster)?)?, &mut issues);
    }
    Ok(builder.finish())
}

/// Files of a folder with one of the endings, by name.
fn files(folder: &Path, endings: &[&str]) -> Outcome<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)))
        .collect();
    files.sort();
    Ok(files)
}

/// The stops (not stations and entrances) of a feed.
fn read_stops(feed: &Path, stops: &mut Vec<StopPoint>) -> Outcome<()> {
    let mut archive = zip::ZipArchive::new(File::open(feed)?)?;
    let mut rows = csv::Reader::from_reader(archive.by_name("stops.txt")?);
    let header = rows.headers()?.clone();
    let column = |name: &str| header.iter().position(|h| h.trim_start_matches('\u{feff}') == name);
    let [lat, lon, code, kind] = ["stop_lat", "stop_lon", "stop_code", "location_type"].map(column);
    for row in rows.records() {
        let row = row?;
        let cell = |at: Option<usize>| at.and_then(|i| row.get(i)).map(str::trim).unwrap_or_default();
        if !matches!(cell(kind), "" | "0") {
            continue;
        }
        stops.push(StopPoint {
            lat: cell(lat).parse().unwrap_or(f64::NAN),
            lon: cell(lon).parse().unwrap_or(f64::NAN),
            code: Some(cell(code).to_owned()).filter(|c| !c.is_empty()),
            turn: 0,
        });
    }
    Ok(())
}
