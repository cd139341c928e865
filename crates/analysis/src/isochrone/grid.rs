//! The accumulative sampling grid: travel times sampled along streets, spread over the nodes of a regular grid.
//!
//! Every sample adds to its four surrounding nodes with weight 1 / (distance + cell)². So a node's time is a weighted
//! mean of the times to walk to it off the road from nearby samples, and its off-road distance is the least of theirs.
//! Rows of nodes are added around the sampled ground until they are too far off the road.

use trestle_model::geo::{EARTH_RADIUS_M, LatLon, meters_to_degrees};

use super::sampled::{Sample, Sampled, Samples};

/// Largest number of nodes of a grid; requests that need more are refused.
const MAX_NODES: usize = 12_000_000;

/// Position of a grid's nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridFrame {
    /// A point exactly on a node.
    pub anchor: LatLon,
    /// Cell height in degrees.
    pub cell_lat: f64,
    /// Cell width in degrees.
    pub cell_lon: f64,
    /// Cell size in metres.
    pub cell_m: f64,
    /// Added to the distance of a sample in its weight, metres.
    pub smoothing_m: f64,
    /// Off-road distance beyond which a node counts as unreachable, metres.
    pub off_road_m: f64,
    /// Cosine of the latitude at which distances are measured.
    pub cos_lat: f64,
}

impl GridFrame {
    /// Cells of `cell_m` metres around `anchor`.
    pub fn new(anchor: LatLon, cell_m: f64, off_road_m: f64) -> Self {
        let cos_lat = anchor.lat.to_radians().cos().max(1e-6);
        let cell_lat = meters_to_degrees(cell_m);
        GridFrame {
            anchor,
            cell_lat,
            cell_lon: cell_lat / cos_lat,
            cell_m,
            smoothing_m: cell_m,
            off_road_m,
            cos_lat,
        }
    }

    /// Position of a node.
    #[inline]
    pub fn node(&self, x: i32, y: i32) -> LatLon {
        LatLon::new(
            self.anchor.lat + f64::from(y) * self.cell_lat,
            self.anchor.lon + f64::from(x) * self.cell_lon,
        )
    }

    fn scale(&self) -> Scale {
        let metres = |degrees: f64| degrees.to_radians() * EARTH_RADIUS_M;
        let metres = [metres(self.cos_lat), metres(1.0)];
        let cell = [self.cell_lon, self.cell_lat];
        let sides = [cell[0] * metres[0], cell[1] * metres[1]];
        Scale { anchor: self.anchor, cells: cell.map(|degrees| 1.0 / degrees), metres, sides }
    }
}

/// A frame prepared for looking up positions; pairs are west to east first, then south to north.
#[derive(Clone, Copy, Debug)]
struct Scale {
    anchor: LatLon,
    /// Cells per degree.
    cells: [f64; 2],
    /// Metres per degree.
    metres: [f64; 2],
    /// Metres per cell.
    sides: [f64; 2],
}

impl Scale {
    /// Index of the cell whose lower left node is the nearest one to the lower left of `point`.
    #[inline]
    fn cell_of(&self, point: LatLon) -> (i32, i32) {
        let [x, y] = self.offset_of(point, self.cells);
        (rounded(x - 0.5), rounded(y - 0.5))
    }

    /// Metres from a point to the corners of a cell: lower left, lower right, upper left, upper right.
    #[inline]
    fn corner_distances(&self, point: LatLon, x: i32, y: i32) -> [f64; 4] {
        let [east, north] = self.offset_of(point, self.metres);
        let squares = |along: f64, side: f64| [along * along, (along - side) * (along - side)];
        let [west, east] = squares(east - f64::from(x) * self.sides[0], self.sides[0]);
        let [south, north] = squares(north - f64::from(y) * self.sides[1], self.sides[1]);
        [west + south, east + south, west + north, east + north].map(f64::sqrt)
    }

    #[inline]
    fn offset_of(&self, point: LatLon, per_degree: [f64; 2]) -> [f64; 2] {
        let Scale { anchor, .. } = self;
        [(point.lon - anchor.lon) * per_degree[0], (point.lat - anchor.lat) * per_degree[1]]
    }
}

/// The nearest whole number, as from `round`, without a function call.
#[inline]
fn rounded(x: f64) -> i32 {
    (x + 0.5f64.copysign(x)) as i32
}

/// A node of the grid: sums while sampling, means afterwards.
#[derive(Clone, Copy, Debug)]
struct Node<S> {
    weight: f64,
    sample: S,
    distance: f64,
}

impl<S: Sampled> Node<S> {
    const ABSENT: Node<S> = Node { weight: 0.0, sample: S::ZERO, distance: f64::INFINITY };
}

/// More nodes would be needed than a grid may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the grid would have {nodes} nodes, but at most {MAX_NODES} are allowed; use larger cells or a shorter time"
)]
pub struct GridTooLarge {
    /// Nodes needed.
    pub nodes: u64,
}

/// A rectangle of the grid.
#[derive(Clone, Debug)]
pub struct Grid<S = Sample> {
    /// Where the nodes are.
    pub frame: GridFrame,
    scale: Scale,
    west: i32,
    south: i32,
    width: i32,
    height: i32,
    nodes: Vec<Node<S>>,
}

impl<S: Sampled> Grid<S> {
    /// An empty grid that can take samples between `south_west` and `north_east`.
    pub fn covering(frame: GridFrame, south_west: LatLon, north_east: LatLon) -> Result<Self, GridTooLarge> {
        let rings = (frame.off_road_m / frame.cell_m).ceil() as i32 + 3;
        let scale = frame.scale();
        let ((x0, y0), (x1, y1)) = (scale.cell_of(south_west), scale.cell_of(north_east));
        let side =
            |low: i32, high: i32| (i64::from(high) - i64::from(low)).max(0) as u64 + 2 + 2 * rings as u64;
        let (width, height) = (side(x0, x1), side(y0, y1));
        let nodes = width.saturating_mul(height);
        if nodes > MAX_NODES as u64 {
            return Err(GridTooLarge { nodes });
        }
        Ok(Grid {
            frame,
            scale,
            west: x0 - rings,
            south: y0 - rings,
            width: width as i32,
            height: height as i32,
            nodes: vec![Node::ABSENT; nodes as usize],
        })
    }

    /// Adds the samples at `point`, which must lie in the rectangle, to the four nodes around it.
    #[inline]
    pub fn add(&mut self, point: LatLon, samples: &Samples<S>) {
        for mut strip in self.strips(&[]) {
            if let Some(cell) = strip.rows.cell_of(point) {
                strip.add(point, cell, samples);
            }
        }
    }

    /// All rows, divided into strips at ascending latitudes. Several threads can fill the strips; if each of them adds
    /// the same samples in the same order, the sums do not depend on the number of strips.
    pub fn strips(&mut self, latitudes: &[f64]) -> Vec<Strip<'_, S>> {
        let Grid { frame, scale, west, south, width, height, .. } = *self;
        let row_of = |lat: &f64| scale.cell_of(LatLon { lat: *lat, ..frame.anchor }).1;
        let mut nodes = self.nodes.as_mut_slice();
        let mut first = south;
        let mut strips = Vec::with_capacity(latitudes.len() + 1);
        for end in latitudes.iter().map(row_of).chain([south + height]) {
            let end = end.clamp(first, south + height);
            let (own, rest) = nodes.split_at_mut((end - first) as usize * width as usize);
            let rows = Rows { scale, first, end };
            strips.push(Strip { rows, smoothing_m: frame.smoothing_m, west, width, nodes: own });
            (nodes, first) = (rest, end);
        }
        strips
    }

    /// Turns sums into means and adds rows of nodes around the ground until they are off the road.
    pub fn close(&mut self) {
        let mut front: Vec<usize> = Vec::new();
        for (at, node) in self.nodes.iter_mut().enumerate() {
            if node.weight > 0.0 {
                node.sample = node.sample.times(1.0 / node.weight);
                node.weight = 1.0;
                front.push(at);
            }
        }
        while !front.is_empty() {
            let mut next = Vec::new();
            for at in front {
                for neighbour in self.neighbours(at).into_iter().flatten() {
                    if self.nodes[neighbour].weight == 0.0 && !self.close_node(neighbour) {
                        next.push(neighbour);
                    }
                }
            }
            front = next;
        }
    }

    /// Right, left, up, down.
    fn neighbours(&self, at: usize) -> [Option<usize>; 4] {
        let (w, x) = (self.width as usize, at % self.width as usize);
        [
            (x + 1 < w).then(|| at + 1),
            (x > 0).then(|| at - 1),
            (at + w < self.nodes.len()).then(|| at + w),
            at.checked_sub(w),
        ]
    }

    /// Fills a node from its neighbours. Returns whether they are all off the road already, so that no further row is
    /// needed.
    fn close_node(&mut self, at: usize) -> bool {
        let (mut least, mut distance) = (S::FARTHEST, f64::INFINITY);
        for neighbour in self.neighbours(at).into_iter().flatten() {
            let node = &self.nodes[neighbour];
            if node.weight > 0.0 {
                least = least.least(node.sample);
                distance = distance.min(node.distance);
            }
        }
        let cell = self.frame.cell_m;
        self.nodes[at] = Node { weight: 1.0, sample: least.farther(cell), distance: distance + cell };
        distance > self.frame.off_road_m
    }

    /// West-most and south-most node, width and height.
    pub fn rectangle(&self) -> (i32, i32, i32, i32) {
        (self.west, self.south, self.width, self.height)
    }

    /// Whether the node at `at` (row by row from the south-west) exists.
    #[inline]
    pub fn exists(&self, at: usize) -> bool {
        self.nodes[at].weight > 0.0
    }

    /// The mean sample of a node.
    #[inline]
    pub fn sample(&self, at: usize) -> S {
        self.nodes[at].sample
    }

    /// Metres off the road.
    #[inline]
    pub fn distance(&self, at: usize) -> f64 {
        self.nodes[at].distance
    }
}

/// Some rows of a grid, to which samples are added.
pub struct Strip<'g, S> {
    /// Which rows these are.
    pub rows: Rows,
    smoothing_m: f64,
    west: i32,
    width: i32,
    nodes: &'g mut [Node<S>],
}

/// Consecutive rows.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    scale: Scale,
    first: i32,
    /// The one after the last.
    end: i32,
}

impl Rows {
    /// The cell of a point, if it has a corner in these rows.
    #[inline]
    pub fn cell_of(&self, point: LatLon) -> Option<(i32, i32)> {
        let (x, y) = self.scale.cell_of(point);
        (self.first - 1..self.end).contains(&y).then_some((x, y))
    }
}

impl<S: Sampled> Strip<'_, S> {
    /// Adds the samples at a point of a cell to those of its corners that are in these rows.
    #[inline]
    pub fn add(&mut self, point: LatLon, (x, y): (i32, i32), samples: &Samples<S>) {
        let Rows { scale, first, end } = self.rows;
        let distances = scale.corner_distances(point, x, y);
        let weights = distances.map(|d| (d + self.smoothing_m).powi(-2));
        let Samples { count, sum } = *samples;
        for (row, corner) in [(y, 0), (y + 1, 2)] {
            if !(first..end).contains(&row) {
                continue;
            }
            let at = (row - first) as usize * self.width as usize + (x - self.west) as usize;
            for side in 0..2 {
                let (d, w) = (distances[corner + side], weights[corner + side]);
                let node = &mut self.nodes[at + side];
                node.weight += w * count;
                node.sample = node.sample.plus(sum.farther(count * d).times(w));
                node.distance = node.distance.min(d);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> GridFrame {
        GridFrame::new(LatLon::new(45.0, 9.0), 200.0, 150.0)
    }

    #[test]
    fn the_anchor_lies_on_a_node_and_cells_are_square_in_metres() {
        let frame = frame();
        assert_eq!(frame.node(0, 0), frame.anchor);
        let [here, east, north, across] = frame.scale().corner_distances(frame.anchor, 0, 0);
        assert_eq!(here, 0.0);
        assert!((east - 200.0).abs() < 1e-6 && (north - 200.0).abs() < 1e-6, "{east} {north}");
        assert!((across - 200.0 * 2f64.sqrt()).abs() < 1e-6, "{across}");
    }

    #[test]
    fn one_sample_gives_four_nodes_and_closing_adds_rows_until_off_the_road() {
        let frame = frame();
        let mut grid = Grid::covering(frame, frame.anchor, frame.anchor).unwrap();
        grid.add(frame.anchor, &Sample { time: 60.0, ..Sample::default() }.into());
        let count = |g: &Grid| (0..g.nodes.len()).filter(|&i| g.exists(i)).count();
        assert_eq!(count(&grid), 4);
        grid.close();
        let at = (-grid.south * grid.width - grid.west) as usize;
        assert_eq!((grid.sample(at).time, grid.distance(at)), (60.0, 0.0));
        assert!(count(&grid) > 4);
        let outside =
            (0..grid.nodes.len()).filter(|&i| grid.exists(i) && grid.distance(i) > frame.off_road_m);
        assert!(outside.count() >= 4, "the ground is closed in by nodes that are off the road");
    }

    #[test]
    fn a_grid_of_too_many_nodes_is_refused() {
        let (a, b) = (LatLon::new(0.0, 0.0), LatLon::new(80.0, 170.0));
        let frame = GridFrame::new(a, 10.0, 150.0);
        assert!(
            matches!(Grid::<Sample>::covering(frame, a, b), Err(GridTooLarge { nodes }) if nodes > MAX_NODES as u64)
        );
    }
}
