//! The samples of tiles, kept from surface to surface.

use std::sync::{Arc, Mutex, PoisonError};

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::mercator::TileId;
use trestle_model::recent::Recent;
use trestle_street::nearest_vertices::SearchEnd;

use crate::raster::tile::{TILE_PIXELS, TilePixels};
use crate::samples::{OpenNodes, SampleGrid, VertexIndex};

/// Tiles whose samples are kept (about 0.8 MB each): as many as a large screen shows.
const KEPT_TILES: usize = 48;

/// A tile, and the end of the search if travellers drive there.
type TileFor = (TileId, Option<SearchEnd>);

/// The samples of some tiles.
#[derive(Default)]
struct KeptTiles(Mutex<Recent<(TileFor, Arc<SampleGrid>), KEPT_TILES>>);

/// The samples of a tile for an end of searches, made when they are not kept.
pub(super) fn tile_samples(snapshot: &Snapshot, tile: TileId, by: SearchEnd) -> Arc<SampleGrid> {
    let KeptTiles(tiles) = snapshot.derived_from_streets.get();
    let wanted = (tile, by.of_drivers());
    let lock = || tiles.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, kept)) = lock().find(|(tile, _)| *tile == wanted) {
        return kept.clone();
    }
    let (index, pixels) = (VertexIndex::of(snapshot), TilePixels::of(tile));
    let center = |column, row| pixels.center(column, row);
    let deadline = Deadline::default();
    let grid = SampleGrid::new(index, (TILE_PIXELS, TILE_PIXELS), center, &deadline);
    let made = Arc::new(OpenNodes::in_image(snapshot, by, grid, center, &deadline));
    lock().keep((wanted, made.clone()));
    made
}
