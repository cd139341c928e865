//! The ways from stops to destinations: the same for every origin of a matrix, so they are searched once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use trestle_engine::deadline::Deadline;
use trestle_model::RoutingRequest;
use trestle_model::ids::VertexIdx;
use trestle_model::request::PlaceRequest;
use trestle_street::cost::{Journey, WalkPace};
use trestle_street::search::{RentalStations, StreetSearch, TreeStart};
use trestle_transit::raptor::UNREACHED;
use trestle_transit::timetable::Stops;

use super::stop_cells::StopCells;
use crate::error::AnalysisError;
use crate::one_to_many::EarliestSearch;
use crate::samples::{NO_VERTEX, Sample};

/// Most ways of one table; bounds its memory (8 bytes each).
const MAX_WAYS: usize = 30_000_000;

/// This many ways are tried before checking whether there can be better ones.
const WAYS_AT_ONCE: usize = 8;

/// Seconds from leaving a vehicle at a stop to a destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct EgressWay {
    stop: u32,
    seconds: i32,
}

/// The ways to one destination.
#[derive(Debug)]
struct EgressWays {
    /// The quickest first.
    ways: Box<[EgressWay]>,
    /// Cells of their stops.
    cells: Box<[u32]>,
}

impl EgressWays {
    fn new(mut ways: Vec<EgressWay>, cells: &StopCells) -> EgressWays {
        ways.sort_by_key(|way| way.seconds);
        let mut cells: Vec<u32> = ways.iter().map(|way| cells.of(way.stop)).collect();
        cells.sort_unstable();
        cells.dedup();
        EgressWays { ways: ways.into_boxed_slice(), cells: cells.into_boxed_slice() }
    }

    /// The least of `best` and the times of these ways, given when each stop is reached and the earliest time in each
    /// cell.
    #[inline]
    fn soonest(&self, arrivals: &[i32], soonest: &[i32], best: i32) -> i32 {
        let first = self.cells.iter().map(|cell| soonest[*cell as usize]).min().unwrap_or(UNREACHED);
        // Times are not negative; as unsigned numbers, the sum of two of them does not overflow.
        let (unreached, mut best) = (UNREACHED as u32, best as u32);
        for ways in self.ways.chunks(WAYS_AT_ONCE) {
            // No stop is reached earlier, and the following ways are longer.
            if ways[0].seconds as u32 + first as u32 >= best {
                break;
            }
            for way in ways {
                let arrival = arrivals.get(way.stop as usize).map_or(unreached, |arrival| *arrival as u32);
                best = best.min(arrival + way.seconds as u32);
            }
        }
        best as i32
    }
}

/// What the ways of a table depend on, besides the streets and stops of the graph.
#[derive(Clone, Debug)]
pub(super) struct TableKey {
    /// Without its places, and without its time where that makes no difference.
    request: RoutingRequest,
    max_seconds: i32,
    destinations: Arc<[Sample]>,
    /// The rental stations, where bikes are rented after transit.
    stations: Option<Arc<RentalStations>>,
}

impl TableKey {
    /// `max_seconds` is the longest way; `stations` are the rental stations that the ways depend on.
    pub(super) fn new(
        request: &RoutingRequest,
        max_seconds: i32,
        destinations: &Arc<[Sample]>,
        stations: Option<&Arc<RentalStations>>,
    ) -> TableKey {
        let (destinations, stations) = (destinations.clone(), stations.cloned());
        TableKey { request: timeless(request), max_seconds, destinations, stations }
    }
}

impl PartialEq for TableKey {
    /// Stations are equal if they are the same state of live data. A key keeps them alive, so no other state can have
    /// their address.
    fn eq(&self, other: &TableKey) -> bool {
        let same_stations = match (&self.stations, &other.stations) {
            (Some(own), Some(others)) => Arc::ptr_eq(own, others),
            (None, None) => true,
            _ => false,
        };
        same_stations
            && self.max_seconds == other.max_seconds
            && self.request == other.request
            && self.destinations == other.destinations
    }
}

/// The ways from stops to each destination. Workers fill it together.
#[derive(Debug)]
pub(super) struct EgressTable {
    key: TableKey,
    cells: StopCells,
    ways: Vec<OnceLock<EgressWays>>,
    /// Destinations that some worker has started.
    taken: AtomicUsize,
    way_count: AtomicUsize,
}

impl EgressTable {
    /// An empty table.
    pub(super) fn new(key: TableKey, stops: &Stops) -> EgressTable {
        let ways = key.destinations.iter().map(|_| OnceLock::new()).collect();
        let (taken, way_count) = (AtomicUsize::new(0), AtomicUsize::new(0));
        EgressTable { key, cells: StopCells::new(stops), ways, taken, way_count }
    }

    /// Whether the table holds these ways.
    pub(super) fn is_of(&self, key: &TableKey) -> bool {
        self.key == *key
    }

    /// Lowers a row of times where one of these ways is quicker, given when each stop is reached.
    pub(super) fn lower(&self, row: &mut [i32], arrivals: &[i32]) {
        let soonest = self.cells.soonest(arrivals);
        for (best, ways) in row.iter_mut().zip(&self.ways) {
            if let Some(ways) = ways.get() {
                *best = ways.soonest(arrivals, &soonest, *best);
            }
        }
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
        // A way that another worker has started but not finished, or has given up.
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
        deadline.check()?;
        let starts = starts_at(&self.key.destinations[destination], search.walk_pace());
        let streets = search.streets_to(memory, &starts, self.key.max_seconds, deadline)?;
        let mut ways = Vec::new();
        search.each_stop(&streets, |stop, seconds| ways.push(EgressWay { stop: stop.0, seconds }));
        let count = self.way_count.fetch_add(ways.len(), Ordering::Relaxed) + ways.len();
        if count > MAX_WAYS {
            let text = format!(
                "the destinations have more than {MAX_WAYS} ways from stops: take fewer of them, or a smaller \
                 maxWalkDistance"
            );
            return Err(AnalysisError::TooLarge(text));
        }
        // Another worker may have been quicker; its ways are the same.
        let _ = self.ways[destination].set(EgressWays::new(ways, &self.cells));
        Ok(())
    }
}

/// The request without what makes no difference to the ways after transit. Turn restrictions, which apply to everyone
/// but pedestrians, may depend on the time.
fn timeless(request: &RoutingRequest) -> RoutingRequest {
    let on_foot = Journey::of(request).after_transit() == Journey::Walk;
    RoutingRequest {
        from: PlaceRequest::default(),
        to: PlaceRequest::default(),
        epoch_seconds: if on_foot { 0 } else { request.epoch_seconds },
        ..request.clone()
    }
}

fn starts_at(destination: &Sample, pace: WalkPace) -> Vec<TreeStart> {
    let start = |i: usize| {
        let seconds = pace.seconds(f64::from(destination.metres[i])) as i32;
        let vertex = VertexIdx(destination.vertices[i]);
        TreeStart { vertex, seconds, weight: f64::from(seconds), walk_distance: 0.0 }
    };
    (0..2).filter(|&i| destination.vertices[i] != NO_VERTEX).map(start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stops in a row, each in the next cell or in that of the previous stop.
    fn stops(count: usize) -> Stops {
        let lat = (0..count).map(|stop| stop as f64 * 0.003).collect();
        Stops { lat, lon: vec![0.0; count].into(), ..Stops::default() }
    }

    #[test]
    fn the_soonest_of_all_ways_is_found() {
        let mut state = 1u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..2000 {
            let count = 1 + next(40) as usize;
            let cells = StopCells::new(&stops(count));
            let arrivals: Vec<i32> =
                (0..count).map(|_| if next(3) == 0 { UNREACHED } else { next(3000) as i32 }).collect();
            let ways: Vec<EgressWay> = (0..next(60))
                .map(|_| EgressWay { stop: next(count as u64) as u32, seconds: next(1500) as i32 })
                .collect();
            let best = if next(2) == 0 { UNREACHED } else { next(4000) as i32 };
            let by = |way: &EgressWay| arrivals[way.stop as usize].saturating_add(way.seconds);
            let expected = ways.iter().map(by).fold(best, i32::min);
            let found = EgressWays::new(ways, &cells).soonest(&arrivals, &cells.soonest(&arrivals), best);
            assert_eq!(found, expected);
        }
    }
}
