//! Earliest arrivals: from one place to everywhere by time alone, with no limit on transfers and costs.

use trestle_model::geo::LatLon;
use trestle_model::ids::{StopIdx, VertexIdx};
use trestle_model::{Mode, RoutingRequest};
use trestle_street::cost::{Journey, StreetCosts, StreetLimits};
use trestle_street::search::{
    Direction, Interrupted, NO_START, Objective, StreetQuery, StreetSearch, StreetTree, TreeStart, WalkTimes,
};
use trestle_transit::raptor::{Departure, Endpoint, RangeQuery, RangeScratch, StopSignal, UNREACHED, range};

use super::error::AnalysisError;
use super::place;
use crate::deadline::Deadline;
use crate::scratch::Scratch;
use crate::snapshot::Snapshot;

/// Vehicles changed at most; searches end long before when there is nothing more to gain.
const MAX_TRANSFERS: i32 = 12;

/// A search by time alone.
pub struct EarliestSearch<'a> {
    snapshot: &'a Snapshot,
    request: RoutingRequest,
    direction: Direction,
    max_seconds: i32,
    before: StreetCosts,
    after: StreetCosts,
}

/// What it takes to get to each street vertex (or from each, with `arrive_by`).
#[derive(Clone, Debug, Default)]
pub struct EarliestArrivals {
    /// Seconds, or [`UNREACHED`].
    pub seconds: Vec<i32>,
    /// Seconds of these spent waiting for the first vehicle.
    pub initial_waits: Vec<i32>,
}

/// Seconds on the streets alone.
pub enum StreetTimes<'s> {
    /// On foot.
    Walk(WalkTimes<'s>),
    /// By anything else.
    Other(StreetTree<'s>),
}

impl StreetTimes<'_> {
    /// Seconds to (from) a vertex; `None` when it was not reached.
    #[inline]
    pub fn seconds(&self, vertex: VertexIdx) -> Option<i32> {
        match self {
            StreetTimes::Walk(times) => times.seconds(vertex).map(|seconds| seconds as i32),
            StreetTimes::Other(tree) => tree.get(vertex).map(|reached| reached.seconds),
        }
    }
}

/// From where a traveller that left a vehicle goes on, and how long the first vehicle was waited for.
struct AfterTransit {
    starts: Vec<TreeStart>,
    initial_waits: Vec<i32>,
}

impl<'a> EarliestSearch<'a> {
    /// A search at the request's time. `max_seconds` is the longest time with the wait for the first vehicle.
    ///
    /// # Errors
    /// [`AnalysisError`]: speeds that are none, or a time outside the period of the data.
    pub fn new(
        snapshot: &'a Snapshot,
        request: &RoutingRequest,
        max_seconds: i32,
    ) -> Result<EarliestSearch<'a>, AnalysisError> {
        super::search::check(snapshot, request)?;
        let request = RoutingRequest { max_transfers: MAX_TRANSFERS, ..request.clone() };
        let before = StreetCosts::from_request(&request, snapshot.utc_offset(request.epoch_seconds));
        let after = before.for_journey(before.journey.behind_transit());
        let direction = if request.arrive_by { Direction::Backward } else { Direction::Forward };
        Ok(EarliestSearch { snapshot, request, direction, max_seconds, before, after })
    }

    /// What it takes to get from (to, with `arrive_by`) a place to every street vertex.
    ///
    /// # Errors
    /// [`AnalysisError`]: no street near, or stopped.
    pub fn everywhere(
        &self,
        center: LatLon,
        scratch: &mut Scratch,
        deadline: &Deadline,
    ) -> Result<EarliestArrivals, AnalysisError> {
        let Scratch { access, egress, range, .. } = scratch;
        let streets = self.streets(access, center, self.max_seconds, deadline)?;
        let near = self.stops_near(&streets);
        let mut behind = None;
        if !near.is_empty() {
            self.ride(&near, range, deadline, |departure| {
                behind = Some(self.leave_transit(departure, &streets));
            })?;
        }
        match (behind, streets) {
            (None, streets) => Ok(self.collect(&streets)),
            (Some(behind), StreetTimes::Walk(times)) => {
                let first = times.starts();
                self.walk_on(&behind, first, access, deadline)
            }
            (Some(behind), streets) => self.merge(&behind, self.collect(&streets), egress, deadline),
        }
    }

    /// Walking speed, m/s.
    pub fn walk_speed(&self) -> f64 {
        self.request.walk_speed
    }

    /// Seconds on the streets alone from (to) a place, at most `max_seconds`.
    ///
    /// # Errors
    /// [`AnalysisError`]: no street near, or stopped.
    pub fn streets<'s>(
        &self,
        search: &'s mut StreetSearch,
        center: LatLon,
        max_seconds: i32,
        deadline: &Deadline,
    ) -> Result<StreetTimes<'s>, AnalysisError> {
        let start = |(vertex, metres): (VertexIdx, f64)| {
            let seconds = (metres / self.request.walk_speed) as i32;
            TreeStart { vertex, seconds, weight: f64::from(seconds), walk_distance: metres }
        };
        let linked = place::link(&self.snapshot.graph, center, self.request.arrive_by)?;
        let starts: Vec<TreeStart> = linked.into_iter().map(start).collect();
        self.street_times(search, &self.before, &starts, self.direction, max_seconds, deadline)
    }

    /// Seconds on the streets behind transit to all vertices (from all, with `arrive_by`), searched from the far side.
    ///
    /// # Errors
    /// [`AnalysisError::Stopped`].
    pub fn streets_to<'s>(
        &self,
        search: &'s mut StreetSearch,
        starts: &[TreeStart],
        max_seconds: i32,
        deadline: &Deadline,
    ) -> Result<StreetTimes<'s>, AnalysisError> {
        let direction = match self.direction {
            Direction::Forward => Direction::Backward,
            Direction::Backward => Direction::Forward,
        };
        self.street_times(search, &self.after, starts, direction, max_seconds, deadline)
    }

    fn street_times<'s>(
        &self,
        search: &'s mut StreetSearch,
        costs: &StreetCosts,
        starts: &[TreeStart],
        direction: Direction,
        max_seconds: i32,
        deadline: &Deadline,
    ) -> Result<StreetTimes<'s>, AnalysisError> {
        let interrupted = || deadline.passed();
        let query = self.street_query(costs, max_seconds, &interrupted);
        let found = match costs.journey {
            Journey::Walk => search.walk_times(&query, starts, direction).map(StreetTimes::Walk),
            _ => search.tree(&query, starts, direction).map(StreetTimes::Other),
        };
        found.map_err(|Interrupted| AnalysisError::Stopped)
    }

    fn street_query<'q>(
        &'q self,
        costs: &'q StreetCosts,
        max_seconds: i32,
        interrupted: &'q dyn Fn() -> bool,
    ) -> StreetQuery<'q> {
        let limits = StreetLimits {
            max_pre_transit_seconds: self.request.max_pre_transit_time,
            max_seconds,
            ..StreetLimits::default()
        };
        StreetQuery {
            stations: Some(&self.snapshot.rental),
            limits,
            objective: Objective::Time,
            interrupted,
            ..StreetQuery::new(&self.snapshot.graph.street, costs)
        }
    }

    /// The quickest way to each stop on streets; none without transit modes.
    pub fn stops_near(&self, streets: &StreetTimes<'_>) -> Vec<Endpoint> {
        let mut near: Vec<Endpoint> = Vec::new();
        if !self.request.uses_transit() {
            return near;
        }
        self.each_stop(streets, |stop, seconds| near.push(Endpoint { stop, seconds, cost: 0.0 }));
        near
    }

    /// Calls `each` with every stop within reach and the least seconds to (from) it; with stops that others of their
    /// station lead to more than once.
    pub fn each_stop(&self, streets: &StreetTimes<'_>, mut each: impl FnMut(StopIdx, i32)) {
        let mut best: Option<(u32, i32)> = None;
        let graph = &self.snapshot.graph;
        let mut tell = |stop: u32, least: i32| {
            each(StopIdx(stop), least);
            graph.station_mates(StopIdx(stop)).for_each(|mate| each(mate, least));
        };
        for link in self.snapshot.graph.street.stop_links.iter() {
            let Some(seconds) = streets.seconds(VertexIdx(link.vertex)) else { continue };
            let seconds = seconds + self.link_seconds(link.stop);
            match &mut best {
                Some((stop, least)) if *stop == link.stop => *least = seconds.min(*least),
                _ => {
                    if let Some((stop, least)) = best.replace((link.stop, seconds)) {
                        tell(stop, least);
                    }
                }
            }
        }
        if let Some((stop, least)) = best {
            tell(stop, least);
        }
    }

    fn link_seconds(&self, stop: u32) -> i32 {
        let access = &self.snapshot.graph.facts.stop_access_seconds;
        1 + access.get(stop as usize).copied().unwrap_or(0) as i32
    }

    /// Searches the timetable from stops near the place and calls `each` with what is reached.
    ///
    /// # Errors
    /// [`AnalysisError::Stopped`].
    pub fn ride(
        &self,
        near: &[Endpoint],
        scratch: &mut RangeScratch,
        deadline: &Deadline,
        mut each: impl FnMut(&Departure<'_>),
    ) -> Result<(), AnalysisError> {
        let request = &self.request;
        let window = self.snapshot.service_window(request.epoch_seconds, request.ignore_realtime);
        let deadlines = deadline.per_itinerary(&[]);
        let query = RangeQuery {
            request,
            near,
            bike_aboard: request.start_mode() == Mode::Bicycle && !request.bike_park && !request.bike_rental,
            first: request.epoch_seconds,
            step: 1,
            count: 1,
            max_seconds: self.max_seconds,
            stop: StopSignal { deadlines: &deadlines, cancelled: deadline.flag() },
        };
        let complete =
            range(&self.snapshot.graph.timetable, &window, &query, scratch, &mut |found| each(&found));
        if complete { Ok(()) } else { Err(AnalysisError::Stopped) }
    }

    /// Where transit lets go on sooner than the streets alone.
    fn leave_transit(&self, departure: &Departure<'_>, streets: &StreetTimes<'_>) -> AfterTransit {
        let mut behind = AfterTransit { starts: Vec::new(), initial_waits: Vec::new() };
        for link in self.snapshot.graph.street.stop_links.iter() {
            let mates = self.snapshot.graph.station_mates(StopIdx(link.stop));
            let stops = std::iter::once(link.stop as usize).chain(mates.map(StopIdx::index));
            let arrivals = stops.filter_map(|stop| Some((*departure.seconds.get(stop)?, stop)));
            let Some((seconds, stop)) = arrivals.min().filter(|(seconds, _)| *seconds != UNREACHED) else {
                continue;
            };
            let (vertex, seconds) = (VertexIdx(link.vertex), seconds + self.link_seconds(link.stop));
            if streets.seconds(vertex).is_none_or(|walked| seconds < walked) {
                let start = TreeStart { vertex, seconds, weight: f64::from(seconds), walk_distance: 0.0 };
                behind.starts.push(start);
                behind.initial_waits.push(departure.initial_waits[stop]);
            }
        }
        behind
    }

    fn collect(&self, streets: &StreetTimes<'_>) -> EarliestArrivals {
        let vertices = self.snapshot.graph.street.vertex_count();
        let seconds = |v: usize| streets.seconds(VertexIdx(v as u32)).unwrap_or(UNREACHED);
        EarliestArrivals { seconds: (0..vertices).map(seconds).collect(), initial_waits: vec![0; vertices] }
    }

    /// Goes on from the walk around the place with what transit lets reach sooner; `first` is the number of the first
    /// start behind transit.
    fn walk_on(
        &self,
        behind: &AfterTransit,
        first: usize,
        access: &mut StreetSearch,
        deadline: &Deadline,
    ) -> Result<EarliestArrivals, AnalysisError> {
        let interrupted = || deadline.passed();
        let query = self.street_query(&self.after, self.max_seconds, &interrupted);
        let times = access
            .walk_on(&query, &behind.starts, self.direction)
            .map_err(|Interrupted| AnalysisError::Stopped)?;
        let wait = |start: usize| {
            start.checked_sub(first).and_then(|i| behind.initial_waits.get(i)).copied().unwrap_or(0)
        };
        let of = |v: usize| match times.get(VertexIdx(v as u32)) {
            Some((seconds, start)) => (seconds as i32, wait(start)),
            None => (UNREACHED, 0),
        };
        let (seconds, initial_waits) = (0..self.snapshot.graph.street.vertex_count()).map(of).unzip();
        Ok(EarliestArrivals { seconds, initial_waits })
    }

    /// Searches on from where transit was left, and takes what is reached sooner than on the streets alone.
    fn merge(
        &self,
        behind: &AfterTransit,
        mut arrivals: EarliestArrivals,
        egress: &mut StreetSearch,
        deadline: &Deadline,
    ) -> Result<EarliestArrivals, AnalysisError> {
        let mut wait_at = vec![0; arrivals.seconds.len()];
        let mut best_at = vec![UNREACHED; arrivals.seconds.len()];
        for (start, wait) in behind.starts.iter().zip(&behind.initial_waits) {
            let v = start.vertex.index();
            if start.seconds < best_at[v] {
                (best_at[v], wait_at[v]) = (start.seconds, *wait);
            }
        }
        let interrupted = || deadline.passed();
        let query = self.street_query(&self.after, self.max_seconds, &interrupted);
        let tree = egress
            .tree(&query, &behind.starts, self.direction)
            .map_err(|Interrupted| AnalysisError::Stopped)?;
        let start_of = tree.starts();
        for (vertex, reached) in tree.iter() {
            let v = vertex.index();
            if reached.seconds < arrivals.seconds[v] && start_of[v] != NO_START {
                arrivals.seconds[v] = reached.seconds;
                arrivals.initial_waits[v] = wait_at[start_of[v] as usize];
            }
        }
        Ok(arrivals)
    }
}
