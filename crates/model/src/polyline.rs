//! Google polyline encoding at precision 1e5 as the interface writes it: latitude first, coordinates floored.

/// An encoded line and its number of points.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EncodedPolyline {
    /// Encoded text; empty for no points.
    pub points: String,
    /// Number of points.
    pub length: u32,
}

/// Encodes `(lat, lon)` points; each coordinate becomes `floor(degrees × 1e5)` before delta encoding.
pub fn encode(points: impl IntoIterator<Item = (f64, f64)>) -> EncodedPolyline {
    let mut out = EncodedPolyline::default();
    let (mut last_lat, mut last_lon) = (0i64, 0i64);
    for (lat, lon) in points {
        let (lat, lon) = ((lat * 1e5).floor() as i64, (lon * 1e5).floor() as i64);
        push_number(&mut out.points, lat - last_lat);
        push_number(&mut out.points, lon - last_lon);
        (last_lat, last_lon) = (lat, lon);
        out.length += 1;
    }
    out
}

fn push_number(out: &mut String, value: i64) {
    let mut rest = (value << 1) ^ (value >> 63);
    while rest >= 0x20 {
        out.push(char::from((0x20 | (rest & 0x1f)) as u8 + 63));
        rest >>= 5;
    }
    out.push(char::from(rest as u8 + 63));
}

/// The points of an encoded line, `[lat, lon]` each; `None` if the text ends within a point or has other letters.
pub fn decode(text: &str) -> Option<Vec<[f64; 2]>> {
    let mut bytes = text.bytes();
    let (mut points, mut last) = (Vec::new(), [0i64; 2]);
    while bytes.len() > 0 {
        for coordinate in &mut last {
            *coordinate = coordinate.checked_add(take_number(&mut bytes)?)?;
        }
        points.push(last.map(|units| units as f64 / 1e5));
    }
    Some(points)
}

fn take_number(bytes: &mut impl Iterator<Item = u8>) -> Option<i64> {
    let mut value = 0u64;
    // Coordinates need six letters.
    for letter in 0..7 {
        let part = u64::from(bytes.next()?.checked_sub(63).filter(|part| *part < 64)?);
        value |= (part & 0x1f) << (5 * letter);
        if part < 0x20 {
            return Some((value >> 1) as i64 ^ -((value & 1) as i64));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_what_is_encoded_and_refuses_other_texts() {
        let points = [[38.5, -120.2], [40.7, -120.95], [43.252, -126.453]];
        assert_eq!(decode("_p~iF~ps|U_ulLnnqC_mqNvxq`@"), Some(points.to_vec()));
        assert_eq!(decode(""), Some(Vec::new()));
        for broken in ["_p~iF", "_p~iF~ps|", "_p~iF ps|U", "\u{7f}\u{7f}", "________?"] {
            assert_eq!(decode(broken), None, "{broken}");
        }
    }

    /// The worked example of the format's description, with coordinates that survive flooring.
    #[test]
    fn encodes_the_published_example() {
        let line = encode([(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)]);
        assert_eq!((line.points.as_str(), line.length), ("_p~iF~ps|U_ulLnnqC_mqNvxq`@", 3));
        assert_eq!(encode([(-0.000001, 0.0)]).points, "@?");
    }
}
