//! The spatial index of the street edges.

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
        let BoundingBox { south, west, north, east } =
            BoundingBox::around(boxes.iter().flat_map(|area| area.corners()));
        let cos = ((south + north) / 2.0).to_radians().cos().max(0.01);
        let cells = ((north - south) / CELL_DEGREES) * ((east - west) * cos / CELL_DEGREES);
        let height = CELL_DEGREES * (cells / MAX_CELLS).sqrt().max(1.0);
        let frame = [south, west, height, height / cos];
        let rows = ((north - south) / frame[2]) as u32 + 1;
        let columns = ((east - west) / frame[3]) as u32 + 1;
        let mut index = EdgeIndex {
            frame: vec![frame].into(),
            size: vec![[rows, columns]].into(),
            ..EdgeIndex::default()
        };
        index.fill(&streets, &boxes);
        index
    }

    /// Lists the edges of every cell.
    fn fill(&mut self, streets: &[u32], boxes: &[BoundingBox]) {
        let [rows, columns] = self.size[0];
        let in_cells = streets.iter().zip(boxes).flat_map(|(&edge, area)| {
            let [low, high] = area.corners().map(|corner| self.cell_of(corner));
            let cells = (low[0]..=high[0])
                .flat_map(move |row| (low[1]..=high[1]).map(move |column| row * columns + column));
            cells.map(move |cell| (cell, edge))
        });
        let Lists { offsets, items } = Lists::of((rows * columns) as usize, in_cells);
        (self.offsets, self.edges) = (offsets.into(), items.into());
    }

    /// Row and column of a position, clamped to the grid.
    fn cell_of(&self, at: LatLon) -> [u32; 2] {
        let ([south, west, height, width], [rows, columns]) = (self.frame[0], self.size[0]);
        let clamp = |x: f64, n: u32| (x.max(0.0) as u32).min(n - 1);
        [clamp((at.lat - south) / height, rows), clamp((at.lon - west) / width, columns)]
    }

    /// Street edges whose bounding box may touch `area`, in order of their numbers.
    pub fn within(&self, area: BoundingBox) -> Vec<EdgeIdx> {
        let (Some(&[south, west, height, width]), Some(&[rows, columns])) =
            (self.frame.first(), self.size.first())
        else {
            return Vec::new();
        };
        let grid = BoundingBox {
            south,
            west,
            north: south + f64::from(rows) * height,
            east: west + f64::from(columns) * width,
        };
        if !grid.touches(area) {
            return Vec::new();
        }
        let [low, high] = area.corners().map(|corner| self.cell_of(corner));
        let mut found = BitSet::default();
        for row in low[0]..=high[0] {
            let first = self.offsets[(row * columns + low[1]) as usize] as usize;
            let last = self.offsets[(row * columns + high[1]) as usize + 1] as usize;
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
        let (Some(&[south, west, height, width]), Some(&[rows, columns])) =
            (self.frame.first(), self.size.first())
        else {
            return;
        };
        if !center.is_on_earth() {
            return;
        }
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
