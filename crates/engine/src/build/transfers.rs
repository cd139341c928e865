//! Direct transfers: pathways, and walks from each stop to the nearest stop of every pattern around it.

use std::sync::atomic::{AtomicUsize, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::RoutingRequest;
use trestle_model::geo::{LatLon, distance_m};
use trestle_model::ids::StopIdx;
use trestle_street::cost::StreetCosts;
use trestle_street::graph::StreetGraph;
use trestle_street::search::{StreetQuery, StreetSearch};
use trestle_transit::timetable::{DirectTransfer, Timetable};

use super::{BuildOptions, Progress};

/// Usable in a wheelchair.
const WHEELCHAIR: u32 = 1;
/// A pathway of a station.
const PATHWAY: u32 = 2;
/// Types of transfers.txt that forbid a transfer.
const FORBIDDEN: u32 = 3;

/// Fills the transfer columns of the timetable.
pub(super) fn compute(
    street: &StreetGraph,
    timetable: &mut Timetable,
    options: &BuildOptions,
    progress: Progress<'_>,
) {
    let stops = timetable.stops.id.len();
    let mut fixed = pathways(timetable);
    if options.transit_layer.use_transfers_txt {
        fixed.extend(transfers_txt(timetable));
    }
    if options.transit_layer.station_transfers {
        fixed.extend(station_transfers(timetable));
    }
    let walks = match options.transit_layer.use_transfers_txt {
        true => Vec::new(),
        false => walks(street, timetable, &fixed, options, progress),
    };
    let mut all: Vec<(u32, DirectTransfer)> = fixed;
    all.extend(walks);
    all.sort_by_key(|(from, t)| (*from, t.to_stop, t.seconds));
    all.dedup_by_key(|(from, t)| (*from, t.to_stop));
    let transfers = &mut timetable.transfers;
    (transfers.direct_offsets, transfers.direct) = by_stop(stops, &all);
    let reverse: Vec<_> =
        all.iter().map(|(from, t)| (t.to_stop, DirectTransfer { to_stop: *from, ..*t })).collect();
    (transfers.reverse_offsets, transfers.reverse) = by_stop(stops, &reverse);
}

/// Offsets and entries by stop; keeps the order within a stop.
fn by_stop<C, D>(stops: usize, transfers: &[(u32, DirectTransfer)]) -> (C, D)
where
    C: From<Vec<u32>>,
    D: From<Vec<DirectTransfer>>,
{
    let mut sorted: Vec<&(u32, DirectTransfer)> = transfers.iter().collect();
    sorted.sort_by_key(|(stop, _)| *stop);
    let offsets: Vec<u32> =
        (0..=stops as u32).map(|stop| sorted.partition_point(|(s, _)| *s < stop) as u32).collect();
    (C::from(offsets), D::from(sorted.into_iter().map(|(_, t)| *t).collect::<Vec<_>>()))
}

fn pathways(timetable: &Timetable) -> Vec<(u32, DirectTransfer)> {
    let transfer = |p: &trestle_transit::timetable::Pathway| {
        let flags = PATHWAY | if p.wheelchair_seconds >= 0 { WHEELCHAIR } else { 0 };
        (p.from_stop, DirectTransfer { to_stop: p.to_stop, meters: 0.0, seconds: p.seconds, flags })
    };
    timetable.pathways.iter().filter(|p| p.from_stop != p.to_stop).map(transfer).collect()
}

fn transfers_txt(timetable: &Timetable) -> Vec<(u32, DirectTransfer)> {
    let rules = timetable.transfers.rules.iter();
    rules
        .filter(|r| r.kind != FORBIDDEN && r.from_stop != r.to_stop)
        .map(|r| {
            let meters = straight_meters(timetable, r.from_stop, r.to_stop) as f32;
            let seconds = r.seconds.max(0);
            (r.from_stop, DirectTransfer { to_stop: r.to_stop, meters, seconds, flags: WHEELCHAIR })
        })
        .collect()
}

/// Between all stops of a station, free of time.
fn station_transfers(timetable: &Timetable) -> Vec<(u32, DirectTransfer)> {
    let mut children: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (stop, &parent) in timetable.stops.parent.iter().enumerate() {
        if parent != u32::MAX && timetable.stops.location_type[stop] == 0 {
            children.entry(parent).or_default().push(stop as u32);
        }
    }
    let pairs = children
        .values()
        .flat_map(|stops| stops.iter().flat_map(move |a| stops.iter().map(move |b| (*a, *b))));
    pairs
        .filter(|(a, b)| a != b)
        .map(|(a, to_stop)| (a, DirectTransfer { to_stop, meters: 0.0, seconds: 0, flags: WHEELCHAIR }))
        .collect()
}

fn straight_meters(timetable: &Timetable, a: u32, b: u32) -> f64 {
    let at = |s: u32| LatLon::new(timetable.stops.lat[s as usize], timetable.stops.lon[s as usize]);
    distance_m(at(a), at(b))
}

/// Walks from all stops, computed on all processors; the result does not depend on their number.
fn walks(
    street: &StreetGraph,
    timetable: &Timetable,
    fixed: &[(u32, DirectTransfer)],
    options: &BuildOptions,
    progress: Progress<'_>,
) -> Vec<(u32, DirectTransfer)> {
    let joined: FxHashSet<(u32, u32)> = fixed.iter().map(|(from, t)| (*from, t.to_stop)).collect();
    let stops = timetable.stops.id.len();
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let costs = StreetCosts::from_request(&RoutingRequest::default(), 0);
    let work = || {
        let mut search = StreetSearch::new();
        let query = StreetQuery::new(street, &costs);
        let mut found = Vec::new();
        loop {
            let stop = next.fetch_add(1, Ordering::Relaxed);
            if stop >= stops {
                return found;
            }
            let near = neighbours(&mut search, &query, timetable, stop as u32, options.max_transfer_seconds);
            let kept = nearest_of_patterns(timetable, stop as u32, &near, &joined);
            found.extend(kept.into_iter().map(|t| (stop as u32, t)));
        }
    };
    progress("transfers", 0.0);
    let mut all = Vec::new();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
        all.extend(work());
        for thread in threads {
            match thread.join() {
                Ok(found) => all.extend(found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    progress("transfers", 1.0);
    all
}

/// Stops within reach on foot: along streets, or in a straight line when there are none.
fn neighbours(
    search: &mut StreetSearch,
    query: &StreetQuery<'_>,
    timetable: &Timetable,
    stop: u32,
    max_seconds: i32,
) -> Vec<(u32, f64)> {
    if !is_served(timetable, stop) {
        return Vec::new();
    }
    if query.graph.vertex_count() > 0 {
        return search.stop_neighbours(query, stop, max_seconds);
    }
    (0..timetable.stops.id.len() as u32)
        .filter(|&other| other != stop && is_served(timetable, other))
        .map(|other| (other, straight_meters(timetable, stop, other)))
        .filter(|(_, meters)| *meters <= f64::from(max_seconds))
        .collect()
}

fn is_served(timetable: &Timetable, stop: u32) -> bool {
    !timetable.stops.calls_at(StopIdx(stop)).is_empty()
}

/// For each pattern only the nearest stop that it serves gets a transfer; the stop itself is at distance 0.
fn nearest_of_patterns(
    timetable: &Timetable,
    stop: u32,
    near: &[(u32, f64)],
    joined: &FxHashSet<(u32, u32)>,
) -> Vec<DirectTransfer> {
    let mut nearest: FxHashMap<u32, (f64, u32)> = FxHashMap::default();
    let candidates = near.iter().copied().filter(|(to, _)| !joined.contains(&(stop, *to)));
    for (to, meters) in candidates.chain([(stop, 0.0)]) {
        for &[pattern, _] in timetable.stops.calls_at(StopIdx(to)) {
            let best = nearest.entry(pattern).or_insert((f64::INFINITY, u32::MAX));
            if meters < best.0 || (meters == best.0 && to < best.1) {
                *best = (meters, to);
            }
        }
    }
    let mut kept: Vec<(u32, f64)> = nearest.into_values().map(|(meters, to)| (to, meters)).collect();
    kept.sort_by_key(|(to, _)| *to);
    kept.dedup_by_key(|(to, _)| *to);
    kept.into_iter()
        .filter(|(to, _)| *to != stop)
        .map(|(to_stop, meters)| DirectTransfer {
            to_stop,
            meters: meters as f32,
            seconds: -1,
            flags: WHEELCHAIR,
        })
        .collect()
}
