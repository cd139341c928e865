//! Edges of the street graph, with the attributes that the inspector shows.

use trestle_engine::snapshot::Snapshot;
use trestle_model::ids::EdgeIdx;
use trestle_street::graph::{Edge, edge_flags};
use trestle_street::grid_shapes::{GridPoint, clip_line};

use super::frame::Frame;
use super::writer::{LayerWriter, Value};
use crate::inspector::Islands;

/// Writes the edges of a tile.
pub(super) fn write(snapshot: &Snapshot, frame: &Frame, layer: &mut LayerWriter) {
    let street = &snapshot.graph.street;
    let islands = Islands::of(snapshot);
    for number in street.spatial.within(frame.degrees()) {
        let mut line: Vec<GridPoint> = street.edge_line(number).map(|at| frame.point(at)).collect();
        line.dedup();
        let parts = clip_line(&line, &Frame::BOUNDS);
        if !parts.is_empty() {
            write_edge(snapshot, islands, number, &parts, layer);
        }
    }
}

fn write_edge(
    snapshot: &Snapshot,
    islands: &Islands,
    number: EdgeIdx,
    parts: &[Vec<GridPoint>],
    layer: &mut LayerWriter,
) {
    let street = &snapshot.graph.street;
    let edge = street.edge(number);
    let name = if edge.has(edge_flags::BOGUS_NAME | edge_flags::GENERATED_NAME) {
        ""
    } else {
        street.names.get(edge.name)
    };
    let size = islands.size(edge.from);
    let island = if !edge.has(edge_flags::WALK) || islands.is_mainland(size) { None } else { Some(size) };
    let speed = (f64::from(edge.car_speed) * 3.6).round() as i64;
    let attributes = [
        Some(("id", Value::Whole(i64::from(number.0)))),
        Some(("name", Value::Text(name))),
        Some(("permission", Value::Text(permission(&edge)))),
        edge.has(edge_flags::STAIRS).then_some(("stairs", Value::Flag(true))),
        Some(("wheelchair", Value::Flag(edge.has(edge_flags::WHEELCHAIR)))),
        edge.has(edge_flags::NO_THROUGH).then_some(("noThrough", Value::Flag(true))),
        edge.has(edge_flags::BICYCLE).then_some(("bicycleSafety", hundredths(edge.bicycle_safety))),
        edge.has(edge_flags::CAR).then_some(("carSpeed", Value::Whole(speed))),
        (edge.max_slope > 0.0).then_some(("slope", hundredths(edge.max_slope))),
        island.map(|size| ("island", Value::Whole(i64::from(size)))),
    ];
    layer.lines(parts, &attributes.into_iter().flatten().collect::<Vec<_>>());
}

/// Who may use an edge, as the parameter `mode` of the interface writes modes.
fn permission(edge: &Edge) -> &'static str {
    let is = |flag: u32| edge.has(flag);
    match (is(edge_flags::WALK), is(edge_flags::BICYCLE), is(edge_flags::CAR)) {
        (true, true, true) => "WALK,BICYCLE,CAR",
        (true, true, false) => "WALK,BICYCLE",
        (true, false, true) => "WALK,CAR",
        (true, false, false) => "WALK",
        (false, true, true) => "BICYCLE,CAR",
        (false, true, false) => "BICYCLE",
        (false, false, true) => "CAR",
        (false, false, false) => "",
    }
}

/// Two decimals are enough for a map, and edges then share values.
fn hundredths(value: f32) -> Value<&'static str> {
    Value::Number((f64::from(value) * 100.0).round() / 100.0)
}
