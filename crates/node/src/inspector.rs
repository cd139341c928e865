//! `graph.inspectorTile(...)`: pictures of the graph.

use napi::bindgen_prelude::*;
use napi_derive::napi;
use trestle_map::inspector::{LAYERS, Layer, render};
use trestle_model::mercator::TileId;

use crate::error::CodedError;
use crate::graph::Graph;
use crate::search::run;

/// A layer of the inspector.
#[napi(object, object_from_js = false)]
pub struct InspectorLayer {
    #[napi(ts_type = "InspectorLayerKey")]
    pub key: String,
    pub name: String,
}

/// The layers of the inspector.
///
/// @example
/// console.log(inspectorLayers().map(({ key }) => key));
#[napi(catch_unwind)]
pub(crate) fn inspector_layers() -> Vec<InspectorLayer> {
    LAYERS
        .iter()
        .map(|(_, key, name)| InspectorLayer { key: (*key).to_owned(), name: (*name).to_owned() })
        .collect()
}

#[napi]
impl Graph {
    /// A tile as a PNG of 256 × 256 pixels. Rejects with `INVALID_REQUEST` for a layer or tile that does not exist.
    ///
    /// @example
    /// const png = await graph.inspectorTile('bike-safety', 15, 17752, 11389);
    /// console.log(png.length, 'bytes');
    #[napi(catch_unwind, ts_return_type = "Promise<Buffer>")]
    pub fn inspector_tile<'env>(
        &self,
        env: &'env Env,
        #[napi(ts_arg_type = "InspectorLayerKey")] layer: String,
        z: u32,
        x: u32,
        y: u32,
    ) -> napi::Result<Object<'env>, String> {
        let snapshot = self.snapshot()?;
        let layer =
            Layer::by_key(&layer).ok_or_else(|| CodedError::invalid(format!("Unknown layer: {layer}")))?;
        run(env, self.integrity()?, None, move |_, _| {
            let png = render(&snapshot, layer, TileId { z, x, y });
            png.map(Buffer::from).ok_or_else(|| CodedError::invalid("there is no such tile"))
        })
    }
}
