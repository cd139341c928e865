//! Runs a search that can be stopped on the search pool, and returns a promise of its result.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use napi::bindgen_prelude::*;
use trestle_engine::deadline::Deadline;

use crate::error::{Coded, CodedError};
use crate::integrity::Integrity;
use crate::plan::{SearchOptions, limits};
use crate::pool::Scratch;
use crate::promise::on_pool;
use crate::stop_flag::stop_flag;

/// Runs `work` on the pool, in a graph whose file may still be checked.
pub(crate) fn run<'env, T>(
    env: &'env Env,
    integrity: Arc<Integrity>,
    options: Option<SearchOptions<'env>>,
    work: impl FnOnce(&mut Scratch, &Deadline) -> Coded<T> + Send + 'static,
) -> napi::Result<Object<'env>, String>
where
    T: ToNapiValue + Send + 'static,
{
    let (limit, length) = limits(options.as_ref());
    let aborted = stop_flag(env, options.and_then(|o| o.signal)).map_err(CodedError::from)?;
    let damaged = integrity.damage_flag();
    let search = move |scratch: &mut Scratch| {
        if aborted.load(Ordering::Relaxed) {
            return Err(CodedError::new("ABORTED", "the search was aborted"));
        }
        // The time spent waiting in the queue does not count.
        let deadline = Deadline::new(limit, vec![aborted, damaged]);
        work(scratch, &deadline).map_err(|error| match error.code {
            "ABORTED" if deadline.expired() => timed_out(),
            _ => error,
        })
    };
    on_pool(env, integrity, length, search, |_, found| Ok(found))
}

fn timed_out() -> CodedError {
    CodedError::new("TIMEOUT", "the search took too long and was stopped")
}
