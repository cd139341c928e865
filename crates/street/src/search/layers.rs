//! Layers of the street graph: one for each vehicle that the traveller may have. Labels of different layers never
//! dominate each other.

use super::label::Event;
use super::places::RentalStations;
use crate::cost::{Effort, Journey, StreetCosts, TraverseMode};

/// The layers of a journey.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layers {
    pub(super) journey: Journey,
    pub(super) count: u32,
}

/// The only layer of most journeys, and the one before a vehicle is taken, parked or left.
pub(super) const FIRST_LAYER: u32 = 0;
/// Layer after parking or getting out.
pub(super) const PARKED_LAYER: u32 = 1;

impl Layers {
    pub(super) fn of(journey: Journey, stations: Option<&RentalStations>) -> Layers {
        let count = match journey {
            Journey::Walk | Journey::Bicycle | Journey::Car => 1,
            Journey::RentedBicycle => 1 + stations.map_or(0, |s| s.network_sets().len() as u32),
            Journey::ParkBicycle | Journey::ParkCar | Journey::KissAndRide => 2,
        };
        Layers { journey, count }
    }

    /// Layer in which the travel starts and layer in which it has to end.
    fn ends(self) -> (u32, u32) {
        match self.journey {
            Journey::ParkBicycle | Journey::ParkCar | Journey::KissAndRide => (FIRST_LAYER, PARKED_LAYER),
            _ => (FIRST_LAYER, FIRST_LAYER),
        }
    }

    /// Layer in which the search starts.
    pub(super) fn start(self, backward: bool) -> u32 {
        if backward { self.ends().1 } else { self.ends().0 }
    }

    /// Layer in which the search has to end.
    pub(super) fn end(self, backward: bool) -> u32 {
        self.start(!backward)
    }

    /// The traveller's vehicle in a layer.
    #[inline(always)]
    pub(super) fn mode(self, layer: u32) -> TraverseMode {
        match (self.journey, layer) {
            (Journey::Walk, _) => TraverseMode::Foot,
            (Journey::Bicycle, _) | (Journey::ParkBicycle, FIRST_LAYER) => TraverseMode::Bicycle,
            (Journey::Car, _) | (Journey::ParkCar | Journey::KissAndRide, FIRST_LAYER) => TraverseMode::Car,
            (Journey::RentedBicycle, layer) if layer != FIRST_LAYER => TraverseMode::Bicycle,
            _ => TraverseMode::Foot,
        }
    }

    /// Whether a stop may be entered (left, in backward searches) in a layer: not on a rented bike, not before the
    /// bike is parked, not driving (except to get out).
    pub(super) fn reaches_stops(self, layer: u32) -> bool {
        match self.journey {
            Journey::Walk | Journey::Bicycle | Journey::KissAndRide => true,
            Journey::Car => false,
            Journey::RentedBicycle => layer == FIRST_LAYER,
            Journey::ParkBicycle | Journey::ParkCar => layer == PARKED_LAYER,
        }
    }

    /// The layer on the other side of parking, in the direction of the search.
    pub(super) fn after_parking(self, layer: u32, backward: bool) -> Option<u32> {
        let parks = matches!(self.journey, Journey::ParkBicycle | Journey::ParkCar);
        (parks && layer == self.start(backward)).then(|| self.end(backward))
    }
}

/// The journeys whose costs the layers of a journey have; `None` where searches have no potentials.
pub(super) fn journeys(journey: Journey, backward: bool) -> Option<[Journey; 2]> {
    match journey {
        Journey::Walk | Journey::Bicycle | Journey::Car => Some([journey; 2]),
        Journey::ParkCar => Some([Journey::Car, Journey::Walk]),
        // Walking counts in the first layer too: travellers get out wherever cars are not permitted, not at a few places.
        Journey::KissAndRide if !backward => Some([journey, Journey::Walk]),
        Journey::KissAndRide | Journey::RentedBicycle | Journey::ParkBicycle => None,
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
