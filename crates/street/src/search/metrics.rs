//! The metrics that searches from place to place share. A metric is made once the searches without it have taken about
//! as long as making it takes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use trestle_model::{Backward, Directed, Direction, Forward};

use super::{Interrupted, Objective, StreetQuery, layers, least_steps};
use crate::contraction::{Metric, NoMetric};
use crate::cost::StreetCosts;

/// A metric is made when searches without it have settled one label for this many of its arcs. Settling a label takes
/// about three times as long as customizing an arc.
const ARCS_PER_LABEL: u64 = 4;
/// Largest number of bytes that all metrics of a graph may take.
const MOST_BYTES: usize = 96 << 20;
/// This many metrics are kept however many bytes they take: those of the usual costs on foot, by bike and by car, and
/// one more. Making one again and again takes far longer than the searches that it serves.
const LEAST_KEPT: usize = 4;
/// Largest number of sets of costs that are remembered.
const MOST_COSTS: usize = 64;

/// The metrics of one street graph. Searches find paths of the same cost with a metric and without.
#[derive(Default, Debug)]
pub struct StreetMetrics(Mutex<MetricTable>);

#[derive(Default, Debug)]
struct MetricTable {
    entries: Vec<Entry>,
    /// Number of look-ups, for finding the least recently used entry.
    time: u64,
}

#[derive(Debug)]
struct Entry {
    /// See [`StreetCosts::of_streets`].
    costs: StreetCosts,
    direction: Direction,
    state: State,
    last_used: u64,
}

#[derive(Debug)]
enum State {
    /// Labels settled by searches that had no metric.
    Wanted(u64),
    /// A search is making the metric.
    InProgress,
    Ready(Arc<Metric>),
    /// These costs cannot have a metric.
    Unfit,
}

impl StreetMetrics {
    /// Makes the metrics for searches like this one in advance. Returns false if there are none: for searches by time,
    /// rented bikes and bike parks, and kiss and ride against travel.
    ///
    /// # Errors
    /// [`Interrupted`] if the query's deadline passed first.
    pub fn prepare(&self, query: &StreetQuery<'_>, direction: Direction) -> Result<bool, Interrupted> {
        match direction {
            Direction::Forward => self.prepare_in::<Forward>(query),
            Direction::Backward => self.prepare_in::<Backward>(query),
        }
    }

    fn prepare_in<D: Directed>(&self, query: &StreetQuery<'_>) -> Result<bool, Interrupted> {
        let Some(street_modes) = layers::street_modes(query.costs.street_mode, D::DIRECTION) else {
            return Ok(false);
        };
        for street_mode in street_modes {
            let costs = query.costs.for_mode(street_mode);
            let of_layer = StreetQuery { costs: &costs, ..*query };
            if self.get_or_make::<D>(&of_layer, 0)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The metric for a layer of a search, whose street mode is that of the query. It is made now if searches without
    /// it have taken long enough.
    pub(super) fn get<D: Directed>(
        &self,
        query: &StreetQuery<'_>,
    ) -> Result<Option<Arc<Metric>>, Interrupted> {
        let pays_from = query.graph.contraction.up.len() as u64 / ARCS_PER_LABEL;
        self.get_or_make::<D>(query, pays_from)
    }

    /// The metric for a search. It is made now if searches without it have settled `pays_from` labels.
    fn get_or_make<D: Directed>(
        &self,
        query: &StreetQuery<'_>,
        pays_from: u64,
    ) -> Result<Option<Arc<Metric>>, Interrupted> {
        if !has_metric(query) {
            return Ok(None);
        }
        let costs = query.costs.of_streets();
        {
            let mut table = self.table();
            let entry = table.entry(&costs, D::DIRECTION);
            match &entry.state {
                State::Ready(metric) => return Ok(Some(metric.clone())),
                State::Wanted(labels) if *labels >= pays_from => entry.state = State::InProgress,
                State::Wanted(_) | State::InProgress | State::Unfit => return Ok(None),
            }
        }
        let making = Making { metrics: self, costs: &costs, direction: D::DIRECTION };
        match least_steps::metric::<D>(query) {
            Ok(metric) => Ok(Some(making.finish(metric))),
            Err(NoMetric::Interrupted) => Err(Interrupted),
            Err(NoMetric::Unfit) => {
                making.end(State::Unfit);
                Ok(None)
            }
        }
    }

    /// Counts the labels that a search has settled without a metric.
    pub(super) fn count<D: Directed>(&self, query: &StreetQuery<'_>, settled: u32) {
        if !has_metric(query) {
            return;
        }
        let [first, second] = match layers::street_modes(query.costs.street_mode, D::DIRECTION) {
            Some([first, second]) => [Some(first), Some(second).filter(|second| *second != first)],
            None => [None; 2],
        };
        let mut table = self.table();
        for street_mode in first.into_iter().chain(second) {
            let costs = query.costs.for_mode(street_mode).of_streets();
            if let State::Wanted(labels) = &mut table.entry(&costs, D::DIRECTION).state {
                *labels += u64::from(settled);
            }
        }
    }

    fn table(&self) -> MutexGuard<'_, MetricTable> {
        // A panic leaves it consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether searches with this objective have metrics.
fn has_metric(query: &StreetQuery<'_>) -> bool {
    query.objective == Objective::Cost && query.graph.contraction.count() > 0
}

impl MetricTable {
    /// The entry for these costs, marked as the most recently used.
    fn entry(&mut self, costs: &StreetCosts, direction: Direction) -> &mut Entry {
        self.time += 1;
        let known = self.entries.iter().position(|e| e.direction == direction && e.costs == *costs);
        let at = known.unwrap_or_else(|| {
            if self.entries.len() >= MOST_COSTS {
                self.drop_oldest(|state| !matches!(state, State::InProgress));
            }
            let (costs, state) = (costs.clone(), State::Wanted(0));
            self.entries.push(Entry { costs, direction, state, last_used: 0 });
            self.entries.len() - 1
        });
        self.entries[at].last_used = self.time;
        &mut self.entries[at]
    }

    fn drop_oldest(&mut self, may_go: impl Fn(&State) -> bool) {
        let may_go = self.entries.iter().enumerate().filter(|(_, entry)| may_go(&entry.state));
        if let Some((oldest, _)) = may_go.min_by_key(|(_, entry)| entry.last_used) {
            self.entries.swap_remove(oldest);
        }
    }

    /// Drops the least recently used metrics until the others take at most `most_bytes`.
    fn make_room(&mut self, most_bytes: usize) {
        loop {
            let sizes = self.entries.iter().filter_map(|entry| match &entry.state {
                State::Ready(metric) => Some(metric.bytes()),
                _ => None,
            });
            let (count, bytes) = sizes.fold((0, 0), |(count, sum), bytes| (count + 1, sum + bytes));
            if count <= LEAST_KEPT || bytes <= most_bytes {
                return;
            }
            self.drop_oldest(|state| matches!(state, State::Ready(_)));
        }
    }
}

/// A metric that is being made. If its search stops early or panics, a later one makes it.
struct Making<'a> {
    metrics: &'a StreetMetrics,
    costs: &'a StreetCosts,
    direction: Direction,
}

impl Making<'_> {
    fn finish(self, metric: Metric) -> Arc<Metric> {
        let metric = Arc::new(metric);
        let metrics = self.metrics;
        self.end(State::Ready(metric.clone()));
        metrics.table().make_room(MOST_BYTES);
        metric
    }

    fn end(self, state: State) {
        self.metrics.table().entry(self.costs, self.direction).state = state;
    }
}

impl Drop for Making<'_> {
    fn drop(&mut self) {
        let mut table = self.metrics.table();
        let entry = table.entry(self.costs, self.direction);
        if matches!(entry.state, State::InProgress) {
            entry.state = State::Wanted(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::StreetMode;
    use crate::search::layer_metrics::LayerMetrics;
    use crate::testing::{TestGraph, graph};
    use std::cell::Cell;
    use trestle_model::RoutingRequest;

    fn street() -> TestGraph {
        graph("A 0 0\nB 100 0\nC 200 0\nD 300 0\nA - B wbc\nB - C wbc\nC - D wbc")
    }

    fn walk(speed: f64) -> StreetCosts {
        StreetCosts::from_request(&RoutingRequest { walk_speed: speed, ..RoutingRequest::default() }, 0)
    }

    /// Whether a search gets a metric.
    fn gets(metrics: &StreetMetrics, query: &StreetQuery<'_>) -> bool {
        metrics.get::<Forward>(query).unwrap().is_some()
    }

    #[test]
    fn a_metric_is_made_when_searches_have_taken_long_enough() {
        let (test, metrics) = (street(), StreetMetrics::default());
        let (usual, slow) = (walk(1.3), walk(0.7));
        let query = StreetQuery::new(&test.graph, &usual);
        let arcs = test.graph.contraction.up.len() as u32;
        assert!(!gets(&metrics, &query));
        metrics.count::<Forward>(&query, arcs / 4);
        assert!(gets(&metrics, &query), "it is worth it now");
        assert!(gets(&metrics, &query), "and stays");
        assert!(metrics.get::<Backward>(&query).unwrap().is_none(), "against travel is another one");
        assert!(!gets(&metrics, &StreetQuery { costs: &slow, ..query }), "so are other speeds");
        let later = StreetCosts::from_request(
            &RoutingRequest {
                walk_speed: 1.3,
                epoch_seconds: 1,
                bike_speed: 9.0,
                ..RoutingRequest::default()
            },
            0,
        );
        assert!(
            gets(&metrics, &StreetQuery { costs: &later, ..query }),
            "neither time nor bikes matter to walks"
        );
    }

    #[test]
    fn searches_by_time_and_to_bike_parks_have_no_metric() {
        let (test, metrics) = (street(), StreetMetrics::default());
        let (usual, parking) = (walk(1.3), walk(1.3).for_mode(StreetMode::ParkBicycle));
        let by_time = StreetQuery { objective: Objective::Time, ..StreetQuery::new(&test.graph, &usual) };
        for query in [by_time, StreetQuery::new(&test.graph, &parking)] {
            metrics.count::<Forward>(&query, 1000);
            let metrics = LayerMetrics::get::<Forward>(&query, &metrics).unwrap();
            assert!(metrics.is_none());
        }
    }

    #[test]
    fn a_later_search_makes_the_metric_of_an_interrupted_one() {
        let (test, metrics, usual) = (street(), StreetMetrics::default(), walk(1.3));
        let query = StreetQuery::new(&test.graph, &usual);
        metrics.count::<Forward>(&query, 1000);
        let late = StreetQuery { interrupted: &|| true, ..query };
        assert!(metrics.get::<Forward>(&late).is_err());
        assert!(!gets(&metrics, &query), "its cost counts from the start");
        metrics.count::<Forward>(&query, 1000);
        assert!(gets(&metrics, &query));
    }

    #[test]
    fn two_searches_do_not_make_the_same_metric() {
        let (test, metrics, usual) = (street(), StreetMetrics::default(), walk(1.3));
        let query = StreetQuery::new(&test.graph, &usual);
        metrics.count::<Forward>(&query, 1000);
        let others_got = Cell::new(None);
        let look = || {
            others_got.set(Some(gets(&metrics, &query)));
            false
        };
        assert!(metrics.get::<Forward>(&StreetQuery { interrupted: &look, ..query }).unwrap().is_some());
        assert_eq!(others_got.get(), Some(false));
    }

    #[test]
    fn steps_with_negative_costs_have_no_metric() {
        let (test, metrics) = (street(), StreetMetrics::default());
        let request = RoutingRequest { walk_reluctance: -1.0, ..RoutingRequest::default() };
        let costs = StreetCosts::from_request(&request, 0);
        let query = StreetQuery::new(&test.graph, &costs);
        metrics.count::<Forward>(&query, 1000);
        assert!(!gets(&metrics, &query));
    }

    #[test]
    fn walks_rides_and_drives_keep_their_metrics_however_large_these_are() {
        let (test, metrics) = (street(), StreetMetrics::default());
        let usual = [StreetMode::Walk, StreetMode::Bicycle, StreetMode::Car]
            .map(|street_mode| walk(1.3).for_mode(street_mode));
        let queries = usual.each_ref().map(|costs| StreetQuery::new(&test.graph, costs));
        let slow = [walk(0.7), walk(0.8)];
        for costs in &slow {
            metrics.prepare(&StreetQuery::new(&test.graph, costs), Direction::Forward).unwrap();
        }
        for query in &queries {
            metrics.prepare(query, Direction::Forward).unwrap();
        }
        metrics.table().make_room(0);
        assert_eq!(queries.map(|query| gets(&metrics, &query)), [true; 3]);
        let others = slow.each_ref().map(|costs| gets(&metrics, &StreetQuery::new(&test.graph, costs)));
        assert_eq!(others, [false, true]);
    }

    #[test]
    fn the_least_recently_used_costs_are_forgotten() {
        let (test, metrics) = (street(), StreetMetrics::default());
        for i in 0..100 {
            let costs = walk(1.0 + f64::from(i) / 100.0);
            let query = StreetQuery::new(&test.graph, &costs);
            metrics.count::<Forward>(&query, 1000);
            assert!(gets(&metrics, &query));
        }
        assert_eq!(metrics.table().entries.len(), MOST_COSTS);
        let (first, last) = (walk(1.0), walk(1.99));
        assert!(!gets(&metrics, &StreetQuery::new(&test.graph, &first)));
        assert!(gets(&metrics, &StreetQuery::new(&test.graph, &last)));
    }
}
