//! fare_attributes.txt and fare_rules.txt.

use crate::fares::fraction_digits;
use crate::gtfs::IdIndex;
use crate::gtfs::table::{Reading, Table};
use crate::timetable::{FareAttribute, FareRule};

/// The highest price that is read.
const MOST: f64 = 1e9;

/// Fares without their feed.
pub(crate) fn read_attributes(reading: &mut Reading<'_>) -> (Vec<FareAttribute>, IdIndex) {
    let (mut rows, mut ids) = (Vec::new(), IdIndex::default());
    let needed = ["fare_id", "price", "currency_type"];
    let Some(table) = Table::open_optional(reading.files, "fare_attributes.txt", &needed, reading.issues)
    else {
        return (rows, ids);
    };
    let (id, price, currency) = (table.col("fare_id"), table.col("price"), table.col("currency_type"));
    let (transfers, duration) = (table.col("transfers"), table.col("transfer_duration"));
    let journey = table.col("journey_duration");
    let (youth, senior) = (table.col("youth_price"), table.col("senior_price"));
    let texts = &mut *reading.texts;
    table.for_each(reading.issues, |row, issues| {
        let Some(amount) = row.number_within(price, 0.0..=MOST, issues) else {
            return row.issue("fare-without-price", "row dropped", issues);
        };
        if !ids.add_row(row, id, issues) {
            return;
        }
        let currency = currency_of(&row.text(currency));
        let unit = 10f64.powi(fraction_digits(&currency) as i32);
        let mut special = |column| {
            let amount: Option<f64> = row.number_within(column, 0.0..=MOST, issues);
            amount.map_or(-1, |amount| (amount * unit).round() as i64)
        };
        let (youth_minor_units, senior_minor_units) = (special(youth), special(senior));
        let mut limit = |column| row.number_within(column, 0..=i32::MAX, issues).unwrap_or(-1);
        rows.push(FareAttribute {
            feed: 0,
            id: row.intern(id, texts),
            minor_units: (amount * unit).round() as i64,
            youth_minor_units,
            senior_minor_units,
            currency: texts.intern(&currency),
            transfers: limit(transfers),
            transfer_duration: limit(duration),
            journey_duration: limit(journey),
        });
    });
    (rows, ids)
}

/// A code of three letters in capitals; anything else as it is.
fn currency_of(text: &str) -> String {
    let is_code = text.len() == 3 && text.bytes().all(|letter| letter.is_ascii_alphabetic());
    if is_code { text.to_ascii_uppercase() } else { text.to_owned() }
}

/// Rules of the fares. A fare is dropped if its rules name only routes that do not exist: without these rules it would
/// be valid on all routes.
pub(crate) fn read_rules(
    reading: &mut Reading<'_>,
    fares: &mut Vec<FareAttribute>,
    ids: &IdIndex,
    routes: &IdIndex,
) -> Vec<FareRule> {
    let Some(table) = Table::open_optional(reading.files, "fare_rules.txt", &["fare_id"], reading.issues)
    else {
        return Vec::new();
    };
    let path = table.path().to_owned();
    let (fare_id, route_id) = (table.col("fare_id"), table.col("route_id"));
    let (origin, destination) = (table.col("origin_id"), table.col("destination_id"));
    let contains = table.col("contains_id");
    let mut rows: Vec<FareRule> = Vec::new();
    let mut names_missing_route = vec![false; fares.len()];
    let texts = &mut *reading.texts;
    table.for_each(reading.issues, |row, issues| {
        let Some(fare) = ids.get(row.bytes(fare_id)) else {
            return row.unknown_reference(fare_id, issues);
        };
        let route = match routes.get(row.bytes(route_id)) {
            Some(route) => route,
            None if row.is_blank(route_id) => u32::MAX,
            None => {
                names_missing_route[fare as usize] = true;
                return row.unknown_reference(route_id, issues);
            }
        };
        rows.push(FareRule {
            fare,
            route,
            origin: row.intern(origin, texts),
            destination: row.intern(destination, texts),
            contains: row.intern(contains, texts),
        });
    });
    let mut is_lost = names_missing_route;
    for rule in rows.iter().filter(|rule| rule.route != u32::MAX) {
        is_lost[rule.fare as usize] = false;
    }
    for fare in fares.iter().zip(&is_lost).filter(|(_, is_lost)| **is_lost).map(|(fare, _)| fare) {
        let message = format!("none of the routes of fare “{}” exists; dropped", reading.texts.get(fare.id));
        reading.issues.add("fare-without-route", &path, 0, message);
    }
    drop_fares(fares, &mut rows, &is_lost);
    rows
}

fn drop_fares(fares: &mut Vec<FareAttribute>, rules: &mut Vec<FareRule>, is_lost: &[bool]) {
    let mut kept = 0;
    let numbers: Vec<u32> = is_lost
        .iter()
        .map(|is_lost| {
            kept += u32::from(!is_lost);
            kept.saturating_sub(1)
        })
        .collect();
    let mut lost = is_lost.iter();
    fares.retain(|_| lost.next() == Some(&false));
    rules.retain(|rule| !is_lost[rule.fare as usize]);
    rules.iter_mut().for_each(|rule| rule.fare = numbers[rule.fare as usize]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_currencies_are_in_capitals() {
        assert_eq!(
            ["eur", "Jpy", "USD", "tokens", "€"].map(currency_of),
            ["EUR", "JPY", "USD", "tokens", "€"]
        );
    }
}
