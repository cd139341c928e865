//! Reads the shared cities and their recorded answers.

#![allow(dead_code, unreachable_pub)]

pub mod feed;

use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;
use serde_json::Value;
use trestle_model::IssueSink;
use trestle_shared_data::shared;
use trestle_transit::build::{GtfsInput, TransitBuildOptions, build_timetable};
use trestle_transit::timetable::Timetable;

/// Name and bytes of a city's feeds, where `shared` finds them.
pub fn feeds(city: &str) -> Option<Vec<(String, Vec<u8>)>> {
    let mut feeds = Vec::new();
    for entry in std::fs::read_dir(shared(&format!("data/{city}"))?).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "zip") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            feeds.push((name, std::fs::read(&path).unwrap()));
        }
    }
    Some(feeds)
}

pub fn build_feeds(feeds: &[(String, Vec<u8>)], issues: &mut IssueSink) -> Timetable {
    let inputs: Vec<_> = feeds.iter().map(|(name, bytes)| GtfsInput { name, bytes }).collect();
    build_timetable(&inputs, &TransitBuildOptions::default(), issues, &mut |_, _| {}).unwrap().timetable
}

pub fn build_city(city: &str) -> Option<Timetable> {
    Some(build_feeds(&feeds(city)?, &mut IssueSink::default()))
}

/// A recorded request and its answer.
pub struct Answer {
    pub method: String,
    pub path: String,
    pub status: u64,
    pub body: Vec<u8>,
}

/// Some requests were recorded once more with a compressed answer.
const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];

/// Recorded answers of one area, without compressed ones, where `shared` finds them.
pub fn answers(city: &str, area: &str) -> Option<Vec<Answer>> {
    let file = std::fs::File::open(shared(&format!("golden/{city}/{area}.jsonl.gz"))?).unwrap();
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    let parsed = lines.map(|line| {
        let case: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let text = |name: &str| case[name].as_str().unwrap_or_default().to_owned();
        let (method, path, body) = (text("method"), text("path"), base64(&text("response_b64")));
        Answer { method, path, status: case["status"].as_u64().unwrap_or(0), body }
    });
    Some(parsed.filter(|answer| !answer.body.starts_with(GZIP_MAGIC)).collect())
}

fn base64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bits, mut count, mut bytes) = (0u32, 0, Vec::new());
    for value in text.bytes().filter_map(digit) {
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
