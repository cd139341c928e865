//! The Mercator projection of web maps, and its tiles.

use crate::geo::{BoundingBox, LatLon};

/// Highest latitude on the map, degrees. With it the map of the world is a square.
const MAX_LATITUDE: f64 = 85.051_128_779_806_59;

/// A tile of a web map, numbered as usual (XYZ).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileId {
    /// Zoom: 0 is the whole world.
    pub z: u32,
    /// Column from the west.
    pub x: u32,
    /// Row from the north.
    pub y: u32,
}

impl TileId {
    /// Whether the tile exists, at zooms up to `max_zoom` (at most 31).
    pub fn exists(self, max_zoom: u32) -> bool {
        self.z <= max_zoom && u64::from(self.x.max(self.y)) < 1u64 << self.z
    }

    /// The tile with a margin around it (a share of its side).
    pub fn bounds(self, margin: f64) -> BoundingBox {
        let tiles = f64::from(self.z).exp2();
        let (x, y) = (f64::from(self.x), f64::from(self.y));
        let (north_west, south_east) = (
            position([(x - margin) / tiles, (y - margin) / tiles]),
            position([(x + 1.0 + margin) / tiles, (y + 1.0 + margin) / tiles]),
        );
        BoundingBox::around([north_west, south_east])
    }
}

/// The point of a position on a map of the world with sides of 1, from the west and from the north.
pub fn project(at: LatLon) -> [f64; 2] {
    let lat = at.lat.clamp(-MAX_LATITUDE, MAX_LATITUDE).to_radians();
    [(at.lon + 180.0) / 360.0, (1.0 - lat.tan().asinh() / std::f64::consts::PI) / 2.0]
}

/// The position of a point of that map.
pub fn position([x, y]: [f64; 2]) -> LatLon {
    let lat = (std::f64::consts::PI * (1.0 - 2.0 * y)).sinh().atan();
    LatLon::new(lat.to_degrees(), x * 360.0 - 180.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_world_is_a_square() {
        let corner = project(LatLon::new(MAX_LATITUDE, -180.0));
        assert!(corner.iter().all(|at| at.abs() < 1e-12));
        assert_eq!(project(LatLon::new(0.0, 0.0)), [0.5, 0.5]);
        assert_eq!(project(LatLon::new(90.0, 180.0))[0], 1.0);
        assert!(project(LatLon::new(-90.0, 0.0))[1] <= 1.0);
    }

    #[test]
    fn positions_and_points_belong_together() {
        let porto = LatLon::new(41.149_6, -8.611);
        let back = position(project(porto));
        assert!((back.lat - porto.lat).abs() < 1e-12 && (back.lon - porto.lon).abs() < 1e-12);
    }

    #[test]
    fn a_tile_has_bounds_and_those_beyond_the_map_do_not_exist() {
        let BoundingBox { south, west, north, east } = TileId { z: 1, x: 0, y: 1 }.bounds(0.0);
        assert_eq!((west, east), (-180.0, 0.0));
        assert!(north.abs() < 1e-12 && (south + MAX_LATITUDE).abs() < 1e-9);
        assert!(TileId { z: 3, x: 7, y: 7 }.exists(16));
        assert!(!TileId { z: 3, x: 8, y: 0 }.exists(16));
        assert!(!TileId { z: 17, x: 0, y: 0 }.exists(16));
        assert!(!TileId { z: u32::MAX, x: 0, y: 0 }.exists(31));
    }
}
