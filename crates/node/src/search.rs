//! What all searches take, how one that can be stopped runs on the search pool, and the state of that pool.

use std::sync::Arc;
use std::time::Duration;

use napi::bindgen_prelude::*;
use napi_derive::napi;
use trestle_engine::deadline::Deadline;

use crate::error::{Coded, CodedError};
use crate::integrity::Integrity;
use crate::pool::{self, Pool, Scratch, SearchLength, started};
use crate::promise::on_pool;
use crate::stop_flag::{stop_flag, unless_aborted};

/// How long a search may take and how it is stopped.
#[napi(object, object_to_js = false)]
pub struct SearchOptions<'env> {
    /// Seconds after which the search is stopped: a plan then has what was found, others reject with `TIMEOUT`.
    pub deadline: Option<f64>,
    /// The search may take long: it runs on one of the workers for such searches.
    pub long: Option<bool>,
    /// Stops the search; the promise then rejects with `ABORTED`.
    #[napi(ts_type = "AbortSignal")]
    pub signal: Option<Object<'env>>,
}

/// How long a search may take, and which threads it is for.
fn limits(options: Option<&SearchOptions<'_>>) -> (Option<Duration>, SearchLength) {
    // A number that is not a length of time sets no limit.
    let limit = options.and_then(|o| o.deadline).and_then(|s| Duration::try_from_secs_f64(s.max(0.0)).ok());
    let is_long = options.and_then(|o| o.long).unwrap_or(false);
    (limit, if is_long { SearchLength::Long } else { SearchLength::Short })
}

/// Runs `work` on the pool, which reads a graph whose file may still be checked. Its result is the value of the
/// promise.
pub(crate) fn run<'env, T: ToNapiValue + Send + 'static>(
    env: &'env Env,
    integrity: Arc<Integrity>,
    options: Option<SearchOptions<'env>>,
    work: impl FnOnce(&mut Scratch, &Deadline) -> Coded<T> + Send + 'static,
) -> napi::Result<Object<'env>, String> {
    let (limit, length) = limits(options.as_ref());
    let aborted = stop_flag(env, options.and_then(|o| o.signal)).map_err(CodedError::from)?;
    let damaged = integrity.damage_flag();
    let search = move |scratch: &mut Scratch| {
        unless_aborted(&aborted)?;
        // The time spent waiting in the queue does not count.
        let deadline = Deadline::new(limit, vec![aborted.clone(), damaged]);
        let found = work(scratch, &deadline);
        unless_aborted(&aborted)?;
        found.map_err(|error| match error.code {
            "ABORTED" if deadline.expired() => timed_out(),
            _ => error,
        })
    };
    on_pool(env, integrity, length, search)
}

fn timed_out() -> CodedError {
    CodedError::new("TIMEOUT", "the search took too long and was stopped")
}

/// Sets the number of search workers (default: one for each processor) and how many searches may wait (default: 100,000,
/// each of which takes about 4 kB), for short and for long searches alike. A server sets a short queue, so that it can
/// refuse what it cannot answer in time. Only works before the first search; returns whether it took effect.
///
/// @example
/// console.log(configurePool(2, 100) ? 'two workers' : 'too late: searches have run');
#[napi(catch_unwind)]
pub fn configure_pool(workers: u32, queue: u32) -> bool {
    pool::configure(workers as usize, queue as usize)
}

/// Search workers and waiting searches, short and long ones together. Workers start with the first search of their
/// kind.
#[napi(object)]
pub struct PoolState {
    pub workers: u32,
    pub waiting: u32,
    /// Workers without a search.
    pub idle: u32,
    /// Workers that hold memory of searches of the last ten seconds.
    pub with_memory: u32,
}

/// The state of the search workers.
///
/// @example
/// const { workers, idle, waiting } = poolState();
/// console.log(workers - idle, 'searches run,', waiting, 'wait');
#[napi(catch_unwind)]
pub fn pool_state() -> PoolState {
    let sum = |of: fn(&Pool) -> usize| started().map(of).sum::<usize>() as u32;
    PoolState {
        workers: sum(Pool::threads),
        waiting: sum(Pool::waiting),
        idle: sum(Pool::idle),
        with_memory: sum(Pool::with_scratch),
    }
}
