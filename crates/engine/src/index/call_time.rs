//! A call of a trip, by the schedule and by live data.

use trestle_model::ids::{StopIdx, TripIdx};

/// How live data changed a trip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum RealtimeState {
    Scheduled,
    Updated,
    Canceled,
    Added,
    Modified,
}

/// One call of a trip. Seconds count from the start of the service day; −1 where live data has removed the time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallTime {
    /// Trip.
    pub trip: TripIdx,
    /// Stop.
    pub stop: StopIdx,
    /// Position in the pattern.
    pub position: u32,
    /// Calls of the pattern.
    pub calls: u32,
    /// Scheduled arrival.
    pub scheduled_arrival: i32,
    /// Scheduled departure.
    pub scheduled_departure: i32,
    /// Arrival by live data.
    pub realtime_arrival: i32,
    /// Departure by live data.
    pub realtime_departure: i32,
    /// Whether the feed says that the time is exact.
    pub timepoint: bool,
    /// How live data changed the trip.
    pub state: RealtimeState,
    /// Start of the service day, epoch seconds; 0 for calls that belong to no day.
    pub service_day: i64,
    /// stop_sequence.
    pub sequence: u32,
}
