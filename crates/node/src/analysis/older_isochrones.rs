//! `graph.walkshed(request, options)` and `graph.circleIsochrone(request, options)`.

use napi::bindgen_prelude::*;
use napi_derive::napi;
use trestle_analysis::isochrone::circles::circle_isochrone;
use trestle_analysis::isochrone::walkshed::{WalkshedForm, walkshed};
use trestle_analysis::surface::images::out_of_reach;

use super::surface::known_crs;
use crate::error::constant;
use crate::graph::Graph;
use crate::search::{SearchOptions, run};
use crate::wire::analysis::{
    self, CircleIsochrone, CircleOptions, WalkshedOptions, contour, projected_contour,
};
use crate::wire::request::{SearchRequest, routing_request};

#[napi]
impl Graph {
    /// The vertices, the outline or the streets that are reached from the request's start within a time, which includes
    /// the first wait and the walk to the street. Rejects with the same codes as `isochrone`.
    ///
    /// @example
    /// const { coordinates } = await graph.walkshed({ ...request, modes: ['WALK'] }, { seconds: 600, form: 'SHED' });
    /// console.log('a ring of', coordinates.length / 2, 'positions');
    #[napi(catch_unwind, ts_return_type = "Promise<Walkshed>")]
    pub fn walkshed<'env>(
        &self,
        env: &'env Env,
        #[napi(ts_arg_type = "OriginRequest")] request: SearchRequest,
        options: WalkshedOptions,
        search: Option<SearchOptions<'env>>,
    ) -> napi::Result<Object<'env>, String> {
        let snapshot = self.snapshot()?;
        let request = routing_request(request)?;
        let form = constant("form", &options.form, WalkshedForm::named())?;
        run(env, self.integrity()?, search, move |scratch, deadline| {
            let found =
                walkshed(&snapshot, &request, options.seconds, form, &mut scratch.analysis, deadline)?;
            Ok(analysis::walkshed(found))
        })
    }

    /// The area that can be walked around the stops reached, in the least time of departures spread over some hours.
    /// Rejects with the same codes as `isochrone`.
    ///
    /// @example
    /// const { contours, stopName } = await graph.circleIsochrone(request, {
    ///   spacingSeconds: 1800,
    ///   timespanSeconds: 7200,
    ///   stopsOnly: true,
    ///   radiusM: 500,
    ///   contours: 2,
    ///   contourSpacingSeconds: 900,
    ///   decimals: 5,
    /// });
    /// console.log(stopName, contours.map(({ seconds }) => seconds));
    #[napi(catch_unwind, ts_return_type = "Promise<CircleIsochrone>")]
    pub fn circle_isochrone<'env>(
        &self,
        env: &'env Env,
        #[napi(ts_arg_type = "OriginRequest")] request: SearchRequest,
        options: CircleOptions,
        search: Option<SearchOptions<'env>>,
    ) -> napi::Result<Object<'env>, String> {
        let snapshot = self.snapshot()?;
        let request = routing_request(request)?;
        let crs = options.crs.clone();
        let options = options.into_engine_options()?;
        run(env, self.integrity()?, search, move |scratch, deadline| {
            let crs = crs.as_deref().map(known_crs).transpose()?;
            let found = circle_isochrone(&snapshot, &request, &options, &mut scratch.analysis, deadline)?;
            let (contours, projection) = match &crs {
                None => (found.contours.into_iter().map(contour).collect(), None),
                Some(crs) => {
                    let contours = found.contours.into_iter().map(|c| projected_contour(c, crs));
                    (contours.collect::<Option<_>>().ok_or_else(|| out_of_reach(crs))?, crs.text())
                }
            };
            Ok(CircleIsochrone { contours, stop_name: found.stop_name, projection })
        })
    }
}
