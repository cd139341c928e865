//! Scenarios: a graph with modifications of its schedule.

use napi::bindgen_prelude::*;
use napi_derive::napi;
use trestle_engine::scenario::Scenario;

use crate::error::{Coded, CodedError};
use crate::graph::Graph;
use crate::promise::on_own_thread;
use crate::wire::scenario::{ModificationReport, ScenarioModification, modification};

#[napi]
impl Graph {
    /// This graph with modifications of its schedule, applied in the given order. Streets and live data are the same,
    /// and everything the modifications do not touch is shared. Modifications that cannot be applied are left out; see
    /// `modificationReports`. Dispose of it before the graph. Rejects with `INVALID_REQUEST`, `DISPOSED` or `PANIC`.
    ///
    /// @example
    /// const changed = await graph.withScenario([{ type: 'remove-trip', trips: { routeId: ['city:U1'] } }]);
    /// console.log(changed.modificationReports());
    /// const { plan } = await changed.plan(request);
    /// console.log(plan?.itineraries[0]?.legs.map(({ mode }) => mode));
    /// changed.dispose();
    #[napi(catch_unwind, ts_return_type = "Promise<Graph>")]
    pub fn with_scenario<'env>(
        &self,
        env: &'env Env,
        modifications: Vec<ScenarioModification>,
    ) -> napi::Result<Object<'env>, String> {
        if self.scenario()?.is_some() {
            return Err(CodedError::invalid("a scenario cannot be made from a scenario").into());
        }
        let modifications = modifications.into_iter().map(modification).collect::<Coded<Vec<_>>>()?;
        let live = self.live();
        on_own_thread(env, "trestle-scenario", move || {
            let scenario = Scenario::new(&live.current()?, &modifications);
            Ok(Graph::with(live, scenario))
        })
    }

    /// The outcome of each modification that this graph was made with; none for a graph without modifications.
    #[napi(catch_unwind)]
    pub fn modification_reports(&self) -> napi::Result<Vec<ModificationReport>, String> {
        let scenario = self.scenario()?;
        Ok(scenario.iter().flat_map(|scenario| scenario.reports()).map(ModificationReport::from).collect())
    }
}
