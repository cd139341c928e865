//! Stops that live data assigns to calls in place of the scheduled ones: other platforms of a station, or bays near by.

use trestle_model::geo::distance_m;
use trestle_model::ids::StopIdx;
use trestle_transit::timetable::Timetable;

use super::rejections::Rejection;

/// Where a feed does not say which stops are of one station, those that are at most this far apart are taken to be.
const NEAR_METERS: f64 = 300.0;

/// The stop with an id, which live data assigns to a call at `scheduled`.
///
/// # Errors
/// It is not in the schedule, travellers cannot board there, or it is elsewhere.
pub(super) fn assigned_stop(
    timetable: &Timetable,
    feed: &str,
    id: &str,
    scheduled: StopIdx,
) -> Result<StopIdx, Rejection> {
    let stop = timetable.stop_by_id(&format!("{feed}:{id}"));
    let unknown = || ("unknown-assigned-stop", format!("the assigned stop '{id}' is not in the schedule"));
    let stop = stop.ok_or_else(unknown)?;
    if !timetable.stops.is_boardable(stop) {
        let reason = format!("the assigned stop '{id}' is a station or an entrance, not a platform");
        return Err(("assigned-stop-not-boardable", reason));
    }
    if !are_together(timetable, [scheduled, stop]) {
        let scheduled = timetable.stop_id(scheduled);
        let reason =
            format!("the assigned stop '{id}' is not in the station of the scheduled stop {scheduled}");
        return Err(("assigned-stop-elsewhere", reason));
    }
    Ok(stop)
}

/// Whether two stops belong to one station or, where one of them has no station, are near each other.
fn are_together(timetable: &Timetable, stops: [StopIdx; 2]) -> bool {
    are_of_one_station(timetable, stops).unwrap_or_else(|| {
        let [one, other] = stops.map(|stop| timetable.stops.position(stop));
        distance_m(one, other) <= NEAR_METERS
    })
}

/// Whether two stops are of one station; `None` where one of them is of none.
pub(super) fn are_of_one_station(timetable: &Timetable, stops: [StopIdx; 2]) -> Option<bool> {
    let [one, other] = stops.map(|stop| timetable.stops.own_station(stop));
    Some(one? == other?)
}
