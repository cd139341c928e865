//! Names and addresses by which people look for elements, from their tags.

use crate::osm::RawTags;

/// The name of an element, and what kind of thing it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Name {
    pub(super) name: String,
    /// Other names, separated by `;`.
    pub(super) others: String,
    pub(super) kind: String,
    pub(super) importance: u8,
}

/// A house number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct House {
    pub(super) street: String,
    pub(super) city: String,
    pub(super) number: String,
}

/// An element with a name, a house number or both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Feature {
    pub(super) name: Option<Name>,
    pub(super) house: Option<House>,
}

/// Keys of named things, the most specific first, and the values that count (all values when none is listed).
const NAMED: [(&str, &[&str]); 15] = [
    ("place", &[]),
    ("aeroway", &["aerodrome", "terminal"]),
    ("railway", &["station", "halt"]),
    ("amenity", &[]),
    ("tourism", &[]),
    ("historic", &[]),
    ("leisure", &[]),
    ("shop", &[]),
    ("office", &[]),
    ("healthcare", &[]),
    ("craft", &[]),
    ("natural", &["beach", "peak", "bay", "cape"]),
    ("man_made", &["lighthouse", "tower", "pier", "bridge"]),
    ("landuse", &["cemetery", "industrial", "commercial", "retail"]),
    ("building", &[]),
];

/// Keys of other names of the same thing.
const OTHER_NAMES: [&str; 6] = ["alt_name", "short_name", "official_name", "loc_name", "int_name", "name:en"];

/// How likely people are to look for a kind of place; 1 for kinds that are not listed.
const IMPORTANCE: [(u8, &[&str]); 5] = [
    (10, &["city"]),
    (8, &["town"]),
    (6, &["borough", "suburb", "village", "municipality"]),
    (4, &["quarter", "neighbourhood", "hamlet", "island", "aerodrome", "station", "university", "hospital"]),
    (2, &["locality", "square", "mall", "college", "museum", "park", "stadium", "theatre", "attraction"]),
];

/// The name or address in the tags of an element.
pub(super) fn feature(tags: &RawTags<'_>) -> Option<Feature> {
    // A quick exit for the many elements that have neither.
    if !tags.iter().any(|(key, _)| *key == "name" || *key == "addr:housenumber") {
        return None;
    }
    let (name, house) = (name(tags), house(tags));
    (name.is_some() || house.is_some()).then_some(Feature { name, house })
}

/// The value of a key, unless it is blank.
pub(super) fn value<'a>(tags: &RawTags<'a>, key: &str) -> Option<&'a str> {
    let found = tags.iter().find(|(k, _)| *k == key);
    found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
}

fn name(tags: &RawTags<'_>) -> Option<Name> {
    let name = value(tags, "name")?;
    let counts = |values: &[&str], kind: &str| kind != "no" && (values.is_empty() || values.contains(&kind));
    let kind = NAMED.iter().find_map(|(key, values)| value(tags, key).filter(|kind| counts(values, kind)))?;
    let others: Vec<&str> =
        OTHER_NAMES.iter().filter_map(|key| value(tags, key)).filter(|other| *other != name).collect();
    let importance = IMPORTANCE.iter().find(|(_, kinds)| kinds.contains(&kind)).map_or(1, |row| row.0);
    Some(Name {
        name: name.to_owned(),
        others: others.join(";"),
        kind: if kind == "yes" { String::new() } else { kind.to_owned() },
        importance,
    })
}

fn house(tags: &RawTags<'_>) -> Option<House> {
    let number = value(tags, "addr:housenumber")?;
    let street = value(tags, "addr:street").or_else(|| value(tags, "addr:place"))?;
    let city = value(tags, "addr:city").unwrap_or_default();
    Some(House { street: street.to_owned(), city: city.to_owned(), number: number.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settlements_matter_more_than_shops() {
        let named = |tags: &RawTags<'_>| feature(tags).and_then(|f| f.name).map(|n| (n.kind, n.importance));
        assert_eq!(named(&[("place", "town"), ("name", "Espinho")]), Some(("town".to_owned(), 8)));
        assert_eq!(named(&[("shop", "bakery"), ("name", "Pão")]), Some(("bakery".to_owned(), 1)));
        assert_eq!(named(&[("building", "yes"), ("name", "Torre")]), Some((String::new(), 1)));
    }

    #[test]
    fn streets_and_tracks_are_not_places() {
        assert_eq!(feature(&[("highway", "residential"), ("name", "Rua A")]), None);
        assert_eq!(feature(&[("railway", "rail"), ("name", "Linha do Norte")]), None);
        assert_eq!(feature(&[("amenity", "bench")]), None);
    }

    #[test]
    fn a_house_needs_a_street_or_a_place() {
        let house = |tags: &RawTags<'_>| feature(tags).and_then(|f| f.house).map(|h| (h.street, h.number));
        let known = Some(("Rua A".to_owned(), "12 A".to_owned()));
        assert_eq!(house(&[("addr:housenumber", "12 A"), ("addr:street", "Rua A")]), known);
        assert_eq!(house(&[("addr:housenumber", "12 A"), ("addr:place", "Rua A")]), known);
        assert_eq!(house(&[("addr:housenumber", "12 A")]), None);
    }
}
