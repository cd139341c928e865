//! Colour tables of the analysis styles, from minutes as a signed byte to RGBA.

/// Colour of one index: red, green, blue, alpha.
pub type Rgba = [u8; 4];

/// A style of analysis images.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Style {
    Color30,
    Gray,
    Difference,
    Transparent,
    Mask,
    Boardings,
}

/// A corner of a colour table: colours change evenly from this index to the next corner's.
type Break = (i32, Rgba);

const COLOR30: &[Break] = &[
    (-128, [100, 100, 100, 200]),
    (0, [100, 100, 100, 0]),
    (15, [100, 100, 100, 90]),
    (15, [0, 140, 0, 10]),
    (30, [0, 140, 0, 90]),
    (30, [0, 0, 140, 10]),
    (45, [0, 0, 140, 90]),
    (45, [140, 140, 0, 10]),
    (60, [140, 140, 0, 90]),
    (60, [140, 0, 0, 10]),
    (75, [140, 0, 0, 90]),
    (75, [140, 0, 140, 10]),
    (90, [140, 0, 140, 90]),
    (90, [100, 100, 100, 50]),
    (121, [100, 100, 100, 200]),
];

const DIFFERENCE: &[Break] = &[
    (-128, [0, 0, 0, 0]),
    (-127, [150, 0, 0, 80]),
    (-60, [150, 0, 0, 80]),
    (-15, [150, 150, 0, 80]),
    (0, [150, 150, 0, 0]),
    (0, [0, 0, 0, 0]),
    (15, [0, 0, 150, 80]),
    (45, [0, 150, 0, 90]),
    (60, [100, 150, 100, 99]),
    (127, [50, 150, 50, 99]),
];

const TRANSPARENT: &[Break] =
    &[(-128, [0, 0, 0, 255]), (0, [0, 0, 0, 255]), (60, [0, 0, 0, 0]), (120, [0, 0, 0, 0])];

const MASK: &[Break] = &[(0, [0, 0, 0, 255]), (60, [0, 0, 0, 0])];

impl Style {
    /// The style with this name, ignoring case; `GREY` is `GRAY`, an empty name is `COLOR30`.
    pub fn from_name(name: &str) -> Option<Style> {
        Some(match name.to_ascii_uppercase().as_str() {
            "" | "COLOR30" => Style::Color30,
            "GRAY" | "GREY" => Style::Gray,
            "DIFFERENCE" => Style::Difference,
            "TRANSPARENT" => Style::Transparent,
            "MASK" => Style::Mask,
            "BOARDINGS" => Style::Boardings,
            _ => return None,
        })
    }

    /// The colours of all 256 indices; index `v` as an unsigned byte stands for the signed value `v as i8`.
    pub fn palette(self) -> [Rgba; 256] {
        match self {
            Style::Color30 => even_runs(COLOR30),
            Style::Difference => even_runs(DIFFERENCE),
            Style::Transparent => even_runs(TRANSPARENT),
            Style::Mask => even_runs(MASK),
            Style::Gray => gray(),
            Style::Boardings => boardings(),
        }
    }
}

/// Every range writes its own first index and ends before the next corner's; later ranges overwrite earlier ones.
fn even_runs(breaks: &[Break]) -> [Rgba; 256] {
    let mut colors = [[0; 4]; 256];
    for pair in breaks.windows(2) {
        let ((from, a), (to, b)) = (pair[0], pair[1]);
        for j in 0..to - from {
            let channel =
                |k: usize| (i32::from(a[k]) + j * (i32::from(b[k]) - i32::from(a[k])) / (to - from)) as u8;
            colors[((from + j) & 255) as usize] = [channel(0), channel(1), channel(2), channel(3)];
        }
    }
    colors
}

/// Shades from black (0 minutes) to white (120 and more); values without a sample are transparent.
fn gray() -> [Rgba; 256] {
    std::array::from_fn(|index| match index as u8 as i8 {
        value @ 0.. => {
            let shade = (i32::from(value).min(120) * 255 / 120) as u8;
            [shade, shade, shade, 255]
        }
        _ => [0; 4],
    })
}

fn boardings() -> [Rgba; 256] {
    let mut colors = [[0, 0, 0, 80]; 256];
    colors[..4].copy_from_slice(&[[0, 255, 0, 80], [0, 0, 255, 80], [255, 255, 0, 80], [255, 0, 0, 80]]);
    colors[255] = [0; 4];
    colors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_start_at_their_corner_and_truncate_between() {
        let colors = Style::Color30.palette();
        assert_eq!(colors[0], [100, 100, 100, 0]);
        assert_eq!(colors[14], [100, 100, 100, 84]);
        assert_eq!(colors[15], [0, 140, 0, 10]);
        assert_eq!(colors[120], [100, 100, 100, 195]);
        assert_eq!(colors[121], [0, 0, 0, 0], "the last corner itself is not written");
        assert_eq!(colors[128], [100, 100, 100, 200], "-128: no sample");
        assert_eq!(Style::Difference.palette()[0], [0, 0, 0, 0]);
        assert_eq!(Style::Difference.palette()[(-127i32 & 255) as usize], [150, 0, 0, 80]);
    }

    #[test]
    fn names_are_read_in_any_case() {
        assert_eq!(Style::from_name("grey"), Some(Style::Gray));
        assert_eq!(Style::from_name(""), Some(Style::Color30));
        assert_eq!(Style::from_name("pink"), None);
    }
}
