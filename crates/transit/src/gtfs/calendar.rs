//! calendar.txt and calendar_dates.txt.

use rustc_hash::FxHashMap;
use trestle_model::ServiceDate;

use crate::error::TransitError;
use crate::gtfs::IdIndex;
use crate::gtfs::table::{Reading, Table};

/// A service: weekly ranges, then single days added or removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ServiceRow {
    pub(crate) id: u32,
    /// First day, last day and the weekdays (Monday first) of calendar.txt.
    pub(crate) weekly: Option<(ServiceDate, ServiceDate, [bool; 7])>,
    /// (day, runs) of calendar_dates.txt, in file order.
    pub(crate) exceptions: Vec<(ServiceDate, bool)>,
    /// Table and line that name it first.
    pub(crate) source: (&'static str, u64),
}

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

pub(crate) fn read(reading: &mut Reading<'_>) -> Result<(Vec<ServiceRow>, IdIndex), TransitError> {
    let (mut services, mut ids) = (Vec::new(), IdIndex::default());
    let weekly = read_weekly(reading, &mut services, &mut ids);
    let dates = read_dates(reading, &mut services, &mut ids);
    if !weekly && !dates {
        let file = reading.files.name().to_owned();
        return Err(TransitError::MissingTable { file, table: "calendar.txt or calendar_dates.txt" });
    }
    Ok((services, ids))
}

fn read_weekly(reading: &mut Reading<'_>, services: &mut Vec<ServiceRow>, ids: &mut IdIndex) -> bool {
    let needed = ["service_id", "start_date", "end_date"];
    let Some(table) = Table::open_optional(reading.files, "calendar.txt", &needed, reading.issues) else {
        return false;
    };
    let (id, start, end) = (table.col("service_id"), table.col("start_date"), table.col("end_date"));
    let weekdays = WEEKDAYS.map(|day| table.col(day));
    for day in WEEKDAYS.into_iter().filter(|day| !table.has(day)) {
        let message = format!("the column {day} is missing; no service runs on that day");
        reading.issues.add("missing-column", table.path(), 1, message);
    }
    let texts = &mut *reading.texts;
    table.for_each(reading.issues, |row, issues| {
        if !ids.add_row(row, id, issues) {
            return;
        }
        let weekly = match (row.date_within(start, issues), row.date_within(end, issues)) {
            (Some(start), Some(end)) if start <= end => {
                Some((start, end, weekdays.map(|day| row.choice(day, 1, issues) == 1)))
            }
            _ => {
                row.issue(
                    "bad-date-range",
                    "start_date and end_date are not a period, so the service has no days from this row",
                    issues,
                );
                None
            }
        };
        services.push(ServiceRow {
            id: row.intern(id, texts),
            weekly,
            exceptions: Vec::new(),
            source: ("calendar.txt", row.line()),
        });
    });
    true
}

fn read_dates(reading: &mut Reading<'_>, services: &mut Vec<ServiceRow>, ids: &mut IdIndex) -> bool {
    let needed = ["service_id", "date", "exception_type"];
    let Some(table) = Table::open_optional(reading.files, "calendar_dates.txt", &needed, reading.issues)
    else {
        return false;
    };
    let (id, date, kind) = (table.col("service_id"), table.col("date"), table.col("exception_type"));
    let texts = &mut *reading.texts;
    let mut known: FxHashMap<(u32, ServiceDate), bool> = FxHashMap::default();
    table.for_each(reading.issues, |row, issues| {
        let runs = match row.bytes(kind) {
            b"1" => true,
            b"2" => false,
            _ => return row.issue("bad-exception-type", "neither 1 nor 2; row dropped", issues),
        };
        let Some(day) = row.date(date, issues) else {
            return row.issue("blank-date", "no date; row dropped", issues);
        };
        let position = ids.get(row.bytes(id)).or_else(|| {
            ids.add_row(row, id, issues).then(|| {
                let source = ("calendar_dates.txt", row.line());
                services.push(ServiceRow { id: row.intern(id, texts), source, ..Default::default() });
                services.len() as u32 - 1
            })
        });
        let Some(position) = position else { return };
        services[position as usize].exceptions.push((day, runs));
        if known.insert((position, day), runs).is_some_and(|earlier| earlier != runs) {
            let message = "an earlier row says the opposite of the same day; the last row counts";
            row.issue("contradictory-exception", message, issues);
        }
    });
    true
}
