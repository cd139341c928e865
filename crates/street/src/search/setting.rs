//! What is fixed during a search: the graph, costs, limits and numbering of the labels.
//!
//! A label is of a *node* in a layer. Nodes are the vertices, then *slots*, then the places of the search. A slot is an
//! edge with which a turn restriction starts (backward: an edge that starts at the corner of one). One label per vertex
//! would not do there: the cheapest way to the vertex may be over this edge, and not be allowed to go on where a
//! more expensive one is.

use trestle_model::Direction;
use trestle_model::ids::EdgeIdx;

use super::StreetQuery;
use super::ahead::Ahead;
use super::bound::{Bound, least_per_mm};
use super::label::{Label, Labels, ViaKind};
use super::layers::{FIRST_LAYER, Layers};
use super::places::{Ends, FIRST_STATION, FIRST_STATION_HALF, Half, LinkedBikeStations};
use crate::arc::Arc;
use crate::cost::{StreetCosts, StreetLimits, StreetMode};
use crate::graph::StreetGraph;
use crate::link::LinkKind;

/// What is searched and how; fixed during a search.
#[derive(Clone, Copy)]
pub(super) struct Setting<'g> {
    pub(super) graph: &'g StreetGraph,
    pub(super) costs: &'g StreetCosts,
    pub(super) stations: Option<&'g LinkedBikeStations>,
    pub(super) ends: &'g Ends,
    pub(super) limits: StreetLimits,
    pub(super) bound: Bound<'g>,
    pub(super) layers: Layers,
    /// Edges whose labels are kept separately from the label of their end vertex, sorted.
    pub(super) slots: &'g [u32],
    /// Only labels marked as restricted have slots.
    pub(super) slots_are_restricted: bool,
    /// Arcs in the direction of the search, and the first one of each vertex.
    pub(super) arcs: &'g [Arc],
    pub(super) first_arc: &'g [u32],
    /// Labels per layer: vertices, then slots, then places.
    pub(super) nodes: u32,
    pub(super) first_place: u32,
    pub(super) limits_driving: bool,
    pub(super) limits_walking: bool,
    /// `previous` of a label is the label before it, so that paths can be traced; otherwise the number of the start.
    pub(super) traces: bool,
    /// The least that a millimetre of street adds to a label's key.
    pub(super) least_per_mm: f64,
    pub(super) interrupted: &'g dyn Fn() -> bool,
    direction: Direction,
}

impl<'g> Setting<'g> {
    pub(super) fn new(query: &StreetQuery<'g>, ends: &'g Ends, direction: Direction) -> Setting<'g> {
        let StreetQuery { graph, costs, stations, limits, objective, interrupted, .. } = *query;
        // Restrictions do not apply to pedestrians, but the reference keeps separate labels for them too.
        let after = direction.is_backward() && costs.street_mode != StreetMode::Walk;
        let slots: &[u32] = if after { &graph.search.after_restrictions } else { &graph.search.restricted };
        let first_place = (graph.vertex_count() + slots.len()) as u32;
        let places = FIRST_STATION + stations.map_or(0, |s| s.stations().len() as u32);
        let (arcs, first_arc) = graph.arcs_of(direction);
        Setting {
            graph,
            costs,
            stations,
            ends,
            limits,
            bound: Bound::None,
            layers: Layers::of(costs.street_mode, stations),
            slots,
            slots_are_restricted: !after,
            arcs,
            first_arc,
            nodes: first_place + places,
            first_place,
            limits_driving: matches!(costs.street_mode, StreetMode::ParkCar | StreetMode::KissAndRide),
            limits_walking: limits.max_walk_distance < f64::INFINITY,
            traces: true,
            least_per_mm: least_per_mm(graph, costs, objective),
            interrupted,
            direction,
        }
    }

    /// What fetches the memory of vertices in advance; `reads_slopes`: those of all arcs too, in the order of these.
    #[inline(always)]
    pub(super) fn ahead(&self, reads_slopes: bool) -> Ahead<'g> {
        let max_slopes = if reads_slopes { self.graph.max_slopes.as_slice() } else { &[] };
        let vertex_flags = self.graph.vertex_flags.as_slice();
        Ahead { arcs: self.arcs, first_arc: self.first_arc, vertex_flags, max_slopes }
    }

    /// Number of labels of all layers.
    pub(super) fn label_count(&self) -> usize {
        self.nodes as usize * self.layers.count as usize
    }

    #[inline(always)]
    pub(super) fn label_of_vertex(&self, layer: u32, vertex: u32) -> u32 {
        layer * self.nodes + vertex
    }

    #[inline(always)]
    pub(super) fn label_of_place(&self, layer: u32, place: u32) -> u32 {
        layer * self.nodes + self.first_place + place
    }

    #[inline(always)]
    pub(super) fn layer_and_node(&self, id: u32) -> (u32, u32) {
        if id < self.nodes { (FIRST_LAYER, id) } else { (id / self.nodes, id % self.nodes) }
    }

    #[inline(always)]
    pub(super) fn slot_edge(&self, node: u32) -> u32 {
        self.slots[node as usize - self.graph.vertex_count()]
    }

    #[inline(always)]
    pub(super) fn slot_vertex(&self, node: u32) -> u32 {
        let edge = self.graph.edge(EdgeIdx(self.slot_edge(node)));
        self.direction.pick(edge.to, edge.from)
    }

    /// Gives each vertex the best of its labels, so that one look-up per vertex is enough.
    pub(super) fn fold_slots<L: Labels>(&self, labels: &mut L) {
        let slots = self.graph.vertex_count() as u32..self.first_place;
        let mut in_slots: Vec<u32> =
            labels.ids().filter(|&id| slots.contains(&self.layer_and_node(id).1)).collect();
        in_slots.sort_unstable();
        for id in in_slots {
            let (layer, node) = self.layer_and_node(id);
            let vertex = self.label_of_vertex(layer, self.slot_vertex(node));
            if let Some(label) = labels.get(id)
                && label.key() < labels.key(vertex)
            {
                labels.set(vertex, label);
            }
        }
    }

    pub(super) fn half(&self, number: u32) -> &'g Half {
        match self.stations {
            Some(stations) if number >= FIRST_STATION_HALF => stations.half(number),
            _ => &self.ends.halves[number as usize],
        }
    }

    /// The street edge, which for a half is the whole edge; none for an event.
    pub(super) fn edge_of(&self, via: ViaKind) -> u32 {
        match via {
            ViaKind::Edge(edge) => edge,
            ViaKind::Half(half) => self.half(half).edge,
            ViaKind::Event(_) => u32::MAX,
        }
    }

    pub(super) fn link_of(&self, place: u32) -> (i32, LinkKind) {
        match (place, self.stations) {
            (place, Some(stations)) if place >= FIRST_STATION => {
                let station = &stations.stations()[(place - FIRST_STATION) as usize].place;
                (station.link_seconds, station.link)
            }
            _ => (self.ends.links[place as usize].seconds, self.ends.links[place as usize].kind),
        }
    }

    /// The bound at a station: the least of those of its joints, so that it stays consistent.
    pub(super) fn bound_at_place(&self, place: u32) -> f64 {
        match (&self.bound, self.stations) {
            (Bound::None | Bound::Potential { .. }, _) | (_, None) => 0.0,
            (bound, Some(stations)) if place >= FIRST_STATION => {
                let station = &stations.stations()[(place - FIRST_STATION) as usize].place;
                match station.vertices.first() {
                    Some(vertex) => bound.at(self.graph, FIRST_LAYER, vertex.0),
                    None => bound.at_position(station.snapped),
                }
            }
            _ => 0.0,
        }
    }
}
