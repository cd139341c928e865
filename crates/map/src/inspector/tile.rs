//! Drawing one tile.

use tiny_skia::{Color, PathBuilder, Transform};
use trestle_engine::snapshot::Snapshot;
use trestle_model::BitSet;
use trestle_model::geo::{BoundingBox, LatLon};
use trestle_model::ids::{EdgeIdx, StopIdx, VertexIdx};
use trestle_model::mercator::TileId;
use trestle_street::graph::{EdgeKind, StreetGraph};

use super::canvas::{Canvas, Dashes};
use super::connections::connections;
use super::labels::{Labels, MeasuredLine};
use super::layers::Layer;
use super::overview::{OVERVIEW_WIDTH, PaintedDots, is_in_one_pixel};
use super::pieces::{Point, SIZE, pixel_center};
use super::projection::Projection;

/// The tile as a PNG with a transparent background; `None` when there is no such tile.
pub fn render(snapshot: &Snapshot, layer: Layer, id: TileId) -> Option<Vec<u8>> {
    let projection = Projection::new(id)?;
    let bounds = projection.drawn_bounds();
    let seen = Seen::new(&snapshot.graph.street, bounds);
    let mut drawing =
        Drawing { canvas: Canvas::new()?, labels: Labels::get(), projection, bounds, line: Line::default() };
    drawing.edges(snapshot, layer, &seen);
    drawing.connections(snapshot, layer);
    drawing.stops(snapshot, layer);
    drawing.vertices(snapshot, layer, &seen);
    drawing.canvas.png()
}

/// The parts of the streets that may be visible in a tile.
struct Seen {
    edges: Vec<EdgeIdx>,
    /// Their ends.
    vertices: BitSet,
}

impl Seen {
    /// Streets of the box, and links of stations and lots that begin or end at one of their vertices.
    fn new(street: &StreetGraph, bounds: BoundingBox) -> Seen {
        let mut edges = street.spatial.within(bounds);
        let mut vertices = BitSet::default();
        vertices.reset(street.vertex_count());
        edges.iter().for_each(|&edge| mark_ends(street, edge, &mut vertices));
        let around = |vertex: u32| {
            street.out_edges(VertexIdx(vertex)).chain(street.incoming(VertexIdx(vertex)).iter().copied())
        };
        let mut links: Vec<EdgeIdx> = (street.stations.vertex.iter())
            .flat_map(|&station| around(station))
            .map(EdgeIdx)
            .filter(|&link| {
                let edge = street.edge(link);
                let is_near = vertices.has(edge.from as usize) || vertices.has(edge.to as usize);
                edge.kind() != EdgeKind::Street && is_near
            })
            .collect();
        links.sort_unstable_by_key(|link| link.0);
        links.dedup();
        links.iter().for_each(|&link| mark_ends(street, link, &mut vertices));
        edges.extend(links);
        // Two sorted sequences, which a stable sort merges.
        edges.sort_by_key(|edge| edge.0);
        Seen { edges, vertices }
    }
}

fn mark_ends(street: &StreetGraph, edge: EdgeIdx, vertices: &mut BitSet) {
    let edge = street.edge(edge);
    vertices.insert(edge.from as usize);
    vertices.insert(edge.to as usize);
}

struct Drawing {
    canvas: Canvas,
    labels: Option<&'static Labels>,
    projection: Projection,
    /// The box of what is drawn, including a margin.
    bounds: BoundingBox,
    line: Line,
}

/// A line in pixels; its memory is reused from line to line.
#[derive(Default)]
struct Line {
    middle: Vec<Point>,
    /// The line moved off its middle.
    drawn: Vec<Point>,
}

impl Drawing {
    fn edges(&mut self, snapshot: &Snapshot, layer: Layer, seen: &Seen) {
        let street = &snapshot.graph.street;
        for &number in &seen.edges {
            if !self.project(street.edge_line(number)) {
                continue;
            }
            if let Some(color) = layer.edge_color(snapshot, number) {
                let is_link = street.edge(number).kind() != EdgeKind::Street;
                self.line(color, is_link, || layer.edge_label(snapshot, number));
            }
        }
    }

    fn connections(&mut self, snapshot: &Snapshot, layer: Layer) {
        for connection in connections(snapshot, layer, self.bounds) {
            if self.project(connection.ends.into_iter()) {
                self.line(connection.color, true, || connection.label);
            }
        }
    }

    fn vertices(&mut self, snapshot: &Snapshot, layer: Layer, seen: &Seen) {
        let street = &snapshot.graph.street;
        let is_overview = self.projection.line_width < OVERVIEW_WIDTH;
        let mut painted = PaintedDots::default();
        for vertex in seen.vertices.iter() {
            let at = street.position(VertexIdx(vertex as u32));
            if !self.bounds.has(at) {
                continue;
            }
            let Some(color) = layer.vertex_color(street, vertex) else { continue };
            if !is_overview || painted.is_new(self.projection.point(at), color) {
                self.dot(at, color, || layer.vertex_label(street, vertex));
            }
        }
    }

    fn stops(&mut self, snapshot: &Snapshot, layer: Layer) {
        let timetable = &snapshot.graph.timetable;
        let stops = &timetable.stops;
        for stop in (0..stops.id.len()).map(StopIdx::from) {
            let i = stop.index();
            let at = stops.position(stop);
            if !self.bounds.has(at) {
                continue;
            }
            if let Some(color) = layer.stop_color(stops.is_station(stop), stops.wheelchair[i]) {
                for _ in 0..layer.dots_per_stop() {
                    self.dot(at, color, || timetable.texts.get(stops.name[i]).to_owned());
                }
            }
        }
    }

    /// Makes a line the current one. False when it is outside the picture, or too short to be seen.
    fn project(&mut self, line: impl Iterator<Item = LatLon>) -> bool {
        let Drawing { projection, line: Line { middle, .. }, .. } = self;
        middle.clear();
        middle.extend(line.map(|p| projection.point(p)));
        let border = projection.margin();
        let sides = |[x, y]: &Point| {
            let far = SIZE as f32 + border;
            [*x >= -border, *x <= far, *y >= -border, *y <= far]
        };
        let touched = middle.iter().map(sides).fold([false; 4], |a, b| std::array::from_fn(|i| a[i] | b[i]));
        touched == [true; 4] && (projection.line_width >= OVERVIEW_WIDTH || !is_in_one_pixel(middle))
    }

    /// Draws the line off its middle, so that both directions of a street are visible; a link is dashed.
    fn line(&mut self, color: Color, is_link: bool, label: impl FnOnce() -> String) {
        let size = self.projection.line_width;
        let Line { mut middle, mut drawn } = std::mem::take(&mut self.line);
        drawn.clear();
        beside(&middle, 0.4 * size, &mut drawn);
        drawn.iter_mut().for_each(|point| *point = pixel_center(*point));
        drawn.dedup();
        let width = 0.6 * size + 1.0;
        if is_link {
            let dashes = Dashes { drawn: 4.0 * size, gap: size, phase: 2.0 * size };
            self.canvas.dashed(&drawn, width, dashes, color);
        } else {
            self.canvas.line(&drawn, width, color);
        }
        if size > 6.0 {
            self.arrows(drawn.clone());
        }
        if size > 4.0 {
            middle.iter_mut().for_each(|point| *point = pixel_center(*point));
            middle.windows(2).for_each(|piece| self.canvas.line(piece, 1.0, Color::BLACK));
        }
        if let Some(labels) = self.labels.filter(|_| size > 8.0) {
            labels.along(&mut self.canvas, &label(), &drawn, size);
        }
        self.line = Line { middle, drawn };
    }

    /// White triangles that point in the direction of the line.
    fn arrows(&mut self, points: Vec<Point>) {
        let size = self.projection.line_width;
        let mut builder = PathBuilder::new();
        builder.move_to(-size / 3.0, -size / 3.0);
        builder.line_to(2.0 * size / 3.0, 0.0);
        builder.line_to(-size / 3.0, size / 3.0);
        builder.close();
        let Some(triangle) = builder.finish() else { return };
        let line = MeasuredLine::forward(points);
        let mut along = 2.5 * size;
        while along < line.length {
            let ([x, y], [dx, dy]) = line.at(along);
            self.canvas.fill(&triangle, Color::WHITE, Transform::from_row(dx, dy, -dy, dx, x, y));
            along += 5.0 * size;
        }
    }

    fn dot(&mut self, at: LatLon, color: Color, label: impl FnOnce() -> String) {
        let size = self.projection.line_width;
        let center = pixel_center(self.projection.point(at));
        self.canvas.dot(center, 0.7 * size, color);
        let is_inside = self.projection.bounds.has(at);
        if let Some(labels) = self.labels.filter(|_| size > 6.0 && is_inside) {
            labels.beside(&mut self.canvas, &label(), [center[0] + size, center[1]], 1.5 * size);
        }
    }
}

/// Appends the line, moved to its right by `distance` pixels, to `moved`.
fn beside(points: &[Point], distance: f32, moved: &mut Vec<Point>) {
    if let [first, last] = *points {
        let [dx, dy] = unit([last[0] - first[0], last[1] - first[1]]);
        let aside = |[x, y]: Point| [x - dy * distance, y + dx * distance];
        return moved.extend([aside(first), aside(last)]);
    }
    let mut before = [0.0, 0.0];
    for (i, &point) in points.iter().enumerate() {
        let after =
            points.get(i + 1).map_or([0.0, 0.0], |next| unit([next[0] - point[0], next[1] - point[1]]));
        let [dx, dy] = unit([before[0] + after[0], before[1] + after[1]]);
        moved.push([point[0] - dy * distance, point[1] + dx * distance]);
        before = after;
    }
}

/// A direction as a vector of length one; none for two equal points.
fn unit([x, y]: Point) -> Point {
    let length = (x * x + y * y).sqrt();
    if length > f32::EPSILON { [x / length, y / length] } else { [0.0, 0.0] }
}
