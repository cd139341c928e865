//! The street build on small towns, one behaviour each.

use crate::support::{codes, edges, graph, line, read};
use trestle_model::geo::LatLon;
use trestle_model::ids::EdgeIdx;
use trestle_street::build::{StopPoint, StreetBuildOptions};
use trestle_street::graph::{Edge, EdgeKind, StreetGraph, edge_flags, vertex_flags};
use trestle_street::link::{LinkEnd, LinkMode, LinkedPlace};

/// A node every ~111 m to the north along longitude 0; `x` nodes lie as far to the east.
const LINE: &str = "n1 0.000 0\n n2 0.001 0\n n3 0.002 0\n n4 0.003 0\n n5 0.001 0.001\n n6 0.001 -0.001\n";

fn town(ways: &str) -> String {
    format!("{LINE}{ways}")
}

fn flags_at(graph: &StreetGraph, osm_id: i64) -> u16 {
    let vertex = graph.vertex_osm_id.iter().position(|id| *id == osm_id).unwrap();
    graph.vertex_flags[vertex]
}

#[test]
fn ways_are_cut_where_they_meet() {
    let graph = graph(&town("w10 1,2,3,4 highway=residential name=Main\n w11 6,2 highway=footway"));
    let expected = [
        "1>2 WBC 111 Main",
        "2>1 WBC 111 Main",
        "2>4 WBC 222 Main",
        "2>6 WB 111 path",
        "4>2 WBC 222 Main",
        "6>2 WB 111 path",
    ];
    assert_eq!(edges(&graph), expected);
    assert_eq!(graph.geometry_points.to_vec(), [[2000, 0]]);
}

#[test]
fn oneway_streets_can_be_walked_against() {
    let graph = graph(&town("w10 1,2 highway=residential oneway=yes name=A"));
    assert_eq!(edges(&graph), ["1>2 WBC 111 A", "2>1 W 111 A"]);
}

#[test]
fn motorways_have_no_back_edge_when_oneway() {
    let graph = graph(&town("w10 1,2 highway=motorway oneway=yes ref=A1"));
    assert_eq!(edges(&graph), ["1>2 C 111 road"]);
    assert_eq!(graph.edge(EdgeIdx::from(0)).car_speed, 29.0);
}

#[test]
fn steps_are_doubled_in_length_and_closed_to_wheelchairs() {
    let graph = graph(&town("w10 1,2 highway=steps\n w11 2,3 highway=steps wheelchair=yes"));
    assert_eq!(edges(&graph)[0], "1>2 W 222 steps");
    let accessible = |edge: &str| {
        let edge = graph.edges().find(|e| line(&graph, e).starts_with(edge)).unwrap();
        edge.has(edge_flags::STAIRS) && edge.has(edge_flags::WHEELCHAIR)
    };
    assert!(!accessible("1>2") && accessible("2>3"));
}

#[test]
fn safety_is_relative_to_the_safest_street() {
    let graph = graph(&town("w10 1,2 highway=cycleway\n w11 2,3 highway=primary"));
    let safety: Vec<f32> = graph.edges().map(|e| e.bicycle_safety).collect();
    assert_eq!(safety.iter().copied().fold(f32::MAX, f32::min), 1.0);
    assert!(safety.iter().any(|s| (s - 2.06 / 0.6).abs() < 1e-5), "{safety:?}");
}

#[test]
fn lights_exits_and_free_flowing_vertices() {
    let graph = graph(
        "n1 0 0\n n2 0.001 0 highway=traffic_signals\n n3 0.002 0 highway=motorway_junction ref=7\n n4 0.003 0 ele=5\n n5 0.004 0
        w10 1,2 highway=motorway oneway=yes\n w11 2,3,4,5 highway=motorway oneway=yes\n w12 3,1 highway=motorway_link oneway=yes",
    );
    let has = |id: i64, flag: u16| flags_at(&graph, id) & flag != 0;
    assert!(has(2, vertex_flags::TRAFFIC_LIGHT) && !has(2, vertex_flags::FREE_FLOWING));
    assert!(has(3, vertex_flags::EXIT) && !has(3, vertex_flags::FREE_FLOWING));
    assert!(has(4, vertex_flags::FREE_FLOWING), "cut at ele, one way in and out");
    let exit = graph.vertex_osm_id.iter().position(|id| *id == 3).unwrap();
    assert_eq!(graph.names.get(graph.vertex_name[exit]), "7");
}

const CORNER: &str = "w10 1,2 highway=residential name=South\n w11 2,3 highway=residential name=North
    w12 2,5 highway=residential name=East\n w13 6,2 highway=residential name=West\n";

/// Restrictions as `from > to` with the mode bits.
fn restrictions(graph: &StreetGraph) -> Vec<String> {
    let name = |edge: u32| graph.names.get(graph.edge(EdgeIdx(edge)).name);
    let text = |r: &trestle_street::graph::TurnRestriction| {
        format!("{}{} > {} {}", if r.only == 1 { "only " } else { "no " }, name(r.from), name(r.to), r.modes)
    };
    graph.restrictions.iter().map(text).collect()
}

#[test]
fn turn_restrictions_join_edges_at_the_via_node() {
    let relation = "r20 from:w10 via:n2 to:w12 type=restriction restriction=no_right_turn
        r21 from:w10 via:n2 to:w11 type=restriction restriction=only_straight_on except=psv;+bicycle
        r22 from:w10 via:n2 to:w13 type=restriction restriction=no_right_turn
        r23 from:w10 via:n2 type=restriction restriction=no_right_turn";
    let (builder, issues) = read(&town(&format!("{CORNER}{relation}")), &StreetBuildOptions::default());
    let graph = builder.finish();
    assert_eq!(restrictions(&graph), ["no South > East 3", "only South > North 2"]);
    assert!(graph.edge(EdgeIdx(graph.restrictions[0].from)).has(edge_flags::RESTRICTED));
    assert_eq!(
        codes(&issues),
        [("turn-restriction-unusable", 1), ("turn-restriction-without-edges", 1)],
        "one relation calls a left turn a right turn, and one has no `to`"
    );
    let unusable = issues.issues().iter().find(|issue| issue.code == "turn-restriction-unusable").unwrap();
    assert!(unusable.message.ends_with("no member has the role to"), "{}", unusable.message);
}

#[test]
fn small_islands_lose_walking_and_cycling() {
    let ways = "w10 1,2 highway=residential name=A\n w11 3,4 highway=footway";
    let (mut builder, mut issues) = read(&town(ways), &StreetBuildOptions::default());
    builder.prune_islands(&mut issues);
    assert_eq!(edges(&builder.finish()), ["1>2 C 111 A", "2>1 C 111 A"]);
    assert_eq!(codes(&issues), [("street-island", 2)]);

    let options = StreetBuildOptions { island_without_stops_max: 2, ..StreetBuildOptions::default() };
    let (mut builder, mut issues) = read(&town(ways), &options);
    builder.prune_islands(&mut issues);
    assert_eq!(builder.finish().edge_count(), 4, "two vertices are not fewer than two");
}

#[test]
fn names_come_from_routes_and_have_translations() {
    let ways = "w10 1,2 highway=primary\n w11 2,3 highway=primary name=Rua name:en=Street
        r20 :w10 :w11 type=route route=road name=EN+1 ref=N1\n r21 :w10 type=route route=road name=EN+2";
    let graph = graph(&town(ways));
    assert_eq!(edges(&graph)[0], "1>2 WBC 111 EN 1, EN 2");
    let [name, language, text] = graph.translations[0];
    assert_eq!(
        (graph.names.get(name), graph.names.get(language), graph.names.get(text)),
        ("Rua", "en", "Street")
    );
}

#[test]
fn notes_hang_on_both_directions() {
    let graph = graph(&town("w10 1,2 highway=path surface=mud\n w11 2,3 highway=primary toll=yes"));
    let notes: Vec<(&str, u32)> = graph.notes.iter().map(|n| (graph.names.get(n.text), n.modes)).collect();
    assert_eq!(notes.len(), 4);
    assert_eq!(notes.iter().filter(|n| **n == ("Unpaved surface -- muddy!", 7)).count(), 2);
    assert_eq!(notes.iter().filter(|n| **n == ("Toll road", 4)).count(), 2);
}

/// A square of ~111 m with a street ending at one corner.
const SQUARE: &str = "n1 0 0\n n2 0 0.001\n n3 0.001 0.001\n n4 0.001 0\n n5 -0.001 0\n n6 0.002 0.001
    w11 5,1 highway=footway\n w12 3,6 highway=footway\n";

#[test]
fn areas_are_walked_along_their_boundary() {
    let graph = graph(&format!("{SQUARE}w10 1,2,3,4,1 highway=pedestrian area=yes name=Plaza"));
    let plaza: Vec<String> = edges(&graph).into_iter().filter(|e| e.ends_with("Plaza")).collect();
    assert_eq!(plaza.len(), 8);
    assert_eq!(plaza[0], "1>2 WB 111 Plaza");
    assert!(graph.edges().filter(|e| e.has(edge_flags::AREA)).count() == 8);
}

#[test]
fn areas_are_crossed_with_visibility() {
    let options = StreetBuildOptions { area_visibility: true, ..StreetBuildOptions::default() };
    let town = format!("{SQUARE}w10 1,2,3,4,1 highway=pedestrian area=yes name=Plaza");
    let graph = read(&town, &options).0.finish();
    assert!(edges(&graph).contains(&"1>3 WB 157 Plaza".to_owned()), "{:?}", edges(&graph));
    assert_eq!(edges(&graph).iter().filter(|e| e.ends_with("Plaza")).count(), 10);
}

#[test]
fn a_hole_in_a_multipolygon_is_walked_around() {
    let town = format!(
        "{SQUARE}n7 0.0004 0.0004\n n8 0.0004 0.0006\n n9 0.0006 0.0006\n n10 0.0006 0.0004
        w20 1,2,3 note=a\n w21 3,4,1 note=b\n w22 7,8,9,10,7 note=c
        r30 outer:w20 outer:w21 inner:w22 type=multipolygon highway=pedestrian name=Plaza"
    );
    let options = StreetBuildOptions { area_visibility: true, ..StreetBuildOptions::default() };
    let graph = read(&town, &options).0.finish();
    let plaza: Vec<String> = edges(&graph).into_iter().filter(|e| e.ends_with("Plaza")).collect();
    assert!(!plaza.iter().any(|e| e.starts_with("1>3")), "the diagonal runs into the hole");
    assert!(plaza.iter().any(|e| e.starts_with("1>8") || e.starts_with("1>10")), "{plaza:?}");
    assert!(plaza.iter().any(|e| e.starts_with("7>8")), "the rim of the hole");
}

#[test]
fn elevators_join_levels() {
    let graph = graph(
        "n1 0 0\n n2 0 0.001 highway=elevator wheelchair=no\n n3 0.001 0.001\n n4 0.002 0.001
        w10 1,2 highway=footway level=0 name=Down\n w11 2,3 highway=footway level=1 name=Up
        w12 2,4 highway=footway level=-1 name=Cellar",
    );
    let kinds = |kind: EdgeKind| graph.edges().filter(|e| e.kind() == kind).count();
    assert_eq!(kinds(EdgeKind::Street), 6);
    assert_eq!(
        (kinds(EdgeKind::Free), kinds(EdgeKind::ElevatorBoard), kinds(EdgeKind::ElevatorAlight)),
        (6, 3, 3)
    );
    assert_eq!(kinds(EdgeKind::ElevatorHop), 4, "two rides in both directions");
    let hops = graph.edges().filter(|e| e.kind() == EdgeKind::ElevatorHop);
    assert!(hops.clone().all(|e| e.has(edge_flags::BICYCLE) && !e.has(edge_flags::WHEELCHAIR)));
    let mut floors: Vec<&str> = graph
        .edges()
        .filter(|e| e.kind() == EdgeKind::ElevatorAlight)
        .map(|e| graph.names.get(e.name))
        .collect();
    floors.sort_unstable();
    assert_eq!(floors, ["-1", "1", "2"], "floors counted from zero are shown counted from one");
}

#[test]
fn park_and_ride_needs_a_street_to_drive_in() {
    let lot = "w10 1,2,3,4,1 amenity=parking park_ride=yes name=Lot\n";
    let reachable = graph(&format!("{SQUARE}{lot}w13 5,1 highway=service"));
    assert_eq!(reachable.stations.kind.to_vec(), [2]);
    assert_eq!(reachable.names.get(reachable.stations.id[0]), "P+R10");
    assert_eq!(reachable.names.get(reachable.stations.name[0]), "Lot");
    let kinds = |kind: EdgeKind| reachable.edges().filter(|e| e.kind() == kind).count();
    assert_eq!((kinds(EdgeKind::ParkAndRide), kinds(EdgeKind::ParkAndRideLink)), (1, 4));

    let (mut builder, mut issues) = read(&format!("{SQUARE}{lot}"), &StreetBuildOptions::default());
    builder.link_stops(&[], &mut issues);
    assert_eq!(builder.finish().stations.vertex.len(), 0);
    assert_eq!(codes(&issues), [("parking-unlinked", 1)]);
}

#[test]
fn a_lot_beside_the_street_is_linked_to_it() {
    let town = "n1 0 0\n n2 0 0.0001\n n3 0.0001 0.0001\n n4 0.0001 0\n n5 -0.001 0.0004\n n6 0.001 0.0004
        n7 -0.001 -0.001\n n8 0.001 -0.001
        w10 1,2,3,4,1 amenity=parking parking=park_and_ride\n w11 5,6 highway=service oneway=yes name=Road
        w12 7,8 highway=footway name=Path";
    let (mut builder, mut issues) = read(town, &StreetBuildOptions::default());
    builder.link_stops(&[], &mut issues);
    let graph = builder.finish();
    assert_eq!(codes(&issues), []);
    assert_eq!(graph.names.get(graph.stations.id[0]), "P+R10");
    let lot = graph.stations.vertex[0];
    let name = |e: &Edge| graph.names.get(e.name).to_owned();
    let streets = || graph.edges().filter(|e| e.kind() == EdgeKind::Street);
    let links = || graph.edges().filter(|e| e.kind() == EdgeKind::ParkAndRideLink);
    // Cars come in on the piece of the road up to the lot, people walk out on the next street, here the road too.
    let (gate_in, gate_out): (Vec<Edge>, Vec<Edge>) = links().partition(|e| e.to == lot);
    let into = |v: u32| streets().filter(|e| e.to == v).map(|e| name(&e)).collect::<Vec<_>>();
    let out_of = |v: u32| streets().filter(|e| e.from == v).map(|e| name(&e)).collect::<Vec<_>>();
    let gates = |links: &[Edge], end: fn(&Edge) -> u32| links.iter().map(end).collect::<Vec<_>>();
    let (inbound, outbound) = (gates(&gate_in, |e| e.from), gates(&gate_out, |e| e.to));
    assert_eq!(inbound.iter().flat_map(|&v| into(v)).collect::<Vec<_>>(), ["Road"]);
    assert!(inbound.iter().all(|&v| out_of(v).is_empty()), "cars cannot drive on from the lot");
    assert_eq!(outbound.iter().flat_map(|&v| out_of(v)).collect::<Vec<_>>(), ["Road", "Road"]);
    assert!(links().all(|e| (30_000..50_000).contains(&e.length_mm)), "39 m from the middle of the lot");
    let whole = streets().filter(|e| name(e) == "Road" && !e.has(edge_flags::HALF));
    assert_eq!(
        whole.map(|e| e.length_mm / 1000).collect::<Vec<_>>(),
        [222, 222],
        "the road itself stays whole"
    );
}

#[test]
fn a_street_crossing_a_lot_is_joined_to_it() {
    let town = "n1 0 0\n n2 0 0.001\n n3 0.001 0.001\n n4 0.001 0\n n5 -0.001 0.0004\n n6 0.0005 0.0004
        w10 1,2,3,4,1 amenity=parking parking=park_and_ride\n w11 5,6 highway=service name=In";
    let graph = graph(town);
    assert_eq!(graph.stations.id.iter().map(|id| graph.names.get(*id)).collect::<Vec<_>>(), ["P+R10"]);
    let joined: Vec<String> = edges(&graph).into_iter().filter(|e| e.ends_with("In")).collect();
    assert_eq!(joined.len(), 4, "the street is cut at the outline: {joined:?}");
    assert!(joined.iter().any(|e| e.starts_with("5>-") && e.contains(" 111 ")), "{joined:?}");
}

#[test]
fn bike_stations_are_built_by_option_and_linked_with_the_stops() {
    let town = town(
        "n20 0.0005 0.0001 amenity=bicycle_rental name=Mill capacity=12 network=a;b\n w10 1,2 highway=residential",
    );
    assert_eq!(graph(&town).stations.vertex.len(), 0);
    let options = StreetBuildOptions { static_bike_rental: true, ..StreetBuildOptions::default() };
    let (mut builder, mut issues) = read(&town, &options);
    builder.link_stops(&[], &mut issues);
    let graph = builder.finish();
    let stations = &graph.stations;
    assert_eq!((stations.kind[0], stations.capacity[0]), (0, 12));
    assert_eq!(graph.names.get(stations.name[0]), "Bicycle rental Mill");
    assert_eq!(graph.names.get(stations.networks[0]), "a,b");
    assert_eq!(graph.edges().filter(|e| e.kind() == EdgeKind::StationLink).count(), 4);
}

#[test]
fn stations_leave_the_access_and_speed_of_their_street() {
    let town = town(
        "n20 0.0005 0.0001 amenity=bicycle_rental\n w10 1,2 highway=residential access=destination maxspeed=20",
    );
    let options = StreetBuildOptions { static_bike_rental: true, ..StreetBuildOptions::default() };
    let (mut builder, mut issues) = read(&town, &options);
    builder.link_stops(&[], &mut issues);
    let graph = builder.finish();
    let halves: Vec<_> = graph.edges().filter(|e| e.kind() == EdgeKind::Street).collect();
    assert_eq!(halves.len(), 4);
    assert!(halves.iter().all(|e| e.has(edge_flags::NO_THROUGH) && e.has(edge_flags::HALF)));
    assert!(halves.iter().all(|e| (5.0..6.0).contains(&e.car_speed)), "{}", halves[0].car_speed);
}

fn stop(lat: f64, lon: f64) -> StopPoint {
    StopPoint { lat, lon, ..StopPoint::default() }
}

#[test]
fn stops_split_each_direction_on_its_own() {
    let (mut builder, mut issues) = read(
        &town("w10 1,2 highway=primary name=A junction=roundabout oneway=no"),
        &StreetBuildOptions::default(),
    );
    builder.link_stops(&[stop(0.00025, 0.0001), stop(0.001, 0.0002)], &mut issues);
    let graph = builder.finish();
    assert_eq!(edges(&graph), ["*>1 W 28 A", "*>2 WBC 83 A", "1>* WBC 28 A", "2>* W 83 A"]);
    assert!(graph.edges().all(|e| e.has(edge_flags::HALF) && !e.has(edge_flags::ROUNDABOUT)));
    assert!(graph.edges().all(|e| e.car_speed == 11.2));
    let links: Vec<(u32, i64)> =
        graph.stop_links.iter().map(|l| (l.stop, graph.vertex_osm_id[l.vertex as usize])).collect();
    assert_eq!(links, [(0, 0), (0, 0), (1, 2)], "two split vertices, then the end vertex itself");
    let split = graph.stop_links[0].vertex as usize;
    assert_ne!(graph.vertex_flags[split] & vertex_flags::SPLIT, 0);
    assert_ne!(graph.vertex_flags[split] & vertex_flags::STOP, 0);
    assert!(codes(&issues).is_empty());
}

#[test]
fn halves_share_the_stored_length() {
    let (mut builder, mut issues) = read(&town("w10 1,2 highway=steps"), &StreetBuildOptions::default());
    builder.link_stops(&[stop(0.0003, 0.0)], &mut issues);
    let graph = builder.finish();
    let sum: u32 = graph.edges().map(|e| e.length_mm).sum();
    assert_eq!(sum, 2 * 222_390, "both directions, doubled because they are steps");
    let mut lengths: Vec<u32> = graph.edges().map(|e| e.length_mm).collect();
    lengths.sort_unstable();
    assert_eq!((lengths[0], lengths[2]), (lengths[1], lengths[3]), "the halves of both directions agree");
}

/// Lengths from south to north of a street that two stops split, linked in the given order.
fn lengths_after(link_orders: [u32; 2], lat: [f64; 2]) -> Vec<u32> {
    let (mut builder, mut issues) = read(&town("w10 1,2 highway=primary"), &StreetBuildOptions::default());
    let stops = lat.map(|lat| stop(lat, 0.0));
    builder.link_stops(
        &[0, 1].map(|i| StopPoint { link_order: link_orders[i], ..stops[i].clone() }),
        &mut issues,
    );
    let graph = builder.finish();
    assert!(graph.stop_links.is_sorted_by_key(|link| link.stop));
    let is_forward = |e: &trestle_street::graph::Edge| {
        let lat = |vertex: u32| graph.vertex_lat[vertex as usize];
        lat(e.from) < lat(e.to)
    };
    let mut edges: Vec<_> = graph.edges().filter(is_forward).collect();
    edges.sort_by(|a, b| graph.vertex_lat[a.from as usize].total_cmp(&graph.vertex_lat[b.from as usize]));
    edges.iter().map(|e| e.length_mm).collect()
}

#[test]
fn stops_are_linked_in_their_order() {
    const AT: [f64; 2] = [0.000_010_1, 0.000_717_1];
    let [first, second] = [lengths_after([0, 1], AT), lengths_after([1, 0], AT)];
    assert_eq!((first.len(), first.iter().sum::<u32>()), (3, second.iter().sum()));
    assert_ne!(first, second, "each split truncates what it divides");
    assert_eq!(lengths_after([5, 5], AT), first, "equal numbers keep the order given");
}

#[test]
fn an_edge_with_a_note_survives_beside_its_halves() {
    let (mut builder, mut issues) =
        read(&town("w10 1,2 highway=path surface=dirt name=A"), &StreetBuildOptions::default());
    builder.link_stops(&[stop(0.0003, 0.0), stop(0.0006, 0.0)], &mut issues);
    let graph = builder.finish();
    let whole: Vec<String> = edges(&graph).into_iter().filter(|e| !e.contains('*')).collect();
    assert_eq!(whole, ["1>2 WB 111 A", "2>1 WB 111 A"]);
    assert_eq!(graph.edge_count(), 2 + 6, "the second stop splits a half, not the whole edge");
    assert_eq!(graph.notes.len(), 2);
}

#[test]
fn a_stop_node_with_the_stop_code_is_preferred() {
    let town = "n1 0 0\n n2 0.001 0\n n3 0 0.002\n n4 0.001 0.002 highway=bus_stop ref=77\n n5 0.002 0.002
        w10 1,2 highway=residential\n w11 3,4,5 highway=residential";
    let (mut builder, mut issues) = read(town, &StreetBuildOptions::default());
    let coded = |code: &str| StopPoint { code: Some(code.to_owned()), ..stop(0.001, 0.0001) };
    builder.link_stops(&[coded("77"), coded("78"), StopPoint { lat: 0.01, ..coded("77") }], &mut issues);
    let graph = builder.finish();
    let links: Vec<(u32, i64)> =
        graph.stop_links.iter().map(|l| (l.stop, graph.vertex_osm_id[l.vertex as usize])).collect();
    assert_eq!(links, [(0, 4), (1, 2), (2, 5)]);
}

#[test]
fn stops_far_from_any_street_are_not_linked() {
    let (mut builder, mut issues) =
        read(&town("w10 1,2 highway=residential"), &StreetBuildOptions::default());
    let far = StopPoint {
        file: "f.zip/stops.txt".into(),
        line: 3,
        label: "1:B “Beach”".into(),
        ..stop(0.0, 0.009)
    };
    builder.link_stops(&[stop(0.0, 0.00899), far, stop(f64::NAN, 0.0)], &mut issues);
    let graph = builder.finish();
    assert_eq!(
        graph.stop_links.iter().map(|l| l.stop).collect::<Vec<_>>(),
        [0],
        "1 km is {} degrees",
        0.008993
    );
    assert_eq!(codes(&issues), [("stop-unlinked", 1)]);
    assert_eq!(
        issues.issues()[0].to_string(),
        "f.zip/stops.txt:3: stop-unlinked: stop 1:B “Beach” at 0.000000,0.009000 has no walkable street within 1000 m"
    );
}

#[test]
fn ways_with_missing_nodes_are_left_out() {
    let town = town(
        "w10 1,2,99 highway=residential\n w11 2,3 highway=residential name=A\n w12 1,98 building=yes\n \
         w13 1,97 highway=residential access=no",
    );
    let (builder, issues) = read(&town, &StreetBuildOptions::default());
    assert_eq!(edges(&builder.finish()), ["2>3 WBC 111 A", "3>2 WBC 111 A"]);
    let issues: Vec<String> = issues.issues().iter().map(ToString::to_string).collect();
    assert_eq!(issues, ["town.osm: street-incomplete: way 10: left out, because nodes are missing (1 of 3)"]);
}

#[test]
fn areas_with_missing_nodes_are_reported() {
    let town = town("w10 1,2,97,1 highway=pedestrian area=yes\n w11 2,3 highway=residential");
    let (_, issues) = read(&town, &StreetBuildOptions::default());
    let expected = "town.osm: area-unusable: way 10: nodes of its outline are missing";
    assert!(issues.issues().iter().any(|issue| issue.to_string() == expected), "{:?}", issues.issues());
}

#[test]
fn an_empty_graph_has_complete_columns() {
    let graph = StreetGraph::empty();
    assert_eq!(
        (graph.vertex_count(), graph.first_out.to_vec(), graph.geometry_offsets.to_vec()),
        (0, vec![0], vec![0])
    );
}

#[test]
fn places_link_past_areas_that_cannot_be_left() {
    // A pavement between the place and the street, joined to nothing.
    let pavement = "n7 0.0005 0.0004\n n8 0.0005 0.0006\n n9 0.0015 0.0006\n n10 0.0015 0.0004
        w11 7,8,9,10,7 area=yes highway=pedestrian\n w10 1,2,3,4 highway=residential name=Main";
    let linked = |least: u32| {
        let options = StreetBuildOptions { island_without_stops_max: least, ..Default::default() };
        let (mut builder, mut issues) = read(&town(pavement), &options);
        builder.prune_islands(&mut issues);
        builder.link_stops(&[], &mut issues);
        let (graph, place) = (builder.finish(), LatLon::new(0.0011, 0.0007));
        [LinkEnd::Start, LinkEnd::Destination].map(|end| {
            let place = LinkedPlace::at_coordinate(&graph, place, LinkMode::Walk, end).unwrap();
            graph.names.get(graph.edge(place.splits[0].edge).name).to_owned()
        })
    };
    assert_eq!(linked(2), ["Main", "Main"]);
    assert_eq!(linked(3), ["open area", "open area"], "without a large part the nearest street is taken");
}
