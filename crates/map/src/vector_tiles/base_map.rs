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
        MapLayer::Land | MapLayer::Water => by_appearance(
            features,
            |feature| areas_in(feature, frame),
            |appearance, areas| writer.areas(areas, &attributes(map, appearance)),
        ),
        MapLayer::Places => by_appearance(
            features,
            |feature| points(feature, frame).concat().into_iter().filter(|point| Frame::BOUNDS.has(*point)),
            |appearance, points| writer.points(points, &attributes(map, appearance)),
        ),
        _ => by_appearance(
            features,
            |feature| lines_in(feature, frame),
            |appearance, lines| writer.lines(lines, &attributes(map, appearance)),
        ),
    }
}

/// Calls `write` with all parts of the features of each appearance.
fn by_appearance<'m, P, I: IntoIterator<Item = P>>(
    features: impl Iterator<Item = MapFeature<'m>>,
    parts_of: impl Fn(&MapFeature<'_>) -> I,
    mut write: impl FnMut(Appearance, &[P]),
) {
    let mut sorted: Vec<(Appearance, P)> = Vec::new();
    for feature in features {
        let appearance = (feature.kind.class, feature.flags, feature.name);
        sorted.extend(parts_of(&feature).into_iter().map(|part| (appearance, part)));
    }
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

fn attributes(map: &BaseMap, (class, flags, name): Appearance) -> Vec<(&'static str, Value<&str>)> {
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
    let area = points(feature, frame);
    let bounds = GridBox::around(area.iter().flatten());
    if !Frame::BOUNDS.touches(&bounds) {
        return Vec::new();
    }
    if !Frame::BOUNDS.contains(&bounds) {
        return clip_area(&area, &Frame::BOUNDS);
    }
    left_of(area).into_iter().collect()
}

/// What is left of an area on a grid coarser than the stored one, where a ring may shrink to a point or line, or turn
/// over: the format would take a hole that did for an outline.
fn left_of(area: Area) -> Option<Area> {
    let mut rings = area.into_iter();
    let outline = rings.next().filter(|ring| area_of_ring(ring) > 0.0)?;
    let holes = rings.filter(|ring| area_of_ring(ring) < 0.0);
    Some(std::iter::once(outline).chain(holes).collect())
}

#[cfg(test)]
mod tests {
    use trestle_model::mercator::TileId;
    use trestle_street::grid_shapes::valid_areas;

    use super::*;

    fn on_tile(area: &Area, frame: &Frame, zoom: u32) -> Area {
        area.iter().map(|ring| ring.iter().map(|point| frame.of_world(*point, zoom)).collect()).collect()
    }

    #[test]
    fn a_hole_that_turns_over_on_a_coarser_grid_does_not_become_an_outline() {
        let outline = vec![[0, 0], [60, 0], [60, 60], [0, 60]];
        let hole = vec![[20, 20], [22, 21], [25, 22]];
        let frame = Frame { id: TileId { z: 14, x: 0, y: 0 } };
        let tile = on_tile(&vec![outline, hole], &frame, 15);
        assert!(area_of_ring(&tile[1]) > 0.0);
        assert_eq!(left_of(tile.clone()), Some(vec![tile[0].clone()]));
    }

    #[test]
    fn outlines_are_positive_and_holes_negative() {
        let frame = Frame { id: TileId { z: 14, x: 0, y: 0 } };
        // Knuth's MMIX constants.
        let mut state = 3u64;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % limit) as i32
        };
        let mut holes = 0;
        for _ in 0..500 {
            let mut ring = || (0..6).map(|_| [below(40), below(40)]).collect();
            let rings: Vec<Vec<GridPoint>> = (0..4).map(|_| ring()).collect();
            for (area, coarser) in valid_areas(&rings).iter().zip([0, 1, 2, 3].iter().cycle()) {
                let Some(left) = left_of(on_tile(area, &frame, 14 + coarser)) else { continue };
                assert!(area_of_ring(&left[0]) > 0.0);
                assert!(left[1..].iter().all(|hole| area_of_ring(hole) < 0.0));
                assert!(*coarser > 0 || left == *area);
                holes += left.len() - 1;
            }
        }
        assert!(holes > 50, "{holes}");
    }
}
