//! Times from one place to every street vertex, for all departures of a window in one search. A time begins at the
//! departure, so it includes the wait for the first vehicle.
//!
//! Departures are searched from the last to the first (arrivals from the first to the last). A traveller who departs
//! earlier can wait for a later departure, so each search only continues where it improves on the previous ones.
//! Vehicles come from [`trestle_transit::raptor::range`]; all walks after them share one memory.

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;
use trestle_model::geo::LatLon;
use trestle_model::ids::{StopIdx, VertexIdx};
use trestle_street::cost::StreetMode;
use trestle_street::search::{StreetQuery, StreetSearch, TreeStart};
use trestle_transit::raptor::{Departures, Endpoint, UNREACHED};

use super::earliest::EarliestSearch;
use super::street_times::StreetTimes;
use super::window_times::WindowScratch;
pub use super::window_times::{NOT_REACHED, WindowTimes};
use crate::error::AnalysisError;
use crate::scratch::Scratch;

/// Window and longest time together must stay below this, seconds: times are kept in 16 bits.
const LONGEST_CLOCK: i64 = 32_700;

/// Largest product of the departures and the vertices that they reach; limits memory to twice as many bytes.
const MOST_VALUES: usize = 100_000_000;

/// Departures every `step` seconds from the request's time on (backward: arrivals).
#[derive(Clone, Copy, Debug)]
pub struct WindowQuery<'a> {
    /// Place, first time and everything else.
    pub request: &'a RoutingRequest,
    /// The place; the position of the request's start (backward: of its destination).
    pub center: LatLon,
    /// Seconds between departures.
    pub step: i32,
    /// Number of departures.
    pub count: usize,
    /// Longest time, seconds.
    pub max_seconds: i32,
    /// Longest time between the place and stops, seconds.
    pub max_stop_seconds: i32,
}

/// Searches from the centre to every street vertex for each departure.
///
/// # Errors
/// [`AnalysisError`]: no street near, a window that is too long or too large, or stopped.
pub fn window_times<'s>(
    snapshot: &Snapshot,
    query: &WindowQuery<'_>,
    scratch: &'s mut Scratch,
    deadline: &Deadline,
) -> Result<&'s WindowTimes, AnalysisError> {
    let search = WindowSearch::new(snapshot, query, deadline)?;
    let Scratch { access, egress, window, .. } = scratch;
    window.reset(snapshot.graph.street.vertex_count(), query.count);
    let single = &search.single;
    let center = single.joined(query.center)?;
    let (streets, mut near) = single.around(Some(&center), query.max_seconds, access, egress)?;
    for vertex in streets.reached() {
        if let Some(seconds) = streets.seconds(vertex) {
            window.reach_alone(vertex, seconds);
        }
    }
    near.retain(|endpoint| endpoint.seconds <= query.max_stop_seconds);
    if near.is_empty() {
        for index in 0..query.count {
            search.write_times(index, 0, window)?;
        }
    } else {
        search.search_timetable(&near, &streets, egress, window)?;
    }
    Ok(&window.times)
}

struct WindowSearch<'a> {
    /// The search of a single departure.
    single: EarliestSearch<'a>,
    query: &'a WindowQuery<'a>,
}

impl<'a> WindowSearch<'a> {
    fn new(
        snapshot: &'a Snapshot,
        query: &'a WindowQuery<'a>,
        deadline: &'a Deadline,
    ) -> Result<Self, AnalysisError> {
        let span = i64::from(query.step) * query.count as i64;
        if query.step < 1 || query.count < 1 || query.max_seconds < 0 {
            return Err(AnalysisError::Invalid("window: there are no departures in it".to_owned()));
        }
        if span + i64::from(query.max_seconds) > LONGEST_CLOCK {
            let text =
                format!("window and cutoffMinutes together may be at most {} minutes", LONGEST_CLOCK / 60);
            return Err(AnalysisError::Invalid(text));
        }
        let single = EarliestSearch::new(snapshot, query.request, query.max_seconds, deadline)?;
        Ok(WindowSearch { single, query })
    }

    /// Writes the times of a departure at `start` on the clock.
    fn write_times(&self, index: usize, start: i32, window: &mut WindowScratch) -> Result<(), AnalysisError> {
        let vertices = window.times.vertices().len();
        if vertices.saturating_mul(self.query.count) > MOST_VALUES {
            let text = format!("{} departures to {vertices} vertices are too many", self.query.count);
            return Err(AnalysisError::TooLarge(text));
        }
        window.write_times(index, start as i16, self.query.max_seconds);
        Ok(())
    }

    /// Searches the timetable from every departure, continues on the streets and writes the times.
    fn search_timetable(
        &self,
        near: &[Endpoint],
        streets: &StreetTimes<'_>,
        memory: &mut StreetSearch,
        window: &mut WindowScratch,
    ) -> Result<(), AnalysisError> {
        let departures = Departures { step: self.query.step, count: self.query.count };
        let mut egress =
            EgressSearch { search: self, streets, memory, left: Vec::new(), begun: false, failed: None };
        let mut range = std::mem::take(&mut window.range);
        let ridden = self.single.search_timetable(near, departures, &mut range, |departure| {
            egress.continue_from_stops(departure.index, departure.seconds, window);
        });
        let failed = egress.failed;
        window.range = range;
        failed.map_or(ridden, Err)
    }

    /// A departure's seconds on the clock; the one searched last is at 0.
    fn start_on_clock(&self, index: usize) -> i32 {
        let steps = self.query.request.direction.pick(index, self.query.count - 1 - index);
        self.query.step * steps as i32
    }
}

/// Continues from stops on the streets, departure by departure.
struct EgressSearch<'a> {
    search: &'a WindowSearch<'a>,
    /// Times on streets alone.
    streets: &'a StreetTimes<'a>,
    memory: &'a mut StreetSearch,
    /// When each stop was left in the departures so far, on the clock.
    left: Vec<i32>,
    begun: bool,
    failed: Option<AnalysisError>,
}

impl EgressSearch<'_> {
    fn continue_from_stops(&mut self, index: usize, seconds: &[i32], window: &mut WindowScratch) {
        if self.failed.is_some() {
            return;
        }
        let start = self.search.start_on_clock(index);
        let starts = self.improved_starts(start, seconds);
        let single = &self.search.single;
        let longest = start + self.search.query.max_seconds;
        let query = single.street_query(&single.costs.from_transit, longest);
        let found = if query.costs.street_mode == StreetMode::Walk {
            self.egress_on_foot(&query, start, &starts, window)
        } else {
            self.egress_by_other_modes(&query, &starts, window)
        };
        self.failed = found.and_then(|()| self.search.write_times(index, start, window)).err();
    }

    /// The street vertices of stops that this departure reaches earlier than previous ones, and earlier than on streets
    /// alone.
    fn improved_starts(&mut self, start: i32, seconds: &[i32]) -> Vec<TreeStart> {
        let single = &self.search.single;
        let graph = &single.snapshot.graph;
        self.left.resize(seconds.len(), i32::MAX);
        let ridden = single.left_at(seconds);
        let mut starts = Vec::new();
        for link in graph.street.stop_links.iter() {
            let ridden = match ridden.get(link.stop as usize) {
                Some(&(ridden, _)) if ridden != UNREACHED => ridden,
                _ => continue,
            };
            let taken = ridden + graph.stop_link_seconds(StopIdx(link.stop));
            let vertex = VertexIdx(link.vertex);
            let streets_only = || self.streets.seconds(vertex).unwrap_or(i32::MAX);
            let improves = !single.ends_alike() || taken < streets_only();
            if start + ridden < self.left[link.stop as usize] && improves {
                let seconds = start + taken;
                starts.push(TreeStart { vertex, seconds, weight: f64::from(seconds), walk_distance: 0.0 });
            }
        }
        for (left, (ridden, _)) in self.left.iter_mut().zip(ridden) {
            if ridden != UNREACHED {
                *left = (*left).min(start + ridden);
            }
        }
        starts
    }

    fn egress_on_foot(
        &mut self,
        query: &StreetQuery<'_>,
        start: i32,
        starts: &[TreeStart],
        window: &mut WindowScratch,
    ) -> Result<(), AnalysisError> {
        let direction = self.search.single.request.direction;
        if !std::mem::replace(&mut self.begun, true) {
            self.memory.walk_times(query, &[], direction)?;
        }
        // Nothing is gained by continuing from where the streets alone lead at least as early.
        let streets_only = |vertex| {
            let seconds = self.streets.seconds(VertexIdx(vertex));
            seconds.map_or(u32::MAX, |seconds| (start + seconds) as u32)
        };
        let times = self.memory.continue_below(query, starts, streets_only, direction)?;
        times.improved().for_each(|(vertex, seconds)| window.reach(vertex, seconds as i32));
        Ok(())
    }

    /// A separate search from the improved vertices.
    fn egress_by_other_modes(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
        window: &mut WindowScratch,
    ) -> Result<(), AnalysisError> {
        let tree = self.memory.tree_from_transit(query, starts, self.search.single.request.direction)?;
        for (vertex, reached) in tree.iter() {
            window.reach(vertex, reached.seconds);
        }
        Ok(())
    }
}
