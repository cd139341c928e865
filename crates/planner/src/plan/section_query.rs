//! What is planned between two places.

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;

use super::places::ResolvedPlace;

/// A part of a request: what is planned between two places.
#[derive(Clone, Copy)]
pub(super) struct SectionQuery<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) request: &'a RoutingRequest,
    pub(super) ends: &'a (ResolvedPlace, ResolvedPlace),
    pub(super) deadline: &'a Deadline,
}
