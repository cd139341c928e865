//! One-to-all searches: times, costs and distances of every vertex, for isochrones and surfaces.

use trestle_model::ids::VertexIdx;

use super::dijkstra::{Dijkstra, Node};
use super::label::{Labels, PathLabel, PathLabels};
use super::places::START;
use super::{Direction, Interrupted, StreetQuery, StreetSearch};
use crate::link::LinkedPlace;

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

/// The result of a one-to-all search: a view into the search's memory.
pub struct StreetTree<'s> {
    labels: &'s PathLabels,
    /// Label of the first vertex.
    first: u32,
    vertices: u32,
}

impl StreetTree<'_> {
    /// The cheapest way to a vertex; `None` when it was not reached.
    #[inline]
    pub fn get(&self, vertex: VertexIdx) -> Option<VertexLabel> {
        self.labels.known(self.first + vertex.0).map(|label| VertexLabel {
            seconds: label.seconds,
            weight: label.weight,
            walk_distance: f64::from(label.walk),
            start: label.previous as usize,
        })
    }

    /// The vertices that were reached, in no order.
    pub fn reached(&self) -> impl Iterator<Item = VertexIdx> + '_ {
        let vertices = self.first..self.first + self.vertices;
        self.labels.ids().filter(move |id| vertices.contains(id)).map(|id| VertexIdx(id - self.first))
    }

    /// All vertices reached, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (VertexIdx, VertexLabel)> + '_ {
        self.reached().filter_map(|vertex| self.get(vertex).map(|reached| (vertex, reached)))
    }
}

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

    /// Searches from a linked place to all vertices.
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
        let mut search = self.begin::<BACKWARD>(query);
        search.setting.traces = false;
        if from_place {
            search.start(Node::Place(START), PathLabel::start(0.0, 0, 0.0, 0));
        }
        for (number, start) in (0..).zip(starts) {
            let walked = start.walk_distance as f32;
            let label = PathLabel::start(start.weight, start.seconds, walked, number);
            search.start(Node::Vertex(start.vertex.0), label);
        }
        while search.advance()?.is_some() {}
        let Dijkstra { setting, labels, .. } = search;
        setting.fold_slots(labels);
        let first = setting.label_of_vertex(setting.layers.end(BACKWARD), 0);
        let vertices = query.graph.vertex_count() as u32;
        Ok(StreetTree { labels: &self.labels, first, vertices })
    }
}
