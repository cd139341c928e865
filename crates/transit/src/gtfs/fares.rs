//! fare_attributes.txt and fare_rules.txt.

use crate::fares::fraction_digits;
use crate::gtfs::IdIndex;
use crate::gtfs::table::{Reading, Table};
use crate::timetable::{FareAttribute, FareRule};

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
        let Some(amount) = row.decimal(price, issues).filter(|amount| (0.0..1e9).contains(amount)) else {
            return row.issue("fare-without-price", "row dropped", issues);
        };
        if !ids.add_row(row, id, issues) {
            return;
        }
        let currency = currency_of(&row.text(currency));
        let unit = 10f64.powi(fraction_digits(&currency) as i32);
        let mut special = |column| {
            let amount = row.decimal(column, issues).filter(|amount| (0.0..1e9).contains(amount));
            amount.map_or(-1, |amount| (amount * unit).round() as i64)
        };
        let (youth_minor_units, senior_minor_units) = (special(youth), special(senior));
        rows.push(FareAttribute {
            feed: 0,
            id: row.intern(id, texts),
            minor_units: (amount * unit).round() as i64,
            youth_minor_units,
            senior_minor_units,
            currency: texts.intern(&currency),
            transfers: row.number(transfers, -1, issues),
            transfer_duration: row.number(duration, -1, issues),
            journey_duration: row.number(journey, -1, issues),
        });
    });
    (rows, ids)
}

/// A code of three letters in capitals; anything else as it is.
fn currency_of(text: &str) -> String {
    let is_code = text.len() == 3 && text.bytes().all(|letter| letter.is_ascii_alphabetic());
    if is_code { text.to_ascii_uppercase() } else { text.to_owned() }
}

pub(crate) fn read_rules(reading: &mut Reading<'_>, fares: &IdIndex, routes: &IdIndex) -> Vec<FareRule> {
    let Some(table) = Table::open_optional(reading.files, "fare_rules.txt", &["fare_id"], reading.issues)
    else {
        return Vec::new();
    };
    let (fare_id, route_id) = (table.col("fare_id"), table.col("route_id"));
    let (origin, destination) = (table.col("origin_id"), table.col("destination_id"));
    let contains = table.col("contains_id");
    let mut rows = Vec::new();
    let texts = &mut *reading.texts;
    table.for_each(reading.issues, |row, issues| {
        let Some(fare) = fares.get(row.bytes(fare_id)) else {
            return row.unknown_reference(fare_id, issues);
        };
        let route = match routes.get(row.bytes(route_id)) {
            Some(route) => route,
            None if row.is_blank(route_id) => u32::MAX,
            None => return row.unknown_reference(route_id, issues),
        };
        rows.push(FareRule {
            fare,
            route,
            origin: row.intern(origin, texts),
            destination: row.intern(destination, texts),
            contains: row.intern(contains, texts),
        });
    });
    rows
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
