//! Small balanced cuts of a graph in the plane: inertial flow (Schild and Sommer, 2015). The vertices farthest to one side
//! are sources and those farthest to the other are sinks; the minimum cut between them is the cut in that direction.

use std::ops::Range;

use super::neighbours::Neighbours;

/// Directions of the cuts to try, as (x, y).
const DIRECTIONS: [(f32, f32); 4] = [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, -1.0)];
/// One in this many vertices is a source, and as many are sinks.
const SHARE: usize = 4;
const NO_LEVEL: u32 = u32::MAX;

/// The best cut of all directions: whether each vertex is on the first side of it. Once `interrupted`, it is any.
pub(super) fn best_cut(
    graph: &Neighbours,
    positions: &[[f32; 2]],
    interrupted: &dyn Fn() -> bool,
) -> Vec<bool> {
    let mut flow = Flow::new(graph);
    let mut best: Option<(f64, Vec<bool>)> = None;
    for (x, y) in DIRECTIONS {
        if interrupted() {
            break;
        }
        let along = |v: u32| positions[v as usize][0] * x + positions[v as usize][1] * y;
        let most = best.as_ref().map_or(f64::INFINITY, |(score, _)| score * (graph.count() / 2) as f64);
        let Some(edges) = flow.between_ends(along, most, interrupted) else { continue };
        for side in [flow.reached_from_sources(), flow.not_reaching_sinks()] {
            let first = side.iter().filter(|&&first| first).count();
            let score = f64::from(edges) / first.min(graph.count() - first).max(1) as f64;
            if best.as_ref().is_none_or(|(least, _)| score < *least) {
                best = Some((score, side));
            }
        }
    }
    best.map_or_else(|| vec![true; graph.count()], |(_, side)| side)
}

/// A flow with unit capacities, and the state of Dinic's algorithm.
struct Flow<'g> {
    graph: &'g Neighbours,
    twins: Vec<u32>,
    /// Flow of each arc: -1, 0 or 1.
    flow: Vec<i8>,
    /// Vertices along the direction: sources, others, sinks.
    sorted: Vec<u32>,
    ends: Vec<End>,
    level: Vec<u32>,
    /// The next arc of each vertex to try.
    next: Vec<u32>,
    queue: Vec<u32>,
    path: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Source,
    Sink,
    Neither,
}

impl<'g> Flow<'g> {
    fn new(graph: &'g Neighbours) -> Flow<'g> {
        let count = graph.count();
        Flow {
            graph,
            twins: graph.twins(),
            flow: vec![0; graph.arc_count()],
            sorted: (0..count as u32).collect(),
            ends: vec![End::Neither; count],
            level: vec![NO_LEVEL; count],
            next: vec![0; count],
            queue: Vec::new(),
            path: Vec::new(),
        }
    }

    fn sources(&self) -> Range<usize> {
        0..(self.sorted.len() / SHARE).max(1)
    }

    fn sinks(&self) -> Range<usize> {
        self.sorted.len() - self.sources().end..self.sorted.len()
    }

    /// The greatest flow along a direction; `None` when it reaches `most`, or once `interrupted`.
    fn between_ends(
        &mut self,
        along: impl Fn(u32) -> f32,
        most: f64,
        interrupted: &dyn Fn() -> bool,
    ) -> Option<u32> {
        let by_place = |a: &u32, b: &u32| along(*a).total_cmp(&along(*b)).then(a.cmp(b));
        let (sources, sinks) = (self.sources(), self.sinks());
        self.sorted.select_nth_unstable_by(sources.end, by_place);
        self.sorted[sources.end..].select_nth_unstable_by(sinks.start - sources.end, by_place);
        self.ends.fill(End::Neither);
        self.sorted[sources].iter().for_each(|&v| self.ends[v as usize] = End::Source);
        self.sorted[sinks].iter().for_each(|&v| self.ends[v as usize] = End::Sink);
        self.flow.fill(0);
        let mut total = 0;
        while self.find_levels() {
            for vertex in 0..self.graph.count() as u32 {
                self.next[vertex as usize] = self.graph.arcs(vertex).start as u32;
            }
            for i in self.sources() {
                total += self.push_from(self.sorted[i]);
            }
            if f64::from(total) >= most || interrupted() {
                return None;
            }
        }
        Some(total)
    }

    #[inline(always)]
    fn has_room(&self, arc: usize) -> bool {
        self.flow[arc] < 1
    }

    /// Computes how many arcs with capacity left are between each vertex and the nearest sink. Returns whether a source
    /// can reach one.
    fn find_levels(&mut self) -> bool {
        self.level.fill(NO_LEVEL);
        self.queue.clear();
        for i in self.sinks() {
            let sink = self.sorted[i];
            self.level[sink as usize] = 0;
            if self.graph.of(sink).iter().any(|&v| self.ends[v as usize] != End::Sink) {
                self.queue.push(sink);
            }
        }
        let (mut at, mut found) = (0, false);
        while let Some(&vertex) = self.queue.get(at) {
            at += 1;
            let level = self.level[vertex as usize] + 1;
            for arc in self.graph.arcs(vertex) {
                let tail = self.graph.head(arc) as usize;
                if self.level[tail] == NO_LEVEL && self.has_room(self.twins[arc] as usize) {
                    self.level[tail] = level;
                    // Nothing flows through a source.
                    match self.ends[tail] {
                        End::Source => found = true,
                        _ => self.queue.push(tail as u32),
                    }
                }
            }
        }
        found
    }

    /// Sends flow from a source along falling levels. Returns the number of paths.
    fn push_from(&mut self, source: u32) -> u32 {
        let mut paths = 0;
        self.path.clear();
        let mut vertex = source;
        loop {
            if self.ends[vertex as usize] == End::Sink {
                for &arc in &self.path {
                    self.flow[arc as usize] += 1;
                    self.flow[self.twins[arc as usize] as usize] -= 1;
                }
                self.path.clear();
                paths += 1;
                vertex = source;
                continue;
            }
            match self.way_on(vertex) {
                Some(arc) => {
                    self.path.push(arc as u32);
                    vertex = self.graph.head(arc);
                }
                None => {
                    let Some(arc) = self.path.pop() else { return paths };
                    self.level[vertex as usize] = NO_LEVEL;
                    vertex = self.graph.head(self.twins[arc as usize] as usize);
                }
            }
        }
    }

    fn way_on(&mut self, vertex: u32) -> Option<usize> {
        let onward = self.level[vertex as usize].checked_sub(1).filter(|&level| level < NO_LEVEL - 1)?;
        let end = self.graph.arcs(vertex).end;
        let from = self.next[vertex as usize] as usize;
        let found = (from..end)
            .find(|&arc| self.has_room(arc) && self.level[self.graph.head(arc) as usize] == onward);
        self.next[vertex as usize] = found.unwrap_or(end) as u32;
        found
    }

    /// The smallest side of the sources in a maximum flow: all vertices that they reach.
    fn reached_from_sources(&self) -> Vec<bool> {
        let mut side = vec![false; self.graph.count()];
        let mut queue = self.sorted[self.sources()].to_vec();
        queue.iter().for_each(|&v| side[v as usize] = true);
        while let Some(vertex) = queue.pop() {
            for arc in self.graph.arcs(vertex) {
                let head = self.graph.head(arc);
                if !side[head as usize] && self.has_room(arc) {
                    side[head as usize] = true;
                    queue.push(head);
                }
            }
        }
        side
    }

    /// The largest side of the sources: all vertices that reach no sink.
    fn not_reaching_sinks(&self) -> Vec<bool> {
        self.level.iter().map(|&level| level == NO_LEVEL).collect()
    }
}
