//! From the calls of a trip update to the live times of every call of the trip.

use trestle_transit::lookup::TripCalls;
use trestle_transit::overlay::{LiveTimes, NO_TIME};
use trestle_transit::timetable::Timetable;

use super::messages::{StopTimeEvent, StopTimeUpdate};

/// Why the calls of an update cannot be applied to a trip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unusable {
    /// A call of the update matches none of the trip, or not in order.
    UnknownCall,
    /// A time is before the preceding one.
    TimesDecrease,
    /// A call has a schedule_relationship that is not supported.
    UnknownRelationship,
    /// A time lies more than [`LONGEST_SHIFT`] away from the schedule.
    FarFromSchedule,
    /// Two calls that the build has merged are at different stops.
    DividedCall,
}

/// The most seconds that a vehicle can be early or late. Larger differences are errors or belong to another day's trip.
pub(super) const LONGEST_SHIFT: i32 = 2 * 86_400;

/// The scheduled trip that an update is about.
pub(super) struct ScheduledCalls<'a> {
    /// Its calls by the schedule.
    pub(super) calls: TripCalls<'a>,
    /// stop_id of each call.
    pub(super) stop_ids: Vec<&'a str>,
    /// Start of the service day, epoch seconds.
    pub(super) day_start: i64,
    /// Stop of each call.
    pub(super) stops: &'a [u32],
    /// The schedule.
    pub(super) timetable: &'a Timetable,
}

/// The calls of a scheduled trip with live data: their times, which are skipped, and which are at other stops.
#[derive(Debug, PartialEq)]
pub(super) struct LiveCalls {
    pub(super) times: LiveTimes,
    pub(super) skipped: Vec<bool>,
    /// Position and stop_id of the calls at other stops than the scheduled ones, in order.
    pub(super) assigned: Vec<(usize, String)>,
    /// Whether arrival and departure are predictions; others are those of the schedule.
    predicted: Vec<[bool; 2]>,
}

/// How late a vehicle is.
#[derive(Clone, Copy)]
struct Delay {
    seconds: i32,
    /// False where there is no data, so that the schedule applies.
    is_predicted: bool,
}

impl Delay {
    const WITHOUT_DATA: Delay = Delay { seconds: 0, is_predicted: false };
}

impl ScheduledCalls<'_> {
    /// Every call before the first update has no time; after it, the latest delay applies until the next update.
    /// Updates without any time skip calls; the other calls have the delay of the trip, by default none. From a call
    /// without data on, the schedule applies again as far as the predictions before and after it allow; see
    /// [`straighten`].
    pub(super) fn apply(
        &self,
        updates: &[StopTimeUpdate],
        trip_delay: Option<i32>,
    ) -> Result<LiveCalls, Unusable> {
        let count = self.calls.count();
        let mut result = LiveCalls {
            times: LiveTimes { arrivals: vec![NO_TIME; count], departures: vec![NO_TIME; count] },
            skipped: vec![false; count],
            assigned: Vec::new(),
            predicted: vec![[false; 2]; count],
        };
        let mut pending = updates.iter().peekable();
        let has_times = updates.iter().any(StopTimeUpdate::has_time);
        let mut delay = match trip_delay {
            _ if has_times => None,
            None => Some(Delay::WITHOUT_DATA),
            Some(delay) => Some(Delay { seconds: plausible(delay)?, is_predicted: true }),
        };
        for call in 0..count {
            let update = pending.next_if(|update| self.is_about(update, call));
            let [arrival, departure] = self.delays(update, call, delay)?;
            delay = departure;
            result.skipped[call] = update.is_some_and(StopTimeUpdate::is_skipped);
            result.depart(call, self.calls.departure(call), departure);
            result.arrive(call, self.calls.arrival(call), arrival);
            if update.is_some_and(|update| update.arrival.is_none()) {
                let latest = result.times.departures[call];
                result.times.arrivals[call] = result.times.arrivals[call].min(latest);
            }
            let mut stop = self.stop_used(update, call, None)?;
            while let Some(update) = pending.next_if(|update| self.repeats(update, call)) {
                delay = self.apply_repeated(update, call, delay, &mut result)?;
                stop = self.stop_used(Some(update), call, stop)?;
            }
            let other = stop.filter(|id| *id != self.stop_ids[call]);
            result.assigned.extend(other.map(|id| (call, id.to_owned())));
        }
        if pending.next().is_some() {
            return Err(Unusable::UnknownCall);
        }
        // At a stop that the vehicle skips, the time is not a prediction, even where an earlier delay gives one.
        let is_predicted = |call: usize| match result.skipped[call] {
            true => [false; 2],
            false => result.predicted[call],
        };
        match straighten(&mut result.times, is_predicted) {
            true => Ok(result),
            false => Err(Unusable::TimesDecrease),
        }
    }

    /// The delays of arrival and departure at a call, given the delay `before` it.
    fn delays(
        &self,
        update: Option<&StopTimeUpdate>,
        call: usize,
        before: Option<Delay>,
    ) -> Result<[Option<Delay>; 2], Unusable> {
        match update {
            None => Ok([before; 2]),
            Some(update) if update.has_no_data() => Ok([Some(Delay::WITHOUT_DATA); 2]),
            Some(update) if !update.is_known() => Err(Unusable::UnknownRelationship),
            Some(update) => {
                let arrival = self.delay_of(update.arrival, self.calls.arrival(call))?.or(before);
                let departure = self.delay_of(update.departure, self.calls.departure(call))?.or(arrival);
                Ok([arrival.or(departure), departure])
            }
        }
    }

    /// Takes over the departure of another call at the stop, which the build has merged into `call`. The vehicle skips
    /// the stop only if it skips both. Returns the delay from here on.
    fn apply_repeated(
        &self,
        update: &StopTimeUpdate,
        call: usize,
        before: Option<Delay>,
        result: &mut LiveCalls,
    ) -> Result<Option<Delay>, Unusable> {
        if !update.is_known() {
            return Err(Unusable::UnknownRelationship);
        }
        if update.is_skipped() {
            return Ok(before);
        }
        let scheduled = self.calls.departure(call);
        let [arrival, departure] = match update.has_no_data() {
            true => [Some(Delay::WITHOUT_DATA); 2],
            false => {
                let arrival = self.delay_of(update.arrival, scheduled)?.or(before);
                [arrival, self.delay_of(update.departure, scheduled)?.or(arrival)]
            }
        };
        if std::mem::take(&mut result.skipped[call]) {
            result.arrive(call, scheduled, arrival);
        }
        result.depart(call, scheduled, departure);
        Ok(departure)
    }

    /// Delays all calls by the same time.
    pub(super) fn shifted(&self, delay: i32) -> Result<LiveTimes, Unusable> {
        let delay = plausible(delay)?;
        let late = TripCalls { start: self.calls.start + delay, ..self.calls };
        let all_known = |times: Vec<i32>| times.into_iter().map(known).collect();
        Ok(LiveTimes { arrivals: all_known(late.arrivals()), departures: all_known(late.departures()) })
    }

    /// A time takes precedence over a delay, because it is exact.
    fn delay_of(&self, event: Option<StopTimeEvent>, scheduled: i32) -> Result<Option<Delay>, Unusable> {
        let Some(event) = event else { return Ok(None) };
        let delay = match (event.given_time(), event.delay) {
            (Some(time), _) => {
                let delay = time.saturating_sub(self.day_start).saturating_sub(i64::from(scheduled));
                i32::try_from(delay).unwrap_or(i32::MAX)
            }
            (None, Some(delay)) => delay,
            (None, None) => return Ok(None),
        };
        Ok(Some(Delay { seconds: plausible(delay)?, is_predicted: true }))
    }
}

impl LiveCalls {
    fn arrive(&mut self, call: usize, scheduled: i32, delay: Option<Delay>) {
        self.times.arrivals[call] = delayed(scheduled, delay);
        self.predicted[call][0] = delay.is_some_and(|delay| delay.is_predicted);
    }

    fn depart(&mut self, call: usize, scheduled: i32, delay: Option<Delay>) {
        self.times.departures[call] = delayed(scheduled, delay);
        self.predicted[call][1] = delay.is_some_and(|delay| delay.is_predicted);
    }
}

fn delayed(scheduled: i32, delay: Option<Delay>) -> i32 {
    delay.map_or(NO_TIME, |delay| known(scheduled + delay.seconds))
}

/// The time, or a second later if it happens to be [`NO_TIME`].
pub(super) fn known(time: i32) -> i32 {
    if time == NO_TIME { 0 } else { time }
}

fn plausible(delay: i32) -> Result<i32, Unusable> {
    let near = (-LONGEST_SHIFT..=LONGEST_SHIFT).contains(&delay);
    if near { Ok(delay) } else { Err(Unusable::FarFromSchedule) }
}

/// Predictions of neighbouring calls may overlap by this many seconds, because each is made on its own.
const OVERLAP: i32 = 120;

/// Puts the times into an order in which a vehicle can have them. Times that are not predicted give way to those that are:
/// they are not after a later one, nor before an earlier one. A predicted time that is slightly before the preceding one
/// is raised to it; false when one is further back. `is_predicted` is about arrival and departure at a call.
pub(super) fn straighten(times: &mut LiveTimes, is_predicted: impl Fn(usize) -> [bool; 2]) -> bool {
    let calls = times.arrivals.iter_mut().zip(&mut times.departures);
    let mut in_order: Vec<(&mut i32, bool)> = calls
        .enumerate()
        .flat_map(|(call, (arrival, departure))| [arrival, departure].into_iter().zip(is_predicted(call)))
        .filter(|(time, _)| **time != NO_TIME)
        .collect();
    let mut next = i32::MAX;
    for (time, is_predicted) in in_order.iter_mut().rev() {
        match is_predicted {
            true => next = next.min(**time),
            false => **time = next.min(**time),
        }
    }
    let mut latest = i32::MIN;
    for (time, is_predicted) in in_order {
        if is_predicted && *time < latest.saturating_sub(OVERLAP) {
            return false;
        }
        *time = latest.max(*time);
        latest = *time;
    }
    true
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::realtime::messages::StopTimeProperties;

    static TIMETABLE: LazyLock<Timetable> = LazyLock::new(Timetable::default);

    const SEQUENCES: [u32; 4] = [1, 2, 3, 4];
    const ARRIVALS: [i32; 4] = [0, 100, 200, 300];
    const DEPARTURES: [i32; 4] = [0, 120, 220, 300];

    fn trip<'a>() -> ScheduledCalls<'a> {
        let calls = TripCalls {
            start: 100,
            profile_arrivals: &ARRIVALS,
            profile_departures: &DEPARTURES,
            sequences: &SEQUENCES,
            timepoints: &[1; 4],
            headsigns: None,
        };
        let stop_ids = vec!["a", "b", "a", "c"];
        ScheduledCalls { calls, stop_ids, day_start: 1_000_000, stops: &[0, 1, 0, 2], timetable: &TIMETABLE }
    }

    fn at(sequence: u32, arrival: Option<i32>, departure: Option<i32>) -> StopTimeUpdate {
        let event = |delay: Option<i32>| delay.map(|d| StopTimeEvent { delay: Some(d), time: None });
        StopTimeUpdate {
            stop_sequence: Some(sequence),
            arrival: event(arrival),
            departure: event(departure),
            ..StopTimeUpdate::default()
        }
    }

    #[test]
    fn calls_before_the_first_update_have_no_time_and_those_after_it_keep_its_delay() {
        let live = trip().apply(&[at(2, Some(30), Some(30))], None).unwrap().times;
        assert_eq!(live.arrivals, [-1, 230, 330, 430]);
        assert_eq!(live.departures, [-1, 250, 350, 430]);
    }

    #[test]
    fn the_delay_of_a_trip_counts_only_where_no_call_has_times() {
        let skipped = StopTimeUpdate { stop_sequence: Some(2), relationship: Some(1), ..Default::default() };
        let live = trip().apply(std::slice::from_ref(&skipped), Some(60)).unwrap();
        assert_eq!(live.times.departures, [160, 280, 380, 460]);
        assert_eq!(live.skipped, [false, true, false, false]);
        let live = trip().apply(&[skipped, at(3, Some(10), Some(10))], Some(60)).unwrap();
        assert_eq!(live.times.departures, [-1, -1, 330, 410]);
    }

    #[test]
    fn times_go_before_delays_and_stops_are_found_in_order() {
        let event = StopTimeEvent { delay: Some(5), time: Some(1_000_000 + 360) };
        let update = |stop: &str| StopTimeUpdate {
            stop_id: Some(stop.to_owned()),
            departure: Some(event),
            ..StopTimeUpdate::default()
        };
        let live = trip().apply(&[at(2, Some(0), Some(0)), update("a")], None).unwrap().times;
        assert_eq!(live.departures, [-1, 220, 360, 440]);
        assert_eq!(live.arrivals, [-1, 200, 300, 440]);
        assert_eq!(trip().apply(&[update("c"), update("b")], None), Err(Unusable::UnknownCall));
    }

    #[test]
    fn the_stop_decides_when_the_sequence_is_that_of_another_one() {
        let named = |sequence: u32, stop: &str| StopTimeUpdate {
            stop_id: Some(stop.to_owned()),
            ..at(sequence, Some(30), Some(30))
        };
        let departures = |update: StopTimeUpdate| trip().apply(&[update], None).unwrap().times.departures;
        assert_eq!(departures(named(2, "b")), [-1, 250, 350, 430]);
        assert_eq!(departures(named(3, "c")), [-1, -1, -1, 430]);
        assert_eq!(departures(named(3, "elsewhere")), [-1, -1, 350, 430]);
        assert_eq!(departures(named(3, "a")), [-1, -1, 350, 430]);
    }

    #[test]
    fn no_data_returns_to_the_schedule() {
        let none = StopTimeUpdate { stop_sequence: Some(3), relationship: Some(2), ..Default::default() };
        let live = trip().apply(&[at(1, None, Some(60)), none], None).unwrap().times;
        assert_eq!(live.arrivals, [160, 260, 300, 400]);
    }

    #[test]
    fn a_late_vehicle_without_data_is_not_ahead_of_itself() {
        let none = StopTimeUpdate { stop_sequence: Some(3), relationship: Some(2), ..Default::default() };
        let live = trip().apply(&[at(1, None, Some(600)), none.clone()], None).unwrap().times;
        assert_eq!((live.arrivals, live.departures), (vec![700, 800, 820, 820], vec![700, 820, 820, 820]));
        let known_again = trip().apply(&[at(1, None, Some(600)), none, at(4, Some(0), None)], None);
        assert_eq!(known_again, Err(Unusable::TimesDecrease));
    }

    #[test]
    fn an_early_vehicle_without_data_before_is_not_behind_itself() {
        let none = |sequence: u32| StopTimeUpdate { relationship: Some(2), ..at(sequence, None, None) };
        let live = trip().apply(&[none(1), at(3, Some(-210), Some(-210)), none(4)], None).unwrap().times;
        assert_eq!((live.arrivals, live.departures), (vec![90, 90, 90, 400], vec![90, 90, 110, 400]));
    }

    #[test]
    fn an_arrival_without_data_gives_way_to_a_departure() {
        let none = StopTimeUpdate { relationship: Some(2), ..at(2, None, None) };
        let live = trip().apply(&[at(1, None, Some(600)), none, at(3, None, Some(500))], None).unwrap().times;
        assert_eq!((live.arrivals, live.departures), (vec![700, 700, 700, 900], vec![700, 700, 820, 900]));
    }

    #[test]
    fn times_days_away_from_the_schedule_are_refused() {
        let day = 86_400;
        assert_eq!(trip().shifted(2 * day).unwrap().arrivals[0], 2 * day + 100);
        for delay in [2 * day + 1, -2 * day - 1, i32::MIN, i32::MAX] {
            assert_eq!(trip().shifted(delay), Err(Unusable::FarFromSchedule), "{delay}");
            assert_eq!(
                trip().apply(&[at(1, None, Some(delay))], None),
                Err(Unusable::FarFromSchedule),
                "{delay}"
            );
        }
        let event = StopTimeEvent { delay: None, time: Some(i64::MAX) };
        let far = StopTimeUpdate { departure: Some(event), ..at(1, None, None) };
        assert_eq!(trip().apply(&[far], None), Err(Unusable::FarFromSchedule));
    }

    #[test]
    fn a_vehicle_cannot_go_back_in_time() {
        let updates = [at(1, Some(0), Some(300)), at(2, Some(0), Some(0))];
        assert_eq!(trip().apply(&updates, None), Err(Unusable::TimesDecrease));
    }

    #[test]
    fn predictions_that_overlap_a_little_are_straightened() {
        let live = trip().apply(&[at(1, Some(0), Some(0)), at(2, Some(90), Some(0))], None).unwrap().times;
        assert_eq!((live.arrivals[1], live.departures[1]), (290, 290));
    }

    #[test]
    fn a_skipped_call_does_not_hold_up_a_vehicle_that_makes_up_time() {
        let skip = StopTimeUpdate { relationship: Some(1), ..at(2, None, None) };
        for (delay, times) in [(60, [360, 380]), (-10, [300, 310])] {
            let updates = [at(1, None, Some(200)), skip.clone(), at(3, Some(delay), Some(delay))];
            let live = trip().apply(&updates, None).unwrap().times;
            assert_eq!([live.arrivals[2], live.departures[2]], times);
        }
    }

    #[test]
    fn calls_that_the_build_has_merged_are_one() {
        const GAPS: [u32; 4] = [1, 2, 4, 5];
        let trip = ScheduledCalls { calls: TripCalls { sequences: &GAPS, ..trip().calls }, ..trip() };
        let skip = |sequence: u32| StopTimeUpdate { relationship: Some(1), ..at(sequence, None, None) };
        let late = trip
            .apply(&[at(2, Some(10), Some(20)), at(3, Some(25), Some(30)), at(4, Some(0), Some(0))], None);
        let late = late.unwrap().times;
        assert_eq!((late.arrivals, late.departures), (vec![-1, 210, 300, 400], vec![-1, 250, 320, 400]));

        let none = |sequence: u32| StopTimeUpdate { relationship: Some(2), ..at(sequence, None, None) };
        let without_data = trip.apply(&[at(2, Some(600), Some(600)), none(3)], None).unwrap().times;
        assert_eq!(without_data.arrivals, [-1, 800, 800, 800]);
        assert_eq!(without_data.departures, [-1, 800, 800, 800]);

        let skipped_first = trip.apply(&[at(1, None, Some(110)), skip(2), none(3)], None).unwrap().times;
        assert_eq!((skipped_first.arrivals[1], skipped_first.departures[1]), (220, 220));
        let early = trip.apply(&[at(1, None, Some(600)), at(2, Some(0), Some(0)), none(3)], None);
        assert_eq!(early, Err(Unusable::TimesDecrease));

        let both = trip.apply(&[at(1, None, Some(10)), skip(2), skip(3)], None).unwrap();
        assert_eq!(
            (both.skipped, both.times.arrivals),
            (vec![false, true, false, false], vec![110, 210, 310, 410])
        );
        let second = trip.apply(&[at(1, None, Some(10)), at(2, Some(10), Some(20)), skip(3)], None).unwrap();
        assert_eq!((second.skipped[1], &second.times.departures[1..]), (false, &[240, 340, 420][..]));
        let first = trip.apply(&[at(1, None, Some(10)), skip(2), at(3, Some(30), Some(40))], None).unwrap();
        assert_eq!((first.skipped[1], first.times.arrivals[1]), (false, 250));
        assert_eq!(first.times.departures[1..], [260, 360, 440]);
    }

    #[test]
    fn merged_calls_are_found_by_their_stop() {
        let update =
            |stop: &str| StopTimeUpdate { stop_id: Some(stop.to_owned()), ..at(0, Some(30), Some(30)) };
        let named = |stop: &str| StopTimeUpdate { stop_sequence: None, ..update(stop) };
        let departures =
            |updates: &[StopTimeUpdate]| trip().apply(updates, None).map(|live| live.times.departures);
        assert_eq!(departures(&[named("b"), named("b"), named("c")]), Ok(vec![-1, 250, 350, 430]));
        assert_eq!(departures(&[named("a"), named("a"), named("a")]), Ok(vec![130, 250, 350, 430]));
        assert_eq!(departures(&[named("a"), named("c"), named("b")]), Err(Unusable::UnknownCall));
        assert_eq!(departures(&[at(1, None, Some(0)), at(9, None, Some(0))]), Err(Unusable::UnknownCall));
    }

    #[test]
    fn merged_calls_are_at_one_assigned_stop() {
        const GAPS: [u32; 4] = [1, 2, 4, 5];
        let trip = ScheduledCalls { calls: TripCalls { sequences: &GAPS, ..trip().calls }, ..trip() };
        let at = |sequence: u32, assigned: &str| StopTimeUpdate {
            properties: Some(StopTimeProperties { assigned_stop_id: Some(assigned.to_owned()) }),
            ..at(sequence, Some(0), Some(0))
        };
        let assigned = |updates: &[StopTimeUpdate]| trip.apply(updates, None).map(|live| live.assigned);
        let moved = Ok(vec![(1, "d".to_owned())]);
        assert_eq!(assigned(&[at(2, "d"), at(3, "d")]), moved);
        assert_eq!(assigned(&[at(2, "d"), at(4, "a")]), moved);
        assert_eq!(assigned(&[at(3, "d")]), moved);
        let also_named = StopTimeUpdate { stop_id: Some("d".to_owned()), ..at(3, "d") };
        assert_eq!(assigned(&[at(2, "d"), also_named]), moved);
        for other in ["b", "e", ""] {
            assert_eq!(assigned(&[at(2, "d"), at(3, other)]), Err(Unusable::DividedCall));
        }
        let skipped = StopTimeUpdate { relationship: Some(1), ..at(3, "e") };
        assert_eq!(assigned(&[at(2, "d"), skipped]), moved);
    }

    #[test]
    fn skipped_calls_are_reported() {
        let skip = StopTimeUpdate { stop_sequence: Some(2), relationship: Some(1), ..Default::default() };
        let live = trip().apply(&[at(1, None, Some(10)), skip], None).unwrap();
        assert_eq!(live.skipped, [false, true, false, false]);
        assert_eq!(live.times.arrivals, [110, 210, 310, 410]);
    }
}
