//! From the calls of a trip update to the live times of every call of the trip.

use std::borrow::Cow;
use std::iter::Peekable;
use std::slice::Iter;

use trestle_transit::lookup::TripCalls;
use trestle_transit::overlay::{LiveTimes, NO_TIME};
use trestle_transit::timetable::Timetable;

use super::messages::{StopTimeEvent, StopTimeUpdate};
use super::rejections::Unusable;

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
    pub(super) timetable: &'a Timetable,
}

/// The calls of a scheduled trip with live data: their times, which are skipped, and which are at other stops.
#[derive(Debug, PartialEq)]
pub(super) struct LiveCalls {
    pub(super) times: LiveTimes,
    pub(super) skipped: Vec<bool>,
    /// Position and stop_id of the calls at other stops than the scheduled ones, in order.
    pub(super) assigned: Vec<(usize, String)>,
    /// Position, pickup_type and drop_off_type of the calls that have others than the scheduled ones.
    pub(super) rules: Vec<(usize, [Option<u8>; 2])>,
    /// Position and stop_headsign of the calls at which live data gives one.
    pub(super) headsigns: Vec<(u32, String)>,
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
    /// Every call before the first update has the delay of the trip, or no time if the trip has no delay. After it, the
    /// latest delay applies until the next update. If no update has a time, the updates only skip calls, and the other
    /// calls have the delay of the trip, if it has one. From a call without data on, the schedule applies again as far as
    /// the predictions before and after it allow; see [`straighten`].
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
            rules: Vec::new(),
            headsigns: Vec::new(),
            predicted: vec![[false; 2]; count],
        };
        let mut pending = updates.iter().peekable();
        let has_times = updates.iter().any(StopTimeUpdate::has_time);
        let mut delay = match trip_delay {
            None if has_times => None,
            None => Some(Delay::WITHOUT_DATA),
            // The times of calls are more exact, so it gives way to them.
            Some(delay) if has_times => {
                plausible(delay).ok().map(|seconds| Delay { seconds, is_predicted: false })
            }
            Some(delay) => Some(Delay { seconds: plausible(delay)?, is_predicted: true }),
        };
        for call in 0..count {
            let update = pending.next_if(|update| self.is_about(update, call));
            let update = update.map(|first| self.completed(first, call, &mut pending));
            let update = update.as_deref();
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
            update.inspect(|update| result.change(call, update));
            while let Some(update) = pending.next_if(|update| self.is_merged(update, call)) {
                delay = self.apply_repeated(update, call, delay, &mut result)?;
                stop = self.stop_used(Some(update), call, stop)?;
                result.change(call, update);
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

    /// All updates that name one call as one update; `first` is the first of them.
    fn completed<'u>(
        &self,
        first: &'u StopTimeUpdate,
        call: usize,
        pending: &mut Peekable<Iter<'u, StopTimeUpdate>>,
    ) -> Cow<'u, StopTimeUpdate> {
        let mut update = Cow::Borrowed(first);
        while let Some(later) = pending.next_if(|later| self.names_again(later, call)) {
            update = Cow::Owned(update.completed_by(later));
        }
        update
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
