//! Converts positions to pixels of a tile.

use trestle_model::geo::{BoundingBox, EARTH_RADIUS_M, LatLon};
use trestle_model::mercator::{TileId, project};

use super::pieces::{Point, SIZE};

/// Highest zoom that has tiles.
const MAX_ZOOM: u32 = 24;
/// Rows whose latitude is computed exactly; between them it is interpolated, with errors below 1/1000 pixel.
const KNOWN_ROWS: usize = 256;

/// The Mercator projection of one tile.
pub(super) struct Projection {
    pub(super) bounds: BoundingBox,
    /// Width of lines at this scale, pixels.
    pub(super) line_width: f32,
    columns_per_degree: f64,
    /// Counts the rows that are computed exactly.
    rows_per_degree: f64,
    /// Pixels from the north at equidistant latitudes from north to south.
    rows: Vec<f64>,
}

impl Projection {
    /// `None` when there is no such tile.
    pub(super) fn new(id: TileId) -> Option<Projection> {
        if !id.exists(MAX_ZOOM) {
            return None;
        }
        let bounds = id.bounds(0.0);
        let BoundingBox { south, west, north, east } = bounds;
        let tiles = f64::from(id.z).exp2();
        let row = |latitude: f64| project(LatLon::new(latitude, west))[1] * tiles;
        let side = f64::from(SIZE);
        let meters_per_pixel = (north - south).to_radians() * EARTH_RADIUS_M / side;
        let rows = (0..=KNOWN_ROWS)
            .map(|i| row(north + (south - north) * i as f64 / KNOWN_ROWS as f64))
            .map(|row| (row - f64::from(id.y)) * side)
            .collect();
        Some(Projection {
            bounds,
            columns_per_degree: side / (east - west),
            rows_per_degree: KNOWN_ROWS as f64 / (north - south),
            line_width: (1.0 + 3.0 / meters_per_pixel.sqrt()) as f32,
            rows,
        })
    }

    /// The pixel position of a place, which may be outside the tile.
    pub(super) fn point(&self, at: LatLon) -> Point {
        let x = (at.lon - self.bounds.west) * self.columns_per_degree;
        let position = (self.bounds.north - at.lat) * self.rows_per_degree;
        let i = (position.max(0.0) as usize).min(KNOWN_ROWS - 1);
        let y = self.rows[i] + (self.rows[i + 1] - self.rows[i]) * (position - i as f64);
        [x as f32, y as f32]
    }

    /// Pixels around the tile from which drawings may extend into it: twice the line width.
    pub(super) fn margin(&self) -> f32 {
        2.0 * self.line_width
    }

    /// The box of what may be visible in the tile.
    pub(super) fn drawn_bounds(&self) -> BoundingBox {
        let BoundingBox { south, west, north, east } = self.bounds;
        let margin = f64::from(self.margin()) / f64::from(SIZE);
        self.bounds.widened((north - south) * margin, (east - west) * margin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_and_the_middle_are_mercator() {
        let projection = Projection::new(TileId { z: 1, x: 0, y: 0 }).unwrap();
        let BoundingBox { south, west, north, east } = projection.bounds;
        let near = |a: Point, b: Point| (a[0] - b[0]).abs() < 0.05 && (a[1] - b[1]).abs() < 0.05;
        assert!(near(projection.point(LatLon::new(north, west)), [0.0, 0.0]));
        assert!(near(projection.point(LatLon::new(south, east)), [256.0, 256.0]));
        // Half way between the equator and the edge of the map lies 66.51 degrees north.
        assert!(near(projection.point(LatLon::new(66.513_260_4, -90.0)), [128.0, 128.0]));
    }

    #[test]
    fn tiles_beyond_the_grid_do_not_exist() {
        assert!(Projection::new(TileId { z: 2, x: 4, y: 0 }).is_none());
        assert!(Projection::new(TileId { z: 25, x: 0, y: 0 }).is_none());
    }
}
