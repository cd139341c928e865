//! Live data of a snapshot for the legs of an itinerary.

use trestle_engine::realtime::{AlertedRide, StationFacts};
use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;
use trestle_model::ids::{EdgeIdx, StopIdx, TripIdx};
use trestle_model::itinerary::Alert;
use trestle_transit::overlay::{AddedTrip, LiveTimes, NO_TIME, Overlay, TripState};
use trestle_transit::path::Ride;

/// Live times of the trip of a ride, seconds after the start of its service day; `None` for calls without live data.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct LiveRide {
    /// Arrival at each call.
    pub(super) arrivals: Vec<Option<i32>>,
    /// Departure from each call.
    pub(super) departures: Vec<Option<i32>>,
    /// Set for a trip that is not in the schedule, or that replaces a scheduled one and has its own calls.
    pub(super) added: Option<AddedTrip>,
}

/// Live data for one request.
pub(super) struct LiveFacts<'a> {
    snapshot: &'a Snapshot,
    overlay: Option<&'a Overlay>,
    scheduled_trips: usize,
    /// Alerts are shown regardless of their period.
    all_alerts: bool,
}

impl<'a> LiveFacts<'a> {
    /// The live data of a snapshot; none when the request ignores real-time data.
    pub(super) fn new(snapshot: &'a Snapshot, request: &RoutingRequest) -> Self {
        let overlay = snapshot.overlay.as_deref().filter(|_| !request.ignore_realtime);
        LiveFacts {
            snapshot,
            overlay,
            scheduled_trips: snapshot.graph.timetable.trips.id.len(),
            all_alerts: request.disable_alert_filtering,
        }
    }

    fn added(&self, trip: TripIdx) -> Option<&'a AddedTrip> {
        self.overlay?.added.get(trip.index().checked_sub(self.scheduled_trips)?)
    }

    /// The state of a ride's scheduled trip, or run of a frequency trip.
    fn state(&self, ride: &Ride) -> Option<&'a TripState> {
        let (overlay, timetable) = (self.overlay?, &self.snapshot.graph.timetable);
        if !timetable.trips.runs_by_frequency(ride.trip) {
            return overlay.state(ride.trip, ride.service_date);
        }
        overlay.runs_of(ride.trip, ride.service_date)?.get(&self.start_of_run(ride)?)
    }

    /// First departure of a scheduled run, seconds of its service day; `None` where only its headway is known.
    fn start_of_run(&self, ride: &Ride) -> Option<i32> {
        let first = self.snapshot.graph.timetable.trip_calls(ride.trip).first_departure()?;
        ride.headway.is_none().then_some(first + ride.frequency_shift)
    }

    /// A ride for finding its alerts. A replacement has the alerts of the trip that it replaces.
    fn alerted(&self, ride: &Ride) -> Option<AlertedRide<'a>> {
        let timetable = &self.snapshot.graph.timetable;
        let positions = [ride.board_position, ride.alight_position].map(|position| position as usize);
        let times = [ride.board_time, ride.alight_time];
        if let Some(added) = self.added(ride.trip) {
            let stop = |position: usize| added.stops.get(position).copied();
            return Some(AlertedRide {
                trip: added.replaces,
                added_trip: added.replaces.is_none().then(|| added.outer_id(timetable)),
                service_date: ride.service_date,
                start_time: added.run.or_else(|| timetable.trip_calls(added.replaces?).first_departure()),
                route: added.route,
                direction: added.direction,
                headsign: added.headsign.as_deref(),
                ends: [stop(positions[0])?, stop(positions[1])?],
                times,
            });
        }
        let (trips, pattern) = (&timetable.trips, timetable.pattern_of(ride.trip));
        let stops = timetable.patterns.stops(pattern);
        let stop = |position: usize| stops.get(position).map(|&stop| StopIdx(stop));
        Some(AlertedRide {
            trip: Some(ride.trip),
            added_trip: None,
            service_date: ride.service_date,
            start_time: self.start_of_run(ride),
            route: timetable.route_of(pattern),
            direction: *timetable.patterns.direction.get(pattern.index())?,
            headsign: trips.headsign.get(ride.trip.index()).and_then(|&text| timetable.texts.opt(text)),
            ends: [stop(positions[0])?, stop(positions[1])?],
            times,
        })
    }

    /// Live times of the ride's trip.
    pub(super) fn live_ride(&self, ride: &Ride) -> Option<LiveRide> {
        if let Some(trip) = self.added(ride.trip) {
            return Some(LiveRide { added: Some(trip.clone()), ..known(&trip.times) });
        }
        match self.state(ride)? {
            TripState::Updated(times) => Some(known(times)),
            TripState::Canceled | TripState::Deleted | TripState::Modified => None,
        }
    }

    /// Alerts of a ride that are in force, for a trip plan that starts at `plan_start` (epoch seconds).
    pub(super) fn alerts(&self, ride: &Ride, plan_start: i64, locale: &str) -> Vec<Alert> {
        let (timetable, alerts) = (&self.snapshot.graph.timetable, &self.snapshot.alerts);
        self.alerted(ride).map_or_else(Vec::new, |ride| {
            alerts.of_ride(timetable, &ride, plan_start, locale, self.all_alerts)
        })
    }

    /// Alerts about a street, for all modes.
    pub(super) fn street_alerts(&self, edge: EdgeIdx) -> impl Iterator<Item = &'a Alert> {
        self.snapshot.street_alerts.of_edge(edge)
    }

    /// A station by its position among the stations of the street search.
    pub(super) fn rental_station(&self, station: u32) -> Option<StationFacts> {
        self.snapshot.bikes.station(station).cloned()
    }
}

fn known(times: &LiveTimes) -> LiveRide {
    let known = |times: &[i32]| times.iter().map(|t| (*t != NO_TIME).then_some(*t)).collect();
    LiveRide { arrivals: known(&times.arrivals), departures: known(&times.departures), added: None }
}
