//! Seconds to the vertices that a search on the streets reaches.

use trestle_model::Direction;
use trestle_model::ids::VertexIdx;
use trestle_street::cost::StreetMode;
use trestle_street::search::{
    Interrupted, StreetQuery, StreetSearch, StreetTree, TreeStart, VertexLabel, WalkTimes, WalkedTo,
};
use trestle_transit::raptor::UNREACHED;

/// Seconds on the streets alone.
pub enum StreetTimes<'s> {
    /// On foot.
    Walk(WalkTimes<'s>),
    /// By any other mode.
    Other(StreetTree<'s>),
}

/// What it takes to get to (backward: from) a vertex on the streets.
#[derive(Clone, Copy, Debug)]
pub(super) struct StreetArrival {
    /// Seconds, or [`UNREACHED`].
    pub(super) seconds: i32,
    /// Generalized cost, which for other modes than walking is the seconds.
    pub(super) weight: f32,
    /// Metres walked and cycled; 0 in searches on foot that do not count them.
    pub(super) metres: f64,
    /// Number of the start.
    pub(super) start: usize,
}

impl StreetArrival {
    const NONE: StreetArrival =
        StreetArrival { seconds: UNREACHED, weight: f32::INFINITY, metres: f64::INFINITY, start: usize::MAX };

    fn on_foot(to: WalkedTo) -> StreetArrival {
        StreetArrival {
            seconds: to.seconds as i32,
            weight: to.weight,
            metres: f64::from(to.metres),
            start: to.start,
        }
    }

    fn by_other_mode(to: VertexLabel) -> StreetArrival {
        StreetArrival {
            seconds: to.seconds,
            weight: to.seconds as f32,
            metres: to.walk_distance,
            start: to.start,
        }
    }
}

impl<'s> StreetTimes<'s> {
    /// Searches from some starts.
    pub(super) fn search(
        memory: &'s mut StreetSearch,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
        direction: Direction,
    ) -> Result<Self, Interrupted> {
        Ok(match query.costs.street_mode {
            StreetMode::Walk if query.limits.max_walk_distance < f64::INFINITY => {
                StreetTimes::Walk(memory.walk_times_within(query, starts, |_| true, direction)?)
            }
            StreetMode::Walk => StreetTimes::Walk(memory.walk_times(query, starts, direction)?),
            _ => StreetTimes::Other(memory.tree(query, starts, direction)?),
        })
    }

    /// Seconds and metres walked and cycled to (backward: from) a vertex; `None` when it was not reached. Searches on foot
    /// without a limit count no metres.
    pub fn reached_after(&self, vertex: VertexIdx) -> Option<(i32, f64)> {
        let StreetArrival { seconds, metres, .. } = self.arrival(vertex);
        (seconds < UNREACHED).then_some((seconds, metres))
    }

    /// Seconds to (backward: from) a vertex; `None` when it was not reached.
    #[inline]
    pub fn seconds(&self, vertex: VertexIdx) -> Option<i32> {
        match self {
            StreetTimes::Walk(times) => times.seconds(vertex).map(|seconds| seconds as i32),
            StreetTimes::Other(tree) => tree.get(vertex).map(|reached| reached.seconds),
        }
    }

    /// The vertices at which travellers can use stops, in no particular order; some of them come twice.
    pub(super) fn reached_at_stops(&self) -> impl Iterator<Item = VertexIdx> + '_ {
        let (walk, other) = match self {
            StreetTimes::Walk(times) => (Some(times.reached()), None),
            StreetTimes::Other(tree) => (None, Some(tree.reached_at_stops())),
        };
        walk.into_iter().flatten().chain(other.into_iter().flatten())
    }

    /// The vertices that were reached, in no particular order.
    pub fn reached(&self) -> impl Iterator<Item = VertexIdx> + '_ {
        let (walk, other) = match self {
            StreetTimes::Walk(times) => (Some(times.reached()), None),
            StreetTimes::Other(tree) => (None, Some(tree.reached())),
        };
        walk.into_iter().flatten().chain(other.into_iter().flatten())
    }

    /// What it takes to get to (backward: from) a vertex.
    #[inline]
    pub(super) fn arrival(&self, vertex: VertexIdx) -> StreetArrival {
        let found = match self {
            StreetTimes::Walk(times) => times.get(vertex).map(StreetArrival::on_foot),
            StreetTimes::Other(tree) => tree.get(vertex).map(StreetArrival::by_other_mode),
        };
        found.unwrap_or(StreetArrival::NONE)
    }

    /// The arrival of travellers who can use the stops at a vertex; `None` if there is none.
    pub(super) fn arrival_at_stop(&self, vertex: VertexIdx) -> Option<StreetArrival> {
        match self {
            StreetTimes::Walk(times) => times.get(vertex).map(StreetArrival::on_foot),
            StreetTimes::Other(tree) => tree.get_at_stop(vertex).map(StreetArrival::by_other_mode),
        }
    }
}
