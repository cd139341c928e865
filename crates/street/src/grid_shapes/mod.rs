//! Lines and areas with corners on a grid of whole numbers: simplified, and clipped to a box.

mod areas;
mod lines;

pub use areas::{Area, area_of_ring, clip_area, valid_area_options, valid_areas};
pub use lines::{clip_line, simplify_line, simplify_ring};

/// Column and row of a point of the grid.
pub type GridPoint = [i32; 2];

/// A box of the grid; its borders belong to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GridBox {
    /// Least column and row.
    pub low: GridPoint,
    /// Greatest column and row.
    pub high: GridPoint,
}

impl GridBox {
    /// The empty box.
    pub const EMPTY: GridBox = GridBox { low: [i32::MAX; 2], high: [i32::MIN; 2] };

    /// The smallest box around points.
    pub fn around<'a>(points: impl IntoIterator<Item = &'a GridPoint>) -> GridBox {
        points.into_iter().fold(GridBox::EMPTY, |sum, point| sum.with(&GridBox { low: *point, high: *point }))
    }

    /// The smallest box around both.
    pub fn with(&self, other: &GridBox) -> GridBox {
        GridBox {
            low: [self.low[0].min(other.low[0]), self.low[1].min(other.low[1])],
            high: [self.high[0].max(other.high[0]), self.high[1].max(other.high[1])],
        }
    }

    /// Whether the boxes have a point in common.
    pub fn touches(&self, other: &GridBox) -> bool {
        (0..2).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }

    /// Whether a point is inside.
    pub fn has(&self, point: GridPoint) -> bool {
        (0..2).all(|axis| (self.low[axis]..=self.high[axis]).contains(&point[axis]))
    }

    /// Whether another box is entirely inside.
    pub fn contains(&self, other: &GridBox) -> bool {
        (0..2).all(|axis| self.low[axis] <= other.low[axis] && other.high[axis] <= self.high[axis])
    }
}
