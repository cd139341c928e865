//! Calls of added trips. Their times come from live data. A copy of a scheduled trip, and a trip that replaces one at
//! the same stops, also have scheduled times, unless live data gives others.

use trestle_model::ids::{StopIdx, TripIdx};
use trestle_transit::lookup::TripCalls;
use trestle_transit::overlay::{AddedTrip, NO_TIME};
use trestle_transit::timetable::Timetable;

use super::call_time::{CallTime, RealtimeState};

/// An added trip on its day.
pub(super) struct AddedRun<'a> {
    trip: TripIdx,
    added: &'a AddedTrip,
    /// Its calls by the schedule: those of the trip or run that it replaces, if they are at the same stops, or those of
    /// the trip that it copies, at its own start.
    scheduled: Option<TripCalls<'a>>,
    /// Start of its service day, epoch seconds; 0 for times that belong to no day.
    start: i64,
}

impl<'a> AddedRun<'a> {
    pub(super) fn new(timetable: &'a Timetable, trip: TripIdx, added: &'a AddedTrip, start: i64) -> Self {
        let scheduled = added.scheduled_with_same_calls(timetable);
        let scheduled = scheduled.map(|trip| timetable.trip_calls(trip).of_run(added.run));
        AddedRun { trip, added, scheduled, start }
    }

    /// Start of its service day, epoch seconds.
    pub(super) fn start(&self) -> i64 {
        self.start
    }

    /// Earliest departure and latest arrival among the calls that have a time.
    pub(super) fn span(&self) -> (i32, i32) {
        self.added.times.span()
    }

    /// Positions of the calls at a stop; with `omit_non_pickups`, only those where travellers can board.
    pub(super) fn positions_at(&self, stop: StopIdx, omit_non_pickups: bool) -> impl Iterator<Item = usize> {
        let added = self.added;
        let last = added.stops.len() - 1;
        let here = move |position: &usize| added.stops[*position] == stop;
        let boards = move |position: &usize| {
            !omit_non_pickups || (added.pickup.get(*position) != Some(&1) && *position < last)
        };
        (0..=last).filter(here).filter(boards)
    }

    pub(super) fn calls(&self) -> Vec<CallTime> {
        (0..self.added.stops.len()).map(|position| self.call(position)).collect()
    }

    pub(super) fn call(&self, position: usize) -> CallTime {
        let passing = self.added.times.at(position);
        let live = if self.added.passes(position) { (NO_TIME, NO_TIME) } else { passing };
        let scheduled = self.scheduled.filter(|calls| position < calls.count());
        let scheduled = scheduled.map(|calls| (calls.arrival(position), calls.departure(position)));
        let scheduled = self.added.planned_at(position).or(scheduled).unwrap_or(passing);
        let sequence = self.scheduled.and_then(|calls| calls.sequences.get(position).copied());
        let given = self.added.sequences.get(position).copied();
        let timepoint = self.scheduled.and_then(|calls| calls.timepoints.get(position).copied());
        CallTime {
            trip: self.trip,
            stop: self.added.stops[position],
            position: position as u32,
            calls: self.added.stops.len() as u32,
            scheduled_arrival: scheduled.0,
            scheduled_departure: scheduled.1,
            realtime_arrival: live.0,
            realtime_departure: live.1,
            timepoint: timepoint.is_none_or(|timepoint| timepoint == 1),
            state: match self.added.replaces {
                Some(_) => RealtimeState::Modified,
                None => RealtimeState::Added,
            },
            service_day: self.start,
            sequence: sequence.or(given).unwrap_or(position as u32),
        }
    }
}
