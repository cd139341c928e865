//! `graph.geocode(query)`: places by name.

use napi::bindgen_prelude::*;
use napi_derive::napi;
use trestle_map::geocoder::{FoundPlace as Place, GeocodeQuery as EngineQuery, Geocoder};
use trestle_model::geo::LatLon;

use crate::graph::Graph;
use crate::search::run;
use crate::wire::given::given;
use crate::wire::made::made;

given! {
    /// A query for places.
    pub struct GeocodeQuery for EngineQuery {
        needed {
            pub text: String,
        }
        /// The words may be beginnings of words; otherwise they are whole words, which may be misspelt.
        pub autocomplete: Option<bool>,
        pub stops: Option<bool>,
        pub clusters: Option<bool>,
        pub corners: Option<bool>,
        /// Places and addresses of the map. Without any of these four, all of them are searched.
        pub places: Option<bool>,
    }
}

made! {
    /// A place that was found.
    pub struct FoundPlace from (place: Place) {
        #[napi(ts_type = "'stop' | 'cluster' | 'corner' | 'place' | 'address'")]
        pub category: String = place.category.name().to_owned(),
        pub name: String,
        /// Stop code, the kind of a place, or the city of an address.
        pub code: Option<String>,
        /// `feed:stop`, or the id of a cluster.
        pub id: Option<String>,
        pub lat: f64,
        pub lon: f64,
    }
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
        let query = query.into_engine_options()?;
        run(env, self.integrity()?, None, move |_, _| {
            let found = Geocoder::of(&snapshot).find(&snapshot, &query);
            Ok(found.into_iter().map(FoundPlace::from).collect::<Vec<_>>())
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
