//! Rides with everything that fares depend on.

use std::collections::BTreeSet;

use trestle_model::ids::{FeedIdx, PatternIdx, RouteIdx, StopIdx, TripIdx};

use crate::overlay::Overlay;
use crate::path::Ride;
use crate::timetable::Timetable;

/// A ride on one route.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FareRide {
    pub route: RouteIdx,
    /// Trips; none for a ride on a trip that live data added.
    pub trips: Vec<TripIdx>,
    /// Feed of the stops.
    pub feed: FeedIdx,
    /// Stop boarded at.
    pub first_stop: StopIdx,
    /// Stop alighted at.
    pub last_stop: StopIdx,
    /// zone_id text of the first stop (0 = none).
    pub start_zone: u32,
    /// zone_id text of the last stop.
    pub end_zone: u32,
    /// Zones of all stops along the ride, ends included.
    pub zones: BTreeSet<u32>,
    /// Boarding, epoch seconds.
    pub board_time: i64,
    /// Alighting, epoch seconds.
    pub alight_time: i64,
    /// The traveller walked from another station before this ride.
    pub walked_before: bool,
}

impl FareRide {
    /// A ride on `route` over `stops` (both ends included); `None` without stops.
    fn over(
        timetable: &Timetable,
        route: RouteIdx,
        stops: &[u32],
        (board_time, alight_time): (i64, i64),
    ) -> Option<Self> {
        let zone = |stop: &u32| timetable.stops.zone.get(*stop as usize).copied().unwrap_or(0);
        let (first, last) = (stops.first()?, stops.last()?);
        Some(FareRide {
            route,
            trips: Vec::new(),
            feed: FeedIdx(*timetable.stops.feed.get(*first as usize)?),
            first_stop: StopIdx(*first),
            last_stop: StopIdx(*last),
            start_zone: zone(first),
            end_zone: zone(last),
            zones: stops.iter().map(zone).collect(),
            board_time,
            alight_time,
            walked_before: false,
        })
    }

    /// A ride on a pattern from call `board` to call `alight`; `None` for unknown calls.
    pub fn along(
        timetable: &Timetable,
        pattern: PatternIdx,
        (board, alight): (usize, usize),
        times: (i64, i64),
    ) -> Option<Self> {
        let stops = timetable.patterns.stops(pattern).get(board..=alight)?;
        FareRide::over(timetable, timetable.route_of(pattern), stops, times)
    }

    /// A ride of a transit path, which may be on a trip that live data added.
    pub fn of(timetable: &Timetable, overlay: Option<&Overlay>, ride: &Ride) -> Option<Self> {
        let (board, alight) = (ride.board_position as usize, ride.alight_position as usize);
        let times = (ride.board_time, ride.alight_time);
        let scheduled = timetable.trips.id.len();
        if ride.trip.index() < scheduled {
            let pattern = timetable.pattern_of(ride.trip);
            let along = FareRide::along(timetable, pattern, (board, alight), times)?;
            return Some(FareRide { trips: vec![ride.trip], ..along });
        }
        let added = overlay?.added.get(ride.trip.index() - scheduled)?;
        let stops: Vec<u32> = added.stops.get(board..=alight)?.iter().map(|stop| stop.0).collect();
        let over = FareRide::over(timetable, added.route, &stops, times)?;
        Some(FareRide { trips: added.scheduled().into_iter().collect(), ..over })
    }

    /// Appends the next ride on the same route.
    fn extend(&mut self, next: &FareRide) {
        self.end_zone = next.end_zone;
        self.last_stop = next.last_stop;
        self.alight_time = next.alight_time;
        self.zones.extend(&next.zones);
        self.trips.extend(&next.trips);
    }

    /// Merges consecutive rides on one route.
    pub(super) fn merged(rides: &[FareRide]) -> Vec<FareRide> {
        let mut merged: Vec<FareRide> = Vec::with_capacity(rides.len());
        for ride in rides {
            match merged.last_mut() {
                Some(last) if last.route == ride.route => last.extend(ride),
                _ => merged.push(ride.clone()),
            }
        }
        merged
    }
}
