//! Fares of recorded itineraries, recomputed from their rides. Skipped where `shared` does not find them.

use serde_json::Value;
use trestle_model::ids::TripIdx;
use trestle_transit::fares::{FareRide, FareService, PaidParts};
use trestle_transit::timetable::Timetable;

use crate::support::{answers, build_city};

/// The rides of an itinerary; `None` when a trip is not in the timetable (added by real-time data).
fn rides(timetable: &Timetable, itinerary: &Value) -> Option<Vec<FareRide>> {
    let legs = itinerary["legs"].as_array()?.iter().filter(|leg| leg["transitLeg"] == true);
    legs.map(|leg| {
        let trip: TripIdx = timetable.trip_by_id(leg["tripId"].as_str()?)?;
        let index = |place: &str| leg[place]["stopIndex"].as_u64().map(|index| index as usize);
        let time = |name: &str| leg[name].as_i64().map(|millis| millis / 1000);
        let pattern = timetable.pattern_of(trip);
        FareRide::along(
            timetable,
            pattern,
            (index("from")?, index("to")?),
            (time("startTime")?, time("endTime")?),
        )
    })
    .collect()
}

/// Compares the fares of a city's plans; returns how many itineraries with and without a fare were compared.
fn check(city: &str, areas: &[&str]) -> Option<(usize, usize)> {
    let timetable = build_city(city)?;
    let service = FareService::new(&timetable);
    let (mut priced, mut free) = (0, 0);
    for area in areas {
        for answer in answers(city, area)?.iter().filter(|answer| answer.status == 200) {
            let Ok(body) = serde_json::from_slice::<Value>(&answer.body) else { continue };
            for itinerary in body["plan"]["itineraries"].as_array().into_iter().flatten() {
                let Some(rides) = rides(&timetable, itinerary) else { continue };
                let parts =
                    PaidParts { rides: rides.into_iter().map(Some).collect(), rental_seconds: Vec::new() };
                let fare = service.prices(&timetable, &parts).pop();
                let recorded = &itinerary["fare"]["fare"]["regular"];
                assert_eq!(
                    fare.as_ref().map(|fare| fare.minor_units),
                    recorded["cents"].as_i64(),
                    "{}",
                    answer.path
                );
                if let Some(fare) = fare {
                    assert_eq!(Some(&*fare.currency), recorded["currency"]["currencyCode"].as_str());
                    priced += 1;
                } else {
                    free += 1;
                }
            }
        }
    }
    Some((priced, free))
}

#[test]
fn fares_of_poa() {
    let Some((priced, free)) = check("poa", &["plan", "plan_midday"]) else { return };
    assert!(priced > 400 && free > 60, "{priced} {free}");
}

#[test]
fn fares_of_pdx() {
    let Some((priced, free)) = check("pdx", &["plan"]) else { return };
    assert!(priced > 80 && free > 10, "{priced} {free}");
}

#[test]
fn fares_of_porto() {
    let Some((priced, free)) = check("porto", &["plan"]) else { return };
    assert!(priced > 5 && free > 400, "{priced} {free}");
}
