//! Rounds rings so that they still bound valid polygons.
//!
//! Rounding to a few decimals can make rings touch or cross themselves. So rings are rounded first, and touching and
//! crossing is then resolved exactly on the rounded positions.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::simplify::Simplify;
use i_overlay::i_float::int::point::IntPoint;
use trestle_model::geo::LatLon;
use trestle_street::grid_shapes::valid_area_options;

use super::isoline::Ring;
use super::polygons::Polygon;

/// Largest number of decimals that the lattice supports: ±180° in 32 bits.
const MAX_DECIMALS: u32 = 7;

/// Polygons bounded by `rings` with coordinates of `decimals` decimals: shells counter-clockwise, holes clockwise,
/// nothing crosses, no ring touches itself.
pub fn valid_polygons(rings: &[Ring], decimals: u32) -> Vec<Polygon> {
    let scale = 10f64.powi(decimals.min(MAX_DECIMALS) as i32);
    let contours: Vec<Vec<IntPoint<i32>>> = rings.iter().map(|ring| rounded(ring, scale)).collect();
    contours
        .simplify(FillRule::NonZero, valid_area_options())
        .into_iter()
        .filter_map(|shape| polygon(shape, scale))
        .collect()
}

fn rounded(ring: &[LatLon], scale: f64) -> Vec<IntPoint<i32>> {
    let open = ring.len().saturating_sub(1);
    ring[..open]
        .iter()
        .map(|p| IntPoint::new((p.lon * scale).round() as i32, (p.lat * scale).round() as i32))
        .collect()
}

/// A shape's first contour is its shell.
fn polygon(shape: Vec<Vec<IntPoint<i32>>>, scale: f64) -> Option<Polygon> {
    let mut rings = shape.into_iter().map(|contour| closed(&contour, scale));
    let shell = rings.next()?;
    Some(Polygon { shell, holes: rings.collect() })
}

fn closed(contour: &[IntPoint<i32>], scale: f64) -> Ring {
    let point = |p: &IntPoint<i32>| LatLon::new(f64::from(p.y) / scale, f64::from(p.x) / scale);
    contour.iter().chain(contour.first()).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::super::isoline::signed_area;
    use super::*;

    fn ring(points: &[(f64, f64)]) -> Ring {
        points.iter().map(|(lon, lat)| LatLon::new(*lat, *lon)).collect()
    }

    #[test]
    fn a_ring_that_rounding_pinches_becomes_two_polygons() {
        let hourglass =
            ring(&[(0.0, 0.0), (2.0, 0.0), (1.04, 1.0), (2.0, 2.0), (0.0, 2.0), (0.96, 1.0), (0.0, 0.0)]);
        assert_eq!(valid_polygons(std::slice::from_ref(&hourglass), 2).len(), 1);
        let polygons = valid_polygons(&[hourglass], 1);
        assert_eq!(polygons.len(), 2, "at one decimal both sides of the neck meet in one point");
        assert!(polygons.iter().all(|p| signed_area(&p.shell) > 0.0 && p.shell.first() == p.shell.last()));
    }

    #[test]
    fn a_clockwise_ring_inside_is_a_hole() {
        let shell = ring(&[(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0), (0.0, 0.0)]);
        let hole = ring(&[(3.0, 3.0), (3.0, 6.0), (6.0, 6.0), (6.0, 3.0), (3.0, 3.0)]);
        let polygons = valid_polygons(&[hole, shell], 4);
        assert_eq!((polygons.len(), polygons[0].holes.len()), (1, 1));
        assert!(signed_area(&polygons[0].holes[0]) < 0.0);
    }
}
