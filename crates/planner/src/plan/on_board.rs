//! Starting inside a vehicle (`startTransitTripId`).

use std::ops::Range;

use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::{LatLon, fast_distance_m};
use trestle_model::ids::{AgencyIdx, PatternIdx, ServiceIdx, StopIdx, TripIdx};
use trestle_model::{Direction, PlanError, PlanErrorCode, RoutingRequest, ServiceDate};
use trestle_transit::overlay::{AddedTrip, NO_TIME, Overlay, TripState, without_runs};
use trestle_transit::raptor::OnBoardStart;
use trestle_transit::timetable::{Frequency, Timetable};

use crate::lines::{nearest_on_piece, point_after, share_before};

/// The start inside the trip that the request names, at a point.
///
/// # Errors
/// `BOGUS_PARAMETER` for an unknown trip, `SYSTEM_ERROR` when it does not run at the time.
pub(super) fn start(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    point: LatLon,
) -> Result<Option<OnBoardStart>, PlanError> {
    let Some(id) = request.start_transit_trip.as_deref().filter(|_| begins_aboard(request)) else {
        return Ok(None);
    };
    let search = VehicleSearch::new(snapshot, request, point);
    let timetable = &snapshot.graph.timetable;
    let found = match timetable.trip_by_id(id) {
        _ if is_place_left_out(request) => Some(search.under_way(id)?.0),
        Some(trip) if timetable.trips.runs_by_frequency(trip) => search.run(trip),
        Some(trip) => search.scheduled(trip),
        None => Some(search.added(id).ok_or_else(|| unknown(id))?),
    };
    let Some(vehicle) = found else {
        let reason = format!("startTransitTripId: {id} does not run around that date");
        return Err(PlanError::new(PlanErrorCode::SystemError, reason));
    };
    let shift = (request.epoch_seconds - vehicle.passing_epoch)
        .clamp(i64::from(i32::MIN / 2), i64::from(i32::MAX / 2)) as i32;
    let Vehicle { trip, date, run_shift, position, .. } = vehicle;
    Ok(Some(OnBoardStart { trip, service_date: date, run_shift, position, shift }))
}

/// Where the vehicle is at the requested time, for a request that names the vehicle and no place; otherwise `None`.
///
/// # Errors
/// `BOGUS_PARAMETER` for an unknown trip, and for one of `frequencies.txt`, whose vehicles can only be told apart by
/// their places; `SYSTEM_ERROR` when it is not under way at the time.
pub(super) fn whereabouts(
    snapshot: &Snapshot,
    request: &RoutingRequest,
) -> Result<Option<LatLon>, PlanError> {
    match request.start_transit_trip.as_deref() {
        Some(id) if is_place_left_out(request) => {
            let search = VehicleSearch::new(snapshot, request, LatLon::default());
            Ok(Some(search.under_way(id)?.1))
        }
        _ => Ok(None),
    }
}

/// Whether the trip begins inside a vehicle.
pub(super) fn begins_aboard(request: &RoutingRequest) -> bool {
    request.start_transit_trip.is_some() && request.direction == Direction::Forward && request.uses_transit()
}

fn is_place_left_out(request: &RoutingRequest) -> bool {
    let named = request.from.position.is_some() || !request.from.label.is_empty();
    begins_aboard(request) && !named
}

fn unknown(id: &str) -> PlanError {
    PlanError::new(PlanErrorCode::BogusParameter, format!("startTransitTripId: unknown trip {id}"))
}

/// A vehicle, and where and when it passes the point of the start.
struct Vehicle {
    /// Higher numbers than those of the timetable are added trips of the overlay.
    trip: TripIdx,
    date: ServiceDate,
    /// Seconds added to the trip's scheduled times for a run of a frequency trip.
    run_shift: i32,
    /// The last call before the point.
    position: u32,
    passing_epoch: i64,
}

/// Finds the vehicle that passes a point at the time nearest to a moment.
struct VehicleSearch<'a> {
    snapshot: &'a Snapshot,
    overlay: Option<&'a Overlay>,
    point: LatLon,
    epoch: i64,
}

impl<'a> VehicleSearch<'a> {
    fn new(snapshot: &'a Snapshot, request: &RoutingRequest, point: LatLon) -> VehicleSearch<'a> {
        let overlay = snapshot.overlay.as_deref().filter(|_| !request.ignore_realtime);
        VehicleSearch { snapshot, overlay, point, epoch: request.epoch_seconds }
    }

    /// The vehicle of a trip that is under way at the moment, and where it is then.
    fn under_way(&self, id: &str) -> Result<(Vehicle, LatLon), PlanError> {
        let found = match self.timetable().trip_by_id(id) {
            Some(trip) if self.timetable().trips.runs_by_frequency(trip) => {
                let reason = format!(
                    "startTransitTripId: {id} runs by frequency; fromPlace has to say which of its vehicles is meant"
                );
                return Err(PlanError::new(PlanErrorCode::BogusParameter, reason));
            }
            Some(trip) => self.days(trip).find_map(|date| self.scheduled_under_way(trip, date)),
            None => {
                let mut added = self.added_named(id).peekable();
                added.peek().ok_or_else(|| unknown(id))?;
                added.find_map(|(number, trip)| self.added_under_way(number, trip))
            }
        };
        found.ok_or_else(|| {
            let reason =
                format!("startTransitTripId: {id} is not under way at that time, and there is no fromPlace");
            PlanError::new(PlanErrorCode::SystemError, reason)
        })
    }

    /// A scheduled trip with its live data on a day.
    fn scheduled_under_way(&self, trip: TripIdx, date: ServiceDate) -> Option<(Vehicle, LatLon)> {
        let calls = self.timetable().trip_calls(trip);
        let (departures, arrivals) = match self.overlay.and_then(|overlay| overlay.state(trip, date)) {
            Some(TripState::Updated(live)) => (live.departures.clone(), live.arrivals.clone()),
            Some(TripState::Canceled | TripState::Deleted) => return None,
            Some(TripState::Modified) => {
                let (number, added) = self.replacement(trip, date, None)?;
                return self.added_under_way(number, added);
            }
            None => (calls.departures(), calls.arrivals()),
        };
        let day_start = self.snapshot.service_day_start(date, self.agency(trip));
        let (position, share) = hop_at(&departures, &arrivals, self.epoch - day_start)?;
        let line = Course::scheduled(self.snapshot, trip).line(self.snapshot, position);
        let position = position as u32;
        let vehicle = Vehicle { trip, date, run_shift: 0, position, passing_epoch: self.epoch };
        Some((vehicle, point_after(&line, share)))
    }

    /// A trip of the overlay.
    fn added_under_way(&self, number: usize, added: &AddedTrip) -> Option<(Vehicle, LatLon)> {
        let agency = self.timetable().agency_of(added.route);
        let day_start = self.snapshot.service_day_start(added.service_date, agency);
        let times = &added.times;
        let (position, share) = hop_at(&times.departures, &times.arrivals, self.epoch - day_start)?;
        let line = Course::added(added).line(self.snapshot, position);
        let vehicle = self.vehicle_of(number, added, position as u32, self.epoch);
        Some((vehicle, point_after(&line, share)))
    }

    /// The vehicle of a trip of the overlay, which passes the point after a call at a time.
    fn vehicle_of(&self, number: usize, added: &AddedTrip, position: u32, passing_epoch: i64) -> Vehicle {
        Vehicle {
            trip: TripIdx::from(self.timetable().trips.count() + number),
            date: added.service_date,
            run_shift: added.run_shift(self.timetable()),
            position,
            passing_epoch,
        }
    }

    fn timetable(&self) -> &Timetable {
        &self.snapshot.graph.timetable
    }

    fn agency(&self, trip: TripIdx) -> AgencyIdx {
        self.timetable().agency_of(self.timetable().route_of_trip(trip))
    }

    /// The service days around the moment on which a trip runs.
    fn days(&self, trip: TripIdx) -> impl Iterator<Item = ServiceDate> {
        let service = ServiceIdx(self.timetable().trips.service[trip.index()]);
        self.snapshot
            .service_days_around(self.epoch, self.agency(trip))
            .filter(move |date| self.timetable().services.runs_on(service, *date))
    }

    /// Seconds between the moment and the passing of the point.
    fn seconds_off(&self, vehicle: &Vehicle) -> i64 {
        (vehicle.passing_epoch - self.epoch).abs()
    }

    /// A scheduled trip, on the day on which its scheduled passing is nearest to the moment.
    fn scheduled(&self, trip: TripIdx) -> Option<Vehicle> {
        let agency = self.agency(trip);
        let (position, share) =
            nearest_hop(self.snapshot, &Course::scheduled(self.snapshot, trip), self.point);
        let calls = self.timetable().trip_calls(trip);
        let passing = time_on_hop(&calls.departures(), &calls.arrivals(), position, share);
        let at = |date, passing: i32| Vehicle {
            trip,
            date,
            run_shift: 0,
            position,
            passing_epoch: self.snapshot.service_day_start(date, agency) + i64::from(passing),
        };
        let vehicle =
            self.days(trip).map(|date| at(date, passing)).min_by_key(|found| self.seconds_off(found))?;
        // The search adds the shift to the live times.
        match self.overlay.and_then(|overlay| overlay.state(trip, vehicle.date)) {
            Some(TripState::Updated(live)) if live.departures.get(position as usize) != Some(&NO_TIME) => {
                Some(at(vehicle.date, time_on_hop(&live.departures, &live.arrivals, position, share)))
            }
            Some(TripState::Canceled | TripState::Deleted) => None,
            Some(TripState::Modified) => self.replacing(trip, vehicle.date, None),
            _ => Some(vehicle),
        }
    }

    /// The run of a frequency trip that passes nearest to the moment, with live data.
    fn run(&self, trip: TripIdx) -> Option<Vehicle> {
        self.days(trip).flat_map(|date| self.runs_on(trip, date)).min_by_key(|found| self.seconds_off(found))
    }

    /// The runs of a day that may be the nearest one: the nearest of each row of frequencies.txt, and all runs with
    /// live data.
    fn runs_on(&self, trip: TripIdx, date: ServiceDate) -> Vec<Vehicle> {
        let (position, share) =
            nearest_hop(self.snapshot, &Course::scheduled(self.snapshot, trip), self.point);
        let calls = self.timetable().trip_calls(trip);
        let first = calls.first_departure().unwrap_or(0);
        let passing = time_on_hop(&calls.departures(), &calls.arrivals(), position, share);
        let day_start = self.snapshot.service_day_start(date, self.agency(trip));
        let at = |run: i32, passing: i32| Vehicle {
            trip,
            date,
            run_shift: run - first,
            position,
            passing_epoch: day_start + i64::from(passing),
        };
        let known = self.overlay.and_then(|overlay| overlay.runs_of(trip, date));
        let state = self.overlay.and_then(|overlay| overlay.state(trip, date));
        let is_off = state.is_some_and(TripState::is_off);
        let rows = self.timetable().trips.frequencies_of(trip).iter().filter(|_| !is_off);
        let wanted = self.epoch - day_start - i64::from(passing - first);
        let mut vehicles: Vec<Vehicle> = rows
            .flat_map(|row| without_runs(*row, known))
            .filter_map(|row| nearest_run(&row, wanted))
            .map(|run| at(run, passing + run - first))
            .collect();
        vehicles.extend(known.into_iter().flatten().filter_map(|(&run, state)| match state {
            TripState::Updated(live) if live.departures.get(position as usize) != Some(&NO_TIME) => {
                Some(at(run, time_on_hop(&live.departures, &live.arrivals, position, share)))
            }
            TripState::Modified => self.replacing(trip, date, Some(run)),
            TripState::Updated(_) | TripState::Canceled | TripState::Deleted => None,
        }));
        vehicles
    }

    /// The trip of the overlay that replaces a scheduled one, or a run of it.
    fn replacing(&self, trip: TripIdx, date: ServiceDate, run: Option<i32>) -> Option<Vehicle> {
        self.replacement(trip, date, run).map(|(number, added)| self.passing(number, added))
    }

    fn replacement(
        &self,
        trip: TripIdx,
        date: ServiceDate,
        run: Option<i32>,
    ) -> Option<(usize, &'a AddedTrip)> {
        let is_it = |added: &AddedTrip| {
            added.replaces == Some(trip) && added.service_date == date && added.run == run
        };
        self.overlay?.added.iter().enumerate().find(|(_, added)| is_it(added))
    }

    /// An added trip of the overlay, on the day on which it passes nearest to the moment.
    fn added(&self, id: &str) -> Option<Vehicle> {
        self.added_named(id)
            .map(|(number, added)| self.passing(number, added))
            .min_by_key(|found| self.seconds_off(found))
    }

    /// The added trips with an id, with their numbers: one for each day.
    fn added_named(&self, id: &str) -> impl Iterator<Item = (usize, &'a AddedTrip)> {
        let numbered = self.overlay.into_iter().flat_map(|overlay| overlay.added.iter().enumerate());
        numbered.filter(move |(_, added)| added.replaces.is_none() && added.outer_id(self.timetable()) == id)
    }

    /// A trip of the overlay, when it passes the point.
    fn passing(&self, number: usize, added: &AddedTrip) -> Vehicle {
        let (position, share) = nearest_hop(self.snapshot, &Course::added(added), self.point);
        let passing = time_on_hop(&added.times.departures, &added.times.arrivals, position, share);
        let agency = self.timetable().agency_of(added.route);
        let day_start = self.snapshot.service_day_start(added.service_date, agency);
        self.vehicle_of(number, added, position, day_start + i64::from(passing))
    }
}

/// The departure from the first call in a row of frequencies.txt that is nearest to `wanted`.
fn nearest_run(row: &Frequency, wanted: i64) -> Option<i32> {
    let (start, last) = (i64::from(row.start), i64::from(row.end) - 1);
    if row.headway <= 0 || last < start {
        return None;
    }
    let wanted = wanted.clamp(start, last);
    if row.exact != 1 {
        return Some(wanted as i32);
    }
    let headway = i64::from(row.headway);
    let most = (last - start) / headway;
    Some((start + ((wanted - start + headway / 2) / headway).min(most) * headway) as i32)
}

/// The stops of a vehicle, and the pattern or live trip with the shapes between them.
struct Course<'a> {
    stops: Vec<StopIdx>,
    shaping: Shaping<'a>,
}

enum Shaping<'a> {
    Pattern(PatternIdx),
    Added(&'a AddedTrip),
}

impl<'a> Course<'a> {
    fn scheduled(snapshot: &Snapshot, trip: TripIdx) -> Course<'a> {
        let timetable = &snapshot.graph.timetable;
        let pattern = timetable.pattern_of(trip);
        let stops = timetable.patterns.stops(pattern).iter().map(|&stop| StopIdx(stop)).collect();
        Course { stops, shaping: Shaping::Pattern(pattern) }
    }

    fn added(added: &'a AddedTrip) -> Course<'a> {
        Course { stops: added.stops.clone(), shaping: Shaping::Added(added) }
    }

    fn line(&self, snapshot: &Snapshot, hop: usize) -> Vec<LatLon> {
        self.lines(snapshot, hop..hop + 1).pop().unwrap_or_default()
    }

    fn lines(&self, snapshot: &Snapshot, hops: Range<usize>) -> Vec<Vec<LatLon>> {
        let timetable = &snapshot.graph.timetable;
        match &self.shaping {
            Shaping::Pattern(pattern) => timetable.live_hop_lines(Some(*pattern), hops, &self.stops),
            Shaping::Added(added) => timetable.added_hop_lines(added, hops),
        }
    }
}

/// Position of the call before the hop whose line is nearest to a point, and the share of the hop before that point.
fn nearest_hop(snapshot: &Snapshot, course: &Course<'_>, point: LatLon) -> (u32, f64) {
    let (mut best, mut nearest) = ((0, 0.0), f64::INFINITY);
    let hops = 0..course.stops.len().saturating_sub(1);
    for (hop, line) in course.lines(snapshot, hops).iter().enumerate() {
        let (distance, share) = nearest_on(line, point);
        if distance < nearest {
            nearest = distance;
            best = (hop as u32, share);
        }
    }
    best
}

/// When a vehicle has covered a share of the hop after a call, seconds of the service day.
fn time_on_hop(departures: &[i32], arrivals: &[i32], position: u32, share: f64) -> i32 {
    let hop = position as usize;
    let leaves = departures.get(hop).copied().unwrap_or(0);
    let arrives = arrivals.get(hop + 1).copied().unwrap_or(leaves);
    leaves + (f64::from(arrives - leaves) * share).round() as i32
}

/// The hop that a vehicle is on at a moment of the service day, and the share of it that it has covered; a vehicle that
/// stands at a stop is at the start of the hop from there.
fn hop_at(departures: &[i32], arrivals: &[i32], moment: i64) -> Option<(usize, f64)> {
    let hops = departures.len().min(arrivals.len()).saturating_sub(1);
    (0..hops).find_map(|hop| {
        let [arrives, departs, ends] = [arrivals[hop], departures[hop], arrivals[hop + 1]].map(i64::from);
        let known = departures[hop] != NO_TIME && arrivals[hop + 1] != NO_TIME;
        if !known || !(arrives..=ends).contains(&moment) {
            return None;
        }
        let covered = (moment - departs).max(0) as f64;
        Some((hop, if ends > departs { covered / (ends - departs) as f64 } else { 0.0 }))
    })
}

/// Distance in metres from a point to a line, and the share of the line before the point.
fn nearest_on(line: &[LatLon], point: LatLon) -> (f64, f64) {
    let lon_scale = point.lat.to_radians().cos();
    let meters = |piece: &[LatLon]| fast_distance_m(point, nearest_on_piece(piece, point, lon_scale).0);
    (line.windows(2).map(meters).fold(f64::INFINITY, f64::min), share_before(line, point))
}
