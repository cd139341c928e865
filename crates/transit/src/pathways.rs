//! Pathways from stop to stop of a station.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::ids::StopIdx;

use crate::gtfs::LONGEST_SECONDS;
use crate::timetable::{Pathway, Timetable};

/// `location_type` of the parts of a platform.
const BOARDING_AREA: u8 = 4;

/// Where pathways lead from each location: entrances, nodes and boarding areas as well as stops.
type Arcs = FxHashMap<u32, Vec<Pathway>>;

/// The most stops that a stop is joined with by pathways in a row, the nearest ones. Feeds with more do not describe a
/// station, and the connections of so many stops would not fit into memory.
const MOST_STOPS: usize = 200;
/// The most locations that a search from a stop looks at.
const MOST_LOCATIONS: usize = 5000;

/// Pathways from stop to stop, each of them one pathway of the feed or several in a row. Stations have these because most
/// of their pathways lead to nodes and entrances, where no vehicle stops.
pub(crate) fn between_stops(timetable: &Timetable) -> Vec<Pathway> {
    let stops = &timetable.stops;
    let is_stop = |stop: u32| stops.is_boardable(StopIdx(stop));
    let arcs = arcs(timetable);
    let starts: BTreeSet<u32> = arcs.keys().copied().filter(|&start| is_stop(start)).collect();
    let mut joined = Vec::new();
    for start in starts {
        let rolling = seconds_from(&arcs, start, |pathway| pathway.wheelchair_seconds);
        let walks = seconds_from(&arcs, start, |pathway| pathway.seconds);
        let to_stops = walks.into_iter().filter(|&(stop, _)| stop != start && is_stop(stop));
        for (stop, seconds) in nearest(to_stops.collect(), &arcs[&start]) {
            let wheelchair_seconds = rolling.get(&stop).copied().unwrap_or(-1);
            joined.push(Pathway { from_stop: start, to_stop: stop, seconds, wheelchair_seconds });
        }
    }
    joined
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
    if timetable.pathways.is_empty() {
        return arcs;
    }
    let mut add = |pathway: Pathway| arcs.entry(pathway.from_stop).or_default().push(pathway);
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
