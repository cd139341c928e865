//! Earliest arrivals at all stops with the wait for the first vehicle that the interface's servers take off: theirs is a
//! search to everywhere that keeps the earliest way to each stop and to each call of a lane, of equally early ones
//! the one found first, and goes on from the way with the least time *without* that wait.
//!
//! So a way that waits longer for its first vehicle is gone on from before one that is sooner at a stop, and where
//! both get the same vehicle then, it counts. Without streets between stops the arrivals are those of
//! [`super::range()`]; waits differ.

use super::costs::{Centicost, Costs, EnterPrices, FAR, RIDE, centi};
use super::direction::{Backward, Direction, Forward};
use super::entering::first_vehicle;
use super::filters::{CLOSED, Filters};
use super::query::{Endpoint, StopSignal};
use super::range::UNREACHED;
use super::rounds::roles;
use super::transfers::{TransferVerdict, Walks, has_preferred};
use super::window::{ActivePattern, Lane, NONE, ServiceWindow};
use crate::timetable::Timetable;
use trestle_model::RoutingRequest;
use trestle_model::ids::StopIdx;

/// Labels settled between two looks at the clock.
const LABELS_PER_CLOCK: u32 = 4096;

/// A search from a place at the request's time, or to it by that time (`arrive_by`).
#[derive(Clone, Copy, Debug)]
pub struct FirstComeQuery<'a> {
    /// Time, direction, costs, slacks and filters. There is no limit on transfers.
    pub request: &'a RoutingRequest,
    /// Ways between the place and stops.
    pub near: &'a [Endpoint],
    /// The traveller takes a bike of their own on board.
    pub bike_aboard: bool,
    /// Longest time of interest, seconds.
    pub max_seconds: i32,
    /// Seconds of the wait for the first vehicle that are taken off at most.
    pub clamp: i32,
    /// When to give up.
    pub stop: StopSignal<'a>,
}

/// How a stop is reached, having left a vehicle there (with `arrive_by`: about to board one).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FirstCome {
    /// Seconds, or [`UNREACHED`].
    pub seconds: i32,
    /// Seconds of them spent waiting for the first vehicle (with `arrive_by`: after the last one).
    pub initial_wait: i32,
    /// Generalized cost.
    pub cost: f64,
}

/// The streets on which one goes on from a stop, to others as well: walked in step with the search.
pub trait StreetsBetween {
    /// Somebody goes on from a stop, for the `number`th time since the search began (from 0).
    fn leave(&mut self, stop: StopIdx, way: &FirstCome, number: usize);

    /// Walks on from everywhere that is reached within `seconds` without the first wait, and adds the stops where
    /// somebody is by then; `false` when it was stopped.
    fn walk_until(&mut self, seconds: i32, walked: &mut Vec<Walked>) -> bool;
}

/// No streets: one changes at stops and along the prepared transfers only.
#[derive(Clone, Copy, Debug)]
pub struct NoStreets;

impl StreetsBetween for NoStreets {
    fn leave(&mut self, _stop: StopIdx, _way: &FirstCome, _number: usize) {}

    fn walk_until(&mut self, _seconds: i32, _walked: &mut Vec<Walked>) -> bool {
        true
    }
}

/// A stop that is reached on the streets from another one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Walked {
    /// The stop.
    pub stop: StopIdx,
    /// Seconds since the search began.
    pub seconds: i32,
    /// Generalized cost of all that.
    pub cost: f64,
    /// Which of those who left a stop it is.
    pub number: usize,
}

/// What is known of a place of the search. Times are keys of the search direction.
#[derive(Clone, Copy, Debug)]
struct Label {
    time: i32,
    /// Wait for the first vehicle.
    wait: i32,
    cost: Centicost,
    /// On board: the run, and seconds added to its times.
    run: u32,
    shift: i32,
    /// Number of the offer it was made by.
    number: u32,
}

impl Label {
    const NONE: Label = Label { time: UNREACHED, wait: 0, cost: 0, run: NONE, shift: 0, number: 0 };
}

/// Memory of these searches, one per worker.
#[derive(Debug, Default)]
pub struct FirstComeScratch {
    walks: Walks,
    /// Per stop: about to enter the first vehicle, about to enter another, having left one; then per lane and call, in
    /// search order: coming to it on board.
    labels: Vec<Label>,
    /// Per lane and call: when it is left on board, and the run.
    departures: Vec<(i32, u32)>,
    /// First call of each lane among those of all lanes, and one more entry; of the window with this number.
    first_calls: Vec<u32>,
    window: Option<u64>,
    queue: Queue,
    /// Those who went on from a stop on the streets, and from which.
    leavers: Vec<(u32, Label)>,
    /// Those who are back at a stop.
    walked: Vec<Walked>,
}

/// Labels by whole seconds without the first wait; those of a second in the order in which they came.
#[derive(Debug, Default)]
struct Queue {
    /// First and last entry of each second.
    seconds: Vec<[u32; 2]>,
    /// Number of the offer, label, next entry.
    entries: Vec<[u32; 3]>,
    /// The second reached.
    now: usize,
}

impl Queue {
    fn clear(&mut self, seconds: i32) {
        self.seconds.clear();
        self.seconds.resize(seconds.max(0) as usize + 1, [NONE; 2]);
        self.entries.clear();
        self.now = 0;
    }

    /// Adds a label; nobody comes to a second that is over.
    #[inline(always)]
    fn push(&mut self, second: i32, number: u32, label: u32) {
        let second = (second.max(0) as usize).max(self.now);
        let Some([first, last]) = self.seconds.get_mut(second) else { return };
        let entry = self.entries.len() as u32;
        self.entries.push([number, label, NONE]);
        match self.entries.get_mut(*last as usize) {
            Some(before) => before[2] = entry,
            None => *first = entry,
        }
        *last = entry;
    }

    /// The next label of a second.
    #[inline(always)]
    fn pop(&mut self, second: usize) -> Option<(u32, u32)> {
        self.now = second;
        let [first, last] = self.seconds.get_mut(second)?;
        let &[number, label, next] = self.entries.get(*first as usize)?;
        (*first, *last) = (next, if next == NONE { NONE } else { *last });
        Some((number, label))
    }
}

impl FirstComeScratch {
    /// Gets ready for a search over a window.
    fn prepare(&mut self, window: &ServiceWindow, max_seconds: i32) {
        if self.window != Some(window.id) {
            self.window = Some(window.id);
            let calls = |lane: &Lane| window.patterns[lane.pattern as usize].calls;
            let ends = window.lanes.iter().scan(0, |end, lane| {
                *end += calls(lane);
                Some(*end)
            });
            self.first_calls.clear();
            self.first_calls.push(0);
            self.first_calls.extend(ends);
        }
        let calls = self.first_calls.last().copied().unwrap_or(0) as usize;
        self.labels.clear();
        self.labels.resize(3 * window.stop_count() + calls, Label::NONE);
        self.departures.clear();
        self.departures.resize(calls, (UNREACHED, NONE));
        self.queue.clear(max_seconds);
        self.leavers.clear();
    }
}

/// Finds how every stop is reached; `None` when it was stopped.
///
/// Rules of transfers.txt for certain trips or routes are not looked at here.
pub fn first_come<S: StreetsBetween>(
    timetable: &Timetable,
    window: &ServiceWindow,
    query: &FirstComeQuery<'_>,
    streets: &mut S,
    scratch: &mut FirstComeScratch,
) -> Option<Vec<FirstCome>> {
    if query.request.arrive_by {
        Search::<Backward, S>::new(timetable, window, query, streets, scratch).run()
    } else {
        Search::<Forward, S>::new(timetable, window, query, streets, scratch).run()
    }
}

struct Search<'a, D, S> {
    timetable: &'a Timetable,
    window: &'a ServiceWindow,
    query: &'a FirstComeQuery<'a>,
    filters: Filters,
    costs: Costs,
    streets: &'a mut S,
    memory: &'a mut FirstComeScratch,
    stops: usize,
    start: i32,
    latest: i32,
    offers: u32,
    direction: std::marker::PhantomData<D>,
}

/// What a label stands for.
enum Place {
    /// A stop, about to enter a vehicle, for the first time or not.
    Entering { stop: usize, first: bool },
    /// A stop, having left a vehicle.
    Left { stop: usize },
    /// A call of all lanes, coming to it on board.
    Arriving { call: usize },
}

impl<'a, D: Direction, S: StreetsBetween> Search<'a, D, S> {
    fn new(
        timetable: &'a Timetable,
        window: &'a ServiceWindow,
        query: &'a FirstComeQuery<'a>,
        streets: &'a mut S,
        memory: &'a mut FirstComeScratch,
    ) -> Self {
        memory.walks.prepare(timetable, window, query.request);
        memory.prepare(window, query.max_seconds);
        let stops = window.stop_count();
        let start = D::key(window.time_of(query.request.epoch_seconds));
        Search {
            timetable,
            window,
            query,
            filters: Filters::new(timetable, window, query.request, query.bike_aboard),
            costs: Costs::new::<D>(query.request, query.bike_aboard, has_preferred(timetable)),
            streets,
            memory,
            stops,
            start,
            latest: start.saturating_add(query.max_seconds),
            offers: 0,
            direction: std::marker::PhantomData,
        }
    }

    fn run(mut self) -> Option<Vec<FirstCome>> {
        for endpoint in self.query.near {
            let (time, cost) = (self.start.saturating_add(endpoint.seconds), centi(endpoint.cost));
            let place = Place::Entering { stop: endpoint.stop.index(), first: true };
            self.offer(place, Label { time, cost, ..Label::NONE });
        }
        let mut settled = 0u32;
        for second in 0..self.memory.queue.seconds.len() {
            if !self.walk_until(second as i32) {
                return None;
            }
            while let Some((number, at)) = self.memory.queue.pop(second) {
                let label = self.memory.labels[at as usize];
                // Another one was earlier there meanwhile: from this one nobody goes on.
                if label.number != number {
                    continue;
                }
                if settled.is_multiple_of(LABELS_PER_CLOCK) && self.query.stop.is_set(0) {
                    return None;
                }
                settled += 1;
                match self.place(at as usize) {
                    Place::Entering { stop, first } => self.enter_at(stop, first, &label),
                    Place::Left { stop } => self.change_at(stop, &label),
                    Place::Arriving { call } => self.arrive(call, &label),
                }
            }
        }
        Some(self.left())
    }

    /// Lets those on the streets go on; who is at another stop then gets ready for a vehicle. `false` when it was stopped.
    fn walk_until(&mut self, second: i32) -> bool {
        let mut walked = std::mem::take(&mut self.memory.walked);
        walked.clear();
        let goes_on = self.streets.walk_until(second, &mut walked);
        for Walked { stop, seconds, cost, number } in &walked {
            let (from, left) = self.memory.leavers[*number];
            let seconds = self.start + seconds - left.time;
            let cost = centi(*cost).saturating_sub(left.cost);
            self.change(from as usize, stop.index(), (seconds, cost), &left);
        }
        self.memory.walked = walked;
        goes_on
    }

    fn go_on_streets(&mut self, stop: usize, label: &Label) {
        let way = self.told(label);
        self.streets.leave(StopIdx::from(stop), &way, self.memory.leavers.len());
        self.memory.leavers.push((stop as u32, *label));
    }

    fn told(&self, label: &Label) -> FirstCome {
        match label.time {
            UNREACHED => FirstCome { seconds: UNREACHED, initial_wait: 0, cost: f64::INFINITY },
            time => FirstCome {
                seconds: time - self.start,
                initial_wait: label.wait,
                cost: f64::from(label.cost) / 100.0,
            },
        }
    }

    fn left(&self) -> Vec<FirstCome> {
        self.memory.labels[2 * self.stops..3 * self.stops].iter().map(|label| self.told(label)).collect()
    }

    fn place(&self, at: usize) -> Place {
        match (at / self.stops.max(1), at % self.stops.max(1)) {
            (0, stop) => Place::Entering { stop, first: true },
            (1, stop) => Place::Entering { stop, first: false },
            (2, stop) => Place::Left { stop },
            _ => Place::Arriving { call: at - 3 * self.stops },
        }
    }

    /// Keeps a label that comes in time, unless one is known that is as early.
    #[inline(always)]
    fn offer(&mut self, place: Place, label: Label) {
        let at = match place {
            Place::Entering { stop, first: true } => stop,
            Place::Entering { stop, first: false } => self.stops + stop,
            Place::Left { stop } => 2 * self.stops + stop,
            Place::Arriving { call } => 3 * self.stops + call,
        };
        let Some(known) = self.memory.labels.get_mut(at) else { return };
        let sooner = match place {
            Place::Arriving { .. } => is_sooner::<D>((label.time, label.run), (known.time, known.run)),
            _ => label.time < known.time,
        };
        if label.time > self.latest || !sooner {
            return;
        }
        self.offers += 1;
        *known = Label { number: self.offers, ..label };
        let without_wait = label.time - self.start - label.wait.min(self.query.clamp);
        self.memory.queue.push(without_wait, self.offers, at as u32);
    }

    /// Enters the first vehicle of each lane that calls at a stop.
    fn enter_at(&mut self, stop: usize, first: bool, label: &Label) {
        let window = self.window;
        let (can_enter, _) = roles::<D>();
        if !self.filters.stops_at(StopIdx::from(stop)) {
            return;
        }
        for &[pattern, position] in window.calls_at(StopIdx::from(stop)) {
            let active = &window.patterns[pattern as usize];
            let flags = window.call_flags[(active.first_call + position) as usize];
            if flags & can_enter == 0 || self.filters.pattern_penalty[pattern as usize] == CLOSED {
                continue;
            }
            for lane in active.first_lane..active.first_lane + active.lanes {
                self.enter(lane as usize, position as usize, first, label);
            }
        }
    }

    fn enter(&mut self, lane_index: usize, position: usize, first: bool, label: &Label) {
        let lane = &self.window.lanes[lane_index];
        let active = &self.window.patterns[lane.pattern as usize];
        let EnterPrices { slack, slack_cost, wait: price, enter_time_cost } =
            self.costs.entering(if first { 1 } else { 2 }, active.mode);
        let ready = label.time + slack + self.costs.enter_times[active.mode as usize];
        let (runs, allows) = (0..lane.runs as usize, |run: usize| self.allows(lane, run, position));
        let vehicle = first_vehicle::<D>(self.window, lane, position, runs, ready, allows);
        let Some((run, shift)) = vehicle else { return };
        let on = D::key(self.window.entering::<D>(lane, position)[run]) + shift;
        let boarding = self.costs.board
            + self.filters.pattern_penalty[lane.pattern as usize]
            + price * (on - ready)
            + slack_cost
            + enter_time_cost;
        // Any number of vehicles may be entered.
        let cost = label.cost.saturating_add(boarding);
        let step = D::position(position, active.calls as usize);
        let call = self.memory.first_calls[lane_index] as usize + step;
        let run = lane.first_run + run as u32;
        let wait = if first { on - ready } else { label.wait };
        self.ride(call, &Label { time: on, wait, cost, run, shift, number: 0 });
    }

    fn allows(&self, lane: &Lane, run: usize, position: usize) -> bool {
        self.filters.allows_at(self.timetable, self.window, lane, run, position)
    }

    /// The lane and pattern of a label on board, and the first call of the lane.
    fn vehicle(&self, label: &Label) -> (&'a Lane, &'a ActivePattern, usize) {
        let index = self.window.runs[label.run as usize].lane as usize;
        let lane = &self.window.lanes[index];
        let first_call = self.memory.first_calls[index] as usize;
        (lane, &self.window.patterns[lane.pattern as usize], first_call)
    }

    /// From a call to the next, or on as the vehicle continues, unless somebody left it as early.
    fn ride(&mut self, call: usize, label: &Label) {
        let departure = &mut self.memory.departures[call];
        let known = std::mem::replace(departure, (label.time, label.run));
        if !is_sooner::<D>((label.time, label.run), known) || label.time > self.latest {
            *departure = known;
            return;
        }
        let (lane, active, first_call) = self.vehicle(label);
        let (calls, run) = (active.calls as usize, (label.run - lane.first_run) as usize);
        let step = call - first_call + 1;
        if step < calls {
            let times = self.window.leaving::<D>(lane, D::position(step, calls));
            self.offer(
                Place::Arriving { call: call + 1 },
                self.later(label, D::key(times[run]) + label.shift),
            );
        } else {
            self.continue_as_next_run(lane, label);
        }
    }

    fn later(&self, label: &Label, time: i32) -> Label {
        Label { time, cost: label.cost.saturating_add(RIDE * (time - label.time)), ..*label }
    }

    /// Gets off at a call, and rides on.
    fn arrive(&mut self, call: usize, label: &Label) {
        let (lane, active, first_call) = self.vehicle(label);
        let (calls, run) = (active.calls as usize, (label.run - lane.first_run) as usize);
        let step = call - first_call;
        let position = D::position(step, calls);
        let at = active.first_call as usize + position;
        let (stop, (_, can_leave)) = (self.window.call_stop[at], roles::<D>());
        let leaves = self.window.call_flags[at] & can_leave != 0 && self.filters.stops_at(stop);
        if leaves && self.allows(lane, run, position) {
            let takes = self.costs.leave_times[active.mode as usize];
            let time = label.time + self.costs.leave_slack + takes;
            let cost = self.costs.wait * takes + self.costs.leave_slack_cost;
            let left = Label { time, cost: label.cost.saturating_add(cost), ..*label };
            self.offer(Place::Left { stop: stop.index() }, left);
        }
        if !self.filters.passes(stop) {
            return;
        }
        if step + 1 < calls {
            let time = D::key(self.window.entering::<D>(lane, position)[run]) + label.shift;
            self.ride(call, &self.later(label, time));
        } else {
            self.continue_as_next_run(lane, label);
        }
    }

    /// Stays seated where the vehicle continues as another run.
    fn continue_as_next_run(&mut self, lane: &Lane, label: &Label) {
        if lane.headway != NONE {
            return;
        }
        let run = &self.window.runs[label.run as usize];
        let next = D::pick(run.next, run.previous);
        if next == NONE {
            return;
        }
        let seated = Label { run: next, shift: 0, ..*label };
        let (lane, active, call) = self.vehicle(&seated);
        if self.filters.pattern_penalty[lane.pattern as usize] == CLOSED {
            return;
        }
        let times = self.window.entering::<D>(lane, D::position(0, active.calls as usize));
        let time = D::key(times[(next - lane.first_run) as usize]);
        self.ride(call, &Label { run: next, shift: 0, ..self.later(label, time) });
    }

    /// Changes to other vehicles at a stop and at those within a walk.
    fn change_at(&mut self, stop: usize, label: &Label) {
        self.change(stop, stop, (0, 0), label);
        self.go_on_streets(stop, label);
        for index in 0..self.memory.walks.out_of::<D>(self.timetable, stop).len() {
            let walk = self.memory.walks.out_of::<D>(self.timetable, stop)[index];
            if walk.seconds < FAR {
                self.change(stop, walk.to_stop as usize, (walk.seconds, walk.cost), label);
            }
        }
    }

    fn change(&mut self, from: usize, to: usize, (seconds, cost): (i32, Centicost), left: &Label) {
        if self.memory.labels[self.stops + to].time <= left.time.saturating_add(seconds) {
            return;
        }
        let (walks, stops) = (&self.memory.walks, (from as u32, to as u32));
        let ready = walks.ready::<D>(self.timetable, &self.costs, stops, left.time, seconds);
        let Some(time) = ready.filter(|ready| *ready <= self.latest) else { return };
        let waited = self.costs.wait * (time - left.time - seconds);
        let preferred = TransferVerdict::Plain { preferred: true };
        let penalty = match walks.general_verdict::<D>(self.timetable, stops.0, stops.1) == preferred {
            true => 0,
            false => self.costs.nonpreferred_transfer,
        };
        let cost = left.cost.saturating_add(cost + self.costs.transfer + penalty + waited);
        self.offer(Place::Entering { stop: to, first: false }, Label { time, cost, ..*left });
    }
}

/// Whether a time on board of a run is sooner than another one of the lane: of runs that are at a call together, one is
/// sooner elsewhere.
#[inline(always)]
fn is_sooner<D: Direction>((time, run): (i32, u32), (known, known_run): (i32, u32)) -> bool {
    time < known || (time == known && D::is_before(run, known_run))
}
