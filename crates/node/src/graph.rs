//! `Graph`: open, build, describe, release.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use napi::bindgen_prelude::*;
use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi_derive::napi;
use trestle_engine::build::{self, BuildOptions as EngineOptions};
use trestle_engine::graph::Graph as EngineGraph;
use trestle_engine::scenario::Scenario;
use trestle_engine::snapshot::Snapshot;
use trestle_engine::store;

use crate::error::{Coded, CodedError};
use crate::integrity::{Integrity, check, unusable};
use crate::pool::{self, guarded};
use crate::promise::on_own_thread;
use crate::stop_flag::{stop_flag, unless_aborted};
use crate::wire::info::{GraphInfo, ServiceDays, WorkProgress, build_report, graph_info};
use crate::wire::options::BuildOptions;

/// How a graph file is opened.
#[napi(object, object_to_js = false)]
pub struct OpenOptions<'env> {
    /// Stops the work at its next step; the promise then rejects with `ABORTED`.
    #[napi(ts_type = "AbortSignal")]
    pub signal: Option<Object<'env>>,
    /// Checks all contents before the promise resolves (default: false), which takes as long as reading the file: for files
    /// from elsewhere, and for results that are kept.
    pub check_first: Option<bool>,
}

/// How building is stopped.
#[napi(object, object_to_js = false)]
pub struct WorkOptions<'env> {
    /// Stops the work at its next step; the promise then rejects with `ABORTED`, and no file has been written.
    #[napi(ts_type = "AbortSignal")]
    pub signal: Option<Object<'env>>,
}

/// A built transport graph: streets and transit of one area. Immutable; safe to use from many searches at once.
///
/// @example
/// const graph = await Graph.open('graphs/default/Graph.obj');
/// const { plan } = await graph.plan(request);
/// console.log(plan?.itineraries.length);
/// graph.dispose();
#[napi]
pub struct Graph {
    state: Arc<LiveState>,
    /// The changes laid over the graph, if `withScenario` made it.
    scenario: Option<RwLock<Option<Arc<Scenario>>>>,
}

/// The snapshot that requests get from now on.
pub(crate) struct LiveState {
    held: RwLock<Option<Held>>,
    /// Changes are made one after the other, so that none is lost.
    changing: Mutex<()>,
}

/// A snapshot, and whether the file of its graph holds what was written.
struct Held {
    snapshot: Snapshot,
    integrity: Arc<Integrity>,
}

impl LiveState {
    /// The current snapshot, or `DISPOSED` or `GRAPH_DAMAGED`.
    pub(crate) fn current(&self) -> Coded<Snapshot> {
        self.read(|held| held.integrity.damage().map(|()| held.snapshot.clone()))
    }

    fn read<T>(&self, read: impl FnOnce(&Held) -> Coded<T>) -> Coded<T> {
        let guard = self.held.read().unwrap_or_else(PoisonError::into_inner);
        guard.as_ref().map_or_else(|| Err(CodedError::disposed()), read)
    }

    /// Replaces the current snapshot by one that `make` derives from it. Requests do not wait for it: they get the
    /// previous snapshot until the new one is complete.
    pub(crate) fn change<T>(&self, make: impl FnOnce(&Snapshot) -> Coded<(Snapshot, T)>) -> Coded<T> {
        let _one_at_a_time = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let (next, value) = make(&self.current()?)?;
        let mut guard = self.held.write().unwrap_or_else(PoisonError::into_inner);
        let previous = guard.as_mut().map(|held| std::mem::replace(&mut held.snapshot, next));
        drop(guard);
        // Requests need not wait while the live data of thousands of trips is freed.
        drop(previous);
        Ok(value)
    }
}

impl Graph {
    /// A new graph that starts from this snapshot.
    fn of(snapshot: Snapshot, integrity: Arc<Integrity>) -> Graph {
        let held = RwLock::new(Some(Held { snapshot, integrity }));
        Graph { state: Arc::new(LiveState { held, changing: Mutex::new(()) }), scenario: None }
    }

    /// A scenario over the graph with this live data.
    pub(crate) fn with(state: Arc<LiveState>, scenario: Scenario) -> Graph {
        Graph { state, scenario: Some(RwLock::new(Some(Arc::new(scenario)))) }
    }

    /// The current snapshot, or `DISPOSED`.
    pub(crate) fn snapshot(&self) -> Coded<Snapshot> {
        let live = self.state.current()?;
        Ok(match self.scenario()? {
            Some(scenario) => scenario.under(&live),
            None => live,
        })
    }

    /// What is known of the file of the graph, or `DISPOSED`.
    pub(crate) fn integrity(&self) -> Coded<Arc<Integrity>> {
        self.state.read(|held| Ok(held.integrity.clone()))
    }

    /// The scenario that this graph is, or `DISPOSED`.
    pub(crate) fn scenario(&self) -> Coded<Option<Arc<Scenario>>> {
        let Some(scenario) = &self.scenario else { return Ok(None) };
        let held = scenario.read().unwrap_or_else(PoisonError::into_inner).clone();
        held.map(Some).ok_or_else(|| CodedError::new("DISPOSED", "this scenario was disposed of"))
    }

    /// What live data changes.
    pub(crate) fn live(&self) -> Arc<LiveState> {
        self.state.clone()
    }
}

#[napi]
impl Graph {
    /// Opens a graph file by mapping it, which takes some milliseconds for a file of any size. Its contents are checked
    /// while the graph is already in use, see `checked`; once damage is found, every call and every running search fails
    /// with `GRAPH_DAMAGED`. With `options.checkFirst` they are checked before the promise resolves. `onProgress`
    /// is called with the step of the check (`read`, `check`) and its fraction. Rejects with `GRAPH_FOREIGN`,
    /// `GRAPH_VERSION`, `GRAPH_TRUNCATED`, `GRAPH_DAMAGED`, `GRAPH_IO` or `ABORTED`, which also means that `onProgress` has
    /// thrown or rejected before the promise resolved. If it fails later, the process ends.
    ///
    /// @example
    /// const graph = await Graph.open('graphs/default/Graph.obj');
    /// console.log(graph.info().stops);
    /// graph.dispose();
    #[napi(catch_unwind, ts_return_type = "Promise<Graph>")]
    pub fn open<'env>(
        env: &'env Env,
        path: String,
        on_progress: Option<Function<'env, WorkProgress, ()>>,
        options: Option<OpenOptions<'env>>,
    ) -> napi::Result<Object<'env>, String> {
        let (signal, check_first) = options.map_or((None, None), |o| (o.signal, o.check_first));
        let stop = stop_flag(env, signal).map_err(CodedError::from)?;
        let report_progress = progress_reporter(on_progress)?;
        on_own_thread(env, "trestle-open", move || {
            unless_aborted(&stop)?;
            let path = PathBuf::from(path);
            let (graph, contents) = store::open_unchecked(&path).map_err(unusable)?;
            let graph = Arc::new(graph);
            let check_contents = || {
                let mut watch = |step: &str, fraction| {
                    report_progress(step, fraction);
                    !stop.load(Ordering::Relaxed)
                };
                check(&graph, &contents, &mut watch)
            };
            if check_first == Some(true) {
                check_contents()?;
            }
            let snapshot = match guarded(|| Ok(opened_snapshot(graph.clone(), &path))) {
                Ok(snapshot) => snapshot,
                // Damage is the likely cause, and its error is clearer.
                Err(panic) => return check_contents().and(Err(panic)),
            };
            let integrity = match check_first {
                Some(true) => Integrity::sound(),
                _ => Integrity::check_beside(graph, contents, report_progress)?,
            };
            Ok(Graph::of(snapshot, integrity))
        })
    }

    /// Builds a graph from the inputs in `directory` (OSM, GTFS, elevation) and writes it to `Graph.obj` there, or to
    /// `options.output`. Configuration files are not read here: pass their members as `options`.
    /// `onProgress` is called with the step and its fraction. Rejects with the code of the input that cannot be used,
    /// `CONFIG_INVALID`, `GRAPH_IO` (the graph cannot be written) or `ABORTED`. A build that is stopped ends before its
    /// next step, without a file; its last step, `save`, cannot be stopped. If `onProgress` throws or rejects, the build
    /// is stopped and rejects with `ABORTED` and that error as `cause`; during `save`, the file has been written all the
    /// same.
    ///
    /// @example
    /// const report = await Graph.build('graphs/default', { maxTransferSeconds: 600 }, ({ step, fraction }) => {
    ///   console.log(step, fraction);
    /// });
    /// console.log(report.bytes, report.issueCounts);
    #[napi(catch_unwind, ts_return_type = "Promise<BuildReport>")]
    pub fn build<'env>(
        env: &'env Env,
        directory: String,
        options: Option<BuildOptions>,
        on_progress: Option<Function<'env, WorkProgress, ()>>,
        work: Option<WorkOptions<'env>>,
    ) -> napi::Result<Object<'env>, String> {
        let stop = stop_flag(env, work.and_then(|w| w.signal)).map_err(CodedError::from)?;
        let report_progress = progress_reporter(on_progress)?;
        on_own_thread(env, "trestle-build", move || {
            let directory = PathBuf::from(directory);
            let options = options.unwrap_or_default();
            let output = options.output.clone().map_or_else(|| directory.join("Graph.obj"), PathBuf::from);
            let options = EngineOptions { stop, ..options.into_engine_options()? };
            let outcome = build::build_directory(&directory, &output, &options, &mut |step, fraction| {
                report_progress(step, fraction)
            })?;
            Ok(build_report(outcome))
        })
    }

    /// This graph with its present live data. Later updates do not reach it, so indices from one look-up stay valid for
    /// the next. Costs next to nothing; dispose of it soon.
    ///
    /// @example
    /// const now = graph.snapshot();
    /// const { values } = await now.related('routeTrips', await now.find('routes', ['city:U1']));
    /// console.log(values.length, 'trips, those of live data too');
    /// now.dispose();
    #[napi(catch_unwind, js_name = "snapshot")]
    pub fn pinned(&self) -> napi::Result<Graph, String> {
        Ok(Graph::of(self.snapshot()?, self.integrity()?))
    }

    /// Resolves when all contents of the file were checked: every value is what was written. Rejects with
    /// `GRAPH_DAMAGED`, or with `DISPOSED` when the graph was disposed of before.
    ///
    /// @example
    /// await graph.checked();
    /// console.log('every byte is as it was written');
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn checked<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>, String> {
        let verdict = self.integrity()?.verdict();
        on_own_thread(env, "trestle-checked", move || verdict.wait().clone())
    }

    /// What the graph holds and covers.
    ///
    /// @example
    /// const { stops, trips, timeZone, buildTime } = graph.info();
    /// console.log(stops, 'stops,', trips, 'trips,', timeZone, new Date(buildTime * 1000));
    #[napi(catch_unwind)]
    pub fn info(&self) -> napi::Result<GraphInfo, String> {
        Ok(graph_info(&self.snapshot()?))
    }

    /// The days on which trips run as scheduled; absent without transit.
    ///
    /// @example
    /// const { first, trips } = graph.serviceDays() ?? { first: '', trips: [] };
    /// console.log('from', first, 'on', trips.length, 'days, at most', Math.max(...trips), 'trips a day');
    #[napi(catch_unwind)]
    pub fn service_days(&self) -> napi::Result<Option<ServiceDays>, String> {
        let snapshot = self.snapshot()?;
        let days = snapshot.graph.timetable.trips_by_day();
        Ok(days.map(|(first, trips)| ServiceDays { first: first.to_string(), trips }))
    }

    /// Seconds that clocks are ahead of UTC at an instant, in the time zone of the graph.
    ///
    /// @example
    /// const seven = Date.parse('2026-11-23T07:00:00Z') / 1000;
    /// console.log(new Date((seven + graph.utcOffset(seven)) * 1000).toISOString().slice(0, 16), 'in the town');
    #[napi(catch_unwind)]
    pub fn utc_offset(&self, epoch_seconds: f64) -> napi::Result<i32, String> {
        Ok(self.snapshot()?.utc_offset(epoch_seconds.floor() as i64))
    }

    /// Releases the graph (of a scenario: what it changes). Running searches finish on it; later calls reject with
    /// `DISPOSED`.
    ///
    /// @example
    /// const graph = await Graph.open('graphs/default/Graph.obj');
    /// try {
    ///   console.log(graph.info().trips);
    /// } finally {
    ///   graph.dispose();
    /// }
    #[napi(catch_unwind)]
    pub fn dispose(&self) {
        match &self.scenario {
            Some(scenario) => *scenario.write().unwrap_or_else(PoisonError::into_inner) = None,
            None => {
                let previous = self.state.held.write().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(Held { snapshot, .. }) = previous {
                    release(snapshot);
                }
            }
        }
    }
}

/// A snapshot of the graph of a file.
fn opened_snapshot(graph: Arc<EngineGraph>, path: &Path) -> Snapshot {
    Snapshot::new(graph, store::written_ms(path)).with_drop_guard(OpenedGraph)
}

/// Dropped when nothing, not even a search, reads an opened graph any more.
struct OpenedGraph;

impl Drop for OpenedGraph {
    fn drop(&mut self) {
        pool::free_memory();
    }
}

/// Drops a snapshot, on a thread of its own when its graph goes with it: unmapping a large file takes tens of
/// milliseconds, for which the event loop must not wait.
fn release(snapshot: Snapshot) {
    if Arc::strong_count(&snapshot.graph) > 1 {
        return drop(snapshot);
    }
    let spawned =
        std::thread::Builder::new().name("trestle-release".to_owned()).spawn(move || drop(snapshot));
    // Without a thread it was dropped here, with the closure.
    drop(spawned);
}

/// Reports the progress of some work to JavaScript, if it gave a callback.
fn progress_reporter(
    on_progress: Option<Function<'_, WorkProgress, ()>>,
) -> Coded<impl Fn(&str, f32) + Send + use<>> {
    let callback = on_progress.map(|callback| callback.build_threadsafe_function().build()).transpose();
    let callback = callback.map_err(|e| CodedError::new("PANIC", e.reason.clone()))?;
    Ok(move |step: &str, fraction: f32| {
        if let Some(callback) = &callback {
            let value = WorkProgress { step: step.to_owned(), fraction: f64::from(fraction) };
            callback.call(value, ThreadsafeFunctionCallMode::NonBlocking);
        }
    })
}
