//! Times plans on a graph file, without Node and HTTP: random pairs of stops.
//!
//! `cargo run --release -p trestle-engine --example plan_bench -- GRAPH EPOCH [MODE] [PAIRS] [ROUNDS]`
//! MODE is one of transit (default), arrive, walk, bike, car. The digest of the answers tells whether two builds of the
//! program answer the same; the best of all rounds counts for each pair, so that other work on the machine does not.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::hash::Hasher;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustc_hash::FxHasher;
use trestle_engine::Scratch;
use trestle_engine::deadline::Deadline;
use trestle_engine::plan::plan;
use trestle_engine::snapshot::Snapshot;
use trestle_engine::store;
use trestle_model::geo::LatLon;
use trestle_model::itinerary::Plan;
use trestle_model::request::PlaceRequest;
use trestle_model::{Mode, ModeSet, RoutingRequest};

const USAGE: &str = "usage: plan_bench GRAPH EPOCH [transit|arrive|walk|bike|car] [PAIRS] [ROUNDS]";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let graph = arguments.next().ok_or(USAGE)?;
    let epoch: i64 = arguments.next().ok_or(USAGE)?.parse()?;
    let mode = arguments.next().unwrap_or_else(|| "transit".to_owned());
    let pairs = arguments.next().map_or(Ok(200), |text| text.parse())?;
    let rounds = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let snapshot = Snapshot::new(Arc::new(store::open(Path::new(&graph))?), 0);
    let requests = random_requests(&snapshot, &mode, epoch, pairs)?;
    let mut scratch = Scratch::default();
    let mut best = vec![Duration::MAX; requests.len()];
    let (mut digest, mut answered, mut cost) = (FxHasher::default(), 0, [0.0; 2]);
    for round in 0..rounds {
        for (request, best) in requests.iter().zip(&mut best) {
            let started = Instant::now();
            let answer = plan(&snapshot, request, &mut scratch, &Deadline::default());
            *best = started.elapsed().min(*best);
            if let (0, Ok(plan)) = (round, &answer) {
                answered += 1;
                note(&mut digest, plan);
                let costs = plan.itineraries.iter().map(|itinerary| itinerary.generalized_cost);
                cost[0] += costs.clone().fold(f64::INFINITY, f64::min);
                cost[1] += costs.sum::<f64>() / plan.itineraries.len() as f64;
            }
        }
    }
    best.sort_unstable();
    let at = |share: f64| best[((best.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    let mean = best.iter().sum::<Duration>().as_secs_f64() * 1000.0 / best.len() as f64;
    println!(
        "{mode}: {answered} of {pairs} answered, cost {:.1} least {:.1} mean; p50 {:.2} p90 {:.2} p99 {:.2} mean {mean:.2} ms; digest {:016x}",
        cost[0] / f64::from(answered.max(1)),
        cost[1] / f64::from(answered.max(1)),
        at(0.5),
        at(0.9),
        at(0.99),
        digest.finish(),
    );
    Ok(())
}

/// Adds what makes a plan to the digest; not the times it took.
fn note(digest: &mut FxHasher, plan: &Plan) {
    for itinerary in &plan.itineraries {
        digest.write(format!("{itinerary:?}").as_bytes());
    }
}

/// Requests between random stops that are joined to streets, from a fixed sequence of pseudo-random numbers.
fn random_requests(
    snapshot: &Snapshot,
    mode: &str,
    epoch: i64,
    count: usize,
) -> Result<Vec<RoutingRequest>, Box<dyn Error>> {
    let stops = &snapshot.graph.timetable.stops;
    let linked = &snapshot.graph.street.stop_links;
    let mut state = 5u64;
    let mut place = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let stop = linked[(state >> 33) as usize % linked.len().max(1)].stop as usize;
        let position = LatLon::new(stops.lat[stop] + 1e-4, stops.lon[stop] + 1e-4);
        PlaceRequest { position: Some(position), ..PlaceRequest::default() }
    };
    let transit = RoutingRequest { max_transfers: 4, max_walk_distance: 1000.0, ..RoutingRequest::default() };
    let base = match mode {
        "transit" => transit,
        "arrive" => RoutingRequest { arrive_by: true, ..transit },
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

fn street(mode: Mode) -> RoutingRequest {
    RoutingRequest { modes: ModeSet::of(&[mode]), ..RoutingRequest::default() }
}
