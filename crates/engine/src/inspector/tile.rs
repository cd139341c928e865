//! Drawing one tile.

use tiny_skia::{LineCap, LineJoin, Paint, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};
use trestle_model::geo::LatLon;
use trestle_model::ids::{EdgeIdx, StopIdx, VertexIdx};
use trestle_street::graph::EdgeKind;

use super::layers::{Layer, Look};
use crate::snapshot::Snapshot;

/// Pixels of a side.
const SIZE: u32 = 256;
/// Mean radius of the earth, metres.
const EARTH_RADIUS_M: f64 = 6_371_000.0;
/// Highest zoom that has tiles.
const MAX_ZOOM: u32 = 24;

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
    let mut drawing = Drawing::new(id)?;
    drawing.edges(snapshot, layer);
    drawing.stop_links(snapshot, layer);
    drawing.vertices(snapshot, layer);
    drawing.stops(snapshot, layer);
    drawing.pixmap.encode_png().ok()
}

struct Drawing {
    pixmap: Pixmap,
    north: f64,
    west: f64,
    /// Pixels per degree. Linear in latitude: the difference to Mercator is below a pixel where one looks at streets.
    scale: [f64; 2],
    line_width: f32,
    /// South, west, north, east of what is drawn, a margin included.
    bounds: [f64; 4],
}

impl Drawing {
    fn new(TileId { z, x, y }: TileId) -> Option<Drawing> {
        if z > MAX_ZOOM || u64::from(x.max(y)) >= 1u64 << z {
            return None;
        }
        let tiles = f64::from(z).exp2();
        let latitude =
            |row: f64| (std::f64::consts::PI * (1.0 - 2.0 * row / tiles)).sinh().atan().to_degrees();
        let longitude = |column: f64| column / tiles * 360.0 - 180.0;
        let (north, south) = (latitude(f64::from(y)), latitude(f64::from(y) + 1.0));
        let (west, east) = (longitude(f64::from(x)), longitude(f64::from(x) + 1.0));
        let side = f64::from(SIZE);
        let scale = [side / (north - south), side / (east - west)];
        let meters_per_pixel = (north - south).to_radians() * EARTH_RADIUS_M / side;
        let line_width = 1.0 + 3.0 / meters_per_pixel.sqrt();
        let margin = [2.0 * line_width / scale[0], 2.0 * line_width / scale[1]];
        Some(Drawing {
            pixmap: Pixmap::new(SIZE, SIZE)?,
            north,
            west,
            scale,
            line_width: line_width as f32,
            bounds: [south - margin[0], west - margin[1], north + margin[0], east + margin[1]],
        })
    }

    fn point(&self, at: LatLon) -> (f32, f32) {
        (((at.lon - self.west) * self.scale[1]) as f32, ((self.north - at.lat) * self.scale[0]) as f32)
    }

    fn contains(&self, at: LatLon) -> bool {
        let [south, west, north, east] = self.bounds;
        (south..=north).contains(&at.lat) && (west..=east).contains(&at.lon)
    }

    /// Whether a line of this length that starts at a point may come into the tile.
    fn is_near(&self, start: LatLon, length_m: f64) -> bool {
        let [south, west, north, east] = self.bounds;
        let reach = (length_m / EARTH_RADIUS_M).to_degrees() + 1e-6;
        let aside = reach / start.lat.to_radians().cos().max(0.01);
        (south - reach..=north + reach).contains(&start.lat)
            && (west - aside..=east + aside).contains(&start.lon)
    }

    fn touches(&self, line: &[LatLon]) -> bool {
        let [south, west, north, east] = self.bounds;
        let any = |is: &dyn Fn(&LatLon) -> bool| line.iter().any(is);
        any(&|p| p.lat >= south)
            && any(&|p| p.lat <= north)
            && any(&|p| p.lon >= west)
            && any(&|p| p.lon <= east)
    }

    fn edges(&mut self, snapshot: &Snapshot, layer: Layer) {
        let street = &snapshot.graph.street;
        for number in (0..street.edges.len()).map(EdgeIdx::from) {
            let edge = street.edge(number);
            if !self.is_near(street.position(VertexIdx(edge.from)), edge.length_m()) {
                continue;
            }
            let line: Vec<LatLon> = street.edge_line(number).collect();
            if !self.touches(&line) {
                continue;
            }
            if let Some(look) = layer.edge(street, number) {
                self.line(&line, &look, edge.kind() != EdgeKind::Street);
            }
        }
    }

    fn stop_links(&mut self, snapshot: &Snapshot, layer: Layer) {
        let Some(look) = layer.stop_link() else { return };
        let stops = &snapshot.graph.timetable.stops;
        for link in snapshot.graph.street.stop_links.iter() {
            let (Some(&lat), Some(&lon)) =
                (stops.lat.get(link.stop as usize), stops.lon.get(link.stop as usize))
            else {
                continue;
            };
            let street = snapshot.graph.street.position(VertexIdx(link.vertex));
            let line = [LatLon::new(lat, lon), street];
            if self.touches(&line) {
                self.line(&line, &look, true);
                self.line(&[line[1], line[0]], &look, true);
            }
        }
    }

    fn vertices(&mut self, snapshot: &Snapshot, layer: Layer) {
        let street = &snapshot.graph.street;
        for vertex in 0..street.vertex_count() {
            let at = LatLon::new(street.vertex_lat[vertex], street.vertex_lon[vertex]);
            if !self.contains(at) {
                continue;
            }
            if let Some(look) = layer.vertex(street, vertex) {
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
                self.dot(at, &look);
            }
        }
    }

    /// A line beside its middle, so that both directions of a street can be told apart; a link is dashed.
    fn line(&mut self, line: &[LatLon], look: &Look, is_link: bool) {
        let points: Vec<(f32, f32)> = line.iter().map(|p| self.point(*p)).collect();
        let offset = beside(&points, 0.4 * self.line_width);
        let mut builder = PathBuilder::new();
        for (i, (x, y)) in offset.into_iter().enumerate() {
            let (x, y) = (pixel_center(x), pixel_center(y));
            if i == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
        }
        let Some(path) = builder.finish() else { return };
        let width = self.line_width;
        let dash = is_link.then(|| StrokeDash::new(vec![4.0 * width, width], 2.0 * width)).flatten();
        let stroke = Stroke {
            width: 0.6 * width + 1.0,
            line_cap: if is_link { LineCap::Butt } else { LineCap::Round },
            line_join: LineJoin::Bevel,
            dash,
            ..Stroke::default()
        };
        self.pixmap.stroke_path(&path, &paint(look), &stroke, Transform::identity(), None);
        if width > 4.0 && !is_link {
            let center = Stroke { width: 1.0, ..Stroke::default() };
            let black = Look { color: tiny_skia::Color::BLACK, label: String::new() };
            self.pixmap.stroke_path(&path, &paint(&black), &center, Transform::identity(), None);
        }
    }

    fn dot(&mut self, at: LatLon, look: &Look) {
        let (x, y) = self.point(at);
        if let Some(path) = PathBuilder::from_circle(pixel_center(x), pixel_center(y), 0.7 * self.line_width)
        {
            let rule = tiny_skia::FillRule::Winding;
            self.pixmap.fill_path(&path, &paint(look), rule, Transform::identity(), None);
        }
    }
}

fn paint(look: &Look) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(look.color);
    paint
}

/// Lines whose points are on pixel centres have crisp borders.
fn pixel_center(coordinate: f32) -> f32 {
    coordinate.floor() + 0.5
}

/// The line moved to its right by `distance` pixels.
fn beside(points: &[(f32, f32)], distance: f32) -> Vec<(f32, f32)> {
    let direction = |a: (f32, f32), b: (f32, f32)| {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = dx.hypot(dy);
        if length > 0.0 { (dx / length, dy / length) } else { (0.0, 0.0) }
    };
    (0..points.len())
        .map(|i| {
            let before = if i > 0 { direction(points[i - 1], points[i]) } else { (0.0, 0.0) };
            let after = if i + 1 < points.len() { direction(points[i], points[i + 1]) } else { (0.0, 0.0) };
            let (dx, dy) = (before.0 + after.0, before.1 + after.1);
            let length = dx.hypot(dy);
            if length <= f32::EPSILON {
                return points[i];
            }
            (points[i].0 - dy / length * distance, points[i].1 + dx / length * distance)
        })
        .collect()
}
