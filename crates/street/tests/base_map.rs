//! The base map of small towns.

use crate::support::{codes, read};
use proptest::prelude::*;
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
    let area = map.area().expect("there is a lake");
    let edges = [area.south, area.west, area.north, area.east].map(|edge| (edge * 1000.0).round());
    assert_eq!(edges, [0.0, 0.0, 30.0, 30.0]);
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
    let map = builder.finish().base_map;
    assert!(features(&map, MapLayer::Streets, 14).is_empty());
    assert_eq!(map.area(), None);
}

/// A town of 4900 little streets, each of its own name.
fn many_streets() -> BaseMap {
    let mut lines = Vec::new();
    for i in 0..4900 {
        let (lat, lon) = (f64::from(i / 70) * 0.002, f64::from(i % 70) * 0.002);
        lines.push(format!("n{} {lat} {lon}\n n{} {} {lon}", 2 * i + 1, 2 * i + 2, lat + 0.001));
        lines.push(format!("w{} {},{} highway=residential name={i}", i + 1, 2 * i + 1, 2 * i + 2));
    }
    map(&lines.join("\n")).0
}

#[test]
fn a_box_has_all_that_lies_in_it_and_little_else() {
    let map = many_streets();
    for zoom in [13, 16] {
        let all = features(&map, MapLayer::Streets, zoom);
        assert_eq!(all.len(), 4900);
        let around = |found: &Found| GridBox::around(found.3.iter().flatten());
        let whole = all.iter().fold(GridBox::EMPTY, |sum, found| sum.with(&around(found)));
        let side = [0, 1].map(|axis| whole.high[axis] - whole.low[axis]);
        for (x, y) in [(0, 0), (3, 5), (9, 9), (4, 0)] {
            let low = [whole.low[0] + side[0] * x / 10, whole.low[1] + side[1] * y / 10];
            let bounds = GridBox { low, high: [low[0] + side[0] / 10, low[1] + side[1] / 10] };
            let found: Vec<String> = map
                .features(MapLayer::Streets, zoom, bounds)
                .map(|f| map.texts.get(f.name).to_owned())
                .collect();
            let inside = all.iter().filter(|found| bounds.touches(&around(found)));
            let missing: Vec<&String> =
                inside.map(|found| &found.2).filter(|name| !found.contains(name)).collect();
            assert_eq!(missing, Vec::<&String>::new());
            assert!(found.len() < 1000, "a hundredth of the town reads {} of 4900 streets", found.len());
        }
    }
}

/// Tags of elements that end up in every layer.
const TAGS: [&str; 12] = [
    "natural=coastline",
    "natural=water",
    "landuse=forest name=Wald",
    "highway=residential name=Weg",
    "highway=motorway ref=A1 bridge=yes",
    "highway=pedestrian area=yes",
    "railway=rail service=yard",
    "route=ferry",
    "waterway=river",
    "place=city name=Ort",
    "leisure=park area=no",
    "building=yes",
];

/// Positions, including the poles, the edge of the map and both sides of the date line.
fn positions() -> impl Strategy<Value = (f64, f64)> {
    let lat = prop_oneof![Just(90.0), Just(-90.0), Just(85.051_128_779_806_6), -0.1f64..0.1, 40.0f64..41.0];
    let lon = prop_oneof![Just(180.0), Just(-180.0), -0.1f64..0.1, -9.0f64..-8.0];
    (lat, lon)
}

/// Nodes 1 to 12, of which some are missing, ways over them, and relations of the ways.
fn hostile_towns() -> impl Strategy<Value = String> {
    let nodes = prop::collection::vec((1usize..13, positions(), 0..TAGS.len()), 2..14);
    let ways =
        prop::collection::vec((prop::collection::vec(1usize..13, 1..9), any::<bool>(), 0..TAGS.len()), 1..9);
    let relations = prop::collection::vec((prop::collection::vec(1usize..11, 1..5), 0..TAGS.len()), 0..4);
    (nodes, ways, relations).prop_map(|(nodes, ways, relations)| {
        let mut lines = Vec::new();
        for (id, (lat, lon), tags) in nodes {
            lines.push(format!("n{id} {lat} {lon} {}", TAGS[tags]));
        }
        for (id, (mut nodes, is_closed, tags)) in (1..).zip(ways) {
            nodes.extend(is_closed.then_some(nodes[0]));
            let refs = nodes.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
            lines.push(format!("w{id} {refs} {}", TAGS[tags]));
        }
        for (id, (members, tags)) in (1..).zip(relations) {
            let members = members.iter().map(|way| format!("outer:w{way}")).collect::<Vec<_>>().join(" ");
            lines.push(format!("r{id} {members} type=multipolygon {}", TAGS[tags]));
        }
        lines.join("\n")
    })
}

proptest! {
    #[test]
    fn hostile_maps_become_maps(town in hostile_towns()) {
        let (map, _) = map(&town);
        let layers =
            [MapLayer::Land, MapLayer::Water, MapLayer::Waterways, MapLayer::Streets, MapLayer::Railways, MapLayer::Places];
        for (layer, zoom) in layers.into_iter().flat_map(|layer| [0, 6, 9, 10, 13, 16].map(|zoom| (layer, zoom))) {
            for (class, _, _, parts) in features(&map, layer, zoom) {
                prop_assert!(!parts.is_empty() && parts.iter().all(|part| !part.is_empty()), "{class}");
                match layer {
                    MapLayer::Land | MapLayer::Water => {
                        prop_assert!(area_of_ring(&parts[0]) > 0.0, "{class}");
                        prop_assert!(parts[1..].iter().all(|hole| area_of_ring(hole) < 0.0), "{class}");
                    }
                    MapLayer::Places => prop_assert_eq!((parts.len(), parts[0].len()), (1, 1)),
                    _ => prop_assert!(parts.len() == 1 && parts[0].len() > 1, "{class}"),
                }
            }
        }
    }
}
