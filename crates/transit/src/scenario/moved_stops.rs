//! Moves stops of the schedule.

use rustc_hash::FxHashSet;
use trestle_model::Column;
use trestle_model::geo::LatLon;
use trestle_model::ids::{PatternIdx, TripIdx};
use trestle_model::lists::range;

use super::draft::Draft;
use super::edit_trips::Changed;
use super::selection::boardable_stop;
use crate::timetable::Timetable;

/// Moves a stop, and returns the number of trips that call there.
pub(super) fn move_stop(draft: &mut Draft<'_>, id: &str, position: LatLon) -> Changed {
    let base = draft.base;
    let stop = boardable_stop(base, id)?;
    draft.new.moved.insert(stop.0, position);
    let patterns: FxHashSet<u32> = base.stops.calls_at(stop).iter().map(|[pattern, _]| *pattern).collect();
    let trips = patterns.into_iter().flat_map(|pattern| base.patterns.trips(PatternIdx(pattern)));
    let untouched = trips.filter(|&trip| draft.is_untouched(TripIdx::from(trip))).count();
    let calls_there = |calls: &[super::draft::DraftCall]| calls.iter().any(|call| call.stop == stop.0);
    Ok(untouched + draft.trips.iter().filter(|trip| calls_there(&trip.calls)).count())
}

/// Writes the positions of moved stops into the columns of a timetable. Shapes keep all points except those at the
/// stops.
pub(super) fn place(draft: &Draft<'_>, timetable: &mut Timetable) {
    let moved = &draft.new.moved;
    if moved.is_empty() {
        return;
    }
    let (mut lat, mut lon) = (timetable.stops.lat.to_vec(), timetable.stops.lon.to_vec());
    for (&stop, position) in moved {
        (lat[stop as usize], lon[stop as usize]) = (position.lat, position.lon);
    }
    (timetable.stops.lat, timetable.stops.lon) = (lat.into(), lon.into());
    timetable.patterns.hop_points = points_to_stops(draft, timetable);
}

/// The points of all hops. Hops to a moved stop now end at its new position, and hops from it begin there.
fn points_to_stops(draft: &Draft<'_>, timetable: &Timetable) -> Column<[f64; 2]> {
    let patterns = &timetable.patterns;
    let mut points = patterns.hop_points.to_vec();
    for (&stop, position) in &draft.new.moved {
        let calls = timetable.stops.calls_at(trestle_model::ids::StopIdx(stop));
        for &[pattern, at] in calls.iter().filter(|[pattern, _]| patterns.has_shape[*pattern as usize] == 1) {
            // The hop of a call leads to the next one; that of the last call is empty.
            let call = patterns.call_offsets[pattern as usize] as usize + at as usize;
            let hop = |call: usize| range(&patterns.hop_offsets, call);
            let there = [position.lat, position.lon];
            if at > 0
                && let Some(last) = points[hop(call - 1)].last_mut()
            {
                *last = there;
            }
            if let Some(first) = points[hop(call)].first_mut() {
                *first = there;
            }
        }
    }
    points.into()
}
