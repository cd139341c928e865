//! Coordinate reference systems: geographic WGS 84, web Mercator, the UTM zones, including those of ETRS89, and grids of
//! countries.

use trestle_model::geo::LatLon;

use super::national_grids::NationalGrid;
use super::transverse_mercator::{TransverseMercator, WGS84};

/// Semi-major axis of WGS 84, metres.
const A: f64 = WGS84.a;

/// A supported reference system.
#[derive(Clone, Copy, PartialEq, Debug)]
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
    /// A grid of a country.
    National(NationalGrid),
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
            _ => NationalGrid::of(u16::try_from(number).ok()?).map(Crs::National),
        }
    }

    /// EPSG number.
    pub fn epsg(self) -> u16 {
        match self {
            Crs::Wgs84 => 4326,
            Crs::WebMercator => 3857,
            Crs::Utm { zone, south } => (if south { 32_700 } else { 32_600 }) + u16::from(zone),
            Crs::Etrs89Utm { zone } => 25_800 + u16::from(zone),
            Crs::National(grid) => grid.epsg,
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
            Crs::Utm { zone, south } => utm(zone, south).project(at),
            Crs::Etrs89Utm { zone } => utm(zone, false).project(at),
            Crs::National(grid) => grid.project(at),
        }
    }

    /// The position of projected coordinates.
    pub fn unproject(self, [x, y]: [f64; 2]) -> LatLon {
        match self {
            Crs::Wgs84 => LatLon::new(y, x),
            Crs::WebMercator => LatLon::new((y / A).sinh().atan().to_degrees(), (x / A).to_degrees()),
            Crs::Utm { zone, south } => utm(zone, south).unproject([x, y]),
            Crs::Etrs89Utm { zone } => utm(zone, false).unproject([x, y]),
            Crs::National(grid) => grid.unproject([x, y]),
        }
    }
}

fn utm(zone: u8, south: bool) -> TransverseMercator {
    TransverseMercator {
        ellipsoid: WGS84,
        origin: LatLon::new(0.0, f64::from(zone) * 6.0 - 183.0),
        scale: 0.9996,
        false_easting: 500_000.0,
        false_northing: if south { 10_000_000.0 } else { 0.0 },
    }
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
    fn grids_of_countries_keep_their_number() {
        for epsg in [2157, 2180, 2193, 2326, 3006, 3067, 3763, 27_700, 31_466, 31_467, 31_468, 31_469] {
            let crs = Crs::from_code(&format!("EPSG:{epsg}")).unwrap();
            assert!(matches!(crs, Crs::National(_)));
            assert_eq!((crs.epsg(), crs.is_geographic()), (epsg, false));
        }
    }

    #[test]
    fn unknown_systems_are_refused() {
        assert!(
            ["", "EPSG:0", "EPSG:2056", "xx", "EPSG:32661", "EPSG:25827", "EPSG:25839", "EPSG:93236"]
                .into_iter()
                .all(|c| Crs::from_code(c).is_none())
        );
    }
}
