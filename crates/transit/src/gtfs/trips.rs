//! trips.txt.

use crate::error::TransitError;
use crate::gtfs::IdIndex;
use crate::gtfs::flex::{FlexTripColumns, FlexTripRow};
use crate::gtfs::table::{Col, Reading, Table};

/// A row of trips.txt.
#[derive(Clone, Debug)]
pub(crate) struct TripRow {
    pub(crate) id: u32,
    /// Position in routes.
    pub(crate) route: u32,
    /// Position in services.
    pub(crate) service: u32,
    pub(crate) headsign: u32,
    pub(crate) short_name: u32,
    pub(crate) route_short_name: u32,
    /// direction_id, −1 when unknown.
    pub(crate) direction: i32,
    pub(crate) block: u32,
    /// shape_id as text.
    pub(crate) shape_id: u32,
    /// Position in shapes, `u32::MAX` when the shape is unknown.
    pub(crate) shape: u32,
    pub(crate) fare: u32,
    pub(crate) wheelchair: u8,
    pub(crate) bikes_allowed: u8,
    pub(crate) trip_bikes_allowed: u8,
    /// Flexible service, when the row says anything about it.
    pub(crate) flex: Option<FlexTripRow>,
    /// Line in trips.txt.
    pub(crate) line: u64,
}

struct Columns {
    id: Col,
    route: Col,
    service: Col,
    headsign: Col,
    short_name: Col,
    route_short_name: Col,
    direction: Col,
    block: Col,
    shape: Col,
    fare: Col,
    wheelchair: Col,
    bikes_allowed: Col,
    trip_bikes_allowed: Col,
    flex: FlexTripColumns,
}

impl Columns {
    fn of(table: &Table<'_>) -> Self {
        Columns {
            id: table.col("trip_id"),
            route: table.col("route_id"),
            service: table.col("service_id"),
            headsign: table.col("trip_headsign"),
            short_name: table.col("trip_short_name"),
            route_short_name: table.col("route_short_name"),
            direction: table.col("direction_id"),
            block: table.col("block_id"),
            shape: table.col("shape_id"),
            fare: table.col("fare_id"),
            wheelchair: table.col("wheelchair_accessible"),
            bikes_allowed: table.col("bikes_allowed"),
            trip_bikes_allowed: table.col("trip_bikes_allowed"),
            flex: FlexTripColumns::of(table),
        }
    }
}

pub(crate) fn read(
    reading: &mut Reading<'_>,
    routes: &IdIndex,
    services: &IdIndex,
    shapes: &IdIndex,
) -> Result<(Vec<TripRow>, IdIndex), TransitError> {
    let table = Table::open_required(reading.files, "trips.txt", &["trip_id", "route_id", "service_id"])?;
    let cols = Columns::of(&table);
    let (mut rows, mut ids) = (Vec::new(), IdIndex::default());
    let texts = &mut *reading.texts;
    table.for_each(reading.issues, |row, issues| {
        let Some(route) = routes.get(row.bytes(cols.route)) else {
            return row.unknown_reference(cols.route, issues);
        };
        let Some(service) = services.get(row.bytes(cols.service)) else {
            return row.unknown_reference(cols.service, issues);
        };
        if !ids.add_row(row, cols.id, issues) {
            return;
        }
        let shape = shapes.get(row.bytes(cols.shape));
        if shape.is_none() && !row.is_blank(cols.shape) {
            let message = format!("unknown shape_id “{}”; straight lines instead", row.text(cols.shape));
            row.issue("unknown-shape", message, issues);
        }
        rows.push(TripRow {
            id: row.intern(cols.id, texts),
            route,
            service,
            headsign: row.intern(cols.headsign, texts),
            short_name: row.intern(cols.short_name, texts),
            route_short_name: row.intern(cols.route_short_name, texts),
            direction: row.number(cols.direction, -1, issues),
            block: row.intern(cols.block, texts),
            shape_id: row.intern(cols.shape, texts),
            shape: shape.unwrap_or(u32::MAX),
            fare: row.intern(cols.fare, texts),
            wheelchair: row.number(cols.wheelchair, 0, issues),
            bikes_allowed: row.number(cols.bikes_allowed, 0, issues),
            trip_bikes_allowed: row.number(cols.trip_bikes_allowed, 0, issues),
            flex: cols.flex.read(row, texts, issues),
            line: row.line(),
        });
    });
    Ok((rows, ids))
}
