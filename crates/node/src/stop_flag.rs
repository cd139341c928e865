//! Stopping searches by an `AbortSignal`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use napi::bindgen_prelude::*;

use crate::error::{Coded, CodedError};

/// `ABORTED` when the flag is set.
pub(crate) fn unless_aborted(aborted: &AtomicBool) -> Coded<()> {
    match aborted.load(Ordering::Relaxed) {
        true => Err(CodedError::new("ABORTED", "the work was aborted")),
        false => Ok(()),
    }
}

/// `signal.addEventListener(type, listener)`.
type AddListener<'env> = Function<'env, FnArgs<(String, Function<'env, (), ()>)>, ()>;

/// The member of a signal, not enumerable, that keeps its flag.
const KEPT: &str = "trestleStopFlag";

/// A flag that the signal's `abort` event sets. All searches of a signal share one flag and one listener, because the
/// signal aborts all of them at once.
pub(crate) fn stop_flag(env: &Env, signal: Option<Object<'_>>) -> napi::Result<Arc<AtomicBool>> {
    let Some(mut signal) = signal else { return Ok(Arc::default()) };
    if signal.get_named_property::<bool>("aborted")? {
        return Ok(Arc::new(AtomicBool::new(true)));
    }
    if let Ok(Some(kept)) = signal.get::<&External<Arc<AtomicBool>>>(KEPT) {
        return Ok(Arc::clone(kept));
    }
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    let listener = env.create_function_from_closure::<(), (), _>("onAbort", move |_| {
        set.store(true, Ordering::Relaxed);
        Ok(())
    })?;
    let add: AddListener<'_> = signal.get_named_property("addEventListener")?;
    add.apply(signal, FnArgs::from(("abort".to_owned(), listener)))?;
    let kept = Property::new().with_utf8_name(KEPT)?.with_napi_value(env, External::new(flag.clone()))?;
    let kept = kept.with_property_attributes(PropertyAttributes::Default);
    // A frozen signal cannot keep a flag, so each search adds a listener.
    signal.define_properties(&[kept]).ok();
    Ok(flag)
}
