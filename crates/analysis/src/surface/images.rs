//! Pictures of surfaces: signed bytes of minutes.

use std::sync::OnceLock;

use trestle_engine::deadline::Deadline;
use trestle_engine::graph::{longitude_on_earth, longitude_onward};
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::{BoundingBox, LatLon};
use trestle_model::ids::EdgeIdx;
use trestle_model::mercator::TileId;
use trestle_street::graph::edge_flags;

use super::UNREACHED;
use super::crs::Crs;
use super::travel_times::Surface;
use crate::error::AnalysisError;
use crate::raster::tile::TILE_PIXELS;
use crate::samples::{OpenNodes, Sample, SampleGrid, VertexIndex};

/// A pixel without streets near it, or one that is not reached.
pub const NO_VALUE: i8 = -128;

/// Longest time in a pixel, minutes.
const TOP_MINUTES: i32 = 120;

/// Largest number of pixels of a raster.
const MAX_PIXELS: usize = 64_000_000;

/// Minutes of a surface in every pixel of a tile.
pub fn tile_minutes(surface: &Surface, tile: TileId) -> Vec<i8> {
    let samples = surface.samples_of(tile);
    minutes(surface, &samples)
}

fn minutes(surface: &Surface, grid: &SampleGrid) -> Vec<i8> {
    let value = |seconds: i32| match seconds {
        UNREACHED => NO_VALUE,
        seconds => (seconds / 60).clamp(-TOP_MINUTES, TOP_MINUTES) as i8,
    };
    let time_at = surface.times_at(surface.walk_speed);
    grid.samples.iter().map(|sample| value(time_at(sample))).collect()
}

/// Minutes by which the first surface is slower than the second in every pixel of a tile. The surfaces may be of
/// different graphs; each is looked up in its own.
pub fn difference_minutes(a: &Surface, b: &Surface, tile: TileId) -> Vec<i8> {
    by_both(a, b, tile, |samples, times| match times {
        _ if !samples.iter().any(|sample| sample.exists()) => NO_VALUE,
        [UNREACHED, UNREACHED] => 0,
        [UNREACHED, _] => TOP_MINUTES as i8,
        [_, UNREACHED] => -TOP_MINUTES as i8,
        [by_a, by_b] => ((by_a - by_b) / 60).clamp(-TOP_MINUTES, TOP_MINUTES) as i8,
    })
}

/// Minutes that remain of `seconds` after travelling to every pixel of a tile by the first surface and on by the
/// second.
pub fn minutes_left(a: &Surface, b: &Surface, seconds: i32, tile: TileId) -> Vec<i8> {
    by_both(a, b, tile, |_, [by_a, by_b]| match seconds.saturating_sub(by_a.saturating_add(by_b)) {
        left if left >= 0 => (left / 60).min(TOP_MINUTES) as i8,
        _ => NO_VALUE,
    })
}

/// A value for every pixel of a tile, from what the pixel uses in each of two surfaces and the times to it.
fn by_both(a: &Surface, b: &Surface, tile: TileId, value: impl Fn([&Sample; 2], [i32; 2]) -> i8) -> Vec<i8> {
    let (samples_a, samples_b) = (a.samples_of(tile), b.samples_of(tile));
    let (time_by_a, time_by_b) = (a.times_at(a.walk_speed), b.times_at(b.walk_speed));
    let pairs = samples_a.samples.iter().zip(&samples_b.samples);
    pairs.map(|(in_a, in_b)| value([in_a, in_b], [time_by_a(in_a), time_by_b(in_b)])).collect()
}

/// A picture with its geographic position.
#[derive(Clone, Debug)]
pub struct Raster {
    /// Reference system of the pixels.
    pub crs: Crs,
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// West edge, north edge, in units of the reference system.
    pub corner: [f64; 2],
    /// Width and height of a pixel.
    pub pixel: [f64; 2],
    /// Minutes, row by row from the north-west.
    pub minutes: Vec<i8>,
}

impl Raster {
    /// A tile, in degrees, which are evenly spaced.
    pub fn of_tile(tile: TileId, minutes: Vec<i8>) -> Raster {
        let BoundingBox { south, west, north, east } = tile.bounds(0.0);
        let n = TILE_PIXELS as f64;
        Raster {
            crs: Crs::Wgs84,
            width: TILE_PIXELS,
            height: TILE_PIXELS,
            corner: [west, north],
            pixel: [(east - west) / n, (north - south) / n],
            minutes,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RasterSize {
    /// Pixels in a row, rows.
    Pixels(usize, usize),
    /// Units of the reference system per pixel.
    Resolution(f64),
}

/// The box around all streets that can be walked along. If the graph is on both sides of the 180th meridian, longitudes
/// beyond it exceed 180.
fn street_bounds(snapshot: &Snapshot) -> BoundingBox {
    #[derive(Default)]
    struct KeptBounds(OnceLock<BoundingBox>);

    let (street, envelope) = (&snapshot.graph.street, snapshot.graph.facts.envelope[0]);
    let KeptBounds(bounds) = snapshot.derived_from_streets.get();
    *bounds.get_or_init(|| {
        let walkable =
            (0..street.edge_count()).filter(|&e| street.edge(EdgeIdx::from(e)).has(edge_flags::WALK));
        let positions = walkable.flat_map(|e| street.edge_line(EdgeIdx(e as u32)));
        let onward = |at: LatLon| LatLon::new(at.lat, longitude_onward(envelope, at.lon));
        BoundingBox::around(positions.map(onward))
    })
}

/// Where no street is, for pixels that are not a place on the ground.
const NOWHERE: LatLon = LatLon::new(-90.0, 0.0);

/// Coordinates of places of the graph do not exist in a reference system.
pub fn out_of_reach(crs: &Crs) -> AnalysisError {
    AnalysisError::Invalid(format!("crs: {crs:?} does not reach the graph"))
}

/// Minutes of a surface over the whole graph.
///
/// # Errors
/// [`AnalysisError`]: sizes that are not positive, or too large, or stopped.
pub fn raster(
    surface: &Surface,
    crs: Crs,
    size: RasterSize,
    deadline: &Deadline,
) -> Result<Raster, AnalysisError> {
    let BoundingBox { south, west, north, east } = street_bounds(&surface.snapshot);
    let corners = [(south, west), (south, east), (north, west), (north, east)];
    let mut projected = [[0.0; 2]; 4];
    for (xy, (lat, lon)) in projected.iter_mut().zip(corners) {
        *xy = crs.project(LatLon::new(lat, lon)).ok_or_else(|| out_of_reach(&crs))?;
    }
    let low = projected.iter().fold([f64::MAX; 2], |a, p| [a[0].min(p[0]), a[1].min(p[1])]);
    let high = projected.iter().fold([f64::MIN; 2], |a, p| [a[0].max(p[0]), a[1].max(p[1])]);
    let extent = [high[0] - low[0], high[1] - low[1]];
    let (width, height) = pixel_counts(size, extent)?;
    let pixel = [extent[0] / width, extent[1] / height];
    let position = |column: usize, row: usize| {
        let (x, y) = (low[0] + (column as f64 + 0.5) * pixel[0], high[1] - (row as f64 + 0.5) * pixel[1]);
        let LatLon { lat, lon } = crs.unproject([x, y]).unwrap_or(NOWHERE);
        LatLon::new(lat, longitude_on_earth(lon))
    };
    let (index, size) = (VertexIndex::of(&surface.snapshot), (width as usize, height as usize));
    let grid = SampleGrid::new(index, size, position, deadline);
    let grid = OpenNodes::in_image(&surface.snapshot, surface.elsewhere, grid, position, deadline);
    deadline.check()?;
    Ok(Raster {
        crs,
        width: grid.width,
        height: grid.height,
        corner: [low[0], high[1]],
        pixel,
        minutes: minutes(surface, &grid),
    })
}

/// Columns and rows of an image of an area with this extent, as whole numbers.
fn pixel_counts(size: RasterSize, extent: [f64; 2]) -> Result<(f64, f64), AnalysisError> {
    let (width, height) = match size {
        RasterSize::Pixels(width, height) => (width as f64, height as f64),
        RasterSize::Resolution(r) if r > 0.0 => ((extent[0] / r).ceil(), (extent[1] / r).ceil()),
        RasterSize::Resolution(r) => {
            return Err(AnalysisError::Invalid(format!("resolution: {r} is not positive")));
        }
    };
    if !(width >= 1.0 && height >= 1.0) {
        return Err(AnalysisError::Invalid("width and height must be at least 1".to_owned()));
    }
    if width * height > MAX_PIXELS as f64 {
        return Err(AnalysisError::TooLarge(format!(
            "{width} x {height} pixels, but at most {MAX_PIXELS} are allowed"
        )));
    }
    Ok((width, height))
}
