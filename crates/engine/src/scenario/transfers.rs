//! Walks between the stops of new patterns and all others, and those of moved stops.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use trestle_model::ids::{PatternIdx, StopIdx};
use trestle_street::graph::StreetGraph;
use trestle_transit::timetable::{Timetable, TransferRule};
use trestle_transit::transfers::{TransferEdge, keep_fastest, rule_edge, store_direct};

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
    add_changes_of_rules(base, timetable);
    if uses_transfers_txt(base) {
        return;
    }
    let sequences = new_patterns.iter().map(|&pattern| timetable.patterns.stops(pattern));
    let costs = WalkCosts::default();
    let nearby = NeighbourSearch::new(&costs, street, timetable, &base.facts);
    let near = |nearby: &mut NeighbourSearch<'_>, stop| nearby.scheduled(stop);
    let mut found = walks_of_sequences(nearby, sequences, near, &mut Around::default());
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

/// Adds the changes of new general rules, as the build does: all of them in graphs whose transfers are those of
/// transfers.txt, otherwise only the timed ones, which replace walks.
fn add_changes_of_rules(base: &Graph, timetable: &mut Timetable) {
    let is_used = |rule: &&TransferRule| uses_transfers_txt(base) || rule.kind == TransferRule::TIMED;
    let is_new = |rule: &&TransferRule| !base.timetable.transfers.rules.contains(rule);
    let new = timetable.transfers.rules.iter().filter(is_used).filter(is_new);
    let changes: Vec<TransferEdge> = new.filter_map(|rule| rule_edge(&timetable.stops, rule)).collect();
    if changes.is_empty() {
        return;
    }
    let joined: FxHashSet<(u32, u32)> = changes.iter().map(pair).collect();
    let mut edges: Vec<TransferEdge> = present(timetable).collect();
    edges.retain(|edge| !(is_walk(edge) && joined.contains(&pair(edge))));
    edges.extend(changes);
    keep_fastest(&mut edges);
    store_direct(timetable, &edges);
}
