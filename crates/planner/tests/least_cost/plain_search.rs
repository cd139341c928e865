//! The least cost of a request by a plain search: every run of the timetable and every stop, without bounds or early
//! termination.
//!
//! It finds the least generalized cost of all choices to walk to a stop, ride up to `max_transfers + 1` vehicles, walk
//! between stops and walk to the destination. Riders may let vehicles pass, before the trip or on the way. The
//! cost of a way is the sum of
//! - the cost of the ways to the first and from the last stop,
//! - `wait_at_beginning_factor` for each second between the requested time and leaving home; in backward searches between
//!   arriving and the requested time,
//! - `wait_reluctance` for each second of waiting on the way,
//! - 1 for each second in a vehicle and of the slack before a boarding; the slack after alighting costs nothing,
//! - the board cost of each vehicle and the penalty of its route, the transfer penalty of each but the first,
//!   `walk_reluctance` for each second of walking between stops, and 180 for a transfer that is not preferred where the
//!   feed prefers any.
//!
//! A vehicle without fixed times comes a headway after a rider begins to wait for it. Riders who have used only such
//! vehicles may start later: a second of that costs as much as one of the first wait, and is saved from a later wait.

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::{Mode, RoutingRequest};
use trestle_transit::raptor::Endpoint;
use trestle_transit::timetable::{Timetable, TransferRule};

use super::bans::Bans;
use super::riders::{Came, Cost, Left, Waiting, keep_useful, keep_useful_left};
use super::timetable::{Call, OnBoard, Run, Runs, allows_bikes};

/// A second in a vehicle.
const RIDE: Cost = 100;
const ANY: u32 = u32::MAX;

/// A rider in a vehicle.
#[derive(Clone, Copy)]
struct Seated {
    /// Seconds that the vehicle is moved by.
    shift: i64,
    /// The cost minus the time.
    settled: Cost,
    slide: i64,
}

/// A walk between stops, in the order of the search.
#[derive(Clone, Copy)]
struct Walk {
    to: u32,
    seconds: i64,
    cost: Cost,
}

/// The search of one request.
pub(crate) struct PlainSearch<'a> {
    timetable: &'a Timetable,
    runs: &'a Runs,
    request: &'a RoutingRequest,
    bans: Bans,
    bike_aboard: bool,
    walks: Vec<Vec<Walk>>,
    rules: FxHashMap<(u32, u32), Vec<TransferRule>>,
    /// Stops that rules for certain trips or routes name.
    trip_ruled: FxHashSet<u32>,
    prefers_transfers: bool,
    /// Seconds before the first and later vehicles, and after each.
    slacks: (i64, i64, i64),
    /// The costs of these seconds.
    slack_costs: (Cost, Cost, Cost),
    waits: (Cost, Cost),
    /// The saving for each second of starting later.
    saving: Cost,
    /// Riders with a higher cost are dropped.
    most: Cost,
}

fn centi(cost: f64) -> Cost {
    (cost * 100.0).round() as Cost
}

fn whole(cost: i32) -> Cost {
    100 * Cost::from(cost)
}

fn is_general(rule: &TransferRule) -> bool {
    [rule.from_trip, rule.to_trip, rule.from_route, rule.to_route] == [ANY; 4]
}

impl<'a> PlainSearch<'a> {
    /// A search that drops riders with a cost above `most`.
    pub(crate) fn new(
        timetable: &'a Timetable,
        runs: &'a Runs,
        request: &'a RoutingRequest,
        most: Option<f64>,
    ) -> Self {
        let mut rules: FxHashMap<_, Vec<TransferRule>> = FxHashMap::default();
        for rule in timetable.transfers.rules.iter() {
            rules.entry((rule.from_stop, rule.to_stop)).or_default().push(*rule);
        }
        let of_trips = timetable.transfers.rules.iter().filter(|rule| !is_general(rule));
        let (board, alight) = (i64::from(request.board_slack), i64::from(request.alight_slack));
        let change = i64::from(request.transfer_slack);
        // The seconds after alighting cost nothing.
        let (slacks, charged) = match runs.backward {
            false => ((board, change - alight, alight), (board, change - alight, 0)),
            true => ((alight, change - board, board), (0, change - alight - board, board)),
        };
        let waits = (centi(request.wait_at_beginning_factor), centi(request.wait_reluctance));
        let has_headways = runs.runs.iter().any(|run| run.headway.is_some());
        PlainSearch {
            timetable,
            runs,
            request,
            bans: Bans::new(timetable, request),
            bike_aboard: request.bike_aboard(),
            walks: walks(timetable, request, runs.backward),
            rules,
            trip_ruled: of_trips.flat_map(|rule| [rule.from_stop, rule.to_stop]).collect(),
            prefers_transfers: timetable.transfers.rules.iter().any(|rule| rule.kind < 2),
            slacks,
            slack_costs: (RIDE * charged.0, RIDE * charged.1, RIDE * charged.2),
            waits,
            saving: if has_headways { (waits.1 - waits.0).max(0) } else { 0 },
            most: most.map_or(Cost::MAX / 4, centi),
        }
    }

    /// The least cost from `near`, or from a vehicle, to `far`: the places at the start and end of the search.
    pub(crate) fn least_cost(
        &self,
        near: &[Endpoint],
        far: &[Endpoint],
        on_board: Option<&OnBoard>,
    ) -> Option<f64> {
        let start = self.key(self.request.epoch_seconds);
        let mut waiting = self.start(start, near);
        let mut least = None;
        for ride in 0..=self.request.max_transfers {
            waiting.iter_mut().for_each(|waiting| keep_useful(waiting, self.saving));
            let mut left = self.ride(&waiting, ride == 0);
            if let Some(on_board) = on_board.filter(|_| ride == 0) {
                let rider = Seated { shift: on_board.shift, settled: -RIDE * start, slide: 0 };
                self.ride_on(on_board.run, on_board.position + 1, rider, &mut left);
            }
            for endpoint in far.iter().filter(|endpoint| self.stops_at(endpoint.stop.0)) {
                let costs = left[endpoint.stop.index()].iter().map(|left| left.cost + centi(endpoint.cost));
                least = costs.chain(least).min();
            }
            waiting = self.change(left);
        }
        least.filter(|least| *least <= self.most).map(|least| least as f64 / 100.0)
    }

    /// The fewest seconds after which a vehicle can be left at each stop, `i64::MAX` where none can. Like the searches
    /// by time alone, it applies no rules of transfers.txt between two stops if one of theirs is for certain trips or
    /// routes.
    pub(crate) fn soonest(mut self, near: &[Endpoint]) -> Vec<i64> {
        self.rules.retain(|_, rules| rules.iter().all(is_general));
        self.trip_ruled.clear();
        let start = self.key(self.request.epoch_seconds);
        let mut waiting = self.start(start, near);
        let mut soonest = vec![i64::MAX; waiting.len()];
        for ride in 0..=self.request.max_transfers {
            waiting.iter_mut().for_each(|waiting| keep_useful(waiting, self.saving));
            let left = self.ride(&waiting, ride == 0);
            for (soonest, left) in soonest.iter_mut().zip(&left) {
                let seconds = left.iter().map(|left| left.time - start);
                *soonest = seconds.chain([*soonest]).min().unwrap_or(i64::MAX);
            }
            waiting = self.change(left);
        }
        soonest
    }

    /// The travellers who wait at the stops near the place where the search starts.
    fn start(&self, start: i64, near: &[Endpoint]) -> Vec<Vec<Waiting>> {
        let mut waiting = vec![Vec::new(); self.timetable.stops.id.len()];
        for endpoint in near {
            let ready = start + i64::from(endpoint.seconds);
            let settled = centi(endpoint.cost) - self.waits.0 * ready;
            waiting[endpoint.stop.index()].push(Waiting { ready, settled, slide: 0, came: None });
        }
        waiting
    }

    /// Whether a vehicle with fixed times had made all its calls when the search starts, so that nobody can board it.
    fn has_ended(&self, run: &Run) -> bool {
        run.calls.last().is_none_or(|call| call.goes < self.key(self.request.epoch_seconds))
    }

    fn key(&self, time: i64) -> i64 {
        if self.runs.backward { -time } else { time }
    }

    /// Riders board every vehicle that they can board, and alight at every stop.
    fn ride(&self, waiting: &[Vec<Waiting>], first: bool) -> Vec<Vec<Left>> {
        let mut left = vec![Vec::new(); waiting.len()];
        for run in self.runs.runs.iter().filter(|run| !run.continues) {
            self.ride_from(run, waiting, first, None, &mut left);
        }
        left
    }

    /// Rides a run and those that its vehicle continues as; `seated` is the cost in the vehicle, minus its time.
    fn ride_from(
        &self,
        run: &Run,
        waiting: &[Vec<Waiting>],
        first: bool,
        mut seated: Option<Cost>,
        left: &mut [Vec<Left>],
    ) {
        match run.headway {
            // About half of the runs have ended by then.
            None if seated.is_none() && self.has_ended(run) => {}
            _ if !self.allows(run) => seated = None,
            None => self.ride_along(run, waiting, first, &mut seated, left),
            Some(_) => self.ride_by_headway(run, waiting, first, left),
        }
        for next in run.next.iter().map(|&next| &self.runs.runs[next]) {
            // The penalty is that of the run that is boarded.
            let more = if self.runs.backward { self.penalty(next) - self.penalty(run) } else { 0 };
            self.ride_from(next, waiting, first, seated.map(|cost| cost + more), left);
        }
    }

    /// A rider who is in a vehicle already alights at every later stop of it, and of those that it continues as.
    fn ride_on(&self, run: usize, from: usize, rider: Seated, left: &mut [Vec<Left>]) {
        let run = &self.runs.runs[run];
        if !self.allows(run) {
            return;
        }
        for call in &run.calls[from..] {
            self.leave(run, call, rider, left);
            if !self.bans.allow_passing(call.stop) {
                return;
            }
        }
        run.next.iter().for_each(|&next| self.ride_on(next, 1, rider, left));
    }

    fn ride_along(
        &self,
        run: &Run,
        waiting: &[Vec<Waiting>],
        first: bool,
        seated: &mut Option<Cost>,
        left: &mut [Vec<Left>],
    ) {
        let last = run.calls.len() - 1;
        for (at, call) in run.calls.iter().enumerate() {
            // Nobody alights at the first stop of a trip or boards at its last one, even if the vehicle continues.
            if let Some(settled) = seated.filter(|_| at > 0) {
                self.leave(run, call, Seated { shift: 0, settled, slide: 0 }, left);
            }
            if !self.bans.allow_passing(call.stop) {
                *seated = None;
            }
            let waiting = &waiting[call.stop as usize];
            if waiting.is_empty() || at == last || !call.can_enter || !self.calls_at(run, call) {
                continue;
            }
            let entered = self.entered(run, call, waiting, first);
            *seated = entered.into_iter().chain(*seated).min();
        }
    }

    /// The least cost of boarding a run at a call, minus the time.
    fn entered(&self, run: &Run, call: &Call, waiting: &[Waiting], first: bool) -> Option<Cost> {
        let takes = self.slack(first) + self.enter_time(run);
        let by_rule = !first && self.trip_ruled.contains(&call.stop);
        // Without rules the last rider in time has the least cost, unless a rider can start later.
        let in_time = waiting.partition_point(|w| w.ready + takes <= call.goes);
        let all = by_rule || (!first && self.saving > 0);
        let candidates = if all { &waiting[..in_time] } else { &waiting[in_time.saturating_sub(1)..in_time] };
        let costs = candidates.iter().filter_map(|w| {
            let (soonest, extra) = self.allowed(run, call, w, first)?;
            let saved = self.saving * w.slide.min(call.goes - soonest);
            (soonest <= call.goes)
                .then(|| self.cost_on(run, w, call.goes, first) + extra - saved - RIDE * call.goes)
        });
        costs.min()
    }

    fn cost_on(&self, run: &Run, waiting: &Waiting, on: i64, first: bool) -> Cost {
        let (price, slack_cost) = match first {
            true => (self.waits.0, self.slack_costs.0),
            false => (self.waits.1, self.slack_costs.1),
        };
        waiting.settled + price * (on - self.slack(first)) + slack_cost + self.board_cost(run)
    }

    /// The earliest time at which a run could be boarded, and the cost that rules for certain trips add; `None`
    /// where they forbid the transfer.
    fn allowed(&self, run: &Run, call: &Call, waiting: &Waiting, first: bool) -> Option<(i64, Cost)> {
        let ready = waiting.ready + self.slack(first) + self.enter_time(run);
        let Some(came) = waiting.came else { return Some((ready, 0)) };
        let to = (call.stop, run.trip.0, run.route.0);
        match self.verdict((came.stop, came.trip, came.route), to) {
            Verdict::Forbidden => None,
            Verdict::AtLeast(seconds) => Some((ready.max(came.off + seconds), self.nonpreferred_penalty())),
            Verdict::Plain => Some((ready, self.nonpreferred_penalty())),
            Verdict::Preferred => Some((ready, 0)),
        }
    }

    fn ride_by_headway(&self, run: &Run, waiting: &[Vec<Waiting>], first: bool, left: &mut [Vec<Left>]) {
        let Some(headway) = run.headway else { return };
        for (at, call) in run.calls.iter().enumerate() {
            if !call.can_enter || !self.calls_at(run, call) {
                continue;
            }
            for waiting in &waiting[call.stop as usize] {
                let Some((soonest, extra)) = self.allowed(run, call, waiting, first) else { continue };
                let shift = (soonest + headway.seconds - call.goes).max(headway.shifts.0);
                if shift > headway.shifts.1 {
                    continue;
                }
                let on = call.goes + shift;
                // The wait for the first vehicle of the day can be avoided by starting later.
                let put_off = waiting.slide.min(on - headway.seconds - soonest);
                let (saved, before) =
                    if first { (0, i64::MAX) } else { (self.saving * put_off, waiting.slide - put_off) };
                let settled = self.cost_on(run, waiting, on, first) + extra - saved - RIDE * on;
                let slide = if self.saving > 0 { before.min(headway.shifts.1 - shift) } else { 0 };
                let passed = |call: &&Call| self.bans.allow_passing(call.stop);
                for call in run.calls[at + 1..].iter().take_while(passed) {
                    self.leave(run, call, Seated { shift, settled, slide }, left);
                }
            }
        }
    }

    fn leave(&self, run: &Run, call: &Call, seated: Seated, left: &mut [Vec<Left>]) {
        let Seated { shift, settled, slide } = seated;
        let takes = self.leave_time(run);
        let off = call.comes + shift;
        let cost = settled + RIDE * off + self.waits.1 * takes + self.slack_costs.2;
        if cost <= self.most && call.can_leave && self.calls_at(run, call) {
            let came = Came { stop: call.stop, trip: run.trip.0, route: run.route.0, off };
            left[call.stop as usize].push(Left { time: off + takes + self.slacks.2, cost, slide, came });
        }
    }

    /// Riders who alighted wait for the next vehicle, there or at a stop within a walk.
    fn change(&self, left: Vec<Vec<Left>>) -> Vec<Vec<Waiting>> {
        let mut waiting = vec![Vec::new(); left.len()];
        for (from, mut left) in left.into_iter().enumerate() {
            if !self.trip_ruled.contains(&(from as u32)) {
                keep_useful_left(&mut left, self.waits.1, self.saving);
            }
            let here = Walk { to: from as u32, seconds: 0, cost: 0 };
            for walk in std::iter::once(&here).chain(&self.walks[from]) {
                let changed = left.iter().filter_map(|left| self.changed(left, walk));
                waiting[walk.to as usize].extend(changed);
            }
        }
        waiting
    }

    fn changed(&self, left: &Left, walk: &Walk) -> Option<Waiting> {
        let mut ready = left.time + walk.seconds;
        let mut cost = left.cost + walk.cost + whole(self.request.transfer_penalty);
        // At a stop with rules for certain trips, the vehicle before must be known.
        let by_trip = self.trip_ruled.contains(&walk.to);
        if !by_trip {
            match self.verdict((left.came.stop, ANY - 1, ANY - 1), (walk.to, ANY - 1, ANY - 1)) {
                Verdict::Forbidden => return None,
                Verdict::AtLeast(seconds) => {
                    let wait = (left.came.off + seconds - self.slacks.1 - ready).max(0);
                    (ready, cost) = (ready + wait, cost + self.waits.1 * wait + self.nonpreferred_penalty());
                }
                Verdict::Plain => cost += self.nonpreferred_penalty(),
                Verdict::Preferred => {}
            }
        }
        let came = by_trip.then_some(left.came);
        Some(Waiting { ready, settled: cost - self.waits.1 * ready, slide: left.slide, came })
    }

    fn slack(&self, first: bool) -> i64 {
        if first { self.slacks.0 } else { self.slacks.1 }
    }

    fn enter_time(&self, run: &Run) -> i64 {
        let request = self.request;
        let times = if self.runs.backward { request.alight_times } else { request.board_times };
        times[run.mode as usize].into()
    }

    fn leave_time(&self, run: &Run) -> i64 {
        let request = self.request;
        let times = if self.runs.backward { request.board_times } else { request.alight_times };
        times[run.mode as usize].into()
    }

    fn board_cost(&self, run: &Run) -> Cost {
        let request = self.request;
        let board = if self.bike_aboard { request.bike_board_cost } else { request.walk_board_cost };
        whole(board) + self.penalty(run)
    }

    fn penalty(&self, run: &Run) -> Cost {
        whole(self.bans.price(run.trip, run.route).unwrap_or(0))
    }

    fn nonpreferred_penalty(&self) -> Cost {
        let penalty = self.request.nonpreferred_transfer_penalty;
        if self.prefers_transfers { whole(penalty) } else { 0 }
    }

    fn allows(&self, run: &Run) -> bool {
        let wheelchair = self.timetable.trips.wheelchair.get(run.trip.index()) == Some(&1);
        Mode::from_number(run.mode).is_some_and(|mode| self.request.modes.has(mode))
            && (!self.request.wheelchair || wheelchair)
            && (!self.bike_aboard || allows_bikes(self.timetable, run.trip))
            && self.bans.price(run.trip, run.route).is_some()
    }

    fn stops_at(&self, stop: u32) -> bool {
        self.bans.allow_stop(stop) && (!self.request.wheelchair || !self.bars_wheelchairs(stop))
    }

    /// Whether a stop, or the innermost place around it that says anything, says that wheelchairs cannot be boarded.
    fn bars_wheelchairs(&self, stop: u32) -> bool {
        let stops = &self.timetable.stops;
        match (stops.wheelchair[stop as usize], stops.parent[stop as usize]) {
            (0, parent) if parent != u32::MAX => self.bars_wheelchairs(parent),
            (said, _) => said == 2,
        }
    }

    /// Whether a run may be boarded and left at one of its calls.
    fn calls_at(&self, run: &Run, call: &Call) -> bool {
        self.stops_at(call.stop) && self.bans.allow_call(run.trip, call.position)
    }

    /// The rule of transfers.txt between two (stop, trip, route), in the order of the search.
    fn verdict(&self, first: (u32, u32, u32), second: (u32, u32, u32)) -> Verdict {
        let (from, to) = if self.runs.backward { (second, first) } else { (first, second) };
        let fits = |wanted: u32, is: u32| wanted == ANY || wanted == is;
        // Both trips, a trip and a route, a trip, both routes, a route, nothing.
        let rank = |rule: &TransferRule| {
            let sides = [(rule.from_trip, rule.from_route), (rule.to_trip, rule.to_route)];
            let trips = sides.iter().filter(|(trip, _)| *trip != ANY).count();
            (trips, sides.iter().filter(|(trip, route)| *trip == ANY && *route != ANY).count())
        };
        let rules = self.rules.get(&(from.0, to.0)).map_or(&[][..], Vec::as_slice);
        let fitting = rules.iter().filter(|rule| {
            fits(rule.from_trip, from.1)
                && fits(rule.from_route, from.2)
                && fits(rule.to_trip, to.1)
                && fits(rule.to_route, to.2)
        });
        let best = fitting.max_by_key(|rule| rank(rule));
        match best.map(|rule| (rule.kind, rule.seconds)) {
            None => Verdict::Plain,
            Some((3, _)) => Verdict::Forbidden,
            Some((2, seconds)) => Verdict::AtLeast(seconds.max(0).into()),
            Some(_) => Verdict::Preferred,
        }
    }
}

enum Verdict {
    Plain,
    Preferred,
    AtLeast(i64),
    Forbidden,
}

/// Whether the vehicles of a change between two different stops wait for each other, whatever their trips.
fn is_timed(timetable: &Timetable, stops: (u32, u32)) -> bool {
    let rules = timetable.transfers.rules.iter();
    let mut rules = rules.filter(|rule| (rule.from_stop, rule.to_stop) == stops);
    stops.0 != stops.1 && rules.rfind(|rule| is_general(rule)).is_some_and(|rule| rule.kind == 1)
}

fn walks(timetable: &Timetable, request: &RoutingRequest, backward: bool) -> Vec<Vec<Walk>> {
    let (transfers, stops) = (&timetable.transfers, timetable.stops.id.len());
    let mut walks = vec![Vec::new(); stops];
    for from in 0..stops {
        let range = transfers.direct_offsets[from] as usize..transfers.direct_offsets[from + 1] as usize;
        for edge in &transfers.direct[range] {
            let seconds = match edge.seconds {
                -1 => (f64::from(edge.meters) / request.walk_speed).ceil() as i64 + 2,
                fixed => fixed.into(),
            };
            let is_barred = if request.wheelchair { edge.flags & 1 == 0 } else { edge.flags & 8 != 0 };
            let too_far = edge.seconds < 0 && f64::from(edge.meters) > request.max_transfer_walk_distance;
            if too_far || is_barred {
                continue;
            }
            let reluctance = if edge.seconds < 0 { request.walk_reluctance } else { 1.0 };
            let seconds = if is_timed(timetable, (from as u32, edge.other_stop)) { 0 } else { seconds };
            let cost = centi(seconds as f64 * reluctance);
            let (at, to) =
                if backward { (edge.other_stop, from as u32) } else { (from as u32, edge.other_stop) };
            walks[at as usize].push(Walk { to, seconds, cost });
        }
    }
    walks
}
