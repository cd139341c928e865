//! Which street nodes each pixel of an image looks at. The same for all surfaces of a graph, so tiles keep it.

use trestle_model::geo::{EARTH_RADIUS_M, LatLon};

use super::vertex_index::{Nearest, Node, SAMPLE_RADIUS_M, VertexIndex, planar_m};

/// Side of the squares of pixels that are looked up together.
const BLOCK: usize = 8;

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
    /// Looks up every pixel; `position` tells where the centre of (column, row) lies.
    pub fn new(
        index: &VertexIndex,
        width: usize,
        height: usize,
        position: impl Fn(usize, usize) -> LatLon,
    ) -> SampleGrid {
        let none = Sample::from(Nearest::default());
        let mut grid = SampleGrid { width, height, samples: vec![none; width * height] };
        let mut candidates = Vec::new();
        for row in (0..height).step_by(BLOCK) {
            for column in (0..width).step_by(BLOCK) {
                let block = Block {
                    columns: column..(column + BLOCK).min(width),
                    rows: row..(row + BLOCK).min(height),
                };
                grid.look_up(index, &block, &position, &mut candidates);
            }
        }
        grid
    }

    /// The nearest nodes of any pixel of a block are no farther from its middle than the middle's own nearest plus twice
    /// the way to its corners.
    fn look_up(
        &mut self,
        index: &VertexIndex,
        block: &Block,
        position: &impl Fn(usize, usize) -> LatLon,
        candidates: &mut Vec<Node>,
    ) {
        let (c, r) = (block.columns.clone(), block.rows.clone());
        let middle = position((c.start + c.end - 1) / 2, (r.start + r.end - 1) / 2);
        let corners =
            [(c.start, r.start), (c.end - 1, r.start), (c.start, r.end - 1), (c.end - 1, r.end - 1)];
        let half =
            corners.iter().map(|&(x, y)| planar_m(middle, position(x, y))).fold(0.0, f64::max) * 1.01 + 0.1;
        let reach = index.reach(middle);
        let radius = if reach.is_finite() { reach + 2.0 * half } else { SAMPLE_RADIUS_M + half };
        let radius = radius.min(SAMPLE_RADIUS_M + half);
        candidates.clear();
        index.around(middle, radius, |node| {
            if planar_m(middle, node.at) <= radius {
                candidates.push(*node);
            }
        });
        if candidates.is_empty() {
            return;
        }
        let cos = middle.lat.to_radians().cos();
        for row in r {
            for column in c.clone() {
                let nearest = nearest_of(candidates, position(column, row), cos);
                self.samples[row * self.width + column] = nearest.into();
            }
        }
    }
}

struct Block {
    columns: std::ops::Range<usize>,
    rows: std::ops::Range<usize>,
}

/// The nearest candidates; compares squares and takes roots only of the winners.
fn nearest_of(candidates: &[Node], at: LatLon, cos: f64) -> Nearest {
    let mut squares = Nearest::default();
    for node in candidates {
        let (x, y) = ((node.at.lon - at.lon) * cos, node.at.lat - at.lat);
        squares.offer(node, x * x + y * y);
    }
    let metres = squares.metres.map(|square| square.sqrt().to_radians() * EARTH_RADIUS_M);
    Nearest { metres, ..squares }.within_radius()
}
