//! Tiles as the pictures of an analysis have them.

use trestle_model::geo::{BoundingBox, LatLon};
use trestle_model::mercator::TileId;

/// Pixels on a side.
pub const TILE_PIXELS: usize = 256;

/// Highest zoom with tiles.
pub const MAX_ZOOM: u32 = 22;

/// The pixels of a tile. Degrees are evenly spaced, as the interface draws them.
#[derive(Clone, Copy, Debug)]
pub struct TilePixels(BoundingBox);

impl TilePixels {
    pub fn of(tile: TileId) -> TilePixels {
        TilePixels(tile.bounds(0.0))
    }

    /// Position of a pixel's centre.
    #[inline]
    pub fn center(self, column: usize, row: usize) -> LatLon {
        let BoundingBox { south, west, north, east } = self.0;
        let n = TILE_PIXELS as f64;
        LatLon::new(
            north - (north - south) * (row as f64 + 0.5) / n,
            west + (east - west) * (column as f64 + 0.5) / n,
        )
    }
}
