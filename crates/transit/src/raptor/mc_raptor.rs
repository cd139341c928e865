//! The multi-criteria search: round `n` finds every useful way to enter an `n`th vehicle.
//!
//! McRAPTOR of "Round-Based Public Transit Routing" (Delling, Pajor, Werneck) over arrival time and generalized cost.
//! With the lower bounds of [`Bounds`] it drops entries that cannot beat a path already found.

use std::ops::RangeInclusive;

use trestle_model::Directed;

use super::active_service::NONE;
use super::apart::LONGEST_SLIDE;
use super::bounds::{Bounds, BoundsInput, Level};
use super::costs::{Centicost, Costs, INFINITE, RIDE_RATE, centi};
use super::entering::Boarding;
use super::filters::Filters;
use super::first_arrival::FirstArrival;
use super::first_rounds::FirstRounds;
use super::labels::{Arrival, ArrivalPath, Entry, Interest, LabelKind, LastLabel, Rider};
use super::marks::Marks;
use super::memory::Memory;
use super::query::{Endpoint, StreetWalk};
use super::scan::{MarkedCall, Riders, RoundSearch, ScannedCall, SeatedIn, Stopped, run_rounds};
use super::transfers::Walk;
use super::transit_data::{Transfer, TransitData};

/// One search: its input, its limits and its memory. What it finds is in the memory.
pub(super) struct McRaptor<'a> {
    pub(super) data: TransitData<'a>,
    pub(super) costs: &'a Costs,
    /// The request's filters; trips of earlier itineraries are banned between searches.
    pub(super) filters: Filters,
    pub(super) bounds: &'a Bounds,
    /// Endpoints where the search starts.
    pub(super) near: &'a [Endpoint],
    /// Endpoints where it ends.
    pub(super) far: &'a [Endpoint],
    /// Start inside a vehicle.
    pub(super) on_board: Option<OnBoardRun>,
    /// Time of the search (key).
    pub(super) start: i32,
    /// Nothing later than this is of interest (key).
    pub(super) latest: i32,
    /// Highest cost of interest.
    pub(super) most_cost: Centicost,
    /// Whether a search must stop now, by its number within the request.
    pub(super) interrupted: &'a dyn Fn(usize) -> bool,
    /// A further bound, in a search with a long wait.
    pub(super) first_arrival: Option<FirstArrival>,
    /// Gives up with more labels than this.
    pub(super) most_labels: usize,
    pub(super) boarding: Boarding,
    /// Number of this search within the request, for its deadline.
    pub(super) number: usize,
    pub(super) memory: &'a mut Memory,
}

/// What differs from search to search; [`McRaptor::new`] sets the other fields to their usual values.
pub(super) struct McRaptorQuery<'a> {
    pub(super) data: TransitData<'a>,
    pub(super) costs: &'a Costs,
    pub(super) near: &'a [Endpoint],
    pub(super) far: &'a [Endpoint],
    pub(super) start: i32,
    pub(super) interrupted: &'a dyn Fn(usize) -> bool,
}

/// A vehicle in which the search starts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct OnBoardRun {
    /// Index of the run in the service.
    pub(super) run: u32,
    /// Position of the last call passed.
    pub(super) position: u16,
    /// Seconds added to its times.
    pub(super) shift: i32,
}

impl<'a> McRaptor<'a> {
    /// A search that takes first vehicles, without limits.
    pub(super) fn new(
        query: McRaptorQuery<'a>,
        filters: Filters,
        bounds: &'a Bounds,
        memory: &'a mut Memory,
    ) -> McRaptor<'a> {
        let McRaptorQuery { data, costs, near, far, start, interrupted } = query;
        McRaptor {
            data,
            costs,
            filters,
            bounds,
            near,
            far,
            on_board: None,
            start,
            latest: i32::MAX,
            most_cost: Centicost::MAX,
            interrupted,
            first_arrival: None,
            most_labels: usize::MAX,
            boarding: Boarding::First,
            number: 0,
            memory,
        }
    }

    /// Computes bounds from the running times of all hours, without a part of the cost of every second. Returns false if
    /// the search was stopped.
    pub(super) fn bounds_of_all_hours<D: Directed>(
        &self,
        bounds: &mut Bounds,
        first_rounds: &FirstRounds,
        cost_per_second: Centicost,
    ) -> bool {
        let McRaptor { data, filters, costs, far, interrupted, number, .. } = self;
        let least = &data.service.least_times;
        let input = BoundsInput { data: *data, filters, costs, first_rounds, least, cost_per_second };
        bounds.compute::<D>(&input, far, || interrupted(*number))
    }

    /// Runs the search. The paths found are in `memory.arrivals`, even if it was stopped.
    ///
    /// `known` are possible paths; only better ones are searched for.
    pub(super) fn run<D: Directed>(&mut self, interest: Interest, known: &[Arrival]) -> Result<(), Stopped> {
        self.memory.begin(self.data.service, self.far, interest, self.most_cost);
        known.iter().for_each(|arrival| self.memory.arrivals.add(*arrival));
        match self.on_board {
            Some(start) => self.seat_at_start::<D>(start),
            None => self.seed(),
        }
        run_rounds::<D, _>(self, 1, self.costs.max_rides as u32)
    }

    /// Continues the search from the ends of walks on the streets, each of which begins with the cheapest path to a
    /// stop by vehicle. Walks along prepared transfers were already searched.
    pub(super) fn walk_on<D: Directed>(&mut self, walks: &[StreetWalk]) -> Result<(), Stopped> {
        let last = self.costs.max_rides as u32;
        let farther = walks.iter().filter(|walk| !self.data.has_walk::<D>(walk.from, walk.to));
        // Collected before the first round, which may make the stops where walks begin cheaper.
        let starts: Vec<(&StreetWalk, Entry)> = farther
            .filter_map(|walk| Some((walk, *self.memory.left[walk.from.index()].cheapest()?)))
            .collect();
        for round in 1..last {
            for (walk, left) in starts.iter().filter(|(_, left)| left.round == round) {
                let (seconds, cost) = (walk.seconds, centi(walk.cost));
                let other_stop = walk.to.index() as u32;
                self.walk::<D>(walk.from.index(), &Walk { other_stop, seconds, cost }, *left);
            }
            run_rounds::<D, _>(self, round + 1, last)?;
        }
        Ok(())
    }

    fn seed(&mut self) {
        for index in 0..self.near.len() {
            let endpoint = self.near[index];
            let stop = endpoint.stop.index();
            if stop >= self.data.service.stop_count() || self.bounds.all().enter[stop] >= INFINITE {
                continue;
            }
            let time = self.start + endpoint.seconds;
            let reduced_cost = centi(endpoint.cost) - self.costs.reduction * (time - self.start);
            self.memory.own_bags(stop);
            if self.memory.enter[stop].dominates(time, reduced_cost) {
                continue;
            }
            let label = self.memory.push_label(NONE, stop, time, LabelKind::Endpoint(index as u32));
            let slide = LONGEST_SLIDE;
            self.memory.add_enter(stop, Entry { time, reduced_cost, label, pattern: NONE, round: 0, slide });
        }
    }

    fn seat_at_start<D: Directed>(&mut self, OnBoardRun { run, position, shift }: OnBoardRun) {
        let service = self.data.service;
        let stops = service.stops_of(service.pattern_of_run(run as usize));
        let (stop, time) = (stops[position as usize].index(), self.start);
        let label = self.memory.push_label(NONE, stop, time, LabelKind::OnBoard);
        let rider = Rider {
            run: run - service.lane_of_run(run as usize).first_run,
            shift,
            reduced_cost: -RIDE_RATE * time,
            label,
            entered: position,
            seated: false,
            slide: 0,
        };
        let step = D::position(position as usize, stops.len());
        self.memory.seated.push(SeatedIn { run, step, rider });
    }

    /// Drops the riders of a lane for whom riding on from a call is useless.
    fn drop_hopeless<D: Directed>(
        &mut self,
        round: u32,
        &ScannedCall { lane, position, index, .. }: &ScannedCall<'_>,
    ) {
        let rides = self.costs.rides_from(round);
        let (bound, first_arrival) =
            (self.bounds.with_rides(rides).riding[index], self.first_arrival.as_ref());
        let memory = &mut *self.memory;
        if bound >= INFINITE {
            memory.riders.clear();
        } else if !memory.arrivals.found().is_empty() {
            let times = self.data.service.leaving::<D>(lane, position);
            memory.riders.retain(|rider| {
                let off = D::key(times[rider.run as usize]) + rider.shift;
                let cost = rider.reduced_cost + RIDE_RATE * off;
                let first_arrival = first_arrival.filter(|_| rider.slide == 0);
                let least =
                    FirstArrival::raise(first_arrival, bound, off, rides, |beyond| beyond.riding[index]);
                !memory.arrivals.dominates(off, cost + least)
            });
        }
    }

    /// Adds an entry for every rider of a lane who may usefully leave it at a call.
    fn leave<D: Directed>(&mut self, round: u32, call: &ScannedCall<'_>) {
        let (service, costs) = (self.data.service, self.costs);
        let (lane, position, stop) = (call.lane, call.position, call.stop.index());
        let times = service.leaving::<D>(lane, position);
        let leave_time = costs.leave_times[call.pattern.mode as usize];
        let rides = self.costs.rides_from(round + 1);
        let left = self.bounds.with_rides(rides).left[stop];
        if left >= INFINITE {
            return;
        }
        self.memory.own_bags(stop);
        let keeps_apart = self.keeps_apart(stop);
        for index in 0..self.memory.riders.len() {
            let rider = self.memory.riders[index];
            let off = D::key(times[rider.run as usize]) + rider.shift;
            let cost =
                rider.reduced_cost + RIDE_RATE * off + costs.wait * leave_time + costs.leave_slack_cost;
            let time = off + costs.leave_slack + leave_time;
            let reduced_cost = cost - costs.reduction * (time - self.start);
            if time > self.latest
                || (!keeps_apart && self.memory.left[stop].dominates(time, reduced_cost))
                || self.is_hopeless(time, cost, left, rider.slide, rides, |beyond| beyond.left[stop])
            {
                continue;
            }
            // The run was allowed when it was entered.
            let run = lane.first_run + rider.run;
            if !self.filters.allows_call(&self.data, run, position) {
                continue;
            }
            let label = self.memory.push_label(rider.label, stop, time, rider.ride::<D>(run, position));
            let (pattern, slide) = (lane.pattern, rider.slide);
            let entry = Entry { time, reduced_cost, label, pattern, round, slide };
            if !keeps_apart {
                self.memory.add_left(stop, entry);
            } else if !self.add_left_apart::<D>(stop, entry) {
                self.memory.labels.pop();
                continue;
            }
            self.arrive(stop, time, cost, label);
        }
    }

    /// Whether no useful path can result from being somewhere at `time` for `cost`. `bound` is the least further cost, and
    /// `beyond` reads the entry of the same place in [`FirstArrival::beyond`]. The first arrival does
    /// not bound the cost of those who can slide, because their waits cost less.
    #[inline(always)]
    pub(super) fn is_hopeless(
        &self,
        time: i32,
        cost: Centicost,
        bound: Centicost,
        slide: i32,
        rides: usize,
        beyond: impl FnOnce(&Level) -> Centicost,
    ) -> bool {
        let least = FirstArrival::raise(
            self.first_arrival.as_ref().filter(|_| slide == 0),
            bound,
            time,
            rides,
            beyond,
        );
        self.memory.arrivals.dominates(time, cost + least)
    }

    /// Adds the complete paths that end with leaving a vehicle at a stop.
    #[inline(always)]
    fn arrive(&mut self, stop: usize, time: i32, cost: Centicost, label: u32) {
        let mut next = self.memory.far_of_stop[stop];
        while next != NONE {
            let (endpoint, following) = self.memory.far[next as usize];
            let far = &self.far[endpoint as usize];
            let path = ArrivalPath::Found(LastLabel { label, endpoint });
            let arrival = Arrival { time: time + far.seconds, cost: cost + centi(far.cost), path };
            if arrival.time <= self.latest {
                self.memory.arrivals.add(arrival);
            }
            next = following;
        }
    }

    /// Adds an entry that is ready to enter a vehicle, from one that left a vehicle before a walk.
    #[inline(always)]
    fn walk<D: Directed>(&mut self, from: usize, walk: &Walk, left: Entry) {
        let (costs, to) = (self.costs, walk.other_stop as usize);
        let rides = self.costs.rides_from(left.round + 1);
        let bound = self.bounds.with_rides(rides).enter[to];
        if bound >= INFINITE {
            return;
        }
        let stops = (from as u32, walk.other_stop);
        let off = || left.time - costs.leave_slack - self.leave_time(left.pattern);
        let transfer = self.data.transfer::<D>(costs, stops, (left.time, walk.seconds), off);
        let Some(Transfer { ready: time, wait, cost }) =
            transfer.filter(|transfer| transfer.ready <= self.latest)
        else {
            return;
        };
        let reduced_cost = left.reduced_cost + walk.cost + cost + costs.wait * wait
            - costs.reduction * (walk.seconds + wait);
        self.memory.own_bags(to);
        let cost = reduced_cost + costs.reduction * (time - self.start);
        let keeps_apart = self.keeps_apart(to);
        // A rule for certain trips or routes may make the transfer a preferred one.
        let most_discount = if self.data.walks.has_trip_rules(to) { costs.nonpreferred_transfer } else { 0 };
        if (!keeps_apart && self.memory.enter[to].dominates(time, reduced_cost))
            || self
                .is_hopeless(time, cost - most_discount, bound, left.slide, rides, |beyond| beyond.enter[to])
        {
            return;
        }
        let label = if from == to && walk.seconds == 0 {
            left.label
        } else {
            self.memory.push_label(left.label, to, time, LabelKind::Walk { seconds: walk.seconds })
        };
        let entry = Entry { time, reduced_cost, label, ..left };
        if keeps_apart {
            self.add_enter_apart::<D>(to, entry);
        } else {
            self.memory.add_enter(to, entry);
        }
    }

    pub(super) fn leave_time(&self, pattern: u32) -> i32 {
        self.costs.leave_times[self.data.service.patterns[pattern as usize].mode as usize]
    }
}

impl<'a, D: Directed> RoundSearch<'a, D> for McRaptor<'a> {
    type Aboard = ();
    type Seated = Rider;

    /// Riders of such runs never dominate others, so there is no need.
    const SCANS_EACH_PARTIAL_RUN: bool = false;

    fn data(&self) -> &TransitData<'a> {
        &self.data
    }

    fn filters(&self) -> &Filters {
        &self.filters
    }

    fn marks(&mut self) -> &mut Marks {
        &mut self.memory.marks
    }

    fn is_stopped(&self) -> bool {
        (self.interrupted)(self.number)
    }

    fn has_too_many_labels(&self) -> bool {
        self.memory.labels.len() > self.most_labels
    }

    fn useful_times(&self, round: u32, stop: usize) -> Option<RangeInclusive<i32>> {
        McRaptor::useful_times(self, round, stop)
    }

    /// The least cost of a path that enters the pattern here.
    #[inline(always)]
    fn prospect(
        &self,
        round: u32,
        &MarkedCall { pattern, call, stop, only_run }: &MarkedCall,
    ) -> Option<Centicost> {
        let (bound, penalty) = (
            self.bounds.with_rides(self.costs.rides_from(round)).riding[call],
            self.filters.pattern_penalty[pattern],
        );
        if bound >= INFINITE {
            return None;
        }
        let (memory, costs) = (&*self.memory, self.costs);
        let slack = if round == 1 { costs.first_slack } else { costs.later_slack };
        let entries = memory.enter[stop].entries().iter().filter(|entry| entry.round + 1 == round);
        let least = entries.filter_map(|entry| {
            let cost =
                entry.reduced_cost + costs.reduction * (entry.time - self.start) + costs.boarding(penalty)
                    - costs.nonpreferred_transfer
                    + bound;
            let is_useless = memory.arrivals.dominates(entry.time + slack, cost)
                || only_run.is_some_and(|on| self.misses_only_run(round, pattern, entry, (on, cost)));
            (!is_useless).then_some(cost)
        });
        least.min()
    }

    fn begin_lane(&mut self, _round: u32, lane: usize, riders: Riders<Rider>) -> Option<()> {
        self.memory.riders.clear();
        let Riders::Seated(SeatedIn { rider, .. }) = riders else { return Some(()) };
        if !self.filters.allows_run(&self.data, self.data.service.lanes[lane].first_run + rider.run) {
            return None;
        }
        self.memory.riders.push(rider);
        Some(())
    }

    #[inline(always)]
    fn is_empty(&self, (): &()) -> bool {
        self.memory.riders.is_empty()
    }

    #[inline(always)]
    fn arrive(&mut self, round: u32, (): &mut (), call: &ScannedCall<'a>, leaves: bool) {
        if leaves {
            self.leave::<D>(round, call);
        }
        self.drop_hopeless::<D>(round, call);
    }

    fn drop_all(&mut self, (): &mut ()) {
        self.memory.riders.clear();
    }

    #[inline(always)]
    fn enter(&mut self, round: u32, (): &mut (), call: &ScannedCall<'a>) {
        self.enter_from::<D>(round, call);
    }

    fn stay_seated(&mut self, _round: u32, (): (), last: &ScannedCall<'a>) {
        self.keep_seated::<D>(last);
    }

    fn seated(&mut self) -> &mut Vec<SeatedIn<Rider>> {
        &mut self.memory.seated
    }

    #[inline(always)]
    fn change(&mut self, round: u32, from: usize, walks: &[Walk]) {
        let entries = std::mem::take(&mut self.memory.left[from]);
        let bounds = &self.bounds.with_rides(self.costs.rides_from(round + 1)).enter;
        for &left in entries.entries().iter().filter(|left| left.round == round) {
            let spent =
                left.reduced_cost + self.costs.reduction * (left.time - self.start) + self.costs.transfer;
            let most = self.memory.arrivals.limit();
            for walk in walks {
                // This check comes first because most walks cost too much for where they lead.
                let least = spent.saturating_add(walk.cost).saturating_add(bounds[walk.other_stop as usize]);
                if least <= most && walk.is_allowed() {
                    self.walk::<D>(from, walk, left);
                }
            }
        }
        self.memory.left[from] = entries;
    }
}
