//! Builds the base map: simplifies the shapes for each scale and stores them as features in blocks.

mod blocks;
mod generalize;

use crate::base_map::{BaseMap, SCALES};
use crate::osm::MapShapes;
use blocks::Blocks;
use generalize::features_of_scale;

/// The columns of all shapes; nothing where there are none.
pub(super) fn base_map(MapShapes { shapes, texts }: MapShapes) -> BaseMap {
    if shapes.is_empty() {
        return BaseMap::default();
    }
    // Scales are independent of each other, and the finest takes most of the time.
    let (coarse, finest) = std::thread::scope(|scope| {
        let coarse = scope.spawn(|| {
            (0..SCALES.len() - 1).map(|scale| features_of_scale(&shapes, scale)).collect::<Vec<_>>()
        });
        let finest = features_of_scale(&shapes, SCALES.len() - 1);
        (coarse.join().unwrap_or_default(), finest)
    });
    let mut blocks = Blocks::default();
    for features in coarse.into_iter().chain([finest]) {
        blocks.add_scale(features);
    }
    blocks.finish(texts.finish())
}
