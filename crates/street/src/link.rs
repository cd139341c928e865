//! Linking points to the street graph.

use trestle_model::{Column, columns};

columns! {
    /// A uniform grid over all street edges, for nearest-edge look-ups.
    pub struct EdgeIndex {
        /// South, west, cell height, cell width in degrees (one entry).
        pub frame: Column<[f64; 4]>,
        /// Rows and columns (one entry).
        pub size: Column<[u32; 2]>,
        /// First entry in `edges` of each cell, row by row; one more entry than cells.
        pub offsets: Column<u32>,
        /// Edges whose bounding box touches the cell.
        pub edges: Column<u32>,
    }
}
