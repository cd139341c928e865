//! Walks between the stops of new patterns and all others, and those of moved stops.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::RoutingRequest;
use trestle_model::ids::{PatternIdx, StopIdx};
use trestle_street::cost::StreetCosts;
use trestle_street::graph::StreetGraph;
use trestle_street::search::{StreetQuery, StreetSearch};
use trestle_transit::timetable::Timetable;
use trestle_transit::transfers::{TransferEdge, rule_edge, store_direct};

use crate::build::BuildOptions;
use crate::build::transfers::{Neighbour, nearest_of_patterns, neighbours};
use crate::graph::Graph;

/// Completes the transfers of a timetable with `new_patterns` in the same way as the build: from each stop to the
/// nearest stop of every pattern around it. Walks are taken to be equally long in both directions.
pub(super) fn extend(
    base: &Graph,
    street: &StreetGraph,
    timetable: &mut Timetable,
    new_patterns: &[PatternIdx],
) {
    let mut found = if uses_transfers_txt(base) {
        ruled(&base.timetable, timetable)
    } else {
        walks(street, timetable, new_patterns, max_transfer_seconds(base))
    };
    if found.is_empty() {
        return;
    }
    let mut edges = present(timetable);
    let pair = |edge: &TransferEdge| (edge.from_stop, edge.transfer.other_stop);
    // The graph's own transfers between two stops stay as they are.
    let joined: FxHashSet<_> = edges.iter().map(pair).collect();
    found.sort_by_key(pair);
    found.dedup_by_key(|edge| pair(edge));
    edges.extend(found.into_iter().filter(|edge| !joined.contains(&pair(edge))));
    edges.sort_by_key(pair);
    store_direct(timetable, &edges);
}

/// Searches again the walks that moved stops change: those from and to them, and those of the stops around their old and
/// their new places, for which another stop of a pattern may be the nearest now. Pathways and the transfers of
/// transfers.txt stay.
pub(super) fn renew(base: &Graph, street: &StreetGraph, timetable: &mut Timetable, moved: &[u32]) {
    if moved.is_empty() || uses_transfers_txt(base) {
        return;
    }
    let costs = StreetCosts::from_request(&RoutingRequest::default(), 0);
    let max_seconds = max_transfer_seconds(base);
    let mut search = StreetSearch::new();
    let mut concerned: BTreeSet<u32> = moved.iter().copied().collect();
    for (street, timetable) in [(&base.street, &base.timetable), (street, &*timetable)] {
        let query = StreetQuery::new(street, &costs);
        for &stop in moved {
            let near = neighbours(&mut search, &query, timetable, stop, max_seconds);
            concerned.extend(near.into_iter().map(|neighbour| neighbour.stop));
        }
    }
    let is_walk = |edge: &TransferEdge| edge.transfer.seconds < 0;
    let kept = |edge: &TransferEdge| !(is_walk(edge) && concerned.contains(&edge.from_stop.0));
    let mut edges: Vec<TransferEdge> = present(timetable).into_iter().filter(kept).collect();
    let joined = edges.iter().map(|edge| (edge.from_stop.0, edge.transfer.other_stop)).collect();
    let query = StreetQuery::new(street, &costs);
    for &stop in &concerned {
        let near = neighbours(&mut search, &query, timetable, stop, max_seconds);
        let walks = nearest_of_patterns(timetable, stop, &near, &joined);
        edges.extend(walks.into_iter().map(|transfer| TransferEdge { from_stop: StopIdx(stop), transfer }));
    }
    edges.sort_by_key(|edge| (edge.from_stop, edge.transfer.other_stop));
    store_direct(timetable, &edges);
}

/// Whether the graph was built with `useTransfersTxt`.
fn uses_transfers_txt(graph: &Graph) -> bool {
    graph.facts.uses_transfers_txt.first() == Some(&1)
}

/// The longest walk of a transfer that the graph was built with.
fn max_transfer_seconds(graph: &Graph) -> i32 {
    let built = graph.facts.max_transfer_seconds.first().copied();
    built.unwrap_or(BuildOptions::default().max_transfer_seconds)
}

/// Edges of new general rules, in graphs whose transfers are those of transfers.txt.
fn ruled(base: &Timetable, timetable: &Timetable) -> Vec<TransferEdge> {
    let new = timetable.transfers.rules.iter().filter(|rule| !base.transfers.rules.contains(rule));
    new.filter_map(rule_edge).collect()
}

/// The connections that the timetable has.
fn present(timetable: &Timetable) -> Vec<TransferEdge> {
    let stops = (0..timetable.stops.id.len()).map(StopIdx::from);
    let edges_from = |from_stop| {
        let own = timetable.transfers.direct_from(from_stop).iter();
        own.map(move |&transfer| TransferEdge { from_stop, transfer })
    };
    stops.flat_map(edges_from).collect()
}

fn walks(
    street: &StreetGraph,
    timetable: &Timetable,
    new_patterns: &[PatternIdx],
    max_seconds: i32,
) -> Vec<TransferEdge> {
    let mut patterns_at: BTreeMap<u32, Vec<PatternIdx>> = BTreeMap::new();
    for &pattern in new_patterns {
        for &stop in timetable.patterns.stops(pattern) {
            patterns_at.entry(stop).or_default().push(pattern);
        }
    }
    let costs = StreetCosts::from_request(&RoutingRequest::default(), 0);
    let query = StreetQuery::new(street, &costs);
    let mut search = StreetSearch::new();
    let mut edges = Vec::new();
    // The nearest stop of each pattern from every stop around it.
    let mut nearest: FxHashMap<(u32, PatternIdx, bool), (f64, u32)> = FxHashMap::default();
    for (&stop, patterns_there) in &patterns_at {
        let near = neighbours(&mut search, &query, timetable, stop, max_seconds);
        let outward = nearest_of_patterns(timetable, stop, &near, &FxHashSet::default());
        edges.extend(outward.into_iter().map(|transfer| TransferEdge { from_stop: StopIdx(stop), transfer }));
        for Neighbour { stop: from, meters, at_one_point } in near {
            for &pattern in patterns_there {
                let best = nearest.entry((from, pattern, at_one_point)).or_insert((f64::INFINITY, u32::MAX));
                if meters < best.0 || (meters == best.0 && stop < best.1) {
                    *best = (meters, stop);
                }
            }
        }
    }
    let calls_there =
        |stop: u32, pattern: PatternIdx| patterns_at.get(&stop).is_some_and(|at| at.contains(&pattern));
    let inward = nearest.into_iter().filter(|((from, pattern, _), _)| !calls_there(*from, *pattern));
    edges.extend(inward.map(|((from, _, at_one_point), (meters, stop))| TransferEdge {
        from_stop: StopIdx(from),
        transfer: Neighbour { stop, meters, at_one_point }.transfer(),
    }));
    edges
}
