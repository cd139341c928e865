//! Times the transit search on real feeds: random pairs of stops, access and egress by straight line.
//!
//! `cargo run --release -p trestle-transit --example raptor_bench -- FOLDER YYYYMMDD [PAIRS]`
//! reads every `.zip` of FOLDER. Walks between stops are straight lines of up to 600 m, about as many as on real streets.
//! Two builds give the same answers if they print the same digests.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fmt::{Debug, Write};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::{Duration, Instant};

use trestle_model::geo::{LatLon, fast_distance_m};
use trestle_model::ids::StopIdx;
use trestle_model::{IssueSink, RoutingRequest, ServiceDate};
use trestle_transit::build::{GtfsInput, TransitBuildOptions, build_timetable};
use trestle_transit::calendar::service_day_start;
use trestle_transit::raptor::{
    ActiveService, Endpoint, LabelSettingQuery, LabelSettingScratch, NoStreets, OneToAllQuery, RangeQuery,
    RangeScratch, StopSignal, TransitQuery, TransitScratch, label_setting, one_to_all, plan, range,
};
use trestle_transit::timetable::{DirectTransfer, Timetable};
use trestle_transit::transfers::{TransferEdge, WHEELCHAIR, store_direct};

const TRANSFER_METERS: f64 = 600.0;
const NEAREST_STOPS: usize = 20;
/// The best of this many runs of a query counts, to exclude other work on the machine.
const REPEATS: usize = 3;
const WALK_SPEED: f64 = 1.33;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: raptor_bench FOLDER YYYYMMDD [PAIRS]";
    let folder = arguments.next().ok_or(usage)?;
    let date = arguments.next().and_then(|text| ServiceDate::parse_compact(&text)).ok_or(usage)?;
    let pairs = arguments.next().map_or(Ok(500), |text| text.parse())?;
    let timetable = read_timetable(Path::new(&folder))?;
    let started = Instant::now();
    let service = ActiveService::compile(&timetable, date, 1, None);
    println!(
        "{} stops, {} patterns with service, {} lanes, {} runs, {} walks; service of {} kB compiled in {:.1} ms",
        timetable.stops.id.len(),
        service.patterns.len(),
        service.lanes.len(),
        service.runs.len(),
        timetable.transfers.direct.len(),
        service.bytes() / 1000,
        milliseconds(started.elapsed()),
    );
    let bench = Bench {
        timetable: &timetable,
        service: &service,
        date,
        queries: random_pairs(&timetable, &service, pairs),
    };
    for (hour, arrive_by, itineraries) in
        [(8, false, 1), (8, false, 2), (8, false, 3), (14, false, 3), (9, true, 1), (9, true, 3)]
    {
        bench.run(hour, arrive_by, itineraries);
    }
    bench.run_one_to_all();
    bench.run_label_setting();
    bench.run_range(1);
    bench.run_range(60);
    Ok(())
}

fn read_timetable(folder: &Path) -> Result<Timetable, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "zip") {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            files.push((name, std::fs::read(&path)?));
        }
    }
    let inputs: Vec<_> = files.iter().map(|(name, bytes)| GtfsInput { name, bytes }).collect();
    let mut timetable =
        build_timetable(&inputs, &TransitBuildOptions::default(), &mut IssueSink::default(), &mut |_, _| {})?;
    let edges = straight_walks(&timetable);
    let stops = timetable.stops.id.len();
    store_direct(&mut timetable.transfers, stops, &edges);
    Ok(timetable)
}

fn position(timetable: &Timetable, stop: usize) -> LatLon {
    LatLon::new(timetable.stops.lat[stop], timetable.stops.lon[stop])
}

/// For every stop and pattern, the walk to the nearest stop of the pattern.
fn straight_walks(timetable: &Timetable) -> Vec<TransferEdge> {
    let stops = timetable.stops.id.len();
    let mut edges = Vec::new();
    for from in 0..stops {
        let here = position(timetable, from);
        let mut near: Vec<(f64, usize)> = (0..stops)
            .map(|to| (fast_distance_m(here, position(timetable, to)), to))
            .filter(|(meters, _)| *meters <= TRANSFER_METERS)
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut served = std::collections::HashSet::new();
        for (meters, to) in near {
            let patterns = timetable.stops.calls_at(StopIdx::from(to));
            let new = patterns.iter().filter(|[pattern, _]| served.insert(*pattern)).count() > 0;
            if new && to != from {
                let transfer = DirectTransfer {
                    to_stop: to as u32,
                    meters: meters as f32,
                    seconds: -1,
                    flags: WHEELCHAIR,
                };
                edges.push(TransferEdge { from_stop: StopIdx::from(from), transfer });
            }
        }
    }
    edges
}

struct Pair {
    access: Vec<Endpoint>,
    egress: Vec<Endpoint>,
}

/// Pairs of stops with service, from a fixed sequence of pseudo-random numbers.
fn random_pairs(timetable: &Timetable, service: &ActiveService, count: usize) -> Vec<Pair> {
    let served: Vec<usize> =
        (0..service.stop_count()).filter(|&stop| !service.calls_at(StopIdx::from(stop)).is_empty()).collect();
    let mut state = 5u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        served[(state >> 33) as usize % served.len().max(1)]
    };
    let mut near = |timetable: &Timetable| {
        let here = position(timetable, next());
        let mut stops: Vec<(f64, usize)> = served_distances(timetable, service, here).collect();
        stops.sort_by(|a, b| a.0.total_cmp(&b.0));
        stops.truncate(NEAREST_STOPS);
        let endpoints = stops.into_iter().map(|(meters, stop)| {
            let seconds = (meters / WALK_SPEED).ceil() as i32 + 1;
            Endpoint { stop: StopIdx::from(stop), seconds, cost: f64::from(seconds) * 2.0 }
        });
        endpoints.collect::<Vec<_>>()
    };
    (0..count).map(|_| Pair { access: near(timetable), egress: near(timetable) }).collect()
}

fn served_distances<'a>(
    timetable: &'a Timetable,
    service: &'a ActiveService,
    here: LatLon,
) -> impl Iterator<Item = (f64, usize)> + 'a {
    (0..service.stop_count())
        .filter(|&stop| !service.calls_at(StopIdx::from(stop)).is_empty())
        .map(move |stop| (fast_distance_m(here, position(timetable, stop)), stop))
}

struct Bench<'a> {
    timetable: &'a Timetable,
    service: &'a ActiveService,
    date: ServiceDate,
    queries: Vec<Pair>,
}

impl Bench<'_> {
    fn run(&self, hour: i64, arrive_by: bool, itineraries: i32) {
        let request = RoutingRequest {
            arrive_by,
            num_itineraries: itineraries,
            max_transfers: 4,
            ..self.request(hour)
        };
        let mut scratch = TransitScratch::default();
        let mut times = Vec::new();
        let (mut answered, mut paths) = (0, 0);
        let mut digest = Digest::default();
        for pair in &self.queries {
            let query = TransitQuery {
                request: &request,
                access: &pair.access,
                egress: &pair.egress,
                bike_aboard: false,
                on_board: None,
                on_streets: None,
                stop: StopSignal::default(),
            };
            let mut found = Vec::new();
            times.push(best_of(|| {
                found = plan(self.timetable, self.service, &query, &mut scratch).paths;
            }));
            answered += usize::from(!found.is_empty());
            paths += found.len();
            digest.add(&found);
        }
        let kind = if arrive_by { "arrive" } else { "depart" };
        print_times(
            &format!("{hour:02}:00 {kind} {itineraries} itineraries ({answered} answered, {paths} paths)"),
            times,
            &digest,
        );
    }

    fn request(&self, hour: i64) -> RoutingRequest {
        let day_start = service_day_start(self.date, &self.timetable.time_zone());
        RoutingRequest { epoch_seconds: day_start + hour * 3600, ..RoutingRequest::default() }
    }

    /// From a place to every stop within an hour.
    fn run_one_to_all(&self) {
        let request = self.request(8);
        let mut scratch = TransitScratch::default();
        let mut times = Vec::new();
        let mut digest = Digest::default();
        for pair in &self.queries {
            let query = OneToAllQuery {
                request: &request,
                near: &pair.access,
                bike_aboard: false,
                max_seconds: 3600,
                stop: StopSignal::default(),
            };
            let mut found = Vec::new();
            times.push(best_of(|| {
                found = one_to_all(self.timetable, self.service, &query, &mut scratch).stops;
            }));
            digest.add(&found);
        }
        print_times("08:00 to every stop within an hour", times, &digest);
    }

    /// The same without the first wait, as for a surface.
    fn run_label_setting(&self) {
        let request = self.request(8);
        let mut scratch = LabelSettingScratch::default();
        let mut times = Vec::new();
        let mut digest = Digest::default();
        for pair in &self.queries {
            let query = LabelSettingQuery {
                request: &request,
                near: &pair.access,
                bike_aboard: false,
                max_seconds: 5400,
                clamp: 1800,
                stop: StopSignal::default(),
            };
            let mut found = None;
            times.push(best_of(|| {
                found = label_setting(self.timetable, self.service, &query, &mut NoStreets, &mut scratch);
            }));
            digest.add(&found);
        }
        print_times("08:00 to every stop within 90 minutes without the first wait", times, &digest);
    }

    /// Earliest arrivals at every stop for `count` departures, one a minute.
    fn run_range(&self, count: usize) {
        let request = self.request(8);
        let mut scratch = RangeScratch::default();
        let mut times = Vec::new();
        let mut digest = Digest::default();
        for pair in &self.queries {
            let query = RangeQuery {
                request: &request,
                near: &pair.access,
                bike_aboard: false,
                first: request.epoch_seconds,
                step: 60,
                count,
                max_seconds: 3600,
                stop: StopSignal::default(),
            };
            times.push(best_of(|| {
                range(self.timetable, self.service, &query, &mut scratch, &mut |_| {});
            }));
            range(self.timetable, self.service, &query, &mut scratch, &mut |departure| digest.add(departure));
        }
        print_times(&format!("08:00 to every stop within an hour, {count} departures"), times, &digest);
    }
}

fn best_of(mut work: impl FnMut()) -> Duration {
    let run = |_| {
        let started = Instant::now();
        work();
        started.elapsed()
    };
    (0..REPEATS).map(run).min().unwrap_or_default()
}

/// Hash of the debug output of answers.
#[derive(Default)]
struct Digest {
    hasher: DefaultHasher,
    text: String,
}

impl Digest {
    fn add(&mut self, answer: impl Debug) {
        self.text.clear();
        let _ = write!(self.text, "{answer:?}");
        self.text.hash(&mut self.hasher);
    }
}

fn print_times(what: &str, mut times: Vec<Duration>, digest: &Digest) {
    times.sort();
    let at = |share: f64| milliseconds(times[((times.len() - 1) as f64 * share) as usize]);
    let total = milliseconds(times.iter().sum());
    let digest = digest.hasher.finish();
    println!(
        "{what}: p50 {:.2} p90 {:.2} p99 {:.2} all {total:.1} ms, {digest:016x}",
        at(0.5),
        at(0.9),
        at(0.99)
    );
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
