//! Repairs stop times, so that every kept trip has at least two calls and its times never run backwards.

use trestle_model::IssueSink;

use crate::gtfs::{Feed, MISSING_TIME, StopTimeRow};
use crate::timetable::LAST_SECOND;

const HOUR: i32 = 3600;
/// Searches count the calls of a trip in 16 bits.
const MOST_CALLS: usize = u16::MAX as usize;
const DAY: i32 = 24 * HOUR;
/// pickup_type and drop_off_type "none".
const NOT_AVAILABLE: u8 = 1;

/// The calls of every trip of a feed after repair.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// First call of each trip; one more entry than trips. Dropped trips have none.
    offsets: Vec<u32>,
    calls: Vec<StopTimeRow>,
}

impl Calls {
    /// Calls of a trip; empty when the trip was dropped.
    pub(crate) fn of(&self, trip: u32) -> &[StopTimeRow] {
        let i = trip as usize;
        &self.calls[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }
}

/// Repairs the stop times of all trips. Trips with too few or too many calls are dropped with an issue. The stop times
/// are moved out of the feed and repaired in place, because they are its largest table.
pub(crate) fn repair(feed: &mut Feed, feed_name: &str, issues: &mut IssueSink) -> Calls {
    let mut notes = Notes { stop_times: format!("{feed_name}/stop_times.txt"), issues };
    let trips_path = format!("{feed_name}/trips.txt");
    let mut offsets = vec![0];
    let mut rows = std::mem::take(&mut feed.stop_times);
    let (mut read, mut written) = (0, 0);
    let mut buffer = Vec::new();
    for (trip, row) in feed.trips.iter().enumerate() {
        let count = rows[read..].iter().take_while(|call| call.trip as usize <= trip).count();
        buffer.clear();
        buffer.extend_from_slice(&rows[read..read + count]);
        read += count;
        repair_trip(&mut buffer, &mut notes);
        if let Some((code, message)) = unusable(buffer.len()) {
            notes.issues.add(code, &trips_path, row.line, message);
            buffer.clear();
        }
        // Repairing never adds a call, so only rows that have been read are overwritten.
        rows[written..written + buffer.len()].copy_from_slice(&buffer);
        written += buffer.len();
        offsets.push(written as u32);
    }
    rows.truncate(written);
    rows.shrink_to_fit();
    Calls { offsets, calls: rows }
}

/// Why a trip with this many calls is dropped.
fn unusable(calls: usize) -> Option<(&'static str, &'static str)> {
    match calls {
        0..2 => Some(("trip-with-too-few-calls", "fewer than two calls; trip dropped")),
        2..=MOST_CALLS => None,
        _ => Some(("trip-with-too-many-calls", "more than 65,535 calls; trip dropped")),
    }
}

struct Notes<'a> {
    stop_times: String,
    issues: &'a mut IssueSink,
}

impl Notes<'_> {
    fn add(&mut self, code: &'static str, call: &StopTimeRow, message: &str) {
        self.issues.add(code, &self.stop_times, u64::from(call.line), message);
    }
}

fn repair_trip(calls: &mut Vec<StopTimeRow>, notes: &mut Notes<'_>) {
    fill_half_given_times(calls);
    merge_repeated_stops(calls, notes);
    drop_untimed_ends(calls, notes);
    mark_timepoints(calls);
    raise_backward_times(calls, notes);
    drop_late_calls(calls, notes);
    interpolate_blank_times(calls);
    // Nobody alights at the first stop or boards at the last one.
    if let Some(first) = calls.first_mut() {
        first.dropoff = 0;
    }
    if let Some(last) = calls.last_mut() {
        last.pickup = 0;
    }
}

/// Consecutive calls at one stop become one, from the first arrival to the last departure. Feeds write a layover as a
/// call where riders only alight and one where they only board, so what either of them permits is permitted, and the
/// headsign is that of the departure.
fn merge_repeated_stops(calls: &mut Vec<StopTimeRow>, notes: &mut Notes<'_>) {
    calls.dedup_by(|next, kept| {
        if next.stop != kept.stop {
            return false;
        }
        notes.add("repeated-call", next, "same stop as the call before; merged");
        if kept.arrival == MISSING_TIME {
            kept.arrival = next.arrival;
        }
        if next.departure != MISSING_TIME {
            kept.departure = next.departure;
        }
        kept.pickup = easier(kept.pickup, next.pickup);
        kept.dropoff = easier(kept.dropoff, next.dropoff);
        if next.headsign != 0 {
            kept.headsign = next.headsign;
        }
        true
    });
}

/// Of two values of pickup_type or drop_off_type, the one that makes it easier for riders.
pub(crate) fn easier(a: u8, b: u8) -> u8 {
    match (a, b) {
        (NOT_AVAILABLE, other) | (other, NOT_AVAILABLE) => other,
        _ => a.min(b),
    }
}

fn fill_half_given_times(calls: &mut [StopTimeRow]) {
    for call in calls {
        if call.departure == MISSING_TIME {
            call.departure = call.arrival;
        } else if call.arrival == MISSING_TIME {
            call.arrival = call.departure;
        }
    }
}

/// Drops untimed calls at the ends of a trip: blank times can only be interpolated between given ones.
fn drop_untimed_ends(calls: &mut Vec<StopTimeRow>, notes: &mut Notes<'_>) {
    let timed = |call: &StopTimeRow| call.arrival != MISSING_TIME;
    let (Some(first), Some(last)) = (calls.iter().position(timed), calls.iter().rposition(timed)) else {
        return calls.clear();
    };
    for call in calls[..first].iter().chain(&calls[last + 1..]) {
        notes.add("call-without-time", call, "blank time at the end of a trip; row dropped");
    }
    calls.truncate(last + 1);
    calls.drain(..first);
}

/// In a trip without marked timepoints, all calls with a time are timepoints.
fn mark_timepoints(calls: &mut [StopTimeRow]) {
    if !calls.iter().any(|call| call.timepoint) {
        calls.iter_mut().for_each(|call| call.timepoint = call.arrival != MISSING_TIME);
    }
}

/// Whether `earlier` is just before midnight and `later` just after it, so that adding a day puts them in order.
fn crosses_midnight(earlier: i32, later: i32) -> bool {
    earlier > 23 * HOUR && later < HOUR && later + DAY >= earlier
}

/// Raises each time that is earlier than the one before: by a day where times start again at midnight, otherwise to the
/// time before.
fn raise_backward_times(calls: &mut [StopTimeRow], notes: &mut Notes<'_>) {
    let (mut shift, mut previous) = (0, i32::MIN);
    for call in calls.iter_mut().filter(|call| call.arrival != MISSING_TIME) {
        let mut fault = None;
        for (time, reason) in [
            (&mut call.arrival, "earlier than the call before; raised"),
            (&mut call.departure, "departs before it arrives; raised"),
        ] {
            *time += shift;
            if *time < previous && crosses_midnight(previous, *time) {
                shift += DAY;
                *time += DAY;
                fault = Some(("unmarked-midnight", "times start again after midnight; 24 h added"));
            } else if *time < previous {
                *time = previous;
                fault = fault.or(Some(("backward-time", reason)));
            }
            previous = *time;
        }
        if let Some((code, message)) = fault {
            notes.add(code, call, message);
        }
    }
}

/// Makes a trip end by [`LAST_SECOND`].
fn drop_late_calls(calls: &mut Vec<StopTimeRow>, notes: &mut Notes<'_>) {
    let late = |call: &StopTimeRow| call.departure > LAST_SECOND;
    let Some(first) = calls.iter().position(late) else { return };
    for call in &calls[first..] {
        let message = format!("later than {}:00:00; row dropped", LAST_SECOND / HOUR);
        notes.add("late-time", call, &message);
    }
    calls.truncate(first);
    while calls.pop_if(|call| call.arrival == MISSING_TIME).is_some() {}
}

/// Spreads the calls between two given times evenly, whole seconds per step.
fn interpolate_blank_times(calls: &mut [StopTimeRow]) {
    let mut last_timed = 0;
    for next in 1..calls.len() {
        if calls[next].arrival == MISSING_TIME {
            continue;
        }
        let start = calls[last_timed].departure;
        let step = (calls[next].arrival - start) / (next - last_timed) as i32;
        for (n, call) in (1..).zip(&mut calls[last_timed + 1..next]) {
            call.arrival = start + n * step;
            call.departure = call.arrival;
        }
        last_timed = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `stop arrival departure` per call, `-` for a blank time.
    fn repaired(text: &str) -> String {
        let mut calls: Vec<StopTimeRow> = text.split(';').map(parse_call).collect();
        let mut issues = IssueSink::default();
        repair_trip(&mut calls, &mut Notes { stop_times: String::new(), issues: &mut issues });
        calls
            .iter()
            .map(|c| format!("{} {} {}", c.stop, c.arrival, c.departure))
            .collect::<Vec<_>>()
            .join("; ")
    }

    fn parse_call(text: &str) -> StopTimeRow {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let time = |field: &str| field.parse().unwrap_or(MISSING_TIME);
        StopTimeRow {
            trip: 0,
            sequence: 0,
            stop: fields[0].parse().unwrap(),
            arrival: time(fields[1]),
            departure: time(fields[2]),
            headsign: 0,
            distance: f64::NAN,
            pickup: 0,
            dropoff: 0,
            timepoint: false,
            flex: crate::gtfs::NO_FLEX,
            line: 0,
        }
    }

    #[test]
    fn merges_calls_at_one_stop() {
        assert_eq!(repaired("1 10 20; 1 30 40; 2 50 60"), "1 10 40; 2 50 60");
        assert_eq!(repaired("1 - -; 1 30 -; 2 50 60"), "1 30 30; 2 50 60");
        // Layovers whose calls have one time each.
        assert_eq!(repaired("1 10 -; 1 - 30; 2 50 60"), "1 10 30; 2 50 60");
        assert_eq!(repaired("1 - 10; 1 30 -; 2 50 60"), "1 10 30; 2 50 60");
        assert_eq!(repaired("1 10 20; 1 30 -; 2 50 60"), "1 10 30; 2 50 60");
    }

    #[test]
    fn a_merged_call_permits_what_either_call_permits() {
        let merged = |[first, second]: [(u8, u8, u32); 2]| {
            let call = |(pickup, dropoff, headsign)| StopTimeRow {
                pickup,
                dropoff,
                headsign,
                ..parse_call("1 10 10")
            };
            let mut calls = vec![parse_call("0 0 0"), call(first), call(second), parse_call("2 50 50")];
            let mut issues = IssueSink::default();
            repair_trip(&mut calls, &mut Notes { stop_times: String::new(), issues: &mut issues });
            (calls[1].pickup, calls[1].dropoff, calls[1].headsign)
        };
        assert_eq!(merged([(1, 0, 7), (0, 1, 8)]), (0, 0, 8), "a layover");
        assert_eq!(merged([(1, 3, 7), (2, 1, 0)]), (2, 3, 7));
        assert_eq!(merged([(1, 1, 0), (1, 1, 0)]), (1, 1, 0));
        assert_eq!(merged([(3, 0, 0), (0, 2, 0)]), (0, 0, 0));
    }

    #[test]
    fn fills_and_interpolates_blanks() {
        assert_eq!(repaired("1 10 -; 2 - 20"), "1 10 10; 2 20 20");
        assert_eq!(repaired("1 0 10; 2 - -; 3 - -; 4 21 30"), "1 0 10; 2 13 13; 3 16 16; 4 21 30");
        assert_eq!(repaired("9 - -; 1 0 10; 2 5 30; 3 - -"), "1 0 10; 2 10 30");
        assert_eq!(repaired("9 - -; 8 - -"), "");
    }

    #[test]
    fn trips_end_after_ten_days() {
        assert_eq!(repaired("1 10 10; 2 864000 864000; 3 864001 864001"), "1 10 10; 2 864000 864000");
        assert_eq!(repaired("1 10 10; 2 20 864001; 3 - -; 4 900000 900000"), "1 10 10");
        assert_eq!(repaired("1 10 10; 2 20 20; 3 - -; 4 900000 900000"), "1 10 10; 2 20 20");
        // A day is added at midnight before times are compared.
        assert_eq!(repaired("1 86000 86000; 2 60 60; 3 800000 800000"), "1 86000 86000; 2 86460 86460");
    }

    #[test]
    fn raises_times_that_run_backwards() {
        assert_eq!(repaired("1 100 100; 2 50 60; 3 90 95"), "1 100 100; 2 100 100; 3 100 100");
        assert_eq!(repaired("1 100 50; 2 120 120"), "1 100 100; 2 120 120");
        assert_eq!(
            repaired("1 86000 86100; 2 60 70; 3 600 600"),
            "1 86000 86100; 2 86460 86470; 3 87000 87000"
        );
        assert_eq!(repaired("1 86390 10; 2 60 70"), "1 86390 86410; 2 86460 86470");
        // Only the arrival runs backwards; the departure is after midnight.
        assert_eq!(
            repaired("1 86100 86100; 2 84000 180; 3 600 600"),
            "1 86100 86100; 2 86100 86580; 3 87000 87000"
        );
        // 25:00, then 0:10: with a day added, the times would still run backwards.
        assert_eq!(
            repaired("1 86000 90000; 2 600 700; 3 800 90100"),
            "1 86000 90000; 2 90000 90000; 3 90000 90100"
        );
    }
}
