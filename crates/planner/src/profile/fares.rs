//! Prices of the rides of an option.

use trestle_model::ids::PatternIdx;
use trestle_transit::fares::{FarePrice, FareRide, FareType, PaidParts, fraction_digits};

use super::answer::SegmentFare;
use super::network::Network;
use super::rides::RideChoice;

/// The price that each ride adds to those before it, by its most frequent pattern; `None` without a fare.
pub(super) fn fares(network: &Network<'_>, chain: &[&RideChoice]) -> Vec<Option<SegmentFare>> {
    let rides: Vec<Option<FareRide>> = chain.iter().map(|ride| fare_ride(network, ride)).collect();
    let price = |rides: &[Option<FareRide>]| Price::of(network, rides);
    let mut before = Some(Price::default());
    (0..rides.len())
        .map(|last| {
            let (paid, total) = (before?, price(&rides[..=last]));
            before = total;
            let (total, alone) = (total?, price(&rides[last..=last])?);
            let unit = 10f64.powi(total.digits as i32);
            Some(SegmentFare {
                price: (total.regular - paid.regular) as f64 / unit,
                senior: (total.senior - paid.senior) as f64 / unit,
                transfer_reduction: total.regular - paid.regular < alone.regular,
            })
        })
        .collect()
}

/// Prices of some rides, in the currency's smallest unit.
#[derive(Clone, Copy, Default)]
struct Price {
    regular: i64,
    /// The regular price if there is none for seniors.
    senior: i64,
    digits: u32,
}

impl Price {
    fn of(network: &Network<'_>, rides: &[Option<FareRide>]) -> Option<Price> {
        let parts = PaidParts { rides: rides.to_vec(), rental_seconds: Vec::new() };
        let prices = network.snapshot.fares.prices(&network.snapshot.graph.timetable, &parts);
        let of = |fare_type: FareType| prices.iter().find(|price: &&FarePrice| price.fare_type == fare_type);
        let regular = of(FareType::Regular)?;
        Some(Price {
            regular: regular.minor_units,
            senior: of(FareType::Senior).unwrap_or(regular).minor_units,
            digits: fraction_digits(&regular.currency),
        })
    }
}

fn fare_ride(network: &Network<'_>, ride: &RideChoice) -> Option<FareRide> {
    let used = ride.patterns.first()?;
    let pattern = &network.service.patterns[used.ride.pattern as usize];
    let position = |position: u32| (pattern.first_position + position) as usize;
    let times = (network.service.epoch_of(ride.sample.0), network.service.epoch_of(ride.sample.1));
    let calls = (position(used.ride.board), position(used.ride.alight));
    let timetable = &network.snapshot.graph.timetable;
    let fare_ride = FareRide::along(timetable, PatternIdx(pattern.pattern), calls, times)?;
    Some(FareRide { walked_before: ride.walk.0 > 0, ..fare_ride })
}
