//! The graphs that are open, and the memory that is returned when one has gone.

use std::sync::{Mutex, PoisonError};

use crate::pool;

/// Numbers of vertices of the open graphs.
static OPEN: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// An open graph. Dropped when nothing, not even a search, reads the graph any more.
pub(crate) struct Opened {
    vertices: usize,
}

impl Opened {
    /// Notes that a graph of this size was opened.
    pub(crate) fn note(vertices: usize) -> Opened {
        OPEN.lock().unwrap_or_else(PoisonError::into_inner).push(vertices);
        Opened { vertices }
    }
}

impl Drop for Opened {
    /// The memory of searches fits the largest graph. It stays while another graph of that size is open, such as the
    /// one that replaces this.
    fn drop(&mut self) {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = open.iter().position(|&vertices| vertices == self.vertices) {
            open.swap_remove(at);
        }
        let largest = open.iter().copied().max().unwrap_or(0);
        pool::tidy(largest < self.vertices);
    }
}
