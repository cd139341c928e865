//! `graph.matrix(request, options)`.

use napi::bindgen_prelude::*;
use napi_derive::napi;
use trestle_analysis::matrix::{Matrix, MatrixQuery};
use trestle_analysis::samples::linked_destinations;

use super::surface::positions_of;
use crate::error::CodedError;
use crate::graph::Graph;
use crate::search::{SearchOptions, run};
use crate::wire::analysis::MatrixOptions;
use crate::wire::request::{SearchRequest, routing_request};

/// Most times of one call; callers split larger matrices into slices of origins.
const MAX_TIMES: usize = 50_000_000;

/// Longest time, seconds.
const MAX_SECONDS: i32 = 86_400;

#[napi]
impl Graph {
    /// Seconds from every origin to every destination by the earliest arrival, row by row; 2147483647 where one is not
    /// reached within `maxSeconds`. The places of the request are not used. Rejects with `INVALID_REQUEST`,
    /// `TOO_LARGE`, `TIMEOUT`, `BUSY`, `ABORTED`, `DISPOSED` or `PANIC`. A call uses one search worker, so give each worker a
    /// slice of a large matrix.
    ///
    /// @example
    /// const places = Float64Array.of(48.0056, 15.0306, 48.0304, 15.0714);
    /// const seconds = await graph.matrix(request, { origins: places, destinations: places, maxSeconds: 3600 });
    /// console.log('from the first to the second place:', seconds[1], 's; back:', seconds[2], 's');
    #[napi(catch_unwind, ts_return_type = "Promise<Int32Array>")]
    pub fn matrix<'env>(
        &self,
        env: &'env Env,
        #[napi(ts_arg_type = "TimedRequest")] request: SearchRequest,
        options: MatrixOptions,
        search: Option<SearchOptions<'env>>,
    ) -> napi::Result<Object<'env>, String> {
        let snapshot = self.snapshot()?;
        let request = routing_request(request)?;
        let origins = positions_of("origins", &options.origins)?;
        let destinations = positions_of("destinations", &options.destinations)?;
        if origins.len().saturating_mul(destinations.len()) > MAX_TIMES {
            let text = format!(
                "{} x {} times, but at most {MAX_TIMES} are allowed",
                origins.len(),
                destinations.len()
            );
            return Err(CodedError::new("TOO_LARGE", text).into());
        }
        if !(1..=MAX_SECONDS).contains(&options.max_seconds) {
            let text = format!("maxSeconds: {} is not between 1 and {MAX_SECONDS}", options.max_seconds);
            return Err(CodedError::invalid(text).into());
        }
        run(env, self.integrity()?, search, move |scratch, deadline| {
            let destinations = linked_destinations(&snapshot, &destinations, &request, deadline)?;
            let left = options.origins_left.map_or(0, |left| left as usize);
            let query = MatrixQuery {
                request,
                max_seconds: options.max_seconds,
                destinations,
                origins: left.max(origins.len()),
            };
            let scratch = &mut scratch.analysis;
            let matrix = Matrix::new(&snapshot, &query, scratch, deadline)?;
            let mut all = Vec::with_capacity(origins.len() * query.destinations.len());
            for origin in origins {
                all.extend(matrix.row(origin, scratch)?);
            }
            Ok(Int32Array::from(all))
        })
    }
}
