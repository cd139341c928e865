//! Divides work among all processors.

use std::panic::resume_unwind;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;

static PROCESSORS: LazyLock<usize> = LazyLock::new(|| thread::available_parallelism().map_or(1, usize::from));

/// How many processors there are, but at most `most` and at least one.
pub fn processors(most: usize) -> usize {
    PROCESSORS.min(most).max(1)
}

/// Pieces of work that the runs of [`on_processors`] share.
pub struct Supply<I>(Mutex<I>);

impl<I: Iterator> Supply<I> {
    /// A supply of these pieces, which are taken in their order.
    pub fn of(pieces: impl IntoIterator<IntoIter = I>) -> Supply<I> {
        Supply(Mutex::new(pieces.into_iter()))
    }

    /// The next piece that no run has taken.
    pub fn take(&self) -> Option<I::Item> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next()
    }
}

/// Runs `work` on at most `most` processors and returns the result of each run. The runs take pieces from a [`Supply`]
/// until none are left, so the work done does not depend on their number. A panic in a run is passed on.
///
/// The threads are new: they start on idle processors within a twentieth of a millisecond, while threads that wait in a
/// pool are often woken on the processor that is busy with other pieces. If the system refuses threads, fewer run.
pub fn on_processors<T: Send>(most: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    let run = || thread::Builder::new().name("trestle-pieces".to_owned());
    thread::scope(|scope| {
        let others: Vec<_> =
            (1..processors(most)).filter_map(|_| run().spawn_scoped(scope, &work).ok()).collect();
        let mut results = vec![work()];
        results.extend(
            others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic))),
        );
        results
    })
}

/// Divides `items` into one part for each processor and works on all parts at the same time. The results come in the
/// order of the items, so they do not depend on the number of processors. A panic is passed on.
pub fn on_parts<'i, I: Sync, R: Send>(items: &'i [I], work: impl Fn(&'i [I]) -> Vec<R> + Sync) -> Vec<R> {
    let longest = items.len().div_ceil(processors(usize::MAX)).max(1);
    let parts = Supply::of(items.chunks(longest).enumerate());
    let work_on = |(number, part)| (number, work(part));
    let run = || std::iter::from_fn(|| parts.take()).map(work_on).collect::<Vec<_>>();
    let mut results = on_processors(usize::MAX, run).into_iter().flatten().collect::<Vec<_>>();
    results.sort_unstable_by_key(|(number, _)| *number);
    results.into_iter().flat_map(|(_, results)| results).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_taken_once_by_any_number_of_runs() {
        for most in [0, 1, 3, usize::MAX] {
            let supply = Supply::of(0..100);
            let pieces = || std::iter::from_fn(|| supply.take());
            let mut taken: Vec<usize> = on_processors(most, || pieces().collect::<Vec<_>>()).concat();
            taken.sort_unstable();
            assert_eq!(taken, (0..100).collect::<Vec<_>>());
        }
    }

    #[test]
    #[should_panic(expected = "a piece failed")]
    fn a_panic_goes_on() {
        on_processors(2, || panic!("a piece failed"));
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for count in [0, 1, 2, 1000] {
            let items: Vec<u32> = (0..count).collect();
            let odd = |part: &[u32]| part.iter().copied().filter(|item| item % 2 == 1).collect();
            assert_eq!(on_parts(&items, odd), (0..count).filter(|item| item % 2 == 1).collect::<Vec<_>>());
        }
    }
}
