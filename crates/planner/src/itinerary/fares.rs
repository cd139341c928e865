//! Fares of a plan.

use trestle_engine::snapshot::Snapshot;
use trestle_model::itinerary::{Fare, FareDetail, Money};
use trestle_transit::fares::{self, FarePrice, FareRide, PaidParts};
use trestle_transit::path::{Ride, TransferWalk};
use trestle_transit::timetable::Timetable;

use super::context::Payable;

/// The prices of the paid parts of a plan; none when no fare service has a price.
pub(super) fn fare_of(snapshot: &Snapshot, payable: &Payable) -> Vec<Fare> {
    let timetable = &snapshot.graph.timetable;
    let walks = std::iter::once(&None).chain(&payable.transfers);
    let rides = payable.rides.iter().zip(walks).map(|(ride, walk)| fare_ride(snapshot, ride, walk.as_ref()));
    let parts = PaidParts { rides: rides.collect(), rental_seconds: payable.rental_seconds.clone() };
    let prices = snapshot.fares.prices(timetable, &parts);
    prices.into_iter().map(|price| fare(timetable, price)).collect()
}

fn fare_ride(snapshot: &Snapshot, ride: &Ride, walk: Option<&TransferWalk>) -> Option<FareRide> {
    let timetable = &snapshot.graph.timetable;
    let fare_ride = FareRide::of(timetable, snapshot.overlay.as_deref(), ride)?;
    let leaves_station = |walk: &TransferWalk| {
        let station = timetable.stops.own_station(walk.from_stop);
        let stays_inside = station.is_some() && station == timetable.stops.own_station(walk.to_stop);
        !walk.pathway && walk.from_stop != walk.to_stop && !stays_inside
    };
    Some(FareRide { walked_before: walk.is_some_and(leaves_station), ..fare_ride })
}

fn fare(timetable: &Timetable, price: FarePrice) -> Fare {
    let money = |minor_units| Money { currency: price.currency.clone(), minor_units };
    let detail = |detail: &fares::FareDetail| {
        let fare = timetable.fares.get(detail.fare)?;
        Some(FareDetail {
            fare_id: timetable.outer_id(fare.feed, fare.id),
            price: money(detail.minor_units),
            routes: detail.routes.iter().map(|&route| timetable.route_id(route)).collect(),
        })
    };
    Fare {
        fare_type: price.fare_type.name(),
        price: money(price.minor_units),
        details: price.details.iter().filter_map(detail).collect(),
    }
}
