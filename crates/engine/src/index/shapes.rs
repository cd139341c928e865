//! Shapes of patterns.

use trestle_model::ids::PatternIdx;

use crate::snapshot::Snapshot;

/// The shape of a pattern, (lat, lon) of its points; empty without one. Live trips whose calls are those of a scheduled one
/// have the shape of that; other live patterns have none.
pub fn pattern_geometry(snapshot: &Snapshot, pattern: PatternIdx) -> Vec<[f64; 2]> {
    let (timetable, live) = (&snapshot.graph.timetable, snapshot.live_schedule());
    let shaping = live.shaping_pattern(timetable, pattern);
    match shaping.zip(live.calls_of(pattern)) {
        Some((shaping, calls)) if !calls.moved.is_empty() => timetable.live_line(shaping, &calls.stops),
        _ => timetable.patterns.geometry(shaping.unwrap_or(pattern)),
    }
}
