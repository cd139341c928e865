//! The multi-criteria search in rounds: round `n` finds every useful way of entering `n` vehicles.
//!
//! After "Round-Based Public Transit Routing" (Delling, Pajor, Werneck), McRAPTOR, over arrival time and generalized
//! cost; entries without prospect against a path already found are dropped by the lower bounds of [`Bounds`].

use super::bounds::Bounds;
use super::costs::{Centicost, Costs, FAR, RIDE, centi};
use super::direction::Direction;
use super::filters::{CLOSED, Filters};
use super::labels::{Arrival, Arrivals, Bag, Entry, Label, LabelKind, Rider};
use super::query::{Endpoint, StopSignal};
use super::transfers::{TransferVerdict, Walks};
use super::window::{CAN_ALIGHT, CAN_BOARD, Lane, NONE, ServiceWindow};
use crate::timetable::Timetable;
use trestle_model::ids::StopIdx;

/// Patterns scanned between two looks at the clock.
const PATTERNS_PER_CLOCK: u32 = 64;

/// Memory of the search, kept from request to request so that the loops do not allocate.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) labels: Vec<Label>,
    /// Labels per stop from which a vehicle can be entered.
    enter: Vec<Bag>,
    /// Labels per stop at which a vehicle was left.
    left: Vec<Bag>,
    /// Search in which a stop's bags were last emptied.
    bag_search: Vec<u32>,
    /// Search and round in which a stop last got an entry into `enter`, as `search * 64 + round`.
    enter_stamp: Vec<u32>,
    /// The same for `left`.
    left_stamp: Vec<u32>,
    search: u32,
    /// Stops with entries made in this round, to be entered from in the next.
    enter_stops: Vec<u32>,
    left_stops: Vec<u32>,
    /// First step from which a marked pattern is scanned.
    scan_from: Vec<u32>,
    marked: Vec<u32>,
    /// Least cost that a marked pattern may lead to.
    promise: Vec<Centicost>,
    riders: Vec<Rider>,
    /// Riders that stay seated: (run, rider without a place in a lane).
    seated: Vec<(u32, Rider)>,
    pub(super) arrivals: Arrivals,
    /// First entry of each stop's endpoints in `far`, [`NONE`] for none.
    far_of_stop: Vec<u32>,
    /// (endpoint index, next of the same stop).
    far: Vec<(u32, u32)>,
}

/// One search: what it reads, and the memory it writes.
pub(super) struct Rounds<'a> {
    pub(super) timetable: &'a Timetable,
    pub(super) window: &'a ServiceWindow,
    pub(super) costs: &'a Costs,
    /// What the request allows; trips used by earlier itineraries are banned between searches.
    pub(super) filters: Filters,
    pub(super) bounds: &'a Bounds,
    pub(super) walks: &'a Walks,
    /// Endpoints where the search starts.
    pub(super) near: &'a [Endpoint],
    /// Endpoints where it wants to get.
    pub(super) far: &'a [Endpoint],
    /// Start inside a vehicle: run, first step at which it can be left, shift.
    pub(super) on_board: Option<OnBoardRun>,
    /// Time of the search (key).
    pub(super) start: i32,
    /// Nothing later than this is of interest (key).
    pub(super) latest: i32,
    pub(super) stop: StopSignal<'a>,
    /// Number of this search within the request, for its deadline.
    pub(super) number: usize,
    pub(super) memory: &'a mut Memory,
}

/// A vehicle of the window in which the search starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnBoardRun {
    pub(super) run: u32,
    /// Position of the last call passed.
    pub(super) position: u16,
    /// Seconds added to its times.
    pub(super) shift: i32,
}

/// A vehicle to enter.
struct Vehicle {
    /// Index of the run within its lane.
    run: u32,
    /// Seconds added to its times, as a key.
    shift: i32,
    /// When it is entered (key).
    on: i32,
    /// Cost that a preferred transfer saves.
    discount: Centicost,
}

/// The search was stopped before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

impl Memory {
    /// All ways of having left a vehicle that the last search found, by stop.
    pub(super) fn left_entries(&self) -> impl Iterator<Item = (StopIdx, Entry)> + '_ {
        let owned = |stop: &usize| self.bag_search[*stop] == self.search;
        let stops = (0..self.left.len()).filter(owned);
        stops
            .flat_map(|stop| self.left[stop].entries().iter().map(move |entry| (StopIdx::from(stop), *entry)))
    }
}

impl Rounds<'_> {
    /// Runs the search. The paths found are in `memory.arrivals`, even when it was stopped.
    ///
    /// `known` are paths that are known to be possible; what is no better than they is not looked for.
    pub(super) fn run<D: Direction>(
        &mut self,
        cheapest_only: bool,
        known: &[Arrival],
    ) -> Result<(), Stopped> {
        self.reset(cheapest_only);
        known.iter().for_each(|arrival| self.memory.arrivals.add(*arrival));
        self.seed();
        for round in 1..=self.costs.max_rides as u32 {
            self.mark_patterns::<D>(round);
            if let Some(start) = self.on_board.filter(|_| round == 1) {
                self.seat_at_start(start);
            }
            if self.memory.marked.is_empty() && self.memory.seated.is_empty() {
                break;
            }
            self.scan_patterns::<D>(round)?;
            self.ride_on_seated::<D>(round);
            self.walk_to_next::<D>(round);
        }
        Ok(())
    }

    fn reset(&mut self, cheapest_only: bool) {
        let stops = self.window.stop_count();
        let memory = &mut *self.memory;
        memory.search += 1;
        if memory.search >= u32::MAX / 64 || memory.bag_search.len() != stops {
            memory.search = 1;
            memory.bag_search = vec![0; stops];
            memory.enter_stamp = vec![0; stops];
            memory.left_stamp = vec![0; stops];
            memory.enter.resize_with(stops, Bag::default);
            memory.left.resize_with(stops, Bag::default);
        }
        memory.scan_from.clear();
        memory.scan_from.resize(self.window.patterns.len(), NONE);
        memory.promise.resize(self.window.patterns.len(), 0);
        memory.labels.clear();
        memory.enter_stops.clear();
        memory.left_stops.clear();
        memory.marked.clear();
        memory.seated.clear();
        memory.arrivals.reset(cheapest_only);
        memory.far.clear();
        memory.far_of_stop.clear();
        memory.far_of_stop.resize(stops, NONE);
        for (index, endpoint) in self.far.iter().enumerate() {
            if let Some(first) = memory.far_of_stop.get_mut(endpoint.stop.index()) {
                memory.far.push((index as u32, *first));
                *first = memory.far.len() as u32 - 1;
            }
        }
    }

    /// The bags of a stop belong to this search from now on.
    #[inline(always)]
    fn own_bags(&mut self, stop: usize) {
        let memory = &mut *self.memory;
        if memory.bag_search[stop] != memory.search {
            memory.bag_search[stop] = memory.search;
            memory.enter[stop].clear();
            memory.left[stop].clear();
        }
    }

    fn seed(&mut self) {
        if self.on_board.is_some() {
            return;
        }
        for index in 0..self.near.len() {
            let endpoint = self.near[index];
            let stop = endpoint.stop.index();
            if stop >= self.window.stop_count() || self.bounds.enter[stop].time == FAR {
                continue;
            }
            let time = self.start + endpoint.seconds;
            let settled = centi(endpoint.cost) - self.costs.wait * (time - self.start);
            self.own_bags(stop);
            if self.memory.enter[stop].dominates(time, settled) {
                continue;
            }
            let label = self.push_label(NONE, stop, time, LabelKind::Endpoint(index as u32));
            self.add_enter(stop, Entry { time, settled, label, pattern: NONE, round: 0 });
        }
    }

    #[inline(always)]
    fn push_label(&mut self, parent: u32, stop: usize, time: i32, kind: LabelKind) -> u32 {
        let labels = &mut self.memory.labels;
        labels.push(Label { parent, stop: stop as u32, time, kind });
        labels.len() as u32 - 1
    }

    #[inline(always)]
    fn add_enter(&mut self, stop: usize, entry: Entry) {
        let memory = &mut *self.memory;
        memory.enter[stop].insert(entry);
        let stamp = memory.search * 64 + entry.round;
        if memory.enter_stamp[stop] != stamp {
            memory.enter_stamp[stop] = stamp;
            memory.enter_stops.push(stop as u32);
        }
    }

    /// Marks the patterns that can be entered with prospect from entries of the last round, the most promising one
    /// last (where it is taken from): paths found early make others useless.
    fn mark_patterns<D: Direction>(&mut self, round: u32) {
        let mut stops = std::mem::take(&mut self.memory.enter_stops);
        for stop in stops.drain(..) {
            for &[pattern, position] in self.window.calls_at(StopIdx(stop)) {
                self.mark_call::<D>(stop as usize, pattern as usize, position, round);
            }
        }
        let memory = &mut *self.memory;
        memory.enter_stops = stops;
        let promise = &memory.promise;
        memory.marked.sort_unstable_by_key(|&pattern| std::cmp::Reverse(promise[pattern as usize]));
    }

    #[inline(always)]
    fn mark_call<D: Direction>(&mut self, stop: usize, pattern: usize, position: u32, round: u32) {
        let active = &self.window.patterns[pattern];
        let call = (active.first_call + position) as usize;
        let (bound, penalty) = (self.bounds.riding[call], self.filters.pattern_penalty[pattern]);
        let (can_enter, _) = roles::<D>();
        if bound.time >= FAR || penalty == CLOSED || self.window.call_flags[call] & can_enter == 0 {
            return;
        }
        let memory = &mut *self.memory;
        let slack = if round == 1 { self.costs.first_slack } else { self.costs.later_slack };
        let mut promise = i32::MAX;
        for entry in memory.enter[stop].entries().iter().filter(|entry| entry.round + 1 == round) {
            let cost =
                entry.settled + self.costs.wait * (entry.time - self.start) + self.costs.board + penalty
                    - self.costs.nonpreferred_transfer;
            if !memory.arrivals.dominates(entry.time + slack + bound.time, cost + bound.cost) {
                promise = promise.min(cost + bound.cost);
            }
        }
        if promise == i32::MAX {
            return;
        }
        let step = D::position(position as usize, active.calls as usize) as u32;
        let from = &mut memory.scan_from[pattern];
        if *from == NONE {
            memory.marked.push(pattern as u32);
            memory.promise[pattern] = promise;
        }
        *from = step.min(*from);
        memory.promise[pattern] = promise.min(memory.promise[pattern]);
    }

    fn seat_at_start(&mut self, start: OnBoardRun) {
        let pattern = self.window.pattern_of_run(start.run as usize);
        let stop = self.window.stops_of(pattern)[start.position as usize].index();
        let time = self.start;
        let label = self.push_label(NONE, stop, time, LabelKind::OnBoard);
        let rider = Rider {
            run: 0,
            shift: start.shift,
            settled: -RIDE * time,
            label,
            entered: start.position,
            seated: false,
            partial: false,
        };
        self.memory.seated.push((start.run, rider));
    }

    fn scan_patterns<D: Direction>(&mut self, round: u32) -> Result<(), Stopped> {
        let mut until_clock = 0;
        while let Some(pattern) = self.memory.marked.pop() {
            if until_clock == 0 {
                if self.stop.is_set(self.number) {
                    return Err(Stopped);
                }
                until_clock = PATTERNS_PER_CLOCK;
            }
            until_clock -= 1;
            let from = std::mem::replace(&mut self.memory.scan_from[pattern as usize], NONE);
            let active = self.window.patterns[pattern as usize];
            for lane in active.first_lane..active.first_lane + active.lanes {
                self.memory.riders.clear();
                self.scan_lane::<D>(lane, from as usize, round);
            }
        }
        Ok(())
    }

    /// Rides along a lane: riders get off where it is of use, riders of the last round's entries get on.
    fn scan_lane<D: Direction>(&mut self, lane_index: u32, from: usize, round: u32) {
        let window = self.window;
        let lane = &window.lanes[lane_index as usize];
        let pattern = &window.patterns[lane.pattern as usize];
        let calls = pattern.calls as usize;
        let (can_enter, can_leave) = roles::<D>();
        let fresh = self.memory.search * 64 + round - 1;
        for step in from..calls {
            let position = D::position(step, calls);
            let call = pattern.first_call as usize + position;
            let stop = window.call_stop[call];
            let flags = window.call_flags[call];
            let stops_at = self.filters.stops_at(stop);
            if !self.memory.riders.is_empty() {
                if flags & can_leave != 0 && stops_at {
                    self.leave::<D>(lane, pattern.mode, position, stop.index(), round);
                }
                if !self.filters.passes(stop) {
                    self.memory.riders.clear();
                }
            }
            if self.memory.enter_stamp[stop.index()] == fresh
                && flags & can_enter != 0
                && stops_at
                && self.bounds.riding[call].time < FAR
            {
                self.enter::<D>(lane, pattern.mode, position, stop.index(), round);
            }
        }
        if !window.continuations.is_empty() && lane.headway == NONE {
            self.stay_seated::<D>(lane, calls);
        }
    }

    /// Lets every rider of a lane off at a call where that is of use.
    fn leave<D: Direction>(&mut self, lane: &Lane, mode: u8, position: usize, stop: usize, round: u32) {
        let (window, costs) = (self.window, self.costs);
        let times = window.leaving::<D>(lane, position);
        let leave_time = costs.leave_times[mode as usize];
        let left = self.bounds.left[stop];
        if left.time >= FAR {
            return;
        }
        self.own_bags(stop);
        for index in 0..self.memory.riders.len() {
            let rider = self.memory.riders[index];
            let off = D::key(times[rider.run as usize]) + rider.shift;
            let cost = rider.settled + RIDE * off + costs.wait * leave_time;
            let time = off + costs.leave_slack + leave_time;
            let settled = cost - costs.wait * (time - self.start);
            if time > self.latest
                || self.memory.left[stop].dominates(time, settled)
                || self.memory.arrivals.dominates(time + left.time, cost + left.cost)
            {
                continue;
            }
            if self.filters.checks_runs() && !self.allows(lane, rider.run, position) {
                continue;
            }
            let kind = LabelKind::Ride {
                run: lane.first_run + rider.run,
                shift: D::key(rider.shift),
                entered: rider.entered,
                left: position as u16,
                seated: rider.seated,
            };
            let label = self.push_label(rider.label, stop, time, kind);
            self.add_left(stop, Entry { time, settled, label, pattern: lane.pattern, round });
            self.arrive(stop, time, cost, label);
        }
    }

    #[inline(always)]
    fn add_left(&mut self, stop: usize, entry: Entry) {
        let memory = &mut *self.memory;
        memory.left[stop].insert(entry);
        let stamp = memory.search * 64 + entry.round;
        if memory.left_stamp[stop] != stamp {
            memory.left_stamp[stop] = stamp;
            memory.left_stops.push(stop as u32);
        }
    }

    /// Notes the complete paths that end with leaving a vehicle at a stop.
    #[inline(always)]
    fn arrive(&mut self, stop: usize, time: i32, cost: Centicost, label: u32) {
        let mut next = self.memory.far_of_stop[stop];
        while next != NONE {
            let (endpoint, following) = self.memory.far[next as usize];
            let far = &self.far[endpoint as usize];
            let arrival = Arrival { time: time + far.seconds, cost: cost + centi(far.cost), label, endpoint };
            self.memory.arrivals.add(arrival);
            next = following;
        }
    }

    /// Whether the request allows a run at a position of its pattern.
    fn allows(&self, lane: &Lane, run: u32, position: usize) -> bool {
        let first = self.window.patterns[lane.pattern as usize].first_position;
        let trip = self.window.runs[(lane.first_run + run) as usize].trip;
        self.filters.allows(self.timetable, trip, first + position as u32)
    }

    /// Lets the entries of the last round enter a lane at a call.
    fn enter<D: Direction>(&mut self, lane: &Lane, mode: u8, position: usize, stop: usize, round: u32) {
        let costs = self.costs;
        let bound = {
            let call = self.window.patterns[lane.pattern as usize].first_call as usize + position;
            self.bounds.riding[call]
        };
        let penalty = self.filters.pattern_penalty[lane.pattern as usize];
        let (slack, wait) =
            if round == 1 { (costs.first_slack, costs.first_wait) } else { (costs.later_slack, costs.wait) };
        let enter_time = costs.enter_times[mode as usize];
        for index in 0..self.memory.enter[stop].entries().len() {
            let entry = self.memory.enter[stop].entries()[index];
            if entry.round + 1 != round || entry.pattern == lane.pattern {
                continue;
            }
            let ready = entry.time + slack + enter_time;
            let least = entry.settled + costs.wait * (entry.time - self.start) + costs.board + penalty;
            if self
                .memory
                .arrivals
                .dominates(ready + bound.time, least - costs.nonpreferred_transfer + bound.cost)
            {
                continue;
            }
            let mut next = self.first_allowed::<D>(lane, position, ready, &entry, stop);
            while let Some(Vehicle { run, shift, on, discount }) = next {
                // A trip that is banned at some calls may not let its riders off where another does.
                let partial = self.filters.is_partial(self.window.runs[(lane.first_run + run) as usize].trip);
                let cost = entry.settled
                    + costs.wait * (entry.time - self.start)
                    + wait * (on - slack - entry.time)
                    + RIDE * slack
                    + costs.board
                    + penalty
                    - discount;
                if self.memory.arrivals.dominates(on + bound.time, cost + bound.cost) {
                    break;
                }
                let rider = Rider {
                    run,
                    shift,
                    settled: cost - RIDE * on,
                    label: entry.label,
                    entered: position as u16,
                    seated: false,
                    partial,
                };
                add_rider::<D>(&mut self.memory.riders, rider, lane.headway != NONE, costs.wait);
                next = (partial && lane.headway == NONE)
                    .then(|| self.first_allowed::<D>(lane, position, on + 1, &entry, stop))
                    .flatten();
            }
        }
    }

    /// The first run of a lane that an entry can take at a call.
    #[inline(always)]
    fn first_allowed<D: Direction>(
        &self,
        lane: &Lane,
        position: usize,
        ready: i32,
        entry: &Entry,
        stop: usize,
    ) -> Option<Vehicle> {
        let times = self.window.entering::<D>(lane, position);
        let runs = lane.runs as usize;
        let by_trip = entry.round > 0 && self.walks.has_trip_rules(stop);
        if lane.headway != NONE {
            let shift = headway_shift::<D>(self.window, lane, times[0], ready)?;
            let on = D::key(times[0] + shift);
            let allowed = !self.filters.checks_runs() || self.allows(lane, 0, position);
            return allowed.then_some(Vehicle { run: 0, shift: D::key(shift), on, discount: 0 });
        }
        let mut next = D::first_run(times, ready);
        while let Some(run) = next {
            let on = D::key(times[run]);
            if !self.filters.checks_runs() || self.allows(lane, run as u32, position) {
                let discount =
                    if by_trip { self.rule_discount::<D>(lane, run, entry, stop, on) } else { Some(0) };
                if let Some(discount) = discount {
                    return Some(Vehicle { run: run as u32, shift: 0, on, discount });
                }
            }
            next = D::next_run(run, runs);
        }
        None
    }

    /// What the rules for certain trips and routes take off the cost when an entry takes a run; `None` when they
    /// do not allow it.
    fn rule_discount<D: Direction>(
        &self,
        lane: &Lane,
        run: usize,
        entry: &Entry,
        stop: usize,
        on: i32,
    ) -> Option<Centicost> {
        let labels = &self.memory.labels;
        let mut label = labels[entry.label as usize];
        if let LabelKind::Walk { .. } = label.kind {
            label = labels[label.parent as usize];
        }
        let LabelKind::Ride { run: last, .. } = label.kind else { return Some(0) };
        let verdict = self.walks.verdict::<D>(
            self.timetable,
            (label.stop, self.window.trip_and_route(last as usize)),
            (stop as u32, self.window.trip_and_route(self.window.run_of(lane, run))),
        );
        let off = label.time - self.costs.leave_slack - self.leave_time(entry.pattern);
        match verdict {
            TransferVerdict::Forbidden => None,
            TransferVerdict::AtLeast(seconds) => (on >= off + seconds).then_some(0),
            TransferVerdict::Plain { preferred: true } => Some(self.costs.nonpreferred_transfer),
            TransferVerdict::Plain { preferred: false } => Some(0),
        }
    }

    /// Riders at the end of a lane whose vehicle goes on as another run stay seated.
    fn stay_seated<D: Direction>(&mut self, lane: &Lane, calls: usize) {
        let position = D::position(calls - 1, calls);
        let times = self.window.leaving::<D>(lane, position);
        for index in 0..self.memory.riders.len() {
            let rider = self.memory.riders[index];
            let run = lane.first_run + rider.run;
            let next = D::pick(self.window.runs[run as usize].next, self.window.runs[run as usize].previous);
            if next == NONE || rider.entered as usize == position {
                continue;
            }
            let stop = self.window.call_stop
                [self.window.patterns[lane.pattern as usize].first_call as usize + position];
            let kind = LabelKind::Ride {
                run,
                shift: D::key(rider.shift),
                entered: rider.entered,
                left: position as u16,
                seated: rider.seated,
            };
            let off = D::key(times[rider.run as usize]) + rider.shift;
            let label = self.push_label(rider.label, stop.index(), off, kind);
            self.memory.seated.push((next, Rider { label, seated: true, ..rider }));
        }
    }

    /// Scans the runs whose riders stayed seated.
    fn ride_on_seated<D: Direction>(&mut self, round: u32) {
        while let Some((run, rider)) = self.memory.seated.pop() {
            let lane_index = self.window.runs[run as usize].lane;
            let lane = &self.window.lanes[lane_index as usize];
            let pattern = &self.window.patterns[lane.pattern as usize];
            let calls = pattern.calls as usize;
            if self.filters.pattern_penalty[lane.pattern as usize] == CLOSED {
                continue;
            }
            let entered = if rider.seated { D::position(0, calls) as u16 } else { rider.entered };
            let from = D::position(entered as usize, calls);
            let run = run - lane.first_run;
            if self.filters.checks_runs() && !self.allows(lane, run, entered as usize) {
                continue;
            }
            self.memory.riders.clear();
            self.memory.riders.push(Rider { run, entered, ..rider });
            // Nobody enters here: entries of the last round were served by the ordinary scan.
            self.scan_seated::<D>(lane_index, from + 1, round);
        }
    }

    fn scan_seated<D: Direction>(&mut self, lane_index: u32, from: usize, round: u32) {
        let window = self.window;
        let lane = &window.lanes[lane_index as usize];
        let pattern = &window.patterns[lane.pattern as usize];
        let calls = pattern.calls as usize;
        let (_, can_leave) = roles::<D>();
        for step in from..calls {
            let position = D::position(step, calls);
            let call = pattern.first_call as usize + position;
            let stop = window.call_stop[call];
            if window.call_flags[call] & can_leave != 0 && self.filters.stops_at(stop) {
                self.leave::<D>(lane, pattern.mode, position, stop.index(), round);
            }
            if !self.filters.passes(stop) {
                self.memory.riders.clear();
                return;
            }
        }
        self.stay_seated::<D>(lane, calls);
    }

    /// Carries the entries of this round's left vehicles to where the next can be entered: the same stop, and those
    /// within a walk.
    fn walk_to_next<D: Direction>(&mut self, round: u32) {
        let stops = std::mem::take(&mut self.memory.left_stops);
        for &stop in &stops {
            for index in 0..self.memory.left[stop as usize].entries().len() {
                let entry = self.memory.left[stop as usize].entries()[index];
                if entry.round != round {
                    continue;
                }
                self.change::<D>(stop as usize, stop as usize, 0, 0, entry);
                for walk in self.walks.out_of::<D>(self.timetable, stop as usize) {
                    if walk.seconds < FAR {
                        self.change::<D>(
                            stop as usize,
                            walk.to_stop as usize,
                            walk.seconds,
                            walk.cost,
                            entry,
                        );
                    }
                }
            }
        }
        self.memory.left_stops = stops;
        self.memory.left_stops.clear();
    }

    /// Makes an entry for entering a vehicle at `to` from one for having left one at `from`.
    #[inline(always)]
    fn change<D: Direction>(&mut self, from: usize, to: usize, seconds: i32, cost: Centicost, left: Entry) {
        let costs = self.costs;
        let mut time = left.time + seconds;
        let mut settled = left.settled + cost - costs.wait * seconds + costs.transfer;
        let bound = self.bounds.enter[to];
        if bound.time >= FAR {
            return;
        }
        match self.walks.general_verdict::<D>(self.timetable, from as u32, to as u32) {
            TransferVerdict::Forbidden => return,
            TransferVerdict::AtLeast(least) => {
                let off = left.time - costs.leave_slack - self.leave_time(left.pattern);
                time = time.max(off + least - costs.later_slack);
                settled += costs.nonpreferred_transfer;
            }
            TransferVerdict::Plain { preferred: true } => {}
            TransferVerdict::Plain { preferred: false } => settled += costs.nonpreferred_transfer,
        }
        self.own_bags(to);
        if self.memory.enter[to].dominates(time, settled)
            || self
                .memory
                .arrivals
                .dominates(time + bound.time, settled + costs.wait * (time - self.start) + bound.cost)
        {
            return;
        }
        let label = if from == to && seconds == 0 {
            left.label
        } else {
            self.push_label(left.label, to, time, LabelKind::Walk { seconds })
        };
        self.add_enter(to, Entry { time, settled, label, ..left });
    }

    fn leave_time(&self, pattern: u32) -> i32 {
        self.costs.leave_times[self.window.patterns[pattern as usize].mode as usize]
    }
}

/// Flags of a call at which a search can (enter, leave) a vehicle.
#[inline(always)]
pub(super) fn roles<D: Direction>() -> (u8, u8) {
    D::pick((CAN_BOARD, CAN_ALIGHT), (CAN_ALIGHT, CAN_BOARD))
}

/// Seconds to add to the times of a headway lane for the vehicle that a rider ready at `ready` gets: one full
/// headway later, but not before the first vehicle and not after the last.
pub(super) fn headway_shift<D: Direction>(
    window: &ServiceWindow,
    lane: &Lane,
    call_time: i32,
    ready: i32,
) -> Option<i32> {
    let headway = window.headways[lane.headway as usize];
    let (first, end) = (headway.start + call_time, headway.end + call_time);
    if D::FORWARD {
        let on = (ready + headway.seconds).max(first);
        (on < end).then_some(on - call_time)
    } else {
        let on = (-ready - headway.seconds).min(end - 1);
        (on >= first).then_some(on - call_time)
    }
}

/// Adds a rider to a lane unless another in it is never later and not dearer; removes those it makes useless.
#[inline(always)]
fn add_rider<D: Direction>(riders: &mut Vec<Rider>, rider: Rider, headway: bool, wait: Centicost) {
    // Order of travel: runs of a lane never overtake; vehicles of a headway are ordered by their shift.
    let order = |r: &Rider| if headway { r.shift } else { D::key(r.run as i32) };
    let useless = |a: &Rider, b: &Rider| {
        // Waiting dearer than riding can make the later vehicle the cheaper one further on.
        let comparable = if wait <= RIDE { order(a) <= order(b) } else { order(a) == order(b) };
        comparable && !a.partial && a.settled <= b.settled
    };
    if riders.iter().any(|other| useless(other, &rider)) {
        return;
    }
    riders.retain(|other| !useless(&rider, other));
    riders.push(rider);
}
