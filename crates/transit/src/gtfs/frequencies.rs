//! frequencies.txt.

use trestle_model::IssueSink;

use crate::gtfs::IdIndex;
use crate::gtfs::table::{Reading, Table};
use crate::timetable::{Frequency, LAST_SECOND};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrequencyRow {
    /// Position in trips.
    pub(crate) trip: u32,
    pub(crate) frequency: Frequency,
    /// Line in frequencies.txt.
    pub(crate) line: u64,
}

pub(crate) fn read(reading: &mut Reading<'_>, trips: &IdIndex) -> Vec<FrequencyRow> {
    let needed = ["trip_id", "start_time", "end_time", "headway_secs"];
    let Some(table) = Table::open_optional(reading.files, "frequencies.txt", &needed, reading.issues) else {
        return Vec::new();
    };
    let path = table.path().to_owned();
    let (trip_id, start, end) = (table.col("trip_id"), table.col("start_time"), table.col("end_time"));
    let (headway, exact) = (table.col("headway_secs"), table.col("exact_times"));
    let mut rows = Vec::new();
    table.for_each(reading.issues, |row, issues| {
        let Some(trip) = trips.get(row.bytes(trip_id)) else {
            return row.unknown_reference(trip_id, issues);
        };
        let headway = row.seconds(headway, 0, issues);
        match (row.time(start, issues), row.time(end, issues)) {
            (Some(start), Some(end)) if start < end.min(LAST_SECOND) && headway > 0 => {
                if end > LAST_SECOND {
                    let message =
                        format!("end_time is later than {0}:00:00; read as {0}:00:00", LAST_SECOND / 3600);
                    row.issue("late-time", message, issues);
                }
                let end = end.min(LAST_SECOND);
                let exact = i32::from(row.choice(exact, 1, issues));
                let frequency = Frequency { start, end, headway, exact };
                rows.push(FrequencyRow { trip, frequency, line: row.line() });
            }
            _ => row.issue("unusable-frequency", "no time range or headway; row dropped", issues),
        }
    });
    report_overlaps(&rows, &path, reading.issues);
    rows
}

/// Reports rows of a trip whose times overlap: the vehicles of all of them run. Some feeds write a timetable as rows
/// with exact times, which may overlap.
fn report_overlaps(rows: &[FrequencyRow], path: &str, issues: &mut IssueSink) {
    let mut sorted: Vec<&FrequencyRow> = rows.iter().collect();
    sorted.sort_by_key(|row| (row.trip, row.frequency.start));
    let mut last_to_end: Option<&FrequencyRow> = None;
    for row in sorted {
        let last = last_to_end.filter(|last| last.trip == row.trip);
        let are_exact = |last: &FrequencyRow| last.frequency.exact == 1 && row.frequency.exact == 1;
        if let Some(last) = last.filter(|last| row.frequency.start < last.frequency.end && !are_exact(last)) {
            let message = format!("its hours overlap those of line {}; vehicles of both rows run", last.line);
            issues.add("overlapping-frequencies", path, row.line, message);
        }
        if last.is_none_or(|last| last.frequency.end < row.frequency.end) {
            last_to_end = Some(row);
        }
    }
}
