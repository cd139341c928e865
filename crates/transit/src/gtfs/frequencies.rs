//! frequencies.txt.

use crate::gtfs::IdIndex;
use crate::gtfs::table::{Reading, Table};
use crate::timetable::{Frequency, LAST_SECOND};

/// A row of frequencies.txt.
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
                let exact = i32::from(row.bytes(exact) == b"1");
                let frequency = Frequency { start, end, headway, exact };
                rows.push(FrequencyRow { trip, frequency, line: row.line() });
            }
            _ => row.issue("unusable-frequency", "no time range or headway; row dropped", issues),
        }
    });
    rows
}
