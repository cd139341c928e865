//! Trips with calls of their own: added ones, and those that replace a scheduled trip.

use trestle_transit::overlay::{AddedTrip, LiveTimes};
use trestle_transit::timetable::Timetable;

use super::assigned_stops::assigned_stop;
use super::call_times::{LONGEST_SHIFT, known, straighten};
use super::messages::{StopTimeEvent, StopTimeUpdate};

/// GTFS pickup_type and drop_off_type "none".
const NOT_AVAILABLE: u8 = 1;

/// The earliest time of a call, seconds of the service day: where clocks are put back, that day begins an hour after
/// midnight.
const EARLIEST: i32 = -3600;

/// The calls of a trip when every call has its stop and its times. The caller adds the trip.
///
/// # Errors
/// An issue's code and text.
pub(super) fn added_trip(
    timetable: &Timetable,
    feed: &str,
    calls: &[StopTimeUpdate],
    day_start: i64,
) -> Result<AddedTrip, (&'static str, String)> {
    let (mut trip, mut has_planned) = (AddedTrip::default(), false);
    // A stop that the vehicle skips need not have times.
    for call in calls.iter().filter(|call| !call.is_skipped() || call.first_time().is_some()) {
        let id = call.named_stop().unwrap_or("");
        let stop = timetable
            .stop_by_id(&format!("{feed}:{id}"))
            .ok_or_else(|| ("unknown-stop", format!("stop '{id}' is not in the schedule")))?;
        let events = [call.arrival, call.departure];
        let times = events.map(|event| event.and_then(StopTimeEvent::moment));
        let missing = || ("call-without-time", format!("the call at stop '{id}' has no time"));
        let arrival = times[0].or(times[1]).ok_or_else(missing)?;
        let departure = times[1].unwrap_or(arrival);
        let far = || ("far-from-schedule", format!("the call at stop '{id}' is not on the day of the trip"));
        let seconds = |time: i64| {
            let seconds = i32::try_from(time.saturating_sub(day_start)).ok();
            seconds.filter(|s| (EARLIEST..=LONGEST_SHIFT).contains(s)).map(known).ok_or_else(far)
        };
        let closed = u8::from(call.is_skipped()) * NOT_AVAILABLE;
        trip.stops.push(stop);
        if let Some(assigned) = call.assigned_stop() {
            let position = trip.stops.len() - 1;
            trip.move_call(position, assigned_stop(timetable, feed, assigned, stop)?);
        }
        trip.times.arrivals.push(seconds(arrival)?);
        trip.times.departures.push(seconds(departure)?);
        let planned = events.map(|event| event.and_then(StopTimeEvent::planned));
        has_planned |= planned.iter().any(Option::is_some);
        // Without a scheduled time, a call is on time.
        trip.planned.arrivals.push(seconds(planned[0].or(planned[1]).unwrap_or(arrival))?);
        trip.planned.departures.push(seconds(planned[1].or(planned[0]).unwrap_or(departure))?);
        trip.sequences.extend(call.stop_sequence);
        trip.pickup.push(closed);
        trip.dropoff.push(closed);
        trip.skipped.push(call.is_skipped());
        let (position, [pickup, dropoff]) = (trip.stops.len() - 1, call.rules());
        trip.change_rules(position, pickup, dropoff);
        trip.headsigns.extend(call.headsign().map(|headsign| (position as u32, headsign.to_owned())));
    }
    if trip.stops.len() < 2 {
        return Err(("too-few-calls", "an added trip needs at least two calls".to_owned()));
    }
    if !has_planned {
        trip.planned = LiveTimes::default();
    }
    if trip.sequences.len() < trip.stops.len() || !trip.sequences.is_sorted_by(|a, b| a < b) {
        trip.sequences = Vec::new();
    }
    let skipped = &trip.skipped;
    if !straighten(&mut trip.times, |call| [!skipped[call]; 2]) {
        return Err(("times-decrease", "the vehicle would go back in time".to_owned()));
    }
    Ok(trip)
}
