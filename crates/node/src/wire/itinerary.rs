//! Plans as typed objects. Instants are seconds since 1970, durations seconds, distances metres.

use napi_derive::napi;
use serde::Serialize;
use trestle_model::itinerary as model;
use trestle_transit::fares::fraction_digits;

/// An encoded polyline (precision 1e5, latitude first) and its number of points.
#[napi(object)]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Polyline {
    pub points: String,
    pub length: u32,
}

/// An alert or street note.
#[napi(object)]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Alert {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// When it begins, epoch seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effective_start: Option<f64>,
}

/// An end or passing point of a leg.
#[napi(object)]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    pub name: String,
    /// `feed:stop`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform_code: Option<String>,
    pub lon: f64,
    pub lat: f64,
    /// Epoch seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrival: Option<f64>,
    /// Epoch seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub departure: Option<f64>,
    /// The user's name for the place; only at the ends of an itinerary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orig: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_index: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_sequence: Option<u32>,
    #[napi(ts_type = "'NORMAL' | 'BIKESHARE' | 'BIKEPARK' | 'TRANSIT'")]
    pub vertex_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bike_share_id: Option<String>,
}

/// One instruction of a street leg.
#[napi(object)]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Metres.
    pub distance: f64,
    /// `DEPART`, `LEFT`, `CIRCLE_CLOCKWISE`, ...
    pub relative: String,
    pub street_name: String,
    /// `NORTH`, ...; absent for elevators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absolute: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<String>,
    pub stay_on: bool,
    pub area: bool,
    pub bogus_name: bool,
    pub lon: f64,
    pub lat: f64,
    /// x0, y0, x1, y1, ...: metres from the step's start and metres of elevation.
    pub elevation: Vec<f64>,
    pub alerts: Vec<Alert>,
}

/// What only a transit leg has.
#[napi(object)]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TransitLeg {
    pub route: String,
    pub agency_name: String,
    pub agency_url: String,
    pub agency_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route_color: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route_text_color: Option<String>,
    pub route_type: i32,
    pub route_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route_short_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route_long_name: Option<String>,
    pub interline_with_previous: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trip_short_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headsign: Option<String>,
    pub trip_id: String,
    /// `YYYYMMDD`.
    pub service_date: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board_rule: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alight_rule: Option<String>,
    /// Seconds; only for non-exact frequency trips.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headway: Option<i32>,
}

/// A part of an itinerary in one mode.
#[napi(object)]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Leg {
    /// Epoch seconds.
    pub start_time: f64,
    /// Epoch seconds.
    pub end_time: f64,
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
    pub mode: String,
    /// Seconds that clocks of the agency are ahead of UTC.
    pub agency_utc_offset: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transit: Option<TransitLeg>,
    pub from: Place,
    pub to: Place,
    pub geometry: Polyline,
    pub alerts: Vec<Alert>,
    pub rented_bike: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intermediate_stops: Option<Vec<Place>>,
    pub steps: Vec<Step>,
}

/// A fare: its type (`regular`, ...) and price.
#[napi(object)]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fare {
    pub fare_type: String,
    /// ISO 4217.
    pub currency: String,
    /// Digits after the point in prices of the currency.
    pub fraction_digits: u32,
    /// In the currency's smallest unit.
    pub cents: i64,
    /// The fares bought, in travel order; empty where only the sum is known.
    pub details: Vec<FareDetail>,
}

/// A fare bought.
#[napi(object)]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FareDetail {
    /// `feed:fare`.
    pub fare_id: String,
    /// Its price, in the smallest unit of the sum's currency.
    pub cents: i64,
    /// `feed:route` of the rides it covers, in travel order.
    pub routes: Vec<String>,
}

/// One itinerary.
#[napi(object)]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Itinerary {
    /// Epoch seconds.
    pub start_time: f64,
    /// Epoch seconds.
    pub end_time: f64,
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
    pub fare: Vec<Fare>,
    pub legs: Vec<Leg>,
    /// Seconds, weighted: a boarding counts 600, walking twice.
    pub generalized_cost: f64,
}

/// Seconds that the steps of a search took.
#[napi(object)]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanTimings {
    /// Linking the places to the streets.
    pub precalculation: f64,
    /// Searching all paths.
    pub path_calculation: f64,
    /// Searching each path.
    pub paths: Vec<f64>,
    /// Making itineraries of the paths.
    pub rendering: f64,
    /// Whether the deadline ended the search.
    pub timed_out: bool,
}

/// A successful plan.
#[napi(object)]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Requested time, epoch seconds.
    pub date: f64,
    pub from: Place,
    pub to: Place,
    pub itineraries: Vec<Itinerary>,
}

/// Why there is no itinerary: a value, not an exception.
#[napi(object)]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NoPlan {
    /// The interface's constant, e.g. `PATH_NOT_FOUND`.
    pub code: String,
    pub reason: String,
    /// `from`, `to`: places that could not be found.
    pub missing: Vec<String>,
}

/// The outcome of a plan: `plan` or `error`.
#[napi(object)]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanOutcome {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<NoPlan>,
    pub timings: PlanTimings,
}

/// Seconds of a number of milliseconds, in which the engine counts instants.
pub(super) fn seconds(milliseconds: impl TryInto<i64>) -> f64 {
    milliseconds.try_into().unwrap_or(i64::MAX) as f64 / 1000.0
}

fn alert(a: model::Alert) -> Alert {
    Alert {
        header: a.header,
        description: a.description,
        url: a.url,
        effective_start: a.effective_start.map(seconds),
    }
}

fn place(p: model::Place) -> Place {
    Place {
        name: p.name,
        stop_id: p.stop_id,
        stop_code: p.stop_code,
        platform_code: p.platform_code,
        lon: p.lon,
        lat: p.lat,
        arrival: p.arrival.map(seconds),
        departure: p.departure.map(seconds),
        orig: p.orig,
        zone_id: p.zone_id,
        stop_index: p.stop_index,
        stop_sequence: p.stop_sequence,
        vertex_type: match p.vertex_type {
            model::VertexType::Normal => "NORMAL",
            model::VertexType::BikeShare => "BIKESHARE",
            model::VertexType::BikePark => "BIKEPARK",
            model::VertexType::Transit => "TRANSIT",
        }
        .to_owned(),
        bike_share_id: p.bike_share_id,
    }
}

fn relative_name(direction: model::RelativeDirection) -> &'static str {
    use model::RelativeDirection as D;
    match direction {
        D::Depart => "DEPART",
        D::HardLeft => "HARD_LEFT",
        D::Left => "LEFT",
        D::SlightlyLeft => "SLIGHTLY_LEFT",
        D::Continue => "CONTINUE",
        D::SlightlyRight => "SLIGHTLY_RIGHT",
        D::Right => "RIGHT",
        D::HardRight => "HARD_RIGHT",
        D::CircleClockwise => "CIRCLE_CLOCKWISE",
        D::CircleCounterclockwise => "CIRCLE_COUNTERCLOCKWISE",
        D::Elevator => "ELEVATOR",
        D::UturnLeft => "UTURN_LEFT",
        D::UturnRight => "UTURN_RIGHT",
    }
}

fn absolute_name(direction: model::AbsoluteDirection) -> &'static str {
    use model::AbsoluteDirection as D;
    match direction {
        D::North => "NORTH",
        D::Northeast => "NORTHEAST",
        D::East => "EAST",
        D::Southeast => "SOUTHEAST",
        D::South => "SOUTH",
        D::Southwest => "SOUTHWEST",
        D::West => "WEST",
        D::Northwest => "NORTHWEST",
    }
}

pub(super) fn step(s: model::Step) -> Step {
    Step {
        distance: s.distance,
        relative: relative_name(s.relative).to_owned(),
        street_name: s.street_name,
        absolute: s.absolute.map(|d| absolute_name(d).to_owned()),
        exit: s.exit,
        stay_on: s.stay_on,
        area: s.area,
        bogus_name: s.bogus_name,
        lon: s.lon,
        lat: s.lat,
        elevation: s.elevation.into_iter().flat_map(|(x, y)| [x, y]).collect(),
        alerts: s.alerts.into_iter().map(alert).collect(),
    }
}

fn transit_leg(t: model::TransitLeg) -> TransitLeg {
    TransitLeg {
        route: t.route,
        agency_name: t.agency_name,
        agency_url: t.agency_url,
        agency_id: t.agency_id,
        route_color: t.route_color,
        route_text_color: t.route_text_color,
        route_type: t.route_type,
        route_id: t.route_id,
        route_short_name: t.route_short_name,
        route_long_name: t.route_long_name,
        interline_with_previous: t.interline_with_previous,
        trip_short_name: t.trip_short_name,
        block_id: t.block_id,
        headsign: t.headsign,
        trip_id: t.trip_id,
        service_date: t.service_date,
        board_rule: t.board_rule.map(str::to_owned),
        alight_rule: t.alight_rule.map(str::to_owned),
        headway: t.headway,
    }
}

fn leg(l: model::Leg) -> Leg {
    Leg {
        start_time: seconds(l.start_time),
        end_time: seconds(l.end_time),
        departure_delay: l.departure_delay,
        arrival_delay: l.arrival_delay,
        real_time: l.real_time,
        distance: l.distance,
        pathway: l.pathway,
        mode: l.mode.name().to_owned(),
        agency_utc_offset: seconds(l.agency_time_zone_offset_ms),
        transit: l.transit.map(transit_leg),
        from: place(l.from),
        to: place(l.to),
        geometry: Polyline { points: l.geometry.points, length: l.geometry.length },
        alerts: l.alerts.into_iter().map(alert).collect(),
        rented_bike: l.rented_bike,
        intermediate_stops: l.intermediate_stops.map(|stops| stops.into_iter().map(place).collect()),
        steps: l.steps.into_iter().map(step).collect(),
    }
}

fn itinerary(i: model::Itinerary) -> Itinerary {
    Itinerary {
        start_time: seconds(i.start_time),
        end_time: seconds(i.end_time),
        walk_time: i.walk_time,
        transit_time: i.transit_time,
        waiting_time: i.waiting_time,
        walk_distance: i.walk_distance,
        walk_limit_exceeded: i.walk_limit_exceeded,
        elevation_lost: i.elevation_lost,
        elevation_gained: i.elevation_gained,
        transfers: i.transfers,
        fare: i.fare.into_iter().map(fare).collect(),
        legs: i.legs.into_iter().map(leg).collect(),
        generalized_cost: i.generalized_cost,
    }
}

fn fare(f: model::Fare) -> Fare {
    let detail = |d: model::FareDetail| FareDetail {
        fare_id: d.fare_id,
        cents: d.price.minor_units,
        routes: d.routes,
    };
    Fare {
        fare_type: f.fare_type.to_owned(),
        fraction_digits: fraction_digits(&f.price.currency),
        currency: f.price.currency,
        cents: f.price.minor_units,
        details: f.details.into_iter().map(detail).collect(),
    }
}

fn timings(t: model::PlanTimings) -> PlanTimings {
    PlanTimings {
        precalculation: seconds(t.precalculation),
        path_calculation: seconds(t.path_calculation),
        paths: t.paths.into_iter().map(seconds).collect(),
        rendering: seconds(t.rendering),
        timed_out: t.timed_out,
    }
}

/// The engine's result as the addon returns it.
pub(crate) fn outcome(result: Result<model::Plan, trestle_model::PlanError>) -> PlanOutcome {
    match result {
        Ok(plan) => PlanOutcome {
            timings: timings(plan.timings),
            plan: Some(Plan {
                date: seconds(plan.date),
                from: place(plan.from),
                to: place(plan.to),
                itineraries: plan.itineraries.into_iter().map(itinerary).collect(),
            }),
            error: None,
        },
        Err(error) => PlanOutcome {
            timings: timings(model::PlanTimings::default()),
            plan: None,
            error: Some(NoPlan {
                code: error.code.name().to_owned(),
                reason: error.reason,
                missing: error.missing.into_iter().map(str::to_owned).collect(),
            }),
        },
    }
}
