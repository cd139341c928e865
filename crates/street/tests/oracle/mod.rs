//! The rules of travel on streets, stated again as plainly as possible, for Dijkstra's algorithm over hash maps. Searches
//! keep one label per vertex and layer, so the order of equally good paths matters and is part of the rules. From several
//! starts, drives to transit keep more labels: the seconds driven are limited, and another start may leave some.
#![allow(clippy::unwrap_used, unreachable_pub)]

mod places;
mod search;

use std::collections::HashMap;

use trestle_model::RoutingRequest;
use trestle_model::ids::EdgeIdx;
use trestle_model::request::Optimize;
use trestle_street::cost::{StreetLimits, StreetMode};
use trestle_street::graph::{Edge, EdgeKind, StreetGraph, TurnRestriction, edge_flags};
use trestle_street::link::LinkedPlace;
use trestle_street::search::{BikeStation, TreeStart};

use search::Search;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Means {
    Foot,
    WalkedBicycle,
    Bicycle,
    Car,
}

/// Which of the paths with equal keys comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// The one whose vertex has the lowest number; keys are compared in single precision. Labels over edges on which a turn
    /// restriction starts are kept in addition to those of their vertices.
    ByNumber,
    /// The one found last.
    LatestFirst,
    /// It does not matter: every edge keeps its own label, and another one for drives that have entered an area closed to
    /// through traffic.
    LabelPerEdge,
}

pub struct Oracle<'a> {
    pub graph: &'a StreetGraph,
    pub request: &'a RoutingRequest,
    pub street_mode: StreetMode,
    pub limits: StreetLimits,
    pub by_time: bool,
    pub ties: Ties,
    pub backward: bool,
    pub stations: &'a [BikeStation],
    /// Where a search between places starts and ends, in its own order.
    pub ends: [Option<&'a LinkedPlace>; 2],
}

/// Where a label is. The order is that of the labels' numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Node {
    Vertex(u32),
    /// Over an edge, in addition to the label of its vertex.
    Over(u32),
    /// At a place: `START`, `END`, or a station.
    Place(usize),
}

type State = (usize, Node);

/// A street, or part of one between a vertex and a place.
#[derive(Clone, Copy, Debug)]
struct Street {
    /// The number of the whole street.
    number: usize,
    /// A part has the ends of the whole.
    edge: Edge,
    is_part: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct OracleLabel {
    pub cost: f64,
    pub seconds: i32,
    pub walk: f32,
    /// Position of the start.
    pub start: usize,
    driven_seconds: i32,
    /// The last street and how it was used.
    street: Option<(Street, Means)>,
    entered_private: bool,
    after_link: bool,
    at_station_done: bool,
    settled: bool,
}

impl OracleLabel {
    const START: OracleLabel = OracleLabel {
        cost: 0.0,
        seconds: 0,
        walk: 0.0,
        start: 0,
        driven_seconds: 0,
        street: None,
        entered_private: false,
        after_link: false,
        at_station_done: false,
        settled: false,
    };
}

const UNCHANGED: (i32, f64, f64) = (0, 0.0, 0.0);

impl Oracle<'_> {
    /// The best label of each vertex that can be reached from some starts, or from stops there.
    pub fn labels(&self, starts: &[TreeStart], at_stops: bool) -> HashMap<u32, OracleLabel> {
        let mut search = Search::new(self, starts.len());
        let begin = if self.backward { self.last_layer() } else { 0 };
        for (number, start) in starts.iter().enumerate() {
            let label = OracleLabel {
                cost: start.weight,
                seconds: start.seconds,
                walk: start.walk_distance as f32,
                start: number,
                ..OracleLabel::START
            };
            search.offer((begin, Node::Vertex(start.vertex.0)), label);
            if at_stops && self.backward && self.street_mode == StreetMode::KissAndRide {
                search.offer((0, Node::Vertex(start.vertex.0)), label);
            }
        }
        search.run();
        let end = if self.backward { 0 } else { self.last_layer() };
        let mut found = HashMap::<u32, OracleLabel>::new();
        let counts = |layer| layer == end || self.ties == Ties::LabelPerEdge;
        let mut bags: Vec<_> = search.bags.into_iter().filter(|((layer, _), _)| counts(*layer)).collect();
        bags.sort_by_key(|((_, node), _)| *node);
        for (node, label) in
            bags.into_iter().flat_map(|((_, node), bag)| bag.into_values().map(move |l| (node, l)))
        {
            let Some(vertex) = self.vertex_of(node) else { continue };
            if found.get(&vertex).is_none_or(|known| label.cost < known.cost) {
                found.insert(vertex, label);
            }
        }
        found
    }

    /// The layer in which travel ends: after parking, getting out, or returning a bike.
    fn last_layer(&self) -> usize {
        usize::from(matches!(
            self.street_mode,
            StreetMode::ParkBicycle | StreetMode::ParkCar | StreetMode::KissAndRide
        ))
    }

    fn vertex_of(&self, node: Node) -> Option<u32> {
        match node {
            Node::Vertex(vertex) => Some(vertex),
            Node::Over(edge) => Some(self.end_of(edge as usize)),
            Node::Place(_) => None,
        }
    }

    fn street_of(&self, number: usize) -> Street {
        Street { number, edge: self.graph.edge(EdgeIdx::from(number)), is_part: false }
    }

    /// The vertex that the search reaches over an edge, and the one it comes from.
    fn end_of(&self, edge: usize) -> u32 {
        self.ends_of(&self.graph.edge(EdgeIdx::from(edge)))[1]
    }

    fn ends_of(&self, edge: &Edge) -> [u32; 2] {
        if self.backward { [edge.to, edge.from] } else { [edge.from, edge.to] }
    }

    fn edges_at(&self, vertex: u32) -> Vec<usize> {
        let v = vertex as usize;
        let graph = self.graph;
        if self.backward {
            let range = graph.first_in[v] as usize..graph.first_in[v + 1] as usize;
            graph.in_edges[range].iter().map(|&edge| edge as usize).collect()
        } else {
            (graph.first_out[v] as usize..graph.first_out[v + 1] as usize).collect()
        }
    }

    /// How a street is used in a layer.
    fn means(&self, layer: usize, edge: &Edge) -> Option<Means> {
        if self.request.wheelchair
            && (!edge.has(edge_flags::WHEELCHAIR) || edge.max_slope > self.request.max_slope as f32)
        {
            return None;
        }
        let walk = edge.has(edge_flags::WALK);
        match self.vehicle(layer) {
            Means::Car => edge.has(edge_flags::CAR).then_some(Means::Car),
            Means::Bicycle if edge.has(edge_flags::BICYCLE) => Some(Means::Bicycle),
            Means::Bicycle => walk.then_some(Means::WalkedBicycle),
            _ => walk.then_some(Means::Foot),
        }
    }

    fn vehicle(&self, layer: usize) -> Means {
        match (self.street_mode, layer) {
            (StreetMode::Car, _) | (StreetMode::ParkCar | StreetMode::KissAndRide, 0) => Means::Car,
            (StreetMode::Bicycle, _) | (StreetMode::ParkBicycle, 0) => Means::Bicycle,
            (StreetMode::RentedBicycle, layer) if layer > 0 => Means::Bicycle,
            _ => Means::Foot,
        }
    }

    fn speed(&self, means: Means) -> f64 {
        match means {
            Means::Foot => self.request.walk_speed,
            Means::WalkedBicycle => self.request.walk_speed * 0.8,
            Means::Bicycle => self.request.bike_speed,
            Means::Car => self.request.car_speed,
        }
    }

    /// Seconds and cost of a street without its turn.
    fn street(&self, means: Means, edge: &Edge) -> (f64, f64) {
        let (length, speed) = (edge.length_m(), self.speed(means));
        let slope_length = length * f64::from(edge.slope_factors.speed);
        let safe_length = length * f64::from(edge.bicycle_safety);
        let work_length = length * f64::from(edge.slope_factors.work);
        let (seconds, cost) = match means {
            _ if self.request.wheelchair => (length / speed, slope_length / speed),
            Means::Car => (length / f64::from(edge.car_speed), length / f64::from(edge.car_speed)),
            Means::Foot | Means::WalkedBicycle => {
                let rise = f64::from(edge.max_slope) * length;
                let climb = if rise > 0.0 { 14.6 * (rise * rise) / length } else { 0.0 };
                let seconds = (length * 0.75 + climb) * (4.0 / 3.0 / speed);
                (seconds, seconds)
            }
            Means::Bicycle => {
                let seconds = slope_length / speed;
                let cost = match self.request.optimize {
                    Optimize::Quick => seconds,
                    Optimize::Safe | Optimize::Greenways => safe_length / speed,
                    Optimize::Flat => length / speed + work_length,
                    Optimize::Triangle => {
                        let request = self.request;
                        (slope_length * request.triangle_time
                            + work_length * request.triangle_slope
                            + safe_length * request.triangle_safety)
                            / speed
                    }
                };
                (seconds, cost)
            }
        };
        let reluctance = if edge.has(edge_flags::STAIRS) {
            self.request.stairs_reluctance * if means == Means::WalkedBicycle { 5.0 } else { 1.0 }
        } else {
            self.request.walk_reluctance * if means == Means::WalkedBicycle { 2.7 } else { 1.0 }
        };
        (seconds, cost * reluctance)
    }

    /// Seconds of the turn from one street to the next in travel order, where the second is used by `means`.
    fn turn(&self, first: &Edge, second: &Edge, means: Means, light: bool) -> f64 {
        let degrees = |angle: u8| i32::from(angle.wrapping_add(128) as i8) * 180 / 128;
        if means != Means::Car {
            let turn = (degrees(second.last_angle) - degrees(first.first_angle)).abs();
            return f64::from(if turn > 180 { 360 - turn } else { turn }) * (1.0 / 20.0 / self.speed(means));
        }
        let turn = (degrees(second.first_angle) - degrees(first.last_angle)).rem_euclid(360);
        match turn {
            _ if light => 15.0,
            _ if first.car_speed > 25.0 && second.car_speed > 25.0 => 0.0,
            45..135 | 225..315 => 8.0,
            _ => 5.0,
        }
    }

    fn is_restricted(&self, first: usize, second: usize, means: Means, seconds: i32) -> bool {
        let mode = match means {
            Means::Bicycle => 1,
            Means::Car => 2,
            Means::Foot | Means::WalkedBicycle => return false,
        };
        let at = self.request.epoch_seconds + i64::from(seconds);
        let rules = self.graph.restrictions.iter().filter(|r| r.from as usize == first);
        rules
            .filter(|r| r.modes & mode != 0 && holds(r, at))
            .any(|r| (r.to as usize == second) == (r.only == 0))
    }

    /// Seconds, cost and metres of an edge that is not a street.
    fn other(&self, layer: usize, edge: &Edge) -> Option<(i32, f64, f64)> {
        let request = self.request;
        let drives = self.vehicle(layer) == Means::Car;
        match edge.kind() {
            EdgeKind::Free => Some(UNCHANGED),
            EdgeKind::ParkAndRide => {
                Some((request.car_dropoff_time, f64::from(request.car_dropoff_time), 0.0))
            }
            EdgeKind::ParkAndRideLink if self.vehicle(layer) == Means::Bicycle => None,
            EdgeKind::ParkAndRideLink => {
                let length = edge.length_m();
                let time = length * 2.0 / if drives { 3.0 } else { request.walk_speed };
                Some((time.round() as i32, time, if drives { 0.0 } else { length }))
            }
            _ if drives => None,
            EdgeKind::StationLink => Some((1, 1.0, 0.0)),
            EdgeKind::ElevatorBoard => Some((request.elevator_board_time, request.elevator_board_cost, 0.0)),
            EdgeKind::ElevatorHop => {
                self.means(layer, edge)?;
                Some((request.elevator_hop_time, request.elevator_hop_cost, 0.0))
            }
            EdgeKind::ElevatorAlight => Some((0, 1.0, 0.0)),
            EdgeKind::Street => None,
        }
    }
}

fn holds(rule: &TurnRestriction, local: i64) -> bool {
    if (rule.day_from, rule.day_to, rule.time_from, rule.time_to) == (0, 6, 0, 0) {
        return true;
    }
    let day = (local.div_euclid(86_400) + 3).rem_euclid(7) as u8;
    let mut days = (0..7).map(|i| (rule.day_from + i) % 7);
    let mut last = false;
    let on_day =
        days.by_ref().take_while(|&d| !std::mem::replace(&mut last, d == rule.day_to)).any(|d| d == day);
    let second = local.rem_euclid(86_400) as u32;
    on_day && rule.time_from <= second && second < rule.time_to.max(1)
}
