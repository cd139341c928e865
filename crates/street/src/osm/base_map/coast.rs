//! The sea, from coastlines: lines with the land on their left and the water on their right.

use std::cmp::Reverse;

use crate::grid_shapes::{GridBox, GridPoint, area_of_ring, clip_line};
use crate::osm::rings::{join_lines, ring};

/// How far the sea extends beyond the box around the streets, as a share of the box's sides.
const BEYOND: f64 = 0.3;
/// How far inside that box coastlines may end, as a share of its sides, because inputs are rarely cut along a box.
const INSIDE: f64 = 0.1;

/// Rings around the sea near the streets, whose box is given. A point inside an odd number of them is in the sea.
/// Coastlines that end at the edge of the input are closed along it.
///
/// # Errors
/// The end of a coastline in the middle: a piece is missing, so it is unknown on which side the sea is.
pub(super) fn sea(coast: Vec<Vec<GridPoint>>, streets: GridBox) -> Result<Vec<Vec<GridPoint>>, GridPoint> {
    if coast.is_empty() || streets == GridBox::EMPTY {
        return Ok(Vec::new());
    }
    let border = Border(grown(&streets, BEYOND));
    let middle = grown(&streets, -INSIDE);
    let (closed, open): (Vec<_>, Vec<_>) =
        join_lines(coast, false).into_iter().partition(|line| line.len() > 2 && line.first() == line.last());
    let mut ends = open.iter().flat_map(|line| [line.first(), line.last()]).flatten();
    if let Some(end) = ends.find(|end| middle.has(**end)) {
        return Err(*end);
    }
    let pieces: Vec<Vec<GridPoint>> =
        open.iter().flat_map(|line| clip_line(line, &border.0)).map(|piece| border.reached(piece)).collect();
    let mut rings: Vec<Vec<GridPoint>> = closed.into_iter().filter_map(ring).collect();
    // If all coasts are closed rings around islands, everything else is sea.
    if pieces.is_empty() && rings.iter().any(|ring| area_of_ring(ring) < 0.0) {
        rings.push(border.corners().to_vec());
    }
    rings.extend(border.closed(pieces));
    Ok(rings)
}

/// A box enlarged in each direction by a share of its sides.
fn grown(area: &GridBox, share: f64) -> GridBox {
    let side = |axis: usize| f64::from(area.high[axis]) - f64::from(area.low[axis]);
    let (wide, high) = ((side(0) * share) as i32, (side(1) * share) as i32);
    GridBox {
        low: [area.low[0].saturating_sub(wide), area.low[1].saturating_sub(high)],
        high: [area.high[0].saturating_add(wide), area.high[1].saturating_add(high)],
    }
}

struct Border(GridBox);

impl Border {
    /// North-west, north-east, south-east, south-west: clockwise on the map.
    fn corners(&self) -> [GridPoint; 4] {
        let ([west, north], [east, south]) = (self.0.low, self.0.high);
        [[west, north], [east, north], [east, south], [west, south]]
    }

    /// The point of the border that is nearest to a point inside.
    fn nearest(&self, [x, y]: GridPoint) -> GridPoint {
        let ([west, north], [east, south]) = (self.0.low, self.0.high);
        let sides = [
            (i64::from(x) - i64::from(west), [west, y]),
            (i64::from(east) - i64::from(x), [east, y]),
            (i64::from(y) - i64::from(north), [x, north]),
            (i64::from(south) - i64::from(y), [x, south]),
        ];
        sides.into_iter().min_by_key(|(distance, _)| *distance).map_or([x, y], |(_, point)| point)
    }

    /// A line extended at both ends by straight pieces to the border.
    fn reached(&self, line: Vec<GridPoint>) -> Vec<GridPoint> {
        let ends = [line.first(), line.last()].map(|end| end.map(|end| self.nearest(*end)));
        let mut reached: Vec<GridPoint> = ends[0].into_iter().chain(line).chain(ends[1]).collect();
        reached.dedup();
        reached
    }

    /// Distance along the border from the north-west corner to a point, clockwise.
    fn way_to(&self, [x, y]: GridPoint) -> i64 {
        let [[west, north], [east, south]] = [self.0.low, self.0.high].map(|corner| corner.map(i64::from));
        let (x, y) = (i64::from(x), i64::from(y));
        let (wide, high) = (east - west, south - north);
        match () {
            () if y == north => x - west,
            () if x == east => wide + y - north,
            () if y == south => wide + high + east - x,
            () => 2 * wide + high + south - y,
        }
    }

    /// Rings of lines that begin and end on the border: each continues clockwise along it to the next line that begins,
    /// so that the water stays on the right.
    fn closed(&self, mut lines: Vec<Vec<GridPoint>>) -> Vec<Vec<GridPoint>> {
        lines.sort_by_key(|line| Reverse(self.way_to(line[0])));
        let around = 2 * [0, 1]
            .map(|axis| i64::from(self.0.high[axis]) - i64::from(self.0.low[axis]))
            .iter()
            .sum::<i64>();
        let ahead = |from: i64, to: i64| (to - from).rem_euclid(around.max(1));
        let mut rings = Vec::new();
        while let Some(mut ring) = lines.pop() {
            let start = self.way_to(ring[0]);
            while let Some(&last) = ring.last() {
                let end = self.way_to(last);
                let home = ahead(end, start);
                let next = (0..lines.len()).min_by_key(|&i| ahead(end, self.way_to(lines[i][0])));
                let next = next.filter(|&i| ahead(end, self.way_to(lines[i][0])) < home);
                let until = next.map_or(home, |i| ahead(end, self.way_to(lines[i][0])));
                let mut passed: Vec<(i64, GridPoint)> =
                    self.corners().iter().map(|corner| (ahead(end, self.way_to(*corner)), *corner)).collect();
                passed.sort_unstable();
                ring.extend(passed.into_iter().filter(|(way, _)| *way < until).map(|(_, corner)| corner));
                match next {
                    Some(next) => ring.extend(lines.remove(next)),
                    None => break,
                }
            }
            rings.push(ring);
        }
        rings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid_shapes::valid_areas;

    const STREETS: GridBox = GridBox { low: [0, 0], high: [1000, 1000] };

    /// The area of the sea, or where the coast ends.
    fn sea_of(coast: &[&[GridPoint]]) -> Result<f64, GridPoint> {
        let rings = sea(coast.iter().map(|line| line.to_vec()).collect(), STREETS)?;
        Ok(valid_areas(&rings).iter().flatten().map(|ring| area_of_ring(ring)).sum())
    }

    #[test]
    fn the_sea_is_on_the_right_of_the_coast() {
        // Southwards the right is the west; the box is 1600 wide and high, from -300.
        let west = sea_of(&[&[[100, -400], [100, 500]], &[[100, 500], [100, 1500]]]);
        assert_eq!(west, Ok(400.0 * 1600.0));
        let east = sea_of(&[&[[100, 1500], [100, -400]]]);
        assert_eq!(east, Ok(1200.0 * 1600.0));
    }

    #[test]
    fn islands_are_land_and_around_islands_alone_is_sea() {
        let island: &[GridPoint] = &[[500, 500], [500, 600], [600, 600], [600, 500], [500, 500]];
        assert_eq!(sea_of(&[island]), Ok(1600.0 * 1600.0 - 10_000.0));
        let coast: &[GridPoint] = &[[100, 1500], [100, -400]];
        assert_eq!(sea_of(&[coast, island]), Ok(1200.0 * 1600.0 - 10_000.0));
        let lake: Vec<GridPoint> = island.iter().rev().copied().collect();
        assert_eq!(sea_of(&[&lake]), Ok(10_000.0));
    }

    #[test]
    fn a_coast_that_ends_near_the_edge_is_led_there_and_one_that_ends_in_the_middle_is_reported() {
        assert_eq!(sea_of(&[&[[500, 50], [500, 950]]]), Ok(800.0 * 1600.0));
        assert_eq!(sea_of(&[&[[500, -400], [500, 500]]]), Err([500, 500]));
    }

    #[test]
    fn a_coast_that_leaves_and_comes_back_is_closed_piece_by_piece() {
        // A cape: the coast comes from the north, leaves to the west, and goes on to the south.
        let coast: &[GridPoint] =
            &[[600, -400], [600, 300], [-500, 300], [-500, 700], [600, 700], [600, 1500]];
        assert_eq!(sea_of(&[coast]), Ok(2.0 * 900.0 * 600.0));
    }
}
