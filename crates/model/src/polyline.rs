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

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked example of the format's description, with coordinates that survive flooring.
    #[test]
    fn encodes_the_published_example() {
        let line = encode([(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)]);
        assert_eq!((line.points.as_str(), line.length), ("_p~iF~ps|U_ulLnnqC_mqNvxq`@", 3));
        assert_eq!(encode([(-0.000001, 0.0)]).points, "@?");
    }
}
