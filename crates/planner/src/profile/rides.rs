//! Rides between places, as the search makes and the selection reads them.

use super::statistics::{Arrival, Stats};

/// A stop cluster, or a stop that belongs to none; places of stops follow those of clusters.
pub(super) type PlaceIdx = u32;

/// A ride along a pattern.
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

/// A ride between two places by whichever vehicle comes first.
#[derive(Clone, Debug)]
pub(super) struct Ride {
    /// The ride before, or [`FIRST`].
    pub(super) previous: u32,
    /// Rides up to and with this one.
    pub(super) number: usize,
    /// Place at which the first ride of all boards.
    pub(super) origin: PlaceIdx,
    /// Place boarded at.
    pub(super) from: PlaceIdx,
    /// Place alighted at.
    pub(super) to: PlaceIdx,
    /// Seconds and metres walked from the place where the ride before ended.
    pub(super) walk: (i32, f64),
    /// Patterns used, most trips first.
    pub(super) patterns: Vec<UsedPattern>,
    /// From being at the stop to departing.
    pub(super) wait: Stats,
    /// In the vehicle.
    pub(super) ride: Stats,
    /// From being at the first stop to alighting.
    pub(super) total: Stats,
    /// When vehicles used arrive, sorted: times of the window.
    pub(super) arrivals: Vec<Arrival>,
    /// Access modes with which the ride is worth while, as bits.
    pub(super) modes: u32,
    /// Stands for the routes of this ride and of those before it: equal for equal routes.
    pub(super) routes: u64,
    /// A vehicle used: departure and arrival, for its price.
    pub(super) sample: (i32, i32),
}

/// All rides that were worth a look.
#[derive(Clone, Debug, Default)]
pub(super) struct Rides {
    pub(super) all: Vec<Ride>,
    /// Those that end where the destination can be reached.
    pub(super) last: Vec<u32>,
}

impl Rides {
    /// A ride with those before it, in travel order.
    pub(super) fn chain(&self, last: u32) -> Vec<&Ride> {
        let mut chain = Vec::new();
        let mut next = last;
        while next != FIRST {
            let ride = &self.all[next as usize];
            chain.push(ride);
            next = ride.previous;
        }
        chain.reverse();
        chain
    }

    /// Whether a ride, or one before it, begins or ends at a place.
    pub(super) fn visits(&self, last: u32, place: PlaceIdx) -> bool {
        let mut next = last;
        while next != FIRST {
            let ride = &self.all[next as usize];
            if ride.from == place || ride.to == place {
                return true;
            }
            next = ride.previous;
        }
        false
    }
}
