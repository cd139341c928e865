//! Walks between the stops of new patterns and all others, and those of moved stops.

use std::collections::BTreeSet;

use trestle_model::ids::{PatternIdx, StopIdx};
use trestle_street::graph::StreetGraph;
use trestle_transit::timetable::Timetable;
use trestle_transit::transfers::{TransferEdge, rule_edge, store_direct};

use crate::build::transfers::{
    Around, NeighbourSearch, WalkCosts, is_walk, nearest_of_patterns, pair, present, uses_transfers_txt,
    walks_of_sequences, with_missing,
};
use crate::graph::Graph;

/// Completes the transfers of a timetable with `new_patterns` in the same way as the build: from each stop to the
/// nearest stop of every pattern around it. Walks are assumed to be equally long in both directions.
pub(super) fn extend(
    base: &Graph,
    street: &StreetGraph,
    timetable: &mut Timetable,
    new_patterns: &[PatternIdx],
) {
    let mut found = if uses_transfers_txt(base) {
        ruled(&base.timetable, timetable)
    } else {
        let sequences = new_patterns.iter().map(|&pattern| timetable.patterns.stops(pattern));
        let costs = WalkCosts::default();
        let nearby = NeighbourSearch::new(&costs, street, timetable, &base.facts);
        walks_of_sequences(nearby, sequences, |nearby, stop| nearby.scheduled(stop), &mut Around::default())
    };
    if let Some(edges) = with_missing(timetable, &mut found) {
        store_direct(timetable, &edges);
    }
}

/// Searches again the walks that moved stops change: those from and to them, and those of the stops around their old and
/// their new places, for which another stop of a pattern may be the nearest now. Pathways and the transfers of
/// transfers.txt stay.
pub(super) fn renew(base: &Graph, street: &StreetGraph, timetable: &mut Timetable, moved: &[u32]) {
    if moved.is_empty() || uses_transfers_txt(base) {
        return;
    }
    let costs = WalkCosts::default();
    let nearby = |street, timetable| NeighbourSearch::new(&costs, street, timetable, &base.facts);
    let (mut before, mut after) = (nearby(&base.street, &base.timetable), nearby(street, &*timetable));
    let mut concerned: BTreeSet<u32> = moved.iter().copied().collect();
    for &stop in moved {
        let near = before.scheduled(stop).into_iter().chain(after.scheduled(stop));
        concerned.extend(near.map(|neighbour| neighbour.stop));
    }
    let kept = |edge: &TransferEdge| !(is_walk(edge) && concerned.contains(&edge.from_stop.0));
    let mut edges: Vec<TransferEdge> = present(timetable).filter(kept).collect();
    let joined = edges.iter().map(pair).collect();
    for &stop in &concerned {
        let near = after.scheduled(stop);
        let walks = nearest_of_patterns(timetable, stop, &near, &joined);
        edges.extend(walks.into_iter().map(|transfer| TransferEdge { from_stop: StopIdx(stop), transfer }));
    }
    edges.sort_by_key(pair);
    store_direct(timetable, &edges);
}

/// Edges of new general rules, in graphs whose transfers are those of transfers.txt.
fn ruled(base: &Timetable, timetable: &Timetable) -> Vec<TransferEdge> {
    let new = timetable.transfers.rules.iter().filter(|rule| !base.transfers.rules.contains(rule));
    new.filter_map(|rule| rule_edge(&timetable.stops, rule)).collect()
}
