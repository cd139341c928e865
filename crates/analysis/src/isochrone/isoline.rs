//! Isolines of a grid: the boundary of the ground reached within a cutoff, as rings.
//!
//! Each cell is split by its up-right diagonal into two triangles; a side is cut where one end is reached within the
//! cutoff and the other is not. Reached ground is to the left of every piece, so outer rings run counter-clockwise and
//! holes clockwise.

use trestle_model::geo::LatLon;

use super::grid::Grid;
use super::sampled::Sampled;

/// A closed ring of positions, first = last.
pub type Ring = Vec<LatLon>;

/// Rings with fewer positions than this (closing one included) are noise and dropped.
const LEAST_POSITIONS: usize = 6;

/// Sides are numbered 3 × node + kind: horizontal (0) to the right, vertical (1) up, diagonal (2) up-right.
type Side = u32;
const NO_SIDE: Side = u32::MAX;

/// Traces isolines of one grid; keeps its scratch memory between cutoffs.
pub struct IsolineTracer<'g, S> {
    grid: &'g Grid<S>,
    /// Seconds at each node; infinite where it does not exist or is off the road.
    times: Vec<f32>,
    /// The side that follows each cut side.
    next: Vec<Side>,
    /// Cut sides that start a piece.
    starts: Vec<Side>,
}

impl<'g, S: Sampled> IsolineTracer<'g, S> {
    /// Prepares a closed grid.
    pub fn new(grid: &'g Grid<S>) -> Self {
        let (_, _, width, height) = grid.rectangle();
        let count = (width * height) as usize;
        let off_road = grid.frame.off_road_m;
        let time = |at: usize| {
            if grid.exists(at) && grid.distance(at) <= off_road {
                grid.sample(at).seconds() as f32
            } else {
                f32::INFINITY
            }
        };
        IsolineTracer {
            grid,
            times: (0..count).map(time).collect(),
            next: vec![NO_SIDE; count * 3],
            starts: Vec::new(),
        }
    }

    /// The rings around the ground reached in less than `cutoff` seconds.
    pub fn rings(&mut self, cutoff: f64) -> Vec<Ring> {
        let cutoff = cutoff as f32;
        let (_, _, width, height) = self.grid.rectangle();
        let (w, h) = (width as usize, height as usize);
        for y in 0..h.saturating_sub(1) {
            for x in 0..w - 1 {
                self.trace_cell(y * w + x, w, cutoff);
            }
        }
        let starts = std::mem::take(&mut self.starts);
        let rings = starts.iter().filter_map(|&start| self.follow(start, f64::from(cutoff))).collect();
        for side in &starts {
            self.next[*side as usize] = NO_SIDE;
        }
        self.starts = starts;
        self.starts.clear();
        rings
    }

    fn trace_cell(&mut self, a: usize, w: usize, cutoff: f32) {
        // d c
        // a b
        let (b, c, d) = (a + 1, a + w + 1, a + w);
        let inside = [a, b, c, d].map(|n| self.times[n] < cutoff);
        if inside == [true; 4] || inside == [false; 4] || ![a, b, c, d].iter().all(|&n| self.grid.exists(n)) {
            return;
        }
        let [bottom, left, diagonal] = [3 * a, 3 * a + 1, 3 * a + 2].map(|s| s as Side);
        let (right, top) = ((3 * b + 1) as Side, (3 * d) as Side);
        // Both triangles counter-clockwise; sides[i] joins corner i and corner i + 1.
        self.trace_triangle([inside[0], inside[1], inside[2]], [bottom, right, diagonal]);
        self.trace_triangle([inside[0], inside[2], inside[3]], [diagonal, top, left]);
    }

    /// Adds the piece of the isoline that crosses a triangle, if there is one. The line enters by the side that leads
    /// from reached to unreached ground and leaves by the one that leads back, so reached ground is on its left.
    fn trace_triangle(&mut self, inside: [bool; 3], sides: [Side; 3]) {
        let (mut enter, mut leave) = (NO_SIDE, NO_SIDE);
        for i in 0..3 {
            match (inside[i], inside[(i + 1) % 3]) {
                (true, false) => enter = sides[i],
                (false, true) => leave = sides[i],
                _ => {}
            }
        }
        if enter != NO_SIDE {
            self.next[enter as usize] = leave;
            self.starts.push(enter);
        }
    }

    /// Follows the pieces from `start` around; `None` when that ring was followed before, is too short or does not
    /// close.
    fn follow(&mut self, start: Side, cutoff: f64) -> Option<Ring> {
        let mut ring = Vec::new();
        let mut side = start;
        loop {
            let next = self.next[side as usize];
            if next == NO_SIDE {
                return None;
            }
            self.next[side as usize] = NO_SIDE;
            ring.push(self.cut(side, cutoff));
            side = next;
            if side == start {
                break;
            }
        }
        ring.push(ring[0]);
        (ring.len() >= LEAST_POSITIONS).then_some(ring)
    }

    /// Where the isoline cuts a side: linear in time, or in off-road distance when one end is off the road.
    fn cut(&self, side: Side, cutoff: f64) -> LatLon {
        let (west, south, width, _) = self.grid.rectangle();
        let w = width as usize;
        let (at, kind) = (side as usize / 3, side % 3);
        let (dx, dy) = [(1, 0), (0, 1), (1, 1)][kind as usize];
        let other = at + dx + dy * w;
        let off_road = self.grid.frame.off_road_m;
        let (d0, d1) = (self.grid.distance(at), self.grid.distance(other));
        let k = if d0 > off_road || d1 > off_road {
            (off_road - d0) / (d1 - d0)
        } else {
            let (t0, t1) = (self.grid.sample(at).seconds(), self.grid.sample(other).seconds());
            (cutoff - t0) / (t1 - t0)
        };
        let k = if k.is_finite() { k.clamp(0.0, 1.0) } else { 0.5 };
        let (x, y) = (west + (at % w) as i32, south + (at / w) as i32);
        let (a, b) = (self.grid.frame.node(x, y), self.grid.frame.node(x + dx as i32, y + dy as i32));
        LatLon::new(a.lat + (b.lat - a.lat) * k, a.lon + (b.lon - a.lon) * k)
    }
}

/// The area of a ring in square degrees; negative when it runs clockwise.
pub fn signed_area(ring: &[LatLon]) -> f64 {
    ring.windows(2).map(|p| p[0].lon * p[1].lat - p[1].lon * p[0].lat).sum::<f64>() / 2.0
}

#[cfg(test)]
mod tests {
    use super::super::grid::GridFrame;
    use super::super::sampled::Sample;
    use super::*;

    /// Samples every 100 m over a square of `half` metres around the anchor; time = distance to the anchor.
    fn cone(half: i32) -> Grid {
        let anchor = LatLon::new(45.0, 9.0);
        let frame = GridFrame::new(anchor, 200.0, 150.0);
        let step = frame.cell_lat / 2.0;
        let at = |i: i32, j: i32| {
            LatLon::new(45.0 + f64::from(i) * step, 9.0 + f64::from(j) * frame.cell_lon / 2.0)
        };
        let n = half / 100;
        let mut grid = Grid::covering(frame, at(-n, -n), at(n, n)).unwrap();
        for i in -n..=n {
            for j in -n..=n {
                let metres = f64::from(i * i + j * j).sqrt() * 100.0;
                grid.add(at(i, j), &Sample { time: metres, ..Sample::default() }.into());
            }
        }
        grid.close();
        grid
    }

    #[test]
    fn a_cone_gives_one_counter_clockwise_ring_of_the_right_area() {
        let grid = cone(4000);
        let rings = IsolineTracer::new(&grid).rings(2000.0);
        assert_eq!(rings.len(), 1);
        let square_degrees = signed_area(&rings[0]);
        let square_metres = square_degrees * (200.0 / grid.frame.cell_lat) * (200.0 / grid.frame.cell_lon);
        // Walking from the samples to the nodes moves the line inwards, by less than a cell.
        let circle = |radius: f64| std::f64::consts::PI * radius * radius;
        assert!((circle(1800.0)..circle(2000.0)).contains(&square_metres), "{square_metres}");
        assert_eq!(rings[0].first(), rings[0].last());
    }

    #[test]
    fn ground_that_is_not_reached_gives_no_ring_and_all_reached_ground_is_bounded_off_the_road() {
        let grid = cone(1000);
        let mut tracer = IsolineTracer::new(&grid);
        assert!(tracer.rings(-1.0).is_empty());
        assert_eq!(tracer.rings(1e6).len(), 1);
        assert_eq!(tracer.rings(1e6).len(), 1, "scratch is clean again");
    }
}
