//! One-to-all searches: times, costs and distances of every vertex, for isochrones and surfaces.

use trestle_model::ids::VertexIdx;

use super::dijkstra::{Dijkstra, Node};
use super::label::{Labels, PathLabel, PathLabels};
use super::places::START;
use super::vertex_labels::{ByBicycle, ByCar, OnFoot, TreeStart, VertexLabel, VertexLabels};
use super::{Direction, Interrupted, StreetQuery, StreetSearch};
use crate::cost::Journey;
use crate::link::LinkedPlace;

/// The result of a one-to-all search: a view into the search's memory.
pub struct StreetTree<'s> {
    found: Found<'s>,
    vertices: u32,
}

enum Found<'s> {
    /// The labels of a layer and the number of its first.
    InLayer(&'s PathLabels, u32),
    ByVertex(&'s VertexLabels),
}

impl StreetTree<'_> {
    /// The cheapest way to a vertex; `None` when it was not reached.
    #[inline]
    pub fn get(&self, vertex: VertexIdx) -> Option<VertexLabel> {
        match self.found {
            Found::ByVertex(labels) => labels.get(vertex.0),
            Found::InLayer(labels, first) => labels.known(first + vertex.0).map(|label| VertexLabel {
                seconds: label.seconds,
                weight: label.weight,
                walk_distance: f64::from(label.walk),
                start: label.previous as usize,
            }),
        }
    }

    /// The vertices that were reached, in no particular order.
    pub fn reached(&self) -> impl Iterator<Item = VertexIdx> + '_ {
        let (by_vertex, in_layer) = match self.found {
            Found::ByVertex(labels) => (Some(labels.ids().iter().copied()), None),
            Found::InLayer(labels, first) => {
                (None, Some(labels.ids().filter_map(move |id| id.checked_sub(first))))
            }
        };
        let nodes = by_vertex.into_iter().flatten().chain(in_layer.into_iter().flatten());
        nodes.filter(|&node| node < self.vertices).map(VertexIdx)
    }

    /// All vertices reached, in no particular order.
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
        match direction {
            Direction::Forward => self.tree_between_vertices::<false>(query, starts),
            Direction::Backward => self.tree_between_vertices::<true>(query, starts),
        }
    }

    fn tree_between_vertices<const BACKWARD: bool>(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
    ) -> Result<StreetTree<'_>, Interrupted> {
        match query.costs.journey {
            Journey::Walk => self.vertices.search::<OnFoot, BACKWARD>(query, starts)?,
            Journey::Bicycle => self.vertices.search::<ByBicycle, BACKWARD>(query, starts)?,
            Journey::Car => self.vertices.search::<ByCar, BACKWARD>(query, starts)?,
            Journey::RentedBicycle | Journey::ParkBicycle | Journey::ParkCar | Journey::KissAndRide => {
                self.ends.clear();
                return self.tree_in::<BACKWARD>(query, starts, false);
            }
        }
        let vertices = query.graph.vertex_count() as u32;
        Ok(StreetTree { found: Found::ByVertex(&self.vertices), vertices })
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

    /// The general search, which all journeys and places can use.
    pub(super) fn tree_in<const BACKWARD: bool>(
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
        Ok(StreetTree { found: Found::InLayer(&self.labels, first), vertices })
    }
}
