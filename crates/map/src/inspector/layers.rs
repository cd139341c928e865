//! What each layer shows: which edges and vertices, in which colour, with which label.

use tiny_skia::Color;
use trestle_engine::snapshot::Snapshot;
use trestle_model::ids::EdgeIdx;
use trestle_street::graph::{Edge, EdgeKind, StreetGraph, edge_flags, vertex_flags};

use super::islands::Islands;

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
    /// Steepest slope, for all streets.
    Slope,
    /// Streets without through traffic.
    NoThrough,
    /// Turns that are forbidden, or the only ones allowed.
    TurnRestrictions,
    /// Parts of the network that cannot be reached from each other on foot.
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

fn rgb(red: u8, green: u8, blue: u8) -> Color {
    Color::from_rgba8(red, green, blue, 255)
}

const LIGHT_GRAY: u8 = 192;
const DARK_GRAY: u8 = 64;

fn gray(level: u8) -> Color {
    rgb(level, level, level)
}

impl Layer {
    pub fn by_key(key: &str) -> Option<Layer> {
        LAYERS.iter().find(|(_, known, _)| *known == key).map(|(layer, ..)| *layer)
    }

    /// The colour of an edge, if the layer shows it.
    pub(super) fn edge_color(self, snapshot: &Snapshot, number: EdgeIdx) -> Option<Color> {
        let edge = &snapshot.graph.street.edge(number);
        match (self, edge.kind()) {
            (Layer::Islands, EdgeKind::Street) => island_color(Islands::of(snapshot), edge),
            (_, EdgeKind::Street) => self.street_color(edge),
            (Layer::BikeSafety, EdgeKind::StationLink) => Some(palette(1.0, 1.0, 3.0, 10.0)),
            (Layer::Traversal, EdgeKind::StationLink | EdgeKind::ParkAndRideLink) => Some(rgb(255, 200, 0)),
            _ => None,
        }
    }

    fn street_color(self, edge: &Edge) -> Option<Color> {
        Some(match self {
            Layer::BikeSafety if !edge.has(edge_flags::BICYCLE) => gray(LIGHT_GRAY),
            Layer::BikeSafety => palette(f64::from(edge.bicycle_safety), 1.0, 3.0, 10.0),
            Layer::Traversal => traversal_color(edge),
            Layer::Wheelchair if !edge.has(edge_flags::WHEELCHAIR) => rgb(255, 0, 0),
            Layer::Wheelchair | Layer::Slope => palette(f64::from(edge.max_slope), 0.0, 0.08, 1.0),
            Layer::CarSpeed if !edge.has(edge_flags::CAR) => return None,
            Layer::CarSpeed => palette(130.0 - speed_kmh(edge), 0.0, 130.0, 260.0),
            Layer::NoThrough if edge.has(edge_flags::NO_THROUGH) => rgb(255, 0, 0),
            Layer::NoThrough | Layer::TurnRestrictions | Layer::StopLinks => gray(LIGHT_GRAY),
            Layer::Islands | Layer::Transfers => return None,
        })
    }

    /// The label of an edge that the layer shows; may be empty. Making it takes longer than drawing a short line, and
    /// it can only be read on wide ones.
    pub(super) fn edge_label(self, snapshot: &Snapshot, number: EdgeIdx) -> String {
        let edge = &snapshot.graph.street.edge(number);
        if edge.kind() != EdgeKind::Street {
            return "link".to_owned();
        }
        match self {
            Layer::BikeSafety if !edge.has(edge_flags::BICYCLE) => "no bikes".to_owned(),
            Layer::BikeSafety => format!("{:.2}", edge.bicycle_safety),
            Layer::Traversal => traversal_label(edge),
            Layer::Wheelchair if !edge.has(edge_flags::WHEELCHAIR) => "wheelchair=no".to_owned(),
            Layer::Wheelchair | Layer::Slope => format!("{:.2}", edge.max_slope),
            Layer::CarSpeed => format!("{:.0} km/h", speed_kmh(edge)),
            Layer::NoThrough if edge.has(edge_flags::NO_THROUGH) => "no through".to_owned(),
            Layer::Islands => island_label(Islands::of(snapshot), edge),
            Layer::NoThrough | Layer::TurnRestrictions | Layer::StopLinks | Layer::Transfers => String::new(),
        }
    }

    /// The colour of a vertex of the streets, if the layer shows it.
    pub(super) fn vertex_color(self, graph: &StreetGraph, vertex: usize) -> Option<Color> {
        let flags = graph.vertex_flags[vertex];
        if flags & vertex_flags::BIKE_RENTAL != 0 {
            return matches!(self, Layer::BikeSafety | Layer::Traversal).then(|| rgb(0, 179, 0));
        }
        match self {
            Layer::Traversal if flags & vertex_flags::PARK_AND_RIDE != 0 => Some(rgb(255, 0, 0)),
            Layer::Traversal if flags & vertex_flags::BARRIER != 0 => Some(rgb(148, 55, 62)),
            Layer::Traversal | Layer::BikeSafety => Some(gray(DARK_GRAY)),
            _ => None,
        }
    }

    /// The label of a vertex that the layer shows; intersections have none.
    pub(super) fn vertex_label(self, graph: &StreetGraph, vertex: usize) -> String {
        let flags = graph.vertex_flags[vertex];
        let is = |flag: u16| flags & flag != 0;
        let is_lot = self == Layer::Traversal && is(vertex_flags::PARK_AND_RIDE);
        if is(vertex_flags::BIKE_RENTAL) || is_lot {
            graph.names.get(graph.vertex_name[vertex]).to_owned()
        } else if self == Layer::Traversal && is(vertex_flags::BARRIER) {
            "barrier".to_owned()
        } else {
            String::new()
        }
    }

    /// Number of dots drawn over each other at a stop, which makes their border sharp: by convention, the layer of
    /// accessibility shows separate vertices for a stop, its arrivals and its departures.
    pub(super) fn dots_per_stop(self) -> u32 {
        if self == Layer::Wheelchair { 5 } else { 1 }
    }

    /// The colour of a stop, if the layer shows it: `station` for a parent; `wheelchair` is its wheelchair_boarding.
    pub(super) fn stop_color(self, station: bool, wheelchair: u8) -> Option<Color> {
        match (self, station, wheelchair) {
            (Layer::Traversal | Layer::StopLinks | Layer::Transfers, true, _) => Some(rgb(102, 0, 204)),
            (Layer::Traversal | Layer::StopLinks | Layer::Transfers, false, _) => Some(rgb(0, 0, 204)),
            (Layer::Wheelchair, _, 0) => Some(rgb(255, 200, 0)),
            (Layer::Wheelchair, _, 1) => Some(rgb(0, 255, 0)),
            (Layer::Wheelchair, ..) => Some(rgb(255, 0, 0)),
            _ => None,
        }
    }
}

fn speed_kmh(edge: &Edge) -> f64 {
    f64::from(edge.car_speed) * 3.6
}

/// Most of the network is gray; the smaller a part is, the more it stands out.
fn island_color(islands: &Islands, edge: &Edge) -> Option<Color> {
    if !edge.has(edge_flags::WALK) {
        return None;
    }
    let size = islands.size(edge.from);
    Some(match size {
        _ if islands.is_mainland(size) => gray(LIGHT_GRAY),
        0..10 => rgb(255, 0, 0),
        10..100 => rgb(255, 128, 0),
        100..1000 => rgb(179, 0, 179),
        _ => rgb(0, 0, 204),
    })
}

fn island_label(islands: &Islands, edge: &Edge) -> String {
    let size = islands.size(edge.from);
    if islands.is_mainland(size) { String::new() } else { format!("{size} vertices") }
}

fn traversal_color(edge: &Edge) -> Color {
    if edge.has(edge_flags::STAIRS) {
        return rgb(255, 175, 175);
    }
    let level = |flag: u32| if edge.has(flag) { 179 } else { 51 };
    rgb(level(edge_flags::CAR), level(edge_flags::WALK), level(edge_flags::BICYCLE))
}

fn traversal_label(edge: &Edge) -> String {
    if edge.has(edge_flags::STAIRS) {
        return "stairs".to_owned();
    }
    let modes = [(edge_flags::WALK, "walk"), (edge_flags::BICYCLE, "bike"), (edge_flags::CAR, "car")];
    let allowed: Vec<&str> =
        modes.iter().filter(|(flag, _)| edge.has(*flag)).map(|(_, name)| *name).collect();
    if allowed.is_empty() { "none".to_owned() } else { allowed.join(",") }
}

/// From green through blue to red between two values, then to black at `darkest`.
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
        assert_eq!(traversal_label(&edge), "walk,car");
        assert_eq!(traversal_color(&edge), rgb(179, 179, 51));
    }
}
