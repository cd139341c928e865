//! `graph.vectorTile(...)`: vector tiles.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use napi::bindgen_prelude::*;
use napi_derive::napi;
use trestle_map::vector_tiles::{LAYERS, Layer, MAX_ZOOM, TilePoint, TileRequest, Value, render};
use trestle_model::geo::LatLon;
use trestle_model::mercator::TileId;

use crate::error::{Coded, CodedError};
use crate::graph::Graph;
use crate::search::run;

/// Level of gzip, of 9. A higher one takes more time than the smaller tile saves in transfer.
const GZIP_LEVEL: u32 = 4;

/// A layer of the vector tiles.
#[napi(object, object_from_js = false)]
pub struct VectorTileLayer {
    pub key: String,
    pub description: String,
    /// Zoom from which it may have features.
    pub min_zoom: u32,
    /// Highest zoom with tiles.
    pub max_zoom: u32,
    /// Attributes of its features with their types: `String`, `Number` or `Boolean`.
    pub fields: BTreeMap<String, String>,
}

/// The layers of the vector tiles, in the order in which maps draw them.
///
/// @example
/// for (const { key, minZoom } of vectorTileLayers()) console.log(key, 'from zoom', minZoom);
#[napi(catch_unwind)]
pub(crate) fn vector_tile_layers() -> Vec<VectorTileLayer> {
    let text = |(name, kind): &(&str, &str)| ((*name).to_owned(), (*kind).to_owned());
    (LAYERS.iter())
        .map(|info| VectorTileLayer {
            key: info.key.to_owned(),
            description: info.description.to_owned(),
            min_zoom: info.min_zoom,
            max_zoom: MAX_ZOOM,
            fields: info.fields.iter().map(text).collect(),
        })
        .collect()
}

/// A point from live data, which is not in the graph.
#[napi(object, object_to_js = false)]
pub struct VectorTilePoint {
    /// Layer it belongs to.
    pub layer: String,
    pub lat: f64,
    pub lon: f64,
    pub attributes: HashMap<String, Either3<String, f64, bool>>,
}

/// A request for a tile.
#[napi(object, object_to_js = false)]
pub struct VectorTileRequest {
    pub layers: Vec<String>,
    pub z: u32,
    pub x: u32,
    pub y: u32,
    /// Points of the layers with live data.
    pub points: Option<Vec<VectorTilePoint>>,
    /// Compress the tile with gzip. An empty tile stays empty.
    pub gzip: Option<bool>,
}

fn layer(key: &str) -> Coded<Layer> {
    Layer::by_key(key).ok_or_else(|| CodedError::invalid(format!("Unknown layer: {key}")))
}

fn tile_point(point: VectorTilePoint) -> Coded<(Layer, TilePoint)> {
    let value = |value| match value {
        Either3::A(text) => Value::Text(text),
        Either3::B(number) => Value::Number(number),
        Either3::C(flag) => Value::Flag(flag),
    };
    let mut attributes: Vec<(String, Value<String>)> =
        point.attributes.into_iter().map(|(name, given)| (name, value(given))).collect();
    // The same tile has the same bytes, and with them the same entity tag.
    attributes.sort_by(|a, b| a.0.cmp(&b.0));
    Ok((layer(&point.layer)?, TilePoint { position: LatLon::new(point.lat, point.lon), attributes }))
}

fn gzipped(tile: &[u8]) -> Coded<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(tile.len() / 2), Compression::new(GZIP_LEVEL));
    let packed = encoder.write_all(tile).and_then(|()| encoder.finish());
    packed.map_err(|error| CodedError::invalid(error.to_string()))
}

#[napi]
impl Graph {
    /// A vector tile; empty if it has no features. Rejects with `INVALID_REQUEST` for a layer or tile that does not exist.
    ///
    /// @example
    /// const tile = await graph.vectorTile({ layers: ['stops'], z: 14, x: 8876, y: 5694 });
    /// console.log(tile.length, 'bytes for MapLibre');
    #[napi(catch_unwind, ts_return_type = "Promise<Buffer>")]
    pub fn vector_tile<'env>(
        &self,
        env: &'env Env,
        request: VectorTileRequest,
    ) -> napi::Result<Object<'env>, String> {
        let snapshot = self.snapshot()?;
        let layers = request.layers.iter().map(|key| layer(key)).collect::<Coded<Vec<_>>>()?;
        let points =
            request.points.unwrap_or_default().into_iter().map(tile_point).collect::<Coded<Vec<_>>>()?;
        let id = TileId { z: request.z, x: request.x, y: request.y };
        run(env, self.integrity()?, None, move |_, _| {
            let tile = render(&snapshot, &TileRequest { id, layers: &layers, points: &points })
                .ok_or_else(|| CodedError::invalid("there is no such tile"))?;
            let tile = if request.gzip == Some(true) && !tile.is_empty() { gzipped(&tile)? } else { tile };
            Ok(Buffer::from(tile))
        })
    }
}
