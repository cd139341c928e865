//! Interlining: the trips that a vehicle runs after another one.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::geo::{LatLon, distance_m};
use trestle_model::ids::ServiceIdx;
use trestle_model::{IssueSink, ServiceDate};

use super::assembly::{Assembly, TripEntry};
use crate::calendar::service_columns;
use crate::gtfs::SeatRow;
use crate::timetable::{Continuation, Services};

const SECONDS_PER_DAY: i32 = 86_400;

/// A trip follows one of the day before if its vehicle waits for less time than this, in seconds. Where a trip starts a
/// few minutes before the other one ends, its times are wrong, and nobody stays seated until the next day.
const LONGEST_NIGHT: i32 = 43_200;

/// The trips that vehicles continue as, so that riders may stay seated. transfers.txt names them, also trips of the next
/// day, and several trips for one day where a train is divided. Without such a row it is the next trip of the same block
/// and service, if it starts after this one ends and within `max_distance` metres of it, unless transfers.txt demands
/// that riders get off.
pub(super) fn continuations(
    assembly: &Assembly,
    max_distance: f64,
    issues: &mut IssueSink,
) -> Vec<Continuation> {
    let mut found = linked(assembly, max_distance, issues);
    let named: FxHashSet<_> = assembly.seats.iter().map(|row| (row.from_trip, row.to_trip)).collect();
    for pair in blocks(assembly).values().flat_map(|block| block.windows(2)) {
        let (from_trip, to_trip) = (pair[0], pair[1]);
        let (from, to) = (&assembly.trips[from_trip as usize], &assembly.trips[to_trip as usize]);
        let obstacle = match assembly.start(to) < assembly.end(from) {
            true => Some("the next trip of the block starts earlier".to_owned()),
            false => too_far(assembly, from, to, max_distance),
        };
        if let Some(reason) = obstacle {
            let trip = assembly.texts.get(from.row.facts.id);
            let path = format!("{}/trips.txt", assembly.file_of(from));
            let message = format!("after trip {trip}: {reason}; riders have to change");
            issues.add("broken-block", &path, from.row.line, message);
        } else if !named.contains(&(from_trip, to_trip)) {
            found.push(Continuation { from_trip, to_trip, days: 0 });
        }
    }
    found
}

/// The trips between which transfers.txt lets riders stay seated: those of one block first, then parts of trains that are
/// divided or coupled, each in the order of the rows.
fn linked(assembly: &Assembly, max_distance: f64, issues: &mut IssueSink) -> Vec<Continuation> {
    let mut rows: Vec<&SeatRow> = assembly.seats.iter().filter(|row| row.allowed).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let block = |trip: u32| assembly.trips[trip as usize].row.facts.block;
    let are_of_block =
        |row: &SeatRow| block(row.from_trip) != 0 && block(row.from_trip) == block(row.to_trip);
    rows.sort_by_key(|row| !are_of_block(row));
    let links = Links::new(assembly);
    let mut found = Vec::new();
    let mut known = FxHashSet::default();
    let mut days_by_trip = DaysByTrip::default();
    for row in rows {
        let mut report = |reason: &str| {
            let path = format!("{}/transfers.txt", assembly.file_of(&assembly.trips[row.from_trip as usize]));
            issues.add("broken-block", &path, row.line, format!("{reason}; riders have to change"));
        };
        match links.continuation(row, max_distance) {
            Ok(next) if known.insert((row.from_trip, row.to_trip)) => {
                found.push(next);
                if are_of_block(row)
                    && let Some(conflict) = links.conflict_in_block(&mut days_by_trip, next)
                {
                    report(conflict);
                }
            }
            Ok(_) => {}
            Err(reason) => report(&reason),
        }
    }
    found
}

/// The days of trips on which rows join them with others: of the first trips of rows, and of the second ones.
#[derive(Default)]
struct DaysByTrip {
    first: FxHashMap<u32, FxHashSet<ServiceDate>>,
    second: FxHashMap<u32, FxHashSet<ServiceDate>>,
}

/// Finds out how rows of transfers.txt join trips.
struct Links<'a> {
    assembly: &'a Assembly,
    services: Services,
}

impl<'a> Links<'a> {
    fn new(assembly: &'a Assembly) -> Links<'a> {
        let services = service_columns(assembly.services.iter().map(|entry| (entry.feed, &entry.row)));
        Links { assembly, services }
    }

    /// How a row joins its trips.
    ///
    /// # Errors
    /// Why it does not.
    fn continuation(&self, row: &SeatRow, max_distance: f64) -> Result<Continuation, String> {
        let (from_trip, to_trip) = (row.from_trip, row.to_trip);
        let [from, to] = [from_trip, to_trip].map(|trip| &self.assembly.trips[trip as usize]);
        if !from.frequencies.is_empty() || !to.frequencies.is_empty() {
            return Err("a trip runs by frequency".to_owned());
        }
        let wait = self.assembly.start(to) - self.assembly.end(from);
        let days = match wait {
            0.. if key(self.assembly, from_trip) < key(self.assembly, to_trip) => 0,
            _ if (0..LONGEST_NIGHT).contains(&(wait + SECONDS_PER_DAY)) => 1,
            _ => return Err("the second trip starts earlier".to_owned()),
        };
        let next = Continuation { from_trip, to_trip, days };
        if self.days(&next).next().is_none() {
            let when = if days == 0 { "on the same day" } else { "on one day and the next" };
            return Err(format!("the trips never run {when}"));
        }
        too_far(self.assembly, from, to, max_distance).map_or(Ok(next), Err)
    }

    /// Notes the days on which a row between trips of one block counts: on each day, a vehicle continues as one trip only.
    /// Says why it does not count on all days.
    fn conflict_in_block(&self, noted: &mut DaysByTrip, next: Continuation) -> Option<&'static str> {
        let after = noted.first.entry(next.from_trip).or_default();
        let before = noted.second.entry(next.to_trip).or_default();
        let (mut has_other_next, mut has_other_previous) = (false, false);
        for day in self.days(&next) {
            has_other_next |= !after.insert(day);
            has_other_previous |= !before.insert(day.plus(next.days));
        }
        match (has_other_next, has_other_previous) {
            (true, _) => Some("on some days the first trip has another next trip in its block already"),
            (_, true) => Some("on some days the second trip continues another one of its block already"),
            _ => None,
        }
    }

    /// The days of the first trip on which the second one follows it.
    fn days(&self, row: &Continuation) -> impl Iterator<Item = ServiceDate> + '_ {
        let [from, to] = [row.from_trip, row.to_trip]
            .map(|trip| ServiceIdx(self.assembly.trips[trip as usize].row.facts.service));
        let days = row.days;
        self.services.days_of(from).filter(move |day| self.services.runs_on(to, day.plus(days)))
    }
}

/// Sort key of the trips of a vehicle.
fn key(assembly: &Assembly, trip: u32) -> (i32, i32, u32) {
    let entry = &assembly.trips[trip as usize];
    (assembly.start(entry), assembly.end(entry), entry.row.facts.row)
}

/// Trips by (feed, block, service), in order of their first departure. Frequency trips are left out because they have no
/// fixed times.
fn blocks(assembly: &Assembly) -> BTreeMap<(u32, u32, u32), Vec<u32>> {
    let mut blocks: BTreeMap<(u32, u32, u32), Vec<u32>> = BTreeMap::new();
    for (number, trip) in assembly.trips.iter().enumerate() {
        if trip.row.facts.block != 0 && trip.frequencies.is_empty() {
            let feed = assembly.feed_of(trip);
            blocks
                .entry((feed, trip.row.facts.block, trip.row.facts.service))
                .or_default()
                .push(number as u32);
        }
    }
    for block in blocks.values_mut() {
        block.sort_by_key(|&trip| key(assembly, trip));
    }
    blocks
}

/// Why riders cannot stay seated, if the second trip starts farther than `most` metres from the end of the first.
fn too_far(assembly: &Assembly, from: &TripEntry, to: &TripEntry, most: f64) -> Option<String> {
    let position = |trip: &TripEntry, last: bool| -> Option<LatLon> {
        let calls = &assembly.patterns[trip.pattern as usize].calls;
        let call = if last { calls.last() } else { calls.first() };
        call.map(|call| assembly.stops[call.stop as usize].row.position)
    };
    let meters = distance_m(position(from, true)?, position(to, false)?);
    (meters > most).then(|| format!("the next trip starts {meters:.0} m away"))
}
