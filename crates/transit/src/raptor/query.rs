//! The queries of transit searches.

use trestle_model::ids::{StopIdx, TripIdx};
use trestle_model::{RoutingRequest, ServiceDate};

/// A street path between a place and a stop, in any mode.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Endpoint {
    pub stop: StopIdx,
    pub seconds: i32,
    pub cost: f64,
}

/// A start inside a running vehicle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OnBoardStart {
    pub trip: TripIdx,
    pub service_date: ServiceDate,
    /// Seconds added to the trip's scheduled times for the run of a frequency trip, 0 for other trips.
    pub run_shift: i32,
    /// Pattern position of the last call passed or stood at; the rider can alight at the next one.
    pub position: u32,
    /// Seconds added to the run's times so that the vehicle is at the start at the requested time.
    pub shift: i32,
}

/// A path on streets only.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StreetAlternative {
    /// Arrival (backward: departure), epoch seconds.
    pub epoch: i64,
    pub cost: f64,
}

/// A search for transit paths between two sets of stops.
#[derive(Clone, Copy)]
pub struct TransitQuery<'a> {
    /// Time, direction, costs, slacks, filters and the number of itineraries.
    pub request: &'a RoutingRequest,
    /// Access: stops near the start.
    pub access: &'a [Endpoint],
    /// Egress: stops near the destination.
    pub egress: &'a [Endpoint],
    /// A path on streets only, which paths that are chosen for their speed must beat.
    pub on_streets: Option<StreetAlternative>,
    /// Start inside a vehicle, instead of `access`. Not in backward searches.
    pub on_board: Option<OnBoardStart>,
    /// Whether a search for an itinerary must stop now, by the number of the search from 0.
    pub interrupted: &'a dyn Fn(usize) -> bool,
}

/// A search from a place at the request's time to every stop, or (backward) from every stop to the place by that time.
#[derive(Clone, Copy)]
pub struct OneToAllQuery<'a> {
    /// Time, direction, costs, slacks, filters and `max_transfers`.
    pub request: &'a RoutingRequest,
    /// Stops near the place, with the time and cost of getting there (backward: from there).
    pub near: &'a [Endpoint],
    /// Longest time of interest, seconds.
    pub max_seconds: i32,
    /// Whether the search must stop now.
    pub interrupted: &'a dyn Fn() -> bool,
}

/// A walk on the streets from a stop where a vehicle was left to one where another can be entered (backward:
/// against travel).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StreetWalk {
    /// Where it starts.
    pub from: StopIdx,
    /// Where it ends.
    pub to: StopIdx,
    pub seconds: i32,
    pub cost: f64,
}

/// Departures (backward: arrivals) from the request's time on.
#[derive(Clone, Copy, Debug)]
pub struct Departures {
    /// Seconds between them, at least 1.
    pub step: i32,
    /// How many.
    pub count: usize,
}

impl Departures {
    /// One, at the request's time.
    pub const ONE: Departures = Departures { step: 1, count: 1 };
}
