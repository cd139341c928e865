//! The multi-criteria search in rounds: round `n` finds every useful way of entering `n` vehicles.
//!
//! After "Round-Based Public Transit Routing" (Delling, Pajor, Werneck), McRAPTOR, over arrival time and generalized
//! cost; entries without prospect against a path already found are dropped by the lower bounds of [`Bounds`].

use super::apart::LONGEST_SLIDE;
use super::bounds::Bounds;
use super::costs::{Centicost, Costs, FAR, RIDE, centi};
use super::direction::Direction;
use super::entering::Boarding;
use super::filters::{CLOSED, Filters};
use super::labels::{Arrival, Entry, Interest, LabelKind, Rider};
use super::memory::{Memory, UNMARKED};
use super::query::{Endpoint, StopSignal};
use super::scan::{Stopped, roles};
use super::transfers::{TransferVerdict, Walks};
use super::window::{Lane, NONE, ServiceWindow};
use crate::timetable::Timetable;
use trestle_model::ids::StopIdx;

/// Patterns scanned between two looks at the clock.
const PATTERNS_PER_CLOCK: u32 = 64;

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
    /// What is known of the arrivals still possible, in a search that waits long.
    pub(super) floor: Option<Floor>,
    /// Gives up with more labels than this.
    pub(super) most_labels: usize,
    /// Which vehicles riders take.
    pub(super) boarding: Boarding,
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

/// Nobody arrives before a time, and every second until then costs a toll: a bound for searches that the least running
/// times tell little, because a night without service lies in between.
#[derive(Debug)]
pub(super) struct Floor {
    /// The earliest arrival (key).
    pub(super) earliest: i32,
    /// Least cost of a second once the first vehicle is entered.
    pub(super) toll: Centicost,
    /// Bounds of the cost that is left beyond the toll: boardings, walks.
    pub(super) beyond: Bounds,
}

impl Floor {
    /// Raises a bound of the cost that is left at `time`; `beyond` takes that beyond the toll from the bounds.
    #[inline(always)]
    fn raise(
        floor: Option<&Floor>,
        bound: Centicost,
        time: i32,
        beyond: impl FnOnce(&Bounds) -> Centicost,
    ) -> Centicost {
        match floor {
            Some(floor) => bound.max(floor.toll * (floor.earliest - time) + beyond(&floor.beyond)),
            None => bound,
        }
    }
}

impl Rounds<'_> {
    /// Runs the search. The paths found are in `memory.arrivals`, even when it was stopped.
    ///
    /// `known` are paths that are known to be possible; what is no better than they is not looked for.
    pub(super) fn run<D: Direction>(&mut self, interest: Interest, known: &[Arrival]) -> Result<(), Stopped> {
        self.memory.begin(self.window, self.far, interest);
        known.iter().for_each(|arrival| self.memory.arrivals.add(*arrival));
        self.seed();
        let last = self.costs.max_rides as u32;
        for round in 1..=last {
            self.mark_patterns::<D>(round);
            if let Some(start) = self.on_board.filter(|_| round == 1) {
                self.seat_at_start(start);
            }
            if self.memory.marked.is_empty() && self.memory.seated.is_empty() {
                break;
            }
            self.scan_patterns::<D>(round)?;
            self.ride_on_seated::<D>(round);
            if round < last {
                self.walk_to_next::<D>(round)?;
            }
        }
        Ok(())
    }

    fn check_size(&self) -> Result<(), Stopped> {
        if self.memory.labels.len() > self.most_labels { Err(Stopped::Overgrown) } else { Ok(()) }
    }

    fn seed(&mut self) {
        if self.on_board.is_some() {
            return;
        }
        for index in 0..self.near.len() {
            let endpoint = self.near[index];
            let stop = endpoint.stop.index();
            if stop >= self.window.stop_count() || self.bounds.enter[stop] >= FAR {
                continue;
            }
            let time = self.start + endpoint.seconds;
            let settled = centi(endpoint.cost) - self.costs.settling * (time - self.start);
            self.memory.own_bags(stop);
            if self.memory.enter[stop].dominates(time, self.memory.arrivals.rank(settled)) {
                continue;
            }
            let label = self.memory.push_label(NONE, stop, time, LabelKind::Endpoint(index as u32));
            let slide = LONGEST_SLIDE;
            self.memory.add_enter(stop, Entry { time, settled, label, pattern: NONE, round: 0, slide });
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
        if bound >= FAR || penalty == CLOSED || self.window.call_flags[call] & can_enter == 0 {
            return;
        }
        let memory = &mut *self.memory;
        let slack = if round == 1 { self.costs.first_slack } else { self.costs.later_slack };
        let mut promise = UNMARKED;
        for entry in memory.enter[stop].entries().iter().filter(|entry| entry.round + 1 == round) {
            let cost =
                entry.settled + self.costs.settling * (entry.time - self.start) + self.costs.board + penalty
                    - self.costs.nonpreferred_transfer;
            if !memory.arrivals.dominates(entry.time + slack, cost + bound) {
                promise = promise.min(cost + bound);
            }
        }
        if promise == UNMARKED {
            return;
        }
        if memory.promise[pattern] == UNMARKED {
            memory.marked.push(pattern as u32);
        }
        memory.promise[pattern] = promise.min(memory.promise[pattern]);
        let step = D::position(position as usize, active.calls as usize);
        memory.enter_calls.insert(active.first_call as usize + step);
    }

    fn seat_at_start(&mut self, start: OnBoardRun) {
        let pattern = self.window.pattern_of_run(start.run as usize);
        let stop = self.window.stops_of(pattern)[start.position as usize].index();
        let time = self.start;
        let label = self.memory.push_label(NONE, stop, time, LabelKind::OnBoard);
        let rider = Rider {
            run: 0,
            shift: start.shift,
            settled: -RIDE * time,
            label,
            entered: start.position,
            seated: false,
            partial: false,
            slide: 0,
        };
        self.memory.seated.push((start.run, rider));
    }

    fn scan_patterns<D: Direction>(&mut self, round: u32) -> Result<(), Stopped> {
        let mut until_clock = 0;
        while let Some(pattern) = self.memory.marked.pop() {
            if until_clock == 0 {
                if self.stop.is_set(self.number) {
                    return Err(Stopped::Told);
                }
                until_clock = PATTERNS_PER_CLOCK;
            }
            until_clock -= 1;
            self.check_size()?;
            self.memory.promise[pattern as usize] = UNMARKED;
            let active = self.window.patterns[pattern as usize];
            for lane in active.first_lane..active.first_lane + active.lanes {
                self.memory.riders.clear();
                self.scan_lane::<D>(lane, round);
            }
            let calls = active.first_call as usize..(active.first_call + active.calls) as usize;
            self.memory.enter_calls.remove_all(calls);
        }
        Ok(())
    }

    /// Rides along a lane: riders get off where it is of use, riders of the last round's entries get on.
    fn scan_lane<D: Direction>(&mut self, lane_index: u32, round: u32) {
        let window = self.window;
        let lane = &window.lanes[lane_index as usize];
        let pattern = &window.patterns[lane.pattern as usize];
        let (first, calls) = (pattern.first_call as usize, pattern.calls as usize);
        let (_, can_leave) = roles::<D>();
        let mut step = 0;
        while step < calls {
            let mut enters = self.memory.enter_calls.has(first + step);
            if self.memory.riders.is_empty() && !enters {
                // Nothing happens before the next call at which someone enters.
                let Some(next) = self.memory.enter_calls.first_in(first + step..first + calls) else {
                    return;
                };
                (step, enters) = (next - first, true);
            }
            let position = D::position(step, calls);
            let stop = window.call_stop[first + position];
            let stops_at = self.filters.stops_at(stop);
            if !self.memory.riders.is_empty() {
                if window.call_flags[first + position] & can_leave != 0 && stops_at {
                    self.leave::<D>(lane, pattern.mode, position, stop.index(), round);
                }
                self.drop_hopeless::<D>(lane, first, position);
                if !self.filters.passes(stop) {
                    self.memory.riders.clear();
                }
            }
            if enters && stops_at {
                self.enter::<D>(lane, pattern.mode, position, stop.index(), round);
            }
            step += 1;
        }
        if !window.continuations.is_empty() && lane.headway == NONE {
            self.stay_seated::<D>(lane, calls);
        }
    }

    /// Drops the riders of a lane who can gain nothing by riding on from a call of the pattern with this first call.
    fn drop_hopeless<D: Direction>(&mut self, lane: &Lane, first_call: usize, position: usize) {
        let call = first_call + position;
        let (bound, floor) = (self.bounds.riding[call], self.floor.as_ref());
        let memory = &mut *self.memory;
        if bound >= FAR {
            memory.riders.clear();
        } else if !memory.arrivals.found().is_empty() {
            let times = self.window.leaving::<D>(lane, position);
            memory.riders.retain(|rider| {
                let off = D::key(times[rider.run as usize]) + rider.shift;
                let cost = rider.settled + RIDE * off;
                let floor = floor.filter(|_| rider.slide == 0);
                let least = Floor::raise(floor, bound, off, |beyond| beyond.riding[call]);
                !memory.arrivals.dominates(off, cost + least)
            });
        }
    }

    /// Lets every rider of a lane off at a call where that is of use.
    pub(super) fn leave<D: Direction>(
        &mut self,
        lane: &Lane,
        mode: u8,
        position: usize,
        stop: usize,
        round: u32,
    ) {
        let (window, costs) = (self.window, self.costs);
        let times = window.leaving::<D>(lane, position);
        let leave_time = costs.leave_times[mode as usize];
        let left = self.bounds.left[stop];
        if left >= FAR {
            return;
        }
        self.memory.own_bags(stop);
        let tells_apart = self.tells_apart(stop);
        for index in 0..self.memory.riders.len() {
            let rider = self.memory.riders[index];
            let off = D::key(times[rider.run as usize]) + rider.shift;
            let cost = rider.settled + RIDE * off + costs.wait * leave_time + costs.leave_slack_cost;
            let time = off + costs.leave_slack + leave_time;
            let settled = cost - costs.settling * (time - self.start);
            if time > self.latest
                || (!tells_apart
                    && self.memory.left[stop].dominates(time, self.memory.arrivals.rank(settled)))
                || self.is_hopeless(time, cost, left, rider.slide, |beyond| beyond.left[stop])
            {
                continue;
            }
            if !self.allows(lane, rider.run, position) {
                continue;
            }
            let kind = LabelKind::Ride {
                run: lane.first_run + rider.run,
                shift: D::key(rider.shift),
                entered: rider.entered,
                left: position as u16,
                seated: rider.seated,
            };
            let label = self.memory.push_label(rider.label, stop, time, kind);
            let (pattern, slide) = (lane.pattern, rider.slide);
            let entry = Entry { time, settled, label, pattern, round, slide };
            if !tells_apart {
                self.memory.add_left(stop, entry);
            } else if !self.add_left_apart::<D>(stop, entry) {
                self.memory.labels.pop();
                continue;
            }
            self.arrive(stop, time, cost, label);
        }
    }

    /// Whether who is somewhere at `time` for `cost` can no longer find a path of use; `bound` is the least cost left,
    /// and `beyond` takes the one of the floor's bounds for the same place. Who can slide waits for less than the floor says.
    #[inline(always)]
    pub(super) fn is_hopeless(
        &self,
        time: i32,
        cost: Centicost,
        bound: Centicost,
        slide: i32,
        beyond: impl FnOnce(&Bounds) -> Centicost,
    ) -> bool {
        let least = Floor::raise(self.floor.as_ref().filter(|_| slide == 0), bound, time, beyond);
        self.memory.arrivals.dominates(time, cost + least)
    }

    /// Notes the complete paths that end with leaving a vehicle at a stop.
    #[inline(always)]
    fn arrive(&mut self, stop: usize, time: i32, cost: Centicost, label: u32) {
        let mut next = self.memory.far_of_stop[stop];
        while next != NONE {
            let (endpoint, following) = self.memory.far[next as usize];
            let far = &self.far[endpoint as usize];
            let arrival = Arrival { time: time + far.seconds, cost: cost + centi(far.cost), label, endpoint };
            if arrival.time <= self.latest {
                self.memory.arrivals.add(arrival);
            }
            next = following;
        }
    }

    /// Whether the request allows a run at a position of its pattern.
    pub(super) fn allows(&self, lane: &Lane, run: u32, position: usize) -> bool {
        self.filters.allows_at(self.timetable, self.window, lane, run as usize, position)
    }

    /// Carries the entries of this round's left vehicles to where the next can be entered: the same stop, and those
    /// within a walk.
    fn walk_to_next<D: Direction>(&mut self, round: u32) -> Result<(), Stopped> {
        let stops = std::mem::take(&mut self.memory.left_stops);
        for &stop in &stops {
            self.check_size()?;
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
        Ok(())
    }

    /// Makes an entry for entering a vehicle at `to` from one for having left one at `from`.
    #[inline(always)]
    fn change<D: Direction>(&mut self, from: usize, to: usize, seconds: i32, cost: Centicost, left: Entry) {
        let costs = self.costs;
        let mut time = left.time + seconds;
        let mut settled = left.settled + cost - costs.settling * seconds + costs.transfer;
        let bound = self.bounds.enter[to];
        if bound >= FAR {
            return;
        }
        match self.walks.general_verdict::<D>(self.timetable, from as u32, to as u32) {
            TransferVerdict::Forbidden => return,
            TransferVerdict::AtLeast(least) => {
                let off = left.time - costs.leave_slack - self.leave_time(left.pattern);
                let ready = off.saturating_add(least).saturating_sub(costs.later_slack);
                if ready > self.latest {
                    return;
                }
                let waited = (ready - time).max(0);
                time += waited;
                settled += (costs.wait - costs.settling) * waited + costs.nonpreferred_transfer;
            }
            TransferVerdict::Plain { preferred: true } => {}
            TransferVerdict::Plain { preferred: false } => settled += costs.nonpreferred_transfer,
        }
        self.memory.own_bags(to);
        let cost = settled + costs.settling * (time - self.start);
        let tells_apart = self.tells_apart(to);
        if (!tells_apart && self.memory.enter[to].dominates(time, self.memory.arrivals.rank(settled)))
            || self.is_hopeless(time, cost, bound, left.slide, |beyond| beyond.enter[to])
        {
            return;
        }
        let label = if from == to && seconds == 0 {
            left.label
        } else {
            self.memory.push_label(left.label, to, time, LabelKind::Walk { seconds })
        };
        let entry = Entry { time, settled, label, ..left };
        if tells_apart {
            self.add_enter_apart::<D>(to, entry);
        } else {
            self.memory.add_enter(to, entry);
        }
    }

    pub(super) fn leave_time(&self, pattern: u32) -> i32 {
        self.costs.leave_times[self.window.patterns[pattern as usize].mode as usize]
    }
}
