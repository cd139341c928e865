//! Which street nodes each pixel of an image uses. They are the same for all surfaces of a graph, so those of tiles are
//! kept.

use std::ops::Range;

use trestle_engine::deadline::Deadline;
use trestle_model::geo::{EARTH_RADIUS_M, LatLon};
use trestle_model::ids::VertexIdx;
use trestle_model::processors::{Supply, on_processors};

use super::vertex_index::{CANDIDATES, Nearest, SAMPLE_RADIUS_M, VertexIndex, metres_from};

/// Side of the blocks of pixels that are looked up together, and of the parts of blocks that share candidates.
const BLOCK: usize = 16;
const PART: usize = 4;
const PIXELS: usize = PART * PART;
const PARTS: usize = (BLOCK / PART) * (BLOCK / PART);

/// Half the diagonal of the largest block whose pixels are looked up together, metres. In a larger one they are so far
/// apart that they share few candidates: a strip of a city may have all of its nodes.
const MOST_HALF_M: f64 = 4.0 * SAMPLE_RADIUS_M;

/// Largest number of candidates that are compared at once: as many as the low bits of a square can number.
const AT_ONCE: usize = 256;

/// Number of rows of blocks that are worth a thread.
const LEAST_ROWS: usize = 4;

/// Means "no vertex".
pub const NO_VERTEX: u32 = u32::MAX;

/// What a pixel or point uses: up to two nodes and the metres to them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Street vertices; [`NO_VERTEX`] for none.
    pub vertices: [u32; 2],
    /// Whole metres.
    pub metres: [u16; 2],
}

impl From<Nearest> for Sample {
    fn from(nearest: Nearest) -> Self {
        Sample::new(nearest.metres.map(|metres| metres as f32), |i| nearest.vertices[i])
    }
}

impl Sample {
    /// The nearest and the third nearest node, which the interface joins places to: the second nearest is usually the
    /// other end of the same street. If there are only two, both.
    #[inline(always)]
    fn new(metres: [f32; CANDIDATES], vertex: impl Fn(usize) -> u32) -> Sample {
        let is_near = |i: usize| metres[i] <= SAMPLE_RADIUS_M as f32;
        let within = |i: usize| if is_near(i) { (vertex(i), metres[i] as u16) } else { (NO_VERTEX, 0) };
        let (first, second) = (within(0), within(if is_near(2) { 2 } else { 1 }));
        Sample { vertices: [first.0, second.0], metres: [first.1, second.1] }
    }

    /// The nodes and the metres to them.
    pub fn nodes(&self) -> impl Iterator<Item = (VertexIdx, f64)> {
        let nodes = self.vertices.into_iter().zip(self.metres);
        let near = nodes.filter(|&(vertex, _)| vertex != NO_VERTEX);
        near.map(|(vertex, metres)| (VertexIdx(vertex), f64::from(metres)))
    }

    /// Whether any node is near.
    pub fn exists(&self) -> bool {
        self.vertices[0] != NO_VERTEX
    }
}

/// Samples of an image, row by row from the north-west.
#[derive(Clone, Debug)]
pub struct SampleGrid {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// One per pixel.
    pub samples: Vec<Sample>,
}

impl SampleGrid {
    /// Looks up every pixel, on all processors; `position` gives the position of the centre of (column, row). Pixels that
    /// are left when the deadline passes have no nodes.
    pub fn new(
        index: &VertexIndex,
        (width, height): (usize, usize),
        position: impl Fn(usize, usize) -> LatLon + Sync,
        deadline: &Deadline,
    ) -> SampleGrid {
        let none = Sample::from(Nearest::default());
        let mut grid = SampleGrid { width, height, samples: vec![none; width * height] };
        let rows_of_blocks = Supply::of(grid.samples.chunks_mut((width * BLOCK).max(1)).enumerate());
        on_processors(height.div_ceil(BLOCK * LEAST_ROWS), || {
            let mut look_up = LookUp::default();
            while let Some((number, samples)) = rows_of_blocks.take() {
                let rows = number * BLOCK..((number + 1) * BLOCK).min(height);
                look_up.rows(index, Block { columns: 0..width, rows }, &position, samples, deadline);
            }
        });
        grid
    }
}

/// Memory of looking up one block after the other.
#[derive(Default)]
struct LookUp {
    around: Vec<Candidate>,
    near: Vec<Candidate>,
}

impl LookUp {
    /// Fills the samples of a row of blocks, unless the deadline passes. A row of a wide image may take long.
    fn rows(
        &mut self,
        index: &VertexIndex,
        row_of_blocks: Block,
        position: &impl Fn(usize, usize) -> LatLon,
        samples: &mut [Sample],
        deadline: &Deadline,
    ) {
        let (width, first) = (row_of_blocks.columns.len(), row_of_blocks.rows.start);
        for block in row_of_blocks.split(BLOCK) {
            if deadline.passed() {
                return;
            }
            let half = block.half_metres(position);
            if half > MOST_HALF_M {
                for (column, row) in block.each() {
                    samples[(row - first) * width + column] = index.nearest(position(column, row)).into();
                }
                continue;
            }
            let Some(cos) = candidates(index, &block, half, position, &mut self.around) else { continue };
            let middles = block.part_middles(position, cos);
            let reaches = NearestOfAll::of(&self.around, &middles).squares[CANDIDATES - 1];
            let parts = block.split(PART);
            for ((part, middle), reach) in parts.zip(middles).zip(reaches) {
                let radius = f64::from(reach).sqrt() + 2.0 * part.half(middle, position, cos);
                let near = narrow(&self.around, middle, radius, &mut self.near);
                let found = NearestOfAll::of(near, &part.pixels(position, cos));
                for ((column, row), sample) in part.each().zip(found.samples(near)) {
                    samples[(row - first) * width + column] = sample;
                }
            }
        }
    }
}

/// Collects the nodes that may be nearest to any pixel of a block, and returns the cosine of its latitude; `None` when
/// there are none. The nearest nodes of any pixel are no farther from the middle than the middle's own nearest plus
/// twice the distance to the corners.
fn candidates(
    index: &VertexIndex,
    block: &Block,
    half: f64,
    position: &impl Fn(usize, usize) -> LatLon,
    found: &mut Vec<Candidate>,
) -> Option<f64> {
    let middle = block.middle(position);
    let metres_to = metres_from(middle);
    let half = half * 1.01 + 0.1;
    let reach = index.reach(middle);
    let radius = if reach.is_finite() { reach + 2.0 * half } else { SAMPLE_RADIUS_M + half };
    let radius = radius.min(SAMPLE_RADIUS_M + half);
    let cos = middle.lat.to_radians().cos();
    found.clear();
    index.around(middle, radius, |node| {
        if metres_to(node.at) <= radius {
            found.push(Candidate { vertex: node.vertex, at: Plane::of(node.at, cos) });
        }
    });
    (!found.is_empty()).then_some(cos)
}

/// A rectangle of pixels.
struct Block {
    columns: Range<usize>,
    rows: Range<usize>,
}

impl Block {
    /// Blocks of at most `side` × `side` pixels, row by row.
    fn split(&self, side: usize) -> impl Iterator<Item = Block> + use<> {
        let parts = move |range: Range<usize>| {
            let end = range.end;
            range.step_by(side).map(move |start| start..(start + side).min(end))
        };
        let columns = self.columns.clone();
        parts(self.rows.clone()).flat_map(move |rows| {
            parts(columns.clone()).map(move |columns| Block { columns, rows: rows.clone() })
        })
    }

    /// Columns and rows of the pixels, row by row.
    fn each(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let columns = self.columns.clone();
        self.rows.clone().flat_map(move |row| columns.clone().map(move |column| (column, row)))
    }

    /// Positions of the pixels of a part in the same order, filled up to a fixed number with the last one.
    fn pixels(&self, position: &impl Fn(usize, usize) -> LatLon, cos: f64) -> [Plane; PIXELS] {
        as_many(self.each().map(|(column, row)| Plane::of(position(column, row), cos)))
    }

    fn middle(&self, position: &impl Fn(usize, usize) -> LatLon) -> LatLon {
        let (c, r) = (&self.columns, &self.rows);
        position((c.start + c.end - 1) / 2, (r.start + r.end - 1) / 2)
    }

    fn corners(&self, position: &impl Fn(usize, usize) -> LatLon) -> impl Iterator<Item = LatLon> {
        let (c, r) = (&self.columns, &self.rows);
        [(c.start, r.start), (c.end - 1, r.start), (c.start, r.end - 1), (c.end - 1, r.end - 1)]
            .map(|(column, row)| position(column, row))
            .into_iter()
    }

    /// Metres from the middle to the farthest corner.
    fn half_metres(&self, position: &impl Fn(usize, usize) -> LatLon) -> f64 {
        self.corners(position).map(metres_from(self.middle(position))).fold(0.0, f64::max)
    }

    /// Degrees from the middle to the farthest corner.
    fn half(&self, middle: Plane, position: &impl Fn(usize, usize) -> LatLon, cos: f64) -> f64 {
        let squares = self.corners(position).map(|corner| middle.square_to(Plane::of(corner, cos)));
        squares.fold(0.0, f64::max).sqrt()
    }

    /// The middles of a block's parts in order, filled up to a fixed number with the last one.
    fn part_middles(&self, position: &impl Fn(usize, usize) -> LatLon, cos: f64) -> [Plane; PARTS] {
        let parts = self.split(PART);
        as_many(parts.map(|part| Plane::of(part.middle(position), cos)))
    }
}

/// The candidates within a radius, in degrees, in their order, written to `near`.
fn narrow<'n>(
    candidates: &[Candidate],
    middle: Plane,
    radius: f64,
    near: &'n mut Vec<Candidate>,
) -> &'n [Candidate] {
    // The radius may be a few millionths too small.
    let square = radius * radius * 1.000_1;
    near.resize(near.len().max(candidates.len()), Candidate::default());
    // Written in any case, to avoid a branch that the processor cannot predict.
    let mut count = 0;
    for candidate in candidates {
        near[count] = *candidate;
        count += usize::from(middle.square_to(candidate.at) <= square);
    }
    &near[..count]
}

/// A position in a plane, degrees of latitude in both directions.
#[derive(Clone, Copy, Default)]
struct Plane {
    x: f64,
    y: f64,
}

impl Plane {
    #[inline(always)]
    fn of(at: LatLon, cos: f64) -> Plane {
        Plane { x: at.lon * cos, y: at.lat }
    }

    #[inline(always)]
    fn square_to(self, other: Plane) -> f64 {
        let (x, y) = (other.x - self.x, other.y - self.y);
        x * x + y * y
    }
}

/// The positions, then the last one repeated until the number is full.
fn as_many<const COUNT: usize>(mut positions: impl Iterator<Item = Plane>) -> [Plane; COUNT] {
    let mut last = Plane::default();
    std::array::from_fn(|_| {
        last = positions.next().unwrap_or(last);
        last
    })
}

/// A node that may be near.
#[derive(Clone, Copy, Default)]
struct Candidate {
    vertex: u32,
    at: Plane,
}

/// The nearest candidates of many pixels, the nearer first.
struct NearestOfAll {
    /// Squares of degrees, off by some millionths; infinite where there are fewer candidates.
    squares: [[f32; PIXELS]; CANDIDATES],
    /// Their numbers.
    numbers: [[u32; PIXELS]; CANDIDATES],
}

impl NearestOfAll {
    /// The pixels are compared side by side, in single precision relative to the first of them: the error is less than
    /// a millimetre on a tile of a city.
    fn of(candidates: &[Candidate], pixels: &[Plane; PIXELS]) -> NearestOfAll {
        let origin = pixels[0];
        let offset = |at: Plane| [(at.x - origin.x) as f32, (at.y - origin.y) as f32];
        let offsets = pixels.map(offset);
        let (xs, ys) = (offsets.map(|[x, _]| x), offsets.map(|[_, y]| y));
        let least = |candidates: &[Candidate]| {
            let squares = least_codes(candidates.iter().map(|candidate| offset(candidate.at)), &xs, &ys);
            let numbers = squares.map(|codes| codes.map(|code| code.to_bits() % AT_ONCE as u32));
            NearestOfAll { squares, numbers }
        };
        let mut chunks = candidates.chunks(AT_ONCE);
        let mut nearest = least(chunks.next().unwrap_or_default());
        for (first, candidates) in (AT_ONCE as u32..).step_by(AT_ONCE).zip(chunks) {
            let NearestOfAll { squares, numbers } = least(candidates);
            for (squares, numbers) in squares.into_iter().zip(numbers) {
                nearest.offer(squares, numbers.map(|number| first + number));
            }
        }
        nearest
    }

    /// For each pixel, keeps a candidate if it is one of the nearest.
    fn offer(&mut self, mut squares: [f32; PIXELS], mut numbers: [u32; PIXELS]) {
        for (known, known_numbers) in self.squares.iter_mut().zip(&mut self.numbers) {
            for i in 0..PIXELS {
                if squares[i] < known[i] {
                    std::mem::swap(&mut squares[i], &mut known[i]);
                    std::mem::swap(&mut numbers[i], &mut known_numbers[i]);
                }
            }
        }
    }

    /// What each pixel uses.
    fn samples(&self, candidates: &[Candidate]) -> [Sample; PIXELS] {
        let per_degree = (1f64.to_radians() * EARTH_RADIUS_M) as f32;
        let metres = self.squares.map(|squares| squares.map(|square| square.sqrt() * per_degree));
        std::array::from_fn(|i| {
            let vertex = |k: usize| candidates[self.numbers[k][i] as usize].vertex;
            Sample::new(metres.map(|metres| metres[i]), vertex)
        })
    }
}

/// Per pixel the three least squares with the numbers of their candidates in the low bits, so that finding them needs
/// no branches; infinite where there are fewer.
fn least_codes(
    candidates: impl Iterator<Item = [f32; 2]>,
    xs: &[f32; PIXELS],
    ys: &[f32; PIXELS],
) -> [[f32; PIXELS]; CANDIDATES] {
    let [mut first, mut second, mut third] = [[f32::INFINITY; PIXELS]; CANDIDATES];
    for (number, [x, y]) in (0u32..).zip(candidates) {
        for i in 0..PIXELS {
            let (dx, dy) = (xs[i] - x, ys[i] - y);
            let square = (dx * dx + dy * dy).to_bits();
            let code = f32::from_bits(square & !(AT_ONCE as u32 - 1) | number);
            let (least, code) = in_order(first[i], code);
            let (next, code) = in_order(second[i], code);
            (first[i], second[i], third[i]) = (least, next, in_order(third[i], code).0);
        }
    }
    [first, second, third]
}

#[inline(always)]
fn in_order(a: f32, b: f32) -> (f32, f32) {
    (if a < b { a } else { b }, if a < b { b } else { a })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;
    use proptest::prelude::*;
    use trestle_street::graph::{StreetGraph, vertex_flags};

    const WIDTH: usize = 37;
    const HEIGHT: usize = 21;

    /// Metres from a position to the nearest three of some nodes, infinite where there are fewer.
    fn nearest_metres(at: LatLon, nodes: &[LatLon]) -> [f64; CANDIDATES] {
        let mut metres: Vec<f64> = nodes.iter().map(|node| metres_from(at)(*node)).collect();
        metres.sort_by(f64::total_cmp);
        std::array::from_fn(|i| metres.get(i).copied().unwrap_or(f64::INFINITY))
    }

    /// Compares each pixel of an image with all nodes; `places` are fractions of the image.
    fn check(places: &[(f64, f64)], pixel: f64, spread: f64) -> Result<(), TestCaseError> {
        let corner = LatLon::new(41.2, -8.6);
        let position = |column: usize, row: usize| {
            LatLon::new(corner.lat - row as f64 * pixel, corner.lon + column as f64 * pixel)
        };
        let end = position(WIDTH, HEIGHT);
        let node = |place: &(f64, f64)| {
            let (x, y) = (place.0 * spread, place.1 * spread);
            LatLon::new(corner.lat + (end.lat - corner.lat) * y, corner.lon + (end.lon - corner.lon) * x)
        };
        let nodes: Vec<LatLon> = places.iter().map(node).collect();
        let graph = StreetGraph {
            vertex_lat: nodes.iter().map(|node| node.lat).collect(),
            vertex_lon: nodes.iter().map(|node| node.lon).collect(),
            vertex_flags: vec![vertex_flags::OSM_NODE | vertex_flags::WALKABLE; nodes.len()].into(),
            ..StreetGraph::default()
        };
        let index = VertexIndex::build(&graph);
        let grid = SampleGrid::new(&index, (WIDTH, HEIGHT), position, &Deadline::default());
        for (i, sample) in grid.samples.iter().enumerate() {
            let at = position(i % WIDTH, i / WIDTH);
            let expected = nearest_metres(at, &nodes);
            // On the boundary both answers are right.
            if expected.iter().any(|metres| (metres - SAMPLE_RADIUS_M).abs() < 0.5) {
                continue;
            }
            let second = if expected[2] < SAMPLE_RADIUS_M { expected[2] } else { expected[1] };
            for (k, expected) in [expected[0], second].into_iter().enumerate() {
                if expected > SAMPLE_RADIUS_M {
                    prop_assert_eq!(sample.vertices[k], NO_VERTEX);
                    continue;
                }
                let found = metres_from(at)(nodes[sample.vertices[k] as usize]);
                prop_assert!((found - expected).abs() < 0.4, "{found} instead of {expected} m");
                prop_assert!((f64::from(sample.metres[k]) - found).abs() < 1.2);
            }
        }
        Ok(())
    }

    #[test]
    fn a_wide_image_is_stopped_within_its_first_rows() {
        let index = VertexIndex::default();
        let flag = Arc::new(AtomicBool::new(false));
        let deadline = Deadline::new(None, vec![flag.clone()]);
        let count = AtomicUsize::new(0);
        let position = |column: usize, row: usize| {
            flag.store(true, Ordering::Relaxed);
            count.fetch_add(1, Ordering::Relaxed);
            LatLon::new(41.2 - row as f64 * 0.01, -8.6 + column as f64 * 1e-5)
        };
        SampleGrid::new(&index, (100_000, 10), position, &deadline);
        assert!(count.load(Ordering::Relaxed) < 1000);
    }

    #[test]
    fn pixels_far_from_the_middle_of_a_block_look_at_nodes_farther_still() {
        check(&[(0.68, 0.61), (0.91, 0.90)], 0.000_7, 1.0).unwrap();
    }

    proptest! {
        #[test]
        fn pixels_look_at_the_nodes_that_lie_nearest(
            places in proptest::collection::vec((0.0..1.0f64, 0.0..1.0f64), 0..900),
            pixel in prop::sample::select(vec![0.000_02, 0.000_1, 0.000_7, 0.003]),
            // A crowd of nodes has more candidates than are compared at once.
            spread in prop::sample::select(vec![1.0, 0.1]),
        ) {
            check(&places, pixel, spread)?;
        }
    }
}
