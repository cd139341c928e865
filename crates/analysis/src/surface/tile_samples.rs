//! The samples of tiles, kept from surface to surface.

use std::sync::{Arc, Mutex, PoisonError};

use trestle_engine::snapshot::Snapshot;

use crate::raster::tile::{TILE_PIXELS, Tile};
use crate::samples::{SampleGrid, VertexIndex};

/// Tiles whose samples are kept (about 0.8 MB each): as many as a large screen shows.
const KEPT_TILES: usize = 48;

/// The most recently used last.
#[derive(Default)]
struct KeptTiles(Mutex<Vec<(Tile, Arc<SampleGrid>)>>);

/// The samples of a tile, made when they are not kept.
pub(super) fn tile_samples(snapshot: &Snapshot, tile: Tile) -> Arc<SampleGrid> {
    let KeptTiles(tiles) = snapshot.derived_from_streets.get();
    if let Some(kept) = take_up(tiles, tile) {
        return kept;
    }
    let (index, pixels) = (VertexIndex::of(snapshot), tile.pixels());
    let center = |column, row| pixels.center(column, row);
    let made = Arc::new(SampleGrid::new(index, TILE_PIXELS, TILE_PIXELS, center));
    let mut tiles = tiles.lock().unwrap_or_else(PoisonError::into_inner);
    if tiles.len() >= KEPT_TILES {
        tiles.remove(0);
    }
    tiles.push((tile, made.clone()));
    made
}

fn take_up(tiles: &Mutex<Vec<(Tile, Arc<SampleGrid>)>>, tile: Tile) -> Option<Arc<SampleGrid>> {
    let mut tiles = tiles.lock().unwrap_or_else(PoisonError::into_inner);
    let at = tiles.iter().position(|(kept, _)| *kept == tile)?;
    let entry = tiles.remove(at);
    let samples = entry.1.clone();
    tiles.push(entry);
    Some(samples)
}
