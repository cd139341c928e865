//! Entering vehicles: which runs of a lane riders take.
//!
//! The scan of a lane comes to a call ([`Entrance`]). There, everybody with an entry of the round before who might profit
//! ([`Waiting`]) takes one or more vehicles ([`Vehicle`]) and becomes a rider. Usually that is the first vehicle, because
//! runs of a lane do not overtake each other. Later ones are taken too where the first one is not allowed everywhere, where
//! waiting is cheap ([`Boarding::Any`]), or where the next run of a later vehicle leads elsewhere.

use std::ops::Range;

use trestle_model::Directed;

use super::active_service::{ActiveService, Lane, NONE};
use super::costs::{Centicost, EnterPrices, INFINITE, RIDE_RATE};
use super::filters::{Filters, MOST_PAIRS};
use super::labels::{Entry, Rider};
use super::mc_raptor::McRaptor;
use super::run_order::{first_run_near, first_run_of, next_run, run_before};
use super::scan::ScannedCall;
use super::transit_data::TransitData;
use super::verdicts::TransferVerdict;

/// Which vehicles of a lane riders take at a stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Boarding {
    /// The first one.
    First,
    /// Every one that may be useful.
    Any {
        /// Paths that begin with the first vehicle at its stop are already known, so they are not searched for again.
        first_runs_known: bool,
    },
}

struct Vehicle {
    /// Index of the run within its lane.
    run: u32,
    /// Seconds added to its times, as a key.
    shift: i32,
    /// When it is entered (key).
    on: i32,
    /// When the rider was ready for it (key).
    soonest: i32,
    /// Cost that a preferred transfer saves.
    discount: Centicost,
}

/// Effect of transfers.txt on one change.
struct ChangeRule {
    /// When the next vehicle may be entered at the earliest (key).
    soonest: i32,
    /// Cost that a preferred transfer saves.
    discount: Centicost,
}

/// What is the same for everybody who may enter a lane at a call.
pub(super) struct Entrance<'s> {
    pub(super) lane: &'s Lane,
    position: usize,
    stop: usize,
    /// Index in the `call_*` columns.
    call: usize,
    /// Entering times of the lane's runs.
    pub(super) times: &'s [i32],
    /// Seconds from the time of an entry until a vehicle can be entered: the slack and the time that entering takes.
    preparation: i32,
    /// Cost of boarding, without the wait.
    boarding_cost: Centicost,
    /// Cost of a second of waiting.
    wait: Centicost,
    /// Lower bound of the cost from the call on.
    bound: Centicost,
    /// Least cost from the last call on for those who stay seated there, [`INFINITE`] if nobody can.
    pub(super) seated_bound: Centicost,
    /// The most rides to come, this one included.
    rides: usize,
    /// Whether transfers.txt names trips of this lane.
    is_named: bool,
    /// Whether it may pay to let a vehicle pass.
    lets_pass: bool,
    /// Whether paths with the first vehicle are known.
    skips_first: bool,
    /// Whether riders are compared only with riders of the same vehicle.
    pub(super) keeps_apart: bool,
    /// Cost that a second of sliding saves, see [`super::apart`].
    slide_price: Centicost,
}

/// Someone at the stop who may enter a lane.
struct Waiting<'e> {
    entry: &'e Entry,
    /// When the first vehicle can be entered, without regard to rules for certain trips (key).
    ready: i32,
    /// Cost with boarding, without the wait.
    cost: Centicost,
    /// Lower bound of the cost of a whole path that enters the lane here, without the wait.
    prospect: Centicost,
    /// Whether the whole path so far can slide (see [`super::apart`]), so that taking a later vehicle means less waiting
    /// before it.
    slides: bool,
}

impl McRaptor<'_> {
    /// Adds riders to a lane at a call, from the entries of the previous round.
    #[inline(always)]
    pub(super) fn enter_from<D: Directed>(&mut self, round: u32, at: &ScannedCall<'_>) {
        let entrance = self.entrance::<D>(round, at);
        let entries = std::mem::take(&mut self.memory.enter[entrance.stop]);
        for entry in entries.entries().iter().filter(|entry| entry.round + 1 == round) {
            if let Some(waiting) = self.waiting::<D>(&entrance, entry) {
                self.enter_vehicles::<D>(&entrance, &waiting);
            }
        }
        self.memory.enter[entrance.stop] = entries;
    }

    #[inline(always)]
    fn entrance<'s, D: Directed>(&self, round: u32, at: &ScannedCall<'s>) -> Entrance<'s>
    where
        Self: 's,
    {
        let costs = self.costs;
        let &ScannedCall { lane, position, index: call, .. } = at;
        let mode = at.pattern.mode;
        let rides = costs.rides_from(round);
        let penalty = self.filters.pattern_penalty[lane.pattern as usize];
        let EnterPrices { preparation, cost: boarding_cost, wait } = costs.entering(round, mode, penalty);
        let is_named = self.is_named(lane);
        let has_headway = lane.headway != NONE;
        Entrance {
            lane,
            position,
            stop: at.stop.index(),
            call,
            times: self.data.service.entering::<D>(lane, position),
            preparation,
            boarding_cost,
            wait,
            bound: self.bounds.with_rides(rides).riding[call],
            seated_bound: self.seated_bound::<D>(rides, at),
            rides,
            is_named,
            lets_pass: is_named || (self.boarding != Boarding::First && costs.may_let_pass(wait)),
            // A first vehicle without fixed times can slide, so the known paths do not include all its times.
            skips_first: self.boarding == Boarding::Any { first_runs_known: true }
                && round == 1
                && !has_headway,
            keeps_apart: if has_headway { self.slide_price() > 0 } else { is_named },
            slide_price: if round == 1 { 0 } else { self.slide_price() },
        }
    }

    /// Someone who may enter a lane; `None` if that is useless in every vehicle.
    #[inline(always)]
    fn waiting<'e, D: Directed>(&self, entrance: &Entrance<'_>, entry: &'e Entry) -> Option<Waiting<'e>> {
        let &Entrance { lane, bound, seated_bound, wait, is_named, .. } = entrance;
        let costs = self.costs;
        let slides = entrance.slide_price > 0 && entry.slide > 0;
        let ready = entry.time + entrance.preparation;
        let cost = entry.reduced_cost + costs.reduction * (entry.time - self.start) + entrance.boarding_cost;
        let prospect = cost - costs.nonpreferred_transfer + bound;
        if self.memory.arrivals.dominates(ready, prospect) {
            return None;
        }
        // If waiting costs as much as riding, the reduced cost does not depend on the vehicle.
        let is_dominated = wait == RIDE_RATE
            && costs.wait <= RIDE_RATE
            && lane.headway == NONE
            && !is_named
            && !slides
            // A later vehicle, in which it is useful to stay seated, may be banned where the others entered.
            && !(seated_bound < INFINITE && self.filters.bans_calls())
            && self.is_dominated::<D>(entrance, ready, prospect - bound - RIDE_RATE * ready);
        (!is_dominated).then_some(Waiting { entry, ready, cost, prospect, slides })
    }

    /// Lets a rider enter every useful vehicle of a lane.
    #[inline(always)]
    fn enter_vehicles<D: Directed>(&mut self, entrance: &Entrance<'_>, waiting: &Waiting<'_>) {
        let mut next = self.first_useful::<D>(entrance, waiting);
        if entrance.skips_first {
            next = next.and_then(|first| self.next_vehicle::<D>(entrance, waiting, &first));
        }
        while let Some(vehicle) = next {
            if !self.enter::<D>(entrance, waiting, &vehicle) {
                break;
            }
            let partial = self.filters.is_partial(entrance.lane.first_run + vehicle.run);
            if !(partial || entrance.lets_pass || waiting.slides) {
                if entrance.seated_bound < INFINITE {
                    self.enter_later_vehicles::<D>(entrance, waiting, vehicle);
                }
                break;
            }
            next = self.next_vehicle::<D>(entrance, waiting, &vehicle);
        }
    }

    /// Lets a rider enter those vehicles of a lane after the first one in which it may be useful to stay seated at the
    /// end.
    #[inline(never)]
    fn enter_later_vehicles<D: Directed>(
        &mut self,
        entrance: &Entrance<'_>,
        waiting: &Waiting<'_>,
        first: Vehicle,
    ) {
        let mut entered = vec![entrance.lane.first_run + first.run];
        let mut next = self.next_vehicle::<D>(entrance, waiting, &first);
        while let Some(vehicle) = next.filter(|next| !self.is_too_late(entrance, waiting, next.on)) {
            if self.leads_elsewhere::<D>(entrance, waiting, &vehicle, &entered) {
                let run = entrance.lane.first_run + vehicle.run;
                self.enter::<D>(entrance, waiting, &vehicle);
                entered.push(run);
            }
            next = self.next_vehicle::<D>(entrance, waiting, &vehicle);
        }
    }

    /// Whether staying seated in a vehicle may usefully lead to where staying seated in the `earlier` runs does not.
    fn leads_elsewhere<D: Directed>(
        &self,
        entrance: &Entrance<'_>,
        waiting: &Waiting<'_>,
        vehicle: &Vehicle,
        earlier: &[u32],
    ) -> bool {
        let (lane, run) = (entrance.lane, vehicle.run as usize);
        let calls = self.data.service.patterns[lane.pattern as usize].calls as usize;
        let off = D::key(self.data.service.leaving_at::<D>(lane, D::position(calls - 1, calls), run));
        let cost = waiting.prospect - entrance.bound
            + entrance.wait * (vehicle.on - waiting.ready)
            + RIDE_RATE * (off - vehicle.on)
            + entrance.seated_bound;
        let run = lane.first_run + vehicle.run;
        let mut left = MOST_PAIRS;
        let mut continues_as =
            |earlier: u32| self.filters.continues_as_well::<D>(&self.data, (earlier, run), &mut left);
        off <= self.latest
            && !self.memory.arrivals.dominates(off, cost)
            && !earlier.iter().any(|&earlier| continues_as(earlier))
    }

    /// Whether a vehicle that is entered at `on` comes too late to be useful.
    #[inline(always)]
    fn is_too_late(&self, entrance: &Entrance<'_>, waiting: &Waiting<'_>, on: i32) -> bool {
        let prospect = waiting.prospect + entrance.wait * (on - waiting.ready);
        on > self.latest || self.memory.arrivals.dominates(on, prospect)
    }

    /// The first vehicle of a lane that a rider can take; `None` if there is none, or if it comes too late to be useful.
    #[inline(always)]
    fn first_useful<D: Directed>(
        &mut self,
        entrance: &Entrance<'_>,
        waiting: &Waiting<'_>,
    ) -> Option<Vehicle> {
        if entrance.lane.headway != NONE {
            return self.by_headway::<D>(entrance, waiting);
        }
        let first = self.first_run::<D>(entrance.lane, entrance.times, waiting.ready)?;
        let on = D::key(entrance.times[first]);
        // Most vehicles come too late, and then it makes no difference whether they are allowed.
        let is_too_late = !waiting.slides && self.is_too_late(entrance, waiting, on);
        if is_too_late { None } else { self.first_allowed_from::<D>(entrance, waiting, first) }
    }

    /// Lets a rider enter a vehicle if that may be useful. Returns false if this vehicle and all later ones come too
    /// late.
    #[inline(always)]
    fn enter<D: Directed>(
        &mut self,
        entrance: &Entrance<'_>,
        waiting: &Waiting<'_>,
        vehicle: &Vehicle,
    ) -> bool {
        let &Entrance { lane, bound, call, .. } = entrance;
        let &Vehicle { run, shift, on, soonest, discount } = vehicle;
        let entry = waiting.entry;
        let slid = (on - soonest).clamp(0, entry.slide);
        let cost =
            waiting.cost + entrance.wait * (on - waiting.ready) - entrance.slide_price * slid - discount;
        let most_discount = if entrance.is_named { self.costs.nonpreferred_transfer } else { discount };
        if on > self.latest || self.memory.arrivals.dominates(on, cost + discount - most_discount + bound) {
            return false;
        }
        let slide = self.slide_in::<D>(lane, shift, entry.slide - slid);
        // The bound by the first arrival may exclude an early vehicle but not a later one, after which there is less waiting.
        if self.is_hopeless(on, cost, bound, slide, entrance.rides, |beyond| beyond.riding[call]) {
            return true;
        }
        let rider = Rider {
            run,
            shift,
            reduced_cost: cost - RIDE_RATE * on,
            label: entry.label,
            entered: entrance.position as u16,
            seated: false,
            slide,
        };
        self.add_rider::<D>(entrance, rider);
        true
    }

    /// Seconds by which a rider can slide after entering a lane; `before` is how far they could slide before.
    fn slide_in<D: Directed>(&self, lane: &Lane, shift: i32, before: i32) -> i32 {
        if lane.headway == NONE || self.slide_price() == 0 {
            return 0;
        }
        let headway = self.data.service.headways[lane.headway as usize];
        let (trip, shift) = (self.data.service.runs[lane.first_run as usize].trip, D::key(shift));
        let room = D::pick(headway.end - 1 - shift, shift - headway.start);
        self.filters.room(trip, shift, room.min(before), headway.seconds, D::DIRECTION)
    }

    /// The next vehicle of a lane that a rider can take after `vehicle`.
    fn next_vehicle<D: Directed>(
        &self,
        entrance: &Entrance<'_>,
        waiting: &Waiting<'_>,
        vehicle: &Vehicle,
    ) -> Option<Vehicle> {
        let lane = entrance.lane;
        let next =
            (lane.headway == NONE).then(|| next_run::<D>(vehicle.run as usize, lane.runs as usize))??;
        self.first_allowed_from::<D>(entrance, waiting, next)
    }

    /// Whether a rider of the lane with at most `reduced_cost` is in a vehicle that is no later than the first one that
    /// can be taken by someone ready at `ready`.
    #[inline(always)]
    fn is_dominated<D: Directed>(
        &self,
        &Entrance { lane, times, .. }: &Entrance<'_>,
        ready: i32,
        reduced_cost: Centicost,
    ) -> bool {
        self.memory.riders.iter().any(|rider| {
            let missed = |run: usize| D::key(times[run]) < ready;
            !self.filters.is_partial(lane.first_run + rider.run)
                && rider.reduced_cost <= reduced_cost
                && run_before::<D>(rider.run as usize, times.len()).is_none_or(missed)
        })
    }

    /// The first run of a lane with fixed times that can be entered when ready at `ready`, allowed or not, given the
    /// entering times of its runs.
    #[inline(always)]
    fn first_run<D: Directed>(&mut self, lane: &Lane, times: &[i32], ready: i32) -> Option<usize> {
        let guess = &mut self.memory.taken[lane.first_run as usize];
        let first = first_run_near::<D>(times, ready, *guess as usize)?;
        *guess = first as u32;
        Some(first)
    }

    /// The first vehicle of a service without fixed times that a rider can take. The wait for it begins after
    /// the least time that rules for certain trips and routes demand.
    fn by_headway<D: Directed>(&self, entrance: &Entrance<'_>, waiting: &Waiting<'_>) -> Option<Vehicle> {
        let &Entrance { lane, position, .. } = entrance;
        if !self.filters.allows(&self.data, lane.first_run, position) {
            return None;
        }
        let rule = self.change_rule::<D>(entrance, 0, waiting.entry)?;
        let time = entrance.times[0];
        let headway = &self.data.service.headways[lane.headway as usize];
        let trip = self.data.service.runs[lane.first_run as usize].trip;
        let ready = waiting.ready.max(rule.soonest);
        let shift = headway_shift::<D>(self.data.service, lane, time, ready)?;
        let shift = self.filters.free_departure(trip, shift, headway.seconds, D::DIRECTION);
        (headway.start..headway.end).contains(&shift).then(|| Vehicle {
            run: 0,
            shift: D::key(shift),
            on: D::key(time + shift),
            soonest: ready + headway.seconds,
            discount: rule.discount,
        })
    }

    /// The first run of a lane, from run `first` on, that a rider can take.
    #[inline(always)]
    fn first_allowed_from<D: Directed>(
        &self,
        entrance: &Entrance<'_>,
        waiting: &Waiting<'_>,
        first: usize,
    ) -> Option<Vehicle> {
        let &Entrance { lane, position, times, .. } = entrance;
        let mut next = Some(first);
        while let Some(run) = next {
            let on = D::key(times[run]);
            if self.filters.allows(&self.data, lane.first_run + run as u32, position)
                && let Some(rule) = self.change_rule::<D>(entrance, run, waiting.entry)
                && rule.soonest <= on
            {
                let soonest = waiting.ready.max(rule.soonest);
                return Some(Vehicle { run: run as u32, shift: 0, on, soonest, discount: rule.discount });
            }
            next = next_run::<D>(run, lane.runs as usize);
        }
        None
    }

    /// What the rules for certain trips and routes demand of an entry that takes a run; `None` if they forbid it.
    #[inline(always)]
    fn change_rule<D: Directed>(
        &self,
        &Entrance { lane, stop, .. }: &Entrance<'_>,
        run: usize,
        entry: &Entry,
    ) -> Option<ChangeRule> {
        let plain = ChangeRule { soonest: i32::MIN, discount: 0 };
        if entry.round == 0 || !self.data.walks.has_trip_rules(stop) {
            return Some(plain);
        }
        let Some(last) = self.last_ride(entry) else { return Some(plain) };
        let verdict = self.data.verdict_by_trip::<D>(
            (last.stop, self.data.service.trip_and_route(last.run as usize)),
            (stop as u32, self.data.service.trip_and_route(lane.first_run as usize + run)),
        );
        match verdict {
            Some(TransferVerdict::Forbidden) => None,
            Some(TransferVerdict::AtLeast(seconds)) => {
                Some(ChangeRule { soonest: last.off.saturating_add(seconds), ..plain })
            }
            Some(TransferVerdict::Plain { preferred: true }) => {
                Some(ChangeRule { discount: self.costs.nonpreferred_transfer, ..plain })
            }
            Some(TransferVerdict::Plain { preferred: false }) | None => Some(plain),
        }
    }
}

/// Seconds to add to the times of a headway lane for a rider ready at `ready`: a vehicle comes one full headway later,
/// but not before the first one and not after the last.
fn headway_shift<D: Directed>(
    service: &ActiveService,
    lane: &Lane,
    call_time: i32,
    ready: i32,
) -> Option<i32> {
    let headway = service.headways[lane.headway as usize];
    let (first, end) = (headway.start + call_time, headway.end + call_time);
    if D::is_backward() {
        let on = (-ready - headway.seconds).min(end - 1);
        (on >= first).then_some(on - call_time)
    } else {
        let on = (ready + headway.seconds).max(first);
        (on < end).then_some(on - call_time)
    }
}

/// For searches that keep only the earliest rider of a lane: the first vehicle among `runs` that can be entered at a
/// position when ready at `ready`, as its index within the lane and the seconds added to its times (key). A headway lane
/// has one run. `times` are those of entering the runs of the lane there. Partial runs do not stand for the lane, so they
/// count only if `runs` is one of them (`one_run`).
#[inline(always)]
pub(super) fn first_vehicle<D: Directed>(
    (data, filters): (&TransitData<'_>, &Filters),
    (lane, position): (&Lane, usize),
    times: &[i32],
    (runs, one_run): (Range<usize>, bool),
    ready: i32,
) -> Option<(usize, i32)> {
    let allows = |run: usize| {
        let run = lane.first_run + run as u32;
        filters.allows(data, run, position) && (one_run || !filters.is_partial(run))
    };
    if lane.headway != NONE {
        let shift = headway_shift::<D>(data.service, lane, times[0], ready)?;
        return allows(0).then_some((0, D::key(shift)));
    }
    let mut next = first_run_of::<D>(runs.clone(), times, ready);
    while let Some(run) = next.filter(|&run| !allows(run)) {
        next = next_run::<D>(run, times.len()).filter(|run| runs.contains(run));
    }
    next.map(|run| (run, 0))
}
