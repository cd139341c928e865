//! The accumulative sampling grid: travel times sampled along streets, spread over the nodes of a regular grid.
//!
//! Every sample adds to its four surrounding nodes with weight 1 / (distance + cell)². So a node's time is a weighted
//! mean of the times to walk to it off the road from nearby samples, and its off-road distance is the least of theirs.
//! Rows of nodes are added around the sampled ground until they are too far off the road.

use trestle_model::geo::{EARTH_RADIUS_M, LatLon, meters_to_degrees};

/// Walking speed off the road, m/s.
pub const OFF_ROAD_SPEED: f64 = 1.0;

/// Most nodes of a grid; requests that need more are refused.
pub const MAX_NODES: usize = 12_000_000;

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

/// A value at a point of a street.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Seconds.
    pub time: f64,
    /// Vehicles boarded.
    pub boardings: f64,
    /// Metres walked.
    pub walk_distance: f64,
}

/// Seconds alone, when nothing else is needed: a third of the memory of a [`Sample`].
#[derive(Clone, Copy, Debug)]
pub struct Seconds(pub f64);

/// Values that a grid can be made of.
pub trait Sampled: Copy + From<Sample> {
    /// The sum of no samples.
    const ZERO: Self;
    /// Farther than everything.
    const FARTHEST: Self;

    /// The sum of both.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// The value times a factor.
    #[must_use]
    fn times(self, factor: f64) -> Self;

    /// `metres` farther off the road.
    #[must_use]
    fn farther(self, metres: f64) -> Self;

    /// The smaller one in every respect.
    #[must_use]
    fn least(self, other: Self) -> Self;

    /// Seconds.
    fn seconds(&self) -> f64;
}

impl From<Sample> for Seconds {
    #[inline]
    fn from(sample: Sample) -> Seconds {
        Seconds(sample.time)
    }
}

impl Sampled for Seconds {
    const ZERO: Seconds = Seconds(0.0);
    const FARTHEST: Seconds = Seconds(f64::INFINITY);

    #[inline]
    fn plus(self, other: Seconds) -> Seconds {
        Seconds(self.0 + other.0)
    }

    #[inline]
    fn times(self, factor: f64) -> Seconds {
        Seconds(self.0 * factor)
    }

    #[inline]
    fn farther(self, metres: f64) -> Seconds {
        Seconds(self.0 + metres / OFF_ROAD_SPEED)
    }

    #[inline]
    fn least(self, other: Seconds) -> Seconds {
        Seconds(self.0.min(other.0))
    }

    #[inline]
    fn seconds(&self) -> f64 {
        self.0
    }
}

impl Sampled for Sample {
    const ZERO: Sample = Sample { time: 0.0, boardings: 0.0, walk_distance: 0.0 };
    const FARTHEST: Sample =
        Sample { time: f64::INFINITY, boardings: f64::INFINITY, walk_distance: f64::INFINITY };

    #[inline]
    fn plus(self, other: Sample) -> Sample {
        Sample {
            time: self.time + other.time,
            boardings: self.boardings + other.boardings,
            walk_distance: self.walk_distance + other.walk_distance,
        }
    }

    #[inline]
    fn times(self, factor: f64) -> Sample {
        Sample {
            time: self.time * factor,
            boardings: self.boardings * factor,
            walk_distance: self.walk_distance * factor,
        }
    }

    #[inline]
    fn farther(self, metres: f64) -> Sample {
        Sample {
            time: self.time + metres / OFF_ROAD_SPEED,
            walk_distance: self.walk_distance + metres,
            ..self
        }
    }

    #[inline]
    fn least(self, other: Sample) -> Sample {
        Sample {
            time: self.time.min(other.time),
            boardings: self.boardings.min(other.boardings),
            walk_distance: self.walk_distance.min(other.walk_distance),
        }
    }

    #[inline]
    fn seconds(&self) -> f64 {
        self.time
    }
}

/// Samples at one point, summed.
#[derive(Clone, Copy, Debug)]
pub struct Samples<S> {
    /// Number of samples.
    pub count: f64,
    sum: S,
}

impl<S: Sampled> Samples<S> {
    /// No samples.
    pub const NONE: Self = Samples { count: 0.0, sum: S::ZERO };

    /// `count` equal samples.
    #[inline]
    pub fn repeated(count: f64, sample: S) -> Self {
        Samples { count, sum: sample.times(count) }
    }

    /// Adds a sample.
    #[inline]
    pub fn add(&mut self, sample: S) {
        self.count += 1.0;
        self.sum = self.sum.plus(sample);
    }
}

impl<S: Sampled> From<S> for Samples<S> {
    fn from(sum: S) -> Samples<S> {
        Samples { count: 1.0, sum }
    }
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

/// More nodes than [`MAX_NODES`] would be needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the grid would have {nodes} nodes, at most {MAX_NODES} are allowed; use larger cells or a shorter time"
)]
pub struct GridTooLarge {
    /// Nodes needed.
    pub nodes: u64,
}

/// A rectangular window of the grid.
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
    ///
    /// # Errors
    /// [`GridTooLarge`].
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

    #[inline]
    fn index(&self, x: i32, y: i32) -> usize {
        (y - self.south) as usize * self.width as usize + (x - self.west) as usize
    }

    /// Adds the samples at `point`, which must lie in the window, to the four nodes around it.
    #[inline]
    pub fn add(&mut self, point: LatLon, samples: &Samples<S>) {
        let (x, y) = self.scale.cell_of(point);
        let at = self.index(x, y);
        let above = at + self.width as usize;
        let distances = self.scale.corner_distances(point, x, y);
        let weights = distances.map(|d| (d + self.frame.smoothing_m).powi(-2));
        let Samples { count, sum } = *samples;
        for (i, at) in [at, at + 1, above, above + 1].into_iter().enumerate() {
            let (d, w) = (distances[i], weights[i]);
            let node = &mut self.nodes[at];
            node.weight += w * count;
            node.sample = node.sample.plus(sum.farther(count * d).times(w));
            node.distance = node.distance.min(d);
        }
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
    /// follow after it.
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

    /// West-most and south-most node and the window's width and height.
    pub fn window(&self) -> (i32, i32, i32, i32) {
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
        let at = grid.index(0, 0);
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
