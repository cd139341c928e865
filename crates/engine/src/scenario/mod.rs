//! Scenarios over a whole graph: the changed timetable, new stops on the streets, walks between stops, live data.

#[cfg(test)]
mod tests;
mod transfers;

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashSet;
use trestle_model::ids::TripIdx;
use trestle_transit::overlay::Overlay;
pub use trestle_transit::scenario::{
    AddedPattern, AddedTransferRule, FrequencyGroup, HopTimes, Modification, PatternDays, PatternRoute,
    PatternStarts, PatternStop, PatternTimetable, Report, TripSelection,
};
use trestle_transit::scenario::{Applied, NewStop, apply};

use crate::graph::{Graph, GraphFacts};
use crate::snapshot::Snapshot;

/// A graph with modifications of its schedule. Like live data it is laid over the graph: what nothing touches is
/// shared.
pub struct Scenario {
    /// Without live data.
    snapshot: Snapshot,
    reports: Vec<Report>,
    /// Trips of the schedule about which live data says nothing that counts here.
    replaced: FxHashSet<TripIdx>,
    /// The overlay that was last asked for: the live one, and what of it counts here.
    overlay: Mutex<Option<(Arc<Overlay>, Arc<Overlay>)>>,
}

impl Scenario {
    /// Applies modifications to the graph of a snapshot. Takes from some milliseconds to seconds, when many walks to
    /// new courses have to be found.
    pub fn new(base: &Snapshot, modifications: &[Modification]) -> Scenario {
        let Applied { mut timetable, mut reports, new_stops, new_courses, replaced } =
            apply(&base.graph.timetable, modifications);
        let (street, unlinked) = match &new_stops[..] {
            [] => (base.graph.street.clone(), Vec::new()),
            stops => {
                let stops: Vec<_> = stops.iter().map(|new| (new.stop.0, new.position)).collect();
                base.graph.street.with_stops(&stops)
            }
        };
        warn_of_unlinked(&mut reports, modifications, &new_stops, &unlinked);
        transfers::extend(&base.graph, &street, &mut timetable, &new_courses);
        let facts = with_stop_access(&base.graph.facts, new_stops.len());
        let graph = Arc::new(Graph { street, timetable, facts });
        let snapshot = Snapshot::new(graph, base.built_ms);
        Scenario { snapshot, reports, replaced, overlay: Mutex::default() }
    }

    /// What became of each modification.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// The scenario under the live data of a snapshot of its graph: bikes and alerts are the same, trip updates count
    /// for trips that no modification touched.
    pub fn under(&self, live: &Snapshot) -> Snapshot {
        self.snapshot.with_live_data_of(live, live.overlay.as_ref().map(|overlay| self.counting(overlay)))
    }

    /// The part of live data that counts; the same one until live data changes.
    fn counting(&self, live: &Arc<Overlay>) -> Arc<Overlay> {
        let mut kept = self.overlay.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((from, counting)) = &*kept
            && Arc::ptr_eq(from, live)
        {
            return counting.clone();
        }
        let is_of_replaced = |trip: &TripIdx| self.replaced.contains(trip);
        let counting = match live.added.iter().any(|trip| trip.replaces.as_ref().is_some_and(is_of_replaced))
        {
            // Scheduled trips that were replaced never run, whatever is said of them.
            false => live.clone(),
            true => {
                let mut overlay = Overlay::clone(live);
                overlay.added.retain(|trip| !trip.replaces.as_ref().is_some_and(is_of_replaced));
                Arc::new(overlay)
            }
        };
        *kept = Some((live.clone(), counting.clone()));
        counting
    }
}

/// Says in the reports of patterns that a new stop is out of reach.
fn warn_of_unlinked(
    reports: &mut [Report],
    modifications: &[Modification],
    new_stops: &[NewStop],
    unlinked: &[u32],
) {
    for new in new_stops.iter().filter(|new| unlinked.contains(&new.stop.0)) {
        let names_it = |modification: &Modification| modification.builds_stop_at(new.position);
        if let Some(number) = modifications.iter().position(names_it) {
            let (lat, lon) = (new.position.lat, new.position.lon);
            reports[number].warnings.push(format!("no street is near the new stop at {lat:.6},{lon:.6}"));
        }
    }
}

fn with_stop_access(facts: &GraphFacts, new_stops: usize) -> GraphFacts {
    let mut facts = facts.clone();
    if new_stops > 0 {
        let seconds = facts.stop_access_seconds.iter().copied();
        facts.stop_access_seconds = seconds.chain(std::iter::repeat_n(0, new_stops)).collect();
    }
    facts
}
