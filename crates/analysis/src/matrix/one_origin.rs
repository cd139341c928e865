//! One row of a matrix: from an origin to all destinations.

use std::sync::Arc;

use trestle_engine::deadline::Deadline;
use trestle_engine::graph::Graph;
use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;
use trestle_model::geo::LatLon;
use trestle_model::ids::VertexIdx;
use trestle_street::nearest_vertices::SearchEnd;
use trestle_street::search::Direction;
use trestle_transit::raptor::{Endpoint, UNREACHED};

use super::egress_table::{EgressTable, TableKey};
use super::egress_tables::EgressTables;
use crate::error::AnalysisError;
use crate::one_to_many::{Departures, EarliestSearch, StreetTimes};
use crate::samples::{Destination, NO_VERTEX, Sample, stops_off_streets};
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
}

/// Seconds to every destination including the wait for the first vehicle, or [`UNREACHED`].
pub type MatrixRow = Vec<i32>;

/// A matrix whose rows are searched one at a time.
pub struct Matrix<'a> {
    graph: &'a Graph,
    query: &'a MatrixQuery,
    search: EarliestSearch<'a>,
    /// Longest time on the streets before, after and instead of transit.
    street_seconds: i32,
    egress: Option<Arc<EgressTable>>,
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
        deadline: &Deadline,
    ) -> Result<Matrix<'a>, AnalysisError> {
        let request = &query.request;
        if request.arrive_by {
            return Err(AnalysisError::Invalid(
                "arriveBy: not possible for a matrix, whose time is that of the departures".to_owned(),
            ));
        }
        let search = EarliestSearch::new(snapshot, request, query.max_seconds)?;
        let graph = &snapshot.graph;
        let mut matrix = Matrix { graph, query, search, street_seconds: query.max_seconds, egress: None };
        if request.uses_transit() {
            matrix.search = matrix.search.within_walking_limit();
            let [to_transit, from_transit] = matrix.search.limited_seconds();
            matrix.street_seconds = to_transit;
            let stops = &graph.timetable.stops;
            let stations = matrix.search.stations_after_transit();
            let key = TableKey::new(request, from_transit, &query.destinations, stations);
            let tables: &EgressTables = snapshot.derived.get();
            let table = tables.get(key, stops);
            table.fill(&matrix.search, &mut scratch.egress, deadline)?;
            matrix.egress = Some(table);
        }
        Ok(matrix)
    }

    /// Travel times from one origin by the earliest arrival. An origin off the streets is at the stops near it: it reaches
    /// places at the same stops, and others by vehicles from there.
    ///
    /// # Errors
    /// [`AnalysisError::Stopped`].
    pub fn row(
        &self,
        origin: LatLon,
        scratch: &mut Scratch,
        deadline: &Deadline,
    ) -> Result<MatrixRow, AnalysisError> {
        // The street search checks the clock every few hundred steps, and some rows need fewer.
        deadline.check()?;
        let Scratch { access, egress, range, .. } = scratch;
        let around = self.search.around(origin, self.street_seconds, access, egress, deadline);
        let destinations = self.query.destinations.iter();
        let (mut row, near): (MatrixRow, Vec<Endpoint>) = match around {
            Ok((streets, near)) => {
                (destinations.map(|to| self.on_streets(&streets, &to.sample)).collect(), near)
            }
            Err(AnalysisError::PlaceNotFound(_)) => self.at_stops(origin),
            Err(error) => return Err(error),
        };
        if let Some(egress) = &self.egress
            && !near.is_empty()
        {
            self.search.search_timetable(&near, Departures::ONE, range, deadline, |departure| {
                egress.lower(&mut row, departure.seconds);
            })?;
        }
        for seconds in row.iter_mut().filter(|seconds| **seconds > self.query.max_seconds) {
            *seconds = UNREACHED;
        }
        Ok(row)
    }

    /// The row of an origin without nodes near it, before vehicles are taken, and its stops. Off the streets it is at the
    /// nearest stops, as in plans, where destinations at the same stops are too close.
    fn at_stops(&self, origin: LatLon) -> (MatrixRow, Vec<Endpoint>) {
        let stops = stops_off_streets(self.graph, origin, SearchEnd::at_known_time(&self.query.request));
        let seconds = |to: &Destination| match to.stops.iter().any(|stop| stops.contains(stop)) {
            true => 0,
            false => UNREACHED,
        };
        let row = self.query.destinations.iter().map(seconds).collect();
        let near = self.search.stations_of(&stops, Direction::Forward).map(|stop| Endpoint {
            stop,
            seconds: 0,
            cost: 0.0,
        });
        (row, near.collect())
    }

    fn on_streets(&self, streets: &StreetTimes<'_>, to: &Sample) -> i32 {
        let by = |i: usize| {
            let vertex = Some(to.vertices[i]).filter(|v| *v != NO_VERTEX).map(VertexIdx);
            let seconds = vertex.and_then(|vertex| streets.seconds(vertex));
            seconds.map_or(UNREACHED, |s| s + self.search.walk_pace().seconds(f64::from(to.metres[i])) as i32)
        };
        by(0).min(by(1))
    }
}
