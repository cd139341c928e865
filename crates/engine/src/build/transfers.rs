//! Direct transfers: pathways, and walks from each stop to the nearest stop of every pattern around it.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::RoutingRequest;
use trestle_model::geo::distance_m;
use trestle_model::ids::StopIdx;
use trestle_model::processors::{Supply, on_processors};
use trestle_street::cost::StreetCosts;
use trestle_street::graph::StreetGraph;
use trestle_street::search::{StreetQuery, StreetSearch};
use trestle_transit::timetable::{DirectTransfer, Timetable};
use trestle_transit::transfers::{AT_ONE_POINT, TransferEdge, fixed_transfers, keep_fastest, store_direct};

use super::{BuildOptions, Progress};
use crate::graph::Graph;

/// Fills the transfer columns of the timetable.
pub(super) fn compute(
    street: &StreetGraph,
    timetable: &mut Timetable,
    options: &BuildOptions,
    progress: Progress<'_>,
) {
    let mut edges = fixed_transfers(timetable, &options.transit_layer);
    if !options.transit_layer.use_transfers_txt {
        let walks = walks(street, timetable, &edges, options, progress);
        edges.extend(walks);
    }
    keep_fastest(&mut edges);
    store_direct(timetable, &edges);
}

fn straight_meters(timetable: &Timetable, a: u32, b: u32) -> f64 {
    distance_m(timetable.stops.position(StopIdx(a)), timetable.stops.position(StopIdx(b)))
}

/// The stops that a connection joins.
pub(crate) fn pair(edge: &TransferEdge) -> (u32, u32) {
    (edge.from_stop.0, edge.transfer.other_stop)
}

/// Walks from all stops, computed on all processors; the result does not depend on how many there are.
fn walks(
    street: &StreetGraph,
    timetable: &Timetable,
    fixed: &[TransferEdge],
    options: &BuildOptions,
    progress: Progress<'_>,
) -> Vec<TransferEdge> {
    let joined: FxHashSet<(u32, u32)> = fixed.iter().map(pair).collect();
    let stops = timetable.stops.id.len();
    let supply = Supply::of(0..stops as u32);
    let costs = StreetCosts::from_request(&RoutingRequest::default(), 0);
    let work = || {
        let mut search = StreetSearch::new();
        let query = StreetQuery::new(street, &costs);
        let mut found = Vec::new();
        while let Some(stop) = supply.take() {
            let near = neighbours(&mut search, &query, timetable, stop, options.max_transfer_seconds);
            let kept = nearest_of_patterns(timetable, stop, &near, &joined);
            found
                .extend(kept.into_iter().map(|transfer| TransferEdge { from_stop: StopIdx(stop), transfer }));
        }
        found
    };
    progress("transfers", 0.0);
    let all = on_processors(stops, work).into_iter().flatten().collect();
    progress("transfers", 1.0);
    all
}

/// A stop within reach on foot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbour {
    pub(crate) stop: u32,
    pub(crate) meters: f64,
    /// Both stops are linked to the same point of the streets, so that the walk is a straight line.
    pub(crate) at_one_point: bool,
}

impl Neighbour {
    /// The walk to this stop.
    pub(crate) fn transfer(&self) -> DirectTransfer {
        let walk = DirectTransfer::walk(self.stop, self.meters);
        let flags = walk.flags | if self.at_one_point { AT_ONE_POINT } else { 0 };
        DirectTransfer { flags, ..walk }
    }
}

/// Stops within reach on foot of one with scheduled service, those of other stops left out; none for these.
pub(crate) fn neighbours(
    search: &mut StreetSearch,
    query: &StreetQuery<'_>,
    timetable: &Timetable,
    stop: u32,
    max_seconds: i32,
) -> Vec<Neighbour> {
    let is_served = |stop: u32| timetable.stops.is_served(StopIdx(stop));
    if !is_served(stop) {
        return Vec::new();
    }
    let mut near = stops_around(search, query, timetable, stop, max_seconds);
    near.retain(|neighbour| is_served(neighbour.stop));
    near
}

/// Stops within reach on foot: along streets, or in a straight line when there are no streets between them.
pub(crate) fn stops_around(
    search: &mut StreetSearch,
    query: &StreetQuery<'_>,
    timetable: &Timetable,
    stop: u32,
    max_seconds: i32,
) -> Vec<Neighbour> {
    if query.graph.vertex_count() > 0 {
        let reach = f64::from(max_seconds) * RoutingRequest::default().walk_speed;
        let near = search.stop_neighbours(query, stop, max_seconds).into_iter();
        // Stops that are linked at the same point have no street between them, though they may be far apart: at the
        // border of the map, all stops beyond it are linked at the last point of a street.
        return near
            .map(|(other, meters)| {
                let at_one_point = meters <= 0.0;
                let meters = if at_one_point { straight_meters(timetable, stop, other) } else { meters };
                Neighbour { stop: other, meters, at_one_point }
            })
            .filter(|neighbour| neighbour.meters <= reach)
            .collect();
    }
    (0..timetable.stops.id.len() as u32)
        .filter(|&other| other != stop)
        .map(|other| Neighbour {
            stop: other,
            meters: straight_meters(timetable, stop, other),
            at_one_point: false,
        })
        .filter(|neighbour| neighbour.meters <= f64::from(max_seconds))
        .collect()
}

/// For each pattern only the nearest stop that it serves gets a transfer: along the streets, and among the stops at the
/// same point of the streets. The latter replace none of the former, which other servers of the interface have as well.
/// The stop itself is at distance 0, so another stop at the same place does not replace it for its own patterns.
pub(crate) fn nearest_of_patterns(
    timetable: &Timetable,
    stop: u32,
    near: &[Neighbour],
    joined: &FxHashSet<(u32, u32)>,
) -> Vec<DirectTransfer> {
    let mut nearest: FxHashMap<(u32, bool), Neighbour> = FxHashMap::default();
    let own = [false, true].map(|at_one_point| Neighbour { stop, meters: 0.0, at_one_point });
    let candidates = near.iter().filter(|to| !joined.contains(&(stop, to.stop)));
    for &to in own.iter().chain(candidates) {
        for &[pattern, _] in timetable.stops.calls_at(StopIdx(to.stop)) {
            let best = nearest.entry((pattern, to.at_one_point)).or_insert(to);
            if to.meters < best.meters
                || (to.meters == best.meters && to.stop < best.stop && best.stop != stop)
            {
                *best = to;
            }
        }
    }
    let mut kept: Vec<Neighbour> = nearest.into_values().filter(|to| to.stop != stop).collect();
    kept.sort_by_key(|to| to.stop);
    kept.dedup_by_key(|to| to.stop);
    kept.iter().map(Neighbour::transfer).collect()
}

/// Whether the graph was built with `useTransfersTxt`.
pub(crate) fn uses_transfers_txt(graph: &Graph) -> bool {
    graph.facts.uses_transfers_txt.first() == Some(&1)
}

/// The longest walk of a transfer that the graph was built with.
pub(crate) fn max_transfer_seconds(graph: &Graph) -> i32 {
    let built = graph.facts.max_transfer_seconds.first().copied();
    built.unwrap_or(BuildOptions::default().max_transfer_seconds)
}

/// The connections that the timetable has.
pub(crate) fn present(timetable: &Timetable) -> impl Iterator<Item = TransferEdge> + '_ {
    let stops = (0..timetable.stops.id.len()).map(StopIdx::from);
    stops.flat_map(|from_stop| {
        let own = timetable.transfers.direct_from(from_stop).iter();
        own.map(move |&transfer| TransferEdge { from_stop, transfer })
    })
}

/// Whether it is a walk, and not one of [`fixed_transfers`].
pub(crate) fn is_walk(edge: &TransferEdge) -> bool {
    edge.transfer.seconds < 0
}

/// The transfers of a timetable and, between stops for which it has none, those that were `found`; `None` if it lacks
/// none.
pub(crate) fn with_missing(
    timetable: &Timetable,
    found: &mut Vec<TransferEdge>,
) -> Option<Vec<TransferEdge>> {
    // The graph's own transfers between two stops stay as they are.
    let is_joined = |edge: &TransferEdge| {
        let own = timetable.transfers.direct_from(edge.from_stop);
        own.iter().any(|transfer| transfer.other_stop == edge.transfer.other_stop)
    };
    found.sort_by_key(pair);
    found.dedup_by_key(|edge| pair(edge));
    found.retain(|edge| !is_joined(edge));
    if found.is_empty() {
        return None;
    }
    let mut edges: Vec<TransferEdge> = present(timetable).collect();
    edges.append(found);
    edges.sort_by_key(pair);
    Some(edges)
}

/// The stops around some stops.
pub(crate) type Around = FxHashMap<u32, Arc<[Neighbour]>>;

/// The walks of at most `max_seconds` that a build would make for patterns with these sequences of stops. `search` is
/// [`neighbours`] or [`stops_around`], and `known` has what it found.
pub(crate) fn walks_of_sequences<'s>(
    (street, timetable): (&StreetGraph, &Timetable),
    sequences: impl Iterator<Item = &'s [u32]>,
    max_seconds: i32,
    search: impl Fn(&mut StreetSearch, &StreetQuery<'_>, &Timetable, u32, i32) -> Vec<Neighbour>,
    known: &mut Around,
) -> Vec<TransferEdge> {
    let costs = StreetCosts::from_request(&RoutingRequest::default(), 0);
    let query = StreetQuery::new(street, &costs);
    let mut memory = StreetSearch::new();
    let mut near = |stop: u32| {
        let around = || search(&mut memory, &query, timetable, stop, max_seconds).into();
        known.entry(stop).or_insert_with(around).clone()
    };
    let joined = present(timetable).filter(|edge| !is_walk(edge)).map(|edge| pair(&edge)).collect();
    let mut edges = Vec::new();
    let mut searched = FxHashSet::default();
    for sequence in sequences {
        // The nearest stop of the sequence from every stop around it.
        let mut nearest: FxHashMap<(u32, bool), (f64, u32)> = FxHashMap::default();
        let mut stops = sequence.to_vec();
        stops.sort_unstable();
        stops.dedup();
        for &stop in &stops {
            let around = near(stop);
            if searched.insert(stop) {
                let outward = nearest_of_patterns(timetable, stop, &around, &joined);
                let edge = |transfer| TransferEdge { from_stop: StopIdx(stop), transfer };
                edges.extend(outward.into_iter().map(edge));
            }
            let unjoined = around.iter().filter(|from| !joined.contains(&(from.stop, stop)));
            for &Neighbour { stop: from, meters, at_one_point } in unjoined {
                let best = nearest.entry((from, at_one_point)).or_insert((f64::INFINITY, u32::MAX));
                if meters < best.0 || (meters == best.0 && stop < best.1) {
                    *best = (meters, stop);
                }
            }
        }
        let inward = nearest.into_iter().filter(|((from, _), _)| stops.binary_search(from).is_err());
        edges.extend(inward.map(|((from, at_one_point), (meters, stop))| TransferEdge {
            from_stop: StopIdx(from),
            transfer: Neighbour { stop, meters, at_one_point }.transfer(),
        }));
    }
    edges
}
