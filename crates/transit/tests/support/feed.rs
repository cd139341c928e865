//! Feeds from a few lines of text.
//!
//! ```text
//! stop A 41.00 -8.60                      stop_id, lat, lon, then any column=value
//! route R 3                               route_id, route_type, then any column=value
//! service WK 20240101 20241231 1111100    service_id, first day, last day, Monday to Sunday
//! trip T R WK block_id=b : A 8:00:00, B 8:10:00-8:11:00, C -
//! shape S : 41.00 -8.60, 41.01 -8.60
//! table transfers.txt                     followed by the table as it is, up to a blank line
//! ```
//! A call is `stop arrival[-departure]`, `-` for a blank time, then any column=value.

use std::collections::BTreeMap;

use trestle_model::IssueSink;
use trestle_transit::build::{TransitBuildOptions, build_timetable_from_tables};
use trestle_transit::gtfs::FeedFiles;
use trestle_transit::timetable::Timetable;

type Row = BTreeMap<String, String>;

/// Tables of a feed written in the form above, by file name.
pub fn tables(text: &str) -> BTreeMap<String, String> {
    let mut rows: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
    let mut result: BTreeMap<String, String> = BTreeMap::new();
    rows.insert("agency.txt", vec![row("agency_id=AG agency_name=Agency agency_timezone=Europe/Lisbon")]);
    for table in ["stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt"] {
        rows.insert(table, Vec::new());
    }
    let mut lines = text.lines().map(str::trim);
    while let Some(line) = lines.next() {
        let (head, list) = line.split_once(" : ").unwrap_or((line, ""));
        let words: Vec<&str> = head.split_whitespace().collect();
        match words[..] {
            ["table", name] => {
                let content: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
                rows.remove(name);
                result.insert(name.to_owned(), content.join("\n"));
            }
            ["stop", id, lat, lon, ref rest @ ..] => rows.entry("stops.txt").or_default().push(row(
                &format!("stop_id={id} stop_name=Stop_{id} stop_lat={lat} stop_lon={lon} {}", rest.join(" ")),
            )),
            ["route", id, kind, ref rest @ ..] => rows
                .entry("routes.txt")
                .or_default()
                .push(row(&format!("route_id={id} route_type={kind} {}", rest.join(" ")))),
            ["service", id, first, last, days] => {
                rows.entry("calendar.txt").or_default().push(service(id, first, last, days))
            }
            ["trip", id, route, service, ref rest @ ..] => {
                let text = format!("trip_id={id} route_id={route} service_id={service} {}", rest.join(" "));
                rows.entry("trips.txt").or_default().push(row(&text));
                rows.entry("stop_times.txt").or_default().extend(calls(id, list));
            }
            ["shape", id] => rows.entry("shapes.txt").or_default().extend(shape(id, list)),
            [] => {}
            _ => panic!("what is “{line}”?"),
        }
    }
    result.extend(rows.into_iter().map(|(table, rows)| (table.to_owned(), csv(table, &rows))));
    result
}

fn row(text: &str) -> Row {
    let pairs = text.split_whitespace().map(|pair| pair.split_once('=').unwrap_or_else(|| panic!("{pair}")));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn service(id: &str, first: &str, last: &str, days: &str) -> Row {
    let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let mut row = row(&format!("service_id={id} start_date={first} end_date={last}"));
    row.extend(names.iter().zip(days.chars()).map(|(name, day)| ((*name).to_owned(), day.to_string())));
    row
}

fn calls(trip: &str, list: &str) -> Vec<Row> {
    let call = |(sequence, text): (usize, &str)| {
        let mut words = text.split_whitespace();
        let (stop, times) = (words.next().unwrap(), words.next().unwrap());
        let (arrival, departure) = times.split_once('-').unwrap_or((times, times));
        row(&format!(
            "trip_id={trip} stop_sequence={} stop_id={stop} arrival_time={arrival} departure_time={departure} {}",
            sequence + 1,
            words.collect::<Vec<_>>().join(" ")
        ))
    };
    list.split(',').enumerate().map(call).collect()
}

fn shape(id: &str, list: &str) -> Vec<Row> {
    let point = |(sequence, text): (usize, &str)| {
        let (lat, lon) = text.trim().split_once(' ').unwrap();
        row(&format!("shape_id={id} shape_pt_sequence={sequence} shape_pt_lat={lat} shape_pt_lon={lon}"))
    };
    list.split(',').enumerate().map(point).collect()
}

/// A table with the columns of its rows and all required columns.
fn csv(table: &str, rows: &[Row]) -> String {
    let required = match table {
        "stops.txt" => "stop_id stop_lat stop_lon",
        "routes.txt" => "route_id route_type",
        "trips.txt" => "trip_id route_id service_id",
        "stop_times.txt" => "trip_id stop_id stop_sequence arrival_time departure_time",
        "calendar.txt" => {
            "service_id start_date end_date monday tuesday wednesday thursday friday saturday sunday"
        }
        _ => "",
    };
    let mut names: Vec<&str> = required.split_whitespace().collect();
    for name in rows.iter().flat_map(|row| row.keys()) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let line = |row: &Row| {
        names.iter().map(|&name| row.get(name).map_or("", String::as_str)).collect::<Vec<_>>().join(",")
    };
    std::iter::once(names.join(",")).chain(rows.iter().map(line)).collect::<Vec<_>>().join("\n")
}

/// The timetable of one such feed, and its issues as `file:line: code` lines.
pub fn timetable(text: &str) -> (Timetable, Vec<String>) {
    let (timetable, issues) = timetable_with_issues(text);
    let issues = issues.issues().iter().map(|i| format!("{}:{}: {}", i.file, i.line, i.code)).collect();
    (timetable, issues)
}

/// The timetable of one such feed, and its issues.
pub fn timetable_with_issues(text: &str) -> (Timetable, IssueSink) {
    let files = FeedFiles::from_tables("f", tables(text));
    let mut issues = IssueSink::default();
    let options = TransitBuildOptions::default();
    let timetable = build_timetable_from_tables(vec![files], &options, &mut issues, &mut |_, _| {}).unwrap();
    (timetable, issues)
}
