//! transfers.txt.

use crate::gtfs::IdIndex;
use crate::gtfs::table::{Col, Reading, Row, Table};

/// A row of transfers.txt; `u32::MAX` stands for "any" route or trip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TransferRow {
    /// Position in stops (stop or station).
    pub(crate) from_stop: u32,
    pub(crate) to_stop: u32,
    pub(crate) from_route: u32,
    pub(crate) to_route: u32,
    pub(crate) from_trip: u32,
    pub(crate) to_trip: u32,
    /// transfer_type 0–3.
    pub(crate) kind: u32,
    /// min_transfer_time, −1 when blank.
    pub(crate) seconds: i32,
    /// Line of the row, for issues.
    pub(crate) line: u64,
}

pub(crate) fn read(
    reading: &mut Reading<'_>,
    stops: &IdIndex,
    routes: &IdIndex,
    trips: &IdIndex,
) -> Vec<TransferRow> {
    let needed = ["from_stop_id", "to_stop_id"];
    let Some(table) = Table::open_optional(reading.files, "transfers.txt", &needed, reading.issues) else {
        return Vec::new();
    };
    let stop_cols = [table.col("from_stop_id"), table.col("to_stop_id")];
    let route_cols = [table.col("from_route_id"), table.col("to_route_id")];
    let trip_cols = [table.col("from_trip_id"), table.col("to_trip_id")];
    let (kind, seconds) = (table.col("transfer_type"), table.col("min_transfer_time"));
    let mut rows = Vec::new();
    table.for_each(reading.issues, |row, issues| {
        let stops = stop_cols.map(|col| stops.get(row.bytes(col)));
        let routes = route_cols.map(|col| optional(row, col, routes));
        let trips = trip_cols.map(|col| optional(row, col, trips));
        let (
            [Some(from_stop), Some(to_stop)],
            [Some(from_route), Some(to_route)],
            [Some(from_trip), Some(to_trip)],
        ) = (stops, routes, trips)
        else {
            return row.issue("unknown-reference", "unknown stop, route or trip; row dropped", issues);
        };
        let kind = row.number(kind, 0, issues);
        if kind > 3 {
            return row.issue("unused-transfer-type", format!("transfer_type {kind}; row dropped"), issues);
        }
        let seconds = row.seconds(seconds, -1, issues).max(-1);
        rows.push(TransferRow {
            from_stop,
            to_stop,
            from_route,
            to_route,
            from_trip,
            to_trip,
            kind,
            seconds,
            line: row.line(),
        });
    });
    rows
}

/// Position of an optional reference: `u32::MAX` when blank, `None` when unknown.
fn optional(row: &Row<'_>, col: Col, ids: &IdIndex) -> Option<u32> {
    if row.is_blank(col) { Some(u32::MAX) } else { ids.get(row.bytes(col)) }
}
