//! Open areas: closed ways and multipolygon relations that can be walked.

use crate::osm::{Level, NodeRef, Tags};

/// A closed line of nodes; the first node is not repeated at the end.
#[derive(Clone, Debug)]
pub(super) struct Ring {
    pub(super) nodes: Vec<NodeRef>,
}

/// An area and its rings.
#[derive(Clone, Debug)]
pub(super) struct Area<'a> {
    pub(super) id: i64,
    pub(super) tags: &'a Tags,
    pub(super) level: Level,
    pub(super) outer: Vec<Ring>,
    pub(super) inner: Vec<Ring>,
}
