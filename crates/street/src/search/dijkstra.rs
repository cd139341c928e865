//! The search itself: Dijkstra's algorithm, forward along travel or backward against it. It is generic over its labels, so
//! that each kind of labels gets a specialized search.

use std::marker::PhantomData;

use trestle_model::ids::EdgeIdx;
use trestle_model::{Directed, Direction};

use super::ahead::Ahead;
use super::bound::Bound;
use super::label::{Event, Label, Labels, Via, ViaKind, label_flags};
use super::layers::{FIRST_LAYER, PARKED_LAYER};
use super::places::END;
use super::setting::Setting;
use super::step::{Corner, Use, effort, is_same_street, is_u_turn, last_street, may_turn, over_other};
use super::{INTERRUPT_EVERY, Interrupted};
use crate::arc::{Arc, arc_bits};
use crate::cost::{StreetMode, TraverseMode};
use crate::graph::{EdgeKind, edge_flags};
use crate::street_record::StreetRecord;

/// No street edge.
const NO_EDGE: u32 = u32::MAX;

/// Where a label is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Node {
    Vertex(u32),
    Place(u32),
}

/// A label that is being expanded.
#[derive(Clone, Copy)]
pub(super) struct Origin<L> {
    /// The `previous` of the labels that are made from it.
    pub(super) previous: u32,
    pub(super) label: L,
    pub(super) layer: u32,
    pub(super) corner: Corner,
    pub(super) vertex: u32,
}

/// A running search.
pub(super) struct Dijkstra<'s, 'g, L: Labels, D: Directed> {
    pub(super) setting: Setting<'g>,
    pub(super) labels: &'s mut L,
    pub(super) settled: u32,
    /// A path was given up because the drive before transit is too long.
    pub(super) drives_too_long: bool,
    direction: PhantomData<D>,
}

impl<'s, 'g, L: Labels, D: Directed> Dijkstra<'s, 'g, L, D> {
    pub(super) fn new(setting: Setting<'g>, labels: &'s mut L) -> Self {
        Dijkstra { setting, labels, settled: 0, drives_too_long: false, direction: PhantomData }
    }

    /// Puts a start label at a vertex or place.
    pub(super) fn start(&mut self, node: Node, label: L::Label) {
        self.start_in(self.setting.layers.start(D::DIRECTION), node, label);
    }

    /// Puts a start label at a vertex or place in a layer.
    pub(super) fn start_in(&mut self, layer: u32, node: Node, label: L::Label) {
        self.offer(layer, node, Via::START, label, true);
    }

    /// Settles the cheapest open label and expands it.
    #[inline]
    pub(super) fn advance(&mut self) -> Result<Option<(u32, L::Label, Node)>, Interrupted> {
        let Some((id, label)) = self.settle()? else { return Ok(None) };
        Ok(Some((id, label, self.expand(id, &label))))
    }

    /// Settles the cheapest open label.
    #[inline(always)]
    pub(super) fn settle(&mut self) -> Result<Option<(u32, L::Label)>, Interrupted> {
        self.settled += 1;
        if self.settled.is_multiple_of(INTERRUPT_EVERY) && (self.setting.interrupted)() {
            return Err(Interrupted);
        }
        Ok(self.labels.settle_next(ahead::<L::Label, D>(&self.setting)))
    }

    /// Makes labels from a settled one.
    #[inline(always)]
    pub(super) fn expand(&mut self, id: u32, label: &L::Label) -> Node {
        let (layer, node) =
            if L::Label::VERTICES_ONLY { (FIRST_LAYER, id) } else { self.setting.layer_and_node(id) };
        let vertices = self.setting.graph.vertex_count() as u32;
        if !L::Label::VERTICES_ONLY && node >= self.setting.first_place {
            let place = node - self.setting.first_place;
            self.expand_place(id, label, layer, place);
            return Node::Place(place);
        }
        let is_slot = node >= vertices;
        let (vertex, edge) = match L::Label::VERTICES_ONLY {
            _ if is_slot => (self.setting.slot_vertex(node), self.setting.slot_edge(node)),
            true => (node, NO_EDGE),
            false => (node, self.setting.edge_of(label.via().kind())),
        };
        // A label over a restricted edge is expanded only while it costs less than the label of its vertex.
        if !is_slot || self.labels.key(self.setting.label_of_vertex(layer, vertex)) > label.key() {
            self.expand_vertex(id, label, layer, (vertex, edge));
        }
        Node::Vertex(vertex)
    }

    /// `edge` is the street edge of the label, or [`NO_EDGE`] where no turn restriction begins there.
    #[inline(always)]
    fn expand_vertex(&mut self, id: u32, label: &L::Label, layer: u32, (vertex, edge): (u32, u32)) {
        let setting = &self.setting;
        let touched = || !L::Label::VERTICES_ONLY && setting.ends.touch(vertex);
        let corner = Corner::new(setting.graph, vertex, label, edge, touched);
        let previous = if setting.traces { id } else { label.previous() };
        let origin = Origin { previous, label: *label, layer, corner, vertex };
        let v = vertex as usize;
        let first = setting.first_arc[v] as usize;
        let arcs: &'g [Arc] = &setting.arcs[first..setting.first_arc[v + 1] as usize];
        for (i, arc) in (first..).zip(arcs) {
            if arc.has(arc_bits::SPECIAL) {
                self.use_other_edge(origin, i);
            } else {
                self.use_edge(&origin, i, arc);
            }
        }
        if !L::Label::VERTICES_ONLY {
            self.leave_streets(&origin);
        }
    }

    #[inline(always)]
    fn use_edge(&mut self, origin: &Origin<L::Label>, i: usize, arc: &Arc) {
        let edge = move |setting: &Setting<'g>| {
            let edge = if D::is_backward() { setting.graph.in_edges[i] } else { i as u32 };
            (edge, Via::edge(edge), StreetRecord::Stored(setting.graph, edge))
        };
        self.use_street(origin, *arc, Node::Vertex(arc.end), edge);
    }

    /// The steps over a street or half of one. `edge` looks up its number, its code in labels and its record.
    #[inline(always)]
    pub(super) fn use_street(
        &mut self,
        origin: &Origin<L::Label>,
        arc: Arc,
        end: Node,
        edge: impl Fn(&Setting<'g>) -> (u32, Via, StreetRecord<'g>) + Copy,
    ) {
        self.use_street_into(origin, origin.layer, arc, end, edge);
        // Passengers of a car get out before the first street that is closed to cars.
        let gets_out = !L::Label::VERTICES_ONLY
            && self.setting.layers.street_mode == StreetMode::KissAndRide
            && origin.layer == self.setting.layers.start(D::DIRECTION)
            && !arc.permits(edge_flags::CAR);
        if gets_out {
            let on_foot = Origin { layer: PARKED_LAYER, ..*origin };
            self.use_street_into(&on_foot, self.setting.layers.end(D::DIRECTION), arc, end, edge);
        }
    }

    /// The step over a street or half of one, whose label is in the layer `into`.
    #[inline(always)]
    fn use_street_into(
        &mut self,
        origin: &Origin<L::Label>,
        into: u32,
        arc: Arc,
        end: Node,
        edge: impl Fn(&Setting<'g>) -> (u32, Via, StreetRecord<'g>),
    ) {
        let setting = &self.setting;
        let (graph, label) = (setting.graph, &origin.label);
        if is_u_turn(label, &arc) && (L::Label::VERTICES_ONLY || !self.is_onto_other(origin, &edge)) {
            return;
        }
        // Most streets lead back to vertices that already have a better label.
        let least = label.key() + setting.least_per_mm * f64::from(arc.length_mm);
        if let Node::Vertex(vertex) = end
            && self.labels.key(setting.label_of_vertex(into, vertex)) <= least
        {
            return;
        }
        let (edge, via, record) = edge(setting);
        let mode = self.mode(origin.layer);
        let Some(step) = Use::new(graph, setting.costs, mode, (edge, arc, record)) else { return };
        if !may_turn::<_, D>(graph, setting.costs, label, &origin.corner, &step) {
            return;
        }
        let end_flags = || match end {
            Node::Vertex(vertex) => graph.vertex_flags[vertex as usize],
            Node::Place(_) => 0,
        };
        let last = last_street::<D>(label.last(), &step, origin.vertex, end_flags);
        let Some(last) = last else { return };
        let effort = effort::<_, D>(graph, setting.costs, label, &origin.corner, &step);
        let mut new = label.after(&effort, last, origin.previous, via);
        if setting.limits_walking && f64::from(new.walk()) >= setting.limits.max_walk_distance {
            new = new.with_extra_cost(setting.limits.overage(f64::from(label.walk()), f64::from(new.walk())));
            if new.key() >= setting.limits.max_cost_beyond {
                return;
            }
        }
        if setting.limits_driving && mode == TraverseMode::Car {
            let seconds = new.count_driving(effort.seconds);
            if seconds > setting.limits.max_pre_transit_seconds {
                self.drives_too_long = true;
                return;
            }
            new = new.with_extra_cost(setting.limits.pre_transit_overage(seconds - effort.seconds, seconds));
        }
        let goes_on =
            !arc.has(arc_bits::DEAD_END) || self.labels.settles_dead_end(|| graph.has_stop(arc.end));
        self.offer(into, end, via, new, goes_on);
    }

    /// Whether a step that looks like a U-turn is onto another street between the same two vertices. Whole streets do not
    /// need such steps, but they may be the only way between places within them. Drivers have to stay on their carriageway.
    fn is_onto_other(
        &self,
        origin: &Origin<L::Label>,
        edge: impl Fn(&Setting<'g>) -> (u32, Via, StreetRecord<'g>),
    ) -> bool {
        let (edge, via, _) = edge(&self.setting);
        let is_part = |via: Via| matches!(via.kind(), ViaKind::Half(_));
        (is_part(via) || is_part(origin.label.via()))
            && self.mode(origin.layer) != TraverseMode::Car
            && !is_same_street(self.setting.graph, [origin.corner.edge, edge])
    }

    /// Edges that are not streets: elevators, lots, links.
    #[cold]
    fn use_other_edge(&mut self, origin: Origin<L::Label>, i: usize) {
        let edge = if D::is_backward() { self.setting.graph.in_edges[i] } else { i as u32 };
        let record = self.setting.graph.edge(EdgeIdx(edge));
        let Origin { previous, label, layer, .. } = origin;
        let over = over_other(self.setting.costs, self.mode(layer), label.last(), &record);
        let Some((effort, last)) = over else { return };
        let layer = match record.kind() {
            EdgeKind::ParkAndRide if self.setting.layers.street_mode != StreetMode::ParkCar => return,
            EdgeKind::ParkAndRide => match self.setting.layers.after_parking(layer, D::DIRECTION) {
                Some(other) => other,
                None => return,
            },
            _ => layer,
        };
        let end = Node::Vertex(if D::is_backward() { record.from } else { record.to });
        let via = Via::edge(edge);
        self.offer(layer, end, via, label.after(&effort, last, previous, via), true);
    }

    /// The traveller's vehicle in a layer.
    #[inline(always)]
    fn mode(&self, layer: u32) -> TraverseMode {
        L::Label::MODE.unwrap_or_else(|| self.setting.layers.mode(layer))
    }

    /// Keeps the label unless one that it may be compared with is as good.
    #[inline(always)]
    pub(super) fn offer(&mut self, layer: u32, end: Node, via: Via, new: L::Label, goes_on: bool) {
        let setting = &self.setting;
        if new.seconds() > setting.limits.max_seconds {
            return;
        }
        let new = self.labels.objective(new);
        let Some(id) = self.id_of_better(layer, end, via, &new) else { return };
        let rest = self.rest(layer, end, via);
        if rest == f64::INFINITY {
            return;
        }
        // The queue rounds keys, so a label may cost slightly less than a settled one, whose seconds its continuations
        // have. Nothing continues from the destination.
        if end != Node::Place(END) && self.labels.is_final(id) {
            return;
        }
        self.labels.set(id, new);
        match goes_on {
            true => self.labels.push(id, &new, rest),
            false => self.labels.skip(id),
        }
    }

    /// The number of a label, if none that it may be compared with is as good: that of its vertex, and where it is over a
    /// restricted edge, that of its separate node.
    #[inline(always)]
    fn id_of_better(&self, layer: u32, end: Node, via: Via, new: &L::Label) -> Option<u32> {
        let is_better = |id: u32| (!self.labels.dominate(id, new)).then_some(id);
        let vertex = match end {
            Node::Vertex(vertex) => vertex,
            Node::Place(place) => return is_better(self.setting.label_of_place(layer, place)),
        };
        let id = is_better(self.setting.label_of_vertex(layer, vertex))?;
        match self.slot(new, via) {
            Some(slot) => is_better(layer * self.setting.nodes + slot),
            None => Some(id),
        }
    }

    /// The bound where a label is.
    #[inline(always)]
    fn rest(&self, layer: u32, end: Node, via: Via) -> f64 {
        let setting = &self.setting;
        match end {
            Node::Vertex(_) if L::Label::VERTICES_ONLY => 0.0,
            // A search that starts at a vertex makes no turn there, which potentials count. Nothing reaches the vertex at a
            // lower cost, so it can be settled at once.
            Node::Vertex(_)
                if matches!(setting.bound, Bound::Potential { .. }) && via == Via::event(Event::Link) =>
            {
                f64::NEG_INFINITY
            }
            Node::Vertex(vertex) => setting.bound.at(setting.graph, layer, vertex),
            Node::Place(END) => setting.bound.at_goal(),
            Node::Place(place) => setting.bound_at_place(place),
        }
    }

    /// The separate node of a label over a restricted edge.
    #[inline(always)]
    fn slot(&self, new: &L::Label, via: Via) -> Option<u32> {
        let by_restriction = L::Label::ON_FOOT || self.setting.slots_are_restricted;
        if !L::RESTRICTED_APART || by_restriction && !new.has(label_flags::RESTRICTED) {
            return None;
        }
        if self.setting.slots.is_empty() || !new.has(label_flags::STREET) {
            return None;
        }
        let ViaKind::Edge(edge) = via.kind() else { return None };
        let slot = self.setting.slots.binary_search(&edge).ok()?;
        Some(self.setting.graph.vertex_count() as u32 + slot as u32)
    }
}

/// What is fetched in advance for a search with labels of one kind.
#[inline(always)]
fn ahead<'g, L: Label, D: Directed>(setting: &Setting<'g>) -> Ahead<'g> {
    // Slopes are in the order of the arcs of forward searches.
    setting.ahead(L::ON_FOOT && D::DIRECTION == Direction::Forward)
}
