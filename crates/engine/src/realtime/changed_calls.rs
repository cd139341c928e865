//! What live data changes of the calls of a scheduled trip besides their times.

use trestle_model::ids::TripIdx;
use trestle_transit::timetable::Timetable;

use super::call_times::LiveCalls;
use super::messages::StopTimeUpdate;

impl LiveCalls {
    /// Takes over what an update changes of a call.
    pub(super) fn change(&mut self, call: usize, update: &StopTimeUpdate) {
        let rules = update.rules();
        if rules != [None; 2] {
            self.rules.push((call, rules));
        }
        self.headsigns.extend(update.headsign().map(|headsign| (call as u32, headsign.to_owned())));
    }

    /// Forgets rules and headsigns that are those of the schedule: some feeds give them at every call.
    pub(super) fn leave_out_scheduled(&mut self, timetable: &Timetable, trip: TripIdx) {
        let pattern = timetable.pattern_of(trip);
        let scheduled = [timetable.patterns.pickups(pattern), timetable.patterns.dropoffs(pattern)];
        self.rules.retain(|(call, rules)| {
            rules
                .iter()
                .zip(scheduled)
                .any(|(rule, scheduled)| rule.is_some_and(|rule| rule != scheduled[*call]))
        });
        let of_trip = timetable.trips.headsign[trip.index()];
        let at_calls = timetable.trip_calls(trip).headsigns;
        let scheduled = |call: u32| {
            let at_call = at_calls.and_then(|texts| timetable.texts.opt(texts[call as usize]));
            at_call.or_else(|| timetable.texts.opt(of_trip))
        };
        self.headsigns.retain(|(call, headsign)| scheduled(*call) != Some(headsign));
    }

    /// Whether the calls are those of the schedule, apart from their times.
    pub(super) fn are_scheduled(&self) -> bool {
        let LiveCalls { skipped, assigned, rules, headsigns, .. } = self;
        !skipped.contains(&true) && assigned.is_empty() && rules.is_empty() && headsigns.is_empty()
    }
}
