//! When a search must stop: a point in time, or flags that others set.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The deadline passed, the client left, or the graph turned out to be damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the search was stopped")]
pub struct Stopped;

/// A limit that searches look at every few thousand steps.
#[derive(Clone, Debug)]
pub struct Deadline {
    started: Instant,
    until: Option<Instant>,
    flags: Vec<Arc<AtomicBool>>,
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
        Deadline { started, until: limit.map(|limit| started + limit), flags }
    }

    /// For loops that may take long: an error as soon as the search must stop.
    ///
    /// # Errors
    /// [`Stopped`].
    pub fn check(&self) -> Result<(), Stopped> {
        if self.passed() { Err(Stopped) } else { Ok(()) }
    }

    /// Whether the search must stop now.
    pub fn passed(&self) -> bool {
        self.flags.iter().any(|flag| flag.load(Ordering::Relaxed)) || self.expired()
    }

    /// Whether the time is up, whether or not a flag is set.
    pub fn expired(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// The flags, each of which stops the search when it is set.
    pub fn flags(&self) -> &[Arc<AtomicBool>] {
        &self.flags
    }

    /// Deadlines of the searches for the first, second, … itinerary, all measured from the start and none later than
    /// this deadline.
    pub fn per_itinerary(&self, limits_ms: &[u32]) -> Vec<Instant> {
        let own = |at: Instant| self.until.map_or(at, |until| until.min(at));
        match limits_ms {
            [] => self.until.into_iter().collect(),
            limits => {
                limits.iter().map(|ms| own(self.started + Duration::from_millis(u64::from(*ms)))).collect()
            }
        }
    }
}
