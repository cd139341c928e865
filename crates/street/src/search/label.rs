//! Labels, the best known paths to the states of a search: what all kinds of them have in common.

use bytemuck::Zeroable;

use super::ahead::Ahead;
use crate::cost::{Effort, TraverseMode};

/// What led to a label, packed into 32 bits: an edge, a temporary half of an edge, or an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Via(u32);

const FIRST_HALF: u32 = 0xC000_0000;
const FIRST_EVENT: u32 = 0xF000_0000;

/// [`Via`], unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ViaKind {
    Edge(u32),
    /// Index among the halves of the search's places.
    Half(u32),
    Event(Event),
}

/// A step that is not an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(super) enum Event {
    /// The start of the search.
    Start,
    /// Between a place and one of its vertices.
    Link,
    RentalPickup,
    RentalDropoff,
    BikePark,
}

const EVENTS: [Event; 5] =
    [Event::Start, Event::Link, Event::RentalPickup, Event::RentalDropoff, Event::BikePark];

impl Via {
    /// [`Event::Start`].
    pub(super) const START: Via = Via(FIRST_EVENT);

    #[inline(always)]
    pub(super) fn edge(edge: u32) -> Via {
        Via(edge)
    }
    pub(super) fn half(half: u32) -> Via {
        Via(FIRST_HALF + half)
    }
    pub(super) fn event(event: Event) -> Via {
        Via(FIRST_EVENT + event as u32)
    }
    #[inline(always)]
    pub(super) fn kind(self) -> ViaKind {
        match self.0 {
            code if code >= FIRST_EVENT => {
                ViaKind::Event(EVENTS[((code - FIRST_EVENT) as usize).min(EVENTS.len() - 1)])
            }
            code if code >= FIRST_HALF => ViaKind::Half(code - FIRST_HALF),
            code => ViaKind::Edge(code),
        }
    }
}

/// Bits of [`LastStreet::flags`].
pub(super) mod label_flags {
    /// Came over a street edge (or half of one): turns count.
    pub(in crate::search) const STREET: u16 = 1 << 0;
    /// That edge is closed to through traffic.
    pub(in crate::search) const NO_THROUGH: u16 = 1 << 1;
    /// Came from a through street into an area closed to through traffic.
    pub(in crate::search) const ENTERED_NO_THROUGH: u16 = 1 << 2;
    /// Came over the link of a station.
    pub(in crate::search) const STATION_LINK: u16 = 1 << 3;
    /// A turn restriction starts on the edge.
    pub(in crate::search) const RESTRICTED: u16 = 1 << 4;
    /// Walking a bike.
    pub(in crate::search) const WALKED_BICYCLE: u16 = 1 << 8;
    /// Riding a bike.
    pub(in crate::search) const BICYCLE: u16 = 1 << 9;
    /// Driving.
    pub(in crate::search) const CAR: u16 = 1 << 10;
    /// Driving on an edge that is faster than the limit above which cars turn for free.
    pub(in crate::search) const FAST: u16 = 1 << 11;
    /// How the edge was used; none of these bits on foot.
    pub(in crate::search) const MEANS: u16 = WALKED_BICYCLE | BICYCLE | CAR;
}

/// What a label keeps of the last edge for the rules of the next step.
#[derive(Clone, Copy, PartialEq, Debug, Zeroable)]
pub(super) struct LastStreet {
    /// See [`label_flags`].
    pub(super) flags: u16,
    /// The angle of the street that a turn at its far end needs.
    pub(super) angle: u8,
    /// Vertex at the other end of the street (U-turns towards it are forbidden).
    pub(super) far: u32,
}

impl LastStreet {
    /// Before the first street.
    pub(super) const NONE: LastStreet = LastStreet { flags: 0, angle: 0, far: u32::MAX };

    /// After an edge or event that is not a street, where no turn is counted.
    pub(super) fn after_other(self, flags: u16) -> LastStreet {
        LastStreet { flags: self.flags & label_flags::ENTERED_NO_THROUGH | flags, far: u32::MAX, ..self }
    }
}

/// A path to a state of the search, with what the rules for the next step need.
pub(super) trait Label: Copy {
    /// The mode of all travel between vertices, so that the compiler leaves out what only other searches need. `None` for
    /// labels of searches with places and layers.
    const MODE: Option<TraverseMode>;
    /// Whether searches have neither places nor layers.
    const VERTICES_ONLY: bool = Self::MODE.is_some();
    /// Whether all travel is on foot between vertices.
    const ON_FOOT: bool = matches!(Self::MODE, Some(TraverseMode::Foot));

    /// What the search minimizes.
    fn key(&self) -> f64;

    /// Seconds from the start.
    fn seconds(&self) -> i32;

    /// Metres walked and cycled; 0 for labels that do not count them.
    fn walk(&self) -> f32;

    /// The last edge.
    fn last(&self) -> LastStreet;

    /// The step that led to it; the start's code for labels that do not keep it.
    fn via(&self) -> Via {
        Via::START
    }

    /// The `previous` of the next labels in one-to-all searches; `u32::MAX` for labels that do not keep it.
    #[inline(always)]
    fn previous(&self) -> u32 {
        u32::MAX
    }

    /// The label after a step from this one.
    fn after(&self, effort: &Effort, last: LastStreet, previous: u32, via: Via) -> Self;

    /// The same label at a higher cost.
    fn with_extra_cost(self, cost: f64) -> Self;

    /// Adds seconds driven before transit and returns their sum; 0 for labels that do not count them.
    #[inline(always)]
    fn count_driving(&mut self, _seconds: i32) -> i32 {
        0
    }

    #[inline(always)]
    fn has(&self, flag: u16) -> bool {
        self.last().flags & flag != 0
    }
}

/// The labels of a search by number, and the queue of those that are not settled.
pub(super) trait Labels {
    type Label: Label;
    /// Whether labels over restricted edges are kept separately from the labels of their vertices.
    const RESTRICTED_APART: bool;

    /// The label, if this search has one.
    fn get(&self, id: u32) -> Option<Self::Label>;

    /// Key of a label; larger than all others where there is none, or where a label with a larger key may be kept too.
    fn key(&self, id: u32) -> f64;

    /// Whether a label that is already at the same place, by number, is as good as another one.
    #[inline(always)]
    fn dominate(&self, id: u32, label: &Self::Label) -> bool {
        self.key(id) <= label.key()
    }

    /// The label with the key that this search minimizes.
    #[inline(always)]
    fn objective(&self, label: Self::Label) -> Self::Label {
        label
    }

    /// Whether a label is settled, so that paths over its continuations are traced through it. Always false where paths are
    /// not traced.
    #[inline(always)]
    fn is_final(&self, _id: u32) -> bool {
        false
    }

    /// Keeps a label.
    fn set(&mut self, id: u32, label: Self::Label);

    /// Adds a label to the queue; `rest` is the bound on its remaining cost.
    fn push(&mut self, id: u32, label: &Self::Label, rest: f64);

    /// Whether labels of dead ends are settled too: of vertices from which the only way on is back. `has_stop` says
    /// whether a stop is linked to the vertex.
    #[inline(always)]
    fn settles_dead_end(&self, _has_stop: impl FnOnce() -> bool) -> bool {
        true
    }

    /// Called instead of [`Labels::push`] with a label that is not settled.
    #[inline(always)]
    fn skip(&mut self, _id: u32) {}

    /// Numbers of all labels of this search.
    fn ids(&self) -> impl Iterator<Item = u32> + '_;

    /// Settles the first label of the queue. `ahead` fetches what is read of the graph at the vertices of labels that will
    /// come soon.
    fn settle_next(&mut self, ahead: Ahead<'_>) -> Option<(u32, Self::Label)>;
}
