//! Nodes for drivers, in place of nodes that are closed to cars.

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::ids::VertexIdx;
use trestle_model::processors::{Supply, on_processors};
use trestle_street::graph::StreetGraph;
use trestle_street::link::LinkMode;
use trestle_street::nearest_vertices::SearchEnd;

use super::sample_grid::{NO_VERTEX, Sample, SampleGrid};
use super::vertex_index::VertexIndex;

/// Rows of pixels that are worth a thread.
const LEAST_ROWS: usize = 64;

/// The nodes that drivers use at an end of their search.
pub struct NodesOfDrivers<'a> {
    street: &'a StreetGraph,
    open: &'a VertexIndex,
    by: SearchEnd,
}

impl<'a> NodesOfDrivers<'a> {
    /// `None` if travellers do not drive there.
    pub fn at(snapshot: &'a Snapshot, by: SearchEnd) -> Option<NodesOfDrivers<'a>> {
        (by.mode == LinkMode::Car).then(|| NodesOfDrivers {
            street: &snapshot.graph.street,
            open: VertexIndex::of_drivers(snapshot, by.end),
            by,
        })
    }

    /// The nodes for a place with these walkable nodes: they stay unless all of them are closed to cars.
    pub fn instead_of(&self, walkable: Sample, at: LatLon) -> Sample {
        let joined = walkable.vertices.into_iter().filter(|&vertex| vertex != NO_VERTEX).map(VertexIdx);
        if !walkable.exists() || !self.by.is_closed_at(self.street, joined) {
            return walkable;
        }
        let open = Sample::from(self.open.nearest(at));
        if open.exists() { open } else { walkable }
    }

    /// The nodes for all pixels of an image with these walkable nodes, on all processors. They stay if travellers do not
    /// drive there, and for the pixels that are left when the deadline passes.
    pub fn in_image(
        snapshot: &Snapshot,
        by: SearchEnd,
        mut grid: SampleGrid,
        position: impl Fn(usize, usize) -> LatLon + Sync,
        deadline: &Deadline,
    ) -> SampleGrid {
        let Some(nodes) = NodesOfDrivers::at(snapshot, by) else { return grid };
        let (width, threads) = (grid.width.max(1), grid.height.div_ceil(LEAST_ROWS));
        let rows = Supply::of(grid.samples.chunks_mut(width).enumerate());
        on_processors(threads, || {
            while !deadline.passed()
                && let Some((row, samples)) = rows.take()
            {
                for (column, sample) in samples.iter_mut().enumerate() {
                    *sample = nodes.instead_of(*sample, position(column, row));
                }
            }
        });
        grid
    }
}
