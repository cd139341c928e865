//! Transit paths as a search finds them: trips and calls, without names.

use trestle_model::ServiceDate;
use trestle_model::ids::{StopIdx, TripIdx};

/// A ride on one trip from boarding to alighting.
#[derive(Clone, PartialEq, Debug)]
pub struct Ride {
    /// Trip. Trips added by real-time data have indices from the number of scheduled trips upwards (see the overlay).
    pub trip: TripIdx,
    /// Service day it belongs to.
    pub service_date: ServiceDate,
    /// Seconds since 1970 of that service day's start ("noon minus 12 h" in the agency's zone).
    pub service_day_start: i64,
    /// Position of the boarding call in the pattern.
    pub board_position: u32,
    pub alight_position: u32,
    /// Departure at boarding, epoch seconds (real-time if there is any).
    pub board_time: i64,
    /// Arrival at alighting, epoch seconds.
    pub alight_time: i64,
    /// The rider stayed seated from the ride before (same block).
    pub interlined: bool,
    /// Seconds to add to the trip's times for this run (frequency trips), 0 otherwise.
    pub frequency_shift: i32,
    /// Headway of a non-exact frequency run.
    pub headway: Option<i32>,
}

/// A walk (or a pathway) from the alighting of one ride to the boarding of the next.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TransferWalk {
    pub from_stop: StopIdx,
    pub to_stop: StopIdx,
    /// Metres.
    pub meters: f64,
    pub seconds: i32,
    /// A pathway of the station.
    pub pathway: bool,
    /// A straight line that does not follow streets.
    pub straight: bool,
}

/// A path through the transit layer, with the access and egress it uses.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TransitPath {
    /// Index into the request's access list; `None` when the search started on board a vehicle.
    pub access: Option<usize>,
    /// Index into the request's egress list.
    pub egress: usize,
    /// Rides in travel order; never empty.
    pub rides: Vec<Ride>,
    /// `transfers[i]` is the walk before `rides[i + 1]`; `None` at one stop or when interlined.
    pub transfers: Vec<Option<TransferWalk>>,
    /// Departure from the place, epoch seconds, after a wait was moved to the start of the path.
    pub departure: i64,
    /// Arrival at the place, epoch seconds.
    pub arrival: i64,
    /// Generalized cost including access, egress and the initial wait from the requested time.
    pub weight: f64,
}
