//! The San Francisco Bay Area: BART from gate to gate by its fares, Muni with tickets that are valid for a while and
//! cheaper after BART, cable cars and AirBART at fixed prices. Operators are recognized by their feed or agency id.

use trestle_model::Mode;

use super::attributes::AttributeFares;
use super::{FareRide, is_operated_by};
use crate::timetable::Timetable;

const MUNI_CENTS: i64 = 200;
const CABLE_CAR_CENTS: i64 = 500;
const MUNI_AFTER_BART_CENTS: i64 = 175;
const AIRBART_CENTS: i64 = 300;
/// How long a Muni ticket is valid, from boarding to alighting.
const MUNI_TICKET_SECONDS: i64 = 90 * 60;
/// How long Muni is cheaper after leaving BART.
const BART_TRANSFER_SECONDS: i64 = 60 * 60;
/// BART stations whose machines issue the discount.
const DISCOUNT_STATIONS: [&str; 9] =
    ["EMBR", "MONT", "POWL", "CIVC", "16TH", "24TH", "GLEN", "BALB", FREE_STATION];
/// The station after which Muni is free.
const FREE_STATION: &str = "DALY";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Bart,
    Muni,
    AirBart,
    Other,
}

impl Operator {
    fn of(timetable: &Timetable, ride: &FareRide) -> Operator {
        let known = [("BART", Operator::Bart), ("SFMTA", Operator::Muni), ("AirBART", Operator::AirBart)];
        let operator = known.into_iter().find(|(name, _)| is_operated_by(timetable, ride, name));
        operator.map_or(Operator::Other, |(_, operator)| operator)
    }
}

/// The price in US cents; `None` without rides, or when no fare in dollars covers a ride of BART or another operator.
pub(super) fn cents(timetable: &Timetable, attributes: &AttributeFares, rides: &[FareRide]) -> Option<i64> {
    let rides = FareRide::merged(rides);
    let (mut total, mut muni) = (0, MuniTicket::default());
    let operator = |ride: &FareRide| Operator::of(timetable, ride);
    for same_operator in rides.chunk_by(|a, b| operator(a) == operator(b)) {
        total += match operator(same_operator.first()?) {
            Operator::Bart => {
                muni.left_bart = same_operator.last();
                attributes.one_fare_in_dollars(timetable, same_operator)?
            }
            Operator::Muni => same_operator.iter().map(|ride| muni.board(timetable, ride)).sum(),
            Operator::AirBart => AIRBART_CENTS * same_operator.len() as i64,
            Operator::Other => attributes.cheapest_in_dollars(timetable, same_operator)?,
        };
    }
    (!rides.is_empty()).then_some(total)
}

/// What the price of boarding Muni depends on.
#[derive(Default)]
struct MuniTicket<'a> {
    bought: Option<i64>,
    left_bart: Option<&'a FareRide>,
}

impl MuniTicket<'_> {
    /// The price of boarding, US cents.
    fn board(&mut self, timetable: &Timetable, ride: &FareRide) -> i64 {
        if timetable.routes.mode.get(ride.route.index()) == Some(&(Mode::CableCar as u8)) {
            return CABLE_CAR_CENTS;
        }
        if self.bought.is_some_and(|bought| bought + MUNI_TICKET_SECONDS >= ride.alight_time) {
            return 0;
        }
        self.bought = Some(ride.board_time);
        let recent = self.left_bart.filter(|bart| bart.alight_time + BART_TRANSFER_SECONDS > ride.board_time);
        let station = recent.and_then(|bart| timetable.stops.id.get(bart.last_stop.index()));
        match station.map(|&id| timetable.texts.get(id)) {
            Some(FREE_STATION) => 0,
            Some(station) if DISCOUNT_STATIONS.contains(&station) => MUNI_AFTER_BART_CENTS,
            _ => MUNI_CENTS,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fares::testing::{FareTown, prices};

    /// BART rides of 5.50 (EMBR–DALY) and 2.50, Muni bus 14, cable car 59, an operator without fares.
    const BAY: FareTown<'_> = FareTown {
        agencies: "BART SFMTA AirBART Other",
        routes: "yellow BART 1, blue BART 1, 14 SFMTA 3, 49 SFMTA 3, 59 SFMTA 5, shuttle AirBART 3, x Other 3",
        stops: "EMBR DALY OAKL A B",
        fares: "long 5.50 transfers=9 : EMBR>DALY DALY>EMBR, short 2.50 : EMBR>OAKL OAKL>EMBR OAKL>DALY",
        services: "san-francisco",
    };

    #[test]
    fn muni_is_paid_once_in_ninety_minutes_and_cable_cars_always() {
        assert_eq!(prices(&BAY, "14 A-B 0-20"), "regular 200");
        assert_eq!(prices(&BAY, "14 A-B 0-20, 49 B-A 30-80"), "regular 200");
        assert_eq!(prices(&BAY, "14 A-B 0-20, 49 B-A 30-91"), "regular 400");
        assert_eq!(prices(&BAY, "14 A-B 0-20, 59 B-A 30-40"), "regular 700");
    }

    #[test]
    fn bart_goes_from_gate_to_gate_and_makes_muni_cheaper() {
        assert_eq!(prices(&BAY, "yellow EMBR-OAKL 0-9, blue OAKL-DALY 12-30"), "regular 550");
        assert_eq!(prices(&BAY, "yellow OAKL-EMBR 0-9, 14 A-B 15-30"), "regular 425");
        assert_eq!(prices(&BAY, "yellow OAKL-EMBR 0-9, 14 A-B 69-80"), "regular 450");
        assert_eq!(prices(&BAY, "yellow EMBR-DALY 0-9, 14 A-B 15-30"), "regular 550");
    }

    #[test]
    fn fares_in_other_currencies_do_not_count() {
        let fares = "euro 1.00 currency=EUR : EMBR>OAKL x, short 2.50 : EMBR>OAKL, yen 7 currency=JPY : 49";
        let bay = FareTown { fares, ..BAY };
        assert_eq!(prices(&bay, "yellow EMBR-OAKL 0-9"), "regular 250");
        assert_eq!(prices(&bay, "x A-B 0-9"), "none");
        let open = "euro 1.00 currency=EUR : x, dollar 4.00 : x";
        assert_eq!(prices(&FareTown { fares: open, ..BAY }, "x A-B 0-9"), "regular 400");
        let only_euros = "euro 1.00 currency=EUR : EMBR>OAKL";
        assert_eq!(prices(&FareTown { fares: only_euros, ..BAY }, "yellow EMBR-OAKL 0-9"), "none");
    }

    #[test]
    fn other_operators_have_a_fixed_price_or_none() {
        assert_eq!(prices(&BAY, "shuttle A-B 0-9"), "regular 300");
        assert_eq!(prices(&BAY, "14 A-B 0-20, x B-A 30-40"), "none");
    }
}
