//! Finds the trips and stops of a modification.

use rustc_hash::FxHashSet;
use trestle_model::ids::{PatternIdx, StopIdx, TripIdx};

use super::draft::{Draft, DraftTrip};
use super::modification::TripSelection;
use crate::timetable::Timetable;

/// Takes the selected trips out of the schedule, in the schedule's order, and after them those that earlier
/// modifications changed.
///
/// # Errors
/// When all members of a condition are unknown, or there are no conditions.
pub(super) fn take(
    draft: &mut Draft<'_>,
    selection: &TripSelection,
    warnings: &mut Vec<String>,
) -> Result<Vec<DraftTrip>, String> {
    let base = draft.base;
    let selected = Selected::new(base, selection, warnings)?;
    let mut chosen: Vec<TripIdx> = Vec::new();
    for pattern in (0..base.patterns.count()).map(PatternIdx::from) {
        if selected.has_pattern(base, pattern) {
            let trips = base.patterns.trips(pattern).map(TripIdx::from);
            chosen.extend(trips.filter(|trip| {
                selected.trips.as_ref().is_none_or(|wanted| wanted.contains(trip))
                    && draft.is_untouched(*trip)
            }));
        }
    }
    let mut taken: Vec<DraftTrip> = chosen.into_iter().map(|trip| draft.take_out(trip)).collect();
    let drafted = std::mem::take(&mut draft.trips);
    let (mut again, kept): (Vec<_>, Vec<_>) =
        drafted.into_iter().partition(|trip| selected.has_drafted(base, trip));
    draft.trips = kept;
    taken.append(&mut again);
    Ok(taken)
}

/// A selection with indices instead of ids.
struct Selected {
    agencies: Option<FxHashSet<u32>>,
    routes: Option<FxHashSet<u32>>,
    trips: Option<FxHashSet<TripIdx>>,
    patterns: Option<FxHashSet<u32>>,
    route_types: Vec<i32>,
    direction: Option<i32>,
}

/// Looks up the ids of a list; `None` for an empty list. Unknown ids become warnings.
///
/// # Errors
/// When all ids are unknown.
fn known<T: std::hash::Hash + Eq>(
    what: &str,
    ids: &[String],
    warnings: &mut Vec<String>,
    find: impl Fn(&str) -> Option<T>,
) -> Result<Option<FxHashSet<T>>, String> {
    if ids.is_empty() {
        return Ok(None);
    }
    let mut found = FxHashSet::default();
    let mut unknown = Vec::new();
    for id in ids {
        match find(id) {
            Some(entity) => drop(found.insert(entity)),
            None => unknown.push(format!("unknown {what} '{id}'")),
        }
    }
    if found.is_empty() {
        return Err(unknown.join(", "));
    }
    warnings.extend(unknown);
    Ok(Some(found))
}

impl Selected {
    fn new(
        base: &Timetable,
        selection: &TripSelection,
        warnings: &mut Vec<String>,
    ) -> Result<Selected, String> {
        if *selection == TripSelection::default() {
            return Err("selects no trips: name agencies, routes, patterns, trips or route types".to_owned());
        }
        let agency = |id: &str| {
            let (feed, id) = id.split_once(':')?;
            base.agency_by_id(feed, id).map(|agency| agency.0)
        };
        Ok(Selected {
            agencies: known("agency", &selection.agencies, warnings, agency)?,
            routes: known("route", &selection.routes, warnings, |id| base.route_by_id(id).map(|r| r.0))?,
            trips: known("trip", &selection.trips, warnings, |id| base.trip_by_id(id))?,
            patterns: known("pattern", &selection.patterns, warnings, |id| {
                base.pattern_by_code(id).map(|pattern| pattern.0)
            })?,
            route_types: selection.route_types.clone(),
            direction: selection.direction,
        })
    }

    fn has_pattern(&self, base: &Timetable, pattern: PatternIdx) -> bool {
        let route = base.patterns.route[pattern.index()];
        let fits = self.has_route(base, route)
            && self.direction.is_none_or(|wanted| wanted == base.patterns.direction[pattern.index()]);
        fits && self.patterns.as_ref().is_none_or(|wanted| wanted.contains(&pattern.0))
    }

    fn has_route(&self, base: &Timetable, route: u32) -> bool {
        let in_base = |i: usize| {
            self.agencies.as_ref().is_none_or(|wanted| wanted.contains(&base.routes.agency[i]))
                && (self.route_types.is_empty() || self.route_types.contains(&base.routes.route_type[i]))
        };
        // Routes that an earlier modification added have no id that a selection could name.
        let i = route as usize;
        i < base.routes.id.len()
            && self.routes.as_ref().is_none_or(|wanted| wanted.contains(&route))
            && in_base(i)
    }

    fn has_drafted(&self, base: &Timetable, trip: &DraftTrip) -> bool {
        let pattern = trip.original.map(|original| base.pattern_of(original).0);
        let in_set = |wanted: &FxHashSet<u32>, is: Option<u32>| is.is_some_and(|is| wanted.contains(&is));
        self.has_route(base, trip.route)
            && self.direction.is_none_or(|wanted| wanted == trip.direction)
            && self.patterns.as_ref().is_none_or(|wanted| in_set(wanted, pattern))
            && self.trips.as_ref().is_none_or(|wanted| trip.original.is_some_and(|is| wanted.contains(&is)))
    }
}

/// The stop with an id, if vehicles may call there.
pub(super) fn boardable_stop(base: &Timetable, id: &str) -> Result<StopIdx, String> {
    let stop = base.stop_by_id(id).ok_or_else(|| format!("unknown stop '{id}'"))?;
    if base.stops.is_boardable(stop) {
        return Ok(stop);
    }
    Err(format!("'{id}' is a station or entrance that no vehicle calls at: name one of its stops"))
}

/// Stops by outer id; a station or platform stands for the stops that belong to it.
///
/// # Errors
/// When none of the ids is known.
pub(super) fn stops(
    base: &Timetable,
    ids: &[String],
    warnings: &mut Vec<String>,
) -> Result<Option<FxHashSet<u32>>, String> {
    let named = known("stop", ids, warnings, |id| base.stop_by_id(id).map(|stop| stop.0))?;
    Ok(named.map(|named| base.stops.with_parts(|stop| named.contains(&stop.0)).map(|stop| stop.0).collect()))
}
