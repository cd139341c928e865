//! The spatial index of the street edges.

use trestle_model::cell_grid::CellGrid;
use trestle_model::geo::{BoundingBox, LatLon};
use trestle_model::ids::EdgeIdx;
use trestle_model::lists::Lists;
use trestle_model::rules::{index, offsets, single};
use trestle_model::{BitSet, Column, columns};

use crate::edge::EdgeKind;
use crate::graph::StreetGraph;
use crate::rules;

/// Height of a cell in degrees (≈ 110 m), unless the graph is so large that cells must grow.
pub(crate) const CELL_DEGREES: f64 = 0.001;
/// Largest number of cells of an index.
const MAX_CELLS: f64 = 4e6;

columns! {
    /// A uniform grid over all street edges, for nearest-edge look-ups.
    pub struct EdgeIndex in StreetGraph {
        /// South, west, cell height, cell width in degrees (one entry).
        pub frame: Column<[f64; 4]> => |_| single(rules::frame),
        /// Rows and columns (one entry).
        pub size: Column<[u32; 2]> => |_| single(rules::grid_size),
        /// First entry in `edges` of each cell, row by row; one more entry than cells.
        pub offsets: Column<u32> => |g| offsets(rules::cells(g), g.spatial.edges.len()),
        /// Edges whose bounding box touches the cell.
        pub edges: Column<u32> => |g| index(g.spatial.edges.len(), g.arcs.len()),
    }
}

impl EdgeIndex {
    /// The index of all street edges of a graph whose other columns are complete.
    pub fn build(graph: &StreetGraph) -> EdgeIndex {
        let streets: Vec<u32> = (0..graph.edge_count() as u32)
            .filter(|&e| graph.edge(EdgeIdx(e)).kind() == EdgeKind::Street)
            .collect();
        let boxes: Vec<BoundingBox> =
            streets.iter().map(|&e| BoundingBox::around(graph.edge_line(EdgeIdx(e)))).collect();
        if boxes.is_empty() {
            return EdgeIndex::default();
        }
        let area = BoundingBox::around(boxes.iter().flat_map(|area| area.corners()));
        let grid = CellGrid::over(area, CELL_DEGREES, MAX_CELLS);
        let in_cells = streets
            .iter()
            .zip(&boxes)
            .flat_map(|(&edge, area)| grid.rows_in(*area).flatten().map(move |cell| (cell, edge)));
        let Lists { offsets, items } = Lists::of(grid.count(), in_cells);
        EdgeIndex {
            frame: vec![[grid.south, grid.west, grid.height, grid.width]].into(),
            size: vec![[grid.rows, grid.columns]].into(),
            offsets: offsets.into(),
            edges: items.into(),
        }
    }

    /// The grid; `None` without street edges.
    pub fn grid(&self) -> Option<CellGrid> {
        let (&[south, west, height, width], &[rows, columns]) = self.frame.first().zip(self.size.first())?;
        Some(CellGrid { south, west, height, width, rows, columns })
    }

    /// Street edges whose bounding box may touch `area`, in order of their numbers.
    pub fn within(&self, area: BoundingBox) -> Vec<EdgeIdx> {
        let Some(grid) = self.grid().filter(|grid| grid.area().touches(area)) else { return Vec::new() };
        let mut found = BitSet::default();
        for cells in grid.rows_in(area) {
            let [first, last] = [cells.start, cells.end].map(|cell| self.offsets[cell as usize] as usize);
            self.edges[first..last].iter().for_each(|&edge| found.insert(edge as usize));
        }
        found.iter().map(EdgeIdx::from).collect()
    }

    /// Calls `visit` with the edges of the cells around `center`, ring after ring (an edge may come several times),
    /// until `enough` returns true for the distance of the next ring (degrees of latitude). Visits nothing for a position
    /// that is not on Earth.
    pub(crate) fn rings(
        &self,
        center: LatLon,
        mut visit: impl FnMut(u32),
        mut enough: impl FnMut(f64) -> bool,
    ) {
        let Some(grid) = self.grid().filter(|_| center.is_on_earth()) else { return };
        let CellGrid { south, west, height, width, rows, columns } = grid;
        let (row, column) =
            (((center.lat - south) / height).floor() as i64, ((center.lon - west) / width).floor() as i64);
        let (last_row, last_column) = (i64::from(rows) - 1, i64::from(columns) - 1);
        let nearest = (-row).max(row - last_row).max(-column).max(column - last_column).max(0);
        let farthest =
            row.abs().max((last_row - row).abs()).max(column.abs()).max((last_column - column).abs());
        let narrow = height.min(width * center.lat.to_radians().cos());
        let mut visit_cell = |r: i64, c: i64| {
            let cell = (r * i64::from(columns) + c) as usize;
            let range = self.offsets[cell] as usize..self.offsets[cell + 1] as usize;
            self.edges[range].iter().for_each(|&e| visit(e));
        };
        for ring in nearest..=farthest {
            if enough((ring - 1).max(0) as f64 * narrow) {
                return;
            }
            for r in (row - ring).max(0)..=(row + ring).min(last_row) {
                if (r - row).abs() == ring {
                    let columns = (column - ring).max(0)..=(column + ring).min(last_column);
                    columns.for_each(|c| visit_cell(r, c));
                } else {
                    let sides = [column - ring, column + ring];
                    sides.iter().filter(|c| (0..=last_column).contains(c)).for_each(|&c| visit_cell(r, c));
                }
            }
        }
    }
}
