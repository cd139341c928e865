//! Compares the steps, lines and heights of street itineraries with recorded answers of the reference.
//! Skipped where `shared` does not find them.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde_json::Value;
use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::itinerary::{Itinerary, Leg, Step};
use trestle_model::{Direction, Mode, ModeSet, RoutingRequest};
use trestle_planner::Scratch;
use trestle_planner::plan::plan;
use trestle_shared_data::shared;

use crate::shared_city::graph_of;

/// Numbers of agreeing and compared values by name.
#[derive(Default)]
struct Tally(BTreeMap<&'static str, (u32, u32)>);

impl Tally {
    fn count(&mut self, what: &'static str, agrees: bool) {
        let (good, all) = self.0.entry(what).or_default();
        *good += u32::from(agrees);
        *all += 1;
    }
}

#[test]
fn street_itineraries_have_the_recorded_steps() {
    let mut tally = Tally::default();
    for city in ["poa", "porto"] {
        let recorded = shared(&format!("golden/{city}/plan.jsonl.gz"));
        let (Some(graph), Some(recorded)) = (graph_of(city), recorded) else { return };
        let snapshot = Snapshot::new(graph, 0);
        for (name, request, expected) in cases(&recorded) {
            let found = plan(&snapshot, &request, &mut Scratch::default(), &Deadline::default());
            match found {
                Ok(found) => compare(&name, &expected, &found.itineraries[0], &mut tally),
                Err(error) => {
                    println!("{name}: {error}");
                    tally.count("path", false);
                }
            }
        }
    }
    for (what, (good, all)) in &tally.0 {
        println!("{what}: {good}/{all}");
        assert!(*all > 0 && f64::from(*good) >= 0.95 * f64::from(*all), "{what}: {good} of {all} agree");
    }
    assert!(tally.0["name"].1 > 1000, "too few steps were compared");
}

fn compare(name: &str, expected: &Value, found: &Itinerary, tally: &mut Tally) {
    let legs = expected["legs"].as_array().unwrap();
    let same_path = legs.len() == found.legs.len()
        && legs.iter().zip(&found.legs).all(|(e, f)| near(&e["distance"], f.distance, 0.5));
    tally.count("path", same_path);
    if !same_path {
        println!("{name}: another path");
        return;
    }
    tally.count("climb", near(&expected["elevationGained"], found.elevation_gained, 0.01));
    tally.count("walk distance", near(&expected["walkDistance"], found.walk_distance, 0.1));
    for (expected, found) in legs.iter().zip(&found.legs) {
        compare_leg(name, expected, found, tally);
    }
}

fn compare_leg(name: &str, expected: &Value, found: &Leg, tally: &mut Tally) {
    tally.count("line", expected["legGeometry"]["points"] == found.geometry.points);
    tally.count("times", expected["endTime"] == found.end_time && expected["startTime"] == found.start_time);
    tally.count(
        "places",
        expected["from"]["name"] == found.from.name && expected["to"]["name"] == found.to.name,
    );
    let steps = expected["steps"].as_array().unwrap();
    tally.count("step count", steps.len() == found.steps.len());
    if steps.len() != found.steps.len() {
        println!("{name}: {} steps instead of {}", found.steps.len(), steps.len());
        return;
    }
    for (expected, found) in steps.iter().zip(&found.steps) {
        compare_step(expected, found, tally);
    }
}

fn compare_step(expected: &Value, found: &Step, tally: &mut Tally) {
    let constant = |value: &str| value.replace('_', "").to_lowercase();
    let is =
        |member: &str, value: String| constant(expected[member].as_str().unwrap()) == value.to_lowercase();
    tally.count("name", expected["streetName"] == found.street_name);
    tally.count("turn", is("relativeDirection", format!("{:?}", found.relative)));
    tally.count("compass", is("absoluteDirection", format!("{:?}", found.absolute.unwrap())));
    tally.count("distance", near(&expected["distance"], found.distance, 0.02));
    tally.count("exit", expected["exit"].as_str() == found.exit.as_deref());
    let flags = [&expected["stayOn"], &expected["area"], &expected["bogusName"]];
    tally.count("flags", flags == [found.stay_on, found.area, found.bogus_name]);
    tally.count("start", near(&expected["lon"], found.lon, 1e-7) && near(&expected["lat"], found.lat, 1e-7));
    let heights = expected["elevation"].as_array().unwrap();
    let agree = heights.len() == found.elevation.len()
        && heights.iter().zip(&found.elevation).all(|(e, f)| near(&e["second"], f.1, 0.02));
    tally.count("heights", agree);
}

fn near(expected: &Value, found: f64, tolerance: f64) -> bool {
    expected.as_f64().is_some_and(|expected| (expected - found).abs() <= tolerance)
}

/// Recorded departures of one street mode without other relevant options.
fn cases(file: &Path) -> Vec<(String, RoutingRequest, Value)> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(File::open(file).unwrap()).read_to_string(&mut text).unwrap();
    text.lines().filter_map(|line| case(&serde_json::from_str(line).unwrap())).collect()
}

fn case(recorded: &Value) -> Option<(String, RoutingRequest, Value)> {
    let (_, query) = recorded["path"].as_str()?.split_once('?')?;
    let parameters: BTreeMap<&str, &str> = query.split('&').filter_map(|p| p.split_once('=')).collect();
    let understood = ["fromPlace", "toPlace", "date", "time", "mode", "maxWalkDistance", "arriveBy"];
    if parameters.keys().any(|name| !understood.contains(name)) {
        return None;
    }
    let mode = match *parameters.get("mode")? {
        "WALK" => Mode::Walk,
        "BICYCLE" => Mode::Bicycle,
        "CAR" => Mode::Car,
        _ => return None,
    };
    let answer: Value = serde_json::from_slice(&decode_base64(recorded["response_b64"].as_str()?)).ok()?;
    let mut request = RoutingRequest { modes: ModeSet::of(&[mode]), ..RoutingRequest::default() };
    request.direction = Direction::of_request(parameters.get("arriveBy") == Some(&"true"));
    request.epoch_seconds = answer["plan"]["date"].as_i64()? / 1000;
    request.from.position = position(parameters["fromPlace"]);
    request.to.position = position(parameters["toPlace"]);
    request.from.name = answer["plan"]["from"]["orig"].as_str()?.to_owned();
    request.to.name = answer["plan"]["to"]["orig"].as_str()?.to_owned();
    let itinerary = answer["plan"]["itineraries"][0].clone();
    (request.from.position.is_some() && request.to.position.is_some())
        .then(|| (recorded["name"].as_str().unwrap_or_default().to_owned(), request, itinerary))
}

fn position(place: &str) -> Option<LatLon> {
    let (lat, lon) = place.rsplit("::").next()?.split_once(',')?;
    Some(LatLon::new(lat.parse().ok()?, lon.parse().ok()?))
}

fn decode_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let values = text.bytes().filter_map(|byte| DIGITS.iter().position(|&digit| digit == byte));
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for value in values {
        bits = bits << 6 | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
