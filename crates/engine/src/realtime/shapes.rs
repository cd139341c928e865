//! Shapes of a message, which its trip updates name.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use trestle_model::geo::LatLon;
use trestle_model::polyline::decode;

use super::messages::FeedEntity;

/// The (latitude, longitude) of the points of a line, in hundred-thousandths of a degree.
pub(super) type Shape = Arc<[[i32; 2]]>;

/// The shapes of a message by their ids, without those that are no lines on Earth.
pub(super) fn shapes_of(entities: &[FeedEntity]) -> FxHashMap<String, Shape> {
    let mut shapes = FxHashMap::default();
    for shape in entities.iter().filter_map(|entity| entity.shape.as_ref()) {
        let points = shape.encoded_polyline.as_deref().and_then(decode).unwrap_or_default();
        let is_line =
            points.len() > 1 && points.iter().all(|[lat, lon]| LatLon::new(*lat, *lon).is_on_earth());
        if let Some(id) = shape.shape_id.clone().filter(|_| is_line) {
            let units = points.iter().map(|point| point.map(|degrees| (degrees * 1e5).round() as i32));
            shapes.insert(id, units.collect());
        }
    }
    shapes
}
