//! Heights along edges, in few bytes: a height every ten metres from the start of an edge and one at its end, in whole
//! centimetres.
//!
//! A profile is its number of heights, then the length of the edge and the first height, then each height as the
//! difference from the one before, as numbers of a variable length.

use trestle_model::ids::EdgeIdx;
use trestle_model::rules::{any, offsets_or_none};
use trestle_model::variable_length::{put, put_signed, take, take_signed};
use trestle_model::{Column, columns};

use crate::graph::StreetGraph;

/// Distance between heights, metres.
pub(crate) const SAMPLE_M: f64 = 10.0;
/// Number of consecutive edges that share an offset.
const EDGES_PER_BLOCK: usize = 16;

columns! {
    /// The elevation profiles of all edges; empty without elevation.
    pub struct ElevationProfiles in StreetGraph {
        /// Where the profiles of every sixteen edges begin in `bytes`, and where the last ones end.
        pub offsets: Column<u32> => |g| offsets_or_none(g.arcs.len().div_ceil(EDGES_PER_BLOCK), g.elevation.bytes.len()),
        /// The profiles in the order of the edges.
        pub bytes: Column<u8> => |g| any(g.elevation.bytes.len()),
    }
}

impl ElevationProfiles {
    /// The profiles of all edges, encoded, in the order of the edges; an edge without one is an empty slice.
    pub(crate) fn of<'p>(profiles: impl Iterator<Item = &'p [u8]>) -> ElevationProfiles {
        let (mut offsets, mut bytes) = (Vec::new(), Vec::new());
        for (edge, profile) in profiles.enumerate() {
            if edge.is_multiple_of(EDGES_PER_BLOCK) {
                offsets.push(bytes.len() as u32);
            }
            bytes.extend_from_slice(if profile.is_empty() { NONE } else { profile });
        }
        offsets.push(bytes.len() as u32);
        ElevationProfiles { offsets: offsets.into(), bytes: bytes.into() }
    }

    /// The profiles of all edges, as (metres from the start, metres of elevation).
    pub fn of_points(profiles: &[Vec<[f64; 2]>]) -> ElevationProfiles {
        let encode = |points: &Vec<[f64; 2]>| {
            let mut bytes = Vec::new();
            encode(points, &mut bytes);
            bytes
        };
        let encoded: Vec<Vec<u8>> = profiles.iter().map(encode).collect();
        ElevationProfiles::of(encoded.iter().map(Vec::as_slice))
    }

    /// (metres from the start, metres of elevation) along an edge, from its start to its end. Empty without a profile.
    pub fn profile(&self, edge: EdgeIdx) -> Vec<[f64; 2]> {
        let Some(&start) = self.offsets.get(edge.index() / EDGES_PER_BLOCK) else { return Vec::new() };
        let mut bytes = self.bytes.get(start as usize..).unwrap_or_default();
        for _ in 0..edge.index() % EDGES_PER_BLOCK {
            skip(&mut bytes);
        }
        decode(bytes)
    }
}

/// The profile of an edge without one.
const NONE: &[u8] = &[0];

/// Appends a profile. Every height but the last has to be at its place, ten metres after the one before.
pub(crate) fn encode(points: &[[f64; 2]], bytes: &mut Vec<u8>) {
    let Some(&[length, _]) = points.last() else { return bytes.extend_from_slice(NONE) };
    put(points.len() as u32, bytes);
    put(centimeters(length) as u32, bytes);
    let mut before = 0;
    for &[_, height] in points {
        let height = centimeters(height);
        put_signed(height.wrapping_sub(before), bytes);
        before = height;
    }
}

/// Rounds to the centimetre, the precision of profiles.
fn centimeters(meters: f64) -> i32 {
    (meters * 100.0).round() as i32
}

/// Number of heights in the first profile of some bytes.
pub(crate) fn count(mut bytes: &[u8]) -> u32 {
    take(&mut bytes).unwrap_or(0)
}

/// The first profile of some bytes. Invalid bytes, which only a damaged file has, end it early.
pub(crate) fn decode(mut bytes: &[u8]) -> Vec<[f64; 2]> {
    let (count, length) = (take(&mut bytes).unwrap_or(0), take(&mut bytes).unwrap_or(0));
    // Each height has at least one byte.
    let mut points = Vec::with_capacity((count as usize).min(bytes.len()));
    let mut height = 0i32;
    for i in 0..count {
        let Some(change) = take_signed(&mut bytes) else { return points };
        height = height.wrapping_add(change);
        let distance = if i + 1 == count { f64::from(length) / 100.0 } else { f64::from(i) * SAMPLE_M };
        points.push([distance, f64::from(height) / 100.0]);
    }
    points
}

/// The bytes of the first profile.
pub(crate) fn first(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    skip(&mut rest);
    &bytes[..bytes.len() - rest.len()]
}

/// Skips the first profile of some bytes.
fn skip(bytes: &mut &[u8]) {
    let count = take(bytes).unwrap_or(0);
    let mut numbers = if count == 0 { 0 } else { count + 1 };
    let end = bytes.iter().position(|byte| {
        numbers -= u32::from(numbers > 0 && *byte < 0x80);
        numbers == 0
    });
    if count > 0 {
        *bytes = end.and_then(|end| bytes.get(end + 1..)).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop, prop_assert, prop_assert_eq, proptest};

    use super::*;

    /// A profile whose heights are at their places, in centimetres.
    fn points(heights: &[i32], last_part: u32) -> Vec<[f64; 2]> {
        let inner = heights.len().saturating_sub(2) as f64 * SAMPLE_M;
        let at = |i: usize| match i {
            _ if i + 1 < heights.len() => i as f64 * SAMPLE_M,
            _ => ((inner * 100.0) as u32 + last_part) as f64 / 100.0,
        };
        (0..heights.len()).map(|i| [at(i), f64::from(heights[i]) / 100.0]).collect()
    }

    proptest! {
        #[test]
        fn profiles_come_back_as_they_were(
            all in prop::collection::vec((prop::collection::vec(-50_000..900_000i32, 0..9), 0..2_000u32), 0..50),
        ) {
            let profiles: Vec<_> = all.iter().map(|(heights, last)| points(heights, *last)).collect();
            let stored = ElevationProfiles::of_points(&profiles);
            for (edge, profile) in profiles.iter().enumerate() {
                prop_assert_eq!(&stored.profile(EdgeIdx::from(edge)), profile);
            }
        }

        #[test]
        fn any_bytes_are_some_profiles(bytes in prop::collection::vec(0..=u8::MAX, 0..99), edge in 0..40u32) {
            let offsets = vec![0, 3, bytes.len() as u32];
            let stored = ElevationProfiles { offsets: offsets.into(), bytes: bytes.clone().into() };
            prop_assert!(stored.profile(EdgeIdx(edge)).len() <= bytes.len());
        }
    }
}
