//! Entering vehicles: which run of a lane, and which riders of a lane are worth keeping.

use std::ops::Range;

use super::costs::{Centicost, Costs, EnterPrices, RIDE};
use super::direction::Direction;
use super::labels::{Arrivals, Entry, LabelKind, Rider};
use super::rounds::Rounds;
use super::transfers::TransferVerdict;
use super::window::{Lane, NONE, ServiceWindow};

/// Which of the vehicles of a lane riders take when they get to a stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Boarding {
    /// The first one that comes.
    First,
    /// Any one that may be of use.
    Any {
        /// The ways whose first vehicle is the first one that came to its stop are known, and not looked for again.
        firsts_known: bool,
    },
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

impl Rounds<'_> {
    /// Lets the entries of the last round enter a lane at a call.
    pub(super) fn enter<D: Direction>(
        &mut self,
        lane: &Lane,
        mode: u8,
        position: usize,
        stop: usize,
        round: u32,
    ) {
        let costs = self.costs;
        let call = self.window.patterns[lane.pattern as usize].first_call as usize + position;
        let bound = self.bounds.riding[call];
        let penalty = self.filters.pattern_penalty[lane.pattern as usize];
        let EnterPrices { slack, slack_cost, wait, enter_time_cost } = costs.entering(round, mode);
        let enter_time = costs.enter_times[mode as usize];
        let lets_pass = self.boarding != Boarding::First && costs.may_let_pass(wait);
        let skips_first = self.boarding == Boarding::Any { firsts_known: true } && round == 1;
        for index in 0..self.memory.enter[stop].entries().len() {
            let entry = self.memory.enter[stop].entries()[index];
            if entry.round + 1 != round || self.rode_here::<D>(lane, position, &entry) {
                continue;
            }
            let ready = entry.time + slack + enter_time;
            let least = entry.settled
                + costs.settling * (entry.time - self.start)
                + costs.board
                + penalty
                + slack_cost
                + enter_time_cost;
            let promise = least - costs.nonpreferred_transfer + bound;
            if self.memory.arrivals.dominates(ready, promise) {
                continue;
            }
            // What a rider takes along does not depend on the vehicle when waiting costs as much as riding.
            if wait == RIDE
                && costs.wait <= RIDE
                && lane.headway == NONE
                && self.is_outdone::<D>(lane, position, ready, promise - bound - RIDE * ready)
            {
                continue;
            }
            let mut next = self.first_allowed::<D>(lane, position, ready, &entry, stop);
            if skips_first {
                next = next.and_then(|first| self.one_after::<D>(lane, position, &first, &entry, stop));
            }
            while let Some(Vehicle { run, shift, on, discount }) = next {
                // A trip that is banned at some calls may not let its riders off where another does.
                let partial = self.filters.is_partial(self.window.runs[(lane.first_run + run) as usize].trip);
                let cost = least + wait * (on - ready) - discount;
                if on > self.latest || self.memory.arrivals.dominates(on, cost + bound) {
                    // Those that come later cost more.
                    break;
                }
                // The floor may rule out an early vehicle and not a later one, behind which one waits for less time.
                if !self.is_hopeless(on, cost, bound, |beyond| beyond.riding[call]) {
                    let rider = Rider {
                        run,
                        shift,
                        settled: cost - RIDE * on,
                        label: entry.label,
                        entered: position as u16,
                        seated: false,
                        partial,
                    };
                    let on_board = OnBoard {
                        lane,
                        times: self.window.entering::<D>(lane, position),
                        costs,
                        arrivals: &self.memory.arrivals,
                    };
                    on_board.add::<D>(&mut self.memory.riders, rider);
                }
                let vehicle = Vehicle { run, shift, on, discount };
                next = (partial || lets_pass)
                    .then(|| self.one_after::<D>(lane, position, &vehicle, &entry, stop))
                    .flatten();
            }
        }
    }

    /// Whether an entry left a vehicle of this lane here or further back. Staying in it was cheaper, and no vehicle of a lane
    /// overtakes another, so nobody enters a later one.
    #[inline(always)]
    fn rode_here<D: Direction>(&self, lane: &Lane, position: usize, entry: &Entry) -> bool {
        entry.pattern == lane.pattern && self.costs.wait == RIDE && !self.filters.closes_stops() && {
            let labels = &self.memory.labels;
            let mut label = labels[entry.label as usize];
            if let LabelKind::Walk { .. } = label.kind {
                label = labels[label.parent as usize];
            }
            match label.kind {
                LabelKind::Ride { run, left, .. } => {
                    (lane.first_run..lane.first_run + lane.runs).contains(&run)
                        && D::key(i32::from(left)) <= D::key(position as i32)
                        && !self.filters.is_partial(self.window.runs[run as usize].trip)
                }
                _ => false,
            }
        }
    }

    /// The vehicle of a lane that comes after another one at a call.
    fn one_after<D: Direction>(
        &self,
        lane: &Lane,
        position: usize,
        vehicle: &Vehicle,
        entry: &Entry,
        stop: usize,
    ) -> Option<Vehicle> {
        let next =
            (lane.headway == NONE).then(|| D::next_run(vehicle.run as usize, lane.runs as usize))??;
        self.first_allowed_from::<D>(lane, position, next, entry, stop)
    }

    /// Whether a rider of a lane, at no higher cost than `settled`, sits in a vehicle that is not later than any that
    /// can be taken when ready at `ready`.
    #[inline(always)]
    fn is_outdone<D: Direction>(&self, lane: &Lane, position: usize, ready: i32, settled: Centicost) -> bool {
        let times = self.window.entering::<D>(lane, position);
        let settled = self.memory.arrivals.rank(settled);
        self.memory.riders.iter().any(|rider| {
            let missed = |run: usize| D::key(times[run]) < ready;
            !rider.partial
                && rider.settled <= settled
                && D::run_before(rider.run as usize, times.len()).is_none_or(missed)
        })
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
        if lane.headway != NONE {
            let headway = &self.window.headways[lane.headway as usize];
            let trip = self.window.runs[lane.first_run as usize].trip;
            let shift = headway_shift::<D>(self.window, lane, times[0], ready)?;
            let shift = self.filters.free_departure(trip, shift, headway.seconds, !D::FORWARD);
            if !(headway.start..headway.end).contains(&shift) {
                return None;
            }
            let on = D::key(times[0] + shift);
            let allowed = self.allows(lane, 0, position);
            return allowed.then_some(Vehicle { run: 0, shift: D::key(shift), on, discount: 0 });
        }
        self.first_allowed_from::<D>(lane, position, D::first_run(times, ready)?, entry, stop)
    }

    /// The first run of a lane from one of its runs on that an entry can take at a call.
    #[inline(always)]
    fn first_allowed_from<D: Direction>(
        &self,
        lane: &Lane,
        position: usize,
        first: usize,
        entry: &Entry,
        stop: usize,
    ) -> Option<Vehicle> {
        let times = self.window.entering::<D>(lane, position);
        let by_trip = entry.round > 0 && self.walks.has_trip_rules(stop) && !self.memory.arrivals.by_time();
        let mut next = Some(first);
        while let Some(run) = next {
            let on = D::key(times[run]);
            if self.allows(lane, run as u32, position) {
                let discount =
                    if by_trip { self.rule_discount::<D>(lane, run, entry, stop, on) } else { Some(0) };
                if let Some(discount) = discount {
                    return Some(Vehicle { run: run as u32, shift: 0, on, discount });
                }
            }
            next = D::next_run(run, lane.runs as usize);
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

/// The first of some `runs` of a lane that can be entered at a call when ready at `ready`, whatever it costs, as an index
/// within the lane, and the seconds added to its times (key). A service with a headway has one run.
#[inline(always)]
pub(super) fn first_vehicle<D: Direction>(
    window: &ServiceWindow,
    lane: &Lane,
    position: usize,
    runs: Range<usize>,
    ready: i32,
    allows: impl Fn(usize) -> bool,
) -> Option<(usize, i32)> {
    let times = window.entering::<D>(lane, position);
    if lane.headway != NONE {
        let shift = headway_shift::<D>(window, lane, times[0], ready)?;
        return allows(0).then_some((0, D::key(shift)));
    }
    let mut next = D::first_run_of(runs.clone(), times, ready);
    while let Some(run) = next.filter(|&run| !allows(run)) {
        next = D::next_run(run, times.len()).filter(|run| runs.contains(run));
    }
    next.map(|run| (run, 0))
}

/// Riders of a lane at a call.
struct OnBoard<'a> {
    lane: &'a Lane,
    /// When each run is entered there.
    times: &'a [i32],
    costs: &'a Costs,
    arrivals: &'a Arrivals,
}

impl OnBoard<'_> {
    /// Adds a rider unless another one is never later and not dearer; removes those that the rider makes useless.
    #[inline(always)]
    fn add<D: Direction>(&self, riders: &mut Vec<Rider>, rider: Rider) {
        if riders.iter().any(|other| self.outdoes::<D>(other, &rider)) {
            return;
        }
        riders.retain(|other| !self.outdoes::<D>(&rider, other));
        riders.push(rider);
    }

    /// Whether a rider makes another useless.
    #[inline(always)]
    fn outdoes<D: Direction>(&self, a: &Rider, b: &Rider) -> bool {
        // Order of travel: runs of a lane never overtake; vehicles of a headway are ordered by their shift.
        let order = |r: &Rider| if self.lane.headway == NONE { D::key(r.run as i32) } else { r.shift };
        if self.costs.settling == 0 {
            let cost = |r: &Rider| r.settled + RIDE * (D::key(self.times[r.run as usize]) + r.shift);
            return order(a) <= order(b) && !a.partial && cost(a) <= cost(b);
        }
        // Waiting dearer than riding can make the later vehicle the cheaper one further on.
        let comparable = if self.costs.wait <= RIDE { order(a) <= order(b) } else { order(a) == order(b) };
        comparable && !a.partial && a.settled <= self.arrivals.rank(b.settled)
    }
}
