//! Stop times: the calls at a stop from a moment on or on a day, and the calls of a trip. Each call has its scheduled
//! and its real-time seconds.

use std::cell::OnceCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use trestle_model::ServiceDate;
use trestle_model::ids::{AgencyIdx, PatternIdx, RouteIdx, ServiceIdx, StopIdx, TripIdx};
use trestle_transit::overlay::{NO_TIME, Overlay, TripState, without_runs};
use trestle_transit::timetable::{Frequency, Timetable};

use super::added_runs::AddedRun;
use super::call_time::{CallTime, RealtimeState};
use super::relations::scheduled_patterns_at;
use crate::snapshot::Snapshot;

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

/// Which calls from a moment on to return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Upcoming {
    /// Epoch seconds.
    pub from: i64,
    /// Seconds; a pattern is left out when its service on a day does not overlap `from ..= from + range`.
    pub range: i64,
    /// Calls per pattern.
    pub per_pattern: usize,
    /// Leave out calls where travellers cannot board.
    pub omit_non_pickups: bool,
}

impl Upcoming {
    /// Whether the service of a day, from its earliest departure to its latest arrival, overlaps the time range, which
    /// begins `from` seconds after the start of that day.
    fn meets(&self, (earliest, latest): (i32, i32), from: i64) -> bool {
        i64::from(earliest) <= from.saturating_add(self.range) && i64::from(latest) >= from
    }
}

/// The span of no trips: joining another span to it gives that span.
const NO_SPAN: (i32, i32) = (i32::MAX, i32::MIN);

/// From the earlier of two departures to the later of two arrivals.
fn joined(one: (i32, i32), other: (i32, i32)) -> (i32, i32) {
    (one.0.min(other.0), one.1.max(other.1))
}

/// Stop times of one snapshot. Keeps what it has found out about patterns and days, so that a query for many stops
/// looks at each pattern and day once.
pub struct StopTimes<'a> {
    snapshot: &'a Snapshot,
    days: FxHashMap<(PatternIdx, ServiceDate), Rc<ServiceDay<'a>>>,
    /// Where service days begin: every pattern needs it, for few agencies and days.
    starts: FxHashMap<(AgencyIdx, ServiceDate), i64>,
}

impl<'a> StopTimes<'a> {
    /// Stop times as `snapshot` has them.
    pub fn new(snapshot: &'a Snapshot) -> Self {
        StopTimes { snapshot, days: FxHashMap::default(), starts: FxHashMap::default() }
    }

    /// The next calls at a stop, pattern by pattern, in listing order; patterns without any are left out. Service days
    /// are those around the requested moment, whatever the server's own date is.
    pub fn upcoming(&mut self, stop: StopIdx, wanted: Upcoming) -> Vec<PatternCalls> {
        let snapshot = self.snapshot;
        let mut result = Vec::new();
        for (pattern, positions) in patterns_at(snapshot, stop) {
            let mut earliest = Earliest { limit: wanted.per_pattern, calls: Vec::new() };
            let timetable = &snapshot.graph.timetable;
            let agency = timetable.agency_of(timetable.route_of(pattern));
            for date in snapshot.service_days_around(wanted.from, agency) {
                self.day(pattern, date).collect_upcoming(&positions, wanted, &mut earliest);
            }
            if !earliest.calls.is_empty() {
                result.push(PatternCalls { pattern, calls: earliest.calls });
            }
        }
        let live = self.snapshot.live_schedule().patterns_at(stop).iter();
        result.extend(live.filter_map(|&pattern| self.upcoming_live(PatternIdx(pattern), stop, wanted)));
        result
    }

    /// The next calls of a pattern of live data.
    fn upcoming_live(
        &mut self,
        pattern: PatternIdx,
        stop: StopIdx,
        wanted: Upcoming,
    ) -> Option<PatternCalls> {
        let snapshot = self.snapshot;
        let mut earliest = Earliest { limit: wanted.per_pattern, calls: Vec::new() };
        let (_, added) = snapshot.live_schedule().trips_of(pattern).next()?;
        let agency = snapshot.graph.timetable.agency_of(added.route);
        for date in snapshot.service_days_around(wanted.from, agency) {
            let runs = self.added_runs(pattern, date);
            let Some(from) = runs.first().map(|run| wanted.from.saturating_sub(run.start())) else {
                continue;
            };
            if !wanted.meets(runs.iter().map(AddedRun::span).fold(NO_SPAN, joined), from) {
                continue;
            }
            for run in &runs {
                let calls =
                    run.positions_at(stop, wanted.omit_non_pickups).map(|position| run.call(position));
                let coming = |call: &CallTime| {
                    call.realtime_departure != NO_TIME && i64::from(call.realtime_departure) >= from
                };
                calls.filter(coming).for_each(|call| earliest.add(call));
            }
        }
        (!earliest.calls.is_empty()).then_some(PatternCalls { pattern, calls: earliest.calls })
    }

    /// The added trips of a pattern of live data that run on a service day.
    fn added_runs(&mut self, pattern: PatternIdx, date: ServiceDate) -> Vec<AddedRun<'a>> {
        let snapshot = self.snapshot;
        let trips = snapshot.live_schedule().trips_of(pattern);
        let that_day = trips.filter(|(_, added)| added.service_date == date);
        that_day
            .map(|(trip, added)| {
                let start = self.day_start(added.route, date);
                AddedRun::new(&snapshot.graph.timetable, trip, added, start)
            })
            .collect()
    }

    /// All calls at a stop on a service day, pattern by pattern in listing order, trips in timetable order; scheduled
    /// patterns without service that day are listed without calls. Frequency trips have no times of their own and are
    /// left out.
    pub fn on_date(&mut self, stop: StopIdx, date: ServiceDate, omit_non_pickups: bool) -> Vec<PatternCalls> {
        let patterns = patterns_at(self.snapshot, stop).into_iter();
        let mut result: Vec<PatternCalls> = patterns
            .map(|(pattern, positions)| {
                let day = self.day(pattern, date);
                let mut calls = Vec::new();
                for position in positions.into_iter().filter(|p| !omit_non_pickups || day.has_pickup(*p)) {
                    let trips = day.running().iter().filter(|trip| day.frequencies(**trip).is_empty());
                    calls.extend(trips.map(|trip| day.call(*trip, position)));
                }
                PatternCalls { pattern, calls }
            })
            .collect();
        for &pattern in self.snapshot.live_schedule().patterns_at(stop) {
            let runs = self.added_runs(PatternIdx(pattern), date);
            let calls_of = |run: &AddedRun<'_>| {
                run.positions_at(stop, omit_non_pickups)
                    .map(|position| run.call(position))
                    .collect::<Vec<_>>()
            };
            let calls: Vec<CallTime> = runs.iter().flat_map(calls_of).collect();
            if !calls.is_empty() {
                result.push(PatternCalls { pattern: PatternIdx(pattern), calls });
            }
        }
        result
    }

    /// The calls of a trip by the timetable alone, or of an added trip by its live data. They belong to no service day.
    pub fn of_trip(&mut self, trip: TripIdx) -> PatternCalls {
        if let Some(calls) = self.of_added_trip(trip, None) {
            return calls;
        }
        let day = ServiceDay::template(self.snapshot, self.snapshot.graph.timetable.pattern_of(trip));
        day.calls_of(trip)
    }

    /// The calls of a trip on a service day, by live data where there is any. A trip that skips stops, or calls at other
    /// ones, has the calls of the added trip that replaces it that day.
    pub fn of_trip_on(&mut self, trip: TripIdx, date: ServiceDate) -> PatternCalls {
        let trip = self.snapshot.live_schedule().replacement(trip, date).unwrap_or(trip);
        if let Some(calls) = self.of_added_trip(trip, Some(date)) {
            return calls;
        }
        self.day(self.snapshot.graph.timetable.pattern_of(trip), date).calls_of(trip)
    }

    /// The calls of an added trip, whichever day it runs; `None` for scheduled trips.
    fn of_added_trip(&mut self, trip: TripIdx, date: Option<ServiceDate>) -> Option<PatternCalls> {
        let live = self.snapshot.live_schedule();
        let (pattern, added) = (live.pattern_of(trip)?, live.trip(trip)?);
        let start = date.map_or(0, |date| self.day_start(added.route, date));
        let calls = AddedRun::new(&self.snapshot.graph.timetable, trip, added, start).calls();
        Some(PatternCalls { pattern, calls })
    }

    fn day(&mut self, pattern: PatternIdx, date: ServiceDate) -> Rc<ServiceDay<'a>> {
        if let Some(day) = self.days.get(&(pattern, date)) {
            return day.clone();
        }
        let start = self.day_start(self.snapshot.graph.timetable.route_of(pattern), date);
        let day = Rc::new(ServiceDay::new(self.snapshot, pattern, date, start));
        self.days.insert((pattern, date), day.clone());
        day
    }

    /// Start of the service day in the time zone of the route's agency, epoch seconds.
    fn day_start(&mut self, route: RouteIdx, date: ServiceDate) -> i64 {
        let (snapshot, agency) = (self.snapshot, self.snapshot.graph.timetable.agency_of(route));
        *self.starts.entry((agency, date)).or_insert_with(|| snapshot.service_day_start(date, agency))
    }
}

/// The earliest calls, in order of departure; equal ones stay in the order in which they were found.
struct Earliest {
    limit: usize,
    calls: Vec<CallTime>,
}

impl Earliest {
    /// Whether a call with this departure (epoch seconds) would be kept.
    fn wants(&self, departure: i64) -> bool {
        self.calls.len() < self.limit
            || self.calls.last().is_some_and(|last| departure < last.epoch_departure())
    }

    fn add(&mut self, call: CallTime) {
        let departure = call.epoch_departure();
        if !self.wants(departure) {
            return;
        }
        let at = self.calls.partition_point(|known| known.epoch_departure() <= departure);
        self.calls.truncate(self.limit - 1);
        self.calls.insert(at, call);
    }
}

/// Scheduled patterns of a stop without repeats, in listing order, with the positions at which they call there.
fn patterns_at(snapshot: &Snapshot, stop: StopIdx) -> Vec<(PatternIdx, Vec<u32>)> {
    let calls = snapshot.graph.timetable.stops.calls_at(stop);
    let positions =
        |pattern: u32| calls.iter().filter(move |[p, _]| *p == pattern).map(|[_, position]| *position);
    let patterns = scheduled_patterns_at(snapshot, stop).into_iter();
    patterns.map(|pattern| (PatternIdx(pattern), positions(pattern).collect())).collect()
}

/// One pattern on one service day.
struct ServiceDay<'a> {
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
    fn new(snapshot: &'a Snapshot, pattern: PatternIdx, date: ServiceDate, start: i64) -> Self {
        let overlay = snapshot.overlay.as_deref();
        ServiceDay { overlay, date, start, ..ServiceDay::template(snapshot, pattern) }
    }

    /// The timetable of a pattern without a day.
    fn template(snapshot: &'a Snapshot, pattern: PatternIdx) -> Self {
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

    /// Trips whose service runs that day, in timetable order.
    fn running(&self) -> &[TripIdx] {
        let services = &self.timetable.trips.service;
        let runs = |trip: &usize| self.timetable.services.runs_on(ServiceIdx(services[*trip]), self.date);
        let trips = self.timetable.patterns.trips(self.pattern);
        self.running.get_or_init(|| trips.filter(runs).map(TripIdx::from).collect())
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
                TripState::Canceled | TripState::Modified => None,
            });
            moved.fold(NO_SPAN, joined)
        })
    }

    fn calls_of(&self, trip: TripIdx) -> PatternCalls {
        let calls = (0..self.call_count()).map(|position| self.call(trip, position)).collect();
        PatternCalls { pattern: self.pattern, calls }
    }

    fn first_call(&self) -> usize {
        self.timetable.patterns.calls(self.pattern).start
    }

    fn call_count(&self) -> u32 {
        self.timetable.patterns.calls(self.pattern).len() as u32
    }

    fn has_pickup(&self, position: u32) -> bool {
        self.timetable.patterns.call_pickup[self.first_call() + position as usize] != 1
            && position + 1 < self.call_count()
    }

    fn frequencies(&self, trip: TripIdx) -> &'a [Frequency] {
        self.timetable.trips.frequencies_of(trip)
    }

    fn live(&self, trip: TripIdx) -> Option<&'a TripState> {
        self.overlay.and_then(|overlay| overlay.state(trip, self.date))
    }

    fn call(&self, trip: TripIdx, position: u32) -> CallTime {
        let calls = self.timetable.trip_calls(trip);
        let at = position as usize;
        let (arrival, departure) = (calls.arrival(at), calls.departure(at));
        let ((realtime_arrival, realtime_departure), state) = match self.live(trip) {
            None => ((arrival, departure), RealtimeState::Scheduled),
            Some(TripState::Updated(times)) => (times.at(at), RealtimeState::Updated),
            Some(TripState::Canceled) => ((NO_TIME, NO_TIME), RealtimeState::Canceled),
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

    fn collect_upcoming(&self, positions: &[u32], wanted: Upcoming, into: &mut Earliest) {
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
        if call.realtime_departure != NO_TIME && i64::from(call.realtime_departure) >= from {
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
            if run.realtime_departure != NO_TIME && i64::from(run.realtime_departure) >= from {
                into.add(run);
            }
        }
    }

    /// The runs of a part of a frequency row that depart at or after `from`. `to_the_end`: the part ends where the row
    /// does.
    fn runs_of(&self, call: CallTime, row: &Frequency, to_the_end: bool, from: i64, into: &mut Earliest) {
        if row.headway <= 0 || from > i64::from(row.end) {
            return;
        }
        let first_departure = self.timetable.trip_calls(call.trip).departure(0);
        let offset = call.scheduled_departure - first_departure;
        let (from, headway) = (from.max(-86_400) as i32, row.headway);
        let mut departure = first_run(row, offset, from);
        let mut taken = 0;
        let end = row.end + offset;
        // The interface lists a run at the very end of a row, unless it is the only one.
        while taken < into.limit && (departure < end || (to_the_end && taken > 0 && departure == end)) {
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
