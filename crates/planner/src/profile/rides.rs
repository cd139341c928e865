//! Rides between stop clusters, with any vehicle of several patterns.

use super::statistics::{Arrival, Stats};

/// A stop cluster. A stop without one is a cluster of its own, with a number after those of the others.
pub(super) type ClusterIdx = u32;

/// A ride with a pattern, from a boarding to an alighting call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PatternRide {
    pub(super) pattern: u32,
    pub(super) board: u32,
    pub(super) alight: u32,
}

/// No ride before.
pub(super) const FIRST: u32 = u32::MAX;

/// A pattern that a ride may use and how many of its trips are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct UsedPattern {
    pub(super) ride: PatternRide,
    pub(super) trips: u32,
}

/// A choice of rides between two clusters, of which a traveller takes the one whose vehicle comes first.
#[derive(Clone, Debug)]
pub(super) struct RideChoice {
    /// The choice before, or [`FIRST`].
    pub(super) previous: u32,
    /// Number of rides up to and including this one.
    pub(super) number: usize,
    /// Cluster where the first ride of the trip starts.
    pub(super) origin: ClusterIdx,
    /// Cluster where this ride starts.
    pub(super) from: ClusterIdx,
    /// Cluster where it ends.
    pub(super) to: ClusterIdx,
    /// Seconds and metres of the walk from the end of the ride before.
    pub(super) walk: (i32, f64),
    /// Patterns used, most trips first.
    pub(super) patterns: Vec<UsedPattern>,
    /// Seconds from reaching the stop to departing.
    pub(super) wait: Stats,
    /// Seconds in the vehicle.
    pub(super) riding: Stats,
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

/// The choices of rides that were found.
#[derive(Clone, Debug, Default)]
pub(super) struct RideChoices {
    pub(super) all: Vec<RideChoice>,
    /// Choices from whose end the destination can be reached.
    pub(super) last: Vec<u32>,
}

impl RideChoices {
    /// A choice and those before it, the last one first.
    fn back_from(&self, last: u32) -> impl Iterator<Item = &RideChoice> {
        // [`FIRST`] is not the index of a choice.
        let choice = |index: u32| self.all.get(index as usize);
        std::iter::successors(choice(last), move |after| choice(after.previous))
    }

    /// A choice and those before it, in travel order.
    pub(super) fn chain(&self, last: u32) -> Vec<&RideChoice> {
        let mut chain: Vec<&RideChoice> = self.back_from(last).collect();
        chain.reverse();
        chain
    }

    /// Whether a choice or one before it starts or ends at a cluster.
    pub(super) fn visits(&self, last: u32, cluster: ClusterIdx) -> bool {
        self.back_from(last).any(|ride| ride.from == cluster || ride.to == cluster)
    }
}
