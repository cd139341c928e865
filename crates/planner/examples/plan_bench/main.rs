//! Times plans on a graph file, without Node and HTTP: random pairs of stops.
//!
//! `cargo run --release -p trestle-planner --example plan_bench -- GRAPH EPOCH [MODE] [PAIRS] [ROUNDS]`
//! MODE is one of transit (default), arrive, anywhere (transit between any stops, including those without streets), walk,
//! bike, car; and for transit with live data about 2000 trips under way, late (they are only late), skipped (each skips a
//! call), moved (each makes a call at another stop) and closed (they skip the same stops). The digest is equal for two builds of the program with the same answers. Times are processor times, the
//! mean of all rounds for each pair, so that other work on the machine hardly matters. The system may measure them in
//! steps of some milliseconds, which enough rounds average out.
#![allow(clippy::print_stdout)]

mod live;

use std::error::Error;
use std::hash::Hasher;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use live::Change;
use rustc_hash::FxHasher;
use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_engine::store;
use trestle_model::geo::LatLon;
use trestle_model::itinerary::Plan;
use trestle_model::request::PlaceRequest;
use trestle_model::{Direction, Mode, ModeSet, RoutingRequest};
use trestle_planner::Scratch;
use trestle_planner::plan::plan;

const USAGE: &str = "usage: plan_bench GRAPH EPOCH [transit|arrive|anywhere|walk|bike|car|late|skipped|moved|closed] [PAIRS] [ROUNDS]";

/// Number of requests that are printed.
const SLOWEST_PRINTED: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let graph = arguments.next().ok_or(USAGE)?;
    let epoch: i64 = arguments.next().ok_or(USAGE)?.parse()?;
    let mode = arguments.next().unwrap_or_else(|| "transit".to_owned());
    let pairs = arguments.next().map_or(Ok(200), |text| text.parse())?;
    let rounds = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let snapshot = Snapshot::new(Arc::new(store::open(Path::new(&graph))?), 0);
    let requests = random_requests(&snapshot, &mode, epoch, pairs)?;
    let snapshot = match live_change(&mode) {
        Some(change) => live::with_live_data(snapshot, epoch, change)?,
        None => snapshot,
    };
    let mut scratch = Scratch::default();
    let mut times = Vec::with_capacity(requests.len());
    let (mut digest, mut answered, mut cost) = (FxHasher::default(), 0, [0.0; 2]);
    for request in &requests {
        let started = processor_time();
        let mut answer = plan(&snapshot, request, &mut scratch, &Deadline::default());
        for _ in 1..rounds {
            answer = plan(&snapshot, request, &mut scratch, &Deadline::default());
        }
        times.push(processor_time().saturating_sub(started) / rounds.max(1));
        if let Ok(plan) = &answer {
            answered += 1;
            note(&mut digest, plan);
            let costs = plan.itineraries.iter().map(|itinerary| itinerary.generalized_cost);
            cost[0] += costs.clone().fold(f64::INFINITY, f64::min);
            cost[1] += costs.sum::<f64>() / plan.itineraries.len() as f64;
        }
    }
    print_slowest(&requests, &times);
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    let mean = times.iter().sum::<Duration>().as_secs_f64() * 1000.0 / times.len() as f64;
    println!(
        "{mode}: {answered} of {pairs} answered, cost {:.1} least {:.1} mean; p50 {:.2} p90 {:.2} p95 {:.2} p99 {:.2} mean {mean:.2} ms; digest {:016x}",
        cost[0] / f64::from(answered.max(1)),
        cost[1] / f64::from(answered.max(1)),
        at(0.5),
        at(0.9),
        at(0.95),
        at(0.99),
        digest.finish(),
    );
    Ok(())
}

/// Processor time of this thread, or the time that passed where the system does not measure it.
fn processor_time() -> Duration {
    static STARTED: LazyLock<Instant> = LazyLock::new(Instant::now);
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = text.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| STARTED.elapsed(), Duration::from_nanos)
}

fn print_slowest(requests: &[RoutingRequest], times: &[Duration]) {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(times[index]));
    for &index in order.iter().take(SLOWEST_PRINTED) {
        let [from, to] = [&requests[index].from, &requests[index].to].map(|place| place.position);
        if let (Some(from), Some(to)) = (from, to) {
            let (lat, lon) = (to.lat, to.lon);
            println!("{:7.2} ms {},{} -> {lat},{lon}", times[index].as_secs_f64() * 1e3, from.lat, from.lon);
        }
    }
}

/// Adds a plan to the digest, without the time of its search.
fn note(digest: &mut FxHasher, plan: &Plan) {
    for itinerary in &plan.itineraries {
        digest.write(format!("{itinerary:?}").as_bytes());
    }
}

/// Requests between random stops, from a fixed sequence of pseudo-random numbers.
fn random_requests(
    snapshot: &Snapshot,
    mode: &str,
    epoch: i64,
    count: usize,
) -> Result<Vec<RoutingRequest>, Box<dyn Error>> {
    let stops = &snapshot.graph.timetable.stops;
    let anywhere: Vec<usize> = (0..stops.id.len()).collect();
    let linked: Vec<usize> = snapshot.graph.street.stop_links.iter().map(|link| link.stop as usize).collect();
    let drawn = if mode == "anywhere" { &anywhere } else { &linked };
    let mut random = live::Random(5);
    let mut place = || {
        let stop = drawn[random.below(drawn.len())];
        let position = LatLon::new(stops.lat[stop] + 1e-4, stops.lon[stop] + 1e-4);
        PlaceRequest { position: Some(position), ..PlaceRequest::default() }
    };
    let transit = RoutingRequest {
        max_transfers: 4,
        max_transfers_if_no_path: Some(8),
        max_walk_distance: 1000.0,
        ..RoutingRequest::default()
    };
    let base = match mode {
        "transit" | "anywhere" => transit,
        live if live_change(live).is_some() => transit,
        "arrive" => RoutingRequest { direction: Direction::Backward, ..transit },
        "walk" => street(Mode::Walk),
        "bike" => street(Mode::Bicycle),
        "car" => street(Mode::Car),
        _ => return Err(USAGE.into()),
    };
    let requests = (0..count).map(|_| RoutingRequest {
        from: place(),
        to: place(),
        epoch_seconds: epoch,
        max_transfer_walk_distance: 1000.0,
        ..base.clone()
    });
    Ok(requests.collect())
}

/// What trips do in a mode with live data.
fn live_change(mode: &str) -> Option<Change> {
    match mode {
        "late" => Some(Change::Nothing),
        "skipped" => Some(Change::Skips),
        "moved" => Some(Change::Moves),
        "closed" => Some(Change::SkipsClosed),
        _ => None,
    }
}

fn street(mode: Mode) -> RoutingRequest {
    RoutingRequest { modes: ModeSet::of(&[mode]), ..RoutingRequest::default() }
}
