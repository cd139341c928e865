//! How the streets around a place are sampled.

use trestle_street::cost::StreetPace;
use trestle_street::graph::edge_flags;

use super::sampled::Sample;
use super::start_street::StartStreet;

/// How streets are travelled and which samples count.
#[derive(Clone, Copy, Debug)]
pub struct SamplingRules<'a> {
    /// Largest distance between samples, metres.
    pub step_m: f64,
    /// How streets are travelled.
    pub travel: StreetPace,
    /// Samples at or beyond this many seconds are dropped.
    pub max_seconds: f64,
    /// Samples beyond this many metres walked are dropped.
    pub max_walk_distance: f64,
    /// Where the search starts, if that is within a street.
    pub start: Option<&'a StartStreet>,
}

impl SamplingRules<'_> {
    /// The sample this many metres farther along a street, at so many seconds a metre.
    #[inline]
    pub(super) fn along(&self, from: Sample, metres: f64, pace: f64) -> Sample {
        let walked = if self.travel.permission == edge_flags::CAR { 0.0 } else { metres };
        let Sample { time, boardings, walk_distance } = from;
        Sample { time: time + metres * pace, boardings, walk_distance: walk_distance + walked }
    }
}
