//! Fares: the prices of journeys, by the services configured for the build.

mod attributes;
mod new_york;
mod rental;
mod ride;
mod san_francisco;
mod seattle;
mod services;

#[cfg(test)]
mod testing;

use trestle_model::ids::RouteIdx;
use trestle_model::named;

use crate::timetable::Timetable;
use attributes::{AttributeFares, Tariff};
use rental::RentalFares;
pub use ride::FareRide;
pub use services::FareServiceOption;
pub(crate) use services::SERVICE_KINDS;
pub(crate) use services::freeze;
use services::{ServiceKind, max_fare_agencies};

/// Highest price of a fare, in a currency's smallest unit. It is low enough for the prices of a journey to be added up.
pub const GREATEST_PRICE: i64 = 10_000_000_000_000;

/// ISO 4217 code of the US dollar.
const DOLLAR: &str = "USD";

named! {
    /// Who pays a price.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum FareType {
        Regular = "regular",
        Senior = "senior",
        Youth = "youth",
    }
}

/// The parts of a journey that are paid for.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct PaidParts {
    /// Rides in travel order; `None` for a ride whose fares cannot be found.
    pub rides: Vec<Option<FareRide>>,
    /// Seconds that each bike was rented for.
    pub rental_seconds: Vec<i64>,
}

/// The price of a journey for one kind of traveller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FarePrice {
    /// Who pays it.
    pub fare_type: FareType,
    /// ISO 4217 code.
    pub currency: String,
    /// Price in the currency's smallest unit.
    pub minor_units: i64,
    /// The fares bought, in travel order; empty for services with prices only.
    pub details: Vec<FareDetail>,
}

/// A fare bought, and the routes on which it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FareDetail {
    /// Position in [`Timetable::fares`].
    pub fare: usize,
    /// Its price, in the currency's smallest unit.
    pub minor_units: i64,
    /// Routes, in travel order.
    pub routes: Vec<RouteIdx>,
}

/// The fare services of a timetable, whose prices are added up.
#[derive(Clone, Default, Debug)]
pub struct FareService {
    attributes: AttributeFares,
    services: Vec<Service>,
}

#[derive(Clone, Debug)]
enum Service {
    Attributes,
    SanFrancisco,
    NewYork,
    Seattle { max_fare_agencies: Vec<String> },
    Rental(RentalFares),
}

impl FareService {
    /// Reads the services and fare rules; takes time proportional to the number of rules and trips.
    pub fn new(timetable: &Timetable) -> Self {
        let services = (0..timetable.fare_services.kind.len()).filter_map(|i| Service::stored(timetable, i));
        FareService { attributes: AttributeFares::new(timetable), services: services.collect() }
    }

    /// The prices of a journey; none when no service has a price for it.
    pub fn prices(&self, timetable: &Timetable, parts: &PaidParts) -> Vec<FarePrice> {
        let rides: Option<Vec<FareRide>> = parts.rides.iter().cloned().collect();
        let rides = rides.unwrap_or_default();
        let mut sums = Sums::default();
        for service in &self.services {
            sums.add(service.prices(timetable, &self.attributes, &rides, &parts.rental_seconds));
        }
        sums.finish()
    }
}

impl Service {
    fn stored(timetable: &Timetable, index: usize) -> Option<Service> {
        Some(match ServiceKind::from_number(*timetable.fare_services.kind.get(index)?)? {
            ServiceKind::Attributes => Service::Attributes,
            ServiceKind::SanFrancisco => Service::SanFrancisco,
            ServiceKind::NewYork => Service::NewYork,
            ServiceKind::Seattle => {
                Service::Seattle { max_fare_agencies: max_fare_agencies(timetable, index) }
            }
            ServiceKind::BikeRental => Service::Rental(RentalFares::stored(timetable, index)),
        })
    }

    fn prices(
        &self,
        timetable: &Timetable,
        attributes: &AttributeFares,
        rides: &[FareRide],
        rental_seconds: &[i64],
    ) -> Vec<FarePrice> {
        let dollars = |cents| FarePrice {
            fare_type: FareType::Regular,
            currency: DOLLAR.to_owned(),
            minor_units: cents,
            details: Vec::new(),
        };
        match self {
            Service::Attributes => {
                attributes.cheapest(timetable, rides, &Tariff::regular()).into_iter().collect()
            }
            Service::SanFrancisco => {
                san_francisco::cents(timetable, attributes, rides).map(dollars).into_iter().collect()
            }
            Service::NewYork => new_york::cents(timetable, rides).map(dollars).into_iter().collect(),
            Service::Seattle { max_fare_agencies } => {
                seattle::prices(timetable, attributes, rides, max_fare_agencies)
            }
            Service::Rental(fares) => fares.price(rental_seconds).into_iter().collect(),
        }
    }
}

/// Sums of prices by who pays them, in the order in which they were first added.
#[derive(Default)]
struct Sums {
    prices: Vec<FarePrice>,
    /// Who pays prices that are in several currencies and therefore have no sum.
    without_sum: Vec<FareType>,
}

impl Sums {
    fn add(&mut self, prices: Vec<FarePrice>) {
        for price in prices {
            match self.prices.iter_mut().find(|sum| sum.fare_type == price.fare_type) {
                Some(sum) if sum.currency == price.currency => {
                    sum.minor_units = sum.minor_units.saturating_add(price.minor_units);
                    sum.details.extend(price.details);
                }
                Some(_) => self.without_sum.push(price.fare_type),
                None => self.prices.push(price),
            }
        }
    }

    fn finish(mut self) -> Vec<FarePrice> {
        self.prices.retain(|price| !self.without_sum.contains(&price.fare_type));
        self.prices
    }
}

/// Whether a feed, or the agency of a route, has this id.
fn is_operated_by(timetable: &Timetable, ride: &FareRide, name: &str) -> bool {
    agency_id(timetable, ride.route) == name || timetable.feed_id(ride.feed) == name
}

fn agency_id(timetable: &Timetable, route: RouteIdx) -> &str {
    let agency = timetable.agency_of(route);
    timetable.agencies.id.get(agency.index()).map_or("", |&id| timetable.texts.get(id))
}

/// Digits after the decimal point in prices of a currency (ISO 4217).
pub fn fraction_digits(currency: &str) -> u32 {
    match currency {
        "BIF" | "CLP" | "DJF" | "GNF" | "ISK" | "JPY" | "KMF" | "KRW" | "PYG" | "RWF" | "UGX" | "UYI"
        | "VND" | "VUV" | "XAF" | "XOF" | "XPF" => 0,
        "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "OMR" | "TND" => 3,
        "CLF" | "UYW" => 4,
        _ => 2,
    }
}
