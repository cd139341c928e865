//! Limits the runs of exact frequencies.

use rustc_hash::FxHashMap;
use trestle_model::IssueSink;

use super::Calls;
use crate::gtfs::Feed;
use crate::timetable::{Frequency, MOST_EXACT_CALLS, MOST_EXACT_RUNS};

/// The frequencies of each trip. Rows with exact times are left out once the limits are reached.
pub(super) fn by_trip(
    feed: &Feed,
    calls: &Calls,
    file: &str,
    issues: &mut IssueSink,
) -> FxHashMap<u32, Vec<Frequency>> {
    let mut by_trip: FxHashMap<u32, Vec<Frequency>> = FxHashMap::default();
    let (mut all_runs, mut all_calls) = (0u64, 0u64);
    for row in &feed.frequencies {
        let runs = row.frequency.exact_runs();
        let made = runs * calls.of(row.trip).len() as u64;
        if all_runs + runs > MOST_EXACT_RUNS || all_calls + made > MOST_EXACT_CALLS {
            let message = format!(
                "{runs} runs with exact times; a feed may have at most {MOST_EXACT_RUNS} of them, \
                 with {MOST_EXACT_CALLS} calls; row dropped"
            );
            issues.add("too-many-exact-runs", &format!("{file}/frequencies.txt"), row.line, message);
            continue;
        }
        all_runs += runs;
        all_calls += made;
        by_trip.entry(row.trip).or_default().push(row.frequency);
    }
    by_trip
}
