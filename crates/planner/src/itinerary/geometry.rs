//! Lines of legs, and the angles of turns.

use std::f64::consts::PI;

use trestle_model::geo::{LatLon, fast_distance_m};
use trestle_model::itinerary::AbsoluteDirection;
use trestle_model::polyline::{self, EncodedPolyline};

/// Angles are taken over at least this length of a line, if it is long enough, metres.
const ANGLE_REACH_M: f64 = 10.0;

/// Joins lines. A line that begins where the line before ends loses its first point. Lines with fewer than two points
/// are left out.
pub(super) fn concatenate<'a>(lines: impl IntoIterator<Item = &'a [LatLon]>) -> Vec<LatLon> {
    let mut points: Vec<LatLon> = Vec::new();
    for line in lines.into_iter().filter(|line| line.len() > 1) {
        points.extend_from_slice(&line[usize::from(points.last() == line.first())..]);
    }
    points
}

/// Encodes a line for the interface.
pub(super) fn encode(points: &[LatLon]) -> EncodedPolyline {
    polyline::encode(points.iter().map(|p| (p.lat, p.lon)))
}

/// Azimuth of the start of a line: radians in −π…π, clockwise from north.
pub(super) fn first_angle(line: &[LatLon]) -> f64 {
    let Some((&start, rest)) = line.split_first() else { return 0.0 };
    azimuth(start, far_point(start, rest.iter()))
}

/// Azimuth of the end of a line.
pub(super) fn last_angle(line: &[LatLon]) -> f64 {
    let Some((&end, rest)) = line.split_last() else { return 0.0 };
    azimuth(far_point(end, rest.iter().rev()), end)
}

/// The first point that is far enough from `near` for a direction, or else the last point.
fn far_point<'a>(near: LatLon, points: impl Iterator<Item = &'a LatLon>) -> LatLon {
    let mut far = near;
    for &point in points {
        far = point;
        if fast_distance_m(near, point) >= ANGLE_REACH_M {
            break;
        }
    }
    far
}

/// Azimuth on a local plane; south for two equal points, as in the reference.
fn azimuth(from: LatLon, to: LatLon) -> f64 {
    let north = to.lat - from.lat;
    let east = (to.lon - from.lon) * ((from.lat + to.lat) / 2.0).to_radians().cos();
    if north.abs() < 1e-10 && east.abs() < 1e-10 {
        return PI;
    }
    east.atan2(north)
}

/// The nearest of the eight compass directions.
pub(super) fn octant(angle: f64) -> AbsoluteDirection {
    use AbsoluteDirection::*;
    const CLOCKWISE: [AbsoluteDirection; 8] =
        [North, Northeast, East, Southeast, South, Southwest, West, Northwest];
    let eighths = (angle * 4.0 / PI).round() as i64;
    CLOCKWISE[eighths.rem_euclid(8) as usize]
}

/// Smallest absolute difference of two angles, 0…π.
pub(super) fn difference(a: f64, b: f64) -> f64 {
    let turn = clockwise(a, b);
    turn.min(2.0 * PI - turn)
}

/// Clockwise angle from `from` to `to`, 0…2π.
pub(super) fn clockwise(from: f64, to: f64) -> f64 {
    (to - from).rem_euclid(2.0 * PI)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: &[(f64, f64)]) -> Vec<LatLon> {
        points.iter().map(|&(lat, lon)| LatLon::new(lat, lon)).collect()
    }

    #[test]
    fn lines_share_the_point_at_which_they_meet() {
        let (a, b) = (line(&[(0.0, 0.0), (1.0, 0.0)]), line(&[(1.0, 0.0), (2.0, 0.0)]));
        let joined = concatenate([&a[..], &[], &b[..]]);
        assert_eq!(joined, line(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]));
        let apart = line(&[(1.5, 0.0), (2.0, 0.0)]);
        let joined = concatenate([&a[..], &apart]);
        assert_eq!(joined, line(&[(0.0, 0.0), (1.0, 0.0), (1.5, 0.0), (2.0, 0.0)]));
    }

    #[test]
    fn angles_reach_ten_metres() {
        // 0.00001° of latitude are 1.1 m, so the first piece is too short for a direction.
        let bent = line(&[(0.0, 0.0), (0.00001, 0.0), (0.00001, 0.001), (0.001, 0.001)]);
        assert_eq!(octant(first_angle(&bent)), AbsoluteDirection::East);
        assert_eq!(octant(last_angle(&bent)), AbsoluteDirection::North);
        assert_eq!(first_angle(&line(&[(1.0, 1.0), (1.0, 1.0)])), PI);
    }

    #[test]
    fn octants_are_centred_on_the_compass_points() {
        assert_eq!(octant(-PI / 8.1), AbsoluteDirection::North);
        assert_eq!(octant(-PI / 7.9), AbsoluteDirection::Northwest);
        assert_eq!(octant(PI), AbsoluteDirection::South);
        assert_eq!(octant(-PI), AbsoluteDirection::South);
    }
}
