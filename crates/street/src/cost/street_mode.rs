//! How travellers use the streets.

use trestle_model::{Direction, Mode, RoutingRequest};

/// How a traveller uses the streets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StreetMode {
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

impl StreetMode {
    /// The street mode of a request from its origin (to transit, or all the way).
    pub fn of(request: &RoutingRequest) -> StreetMode {
        if request.car_park {
            StreetMode::ParkCar
        } else if request.kiss_and_ride {
            StreetMode::KissAndRide
        } else if request.bike_park {
            StreetMode::ParkBicycle
        } else if request.bike_rental {
            StreetMode::RentedBicycle
        } else {
            match request.start_mode() {
                Mode::Car => StreetMode::Car,
                Mode::Bicycle => StreetMode::Bicycle,
                _ => StreetMode::Walk,
            }
        }
    }

    /// Whether paths from place to place are searched for only along travel. Against it, a search for passengers of a car
    /// has no potentials and does not know where they get out.
    pub fn is_routed_along_travel_only(self) -> bool {
        self == StreetMode::KissAndRide
    }

    /// The street modes between a place and transit, and between transit and everywhere else. In a backward search,
    /// travel leads to the place.
    pub fn around_transit(self, direction: Direction) -> [StreetMode; 2] {
        let (before, after) = (self, self.after_transit());
        direction.pick([before, after], [after, before])
    }

    /// The street mode from transit to the destination, without the vehicle that was left before transit.
    pub fn after_transit(self) -> StreetMode {
        match self {
            StreetMode::ParkBicycle | StreetMode::ParkCar | StreetMode::KissAndRide => StreetMode::Walk,
            other => other,
        }
    }
}
