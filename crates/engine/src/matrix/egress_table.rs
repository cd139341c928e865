//! The ways from stops to destinations: the same for every origin of a matrix, so they are searched once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use trestle_model::RoutingRequest;
use trestle_model::ids::VertexIdx;
use trestle_model::request::PlaceRequest;
use trestle_street::cost::Journey;
use trestle_street::search::{StreetSearch, TreeStart};

use crate::deadline::Deadline;
use crate::one_to_many::{AnalysisError, EarliestSearch};
use crate::surface::sample_grid::{NO_VERTEX, Sample};

/// Most ways of one table; bounds its memory (8 bytes each).
const MAX_WAYS: usize = 30_000_000;

/// Seconds from leaving a vehicle at a stop to a destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EgressWay {
    pub(super) stop: u32,
    pub(super) seconds: i32,
}

/// What a table depends on.
#[derive(Clone, PartialEq, Debug)]
struct TableKey {
    /// Without places; without its time where that makes no difference.
    request: RoutingRequest,
    max_seconds: i32,
    destinations: Arc<[Sample]>,
}

/// The ways from stops to each destination, the quickest first. Workers fill it together.
#[derive(Debug)]
pub struct EgressTable {
    key: TableKey,
    ways: Vec<OnceLock<Box<[EgressWay]>>>,
    /// Destinations that some worker took on.
    taken: AtomicUsize,
    way_count: AtomicUsize,
}

impl EgressTable {
    /// An empty table of ways that take at most `max_seconds`.
    pub(crate) fn new(
        request: &RoutingRequest,
        max_seconds: i32,
        destinations: &Arc<[Sample]>,
    ) -> EgressTable {
        let ways = destinations.iter().map(|_| OnceLock::new()).collect();
        let key = TableKey { request: timeless(request), max_seconds, destinations: destinations.clone() };
        EgressTable { key, ways, taken: AtomicUsize::new(0), way_count: AtomicUsize::new(0) }
    }

    /// Whether the table is that of these ways.
    pub(crate) fn is_of(&self, request: &RoutingRequest, max_seconds: i32, destinations: &[Sample]) -> bool {
        self.key.max_seconds == max_seconds
            && *self.key.destinations == *destinations
            && self.key.request == timeless(request)
    }

    /// The ways to a destination.
    #[inline]
    pub(super) fn ways_to(&self, destination: usize) -> &[EgressWay] {
        self.ways[destination].get().map_or(&[], |ways| ways)
    }

    /// Searches the ways that are missing, together with other workers that do so at the same time.
    ///
    /// # Errors
    /// [`AnalysisError`]: stopped, or there are too many ways.
    pub(super) fn fill(
        &self,
        search: &EarliestSearch<'_>,
        memory: &mut StreetSearch,
        deadline: &Deadline,
    ) -> Result<(), AnalysisError> {
        loop {
            let destination = self.taken.fetch_add(1, Ordering::Relaxed);
            if destination >= self.ways.len() {
                break;
            }
            self.search(destination, search, memory, deadline)?;
        }
        // What another worker has taken on and is not done with, or gave up.
        for destination in 0..self.ways.len() {
            self.search(destination, search, memory, deadline)?;
        }
        Ok(())
    }

    fn search(
        &self,
        destination: usize,
        search: &EarliestSearch<'_>,
        memory: &mut StreetSearch,
        deadline: &Deadline,
    ) -> Result<(), AnalysisError> {
        if self.ways[destination].get().is_some() {
            return Ok(());
        }
        let starts = starts_at(&self.key.destinations[destination], search.walk_speed());
        let streets = search.streets_to(memory, &starts, self.key.max_seconds, deadline)?;
        let mut ways = Vec::new();
        search.each_stop(&streets, |stop, seconds| ways.push(EgressWay { stop: stop.0, seconds }));
        ways.sort_by_key(|way| way.seconds);
        let count = self.way_count.fetch_add(ways.len(), Ordering::Relaxed) + ways.len();
        if count > MAX_WAYS {
            let text = format!(
                "the destinations have more than {MAX_WAYS} ways from stops: take fewer of them, or a smaller \
                 maxWalkDistance"
            );
            return Err(AnalysisError::TooLarge(text));
        }
        // Another worker may have been sooner; the ways are the same.
        let _ = self.ways[destination].set(ways.into_boxed_slice());
        Ok(())
    }
}

/// The request without what makes no difference to the ways behind transit. Turn restrictions, which bind all but
/// pedestrians, may depend on the time.
fn timeless(request: &RoutingRequest) -> RoutingRequest {
    let on_foot = Journey::of(request).behind_transit() == Journey::Walk;
    RoutingRequest {
        from: PlaceRequest::default(),
        to: PlaceRequest::default(),
        epoch_seconds: if on_foot { 0 } else { request.epoch_seconds },
        ..request.clone()
    }
}

fn starts_at(destination: &Sample, walk_speed: f64) -> Vec<TreeStart> {
    let start = |i: usize| {
        let seconds = (f64::from(destination.metres[i]) / walk_speed) as i32;
        let vertex = VertexIdx(destination.vertices[i]);
        TreeStart { vertex, seconds, weight: f64::from(seconds), walk_distance: 0.0 }
    };
    (0..2).filter(|&i| destination.vertices[i] != NO_VERTEX).map(start).collect()
}
