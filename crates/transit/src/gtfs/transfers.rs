//! transfers.txt.

use rustc_hash::FxHashMap;

use crate::gtfs::IdIndex;
use crate::gtfs::table::{Col, Reading, Row, Table};
use crate::timetable::TransferRule;

/// A row of transfers.txt between stops, or between all stops of stations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TransferRow {
    pub(crate) rule: TransferRule,
    /// Line of the row, for issues.
    pub(crate) line: u64,
}

/// A row of transfers.txt about riders who stay seated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeatRow {
    /// Position in trips.
    pub(crate) from_trip: u32,
    pub(crate) to_trip: u32,
    /// Whether riders may stay seated from one trip to the other.
    pub(crate) allowed: bool,
    /// Line of the row, for issues.
    pub(crate) line: u64,
}

/// transfer_type 4: riders may stay seated.
const STAY_SEATED: u32 = 4;
/// transfer_type 5: riders have to get off and board again.
const GET_OFF: u32 = 5;

/// The transfers between stops, and the rows about riders who stay seated.
pub(crate) fn read(
    reading: &mut Reading<'_>,
    stops: &IdIndex,
    routes: &IdIndex,
    trips: &IdIndex,
) -> (Vec<TransferRow>, Vec<SeatRow>) {
    // Rows about staying seated need no stops, so a table of such rows may have no columns for them.
    let names_trips = Table::open(reading.files, "transfers.txt")
        .is_some_and(|table| table.has("from_trip_id") && table.has("to_trip_id"));
    let needed: &[_] = if names_trips { &[] } else { &["from_stop_id", "to_stop_id"] };
    let Some(table) = Table::open_optional(reading.files, "transfers.txt", needed, reading.issues) else {
        return (Vec::new(), Vec::new());
    };
    let stop_cols = [table.col("from_stop_id"), table.col("to_stop_id")];
    let route_cols = [table.col("from_route_id"), table.col("to_route_id")];
    let trip_cols = [table.col("from_trip_id"), table.col("to_trip_id")];
    let (kind, seconds) = (table.col("transfer_type"), table.col("min_transfer_time"));
    let (mut rows, mut seats) = (Vec::new(), Vec::new());
    let mut known: FxHashMap<[u32; 6], [i64; 2]> = FxHashMap::default();
    table.for_each(reading.issues, |row, issues| {
        let kind = row.number(kind, 0, issues);
        // These need no stops.
        if kind == STAY_SEATED || kind == GET_OFF {
            let [Some(from_trip), Some(to_trip)] = trip_cols.map(|col| trips.get(row.bytes(col))) else {
                return row.issue("unknown-reference", "unknown trip; row dropped", issues);
            };
            seats.push(SeatRow { from_trip, to_trip, allowed: kind == STAY_SEATED, line: row.line() });
            return;
        }
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
        if kind > TransferRule::FORBIDDEN {
            return row.issue("unused-transfer-type", format!("transfer_type {kind}; row dropped"), issues);
        }
        let seconds = row.seconds(seconds, -1, issues);
        let rule =
            TransferRule { from_stop, to_stop, from_route, to_route, from_trip, to_trip, kind, seconds };
        rows.push(TransferRow { rule, line: row.line() });
        let ends = [from_stop, to_stop, from_route, to_route, from_trip, to_trip];
        let said = [i64::from(kind), i64::from(seconds)];
        if known.insert(ends, said).is_some_and(|earlier| earlier != said) {
            let message = "an earlier row says something else of the same transfer; the last row counts";
            row.issue("contradictory-transfer", message, issues);
        }
    });
    (rows, seats)
}

/// Position of an optional reference: [`TransferRule::ANY`] when blank, `None` when unknown.
fn optional(row: &Row<'_>, col: Col, ids: &IdIndex) -> Option<u32> {
    if row.is_blank(col) { Some(TransferRule::ANY) } else { ids.get(row.bytes(col)) }
}
