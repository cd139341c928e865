//! `graph.surface(request)` and the answers that a surface gives.

use std::sync::{Arc, RwLock};

use napi::bindgen_prelude::*;
use napi_derive::napi;
use trestle_analysis::raster::encode::indexed_png;
use trestle_analysis::raster::palette::Style;
use trestle_analysis::raster::tile::{MAX_ZOOM, TILE_PIXELS};
use trestle_analysis::samples;
use trestle_analysis::surface::crs::Crs;
use trestle_analysis::surface::images::{
    Raster, RasterSize, difference_minutes, minutes_left, raster, tile_minutes,
};
use trestle_analysis::surface::indicator::per_minute;
use trestle_analysis::surface::{self, geotiff, surface_contours};
use trestle_model::geo::LatLon;
use trestle_model::mercator::TileId;

use crate::error::{Coded, CodedError};
use crate::graph::Graph;
use crate::integrity::Integrity;
use crate::search::{SearchOptions, run};
use crate::wire::analysis::{
    Contour, RasterImage, RasterOptions, SurfaceOptions, TileOptions, WindowOptions, contour,
    departure_window, minutes,
};
use crate::wire::request::{SearchRequest, routing_request};

/// Travel times from a place to everywhere, kept in memory until it is disposed of.
///
/// @example
/// const surface = await graph.surface(request, { cutoffSeconds: 3600 });
/// console.log((await surface.tile({ z: 14, x: 8876, y: 5694, style: 'COLOR30' })).length);
/// surface.dispose();
#[napi]
pub struct Surface {
    inner: RwLock<Option<Arc<surface::Surface>>>,
    /// That of the graph.
    integrity: Arc<Integrity>,
}

/// Points joined to the streets of one graph.
///
/// @example
/// const jobs = await surface.linkPoints(Float64Array.of(48.0304, 15.0714));
/// const walking = await graph.surface({ ...request, modes: ['WALK'] }, { cutoffSeconds: 3600 });
/// // Joined once, for all surfaces of the graph.
/// console.log(await surface.timesTo(jobs), await walking.timesTo(jobs));
#[napi]
pub struct LinkedPoints {
    points: Arc<samples::LinkedPoints>,
}

#[napi]
impl Graph {
    /// Searches from the request's start (with `arriveBy`, to its destination) to everywhere by time alone. Rejects with
    /// `INVALID_REQUEST`, `PLACE_NOT_FOUND`, `TIMEOUT`, `BUSY`, `ABORTED`, `DISPOSED` or `PANIC`.
    ///
    /// @example
    /// using surface = await graph.surface(request, { cutoffSeconds: 3600 });
    /// const points = await surface.linkPoints(Float64Array.of(48.0304, 15.0714));
    /// console.log(await surface.timesTo(points));
    #[napi(catch_unwind, ts_return_type = "Promise<Surface>")]
    pub fn surface<'env>(
        &self,
        env: &'env Env,
        #[napi(ts_arg_type = "ReachRequest")] request: SearchRequest,
        options: SurfaceOptions,
        search: Option<SearchOptions<'env>>,
    ) -> napi::Result<Object<'env>, String> {
        let snapshot = self.snapshot()?;
        let request = routing_request(request)?;
        let integrity = self.integrity()?;
        run(env, integrity.clone(), search, move |scratch, deadline| {
            let made = surface::surface(
                &snapshot,
                &request,
                minutes(options.cutoff_seconds),
                &mut scratch.analysis,
                deadline,
            )?;
            Ok(Surface::of(made, integrity))
        })
    }

    /// One surface per statistic, from one search over all departures of a window (with `arriveBy`, arrivals) that
    /// begins at the request's time. Their times count from the departure, so they include the wait for the first
    /// vehicle. Rejects with the same codes as `surface`, and with `TOO_LARGE`.
    ///
    /// @example
    /// const window = { cutoffSeconds: 3600, windowSeconds: 3600, statistics: ['50', '95'] };
    /// const [median, late] = await graph.windowSurfaces(request, window);
    /// const points = await median?.linkPoints(Float64Array.of(48.0304, 15.0714));
    /// if (points) console.log(await median?.timesTo(points), await late?.timesTo(points));
    #[napi(catch_unwind, ts_return_type = "Promise<Array<Surface>>")]
    pub fn window_surfaces<'env>(
        &self,
        env: &'env Env,
        #[napi(ts_arg_type = "ReachRequest")] request: SearchRequest,
        options: WindowOptions,
        search: Option<SearchOptions<'env>>,
    ) -> napi::Result<Object<'env>, String> {
        let snapshot = self.snapshot()?;
        let request = routing_request(request)?;
        let (window, statistics) = departure_window(&options)?;
        let integrity = self.integrity()?;
        run(env, integrity.clone(), search, move |scratch, deadline| {
            let scratch = &mut scratch.analysis;
            let made = surface::window_surfaces(&snapshot, &request, window, &statistics, scratch, deadline)?;
            Ok(made.into_iter().map(|made| Surface::of(made, integrity.clone())).collect::<Vec<_>>())
        })
    }

    /// The surface that `surface.toBytes()` wrote, for a search with this request on a graph of the same file. Rejects
    /// with `INVALID_REQUEST` for other bytes and those of a graph with other vertices, `BUSY`, `DISPOSED` or `PANIC`.
    ///
    /// @example
    /// const again = await graph.surfaceFromBytes(request, await surface.toBytes());
    /// console.log((await again.tile({ z: 14, x: 8876, y: 5694, style: 'COLOR30' })).length, 'bytes');
    #[napi(catch_unwind, ts_return_type = "Promise<Surface>")]
    pub fn surface_from_bytes<'env>(
        &self,
        env: &'env Env,
        #[napi(ts_arg_type = "ReachRequest")] request: SearchRequest,
        bytes: Uint8Array,
    ) -> napi::Result<Object<'env>, String> {
        let snapshot = self.snapshot()?;
        let request = routing_request(request)?;
        // The search thread must not read memory that JavaScript may change.
        let bytes = bytes.to_vec();
        let integrity = self.integrity()?;
        run(env, integrity.clone(), None, move |_, _| {
            Ok(Surface::of(surface::Surface::from_bytes(&snapshot, &request, &bytes)?, integrity))
        })
    }
}

/// The positions in a member of a request, which has latitudes and longitudes in turn.
pub(super) fn positions_of(member: &str, flat: &[f64]) -> Coded<Vec<LatLon>> {
    if !flat.len().is_multiple_of(2) {
        let text = format!("{member}: latitudes and longitudes come in pairs, but there are {}", flat.len());
        return Err(CodedError::invalid(text));
    }
    Ok(flat.chunks_exact(2).map(|p| LatLon::new(p[0], p[1])).collect())
}

#[napi]
impl Surface {
    /// Joins points (lat, lon, lat, lon, ...) to the streets of this surface's graph, for all its surfaces. Rejects with
    /// `INVALID_REQUEST`, `BUSY`, `DISPOSED` or `PANIC`.
    ///
    /// @example
    /// const schools = await surface.linkPoints(Float64Array.of(48.0304, 15.0714, 48.0056, 15.0306));
    /// console.log(await surface.timesTo(schools));
    #[napi(catch_unwind, ts_return_type = "Promise<LinkedPoints>")]
    pub fn link_points<'env>(
        &self,
        env: &'env Env,
        positions: Float64Array,
    ) -> napi::Result<Object<'env>, String> {
        let surface = self.held()?;
        let positions = positions_of("positions", &positions)?;
        run(env, self.integrity.clone(), None, move |_, _| {
            Ok(LinkedPoints { points: Arc::new(samples::LinkedPoints::new(&surface.snapshot, positions)) })
        })
    }

    /// Seconds to each point; 2147483647 for points that are not reached. `walkSpeed` is the speed off the streets in
    /// metres per second, by default that of the request. Rejects with `INVALID_REQUEST` (the points are joined to the
    /// streets of another graph), `BUSY`, `DISPOSED` or `PANIC`.
    ///
    /// @example
    /// const points = await surface.linkPoints(Float64Array.of(48.0304, 15.0714));
    /// const [seconds = 0] = await surface.timesTo(points);
    /// console.log(seconds === 2147483647 ? 'not within an hour' : `${seconds} s`);
    #[napi(catch_unwind, ts_return_type = "Promise<Int32Array>")]
    pub fn times_to<'env>(
        &self,
        env: &'env Env,
        points: &LinkedPoints,
        walk_speed: Option<f64>,
    ) -> napi::Result<Object<'env>, String> {
        let (surface, points) = (self.held()?, points.points.clone());
        run(env, self.integrity.clone(), None, move |_, _| {
            Ok(Int32Array::from(surface.times_to(&points, walk_speed)?))
        })
    }

    /// The area within `spacing`, 2 · `spacing`, ... seconds (rounded up to whole minutes), at most `count`, the largest
    /// first.
    ///
    /// @example
    /// for (const { seconds, polygons } of await surface.isochrone(600, 3)) console.log(seconds, polygons.length);
    #[napi(catch_unwind, ts_return_type = "Promise<Array<Contour>>")]
    pub fn isochrone<'env>(
        &self,
        env: &'env Env,
        spacing: i32,
        count: u32,
        search: Option<SearchOptions<'env>>,
    ) -> napi::Result<Object<'env>, String> {
        let surface = self.held()?;
        run(env, self.integrity.clone(), search, move |_, deadline| {
            let found = surface_contours(&surface, minutes(spacing), count as usize, deadline)?;
            Ok(found.into_iter().map(contour).collect::<Vec<Contour>>())
        })
    }

    /// A tile of minutes as an indexed PNG in a style's colours, or as a GeoTIFF of the minutes themselves.
    ///
    /// @example
    /// const png = await surface.tile({ z: 14, x: 8876, y: 5694, style: 'COLOR30' });
    /// console.log(png.length, 'bytes');
    #[napi(catch_unwind, ts_return_type = "Promise<Buffer>")]
    pub fn tile<'env>(&self, env: &'env Env, options: TileOptions) -> napi::Result<Object<'env>, String> {
        let surface = self.held()?;
        drawn(env, self.integrity.clone(), options, move |tile| tile_minutes(&surface, tile))
    }

    /// A tile of the minutes by which this surface is slower than another.
    ///
    /// @example
    /// const walk = await graph.surface({ ...request, modes: ['WALK'] }, { cutoffSeconds: 3600 });
    /// const png = await walk.differenceTile(surface, { z: 14, x: 8876, y: 5694, style: 'DIFFERENCE' });
    /// console.log(png.length, 'bytes');
    #[napi(catch_unwind, ts_return_type = "Promise<Buffer>")]
    pub fn difference_tile<'env>(
        &self,
        env: &'env Env,
        other: &Surface,
        options: TileOptions,
    ) -> napi::Result<Object<'env>, String> {
        let (a, b) = (self.held()?, other.held()?);
        drawn(env, self.integrity.clone(), options, move |tile| difference_minutes(&a, &b, tile))
    }

    /// A tile of the minutes that remain of `seconds` after travelling to a point by this surface and on from there by
    /// another one.
    ///
    /// @example
    /// const to = { lat: 48.0304, lon: 15.0714 };
    /// const back = await graph.surface({ ...request, from: to, to, arriveBy: true }, { cutoffSeconds: 3600 });
    /// const tile = { z: 14, x: 8876, y: 5694, style: 'COLOR30' } as const;
    /// console.log((await surface.timeLeftTile(back, 3600, tile)).length, 'bytes: where there is time left on the trip');
    #[napi(catch_unwind, ts_return_type = "Promise<Buffer>")]
    pub fn time_left_tile<'env>(
        &self,
        env: &'env Env,
        other: &Surface,
        seconds: i32,
        options: TileOptions,
    ) -> napi::Result<Object<'env>, String> {
        let (a, b) = (self.held()?, other.held()?);
        drawn(env, self.integrity.clone(), options, move |tile| minutes_left(&a, &b, seconds, tile))
    }

    /// Minutes over the whole graph, as bytes (128: no value) or as a GeoTIFF file.
    ///
    /// @example
    /// const { width, height, bytes } = await surface.raster({ crs: 'EPSG:3857', width: 200, height: 100 });
    /// console.log(width, height, bytes.readInt8(0) === -128 ? 'no value' : bytes.readInt8(0));
    #[napi(catch_unwind, ts_return_type = "Promise<RasterImage>")]
    pub fn raster<'env>(
        &self,
        env: &'env Env,
        options: RasterOptions,
        search: Option<SearchOptions<'env>>,
    ) -> napi::Result<Object<'env>, String> {
        let surface = self.held()?;
        let size = match (options.resolution, options.width.unwrap_or(0), options.height.unwrap_or(0)) {
            (Some(resolution), ..) => RasterSize::Resolution(resolution),
            (None, width, height) if width > 0 && height > 0 => {
                RasterSize::Pixels(width as usize, height as usize)
            }
            _ => return Err(CodedError::invalid("width and height must be positive").into()),
        };
        run(env, self.integrity.clone(), search, move |_, deadline| {
            let found = raster(&surface, known_crs(&options.crs)?, size, deadline)?;
            let bytes = match options.geotiff {
                Some(true) => geotiff::geotiff(&found)?,
                _ => found.minutes.iter().map(|m| *m as u8).collect(),
            };
            let ([west, north], [width, height]) = (found.corner, found.pixel);
            let (east, south) = (west + width * found.width as f64, north - height * found.height as f64);
            Ok(RasterImage {
                width: found.width as u32,
                height: found.height as u32,
                bounds: vec![west, south, east, north],
                bytes: bytes.into(),
            })
        })
    }

    /// The times as bytes, for `graph.surfaceFromBytes` in another process; they do not contain the request. Rejects with
    /// `BUSY`, `DISPOSED` or `PANIC`.
    ///
    /// @example
    /// const bytes = await surface.toBytes();
    /// console.log(bytes.length);
    #[napi(catch_unwind, ts_return_type = "Promise<Buffer>")]
    pub fn to_bytes<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>, String> {
        let surface = self.held()?;
        run(env, self.integrity.clone(), None, move |_, _| Ok(Buffer::from(surface.to_bytes())))
    }

    /// Bytes of memory that the surface takes. Throws `DISPOSED`.
    ///
    /// @example
    /// console.log(surface.memoryBytes() < 1_000_000);
    #[napi(catch_unwind)]
    pub fn memory_bytes(&self) -> napi::Result<f64, String> {
        Ok(self.held()?.bytes() as f64)
    }

    /// Releases the surface; later calls throw `DISPOSED`.
    #[napi(catch_unwind)]
    pub fn dispose(&self) {
        *self.inner.write().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
    }

    fn of(surface: surface::Surface, integrity: Arc<Integrity>) -> Surface {
        Surface { inner: RwLock::new(Some(Arc::new(surface))), integrity }
    }

    fn held(&self) -> Coded<Arc<surface::Surface>> {
        let guard = self.inner.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        guard.clone().ok_or_else(|| CodedError::new("DISPOSED", "this surface was disposed of"))
    }
}

/// Draws a tile on the pool.
fn drawn<'env>(
    env: &'env Env,
    integrity: Arc<Integrity>,
    options: TileOptions,
    minutes: impl FnOnce(TileId) -> Vec<i8> + Send + 'static,
) -> napi::Result<Object<'env>, String> {
    let tile = known_tile(options.z, options.x, options.y)?;
    let style = options.style.as_deref().map(known_style).transpose()?;
    let palette = match (options.geotiff, style) {
        (Some(true), _) => None,
        (_, Some(style)) => Some(style.palette()),
        (_, None) => return Err(CodedError::invalid("style: is required for pictures").into()),
    };
    run(env, integrity, None, move |_, _| {
        let minutes = minutes(tile);
        let bytes = match palette {
            None => geotiff::geotiff(&Raster::of_tile(tile, minutes))?,
            Some(palette) => indexed_png(TILE_PIXELS as u32, TILE_PIXELS as u32, &minutes, &palette)?,
        };
        Ok(Buffer::from(bytes))
    })
}

fn known_tile(z: u32, x: u32, y: u32) -> Coded<TileId> {
    let tile = Some(TileId { z, x, y }).filter(|tile| tile.exists(MAX_ZOOM));
    tile.ok_or_else(|| CodedError::invalid(format!("there is no tile {z}/{x}/{y}")))
}

/// The system of a code. Looking it up takes some milliseconds, so it is left to the search.
pub(super) fn known_crs(code: &str) -> Coded<Crs> {
    Crs::from_code(code).ok_or_else(|| {
        let has_authority = code.trim().to_ascii_uppercase().starts_with("EPSG:");
        let reason = if has_authority { "is not supported" } else { "is not a code such as EPSG:32633" };
        CodedError::invalid(format!("crs: {code:?} {reason}"))
    })
}

fn known_style(name: &str) -> Coded<Style> {
    Style::from_name(name).ok_or_else(|| CodedError::invalid(format!("unknown layer style: {name}")))
}

/// Amounts newly reached in each minute, smoothed, for points with these travel times in seconds.
///
/// @example
/// const places = Float64Array.of(48.0304, 15.0714, 48.01, 15.04);
/// const seconds = await surface.timesTo(await surface.linkPoints(places));
/// const jobs = indicator(seconds, Int32Array.of(120, 80));
/// console.log('within 30 minutes:', jobs.slice(0, 30).reduce((sum, more) => sum + more, 0));
#[napi(catch_unwind)]
pub fn indicator(seconds: Int32Array, amounts: Int32Array) -> Vec<i32> {
    per_minute(&seconds, &amounts)
}

/// The 256 colours of a style as red, green, blue, alpha, ...; absent for an unknown style.
///
/// @example
/// const palette = stylePalette('COLOR30');
/// console.log('one minute:', palette?.subarray(4, 8));
#[napi(catch_unwind)]
pub fn style_palette(#[napi(ts_arg_type = "TileStyle")] style: String) -> Option<Uint8Array> {
    Some(Style::from_name(&style)?.palette().concat().into())
}
