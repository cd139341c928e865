//! stop_times.txt, by far the largest table: plain numbers, sorted by trip and sequence.

use std::io;

use crate::error::TransitError;
use crate::gtfs::flex::{FlexCallColumns, FlexCallRow};
use crate::gtfs::table::{Reading, Table};
use crate::gtfs::{AreaRow, IdIndex};

const TABLE: &str = "stop_times.txt";

/// A blank time.
pub(crate) const MISSING_TIME: i32 = i32::MIN;

/// A call without flexible service.
pub(crate) const NO_FLEX: u32 = u32::MAX;

/// A row of stop_times.txt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StopTimeRow {
    /// Position in trips.
    pub(crate) trip: u32,
    pub(crate) sequence: u32,
    /// Position in stops.
    pub(crate) stop: u32,
    /// Seconds or [`MISSING_TIME`].
    pub(crate) arrival: i32,
    pub(crate) departure: i32,
    pub(crate) headsign: u32,
    /// shape_dist_traveled, NaN when blank.
    pub(crate) distance: f64,
    pub(crate) pickup: u8,
    pub(crate) dropoff: u8,
    /// timepoint = 1.
    pub(crate) timepoint: bool,
    /// Position in the feed's flex calls, [`NO_FLEX`] for most.
    pub(crate) flex: u32,
    /// Line in stop_times.txt.
    pub(crate) line: u32,
}

const CALL_ANYWHERE: &str =
    "a call anywhere in a zone or a group of stops, which plans do not use; row dropped";

/// The rows, and the calls with flexible service among them.
type Rows = (Vec<StopTimeRow>, Vec<FlexCallRow>);

/// Columns without which no row can be read.
const NEEDED: [&str; 5] = ["trip_id", "stop_id", "stop_sequence", "arrival_time", "departure_time"];

pub(crate) fn read(
    reading: &mut Reading<'_>,
    trips: &IdIndex,
    stops: &IdIndex,
    areas: &[AreaRow],
) -> Result<Rows, TransitError> {
    let files = reading.files;
    let unreadable = |error: io::Error| TransitError::UnreadableArchive {
        file: files.name().to_owned(),
        reason: error.to_string(),
    };
    let Some(mut packed) = files.packed_stop_times() else {
        let table = Table::open_required(files, TABLE, &NEEDED)?;
        return read_rows(table, reading, trips, stops, areas).map_err(unreadable);
    };
    let limit_bytes = packed.limit_bytes();
    let mut content = packed.open().map_err(unreadable)?;
    let table = Table::of(files, TABLE, &mut content).map_err(unreadable);
    let rows = table
        .and_then(|table| table.with_columns(&NEEDED))
        .and_then(|table| read_rows(table, reading, trips, stops, areas).map_err(unreadable));
    // What is left of a table whose rest was dropped.
    io::copy(&mut content, &mut io::sink()).map_err(unreadable)?;
    // The table was cut off at its limit; any other problem with what was read comes from that.
    if content.limit() == 0 {
        return Err(TransitError::TooLarge { file: format!("{}/{TABLE}", files.name()), limit_bytes });
    }
    rows
}

fn read_rows(
    table: Table<'_>,
    reading: &mut Reading<'_>,
    trips: &IdIndex,
    stops: &IdIndex,
    areas: &[AreaRow],
) -> io::Result<Rows> {
    let (trip_id, stop_id, sequence) =
        (table.col("trip_id"), table.col("stop_id"), table.col("stop_sequence"));
    let (arrival, departure) = (table.col("arrival_time"), table.col("departure_time"));
    let (pickup, dropoff) = (table.col("pickup_type"), table.col("drop_off_type"));
    let (headsign, distance) = (table.col("stop_headsign"), table.col("shape_dist_traveled"));
    let timepoint = table.col("timepoint");
    let flex = FlexCallColumns::of(&table);
    let (mut rows, mut flex_calls) = (Vec::<StopTimeRow>::new(), Vec::new());
    // Rows of a trip usually follow one another, so the last trip is remembered to save hashing.
    let mut last_trip: (Vec<u8>, Option<u32>) = (Vec::new(), None);
    let texts = &mut *reading.texts;
    table.try_for_each(reading.issues, |row, issues| {
        let id = row.bytes(trip_id);
        if last_trip.0 != id {
            last_trip = (id.to_vec(), trips.get(id));
        }
        let Some(trip) = last_trip.1 else {
            return row.unknown_reference(trip_id, issues);
        };
        let Some(stop) = stops.get(row.bytes(stop_id)) else {
            if row.bytes(stop_id).is_empty() && flex.is_anywhere(row) {
                return row.issue("call-without-stop", CALL_ANYWHERE, issues);
            }
            return row.unknown_reference(stop_id, issues);
        };
        let flex = flex.read(row, areas, texts, issues).map(|call| {
            flex_calls.push(call);
            flex_calls.len() as u32 - 1
        });
        rows.push(StopTimeRow {
            trip,
            sequence: row.number(sequence, 0, issues),
            stop,
            arrival: row.time(arrival, issues).unwrap_or(MISSING_TIME),
            departure: row.time(departure, issues).unwrap_or(MISSING_TIME),
            headsign: row.intern(headsign, texts),
            distance: row.decimal(distance, issues).unwrap_or(f64::NAN),
            pickup: row.choice(pickup, 3, issues),
            dropoff: row.choice(dropoff, 3, issues),
            timepoint: row.choice(timepoint, 1, issues) == 1,
            flex: flex.unwrap_or(NO_FLEX),
            line: row.line() as u32,
        });
    })?;
    if !rows.is_sorted_by_key(|r| (r.trip, r.sequence)) {
        rows.sort_by_key(|r| (r.trip, r.sequence));
    }
    report_repeated_sequences(&rows, reading);
    Ok((rows, flex_calls))
}

fn report_repeated_sequences(rows: &[StopTimeRow], reading: &mut Reading<'_>) {
    let path = format!("{}/{TABLE}", reading.files.name());
    for (first, next) in rows.iter().zip(rows.iter().skip(1)) {
        if (first.trip, first.sequence) == (next.trip, next.sequence) {
            let (sequence, line) = (next.sequence, first.line);
            let message =
                format!("stop_sequence {sequence} as on line {line}, which is read as the earlier call");
            reading.issues.add("repeated-sequence", &path, u64::from(next.line), message);
        }
    }
}
