//! Live data of trips that a scenario changed: delays of the remaining calls, added to the scenario's times.

use rustc_hash::FxHashMap;
use trestle_model::ids::{PatternIdx, RouteIdx, StopIdx, TripIdx};
use trestle_transit::overlay::{AddedTrip, LiveTimes, NO_TIME, Overlay, RunStates, TripState, has_run};
use trestle_transit::timetable::Timetable;

/// The scenario's trip for each trip of the schedule that it changed; `None` for those that live data no longer applies
/// to, because they do not run or have been turned into frequency trips.
pub(super) type Successors = FxHashMap<TripIdx, Option<TripIdx>>;

/// Finds the changed trips by their ids.
pub(super) fn successors(
    base: &Timetable,
    changed: &Timetable,
    replaced: impl IntoIterator<Item = TripIdx>,
) -> Successors {
    let has_times = |timetable: &Timetable, trip| !timetable.trips.runs_by_frequency(trip);
    let successor = |trip| {
        let found = changed.trip_by_id(&base.trip_id(trip))?;
        (has_times(base, trip) == has_times(changed, found)).then_some(found)
    };
    replaced.into_iter().map(|trip| (trip, successor(trip))).collect()
}

/// Live data of the schedule, converted to the scenario; `None` when it concerns neither changed trips nor routes without
/// trips.
pub(super) fn carried_over(
    base: &Timetable,
    changed: &Timetable,
    successors: &Successors,
    live: &Overlay,
) -> Option<Overlay> {
    let scheduled = live.scheduled.keys().chain(live.runs.keys()).map(|(trip, _)| *trip);
    let mut trips = scheduled.chain(live.added.iter().filter_map(|added| added.copies));
    let is_lost = |added: &AddedTrip| {
        added.scheduled().is_none() && runs(base, added.route) && !runs(changed, added.route)
    };
    if !trips.any(|trip| successors.contains_key(&trip)) && !live.added.iter().any(is_lost) {
        return None;
    }
    let carrying = Carrying { base, changed };
    let mut overlay = Overlay { version: live.version, ..Overlay::default() };
    for (&(trip, date), state) in &live.scheduled {
        let (trip, state) = match successors.get(&trip) {
            None => (trip, state.clone()),
            Some(None) => continue,
            Some(Some(now)) => (*now, carrying.state(trip, *now, state)),
        };
        overlay.scheduled.insert((trip, date), state);
    }
    for (&(trip, date), runs) in &live.runs {
        let (now, runs) = match successors.get(&trip) {
            None => (trip, runs.clone()),
            Some(None) => continue,
            Some(Some(now)) => (*now, carrying.runs(trip, *now, runs)),
        };
        if !runs.is_empty() {
            overlay.runs.insert((now, date), runs);
        }
    }
    for added in &live.added {
        match added.scheduled().map(|trip| (trip, successors.get(&trip))) {
            Some((_, Some(None))) => {}
            Some((trip, Some(Some(now)))) => {
                // A copy starts when it likes; the run of a frequency trip has to be one of the scenario.
                let has_run = |run| added.copies.is_some() || carrying.has_run(trip, *now, run);
                if added.run.is_none_or(has_run) {
                    overlay.added.push(carrying.added(trip, *now, added));
                }
            }
            _ if is_lost(added) => {}
            _ => overlay.added.push(added.clone()),
        }
    }
    Some(overlay)
}

/// Whether a route has trips. One without them is a route that a scenario has removed, with those that live data adds.
fn runs(timetable: &Timetable, route: RouteIdx) -> bool {
    let patterns = timetable.routes.patterns_of(route).iter();
    patterns.map(|&pattern| timetable.patterns.trips(PatternIdx(pattern))).any(|trips| !trips.is_empty())
}

/// Both timetables.
struct Carrying<'a> {
    base: &'a Timetable,
    changed: &'a Timetable,
}

impl Carrying<'_> {
    /// For each call of a changed trip, the call of the schedule that it comes from: they share their stop_sequence.
    fn original_calls(&self, trip: TripIdx, now: TripIdx) -> Vec<Option<usize>> {
        let original = self.base.trip_calls(trip).sequences;
        let present = self.changed.trip_calls(now).sequences;
        present.iter().map(|sequence| original.iter().position(|known| known == sequence)).collect()
    }

    /// Live data of the runs of a frequency trip that the scenario has too.
    fn runs(&self, trip: TripIdx, now: TripIdx, runs: &RunStates) -> RunStates {
        let kept = runs.iter().filter(|(run, _)| self.has_run(trip, now, **run));
        kept.map(|(run, state)| (*run, self.state(trip, now, state))).collect()
    }

    /// Live data of a changed trip or one of its runs.
    fn state(&self, trip: TripIdx, now: TripIdx, live: &TripState) -> TripState {
        match live {
            TripState::Updated(times) => TripState::Updated(self.times(trip, now, times)),
            other => other.clone(),
        }
    }

    /// Whether a run of a frequency trip is one of the scenario's too.
    fn has_run(&self, trip: TripIdx, now: TripIdx, run: i32) -> bool {
        let first = [(self.base, trip), (self.changed, now)]
            .map(|(timetable, trip)| timetable.trip_calls(trip).first_departure());
        let rows = self.changed.trips.frequencies_of(now);
        first[0] == first[1] && rows.iter().any(|row| has_run(row, run))
    }

    /// The changed times, shifted by as much as live data shifts the scheduled ones. A vehicle that makes up time
    /// during a stay that the scenario removes does not arrive before it left.
    fn times(&self, trip: TripIdx, now: TripIdx, live: &LiveTimes) -> LiveTimes {
        let (scheduled, present) = (self.base.trip_calls(trip), self.changed.trip_calls(now));
        let mut latest = i32::MIN;
        let mut carry = |present: i32, scheduled: i32, live: i32| {
            if live == NO_TIME {
                return NO_TIME;
            }
            latest = latest.max(present.saturating_add(live - scheduled));
            latest
        };
        let mut times = LiveTimes::default();
        for (at, original) in self.original_calls(trip, now).into_iter().enumerate() {
            let arrival =
                original.map(|call| (present.arrival(at), scheduled.arrival(call), live.arrivals[call]));
            let departure = original
                .map(|call| (present.departure(at), scheduled.departure(call), live.departures[call]));
            times.arrivals.push(arrival.map_or(NO_TIME, |(p, s, l)| carry(p, s, l)));
            times.departures.push(departure.map_or(NO_TIME, |(p, s, l)| carry(p, s, l)));
        }
        times
    }

    /// A trip that replaces or copies a changed one. If it skips calls, it skips them in the scenario too; one that live
    /// data sends to other stops runs as live data says. A copy has the stops and travel times of the changed trip, and
    /// starts as long after it as after that of the schedule.
    fn added(&self, trip: TripIdx, now: TripIdx, added: &AddedTrip) -> AddedTrip {
        let (was, is) = (self.base.pattern_of(trip), self.changed.pattern_of(now));
        let present = AddedTrip {
            replaces: added.replaces.map(|_| now),
            copies: added.copies.map(|_| now),
            ..added.clone()
        };
        if added.scheduled_with_same_calls(self.base).is_none() {
            return present;
        }
        let first = self.changed.trip_calls(now).first_departure();
        let run = match added.copies {
            Some(_) => first.map(|first| first + added.run_shift(self.base)),
            None => added.run,
        };
        let original = self.original_calls(trip, now);
        let closed = |live: &[u8], scheduled: &[u8], kinds: &[u8]| -> Vec<u8> {
            let changed = |call: usize| (live[call] != scheduled[call]).then_some(live[call]);
            (original.iter().zip(kinds)).map(|(call, kind)| call.and_then(changed).unwrap_or(*kind)).collect()
        };
        let skips = |call: usize| added.passes(call);
        let (base, patterns) = (&self.base.patterns, &self.changed.patterns);
        let carried = AddedTrip {
            run,
            stops: patterns.stops(is).iter().map(|&stop| StopIdx(stop)).collect(),
            moved: Vec::new(),
            pickup: closed(&added.pickup, base.pickups(was), patterns.pickups(is)),
            dropoff: closed(&added.dropoff, base.dropoffs(was), patterns.dropoffs(is)),
            skipped: original.iter().map(|call| call.is_some_and(skips)).collect(),
            headsigns: carried_headsigns(&original, added),
            times: self.times(trip, now, &added.times),
            planned: LiveTimes::default(),
            ..present
        };
        with_moved_calls(carried, &original, added)
    }
}

/// The headsigns that live data gives at the calls of the schedule, at those of the scenario that come from them.
fn carried_headsigns(original: &[Option<usize>], live: &AddedTrip) -> Vec<(u32, String)> {
    let headsign = |call: usize| live.headsign_at(call as u32).map(str::to_owned);
    let calls = (0u32..).zip(original);
    calls.filter_map(|(position, call)| Some((position, headsign((*call)?)?))).collect()
}

/// A trip whose calls have the stops that live data assigns to the calls of the schedule from which they come, where they are
/// at the same stops as these.
fn with_moved_calls(mut carried: AddedTrip, original: &[Option<usize>], live: &AddedTrip) -> AddedTrip {
    for &(position, before) in &live.moved {
        let call = original.iter().position(|call| *call == Some(position as usize));
        if let Some(call) = call.filter(|call| carried.stops[*call] == before) {
            carried.move_call(call, live.stops[position as usize]);
        }
    }
    carried
}
