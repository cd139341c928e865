//! Random requests in a city: all hours, first and last days of the service, weekends, both directions, and all
//! modes.

use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::request::{Optimize, PlaceRequest};
use trestle_model::{Direction, Mode, ModeSet, RoutingRequest, ServiceDate};
use trestle_transit::calendar::midnight;

use crate::dice::Dice;

/// The first, second and last day of the service, the days before and after it, a Sunday, a Saturday and working days
/// in between, and the days on which clocks change.
pub(crate) fn dates(snapshot: &Snapshot, dice: &mut Dice) -> Vec<ServiceDate> {
    let Some((first, last)) = snapshot.graph.timetable.services.date_range() else { return Vec::new() };
    let days = (last.0 - first.0).max(1) as usize;
    let mut dates = vec![first, first.plus(1), last, last.plus(1), first.plus(-1)];
    for weekday in [0, 2, 4, 5, 6] {
        let from = first.plus(dice.below(days) as i32);
        dates.extend((0..7).map(|day| from.plus(day)).find(|date| date.weekday() == weekday));
    }
    let midnight = |date| midnight(date, &snapshot.zone);
    let is_changed = |date: &ServiceDate| midnight(date.plus(1)) - midnight(*date) != 86_400;
    dates.extend((0..days as i32).map(|day| first.plus(day)).filter(is_changed).take(2));
    dates
}

/// A request between places near stops on a date. The stops are linked to streets where there are any.
pub(crate) fn random(snapshot: &Snapshot, date: ServiceDate, dice: &mut Dice) -> RoutingRequest {
    let linked = &snapshot.graph.street.stop_links;
    let stops = &snapshot.graph.timetable.stops;
    let mut place = || {
        let stop = match linked.len() {
            0 => dice.below(stops.lat.len()),
            count => linked[dice.below(count)].stop as usize,
        };
        let mut off = || (dice.below(4001) as f64 - 2000.0) * 1e-6;
        let position = LatLon::new(stops.lat[stop] + off(), stops.lon[stop] + off());
        PlaceRequest { position: Some(position), ..PlaceRequest::default() }
    };
    let (from, to) = (place(), place());
    let day = midnight(date, &snapshot.zone);
    // A day on which clocks change is shorter or longer than others.
    let minutes = (midnight(date.plus(1), &snapshot.zone) - day) / 60;
    let mut request = RoutingRequest {
        from,
        to,
        epoch_seconds: day + dice.below(minutes as usize) as i64 * 60,
        direction: Direction::of_request(dice.below(2) == 0),
        max_walk_distance: dice.of(&[400.0, 1000.0, 2000.0, 2000.0, 5000.0]),
        max_transfers: dice.of(&[0, 1, 2, 4, 4, 4, 4, 9]),
        timeouts_ms: Vec::new(),
        ..RoutingRequest::default()
    };
    request.max_transfer_walk_distance = request.max_walk_distance;
    travel(&mut request, dice);
    prices(&mut request, dice);
    streets(&mut request, dice);
    request
}

fn travel(request: &mut RoutingRequest, dice: &mut Dice) {
    let transit = ModeSet::TRANSIT;
    match dice.below(14) {
        0 | 1 => request.modes = transit.with(Mode::Bicycle),
        2 => (request.bike_rental, request.modes) = (true, transit.with(Mode::Walk).with(Mode::Bicycle)),
        3 => (request.car_park, request.modes) = (true, transit.with(Mode::Walk).with(Mode::Car)),
        4 => (request.kiss_and_ride, request.modes) = (true, transit.with(Mode::Walk).with(Mode::Car)),
        5 => (request.bike_park, request.modes) = (true, transit.with(Mode::Walk).with(Mode::Bicycle)),
        6 => request.wheelchair = true,
        7 => request.modes = ModeSet::of(&[Mode::Bus, Mode::Walk]),
        8 => request.modes = ModeSet::of(&[Mode::Tram, Mode::Rail, Mode::Subway, Mode::Walk]),
        _ => {}
    }
}

/// What cyclists want, and how fast travellers are on the streets.
fn streets(request: &mut RoutingRequest, dice: &mut Dice) {
    match dice.below(8) {
        0 => (request.bike_switch_time, request.bike_switch_cost) = (20, 40.0),
        1 => request.walk_speed = 0.8,
        2 => request.bike_speed = 4.3,
        3 => request.max_pre_transit_time = 400,
        4 => request.turn_reluctance = 2.0,
        _ => {}
    }
    request.optimize = dice.of(&[Optimize::Quick, Optimize::Safe, Optimize::Flat, Optimize::Triangle]);
    if request.optimize == Optimize::Triangle {
        (request.triangle_time, request.triangle_slope, request.triangle_safety) = (0.2, 0.3, 0.5);
    }
}

fn prices(request: &mut RoutingRequest, dice: &mut Dice) {
    match dice.below(10) {
        0 => request.wait_at_beginning_factor = 1.0,
        1 => request.transfer_penalty = 300,
        2 => request.walk_reluctance = 5.0,
        3 => request.wait_reluctance = 2.0,
        4 => request.wait_reluctance = 0.5,
        5 => request.walk_board_cost = 60,
        6 => request.nonpreferred_transfer_penalty = 600,
        _ => {}
    }
    match dice.below(8) {
        0 => request.transfer_slack = 180,
        1 => (request.transfer_slack, request.board_slack, request.alight_slack) = (300, 60, 120),
        _ => {}
    }
}
