//! The streets after the last vehicle: the cheapest path to each vertex, and where that one would arrive too late, the
//! earliest.

use trestle_model::Direction;
use trestle_model::ids::VertexIdx;
use trestle_street::cost::{StreetLimits, StreetMode, WalkPace};
use trestle_street::search::{
    GrowingTree, Interrupted, StreetQuery, StreetSearch, StreetTree, VertexLabel, WalkTimes, WalkedTo,
};
use trestle_transit::raptor::{StopArrival, StreetWalk, StreetsAfter};

use super::cheapest::{CheapestSearch, Left, NearStop, Ridden};

/// Samples of a street count up to the walking limit, so both of its ends have to be found: walks go on for this many
/// metres beyond the limit.
const BEYOND_LIMIT_M: f64 = 200.0;

/// The streets after vehicles, searched while the timetable is.
pub(super) struct CheapestAfter<'q, 's> {
    search: &'q CheapestSearch<'q>,
    /// The stops near the origin.
    near: &'q [NearStop],
    query: StreetQuery<'q>,
    streets: Streets<'q, 's>,
    left: Left,
}

enum Streets<'q, 's> {
    /// Riders can walk to other stops.
    OnFoot(GrowingTree<'q, 's>),
    /// Searched once all vehicles are known.
    AtTheEnd(&'s mut StreetSearch),
}

impl<'q, 's> CheapestAfter<'q, 's> {
    pub(super) fn new(
        search: &'q CheapestSearch<'q>,
        near: &'q [NearStop],
        query: StreetQuery<'q>,
        memory: &'s mut StreetSearch,
    ) -> CheapestAfter<'q, 's> {
        let streets = match query.costs.street_mode {
            StreetMode::Walk => Streets::OnFoot(memory.growing_tree(query, search.request.direction)),
            _ => Streets::AtTheEnd(memory),
        };
        CheapestAfter { search, near, query, streets, left: Left::default() }
    }

    /// The cheapest paths, given the cheapest arrivals at all stops.
    pub(super) fn finish(self, arrivals: &[StopArrival]) -> Result<AfterRides<'s>, Interrupted> {
        let (tree, left) = match self.streets {
            Streets::OnFoot(growing) => (growing.finish(), self.left),
            Streets::AtTheEnd(memory) => {
                let left = self.search.leave_transit(arrivals, self.near, |arrival| arrival.cost);
                (memory.tree_from_transit(&self.query, &left.starts, self.search.request.direction)?, left)
            }
        };
        Ok(AfterRides { tree, left, earlier: None })
    }
}

impl StreetsAfter for CheapestAfter<'_, '_> {
    fn walk_on(&mut self, cheaper: &[StopArrival]) -> Option<Vec<StreetWalk>> {
        let Streets::OnFoot(growing) = &mut self.streets else { return Some(Vec::new()) };
        let left = self.search.leave_transit(cheaper, self.near, |arrival| arrival.cost);
        let mut reached = Vec::new();
        growing
            .grow(&left.starts, |vertex| {
                if self.query.graph.has_stop(vertex.0) {
                    reached.push(vertex);
                }
            })
            .ok()?;
        self.left.append(left);
        let stops = self.search.stops_at(reached.into_iter(), &growing.tree());
        let walks = stops.iter().filter_map(|&NearStop { endpoint, walk_distance, start }| {
            let (ridden, left) = (self.left.arrivals.get(start)?, self.left.starts.get(start)?);
            let metres = walk_distance - left.walk_distance;
            (metres <= self.search.request.max_transfer_walk_distance).then(|| StreetWalk {
                from: ridden.stop,
                to: endpoint.stop,
                seconds: endpoint.seconds - ridden.seconds,
                cost: endpoint.cost - ridden.cost,
            })
        });
        Some(walks.collect())
    }
}

/// The paths on the streets after the last vehicle.
pub(super) struct AfterRides<'s> {
    /// The cheapest ones.
    pub(super) tree: StreetTree<'s>,
    /// Where they start.
    pub(super) left: Left,
    /// The earliest ones.
    pub(super) earlier: Option<EarlierRides<'s>>,
}

impl AfterRides<'_> {
    /// The vertices that are reached; some come twice.
    pub(super) fn reached(&self) -> impl Iterator<Item = VertexIdx> + '_ {
        let earlier = self.earlier.iter().flat_map(|earlier| earlier.times.reached());
        self.tree.reached().chain(earlier)
    }

    /// The cheapest path to a vertex that is in time.
    pub(super) fn get(&self, vertex: VertexIdx) -> Option<(VertexLabel, Ridden)> {
        let Some(reached) = self.tree.get(vertex) else { return self.earlier.as_ref()?.get(vertex) };
        Some((reached, self.left.ridden(reached.start)?))
    }
}

/// Paths that arrive before the cheapest ones. Only the cheapest path to a vertex is followed from there, and where its
/// vehicle arrives late, little time remains to walk on.
pub(super) struct EarlierRides<'s> {
    times: WalkTimes<'s>,
    left: Left,
}

impl<'s> EarlierRides<'s> {
    /// Searches from where the earliest vehicles are left, near the vertices that the cheapest paths do not reach in time.
    pub(super) fn search(
        after: &StreetQuery<'_>,
        cheapest: &StreetTree<'_>,
        left: Left,
        pace: WalkPace,
        direction: Direction,
        memory: &'s mut StreetSearch,
    ) -> Result<EarlierRides<'s>, Interrupted> {
        let (most, limit) = (after.limits.max_seconds, after.limits.max_walk_distance + BEYOND_LIMIT_M);
        let limits = StreetLimits { max_walk_distance: limit, ..after.limits };
        let goes_on = |to: WalkedTo| {
            let Some(cheapest) = cheapest.get(VertexIdx(to.vertex)) else { return true };
            let seconds = to.seconds as i32;
            // From here, even a walk as long as the limit allows ends in time after the cheapest path too.
            let more = pace.seconds(limit - f64::from(to.metres));
            seconds < cheapest.seconds && f64::from(cheapest.seconds) + more > f64::from(most)
        };
        let query = StreetQuery { limits, ..*after };
        let times = memory.walk_times_within(&query, &left.starts, goes_on, direction)?;
        Ok(EarlierRides { times, left })
    }

    fn get(&self, vertex: VertexIdx) -> Option<(VertexLabel, Ridden)> {
        let WalkedTo { seconds, weight, metres, start, .. } = self.times.get(vertex)?;
        let (weight, walk_distance) = (f64::from(weight), f64::from(metres));
        let label = VertexLabel { seconds: seconds as i32, weight, walk_distance, start };
        Some((label, self.left.ridden(start)?))
    }
}
