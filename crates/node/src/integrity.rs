//! Whether a graph file holds what was written, which may be found out while its graph answers already.

use std::sync::{Arc, OnceLock};

use trestle_engine::EngineError;
use trestle_engine::graph::Graph;
use trestle_engine::store::{Contents, StoreError, Watch};

use crate::error::{Coded, CodedError};
use crate::pool::guarded;
use crate::priority::{self, Priority};

/// What is known of the contents of a graph file. The check ends when nobody holds this any more.
pub(crate) struct Integrity(Verdict);

/// Empty until the check has ended.
pub(crate) type Verdict = Arc<OnceLock<Coded<()>>>;

impl Integrity {
    /// That of contents which were checked before they are used.
    pub(crate) fn sound() -> Arc<Integrity> {
        Arc::new(Integrity(Arc::new(OnceLock::from(Ok(())))))
    }

    /// Checks contents that are in use already, on a thread of its own. `tell` gets the step and its progress. `BUSY`
    /// without a thread.
    pub(crate) fn check_beside(
        graph: Arc<Graph>,
        contents: Contents,
        tell: impl Fn(&str, f32) + Send + 'static,
    ) -> Coded<Arc<Integrity>> {
        let integrity = Arc::new(Integrity(Verdict::default()));
        let (wanted, verdict) = (Arc::downgrade(&integrity), integrity.verdict());
        let check_all = move || {
            priority::give_way(Priority::Check);
            let mut watch = |step: &str, fraction: f32| {
                tell(step, fraction);
                wanted.strong_count() > 0
            };
            let found = guarded(|| check(&graph, &contents, &mut watch));
            let is_disposed = |error: &CodedError| error.code == "ABORTED";
            let _ = verdict.set(match found {
                Err(error) if is_disposed(&error) => Err(CodedError::disposed()),
                found => found,
            });
        };
        let thread = std::thread::Builder::new().name(Priority::Check.thread_name().to_owned());
        let spawned = thread.spawn(check_all);
        spawned.map_err(|_| CodedError::new("BUSY", "there is no thread to check the graph file"))?;
        Ok(integrity)
    }

    /// What is wrong with the contents, as far as it is known.
    pub(crate) fn damage(&self) -> Coded<()> {
        self.0.get().map_or(Ok(()), Clone::clone)
    }

    /// What the check finds, for those who wait for it.
    pub(crate) fn verdict(&self) -> Verdict {
        self.0.clone()
    }
}

/// Checks contents.
pub(crate) fn check(graph: &Graph, contents: &Contents, watch: Watch<'_>) -> Coded<()> {
    contents.check(graph, watch).map_err(unusable)
}

/// Why a graph file cannot be used.
pub(crate) fn unusable(error: StoreError) -> CodedError {
    EngineError::from(error).into()
}
