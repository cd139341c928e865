//! Walks of any length from stop to stop on the streets, in addition to the prepared transfers.

use trestle_engine::graph::Graph;
use trestle_engine::station_edges::StationEdges;
use trestle_model::Direction;
use trestle_model::ids::{StopIdx, VertexIdx};
use trestle_street::search::{StepwiseSearch, StreetQuery, StreetSearch, TreeStart, WalkTimes};
use trestle_transit::raptor::{ArrivalWithWait, StreetsBetween, Walked};

/// The streets after transit, walked while the timetable is searched.
pub(super) struct WalksBetween<'q, 's> {
    graph: &'q Graph,
    search: StepwiseSearch<'q, 's>,
    edges: StationEdges<'q>,
    clamp: i32,
    /// How long the first wait was before each start.
    initial_waits: Vec<i32>,
}

impl<'q, 's> WalksBetween<'q, 's> {
    pub(super) fn new(
        graph: &'q Graph,
        query: &'q StreetQuery<'q>,
        direction: Direction,
        memory: &'s mut StreetSearch,
        edges: StationEdges<'q>,
        clamp: i32,
    ) -> Self {
        let search = memory.stepwise_search(query, direction);
        WalksBetween { graph, search, edges, clamp, initial_waits: Vec::new() }
    }

    /// Where walks start, and how long the first wait was before each start.
    pub(super) fn finish(self) -> (WalkTimes<'s>, Vec<i32>) {
        (self.search.finish(), self.initial_waits)
    }
}

impl StreetsBetween for WalksBetween<'_, '_> {
    fn leave(&mut self, stop: StopIdx, arrival: &ArrivalWithWait, number: usize) {
        debug_assert_eq!(number, self.initial_waits.len());
        self.initial_waits.push(arrival.initial_wait);
        let graph = self.graph;
        let starts = self.edges.with_others(stop).flat_map(|stop| {
            let link_seconds = graph.stop_link_seconds(stop);
            graph.street.links_of(stop.0).iter().map(move |link| {
                let (vertex, seconds) = (VertexIdx(link.vertex), arrival.seconds + link_seconds);
                let weight = arrival.cost + f64::from(link_seconds);
                TreeStart { vertex, seconds, weight, walk_distance: 0.0 }
            })
        });
        self.search.start(starts, arrival.initial_wait.min(self.clamp));
    }

    fn walk_until(&mut self, seconds: i32, at_stops: &mut Vec<Walked>) -> bool {
        let (graph, edges) = (self.graph, self.edges);
        let street = &graph.street;
        let walked = self.search.search_until(seconds, |to| {
            if !street.has_stop(to.vertex) {
                return;
            }
            for link in street.links_at(to.vertex) {
                let linked = StopIdx(street.stop_links[link as usize].stop);
                let link_seconds = graph.stop_link_seconds(linked);
                at_stops.extend(edges.with_others(linked).map(|stop| Walked {
                    stop,
                    seconds: to.seconds as i32 + link_seconds,
                    cost: f64::from(to.weight) + f64::from(link_seconds),
                    number: to.start,
                }));
            }
        });
        walked.is_ok()
    }
}
