//! Earliest arrivals at all stops for every departure of a time window, in one go: rRAPTOR ("Round-Based Public
//! Transit Routing", section 4). One criterion, no paths. One departure is the plain earliest-arrival search.

use trestle_model::RoutingRequest;

use super::costs::{Costs, FAR};
use super::direction::{Backward, Direction, Forward};
use super::entering::headway_shift;
use super::filters::{BitSet, CLOSED, Filters};
use super::query::{Endpoint, StopSignal};
use super::rounds::{Stopped, roles};
use super::transfers::{TransferVerdict, Walks};
use super::window::{Lane, NONE, ServiceWindow};
use crate::timetable::Timetable;
use trestle_model::ids::StopIdx;

/// A stop not reached, in the results.
pub const UNREACHED: i32 = i32::MAX;

/// Departures (with `arrive_by` of the request: arrivals) every `step` seconds from `first`, `count` of them.
#[derive(Clone, Copy, Debug)]
pub struct RangeQuery<'a> {
    /// Direction, slacks, filters and `max_transfers`; its time is not used.
    pub request: &'a RoutingRequest,
    /// Ways between the place and stops.
    pub near: &'a [Endpoint],
    /// The traveller takes a bike of their own on board.
    pub bike_aboard: bool,
    /// Epoch seconds of the first departure.
    pub first: i64,
    /// Seconds between departures, at least 1.
    pub step: i32,
    /// Number of departures.
    pub count: usize,
    /// Longest time of interest, seconds.
    pub max_seconds: i32,
    /// When to give up.
    pub stop: StopSignal<'a>,
}

/// Memory of range searches, one per worker, kept from request to request.
#[derive(Debug, Default)]
pub struct RangeScratch {
    walks: Walks,
    /// Per round and stop: when the next vehicle can be entered (key).
    enter: Vec<Vec<i32>>,
    /// Per round and stop: when a vehicle was left (key), in this round or before.
    left: Vec<Vec<i32>>,
    /// Stops whose `enter` of the last round changed.
    entered: Vec<u32>,
    is_entered: Vec<bool>,
    /// Stops whose `left` changed in this round.
    changed: Vec<u32>,
    is_changed: Vec<bool>,
    scan_from: Vec<u32>,
    marked: Vec<u32>,
    seated: Vec<u32>,
    /// Least round in which a run was ridden from its first call by riders already seated.
    ridden: Vec<u8>,
    seconds: Vec<i32>,
}

/// For every departure, the last one first, calls `each` with its index and the seconds to every stop: from the
/// departure until a vehicle is left there, or [`UNREACHED`]. Access without a ride is not in it.
///
/// Rules of transfers.txt for certain trips or routes are not looked at here. Returns false when it was stopped
/// early; the departures told until then are complete.
pub fn range(
    timetable: &Timetable,
    window: &ServiceWindow,
    query: &RangeQuery<'_>,
    scratch: &mut RangeScratch,
    each: &mut dyn FnMut(usize, &[i32]),
) -> bool {
    let filters = Filters::new(timetable, window, query.request, query.bike_aboard);
    scratch.walks.prepare(timetable, window, query.request);
    if query.request.arrive_by {
        RangeSearch::<Backward>::new(timetable, window, query, &filters, scratch).run(each).is_ok()
    } else {
        RangeSearch::<Forward>::new(timetable, window, query, &filters, scratch).run(each).is_ok()
    }
}

/// Index of a run within its lane, and the key of seconds added to its times.
type Seat = (usize, i32);

struct RangeSearch<'a, D> {
    timetable: &'a Timetable,
    window: &'a ServiceWindow,
    query: &'a RangeQuery<'a>,
    filters: &'a Filters,
    costs: Costs,
    closed: BitSet,
    memory: &'a mut RangeScratch,
    latest: i32,
    direction: std::marker::PhantomData<D>,
}

impl<'a, D: Direction> RangeSearch<'a, D> {
    fn new(
        timetable: &'a Timetable,
        window: &'a ServiceWindow,
        query: &'a RangeQuery<'a>,
        filters: &'a Filters,
        memory: &'a mut RangeScratch,
    ) -> Self {
        let costs = Costs::new::<D>(query.request, query.bike_aboard, false);
        let stops = window.stop_count();
        for arrays in [&mut memory.enter, &mut memory.left] {
            arrays.resize_with(costs.max_rides + 1, Vec::new);
            for array in arrays {
                array.clear();
                array.resize(stops, UNREACHED);
            }
        }
        for flags in [&mut memory.is_entered, &mut memory.is_changed] {
            flags.clear();
            flags.resize(stops, false);
        }
        memory.scan_from.clear();
        memory.scan_from.resize(window.patterns.len(), NONE);
        for list in [&mut memory.entered, &mut memory.changed, &mut memory.marked, &mut memory.seated] {
            list.clear();
        }
        memory.ridden.clear();
        memory.ridden.resize(window.runs.len(), u8::MAX);
        let mut closed = BitSet::default();
        for (pattern, _) in filters.pattern_penalty.iter().enumerate().filter(|(_, p)| **p == CLOSED) {
            closed.insert(pattern);
        }
        let direction = std::marker::PhantomData;
        RangeSearch { timetable, window, query, filters, costs, closed, memory, latest: 0, direction }
    }

    /// Departures from the last to the first: what a later one found, an earlier one can wait for.
    fn run(&mut self, each: &mut dyn FnMut(usize, &[i32])) -> Result<(), Stopped> {
        let step = i64::from(self.query.step.max(1));
        for number in 0..self.query.count {
            let index = if D::FORWARD { self.query.count - 1 - number } else { number };
            let start = D::key(self.window.time_of(self.query.first + step * index as i64));
            self.latest = start.saturating_add(self.query.max_seconds);
            self.depart(start)?;
            let last = self.memory.left.last().map_or(&[][..], Vec::as_slice);
            self.memory.seconds.clear();
            self.memory
                .seconds
                .extend(last.iter().map(|&time| if time <= self.latest { time - start } else { UNREACHED }));
            each(index, &self.memory.seconds);
        }
        Ok(())
    }

    fn depart(&mut self, start: i32) -> Result<(), Stopped> {
        for endpoint in self.query.near {
            self.enter_from(0, endpoint.stop.index(), start + endpoint.seconds);
        }
        for round in 1..=self.costs.max_rides {
            if self.query.stop.is_set(0) {
                return Err(Stopped);
            }
            self.mark_patterns();
            while let Some(pattern) = self.memory.marked.pop() {
                let from = std::mem::replace(&mut self.memory.scan_from[pattern as usize], NONE) as usize;
                let active = &self.window.patterns[pattern as usize];
                for lane in active.first_lane..active.first_lane + active.lanes {
                    self.scan(lane as usize, from, round, None);
                }
            }
            while let Some(run) = self.memory.seated.pop() {
                let lane = self.window.runs[run as usize].lane as usize;
                let index = (run - self.window.lanes[lane].first_run) as usize;
                if !self.closed.has(self.window.lanes[lane].pattern as usize) {
                    self.scan(lane, 1, round, Some((index, 0)));
                }
            }
            self.walk_to_next(round);
        }
        self.forget_marks();
        Ok(())
    }

    fn forget_marks(&mut self) {
        for stop in self.memory.entered.drain(..) {
            self.memory.is_entered[stop as usize] = false;
        }
    }

    #[inline(always)]
    fn enter_from(&mut self, round: usize, stop: usize, time: i32) {
        let memory = &mut *self.memory;
        let Some(known) = memory.enter[round].get_mut(stop) else { return };
        if time >= *known || time > self.latest {
            return;
        }
        *known = time;
        if !std::mem::replace(&mut memory.is_entered[stop], true) {
            memory.entered.push(stop as u32);
        }
    }

    fn mark_patterns(&mut self) {
        let memory = &mut *self.memory;
        let (can_enter, _) = roles::<D>();
        for stop in memory.entered.drain(..) {
            memory.is_entered[stop as usize] = false;
            for &[pattern, position] in self.window.calls_at(StopIdx(stop)) {
                let active = &self.window.patterns[pattern as usize];
                let step = D::position(position as usize, active.calls as usize) as u32;
                let flags = self.window.call_flags[(active.first_call + position) as usize];
                let from = memory.scan_from[pattern as usize];
                if step >= from || flags & can_enter == 0 || self.closed.has(pattern as usize) {
                    continue;
                }
                if from == NONE {
                    memory.marked.push(pattern);
                }
                memory.scan_from[pattern as usize] = step;
            }
        }
    }

    /// Rides along a lane in the earliest run that can be entered; `seated` is the run of a rider already in it.
    fn scan(&mut self, lane_index: usize, from: usize, round: usize, seated: Option<Seat>) {
        let window = self.window;
        let lane = &window.lanes[lane_index];
        let pattern = &window.patterns[lane.pattern as usize];
        let calls = pattern.calls as usize;
        let (can_enter, can_leave) = roles::<D>();
        let mode = pattern.mode as usize;
        let slack = if round == 1 { self.costs.first_slack } else { self.costs.later_slack };
        let enter_after = slack + self.costs.enter_times[mode];
        let leave_after = self.costs.leave_slack + self.costs.leave_times[mode];
        let mut seat = seated;
        for step in from..calls {
            let position = D::position(step, calls);
            let call = pattern.first_call as usize + position;
            let stop = window.call_stop[call];
            let (flags, stops_at) = (window.call_flags[call], self.filters.stops_at(stop));
            if let Some((run, shift)) = seat {
                if flags & can_leave != 0 && stops_at && self.allows(lane, run, position) {
                    let off = D::key(window.leaving::<D>(lane, position)[run]) + shift;
                    self.leave(round, stop.index(), off + leave_after);
                }
                if !self.filters.passes(stop) {
                    seat = None;
                }
            }
            let ready = self.memory.enter[round - 1][stop.index()];
            if ready != UNREACHED && flags & can_enter != 0 && stops_at {
                seat = self.better_seat(lane, position, ready + enter_after, seat);
            }
        }
        if let Some((run, shift)) = seat {
            let position = D::position(calls - 1, calls);
            let end = D::key(window.leaving::<D>(lane, position)[run]) + shift;
            self.stay_seated(lane.first_run as usize + run, round, end);
        }
    }

    /// Rides on as the run that the vehicle continues as, unless that was done with as few rides before: a later
    /// departure then told all its calls.
    fn stay_seated(&mut self, run: usize, round: usize, end: i32) {
        let run = &self.window.runs[run];
        let next = D::pick(run.next, run.previous);
        if next == NONE || end > self.latest {
            return;
        }
        let ridden = &mut self.memory.ridden[next as usize];
        if round < *ridden as usize {
            *ridden = round as u8;
            self.memory.seated.push(next);
        }
    }

    /// The earlier of the seat taken and the first one that can be had at a call.
    #[inline(always)]
    fn better_seat(&self, lane: &Lane, position: usize, ready: i32, seat: Option<Seat>) -> Option<Seat> {
        let times = self.window.entering::<D>(lane, position);
        if let Some((run, shift)) = seat
            && ready > D::key(times[run]) + shift
        {
            return seat;
        }
        if lane.headway != NONE {
            let shift = headway_shift::<D>(self.window, lane, times[0], ready);
            let new = shift.map(|shift| (0, D::key(shift))).filter(|_| self.allows(lane, 0, position));
            return match (seat, new) {
                (Some(seat), Some(new)) => Some(if new.1 < seat.1 { new } else { seat }),
                (seat, new) => seat.or(new),
            };
        }
        let mut next = D::first_run(times, ready);
        while let Some(run) = next.filter(|&run| !self.allows(lane, run, position)) {
            next = D::next_run(run, lane.runs as usize);
        }
        match (seat, next) {
            (Some((run, _)), Some(new)) if D::key(new as i32) >= D::key(run as i32) => seat,
            (seat, None) => seat,
            (_, Some(new)) => Some((new, 0)),
        }
    }

    #[inline(always)]
    fn allows(&self, lane: &Lane, run: usize, position: usize) -> bool {
        !self.filters.checks_runs() || {
            let first = self.window.patterns[lane.pattern as usize].first_position;
            let trip = self.window.runs[lane.first_run as usize + run].trip;
            self.filters.allows(self.timetable, trip, first + position as u32)
        }
    }

    #[inline(always)]
    fn leave(&mut self, round: usize, stop: usize, time: i32) {
        let memory = &mut *self.memory;
        if time >= memory.left[round][stop] || time > self.latest {
            return;
        }
        for later in &mut memory.left[round..] {
            later[stop] = time.min(later[stop]);
        }
        if !std::mem::replace(&mut memory.is_changed[stop], true) {
            memory.changed.push(stop as u32);
        }
    }

    fn walk_to_next(&mut self, round: usize) {
        let changed = std::mem::take(&mut self.memory.changed);
        for &stop in &changed {
            self.memory.is_changed[stop as usize] = false;
            let time = self.memory.left[round][stop as usize];
            self.change(round, stop, stop, time, 0);
            for index in 0..self.memory.walks.out_of::<D>(self.timetable, stop as usize).len() {
                let walk = self.memory.walks.out_of::<D>(self.timetable, stop as usize)[index];
                if walk.seconds < FAR
                    && time.saturating_add(walk.seconds) < self.memory.enter[round][walk.to_stop as usize]
                {
                    self.change(round, stop, walk.to_stop, time, walk.seconds);
                }
            }
        }
        self.memory.changed = changed;
        self.memory.changed.clear();
    }

    #[inline(always)]
    fn change(&mut self, round: usize, from: u32, to: u32, left: i32, seconds: i32) {
        let mut time = left.saturating_add(seconds);
        match self.memory.walks.general_verdict::<D>(self.timetable, from, to) {
            TransferVerdict::Forbidden => return,
            TransferVerdict::AtLeast(least) => {
                time = time.max(left - self.costs.leave_slack + least - self.costs.later_slack);
            }
            TransferVerdict::Plain { .. } => {}
        }
        self.enter_from(round, to as usize, time);
    }
}
