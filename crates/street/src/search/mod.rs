//! Searches over the street graph: from place to place, to stops, between stops, and one-to-all.
//!
//! One label is kept per vertex and layer, as in the reference; only labels over edges on which a turn restriction
//! starts are kept in addition, and more labels where a limit of drives before transit excludes some paths from many
//! starts (`label_bags`). Searches reuse their memory: keep one [`StreetSearch`] per thread.
//!
//! `dijkstra` is the search and `step` its rules, over what is fixed in `setting`: `layers`, and the `places` that
//! `at_places` gets to. A search for one place follows a `bound`; a better one comes from `metrics` by way of
//! `layer_metrics`, which get their weights from `least_steps`. [`StreetSearch`] begins the searches here, in `stops`,
//! `tree` and `walk_times`, and `trace` writes their paths.
//!
//! `dijkstra` is compiled once for each kind of labels (`label`). All kinds can be used on foot; which of them a search
//! has depends on what is wanted:
//!
//! | Wanted | Labels | Begun by |
//! |---|---|---|
//! | paths, or more than one mode | `path_labels`: by layer, each with the label before it, in a `queue` by cost | [`StreetSearch::route`], [`StreetSearch::nearby_stops`] |
//! | the cheapest way to every vertex, in one mode | `vertex_labels`: in a `queue` by cost | [`StreetSearch::tree`], [`StreetSearch::growing_tree`] |
//! | the quickest way to every vertex, on foot | `time_label`, in `walk_times`: in a bucket for each second | [`StreetSearch::walk_times`], [`StreetSearch::stepwise_search`] |
//!
//! The last two stay apart because that makes them fast: seconds are whole numbers, so nothing within a bucket has to be
//! sorted, and labels count metres only where these are limited.

mod ahead;
mod at_places;
mod bound;
mod cut_off;
mod dijkstra;
mod driving;
mod index;
mod keys;
mod label;
mod label_bags;
mod layer_metrics;
mod layers;
mod least_steps;
mod metrics;
mod path_labels;
mod place_starts;
mod places;
mod queue;
mod setting;
mod step;
mod stop_link_index;
mod stops;
mod time_label;
mod trace;
mod tree;
mod vertex_labels;
mod walk_times;

pub use driving::{DriveEnd, DrivingMemory, DrivingRows, DrivingTimes, Turns};
pub use index::SearchIndex;
pub use metrics::StreetMetrics;
pub use places::{BikeStation, LinkedBikeStations, StationKind};
pub use stop_link_index::StopLinkIndex;
pub use stops::{NearbyStop, NearbyStops};
pub use time_label::WalkedTo;
pub use tree::{GrowingTree, StreetTree};
pub use vertex_labels::{TreeStart, VertexLabel};
pub use walk_times::{StepwiseSearch, WalkTimes};

use trestle_model::{Backward, Directed, Direction, Forward};

use bound::{Bound, is_late_on_level_streets, is_out_of_reach};
use cut_off::Island;
use dijkstra::{Dijkstra, Node};
use label_bags::LabelBags;
use layer_metrics::{LayerMemory, LayerMetrics};
use path_labels::{PathLabel, PathLabels};
use places::{END, Ends, START};
use setting::Setting;
use vertex_labels::VertexLabels;
use walk_times::TimeLabels;

use crate::contraction::Potential;
use crate::cost::{StreetCosts, StreetLimits};
use crate::graph::StreetGraph;
use crate::link::LinkedPlace;
use crate::path::StreetPath;

/// Labels settled between two checks of the deadline.
const INTERRUPT_EVERY: u32 = 2048;

/// What a search minimizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Objective {
    #[default]
    Cost,
    /// Seconds; weights then are seconds too.
    Time,
}

/// What to search, with its costs and limits.
#[derive(Clone, Copy)]
pub struct StreetQuery<'a> {
    pub graph: &'a StreetGraph,
    /// The costs, and how the traveller moves.
    pub costs: &'a StreetCosts,
    /// Bike stations, for [`crate::cost::StreetMode::RentedBicycle`] and
    /// [`crate::cost::StreetMode::ParkBicycle`].
    pub stations: Option<&'a LinkedBikeStations>,
    pub limits: StreetLimits,
    /// What is minimized.
    pub objective: Objective,
    /// Metrics that direct searches from place to place to their goal. Without one, bounds are straight lines.
    pub metrics: Option<&'a StreetMetrics>,
    /// Called regularly; the search stops when it returns `true`.
    pub interrupted: &'a dyn Fn() -> bool,
}

impl<'a> StreetQuery<'a> {
    /// A query without stations, limits or deadline.
    pub fn new(graph: &'a StreetGraph, costs: &'a StreetCosts) -> StreetQuery<'a> {
        StreetQuery {
            graph,
            costs,
            stations: None,
            limits: StreetLimits::default(),
            objective: Objective::default(),
            metrics: None,
            interrupted: &|| false,
        }
    }

    /// The stations, and which kind of them the street mode uses; `None` if it uses none.
    fn used_stations(&self) -> Option<(&'a LinkedBikeStations, StationKind)> {
        self.stations.zip(StationKind::used_by(self.costs.street_mode))
    }
}

/// The search was stopped before it had an answer: the deadline passed, the client left, or the graph turned out to be
/// damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the search was stopped")]
pub struct Interrupted;

/// Memory of searches, reused from one to the next.
#[derive(Default, Debug)]
pub struct StreetSearch {
    ends: Ends,
    labels: PathLabels,
    bags: LabelBags,
    potentials: LayerMemory,
    vertices: VertexLabels,
    times: TimeLabels,
    island: Island,
}

impl StreetSearch {
    /// Empty memory; it grows with the first search.
    pub fn new() -> StreetSearch {
        StreetSearch::default()
    }

    /// The cheapest path between two places, searched along or against the travel. `None` when there is no path.
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn route(
        &mut self,
        query: &StreetQuery<'_>,
        origin: &LinkedPlace,
        destination: &LinkedPlace,
        direction: Direction,
    ) -> Result<Option<StreetPath>, Interrupted> {
        let found = match direction {
            Direction::Forward => self.route_in::<Forward>(query, origin, destination)?,
            Direction::Backward => self.route_in::<Backward>(query, destination, origin)?,
        };
        Ok(found.map(|path| path.starting_at(query.graph, origin).ending_at(query.graph, destination)))
    }

    /// [`StreetSearch::route`] in this direction, and if it finds no path, in the other one. Searches keep one path to each
    /// vertex, and the rules of the streets may let nobody go on from there; from the other end it may be another path.
    /// Where the places are too far from each other for the time limit, that is why there is no path.
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn route_from_either_end(
        &mut self,
        query: &StreetQuery<'_>,
        origin: &LinkedPlace,
        destination: &LinkedPlace,
        direction: Direction,
    ) -> Result<Option<StreetPath>, Interrupted> {
        match self.route(query, origin, destination, direction)? {
            None if !is_late_on_level_streets(query, origin, destination) => {
                self.route(query, origin, destination, direction.opposite())
            }
            found => Ok(found),
        }
    }

    fn route_in<D: Directed>(
        &mut self,
        query: &StreetQuery<'_>,
        start: &LinkedPlace,
        goal: &LinkedPlace,
    ) -> Result<Option<StreetPath>, Interrupted> {
        let is_against = D::is_backward() && query.costs.street_mode.is_routed_along_travel_only();
        let (origin, destination) = if D::is_backward() { (goal, start) } else { (start, goal) };
        if is_against || is_out_of_reach(query, origin, destination) {
            return Ok(None);
        }
        self.ends.clear();
        self.ends.start(query.graph, start, D::DIRECTION);
        self.ends.end(query.graph, goal, D::DIRECTION);
        let on_one_street = !self.ends.pieces.is_empty();
        if !on_one_street
            && query.used_stations().is_none()
            && self.island.cuts_off(query.graph, query.costs.street_mode, &self.ends, D::DIRECTION)
        {
            return Ok(None);
        }
        let of_layers = |metrics| LayerMetrics::get::<D>(query, metrics);
        let metrics = query.metrics.map(of_layers).transpose()?.flatten();
        let StreetSearch { ends, labels, potentials, .. } = self;
        let mut search = begin::<D>(ends, labels, query);
        let potentials =
            metrics.as_ref().map(|metrics| metrics.potentials::<D>(query, search.setting.ends, potentials));
        search.setting.bound = match bound::<D>(query, &search.setting, goal, potentials) {
            Some(bound) => bound,
            None if on_one_street => Bound::None,
            None => return Ok(None),
        };
        let wanted = search.setting.label_of_place(search.setting.layers.end(D::DIRECTION), END);
        search.start(Node::Place(START), PathLabel::START);
        let mut is_found = false;
        while let Some((id, ..)) = search.advance()? {
            is_found = id == wanted;
            if is_found {
                break;
            }
        }
        if let (None, Some(metrics)) = (&metrics, query.metrics) {
            metrics.count::<D>(query, search.settled);
        }
        Ok(is_found.then(|| trace::trace::<D>(&search.setting, search.labels, wanted)))
    }

    /// A search that keeps labels for paths, with its ends joined to the streets and no start yet.
    fn begin<'a, D: Directed>(&'a mut self, query: &StreetQuery<'a>) -> Dijkstra<'a, 'a, PathLabels, D> {
        begin(&mut self.ends, &mut self.labels, query)
    }
}

/// What guides a search to its goal; `None` when no path leads there over a corner.
fn bound<'a, D: Directed>(
    query: &StreetQuery<'_>,
    setting: &Setting<'_>,
    goal: &LinkedPlace,
    potentials: Option<[Potential<'a>; 2]>,
) -> Option<Bound<'a>> {
    match potentials {
        Some(potentials) => {
            let start = setting.layers.start(D::DIRECTION);
            Bound::by_potentials(potentials, start, setting.ends, (query.graph, D::DIRECTION))
        }
        // There is no straight line to a goal that is joined to streets at two points.
        None if query.objective == Objective::Cost && goal.nearer.is_none() => {
            Some(Bound::towards(query.graph, query.costs, goal.snapped))
        }
        None => Some(Bound::None),
    }
}

/// A search between ends that are joined, without starts.
fn begin<'a, D: Directed>(
    ends: &'a mut Ends,
    labels: &'a mut PathLabels,
    query: &StreetQuery<'a>,
) -> Dijkstra<'a, 'a, PathLabels, D> {
    if let Some((stations, kind)) = query.used_stations() {
        ends.join_stations(stations, kind, D::DIRECTION);
    }
    let setting = Setting::new(query, ends, D::DIRECTION);
    labels.begin(setting.label_count(), query.objective);
    Dijkstra::new(setting, labels)
}

#[cfg(test)]
mod tests;
