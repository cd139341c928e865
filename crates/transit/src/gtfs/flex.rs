//! Columns of flexible service: hailing a vehicle between stops, areas for which it leaves its route, and booking. Few
//! feeds have any of them, so rows are only kept when one of them is given.

use trestle_model::IssueSink;
use trestle_model::strings::StringsBuilder;

use super::areas::AreaRow;
use super::table::{Col, Row, Table};
use crate::timetable::FlexTrip;

/// continuous_pickup and continuous_drop_off: not given.
pub(crate) const BLANK: u8 = u8::MAX;

/// Where passengers may board and alight between stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hailing {
    /// continuous_pickup or [`BLANK`].
    pub(crate) pickup: u8,
    /// continuous_drop_off or [`BLANK`].
    pub(crate) drop_off: u8,
}

/// Columns of routes.txt or stop_times.txt.
pub(crate) struct HailingColumns {
    pickup: Col,
    drop_off: Col,
}

impl HailingColumns {
    pub(crate) fn of(table: &Table<'_>) -> Self {
        HailingColumns { pickup: table.col("continuous_pickup"), drop_off: table.col("continuous_drop_off") }
    }

    pub(crate) fn read(&self, row: &Row<'_>, issues: &mut IssueSink) -> Hailing {
        let mut kind = |col| row.number_within(col, 0..=3, issues).unwrap_or(BLANK);
        Hailing { pickup: kind(self.pickup), drop_off: kind(self.drop_off) }
    }
}

/// Flexible service of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FlexCallRow {
    pub(crate) hailing: Hailing,
    /// start_service_area_radius, metres; 0 when blank.
    pub(crate) radius: f64,
    /// Text of start_service_area_id; 0 when blank.
    pub(crate) area: u32,
}

/// Columns of stop_times.txt.
pub(crate) struct FlexCallColumns {
    hailing: HailingColumns,
    radius: Col,
    area: Col,
    zones: [Col; 2],
}

impl FlexCallColumns {
    pub(crate) fn of(table: &Table<'_>) -> Self {
        FlexCallColumns {
            hailing: HailingColumns::of(table),
            radius: table.col("start_service_area_radius"),
            area: table.col("start_service_area_id"),
            zones: [table.col("location_id"), table.col("location_group_id")],
        }
    }

    /// Whether a vehicle calls anywhere in a zone or a group of stops, instead of at one stop.
    pub(crate) fn is_anywhere(&self, row: &Row<'_>) -> bool {
        self.zones.iter().any(|&zone| !row.bytes(zone).is_empty())
    }

    /// `None` when all columns are blank. An area that is not one of `areas` is reported.
    pub(crate) fn read(
        &self,
        row: &Row<'_>,
        areas: &[AreaRow],
        texts: &mut StringsBuilder,
        issues: &mut IssueSink,
    ) -> Option<FlexCallRow> {
        let hailing = self.hailing.read(row, issues);
        let radius = row.decimal(self.radius, issues).filter(|meters| *meters > 0.0);
        let area = row.intern(self.area, texts);
        if area != 0 && !areas.iter().any(|known| known.id == area) {
            let message = format!("unknown service area “{}”; ignored", texts.get(area));
            row.issue("unknown-area", message, issues);
        }
        let is_blank = hailing.pickup == BLANK && hailing.drop_off == BLANK && radius.is_none() && area == 0;
        (!is_blank).then_some(FlexCallRow { hailing, radius: radius.unwrap_or(0.0), area })
    }
}

/// Columns of trips.txt.
pub(crate) struct FlexTripColumns {
    max_travel_time: Col,
    avg_travel_time: Col,
    advance_book_min: Col,
    pickup_message: Col,
    drop_off_message: Col,
    continuous_pickup_message: Col,
    continuous_drop_off_message: Col,
}

impl FlexTripColumns {
    pub(crate) fn of(table: &Table<'_>) -> Self {
        FlexTripColumns {
            max_travel_time: table.col("drt_max_travel_time"),
            avg_travel_time: table.col("drt_avg_travel_time"),
            advance_book_min: table.col("drt_advance_book_min"),
            pickup_message: table.col("drt_pickup_message"),
            drop_off_message: table.col("drt_drop_off_message"),
            continuous_pickup_message: table.col("continuous_pickup_message"),
            continuous_drop_off_message: table.col("continuous_drop_off_message"),
        }
    }

    /// Without the trip; `None` when all columns are blank.
    pub(crate) fn read(
        &self,
        row: &Row<'_>,
        texts: &mut StringsBuilder,
        issues: &mut IssueSink,
    ) -> Option<FlexTrip> {
        let mut text = |col| row.intern(col, texts);
        let given = FlexTrip {
            max_travel_time: text(self.max_travel_time),
            avg_travel_time: text(self.avg_travel_time),
            pickup_message: text(self.pickup_message),
            drop_off_message: text(self.drop_off_message),
            continuous_pickup_message: text(self.continuous_pickup_message),
            continuous_drop_off_message: text(self.continuous_drop_off_message),
            advance_book_min: row.decimal(self.advance_book_min, issues).unwrap_or(0.0),
            ..FlexTrip::default()
        };
        (given != FlexTrip::default()).then_some(given)
    }
}
