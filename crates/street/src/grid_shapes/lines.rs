//! Lines: simplified, and clipped to a box.

use trestle_model::geo::nearest_share;

use super::{GridBox, GridPoint};

/// Removes points nearer than `tolerance` to the simplified line (Douglas and Peucker). Both ends stay.
pub fn simplify_line(line: &[GridPoint], tolerance: f64) -> Vec<GridPoint> {
    if line.len() < 3 {
        return line.to_vec();
    }
    let mut kept = vec![false; line.len()];
    (kept[0], kept[line.len() - 1]) = (true, true);
    let mut open = vec![(0, line.len() - 1)];
    while let Some((first, last)) = open.pop() {
        let square = |i: usize| square_distance(line[i], line[first], line[last]);
        let farthest = (first + 1..last).map(|i| (square(i), i)).max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((distance, middle)) = farthest.filter(|(distance, _)| *distance > tolerance * tolerance) {
            debug_assert!(distance.is_finite());
            kept[middle] = true;
            open.extend([(first, middle), (middle, last)]);
        }
    }
    line.iter().zip(kept).filter_map(|(point, kept)| kept.then_some(*point)).collect()
}

/// Simplifies a ring, whose first point is not repeated. Rings nowhere wider than the tolerance keep fewer than three
/// points.
pub fn simplify_ring(ring: &[GridPoint], tolerance: f64) -> Vec<GridPoint> {
    let Some(&start) = ring.first() else { return Vec::new() };
    // The point farthest from the start stays too, so that the ring is two lines.
    let away = |point: &GridPoint| square_distance(*point, start, start);
    let opposite = (1..ring.len()).max_by(|a, b| away(&ring[*a]).total_cmp(&away(&ring[*b])));
    let Some(opposite) = opposite else { return ring.to_vec() };
    let back: Vec<GridPoint> = ring[opposite..].iter().chain([&start]).copied().collect();
    let mut simple = simplify_line(&ring[..=opposite], tolerance);
    simple.extend_from_slice(&simplify_line(&back, tolerance)[1..]);
    simple.pop();
    simple.dedup();
    simple
}

/// Square of the distance from a point to the segment between two others.
fn square_distance(point: GridPoint, a: GridPoint, b: GridPoint) -> f64 {
    let [[px, py], [ax, ay], [bx, by]] = [point, a, b].map(|point| point.map(f64::from));
    let share = nearest_share([px, py], [ax, ay], [bx, by]);
    let (x, y) = (px - ax - share * (bx - ax), py - ay - share * (by - ay));
    x * x + y * y
}

/// The parts of a line inside a box, in order, with a point on the border where the line leaves or enters the box.
pub fn clip_line(line: &[GridPoint], bounds: &GridBox) -> Vec<Vec<GridPoint>> {
    let mut parts: Vec<Vec<GridPoint>> = Vec::new();
    // Whether the last part ends where the present piece begins.
    let mut goes_on = false;
    for piece in line.windows(2) {
        let Some((from, to)) = piece_inside(piece[0], piece[1], bounds) else {
            goes_on = false;
            continue;
        };
        match parts.last_mut().filter(|_| goes_on) {
            Some(part) => part.push(to),
            None => parts.push(vec![from, to]),
        }
        goes_on = to == piece[1];
    }
    parts.iter_mut().for_each(Vec::dedup);
    parts.retain(|part| part.len() > 1);
    parts
}

/// The part of a segment inside a box (Liang and Barsky).
fn piece_inside(a: GridPoint, b: GridPoint, bounds: &GridBox) -> Option<(GridPoint, GridPoint)> {
    let [ax, ay, bx, by] = [a[0], a[1], b[0], b[1]].map(f64::from);
    let (dx, dy) = (bx - ax, by - ay);
    let ([west, north], [east, south]) = (bounds.low.map(f64::from), bounds.high.map(f64::from));
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for (direction, room) in [(-dx, ax - west), (dx, east - ax), (-dy, ay - north), (dy, south - ay)] {
        if direction == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if direction < 0.0 {
            enter = enter.max(room / direction);
        } else {
            leave = leave.min(room / direction);
        }
    }
    if enter > leave {
        return None;
    }
    let at = |share: f64| [(ax + share * dx).round() as i32, (ay + share * dy).round() as i32];
    Some((if enter > 0.0 { at(enter) } else { a }, if leave < 1.0 { at(leave) } else { b }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BOX: GridBox = GridBox { low: [0, 0], high: [100, 100] };

    #[test]
    fn a_line_is_cut_where_it_leaves_the_box_and_goes_on_where_it_comes_back() {
        let line = [[-50, 50], [50, 50], [50, 150], [70, 150], [70, 50]];
        assert_eq!(clip_line(&line, &BOX), [vec![[0, 50], [50, 50], [50, 100]], vec![[70, 100], [70, 50]]]);
        assert_eq!(clip_line(&[[-10, -10], [-5, 200]], &BOX), Vec::<Vec<GridPoint>>::new());
        assert_eq!(clip_line(&[[-50, 50], [150, 50]], &BOX), [vec![[0, 50], [100, 50]]]);
    }

    #[test]
    fn points_on_a_straight_line_go_and_corners_stay() {
        let line = [[0, 0], [10, 1], [20, 0], [20, 30], [21, 40], [20, 50]];
        assert_eq!(simplify_line(&line, 1.0), [[0, 0], [20, 0], [20, 50]]);
        assert_eq!(simplify_ring(&[[0, 0], [10, 0], [20, 0], [20, 20], [0, 20]], 0.5).len(), 4);
        assert!(simplify_ring(&[[0, 0], [10, 1], [20, 0], [10, -1]], 2.0).len() < 3);
    }

    fn lines() -> impl Strategy<Value = Vec<GridPoint>> {
        prop::collection::vec([-200i32..300, -200i32..300], 2..30)
    }

    /// Whether a point is on a segment of a line, except for rounding.
    fn is_on(point: GridPoint, line: &[GridPoint]) -> bool {
        line.windows(2).any(|piece| square_distance(point, piece[0], piece[1]) <= 0.51)
    }

    proptest! {
        #[test]
        fn parts_are_inside_and_on_the_line_and_nothing_inside_is_lost(line in lines()) {
            let parts = clip_line(&line, &BOX);
            for point in parts.iter().flatten() {
                prop_assert!(BOX.contains(&GridBox::around([point])) && is_on(*point, &line));
            }
            for piece in line.windows(2).filter(|piece| piece[0] != piece[1]) {
                // Every tenth of a piece that is well inside has to be on a part.
                for share in 0..=10 {
                    let between = |axis: usize| piece[0][axis] + (piece[1][axis] - piece[0][axis]) * share / 10;
                    let point = [between(0), between(1)];
                    let is_well_inside = (3..=97).contains(&point[0]) && (3..=97).contains(&point[1]);
                    let near = |part: &Vec<GridPoint>| {
                        part.windows(2).any(|piece| square_distance(point, piece[0], piece[1]) <= 4.5)
                    };
                    prop_assert!(!is_well_inside || parts.iter().any(near));
                }
            }
        }

        #[test]
        fn a_simpler_line_is_near_and_keeps_its_ends(line in lines(), tolerance in 0.0..50.0) {
            let simple = simplify_line(&line, tolerance);
            prop_assert_eq!((simple.first(), simple.last()), (line.first(), line.last()));
            for point in &line {
                let near = |piece: &[GridPoint]| {
                    square_distance(*point, piece[0], piece[1]) <= tolerance * tolerance + 1e-6
                };
                prop_assert!(simple.windows(2).any(near));
            }
        }
    }
}
