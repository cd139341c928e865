//! The pixels that short lines cover. A line between two pixel centres covers the same pixels wherever it is, so its
//! coverage is computed once for each pair of lengths: nearly all lines of a tile of a city are shorter than a few
//! pixels.

use super::pieces::{Cap, Piece, Point, SIZE};

/// Longest line that has a mask, pixels in each direction.
const LONGEST: i32 = 8;
/// Farther than any end of a visible line is from the picture, pixels.
const FAR: i32 = 1 << 20;
const SIDE: usize = 2 * LONGEST as usize + 1;

/// Covered share of the pixels around a line, 0 to 255, row by row.
pub(super) struct LineMask {
    /// Pixels from the line's beginning to the first one of the mask.
    corner: [i32; 2],
    size: [usize; 2],
    shares: Vec<u8>,
}

/// The masks of the lines of a few widths.
#[derive(Default)]
pub(super) struct LineMasks {
    by_radius: Vec<(f32, Vec<Option<LineMask>>)>,
}

impl LineMasks {
    /// The mask of a line with round ends, and the pixel for its corner; none for lines that are long or not between
    /// pixel centres.
    pub(super) fn get(&mut self, from: Point, to: Point, radius: f32) -> Option<([i32; 2], &LineMask)> {
        let ([x, y], end) = (pixel(from)?, pixel(to)?);
        let (dx, dy) = (end[0].checked_sub(x)?, end[1].checked_sub(y)?);
        if dx.abs() > LONGEST || dy.abs() > LONGEST {
            return None;
        }
        let at = self.by_radius.iter().position(|(known, _)| *known == radius).unwrap_or_else(|| {
            self.by_radius.push((radius, (0..SIDE * SIDE).map(|_| None).collect()));
            self.by_radius.len() - 1
        });
        let number = (dy + LONGEST) as usize * SIDE + (dx + LONGEST) as usize;
        let mask: &LineMask =
            self.by_radius[at].1[number].get_or_insert_with(|| LineMask::new(dx, dy, radius));
        Some(([x.checked_add(mask.corner[0])?, y.checked_add(mask.corner[1])?], mask))
    }
}

/// The pixel whose centre the point is; none far away from the picture.
fn pixel(point: Point) -> Option<[i32; 2]> {
    let [x, y] = point.map(|coordinate| (coordinate - 0.5) as i32);
    let is_near = x.abs() < FAR && y.abs() < FAR;
    (is_near && point == [x as f32 + 0.5, y as f32 + 0.5]).then_some([x, y])
}

impl LineMask {
    fn new(dx: i32, dy: i32, radius: f32) -> LineMask {
        let reach = (radius + 0.5).ceil() as i32;
        let corner = [dx.min(0) - reach, dy.min(0) - reach];
        let size = [dx, dy].map(|length| (length.abs() + 2 * reach + 1) as usize);
        let piece = Piece::new([0.0, 0.0], [dx as f32, dy as f32], radius, Cap::Round);
        let shares = (0..size[0] * size[1])
            .map(|i| [corner[0] + (i % size[0]) as i32, corner[1] + (i / size[0]) as i32])
            .map(|[x, y]| (piece.coverage([x as f32, y as f32]) * 255.0 + 0.5) as u8)
            .collect();
        LineMask { corner, size, shares }
    }

    /// Row, half-open columns and shares of the part of the mask that is in the picture when its corner is at a pixel.
    pub(super) fn rows_at(&self, [x, y]: [i32; 2]) -> impl Iterator<Item = (usize, [usize; 2], &[u8])> {
        let side = SIZE as i32;
        let columns = [x.clamp(0, side), x.saturating_add(self.size[0] as i32).clamp(0, side)];
        let skipped = (columns[0] - x.min(columns[0])) as usize;
        let count = (columns[1] - columns[0]) as usize;
        let lines = (y..).zip(self.shares.chunks_exact(self.size[0]));
        lines.filter(move |(row, _)| count > 0 && (0..side).contains(row)).map(move |(row, line)| {
            (row as usize, columns.map(|column| column as usize), &line[skipped..skipped + count])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_covers_what_its_line_covers() {
        let mut masks = LineMasks::default();
        let (corner, mask) = masks.get([-0.5, 10.5], [3.5, 8.5], 0.9).unwrap();
        let piece = Piece::new([-0.5, 10.5], [3.5, 8.5], 0.9, Cap::Round);
        let mut seen = 0;
        for (row, columns, shares) in mask.rows_at(corner) {
            for (column, share) in (columns[0]..columns[1]).zip(shares) {
                let expected = piece.coverage([column as f32 + 0.5, row as f32 + 0.5]) * 255.0;
                assert!((expected - f32::from(*share)).abs() < 1.0, "{column},{row}");
                seen += usize::from(*share > 0);
            }
        }
        assert!(seen > 8);
        assert_eq!(mask.rows_at([300, 10]).count() + mask.rows_at([10, -300]).count(), 0);
    }

    #[test]
    fn long_lines_and_those_between_centres_have_none() {
        let mut masks = LineMasks::default();
        assert!(masks.get([0.5, 0.5], [9.5, 0.5], 1.0).is_none());
        assert!(masks.get([0.5, 0.5], [2.0, 0.5], 1.0).is_none());
        assert!(masks.get([1e30, 0.5], [1e30, 0.5], 1.0).is_none());
    }
}
