//! Traces the path of a label: collects the steps back to the start and replays them in travel order.

use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_model::{Directed, Direction, Forward, Mode};

use super::dijkstra::Node;
use super::label::{Event, Label, LastStreet, Via, ViaKind, label_flags};
use super::layers::{PARKED_LAYER, event_effort};
use super::path_labels::{PathLabel, PathLabels};
use super::places::FIRST_STATION;
use super::setting::Setting;
use super::step::{Corner, Use, effort, last_street};
use crate::arc::Arc;
use crate::cost::{Effort, Means, StreetMode, TraverseMode};
use crate::graph::EdgeKind;
use crate::link::LinkKind;
use crate::path::{StreetPath, Traversal, TraversalKind};
use crate::street_record::StreetRecord;

/// One step of a path, in travel order.
#[derive(Clone, Copy, Debug)]
struct Step {
    via: ViaKind,
    layer: u32,
    from: Node,
    to: Node,
}

/// Adds up a path while it is replayed.
struct Replay<'a, 'g> {
    setting: &'a Setting<'g>,
    label: PathLabel,
    layer: u32,
    path: StreetPath,
}

/// The path of a label in travel order. Turns and times are those of the travel, even after a backward search.
pub(super) fn trace<D: Directed>(setting: &Setting, labels: &PathLabels, last: u32) -> StreetPath {
    let steps = steps::<D>(setting, labels, last);
    let layer = steps.first().map_or(setting.layers.start(Direction::Forward), |step| step.layer);
    let mut replay = Replay { setting, label: PathLabel::START, layer, path: StreetPath::default() };
    for step in steps {
        replay.add(step);
    }
    let mut path = replay.path;
    path.seconds = path.traversals.iter().map(|t| t.seconds).sum();
    path.weight = path.traversals.iter().map(|t| t.weight).sum();
    path.walk_distance_m = path.traversals.iter().map(|t| t.walk_distance_m).sum();
    path
}

/// Metres of the street edges of a label's path.
pub(super) fn street_meters(setting: &Setting, labels: &PathLabels, last: u32) -> f64 {
    let mut meters = 0.0;
    let mut next = labels.known(last);
    while let Some(label) = next {
        meters += match label.via.kind() {
            ViaKind::Edge(edge) => setting.graph.edge(EdgeIdx(edge)).length_m(),
            ViaKind::Half(half) => setting.half(half).record.length_m(),
            ViaKind::Event(_) => 0.0,
        };
        next = labels.known(label.previous);
    }
    meters
}

fn steps<D: Directed>(setting: &Setting, labels: &PathLabels, last: u32) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut id = last;
    while let Some(label) = labels.known(id) {
        if label.previous == u32::MAX {
            break;
        }
        let (here, there) = (setting.node_of(id), setting.node_of(label.previous));
        let (from, to) = if D::is_backward() { (here, there) } else { (there, here) };
        let layer = setting.layer_and_node(id).0;
        steps.push(Step { via: label.via.kind(), layer, from, to });
        id = label.previous;
    }
    if D::DIRECTION == Direction::Forward {
        steps.reverse();
    }
    steps
}

impl Setting<'_> {
    /// Where a label is in the graph.
    fn node_of(&self, id: u32) -> Node {
        let (_, node) = self.layer_and_node(id);
        let vertices = self.graph.vertex_count() as u32;
        if node < vertices {
            return Node::Vertex(node);
        }
        // Places are numbered after the slots.
        match node.checked_sub(self.first_place) {
            Some(place) => Node::Place(place),
            None => Node::Vertex(self.slot_vertex(node)),
        }
    }
}

impl Replay<'_, '_> {
    fn add(&mut self, step: Step) {
        // An event is noted with the layer before it, everything else with its own, in searches from both ends.
        if matches!(step.via, ViaKind::Edge(_) | ViaKind::Half(_) | ViaKind::Event(Event::Link)) {
            self.layer = step.layer;
        }
        match step.via {
            ViaKind::Edge(edge) if self.setting.graph.edge(EdgeIdx(edge)).kind() == EdgeKind::Street => {
                self.get_out(step.layer);
                self.street(step, edge, (0.0, 1.0), None);
            }
            ViaKind::Edge(edge) => self.other_edge(step, edge),
            ViaKind::Half(half) => {
                let part = self.setting.half(half);
                self.link(step.from);
                self.get_out(step.layer);
                self.street(step, part.edge, (part.from_fraction, part.to_fraction), Some(half));
                self.link(step.to);
            }
            ViaKind::Event(Event::Link) => {
                // An end of the request that is a station is there without its link.
                if !matches!((step.from, step.to), (Node::Place(_), Node::Place(_))) {
                    self.link(step.from);
                    self.link(step.to);
                }
                self.forget_street();
            }
            ViaKind::Event(event) => self.event(step, event),
        }
        self.layer = step.layer;
    }

    /// Adds the change from driving to walking (kiss and ride) as an event without duration.
    fn get_out(&mut self, layer: u32) {
        let leaves_car = self.setting.layers.street_mode == StreetMode::KissAndRide
            && layer == PARKED_LAYER
            && self.label.has(label_flags::CAR);
        if leaves_car {
            self.push(TraversalKind::CarDropoff, Mode::LegSwitch, Effort::default());
        }
    }

    fn street(&mut self, step: Step, edge: u32, (from, to): (f64, f64), half: Option<u32>) {
        let setting = self.setting;
        let record = match half {
            Some(half) => setting.half(half).record,
            None => setting.graph.edge(EdgeIdx(edge)),
        };
        let mode = setting.layers.mode(step.layer);
        let of = (edge, Arc::of(&record, Direction::Forward), StreetRecord::Given(&record));
        let Some(used) = Use::new(setting.graph, setting.costs, mode, of) else { return };
        let last = setting.edge_of(self.label.via.kind());
        let touched = || setting.ends.touch(record.from);
        let corner = Corner::new(setting.graph, record.from, &self.label, last, touched);
        let effort = effort::<_, Forward>(setting.graph, setting.costs, &self.label, &corner, &used);
        let mode = match used.means {
            Means::Foot | Means::WalkedBicycle => Mode::Walk,
            Means::Bicycle => Mode::Bicycle,
            Means::Car => Mode::Car,
        };
        self.path.traversals.push(Traversal {
            edge: EdgeIdx(edge),
            from_fraction: from as f32,
            to_fraction: to as f32,
            kind: TraversalKind::Street,
            mode,
            renting: self.renting(step.layer),
            seconds: effort.seconds,
            weight: effort.weight,
            length_m: record.length_m(),
            walk_distance_m: effort.walk,
            end_vertex: vertex(step.to),
            station: None,
        });
        let via = half.map_or(Via::edge(edge), Via::half);
        let last =
            last_street::<Forward>(self.label.last, &used, record.from, || 0).unwrap_or(self.label.last);
        (self.label.via, self.label.last) = (via, last);
    }

    fn other_edge(&mut self, step: Step, edge: u32) {
        let setting = self.setting;
        let record = setting.graph.edge(EdgeIdx(edge));
        let mode = setting.layers.mode(step.layer);
        let effort = setting.costs.other_edge(mode, &record).unwrap_or_default();
        let moving = match mode {
            TraverseMode::Car => Mode::Car,
            // The traveller's own bike is ridden to its park, but a rented one is walked to its station.
            TraverseMode::Bicycle
                if record.kind() == EdgeKind::StationLink
                    && setting.layers.street_mode == StreetMode::ParkBicycle =>
            {
                Mode::Bicycle
            }
            TraverseMode::Bicycle | TraverseMode::Foot => Mode::Walk,
        };
        let (kind, mode) = match record.kind() {
            EdgeKind::ParkAndRide => (TraversalKind::CarPark, Mode::LegSwitch),
            EdgeKind::ParkAndRideLink | EdgeKind::StationLink => (TraversalKind::StationLink, moving),
            EdgeKind::ElevatorBoard | EdgeKind::ElevatorHop | EdgeKind::ElevatorAlight => {
                (TraversalKind::Elevator, moving)
            }
            EdgeKind::Free | EdgeKind::Street => (TraversalKind::Free, moving),
        };
        self.push(kind, mode, effort);
        if let Some(last) = self.path.traversals.last_mut() {
            last.edge = EdgeIdx(edge);
            last.end_vertex = vertex(step.to);
        }
        self.forget_street();
    }

    fn event(&mut self, step: Step, event: Event) {
        let (kind, mode) = match event {
            Event::RentalPickup => (TraversalKind::RentalPickup, Mode::Walk),
            Event::RentalDropoff => (TraversalKind::RentalDropoff, Mode::Walk),
            Event::BikePark => (TraversalKind::BikePark, Mode::LegSwitch),
            Event::Start | Event::Link => return,
        };
        self.push(kind, mode, event_effort(self.setting.costs, event));
        if let (Some(last), Node::Place(place)) = (self.path.traversals.last_mut(), step.to) {
            last.station = place.checked_sub(FIRST_STATION);
        }
        self.forget_street();
    }

    /// Adds the link of a node that is a place.
    fn link(&mut self, node: Node) {
        let Node::Place(place) = node else { return };
        let (seconds, kind) = self.setting.link_of(place);
        let link = Effort { seconds, weight: f64::from(seconds), walk: 0.0 };
        match kind {
            LinkKind::Free => {}
            LinkKind::Stop => {
                self.push(TraversalKind::StopLink, Mode::LegSwitch, link);
            }
            LinkKind::Station => {
                // The link of a bike park belongs neither to the cycling leg nor to the walk after it.
                let parks = self.setting.layers.street_mode == StreetMode::ParkBicycle;
                let mode = if parks { Mode::LegSwitch } else { Mode::Walk };
                self.push(TraversalKind::StationLink, mode, link);
            }
        }
    }

    /// After an event or link no turn is counted.
    fn forget_street(&mut self) {
        self.label.last = LastStreet::NONE;
    }

    fn renting(&self, layer: u32) -> bool {
        self.setting.layers.street_mode == StreetMode::RentedBicycle
            && self.setting.layers.mode(layer) == TraverseMode::Bicycle
    }

    fn push(&mut self, kind: TraversalKind, mode: Mode, effort: Effort) {
        self.path.traversals.push(Traversal {
            kind,
            mode,
            seconds: effort.seconds,
            weight: effort.weight,
            walk_distance_m: effort.walk,
            renting: self.renting(self.layer),
            ..Traversal::event()
        });
    }
}

fn vertex(node: Node) -> VertexIdx {
    match node {
        Node::Vertex(vertex) => VertexIdx(vertex),
        Node::Place(_) => VertexIdx::NONE,
    }
}
