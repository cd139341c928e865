//! From one place to everywhere for every departure of a window, in one go: what each street vertex takes from each
//! departure on, waiting for the first vehicle included.
//!
//! Departures are searched from the last to the first (arrivals from the first to the last). Whatever a later one
//! reaches an earlier one reaches at the same time by waiting, so that each of them only searches what it makes
//! better. The vehicles are those of [`trestle_transit::raptor::range`]; the walks behind them go on in one memory.

use trestle_model::geo::LatLon;
use trestle_model::ids::{StopIdx, VertexIdx};
use trestle_model::{Mode, RoutingRequest};
use trestle_street::cost::{Journey, StreetCosts, StreetLimits};
use trestle_street::search::{
    Direction, Interrupted, Objective, StreetQuery, StreetSearch, TreeStart, WalkBar,
};
use trestle_transit::raptor::{Endpoint, RangeQuery, RangeScratch, StopSignal, UNREACHED, range};

use super::error::AnalysisError;
use super::place;
use super::search::{by_time_alone, check};
use crate::deadline::Deadline;
use crate::scratch::Scratch;
use crate::snapshot::Snapshot;

/// Seconds to a vertex that a departure does not reach.
pub const NOT_REACHED: i16 = i16::MAX;

/// Window and longest time together must stay below this, seconds: times are kept in 16 bits.
const LONGEST_CLOCK: i64 = 32_700;

/// Most departures times vertices of one window; bounds memory to twice as many bytes.
const MOST_VALUES: usize = 100_000_000;

/// Departures every `step` seconds from the request's time on (with `arrive_by`: arrivals).
#[derive(Clone, Copy, Debug)]
pub struct WindowQuery<'a> {
    /// Place, first time and everything else.
    pub request: &'a RoutingRequest,
    /// The place; the position of the request's start, or of its destination with `arrive_by`.
    pub center: LatLon,
    /// Seconds between departures.
    pub step: i32,
    /// Number of departures.
    pub count: usize,
    /// Longest time, seconds.
    pub max_seconds: i32,
    /// Longest way between the place and stops, seconds.
    pub max_stop_seconds: i32,
}

/// Times of every departure to every vertex.
#[derive(Debug, Default)]
pub struct WindowTimes {
    vertices: usize,
    /// Departure by departure: seconds to each vertex, or [`NOT_REACHED`].
    seconds: Vec<i16>,
}

impl WindowTimes {
    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// Number of departures.
    pub fn departures(&self) -> usize {
        self.seconds.len().checked_div(self.vertices).unwrap_or(0)
    }

    /// Seconds from a departure to each vertex, or [`NOT_REACHED`].
    pub fn departure(&self, index: usize) -> &[i16] {
        &self.seconds[index * self.vertices..(index + 1) * self.vertices]
    }

    fn reset(&mut self, vertices: usize, departures: usize) {
        self.vertices = vertices;
        self.seconds.clear();
        self.seconds.resize(vertices * departures, NOT_REACHED);
    }
}

/// Memory of window searches, one per worker.
#[derive(Debug, Default)]
pub(crate) struct WindowScratch {
    range: RangeScratch,
    /// Seconds on streets alone to each vertex, `u32::MAX` where not reached.
    alone: Vec<u32>,
    /// The same in 16 bits.
    alone_short: Vec<i16>,
    /// Behind vehicles: seconds of the clock that runs from the first departure.
    clock: Vec<i16>,
    times: WindowTimes,
}

/// Searches from the centre to every street vertex for each departure.
///
/// # Errors
/// [`AnalysisError`]: no street near, outside the period of the data, a window that is too long or too large, or
/// stopped.
pub fn window_times<'s>(
    snapshot: &Snapshot,
    query: &WindowQuery<'_>,
    scratch: &'s mut Scratch,
    deadline: &Deadline,
) -> Result<&'s WindowTimes, AnalysisError> {
    let search = WindowSearch::new(snapshot, query, deadline)?;
    let Scratch { access, egress, window, .. } = scratch;
    window.times.reset(snapshot.graph.street.vertex_count(), query.count);
    let near = search.leave(access, window)?;
    if near.is_empty() || !search.request.uses_transit() {
        for index in 0..query.count {
            window.tell(index, 0, search.query.max_seconds);
        }
    } else {
        search.ride(&near, egress, window)?;
    }
    Ok(&window.times)
}

impl WindowScratch {
    fn reset(&mut self, vertices: usize) {
        self.alone.clear();
        self.alone.resize(vertices, u32::MAX);
        self.alone_short.clear();
        self.alone_short.resize(vertices, NOT_REACHED);
        self.clock.clear();
        self.clock.resize(vertices, NOT_REACHED);
    }

    /// Writes the times of a departure at `start` of the clock.
    fn tell(&mut self, index: usize, start: i16, max_seconds: i32) {
        let vertices = self.times.vertices;
        let row = &mut self.times.seconds[index * vertices..(index + 1) * vertices];
        let longest = max_seconds.min(i32::from(NOT_REACHED) - 1) as i16;
        for ((told, &alone), &clock) in row.iter_mut().zip(&self.alone_short).zip(&self.clock) {
            let seconds = clock.saturating_sub(start).min(alone);
            *told = if seconds > longest { NOT_REACHED } else { seconds };
        }
    }
}

struct WindowSearch<'a> {
    snapshot: &'a Snapshot,
    query: &'a WindowQuery<'a>,
    request: RoutingRequest,
    direction: Direction,
    before: StreetCosts,
    after: StreetCosts,
    deadline: &'a Deadline,
}

impl<'a> WindowSearch<'a> {
    fn new(
        snapshot: &'a Snapshot,
        query: &'a WindowQuery<'a>,
        deadline: &'a Deadline,
    ) -> Result<Self, AnalysisError> {
        let request = by_time_alone(query.request);
        check(snapshot, &request)?;
        let span = i64::from(query.step) * query.count as i64;
        if query.step < 1 || query.count < 1 || query.max_seconds < 0 {
            return Err(AnalysisError::Invalid("window: there must be departures".to_owned()));
        }
        if span + i64::from(query.max_seconds) > LONGEST_CLOCK {
            let text =
                format!("window and cutoffMinutes together are more than {} minutes", LONGEST_CLOCK / 60);
            return Err(AnalysisError::Invalid(text));
        }
        let vertices = snapshot.graph.street.vertex_count();
        if vertices.saturating_mul(query.count) > MOST_VALUES {
            let text = format!("{} departures to {vertices} vertices are too many", query.count);
            return Err(AnalysisError::TooLarge(text));
        }
        let before = StreetCosts::from_request(&request, snapshot.utc_offset(request.epoch_seconds));
        let after = before.for_journey(before.journey.behind_transit());
        let direction = if request.arrive_by { Direction::Backward } else { Direction::Forward };
        Ok(WindowSearch { snapshot, query, request, direction, before, after, deadline })
    }

    fn street_query<'q>(
        &'q self,
        costs: &'q StreetCosts,
        max_seconds: i32,
        interrupted: &'q dyn Fn() -> bool,
    ) -> StreetQuery<'q> {
        StreetQuery {
            stations: Some(&self.snapshot.rental),
            limits: StreetLimits { max_seconds, ..StreetLimits::default() },
            objective: Objective::Time,
            interrupted,
            ..StreetQuery::new(&self.snapshot.graph.street, costs)
        }
    }

    /// Reaches vertices and stops on streets alone.
    fn leave(
        &self,
        memory: &mut StreetSearch,
        window: &mut WindowScratch,
    ) -> Result<Vec<Endpoint>, AnalysisError> {
        window.reset(self.snapshot.graph.street.vertex_count());
        let starts = self.starts()?;
        let interrupted = || self.deadline.passed();
        let query = self.street_query(&self.before, self.query.max_seconds, &interrupted);
        let vertices = 0..self.snapshot.graph.street.vertex_count() as u32;
        if self.before.journey == Journey::Walk {
            let times = memory.walk_times(&query, &starts, self.direction).map_err(stopped)?;
            vertices.for_each(|v| window.alone[v as usize] = times.seconds(VertexIdx(v)).unwrap_or(u32::MAX));
        } else {
            let tree = memory.tree(&query, &starts, self.direction).map_err(stopped)?;
            tree.iter().for_each(|(v, reached)| window.alone[v.index()] = reached.seconds.max(0) as u32);
        }
        for (short, &seconds) in window.alone_short.iter_mut().zip(&window.alone) {
            *short = i16::try_from(seconds).unwrap_or(NOT_REACHED);
        }
        Ok(self.stops_near(&window.alone))
    }

    /// A straight walk to the nearest nodes.
    fn starts(&self) -> Result<Vec<TreeStart>, AnalysisError> {
        let nearest = place::link(&self.snapshot.graph, self.query.center, self.request.arrive_by)?;
        let start = |(vertex, metres): (VertexIdx, f64)| {
            let seconds = (metres / self.request.walk_speed) as i32;
            TreeStart { vertex, seconds, weight: f64::from(seconds), walk_distance: metres }
        };
        Ok(nearest.into_iter().map(start).collect())
    }

    fn link_seconds(&self, stop: u32) -> i32 {
        let access = &self.snapshot.graph.facts.stop_access_seconds;
        1 + access.get(stop as usize).copied().unwrap_or(0) as i32
    }

    /// The stops within the longest way to one.
    fn stops_near(&self, alone: &[u32]) -> Vec<Endpoint> {
        let mut near: Vec<Endpoint> = Vec::new();
        for link in self.snapshot.graph.street.stop_links.iter() {
            let Ok(reached) = i32::try_from(alone[link.vertex as usize]) else { continue };
            let seconds = reached + self.link_seconds(link.stop);
            let endpoint = Endpoint { stop: StopIdx(link.stop), seconds, cost: f64::from(seconds) };
            match near.last_mut() {
                Some(last) if last.stop == endpoint.stop => {
                    if seconds < last.seconds {
                        *last = endpoint;
                    }
                }
                _ => near.push(endpoint),
            }
        }
        near.retain(|endpoint| endpoint.seconds <= self.query.max_stop_seconds);
        near
    }

    /// Rides from every departure, walks on and tells the times.
    fn ride(
        &self,
        near: &[Endpoint],
        memory: &mut StreetSearch,
        window: &mut WindowScratch,
    ) -> Result<(), AnalysisError> {
        let request = &self.request;
        let service = self.snapshot.service_window(request.epoch_seconds, request.ignore_realtime);
        let deadlines = self.deadline.per_itinerary(&[]);
        let query = RangeQuery {
            request,
            near,
            bike_aboard: request.start_mode() == Mode::Bicycle && !request.bike_park && !request.bike_rental,
            first: request.epoch_seconds,
            step: self.query.step,
            count: self.query.count,
            max_seconds: self.query.max_seconds,
            by_time_alone: false,
            stop: StopSignal { deadlines: &deadlines, cancelled: self.deadline.flag() },
        };
        let mut walker = Walker { search: self, memory, left: Vec::new(), begun: false, failed: None };
        let WindowScratch { range: range_memory, .. } = window;
        let mut range_memory = std::mem::take(range_memory);
        let timetable = &self.snapshot.graph.timetable;
        let complete = range(timetable, &service, &query, &mut range_memory, &mut |departure| {
            walker.walk_on(departure.index, departure.seconds, window);
        });
        let failed = walker.failed;
        window.range = range_memory;
        match failed {
            Some(error) => Err(error),
            None if !complete => Err(AnalysisError::Stopped),
            None => Ok(()),
        }
    }

    /// When a departure is on the clock, seconds; that of the one searched last is 0.
    fn start_on_clock(&self, index: usize) -> i32 {
        let steps = if self.request.arrive_by { self.query.count - 1 - index } else { index };
        self.query.step * steps as i32
    }
}

fn stopped(_: Interrupted) -> AnalysisError {
    AnalysisError::Stopped
}

/// Walks on from stops, departure by departure.
struct Walker<'a> {
    search: &'a WindowSearch<'a>,
    memory: &'a mut StreetSearch,
    /// When each stop was left by the departures so far, on the clock.
    left: Vec<i32>,
    begun: bool,
    failed: Option<AnalysisError>,
}

impl Walker<'_> {
    fn walk_on(&mut self, index: usize, seconds: &[i32], window: &mut WindowScratch) {
        if self.failed.is_some() {
            return;
        }
        let start = self.search.start_on_clock(index);
        let starts = self.improved_starts(start, seconds, &window.alone);
        let found = if self.search.after.journey == Journey::Walk {
            self.walk(start, &starts, window)
        } else {
            self.cycle(start, &starts, window)
        };
        self.failed = found.err();
        window.tell(index, start as i16, self.search.query.max_seconds);
    }

    /// The street vertices of stops that this departure reaches earlier than those before, and earlier than on
    /// streets alone.
    fn improved_starts(&mut self, start: i32, seconds: &[i32], alone: &[u32]) -> Vec<TreeStart> {
        self.left.resize(seconds.len(), i32::MAX);
        let mut starts = Vec::new();
        for link in self.search.snapshot.graph.street.stop_links.iter() {
            let ridden = match seconds.get(link.stop as usize) {
                Some(&ridden) if ridden != UNREACHED => ridden,
                _ => continue,
            };
            let taken = ridden + self.search.link_seconds(link.stop);
            if start + ridden < self.left[link.stop as usize] && (taken as u32) < alone[link.vertex as usize]
            {
                let seconds = start + taken;
                let vertex = VertexIdx(link.vertex);
                starts.push(TreeStart { vertex, seconds, weight: f64::from(seconds), walk_distance: 0.0 });
            }
        }
        for (left, &ridden) in self.left.iter_mut().zip(seconds).filter(|(_, ridden)| **ridden != UNREACHED) {
            *left = (*left).min(start + ridden);
        }
        starts
    }

    fn walk(
        &mut self,
        start: i32,
        starts: &[TreeStart],
        window: &mut WindowScratch,
    ) -> Result<(), AnalysisError> {
        let search = self.search;
        let interrupted = || search.deadline.passed();
        let query = search.street_query(&search.after, start + search.query.max_seconds, &interrupted);
        if !std::mem::replace(&mut self.begun, true) {
            self.memory.walk_times(&query, &[], search.direction).map_err(stopped)?;
        }
        let bar = WalkBar { seconds: &window.alone, later: start as u32 };
        let times = self.memory.walk_on_below(&query, starts, bar, search.direction).map_err(stopped)?;
        for (vertex, seconds) in times.improved() {
            window.clock[vertex.index()] = seconds as i16;
        }
        Ok(())
    }

    /// Other means than walking: a search of its own for what became better.
    fn cycle(
        &mut self,
        start: i32,
        starts: &[TreeStart],
        window: &mut WindowScratch,
    ) -> Result<(), AnalysisError> {
        let search = self.search;
        let interrupted = || search.deadline.passed();
        let query = search.street_query(&search.after, start + search.query.max_seconds, &interrupted);
        let tree = self.memory.tree(&query, starts, search.direction).map_err(stopped)?;
        for (vertex, reached) in tree.iter() {
            let clock = &mut window.clock[vertex.index()];
            *clock = (*clock).min(i16::try_from(reached.seconds).unwrap_or(NOT_REACHED));
        }
        Ok(())
    }
}
