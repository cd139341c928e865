//! Lines of edges: length, angles, rounding, projecting points on them and cutting them in two.

use trestle_model::geo::{LatLon, distance_m, nearest_share};

use crate::geometry::between;

/// Angles are taken over a piece of at least this length where the line is long enough, metres.
const ANGLE_PIECE_M: f64 = 10.0;
/// Differences below this count as no movement, degrees.
const NO_MOVEMENT_DEG: f64 = 1e-10;

/// Metres as stored: truncated to millimetres.
pub(crate) fn millimeters(meters: f64) -> u32 {
    (meters * 1000.0) as u32
}

/// Azimuths of the first and last piece in 1/256 of a circle, clockwise from north.
pub(crate) fn first_and_last_angle(line: &[LatLon]) -> (u8, u8) {
    let (Some(&first), Some(&last)) = (line.first(), line.last()) else { return (0, 0) };
    let far_enough = |from: LatLon| move |to: &&LatLon| distance_m(from, **to) >= ANGLE_PIECE_M;
    let after_first = line[1..].iter().find(far_enough(first)).copied().unwrap_or(last);
    let before_last = line[..line.len() - 1].iter().rev().find(far_enough(last)).copied().unwrap_or(first);
    (angle(first, after_first), angle(before_last, last))
}

fn angle(from: LatLon, to: LatLon) -> u8 {
    (azimuth_deg(from, to) * 256.0 / 360.0 + 0.5).floor().rem_euclid(256.0) as u8
}

/// Azimuth in degrees on a plane tangent between the two points; due south for the same point.
fn azimuth_deg(from: LatLon, to: LatLon) -> f64 {
    let cos_lat = ((from.lat + to.lat) / 2.0).to_radians().cos();
    let (north, east) = (to.lat - from.lat, (to.lon - from.lon) * cos_lat);
    if north.abs() < NO_MOVEMENT_DEG && east.abs() < NO_MOVEMENT_DEG {
        return 180.0;
    }
    east.atan2(north).to_degrees()
}

/// Where on a line a point falls.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Projection {
    /// Distance in degrees of latitude, equirectangular.
    pub(crate) distance_deg: f64,
    /// Segment of the line.
    pub(crate) segment: usize,
    /// Position in the segment, 0 to 1.
    pub(crate) fraction: f64,
}

/// The nearest place on `line` to `point`, in the equirectangular projection at the point's latitude; the first
/// one of equally near ones.
pub(crate) fn project(line: &[LatLon], point: LatLon, cos_lat: f64) -> Option<Projection> {
    let mut best: Option<Projection> = None;
    for (segment, pair) in line.windows(2).enumerate() {
        let (ax, ay) = ((pair[0].lon - point.lon) * cos_lat, pair[0].lat - point.lat);
        let (bx, by) = ((pair[1].lon - point.lon) * cos_lat, pair[1].lat - point.lat);
        let fraction = nearest_share([0.0, 0.0], [ax, ay], [bx, by]);
        let (x, y) = (ax + fraction * (bx - ax), ay + fraction * (by - ay));
        let distance_deg = (x * x + y * y).sqrt();
        if best.is_none_or(|b| distance_deg < b.distance_deg) {
            best = Some(Projection { distance_deg, segment, fraction });
        }
    }
    best
}

/// The position of a projection on its line.
pub(crate) fn point_at(line: &[LatLon], at: &Projection) -> LatLon {
    between(line[at.segment], line[at.segment + 1], at.fraction)
}

/// The parts of a line before and after a place on it; both contain `middle`.
pub(crate) fn cut(line: &[LatLon], at: &Projection, middle: LatLon) -> (Vec<LatLon>, Vec<LatLon>) {
    let mut before = line[..=at.segment].to_vec();
    let mut after = vec![middle];
    // A cut exactly on an inner point must not make a piece without length.
    if at.fraction == 0.0 && at.segment > 0 {
        before.pop();
    }
    before.push(middle);
    let rest = if at.fraction == 1.0 { at.segment + 2 } else { at.segment + 1 };
    after.extend_from_slice(&line[rest.min(line.len() - 1)..]);
    (before, after)
}

/// The issue of a street or an area across the 180th meridian.
pub(super) const ACROSS_MERIDIAN: &str = "street-across-meridian";

/// Whether the shorter way between two nodes leads across the 180th meridian. In the plane of degrees, a street between
/// them would lead around the earth, past everything on its latitude.
pub(super) fn is_across_meridian(a: LatLon, b: LatLon) -> bool {
    (a.lon - b.lon).abs() > 180.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use trestle_model::geo::length_m;

    const EAST: [LatLon; 3] = [LatLon::new(0.0, 0.0), LatLon::new(0.0, 0.001), LatLon::new(0.0, 0.002)];

    #[test]
    fn angles_look_at_least_ten_metres_ahead() {
        let hook = [LatLon::new(0.0, 0.0), LatLon::new(0.00001, 0.0), LatLon::new(0.00001, 0.001)];
        let (first, last) = first_and_last_angle(&hook);
        assert_eq!((first, last), (64, 64));
        assert_eq!(first_and_last_angle(&[LatLon::new(0.0, 0.0), LatLon::new(-1.0, 0.0)]), (128, 128));
        assert_eq!(first_and_last_angle(&[LatLon::new(0.0, 1.0), LatLon::new(0.0, 0.0)]).0, 192);
    }

    #[test]
    fn projecting_and_cutting() {
        let point = LatLon::new(0.0005, 0.0015);
        let at = project(&EAST, point, 1.0).unwrap();
        assert_eq!(at.segment, 1);
        assert!((at.fraction - 0.5).abs() < 1e-9 && (at.distance_deg - 0.0005).abs() < 1e-12);
        let middle = point_at(&EAST, &at);
        let (before, after) = cut(&EAST, &at, middle);
        assert_eq!((before.len(), after.len()), (3, 2));
        assert!((length_m(&before) + length_m(&after) - length_m(&EAST)).abs() < 1e-6);
    }

    #[test]
    fn a_cut_on_an_inner_point_repeats_no_point() {
        let at = Projection { distance_deg: 0.0, segment: 0, fraction: 1.0 };
        let (before, after) = cut(&EAST, &at, EAST[1]);
        assert_eq!((before, after), (EAST[..2].to_vec(), EAST[1..].to_vec()));
    }

    #[test]
    fn lengths_are_truncated_and_points_rounded() {
        assert_eq!(millimeters(1.2349), 1234);
        assert_eq!(
            crate::geometry::to_micro(LatLon::new(1.234_567_89, -1.234_567_4)),
            [1_234_568, -1_234_567]
        );
    }
}
