//! The stops as points to be linked to the streets, and the order in which they are linked.
//!
//! Stops that split the same street share its length, and each split truncates to millimetres, so distances of
//! transfers and walks depend on the order of linking. It is that of the reference, which keeps the stops' labels in a
//! hash table with all vertices of streets and transit.

use trestle_model::ids::{PatternIdx, StopIdx};
use trestle_street::build::StopPoint;
use trestle_transit::hash_order::{bucket, text_hash};
use trestle_transit::timetable::Timetable;

/// Vertices that a stop has in the reference's table: itself, and one each to arrive and to depart.
const VERTICES_PER_STOP: usize = 3;
/// One departure vertex and one arrival vertex for each hop of a pattern.
const VERTICES_PER_HOP: usize = 2;

/// All stops of the timetable, with their lines in stops.txt; `street_vertices` is the number of vertices before linking.
pub(super) fn stop_points(
    timetable: &Timetable,
    stop_lines: &[u64],
    street_vertices: usize,
) -> Vec<StopPoint> {
    let vertices = street_vertices + transit_vertices(timetable);
    let stops = &timetable.stops;
    let id = |i: usize| timetable.stop_id(StopIdx::from(i));
    let file = |i: usize| timetable.texts.get(timetable.feeds.file[stops.feed[i] as usize]);
    (0..stops.id.len())
        .map(|i| StopPoint {
            lat: stops.lat[i],
            lon: stops.lon[i],
            code: timetable.texts.opt(stops.code[i]).map(str::to_owned),
            link_order: bucket(text_hash(&id(i)), vertices),
            file: format!("{}/stops.txt", file(i)),
            line: stop_lines.get(i).copied().unwrap_or(0),
            label: format!("{} “{}”", id(i), timetable.texts.get(stops.name[i])),
        })
        .collect()
}

fn transit_vertices(timetable: &Timetable) -> usize {
    let patterns = (0..timetable.patterns.count()).map(PatternIdx::from);
    let hops: usize = patterns.map(|pattern| timetable.patterns.calls(pattern).len().saturating_sub(1)).sum();
    timetable.stops.id.len() * VERTICES_PER_STOP + hops * VERTICES_PER_HOP
}
