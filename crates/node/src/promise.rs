//! Promises that are always settled: one that never settles keeps the process alive, with all that it holds.

use std::sync::Arc;

use napi::JsDeferred;
use napi::bindgen_prelude::*;

use crate::error::{Coded, CodedError, rejection};
use crate::integrity::Integrity;
use crate::pool::{Scratch, SearchLength, guarded, pool};

type Resolver<T> = Box<dyn FnOnce(Env) -> napi::Result<T> + Send>;

/// The side of a promise that settles it. If it is dropped first, because its search was refused, the promise rejects
/// with `BUSY`.
struct Settler<T: ToNapiValue + Send + 'static>(Option<JsDeferred<T, Resolver<T>>>);

impl<T: ToNapiValue + Send + 'static> Settler<T> {
    fn new(env: &Env) -> napi::Result<(Self, Object<'_>), String> {
        let (deferred, promise) = env.create_deferred().map_err(CodedError::from)?;
        Ok((Settler(Some(deferred)), promise))
    }

    fn settle(&mut self, result: Coded<T>) {
        if let Some(deferred) = self.0.take() {
            deferred.resolve(Box::new(move |env| result.map_err(|error| rejection(&env, error))));
        }
    }
}

impl<T: ToNapiValue + Send + 'static> Drop for Settler<T> {
    fn drop(&mut self) {
        self.settle(Err(CodedError::new("BUSY", "too many searches are waiting")));
    }
}

/// Runs `work` on the search threads for its length. The promise rejects with `BUSY` when too many searches wait, with
/// `PANIC` when `work` panics, and with `GRAPH_DAMAGED` when the graph's file turned out to be damaged by the end of
/// the search.
pub(crate) fn on_pool<'env, T: ToNapiValue + Send + 'static>(
    env: &'env Env,
    integrity: Arc<Integrity>,
    length: SearchLength,
    work: impl FnOnce(&mut Scratch) -> Coded<T> + Send + 'static,
) -> napi::Result<Object<'env>, String> {
    let (mut settler, promise) = Settler::new(env)?;
    // If the search is refused, dropping the settler rejects the promise.
    pool(length).submit(work, move |result| settler.settle(integrity.judge(result)));
    Ok(promise)
}

/// Runs long work on a thread of its own. The promise rejects with `BUSY` when no thread can be started, and with
/// `PANIC` when `work` panics.
pub(crate) fn on_own_thread<'env, T: ToNapiValue + Send + 'static>(
    env: &'env Env,
    name: &str,
    work: impl FnOnce() -> Coded<T> + Send + 'static,
) -> napi::Result<Object<'env>, String> {
    let (mut settler, promise) = Settler::new(env)?;
    let spawned = std::thread::Builder::new()
        .name(name.to_owned())
        .stack_size(8 << 20)
        .spawn(move || settler.settle(guarded(work)));
    drop(spawned);
    Ok(promise)
}
