//! Areas: made of rings, and clipped to a box.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{ContourDirection, IntOverlayOptions, Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::i_float::int::point::IntPoint;

use trestle_model::geo::ring_pieces;

use super::{GridBox, GridPoint};

/// An area as rings whose first point is not repeated: its outline, then its holes. With rows that go up, the outline is
/// counter-clockwise and holes are clockwise, as vector tiles require. Rings do not cross.
pub type Area = Vec<Vec<GridPoint>>;

/// The areas of all points inside an odd number of rings. The order and direction of the rings do not matter.
pub fn valid_areas(rings: &[Vec<GridPoint>]) -> Vec<Area> {
    let mut overlay = overlay(rings);
    areas(overlay.overlay(OverlayRule::Subject, FillRule::EvenOdd))
}

/// The parts of an area inside a box. Where several corners meet, rounding to the grid may move one out of the box by one
/// unit.
pub fn clip_area(area: &Area, bounds: &GridBox) -> Vec<Area> {
    let mut overlay = overlay(area);
    let ([west, north], [east, south]) = (bounds.low, bounds.high);
    let corners = [[west, north], [east, north], [east, south], [west, south]];
    overlay.add_path_iter(corners.into_iter().map(int_point), ShapeType::Clip);
    areas(overlay.overlay(OverlayRule::Intersect, FillRule::EvenOdd))
}

/// Options for making polygons of rings: outlines counter-clockwise, holes clockwise, no points on straight lines, and no
/// ring that touches itself, as OGC Simple Features require.
pub fn valid_area_options() -> IntOverlayOptions<u64> {
    IntOverlayOptions {
        preserve_input_collinear: false,
        output_direction: ContourDirection::CounterClockwise,
        preserve_output_collinear: false,
        ogc: true,
        ..IntOverlayOptions::default()
    }
}

fn overlay(rings: &[Vec<GridPoint>]) -> Overlay<i32> {
    let points = rings.iter().map(Vec::len).sum::<usize>();
    let mut overlay = Overlay::new_custom(points + 4, valid_area_options(), Default::default());
    for ring in rings {
        overlay.add_path_iter(ring.iter().copied().map(int_point), ShapeType::Subject);
    }
    overlay
}

fn int_point([x, y]: GridPoint) -> IntPoint<i32> {
    IntPoint::new(x, y)
}

fn areas(shapes: Vec<Vec<Vec<IntPoint<i32>>>>) -> Vec<Area> {
    let ring = |contour: Vec<IntPoint<i32>>| contour.into_iter().map(|point| [point.x, point.y]).collect();
    shapes.into_iter().map(|shape| shape.into_iter().map(ring).collect()).collect()
}

/// The area of a ring in squares of the grid; negative if it is clockwise.
pub fn area_of_ring(ring: &[GridPoint]) -> f64 {
    let twice = ring_pieces(ring).map(|(a, b)| {
        let [ax, ay, bx, by] = [a[0], a[1], b[0], b[1]].map(f64::from);
        ax * by - bx * ay
    });
    twice.sum::<f64>() / 2.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn square(low: i32, high: i32) -> Vec<GridPoint> {
        vec![[low, low], [high, low], [high, high], [low, high]]
    }

    #[test]
    fn a_ring_inside_is_a_hole_in_either_direction() {
        for inner in [square(3, 6), square(3, 6).into_iter().rev().collect()] {
            let areas = valid_areas(&[inner, square(0, 9)]);
            assert_eq!(areas.len(), 1);
            assert_eq!(areas[0].iter().map(|ring| area_of_ring(ring)).collect::<Vec<_>>(), [81.0, -9.0]);
        }
        let island = valid_areas(&[square(0, 9), square(2, 7), square(4, 5)]);
        assert_eq!(island.iter().map(Vec::len).sum::<usize>(), 3, "an island in a lake in a wood");
        assert_eq!(island.len(), 2);
    }

    #[test]
    fn a_ring_that_crosses_itself_becomes_two_areas() {
        let areas = valid_areas(&[vec![[0, 0], [10, 10], [10, 0], [0, 10]]]);
        assert_eq!(areas.len(), 2);
        assert!(areas.iter().all(|area| area_of_ring(&area[0]) > 0.0));
    }

    #[test]
    fn a_horseshoe_is_cut_into_its_ends() {
        let horseshoe =
            vec![vec![[0, 0], [30, 0], [30, 20], [20, 20], [20, 10], [10, 10], [10, 20], [0, 20]]];
        let ends = clip_area(&horseshoe, &GridBox { low: [-5, 15], high: [40, 40] });
        assert_eq!(ends.len(), 2);
        assert_eq!(ends.iter().map(|end| area_of_ring(&end[0])).sum::<f64>(), 100.0);
    }

    #[test]
    fn holes_are_cut_too() {
        let areas = clip_area(
            &vec![square(0, 90), square(30, 60).into_iter().rev().collect()],
            &GridBox { low: [0, 0], high: [45, 90] },
        );
        let area: f64 = areas.iter().flatten().map(|ring| area_of_ring(ring)).sum();
        assert_eq!(area, 45.0 * 90.0 - 15.0 * 30.0);
    }

    /// Whether a point that is not on a ring is inside.
    fn contains(rings: &[Vec<GridPoint>], [x, y]: [f64; 2]) -> bool {
        let plane = |[x, y]: GridPoint| [f64::from(x), f64::from(y)];
        let west = |&(a, b): &_| trestle_model::geo::is_west_of_piece([x, y], plane(a), plane(b));
        rings.iter().flat_map(|ring| ring_pieces(ring)).filter(west).count() % 2 == 1
    }

    fn is_near_a_ring(rings: &[Vec<GridPoint>], [x, y]: [f64; 2]) -> bool {
        rings.iter().flat_map(|ring| ring_pieces(ring)).any(|(a, b)| {
            let [a, b] = [a, b].map(|[x, y]| [f64::from(x), f64::from(y)]);
            let share = trestle_model::geo::nearest_share([x, y], a, b);
            let (dx, dy) = (a[0] + share * (b[0] - a[0]) - x, a[1] + share * (b[1] - a[1]) - y);
            dx * dx + dy * dy < 4.0
        })
    }

    proptest! {
        #[test]
        fn what_is_inside_stays_inside(
            rings in prop::collection::vec(prop::collection::vec([-100i32..200, -100i32..200], 3..12), 1..4),
            points in prop::collection::vec([2.0f64..98.0, 2.0f64..98.0], 20),
        ) {
            let bounds = GridBox { low: [0, 0], high: [100, 100] };
            let valid = valid_areas(&rings);
            let clipped: Vec<Area> = valid.iter().flat_map(|area| clip_area(area, &bounds)).collect();
            for area in &clipped {
                let reach = GridBox { low: bounds.low.map(|at| at - 2), high: bounds.high.map(|at| at + 2) };
                prop_assert!(reach.contains(&GridBox::around(area.iter().flatten())));
                prop_assert!(area_of_ring(&area[0]) > 0.0);
                prop_assert!(area[1..].iter().all(|hole| area_of_ring(hole) < 0.0));
            }
            for point in points.into_iter().filter(|point| !is_near_a_ring(&rings, *point)) {
                let found = clipped.iter().any(|area| contains(area, point));
                prop_assert_eq!(found, contains(&rings, point));
            }
        }
    }
}
