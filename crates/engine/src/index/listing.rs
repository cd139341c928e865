//! The orders in which the interface lists entities, and clusters of stops: stored with the graph, so that look-ups return
//! at once.

use trestle_model::ids::{PatternIdx, TripIdx};
use trestle_model::rules::{any, group, index};
use trestle_model::{Column, columns};
use trestle_transit::listing_order;
use trestle_transit::timetable::Timetable;

use super::clusters::{ClusterMode, Clusters};
use crate::graph::Graph;

columns! {
    /// Derived from the timetable of a graph.
    pub struct Listing in Graph {
        /// Listed stops: those where travellers can board.
        pub stops: Column<u32> => |g| index(g.listing.stops.len(), g.timetable.stops.id.len()),
        /// Listed routes: those with a pattern.
        pub routes: Column<u32> => |g| index(g.listing.routes.len(), g.timetable.routes.id.len()),
        pub patterns: Column<u32> => |g| index(g.timetable.patterns.count(), g.timetable.patterns.count()),
        /// Position of each pattern in `patterns`.
        pub pattern_ranks: Column<u32> => |g| index(g.timetable.patterns.count(), g.timetable.patterns.count()),
        /// All trips, pattern by pattern.
        pub trips: Column<u32> => |g| index(g.timetable.trips.count(), g.timetable.trips.count()),
        /// Earliest departure from the first stop and latest arrival at the last stop over all trips of each pattern,
        /// including runs by frequency; seconds of the service day.
        pub spans: Column<[i32; 2]> => |g| any(g.timetable.patterns.count()),
        pub clusters: Clusters => group,
    }
}

impl Listing {
    /// The orders and clusters of a graph. Only its timetable and facts are needed for them.
    pub(crate) fn of(graph: &Graph) -> Listing {
        let timetable = &graph.timetable;
        let (stops, patterns) = (listing_order::stops(timetable), listing_order::patterns(timetable));
        let mut pattern_ranks = vec![0; patterns.len()];
        for (rank, &pattern) in (0..).zip(&patterns) {
            pattern_ranks[pattern as usize] = rank;
        }
        let trips = patterns.iter().flat_map(|&pattern| timetable.patterns.trips(PatternIdx(pattern)));
        let spans = (0..patterns.len()).map(|pattern| pattern_span(timetable, PatternIdx::from(pattern)));
        let mode = ClusterMode::of(graph.embedded_build_config());
        Listing {
            routes: listing_order::routes(timetable).into(),
            pattern_ranks: pattern_ranks.into(),
            trips: trips.map(|trip| trip as u32).collect(),
            spans: spans.collect(),
            clusters: Clusters::new(timetable, &stops, mode),
            stops: stops.into(),
            patterns: patterns.into(),
        }
    }

    /// Sorts patterns into listing order and removes repeats.
    pub fn sort_patterns(&self, patterns: &mut Vec<u32>) {
        patterns.sort_by_key(|&pattern| self.pattern_ranks[pattern as usize]);
        patterns.dedup();
    }

    /// See [`Self::spans`].
    pub fn span(&self, pattern: PatternIdx) -> (i32, i32) {
        self.spans.get(pattern.index()).map_or((i32::MAX, i32::MIN), |&[earliest, latest]| (earliest, latest))
    }
}

fn pattern_span(timetable: &Timetable, pattern: PatternIdx) -> [i32; 2] {
    let (mut earliest, mut latest) = (i32::MAX, i32::MIN);
    for trip in timetable.patterns.trips(pattern).map(TripIdx::from) {
        let calls = timetable.trip_calls(trip);
        let (Some(first), Some(last)) = (calls.first_departure(), calls.last_arrival()) else { continue };
        // The times of a trip that runs by frequency are no run: they only tell the times between its calls.
        let rows = timetable.trips.frequencies_of(trip);
        let runs = rows.iter().map(|row| (row.start, row.end + last - first));
        let own = rows.is_empty().then_some((first, last));
        for (start, end) in runs.chain(own) {
            (earliest, latest) = (earliest.min(start), latest.max(end));
        }
    }
    [earliest, latest]
}
