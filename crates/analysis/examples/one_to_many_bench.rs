//! Times searches from random stops to everywhere on a graph file, without Node and HTTP.
//!
//! `cargo run --release -p trestle-analysis --example one_to_many_bench -- GRAPH EPOCH [KIND] [PLACES] [ROUNDS]`
//! KIND is one of isochrone (default), walk, surface, tile (the look-up of a map tile's pixels), matrix. The digest
//! shows whether two builds of the program give the same answers. The best of all rounds counts for each place, to
//! reduce the influence of other work on the machine.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::hash::Hasher;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustc_hash::FxHasher;
use trestle_analysis::Scratch;
use trestle_analysis::isochrone::{SampledArea, isochrone};
use trestle_analysis::matrix::{Matrix, MatrixQuery};
use trestle_analysis::samples::{SampleGrid, VertexIndex, linked_points};
use trestle_analysis::surface::surface;
use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_engine::store;
use trestle_model::geo::LatLon;
use trestle_model::request::PlaceRequest;
use trestle_model::{Mode, ModeSet, RoutingRequest};

const USAGE: &str =
    "usage: one_to_many_bench GRAPH EPOCH [isochrone|walk|surface|tile|matrix] [PLACES] [ROUNDS]";

/// Longest times of the contours, seconds, and of surfaces and matrices, minutes.
const CUTOFFS: [i32; 4] = [900, 1800, 2700, 3600];
const CUTOFF_MINUTES: i32 = 90;

/// Side of a tile: about what a map shows at zoom 14.
const TILE_PIXELS: usize = 256;
const TILE_DEGREES: f64 = 0.02;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let graph = arguments.next().ok_or(USAGE)?;
    let epoch: i64 = arguments.next().ok_or(USAGE)?.parse()?;
    let kind = arguments.next().unwrap_or_else(|| "isochrone".to_owned());
    let places = arguments.next().map_or(Ok(50), |text| text.parse())?;
    let rounds = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let snapshot = Snapshot::new(Arc::new(store::open(Path::new(&graph))?), 0);
    let mut bench =
        Bench { places: random_places(&snapshot, places), snapshot, epoch, scratch: Scratch::default() };
    match kind.as_str() {
        "isochrone" => bench.run(&kind, rounds, |bench, at| bench.isochrone(at, false)),
        "walk" => bench.run(&kind, rounds, |bench, at| bench.isochrone(at, true)),
        "surface" => bench.run(&kind, rounds, Bench::surface),
        "tile" => bench.run(&kind, rounds, Bench::tile),
        "matrix" => bench.matrix(rounds)?,
        _ => return Err(USAGE.into()),
    }
    Ok(())
}

struct Bench {
    snapshot: Snapshot,
    epoch: i64,
    places: Vec<LatLon>,
    scratch: Scratch,
}

impl Bench {
    /// Times `answer`, which gives a digest, for each place.
    fn run(&mut self, kind: &str, rounds: usize, answer: impl Fn(&mut Bench, LatLon) -> Option<u64>) {
        let places = self.places.clone();
        let mut best = vec![Duration::MAX; places.len()];
        let (mut digest, mut answered) = (FxHasher::default(), 0);
        for round in 0..rounds {
            for (place, best) in places.iter().zip(&mut best) {
                let started = Instant::now();
                let found = answer(self, *place);
                *best = started.elapsed().min(*best);
                if let (0, Some(found)) = (round, found) {
                    answered += 1;
                    digest.write_u64(found);
                }
            }
        }
        best.sort_unstable();
        let at = |share: f64| best[((best.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
        println!(
            "{kind}: {answered} of {} answered; p50 {:.2} p95 {:.2} ms; digest {:016x}",
            places.len(),
            at(0.5),
            at(0.95),
            digest.finish()
        );
    }

    fn request(&self, at: LatLon) -> RoutingRequest {
        RoutingRequest {
            from: PlaceRequest { position: Some(at), ..PlaceRequest::default() },
            epoch_seconds: self.epoch,
            max_walk_distance: 1000.0,
            ..RoutingRequest::default()
        }
    }

    fn isochrone(&mut self, at: LatLon, on_foot: bool) -> Option<u64> {
        let mut request = self.request(at);
        if on_foot {
            request.modes = ModeSet::of(&[Mode::Walk]);
        }
        let area = SampledArea { max_seconds: CUTOFFS[3], precision_m: 200, off_road_m: 150, anchor: None };
        let (scratch, deadline) = (&mut self.scratch, Deadline::default());
        let contours = isochrone(&self.snapshot, &request, &area, &CUTOFFS, 4, scratch, &deadline).ok()?;
        Some(digest(format!("{contours:?}").as_bytes()))
    }

    fn surface(&mut self, at: LatLon) -> Option<u64> {
        let (request, deadline) = (self.request(at), Deadline::default());
        let found = surface(&self.snapshot, &request, CUTOFF_MINUTES, &mut self.scratch, &deadline).ok()?;
        let vertices = 0..self.snapshot.graph.street.vertex_count() as u32;
        Some(digest_of(vertices.map(|vertex| found.seconds_to(vertex))))
    }

    fn tile(&mut self, at: LatLon) -> Option<u64> {
        let index = VertexIndex::of(&self.snapshot);
        let degrees = |pixel: usize| pixel as f64 * TILE_DEGREES / TILE_PIXELS as f64;
        let position = |column, row| LatLon::new(at.lat - degrees(row), at.lon + degrees(column));
        let found = SampleGrid::new(index, TILE_PIXELS, TILE_PIXELS, position);
        let mut digest = FxHasher::default();
        found.samples.iter().for_each(|sample| digest.write_u32(sample.vertices[0]));
        Some(digest.finish())
    }

    /// All places to all places, on one thread.
    fn matrix(&mut self, rounds: usize) -> Result<(), Box<dyn Error>> {
        let index = linked_points(&self.snapshot, &self.places);
        let request = self.request(LatLon::default());
        let query = MatrixQuery { request, max_seconds: 60 * CUTOFF_MINUTES, destinations: index };
        let deadline = Deadline::default();
        for _ in 0..rounds {
            let started = Instant::now();
            let matrix = Matrix::new(&self.snapshot, &query, &mut self.scratch, &deadline)?;
            let prepared = started.elapsed();
            let mut digest = FxHasher::default();
            for place in &self.places {
                let row = matrix.row(*place, &mut self.scratch, &deadline)?;
                digest.write_u64(digest_of(row.into_iter()));
            }
            let all = started.elapsed();
            println!(
                "matrix: {} places, prepared in {prepared:.2?}, {:.0} origins/s after it, {all:.2?} in all; digest {:016x}",
                self.places.len(),
                self.places.len() as f64 / (all - prepared).as_secs_f64(),
                digest.finish()
            );
        }
        Ok(())
    }
}

fn digest(bytes: &[u8]) -> u64 {
    let mut digest = FxHasher::default();
    digest.write(bytes);
    digest.finish()
}

fn digest_of(seconds: impl Iterator<Item = i32>) -> u64 {
    let mut digest = FxHasher::default();
    seconds.for_each(|seconds| digest.write_i32(seconds));
    digest.finish()
}

/// Places beside stops that are joined to streets, from a fixed sequence of pseudo-random numbers.
fn random_places(snapshot: &Snapshot, count: usize) -> Vec<LatLon> {
    let stops = &snapshot.graph.timetable.stops;
    let linked = &snapshot.graph.street.stop_links;
    let mut state = 5u64;
    let place = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let stop = linked[(state >> 33) as usize % linked.len().max(1)].stop as usize;
        LatLon::new(stops.lat[stop] + 1e-4, stops.lon[stop] + 1e-4)
    };
    (0..count).map(place).collect()
}
