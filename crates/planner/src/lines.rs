//! Points on lines. Lengths along a line are in degrees, as in the reference.

use trestle_model::geo::{LatLon, nearest_share};

/// The point of a straight piece nearest to another, and the share of the piece before it. Differences of longitudes
/// count `lon_scale` times.
pub(crate) fn nearest_on_piece(piece: &[LatLon], point: LatLon, lon_scale: f64) -> (LatLon, f64) {
    let (a, b) = (piece[0], piece[1]);
    let from_a = |p: LatLon| [(p.lon - a.lon) * lon_scale, p.lat - a.lat];
    let k = nearest_share(from_a(point), [0.0, 0.0], from_a(b));
    (LatLon::new(a.lat + (b.lat - a.lat) * k, a.lon + (b.lon - a.lon) * k), k)
}

/// The share of a line before its point nearest to another.
pub(crate) fn share_before(line: &[LatLon], point: LatLon) -> f64 {
    let (mut before, mut best) = (0.0, (f64::INFINITY, 0.0));
    for piece in line.windows(2) {
        let (at, k) = nearest_on_piece(piece, point, 1.0);
        let (away, length) = (degrees_between(at, point), degrees_between(piece[0], piece[1]));
        if away < best.0 {
            best = (away, before + k * length);
        }
        before += length;
    }
    if before > 0.0 { best.1 / before } else { 0.0 }
}

pub(crate) fn point_after(line: &[LatLon], share: f64) -> LatLon {
    let length = |piece: &[LatLon]| degrees_between(piece[0], piece[1]);
    let mut left = share * line.windows(2).map(length).sum::<f64>();
    for piece in line.windows(2) {
        let own = length(piece);
        if left <= own && own > 0.0 {
            let at = |from: f64, to: f64| from + (to - from) * left / own;
            return LatLon::new(at(piece[0].lat, piece[1].lat), at(piece[0].lon, piece[1].lon));
        }
        left -= own;
    }
    line.last().copied().unwrap_or_default()
}

/// The part of a line after its point nearest to another.
pub(crate) fn rest_of_line(line: &[LatLon], point: LatLon) -> Vec<LatLon> {
    let pieces = line.windows(2).enumerate().map(|(i, piece)| {
        let (at, _) = nearest_on_piece(piece, point, 1.0);
        let (north, east) = (at.lat - point.lat, at.lon - point.lon);
        (north * north + east * east, i, at)
    });
    match pieces.min_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((_, i, at)) => {
            let rest = line[i + 1..].iter().copied().skip_while(|p| *p == at);
            std::iter::once(at).chain(rest).collect()
        }
        None => line.to_vec(),
    }
}

fn degrees_between(a: LatLon, b: LatLon) -> f64 {
    (b.lat - a.lat).hypot(b.lon - a.lon)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_begins_at_the_nearest_point() {
        let line = [LatLon::new(0.0, 0.0), LatLon::new(0.0, 1.0), LatLon::new(1.0, 1.0)];
        let rest = rest_of_line(&line, LatLon::new(0.3, 0.25));
        assert_eq!(rest, [LatLon::new(0.0, 0.25), line[1], line[2]]);
        assert_eq!(rest_of_line(&line, LatLon::new(-1.0, -1.0)), line);
    }
}
