//! `graph.geocode(query)`: places by name.

use napi::bindgen_prelude::*;
use napi_derive::napi;
use trestle_map::geocoder::{Category, FoundPlace as Place, GeocodeQuery as EngineQuery, Geocoder};
use trestle_model::geo::LatLon;

use crate::graph::Graph;
use crate::search::run;

/// A query for places.
#[napi(object, object_to_js = false)]
pub struct GeocodeQuery {
    pub text: String,
    /// The words may be beginnings of words; otherwise they are whole words, which may be misspelt.
    pub autocomplete: Option<bool>,
    pub stops: Option<bool>,
    pub clusters: Option<bool>,
    pub corners: Option<bool>,
    /// Places and addresses of the map. Without any of these four, all of them are searched.
    pub places: Option<bool>,
}

/// A place that was found.
#[napi(object, object_from_js = false)]
pub struct FoundPlace {
    #[napi(ts_type = "'stop' | 'cluster' | 'corner' | 'place' | 'address'")]
    pub category: String,
    pub name: String,
    /// Stop code, the kind of a place, or the city of an address.
    pub code: Option<String>,
    /// `feed:stop`, or the id of a cluster.
    pub id: Option<String>,
    pub lat: f64,
    pub lon: f64,
}

#[napi]
impl Graph {
    /// Places whose names contain words of the query, best first; at most ten. The first call builds the index.
    ///
    /// @example
    /// const found = await graph.geocode({ text: 'glocken', autocomplete: true });
    /// for (const { name, lat, lon } of found) console.log(name, lat, lon);
    #[napi(catch_unwind, ts_return_type = "Promise<FoundPlace[]>")]
    pub fn geocode<'env>(&self, env: &'env Env, query: GeocodeQuery) -> napi::Result<Object<'env>, String> {
        let snapshot = self.snapshot()?;
        let is = |flag: Option<bool>| flag.unwrap_or(false);
        let query = EngineQuery {
            text: query.text,
            autocomplete: is(query.autocomplete),
            stops: is(query.stops),
            clusters: is(query.clusters),
            corners: is(query.corners),
            places: is(query.places),
        };
        run(env, self.integrity()?, None, move |_, _| {
            let found = Geocoder::of(&snapshot).find(&snapshot, &query);
            Ok(found.into_iter().map(found_place).collect::<Vec<FoundPlace>>())
        })
    }

    /// The name of the administrative area around a location, by the boundaries of the map: the area of `adminLevel`,
    /// or if there is none of that level, of the next larger one.
    ///
    /// @example
    /// console.log(graph.administrativeAreaAt(48.0056, 15.0306, 8) ?? 'outside all areas');
    #[napi(catch_unwind)]
    pub fn administrative_area_at(
        &self,
        lat: f64,
        lon: f64,
        admin_level: u8,
    ) -> napi::Result<Option<String>, String> {
        let snapshot = self.snapshot()?;
        let area = snapshot.graph.street.gazetteer.area_at(LatLon::new(lat, lon), admin_level);
        Ok(area.map(str::to_owned))
    }
}

fn found_place(place: Place) -> FoundPlace {
    let category = match place.category {
        Category::Stop => "stop",
        Category::Cluster => "cluster",
        Category::Corner => "corner",
        Category::Place => "place",
        Category::Address => "address",
    };
    FoundPlace {
        category: category.to_owned(),
        name: place.name,
        code: place.code,
        id: place.id,
        lat: place.lat,
        lon: place.lon,
    }
}
