//! The kind of an element on the base map, from its tags.

use crate::base_map::{MapLayer, kind_number, map_flags};
use crate::osm::RawTags;

/// Keys and values of lines, with their classes.
const LINES: [(&str, &[&str], MapLayer, &str); 27] = [
    ("highway", &["motorway"], MapLayer::Streets, "motorway"),
    ("highway", &["motorway_link"], MapLayer::Streets, "motorway_link"),
    ("highway", &["trunk"], MapLayer::Streets, "trunk"),
    ("highway", &["trunk_link"], MapLayer::Streets, "trunk_link"),
    ("highway", &["primary"], MapLayer::Streets, "primary"),
    ("highway", &["primary_link"], MapLayer::Streets, "primary_link"),
    ("highway", &["secondary", "secondary_link"], MapLayer::Streets, "secondary"),
    ("highway", &["tertiary", "tertiary_link"], MapLayer::Streets, "tertiary"),
    (
        "highway",
        &["residential", "unclassified", "living_street", "road", "busway"],
        MapLayer::Streets,
        "minor",
    ),
    ("highway", &["pedestrian"], MapLayer::Streets, "pedestrian"),
    ("highway", &["service"], MapLayer::Streets, "service"),
    ("highway", &["track"], MapLayer::Streets, "track"),
    ("highway", &["cycleway"], MapLayer::Streets, "cycleway"),
    ("highway", &["path", "footway", "bridleway", "corridor"], MapLayer::Streets, "path"),
    ("highway", &["steps"], MapLayer::Streets, "steps"),
    ("route", &["ferry"], MapLayer::Streets, "ferry"),
    ("aeroway", &["runway", "taxiway"], MapLayer::Streets, "runway"),
    ("railway", &["rail"], MapLayer::Railways, "rail"),
    ("railway", &["light_rail", "monorail"], MapLayer::Railways, "light_rail"),
    ("railway", &["narrow_gauge", "funicular"], MapLayer::Railways, "light_rail"),
    ("railway", &["subway"], MapLayer::Railways, "subway"),
    ("railway", &["tram"], MapLayer::Railways, "tram"),
    ("waterway", &["river"], MapLayer::Waterways, "river"),
    ("waterway", &["canal"], MapLayer::Waterways, "canal"),
    ("waterway", &["stream"], MapLayer::Waterways, "stream"),
    ("aerialway", &["cable_car", "gondola"], MapLayer::Railways, "light_rail"),
    ("man_made", &["pier"], MapLayer::Streets, "path"),
];

/// The same for areas. If several rows fit, the first one counts.
const AREAS: [(&str, &[&str], MapLayer, &str); 26] = [
    ("natural", &["water"], MapLayer::Water, "water"),
    ("waterway", &["riverbank", "dock"], MapLayer::Water, "water"),
    ("landuse", &["reservoir", "basin"], MapLayer::Water, "water"),
    ("natural", &["wood"], MapLayer::Land, "wood"),
    ("landuse", &["forest"], MapLayer::Land, "wood"),
    ("leisure", &["park", "garden", "common", "golf_course", "playground"], MapLayer::Land, "park"),
    ("landuse", &["village_green", "recreation_ground"], MapLayer::Land, "park"),
    ("tourism", &["zoo"], MapLayer::Land, "park"),
    ("landuse", &["cemetery"], MapLayer::Land, "cemetery"),
    ("amenity", &["grave_yard"], MapLayer::Land, "cemetery"),
    ("leisure", &["pitch", "track", "stadium", "sports_centre"], MapLayer::Land, "pitch"),
    ("natural", &["beach", "sand", "shingle"], MapLayer::Land, "beach"),
    ("natural", &["wetland"], MapLayer::Land, "wetland"),
    ("landuse", &["grass", "meadow"], MapLayer::Land, "grass"),
    ("natural", &["grassland", "heath", "scrub"], MapLayer::Land, "grass"),
    ("amenity", &["school", "university", "college", "hospital"], MapLayer::Land, "institution"),
    ("aeroway", &["aerodrome"], MapLayer::Land, "aerodrome"),
    ("landuse", &["residential"], MapLayer::Land, "residential"),
    ("landuse", &["commercial", "retail"], MapLayer::Land, "commercial"),
    ("landuse", &["industrial", "railway", "port", "quarry"], MapLayer::Land, "industrial"),
    ("landuse", &["harbour", "military"], MapLayer::Land, "industrial"),
    ("highway", &["pedestrian", "footway", "platform"], MapLayer::Land, "square"),
    ("place", &["square"], MapLayer::Land, "square"),
    ("railway", &["platform"], MapLayer::Land, "square"),
    ("public_transport", &["platform"], MapLayer::Land, "square"),
    ("man_made", &["pier"], MapLayer::Land, "square"),
];

const PLACES: [(&str, &[&str], MapLayer, &str); 6] = [
    ("place", &["city"], MapLayer::Places, "city"),
    ("place", &["town"], MapLayer::Places, "town"),
    ("place", &["village"], MapLayer::Places, "village"),
    ("place", &["suburb", "borough"], MapLayer::Places, "suburb"),
    ("place", &["neighbourhood", "quarter"], MapLayer::Places, "neighbourhood"),
    ("place", &["hamlet", "isolated_dwelling", "island", "islet"], MapLayer::Places, "hamlet"),
];

/// An element can only be on the map if it has one of these keys.
const KEYS: [&str; 14] = [
    "highway",
    "railway",
    "waterway",
    "natural",
    "landuse",
    "leisure",
    "amenity",
    "aeroway",
    "aerialway",
    "route",
    "place",
    "man_made",
    "public_transport",
    "tourism",
];

pub(super) fn value<'a>(tags: &RawTags<'a>, key: &str) -> Option<&'a str> {
    tags.iter().find(|(k, _)| *k == key).map(|(_, value)| *value)
}

/// The kind of the first row of a table whose value the tags have. Most elements have none of the keys.
fn row(tags: &RawTags<'_>, table: &[(&str, &[&str], MapLayer, &str)]) -> Option<u8> {
    let rows = |(key, value): &(&str, &str)| {
        if !KEYS.contains(key) {
            return None;
        }
        table.iter().position(|row| row.0 == *key && row.1.contains(value))
    };
    let (_, _, layer, class) = table[tags.iter().filter_map(rows).min()?];
    kind_number(layer, class)
}

/// The number of the kind of a line with these tags. A closed one (`is_closed`) may be an area instead.
pub(super) fn line(tags: &RawTags<'_>, is_closed: bool) -> Option<u8> {
    let says = |key: &str, values: &[&str]| value(tags, key).is_some_and(|value| values.contains(&value));
    if is_closed && (says("area", &["yes"]) || value(tags, "man_made") == Some("pier")) {
        return None;
    }
    let kind = row(tags, &LINES)?;
    if value(tags, "railway").is_some() && value(tags, "service").is_some() {
        return kind_number(MapLayer::Railways, "siding");
    }
    Some(kind)
}

/// See [`map_flags`].
pub(super) fn flags_of_line(tags: &RawTags<'_>) -> u8 {
    let flag =
        |key: &str, flag: u8| if value(tags, key).is_some_and(|value| value != "no") { flag } else { 0 };
    flag("tunnel", map_flags::TUNNEL) | flag("bridge", map_flags::BRIDGE)
}

/// The kind of an area with these tags: a closed line or a multipolygon.
pub(super) fn area(tags: &RawTags<'_>) -> Option<u8> {
    let is_area = value(tags, "area");
    // A street that ends where it begins is only an area when it says so.
    let street = value(tags, "highway").is_some_and(|highway| highway != "platform");
    if is_area == Some("no") || (street && is_area != Some("yes") && value(tags, "type").is_none()) {
        return None;
    }
    if value(tags, "location") == Some("underground")
        || value(tags, "tunnel").is_some_and(|tunnel| tunnel != "no")
    {
        return None;
    }
    row(tags, &AREAS)
}

/// The kind of a node with these tags.
pub(super) fn place(tags: &RawTags<'_>) -> Option<u8> {
    value(tags, "name")?;
    row(tags, &PLACES)
}

/// The label of an element: its name, else the number of a road.
pub(super) fn name<'a>(tags: &RawTags<'a>) -> &'a str {
    value(tags, "name").or_else(|| value(tags, "ref")).map_or("", str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base_map::MAP_KINDS;

    fn class(kind: Option<u8>) -> Option<&'static str> {
        kind.map(|kind| MAP_KINDS[kind as usize].class)
    }

    #[test]
    fn every_class_of_the_tables_is_a_kind() {
        for (key, values, layer, class) in LINES.iter().chain(&AREAS).chain(&PLACES) {
            assert!(kind_number(*layer, class).is_some(), "{key}={values:?}");
            assert!(KEYS.contains(key));
        }
    }

    #[test]
    fn a_closed_street_is_an_area_only_when_it_says_so() {
        let round: &RawTags<'_> = &[("highway", "pedestrian")];
        let square: &RawTags<'_> = &[("highway", "pedestrian"), ("area", "yes")];
        assert_eq!((class(line(round, true)), class(area(round))), (Some("pedestrian"), None));
        assert_eq!((class(line(square, true)), class(area(square))), (None, Some("square")));
        assert_eq!(class(area(&[("type", "multipolygon"), ("highway", "pedestrian")])), Some("square"));
    }

    #[test]
    fn yards_are_not_main_lines_and_tunnels_are_known() {
        assert_eq!(class(line(&[("railway", "rail"), ("service", "yard")], false)), Some("siding"));
        let metro: &RawTags<'_> = &[("railway", "subway"), ("tunnel", "yes"), ("bridge", "no")];
        assert_eq!((class(line(metro, false)), flags_of_line(metro)), (Some("subway"), map_flags::TUNNEL));
        assert_eq!(class(line(&[("name", "A 1")], false)), None);
    }

    #[test]
    fn settlements_need_a_name() {
        assert_eq!(class(place(&[("place", "town"), ("name", "Espinho")])), Some("town"));
        assert_eq!(class(place(&[("place", "town")])), None);
        assert_eq!(name(&[("ref", "A 20")]), "A 20");
    }
}
