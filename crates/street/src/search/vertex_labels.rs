//! Small labels by vertex, for searches between vertices in one mode: on foot, by bike or by car.

use std::marker::PhantomData;

use bytemuck::{Zeroable, zeroed_vec};
use trestle_model::ids::VertexIdx;
use trestle_model::prefetch::prefetch;
use trestle_model::{Directed, Direction};

use super::ahead::Ahead;
use super::dijkstra::{Dijkstra, Node};
use super::keys::Keys;
use super::label::{Label, Labels, LastStreet, Via};
use super::places::NO_ENDS;
use super::queue::Queue;
use super::setting::Setting;
use super::{Interrupted, Objective, StreetQuery};
use crate::cost::{Effort, TraverseMode};

/// A start of a search from many vertices, e.g. a stop's street vertex with the arrival there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeStart {
    pub vertex: VertexIdx,
    /// Seconds already spent.
    pub seconds: i32,
    /// Cost already spent.
    pub weight: f64,
    /// Metres already walked.
    pub walk_distance: f64,
}

/// The best path to a vertex.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct VertexLabel {
    pub seconds: i32,
    /// Cost.
    pub weight: f64,
    /// Metres walked and cycled.
    pub walk_distance: f64,
    /// Number of the start, in the order given.
    pub start: usize,
}

/// What the label of a vertex has besides its weight.
#[derive(Clone, Copy, Debug, Zeroable)]
struct LabelDetails {
    seconds: i32,
    /// Metres.
    walk: f32,
    /// Number of the start it comes from.
    start: u32,
    /// Its flags include [`SETTLED`], so that the details take only 20 bytes.
    last: LastStreet,
}

/// The label is settled; one of the bits that [`LastStreet::flags`] leaves free.
const SETTLED: u16 = 1 << 15;

/// The mode of a search.
pub(super) trait OneMode: Copy {
    const MODE: TraverseMode;
}

#[derive(Clone, Copy, Debug)]
pub(super) struct OnFoot;
#[derive(Clone, Copy, Debug)]
pub(super) struct ByBicycle;
#[derive(Clone, Copy, Debug)]
pub(super) struct ByCar;

impl OneMode for OnFoot {
    const MODE: TraverseMode = TraverseMode::Foot;
}

impl OneMode for ByBicycle {
    const MODE: TraverseMode = TraverseMode::Bicycle;
}

impl OneMode for ByCar {
    const MODE: TraverseMode = TraverseMode::Car;
}

/// The label of a vertex in a search whose mode the compiler knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModeLabel<M> {
    weight: f64,
    details: LabelDetails,
    mode: PhantomData<M>,
}

impl<M: OneMode> Label for ModeLabel<M> {
    const MODE: Option<TraverseMode> = Some(M::MODE);

    #[inline(always)]
    fn key(&self) -> f64 {
        self.weight
    }

    #[inline(always)]
    fn seconds(&self) -> i32 {
        self.details.seconds
    }

    #[inline(always)]
    fn walk(&self) -> f32 {
        self.details.walk
    }

    #[inline(always)]
    fn last(&self) -> LastStreet {
        self.details.last
    }

    #[inline(always)]
    fn after(&self, effort: &Effort, last: LastStreet, _: u32, _: Via) -> ModeLabel<M> {
        let (seconds, walk) = (self.details.seconds + effort.seconds, self.details.walk + effort.walk as f32);
        let details = LabelDetails { seconds, walk, last, start: self.details.start };
        ModeLabel { weight: self.weight + effort.weight, details, mode: PhantomData }
    }

    #[inline(always)]
    fn with_extra_cost(self, cost: f64) -> ModeLabel<M> {
        ModeLabel { weight: self.weight + cost, ..self }
    }
}

/// Labels of vertices, followed by labels over edges about which there are turn restrictions.
#[derive(Default, Debug)]
pub(super) struct VertexLabels {
    /// Stored apart from `details`, because most look-ups need nothing else.
    weights: Keys<f64>,
    /// Valid for labels with weights.
    details: Vec<LabelDetails>,
    queue: Queue,
    /// Starts given so far.
    start_count: u32,
    /// The weight of a label is its seconds.
    by_time: bool,
}

impl VertexLabels {
    /// The cheapest path to a vertex; `None` when it was not reached.
    #[inline]
    pub(super) fn get(&self, vertex: u32) -> Option<VertexLabel> {
        let weight = self.weights.get(vertex);
        (weight < f64::INFINITY).then(|| {
            let LabelDetails { seconds, walk, start, .. } = self.details[vertex as usize];
            VertexLabel { seconds, weight, walk_distance: f64::from(walk), start: start as usize }
        })
    }

    /// Numbers of all labels, in no particular order. Those over restricted edges come after those of all vertices.
    pub(super) fn ids(&self) -> &[u32] {
        self.weights.written()
    }

    /// Searches from many vertices to all others.
    pub(super) fn search<M: OneMode, D: Directed>(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
    ) -> Result<(), Interrupted> {
        self.begin(query, D::DIRECTION);
        self.search_on::<M, D>(query, starts, |_| {})
    }

    /// Forgets the labels of the last search.
    pub(super) fn begin(&mut self, query: &StreetQuery<'_>, direction: Direction) {
        let count = Setting::new(query, &NO_ENDS, direction).label_count();
        self.weights.begin(count);
        if self.details.len() < count {
            self.details = zeroed_vec(count);
        }
        self.start_count = 0;
    }

    /// Searches from more vertices to all others, and calls `reached` with those that get a better label, some more than
    /// once. The numbers of starts go on from those of earlier calls.
    pub(super) fn search_on<M: OneMode, D: Directed>(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
        mut reached: impl FnMut(VertexIdx),
    ) -> Result<(), Interrupted> {
        let setting = Setting::new(query, &NO_ENDS, D::DIRECTION);
        self.queue.clear();
        self.by_time = query.objective == Objective::Time;
        let first = self.start_count;
        self.start_count += starts.len() as u32;
        let mut labels = InMode { memory: self, mode: PhantomData::<M> };
        let mut search = Dijkstra::<_, D>::new(setting, &mut labels);
        for (number, start) in (first..).zip(starts) {
            let (seconds, walk) = (start.seconds, start.walk_distance as f32);
            let details = LabelDetails { seconds, walk, start: number, last: LastStreet::NONE };
            let label = ModeLabel { weight: start.weight, details, mode: PhantomData };
            search.start(Node::Vertex(start.vertex.0), label);
        }
        while let Some((.., node)) = search.advance()? {
            if let Node::Vertex(vertex) = node {
                reached(VertexIdx(vertex));
            }
        }
        let Dijkstra { setting, labels, .. } = search;
        setting.fold_slots(labels);
        Ok(())
    }
}

/// The labels, for a search in a mode that the compiler knows.
struct InMode<'a, M> {
    memory: &'a mut VertexLabels,
    mode: PhantomData<M>,
}

impl<M: OneMode> Labels for InMode<'_, M> {
    type Label = ModeLabel<M>;
    const RESTRICTED_APART: bool = true;

    fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.memory.ids().iter().copied()
    }

    #[inline(always)]
    fn get(&self, id: u32) -> Option<ModeLabel<M>> {
        let weight = self.key(id);
        let label = || ModeLabel { weight, details: self.memory.details[id as usize], mode: PhantomData };
        (weight < f64::INFINITY).then(label)
    }

    #[inline(always)]
    fn key(&self, id: u32) -> f64 {
        self.memory.weights.get(id)
    }

    #[inline(always)]
    fn objective(&self, label: ModeLabel<M>) -> ModeLabel<M> {
        if self.memory.by_time {
            ModeLabel { weight: f64::from(label.details.seconds), ..label }
        } else {
            label
        }
    }

    #[inline(always)]
    fn set(&mut self, id: u32, ModeLabel { weight, details, .. }: ModeLabel<M>) {
        self.memory.weights.set(id, weight);
        self.memory.details[id as usize] = details;
    }

    #[inline(always)]
    fn push(&mut self, id: u32, label: &ModeLabel<M>, _: f64) {
        self.memory.queue.push(label.weight.max(0.0), id);
    }

    #[inline(always)]
    fn settles_dead_end(&self, _: impl FnOnce() -> bool) -> bool {
        false
    }

    #[inline(always)]
    fn settle_next(&mut self, ahead: Ahead<'_>) -> Option<(u32, ModeLabel<M>)> {
        let VertexLabels { weights, details, queue, .. } = &mut *self.memory;
        loop {
            let id = queue.pop(|ids| {
                for id in ids.clone() {
                    ahead.fetch(id);
                    prefetch(details, id as usize);
                }
                // Where arcs lead is known when they have come.
                ids.flat_map(|id| ahead.ends(id)).for_each(|end| weights.fetch(end));
            })?;
            // Copied before the flag is set, because reading them all right after writing a part waits for that
            // write.
            let found = details[id as usize];
            if found.last.flags & SETTLED == 0 {
                details[id as usize].last.flags |= SETTLED;
                return Some((id, ModeLabel { weight: weights.get(id), details: found, mode: PhantomData }));
            }
        }
    }
}
