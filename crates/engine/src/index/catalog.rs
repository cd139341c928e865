//! Orders, time zones and clusters that look-ups need and the columns do not hold. Computed at first use, once per
//! graph.

use std::sync::OnceLock;

use jiff::tz::TimeZone;
use trestle_model::ids::{AgencyIdx, PatternIdx, StopIdx, TripIdx};
use trestle_transit::listing_order;
use trestle_transit::timetable::Timetable;

use super::clusters::{ClusterMode, Clusters};
use crate::graph::Graph;

/// Derived orders of one graph.
#[derive(Default)]
pub struct Catalog {
    stops: OnceLock<Vec<u32>>,
    routes: OnceLock<Vec<u32>>,
    patterns: OnceLock<Vec<u32>>,
    pattern_ranks: OnceLock<Vec<u32>>,
    trips: OnceLock<Vec<u32>>,
    spans: OnceLock<Vec<(i32, i32)>>,
    zones: OnceLock<Vec<TimeZone>>,
    clusters: OnceLock<Clusters>,
}

impl Catalog {
    /// Makes all of it now, so that no look-up has to: some tens of milliseconds for a large city.
    pub fn prepare(&self, graph: &Graph) {
        let timetable = &graph.timetable;
        self.clusters(graph);
        self.routes(timetable);
        self.trips(timetable);
        self.pattern_ranks(timetable);
        self.span(timetable, PatternIdx(0));
        self.zone(timetable, AgencyIdx(0));
    }

    /// Listed stops: those where travellers can board.
    pub fn stops(&self, timetable: &Timetable) -> &[u32] {
        self.stops.get_or_init(|| listing_order::stops(timetable))
    }

    /// Listed routes: those with a pattern.
    pub fn routes(&self, timetable: &Timetable) -> &[u32] {
        self.routes.get_or_init(|| listing_order::routes(timetable))
    }

    /// All patterns.
    pub fn patterns(&self, timetable: &Timetable) -> &[u32] {
        self.patterns.get_or_init(|| listing_order::patterns(timetable))
    }

    /// All trips, pattern by pattern.
    pub fn trips(&self, timetable: &Timetable) -> &[u32] {
        self.trips.get_or_init(|| {
            let patterns = self.patterns(timetable).iter();
            patterns
                .flat_map(|&pattern| timetable.patterns.trips(PatternIdx(pattern)))
                .map(|t| t as u32)
                .collect()
        })
    }

    /// Stop clusters.
    pub fn clusters(&self, graph: &Graph) -> &Clusters {
        self.clusters.get_or_init(|| {
            let mode = ClusterMode::of(graph.embedded_build_config());
            Clusters::new(&graph.timetable, self.stops(&graph.timetable), mode)
        })
    }

    /// Position of each pattern in [`Self::patterns`].
    fn pattern_ranks(&self, timetable: &Timetable) -> &[u32] {
        self.pattern_ranks.get_or_init(|| {
            let order = self.patterns(timetable);
            let mut ranks = vec![0; order.len()];
            for (rank, &pattern) in (0..).zip(order) {
                ranks[pattern as usize] = rank;
            }
            ranks
        })
    }

    /// Sorts patterns into listing order and removes repeats.
    pub fn sort_patterns(&self, timetable: &Timetable, patterns: &mut Vec<u32>) {
        let ranks = self.pattern_ranks(timetable);
        patterns.sort_by_key(|&pattern| ranks[pattern as usize]);
        patterns.dedup();
    }

    /// Earliest departure from the first stop and latest arrival at the last stop over all trips of a pattern,
    /// including runs by frequency; seconds of the service day.
    pub fn span(&self, timetable: &Timetable, pattern: PatternIdx) -> (i32, i32) {
        let spans = self.spans.get_or_init(|| {
            let patterns = 0..timetable.patterns.count();
            patterns.map(|pattern| pattern_span(timetable, PatternIdx::from(pattern))).collect()
        });
        spans.get(pattern.index()).copied().unwrap_or((i32::MAX, i32::MIN))
    }

    /// Time zone in which the service days of an agency begin.
    pub fn zone(&self, timetable: &Timetable, agency: AgencyIdx) -> TimeZone {
        let zones = self.zones.get_or_init(|| {
            let agencies = 0..timetable.agencies.id.len();
            agencies.map(|agency| timetable.agency_time_zone(AgencyIdx::from(agency))).collect()
        });
        zones.get(agency.index()).cloned().unwrap_or_else(|| timetable.time_zone())
    }
}

fn pattern_span(timetable: &Timetable, pattern: PatternIdx) -> (i32, i32) {
    let (mut earliest, mut latest) = (i32::MAX, i32::MIN);
    for trip in timetable.patterns.trips(pattern).map(TripIdx::from) {
        let calls = timetable.trip_calls(trip);
        let (Some(first), Some(last)) = (calls.first_departure(), calls.last_arrival()) else { continue };
        let (mut start, mut end) = (first, last);
        for frequency in timetable.trips.frequencies_of(trip) {
            end = end.max(frequency.end + last - first);
            start = start.min(frequency.start);
        }
        (earliest, latest) = (earliest.min(start), latest.max(end));
    }
    (earliest, latest)
}

/// Whether the index lists a stop: travellers can board there.
pub fn is_listed(timetable: &Timetable, stop: StopIdx) -> bool {
    timetable.stops.location_type.get(stop.index()) == Some(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_for_the_first_look_up() {
        let catalog = Catalog::default();
        catalog.prepare(&Graph::default());
        let Catalog { stops, routes, patterns, pattern_ranks, trips, spans, zones, clusters } = catalog;
        let orders = [stops, routes, patterns, pattern_ranks, trips];
        assert!(orders.iter().all(|order| order.get().is_some()));
        assert!(spans.get().is_some() && zones.get().is_some() && clusters.get().is_some());
    }
}
