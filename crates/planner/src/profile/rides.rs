//! Rides between places.

use super::statistics::{Arrival, Stats};

/// A stop cluster, or a stop without cluster; the numbers of these stops follow those of the clusters.
pub(super) type PlaceIdx = u32;

/// A boarding and an alighting call of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hop {
    pub(super) pattern: u32,
    pub(super) board: u32,
    pub(super) alight: u32,
}

/// No ride before.
pub(super) const FIRST: u32 = u32::MAX;

/// A pattern that a ride may use and how many of its trips are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct UsedPattern {
    pub(super) hop: Hop,
    pub(super) trips: u32,
}

/// A ride between two places with the first vehicle that comes.
#[derive(Clone, Debug)]
pub(super) struct PlaceRide {
    /// The ride before, or [`FIRST`].
    pub(super) previous: u32,
    /// Number of rides up to and including this one.
    pub(super) number: usize,
    /// Place where the first ride of the trip starts.
    pub(super) origin: PlaceIdx,
    /// Place where this ride starts.
    pub(super) from: PlaceIdx,
    /// Place where it ends.
    pub(super) to: PlaceIdx,
    /// Seconds and metres of the walk from the end of the ride before.
    pub(super) walk: (i32, f64),
    /// Patterns used, most trips first.
    pub(super) patterns: Vec<UsedPattern>,
    /// Seconds from reaching the stop to departing.
    pub(super) wait: Stats,
    /// Seconds in the vehicle.
    pub(super) ride: Stats,
    /// Seconds from reaching the first stop of the trip to alighting.
    pub(super) total: Stats,
    /// Arrivals of the vehicles used, sorted.
    pub(super) arrivals: Vec<Arrival>,
    /// Access modes for which the ride is worthwhile, as bits.
    pub(super) modes: u32,
    /// Hash of the routes of this ride and of those before it.
    pub(super) routes: u64,
    /// Departure and arrival of a vehicle used, for its price.
    pub(super) sample: (i32, i32),
}

/// The rides that were found.
#[derive(Clone, Debug, Default)]
pub(super) struct PlaceRides {
    pub(super) all: Vec<PlaceRide>,
    /// Rides from whose end the destination can be reached.
    pub(super) last: Vec<u32>,
}

impl PlaceRides {
    /// A ride and those before it, last ride first.
    fn back_from(&self, last: u32) -> impl Iterator<Item = &PlaceRide> {
        // [`FIRST`] is not the index of a ride.
        let ride = |index: u32| self.all.get(index as usize);
        std::iter::successors(ride(last), move |after| ride(after.previous))
    }

    /// A ride and those before it, in travel order.
    pub(super) fn chain(&self, last: u32) -> Vec<&PlaceRide> {
        let mut chain: Vec<&PlaceRide> = self.back_from(last).collect();
        chain.reverse();
        chain
    }

    /// Whether a ride or one before it starts or ends at a place.
    pub(super) fn visits(&self, last: u32, place: PlaceIdx) -> bool {
        self.back_from(last).any(|ride| ride.from == place || ride.to == place)
    }
}
