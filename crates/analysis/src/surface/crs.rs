//! Coordinate reference systems by their EPSG numbers.

use std::fmt;
use std::io::{BufRead, BufReader};

use flate2::read::ZlibDecoder;
use proj4rs::Proj;
use proj4rs::transform::transform;
use trestle_model::geo::LatLon;

/// Semi-major axis of WGS 84, metres.
const A: f64 = 6_378_137.0;

/// A place that is projected and projected back may be off by this many degrees: about a metre.
const MOST_DEGREES_OFF: f64 = 1e-5;

/// Lines of number, parameters and text, in the order of the numbers; `build.rs` chooses them.
const DEFINITIONS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/reference-systems.z"));

/// A supported reference system.
#[derive(Clone)]
pub enum Crs {
    /// EPSG:4326, longitude first. Longitudes may exceed 180.
    Wgs84,
    /// EPSG:3857. Longitudes may exceed 180.
    WebMercator,
    /// Any other.
    Listed(Box<Listed>),
}

/// A reference system from the list.
#[derive(Clone)]
pub struct Listed {
    epsg: u16,
    text: String,
    here: Proj,
    wgs84: Proj,
}

impl fmt::Debug for Crs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EPSG:{}", self.epsg())
    }
}

impl Crs {
    /// The system of an EPSG code such as `EPSG:32610`; `None` when it is not supported.
    pub fn from_code(code: &str) -> Option<Crs> {
        let number: u32 = code.trim().to_ascii_uppercase().strip_prefix("EPSG:")?.parse().ok()?;
        match number {
            4326 => Some(Crs::Wgs84),
            3857 | 900_913 => Some(Crs::WebMercator),
            _ => {
                let epsg = u16::try_from(number).ok()?;
                let (parameters, text) = definition(epsg)?;
                let here = Proj::from_proj_string(&parameters).ok()?;
                let wgs84 = Proj::from_proj_string("+proj=longlat +datum=WGS84").ok()?;
                Some(Crs::Listed(Box::new(Listed { epsg, text, here, wgs84 })))
            }
        }
    }

    pub fn epsg(&self) -> u16 {
        match self {
            Crs::Wgs84 => 4326,
            Crs::WebMercator => 3857,
            Crs::Listed(listed) => listed.epsg,
        }
    }

    /// Its text in `.prj` files.
    pub fn text(&self) -> Option<String> {
        match self {
            Crs::Wgs84 | Crs::WebMercator => Some(definition(self.epsg())?.1),
            Crs::Listed(listed) => Some(listed.text.clone()),
        }
    }

    /// Whether coordinates are degrees.
    pub fn is_geographic(&self) -> bool {
        match self {
            Crs::Wgs84 => true,
            Crs::WebMercator => false,
            Crs::Listed(listed) => listed.here.is_latlong(),
        }
    }

    /// Easting and northing, or longitude and latitude; `None` where the system has no coordinates that lead back to the
    /// place: far from the area for which a system is made, formulas give numbers that mean nothing.
    pub fn project(&self, at: LatLon) -> Option<[f64; 2]> {
        match self {
            Crs::Wgs84 => Some([at.lon, at.lat]),
            Crs::WebMercator => {
                let lat = at.lat.clamp(-85.06, 85.06).to_radians();
                Some([A * at.lon.to_radians(), A * lat.tan().asinh()])
            }
            Crs::Listed(listed) => {
                let there = converted(&listed.wgs84, &listed.here, [at.lon, at.lat])?;
                let back = self.unproject(there)?;
                let turn = (back.lon - at.lon).rem_euclid(360.0);
                let degrees = (back.lat - at.lat).abs().max(turn.min(360.0 - turn));
                (degrees < MOST_DEGREES_OFF).then_some(there)
            }
        }
    }

    /// The position of projected coordinates; `None` where there is none.
    pub fn unproject(&self, [x, y]: [f64; 2]) -> Option<LatLon> {
        match self {
            Crs::Wgs84 => Some(LatLon::new(y, x)),
            Crs::WebMercator => Some(LatLon::new((y / A).sinh().atan().to_degrees(), (x / A).to_degrees())),
            Crs::Listed(listed) => {
                converted(&listed.here, &listed.wgs84, [x, y]).map(|[lon, lat]| LatLon::new(lat, lon))
            }
        }
    }
}

/// Parameters and text of a system.
fn definition(epsg: u16) -> Option<(String, String)> {
    let lines = BufReader::new(ZlibDecoder::new(DEFINITIONS)).lines();
    let prefix = format!("{epsg}\t");
    let line = lines.map_while(Result::ok).find(|line| line.starts_with(&prefix))?;
    let (parameters, text) = line.strip_prefix(&prefix)?.split_once('\t')?;
    Some((parameters.to_owned(), text.to_owned()))
}

fn converted(from: &Proj, to: &Proj, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
    let mut at = if from.is_latlong() { (x.to_radians(), y.to_radians(), 0.0) } else { (x, y, 0.0) };
    transform(from, to, &mut at).ok()?;
    let (x, y) = if to.is_latlong() { (at.0.to_degrees(), at.1.to_degrees()) } else { (at.0, at.1) };
    (x.is_finite() && y.is_finite()).then_some([x, y])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_agree_with_an_independent_implementation_and_return() {
        // Computed by PROJ 9 without grids of corrections.
        for (epsg, lat, lon, x, y) in [
            (2053, -26.204_1, 28.047_3, 95_219.418, 2_899_796.308),
            (2056, 46.948_0, 7.447_4, 2_600_667.475, 1_199_657.316),
            (2154, 48.856_6, 2.352_2, 652_469.023, 6_862_035.259),
            (2157, 53.3498, -6.2603, 715_826.507, 734_697.593),
            (2180, 52.2297, 21.0122, 637_382.204, 486_757.209),
            (2193, -41.2865, 174.7762, 1_748_735.553, 5_427_916.479),
            (2272, 39.952_6, -75.165_2, 2_693_060.217, 236_194.916),
            (2326, 22.2819, 114.1581, 834_333.174, 815_891.568),
            (3003, 45.464_2, 9.190_0, 1_514_881.491, 5_034_556.812),
            (3006, 59.3293, 18.0686, 674_571.866, 6_580_743.008),
            (3035, 45.464_2, 9.190_0, 4_257_558.002, 2_483_883.682),
            (3067, 60.1699, 24.9384, 385_611.317, 6_672_118.380),
            (3400, 51.044_7, -114.071_9, 565_035.181, 5_652_942.516),
            (3414, 1.352_1, 103.819_8, 26_495.535, 37_133.868),
            (3763, 41.1496, -8.6110, -40_116.519, 164_601.990),
            (5070, 39.739_2, -104.990_3, -762_409.048, 1_893_843.600),
            (5514, 50.075_5, 14.437_8, -741_823.952, -1_044_500.196),
            (5880, -15.793_9, -47.882_8, 5_655_325.455, 8_243_641.038),
            (6677, 35.676_2, 139.650_3, -16_568.511, -35_908.527),
            (21_781, 47.376_9, 8.541_7, 683_303.894, 247_925.628),
            (23_700, 47.497_9, 19.040_2, 649_454.155, 239_329.411),
            (25_832, 50.941_278, 6.958_281, 356_558.858, 5_645_279.727),
            (27_572, 45.764_0, 4.835_7, 794_390.283, 2_087_943.390),
            (27_700, 51.5007, -0.1246, 530_269.902, 179_640.717),
            (28_992, 52.090_7, 5.121_4, 136_783.721, 455_860.139),
            (31_256, 48.208_2, 16.373_8, 3_096.804, 341_089.370),
            (31_370, 50.850_3, 4.351_7, 148_799.170, 171_100.155),
            (31_466, 50.941_278, 6.958_281, 2_567_395.438, 5_645_551.694),
            (31_467, 53.473_335, 9.715_691, 3_547_593.146, 5_927_097.311),
            (31_468, 48.137, 11.575, 4_468_476.027, 5_333_305.996),
            (31_469, 52.52, 13.405, 5_391_870.948, 5_821_955.396),
            (32_617, 43.642_567, -79.387_139, 630_084.301, 4_833_438.586),
        ] {
            let crs = Crs::from_code(&format!("EPSG:{epsg}")).unwrap();
            assert_eq!(crs.epsg(), epsg);
            let [east, north] = crs.project(LatLon::new(lat, lon)).unwrap();
            assert!((east - x).abs() < 0.05 && (north - y).abs() < 0.05, "{epsg}: {east} {north}");
            let back = crs.unproject([x, y]).unwrap();
            assert!((back.lat - lat).abs() < 1e-6 && (back.lon - lon).abs() < 1e-6, "{epsg}: {back:?}");
            assert!(crs.text().unwrap().ends_with(&format!("AUTHORITY[\"EPSG\",\"{epsg}\"]]")));
        }
    }

    #[test]
    fn degrees_of_other_datums_are_degrees() {
        let crs = Crs::from_code("EPSG:4314").unwrap();
        assert!(crs.is_geographic() && !Crs::from_code("EPSG:31467").unwrap().is_geographic());
        // Hamburg, from the same implementation.
        let [lon, lat] = crs.project(LatLon::new(53.473_335, 9.715_691)).unwrap();
        assert!((lon - 9.716_876_1).abs() < 1e-7 && (lat - 53.474_877_0).abs() < 1e-7, "{lon} {lat}");
    }

    #[test]
    fn longitudes_go_on_across_the_180th_meridian() {
        let fiji = LatLon::new(-16.8, 180.1);
        assert_eq!(Crs::Wgs84.project(fiji), Some([180.1, -16.8]));
        let [x, y] = Crs::WebMercator.project(fiji).unwrap();
        assert!(x > 20_037_508.0 && Crs::WebMercator.unproject([x, y]).unwrap().lon > 180.0);
        assert_eq!(Crs::from_code("EPSG:900913").unwrap().epsg(), 3857);
    }

    #[test]
    fn systems_without_a_known_datum_and_unknown_ones_are_refused() {
        // No number; three coordinates; a datum by a grid of corrections; a datum that nothing is known of; other axes.
        let codes = [
            "",
            "xx",
            "EPSG:0",
            "EPSG:93236",
            "EPSG:4978",
            "EPSG:7415",
            "EPSG:26741",
            "EPSG:2097",
            "EPSG:2065",
        ];
        for code in codes {
            assert!(Crs::from_code(code).is_none(), "{code}");
        }
    }

    #[test]
    fn a_place_without_coordinates_has_none() {
        // Conformal cones do not reach the other pole.
        assert_eq!(Crs::from_code("EPSG:2154").unwrap().project(LatLon::new(-90.0, 3.0)), None);
        // The Swiss grid has numbers for Portland, but those of another place.
        assert_eq!(Crs::from_code("EPSG:2056").unwrap().project(LatLon::new(45.52, -122.68)), None);
    }
}
