//! Which street nodes each pixel of an image looks at. The same for all surfaces of a graph, so tiles keep it.

use std::ops::Range;

use rayon::prelude::*;
use trestle_model::geo::{EARTH_RADIUS_M, LatLon};

use super::vertex_index::{CANDIDATES, Nearest, SAMPLE_RADIUS_M, VertexIndex, metres_from};

/// Side of the squares of pixels whose nodes are looked for together, and of their parts with nodes in common.
const BLOCK: usize = 16;
const PART: usize = 4;

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
    /// The nearest and the third nearest node, as the interface joins places: the second nearest is mostly the other end
    /// of the same street. Without a third one, both.
    fn from(nearest: Nearest) -> Self {
        let second = if nearest.vertices[2] == NO_VERTEX { 1 } else { 2 };
        let metres = [0, second].map(|i| nearest.metres[i]);
        Sample {
            vertices: [0, second].map(|i| nearest.vertices[i]),
            metres: metres.map(|m| if m.is_finite() { m as u16 } else { 0 }),
        }
    }
}

impl Sample {
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
            for part in Block::within(block.columns, block.rows, PART) {
                part.narrow(position, cos, &self.around, &mut self.near);
                for row in part.rows {
                    for column in part.columns.clone() {
                        let found = nearest_of(&self.near, Plane::of(position(column, row), cos));
                        samples[(row - first) * width + column] = found.into();
                    }
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

    /// Keeps the candidates that may be the nearest ones of any of these pixels, those nearest to the middle first.
    fn narrow(
        &self,
        position: &impl Fn(usize, usize) -> LatLon,
        cos: f64,
        candidates: &[Candidate],
        near: &mut Vec<Candidate>,
    ) {
        let middle = Plane::of(self.middle(position), cos);
        let half = self.corners(position).map(|corner| middle.square_to(Plane::of(corner, cos)));
        let half = half.fold(0.0, f64::max).sqrt();
        let last = nearest_squares(candidates, middle).metres[CANDIDATES - 1];
        let radius = (last.sqrt() + 2.0 * half) * 1.000_001;
        let square = radius * radius;
        near.clear();
        near.extend(candidates.iter().filter(|candidate| middle.square_to(candidate.at) <= square));
        // Those that come first are mostly the nearest for all pixels: the others are soon found to be none.
        near.sort_by(|a, b| middle.square_to(a.at).total_cmp(&middle.square_to(b.at)));
    }
}

/// A position in a plane, degrees of latitude in both directions.
#[derive(Clone, Copy)]
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

/// A node that may be near.
#[derive(Clone, Copy)]
struct Candidate {
    vertex: u32,
    at: Plane,
}

/// The nearest candidates with squares of degrees instead of metres.
#[inline(always)]
fn nearest_squares(candidates: &[Candidate], at: Plane) -> Nearest {
    let mut squares = Nearest::default();
    for candidate in candidates {
        squares.offer(candidate.vertex, at.square_to(candidate.at));
    }
    squares
}

/// The nearest candidates; compares squares and takes roots only of the winners.
fn nearest_of(candidates: &[Candidate], at: Plane) -> Nearest {
    let squares = nearest_squares(candidates, at);
    let metres = squares.metres.map(|square| square.sqrt().to_radians() * EARTH_RADIUS_M);
    Nearest { metres, ..squares }.within_radius()
}
