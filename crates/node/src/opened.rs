//! The graphs that are open, and what is given back when one has gone.

use std::sync::{Mutex, PoisonError};

use crate::pool;

/// Numbers of vertices of the open graphs.
static OPEN: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// An open graph. Dropped when nothing, no search either, reads the graph any more.
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
    /// The memory of searches fits the largest graph: it stays while there is another one of that size, such as the
    /// one that takes the place of this.
    fn drop(&mut self) {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = open.iter().position(|&vertices| vertices == self.vertices) {
            open.swap_remove(at);
        }
        let largest = open.iter().copied().max().unwrap_or(0);
        pool::tidy(largest < self.vertices);
    }
}
