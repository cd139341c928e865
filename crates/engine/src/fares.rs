//! Fares of a plan.

use trestle_model::itinerary::Money;
use trestle_transit::fares::FareRide;
use trestle_transit::path::Ride;

use crate::snapshot::Snapshot;

/// The regular fare of the rides; nothing when a ride has none.
pub(crate) fn fare_of(snapshot: &Snapshot, rides: &[Ride]) -> Vec<(String, Money)> {
    let timetable = &snapshot.graph.timetable;
    let known: Option<Vec<FareRide>> = rides.iter().map(|ride| FareRide::of(timetable, ride)).collect();
    let fare =
        known.filter(|rides| !rides.is_empty()).and_then(|rides| snapshot.fares.cheapest(timetable, &rides));
    let priced = fare.map(|fare| {
        let currency = timetable.texts.get(fare.currency).to_owned();
        ("regular".to_owned(), Money { currency, cents: fare.cents })
    });
    priced.into_iter().collect()
}
