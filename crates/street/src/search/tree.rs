//! One-to-all searches: times, costs and distances of every vertex, for isochrones and surfaces.

use trestle_model::ids::VertexIdx;
use trestle_model::{Backward, Directed, Direction, Forward};

use super::dijkstra::{Dijkstra, Node};
use super::label::Labels;
use super::layers::Layers;
use super::path_labels::{PathLabel, PathLabels};
use super::places::START;
use super::setting::Setting;
use super::vertex_labels::{ByBicycle, ByCar, OnFoot, TreeStart, VertexLabel, VertexLabels};
use super::{Interrupted, StreetQuery, StreetSearch, begin};
use crate::cost::StreetMode;
use crate::graph::StreetGraph;
use crate::link::LinkedPlace;

/// The result of a one-to-all search: a view into the search's memory.
pub struct StreetTree<'s> {
    found: Found<'s>,
    vertices: u32,
}

enum Found<'s> {
    InLayers(InLayers<'s>),
    ByVertex(&'s VertexLabels),
}

/// Labels in layers.
#[derive(Clone, Copy)]
struct InLayers<'s> {
    labels: &'s PathLabels,
    layers: Layers,
    /// Labels of each layer.
    nodes: u32,
    /// The layer in which the search ends.
    end: u32,
}

impl InLayers<'_> {
    fn get(&self, layer: u32, vertex: VertexIdx) -> Option<VertexLabel> {
        self.labels.known(layer * self.nodes + vertex.0).map(|label| VertexLabel {
            seconds: label.seconds,
            weight: label.weight,
            walk_distance: f64::from(label.walk),
            start: label.previous as usize,
        })
    }

    /// The layers in which stops can be entered (backward: left), the one in which the search ends first.
    fn at_stops(self) -> impl Iterator<Item = u32> {
        let others = (0..self.layers.count).filter(move |&layer| layer != self.end);
        std::iter::once(self.end).chain(others).filter(move |&layer| self.layers.reaches_stops(layer))
    }
}

/// What is at the starts of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Starts {
    /// Places of any kind.
    Anywhere,
    /// Stops: passengers of a car may be dropped off there, elsewhere only before a walk where cars are not permitted.
    AtStops,
}

impl<'s> StreetTree<'s> {
    fn by_vertex(graph: &StreetGraph, labels: &'s VertexLabels) -> StreetTree<'s> {
        StreetTree { found: Found::ByVertex(labels), vertices: graph.vertex_count() as u32 }
    }

    /// The cheapest path to a vertex; `None` when it was not reached.
    #[inline]
    pub fn get(&self, vertex: VertexIdx) -> Option<VertexLabel> {
        match self.found {
            Found::ByVertex(labels) => labels.get(vertex.0),
            Found::InLayers(found) => found.get(found.end, vertex),
        }
    }

    /// The cheapest path to a vertex at which travellers can use stops: passengers of a car may get out there.
    #[inline]
    pub fn get_at_stop(&self, vertex: VertexIdx) -> Option<VertexLabel> {
        match self.found {
            Found::ByVertex(labels) => labels.get(vertex.0),
            Found::InLayers(found) => {
                let paths = found.at_stops().filter_map(|layer| found.get(layer, vertex));
                paths.min_by(|a, b| a.weight.total_cmp(&b.weight))
            }
        }
    }

    /// The vertices that were reached, in no particular order.
    pub fn reached(&self) -> impl Iterator<Item = VertexIdx> + '_ {
        self.reached_in(|found, layer| layer == found.end)
    }

    /// The vertices at which travellers can use stops, in no particular order; some of them come twice.
    pub fn reached_at_stops(&self) -> impl Iterator<Item = VertexIdx> + '_ {
        self.reached_in(|found, layer| found.layers.reaches_stops(layer))
    }

    fn reached_in(&self, counts: fn(&InLayers<'_>, u32) -> bool) -> impl Iterator<Item = VertexIdx> + '_ {
        let (by_vertex, in_layers) = match self.found {
            Found::ByVertex(labels) => (Some(labels.ids().iter().copied()), None),
            Found::InLayers(found) => {
                let ids = found.labels.ids().filter(move |id| counts(&found, id / found.nodes));
                (None, Some(ids.map(move |id| id % found.nodes)))
            }
        };
        let nodes = by_vertex.into_iter().flatten().chain(in_layers.into_iter().flatten());
        nodes.filter(|&node| node < self.vertices).map(VertexIdx)
    }

    /// All vertices reached, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (VertexIdx, VertexLabel)> + '_ {
        self.reached().filter_map(|vertex| self.get(vertex).map(|reached| (vertex, reached)))
    }
}

/// A search on foot to every vertex to which starts are added.
pub struct GrowingTree<'q, 's> {
    query: StreetQuery<'q>,
    vertices: &'s mut VertexLabels,
    direction: Direction,
}

impl<'s> GrowingTree<'_, 's> {
    /// Searches on from more vertices, and calls `reached` with those that are now reached for a lower cost, some more than
    /// once. Starts are numbered in the order in which they are given.
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn grow(&mut self, starts: &[TreeStart], reached: impl FnMut(VertexIdx)) -> Result<(), Interrupted> {
        match self.direction {
            Direction::Forward => self.vertices.search_on::<OnFoot, Forward>(&self.query, starts, reached),
            Direction::Backward => self.vertices.search_on::<OnFoot, Backward>(&self.query, starts, reached),
        }
    }

    /// What has been found.
    pub fn tree(&self) -> StreetTree<'_> {
        StreetTree::by_vertex(self.query.graph, self.vertices)
    }

    /// Ends the search.
    pub fn finish(self) -> StreetTree<'s> {
        StreetTree::by_vertex(self.query.graph, self.vertices)
    }
}

impl StreetSearch {
    /// A search on foot, within the query's limits, without starts.
    pub fn growing_tree<'q, 's>(
        &'s mut self,
        query: StreetQuery<'q>,
        direction: Direction,
    ) -> GrowingTree<'q, 's> {
        self.vertices.begin(&query, direction);
        GrowingTree { query, vertices: &mut self.vertices, direction }
    }

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
        self.tree_between_vertices(query, (starts, Starts::Anywhere), direction)
    }

    /// The same from where transit is left (backward: boarded).
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn tree_from_transit(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
        direction: Direction,
    ) -> Result<StreetTree<'_>, Interrupted> {
        self.tree_between_vertices(query, (starts, Starts::AtStops), direction)
    }

    fn tree_between_vertices(
        &mut self,
        query: &StreetQuery<'_>,
        starts: (&[TreeStart], Starts),
        direction: Direction,
    ) -> Result<StreetTree<'_>, Interrupted> {
        match direction {
            Direction::Forward => self.tree_between_vertices_in::<Forward>(query, starts),
            Direction::Backward => self.tree_between_vertices_in::<Backward>(query, starts),
        }
    }

    fn tree_between_vertices_in<D: Directed>(
        &mut self,
        query: &StreetQuery<'_>,
        (starts, kind): (&[TreeStart], Starts),
    ) -> Result<StreetTree<'_>, Interrupted> {
        match query.costs.street_mode {
            StreetMode::Walk => self.vertices.search::<OnFoot, D>(query, starts)?,
            StreetMode::Bicycle => self.vertices.search::<ByBicycle, D>(query, starts)?,
            StreetMode::Car => self.vertices.search::<ByCar, D>(query, starts)?,
            StreetMode::RentedBicycle
            | StreetMode::ParkBicycle
            | StreetMode::ParkCar
            | StreetMode::KissAndRide => {
                self.ends.clear();
                return self.tree_in::<D>(query, (starts, kind), false);
            }
        }
        Ok(StreetTree::by_vertex(query.graph, &self.vertices))
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
        self.ends.start(query.graph, place, direction);
        match direction {
            Direction::Forward => self.tree_in::<Forward>(query, (&[], Starts::Anywhere), true),
            Direction::Backward => self.tree_in::<Backward>(query, (&[], Starts::Anywhere), true),
        }
    }

    /// The general search, which all street modes and places can use.
    pub(super) fn tree_in<D: Directed>(
        &mut self,
        query: &StreetQuery<'_>,
        starts: (&[TreeStart], Starts),
        from_place: bool,
    ) -> Result<StreetTree<'_>, Interrupted> {
        let StreetSearch { ends, labels, bags, .. } = self;
        let mut search = begin::<D>(ends, labels, query);
        search.setting.traces = false;
        if from_place {
            search.start(Node::Place(START), PathLabel::start(0.0, 0, 0.0, 0));
        }
        start_everywhere(&mut search, starts);
        while search.advance()?.is_some() {}
        let Dijkstra { setting, labels, drives_too_long, .. } = search;
        if drives_too_long && starts.0.len() > 1 {
            bags.search::<D>(setting, starts, query.objective, labels)?;
        }
        setting.fold_slots(labels);
        let Setting { layers, nodes, .. } = setting;
        let vertices = query.graph.vertex_count() as u32;
        let found = InLayers { labels: &self.labels, layers, nodes, end: layers.end(D::DIRECTION) };
        Ok(StreetTree { found: Found::InLayers(found), vertices })
    }
}

/// Puts labels at the starts of a search between vertices, with their numbers.
pub(super) fn start_everywhere<L: Labels<Label = PathLabel>, D: Directed>(
    search: &mut Dijkstra<'_, '_, L, D>,
    (starts, kind): (&[TreeStart], Starts),
) {
    let layers = search.setting.layers;
    let drops_off =
        D::is_backward() && layers.street_mode == StreetMode::KissAndRide && kind == Starts::AtStops;
    for (number, start) in (0..).zip(starts) {
        let label = PathLabel::start(start.weight, start.seconds, start.walk_distance as f32, number);
        search.start(Node::Vertex(start.vertex.0), label);
        if drops_off {
            search.start_in(layers.end(D::DIRECTION), Node::Vertex(start.vertex.0), label);
        }
    }
}
