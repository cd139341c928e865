//! Street nodes by position, for look-ups of the nearest ones: walkable ones, and those that lead somewhere.

use std::sync::OnceLock;

use trestle_engine::snapshot::Snapshot;
use trestle_model::Column;
use trestle_model::cell_grid::CellGrid;
use trestle_model::geo::{BoundingBox, EARTH_RADIUS_M, LatLon, meters_to_degrees};
use trestle_model::ids::VertexIdx;
use trestle_model::lists::Lists;
use trestle_street::graph::{StreetGraph, vertex_flags};
use trestle_street::link::LinkEnd;
use trestle_street::nearest_vertices::SearchEnd;

/// Farthest node that a point is joined to, metres.
pub const SAMPLE_RADIUS_M: f64 = 500.0;

/// Height of a cell in degrees (≈ 170 m).
const CELL_DEGREES: f64 = 0.0015;
/// Largest number of cells.
const MAX_CELLS: f64 = 4e6;

/// A node with its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    pub vertex: u32,
    /// Position.
    pub at: LatLon,
}

/// A uniform grid over the nodes. Their positions stay in the columns of the graph.
#[derive(Debug, Default)]
pub struct VertexIndex {
    grid: CellGrid,
    /// First entry in `vertices` of each cell; one more entry than cells.
    offsets: Vec<u32>,
    /// The nodes, cell by cell.
    vertices: Vec<u32>,
    lat: Column<f64>,
    lon: Column<f64>,
}

impl VertexIndex {
    /// The index of a graph, built at the first look-up.
    pub fn of(snapshot: &Snapshot) -> &VertexIndex {
        let kept: &OnceLock<VertexIndex> = snapshot.derived_from_streets.get();
        kept.get_or_init(|| VertexIndex::build(&snapshot.graph.street))
    }

    /// The index of the nodes that travellers can leave (at a destination: reach), built at the first look-up.
    pub fn of_open(snapshot: &Snapshot, by: SearchEnd) -> &VertexIndex {
        #[derive(Default)]
        struct Kept([[OnceLock<VertexIndex>; 2]; 3]);

        let street = &snapshot.graph.street;
        let Kept(modes) = snapshot.derived_from_streets.get();
        let [set_out, arrive] = &modes[by.mode as usize];
        let kept = if by.end == LinkEnd::Destination { arrive } else { set_out };
        kept.get_or_init(|| VertexIndex::build_of(street, |vertex| by.is_open_at(street, VertexIdx(vertex))))
    }

    /// The index of all OSM nodes with a walkable way out.
    pub fn build(graph: &StreetGraph) -> VertexIndex {
        let walkable = |vertex: u32| graph.vertex_flags[vertex as usize] & vertex_flags::WALKABLE != 0;
        VertexIndex::build_of(graph, walkable)
    }

    fn build_of(graph: &StreetGraph, counts: impl Fn(u32) -> bool) -> VertexIndex {
        let is_node = |vertex: u32| graph.vertex_flags[vertex as usize] & vertex_flags::OSM_NODE != 0;
        let counted: Vec<u32> =
            (0..graph.vertex_count() as u32).filter(|&v| is_node(v) && counts(v)).collect();
        let nodes = || counted.iter().copied();
        let position = |vertex: u32| graph.position(VertexIdx(vertex));
        if counted.is_empty() {
            return VertexIndex::default();
        }
        let grid = CellGrid::over(BoundingBox::around(nodes().map(position)), CELL_DEGREES, MAX_CELLS);
        let in_cells = nodes().map(|vertex| (grid.cell(position(vertex)), vertex));
        let Lists { offsets, items: vertices } = Lists::of(grid.count(), in_cells);
        let (lat, lon) = (graph.vertex_lat.clone(), graph.vertex_lon.clone());
        VertexIndex { grid, offsets, vertices, lat, lon }
    }

    /// Calls `visit` with every node within `radius_m` metres of `center`, and some beyond.
    pub fn around(&self, center: LatLon, radius_m: f64, mut visit: impl FnMut(Node)) {
        if self.vertices.is_empty() {
            return;
        }
        let dlat = meters_to_degrees(radius_m);
        let dlon = dlat / center.lat.to_radians().cos().max(0.01);
        let area = BoundingBox::around([center]).widened(dlat, dlon);
        if !self.grid.area().touches(area) {
            return;
        }
        for cells in self.grid.rows_in(area) {
            let [first, last] = [cells.start, cells.end].map(|cell| self.offsets[cell as usize] as usize);
            for &vertex in &self.vertices[first..last] {
                let at = LatLon::new(self.lat[vertex as usize], self.lon[vertex as usize]);
                visit(Node { vertex, at });
            }
        }
    }

    /// Metres to the last of the `CANDIDATES` nearest nodes; infinite when there are fewer within [`SAMPLE_RADIUS_M`].
    pub fn reach(&self, center: LatLon) -> f64 {
        let metres_to = metres_from(center);
        let mut radius = 80.0;
        loop {
            let mut nearest = Nearest::default();
            self.around(center, radius, |node| nearest.offer(node.vertex, metres_to(node.at)));
            let last = nearest.metres[CANDIDATES - 1];
            if last <= radius {
                return last;
            }
            if radius >= SAMPLE_RADIUS_M {
                return f64::INFINITY;
            }
            radius = (radius * 2.5).min(SAMPLE_RADIUS_M);
        }
    }

    /// The nearest nodes within [`SAMPLE_RADIUS_M`], and perhaps some beyond.
    pub fn nearest(&self, center: LatLon) -> Nearest {
        let reach = self.reach(center).min(SAMPLE_RADIUS_M);
        let mut nearest = Nearest::default();
        let metres_to = metres_from(center);
        self.around(center, reach + 1.0, |node| nearest.offer(node.vertex, metres_to(node.at)));
        nearest
    }
}

/// Number of nodes that a look-up compares.
pub(super) const CANDIDATES: usize = 3;

/// Nearest nodes, the nearer first; `u32::MAX` where there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Street vertices.
    pub vertices: [u32; CANDIDATES],
    /// Straight metres to each.
    pub metres: [f64; CANDIDATES],
}

impl Default for Nearest {
    fn default() -> Self {
        Nearest { vertices: [u32::MAX; CANDIDATES], metres: [f64::INFINITY; CANDIDATES] }
    }
}

impl Nearest {
    /// Keeps a node if it is one of the nearest.
    #[inline(always)]
    pub fn offer(&mut self, vertex: u32, metres: f64) {
        if metres >= self.metres[CANDIDATES - 1] {
            return;
        }
        let mut at = CANDIDATES - 1;
        while at > 0 && metres < self.metres[at - 1] {
            (self.vertices[at], self.metres[at]) = (self.vertices[at - 1], self.metres[at - 1]);
            at -= 1;
        }
        (self.vertices[at], self.metres[at]) = (vertex, metres);
    }
}

/// Equirectangular metres from a point to others.
pub(super) fn metres_from(center: LatLon) -> impl Fn(LatLon) -> f64 {
    let cos = center.lat.to_radians().cos();
    move |to| {
        let (x, y) = ((to.lon - center.lon) * cos, to.lat - center.lat);
        (x * x + y * y).sqrt().to_radians() * EARTH_RADIUS_M
    }
}
