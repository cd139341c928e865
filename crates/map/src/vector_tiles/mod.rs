//! Vector tiles of the graph in the Mapbox Vector Tile format 2.1.

mod base_map;
mod edges;
mod frame;
mod layers;
mod patterns;
mod stops;
mod writer;

use mvt::Tile;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::mercator::TileId;

pub use layers::{LAYERS, Layer, LayerInfo, MAX_ZOOM};
pub use writer::Value;

use frame::{EXTENT, Frame};
use writer::LayerWriter;

/// A point from live data, which is not in the graph.
#[derive(Clone, Debug, Default)]
pub struct TilePoint {
    pub position: LatLon,
    pub attributes: Vec<(String, Value<String>)>,
}

pub struct TileRequest<'a> {
    pub id: TileId,
    /// The wanted layers; repeated ones are written once.
    pub layers: &'a [Layer],
    /// Points of the layers with live data.
    pub points: &'a [(Layer, TilePoint)],
}

/// The tile, not compressed; empty if it has no features. `None` if the tile does not exist.
pub fn render(snapshot: &Snapshot, request: &TileRequest<'_>) -> Option<Vec<u8>> {
    if !request.id.exists(MAX_ZOOM) {
        return None;
    }
    let frame = Frame { id: request.id };
    let mut tile = Tile::new(EXTENT);
    for info in LAYERS.iter().filter(|info| request.layers.contains(&info.layer)) {
        if request.id.z < info.min_zoom {
            continue;
        }
        let mut layer = LayerWriter::new(&tile, info.key);
        match info.layer {
            Layer::Base(base) => base_map::write(snapshot, base, &frame, &mut layer),
            Layer::Patterns => patterns::write(snapshot, &frame, &mut layer),
            Layer::Stops => stops::write(snapshot, &frame, &mut layer),
            Layer::Edges => edges::write(snapshot, &frame, &mut layer),
            Layer::Rentals | Layer::Vehicles => {
                let own = request.points.iter().filter(|(layer, _)| *layer == info.layer);
                own.for_each(|(_, point)| write_point(point, &frame, &mut layer));
            }
        }
        layer.finish(&mut tile);
    }
    tile.to_bytes().ok()
}

fn write_point(point: &TilePoint, frame: &Frame, layer: &mut LayerWriter) {
    let at = frame.point(point.position);
    if Frame::BOUNDS.has(at) {
        layer.points(&[at], &point.attributes);
    }
}
