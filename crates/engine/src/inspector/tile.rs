//! Drawing one tile.

use tiny_skia::{Color, PathBuilder, Transform};
use trestle_model::geo::LatLon;
use trestle_model::ids::{EdgeIdx, StopIdx, VertexIdx};
use trestle_street::graph::{EdgeKind, StreetGraph};

use super::canvas::{Canvas, Dashes, Point};
use super::connections::connections;
use super::labels::{Labels, Walk};
use super::layers::{Layer, Look};
use super::projection::Projection;
use crate::snapshot::Snapshot;

/// A tile of the usual web map scheme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileId {
    /// Zoom.
    pub z: u32,
    /// Column from the west.
    pub x: u32,
    /// Row from the north.
    pub y: u32,
}

/// The tile as a PNG with a transparent background; `None` when there is no such tile.
pub fn render(snapshot: &Snapshot, layer: Layer, id: TileId) -> Option<Vec<u8>> {
    let projection = Projection::new(id)?;
    let bounds = projection.drawn_bounds();
    let seen = Seen::new(&snapshot.graph.street, bounds);
    let mut drawing = Drawing { canvas: Canvas::new()?, labels: Labels::get(), projection, bounds };
    drawing.edges(snapshot, layer, &seen);
    drawing.connections(snapshot, layer);
    drawing.stops(snapshot, layer);
    drawing.vertices(snapshot, layer, &seen);
    drawing.canvas.png()
}

/// What of the streets may show in a tile.
struct Seen {
    edges: Vec<EdgeIdx>,
    /// The ends of its edges.
    vertices: Vec<u32>,
}

impl Seen {
    /// Streets of the box, and whatever else begins or ends at one of their vertices.
    fn new(street: &StreetGraph, bounds: [f64; 4]) -> Seen {
        let mut edges = street.spatial.within(bounds);
        let mut vertices = ends(street, &edges);
        let is_link = |edge: &u32| street.edges[*edge as usize].kind() != EdgeKind::Street;
        let around = |vertex: u32| {
            street.out_edges(VertexIdx(vertex)).chain(street.incoming(VertexIdx(vertex)).iter().copied())
        };
        let links: Vec<EdgeIdx> =
            vertices.iter().flat_map(|&v| around(v)).filter(is_link).map(EdgeIdx).collect();
        if !links.is_empty() {
            edges.extend(links);
            edges.sort_unstable_by_key(|edge| edge.0);
            edges.dedup();
            vertices = ends(street, &edges);
        }
        Seen { edges, vertices }
    }
}

/// The vertices of edges, each once.
fn ends(street: &StreetGraph, edges: &[EdgeIdx]) -> Vec<u32> {
    let both = |edge: &EdgeIdx| {
        let edge = street.edge(*edge);
        [edge.from, edge.to]
    };
    let mut vertices: Vec<u32> = edges.iter().flat_map(both).collect();
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}

struct Drawing {
    canvas: Canvas,
    labels: Option<&'static Labels>,
    projection: Projection,
    /// South, west, north, east of what is drawn, a margin included.
    bounds: [f64; 4],
}

impl Drawing {
    fn contains(&self, at: LatLon) -> bool {
        let [south, west, north, east] = self.bounds;
        (south..=north).contains(&at.lat) && (west..=east).contains(&at.lon)
    }

    fn touches(&self, line: &[LatLon]) -> bool {
        let [south, west, north, east] = self.bounds;
        let any = |is: &dyn Fn(&LatLon) -> bool| line.iter().any(is);
        any(&|p| p.lat >= south)
            && any(&|p| p.lat <= north)
            && any(&|p| p.lon >= west)
            && any(&|p| p.lon <= east)
    }

    fn edges(&mut self, snapshot: &Snapshot, layer: Layer, seen: &Seen) {
        let street = &snapshot.graph.street;
        let mut line: Vec<LatLon> = Vec::new();
        for &number in &seen.edges {
            line.clear();
            line.extend(street.edge_line(number));
            if !self.touches(&line) {
                continue;
            }
            if let Some(look) = layer.edge(snapshot, number) {
                self.line(&line, &look, street.edge(number).kind() != EdgeKind::Street);
            }
        }
    }

    fn connections(&mut self, snapshot: &Snapshot, layer: Layer) {
        for connection in connections(snapshot, layer) {
            if self.touches(&connection.ends) {
                self.line(&connection.ends, &connection.look, true);
            }
        }
    }

    fn vertices(&mut self, snapshot: &Snapshot, layer: Layer, seen: &Seen) {
        let street = &snapshot.graph.street;
        for &vertex in &seen.vertices {
            let at = street.position(VertexIdx(vertex));
            if !self.contains(at) {
                continue;
            }
            if let Some(look) = layer.vertex(street, vertex as usize) {
                self.dot(at, &look);
            }
        }
    }

    fn stops(&mut self, snapshot: &Snapshot, layer: Layer) {
        let timetable = &snapshot.graph.timetable;
        let stops = &timetable.stops;
        for stop in (0..stops.id.len()).map(StopIdx::from) {
            let i = stop.index();
            let at = LatLon::new(stops.lat[i], stops.lon[i]);
            if !self.contains(at) {
                continue;
            }
            let name = timetable.texts.get(stops.name[i]);
            if let Some(look) = layer.stop(stops.location_type[i] == 1, stops.wheelchair[i], name) {
                for _ in 0..layer.dots_per_stop() {
                    self.dot(at, &look);
                }
            }
        }
    }

    /// A line beside its middle, so that both directions of a street can be told apart; a link is dashed.
    fn line(&mut self, line: &[LatLon], look: &Look, is_link: bool) {
        let size = self.projection.line_width;
        let middle: Vec<Point> = line.iter().map(|p| self.projection.point(*p)).collect();
        let mut points = beside(&middle, 0.4 * size);
        points.iter_mut().for_each(|point| *point = pixel_center(*point));
        let width = 0.6 * size + 1.0;
        if is_link {
            let dashes = Dashes { drawn: 4.0 * size, gap: size, phase: 2.0 * size };
            self.canvas.dashed(&points, width, dashes, look.color);
        } else {
            self.canvas.line(&points, width, look.color);
        }
        if size > 6.0 {
            self.arrows(points.clone());
        }
        if size > 4.0 {
            middle.into_iter().map(pixel_center).collect::<Vec<_>>().windows(2).for_each(|piece| {
                self.canvas.line(piece, 1.0, Color::BLACK);
            });
        }
        if let Some(labels) = self.labels.filter(|_| size > 8.0 && !look.label.is_empty()) {
            labels.along(&mut self.canvas, &look.label, &points, size);
        }
    }

    /// White triangles that point where the line leads.
    fn arrows(&mut self, points: Vec<Point>) {
        let size = self.projection.line_width;
        let mut builder = PathBuilder::new();
        builder.move_to(-size / 3.0, -size / 3.0);
        builder.line_to(2.0 * size / 3.0, 0.0);
        builder.line_to(-size / 3.0, size / 3.0);
        builder.close();
        let Some(triangle) = builder.finish() else { return };
        let walk = Walk::forward(points);
        let mut along = 2.5 * size;
        while along < walk.length {
            let ([x, y], [dx, dy]) = walk.at(along);
            self.canvas.fill(&triangle, Color::WHITE, Transform::from_row(dx, dy, -dy, dx, x, y));
            along += 5.0 * size;
        }
    }

    fn dot(&mut self, at: LatLon, look: &Look) {
        let size = self.projection.line_width;
        let center = pixel_center(self.projection.point(at));
        self.canvas.dot(center, 0.7 * size, look.color);
        let [south, west, north, east] = self.projection.bounds;
        let inside = (south..=north).contains(&at.lat) && (west..=east).contains(&at.lon);
        if let Some(labels) = self.labels.filter(|_| size > 6.0 && inside && !look.label.is_empty()) {
            labels.beside(&mut self.canvas, &look.label, [center[0] + size, center[1]], 1.5 * size);
        }
    }
}

/// Lines whose points are on pixel centres have crisp borders.
fn pixel_center([x, y]: Point) -> Point {
    [x.floor() + 0.5, y.floor() + 0.5]
}

/// The line moved to its right by `distance` pixels.
fn beside(points: &[Point], distance: f32) -> Vec<Point> {
    let direction = |a: Point, b: Point| {
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length = dx.hypot(dy);
        if length > 0.0 { [dx / length, dy / length] } else { [0.0, 0.0] }
    };
    (0..points.len())
        .map(|i| {
            let before = if i > 0 { direction(points[i - 1], points[i]) } else { [0.0, 0.0] };
            let after = if i + 1 < points.len() { direction(points[i], points[i + 1]) } else { [0.0, 0.0] };
            let (dx, dy) = (before[0] + after[0], before[1] + after[1]);
            let length = dx.hypot(dy);
            if length <= f32::EPSILON {
                return points[i];
            }
            [points[i][0] - dy / length * distance, points[i][1] + dx / length * distance]
        })
        .collect()
}
