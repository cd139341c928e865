//! The cheapest ways on foot from many starts to all vertices, with small labels that are stored by vertex. For
//! isochrones.

use bytemuck::{Zeroable, zeroed_vec};
use trestle_model::ids::VertexIdx;

use super::dijkstra::{Dijkstra, Node};
use super::keys::Keys;
use super::label::{Label, Labels, LastStreet, Via};
use super::places::NO_ENDS;
use super::queue::Queue;
use super::setting::Setting;
use super::{Direction, Interrupted, StreetQuery, StreetSearch, TreeStart, VertexLabel};
use crate::cost::Effort;

/// The cheapest way to a vertex, apart from its cost.
#[derive(Clone, Copy, Debug, Zeroable)]
struct Way {
    seconds: i32,
    /// Metres.
    walk: f32,
    /// Number of the start it comes from.
    start: u32,
    last: LastStreet,
    settled: bool,
}

/// A way to a vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct CostLabel {
    weight: f64,
    way: Way,
}

impl Label for CostLabel {
    const ON_FOOT: bool = true;

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
    fn after(&self, effort: &Effort, last: LastStreet, _: u32, _: Via) -> CostLabel {
        let (seconds, walk) = (self.way.seconds + effort.seconds, self.way.walk + effort.walk as f32);
        let way = Way { seconds, walk, last, start: self.way.start, settled: false };
        CostLabel { weight: self.weight + effort.weight, way }
    }

    #[inline(always)]
    fn with_extra_cost(self, cost: f64) -> CostLabel {
        CostLabel { weight: self.weight + cost, ..self }
    }
}

/// Labels of vertices, followed by labels over edges on which a turn restriction starts.
#[derive(Default, Debug)]
pub(super) struct CostLabels {
    /// Stored apart from `ways`, because most look-ups need nothing else.
    weights: Keys<f64>,
    /// Valid for labels with weights.
    ways: Vec<Way>,
    queue: Queue,
}

impl CostLabels {
    fn begin(&mut self, count: usize) {
        self.weights.begin(count);
        if self.ways.len() < count {
            self.ways = zeroed_vec(count);
        }
        self.queue.clear();
    }
}

impl Labels for CostLabels {
    type Label = CostLabel;
    const RESTRICTED_APART: bool = true;
    const SETTLES_DEAD_ENDS: bool = false;

    fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.weights.written().iter().copied()
    }

    #[inline(always)]
    fn get(&self, id: u32) -> Option<CostLabel> {
        let weight = self.key(id);
        (weight < f64::INFINITY).then(|| CostLabel { weight, way: self.ways[id as usize] })
    }

    #[inline(always)]
    fn key(&self, id: u32) -> f64 {
        self.weights.get(id)
    }

    #[inline(always)]
    fn set(&mut self, id: u32, CostLabel { weight, way }: CostLabel) {
        self.weights.set(id, weight);
        self.ways[id as usize] = way;
    }

    #[inline(always)]
    fn push(&mut self, id: u32, label: &CostLabel, _: f64) {
        self.queue.push(label.weight, id);
    }

    #[inline(always)]
    fn settle_next(&mut self, soon: impl Fn(u32) + Copy) -> Option<(u32, CostLabel)> {
        loop {
            let id = self.queue.pop(soon)?;
            let way = &mut self.ways[id as usize];
            if !std::mem::replace(&mut way.settled, true) {
                return Some((id, CostLabel { weight: self.weights.get(id), way: *way }));
            }
        }
    }
}

/// The result: a view into the search's memory.
pub struct WalkCosts<'s> {
    labels: &'s CostLabels,
    vertices: u32,
}

impl WalkCosts<'_> {
    /// The vertices that were reached, in no order.
    pub fn reached(&self) -> impl Iterator<Item = VertexIdx> + '_ {
        // Labels over restricted edges come after those of all vertices.
        self.labels.ids().filter(|&id| id < self.vertices).map(VertexIdx)
    }

    /// The cheapest way to a vertex; `None` when it was not reached.
    #[inline]
    pub fn get(&self, vertex: VertexIdx) -> Option<VertexLabel> {
        self.labels.get(vertex.0).map(|CostLabel { weight, way }| VertexLabel {
            seconds: way.seconds,
            weight,
            walk_distance: f64::from(way.walk),
            start: way.start as usize,
        })
    }
}

impl StreetSearch {
    /// What [`StreetSearch::tree`] finds for [`crate::cost::Journey::Walk`] when cost is minimized.
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn walk_costs(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
        direction: Direction,
    ) -> Result<WalkCosts<'_>, Interrupted> {
        match direction {
            Direction::Forward => self.walk_costs_in::<false>(query, starts)?,
            Direction::Backward => self.walk_costs_in::<true>(query, starts)?,
        }
        let vertices = query.graph.vertex_count() as u32;
        Ok(WalkCosts { labels: &self.costs, vertices })
    }

    fn walk_costs_in<const BACKWARD: bool>(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
    ) -> Result<(), Interrupted> {
        let setting = Setting::new(query, &NO_ENDS, BACKWARD);
        self.costs.begin(setting.label_count());
        let mut search = Dijkstra::<_, BACKWARD>::new(setting, &mut self.costs);
        for (number, start) in (0..).zip(starts) {
            let (seconds, walk) = (start.seconds, start.walk_distance as f32);
            let way = Way { seconds, walk, start: number, last: LastStreet::NONE, settled: false };
            search.start(Node::Vertex(start.vertex.0), CostLabel { weight: start.weight, way });
        }
        while search.advance()?.is_some() {}
        let Dijkstra { setting, labels, .. } = search;
        setting.fold_slots(labels);
        Ok(())
    }
}
