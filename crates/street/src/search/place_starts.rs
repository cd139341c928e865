//! The starts of a search from a place within a street, for searches that start at vertices.

use trestle_model::ids::VertexIdx;
use trestle_model::{Backward, Directed, Direction, Forward};

use super::dijkstra::{Dijkstra, Node};
use super::path_labels::PathLabel;
use super::places::START;
use super::{Interrupted, StreetQuery, StreetSearch, TreeStart};
use crate::link::LinkedPlace;

impl StreetSearch {
    /// The vertices at the ends of the streets that a place is on, each once, with what it takes to get there (backward:
    /// from there). Ends that the travellers of the query cannot get to are left out.
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn starts_at(
        &mut self,
        query: &StreetQuery<'_>,
        place: &LinkedPlace,
        direction: Direction,
    ) -> Result<Vec<TreeStart>, Interrupted> {
        self.ends.clear();
        self.ends.start(query.graph, place, direction);
        match direction {
            Direction::Forward => self.starts_in::<Forward>(query),
            Direction::Backward => self.starts_in::<Backward>(query),
        }
    }

    fn starts_in<D: Directed>(&mut self, query: &StreetQuery<'_>) -> Result<Vec<TreeStart>, Interrupted> {
        let mut search = self.begin::<D>(query);
        search.setting.traces = false;
        search.start(Node::Place(START), PathLabel::START);
        // The place comes first; then there are labels at the ends of its streets.
        search.advance()?;
        let Dijkstra { setting, labels, .. } = search;
        let mut vertices: Vec<u32> = setting.ends.leaving.iter().map(|joint| joint.vertex).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let layer = setting.layers.start(D::DIRECTION);
        let start = |vertex: u32| {
            let label = labels.known(setting.label_of_vertex(layer, vertex))?;
            let &PathLabel { seconds, weight, walk, .. } = label;
            Some(TreeStart { vertex: VertexIdx(vertex), seconds, weight, walk_distance: f64::from(walk) })
        };
        Ok(vertices.into_iter().filter_map(start).collect())
    }
}
