//! Labels, the best known paths to the states of a search: the traits of all labels, and the labels that paths can be
//! traced from.

use bytemuck::Zeroable;

use super::Objective;
use super::ahead::Ahead;
use super::queue::Queue;
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

    /// Adds seconds on streets before transit and returns their sum; 0 for labels that do not count them.
    #[inline(always)]
    fn count_street_seconds(&mut self, _seconds: i32) -> i32 {
        0
    }

    #[inline(always)]
    fn has(&self, flag: u16) -> bool {
        self.last().flags & flag != 0
    }
}

/// The labels of a search by number, and the queue of those that are not settled.
pub(super) trait Labels {
    /// Its labels.
    type Label: Label;
    /// Whether labels over restricted edges are kept separately from the labels of their vertices.
    const RESTRICTED_APART: bool;

    /// The label, if this search has one.
    fn get(&self, id: u32) -> Option<Self::Label>;

    /// Key of a label; larger than all others where there is none.
    fn key(&self, id: u32) -> f64;

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

/// A label from which its path can be followed back to the start.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathLabel {
    /// What the search minimizes: generalized cost from the start, or seconds.
    pub(super) weight: f64,
    pub(super) seconds: i32,
    pub(super) walk: f32,
    /// The label before it, `u32::MAX` for none; in one-to-all searches the number of the start.
    pub(super) previous: u32,
    pub(super) via: Via,
    /// Its own number among the labels of all nodes and layers.
    pub(super) id: u32,
    pub(super) last: LastStreet,
    /// Seconds on streets, for the pre-transit limit (saturating).
    pub(super) street_seconds: u16,
    settled: bool,
}

impl PathLabel {
    /// The label of a search's only start.
    pub(super) const START: PathLabel = PathLabel::start(0.0, 0, 0.0, u32::MAX);

    /// The label of a start.
    pub(super) const fn start(weight: f64, seconds: i32, walk: f32, previous: u32) -> PathLabel {
        PathLabel {
            weight,
            seconds,
            walk,
            previous,
            via: Via::START,
            id: u32::MAX,
            last: LastStreet::NONE,
            street_seconds: 0,
            settled: false,
        }
    }
}

impl Label for PathLabel {
    const MODE: Option<TraverseMode> = None;

    #[inline(always)]
    fn key(&self) -> f64 {
        self.weight
    }

    #[inline(always)]
    fn seconds(&self) -> i32 {
        self.seconds
    }

    #[inline(always)]
    fn walk(&self) -> f32 {
        self.walk
    }

    #[inline(always)]
    fn last(&self) -> LastStreet {
        self.last
    }

    #[inline(always)]
    fn via(&self) -> Via {
        self.via
    }

    #[inline(always)]
    fn previous(&self) -> u32 {
        self.previous
    }

    #[inline(always)]
    fn after(&self, effort: &Effort, last: LastStreet, previous: u32, via: Via) -> PathLabel {
        PathLabel {
            weight: self.weight + effort.weight,
            seconds: self.seconds + effort.seconds,
            walk: self.walk + effort.walk as f32,
            previous,
            via,
            last,
            settled: false,
            ..*self
        }
    }

    #[inline(always)]
    fn with_extra_cost(self, cost: f64) -> PathLabel {
        PathLabel { weight: self.weight + cost, ..self }
    }

    #[inline(always)]
    fn count_street_seconds(&mut self, seconds: i32) -> i32 {
        self.street_seconds = self.street_seconds.saturating_add(seconds.clamp(0, 65_535) as u16);
        i32::from(self.street_seconds)
    }
}

/// Memory for more than this many times the labels of recent searches is given up.
const MUCH: usize = 8;
/// [`PathLabels::recent`] falls by this part of itself with each smaller search. So memory is given up after about sixteen
/// small searches, and not again and again where large and small ones alternate: fresh memory comes page by page.
const FADING: usize = 8;
/// Memory for this many labels, times [`MUCH`], is always kept.
const FEW: usize = 1 << 12;

/// Labels of all nodes and layers, in the order in which a search makes them. A thread's memory grows with what its
/// searches reach, not with the graph.
#[derive(Default, Debug)]
pub(super) struct PathLabels {
    labels: Vec<PathLabel>,
    /// Position in `labels` of the label of each node and layer. Left over from an earlier search if the label there has
    /// another id.
    places: Vec<u32>,
    queue: Queue,
    /// How many labels recent searches made: those of the largest one, less with each search since then ([`FADING`]).
    recent: usize,
    /// The weight of a label is its seconds.
    by_time: bool,
}

impl PathLabels {
    /// Forgets all labels and makes room for `count`.
    pub(super) fn begin(&mut self, count: usize, objective: Objective) {
        // Searches without potentials may make a label for every vertex, and most searches follow potentials.
        self.recent = self.labels.len().max(self.recent - self.recent / FADING);
        let ample = MUCH * self.recent.max(FEW);
        if self.labels.capacity() > ample {
            self.labels = Vec::new();
            self.queue = Queue::default();
        }
        self.labels.clear();
        if self.places.len() < count {
            // Zeros that are written take memory, unlike those that the system hands out.
            self.places = vec![0; count];
        }
        self.queue.clear();
        self.by_time = objective == Objective::Time;
    }

    #[inline(always)]
    fn place(&self, id: u32) -> Option<usize> {
        let place = *self.places.get(id as usize)? as usize;
        self.labels.get(place).filter(|label| label.id == id).map(|_| place)
    }

    /// The label, if this search has one.
    #[inline(always)]
    pub(super) fn known(&self, id: u32) -> Option<&PathLabel> {
        self.place(id).map(|place| &self.labels[place])
    }
}

impl Labels for PathLabels {
    type Label = PathLabel;
    const RESTRICTED_APART: bool = true;

    fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.labels.iter().map(|label| label.id)
    }

    #[inline(always)]
    fn get(&self, id: u32) -> Option<PathLabel> {
        self.known(id).copied()
    }

    #[inline(always)]
    fn key(&self, id: u32) -> f64 {
        self.known(id).map_or(f64::INFINITY, |label| label.weight)
    }

    #[inline(always)]
    fn objective(&self, label: PathLabel) -> PathLabel {
        if self.by_time { PathLabel { weight: f64::from(label.seconds), ..label } } else { label }
    }

    #[inline(always)]
    fn is_final(&self, id: u32) -> bool {
        self.known(id).is_some_and(|label| label.settled)
    }

    #[inline(always)]
    fn set(&mut self, id: u32, label: PathLabel) {
        let label = PathLabel { id, ..label };
        if let Some(place) = self.place(id) {
            self.labels[place] = label;
        } else {
            self.places[id as usize] = self.labels.len() as u32;
            self.labels.push(label);
        }
    }

    #[inline(always)]
    fn push(&mut self, id: u32, label: &PathLabel, rest: f64) {
        self.queue.push((label.weight + rest).max(0.0), id);
    }

    #[inline(always)]
    fn settle_next(&mut self, ahead: Ahead<'_>) -> Option<(u32, PathLabel)> {
        loop {
            let id = self.queue.pop(|ids| ids.for_each(|id| ahead.fetch(id)))?;
            let Some(place) = self.place(id) else { continue };
            // Copied before the flag is set, because reading the whole label right after writing a part of it waits for
            // that write.
            let label = self.labels[place];
            if !label.settled {
                self.labels[place].settled = true;
                return Some((id, label));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_a_large_search_is_given_up_after_some_small_ones() {
        let (many, mut labels) = (20 * FEW as u32, PathLabels::default());
        let mut search = |count: u32| {
            labels.begin(many as usize, Objective::Cost);
            (0..count).for_each(|id| labels.set(id, PathLabel::start(1.0, 0, 0.0, 0)));
            labels.labels.capacity()
        };
        let most = search(many);
        for _ in 0..3 {
            assert_eq!([search(10), search(10), search(many)], [most; 3], "the next one may be as large");
        }
        (0..20).for_each(|_| _ = search(10));
        assert!(search(10) < most / 100);
    }

    #[test]
    fn a_search_sees_no_labels_of_the_one_before() {
        let label = |weight| PathLabel::start(weight, 0, 0.0, 0);
        let mut labels = PathLabels::default();
        labels.begin(10, Objective::Cost);
        labels.set(7, label(1.0));
        labels.set(3, label(2.0));
        labels.set(7, label(0.5));
        assert_eq!((labels.key(7), labels.key(3), labels.key(0)), (0.5, 2.0, f64::INFINITY));
        labels.begin(10, Objective::Cost);
        labels.set(3, label(4.0));
        assert_eq!((labels.key(7), labels.key(3)), (f64::INFINITY, 4.0));
        labels.push(3, &label(4.0), 0.0);
        labels.push(3, &label(4.0), 0.0);
        assert_eq!(labels.settle_next(Ahead::default()).map(|(id, _)| id), Some(3));
        assert!(labels.settle_next(Ahead::default()).is_none());
    }
}
