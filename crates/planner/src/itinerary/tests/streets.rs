//! Street legs and their steps.

use trestle_model::itinerary::Itinerary;
use trestle_model::{Direction, Mode, RoutingRequest};
use trestle_street::path::{StreetPath, Traversal, TraversalKind};

use super::graphs::{Scene, TestStreets, at, describe, steps_of, summed};
use crate::itinerary::{SectionContext, SectionEnd, join_sections, street_section};

fn rendered(streets: &TestStreets, path: &StreetPath) -> Itinerary {
    street_section(&Scene::of_streets(streets).context(), path).itinerary
}

fn walked(text: &str, vertices: &str) -> Itinerary {
    let streets = TestStreets::new(text);
    rendered(&streets, &streets.path(Mode::Walk, vertices))
}

/// A cross of four streets around M.
const CROSS: &str = "
    W -100 0
    M 0 0
    E 100 0
    N 0 100
    S 0 -100
    W - M Rua_A
    M - E Rua_A
    M - N Rua_B
    M - S Rua_C
";

#[test]
fn straight_on_is_one_step_and_a_turn_begins_another() {
    assert_eq!(steps_of(&walked(CROSS, "W M E")), ["Depart Rua A 200"]);
    assert_eq!(steps_of(&walked(CROSS, "W M N")), ["Depart Rua A 100", "Left Rua B 100"]);
    assert_eq!(steps_of(&walked(CROSS, "W M S")), ["Depart Rua A 100", "Right Rua C 100"]);
}

#[test]
fn a_turn_of_a_street_is_a_step_only_where_another_street_leaves() {
    let bend = "
        A 0 0
        B 100 0
        C 100 100
        A - B Rua_A
        B - C Rua_A
    ";
    assert_eq!(steps_of(&walked(bend, "A B C")), ["Depart Rua A 200"]);
    let fork = format!("{bend}\n D 200 0\n B - D Rua_D");
    assert_eq!(steps_of(&walked(&fork, "A B C")), ["Depart Rua A 100", "Left Rua A 100 stay"]);
}

#[test]
fn generated_names_are_one_street() {
    let paths = "
        A 0 0
        B 100 0
        C 200 0
        A - B path bogus
        B - C sidewalk bogus
    ";
    assert_eq!(steps_of(&walked(paths, "A B C")), ["Depart path 200 bogus"]);
}

#[test]
fn a_roundabout_counts_its_exits() {
    let circle = "
        In -100 0
        W -20 0
        S 0 -20
        E 20 0
        N 0 20
        Out 0 100
        South 0 -100
        In - W Rua_A
        W > S circle round
        S > E circle round
        E > N circle round
        N > W circle round
        S - South Rua_S
        N - Out Rua_A
    ";
    let steps = steps_of(&walked(circle, "In W S E N Out"));
    assert_eq!(steps[..2], ["Depart Rua A 80", "CircleCounterclockwise circle 85 stay exit 2"]);
    assert!(steps[2].ends_with("Rua A 80"), "{steps:?}");
}

#[test]
fn short_zigzags_are_merged_and_two_turns_to_one_side_are_a_u_turn() {
    let zigzag = "
        A -100 0
        B 0 0
        C 0 20
        D 100 20
        E -100 20
        X 0 -100
        A - B Rua_A
        B - C Rua_B
        C - D Rua_A
        C - E Rua_A
        B - X Rua_X
    ";
    assert_eq!(steps_of(&walked(zigzag, "A B C D")), ["Depart Rua A 220"]);
    assert_eq!(steps_of(&walked(zigzag, "A B C E")), ["Depart Rua A 100", "UturnLeft Rua A 120 stay"]);
}

#[test]
fn entering_a_link_road_is_a_step() {
    let ramp = "
        A 0 0
        B 100 0
        C 200 0
        A - B EN_1
        B - C EN_1 link
    ";
    assert_eq!(steps_of(&walked(ramp, "A B C")), ["Depart EN 1 100", "Continue EN 1 100"]);
    assert_eq!(steps_of(&walked(ramp, "C B A")), ["Depart EN 1 200"]);
}

#[test]
fn notes_and_heights_follow_the_steps() {
    let hill = "
        A 0 0
        B 100 0
        C 200 0
        A - B Rua_A heights=10,12.5,11 note=Unpaved
        B - C Rua_A heights=20,19
    ";
    let itinerary = walked(hill, "A B C");
    let step = &itinerary.legs[0].steps[0];
    assert_eq!(step.elevation, [(0.0, 10.0), (10.0, 12.5), (100.0, 11.0), (100.0, 20.0), (200.0, 19.0)]);
    assert_eq!((itinerary.elevation_gained, itinerary.elevation_lost), (2.5, 2.5));
    assert_eq!(step.alerts.len(), 1);
    assert_eq!(itinerary.legs[0].alerts[0].header.as_deref(), Some("Unpaved"));
}

#[test]
fn heights_of_zigzags_are_where_they_were_met() {
    let zigzag = "
        A -10 0
        B 0 0
        C 0 5
        D 10 5
        E -10 5
        F 20 5
        G -20 5
        X 0 -100
        A - B Rua_A heights=1,2
        B - C Rua_B heights=2,3
        C - D Rua_A heights=4,5
        C - E Rua_A heights=4,6
        D - F Rua_A heights=5,7
        E - G Rua_A heights=6,8
        B - X Rua_X
    ";
    let profiles = |path: &str| {
        let itinerary = walked(zigzag, path);
        let rounded = |step: &trestle_model::itinerary::Step| {
            step.elevation.iter().map(|&(x, height)| (x.round(), height)).collect()
        };
        itinerary.legs[0].steps.iter().map(rounded).collect::<Vec<Vec<(f64, f64)>>>()
    };
    let merged = [
        (0.0, 1.0),
        (10.0, 2.0),
        (10.0, 2.0),
        (15.0, 3.0),
        (15.0, 4.0),
        (25.0, 5.0),
        (25.0, 5.0),
        (35.0, 7.0),
    ];
    assert_eq!(profiles("A B C D F"), [merged]);
    let turned = vec![(0.0, 2.0), (5.0, 3.0), (5.0, 4.0), (15.0, 6.0), (15.0, 6.0), (25.0, 8.0)];
    assert_eq!(profiles("A B C E G"), [vec![(0.0, 1.0), (10.0, 2.0)], turned]);
}

#[test]
fn parts_between_the_request_and_a_corner_have_neither_area_nor_generated_name() {
    let streets =
        TestStreets::new("A 0 0\n B 100 0\n C 200 0\n A - B path bogus area\n B - C path bogus area");
    let mut path = streets.path(Mode::Walk, "A B C");
    path.traversals[0].from_fraction = 0.5;
    path.start = Some(at(50.0, 0.0));
    let itinerary = rendered(&streets, &path);
    assert_eq!(steps_of(&itinerary), ["Depart path 200"]);
    assert_eq!(itinerary.legs[0].geometry.length, 3);
    assert_eq!(itinerary.legs[0].steps[0].lon, at(50.0, 0.0).lon);
}

#[test]
fn a_change_of_mode_makes_a_leg_and_names_the_corner() {
    let streets = TestStreets::new(CROSS);
    let mut path = streets.path(Mode::Bicycle, "W M E");
    path.traversals[1].mode = Mode::Walk;
    let itinerary = rendered(&streets, &path);
    let corner = itinerary.legs[0].to.name.clone();
    assert!(corner.starts_with("corner of Rua "), "{corner}");
    assert_eq!(
        describe(&itinerary),
        [
            format!("BICYCLE 1000-1100 Origin > {corner}: Depart Rua A 100"),
            format!("WALK 1100-1200 {corner} > Destination: Continue Rua A 100"),
        ]
    );
    assert_eq!((itinerary.walk_time, itinerary.waiting_time), (200, 0));
}

#[test]
fn parking_is_a_gap() {
    let streets = TestStreets::new(CROSS);
    let mut path = streets.path(Mode::Bicycle, "W M E");
    path.traversals[1].mode = Mode::Walk;
    let park = Traversal {
        kind: TraversalKind::BikePark,
        seconds: 60,
        end_vertex: streets.vertex("M"),
        ..Traversal::event()
    };
    path.traversals.insert(1, park);
    let itinerary = rendered(&streets, &summed(path.traversals));
    let times: Vec<_> = itinerary.legs.iter().map(|leg| (leg.start_time, leg.end_time)).collect();
    assert_eq!(times, [(1_000_000, 1_100_000), (1_160_000, 1_260_000)]);
    assert_eq!((itinerary.walk_time, itinerary.waiting_time), (200, 60));
}

#[test]
fn arriving_by_a_time_starts_earlier() {
    let streets = TestStreets::new(CROSS);
    let mut scene = Scene::of_streets(&streets);
    scene.request.direction = Direction::Backward;
    let itinerary = street_section(&scene.context(), &streets.path(Mode::Walk, "W M E")).itinerary;
    assert_eq!((itinerary.start_time, itinerary.end_time), (800_000, 1_000_000));
}

#[test]
fn sections_join_at_the_place_between() {
    let streets = TestStreets::new(CROSS);
    let mut scene = Scene::of_streets(&streets);
    scene.request.max_walk_distance = 250.0;
    let via = SectionEnd::Via { name: "Destination".to_owned(), position: at(5.0, 5.0) };
    let first = SectionContext { to: via, ..scene.context() };
    let before = street_section(&first, &streets.path(Mode::Walk, "W M"));
    let later = RoutingRequest { epoch_seconds: 1100, ..scene.request.clone() };
    let second = SectionContext {
        request: &later,
        from: SectionEnd::Resumed,
        previous: Some(&before),
        ..scene.context()
    };
    let after = street_section(&second, &streets.path(Mode::Walk, "M N"));
    let whole = join_sections(&scene.context(), vec![before.clone(), after]).unwrap();
    let corner = whole.legs[1].from.name.clone();
    assert!(corner.starts_with("corner of"), "{corner}");
    assert_eq!(
        describe(&whole),
        [
            "WALK 1000-1100 Origin > Destination: Depart Rua A 100".to_owned(),
            format!("WALK 1100-1200 {corner} > Destination: Left Rua B 100"),
        ]
    );
    assert_eq!((whole.walk_limit_exceeded, whole.legs[0].to.orig.clone()), (false, None));
    assert_eq!(whole.legs[1].to.orig.as_deref(), Some(""));
}
