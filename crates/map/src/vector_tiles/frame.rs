//! Converts positions to the grid of a tile.

use trestle_model::geo::{BoundingBox, LatLon};
use trestle_model::mercator::{TileId, project};
use trestle_street::grid_shapes::{GridBox, GridPoint};

/// Columns and rows of a tile's grid.
pub(super) const EXTENT: u32 = 4096;
/// Margin around the tile, so that wide lines and symbols at its border are drawn whole.
const MARGIN: i32 = 64;

/// A tile with its grid.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) id: TileId,
}

impl Frame {
    /// The tile with its margin.
    pub(super) const BOUNDS: GridBox = GridBox { low: [-MARGIN; 2], high: [EXTENT as i32 + MARGIN; 2] };

    /// The tile with its margin, in degrees.
    pub(super) fn degrees(&self) -> BoundingBox {
        self.id.bounds(f64::from(MARGIN) / f64::from(EXTENT))
    }

    /// The grid point nearest to a position, which may be outside the tile.
    pub(super) fn point(&self, at: LatLon) -> GridPoint {
        let tiles = f64::from(self.id.z).exp2();
        let [x, y] = project(at);
        let on_grid =
            |share: f64, tile: u32| ((share * tiles - f64::from(tile)) * f64::from(EXTENT)).round() as i32;
        [on_grid(x, self.id.x), on_grid(y, self.id.y)]
    }

    /// The grid point of a point of the whole world's grid at a zoom.
    pub(super) fn of_world(&self, point: GridPoint, zoom: u32) -> GridPoint {
        let on_grid = |at: i32, tile: u32| {
            let at = i64::from(at);
            let at = if self.id.z <= zoom { at >> (zoom - self.id.z) } else { at << (self.id.z - zoom) };
            (at - i64::from(tile) * i64::from(EXTENT)) as i32
        };
        [on_grid(point[0], self.id.x), on_grid(point[1], self.id.y)]
    }

    /// The tile with its margin on the whole world's grid at a zoom.
    pub(super) fn world_bounds(&self, zoom: u32) -> GridBox {
        let on_world = |at: i32, tile: u32| {
            let at = i64::from(tile) * i64::from(EXTENT) + i64::from(at);
            let at = if self.id.z <= zoom { at << (zoom - self.id.z) } else { at >> (self.id.z - zoom) };
            at.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
        };
        let corner = |[x, y]: GridPoint| [on_world(x, self.id.x), on_world(y, self.id.y)];
        GridBox { low: corner(Frame::BOUNDS.low), high: corner(Frame::BOUNDS.high) }
    }
}

/// Columns and rows of the whole world's grid at a zoom up to 18.
pub(super) fn world_side(zoom: u32) -> i32 {
    (EXTENT as i32) << zoom
}

/// The point of a position on the whole world's grid at a zoom up to 18.
pub(super) fn world_point(at: LatLon, zoom: u32) -> GridPoint {
    project(at).map(|share| (share * f64::from(world_side(zoom))).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_a_grid_point_agree() {
        let porto = LatLon::new(41.1496, -8.611);
        for z in 0..=16 {
            let tiles = f64::from(z).exp2();
            let [x, y] = project(porto).map(|share| (share * tiles) as u32);
            let frame = Frame { id: TileId { z, x, y } };
            let (direct, world) = (frame.point(porto), frame.of_world(world_point(porto, 16), 16));
            assert!((0..2).all(|axis| (direct[axis] - world[axis]).abs() <= 1), "{direct:?} {world:?}");
            assert!((0..2).all(|axis| (0..=4096).contains(&direct[axis])));
            let bounds = frame.world_bounds(16);
            assert!(bounds.contains(&GridBox::around([&world_point(porto, 16)])));
        }
    }
}
