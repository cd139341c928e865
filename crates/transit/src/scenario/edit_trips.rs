//! Modifications that change the calls of trips.

use rustc_hash::FxHashSet;

use super::counted::by_count;
use super::draft::{Draft, DraftCall, DraftTrip, HopShape};
use super::modification::TripSelection;
use super::selection;
use crate::build::easier;
use crate::timetable::LAST_SECOND;

/// The number of trips that a modification changed, or why it cannot be applied.
pub(super) type Changed = Result<usize, String>;

pub(super) fn remove(draft: &mut Draft<'_>, trips: &TripSelection, warnings: &mut Vec<String>) -> Changed {
    Ok(selection::take(draft, trips, warnings)?.len())
}

pub(super) fn adjust_dwell(
    draft: &mut Draft<'_>,
    trips: &TripSelection,
    stops: &[String],
    dwell: i32,
    warnings: &mut Vec<String>,
) -> Changed {
    let stops = selection::stops(draft.base, stops, warnings)?;
    let mut taken = selection::take(draft, trips, warnings)?;
    let (mut changed, mut late) = (0, 0);
    for trip in &mut taken {
        let mut calls = trip.calls.clone();
        let is_changed = set_dwells(&mut calls, stops.as_ref(), dwell);
        if calls.last().is_some_and(|call| call.departure > LAST_SECOND) {
            late += 1;
        } else {
            trip.calls = calls;
            changed += usize::from(is_changed);
        }
    }
    if late > 0 {
        let hours = LAST_SECOND / 3600;
        let one = format!("trip would end later than {hours}:00:00 and stays as it is");
        let many = format!("trips would end later than {hours}:00:00 and stay as they are");
        warnings.push(by_count(late, &one, &many));
    }
    taken.into_iter().for_each(|trip| draft.put_back(trip));
    Ok(changed)
}

/// Sets the dwell times at `stops` (all stops when absent), moves the later calls, and returns whether anything changed.
/// There are no dwell times at the first and last stops.
fn set_dwells(calls: &mut [DraftCall], stops: Option<&FxHashSet<u32>>, dwell: i32) -> bool {
    let last = calls.len().saturating_sub(1);
    let (mut shift, mut changed) = (0, false);
    for (at, call) in calls.iter_mut().enumerate() {
        let was = call.departure - call.arrival;
        call.arrival = call.arrival.saturating_add(shift);
        if at > 0 && at < last && stops.is_none_or(|stops| stops.contains(&call.stop)) && was != dwell {
            shift = shift.saturating_add(dwell - was);
            changed = true;
        }
        call.departure = call.departure.saturating_add(shift);
    }
    changed
}

pub(super) fn skip_stops(
    draft: &mut Draft<'_>,
    trips: &TripSelection,
    stops: &[String],
    warnings: &mut Vec<String>,
) -> Changed {
    let Some(stops) = selection::stops(draft.base, stops, warnings)? else {
        return Err("names no stops".to_owned());
    };
    let taken = selection::take(draft, trips, warnings)?;
    let (mut changed, mut too_short) = (0, 0);
    for mut trip in taken {
        let before = trip.calls.len();
        skip(&mut trip, &stops);
        changed += usize::from(trip.calls.len() < before);
        if trip.calls.len() < 2 {
            too_short += 1;
        } else {
            draft.put_back(trip);
        }
    }
    if too_short > 0 {
        warnings.push(by_count(
            too_short,
            "trip has fewer than two stops left and does not run any more",
            "trips have fewer than two stops left and do not run any more",
        ));
    }
    Ok(changed)
}

/// Leaves stops out. In the middle of a trip, later calls become earlier by the dwell time saved. When the first stops
/// of a trip are left out, times do not change.
fn skip(trip: &mut DraftTrip, stops: &FxHashSet<u32>) {
    let first_departure = trip.calls.first().map_or(0, |call| call.departure);
    let mut kept: Vec<DraftCall> = Vec::with_capacity(trip.calls.len());
    let mut saved = 0;
    for call in &trip.calls {
        if stops.contains(&call.stop) {
            if let Some(previous) = kept.last_mut() {
                saved += call.departure - call.arrival;
                previous.shape = joined(previous.shape, call.shape);
            }
            continue;
        }
        let call = DraftCall { arrival: call.arrival - saved, departure: call.departure - saved, ..*call };
        match kept.last_mut() {
            Some(previous) if previous.stop == call.stop => stay(previous, &call),
            _ => kept.push(call),
        }
    }
    if let Some(last) = kept.last_mut() {
        last.shape = None;
    }
    if let (Some(first), Some(last)) = (kept.first().copied(), kept.len().checked_sub(1)) {
        // Nobody alights at the first stop or boards at the last one.
        kept[0].dropoff = 0;
        kept[last].pickup = 0;
        // frequencies.txt has the departures from the first stop, which is a later one now.
        let later = first.departure - first_departure;
        for frequency in &mut trip.frequencies {
            frequency.start += later;
            frequency.end += later;
        }
    }
    trip.calls = kept;
}

/// Merges two calls between which the vehicle visited a skipped stop, as builds merge calls in a row at one stop.
fn stay(call: &mut DraftCall, next: &DraftCall) {
    (call.departure, call.shape) = (next.departure, next.shape);
    call.pickup = easier(call.pickup, next.pickup);
    call.dropoff = easier(call.dropoff, next.dropoff);
    if next.headsign != 0 {
        call.headsign = next.headsign;
    }
}

/// The shape past a skipped stop.
fn joined(to: Option<HopShape>, from: Option<HopShape>) -> Option<HopShape> {
    let (to, from) = (to?, from?);
    (to.pattern == from.pattern && to.to == from.from).then_some(HopShape { to: from.to, ..to })
}
