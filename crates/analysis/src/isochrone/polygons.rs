//! Makes polygons, shells with their holes, from rings.

use trestle_model::geo::{LatLon, is_west_of_piece};

use super::isoline::{Ring, signed_area};

/// A shell (counter-clockwise) and its holes (clockwise).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Polygon {
    /// Outer ring.
    pub shell: Ring,
    /// Inner rings.
    pub holes: Vec<Ring>,
}

/// Assigns each hole to the smallest shell that contains it; a hole without a shell is dropped.
pub fn assemble(rings: Vec<Ring>) -> Vec<Polygon> {
    let (shells, holes): (Vec<Ring>, Vec<Ring>) = rings.into_iter().partition(|ring| signed_area(ring) > 0.0);
    let mut polygons: Vec<Polygon> =
        shells.into_iter().map(|shell| Polygon { shell, holes: Vec::new() }).collect();
    polygons.sort_by(|a, b| signed_area(&b.shell).total_cmp(&signed_area(&a.shell)));
    let boxes: Vec<Bounds> = polygons.iter().map(|p| Bounds::of(&p.shell)).collect();
    for hole in holes {
        let Some(&point) = hole.first() else { continue };
        // Shells are sorted from large to small: the last one that contains the hole is the smallest.
        let owner =
            (0..polygons.len()).rev().find(|&i| boxes[i].has(point) && contains(&polygons[i].shell, point));
        if let Some(owner) = owner {
            polygons[owner].holes.push(hole);
        }
    }
    polygons
}

struct Bounds {
    low: LatLon,
    high: LatLon,
}

impl Bounds {
    fn of(ring: &[LatLon]) -> Bounds {
        let mut bounds =
            Bounds { low: LatLon::new(f64::MAX, f64::MAX), high: LatLon::new(f64::MIN, f64::MIN) };
        for p in ring {
            bounds.low = LatLon::new(bounds.low.lat.min(p.lat), bounds.low.lon.min(p.lon));
            bounds.high = LatLon::new(bounds.high.lat.max(p.lat), bounds.high.lon.max(p.lon));
        }
        bounds
    }

    fn has(&self, p: LatLon) -> bool {
        (self.low.lat..=self.high.lat).contains(&p.lat) && (self.low.lon..=self.high.lon).contains(&p.lon)
    }
}

/// Even-odd rule.
pub fn contains(ring: &[LatLon], point: LatLon) -> bool {
    let crosses = |pair: &&[LatLon]| is_west_of_piece(point.plane(), pair[0].plane(), pair[1].plane());
    ring.windows(2).filter(crosses).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, size: f64, hole: bool) -> Ring {
        let mut ring: Ring = [(0.0, 0.0), (size, 0.0), (size, size), (0.0, size), (0.0, 0.0)]
            .map(|(dx, dy)| LatLon::new(y + dy, x + dx))
            .to_vec();
        if hole {
            ring.reverse();
        }
        ring
    }

    #[test]
    fn holes_go_to_the_smallest_shell_around_them() {
        let island = square(3.0, 3.0, 2.0, false);
        let rings = vec![
            square(3.2, 3.2, 0.5, true),
            island.clone(),
            square(2.0, 2.0, 5.0, true),
            square(0.0, 0.0, 10.0, false),
            square(50.0, 50.0, 1.0, true),
        ];
        let polygons = assemble(rings);
        assert_eq!(polygons.len(), 2);
        assert_eq!((polygons[0].holes.len(), polygons[1].holes.len()), (1, 1));
        assert_eq!(polygons[1].shell, island);
    }
}
