//! pathways.txt, both the early proposal (traversal_time, wheelchair_traversal_time, one direction) and the
//! adopted form (pathway_mode, is_bidirectional, length, stair_count).

use trestle_model::IssueSink;
use trestle_model::geo::distance_m;

use crate::gtfs::table::{Col, Reading, Row, Table};
use crate::gtfs::{IdIndex, StopRow};
use crate::timetable::Pathway;

/// Walking speed for pathways with a length but no time, m/s: the interface's default walking speed.
const WALK_SPEED: f64 = 1.33;
/// Seconds per stair, for pathways with a number of stairs but no time.
const SECONDS_PER_STEP: f64 = 0.6;
/// Longest plausible time, seconds.
const MAX_SECONDS: f64 = 86_400.0;

struct Columns {
    mode: Col,
    time: Col,
    wheelchair_time: Col,
    length: Col,
    stairs: Col,
}

/// Each pathway in one direction.
pub(crate) fn read(reading: &mut Reading<'_>, stops: &[StopRow], ids: &IdIndex) -> Vec<Pathway> {
    let needed = ["from_stop_id", "to_stop_id"];
    let Some(table) = Table::open_optional(reading.files, "pathways.txt", &needed, reading.issues) else {
        return Vec::new();
    };
    let (from, to) = (table.col("from_stop_id"), table.col("to_stop_id"));
    let both_ways = table.col("is_bidirectional");
    let adopted_form = table.has("pathway_mode");
    let cols = Columns {
        mode: table.col("pathway_mode"),
        time: table.col("traversal_time"),
        wheelchair_time: table.col("wheelchair_traversal_time"),
        length: table.col("length"),
        stairs: table.col("stair_count"),
    };
    let mut rows = Vec::new();
    table.for_each(reading.issues, |row, issues| {
        let (Some(from_stop), Some(to_stop)) = (ids.get(row.bytes(from)), ids.get(row.bytes(to))) else {
            return row.issue("unknown-reference", "unknown stop; row dropped", issues);
        };
        let stated = cols.seconds(row, issues);
        let Some(seconds) =
            stated.or_else(|| adopted_form.then(|| straight_seconds(stops, from_stop, to_stop)))
        else {
            return row.issue("pathway-without-time", "no usable traversal_time; row dropped", issues);
        };
        let wheelchair_seconds = if adopted_form {
            cols.rolling_seconds(row, seconds, issues)
        } else {
            cols.stated_rolling_seconds(row, issues)
        };
        rows.push(Pathway { from_stop, to_stop, seconds, wheelchair_seconds });
        if row.choice(both_ways, 1, issues) == 1 {
            rows.push(Pathway { from_stop: to_stop, to_stop: from_stop, seconds, wheelchair_seconds });
        }
    });
    rows
}

/// The time of a straight walk. The adopted form demands neither a time nor a length, and many gates have none.
fn straight_seconds(stops: &[StopRow], from: u32, to: u32) -> i32 {
    let position = |stop: u32| stops[stop as usize].position;
    let seconds = (distance_m(position(from), position(to)) / WALK_SPEED).ceil();
    // Only a stated time of 0 says that two places are one.
    seconds.clamp(1.0, MAX_SECONDS) as i32
}

impl Columns {
    /// The stated time, or else an estimate from the number of stairs or the length; `None` if it is not usable.
    fn seconds(&self, row: &Row<'_>, issues: &mut IssueSink) -> Option<i32> {
        let estimate = |col, per_unit: f64, issues: &mut IssueSink| {
            row.decimal(col, issues).map(|amount: f64| (amount.abs() * per_unit).ceil())
        };
        row.number_within(self.time, 0.0..=MAX_SECONDS, issues)
            .or_else(|| estimate(self.stairs, SECONDS_PER_STEP, issues).filter(|&s| s > 0.0))
            .or_else(|| estimate(self.length, 1.0 / WALK_SPEED, issues))
            .filter(|seconds| (0.0..=MAX_SECONDS).contains(seconds))
            .map(|seconds| seconds as i32)
    }

    /// Adopted form: stairs (2) and escalators (4) are impassable in a wheelchair.
    fn rolling_seconds(&self, row: &Row<'_>, seconds: i32, issues: &mut IssueSink) -> i32 {
        let mode = row.number_within(self.mode, 1..=7, issues);
        if matches!(mode, Some(2 | 4)) { -1 } else { seconds }
    }

    /// Early form: a separate time, blank when impassable.
    fn stated_rolling_seconds(&self, row: &Row<'_>, issues: &mut IssueSink) -> i32 {
        let stated: Option<f64> = row.number_within(self.wheelchair_time, 0.0..=MAX_SECONDS, issues);
        stated.map_or(-1, |seconds| seconds as i32)
    }
}
