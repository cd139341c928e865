//! What each layer shows: which edges and vertices, in which colour, with which label.

use tiny_skia::Color;
use trestle_model::ids::EdgeIdx;
use trestle_street::graph::{Edge, EdgeKind, StreetGraph, edge_flags, vertex_flags};

use super::islands::Islands;
use crate::snapshot::Snapshot;

/// Layers of the inspector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layer {
    /// Slopes and accessibility.
    Wheelchair,
    /// Bicycle safety.
    BikeSafety,
    /// Who may use a street.
    Traversal,
    /// Driving speed.
    CarSpeed,
    /// Steepest slope, whoever uses it.
    Slope,
    /// Streets without through traffic.
    NoThrough,
    /// Turns that are forbidden, or the only ones allowed.
    TurnRestrictions,
    /// Parts of the network between which nobody can walk.
    Islands,
    /// Stops, and where they are joined to the streets.
    StopLinks,
    /// Walks between stops.
    Transfers,
}

/// Every layer with its key and its name, in the order of the interface.
pub const LAYERS: [(Layer, &str, &str); 10] = [
    (Layer::Wheelchair, "wheelchair", "Wheelchair access"),
    (Layer::BikeSafety, "bike-safety", "Bike safety"),
    (Layer::Traversal, "traversal", "Traversal permissions"),
    (Layer::CarSpeed, "car-speed", "Car speed"),
    (Layer::Slope, "slope", "Slope"),
    (Layer::NoThrough, "no-through", "No through traffic"),
    (Layer::TurnRestrictions, "turn-restrictions", "Turn restrictions"),
    (Layer::Islands, "islands", "Islands"),
    (Layer::StopLinks, "stop-links", "Links of stops"),
    (Layer::Transfers, "transfers", "Transfers"),
];

/// How an edge or vertex is drawn.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Look {
    pub(super) color: Color,
    pub(super) label: String,
}

fn look(color: Color, label: impl Into<String>) -> Option<Look> {
    Some(Look { color, label: label.into() })
}

fn rgb(red: u8, green: u8, blue: u8) -> Color {
    Color::from_rgba8(red, green, blue, 255)
}

const LIGHT_GRAY: u8 = 192;
const DARK_GRAY: u8 = 64;

fn gray(level: u8) -> Color {
    rgb(level, level, level)
}

impl Layer {
    /// The layer of a key.
    pub fn by_key(key: &str) -> Option<Layer> {
        LAYERS.iter().find(|(_, known, _)| *known == key).map(|(layer, ..)| *layer)
    }

    /// How the layer shows an edge, if it does.
    pub(super) fn edge(self, snapshot: &Snapshot, number: EdgeIdx) -> Option<Look> {
        let edge = snapshot.graph.street.edge(number);
        match (self, edge.kind()) {
            (Layer::Islands, EdgeKind::Street) => island(snapshot.islands(), edge),
            (_, EdgeKind::Street) => self.street(edge),
            (Layer::BikeSafety, EdgeKind::StationLink) => look(palette(1.0, 1.0, 3.0, 10.0), "link"),
            (Layer::Traversal, EdgeKind::StationLink | EdgeKind::ParkAndRideLink) => link(),
            _ => None,
        }
    }

    fn street(self, edge: &Edge) -> Option<Look> {
        match self {
            Layer::BikeSafety if !edge.has(edge_flags::BICYCLE) => look(gray(LIGHT_GRAY), "no bikes"),
            Layer::BikeSafety => {
                let factor = f64::from(edge.bicycle_safety);
                look(palette(factor, 1.0, 3.0, 10.0), format!("{factor:.2}"))
            }
            Layer::Traversal => traversal(edge),
            Layer::Wheelchair if !edge.has(edge_flags::WHEELCHAIR) => look(rgb(255, 0, 0), "wheelchair=no"),
            Layer::Wheelchair | Layer::Slope => {
                let slope = f64::from(edge.max_slope);
                look(palette(slope, 0.0, 0.08, 1.0), format!("{slope:.2}"))
            }
            Layer::CarSpeed if !edge.has(edge_flags::CAR) => None,
            Layer::CarSpeed => {
                let speed = f64::from(edge.car_speed) * 3.6;
                look(palette(130.0 - speed, 0.0, 130.0, 260.0), format!("{speed:.0} km/h"))
            }
            Layer::NoThrough if edge.has(edge_flags::NO_THROUGH) => look(rgb(255, 0, 0), "no through"),
            Layer::NoThrough | Layer::TurnRestrictions | Layer::StopLinks => look(gray(LIGHT_GRAY), ""),
            Layer::Islands | Layer::Transfers => None,
        }
    }

    /// How the layer shows a vertex of the streets, if it does.
    pub(super) fn vertex(self, graph: &StreetGraph, vertex: usize) -> Option<Look> {
        let flags = graph.vertex_flags[vertex];
        let name = || graph.names.get(graph.vertex_name[vertex]).to_owned();
        if flags & vertex_flags::BIKE_RENTAL != 0 {
            return matches!(self, Layer::BikeSafety | Layer::Traversal)
                .then(|| look(rgb(0, 179, 0), name()))?;
        }
        match self {
            Layer::Traversal if flags & vertex_flags::PARK_AND_RIDE != 0 => look(rgb(255, 0, 0), name()),
            Layer::Traversal if flags & vertex_flags::BARRIER != 0 => look(rgb(148, 55, 62), "barrier"),
            Layer::Traversal | Layer::BikeSafety => look(gray(DARK_GRAY), ""),
            _ => None,
        }
    }

    /// Dots drawn over each other at a stop, which makes their border hard: by convention, the layer of accessibility
    /// shows a vertex each for a stop, its arrivals and its departures.
    pub(super) fn dots_per_stop(self) -> u32 {
        if self == Layer::Wheelchair { 5 } else { 1 }
    }

    /// How the layer shows a stop: `station` for a parent, `wheelchair` its wheelchair_boarding.
    pub(super) fn stop(self, station: bool, wheelchair: u8, name: &str) -> Option<Look> {
        let color = match (self, station, wheelchair) {
            (Layer::Traversal | Layer::StopLinks | Layer::Transfers, true, _) => rgb(102, 0, 204),
            (Layer::Traversal | Layer::StopLinks | Layer::Transfers, false, _) => rgb(0, 0, 204),
            (Layer::Wheelchair, _, 0) => rgb(255, 200, 0),
            (Layer::Wheelchair, _, 1) => rgb(0, 255, 0),
            (Layer::Wheelchair, ..) => rgb(255, 0, 0),
            _ => return None,
        };
        look(color, name)
    }
}

fn link() -> Option<Look> {
    look(rgb(255, 200, 0), "link")
}

/// Most of the network is gray; the smaller a part is, the more it stands out.
fn island(islands: &Islands, edge: &Edge) -> Option<Look> {
    if !edge.has(edge_flags::WALK) {
        return None;
    }
    let size = islands.size(edge.from);
    if islands.is_mainland(size) {
        return look(gray(LIGHT_GRAY), "");
    }
    let color = match size {
        0..10 => rgb(255, 0, 0),
        10..100 => rgb(255, 128, 0),
        100..1000 => rgb(179, 0, 179),
        _ => rgb(0, 0, 204),
    };
    look(color, format!("{size} vertices"))
}

fn traversal(edge: &Edge) -> Option<Look> {
    if edge.has(edge_flags::STAIRS) {
        return look(rgb(255, 175, 175), "stairs");
    }
    let modes = [(edge_flags::WALK, "walk"), (edge_flags::BICYCLE, "bike"), (edge_flags::CAR, "car")];
    let allowed: Vec<&str> =
        modes.iter().filter(|(flag, _)| edge.has(*flag)).map(|(_, name)| *name).collect();
    let level = |flag: u32| if edge.has(flag) { 179 } else { 51 };
    let color = rgb(level(edge_flags::CAR), level(edge_flags::WALK), level(edge_flags::BICYCLE));
    look(color, if allowed.is_empty() { "none".to_owned() } else { allowed.join(",") })
}

/// From green over blue to red between two values, then to black at `darkest`.
fn palette(value: f64, low: f64, high: f64, darkest: f64) -> Color {
    if value > high {
        let x = ((value - high) / (darkest - high)).min(1.0);
        return hsb(0.0, 0.7 * (1.0 - x));
    }
    let x = ((value - low) / (high - low)).max(0.0);
    hsb(0.3 + 0.7 * x, 0.7)
}

/// A fully saturated colour.
fn hsb(hue: f64, brightness: f64) -> Color {
    let sector = (hue - hue.floor()) * 6.0;
    let (falling, rising) = (brightness * (1.0 - sector.fract()), brightness * sector.fract());
    let [red, green, blue] = match sector as u32 {
        0 => [brightness, rising, 0.0],
        1 => [falling, brightness, 0.0],
        2 => [0.0, brightness, rising],
        3 => [0.0, falling, brightness],
        4 => [rising, 0.0, brightness],
        _ => [brightness, 0.0, falling],
    };
    let byte = |share: f64| (share * 255.0 + 0.5) as u8;
    rgb(byte(red), byte(green), byte(blue))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_palette_goes_from_green_to_red_to_black() {
        let bytes = |value| {
            let color = palette(value, 1.0, 3.0, 10.0).to_color_u8();
            [color.red(), color.green(), color.blue()]
        };
        assert_eq!(bytes(1.0), [36, 179, 0]);
        assert_eq!(bytes(3.0), [179, 0, 0]);
        assert_eq!(bytes(10.0), [0, 0, 0]);
    }

    #[test]
    fn permissions_show_as_colour_and_words() {
        let edge = Edge { flags: edge_flags::WALK | edge_flags::CAR, ..Edge::default() };
        let shown = traversal(&edge).unwrap();
        assert_eq!(shown.label, "walk,car");
        assert_eq!(shown.color, rgb(179, 179, 51));
    }
}
