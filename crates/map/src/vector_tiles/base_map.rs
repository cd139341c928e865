//! The base map: land, water, streets, railways, places.

use trestle_engine::snapshot::Snapshot;
use trestle_street::base_map::{BaseMap, MapFeature, MapLayer, map_flags};
use trestle_street::grid_shapes::{Area, GridBox, GridPoint, area_of_ring, clip_area, clip_line};

use super::frame::Frame;
use super::writer::{LayerWriter, Value};

/// Class, flags and name. Features that have the same ones are written as one feature.
type Appearance = (&'static str, u8, u32);

/// Writes the features of a tile.
pub(super) fn write(snapshot: &Snapshot, layer: MapLayer, frame: &Frame, writer: &mut LayerWriter) {
    let map = &snapshot.graph.street.base_map;
    let zoom = frame.id.z;
    let features = map.features(layer, zoom, frame.world_bounds(BaseMap::grid_zoom(zoom)));
    match layer {
        MapLayer::Land | MapLayer::Water => {
            let parts = features.flat_map(|feature| {
                let appearance = appearance(&feature);
                areas_in(&feature, frame).into_iter().map(move |area| (appearance, area))
            });
            by_appearance(parts, |appearance, areas| writer.areas(areas, &attributes(map, appearance)));
        }
        MapLayer::Places => {
            let at = |feature: &MapFeature<'_>| points(feature, frame).concat();
            let parts = features.flat_map(|feature| {
                let appearance = appearance(&feature);
                at(&feature).into_iter().map(move |point| (appearance, point))
            });
            let inside = parts.filter(|(_, point)| Frame::BOUNDS.contains(&GridBox::around([point])));
            by_appearance(inside, |appearance, points| writer.points(points, &attributes(map, appearance)));
        }
        _ => {
            let parts = features.flat_map(|feature| {
                let appearance = appearance(&feature);
                lines_in(&feature, frame).into_iter().map(move |line| (appearance, line))
            });
            by_appearance(parts, |appearance, lines| writer.lines(lines, &attributes(map, appearance)));
        }
    }
}

fn appearance(feature: &MapFeature<'_>) -> Appearance {
    (feature.kind.class, feature.flags, feature.name)
}

/// Calls `write` with all parts of the features of each appearance.
fn by_appearance<P>(parts: impl Iterator<Item = (Appearance, P)>, mut write: impl FnMut(Appearance, &[P])) {
    let mut sorted: Vec<(Appearance, P)> = parts.collect();
    sorted.sort_by_key(|(appearance, _)| *appearance);
    let mut sorted = sorted.into_iter().peekable();
    while let Some((appearance, part)) = sorted.next() {
        let mut parts = vec![part];
        while let Some((_, part)) = sorted.next_if(|(next, _)| *next == appearance) {
            parts.push(part);
        }
        write(appearance, &parts);
    }
}

fn attributes(map: &BaseMap, (class, flags, name): Appearance) -> Vec<(&'static str, Value<'_>)> {
    let mut attributes = vec![("class", Value::Text(class)), ("name", Value::Text(map.texts.get(name)))];
    for (name, flag) in [("bridge", map_flags::BRIDGE), ("tunnel", map_flags::TUNNEL)] {
        if flags & flag != 0 {
            attributes.push((name, Value::Flag(true)));
        }
    }
    attributes
}

/// The parts of a feature on the grid of the tile.
fn points(feature: &MapFeature<'_>, frame: &Frame) -> Vec<Vec<GridPoint>> {
    let zoom = BaseMap::grid_zoom(frame.id.z);
    let mut parts = feature.parts();
    for part in &mut parts {
        part.iter_mut().for_each(|point| *point = frame.of_world(*point, zoom));
        part.dedup();
    }
    parts
}

fn lines_in(feature: &MapFeature<'_>, frame: &Frame) -> Vec<Vec<GridPoint>> {
    let lines = points(feature, frame);
    let bounds = GridBox::around(lines.iter().flatten());
    if !Frame::BOUNDS.touches(&bounds) {
        return Vec::new();
    }
    if Frame::BOUNDS.contains(&bounds) {
        return lines.into_iter().filter(|line| line.len() > 1).collect();
    }
    lines.iter().flat_map(|line| clip_line(line, &Frame::BOUNDS)).collect()
}

fn areas_in(feature: &MapFeature<'_>, frame: &Frame) -> Vec<Area> {
    let mut area = points(feature, frame);
    let bounds = GridBox::around(area.iter().flatten());
    if !Frame::BOUNDS.touches(&bounds) {
        return Vec::new();
    }
    if !Frame::BOUNDS.contains(&bounds) {
        return clip_area(&area, &Frame::BOUNDS);
    }
    // On a grid coarser than the stored one, a ring may shrink to a point or line.
    area.retain(|ring| ring.len() > 2 && area_of_ring(ring) != 0.0);
    let is_whole = area.first().is_some_and(|outline| area_of_ring(outline) > 0.0);
    if is_whole { vec![area] } else { Vec::new() }
}
