//! Builds one timetable from GTFS feeds.

mod assembly;
mod blocks;
mod calls;
mod columns;
mod exact_frequencies;
mod flex;
mod hop_shapes;
mod service_days;

use trestle_model::{IssueSink, with_defaults};

pub(crate) use calls::{Calls, easier};
pub(crate) use hop_shapes::{ShapeLocation, between, locate_by_position};

use crate::error::TransitError;
use crate::fares::FareServiceOption;
use crate::gtfs::{FeedFiles, read_feed};
use crate::timetable::Timetable;
use assembly::Assembly;

with_defaults! {
    #[derive(Clone, PartialEq, Debug)]
    pub struct TransitBuildOptions {
        /// Riders may stay seated when the next trip of the block starts within this many metres of the last stop.
        pub max_interline_distance: f64 = 200.0,
        /// Transfers come from transfers.txt alone.
        pub use_transfers_txt: bool = false,
        /// Stops and their parent station are joined.
        pub parent_stop_linking: bool = false,
        /// All stops of a station are joined with each other.
        pub station_transfers: bool = false,
        /// Fare services, whose prices are added up; no prices when empty.
        pub fares: Vec<FareServiceOption> = vec![FareServiceOption::Attributes],
    }
}

/// A zipped feed.
#[derive(Clone, Copy, Debug)]
pub struct GtfsInput<'a> {
    /// File name, without directories.
    pub name: &'a str,
    /// The archive.
    pub bytes: &'a [u8],
}

/// A timetable, with the lines that its stops come from.
#[derive(Debug, Default)]
pub struct BuiltTimetable {
    pub timetable: Timetable,
    /// Line of each stop in its stops.txt, for issues.
    pub stop_lines: Vec<u64>,
}

/// Builds the timetable of some zipped feeds, taken in the order of their names. `progress` is called with the step and
/// the fraction done. Without inputs the timetable is empty.
///
/// # Errors
/// [`TransitError`] for an archive or feed that cannot be used at all; bad rows only become issues.
pub fn build_timetable(
    inputs: &[GtfsInput<'_>],
    options: &TransitBuildOptions,
    issues: &mut IssueSink,
    progress: &mut dyn FnMut(&str, f32),
) -> Result<BuiltTimetable, TransitError> {
    let mut ordered: Vec<&GtfsInput<'_>> = inputs.iter().collect();
    ordered.sort_by_key(|input| input.name);
    let feeds = ordered.into_iter().map(|input| FeedFiles::from_zip(input.name, input.bytes));
    build_feeds(feeds, inputs.len(), options, issues, progress)
}

/// [`build_timetable`] for feeds whose tables are already unpacked.
///
/// # Errors
/// [`TransitError`] for a feed that cannot be used at all.
pub fn build_timetable_from_tables(
    mut feeds: Vec<FeedFiles<'_>>,
    options: &TransitBuildOptions,
    issues: &mut IssueSink,
    progress: &mut dyn FnMut(&str, f32),
) -> Result<Timetable, TransitError> {
    feeds.sort_by(|a, b| a.name().cmp(b.name()));
    let count = feeds.len();
    let built = build_feeds(feeds.into_iter().map(Ok), count, options, issues, progress)?;
    Ok(built.timetable)
}

fn build_feeds<'a>(
    feeds: impl Iterator<Item = Result<FeedFiles<'a>, TransitError>>,
    count: usize,
    options: &TransitBuildOptions,
    issues: &mut IssueSink,
    progress: &mut dyn FnMut(&str, f32),
) -> Result<BuiltTimetable, TransitError> {
    let mut assembly = Assembly::default();
    for (number, files) in feeds.enumerate() {
        // Unpack one feed at a time to save memory.
        let files = files?;
        if files.is_empty() {
            issues.add("zip-without-feed", files.name(), 0, "it has no GTFS table at its root; skipped");
            continue;
        }
        progress(&format!("GTFS {}", files.name()), number as f32 / (count + 1) as f32);
        let feed = read_feed(&files, &mut assembly.texts, issues)?;
        let name = files.name().to_owned();
        drop(files);
        assembly.add_feed(feed, &name, issues);
    }
    progress("timetable", count as f32 / (count + 1) as f32);
    let continuations = blocks::continuations(&assembly, options.max_interline_distance, issues);
    let sources = assembly.services.iter().map(|service| service.row.source).collect::<Vec<_>>();
    let stop_lines = assembly.stops.iter().map(|stop| stop.row.line).collect();
    let timetable = columns::freeze(assembly, continuations, &options.fares);
    service_days::report(&timetable, &sources, issues);
    progress("timetable", 1.0);
    Ok(BuiltTimetable { timetable, stop_lines })
}
