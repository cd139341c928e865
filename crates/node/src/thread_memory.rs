//! The memory that a search thread keeps from search to search.

use std::time::{Duration, Instant};

/// How long memory is kept. It grows with every search since it was made, because each one touches pages for other
/// streets; making it again takes a few milliseconds.
const KEPT: Duration = Duration::from_secs(10);

/// Memory of searches, made by the first of them and freed after a while.
#[derive(Debug, Default)]
pub(crate) struct ThreadMemory<T>(Option<(Instant, Box<T>)>);

impl<T: Default> ThreadMemory<T> {
    /// The memory for a search that begins now.
    pub(crate) fn for_search(&mut self, now: Instant) -> &mut T {
        self.0.take_if(|(made, _)| now.saturating_duration_since(*made) >= KEPT);
        &mut self.0.get_or_insert_with(|| (now, Box::default())).1
    }

    /// When the memory is freed at the latest, if there is any.
    pub(crate) fn end(&self) -> Option<Instant> {
        self.0.as_ref().map(|(made, _)| *made + KEPT)
    }

    /// Frees the memory; returns whether there was any.
    pub(crate) fn free(&mut self) -> bool {
        self.0.take().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_that_of_the_last_seconds() {
        let mut memory: ThreadMemory<Vec<u8>> = ThreadMemory::default();
        let begin = Instant::now();
        assert_eq!(memory.end(), None);
        memory.for_search(begin).resize(1_000_000, 0);
        assert_eq!(memory.for_search(begin + KEPT / 2).len(), 1_000_000, "it is kept for the next search");
        assert_eq!(memory.end(), Some(begin + KEPT));
        assert!(memory.for_search(begin + KEPT).is_empty(), "a busy thread begins again");
        assert_eq!(memory.end(), Some(begin + KEPT + KEPT));
        assert!(memory.free() && !memory.free());
    }
}
