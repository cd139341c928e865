//! Calls of trips, by the schedule and by live data.

use trestle_model::ids::{PatternIdx, StopIdx, TripIdx};
use trestle_transit::overlay::NO_TIME;

/// How live data changed a trip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    pub trip: TripIdx,
    pub stop: StopIdx,
    /// Position in the pattern.
    pub position: u32,
    /// Calls of the pattern.
    pub calls: u32,
    pub scheduled_arrival: i32,
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

impl CallTime {
    pub(super) fn epoch_departure(&self) -> i64 {
        self.service_day + i64::from(self.realtime_departure)
    }

    /// Whether the vehicle departs at or after a time, seconds after the start of the service day.
    pub(super) fn departs_at_or_after(&self, from: i64) -> bool {
        self.realtime_departure != NO_TIME && i64::from(self.realtime_departure) >= from
    }
}

/// The calls of one pattern at a stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternCalls {
    pub pattern: PatternIdx,
    pub calls: Vec<CallTime>,
}
