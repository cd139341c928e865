//! Random bans of a town's routes, trips, calls and stops.

use proptest::prelude::*;
use trestle_model::RoutingRequest;
use trestle_model::ids::{RouteIdx, StopIdx, TripIdx};
use trestle_model::request::{BannedTrip, RouteSpec};

use crate::support::GridTown;

/// Something that a request bans, by its number modulo the town's number of such things.
#[derive(Clone, Debug)]
pub(crate) enum Ban {
    Route(usize),
    Trip(usize),
    Calls(usize, Vec<u32>),
    Stop(usize),
    HardStop(usize),
}

impl Ban {
    pub(crate) fn add_to(&self, request: &mut RoutingRequest, town: &GridTown) {
        let timetable = &town.snapshot.graph.timetable;
        let trip = |number: usize| timetable.trip_id(TripIdx::from(number % timetable.trips.count()));
        let stop = |number: usize| timetable.stop_id(StopIdx::from(number % timetable.stops.id.len()));
        match self {
            Ban::Route(number) => {
                let id = timetable.route_id(RouteIdx::from(number % timetable.routes.id.len()));
                let (feed, id) = id.split_once(':').unwrap();
                let (feed, route_id) = (feed.to_owned(), id.to_owned());
                request.banned_routes.push(RouteSpec { feed, route_id, ..RouteSpec::default() });
            }
            Ban::Trip(number) => {
                request.banned_trips.push(BannedTrip { trip: trip(*number), stop_positions: Vec::new() });
            }
            Ban::Calls(number, calls) => {
                request.banned_trips.push(BannedTrip { trip: trip(*number), stop_positions: calls.clone() });
            }
            Ban::Stop(number) => request.banned_stops.push(stop(*number)),
            Ban::HardStop(number) => request.banned_stops_hard.push(stop(*number)),
        }
    }
}

pub(crate) fn bans() -> impl Strategy<Value = Vec<Ban>> {
    let number = || 0..1000usize;
    let calls = prop::collection::vec(0..3u32, 1..3);
    let ban = prop_oneof![
        1 => number().prop_map(Ban::Route),
        6 => number().prop_map(Ban::Trip),
        12 => (number(), calls).prop_map(|(trip, calls)| Ban::Calls(trip, calls)),
        1 => number().prop_map(Ban::Stop),
        1 => number().prop_map(Ban::HardStop),
    ];
    prop::collection::vec(ban, 0..16)
}
