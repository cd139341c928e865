//! Runs an analysis on the search pool and settles a promise with its result.

use std::sync::atomic::Ordering;
use std::time::Duration;

use napi::bindgen_prelude::*;
use trestle_engine::Scratch;
use trestle_engine::deadline::Deadline;

use crate::error::{CodedError, rejection};
use crate::plan::{SearchOptions, napi_failure};
use crate::pool::{guarded, pool};
use crate::stop_flag::stop_flag;

/// Runs `work` on the pool. Scratch memory that a panic may have left in disorder is replaced.
pub(super) fn run<'env, T>(
    env: &'env Env,
    options: Option<SearchOptions<'env>>,
    work: impl FnOnce(&mut Scratch, &Deadline) -> std::result::Result<T, CodedError> + Send + 'static,
) -> napi::Result<Object<'env>, String>
where
    T: ToNapiValue + Send + 'static,
{
    let limit = options.as_ref().and_then(|o| o.deadline_ms).map(u64::from).map(Duration::from_millis);
    let aborted = stop_flag(env, options.and_then(|o| o.signal)).map_err(napi_failure)?;
    let (deferred, promise) = env.create_deferred::<T, _>().map_err(napi_failure)?;
    pool().submit(move |scratch| {
        let deadline = Deadline::new(limit, Some(aborted.clone()));
        let result = guarded(|| {
            if aborted.load(Ordering::Relaxed) {
                return Err(CodedError::new("ABORTED", "the search was aborted"));
            }
            work(scratch, &deadline)
        });
        if matches!(&result, Err(error) if error.code == "PANIC") {
            *scratch = Default::default();
        }
        deferred.resolve(move |env| result.map_err(|error| rejection(&env, error)));
    })?;
    Ok(promise)
}
