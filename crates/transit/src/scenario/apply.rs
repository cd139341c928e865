//! Applies modifications one after the other.

use rustc_hash::FxHashSet;
use trestle_model::geo::LatLon;
use trestle_model::ids::{PatternIdx, StopIdx, TripIdx};

use super::draft::Draft;
use super::edit_trips::{adjust_dwell, remove, skip_stops};
use super::freeze::freeze;
use super::frequencies::convert;
use super::headways::adjust_headway;
use super::modification::Modification;
use super::moved_stops::move_stop;
use super::{new_pattern, transfer_rules};
use crate::timetable::Timetable;

/// The outcome of one modification.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Number of trips that it changed, or pairs of stops for a transfer rule.
    pub changed: usize,
    /// Parts that were left out, and effects that may be unexpected.
    pub warnings: Vec<String>,
    /// The reason why it was not applied.
    pub error: Option<String>,
}

/// A stop that the scenario adds or moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlacedStop {
    /// Its index.
    pub stop: StopIdx,
    pub position: LatLon,
}

/// A timetable with modifications.
pub struct Applied {
    /// The changed timetable. It still has the schedule's transfers between stops.
    pub timetable: Timetable,
    /// One per modification.
    pub reports: Vec<Report>,
    /// Stops that are not linked to the streets at their new places yet: moved stops first, then new ones.
    pub placed_stops: Vec<PlacedStop>,
    /// Patterns with a sequence of stops that the schedule does not have.
    pub new_patterns: Vec<PatternIdx>,
    /// Trips of the schedule that do not run, or run as another trip.
    pub replaced: FxHashSet<TripIdx>,
}

/// Applies modifications to a timetable in their order; each one works on the result of those before it. A modification
/// that cannot be applied is left out, with the reason in its report.
pub fn apply(base: &Timetable, modifications: &[Modification]) -> Applied {
    let mut draft = Draft::new(base);
    let reports = modifications.iter().map(|modification| apply_one(&mut draft, modification)).collect();
    let moved = draft.new.moved.iter().map(|(&stop, &position)| (stop as usize, position));
    let added = (base.stops.id.len()..).zip(draft.new.stops.iter().map(|stop| stop.row.position));
    let placed =
        moved.chain(added).map(|(stop, position)| PlacedStop { stop: StopIdx::from(stop), position });
    let placed_stops = placed.collect();
    let replaced = draft.out.clone();
    let timetable = freeze(draft);
    let new_patterns = new_patterns(base, &timetable);
    Applied { timetable, reports, placed_stops, new_patterns, replaced }
}

fn apply_one(draft: &mut Draft<'_>, modification: &Modification) -> Report {
    let mut warnings = Vec::new();
    let changed = match modification {
        Modification::RemoveTrip(trips) => remove(draft, trips, &mut warnings),
        Modification::AdjustHeadway { trips, headway, starts } => {
            adjust_headway(draft, trips, *headway, *starts, &mut warnings)
        }
        Modification::AdjustDwellTime { trips, stops, dwell } => {
            adjust_dwell(draft, trips, stops, *dwell, &mut warnings)
        }
        Modification::SkipStop { trips, stops } => skip_stops(draft, trips, stops, &mut warnings),
        Modification::MoveStop { stop, position } => move_stop(draft, stop, *position),
        Modification::AddTripPattern(pattern) => new_pattern::add(draft, pattern),
        Modification::ConvertToFrequency { trips, group, starts } => {
            convert(draft, trips, *group, *starts, &mut warnings)
        }
        Modification::TransferRule(rule) => transfer_rules::add(draft, rule),
    };
    match changed {
        Ok(changed) => {
            if changed == 0 {
                warnings.push("changes nothing".to_owned());
            }
            Report { changed, warnings, error: None }
        }
        Err(reason) => Report { changed: 0, warnings, error: Some(reason) },
    }
}

/// Added patterns with a sequence of stops that no pattern of the base has.
fn new_patterns(base: &Timetable, timetable: &Timetable) -> Vec<PatternIdx> {
    let known: FxHashSet<&[u32]> =
        (0..base.patterns.count()).map(|pattern| base.patterns.stops(PatternIdx::from(pattern))).collect();
    (base.patterns.count()..timetable.patterns.count())
        .map(PatternIdx::from)
        .filter(|&pattern| !known.contains(timetable.patterns.stops(pattern)))
        .collect()
}
