//! The layers and the attributes of their features.

use trestle_street::base_map::MapLayer;

/// Highest zoom with tiles. Maps enlarge them for higher zooms.
pub const MAX_ZOOM: u32 = 16;

/// A layer of the tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layer {
    /// A layer of the base map.
    Base(MapLayer),
    /// Lines of routes: each stretch of a route once.
    Patterns,
    /// Stops, stations and entrances.
    Stops,
    /// Rental stations, given by the caller.
    Rentals,
    /// Vehicles, given by the caller.
    Vehicles,
    /// Edges of the street graph.
    Edges,
}

pub struct LayerInfo {
    pub layer: Layer,
    /// Its name in paths and tiles.
    pub key: &'static str,
    /// What it shows.
    pub description: &'static str,
    /// Zoom from which it may have features.
    pub min_zoom: u32,
    /// Attributes of its features, each with its type in TileJSON: `String`, `Number` or `Boolean`.
    pub fields: &'static [(&'static str, &'static str)],
}

/// Attributes of features with a class and a name, and of lines, which may also be bridges or tunnels.
const NAMED: &[(&str, &str)] = &[("class", "String"), ("name", "String")];
const LINES: &[(&str, &str)] =
    &[("class", "String"), ("name", "String"), ("bridge", "Boolean"), ("tunnel", "Boolean")];

/// Every layer, in the order in which maps draw them.
pub const LAYERS: [LayerInfo; 11] = [
    LayerInfo {
        layer: Layer::Base(MapLayer::Land),
        key: "land",
        description: "Woods, parks, built-up areas",
        min_zoom: 7,
        fields: NAMED,
    },
    LayerInfo {
        layer: Layer::Base(MapLayer::Water),
        key: "water",
        description: "The sea, lakes, wide rivers",
        min_zoom: 0,
        fields: NAMED,
    },
    LayerInfo {
        layer: Layer::Base(MapLayer::Waterways),
        key: "waterways",
        description: "Rivers, canals, streams as lines",
        min_zoom: 8,
        fields: LINES,
    },
    LayerInfo {
        layer: Layer::Base(MapLayer::Streets),
        key: "streets",
        description: "Streets and paths, ferries, runways",
        min_zoom: 5,
        fields: LINES,
    },
    LayerInfo {
        layer: Layer::Base(MapLayer::Railways),
        key: "railways",
        description: "Railways",
        min_zoom: 8,
        fields: LINES,
    },
    LayerInfo {
        layer: Layer::Base(MapLayer::Places),
        key: "places",
        description: "Names of settlements",
        min_zoom: 4,
        fields: NAMED,
    },
    LayerInfo {
        layer: Layer::Patterns,
        key: "patterns",
        description: "Paths of vehicles by route",
        min_zoom: 5,
        fields: &[
            ("route", "String"),
            ("shortName", "String"),
            ("longName", "String"),
            ("mode", "String"),
            ("color", "String"),
            ("textColor", "String"),
            ("agency", "String"),
        ],
    },
    LayerInfo {
        layer: Layer::Edges,
        key: "edges",
        description: "Edges of the street graph",
        min_zoom: 14,
        fields: &[
            ("id", "Number"),
            ("name", "String"),
            ("permission", "String"),
            ("stairs", "Boolean"),
            ("wheelchair", "Boolean"),
            ("noThrough", "Boolean"),
            ("bicycleSafety", "Number"),
            ("carSpeed", "Number"),
            ("slope", "Number"),
            ("island", "Number"),
        ],
    },
    LayerInfo {
        layer: Layer::Stops,
        key: "stops",
        description: "Stops, stations and entrances",
        min_zoom: 9,
        fields: &[
            ("id", "String"),
            ("name", "String"),
            ("code", "String"),
            ("platformCode", "String"),
            ("locationType", "Number"),
            ("parentStation", "String"),
            ("wheelchairBoarding", "Number"),
            ("modes", "String"),
        ],
    },
    LayerInfo {
        layer: Layer::Rentals,
        key: "rentals",
        description: "Rental stations and free-floating bikes",
        min_zoom: 11,
        fields: &[
            ("id", "String"),
            ("name", "String"),
            ("bikesAvailable", "Number"),
            ("spacesAvailable", "Number"),
            ("networks", "String"),
            ("isFloatingBike", "Boolean"),
            ("isCarStation", "Boolean"),
        ],
    },
    LayerInfo {
        layer: Layer::Vehicles,
        key: "vehicles",
        description: "Vehicles of feeds with vehicle positions",
        min_zoom: 9,
        fields: &[
            ("id", "String"),
            ("label", "String"),
            ("trip", "String"),
            ("route", "String"),
            ("bearing", "Number"),
            ("timestamp", "Number"),
        ],
    },
];

impl Layer {
    pub fn by_key(key: &str) -> Option<Layer> {
        LAYERS.iter().find(|info| info.key == key).map(|info| info.layer)
    }
}
