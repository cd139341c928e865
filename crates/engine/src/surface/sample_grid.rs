//! Which street nodes each pixel of an image looks at. The same for all surfaces of a graph, so tiles keep it.

use std::ops::Range;

use rayon::prelude::*;
use trestle_model::geo::{EARTH_RADIUS_M, LatLon};

use super::vertex_index::{CANDIDATES, Nearest, SAMPLE_RADIUS_M, VertexIndex, metres_from};

/// Side of the squares of pixels whose nodes are looked for together, and of their parts with nodes in common.
const BLOCK: usize = 16;
const PART: usize = 4;
const PIXELS: usize = PART * PART;
const PARTS: usize = (BLOCK / PART) * (BLOCK / PART);

/// Candidates that are compared at once: what the low bits of a square can tell apart.
const AT_ONCE: usize = 256;

/// Stands for no vertex.
pub const NO_VERTEX: u32 = u32::MAX;

/// A look-up of a pixel or point: up to two nodes and the metres to them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Street vertices; [`NO_VERTEX`] for none.
    pub vertices: [u32; 2],
    /// Whole metres.
    pub metres: [u16; 2],
}

impl From<Nearest> for Sample {
    fn from(nearest: Nearest) -> Self {
        Sample::new(nearest, |metres| metres)
    }
}

impl Sample {
    /// The nearest and the third nearest node, as the interface joins places: the second nearest is mostly the other end
    /// of the same street. Without a third one, both. `in_metres` is applied to the distances of the two.
    #[inline(always)]
    fn new(nearest: Nearest, in_metres: impl Fn(f64) -> f64) -> Sample {
        let within = |i: usize| {
            let metres = in_metres(nearest.metres[i]);
            if metres <= SAMPLE_RADIUS_M { (nearest.vertices[i], metres as u16) } else { (NO_VERTEX, 0) }
        };
        let third = within(2);
        let second = if third.0 == NO_VERTEX { within(1) } else { third };
        let first = within(0);
        Sample { vertices: [first.0, second.0], metres: [first.1, second.1] }
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
    /// Looks up every pixel, rows of blocks side by side on all processors; `position` tells where the centre of (column,
    /// row) lies.
    pub fn new(
        index: &VertexIndex,
        width: usize,
        height: usize,
        position: impl Fn(usize, usize) -> LatLon + Sync,
    ) -> SampleGrid {
        let none = Sample::from(Nearest::default());
        let mut grid = SampleGrid { width, height, samples: vec![none; width * height] };
        let rows = grid.samples.par_chunks_mut((width * BLOCK).max(1)).enumerate();
        rows.for_each_init(LookUp::default, |look_up, (number, samples)| {
            let first = number * BLOCK;
            let rows = first..(first + BLOCK).min(height);
            look_up.rows(index, 0..width, rows, &position, samples);
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
    /// Fills the samples of a row of blocks.
    fn rows(
        &mut self,
        index: &VertexIndex,
        columns: Range<usize>,
        rows: Range<usize>,
        position: &impl Fn(usize, usize) -> LatLon,
        samples: &mut [Sample],
    ) {
        let (width, first) = (columns.len(), rows.start);
        for block in Block::within(columns, rows, BLOCK) {
            let Some(cos) = candidates(index, &block, position, &mut self.around) else { continue };
            let middles = block.part_middles(position, cos);
            let reaches = nearest_of(&self.around, &middles).map(|nearest| nearest.metres[CANDIDATES - 1]);
            let parts = Block::within(block.columns, block.rows, PART);
            for ((part, middle), reach) in parts.zip(middles).zip(reaches) {
                narrow(&self.around, middle, reach.sqrt() + 2.0 * part.half(position, cos), &mut self.near);
                let pixels = part.pixels(position, cos);
                for ((column, row), found) in part.each().zip(nearest_of(&self.near, &pixels)) {
                    samples[(row - first) * width + column] = Sample::new(found, in_metres);
                }
            }
        }
    }
}

/// Collects the nodes that may be the nearest ones of any pixel of a block, and tells the cosine of its latitude; `None`
/// when there are none. The nearest nodes of any pixel are no farther from the middle than the middle's own nearest plus
/// twice the way to the corners.
fn candidates(
    index: &VertexIndex,
    block: &Block,
    position: &impl Fn(usize, usize) -> LatLon,
    found: &mut Vec<Candidate>,
) -> Option<f64> {
    let middle = block.middle(position);
    let metres_to = metres_from(middle);
    let half = block.corners(position).map(&metres_to).fold(0.0, f64::max);
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
    /// The blocks of at most `side` × `side` pixels that a rectangle consists of.
    fn within(columns: Range<usize>, rows: Range<usize>, side: usize) -> impl Iterator<Item = Block> {
        let parts = move |range: Range<usize>| {
            let end = range.end;
            range.step_by(side).map(move |start| start..(start + side).min(end))
        };
        parts(rows).flat_map(move |rows| {
            parts(columns.clone()).map(move |columns| Block { columns, rows: rows.clone() })
        })
    }

    /// Columns and rows of the pixels, row by row.
    fn each(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let columns = self.columns.clone();
        self.rows.clone().flat_map(move |row| columns.clone().map(move |column| (column, row)))
    }

    /// Where the pixels of a part lie, in the same order; as many as there can be, the last one repeated.
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

    /// Degrees from the middle to the farthest corner.
    fn half(&self, position: &impl Fn(usize, usize) -> LatLon, cos: f64) -> f64 {
        let middle = Plane::of(self.middle(position), cos);
        let squares = self.corners(position).map(|corner| middle.square_to(Plane::of(corner, cos)));
        squares.fold(0.0, f64::max).sqrt()
    }

    /// The middles of a block's parts, in their order; as many as there can be, the last one repeated.
    fn part_middles(&self, position: &impl Fn(usize, usize) -> LatLon, cos: f64) -> [Plane; PARTS] {
        let parts = Block::within(self.columns.clone(), self.rows.clone(), PART);
        as_many(parts.map(|part| Plane::of(part.middle(position), cos)))
    }
}

/// Keeps the candidates within a radius, in degrees, in their order.
fn narrow(candidates: &[Candidate], middle: Plane, radius: f64, near: &mut Vec<Candidate>) {
    let square = radius * radius * 1.000_001;
    near.resize(candidates.len(), Candidate::default());
    // Written in any case, because whether it counts is not to be foreseen.
    let mut count = 0;
    for candidate in candidates {
        near[count] = *candidate;
        count += usize::from(middle.square_to(candidate.at) <= square);
    }
    near.truncate(count);
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

/// The positions, then the last one again until they are so many.
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

/// The nearest candidates of each pixel, with squares of degrees. The pixels are looked at side by side: the low bits of
/// single-precision squares are replaced by numbers of candidates, so that the three least of them need no branches and
/// tell whose they are. They miss nearer candidates only by some millionths of the distance.
fn nearest_of(candidates: &[Candidate], pixels: &[Plane; PIXELS]) -> [Nearest; PIXELS] {
    let mut nearest = [Nearest::default(); PIXELS];
    for candidates in candidates.chunks(AT_ONCE) {
        for codes in least_codes(candidates, pixels) {
            for ((code, pixel), nearest) in codes.into_iter().zip(pixels).zip(&mut nearest) {
                if code < f32::INFINITY {
                    let candidate = &candidates[code.to_bits() as usize % AT_ONCE];
                    nearest.offer(candidate.vertex, pixel.square_to(candidate.at));
                }
            }
        }
    }
    nearest
}

/// Per pixel the three least squares with numbers of candidates in their low bits, infinite where there are fewer.
fn least_codes(candidates: &[Candidate], pixels: &[Plane; PIXELS]) -> [[f32; PIXELS]; CANDIDATES] {
    let origin = pixels[0];
    let xs = pixels.map(|pixel| (pixel.x - origin.x) as f32);
    let ys = pixels.map(|pixel| (pixel.y - origin.y) as f32);
    let [mut first, mut second, mut third] = [[f32::INFINITY; PIXELS]; CANDIDATES];
    for (number, candidate) in (0u32..).zip(candidates) {
        let (x, y) = ((candidate.at.x - origin.x) as f32, (candidate.at.y - origin.y) as f32);
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

/// Metres of a square of degrees.
#[inline(always)]
fn in_metres(square: f64) -> f64 {
    square.sqrt().to_radians() * EARTH_RADIUS_M
}
