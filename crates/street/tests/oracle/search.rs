//! Dijkstra's algorithm over hash maps, with the labels of the searches.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use trestle_model::ids::EdgeIdx;
use trestle_street::cost::StreetMode;
use trestle_street::graph::{EdgeKind, edge_flags, vertex_flags};

use super::{Means, Node, Oracle, OracleLabel, State, Ties};

pub(super) struct Search<'o> {
    oracle: &'o Oracle<'o>,
    pub(super) best: HashMap<State, OracleLabel>,
    open: BinaryHeap<Reverse<(u32, u64, State)>>,
    offers: u64,
}

impl<'o> Search<'o> {
    pub(super) fn new(oracle: &'o Oracle<'o>) -> Self {
        Search { oracle, best: HashMap::new(), open: BinaryHeap::new(), offers: 0 }
    }

    fn cost(&self, state: State) -> f64 {
        self.best.get(&state).map_or(f64::INFINITY, |label| label.cost)
    }

    pub(super) fn offer(&mut self, (layer, node): State, label: OracleLabel) {
        let oracle = self.oracle;
        if label.seconds > oracle.limits.max_seconds {
            return;
        }
        let cost = if oracle.by_time { f64::from(label.seconds) } else { label.cost };
        let at_vertex = oracle.vertex_of(node).map(|vertex| self.cost((layer, Node::Vertex(vertex))));
        if at_vertex.is_some_and(|known| known <= cost) {
            return;
        }
        let node = match (label.street, node) {
            (Some((edge, _)), Node::Vertex(_)) if oracle.is_apart(edge) => Node::Over(edge as u32),
            _ => node,
        };
        if self.cost((layer, node)) <= cost {
            return;
        }
        self.offers += 1;
        self.best.insert((layer, node), OracleLabel { cost, settled: false, ..label });
        let key = if oracle.ties == Ties::ByNumber { (cost as f32).to_bits() } else { cost as u32 };
        let tie = if oracle.ties == Ties::ByNumber { 0 } else { u64::MAX - self.offers };
        self.open.push(Reverse((key, tie, (layer, node))));
    }

    pub(super) fn run(&mut self) {
        while let Some(Reverse((_, _, state))) = self.open.pop() {
            let label = self.best.get_mut(&state).unwrap();
            if std::mem::replace(&mut label.settled, true) {
                continue;
            }
            let (label, (layer, node)) = (*label, state);
            match node {
                Node::Station(station) => self.at_station(layer, station, label),
                Node::Vertex(vertex) => self.at_vertex(layer, vertex, label),
                Node::Over(edge) => {
                    let vertex = self.oracle.end_of(edge as usize);
                    if self.cost((layer, Node::Vertex(vertex))) > label.cost {
                        self.at_vertex(layer, vertex, label);
                    }
                }
            }
        }
    }

    fn at_vertex(&mut self, layer: usize, vertex: u32, label: OracleLabel) {
        let oracle = self.oracle;
        for edge in oracle.edges_at(vertex) {
            let record = oracle.graph.edge(EdgeIdx::from(edge));
            if record.kind() != EdgeKind::Street {
                self.over_other(layer, edge, label);
                continue;
            }
            self.over_street(layer, layer, edge, (vertex, label));
            let gets_out =
                oracle.street_mode == StreetMode::KissAndRide && layer == usize::from(oracle.backward);
            if gets_out && !record.has(edge_flags::CAR) {
                self.over_street(1, 1 - layer, edge, (vertex, label));
            }
        }
        if oracle.street_mode == StreetMode::RentedBicycle {
            for (number, _) in oracle.stations.iter().enumerate().filter(|(_, at)| **at == vertex) {
                let there = OracleLabel { street: None, after_link: false, at_station_done: false, ..label };
                self.offer((layer, Node::Station(number)), there);
            }
        }
        let parks = oracle.street_mode == StreetMode::ParkBicycle && layer == usize::from(oracle.backward);
        if parks && oracle.graph.vertex_flags[vertex as usize] & vertex_flags::BIKE_PARK != 0 {
            let (seconds, cost) = (oracle.request.bike_park_time, oracle.request.bike_park_cost);
            self.offer((1 - layer, Node::Vertex(vertex)), label.after_event(seconds, cost));
        }
    }

    fn over_street(&mut self, layer: usize, into: usize, edge: usize, (vertex, label): (u32, OracleLabel)) {
        let oracle = self.oracle;
        let (graph, request) = (oracle.graph, oracle.request);
        let record = graph.edge(EdgeIdx::from(edge));
        let Some(means) = oracle.means(layer, &record) else { return };
        let (time, mut cost) = oracle.street(means, &record);
        let (mut seconds, mut walk) =
            (time.ceil() as i32, if means == Means::Car { 0.0 } else { record.length_m() });
        if let Some((last, last_means)) = label.street {
            if oracle.begin_of(last) == oracle.end_of(edge) {
                return;
            }
            let (first, second) = if oracle.backward { (edge, last) } else { (last, edge) };
            let second_means = if oracle.backward { last_means } else { means };
            let elapsed = if oracle.backward { -label.seconds } else { label.seconds };
            if oracle.is_restricted(first, second, second_means, elapsed) {
                return;
            }
            let flags = graph.vertex_flags[vertex as usize];
            if flags & (vertex_flags::SPLIT | vertex_flags::ELEVATOR | vertex_flags::FREE_FLOWING) == 0 {
                let light = flags & vertex_flags::TRAFFIC_LIGHT != 0;
                let turn = oracle.turn(
                    &graph.edge(EdgeIdx::from(first)),
                    &graph.edge(EdgeIdx::from(second)),
                    second_means,
                    light,
                );
                seconds += turn.ceil() as i32;
                cost += turn * request.turn_reluctance;
                walk += if means == Means::Car { 0.0 } else { turn / 100.0 };
            }
            let both = [means, last_means];
            if both.contains(&Means::Bicycle)
                && both.contains(&Means::WalkedBicycle)
                && oracle.street_mode != StreetMode::RentedBicycle
            {
                seconds += request.bike_switch_time;
                cost += request.bike_switch_cost;
            }
        }
        let mut new = OracleLabel { street: Some((edge, means)), after_link: false, ..label };
        if record.has(edge_flags::NO_THROUGH) {
            let was_open = label
                .street
                .is_some_and(|(last, _)| !graph.edge(EdgeIdx::from(last)).has(edge_flags::NO_THROUGH));
            new.entered_private |= was_open;
            let open_again = graph.vertex_flags[oracle.end_of(edge) as usize] & vertex_flags::THROUGH != 0;
            if new.entered_private && open_again {
                return;
            }
        }
        new.cost += cost;
        new.seconds += seconds;
        new.walk += walk as f32;
        let (limit, before, after) =
            (oracle.limits.max_walk_distance, f64::from(label.walk), f64::from(new.walk));
        if after >= limit {
            new.cost += if before <= limit && after > limit {
                60.0 + 5.0 * (after - limit)
            } else {
                5.0 * (after - before)
            };
            if new.cost >= oracle.limits.max_cost_beyond {
                return;
            }
        }
        if matches!(oracle.street_mode, StreetMode::ParkCar | StreetMode::KissAndRide) {
            new.street_seconds += seconds;
            if new.street_seconds > oracle.limits.max_pre_transit_seconds {
                return;
            }
        }
        self.offer((into, Node::Vertex(oracle.end_of(edge))), new);
    }

    fn over_other(&mut self, layer: usize, edge: usize, label: OracleLabel) {
        let oracle = self.oracle;
        let record = oracle.graph.edge(EdgeIdx::from(edge));
        let kind = record.kind();
        let Some((seconds, cost, walk)) = oracle.other(layer, &record) else { return };
        if kind == EdgeKind::StationLink && label.after_link {
            return;
        }
        let parks = kind == EdgeKind::ParkAndRide;
        if parks && (oracle.street_mode != StreetMode::ParkCar || layer != usize::from(oracle.backward)) {
            return;
        }
        let new = label.after_event(seconds, cost);
        let new =
            OracleLabel { walk: new.walk + walk as f32, after_link: kind == EdgeKind::StationLink, ..new };
        self.offer((if parks { 1 - layer } else { layer }, Node::Vertex(oracle.end_of(edge))), new);
    }

    /// Takes or returns a bike; a station cannot be left without one of these.
    fn at_station(&mut self, layer: usize, station: usize, label: OracleLabel) {
        let request = self.oracle.request;
        let (seconds, cost) = if (layer == 0) != self.oracle.backward {
            (request.bike_rental_pickup_time, request.bike_rental_pickup_cost)
        } else {
            (request.bike_rental_dropoff_time, request.bike_rental_dropoff_cost)
        };
        let done = OracleLabel { at_station_done: true, ..label.after_event(seconds, cost) };
        self.offer((1 - layer, Node::Station(station)), done);
        if label.at_station_done {
            let left = OracleLabel { at_station_done: false, ..label };
            self.offer((layer, Node::Vertex(self.oracle.stations[station])), left);
        }
    }
}

impl Oracle<'_> {
    /// Whether the label over an edge is kept in addition to the one of its vertex: where a restriction starts, or where one
    /// ends for vehicles in backward searches.
    fn is_apart(&self, edge: usize) -> bool {
        let restrictions = &self.graph.restrictions;
        let ends_one = self.backward && self.street_mode != StreetMode::Walk;
        self.ties == Ties::ByNumber
            && if ends_one {
                let corner = self.graph.edge(EdgeIdx::from(edge)).from;
                restrictions.iter().any(|r| self.graph.arcs[r.from as usize].end == corner)
            } else {
                self.graph.edge(EdgeIdx::from(edge)).has(edge_flags::RESTRICTED)
            }
    }
}

impl OracleLabel {
    /// The label after something that is not a street.
    fn after_event(self, seconds: i32, cost: f64) -> OracleLabel {
        OracleLabel {
            cost: self.cost + cost,
            seconds: self.seconds + seconds,
            street: None,
            after_link: false,
            ..self
        }
    }
}
