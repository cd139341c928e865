//! The search for the cheapest paths from one place to everywhere, and what it says about each vertex.

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::ids::VertexIdx;
use trestle_street::cost::{StreetLimits, StreetMode, WalkPace};
use trestle_street::search::{StreetQuery, StreetTree};

use super::after_rides::{AfterRides, CheapestAfter, EarlierRides};
use super::cheapest::{CheapestSearch, OneToMany};
use crate::error::AnalysisError;
use crate::scratch::Scratch;
use crate::vertex_set::{VertexPiece, VertexSet};

/// What it takes to get to each street vertex that is reached (backward: from each), by position among these
/// vertices.
#[derive(Clone, Debug, Default)]
pub struct VertexValues {
    pub vertices: VertexSet,
    /// Seconds without the initial wait.
    pub seconds: Vec<f32>,
    /// Seconds of the initial wait that are not included in these; empty if there are none.
    pub removed_waits: Vec<f32>,
    /// Metres walked and cycled.
    pub walk_distance: Vec<f32>,
    /// Vehicles boarded.
    pub boardings: Vec<u8>,
}

/// Searches from the origin to every street vertex.
///
/// # Errors
/// [`AnalysisError`]: no street near, or stopped.
pub fn one_to_many(
    snapshot: &Snapshot,
    query: &OneToMany<'_>,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<VertexValues, AnalysisError> {
    let search = CheapestSearch::new(snapshot, query, deadline)?;
    let Scratch { access, egress, early_egress, transit, .. } = scratch;
    let max_cost_beyond = query.max_cost_beyond();
    let [streets_only, to_transit] = [&search.costs.streets_only, &search.costs.to_transit].map(|costs| {
        let query = search.street_query(costs);
        StreetQuery { limits: StreetLimits { max_cost_beyond, ..search.limits }, ..query }
    });
    let nearer = match search.request.uses_transit() && !search.costs.are_alike_to_transit() {
        true => Some(search.stops_near(&search.streets(&to_transit, query.origin, access)?)),
        false => None,
    };
    let streets = search.streets(&streets_only, query.origin, access)?;
    if !search.request.uses_transit() {
        return Ok(search.values(&streets, None));
    }
    let near = nearer.unwrap_or_else(|| search.stops_near(&streets));
    if near.is_empty() {
        return Ok(search.values(&streets, None));
    }
    let after = search.street_query(&search.costs.from_transit);
    let mut streets_after = CheapestAfter::new(&search, &near, after, egress);
    let arrivals = search.search_timetable(&near, &mut streets_after, transit)?;
    let mut rides = streets_after.finish(&arrivals.stops)?;
    // Searches that ignore the walking limit would search all streets again.
    if !query.beyond_walk_limit && search.costs.from_transit.street_mode == StreetMode::Walk {
        let left = search.leave_transit(&arrivals.earliest, &near, |arrival| f64::from(arrival.seconds));
        let pace = WalkPace::of(&search.request);
        let earlier =
            EarlierRides::search(&after, &rides.tree, left, pace, search.request.direction, early_egress)?;
        rides.earlier = Some(earlier);
    }
    Ok(search.values(&streets, Some(&rides)))
}

impl VertexValues {
    /// Seconds to a vertex, infinite where it is not reached.
    pub fn seconds_to(&self, vertex: VertexIdx) -> f32 {
        self.vertices.position(vertex.0).map_or(f32::INFINITY, |position| self.seconds[position])
    }

    /// Makes room for the values of this many vertices.
    fn make_room(&mut self, count: usize) {
        self.seconds.reserve_exact(count - self.seconds.len());
        self.removed_waits.reserve_exact(count - self.removed_waits.len());
        self.walk_distance.reserve_exact(count - self.walk_distance.len());
        self.boardings.reserve_exact(count - self.boardings.len());
    }
}

impl CheapestSearch<'_> {
    /// The values on streets alone, or with transit where that is better. The wait for the first vehicle is subtracted.
    fn values(&self, streets: &StreetTree<'_>, rides: Option<&AfterRides<'_>>) -> VertexValues {
        let ridden = rides.into_iter().flat_map(AfterRides::reached);
        let vertices = VertexSet::of(streets.reached().chain(ridden).map(|vertex| vertex.0));
        let mut pieces = vertices.map_pieces(|piece| self.values_of(piece, streets, rides)).into_iter();
        let mut values = pieces.next().unwrap_or_default();
        values.make_room(vertices.len());
        for piece in pieces {
            values.seconds.extend_from_slice(&piece.seconds);
            values.removed_waits.extend_from_slice(&piece.removed_waits);
            values.walk_distance.extend_from_slice(&piece.walk_distance);
            values.boardings.extend_from_slice(&piece.boardings);
        }
        VertexValues { vertices, ..values }
    }

    /// The same for some of the vertices.
    fn values_of(
        &self,
        piece: &VertexPiece<'_>,
        streets: &StreetTree<'_>,
        rides: Option<&AfterRides<'_>>,
    ) -> VertexValues {
        let mut values = VertexValues::default();
        values.make_room(piece.positions.len());
        for vertex in piece.iter().map(VertexIdx) {
            let walked = streets.get(vertex);
            let ridden = rides.and_then(|rides| rides.get(vertex));
            let is_better = |weight: f64| walked.as_ref().is_none_or(|walked| weight < walked.weight);
            let ridden = ridden.filter(|(reached, _)| is_better(reached.weight));
            let reached = ridden.as_ref().map(|(reached, _)| *reached).or(walked);
            let ride = ridden.map(|(_, ride)| ride).unwrap_or_default();
            let removed_wait = self.wait_removed(ride.initial_wait);
            let seconds = reached.map_or(f32::INFINITY, |reached| (reached.seconds - removed_wait) as f32);
            values.seconds.push(seconds);
            values.removed_waits.push(removed_wait as f32);
            values.walk_distance.push(reached.map_or(0.0, |reached| reached.walk_distance as f32));
            values.boardings.push(ride.boardings);
        }
        values
    }

    fn wait_removed(&self, wait: i32) -> i32 {
        match self.request.clamp_initial_wait {
            limit if limit < 0 => wait,
            limit => wait.min(limit.min(i64::from(i32::MAX)) as i32),
        }
    }
}
