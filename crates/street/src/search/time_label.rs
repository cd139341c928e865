//! Small labels of vertices for searches on foot that minimize seconds.

use bytemuck::Zeroable;

use super::TreeStart;
use super::label::{Label, LastStreet, Via};
use crate::cost::{Effort, TraverseMode};

/// What the label of a vertex has besides its seconds.
#[derive(Clone, Copy, Debug, Default, Zeroable)]
pub(super) struct LabelDetails {
    /// Generalized cost.
    pub(super) weight: f32,
    /// Number of the start it comes from.
    pub(super) start: u32,
    /// The last street, see [`LastStreet`].
    far: u32,
    angle: u8,
    flags: u8,
    /// The path is continued this many seconds early, as its start asks for; 0 in searches whose starts are all known
    /// at the beginning.
    ahead: u16,
}

/// A vertex that was reached.
#[derive(Clone, Copy, Debug)]
pub struct WalkedTo {
    pub vertex: u32,
    /// Seconds to (backward: from) it.
    pub seconds: u32,
    /// Generalized cost, begun with the weight of the start.
    pub weight: f32,
    /// Metres, begun with those of the start; 0 in searches that do not count them.
    pub metres: f32,
    /// Number of the start.
    pub start: usize,
}

/// The label of a vertex. `METRES`: the search counts them.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeLabel<const METRES: bool> {
    pub(super) seconds: u32,
    pub(super) details: LabelDetails,
    /// Metres walked; 0 where the search does not count them.
    pub(super) metres: f32,
}

impl<const METRES: bool> TimeLabel<METRES> {
    pub(super) fn start(start: &TreeStart, number: u32, ahead: u16) -> TimeLabel<METRES> {
        let details =
            LabelDetails { weight: start.weight as f32, start: number, ahead, ..LabelDetails::default() };
        let metres = if METRES { start.walk_distance as f32 } else { 0.0 };
        TimeLabel { seconds: start.seconds as u32, details, metres }
    }

    /// The second at which it is continued.
    #[inline(always)]
    pub(super) fn due(&self) -> u32 {
        self.seconds - u32::from(self.details.ahead)
    }

    pub(super) fn walked_to(&self, vertex: u32) -> WalkedTo {
        let LabelDetails { weight, start, .. } = self.details;
        WalkedTo { vertex, seconds: self.seconds, weight, metres: self.metres, start: start as usize }
    }
}

impl<const METRES: bool> Label for TimeLabel<METRES> {
    const MODE: Option<TraverseMode> = Some(TraverseMode::Foot);

    #[inline(always)]
    fn key(&self) -> f64 {
        f64::from(self.seconds)
    }

    #[inline(always)]
    fn seconds(&self) -> i32 {
        self.seconds as i32
    }

    #[inline(always)]
    fn walk(&self) -> f32 {
        if METRES { self.metres } else { 0.0 }
    }

    #[inline(always)]
    fn last(&self) -> LastStreet {
        LastStreet { flags: u16::from(self.details.flags), angle: self.details.angle, far: self.details.far }
    }

    #[inline(always)]
    fn after(&self, effort: &Effort, last: LastStreet, _: u32, _: Via) -> TimeLabel<METRES> {
        let details = LabelDetails {
            weight: self.details.weight + effort.weight as f32,
            far: last.far,
            angle: last.angle,
            flags: last.flags as u8,
            ..self.details
        };
        let metres = if METRES { self.metres + effort.walk as f32 } else { 0.0 };
        TimeLabel { seconds: self.seconds + effort.seconds as u32, details, metres }
    }

    #[inline(always)]
    fn with_extra_cost(self, _: f64) -> TimeLabel<METRES> {
        self
    }
}
