//! Shapes as bytes: the number of parts, then for each part its number of points and the points as differences from the
//! previous point. Numbers have a variable length: seven bits in each byte, the eighth says whether more follow.

use crate::grid_shapes::GridPoint;

/// Appends a shape to `bytes`. Its first point is relative to `origin`.
pub(crate) fn encode(parts: &[Vec<GridPoint>], origin: GridPoint, bytes: &mut Vec<u8>) {
    put(parts.len() as u32, bytes);
    let mut before = origin;
    for part in parts {
        put(part.len() as u32, bytes);
        for point in part {
            for axis in 0..2 {
                put(zigzag(point[axis].wrapping_sub(before[axis])), bytes);
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
            let (Some(x), Some(y)) = (take(&mut bytes), take(&mut bytes)) else { return parts };
            before = [before[0].wrapping_add(unzigzag(x)), before[1].wrapping_add(unzigzag(y))];
            part.push(before);
        }
        parts.push(part);
    }
    parts
}

/// Maps signed numbers to unsigned ones so that small ones stay small (zigzag).
fn zigzag(number: i32) -> u32 {
    ((number << 1) ^ (number >> 31)) as u32
}

fn unzigzag(number: u32) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}

fn put(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[inline]
fn take(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0u32;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f).wrapping_shl(shift);
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
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
