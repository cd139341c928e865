//! Checks whether a graph file holds what was written, which may happen while its graph is already in use.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use trestle_engine::EngineError;
use trestle_engine::graph::Graph;
use trestle_engine::store::{Contents, StoreError, Watch};

use crate::error::{Coded, CodedError};
use crate::pool::guarded;
use crate::priority::{self, Priority};

/// What is known of the contents of a graph file. The check ends when nobody holds this any more.
#[derive(Default)]
pub(crate) struct Integrity {
    verdict: Verdict,
    /// Set once damage is found.
    is_damaged: Arc<AtomicBool>,
}

/// Empty until the check has ended.
pub(crate) type Verdict = Arc<OnceLock<Coded<()>>>;

impl Integrity {
    /// For contents that were checked before use.
    pub(crate) fn sound() -> Arc<Integrity> {
        Arc::new(Integrity { verdict: Arc::new(OnceLock::from(Ok(()))), ..Integrity::default() })
    }

    /// Checks contents that are already in use, on a thread of its own. `report_progress` gets the step and which
    /// fraction of it is done. Fails with `BUSY` if no thread can be started.
    pub(crate) fn check_beside(
        graph: Arc<Graph>,
        contents: Contents,
        report_progress: impl Fn(&str, f32) + Send + 'static,
    ) -> Coded<Arc<Integrity>> {
        let integrity = Arc::new(Integrity::default());
        let (wanted, verdict) = (Arc::downgrade(&integrity), integrity.verdict());
        let is_damaged = integrity.damage_flag();
        let check_all = move || {
            priority::give_way(Priority::Check);
            let mut watch = |step: &str, fraction: f32| {
                report_progress(step, fraction);
                wanted.strong_count() > 0
            };
            let found = guarded(|| check(&graph, &contents, &mut watch));
            let is_disposed = |error: &CodedError| error.code == "ABORTED";
            let _ = verdict.set(match found {
                Err(error) if is_disposed(&error) => Err(CodedError::disposed()),
                found => found,
            });
            is_damaged.store(matches!(verdict.get(), Some(Err(_))), Ordering::Relaxed);
        };
        let thread = std::thread::Builder::new().name(Priority::Check.thread_name().to_owned());
        let spawned = thread.spawn(check_all);
        spawned.map_err(|_| CodedError::new("BUSY", "no thread could be started to check the graph file"))?;
        Ok(integrity)
    }

    /// What is wrong with the contents, as far as it is known.
    pub(crate) fn damage(&self) -> Coded<()> {
        self.verdict.get().map_or(Ok(()), Clone::clone)
    }

    /// What the check finds, for those who wait for it.
    pub(crate) fn verdict(&self) -> Verdict {
        self.verdict.clone()
    }

    /// Set as soon as damage is found: searches stop then.
    pub(crate) fn damage_flag(&self) -> Arc<AtomicBool> {
        self.is_damaged.clone()
    }

    /// The result of a search, or why it cannot be trusted. After a panic, of which damage is the likely cause, this
    /// waits until the check has ended.
    pub(crate) fn judge<T>(&self, result: Coded<T>) -> Coded<T> {
        if matches!(&result, Err(error) if error.code == "PANIC") {
            self.verdict.wait();
        }
        self.damage().and(result)
    }
}

pub(crate) fn check(graph: &Graph, contents: &Contents, watch: Watch<'_>) -> Coded<()> {
    contents.check(graph, watch).map_err(unusable)
}

/// Why a graph file cannot be used.
pub(crate) fn unusable(error: StoreError) -> CodedError {
    EngineError::from(error).into()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn damaged() -> CodedError {
        CodedError::new("GRAPH_DAMAGED", "column graph.street.arcs is damaged")
    }

    fn codes<T>(results: impl IntoIterator<Item = Coded<T>>) -> Vec<&'static str> {
        results.into_iter().map(|result| result.err().map_or("", |error| error.code)).collect()
    }

    #[test]
    fn results_are_refused_once_damage_is_found() {
        let panicked = || guarded::<i32>(|| panic!("out of bounds"));
        let integrity = Integrity::default();
        assert_eq!(codes([integrity.judge(Ok(1))]), [""]);
        let late = std::thread::scope(|scope| {
            let late = scope.spawn(|| integrity.judge(panicked()));
            std::thread::sleep(Duration::from_millis(20));
            integrity.verdict().set(Err(damaged())).unwrap();
            late.join().unwrap()
        });
        assert_eq!(codes([late, integrity.judge(Ok(1))]), ["GRAPH_DAMAGED", "GRAPH_DAMAGED"]);
        assert_eq!(codes([Integrity::sound().judge(panicked())]), ["PANIC"]);
    }
}
