//! Links stops and stations to the nearest street, which is split there.

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::IssueSink;
use trestle_model::cell_grid::CellGrid;
use trestle_model::geo::{BoundingBox, LatLon, length_m, meters_to_degrees};

use super::geometry::{self, Projection};
use super::network::{BuildEdge, BuildStation, EdgeState, Network};
use crate::graph::station_kinds::PARK_AND_RIDE;
use crate::graph::{Edge, EdgeKind, SlopeFactors, StopLink, edge_flags, vertex_flags};
use crate::osm::{DEFAULT_SPEED, Permission};

/// A point of the transit layer to be linked to the streets.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StopPoint {
    /// Latitude, degrees.
    pub lat: f64,
    /// Longitude, degrees.
    pub lon: f64,
    /// GTFS stop_code; an OSM stop node nearby with this `ref` is linked instead of the nearest street.
    pub code: Option<String>,
    /// Points are linked in ascending order of this number, and points with equal numbers in the given order. The order
    /// affects the lengths of the pieces of a street that several points split.
    pub link_order: u32,
    /// Input file that it is from, for issues.
    pub file: String,
    /// Its line in the file.
    pub line: u64,
    /// Its id and name.
    pub label: String,
}

/// Height and width of the cells in which streets are found, metres.
const CELL_M: f64 = 200.0;
/// Cells are larger if there would be more than this many for each edge.
const MAX_CELLS_PER_EDGE: f64 = 8.0;
/// Streets farther away are not linked, metres.
const MAX_DISTANCE_M: f64 = 1000.0;
/// Streets are first looked for up to this far away, then twice as far and so on, metres. Most stops have one near.
const FIRST_REACH_M: f64 = 50.0;
/// OSM stop nodes are looked for in a box reaching this far, metres.
const STOP_NODE_DISTANCE_M: f64 = 250.0;
/// Each further edge is linked too while it is less than this much farther away than the one before, metres.
const TIE_M: f64 = 0.001;
/// A point closer than this fraction to an end of the line is linked to the end vertex itself.
const END_FRACTION: f64 = 1e-8;

/// Flags that a piece of street can keep. Turn restrictions and notes refer to the whole street.
const KEPT_FLAGS: u32 = !(edge_flags::RESTRICTED | edge_flags::NOTE | edge_flags::REVERSED_GEOMETRY);

/// What the halves of a street are like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Halves {
    /// Open to through traffic and with one speed for cars, as recorded answers have them at stops.
    AsInTheReference,
    /// With the access and the speed of the street, so that a station changes nothing for those who do not use it.
    LikeTheStreet,
}

/// Links every stop; unlinked ones become issues.
pub(super) fn link_stops(network: &mut Network, stops: &[StopPoint], issues: &mut IssueSink) {
    let mut linker = Linker::new(network);
    let mut order: Vec<usize> = (0..stops.len()).collect();
    order.sort_by_key(|&index| stops[index].link_order);
    for index in order {
        let stop = &stops[index];
        let position = LatLon::new(stop.lat, stop.lon);
        if !(stop.lat.is_finite() && stop.lon.is_finite()) {
            continue;
        }
        let tagged = stop.code.as_deref().and_then(|code| linker.stop_node(code, position));
        let (vertices, is_cut_off) = match tagged {
            Some(vertex) => (vec![vertex], false),
            None => linker.link_stop(position),
        };
        let place = || format!("stop {} at {:.6},{:.6}", stop.label, stop.lat, stop.lon);
        if vertices.is_empty() {
            let message = format!("{} has no walkable street within 1000 m", place());
            issues.add("stop-unlinked", &stop.file, stop.line, message);
        }
        if is_cut_off {
            let message = format!("{} is on a street or area that cannot be left on foot", place());
            issues.add("stop-cut-off", &stop.file, stop.line, message);
        }
        for vertex in vertices {
            linker.network.vertices[vertex as usize].flags |= vertex_flags::STOP;
            linker.network.stop_links.push(StopLink { stop: index as u32, vertex });
        }
    }
    linker.network.stop_links.sort_by_key(|link| link.stop);
    linker.link_stations(issues);
}

/// The network with a grid over its streets.
pub(super) struct Linker<'n> {
    pub(super) network: &'n mut Network,
    grid: CellGrid,
    cells: FxHashMap<u32, Vec<u32>>,
}

impl<'n> Linker<'n> {
    fn new(network: &'n mut Network) -> Self {
        let area = match network.vertices.is_empty() {
            true => BoundingBox::around([LatLon::default()]),
            false => BoundingBox::around(network.vertices.iter().map(|vertex| vertex.position)),
        };
        let most_cells = network.edges.len() as f64 * MAX_CELLS_PER_EDGE;
        let grid = CellGrid::over(area, meters_to_degrees(CELL_M), most_cells.max(1.0));
        let mut linker = Linker { network, grid, cells: FxHashMap::default() };
        for edge in 0..linker.network.edges.len() as u32 {
            linker.insert(edge);
        }
        linker
    }

    /// Puts an edge into the grid if something may be linked to it.
    fn insert(&mut self, index: u32) {
        let BuildEdge { edge, state, .. } = &self.network.edges[index as usize];
        if *state != EdgeState::Live || edge.kind() != EdgeKind::Street {
            return;
        }
        let mut line = Vec::new();
        self.network.line_into(edge, &mut line);
        let bounds = BoundingBox::around(line);
        for cell in self.grid.rows_in(bounds).flatten() {
            self.cells.entry(cell).or_default().push(index);
        }
    }

    /// The first OSM stop node with this code in a box around the stop.
    fn stop_node(&self, code: &str, position: LatLon) -> Option<u32> {
        let reach = meters_to_degrees(STOP_NODE_DISTANCE_M);
        let reach_lon = reach / position.lat.to_radians().cos();
        self.network.stop_nodes.iter().filter(|(_, known)| known == code).map(|(vertex, _)| *vertex).find(
            |vertex| {
                let at = self.network.position(*vertex);
                (at.lat - position.lat).abs() <= reach && (at.lon - position.lon).abs() <= reach_lon
            },
        )
    }

    /// Links a point to edges and returns the vertices, each once.
    fn link(&mut self, position: LatLon, edges: Vec<u32>, halves: Halves) -> Vec<u32> {
        let mut vertices = Vec::new();
        for edge in edges {
            let vertex = self.link_to_edge(edge, position, halves);
            if !vertices.contains(&vertex) {
                vertices.push(vertex);
            }
        }
        vertices
    }

    /// Links a stop to the nearest streets that can be walked. As in the reference, these may be cut off from the rest
    /// of the network; the flag says whether they are.
    fn link_stop(&mut self, position: LatLon) -> (Vec<u32>, bool) {
        let edges = self.nearest_of(position, |edge| self.is_open(edge, Permission::WALK));
        let is_cut_off = |edge: &u32| {
            self.network.edges[*edge as usize].edge.has(edge_flags::no_way_out(edge_flags::WALK))
        };
        let cut_off = !edges.is_empty() && edges.iter().all(is_cut_off);
        (self.link(position, edges, Halves::AsInTheReference), cut_off)
    }

    fn is_open(&self, edge: &Edge, mode: Permission) -> bool {
        self.network.permission(edge).allows_any(mode)
    }

    /// The nearest edges that a mode (a single permission) may use and that have a way out and a way in for it. If there
    /// are none nearby, edges without a way out or in are used.
    pub(super) fn nearest(&self, position: LatLon, mode: Permission) -> Vec<u32> {
        let cut_off = edge_flags::no_way_out(mode.flags()) | edge_flags::no_way_in(mode.flags());
        let found = self.nearest_of(position, |edge| !edge.has(cut_off) && self.is_open(edge, mode));
        if !found.is_empty() {
            return found;
        }
        self.nearest_of(position, |edge| self.is_open(edge, mode))
    }

    /// The nearest accepted edges: the nearest one, and further ones as long as each is less than the tie tolerance farther
    /// away than the one before.
    fn nearest_of(&self, position: LatLon, accepts: impl Fn(&Edge) -> bool) -> Vec<u32> {
        let max = meters_to_degrees(MAX_DISTANCE_M);
        let tie = meters_to_degrees(TIE_M);
        let mut reach = meters_to_degrees(FIRST_REACH_M);
        loop {
            let mut found = self.within(position, reach, &accepts);
            let is_last = |pair: &[(f64, u32)]| pair[1].0 - pair[0].0 >= tie;
            let count = found.windows(2).position(is_last).map_or(found.len(), |last| last + 1);
            found.truncate(count);
            let is_complete = found.last().is_some_and(|(farthest, _)| *farthest + tie < reach);
            if is_complete || reach > max {
                let is_near = found.first().is_some_and(|(nearest, _)| *nearest <= max);
                return found.into_iter().filter(|_| is_near).map(|(_, edge)| edge).collect();
            }
            reach *= 2.0;
        }
    }

    /// Edges near a point, sorted by distance in degrees, then in the order made. Complete up to a distance of `reach`.
    fn within(&self, position: LatLon, reach: f64, accepts: impl Fn(&Edge) -> bool) -> Vec<(f64, u32)> {
        let cos_lat = position.lat.to_radians().cos();
        let reach_lon = reach / cos_lat.max(0.01);
        let bounds = BoundingBox::around([position]).widened(reach, reach_lon);
        let cells = self.grid.rows_in(bounds).flatten();
        let mut candidates: Vec<u32> =
            cells.filter_map(|cell| self.cells.get(&cell)).flatten().copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        let mut line = Vec::new();
        let mut found: Vec<(f64, u32)> = candidates
            .into_iter()
            .filter(|edge| {
                let BuildEdge { edge, state, .. } = &self.network.edges[*edge as usize];
                *state == EdgeState::Live && accepts(edge)
            })
            .filter_map(|edge| {
                self.network.line_into(&self.network.edges[edge as usize].edge, &mut line);
                Some((geometry::project(&line, position, cos_lat)?.distance_deg, edge))
            })
            .collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found
    }

    /// The vertex where a point meets an edge: one of its ends, or a new one that splits it.
    fn link_to_edge(&mut self, index: u32, position: LatLon, halves: Halves) -> u32 {
        let edge = self.network.edges[index as usize].edge;
        let mut line = Vec::new();
        self.network.line_into(&edge, &mut line);
        let Some(at) = geometry::project(&line, position, position.lat.to_radians().cos()) else {
            return edge.from;
        };
        if at.segment == 0 && at.fraction < END_FRACTION {
            return edge.from;
        }
        if at.segment + 2 == line.len() && at.fraction > 1.0 - END_FRACTION {
            return edge.to;
        }
        self.split(index, &line, &at, halves)
    }

    /// Replaces an edge by two halves with a vertex between them. An edge that a turn restriction or a note
    /// refers to stays beside its halves.
    fn split(&mut self, index: u32, line: &[LatLon], at: &Projection, halves: Halves) -> u32 {
        let parent = self.network.edges[index as usize].clone();
        let middle = geometry::point_at(line, at);
        let vertex = self.network.add_vertex(middle, 0, vertex_flags::SPLIT);
        let (before, after) = geometry::cut(line, at, middle);
        let (first_mm, second_mm) = shared_length(&parent, &before, &after);
        let first = self.half(&parent, parent.edge.from, vertex, &before, first_mm);
        let second = self.half(&parent, vertex, parent.edge.to, &after, second_mm);
        if halves == Halves::LikeTheStreet {
            self.make_like(first, &parent.edge);
            self.make_like(second, &parent.edge);
        }
        let survives = parent.edge.has(edge_flags::NOTE) || self.network.restricted_edges.contains(&index);
        self.network.edges[index as usize].state =
            if survives { EdgeState::Surviving } else { EdgeState::Removed };
        self.insert(first);
        self.insert(second);
        vertex
    }

    pub(super) fn half(
        &mut self,
        parent: &BuildEdge,
        from: u32,
        to: u32,
        line: &[LatLon],
        length_mm: u32,
    ) -> u32 {
        let kept = edge_flags::PERMISSIONS
            | edge_flags::STAIRS
            | edge_flags::WHEELCHAIR
            | edge_flags::BOGUS_NAME
            | edge_flags::GENERATED_NAME
            | edge_flags::AREA
            | edge_flags::CUT_OFF;
        let geometry = self.network.add_geometry(line);
        let (first_angle, last_angle) = geometry::first_and_last_angle(line);
        let edge = Edge {
            from,
            to,
            length_mm,
            flags: parent.edge.flags & kept | edge_flags::HALF,
            car_speed: DEFAULT_SPEED,
            bicycle_safety: parent.edge.bicycle_safety,
            name: parent.edge.name,
            geometry,
            first_angle,
            last_angle,
            slope_factors: SlopeFactors::default(),
            max_slope: 0.0,
        };
        self.network.add_edge(edge, parent.is_back)
    }

    /// Gives a half the access and the speed of its street.
    pub(super) fn make_like(&mut self, half: u32, parent: &Edge) {
        let half = &mut self.network.edges[half as usize].edge;
        half.flags = parent.flags & KEPT_FLAGS | edge_flags::HALF;
        half.car_speed = parent.car_speed;
    }

    /// Links bike rental stations, bike parks and park-and-ride lots beside the street. Lots that are too far from any
    /// street are left out.
    fn link_stations(&mut self, issues: &mut IssueSink) {
        let mut stations = std::mem::take(&mut self.network.stations);
        let lots = stations.iter().filter(|s| s.kind == PARK_AND_RIDE).map(|s| s.vertex).collect();
        let gates = self.gates(lots);
        let mut unlinked_lots = FxHashSet::default();
        for station in &stations {
            let (vertex, is_lot) = (station.vertex, station.kind == PARK_AND_RIDE);
            let is_linked = match (station.needs_link, is_lot) {
                (true, true) => self.link_lot(vertex, gates.get(&vertex).copied().unwrap_or_default()),
                (true, false) => self.link_station(vertex),
                (false, _) => true,
            };
            if !is_linked {
                self.report_unlinked(station, issues);
            }
            if !is_linked && is_lot {
                unlinked_lots.insert(vertex);
            }
        }
        stations.retain(|station| !unlinked_lots.contains(&station.vertex));
        self.network.stations = stations;
        for BuildEdge { edge, state, .. } in &mut self.network.edges {
            if unlinked_lots.contains(&edge.from) || unlinked_lots.contains(&edge.to) {
                *state = EdgeState::Removed;
            }
        }
    }

    /// Links a rental station or a bike park; false without a street nearby.
    fn link_station(&mut self, station: u32) -> bool {
        let position = self.network.position(station);
        let edges = self.nearest(position, Permission::WALK);
        let vertices = self.link(position, edges, Halves::LikeTheStreet);
        for &vertex in &vertices {
            self.network.add_connection(station, vertex, EdgeKind::StationLink, 0, 0);
            self.network.add_connection(vertex, station, EdgeKind::StationLink, 0, 0);
        }
        !vertices.is_empty()
    }

    fn report_unlinked(&self, station: &BuildStation, issues: &mut IssueSink) {
        let LatLon { lat, lon } = self.network.position(station.vertex);
        let (file, id) = (self.network.file_of(station.vertex), self.network.names.get(station.id));
        if station.kind == PARK_AND_RIDE {
            let message = format!(
                "lot {id} at {lat:.6},{lon:.6}: no street within 1000 m by which to drive in or walk out; left out"
            );
            issues.add("parking-unlinked", file, 0, message);
        } else {
            let message = format!("station {id} at {lat:.6},{lon:.6}: no walkable street within 1000 m");
            issues.add("station-unlinked", file, 0, message);
        }
    }
}

/// The stored length of an edge divided between its halves by their lengths. Both directions of a street divide it
/// from the same end, so that their halves agree.
pub(super) fn shared_length(parent: &BuildEdge, before: &[LatLon], after: &[LatLon]) -> (u32, u32) {
    let before = geometry::millimeters(length_m(before));
    let after = geometry::millimeters(length_m(after));
    let total = parent.edge.length_mm;
    let share = |part: u32| {
        let fraction = f64::from(part) / (f64::from(before) + f64::from(after));
        ((f64::from(total) * fraction) as u32).min(total)
    };
    if parent.is_back {
        let second = share(after);
        (total - second, second)
    } else {
        let first = share(before);
        (first, total - first)
    }
}
