//! Labels that paths can be traced from, for searches with places and layers.

use super::Objective;
use super::ahead::Ahead;
use super::label::{Label, Labels, LastStreet, Via};
use super::queue::Queue;
use crate::cost::{Effort, TraverseMode};

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
    /// Seconds driven, for the pre-transit limit (saturating).
    pub(super) driven_seconds: u16,
    settled: bool,
}

impl PathLabel {
    /// The label of a search's only start.
    pub(super) const START: PathLabel = PathLabel::start(0.0, 0, 0.0, u32::MAX);

    pub(super) const fn start(weight: f64, seconds: i32, walk: f32, previous: u32) -> PathLabel {
        PathLabel {
            weight,
            seconds,
            walk,
            previous,
            via: Via::START,
            id: u32::MAX,
            last: LastStreet::NONE,
            driven_seconds: 0,
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
    fn count_driving(&mut self, seconds: i32) -> i32 {
        self.driven_seconds = self.driven_seconds.saturating_add(seconds.clamp(0, 65_535) as u16);
        i32::from(self.driven_seconds)
    }
}

/// Memory that has room for more than this multiple of the labels of recent searches is freed.
const MUCH: usize = 8;
/// Each smaller search lowers [`PathLabels::recent`] by one part in this many. So memory is freed only after about
/// sixteen small searches, not whenever a small one follows a large one: the system maps new memory page by page.
const FADING: usize = 8;
/// Searches with fewer labels count as having this many, so that little memory is never freed.
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
