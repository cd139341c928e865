//! Live data of legs.

use trestle_engine::realtime::StationFacts;
use trestle_model::ids::EdgeIdx;
use trestle_model::itinerary::Alert;
use trestle_transit::overlay::AddedTrip;
use trestle_transit::path::Ride;

/// Live times of the trip of a ride, seconds after the start of its service day; `None` for calls without live data.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LiveRide {
    /// Arrival at each call.
    pub arrivals: Vec<Option<i32>>,
    /// Departure from each call.
    pub departures: Vec<Option<i32>>,
    /// Set for a trip that is not in the schedule, or that replaces a scheduled one and has its own calls.
    pub added: Option<AddedTrip>,
}

/// Live data about the parts of an itinerary; none by default.
pub trait LegFacts {
    /// Live times of the ride's trip.
    fn live_ride(&self, _ride: &Ride) -> Option<LiveRide> {
        None
    }

    /// Alerts of a ride that are in force, for a trip plan that starts at `plan_start` (epoch seconds).
    fn alerts(&self, _ride: &Ride, _plan_start: i64, _locale: &str) -> Vec<Alert> {
        Vec::new()
    }

    /// Alerts about a street, for all modes.
    fn street_alerts(&self, _edge: EdgeIdx) -> Vec<Alert> {
        Vec::new()
    }

    /// A station by its position among the stations of the street search.
    fn rental_station(&self, _station: u32) -> Option<StationFacts> {
        None
    }
}

/// No live data, only the schedule.
#[derive(Clone, Copy, Debug, Default)]
pub struct Schedule;

impl LegFacts for Schedule {}
