//! Stop times: what calls at a stop, from a moment on or on a day, and the calls of a trip.
//! Live data is honoured: each call has its scheduled and its real-time seconds.

use trestle_model::ServiceDate;
use trestle_model::ids::{PatternIdx, ServiceIdx, StopIdx, TripIdx};
use trestle_transit::calendar::service_day_start;
use trestle_transit::overlay::{LiveTimes, Overlay, TripState};
use trestle_transit::timetable::{Frequency, Timetable};

use crate::snapshot::Snapshot;

/// What live data made of a trip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum RealtimeState {
    Scheduled,
    Updated,
    Canceled,
    Added,
    Modified,
}

impl RealtimeState {
    /// The interface's constant.
    pub fn name(self) -> &'static str {
        match self {
            RealtimeState::Scheduled => "SCHEDULED",
            RealtimeState::Updated => "UPDATED",
            RealtimeState::Canceled => "CANCELED",
            RealtimeState::Added => "ADDED",
            RealtimeState::Modified => "MODIFIED",
        }
    }
}

/// One call of a trip. Seconds count from the start of the service day; −1 where live data leaves no time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallTime {
    /// Trip.
    pub trip: TripIdx,
    /// Stop.
    pub stop: StopIdx,
    /// Position in the pattern.
    pub position: u32,
    /// Calls of the pattern.
    pub calls: u32,
    /// Scheduled arrival.
    pub scheduled_arrival: i32,
    /// Scheduled departure.
    pub scheduled_departure: i32,
    /// Arrival by live data.
    pub realtime_arrival: i32,
    /// Departure by live data.
    pub realtime_departure: i32,
    /// The feed vouches for the time.
    pub timepoint: bool,
    /// What live data made of the trip.
    pub state: RealtimeState,
    /// Start of the service day, epoch seconds; 0 for calls that belong to no day.
    pub service_day: i64,
    /// stop_sequence.
    pub sequence: u32,
}

impl CallTime {
    fn epoch_departure(&self) -> i64 {
        self.service_day + i64::from(self.realtime_departure)
    }
}

/// The calls of one pattern at a stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternCalls {
    /// Pattern.
    pub pattern: PatternIdx,
    /// Calls, in order.
    pub calls: Vec<CallTime>,
}

/// Which calls from a moment on are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Upcoming {
    /// Epoch seconds.
    pub from: i64,
    /// Seconds; a pattern is left out when its service of a day does not meet `from ..= from + range`.
    pub range: i64,
    /// Calls per pattern.
    pub per_pattern: usize,
    /// Leave out calls that cannot be boarded at.
    pub omit_non_pickups: bool,
}

/// The next calls at a stop, pattern by pattern, in pattern order; patterns without any are left out.
pub fn upcoming(snapshot: &Snapshot, stop: StopIdx, wanted: Upcoming) -> Vec<PatternCalls> {
    let today = snapshot.local_date(wanted.from);
    let mut result = Vec::new();
    for (pattern, positions) in patterns_at(&snapshot.graph.timetable, stop) {
        let mut calls = Vec::new();
        for date in [today.plus(-1), today, today.plus(1)] {
            let day = ServiceDay::new(snapshot, pattern, date);
            day.collect_upcoming(&positions, wanted, &mut calls);
        }
        calls.sort_by_key(CallTime::epoch_departure);
        calls.truncate(wanted.per_pattern);
        if !calls.is_empty() {
            result.push(PatternCalls { pattern, calls });
        }
    }
    result
}

/// All calls at a stop on a service day, pattern by pattern in pattern order, trips in timetable order; patterns
/// without service that day are listed without calls. Frequency trips have no times of their own and are left out.
pub fn on_date(
    snapshot: &Snapshot,
    stop: StopIdx,
    date: ServiceDate,
    omit_non_pickups: bool,
) -> Vec<PatternCalls> {
    let timetable = &snapshot.graph.timetable;
    patterns_at(timetable, stop)
        .into_iter()
        .map(|(pattern, positions)| {
            let day = ServiceDay::new(snapshot, pattern, date);
            let positions = positions.into_iter().filter(|p| !omit_non_pickups || day.has_pickup(*p));
            let calls = positions.flat_map(|p| day.running_trips().map(move |t| (t, p)));
            let calls =
                calls.filter(|(t, _)| day.frequencies(*t).is_empty()).map(|(t, p)| day.call(t, p)).collect();
            PatternCalls { pattern, calls }
        })
        .collect()
}

/// The calls of a trip by the timetable alone; they belong to no service day.
pub fn of_trip(snapshot: &Snapshot, trip: TripIdx) -> Vec<CallTime> {
    let timetable = &snapshot.graph.timetable;
    let pattern = PatternIdx(timetable.trips.pattern[trip.index()]);
    let day = ServiceDay { timetable, overlay: None, pattern, date: ServiceDate::default(), start: 0 };
    (0..day.call_count()).map(|position| day.call(trip, position)).collect()
}

/// The calls of a trip on a service day, by live data where there is any.
pub fn of_trip_on(snapshot: &Snapshot, trip: TripIdx, date: ServiceDate) -> Vec<CallTime> {
    let pattern = PatternIdx(snapshot.graph.timetable.trips.pattern[trip.index()]);
    let day = ServiceDay::new(snapshot, pattern, date);
    (0..day.call_count()).map(|position| day.call(trip, position)).collect()
}

/// Patterns of a stop without repeats, with the positions at which they call there.
fn patterns_at(timetable: &Timetable, stop: StopIdx) -> Vec<(PatternIdx, Vec<u32>)> {
    let mut patterns: Vec<(PatternIdx, Vec<u32>)> = Vec::new();
    for &[pattern, position] in timetable.stops.calls_at(stop) {
        match patterns.iter_mut().find(|(p, _)| p.0 == pattern) {
            Some((_, positions)) => positions.push(position),
            None => patterns.push((PatternIdx(pattern), vec![position])),
        }
    }
    patterns
}

/// One pattern on one service day.
struct ServiceDay<'a> {
    timetable: &'a Timetable,
    overlay: Option<&'a Overlay>,
    pattern: PatternIdx,
    date: ServiceDate,
    /// Epoch seconds.
    start: i64,
}

impl<'a> ServiceDay<'a> {
    fn new(snapshot: &'a Snapshot, pattern: PatternIdx, date: ServiceDate) -> Self {
        let timetable = &snapshot.graph.timetable;
        let start = service_day_start(date, &snapshot.zone);
        ServiceDay { timetable, overlay: snapshot.overlay.as_deref(), pattern, date, start }
    }

    fn first_call(&self) -> usize {
        self.timetable.patterns.call_offsets[self.pattern.index()] as usize
    }

    fn call_count(&self) -> u32 {
        self.timetable.patterns.call_offsets[self.pattern.index() + 1] - self.first_call() as u32
    }

    fn has_pickup(&self, position: u32) -> bool {
        self.timetable.patterns.call_pickup[self.first_call() + position as usize] != 1
            && position + 1 < self.call_count()
    }

    fn running_trips(&self) -> impl Iterator<Item = TripIdx> + use<'a> {
        let offsets = &self.timetable.patterns.trip_offsets;
        let (timetable, date) = (self.timetable, self.date);
        (offsets[self.pattern.index()]..offsets[self.pattern.index() + 1])
            .filter(move |&t| {
                timetable.services.runs_on(ServiceIdx(timetable.trips.service[t as usize]), date)
            })
            .map(TripIdx)
    }

    fn frequencies(&self, trip: TripIdx) -> &'a [Frequency] {
        self.timetable.trips.frequencies_of(trip)
    }

    fn live(&self, trip: TripIdx) -> Option<&'a TripState> {
        self.overlay.and_then(|overlay| overlay.state(trip, self.date))
    }

    fn call(&self, trip: TripIdx, position: u32) -> CallTime {
        let trips = &self.timetable.trips;
        let at = trips.call_offset[trip.index()] as usize + position as usize;
        let (arrival, departure) = (trips.call_arrival[at], trips.call_departure[at]);
        let live = |times: &LiveTimes| {
            let p = position as usize;
            (times.arrivals.get(p).copied().unwrap_or(-1), times.departures.get(p).copied().unwrap_or(-1))
        };
        let ((realtime_arrival, realtime_departure), state) = match self.live(trip) {
            None => ((arrival, departure), RealtimeState::Scheduled),
            Some(TripState::Updated(times)) => (live(times), RealtimeState::Updated),
            Some(TripState::Canceled) => ((-1, -1), RealtimeState::Canceled),
            Some(TripState::Modified) => ((-1, -1), RealtimeState::Modified),
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
            timepoint: trips.call_timepoint[at] == 1,
            state,
            service_day: self.start,
            sequence: trips.call_sequence[at],
        }
    }

    /// Whether any run of the day lies between `from` and `to` (seconds of the service day).
    fn meets(&self, from: i64, to: i64) -> bool {
        let trips = &self.timetable.trips;
        let last = self.call_count() as usize - 1;
        self.running_trips().any(|trip| {
            let at = trips.call_offset[trip.index()] as usize;
            let (mut first, mut end) = (trips.call_departure[at], trips.call_arrival[at + last]);
            for frequency in self.frequencies(trip) {
                end = end.max(frequency.end + end - first);
                first = first.min(frequency.start);
            }
            i64::from(first) <= to && i64::from(end) >= from
        })
    }

    fn collect_upcoming(&self, positions: &[u32], wanted: Upcoming, calls: &mut Vec<CallTime>) {
        let from = wanted.from - self.start;
        if !self.meets(from, from + wanted.range) {
            return;
        }
        for &position in positions.iter().filter(|p| !wanted.omit_non_pickups || self.has_pickup(**p)) {
            for trip in self.running_trips() {
                let call = self.call(trip, position);
                match self.frequencies(trip) {
                    [] => calls.extend(
                        (call.realtime_departure != -1 && i64::from(call.realtime_departure) >= from)
                            .then_some(call),
                    ),
                    rows => {
                        rows.iter().for_each(|row| self.runs_of(call, row, from, wanted.per_pattern, calls))
                    }
                }
            }
        }
    }

    /// The runs of a frequency row that depart at or after `from`.
    fn runs_of(&self, call: CallTime, row: &Frequency, from: i64, limit: usize, calls: &mut Vec<CallTime>) {
        if row.headway <= 0 || from > i64::from(row.end) {
            return;
        }
        let trips = &self.timetable.trips;
        let first_departure = trips.call_departure[trips.call_offset[call.trip.index()] as usize];
        let offset = call.scheduled_departure - first_departure;
        let (from, headway) = (from.max(-86_400) as i32, row.headway);
        let mut departure = first_run(row, offset, from);
        let mut taken = 0;
        while taken < limit && departure <= row.end + offset && (taken > 0 || departure < row.end + offset) {
            let shift = departure - call.scheduled_departure;
            calls.push(CallTime {
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

/// Departure of the first run of a frequency row, at a stop `offset` seconds behind the first, not before `from`:
/// for exact times the next of start + k · headway; otherwise a full headway of waiting is assumed, but not past the
/// first departure.
fn first_run(row: &Frequency, offset: i32, from: i32) -> i32 {
    let start = row.start + offset;
    if row.exact == 1 {
        return start + ((from - start).max(0) + row.headway - 1) / row.headway * row.headway;
    }
    (from + row.headway).max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequency_runs_follow_the_clock_or_the_headway() {
        let row = |exact| Frequency { start: 6 * 3600, end: 9 * 3600, headway: 600, exact };
        assert_eq!(first_run(&row(1), 120, 0), 6 * 3600 + 120);
        assert_eq!(first_run(&row(1), 120, 6 * 3600 + 121), 6 * 3600 + 720);
        assert_eq!(first_run(&row(0), 120, 7 * 3600), 7 * 3600 + 600);
        assert_eq!(first_run(&row(0), 120, 5 * 3600), 6 * 3600 + 120);
    }
}
