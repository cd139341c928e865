//! Walks from stop to stop on the streets, as long as one likes, beside the prepared transfers.

use trestle_model::ids::{StopIdx, VertexIdx};
use trestle_street::search::{StepwiseWalk, StreetQuery, StreetSearch, TreeStart, WalkTimes};
use trestle_transit::raptor::{FirstCome, StreetsBetween, Walked};

use super::earliest::EarliestSearch;
use crate::graph::Graph;

/// The streets behind transit, walked while the timetable is searched.
pub(super) struct WalksBetween<'q, 's> {
    graph: &'q Graph,
    joined: &'q [(StopIdx, StopIdx)],
    walk: StepwiseWalk<'q, 's>,
    clamp: i32,
    /// What each start waited for the first vehicle.
    initial_waits: Vec<i32>,
}

impl<'q, 's> WalksBetween<'q, 's> {
    pub(super) fn new(
        search: &'q EarliestSearch<'_>,
        query: &'q StreetQuery<'q>,
        memory: &'s mut StreetSearch,
        clamp: i32,
    ) -> Self {
        WalksBetween {
            graph: &search.snapshot.graph,
            joined: &search.joined,
            walk: memory.stepwise_walk(query, search.direction),
            clamp,
            initial_waits: Vec::new(),
        }
    }

    /// Where one walks, and what each start waited for the first vehicle.
    pub(super) fn finish(self) -> (WalkTimes<'s>, Vec<i32>) {
        (self.walk.finish(), self.initial_waits)
    }
}

/// The stops that one is at with a stop: itself and those that free edges of its station join with it.
fn with_mates(joined: &[(StopIdx, StopIdx)], stop: StopIdx) -> impl Iterator<Item = StopIdx> {
    let first = joined.partition_point(|(first, _)| *first < stop);
    let mates = joined[first..].iter().take_while(move |(first, _)| *first == stop).map(|(_, mate)| *mate);
    std::iter::once(stop).chain(mates)
}

impl StreetsBetween for WalksBetween<'_, '_> {
    fn leave(&mut self, stop: StopIdx, way: &FirstCome, number: usize) {
        debug_assert_eq!(number, self.initial_waits.len());
        self.initial_waits.push(way.initial_wait);
        let links = &self.graph.street.stop_links;
        let starts = with_mates(self.joined, stop).flat_map(|stop| {
            let link_seconds = self.graph.stop_link_seconds(stop);
            let first = links.partition_point(|link| link.stop < stop.0);
            let own = links[first..].iter().take_while(move |link| link.stop == stop.0);
            own.map(move |link| {
                let (vertex, seconds) = (VertexIdx(link.vertex), way.seconds + link_seconds);
                let weight = way.cost + f64::from(link_seconds);
                TreeStart { vertex, seconds, weight, walk_distance: 0.0 }
            })
        });
        self.walk.start(starts, way.initial_wait.min(self.clamp));
    }

    fn walk_until(&mut self, seconds: i32, at_stops: &mut Vec<Walked>) -> bool {
        let (graph, joined) = (self.graph, self.joined);
        let street = &graph.street;
        let walked = self.walk.walk_until(seconds, |to| {
            if !street.has_stop(to.vertex) {
                return;
            }
            for link in street.search.links_at(street, to.vertex) {
                let linked = StopIdx(street.stop_links[link as usize].stop);
                let link_seconds = graph.stop_link_seconds(linked);
                at_stops.extend(with_mates(joined, linked).map(|stop| Walked {
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
