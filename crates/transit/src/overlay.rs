//! Live timetable data laid over the schedule: what a search sees besides the built columns.

use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;
use trestle_model::ServiceDate;
use trestle_model::ids::{RouteIdx, StopIdx, TripIdx};

/// Time of a call that live data says nothing about (before the first updated call of a trip).
/// Such a call can be neither boarded nor alighted at.
pub const NO_TIME: i32 = -1;

/// Times of one trip on one service day, one entry per call, seconds after the service day's start.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LiveTimes {
    /// Arrival at each call, or [`NO_TIME`].
    pub arrivals: Vec<i32>,
    /// Departure from each call, or [`NO_TIME`].
    pub departures: Vec<i32>,
}

/// What live data says about a scheduled trip on one service day.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TripState {
    /// Runs with these times (as many calls as its pattern has).
    Updated(LiveTimes),
    /// Does not run.
    Canceled,
    /// Runs over other stops: see the [`AddedTrip`] that replaces it.
    Modified,
}

/// A trip that runs on one service day over a sequence of calls of its own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AddedTrip {
    /// Trip id (without the feed).
    pub id: String,
    /// Route it belongs to.
    pub route: RouteIdx,
    /// direction_id, −1 when unknown.
    pub direction: i32,
    /// The only day it runs.
    pub service_date: ServiceDate,
    /// The scheduled trip it replaces, when it is a modified one.
    pub replaces: Option<TripIdx>,
    /// Stop of each call; at least two.
    pub stops: Vec<StopIdx>,
    /// pickup_type of each call.
    pub pickup: Vec<u8>,
    /// drop_off_type of each call.
    pub dropoff: Vec<u8>,
    /// Times of each call.
    pub times: LiveTimes,
    /// Headsign, when known.
    pub headsign: Option<String>,
}

/// One state of live data. Immutable once made; a newer state is a new overlay with a new version.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overlay {
    /// Another one for every state; part of the key under which compiled service windows are kept.
    pub version: u64,
    /// Scheduled trips that live data knows.
    pub scheduled: FxHashMap<(TripIdx, ServiceDate), TripState>,
    /// Added and modified trips. Trip `number of scheduled trips + i` of a path is `added[i]`, and its pattern is
    /// `number of scheduled patterns + i`.
    pub added: Vec<AddedTrip>,
}

impl Overlay {
    /// The same state to be changed, with a version that no overlay had before: also one that follows on none, as when
    /// old data was dropped, must not be taken for an earlier one.
    pub fn successor(&self) -> Overlay {
        static VERSIONS: AtomicU64 = AtomicU64::new(1);
        Overlay { version: VERSIONS.fetch_add(1, Ordering::Relaxed), ..self.clone() }
    }

    /// What live data says about a scheduled trip on `date`; `None` when it runs as scheduled.
    pub fn state(&self, trip: TripIdx, date: ServiceDate) -> Option<&TripState> {
        self.scheduled.get(&(trip, date))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_that_follow_on_none_differ_from_all_before() {
        let first = Overlay::default().successor();
        let (next, again) = (first.successor(), Overlay::default().successor());
        assert!(first.version != 0 && next.version != first.version);
        assert!(again.version != first.version && again.version != next.version);
    }
}
