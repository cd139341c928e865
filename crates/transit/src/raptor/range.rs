//! Earliest arrivals at all stops for every departure of a window, without paths: rRAPTOR ("Round-Based Public Transit
//! Routing", section 4). With one departure it is the plain earliest-arrival search.
//!
//! For each round and stop it keeps the earliest time at which a vehicle was left, and at which the next one can be
//! entered; for the lane that it scans, the earliest run with riders. Departures are searched from the last to the first,
//! and these times stay from one to the next: what a later departure reaches as early is not searched again
//! (self-pruning).

use std::ops::{Range, RangeInclusive};

use trestle_model::ids::StopIdx;
use trestle_model::{Backward, BitSet, Directed, Direction, Forward};

use super::active_service::{ActiveService, Lane, NONE};
use super::bounds::{Bounds, Level};
use super::costs::{Centicost, Costs, INFINITE};
use super::entering::first_vehicle;
use super::filters::Filters;
use super::marks::Marks;
use super::query::{Departures, Endpoint, OneToAllQuery};
use super::range_memory::{RangeMemory, UNREACHED};
use super::run_order::{next_run, runs_before};
use super::scan::{MarkedCall, Riders, RoundSearch, ScannedCall, SeatedIn, Stopped, run_rounds};
use super::transfers::{Walk, Walks};
use super::transit_data::{Transfer, TransitData};
use crate::timetable::Timetable;

/// With at least this many rides allowed, the number of rides that led to a stop does not matter.
const UNLIMITED_RIDES: usize = 10;

/// Result of one departure (backward: arrival).
#[derive(Clone, Copy, Debug)]
pub struct Departure<'a> {
    /// Number in the range, from 0.
    pub index: usize,
    /// Per stop: seconds from the departure until a vehicle is left there, or [`UNREACHED`].
    pub seconds: &'a [i32],
}

/// Memory of range searches, one per search thread, kept from request to request.
#[derive(Debug, Default)]
pub struct RangeScratch {
    walks: Walks,
    memory: RangeMemory,
}

/// Calls `each` with every departure from the last to the first (backward: every arrival from the first to the
/// last). The times do not include stops reached without a ride.
///
/// Where a rule of transfers.txt between two stops is for certain trips or routes, no rules between these stops are
/// applied. Returns false if it was stopped; the departures before that are complete.
pub fn range(
    timetable: &Timetable,
    service: &ActiveService,
    query: &OneToAllQuery<'_>,
    departures: Departures,
    scratch: &mut RangeScratch,
    each: &mut dyn FnMut(Departure<'_>),
) -> bool {
    let RangeScratch { walks, memory } = scratch;
    walks.prepare(timetable, service, query.request);
    let data = TransitData { timetable, service, walks };
    let filters = Filters::new(&data, query.request);
    match query.request.direction {
        Direction::Forward => {
            RangeSearch::<Forward>::new(data, query, departures, &filters, memory).run(each).is_ok()
        }
        Direction::Backward => {
            RangeSearch::<Backward>::new(data, query, departures, &filters, memory).run(each).is_ok()
        }
    }
}

/// The earliest time at which the far place can be reached with at least one ride (key), if that is within the query's
/// time. This is a lower bound: a path this early may break a rule that the search ignores, see [`range`].
pub(super) fn first_arrival<D: Directed>(
    data: TransitData<'_>,
    query: &OneToAllQuery<'_>,
    (far, bounds): (&[Endpoint], &Bounds),
    filters: &Filters,
    memory: &mut RangeMemory,
) -> Result<Option<i32>, Stopped> {
    let mut search = RangeSearch::<D>::new(data, query, Departures::ONE, filters, memory);
    search.bounds = Some(bounds);
    let to_far = &mut search.memory.to_far;
    to_far.resize(data.service.stop_count(), UNREACHED);
    for end in far {
        if let Some(seconds) = to_far.get_mut(end.stop.index()) {
            *seconds = end.seconds.min(*seconds);
        }
    }
    let start = D::key(data.service.time_of(query.request.epoch_seconds));
    let latest = start.saturating_add(query.max_seconds).saturating_add(1);
    search.first_arrival(start, latest)?;
    Ok((search.latest < latest).then_some(search.latest))
}

/// A place in a vehicle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Seat {
    /// Index of the run within its lane.
    run: usize,
    /// Seconds added to its times, as a key.
    shift: i32,
}

/// Riders of a lane. The earliest run is enough, because runs of a lane do not overtake.
struct Aboard {
    /// The lane as in [`RangeMemory::spans`], which has its times.
    lane: Lane,
    seat: Option<Seat>,
    /// Runs that can be entered, as indices within the lane.
    runs: Range<usize>,
    /// Whether only one run of the lane is scanned.
    one_run: bool,
    /// Whether vehicles of the pattern continue as other runs.
    continues: bool,
    /// The first run that riders could have entered in this lane, if `continues`.
    entered: Option<usize>,
    /// Where the lane's entries of [`RangeMemory::ridden_runs`] start; `None` if they are not used.
    ridden: Option<usize>,
    /// Seconds between being ready and entering.
    enter_seconds: i32,
    /// Seconds from the vehicle's arrival until it is left.
    leave_seconds: i32,
}

struct RangeSearch<'a, D> {
    data: TransitData<'a>,
    query: &'a OneToAllQuery<'a>,
    departures: Departures,
    filters: &'a Filters,
    /// Bounds that show from where the far place is out of reach, if there is a far place.
    bounds: Option<&'a Bounds>,
    costs: Costs,
    memory: &'a mut RangeMemory,
    latest: i32,
    /// Where the times of this round start: when vehicles can be entered in it, and when they were left.
    entered: usize,
    left: usize,
    /// Skips riders who are at a stop no sooner than others with fewer rides, by keeping one time for all rounds. Only
    /// with one departure: with more, the times at stops may be from later departures, with any number of rides.
    skips_later: bool,
    /// Skips a run unless it is earlier than those already ridden. Not used if riders may be unable to leave some runs.
    skips_ridden: bool,
    /// Patterns with vehicles that continue as another run, which may make a later run useful.
    continuing: BitSet,
    direction: std::marker::PhantomData<D>,
}

impl<'a, D: Directed> RangeSearch<'a, D> {
    fn new(
        data: TransitData<'a>,
        query: &'a OneToAllQuery<'a>,
        departures: Departures,
        filters: &'a Filters,
        memory: &'a mut RangeMemory,
    ) -> Self {
        let service = data.service;
        memory.reset(service);
        let skips_later = departures.count == 1;
        let mut continuing = BitSet::default();
        service.continuations.iter().for_each(|&[from, to]| continuing.insert(D::pick(from, to) as usize));
        RangeSearch {
            data,
            query,
            departures,
            filters,
            bounds: None,
            costs: Costs::new::<D>(query.request, false),
            memory,
            latest: 0,
            entered: 0,
            left: 0,
            skips_later,
            skips_ridden: skips_later && !filters.bans_calls(),
            continuing,
            direction: std::marker::PhantomData,
        }
    }

    /// Searches from the last departure to the first: someone who departs earlier can wait and do the same as someone
    /// who departs later.
    fn run(&mut self, each: &mut dyn FnMut(Departure<'_>)) -> Result<(), Stopped> {
        let Departures { step, count } = self.departures;
        let first = self.query.request.epoch_seconds;
        let start_of =
            |index: usize| D::key(self.data.service.time_of(first + i64::from(step.max(1)) * index as i64));
        let (first, last) = (start_of(0), start_of(count.saturating_sub(1)));
        let latest = first.max(last).saturating_add(self.query.max_seconds);
        self.memory.spans.prepare::<D>(self.data.service, (first.min(last), latest), true);
        for number in 0..count {
            let index = D::pick(count - 1 - number, number);
            let start = start_of(index);
            self.latest = start.saturating_add(self.query.max_seconds);
            self.start(start);
            run_rounds::<D, _>(self, 1, self.costs.max_rides as u32)?;
            self.render(index, start, each);
        }
        Ok(())
    }

    /// Searches for the first arrival before `latest`, and sets `self.latest` to it.
    fn first_arrival(&mut self, start: i32, latest: i32) -> Result<(), Stopped> {
        self.memory.spans.prepare::<D>(self.data.service, (start, latest), false);
        self.latest = latest;
        self.start(start);
        run_rounds::<D, _>(self, 1, self.costs.max_rides as u32)
    }

    fn start(&mut self, start: i32) {
        for endpoint in self.query.near {
            let time = start.saturating_add(endpoint.seconds);
            if !self.is_ridden_to(endpoint.stop, time) {
                self.enter_from(0, endpoint.stop.index(), time);
            }
        }
    }

    fn render(&mut self, index: usize, start: i32, each: &mut dyn FnMut(Departure<'_>)) {
        let RangeMemory { left, seconds, .. } = &mut *self.memory;
        let latest = self.latest;
        seconds.clear();
        seconds.extend(left.last().iter().map(|&time| if time <= latest { time - start } else { UNREACHED }));
        each(Departure { index, seconds });
    }

    /// Whether riders of a later departure are ready for the next vehicle at a stop by `time`, when someone on foot
    /// would arrive there.
    fn is_ridden_to(&self, stop: StopIdx, time: i32) -> bool {
        if self.costs.max_rides < UNLIMITED_RIDES || self.data.walks.has_rules(stop.index()) {
            return false;
        }
        let changing = (self.costs.later_slack - self.costs.first_slack).max(0);
        let left = self.memory.left.last().get(stop.index());
        left.is_some_and(|&left| left != UNREACHED && left + changing <= time)
    }

    #[inline(always)]
    fn enter_from(&mut self, round: usize, stop: usize, time: i32) {
        let memory = &mut *self.memory;
        let Some(known) = memory.enter.round_mut(round).get_mut(stop) else { return };
        if time >= *known || time > self.latest {
            return;
        }
        *known = time;
        memory.marks.entered.add(stop);
    }

    /// Records that a rider arrives at the call `step`, or past the last one, in `run`; false if others did so in this
    /// run or an earlier one.
    #[inline(always)]
    fn rides_on(&mut self, ridden: Option<usize>, step: usize, run: usize) -> bool {
        ridden.is_none_or(|start| self.memory.ridden_runs.improve::<D>(start + step, run as u32))
    }

    /// The better one of `seat` and the first of some `runs` that can be entered at a call.
    #[inline(always)]
    fn better_seat(
        &self,
        &Aboard { ref lane, one_run, .. }: &Aboard,
        position: usize,
        ready: i32,
        seat: Option<Seat>,
        runs: Range<usize>,
    ) -> Option<Seat> {
        let times = self.memory.spans.times(self.data.service);
        if let Some(Seat { run, shift }) = seat
            && ready > D::key(lane.entering_at::<D>(times, position, run)) + shift
        {
            return seat;
        }
        let sooner = seat.map_or(runs.clone(), |seat| runs_before::<D>(runs, seat.run as u32));
        let (rules, times) = ((&self.data, self.filters), lane.entering::<D>(times, position));
        let new = first_vehicle::<D>(rules, (lane, position), times, (sooner, one_run), ready);
        match (seat, new) {
            // A headway lane has one run, with vehicles in order of their shifts.
            (Some(seat), Some((_, shift))) if lane.headway != NONE && shift >= seat.shift => Some(seat),
            _ => new.map(|(run, shift)| Seat { run, shift }).or(seat),
        }
    }

    /// Continues in the next runs of a vehicle, unless riders with as few rides already did, who have marked all their
    /// calls. Returns false if it comes too late.
    fn continue_in_next_runs(&mut self, round: u32, (lane, last): (&Lane, usize), run: usize) -> bool {
        if D::key(lane.leaving_at::<D>(self.memory.spans.times(self.data.service), last, run)) > self.latest {
            return false;
        }
        let run = lane.first_run + run as u32;
        for next in self.filters.continuations::<D>(&self.data, run) {
            if self.memory.stayed.improve(next, round) {
                self.memory.seated.push(SeatedIn { run: next, step: 0, rider: () });
            }
        }
        true
    }

    #[inline(always)]
    fn leave(&mut self, round: u32, stop: usize, time: i32) {
        if self.is_useless(round + 1, |level| level.left[stop]) {
            return;
        }
        let memory = &mut *self.memory;
        if time >= memory.left.at(self.left, stop) || time > self.latest {
            return;
        }
        memory.left.lower_from(self.left, stop, time);
        memory.marks.left.add(stop);
        if let Some(&seconds) = memory.to_far.get(stop) {
            // Only earlier arrivals are of interest from now on.
            self.latest = self.latest.min(time.saturating_add(seconds));
        }
    }

    /// Whether the far place is out of reach from a place with the rides from a round on; `bound` reads the entry of
    /// that place.
    #[inline(always)]
    fn is_useless(&self, round: u32, bound: impl FnOnce(&Level) -> Centicost) -> bool {
        self.bounds.is_some_and(|bounds| bound(bounds.with_rides(self.costs.rides_from(round))) >= INFINITE)
    }

    /// Where the times of a round are kept. With one departure, all rounds but round 0, the first entries, share their
    /// times.
    #[inline(always)]
    fn kept_at(&self, round: usize) -> usize {
        if self.skips_later { round.min(1) } else { round }
    }
}

impl<'a, D: Directed> RoundSearch<'a, D> for RangeSearch<'a, D> {
    type Aboard = Aboard;
    /// Nothing but the run needs to be known.
    type Seated = ();

    const SCANS_EACH_PARTIAL_RUN: bool = true;

    fn data(&self) -> &TransitData<'a> {
        &self.data
    }

    fn filters(&self) -> &Filters {
        self.filters
    }

    fn marks(&mut self) -> &mut Marks {
        &mut self.memory.marks
    }

    fn is_stopped(&self) -> bool {
        (self.query.interrupted)()
    }

    /// A round starts with the times of the round before.
    fn begin_round(&mut self, round: u32) {
        let (before, now) = (self.kept_at(round as usize - 1), self.kept_at(round as usize));
        let RangeMemory { left, enter, .. } = &mut *self.memory;
        if left.rounds() == now {
            left.add_copy();
            enter.add_unreached();
        }
        (self.entered, self.left) = (enter.start_of(before), left.start_of(now));
    }

    fn useful_times(&self, round: u32, stop: usize) -> Option<RangeInclusive<i32>> {
        let before = self.memory.enter.start_of(self.kept_at(round as usize - 1));
        Some(self.memory.enter.at(before, stop)..=self.latest)
    }

    #[inline(always)]
    fn prospect(&self, round: u32, call: &MarkedCall) -> Option<i32> {
        (!self.is_useless(round, |level| level.riding[call.call])).then_some(0)
    }

    #[inline(always)]
    fn begin_lane(&mut self, round: u32, index: usize, riders: Riders<()>) -> Option<Aboard> {
        let span = self.memory.spans.of_lane::<D>(self.data.service, index);
        let (lane, mut runs) = (span.lane, span.runs());
        let pattern = &self.data.service.patterns[lane.pattern as usize];
        let scheduled = lane.headway == NONE;
        let within_lane = |run: u32| run.wrapping_sub(lane.first_run) as usize;
        let (mut seat, mut one_run) = (None, false);
        match riders {
            Riders::None => {}
            Riders::NoneIn(run) => {
                let run = within_lane(run);
                (runs, one_run) = (runs.start.max(run)..runs.end.min(run.saturating_add(1)), true);
            }
            Riders::Seated(SeatedIn { run, .. }) => {
                // A vehicle that continues as a run outside the search's time comes too late everywhere.
                seat =
                    Some(within_lane(run)).filter(|run| runs.contains(run)).map(|run| Seat { run, shift: 0 });
            }
        }
        if runs.is_empty() && seat.is_none() {
            return None;
        }
        let continues = self.continuing.has(lane.pattern as usize);
        let skips_ridden = self.skips_ridden && scheduled && !continues;
        let ridden = skips_ridden.then(|| self.memory.ridden_runs.of_lane(index, pattern.calls as usize));
        let slack = if round == 1 { self.costs.first_slack } else { self.costs.later_slack };
        let enter_seconds = slack + self.costs.enter_times[pattern.mode as usize];
        let leave_seconds = self.costs.leave_slack + self.costs.leave_times[pattern.mode as usize];
        let entered = None;
        Some(Aboard { lane, seat, runs, one_run, continues, entered, ridden, enter_seconds, leave_seconds })
    }

    #[inline(always)]
    fn is_empty(&self, aboard: &Aboard) -> bool {
        aboard.seat.is_none()
    }

    #[inline(always)]
    fn arrive(&mut self, round: u32, aboard: &mut Aboard, call: &ScannedCall<'a>, leaves: bool) {
        let Some(Seat { run, shift }) = aboard.seat else { return };
        let lane = &aboard.lane;
        if !self.rides_on(aboard.ridden, call.step, run) {
            aboard.seat = None;
        } else if leaves && self.filters.allows(&self.data, lane.first_run + run as u32, call.position) {
            let times = self.memory.spans.times(self.data.service);
            let off = D::key(lane.leaving_at::<D>(times, call.position, run)) + shift;
            self.leave(round, call.stop.index(), off + aboard.leave_seconds);
        }
    }

    #[inline(always)]
    fn drop_all(&mut self, aboard: &mut Aboard) {
        (aboard.seat, aboard.entered) = (None, None);
    }

    #[inline(always)]
    fn enter(&mut self, _round: u32, aboard: &mut Aboard, call: &ScannedCall<'a>) {
        let ready = self.memory.enter.at(self.entered, call.stop.index()) + aboard.enter_seconds;
        let runs = match aboard.ridden {
            Some(start) => {
                let ridden = self.memory.ridden_runs.at(start + call.step + 1);
                runs_before::<D>(aboard.runs.clone(), ridden)
            }
            None => aboard.runs.clone(),
        };
        if aboard.continues {
            let known = aboard.entered.map(|run| Seat { run, shift: 0 });
            let first = self.better_seat(aboard, call.position, ready, known, runs.clone());
            aboard.entered = first.map(|seat| seat.run);
        }
        aboard.seat = self.better_seat(aboard, call.position, ready, aboard.seat, runs);
    }

    /// Continues in the next runs of the vehicle, and in those of the later vehicles that could have been entered
    /// instead.
    fn stay_seated(&mut self, round: u32, aboard: Aboard, last: &ScannedCall<'a>) {
        let Some(Seat { run, .. }) = aboard.seat else { return };
        let lane = &aboard.lane;
        let last = (lane, last.position);
        self.continue_in_next_runs(round, last, run);
        let mut later = aboard.entered;
        while let Some(run) = later.filter(|run| aboard.runs.contains(run)) {
            let number = lane.first_run + run as u32;
            let can_be_entered = self.filters.allows_run(&self.data, number)
                && (aboard.one_run || !self.filters.is_partial(number));
            if can_be_entered && !self.continue_in_next_runs(round, last, run) {
                return;
            }
            later = next_run::<D>(run, lane.runs as usize);
        }
    }

    fn seated(&mut self) -> &mut Vec<SeatedIn<()>> {
        &mut self.memory.seated
    }

    #[inline(always)]
    fn change(&mut self, round: u32, from: usize, walks: &[Walk]) {
        let (round, latest, costs) = (self.kept_at(round as usize), self.latest, &self.costs);
        let RangeMemory { left, enter, marks, .. } = &mut *self.memory;
        let (left, enter) = (left.at(self.left, from), enter.round_mut(round));
        for walk in walks {
            let Some(known) = enter.get_mut(walk.other_stop as usize) else { continue };
            if i64::from(left) + i64::from(walk.seconds) >= i64::from(*known) || !walk.is_allowed() {
                continue;
            }
            let stops = (from as u32, walk.other_stop);
            // Which vehicle was left is not known; it may be one that takes longest to leave.
            let leave_time = || self.data.times_at(from as u32, &costs.leave_times).max().unwrap_or(0);
            let off = || left - costs.leave_slack - leave_time();
            let transfer = self.data.transfer::<D>(costs, stops, (left, walk.seconds), off);
            let Some(Transfer { ready, .. }) = transfer else { continue };
            if ready < *known && ready <= latest {
                *known = ready;
                marks.entered.add(walk.other_stop as usize);
            }
        }
    }
}
