//! stops.txt.

use std::collections::BTreeSet;

use trestle_model::IssueSink;
use trestle_model::geo::LatLon;

use crate::error::TransitError;
use crate::gtfs::IdIndex;
use crate::gtfs::table::{Col, Reading, Row, Table};
use crate::timetable::UNSET;

#[derive(Clone, Debug, Default)]
pub(crate) struct StopRow {
    pub(crate) id: u32,
    pub(crate) code: u32,
    pub(crate) name: u32,
    pub(crate) desc: u32,
    pub(crate) position: LatLon,
    pub(crate) zone: u32,
    pub(crate) url: u32,
    pub(crate) location_type: u8,
    pub(crate) wheelchair: u8,
    /// Position of the parent station, `u32::MAX` for none.
    pub(crate) parent: u32,
    pub(crate) parent_id: u32,
    pub(crate) timezone: u32,
    pub(crate) vehicle_type: i32,
    pub(crate) platform: u32,
    pub(crate) direction: u32,
    /// Line of the row, for issues.
    pub(crate) line: u64,
}

/// Stations around each other that a stop can be in: a boarding area belongs to a platform, and the platform to a
/// station, so one more is allowed than GTFS has.
pub(crate) const MOST_PARENTS: usize = 3;

/// Stations group stops: `location_type` 1.
pub const STATION: u8 = 1;

/// The position; `None` for a node or boarding area that takes the position of its station, `Err` with the reason when
/// the row is unusable.
fn position(
    row: &Row<'_>,
    [lat, lon, parent_id]: [Col; 3],
    issues: &mut IssueSink,
) -> Result<Option<LatLon>, String> {
    match (row.decimal(lat, issues), row.decimal(lon, issues)) {
        (Some(lat), Some(lon)) if LatLon::new(lat, lon).is_on_earth() => Ok(Some(LatLon::new(lat, lon))),
        (Some(lat), Some(lon)) => {
            let swapped = if LatLon::new(lon, lat).is_on_earth() { " (are they swapped?)" } else { "" };
            Err(format!("latitude {lat} and longitude {lon} are not on Earth{swapped}"))
        }
        _ if row.is_blank(parent_id) => Err("no position".to_owned()),
        _ => Ok(None),
    }
}

pub(crate) fn read(reading: &mut Reading<'_>) -> Result<(Vec<StopRow>, IdIndex), TransitError> {
    let table = Table::open_required(reading.files, "stops.txt", &["stop_id", "stop_lat", "stop_lon"])?;
    let path = table.path().to_owned();
    let (id, code, name, desc) =
        (table.col("stop_id"), table.col("stop_code"), table.col("stop_name"), table.col("stop_desc"));
    let (lat, lon, parent_id) = (table.col("stop_lat"), table.col("stop_lon"), table.col("parent_station"));
    let (zone, url, timezone) = (table.col("zone_id"), table.col("stop_url"), table.col("stop_timezone"));
    let (location_type, wheelchair) = (table.col("location_type"), table.col("wheelchair_boarding"));
    let (vehicle_type, platform) = (table.col("vehicle_type"), table.col("platform_code"));
    let direction = table.col("direction");
    let (mut rows, mut ids) = (Vec::new(), IdIndex::default());
    let mut notes: Vec<Pending> = Vec::new();
    let texts = &mut *reading.texts;
    table.for_each(reading.issues, |row, issues| {
        let position = match position(row, [lat, lon, parent_id], issues) {
            Ok(position) => position,
            Err(reason) => {
                return row.issue("stop-without-position", format!("{reason}; row dropped"), issues);
            }
        };
        if !ids.add_row(row, id, issues) {
            return;
        }
        if position.is_none() || !row.is_blank(parent_id) {
            let parent = row.bytes(parent_id).to_vec();
            notes.push(Pending {
                stop: rows.len(),
                line: row.line(),
                parent,
                no_position: position.is_none(),
            });
        }
        rows.push(StopRow {
            id: row.intern(id, texts),
            code: row.intern(code, texts),
            name: row.intern(name, texts),
            desc: row.intern(desc, texts),
            position: position.unwrap_or_default(),
            zone: row.intern(zone, texts),
            url: row.intern(url, texts),
            location_type: row.choice(location_type, 4, issues),
            wheelchair: row.choice(wheelchair, 2, issues),
            parent: u32::MAX,
            parent_id: row.intern(parent_id, texts),
            timezone: row.intern(timezone, texts),
            vehicle_type: row.number(vehicle_type, UNSET, issues),
            platform: row.intern(platform, texts),
            direction: row.intern(direction, texts),
            line: row.line(),
        });
    });
    resolve_parents(&mut rows, &ids, &notes, &path, reading.issues);
    break_circles(&mut rows, &notes, &path, reading.issues);
    let unplaced = take_positions_of_parents(&mut rows, &notes, &path, reading.issues);
    drop_rows(&mut rows, &mut ids, &unplaced);
    Ok((rows, ids))
}

/// A stop whose parent station, which may be on a later line, is not resolved yet.
struct Pending {
    stop: usize,
    line: u64,
    parent: Vec<u8>,
    no_position: bool,
}

fn resolve_parents(
    rows: &mut [StopRow],
    ids: &IdIndex,
    pending: &[Pending],
    path: &str,
    issues: &mut IssueSink,
) {
    for note in pending {
        if let Some(parent) = ids.get(&note.parent).filter(|&parent| parent as usize != note.stop) {
            rows[note.stop].parent = parent;
        } else {
            let id = String::from_utf8_lossy(&note.parent);
            issues.add("unknown-reference", path, note.line, format!("unknown parent_station “{id}”"));
        }
    }
}

/// Removes the parent of stops whose parents form a circle or are too many.
fn break_circles(rows: &mut [StopRow], pending: &[Pending], path: &str, issues: &mut IssueSink) {
    for note in pending {
        let parent = |stop: &usize| Some(rows[*stop].parent).filter(|&parent| parent != u32::MAX);
        let around = std::iter::successors(parent(&note.stop), |stop| parent(&(*stop as usize)));
        if around.take(MOST_PARENTS + 1).count() > MOST_PARENTS {
            rows[note.stop].parent = u32::MAX;
            let message =
                "its parent stations form a circle, or there are too many of them; its parent is ignored";
            issues.add("parent-circle", path, note.line, message);
        }
    }
}

/// Gives stops without a position that of the first of their parents that has one. Returns the stops that still have
/// none.
fn take_positions_of_parents(
    rows: &mut [StopRow],
    pending: &[Pending],
    path: &str,
    issues: &mut IssueSink,
) -> BTreeSet<usize> {
    let missing: BTreeSet<usize> =
        pending.iter().filter(|note| note.no_position).map(|note| note.stop).collect();
    let mut unplaced = BTreeSet::new();
    for &stop in &missing {
        let parent = |stop: &usize| Some(rows[*stop].parent as usize).filter(|&parent| parent < rows.len());
        let mut around = std::iter::successors(parent(&stop), parent);
        if let Some(placed) = around.find(|parent| !missing.contains(parent)) {
            rows[stop].position = rows[placed].position;
        } else {
            let message = "no position, and no station that has one; row dropped";
            issues.add("stop-without-position", path, rows[stop].line, message);
            unplaced.insert(stop);
        }
    }
    unplaced
}

/// Removes rows, and renumbers the others.
fn drop_rows(rows: &mut Vec<StopRow>, ids: &mut IdIndex, dropped: &BTreeSet<usize>) {
    if dropped.is_empty() {
        return;
    }
    let mut left = 0..;
    let numbers: Vec<Option<u32>> =
        (0..rows.len()).map(|row| if dropped.contains(&row) { None } else { left.next() }).collect();
    ids.renumber(|row| numbers[row as usize]);
    let mut is_left = numbers.iter().map(Option::is_some);
    rows.retain(|_| is_left.next() == Some(true));
    for stop in rows {
        // Without a parent this is the largest number, which no row has.
        stop.parent = numbers.get(stop.parent as usize).copied().flatten().unwrap_or(u32::MAX);
    }
}
