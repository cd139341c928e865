//! Searches to everywhere: times, costs and distances of every vertex, for isochrones and surfaces.

use trestle_model::ids::VertexIdx;

use super::explore::{Exploration, Node, Setting};
use super::label::{Event, Label, Labels};
use super::places::START;
use super::{Direction, INTERRUPT_EVERY, Interrupted, StreetQuery, StreetSearch};
use crate::link::LinkedPlace;

/// A start of a search from many vertices, e.g. a stop's street vertex with the arrival there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeStart {
    /// Where.
    pub vertex: VertexIdx,
    /// Seconds already spent.
    pub seconds: i32,
    /// Cost already spent.
    pub weight: f64,
    /// Metres already walked.
    pub walk_distance: f64,
}

/// How a vertex was reached.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reached {
    /// Seconds.
    pub seconds: i32,
    /// Cost.
    pub weight: f64,
    /// Metres walked and cycled.
    pub walk_distance: f64,
}

impl Label {
    /// What is told of it.
    #[inline]
    pub(super) fn reached(&self) -> Reached {
        Reached { seconds: self.seconds, weight: self.weight, walk_distance: f64::from(self.walk) }
    }
}

/// The result of a search to everywhere; a view into the search's memory.
pub struct StreetTree<'s> {
    labels: &'s Labels,
    first: u32,
    vertices: u32,
    /// Labels per lane; those of vertices come first.
    nodes: u32,
    /// Labels of all lanes.
    label_count: usize,
}

impl StreetTree<'_> {
    /// How a vertex was reached on the cheapest way; `None` when it was not.
    #[inline]
    pub fn get(&self, vertex: VertexIdx) -> Option<Reached> {
        self.labels.get(self.first + vertex.0).map(Label::reached)
    }

    /// All vertices reached.
    pub fn iter(&self) -> impl Iterator<Item = (VertexIdx, Reached)> + '_ {
        (0..self.vertices).filter_map(|v| self.get(VertexIdx(v)).map(|reached| (VertexIdx(v), reached)))
    }

    /// The vertex of the start from which each vertex was reached; [`NO_START`] where none was. For searches from many
    /// starts whose callers know more about each of them.
    pub fn starts(&self) -> Vec<u32> {
        const UNKNOWN: u32 = u32::MAX - 1;
        let mut start_of = vec![UNKNOWN; self.label_count];
        let mut trail = Vec::new();
        let mut find = |id: u32| {
            let mut at = id;
            let start = loop {
                match (start_of[at as usize], self.labels.get(at)) {
                    (UNKNOWN, Some(label)) if label.previous == u32::MAX => break at % self.nodes,
                    (UNKNOWN, Some(label)) => {
                        trail.push(at);
                        at = label.previous;
                    }
                    (UNKNOWN, None) => break NO_START,
                    (known, _) => break known,
                }
            };
            start_of[at as usize] = start;
            for label in trail.drain(..) {
                start_of[label as usize] = start;
            }
            start
        };
        (0..self.vertices).map(|v| find(self.first + v)).collect()
    }
}

/// Stands for the start of vertices that were not reached.
pub const NO_START: u32 = u32::MAX;

impl StreetSearch {
    /// Searches from many vertices at once, each with its own initial time and cost, within the query's limits.
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn tree(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
        direction: Direction,
    ) -> Result<StreetTree<'_>, Interrupted> {
        self.ends.clear();
        match direction {
            Direction::Forward => self.tree_in::<false>(query, starts, false),
            Direction::Backward => self.tree_in::<true>(query, starts, false),
        }
    }

    /// Searches from a linked place to everywhere.
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn tree_from_place(
        &mut self,
        query: &StreetQuery<'_>,
        place: &LinkedPlace,
        direction: Direction,
    ) -> Result<StreetTree<'_>, Interrupted> {
        self.ends.clear();
        self.ends.start(query.graph, place, direction == Direction::Backward);
        match direction {
            Direction::Forward => self.tree_in::<false>(query, &[], true),
            Direction::Backward => self.tree_in::<true>(query, &[], true),
        }
    }

    fn tree_in<const BACKWARD: bool>(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
        from_place: bool,
    ) -> Result<StreetTree<'_>, Interrupted> {
        let (setting, labels, queue) = self.prepare(query, BACKWARD);
        let mut exploration = Exploration::<BACKWARD>::new(setting, labels, queue);
        if from_place {
            exploration.start(Node::Place(START), Label::start(0.0, 0, 0.0, Event::Start));
        }
        for start in starts {
            let walked = start.walk_distance as f32;
            let label = Label::start(start.weight, start.seconds, walked, Event::GivenStart);
            exploration.start(Node::Vertex(start.vertex.0), label);
        }
        let mut settled = 0u32;
        while exploration.advance().is_some() {
            settled += 1;
            if settled.is_multiple_of(INTERRUPT_EVERY) && (query.interrupted)() {
                return Err(Interrupted);
            }
        }
        let Exploration { setting, labels, .. } = exploration;
        fold_slots(&setting, labels);
        let first = setting.label_of_vertex(setting.lanes.end(BACKWARD), 0);
        let vertices = query.graph.vertex_count() as u32;
        let (nodes, label_count) = (setting.nodes, setting.label_count());
        Ok(StreetTree { labels: &self.labels, first, vertices, nodes, label_count })
    }
}

/// Gives each vertex the best label of its slots, so that one look-up per vertex is enough.
fn fold_slots(setting: &Setting, labels: &mut Labels) {
    for (slot, vertex) in setting.slot_labels() {
        if let Some(label) = labels.get(slot).copied()
            && label.weight < labels.weight(vertex)
        {
            labels.set(vertex, label);
        }
    }
}
