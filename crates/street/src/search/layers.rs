//! Layers of the street graph: one for each vehicle that the traveller may have. Labels of different layers never
//! dominate each other.

use trestle_model::Direction;

use super::label::Event;
use super::places::LinkedBikeStations;
use crate::cost::{Effort, StreetCosts, StreetMode, TraverseMode};

/// The layers of a street mode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layers {
    pub(super) street_mode: StreetMode,
    pub(super) count: u32,
}

/// The only layer of most street modes, and the one before a vehicle is taken, parked or left.
pub(super) const FIRST_LAYER: u32 = 0;
/// Layer after parking or getting out.
pub(super) const PARKED_LAYER: u32 = 1;

impl Layers {
    pub(super) fn of(street_mode: StreetMode, stations: Option<&LinkedBikeStations>) -> Layers {
        let count = match street_mode {
            StreetMode::Walk | StreetMode::Bicycle | StreetMode::Car => 1,
            StreetMode::RentedBicycle => 1 + stations.map_or(0, |s| s.network_sets().len() as u32),
            StreetMode::ParkBicycle | StreetMode::ParkCar | StreetMode::KissAndRide => 2,
        };
        Layers { street_mode, count }
    }

    /// Layer in which the travel starts and layer in which it has to end.
    fn ends(self) -> (u32, u32) {
        match self.street_mode {
            StreetMode::ParkBicycle | StreetMode::ParkCar | StreetMode::KissAndRide => {
                (FIRST_LAYER, PARKED_LAYER)
            }
            _ => (FIRST_LAYER, FIRST_LAYER),
        }
    }

    /// Layer in which the search starts.
    pub(super) fn start(self, direction: Direction) -> u32 {
        let (first, last) = self.ends();
        direction.pick(first, last)
    }

    /// Layer in which the search has to end.
    pub(super) fn end(self, direction: Direction) -> u32 {
        self.start(direction.opposite())
    }

    /// The traveller's vehicle in a layer.
    #[inline(always)]
    pub(super) fn mode(self, layer: u32) -> TraverseMode {
        match (self.street_mode, layer) {
            (StreetMode::Walk, _) => TraverseMode::Foot,
            (StreetMode::Bicycle, _) | (StreetMode::ParkBicycle, FIRST_LAYER) => TraverseMode::Bicycle,
            (StreetMode::Car, _) | (StreetMode::ParkCar | StreetMode::KissAndRide, FIRST_LAYER) => {
                TraverseMode::Car
            }
            (StreetMode::RentedBicycle, layer) if layer != FIRST_LAYER => TraverseMode::Bicycle,
            _ => TraverseMode::Foot,
        }
    }

    /// Whether a stop may be entered (backward: left) in a layer: not on a rented bike, not before the
    /// bike is parked, not driving (except to get out).
    pub(super) fn reaches_stops(self, layer: u32) -> bool {
        match self.street_mode {
            StreetMode::Walk | StreetMode::Bicycle | StreetMode::KissAndRide => true,
            StreetMode::Car => false,
            StreetMode::RentedBicycle => layer == FIRST_LAYER,
            StreetMode::ParkBicycle | StreetMode::ParkCar => layer == PARKED_LAYER,
        }
    }

    /// The layer on the other side of parking, in the direction of the search.
    pub(super) fn after_parking(self, layer: u32, direction: Direction) -> Option<u32> {
        let parks = matches!(self.street_mode, StreetMode::ParkBicycle | StreetMode::ParkCar);
        (parks && layer == self.start(direction)).then(|| self.end(direction))
    }
}

/// The street modes whose costs the layers of a street mode have; `None` where searches have no potentials.
pub(super) fn street_modes(street_mode: StreetMode, direction: Direction) -> Option<[StreetMode; 2]> {
    match street_mode {
        StreetMode::Walk | StreetMode::Bicycle | StreetMode::Car => Some([street_mode; 2]),
        StreetMode::ParkCar => Some([StreetMode::Car, StreetMode::Walk]),
        // Walking counts in the first layer too: travellers get out wherever cars are not permitted, not at a few places.
        StreetMode::KissAndRide => direction.pick(Some([street_mode, StreetMode::Walk]), None),
        StreetMode::RentedBicycle | StreetMode::ParkBicycle => None,
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
