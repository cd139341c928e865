//! Modifications that change the calls or the headway of trips.

use rustc_hash::FxHashSet;

use super::draft::{Draft, DraftCall, DraftTrip, HopShape};
use super::modification::TripSelection;
use super::selection::{self, Selected};

/// What a modification did: trips that it changed.
pub(super) type Changed = Result<usize, String>;

pub(super) fn remove(draft: &mut Draft<'_>, trips: &TripSelection, warnings: &mut Vec<String>) -> Changed {
    Ok(Selected::new(draft.base, trips, warnings)?.take(draft).len())
}

pub(super) fn adjust_headway(
    draft: &mut Draft<'_>,
    trips: &TripSelection,
    headway: i32,
    warnings: &mut Vec<String>,
) -> Changed {
    let mut taken = Selected::new(draft.base, trips, warnings)?.take(draft);
    let (mut changed, mut scheduled) = (0, 0);
    for trip in &mut taken {
        trip.frequencies.iter_mut().for_each(|frequency| frequency.headway = headway);
        *if trip.frequencies.is_empty() { &mut scheduled } else { &mut changed } += 1;
    }
    if scheduled > 0 {
        warnings.push(format!(
            "{scheduled} trips run by timetable and stay as they are; convert-to-frequency makes them runs by headway"
        ));
    }
    taken.into_iter().for_each(|trip| draft.put(trip));
    Ok(changed)
}

pub(super) fn adjust_dwell(
    draft: &mut Draft<'_>,
    trips: &TripSelection,
    stops: &[String],
    dwell: i32,
    warnings: &mut Vec<String>,
) -> Changed {
    let stops = selection::stops(draft.base, stops, warnings)?;
    let mut taken = Selected::new(draft.base, trips, warnings)?.take(draft);
    let mut changed = 0;
    for trip in &mut taken {
        changed += usize::from(set_dwells(&mut trip.calls, stops.as_ref(), dwell));
    }
    taken.into_iter().for_each(|trip| draft.put(trip));
    Ok(changed)
}

/// Sets the stays at `stops` (all when absent) and moves what follows; whether anything changed. Vehicles do not stay
/// at their first and last stops.
fn set_dwells(calls: &mut [DraftCall], stops: Option<&FxHashSet<u32>>, dwell: i32) -> bool {
    let last = calls.len().saturating_sub(1);
    let (mut shift, mut changed) = (0, false);
    for (at, call) in calls.iter_mut().enumerate() {
        let was = call.departure - call.arrival;
        call.arrival += shift;
        if at > 0 && at < last && stops.is_none_or(|stops| stops.contains(&call.stop)) && was != dwell {
            shift += dwell - was;
            changed = true;
        }
        call.departure += shift;
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
    let taken = Selected::new(draft.base, trips, warnings)?.take(draft);
    let (mut changed, mut too_short) = (0, 0);
    for mut trip in taken {
        let before = trip.calls.len();
        skip(&mut trip, &stops);
        changed += usize::from(trip.calls.len() < before);
        if trip.calls.len() < 2 {
            too_short += 1;
        } else {
            draft.put(trip);
        }
    }
    if too_short > 0 {
        warnings.push(format!("{too_short} trips have fewer than two stops left and do not run any more"));
    }
    Ok(changed)
}

/// Leaves stops out. In the middle of a trip the stay is saved and what follows is earlier; before the first stop
/// that is left times stay as they are.
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
        kept.push(DraftCall { arrival: call.arrival - saved, departure: call.departure - saved, ..*call });
    }
    if let Some(last) = kept.last_mut() {
        last.shape = None;
    }
    if let (Some(first), Some(last)) = (kept.first().copied(), kept.len().checked_sub(1)) {
        // Riders get in at the first stop and out at the last one, whatever the feed says of the calls there.
        kept[0].dropoff = 0;
        kept[last].pickup = 0;
        // frequencies.txt names the departures from the first stop.
        let later = first.departure - first_departure;
        for frequency in &mut trip.frequencies {
            frequency.start += later;
            frequency.end += later;
        }
    }
    trip.calls = kept;
}

/// The way over a stop that is passed.
fn joined(to: Option<HopShape>, from: Option<HopShape>) -> Option<HopShape> {
    let (to, from) = (to?, from?);
    (to.pattern == from.pattern && to.to == from.from).then_some(HopShape { to: from.to, ..to })
}
