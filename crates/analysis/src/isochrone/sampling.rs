//! Sampling travel times along streets into a grid.

use trestle_model::geo::LatLon;
use trestle_model::ids::VertexIdx;
use trestle_model::processors::{Supply, on_processors, processors};
use trestle_street::graph::StreetGraph;

use super::grid::{Grid, GridFrame, GridTooLarge, Strip};
use super::long_streets::{Candidate, LongStreet, LongStreets};
use super::sampled::{PointSamples, Sample, Sampled, Samples};
use super::sampling_rules::SamplingRules;
use crate::one_to_many::VertexValues;
use crate::vertex_set::{VertexPiece, VertexTable, WORTH_A_THREAD};

/// One in this many vertices is looked at to find latitudes that divide the vertices evenly.
const LOOKED_AT: usize = 64;

/// Samples every street both of whose ends are reached, and closes the grid. Large areas are sampled on all processors.
pub fn sample_streets<S: Sampled>(
    graph: &StreetGraph,
    values: &VertexValues,
    rules: &SamplingRules<'_>,
    frame: GridFrame,
) -> Result<Grid<S>, GridTooLarge> {
    let sampling = Sampling { graph, values, rules };
    let samples = sampling.samples();
    let (south_west, north_east) =
        if samples.bounds == NO_BOUNDS { (frame.anchor, frame.anchor) } else { samples.bounds };
    let mut grid = Grid::covering(frame, south_west, north_east)?;
    let latitudes = sampling.latitudes(processors(values.vertices.len() / WORTH_A_THREAD));
    let strips = Supply::of(grid.strips(&latitudes));
    on_processors(latitudes.len() + 1, || {
        while let Some(mut strip) = strips.take() {
            sampling.add(&samples, &mut strip);
        }
    });
    drop(strips);
    grid.close();
    Ok(grid)
}

struct Sampling<'a> {
    graph: &'a StreetGraph,
    values: &'a VertexValues,
    rules: &'a SamplingRules<'a>,
}

/// What sampling needs to know of a vertex where streets end, in one number: 0 if it is not reached, else two bits and
/// above them its position plus 1.
#[derive(Clone, Copy, Default)]
struct StreetEnd(u32);

impl StreetEnd {
    /// It is reached in time.
    const IN_TIME: u32 = 1;
    /// It is within the walking limit, so streets to it are sampled: the limit is measured at their far end, see
    /// [`DirectedStreet::sample`].
    const WITHIN_LIMIT: u32 = 2;

    fn new(position: usize, in_time: bool, within_limit: bool) -> StreetEnd {
        let bits =
            if in_time { Self::IN_TIME } else { 0 } | if within_limit { Self::WITHIN_LIMIT } else { 0 };
        StreetEnd((position as u32 + 1) << 2 | bits)
    }

    #[inline]
    fn is_reached(self) -> bool {
        self.0 != 0
    }

    #[inline]
    fn has(self, bit: u32) -> bool {
        self.0 & bit != 0
    }

    #[inline]
    fn position(self) -> usize {
        (self.0 >> 2) as usize - 1
    }
}

struct StreetSamples<S> {
    /// Number of samples at each vertex, by position: one per direction of each street that ends there. The time to the
    /// vertex is what the search found, whichever street is considered.
    counts: Vec<u16>,
    /// The samples between the ends of streets.
    between: Vec<Vec<PointSamples<S>>>,
    bounds: (LatLon, LatLon),
}

/// The same for the streets that leave the vertices of a piece.
struct SamplesOfPiece<S> {
    counts: Vec<u16>,
    /// Positions of other vertices, at each of which one more sample is counted.
    elsewhere: Vec<u32>,
    between: Vec<PointSamples<S>>,
    bounds: (LatLon, LatLon),
}

impl Sampling<'_> {
    /// What the search found at a vertex, by its position.
    #[inline]
    fn at(&self, position: usize) -> Sample {
        let VertexValues { seconds, boardings, walk_distance, .. } = self.values;
        Sample {
            time: f64::from(seconds[position]),
            boardings: f64::from(boardings[position]),
            walk_distance: f64::from(walk_distance[position]),
        }
    }

    /// Seconds to a vertex including all waits.
    #[inline]
    fn elapsed(&self, position: usize) -> f64 {
        let VertexValues { seconds, removed_waits, .. } = self.values;
        f64::from(seconds[position] + removed_waits.get(position).copied().unwrap_or(0.0))
    }

    fn samples<S: Sampled>(&self) -> StreetSamples<S> {
        let VertexValues { vertices, seconds, walk_distance, .. } = self.values;
        let ends = vertices.table(|position| {
            let in_time = f64::from(seconds[position]) < self.rules.max_seconds;
            let within_limit = f64::from(walk_distance[position]) <= self.rules.max_walk_distance;
            StreetEnd::new(position, in_time, within_limit)
        });
        let pieces = vertices.map_pieces(|piece| self.samples_of(piece, &ends));
        let mut samples = StreetSamples { counts: Vec::new(), between: Vec::new(), bounds: NO_BOUNDS };
        samples.counts.reserve_exact(vertices.len());
        let mut elsewhere = Vec::with_capacity(pieces.len());
        for piece in pieces {
            samples.counts.extend_from_slice(&piece.counts);
            samples.between.push(piece.between);
            samples.bounds = joined(samples.bounds, piece.bounds);
            elsewhere.push(piece.elsewhere);
        }
        for position in elsewhere.into_iter().flatten() {
            add_to(&mut samples.counts[position as usize], 1);
        }
        if let Some(start) = self.rules.start {
            let found_at = |vertex| vertices.position(vertex).map(|position| self.at(position));
            let between: Vec<PointSamples<S>> = start.samples(self.graph, self.rules, found_at);
            samples.bounds = between.iter().map(|at| at.point).fold(samples.bounds, extended);
            samples.between.push(between);
        }
        samples
    }

    fn samples_of<S: Sampled>(
        &self,
        piece: &VertexPiece<'_>,
        ends: &VertexTable<'_, StreetEnd>,
    ) -> SamplesOfPiece<S> {
        let (graph, arcs) = (self.graph, &*self.graph.arcs);
        let first = piece.positions.start;
        let mut counts = vec![0; piece.positions.len()];
        let (mut elsewhere, mut between, mut bounds) = (Vec::new(), Vec::new(), NO_BOUNDS);
        let mut candidates = Vec::new();
        let permission = self.rules.travel.permission;
        let mut long = LongStreets::new(graph, self.rules.step_m, self.rules.travel);
        for vertex in piece.iter() {
            let a = ends.get(vertex);
            let a_in_time = a.has(StreetEnd::IN_TIME);
            let mut count = 0;
            let out = graph.out_edges(VertexIdx(vertex));
            for (number, arc) in out.clone().zip(&arcs[out.start as usize..out.end as usize]) {
                let b = ends.get(arc.end);
                if !b.is_reached() || !arc.is_street() {
                    continue;
                }
                let b_in_time = b.has(StreetEnd::IN_TIME);
                if !a_in_time && !b_in_time {
                    continue;
                }
                if arc.permits(permission) && b.has(StreetEnd::WITHIN_LIMIT) {
                    count += u16::from(a_in_time);
                    match counts.get_mut(b.position().wrapping_sub(first)) {
                        _ if !b_in_time => {}
                        Some(count_there) => add_to(count_there, 1),
                        None => {
                            elsewhere.push(b.position() as u32);
                            bounds = extended(bounds, graph.position(VertexIdx(arc.end)));
                        }
                    }
                }
                let sampled = [b, a].map(|end| end.has(StreetEnd::WITHIN_LIMIT));
                let is_of_start = || self.rules.start.is_some_and(|start| start.has_edge(number));
                if long.may_be_long(arc.length_mm) && sampled != [false; 2] && !is_of_start() {
                    let positions = [a.position(), b.position()];
                    candidates.push(Candidate { ends: [vertex, arc.end], number, sampled, positions });
                }
            }
            add_to(&mut counts[a.position() - first], count);
        }
        long.each_of(&candidates, |street, positions| {
            bounds = street.inner.iter().copied().fold(bounds, extended);
            self.sample_between(street, positions, &mut between);
        });
        let counted = piece.iter().zip(&counts).filter(|(_, count)| **count > 0);
        bounds = counted.map(|(vertex, _)| graph.position(VertexIdx(vertex))).fold(bounds, extended);
        SamplesOfPiece { counts, elsewhere, between, bounds }
    }

    /// Latitudes that divide the vertices into `parts` parts of about the same size.
    fn latitudes(&self, parts: usize) -> Vec<f64> {
        if parts < 2 {
            return Vec::new();
        }
        let some = self.values.vertices.iter().step_by(LOOKED_AT);
        let mut latitudes: Vec<f64> = some.map(|vertex| self.graph.vertex_lat[vertex as usize]).collect();
        latitudes.sort_unstable_by(f64::total_cmp);
        (1..parts).map(|part| latitudes[part * latitudes.len() / parts]).collect()
    }

    /// Adds samples to a strip of the grid.
    fn add<S: Sampled>(&self, samples: &StreetSamples<S>, strip: &mut Strip<'_, S>) {
        let rows = strip.rows;
        for ((at, vertex), &count) in self.values.vertices.iter().enumerate().zip(&samples.counts) {
            let point = self.graph.position(VertexIdx(vertex));
            if count > 0
                && let Some(cell) = rows.cell_of(point)
            {
                strip.add(point, cell, &Samples::repeated(f64::from(count), self.at(at).into()));
            }
        }
        for PointSamples { point, samples } in samples.between.iter().flatten() {
            if let Some(cell) = rows.cell_of(*point) {
                strip.add(*point, cell, samples);
            }
        }
    }

    /// Adds the samples between the ends of a street, whose positions are given.
    fn sample_between<S: Sampled>(
        &self,
        street: &LongStreet<'_>,
        ends: [usize; 2],
        between: &mut Vec<PointSamples<S>>,
    ) {
        let inner = street.inner;
        let [onward, back] = &self.in_both_directions(street, ends);
        let step = street.drawn_m / (inner.len() + 1) as f64;
        for (i, &point) in inner.iter().enumerate() {
            let along = (i + 1) as f64 * step;
            let rest = street.drawn_m - along;
            let onward = onward.as_ref().and_then(|street| street.sample(along, rest, self.rules));
            let back = back.as_ref().and_then(|street| street.sample(rest, along, self.rules));
            let mut samples = Samples::NONE;
            onward.iter().chain(&back).for_each(|&sample| samples.add(sample.into()));
            if samples.count > 0.0 {
                between.push(PointSamples { point, samples });
            }
        }
    }

    /// A street in each direction in which it is sampled.
    #[inline]
    fn in_both_directions(&self, street: &LongStreet<'_>, [a, b]: [usize; 2]) -> [Option<DirectedStreet>; 2] {
        let LongStreet { length_m, paces, .. } = *street;
        let ends = [a, b].map(|end| self.at(end));
        // Samples are no faster along the street than the search was between its ends, including all waits. If the ends
        // are reached by different paths, their times may differ so much that the middle is out of reach from both.
        let elapsed = [a, b].map(|end| self.elapsed(end));
        let least_pace = ((elapsed[0] - elapsed[1]).abs() / length_m).min(1e10);
        let directed =
            |ends: [Sample; 2], pace: Option<f64>| Some(DirectedStreet { ends, pace: pace?.max(least_pace) });
        [directed(ends, paces[0]), directed([ends[1], ends[0]], paces[1])]
    }
}

/// A street in one direction.
struct DirectedStreet {
    /// What the search found at both ends.
    ends: [Sample; 2],
    /// Seconds per metre.
    pace: f64,
}

impl DirectedStreet {
    /// The sample at a point that is `along` metres from the start and `rest` metres from the end, if it counts. The
    /// walking limit is measured from one end of the street for both directions, as the interface's reference does.
    #[inline]
    fn sample(&self, along: f64, rest: f64, rules: &SamplingRules<'_>) -> Option<Sample> {
        let from_end = |end: usize, metres: f64| {
            let there = rules.along(self.ends[end], metres, self.pace);
            let from_last = rules.along(self.ends[1], metres, self.pace);
            let within = from_last.walk_distance <= rules.max_walk_distance;
            Sample { time: if within { there.time } else { f64::INFINITY }, ..there }
        };
        let (a, b) = (from_end(0, along), from_end(1, rest));
        let sample = if a.time < b.time { a } else { b };
        (sample.time < rules.max_seconds).then_some(sample)
    }
}

fn add_to(count: &mut u16, more: u16) {
    *count = count.saturating_add(more);
}

/// The empty box, as south-west and north-east corner.
const NO_BOUNDS: (LatLon, LatLon) =
    (LatLon { lat: f64::INFINITY, lon: f64::INFINITY }, LatLon { lat: -f64::INFINITY, lon: -f64::INFINITY });

/// The box from `low` to `high`, extended by a point.
#[inline]
fn extended(bounds: (LatLon, LatLon), point: LatLon) -> (LatLon, LatLon) {
    joined(bounds, (point, point))
}

/// The box around two boxes, of which each may be empty.
#[inline]
fn joined((low, high): (LatLon, LatLon), (others_low, others_high): (LatLon, LatLon)) -> (LatLon, LatLon) {
    // Plain comparisons take less than `min` and `max`, which look for NaN.
    let least = |a: f64, b: f64| if b < a { b } else { a };
    let most = |a: f64, b: f64| if b > a { b } else { a };
    (
        LatLon::new(least(low.lat, others_low.lat), least(low.lon, others_low.lon)),
        LatLon::new(most(high.lat, others_high.lat), most(high.lon, others_high.lon)),
    )
}

#[cfg(test)]
mod tests {
    use super::super::sampled::Seconds;
    use trestle_street::cost::StreetPace;
    use trestle_street::graph::edge_flags;

    use super::*;
    use crate::vertex_set::VertexSet;
    use trestle_model::{Mode, ModeSet, RoutingRequest};
    use trestle_street::graph::Edge;

    /// One street along many vertices, back and forth through a square of about ten kilometres.
    fn long_street(vertices: usize) -> StreetGraph {
        let column = |i: usize| i / 400;
        let row = |i: usize| if column(i) % 2 == 0 { i % 400 } else { 399 - i % 400 };
        let degrees = |steps: usize| 45.0 + steps as f64 * 0.000_3;
        let mut graph = StreetGraph {
            vertex_lat: (0..vertices).map(|i| degrees(row(i))).collect(),
            vertex_lon: (0..vertices).map(|i| degrees(column(i))).collect(),
            ..StreetGraph::default()
        };
        let edge = |from: usize, to: usize| Edge {
            from: from as u32,
            to: to as u32,
            length_mm: 30_000,
            flags: edge_flags::WALK,
            geometry: u32::MAX,
            ..Edge::default()
        };
        let ends =
            |i: usize| [i.checked_sub(1), Some(i + 1).filter(|next| *next < vertices)].into_iter().flatten();
        let edges: Vec<Edge> = (0..vertices).flat_map(|i| ends(i).map(move |to| edge(i, to))).collect();
        graph.set_edges(edges.into_iter());
        graph
    }

    #[test]
    fn a_large_area_is_sampled_as_in_one_piece() {
        const COUNT: usize = 3 * WORTH_A_THREAD;
        let graph = long_street(COUNT);
        // Many vertices in a row are reached too late, so that some pieces have no samples.
        let late = 40_000..80_000;
        let seconds: Vec<f32> =
            (0..COUNT).map(|i| if late.contains(&i) { 5000.0 } else { (i * 7919 % 1800) as f32 }).collect();
        let values = VertexValues {
            vertices: VertexSet::of(0..COUNT as u32),
            seconds: seconds.clone(),
            removed_waits: Vec::new(),
            walk_distance: vec![0.0; COUNT],
            boardings: vec![0; COUNT],
        };
        let request = RoutingRequest { modes: ModeSet::of(&[Mode::Walk]), ..RoutingRequest::default() };
        let travel = StreetPace::of(&request);
        let rules = SamplingRules {
            step_m: 100.0,
            travel,
            max_seconds: 1500.0,
            max_walk_distance: f64::INFINITY,
            start: None,
        };
        let frame = GridFrame::new(LatLon::new(45.05, 45.05), 200.0, 150.0);
        let grid: Grid<Seconds> = sample_streets(&graph, &values, &rules, frame).unwrap();

        let counts_at = |i: usize| f64::from(seconds[i]) < rules.max_seconds;
        let streets_at = |i: usize| 2 * (usize::from(i > 0) + usize::from(i + 1 < COUNT));
        let sampled: Vec<usize> = (0..COUNT).filter(|&i| counts_at(i)).collect();
        let position = |i: &usize| graph.position(VertexIdx(*i as u32));
        let (low, high) = sampled.iter().map(position).fold(NO_BOUNDS, extended);
        let mut plain: Grid<Seconds> = Grid::covering(frame, low, high).unwrap();
        for i in &sampled {
            let sample = Seconds(f64::from(seconds[*i]));
            plain.add(position(i), &Samples::repeated(streets_at(*i) as f64, sample));
        }
        plain.close();
        assert_eq!(grid.rectangle(), plain.rectangle());
        let (_, _, width, height) = grid.rectangle();
        for at in 0..(width * height) as usize {
            assert_eq!(grid.exists(at), plain.exists(at));
            assert_eq!(grid.sample(at).0.to_bits(), plain.sample(at).0.to_bits());
            assert_eq!(grid.distance(at).to_bits(), plain.distance(at).to_bits());
        }
    }
}
