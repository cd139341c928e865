//! When a search must stop: a point in time, or flags that others set.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use trestle_street::search::Interrupted;

/// A limit that searches look at every few thousand steps.
pub struct Deadline {
    started: Instant,
    until: Option<Instant>,
    passed: Box<dyn Fn() -> bool + Send + Sync>,
}

impl Default for Deadline {
    fn default() -> Self {
        Deadline::new(None, Vec::new())
    }
}

impl Deadline {
    /// A limit from now on; without a duration and flags it never passes.
    pub fn new(limit: Option<Duration>, flags: Vec<Arc<AtomicBool>>) -> Self {
        let started = Instant::now();
        let until = limit.map(|limit| started + limit);
        let passed = move || flags.iter().any(|flag| flag.load(Ordering::Relaxed)) || is_over(until);
        Deadline { started, until, passed: Box::new(passed) }
    }

    /// For loops that may take long: an error as soon as the search must stop.
    ///
    /// # Errors
    /// [`Interrupted`] if it must stop.
    pub fn check(&self) -> Result<(), Interrupted> {
        if self.passed() { Err(Interrupted) } else { Ok(()) }
    }

    /// Whether the search must stop now.
    pub fn passed(&self) -> bool {
        (self.passed)()
    }

    /// [`Self::passed`] as searches of the streets and the timetable take it.
    pub fn interrupted(&self) -> &(dyn Fn() -> bool + Sync) {
        &self.passed
    }

    /// Whether the time is up, whether or not a flag is set.
    pub fn expired(&self) -> bool {
        is_over(self.until)
    }

    /// Whether the search for an itinerary must stop now, by its number from 0. The limits are those of the first, second, …
    /// search, measured from the start; the last one holds for all further ones.
    pub fn passed_in(&self, search: usize, limits_ms: &[u32]) -> bool {
        let limit = limits_ms.get(search).or(limits_ms.last());
        self.passed() || limit.is_some_and(|&ms| self.started.elapsed() >= Duration::from_millis(ms.into()))
    }
}

fn is_over(until: Option<Instant>) -> bool {
    until.is_some_and(|until| Instant::now() >= until)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_itinerary_has_its_limit_and_the_last_one_holds_for_further_ones() {
        let unlimited = Deadline::default();
        let passed = |limits: &[u32]| [0, 1, 2].map(|search| unlimited.passed_in(search, limits));
        assert_eq!(passed(&[]), [false, false, false]);
        assert_eq!(passed(&[60_000, 0]), [false, true, true]);
        assert_eq!(passed(&[0, 60_000]), [true, false, false]);
    }

    #[test]
    fn no_limit_of_an_itinerary_is_later_than_the_deadline() {
        let over = Deadline::new(Some(Duration::ZERO), Vec::new());
        assert!(over.passed_in(0, &[60_000]));
        let stopped = Deadline::new(None, vec![Arc::new(AtomicBool::new(true))]);
        assert!(stopped.passed_in(0, &[]));
    }
}
