//! Scenarios over a whole graph: the changed timetable, new stops on the streets, walks between stops, live data.

mod live;
#[cfg(test)]
mod tests;
mod transfers;

use std::sync::{Arc, Mutex, PoisonError};

use trestle_transit::overlay::Overlay;
pub use trestle_transit::scenario::{
    AddedPattern, AddedTransferRule, FrequencyGroup, HopTimes, Modification, PatternDays, PatternRoute,
    PatternStarts, PatternStop, PatternTimetable, Report, TransferEnd, TripSelection,
};
use trestle_transit::scenario::{Applied, PlacedStop, apply};

use crate::graph::{Graph, GraphFacts};
use crate::realtime::AlertSet;
use crate::snapshot::Snapshot;

/// A graph with modifications of its schedule. Like live data, they are laid over the graph, and what they do not
/// change is shared with it.
pub struct Scenario {
    /// Without live data.
    snapshot: Snapshot,
    reports: Vec<Report>,
    successors: live::Successors,
    /// The live data of the latest request, and its conversion to this scenario.
    overlay: Mutex<Option<(Arc<Overlay>, Arc<Overlay>)>>,
    alerts: Mutex<Option<(Arc<AlertSet>, Arc<AlertSet>)>>,
}

impl Scenario {
    /// Applies modifications to the graph of a snapshot. Takes from some milliseconds to seconds, depending on how many
    /// walks to new patterns have to be searched.
    pub fn new(base: &Snapshot, modifications: &[Modification]) -> Scenario {
        let Applied { mut timetable, mut reports, placed_stops, new_patterns, replaced } =
            apply(&base.graph.timetable, modifications);
        let (street, unlinked) = match &placed_stops[..] {
            [] => (base.graph.street.clone(), Vec::new()),
            stops => {
                let stops: Vec<_> = stops.iter().map(|placed| (placed.stop.0, placed.position)).collect();
                base.graph.street.with_stops(&stops)
            }
        };
        warn_of_unlinked(&mut reports, modifications, &placed_stops, &unlinked);
        transfers::extend(&base.graph, &street, &mut timetable, &new_patterns);
        let stops = base.graph.timetable.stops.id.len();
        let moved: Vec<u32> =
            placed_stops.iter().map(|placed| placed.stop.0).filter(|&stop| (stop as usize) < stops).collect();
        transfers::renew(&base.graph, &street, &mut timetable, &moved);
        let successors = live::successors(&base.graph.timetable, &timetable, replaced);
        let facts = with_stop_access(&base.graph.facts, timetable.stops.id.len() - stops);
        let graph = Arc::new(Graph::of(street, timetable, facts));
        let snapshot = Snapshot::new(graph, base.built_ms);
        Scenario { snapshot, reports, successors, overlay: Mutex::default(), alerts: Mutex::default() }
    }

    /// The outcome of each modification.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// The scenario with the live data of a snapshot of its graph. Trip updates and alerts apply to the trips with the
    /// ids that they name, changed or not; bikes are the same.
    pub fn under(&self, live: &Snapshot) -> Snapshot {
        let carried = |overlay: &Overlay| {
            let (base, changed) = (&live.graph.timetable, &self.snapshot.graph.timetable);
            let carried = live::carried_over(base, changed, &self.successors, overlay);
            let carried = carried.or_else(|| overlay.transfers.is_some().then(|| overlay.clone()))?;
            // Transfers are those of one timetable. The walks of live trips are not searched for each scenario, for which
            // requests would have to wait.
            Some(Arc::new(Overlay { transfers: None, ..carried }))
        };
        let overlay = live.overlay.as_ref().map(|overlay| derived(&self.overlay, overlay, carried));
        let alerts = derived(&self.alerts, &live.alerts, |alerts| {
            Some(Arc::new(alerts.of_timetable(&self.snapshot.graph.timetable)))
        });
        self.snapshot.with_live_data_of(live, overlay).with_alerts(alerts)
    }
}

/// What `derive` makes of live data (`None`: unchanged). The same object is returned until the live data changes,
/// because compiled services are looked up by it.
fn derived<T>(
    kept: &Mutex<Option<(Arc<T>, Arc<T>)>>,
    live: &Arc<T>,
    derive: impl FnOnce(&T) -> Option<Arc<T>>,
) -> Arc<T> {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    match &*kept {
        Some((from, derived)) if Arc::ptr_eq(from, live) => derived.clone(),
        _ => {
            let derived = derive(live).unwrap_or_else(|| live.clone());
            *kept = Some((live.clone(), derived.clone()));
            derived
        }
    }
}

/// Adds a warning to the reports of modifications with a new or moved stop that is out of reach.
fn warn_of_unlinked(
    reports: &mut [Report],
    modifications: &[Modification],
    placed_stops: &[PlacedStop],
    unlinked: &[u32],
) {
    for placed in placed_stops.iter().filter(|placed| unlinked.contains(&placed.stop.0)) {
        let names_it = |modification: &Modification| modification.places_stop_at(placed.position);
        if let Some(number) = modifications.iter().position(names_it) {
            let (lat, lon) = (placed.position.lat, placed.position.lon);
            reports[number].warnings.push(format!("no street is near the stop at {lat:.6},{lon:.6}"));
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
