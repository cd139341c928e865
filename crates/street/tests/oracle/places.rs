//! Places that are joined to the streets for a search: its ends, and bike stations.

use std::collections::HashMap;

use trestle_street::cost::StreetMode;
use trestle_street::graph::{Edge, SlopeFactors, edge_flags};
use trestle_street::link::{EdgeSplit, LinkKind, LinkedPlace};
use trestle_street::search::{BikeStation, StationKind};

use super::search::Search;
use super::{Node, Oracle, OracleLabel, Street};

/// Number of the place where a search starts.
pub(super) const START: usize = 0;
/// Number of the place where it ends; stations follow.
pub(super) const END: usize = 1;

/// A way between a place and a vertex, or from one place to another on the same street.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    pub(super) place: usize,
    pub(super) vertex: u32,
    pub(super) to_place: Option<usize>,
    /// The street between them, if there is one.
    pub(super) part: Option<Street>,
    pub(super) link_seconds: i32,
    pub(super) is_station: bool,
}

/// A stop that is reached.
pub type ReachedStop = (i32, f64, f64);

pub(super) fn is_open(station: &BikeStation) -> bool {
    station.has_spaces && station.allow_dropoff
}

/// The sets of networks whose bikes can be taken.
pub(super) fn network_sets(stations: &[BikeStation]) -> Vec<u32> {
    let mut sets = Vec::new();
    for station in stations.iter().filter(|s| s.kind == StationKind::Rental && s.has_bikes) {
        if !sets.contains(&station.networks) {
            sets.push(station.networks);
        }
    }
    sets
}

impl Oracle<'_> {
    /// Cost, seconds and metres of the best path between the ends.
    pub fn route(&self) -> Option<(f64, i32, f64)> {
        let best = self.best_labels();
        let layer = if self.backward { 0 } else { self.last_layer() };
        let label = best.get(&(layer, Node::Place(END)))?;
        Some((label.cost, label.seconds, f64::from(label.walk)))
    }

    /// The best path to each stop: seconds, cost and metres. Nobody enters a stop on a rented bike, before parking, or by
    /// car without getting out.
    pub fn stops(&self, link_seconds: &dyn Fn(u32) -> i32) -> HashMap<u32, ReachedStop> {
        let best = self.best_labels();
        let mut links = HashMap::<u32, Vec<u32>>::new();
        for link in self.graph.stop_links.iter() {
            links.entry(link.vertex).or_default().push(link.stop);
        }
        let mut found = HashMap::<u32, ReachedStop>::new();
        for ((layer, node), label) in best {
            let enters = match self.street_mode {
                StreetMode::Walk | StreetMode::Bicycle | StreetMode::KissAndRide => true,
                StreetMode::Car => false,
                StreetMode::RentedBicycle => layer == 0,
                StreetMode::ParkBicycle | StreetMode::ParkCar => layer == 1,
            };
            let Some(vertex) = self.vertex_of(node).filter(|_| enters && label.settled) else { continue };
            for &stop in links.get(&vertex).into_iter().flatten() {
                let seconds = link_seconds(stop);
                let reach = (label.seconds + seconds, label.cost + f64::from(seconds), f64::from(label.walk));
                if found.get(&stop).is_none_or(|known| reach.1 < known.1) {
                    found.insert(stop, reach);
                }
            }
        }
        found
    }

    fn best_labels(&self) -> HashMap<(usize, Node), OracleLabel> {
        let mut search = Search::new(self, 1);
        let begin = if self.backward { self.last_layer() } else { 0 };
        search.offer((begin, Node::Place(START)), OracleLabel::START);
        search.run();
        search.bags.into_iter().filter_map(|(state, bag)| Some((state, *bag.get(&0)?))).collect()
    }

    fn place(&self, number: usize) -> Option<&LinkedPlace> {
        match number {
            START | END => self.ends[number],
            _ => Some(&self.stations[number - END - 1].place),
        }
    }

    /// The vertices to which the ends of the search are joined.
    pub(super) fn touched(&self) -> Vec<u32> {
        let leaving = self.joints(START, self.backward).into_iter();
        leaving.chain(self.joints(END, !self.backward)).map(|joint| joint.vertex).collect()
    }

    /// From each vertex to the end and to stations, in the direction of the search.
    pub(super) fn joints_to_places(&self) -> HashMap<u32, Vec<Joint>> {
        let mut found = HashMap::<u32, Vec<Joint>>::new();
        for number in std::iter::once(END).chain(self.used_stations()) {
            for joint in self.joints(number, !self.backward) {
                found.entry(joint.vertex).or_default().push(joint);
            }
        }
        found
    }

    /// From the start or a station, to vertices and to other places on the same street.
    pub(super) fn joints_from(&self, place: usize) -> Vec<Joint> {
        let mut joints = self.joints(place, self.backward);
        let to: Vec<usize> = match place {
            START => self.used_stations().into_iter().chain([END]).collect(),
            _ => vec![END],
        };
        for to in to {
            joints.extend(self.pieces(place, to));
        }
        joints
    }

    fn used_stations(&self) -> Vec<usize> {
        let wanted = match self.street_mode {
            StreetMode::RentedBicycle => StationKind::Rental,
            StreetMode::ParkBicycle => StationKind::BikePark,
            _ => return Vec::new(),
        };
        (0..self.stations.len()).filter(|&s| self.stations[s].kind == wanted).map(|s| s + END + 1).collect()
    }

    /// Between a place and the vertices that it is joined to. `to_place`: travel leads to the place.
    fn joints(&self, number: usize, to_place: bool) -> Vec<Joint> {
        let Some(place) = self.place(number) else { return Vec::new() };
        let joint = |vertex: u32, part: Option<Street>| Joint {
            place: number,
            vertex,
            to_place: None,
            part,
            link_seconds: place.link_seconds,
            is_station: place.link == LinkKind::Station,
        };
        let over = |split: &EdgeSplit| {
            let whole = self.graph.edge(split.edge);
            let length_mm = if to_place { split.before_mm } else { split.after_mm };
            let edge = part_of(&whole, length_mm, number > END);
            let vertex = if to_place { whole.from } else { whole.to };
            joint(vertex, Some(Street { number: split.edge.index(), edge, is_part: true }))
        };
        let parts = place.splits.iter().map(over);
        parts.chain(place.vertices.iter().map(|vertex| joint(vertex.0, None))).collect()
    }

    /// Between both ends, or an end and a station, that cut the same street.
    fn pieces(&self, from: usize, to: usize) -> Vec<Joint> {
        let (Some(begin), Some(end)) = (self.place(from), self.place(to)) else { return Vec::new() };
        let mut found = Vec::new();
        for a in &begin.splits {
            for b in end.splits.iter().filter(|b| b.edge == a.edge) {
                let [first, second] = if self.backward { [b, a] } else { [a, b] };
                if first.fraction <= second.fraction {
                    let whole = self.graph.edge(a.edge);
                    // The part of the end's half that does not lie beyond the station.
                    let station_is_first = (from > END) != self.backward;
                    let length_mm = match station_is_first {
                        true => second.before_mm.saturating_sub(first.before_mm),
                        false => first.after_mm.saturating_sub(second.after_mm),
                    };
                    let street = Street {
                        number: a.edge.index(),
                        edge: part_of(&whole, length_mm, false),
                        is_part: true,
                    };
                    found.push(Joint {
                        place: from,
                        vertex: u32::MAX,
                        to_place: Some(to),
                        part: Some(street),
                        link_seconds: begin.link_seconds + end.link_seconds,
                        is_station: false,
                    });
                }
            }
        }
        found
    }
}

/// Part of a street: flat, with the first angle of the street at both ends, and at a request's place as safe as the safest
/// street and without stairs.
fn part_of(whole: &Edge, length_mm: u32, at_station: bool) -> Edge {
    let part = Edge {
        length_mm,
        last_angle: whole.first_angle,
        slope_factors: SlopeFactors::default(),
        max_slope: 0.0,
        ..*whole
    };
    let flags = (whole.flags & !edge_flags::STAIRS) | edge_flags::WHEELCHAIR;
    if at_station { part } else { Edge { flags, bicycle_safety: 1.0, ..part } }
}
