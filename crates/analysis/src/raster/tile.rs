//! Slippy-map tiles.

use trestle_model::geo::LatLon;

/// Pixels on a side.
pub const TILE_PIXELS: usize = 256;

/// A tile of the web Mercator pyramid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Tile {
    /// Zoom.
    pub z: u8,
    /// Column from the west.
    pub x: u32,
    /// Row from the north.
    pub y: u32,
}

/// Highest zoom served.
pub const MAX_ZOOM: u8 = 22;

impl Tile {
    /// The tile, if it exists.
    pub fn new(z: u32, x: u32, y: u32) -> Option<Tile> {
        let z = u8::try_from(z).ok().filter(|z| *z <= MAX_ZOOM)?;
        let side = 1u32 << z;
        (x < side && y < side).then_some(Tile { z, x, y })
    }

    /// South-west and north-east corner.
    pub fn bounds(self) -> (LatLon, LatLon) {
        let side = f64::from(1u32 << self.z);
        let lon = |x: u32| f64::from(x) / side * 360.0 - 180.0;
        let lat =
            |y: u32| (std::f64::consts::PI * (1.0 - 2.0 * f64::from(y) / side)).sinh().atan().to_degrees();
        (LatLon::new(lat(self.y + 1), lon(self.x)), LatLon::new(lat(self.y), lon(self.x + 1)))
    }

    /// Where its pixels are: degrees are evenly spaced, as the interface draws them.
    pub fn pixels(self) -> TilePixels {
        let (low, high) = self.bounds();
        TilePixels { low, high }
    }
}

/// The pixels of a tile.
#[derive(Clone, Copy, Debug)]
pub struct TilePixels {
    low: LatLon,
    high: LatLon,
}

impl TilePixels {
    /// Position of a pixel's centre.
    #[inline]
    pub fn center(self, column: usize, row: usize) -> LatLon {
        let TilePixels { low, high } = self;
        let n = TILE_PIXELS as f64;
        LatLon::new(
            high.lat - (high.lat - low.lat) * (row as f64 + 0.5) / n,
            low.lon + (high.lon - low.lon) * (column as f64 + 0.5) / n,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_world_tile_spans_the_mercator_square() {
        let (low, high) = Tile::new(0, 0, 0).unwrap().bounds();
        assert!((low.lat + 85.051_128_78).abs() < 1e-6 && (high.lat - 85.051_128_78).abs() < 1e-6);
        assert_eq!((low.lon, high.lon), (-180.0, 180.0));
        assert_eq!(Tile::new(1, 2, 0), None);
        assert_eq!(Tile::new(60, 0, 0), None);
    }
}
