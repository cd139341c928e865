//! Text in pictures, as filled outlines of a font.

use std::sync::OnceLock;

use tiny_skia::{Color, PathBuilder, Transform};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::canvas::Canvas;
use super::pieces::{Point, SIZE, distance, lerp};

/// DejaVu Sans with its Latin, Greek and Cyrillic letters.
static FONT: &[u8] = include_bytes!("../../assets/DejaVuSans-subset.ttf");

/// Gap between two copies of a text along a line, in text sizes.
const GAP: f32 = 4.0;

/// Draws texts of one font.
pub(super) struct Labels {
    face: Face<'static>,
    units_per_em: f32,
}

impl Labels {
    /// The built-in font; `None` when it could not be read.
    pub(super) fn get() -> Option<&'static Labels> {
        static LABELS: OnceLock<Option<Labels>> = OnceLock::new();
        let read = || {
            let face = Face::parse(FONT, 0).ok()?;
            Some(Labels { units_per_em: f32::from(face.units_per_em()), face })
        };
        LABELS.get_or_init(read).as_ref()
    }

    /// A text to the right of a point on its base line, moved to the left when it would leave the picture.
    pub(super) fn beside(&self, canvas: &mut Canvas, text: &str, at: Point, size: f32) {
        let width: f32 = text.chars().map(|c| self.advance(self.glyph(c), size)).sum();
        let mut pen = [at[0].min(SIZE as f32 - width), at[1]];
        for glyph in text.chars().map(|c| self.glyph(c)) {
            self.draw(canvas, glyph, Transform::from_translate(pen[0], pen[1]), size);
            pen[0] += self.advance(glyph, size);
        }
    }

    /// A text repeated along a line, upright: where the line leads to the left, it is followed backwards.
    pub(super) fn along(&self, canvas: &mut Canvas, text: &str, line: &[Point], size: f32) {
        let glyphs: Vec<(GlyphId, f32)> =
            text.chars().map(|c| self.glyph(c)).map(|glyph| (glyph, self.advance(glyph, size))).collect();
        let width: f32 = glyphs.iter().map(|(_, advance)| advance).sum();
        if glyphs.is_empty() {
            return;
        }
        let line = MeasuredLine::new(line);
        let period = width + GAP * size;
        let mut start = (line.length - width).min(GAP / 2.0 * size);
        while start >= 0.0 && start + width <= line.length {
            let mut along = start;
            for &(glyph, advance) in &glyphs {
                let ([x, y], [dx, dy]) = line.at(along + advance / 2.0);
                let turned = Transform::from_row(dx, dy, -dy, dx, x, y);
                // Half the height of a capital below the line, so that the text is centred on it.
                self.draw(canvas, glyph, turned.pre_translate(-advance / 2.0, 0.36 * size), size);
                along += advance;
            }
            start += period;
        }
    }

    fn glyph(&self, letter: char) -> GlyphId {
        self.face.glyph_index(letter).unwrap_or(GlyphId(0))
    }

    fn advance(&self, glyph: GlyphId, size: f32) -> f32 {
        f32::from(self.face.glyph_hor_advance(glyph).unwrap_or(0)) * size / self.units_per_em
    }

    fn draw(&self, canvas: &mut Canvas, glyph: GlyphId, place: Transform, size: f32) {
        let mut outline = Outline(PathBuilder::new());
        if self.face.outline_glyph(glyph, &mut outline).is_none() {
            return;
        }
        let Some(path) = outline.0.finish() else { return };
        let scale = size / self.units_per_em;
        canvas.fill(&path, Color::BLACK, place.pre_scale(scale, -scale));
    }
}

/// A glyph's outline in font units.
struct Outline(PathBuilder);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.0.close();
    }
}

/// A line with the positions and directions along it.
pub(super) struct MeasuredLine {
    points: Vec<Point>,
    pub(super) length: f32,
}

impl MeasuredLine {
    /// From left to right, as text is read.
    fn new(line: &[Point]) -> MeasuredLine {
        let mut points = line.to_vec();
        if let [first, .., last] = points[..]
            && last[0] < first[0]
        {
            points.reverse();
        }
        MeasuredLine::forward(points)
    }

    /// In the direction of the line.
    pub(super) fn forward(points: Vec<Point>) -> MeasuredLine {
        let length = points.windows(2).map(|p| distance(p[0], p[1])).sum();
        MeasuredLine { points, length }
    }

    /// The position and direction a length from the beginning.
    pub(super) fn at(&self, along: f32) -> (Point, Point) {
        let mut passed = 0.0;
        let mut last = ([0.0, 0.0], [1.0, 0.0]);
        for piece in self.points.windows(2) {
            let length = distance(piece[0], piece[1]);
            if length <= 0.0 {
                continue;
            }
            let direction = [(piece[1][0] - piece[0][0]) / length, (piece[1][1] - piece[0][1]) / length];
            last = (lerp(piece[0], piece[1], ((along - passed) / length).clamp(0.0, 1.0)), direction);
            passed += length;
            if along <= passed {
                break;
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_the_sample_cities_are_in_the_font() {
        let labels = Labels::get().unwrap();
        let missing: Vec<char> =
            "Praça São João, Железногорск, Łódź".chars().filter(|&c| labels.glyph(c) == GlyphId(0)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn text_is_read_from_left_to_right() {
        let line = MeasuredLine::new(&[[30.0, 0.0], [10.0, 0.0], [0.0, 0.0]]);
        assert_eq!(line.at(5.0), ([5.0, 0.0], [1.0, 0.0]));
        assert_eq!(line.at(99.0), ([30.0, 0.0], [1.0, 0.0]));
    }

    #[test]
    fn text_at_the_right_border_stays_inside() {
        let mut canvas = Canvas::new().unwrap();
        Labels::get().unwrap().beside(&mut canvas, "stop", [250.0, 100.0], 20.0);
        let picture = canvas.alpha();
        let inked = |columns: std::ops::Range<usize>| {
            columns.flat_map(|x| (0..256).map(move |y| y * 256 + x)).any(|i| picture[i] > 100)
        };
        assert!(inked(200..250) && inked(250..256) && !inked(0..200));
    }
}
