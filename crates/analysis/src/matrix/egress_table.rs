//! Egress paths, from stops to destinations: the same for every origin of a matrix, so they are searched once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use trestle_model::request::PlaceRequest;
use trestle_model::{Direction, RoutingRequest};
use trestle_street::cost::StreetMode;
use trestle_street::search::{LinkedBikeStations, StreetSearch};
use trestle_transit::raptor::UNREACHED;
use trestle_transit::timetable::Stops;

use super::stop_cells::StopCells;
use crate::error::AnalysisError;
use crate::one_to_many::EarliestSearch;
use crate::samples::Destination;

/// Largest number of paths of one table; bounds its memory (8 bytes each).
const MAX_PATHS: usize = 30_000_000;

/// This many paths are tried before checking whether there can be better ones.
const PATHS_AT_ONCE: usize = 8;

/// Seconds from leaving a vehicle at a stop to a destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct EgressPath {
    stop: u32,
    seconds: i32,
}

/// The egress paths to one destination.
#[derive(Debug)]
struct EgressPaths {
    /// The quickest first.
    paths: Box<[EgressPath]>,
    /// Cells of their stops.
    cells: Box<[u32]>,
}

impl EgressPaths {
    fn new(mut paths: Vec<EgressPath>, cells: &StopCells) -> EgressPaths {
        paths.sort_by_key(|path| path.seconds);
        let mut cells: Vec<u32> = paths.iter().map(|path| cells.of(path.stop)).collect();
        cells.sort_unstable();
        cells.dedup();
        EgressPaths { paths: paths.into_boxed_slice(), cells: cells.into_boxed_slice() }
    }

    /// The least of `best` and the times of these paths, given when each stop is reached and the earliest time in each
    /// cell.
    #[inline]
    fn soonest(&self, arrivals: &[i32], soonest: &[i32], best: i32) -> i32 {
        let first = self.cells.iter().map(|cell| soonest[*cell as usize]).min().unwrap_or(UNREACHED);
        // Times are not negative; as unsigned numbers, the sum of two of them does not overflow.
        let (unreached, mut best) = (UNREACHED as u32, best as u32);
        for paths in self.paths.chunks(PATHS_AT_ONCE) {
            // No stop is reached earlier, and the following paths take longer.
            if paths[0].seconds as u32 + first as u32 >= best {
                break;
            }
            for path in paths {
                let arrival = arrivals.get(path.stop as usize).map_or(unreached, |arrival| *arrival as u32);
                best = best.min(arrival + path.seconds as u32);
            }
        }
        best as i32
    }
}

/// What the paths of a table depend on, besides the streets and stops of the graph.
#[derive(Clone, Debug)]
pub(super) struct TableKey {
    /// Without its places, and without its time where that makes no difference.
    request: RoutingRequest,
    max_seconds: i32,
    destinations: Arc<[Destination]>,
    /// The rental stations, where bikes are rented after transit.
    stations: Option<Arc<LinkedBikeStations>>,
}

impl TableKey {
    /// `max_seconds` is the longest time of a path; `stations` are the rental stations that the paths depend on.
    pub(super) fn new(
        request: &RoutingRequest,
        max_seconds: i32,
        destinations: &Arc<[Destination]>,
        stations: Option<&Arc<LinkedBikeStations>>,
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

/// The egress paths to each destination. Search threads fill it together.
#[derive(Debug)]
pub(super) struct EgressTable {
    key: TableKey,
    cells: StopCells,
    paths: Vec<OnceLock<EgressPaths>>,
    /// Destinations that some thread has started.
    taken: AtomicUsize,
    path_count: AtomicUsize,
}

impl EgressTable {
    /// An empty table.
    pub(super) fn new(key: TableKey, stops: &Stops) -> EgressTable {
        let paths = key.destinations.iter().map(|_| OnceLock::new()).collect();
        let (taken, path_count) = (AtomicUsize::new(0), AtomicUsize::new(0));
        EgressTable { key, cells: StopCells::new(stops), paths, taken, path_count }
    }

    /// Whether the table holds these paths.
    pub(super) fn is_of(&self, key: &TableKey) -> bool {
        self.key == *key
    }

    /// Lowers a row of times where one of these paths is quicker, given when each stop is reached.
    pub(super) fn lower(&self, row: &mut [i32], arrivals: &[i32]) {
        let soonest = self.cells.soonest(arrivals);
        for (best, paths) in row.iter_mut().zip(&self.paths) {
            if let Some(paths) = paths.get() {
                *best = paths.soonest(arrivals, &soonest, *best);
            }
        }
    }

    /// Searches the paths that are missing, together with other threads that do so at the same time.
    ///
    /// # Errors
    /// [`AnalysisError`]: stopped, or there are too many paths.
    pub(super) fn fill(
        &self,
        search: &EarliestSearch<'_>,
        memory: &mut StreetSearch,
    ) -> Result<(), AnalysisError> {
        loop {
            let destination = self.taken.fetch_add(1, Ordering::Relaxed);
            if destination >= self.paths.len() {
                break;
            }
            self.search(destination, search, memory)?;
        }
        // Destinations that another thread has started but not finished, or has given up.
        for destination in 0..self.paths.len() {
            self.search(destination, search, memory)?;
        }
        Ok(())
    }

    fn search(
        &self,
        destination: usize,
        search: &EarliestSearch<'_>,
        memory: &mut StreetSearch,
    ) -> Result<(), AnalysisError> {
        if self.paths[destination].get().is_some() {
            return Ok(());
        }
        search.deadline.check()?;
        let joined = &self.key.destinations[destination];
        let starts = search.starts_from(joined, true, memory)?;
        let streets = search.streets_to(memory, &starts, self.key.max_seconds)?;
        let mut paths = Vec::new();
        search.each_stop_to(&streets, |stop, seconds| paths.push(EgressPath { stop: stop.0, seconds }));
        let edges = search.station_edges(Direction::Backward);
        let at_stops = joined.stops().iter().flat_map(|&stop| edges.with_others(stop));
        paths.extend(at_stops.map(|stop| EgressPath { stop: stop.0, seconds: 0 }));
        let count = self.path_count.fetch_add(paths.len(), Ordering::Relaxed) + paths.len();
        if count > MAX_PATHS {
            let text = format!(
                "the destinations have more than {MAX_PATHS} egress paths: take fewer of them, or a smaller \
                 maxWalkDistance"
            );
            return Err(AnalysisError::TooLarge(text));
        }
        // Another thread may have been quicker; its paths are the same.
        let _ = self.paths[destination].set(EgressPaths::new(paths, &self.cells));
        Ok(())
    }
}

/// The request without what makes no difference to egress. Turn restrictions, which apply to everyone
/// but pedestrians, may depend on the time.
fn timeless(request: &RoutingRequest) -> RoutingRequest {
    let [_, from_transit] = StreetMode::of(request).around_transit(request.direction);
    let on_foot = from_transit == StreetMode::Walk;
    RoutingRequest {
        from: PlaceRequest::default(),
        to: PlaceRequest::default(),
        epoch_seconds: if on_foot { 0 } else { request.epoch_seconds },
        ..request.clone()
    }
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
    fn the_time_matters_to_egress_in_a_vehicle() {
        let [forward, backward] = [Direction::Forward, Direction::Backward];
        for (car_park, direction, matters) in
            [(true, forward, false), (true, backward, true), (false, backward, false)]
        {
            let request = RoutingRequest { car_park, direction, ..RoutingRequest::default() };
            let times = [8, 9]
                .map(|hour| timeless(&RoutingRequest { epoch_seconds: hour * 3600, ..request.clone() }));
            assert_eq!(times[0] != times[1], matters, "{car_park} {direction:?}");
        }
    }

    #[test]
    fn the_soonest_of_all_paths_is_found() {
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
            let paths: Vec<EgressPath> = (0..next(60))
                .map(|_| EgressPath { stop: next(count as u64) as u32, seconds: next(1500) as i32 })
                .collect();
            let best = if next(2) == 0 { UNREACHED } else { next(4000) as i32 };
            let by = |path: &EgressPath| arrivals[path.stop as usize].saturating_add(path.seconds);
            let expected = paths.iter().map(by).fold(best, i32::min);
            let found = EgressPaths::new(paths, &cells).soonest(&arrivals, &cells.soonest(&arrivals), best);
            assert_eq!(found, expected);
        }
    }
}
