//! Times searches from random stops to everywhere on a graph file, without Node and HTTP.
//!
//! `cargo run --release -p trestle-analysis --example one_to_many_bench -- GRAPH EPOCH [KIND] [PLACES] [ROUNDS]`
//! KIND is one of isochrone (default; four contours), walk and car (the same on foot and by car), contour and carContour
//! (one contour of 60 minutes), surface, tile (the look-up of a map tile's pixels), matrix (walks of 2,000 m) and
//! carMatrix. The digest shows whether two builds of the program give the same answers. The best of all rounds counts for
//! each place, to reduce the influence of other work on the machine.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::hash::Hasher;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rustc_hash::FxHasher;
use trestle_analysis::Scratch;
use trestle_analysis::isochrone::{Contour, Grid, SampledArea, Seconds, contours, time_grid};
use trestle_analysis::matrix::{Matrix, MatrixQuery};
use trestle_analysis::samples::{SampleGrid, VertexIndex, linked_destinations};
use trestle_analysis::surface::{Surface, surface};
use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_engine::store;
use trestle_model::geo::LatLon;
use trestle_model::request::PlaceRequest;
use trestle_model::{Mode, ModeSet, RoutingRequest};

const USAGE: &str = "usage: one_to_many_bench GRAPH EPOCH [isochrone|walk|car|contour|carContour|surface|tile|matrix|carMatrix] [PLACES] [ROUNDS]";

/// Longest times of the contours, seconds, and of surfaces and matrices, minutes.
const CUTOFFS: [i32; 4] = [900, 1800, 2700, 3600];
const CUTOFF_MINUTES: i32 = 90;

/// Longest walk of an isochrone or surface, and of a matrix, metres.
const MAX_WALK_M: f64 = 1000.0;
const MATRIX_WALK_M: f64 = 2000.0;

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
    let [transit, walk, car] =
        [ModeSet::TRANSIT.with(Mode::Walk), ModeSet::of(&[Mode::Walk]), ModeSet::of(&[Mode::Car])];
    match kind.as_str() {
        "isochrone" => bench.contours(&kind, rounds, transit, &CUTOFFS),
        "walk" => bench.contours(&kind, rounds, walk, &CUTOFFS),
        "car" => bench.contours(&kind, rounds, car, &CUTOFFS),
        "contour" => bench.contours(&kind, rounds, transit, &CUTOFFS[3..]),
        "carContour" => bench.contours(&kind, rounds, car, &CUTOFFS[3..]),
        "surface" => bench.run(&kind, rounds, Bench::surface, Bench::digest_of_surface),
        "tile" => bench.run(&kind, rounds, Bench::tile, Bench::digest_of_tile),
        "matrix" => bench.matrix(rounds, transit)?,
        "carMatrix" => bench.matrix(rounds, car)?,
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
    /// Times `answer` for each place; `digest` is not part of the time.
    fn run<T>(
        &mut self,
        kind: &str,
        rounds: usize,
        answer: impl Fn(&mut Bench, LatLon) -> Option<T>,
        digest: impl Fn(&Bench, &T) -> u64,
    ) {
        let places = self.places.clone();
        let mut best = vec![Duration::MAX; places.len()];
        let (mut all, mut answered) = (FxHasher::default(), 0);
        for round in 0..rounds {
            for (place, best) in places.iter().zip(&mut best) {
                let started = Instant::now();
                let found = answer(self, *place);
                *best = started.elapsed().min(*best);
                if let (0, Some(found)) = (round, found) {
                    answered += 1;
                    all.write_u64(digest(self, &found));
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
            all.finish()
        );
    }

    fn contours(&mut self, kind: &str, rounds: usize, modes: ModeSet, cutoffs: &[i32]) {
        let digest = |_: &Bench, found: &Vec<Contour>| digest(format!("{found:?}").as_bytes());
        self.run(kind, rounds, |bench, at| bench.isochrone(at, modes, cutoffs), digest);
    }

    fn request(&self, at: LatLon) -> RoutingRequest {
        RoutingRequest {
            from: PlaceRequest { position: Some(at), ..PlaceRequest::default() },
            epoch_seconds: self.epoch,
            max_walk_distance: MAX_WALK_M,
            ..RoutingRequest::default()
        }
    }

    fn isochrone(&mut self, at: LatLon, modes: ModeSet, cutoffs: &[i32]) -> Option<Vec<Contour>> {
        let request = RoutingRequest { modes, ..self.request(at) };
        let area = SampledArea { max_seconds: CUTOFFS[3], precision_m: 200, off_road_m: 150, anchor: None };
        let (scratch, deadline) = (&mut self.scratch, Deadline::default());
        let grid: Grid<Seconds> = time_grid(&self.snapshot, &request, &area, scratch, &deadline).ok()?;
        contours(&grid, cutoffs, 4, &deadline).ok()
    }

    fn surface(&mut self, at: LatLon) -> Option<Surface> {
        let (request, deadline) = (self.request(at), Deadline::default());
        surface(&self.snapshot, &request, CUTOFF_MINUTES, &mut self.scratch, &deadline).ok()
    }

    fn digest_of_surface(&self, found: &Surface) -> u64 {
        let vertices = 0..self.snapshot.graph.street.vertex_count() as u32;
        digest_of(vertices.map(|vertex| found.seconds_to(vertex)))
    }

    fn tile(&mut self, at: LatLon) -> Option<SampleGrid> {
        let index = VertexIndex::of(&self.snapshot);
        let degrees = |pixel: usize| pixel as f64 * TILE_DEGREES / TILE_PIXELS as f64;
        let position = |column, row| LatLon::new(at.lat - degrees(row), at.lon + degrees(column));
        Some(SampleGrid::new(index, (TILE_PIXELS, TILE_PIXELS), position, &Deadline::default()))
    }

    fn digest_of_tile(&self, found: &SampleGrid) -> u64 {
        digest_of(found.samples.iter().map(|sample| sample.vertices[0] as i32))
    }

    /// All places to all places, on as many threads as there are processors.
    fn matrix(&self, rounds: usize, modes: ModeSet) -> Result<(), Box<dyn Error>> {
        let request =
            RoutingRequest { modes, max_walk_distance: MATRIX_WALK_M, ..self.request(LatLon::default()) };
        let destinations = linked_destinations(&self.snapshot, &self.places, &request, &Deadline::default())?;
        let query = MatrixQuery {
            request,
            max_seconds: 60 * CUTOFF_MINUTES,
            destinations,
            origins: self.places.len(),
        };
        let (snapshot, places, query) = (&self.snapshot, &self.places, &query);
        let threads = std::thread::available_parallelism()?.get();
        let mut scratches: Vec<Scratch> = (0..threads).map(|_| Scratch::default()).collect();
        for _ in 0..rounds {
            let started = Instant::now();
            let next = AtomicUsize::new(0);
            let rows = std::thread::scope(|scope| {
                let row_of = |scratch| scope.spawn(|| rows(snapshot, places, query, &next, scratch));
                let threads: Vec<_> = scratches.iter_mut().map(row_of).collect();
                let found = threads.into_iter().map(|thread| thread.join().map_err(|_| "a row failed")?);
                found.collect::<Result<Vec<_>, _>>()
            })?;
            let all = started.elapsed();
            let prepared = rows.iter().map(|(prepared, _)| *prepared).max().unwrap_or_default();
            let mut digests: Vec<(usize, u64)> = rows.into_iter().flat_map(|(_, digests)| digests).collect();
            digests.sort_unstable();
            let mut digest = FxHasher::default();
            digests.iter().for_each(|(_, row)| digest.write_u64(*row));
            println!(
                "matrix: {} places on {threads} threads, prepared in {prepared:.2?}, {:.0} origins/s after it, \
                 {all:.2?} in all; digest {:016x}",
                self.places.len(),
                self.places.len() as f64 / (all - prepared).as_secs_f64(),
                digest.finish()
            );
        }
        Ok(())
    }
}

/// How long it took until the first row began, and the digests of rows with their numbers.
type Rows = (Duration, Vec<(usize, u64)>);

/// The rows that no other thread has begun.
fn rows(
    snapshot: &Snapshot,
    places: &[LatLon],
    query: &MatrixQuery,
    next: &AtomicUsize,
    scratch: &mut Scratch,
) -> Result<Rows, &'static str> {
    let (started, deadline) = (Instant::now(), Deadline::default());
    let failed = |_| "a row failed";
    let matrix = Matrix::new(snapshot, query, scratch, &deadline).map_err(failed)?;
    let prepared = started.elapsed();
    let mut digests = Vec::new();
    loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let Some(place) = places.get(at) else { break };
        let row = matrix.row(*place, scratch).map_err(failed)?;
        digests.push((at, digest_of(row.into_iter())));
    }
    Ok((prepared, digests))
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
