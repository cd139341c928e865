//! The search for rides. It always continues the ride that may arrive first: the one with the least sum of the least
//! seconds spent and the least seconds left.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};
use trestle_engine::deadline::Deadline;
use trestle_model::ids::RouteIdx;
use trestle_transit::raptor::active_service::{CAN_ALIGHT, CAN_BOARD};

use super::error::ProfileError;
use super::nearby_clusters::{Ends, UNREACHED, fastest};
use super::network::{ActiveCall, BOARD_SECONDS, Network, Walk, board_seconds};
use super::request::ProfileRequest;
use super::rides::{ClusterIdx, FIRST, PatternRide, RideChoice, RideChoices, UsedPattern};
use super::statistics::{Arrival, Departure, Ready, RuledEnd, Stats};

/// Largest number of rides of an option.
const MAX_RIDES: usize = 3;
/// Options whose least time is longer than this are left out, seconds.
const LONGEST_SECONDS: i32 = 90 * 60;
/// Limits on the candidates that are examined and stored, to bound time and memory in very dense networks.
const MAX_EXAMINED: usize = 60_000;
const MAX_CANDIDATES: usize = 600_000;
/// Candidates examined between two checks of the deadline.
const INTERRUPT_EVERY: usize = 256;

/// Finds the rides that make up options.
pub(super) fn rides(
    network: &Network<'_>,
    request: &ProfileRequest,
    ends: &Ends,
    deadline: &Deadline,
) -> Result<RideChoices, ProfileError> {
    let mut search = Search::new(network, request, ends);
    search.board_first();
    let mut examined = 0;
    while let Some(Reverse((_, candidate))) = search.queue.pop() {
        examined += 1;
        if examined % INTERRUPT_EVERY == 0 {
            deadline.check()?;
        }
        if examined > MAX_EXAMINED {
            break;
        }
        if let Some(ride) = search.take(candidate as usize) {
            search.keep(ride);
        }
    }
    Ok(search.rides)
}

/// Rides between two clusters that are not examined yet.
#[derive(Default)]
struct Candidate {
    previous: u32,
    origin: ClusterIdx,
    from: ClusterIdx,
    to: ClusterIdx,
    walk: (i32, f64),
    rides: Vec<PatternRide>,
    /// Least seconds in the vehicle.
    least: i32,
}

/// How a cluster was reached by a ride.
#[derive(Clone, Copy)]
struct Visit {
    number: usize,
    least: i32,
    greatest: i32,
    /// Routes of all rides, see [`RideChoice::routes`].
    routes: u64,
}

/// A ride that is about to be continued.
#[derive(Clone, Copy)]
struct Onward {
    previous: u32,
    origin: ClusterIdx,
    /// Number of rides with the next one.
    number: usize,
    /// The walk to the next ride, that ride and the path after it may take at most this many seconds.
    left: i32,
}

struct Search<'a> {
    network: &'a Network<'a>,
    request: &'a ProfileRequest,
    ends: &'a Ends,
    /// First and last departure from the start.
    departures: (i32, i32),
    /// Least seconds to the destination from each cluster, by the number of further rides.
    bounds: Vec<Vec<i32>>,
    candidates: Vec<Candidate>,
    queue: BinaryHeap<Reverse<(i32, u32)>>,
    rides: RideChoices,
    /// By cluster and access mode.
    visits: FxHashMap<(ClusterIdx, usize), Vec<Visit>>,
    /// Best greatest seconds of any option of each access mode.
    best_greatest: Vec<i32>,
}

impl<'a> Search<'a> {
    fn new(network: &'a Network<'a>, request: &'a ProfileRequest, ends: &'a Ends) -> Self {
        let time_of = |epoch| network.service.time_of(epoch);
        Search {
            network,
            request,
            ends,
            departures: (time_of(request.from_epoch), time_of(request.to_epoch)),
            bounds: bounds(network, ends),
            candidates: Vec::new(),
            queue: BinaryHeap::new(),
            rides: RideChoices::default(),
            visits: FxHashMap::default(),
            best_greatest: vec![UNREACHED; ends.access.len()],
        }
    }

    /// Adds first rides. With each access mode, every pattern is boarded where it is reached earliest.
    fn board_first(&mut self) {
        let mut wanted: FxHashMap<(ClusterIdx, ClusterIdx), Candidate> = FxHashMap::default();
        for near in &self.ends.access {
            let mut boardings: FxHashMap<u32, (i32, ClusterIdx, ActiveCall)> = FxHashMap::default();
            for (cluster, seconds) in near.clusters() {
                for call in self.network.boardings(cluster) {
                    let known = boardings.entry(call.pattern).or_insert((UNREACHED, cluster, call));
                    if seconds < known.0 {
                        *known = (seconds, cluster, call);
                    }
                }
            }
            for (_, cluster, call) in boardings.into_values() {
                let onward = self.onward(FIRST, cluster);
                self.add_rides(onward, Walk { to: cluster, seconds: 0, meters: 0.0 }, call, &mut wanted);
            }
        }
        self.note(wanted);
    }

    /// Adds rides after a ride. Every pattern is boarded where the walk to it is shortest.
    fn board_next(&mut self, index: u32) {
        let ride = &self.rides.all[index as usize];
        let here = Walk { to: ride.to, seconds: 0, meters: 0.0 };
        let ends: Vec<Option<RuledEnd>> =
            ride.patterns.iter().map(|used| self.network.ruled_end(used.ride)).collect();
        let may_board = |call| {
            let may_change = |end| self.network.change_seconds(end, call).is_some();
            ends.iter().any(|end| end.is_none_or(may_change))
        };
        let mut boardings: FxHashMap<u32, (Walk, ActiveCall)> = FxHashMap::default();
        for walk in std::iter::once(&here).chain(self.network.walks_from(ride.to)) {
            if walk.to != ride.to && self.rides.visits(index, walk.to) {
                continue;
            }
            for call in self.network.boardings(walk.to).filter(|call| may_board(*call)) {
                let known =
                    boardings.entry(call.pattern).or_insert((Walk { seconds: UNREACHED, ..*walk }, call));
                if walk.seconds < known.0.seconds {
                    *known = (*walk, call);
                }
            }
        }
        // Changing to another vehicle of the same route is not a separate option.
        let route = |pattern: u32| self.network.service.patterns[pattern as usize].route;
        let ridden: Vec<RouteIdx> = ride.patterns.iter().map(|used| route(used.ride.pattern)).collect();
        boardings.retain(|&pattern, _| !ridden.contains(&route(pattern)));
        let onward = self.onward(index, ride.origin);
        let mut wanted: FxHashMap<(ClusterIdx, ClusterIdx), Candidate> = FxHashMap::default();
        for (walk, call) in boardings.into_values() {
            self.add_rides(onward, walk, call, &mut wanted);
        }
        self.note(wanted);
    }

    fn onward(&self, previous: u32, origin: ClusterIdx) -> Onward {
        let (before, number) = self.before(previous);
        let modes = self.modes_before(previous);
        let left = self.access_seconds(modes, origin).map(|(mode, access)| self.longest(mode) - access).max();
        Onward { previous, origin, number, left: left.unwrap_or(-1) - before.min - board_seconds(number) }
    }

    /// Adds the rides from a boarding to all clusters from which the destination can still be reached in time.
    fn add_rides(
        &self,
        onward: Onward,
        walk: Walk,
        call: ActiveCall,
        wanted: &mut FxHashMap<(ClusterIdx, ClusterIdx), Candidate>,
    ) {
        let Onward { previous, origin, number, left } = onward;
        let bounds = &self.bounds[MAX_RIDES - number];
        for (to, ride, least) in self.network.alightings(call) {
            if walk.seconds + least + bounds[to as usize] > left {
                continue;
            }
            if to == walk.to || self.rides.visits(previous, to) {
                continue;
            }
            let candidate = wanted.entry((walk.to, to)).or_insert_with(|| Candidate {
                previous,
                origin,
                from: walk.to,
                to,
                walk: (walk.seconds, walk.meters),
                rides: Vec::new(),
                least,
            });
            candidate.least = candidate.least.min(least);
            // A loop may call twice at a cluster; the first call is enough.
            if !candidate.rides.iter().any(|known| known.pattern == ride.pattern) {
                candidate.rides.push(ride);
            }
        }
    }

    /// Queues the candidates that may lead to an option.
    fn note(&mut self, wanted: FxHashMap<(ClusterIdx, ClusterIdx), Candidate>) {
        let mut wanted: Vec<Candidate> = wanted.into_values().collect();
        wanted.sort_unstable_by_key(|candidate| (candidate.from, candidate.to));
        for mut candidate in wanted {
            candidate.rides.sort_unstable_by_key(|ride| (ride.pattern, ride.board));
            let (before, number) = self.before(candidate.previous);
            let least = before.min + candidate.walk.0 + board_seconds(number) + candidate.least;
            let left = self.bounds[MAX_RIDES - number][candidate.to as usize];
            let modes = self.modes_before(candidate.previous);
            let key = self
                .access_seconds(modes, candidate.origin)
                .map(|(mode, access)| (mode, access + least + left))
                .filter(|(mode, seconds)| *seconds <= self.longest(*mode))
                .map(|(_, seconds)| seconds)
                .min();
            if let Some(key) = key.filter(|_| self.candidates.len() < MAX_CANDIDATES) {
                self.queue.push(Reverse((key, self.candidates.len() as u32)));
                self.candidates.push(candidate);
            }
        }
    }

    /// Seconds spent before a ride, and its number.
    fn before(&self, previous: u32) -> (Stats, usize) {
        match self.rides.all.get(previous as usize) {
            Some(ride) => (ride.total, ride.number + 1),
            None => (Stats::default(), 1),
        }
    }

    fn modes_before(&self, previous: u32) -> u32 {
        self.rides.all.get(previous as usize).map_or(u32::MAX, |ride| ride.modes)
    }

    /// The access modes among `modes` that reach a cluster, and their seconds.
    fn access_seconds(&self, modes: u32, origin: ClusterIdx) -> impl Iterator<Item = (usize, i32)> + 'a {
        let nearby = self.ends.access.iter().enumerate();
        nearby
            .filter(move |(mode, _)| modes & (1 << mode) != 0)
            .filter_map(move |(mode, near)| Some((mode, near.seconds(origin)?)))
    }

    /// Upper limit on the least seconds of an option of an access mode.
    fn longest(&self, mode: usize) -> i32 {
        self.best_greatest[mode].saturating_add(self.request.suboptimal_seconds).min(LONGEST_SECONDS)
    }

    /// Lets the travellers of a candidate board; `None` when they cannot or when it is not worthwhile.
    fn take(&mut self, candidate: usize) -> Option<RideChoice> {
        let candidate = std::mem::take(&mut self.candidates[candidate]);
        let (before, number) = self.before(candidate.previous);
        let ready = self.ready(&candidate)?;
        let departures = self.network.departures(
            &candidate.rides,
            ready.first(),
            ready.last().saturating_add(LONGEST_SECONDS),
        );
        let (used, wait) = ready.board(&departures, |end, departure| {
            let PatternRide { pattern, board, .. } = candidate.rides[departure.ride as usize];
            self.network.change_seconds(end, ActiveCall { pattern, position: board })
        });
        let sample = used.first().map(|d| (d.departs, d.arrives))?;
        let wait = Stats { num: wait.num, ..wait.later(board_seconds(number)) };
        let riding = Stats::of(used.iter().map(|d| d.arrives - d.departs));
        let ends: Vec<Option<RuledEnd>> =
            candidate.rides.iter().map(|&ride| self.network.ruled_end(ride)).collect();
        let arrival = |d: &Departure| Arrival { time: d.arrives, end: ends[d.ride as usize] };
        let mut arrivals: Vec<Arrival> = used.iter().map(arrival).collect();
        arrivals.sort_unstable();
        arrivals.dedup();
        let mut ride = RideChoice {
            previous: candidate.previous,
            number,
            origin: candidate.origin,
            from: candidate.from,
            to: candidate.to,
            walk: candidate.walk,
            patterns: used_patterns(&candidate.rides, &used),
            wait,
            riding,
            total: before.later(candidate.walk.0).plus(wait).plus(riding),
            arrivals,
            modes: self.modes_before(candidate.previous),
            sample,
            routes: 0,
        };
        ride.routes = self.routes(&ride);
        ride.modes = self.worthwhile_modes(&ride);
        (ride.modes != 0).then_some(ride)
    }

    /// Hash of the routes of a ride and of those before it.
    fn routes(&self, ride: &RideChoice) -> u64 {
        let before = self.rides.all.get(ride.previous as usize).map_or(0, |before| before.routes);
        let route = |used: &UsedPattern| self.network.service.patterns[used.ride.pattern as usize].route.0;
        let mut routes: Vec<u32> = ride.patterns.iter().map(route).collect();
        routes.sort_unstable();
        routes.dedup();
        FxBuildHasher.hash_one((before, routes))
    }

    /// When travellers are ready for a candidate's vehicles.
    fn ready(&self, candidate: &Candidate) -> Option<Ready> {
        if let Some(ride) = self.rides.all.get(candidate.previous as usize) {
            return Some(Ready::After(ride.arrivals.clone(), candidate.walk.0 + BOARD_SECONDS));
        }
        let access = self.access_seconds(u32::MAX, candidate.origin).map(|(_, seconds)| seconds).min()?;
        let (first, last) = self.departures;
        Some(Ready::Between(first + access, last + access))
    }

    /// The access modes for which a ride is not dominated by another one. Stores its visit.
    fn worthwhile_modes(&mut self, ride: &RideChoice) -> u32 {
        let left = self.bounds[MAX_RIDES - ride.number][ride.to as usize];
        let mut modes = 0;
        let reached: Vec<(usize, i32)> = self.access_seconds(ride.modes, ride.origin).collect();
        for (mode, access) in reached {
            let (least, greatest) = (access + ride.total.min, access + ride.total.max);
            if least + left > self.longest(mode) {
                continue;
            }
            let visits = self.visits.entry((ride.to, mode)).or_default();
            let dominated = visits.iter().any(|other| {
                let comparable = other.number < ride.number || other.routes == ride.routes;
                (comparable && other.least <= least && other.greatest <= greatest)
                    || other.greatest.saturating_add(self.request.suboptimal_seconds) < least
            });
            if !dominated {
                let (number, routes) = (ride.number, ride.routes);
                visits.push(Visit { number, least, greatest, routes });
                modes |= 1 << mode;
            }
        }
        modes
    }

    /// Stores a ride and adds the rides after it.
    fn keep(&mut self, ride: RideChoice) {
        let index = self.rides.all.len() as u32;
        let (to, number, total) = (ride.to, ride.number, ride.total);
        let reached: Vec<(usize, i32)> = self.access_seconds(ride.modes, ride.origin).collect();
        self.rides.all.push(ride);
        if let Some(egress) = fastest(&self.ends.egress, to) {
            self.rides.last.push(index);
            for (mode, access) in reached {
                self.best_greatest[mode] = self.best_greatest[mode].min(access + total.max + egress);
            }
        }
        if number < MAX_RIDES {
            self.board_next(index);
        }
    }
}

/// The patterns whose vehicles were used, most trips first.
fn used_patterns(rides: &[PatternRide], used: &[Departure]) -> Vec<UsedPattern> {
    let mut patterns: Vec<UsedPattern> = rides.iter().map(|&ride| UsedPattern { ride, trips: 0 }).collect();
    for departure in used {
        patterns[departure.ride as usize].trips += 1;
    }
    patterns.retain(|pattern| pattern.trips > 0);
    patterns.sort_by_key(|pattern| Reverse(pattern.trips));
    patterns
}

/// Lower bounds on the seconds from every cluster to the destination with up to 0, 1, … rides: least running times
/// without waiting.
fn bounds(network: &Network<'_>, ends: &Ends) -> Vec<Vec<i32>> {
    let clusters = 0..network.cluster_count() as u32;
    let mut bounds = vec![
        clusters.map(|cluster| fastest(&ends.egress, cluster).unwrap_or(UNREACHED)).collect::<Vec<i32>>(),
    ];
    for _ in 1..MAX_RIDES {
        let after = &bounds[bounds.len() - 1];
        let boarding = boarding_bounds(network, after);
        let mut next = after.clone();
        for (cluster, bound) in next.iter_mut().enumerate() {
            let walked = network.walks_from(cluster as u32).iter();
            let walked = walked.map(|walk| walk.seconds.saturating_add(boarding[walk.to as usize]));
            *bound = walked.chain([boarding[cluster]]).fold(*bound, i32::min);
        }
        bounds.push(next);
    }
    bounds
}

/// Least seconds from boarding at each cluster, given those from alighting at each cluster.
fn boarding_bounds(network: &Network<'_>, left: &[i32]) -> Vec<i32> {
    let service = network.service;
    let mut boarding = vec![UNREACHED; left.len()];
    for pattern in service.patterns.iter().filter(|pattern| network.runs(pattern)) {
        let calls = pattern.call_range();
        let mut riding = UNREACHED;
        for call in calls.clone().rev() {
            let cluster = network.cluster(service.call_stop[call]) as usize;
            if riding < UNREACHED && service.call_flags[call] & CAN_BOARD != 0 {
                boarding[cluster] = boarding[cluster].min(riding + BOARD_SECONDS);
            }
            let seated =
                if riding < UNREACHED { riding + service.least_times.dwell[call] } else { UNREACHED };
            let alighting =
                if service.call_flags[call] & CAN_ALIGHT != 0 { left[cluster] } else { UNREACHED };
            let here = seated.min(alighting);
            if call > calls.start {
                riding = if here < UNREACHED { here + service.least_times.hop[call - 1] } else { UNREACHED };
            }
        }
    }
    boarding
}
