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
use trestle_transit::transfers::{
    AT_ONE_POINT, TransferEdge, WHEELCHAIR, WHEELCHAIR_ONLY, fixed_transfers, keep_fastest, store_direct,
};

use super::{BuildOptions, Progress};
use crate::graph::{Graph, GraphFacts};

/// Fills the transfer columns of the timetable.
pub(super) fn compute(graph: &mut Graph, options: &BuildOptions, progress: Progress<'_>) {
    let mut edges = fixed_transfers(&graph.timetable, &options.transit_layer);
    if !options.transit_layer.use_transfers_txt {
        let walks = walks(graph, &edges, progress);
        edges.extend(walks);
    }
    keep_fastest(&mut edges);
    store_direct(&mut graph.timetable, &edges);
}

fn straight_meters(timetable: &Timetable, a: u32, b: u32) -> f64 {
    distance_m(timetable.stops.position(StopIdx(a)), timetable.stops.position(StopIdx(b)))
}

/// The stops that a connection joins.
pub(crate) fn pair(edge: &TransferEdge) -> (u32, u32) {
    (edge.from_stop.0, edge.transfer.other_stop)
}

/// Walks from all stops, computed on all processors; the result does not depend on how many there are.
fn walks(graph: &Graph, fixed: &[TransferEdge], progress: Progress<'_>) -> Vec<TransferEdge> {
    let timetable = &graph.timetable;
    let joined: FxHashSet<(u32, u32)> = fixed.iter().map(pair).collect();
    let stops = timetable.stops.id.len();
    let supply = Supply::of(0..stops as u32);
    let costs = WalkCosts::default();
    let work = || {
        let mut nearby = NeighbourSearch::new(&costs, &graph.street, timetable, &graph.facts);
        let mut found = Vec::new();
        while let Some(stop) = supply.take() {
            let near = nearby.scheduled(stop);
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

/// A way for wheelchairs counts as the one on foot if it is at most this much longer, metres.
const SAME_WAY_M: f64 = 1.0;

/// Costs of walks between stops.
pub(crate) struct WalkCosts {
    on_foot: StreetCosts,
    in_wheelchair: StreetCosts,
}

impl Default for WalkCosts {
    fn default() -> Self {
        let costs = |wheelchair| {
            StreetCosts::from_request(&RoutingRequest { wheelchair, ..RoutingRequest::default() }, 0)
        };
        WalkCosts { on_foot: costs(false), in_wheelchair: costs(true) }
    }
}

/// A stop within reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbour {
    pub(crate) stop: u32,
    pub(crate) meters: f64,
    /// Whether the way can be used in a wheelchair ([`WHEELCHAIR`]), whether it is not the one on foot
    /// ([`WHEELCHAIR_ONLY`]), and whether both stops are linked to the same point of the streets, so that the walk is a
    /// straight line ([`AT_ONE_POINT`]).
    pub(crate) flags: u32,
}

impl Neighbour {
    /// The walk to this stop.
    pub(crate) fn transfer(&self) -> DirectTransfer {
        DirectTransfer { flags: self.flags, ..DirectTransfer::walk(self.stop, self.meters) }
    }

    fn is_at_one_point(&self) -> bool {
        self.flags & AT_ONE_POINT != 0
    }

    fn is_usable(&self, wheelchair: bool) -> bool {
        self.transfer().is_usable(wheelchair)
    }
}

/// Finds the stops around a stop.
pub(crate) struct NeighbourSearch<'a> {
    memory: StreetSearch,
    on_foot: StreetQuery<'a>,
    in_wheelchair: StreetQuery<'a>,
    timetable: &'a Timetable,
    facts: &'a GraphFacts,
    max_seconds: i32,
}

impl<'a> NeighbourSearch<'a> {
    /// Finds stops within the longest walk of a transfer, in which the ways between streets and platforms count. `facts` are
    /// those of the graph, also where a scenario has other streets or stops.
    pub(crate) fn new(
        costs: &'a WalkCosts,
        street: &'a StreetGraph,
        timetable: &'a Timetable,
        facts: &'a GraphFacts,
    ) -> NeighbourSearch<'a> {
        let [on_foot, in_wheelchair] =
            [&costs.on_foot, &costs.in_wheelchair].map(|costs| StreetQuery::new(street, costs));
        NeighbourSearch {
            memory: StreetSearch::new(),
            on_foot,
            in_wheelchair,
            timetable,
            facts,
            max_seconds: max_transfer_seconds(facts),
        }
    }

    /// Stops with scheduled service within reach. A stop without scheduled service has none.
    pub(crate) fn scheduled(&mut self, stop: u32) -> Vec<Neighbour> {
        let stops = &self.timetable.stops;
        if !stops.is_served(StopIdx(stop)) {
            return Vec::new();
        }
        let mut near = self.all(stop);
        near.retain(|neighbour| stops.is_served(StopIdx(neighbour.stop)));
        near
    }

    /// Stops within reach: along streets, or in a straight line where there are no streets at all. A stop comes twice if
    /// there is another way to it for wheelchairs.
    pub(crate) fn all(&mut self, stop: u32) -> Vec<Neighbour> {
        if self.on_foot.graph.vertex_count() == 0 {
            return self.in_a_straight_line(stop);
        }
        let on_foot = self.along_streets(stop, false);
        with_ways_for_wheelchairs(on_foot, self.along_streets(stop, true))
    }

    fn in_a_straight_line(&self, stop: u32) -> Vec<Neighbour> {
        let others = (0..self.timetable.stops.id.len() as u32).filter(|&other| other != stop);
        let walk = |other| Neighbour {
            stop: other,
            meters: straight_meters(self.timetable, stop, other),
            flags: WHEELCHAIR,
        };
        others.map(walk).filter(|to| to.meters <= f64::from(self.max_seconds)).collect()
    }

    fn along_streets(&mut self, stop: u32, wheelchair: bool) -> Vec<Neighbour> {
        let query = if wheelchair { &self.in_wheelchair } else { &self.on_foot };
        let reach = f64::from(self.max_seconds) * RoutingRequest::default().walk_speed;
        let link_seconds = |stop: u32| self.facts.stop_link_seconds(StopIdx(stop));
        let near = self.memory.stop_neighbours(query, stop, self.max_seconds, &link_seconds);
        // Stops that are linked at the same point have no street between them, though they may be far apart: at the border
        // of the map, all stops beyond it are linked at the last point of a street.
        let walk = |(other, meters)| match meters <= 0.0 {
            true => Neighbour {
                stop: other,
                meters: straight_meters(self.timetable, stop, other),
                flags: AT_ONE_POINT,
            },
            false => Neighbour { stop: other, meters, flags: 0 },
        };
        near.into_iter().map(walk).filter(|to| to.meters <= reach).collect()
    }
}

/// Marks the walks that a wheelchair can use as well, and adds the walks for wheelchairs that differ from them.
fn with_ways_for_wheelchairs(mut on_foot: Vec<Neighbour>, in_wheelchair: Vec<Neighbour>) -> Vec<Neighbour> {
    let mut others: FxHashMap<u32, Neighbour> = in_wheelchair.into_iter().map(|to| (to.stop, to)).collect();
    for to in &mut on_foot {
        if others.get(&to.stop).is_some_and(|way| way.meters <= to.meters + SAME_WAY_M) {
            to.flags |= WHEELCHAIR;
            others.remove(&to.stop);
        }
    }
    let mut others: Vec<Neighbour> = others.into_values().collect();
    others.sort_by_key(|to| to.stop);
    others.iter_mut().for_each(|to| to.flags |= WHEELCHAIR | WHEELCHAIR_ONLY);
    on_foot.extend(others);
    on_foot
}

/// For each pattern only the nearest stop that it serves gets a transfer: along the streets, and among the stops at the
/// same point of the streets. The latter do not replace any of the former, which other servers of the interface have as
/// well. The stop itself is at distance 0, so another stop at the same place does not replace it for its own patterns.
/// Wheelchairs get separate transfers where their nearest stop, or the path to it, differs.
pub(crate) fn nearest_of_patterns(
    timetable: &Timetable,
    stop: u32,
    near: &[Neighbour],
    joined: &FxHashSet<(u32, u32)>,
) -> Vec<DirectTransfer> {
    let nearest = |wheelchair: bool| nearest_by_one_way(timetable, stop, near, joined, wheelchair);
    let on_foot = nearest(false);
    let in_wheelchair = match near.iter().all(|to| to.flags & (WHEELCHAIR | WHEELCHAIR_ONLY) == WHEELCHAIR) {
        true => Vec::new(),
        false => nearest(true),
    };
    let own = in_wheelchair.into_iter().filter_map(|to| beside(&on_foot, to));
    on_foot.iter().copied().chain(own).map(|to| to.transfer()).collect()
}

/// A walk for wheelchairs, unless it is among the walks on foot, which are in the order of their stops.
fn beside(on_foot: &[Neighbour], to: Neighbour) -> Option<Neighbour> {
    let same = on_foot.binary_search_by_key(&to.stop, |walk| walk.stop).ok();
    let is_there = same.is_some_and(|same| on_foot[same].is_usable(true));
    (!is_there).then_some(Neighbour { flags: to.flags | WHEELCHAIR_ONLY, ..to })
}

/// The nearest stops on foot or in a wheelchair, in the order of stops.
fn nearest_by_one_way(
    timetable: &Timetable,
    stop: u32,
    near: &[Neighbour],
    joined: &FxHashSet<(u32, u32)>,
    wheelchair: bool,
) -> Vec<Neighbour> {
    let mut nearest: FxHashMap<(u32, bool), Neighbour> = FxHashMap::default();
    let own = [WHEELCHAIR, WHEELCHAIR | AT_ONE_POINT].map(|flags| Neighbour { stop, meters: 0.0, flags });
    let candidates = near.iter().filter(|to| to.is_usable(wheelchair) && !joined.contains(&(stop, to.stop)));
    for &to in own.iter().chain(candidates) {
        for &[pattern, _] in timetable.stops.calls_at(StopIdx(to.stop)) {
            let best = nearest.entry((pattern, to.is_at_one_point())).or_insert(to);
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
    kept
}

/// Whether the graph was built with `useTransfersTxt`.
pub(crate) fn uses_transfers_txt(graph: &Graph) -> bool {
    graph.facts.uses_transfers_txt.first() == Some(&1)
}

/// The longest walk of a transfer that the graph was built with.
fn max_transfer_seconds(facts: &GraphFacts) -> i32 {
    let built = facts.max_transfer_seconds.first().copied();
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
    let is_for_wheelchairs = |edge: &TransferEdge| !edge.transfer.is_usable(false);
    // The graph's own transfers between two stops stay as they are.
    let is_joined = |edge: &TransferEdge| {
        let own = timetable.transfers.direct_from(edge.from_stop);
        own.iter().any(|transfer| {
            transfer.other_stop == edge.transfer.other_stop && transfer.is_usable(is_for_wheelchairs(edge))
        })
    };
    found.sort_by_key(|edge| (pair(edge), is_for_wheelchairs(edge)));
    found.dedup_by_key(|edge| (pair(edge), is_for_wheelchairs(edge)));
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

/// The nearest stop of a sequence from each stop around it, along the streets, or if true, at one point of them.
type NearestOfSequence = FxHashMap<(u32, bool), Neighbour>;

/// Keeps the walk from a neighbour to a stop of the sequence if no other stop of the sequence is nearer to it.
fn keep_nearest(nearest: &mut NearestOfSequence, from: &Neighbour, stop: u32) {
    let to = Neighbour { stop, ..*from };
    let best = nearest.entry((from.stop, from.is_at_one_point())).or_insert(to);
    if to.meters < best.meters || (to.meters == best.meters && stop < best.stop) {
        *best = to;
    }
}

/// The walks that a build would make for patterns with these sequences of stops. `search` is
/// [`NeighbourSearch::scheduled`] or [`NeighbourSearch::all`], and `known` has what it found.
pub(crate) fn walks_of_sequences<'s>(
    mut nearby: NeighbourSearch<'_>,
    sequences: impl Iterator<Item = &'s [u32]>,
    search: impl Fn(&mut NeighbourSearch<'_>, u32) -> Vec<Neighbour>,
    known: &mut Around,
) -> Vec<TransferEdge> {
    let timetable = nearby.timetable;
    let mut near = |stop: u32| known.entry(stop).or_insert_with(|| search(&mut nearby, stop).into()).clone();
    let joined = present(timetable).filter(|edge| !is_walk(edge)).map(|edge| pair(&edge)).collect();
    let mut edges = Vec::new();
    let mut searched = FxHashSet::default();
    for sequence in sequences {
        // On foot and in a wheelchair.
        let mut nearest: [NearestOfSequence; 2] = Default::default();
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
            for from in around.iter().filter(|from| !joined.contains(&(from.stop, stop))) {
                for (nearest, wheelchair) in nearest.iter_mut().zip([false, true]) {
                    if from.is_usable(wheelchair) {
                        keep_nearest(nearest, from, stop);
                    }
                }
            }
        }
        let [on_foot, mut in_wheelchair] = nearest;
        in_wheelchair.retain(|from, to| {
            *to = Neighbour { flags: to.flags | WHEELCHAIR_ONLY, ..*to };
            on_foot.get(from).is_none_or(|walk| walk.stop != to.stop || !walk.is_usable(true))
        });
        let inward = on_foot.into_iter().chain(in_wheelchair);
        let outside = inward.filter(|((from, _), _)| stops.binary_search(from).is_err());
        edges.extend(
            outside.map(|((from, _), to)| TransferEdge { from_stop: StopIdx(from), transfer: to.transfer() }),
        );
    }
    edges
}
