//! Earliest arrivals at all stops for every departure of a time window, in one go: rRAPTOR ("Round-Based Public
//! Transit Routing", section 4). No paths. One departure is the plain earliest-arrival search.

use std::ops::Range;

use trestle_model::{BitSet, RoutingRequest};

use super::costs::{Costs, FAR};
use super::direction::{Backward, Direction, Forward};
use super::entering::first_vehicle;
use super::filters::{CLOSED, Filters};
use super::lane_spans::{LaneSpans, RiddenRuns};
use super::query::{Endpoint, StopSignal};
use super::rounds::{Stopped, roles};
use super::transfers::{Walks, stops_of};
use super::window::{Lane, NONE, ServiceWindow};
use crate::timetable::Timetable;
use trestle_model::ids::StopIdx;

/// So many rides are never too few: then it does not matter how many of them led to a stop.
const UNLIMITED_RIDES: usize = 10;

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

/// What one departure (with `arrive_by`: arrival) reaches.
#[derive(Clone, Copy, Debug)]
pub struct Departure<'a> {
    /// Its place in the range, from 0.
    pub index: usize,
    /// Per stop: seconds from the departure until a vehicle is left there, or [`UNREACHED`].
    pub seconds: &'a [i32],
}

/// Memory of range searches, one per worker, kept from request to request.
#[derive(Debug, Default)]
pub struct RangeScratch {
    walks: Walks,
    /// Per round and stop: when the next vehicle can be entered. There are as many rounds as the search has come to.
    enter: Vec<Vec<i32>>,
    /// Per round and stop: when a vehicle was left, in this round or before.
    left: Vec<Vec<i32>>,
    /// Per stop: the time of the last way found worth entering with behind a ride; of one departure the soonest.
    best_enter: Vec<i32>,
    /// Stops whose `enter` of the last round changed.
    entered: Vec<u32>,
    is_entered: Vec<bool>,
    /// Stops whose `left` changed in this round.
    changed: Vec<u32>,
    is_changed: Vec<bool>,
    scan_from: Vec<u32>,
    marked: Vec<u32>,
    /// Runs that riders stay seated until.
    seated: Vec<u32>,
    /// Per run: the least round in which riders already seated rode on as it.
    ridden: Vec<usize>,
    spans: LaneSpans,
    ridden_runs: RiddenRuns,
    seconds: Vec<i32>,
}

/// Calls `each` with every departure, the last one first. Access without a ride is not in it.
///
/// Rules of transfers.txt for certain trips or routes are not looked at here. Returns false when it was stopped
/// early; the departures told until then are complete.
pub fn range(
    timetable: &Timetable,
    window: &ServiceWindow,
    query: &RangeQuery<'_>,
    scratch: &mut RangeScratch,
    each: &mut dyn FnMut(Departure<'_>),
) -> bool {
    let filters = Filters::new(timetable, window, query.request, query.bike_aboard);
    scratch.walks.prepare(timetable, window, query.request);
    if query.request.arrive_by {
        RangeSearch::<Backward>::new(timetable, window, query, &filters, scratch).run(each).is_ok()
    } else {
        RangeSearch::<Forward>::new(timetable, window, query, &filters, scratch).run(each).is_ok()
    }
}

/// A place in a vehicle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Seat {
    /// Index of the run within its lane.
    run: usize,
    /// Seconds added to its times, as a key.
    shift: i32,
}

/// Notes that a rider is in `run` on arriving at the call `step`, or behind the last one; false when somebody was who
/// is nowhere later. Nothing is noted, and all are let ride, without entries.
#[inline(always)]
fn rides_on<D: Direction>(ridden: &mut [u32], step: usize, run: usize) -> bool {
    let Some(known) = ridden.get_mut(step) else { return true };
    let sooner = D::is_before(run as u32, *known);
    if sooner {
        *known = run as u32;
    }
    sooner
}

struct RangeSearch<'a, D> {
    timetable: &'a Timetable,
    window: &'a ServiceWindow,
    query: &'a RangeQuery<'a>,
    filters: &'a Filters,
    costs: Costs,
    closed: BitSet,
    /// Stops at which transfers.txt has a say in changing.
    ruled: BitSet,
    memory: &'a mut RangeScratch,
    latest: i32,
    /// Nobody enters who is no sooner than with fewer rides. Of more departures, later ones
    /// took any number of rides.
    skips_later: bool,
    /// Nobody rides where riders in a run that is no later were before. Not so where single runs may be closed to them.
    skips_ridden: bool,
    /// Patterns of which some vehicle continues as another run: that may be of use to who is in a later one.
    continuing: BitSet,
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
            arrays.resize_with(1, Vec::new);
            arrays[0].clear();
            arrays[0].resize(stops, UNREACHED);
        }
        memory.best_enter.clear();
        memory.best_enter.resize(stops, UNREACHED);
        for flags in [&mut memory.is_entered, &mut memory.is_changed] {
            flags.clear();
            flags.resize(stops, false);
        }
        memory.scan_from.clear();
        memory.scan_from.resize(window.patterns.len(), NONE);
        for list in [&mut memory.entered, &mut memory.changed, &mut memory.marked] {
            list.clear();
        }
        memory.seated.clear();
        memory.ridden.clear();
        if !window.continuations.is_empty() {
            memory.ridden.resize(window.runs.len(), usize::MAX);
        }
        let mut closed = BitSet::default();
        for (pattern, _) in filters.pattern_penalty.iter().enumerate().filter(|(_, p)| **p == CLOSED) {
            closed.insert(pattern);
        }
        let direction = std::marker::PhantomData;
        let ruled = stops_of(timetable.transfers.rules.iter());
        let skips_later = query.count == 1;
        let skips_ridden = skips_later && !filters.checks_runs();
        let mut continuing = BitSet::default();
        window.continuations.iter().for_each(|&[from, to]| continuing.insert(D::pick(from, to) as usize));
        if skips_ridden {
            memory.ridden_runs.clear(window.lanes.len());
        }
        RangeSearch {
            timetable,
            window,
            query,
            filters,
            costs,
            closed,
            ruled,
            memory,
            latest: 0,
            skips_later,
            skips_ridden,
            continuing,
            direction,
        }
    }

    /// Departures from the last to the first: what a later one found, an earlier one can wait for.
    fn run(&mut self, each: &mut dyn FnMut(Departure<'_>)) -> Result<(), Stopped> {
        let step = i64::from(self.query.step.max(1));
        let start_of = |index: usize| D::key(self.window.time_of(self.query.first + step * index as i64));
        let (first, last) = (start_of(0), start_of(self.query.count.saturating_sub(1)));
        let latest = first.max(last).saturating_add(self.query.max_seconds);
        self.memory.spans.prepare::<D>(self.window, first.min(last), latest);
        for number in 0..self.query.count {
            let index = if D::FORWARD { self.query.count - 1 - number } else { number };
            let start = start_of(index);
            self.latest = start.saturating_add(self.query.max_seconds);
            self.depart(start)?;
            self.tell(index, start, each);
        }
        Ok(())
    }

    fn tell(&mut self, index: usize, start: i32, each: &mut dyn FnMut(Departure<'_>)) {
        let RangeScratch { left, seconds, .. } = &mut *self.memory;
        let (last, latest) = (left.last().map_or(&[][..], Vec::as_slice), self.latest);
        seconds.clear();
        seconds.extend(last.iter().map(|&time| if time <= latest { time - start } else { UNREACHED }));
        each(Departure { index, seconds });
    }

    fn depart(&mut self, start: i32) -> Result<(), Stopped> {
        for endpoint in self.query.near {
            let time = start.saturating_add(endpoint.seconds);
            if !self.is_ridden_to(endpoint.stop, time) {
                self.enter_from(0, endpoint.stop.index(), time);
            }
        }
        for round in 1..=self.costs.max_rides {
            if self.query.stop.is_set(0) {
                return Err(Stopped::Told);
            }
            self.mark_patterns();
            if self.memory.marked.is_empty() {
                break;
            }
            self.begin_round(round);
            while let Some(pattern) = self.memory.marked.pop() {
                let from = std::mem::replace(&mut self.memory.scan_from[pattern as usize], NONE) as usize;
                let active = &self.window.patterns[pattern as usize];
                for lane in active.first_lane..active.first_lane + active.lanes {
                    self.scan(lane as usize, from, round, None);
                }
            }
            while let Some(run) = self.memory.seated.pop() {
                let lane = self.window.runs[run as usize].lane as usize;
                let run = (run - self.window.lanes[lane].first_run) as usize;
                if !self.closed.has(self.window.lanes[lane].pattern as usize) {
                    self.scan(lane, 1, round, Some(Seat { run, shift: 0 }));
                }
            }
            self.walk_to_next(round);
        }
        self.forget_marks();
        Ok(())
    }

    /// Whether riders of a later departure are at a stop by the time at which one walks there, ready for whatever leaves
    /// then: nobody has to walk so far.
    fn is_ridden_to(&self, stop: StopIdx, time: i32) -> bool {
        if self.costs.max_rides < UNLIMITED_RIDES || self.ruled.has(stop.index()) {
            return false;
        }
        let changing = (self.costs.later_slack - self.costs.first_slack).max(0);
        let left = self.memory.left.last().and_then(|left| left.get(stop.index()));
        left.is_some_and(|&left| left != UNREACHED && left + changing <= time)
    }

    /// Makes room for a round that the search has not come to before: what the rounds before left is left in it, too.
    fn begin_round(&mut self, round: usize) {
        let memory = &mut *self.memory;
        if memory.left.len() == round {
            memory.left.push(memory.left[round - 1].clone());
            memory.enter.push(vec![UNREACHED; self.window.stop_count()]);
        }
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
                let from = memory.scan_from[pattern as usize];
                if step >= from || self.closed.has(pattern as usize) {
                    continue;
                }
                let flags = self.window.call_flags[(active.first_call + position) as usize];
                if flags & can_enter == 0 {
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
        let scheduled = lane.headway == NONE;
        let runs = if scheduled { self.memory.spans.runs_of::<D>(window, lane_index) } else { 0..1 };
        if runs.is_empty() && seated.is_none() {
            return;
        }
        let pattern = &window.patterns[lane.pattern as usize];
        let calls = pattern.calls as usize;
        let (can_enter, can_leave) = roles::<D>();
        let mode = pattern.mode as usize;
        let slack = if round == 1 { self.costs.first_slack } else { self.costs.later_slack };
        let enter_after = slack + self.costs.enter_times[mode];
        let leave_after = self.costs.leave_slack + self.costs.leave_times[mode];
        let skips_ridden = self.skips_ridden && scheduled && !self.continuing.has(lane.pattern as usize);
        let mut ridden_runs = std::mem::take(&mut self.memory.ridden_runs);
        let ridden: &mut [u32] = if skips_ridden { ridden_runs.of_lane(lane_index, calls) } else { &mut [] };
        let mut seat = seated;
        for step in from..calls {
            let position = D::position(step, calls);
            let call = pattern.first_call as usize + position;
            let stop = window.call_stop[call];
            let (flags, stops_at) = (window.call_flags[call], self.filters.stops_at(stop));
            if let Some(Seat { run, shift }) = seat {
                if !rides_on::<D>(ridden, step, run) {
                    seat = None;
                } else if flags & can_leave != 0 && stops_at && self.allows(lane, run, position) {
                    let off = D::key(window.leaving::<D>(lane, position)[run]) + shift;
                    self.leave(round, stop.index(), off + leave_after);
                }
                if !self.filters.passes(stop) {
                    seat = None;
                }
            }
            let entry = self.memory.enter[round - 1][stop.index()];
            if entry != UNREACHED && flags & can_enter != 0 && stops_at {
                let runs = ridden.get(step + 1).map_or(runs.clone(), |&r| D::runs_before(runs.clone(), r));
                seat = self.better_seat(lane, position, entry + enter_after, seat, runs);
            }
        }
        if let Some(Seat { run, shift }) = seat
            && rides_on::<D>(ridden, calls, run)
        {
            let position = D::position(calls - 1, calls);
            let end = D::key(window.leaving::<D>(lane, position)[run]) + shift;
            self.stay_seated(lane.first_run as usize + run, round, end);
        }
        self.memory.ridden_runs = ridden_runs;
    }

    /// Rides on as the run that the vehicle continues as, unless riders did with as few rides: they told all its calls.
    fn stay_seated(&mut self, run: usize, round: usize, end: i32) {
        let run = &self.window.runs[run];
        let next = D::pick(run.next, run.previous);
        if next == NONE || end > self.latest {
            return;
        }
        let Some(ridden) = self.memory.ridden.get_mut(next as usize) else { return };
        if round < *ridden {
            *ridden = round;
            self.memory.seated.push(next);
        }
    }

    /// The better of the seat taken and the first one of some `runs` that can be had at a call.
    #[inline(always)]
    fn better_seat(
        &self,
        lane: &Lane,
        position: usize,
        ready: i32,
        seat: Option<Seat>,
        runs: Range<usize>,
    ) -> Option<Seat> {
        let times = self.window.entering::<D>(lane, position);
        if let Some(Seat { run, shift }) = seat
            && ready > D::key(times[run]) + shift
        {
            return seat;
        }
        // Of one lane the run that is earlier somewhere is so everywhere.
        let sooner = seat.map_or(runs.clone(), |seat| D::runs_before(runs, seat.run as u32));
        let allows = |run: usize| self.allows(lane, run, position);
        let new = first_vehicle::<D>(self.window, lane, position, sooner, ready, allows);
        match (seat, new) {
            // One run: its vehicles are in the order of their shifts.
            (Some(seat), Some((_, shift))) if lane.headway != NONE && shift >= seat.shift => Some(seat),
            _ => new.map(|(run, shift)| Seat { run, shift }).or(seat),
        }
    }

    #[inline(always)]
    fn allows(&self, lane: &Lane, run: usize, position: usize) -> bool {
        self.filters.allows_at(self.timetable, self.window, lane, run, position)
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
        let walks = std::mem::take(&mut self.memory.walks);
        // Who stays at the stop is mostly there before those who walk to it.
        for &stop in &changed {
            self.memory.is_changed[stop as usize] = false;
            let time = self.memory.left[round][stop as usize];
            self.change(&walks, round, stop, stop, time, 0);
        }
        for &stop in &changed {
            let time = self.memory.left[round][stop as usize];
            for walk in walks.out_of::<D>(self.timetable, stop as usize) {
                let there = time.saturating_add(walk.seconds);
                if self.is_worth_entering(round, walk.to_stop as usize, there) && walk.seconds < FAR {
                    self.change(&walks, round, stop, walk.to_stop, time, walk.seconds);
                }
            }
        }
        self.memory.walks = walks;
        self.memory.changed = changed;
        self.memory.changed.clear();
    }

    /// Whether being at a stop behind a ride at a time is better than what is known. Of one departure, who is no sooner
    /// than with fewer rides gets nowhere sooner.
    #[inline(always)]
    fn is_worth_entering(&self, round: usize, stop: usize, time: i32) -> bool {
        let known = if self.skips_later { &self.memory.best_enter } else { &self.memory.enter[round] };
        known.get(stop).is_some_and(|known| time < *known)
    }

    #[inline(always)]
    fn change(&mut self, walks: &Walks, round: usize, from: u32, to: u32, left: i32, seconds: i32) {
        let Some(time) = walks.ready::<D>(self.timetable, &self.costs, (from, to), left, seconds) else {
            return;
        };
        let stop = to as usize;
        if self.is_worth_entering(round, stop, time) {
            self.memory.best_enter[stop] = time;
            self.enter_from(round, stop, time);
        }
    }
}
