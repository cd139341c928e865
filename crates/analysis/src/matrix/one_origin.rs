//! One row of a matrix: from an origin to all destinations.

use std::sync::Arc;

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::{Direction, RoutingRequest};
use trestle_street::search::{DrivingRows, DrivingTimes, TreeStart};
use trestle_transit::raptor::{Departures, Endpoint, UNREACHED};

use super::egress_table::{EgressTable, TableKey};
use super::egress_tables::EgressTables;
use crate::error::AnalysisError;
use crate::one_to_many::{EarliestSearch, Joined, StreetTimes};
use crate::samples::Destination;
use crate::scratch::Scratch;

/// What is the same for every origin.
#[derive(Clone, Debug)]
pub struct MatrixQuery {
    /// Everything but the places. Its `max_walk_distance` limits the walk to the first stop, the walk from the last
    /// one, and, with transit modes, a walk all the way.
    pub request: RoutingRequest,
    /// Longest time, seconds.
    pub max_seconds: i32,
    /// Destinations, joined to the streets or to stops.
    pub destinations: Arc<[Destination]>,
    /// How many rows will be searched, which decides what is worth preparing.
    pub origins: usize,
}

/// Seconds to every destination including the wait for the first vehicle, or [`UNREACHED`].
pub type MatrixRow = Vec<i32>;

/// A matrix whose rows are searched one at a time.
pub struct Matrix<'a> {
    snapshot: &'a Snapshot,
    query: &'a MatrixQuery,
    search: EarliestSearch<'a>,
    /// Where journeys on streets alone end, by destination.
    ends: Vec<Box<[TreeStart]>>,
    egress: Option<Arc<EgressTable>>,
    /// For drives all the way.
    drives: Option<DrivingRows<'a>>,
}

impl<'a> Matrix<'a> {
    /// Prepares what all rows share: with transit modes, the egress paths.
    ///
    /// # Errors
    /// [`AnalysisError`]: a request that cannot be searched, or stopped.
    pub fn new(
        snapshot: &'a Snapshot,
        query: &'a MatrixQuery,
        scratch: &mut Scratch,
        deadline: &'a Deadline,
    ) -> Result<Matrix<'a>, AnalysisError> {
        let request = &query.request;
        if request.direction.is_backward() {
            return Err(AnalysisError::Invalid(
                "arriveBy: a matrix takes a time of departure only".to_owned(),
            ));
        }
        let search = EarliestSearch::new(snapshot, request, query.max_seconds, deadline)?.at_open_nodes();
        let ends_of = |to| Ok(search.starts_from(to, false, &mut scratch.egress)?.into());
        let ends = query.destinations.iter().map(ends_of).collect::<Result<_, AnalysisError>>()?;
        let mut matrix = Matrix { snapshot, query, search, ends, egress: None, drives: None };
        if request.uses_transit() {
            matrix.search = matrix.search.within_limits();
            let stops = &snapshot.graph.timetable.stops;
            let stations = matrix.search.stations_after_transit();
            let key = TableKey::new(request, query.max_seconds, &query.destinations, stations);
            let tables: &EgressTables = snapshot.derived.get();
            let table = tables.get(key, stops);
            table.fill(&matrix.search, &mut scratch.egress)?;
            matrix.egress = Some(table);
        } else {
            matrix.drives = matrix.drives()?;
        }
        Ok(matrix)
    }

    /// What the drives of all rows share; `None` for other modes, and on streets that only the search of vertices knows.
    fn drives(&self) -> Result<Option<DrivingRows<'a>>, AnalysisError> {
        let (query, snapshot) = (self.query, self.snapshot);
        let street = &snapshot.graph.street;
        let Some(costs) = self.search.costs_of_driving() else { return Ok(None) };
        let times: &DrivingTimes = snapshot.derived_from_streets.get();
        let Some(turns) = times.turns(street, costs, self.search.deadline.interrupted())? else {
            return Ok(None);
        };
        let ends = |ends: &[TreeStart]| {
            [0, 1].map(|i| ends.get(i).map(|end: &TreeStart| (end.vertex, end.seconds as u32)))
        };
        let destinations = self.ends.iter().map(|to| ends(to)).collect();
        Ok(Some(turns.to((street, costs), destinations, query.max_seconds as u32, query.origins)))
    }

    /// Travel times from one origin by the earliest arrival. An origin off the streets is at the stops near it: it reaches
    /// places at the same stops, and others by vehicles from there.
    pub fn row(&self, origin: LatLon, scratch: &mut Scratch) -> Result<MatrixRow, AnalysisError> {
        // The street search checks the clock every few hundred steps, and some rows need fewer.
        self.search.deadline.check()?;
        let (mut row, near): (MatrixRow, Vec<Endpoint>) = match self.search.joined(origin) {
            Ok(joined) => self.on_streets((origin, &joined), scratch)?,
            Err(AnalysisError::PlaceNotFound(_)) => self.at_stops(origin, scratch)?,
            Err(error) => return Err(error),
        };
        if let Some(egress) = &self.egress
            && !near.is_empty()
        {
            let range = &mut scratch.range;
            self.search.search_timetable(&near, Departures::ONE, range, |departure| {
                egress.lower(&mut row, departure.seconds);
            })?;
        }
        for seconds in row.iter_mut().filter(|seconds| **seconds > self.query.max_seconds) {
            *seconds = UNREACHED;
        }
        Ok(row)
    }

    /// The row of an origin off the streets, before vehicles are taken, and its stops. As in plans, it is at the nearest
    /// stops, where destinations at the same stops are too close, and travellers walk on from the street there.
    fn at_stops(
        &self,
        origin: LatLon,
        scratch: &mut Scratch,
    ) -> Result<(MatrixRow, Vec<Endpoint>), AnalysisError> {
        let stops = self.snapshot.stops_near(origin, self.query.request.ignore_realtime);
        let (mut row, mut near) = match self.search.street_at_stops(&stops) {
            Some(place) => self.on_streets((origin, &Joined::Street(place)), scratch)?,
            None => (self.query.destinations.iter().map(|_| UNREACHED).collect(), Vec::new()),
        };
        for (seconds, to) in row.iter_mut().zip(&*self.query.destinations) {
            if to.stops().iter().any(|stop| stops.contains(stop)) {
                *seconds = 0;
            }
        }
        let edges = self.search.station_edges(Direction::Forward);
        let at_once = stops.iter().flat_map(|&stop| edges.with_others(stop));
        near.extend(at_once.map(|stop| Endpoint { stop, seconds: 0, cost: 0.0 }));
        Ok((row, near))
    }

    /// Seconds on streets to all destinations, and the stops near the origin.
    fn on_streets(
        &self,
        (origin, joined): (LatLon, &Joined),
        scratch: &mut Scratch,
    ) -> Result<(MatrixRow, Vec<Endpoint>), AnalysisError> {
        let Scratch { access, egress, driving, .. } = scratch;
        let (mut row, near) = match &self.drives {
            Some(drives) => {
                let starts = self.search.starts(joined, access)?;
                (drives.row(&starts, driving, self.search.deadline.interrupted())?, Vec::new())
            }
            None => {
                let max_seconds = self.query.max_seconds;
                let (streets, near) = self.search.around(Some(joined), max_seconds, access, egress)?;
                (self.ends.iter().map(|ends| self.seconds_to(&streets, ends)).collect(), near)
            }
        };
        let (place, destinations) = ((origin, joined), &self.query.destinations);
        let on_one_street = self.search.along_one_street(place, destinations, access)?;
        for (number, seconds) in on_one_street {
            row[number] = row[number].min(seconds);
        }
        Ok((row, near))
    }

    fn seconds_to(&self, streets: &StreetTimes<'_>, ends: &[TreeStart]) -> i32 {
        let by = |end: &TreeStart| {
            let (seconds, metres) = streets.reached_after(end.vertex)?;
            self.search.allows(metres + end.walk_distance).then_some(seconds + end.seconds)
        };
        ends.iter().filter_map(by).min().unwrap_or(UNREACHED)
    }
}
