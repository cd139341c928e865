//! Walks to and from the stops of live trips. The build makes walks to the nearest stop of each pattern, so those to stops
//! that only an added or modified trip calls at may be missing.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashSet;
use trestle_model::ids::{PatternIdx, StopIdx};
use trestle_transit::overlay::{AddedTrip, LiveTransfers, Overlay};
use trestle_transit::timetable::Timetable;
use trestle_transit::transfers::store_direct;

use crate::build::transfers::{
    Around, NeighbourSearch, WalkCosts, uses_transfers_txt, walks_of_sequences, with_missing,
};
use crate::snapshot::Snapshot;

/// The stops around those of live trips, which the next message is likely to name again.
#[derive(Default)]
struct StopsAround(Mutex<Around>);

/// The transfers for the trips of an overlay; `None` if all of them call at the same stops as scheduled ones, or if the
/// transfers are those of transfers.txt. Uses those of the present overlay of the snapshot again if it can.
pub(crate) fn live_transfers(snapshot: &Snapshot, overlay: &Overlay) -> Option<Arc<LiveTransfers>> {
    let graph = &snapshot.graph;
    if overlay.added.is_empty() || uses_transfers_txt(graph) {
        return None;
    }
    let sequences = new_sequences(&graph.timetable, &overlay.added);
    if sequences.is_empty() {
        return None;
    }
    let present = snapshot.overlay.as_ref().and_then(|present| present.transfers.as_ref());
    if let Some(present) = present.filter(|present| present.sequences == sequences) {
        return Some(present.clone());
    }
    let StopsAround(known) = snapshot.derived.get();
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    let stops = sequences.iter().map(Vec::as_slice);
    let costs = WalkCosts::default();
    let nearby = NeighbourSearch::new(&costs, &graph.street, &graph.timetable, &graph.facts);
    let mut found = walks_of_sequences(nearby, stops, |nearby, stop| nearby.all(stop), &mut known);
    let mut timetable = Timetable { transfers: graph.timetable.transfers.clone(), ..Timetable::default() };
    if let Some(edges) = with_missing(&graph.timetable, &mut found) {
        timetable.stops.id = graph.timetable.stops.id.clone();
        store_direct(&mut timetable, &edges);
    }
    Some(Arc::new(LiveTransfers::new(sequences, timetable.transfers)))
}

/// The stops at which live trips call one after the other, where no pattern of the timetable has the same; sorted.
fn new_sequences(timetable: &Timetable, added: &[AddedTrip]) -> Vec<Vec<u32>> {
    let called = |trip: &AddedTrip| -> Vec<u32> {
        let calls = trip.stops.iter().enumerate();
        calls.filter(|(position, _)| !trip.passes(*position)).map(|(_, stop)| stop.0).collect()
    };
    let distinct: FxHashSet<Vec<u32>> = added.iter().map(called).collect();
    let mut new: Vec<_> = distinct.into_iter().filter(|sequence| !has_pattern(timetable, sequence)).collect();
    new.sort_unstable();
    new
}

fn has_pattern(timetable: &Timetable, sequence: &[u32]) -> bool {
    let Some(&first) = sequence.first() else { return true };
    let calls = timetable.stops.calls_at(StopIdx(first)).iter();
    calls
        .filter(|[_, position]| *position == 0)
        .any(|&[pattern, _]| timetable.patterns.stops(PatternIdx(pattern)) == sequence)
}
