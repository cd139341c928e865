//! The kinds of features of the base map.

/// A layer of the base map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MapLayer {
    /// Woods, parks, built-up areas: areas.
    Land,
    /// Lakes, wide rivers and the sea: areas.
    Water,
    /// Rivers, canals, streams: lines.
    Waterways,
    /// Streets, paths, ferries, runways: lines.
    Streets,
    /// Railways: lines.
    Railways,
    /// Names of settlements: points.
    Places,
}

#[derive(Clone, Copy, Debug)]
pub struct MapKind {
    pub layer: MapLayer,
    /// Its class in the layer.
    pub class: &'static str,
    /// Zoom from which it is shown.
    pub min_zoom: u8,
}

const fn kind(layer: MapLayer, class: &'static str, min_zoom: u8) -> MapKind {
    MapKind { layer, class, min_zoom }
}

/// Every kind. Graph files store positions in this list, so kinds may only be added at its end unless the format
/// changes.
pub const MAP_KINDS: [MapKind; 46] = [
    kind(MapLayer::Land, "wood", 7),
    kind(MapLayer::Land, "park", 10),
    kind(MapLayer::Land, "grass", 12),
    kind(MapLayer::Land, "cemetery", 12),
    kind(MapLayer::Land, "pitch", 14),
    kind(MapLayer::Land, "beach", 11),
    kind(MapLayer::Land, "wetland", 10),
    kind(MapLayer::Land, "residential", 8),
    kind(MapLayer::Land, "commercial", 10),
    kind(MapLayer::Land, "industrial", 9),
    kind(MapLayer::Land, "institution", 12),
    kind(MapLayer::Land, "aerodrome", 9),
    kind(MapLayer::Land, "square", 14),
    kind(MapLayer::Water, "sea", 0),
    kind(MapLayer::Water, "water", 5),
    kind(MapLayer::Waterways, "river", 8),
    kind(MapLayer::Waterways, "canal", 11),
    kind(MapLayer::Waterways, "stream", 13),
    kind(MapLayer::Streets, "motorway", 5),
    kind(MapLayer::Streets, "motorway_link", 11),
    kind(MapLayer::Streets, "trunk", 6),
    kind(MapLayer::Streets, "trunk_link", 11),
    kind(MapLayer::Streets, "primary", 8),
    kind(MapLayer::Streets, "primary_link", 12),
    kind(MapLayer::Streets, "secondary", 10),
    kind(MapLayer::Streets, "tertiary", 11),
    kind(MapLayer::Streets, "minor", 12),
    kind(MapLayer::Streets, "pedestrian", 13),
    kind(MapLayer::Streets, "service", 14),
    kind(MapLayer::Streets, "track", 14),
    kind(MapLayer::Streets, "cycleway", 14),
    kind(MapLayer::Streets, "path", 14),
    kind(MapLayer::Streets, "steps", 15),
    kind(MapLayer::Streets, "ferry", 8),
    kind(MapLayer::Streets, "runway", 11),
    kind(MapLayer::Railways, "rail", 8),
    kind(MapLayer::Railways, "light_rail", 10),
    kind(MapLayer::Railways, "subway", 11),
    kind(MapLayer::Railways, "tram", 13),
    kind(MapLayer::Railways, "siding", 14),
    kind(MapLayer::Places, "city", 4),
    kind(MapLayer::Places, "town", 8),
    kind(MapLayer::Places, "village", 11),
    kind(MapLayer::Places, "suburb", 12),
    kind(MapLayer::Places, "neighbourhood", 14),
    kind(MapLayer::Places, "hamlet", 14),
];

pub(crate) fn kind_number(layer: MapLayer, class: &str) -> Option<u8> {
    MAP_KINDS.iter().position(|kind| kind.layer == layer && kind.class == class).map(|i| i as u8)
}

/// Flags of a feature.
pub mod map_flags {
    /// Below the ground.
    pub const TUNNEL: u8 = 1 << 0;
    /// On a bridge.
    pub const BRIDGE: u8 = 1 << 1;
}
