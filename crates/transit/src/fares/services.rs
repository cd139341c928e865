//! The fare services of a timetable, as configured for the build and as stored in the graph.

use trestle_model::strings::StringsBuilder;

use crate::timetable::{FareServices, RentalPrice, Timetable};

/// A fare service to apply. The prices of all services are added up; there are no prices without services.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FareServiceOption {
    /// fare_attributes.txt and fare_rules.txt.
    Attributes,
    /// BART by its fares, Muni and AirBART by built-in rules.
    SanFrancisco,
    /// Subways and buses of the MTA.
    NewYork,
    /// The feeds' fares, with prices for youth and seniors and fares of single trips.
    Seattle {
        /// `feed:agency` of agencies whose most expensive fare pays for all.
        max_fare_agencies: Vec<String>,
    },
    /// Rented bikes, by how long they are used.
    BikeRental {
        /// ISO 4217 code.
        currency: String,
        /// (less than this many seconds, price in the smallest unit), shortest first.
        prices: Vec<(u32, i64)>,
    },
}

/// The stored number of a service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ServiceKind {
    Attributes = 0,
    SanFrancisco = 1,
    NewYork = 2,
    Seattle = 3,
    BikeRental = 4,
}

/// Number of kinds.
pub(crate) const SERVICE_KINDS: u32 = ServiceKind::ALL.len() as u32;

impl ServiceKind {
    const ALL: [ServiceKind; 5] = [
        ServiceKind::Attributes,
        ServiceKind::SanFrancisco,
        ServiceKind::NewYork,
        ServiceKind::Seattle,
        ServiceKind::BikeRental,
    ];

    /// The kind of a stored number.
    pub(super) fn from_number(number: u32) -> Option<Self> {
        ServiceKind::ALL.into_iter().find(|kind| *kind as u32 == number)
    }

    fn of(option: &FareServiceOption) -> Self {
        match option {
            FareServiceOption::Attributes => ServiceKind::Attributes,
            FareServiceOption::SanFrancisco => ServiceKind::SanFrancisco,
            FareServiceOption::NewYork => ServiceKind::NewYork,
            FareServiceOption::Seattle { .. } => ServiceKind::Seattle,
            FareServiceOption::BikeRental { .. } => ServiceKind::BikeRental,
        }
    }
}

/// The columns of the services configured for a build.
pub(crate) fn freeze(options: &[FareServiceOption], texts: &mut StringsBuilder) -> FareServices {
    let (mut currencies, mut prices, mut agencies) = (Vec::new(), Vec::new(), Vec::new());
    for (service, option) in (0..).zip(options) {
        let mut currency = 0;
        match option {
            FareServiceOption::Seattle { max_fare_agencies } => {
                agencies.extend(max_fare_agencies.iter().map(|id| [service, texts.intern(id)]));
            }
            FareServiceOption::BikeRental { currency: code, prices: steps } => {
                currency = texts.intern(code);
                prices.extend(steps.iter().map(|&(below_seconds, minor_units)| RentalPrice {
                    minor_units,
                    service,
                    below_seconds,
                }));
            }
            FareServiceOption::Attributes | FareServiceOption::SanFrancisco | FareServiceOption::NewYork => {}
        }
        currencies.push(currency);
    }
    FareServices {
        kind: options.iter().map(|option| ServiceKind::of(option) as u32).collect(),
        currency: currencies.into(),
        rental_prices: prices.into(),
        max_fare_agencies: agencies.into(),
    }
}

/// Texts `feed:agency` stored for a service.
pub(super) fn max_fare_agencies(timetable: &Timetable, service: usize) -> Vec<String> {
    let stored = timetable.fare_services.max_fare_agencies.iter();
    let of_service = stored.filter(|[of, _]| *of as usize == service);
    of_service.map(|[_, text]| timetable.texts.get(*text).to_owned()).collect()
}
