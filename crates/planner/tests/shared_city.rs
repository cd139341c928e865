//! Graphs of the cities in the shared data. Several tests search in the same ones, which take seconds to build.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

use trestle_engine::build::{BuildOptions, build_directory};
use trestle_engine::graph::Graph;
use trestle_shared_data::shared;

type Built = Arc<OnceLock<Option<Arc<Graph>>>>;

static GRAPHS: Mutex<BTreeMap<String, Built>> = Mutex::new(BTreeMap::new());

/// The graph of a city, which is built once for all tests; `None`, with a message, when its inputs are missing.
pub(crate) fn graph_of(city: &str) -> Option<Arc<Graph>> {
    // The lock is not held while a city is built: other tests may build theirs.
    let built = Arc::clone(GRAPHS.lock().unwrap().entry(city.to_owned()).or_default());
    built.get_or_init(|| build(city)).clone()
}

fn build(city: &str) -> Option<Arc<Graph>> {
    let data = shared(&format!("data/{city}"))?;
    let file = std::env::temp_dir().join(format!("trestle-shared-{city}-{}.obj", std::process::id()));
    let outcome = build_directory(&data, &file, &BuildOptions::default(), &mut |_, _| {}).unwrap();
    std::fs::remove_file(&file).unwrap();
    Some(Arc::new(outcome.graph))
}
