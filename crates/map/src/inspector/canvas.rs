//! The picture of a tile: lines and dots with smooth borders, dashes, filled shapes.
//!
//! Lines are drawn by the distance of each pixel from them. This is exact for horizontal and vertical lines, accurate
//! to a few hundredths of the covered area for others, and several times faster than filling outlines: a tile of a
//! whole city has a hundred thousand lines of a few pixels.

use tiny_skia::{Color, FillRule, Paint, Path, Pixmap, PremultipliedColorU8, Transform};

use super::pieces::{Cap, Piece, Point, SIZE, distance, lerp};

/// Lengths that are drawn and left out, pixels, and where in this pattern a line begins.
#[derive(Clone, Copy)]
pub(super) struct Dashes {
    pub(super) drawn: f32,
    pub(super) gap: f32,
    pub(super) phase: f32,
}

/// A picture with a transparent background.
pub(super) struct Canvas {
    pixmap: Pixmap,
    /// Share of each pixel that the current line covers, 0 to 255; 0 outside `touched`.
    coverage: Vec<u8>,
    touched: Touched,
}

/// Columns and rows, half-open, that the line being drawn has touched.
#[derive(Clone, Copy)]
struct Touched {
    columns: [usize; 2],
    rows: [usize; 2],
}

impl Touched {
    fn add(&mut self, Touched { columns, rows }: Touched) {
        self.columns = [self.columns[0].min(columns[0]), self.columns[1].max(columns[1])];
        self.rows = [self.rows[0].min(rows[0]), self.rows[1].max(rows[1])];
    }
}

const NOTHING: Touched = Touched { columns: [usize::MAX, 0], rows: [usize::MAX, 0] };

impl Canvas {
    /// `None` only when there is no memory for it.
    pub(super) fn new() -> Option<Canvas> {
        let coverage = vec![0; (SIZE * SIZE) as usize];
        Some(Canvas { pixmap: Pixmap::new(SIZE, SIZE)?, coverage, touched: NOTHING })
    }

    /// A line with round ends, whose pieces do not darken each other; for a single point, a dot.
    pub(super) fn line(&mut self, points: &[Point], width: f32, color: Color) {
        if let [only] = *points {
            self.cover([only, only], width / 2.0, Cap::Round);
        }
        for piece in points.windows(2) {
            self.cover([piece[0], piece[1]], width / 2.0, Cap::Round);
        }
        self.paint_covered(color);
    }

    /// A line of dashes with straight ends.
    pub(super) fn dashed(&mut self, points: &[Point], width: f32, dashes: Dashes, color: Color) {
        let period = dashes.drawn + dashes.gap;
        let mut walked = dashes.phase;
        for piece in points.windows(2) {
            let (from, to) = (piece[0], piece[1]);
            let length = distance(from, to);
            let at = |along: f32| lerp(from, to, (along / length).clamp(0.0, 1.0));
            let [first, last] = visible([from, to], width);
            let phase = walked % period;
            let mut start = ((first * length + phase) / period).floor() * period - phase;
            while start < last * length && length > 0.0 {
                let end = start + dashes.drawn;
                if end > 0.0 {
                    self.cover([at(start), at(end)], width / 2.0, Cap::Butt);
                }
                start += period;
            }
            walked += length;
        }
        self.paint_covered(color);
    }

    /// A filled circle.
    pub(super) fn dot(&mut self, center: Point, radius: f32, color: Color) {
        self.line(&[center], 2.0 * radius, color);
    }

    pub(super) fn fill(&mut self, path: &Path, color: Color, transform: Transform) {
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        paint.set_color(color);
        self.pixmap.fill_path(path, &paint, FillRule::Winding, transform, None);
    }

    pub(super) fn png(&self) -> Option<Vec<u8>> {
        let mut straight = self.pixmap.data().to_vec();
        for (color, straight) in self.pixmap.pixels().iter().zip(straight.as_chunks_mut().0) {
            // Most pixels are clear or opaque, and the same in both.
            if !matches!(color.alpha(), 0 | u8::MAX) {
                *straight = straight_alpha(*color);
            }
        }
        let mut png = Vec::new();
        let mut encoder = png::Encoder::new(&mut png, SIZE, SIZE);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_filter(png::FilterType::Up);
        let mut writer = encoder.write_header().ok()?;
        writer.write_image_data(&straight).ok()?;
        writer.finish().ok()?;
        Some(png)
    }

    /// Adds a straight piece of half-width `radius` to the current line.
    fn cover(&mut self, [from, to]: [Point; 2], radius: f32, cap: Cap) {
        let reach = radius + 0.5;
        let Some(rows) = pixels(from[1].min(to[1]) - reach, from[1].max(to[1]) + reach) else { return };
        let piece = Piece::new(from, to, radius, cap);
        for row in rows[0]..rows[1] {
            let y = row as f32 + 0.5;
            let (low, high) = piece.span(y, reach);
            let Some(columns) = pixels(low - reach, high + reach) else { continue };
            let line = &mut self.coverage[row * SIZE as usize..][columns[0]..columns[1]];
            for (column, covered) in (columns[0]..).zip(line) {
                let share = piece.coverage([column as f32 + 0.5, y]);
                *covered = (*covered).max((share * 255.0 + 0.5) as u8);
            }
            self.touched.add(Touched { columns, rows });
        }
    }

    /// Paints the covered pixels, and begins a new line.
    fn paint_covered(&mut self, color: Color) {
        let Touched { columns, rows } = std::mem::replace(&mut self.touched, NOTHING);
        if columns[0] >= columns[1] {
            return;
        }
        let color = bytes_of(color);
        let (pixels, _) = self.pixmap.data_mut().as_chunks_mut();
        for row in rows[0]..rows[1] {
            let range = row * SIZE as usize + columns[0]..row * SIZE as usize + columns[1];
            for (pixel, covered) in pixels[range.clone()].iter_mut().zip(&mut self.coverage[range]) {
                match std::mem::take(covered) {
                    0 => {}
                    share => lay_over(pixel, color, share),
                }
            }
        }
    }
}

/// The part of a line, as shares of its length, that may be visible in the picture.
fn visible([from, to]: [Point; 2], width: f32) -> [f32; 2] {
    let (mut first, mut last) = (0f32, 1f32);
    for axis in 0..2 {
        let step = to[axis] - from[axis];
        let ends = [-width, SIZE as f32 + width].map(|border| (border - from[axis]) / step);
        if step != 0.0 {
            first = first.max(ends[0].min(ends[1]));
            last = last.min(ends[0].max(ends[1]));
        }
    }
    [first, last.max(first)]
}

/// The half-open range of pixels of the picture whose centres are between two coordinates.
fn pixels(low: f32, high: f32) -> Option<[usize; 2]> {
    let clamp = |x: f32| x.clamp(0.0, SIZE as f32) as usize;
    let range = [clamp((low - 0.5).ceil()), clamp((high - 0.5).floor() + 1.0)];
    (range[0] < range[1]).then_some(range)
}

/// A colour as an opaque pixel.
fn bytes_of(color: Color) -> u32 {
    let color = color.to_color_u8();
    u32::from_le_bytes([color.red(), color.green(), color.blue(), 255])
}

/// Paints an opaque colour over `share` 255ths of a pixel.
#[inline(always)]
fn lay_over(pixel: &mut [u8; 4], color: u32, share: u8) {
    if share == 255 {
        *pixel = color.to_le_bytes();
        return;
    }
    /// Every other byte, so that each has room for a product of two bytes.
    const LANES: u32 = 0x00ff_00ff;
    let (share, rest) = (u32::from(share), u32::from(255 - share));
    let mix = |above: u32, below: u32| {
        // A sum of at most 255 * 255, divided by 255 and rounded. It cannot raise a colour above its alpha, because
        // both are rounded the same way.
        let sum = (above & LANES) * share + (below & LANES) * rest + 0x0080_0080;
        (sum + (sum >> 8 & LANES)) >> 8 & LANES
    };
    let below = u32::from_le_bytes(*pixel);
    *pixel = (mix(color, below) | mix(color >> 8, below >> 8) << 8).to_le_bytes();
}

fn straight_alpha(pixel: PremultipliedColorU8) -> [u8; 4] {
    let color = pixel.demultiply();
    [color.red(), color.green(), color.blue(), color.alpha()]
}

#[cfg(test)]
impl Canvas {
    /// The opacity of every pixel, row by row.
    pub(super) fn alpha(&self) -> Vec<u8> {
        self.pixmap.pixels().iter().map(|p| p.alpha()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alphas(canvas: &Canvas, row: usize, columns: std::ops::Range<usize>) -> Vec<u8> {
        canvas.alpha()[row * SIZE as usize..][columns].to_vec()
    }

    #[test]
    fn an_upright_line_covers_its_width() {
        let mut canvas = Canvas::new().unwrap();
        canvas.line(&[[10.5, 2.5], [10.5, 20.5]], 2.2, Color::BLACK);
        assert_eq!(alphas(&canvas, 10, 8..13), [0, 153, 255, 153, 0]);
        assert_eq!(alphas(&canvas, 30, 8..13), [0; 5]);
    }

    #[test]
    fn dashes_leave_gaps() {
        let mut canvas = Canvas::new().unwrap();
        let dashes = Dashes { drawn: 4.0, gap: 2.0, phase: 2.0 };
        canvas.dashed(&[[0.0, 5.5], [14.0, 5.5]], 1.0, dashes, Color::BLACK);
        assert_eq!(alphas(&canvas, 5, 0..12), [255, 255, 0, 0, 255, 255, 255, 255, 0, 0, 255, 255]);
    }

    #[test]
    fn pieces_of_a_line_do_not_darken_each_other() {
        let half = Color::from_rgba8(100, 0, 0, 255);
        let mut canvas = Canvas::new().unwrap();
        canvas.line(&[[5.5, 5.0], [9.5, 5.0], [13.5, 5.0]], 1.0, half);
        assert_eq!(alphas(&canvas, 4, 8..11), [128; 3]);
    }

    #[test]
    fn colours_are_mixed_to_the_nearest() {
        for share in 0..=255 {
            for below in 0..=255 {
                let mut pixel = [below, 255 - below, 7, below];
                let color = Color::from_rgba8(200, 100, 0, 255);
                lay_over(&mut pixel, bytes_of(color), share);
                let mixed = |above: u8, below: u8| {
                    let (share, above, below) = (f64::from(share), f64::from(above), f64::from(below));
                    ((above * share + below * (255.0 - share)) / 255.0).round() as u8
                };
                let expected = [mixed(200, below), mixed(100, 255 - below), mixed(0, 7), mixed(255, below)];
                assert_eq!(pixel, expected, "{share} over {below}");
            }
        }
    }

    #[test]
    fn a_png_has_colours_apart_from_their_opacity() {
        let mut canvas = Canvas::new().unwrap();
        canvas.line(&[[10.0, 2.0], [200.0, 250.0]], 3.0, Color::from_rgba8(200, 100, 0, 255));
        let png = canvas.png().unwrap();
        let mut drawn = vec![0; (4 * SIZE * SIZE) as usize];
        png::Decoder::new(&png[..]).read_info().unwrap().next_frame(&mut drawn).unwrap();
        let expected: Vec<u8> = canvas.pixmap.pixels().iter().flat_map(|p| straight_alpha(*p)).collect();
        assert_eq!(drawn, expected);
        assert!(expected.chunks(4).any(|pixel| pixel[3] > 0 && pixel[3] < 255 && pixel[0] > pixel[3]));
    }

    #[test]
    fn nothing_outside_is_drawn() {
        let mut canvas = Canvas::new().unwrap();
        canvas.line(&[[-1e6, -1e6], [-5.0, 1e6]], 3.0, Color::BLACK);
        canvas.dot([300.0, 300.0], 5.0, Color::BLACK);
        assert!(canvas.alpha().iter().all(|alpha| *alpha == 0));
    }
}
