//! Copies of scheduled trips, which run in addition.

use super::model::{Call, Model, Trip, Update, seconds_of};

/// The id of the copy of a trip; a message has one a day.
pub(crate) fn id_of_copy(trip: &str) -> String {
    format!("copy-{trip}")
}

impl Model {
    /// The copy that an update makes of a trip; `None` without a start, and when its calls cannot be applied.
    pub(super) fn copy(&self, trip: &Trip, update: &Update) -> Option<Trip> {
        let start = seconds_of(update.start_time.as_deref()?);
        let mut calls = started_at(&trip.calls, start);
        if !update.calls.is_empty() || update.delay.is_some() {
            calls = self.live_calls(&calls, update)?;
        }
        let days = [0, 1, 2].map(|day| day == update.day);
        Some(Trip { id: id_of_copy(&trip.id), days, calls, rows: Vec::new(), ..trip.clone() })
    }
}

/// The calls of a run that departs at `start`.
pub(super) fn started_at(calls: &[Call], start: i32) -> Vec<Call> {
    let shift = start - calls[0].departure;
    let moved = |call: &Call| Call {
        arrival: call.arrival + shift,
        departure: call.departure + shift,
        ..call.clone()
    };
    calls.iter().map(moved).collect()
}
