//! Several fare services together: sums, missing prices, and trips that live data added.

use trestle_model::ids::{RouteIdx, StopIdx, TripIdx};
use trestle_model::{IssueSink, ServiceDate};
use trestle_transit::build::{TransitBuildOptions, build_timetable_from_tables};
use trestle_transit::fares::{FareRide, FareService, FareServiceOption, PaidParts};
use trestle_transit::gtfs::FeedFiles;
use trestle_transit::overlay::{AddedTrip, LiveTimes, Overlay};
use trestle_transit::path::Ride;
use trestle_transit::timetable::Timetable;

const TOWN: &str = "
    stop A 41.00 -8.60 zone_id=a
    stop B 41.01 -8.60 zone_id=b
    stop C 41.02 -8.60 zone_id=c
    route R 3
    service WK 20240101 20241231 1111111
    trip T R WK : A 8:00:00, B 8:10:00, C 8:20:00
    table fare_attributes.txt
    fare_id,price,currency_type,transfers
    short,1.20,EUR,
    far,2.00,EUR,

    table fare_rules.txt
    fare_id,origin_id,destination_id
    short,a,b
    far,a,c
";

fn town(fares: Vec<FareServiceOption>) -> Timetable {
    let files = FeedFiles::from_tables("f", crate::support::feed::tables(TOWN));
    let options = TransitBuildOptions { fares, ..TransitBuildOptions::default() };
    build_timetable_from_tables(vec![files], &options, &mut IssueSink::default(), &mut |_, _| {}).unwrap()
}

fn bikes(currency: &str) -> FareServiceOption {
    FareServiceOption::BikeRental { currency: currency.to_owned(), prices: vec![(1800, 100), (3600, 300)] }
}

/// A ride on trip number `trip` from one call to another.
fn ride(trip: usize, board: u32, alight: u32) -> Ride {
    let time = |position: u32| 28_800 + i64::from(position) * 600;
    Ride {
        trip: TripIdx::from(trip),
        service_date: ServiceDate::default(),
        service_day_start: 0,
        board_position: board,
        alight_position: alight,
        board_time: time(board),
        alight_time: time(alight),
        interlined: false,
        frequency_shift: 0,
        headway: None,
    }
}

/// The currency and its minor units for each price.
fn prices(fares: Vec<FareServiceOption>, rides: &[(u32, u32)], rental_seconds: &[i64]) -> Vec<String> {
    let timetable = town(fares);
    let rides = rides.iter().map(|&(from, to)| FareRide::of(&timetable, None, &ride(0, from, to)));
    let parts = PaidParts { rides: rides.collect(), rental_seconds: rental_seconds.to_vec() };
    let prices = FareService::new(&timetable).prices(&timetable, &parts);
    prices.iter().map(|price| format!("{} {}", price.currency, price.minor_units)).collect()
}

#[test]
fn the_prices_of_several_services_are_added_up() {
    let both = || vec![FareServiceOption::Attributes, bikes("EUR")];
    assert_eq!(prices(both(), &[(0, 1)], &[600]), ["EUR 220"]);
    assert_eq!(prices(both(), &[(0, 1)], &[]), ["EUR 120"]);
    assert_eq!(prices(both(), &[], &[2000]), ["EUR 300"]);
    assert_eq!(prices(both(), &[], &[]), [""; 0]);
}

#[test]
fn prices_in_two_currencies_have_no_sum() {
    let both = || vec![FareServiceOption::Attributes, bikes("USD")];
    assert_eq!(prices(both(), &[(0, 1)], &[600]), [""; 0]);
    assert_eq!(prices(both(), &[(0, 1)], &[]), ["EUR 120"]);
}

#[test]
fn there_are_no_prices_without_services() {
    assert_eq!(prices(vec![], &[(0, 1)], &[600]), [""; 0]);
}

#[test]
fn a_ride_without_fare_has_no_price() {
    assert_eq!(prices(vec![FareServiceOption::Attributes], &[(1, 2)], &[]), [""; 0]);
}

#[test]
fn trips_that_live_data_added_have_the_price_of_their_route_and_stops() {
    let timetable = town(vec![FareServiceOption::Attributes]);
    let added = AddedTrip {
        id: "extra".to_owned(),
        route: RouteIdx(0),
        stops: [0, 2].map(StopIdx).to_vec(),
        times: LiveTimes { arrivals: vec![28_800, 29_400], departures: vec![28_800, 29_400] },
        ..AddedTrip::default()
    };
    let overlay = Overlay { added: vec![added], ..Overlay::default() };
    let price = |overlay: Option<&Overlay>| {
        let ride = FareRide::of(&timetable, overlay, &ride(timetable.trips.count(), 0, 1));
        let parts = PaidParts { rides: vec![ride], rental_seconds: Vec::new() };
        FareService::new(&timetable).prices(&timetable, &parts).pop().map(|price| price.minor_units)
    };
    assert_eq!(price(Some(&overlay)), Some(200));
    assert_eq!(price(None), None, "the trip is unknown");
}
