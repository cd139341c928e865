//! The streets as cars use them: a graph whose nodes are edges, and whose arcs are turns from one edge onto the next
//! ("turn-expanded"). Its shortest paths are the quickest drives, whatever the turns on them take.

use rustc_hash::FxHashMap;
use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_model::prefetch::prefetch;
use trestle_model::{Direction, Forward};

use super::super::label::{Label, LastStreet, Via, label_flags};
use super::super::path_labels::PathLabel;
use super::super::step::{Corner, Use, effort, is_u_turn, last_street, over_other};
use crate::arc::{Arc, arc_bits};
use crate::cost::{Effort, MayTurn, Means, StreetCosts, TraverseMode};
use crate::graph::{EdgeKind, StreetGraph};
use crate::street_record::StreetRecord;

/// No edge.
const NONE: u32 = u32::MAX;
/// Streets with more turns that are permitted only at times get no turn graph.
const MOST_TIMED_TURNS: usize = 2_000;
/// Streets with more pairs of edges at a node than this for each edge, which only nodes with many streets have, get no turn
/// graph.
const MOST_TURNS_PER_EDGE: usize = 16;

/// A turn onto an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Turn {
    /// The edge after the turn.
    pub(super) node: u32,
    /// Seconds of the turn and of the edge after it.
    pub(super) seconds: u32,
}

/// A turn that is permitted only at times.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimedTurn {
    /// The node before it.
    pub(super) from: u32,
    pub(super) turn: Turn,
}

/// The streets as a graph of turns. The nodes are the edges, by number, and after them a second node of some edges: for
/// drives that have entered an area closed to through traffic, which they may not leave again. No turn leads to or from
/// edges where cars may not go.
#[derive(Debug)]
pub(super) struct TurnGraph {
    edges: usize,
    /// The second node of an edge, and the edges of all second nodes.
    after_entering: FxHashMap<u32, u32>,
    entered: Vec<u32>,
    /// First turn of each node; one more entry than nodes.
    first_turn: Vec<u32>,
    /// Those that are always permitted.
    turns: Vec<Turn>,
    /// In the order of their first nodes.
    timed: Vec<TimedTurn>,
}

impl TurnGraph {
    /// The turns of cars; `None` if there are too many.
    pub(super) fn new(graph: &StreetGraph, costs: &StreetCosts) -> Option<TurnGraph> {
        let drive = Drive { graph, costs };
        let mut turns = TurnGraph {
            edges: graph.edge_count(),
            after_entering: FxHashMap::default(),
            entered: Vec::new(),
            first_turn: vec![0],
            turns: Vec::new(),
            timed: Vec::new(),
        };
        // Second nodes are added on the way.
        let (mut node, mut pairs) = (0, 0);
        while node < turns.count() as u32 {
            let edge = turns.edge_of(node);
            if let Some(label) = drive.label_over(edge, node != edge) {
                let vertex = graph.arcs[edge as usize].end;
                pairs += graph.out_edges(VertexIdx(vertex)).len();
                if pairs > MOST_TURNS_PER_EDGE * turns.edges {
                    return None;
                }
                drive.steps(vertex, &label, edge, |step| turns.add(node, &step));
            }
            if turns.timed.len() > MOST_TIMED_TURNS {
                return None;
            }
            turns.first_turn.push(turns.turns.len() as u32);
            node += 1;
        }
        Some(turns)
    }

    fn add(&mut self, from: u32, &Step { edge, entered, seconds, timed }: &Step) {
        let node = match entered {
            false => edge,
            true => *self.after_entering.entry(edge).or_insert_with(|| {
                self.entered.push(edge);
                (self.edges + self.entered.len()) as u32 - 1
            }),
        };
        let turn = Turn { node, seconds };
        match timed {
            false => self.turns.push(turn),
            true => self.timed.push(TimedTurn { from, turn }),
        }
    }

    fn edge_of(&self, node: u32) -> u32 {
        match (node as usize).checked_sub(self.edges) {
            None => node,
            Some(second) => self.entered[second],
        }
    }

    /// Number of nodes.
    pub(super) fn count(&self) -> usize {
        self.edges + self.entered.len()
    }

    /// The turns from an edge that are always permitted.
    #[inline(always)]
    pub(super) fn turns_from(&self, node: u32) -> &[Turn] {
        let node = node as usize;
        &self.turns[self.first_turn[node] as usize..self.first_turn[node + 1] as usize]
    }

    /// Begins to fetch where the turns from an edge are.
    #[inline(always)]
    pub(super) fn fetch(&self, node: u32) {
        prefetch(&self.first_turn, node as usize);
    }

    /// The turns that are permitted only at times.
    pub(super) fn timed(&self) -> &[TimedTurn] {
        &self.timed
    }

    /// The turns from an edge that are permitted after this many seconds, but not always.
    pub(super) fn timed_from<'a>(
        &'a self,
        streets: (&'a StreetGraph, &'a StreetCosts),
        node: u32,
        seconds: u32,
    ) -> impl Iterator<Item = Turn> + 'a {
        let first = self.timed.partition_point(|timed| timed.from < node);
        let timed = self.timed[first..].iter().take_while(move |timed| timed.from == node);
        timed.filter(move |timed| self.may_turn(streets, timed, seconds)).map(|timed| timed.turn)
    }

    /// Whether a turn is permitted this many seconds after the start.
    pub(super) fn may_turn(
        &self,
        (graph, costs): (&StreetGraph, &StreetCosts),
        timed: &TimedTurn,
        seconds: u32,
    ) -> bool {
        let [from, to] = [timed.from, timed.turn.node].map(|node| self.edge_of(node));
        costs.may_turn(graph, from, to, Means::Car, i64::from(seconds))
    }

    /// All pairs of nodes with a turn from the first one to the second that is always permitted, and its seconds.
    pub(super) fn steps(&self) -> impl Iterator<Item = (u32, Turn)> + Clone + '_ {
        let nodes = 0..self.count() as u32;
        nodes.flat_map(|node| self.turns_from(node).iter().map(move |&turn| (node, turn)))
    }

    /// The first edges of drives from a vertex, with the seconds along them.
    pub(super) fn leaving(&self, graph: &StreetGraph, costs: &StreetCosts, vertex: VertexIdx) -> Vec<Turn> {
        let mut leaving = Vec::new();
        Drive { graph, costs }.steps(vertex.0, &PathLabel::START, NONE, |step| {
            leaving.push(Turn { node: step.edge, seconds: step.seconds });
        });
        leaving
    }

    /// The nodes whose edges end at a vertex.
    pub(super) fn reaching<'a>(
        &'a self,
        graph: &'a StreetGraph,
        vertex: VertexIdx,
    ) -> impl Iterator<Item = u32> + 'a {
        let edges = graph.incoming(vertex).iter();
        edges.flat_map(|edge| std::iter::once(*edge).chain(self.after_entering.get(edge).copied()))
    }

    /// The vertex at which a node's edge ends.
    pub(super) fn end(&self, graph: &StreetGraph, node: u32) -> VertexIdx {
        VertexIdx(graph.arcs[self.edge_of(node) as usize].end)
    }
}

/// A step onto an edge.
struct Step {
    edge: u32,
    /// The drive has now entered an area closed to through traffic.
    entered: bool,
    /// Of the turn and of the edge.
    seconds: u32,
    /// The turn is permitted only at times.
    timed: bool,
}

/// The rules of a drive.
#[derive(Clone, Copy)]
struct Drive<'g> {
    graph: &'g StreetGraph,
    costs: &'g StreetCosts,
}

impl Drive<'_> {
    /// What the next step needs to know of a drive over an edge; `None` where cars may not go.
    fn label_over(&self, edge: u32, entered: bool) -> Option<PathLabel> {
        let flags = if entered { label_flags::ENTERED_NO_THROUGH } else { 0 };
        let last = self.over(LastStreet { flags, ..LastStreet::NONE }, edge)?;
        Some(PathLabel::START.after(&Effort::default(), last, NONE, Via::edge(edge)))
    }

    /// The last street after an edge.
    fn over(&self, before: LastStreet, edge: u32) -> Option<LastStreet> {
        let arc = self.graph.arcs[edge as usize];
        if arc.has(arc_bits::SPECIAL) {
            return self.over_special(before, edge).map(|(_, last)| last);
        }
        let step = self.street(edge, arc)?;
        let from = self.graph.edge(EdgeIdx(edge)).from;
        last_street::<Forward>(before, &step, from, || self.graph.vertex_flags[arc.end as usize])
    }

    fn street(&self, edge: u32, arc: Arc) -> Option<Use<'_>> {
        let record = StreetRecord::Stored(self.graph, edge);
        Use::new(self.graph, self.costs, TraverseMode::Car, (edge, arc, record))
    }

    /// Over an edge that is not a street. Cars are parked only on the way to another mode.
    fn over_special(&self, before: LastStreet, edge: u32) -> Option<(Effort, LastStreet)> {
        let record = self.graph.edge(EdgeIdx(edge));
        if record.kind() == EdgeKind::ParkAndRide {
            return None;
        }
        over_other(self.costs, TraverseMode::Car, before, &record)
    }

    /// Calls `each` with every step that may follow a label at a vertex. `last` is the edge of the label.
    fn steps(&self, vertex: u32, label: &PathLabel, last: u32, mut each: impl FnMut(Step)) {
        let corner = Corner::new(self.graph, vertex, label, last, || false);
        let (arcs, first) = self.graph.arcs_of(Direction::Forward);
        for edge in first[vertex as usize]..first[vertex as usize + 1] {
            let may_turn = match label.has(label_flags::RESTRICTED) {
                true => StreetCosts::car_may_turn(self.graph, last, edge),
                false => MayTurn::Always,
            };
            if may_turn == MayTurn::Never {
                continue;
            }
            if let Some((seconds, after)) = self.step(vertex, label, &corner, (edge, arcs[edge as usize])) {
                let entered = after.flags & label_flags::ENTERED_NO_THROUGH != 0;
                each(Step { edge, entered, seconds: seconds as u32, timed: may_turn == MayTurn::AtTimes });
            }
        }
    }

    fn step(
        &self,
        vertex: u32,
        label: &PathLabel,
        corner: &Corner,
        (edge, arc): (u32, Arc),
    ) -> Option<(i32, LastStreet)> {
        if arc.has(arc_bits::SPECIAL) {
            return self.over_special(label.last, edge).map(|(effort, last)| (effort.seconds, last));
        }
        let step = self.street(edge, arc)?;
        if is_u_turn(label, &arc) {
            return None;
        }
        let end_flags = || self.graph.vertex_flags[arc.end as usize];
        let last = last_street::<Forward>(label.last, &step, vertex, end_flags)?;
        Some((effort::<_, Forward>(self.graph, self.costs, label, corner, &step).seconds, last))
    }
}
