//! Random maps with all that real ones contain: repeated and missing nodes, ways of one node, areas with holes, lifts,
//! barriers, turn restrictions, odd values, and the date line. Every one can be built, the graph passes its checks, and
//! itineraries make sense. `PROPTEST_CASES` sets how many are tried.

use std::fmt::Write as _;
use std::sync::Arc;

use proptest::prelude::*;
use trestle_engine::build::{BuildOptions, build_directory};
use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::itinerary::Itinerary;
use trestle_model::request::PlaceRequest;
use trestle_model::{Direction, Mode, ModeSet, RoutingRequest};
use trestle_planner::Scratch;
use trestle_planner::plan::plan;

use crate::dice::Dice;

/// South-west corners of maps: anywhere, and at the date line.
const CORNERS: [(f64, f64); 3] = [(41.0, -8.6), (-33.9, 151.2), (-16.8, -180.0)];

const NODES: usize = 25;

/// Nodes on a grid of five by five, some 40 m apart.
fn position((lat, lon): (f64, f64), node: usize) -> (f64, f64) {
    let lon = lon + (node % 5) as f64 * 0.0004;
    let lat = lat + (node / 5) as f64 * 0.0004;
    (lat.clamp(-90.0, 90.0), if lon > 180.0 { lon - 360.0 } else { lon })
}

const NODE_TAGS: &[&str] = &[
    "highway=elevator",
    "highway=elevator;level=0;1",
    "barrier=bollard",
    "barrier=bollard;access=no",
    "barrier=gate;access=private",
    "highway=traffic_signals",
    "highway=bus_stop;ref=A",
    "ele=12",
    "ele=1e300",
    "ele=-99999",
    "ele=1,5",
    "amenity=bicycle_rental;capacity=many",
    "amenity=bicycle_rental;network=a;b",
    "amenity=bicycle_parking",
    "amenity=bicycle_parking;access=no",
    "highway=motorway_junction;ref=3",
    "railway=station;ref=B",
    "highway=crossing",
];

const WAY_TAGS: &[&str] = &[
    "highway=residential",
    "highway=footway",
    "highway=steps",
    "highway=steps;wheelchair=yes",
    "highway=cycleway",
    "highway=motorway",
    "highway=primary;maxspeed=none",
    "highway=primary;maxspeed=30 mph",
    "highway=primary;maxspeed=0",
    "highway=primary;maxspeed=999999999",
    "highway=service;access=private",
    "highway=service;access=no;foot=yes",
    "highway=track;surface=sand",
    "highway=path;bicycle=designated",
    "highway=pedestrian;area=yes",
    "highway=pedestrian;area=yes;name=Square",
    "amenity=parking;park_ride=yes",
    "amenity=parking;park_ride=bus;capacity=-1",
    "amenity=bicycle_parking;area=yes",
    "railway=platform;ref=1",
    "public_transport=platform;area=yes",
    "route=ferry;foot=yes",
    "highway=residential;oneway=yes",
    "highway=residential;oneway=-1",
    "highway=residential;oneway=reversible",
    "highway=primary;junction=roundabout",
    "highway=residential;oneway=yes;oneway:bicycle=no",
    "highway=footway;level=1",
    "highway=footway;level=-1",
    "highway=corridor;level=0;1",
    "highway=footway;level=1e308",
    "highway=footway;level=-1-2",
    "highway=footway;layer=2;bridge=yes",
    "highway=residential;bicycle=dismount",
    "highway=residential;name=Straße <&> 1;name:en=Road",
    "highway=proposed",
    "highway=living_street;motor_vehicle=no",
    "highway=elevator",
    "highway=secondary;cycleway:left=opposite_lane;surface:right=mud",
    "highway=unclassified;foot=no;bicycle=no;motorcar=no",
    "highway=",
];

const TURNS: &[&str] = &[
    "no_left_turn",
    "no_right_turn",
    "no_u_turn",
    "only_straight_on",
    "only_left_turn",
    "no_straight_on",
    "no_entry",
    "",
    "nonsense",
];

fn tags(xml: &mut String, list: &str) {
    // A semicolon separates tags, unless no key follows it.
    let mut pairs: Vec<String> = Vec::new();
    for part in list.split(';') {
        match pairs.last_mut().filter(|_| !part.contains('=')) {
            Some(last) => *last += &format!(";{part}"),
            None => pairs.push(part.to_owned()),
        }
    }
    for (key, value) in pairs.iter().filter_map(|pair| pair.split_once('=')) {
        let value = value.replace('&', "&amp;").replace('<', "&lt;");
        write!(xml, "<tag k=\"{key}\" v=\"{value}\"/>").unwrap();
    }
}

fn map(dice: &mut Dice, corner: (f64, f64)) -> String {
    let mut xml = "<osm version=\"0.6\">".to_owned();
    for node in 0..NODES {
        // Some nodes are not in the extract.
        if dice.below(20) == 0 {
            continue;
        }
        let (lat, lon) = position(corner, node);
        write!(xml, "<node id=\"{}\" lat=\"{lat:.7}\" lon=\"{lon:.7}\">", node + 1).unwrap();
        if dice.below(3) == 0 {
            tags(&mut xml, dice.of(NODE_TAGS));
        }
        xml += "</node>";
    }
    let ways = 4 + dice.below(16);
    for way in 0..ways {
        write!(xml, "<way id=\"{}\">", way + 1).unwrap();
        let nodes = way_nodes(dice);
        nodes.iter().for_each(|node| write!(xml, "<nd ref=\"{}\"/>", node + 1).unwrap());
        tags(&mut xml, dice.of(WAY_TAGS));
        xml += "</way>";
    }
    for relation in 0..dice.below(6) {
        write!(xml, "<relation id=\"{}\">", relation + 1).unwrap();
        let mut member = |kind: &str, id: usize, role: &str| {
            write!(xml, "<member type=\"{kind}\" ref=\"{}\" role=\"{role}\"/>", id + 1).unwrap();
        };
        if dice.below(2) == 0 {
            member("way", dice.below(ways + 1), "from");
            member(dice.of(&["node", "node", "node", "way", "relation"]), dice.below(NODES), "via");
            member("way", dice.below(ways + 1), "to");
            let turn = dice.of(TURNS);
            tags(
                &mut xml,
                &format!(
                    "type=restriction;restriction={turn};except={}",
                    dice.of(&["psv", "bicycle", "motorcar; bicycle", ""])
                ),
            );
        } else {
            for _ in 0..1 + dice.below(3) {
                member("way", dice.below(ways + 1), dice.of(&["outer", "outer", "inner", ""]));
            }
            tags(&mut xml, "type=multipolygon");
            tags(
                &mut xml,
                dice.of(&[
                    "highway=pedestrian;area=yes",
                    "railway=platform",
                    "amenity=parking;park_ride=yes",
                    "landuse=forest",
                ]),
            );
        }
        xml += "</relation>";
    }
    xml + "</osm>"
}

/// Nodes along a walk on the grid; some ways have one node, come back, repeat a node, jump or are closed.
fn way_nodes(dice: &mut Dice) -> Vec<usize> {
    let mut nodes = vec![dice.below(NODES)];
    for _ in 0..dice.below(7) {
        let last = nodes[nodes.len() - 1];
        let next = match dice.below(10) {
            0 => last,
            1 => dice.below(NODES + 2),
            2..=5 if last % 5 < 4 => last + 1,
            _ if last + 5 < NODES => last + 5,
            _ => last.saturating_sub(5),
        };
        nodes.push(next);
    }
    if dice.below(3) == 0 {
        nodes.push(nodes[0]);
    }
    nodes
}

const DAY: i64 = 1_717_977_600;

fn feed(corner: (f64, f64)) -> Vec<(&'static str, String)> {
    let stop = |id: &str, node: usize| {
        let (lat, lon) = position(corner, node);
        format!("{id},{id},{id},{lat:.7},{lon:.7}\n")
    };
    let stops = format!("stop_id,stop_code,stop_name,stop_lat,stop_lon\n{}{}", stop("A", 3), stop("B", 21));
    let mut times = "trip_id,stop_id,stop_sequence,arrival_time,departure_time\n".to_owned();
    let mut trips = "trip_id,route_id,service_id\n".to_owned();
    for (number, calls) in [["A", "B"], ["B", "A"]].iter().enumerate() {
        writeln!(trips, "T{number},R,D").unwrap();
        calls.iter().zip(["8:00:00", "8:02:00"]).enumerate().for_each(|(at, (stop, time))| {
            writeln!(times, "T{number},{stop},{at},{time},{time}").unwrap();
        });
    }
    let days = "monday,tuesday,wednesday,thursday,friday,saturday,sunday";
    vec![
        ("agency.txt", "agency_name,agency_url,agency_timezone\nA,http://a.example,UTC\n".to_owned()),
        (
            "calendar.txt",
            format!("service_id,start_date,end_date,{days}\nD,20240601,20240630,1,1,1,1,1,1,1\n"),
        ),
        ("routes.txt", "route_id,route_type\nR,3\n".to_owned()),
        ("stops.txt", stops),
        ("trips.txt", trips),
        ("stop_times.txt", times),
    ]
}

fn built(dice: &mut Dice, corner: (f64, f64), seed: u64) -> Snapshot {
    let directory = std::env::temp_dir().join(format!("trestle-maps-{}-{seed}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("map.osm"), map(dice, corner)).unwrap();
    let mut zip = zip::ZipWriter::new(std::fs::File::create(directory.join("feed.zip")).unwrap());
    for (name, text) in feed(corner) {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let mut options = BuildOptions::default();
    options.street.area_visibility = dice.below(2) == 0;
    options.street.static_bike_rental = true;
    options.street.static_bike_park_and_ride = true;
    options.street.island_without_stops_max = [0, 0, 3, 40][dice.below(4)];
    let outcome = build_directory(&directory, &directory.join("Graph.obj"), &options, &mut |_, _| {});
    std::fs::remove_dir_all(&directory).unwrap();
    Snapshot::new(Arc::new(outcome.unwrap().graph), 0)
}

fn request(dice: &mut Dice, corner: (f64, f64)) -> RoutingRequest {
    let mut place = || {
        let (lat, lon) = position(corner, dice.below(NODES));
        let shift = (dice.below(3) as f64 - 1.0) * 0.0001;
        PlaceRequest {
            position: Some(LatLon::new((lat + shift).clamp(-90.0, 90.0), lon)),
            ..PlaceRequest::default()
        }
    };
    let (from, to) = (place(), place());
    let modes: &[Mode] = match dice.below(6) {
        0 => &[Mode::Walk],
        1 => &[Mode::Bicycle],
        2 => &[Mode::Car],
        3 => &[Mode::Bicycle, Mode::Bus],
        _ => &[Mode::Walk, Mode::Bus],
    };
    let mut request = RoutingRequest {
        from,
        to,
        epoch_seconds: DAY + 8 * 3600 + dice.below(600) as i64 - 300,
        direction: Direction::of_request(dice.below(2) == 0),
        wheelchair: dice.below(4) == 0,
        modes: ModeSet::of(modes),
        ..RoutingRequest::default()
    };
    match dice.below(6) {
        0 => (request.modes, request.bike_rental) = (ModeSet::of(&[Mode::Walk, Mode::Bicycle]), true),
        1 => (request.modes, request.car_park) = (ModeSet::of(&[Mode::Car, Mode::Walk, Mode::Bus]), true),
        2 => {
            (request.modes, request.bike_park) = (ModeSet::of(&[Mode::Bicycle, Mode::Walk, Mode::Bus]), true)
        }
        _ => {}
    }
    request
}

fn check(itinerary: &Itinerary, request: &RoutingRequest) {
    let requested = request.epoch_seconds * 1000;
    if request.direction.is_backward() {
        assert!(itinerary.end_time <= requested, "{request:?} {itinerary:?}");
    } else {
        assert!(itinerary.start_time >= requested, "{request:?} {itinerary:?}");
    }
    let mut time = itinerary.start_time;
    for leg in &itinerary.legs {
        assert!(leg.start_time >= time && leg.end_time >= leg.start_time, "{request:?} {itinerary:?}");
        assert!(leg.distance.is_finite() && leg.distance >= 0.0, "{request:?} {itinerary:?}");
        // The map is not larger than this, also across the date line.
        assert!(leg.distance < 20_000.0, "{request:?} {itinerary:?}");
        time = leg.end_time;
    }
    assert!(itinerary.end_time >= time, "{request:?} {itinerary:?}");
}

fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(150)
}

fn build_and_search(seed: u64) {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let corner = CORNERS[dice.below(CORNERS.len())];
    let snapshot = built(&mut dice, corner, seed);
    let mut scratch = Scratch::default();
    for _ in 0..12 {
        let request = request(&mut dice, corner);
        if let Ok(plan) = plan(&snapshot, &request, &mut scratch, &Deadline::default()) {
            plan.itineraries.iter().for_each(|itinerary| check(itinerary, &request));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_map_can_be_built_and_searched(seed in any::<u64>()) {
        build_and_search(seed);
    }
}

/// Two walks to a corner cost the same but for the last digits, and one of them leads over a street without length.
#[test]
fn the_time_of_a_walk_is_that_of_its_streets_where_two_walks_cost_the_same() {
    build_and_search(6_739_703_998_069_343_474);
}
