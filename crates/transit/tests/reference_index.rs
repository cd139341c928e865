//! Everything that the build computes for the index must be as recorded for three cities.
//! Skipped, with a message, where `shared` does not find them.

use std::collections::BTreeMap;

use serde_json::Value;
use trestle_model::ids::{PatternIdx, RouteIdx, StopIdx, TripIdx};
use trestle_model::polyline;
use trestle_transit::hash_order::{id_hash, table_order, text_hash};
use trestle_transit::timetable::Timetable;
use trestle_transit::{listing_order, semantic_hash};

use crate::support::{answers, build_city};

/// Recorded 200 answers of the index by path below `/index`.
fn recorded(city: &str) -> Option<BTreeMap<String, Vec<u8>>> {
    let prefix = format!("/routers/{city}/index/");
    let good = answers(city, "index")?.into_iter().filter(|a| a.status == 200 && a.method == "GET");
    Some(good.filter_map(|a| Some((a.path.strip_prefix(&prefix)?.replace("%23", "#"), a.body))).collect())
}

fn json(answers: &BTreeMap<String, Vec<u8>>, path: &str) -> Vec<Value> {
    serde_json::from_slice(&answers[path]).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Compares one city; returns (patterns, hashes, geometries, trip lists) compared.
fn check(city: &str) -> Option<[usize; 4]> {
    let (timetable, answers) = (build_city(city)?, recorded(city)?);
    let patterns = check_pattern_list(&timetable, &answers);
    check_listing_orders(&timetable, &answers);
    let (mut hashes, mut geometries, mut trip_lists) = (0, 0, 0);
    for (path, body) in &answers {
        let parts: Vec<&str> = path.split('/').collect();
        let pattern = |code: &str| timetable.pattern_by_code(code).unwrap_or_else(|| panic!("{code}"));
        let trip = |id: &str| timetable.trip_by_id(id).unwrap_or_else(|| panic!("{id}"));
        match parts[..] {
            ["patterns", code, "semanticHash"] => {
                let hash = semantic_hash::pattern(&timetable, pattern(code));
                assert_eq!(hash.as_bytes(), body, "{path}");
                hashes += 1;
            }
            ["trips", id, "semanticHash"] => {
                assert_eq!(semantic_hash::trip(&timetable, trip(id)).as_bytes(), body, "{path}");
                hashes += 1;
            }
            ["patterns", code, "geometry"] => {
                check_geometry(&timetable, pattern(code), body, path);
                geometries += 1;
            }
            ["patterns", code, "trips"] => {
                check_trips(&timetable, pattern(code), &json(&answers, path), path);
                trip_lists += 1;
            }
            ["trips", id, "stoptimes"] => check_times(&timetable, trip(id), &json(&answers, path), path),
            ["stops", id, "patterns"] => check_stop_patterns(&timetable, id, &json(&answers, path), path),
            _ => {}
        }
    }
    Some([patterns, hashes, geometries, trip_lists])
}

fn check_pattern_list(timetable: &Timetable, answers: &BTreeMap<String, Vec<u8>>) -> usize {
    let listed = json(answers, "patterns");
    let texts = &timetable.texts;
    let built: BTreeMap<&str, &str> = (timetable.patterns.code.iter().zip(timetable.patterns.name.iter()))
        .map(|(&code, &name)| (texts.get(code), texts.get(name)))
        .collect();
    let expected: BTreeMap<&str, &str> =
        listed.iter().map(|p| (p["id"].as_str().unwrap(), p["desc"].as_str().unwrap())).collect();
    assert_eq!(built, expected);
    expected.len()
}

/// Patterns, routes and stops are listed in hash table order; the order within a bucket is not specified.
fn check_listing_orders(timetable: &Timetable, answers: &BTreeMap<String, Vec<u8>>) {
    let entity_hash = |id: &str| id.split_once(':').map_or(0, |(feed, entity)| id_hash(feed, entity));
    let code = |&p: &u32| timetable.texts.get(timetable.patterns.code[p as usize]).to_owned();
    let route = |&r: &u32| timetable.route_id(RouteIdx(r));
    let stop = |&s: &u32| timetable.stop_id(StopIdx(s));
    let patterns = listing_order::patterns(timetable).iter().map(code).collect();
    let routes = listing_order::routes(timetable).iter().map(route).collect();
    let stops = listing_order::stops(timetable).iter().map(stop).collect();
    check_listing(json(answers, "patterns"), patterns, text_hash);
    check_listing(json(answers, "routes"), routes, entity_hash);
    check_listing(json(answers, "stops"), stops, entity_hash);
}

fn check_listing(listed: Vec<Value>, built: Vec<String>, hash: impl Fn(&str) -> u32) {
    let recorded: Vec<String> = listed.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect();
    // A list is in hash table order when sorting it (which keeps ties) changes nothing.
    let identity: Vec<u32> = (0..recorded.len() as u32).collect();
    let hashes = |ids: &[String]| ids.iter().map(|id| hash(id)).collect::<Vec<_>>();
    assert_eq!(table_order(&hashes(&recorded)), identity);
    let sorted = |mut ids: Vec<String>| {
        ids.sort_unstable();
        ids
    };
    assert_eq!(table_order(&hashes(&built)), identity, "ours is in table order");
    assert_eq!(sorted(built), sorted(recorded));
}

fn check_geometry(timetable: &Timetable, pattern: PatternIdx, body: &[u8], path: &str) {
    let expected: Value = serde_json::from_slice(body).unwrap();
    let line = polyline::encode(timetable.patterns.geometry(pattern).iter().map(|p| (p[0], p[1])));
    assert_eq!(u64::from(line.length), expected["length"].as_u64().unwrap(), "{path}");
    assert_eq!(line.points, expected["points"].as_str().unwrap(), "{path}");
}

fn check_trips(timetable: &Timetable, pattern: PatternIdx, expected: &[Value], path: &str) {
    let trips = timetable.patterns.trips(pattern).map(TripIdx::from);
    // A frequency trip is listed once per row of frequencies.txt.
    let built: Vec<String> = trips
        .flat_map(|trip| {
            let times = timetable.trips.frequencies_of(trip).len().max(1);
            std::iter::repeat_n(timetable.trip_id(trip), times)
        })
        .collect();
    let expected: Vec<&str> = expected.iter().map(|trip| trip["id"].as_str().unwrap()).collect();
    assert_eq!(built, expected, "{path}");
}

fn check_times(timetable: &Timetable, trip: TripIdx, expected: &[Value], path: &str) {
    let calls = timetable.trip_calls(trip);
    let stops = timetable.patterns.stops(timetable.pattern_of(trip));
    let built: Vec<_> = (0..stops.len())
        .map(|i| {
            let stop = timetable.stop_id(StopIdx(stops[i]));
            (stop, i64::from(calls.arrival(i)), i64::from(calls.departure(i)), calls.timepoints[i] == 1)
        })
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|call| {
            let time = |name: &str| call[name].as_i64().unwrap();
            let stop = call["stopId"].as_str().unwrap().to_owned();
            let timepoint = call["timepoint"].as_bool().unwrap();
            (stop, time("scheduledArrival"), time("scheduledDeparture"), timepoint)
        })
        .collect();
    assert_eq!(built, expected, "{path}");
}

fn check_stop_patterns(timetable: &Timetable, id: &str, expected: &[Value], path: &str) {
    let stop = timetable.stop_by_id(id).unwrap_or_else(|| panic!("{id}"));
    let calls = timetable.stops.calls_at(stop).iter();
    let code = |&[pattern, _]: &[u32; 2]| timetable.texts.get(timetable.patterns.code[pattern as usize]);
    let mut built: Vec<&str> = calls.map(code).collect();
    let mut expected: Vec<&str> = expected.iter().map(|pattern| pattern["id"].as_str().unwrap()).collect();
    built.sort_unstable();
    expected.sort_unstable();
    assert_eq!(built, expected, "{path}");
}

#[test]
fn porto_is_as_recorded() {
    let Some(counts) = check("porto") else { return };
    assert_eq!(counts, [250, 24, 12, 12]);
}

#[test]
fn poa_is_as_recorded() {
    let Some(counts) = check("poa") else { return };
    assert_eq!(counts, [226, 12, 6, 6]);
}

#[test]
fn pdx_is_as_recorded() {
    let Some(counts) = check("pdx") else { return };
    assert_eq!(counts, [14, 14, 1, 6]);
}

#[test]
fn service_periods_are_as_recorded() {
    for city in ["poa", "pdx"] {
        let path = format!("/routers/{city}");
        let (Some(recorded), Some(timetable)) = (answers(city, "routers"), build_city(city)) else { return };
        let router: Value = recorded
            .into_iter()
            .filter(|answer| answer.path == path && answer.status == 200)
            .find_map(|answer| serde_json::from_slice(&answer.body).ok())
            .unwrap();
        let epoch = |name: &str| router[name].as_i64().unwrap();
        let period = (epoch("transitServiceStarts"), epoch("transitServiceEnds"));
        assert_eq!(timetable.service_period(), Some(period), "{city}");
    }
}

/// Run with `cargo test --release -p trestle-transit --test all -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn porto_build_time() {
    let Some(feeds) = crate::support::feeds("porto") else { return };
    let mut seconds: Vec<f64> = Vec::new();
    for _ in 0..5 {
        let start = std::time::Instant::now();
        let timetable = crate::support::build_feeds(&feeds, &mut Default::default());
        seconds.push(start.elapsed().as_secs_f64());
        assert_eq!(timetable.patterns.count(), 250);
        let calls: usize =
            (0..timetable.trips.count()).map(|trip| timetable.trip_calls(TripIdx::from(trip)).count()).sum();
        println!("{:.3} s: {} trips, {calls} calls", seconds[seconds.len() - 1], timetable.trips.count());
        let start = std::time::Instant::now();
        for stop in 0..timetable.stops.id.len() {
            let stop = StopIdx::from(stop);
            assert_eq!(timetable.stop_by_id(&timetable.stop_id(stop)), Some(stop));
        }
        let each = start.elapsed().as_secs_f64() / timetable.stops.id.len() as f64;
        println!("{:.2} µs per look-up of a stop by id", each * 1e6);
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!("{}", status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default());
}

#[test]
fn every_shared_feed_builds() {
    for city in ["bayarea_rt", "beatty", "portland", "porto", "porto-metro-frequencies", "zhelez"] {
        let Some(feeds) = crate::support::feeds(city) else { continue };
        let mut issues = trestle_model::IssueSink::default();
        let timetable = crate::support::build_feeds(&feeds, &mut issues);
        let counts: Vec<_> = issues.counts().collect();
        println!(
            "{city}: {} patterns, {} trips, {counts:?}",
            timetable.patterns.count(),
            timetable.trips.count()
        );
        for issue in issues.issues().iter().take(4) {
            println!("  {issue}");
        }
        assert_eq!(timetable.feeds.id.len(), feeds.len(), "{city}");
        assert!(timetable.trips.count() > 0, "{city}");
    }
}
