//! Direct transfers: pathways, and walks from each stop to the nearest stop of every pattern around it.

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

/// Walks from all stops, computed on all processors; the result does not depend on how many there are.
fn walks(
    street: &StreetGraph,
    timetable: &Timetable,
    fixed: &[TransferEdge],
    options: &BuildOptions,
    progress: Progress<'_>,
) -> Vec<TransferEdge> {
    let joined: FxHashSet<(u32, u32)> =
        fixed.iter().map(|e| (e.from_stop.0, e.transfer.other_stop)).collect();
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

/// Stops within reach on foot: along streets, or in a straight line when there are no streets between them.
pub(crate) fn neighbours(
    search: &mut StreetSearch,
    query: &StreetQuery<'_>,
    timetable: &Timetable,
    stop: u32,
    max_seconds: i32,
) -> Vec<Neighbour> {
    if !timetable.stops.is_served(StopIdx(stop)) {
        return Vec::new();
    }
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
        .filter(|&other| other != stop && timetable.stops.is_served(StopIdx(other)))
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
