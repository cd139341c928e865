//! Dijkstra's algorithm over hash maps, with the labels of the searches.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use trestle_model::ids::EdgeIdx;
use trestle_street::cost::StreetMode;
use trestle_street::graph::{EdgeKind, edge_flags, vertex_flags};

use super::places::{END, Joint, START, is_open, network_sets};
use super::{Means, Node, Oracle, OracleLabel, State, Street, Ties};

/// A label's number in its bag: its seconds driven where these are limited for many starts, 0 elsewhere.
type Number = i32;

pub(super) struct Search<'o> {
    oracle: &'o Oracle<'o>,
    /// Labels of one state: none has a cost and seconds driven as low as those of another one.
    pub(super) bags: HashMap<State, BTreeMap<Number, OracleLabel>>,
    has_bags: bool,
    open: BinaryHeap<Reverse<(u32, u64, State, Number)>>,
    offers: u64,
    to_places: HashMap<u32, Vec<Joint>>,
    /// Vertices to which an end of the search is joined.
    touched: Vec<u32>,
}

impl<'o> Search<'o> {
    pub(super) fn new(oracle: &'o Oracle<'o>, starts: usize) -> Self {
        let drives = matches!(oracle.street_mode, StreetMode::ParkCar | StreetMode::KissAndRide)
            && oracle.limits.max_pre_transit_seconds < i32::MAX;
        Search {
            oracle,
            bags: HashMap::new(),
            has_bags: drives && starts > 1,
            open: BinaryHeap::new(),
            offers: 0,
            to_places: oracle.joints_to_places(),
            touched: oracle.touched(),
        }
    }

    /// The least cost of a label with at most these seconds driven.
    fn cost(&self, state: State, seconds: Number) -> f64 {
        let bag = self.bags.get(&state).into_iter().flat_map(|bag| bag.range(..=seconds));
        bag.map(|(_, label)| label.cost).fold(f64::INFINITY, f64::min)
    }

    pub(super) fn offer(&mut self, (layer, node): State, label: OracleLabel) {
        let oracle = self.oracle;
        if label.seconds > oracle.limits.max_seconds {
            return;
        }
        let by_edge = oracle.ties == Ties::LabelPerEdge;
        let layer = if by_edge { usize::from(label.entered_private) } else { layer };
        let cost = if oracle.by_time { f64::from(label.seconds) } else { label.cost };
        let number = if self.has_bags { label.driven_seconds } else { 0 };
        let at_vertex = oracle.vertex_of(node).map(|vertex| self.cost((layer, Node::Vertex(vertex)), number));
        if at_vertex.is_some_and(|known| known <= cost) {
            return;
        }
        let node = match (label.street, node) {
            (Some((street, _)), Node::Vertex(_)) if !street.is_part && oracle.is_apart(street.number) => {
                Node::Over(street.number as u32)
            }
            _ => node,
        };
        if self.cost((layer, node), number) <= cost {
            return;
        }
        // The queue rounds costs, so that a label may be found too late to replace one that others have come from.
        let bag = self.bags.entry((layer, node)).or_default();
        let is_settled = bag.get(&number).is_some_and(|known| known.settled);
        if oracle.ends[0].is_some() && is_settled && node != Node::Place(END) {
            return;
        }
        self.offers += 1;
        bag.retain(|&other, known| other < number || known.cost < cost);
        bag.insert(number, OracleLabel { cost, settled: false, ..label });
        let key = if oracle.ties == Ties::LatestFirst { cost as u32 } else { (cost as f32).to_bits() };
        let tie = match oracle.ties {
            Ties::ByNumber | Ties::LabelPerEdge => 0,
            Ties::LatestFirst => u64::MAX - self.offers,
        };
        self.open.push(Reverse((key, tie, (layer, node), number)));
    }

    pub(super) fn run(&mut self) {
        while let Some(Reverse((_, _, state, number))) = self.open.pop() {
            let Some(label) = self.bags.get_mut(&state).unwrap().get_mut(&number) else { continue };
            if std::mem::replace(&mut label.settled, true) {
                continue;
            }
            let (label, (layer, node)) = (*label, state);
            match node {
                Node::Place(place) => self.at_place(layer, place, label),
                Node::Vertex(vertex) => self.at_vertex(layer, vertex, label),
                Node::Over(edge) => {
                    let vertex = self.oracle.end_of(edge as usize);
                    if self.has_bags || self.cost((layer, Node::Vertex(vertex)), number) > label.cost {
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
            let end = Node::Vertex(oracle.ends_of(&record)[1]);
            self.over_street(layer, end, oracle.street_of(edge), (Some(vertex), label));
        }
        for joint in self.to_places.get(&vertex).cloned().unwrap_or_default() {
            self.over_joint(layer, &joint, Node::Place(joint.place), (Some(vertex), label));
        }
        let parks = oracle.street_mode == StreetMode::ParkBicycle && layer == usize::from(oracle.backward);
        if parks && oracle.graph.vertex_flags[vertex as usize] & vertex_flags::BIKE_PARK != 0 {
            let (seconds, cost) = (oracle.request.bike_park_time, oracle.request.bike_park_cost);
            self.offer((1 - layer, Node::Vertex(vertex)), label.after_event(seconds, cost));
        }
    }

    /// Over a street, before which passengers get out of a car if it is closed to cars.
    fn over_street(&mut self, layer: usize, end: Node, street: Street, before: (Option<u32>, OracleLabel)) {
        self.use_street(layer, (layer, end), street, before);
        let oracle = self.oracle;
        let gets_out = oracle.street_mode == StreetMode::KissAndRide && layer == usize::from(oracle.backward);
        if gets_out && !street.edge.has(edge_flags::CAR) {
            self.use_street(1, (1 - layer, end), street, before);
        }
    }

    /// Over a street from a vertex, or from a place, where there is no turn.
    fn use_street(
        &mut self,
        layer: usize,
        (into, end): State,
        street: Street,
        (vertex, label): (Option<u32>, OracleLabel),
    ) {
        let oracle = self.oracle;
        let (graph, request) = (oracle.graph, oracle.request);
        let record = street.edge;
        let Some(means) = oracle.means(layer, &record) else { return };
        let (time, mut cost) = oracle.street(means, &record);
        let (mut seconds, mut walk) =
            (time.ceil() as i32, if means == Means::Car { 0.0 } else { record.length_m() });
        if let Some((last, last_means)) = label.street {
            let [length, last_length] =
                [street, last].map(|street| graph.edge(EdgeIdx::from(street.number)).length_mm);
            // Places within streets may be reached over another street between the same vertices.
            let is_onto_other =
                (street.is_part || last.is_part) && means != Means::Car && length != last_length;
            if oracle.ends_of(&last.edge)[0] == oracle.ends_of(&record)[1] && !is_onto_other {
                return;
            }
            let (first, second) = if oracle.backward { (street, last) } else { (last, street) };
            let second_means = if oracle.backward { last_means } else { means };
            let elapsed = if oracle.backward { -label.seconds } else { label.seconds };
            if oracle.is_restricted(first.number, second.number, second_means, elapsed) {
                return;
            }
            let flags = vertex.map_or(0, |vertex| graph.vertex_flags[vertex as usize]);
            let flows =
                flags & vertex_flags::FREE_FLOWING != 0 && !vertex.is_some_and(|v| self.touched.contains(&v));
            if vertex.is_some() && !flows && flags & (vertex_flags::SPLIT | vertex_flags::ELEVATOR) == 0 {
                let light = flags & vertex_flags::TRAFFIC_LIGHT != 0;
                let turn = oracle.turn(&first.edge, &second.edge, second_means, light);
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
        let mut new = OracleLabel { street: Some((street, means)), after_link: false, ..label };
        if record.has(edge_flags::NO_THROUGH) {
            let was_open = label.street.is_some_and(|(last, _)| !last.edge.has(edge_flags::NO_THROUGH));
            new.entered_private |= was_open;
            let open_again = match end {
                Node::Vertex(vertex) => graph.vertex_flags[vertex as usize] & vertex_flags::THROUGH != 0,
                _ => false,
            };
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
        let before_transit = matches!(oracle.street_mode, StreetMode::ParkCar | StreetMode::KissAndRide);
        if before_transit && means == Means::Car {
            let before = new.driven_seconds;
            new.driven_seconds += seconds;
            if new.driven_seconds > oracle.limits.max_pre_transit_seconds {
                return;
            }
            let (cheap, after) = (oracle.limits.cheap_pre_transit_seconds, new.driven_seconds);
            if after > cheap {
                let overage =
                    if before <= cheap { 300 + 10 * (after - cheap) } else { 10 * (after - before) };
                new.cost += f64::from(overage);
            }
        }
        self.offer((into, end), new);
    }

    /// Between a vertex and a place, or two places on one street, over the part of a street between them if there is one.
    fn over_joint(
        &mut self,
        layer: usize,
        joint: &Joint,
        end: Node,
        (vertex, label): (Option<u32>, OracleLabel),
    ) {
        let linked = |label: OracleLabel| OracleLabel {
            cost: label.cost + f64::from(joint.link_seconds),
            seconds: label.seconds + joint.link_seconds,
            ..label
        };
        // A station must not serve as a short cut, so that one link never follows another.
        if joint.is_station && label.after_link && matches!(end, Node::Place(_)) {
            return;
        }
        match joint.part {
            Some(street) => self.over_street(layer, end, street, (vertex, linked(label))),
            None => {
                let new = OracleLabel { after_link: joint.is_station, ..linked(label).after_event(0, 0.0) };
                self.offer((layer, end), new);
            }
        }
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

    fn at_place(&mut self, layer: usize, place: usize, label: OracleLabel) {
        if place == END {
            return;
        }
        if place > END {
            self.at_station(layer, place, label);
        }
        if place == START || label.at_station_done {
            let left = OracleLabel { at_station_done: false, ..label };
            for joint in self.oracle.joints_from(place) {
                let end = match joint.to_place {
                    Some(to) => Node::Place(to),
                    None => Node::Vertex(joint.vertex),
                };
                self.over_joint(layer, &joint, end, (None, left));
            }
        }
    }

    /// Takes, returns or parks a bike; a station cannot be left without one of these.
    fn at_station(&mut self, layer: usize, place: usize, label: OracleLabel) {
        let oracle = self.oracle;
        let (request, station) = (oracle.request, &oracle.stations[place - END - 1]);
        if oracle.street_mode == StreetMode::ParkBicycle {
            if station.has_spaces && layer == usize::from(oracle.backward) {
                let done = label.after_event(request.bike_park_time, request.bike_park_cost);
                self.offer((1 - layer, Node::Place(place)), OracleLabel { at_station_done: true, ..done });
            }
            return;
        }
        for (number, networks) in network_sets(oracle.stations).into_iter().enumerate() {
            let riding = number + 1;
            let takes = station.has_bikes && station.networks == networks;
            let returns = is_open(station) && station.networks & networks != 0;
            let pickup = (request.bike_rental_pickup_time, request.bike_rental_pickup_cost);
            let dropoff = (request.bike_rental_dropoff_time, request.bike_rental_dropoff_cost);
            for (possible, [from, to], (seconds, cost)) in
                [(takes, [0, riding], pickup), (returns, [riding, 0], dropoff)]
            {
                let [from, to] = if oracle.backward { [to, from] } else { [from, to] };
                if possible && layer == from {
                    let done = OracleLabel { at_station_done: true, ..label.after_event(seconds, cost) };
                    self.offer((to, Node::Place(place)), done);
                }
            }
        }
    }
}

impl Oracle<'_> {
    /// Whether the label over an edge is kept in addition to the one of its vertex: where a restriction starts, or where one
    /// ends for vehicles in backward searches.
    fn is_apart(&self, edge: usize) -> bool {
        let restrictions = &self.graph.restrictions;
        let ends_one = self.backward && self.street_mode != StreetMode::Walk;
        match self.ties {
            Ties::LabelPerEdge => true,
            Ties::LatestFirst => false,
            Ties::ByNumber if ends_one => {
                let corner = self.graph.edge(EdgeIdx::from(edge)).from;
                restrictions.iter().any(|r| self.graph.arcs[r.from as usize].end == corner)
            }
            Ties::ByNumber => self.graph.edge(EdgeIdx::from(edge)).has(edge_flags::RESTRICTED),
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
