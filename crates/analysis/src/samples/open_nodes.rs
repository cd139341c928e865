//! Nodes that travellers can leave or reach, in place of nodes that they cannot: for drivers those on footpaths, in matrices
//! also the corners of streets that lead nowhere.

use std::sync::OnceLock;

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::ids::VertexIdx;
use trestle_model::processors::{Supply, on_processors};
use trestle_street::nearest_vertices::SearchEnd;

use super::sample_grid::{NO_VERTEX, Sample, SampleGrid};
use super::vertex_index::VertexIndex;

/// Rows of pixels that are worth a thread.
const LEAST_ROWS: usize = 64;

/// The nodes that travellers can leave (at a destination: reach).
pub struct OpenNodes<'a> {
    snapshot: &'a Snapshot,
    by: SearchEnd,
    /// Most places do not need it.
    index: OnceLock<&'a VertexIndex>,
}

impl<'a> OpenNodes<'a> {
    /// Those at an end of a search.
    pub fn at(snapshot: &'a Snapshot, by: SearchEnd) -> OpenNodes<'a> {
        OpenNodes { snapshot, by, index: OnceLock::new() }
    }

    /// The nodes for a place with these walkable nodes: they stay unless none of them is open.
    pub fn instead_of(&self, walkable: Sample, at: LatLon) -> Sample {
        let joined = walkable.vertices.into_iter().filter(|&vertex| vertex != NO_VERTEX).map(VertexIdx);
        if !walkable.exists() || !self.by.is_closed_at(&self.snapshot.graph.street, joined) {
            return walkable;
        }
        let index = self.index.get_or_init(|| VertexIndex::of_open(self.snapshot, self.by));
        let open = Sample::from(index.nearest(at));
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
        let Some(by) = by.of_drivers() else { return grid };
        let nodes = OpenNodes::at(snapshot, by);
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
