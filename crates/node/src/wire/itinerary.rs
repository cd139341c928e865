//! Plans as typed objects. Instants are seconds since 1970, durations seconds, distances metres.

use trestle_model::PlanError;
use trestle_model::itinerary as model;
use trestle_model::polyline::EncodedPolyline;
use trestle_transit::fares::fraction_digits;

use super::made::each;
use super::text::text_object;

text_object! {
    /// An encoded polyline (precision 1e5, latitude first) and its number of points.
    pub struct Polyline from (line: EncodedPolyline) {
        pub points: String,
        pub length: u32,
    }
}

text_object! {
    /// An alert or street note.
    pub struct Alert from (alert: model::Alert) {
        pub header: Option<String>,
        pub description: Option<String>,
        pub url: Option<String>,
        /// When it begins, epoch seconds.
        pub effective_start: Option<f64> = alert.effective_start.map(seconds),
    }
}

text_object! {
    /// An end or passing point of a leg.
    pub struct Place from (place: model::Place) {
        pub name: String,
        /// `feed:stop`.
        pub stop_id: Option<String>,
        pub stop_code: Option<String>,
        pub platform_code: Option<String>,
        pub lon: f64,
        pub lat: f64,
        /// Epoch seconds.
        pub arrival: Option<f64> = place.arrival.map(seconds),
        /// Epoch seconds.
        pub departure: Option<f64> = place.departure.map(seconds),
        /// The user's name for the place; only at the ends of an itinerary.
        pub orig: Option<String>,
        pub zone_id: Option<String>,
        pub stop_index: Option<u32>,
        pub stop_sequence: Option<u32>,
        #[napi(ts_type = "'NORMAL' | 'BIKESHARE' | 'BIKEPARK' | 'TRANSIT'")]
        pub vertex_type: String = place.vertex_type.name().to_owned(),
        pub bike_share_id: Option<String>,
    }
}

text_object! {
    /// One instruction of a street leg.
    pub struct Step from (step: model::Step) {
        /// Metres.
        pub distance: f64,
        /// `DEPART`, `LEFT`, `CIRCLE_CLOCKWISE`, ...
        pub relative: String = step.relative.name().to_owned(),
        pub street_name: String,
        /// `NORTH`, ...; absent for elevators.
        pub absolute: Option<String> = step.absolute.map(|direction| direction.name().to_owned()),
        pub exit: Option<String>,
        pub stay_on: bool,
        pub area: bool,
        pub bogus_name: bool,
        pub lon: f64,
        pub lat: f64,
        /// x0, y0, x1, y1, ...: metres from the step's start and metres of elevation.
        pub elevation: Vec<f64> = step.elevation.into_iter().flat_map(|(x, y)| [x, y]).collect(),
        pub alerts: Vec<Alert> = each(step.alerts),
    }
}

text_object! {
    /// What only a transit leg has.
    pub struct TransitLeg from (leg: model::TransitLeg) {
        pub route: String,
        pub agency_name: String,
        pub agency_url: String,
        pub agency_id: String,
        pub route_color: Option<String>,
        pub route_text_color: Option<String>,
        pub route_type: i32,
        pub route_id: String,
        pub route_short_name: Option<String>,
        pub route_long_name: Option<String>,
        pub interline_with_previous: bool,
        pub trip_short_name: Option<String>,
        pub block_id: Option<String>,
        pub headsign: Option<String>,
        pub trip_id: String,
        /// `YYYYMMDD`.
        pub service_date: String,
        pub board_rule: Option<String> = leg.board_rule.map(str::to_owned),
        pub alight_rule: Option<String> = leg.alight_rule.map(str::to_owned),
        /// Seconds; only for non-exact frequency trips.
        pub headway: Option<i32>,
    }
}

text_object! {
    /// A part of an itinerary in one mode.
    pub struct Leg from (leg: model::Leg) {
        /// Epoch seconds.
        pub start_time: f64 = seconds(leg.start_time),
        /// Epoch seconds.
        pub end_time: f64 = seconds(leg.end_time),
        /// Seconds; negative when early.
        pub departure_delay: i32,
        /// Seconds; negative when early.
        pub arrival_delay: i32,
        /// Whether live data gave the times.
        pub real_time: bool,
        /// Metres.
        pub distance: f64,
        /// Whether it is a path inside a station.
        pub pathway: bool,
        #[napi(ts_type = "Mode | SwitchMode")]
        pub mode: String = leg.mode.name().to_owned(),
        /// Seconds that clocks of the agency are ahead of UTC.
        pub agency_utc_offset: f64 = seconds(leg.agency_time_zone_offset_ms),
        pub transit: Option<TransitLeg> = leg.transit.map(TransitLeg::from),
        pub from: Place = leg.from.into(),
        pub to: Place = leg.to.into(),
        pub geometry: Polyline = leg.geometry.into(),
        pub alerts: Vec<Alert> = each(leg.alerts),
        pub rented_bike: bool,
        pub intermediate_stops: Option<Vec<Place>> = leg.intermediate_stops.map(each),
        pub steps: Vec<Step> = each(leg.steps),
    }
}

text_object! {
    /// A fare: its type (`regular`, ...) and price.
    pub struct Fare from (fare: model::Fare) {
        pub fare_type: String = fare.fare_type.to_owned(),
        /// ISO 4217.
        pub currency: String = fare.price.currency.clone(),
        /// Digits after the point in prices of the currency.
        pub fraction_digits: u32 = fraction_digits(&fare.price.currency),
        /// In the currency's smallest unit.
        pub cents: i64 = fare.price.minor_units,
        /// The fares bought, in travel order; empty where only the sum is known.
        pub details: Vec<FareDetail> = each(fare.details),
    }
}

text_object! {
    /// A fare bought.
    pub struct FareDetail from (detail: model::FareDetail) {
        /// `feed:fare`.
        pub fare_id: String,
        /// Its price, in the smallest unit of the sum's currency.
        pub cents: i64 = detail.price.minor_units,
        /// `feed:route` of the rides it covers, in travel order.
        pub routes: Vec<String>,
    }
}

text_object! {
    /// One itinerary.
    pub struct Itinerary from (itinerary: model::Itinerary) {
        /// Epoch seconds.
        pub start_time: f64 = seconds(itinerary.start_time),
        /// Epoch seconds.
        pub end_time: f64 = seconds(itinerary.end_time),
        /// Seconds on streets.
        pub walk_time: i64,
        /// Seconds in vehicles.
        pub transit_time: i64,
        /// Seconds of waiting.
        pub waiting_time: i64,
        /// Metres on streets.
        pub walk_distance: f64,
        /// Whether more is walked than the request wants.
        pub walk_limit_exceeded: bool,
        /// Metres downhill.
        pub elevation_lost: f64,
        /// Metres uphill.
        pub elevation_gained: f64,
        /// Changes of vehicle.
        pub transfers: i32,
        pub fare: Vec<Fare> = each(itinerary.fare),
        pub legs: Vec<Leg> = each(itinerary.legs),
        /// For a wheelchair: no itinerary is within `maxSlope`, and this one has a steeper street.
        pub too_sloped: bool,
        /// Seconds, weighted: a boarding counts 600, walking twice.
        pub generalized_cost: f64,
    }
}

text_object! {
    /// Seconds that the steps of a search took.
    pub struct PlanTimings from (timings: model::PlanTimings) {
        /// Linking the places to the streets.
        pub precalculation: f64 = seconds(timings.precalculation),
        /// Searching all paths.
        pub path_calculation: f64 = seconds(timings.path_calculation),
        /// Searching each path.
        pub paths: Vec<f64> = timings.paths.into_iter().map(seconds).collect(),
        /// Making itineraries of the paths.
        pub rendering: f64 = seconds(timings.rendering),
        /// Whether the deadline ended the search.
        pub timed_out: bool,
    }
}

text_object! {
    /// A successful plan.
    pub struct Plan from (plan: model::Plan) {
        /// Requested time, epoch seconds.
        pub date: f64 = seconds(plan.date),
        pub from: Place = plan.from.into(),
        pub to: Place = plan.to.into(),
        pub itineraries: Vec<Itinerary> = each(plan.itineraries),
    }
}

text_object! {
    /// Why there is no itinerary: a value, not an exception.
    pub struct NoPlan from (error: PlanError) {
        /// The interface's constant, e.g. `PATH_NOT_FOUND`.
        pub code: String = error.code.name().to_owned(),
        pub reason: String,
        /// `from`, `to`: places that could not be found.
        pub missing: Vec<String> = error.missing.into_iter().map(str::to_owned).collect(),
    }
}

text_object! {
    /// The outcome of a plan: `plan` or `error`.
    pub struct PlanOutcome {
        pub plan: Option<Plan>,
        pub error: Option<NoPlan>,
        pub timings: PlanTimings,
    }
}

/// Seconds of a number of milliseconds, in which the engine counts instants.
pub(super) fn seconds(milliseconds: impl TryInto<i64>) -> f64 {
    milliseconds.try_into().unwrap_or(i64::MAX) as f64 / 1000.0
}

/// The engine's result as the addon returns it.
pub(crate) fn outcome(result: Result<model::Plan, PlanError>) -> PlanOutcome {
    match result {
        Ok(mut plan) => PlanOutcome {
            timings: std::mem::take(&mut plan.timings).into(),
            plan: Some(plan.into()),
            error: None,
        },
        Err(error) => PlanOutcome {
            timings: model::PlanTimings::default().into(),
            plan: None,
            error: Some(error.into()),
        },
    }
}
