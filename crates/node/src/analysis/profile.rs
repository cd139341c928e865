//! `graph.profile(request)`.

use napi::bindgen_prelude::*;
use napi_derive::napi;
use trestle_planner::profile::profile;

use crate::error::Coded;
use crate::graph::Graph;
use crate::search::{SearchOptions, run};
use crate::wire::profile::{ProfileOption, ProfileRequest};
use crate::wire::text::written;

/// Bytes of a text, which JavaScript parses in about half a millisecond. One option may be longer.
const TEXT_BYTES: usize = 1 << 16;

#[napi]
impl Graph {
    /// The options between two places over a window of departures: those with transit, best first, then the one
    /// without. If a place is off the map, there is only the last option, and it is empty. Rejects with
    /// `INVALID_REQUEST`, `TIMEOUT`, `BUSY`, `ABORTED`, `DISPOSED` or `PANIC`.
    ///
    /// @example
    /// const options = await graph.profile({
    ///   from: { lat: 48.0056, lon: 15.0306 },
    ///   to: { lat: 48.0304, lon: 15.0714 },
    ///   fromEpoch: Date.parse('2026-11-23T07:00:00Z') / 1000,
    ///   toEpoch: Date.parse('2026-11-23T08:00:00Z') / 1000,
    /// });
    /// for (const { transit, stats } of options) console.log(transit.length, 'rides,', stats.min, 'to', stats.max, 's');
    // All options can be tens of megabytes. They are passed as texts that the library parses with pauses.
    #[napi(catch_unwind, ts_return_type = "Promise<Array<ProfileOption>>")]
    pub fn profile<'env>(
        &self,
        env: &'env Env,
        request: ProfileRequest,
        search: Option<SearchOptions<'env>>,
    ) -> napi::Result<Object<'env>, String> {
        let snapshot = self.snapshot()?;
        let request = request.into_engine_options()?;
        run(env, self.integrity()?, search, move |scratch, deadline| {
            let options = profile(&snapshot, &request, &mut scratch.planner, deadline)?;
            written_in_parts(options.into_iter().map(|option| ProfileOption::of(&snapshot, option)))
        })
    }
}

/// The JSON texts of lists that together have all options.
fn written_in_parts(options: impl Iterator<Item = ProfileOption>) -> Coded<Vec<String>> {
    let mut texts: Vec<String> = Vec::new();
    for option in options {
        let text = written(&option)?;
        match texts.last_mut() {
            Some(last) if last.len() < TEXT_BYTES => {
                last.push(',');
                last.push_str(&text);
            }
            _ => texts.push(format!("[{text}")),
        }
    }
    texts.iter_mut().for_each(|text| text.push(']'));
    Ok(texts)
}
