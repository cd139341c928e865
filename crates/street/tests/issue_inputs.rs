//! Every issue names the file and the element that it is about, with several files too.

use crate::support::{edges, graph, xml};
use trestle_model::IssueSink;
use trestle_street::build::{StopPoint, StreetBuildOptions, StreetBuilder};
use trestle_street::osm::OsmInput;

const STREETS: &str = "n1 0 0\n n2 0.001 0\n w10 1,2 highway=residential";

/// The issues of a build of the streets, another file and some stops, as texts; islands have fewer vertices than
/// `island_max`.
fn issues(other: &str, stops: &[StopPoint], island_max: u32) -> Vec<String> {
    let options = StreetBuildOptions {
        base_map: true,
        static_bike_rental: true,
        static_park_and_ride: true,
        island_without_stops_max: island_max,
        ..StreetBuildOptions::default()
    };
    let (streets, other) = (xml(STREETS), xml(other));
    let inputs = [("streets.osm", &streets), ("other.osm", &other)];
    let inputs = inputs.map(|(name, text)| OsmInput { name, bytes: text.as_bytes() });
    let mut issues = IssueSink::default();
    let mut builder = StreetBuilder::read(&inputs, &options, &mut issues, &mut |_, _| {}).unwrap();
    builder.prune_islands(&mut issues);
    builder.link_stops(stops, &mut issues);
    issues.issues().iter().map(ToString::to_string).collect()
}

/// Checks that there is one issue, which begins like this.
fn check(other: &str, beginning: &str) {
    let issues = issues(other, &[], 2);
    assert_eq!(issues.len(), 1, "{issues:?}");
    assert!(issues[0].starts_with(beginning), "{issues:?}");
}

#[test]
fn issues_name_their_file_and_element() {
    assert_eq!(issues("", &[], 2), [""; 0]);
    check("r20 outer:w99 type=multipolygon landuse=forest", "other.osm: map-area-incomplete: relation 20: ");
    check(
        "r21 outer:w99 type=boundary boundary=administrative admin_level=8 name=Town",
        "other.osm: boundary-incomplete: relation 21 (Town): ",
    );
    check(
        "n3 0.0004 -0.001\n n4 0.0005 0\n w12 3,4 natural=coastline",
        "other.osm: coastline-incomplete: way 12: ",
    );
    check("n5 2 2 amenity=bicycle_rental", "other.osm: station-unlinked: station 5 at 2.000000,2.000000: ");
    let lot = "n6 2 2\n n7 2 2.001\n n8 2.001 2\n w13 6,7,8,6 amenity=parking park_ride=yes";
    check(lot, "other.osm: parking-unlinked: lot P+R13 at 2.000500,2.000500: ");
}

/// A way between two islands of streets, on both sides of the 180th meridian, is two ways.
#[test]
fn no_street_leads_around_the_earth() {
    let town = "
        n3 -16.8 179.998
        n4 -16.8 179.999
        n5 -16.8 -179.999
        n6 -16.8 -179.998
        w14 3,4,5,6 highway=residential
    ";
    check(town, "other.osm: street-across-meridian: way 14: ");
    let between = edges(&graph(town));
    assert_eq!(between.len(), 4, "both directions on each side: {between:?}");
    assert!(between.iter().all(|edge| edge.contains(" 106 ")), "{between:?}");
}

/// Areas on both sides of the meridian would be around the earth, too.
#[test]
fn no_area_leads_around_the_earth() {
    let nodes = "
        n3 -16.8 179.999
        n4 -16.8 -179.999
        n5 -16.799 -179.999
        n6 -16.799 179.999
    ";
    for (area, name) in [
        ("w14 3,4,5,6,3 highway=pedestrian area=yes", "way 14"),
        ("w14 3,4,5,6,3\n r20 outer:w14 type=multipolygon highway=pedestrian", "relation 20"),
        ("w14 3,4,5,6,3 amenity=parking park_ride=yes", "way 14"),
    ] {
        let town = format!("{nodes}{area}");
        check(&town, &format!("other.osm: street-across-meridian: {name}: "));
        assert_eq!(edges(&graph(&town)), [""; 0], "{area}");
    }
}

#[test]
fn islands_name_a_node_and_its_file() {
    let issues = issues("n5 0.005 0\n n6 0.005 0.001\n w14 5,6 highway=footway", &[], 3);
    assert!(
        issues[0].starts_with("streets.osm: street-island: ") && issues[0].contains("(node "),
        "{issues:?}"
    );
    assert!(
        issues[1].starts_with("other.osm: street-island: ") && issues[1].contains("(node "),
        "{issues:?}"
    );
}

#[test]
fn stops_name_their_file_and_line() {
    let stop = |lat: f64, line: u64| StopPoint {
        lat,
        lon: 0.0005,
        file: "feed.zip/stops.txt".to_owned(),
        line,
        label: format!("1:S{line} “Stop {line}”"),
        ..StopPoint::default()
    };
    // A pavement drawn as an area that shares no node with the streets.
    let pavement = "n7 0.01 0\n n8 0.01 0.001\n n9 0.011 0.001\n n10 0.011 0
        w11 7,8,9,10,7 area=yes highway=pedestrian";
    assert_eq!(
        issues(pavement, &[stop(0.0, 2), stop(0.01, 3), stop(1.0, 4)], 2),
        [
            "feed.zip/stops.txt:3: stop-cut-off: stop 1:S3 “Stop 3” at 0.010000,0.000500 is on a street or area that \
             cannot be left on foot",
            "feed.zip/stops.txt:4: stop-unlinked: stop 1:S4 “Stop 4” at 1.000000,0.000500 has no walkable street within 1000 m",
        ]
    );
}
