//! Work on long lists that all processors share.

use std::panic::resume_unwind;
use std::thread;

/// Divides `items` into equal parts, one for each processor, and works on them at the same time. The results come in the
/// order of the parts, so they do not depend on the number of processors. A panic is passed on.
pub fn on_parts<'i, I: Sync, R: Send>(items: &'i [I], work: impl Fn(&'i [I]) -> Vec<R> + Sync) -> Vec<R> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let parts = items.chunks(items.len().div_ceil(processors).max(1));
    thread::scope(|scope| {
        let threads: Vec<_> = parts.map(|part| scope.spawn(|| work(part))).collect();
        let results = threads.into_iter().map(|thread| thread.join());
        results.flat_map(|part| part.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for count in [0, 1, 2, 1000] {
            let items: Vec<u32> = (0..count).collect();
            let odd = |part: &[u32]| part.iter().copied().filter(|item| item % 2 == 1).collect();
            assert_eq!(on_parts(&items, odd), (0..count).filter(|item| item % 2 == 1).collect::<Vec<_>>());
        }
    }

    #[test]
    #[should_panic(expected = "a part failed")]
    fn a_panic_goes_on() {
        on_parts(&[0, 1], |part| if part.contains(&1) { panic!("a part failed") } else { part.to_vec() });
    }
}
