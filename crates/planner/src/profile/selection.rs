//! Chooses the options of the answer.

use rustc_hash::FxHashSet;

use super::nearby_clusters::{Ends, NearbyClusters};
use super::request::{OrderBy, ProfileRequest};
use super::rides::{ClusterIdx, RideChoices};
use super::statistics::Stats;

/// An option before it is described.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    /// Its last ride.
    pub(super) last: u32,
    /// Access modes it was chosen for, as bits.
    pub(super) modes: u32,
    /// Seconds of the whole option.
    pub(super) stats: Stats,
}

/// The best options of every access mode, each sequence of routes once, in the requested order.
pub(super) fn choose(request: &ProfileRequest, ends: &Ends, rides: &RideChoices) -> Vec<Chosen> {
    let mut chosen: Vec<Chosen> = Vec::new();
    for (mode, near) in ends.access.iter().enumerate() {
        for last in best_of_mode(request, ends, rides, (mode, near)) {
            match chosen.iter_mut().find(|option| option.last == last) {
                Some(option) => option.modes |= 1 << mode,
                None => chosen.push(Chosen { last, modes: 1 << mode, stats: Stats::default() }),
            }
        }
    }
    for option in &mut chosen {
        let ride = &rides.all[option.last as usize];
        let access = of_modes(&ends.access, option.modes).filter_map(|near| near.seconds(ride.origin));
        option.stats = Stats::of(access).plus(ride.total).plus(egress_stats(ends, ride.to));
    }
    chosen.sort_by_key(|option| (order_key(option.stats, request.order_by), option.last));
    chosen
}

pub(super) fn of_modes(nearby: &[NearbyClusters], modes: u32) -> impl Iterator<Item = &NearbyClusters> {
    nearby.iter().enumerate().filter(move |(mode, _)| modes & (1 << mode) != 0).map(|(_, near)| near)
}

/// The last rides of the best options of an access mode.
fn best_of_mode(
    request: &ProfileRequest,
    ends: &Ends,
    rides: &RideChoices,
    (mode, near): (usize, &NearbyClusters),
) -> Vec<u32> {
    let with_mode = |last: &&u32| rides.all[**last as usize].modes & (1 << mode) != 0;
    let mut options: Vec<(Stats, u32)> = (rides.last.iter().filter(with_mode))
        .filter_map(|&last| {
            let ride = &rides.all[last as usize];
            let total = ride.total.later(near.seconds(ride.origin)?);
            Some((total.plus(egress_stats(ends, ride.to)), last))
        })
        .collect();
    let best_greatest = options.iter().map(|(stats, _)| stats.max).min().unwrap_or(0);
    options.retain(|(stats, _)| stats.min <= best_greatest + request.suboptimal_seconds);
    options.sort_by_key(|(stats, last)| (order_key(*stats, request.order_by), *last));
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    options.retain(|(_, last)| seen.insert(rides.all[*last as usize].routes));
    if request.limit > 0 {
        options.truncate(request.limit);
    }
    options.into_iter().map(|(_, last)| last).collect()
}

fn order_key(stats: Stats, by: OrderBy) -> i32 {
    match by {
        OrderBy::Min => stats.min,
        OrderBy::Avg => stats.avg,
        OrderBy::Max => stats.max,
    }
}

fn egress_stats(ends: &Ends, cluster: ClusterIdx) -> Stats {
    Stats::of(ends.egress.iter().filter_map(|near| near.seconds(cluster)))
}
