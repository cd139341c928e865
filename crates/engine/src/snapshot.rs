//! What one request sees: an immutable graph and one state of live data.

use std::sync::Arc;

use crate::graph::Graph;

/// A graph with one real-time overlay; cheap to clone, never changes.
#[derive(Clone)]
pub struct Snapshot {
    /// The built graph.
    pub graph: Arc<Graph>,
    /// Time zone of the graph.
    pub zone: jiff::tz::TimeZone,
}
