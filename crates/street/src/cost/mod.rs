//! Time and generalized cost of edges and turns, by mode and request.

mod pace;
mod permitted_turns;
mod street_mode;

use trestle_model::request::Optimize;
use trestle_model::{Direction, RoutingRequest, with_defaults};

use crate::arc::{Arc, arc_bits};
use crate::graph::{Edge, EdgeKind, StreetGraph, edge_flags};
use crate::street_record::StreetRecord;

pub use pace::{StreetPace, WalkPace, walk_cost};
pub(crate) use permitted_turns::MayTurn;
pub use street_mode::StreetMode;

/// Walking a bike: share of the walking speed, and factors on the reluctances.
const BIKE_WALKING_SPEED: f64 = 0.8;
const BIKE_WALKING_RELUCTANCE: f64 = 2.7;
const BIKE_WALKING_STAIRS_RELUCTANCE: f64 = 5.0;
/// A street at most this "unsafe" counts as a greenway, which is cheaper by the factor below.
const GREENWAY_SAFETY: f32 = 0.1;
const GREENWAY_FACTOR: f64 = 0.66;
/// Walking speed for which the slope formula was made, m/s.
const SLOPE_FORMULA_SPEED: f64 = 4.0 / 3.0;
/// Seconds of a turn by car: at a traffic light; without one, straight on or to either side.
const CAR_LIGHT_SECONDS: f64 = 15.0;
const CAR_STRAIGHT_SECONDS: f64 = 5.0;
const CAR_TURN_SECONDS: f64 = 8.0;
/// Between edges faster than this a car loses no time, m/s.
pub(crate) const FREE_CAR_SPEED: f32 = 25.0;
/// The longest time of a street, because one in a damaged graph may take forever. Sums of a few do not overflow.
const MOST_SECONDS: f64 = (1 << 30) as f64;
/// Degrees of turning that take a pedestrian or cyclist one second at 1 m/s.
const DEGREES_PER_SECOND: f64 = 20.0;

/// Speed inside a park-and-ride lot, m/s, and the length of a path through it as a multiple of the straight line.
const LOT_DRIVING_SPEED: f64 = 3.0;
const LOT_DETOUR: f64 = 2.0;

/// The vehicle of a traveller in one layer of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TraverseMode {
    Foot,
    /// Own or rented bike: ridden where permitted, walked elsewhere.
    Bicycle,
    Car,
}

/// Speed and reluctances of one of the [`Means`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Moving {
    /// Metres per second (cars take the edge's speed).
    pub(crate) speed: f64,
    /// Seconds of a turn by one degree.
    turn: f64,
    /// Seconds per metre of the slope formula.
    slope_pace: f64,
    reluctance: f64,
    stairs_reluctance: f64,
}

/// How an edge is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Means {
    Foot,
    WalkedBicycle,
    Bicycle,
    Car,
}

impl Moving {
    fn new(speed: f64, reluctance: f64, stairs_reluctance: f64) -> Moving {
        let (turn, slope_pace) = (1.0 / DEGREES_PER_SECOND / speed, SLOPE_FORMULA_SPEED / speed);
        Moving { speed, turn, slope_pace, reluctance, stairs_reluctance }
    }
}

/// Time, cost and distance of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    pub(crate) seconds: i32,
    pub(crate) weight: f64,
    /// Metres walked or cycled (with the small share of turns that breaks ties).
    pub(crate) walk: f64,
}

impl Effort {
    /// Adds a turn of some seconds.
    #[inline(always)]
    pub(crate) fn add_turn(&mut self, turn: f64, reluctance: f64, driving: bool) {
        self.seconds += whole_seconds(turn);
        self.weight += turn * reluctance;
        self.walk += if driving { 0.0 } else { turn / 100.0 };
    }
}

with_defaults! {
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct StreetLimits {
        /// Metres walked or cycled.
        pub max_walk_distance: f64 = f64::INFINITY,
        /// Seconds driven before transit, for park and ride and kiss and ride.
        pub max_pre_transit_seconds: i32 = i32::MAX,
        /// The same for searches in which more seconds only cost extra.
        pub cheap_pre_transit_seconds: i32 = i32::MAX,
        /// Seconds of the whole search.
        pub max_seconds: i32 = i32::MAX,
        /// Paths longer than `max_walk_distance` must cost less than this: 0 makes the limit hard; with infinity the
        /// distance beyond it only costs extra.
        pub max_cost_beyond: f64 = 0.0,
    }
}

impl StreetLimits {
    /// The hard limits of a request before and after transit.
    pub fn around_transit(request: &RoutingRequest) -> StreetLimits {
        StreetLimits {
            max_walk_distance: request.max_walk_distance,
            max_pre_transit_seconds: request.max_pre_transit_time,
            ..StreetLimits::default()
        }
    }

    /// A cost that hardly any path within the walking limit exceeds: waiting and riding for the whole time, all boardings,
    /// and walking up to the limit at half the speed. Unpreferred routes, very steep streets and long walks with a bike
    /// may still cost more.
    pub fn max_cost_within(request: &RoutingRequest, max_seconds: i32) -> f64 {
        let RoutingRequest { walk_reluctance, stairs_reluctance, wait_reluctance, .. } = request;
        let riding = wait_reluctance.max(1.0);
        let walking = walk_reluctance.max(*stairs_reluctance).max(riding);
        let longest = f64::from(max_seconds);
        let walked = (2.0 * request.max_walk_distance / request.walk_speed).min(longest);
        let boardings = f64::from(request.max_transfers) + 1.0;
        let board_cost = f64::from(request.walk_board_cost.max(request.bike_board_cost));
        riding * longest + (walking - riding) * walked + boardings * board_cost
    }

    /// Extra cost of a step from `before` to `after` metres beyond the soft limit: 60 once, then 5 per metre.
    pub(crate) fn overage(&self, before: f64, after: f64) -> f64 {
        let limit = self.max_walk_distance;
        if before <= limit && after > limit { 60.0 + 5.0 * (after - limit) } else { 5.0 * (after - before) }
    }

    /// Extra cost of a step from `before` to `after` seconds driven before transit: 300 when they become more than are cheap,
    /// then 10 per second.
    pub(crate) fn pre_transit_overage(&self, before: i32, after: i32) -> f64 {
        let cheap = self.cheap_pre_transit_seconds;
        let once = if before <= cheap && after > cheap { 300.0 } else { 0.0 };
        once + 10.0 * f64::from((after - before.max(cheap)).max(0))
    }
}

/// Costs of one request.
#[derive(Clone, PartialEq, Debug)]
pub struct StreetCosts {
    /// How the traveller uses the streets.
    pub street_mode: StreetMode,
    pub(crate) foot: Moving,
    pub(crate) bicycle: Moving,
    pub(crate) walked_bicycle: Moving,
    pub(crate) car: Moving,
    optimize: Optimize,
    /// Shares of time, slope and safety.
    triangle: [f64; 3],
    /// Steepest slope usable in a wheelchair.
    wheelchair: Option<f32>,
    pub(crate) turn_reluctance: f64,
    drive_on_right: bool,
    /// Local seconds since 1970 at the start (backward: at the arrival).
    local_start: i64,
    /// Seconds and cost.
    pub(crate) bike_switch: (i32, f64),
    pub(crate) rental_pickup: (i32, f64),
    pub(crate) rental_dropoff: (i32, f64),
    pub(crate) bike_park: (i32, f64),
    pub(crate) car_park: (i32, f64),
    pub(crate) elevator_board: (i32, f64),
    pub(crate) elevator_hop: (i32, f64),
}

impl StreetCosts {
    /// Costs of a request. `utc_offset_seconds` is the local time's offset at the request's time (for turn
    /// restrictions that hold at certain hours).
    pub fn from_request(request: &RoutingRequest, utc_offset_seconds: i32) -> StreetCosts {
        let (walk, stairs) = (request.walk_reluctance, request.stairs_reluctance);
        StreetCosts {
            street_mode: StreetMode::of(request),
            foot: Moving::new(request.walk_speed, walk, stairs),
            bicycle: Moving::new(request.bike_speed, walk, stairs),
            walked_bicycle: Moving::new(
                request.walk_speed * BIKE_WALKING_SPEED,
                walk * BIKE_WALKING_RELUCTANCE,
                stairs * BIKE_WALKING_STAIRS_RELUCTANCE,
            ),
            car: Moving::new(request.car_speed, walk, stairs),
            optimize: request.optimize,
            triangle: [request.triangle_time, request.triangle_slope, request.triangle_safety],
            wheelchair: request.wheelchair.then_some(request.max_slope as f32),
            turn_reluctance: request.turn_reluctance,
            drive_on_right: request.drive_on_right,
            local_start: request.epoch_seconds + i64::from(utc_offset_seconds),
            bike_switch: (request.bike_switch_time, request.bike_switch_cost),
            rental_pickup: (request.bike_rental_pickup_time, request.bike_rental_pickup_cost),
            rental_dropoff: (request.bike_rental_dropoff_time, request.bike_rental_dropoff_cost),
            bike_park: (request.bike_park_time, request.bike_park_cost),
            car_park: (request.car_dropoff_time, f64::from(request.car_dropoff_time)),
            elevator_board: (request.elevator_board_time, request.elevator_board_cost),
            elevator_hop: (request.elevator_hop_time, request.elevator_hop_cost),
        }
    }

    /// The same costs for another street mode, e.g. [`StreetMode::after_transit`].
    pub fn for_mode(&self, street_mode: StreetMode) -> StreetCosts {
        StreetCosts { street_mode, ..self.clone() }
    }

    /// These costs for the two street modes of [`StreetMode::around_transit`].
    pub fn around_transit(&self, direction: Direction) -> [StreetCosts; 2] {
        self.street_mode.around_transit(direction).map(|street_mode| self.for_mode(street_mode))
    }

    /// These costs with defaults for everything that makes no difference to a metric, so that requests that need the
    /// same metric have equal costs.
    pub(crate) fn of_streets(&self) -> StreetCosts {
        let unused = Moving::new(1.0, 0.0, 0.0);
        let walks = matches!(self.street_mode, StreetMode::Walk | StreetMode::KissAndRide);
        let cycles = self.street_mode == StreetMode::Bicycle;
        let used = |moving: Moving, is_used: bool| if is_used { moving } else { unused };
        StreetCosts {
            foot: used(self.foot, walks),
            bicycle: used(self.bicycle, cycles),
            walked_bicycle: used(self.walked_bicycle, cycles),
            optimize: if cycles { self.optimize } else { Optimize::Quick },
            triangle: if cycles && self.optimize == Optimize::Triangle { self.triangle } else { [0.0; 3] },
            local_start: 0,
            rental_pickup: (0, 0.0),
            rental_dropoff: (0, 0.0),
            bike_park: (0, 0.0),
            car_park: (0, 0.0),
            ..self.clone()
        }
    }

    /// The same for the times of drives. The costs of cars make no difference to these, and the speed of cars only for
    /// requests in a wheelchair, because streets have speeds of their own.
    pub(crate) fn of_driving_times(&self) -> StreetCosts {
        let speed = if self.wheelchair.is_some() { self.car.speed } else { 1.0 };
        StreetCosts {
            car: Moving::new(speed, 0.0, 0.0),
            turn_reluctance: 0.0,
            bike_switch: (0, 0.0),
            elevator_board: (0, 0.0),
            elevator_hop: (0, 0.0),
            ..self.of_streets()
        }
    }

    /// Whether the largest slopes of streets matter to a mode: to drivers only where the request is for a wheelchair.
    #[inline(always)]
    pub(crate) fn asks_for_slopes(&self, mode: TraverseMode) -> bool {
        mode != TraverseMode::Car || self.wheelchair.is_some()
    }

    /// How an edge whose largest slope is given is used; `None` when the traveller may not use it.
    #[inline(always)]
    pub(crate) fn means(&self, mode: TraverseMode, arc: &Arc, slope: f32) -> Option<Means> {
        if let Some(max_slope) = self.wheelchair
            && (!arc.has(arc_bits::WHEELCHAIR) || slope > max_slope)
        {
            return None;
        }
        match mode {
            TraverseMode::Foot => arc.permits(edge_flags::WALK).then_some(Means::Foot),
            TraverseMode::Bicycle if arc.permits(edge_flags::BICYCLE) => Some(Means::Bicycle),
            TraverseMode::Bicycle => arc.permits(edge_flags::WALK).then_some(Means::WalkedBicycle),
            TraverseMode::Car => arc.permits(edge_flags::CAR).then_some(Means::Car),
        }
    }

    /// Speed and reluctances of a means.
    #[inline(always)]
    pub(crate) fn moving(&self, means: Means) -> &Moving {
        match means {
            Means::Foot => &self.foot,
            Means::WalkedBicycle => &self.walked_bicycle,
            Means::Bicycle => &self.bicycle,
            Means::Car => &self.car,
        }
    }

    /// Exact seconds and cost of an edge, without turns. `edge` is only looked at for wheelchairs and bicycles on uneven
    /// ground.
    #[inline(always)]
    pub(crate) fn edge(&self, means: Means, arc: &Arc, slope: f32, edge: StreetRecord<'_>) -> (f64, f64) {
        let moving = self.moving(means);
        let length = arc.length_m();
        let uneven = arc.has(arc_bits::UNEVEN);
        let (time, cost) = if self.wheelchair.is_some() {
            let slope_length = if uneven { length * f64::from(edge.slope_factors().speed) } else { length };
            (length / moving.speed, slope_length / moving.speed)
        } else {
            match means {
                Means::Car => {
                    let time = length / f64::from(arc.car_speed);
                    (time, time)
                }
                Means::Bicycle => self.cycling(length, uneven, edge),
                Means::Foot | Means::WalkedBicycle => {
                    let slope = f64::from(slope) * length;
                    let climb = if slope > 0.0 { 14.6 * (slope * slope) / length } else { 0.0 };
                    let time = (length * 0.75 + climb) * moving.slope_pace;
                    (time, time)
                }
            }
        };
        let stairs = arc.has(arc_bits::STAIRS);
        (time, cost * if stairs { moving.stairs_reluctance } else { moving.reluctance })
    }

    #[inline(always)]
    fn cycling(&self, length: f64, uneven: bool, edge: StreetRecord<'_>) -> (f64, f64) {
        let slope_length = if uneven { length * f64::from(edge.slope_factors().speed) } else { length };
        let time = slope_length / self.bicycle.speed;
        let cost = match self.optimize {
            Optimize::Quick => time,
            _ => self.cycling_cost(edge, length, slope_length),
        };
        (time, cost)
    }

    fn cycling_cost(&self, edge: StreetRecord<'_>, length: f64, slope_length: f64) -> f64 {
        let speed = self.bicycle.speed;
        let safety = edge.bicycle_safety();
        let safe_length = length * f64::from(safety);
        let work_length = length * f64::from(edge.slope_factors().work);
        match self.optimize {
            Optimize::Quick => slope_length / speed,
            Optimize::Safe => safe_length / speed,
            Optimize::Greenways if safety <= GREENWAY_SAFETY => safe_length / speed * GREENWAY_FACTOR,
            Optimize::Greenways => safe_length / speed,
            Optimize::Flat => length / speed + work_length,
            Optimize::Triangle => {
                let [time, slope, safe] = self.triangle;
                (slope_length * time + work_length * slope + safe_length * safe) / speed
            }
        }
    }

    /// The effort of an edge that is not a street; `None` where the mode may not use it.
    pub(crate) fn other_edge(&self, mode: TraverseMode, record: &Edge) -> Option<Effort> {
        let length = record.length_m();
        let (seconds, weight, walk) = match (record.kind(), mode) {
            (EdgeKind::Free, _) => (0, 0.0, 0.0),
            (EdgeKind::ParkAndRide, _) => (self.car_park.0, self.car_park.1, 0.0),
            (EdgeKind::ParkAndRideLink, TraverseMode::Car) => {
                let time = length * LOT_DETOUR / LOT_DRIVING_SPEED;
                (time.round() as i32, time, 0.0)
            }
            (EdgeKind::ParkAndRideLink, TraverseMode::Foot) => {
                let time = length * LOT_DETOUR / self.foot.speed;
                (time.round() as i32, time, length)
            }
            (EdgeKind::StationLink, TraverseMode::Foot | TraverseMode::Bicycle) => (1, 1.0, 0.0),
            (EdgeKind::ElevatorBoard, TraverseMode::Foot | TraverseMode::Bicycle) => {
                (self.elevator_board.0, self.elevator_board.1, 0.0)
            }
            (EdgeKind::ElevatorHop, TraverseMode::Foot | TraverseMode::Bicycle) => {
                self.means(mode, &Arc::of(record, Direction::Forward), record.max_slope)?;
                (self.elevator_hop.0, self.elevator_hop.1, 0.0)
            }
            (EdgeKind::ElevatorAlight, TraverseMode::Foot | TraverseMode::Bicycle) => (0, 1.0, 0.0),
            _ => return None,
        };
        Some(Effort { seconds, weight, walk })
    }

    /// Seconds of a turn on foot or by bike: `first` is the first angle of the edge before the turn, `last` the last angle
    /// of the edge after it. These are not the angles at the corner, but those that the reference takes.
    #[inline(always)]
    pub(crate) fn soft_turn(&self, moving: &Moving, first: u8, last: u8) -> f64 {
        let difference = (degrees(last) - degrees(first)).abs();
        f64::from(if difference > 180 { 360 - difference } else { difference }) * moving.turn
    }

    /// Seconds of a turn by car from the last angle of one edge to the first angle of the next.
    #[inline(always)]
    pub(crate) fn car_turn(&self, last: u8, first: u8, light: bool) -> f64 {
        if light {
            return CAR_LIGHT_SECONDS;
        }
        let turn = (degrees(first) - degrees(last)).rem_euclid(360);
        let turn = if self.drive_on_right { turn } else { 360 - turn };
        if (45..135).contains(&turn) || (225..315).contains(&turn) {
            CAR_TURN_SECONDS
        } else {
            CAR_STRAIGHT_SECONDS
        }
    }

    /// The least cost per metre of straight line of any part of a path in a graph.
    pub(crate) fn least_cost_per_meter(&self, graph: &StreetGraph) -> f64 {
        let slope = graph.search.least_slope_factor.first().map_or(1.0, |&f| f64::from(f));
        let top = graph.top_car_speed.first().map_or(self.car.speed, |&s| f64::from(s).max(1.0));
        // Safety and work factors are at least 1.
        let cycling = match self.optimize {
            Optimize::Safe | Optimize::Greenways => 1.0,
            Optimize::Flat => 1.0 + self.bicycle.speed,
            Optimize::Triangle => {
                let [time, climb, safety] = self.triangle;
                time * slope + climb + safety
            }
            Optimize::Quick => slope,
        };
        let least = |means: Means| {
            let moving = self.moving(means);
            let (speed, factor) = match means {
                _ if self.wheelchair.is_some() => (moving.speed, slope),
                Means::Foot | Means::WalkedBicycle => (moving.speed, 1.0),
                Means::Bicycle => (moving.speed, cycling),
                Means::Car => (top, 1.0),
            };
            moving.reluctance.min(moving.stairs_reluctance) / speed * factor
        };
        let foot = least(Means::Foot);
        let bicycle = least(Means::Bicycle).min(least(Means::WalkedBicycle));
        match self.street_mode {
            StreetMode::Walk => foot,
            StreetMode::Bicycle => bicycle,
            StreetMode::Car => least(Means::Car),
            StreetMode::RentedBicycle | StreetMode::ParkBicycle => foot.min(bicycle),
            StreetMode::ParkCar | StreetMode::KissAndRide => foot.min(least(Means::Car)),
        }
    }
}

/// A stored angle in whole degrees clockwise from south, −180 to 178, truncated as in the reference.
#[inline(always)]
pub(crate) fn degrees(angle: u8) -> i32 {
    i32::from(angle.wrapping_add(128) as i8) * 180 / 128
}

/// Whole seconds, rounded up, and at most [`MOST_SECONDS`].
#[inline(always)]
pub(crate) fn whole_seconds(seconds: f64) -> i32 {
    let seconds = seconds.min(MOST_SECONDS);
    let whole = seconds as i32;
    whole + i32::from(seconds > f64::from(whole))
}

#[cfg(test)]
mod tests;
