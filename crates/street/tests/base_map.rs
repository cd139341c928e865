//! The base map of small towns.

#![allow(clippy::unwrap_used)]

mod support;

use support::{codes, read};
use trestle_street::base_map::{BaseMap, MapLayer, map_flags};
use trestle_street::build::StreetBuildOptions;
use trestle_street::grid_shapes::{GridBox, GridPoint, area_of_ring};

/// Corners of a square of 0.03 degrees, and of one of 0.01 degrees inside.
const SQUARES: &str = "n1 0 0\n n2 0 0.03\n n3 0.03 0.03\n n4 0.03 0\n
    n5 0.01 0.01\n n6 0.01 0.02\n n7 0.02 0.02\n n8 0.02 0.01\n";

fn map(town: &str) -> (BaseMap, Vec<(&'static str, u64)>) {
    let (builder, issues) = read(town, &StreetBuildOptions::default());
    (builder.finish().base_map, codes(&issues))
}

/// A feature as class, flags, name and parts.
type Found = (&'static str, u8, String, Vec<Vec<GridPoint>>);

fn features(map: &BaseMap, layer: MapLayer, zoom: u32) -> Vec<Found> {
    let everywhere = GridBox { low: [0; 2], high: [i32::MAX; 2] };
    map.features(layer, zoom, everywhere)
        .map(|f| (f.kind.class, f.flags, map.texts.get(f.name).to_owned(), f.parts()))
        .collect()
}

/// What a ring encloses, in square degrees at the equator.
fn degrees(ring: &[GridPoint], zoom: u32) -> f64 {
    let side = 360.0 / (4096.0 * f64::from(BaseMap::grid_zoom(zoom)).exp2());
    area_of_ring(ring) * side * side
}

#[test]
fn rings_of_a_multipolygon_are_put_together_and_its_hole_is_kept() {
    let lake = "w10 1,2,3\n w11 1,4,3\n w12 5,6,7,8,5 natural=wood\n
        r20 outer:w10 outer:w11 inner:w12 type=multipolygon natural=water name=Lago";
    let (map, issues) = map(&format!("{SQUARES}{lake}"));
    assert_eq!(issues, []);
    for zoom in [12, 16] {
        let lakes = features(&map, MapLayer::Water, zoom);
        assert_eq!(lakes.len(), 1);
        let (class, _, name, parts) = &lakes[0];
        assert_eq!((*class, name.as_str(), parts.len()), ("water", "Lago", 2));
        let extents: Vec<f64> = parts.iter().map(|ring| (degrees(ring, zoom) * 1e6).round()).collect();
        assert_eq!(extents, [900.0, -100.0]);
        assert_eq!(features(&map, MapLayer::Land, zoom)[0].0, "wood");
    }
    assert!(features(&map, MapLayer::Water, 5).is_empty(), "too small to be seen");
}

#[test]
fn an_outline_with_the_tags_of_its_relation_is_one_area() {
    let lake = "w10 1,2,3,4,1 natural=water\n w12 5,6,7,8,5\n
        r20 outer:w10 inner:w12 type=multipolygon natural=water";
    let (map, _) = map(&format!("{SQUARES}{lake}"));
    let lakes = features(&map, MapLayer::Water, 14);
    assert_eq!(lakes.iter().map(|lake| lake.3.len()).collect::<Vec<_>>(), [2]);
}

#[test]
fn a_multipolygon_that_is_cut_keeps_its_closed_rings_and_one_without_any_is_reported() {
    let town = "w10 1,2,3,4,1\n r20 outer:w10 outer:w99 type=multipolygon landuse=forest\n
        r21 outer:w98 type=multipolygon landuse=forest\n w11 5,6,7\n r22 outer:w11 type=multipolygon landuse=forest";
    let (map, issues) = map(&format!("{SQUARES}{town}"));
    assert_eq!(features(&map, MapLayer::Land, 14).len(), 1);
    assert_eq!(issues, [("map-area-incomplete", 2)]);
}

#[test]
fn streets_are_lines_of_a_class_with_names_tunnels_and_bridges() {
    let town = "w10 1,2 highway=primary name=Avenida\n w11 2,3 highway=primary name=Avenida\n
        w12 3,4 highway=primary name=Avenida bridge=yes\n w13 1,5 highway=residential\n w14 5,6 railway=subway tunnel=yes\n
        n20 0.01 0.01 place=town name=Vila\n n21 0.01 0.01 place=town";
    let (map, _) = map(&format!("{SQUARES}{town}"));
    let streets = features(&map, MapLayer::Streets, 16);
    let facts: Vec<(&str, u8, &str, usize)> = streets
        .iter()
        .map(|(class, flags, name, parts)| (*class, *flags, name.as_str(), parts[0].len()))
        .collect();
    let mut sorted = facts.clone();
    sorted.sort_unstable();
    assert_eq!(
        sorted,
        [("minor", 0, "", 2), ("primary", 0, "Avenida", 3), ("primary", map_flags::BRIDGE, "Avenida", 2)]
    );
    assert_eq!(features(&map, MapLayer::Streets, 11).len(), 2);
    assert_eq!(features(&map, MapLayer::Railways, 14)[0].1, map_flags::TUNNEL);
    let places = features(&map, MapLayer::Places, 10);
    assert_eq!(
        places.iter().map(|place| (place.0, place.2.as_str())).collect::<Vec<_>>(),
        [("town", "Vila")]
    );
}

#[test]
fn a_box_far_away_has_nothing_and_a_map_can_be_left_out() {
    let town = format!("{SQUARES}w10 1,2,3 highway=primary");
    let (map, _) = map(&town);
    let far = GridBox { low: [0; 2], high: [9; 2] };
    assert_eq!(map.features(MapLayer::Streets, 14, far).count(), 0);
    let options = StreetBuildOptions { base_map: false, ..StreetBuildOptions::default() };
    let (builder, _) = read(&town, &options);
    assert!(features(&builder.finish().base_map, MapLayer::Streets, 14).is_empty());
}
