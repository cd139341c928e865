//! Converts trips with fixed times to frequencies.

use std::collections::BTreeMap;

use super::counted::by_count;
use super::draft::{Draft, DraftTrip};
use super::edit_trips::Changed;
use super::modification::{FrequencyGroup, TripSelection};
use super::selection;
use crate::timetable::Frequency;

/// What the trips of one frequency have in common: route, direction, stops (for groups by pattern) and service.
type GroupKey = (u32, i32, Vec<u32>, u32);

pub(super) fn convert(
    draft: &mut Draft<'_>,
    trips: &TripSelection,
    group: FrequencyGroup,
    starts: (i32, i32),
    warnings: &mut Vec<String>,
) -> Changed {
    if starts.0 >= starts.1 {
        return Err("the window ends before it starts".to_owned());
    }
    let taken = selection::take(draft, trips, warnings)?;
    let mut groups: BTreeMap<GroupKey, Vec<DraftTrip>> = BTreeMap::new();
    for trip in taken {
        let starts_inside = (starts.0..starts.1).contains(&start(&trip));
        if trip.frequencies.is_empty() && starts_inside {
            groups.entry(key(&trip, group)).or_default().push(trip);
        } else {
            draft.put_back(trip);
        }
    }
    let (mut changed, mut single) = (0, 0);
    for members in groups.into_values() {
        if members.len() < 2 {
            single += members.len();
            members.into_iter().for_each(|trip| draft.put_back(trip));
            continue;
        }
        changed += members.len();
        let stop_lists = members.iter().map(stops).collect::<std::collections::BTreeSet<_>>().len();
        if stop_lists > 1 {
            warnings.push(format!(
                "{} trips over {stop_lists} sequences of stops all have the most frequent one now",
                members.len()
            ));
        }
        draft.trips.extend(run_by_headway(members));
    }
    if single > 0 {
        warnings.push(by_count(
            single,
            "trip is alone in its group and stays as it is",
            "trips are alone in their groups and stay as they are",
        ));
    }
    Ok(changed)
}

fn start(trip: &DraftTrip) -> i32 {
    trip.calls.first().map_or(0, |call| call.departure)
}

fn stops(trip: &DraftTrip) -> Vec<u32> {
    trip.calls.iter().map(|call| call.stop).collect()
}

fn key(trip: &DraftTrip, group: FrequencyGroup) -> GroupKey {
    let service = trip.facts.service;
    match group {
        FrequencyGroup::Route => (trip.route, 0, Vec::new(), service),
        FrequencyGroup::RouteDirection => (trip.route, trip.direction, Vec::new(), service),
        FrequencyGroup::Pattern => (trip.route, trip.direction, stops(trip), service),
    }
}

/// One frequency trip that replaces all of these: it runs over their most common sequence of stops, with the median
/// running and dwell times, at their mean headway from the first departure to the last.
fn run_by_headway(mut members: Vec<DraftTrip>) -> Option<DraftTrip> {
    members.sort_by_key(start);
    let (first, last) = (start(members.first()?), start(members.last()?));
    let headway = (f64::from(last - first) / (members.len() - 1) as f64).round().max(1.0) as i32;
    let mut by_stops: BTreeMap<Vec<u32>, Vec<DraftTrip>> = BTreeMap::new();
    for trip in members {
        by_stops.entry(stops(&trip)).or_default().push(trip);
    }
    // If several sequences are equally common, the longest is chosen because it serves the most stops.
    let chosen = by_stops.into_values().max_by_key(|trips| (trips.len(), trips[0].calls.len()))?;
    let mut trip = chosen[0].clone();
    set_median_times(&mut trip, &chosen);
    trip.keeps_block = false;
    trip.frequencies = vec![Frequency { start: first, end: last + 1, headway, exact: 0 }];
    Some(trip)
}

fn set_median_times(trip: &mut DraftTrip, trips: &[DraftTrip]) {
    let mut clock = start(trip);
    for at in 0..trip.calls.len() {
        if at > 0 {
            clock += median(trips.iter().map(|trip| trip.calls[at].arrival - trip.calls[at - 1].departure));
        }
        let dwell = median(trips.iter().map(|trip| trip.calls[at].departure - trip.calls[at].arrival));
        trip.calls[at].arrival = if at == 0 { clock - dwell } else { clock };
        clock = trip.calls[at].arrival + dwell;
        trip.calls[at].departure = clock;
    }
}

/// The median; the lower of the middle two when there is an even number of values.
fn median(values: impl Iterator<Item = i32>) -> i32 {
    let mut sorted: Vec<i32> = values.collect();
    sorted.sort_unstable();
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}
