//! Adds rules for transfers.

use rustc_hash::FxHashSet;
use trestle_model::ids::TripIdx;

use super::draft::Draft;
use super::edit_trips::Changed;
use super::modification::AddedTransferRule;
use super::selection;
use crate::timetable::TransferRule;

/// Any route or trip.
const ANY: u32 = u32::MAX;
/// The transfer_type that needs a min_transfer_time.
const MINIMUM_TIME: u32 = 2;

/// Adds a rule. It refers to trips of the schedule; if other modifications changed one, [`super::freeze`] puts the new
/// trip into the rule.
pub(super) fn add(draft: &mut Draft<'_>, rule: &AddedTransferRule) -> Changed {
    if rule.kind == MINIMUM_TIME && rule.seconds.is_none() {
        return Err("seconds: is required for a minimum time".to_owned());
    }
    let base = draft.base;
    let ends = |id: &str| -> Result<FxHashSet<u32>, String> {
        let found = selection::stops(base, &[id.to_owned()], &mut Vec::new())?;
        Ok(found.into_iter().flatten().filter(|&stop| base.stops.location_type[stop as usize] == 0).collect())
    };
    let route = |id: &Option<String>| match id {
        None => Ok(ANY),
        Some(id) => base.route_by_id(id).map(|route| route.0).ok_or_else(|| format!("unknown route '{id}'")),
    };
    let trip = |id: &Option<String>| match id {
        None => Ok(ANY),
        Some(id) => {
            base.trip_by_id(id).map(|trip: TripIdx| trip.0).ok_or_else(|| format!("unknown trip '{id}'"))
        }
    };
    let (from_stops, to_stops) = (ends(&rule.from_stop)?, ends(&rule.to_stop)?);
    let (from_route, to_route) = (route(&rule.from_route)?, route(&rule.to_route)?);
    let (from_trip, to_trip) = (trip(&rule.from_trip)?, trip(&rule.to_trip)?);
    let before = draft.rules.len();
    for &from_stop in &from_stops {
        draft.rules.extend(to_stops.iter().map(|&to_stop| TransferRule {
            from_stop,
            to_stop,
            from_route,
            to_route,
            from_trip,
            to_trip,
            kind: rule.kind,
            seconds: rule.seconds.unwrap_or(-1),
        }));
    }
    Ok(draft.rules.len() - before)
}
