//! Places near the start and the destination in each mode.

use trestle_street::search::NearbyStop;

use super::request::ProfileMode;
use super::rides::PlaceIdx;

/// Seconds to a place that was not reached; a sum of a few of them does not overflow.
pub(super) const UNREACHED: i32 = i32::MAX / 8;

/// No stop.
const NONE: u32 = u32::MAX;

/// The places that are near an end of the trip in one mode.
#[derive(Clone, Debug)]
pub(super) struct NearbyPlaces {
    pub(super) mode: ProfileMode,
    /// Least seconds to each place, or [`UNREACHED`].
    pub(super) seconds: Vec<i32>,
    /// The stop to which the streets lead: one of the place, or another one of its station.
    pub(super) stop: Vec<u32>,
}

impl NearbyPlaces {
    /// None of so many places.
    pub(super) fn none(mode: ProfileMode, places: usize) -> Self {
        NearbyPlaces { mode, seconds: vec![UNREACHED; places], stop: vec![NONE; places] }
    }

    /// Notes that the streets lead to a place by a stop if that takes less time than by those before it and its path
    /// counts, which is only asked then.
    pub(super) fn improve(&mut self, place: PlaceIdx, by: &NearbyStop, counts: impl FnOnce() -> bool) {
        let place = place as usize;
        if by.seconds < self.seconds[place] && counts() {
            (self.seconds[place], self.stop[place]) = (by.seconds, by.stop);
        }
    }

    pub(super) fn seconds(&self, place: PlaceIdx) -> Option<i32> {
        self.seconds.get(place as usize).copied().filter(|seconds| *seconds < UNREACHED)
    }

    /// The places, with their seconds.
    pub(super) fn places(&self) -> impl Iterator<Item = (PlaceIdx, i32)> + '_ {
        (0..self.seconds.len() as u32).filter_map(|place| Some((place, self.seconds(place)?)))
    }
}

/// The places that can be reached from the start, and those from which the destination can be reached; one entry per
/// mode.
#[derive(Clone, Debug)]
pub(super) struct Ends {
    pub(super) access: Vec<NearbyPlaces>,
    pub(super) egress: Vec<NearbyPlaces>,
}

/// Least seconds to a place in any mode.
pub(super) fn fastest(nearby: &[NearbyPlaces], place: PlaceIdx) -> Option<i32> {
    nearby.iter().filter_map(|near| near.seconds(place)).min()
}
