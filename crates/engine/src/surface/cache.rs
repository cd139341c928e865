//! What analyses derive from a graph once: the index of its nodes, the samples of recently shown tiles.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use trestle_model::ids::EdgeIdx;
use trestle_street::graph::StreetGraph;

use super::sample_grid::SampleGrid;
use super::vertex_index::VertexIndex;
use crate::raster::tile::Tile;

/// Tiles whose samples are kept (about 0.8 MB each).
const KEPT_TILES: usize = 200;

/// Derived data of one graph.
#[derive(Default)]
pub struct AnalysisCache {
    index: OnceLock<VertexIndex>,
    bounds: OnceLock<[f64; 4]>,
    /// The most recently used last.
    tiles: Mutex<Vec<(Tile, Arc<SampleGrid>)>>,
}

impl AnalysisCache {
    /// The index of the nodes.
    pub fn vertex_index(&self, street: &StreetGraph) -> &VertexIndex {
        self.index.get_or_init(|| VertexIndex::build(street))
    }

    /// South, west, north, east of all streets.
    pub fn street_bounds(&self, street: &StreetGraph) -> [f64; 4] {
        *self.bounds.get_or_init(|| {
            let lines = (0..street.edges.len() as u32).flat_map(|e| street.edge_line(EdgeIdx(e)));
            lines.fold([f64::MAX, f64::MAX, f64::MIN, f64::MIN], |b, p| {
                [b[0].min(p.lat), b[1].min(p.lon), b[2].max(p.lat), b[3].max(p.lon)]
            })
        })
    }

    /// The samples of a tile, made when they are not kept.
    pub fn tile(&self, tile: Tile, make: impl FnOnce() -> SampleGrid) -> Arc<SampleGrid> {
        if let Some(kept) = self.take_up(tile) {
            return kept;
        }
        let made = Arc::new(make());
        let mut tiles = self.tiles.lock().unwrap_or_else(PoisonError::into_inner);
        if tiles.len() >= KEPT_TILES {
            tiles.remove(0);
        }
        tiles.push((tile, made.clone()));
        made
    }

    fn take_up(&self, tile: Tile) -> Option<Arc<SampleGrid>> {
        let mut tiles = self.tiles.lock().unwrap_or_else(PoisonError::into_inner);
        let at = tiles.iter().position(|(kept, _)| *kept == tile)?;
        let entry = tiles.remove(at);
        let samples = entry.1.clone();
        tiles.push(entry);
        Some(samples)
    }
}
