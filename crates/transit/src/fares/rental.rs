//! Rented bikes, whose price depends on how long they are used.

use super::{FarePrice, FareType};
use crate::timetable::Timetable;

/// Prices by duration.
#[derive(Clone, Debug)]
pub(super) struct RentalFares {
    currency: String,
    /// (less than this many seconds, price in minor units), shortest first.
    steps: Vec<(u32, i64)>,
}

impl RentalFares {
    /// The prices stored for a service.
    pub(super) fn stored(timetable: &Timetable, service: usize) -> Self {
        let services = &timetable.fare_services;
        let currency = services.currency.get(service).map_or("", |&text| timetable.texts.get(text));
        let prices = services.rental_prices.iter().filter(|price| price.service as usize == service);
        let mut steps: Vec<(u32, i64)> =
            prices.map(|price| (price.below_seconds, price.minor_units)).collect();
        steps.sort_unstable();
        RentalFares { currency: currency.to_owned(), steps }
    }

    /// The price of all bikes together; `None` without bikes, or when one is used for longer than any price allows.
    pub(super) fn price(&self, rental_seconds: &[i64]) -> Option<FarePrice> {
        if rental_seconds.is_empty() {
            return None;
        }
        let minor_units = |seconds: &i64| {
            let step = self.steps.iter().find(|(below, _)| *seconds < i64::from(*below));
            step.map(|&(_, minor_units)| minor_units)
        };
        let minor_units: Option<i64> = rental_seconds.iter().map(minor_units).sum();
        Some(FarePrice {
            fare_type: FareType::Regular,
            currency: self.currency.clone(),
            minor_units: minor_units?,
            details: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bike_costs_the_price_of_the_first_longer_step() {
        let fares = RentalFares { currency: "EUR".to_owned(), steps: vec![(1800, 100), (3600, 250)] };
        let minor_units = |seconds: &[i64]| fares.price(seconds).map(|price| price.minor_units);
        assert_eq!(minor_units(&[1799]), Some(100));
        assert_eq!(minor_units(&[1800]), Some(250));
        assert_eq!(minor_units(&[60, 2000]), Some(350));
        assert_eq!(minor_units(&[3600]), None, "there is no price for an hour");
        assert_eq!(minor_units(&[]), None);
    }
}
