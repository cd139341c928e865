//! Contours are valid polygons around the reached nodes, whatever the times of a grid.

use proptest::prelude::*;
use trestle_analysis::isochrone::contours::{Contour, contours};
use trestle_analysis::isochrone::grid::{Grid, GridFrame};
use trestle_analysis::isochrone::isoline::{Ring, signed_area};
use trestle_analysis::isochrone::polygons::contains;
use trestle_analysis::isochrone::sampled::Sample;
use trestle_engine::deadline::Deadline;
use trestle_model::geo::LatLon;

/// Nodes of a row.
const SIDE: i32 = 9;

/// A grid with a sample on every node; negative times leave a node out.
fn grid(times: &[i32]) -> Grid {
    let frame = GridFrame::new(LatLon::new(45.0, 9.0), 200.0, 150.0);
    let mut grid = Grid::covering(frame, frame.node(0, 0), frame.node(SIDE - 1, SIDE - 1)).unwrap();
    for (i, &time) in times.iter().enumerate().filter(|(_, time)| **time >= 0) {
        let node = frame.node(i as i32 % SIDE, i as i32 / SIDE);
        grid.add(node, &Sample { time: f64::from(time), ..Sample::default() }.into());
    }
    grid.close();
    grid
}

/// Twice the area of the triangle a, b, c; positive if c is left of the line from a to b.
fn side(a: LatLon, b: LatLon, c: LatLon) -> f64 {
    (b.lon - a.lon) * (c.lat - a.lat) - (b.lat - a.lat) * (c.lon - a.lon)
}

/// Whether two sides cross in their inside.
fn cross(a: &[LatLon], b: &[LatLon]) -> bool {
    let least = 1e-12;
    let (s, t) = (side(a[0], a[1], b[0]), side(a[0], a[1], b[1]));
    let (u, v) = (side(b[0], b[1], a[0]), side(b[0], b[1], a[1]));
    let opposite = |x: f64, y: f64| x > least && y < -least || x < -least && y > least;
    opposite(s, t) && opposite(u, v)
}

fn check_ring(ring: &Ring, is_hole: bool) -> Result<(), TestCaseError> {
    prop_assert!(ring.len() >= 4, "a ring of {} positions", ring.len());
    prop_assert_eq!(ring.first(), ring.last());
    prop_assert_eq!(signed_area(ring) < 0.0, is_hole, "orientation");
    Ok(())
}

/// Whether a grid node and all its neighbours are reached within a cutoff (`Some(true)`), or none of them is
/// (`Some(false)`); nodes at the grid's edge are left out.
fn reached_around(grid: &Grid, cutoff: f64) -> Vec<(LatLon, Option<bool>)> {
    let (west, south, width, height) = grid.rectangle();
    let reached = |x: i32, y: i32| {
        let at = (y * width + x) as usize;
        grid.exists(at) && grid.distance(at) <= grid.frame.off_road_m && grid.sample(at).time < cutoff
    };
    let inner = (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| (x, y)));
    inner
        .map(|(x, y)| {
            let count = (0..9).filter(|i| reached(x - 1 + i % 3, y - 1 + i / 3)).count();
            let all = [(9, true), (0, false)].into_iter().find(|(n, _)| *n == count).map(|(_, all)| all);
            (grid.frame.node(west + x, south + y), all)
        })
        .collect()
}

/// Whether a position is inside a contour.
fn covers(contour: &Contour, position: LatLon) -> bool {
    contour.polygons.iter().any(|polygon| {
        contains(&polygon.shell, position) && !polygon.holes.iter().any(|hole| contains(hole, position))
    })
}

/// Grids with their contour at a cutoff, and the cutoff; coordinates have at least this many decimals.
fn contoured(least_decimals: u32) -> impl Strategy<Value = (Grid, Contour, i32)> {
    let times = proptest::collection::vec(-300..1800i32, (SIDE * SIDE) as usize);
    (times, 1..2000i32, least_decimals..7).prop_map(|(times, cutoff, decimals)| {
        let grid = grid(&times);
        let contour = contours(&grid, &[cutoff], decimals, &Deadline::default()).unwrap().remove(0);
        (grid, contour, cutoff)
    })
}

proptest! {
    #[test]
    fn contours_hold_exactly_the_nodes_reached_within_one_cell((grid, contour, cutoff) in contoured(4)) {
        for (node, reached) in reached_around(&grid, f64::from(cutoff)) {
            if let Some(reached) = reached {
                prop_assert_eq!(covers(&contour, node), reached, "at {:?}", node);
            }
        }
    }

    #[test]
    fn contours_of_any_grid_are_valid_polygons((_, contour, _) in contoured(3)) {
        let mut sides: Vec<&[LatLon]> = Vec::new();
        for polygon in &contour.polygons {
            check_ring(&polygon.shell, false)?;
            sides.extend(polygon.shell.windows(2));
            for hole in &polygon.holes {
                check_ring(hole, true)?;
                sides.extend(hole.windows(2));
                let middle = |i: usize| LatLon::new((hole[i].lat + hole[i + 1].lat) / 2.0, (hole[i].lon + hole[i + 1].lon) / 2.0);
                prop_assert!((0..hole.len() - 1).any(|i| contains(&polygon.shell, middle(i))), "a hole outside its shell");
            }
        }
        for (i, a) in sides.iter().enumerate() {
            for b in &sides[i + 1..] {
                prop_assert!(!cross(a, b), "{a:?} crosses {b:?}");
            }
        }
    }
}
