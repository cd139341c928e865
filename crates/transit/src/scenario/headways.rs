//! Changes the headway of frequency trips, all day or within some hours.

use trestle_model::ids::TripIdx;

use super::counted::by_count;
use super::draft::{Draft, DraftTrip};
use super::edit_trips::Changed;
use super::modification::TripSelection;
use super::selection;
use crate::timetable::{Frequency, MOST_EXACT_CALLS, MOST_EXACT_RUNS};

pub(super) fn adjust_headway(
    draft: &mut Draft<'_>,
    trips: &TripSelection,
    headway: i32,
    starts: (i32, i32),
    warnings: &mut Vec<String>,
) -> Changed {
    if starts.0 >= starts.1 {
        return Err("the window ends before it starts".to_owned());
    }
    let mut taken = selection::take(draft, trips, warnings)?;
    let adjusted = |trip: &DraftTrip| -> Vec<Frequency> {
        trip.frequencies.iter().flat_map(|row| with_headway(*row, headway, starts)).collect()
    };
    if let Err(reason) = check_exact_runs(draft, &taken, adjusted) {
        taken.into_iter().for_each(|trip| draft.put_back(trip));
        return Err(reason);
    }
    let (mut changed, mut scheduled) = (0, 0);
    for trip in &mut taken {
        let frequencies = adjusted(trip);
        scheduled += usize::from(trip.frequencies.is_empty());
        changed += usize::from(trip.frequencies != frequencies);
        trip.frequencies = frequencies;
    }
    if scheduled > 0 {
        warnings.push(by_count(
            scheduled,
            "trip runs by timetable and stays as it is; convert-to-frequency makes it frequency-based",
            "trips run by timetable and stay as they are; convert-to-frequency makes them frequency-based",
        ));
    }
    taken.into_iter().for_each(|trip| draft.put_back(trip));
    Ok(changed)
}

/// The up to three rows that replace a row whose headway changes within `starts`. Departures before and after that stay
/// as they were.
fn with_headway(row: Frequency, headway: i32, starts: (i32, i32)) -> Vec<Frequency> {
    let (first, last) = (row.start.max(starts.0), row.end.min(starts.1));
    if first >= last {
        return vec![row];
    }
    let rows = [
        Frequency { end: first, ..row },
        Frequency { start: first, end: last, headway, ..row },
        Frequency { start: next_departure(row, last), ..row },
    ];
    rows.into_iter().filter(|row| row.start < row.end).collect()
}

/// The first departure of a row at or after a time; without exact times, vehicles come at any moment.
fn next_departure(row: Frequency, time: i32) -> i32 {
    let since = time.saturating_sub(row.start);
    match row.exact == 1 && row.headway > 0 && since > 0 {
        true => {
            row.start.saturating_add((since.saturating_sub(1) / row.headway + 1).saturating_mul(row.headway))
        }
        false => time.max(row.start),
    }
}

/// Refuses a headway with more exact runs than a feed may have, because searches expand them.
fn check_exact_runs(
    draft: &Draft<'_>,
    taken: &[DraftTrip],
    adjusted: impl Fn(&DraftTrip) -> Vec<Frequency>,
) -> Result<(), String> {
    let base = draft.base;
    let runs = |frequencies: &[Frequency]| frequencies.iter().map(Frequency::exact_runs).sum::<u64>();
    let untouched = (0..base.trips.count()).map(TripIdx::from).filter(|&trip| draft.is_untouched(trip));
    let untouched =
        untouched.map(|trip| (runs(base.trips.frequencies_of(trip)), base.trip_calls(trip).count()));
    let drafted = draft.trips.iter().map(|trip| (runs(&trip.frequencies), trip.calls.len()));
    let adjusted = taken.iter().map(|trip| (runs(&adjusted(trip)), trip.calls.len()));
    let (runs, calls) = (untouched.chain(drafted).chain(adjusted))
        .fold((0, 0), |(runs, calls), (more, each)| (runs + more, calls + more * each as u64));
    let feeds = base.feeds.id.len() as u64;
    if runs > MOST_EXACT_RUNS * feeds || calls > MOST_EXACT_CALLS * feeds {
        return Err(format!(
            "makes {runs} runs with exact times; a feed may have at most {MOST_EXACT_RUNS} of them, with {MOST_EXACT_CALLS} calls"
        ));
    }
    Ok(())
}
