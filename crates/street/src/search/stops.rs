//! Searches to stops: access and egress of the transit search, and walking transfers.

use trestle_model::geo::LatLon;
use trestle_model::{Backward, Directed, Direction, Forward, Mode};

use super::dijkstra::Node;
use super::path_labels::PathLabel;
use super::places::START;
use super::setting::Setting;
use super::trace::{street_meters, trace};
use super::{Interrupted, Objective, StreetQuery, StreetSearch};
use crate::cost::{StreetLimits, StreetMode};
use crate::link::LinkedPlace;
use crate::path::{StreetPath, Traversal, TraversalKind};

/// A stop that a search reached. Seconds and cost include the stop's own link.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NearbyStop {
    /// Index of the stop in the graph's stop links.
    pub stop: u32,
    /// Seconds from (backward: to) the place.
    pub seconds: i32,
    /// Generalized cost.
    pub weight: f64,
    /// Metres walked and cycled.
    pub walk_distance: f64,
    /// Metres of street edges, as a transfer shows them.
    pub street_meters: f64,
    /// Seconds of the stop's link, included in `seconds` and `weight`.
    pub link_seconds: i32,
    /// Label from which the path is traced.
    label: u32,
}

/// The stops that a search reached. They borrow the memory from which paths to them are traced, so no other search can
/// use it until this is dropped.
pub struct NearbyStops<'m> {
    memory: &'m StreetSearch,
    query: StreetQuery<'m>,
    place: &'m LinkedPlace,
    direction: Direction,
    stops: Vec<NearbyStop>,
}

impl NearbyStops<'_> {
    /// Each stop once with its cheapest path, in the order in which the search reached them.
    pub fn stops(&self) -> &[NearbyStop] {
        &self.stops
    }

    /// The path of a stop, given its position in [`NearbyStops::stops`], in travel order and with the stop's link.
    pub fn path_to(&self, number: usize) -> StreetPath {
        let &NearbyStops { memory, ref query, place, direction, ref stops } = self;
        let nearby = &stops[number];
        let (setting, labels) = (Setting::new(query, &memory.ends, direction), &memory.labels);
        let mut path = match direction {
            Direction::Forward => trace::<Forward>(&setting, labels, nearby.label),
            Direction::Backward => trace::<Backward>(&setting, labels, nearby.label),
        };
        let link = Traversal {
            kind: TraversalKind::StopLink,
            seconds: nearby.link_seconds,
            weight: f64::from(nearby.link_seconds),
            ..Traversal::event()
        };
        if direction.is_backward() {
            path.traversals.insert(0, link);
            path = path.ending_at(query.graph, place);
        } else {
            let drives = query.costs.street_mode == StreetMode::KissAndRide
                && path.traversals.last().is_some_and(|t| t.mode == Mode::Car);
            if drives {
                path.traversals.push(Traversal { kind: TraversalKind::CarDropoff, ..Traversal::event() });
            }
            path.traversals.push(link);
            path = path.starting_at(query.graph, place);
        }
        path.seconds += nearby.link_seconds;
        path.weight += f64::from(nearby.link_seconds);
        path
    }
}

impl StreetSearch {
    /// All stops that can be reached from a place (`Forward`) or from which it can be reached (`Backward`). `link_seconds`
    /// returns how long entering or leaving a stop takes (1, plus the access time of subway stops). After transit use the
    /// costs of [`StreetMode::after_transit`].
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn nearby_stops<'m>(
        &'m mut self,
        query: &StreetQuery<'m>,
        place: &'m LinkedPlace,
        direction: Direction,
        link_seconds: &dyn Fn(u32) -> i32,
    ) -> Result<NearbyStops<'m>, Interrupted> {
        self.ends.clear();
        self.ends.start(query.graph, place, direction);
        let stops = match direction {
            Direction::Forward => self.stops_in::<Forward>(query, link_seconds, None),
            Direction::Backward => self.stops_in::<Backward>(query, link_seconds, None),
        }?;
        Ok(NearbyStops { memory: self, query: *query, place, direction, stops })
    }

    /// With `until` the search ends at that stop; the links of all stops must then take the same time.
    fn stops_in<D: Directed>(
        &mut self,
        query: &StreetQuery<'_>,
        link_seconds: &dyn Fn(u32) -> i32,
        until: Option<u32>,
    ) -> Result<Vec<NearbyStop>, Interrupted> {
        let graph = query.graph;
        let mut search = self.begin::<D>(query);
        search.start(Node::Place(START), PathLabel::START);
        let mut reached: Vec<NearbyStop> = Vec::new();
        let mut position = rustc_hash::FxHashMap::<u32, usize>::default();
        while until.is_none_or(|stop| !position.contains_key(&stop))
            && let Some((id, label, node)) = search.advance()?
        {
            let Node::Vertex(vertex) = node else { continue };
            let layer = search.setting.layer_and_node(id).0;
            if !search.setting.layers.reaches_stops(layer) || !graph.has_stop(vertex) {
                continue;
            }
            for link in graph.links_at(vertex) {
                let stop = graph.stop_links[link as usize].stop;
                let link_seconds = link_seconds(stop);
                let nearby = NearbyStop {
                    stop,
                    seconds: label.seconds + link_seconds,
                    weight: label.weight + f64::from(link_seconds),
                    walk_distance: f64::from(label.walk),
                    street_meters: 0.0,
                    link_seconds,
                    label: id,
                };
                match position.get(&stop) {
                    Some(&i) if reached[i].weight <= nearby.weight => {}
                    Some(&i) => reached[i] = nearby,
                    None => {
                        position.insert(stop, reached.len());
                        reached.push(nearby);
                    }
                }
            }
        }
        for nearby in &mut reached {
            nearby.street_meters = street_meters(&search.setting, search.labels, nearby.label);
        }
        Ok(reached)
    }

    /// The stops within `max_seconds` on foot of a stop, for direct transfers, with the metres of street between
    /// them. The search minimizes time; `link_seconds` gives that of the links of both stops, at least a second each.
    /// `query` holds walking costs.
    pub fn stop_neighbours(
        &mut self,
        query: &StreetQuery<'_>,
        stop: u32,
        max_seconds: i32,
        link_seconds: &dyn Fn(u32) -> i32,
    ) -> Vec<(u32, f64)> {
        let search = transfer_search(query, stop, max_seconds, link_seconds(stop));
        let (query, Some(place)) = search else { return Vec::new() };
        let Ok(reached) = self.nearby_stops(&query, &place, Direction::Forward, link_seconds) else {
            return Vec::new();
        };
        (reached.stops.iter())
            .filter(|r| r.stop != stop && r.seconds <= max_seconds)
            .map(|r| (r.stop, r.street_meters))
            .collect()
    }

    /// The path between two stops that [`StreetSearch::stop_neighbours`] measured. Their links count a second each.
    pub fn transfer_path(
        &mut self,
        query: &StreetQuery<'_>,
        from: u32,
        to: u32,
        max_seconds: i32,
    ) -> Option<StreetPath> {
        let (query, Some(place)) = transfer_search(query, from, max_seconds, 1) else { return None };
        self.ends.clear();
        self.ends.start(query.graph, &place, Direction::Forward);
        let stops = self.stops_in::<Forward>(&query, &|_| 1, Some(to)).ok()?;
        let number = stops.iter().position(|reached| reached.stop == to)?;
        let direction = Direction::Forward;
        Some(NearbyStops { memory: self, query, place: &place, direction, stops }.path_to(number))
    }
}

/// The query of a transfer search and the stop as its start.
fn transfer_search<'a>(
    query: &StreetQuery<'a>,
    stop: u32,
    max_seconds: i32,
    link_seconds: i32,
) -> (StreetQuery<'a>, Option<LinkedPlace>) {
    let limits = StreetLimits { max_seconds, ..StreetLimits::default() };
    let place = LinkedPlace::at_stop(query.graph, stop, LatLon::default(), link_seconds);
    (StreetQuery { limits, objective: Objective::Time, ..*query }, place)
}
