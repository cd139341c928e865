//! Stop clusters near the start and the destination in each mode.

use trestle_street::search::NearbyStop;

use super::request::ProfileMode;
use super::rides::ClusterIdx;

/// Seconds to a cluster that was not reached; a sum of a few of them does not overflow.
pub(super) const UNREACHED: i32 = i32::MAX / 8;

/// No stop.
const NONE: u32 = u32::MAX;

/// The clusters that are near an end of the trip in one mode.
#[derive(Clone, Debug)]
pub(super) struct NearbyClusters {
    pub(super) mode: ProfileMode,
    /// Least seconds to each cluster, or [`UNREACHED`].
    pub(super) seconds: Vec<i32>,
    /// The stop to which the streets lead: one of the cluster, or another one of its station.
    pub(super) stop: Vec<u32>,
}

impl NearbyClusters {
    /// None of this many clusters is reached.
    pub(super) fn none(mode: ProfileMode, clusters: usize) -> Self {
        NearbyClusters { mode, seconds: vec![UNREACHED; clusters], stop: vec![NONE; clusters] }
    }

    /// Notes that a stop is the fastest way to a cluster, if it is faster than the stops before it and its path counts.
    /// `counts` is called only for faster ones.
    pub(super) fn improve(&mut self, cluster: ClusterIdx, by: &NearbyStop, counts: impl FnOnce() -> bool) {
        let cluster = cluster as usize;
        if by.seconds < self.seconds[cluster] && counts() {
            (self.seconds[cluster], self.stop[cluster]) = (by.seconds, by.stop);
        }
    }

    pub(super) fn seconds(&self, cluster: ClusterIdx) -> Option<i32> {
        self.seconds.get(cluster as usize).copied().filter(|seconds| *seconds < UNREACHED)
    }

    /// The clusters, with their seconds.
    pub(super) fn clusters(&self) -> impl Iterator<Item = (ClusterIdx, i32)> + '_ {
        (0..self.seconds.len() as u32).filter_map(|cluster| Some((cluster, self.seconds(cluster)?)))
    }
}

/// The clusters that can be reached from the start, and those from which the destination can be reached; one entry per
/// mode.
#[derive(Clone, Debug)]
pub(super) struct Ends {
    pub(super) access: Vec<NearbyClusters>,
    pub(super) egress: Vec<NearbyClusters>,
}

/// Least seconds to a cluster in any mode.
pub(super) fn fastest(nearby: &[NearbyClusters], cluster: ClusterIdx) -> Option<i32> {
    nearby.iter().filter_map(|near| near.seconds(cluster)).min()
}
