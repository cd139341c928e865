//! The transverse Mercator projection of any ellipsoid, by Krüger's series to the third order of the third flattening.
//! Errors are below a millimetre within a zone of six degrees.

use std::f64::consts::FRAC_PI_2;

use trestle_model::geo::LatLon;

/// A figure of the Earth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Ellipsoid {
    /// Semi-major axis, metres.
    pub(super) a: f64,
    pub(super) flattening: f64,
}

impl Ellipsoid {
    /// An ellipsoid as tables give it.
    pub(super) const fn new(a: f64, inverse_flattening: f64) -> Ellipsoid {
        Ellipsoid { a, flattening: 1.0 / inverse_flattening }
    }

    fn third_flattening(self) -> f64 {
        self.flattening / (2.0 - self.flattening)
    }
}

/// What WGS 84 measures with.
pub(super) const WGS84: Ellipsoid = Ellipsoid::new(6_378_137.0, 298.257_223_563);

/// A plane that touches or cuts an ellipsoid along a meridian.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct TransverseMercator {
    pub(super) ellipsoid: Ellipsoid,
    /// Where easting and northing are the false ones.
    pub(super) origin: LatLon,
    /// Scale at the central meridian.
    pub(super) scale: f64,
    pub(super) false_easting: f64,
    pub(super) false_northing: f64,
}

impl TransverseMercator {
    /// Easting and northing, metres.
    pub(super) fn project(&self, at: LatLon) -> [f64; 2] {
        let [east, north] = self.east_and_north(at);
        [self.false_easting + east, self.false_northing + north - self.northing_of_origin()]
    }

    /// The position of an easting and northing.
    pub(super) fn unproject(&self, [x, y]: [f64; 2]) -> LatLon {
        let n = self.ellipsoid.third_flattening();
        let radius = self.radius();
        let xi = (y - self.false_northing + self.northing_of_origin()) / radius;
        let eta = (x - self.false_easting) / radius;
        let (mut xi0, mut eta0) = (xi, eta);
        for (j, b) in beta(n).into_iter().enumerate() {
            let m = 2.0 * (j + 1) as f64;
            xi0 -= b * (m * xi).sin() * (m * eta).cosh();
            eta0 -= b * (m * xi).cos() * (m * eta).sinh();
        }
        let chi = (xi0.sin() / eta0.cosh()).clamp(-1.0, 1.0).asin();
        let lat = delta(n)
            .into_iter()
            .enumerate()
            .fold(chi, |lat, (j, d)| lat + d * (2.0 * (j + 1) as f64 * chi).sin());
        let lon = eta0.sinh().atan2(xi0.cos());
        LatLon::new(lat.clamp(-FRAC_PI_2, FRAC_PI_2).to_degrees(), self.origin.lon + lon.to_degrees())
    }

    /// Metres east of the central meridian and north of the equator.
    fn east_and_north(&self, at: LatLon) -> [f64; 2] {
        let n = self.ellipsoid.third_flattening();
        let (lat, lon) = (at.lat.to_radians(), (at.lon - self.origin.lon).to_radians());
        let k = 2.0 * n.sqrt() / (1.0 + n);
        let t = (lat.sin().atanh() - k * (k * lat.sin()).atanh()).sinh();
        let (xi, eta) = (t.atan2(lon.cos()), (lon.sin() / (1.0 + t * t).sqrt()).atanh());
        let (mut north, mut east) = (xi, eta);
        for (j, a) in alpha(n).into_iter().enumerate() {
            let m = 2.0 * (j + 1) as f64;
            north += a * (m * xi).sin() * (m * eta).cosh();
            east += a * (m * xi).cos() * (m * eta).sinh();
        }
        [self.radius() * east, self.radius() * north]
    }

    fn northing_of_origin(&self) -> f64 {
        if self.origin.lat == 0.0 { 0.0 } else { self.east_and_north(self.origin)[1] }
    }

    /// Radius of the rectifying circle on the plane.
    fn radius(&self) -> f64 {
        let n = self.ellipsoid.third_flattening();
        self.scale * (self.ellipsoid.a / (1.0 + n) * (1.0 + n * n / 4.0 + n.powi(4) / 64.0))
    }
}

fn alpha(n: f64) -> [f64; 3] {
    [
        n / 2.0 - 2.0 / 3.0 * n * n + 5.0 / 16.0 * n.powi(3),
        13.0 / 48.0 * n * n - 3.0 / 5.0 * n.powi(3),
        61.0 / 240.0 * n.powi(3),
    ]
}

fn beta(n: f64) -> [f64; 3] {
    [
        n / 2.0 - 2.0 / 3.0 * n * n + 37.0 / 96.0 * n.powi(3),
        n * n / 48.0 + n.powi(3) / 15.0,
        17.0 / 480.0 * n.powi(3),
    ]
}

fn delta(n: f64) -> [f64; 3] {
    [
        2.0 * n - 2.0 / 3.0 * n * n - 2.0 * n.powi(3),
        7.0 / 3.0 * n * n - 8.0 / 5.0 * n.powi(3),
        56.0 / 15.0 * n.powi(3),
    ]
}
