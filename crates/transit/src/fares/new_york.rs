//! Subways and buses of the New York MTA. A fare includes one free transfer between bus and subway, express buses
//! charge the difference, and the Staten Island Railway is paid for only at its two northern stations.
//!
//! Not supported: the two hours after which transfers end, and the commuter railways.

use super::{FareRide, agency_id};
use crate::timetable::Timetable;

const FARE: i64 = 275;
const EXPRESS: i64 = 650;
const PREMIUM: i64 = 750;

/// agency_id of the operators with these fares.
const AGENCIES: [&str; 2] = ["MTABC", "MTA NYCT"];
/// Stations of the Staten Island Railway with gates.
const RAILWAY_GATES: [&str; 2] = ["S31", "S30"];
/// Subway stations between which walking transfers are free.
const FREE_WALK_STATIONS: [&str; 3] = ["R11", "B08", "629"];
/// Subway stations near the ferry, where the subway is free after a bus and the railway.
const FERRY_STATIONS: [&str; 8] = ["140", "420", "419", "418", "M22", "M23", "R27", "R26"];
/// Bus routes near the ferry, which are free after the railway.
const FERRY_ROUTES: [&str; 3] = ["M5", "M20", "M15-SBS"];
/// Station and bus stop with an additional free transfer between them.
const CANARSIE: [&str; 2] = ["L29", "303345"];

/// A step of a journey.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Move<'a> {
    Walk,
    Subway(Ends<'a>),
    Railway(Ends<'a>),
    LocalBus(Ends<'a>, &'a str),
    ExpressBus,
    PremiumBus,
}

/// stop_ids of the ends of a ride.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ends<'a> {
    first: &'a str,
    last: &'a str,
}

/// The last thing paid for, which decides whether the next ride is a free transfer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holding {
    Nothing,
    Subway {
        walked: bool,
    },
    /// On the subway as the free transfer.
    SubwayUsed,
    Railway {
        after_bus: bool,
    },
    RailwayAfterSubway,
    Bus {
        staten_island: bool,
    },
}

/// The price in US cents; `None` without rides of the MTA.
pub(super) fn cents(timetable: &Timetable, rides: &[FareRide]) -> Option<i64> {
    let rides = FareRide::merged(rides);
    let moves = moves(timetable, &rides);
    let mut card = Card { holding: Holding::Nothing, at_free_walk: false, at_canarsie: false, total: 0 };
    for step in &moves {
        card.pass(*step);
    }
    (!moves.is_empty()).then_some(card.total)
}

fn moves<'a>(timetable: &'a Timetable, rides: &'a [FareRide]) -> Vec<Move<'a>> {
    let mut moves = Vec::new();
    for ride in rides.iter().filter(|ride| AGENCIES.contains(&agency_id(timetable, ride.route))) {
        if ride.walked_before && !moves.is_empty() {
            moves.push(Move::Walk);
        }
        moves.extend(classify(timetable, ride));
    }
    moves
}

/// The step that a ride makes, by the name of its route or else by the route's GTFS type. Other vehicles are free.
fn classify<'a>(timetable: &'a Timetable, ride: &FareRide) -> Option<Move<'a>> {
    let (routes, route) = (&timetable.routes, ride.route.index());
    let text = |index: Option<&u32>| index.map_or("", |&i| timetable.texts.get(i));
    let stop = |stop: usize| text(timetable.stops.id.get(stop));
    let ends = Ends { first: stop(ride.first_stop.index()), last: stop(ride.last_stop.index()) };
    let name = text(routes.short_name.get(route));
    match routes.route_type.get(route) {
        _ if name.is_empty() => Some(Move::Subway(ends)),
        _ if name == "BxM4C" => Some(Move::PremiumBus),
        _ if ["X", "BxM", "QM", "BM"].iter().any(|prefix| name.starts_with(prefix)) => Some(Move::ExpressBus),
        Some(1) => Some(Move::Subway(ends)),
        Some(2) => Some(Move::Railway(ends)),
        Some(3) => Some(Move::LocalBus(ends, text(routes.id.get(route)))),
        _ => None,
    }
}

/// Whether a stop is one of the stations. The ids of platforms are the station's id followed by a direction.
fn is_one_of(stop: &str, stations: &[&str]) -> bool {
    let is = |station: &&str| stop.strip_prefix(station).is_some_and(|rest| ["", "N", "S"].contains(&rest));
    stations.iter().any(is)
}

fn on_staten_island(route: &str) -> bool {
    route.starts_with('S')
}

struct Card {
    holding: Holding,
    /// The last ride ended at a station with a free walking transfer.
    at_free_walk: bool,
    /// The last ride ended where the additional free transfer begins.
    at_canarsie: bool,
    total: i64,
}

impl Card {
    fn pay(&mut self, cents: i64, then: Holding) {
        self.total += cents;
        self.holding = then;
    }

    fn pass(&mut self, step: Move<'_>) {
        match step {
            Move::Walk => self.walk(),
            Move::Subway(ends) => self.enter_subway(ends),
            Move::Railway(ends) => self.enter_railway(ends),
            Move::LocalBus(ends, route) => self.board_bus(ends, route),
            Move::ExpressBus => self.board_express(),
            // Transfers to and from premium buses are never free.
            Move::PremiumBus => self.total += PREMIUM,
        }
    }

    fn walk(&mut self) {
        match self.holding {
            Holding::Subway { .. } => self.holding = Holding::Subway { walked: true },
            Holding::SubwayUsed if !self.at_canarsie => self.holding = Holding::Nothing,
            _ => {}
        }
    }

    fn enter_subway(&mut self, Ends { first, last }: Ends<'_>) {
        let paid = Holding::Subway { walked: false };
        match self.holding {
            Holding::Subway { walked: false } => {}
            Holding::Subway { walked: true } => {
                let free = self.at_free_walk && is_one_of(first, &FREE_WALK_STATIONS);
                self.pay(if free { 0 } else { FARE }, paid);
            }
            Holding::Bus { .. } if self.at_canarsie && is_one_of(first, &CANARSIE) => self.holding = paid,
            Holding::Bus { .. } => self.holding = Holding::Nothing,
            Holding::Railway { after_bus } => {
                let free = !after_bus || is_one_of(first, &FERRY_STATIONS);
                self.pay(if free { 0 } else { FARE }, Holding::SubwayUsed);
            }
            Holding::Nothing | Holding::SubwayUsed | Holding::RailwayAfterSubway => self.pay(FARE, paid),
        }
        self.at_free_walk = is_one_of(last, &FREE_WALK_STATIONS);
        self.at_canarsie = is_one_of(last, &CANARSIE);
    }

    fn enter_railway(&mut self, Ends { first, last }: Ends<'_>) {
        let gates = is_one_of(first, &RAILWAY_GATES) || is_one_of(last, &RAILWAY_GATES);
        match self.holding {
            Holding::Nothing => self.pay(if gates { FARE } else { 0 }, Holding::Railway { after_bus: false }),
            Holding::Subway { .. } => self.holding = Holding::RailwayAfterSubway,
            Holding::SubwayUsed => self.pay(FARE, Holding::Railway { after_bus: false }),
            Holding::Bus { staten_island: true } => self.holding = Holding::Railway { after_bus: true },
            Holding::Bus { staten_island: false } => self.holding = Holding::Nothing,
            Holding::Railway { .. } | Holding::RailwayAfterSubway => {}
        }
        self.at_canarsie = false;
    }

    fn board_bus(&mut self, Ends { first, last }: Ends<'_>, route: &str) {
        let staten_island = on_staten_island(route);
        let paid = Holding::Bus { staten_island };
        let extra = self.at_canarsie && is_one_of(first, &CANARSIE);
        match self.holding {
            Holding::Nothing => self.pay(FARE, paid),
            Holding::Subway { .. } => self.holding = if extra { paid } else { Holding::Nothing },
            Holding::SubwayUsed => self.pay(if extra { 0 } else { FARE }, Holding::Nothing),
            Holding::Bus { .. } => self.holding = Holding::Nothing,
            Holding::Railway { .. } => self.pay(if FERRY_ROUTES.contains(&route) { 0 } else { FARE }, paid),
            Holding::RailwayAfterSubway if staten_island => self.holding = Holding::Nothing,
            Holding::RailwayAfterSubway => self.pay(FARE, paid),
        }
        self.at_canarsie = is_one_of(last, &CANARSIE);
    }

    fn board_express(&mut self) {
        let bus = Holding::Bus { staten_island: false };
        match self.holding {
            // The fare that was paid counts towards the more expensive one.
            Holding::Subway { .. } => self.total += EXPRESS - FARE,
            Holding::Bus { .. } => self.pay(EXPRESS - FARE, Holding::Nothing),
            Holding::RailwayAfterSubway => self.pay(EXPRESS, Holding::Nothing),
            Holding::Nothing | Holding::SubwayUsed | Holding::Railway { .. } => self.pay(EXPRESS, bus),
        }
        self.at_canarsie = false;
    }
}

#[cfg(test)]
mod tests {
    use crate::fares::testing::{FareTown, prices};

    const CITY: FareTown<'_> = FareTown {
        agencies: "MTA_NYCT MTABC LIRR",
        routes: "A MTA_NYCT 1, L MTA_NYCT 1, SI MTA_NYCT 2, B42 MTABC 3, B6 MTABC 3, S74 MTABC 3, X1 MTABC 3, \
                 BxM4C MTABC 3, rail LIRR 2",
        stops: "A1 A2 R11N 629S L29 303345 S31 S20 420 B",
        fares: "",
        services: "new-york",
    };

    #[test]
    fn one_fare_covers_subway_and_bus() {
        assert_eq!(prices(&CITY, "A A1-A2 0-9"), "regular 275");
        assert_eq!(prices(&CITY, "A A1-A2 0-9, L A2-B 12-20"), "regular 275");
        assert_eq!(prices(&CITY, "A A1-A2 0-9, B6 A2-B 12-20"), "regular 275");
        assert_eq!(prices(&CITY, "B6 B-A1 0-9, A A1-A2 12-20"), "regular 275");
        assert_eq!(prices(&CITY, "A A1-A2 0-9, B6 A2-B 12-20, B42 B-A1 30-40"), "regular 550");
    }

    #[test]
    fn leaving_the_subway_ends_the_fare_except_for_free_walks() {
        assert_eq!(prices(&CITY, "A A1-A2 0-9, walk L A2-B 20-30"), "regular 550");
        assert_eq!(prices(&CITY, "A A1-R11N 0-9, walk L 629S-B 20-30"), "regular 275");
    }

    #[test]
    fn the_additional_transfer_is_free() {
        assert_eq!(prices(&CITY, "A A1-L29 0-9, B42 303345-B 12-20, B6 B-A1 30-40"), "regular 275");
    }

    #[test]
    fn express_buses_cost_more_and_premium_ones_take_no_transfer() {
        assert_eq!(prices(&CITY, "X1 A1-A2 0-9"), "regular 650");
        assert_eq!(prices(&CITY, "A A1-A2 0-9, X1 A2-B 12-20"), "regular 650");
        assert_eq!(prices(&CITY, "A A1-A2 0-9, BxM4C A2-B 12-20"), "regular 1025");
    }

    #[test]
    fn the_railway_is_paid_at_its_gates() {
        assert_eq!(prices(&CITY, "SI S20-S31 0-9"), "regular 275");
        assert_eq!(prices(&CITY, "SI S20-A1 0-9"), "regular 0");
        assert_eq!(prices(&CITY, "S74 B-S20 0-9, SI S20-S31 12-20, A 420-A1 40-50"), "regular 275");
    }

    #[test]
    fn other_operators_have_no_fare() {
        assert_eq!(prices(&CITY, "rail A1-A2 0-9"), "none");
    }
}
