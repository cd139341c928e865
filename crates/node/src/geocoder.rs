//! `graph.geocode(query)`: places by name.

use napi_derive::napi;
use trestle_engine::geocoder::{Category, GeocodeQuery as EngineQuery};

use crate::graph::Graph;

/// What is looked for.
#[napi(object, object_to_js = false)]
pub struct GeocodeQuery {
    pub text: String,
    /// Words are the beginnings of those meant, instead of misspelt.
    pub autocomplete: bool,
    pub stops: bool,
    pub clusters: bool,
    /// No category wanted means every one.
    pub corners: bool,
}

/// A place that was found.
#[napi(object, object_from_js = false)]
pub struct FoundPlace {
    #[napi(ts_type = "'stop' | 'cluster' | 'corner'")]
    pub category: String,
    pub name: String,
    /// Stop code.
    pub code: Option<String>,
    /// `feed:stop`, or the id of a cluster.
    pub id: Option<String>,
    pub lat: f64,
    pub lon: f64,
}

#[napi]
impl Graph {
    /// Places whose names have words of the query, best first; at most ten. The first call builds the index.
    #[napi]
    pub fn geocode(&self, query: GeocodeQuery) -> napi::Result<Vec<FoundPlace>, String> {
        let snapshot = self.snapshot()?;
        let GeocodeQuery { text, autocomplete, stops, clusters, corners } = query;
        let query = EngineQuery { text, autocomplete, stops, clusters, corners };
        let found = snapshot.geocoder().find(&snapshot, &query).into_iter();
        Ok(found
            .map(|place| FoundPlace {
                category: match place.category {
                    Category::Stop => "stop",
                    Category::Cluster => "cluster",
                    Category::Corner => "corner",
                }
                .to_owned(),
                name: place.name,
                code: place.code,
                id: place.id,
                lat: place.lat,
                lon: place.lon,
            })
            .collect())
    }
}
