//! A plain search for the first arrival at every stop. It reads all runs of a few service days one by one from the
//! timetable, and knows everything that a request can ban. The only slack it knows is that of transfers.
//!
//! For backward searches the timetable is mirrored: times are negated, runs have their calls in reverse order, and boarding and
//! alighting are exchanged. So the search has only one direction.

use std::collections::HashMap;

use trestle_model::ids::{ServiceIdx, StopIdx, TripIdx};
use trestle_model::request::RouteSpec;
use trestle_model::{RoutingRequest, ServiceDate};
use trestle_transit::calendar::service_day_start;
use trestle_transit::raptor::{Endpoint, UNREACHED};
use trestle_transit::timetable::Timetable;

use super::town::{Town, day};

/// Days before and after the day of the questions whose runs are used.
const DAYS: std::ops::RangeInclusive<i32> = -2..=1;

struct Call {
    stop: u32,
    position: u32,
    /// When the vehicle arrives, and when it departs.
    comes: i64,
    goes: i64,
}

/// Vehicles at a headway without fixed times.
struct Headway {
    seconds: i64,
    /// Least and greatest shift of the run's times.
    shifts: (i64, i64),
}

/// A trip on one day.
struct Run {
    trip: TripIdx,
    calls: Vec<Call>,
    headway: Option<Headway>,
    /// The runs that the same vehicle, or parts of a train, serve next, and whether it serves one before.
    next: Vec<usize>,
    continues: bool,
}

/// The first arrivals of a request.
pub(crate) struct PlainSearch<'a> {
    timetable: &'a Timetable,
    request: &'a RoutingRequest,
    runs: Vec<Run>,
}

impl<'a> PlainSearch<'a> {
    pub(crate) fn new(town: &'a Town, request: &'a RoutingRequest) -> Self {
        let timetable = &town.timetable;
        let mut runs = all_runs(timetable);
        if request.direction.is_backward() {
            mirror(&mut runs);
        }
        PlainSearch { timetable, request, runs }
    }

    /// Seconds until a vehicle is left at every stop, [`UNREACHED`] beyond `max_seconds`.
    pub(crate) fn seconds(&self, near: &[Endpoint], max_seconds: i32) -> Vec<i32> {
        let start = self.request.direction.pick(1, -1) * self.request.epoch_seconds;
        let stops = self.timetable.stops.id.len();
        let mut ready = vec![i64::MAX; stops];
        for end in near {
            lower(&mut ready[end.stop.index()], start + i64::from(end.seconds));
        }
        let mut first = vec![i64::MAX; stops];
        for _ in 0..=self.request.max_transfers {
            let mut left = vec![i64::MAX; stops];
            for run in self.runs.iter().filter(|run| !run.continues) {
                self.ride(run, false, &ready, &mut left);
            }
            first.iter_mut().zip(&left).for_each(|(first, left)| lower(first, *left));
            ready = self.change(&left);
        }
        let seconds = |time: i64| match time.saturating_sub(start) {
            seconds if seconds <= i64::from(max_seconds) => seconds as i32,
            _ => UNREACHED,
        };
        first.into_iter().map(seconds).collect()
    }

    /// Rides a run, and the runs that its vehicle continues as.
    fn ride(&self, run: &Run, mut aboard: bool, ready: &[i64], left: &mut [i64]) {
        if !self.allows(run) {
            aboard = false;
        } else if let Some(headway) = &run.headway {
            self.ride_by_headway(run, headway, ready, left);
        } else {
            self.ride_along(run, ready, &mut aboard, left);
        }
        run.next.iter().for_each(|&next| self.ride(&self.runs[next], aboard, ready, left));
    }

    fn ride_along(&self, run: &Run, ready: &[i64], aboard: &mut bool, left: &mut [i64]) {
        for (at, call) in run.calls.iter().enumerate() {
            let (stop, stops) = (call.stop as usize, self.stops_at(run, call));
            // Nobody alights at the first stop of a trip or boards at its last one, even if the vehicle continues.
            if *aboard && at > 0 && stops {
                lower(&mut left[stop], call.comes);
            }
            *aboard &= self.passes(call);
            *aboard |= stops && at + 1 < run.calls.len() && ready[stop] <= call.goes;
        }
    }

    fn ride_by_headway(&self, run: &Run, headway: &Headway, ready: &[i64], left: &mut [i64]) {
        for (at, call) in run.calls.iter().enumerate().filter(|(_, call)| self.stops_at(run, call)) {
            let ready = ready[call.stop as usize];
            let shift = ready.saturating_add(headway.seconds - call.goes).max(headway.shifts.0);
            if shift <= headway.shifts.1 {
                for call in run.calls[at + 1..].iter().take_while(|call| self.passes(call)) {
                    if self.stops_at(run, call) {
                        lower(&mut left[call.stop as usize], call.comes + shift);
                    }
                }
            }
        }
    }

    /// When those who alighted can board, there and at the stops within a walk.
    fn change(&self, left: &[i64]) -> Vec<i64> {
        let slack = i64::from(self.request.transfer_slack);
        let mut ready: Vec<_> = left.iter().map(|time| time.saturating_add(slack)).collect();
        let transfers = &self.timetable.transfers;
        for (from, &time) in left.iter().enumerate() {
            let range = transfers.direct_offsets[from] as usize..transfers.direct_offsets[from + 1] as usize;
            for walk in &transfers.direct[range] {
                // The walks of a town take equally long both ways.
                let seconds = (f64::from(walk.meters) / self.request.walk_speed).ceil() as i64 + 2;
                lower(&mut ready[walk.other_stop as usize], time.saturating_add(seconds + slack));
            }
        }
        ready
    }

    fn allows(&self, run: &Run) -> bool {
        let route = self.timetable.route_of(self.timetable.pattern_of(run.trip));
        let name = self.timetable.texts.get(self.timetable.routes.short_name[route.index()]);
        let is_route = |spec: &RouteSpec| spec.name == name;
        let id = self.timetable.trip_id(run.trip);
        let is_banned =
            self.request.banned_trips.iter().any(|ban| ban.trip == id && ban.stop_positions.is_empty());
        !is_banned && !self.request.banned_routes.iter().any(is_route)
    }

    /// Whether riders board and alight at a call of a run.
    fn stops_at(&self, run: &Run, call: &Call) -> bool {
        let id = self.timetable.trip_id(run.trip);
        let mut bans = self.request.banned_trips.iter().filter(|ban| ban.trip == id);
        let stop = self.timetable.stop_id(StopIdx(call.stop));
        !bans.any(|ban| ban.stop_positions.contains(&call.position))
            && !self.request.banned_stops.contains(&stop)
            && self.passes(call)
    }

    /// Whether riders pass the stop of a call in a vehicle.
    fn passes(&self, call: &Call) -> bool {
        !self.request.banned_stops_hard.contains(&self.timetable.stop_id(StopIdx(call.stop)))
    }
}

fn lower(known: &mut i64, time: i64) {
    *known = time.min(*known);
}

fn all_runs(timetable: &Timetable) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut by_day: HashMap<(TripIdx, ServiceDate), usize> = HashMap::new();
    for trip in (0..timetable.trips.count()).map(TripIdx::from) {
        let service = ServiceIdx(timetable.trips.service[trip.index()]);
        for date in
            DAYS.map(|offset| day().plus(offset)).filter(|&date| timetable.services.runs_on(service, date))
        {
            if timetable.trips.frequencies_of(trip).is_empty() {
                by_day.insert((trip, date), runs.len());
            }
            runs.extend(runs_of(timetable, trip, service_day_start(date, &timetable.time_zone())));
        }
    }
    for row in timetable.trips.continuations.iter() {
        for date in DAYS.map(|offset| day().plus(offset)) {
            let before = by_day.get(&(TripIdx(row.from_trip), date));
            let after = by_day.get(&(TripIdx(row.to_trip), date.plus(row.days)));
            let (Some(&before), Some(&after)) = (before, after) else { continue };
            // The trips of a block are one vehicle, others may be parts of a train.
            let [from, to] = [row.from_trip, row.to_trip].map(|trip| timetable.trips.block[trip as usize]);
            let is_free = runs[before].next.is_empty() && !runs[after].continues;
            if is_free || from == 0 || from != to {
                runs[before].next.push(after);
                runs[after].continues = true;
            }
        }
    }
    runs
}

/// The runs of a trip on the day that starts at a time.
fn runs_of(timetable: &Timetable, trip: TripIdx, day_start: i64) -> Vec<Run> {
    let (stops, calls) = (timetable.patterns.stops(timetable.pattern_of(trip)), timetable.trip_calls(trip));
    let run = |offset: i64, headway: Option<Headway>| {
        let call = |at: usize| Call {
            stop: stops[at],
            position: at as u32,
            comes: i64::from(calls.arrival(at)) + offset,
            goes: i64::from(calls.departure(at)) + offset,
        };
        Run {
            trip,
            calls: (0..calls.count()).map(call).collect(),
            headway,
            next: Vec::new(),
            continues: false,
        }
    };
    let first = i64::from(calls.departure(0));
    let of_frequency = |frequency: &trestle_transit::timetable::Frequency| {
        let (start, end) = (i64::from(frequency.start), i64::from(frequency.end));
        let departures = (start..end).step_by(frequency.headway as usize);
        let headway = Headway {
            seconds: i64::from(frequency.headway),
            shifts: (day_start + start, day_start + end - 1),
        };
        match frequency.exact {
            1 => departures.map(|departure| run(day_start + departure - first, None)).collect(),
            _ => vec![run(-first, Some(headway))],
        }
    };
    match timetable.trips.frequencies_of(trip) {
        [] => vec![run(day_start, None)],
        frequencies => frequencies.iter().flat_map(of_frequency).collect(),
    }
}

fn mirror(runs: &mut [Run]) {
    let joints: Vec<_> =
        (0..runs.len()).flat_map(|run| runs[run].next.iter().map(move |&next| (run, next))).collect();
    for run in runs.iter_mut() {
        run.calls.reverse();
        for call in &mut run.calls {
            (call.comes, call.goes) = (-call.goes, -call.comes);
        }
        if let Some(headway) = &mut run.headway {
            headway.shifts = (-headway.shifts.1, -headway.shifts.0);
        }
        (run.next, run.continues) = (Vec::new(), false);
    }
    for (before, after) in joints {
        runs[after].next.push(before);
        runs[before].continues = true;
    }
}
