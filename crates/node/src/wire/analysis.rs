//! Analyses: options in, contours, grids and images out.

use napi::bindgen_prelude::*;
use napi_derive::napi;
use trestle_analysis::isochrone::circles;
use trestle_analysis::isochrone::walkshed::Walkshed as EngineWalkshed;
use trestle_analysis::isochrone::{Contour as EngineContour, SampledArea as EngineArea};
use trestle_analysis::surface::crs::Crs;
use trestle_analysis::surface::{DepartureWindow, Statistic};
use trestle_model::geo::LatLon;

use super::coordinates::CoordinatesText;
use super::given::given;
use crate::error::{Coded, CodedError};

/// How the surroundings of a place are sampled.
#[napi(object)]
#[derive(Clone)]
pub struct SampledArea {
    /// Longest time, seconds. Nothing farther is searched, so contours of longer cutoffs show no more.
    pub max_seconds: i32,
    /// Cell of the grid, metres, at least 10.
    pub precision_m: i32,
    /// Farthest from a street, metres, at least 10.
    pub off_road_m: i32,
    /// A position that lies exactly on a node of the grid; the place itself when absent.
    pub anchor_lat: Option<f64>,
    /// See `anchorLat`.
    pub anchor_lon: Option<f64>,
}

/// Options of `graph.isochrone`.
#[napi(object)]
pub struct ContourOptions {
    pub area: SampledArea,
    /// Seconds.
    pub cutoffs: Vec<i32>,
    /// Decimals of the coordinates, at most 7.
    pub decimals: u32,
}

/// Options of `graph.timeGrid`.
#[napi(object)]
pub struct GridOptions {
    pub area: SampledArea,
    #[napi(ts_type = "GridValue")]
    pub value: String,
    /// The image's creation time, as text.
    pub created: String,
}

/// The area within a cutoff: polygons of rings of positions, closed. The first ring of a polygon is its shell
/// (counter-clockwise), the others are holes (clockwise).
#[napi(object)]
pub struct Contour {
    /// Cutoff, seconds.
    pub seconds: i32,
    /// Rings of each polygon.
    pub polygons: Uint32Array,
    /// Positions of each ring.
    pub rings: Uint32Array,
    /// lon, lat, lon, lat, ...
    pub coordinates: Float64Array,
    /// All of it as JSON text: a list of polygons, which are lists of rings, which are lists of positions.
    pub json: Buffer,
}

/// A grid of values as a PNG.
#[napi(object)]
pub struct TimeGridImage {
    pub png: Buffer,
    /// Latitude and longitude of the south-west node.
    pub corner: Vec<f64>,
    /// Height and width of a cell in degrees.
    pub cell: Vec<f64>,
    pub off_road_m: i32,
}

pub(crate) fn sampled_area(area: &SampledArea) -> EngineArea {
    EngineArea {
        max_seconds: area.max_seconds,
        precision_m: area.precision_m,
        off_road_m: area.off_road_m,
        anchor: area.anchor_lat.zip(area.anchor_lon).map(|(lat, lon)| LatLon::new(lat, lon)),
    }
}

/// Options of `graph.walkshed`.
#[napi(object)]
pub struct WalkshedOptions {
    /// Longest time, seconds.
    pub seconds: f64,
    #[napi(ts_type = "WalkshedForm")]
    pub form: String,
}

/// What is reached within a time: positions (`POINTS`), a closed ring (`SHED`) or lines (`EDGES`).
#[napi(object)]
pub struct Walkshed {
    /// Positions of each part; one part for points and rings.
    pub parts: Uint32Array,
    /// lon, lat, lon, lat, ...
    pub coordinates: Float64Array,
}

pub(crate) fn walkshed(found: EngineWalkshed) -> Walkshed {
    let parts = match found {
        EngineWalkshed::Points(positions) | EngineWalkshed::Shed(positions) => vec![positions],
        EngineWalkshed::Edges(lines) => lines,
    };
    Walkshed {
        parts: parts.iter().map(|part| part.len() as u32).collect::<Vec<u32>>().into(),
        coordinates: parts.iter().flatten().flat_map(|p| [p.lon, p.lat]).collect::<Vec<f64>>().into(),
    }
}

given! {
    /// Options of `graph.circleIsochrone`.
    pub struct CircleOptions for circles::CircleOptions {
        needed {
            /// Seconds between departures, at least 1.
            pub spacing_seconds: i32,
            /// Seconds over which departures are spread, from the request's time on; at least 1.
            pub timespan_seconds: i32,
            /// Draw circles around stops only, not around every street vertex.
            pub stops_only: bool,
            /// Trips begin at the stops within this many metres of the place.
            pub radius_m: f64,
            /// Number of contours, at least 1.
            pub contours: i32,
            /// Seconds between them, at least 1.
            pub contour_spacing_seconds: i32,
            /// Decimals of coordinates in degrees, at most 7.
            pub decimals: u32,
        }
        /// Reference system of the coordinates, such as `EPSG:3857` or `EPSG:2154`; degrees of WGS 84 when absent.
        pub crs: Option<String> => _,
    }
}

/// Contours made of circles around stops.
#[napi(object)]
pub struct CircleIsochrone {
    /// The largest first.
    pub contours: Vec<Contour>,
    /// Name of the stop nearest to the place.
    pub stop_name: String,
    /// The reference system as the text of a `.prj` file; absent without `crs`.
    pub projection: Option<String>,
}

pub(crate) fn contour(contour: EngineContour) -> Contour {
    contour_in(contour, |at| at.plane())
}

/// A contour with the coordinates of a reference system, if all places have some.
pub(crate) fn projected_contour(contour: EngineContour, crs: &Crs) -> Option<Contour> {
    let mut all_exist = true;
    let contour = contour_in(contour, |at| match crs.project(at) {
        Some(coordinates) if crs.is_geographic() => coordinates,
        // Metres need no more than four decimals.
        Some(coordinates) => coordinates.map(|c| (c * 1e4).round() / 1e4),
        None => {
            all_exist = false;
            [0.0; 2]
        }
    });
    all_exist.then_some(contour)
}

fn contour_in(contour: EngineContour, mut coordinates_of: impl FnMut(LatLon) -> [f64; 2]) -> Contour {
    let (mut polygons, mut rings, mut coordinates) = (Vec::new(), Vec::new(), Vec::new());
    let mut json = CoordinatesText::default();
    json.open();
    for polygon in &contour.polygons {
        polygons.push(1 + polygon.holes.len() as u32);
        json.open();
        for ring in std::iter::once(&polygon.shell).chain(&polygon.holes) {
            rings.push(ring.len() as u32);
            json.open();
            for position in ring {
                let position = coordinates_of(*position);
                coordinates.extend(position);
                json.position(position);
            }
            json.close();
        }
        json.close();
    }
    json.close();
    Contour {
        seconds: contour.seconds,
        polygons: polygons.into(),
        rings: rings.into(),
        coordinates: coordinates.into(),
        json: json.finish().into(),
    }
}

/// Options of `graph.surface`.
#[napi(object)]
pub struct SurfaceOptions {
    /// Longest time, seconds; rounded up to whole minutes, in which surfaces count.
    pub cutoff_seconds: i32,
}

/// Options of `graph.windowSurfaces`.
#[napi(object)]
pub struct WindowOptions {
    /// Longest time, seconds; rounded up to whole minutes, in which surfaces count.
    pub cutoff_seconds: i32,
    /// Length of the window, seconds.
    pub window_seconds: i32,
    /// Seconds between departures; default 60.
    pub step_seconds: Option<i32>,
    /// Longest street path between the place and stops, seconds; no limit by default.
    pub max_stop_seconds: Option<i32>,
    /// A surface for each statistic: `min`, `avg`, `max`, or a percentile from `0` to `100` such as `50`. At most 20.
    pub statistics: Vec<String>,
}

/// Whole minutes, in which surfaces count; a minute that has begun counts.
pub(crate) fn minutes(seconds: i32) -> i32 {
    seconds / 60 + i32::from(seconds % 60 > 0)
}

/// Most surfaces of one search over a window.
const MAX_STATISTICS: usize = 20;

pub(crate) fn departure_window(options: &WindowOptions) -> Coded<(DepartureWindow, Vec<Statistic>)> {
    if !(1..=MAX_STATISTICS).contains(&options.statistics.len()) {
        return Err(CodedError::invalid(format!("statistics: give 1 to {MAX_STATISTICS}")));
    }
    let statistic = |name: &String| {
        Statistic::from_name(name).ok_or_else(|| {
            CodedError::invalid(format!(
                "statistics: {name:?} is not min, avg, max or a percentile from 0 to 100"
            ))
        })
    };
    let window = DepartureWindow {
        seconds: options.window_seconds,
        step: options.step_seconds.unwrap_or(60),
        max_stop_seconds: options.max_stop_seconds.unwrap_or(i32::MAX),
        cutoff_minutes: minutes(options.cutoff_seconds),
    };
    Ok((window, options.statistics.iter().map(statistic).collect::<Coded<_>>()?))
}

/// Options of `graph.matrix`.
#[napi(object)]
pub struct MatrixOptions {
    /// lat, lon, lat, lon, ...
    pub origins: Float64Array,
    /// lat, lon, lat, lon, ...
    pub destinations: Float64Array,
    /// Longest time, seconds, at most a day.
    pub max_seconds: i32,
    /// Origins of a larger matrix that are left, including these. Their number decides what is worth preparing.
    pub origins_left: Option<u32>,
}

/// Options of `surface.tile` and similar functions.
#[napi(object)]
pub struct TileOptions {
    /// Zoom, 0 to 22.
    pub z: u32,
    /// Column from the west.
    pub x: u32,
    /// Row from the north.
    pub y: u32,
    /// Colours of the tile; a GeoTIFF needs none.
    #[napi(ts_type = "TileStyle")]
    pub style: Option<String>,
    /// A GeoTIFF of the minutes instead of a PNG in the style's colours.
    pub geotiff: Option<bool>,
}

/// Options of `surface.raster`.
#[napi(object)]
pub struct RasterOptions {
    /// Reference system of the pixels, such as `EPSG:4326`, `EPSG:3857` or `EPSG:2154`.
    pub crs: String,
    /// Pixels in a row; needed without `resolution`.
    pub width: Option<i32>,
    /// Rows; needed without `resolution`.
    pub height: Option<i32>,
    /// Units of the reference system per pixel; when given, width and height follow from the extent.
    pub resolution: Option<f64>,
    /// A GeoTIFF file instead of the bytes alone.
    pub geotiff: Option<bool>,
}

/// A raster of signed bytes, or the GeoTIFF file of one.
#[napi(object)]
pub struct RasterImage {
    pub width: u32,
    pub height: u32,
    /// West, south, east and north edge of the pixels, in units of the reference system.
    pub bounds: Vec<f64>,
    pub bytes: Buffer,
}
