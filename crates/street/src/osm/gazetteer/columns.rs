//! Turns collected places, addresses and boundaries into columns.

use trestle_model::lists::offsets_of_lengths;
use trestle_model::strings::StringsBuilder;

use super::Boundary;
use super::features::{Feature, House};
use crate::gazetteer::{Addresses, Boundaries, Gazetteer, Places, StoredPosition};

pub(super) fn columns(found: &[(Feature, StoredPosition)], boundaries: &[Boundary]) -> Gazetteer {
    let mut texts = StringsBuilder::default();
    let places = places(found, &mut texts);
    let addresses = addresses(found, &mut texts);
    let boundaries = boundary_columns(boundaries, &mut texts);
    Gazetteer { places, addresses, boundaries, texts: texts.finish() }
}

fn places(found: &[(Feature, StoredPosition)], texts: &mut StringsBuilder) -> Places {
    let named = || found.iter().filter_map(|(feature, at)| Some((feature.name.as_ref()?, at)));
    Places {
        position: named().map(|(_, at)| *at).collect(),
        name: named().map(|(name, _)| texts.intern(&name.name)).collect(),
        other_names: named().map(|(name, _)| texts.intern(&name.others)).collect(),
        kind: named().map(|(name, _)| texts.intern(&name.kind)).collect(),
        importance: named().map(|(name, _)| name.importance).collect(),
    }
}

fn addresses(found: &[(Feature, StoredPosition)], texts: &mut StringsBuilder) -> Addresses {
    let mut houses: Vec<(&House, StoredPosition)> =
        found.iter().filter_map(|(feature, at)| Some((feature.house.as_ref()?, *at))).collect();
    let street = |house: &House| (house.street.clone(), house.city.clone());
    houses.sort_by_cached_key(|(house, _)| {
        (street(house), leading_number(&house.number), house.number.clone())
    });
    // The same address occurs at a building and its entrance, or at two shops of one house.
    houses.dedup_by(|a, b| a.0 == b.0);
    let same_street = houses.chunk_by(|(a, _), (b, _)| a.street == b.street && a.city == b.city);
    let (mut streets, mut cities) = (Vec::new(), Vec::new());
    for (house, _) in same_street.clone().map(|houses| houses[0]) {
        streets.push(texts.intern(&house.street));
        cities.push(texts.intern(&house.city));
    }
    Addresses {
        street: streets.into(),
        city: cities.into(),
        first_house: offsets_of_lengths(same_street.map(<[_]>::len)).collect(),
        number: houses.iter().map(|(house, _)| texts.intern(&house.number)).collect(),
        position: houses.iter().map(|(_, at)| *at).collect(),
    }
}

/// The number that a house number begins with.
fn leading_number(text: &str) -> u32 {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..digits].parse().unwrap_or(u32::MAX)
}

fn boundary_columns(boundaries: &[Boundary], texts: &mut StringsBuilder) -> Boundaries {
    let rings = || boundaries.iter().flat_map(|boundary| &boundary.rings);
    Boundaries {
        name: boundaries.iter().map(|boundary| texts.intern(&boundary.name)).collect(),
        admin_level: boundaries.iter().map(|boundary| boundary.admin_level).collect(),
        bounds: boundaries.iter().map(bounds).collect(),
        first_ring: offsets_of_lengths(boundaries.iter().map(|boundary| boundary.rings.len())).collect(),
        first_point: offsets_of_lengths(rings().map(Vec::len)).collect(),
        points: rings().flatten().copied().collect(),
    }
}

/// South, west, north, east.
fn bounds(boundary: &Boundary) -> [i32; 4] {
    let points = boundary.rings.iter().flatten();
    points.fold([i32::MAX, i32::MAX, i32::MIN, i32::MIN], |[south, west, north, east], [lat, lon]| {
        [south.min(*lat), west.min(*lon), north.max(*lat), east.max(*lon)]
    })
}
