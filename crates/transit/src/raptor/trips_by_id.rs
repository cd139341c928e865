//! The trips of a service, by their ids and by the scheduled trips whose facts they have.

use trestle_model::ids::TripIdx;

use super::active_service::ActiveService;
use super::live_trip::LiveTrip;
use crate::timetable::Timetable;

impl ActiveService {
    /// The scheduled trip that a run's trip is or replaces; `None` for an added one.
    #[inline(always)]
    pub fn scheduled_trip(&self, trip: TripIdx) -> Option<TripIdx> {
        let Some(live) = trip.0.checked_sub(self.scheduled_trips) else { return Some(trip) };
        match self.live_trips.get(live as usize)? {
            LiveTrip::Replacing(replaced) => Some(*replaced),
            LiveTrip::Added(..) => None,
        }
    }

    /// The scheduled trip that says what is allowed on a trip: itself, or the one that it replaces or copies.
    pub(super) fn facts_of(&self, trip: TripIdx) -> Option<TripIdx> {
        let live =
            trip.0.checked_sub(self.scheduled_trips).and_then(|live| self.live_trips.get(live as usize));
        match live {
            Some(LiveTrip::Added(_, copied)) => *copied,
            _ => self.scheduled_trip(trip),
        }
    }

    /// All trips named `feed:trip`: the scheduled one, those that replace it, and added ones.
    pub fn trips_by_id<'a>(
        &'a self,
        timetable: &Timetable,
        id: &'a str,
    ) -> impl Iterator<Item = TripIdx> + 'a {
        let scheduled = timetable.trip_by_id(id);
        let is_named = move |live: &LiveTrip| match live {
            LiveTrip::Replacing(replaced) => Some(*replaced) == scheduled,
            LiveTrip::Added(own, _) => own == id,
        };
        let live = (self.scheduled_trips..).zip(&self.live_trips);
        scheduled
            .into_iter()
            .chain(live.filter(move |(_, live)| is_named(live)).map(|(trip, _)| TripIdx(trip)))
    }

    /// The trips that travellers take for one and the same as a trip: on other days, live data may replace it or leave it as
    /// it is, or add a trip with its id. Of a trip that runs by frequency, each run is a trip of its own.
    pub(super) fn same_trips(&self, timetable: &Timetable, trip: TripIdx) -> Vec<TripIdx> {
        let own =
            trip.0.checked_sub(self.scheduled_trips).and_then(|live| self.live_trips.get(live as usize));
        let scheduled = self.scheduled_trip(trip);
        if self.live_trips.is_empty() || scheduled.is_some_and(|trip| timetable.trips.runs_by_frequency(trip))
        {
            return vec![trip];
        }
        let is_same = |live: &LiveTrip| match (live, own) {
            (LiveTrip::Replacing(replaced), _) => Some(*replaced) == scheduled,
            (LiveTrip::Added(id, _), Some(LiveTrip::Added(own, _))) => id == own,
            (LiveTrip::Added(..), _) => false,
        };
        let live = (self.scheduled_trips..).zip(&self.live_trips).filter(|(_, live)| is_same(live));
        scheduled.into_iter().chain(live.map(|(trip, _)| TripIdx(trip))).collect()
    }
}
