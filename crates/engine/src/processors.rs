//! Work that all processors share.

use std::panic::resume_unwind;
use std::sync::LazyLock;
use std::thread;

static PROCESSORS: LazyLock<usize> = LazyLock::new(|| thread::available_parallelism().map_or(1, usize::from));

/// Runs `work` on each processor, on `most` at most, and returns what each run returned. The runs take pieces of a common
/// stock until there are none, so what is done does not depend on their number; a panic of one goes on here.
///
/// The threads are new: they begin on idle processors within a twentieth of a millisecond, while those that wait in a pool
/// are often woken on the one that is busy with the others' pieces. Those that are not to be had are done without.
pub fn on_processors<T: Send>(most: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    let run = || thread::Builder::new().name("trestle-pieces".to_owned());
    thread::scope(|scope| {
        let others: Vec<_> =
            (1..PROCESSORS.min(most)).filter_map(|_| run().spawn_scoped(scope, &work).ok()).collect();
        let mut results = vec![work()];
        results.extend(
            others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic))),
        );
        results
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn every_piece_is_taken_once_however_many_take_them() {
        for most in [0, 1, 3, usize::MAX] {
            let next = AtomicUsize::new(0);
            let pieces =
                || std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < 100));
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
}
