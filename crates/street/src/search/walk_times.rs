//! Walking times from many starts to everywhere: the same rules as the general search, minimizing seconds, with
//! small labels and one bucket per second instead of a heap. For isochrones, surfaces and egress from many stops.

use trestle_model::ids::VertexIdx;

use super::arc::{Arc, arc_bits};
use super::label::{Event, Label, label_flags};
use super::step::{other_edge, through_flags};
use super::{Direction, INTERRUPT_EVERY, Interrupted, StreetQuery, StreetSearch, TreeStart};
use crate::cost::{Ride, StreetCosts, whole_seconds};
use crate::graph::{StreetGraph, vertex_flags};

/// Searches end after this many seconds at the latest.
const LONGEST_SECONDS: u32 = 86_400;
/// Keeps bounds of what a street takes at least below the real value, however both are rounded.
pub(super) const SAFETY: f64 = 1.0 - 1e-9;
/// No entry in a bucket.
const NONE: u32 = u32::MAX;

/// What else is known of the earliest way to a vertex.
#[derive(Clone, Copy, Debug, Default)]
struct Stamp {
    /// Generalized cost.
    weight: f32,
    /// Number of the start it comes from.
    start: u32,
    /// Vertex at the other end of the last street.
    far: u32,
    /// The angle of that street that a turn needs.
    angle: u8,
    flags: u8,
    /// How many seconds before its time the way is walked on: those of its start; none of searches whose starts are all
    /// known before.
    ahead: u16,
}

/// Stands for a vertex that was not reached.
const NEVER: u32 = u32::MAX;

/// The bits of a label's flags that a stamp has: the rule against through traffic.
const STREET: u8 = label_flags::STREET as u8;
const ENTERED_NO_THROUGH: u8 = label_flags::ENTERED_NO_THROUGH as u8;

/// Memory of these searches.
#[derive(Default, Debug)]
pub(super) struct WalkMemory {
    /// Of each vertex, or [`NEVER`]. Apart from the stamps, because most looks at a vertex ask for nothing else.
    seconds: Vec<u32>,
    /// Of the vertices that were reached.
    stamps: Vec<Stamp>,
    /// First entry of each second.
    buckets: Vec<u32>,
    /// Vertex and next entry of the same second.
    entries: Vec<(u32, u32)>,
    /// Starts given so far.
    starts: u32,
}

impl WalkMemory {
    fn begin(&mut self, vertices: usize, seconds: u32) {
        self.seconds.clear();
        self.seconds.resize(vertices, NEVER);
        if self.stamps.len() < vertices {
            self.stamps.resize(vertices, Stamp::default());
        }
        self.starts = 0;
        self.empty_buckets(seconds);
    }

    fn empty_buckets(&mut self, seconds: u32) {
        self.buckets.clear();
        self.buckets.resize(seconds as usize + 1, NONE);
        self.entries.clear();
    }

    /// Seconds to a vertex, or [`NEVER`].
    #[inline(always)]
    fn seconds(&self, vertex: u32) -> u32 {
        self.seconds.get(vertex as usize).copied().unwrap_or(NEVER)
    }

    #[inline(always)]
    fn walked_to(&self, vertex: u32, seconds: u32) -> WalkedTo {
        let Stamp { weight, start, .. } = self.stamps[vertex as usize];
        WalkedTo { vertex, seconds, weight, start: start as usize }
    }

    /// Keeps the stamp if it is the earliest and within the time.
    #[inline(always)]
    fn offer(&mut self, vertex: u32, seconds: u32, stamp: Stamp) {
        let turn = seconds - u32::from(stamp.ahead);
        if seconds as usize >= self.buckets.len() {
            return;
        }
        let Some(bucket) = self.buckets.get_mut(turn as usize) else { return };
        let known = &mut self.seconds[vertex as usize];
        if *known <= seconds {
            return;
        }
        *known = seconds;
        self.stamps[vertex as usize] = stamp;
        self.entries.push((vertex, *bucket));
        *bucket = self.entries.len() as u32 - 1;
    }
}

/// The result: a view into the search's memory.
pub struct WalkTimes<'s> {
    memory: &'s WalkMemory,
}

impl WalkTimes<'_> {
    /// Number of starts given so far.
    pub fn starts(&self) -> usize {
        self.memory.starts as usize
    }

    /// Seconds to (from) a vertex; `None` when it was not reached within the limit.
    #[inline]
    pub fn seconds(&self, vertex: VertexIdx) -> Option<u32> {
        Some(self.memory.seconds(vertex.0)).filter(|seconds| *seconds != NEVER)
    }

    /// The way to (from) a vertex: starts are numbered in the order given, those of [`StreetSearch::walk_on_below`] go on
    /// from there.
    #[inline]
    pub fn get(&self, vertex: VertexIdx) -> Option<WalkedTo> {
        self.seconds(vertex).map(|seconds| self.memory.walked_to(vertex.0, seconds))
    }

    /// The vertices that the last call reached sooner than any before, some of them repeatedly, with their seconds.
    pub fn improved(&self) -> impl Iterator<Item = (VertexIdx, u32)> + '_ {
        let seconds = |vertex: u32| self.memory.seconds[vertex as usize];
        self.memory.entries.iter().map(move |&(vertex, _)| (VertexIdx(vertex), seconds(vertex)))
    }
}

/// Ways that are better than walking on: from a vertex that is not reached before its `seconds` plus `later` nobody
/// walks on.
#[derive(Clone, Copy, Debug)]
pub struct WalkBar<'a> {
    /// By vertex; `u32::MAX` for none.
    pub seconds: &'a [u32],
    /// Added to all of them.
    pub later: u32,
}

impl WalkBar<'_> {
    /// Everybody walks on.
    pub const NONE: WalkBar<'static> = WalkBar { seconds: &[], later: 0 };

    #[inline(always)]
    fn stops(&self, vertex: u32, second: u32) -> bool {
        self.seconds.get(vertex as usize).is_some_and(|seconds| second >= seconds.saturating_add(self.later))
    }
}

impl StreetSearch {
    /// Walking times from many starts, each with its own initial seconds, up to the query's `max_seconds` (at most a
    /// day). Other limits, and the metres of the starts, are ignored.
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn walk_times(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
        direction: Direction,
    ) -> Result<WalkTimes<'_>, Interrupted> {
        self.walking.begin(query.graph.vertex_count(), longest(query));
        self.walk(query, starts, WalkBar::NONE, direction)
    }

    /// The last [`StreetSearch::walk_times`] with further starts: all that they reach sooner, walking on only from
    /// vertices that are reached below a bar. The query must differ in nothing but its time limit.
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn walk_on_below(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
        bar: WalkBar<'_>,
        direction: Direction,
    ) -> Result<WalkTimes<'_>, Interrupted> {
        self.walking.empty_buckets(longest(query));
        self.walk(query, starts, bar, direction)
    }

    fn walk(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
        bar: WalkBar<'_>,
        direction: Direction,
    ) -> Result<WalkTimes<'_>, Interrupted> {
        let memory = &mut self.walking;
        for (number, start) in (memory.starts..).zip(starts) {
            if start.seconds >= 0 && start.vertex.index() < query.graph.vertex_count() {
                let stamp = Stamp { weight: start.weight as f32, start: number, ..Stamp::default() };
                memory.offer(start.vertex.0, start.seconds as u32, stamp);
            }
        }
        memory.starts += starts.len() as u32;
        match direction {
            Direction::Forward => Walk::<false>::new(query, bar, memory).run(0..=longest(query), |_| ())?,
            Direction::Backward => Walk::<true>::new(query, bar, memory).run(0..=longest(query), |_| ())?,
        }
        Ok(WalkTimes { memory: &self.walking })
    }
}

/// A vertex that was reached.
#[derive(Clone, Copy, Debug)]
pub struct WalkedTo {
    /// Street vertex.
    pub vertex: u32,
    /// Seconds to (from) it.
    pub seconds: u32,
    /// Generalized cost, begun with the weight of the start.
    pub weight: f32,
    /// Number of the start.
    pub start: usize,
}

/// Walks from starts that are found while others walk. Of the earliest ways to a vertex the first one found counts, and
/// they are walked on in the order of their seconds less those that their start is ahead.
pub struct StepwiseWalk<'q, 's> {
    query: &'q StreetQuery<'q>,
    direction: Direction,
    memory: &'s mut WalkMemory,
    /// The turn that comes next.
    turn: u32,
}

impl StreetSearch {
    /// Begins a walk without starts, up to the query's `max_seconds` (at most a day). Other limits are ignored.
    pub fn stepwise_walk<'q, 's>(
        &'s mut self,
        query: &'q StreetQuery<'q>,
        direction: Direction,
    ) -> StepwiseWalk<'q, 's> {
        self.walking.begin(query.graph.vertex_count(), longest(query));
        StepwiseWalk { query, direction, memory: &mut self.walking, turn: 0 }
    }
}

impl<'s> StepwiseWalk<'_, 's> {
    /// Adds starts that have the next number in common, `ahead` seconds ahead all of them, 18 hours at most. Their metres are
    /// ignored.
    pub fn start(&mut self, starts: impl Iterator<Item = TreeStart>, ahead: i32) {
        let number = self.memory.starts;
        let ahead = u16::try_from(ahead.max(0)).unwrap_or(u16::MAX);
        self.memory.starts += 1;
        for start in starts.filter(|start| start.seconds >= i32::from(ahead)) {
            let stamp = Stamp { weight: start.weight as f32, start: number, ahead, ..Stamp::default() };
            self.memory.offer(start.vertex.0, start.seconds as u32, stamp);
            self.turn = self.turn.min(start.seconds as u32 - u32::from(ahead));
        }
    }

    /// Walks on from all vertices whose turn comes within so many seconds, and calls `each` with them.
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn walk_until(&mut self, seconds: i32, each: impl FnMut(WalkedTo)) -> Result<(), Interrupted> {
        let last = (seconds.max(0) as u32).min(longest(self.query));
        let turns = self.turn..=last;
        self.turn = self.turn.max(last + 1);
        match self.direction {
            Direction::Forward => Walk::<false>::new(self.query, WalkBar::NONE, self.memory).run(turns, each),
            Direction::Backward => Walk::<true>::new(self.query, WalkBar::NONE, self.memory).run(turns, each),
        }
    }

    /// What was found; starts have the numbers in which they were added.
    pub fn finish(self) -> WalkTimes<'s> {
        WalkTimes { memory: self.memory }
    }
}

fn longest(query: &StreetQuery<'_>) -> u32 {
    (query.limits.max_seconds.max(0) as u32).min(LONGEST_SECONDS)
}

/// A running search.
struct Walk<'a, const BACKWARD: bool> {
    graph: &'a StreetGraph,
    costs: &'a StreetCosts,
    interrupted: &'a dyn Fn() -> bool,
    arcs: &'a [Arc],
    first_arc: &'a [u32],
    /// Seconds that a millimetre of street takes at least.
    least_pace: f64,
    bar: WalkBar<'a>,
    memory: &'a mut WalkMemory,
}

impl<'a, const BACKWARD: bool> Walk<'a, BACKWARD> {
    fn new(query: &StreetQuery<'a>, bar: WalkBar<'a>, memory: &'a mut WalkMemory) -> Self {
        let graph = query.graph;
        let (arcs, first_arc) = graph.arcs_of(BACKWARD);
        Walk {
            graph,
            costs: query.costs,
            interrupted: query.interrupted,
            arcs,
            first_arc,
            least_pace: SAFETY / query.costs.foot.speed / 1000.0,
            bar,
            memory,
        }
    }

    fn run(
        &mut self,
        turns: std::ops::RangeInclusive<u32>,
        mut each: impl FnMut(WalkedTo),
    ) -> Result<(), Interrupted> {
        let mut settled = 0u32;
        for turn in turns {
            while let Some(vertex) = self.take(turn) {
                let second = self.memory.seconds[vertex as usize];
                if !self.bar.stops(vertex, second) {
                    self.expand(vertex, second);
                }
                each(self.memory.walked_to(vertex, second));
                settled += 1;
                if settled.is_multiple_of(INTERRUPT_EVERY) && (self.interrupted)() {
                    return Err(Interrupted);
                }
            }
        }
        Ok(())
    }

    /// The next vertex whose turn it is and that was not reached earlier meanwhile.
    #[inline(always)]
    fn take(&mut self, turn: u32) -> Option<u32> {
        loop {
            let entry = self.memory.buckets[turn as usize];
            let &(vertex, next) = self.memory.entries.get(entry as usize)?;
            self.memory.buckets[turn as usize] = next;
            let ahead = self.memory.stamps[vertex as usize].ahead;
            if self.memory.seconds[vertex as usize] == turn + u32::from(ahead) {
                return Some(vertex);
            }
        }
    }

    fn expand(&mut self, vertex: u32, second: u32) {
        use vertex_flags::{ELEVATOR, FREE_FLOWING, SPLIT};
        let v = vertex as usize;
        let stamp = self.memory.stamps[v];
        let free =
            stamp.flags & STREET == 0 || self.graph.vertex_flags[v] & (SPLIT | ELEVATOR | FREE_FLOWING) != 0;
        let range = self.first_arc[v] as usize..self.first_arc[v + 1] as usize;
        let arcs: &'a [Arc] = &self.arcs[range.clone()];
        for (i, arc) in range.zip(arcs) {
            if arc.has(arc_bits::SPECIAL) {
                self.use_special(second, &stamp, i, arc);
            } else if !(stamp.flags & STREET != 0 && arc.end == stamp.far) {
                self.use_street((vertex, second), &stamp, free, i, arc);
            }
        }
    }

    #[inline(always)]
    fn use_street(&mut self, (vertex, second): (u32, u32), stamp: &Stamp, free: bool, i: usize, arc: &Arc) {
        // Most streets lead back to where others have been already, or not there any sooner.
        let known = self.memory.seconds(arc.end);
        let least = || (f64::from(arc.length_mm) * self.least_pace) as u32;
        if known <= second || known <= second.saturating_add(least()) {
            return;
        }
        let edge = if BACKWARD { self.graph.in_edges[i] } else { i as u32 };
        let (record, slope) = (&self.graph.edges[edge as usize], self.graph.search.slope(edge, arc));
        let Some(moving) = self.costs.moving(Ride::Foot, arc, slope) else { return };
        let end_flags = || self.graph.vertex_flags[arc.end as usize];
        let Some(flags) = through_flags(u16::from(stamp.flags), arc, end_flags) else { return };
        let (time, mut weight) = self.costs.edge(moving, arc, slope, record);
        let mut seconds = whole_seconds(time);
        if !free {
            let turn = if BACKWARD {
                self.costs.soft_turn(moving, arc.first_angle, stamp.angle)
            } else {
                self.costs.soft_turn(moving, stamp.angle, arc.last_angle)
            };
            seconds += whole_seconds(turn);
            weight += turn * self.costs.turn_reluctance;
        }
        let reached = Stamp {
            weight: stamp.weight + weight as f32,
            start: stamp.start,
            far: vertex,
            angle: if BACKWARD { arc.last_angle } else { arc.first_angle },
            flags: flags as u8,
            ahead: stamp.ahead,
        };
        self.memory.offer(arc.end, second + seconds as u32, reached);
    }

    #[cold]
    fn use_special(&mut self, second: u32, stamp: &Stamp, i: usize, arc: &Arc) {
        let edge = if BACKWARD { self.graph.in_edges[i] as usize } else { i };
        let unlinked = Label::start(0.0, 0, 0.0, Event::Start);
        let found = other_edge(self.costs, Ride::Foot, &unlinked, &self.graph.edges[edge]);
        let Some((seconds, weight, _)) = found else { return };
        let reached =
            Stamp { weight: stamp.weight + weight as f32, flags: stamp.flags & ENTERED_NO_THROUGH, ..*stamp };
        self.memory.offer(arc.end, second + seconds as u32, reached);
    }
}
