//! Lower bounds on the cost from every stop and call to the far place, with least running times and no waiting. One
//! pass against the direction of the search computes them; all searches of a request use them. There are separate
//! bounds for each number of rides to come, because one or two rides lead to the far place from few places only. Bounds
//! on the time would cost as much as they save, because searches already drop everything that costs much more than the
//! cheapest path.
//!
//! The pass goes in rounds but does not use [`super::scan`]: it reads patterns instead of lanes, and marks a span of
//! calls per pattern instead of single calls. With [`super::scan`] it took a quarter longer, and a whole plan took a
//! tenth longer.

use trestle_model::Directed;

use super::active_service::ActiveService;
use super::costs::{Centicost, Costs, INFINITE, RIDE_RATE, centi};
use super::filters::Filters;
use super::first_rounds::FirstRounds;
use super::least_times::LeastTimes;
use super::marks::StopList;
use super::query::Endpoint;
use super::scan::roles;
use super::transit_data::TransitData;

/// Patterns scanned between two looks at the clock.
const PATTERNS_PER_CLOCK: usize = 1024;

/// The most levels that are kept. The last one holds for its number of rides and for all larger numbers.
const MOST_LEVELS: usize = 8;

/// The bounds of paths with at most some number of rides, [`INFINITE`] where the goal cannot be reached with so few.
#[derive(Debug, Default)]
pub(super) struct Level {
    /// From a stop, having left a vehicle there.
    pub(super) left: Vec<Centicost>,
    /// From a stop, about to enter a vehicle there (its slack and board cost included).
    pub(super) enter: Vec<Centicost>,
    /// From a call of a pattern, in a vehicle that departs there (in search direction).
    pub(super) riding: Vec<Centicost>,
}

impl Level {
    /// Makes all bounds the same.
    fn fill(&mut self, service: &ActiveService, bound: Centicost) {
        let stops = service.stop_count();
        for (bounds, len) in
            [(&mut self.left, stops), (&mut self.enter, stops), (&mut self.riding, service.call_stop.len())]
        {
            bounds.clear();
            bounds.resize(len, bound);
        }
    }

    /// Copies all bounds, keeping the memory.
    fn copy_from(&mut self, other: &Level) {
        self.left.clone_from(&other.left);
        self.enter.clone_from(&other.enter);
        self.riding.clone_from(&other.riding);
    }
}

/// The bounds of one request. Requests share the memory.
#[derive(Debug, Default)]
pub(super) struct Bounds {
    /// By the number of rides to come, including the one in the present vehicle.
    levels: Vec<Level>,
    /// How many of them belong to this request.
    used: usize,
    /// The steps of each pattern that have to be scanned.
    spans: Vec<Span>,
    /// Rides to come in the patterns that are marked.
    rides: usize,
    marked: Vec<u32>,
    queue: Vec<u32>,
    /// Stops whose `enter` bound fell.
    lowered: StopList,
    /// Stops whose `left` bound fell because an `enter` bound did.
    relaxed: StopList,
}

/// What the pass reads.
pub(super) struct BoundsInput<'a> {
    pub(super) data: TransitData<'a>,
    pub(super) filters: &'a Filters,
    pub(super) costs: &'a Costs,
    /// Where the search can be. Bounds of other places are not computed.
    pub(super) first_rounds: &'a FirstRounds,
    /// Running times of the hours that the search covers.
    pub(super) least: &'a LeastTimes,
    /// The part of each second's cost that the bounds leave out, at most the least cost of a second; 0 leaves out
    /// nothing.
    pub(super) cost_per_second: Centicost,
}

impl BoundsInput<'_> {
    /// Cost of seconds in a vehicle, without the part that the bounds leave out.
    #[inline(always)]
    fn ride(&self, seconds: i32) -> Centicost {
        seconds * (RIDE_RATE - self.cost_per_second)
    }
}

impl Bounds {
    /// Computes the bounds towards `targets`, the endpoints at the far side. Returns false if it was stopped; the bounds
    /// are then unusable.
    pub(super) fn compute<D: Directed>(
        &mut self,
        input: &BoundsInput<'_>,
        targets: &[Endpoint],
        is_stopped: impl Fn() -> bool,
    ) -> bool {
        // Without the cost of time, further rides hardly lower the cost, so separate bounds for few rides would exclude
        // little.
        let most_levels = if input.cost_per_second > 0 { 1 } else { MOST_LEVELS };
        self.reset(input.data.service, INFINITE);
        self.rides = 1;
        let mut level = std::mem::take(&mut self.levels[0]);
        for target in targets {
            let stop = target.stop.index();
            if stop >= level.left.len() || !input.filters.stops_at(target.stop) {
                continue;
            }
            if lower(&mut level.left[stop], centi(target.cost) - input.cost_per_second * target.seconds) {
                self.mark_calls::<D>(input, &level, stop);
            }
        }
        self.levels[0] = level;
        for ride in 1..=input.costs.max_rides {
            if self.marked.is_empty() {
                break;
            }
            let mut level = self.next_level(most_levels);
            // Scanning only marks patterns whose vehicles continue as the scanned pattern, which is still the same
            // ride.
            while !self.marked.is_empty() {
                std::mem::swap(&mut self.marked, &mut self.queue);
                for index in 0..self.queue.len() {
                    if index % PATTERNS_PER_CLOCK == 0 && is_stopped() {
                        return false;
                    }
                    self.scan::<D>(input, &mut level, self.queue[index]);
                }
                self.queue.clear();
            }
            // After leaving a vehicle there is one ride fewer to come than before entering it.
            if ride < input.costs.max_rides {
                self.rides = ride + 1;
                self.relax_walks::<D>(input, &mut level, ride);
            }
            self.levels[self.used - 1] = level;
        }
        self.marked.clear();
        true
    }

    /// The level for one more ride: a copy of the last level, or the last level itself once there are enough. The
    /// caller puts it back.
    fn next_level(&mut self, most_levels: usize) -> Level {
        if self.used == most_levels {
            return std::mem::take(&mut self.levels[self.used - 1]);
        }
        if self.levels.len() == self.used {
            self.levels.push(Level::default());
        }
        let mut level = std::mem::take(&mut self.levels[self.used]);
        level.copy_from(&self.levels[self.used - 1]);
        self.used += 1;
        level
    }

    /// The bounds of paths with at most this many rides.
    #[inline(always)]
    pub(super) fn with_rides(&self, rides: usize) -> &Level {
        &self.levels[rides.min(self.used - 1)]
    }

    /// The bounds of all paths.
    pub(super) fn all(&self) -> &Level {
        &self.levels[self.used - 1]
    }

    /// The least cost of a path from one of some endpoints.
    pub(super) fn least_from(&self, near: &[Endpoint]) -> Centicost {
        let enter =
            |endpoint: &Endpoint| self.all().enter.get(endpoint.stop.index()).copied().unwrap_or(INFINITE);
        let costs = near.iter().map(|endpoint| centi(endpoint.cost) + enter(endpoint));
        costs.min().unwrap_or(INFINITE)
    }

    /// Bounds that exclude nothing, for searches to everywhere.
    pub(super) fn open(&mut self, service: &ActiveService) {
        self.reset(service, 0);
    }

    fn reset(&mut self, service: &ActiveService, bound: Centicost) {
        if self.levels.is_empty() {
            self.levels.push(Level::default());
        }
        self.levels[0].fill(service, bound);
        self.used = 1;
        self.spans.clear();
        self.spans.resize(service.patterns.len(), Span::EMPTY);
        self.lowered.reset(service.stop_count());
        self.relaxed.reset(service.stop_count());
        self.marked.clear();
        self.queue.clear();
    }

    /// Marks the patterns that call at a stop whose `left` bound fell.
    fn mark_calls<D: Directed>(&mut self, input: &BoundsInput<'_>, level: &Level, stop: usize) {
        for &[pattern, position] in input.data.service.calls_at(stop.into()) {
            let active = &input.data.service.patterns[pattern as usize];
            let step = D::position(position as usize, active.calls as usize);
            if step == 0 {
                continue;
            }
            let call = active.call_at(position as usize);
            let before = active.call_at(D::position(step - 1, active.calls as usize));
            // Most calls gain nothing, because riding on from them is cheaper.
            let bound = level.left[stop] + input.ride(input.least.hop[D::pick(before, call)]);
            if bound < level.riding[before] {
                self.mark(input, pattern, step as u32);
            }
        }
    }

    #[inline(always)]
    fn mark(&mut self, input: &BoundsInput<'_>, pattern: u32, step: u32) {
        let is_useless = input.filters.is_closed(pattern as usize)
            || !input.first_rounds.may_be_in(pattern, self.rides, input.costs.max_rides);
        if is_useless || step == 0 {
            return;
        }
        let span = &mut self.spans[pattern as usize];
        if *span == Span::EMPTY {
            self.marked.push(pattern);
        }
        *span = Span { first: span.first.min(step), last: span.last.max(step) };
    }

    /// Propagates bounds along a pattern, from each call to the one before.
    fn scan<D: Directed>(&mut self, input: &BoundsInput<'_>, level: &mut Level, index: u32) {
        let service = input.data.service;
        let pattern = &service.patterns[index as usize];
        let calls = pattern.calls as usize;
        let span = std::mem::replace(&mut self.spans[index as usize], Span::EMPTY);
        let (first_step, last_step) = (span.first as usize, span.last as usize);
        let enter_cost = input.costs.boarding(input.filters.pattern_penalty[index as usize]);
        let (can_enter, can_leave) = roles::<D>();
        // Slices of the pattern's calls, so that each index is checked once.
        let of_pattern = pattern.call_range();
        let (stops, flags) =
            (&service.call_stop[of_pattern.clone()], &service.call_flags[of_pattern.clone()]);
        let (hops, dwells) = (&input.least.hop[of_pattern.clone()], &input.least.dwell[of_pattern.clone()]);
        let bounds = &mut level.riding[of_pattern];
        let mut call = D::position(last_step, calls);
        let mut riding = bounds[call];
        for step in (1..=last_step).rev() {
            let mut seated = riding + input.ride(dwells[call]);
            if flags[call] & can_leave != 0 && input.filters.stops_at(stops[call]) {
                seated = seated.min(level.left[stops[call].index()]);
            }
            let before = D::position(step - 1, calls);
            let bound = (seated + input.ride(hops[D::pick(before, call)])).min(INFINITE);
            let lowered = lower(&mut bounds[before], bound);
            (call, riding) = (before, bounds[before]);
            if !lowered {
                if step <= first_step {
                    break;
                }
                continue;
            }
            if flags[call] & can_enter != 0
                && input.filters.stops_at(stops[call])
                && lower(&mut level.enter[stops[call].index()], (riding + enter_cost).min(INFINITE))
            {
                self.lowered.add(stops[call].index());
            }
        }
        if !service.continuations.is_empty() {
            self.carry_to_previous::<D>(input, level, index);
        }
    }

    /// Propagates the bound at the first call of a pattern to the patterns whose vehicles continue as this one.
    fn carry_to_previous<D: Directed>(&mut self, input: &BoundsInput<'_>, level: &mut Level, index: u32) {
        let service = input.data.service;
        let call_at = |pattern: u32, step: usize| {
            let pattern = &service.patterns[pattern as usize];
            pattern.call_at(D::position(step, pattern.calls as usize))
        };
        let bound = level.riding[call_at(index, 0)];
        if bound >= INFINITE {
            return;
        }
        for previous in service.joined_patterns(index, D::DIRECTION.opposite()) {
            let calls = service.patterns[previous as usize].calls;
            let penalty = input.filters.seated_penalty::<D>(previous as usize, index as usize);
            if lower(&mut level.riding[call_at(previous, calls as usize - 1)], bound + penalty) {
                self.mark(input, previous, calls - 1);
            }
        }
    }

    /// Propagates `enter` bounds over the walks to `left` bounds where the search may be with `rides` to come.
    fn relax_walks<D: Directed>(&mut self, input: &BoundsInput<'_>, level: &mut Level, rides: usize) {
        let may_be_at = |stop: usize| input.first_rounds.may_be_at(stop, rides, input.costs.max_rides);
        let again = input.costs.transfer;
        while let Some(stop) = self.lowered.take() {
            let enter = level.enter[stop as usize] + again;
            if may_be_at(stop as usize) && lower(&mut level.left[stop as usize], enter) {
                self.relaxed.add(stop as usize);
            }
            for walk in input.data.walks_to::<D>(stop as usize) {
                if walk.is_allowed()
                    && may_be_at(walk.other_stop as usize)
                    && lower(
                        &mut level.left[walk.other_stop as usize],
                        enter + walk.cost - input.cost_per_second * walk.seconds,
                    )
                {
                    self.relaxed.add(walk.other_stop as usize);
                }
            }
        }
        while let Some(stop) = self.relaxed.take() {
            self.mark_calls::<D>(input, level, stop as usize);
        }
    }
}

/// Lowers a bound; returns whether it changed.
#[inline(always)]
fn lower(bound: &mut Centicost, other: Centicost) -> bool {
    let lowered = other < *bound;
    if lowered {
        *bound = other;
    }
    lowered
}

/// Steps of a pattern, in search order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    first: u32,
    last: u32,
}

impl Span {
    const EMPTY: Span = Span { first: u32::MAX, last: 0 };
}
