//! Linking places to the street graph: places joined to edges or vertices.

use trestle_model::geo::{LatLon, distance_m, length_m, meters_to_degrees, nearest_share};
use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_model::{Mode, RoutingRequest};

use crate::geometry::between;
use crate::graph::{Edge, StreetGraph, edge_flags};

/// A request's place is linked to streets up to this far away, metres.
pub const LINK_RADIUS_M: f64 = 1000.0;
/// Edges whose distances differ by less than this are linked together (twins and duplicate ways), metres.
const TWIN_TOLERANCE_M: f64 = 0.001;
/// A place closer than this fraction to an end of the line is linked to the end vertex itself.
const END_FRACTION: f64 = 1e-8;

/// Where an edge is cut by a place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EdgeSplit {
    pub edge: EdgeIdx,
    /// Cut as a fraction of the edge's geometric length.
    pub fraction: f64,
    /// Length of the geometry before the cut, millimetres.
    pub before_mm: u32,
    /// Length of the geometry after the cut, millimetres.
    pub after_mm: u32,
    /// The point of the cut.
    pub at: LatLon,
}

/// A place joined to the streets.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LinkedPlace {
    /// The place as given.
    pub position: LatLon,
    /// The point on the street.
    pub snapped: LatLon,
    /// The point on a nearer street, see [`LinkedPlace::with_nearer_street`].
    pub nearer: Option<LatLon>,
    /// Edges cut at the place: both directions of a street, and its duplicates.
    pub splits: Vec<EdgeSplit>,
    /// Vertices joined directly.
    pub vertices: Vec<VertexIdx>,
    /// Seconds (and cost) of the link: 0 for a coordinate, 1 or more for a stop or a rental station.
    pub link_seconds: i32,
    /// How the link appears in a path: not at all for coordinates and vertices.
    pub link: LinkKind,
}

/// What joins a place to the street.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LinkKind {
    /// Free.
    #[default]
    Free,
    /// A stop's link.
    Stop,
    /// A rental station's link.
    Station,
}

/// Which edges a place may be linked to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkMode {
    /// Walkable edges.
    Walk,
    /// Edges open to bicycles or walking.
    Bicycle,
    /// Drivable edges.
    Car,
}

impl LinkMode {
    /// Car if car is among the modes, else walking, else bicycle.
    pub fn of(request: &RoutingRequest) -> LinkMode {
        if request.modes.has(Mode::Car) {
            LinkMode::Car
        } else if request.modes.has(Mode::Walk) || !request.modes.has(Mode::Bicycle) {
            LinkMode::Walk
        } else {
            LinkMode::Bicycle
        }
    }

    /// The permission of the mode itself.
    fn permission(self) -> u32 {
        match self {
            LinkMode::Walk => edge_flags::WALK,
            LinkMode::Bicycle => edge_flags::BICYCLE,
            LinkMode::Car => edge_flags::CAR,
        }
    }

    /// Permissions; an edge needs at least one of them.
    pub(crate) fn permissions(self) -> u32 {
        match self {
            LinkMode::Walk => edge_flags::WALK,
            LinkMode::Bicycle => edge_flags::WALK | edge_flags::BICYCLE,
            LinkMode::Car => edge_flags::CAR,
        }
    }
}

/// How a trip uses a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkEnd {
    /// It starts there.
    Start,
    /// It ends there.
    Destination,
    /// It may arrive and leave, as at a rental station.
    Both,
}

impl LinkEnd {
    /// Flags of edges that a mode cannot leave (from a start) or reach (at a destination).
    pub(crate) fn cut_off(self, mode: LinkMode) -> u32 {
        let mode = mode.permission();
        match self {
            LinkEnd::Start => edge_flags::no_way_out(mode),
            LinkEnd::Destination => edge_flags::no_way_in(mode),
            LinkEnd::Both => edge_flags::no_way_out(mode) | edge_flags::no_way_in(mode),
        }
    }
}

/// The nearest point of one edge.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    edge: u32,
    /// Degrees of latitude.
    distance: f64,
    segment: u32,
    fraction: f64,
}

impl LinkedPlace {
    /// Links a coordinate to the nearest edges within [`LINK_RADIUS_M`] that the mode may use. Edges that cannot be left
    /// (from a start) or reached (at a destination) are used only where there are no others.
    pub fn at_coordinate(
        graph: &StreetGraph,
        position: LatLon,
        mode: LinkMode,
        end: LinkEnd,
    ) -> Option<LinkedPlace> {
        let (permissions, cut_off) = (mode.permissions(), end.cut_off(mode));
        let open = nearest_edges(graph, position, |edge| edge.has(permissions) && !edge.has(cut_off));
        LinkedPlace::joined_to(graph, position, &open).or_else(|| LinkedPlace::at_any(graph, position, mode))
    }

    /// [`LinkedPlace::at_coordinate`], joined as well to the nearest streets, where these cannot be left (at a destination:
    /// reached) on foot or by vehicle. They may lead to stops, as on the private roads of an airport.
    pub fn with_nearer_street(
        graph: &StreetGraph,
        position: LatLon,
        mode: LinkMode,
        end: LinkEnd,
    ) -> Option<LinkedPlace> {
        let nearest = nearest_edges(graph, position, |edge| edge.has(mode.permissions()));
        let is_cut_off = |near: &Candidate| graph.edge(EdgeIdx(near.edge)).has(end.cut_off(mode));
        let at_nearest = LinkedPlace::joined_to(graph, position, &nearest);
        match nearest.iter().any(is_cut_off) {
            true => Some(LinkedPlace::at_coordinate(graph, position, mode, end)?.and(at_nearest?)),
            false => at_nearest,
        }
    }

    /// This place, joined to the streets of another one as well, which are nearer.
    fn and(mut self, nearest: LinkedPlace) -> LinkedPlace {
        if nearest.snapped != self.snapped {
            self.nearer = Some(nearest.snapped);
        }
        for split in nearest.splits {
            if self.point_on(split.edge).is_none() {
                self.splits.push(split);
            }
        }
        for vertex in nearest.vertices {
            if !self.vertices.contains(&vertex) {
                self.vertices.push(vertex);
            }
        }
        self
    }

    /// Links a coordinate to the nearest edges that the mode may use, whether they can be left or not.
    fn at_any(graph: &StreetGraph, position: LatLon, mode: LinkMode) -> Option<LinkedPlace> {
        let nearest = nearest_edges(graph, position, |edge| edge.has(mode.permissions()));
        LinkedPlace::joined_to(graph, position, &nearest)
    }

    fn joined_to(graph: &StreetGraph, position: LatLon, edges: &[Candidate]) -> Option<LinkedPlace> {
        let mut place = LinkedPlace { position, ..LinkedPlace::default() };
        edges.iter().for_each(|candidate| place.join(graph, candidate));
        (!edges.is_empty()).then_some(place)
    }

    pub fn at_vertex(graph: &StreetGraph, vertex: VertexIdx) -> LinkedPlace {
        let position = graph.position(vertex);
        LinkedPlace { position, snapped: position, vertices: vec![vertex], ..LinkedPlace::default() }
    }

    /// A place that is a stop, joined by its links. `link_seconds` is 1 plus the stop's own street-to-stop time.
    /// `None` when the stop has no link.
    pub fn at_stop(
        graph: &StreetGraph,
        stop: u32,
        position: LatLon,
        link_seconds: i32,
    ) -> Option<LinkedPlace> {
        let vertices: Vec<VertexIdx> =
            graph.links_of(stop).iter().map(|link| VertexIdx(link.vertex)).collect();
        let linked = LinkedPlace::at_vertex(graph, *vertices.first()?);
        Some(LinkedPlace { position, vertices, link_seconds, link: LinkKind::Stop, ..linked })
    }

    /// Whether two places cut the same edge, so that the path between them is trivial.
    pub fn shares_edge_with(&self, other: &LinkedPlace) -> bool {
        self.splits.iter().any(|a| other.splits.iter().any(|b| a.edge == b.edge))
    }

    /// The points on streets that it is joined to.
    pub fn points(&self) -> impl Iterator<Item = LatLon> + '_ {
        std::iter::once(self.snapped).chain(self.nearer)
    }

    /// Metres of the straight line between the streets of two places, where it is shortest.
    pub fn distance_to(&self, other: &LinkedPlace) -> f64 {
        let metres = |from| other.points().map(move |to| distance_m(from, to)).fold(f64::INFINITY, f64::min);
        self.points().map(metres).fold(f64::INFINITY, f64::min)
    }

    /// The point of the place on an edge that it cuts.
    pub fn point_on(&self, edge: EdgeIdx) -> Option<LatLon> {
        self.splits.iter().find(|split| split.edge == edge).map(|split| split.at)
    }

    /// The length of the longest street that it cuts, millimetres.
    pub fn longest_street_mm(&self) -> u32 {
        self.splits.iter().map(|split| split.before_mm.saturating_add(split.after_mm)).max().unwrap_or(0)
    }

    fn join(&mut self, graph: &StreetGraph, candidate: &Candidate) {
        let edge = EdgeIdx(candidate.edge);
        let line: Vec<LatLon> = graph.edge_line(edge).collect();
        let (segment, fraction) = (candidate.segment as usize, candidate.fraction);
        let vertex = if segment == 0 && fraction < END_FRACTION {
            Some(graph.edge(edge).from)
        } else if segment + 2 >= line.len() && fraction > 1.0 - END_FRACTION {
            Some(graph.edge(edge).to)
        } else {
            None
        };
        if let Some(vertex) = vertex {
            let vertex = VertexIdx(vertex);
            if !self.vertices.contains(&vertex) {
                self.vertices.push(vertex);
            }
            self.snapped = graph.position(vertex);
            return;
        }
        let cut = between(line[segment], line[segment + 1], fraction);
        let before = length_m(&line[..=segment]) + distance_m(line[segment], cut);
        let after = distance_m(cut, line[segment + 1]) + length_m(&line[segment + 1..]);
        let fraction = if before + after > 0.0 { before / (before + after) } else { 0.0 };
        let (before_mm, after_mm) = ((before * 1000.0) as u32, (after * 1000.0) as u32);
        self.splits.push(EdgeSplit { edge, fraction, before_mm, after_mm, at: cut });
        self.snapped = cut;
    }
}

/// The nearest accepted street edges within [`LINK_RADIUS_M`]: the nearest one, and further ones as long as each is less
/// than a millimetre farther away than the one before.
fn nearest_edges(graph: &StreetGraph, position: LatLon, accepts: impl Fn(&Edge) -> bool) -> Vec<Candidate> {
    let x_scale = position.lat.to_radians().cos();
    let radius = meters_to_degrees(LINK_RADIUS_M);
    let tolerance = meters_to_degrees(TWIN_TOLERANCE_M);
    let best = std::cell::Cell::new(radius);
    let mut found: Vec<Candidate> = Vec::new();
    let visit = |e: u32| {
        let edge = graph.edge(EdgeIdx(e));
        if !accepts(&edge) {
            return;
        }
        let candidate = project(graph, e, position, x_scale);
        if candidate.distance <= best.get() + 20.0 * tolerance {
            best.set(best.get().min(candidate.distance));
            found.push(candidate);
        }
    };
    graph.spatial.rings(position, visit, |reached| reached > best.get());
    found.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.edge.cmp(&b.edge)));
    found.dedup_by_key(|c| c.edge);
    let chain = found.windows(2).take_while(|w| w[1].distance - w[0].distance < tolerance).count() + 1;
    found.truncate(chain);
    found.retain(|c| c.distance <= radius);
    found
}

/// The nearest point of an edge in the equirectangular plane around the position; the first one of equally near points.
fn project(graph: &StreetGraph, edge: u32, position: LatLon, x_scale: f64) -> Candidate {
    let (px, py) = (position.lon * x_scale, position.lat);
    let mut best = Candidate { edge, distance: f64::MAX, segment: 0, fraction: 0.0 };
    let mut previous: Option<(f64, f64)> = None;
    let mut segment = 0;
    for point in graph.edge_line(EdgeIdx(edge)) {
        let (bx, by) = (point.lon * x_scale, point.lat);
        if let Some((ax, ay)) = previous {
            let fraction = nearest_share([px, py], [ax, ay], [bx, by]);
            let distance = (ax + fraction * (bx - ax) - px).hypot(ay + fraction * (by - ay) - py);
            if distance < best.distance {
                best = Candidate { edge, distance, segment, fraction };
            }
            segment += 1;
        }
        previous = Some((bx, by));
    }
    best
}
