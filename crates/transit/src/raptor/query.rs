//! What a transit search is asked, and the means to stop it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use trestle_model::ids::{StopIdx, TripIdx};
use trestle_model::{RoutingRequest, ServiceDate};

/// A way between a place and a stop, on foot or otherwise.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Endpoint {
    /// Stop.
    pub stop: StopIdx,
    /// Seconds between place and stop.
    pub seconds: i32,
    /// Generalized cost of it.
    pub cost: f64,
}

/// A start inside a running vehicle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OnBoardStart {
    /// Trip.
    pub trip: TripIdx,
    /// Service day.
    pub service_date: ServiceDate,
    /// Seconds added to the trip's scheduled times: which run of a frequency trip it is, 0 for other trips.
    pub run_shift: i32,
    /// Pattern position of the last call passed (or stood at); the rider can alight from the next one on.
    pub position: u32,
    /// Seconds added to the trip's times, for a start at a time at which the vehicle is not really there.
    pub shift: i32,
}

/// A way on streets alone.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StreetRival {
    /// Its arrival (with `arrive_by` its departure), epoch seconds.
    pub epoch: i64,
    /// Its generalized cost.
    pub cost: f64,
}

/// When a search must give up.
#[derive(Clone, Copy, Debug, Default)]
pub struct StopSignal<'a> {
    /// Deadline of the first, second, … search for an itinerary; the last one repeats; empty: none.
    pub deadlines: &'a [Instant],
    /// Set by whoever no longer wants the answer.
    pub cancelled: Option<&'a AtomicBool>,
}

impl StopSignal<'_> {
    /// Whether the `search`-th search (from 0) must stop now.
    pub fn is_set(&self, search: usize) -> bool {
        let deadline = self.deadlines.get(search).or(self.deadlines.last());
        self.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed))
            || deadline.is_some_and(|deadline| Instant::now() >= *deadline)
    }
}

/// A search for transit paths between two sets of stops.
#[derive(Clone, Copy, Debug)]
pub struct TransitQuery<'a> {
    /// Time, direction, costs, slacks, filters and the number of itineraries.
    pub request: &'a RoutingRequest,
    /// Ways from the start to stops.
    pub access: &'a [Endpoint],
    /// Ways from stops to the destination.
    pub egress: &'a [Endpoint],
    /// The traveller takes a bike of their own on board.
    pub bike_aboard: bool,
    /// A way on streets alone that competes with the paths.
    pub beside: Option<StreetRival>,
    /// Start inside a vehicle; then `access` is not used. Not with `arrive_by`.
    pub on_board: Option<OnBoardStart>,
    /// When to give up.
    pub stop: StopSignal<'a>,
}
