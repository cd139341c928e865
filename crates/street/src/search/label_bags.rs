//! Pareto sets of labels at each vertex, over key and seconds driven: for searches from many starts in which these
//! seconds are limited. The first label of a vertex may have used almost all of them, so that only a later one, which has
//! used fewer, leads on.
//!
//! The labels of a vertex that are not settled are a linked list, whose nodes have an index in `waiting`. Of the settled
//! ones only the fewest seconds are kept, because settled labels have lower keys than all others.

use trestle_model::Directed;

use super::ahead::Ahead;
use super::dijkstra::Dijkstra;
use super::keys::Keys;
use super::label::{Label, Labels};
use super::path_labels::{PathLabel, PathLabels};
use super::queue::Queue;
use super::setting::Setting;
use super::tree::{Starts, start_everywhere};
use super::{Interrupted, Objective, TreeStart};

/// The end of a list. The largest number is how [`Keys`] says that there is no list.
const NONE: u32 = u32::MAX - 1;

/// A label that is not settled.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    label: PathLabel,
    /// The index of the next one of the same node and layer, or [`NONE`].
    next: u32,
}

/// The memory that such searches leave to the next one.
#[derive(Default, Debug)]
pub(super) struct LabelBags {
    /// The index of the first waiting label of each node and layer: the one added last.
    first: Keys<u32>,
    /// The least driven seconds of the settled labels of each node and layer.
    driven_seconds: Keys<u32>,
}

/// A search with such labels. Those of a node and layer are settled in the order of their keys, so each one has fewer driven
/// seconds than those before it.
struct BagSearch<'m> {
    bags: &'m mut LabelBags,
    /// Labels that are not settled, and unused entries.
    waiting: Vec<Waiting>,
    /// The indices of the unused entries.
    unused: Vec<u32>,
    /// Numbers of nodes and layers, once for each waiting label.
    queue: Queue,
    /// The first label of each node and layer.
    best: &'m mut PathLabels,
}

impl LabelBags {
    /// Searches from many starts, for the best label of each node and layer.
    pub(super) fn search<D: Directed>(
        &mut self,
        setting: Setting<'_>,
        starts: (&[TreeStart], Starts),
        objective: Objective,
        best: &mut PathLabels,
    ) -> Result<(), Interrupted> {
        self.first.begin(setting.label_count());
        self.driven_seconds.begin(setting.label_count());
        best.begin(setting.label_count(), objective);
        let (waiting, unused, queue) = (Vec::new(), Vec::new(), Queue::default());
        let mut labels = BagSearch { bags: self, waiting, unused, queue, best };
        let mut search = Dijkstra::<_, D>::new(setting, &mut labels);
        start_everywhere(&mut search, starts);
        while search.advance()?.is_some() {}
        Ok(())
    }
}

impl BagSearch<'_> {
    fn is_dominated(&self, id: u32, label: &PathLabel) -> bool {
        let mut index = self.first_of(id);
        while let Some(Waiting { label: other, next }) = self.waiting.get(index as usize) {
            if other.key() <= label.key() && other.driven_seconds <= label.driven_seconds {
                return true;
            }
            index = *next;
        }
        self.is_settled_with(id, label.driven_seconds)
    }

    /// The index of the first waiting label, or [`NONE`].
    fn first_of(&self, id: u32) -> u32 {
        self.bags.first.get(id).min(NONE)
    }

    /// Whether a label with at most these driven seconds is settled.
    fn is_settled_with(&self, id: u32, driven_seconds: u16) -> bool {
        self.bags.driven_seconds.get(id) <= u32::from(driven_seconds)
    }

    fn add(&mut self, id: u32, label: PathLabel) {
        let added = Waiting { label, next: self.first_of(id) };
        let index = self.unused.pop().unwrap_or(self.waiting.len() as u32);
        match self.waiting.get_mut(index as usize) {
            Some(unused) => *unused = added,
            None => self.waiting.push(added),
        }
        self.bags.first.set(id, index);
    }

    /// Takes the label with the lowest key, or of equal ones the one with the least driven seconds.
    fn take(&mut self, id: u32) -> Option<PathLabel> {
        let order = |label: &PathLabel| (label.key(), label.driven_seconds);
        let (mut before_least, mut least) = (NONE, self.first_of(id));
        let (mut before, mut index) = (least, self.waiting.get(least as usize)?.next);
        while let Some(Waiting { label, next }) = self.waiting.get(index as usize) {
            if order(label) < order(&self.waiting[least as usize].label) {
                (before_least, least) = (before, index);
            }
            (before, index) = (index, *next);
        }
        let Waiting { label, next } = self.waiting[least as usize];
        match self.waiting.get_mut(before_least as usize) {
            Some(before) => before.next = next,
            None => self.bags.first.set(id, next),
        }
        self.unused.push(least);
        Some(label)
    }
}

impl Labels for BagSearch<'_> {
    type Label = PathLabel;
    const RESTRICTED_APART: bool = true;

    fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.best.ids()
    }

    fn get(&self, id: u32) -> Option<PathLabel> {
        self.best.get(id)
    }

    /// No key excludes others: see [`Labels::dominate`].
    #[inline(always)]
    fn key(&self, _: u32) -> f64 {
        f64::INFINITY
    }

    #[inline(always)]
    fn dominate(&self, id: u32, label: &PathLabel) -> bool {
        self.is_dominated(id, label)
    }

    #[inline(always)]
    fn objective(&self, label: PathLabel) -> PathLabel {
        self.best.objective(label)
    }

    /// Labels are kept when they are settled.
    #[inline(always)]
    fn set(&mut self, _: u32, _: PathLabel) {}

    #[inline(always)]
    fn push(&mut self, id: u32, label: &PathLabel, rest: f64) {
        self.add(id, *label);
        self.queue.push((label.key() + rest).max(0.0), id);
    }

    #[inline(always)]
    fn settle_next(&mut self, ahead: Ahead<'_>) -> Option<(u32, PathLabel)> {
        loop {
            let id = self.queue.pop(|ids| ids.for_each(|id| ahead.fetch(id)))?;
            let label = self.take(id)?;
            if self.is_settled_with(id, label.driven_seconds) {
                continue;
            }
            self.bags.driven_seconds.set(id, u32::from(label.driven_seconds));
            if label.key() < self.best.key(id) {
                self.best.set(id, label);
            }
            return Some((id, label));
        }
    }
}
