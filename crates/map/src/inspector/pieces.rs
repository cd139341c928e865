//! Straight pieces of lines in a picture, and the share of each pixel that they cover.

/// Pixels of a side.
pub(super) const SIZE: u32 = 256;

/// A position in pixels from the north-west corner.
pub(super) type Point = [f32; 2];

/// How a piece of a line ends.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Cap {
    Round,
    Butt,
}

/// A straight piece of a line.
pub(super) struct Piece {
    from: Point,
    direction: Point,
    length: f32,
    radius: f32,
    cap: Cap,
}

impl Piece {
    pub(super) fn new(from: Point, to: Point, radius: f32, cap: Cap) -> Piece {
        let length = distance(from, to);
        let direction =
            if length > 0.0 { [(to[0] - from[0]) / length, (to[1] - from[1]) / length] } else { [1.0, 0.0] };
        Piece { from, direction, length, radius, cap }
    }

    /// The smallest and greatest x of the part whose y is within `reach` of a row.
    pub(super) fn span(&self, y: f32, reach: f32) -> (f32, f32) {
        let end = self.from[0] + self.direction[0] * self.length;
        if self.direction[1].abs() < 1e-3 {
            return (self.from[0].min(end), self.from[0].max(end));
        }
        let x_at = |row: f32| {
            let along = ((row - self.from[1]) / self.direction[1]).clamp(0.0, self.length);
            self.from[0] + self.direction[0] * along
        };
        let (a, b) = (x_at(y - reach), x_at(y + reach));
        (a.min(b), a.max(b))
    }

    /// The covered share of a pixel, by its centre.
    pub(super) fn coverage(&self, pixel: Point) -> f32 {
        let (x, y) = (pixel[0] - self.from[0], pixel[1] - self.from[1]);
        let along = x * self.direction[0] + y * self.direction[1];
        let aside = y * self.direction[0] - x * self.direction[1];
        let within = |depth: f32| (depth + 0.5).clamp(0.0, 1.0);
        match self.cap {
            Cap::Round => {
                let beyond = along - along.clamp(0.0, self.length);
                within(self.radius - (beyond * beyond + aside * aside).sqrt())
            }
            Cap::Butt => within(self.radius - aside.abs()) * within(along.min(self.length - along)),
        }
    }
}

pub(super) fn distance(a: Point, b: Point) -> f32 {
    let (x, y) = (b[0] - a[0], b[1] - a[1]);
    (x * x + y * y).sqrt()
}

/// The position at a share of the distance from one point to another.
pub(super) fn lerp(a: Point, b: Point, share: f32) -> Point {
    [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}

/// Lines whose points are on pixel centres have sharp borders.
pub(super) fn pixel_center(point: Point) -> Point {
    point.map(|coordinate| {
        // Rounds towards zero, which is a single instruction on every processor; below zero the result is one too high.
        let whole = coordinate as i32 as f32;
        if whole > coordinate { whole - 0.5 } else { whole + 0.5 }
    })
}
