//! Building a graph from the files of a directory, a file per step.
//!
//! Order of the steps: streets → island pruning, and transit beside them → stop linking → elevation → transfers → facts →
//! file.

mod facts;
mod inputs;
mod linking;
mod options;
pub(crate) mod transfers;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use trestle_model::IssueSink;
use trestle_street::build::StreetBuilder;
use trestle_street::elevation::Raster;
use trestle_street::graph::StreetGraph;
use trestle_street::osm::OsmInput;
use trestle_transit::build::{BuiltTimetable, GtfsInput, build_timetable};

use crate::error::EngineError;
use crate::graph::Graph;
use crate::store;

pub use inputs::BuildInputs;
pub use options::BuildOptions;

/// Called with the current step and its progress (0 to 1).
pub type Progress<'a> = &'a mut (dyn FnMut(&str, f32) + Send);

pub struct BuildOutcome {
    /// File written.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// The graph, as opened from the file.
    pub graph: Graph,
    /// Wall time of each step, in order.
    pub steps: Vec<(String, Duration)>,
    /// What was dropped or repaired.
    pub issues: IssueSink,
}

/// Builds the graph of `directory` and writes it to `output`.
///
/// # Errors
/// An input that cannot be used at all; single bad rows become issues instead.
pub fn build_directory(
    directory: &Path,
    output: &Path,
    options: &BuildOptions,
    progress: Progress<'_>,
) -> Result<BuildOutcome, EngineError> {
    let mut issues = IssueSink::default();
    let inputs = BuildInputs::find(directory, &mut issues)?;
    go_on(options)?;
    let mut steps = Stopwatch::default();
    let graph = build_graph(directory, &inputs, options, &mut issues, &mut steps, progress)?;
    go_on(options)?;
    progress("save", 0.0);
    steps.time("save", || store::save(&graph, output))?;
    drop(graph);
    let graph = steps.time("open", || store::open(output))?;
    progress("save", 1.0);
    let bytes = fs::metadata(output).map_or(0, |m| m.len());
    Ok(BuildOutcome { path: output.to_owned(), bytes, graph, steps: steps.steps, issues })
}

/// Wall times of named steps.
#[derive(Default)]
struct Stopwatch {
    steps: Vec<(String, Duration)>,
}

impl Stopwatch {
    fn time<T>(&mut self, step: &str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.steps.push((step.to_owned(), start.elapsed()));
        result
    }
}

/// `ABORTED` when the build is to stop. Nothing has been written before the last check.
fn go_on(options: &BuildOptions) -> Result<(), EngineError> {
    if options.stop.load(Ordering::Relaxed) { Err(EngineError::Aborted) } else { Ok(()) }
}

fn build_graph(
    directory: &Path,
    inputs: &BuildInputs,
    options: &BuildOptions,
    issues: &mut IssueSink,
    steps: &mut Stopwatch,
    progress: Progress<'_>,
) -> Result<Graph, EngineError> {
    let (mut streets, transit) = read_inputs(inputs, options, issues, steps, progress)?;
    let BuiltTimetable { timetable, stop_lines } = transit;
    // Archives that are not feeds were skipped.
    if streets.is_none() && timetable.feeds.id.is_empty() {
        return Err(EngineError::InputMissing(directory.to_owned()));
    }
    go_on(options)?;
    if let Some(streets) = &mut streets {
        progress("links", 0.0);
        let stops = linking::stop_points(&timetable, &stop_lines, streets.vertex_count());
        steps.time("links", || streets.link_stops(&stops, issues));
        steps.time("elevation", || apply_elevation(streets, inputs, issues, progress))?;
    }
    go_on(options)?;
    progress("finish", 0.0);
    let street = steps.time("finish", || streets.map_or_else(StreetGraph::empty, StreetBuilder::finish));
    go_on(options)?;
    let mut graph = steps.time("facts", || {
        let facts = facts::compute(&street, &timetable, options);
        Graph::of(street, timetable, facts)
    });
    steps.time("transfers", || transfers::compute(&mut graph, options, progress));
    Ok(graph)
}

/// Reads streets and timetables at the same time. The progress of timetables is reported once the streets are read.
fn read_inputs(
    inputs: &BuildInputs,
    options: &BuildOptions,
    issues: &mut IssueSink,
    steps: &mut Stopwatch,
    progress: Progress<'_>,
) -> Result<(Option<StreetBuilder>, BuiltTimetable), EngineError> {
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let transit = scope.spawn(move || {
            let (mut issues, mut steps) = (IssueSink::default(), Stopwatch::default());
            // The receiver is gone when reading the streets panicked.
            let mut progress = |step: &str, done: f32| drop(sender.send((step.to_owned(), done)));
            let timetable =
                steps.time("transit", || read_transit(inputs, options, &mut issues, &mut progress));
            (timetable, issues, steps)
        });
        let streets = steps.time("streets", || read_streets(inputs, options, issues, progress));
        let latest = receiver.try_iter().last();
        for (step, done) in latest.into_iter().chain(receiver) {
            progress(&step, done);
        }
        let (timetable, transit_issues, transit_steps) =
            transit.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        issues.append(transit_issues);
        steps.steps.extend(transit_steps.steps);
        Ok((streets?, timetable?))
    })
}

fn read_file(path: &Path) -> Result<(String, Vec<u8>), EngineError> {
    let bytes =
        fs::read(path).map_err(|source| EngineError::InputUnreadable { path: path.to_owned(), source })?;
    Ok((path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(), bytes))
}

fn read_streets(
    inputs: &BuildInputs,
    options: &BuildOptions,
    issues: &mut IssueSink,
    progress: Progress<'_>,
) -> Result<Option<StreetBuilder>, EngineError> {
    if !options.streets || inputs.osm.is_empty() {
        return Ok(None);
    }
    let files = inputs.osm.iter().map(|p| read_file(p)).collect::<Result<Vec<_>, _>>()?;
    let files: Vec<OsmInput<'_>> = files.iter().map(|(name, bytes)| OsmInput { name, bytes }).collect();
    let mut builder = StreetBuilder::read(&files, &options.street, issues, progress)?;
    builder.prune_islands(issues);
    Ok(Some(builder))
}

fn read_transit(
    inputs: &BuildInputs,
    options: &BuildOptions,
    issues: &mut IssueSink,
    progress: Progress<'_>,
) -> Result<BuiltTimetable, EngineError> {
    if !options.transit || inputs.gtfs.is_empty() {
        return Ok(BuiltTimetable::default());
    }
    let files = inputs.gtfs.iter().map(|p| read_file(p)).collect::<Result<Vec<_>, _>>()?;
    let files: Vec<GtfsInput<'_>> = files.iter().map(|(name, bytes)| GtfsInput { name, bytes }).collect();
    Ok(build_timetable(&files, &options.transit_layer, issues, progress)?)
}

fn apply_elevation(
    streets: &mut StreetBuilder,
    inputs: &BuildInputs,
    issues: &mut IssueSink,
    progress: Progress<'_>,
) -> Result<(), EngineError> {
    if let Some(path) = &inputs.elevation {
        let (name, bytes) = read_file(path)?;
        progress("elevation", 0.0);
        streets
            .apply_elevation(&Raster::read(&name, &bytes)?, issues, &mut |done| progress("elevation", done));
    }
    Ok(())
}
