//! Semantic hashes: equal for equal service, whatever the graph.

use trestle_model::ids::{PatternIdx, TripIdx};
use trestle_transit::overlay::AddedTrip;
use trestle_transit::semantic_hash;
use trestle_transit::timetable::Timetable;

use crate::snapshot::Snapshot;

/// Semantic hash of a pattern, scheduled or live; `None` for an unknown one.
pub fn pattern_hash(snapshot: &Snapshot, pattern: PatternIdx) -> Option<String> {
    let timetable = &snapshot.graph.timetable;
    if pattern.index() < timetable.patterns.count() {
        return Some(semantic_hash::pattern(timetable, pattern));
    }
    let calls = snapshot.live_schedule().calls_of(pattern)?;
    Some(semantic_hash::text(calls_hash(timetable, calls)))
}

/// Semantic hash of a trip, scheduled or added; `None` for an unknown one.
pub fn trip_hash(snapshot: &Snapshot, trip: TripIdx) -> Option<String> {
    let timetable = &snapshot.graph.timetable;
    if trip.index() < timetable.trips.count() {
        return Some(semantic_hash::trip(timetable, trip));
    }
    let added = snapshot.live_schedule().trip(trip)?;
    let times = semantic_hash::of_times(&added.times.departures, &added.times.arrivals);
    Some([calls_hash(timetable, added), times].map(semantic_hash::text).join(":"))
}

fn calls_hash(timetable: &Timetable, trip: &AddedTrip) -> u32 {
    semantic_hash::of_calls(timetable, trip.stops.iter().copied(), &trip.pickup, &trip.dropoff)
}
