//! What is left out of tiles of a whole city, where a pixel is wider than many streets are long.

use tiny_skia::Color;

use super::pieces::{Point, SIZE, pixel_center};

/// Tiles with lines narrower than this many pixels are overviews: a pixel is more than nine metres wide.
pub(super) const OVERVIEW_WIDTH: f32 = 2.0;

/// Whether a line stays in one pixel. A street through several pixels has a piece that leads from each to the next, so
/// it stays connected without such lines.
pub(super) fn is_in_one_pixel(points: &[Point]) -> bool {
    let Some((first, rest)) = points.split_first() else { return true };
    let center = pixel_center(*first);
    rest.iter().all(|point| pixel_center(*point) == center)
}

/// Colours of the dots by pixel: intersections of a city overlap.
#[derive(Default)]
pub(super) struct PaintedDots(Vec<Option<[u8; 4]>>);

impl PaintedDots {
    /// Whether the pixel has no dot of this colour yet; marks it. Dots outside the picture always count as new.
    pub(super) fn is_new(&mut self, [x, y]: Point, color: Color) -> bool {
        let side = 0.0..SIZE as f32;
        if !(side.contains(&x) && side.contains(&y)) {
            return true;
        }
        self.0.resize((SIZE * SIZE) as usize, None);
        let color = color.to_color_u8();
        let color = Some([color.red(), color.green(), color.blue(), color.alpha()]);
        std::mem::replace(&mut self.0[y as usize * SIZE as usize + x as usize], color) != color
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_within_a_pixel_are_left_out() {
        assert!(is_in_one_pixel(&[[3.1, 4.9], [3.9, 4.1]]));
        assert!(!is_in_one_pixel(&[[3.9, 4.5], [4.1, 4.5]]));
        assert!(!is_in_one_pixel(&[[-0.1, 0.5], [0.1, 0.5]]));
    }

    #[test]
    fn a_pixel_gets_a_dot_of_each_colour() {
        let mut painted = PaintedDots::default();
        assert!(painted.is_new([3.2, 4.0], Color::BLACK));
        assert!(!painted.is_new([3.9, 4.9], Color::BLACK));
        assert!(painted.is_new([3.9, 4.9], Color::WHITE));
        assert!(painted.is_new([-3.0, 4.0], Color::BLACK) && painted.is_new([-3.0, 4.0], Color::BLACK));
    }
}
