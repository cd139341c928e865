//! Shapes of patterns.

use trestle_model::ids::PatternIdx;

use crate::snapshot::Snapshot;

/// The shape of a pattern, (lat, lon) of its points; empty without one. Copies of trips have the shape of these trips;
/// other live patterns have none.
pub fn pattern_geometry(snapshot: &Snapshot, pattern: PatternIdx) -> Vec<[f64; 2]> {
    let timetable = &snapshot.graph.timetable;
    let copied = snapshot.live_schedule().copied_pattern(timetable, pattern);
    timetable.patterns.geometry(copied.unwrap_or(pattern))
}
