//! Paces outside the searches: along streets whose ends a search reached, and in a straight line off the streets.

use trestle_model::RoutingRequest;
use trestle_model::ids::EdgeIdx;

use super::StreetMode;
use crate::graph::{Edge, StreetGraph, edge_flags};

/// How a request travels along streets between the vertices that a search reached.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StreetPace {
    /// Permission a street needs, one of [`edge_flags`].
    pub permission: u32,
    /// m/s on streets; `None`: each edge's driving speed.
    speed: Option<f64>,
}

impl StreetPace {
    /// How travellers move at the places that a search reaches. If they leave a vehicle before transit, they
    /// arrive there on foot (backward: they set out from there in the vehicle).
    pub fn of(request: &RoutingRequest) -> StreetPace {
        let [_, elsewhere] = StreetMode::of(request).around_transit(request.direction);
        let (permission, speed) = match elsewhere {
            StreetMode::Car | StreetMode::ParkCar | StreetMode::KissAndRide => (edge_flags::CAR, None),
            StreetMode::Bicycle | StreetMode::ParkBicycle => {
                (edge_flags::BICYCLE | edge_flags::WALK, Some(request.bike_speed))
            }
            StreetMode::Walk | StreetMode::RentedBicycle => (edge_flags::WALK, Some(request.walk_speed)),
        };
        StreetPace { permission, speed }
    }

    /// m/s along an edge, slope-adjusted.
    pub fn speed_on(&self, edge: &Edge) -> f64 {
        1.0 / self.seconds_per_meter(|| edge.slope_factors.speed, edge.car_speed)
    }

    /// Seconds per metre along an edge, slope-adjusted.
    #[inline]
    pub fn pace_on(&self, graph: &StreetGraph, edge: EdgeIdx) -> f64 {
        let slope_speed_factor = || graph.slope_factors_of(edge).speed;
        self.seconds_per_meter(slope_speed_factor, graph.arcs[edge.index()].car_speed)
    }

    /// Whether slopes count.
    #[inline]
    pub fn reads_slopes(&self) -> bool {
        self.speed.is_some()
    }

    #[inline]
    fn seconds_per_meter(&self, slope_speed_factor: impl FnOnce() -> f32, car_speed: f32) -> f64 {
        match self.speed {
            Some(speed) => f64::from(slope_speed_factor()) / speed,
            None => 1.0 / f64::from(car_speed),
        }
    }
}

/// What a walk of some seconds off the streets costs.
pub fn walk_cost(seconds: i32, reluctance: f64) -> f64 {
    f64::from(seconds) * reluctance
}

/// Walking on level ground in a straight line, off the streets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WalkPace {
    /// m/s.
    walk_speed: f64,
}

impl WalkPace {
    /// At a speed in m/s.
    pub fn at(walk_speed: f64) -> WalkPace {
        WalkPace { walk_speed }
    }

    /// At a request's speed.
    pub fn of(request: &RoutingRequest) -> WalkPace {
        WalkPace::at(request.walk_speed)
    }

    /// Seconds for a distance in metres.
    #[inline]
    pub fn seconds(self, metres: f64) -> f64 {
        metres / self.walk_speed
    }

    /// Metres walked in a number of seconds.
    #[inline]
    pub fn metres(self, seconds: f64) -> f64 {
        seconds * self.walk_speed
    }
}
