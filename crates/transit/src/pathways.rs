//! Connections between the stops of a station by its pathways.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::ids::StopIdx;

use crate::gtfs::LONGEST_SECONDS;
use crate::timetable::{DirectTransfer, Pathway, Timetable};
use crate::transfers::{PATHWAY, TransferEdge, WHEELCHAIR};

/// `location_type` of stops and platforms.
const STOP: u8 = 0;
/// `location_type` of the parts of a platform.
const BOARDING_AREA: u8 = 4;

/// Where pathways lead from each location: entrances, nodes and boarding areas as well as stops.
type Arcs = FxHashMap<u32, Vec<Pathway>>;

/// The most stops that a stop is joined with by pathways in a row, the nearest ones. Feeds with more do not describe a
/// station, and the connections of so many stops would not fit into memory.
const MOST_STOPS: usize = 200;
/// The most locations that a search from a stop looks at.
const MOST_LOCATIONS: usize = 5000;

/// Connections between stops by one pathway or by several in a row, which stations have because most of their pathways
/// lead to nodes and entrances, where no vehicle stops.
pub(crate) fn connections(timetable: &Timetable) -> Vec<TransferEdge> {
    let stops = &timetable.stops;
    let is_stop = |stop: u32| stops.location_type[stop as usize] == STOP || stops.is_served(StopIdx(stop));
    let arcs = arcs(timetable);
    let starts: BTreeSet<u32> = arcs.keys().copied().filter(|&start| is_stop(start)).collect();
    let mut edges = Vec::new();
    for start in starts {
        let rolling = seconds_from(&arcs, start, |pathway| pathway.wheelchair_seconds);
        let walks = seconds_from(&arcs, start, |pathway| pathway.seconds);
        let to_stops = walks.into_iter().filter(|&(stop, _)| stop != start && is_stop(stop));
        for (stop, seconds) in nearest(to_stops.collect(), &arcs[&start]) {
            edges.extend(connection(start, stop, seconds, rolling.get(&stop).copied()));
        }
    }
    edges
}

/// The nearest stops and those to which pathways lead straight, by their number.
fn nearest(mut stops: Vec<(u32, i32)>, straight: &[Pathway]) -> Vec<(u32, i32)> {
    if stops.len() > MOST_STOPS {
        stops.sort_unstable_by_key(|&(stop, seconds)| (seconds, stop));
        let ends: FxHashSet<u32> = straight.iter().map(|pathway| pathway.to_stop).collect();
        let mut rank = 0..;
        stops.retain(|(stop, _)| rank.next().is_some_and(|rank| rank < MOST_STOPS) || ends.contains(stop));
    }
    stops.sort_unstable();
    stops
}

/// The pathways by the location where they start. A platform and its boarding areas are one place.
fn arcs(timetable: &Timetable) -> Arcs {
    let mut arcs = Arcs::default();
    let mut add = |pathway: Pathway| arcs.entry(pathway.from_stop).or_default().push(pathway);
    if timetable.pathways.is_empty() {
        return arcs;
    }
    timetable.pathways.iter().copied().for_each(&mut add);
    let stops = &timetable.stops;
    for (area, (&platform, &kind)) in (0..).zip(stops.parent.iter().zip(stops.location_type.iter())) {
        if kind == BOARDING_AREA && platform != u32::MAX {
            add(Pathway { from_stop: area, to_stop: platform, ..Pathway::default() });
            add(Pathway { from_stop: platform, to_stop: area, ..Pathway::default() });
        }
    }
    arcs
}

/// Times from a location to those that it leads to, the least ones unless there are too many of them; `seconds` of a
/// pathway are negative if it is impassable.
fn seconds_from(arcs: &Arcs, start: u32, seconds: impl Fn(&Pathway) -> i32) -> FxHashMap<u32, i32> {
    let mut least = FxHashMap::from_iter([(start, 0)]);
    let mut queue = BinaryHeap::from([Reverse((0, start))]);
    while let Some(Reverse((time, location))) = queue.pop() {
        if least[&location] < time {
            continue;
        }
        for pathway in arcs.get(&location).into_iter().flatten().filter(|pathway| seconds(pathway) >= 0) {
            if least.len() > MOST_LOCATIONS && location != start {
                return least;
            }
            let there = time + seconds(pathway);
            let is_less = least.get(&pathway.to_stop).is_none_or(|&known| there < known);
            if is_less && there <= LONGEST_SECONDS {
                least.insert(pathway.to_stop, there);
                queue.push(Reverse((there, pathway.to_stop)));
            }
        }
    }
    least
}

/// A connection on foot, and in a wheelchair if that takes longer. Searches on foot use the connections for wheelchairs
/// too, so these are never faster.
fn connection(
    from_stop: u32,
    to_stop: u32,
    seconds: i32,
    rolling: Option<i32>,
) -> impl Iterator<Item = TransferEdge> {
    let edge = move |seconds: i32, flags: u32| TransferEdge {
        from_stop: StopIdx(from_stop),
        transfer: DirectTransfer { other_stop: to_stop, meters: 0.0, seconds, flags: flags | PATHWAY },
    };
    let is_same = rolling.is_some_and(|rolling| rolling <= seconds);
    let slower = rolling.filter(|&rolling| rolling > seconds).map(|rolling| edge(rolling, WHEELCHAIR));
    std::iter::once(edge(seconds, if is_same { WHEELCHAIR } else { 0 })).chain(slower)
}
