//! Live facts of one snapshot for the narrative of an itinerary.

use trestle_model::RoutingRequest;
use trestle_model::ids::TripIdx;
use trestle_transit::overlay::{AddedTrip, LiveTimes, NO_TIME, Overlay, TripState};
use trestle_transit::path::Ride;

use crate::itinerary::{AddedRide, LegFacts, LiveRide};
use crate::snapshot::Snapshot;

/// Live facts as one request sees them.
pub struct LiveFacts<'a> {
    overlay: Option<&'a Overlay>,
    scheduled_trips: usize,
}

impl<'a> LiveFacts<'a> {
    /// The facts of a snapshot; none when the request wants the schedule alone.
    pub fn new(snapshot: &'a Snapshot, request: &RoutingRequest) -> Self {
        let overlay = snapshot.overlay.as_deref().filter(|_| !request.ignore_realtime);
        LiveFacts { overlay, scheduled_trips: snapshot.graph.timetable.trips.id.len() }
    }

    fn added(&self, trip: TripIdx) -> Option<&'a AddedTrip> {
        self.overlay?.added.get(trip.index().checked_sub(self.scheduled_trips)?)
    }
}

impl LegFacts for LiveFacts<'_> {
    fn live_ride(&self, ride: &Ride) -> Option<LiveRide> {
        if let Some(trip) = self.added(ride.trip) {
            return Some(LiveRide { added: Some(added_ride(trip)), ..known(&trip.times) });
        }
        match self.overlay?.state(ride.trip, ride.service_date)? {
            TripState::Updated(times) => Some(known(times)),
            TripState::Canceled | TripState::Modified => None,
        }
    }
}

fn known(times: &LiveTimes) -> LiveRide {
    let known = |times: &[i32]| times.iter().map(|t| (*t != NO_TIME).then_some(*t)).collect();
    LiveRide { arrivals: known(&times.arrivals), departures: known(&times.departures), added: None }
}

fn added_ride(trip: &AddedTrip) -> AddedRide {
    AddedRide {
        trip_id: trip.id.clone(),
        route: trip.route,
        stops: trip.stops.clone(),
        pickup: trip.pickup.clone(),
        dropoff: trip.dropoff.clone(),
        headsign: trip.headsign.clone(),
    }
}
