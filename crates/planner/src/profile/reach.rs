//! Which places are reached from the start, and from which the destination is reached, in each street mode.

use super::request::StreetMode;
use super::rides::PlaceIdx;

/// Seconds to a place that is not reached; sums of a few do not overflow.
pub(super) const FAR: i32 = i32::MAX / 8;

/// The places reached in one mode.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    pub(super) mode: StreetMode,
    /// Least seconds to each place, or [`FAR`].
    pub(super) seconds: Vec<i32>,
    /// The stop of it that takes so long.
    pub(super) stop: Vec<u32>,
}

impl Reach {
    /// Seconds to a place.
    pub(super) fn seconds(&self, place: PlaceIdx) -> Option<i32> {
        self.seconds.get(place as usize).copied().filter(|seconds| *seconds < FAR)
    }

    /// The places reached, with their seconds.
    pub(super) fn places(&self) -> impl Iterator<Item = (PlaceIdx, i32)> + '_ {
        (0..self.seconds.len() as u32).filter_map(|place| Some((place, self.seconds(place)?)))
    }
}

/// The places reached from the start, and those from which the destination is reached; one entry per mode.
#[derive(Clone, Debug)]
pub(super) struct Ends {
    pub(super) access: Vec<Reach>,
    pub(super) egress: Vec<Reach>,
}

/// Least seconds to a place in any mode.
pub(super) fn fastest(reaches: &[Reach], place: PlaceIdx) -> Option<i32> {
    reaches.iter().filter_map(|reach| reach.seconds(place)).min()
}
