//! Time spent in the phases of a plan.

use std::time::{Duration, Instant};

use trestle_model::itinerary::PlanTimings;

/// Time spent in the phases of a plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Timings {
    pub(super) precalculation: Duration,
    pub(super) search: Duration,
    pub(super) paths: usize,
    pub(super) timed_out: bool,
}

impl Timings {
    /// The remaining time since `started` is that of rendering.
    pub(super) fn finish(&self, started: Instant) -> PlanTimings {
        let millis = |d: Duration| d.as_millis().min(u128::from(u32::MAX)) as u32;
        let rendering = started.elapsed().saturating_sub(self.precalculation + self.search);
        let share = millis(self.search) / self.paths.max(1) as u32;
        PlanTimings {
            precalculation: millis(self.precalculation),
            path_calculation: millis(self.search),
            paths: vec![share; self.paths],
            rendering: millis(rendering),
            timed_out: self.timed_out,
        }
    }
}
