//! Adds rules for transfers.

use rustc_hash::FxHashSet;
use trestle_model::ids::StopIdx;

use super::draft::Draft;
use super::edit_trips::Changed;
use super::modification::{AddedTransferRule, TransferEnd};
use super::selection;
use crate::timetable::{Timetable, TransferRule};

/// Adds a rule. It refers to trips of the schedule; if other modifications changed one, [`super::freeze`] puts the new
/// trip into the rule.
pub(super) fn add(draft: &mut Draft<'_>, rule: &AddedTransferRule) -> Changed {
    if rule.kind == TransferRule::MINIMUM_TIME && rule.seconds.is_none() {
        return Err("seconds: is required for a minimum time".to_owned());
    }
    let (from, to) = (End::find(draft.base, &rule.from)?, End::find(draft.base, &rule.to)?);
    let before = draft.rules.len();
    for &from_stop in &from.stops {
        draft.rules.extend(to.stops.iter().map(|&to_stop| TransferRule {
            from_stop,
            to_stop,
            from_route: from.route,
            to_route: to.route,
            from_trip: from.trip,
            to_trip: to.trip,
            kind: rule.kind,
            seconds: rule.seconds.unwrap_or(-1),
        }));
    }
    Ok(draft.rules.len() - before)
}

/// An end of a rule in the timetable.
struct End {
    stops: FxHashSet<u32>,
    route: u32,
    trip: u32,
}

impl End {
    fn find(base: &Timetable, end: &TransferEnd) -> Result<End, String> {
        let found = selection::stops(base, std::slice::from_ref(&end.stop), &mut Vec::new())?;
        let is_stop = |stop: &u32| base.stops.is_boardable(StopIdx(*stop));
        let route =
            |id| base.route_by_id(id).map(|route| route.0).ok_or_else(|| format!("unknown route '{id}'"));
        let trip = |id| base.trip_by_id(id).map(|trip| trip.0).ok_or_else(|| format!("unknown trip '{id}'"));
        Ok(End {
            stops: found.into_iter().flatten().filter(is_stop).collect(),
            route: end.route.as_deref().map_or(Ok(TransferRule::ANY), route)?,
            trip: end.trip.as_deref().map_or(Ok(TransferRule::ANY), trip)?,
        })
    }
}
