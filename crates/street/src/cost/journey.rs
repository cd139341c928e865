//! Kinds of street journeys.

use trestle_model::{Mode, RoutingRequest};

/// How a traveller uses the streets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Journey {
    /// On foot.
    Walk,
    /// On a private bike, walking it where riding is not permitted.
    Bicycle,
    /// Driving.
    Car,
    /// On foot and on bikes of rental stations.
    RentedBicycle,
    /// Own bike to a bike park, then on foot.
    ParkBicycle,
    /// Car to a park-and-ride lot, then on foot.
    ParkCar,
    /// Dropped off by car, then on foot.
    KissAndRide,
}

impl Journey {
    /// The journey of a request from its origin (to transit, or all the way).
    pub fn of(request: &RoutingRequest) -> Journey {
        if request.car_park {
            Journey::ParkCar
        } else if request.kiss_and_ride {
            Journey::KissAndRide
        } else if request.bike_park {
            Journey::ParkBicycle
        } else if request.bike_rental {
            Journey::RentedBicycle
        } else {
            match request.start_mode() {
                Mode::Car => Journey::Car,
                Mode::Bicycle => Journey::Bicycle,
                _ => Journey::Walk,
            }
        }
    }

    /// Whether a search finds nothing without transit. Against travel, passengers of a car are dropped off only on the way
    /// to transit, as in the interface's reference.
    pub fn needs_transit(self, backward: bool) -> bool {
        backward && self == Journey::KissAndRide
    }

    /// The journeys between a place and transit, and between transit and everywhere else. With `arrive_by`, travel leads
    /// to the place.
    pub fn around_transit(self, arrive_by: bool) -> [Journey; 2] {
        let (before, after) = (self, self.after_transit());
        if arrive_by { [after, before] } else { [before, after] }
    }

    /// The journey from transit to the destination, without the vehicle that was left before transit.
    pub fn after_transit(self) -> Journey {
        match self {
            Journey::ParkBicycle | Journey::ParkCar | Journey::KissAndRide => Journey::Walk,
            other => other,
        }
    }
}
