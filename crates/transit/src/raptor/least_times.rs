//! Least running times, for the bounds of a search: of all hours of a service, and of parts of it. Vehicles are slower
//! by day than by night, and many patterns only run at some hours, so the bounds of a few hours exclude more than those
//! of days.

use std::ops::Range;
use std::sync::OnceLock;

use trestle_model::Direction;

use super::active_service::{ActiveService, Lane, NONE};
use super::costs::{INFINITE, RIDE_RATE};

/// Seconds from the beginning of one part to that of the next.
const STEP: i32 = 2 * 3600;

/// Length of a part in steps.
const STEPS: i32 = 5;

/// Seconds between calls that no vehicle serves, with a cost above [`INFINITE`].
const NOT_SERVED: i32 = INFINITE / RIDE_RATE + 1;

/// The least seconds that vehicles take within some hours, per call of an [`ActiveService`].
#[derive(Clone, Debug, Default)]
pub struct LeastTimes {
    /// From departing at the call to arriving at the next one, 0 at the last.
    pub hop: Vec<i32>,
    /// From arriving at the call to departing from it.
    pub dwell: Vec<i32>,
}

impl LeastTimes {
    /// Least times of vehicles under way between two times.
    fn between(service: &ActiveService, from: i32, to: i32) -> LeastTimes {
        let mut least = LeastTimes::default();
        least.extend(service, 0, from, to);
        least
    }

    /// Adds the calls that follow: those of the lanes from `first_lane` on.
    pub(super) fn extend(&mut self, service: &ActiveService, first_lane: usize, from: i32, to: i32) {
        let calls = service.call_stop.len();
        self.hop.resize(calls, NOT_SERVED);
        self.dwell.resize(calls, NOT_SERVED);
        for lane in &service.lanes[first_lane..] {
            self.lower(service, lane, from, to);
        }
    }

    /// Includes the runs of a lane. A headway lane has the same running times at all hours.
    fn lower(&mut self, service: &ActiveService, lane: &Lane, from: i32, to: i32) {
        let pattern = &service.patterns[lane.pattern as usize];
        let (first, calls) = (pattern.first_call as usize, pattern.calls as usize);
        let (from, to) = if lane.headway == NONE { (from, to) } else { (i32::MIN, i32::MAX) };
        for position in 0..calls {
            let departures = service.departures_at(lane, position);
            let dwell = least_seconds(service.arrivals_at(lane, position), departures, from, to);
            let hop = match position + 1 < calls {
                true => least_seconds(departures, service.arrivals_at(lane, position + 1), from, to),
                false => Some(0),
            };
            for (least, seconds) in [(&mut self.dwell, dwell), (&mut self.hop, hop)] {
                let least = &mut least[first + position];
                *least = seconds.unwrap_or(NOT_SERVED).min(*least);
            }
        }
    }
}

/// Seconds between two calls, of the runs that begin at `from` or later and end by `to`.
fn seconds_between<'a>(
    begins: &'a [i32],
    ends: &'a [i32],
    from: i32,
    to: i32,
) -> impl Iterator<Item = i32> + 'a {
    let first = begins.partition_point(|&time| time < from);
    let end = ends.partition_point(|&time| time <= to).max(first);
    begins[first..end].iter().zip(&ends[first..end]).map(|(begin, end)| end - begin)
}

/// The least of the seconds between two calls, at least 0.
fn least_seconds(begins: &[i32], ends: &[i32], from: i32, to: i32) -> Option<i32> {
    seconds_between(begins, ends, from, to).min().map(|least| least.max(0))
}

/// Some hours of the service.
#[derive(Debug)]
pub struct ServiceHours<'a> {
    /// Least running times of the runs within them.
    pub least: &'a LeastTimes,
    /// Time of the service at which they begin.
    pub from: i32,
    /// Time of the service at which they end.
    pub to: i32,
}

impl ActiveService {
    /// The hours that begin at most two hours before a time (backward: end at most two hours after it), so that
    /// at least eight of them are left from there. Computed on first use; `None` if the service does not cover it.
    pub fn hours_at(&self, time: i32, direction: Direction) -> Option<ServiceHours<'_>> {
        let step = time.div_euclid(STEP) - direction.pick(0, STEPS - 1);
        let least = self.least_times_of_hours.get(usize::try_from(step).ok()?)?;
        let (from, to) = (step * STEP, (step + STEPS) * STEP);
        Some(ServiceHours { least: least.get_or_init(|| LeastTimes::between(self, from, to)), from, to })
    }

    /// Takes the least times that were computed out of the service, so that they can be changed with its runs.
    pub(super) fn take_least_times(&mut self) -> Vec<ChangingLeast> {
        let all = ChangingLeast::new(i32::MIN, i32::MAX, std::mem::take(&mut self.least_times));
        let of_hours = self.least_times_of_hours.iter_mut().zip(0..).filter_map(|(least, step)| {
            least.take().map(|least| ChangingLeast::new(step * STEP, (step + STEPS) * STEP, least))
        });
        std::iter::once(all).chain(of_hours).collect()
    }

    /// Puts least times back.
    pub(super) fn put_least_times(&mut self, known: Vec<ChangingLeast>) {
        for ChangingLeast { from, least, .. } in known {
            match from {
                i32::MIN => self.least_times = least,
                _ => self.least_times_of_hours[(from / STEP) as usize] = OnceLock::from(least),
            }
        }
    }

    /// Computes the least times of all hours of a service that ends at `end`, and makes room for those of some hours each.
    pub(super) fn set_least_times(&mut self, end: i32) {
        self.least_times = LeastTimes::between(self, i32::MIN, i32::MAX);
        let count = (end / STEP - STEPS + 1).max(0) as usize;
        self.least_times_of_hours = (0..count).map(|_| OnceLock::new()).collect();
    }
}

/// Arrival at a call and departure from it.
pub(super) type CallTimes = [i32; 2];

/// Least times of some hours while runs of the service change.
pub(super) struct ChangingLeast {
    from: i32,
    to: i32,
    pub(super) least: LeastTimes,
    /// Calls (lane, position) where a run that took the least time has become slower, so that the least time may be too
    /// low.
    loose: Vec<(u32, usize)>,
}

impl ChangingLeast {
    fn new(from: i32, to: i32, least: LeastTimes) -> ChangingLeast {
        ChangingLeast { from, to, least, loose: Vec::new() }
    }

    /// Adds the calls that the service has gained: those of the lanes from `first_lane` on.
    pub(super) fn extend(&mut self, service: &ActiveService, first_lane: usize) {
        self.least.extend(service, first_lane, self.from, self.to);
    }

    /// Adds calls of other least times for the same hours.
    pub(super) fn extend_from(&mut self, other: &LeastTimes, calls: Range<usize>) {
        self.least.hop.extend_from_slice(&other.hop[calls.clone()]);
        self.least.dwell.extend_from_slice(&other.dwell[calls]);
    }

    /// Replaces the times of a run in the only lane of a pattern; its calls are those from `first_call` on.
    pub(super) fn replace(
        &mut self,
        lane: u32,
        first_call: usize,
        previous: &[CallTimes],
        next: &[CallTimes],
    ) {
        let (from, to) = (self.from, self.to);
        let seconds = |begin: i32, end: i32| (begin >= from && end <= to).then(|| (end - begin).max(0));
        let dwell = |times: &[CallTimes], at: usize| seconds(times[at][0], times[at][1]);
        let hop = |times: &[CallTimes], at: usize| {
            times.get(at + 1).and_then(|&[arrival, _]| seconds(times[at][1], arrival))
        };
        for at in 0..next.len() {
            let dwell_is_loose =
                replace(&mut self.least.dwell[first_call + at], dwell(previous, at), dwell(next, at));
            let hop_is_loose =
                replace(&mut self.least.hop[first_call + at], hop(previous, at), hop(next, at));
            if dwell_is_loose || hop_is_loose {
                self.loose.push((lane, at));
            }
        }
    }

    /// Makes the least times exact again after runs have changed.
    pub(super) fn make_exact(&mut self, service: &ActiveService) {
        self.loose.sort_unstable();
        self.loose.dedup();
        for (lane, at) in std::mem::take(&mut self.loose) {
            let lane = &service.lanes[lane as usize];
            let pattern = &service.patterns[lane.pattern as usize];
            let call = pattern.call_at(at);
            let (arrivals, departures) = (service.arrivals_at(lane, at), service.departures_at(lane, at));
            set_least(&mut self.least.dwell[call], arrivals, departures, self.from, self.to);
            if at + 1 < pattern.calls as usize {
                let next = service.arrivals_at(lane, at + 1);
                set_least(&mut self.least.hop[call], departures, next, self.from, self.to);
            }
        }
    }
}

/// Replaces the seconds that a run takes; returns whether it may have been the only run that takes as little as
/// `least`.
fn replace(least: &mut i32, previous: Option<i32>, next: Option<i32>) -> bool {
    match next {
        Some(seconds) if seconds <= *least => {
            *least = seconds;
            false
        }
        _ => previous == Some(*least),
    }
}

/// Makes `least` the least seconds of some runs, unless it is already what one of them takes.
fn set_least(least: &mut i32, begins: &[i32], ends: &[i32], from: i32, to: i32) {
    if !seconds_between(begins, ends, from, to).any(|seconds| seconds.max(0) == *least) {
        *least = least_seconds(begins, ends, from, to).unwrap_or(NOT_SERVED).min(NOT_SERVED);
    }
}
