//! The runs of a few service days, read one by one from the timetable.
//!
//! For backward searches the timetable is mirrored: times are negated, runs have their calls in reverse order, and
//! boarding and alighting are exchanged. So the search has only one direction.

use std::collections::{BTreeSet, HashMap};

use trestle_model::ServiceDate;
use trestle_model::ids::{AgencyIdx, PatternIdx, RouteIdx, ServiceIdx, TripIdx};
use trestle_transit::calendar::{midnight, service_day_start};
use trestle_transit::timetable::Timetable;

use crate::dice::Dice;

/// Days before and after the date of a request whose runs are used.
const DAYS: std::ops::RangeInclusive<i32> = -5..=3;

/// A call of a run in the order of the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) stop: u32,
    /// Position in the pattern.
    pub(crate) position: usize,
    /// When the vehicle arrives, and riders can alight.
    pub(crate) comes: i64,
    /// When it departs; riders must have boarded by then.
    pub(crate) goes: i64,
    pub(crate) can_enter: bool,
    pub(crate) can_leave: bool,
}

/// Vehicles at a headway without fixed times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Headway {
    pub(crate) seconds: i64,
    /// Least and greatest shift of the run's times.
    pub(crate) shifts: (i64, i64),
}

/// A trip on one day.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) trip: TripIdx,
    /// Service day.
    pub(crate) date: ServiceDate,
    pub(crate) route: RouteIdx,
    pub(crate) mode: u8,
    pub(crate) calls: Vec<Call>,
    pub(crate) headway: Option<Headway>,
    /// The runs that the same vehicle, or parts of a train, serve next.
    pub(crate) next: Vec<usize>,
    /// The vehicle serves another run before.
    pub(crate) continues: bool,
}

impl Run {
    /// The run, or those of its vehicles without fixed times that end at a time or later; `None` if none does.
    fn ending_from(mut self, time: i64) -> Option<Run> {
        let end = self.calls.last().map_or(0, |call| call.comes);
        let runs = match &mut self.headway {
            Some(Headway { shifts: (first, last), .. }) => {
                *first = (time - end).max(*first);
                first <= last
            }
            None => end >= time,
        };
        runs.then_some(self)
    }
}

/// A start in a vehicle.
#[derive(Clone, Copy)]
pub(crate) struct OnBoard {
    /// Index of the run.
    pub(crate) run: usize,
    /// Position of the last call passed.
    pub(crate) position: usize,
    /// Seconds that the vehicle is moved by.
    pub(crate) shift: i64,
}

/// The runs around a date.
pub(crate) struct Runs {
    pub(crate) runs: Vec<Run>,
    pub(crate) backward: bool,
}

impl Runs {
    /// All runs of the service days that begin before the day after tomorrow, if they end yesterday or later.
    pub(crate) fn around(timetable: &Timetable, date: ServiceDate, backward: bool) -> Runs {
        let zone = timetable.time_zone();
        let (from, until) = (midnight(date.plus(-1), &zone), midnight(date.plus(2), &zone));
        let mut runs = Vec::new();
        let mut by_day = HashMap::new();
        for trip in (0..timetable.trips.count()).map(TripIdx::from) {
            let pattern = timetable.pattern_of(trip);
            let agency = timetable.routes.agency[timetable.route_of(pattern).index()];
            let zone = timetable.agency_time_zone(AgencyIdx(agency));
            let service = ServiceIdx(timetable.trips.service[trip.index()]);
            for day in DAYS.map(|offset| date.plus(offset)) {
                let start = service_day_start(day, &zone);
                if !timetable.services.runs_on(service, day) || start >= until {
                    continue;
                }
                let runs_of_day = runs_of(timetable, trip, pattern, (day, start));
                for run in runs_of_day.into_iter().filter_map(|run| run.ending_from(from)) {
                    if timetable.trips.frequencies_of(trip).is_empty() {
                        by_day.insert((trip, day), runs.len());
                    }
                    runs.push(run);
                }
            }
        }
        join_blocks(timetable, &mut runs, &by_day);
        if backward {
            mirror(&mut runs);
        }
        Runs { runs, backward }
    }

    /// A vehicle between two calls on a date, late or early, and when.
    pub(crate) fn vehicle(
        &self,
        timetable: &Timetable,
        date: ServiceDate,
        dice: &mut Dice,
    ) -> Option<(OnBoard, i64)> {
        let zone = timetable.time_zone();
        let day = midnight(date, &zone)..midnight(date.plus(1), &zone);
        (0..100).find_map(|_| {
            let index = dice.below(self.runs.len());
            let run = self.runs.get(index)?;
            let position = dice.below(run.calls.len() - 1);
            let (from, to) = (run.calls[position].goes, run.calls[position + 1].comes);
            let passing = from + dice.below((to - from + 1) as usize) as i64;
            let shift = dice.of(&[0, 0, -120, 400]);
            let has_times = timetable.trips.frequencies_of(run.trip).is_empty();
            (has_times && day.contains(&passing))
                .then_some((OnBoard { run: index, position, shift }, passing + shift))
        })
    }
}

fn runs_of(
    timetable: &Timetable,
    trip: TripIdx,
    pattern: PatternIdx,
    (date, day_start): (ServiceDate, i64),
) -> Vec<Run> {
    let (patterns, calls) = (&timetable.patterns, timetable.trip_calls(trip));
    let route = timetable.route_of(pattern);
    let run = |offset: i64, headway: Option<Headway>| Run {
        trip,
        date,
        route,
        mode: timetable.routes.mode[route.index()],
        calls: (0..calls.count())
            .map(|i| Call {
                stop: patterns.stops(pattern)[i],
                position: i,
                comes: i64::from(calls.arrival(i)) + offset,
                goes: i64::from(calls.departure(i)) + offset,
                can_enter: patterns.pickups(pattern)[i] != 1,
                can_leave: patterns.dropoffs(pattern)[i] != 1,
            })
            .collect(),
        headway,
        next: Vec::new(),
        continues: false,
    };
    let frequencies = timetable.trips.frequencies_of(trip);
    if frequencies.is_empty() {
        return vec![run(day_start, None)];
    }
    let first = i64::from(calls.first_departure().unwrap_or(0));
    let mut runs = Vec::new();
    for frequency in frequencies.iter().filter(|frequency| frequency.headway > 0) {
        let (start, end) = (i64::from(frequency.start), i64::from(frequency.end));
        if frequency.exact == 1 {
            let departures = (start..end).step_by(frequency.headway as usize);
            runs.extend(departures.map(|departure| run(day_start + departure - first, None)));
        } else {
            let shifts = (day_start + start, day_start + end - 1);
            runs.push(run(-first, Some(Headway { seconds: i64::from(frequency.headway), shifts })));
        }
    }
    runs
}

fn join_blocks(timetable: &Timetable, runs: &mut [Run], by_day: &HashMap<(TripIdx, ServiceDate), usize>) {
    let days: BTreeSet<ServiceDate> = by_day.keys().map(|(_, day)| *day).collect();
    for row in timetable.trips.continuations.iter() {
        for day in &days {
            let before = by_day.get(&(TripIdx(row.from_trip), *day));
            let after = by_day.get(&(TripIdx(row.to_trip), day.plus(row.days)));
            let (Some(&before), Some(&after)) = (before, after) else { continue };
            let is_in_time = runs[before].calls.last().map(|call| call.comes)
                <= runs[after].calls.first().map(|call| call.goes);
            // The trips of a block are one vehicle, others may be parts of a train.
            let [from, to] = [row.from_trip, row.to_trip].map(|trip| timetable.trips.block[trip as usize]);
            let is_free = runs[before].next.is_empty() && !runs[after].continues;
            if is_in_time && (is_free || from == 0 || from != to) {
                runs[before].next.push(after);
                runs[after].continues = true;
            }
        }
    }
}

fn mirror(runs: &mut [Run]) {
    let joints: Vec<_> =
        (0..runs.len()).flat_map(|run| runs[run].next.iter().map(move |&next| (run, next))).collect();
    for run in runs.iter_mut() {
        run.calls.reverse();
        for call in &mut run.calls {
            (call.comes, call.goes) = (-call.goes, -call.comes);
            (call.can_enter, call.can_leave) = (call.can_leave, call.can_enter);
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

/// bikes_allowed of the trip, else the older trip_bikes_allowed (2 means allowed), else the same of the route; allowed by
/// default.
pub(crate) fn allows_bikes(timetable: &Timetable, trip: TripIdx) -> bool {
    let route = timetable.route_of(timetable.pattern_of(trip)).index();
    let (trips, routes, trip) = (&timetable.trips, &timetable.routes, trip.index());
    let said = [
        (&trips.bikes_allowed, trip, 1),
        (&trips.trip_bikes_allowed, trip, 2),
        (&routes.bikes_allowed, route, 1),
        (&routes.route_bikes_allowed, route, 2),
    ];
    let said = said.iter().find_map(|(column, at, yes)| match column.get(*at) {
        None | Some(0) => None,
        Some(value) => Some(value == yes),
    });
    said.unwrap_or(true)
}
