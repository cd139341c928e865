//! `graph.isochrone(request, options)` and `graph.timeGrid(request, options)`.

use napi::bindgen_prelude::*;
use napi_derive::napi;
use trestle_analysis::isochrone::{Grid, Seconds, contours, time_grid};
use trestle_analysis::raster::time_grid_image::{GridValue, time_grid_image};

use crate::error::{CodedError, constant};
use crate::graph::Graph;
use crate::search::{SearchOptions, run};
use crate::wire::analysis::{Contour, ContourOptions, GridOptions, TimeGridImage, contour, sampled_area};
use crate::wire::request::{SearchRequest, routing_request};

/// Most contours of one request.
const MAX_CONTOURS: usize = 200;

#[napi]
impl Graph {
    /// The area within each cutoff of `options.cutoffs` around the request's start (with `arriveBy`, around its
    /// destination), in the order of the cutoffs. Rejects with `INVALID_REQUEST`, `PLACE_NOT_FOUND`, `TOO_LARGE`,
    /// `TIMEOUT`, `BUSY`, `ABORTED`, `DISPOSED` or `PANIC`.
    ///
    /// @example
    /// const area = { maxSeconds: 1800, precisionM: 100, offRoadM: 150 };
    /// for (const { seconds, json } of await graph.isochrone(request, { area, cutoffs: [900, 1800], decimals: 5 })) {
    ///   console.log(seconds, { type: 'MultiPolygon', coordinates: JSON.parse(String(json)) });
    /// }
    #[napi(catch_unwind, ts_return_type = "Promise<Array<Contour>>")]
    pub fn isochrone<'env>(
        &self,
        env: &'env Env,
        #[napi(ts_arg_type = "ReachRequest")] request: SearchRequest,
        options: ContourOptions,
        search: Option<SearchOptions<'env>>,
    ) -> napi::Result<Object<'env>, String> {
        let snapshot = self.snapshot()?;
        let request = routing_request(request)?;
        if options.cutoffs.len() > MAX_CONTOURS {
            let text = format!("{} cutoffs, but at most {MAX_CONTOURS} are allowed", options.cutoffs.len());
            return Err(CodedError::new("TOO_LARGE", text).into());
        }
        let area = sampled_area(&options.area);
        run(env, self.integrity()?, search, move |scratch, deadline| {
            let grid: Grid<Seconds> = time_grid(&snapshot, &request, &area, &mut scratch.analysis, deadline)?;
            let found = contours(&grid, &options.cutoffs, options.decimals, deadline)?;
            Ok(found.into_iter().map(contour).collect::<Vec<Contour>>())
        })
    }

    /// A PNG whose pixels hold the times, boardings or walking distances of a grid around the request's start. Rejects
    /// with the same codes as `isochrone`.
    ///
    /// @example
    /// const area = { maxSeconds: 3600, precisionM: 200, offRoadM: 150 };
    /// const { png, corner } = await graph.timeGrid(request, { area, value: 'TIME', created: new Date().toISOString() });
    /// console.log(png.length, 'bytes; the south-west corner is at', corner);
    #[napi(catch_unwind, ts_return_type = "Promise<TimeGridImage>")]
    pub fn time_grid<'env>(
        &self,
        env: &'env Env,
        #[napi(ts_arg_type = "ReachRequest")] request: SearchRequest,
        options: GridOptions,
        search: Option<SearchOptions<'env>>,
    ) -> napi::Result<Object<'env>, String> {
        let snapshot = self.snapshot()?;
        let request = routing_request(request)?;
        let value = constant("value", &options.value, GridValue::named())?;
        let area = sampled_area(&options.area);
        run(env, self.integrity()?, search, move |scratch, deadline| {
            let grid = time_grid(&snapshot, &request, &area, &mut scratch.analysis, deadline)?;
            let image = time_grid_image(&grid, value, &options.created)?;
            Ok(TimeGridImage {
                png: image.png.into(),
                corner: vec![image.corner.lat, image.corner.lon],
                cell: vec![image.cell_lat, image.cell_lon],
                off_road_m: image.off_road_m as i32,
            })
        })
    }
}
