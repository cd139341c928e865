//! Stop times: the calls at a stop from a moment on or on a day, and the calls of a trip. Each call has its scheduled
//! and its real-time seconds.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use trestle_model::ServiceDate;
use trestle_model::ids::{AgencyIdx, PatternIdx, RouteIdx, StopIdx, TripIdx};

use super::added_runs::AddedRun;
use super::call_time::CallTime;
use super::relations::scheduled_patterns_at;
use super::service_day::ServiceDay;
use super::upcoming::{Earliest, NO_SPAN, joined};
use crate::snapshot::Snapshot;

pub use super::call_time::PatternCalls;
pub use super::upcoming::Upcoming;

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
                calls.filter(|call| call.departs_at_or_after(from)).for_each(|call| earliest.add(call));
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

/// Scheduled patterns of a stop without repeats, in listing order, with the positions at which they call there.
fn patterns_at(snapshot: &Snapshot, stop: StopIdx) -> Vec<(PatternIdx, Vec<u32>)> {
    let calls = snapshot.graph.timetable.stops.calls_at(stop);
    let positions =
        |pattern: u32| calls.iter().filter(move |[p, _]| *p == pattern).map(|[_, position]| *position);
    let patterns = scheduled_patterns_at(snapshot, stop).into_iter();
    patterns.map(|pattern| (PatternIdx(pattern), positions(pattern).collect())).collect()
}
