//! Small labels by vertex, for searches between vertices in one mode: on foot, by bike or by car.

use std::marker::PhantomData;

use bytemuck::{Zeroable, zeroed_vec};
use trestle_model::ids::VertexIdx;
use trestle_model::prefetch::prefetch;

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
    /// The vertex.
    pub vertex: VertexIdx,
    /// Seconds already spent.
    pub seconds: i32,
    /// Cost already spent.
    pub weight: f64,
    /// Metres already walked.
    pub walk_distance: f64,
}

/// The best way to a vertex.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct VertexLabel {
    /// Seconds.
    pub seconds: i32,
    /// Cost.
    pub weight: f64,
    /// Metres walked and cycled.
    pub walk_distance: f64,
    /// Number of the start, in the order given.
    pub start: usize,
}

/// The cheapest way to a vertex, apart from its key.
#[derive(Clone, Copy, Debug, Zeroable)]
struct Way {
    seconds: i32,
    /// Metres.
    walk: f32,
    /// Number of the start it comes from.
    start: u32,
    /// Its flags include [`SETTLED`], so that a way takes only 20 bytes.
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

/// A way to a vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct WayLabel<M> {
    weight: f64,
    way: Way,
    mode: PhantomData<M>,
}

impl<M: OneMode> Label for WayLabel<M> {
    const MODE: Option<TraverseMode> = Some(M::MODE);

    #[inline(always)]
    fn key(&self) -> f64 {
        self.weight
    }

    #[inline(always)]
    fn seconds(&self) -> i32 {
        self.way.seconds
    }

    #[inline(always)]
    fn walk(&self) -> f32 {
        self.way.walk
    }

    #[inline(always)]
    fn last(&self) -> LastStreet {
        self.way.last
    }

    #[inline(always)]
    fn after(&self, effort: &Effort, last: LastStreet, _: u32, _: Via) -> WayLabel<M> {
        let (seconds, walk) = (self.way.seconds + effort.seconds, self.way.walk + effort.walk as f32);
        let way = Way { seconds, walk, last, start: self.way.start };
        WayLabel { weight: self.weight + effort.weight, way, mode: PhantomData }
    }

    #[inline(always)]
    fn with_extra_cost(self, cost: f64) -> WayLabel<M> {
        WayLabel { weight: self.weight + cost, ..self }
    }
}

/// Labels of vertices, followed by labels over edges about which there are turn restrictions.
#[derive(Default, Debug)]
pub(super) struct VertexLabels {
    /// Stored apart from `ways`, because most look-ups need nothing else.
    weights: Keys<f64>,
    /// Valid for labels with weights.
    ways: Vec<Way>,
    queue: Queue,
    /// The weight of a label is its seconds.
    by_time: bool,
}

impl VertexLabels {
    /// The cheapest way to a vertex; `None` when it was not reached.
    #[inline]
    pub(super) fn get(&self, vertex: u32) -> Option<VertexLabel> {
        let weight = self.weights.get(vertex);
        (weight < f64::INFINITY).then(|| {
            let Way { seconds, walk, start, .. } = self.ways[vertex as usize];
            VertexLabel { seconds, weight, walk_distance: f64::from(walk), start: start as usize }
        })
    }

    /// Numbers of all labels, in no particular order. Those over restricted edges come after those of all vertices.
    pub(super) fn ids(&self) -> &[u32] {
        self.weights.written()
    }

    /// Searches from many vertices to all others.
    pub(super) fn search<M: OneMode, const BACKWARD: bool>(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
    ) -> Result<(), Interrupted> {
        let setting = Setting::new(query, &NO_ENDS, BACKWARD);
        let count = setting.label_count();
        self.weights.begin(count);
        if self.ways.len() < count {
            self.ways = zeroed_vec(count);
        }
        self.queue.clear();
        self.by_time = query.objective == Objective::Time;
        let mut labels = InMode { memory: self, mode: PhantomData::<M> };
        let mut search = Dijkstra::<_, BACKWARD>::new(setting, &mut labels);
        for (number, start) in (0..).zip(starts) {
            let (seconds, walk) = (start.seconds, start.walk_distance as f32);
            let way = Way { seconds, walk, start: number, last: LastStreet::NONE };
            let label = WayLabel { weight: start.weight, way, mode: PhantomData };
            search.start(Node::Vertex(start.vertex.0), label);
        }
        while search.advance()?.is_some() {}
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
    type Label = WayLabel<M>;
    const RESTRICTED_APART: bool = true;

    fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.memory.ids().iter().copied()
    }

    #[inline(always)]
    fn get(&self, id: u32) -> Option<WayLabel<M>> {
        let weight = self.key(id);
        let label = || WayLabel { weight, way: self.memory.ways[id as usize], mode: PhantomData };
        (weight < f64::INFINITY).then(label)
    }

    #[inline(always)]
    fn key(&self, id: u32) -> f64 {
        self.memory.weights.get(id)
    }

    #[inline(always)]
    fn objective(&self, label: WayLabel<M>) -> WayLabel<M> {
        if self.memory.by_time { WayLabel { weight: f64::from(label.way.seconds), ..label } } else { label }
    }

    #[inline(always)]
    fn set(&mut self, id: u32, WayLabel { weight, way, .. }: WayLabel<M>) {
        self.memory.weights.set(id, weight);
        self.memory.ways[id as usize] = way;
    }

    #[inline(always)]
    fn push(&mut self, id: u32, label: &WayLabel<M>, _: f64) {
        self.memory.queue.push(label.weight.max(0.0), id);
    }

    #[inline(always)]
    fn settles_dead_end(&self, _: impl FnOnce() -> bool) -> bool {
        false
    }

    #[inline(always)]
    fn settle_next(&mut self, ahead: Ahead<'_>) -> Option<(u32, WayLabel<M>)> {
        let VertexLabels { weights, ways, queue, .. } = &mut *self.memory;
        loop {
            let id = queue.pop(|ids| {
                for id in ids.clone() {
                    ahead.fetch(id);
                    prefetch(ways, id as usize);
                }
                // Where arcs lead is known when they have come.
                ids.flat_map(|id| ahead.ends(id)).for_each(|end| weights.fetch(end));
            })?;
            // Copied before the flag is set, because reading the whole way right after writing a part of it waits for
            // that write.
            let way = ways[id as usize];
            if way.last.flags & SETTLED == 0 {
                ways[id as usize].last.flags |= SETTLED;
                return Some((id, WayLabel { weight: weights.get(id), way, mode: PhantomData }));
            }
        }
    }
}
