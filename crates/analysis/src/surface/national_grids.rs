//! Grids of countries and regions, by their own EPSG numbers.

use trestle_model::geo::LatLon;

use super::transverse_mercator::{Ellipsoid, TransverseMercator, WGS84};

/// Within a tenth of a millimetre of WGS 84.
const GRS80: Ellipsoid = Ellipsoid::new(6_378_137.0, 298.257_222_101);
const AIRY: Ellipsoid = Ellipsoid::new(6_377_563.396, 299.324_964_6);
const BESSEL: Ellipsoid = Ellipsoid::new(6_377_397.155, 299.152_812_8);
const INTERNATIONAL: Ellipsoid = Ellipsoid::new(6_378_388.0, 297.0);

/// A grid and how its datum differs from WGS 84.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NationalGrid {
    /// EPSG number.
    pub epsg: u16,
    plane: TransverseMercator,
    /// `None` where coordinates are within about a metre of those of WGS 84.
    shift: Option<Shift>,
}

/// Moves, turns and scales the axes of a datum to those of WGS 84 ("position vector"). With parameters for a whole
/// country the result is right to a few metres.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Shift {
    metres: [f64; 3],
    arc_seconds: [f64; 3],
    parts_per_million: f64,
}

const OSGB36: Shift = Shift {
    metres: [446.448, -125.157, 542.06],
    arc_seconds: [0.15, 0.247, 0.842],
    parts_per_million: -20.489,
};
const DHDN: Shift =
    Shift { metres: [598.1, 73.7, 418.2], arc_seconds: [0.202, 0.045, -2.455], parts_per_million: 6.7 };
const HONG_KONG_1980: Shift = Shift {
    metres: [-162.619, -276.959, -161.764],
    arc_seconds: [0.067_753, -2.243_648, -1.158_828],
    parts_per_million: -1.094_246,
};

impl NationalGrid {
    /// The grid of an EPSG number.
    pub fn of(epsg: u16) -> Option<NationalGrid> {
        let origin = LatLon::new;
        let (ellipsoid, shift, origin, scale, [false_easting, false_northing]) = match epsg {
            2157 => (GRS80, None, origin(53.5, -8.0), 0.999_82, [600_000.0, 750_000.0]),
            2180 => (GRS80, None, origin(0.0, 19.0), 0.9993, [500_000.0, -5_300_000.0]),
            2193 => (GRS80, None, origin(0.0, 173.0), 0.9996, [1_600_000.0, 10_000_000.0]),
            2326 => (
                INTERNATIONAL,
                Some(HONG_KONG_1980),
                origin(22.0 + 18.0 / 60.0 + 43.68 / 3600.0, 114.0 + 10.0 / 60.0 + 42.8 / 3600.0),
                1.0,
                [836_694.05, 819_069.8],
            ),
            3006 => (GRS80, None, origin(0.0, 15.0), 0.9996, [500_000.0, 0.0]),
            3067 => (GRS80, None, origin(0.0, 27.0), 0.9996, [500_000.0, 0.0]),
            3763 => (
                GRS80,
                None,
                origin(39.0 + 40.0 / 60.0 + 5.73 / 3600.0, -(8.0 + 7.0 / 60.0 + 59.19 / 3600.0)),
                1.0,
                [0.0, 0.0],
            ),
            27_700 => (AIRY, Some(OSGB36), origin(49.0, -2.0), 0.999_601_271_7, [400_000.0, -100_000.0]),
            31_466..=31_469 => {
                let zone = f64::from(epsg - 31_464);
                (BESSEL, Some(DHDN), origin(0.0, 3.0 * zone), 1.0, [zone * 1_000_000.0 + 500_000.0, 0.0])
            }
            _ => return None,
        };
        Some(NationalGrid {
            epsg,
            plane: TransverseMercator { ellipsoid, origin, scale, false_easting, false_northing },
            shift,
        })
    }

    /// Easting and northing.
    pub fn project(&self, at: LatLon) -> [f64; 2] {
        let local = match &self.shift {
            None => at,
            Some(shift) => at_ground(shift.local_of(axes_of(at, WGS84)), self.plane.ellipsoid),
        };
        self.plane.project(local)
    }

    /// The position of an easting and northing.
    pub fn unproject(&self, xy: [f64; 2]) -> LatLon {
        let local = self.plane.unproject(xy);
        match &self.shift {
            None => local,
            Some(shift) => at_ground(shift.wgs84_of(axes_of(local, self.plane.ellipsoid)), WGS84),
        }
    }
}

impl Shift {
    fn wgs84_of(&self, local: [f64; 3]) -> [f64; 3] {
        let turned = self.turned(local, 1.0);
        let scale = 1.0 + self.parts_per_million * 1e-6;
        [0, 1, 2].map(|i| self.metres[i] + scale * turned[i])
    }

    fn local_of(&self, wgs84: [f64; 3]) -> [f64; 3] {
        let scale = 1.0 + self.parts_per_million * 1e-6;
        let turned = [0, 1, 2].map(|i| (wgs84[i] - self.metres[i]) / scale);
        // Turning back by small angles is nearly exact; what is left over is turned back as well.
        let near = self.turned(turned, -1.0);
        let reached = self.turned(near, 1.0);
        let rest = self.turned([0, 1, 2].map(|i| turned[i] - reached[i]), -1.0);
        [0, 1, 2].map(|i| near[i] + rest[i])
    }

    fn turned(&self, [x, y, z]: [f64; 3], direction: f64) -> [f64; 3] {
        let [rx, ry, rz] = self.arc_seconds.map(|angle| direction * (angle / 3600.0).to_radians());
        [x - rz * y + ry * z, rz * x + y - rx * z, -ry * x + rx * y + z]
    }
}

/// Metres from the centre along the axes of an ellipsoid, of a place on its surface.
fn axes_of(at: LatLon, Ellipsoid { a, flattening }: Ellipsoid) -> [f64; 3] {
    let (lat, lon) = (at.lat.to_radians(), at.lon.to_radians());
    let e2 = flattening * (2.0 - flattening);
    let across = a / (1.0 - e2 * lat.sin().powi(2)).sqrt();
    [across * lat.cos() * lon.cos(), across * lat.cos() * lon.sin(), across * (1.0 - e2) * lat.sin()]
}

/// The place on the surface below or above, by Bowring's formula.
fn at_ground([x, y, z]: [f64; 3], Ellipsoid { a, flattening }: Ellipsoid) -> LatLon {
    let b = a * (1.0 - flattening);
    let e2 = flattening * (2.0 - flattening);
    let from_axis = x.hypot(y);
    let theta = (z * a).atan2(from_axis * b);
    let lat = (z + e2 / (1.0 - e2) * b * theta.sin().powi(3)).atan2(from_axis - e2 * a * theta.cos().powi(3));
    LatLon::new(lat.to_degrees(), y.atan2(x).to_degrees())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_agree_with_an_independent_implementation_and_return() {
        // Computed by PROJ 9 without grids of corrections.
        for (epsg, lat, lon, x, y) in [
            (2157, 53.3498, -6.2603, 715_826.507, 734_697.593),
            (2180, 52.2297, 21.0122, 637_382.204, 486_757.209),
            (2193, -41.2865, 174.7762, 1_748_735.553, 5_427_916.479),
            (2326, 22.2819, 114.1581, 834_333.174, 815_891.568),
            (3006, 59.3293, 18.0686, 674_571.866, 6_580_743.008),
            (3067, 60.1699, 24.9384, 385_611.317, 6_672_118.380),
            (3763, 41.1496, -8.6110, -40_116.519, 164_601.990),
            (27_700, 51.5007, -0.1246, 530_269.902, 179_640.717),
            (31_466, 50.941_278, 6.958_281, 2_567_395.438, 5_645_551.694),
            (31_467, 53.473_335, 9.715_691, 3_547_593.146, 5_927_097.311),
            (31_468, 48.137, 11.575, 4_468_476.027, 5_333_305.996),
            (31_469, 52.52, 13.405, 5_391_870.948, 5_821_955.396),
        ] {
            let grid = NationalGrid::of(epsg).unwrap();
            let [east, north] = grid.project(LatLon::new(lat, lon));
            assert!((east - x).abs() < 0.05 && (north - y).abs() < 0.05, "{epsg}: {east} {north}");
            let back = grid.unproject([x, y]);
            assert!((back.lat - lat).abs() < 1e-6 && (back.lon - lon).abs() < 1e-6, "{epsg}: {back:?}");
        }
    }
}
