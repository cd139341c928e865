//! Compiles the service of a few days into an [`ActiveService`].

use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;
use trestle_model::ServiceDate;
use trestle_model::ids::{RouteIdx, ServiceIdx, StopIdx, TripIdx};
use trestle_model::lists::Lists;

use super::active_service::{ActivePattern, ActiveService, CAN_ALIGHT, CAN_BOARD, NONE, ServiceDay};
use super::lanes::{PatternRuns, RunSource};
use super::live_trip::LiveTrip;
use super::timed_calls::OnlyRuns;
use crate::calendar::{days_under_way, midnight, service_day_start, time_zone};
use crate::overlay::{AddedTrip, LiveTimes, Overlay, TripState, without_runs};
use crate::timetable::{Frequency, Timetable, Trips};

/// Number of the next compiled service.
static NEXT_ID: AtomicU64 = AtomicU64::new(1);

impl ActiveService {
    /// Compiles the service from the day before `date` to `days_after` days after it (days of the graph's time zone),
    /// with live data if `overlay` is given. It has all runs of service days that begin before the end of this period,
    /// except those that end before its beginning. Each agency's service days begin in its own zone. Takes
    /// milliseconds; callers keep the result by date and overlay version.
    pub fn compile(
        timetable: &Timetable,
        date: ServiceDate,
        days_after: i32,
        overlay: Option<&Overlay>,
    ) -> ActiveService {
        let days = (date, days_after.max(0));
        let mut compiler = Compiler::new(timetable, timetable.last_second(), days, overlay);
        for pattern in 0..timetable.patterns.route.len() {
            compiler.add_scheduled(pattern);
        }
        compiler.add_added_trips();
        compiler.finish()
    }
}

/// Service days of one agency time zone: index of the first in the service's `days`, and their starts.
struct ZoneDays {
    first: usize,
    starts: Vec<i32>,
}

pub(super) struct Compiler<'a> {
    pub(super) timetable: &'a Timetable,
    pub(super) overlay: Option<&'a Overlay>,
    pub(super) service: ActiveService,
    /// Zone of each agency, as an index into `zones`.
    zone_of_agency: Vec<usize>,
    zones: Vec<ZoneDays>,
    /// Service days whose runs may be included.
    dates: Vec<ServiceDate>,
    /// Service days that begin at this time or later are not included.
    end: i32,
    runs: PatternRuns<'a>,
    /// The first active pattern of those with a single run, which come last.
    first_only_run: u32,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(
        timetable: &'a Timetable,
        last_scheduled: i32,
        (date, days_after): (ServiceDate, i32),
        overlay: Option<&'a Overlay>,
    ) -> Self {
        // One more day at both ends, because days of other time zones begin earlier or later.
        let before = 2 + days_under_way(last_scheduled, overlay);
        let dates = (-before..=days_after + 1).map(|offset| date.plus(offset)).collect();
        let zone = timetable.time_zone();
        let origin = midnight(date.plus(-1), &zone);
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        let mut compiler = Compiler {
            timetable,
            overlay,
            service: ActiveService {
                id,
                compiled_id: id,
                date,
                days_after,
                origin,
                last_scheduled,
                scheduled_trips: timetable.trips.count() as u32,
                live_trips: overlay.map_or_else(Vec::new, |overlay| live_trips(timetable, overlay)),
                live_transfers: overlay.and_then(|overlay| overlay.transfers.clone()),
                ..ActiveService::default()
            },
            zone_of_agency: Vec::new(),
            zones: Vec::new(),
            dates,
            end: (midnight(date.plus(days_after + 1), &zone) - origin) as i32,
            runs: PatternRuns::default(),
            first_only_run: u32::MAX,
        };
        compiler.set_zones();
        compiler
    }

    fn set_zones(&mut self) {
        let mut names: Vec<u32> = Vec::new();
        for &name in self.timetable.agencies.timezone.iter() {
            let zone = names.iter().position(|&n| n == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            self.zone_of_agency.push(zone);
        }
        if names.is_empty() {
            names.push(0);
        }
        for &name in &names {
            let zone = time_zone(self.timetable.texts.get(name));
            let first = self.service.days.len();
            let days =
                self.dates.iter().map(|&date| ServiceDay { date, start: service_day_start(date, &zone) });
            self.service.days.extend(days);
            let starts =
                self.service.days[first..].iter().map(|day| (day.start - self.service.origin) as i32);
            self.zones.push(ZoneDays { first, starts: starts.collect() });
        }
    }

    fn zone_of_route(&self, route: u32) -> usize {
        let agency = self.timetable.routes.agency.get(route as usize).copied().unwrap_or(0);
        self.zone_of_agency.get(agency as usize).copied().unwrap_or(0)
    }

    pub(super) fn add_scheduled(&mut self, pattern: usize) {
        let (patterns, trips) = (&self.timetable.patterns, &self.timetable.trips);
        let zone = self.zone_of_route(patterns.route[pattern]);
        let calls = (patterns.call_offsets[pattern + 1] - patterns.call_offsets[pattern]) as usize;
        if calls < 2 {
            return;
        }
        self.runs.clear();
        let (first, last) =
            (patterns.trip_offsets[pattern] as usize, patterns.trip_offsets[pattern + 1] as usize);
        for trip in first..last {
            let service = ServiceIdx(trips.service[trip]);
            for day in 0..self.dates.len() {
                if self.zones[zone].starts[day] < self.end
                    && self.timetable.services.runs_on(service, self.dates[day])
                {
                    self.add_trip(zone, day, trip, calls);
                }
            }
        }
        self.flush_pattern(pattern as u32, patterns.route[pattern]);
    }

    /// Adds one scheduled trip on one day, with its live times or its frequencies.
    fn add_trip(&mut self, zone: usize, day: usize, trip: usize, calls: usize) {
        let scheduled = self.scheduled_run(zone, day, trip, calls);
        let frequencies = self.timetable.trips.frequencies_of(scheduled.trip);
        if !frequencies.is_empty() {
            self.add_frequencies(scheduled, self.dates[day], frequencies);
        } else if let Some(run) = self.live_run(scheduled, self.dates[day]) {
            self.runs.add_run(run);
        }
    }

    fn scheduled_run(&self, zone: usize, day: usize, trip: usize, calls: usize) -> RunSource<'a> {
        let trips = &self.timetable.trips;
        let profile = trips.profile_offset[trip] as usize..trips.profile_offset[trip] as usize + calls;
        RunSource {
            trip: TripIdx::from(trip),
            day: (self.zones[zone].first + day) as u32,
            offset: self.zones[zone].starts[day],
            shift: 0,
            start: trips.start[trip],
            arrivals: &trips.profile_arrival[profile.clone()],
            departures: &trips.profile_departure[profile],
        }
    }

    /// The run of a trip without frequencies at its live times; `None` if live data cancels or replaces it.
    fn live_run(&self, scheduled: RunSource<'a>, date: ServiceDate) -> Option<RunSource<'a>> {
        match self.overlay.and_then(|overlay| overlay.state(scheduled.trip, date)) {
            Some(TripState::Canceled | TripState::Deleted | TripState::Modified) => None,
            Some(TripState::Updated(times)) if times.are_for(scheduled.arrivals.len()) => {
                let LiveTimes { arrivals, departures } = times;
                Some(RunSource { start: 0, arrivals, departures, ..scheduled })
            }
            _ => Some(scheduled),
        }
    }

    /// The run of a trip on a date. `None` if the service day is not included, for frequency trips, and for trips that
    /// live data cancels or replaces.
    pub(super) fn run_on(&self, trip: TripIdx, date: ServiceDate) -> Option<RunSource<'a>> {
        let pattern = self.timetable.pattern_of(trip);
        let (zone, day) = self.day_of(self.timetable.route_of(pattern).0, date)?;
        if self.timetable.trips.runs_by_frequency(trip) {
            return None;
        }
        let calls = self.timetable.patterns.calls(pattern).len();
        self.live_run(self.scheduled_run(zone, day, trip.index(), calls), date)
    }

    /// The time zone of a route, and the position of a service day in it; `None` for days that are not included.
    pub(super) fn day_of(&self, route: u32, date: ServiceDate) -> Option<(usize, usize)> {
        let zone = self.zone_of_route(route);
        let day = self.dates.iter().position(|&known| known == date)?;
        (self.zones[zone].starts[day] < self.end).then_some((zone, day))
    }

    /// Adds the runs of a frequency trip, those with live data at their live times.
    fn add_frequencies(&mut self, template: RunSource<'a>, date: ServiceDate, rows: &[Frequency]) {
        let overlay = self.overlay;
        let known = overlay.and_then(|overlay| overlay.runs_of(template.trip, date));
        let state = overlay.and_then(|overlay| overlay.state(template.trip, date));
        if !state.is_some_and(TripState::is_off) {
            let left: Vec<_> = rows.iter().flat_map(|row| without_runs(*row, known)).collect();
            self.runs.add_frequencies(template, &left);
        }
        let first_departure = template.start + template.departures[0];
        for (start, state) in known.into_iter().flatten() {
            if let TripState::Updated(times) = state
                && times.are_for(template.arrivals.len())
            {
                let (arrivals, departures) = (&times.arrivals[..], &times.departures[..]);
                let shift = start - first_departure;
                self.runs.add_run(RunSource { start: 0, shift, arrivals, departures, ..template });
            }
        }
    }

    /// Adds the trips that exist only in live data. Those with equal calls are one pattern; those with calls of their own
    /// come last.
    pub(super) fn add_added_trips(&mut self) {
        let added = self.overlay.map_or(&[][..], |overlay| &overlay.added);
        let (single, several): (Vec<_>, Vec<_>) =
            trips_with_equal_calls(added).into_iter().partition(|trips| trips.len() == 1);
        several.into_iter().for_each(|trips| self.add_live_pattern(added, &trips));
        self.first_only_run = self.service.patterns.len() as u32;
        single.into_iter().for_each(|trips| self.add_live_pattern(added, &trips));
    }

    fn add_live_pattern(&mut self, added: &'a [AddedTrip], trips: &[usize]) {
        let Some(&first) = trips.first() else { return };
        self.runs.clear();
        for &index in trips {
            self.add_added_trip(index, &added[index]);
        }
        self.flush_pattern((self.timetable.patterns.route.len() + first) as u32, added[first].route.0);
    }

    fn add_added_trip(&mut self, index: usize, added: &'a AddedTrip) {
        let calls = added.stops.len();
        let Some((zone, day)) = self.day_of(added.route.0, added.service_date) else { return };
        if calls < 2 || !added.times.are_for(calls) {
            return;
        }
        self.runs.add_run(RunSource {
            trip: TripIdx::from(self.timetable.trips.id.len() + index),
            day: (self.zones[zone].first + day) as u32,
            offset: self.zones[zone].starts[day],
            shift: added.run_shift(self.timetable),
            start: 0,
            arrivals: &added.times.arrivals,
            departures: &added.times.departures,
        });
    }

    /// Moves the collected runs of a pattern into the service. Runs whose first calls have no times get an active pattern
    /// of their own that starts later.
    fn flush_pattern(&mut self, pattern: u32, route: u32) {
        while let Some(first_position) = self.runs.next_start() {
            let first_call = self.service.call_stop.len();
            self.push_calls(pattern, first_position);
            let calls = self.service.call_stop.len() - first_call;
            let first_lane = self.service.lanes.len();
            self.runs.fill_lanes(first_position, self.service.patterns.len() as u32, &mut self.service);
            self.service.patterns.push(ActivePattern {
                pattern,
                first_position: first_position as u32,
                route: RouteIdx(route),
                mode: self.timetable.routes.mode.get(route as usize).copied().unwrap_or_default(),
                first_call: first_call as u32,
                calls: calls as u32,
                first_lane: first_lane as u32,
                lanes: (self.service.lanes.len() - first_lane) as u32,
            });
        }
    }

    fn push_calls(&mut self, pattern: u32, first_position: usize) {
        let patterns = &self.timetable.patterns;
        let scheduled = patterns.route.len();
        let mut push = |stop: u32, pickup: u8, dropoff: u8| {
            let (board, alight) = (pickup != 1, dropoff != 1);
            self.service.call_stop.push(StopIdx(stop));
            self.service.call_flags.push(u8::from(board) * CAN_BOARD + u8::from(alight) * CAN_ALIGHT);
        };
        if (pattern as usize) < scheduled {
            let range = patterns.call_offsets[pattern as usize] as usize + first_position
                ..patterns.call_offsets[pattern as usize + 1] as usize;
            for call in range {
                push(patterns.call_stop[call], patterns.call_pickup[call], patterns.call_dropoff[call]);
            }
        } else if let Some(added) = self.overlay.and_then(|o| o.added.get(pattern as usize - scheduled)) {
            for call in first_position..added.stops.len() {
                let kind = |kinds: &[u8]| kinds.get(call).copied().unwrap_or(0);
                push(added.stops[call].0, kind(&added.pickup), kind(&added.dropoff));
            }
            let first_call = self.service.call_flags.len() - added.stops.len().saturating_sub(first_position);
            board_last_where_it_stays(added, first_position, &mut self.service.call_flags[first_call..]);
        }
    }

    fn finish(mut self) -> ActiveService {
        self.index_calls();
        self.join_blocks();
        self.service.set_least_times(self.end);
        self.service.shrink();
        self.service
    }

    /// Lists the calls of each stop.
    pub(super) fn index_calls(&mut self) {
        let service = &mut self.service;
        let calls = (0u32..).zip(&service.patterns).flat_map(|(index, pattern)| {
            let positions = (0u32..).zip(service.stops_of(pattern));
            positions.map(move |(position, stop)| (stop.0, [index, position]))
        });
        let by_stop = Lists::of(self.timetable.stops.id.len(), calls);
        (service.stop_call_offsets, service.stop_calls) = (by_stop.offsets, by_stop.items);
        service.only_runs = OnlyRuns::new(service, self.first_only_run);
    }

    /// The scheduled trip by which a run belongs to a block: its own or the one it replaces. `None` unless the run
    /// still begins (`at_end`: ends) at the scheduled stop, or at another platform that live data assigns in its place, and
    /// for runs of frequencies.
    fn block_trip(&self, run: usize, at_end: bool) -> Option<TripIdx> {
        let in_lane = self.service.lane_of_run(run);
        let trip = self.service.scheduled_trip(self.service.runs[run].trip)?;
        if in_lane.headway != NONE || self.timetable.trips.runs_by_frequency(trip) {
            return None;
        }
        let pattern = self.timetable.patterns.calls(self.timetable.pattern_of(trip));
        let scheduled = if at_end { pattern.end.checked_sub(1)? } else { pattern.start };
        let scheduled = self.timetable.patterns.call_stop.get(scheduled).map(|&stop| StopIdx(stop));
        (self.end_before(run, at_end) == scheduled).then_some(trip)
    }

    /// The stop at which a run begins (`at_end`: ends), without what live data assigns.
    fn end_before(&self, run: usize, at_end: bool) -> Option<StopIdx> {
        let active = self.service.pattern_of_run(run);
        let live = self.service.runs[run].trip.0.checked_sub(self.service.scheduled_trips);
        let added = live.and_then(|live| self.overlay?.added.get(live as usize));
        let call = if at_end { active.first_position + active.calls - 1 } else { active.first_position };
        added.and_then(|added| added.stop_before(call)).or_else(|| {
            let stops = self.service.stops_of(active);
            if at_end { stops.last().copied() } else { stops.first().copied() }
        })
    }

    /// Joins the runs between which riders may stay seated. A vehicle continues as one run of its block, but parts of a train
    /// that is divided continue as others.
    pub(super) fn join_blocks(&mut self) {
        let Trips { continuations, block, .. } = &self.timetable.trips;
        if continuations.is_empty() {
            return;
        }
        for run in &mut self.service.runs {
            (run.next, run.previous) = (NONE, NONE);
        }
        let ending = self.runs_by_trip(continuations.iter().map(|row| row.from_trip), true);
        let starting = self.runs_by_trip(continuations.iter().map(|row| row.to_trip), false);
        let mut joints = Vec::new();
        for row in continuations.iter() {
            let [from, to] = [row.from_trip, row.to_trip].map(|trip| block[trip as usize]);
            let is_of_block = from != 0 && from == to;
            for at in 0..self.dates.len() {
                let date = self.dates[at];
                let before = ending.get(&(date, TripIdx(row.from_trip)));
                let after = starting.get(&(date.plus(row.days), TripIdx(row.to_trip)));
                if let (Some(&before), Some(&after)) = (before, after)
                    && !(is_of_block && self.is_joined(before, after))
                    && self.is_in_time(before, after)
                {
                    // Until `set_joints`, any number says that a run is joined.
                    self.service.runs[before as usize].next = 0;
                    self.service.runs[after as usize].previous = 0;
                    joints.push([before, after]);
                }
            }
        }
        self.service.set_joints(joints);
    }

    /// The run on each day of those of some trips that still begin (`at_end`: end) where the schedule says.
    fn runs_by_trip(
        &self,
        trips: impl Iterator<Item = u32>,
        at_end: bool,
    ) -> FxHashMap<(ServiceDate, TripIdx), u32> {
        let mut wanted = vec![false; self.timetable.trips.count()];
        trips.for_each(|trip| wanted[trip as usize] = true);
        let service = &self.service;
        let runs = (0..service.runs.len()).filter_map(|run| {
            let trip = self.block_trip(run, at_end).filter(|trip| wanted[trip.index()])?;
            Some(((service.days[service.runs[run].day as usize].date, trip), run as u32))
        });
        runs.collect()
    }

    /// Whether the first of two runs has a next one already, or the second one a previous one.
    fn is_joined(&self, before: u32, after: u32) -> bool {
        let runs = &self.service.runs;
        runs[before as usize].next != NONE || runs[after as usize].previous != NONE
    }

    /// Whether a run begins where another one has ended, and not before.
    fn is_in_time(&self, before: u32, after: u32) -> bool {
        let (service, before, after) = (&self.service, before as usize, after as usize);
        let last = service.pattern_of_run(before).calls as usize - 1;
        service.pattern_of_run(after).first_position == 0
            && service.departure(after, 0, 0) >= service.arrival(before, last, 0)
    }
}

/// How requests can name the trips of an overlay, in the overlay's order.
fn live_trips(timetable: &Timetable, overlay: &Overlay) -> Vec<LiveTrip> {
    let live_trip = |added: &AddedTrip| match added.replaces {
        Some(replaced) => LiveTrip::Replacing(replaced),
        None => LiveTrip::Added(added.outer_id(timetable), added.copies),
    };
    overlay.added.iter().map(live_trip).collect()
}

/// The positions of trips, those of trips of one route with equal calls together, in the order of the first of them.
fn trips_with_equal_calls(added: &[AddedTrip]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of = FxHashMap::default();
    for (index, trip) in added.iter().enumerate() {
        let AddedTrip { route, stops, pickup, dropoff, skipped, .. } = trip;
        let group = *group_of.entry((route, stops, pickup, dropoff, skipped)).or_insert(groups.len());
        match groups.get_mut(group) {
            Some(known) => known.push(index),
            None => groups.push(vec![index]),
        }
    }
    groups
}

/// Where a trip passes the stop at which it turns, its next call is at the same stop as the one before. Riders enter it at
/// the last of such calls that allows it, as if they were one; at the others they would enter for a ride from the stop to
/// itself.
fn board_last_where_it_stays(added: &AddedTrip, first_position: usize, flags: &mut [u8]) {
    let calls: Vec<usize> = (first_position..added.stops.len()).filter(|&call| !added.passes(call)).collect();
    for stay in calls.chunk_by(|a, b| added.stops[*a] == added.stops[*b]) {
        let mut is_entered_later = false;
        for call in stay.iter().rev().map(|call| call - first_position) {
            if is_entered_later {
                flags[call] &= !CAN_BOARD;
            }
            is_entered_later |= flags[call] & CAN_BOARD != 0;
        }
    }
}
