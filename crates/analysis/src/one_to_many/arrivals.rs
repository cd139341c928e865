//! What a search by time alone finds: the ways to each vertex, and the times that are made of them.

use trestle_model::ids::VertexIdx;
use trestle_transit::raptor::{FirstCome, UNREACHED};

/// A way on the streets alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct StreetWay {
    /// Seconds, or [`UNREACHED`].
    pub(super) seconds: i32,
    /// Generalized cost; only used with [`EarliestArrivals::weighed`].
    pub(super) weight: f32,
}

/// A way by transit.
#[derive(Clone, Copy, Debug)]
pub(super) struct TransitWay {
    /// Seconds, or [`UNREACHED`].
    pub(super) seconds: i32,
    /// The part of them spent waiting for the first vehicle.
    pub(super) initial_wait: i32,
    /// As in [`StreetWay`].
    pub(super) weight: f32,
}

impl TransitWay {
    pub(super) const NONE: TransitWay =
        TransitWay { seconds: UNREACHED, initial_wait: 0, weight: f32::INFINITY };

    /// Seconds without at most `clamp` seconds of the wait for the first vehicle, or [`UNREACHED`].
    fn active_seconds(&self, clamp: i32) -> i32 {
        active(self.seconds, self.initial_wait, clamp)
    }
}

/// What it takes to get to each street vertex (or from each, with `arrive_by`), on the streets alone and by transit.
/// Both are kept, because subtracting the wait for the first vehicle can change which is quicker.
#[derive(Clone, Debug, Default)]
pub struct EarliestArrivals {
    /// To each vertex on the streets alone.
    walked: Vec<StreetWay>,
    /// To each vertex having used a vehicle; empty when none is used.
    ridden: Vec<TransitWay>,
    /// The generalized costs are known, because both are on foot on the streets.
    weighed: bool,
    /// Per stop: seconds until a vehicle is left there, or [`UNREACHED`], and those spent waiting for the first one.
    alighted: Vec<(i32, i32)>,
}

/// Least times without the wait for the first vehicle, and what contours show instead of them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ActiveTimes {
    /// Seconds to each vertex, or [`UNREACHED`].
    pub seconds: Vec<i32>,
    /// The vertices whose way of the least generalized cost, on the streets alone or by transit, is slower than the
    /// quickest one, with its seconds.
    pub slower_but_cheaper: Vec<(u32, i32)>,
    /// Seconds of the first wait that were subtracted from the way of the least cost to each vertex; empty when no
    /// vehicle is used.
    pub removed_waits: Vec<u16>,
}

impl EarliestArrivals {
    /// The ways on the streets alone; `weighed`: their generalized costs are known.
    pub(super) fn on_streets(walked: Vec<StreetWay>, weighed: bool) -> EarliestArrivals {
        EarliestArrivals { walked, weighed, ..EarliestArrivals::default() }
    }

    /// Seconds to each vertex with all waits, or [`UNREACHED`].
    pub fn seconds(&self) -> Vec<i32> {
        self.active_seconds(0)
    }

    /// The least seconds to each vertex without at most `clamp` seconds of the wait for the first vehicle, or
    /// [`UNREACHED`].
    pub fn active_seconds(&self, clamp: i32) -> Vec<i32> {
        let mut seconds: Vec<i32> = self.walked.iter().map(|way| way.seconds).collect();
        for (least, ridden) in seconds.iter_mut().zip(&self.ridden) {
            *least = ridden.active_seconds(clamp).min(*least);
        }
        seconds
    }

    /// The same, with what contours show instead.
    pub fn active_times(&self, clamp: i32) -> ActiveTimes {
        if self.ridden.is_empty() {
            return ActiveTimes { seconds: self.seconds(), ..ActiveTimes::default() };
        }
        let vertices = self.walked.len();
        let mut times = ActiveTimes {
            seconds: Vec::with_capacity(vertices),
            removed_waits: Vec::with_capacity(vertices),
            ..ActiveTimes::default()
        };
        for (v, (walked, ridden)) in self.walked.iter().zip(&self.ridden).enumerate() {
            let active = ridden.active_seconds(clamp);
            let by_transit =
                if self.weighed { ridden.weight <= walked.weight } else { active < walked.seconds };
            let (least, cheapest) =
                (active.min(walked.seconds), if by_transit { active } else { walked.seconds });
            if cheapest > least && cheapest != UNREACHED {
                times.slower_but_cheaper.push((v as u32, cheapest));
            }
            let removed = if by_transit { ridden.initial_wait.min(clamp) } else { 0 };
            times.seconds.push(least);
            times.removed_waits.push(u16::try_from(removed).unwrap_or(u16::MAX));
        }
        times
    }

    /// Adds where vehicles are left, and the way by transit to each vertex, if there is one.
    pub(super) fn add_transit(
        &mut self,
        found: &[FirstCome],
        way_to: impl Fn(VertexIdx) -> Option<TransitWay>,
    ) {
        let vertices = 0..self.walked.len() as u32;
        self.ridden = vertices.map(|v| way_to(VertexIdx(v)).unwrap_or(TransitWay::NONE)).collect();
        self.alighted = found.iter().map(|way| (way.seconds, way.initial_wait)).collect();
    }

    /// As [`EarliestArrivals::active_seconds`], to where vehicles are left at each stop; empty when none is used.
    pub fn active_seconds_at_stops(&self, clamp: i32) -> Vec<i32> {
        self.alighted.iter().map(|&(ridden, wait)| active(ridden, wait, clamp)).collect()
    }
}

fn active(seconds: i32, initial_wait: i32, clamp: i32) -> i32 {
    if seconds == UNREACHED { UNREACHED } else { seconds - initial_wait.min(clamp) }
}
