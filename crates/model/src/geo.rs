//! Distances and angles on the sphere of the reference (radius 6,371,010 m).

/// Earth radius in metres.
pub const EARTH_RADIUS_M: f64 = 6_371_010.0;

/// A position in degrees.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LatLon {
    /// Latitude in degrees.
    pub lat: f64,
    /// Longitude in degrees.
    pub lon: f64,
}

impl LatLon {
    pub const fn new(lat: f64, lon: f64) -> Self {
        LatLon { lat, lon }
    }

    /// Whether latitude and longitude are in their ranges.
    #[inline(always)]
    pub fn is_on_earth(self) -> bool {
        self.lat.abs() <= 90.0 && self.lon.abs() <= 180.0
    }

    /// As a point of the plane of degrees.
    pub const fn plane(self) -> PlanePoint {
        [self.lon, self.lat]
    }
}

/// A box of latitudes and longitudes, in degrees.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoundingBox {
    pub south: f64,
    pub west: f64,
    pub north: f64,
    pub east: f64,
}

impl BoundingBox {
    /// The smallest box around positions; without any, south is greater than north.
    pub fn around(positions: impl IntoIterator<Item = LatLon>) -> Self {
        let nothing = BoundingBox { south: f64::MAX, west: f64::MAX, north: f64::MIN, east: f64::MIN };
        positions.into_iter().fold(nothing, |all, LatLon { lat, lon }| BoundingBox {
            south: all.south.min(lat),
            west: all.west.min(lon),
            north: all.north.max(lat),
            east: all.east.max(lon),
        })
    }

    /// The box extended by `high` degrees to the south and north, and by `wide` degrees to the west and east.
    pub fn widened(self, high: f64, wide: f64) -> Self {
        BoundingBox {
            south: self.south - high,
            west: self.west - wide,
            north: self.north + high,
            east: self.east + wide,
        }
    }

    /// South-west and north-east corner.
    pub fn corners(self) -> [LatLon; 2] {
        [LatLon::new(self.south, self.west), LatLon::new(self.north, self.east)]
    }

    /// Whether a position is in the box; its edges belong to it.
    pub fn has(self, at: LatLon) -> bool {
        (self.south..=self.north).contains(&at.lat) && (self.west..=self.east).contains(&at.lon)
    }

    /// Whether the boxes have a point in common.
    pub fn touches(self, other: BoundingBox) -> bool {
        self.south <= other.north
            && other.south <= self.north
            && self.west <= other.east
            && other.west <= self.east
    }
}

/// Great-circle length of a line in metres.
pub fn length_m(line: &[LatLon]) -> f64 {
    line.windows(2).map(|pair| distance_m(pair[0], pair[1])).sum()
}

/// Great-circle distance in metres, in a form that is exact for small angles too.
pub fn distance_m(a: LatLon, b: LatLon) -> f64 {
    let (lat1, lat2) = (a.lat.to_radians(), b.lat.to_radians());
    let dlon = (b.lon - a.lon).to_radians();
    let (sin1, cos1) = lat1.sin_cos();
    let (sin2, cos2) = lat2.sin_cos();
    let (sind, cosd) = dlon.sin_cos();
    let y = ((cos2 * sind).powi(2) + (cos1 * sin2 - sin1 * cos2 * cosd).powi(2)).sqrt();
    EARTH_RADIUS_M * y.atan2(sin1 * sin2 + cos1 * cos2 * cosd)
}

/// The index's "fast distance" in metres: equirectangular, scaled by 0.999462; the great circle when the
/// positions are more than 4° apart in either direction.
pub fn fast_distance_m(a: LatLon, b: LatLon) -> f64 {
    let (dlat, dlon) = ((b.lat - a.lat).abs(), (b.lon - a.lon).abs());
    if dlat > 4.0 || dlon > 4.0 {
        return distance_m(a, b);
    }
    let x = dlon.to_radians() * ((a.lat + b.lat) / 2.0).to_radians().cos();
    let y = dlat.to_radians();
    EARTH_RADIUS_M * 0.999_462 * (x * x + y * y).sqrt()
}

/// Equirectangular distance in metres, scaled at the mean latitude, for the lengths of short pieces of streets.
#[inline]
pub fn planar_distance_m(a: LatLon, b: LatLon) -> f64 {
    let x = (b.lon - a.lon) * ((a.lat + b.lat) / 2.0).to_radians().cos();
    let y = b.lat - a.lat;
    (x * x + y * y).sqrt().to_radians() * EARTH_RADIUS_M
}

/// East and north in a plane, both in the same unit.
pub type PlanePoint = [f64; 2];

/// The pieces of a ring: from each point to the next, and from the last one to the first.
pub fn ring_pieces<P: Copy>(ring: &[P]) -> impl Iterator<Item = (P, P)> {
    ring.iter().copied().zip(ring.iter().copied().cycle().skip(1))
}

/// Whether a ray from a point to the east crosses the segment between two others. A point is inside a ring if its ray
/// crosses an odd number of the ring's segments.
#[inline]
pub fn is_west_of_piece([x, y]: PlanePoint, [ax, ay]: PlanePoint, [bx, by]: PlanePoint) -> bool {
    (ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax
}

/// Where the segment from `a` to `b` is nearest to a point, as a share of its length from 0 to 1.
#[inline]
pub fn nearest_share([px, py]: PlanePoint, [ax, ay]: PlanePoint, [bx, by]: PlanePoint) -> f64 {
    let (dx, dy) = (bx - ax, by - ay);
    let square = dx * dx + dy * dy;
    if square > 0.0 { (((px - ax) * dx + (py - ay) * dy) / square).clamp(0.0, 1.0) } else { 0.0 }
}

/// Degrees of latitude that span `meters`.
pub fn meters_to_degrees(meters: f64) -> f64 {
    (meters / EARTH_RADIUS_M).to_degrees()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_that_share_an_edge_touch() {
        let around = |a, b| BoundingBox::around([LatLon::new(a, a), LatLon::new(b, b)]);
        assert!(around(0.0, 1.0).touches(around(1.0, 2.0)));
        assert!(!around(0.0, 1.0).touches(around(1.1, 2.0)));
        assert!(!BoundingBox::around([]).touches(around(0.0, 1.0)));
        assert!(around(0.0, 1.0).has(LatLon::new(1.0, 0.5)) && !around(0.0, 1.0).has(LatLon::new(1.1, 0.5)));
        assert_eq!(
            around(0.0, 1.0).widened(1.0, 2.0).corners(),
            [LatLon::new(-1.0, -2.0), LatLon::new(2.0, 3.0)]
        );
    }

    #[test]
    fn points_and_pieces_of_a_plane() {
        let (a, b) = ([2.0, 0.0], [4.0, 4.0]);
        assert!(is_west_of_piece([2.9, 2.0], a, b) && !is_west_of_piece([3.1, 2.0], a, b));
        assert!(is_west_of_piece([0.0, 0.0], a, b) && !is_west_of_piece([0.0, 4.0], a, b), "one end counts");
        assert_eq!([[3.0, 2.0], [0.0, -9.0], [9.0, 9.0]].map(|p| nearest_share(p, a, b)), [0.5, 0.0, 1.0]);
        assert_eq!(nearest_share([7.0, 7.0], a, a), 0.0);
    }

    #[test]
    fn distances_match_the_interface() {
        let (a, b) = (LatLon::new(-30.0262849537, -51.2282682008), LatLon::new(-30.0276, -51.2278));
        assert_eq!(fast_distance_m(a, b) as i32, 152);
        assert!(
            (distance_m(LatLon::new(0.0, 0.0), LatLon::new(0.0, 90.0))
                - EARTH_RADIUS_M * std::f64::consts::FRAC_PI_2)
                .abs()
                < 1e-6
        );
    }
}
