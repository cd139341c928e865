//! Shapes of a message, which its trip updates name.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::geo::LatLon;
use trestle_model::polyline::decode;

use super::messages::{EncodedShape, FeedEntity, TripUpdate};

/// The (latitude, longitude) of the points of a line, in hundred-thousandths of a degree.
pub(super) type Shape = Arc<[[i32; 2]]>;

/// Longest encoded line: a point takes at least two letters, and a legible shape has a few thousand points.
const MOST_LETTERS: usize = 1 << 20;
/// Most points of a shape. Every leg along it goes through all of them.
const MOST_POINTS: usize = 100_000;

/// The shapes of a message that its trips name, by their ids, without those that are no lines on Earth or have too many
/// points.
pub(super) fn shapes_of(entities: &[FeedEntity]) -> FxHashMap<String, Shape> {
    let present = || entities.iter().filter(|entity| entity.is_deleted != Some(true));
    let named: FxHashSet<&str> =
        present().filter_map(|entity| entity.trip_update.as_ref().and_then(TripUpdate::shape_id)).collect();
    let shapes = present().filter_map(|entity| entity.shape.as_ref());
    let named_shapes = shapes.filter_map(|shape| {
        let id = shape.shape_id.as_deref().filter(|id| named.contains(id))?;
        Some((id.to_owned(), line(shape)?))
    });
    named_shapes.collect()
}

fn line(shape: &EncodedShape) -> Option<Shape> {
    let encoded = shape.encoded_polyline.as_deref().filter(|encoded| encoded.len() <= MOST_LETTERS)?;
    let points = decode(encoded)?;
    let is_line = (2..=MOST_POINTS).contains(&points.len())
        && points.iter().all(|[lat, lon]| LatLon::new(*lat, *lon).is_on_earth());
    let units = points.iter().map(|point| point.map(|degrees| (degrees * 1e5).round() as i32));
    is_line.then(|| units.collect())
}
