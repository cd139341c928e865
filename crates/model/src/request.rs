//! The routing request: the interface's shared routing parameters, validated and typed.

use crate::direction::Direction;
use crate::geo::LatLon;
use crate::mode::{Mode, ModeSet};
use crate::named;
use crate::with_defaults;

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

named! {
    /// What a cyclist optimizes for.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Optimize {
        #[default]
        Quick = "QUICK",
        Safe = "SAFE",
        Flat = "FLAT",
        Greenways = "GREENWAYS",
        Triangle = "TRIANGLE",
    }
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

with_defaults! {
    /// A full routing request, with the built-in defaults of the interface. Units: seconds, metres, metres per second;
    /// a cost of 1 is about a second in a vehicle.
    #[derive(Clone, PartialEq, Debug)]
    pub struct RoutingRequest {
        pub from: PlaceRequest = PlaceRequest::default(),
        pub to: PlaceRequest = PlaceRequest::default(),
        /// Ordered via points (plan only).
        pub intermediate_places: Vec<PlaceRequest> = Vec::new(),
        /// When the travel starts, or by when it ends if `direction` is backward; seconds since 1970-01-01T00:00Z.
        pub epoch_seconds: i64 = 0,
        /// Backward with the interface's `arriveBy`.
        pub direction: Direction = Direction::Forward,
        /// Only wheelchair-usable edges, stops and trips.
        pub wheelchair: bool = false,
        /// Upper limit of results; 0 or less: no answer.
        pub num_itineraries: i32 = 3,
        /// Metres walked or cycled, `f64::INFINITY` for no limit.
        pub max_walk_distance: f64 = f64::INFINITY,
        /// Longest single transfer edge in metres, `f64::INFINITY` for no limit.
        pub max_transfer_walk_distance: f64 = f64::INFINITY,
        /// Seconds of driving before transit.
        pub max_pre_transit_time: i32 = 1800,
        /// Cost per second of walking (and, as in the reference, of cycling and driving).
        pub walk_reluctance: f64 = 2.0,
        /// Cost per second on stairs.
        pub stairs_reluctance: f64 = 2.0,
        /// Cost per second of turning.
        pub turn_reluctance: f64 = 1.0,
        /// Cost per second of waiting between vehicles.
        pub wait_reluctance: f64 = 1.0,
        /// Cost per second of the first wait.
        pub wait_at_beginning_factor: f64 = 0.4,
        pub walk_speed: f64 = 1.33,
        pub bike_speed: f64 = 5.0,
        /// Upper bound for the speed of cars; each edge has its own speed.
        pub car_speed: f64 = 40.0,
        /// Seconds for changing between walking and riding one's own bike.
        pub bike_switch_time: i32 = 0,
        /// Cost of that change.
        pub bike_switch_cost: f64 = 0.0,
        /// Triangle weights; used only with [`Optimize::Triangle`].
        pub triangle_safety: f64 = 0.0,
        /// See `triangle_safety`.
        pub triangle_slope: f64 = 0.0,
        /// See `triangle_safety`.
        pub triangle_time: f64 = 0.0,
        pub optimize: Optimize = Optimize::Quick,
        /// Allowed modes after resolving qualifiers.
        pub modes: ModeSet = ModeSet::TRANSIT.with(Mode::Walk),
        pub bike_rental: bool = false,
        /// Bike park and ride.
        pub bike_park: bool = false,
        /// Car park and ride.
        pub car_park: bool = false,
        /// Kiss and ride.
        pub kiss_and_ride: bool = false,
        /// Seconds between leaving one vehicle and boarding the next.
        pub transfer_slack: i32 = 0,
        /// Seconds before the first boarding.
        pub board_slack: i32 = 0,
        /// Seconds after alighting.
        pub alight_slack: i32 = 0,
        pub preferred_routes: Vec<RouteSpec> = Vec::new(),
        /// Routes that cost extra.
        pub unpreferred_routes: Vec<RouteSpec> = Vec::new(),
        /// Routes that may not be used.
        pub banned_routes: Vec<RouteSpec> = Vec::new(),
        /// When any whitelist is set a route must match one of them.
        pub whitelisted_routes: Vec<RouteSpec> = Vec::new(),
        pub preferred_agencies: Vec<String> = Vec::new(),
        /// Ids of agencies that cost extra.
        pub unpreferred_agencies: Vec<String> = Vec::new(),
        /// Ids of agencies that may not be used.
        pub banned_agencies: Vec<String> = Vec::new(),
        /// Ids of the only agencies that may be used, besides `whitelisted_routes`.
        pub whitelisted_agencies: Vec<String> = Vec::new(),
        /// Trips that may not be used.
        pub banned_trips: Vec<BannedTrip> = Vec::new(),
        /// `feed:stop`: no boarding or alighting.
        pub banned_stops: Vec<String> = Vec::new(),
        /// `feed:stop`: not even riding through.
        pub banned_stops_hard: Vec<String> = Vec::new(),
        /// Cost per boarding of a route that is not preferred, when preferences exist.
        pub other_than_preferred_routes_penalty: i32 = 300,
        /// Cost per boarding of an unpreferred route.
        pub use_unpreferred_routes_penalty: i32 = 300,
        /// Cost per boarding on foot.
        pub walk_board_cost: i32 = 600,
        /// Cost per boarding with a bike.
        pub bike_board_cost: i32 = 600,
        /// Cost per boarding after the first.
        pub transfer_penalty: i32 = 0,
        /// Cost of a transfer that is neither preferred nor timed, when the feed has any such.
        pub nonpreferred_transfer_penalty: i32 = 180,
        /// Most transfers between vehicles.
        pub max_transfers: i32 = 2,
        /// Most transfers of a plan if it has no itinerary with `max_transfers`.
        pub max_transfers_if_no_path: Option<i32> = None,
        /// Return the stops that are passed.
        pub show_intermediate_stops: bool = false,
        /// `feed:stop` of the stop or station at which the first vehicle of a plan is boarded.
        pub start_transit_stop: Option<String> = None,
        /// `feed:trip` to start in.
        pub start_transit_trip: Option<String> = None,
        /// Analyses: up to this many seconds of the first wait are left out of travel times; if negative, all of them.
        pub clamp_initial_wait: i64 = -1,
        /// Language code such as `en`.
        pub locale: String = "en".to_owned(),
        pub ignore_realtime: bool = false,
        /// Steepest usable slope with `wheelchair`.
        pub max_slope: f64 = 0.083_333_333_333_3,
        /// Keep to the right when turning.
        pub drive_on_right: bool = true,
        /// Seconds to take a rented bike.
        pub bike_rental_pickup_time: i32 = 60,
        pub bike_rental_pickup_cost: f64 = 120.0,
        /// Seconds to return a rented bike.
        pub bike_rental_dropoff_time: i32 = 30,
        pub bike_rental_dropoff_cost: f64 = 30.0,
        /// Seconds to park a bike.
        pub bike_park_time: i32 = 60,
        pub bike_park_cost: f64 = 120.0,
        /// Seconds to park or leave a car.
        pub car_dropoff_time: i32 = 120,
        /// Seconds to board an elevator.
        pub elevator_board_time: i32 = 90,
        pub elevator_board_cost: f64 = 90.0,
        /// Seconds per floor.
        pub elevator_hop_time: i32 = 20,
        pub elevator_hop_cost: f64 = 20.0,
        /// Itineraries must take fewer seconds than this; infinity for no limit.
        pub max_duration: f64 = f64::INFINITY,
        /// Measure `max_duration` from the requested time.
        pub max_duration_from_requested_time: bool = false,
        pub sort_by_duration: bool = false,
        /// Show alerts outside their periods too.
        pub disable_alert_filtering: bool = false,
        /// Seconds per mode added before boarding (router configuration), by mode number.
        pub board_times: [i32; Mode::COUNT] = [0; Mode::COUNT],
        /// Seconds per mode added after alighting, by mode number.
        pub alight_times: [i32; Mode::COUNT] = [0; Mode::COUNT],
        /// Milliseconds after which a search stops, from its start, for the 1st, 2nd, … itinerary; the last repeats.
        pub timeouts_ms: Vec<u32> = vec![5000, 4000, 2000],
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
