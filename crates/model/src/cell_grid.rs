//! Grids of equal cells, for finding what is near a position.

use std::ops::Range;

use crate::geo::{BoundingBox, LatLon};

/// A grid of equal cells, which are about square in the middle of its area. They are numbered row by row from the south,
/// and in each row from the west.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CellGrid {
    /// Latitude of its edge.
    pub south: f64,
    /// Longitude of its edge.
    pub west: f64,
    /// Height of a cell, degrees.
    pub height: f64,
    /// Width of a cell, degrees.
    pub width: f64,
    /// Number of rows.
    pub rows: u32,
    /// Number of cells in a row.
    pub columns: u32,
}

impl CellGrid {
    /// A grid of cells of this height (degrees) over an area. They are larger if there would be more than `most`.
    pub fn over(area: BoundingBox, height: f64, most: f64) -> CellGrid {
        let BoundingBox { south, west, north, east } = area;
        let cos = ((south + north) / 2.0).to_radians().cos().max(0.01);
        let [rows, columns] = [(north - south) / height, (east - west) * cos / height];
        // The factor f for which (rows / f + 1)(columns / f + 1) is `most`.
        let (sum, others) = (rows + columns, most.max(2.0) - 1.0);
        let factor = (sum + (sum * sum + 4.0 * others * rows * columns).sqrt()) / (2.0 * others);
        let height = height * factor.max(1.0);
        let width = height / cos;
        let count = |degrees: f64, cell: f64| (degrees / cell) as u32 + 1;
        let (rows, columns) = (count(north - south, height), count(east - west, width));
        CellGrid { south, west, height, width, rows, columns }
    }

    /// Number of cells.
    pub fn count(&self) -> usize {
        self.rows as usize * self.columns as usize
    }

    /// The ground that the cells cover.
    pub fn area(&self) -> BoundingBox {
        BoundingBox {
            south: self.south,
            west: self.west,
            north: self.south + f64::from(self.rows) * self.height,
            east: self.west + f64::from(self.columns) * self.width,
        }
    }

    /// Row and column of a position; those of the nearest cell for a position outside.
    fn row_and_column(&self, at: LatLon) -> [u32; 2] {
        let clamp = |x: f64, n: u32| (x.max(0.0) as u32).min(n - 1);
        [
            clamp((at.lat - self.south) / self.height, self.rows),
            clamp((at.lon - self.west) / self.width, self.columns),
        ]
    }

    /// The cell of a position; the nearest one for a position outside.
    pub fn cell(&self, at: LatLon) -> u32 {
        let [row, column] = self.row_and_column(at);
        row * self.columns + column
    }

    /// The cells that a box touches, a range for each row; the nearest ones for a box outside.
    pub fn rows_in(&self, area: BoundingBox) -> impl Iterator<Item = Range<u32>> + Clone + use<> {
        let [low, high] = area.corners().map(|corner| self.row_and_column(corner));
        let columns = self.columns;
        (low[0]..=high[0]).map(move |row| row * columns + low[1]..row * columns + high[1] + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELL: f64 = 0.002;

    fn cells(grid: &CellGrid, area: BoundingBox) -> Vec<u32> {
        grid.rows_in(area).flatten().collect()
    }

    #[test]
    fn a_box_touches_every_cell_between_its_corners() {
        let area = BoundingBox { south: 41.0, west: -8.0, north: 41.011, east: -7.99 };
        let grid = CellGrid::over(area, CELL, 800.0);
        assert_eq!([grid.rows, grid.columns], [6, 4]);
        assert_eq!(cells(&grid, area), (0..24).collect::<Vec<_>>());
        assert_eq!(cells(&grid, BoundingBox { south: 40.0, west: -8.1, north: 41.0001, east: -7.9999 }), [0]);
        let inner = BoundingBox { south: 41.003, west: -7.997, north: 41.005, east: -7.994 };
        assert_eq!(cells(&grid, inner), [5, 6, 9, 10]);
        assert_eq!(grid.cell(LatLon::new(41.005, -7.994)), 10);
        assert!(grid.area().touches(area) && grid.area().has(LatLon::new(41.011, -7.99)));
    }

    #[test]
    fn a_grid_over_the_globe_stays_small() {
        let globe = BoundingBox { south: -90.0, west: -180.0, north: 90.0, east: 180.0 };
        let along_equator = BoundingBox { south: 0.0, north: 1e-9, ..globe };
        let along_meridian = BoundingBox { west: 0.0, east: 1e-9, ..globe };
        for area in [globe, along_equator, along_meridian] {
            let count = CellGrid::over(area, CELL, 800.0).count();
            assert!((600..=800).contains(&count), "{count}");
        }
    }
}
