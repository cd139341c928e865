//! Customizable contraction hierarchies of the streets (CCH; Dibbelt, Strasser and Wagner, 2016). The build computes the
//! order and the arcs once for all costs, customization computes the costs of the arcs, and the distances in them direct
//! searches to their goal.

mod climb;
mod customization;
mod dissection;
mod elimination;
mod inertial_flow;
mod low_degree;
mod metric;
mod neighbours;
mod potential;
#[cfg(test)]
mod tests;

pub(crate) use climb::Climb;
pub(crate) use customization::{Customization, NoMetric};
pub(crate) use metric::Metric;
pub(crate) use potential::{Potential, PotentialMemory};

use trestle_model::geo::LatLon;
use trestle_model::rules::{each_of, index, offsets};
use trestle_model::{Column, columns};

use crate::graph::StreetGraph;
use neighbours::Neighbours;

columns! {
    /// The streets after contracting all vertices: arcs from each rank to higher ones. Arcs are undirected; costs come from
    /// a customization.
    pub struct Contraction in StreetGraph {
        /// Rank of each vertex: its number in the order of contraction.
        pub rank: Column<u32> => |g| index(g.vertex_lat.len(), g.vertex_lat.len()),
        /// First arc of each rank; one more entry than ranks.
        pub first_up: Column<u32> => |g| offsets(g.vertex_lat.len(), g.contraction.up.len()),
        /// The higher rank of each arc, rising within the arcs of a rank: the first is the parent in the elimination tree.
        pub up: Column<u32> => |g| each_of(&g.contraction.first_up, |rank, &higher| {
            (higher as usize <= rank || higher as usize >= g.vertex_lat.len()).then_some("not a higher rank")
        }),
    }
}

impl Contraction {
    /// Contracts a graph in the plane.
    fn of_neighbours(neighbours: Neighbours, positions: &[[f32; 2]]) -> Contraction {
        let order = dissection::order(&neighbours, positions, &|| false);
        // Without a limit there always is one.
        Contraction::in_order(&neighbours, &order, usize::MAX).unwrap_or_default()
    }

    /// `None` if it has more than `most` arcs.
    fn in_order(neighbours: &Neighbours, order: &[u32], most: usize) -> Option<Contraction> {
        let topology = elimination::eliminate(neighbours, order, most)?;
        let (rank, first_up, up) = (topology.rank.into(), topology.first_up.into(), topology.up.into());
        Some(Contraction { rank, first_up, up })
    }

    /// Number of ranks.
    pub(crate) fn count(&self) -> usize {
        self.rank.len()
    }

    /// The arcs from a rank to higher ones.
    #[inline(always)]
    pub(crate) fn arcs(&self, rank: u32) -> std::ops::Range<usize> {
        self.first_up[rank as usize] as usize..self.first_up[rank as usize + 1] as usize
    }

    /// The parent of a rank in the elimination tree.
    #[inline(always)]
    pub(crate) fn parent(&self, rank: u32) -> Option<u32> {
        let arcs = self.arcs(rank);
        self.up[arcs].first().copied()
    }

    /// The arc between two ranks.
    fn arc_between(&self, lower: u32, higher: u32) -> Option<usize> {
        let arcs = self.arcs(lower);
        let at = self.up[arcs.clone()].binary_search(&higher).ok()?;
        Some(arcs.start + at)
    }
}

/// The part of the streets that a contraction needs.
pub(crate) struct Uncontracted {
    neighbours: Neighbours,
    /// The vertices in a plane.
    positions: Vec<[f32; 2]>,
}

impl Uncontracted {
    /// Streets with vertices at these places, some pairs of which have edges between them.
    pub(crate) fn new(places: &[LatLon], edges: impl Iterator<Item = (u32, u32)> + Clone) -> Uncontracted {
        let middle = places.get(places.len() / 2).map_or(0.0, |place| place.lat);
        let shrink = middle.to_radians().cos();
        let in_plane = |place: &LatLon| [(place.lon * shrink) as f32, place.lat as f32];
        Uncontracted {
            neighbours: Neighbours::of_pairs(places.len(), edges),
            positions: places.iter().map(in_plane).collect(),
        }
    }

    /// Contracts them.
    pub(crate) fn contract(self) -> Contraction {
        Contraction::of_neighbours(self.neighbours, &self.positions)
    }

    /// Contracts them unless it is interrupted, or has more than `most` arcs.
    pub(crate) fn contract_unless(
        self,
        most: usize,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Contraction, NoMetric> {
        if interrupted() {
            return Err(NoMetric::Interrupted);
        }
        let order = dissection::order(&self.neighbours, &self.positions, interrupted);
        if interrupted() {
            return Err(NoMetric::Interrupted);
        }
        Contraction::in_order(&self.neighbours, &order, most).ok_or(NoMetric::Unfit)
    }
}
