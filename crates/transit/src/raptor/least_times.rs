//! Least running times, for the bounds of a search: of all hours of a service, and of parts of it. Vehicles are slower by
//! day than by night, and many patterns only run at some hours, so bounds from a part exclude more than bounds from days.

use std::sync::OnceLock;

use super::active_service::{ActiveService, Lane, NONE};
use super::costs::{FAR, RIDE_RATE};

/// Seconds between the beginnings of two parts.
const STEP: i32 = 2 * 3600;

/// Length of a part in steps.
const STEPS: i32 = 5;

/// Seconds between calls that no vehicle serves, with a cost above [`FAR`].
const NOT_SERVED: i32 = FAR / RIDE_RATE + 1;

/// Least seconds of vehicles within some hours, per call of an [`ActiveService`].
#[derive(Debug, Default)]
pub struct LeastTimes {
    /// From departing at the call to arriving at the next one, 0 at the last.
    pub hop: Vec<i32>,
    /// From arriving at the call to departing from it.
    pub dwell: Vec<i32>,
}

impl LeastTimes {
    /// Least times of vehicles under way between two times.
    fn between(service: &ActiveService, from: i32, to: i32) -> LeastTimes {
        let calls = service.call_stop.len();
        let mut least = LeastTimes { hop: vec![NOT_SERVED; calls], dwell: vec![NOT_SERVED; calls] };
        for lane in &service.lanes {
            least.lower(service, lane, from, to);
        }
        least
    }

    /// Includes the runs of a lane. A headway lane has the same running times at all hours.
    fn lower(&mut self, service: &ActiveService, lane: &Lane, from: i32, to: i32) {
        let pattern = &service.patterns[lane.pattern as usize];
        let (first, calls) = (pattern.first_call as usize, pattern.calls as usize);
        let (from, to) = if lane.headway == NONE { (from, to) } else { (i32::MIN, i32::MAX) };
        for position in 0..calls {
            let departures = service.departures_at(lane, position);
            let dwell = between(service.arrivals_at(lane, position), departures, from, to);
            let hop = match position + 1 < calls {
                true => between(departures, service.arrivals_at(lane, position + 1), from, to),
                false => Some(0),
            };
            for (least, seconds) in [(&mut self.dwell, dwell), (&mut self.hop, hop)] {
                let least = &mut least[first + position];
                *least = seconds.unwrap_or(NOT_SERVED).min(*least);
            }
        }
    }
}

/// The least seconds between two calls, over the runs that begin at `from` or later and end by `to`.
fn between(begins: &[i32], ends: &[i32], from: i32, to: i32) -> Option<i32> {
    let first = begins.partition_point(|&time| time < from);
    let end = ends.partition_point(|&time| time <= to).max(first);
    let seconds = begins[first..end].iter().zip(&ends[first..end]).map(|(begin, end)| end - begin);
    seconds.min().map(|least| least.max(0))
}

/// Some hours of the service, with their least running times.
pub(super) struct Part<'a> {
    pub(super) least: &'a LeastTimes,
    pub(super) from: i32,
    pub(super) to: i32,
}

impl ActiveService {
    /// The part that begins shortly before a time, or with `backward` ends shortly after it, and has at least eight hours
    /// from there; computed on first use. `None` if the service does not cover it.
    pub(super) fn part(&self, time: i32, backward: bool) -> Option<Part<'_>> {
        let step = time.div_euclid(STEP) - if backward { STEPS - 1 } else { 0 };
        let part = self.parts.get(usize::try_from(step).ok()?)?;
        let (from, to) = (step * STEP, (step + STEPS) * STEP);
        Some(Part { least: part.get_or_init(|| LeastTimes::between(self, from, to)), from, to })
    }

    /// Computes the least times of all hours, and makes room for those of the parts of a service that ends at a time.
    pub(super) fn set_least_times(&mut self, end: i32) {
        self.least_times = LeastTimes::between(self, i32::MIN, i32::MAX);
        let parts = (end / STEP - STEPS + 1).max(0) as usize;
        self.parts = (0..parts).map(|_| OnceLock::new()).collect();
    }
}
