//! The Seattle region: the feeds' fares, with separate prices for youth and seniors (`youth_price`, `senior_price`),
//! fares of single trips (`fare_id` of trips.txt), and agencies where a journey costs the highest of its fares instead of
//! their sum (`useMaxFareStrategy`).

use super::attributes::{AttributeFares, Tariff};
use super::{FarePrice, FareRide, FareType};
use crate::timetable::Timetable;

/// Prices for adults, youth and seniors.
pub(super) fn prices(
    timetable: &Timetable,
    attributes: &AttributeFares,
    rides: &[FareRide],
    max_fare_agencies: &[String],
) -> Vec<FarePrice> {
    let tariff = |fare_type| Tariff { fare_type, fares_of_trips: true, max_fare_agencies };
    let types = [FareType::Regular, FareType::Youth, FareType::Senior];
    types.into_iter().filter_map(|kind| attributes.cheapest(timetable, rides, &tariff(kind))).collect()
}

#[cfg(test)]
mod tests {
    use crate::fares::testing::{FareTown, prices};

    const SOUND: FareTown<'_> = FareTown {
        agencies: "KCM PT",
        routes: "1 KCM 3, 2 KCM 3, 3 KCM 3 fare=peak, 9 PT 3",
        stops: "A B",
        fares: "one 2.50 youth=1.50 senior=1.00 : 1 9, two 3.00 : 2, peak 3.25 : 3",
        services: "seattle f:KCM",
    };

    #[test]
    fn youth_and_seniors_have_their_own_prices() {
        assert_eq!(prices(&SOUND, "1 A-B 0-9"), "regular 250, youth 150, senior 100");
        assert_eq!(prices(&SOUND, "2 A-B 0-9"), "regular 300, youth 300, senior 300");
    }

    #[test]
    fn the_highest_fare_pays_for_transfers_within_a_listed_agency() {
        assert_eq!(prices(&SOUND, "1 A-B 0-9, 2 B-A 20-30"), "regular 300, youth 300, senior 300");
        assert_eq!(prices(&SOUND, "9 A-B 0-9, 1 A-B 20-30"), "regular 500, youth 300, senior 200");
        assert_eq!(
            prices(&SOUND, "9 A-B 0-9, 1 A-B 20-30, 2 B-A 40-50"),
            "regular 550, youth 450, senior 400"
        );
    }

    #[test]
    fn the_fare_of_a_trip_is_for_such_trips_only() {
        assert_eq!(prices(&SOUND, "3 A-B 0-9"), "regular 325, youth 325, senior 325");
        let open = FareTown { fares: "peak 1.00 : , one 2.50 : 1", ..SOUND };
        assert_eq!(prices(&open, "1 A-B 0-9"), "regular 250, youth 250, senior 250");
        let by_rules = FareTown { services: "default", ..open };
        assert_eq!(prices(&by_rules, "1 A-B 0-9"), "regular 100", "other services ignore fare_id");
    }
}
