//! Fares of a plan.

use trestle_engine::snapshot::Snapshot;
use trestle_model::itinerary::{Fare, FareDetail, Money};
use trestle_transit::fares::{self, FarePrice, FareRide, PaidParts};
use trestle_transit::path::{Ride, TransferWalk};
use trestle_transit::timetable::Timetable;

use crate::itinerary::Payable;

/// The prices of what is to be paid for; none when no fare service knows them.
pub(crate) fn fare_of(snapshot: &Snapshot, payable: &Payable) -> Vec<Fare> {
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
    let parent = |stop: usize| timetable.stops.parent.get(stop).filter(|&&parent| parent != u32::MAX);
    let leaves_station = |walk: &TransferWalk| {
        let (from, to) = (walk.from_stop.index(), walk.to_stop.index());
        !walk.pathway && from != to && (parent(from).is_none() || parent(from) != parent(to))
    };
    Some(FareRide { walked_before: walk.is_some_and(leaves_station), ..fare_ride })
}

fn fare(timetable: &Timetable, price: FarePrice) -> Fare {
    let qualified = |feed: u32, id: u32| {
        let feed = timetable.feeds.id.get(feed as usize).map_or("", |&feed| timetable.texts.get(feed));
        format!("{feed}:{}", timetable.texts.get(id))
    };
    let money = |cents| Money { currency: price.currency.clone(), cents };
    let detail = |detail: &fares::FareDetail| {
        let fare = timetable.fares.get(detail.fare)?;
        let routes = &timetable.routes;
        let route_ids = detail.routes.iter().map(|route| route.index());
        let route_ids = route_ids.filter_map(|i| Some(qualified(*routes.feed.get(i)?, *routes.id.get(i)?)));
        Some(FareDetail {
            fare_id: qualified(fare.feed, fare.id),
            price: money(detail.cents),
            routes: route_ids.collect(),
        })
    };
    Fare {
        fare_type: price.fare_type.name(),
        price: money(price.cents),
        details: price.details.iter().filter_map(detail).collect(),
    }
}
