//! Starting inside a vehicle (`startTransitTripId`).

use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::{LatLon, fast_distance_m, nearest_share};
use trestle_model::ids::{AgencyIdx, PatternIdx, ServiceIdx, TripIdx};
use trestle_model::{PlanError, PlanErrorCode, RoutingRequest, ServiceDate};
use trestle_transit::overlay::{AddedTrip, NO_TIME, TripState};
use trestle_transit::raptor::OnBoardStart;

use super::places::ResolvedPlace;

/// The start inside the trip that the request names, if it names one.
///
/// # Errors
/// `BOGUS_PARAMETER` for an unknown trip, `SYSTEM_ERROR` when it does not run at the time.
pub(super) fn start(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    from: &ResolvedPlace,
) -> Result<Option<OnBoardStart>, PlanError> {
    let Some(id) = request.start_transit_trip.as_deref().filter(|_| !request.arrive_by) else {
        return Ok(None);
    };
    let timetable = &snapshot.graph.timetable;
    let overlay = snapshot.overlay.as_deref().filter(|_| !request.ignore_realtime);
    let Some(trip) = timetable.trip_by_id(id) else {
        let unknown = format!("startTransitTripId: unknown trip {id}");
        return Err(PlanError::new(PlanErrorCode::BogusParameter, unknown));
    };
    let not_running = || {
        let reason = format!("startTransitTripId: {id} does not run around that date");
        PlanError::new(PlanErrorCode::SystemError, reason)
    };
    let (mut position, mut share) = nearest_hop(snapshot, &Course::scheduled(snapshot, trip), from.position);
    let calls = timetable.trip_calls(trip);
    let passing = time_on_hop(&calls.departures(), &calls.arrivals(), position, share);
    let agency = timetable.agency_of(timetable.route_of(timetable.pattern_of(trip)));
    let date = nearest_day(snapshot, trip, agency, passing, request.epoch_seconds).ok_or_else(not_running)?;
    // The search adds the shift to the times by which the vehicle really runs.
    let (mut vehicle, mut passing) = (trip, passing);
    match overlay.and_then(|overlay| overlay.state(trip, date)) {
        Some(TripState::Updated(live)) if live.departures.get(position as usize) != Some(&NO_TIME) => {
            passing = time_on_hop(&live.departures, &live.arrivals, position, share);
        }
        Some(TripState::Canceled) => return Err(not_running()),
        Some(TripState::Modified) => {
            let added = overlay.map_or(&[][..], |overlay| &overlay.added);
            let replaces = |added: &AddedTrip| added.replaces == Some(trip) && added.service_date == date;
            let number = added.iter().position(replaces).ok_or_else(not_running)?;
            let (times, course) = (&added[number].times, Course::added(snapshot, &added[number]));
            (position, share) = nearest_hop(snapshot, &course, from.position);
            passing = time_on_hop(&times.departures, &times.arrivals, position, share);
            vehicle = TripIdx::from(timetable.trips.count() + number);
        }
        _ => {}
    }
    let passing_epoch = snapshot.service_day_start(date, agency) + i64::from(passing);
    let shift = (request.epoch_seconds - passing_epoch)
        .clamp(i64::from(i32::MIN / 2), i64::from(i32::MAX / 2)) as i32;
    Ok(Some(OnBoardStart { trip: vehicle, service_date: date, position, shift }))
}

/// The stops of a vehicle, and the pattern whose shapes lie between them.
struct Course {
    stops: Vec<u32>,
    pattern: Option<PatternIdx>,
}

impl Course {
    fn scheduled(snapshot: &Snapshot, trip: TripIdx) -> Course {
        let timetable = &snapshot.graph.timetable;
        let pattern = timetable.pattern_of(trip);
        Course { stops: timetable.patterns.stops(pattern).to_vec(), pattern: Some(pattern) }
    }

    /// Of a trip with calls of its own: it has the shapes of the trip whose stops it passes.
    fn added(snapshot: &Snapshot, added: &AddedTrip) -> Course {
        let timetable = &snapshot.graph.timetable;
        let pattern = added.same_course(timetable).map(|trip| timetable.pattern_of(trip));
        Course { stops: added.stops.iter().map(|stop| stop.0).collect(), pattern }
    }
}

/// Position of the call before the hop whose line is nearest to a point, and the share of the hop that lies before it.
fn nearest_hop(snapshot: &Snapshot, course: &Course, point: LatLon) -> (u32, f64) {
    let (mut best, mut nearest) = ((0, 0.0), f64::INFINITY);
    for hop in 0..course.stops.len().saturating_sub(1) {
        let line = hop_line(snapshot, course, hop);
        let (distance, share) = nearest_on(&line, point);
        if distance < nearest {
            nearest = distance;
            best = (hop as u32, share);
        }
    }
    best
}

/// When a vehicle has done a share of the hop behind a call, seconds of the service day.
fn time_on_hop(departures: &[i32], arrivals: &[i32], position: u32, share: f64) -> i32 {
    let hop = position as usize;
    let leaves = departures.get(hop).copied().unwrap_or(0);
    let arrives = arrivals.get(hop + 1).copied().unwrap_or(leaves);
    leaves + (f64::from(arrives - leaves) * share).round() as i32
}

/// The hop's shape, or the straight line between its stops.
fn hop_line(snapshot: &Snapshot, course: &Course, hop: usize) -> Vec<LatLon> {
    let timetable = &snapshot.graph.timetable;
    let shape = course.pattern.map_or(&[][..], |pattern| timetable.patterns.hop(pattern, hop));
    if shape.len() >= 2 {
        return shape.iter().map(|[lat, lon]| LatLon::new(*lat, *lon)).collect();
    }
    let stops = &course.stops;
    let at = |stop: u32| LatLon::new(timetable.stops.lat[stop as usize], timetable.stops.lon[stop as usize]);
    vec![at(stops[hop]), at(stops[hop + 1])]
}

/// Distance in metres from a point to a line, and how far along the line the vehicle is taken to be (0 to 1).
fn nearest_on(line: &[LatLon], point: LatLon) -> (f64, f64) {
    let squeeze = point.lat.to_radians().cos();
    let meters = (line.windows(2).map(|piece| fast_distance_m(point, nearest(piece, point, squeeze).0)))
        .fold(f64::INFINITY, f64::min);
    (meters, share_in_degrees(line, point))
}

/// How far along a line its point nearest to another is, both measured in plain degrees, as in the reference.
fn share_in_degrees(line: &[LatLon], point: LatLon) -> f64 {
    let (mut before, mut best) = (0.0, (f64::INFINITY, 0.0));
    for piece in line.windows(2) {
        let (at, k) = nearest(piece, point, 1.0);
        let away = (at.lat - point.lat).hypot(at.lon - point.lon);
        let length = (piece[1].lat - piece[0].lat).hypot(piece[1].lon - piece[0].lon);
        if away < best.0 {
            best = (away, before + k * length);
        }
        before += length;
    }
    if before > 0.0 { best.1 / before } else { 0.0 }
}

/// The point of a straight piece nearest to another, and its share of the piece; longitudes count `squeeze`.
fn nearest(piece: &[LatLon], point: LatLon, squeeze: f64) -> (LatLon, f64) {
    let (a, b) = (piece[0], piece[1]);
    let from_a = |p: LatLon| [(p.lon - a.lon) * squeeze, p.lat - a.lat];
    let k = nearest_share(from_a(point), [0.0, 0.0], from_a(b));
    (LatLon::new(a.lat + (b.lat - a.lat) * k, a.lon + (b.lon - a.lon) * k), k)
}

/// The service day around the requested time on which the trip passes nearest to it.
fn nearest_day(
    snapshot: &Snapshot,
    trip: TripIdx,
    agency: AgencyIdx,
    passing: i32,
    epoch: i64,
) -> Option<ServiceDate> {
    let timetable = &snapshot.graph.timetable;
    let service = ServiceIdx(timetable.trips.service[trip.index()]);
    let away =
        |date: &ServiceDate| (snapshot.service_day_start(*date, agency) + i64::from(passing) - epoch).abs();
    snapshot
        .service_days_around(epoch, agency)
        .filter(|date| timetable.services.runs_on(service, *date))
        .min_by_key(away)
}
