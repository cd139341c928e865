//! trips.txt.

use trestle_model::IssueSink;

use crate::error::TransitError;
use crate::gtfs::IdIndex;
use crate::gtfs::flex::FlexTripColumns;
use crate::gtfs::table::{Col, Reading, Row, Table};
use crate::timetable::FlexTrip;

/// Columns of trips.txt that a timetable has as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TripFacts {
    pub(crate) id: u32,
    /// Position in services.
    pub(crate) service: u32,
    pub(crate) headsign: u32,
    pub(crate) short_name: u32,
    pub(crate) route_short_name: u32,
    pub(crate) block: u32,
    /// shape_id as text.
    pub(crate) shape: u32,
    pub(crate) fare: u32,
    pub(crate) wheelchair: u8,
    pub(crate) bikes_allowed: u8,
    pub(crate) trip_bikes_allowed: u8,
    /// Number of the row among those that were kept.
    pub(crate) row: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct TripRow {
    pub(crate) facts: TripFacts,
    /// Position in routes.
    pub(crate) route: u32,
    /// direction_id, −1 when unknown.
    pub(crate) direction: i32,
    /// Position in shapes, `u32::MAX` when the shape is unknown.
    pub(crate) shape: u32,
    /// Flexible service, when the row says anything about it.
    pub(crate) flex: Option<FlexTrip>,
    /// Line in trips.txt.
    pub(crate) line: u64,
}

pub(crate) fn read(
    reading: &mut Reading<'_>,
    routes: &IdIndex,
    services: &IdIndex,
    shapes: &IdIndex,
) -> Result<(Vec<TripRow>, IdIndex), TransitError> {
    let table = Table::open_required(reading.files, "trips.txt", &["trip_id", "route_id", "service_id"])?;
    let (id, route_id, service_id) = (table.col("trip_id"), table.col("route_id"), table.col("service_id"));
    let (headsign, short_name) = (table.col("trip_headsign"), table.col("trip_short_name"));
    let (route_short_name, direction) = (table.col("route_short_name"), table.col("direction_id"));
    let (block, shape_id, fare) = (table.col("block_id"), table.col("shape_id"), table.col("fare_id"));
    let wheelchair = table.col("wheelchair_accessible");
    let (bikes_allowed, trip_bikes_allowed) = (table.col("bikes_allowed"), table.col("trip_bikes_allowed"));
    let flex = FlexTripColumns::of(&table);
    let (mut rows, mut ids) = (Vec::new(), IdIndex::default());
    let texts = &mut *reading.texts;
    table.for_each(reading.issues, |row, issues| {
        let Some(route) = routes.get(row.bytes(route_id)) else {
            return row.unknown_reference(route_id, issues);
        };
        let Some(service) = services.get(row.bytes(service_id)) else {
            return row.unknown_reference(service_id, issues);
        };
        if !ids.add_row(row, id, issues) {
            return;
        }
        let facts = TripFacts {
            id: row.intern(id, texts),
            service,
            headsign: row.intern(headsign, texts),
            short_name: row.intern(short_name, texts),
            route_short_name: row.intern(route_short_name, texts),
            block: row.intern(block, texts),
            shape: row.intern(shape_id, texts),
            fare: row.intern(fare, texts),
            wheelchair: row.choice(wheelchair, 2, issues),
            bikes_allowed: row.choice(bikes_allowed, 2, issues),
            trip_bikes_allowed: row.choice(trip_bikes_allowed, 2, issues),
            row: rows.len() as u32,
        };
        rows.push(TripRow {
            facts,
            route,
            direction: direction_of(row, direction, issues),
            shape: shape_of(row, shape_id, shapes, issues),
            flex: flex.read(row, texts, issues),
            line: row.line(),
        });
    });
    Ok((rows, ids))
}

/// The direction, −1 when unknown. Numbers other than 0 and 1 tell the trips of a route apart as well.
fn direction_of(row: &Row<'_>, direction_id: Col, issues: &mut IssueSink) -> i32 {
    let direction = row.number(direction_id, -1, issues);
    if direction != -1 && !(0..=1).contains(&direction) {
        let message = format!("direction_id is “{direction}”; kept, but only 0 and 1 are directions");
        row.issue("bad-value", message, issues);
    }
    direction
}

/// Position of a trip's shape, `u32::MAX` when it is unknown.
fn shape_of(row: &Row<'_>, shape_id: Col, shapes: &IdIndex, issues: &mut IssueSink) -> u32 {
    let shape = shapes.get(row.bytes(shape_id));
    if shape.is_none() && !row.is_blank(shape_id) {
        let message = format!("unknown shape_id “{}”; straight lines instead", row.text(shape_id));
        row.issue("unknown-shape", message, issues);
    }
    shape.unwrap_or(u32::MAX)
}
