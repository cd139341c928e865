//! The scan that all searches in rounds share: round `n` finds what can be reached by entering `n` vehicles.
//!
//! After "Round-Based Public Transit Routing" (Delling, Pajor, Werneck). A [`RoundSearch`] decides what to keep of
//! riders: an arrival time, or labels in a bag. The scan is compiled for each search and direction.

use std::ops::RangeInclusive;

use trestle_model::Directed;
use trestle_model::ids::StopIdx;

use super::active_service::{ActivePattern, ActiveService, CAN_ALIGHT, CAN_BOARD, Lane};
use super::filters::Filters;
use super::marks::Marks;
use super::transfers::Walk;
use super::transit_data::TransitData;

/// Patterns scanned between two looks at the clock.
const PATTERNS_PER_CLOCK: u32 = 64;

/// Why a search stopped before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stopped {
    /// A deadline or the stop flag.
    Interrupted,
    TooManyLabels,
}

/// A call of a lane that is being scanned.
#[derive(Clone, Copy)]
pub(super) struct ScannedCall<'w> {
    pub(super) lane: &'w Lane,
    pub(super) pattern: &'w ActivePattern,
    /// Number in search order.
    pub(super) step: usize,
    /// Position in the pattern.
    pub(super) position: usize,
    /// Index in the `call_*` columns.
    pub(super) index: usize,
    pub(super) stop: StopIdx,
}

impl<'w> ScannedCall<'w> {
    #[inline(always)]
    fn new<D: Directed>(
        service: &'w ActiveService,
        (lane, pattern): (&'w Lane, &'w ActivePattern),
        step: usize,
    ) -> Self {
        let position = D::position(step, pattern.calls as usize);
        let index = pattern.call_at(position);
        ScannedCall { lane, pattern, step, position, index, stop: service.call_stop[index] }
    }
}

/// A rider who is already in a vehicle of a lane before it is scanned.
#[derive(Debug)]
pub(super) struct SeatedIn<T> {
    /// Index of the run in the service; that of [`super::labels::Rider`] is within the lane.
    pub(super) run: u32,
    /// The call where the rider is, in search order.
    pub(super) step: usize,
    pub(super) rider: T,
}

/// Riders with whom the scan of a lane begins.
pub(super) enum Riders<T> {
    /// Nobody. The scan is of all runs of the lane, except partial ones if these are scanned one by one.
    None,
    /// Nobody. The scan is of this run of the service only.
    NoneIn(u32),
    /// A rider who is already seated.
    Seated(SeatedIn<T>),
}

/// A call at a stop where riders may enter a vehicle.
pub(super) struct MarkedCall {
    pub(super) pattern: usize,
    /// Index in the `call_*` columns.
    pub(super) call: usize,
    pub(super) stop: usize,
    /// When the run can be entered there (key), for the patterns of [`ActiveService::only_runs`].
    pub(super) only_run: Option<i32>,
}

pub(super) trait RoundSearch<'w, D: Directed> {
    /// The riders of a lane while it is scanned.
    type Aboard;
    /// A rider who stays seated in a vehicle that continues as another run.
    type Seated;

    /// Whether each partial run ([`Filters::partial_runs`]) is scanned by itself, like a lane of its own. Needed where
    /// riders are compared without regard to where they can leave.
    const SCANS_EACH_PARTIAL_RUN: bool;

    fn data(&self) -> &TransitData<'w>;
    fn filters(&self) -> &Filters;
    fn marks(&mut self) -> &mut Marks;

    /// Whether the search must stop now.
    fn is_stopped(&self) -> bool;

    /// Whether the search made too many labels.
    fn has_too_many_labels(&self) -> bool {
        false
    }

    /// Prepares the memory of a round.
    fn begin_round(&mut self, _round: u32) {}

    /// When vehicles may be entered at a stop in a round (keys); `None` if they cannot be.
    fn useful_times(&self, round: u32, stop: usize) -> Option<RangeInclusive<i32>>;

    /// How good a path that enters a pattern at a call may be, the smaller the better; `None` if it is useless.
    fn prospect(&self, round: u32, call: &MarkedCall) -> Option<i32>;

    /// Begins the scan of a lane; `None` if no vehicle of the lane is useful.
    fn begin_lane(&mut self, round: u32, lane: usize, riders: Riders<Self::Seated>) -> Option<Self::Aboard>;

    /// Whether nobody is aboard.
    fn is_empty(&self, aboard: &Self::Aboard) -> bool;

    /// Brings the riders aboard to a call, where they may leave the vehicle if `leaves`. Drops those for whom riding on is
    /// useless.
    fn arrive(&mut self, round: u32, aboard: &mut Self::Aboard, call: &ScannedCall<'w>, leaves: bool);

    fn drop_all(&mut self, aboard: &mut Self::Aboard);

    /// Lets riders enter a vehicle of the lane at a marked call.
    fn enter(&mut self, round: u32, aboard: &mut Self::Aboard, call: &ScannedCall<'w>);

    /// Adds the riders at the last call of a lane who stay seated to [`Self::seated`].
    fn stay_seated(&mut self, round: u32, aboard: Self::Aboard, last: &ScannedCall<'w>);

    /// The riders who stay seated, in the runs that their vehicles continue as.
    fn seated(&mut self) -> &mut Vec<SeatedIn<Self::Seated>>;

    /// Takes those who left a vehicle at a stop in this round to stops where they can enter the next one, by those of
    /// the `walks` that are allowed.
    fn change(&mut self, round: u32, from: usize, walks: &[Walk]);
}

/// Runs the rounds from `first` to `last` from the stops marked as entered, until nothing new is found.
pub(super) fn run_rounds<'w, D: Directed, S: RoundSearch<'w, D>>(
    search: &mut S,
    first: u32,
    last: u32,
) -> Result<(), Stopped> {
    for round in first..=last {
        mark_patterns::<D, S>(search, round);
        if search.marks().patterns.is_empty() && search.seated().is_empty() {
            break;
        }
        search.begin_round(round);
        scan_patterns::<D, S>(search, round)?;
        scan_seated::<D, S>(search, round)?;
        if round < last {
            change_vehicles::<D, S>(search, round)?;
        }
    }
    let marks = search.marks();
    marks.entered.clear();
    marks.left.clear();
    Ok(())
}

/// Scans the vehicles in which riders stayed seated.
fn scan_seated<'w, D: Directed, S: RoundSearch<'w, D>>(search: &mut S, round: u32) -> Result<(), Stopped> {
    let mut until_clock = PATTERNS_PER_CLOCK;
    while let Some(seated) = search.seated().pop() {
        check_clock(search, &mut until_clock)?;
        let service = search.data().service;
        let lane = service.runs[seated.run as usize].lane as usize;
        if !search.filters().is_closed(service.lanes[lane].pattern as usize) {
            scan_lane::<D, S>(search, round, lane, seated.step + 1, Riders::Seated(seated));
        }
    }
    Ok(())
}

fn mark_patterns<'w, D: Directed, S: RoundSearch<'w, D>>(search: &mut S, round: u32) {
    let service = search.data().service;
    let mut marks = std::mem::take(search.marks());
    let mut stops = std::mem::take(&mut marks.entered);
    let only_runs = &service.only_runs;
    for &stop in stops.iter() {
        for &call in only_runs.without(stop as usize, service.calls_at(StopIdx(stop))) {
            mark_call::<D, S>((&*search, round), &mut marks, stop, call, None);
        }
        if !only_runs.is_empty()
            && let Some(times) = search.useful_times(round, stop as usize)
        {
            for call in only_runs.between::<D>(stop as usize, &times) {
                let entered = Some(call.entered::<D>());
                mark_call::<D, S>(
                    (&*search, round),
                    &mut marks,
                    stop,
                    [call.pattern, call.position],
                    entered,
                );
            }
        }
    }
    stops.clear();
    marks.entered = stops;
    marks.sort();
    *search.marks() = marks;
}

/// Marks a call of a pattern at a stop, unless it is useless to enter there.
#[inline(always)]
fn mark_call<'w, D: Directed, S: RoundSearch<'w, D>>(
    (search, round): (&S, u32),
    marks: &mut Marks,
    stop: u32,
    [pattern, position]: [u32; 2],
    only_run: Option<i32>,
) {
    let active = &search.data().service.patterns[pattern as usize];
    let call = active.call_at(position as usize);
    let marked = MarkedCall { pattern: pattern as usize, call, stop: stop as usize, only_run };
    if let Some(prospect) = search.prospect(round, &marked) {
        let step = D::position(position as usize, active.calls as usize);
        marks.mark(pattern, active.first_call as usize + step, prospect);
    }
}

fn scan_patterns<'w, D: Directed, S: RoundSearch<'w, D>>(search: &mut S, round: u32) -> Result<(), Stopped> {
    let mut until_clock = 0;
    while let Some(pattern) = search.marks().next_pattern() {
        check_clock(search, &mut until_clock)?;
        check_size(search)?;
        let active = &search.data().service.patterns[pattern as usize];
        let calls = active.call_range();
        let first = search.marks().calls.first_in(calls.clone()).unwrap_or(calls.end);
        if !search.filters().is_closed(pattern as usize) {
            for lane in active.lane_range() {
                scan_runs::<D, S>(search, round, lane, first - calls.start);
            }
        }
        search.marks().calls.remove_all(first..calls.end);
    }
    Ok(())
}

/// Looks at the clock, unless it is to be looked at later.
#[inline(always)]
fn check_clock<'w, D: Directed, S: RoundSearch<'w, D>>(
    search: &S,
    until_clock: &mut u32,
) -> Result<(), Stopped> {
    if *until_clock == 0 {
        if search.is_stopped() {
            return Err(Stopped::Interrupted);
        }
        *until_clock = PATTERNS_PER_CLOCK;
    }
    *until_clock -= 1;
    Ok(())
}

fn check_size<'w, D: Directed, S: RoundSearch<'w, D>>(search: &S) -> Result<(), Stopped> {
    if search.has_too_many_labels() { Err(Stopped::TooManyLabels) } else { Ok(()) }
}

/// Scans a lane, and the runs of it that are scanned by themselves.
#[inline(always)]
fn scan_runs<'w, D: Directed, S: RoundSearch<'w, D>>(search: &mut S, round: u32, lane: usize, from: usize) {
    scan_lane::<D, S>(search, round, lane, from, Riders::None);
    if S::SCANS_EACH_PARTIAL_RUN && search.filters().bans_calls() {
        let runs = search.filters().partial_runs_of(&search.data().service.lanes[lane]).to_vec();
        for run in runs {
            scan_lane::<D, S>(search, round, lane, from, Riders::NoneIn(run));
        }
    }
}

/// Scans a lane from the call `from` on: riders leave where that is useful, and enter at marked calls.
fn scan_lane<'w, D: Directed, S: RoundSearch<'w, D>>(
    search: &mut S,
    round: u32,
    lane: usize,
    from: usize,
    riders: Riders<S::Seated>,
) {
    let service = search.data().service;
    let Some(mut aboard) = search.begin_lane(round, lane, riders) else { return };
    let lane = &service.lanes[lane];
    let pattern = &service.patterns[lane.pattern as usize];
    let (first, calls) = (pattern.first_call as usize, pattern.calls as usize);
    let (can_enter, can_leave) = roles::<D>();
    let mut step = from;
    while step < calls {
        let mut enters = search.marks().calls.has(first + step);
        if !enters && search.is_empty(&aboard) {
            // Nothing happens before the next marked call.
            let Some(next) = search.marks().calls.first_in(first + step..first + calls) else { return };
            (step, enters) = (next - first, true);
        }
        let call = ScannedCall::new::<D>(service, (lane, pattern), step);
        let (flags, stops_at) = (service.call_flags[call.index], search.filters().stops_at(call.stop));
        if !search.is_empty(&aboard) {
            let leaves = stops_at && flags & can_leave != 0;
            search.arrive(round, &mut aboard, &call, leaves);
            if !search.filters().passes(call.stop) {
                search.drop_all(&mut aboard);
            }
        }
        // Nobody enters at the last call, even if the vehicle continues as another run.
        if enters && stops_at && flags & can_enter != 0 && step + 1 < calls {
            search.enter(round, &mut aboard, &call);
        }
        step += 1;
    }
    if !service.continuations.is_empty() && !search.is_empty(&aboard) {
        search.stay_seated(round, aboard, &ScannedCall::new::<D>(service, (lane, pattern), calls - 1));
    }
}

/// Takes those who left a vehicle in this round to stops where they can enter the next one. Changes at the same stop
/// come first, because they are usually quicker than walking there from another stop.
fn change_vehicles<'w, D: Directed, S: RoundSearch<'w, D>>(
    search: &mut S,
    round: u32,
) -> Result<(), Stopped> {
    let mut stops = std::mem::take(&mut search.marks().left);
    for &stop in stops.iter() {
        check_size(search)?;
        search.change(round, stop as usize, &[Walk { other_stop: stop, seconds: 0, cost: 0 }]);
    }
    for &stop in stops.iter() {
        check_size(search)?;
        let walks = search.data().walks_from::<D>(stop as usize);
        search.change(round, stop as usize, walks);
    }
    stops.clear();
    search.marks().left = stops;
    Ok(())
}

/// Flags of a call at which a search can (enter, leave) a vehicle.
#[inline(always)]
pub(super) fn roles<D: Directed>() -> (u8, u8) {
    D::pick((CAN_BOARD, CAN_ALIGHT), (CAN_ALIGHT, CAN_BOARD))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::transfers::Walks;
    use trestle_model::Forward;

    use super::*;
    use crate::timetable::Timetable;

    /// A search in which riders stay seated in vehicles where nothing happens.
    struct SeatedOnly<'w> {
        data: TransitData<'w>,
        filters: Filters,
        marks: Marks,
        seated: Vec<SeatedIn<()>>,
        looks_at_clock: Cell<u32>,
    }

    impl<'w> RoundSearch<'w, Forward> for SeatedOnly<'w> {
        type Aboard = ();
        type Seated = ();

        const SCANS_EACH_PARTIAL_RUN: bool = false;

        fn data(&self) -> &TransitData<'w> {
            &self.data
        }

        fn filters(&self) -> &Filters {
            &self.filters
        }

        fn marks(&mut self) -> &mut Marks {
            &mut self.marks
        }

        fn is_stopped(&self) -> bool {
            self.looks_at_clock.set(self.looks_at_clock.get() + 1);
            self.looks_at_clock.get() == 3
        }

        fn useful_times(&self, _round: u32, _stop: usize) -> Option<RangeInclusive<i32>> {
            None
        }

        fn prospect(&self, _round: u32, _call: &MarkedCall) -> Option<i32> {
            None
        }

        fn begin_lane(&mut self, _round: u32, _lane: usize, _riders: Riders<()>) -> Option<()> {
            None
        }

        fn is_empty(&self, (): &()) -> bool {
            true
        }

        fn arrive(&mut self, _round: u32, (): &mut (), _call: &ScannedCall<'w>, _leaves: bool) {}

        fn drop_all(&mut self, (): &mut ()) {}

        fn enter(&mut self, _round: u32, (): &mut (), _call: &ScannedCall<'w>) {}

        fn stay_seated(&mut self, _round: u32, (): (), _last: &ScannedCall<'w>) {}

        fn seated(&mut self) -> &mut Vec<SeatedIn<()>> {
            &mut self.seated
        }

        fn change(&mut self, _round: u32, _from: usize, _walks: &[Walk]) {}
    }

    #[test]
    fn a_search_looks_at_the_clock_while_many_riders_stay_seated() {
        let mut service = ActiveService::default();
        service.add_runs_of_one_lane(1);
        let (timetable, walks) = (Timetable::default(), Walks::default());
        let data = TransitData { timetable: &timetable, service: &service, walks: &walks };
        let (filters, marks, looks_at_clock) = Default::default();
        let riders = 10 * PATTERNS_PER_CLOCK;
        let seated = (0..riders).map(|_| SeatedIn { run: 0, step: 0, rider: () }).collect();
        let mut search = SeatedOnly { data, filters, marks, seated, looks_at_clock };
        assert_eq!(run_rounds::<Forward, _>(&mut search, 1, 1), Err(Stopped::Interrupted));
        assert_eq!(search.seated.len() as u32, riders - 3 * PATTERNS_PER_CLOCK - 1);
    }
}
