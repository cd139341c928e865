//! The base map below routes and stops, simplified for each group of zooms.

mod coding;
mod kinds;

use std::ops::Range;

use trestle_model::geo::BoundingBox;
use trestle_model::lists::{list, range};
use trestle_model::mercator::position;
use trestle_model::rules::{any, group, offsets, offsets_or_none, text, within};
use trestle_model::strings::StringIdx;
use trestle_model::{Column, Strings, columns};

use crate::grid_shapes::{GridBox, GridPoint};

pub(crate) use coding::encode;
pub(crate) use kinds::kind_number;
pub use kinds::{MAP_KINDS, MapKind, MapLayer, map_flags};

/// The zooms on whose grids features are stored. Each also serves the zooms up to the next one. Grids have 4096 columns
/// and rows in each tile.
pub const SCALES: [u32; 6] = [4, 6, 8, 10, 12, DETAIL_ZOOM];
/// Zoom of the finest grid.
pub const DETAIL_ZOOM: u32 = 15;

/// Blocks in a group. A tile looks at the boxes of groups first, because a country has hundreds of thousands of blocks.
pub(crate) const GROUP: usize = 64;

/// Greatest zoom that each scale is for.
pub(crate) const LAST_ZOOMS: [u32; SCALES.len()] = [5, 7, 9, 11, 13, u32::MAX];

fn scale_of(zoom: u32) -> usize {
    LAST_ZOOMS.iter().position(|last| zoom <= *last).unwrap_or(SCALES.len() - 1)
}

columns! {
    /// Features scale by scale, in blocks of features near each other.
    pub struct BaseMap in BaseMap {
        /// First block of each scale; one more entry than scales, or none without a base map.
        pub first_block: Column<u32> => |m| offsets_or_none(SCALES.len(), m.block_bounds.len()),
        /// Least column and row, greatest column and row of each block, on the grid of its scale.
        pub block_bounds: Column<[i32; 4]> => |m| any(m.block_bounds.len()),
        /// The box around the blocks of each group, in the same form. Groups continue from scale to scale.
        pub group_bounds: Column<[i32; 4]> => |m| any(m.block_bounds.len().div_ceil(GROUP)),
        /// First feature of each block; one more entry than blocks.
        pub first_feature: Column<u32> => |m| offsets(m.block_bounds.len(), m.kind.len()),
        /// Position in [`MAP_KINDS`].
        pub kind: Column<u8> => |m| within(m.kind.len(), 0..=MAP_KINDS.len() as u8 - 1),
        /// See [`map_flags`].
        pub flags: Column<u8> => |m| any(m.kind.len()),
        /// Name, or the number of a road that has no name.
        pub name: Column<u32> => |m| text(m.kind.len(), &m.texts),
        /// First byte of each feature's shape; one more entry than features.
        pub first_byte: Column<u32> => |m| offsets(m.kind.len(), m.shapes.len()),
        /// Shapes, see `coding`, which accepts any bytes.
        pub shapes: Column<u8> => |m| any(m.shapes.len()),
        /// Names.
        pub texts: Strings => |m| group(&m.texts),
    }
}

/// Kind, flags and name. Lines that have the same ones are joined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Appearance {
    /// Position in [`MAP_KINDS`].
    pub(crate) kind: u8,
    /// See [`map_flags`].
    pub(crate) flags: u8,
    /// Index of the name.
    pub(crate) name: StringIdx,
}

pub struct MapFeature<'a> {
    pub kind: &'static MapKind,
    /// See [`map_flags`].
    pub flags: u8,
    pub name: u32,
    bytes: &'a [u8],
    origin: GridPoint,
}

impl MapFeature<'_> {
    /// A point, the points of a line, or the outline of an area and its holes, on the grid of the scale.
    pub fn parts(&self) -> Vec<Vec<GridPoint>> {
        coding::decode(self.bytes, self.origin)
    }
}

impl BaseMap {
    /// Zoom of the grid on which the features for a zoom are stored.
    pub fn grid_zoom(zoom: u32) -> u32 {
        SCALES[scale_of(zoom)]
    }

    /// The area around all features; none without any. Lakes and woods may lie beyond the last street, so it can be larger
    /// than the area of the streets.
    pub fn area(&self) -> Option<BoundingBox> {
        let finest = SCALES.len() - 1;
        let blocks = self.first_block.get(finest).map(|_| range(&self.first_block, finest))?;
        let bounds =
            blocks.map(|block| grid_box(self.block_bounds[block])).reduce(|sum, next| sum.with(&next))?;
        let side = f64::from(DETAIL_ZOOM).exp2() * 4096.0;
        let corner = |point: GridPoint| position(point.map(|at| f64::from(at) / side));
        Some(BoundingBox::around([corner(bounds.low), corner(bounds.high)]))
    }

    /// The features of a layer that a zoom shows, in the blocks that touch a box on the grid of [`Self::grid_zoom`].
    pub fn features(
        &self,
        layer: MapLayer,
        zoom: u32,
        bounds: GridBox,
    ) -> impl Iterator<Item = MapFeature<'_>> {
        let scale = scale_of(zoom);
        let Range { start: first, end: last } = range(&self.first_block, scale);
        let groups = (first / GROUP..last.div_ceil(GROUP))
            .filter(move |&group| bounds.touches(&grid_box(self.group_bounds[group])));
        let blocks =
            groups.flat_map(move |group| (group * GROUP).max(first)..((group + 1) * GROUP).min(last));
        let near = blocks.filter_map(move |block| {
            let around = grid_box(self.block_bounds[block]);
            bounds.touches(&around).then_some((block, around.low))
        });
        near.flat_map(move |(block, origin)| {
            range(&self.first_feature, block).filter_map(move |feature| {
                let kind = &MAP_KINDS[self.kind[feature] as usize];
                let is_shown = kind.layer == layer && u32::from(kind.min_zoom) <= zoom;
                is_shown.then(|| MapFeature {
                    kind,
                    flags: self.flags[feature],
                    name: self.name[feature],
                    bytes: list(&self.first_byte, &self.shapes, feature),
                    origin,
                })
            })
        })
    }
}

/// A box as it is stored.
fn grid_box([west, north, east, south]: [i32; 4]) -> GridBox {
    GridBox { low: [west, north], high: [east, south] }
}
