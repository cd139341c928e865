//! Columns of features, with features near each other in the same block.

use trestle_model::Strings;

use super::generalize::ScaledFeature;
use crate::base_map::{BaseMap, GROUP, encode};
use crate::grid_shapes::GridBox;

/// Features of a block.
const BLOCK: usize = 32;

/// The columns of the scales that were added.
#[derive(Default)]
pub(super) struct Blocks {
    first_block: Vec<u32>,
    block_bounds: Vec<GridBox>,
    first_feature: Vec<u32>,
    kind: Vec<u8>,
    flags: Vec<u8>,
    name: Vec<u32>,
    first_byte: Vec<u32>,
    shapes: Vec<u8>,
}

impl Blocks {
    /// Adds the features of the next scale.
    pub(super) fn add_scale(&mut self, mut features: Vec<ScaledFeature>) {
        self.first_block.push(self.block_bounds.len() as u32);
        features.sort_by_cached_key(|feature| place_on_curve(&feature.bounds));
        for block in features.chunks(BLOCK) {
            let bounds = around(block.iter().map(|feature| &feature.bounds));
            self.block_bounds.push(bounds);
            self.first_feature.push(self.kind.len() as u32);
            for feature in block {
                self.kind.push(feature.appearance.kind);
                self.flags.push(feature.appearance.flags);
                self.name.push(feature.appearance.name);
                self.first_byte.push(self.shapes.len() as u32);
                encode(&feature.parts, bounds.low, &mut self.shapes);
            }
        }
    }

    pub(super) fn finish(mut self, texts: Strings) -> BaseMap {
        let group_bounds = self.block_bounds.chunks(GROUP).map(around).map(stored).collect();
        self.first_block.push(self.block_bounds.len() as u32);
        self.first_feature.push(self.kind.len() as u32);
        self.first_byte.push(self.shapes.len() as u32);
        BaseMap {
            first_block: self.first_block.into(),
            group_bounds,
            block_bounds: self.block_bounds.iter().copied().map(stored).collect(),
            first_feature: self.first_feature.into(),
            kind: self.kind.into(),
            flags: self.flags.into(),
            name: self.name.into(),
            first_byte: self.first_byte.into(),
            shapes: self.shapes.into(),
            texts,
        }
    }
}

fn around<'a>(boxes: impl IntoIterator<Item = &'a GridBox>) -> GridBox {
    boxes.into_iter().fold(GridBox::EMPTY, |sum, own| sum.with(own))
}

/// The form in which graphs store boxes.
fn stored(GridBox { low, high }: GridBox) -> [i32; 4] {
    [low[0], low[1], high[0], high[1]]
}

/// Position of the centre of a box on the Morton curve, which mostly keeps points together that are near each other.
fn place_on_curve(bounds: &GridBox) -> u64 {
    let middle =
        |axis: usize| ((i64::from(bounds.low[axis]) + i64::from(bounds.high[axis])) / 2).max(0) as u32;
    spread(middle(0)) | spread(middle(1)) << 1
}

/// The bits of a number with a gap after each.
fn spread(number: u32) -> u64 {
    let mut bits = u64::from(number);
    for (shift, mask) in [
        (16, 0x0000_ffff_0000_ffff),
        (8, 0x00ff_00ff_00ff_00ff),
        (4, 0x0f0f_0f0f_0f0f_0f0f),
        (2, 0x3333_3333_3333_3333),
        (1, 0x5555_5555_5555_5555),
    ] {
        bits = (bits | bits << shift) & mask;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_spread() {
        assert_eq!((spread(0b1011), spread(u32::MAX)), (0b100_0101, 0x5555_5555_5555_5555));
    }
}
