//! A uniform grid over the network while it is being built.

use trestle_model::geo::{BoundingBox, LatLon, meters_to_degrees};

/// Height and width of a cell, metres.
const CELL_M: f64 = 200.0;
/// Cells are made larger when there would be more than this many per edge.
const MAX_CELLS_PER_EDGE: usize = 8;

/// The layout of a uniform grid.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct GridFrame {
    pub(crate) south: f64,
    pub(crate) west: f64,
    pub(crate) cell_height: f64,
    pub(crate) cell_width: f64,
    pub(crate) rows: u32,
    pub(crate) columns: u32,
}

impl GridFrame {
    /// A grid of about 200 m cells over `area`, coarser when that would give far more cells than entries.
    pub(crate) fn over(area: BoundingBox, entries: usize) -> Self {
        let mut cell_height = meters_to_degrees(CELL_M);
        let middle = ((area.south + area.north) / 2.0).to_radians();
        let mut cell_width = cell_height / middle.cos().max(0.01);
        let count = |extent: f64, cell: f64| (extent / cell).floor() as usize + 1;
        let limit = entries.saturating_mul(MAX_CELLS_PER_EDGE).max(64);
        let size =
            |height, width| (count(area.north - area.south, height), count(area.east - area.west, width));
        let (mut rows, mut columns) = size(cell_height, cell_width);
        while rows.saturating_mul(columns) > limit {
            cell_height *= 2.0;
            cell_width *= 2.0;
            (rows, columns) = size(cell_height, cell_width);
        }
        GridFrame {
            south: area.south,
            west: area.west,
            cell_height,
            cell_width,
            rows: rows as u32,
            columns: columns as u32,
        }
    }

    /// Row and column of the cell of a position; the nearest cell for positions outside.
    fn cell(&self, at: LatLon) -> (u32, u32) {
        let index = |offset: f64, cell: f64, count: u32| {
            ((offset / cell).floor().max(0.0) as u32).min(count.saturating_sub(1))
        };
        (
            index(at.lat - self.south, self.cell_height, self.rows),
            index(at.lon - self.west, self.cell_width, self.columns),
        )
    }

    /// Calls `visit` with the index of each cell that a box touches.
    pub(crate) fn for_each_cell(&self, area: BoundingBox, mut visit: impl FnMut(usize)) {
        let [(first_row, first_column), (last_row, last_column)] = area.corners().map(|at| self.cell(at));
        for row in first_row..=last_row {
            for column in first_column..=last_column {
                visit(row as usize * self.columns as usize + column as usize);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_touches_every_cell_between_its_corners() {
        let area = BoundingBox { south: 41.0, west: -8.0, north: 41.01, east: -7.99 };
        let frame = GridFrame::over(area, 100);
        assert!(frame.rows >= 4 && frame.columns >= 3);
        let mut cells = Vec::new();
        frame.for_each_cell(area, |cell| cells.push(cell));
        assert_eq!(cells, (0..(frame.rows * frame.columns) as usize).collect::<Vec<_>>());
        cells.clear();
        let corner = BoundingBox { south: 40.0, west: -8.1, north: 41.0001, east: -7.9999 };
        frame.for_each_cell(corner, |cell| cells.push(cell));
        assert_eq!(cells, [0]);
    }

    #[test]
    fn a_grid_over_the_globe_stays_small() {
        let globe = BoundingBox { south: -90.0, west: -180.0, north: 90.0, east: 180.0 };
        let frame = GridFrame::over(globe, 100);
        assert!(frame.rows as usize * frame.columns as usize <= 800);
    }
}
