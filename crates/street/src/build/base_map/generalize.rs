//! Generalizes shapes for a scale: keeps the shapes that the scale shows, with fewer points, and splits large ones.

use rustc_hash::FxHashMap;

use crate::base_map::{Appearance, DETAIL_ZOOM, LAST_ZOOMS, MAP_KINDS, MapLayer, SCALES};
use crate::grid_shapes::{
    Area, GridBox, GridPoint, area_of_ring, clip_area, simplify_line, simplify_ring, valid_areas,
};
use crate::osm::{MapShape, join_lines};

/// Largest distance of a simplified line from the real one, grid units: half a pixel of a tile drawn 512 pixels wide, and
/// a quarter of a metre at the finest scale.
const TOLERANCE: f64 = 4.0;
const FINEST_TOLERANCE: f64 = 1.0;
/// Areas smaller than this are left out, in squares of the grid: two pixels by two.
const LEAST_AREA: f64 = 256.0;
/// Largest number of points of a line or area. Longer ones are split, so that a tile reads little that it does not
/// show.
const MOST_LINE_POINTS: usize = 128;
const MOST_AREA_POINTS: usize = 512;

pub(super) struct ScaledFeature {
    pub(super) appearance: Appearance,
    pub(super) parts: Vec<Vec<GridPoint>>,
    pub(super) bounds: GridBox,
}

/// The features of a scale, on its grid.
pub(super) fn features_of_scale(shapes: &[MapShape], scale: usize) -> Vec<ScaledFeature> {
    let mut out = Vec::new();
    let mut lines: FxHashMap<Appearance, Vec<Vec<GridPoint>>> = FxHashMap::default();
    for shape in shapes {
        let appearance = shape.appearance;
        let kind = &MAP_KINDS[appearance.kind as usize];
        if u32::from(kind.min_zoom) > LAST_ZOOMS[scale] {
            continue;
        }
        match kind.layer {
            MapLayer::Land | MapLayer::Water => add_area(shape, scale, &mut out),
            MapLayer::Places => {
                let parts = vec![shape.parts.iter().flatten().map(|point| on_scale(*point, scale)).collect()];
                add(appearance, parts, &mut out);
            }
            _ => lines.entry(appearance).or_default().extend(shape.parts.iter().cloned()),
        }
    }
    let mut lines: Vec<_> = lines.into_iter().collect();
    lines.sort_unstable_by_key(|(appearance, _)| *appearance);
    for (appearance, lines) in lines {
        join_lines(lines, true).into_iter().for_each(|line| add_line(&line, appearance, scale, &mut out));
    }
    out
}

/// A point of the grid of full detail on the grid of a scale.
fn on_scale(point: GridPoint, scale: usize) -> GridPoint {
    let shift = DETAIL_ZOOM - SCALES[scale];
    let half = (1 << shift) >> 1;
    point.map(|at| (at + half) >> shift)
}

fn is_finest(scale: usize) -> bool {
    scale + 1 == SCALES.len()
}

fn tolerance(scale: usize) -> f64 {
    if is_finest(scale) { FINEST_TOLERANCE } else { TOLERANCE }
}

fn add(appearance: Appearance, parts: Vec<Vec<GridPoint>>, out: &mut Vec<ScaledFeature>) {
    let bounds = GridBox::around(parts.iter().flatten());
    out.push(ScaledFeature { appearance, parts, bounds });
}

fn add_line(line: &[GridPoint], appearance: Appearance, scale: usize, out: &mut Vec<ScaledFeature>) {
    let mut line: Vec<GridPoint> = line.iter().map(|point| on_scale(*point, scale)).collect();
    line.dedup();
    let simple = simplify_line(&line, tolerance(scale));
    let bounds = GridBox::around(&simple);
    let is_tiny = |axis: usize| bounds.high[axis] - bounds.low[axis] < TOLERANCE as i32;
    if simple.len() < 2 || (!is_finest(scale) && is_tiny(0) && is_tiny(1)) {
        return;
    }
    for start in (0..simple.len() - 1).step_by(MOST_LINE_POINTS) {
        let end = simple.len().min(start + MOST_LINE_POINTS + 1);
        add(appearance, vec![simple[start..end].to_vec()], out);
    }
}

fn add_area(shape: &MapShape, scale: usize, out: &mut Vec<ScaledFeature>) {
    let least = if is_finest(scale) { 0.0 } else { LEAST_AREA };
    let mut rings = Vec::with_capacity(shape.parts.len());
    for ring in &shape.parts {
        let mut ring: Vec<GridPoint> = ring.iter().map(|point| on_scale(*point, scale)).collect();
        ring.dedup();
        let simple = simplify_ring(&ring, tolerance(scale));
        if simple.len() >= 3 && area_of_ring(&simple).abs() > least {
            rings.push(simple);
        }
    }
    if rings.is_empty() {
        return;
    }
    for area in valid_areas(&rings) {
        for part in small_parts(area) {
            add(shape.appearance, part, out);
        }
    }
}

/// An area cut in halves until none has too many points.
fn small_parts(area: Area) -> Vec<Area> {
    let points: usize = area.iter().map(Vec::len).sum();
    let GridBox { low, high } = GridBox::around(area.iter().flatten());
    let axis = usize::from(high[1] - low[1] > high[0] - low[0]);
    if points <= MOST_AREA_POINTS || high[axis] - low[axis] < 64 {
        return vec![area];
    }
    let middle = low[axis] + (high[axis] - low[axis]) / 2;
    let (mut first, mut second) = (GridBox { low, high }, GridBox { low, high });
    (first.high[axis], second.low[axis]) = (middle, middle);
    [first, second].iter().flat_map(|half| clip_area(&area, half)).flat_map(small_parts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base_map::kind_number;

    fn shape(layer: MapLayer, class: &str, parts: Vec<Vec<GridPoint>>) -> MapShape {
        let kind = kind_number(layer, class).unwrap();
        MapShape { appearance: Appearance { kind, flags: 0, name: 1 }, parts }
    }

    #[test]
    fn pieces_of_a_street_become_one_line_and_little_streets_are_for_high_zooms() {
        let pieces = vec![vec![[0, 0], [9000, 0]], vec![[9000, 0], [9000, 9000]]];
        let streets =
            [shape(MapLayer::Streets, "motorway", pieces.clone()), shape(MapLayer::Streets, "minor", pieces)];
        let count = |scale| features_of_scale(&streets, scale).len();
        assert_eq!((0..SCALES.len()).map(count).collect::<Vec<_>>(), [1, 1, 1, 1, 2, 2]);
        let motorway = &features_of_scale(&streets, 3)[0];
        assert_eq!(motorway.parts, [vec![[0, 0], [281, 0], [281, 281]]]);
    }

    #[test]
    fn small_areas_go_and_large_ones_are_cut_into_parts_of_the_same_extent() {
        let square = |side: i32| vec![vec![[0, 0], [side, 0], [side, side], [0, side]]];
        let woods =
            [shape(MapLayer::Land, "wood", square(100)), shape(MapLayer::Land, "wood", square(100_000))];
        assert_eq!(features_of_scale(&woods, 2).len(), 1);
        assert_eq!(features_of_scale(&woods, 5).len(), 2);

        // A circle of 4000 corners, far enough apart to stay.
        let corner = |i: i32| {
            let (sin, cos) = (f64::from(i) / 4000.0 * std::f64::consts::TAU).sin_cos();
            let radius = if i % 2 == 0 { 1e6 } else { 1.01e6 };
            [(cos * radius) as i32, (sin * radius) as i32]
        };
        let ring: Vec<GridPoint> = (0..4000).map(corner).collect();
        let whole = area_of_ring(&ring);
        let parts = features_of_scale(&[shape(MapLayer::Water, "water", vec![ring])], 5);
        assert!(parts.len() >= 8);
        assert!(parts.iter().all(|part| part.parts.iter().map(Vec::len).sum::<usize>() <= MOST_AREA_POINTS));
        let sum: f64 = parts.iter().flat_map(|part| &part.parts).map(|ring| area_of_ring(ring)).sum();
        assert!((sum - whole).abs() < whole / 1e4);
    }
}
