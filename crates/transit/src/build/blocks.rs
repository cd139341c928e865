//! Interlining: the trip that a vehicle runs after another one.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::IssueSink;
use trestle_model::geo::{LatLon, distance_m};

use super::assembly::{Assembly, TripEntry};
use crate::calendar::run_together;

/// No trip.
const NONE: u32 = u32::MAX;

/// For every trip, the next trip of its vehicle, for which riders may stay seated; [`NONE`] for none. It is the next
/// trip of the same block and service, if it starts after this one ends and within `max_distance` metres of it.
/// transfers.txt can join trips without a block, and demand that riders get off.
pub(super) fn next_in_block(assembly: &Assembly, max_distance: f64, issues: &mut IssueSink) -> Vec<u32> {
    let mut next = vec![NONE; assembly.trips.len()];
    for block in blocks(assembly).values() {
        for pair in block.windows(2) {
            let (from, to) = (&assembly.trips[pair[0] as usize], &assembly.trips[pair[1] as usize]);
            if let Some(reason) = obstacle(assembly, from, to, max_distance) {
                let trip = assembly.texts.get(from.row.facts.id);
                let path = format!("{}/trips.txt", assembly.file_of(from));
                let message = format!("after trip {trip}: {reason}; riders have to change");
                issues.add("broken-block", &path, from.row.line, message);
            } else {
                next[pair[0] as usize] = pair[1];
            }
        }
    }
    for row in assembly.seats.iter().filter(|row| !row.allowed) {
        let following = &mut next[row.from_trip as usize];
        if *following == row.to_trip {
            *following = NONE;
        }
    }
    join(assembly, max_distance, &mut next, issues);
    next
}

/// Joins the trips between which transfers.txt lets riders stay seated, on the days on which both run. A trip has one next
/// trip on all days, so of several rows for the same trip only the first is followed.
fn join(assembly: &Assembly, max_distance: f64, next: &mut [u32], issues: &mut IssueSink) {
    let mut together: FxHashMap<(u32, u32), bool> = FxHashMap::default();
    let mut has_previous: FxHashSet<u32> = next.iter().copied().filter(|trip| *trip != NONE).collect();
    for row in assembly.seats.iter().filter(|row| row.allowed) {
        if next[row.from_trip as usize] == row.to_trip {
            continue;
        }
        let (from, to) = (&assembly.trips[row.from_trip as usize], &assembly.trips[row.to_trip as usize]);
        let services = (from.row.facts.service, to.row.facts.service);
        let row_of = |service: u32| &assembly.services[service as usize].row;
        let share_days = services.0 == services.1
            || *together
                .entry(services)
                .or_insert_with(|| run_together(row_of(services.0), row_of(services.1)));
        let obstacle = if !share_days {
            Some("the trips never run on the same day".to_owned())
        } else if !from.frequencies.is_empty() || !to.frequencies.is_empty() {
            Some("a trip runs by frequency".to_owned())
        } else if next[row.from_trip as usize] != NONE {
            Some("the first trip has another next trip already".to_owned())
        } else if has_previous.contains(&row.to_trip) {
            Some("the second trip continues another one already".to_owned())
        } else if key(assembly, row.from_trip) >= key(assembly, row.to_trip) {
            Some("the second trip starts earlier".to_owned())
        } else {
            obstacle(assembly, from, to, max_distance)
        };
        if let Some(reason) = obstacle {
            let path = format!("{}/transfers.txt", assembly.file_of(from));
            issues.add("broken-block", &path, row.line, format!("{reason}; riders have to change"));
        } else {
            next[row.from_trip as usize] = row.to_trip;
            has_previous.insert(row.to_trip);
        }
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

fn obstacle(assembly: &Assembly, from: &TripEntry, to: &TripEntry, max_distance: f64) -> Option<String> {
    if assembly.start(to) < assembly.end(from) {
        return Some("the next trip of the block starts earlier".to_owned());
    }
    let position = |trip: &TripEntry, last: bool| -> Option<LatLon> {
        let calls = &assembly.patterns[trip.pattern as usize].calls;
        let call = if last { calls.last() } else { calls.first() };
        call.map(|call| assembly.stops[call.stop as usize].row.position)
    };
    let meters = distance_m(position(from, true)?, position(to, false)?);
    (meters > max_distance).then(|| format!("the next trip of the block starts {meters:.0} m away"))
}
