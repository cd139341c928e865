//! Coordinate reference systems: geographic WGS 84, web Mercator and the UTM zones, including those of ETRS89.

use std::f64::consts::FRAC_PI_2;

use trestle_model::geo::LatLon;

/// Semi-major axis of WGS 84, metres.
const A: f64 = 6_378_137.0;
/// Third flattening n of WGS 84.
const N: f64 = 0.001_679_220_386_383_704_8;
/// Scale at a zone's central meridian.
const UTM_SCALE: f64 = 0.9996;
const FALSE_EASTING: f64 = 500_000.0;
const FALSE_NORTHING_SOUTH: f64 = 10_000_000.0;

/// A supported reference system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crs {
    /// EPSG:4326, longitude first.
    Wgs84,
    /// EPSG:3857.
    WebMercator,
    /// EPSG:326zz and 327zz.
    Utm {
        /// 1 to 60.
        zone: u8,
        /// Southern hemisphere.
        south: bool,
    },
    /// EPSG:258zz: ETRS89, whose coordinates in Europe are within a metre of those of WGS 84.
    Etrs89Utm {
        /// 28 to 38.
        zone: u8,
    },
}

impl Crs {
    /// The system of an EPSG code such as `EPSG:32610`; `None` when it is not supported.
    pub fn from_code(code: &str) -> Option<Crs> {
        let number: u32 = code.trim().to_ascii_uppercase().strip_prefix("EPSG:")?.parse().ok()?;
        match number {
            4326 => Some(Crs::Wgs84),
            25_828..=25_838 => Some(Crs::Etrs89Utm { zone: (number - 25_800) as u8 }),
            3857 | 900_913 => Some(Crs::WebMercator),
            32_601..=32_660 => Some(Crs::Utm { zone: (number - 32_600) as u8, south: false }),
            32_701..=32_760 => Some(Crs::Utm { zone: (number - 32_700) as u8, south: true }),
            _ => None,
        }
    }

    /// EPSG number.
    pub fn epsg(self) -> u16 {
        match self {
            Crs::Wgs84 => 4326,
            Crs::WebMercator => 3857,
            Crs::Utm { zone, south } => (if south { 32_700 } else { 32_600 }) + u16::from(zone),
            Crs::Etrs89Utm { zone } => 25_800 + u16::from(zone),
        }
    }

    /// Whether coordinates are degrees.
    pub fn is_geographic(self) -> bool {
        self == Crs::Wgs84
    }

    /// Easting and northing, or longitude and latitude.
    pub fn project(self, at: LatLon) -> [f64; 2] {
        match self {
            Crs::Wgs84 => [at.lon, at.lat],
            Crs::WebMercator => {
                let lat = at.lat.clamp(-85.06, 85.06).to_radians();
                [A * at.lon.to_radians(), A * lat.tan().asinh()]
            }
            Crs::Utm { zone, south } => utm(zone, south, at),
            Crs::Etrs89Utm { zone } => utm(zone, false, at),
        }
    }

    /// The position of projected coordinates.
    pub fn unproject(self, [x, y]: [f64; 2]) -> LatLon {
        match self {
            Crs::Wgs84 => LatLon::new(y, x),
            Crs::WebMercator => LatLon::new((y / A).sinh().atan().to_degrees(), (x / A).to_degrees()),
            Crs::Utm { zone, south } => from_utm(zone, south, [x, y]),
            Crs::Etrs89Utm { zone } => from_utm(zone, false, [x, y]),
        }
    }
}

/// Radius of the rectifying circle.
fn rectifying_radius() -> f64 {
    A / (1.0 + N) * (1.0 + N * N / 4.0 + N.powi(4) / 64.0)
}

/// Krüger's series to the third order of n; errors are below a millimetre within a zone.
fn alpha() -> [f64; 3] {
    [
        N / 2.0 - 2.0 / 3.0 * N * N + 5.0 / 16.0 * N.powi(3),
        13.0 / 48.0 * N * N - 3.0 / 5.0 * N.powi(3),
        61.0 / 240.0 * N.powi(3),
    ]
}

fn beta() -> [f64; 3] {
    [
        N / 2.0 - 2.0 / 3.0 * N * N + 37.0 / 96.0 * N.powi(3),
        N * N / 48.0 + N.powi(3) / 15.0,
        17.0 / 480.0 * N.powi(3),
    ]
}

fn delta() -> [f64; 3] {
    [
        2.0 * N - 2.0 / 3.0 * N * N - 2.0 * N.powi(3),
        7.0 / 3.0 * N * N - 8.0 / 5.0 * N.powi(3),
        56.0 / 15.0 * N.powi(3),
    ]
}

fn central_meridian(zone: u8) -> f64 {
    f64::from(zone) * 6.0 - 183.0
}

fn utm(zone: u8, south: bool, at: LatLon) -> [f64; 2] {
    let (lat, lon) = (at.lat.to_radians(), (at.lon - central_meridian(zone)).to_radians());
    let k = 2.0 * N.sqrt() / (1.0 + N);
    let t = (lat.sin().atanh() - k * (k * lat.sin()).atanh()).sinh();
    let (xi, eta) = (t.atan2(lon.cos()), (lon.sin() / (1.0 + t * t).sqrt()).atanh());
    let (mut north, mut east) = (xi, eta);
    for (j, a) in alpha().into_iter().enumerate() {
        let m = 2.0 * (j + 1) as f64;
        north += a * (m * xi).sin() * (m * eta).cosh();
        east += a * (m * xi).cos() * (m * eta).sinh();
    }
    let scale = UTM_SCALE * rectifying_radius();
    [FALSE_EASTING + scale * east, if south { FALSE_NORTHING_SOUTH } else { 0.0 } + scale * north]
}

fn from_utm(zone: u8, south: bool, [x, y]: [f64; 2]) -> LatLon {
    let scale = UTM_SCALE * rectifying_radius();
    let xi = (y - if south { FALSE_NORTHING_SOUTH } else { 0.0 }) / scale;
    let eta = (x - FALSE_EASTING) / scale;
    let (mut xi0, mut eta0) = (xi, eta);
    for (j, b) in beta().into_iter().enumerate() {
        let m = 2.0 * (j + 1) as f64;
        xi0 -= b * (m * xi).sin() * (m * eta).cosh();
        eta0 -= b * (m * xi).cos() * (m * eta).sinh();
    }
    let chi = (xi0.sin() / eta0.cosh()).clamp(-1.0, 1.0).asin();
    let lat =
        delta().into_iter().enumerate().fold(chi, |lat, (j, d)| lat + d * (2.0 * (j + 1) as f64 * chi).sin());
    let lon = eta0.sinh().atan2(xi0.cos());
    LatLon::new(lat.clamp(-FRAC_PI_2, FRAC_PI_2).to_degrees(), central_meridian(zone) + lon.to_degrees())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utm_matches_a_published_point_and_returns() {
        // The CN Tower, zone 17 north.
        let tower = LatLon::new(43.642_567, -79.387_139);
        let crs = Crs::from_code("EPSG:32617").unwrap();
        let [x, y] = crs.project(tower);
        assert!((x - 630_084.0).abs() < 1.5 && (y - 4_833_438.0).abs() < 1.5, "{x} {y}");
        for (crs, at) in [
            (crs, tower),
            (Crs::from_code("epsg:32722").unwrap(), LatLon::new(-30.03, -51.22)),
            (Crs::WebMercator, LatLon::new(41.15, -8.61)),
        ] {
            let back = crs.unproject(crs.project(at));
            assert!((back.lat - at.lat).abs() < 1e-8 && (back.lon - at.lon).abs() < 1e-8, "{back:?}");
        }
    }

    #[test]
    fn etrs89_has_zones_in_europe_and_keeps_its_number() {
        // Cologne Cathedral, zone 32.
        let cathedral = LatLon::new(50.941_278, 6.958_281);
        let crs = Crs::from_code("EPSG:25832").unwrap();
        let [x, y] = crs.project(cathedral);
        assert!((x - 356_558.858).abs() < 0.01 && (y - 5_645_279.727).abs() < 0.01, "{x} {y}");
        for zone in 28..=38 {
            let code = |hundreds: u32| Crs::from_code(&format!("EPSG:{}", hundreds * 100 + zone)).unwrap();
            let (etrs89, wgs84) = (code(258), code(326));
            assert_eq!(etrs89.epsg(), 25_800 + zone as u16);
            assert_eq!(etrs89.project(cathedral), wgs84.project(cathedral));
            assert_eq!(etrs89.unproject([x, y]), wgs84.unproject([x, y]));
        }
    }

    #[test]
    fn unknown_systems_are_refused() {
        assert!(
            ["", "EPSG:0", "EPSG:2326", "xx", "EPSG:32661", "EPSG:25827", "EPSG:25839"]
                .into_iter()
                .all(|c| Crs::from_code(c).is_none())
        );
    }
}
