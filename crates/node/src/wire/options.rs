//! Build options: the members of build-config.json as a typed object.

use napi_derive::napi;
use trestle_engine::build::BuildOptions as EngineOptions;
use trestle_street::osm::WayPropertySet;
use trestle_transit::fares::{FareServiceOption, GREATEST_PRICE, fraction_digits};

use super::given::given;
use crate::error::{Coded, CodedError};

given! {
    /// Options of a build; absent members take their defaults. Most names are those of build-config.json.
    pub struct BuildOptions for EngineOptions {
        /// File to write; default `Graph.obj` in the directory.
        pub output: Option<String> => _,
        /// Include GTFS (default true).
        pub transit: Option<bool>,
        /// Include OSM (default true).
        pub streets: Option<bool>,
        /// Take transfers from transfers.txt only: straight lines, with the minimum time or a second for each metre.
        pub use_transfers_txt: Option<bool> => transit_layer.use_transfers_txt,
        /// Join stops and their parent station.
        pub parent_stop_linking: Option<bool> => transit_layer.parent_stop_linking,
        /// Transfers between all stops of a station.
        pub station_transfers: Option<bool> => transit_layer.station_transfers,
        /// Seconds between street and platform of subway stops (default 120).
        pub subway_access_seconds: Option<f64> => subway_access_minutes = subway_access_seconds / 60.0,
        /// Visibility edges across areas.
        pub area_visibility: Option<bool> => street.area_visibility,
        /// Bike rental stations from OSM.
        pub static_bike_rental: Option<bool> => street.static_bike_rental,
        /// Park-and-ride lots from OSM (default true).
        pub static_park_and_ride: Option<bool> => street.static_park_and_ride,
        /// Bike parks from OSM.
        pub static_bike_park_and_ride: Option<bool> => street.static_bike_park_and_ride,
        /// Metres between the trips of a block for staying seated (default 200).
        pub max_interline_distance: Option<f64> => transit_layer.max_interline_distance,
        /// Factor on the heights of the elevation raster (default 1).
        pub elevation_unit_multiplier: Option<f64> => street.elevation_unit_multiplier,
        /// Rules for ways.
        #[napi(ts_type = "'default' | 'norway' | 'uk'")]
        pub osm_way_property_set: Option<String>
            => street.way_property_set = way_property_set(&osm_way_property_set)?,
        /// Islands with fewer vertices than this are pruned (default 40).
        pub island_without_stops_max_size: Option<u32> => street.island_without_stops_max,
        /// `foot=discouraged` forbids walking.
        pub ban_discouraged_walking: Option<bool> => street.ban_discouraged_walking,
        /// `bicycle=discouraged` forbids cycling.
        pub ban_discouraged_biking: Option<bool> => street.ban_discouraged_biking,
        /// Keep what a base map shows (default true).
        pub base_map: Option<bool> => street.base_map,
        /// Seconds that a walk between stops may take (default 600).
        pub max_transfer_seconds: Option<i32>,
        /// Fare services, whose prices add up; absent: the fares of the feeds; empty: nothing has a price.
        pub fares: Option<Vec<FareServiceOptions>> => transit_layer.fares = fare_services(fares)?,
        /// Text of router-config.json to embed.
        pub router_config: Option<String> = Some(router_config),
        /// Text of build-config.json to embed.
        pub build_config: Option<String> = Some(build_config),
    }
}

/// A fare service.
#[napi(object)]
#[derive(Clone, Default)]
pub struct FareServiceOptions {
    /// `default` are the feeds' own fares (fare_attributes.txt, fare_rules.txt).
    #[napi(ts_type = "'default' | 'san-francisco' | 'new-york' | 'seattle' | 'bike-rental-time-based'")]
    pub service: String,
    /// `bike-rental-time-based`: ISO 4217 code of the prices.
    pub currency: Option<String>,
    /// `bike-rental-time-based`: prices by duration.
    pub prices: Option<Vec<BikeRentalPrice>>,
    /// `seattle`: agencies (`feed:agency`) whose highest fare pays for all rides on them.
    pub max_fare_agencies: Option<Vec<String>>,
}

/// The price of a bike that is rented for less than some time.
#[napi(object)]
#[derive(Clone)]
pub struct BikeRentalPrice {
    pub below_seconds: u32,
    /// In whole units of the currency.
    pub amount: f64,
}

fn fare_services(services: Vec<FareServiceOptions>) -> Coded<Vec<FareServiceOption>> {
    services.into_iter().map(fare_service).collect()
}

fn fare_service(options: FareServiceOptions) -> Coded<FareServiceOption> {
    let invalid = |reason: String| CodedError::new("CONFIG_INVALID", format!("fares: {reason}"));
    match &*options.service {
        "default" => Ok(FareServiceOption::Attributes),
        "san-francisco" => Ok(FareServiceOption::SanFrancisco),
        "new-york" => Ok(FareServiceOption::NewYork),
        "seattle" => Ok(FareServiceOption::Seattle {
            max_fare_agencies: options.max_fare_agencies.unwrap_or_default(),
        }),
        "bike-rental-time-based" => {
            let prices = options.prices.unwrap_or_default();
            let currency = options.currency.filter(|code| !code.is_empty() && !prices.is_empty());
            let currency = currency
                .ok_or_else(|| invalid("bike-rental-time-based needs a currency and prices".to_owned()))?;
            let unit = 10f64.powi(fraction_digits(&currency) as i32);
            let minor_units = |amount: f64| {
                let units = (amount * unit).round();
                let fits = (0.0..=GREATEST_PRICE as f64).contains(&units);
                fits.then_some(units as i64).ok_or_else(|| invalid(format!("{amount} is not a price")))
            };
            let steps = prices.iter().map(|p| Ok((p.below_seconds, minor_units(p.amount)?)));
            let mut prices = steps.collect::<Coded<Vec<_>>>()?;
            prices.sort_unstable();
            Ok(FareServiceOption::BikeRental { currency, prices })
        }
        other => Err(invalid(format!("unknown service {other:?}"))),
    }
}

fn way_property_set(name: &str) -> Coded<WayPropertySet> {
    match name {
        "default" => Ok(WayPropertySet::Default),
        "norway" => Ok(WayPropertySet::Norway),
        "uk" => Ok(WayPropertySet::Uk),
        _ => Err(CodedError::new(
            "CONFIG_INVALID",
            format!("osmWayPropertySet: unknown value {name:?}, expected default, norway or uk"),
        )),
    }
}
