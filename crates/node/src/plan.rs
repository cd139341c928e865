//! `graph.plan(request)`, and preparing streets for it.

use napi::bindgen_prelude::*;
use napi_derive::napi;
use trestle_planner::plan::{plan, prepare_street_paths};

use crate::graph::Graph;
use crate::search::{SearchOptions, run};
use crate::wire::itinerary::outcome;
use crate::wire::request::{SearchRequest, routing_request};
use crate::wire::text::written;

#[napi]
impl Graph {
    /// Plans itineraries. When there is none, it resolves with the reason (`error`). Rejects with `INVALID_REQUEST`,
    /// `BUSY`, `ABORTED`, `DISPOSED` or `PANIC`.
    ///
    /// @example
    /// const { plan, error } = await graph.plan({
    ///   from: { lat: 48.0056, lon: 15.0306 },
    ///   to: { lat: 48.0304, lon: 15.0714 },
    ///   epochSeconds: Date.parse('2026-11-23T07:00:00Z') / 1000,
    ///   modes: ['TRANSIT', 'WALK'],
    /// });
    /// if (error) console.log(error.code, error.reason);
    /// for (const { walkTime } of plan?.itineraries ?? []) console.log(walkTime, 'seconds on foot');
    // It is passed as a text that the library parses.
    #[napi(catch_unwind, ts_return_type = "Promise<PlanOutcome>")]
    pub fn plan<'env>(
        &self,
        env: &'env Env,
        #[napi(ts_arg_type = "PlanRequest")] request: SearchRequest,
        options: Option<SearchOptions<'env>>,
    ) -> napi::Result<Object<'env>, String> {
        let snapshot = self.snapshot()?;
        let request = routing_request(request)?;
        run(env, self.integrity()?, options, move |scratch, deadline| {
            written(&outcome(plan(&snapshot, &request, &mut scratch.planner, deadline)))
        })
    }

    /// Computes in advance what guides searches for trips on streets alone, so that even the first trips through a
    /// large area are fast. Otherwise one of these trips waits until it is computed: 0.4 seconds for a million street
    /// vertices. It depends on the modes, speeds and costs of the request and on `arriveBy`; its places and its time
    /// are not used. At least four results are kept, and more while they take less than 96 MB. Resolves with false
    /// where there is nothing to compute: for rented bikes, for parked bikes, and for kiss and ride with `arriveBy`.
    /// Rejects with `INVALID_REQUEST`, `TIMEOUT`, `BUSY`, `ABORTED`, `DISPOSED` or `PANIC`.
    ///
    /// @example
    /// const isPrepared = await graph.prepareStreets({ modes: ['CAR'] });
    /// console.log(isPrepared);
    #[napi(catch_unwind, ts_return_type = "Promise<boolean>")]
    pub fn prepare_streets<'env>(
        &self,
        env: &'env Env,
        request: SearchRequest,
        options: Option<SearchOptions<'env>>,
    ) -> napi::Result<Object<'env>, String> {
        let snapshot = self.snapshot()?;
        let request = routing_request(request)?;
        run(env, self.integrity()?, options, move |_, deadline| {
            Ok(prepare_street_paths(&snapshot, &request, deadline)?)
        })
    }
}
