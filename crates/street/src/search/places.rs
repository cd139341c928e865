//! Places that are not vertices of the graph, joined to it for a search: the two ends of a request, and bike
//! stations.

use trestle_model::Direction;

use crate::cost::StreetMode;
use crate::graph::{Edge, SlopeFactors, StreetGraph, edge_flags};
use crate::link::{EdgeSplit, LinkKind, LinkedPlace};

/// Number of the place at which a search starts.
pub(super) const START: u32 = 0;
/// Number of the place at which it ends.
pub(super) const END: u32 = 1;
/// Number of the first bike station.
pub(super) const FIRST_STATION: u32 = 2;
/// Number of the first half that belongs to a bike station.
pub(super) const FIRST_STATION_HALF: u32 = 1 << 24;
/// From a station, rides lead to at most this many others on the same edge. If a feed has very many stations at one
/// place, rides between all pairs of them would be too many.
const MOST_RIDES_WITHIN_EDGE: usize = 8;
/// They are chosen from this many stations that come next along the edge; some may belong to other networks.
const MOST_LOOKED_AT: usize = 64;

/// Part of an edge between a vertex and a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Half {
    pub(super) edge: u32,
    /// The half as an edge: ends and angles are those of its parent.
    pub(super) record: Edge,
    pub(super) from_fraction: f64,
    pub(super) to_fraction: f64,
}

impl Half {
    /// The half of a request's place: flat, of normal safety, no stairs; every angle is its parent's first one.
    fn of_request(graph: &StreetGraph, split: &EdgeSplit, to_place: bool) -> Half {
        let length_mm = if to_place { split.before_mm } else { split.after_mm };
        let record = part_of(&graph.edge(split.edge), length_mm);
        let (from_fraction, to_fraction) =
            if to_place { (0.0, split.fraction) } else { (split.fraction, 1.0) };
        Half { edge: split.edge.0, record, from_fraction, to_fraction }
    }

    /// The half at a station: keeps its parent's safety and stairs.
    fn of_station(graph: &StreetGraph, split: &EdgeSplit, to_place: bool) -> Half {
        let parent = graph.edge(split.edge);
        let half = Half::of_request(graph, split, to_place);
        let record = Edge { flags: parent.flags, bicycle_safety: parent.bicycle_safety, ..half.record };
        Half { record, ..half }
    }

    /// The part of an edge from one station to another.
    fn between_stations(graph: &StreetGraph, from: &EdgeSplit, to: &EdgeSplit) -> Half {
        let to_place = Half::of_station(graph, to, true);
        let record = Edge { length_mm: to.before_mm.saturating_sub(from.before_mm), ..to_place.record };
        Half { record, from_fraction: from.fraction, ..to_place }
    }

    /// The part of a half of a request's place that lies between the place and another one on the same edge; `None` where
    /// that one is on the other half.
    fn up_to(&self, other: &EdgeSplit, to_place: bool) -> Option<Half> {
        let whole = self.record.length_mm;
        let (rest, from_fraction, to_fraction) = match to_place {
            true => (other.before_mm, other.fraction, self.to_fraction),
            false => (other.after_mm, self.from_fraction, other.fraction),
        };
        let record = Edge { length_mm: whole.saturating_sub(rest), ..self.record };
        (from_fraction <= to_fraction).then_some(Half { record, from_fraction, to_fraction, ..*self })
    }
}

/// A part of an edge between a vertex and a request's place, as an edge.
pub(super) fn part_of(parent: &Edge, length_mm: u32) -> Edge {
    Edge {
        length_mm,
        flags: (parent.flags & !edge_flags::STAIRS) | edge_flags::WHEELCHAIR,
        bicycle_safety: 1.0,
        last_angle: parent.first_angle,
        slope_factors: SlopeFactors::default(),
        max_slope: 0.0,
        ..*parent
    }
}

/// A connection between a place and a vertex of the graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    pub(super) place: u32,
    pub(super) vertex: u32,
    /// Number of the half in between; `u32::MAX` when the place is joined to the vertex itself.
    pub(super) half: u32,
}

/// The street between two places on the same edge, in the direction of the search. It is needed because going over a
/// vertex of the edge would be a U-turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) from: u32,
    pub(super) to: u32,
    /// Number of its half; `u32::MAX` where the end of the request is itself the station.
    pub(super) half: u32,
}

/// Time and kind of the link of a place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlaceLink {
    pub(super) seconds: i32,
    pub(super) kind: LinkKind,
}

/// The joints of one or both ends of a request.
#[derive(Default, Debug)]
pub(super) struct Ends {
    pub(super) halves: Vec<Half>,
    /// From the start onto the streets, in the direction of the search.
    pub(super) leaving: Vec<Joint>,
    /// From the streets to the end, in the direction of the search.
    pub(super) arriving: Vec<Joint>,
    /// From the start to the end, and between the ends and stations.
    pub(super) pieces: Vec<Piece>,
    pub(super) links: [PlaceLink; 2],
}

/// The ends of searches between vertices of the graph.
pub(super) static NO_ENDS: Ends = Ends {
    halves: Vec::new(),
    leaving: Vec::new(),
    arriving: Vec::new(),
    pieces: Vec::new(),
    links: [PlaceLink { seconds: 0, kind: LinkKind::Free }; 2],
};

impl Ends {
    pub(super) fn clear(&mut self) {
        self.halves.clear();
        self.leaving.clear();
        self.arriving.clear();
        self.pieces.clear();
        self.links = [PlaceLink::default(); 2];
    }

    /// Joins the start of a search. A backward search starts at the destination of the travel.
    pub(super) fn start(&mut self, graph: &StreetGraph, place: &LinkedPlace, direction: Direction) {
        let mut leaving = std::mem::take(&mut self.leaving);
        self.join(graph, place, START, direction.is_backward(), &mut leaving);
        self.leaving = leaving;
    }

    /// Joins the end of a search, also to the start where both are within one street. The start must be joined before.
    pub(super) fn end(&mut self, graph: &StreetGraph, place: &LinkedPlace, direction: Direction) {
        let mut arriving = std::mem::take(&mut self.arriving);
        self.join(graph, place, END, direction == Direction::Forward, &mut arriving);
        self.arriving = arriving;
        self.join_start_to(place, direction);
    }

    /// Joins the start with an end that cuts the same edges, where the search leads from the one to the other.
    fn join_start_to(&mut self, end: &LinkedPlace, direction: Direction) {
        for number in 0..self.leaving.len() {
            let Some(&from_start) = self.halves.get(self.leaving[number].half as usize) else { continue };
            for split in end.splits.iter().filter(|split| split.edge.0 == from_start.edge) {
                if let Some(between) = from_start.up_to(split, direction.is_backward()) {
                    self.pieces.push(Piece { from: START, to: END, half: self.halves.len() as u32 });
                    self.halves.push(between);
                }
            }
        }
    }

    fn join(
        &mut self,
        graph: &StreetGraph,
        place: &LinkedPlace,
        number: u32,
        to_place: bool,
        joints: &mut Vec<Joint>,
    ) {
        self.links[number as usize] = PlaceLink { seconds: place.link_seconds, kind: place.link };
        for split in &place.splits {
            let half = self.halves.len() as u32;
            self.halves.push(Half::of_request(graph, split, to_place));
            joints.push(Joint { place: number, vertex: outer_vertex(graph, split, to_place), half });
        }
        joints.extend(place.vertices.iter().map(|v| Joint { place: number, vertex: v.0, half: u32::MAX }));
    }

    /// Joins the ends, which are joined to the streets already, with the stations of a kind on the same edges.
    pub(super) fn join_stations(
        &mut self,
        stations: &LinkedBikeStations,
        kind: StationKind,
        direction: Direction,
    ) {
        for joint in self.leaving.iter().chain(&self.arriving).filter(|joint| joint.half != u32::MAX) {
            let half = self.halves[joint.half as usize];
            let to_place = (joint.place == START) == direction.is_backward();
            for &(place, split) in stations.on_edge(half.edge) {
                let Some(part) = half.up_to(&split, to_place) else { continue };
                if stations.at(place).kind != kind {
                    continue;
                }
                let (from, to) = if joint.place == START { (START, place) } else { (place, END) };
                // Whoever names a station is there, not on the street to which it is linked.
                let is_station = self.links[joint.place as usize].kind == LinkKind::Station;
                if is_station && part.from_fraction == part.to_fraction {
                    self.pieces.push(Piece { from, to, half: u32::MAX });
                    continue;
                }
                self.pieces.push(Piece { from, to, half: self.halves.len() as u32 });
                self.halves.push(part);
            }
        }
    }

    /// Whether a temporary link or half touches the vertex, which then has one more way in or out.
    pub(super) fn touch(&self, vertex: u32) -> bool {
        self.leaving.iter().chain(&self.arriving).any(|j| j.vertex == vertex)
    }
}

/// The vertex of the graph at the other end of a half.
fn outer_vertex(graph: &StreetGraph, split: &EdgeSplit, to_place: bool) -> u32 {
    let edge = graph.edge(split.edge);
    if to_place { edge.from } else { edge.to }
}

/// What a traveller does at a station.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StationKind {
    /// Takes and returns rented bikes.
    #[default]
    Rental,
    /// Leaves a bike of their own.
    BikePark,
    /// Nothing: it rents out cars, which no street mode uses.
    CarRental,
}

impl StationKind {
    pub(super) fn used_by(street_mode: StreetMode) -> Option<StationKind> {
        match street_mode {
            StreetMode::RentedBicycle => Some(StationKind::Rental),
            StreetMode::ParkBicycle => Some(StationKind::BikePark),
            _ => None,
        }
    }
}

/// A bike rental station, a floating bike, or a bike park that is not a vertex of the graph.
#[derive(Clone, PartialEq, Debug)]
pub struct BikeStation {
    /// What it is for.
    pub kind: StationKind,
    /// Where it is joined to the streets (link seconds included: 1 for a station that is not a vertex of the graph).
    pub place: LinkedPlace,
    /// A bike can be taken.
    pub has_bikes: bool,
    /// A bike can be returned or left.
    pub has_spaces: bool,
    /// Returning is allowed here at all (not so for floating bikes).
    pub allow_dropoff: bool,
    /// Networks whose bikes can be taken and returned, one bit each.
    pub networks: u32,
}

impl BikeStation {
    /// Whether a bike can be rented here.
    fn rents(&self) -> bool {
        self.kind == StationKind::Rental && self.has_bikes
    }

    /// Whether a rented bike of these networks can be returned here.
    pub(super) fn takes_back(&self, networks: u32) -> bool {
        self.has_room() && self.networks & networks != 0
    }

    /// Whether some rented bikes can be returned here.
    fn has_room(&self) -> bool {
        self.kind == StationKind::Rental && self.has_spaces && self.allow_dropoff
    }
}

/// All bike stations of a search, joined to the graph.
#[derive(Clone, Debug, Default)]
pub struct LinkedBikeStations {
    stations: Vec<BikeStation>,
    /// Distinct sets of networks from which bikes can be taken; each is a layer of the search.
    network_sets: Vec<u32>,
    halves: Vec<Half>,
    /// Towards and away from stations, each sorted by vertex.
    joints: [Vec<Joint>; 2],
    /// The same joints, sorted by station.
    by_station: [Vec<Joint>; 2],
    /// Places within streets, sorted by edge, and along it.
    by_edge: Vec<(u32, EdgeSplit)>,
    /// From stations with bikes to stations on the same edge where these can be returned, sorted by `from`: along the
    /// travel, and against it.
    rides_within_edges: [Vec<Piece>; 2],
    /// One bit per vertex that has a joint.
    touched: Vec<u64>,
}

/// Positions in `LinkedBikeStations::joints`.
const TO_STATION: usize = 0;
const FROM_STATION: usize = 1;

impl LinkedBikeStations {
    pub fn new(graph: &StreetGraph, stations: Vec<BikeStation>) -> LinkedBikeStations {
        let mut joined =
            LinkedBikeStations { touched: vec![0; graph.vertex_count() / 64 + 1], ..Self::default() };
        let used = |station: &BikeStation| station.kind != StationKind::CarRental;
        for (i, station) in stations.iter().enumerate().filter(|(_, station)| used(station)) {
            let place = FIRST_STATION + i as u32;
            if station.rents() && !joined.network_sets.contains(&station.networks) {
                joined.network_sets.push(station.networks);
            }
            joined.by_edge.extend(station.place.splits.iter().map(|split| (place, *split)));
            for (side, to_place) in [(TO_STATION, true), (FROM_STATION, false)] {
                for split in &station.place.splits {
                    let half = FIRST_STATION_HALF + joined.halves.len() as u32;
                    joined.halves.push(Half::of_station(graph, split, to_place));
                    let vertex = outer_vertex(graph, split, to_place);
                    joined.joints[side].push(Joint { place, vertex, half });
                }
                let direct = station.place.vertices.iter();
                joined.joints[side].extend(direct.map(|v| Joint { place, vertex: v.0, half: u32::MAX }));
            }
        }
        joined.stations = stations;
        joined.by_station = joined.joints.clone();
        for joint in joined.joints.iter().flatten() {
            joined.touched[joint.vertex as usize / 64] |= 1 << (joint.vertex % 64);
        }
        joined.joints.iter_mut().for_each(|joints| joints.sort_by_key(|j| j.vertex));
        joined.by_edge.sort_by(|(_, a), (_, b)| {
            a.edge.0.cmp(&b.edge.0).then_with(|| a.fraction.total_cmp(&b.fraction))
        });
        joined.join_within_edges(graph);
        joined
    }

    fn join_within_edges(&mut self, graph: &StreetGraph) {
        let LinkedBikeStations { stations, by_edge, halves, .. } = self;
        let at = |place: u32| &stations[(place - FIRST_STATION) as usize];
        let mut along = Vec::new();
        for on_edge in by_edge.chunk_by(|(_, a), (_, b)| a.edge == b.edge) {
            let returning: Vec<_> = on_edge.iter().filter(|(place, _)| at(*place).has_room()).collect();
            for (from, start) in on_edge.iter().filter(|(place, _)| at(*place).rents()) {
                let ahead = returning.partition_point(|(_, end)| end.fraction <= start.fraction);
                let next = returning[ahead..].iter().take(MOST_LOOKED_AT);
                let rides = next.filter(|(to, _)| at(*to).takes_back(at(*from).networks));
                for (to, end) in rides.take(MOST_RIDES_WITHIN_EDGE) {
                    along.push(Piece {
                        from: *from,
                        to: *to,
                        half: FIRST_STATION_HALF + halves.len() as u32,
                    });
                    halves.push(Half::between_stations(graph, start, end));
                }
            }
        }
        let against = along.iter().map(|ride| Piece { from: ride.to, to: ride.from, ..*ride }).collect();
        self.rides_within_edges = [along, against];
        self.rides_within_edges.iter_mut().for_each(|rides| rides.sort_by_key(|ride| ride.from));
    }

    /// The stations, in the order given.
    pub fn stations(&self) -> &[BikeStation] {
        &self.stations
    }

    pub(super) fn at(&self, place: u32) -> &BikeStation {
        &self.stations[(place - FIRST_STATION) as usize]
    }

    pub(super) fn network_sets(&self) -> &[u32] {
        &self.network_sets
    }

    pub(super) fn half(&self, number: u32) -> &Half {
        &self.halves[(number - FIRST_STATION_HALF) as usize]
    }

    /// The stations on an edge, by their place numbers.
    fn on_edge(&self, edge: u32) -> &[(u32, EdgeSplit)] {
        let first = self.by_edge.partition_point(|(_, split)| split.edge.0 < edge);
        let count = self.by_edge[first..].partition_point(|(_, split)| split.edge.0 == edge);
        &self.by_edge[first..first + count]
    }

    /// The streets from a station to others on the same edge in the direction of the search.
    pub(super) fn rides_within_edge(&self, place: u32, direction: Direction) -> &[Piece] {
        let [along, against] = &self.rides_within_edges;
        let rides = direction.pick(along, against);
        let first = rides.partition_point(|ride| ride.from < place);
        let count = rides[first..].partition_point(|ride| ride.from == place);
        &rides[first..first + count]
    }

    /// Joints that lead from a vertex to stations in the direction of the search.
    pub(super) fn joints_at(&self, vertex: u32, direction: Direction) -> &[Joint] {
        if self.touched[vertex as usize / 64] >> (vertex % 64) & 1 == 0 {
            return &[];
        }
        let joints = &self.joints[direction.pick(TO_STATION, FROM_STATION)];
        let first = joints.partition_point(|j| j.vertex < vertex);
        let count = joints[first..].partition_point(|j| j.vertex == vertex);
        &joints[first..first + count]
    }

    /// Joints that lead from a station onto the streets in the direction of the search.
    pub(super) fn joints_of(&self, place: u32, direction: Direction) -> &[Joint] {
        let joints = &self.by_station[direction.pick(FROM_STATION, TO_STATION)];
        let first = joints.partition_point(|j| j.place < place);
        let count = joints[first..].partition_point(|j| j.place == place);
        &joints[first..first + count]
    }
}
