//! Lanes: copies of the graph for what the traveller has along. States of different lanes never dominate each other.

use super::label::Event;
use super::places::RentalStations;
use crate::cost::{Effort, Journey, Ride, StreetCosts};

/// The lanes of a journey.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    pub(super) journey: Journey,
    pub(super) count: u32,
}

/// Lane of journeys with one lane, and before anything was taken, parked or left.
pub(super) const FIRST_LANE: u32 = 0;
/// Lane after parking or getting out.
pub(super) const PARKED_LANE: u32 = 1;

impl Lanes {
    pub(super) fn of(journey: Journey, stations: Option<&RentalStations>) -> Lanes {
        let count = match journey {
            Journey::Walk | Journey::Bicycle | Journey::Car => 1,
            Journey::RentedBicycle => 1 + stations.map_or(0, |s| s.network_sets().len() as u32),
            Journey::ParkBicycle | Journey::ParkCar | Journey::KissAndRide => 2,
        };
        Lanes { journey, count }
    }

    /// Lane in which the travel starts and lane in which it has to end.
    fn ends(self) -> (u32, u32) {
        match self.journey {
            Journey::ParkBicycle | Journey::ParkCar | Journey::KissAndRide => (FIRST_LANE, PARKED_LANE),
            _ => (FIRST_LANE, FIRST_LANE),
        }
    }

    /// Lane in which the search starts.
    pub(super) fn start(self, backward: bool) -> u32 {
        if backward { self.ends().1 } else { self.ends().0 }
    }

    /// Lane in which the search has to end.
    pub(super) fn end(self, backward: bool) -> u32 {
        self.start(!backward)
    }

    /// What the traveller moves with in a lane.
    #[inline(always)]
    pub(super) fn ride(self, lane: u32) -> Ride {
        match (self.journey, lane) {
            (Journey::Walk, _) => Ride::Foot,
            (Journey::Bicycle, _) | (Journey::ParkBicycle, FIRST_LANE) => Ride::Bicycle,
            (Journey::Car, _) | (Journey::ParkCar | Journey::KissAndRide, FIRST_LANE) => Ride::Car,
            (Journey::RentedBicycle, lane) if lane != FIRST_LANE => Ride::Bicycle,
            _ => Ride::Foot,
        }
    }

    /// Whether a stop may be entered (left, in backward searches) in a lane: not on a rented bike, not before the
    /// bike is parked, not driving (except to get out).
    pub(super) fn reaches_stops(self, lane: u32) -> bool {
        match self.journey {
            Journey::Walk | Journey::Bicycle | Journey::KissAndRide => true,
            Journey::Car => false,
            Journey::RentedBicycle => lane == FIRST_LANE,
            Journey::ParkBicycle | Journey::ParkCar => lane == PARKED_LANE,
        }
    }

    /// The lane on the other side of parking, in the direction of the search.
    pub(super) fn after_parking(self, lane: u32, backward: bool) -> Option<u32> {
        let parks = matches!(self.journey, Journey::ParkBicycle | Journey::ParkCar);
        (parks && lane == self.start(backward)).then(|| self.end(backward))
    }
}

/// Seconds and cost of an event.
pub(super) fn event_effort(costs: &StreetCosts, event: Event) -> Effort {
    let (seconds, weight) = match event {
        Event::RentalPickup => costs.rental_pickup,
        Event::RentalDropoff => costs.rental_dropoff,
        Event::BikePark => costs.bike_park,
        Event::Start | Event::Link => (0, 0.0),
    };
    Effort { seconds, weight, walk: 0.0 }
}
