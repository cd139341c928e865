//! Shapes as bytes: the number of parts, then for each part its number of points and the points as differences from the
//! previous point.

use trestle_model::variable_length::{put, put_signed, take, take_signed};

use crate::grid_shapes::GridPoint;

/// Appends a shape to `bytes`. Its first point is relative to `origin`.
pub(crate) fn encode(parts: &[Vec<GridPoint>], origin: GridPoint, bytes: &mut Vec<u8>) {
    put(parts.len() as u32, bytes);
    let mut before = origin;
    for part in parts {
        put(part.len() as u32, bytes);
        for point in part {
            for axis in 0..2 {
                put_signed(point[axis].wrapping_sub(before[axis]), bytes);
            }
            before = *point;
        }
    }
}

/// Decodes a shape. Invalid bytes, which only a damaged file has, end it early.
pub(super) fn decode(mut bytes: &[u8], origin: GridPoint) -> Vec<Vec<GridPoint>> {
    let mut parts = Vec::new();
    let mut before = origin;
    for _ in 0..take(&mut bytes).unwrap_or(0) {
        let Some(count) = take(&mut bytes) else { return parts };
        // Each point has at least two bytes.
        let mut part = Vec::with_capacity((count as usize).min(bytes.len() / 2));
        for _ in 0..count {
            let (Some(x), Some(y)) = (take_signed(&mut bytes), take_signed(&mut bytes)) else { return parts };
            before = [before[0].wrapping_add(x), before[1].wrapping_add(y)];
            part.push(before);
        }
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn shapes_come_back_as_they_were(
            parts in prop::collection::vec(prop::collection::vec(any::<[i32; 2]>(), 0..9), 0..4),
            origin in any::<[i32; 2]>(),
        ) {
            let mut bytes = Vec::new();
            encode(&parts, origin, &mut bytes);
            prop_assert_eq!(decode(&bytes, origin), parts);
        }

        #[test]
        fn any_bytes_are_some_shape(bytes in prop::collection::vec(any::<u8>(), 0..99)) {
            let points: usize = decode(&bytes, [0, 0]).iter().map(Vec::len).sum();
            prop_assert!(points * 2 <= bytes.len());
        }
    }
}
