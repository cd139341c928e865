//! routes.txt, and the modes of route types.

use trestle_model::strings::StringsBuilder;
use trestle_model::{IssueSink, Mode};

use crate::error::TransitError;
use crate::gtfs::IdIndex;
use crate::gtfs::flex::{Hailing, HailingColumns};
use crate::gtfs::table::{Col, Reading, Row, Table};
use crate::timetable::UNSET;

/// A row of routes.txt.
#[derive(Clone, Debug)]
pub(crate) struct RouteRow {
    /// Position of the agency (the first one when the row names none).
    pub(crate) agency: u32,
    pub(crate) id: u32,
    pub(crate) short_name: u32,
    pub(crate) long_name: u32,
    pub(crate) route_type: i32,
    pub(crate) mode: Mode,
    pub(crate) desc: u32,
    pub(crate) url: u32,
    pub(crate) color: u32,
    pub(crate) text_color: u32,
    pub(crate) route_bikes_allowed: u8,
    pub(crate) bikes_allowed: u8,
    pub(crate) sort_order: i32,
    pub(crate) eligibility_restricted: i32,
    pub(crate) branding_url: u32,
    /// For calls without their own values.
    pub(crate) hailing: Hailing,
}

/// The mode of a route type, basic or extended; `None` for taxis and undefined numbers. The interface has no modes for
/// trolleybuses (11) and monorails (12), so these have the modes of their extended types, 800 and 405. Vehicles without
/// a type of their own (1700 to 1799) are buses, as in other planners, except cable cars (1701).
pub(crate) fn mode_of(route_type: i32) -> Option<Mode> {
    Some(match route_type {
        0 | 900..=999 => Mode::Tram,
        1 | 401..=402 | 500..=699 => Mode::Subway,
        2 | 12 | 100..=199 | 300..=499 => Mode::Rail,
        5 | 1701 => Mode::CableCar,
        3 | 11 | 200..=299 | 700..=899 | 1700..=1799 => Mode::Bus,
        4 | 1000..=1099 | 1200..=1299 => Mode::Ferry,
        6 | 1300..=1399 => Mode::Gondola,
        7 | 1400..=1499 => Mode::Funicular,
        1100..=1199 => Mode::Airplane,
        1600..=1699 => Mode::Car,
        _ => return None,
    })
}

pub(crate) fn read(
    reading: &mut Reading<'_>,
    agencies: &IdIndex,
) -> Result<(Vec<RouteRow>, IdIndex), TransitError> {
    let table = Table::open_required(reading.files, "routes.txt", &["route_id", "route_type"])?;
    let (id, agency_id, route_type) =
        (table.col("route_id"), table.col("agency_id"), table.col("route_type"));
    let (short_name, long_name) = (table.col("route_short_name"), table.col("route_long_name"));
    let (desc, url, branding_url) =
        (table.col("route_desc"), table.col("route_url"), table.col("route_branding_url"));
    let (color, text_color) = (table.col("route_color"), table.col("route_text_color"));
    let (route_bikes_allowed, bikes_allowed) = (table.col("route_bikes_allowed"), table.col("bikes_allowed"));
    let (sort_order, eligibility_restricted) =
        (table.col("route_sort_order"), table.col("eligibility_restricted"));
    let hailing = HailingColumns::of(&table);
    let (mut rows, mut ids) = (Vec::new(), IdIndex::default());
    let texts = &mut *reading.texts;
    table.for_each(reading.issues, |row, issues| {
        let number = row.number(route_type, UNSET, issues);
        let Some(mode) = mode_of(number) else {
            let message = format!("route_type “{}” has no mode; row dropped", row.text(route_type));
            return row.issue("unusable-route-type", message, issues);
        };
        if !ids.add_row(row, id, issues) {
            return;
        }
        rows.push(RouteRow {
            agency: agency_of(row, agency_id, agencies, issues),
            id: row.intern(id, texts),
            short_name: row.intern(short_name, texts),
            long_name: row.intern(long_name, texts),
            route_type: number,
            mode,
            desc: row.intern(desc, texts),
            url: row.intern(url, texts),
            color: color_of(row, color, texts, issues),
            text_color: color_of(row, text_color, texts, issues),
            route_bikes_allowed: row.choice(route_bikes_allowed, 2, issues),
            bikes_allowed: row.choice(bikes_allowed, 2, issues),
            sort_order: row.number(sort_order, UNSET, issues),
            eligibility_restricted: row.number(eligibility_restricted, UNSET, issues),
            branding_url: row.intern(branding_url, texts),
            hailing: hailing.read(row, issues),
        });
    });
    Ok((rows, ids))
}

/// A colour without the number sign that some feeds write in front of it: clients add one themselves.
fn color_of(row: &Row<'_>, column: Col, texts: &mut StringsBuilder, issues: &mut IssueSink) -> u32 {
    let Some(digits) = row.text(column).strip_prefix('#').map(str::to_owned) else {
        return row.intern(column, texts);
    };
    row.issue("color-with-number-sign", format!("“#{digits}” is read as “{digits}”"), issues);
    texts.intern(&digits)
}

/// Position of a route's agency: the first one if the row names none.
fn agency_of(row: &Row<'_>, agency_id: Col, agencies: &IdIndex, issues: &mut IssueSink) -> u32 {
    let agency = agencies.get(row.bytes(agency_id));
    if agency.is_none() && !row.is_blank(agency_id) {
        let message = format!("unknown agency_id “{}”; the first agency is used", row.text(agency_id));
        row.issue("unknown-reference", message, issues);
    }
    if row.is_blank(agency_id) && agencies.len() > 1 {
        let message = "no agency_id in a feed of several agencies; the first agency is used";
        row.issue("blank-agency", message, issues);
    }
    agency.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn route_types_have_modes() {
        let modes = [0, 1, 2, 3, 4, 5, 6, 7, 109, 400, 401, 715, 1100, 1600].map(mode_of);
        let names: Vec<_> = modes.iter().map(|m| m.map_or("-", Mode::name)).collect();
        let expected =
            "TRAM SUBWAY RAIL BUS FERRY CABLE_CAR GONDOLA FUNICULAR RAIL RAIL SUBWAY BUS AIRPLANE CAR";
        assert_eq!(names.join(" "), expected);
        assert_eq!([8, -1, 10, 13, 1500, 1599, 1800].map(mode_of), [None; 7]);
    }

    #[test]
    fn trolleybuses_monorails_and_other_vehicles_have_the_modes_of_similar_ones() {
        let modes = [11, 12, 1700, 1701, 1702].map(mode_of);
        assert_eq!(modes, [Mode::Bus, Mode::Rail, Mode::Bus, Mode::CableCar, Mode::Bus].map(Some));
    }
}
