//! Seconds to the vertices that a search on the streets reaches.

use trestle_model::ids::VertexIdx;
use trestle_street::search::{StreetTree, WalkTimes};
use trestle_transit::raptor::UNREACHED;

/// Seconds on the streets alone.
pub enum StreetTimes<'s> {
    /// On foot.
    Walk(WalkTimes<'s>),
    /// By any other mode.
    Other(StreetTree<'s>),
}

/// What it takes to get to (from) a vertex on the streets.
#[derive(Clone, Copy, Debug)]
pub(super) struct StreetArrival {
    /// Seconds, or [`UNREACHED`].
    pub(super) seconds: i32,
    /// Generalized cost, which for other modes than walking is the seconds.
    pub(super) weight: f32,
    /// Number of the start.
    pub(super) start: usize,
}

impl StreetArrival {
    const NONE: StreetArrival =
        StreetArrival { seconds: UNREACHED, weight: f32::INFINITY, start: usize::MAX };
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

    /// The vertices that were reached, in no particular order.
    pub fn reached(&self) -> impl Iterator<Item = VertexIdx> + '_ {
        let (walk, other) = match self {
            StreetTimes::Walk(times) => (Some(times.reached()), None),
            StreetTimes::Other(tree) => (None, Some(tree.reached())),
        };
        walk.into_iter().flatten().chain(other.into_iter().flatten())
    }

    /// What it takes to get to (from) a vertex.
    #[inline]
    pub(super) fn arrival(&self, vertex: VertexIdx) -> StreetArrival {
        let found = match self {
            StreetTimes::Walk(times) => times.get(vertex).map(|to| StreetArrival {
                seconds: to.seconds as i32,
                weight: to.weight,
                start: to.start,
            }),
            StreetTimes::Other(tree) => tree.get(vertex).map(|to| StreetArrival {
                seconds: to.seconds,
                weight: to.seconds as f32,
                start: to.start,
            }),
        };
        found.unwrap_or(StreetArrival::NONE)
    }
}
