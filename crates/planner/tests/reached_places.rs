//! Places near streets that lead to the rest of a city have a way there and back, on foot and by bicycle, though some
//! of these streets are closed to through traffic. Skips cities that `shared` does not find.

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_model::request::PlaceRequest;
use trestle_model::{Mode, ModeSet, PlanErrorCode, RoutingRequest};
use trestle_planner::Scratch;
use trestle_planner::plan::plan;
use trestle_street::graph::{EdgeKind, StreetGraph, edge_flags};
use trestle_street::link::{LinkEnd, LinkMode, LinkedPlace};

use crate::dice::Dice;
use crate::shared_city::graph_of;

/// Places that are tried in each city, and how near a street they are, metres.
const PLACES: usize = 400;
const NEAR_M: f64 = 300.0;
/// How many ways between these places may be missing in each city. A place may be linked to the end of a private road
/// where an open one begins, or the fastest way to a private road may already have left another private road.
const MOST_MISSING: usize = 4;

/// A corner from which all of the city except islands can be reached, and places behind private streets.
const PORTO_ALEGRE: (LatLon, &[LatLon]) = (
    LatLon { lat: -30.0337, lon: -51.2177 },
    &[LatLon { lat: -30.053_876, lon: -51.161_031 }, LatLon { lat: -30.021_756, lon: -51.166_025 }],
);
const PORTLAND: (LatLon, &[LatLon]) =
    (LatLon { lat: 45.5190, lon: -122.6790 }, &[LatLon { lat: 45.506_863, lon: -122.677_680 }]);

/// The vertices that walkers reach from a place if nothing is closed to through traffic.
fn reached_on_foot(graph: &StreetGraph, from: LatLon) -> Vec<bool> {
    let place = LinkedPlace::at_coordinate(graph, from, LinkMode::Walk, LinkEnd::Start).unwrap();
    let mut open = ends(graph, &place);
    let mut is_reached = vec![false; graph.vertex_count()];
    while let Some(vertex) = open.pop() {
        if !std::mem::replace(&mut is_reached[vertex as usize], true) {
            let edges = graph.out_edges(VertexIdx(vertex)).map(|edge| graph.edge(EdgeIdx(edge)));
            let walked = edges.filter(|e| e.kind() != EdgeKind::Street || e.has(edge_flags::WALK));
            open.extend(walked.map(|edge| edge.to));
        }
    }
    is_reached
}

fn ends(graph: &StreetGraph, place: &LinkedPlace) -> Vec<u32> {
    let on_streets = place.splits.iter().map(|split| graph.edge(split.edge).to);
    place.vertices.iter().map(|vertex| vertex.0).chain(on_streets).collect()
}

/// Which ways are missing: from a place to the corner on foot and by bicycle, and from the corner to the place on foot.
fn missing_ways(snapshot: &Snapshot, scratch: &mut Scratch, place: LatLon, corner: LatLon) -> Vec<String> {
    let legs = [(Mode::Walk, place, corner), (Mode::Walk, corner, place), (Mode::Bicycle, place, corner)];
    let missing = |(mode, from, to)| {
        let position = |at| PlaceRequest { position: Some(at), ..PlaceRequest::default() };
        let request = RoutingRequest {
            from: position(from),
            to: position(to),
            modes: ModeSet::of(&[mode]),
            ..RoutingRequest::default()
        };
        match plan(snapshot, &request, scratch, &Deadline::default()) {
            Err(error) if error.code != PlanErrorCode::TooClose => {
                Some(format!("{mode:?} from {from:?} to {to:?}: {error}"))
            }
            _ => None,
        }
    };
    legs.into_iter().filter_map(missing).collect()
}

fn check_city(name: &str, (corner, behind_private_streets): (LatLon, &[LatLon])) {
    let Some(graph) = graph_of(name) else { return };
    let snapshot = Snapshot::new(graph, 0);
    let graph = &snapshot.graph.street;
    let is_reached = reached_on_foot(graph, corner);
    let mut dice = Dice(5);
    let mut place = || {
        let at = graph.position(VertexIdx::from(dice.below(graph.vertex_count())));
        let mut off = || (dice.below(4001) as f64 - 2000.0) * 1e-6;
        LatLon::new(at.lat + off(), at.lon + off())
    };
    let can_be_reached = |&at: &LatLon| {
        let linked = LinkedPlace::at_coordinate(graph, at, LinkMode::Walk, LinkEnd::Both).unwrap();
        trestle_model::geo::distance_m(at, linked.snapped) < NEAR_M
            && ends(graph, &linked).iter().all(|&vertex| is_reached[vertex as usize])
    };
    let random: Vec<LatLon> = (0..PLACES).map(|_| place()).filter(can_be_reached).collect();
    let mut scratch = Scratch::default();
    assert!(random.len() > PLACES / 2, "{name}: only {} places can be reached", random.len());
    for &place in behind_private_streets {
        assert_eq!(missing_ways(&snapshot, &mut scratch, place, corner), [""; 0], "{name}");
    }
    let missing = |&place: &LatLon| missing_ways(&snapshot, &mut scratch, place, corner);
    let missing: Vec<String> = random.iter().flat_map(missing).collect();
    assert!(missing.len() <= MOST_MISSING, "{name}: {missing:#?}");
}

#[test]
fn places_in_porto_alegre_have_a_way_to_the_rest_and_back() {
    check_city("poa", PORTO_ALEGRE);
}

#[test]
fn places_in_portland_have_a_way_to_the_rest_and_back() {
    check_city("pdx", PORTLAND);
}
