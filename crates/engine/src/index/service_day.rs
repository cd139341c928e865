//! The calls of a scheduled pattern on a service day.

use std::cell::OnceCell;

use trestle_model::ServiceDate;
use trestle_model::ids::{PatternIdx, ServiceIdx, StopIdx, TripIdx};
use trestle_transit::overlay::{NO_TIME, Overlay, TripState, without_runs};
use trestle_transit::timetable::{Frequency, Timetable};

use super::call_time::{CallTime, PatternCalls, RealtimeState};
use super::upcoming::{Earliest, NO_SPAN, Upcoming, joined};
use crate::snapshot::Snapshot;

/// One pattern on one service day.
pub(super) struct ServiceDay<'a> {
    timetable: &'a Timetable,
    overlay: Option<&'a Overlay>,
    pattern: PatternIdx,
    date: ServiceDate,
    /// Epoch seconds.
    start: i64,
    running: OnceCell<Vec<TripIdx>>,
    /// Earliest departure from the first stop and latest arrival at the last stop, of all trips of the pattern.
    span: (i32, i32),
    /// The same for the trips and runs that live data moves: a late vehicle may come when all others have gone.
    live_span: OnceCell<(i32, i32)>,
}

impl<'a> ServiceDay<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, pattern: PatternIdx, date: ServiceDate, start: i64) -> Self {
        let overlay = snapshot.overlay.as_deref();
        ServiceDay { overlay, date, start, ..ServiceDay::template(snapshot, pattern) }
    }

    /// The timetable of a pattern without a day.
    pub(super) fn template(snapshot: &'a Snapshot, pattern: PatternIdx) -> Self {
        ServiceDay {
            timetable: &snapshot.graph.timetable,
            overlay: None,
            pattern,
            date: ServiceDate::default(),
            start: 0,
            running: OnceCell::new(),
            span: snapshot.graph.listing.span(pattern),
            live_span: OnceCell::new(),
        }
    }

    /// Trips whose service runs that day, in timetable order, without those that live data deletes.
    pub(super) fn running(&self) -> &[TripIdx] {
        let services = &self.timetable.trips.service;
        let runs = |trip: &usize| self.timetable.services.runs_on(ServiceIdx(services[*trip]), self.date);
        let trips = self.timetable.patterns.trips(self.pattern);
        let is_shown = |trip: &TripIdx| self.live(*trip) != Some(&TripState::Deleted);
        self.running.get_or_init(|| trips.filter(runs).map(TripIdx::from).filter(is_shown).collect())
    }

    fn live_span(&self) -> (i32, i32) {
        *self.live_span.get_or_init(|| {
            let Some(overlay) = self.overlay else { return NO_SPAN };
            let states = self.running().iter().flat_map(|&trip| {
                let runs = overlay.runs_of(trip, self.date).into_iter().flat_map(|runs| runs.values());
                overlay.state(trip, self.date).into_iter().chain(runs)
            });
            let moved = states.filter_map(|state| match state {
                TripState::Updated(times) => Some(times.span()),
                TripState::Canceled | TripState::Deleted | TripState::Modified => None,
            });
            moved.fold(NO_SPAN, joined)
        })
    }

    pub(super) fn calls_of(&self, trip: TripIdx) -> PatternCalls {
        let calls = (0..self.call_count()).map(|position| self.call(trip, position)).collect();
        PatternCalls { pattern: self.pattern, calls }
    }

    fn first_call(&self) -> usize {
        self.timetable.patterns.calls(self.pattern).start
    }

    fn call_count(&self) -> u32 {
        self.timetable.patterns.calls(self.pattern).len() as u32
    }

    pub(super) fn has_pickup(&self, position: u32) -> bool {
        self.timetable.patterns.call_pickup[self.first_call() + position as usize] != 1
            && position + 1 < self.call_count()
    }

    pub(super) fn frequencies(&self, trip: TripIdx) -> &'a [Frequency] {
        self.timetable.trips.frequencies_of(trip)
    }

    fn live(&self, trip: TripIdx) -> Option<&'a TripState> {
        self.overlay.and_then(|overlay| overlay.state(trip, self.date))
    }

    pub(super) fn call(&self, trip: TripIdx, position: u32) -> CallTime {
        let calls = self.timetable.trip_calls(trip);
        let at = position as usize;
        let (arrival, departure) = (calls.arrival(at), calls.departure(at));
        let ((realtime_arrival, realtime_departure), state) = match self.live(trip) {
            None => ((arrival, departure), RealtimeState::Scheduled),
            Some(TripState::Updated(times)) => (times.at(at), RealtimeState::Updated),
            Some(TripState::Canceled | TripState::Deleted) => ((NO_TIME, NO_TIME), RealtimeState::Canceled),
            Some(TripState::Modified) => ((NO_TIME, NO_TIME), RealtimeState::Modified),
        };
        CallTime {
            trip,
            stop: StopIdx(self.timetable.patterns.call_stop[self.first_call() + position as usize]),
            position,
            calls: self.call_count(),
            scheduled_arrival: arrival,
            scheduled_departure: departure,
            realtime_arrival,
            realtime_departure,
            timepoint: calls.timepoints[at] == 1,
            state,
            service_day: self.start,
            sequence: calls.sequences[at],
        }
    }

    pub(super) fn collect_upcoming(&self, positions: &[u32], wanted: Upcoming, into: &mut Earliest) {
        let from = wanted.from.saturating_sub(self.start);
        if !wanted.meets(self.span, from) && !wanted.meets(self.live_span(), from) {
            return;
        }
        for &position in positions.iter().filter(|p| !wanted.omit_non_pickups || self.has_pickup(**p)) {
            for &trip in self.running() {
                match self.frequencies(trip) {
                    [] => self.collect_call(trip, position, from, into),
                    rows => self.collect_runs(trip, rows, position, from, into),
                }
            }
        }
    }

    /// The call of a trip with times of its own, if it departs at or after `from`. Most calls of a day depart earlier,
    /// or too late to be kept. For trips without live data, one column is enough to tell.
    fn collect_call(&self, trip: TripIdx, position: u32, from: i64, into: &mut Earliest) {
        let trips = &self.timetable.trips;
        let scheduled = || {
            let profile = trips.profile_offset[trip.index()];
            i64::from(trips.start[trip.index()] + trips.profile_departure[(profile + position) as usize])
        };
        if self.live(trip).is_none() && (scheduled() < from || !into.wants(self.start + scheduled())) {
            return;
        }
        let call = self.call(trip, position);
        if call.departs_at_or_after(from) {
            into.add(call);
        }
    }

    /// The calls of a frequency trip's runs that depart at or after `from`. Runs with other calls are trips of live data.
    fn collect_runs(&self, trip: TripIdx, rows: &[Frequency], position: u32, from: i64, into: &mut Earliest) {
        let known = self.overlay.and_then(|overlay| overlay.runs_of(trip, self.date));
        let call = self.call(trip, position);
        for row in rows.iter().filter(|_| call.state != RealtimeState::Canceled) {
            for part in without_runs(*row, known) {
                self.runs_of(call, &part, part.end == row.end, from, into);
            }
        }
        let first_departure = self.timetable.trip_calls(trip).departure(0);
        for (start, state) in known.into_iter().flatten() {
            let TripState::Updated(times) = state else { continue };
            let shift = start - first_departure;
            let (realtime_arrival, realtime_departure) = times.at(position as usize);
            let run = CallTime {
                scheduled_arrival: call.scheduled_arrival + shift,
                scheduled_departure: call.scheduled_departure + shift,
                realtime_arrival,
                realtime_departure,
                state: RealtimeState::Updated,
                ..call
            };
            if run.departs_at_or_after(from) {
                into.add(run);
            }
        }
    }

    /// The runs of a part of a frequency row that depart at or after `from`. `to_the_end`: the part ends where the row
    /// does.
    fn runs_of(&self, call: CallTime, row: &Frequency, to_the_end: bool, from: i64, into: &mut Earliest) {
        let first_departure = self.timetable.trip_calls(call.trip).departure(0);
        let offset = call.scheduled_departure - first_departure;
        // The last vehicle comes to a later stop after the end of the row.
        if row.headway <= 0 || from > i64::from(row.end) + i64::from(offset) {
            return;
        }
        let (from, headway) = (from.max(-86_400) as i32, row.headway);
        let mut departure = first_run(row, offset, from);
        let mut taken = 0;
        let end = row.end + offset;
        // The interface lists a run at the very end of a row, unless it is the only one or waits at the stop.
        let wait = call.scheduled_departure - call.scheduled_arrival;
        let last = if to_the_end { end - wait } else { end - 1 };
        while taken < into.limit && departure <= last && (taken > 0 || departure < end) {
            let shift = departure - call.scheduled_departure;
            into.add(CallTime {
                scheduled_arrival: call.scheduled_arrival + shift,
                scheduled_departure: departure,
                realtime_arrival: call.scheduled_arrival + shift,
                realtime_departure: departure,
                ..call
            });
            departure += headway;
            taken += 1;
        }
    }
}

/// Departure of the first run of a frequency row, at a stop `offset` seconds after the first, not before `from`. With
/// exact times it is the next of start + k · headway; otherwise a full headway of waiting is assumed, but nothing
/// earlier than the first departure is returned.
fn first_run(row: &Frequency, offset: i32, from: i32) -> i32 {
    let start = row.start + offset;
    if row.exact == 1 {
        return start + ((from - start).max(0) + row.headway - 1) / row.headway * row.headway;
    }
    (from + row.headway).max(start)
}

#[cfg(test)]
mod tests {
    use super::super::stop_times::StopTimes;
    use super::super::tests::{at, snapshot_with, upcoming};
    use super::*;

    #[test]
    fn the_last_run_of_frequencies_arrives_by_the_end() {
        let calls = "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n\
             loop,1,L,6:00:00,6:00:00\nloop,2,B,6:10:00,6:11:00\nloop,3,C,6:20:00,6:20:00";
        let snapshot = snapshot_with("stop_times.txt", calls);
        let found =
            |stop, minute: i64| upcoming(&snapshot, stop, at(&snapshot, "20241009", 6 * 3600 + minute * 60));
        // The run that starts at 7:00, the end of the row, arrives at 7:10 and leaves at 7:11.
        assert_eq!(found("B", 11), ["1:O:0:01: loop 6:31, loop 6:51, loop 6:11"]);
        assert_eq!(found("C", 20), ["1:O:0:01: loop 6:40, loop 7:00, loop 7:20"]);
    }

    #[test]
    fn the_times_of_a_trip_that_runs_by_frequency_are_no_run() {
        let calls = "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n\
             loop,1,L,0:00:00,0:00:00\nloop,2,B,0:10:00,0:10:00\nloop,3,C,0:20:00,0:20:00";
        let snapshot = snapshot_with("stop_times.txt", calls);
        let until = |range| {
            let from = at(&snapshot, "20241009", 5 * 3600);
            let wanted = Upcoming { from, range, per_pattern: 1, omit_non_pickups: false };
            let stop = snapshot.graph.timetable.stop_by_id("1:L").unwrap();
            StopTimes::new(&snapshot).upcoming(stop, wanted).len()
        };
        // The first vehicle leaves at 6:00.
        assert_eq!([1800, 3600].map(until), [0, 1]);
    }

    #[test]
    fn frequency_runs_follow_the_clock_or_the_headway() {
        let row = |exact| Frequency { start: 6 * 3600, end: 9 * 3600, headway: 600, exact };
        assert_eq!(first_run(&row(1), 120, 0), 6 * 3600 + 120);
        assert_eq!(first_run(&row(1), 120, 6 * 3600 + 121), 6 * 3600 + 720);
        assert_eq!(first_run(&row(0), 120, 7 * 3600), 7 * 3600 + 600);
        assert_eq!(first_run(&row(0), 120, 5 * 3600), 6 * 3600 + 120);
    }
}
