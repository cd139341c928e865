//! What searches look up late about an edge.

use trestle_model::ids::EdgeIdx;

use crate::graph::{Edge, SlopeFactors, StreetGraph};

/// Where to find what the arc of a street lacks. Only bicycles and wheelchairs need it, so it is looked up late.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StreetRecord<'g> {
    /// An edge of the graph.
    Stored(&'g StreetGraph, u32),
    /// A part of an edge, or one that was looked up before.
    Given(&'g Edge),
}

impl StreetRecord<'_> {
    #[inline(always)]
    pub(crate) fn bicycle_safety(self) -> f32 {
        match self {
            StreetRecord::Stored(graph, edge) => graph.details[edge as usize].bicycle_safety,
            StreetRecord::Given(edge) => edge.bicycle_safety,
        }
    }

    #[inline(always)]
    pub(crate) fn slope_factors(self) -> SlopeFactors {
        match self {
            StreetRecord::Stored(graph, edge) => graph.slope_factors_of(EdgeIdx(edge)),
            StreetRecord::Given(edge) => edge.slope_factors,
        }
    }
}
