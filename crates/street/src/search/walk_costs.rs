//! The cheapest ways on foot from many starts to everywhere: the answers of the general search, of whose rules only
//! those that bind pedestrians are left, with small labels that lie where their vertices say. For isochrones.

use std::hint::black_box;

use trestle_model::ids::VertexIdx;

use super::arc::{Arc, arc_bits};
use super::label::{Event, Label as GeneralLabel, label_flags};
use super::queue::Queue;
use super::step::{label_over, through_flags};
use super::walk_times::SAFETY;
use super::{Direction, INTERRUPT_EVERY, Interrupted, Reached, StreetQuery, StreetSearch, TreeStart};
use crate::cost::{Ride, whole_seconds};
use crate::graph::{EdgeKind, vertex_flags};

/// What else is known of the cheapest way to a vertex.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    seconds: i32,
    /// Metres.
    walk: f32,
    /// Number of the start it comes from.
    start: u32,
    /// Vertex at the other end of the last street.
    far: u32,
    flags: u16,
    /// The angle of that street that a turn needs.
    angle: u8,
}

/// A way to a vertex.
#[derive(Clone, Copy, Debug)]
struct Label {
    weight: f64,
    known: Known,
}

impl Label {
    #[inline(always)]
    fn has(&self, flag: u16) -> bool {
        self.known.flags & flag != 0
    }
}

/// Memory of these searches: of vertices, then over edges on which a turn restriction starts.
#[derive(Default, Debug)]
pub(super) struct CostMemory {
    /// Infinite where nothing is known. Apart from the rest, because most looks at a vertex ask for nothing else.
    weights: Vec<f64>,
    known: Vec<Known>,
    queue: Queue,
}

impl CostMemory {
    fn begin(&mut self, count: usize) {
        self.weights.clear();
        self.weights.resize(count, f64::INFINITY);
        if self.known.len() < count {
            self.known.resize(count, Known::default());
        }
        self.queue.clear();
    }

    #[inline(always)]
    fn get(&self, id: u32) -> Option<Label> {
        let weight = self.weight(id);
        (weight < f64::INFINITY).then(|| Label { weight, known: self.known[id as usize] })
    }

    #[inline(always)]
    fn weight(&self, id: u32) -> f64 {
        self.weights.get(id as usize).copied().unwrap_or(f64::INFINITY)
    }

    #[inline(always)]
    fn set(&mut self, id: u32, Label { weight, known }: Label) {
        self.weights[id as usize] = weight;
        self.known[id as usize] = known;
    }

    /// Marks a label as settled and returns it; `None` when it was settled before.
    #[inline(always)]
    fn settle(&mut self, id: u32) -> Option<Label> {
        let known = &mut self.known[id as usize];
        if known.flags & label_flags::SETTLED != 0 {
            return None;
        }
        known.flags |= label_flags::SETTLED;
        Some(Label { weight: self.weights[id as usize], known: *known })
    }
}

/// The result: a view into the search's memory.
pub struct WalkCosts<'s> {
    memory: &'s CostMemory,
}

impl WalkCosts<'_> {
    /// How a vertex was reached on the cheapest way, and the number of the start it was reached from, in the order
    /// given; `None` when it was not.
    #[inline]
    pub fn get(&self, vertex: VertexIdx) -> Option<(Reached, usize)> {
        self.memory.get(vertex.0).map(|Label { weight, known }| {
            let walk_distance = f64::from(known.walk);
            (Reached { seconds: known.seconds, weight, walk_distance }, known.start as usize)
        })
    }
}

impl StreetSearch {
    /// What [`StreetSearch::tree`] finds for [`crate::cost::Journey::Walk`] when cost is minimized.
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn walk_costs(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
        direction: Direction,
    ) -> Result<WalkCosts<'_>, Interrupted> {
        let memory = &mut self.costs;
        match direction {
            Direction::Forward => Walk::<false>::new(query, memory).run(starts)?,
            Direction::Backward => Walk::<true>::new(query, memory).run(starts)?,
        }
        Ok(WalkCosts { memory: &self.costs })
    }
}

/// A running search.
struct Walk<'a, 's, const BACKWARD: bool> {
    query: &'a StreetQuery<'a>,
    arcs: &'a [Arc],
    first_arc: &'a [u32],
    limits_walking: bool,
    /// What a millimetre of street costs at least.
    least_cost: f64,
    memory: &'s mut CostMemory,
}

impl<'a, 's, const BACKWARD: bool> Walk<'a, 's, BACKWARD> {
    fn new(query: &'a StreetQuery<'a>, memory: &'s mut CostMemory) -> Self {
        let graph = query.graph;
        let (arcs, first_arc) = graph.arcs_of(BACKWARD);
        memory.begin(graph.vertex_count() + graph.search.restricted.len());
        Walk {
            query,
            arcs,
            first_arc,
            limits_walking: query.limits.max_walk_distance < f64::INFINITY,
            least_cost: query.costs.least_cost_per_meter(graph) / 1000.0 * SAFETY,
            memory,
        }
    }

    fn run(mut self, starts: &[TreeStart]) -> Result<(), Interrupted> {
        for (number, start) in (0..).zip(starts) {
            let (weight, seconds, walk) = (start.weight, start.seconds, start.walk_distance as f32);
            let known = Known { seconds, walk, start: number, far: u32::MAX, ..Known::default() };
            self.offer(start.vertex.0, start.vertex.0, Label { weight, known });
        }
        let mut settled = 0u32;
        // A tenth of the search was waiting for one vertex's arcs after the other.
        let fetch = |id: u32| {
            let first = self.first_arc.get(id as usize);
            black_box(first.and_then(|&first| self.arcs.get(first as usize)).map(|arc| arc.end));
        };
        while let Some(id) = self.memory.queue.pop_announced(fetch) {
            let Some(label) = self.memory.settle(id) else { continue };
            let vertex = self.vertex_of(id);
            // A label beside the one of its vertex leads on where that one is dearer.
            if vertex == id || self.memory.weight(vertex) > label.weight {
                self.expand(vertex, &label);
            }
            settled += 1;
            if settled.is_multiple_of(INTERRUPT_EVERY) && (self.query.interrupted)() {
                return Err(Interrupted);
            }
        }
        self.fold_restricted();
        Ok(())
    }

    fn vertex_of(&self, id: u32) -> u32 {
        let graph = self.query.graph;
        let Some(slot) = (id as usize).checked_sub(graph.vertex_count()) else { return id };
        let edge = &graph.edges[graph.search.restricted[slot] as usize];
        if BACKWARD { edge.from } else { edge.to }
    }

    /// Gives each vertex the best of its labels, so that one look-up per vertex is enough.
    fn fold_restricted(&mut self) {
        let vertices = self.query.graph.vertex_count();
        for slot in 0..self.query.graph.search.restricted.len() {
            let id = (vertices + slot) as u32;
            let vertex = self.vertex_of(id);
            if let Some(label) = self.memory.get(id)
                && label.weight < self.memory.weight(vertex)
            {
                self.memory.set(vertex, label);
            }
        }
    }

    fn expand(&mut self, vertex: u32, label: &Label) {
        use vertex_flags::{ELEVATOR, FREE_FLOWING, SPLIT};
        let v = vertex as usize;
        let flags = self.query.graph.vertex_flags[v];
        let free = !label.has(label_flags::STREET) || flags & (SPLIT | ELEVATOR | FREE_FLOWING) != 0;
        let range = self.first_arc[v] as usize..self.first_arc[v + 1] as usize;
        let arcs: &'a [Arc] = &self.arcs[range.clone()];
        for (i, arc) in range.zip(arcs) {
            if arc.has(arc_bits::SPECIAL) {
                self.use_special(label, i, arc);
            } else if !(label.has(label_flags::STREET) && arc.end == label.known.far) {
                self.use_street(vertex, label, free, i, arc);
            }
        }
    }

    #[inline(always)]
    fn use_street(&mut self, vertex: u32, label: &Label, free: bool, i: usize, arc: &Arc) {
        let (graph, costs) = (self.query.graph, self.query.costs);
        // Most streets lead back to where others have been already.
        let least = label.weight + self.least_cost * f64::from(arc.length_mm);
        if self.memory.weight(arc.end) <= least {
            return;
        }
        let edge = if BACKWARD { graph.in_edges[i] } else { i as u32 };
        let record = &graph.edges[edge as usize];
        let slope = graph.search.slope(edge, arc);
        let Some(moving) = costs.moving(Ride::Foot, arc, slope) else { return };
        let end_flags = || graph.vertex_flags[arc.end as usize];
        let Some(flags) = through_flags(label.known.flags, arc, end_flags) else { return };
        let (time, cost) = costs.edge(moving, arc, slope, record);
        let (mut seconds, mut weight, mut walk) = (whole_seconds(time), cost, arc.length_m());
        if !free {
            let turn = if BACKWARD {
                costs.soft_turn(moving, arc.first_angle, label.known.angle)
            } else {
                costs.soft_turn(moving, label.known.angle, arc.last_angle)
            };
            seconds += whole_seconds(turn);
            weight += turn * costs.turn_reluctance;
            walk += turn / 100.0;
        }
        let known = Known {
            seconds: label.known.seconds + seconds,
            walk: label.known.walk + walk as f32,
            start: label.known.start,
            far: vertex,
            flags,
            angle: if BACKWARD { arc.last_angle } else { arc.first_angle },
        };
        let mut new = Label { weight: label.weight + weight, known };
        let limits = &self.query.limits;
        if self.limits_walking && f64::from(known.walk) >= limits.max_walk_distance {
            new.weight += limits.overage(f64::from(label.known.walk), f64::from(known.walk));
            if new.weight >= limits.max_cost_beyond {
                return;
            }
        }
        let slot = arc.has(arc_bits::RESTRICTED).then(|| graph.search.restricted.binary_search(&edge).ok());
        let beside = slot.flatten().map(|slot| (graph.vertex_count() + slot) as u32);
        let id = beside.unwrap_or(arc.end);
        if self.keep(arc.end, id, new) && !arc.has(arc_bits::DEAD_END) {
            self.memory.queue.push(new.weight, id);
        }
    }

    #[cold]
    fn use_special(&mut self, label: &Label, i: usize, arc: &Arc) {
        let edge = if BACKWARD { self.query.graph.in_edges[i] as usize } else { i };
        let record = &self.query.graph.edges[edge];
        if record.kind() == EdgeKind::ParkAndRide {
            return;
        }
        let Known { seconds, walk, flags, .. } = label.known;
        let seen =
            GeneralLabel { flags, ..GeneralLabel::start(label.weight, seconds, walk, Event::GivenStart) };
        let found = label_over(self.query.costs, Ride::Foot, &seen, record);
        let Some(GeneralLabel { weight, seconds, walk, flags, far, .. }) = found else { return };
        let new = Label { weight, known: Known { seconds, walk, flags, far, ..label.known } };
        self.offer(arc.end, arc.end, new);
    }

    /// Walks on from the label `id` of a vertex if it comes in time and nothing is as good.
    #[inline(always)]
    fn offer(&mut self, vertex: u32, id: u32, new: Label) {
        if self.keep(vertex, id, new) {
            self.memory.queue.push(new.weight, id);
        }
    }

    /// Keeps the label `id` of a vertex if it comes in time and nothing is as good.
    #[inline(always)]
    fn keep(&mut self, vertex: u32, id: u32, new: Label) -> bool {
        if new.known.seconds > self.query.limits.max_seconds || self.memory.weight(vertex) <= new.weight {
            return false;
        }
        if id != vertex && self.memory.weight(id) <= new.weight {
            return false;
        }
        let known = Known { flags: new.known.flags & !label_flags::SETTLED, ..new.known };
        self.memory.set(id, Label { known, ..new });
        true
    }
}
