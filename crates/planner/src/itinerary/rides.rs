//! Transit legs: a ride with its trip, route, agency, stops and line.

use trestle_model::Mode;
use trestle_model::geo::{LatLon, length_m};
use trestle_model::ids::{RouteIdx, StopIdx, TripIdx};
use trestle_model::itinerary::{Leg, Place, TransitLeg, VertexType};
use trestle_transit::calendar::utc_offset;
use trestle_transit::path::Ride;
use trestle_transit::timetable::Timetable;

use super::context::SectionContext;
use super::geometry::{concatenate, encode};
use super::live_facts::LiveRide;
use super::on_board::start_position;
use crate::lines::rest_of_line;

/// A ride joined with the schedule and live data of its trip.
pub(super) struct RideView<'a> {
    timetable: &'a Timetable,
    ride: &'a Ride,
    live: Option<LiveRide>,
    /// Stops, pickup and drop-off types by position.
    stops: Vec<StopIdx>,
    pickup: Vec<u8>,
    dropoff: Vec<u8>,
    route: RouteIdx,
    /// The trip, if the schedule has it, even with other calls; for a copy, the trip that it copies.
    trip: Option<TripIdx>,
    /// The trip, if the schedule has it with these calls; for a copy, the trip that it copies.
    same_calls: Option<TripIdx>,
}

impl<'a> RideView<'a> {
    pub(super) fn new(ride: &'a Ride, context: &SectionContext<'a>) -> RideView<'a> {
        let timetable = &context.snapshot.graph.timetable;
        let live = context.live().live_ride(ride);
        let added = live.as_ref().and_then(|live| live.added.as_ref());
        if let Some(added) = added {
            return RideView {
                timetable,
                ride,
                stops: added.stops.clone(),
                pickup: added.pickup.clone(),
                dropoff: added.dropoff.clone(),
                route: added.route,
                trip: added.scheduled(),
                same_calls: added.scheduled_with_same_calls(timetable),
                live,
            };
        }
        let (patterns, pattern) = (&timetable.patterns, timetable.pattern_of(ride.trip));
        RideView {
            timetable,
            ride,
            live,
            stops: patterns.stops(pattern).iter().map(|&stop| StopIdx(stop)).collect(),
            pickup: patterns.pickups(pattern).to_vec(),
            dropoff: patterns.dropoffs(pattern).to_vec(),
            route: timetable.route_of(pattern),
            trip: Some(ride.trip),
            same_calls: Some(ride.trip),
        }
    }

    /// Stop at a position of the trip.
    fn stop(&self, position: u32) -> StopIdx {
        self.stops.get(position as usize).copied().unwrap_or(StopIdx::NONE)
    }

    /// The place at a position of the trip, without times.
    pub(super) fn place(&self, position: u32) -> Place {
        let stop = self.stop(position);
        if stop.index() >= self.timetable.stops.id.len() {
            return Place::default();
        }
        Place {
            stop_index: Some(position),
            stop_sequence: self.stop_sequence(position),
            ..stop_place(self.timetable, stop)
        }
    }

    /// Whether the trip is a copy of a scheduled one, which runs in addition and so belongs to no block.
    fn is_copy(&self) -> bool {
        let added = self.live.as_ref().and_then(|live| live.added.as_ref());
        added.is_some_and(|added| added.copies.is_some())
    }

    fn stop_sequence(&self, position: u32) -> Option<u32> {
        let given = || self.live.as_ref()?.added.as_ref()?.sequences.get(position as usize);
        match self.same_calls {
            Some(trip) => self.timetable.trip_calls(trip).sequences.get(position as usize),
            None => given(),
        }
        .copied()
    }

    /// Scheduled arrival at and departure from a position, epoch seconds.
    fn scheduled(&self, position: u32) -> Option<(i64, i64)> {
        let added = self.live.as_ref().and_then(|live| live.added.as_ref());
        if let Some((arrival, departure)) = added.and_then(|added| added.planned_at(position as usize)) {
            let day = self.ride.service_day_start;
            return Some((day + i64::from(arrival), day + i64::from(departure)));
        }
        let calls = self.timetable.trip_calls(self.same_calls?);
        let base = self.ride.service_day_start + i64::from(self.ride.frequency_shift + calls.start);
        let at = |times: &[i32]| times.get(position as usize).map(|&t| base + i64::from(t));
        Some((at(calls.profile_arrivals)?, at(calls.profile_departures)?))
    }

    /// Arrival at and departure from a position, live where known.
    fn times(&self, position: u32) -> Option<(i64, i64)> {
        let scheduled = self.scheduled(position);
        let Some(live) = &self.live else { return scheduled };
        let day = self.ride.service_day_start;
        let at = |times: &[Option<i32>]| times.get(position as usize).copied().flatten();
        let arrival = at(&live.arrivals).map(|t| day + i64::from(t)).or(scheduled.map(|s| s.0));
        let departure = at(&live.departures).map(|t| day + i64::from(t)).or(scheduled.map(|s| s.1));
        arrival.or(departure).zip(departure.or(arrival))
    }

    /// Seconds late at departure and arrival; 0 without live data.
    fn delays(&self, on_board: bool) -> (i32, i32) {
        if self.live.is_none() {
            return (0, 0);
        }
        let departure =
            self.scheduled(self.ride.board_position).map(|(_, planned)| self.ride.board_time - planned);
        let arrival =
            self.scheduled(self.ride.alight_position).map(|(planned, _)| self.ride.alight_time - planned);
        let departure = if on_board { None } else { departure };
        (departure.unwrap_or(0) as i32, arrival.unwrap_or(0) as i32)
    }

    /// The stops between boarding and alighting, with their times, without those that the vehicle skips.
    fn stops_passed(&self) -> Vec<Place> {
        let added = self.live.as_ref().and_then(|live| live.added.as_ref());
        let skipped = |position: &u32| added.is_some_and(|added| added.passes(*position as usize));
        (self.ride.board_position + 1..self.ride.alight_position)
            .filter(|position| !skipped(position))
            .map(|position| {
                let times = self.times(position);
                Place {
                    arrival: times.map(|(arrival, _)| arrival * 1000),
                    departure: times.map(|(_, departure)| departure * 1000),
                    ..self.place(position)
                }
            })
            .collect()
    }

    /// The lines of all hops, from `start` for a trip on board.
    fn lines(&self, start: Option<LatLon>) -> Vec<Vec<LatLon>> {
        let hops = self.ride.board_position as usize..self.ride.alight_position as usize;
        let mut lines = match self.live.as_ref().and_then(|live| live.added.as_ref()) {
            Some(added) => self.timetable.added_hop_lines(added, hops),
            None => {
                let pattern = self.same_calls.map(|trip| self.timetable.pattern_of(trip));
                self.timetable.live_hop_lines(pattern, hops, &self.stops)
            }
        };
        if let (Some(start), Some(first)) = (start, lines.first_mut()) {
            *first = rest_of_line(first, start);
        }
        lines
    }

    fn mode(&self) -> Mode {
        let mode = self.timetable.routes.mode.get(self.route.index());
        mode.and_then(|&m| Mode::from_number(m)).unwrap_or(Mode::Bus)
    }

    /// Offset of the agency's zone from UTC at an epoch second, milliseconds.
    fn zone_offset_ms(&self, epoch_seconds: i64) -> i32 {
        utc_offset(epoch_seconds, &self.timetable.agency_time_zone(self.timetable.agency_of(self.route)))
            * 1000
    }

    /// Stop headsign at boarding, else trip headsign.
    fn headsign(&self) -> Option<String> {
        let texts = &self.timetable.texts;
        let added = self.live.as_ref().and_then(|live| live.added.as_ref());
        if let Some(live) = added.and_then(|added| added.headsign_at(self.ride.board_position)) {
            return Some(live.to_owned());
        }
        let at_stops = self.same_calls.and_then(|trip| self.timetable.trip_calls(trip).headsigns);
        let at_stop = at_stops.and_then(|at| texts.opt(*at.get(self.ride.board_position as usize)?));
        let of_trip = || match self.live.as_ref().and_then(|live| live.added.as_ref()) {
            Some(added) => added.headsign.as_deref(),
            None => texts.opt(*self.timetable.trips.headsign.get(self.same_calls?.index())?),
        };
        at_stop.or_else(of_trip).map(str::to_owned)
    }
}

/// A stop that a vehicle serves, without times and position in a trip.
pub(super) fn stop_place(timetable: &Timetable, stop: StopIdx) -> Place {
    let (stops, i) = (&timetable.stops, stop.index());
    let text = |index: u32| timetable.texts.opt(index).map(str::to_owned);
    Place {
        name: timetable.texts.get(stops.name[i]).to_owned(),
        stop_id: Some(timetable.stop_id(stop)),
        stop_code: text(stops.code[i]),
        platform_code: text(stops.platform[i]),
        lon: stops.lon[i],
        lat: stops.lat[i],
        zone_id: text(stops.zone[i]),
        vertex_type: VertexType::Transit,
        ..Place::default()
    }
}

/// The leg of a ride. With `on_board` the trip starts inside the vehicle; with `next_interlined` the rider stays seated
/// for the next ride.
pub(super) fn ride_leg(
    view: &RideView<'_>,
    context: &SectionContext<'_>,
    plan_start: i64,
    on_board: bool,
    next_interlined: bool,
) -> Leg {
    let ride = view.ride;
    let (departure_delay, arrival_delay) = view.delays(on_board);
    let (start_time, end_time) = (ride.board_time * 1000, ride.alight_time * 1000);
    let start = if on_board { start_position(context) } else { None };
    let lines = view.lines(start);
    Leg {
        start_time,
        end_time,
        departure_delay,
        arrival_delay,
        real_time: view.live.is_some(),
        distance: lines.iter().map(|line| length_m(line)).sum(),
        mode: view.mode(),
        agency_time_zone_offset_ms: view.zone_offset_ms(ride.board_time),
        transit: Some(transit_facts(view, next_interlined)),
        from: Place { departure: Some(start_time), ..view.place(ride.board_position) },
        to: Place { arrival: Some(end_time), ..view.place(ride.alight_position) },
        geometry: encode(&concatenate(lines.iter().map(|line| &line[..]))),
        alerts: context.live().alerts(ride, plan_start, &context.request.locale),
        intermediate_stops: context.request.show_intermediate_stops.then(|| view.stops_passed()),
        ..Leg::default()
    }
}

fn transit_facts(view: &RideView<'_>, next_interlined: bool) -> TransitLeg {
    let (timetable, ride, route) = (view.timetable, view.ride, view.route.index());
    let text = |index: Option<&u32>| index.and_then(|&i| timetable.texts.opt(i)).map(str::to_owned);
    let routes = &timetable.routes;
    let (short_name, long_name) = (text(routes.short_name.get(route)), text(routes.long_name.get(route)));
    let agency = timetable.agency_of(view.route).index();
    let feed = timetable.feed_of_route(view.route).0;
    let trip = view.trip.map_or(usize::MAX, TripIdx::index);
    let rule_at = |types: &[u8], position: u32| types.get(position as usize).and_then(|&t| stop_rule(t));
    TransitLeg {
        route: short_name.clone().or_else(|| long_name.clone()).unwrap_or_default(),
        agency_name: text(timetable.agencies.name.get(agency)).unwrap_or_default(),
        agency_url: text(timetable.agencies.url.get(agency)).unwrap_or_default(),
        agency_id: text(timetable.agencies.id.get(agency)).unwrap_or_default(),
        route_color: text(routes.color.get(route)),
        route_text_color: text(routes.text_color.get(route)),
        route_type: routes.route_type.get(route).copied().unwrap_or_default(),
        route_id: routes.id.get(route).map(|&id| timetable.outer_id(feed, id)).unwrap_or_default(),
        route_short_name: short_name,
        route_long_name: long_name,
        interline_with_previous: ride.interlined,
        trip_short_name: text(timetable.trips.short_name.get(trip)),
        block_id: text(timetable.trips.block.get(trip)).filter(|_| !view.is_copy()),
        headsign: view.headsign(),
        trip_id: trip_id(view, feed),
        service_date: ride.service_date.to_string(),
        board_rule: if ride.interlined { None } else { rule_at(&view.pickup, ride.board_position) },
        alight_rule: if next_interlined { None } else { rule_at(&view.dropoff, ride.alight_position) },
        headway: ride.headway,
    }
}

fn trip_id(view: &RideView<'_>, feed: u32) -> String {
    let timetable = view.timetable;
    match view.live.as_ref().and_then(|live| live.added.as_ref()) {
        Some(added) => added.outer_id(timetable),
        None => {
            let id = timetable.trips.id.get(view.ride.trip.index());
            id.map(|&id| timetable.outer_id(feed, id)).unwrap_or_default()
        }
    }
}

/// The interface's name of a GTFS pickup_type or drop_off_type; `None` for regular service.
fn stop_rule(kind: u8) -> Option<&'static str> {
    match kind {
        1 => Some("impossible"),
        2 => Some("mustPhone"),
        3 => Some("coordinateWithDriver"),
        _ => None,
    }
}
