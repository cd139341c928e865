//! The routing request: the interface's shared routing parameters, validated and typed.

use crate::geo::LatLon;
use crate::mode::{Mode, ModeSet};

/// A place as given: a coordinate or the label of a vertex (stop, station, OSM node, rental station).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlaceRequest {
    /// The user's name for it; empty when none was given.
    pub name: String,
    /// Coordinate, when the place is one.
    pub position: Option<LatLon>,
    /// Vertex label, when the place is not a coordinate (`feed:stop`, `osm:node:1`, …); may be empty.
    pub label: String,
}

/// What a cyclist optimizes for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum Optimize {
    #[default]
    Quick,
    Safe,
    Flat,
    Greenways,
    Triangle,
    Transfers,
}

/// A route named in a request (`feed__routeId`, `feed_routeName`, `_routeName`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RouteSpec {
    /// Feed id, empty for any feed.
    pub feed: String,
    /// Short (else long) name with underscores read as blanks; empty when the id is given.
    pub name: String,
    /// GTFS route_id; empty when the name is given.
    pub route_id: String,
}

/// A trip that may not be used, or not at some of its calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BannedTrip {
    /// `feed:trip`.
    pub trip: String,
    /// Pattern positions at which it may not be boarded or alighted from; empty: the whole trip.
    pub stop_positions: Vec<u32>,
}

/// A full routing request. Units: seconds, metres, metres per second, cost ≈ seconds in a vehicle.
#[derive(Clone, PartialEq, Debug)]
pub struct RoutingRequest {
    /// Start.
    pub from: PlaceRequest,
    /// Destination.
    pub to: PlaceRequest,
    /// Ordered via points (plan only).
    pub intermediate_places: Vec<PlaceRequest>,
    /// Departure (or arrival with `arrive_by`), seconds since 1970-01-01T00:00Z.
    pub epoch_seconds: i64,
    /// `epoch_seconds` is the latest arrival.
    pub arrive_by: bool,
    /// Only wheelchair-usable edges, stops and trips.
    pub wheelchair: bool,
    /// Upper limit of results; 0 or less: no answer.
    pub num_itineraries: i32,
    /// Metres walked or cycled, `f64::INFINITY` for no limit.
    pub max_walk_distance: f64,
    /// Longest single transfer edge in metres, `f64::INFINITY` for no limit.
    pub max_transfer_walk_distance: f64,
    /// Seconds of driving before transit.
    pub max_pre_transit_time: i32,
    /// Cost per second of walking (and, as in the reference, of cycling and driving).
    pub walk_reluctance: f64,
    /// Cost per second on stairs.
    pub stairs_reluctance: f64,
    /// Cost per second of turning.
    pub turn_reluctance: f64,
    /// Cost per second of waiting between vehicles.
    pub wait_reluctance: f64,
    /// Cost per second of the first wait.
    pub wait_at_beginning_factor: f64,
    /// Walking speed.
    pub walk_speed: f64,
    /// Cycling speed.
    pub bike_speed: f64,
    /// Upper bound for the speed of cars; each edge has its own speed.
    pub car_speed: f64,
    /// Seconds for changing between walking and riding one's own bike.
    pub bike_switch_time: i32,
    /// Cost of that change.
    pub bike_switch_cost: f64,
    /// Triangle weights; used only with [`Optimize::Triangle`].
    pub triangle_safety: f64,
    /// See `triangle_safety`.
    pub triangle_slope: f64,
    /// See `triangle_safety`.
    pub triangle_time: f64,
    /// Cycling optimization.
    pub optimize: Optimize,
    /// Allowed modes after resolving qualifiers.
    pub modes: ModeSet,
    /// Rent a bike.
    pub bike_rental: bool,
    /// Bike park and ride.
    pub bike_park: bool,
    /// Car park and ride.
    pub car_park: bool,
    /// Kiss and ride.
    pub kiss_and_ride: bool,
    /// Seconds between leaving one vehicle and boarding the next.
    pub transfer_slack: i32,
    /// Seconds before the first boarding.
    pub board_slack: i32,
    /// Seconds after alighting.
    pub alight_slack: i32,
    /// Routes that are preferred.
    pub preferred_routes: Vec<RouteSpec>,
    /// Routes that cost extra.
    pub unpreferred_routes: Vec<RouteSpec>,
    /// Routes that may not be used.
    pub banned_routes: Vec<RouteSpec>,
    /// When any whitelist is set a route must match one of them.
    pub whitelisted_routes: Vec<RouteSpec>,
    /// Ids of agencies that are preferred.
    pub preferred_agencies: Vec<String>,
    /// Ids of agencies that cost extra.
    pub unpreferred_agencies: Vec<String>,
    /// Ids of agencies that may not be used.
    pub banned_agencies: Vec<String>,
    /// Ids of the only agencies that may be used, beside `whitelisted_routes`.
    pub whitelisted_agencies: Vec<String>,
    /// Trips that may not be used.
    pub banned_trips: Vec<BannedTrip>,
    /// `feed:stop`: no boarding or alighting.
    pub banned_stops: Vec<String>,
    /// `feed:stop`: not even riding through.
    pub banned_stops_hard: Vec<String>,
    /// Cost per boarding of a route that is not preferred, when preferences exist.
    pub other_than_preferred_routes_penalty: i32,
    /// Cost per boarding of an unpreferred route.
    pub use_unpreferred_routes_penalty: i32,
    /// Cost per boarding on foot.
    pub walk_board_cost: i32,
    /// Cost per boarding with a bike.
    pub bike_board_cost: i32,
    /// Cost per boarding after the first.
    pub transfer_penalty: i32,
    /// Cost of a transfer that is neither preferred nor timed, when the feed has any such.
    pub nonpreferred_transfer_penalty: i32,
    /// Most transfers: one vehicle more may be boarded.
    pub max_transfers: i32,
    /// The same for a plan that has no itinerary with so few.
    pub max_transfers_if_no_path: Option<i32>,
    /// Return the stops that are passed.
    pub show_intermediate_stops: bool,
    /// `feed:stop` of the stop or station at which the first vehicle of a plan is boarded.
    pub start_transit_stop: Option<String>,
    /// `feed:trip` to start in.
    pub start_transit_trip: Option<String>,
    /// One-to-many: at most this many seconds of initial wait are removed; negative: all.
    pub clamp_initial_wait: i64,
    /// Language code such as `en`.
    pub locale: String,
    /// Ignore live data.
    pub ignore_realtime: bool,
    /// Steepest usable slope with `wheelchair`.
    pub max_slope: f64,
    /// Keep to the right when turning.
    pub drive_on_right: bool,
    /// Seconds to take a rented bike.
    pub bike_rental_pickup_time: i32,
    /// Its cost.
    pub bike_rental_pickup_cost: f64,
    /// Seconds to return a rented bike.
    pub bike_rental_dropoff_time: i32,
    /// Its cost.
    pub bike_rental_dropoff_cost: f64,
    /// Seconds to park a bike.
    pub bike_park_time: i32,
    /// Its cost.
    pub bike_park_cost: f64,
    /// Seconds to park or leave a car.
    pub car_dropoff_time: i32,
    /// Seconds to board an elevator.
    pub elevator_board_time: i32,
    /// Its cost.
    pub elevator_board_cost: f64,
    /// Seconds per floor.
    pub elevator_hop_time: i32,
    /// Its cost.
    pub elevator_hop_cost: f64,
    /// Longest itinerary in hours; infinity for none.
    pub max_hours: f64,
    /// Measure `max_hours` from the requested time.
    pub use_requested_time_in_max_hours: bool,
    /// Sort itineraries by duration.
    pub sort_by_duration: bool,
    /// Show alerts whatever their period.
    pub disable_alert_filtering: bool,
    /// Seconds per mode added before boarding (router configuration), by mode number.
    pub board_times: [i32; 13],
    /// Seconds per mode added after alighting, by mode number.
    pub alight_times: [i32; 13],
    /// Milliseconds after which a search stops, from its start, for the 1st, 2nd, … itinerary; the last repeats.
    pub timeouts_ms: Vec<u32>,
}

impl Default for RoutingRequest {
    /// The built-in defaults of the interface.
    fn default() -> Self {
        RoutingRequest {
            from: PlaceRequest::default(),
            to: PlaceRequest::default(),
            intermediate_places: Vec::new(),
            epoch_seconds: 0,
            arrive_by: false,
            wheelchair: false,
            num_itineraries: 3,
            max_walk_distance: f64::INFINITY,
            max_transfer_walk_distance: f64::INFINITY,
            max_pre_transit_time: 1800,
            walk_reluctance: 2.0,
            stairs_reluctance: 2.0,
            turn_reluctance: 1.0,
            wait_reluctance: 1.0,
            wait_at_beginning_factor: 0.4,
            walk_speed: 1.33,
            bike_speed: 5.0,
            car_speed: 40.0,
            bike_switch_time: 0,
            bike_switch_cost: 0.0,
            triangle_safety: 0.0,
            triangle_slope: 0.0,
            triangle_time: 0.0,
            optimize: Optimize::Quick,
            modes: ModeSet::TRANSIT.with(Mode::Walk),
            bike_rental: false,
            bike_park: false,
            car_park: false,
            kiss_and_ride: false,
            transfer_slack: 0,
            board_slack: 0,
            alight_slack: 0,
            preferred_routes: Vec::new(),
            unpreferred_routes: Vec::new(),
            banned_routes: Vec::new(),
            whitelisted_routes: Vec::new(),
            preferred_agencies: Vec::new(),
            unpreferred_agencies: Vec::new(),
            banned_agencies: Vec::new(),
            whitelisted_agencies: Vec::new(),
            banned_trips: Vec::new(),
            banned_stops: Vec::new(),
            banned_stops_hard: Vec::new(),
            other_than_preferred_routes_penalty: 300,
            use_unpreferred_routes_penalty: 300,
            walk_board_cost: 600,
            bike_board_cost: 600,
            transfer_penalty: 0,
            nonpreferred_transfer_penalty: 180,
            max_transfers: 2,
            max_transfers_if_no_path: None,
            show_intermediate_stops: false,
            start_transit_stop: None,
            start_transit_trip: None,
            clamp_initial_wait: -1,
            locale: "en".to_owned(),
            ignore_realtime: false,
            max_slope: 0.083_333_333_333_3,
            drive_on_right: true,
            bike_rental_pickup_time: 60,
            bike_rental_pickup_cost: 120.0,
            bike_rental_dropoff_time: 30,
            bike_rental_dropoff_cost: 30.0,
            bike_park_time: 60,
            bike_park_cost: 120.0,
            car_dropoff_time: 120,
            elevator_board_time: 90,
            elevator_board_cost: 90.0,
            elevator_hop_time: 20,
            elevator_hop_cost: 20.0,
            max_hours: f64::INFINITY,
            use_requested_time_in_max_hours: false,
            sort_by_duration: false,
            disable_alert_filtering: false,
            board_times: [0; 13],
            alight_times: [0; 13],
            timeouts_ms: vec![5000, 4000, 2000],
        }
    }
}

impl RoutingRequest {
    /// Mode in which the traveller starts (interface section 0.4). Park-and-ride flags come first; otherwise car,
    /// walking, cycling in this order.
    pub fn start_mode(&self) -> Mode {
        if self.car_park || self.kiss_and_ride || self.modes.has(Mode::Car) {
            Mode::Car
        } else if self.bike_park {
            Mode::Bicycle
        } else if self.modes.has(Mode::Walk) || !self.modes.has(Mode::Bicycle) {
            Mode::Walk
        } else {
            Mode::Bicycle
        }
    }

    /// Whether the traveller takes a bicycle of their own aboard vehicles: one that is neither rented nor parked.
    pub fn bike_aboard(&self) -> bool {
        self.start_mode() == Mode::Bicycle && !self.bike_park && !self.bike_rental
    }

    /// Whether any transit mode is allowed.
    pub fn uses_transit(&self) -> bool {
        self.modes.has_transit()
    }
}
