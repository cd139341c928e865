//! The search: labels are settled in order of the seconds without the first wait, then in order of insertion.

use std::ops::Range;

use trestle_model::Directed;
use trestle_model::ids::StopIdx;

use super::super::active_service::{ActivePattern, ActiveService, Lane};
use super::super::costs::{Centicost, Costs, EnterPrices, RIDE_RATE, centi};
use super::super::entering::first_vehicle;
use super::super::filters::Filters;
use super::super::query::OneToAllQuery;
use super::super::range_memory::UNREACHED;
use super::super::run_order::{is_before, next_run};
use super::super::scan::roles;
use super::super::transit_data::TransitData;
use super::super::verdicts::has_preferred;
use super::queue::{Label, LabelMemory, LabelSettingScratch};
use super::{ArrivalWithWait, StreetsBetween, Walked};
use crate::timetable::Timetable;

/// Labels settled between two looks at the clock.
const LABELS_PER_CLOCK: u32 = 4096;

pub(super) struct LabelSettingSearch<'a, D, S> {
    data: TransitData<'a>,
    query: &'a OneToAllQuery<'a>,
    /// At most this many seconds of the first wait are subtracted.
    clamp: i32,
    filters: Filters,
    costs: Costs,
    streets: &'a mut S,
    memory: &'a mut LabelMemory,
    stops: usize,
    start: i32,
    latest: i32,
    offers: u32,
    direction: std::marker::PhantomData<D>,
}

/// Where a label is.
enum Place {
    /// At a stop, before entering the first or a later vehicle.
    Entering { stop: usize, first: bool },
    /// At a stop, having left a vehicle.
    Left { stop: usize },
    /// Arriving on board at a call, numbered over all lanes.
    Arriving { call: usize },
    /// At the end of a run, staying seated.
    Staying { run: usize },
}

/// Entering the vehicles of a lane at a call.
struct Entrance<'l> {
    lane: &'l Lane,
    position: usize,
    /// Whether it is the first vehicle.
    first: bool,
    label: &'l Label,
    /// When the rider is ready for a vehicle (key).
    ready: i32,
    prices: EnterPrices,
}

impl<'a, D: Directed, S: StreetsBetween> LabelSettingSearch<'a, D, S> {
    pub(super) fn new(
        timetable: &'a Timetable,
        service: &'a ActiveService,
        (query, clamp): (&'a OneToAllQuery<'a>, i32),
        streets: &'a mut S,
        scratch: &'a mut LabelSettingScratch,
    ) -> Self {
        let LabelSettingScratch { walks, memory } = scratch;
        walks.prepare(timetable, service, query.request);
        let data = TransitData { timetable, service, walks };
        let filters = Filters::new(&data, query.request);
        // A run that may not be left at some calls does not replace later ones of its lane.
        memory.prepare(service, filters.partial_runs(), query.max_seconds);
        let stops = service.stop_count();
        let start = D::key(service.time_of(query.request.epoch_seconds));
        LabelSettingSearch {
            data,
            query,
            clamp,
            filters,
            costs: Costs::new::<D>(query.request, has_preferred(timetable)),
            streets,
            memory,
            stops,
            start,
            latest: start.saturating_add(query.max_seconds),
            offers: 0,
            direction: std::marker::PhantomData,
        }
    }

    pub(super) fn run(mut self) -> Option<Vec<ArrivalWithWait>> {
        for endpoint in self.query.near {
            let (time, cost) = (self.start.saturating_add(endpoint.seconds), centi(endpoint.cost));
            let place = Place::Entering { stop: endpoint.stop.index(), first: true };
            self.offer(place, Label { time, cost, ..Label::NONE });
        }
        let mut settled = 0u32;
        for second in 0..self.memory.queue.seconds() {
            self.memory.queue.go_to(second);
            if !self.walk_until(second as i32) {
                return None;
            }
            while let Some((number, at)) = self.memory.queue.pop(&self.memory.labels) {
                let label = self.memory.labels[at as usize];
                // An earlier label has replaced this one.
                if label.number != number {
                    continue;
                }
                if settled.is_multiple_of(LABELS_PER_CLOCK) && (self.query.interrupted)() {
                    return None;
                }
                settled += 1;
                match self.place(at as usize) {
                    Place::Entering { stop, first } => self.enter_at(stop, first, &label),
                    Place::Left { stop } => self.change_at(stop, &label),
                    Place::Arriving { call } => self.arrive(call, &label),
                    Place::Staying { .. } => self.continue_as_next_runs(&label),
                }
            }
        }
        Some(self.left())
    }

    /// Continues the street search and offers labels at the stops that it has reached; `false` if it was stopped.
    fn walk_until(&mut self, second: i32) -> bool {
        self.memory.walked.clear();
        let goes_on = self.streets.walk_until(second, &mut self.memory.walked);
        for at in 0..self.memory.walked.len() {
            let Walked { stop, seconds, cost, number } = self.memory.walked[at];
            let (from, left) = self.memory.leavers[number];
            let seconds = self.start + seconds - left.time;
            let cost = centi(cost).saturating_sub(left.cost);
            self.change(from as usize, stop.index(), (seconds, cost), &left);
        }
        goes_on
    }

    fn go_on_streets(&mut self, stop: usize, label: &Label) {
        let arrival = self.arrival(label);
        self.streets.leave(StopIdx::from(stop), &arrival, self.memory.leavers.len());
        self.memory.leavers.push((stop as u32, *label));
    }

    fn arrival(&self, label: &Label) -> ArrivalWithWait {
        match label.time {
            UNREACHED => ArrivalWithWait { seconds: UNREACHED, initial_wait: 0, cost: f64::INFINITY },
            time => ArrivalWithWait {
                seconds: time - self.start,
                initial_wait: label.wait,
                cost: f64::from(label.cost) / 100.0,
            },
        }
    }

    fn left(&self) -> Vec<ArrivalWithWait> {
        self.memory.labels[2 * self.stops..3 * self.stops].iter().map(|label| self.arrival(label)).collect()
    }

    fn place(&self, at: usize) -> Place {
        match (at / self.stops.max(1), at % self.stops.max(1)) {
            (0, stop) => Place::Entering { stop, first: true },
            (1, stop) => Place::Entering { stop, first: false },
            (2, stop) => Place::Left { stop },
            _ => {
                let (call, calls) = (at - 3 * self.stops, self.memory.departures.len());
                if call < calls { Place::Arriving { call } } else { Place::Staying { run: call - calls } }
            }
        }
    }

    /// Keeps a label that is in time and earlier than the known one.
    #[inline(always)]
    fn offer(&mut self, place: Place, label: Label) {
        let at = match place {
            Place::Entering { stop, first: true } => stop,
            Place::Entering { stop, first: false } => self.stops + stop,
            Place::Left { stop } => 2 * self.stops + stop,
            Place::Arriving { call } => 3 * self.stops + call,
            Place::Staying { run } => 3 * self.stops + self.memory.departures.len() + run,
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
        let without_wait = label.time - self.start - label.wait.min(self.clamp);
        self.memory.queue.push(without_wait, self.offers, at as u32);
    }

    /// Enters the first vehicle of each lane that calls at a stop.
    fn enter_at(&mut self, stop: usize, first: bool, label: &Label) {
        let service = self.data.service;
        let (can_enter, _) = roles::<D>();
        if !self.filters.stops_at(StopIdx::from(stop)) {
            return;
        }
        for &[pattern, position] in service.calls_at(StopIdx::from(stop)) {
            let active = &service.patterns[pattern as usize];
            let flags = service.call_flags[active.call_at(position as usize)];
            let is_last = D::position(position as usize, active.calls as usize) + 1 == active.calls as usize;
            if flags & can_enter == 0 || is_last || self.filters.is_closed(pattern as usize) {
                continue;
            }
            for lane in active.lane_range() {
                self.enter(lane, position as usize, first, label);
            }
        }
    }

    /// Enters the first vehicle of a lane, and each partial run of it. Stays seated in these and in
    /// later vehicles.
    fn enter(&mut self, lane: usize, position: usize, first: bool, label: &Label) {
        let lane = &self.data.service.lanes[lane];
        let mode = self.data.service.patterns[lane.pattern as usize].mode;
        let penalty = self.filters.pattern_penalty[lane.pattern as usize];
        let prices = self.costs.entering(if first { 1 } else { 2 }, mode, penalty);
        let ready = label.time + prices.preparation;
        let entrance = Entrance { lane, position, first, label, ready, prices };
        let of_lane = self.first_of(&entrance, 0..lane.runs as usize, false);
        if let Some(vehicle) = of_lane {
            self.board(&entrance, vehicle);
        }
        for run in self.filters.partial_runs_of(lane).to_vec() {
            let run = (run - lane.first_run) as usize;
            if let Some(vehicle) = self.first_of(&entrance, run..run + 1, true) {
                self.board(&entrance, vehicle);
            }
        }
        if let Some((run, _)) = of_lane {
            self.stay_seated_in_later(&entrance, run);
        }
    }

    /// The first of some runs of a lane that can be entered, and the seconds added to its times. Partial runs only count
    /// in `one_run`.
    #[inline(always)]
    fn first_of(
        &self,
        &Entrance { lane, position, ready, .. }: &Entrance<'_>,
        runs: Range<usize>,
        one_run: bool,
    ) -> Option<(usize, i32)> {
        let times = self.data.service.entering::<D>(lane, position);
        first_vehicle::<D>((&self.data, &self.filters), (lane, position), times, (runs, one_run), ready)
    }

    /// Boards a run of a lane: rides to the next call, and stays seated to the end.
    #[inline(always)]
    fn board(&mut self, entrance: &Entrance<'_>, (run, shift): (usize, i32)) {
        let boarded = self.boarded(entrance, run, shift);
        let calls = self.data.service.patterns[entrance.lane.pattern as usize].calls as usize;
        let call = self.first_call(boarded.run) + D::position(entrance.position, calls);
        self.ride(call, &boarded);
        self.stay_seated(entrance.position, &boarded);
    }

    /// The label after boarding a run of a lane.
    fn boarded(&self, entrance: &Entrance<'_>, run: usize, shift: i32) -> Label {
        let &Entrance { lane, position, first, label, ready, prices } = entrance;
        let on = D::key(self.data.service.entering_at::<D>(lane, position, run)) + shift;
        let cost = prices.cost + prices.wait * (on - ready);
        Label {
            time: on,
            wait: if first { on - ready } else { label.wait },
            // The number of boardings is not limited, so the sum might overflow.
            cost: label.cost.saturating_add(cost),
            run: lane.first_run + run as u32,
            shift,
            number: 0,
        }
    }

    /// Stays seated in the vehicles of a lane after run `first`, which is better only as far as the lane goes.
    fn stay_seated_in_later(&mut self, entrance: &Entrance<'_>, first: usize) {
        let (lane, position) = (entrance.lane, entrance.position);
        if self.data.service.continuations.is_empty() {
            return;
        }
        let mut later = next_run::<D>(first, lane.runs as usize);
        while let Some(run) = later {
            let boarded = self.boarded(entrance, run, 0);
            if boarded.time > self.latest {
                return;
            }
            if self.filters.allows(&self.data, boarded.run, position) && !self.filters.is_partial(boarded.run)
            {
                self.stay_seated(position, &boarded);
            }
            later = next_run::<D>(run, lane.runs as usize);
        }
    }

    /// The lane and pattern of a label on board, and the first call of the lane.
    fn vehicle(&self, label: &Label) -> (&'a Lane, &'a ActivePattern, usize) {
        let lane = self.data.service.lane_of_run(label.run as usize);
        (lane, &self.data.service.patterns[lane.pattern as usize], self.first_call(label.run))
    }

    /// The first call of the lane of a run, or of the run itself if it is a partial one.
    fn first_call(&self, run: u32) -> usize {
        let partial = self.filters.partial_index(run).map(|index| self.data.service.lanes.len() + index);
        let index = partial.unwrap_or(self.data.service.runs[run as usize].lane as usize);
        self.memory.first_calls[index] as usize
    }

    /// Rides from a call to the next, unless a known label departs no later.
    fn ride(&mut self, call: usize, label: &Label) {
        let departure = (label.time, label.run);
        if !is_sooner::<D>(departure, self.memory.departures[call]) || label.time > self.latest {
            return;
        }
        self.memory.departures[call] = departure;
        let (lane, active, first_call) = self.vehicle(label);
        let position = D::position(call - first_call + 1, active.calls as usize);
        let times = self.data.service.leaving::<D>(lane, position);
        let time = D::key(times[(label.run - lane.first_run) as usize]) + label.shift;
        self.offer(Place::Arriving { call: call + 1 }, self.later(label, time));
    }

    fn later(&self, label: &Label, time: i32) -> Label {
        Label { time, cost: label.cost.saturating_add(RIDE_RATE * (time - label.time)), ..*label }
    }

    /// Leaves the vehicle at a call, and rides on.
    fn arrive(&mut self, call: usize, label: &Label) {
        let (lane, active, first_call) = self.vehicle(label);
        let calls = active.calls as usize;
        let step = call - first_call;
        let position = D::position(step, calls);
        let at = active.call_at(position);
        let (stop, (_, can_leave)) = (self.data.service.call_stop[at], roles::<D>());
        let leaves = self.data.service.call_flags[at] & can_leave != 0 && self.filters.stops_at(stop);
        if leaves && self.filters.allows(&self.data, label.run, position) {
            let takes = self.leave_time(label.run);
            let time = label.time + self.costs.leave_slack + takes;
            let cost = self.costs.wait * takes + self.costs.leave_slack_cost;
            let left = Label { time, cost: label.cost.saturating_add(cost), ..*label };
            self.offer(Place::Left { stop: stop.index() }, left);
        }
        if !self.filters.passes(stop) {
            return;
        }
        if step + 1 < calls {
            let run = (label.run - lane.first_run) as usize;
            let time = D::key(self.data.service.entering_at::<D>(lane, position, run)) + label.shift;
            self.ride(call, &self.later(label, time));
        }
    }

    /// Stays seated from a position of a run to its end, if riders may do so until the vehicle continues as another run.
    #[inline(always)]
    fn stay_seated(&mut self, position: usize, label: &Label) {
        if self.filters.continuations::<D>(&self.data, label.run).next().is_some() {
            self.stay_seated_to_end(position, label);
        }
    }

    fn stay_seated_to_end(&mut self, position: usize, label: &Label) {
        let (lane, active, _) = self.vehicle(label);
        let stops = self.data.service.stops_of(active);
        let (first, last) = (D::position(position, stops.len()), stops.len() - 1);
        if (first + 1..=last).all(|step| self.filters.passes(stops[D::position(step, stops.len())])) {
            let index = (label.run - lane.first_run) as usize;
            let time = self.data.service.leaving_at::<D>(lane, D::position(last, stops.len()), index);
            let staying = self.later(label, D::key(time));
            self.offer(Place::Staying { run: label.run as usize }, staying);
        }
    }

    /// Continues in the next runs of a vehicle.
    fn continue_as_next_runs(&mut self, label: &Label) {
        let data = self.data;
        for next in data.service.joined_with::<D>(label.run) {
            if self.filters.allows_staying_in::<D>(&data, next) {
                self.continue_as(label, next);
            }
        }
    }

    fn continue_as(&mut self, label: &Label, next: u32) {
        let (lane, active, call) = self.vehicle(&Label { run: next, ..*label });
        let position = D::position(0, active.calls as usize);
        let time =
            D::key(self.data.service.entering_at::<D>(lane, position, (next - lane.first_run) as usize));
        let seated = Label { run: next, ..self.later(label, time) };
        self.ride(call, &seated);
        self.stay_seated(position, &seated);
    }

    /// Changes vehicles at a stop and at those within a walk.
    fn change_at(&mut self, stop: usize, label: &Label) {
        self.change(stop, stop, (0, 0), label);
        self.go_on_streets(stop, label);
        for walk in self.data.walks_from::<D>(stop).iter().filter(|walk| walk.is_allowed()) {
            self.change(stop, walk.other_stop as usize, (walk.seconds, walk.cost), label);
        }
    }

    /// Seconds it takes to leave a vehicle.
    fn leave_time(&self, run: u32) -> i32 {
        self.costs.leave_times[self.data.service.pattern_of_run(run as usize).mode as usize]
    }

    fn change(&mut self, from: usize, to: usize, (seconds, cost): (i32, Centicost), left: &Label) {
        if self.memory.labels[self.stops + to].time <= left.time.saturating_add(seconds) {
            return;
        }
        let stops = (from as u32, to as u32);
        let off = || left.time - self.costs.leave_slack - self.leave_time(left.run);
        let transfer = self.data.transfer::<D>(&self.costs, stops, (left.time, seconds), off);
        let Some(transfer) = transfer.filter(|transfer| transfer.ready <= self.latest) else { return };
        let time = transfer.ready;
        let cost = left.cost.saturating_add(cost + transfer.cost + self.costs.wait * transfer.wait);
        self.offer(Place::Entering { stop: to, first: false }, Label { time, cost, ..*left });
    }
}

/// Whether being on board of a run at a time is sooner than another such pair of the lane. If two runs are at a call at
/// the same time, the earlier run is sooner elsewhere.
#[inline(always)]
fn is_sooner<D: Directed>((time, run): (i32, u32), (known, known_run): (i32, u32)) -> bool {
    time < known || (time == known && is_before::<D>(run, known_run))
}
