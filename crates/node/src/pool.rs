//! Search threads of our own (never libuv's four, never the event loop), with bounded queues. Long searches have their
//! own threads and queue, so that short ones never wait for them. A panic in a search becomes an error, and the thread
//! continues with fresh scratch memory.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{Coded, CodedError};
use crate::heap;
use crate::priority::{self, Priority};
use crate::thread_memory::ThreadMemory;

type Search = Box<dyn FnOnce(&mut Scratch) + Send>;

/// Memory of a thread's searches. A search uses that of one crate, which grows with the first search that writes into
/// it.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) planner: trestle_planner::Scratch,
    pub(crate) analysis: trestle_analysis::Scratch,
}

/// Searches that may wait before new ones are refused with `BUSY`, unless the program says otherwise. A waiting one
/// takes about 4 kB, so that a program may ask for all its trips at once; servers, whose clients would wait, allow far
/// fewer.
const DEFAULT_QUEUE: usize = 100_000;

#[derive(Default)]
struct Queue {
    searches: VecDeque<Search>,
    limit: usize,
    /// How often the threads were asked to free their memory.
    freed: u64,
    /// Threads that have scratch memory.
    with_scratch: usize,
    /// Numbers of the threads that wait. The one that has waited least is woken first: its scratch memory is still in
    /// the processor's cache, and searches that come one at a time keep to one thread.
    idle: Vec<usize>,
}

/// The queue, and what wakes each thread.
struct Shared {
    queue: Mutex<Queue>,
    wake: Vec<Condvar>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Which threads a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchLength {
    /// Searches that take about a second at most, such as plans.
    Short,
    /// Searches that may take a minute, such as matrices.
    Long,
}

/// The search threads of one kind.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: usize,
}

static SHORT: OnceLock<Pool> = OnceLock::new();
static LONG: OnceLock<Pool> = OnceLock::new();
static CONFIGURED: Mutex<Option<(usize, usize)>> = Mutex::new(None);

/// Sets the number of threads and the queue length of each kind; only before the first search.
/// Returns whether it took effect.
pub(crate) fn configure(threads: usize, queue: usize) -> bool {
    if started().next().is_some() {
        return false;
    }
    *CONFIGURED.lock().unwrap_or_else(PoisonError::into_inner) = Some((threads.max(1), queue.max(1)));
    true
}

/// The threads for searches of a length, started at the first call.
pub(crate) fn pool(length: SearchLength) -> &'static Pool {
    let (pool, priority) = match length {
        SearchLength::Short => (&SHORT, Priority::Search),
        SearchLength::Long => (&LONG, Priority::LongSearch),
    };
    pool.get_or_init(|| {
        let (threads, limit) =
            CONFIGURED.lock().unwrap_or_else(PoisonError::into_inner).unwrap_or_else(|| {
                let threads = std::thread::available_parallelism().map_or(2, usize::from);
                (threads, DEFAULT_QUEUE)
            });
        Pool::start(threads, limit, priority)
    })
}

/// The kinds of threads that have been started.
pub(crate) fn started() -> impl Iterator<Item = &'static Pool> {
    [&SHORT, &LONG].into_iter().filter_map(OnceLock::get)
}

impl Pool {
    fn start(threads: usize, limit: usize, priority: Priority) -> Pool {
        let queue = Mutex::new(Queue { limit, ..Queue::default() });
        let wake = (0..threads).map(|_| Condvar::new()).collect();
        let shared = Arc::new(Shared { queue, wake });
        let mut started = 0;
        for number in 0..threads {
            let shared = shared.clone();
            let name = format!("{}-{number}", priority.thread_name());
            let thread = std::thread::Builder::new().name(name).stack_size(4 << 20);
            if thread.spawn(move || work(&shared, number, priority)).is_ok() {
                started += 1;
            }
        }
        Pool { shared, threads: started }
    }

    /// Number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Number of searches waiting.
    pub(crate) fn waiting(&self) -> usize {
        self.shared.lock().searches.len()
    }

    /// Number of threads without a search.
    pub(crate) fn idle(&self) -> usize {
        self.shared.lock().idle.len()
    }

    /// Number of threads that keep memory of earlier searches.
    pub(crate) fn with_scratch(&self) -> usize {
        self.shared.lock().with_scratch
    }

    /// Makes the threads free what they keep between searches, each after its present search.
    fn free_memory(&self) {
        self.shared.lock().freed += 1;
        self.shared.wake.iter().for_each(Condvar::notify_one);
    }

    /// Queues a search, or drops it when the queue is full. `end` gets its result.
    pub(crate) fn submit<T>(
        &self,
        search: impl FnOnce(&mut Scratch) -> Coded<T> + Send + 'static,
        end: impl FnOnce(Coded<T>) + Send + 'static,
    ) {
        let mut queue = self.shared.lock();
        if queue.searches.len() >= queue.limit {
            return;
        }
        queue.searches.push_back(Box::new(|scratch| {
            let result = guarded(|| search(scratch));
            if matches!(&result, Err(error) if error.code == "PANIC") {
                *scratch = Scratch::default();
            }
            end(result);
        }));
        if let Some(thread) = queue.idle.pop() {
            self.shared.wake[thread].notify_one();
        }
    }
}

/// Returns what searches of a graph leave behind when it is gone: freed memory and scratch memory.
pub(crate) fn free_memory() {
    started().for_each(Pool::free_memory);
}

fn work(shared: &Shared, number: usize, priority: Priority) {
    priority::give_way(priority);
    let mut memory = ThreadMemory::default();
    let mut freed = 0;
    loop {
        match next_search(shared, number, &mut freed, memory.end()) {
            Some(search) => search(memory.for_search(Instant::now())),
            None => {
                if memory.free() {
                    shared.lock().with_scratch -= 1;
                }
                heap::give_back();
            }
        }
    }
}

/// Waits for a search; `None` when the thread is to free its memory. `freed`: how often it was asked to; `end`: when it
/// does so anyway, if it has memory.
fn next_search(shared: &Shared, number: usize, freed: &mut u64, end: Option<Instant>) -> Option<Search> {
    let mut queue = shared.lock();
    loop {
        if queue.freed > *freed {
            *freed = queue.freed;
            return None;
        }
        if let Some(search) = queue.searches.pop_front() {
            if end.is_none() {
                queue.with_scratch += 1;
            }
            return Some(search);
        }
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return None;
        }
        queue.idle.push(number);
        queue = wait(&shared.wake[number], queue, left);
        // A thread woken by a search is no longer in the list; one woken to free its memory still is.
        queue.idle.retain(|idle| *idle != number);
    }
}

/// Waits to be woken, or until some time has passed.
fn wait<'q>(
    wake: &Condvar,
    queue: MutexGuard<'q, Queue>,
    at_most: Option<Duration>,
) -> MutexGuard<'q, Queue> {
    match at_most {
        None => wake.wait(queue).unwrap_or_else(PoisonError::into_inner),
        Some(time) => wake.wait_timeout(queue, time).unwrap_or_else(PoisonError::into_inner).0,
    }
}

/// Runs `work` and turns a panic into an error with code `PANIC`.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Coded<T>) -> Coded<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "unknown".to_owned());
        Err(CodedError::new("PANIC", format!("internal error: {text}")))
    })
}
