//! Which options are answered.

use rustc_hash::FxHashSet;

use super::reach::{Ends, Reach};
use super::request::{OrderBy, ProfileRequest};
use super::rides::{PlaceIdx, Rides};
use super::statistics::Stats;

/// An option before it is described.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    /// Its last ride.
    pub(super) last: u32,
    /// Access modes it was chosen for, as bits.
    pub(super) modes: u32,
    /// Seconds of the whole.
    pub(super) stats: Stats,
}

/// For every access mode the best options, each sequence of routes once; together ordered as requested.
pub(super) fn choose(request: &ProfileRequest, ends: &Ends, rides: &Rides) -> Vec<Chosen> {
    let mut chosen: Vec<Chosen> = Vec::new();
    for (mode, reach) in ends.access.iter().enumerate() {
        for last in best_of_mode(request, ends, rides, (mode, reach)) {
            match chosen.iter_mut().find(|option| option.last == last) {
                Some(option) => option.modes |= 1 << mode,
                None => chosen.push(Chosen { last, modes: 1 << mode, stats: Stats::default() }),
            }
        }
    }
    for option in &mut chosen {
        let ride = &rides.all[option.last as usize];
        let access = reaching(&ends.access, option.modes).filter_map(|reach| reach.seconds(ride.origin));
        option.stats = Stats::of(access).plus(ride.total).plus(egress_stats(ends, ride.to));
    }
    chosen.sort_by_key(|option| (judged(option.stats, request.order_by), option.last));
    chosen
}

/// The reaches of some modes.
pub(super) fn reaching(reaches: &[Reach], modes: u32) -> impl Iterator<Item = &Reach> {
    reaches.iter().enumerate().filter(move |(mode, _)| modes & (1 << mode) != 0).map(|(_, reach)| reach)
}

/// The last rides of the best options of an access mode.
fn best_of_mode(
    request: &ProfileRequest,
    ends: &Ends,
    rides: &Rides,
    (mode, reach): (usize, &Reach),
) -> Vec<u32> {
    let with_mode = |last: &&u32| rides.all[**last as usize].modes & (1 << mode) != 0;
    let mut options: Vec<(Stats, u32)> = (rides.last.iter().filter(with_mode))
        .filter_map(|&last| {
            let ride = &rides.all[last as usize];
            let total = ride.total.later(reach.seconds(ride.origin)?);
            Some((total.plus(egress_stats(ends, ride.to)), last))
        })
        .collect();
    let surest = options.iter().map(|(stats, _)| stats.max).min().unwrap_or(0);
    options.retain(|(stats, _)| stats.min <= surest + request.suboptimal_seconds);
    options.sort_by_key(|(stats, last)| (judged(*stats, request.order_by), *last));
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    options.retain(|(_, last)| seen.insert(rides.all[*last as usize].routes));
    if request.limit > 0 {
        options.truncate(request.limit);
    }
    options.into_iter().map(|(_, last)| last).collect()
}

fn judged(stats: Stats, by: OrderBy) -> i32 {
    match by {
        OrderBy::Min => stats.min,
        OrderBy::Avg => stats.avg,
        OrderBy::Max => stats.max,
    }
}

fn egress_stats(ends: &Ends, place: PlaceIdx) -> Stats {
    Stats::of(ends.egress.iter().filter_map(|reach| reach.seconds(place)))
}
