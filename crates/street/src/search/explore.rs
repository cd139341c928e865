//! The label-setting search itself: one loop for all journeys, forward along travel or backward against it.

use super::Objective;
use super::arc::{Arc, arc_bits};
use super::bound::Bound;
use super::label::{Event, Label, Labels, Via, Way, label_flags};
use super::lanes::{FIRST_LANE, Lanes, PARKED_LANE, event_effort};
use super::places::{
    END, Ends, FIRST_STATION, FIRST_STATION_HALF, Half, Joint, RentalStation, RentalStations, StationKind,
};
use super::queue::Queue;
use super::step::{Corner, Use, effort, label_behind, label_over, may_turn};
use crate::cost::{Journey, Ride, StreetCosts, StreetLimits};
use crate::graph::{Edge, EdgeKind, StreetGraph, edge_flags, vertex_flags};
use crate::link::LinkKind;

/// What is searched and how; fixed during a search.
pub(super) struct Setting<'g> {
    pub(super) graph: &'g StreetGraph,
    pub(super) costs: &'g StreetCosts,
    pub(super) stations: Option<&'g RentalStations>,
    pub(super) ends: &'g Ends,
    pub(super) limits: StreetLimits,
    pub(super) bound: Bound,
    pub(super) lanes: Lanes,
    /// Edges whose labels are kept beside the one of their end vertex, sorted.
    slots: &'g [u32],
    /// Only labels marked as restricted have slots.
    slots_are_restricted: bool,
    /// Arcs in the direction of the search, and the first one of each vertex.
    arcs: &'g [Arc],
    first_arc: &'g [u32],
    /// Labels per lane: vertices, then slots, then places.
    pub(super) nodes: u32,
    first_place: u32,
    counts_street_seconds: bool,
    limits_walking: bool,
    /// Labels weigh what they take in seconds.
    by_time: bool,
    backward: bool,
}

impl<'g> Setting<'g> {
    pub(super) fn new(
        graph: &'g StreetGraph,
        costs: &'g StreetCosts,
        stations: Option<&'g RentalStations>,
        ends: &'g Ends,
        limits: StreetLimits,
        objective: Objective,
        backward: bool,
    ) -> Setting<'g> {
        // Restrictions bind no pedestrians, but as in the reference labels over such edges stand beside others.
        let behind = backward && costs.journey != Journey::Walk;
        let slots: &[u32] = if behind { &graph.search.behind_restrictions } else { &graph.search.restricted };
        let first_place = (graph.vertex_count() + slots.len()) as u32;
        let places = FIRST_STATION + stations.map_or(0, |s| s.stations().len() as u32);
        let (arcs, first_arc) = graph.arcs_of(backward);
        Setting {
            graph,
            costs,
            stations,
            ends,
            limits,
            bound: Bound::None,
            lanes: Lanes::of(costs.journey, stations),
            slots,
            slots_are_restricted: !behind,
            arcs,
            first_arc,
            nodes: first_place + places,
            first_place,
            counts_street_seconds: matches!(costs.journey, Journey::ParkCar | Journey::KissAndRide),
            limits_walking: limits.max_walk_distance < f64::INFINITY,
            by_time: objective == Objective::Time,
            backward,
        }
    }

    /// Number of labels of all lanes.
    pub(super) fn label_count(&self) -> usize {
        self.nodes as usize * self.lanes.count as usize
    }

    pub(super) fn label_of_vertex(&self, lane: u32, vertex: u32) -> u32 {
        lane * self.nodes + vertex
    }

    pub(super) fn label_of_place(&self, lane: u32, place: u32) -> u32 {
        lane * self.nodes + self.first_place + place
    }

    /// Lane and node of a label.
    #[inline(always)]
    pub(super) fn lane_and_node(&self, id: u32) -> (u32, u32) {
        if id < self.nodes { (FIRST_LANE, id) } else { (id / self.nodes, id % self.nodes) }
    }

    /// The vertex of a label that has a slot.
    pub(super) fn slot_vertex(&self, label: &Label) -> u32 {
        match label.via.way() {
            Way::Edge(edge) if self.backward => self.graph.edges[edge as usize].from,
            Way::Edge(edge) => self.graph.edges[edge as usize].to,
            Way::Half(_) | Way::Event(_) => 0,
        }
    }

    /// Labels of slots and the vertices they belong to, per lane.
    pub(super) fn slot_labels(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.lanes.count).flat_map(move |lane| {
            self.slots.iter().enumerate().map(move |(i, &edge)| {
                let record = &self.graph.edges[edge as usize];
                let vertex = if self.backward { record.from } else { record.to };
                (lane * self.nodes + (self.graph.vertex_count() + i) as u32, lane * self.nodes + vertex)
            })
        })
    }

    /// The place of a node behind the slots.
    pub(super) fn place_of(&self, node: u32) -> Option<u32> {
        node.checked_sub(self.first_place)
    }

    pub(super) fn half(&self, number: u32) -> &'g Half {
        match self.stations {
            Some(stations) if number >= FIRST_STATION_HALF => stations.half(number),
            _ => &self.ends.halves[number as usize],
        }
    }

    /// The street edge of a way, or of the whole that a half belongs to.
    fn edge_of(&self, way: Way) -> u32 {
        match way {
            Way::Edge(edge) => edge,
            Way::Half(half) => self.half(half).edge,
            Way::Event(_) => u32::MAX,
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

    /// The corner of a label at a vertex.
    #[inline(always)]
    pub(super) fn corner(&self, label: &Label, vertex: u32) -> Corner {
        let edge = self.edge_of(label.via.way());
        Corner::new(self.graph, vertex, label, edge, || self.ends.touch(vertex))
    }
}

/// Where a label is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Node {
    Vertex(u32),
    Place(u32),
}

/// Where a search stands while it looks around.
#[derive(Clone, Copy)]
struct Stand<'l> {
    id: u32,
    label: &'l Label,
    lane: u32,
    ride: Ride,
    corner: Corner,
    vertex: u32,
}

/// A running search.
pub(super) struct Exploration<'s, 'g, const BACKWARD: bool> {
    pub(super) setting: Setting<'g>,
    pub(super) labels: &'s mut Labels,
    pub(super) queue: &'s mut Queue,
}

impl<'s, 'g, const BACKWARD: bool> Exploration<'s, 'g, BACKWARD> {
    pub(super) fn new(
        setting: Setting<'g>,
        labels: &'s mut Labels,
        queue: &'s mut Queue,
    ) -> Exploration<'s, 'g, BACKWARD> {
        labels.begin(setting.label_count());
        queue.clear();
        Exploration { setting, labels, queue }
    }

    /// Puts a start label at a vertex or place.
    pub(super) fn start(&mut self, node: Node, label: Label) {
        self.offer(self.setting.lanes.start(BACKWARD), node, label);
    }

    /// Settles the cheapest open label and goes on from it.
    #[inline]
    pub(super) fn advance(&mut self) -> Option<(u32, Label, Node)> {
        let (id, label) = loop {
            let id = self.queue.pop()?;
            if let Some(label) = self.labels.settle(id) {
                break (id, label);
            }
        };
        let (lane, node) = self.setting.lane_and_node(id);
        let vertices = self.setting.graph.vertex_count() as u32;
        if node < vertices {
            self.expand_vertex(id, &label, lane, node);
            return Some((id, label, Node::Vertex(node)));
        }
        if node >= self.setting.first_place {
            let place = node - self.setting.first_place;
            self.expand_place(id, &label, lane, place);
            return Some((id, label, Node::Place(place)));
        }
        let edge = &self.setting.graph.edges[self.setting.slots[(node - vertices) as usize] as usize];
        let vertex = if BACKWARD { edge.from } else { edge.to };
        if self.labels.weight(self.setting.label_of_vertex(lane, vertex)) > label.weight {
            self.expand_vertex(id, &label, lane, vertex);
        }
        Some((id, label, Node::Vertex(vertex)))
    }

    fn expand_vertex(&mut self, id: u32, label: &Label, lane: u32, vertex: u32) {
        let setting = &self.setting;
        let (graph, journey) = (setting.graph, setting.lanes.journey);
        let ride = setting.lanes.ride(lane);
        let stand = Stand { id, label, lane, ride, corner: setting.corner(label, vertex), vertex };
        let v = vertex as usize;
        let range = setting.first_arc[v] as usize..setting.first_arc[v + 1] as usize;
        let arcs: &'g [Arc] = &setting.arcs[range.clone()];
        for (i, arc) in range.zip(arcs) {
            let edge = if BACKWARD { graph.in_edges[i] } else { i as u32 };
            self.use_edge(&stand, edge, arc);
        }
        for i in 0..self.setting.ends.arriving.len() {
            let joint = self.setting.ends.arriving[i];
            if joint.vertex == vertex {
                self.use_joint(&stand, joint, Node::Place(joint.place));
            }
        }
        let wanted = match journey {
            Journey::RentedBicycle => Some(StationKind::Rental),
            Journey::ParkBicycle => Some(StationKind::BikePark),
            _ => None,
        };
        if wanted.is_some()
            && let Some(stations) = self.setting.stations
        {
            // Behind one link there is no other; the station at this very vertex needs none.
            let linked = label.has(label_flags::STATION_LINK);
            for &joint in stations.joints_at(vertex, BACKWARD) {
                let reached = !linked || self.setting.link_of(joint.place).1 != LinkKind::Station;
                if reached && Some(stations.at(joint.place).kind) == wanted {
                    self.use_joint(&stand, joint, Node::Place(joint.place));
                }
            }
        }
        if journey == Journey::ParkBicycle
            && graph.vertex_flags[v] & vertex_flags::BIKE_PARK != 0
            && let Some(other) = self.setting.lanes.behind_parking(lane, BACKWARD)
        {
            self.change_lane(id, label, other, Node::Vertex(vertex), Event::BikePark);
        }
    }

    #[inline(always)]
    fn use_edge(&mut self, stand: &Stand, edge: u32, arc: &Arc) {
        let record = &self.setting.graph.edges[edge as usize];
        if arc.has(arc_bits::SPECIAL) {
            return self.use_other_edge(stand, edge, record);
        }
        let (via, end) = (Via::edge(edge), Node::Vertex(arc.end));
        self.use_street(stand, via, edge, *arc, record, end);
        let gets_out = !BACKWARD
            && self.setting.lanes.journey == Journey::KissAndRide
            && stand.lane == FIRST_LANE
            && !arc.permits(edge_flags::CAR);
        if gets_out {
            let on_foot = Stand { lane: PARKED_LANE, ride: Ride::Foot, ..*stand };
            self.use_street(&on_foot, via, edge, *arc, record, end);
        }
    }

    #[inline(always)]
    fn use_street(&mut self, stand: &Stand, via: Via, edge: u32, arc: Arc, record: &'g Edge, end: Node) {
        let setting = &self.setting;
        let (graph, label) = (setting.graph, stand.label);
        // Most streets lead back to where others have been already; no step is cheaper than nothing.
        if let Node::Vertex(vertex) = end
            && self.labels.weight(setting.label_of_vertex(stand.lane, vertex)) <= label.weight
        {
            return;
        }
        let Some(step) = Use::new(graph, setting.costs, stand.ride, (edge, arc, record)) else { return };
        if !may_turn::<BACKWARD>(graph, setting.costs, label, &stand.corner, &step) {
            return;
        }
        let end_flags = || match end {
            Node::Vertex(vertex) => graph.vertex_flags[vertex as usize],
            Node::Place(_) => 0,
        };
        let Some(mut new) = label_behind::<BACKWARD>(label, &step, stand.vertex, end_flags) else { return };
        let effort = effort::<BACKWARD>(graph, setting.costs, label, &stand.corner, &step);
        new.seconds = label.seconds + effort.seconds;
        new.weight = label.weight + effort.weight;
        new.walk = label.walk + effort.walk as f32;
        if setting.limits_walking && f64::from(new.walk) >= setting.limits.max_walk_distance {
            new.weight += setting.limits.overage(f64::from(label.walk), f64::from(new.walk));
            if new.weight >= setting.limits.max_cost_beyond {
                return;
            }
        }
        if setting.counts_street_seconds {
            new.street_seconds = label.street_seconds.saturating_add(effort.seconds.clamp(0, 65_535) as u16);
            if i32::from(new.street_seconds) > setting.limits.max_pre_transit_seconds {
                return;
            }
        }
        new.previous = stand.id;
        new.via = via;
        self.offer(stand.lane, end, new);
    }

    /// Edges that are no streets: elevators, lots, links.
    #[cold]
    fn use_other_edge(&mut self, stand: &Stand, edge: u32, record: &Edge) {
        let end = Node::Vertex(if BACKWARD { record.from } else { record.to });
        let Stand { id, label, lane, ride, .. } = *stand;
        let Some(over) = label_over(self.setting.costs, ride, label, record) else { return };
        let lane = match record.kind() {
            EdgeKind::ParkAndRide if self.setting.lanes.journey != Journey::ParkCar => return,
            EdgeKind::ParkAndRide => match self.setting.lanes.behind_parking(lane, BACKWARD) {
                Some(other) => other,
                None => return,
            },
            _ => lane,
        };
        self.offer(lane, end, Label { previous: id, via: Via::edge(edge), ..over });
    }

    /// From a place onto the streets; at a station also taking, returning or parking a bike.
    fn expand_place(&mut self, id: u32, label: &Label, lane: u32, place: u32) {
        if place == END {
            return;
        }
        if place >= FIRST_STATION {
            self.use_station(id, label, lane, place);
        }
        // A station is no short cut: it is left only after something was done there.
        let done = [Event::RentalPickup, Event::RentalDropoff, Event::BikePark].map(Via::event);
        if place >= FIRST_STATION && !done.contains(&label.via) {
            return;
        }
        let corner = Corner { free: true, light: false, edge: u32::MAX };
        let ride = self.setting.lanes.ride(lane);
        let stand = Stand { id, label, lane, ride, corner, vertex: u32::MAX };
        let joints: &'g [Joint] = match self.setting.stations {
            Some(stations) if place >= FIRST_STATION => stations.joints_of(place, BACKWARD),
            _ => &self.setting.ends.leaving,
        };
        for &joint in joints {
            self.use_joint(&stand, joint, Node::Vertex(joint.vertex));
        }
    }

    /// Between a vertex and a place, in the direction of the search.
    fn use_joint(&mut self, stand: &Stand, joint: Joint, end: Node) {
        let (seconds, kind) = self.setting.link_of(joint.place);
        let label = stand.label;
        let linked =
            Label { weight: label.weight + f64::from(seconds), seconds: label.seconds + seconds, ..*label };
        if joint.half == u32::MAX {
            let station = if kind == LinkKind::Station { label_flags::STATION_LINK } else { 0 };
            let new = Label {
                previous: stand.id,
                via: Via::event(Event::Link),
                flags: label.flags & label_flags::ENTERED_NO_THROUGH | station,
                far: u32::MAX,
                ..linked
            };
            return self.offer(stand.lane, end, new);
        }
        let half = self.setting.half(joint.half);
        let record = &half.record;
        // Turning round is judged by the whole edge.
        let vertex = if BACKWARD { record.to } else { record.from };
        let stand = Stand { label: &linked, vertex, ..*stand };
        let arc = Arc::of(record, BACKWARD);
        self.use_street(&stand, Via::half(joint.half), half.edge, arc, record, end);
    }

    fn use_station(&mut self, id: u32, label: &Label, lane: u32, place: u32) {
        let Some(stations) = self.setting.stations else { return };
        let station = stations.at(place);
        match station.kind {
            StationKind::Rental => self.rent_or_return(id, label, lane, place, station),
            StationKind::BikePark if !station.has_spaces => {}
            StationKind::BikePark => {
                if let Some(other) = self.setting.lanes.behind_parking(lane, BACKWARD) {
                    self.change_lane(id, label, other, Node::Place(place), Event::BikePark);
                }
            }
        }
    }

    fn rent_or_return(&mut self, id: u32, label: &Label, lane: u32, place: u32, station: &RentalStation) {
        let Some(stations) = self.setting.stations else { return };
        let takes = |networks: u32| station.has_bikes && station.networks == networks;
        let returns =
            |networks: u32| station.has_spaces && station.allow_dropoff && station.networks & networks != 0;
        for (i, &networks) in stations.network_sets().iter().enumerate() {
            let riding = i as u32 + 1;
            let (mounts, leaves) = (lane == FIRST_LANE, lane == riding);
            // Against travel a bike is first "returned" where the ride ends, and "taken" where it began.
            if (if BACKWARD { leaves } else { mounts }) && takes(networks) {
                let to = if BACKWARD { FIRST_LANE } else { riding };
                self.change_lane(id, label, to, Node::Place(place), Event::RentalPickup);
            }
            if (if BACKWARD { mounts } else { leaves }) && returns(networks) {
                let to = if BACKWARD { riding } else { FIRST_LANE };
                self.change_lane(id, label, to, Node::Place(place), Event::RentalDropoff);
            }
        }
    }

    fn change_lane(&mut self, id: u32, label: &Label, lane: u32, node: Node, event: Event) {
        let (seconds, weight) = event_effort(self.setting.costs, event);
        let new = Label {
            weight: label.weight + weight,
            seconds: label.seconds + seconds,
            previous: id,
            via: Via::event(event),
            flags: label.flags & label_flags::ENTERED_NO_THROUGH,
            far: u32::MAX,
            ..*label
        };
        self.offer(lane, node, new);
    }

    /// Keeps the label if nothing comparable is as good.
    #[inline(always)]
    fn offer(&mut self, lane: u32, end: Node, mut new: Label) {
        let setting = &self.setting;
        if setting.by_time {
            new.weight = f64::from(new.seconds);
        }
        if new.seconds > setting.limits.max_seconds {
            return;
        }
        let (id, rest) = match end {
            Node::Vertex(vertex) => {
                let id = setting.label_of_vertex(lane, vertex);
                if self.labels.weight(id) <= new.weight {
                    return;
                }
                let id = match self.slot(&new) {
                    Some(slot) => lane * setting.nodes + slot,
                    None => id,
                };
                (id, setting.bound.at(setting.graph, vertex))
            }
            Node::Place(END) => (setting.label_of_place(lane, END), 0.0),
            Node::Place(place) => (setting.label_of_place(lane, place), setting.bound_at_place(place)),
        };
        if self.labels.weight(id) <= new.weight {
            return;
        }
        let key = new.weight + rest;
        self.labels.set(id, Label { flags: new.flags & !label_flags::SETTLED, ..new });
        self.queue.push(key, id);
    }

    /// The node of its own that a label over a restricted edge has.
    #[inline(always)]
    fn slot(&self, new: &Label) -> Option<u32> {
        if self.setting.slots.is_empty() || !new.has(label_flags::STREET) {
            return None;
        }
        let Way::Edge(edge) = new.via.way() else { return None };
        if self.setting.slots_are_restricted && !new.has(label_flags::RESTRICTED) {
            return None;
        }
        let slot = self.setting.slots.binary_search(&edge).ok()?;
        Some(self.setting.graph.vertex_count() as u32 + slot as u32)
    }
}

impl Setting<'_> {
    /// The bound at a station: the least of those of its joints, so that it stays consistent.
    fn bound_at_place(&self, place: u32) -> f64 {
        match (&self.bound, self.stations) {
            (Bound::None, _) | (_, None) => 0.0,
            (bound, Some(stations)) if place >= FIRST_STATION => {
                let position = stations.stations()[(place - FIRST_STATION) as usize].place.snapped;
                bound.at_position(position)
            }
            _ => 0.0,
        }
    }
}
