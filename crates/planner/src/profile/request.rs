//! Profile requests.

use trestle_model::geo::LatLon;
use trestle_model::request::Optimize;
use trestle_model::{Mode, ModeSet, RoutingRequest, named, with_defaults};
use trestle_street::link::LinkMode;

use super::error::ProfileError;

named! {
    /// A use of the streets before, after or instead of transit.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ProfileMode {
        /// On foot.
        Walk = "WALK",
        /// One's own bike, left at the stop.
        Bicycle = "BICYCLE",
        /// A rented bike.
        BicycleRent = "BICYCLE_RENT",
        /// One's own bike to a bike park.
        BicyclePark = "BICYCLE_PARK",
        /// Being driven to or from the stop; without transit, driving.
        Car = "CAR",
        /// Driving to a park-and-ride lot.
        CarPark = "CAR_PARK",
    }
}

impl ProfileMode {
    fn is_bicycle(self) -> bool {
        matches!(self, ProfileMode::Bicycle | ProfileMode::BicycleRent | ProfileMode::BicyclePark)
    }

    fn is_car(self) -> bool {
        matches!(self, ProfileMode::Car | ProfileMode::CarPark)
    }

    /// Whether its searches also find paths on foot only, which do not count for this mode.
    pub(super) fn may_walk_all_the_way(self) -> bool {
        matches!(self, ProfileMode::BicycleRent | ProfileMode::Car)
    }

    /// The streets to which a place is linked when this mode starts there.
    pub(super) fn link_mode(self) -> LinkMode {
        match self {
            ProfileMode::Walk | ProfileMode::BicycleRent => LinkMode::Walk,
            ProfileMode::Bicycle | ProfileMode::BicyclePark => LinkMode::Bicycle,
            ProfileMode::Car | ProfileMode::CarPark => LinkMode::Car,
        }
    }
}

named! {
    /// The time by which options are ordered.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum OrderBy {
        Min = "MIN",
        #[default]
        Avg = "AVG",
        Max = "MAX",
    }
}

with_defaults! {
    /// A request for options, with the defaults of the interface; places and times have none. Times are seconds, speeds
    /// metres per second.
    #[derive(Clone, PartialEq, Debug)]
    pub struct ProfileRequest {
        pub from: LatLon = LatLon::default(),
        pub to: LatLon = LatLon::default(),
        /// First departure, epoch seconds.
        pub from_epoch: i64 = 0,
        /// Last departure, epoch seconds.
        pub to_epoch: i64 = 0,
        pub walk_speed: f64 = 1.4,
        pub bike_speed: f64 = 4.1,
        /// Speed of cars on streets without a driving speed.
        pub car_speed: f64 = 20.0,
        /// Longest option without transit.
        pub street_seconds: i32 = 5400,
        /// Longest walk to or from a stop.
        pub walk_seconds: i32 = 900,
        /// Longest bike ride to or from a stop.
        pub bike_seconds: i32 = 1200,
        /// Longest drive to or from a stop.
        pub car_seconds: i32 = 1800,
        /// Shortest drive to a stop.
        pub min_car_seconds: i32 = 60,
        /// The time by which options are ordered.
        pub order_by: OrderBy = OrderBy::default(),
        /// Largest number of options per access mode; 0 for all.
        pub limit: usize = 15,
        /// Options are dropped whose best time is more than this many seconds above the worst time of another option.
        pub suboptimal_seconds: i32 = 300,
        /// Weights of safety, slope and time for cyclists; not all 0.
        pub bike_triangle: [f64; 3] = [1.0; 3],
        /// Modes to the first stop.
        pub access_modes: Vec<ProfileMode> = vec![ProfileMode::Walk, ProfileMode::Bicycle],
        /// Modes from the last stop.
        pub egress_modes: Vec<ProfileMode> = vec![ProfileMode::Walk],
        /// Modes without transit.
        pub direct_modes: Vec<ProfileMode> = vec![ProfileMode::Walk, ProfileMode::Bicycle],
        /// Vehicles.
        pub transit_modes: ModeSet = ModeSet::TRANSIT,
    }
}

impl ProfileRequest {
    pub(super) fn check(&self) -> Result<(), ProfileError> {
        let invalid = |text: &str| Err(ProfileError::Invalid(text.to_owned()));
        if self.to_epoch < self.from_epoch || self.to_epoch - self.from_epoch > 86_400 {
            return invalid("endTime: must not be before startTime, nor more than a day after it");
        }
        let usable = |speed: f64| speed.is_finite() && speed > 0.0;
        if ![self.walk_speed, self.bike_speed, self.car_speed].into_iter().all(usable) {
            return invalid("walkSpeed, bikeSpeed and carSpeed must be positive");
        }
        let parked = |mode: &ProfileMode| matches!(mode, ProfileMode::BicyclePark | ProfileMode::CarPark);
        if self.egress_modes.iter().any(parked) {
            return invalid("egressModes: a vehicle parked before transit cannot be used after it");
        }
        Ok(())
    }

    /// Longest time to or from a stop in a mode, seconds.
    pub(super) fn longest_seconds(&self, mode: ProfileMode) -> i32 {
        match mode {
            ProfileMode::Walk => self.walk_seconds,
            mode if mode.is_car() => self.car_seconds,
            _ => self.bike_seconds,
        }
    }

    /// Shortest time to a stop in a mode, seconds.
    pub(super) fn shortest_seconds(&self, mode: ProfileMode) -> i32 {
        if mode.is_car() { self.min_car_seconds } else { 0 }
    }

    /// The request of a street search in a mode; `transit` is set for searches to and from stops.
    pub(super) fn street_request(&self, mode: ProfileMode, transit: bool) -> RoutingRequest {
        let [safety, slope, time] = self.bike_triangle;
        let sum = safety + slope + time;
        let modes = match mode {
            ProfileMode::Walk => ModeSet::of(&[Mode::Walk]),
            ProfileMode::Bicycle | ProfileMode::BicyclePark => ModeSet::of(&[Mode::Bicycle]),
            ProfileMode::BicycleRent => ModeSet::of(&[Mode::Walk, Mode::Bicycle]),
            ProfileMode::Car | ProfileMode::CarPark => ModeSet::of(&[Mode::Car]),
        };
        RoutingRequest {
            epoch_seconds: self.from_epoch,
            walk_speed: self.walk_speed,
            bike_speed: self.bike_speed,
            car_speed: self.car_speed,
            optimize: if mode.is_bicycle() && sum > 0.0 { Optimize::Triangle } else { Optimize::Quick },
            triangle_safety: safety / sum.max(1.0),
            triangle_slope: slope / sum.max(1.0),
            triangle_time: time / sum.max(1.0),
            bike_rental: mode == ProfileMode::BicycleRent,
            bike_park: transit && mode == ProfileMode::BicyclePark,
            car_park: transit && mode == ProfileMode::CarPark,
            kiss_and_ride: transit && mode == ProfileMode::Car,
            modes,
            ..RoutingRequest::default()
        }
    }
}
