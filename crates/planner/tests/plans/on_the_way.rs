//! Intermediate places, and starts inside a vehicle.

use trestle_model::itinerary::RelativeDirection;
use trestle_model::mode::{Mode, ModeSet};
use trestle_model::request::PlaceRequest;
use trestle_model::{Direction, PlanErrorCode, RoutingRequest};

use super::town::Town;

const STREET: &str = "
    n1 41.0 -8.000
    n2 41.0 -7.998
    n3 41.0 -7.990
    n4 41.0 -7.970
    n5 41.0 -7.960
    w1 1,2,3,4,5 highway=residential name=Rua
";
const LINE: &str = "
    stop A 41.0 -7.998
    stop B 41.0 -7.990
    stop C 41.0 -7.970
    route R 3
    service WK 20240101 20241231 1111111
    trip T R WK : A 8:00:00, B 8:05:00, C 8:15:00
    trip U R WK : A 8:30:00, B 8:35:00, C 8:45:00
";

fn walking(r: &mut RoutingRequest) {
    r.modes = ModeSet::default().with(Mode::Walk);
}

#[test]
fn intermediate_places_are_visited_in_their_order() {
    let town = Town::new(STREET, LINE);
    let via = |places: &'static [&'static str], mode: fn(&mut RoutingRequest)| {
        let town = &town;
        move |r: &mut RoutingRequest| {
            mode(r);
            r.intermediate_places = places.iter().map(|place| town.place(place)).collect();
        }
    };
    assert_eq!(town.plan("n1 -> n3 at 8:00", via(&["n2"], walking)), "8:00 walk 168 m, walk 671 m, 8:10:32");
    assert_eq!(
        town.plan("n1 -> n2 at 8:00", via(&["n3", "n1"], walking)),
        "8:00 walk 839 m, walk 839 m, walk 168 m, 8:23:11"
    );
    assert_eq!(town.plan("n1 -> n2 by 9:00", via(&["n3"], walking)), "8:41:03 walk 839 m, walk 671 m, 9:00");
    assert_eq!(
        town.plan("n1 -> n5 at 7:55", via(&["n3"], |_| {})),
        "7:57:52 walk 168 m, bus T A 8:00 - B 8:05, bus U B 8:35 - C 8:45, walk 839 m, 8:55:32"
    );
    assert_eq!(town.plan("n1 -> n5 at 7:55", via(&["9:nowhere"], |_| {})), "OutsideBounds");
    // The way on from a place is a turn, whether the sections were found from the start or from the end.
    let turn = |question: &str| {
        town.itineraries(question, via(&["n3"], walking)).unwrap()[0].legs[1].steps[0].relative
    };
    assert_eq!(turn("n1 -> n2 by 9:00"), turn("n1 -> n2 at 8:00"));
    assert_ne!(turn("n1 -> n2 by 9:00"), RelativeDirection::Depart);
}

#[test]
fn an_intermediate_place_where_the_traveller_already_is_is_left_out() {
    let town = Town::new(STREET, LINE);
    let plan = |question: &'static str, places: &'static [&'static str], mode: fn(&mut RoutingRequest)| {
        let town = &town;
        town.plan(question, move |r: &mut RoutingRequest| {
            mode(r);
            r.intermediate_places = places.iter().map(|place| town.place(place)).collect();
        })
    };
    let transit: fn(&mut RoutingRequest) = |_| {};
    let once = plan("n1 -> n3 at 8:00", &["n2"], walking);
    assert_eq!(once, "8:00 walk 168 m, walk 671 m, 8:10:32");
    for places in [&["n2", "n2"][..], &["n1", "n2"], &["n2", "n3"], &["n1", "n2", "n2", "n3", "n3"]] {
        assert_eq!(plan("n1 -> n3 at 8:00", places, walking), once, "{places:?}");
    }
    for (question, at_ends) in [("n1 -> n5 at 7:55", ["n1", "n5"]), ("A -> C by 9:00", ["A", "C"])] {
        let direct = town.plan(question, transit);
        assert!(direct.contains("bus"), "{direct}");
        for place in at_ends {
            let via = town.plan(question, |r| r.intermediate_places = vec![town.place(place)]);
            assert_eq!(via, direct, "{place}");
        }
    }
    // Between two corners.
    let walk = plan("41.0,-7.995 -> n3 at 8:00", &[], walking);
    assert_eq!(plan("41.0,-7.995 -> n3 at 8:00", &["41.0,-7.995", "41.0,-7.99501"], walking), walk);
    // A place farther along the same street is another one.
    assert_eq!(
        plan("41.0,-7.995 -> n3 at 8:00", &["41.0,-7.994"], walking),
        "8:00 walk 84 m, walk 336 m, 8:05:17"
    );
    assert_eq!(plan("n1 -> n1 at 8:00", &["n1"], walking), "TooClose");
    assert_eq!(plan("9:nowhere -> n1 at 8:00", &["9:nowhere"], walking), "OutsideBounds");
}

#[test]
fn a_station_is_where_its_platforms_are() {
    // The station is 42 m from its platform A, and D is far from all streets.
    let line = "
        stop S 41.0 -7.9985 location_type=1
        stop A 41.0 -7.998 parent_station=S
        stop C 41.0 -7.970
        stop D 41.1 -7.998
        route R 3
        service WK 20240101 20241231 1111111
        trip T R WK : A 8:00:00, C 8:15:00, D 8:40:00
    ";
    let town = Town::new(STREET, line);
    let via = |question: &str, place: &str| {
        town.plan(question, |r| r.intermediate_places = vec![town.place(place)])
    };
    let direct = town.plan("A -> C at 7:55", |_| {});
    assert_eq!(via("A -> C at 7:55", "S"), direct);
    // From both coordinates D can be reached, but they are 890 m apart.
    assert_eq!(via("C -> 41.104,-7.998 at 8:00", "41.096,-7.998"), "TooClose");
}

#[test]
fn a_start_inside_a_vehicle() {
    let town = Town::new(STREET, LINE);
    let aboard =
        |trip: &'static str| move |r: &mut RoutingRequest| r.start_transit_trip = Some(trip.to_owned());
    // Half way between B and C at ten past eight.
    assert_eq!(
        town.plan("41.0,-7.98 -> n5 at 8:10", aboard("1:T")),
        "8:10 bus T on board 8:10 - C 8:15, walk 839 m, 8:25:32"
    );
    assert_eq!(
        town.plan("41.0,-7.98 -> n5 at 9:10", aboard("1:T")),
        "9:10 bus T on board 9:10 - C 9:15, walk 839 m, 9:25:32"
    );
    let plans = town.itineraries("41.0,-7.98 -> n5 at 8:10", |r| {
        aboard("1:T")(r);
        r.num_itineraries = 3;
    });
    assert_eq!(plans.unwrap().len(), 1, "there is one continuation");
    // No street is near the vehicle, as on a ferry.
    let question = "41.05,-7.98 -> n5 at 8:10";
    assert_eq!(town.plan(question, aboard("1:T")), "8:10 bus T on board 8:10 - C 8:15, walk 839 m, 8:25:32");
    assert_eq!(town.start_name(question, aboard("1:T")), "on_board_depart");
    assert_eq!(town.plan("91,-7.98 -> n5 at 8:10", aboard("1:T")), "OutsideBounds");
    assert_eq!(town.itineraries("n3 -> n5 at 8:10", aboard("1:X")), Err(PlanErrorCode::BogusParameter));
}

#[test]
fn a_start_inside_a_vehicle_without_its_place() {
    let town = Town::new(STREET, LINE);
    let aboard = |trip: &'static str| {
        move |r: &mut RoutingRequest| {
            r.start_transit_trip = Some(trip.to_owned());
            r.from = PlaceRequest::default();
        }
    };
    // Half way between B and C, at B, and nowhere.
    assert_eq!(
        town.plan("n1 -> n5 at 8:10", aboard("1:T")),
        "8:10 bus T on board 8:10 - C 8:15, walk 839 m, 8:25:32"
    );
    let found = town.itineraries("n1 -> n5 at 8:10", aboard("1:T")).unwrap();
    let from = &found[0].legs[0].from;
    assert_eq!(
        (from.name.as_str(), from.lat, (from.lon * 1e6).round()),
        ("on_board_depart", 41.0, -7_980_000.0)
    );
    assert_eq!(
        town.plan("n1 -> n5 at 8:05", aboard("1:T")),
        "8:05 bus T on board 8:05 - C 8:15, walk 839 m, 8:25:32"
    );
    assert_eq!(town.plan("n1 -> n5 at 7:59", aboard("1:T")), "SystemError");
    assert_eq!(town.plan("n1 -> n5 at 8:16", aboard("1:T")), "SystemError");
    assert_eq!(town.plan("n1 -> n5 at 8:10", aboard("1:X")), "BogusParameter");
    let arriving = |r: &mut RoutingRequest| {
        aboard("1:T")(r);
        r.direction = Direction::Backward;
    };
    assert_eq!(town.plan("n1 -> n5 at 8:10", arriving), "OutsideBounds");
}

#[test]
fn the_stop_of_the_first_boarding() {
    let town = Town::new(STREET, LINE);
    let from =
        |stop: &'static str| move |r: &mut RoutingRequest| r.start_transit_stop = Some(stop.to_owned());
    // The nearest stop comes first, the next one is farther to walk.
    let (at_a, at_b) = (
        "7:57:52 walk 168 m, bus T A 8:00 - C 8:15, walk 839 m, 8:25:32",
        "7:54:27 walk 839 m, bus T B 8:05 - C 8:15, walk 839 m, 8:25:32",
    );
    assert_eq!(town.ask("n1 -> n5 at 7:50"), at_a);
    assert_eq!(town.plan("n1 -> n5 at 7:50", from("1:A")), at_a);
    assert_eq!(town.plan("n1 -> n5 at 7:50", from("1:B")), at_b);
    // A client's “next” and “previous”: after the departure, and before the arrival, of what it shows.
    assert_eq!(
        town.plan("n1 -> n5 at 7:58", from("1:B")),
        "8:24:27 walk 839 m, bus U B 8:35 - C 8:45, walk 839 m, 8:55:32"
    );
    assert_eq!(town.plan("n1 -> n5 by 8:54", from("1:B")), at_b);
    // There is neither a walk nor a vehicle from another stop instead.
    assert_eq!(town.plan("n1 -> n2 at 7:50", from("1:B")), "PathNotFound");
    assert_eq!(town.plan("n1 -> n5 at 7:50", from("1:nowhere")), "BogusParameter");
    // It is the first boarding of the whole trip, not of each of its sections.
    let via_c = |r: &mut RoutingRequest| {
        from("1:A")(r);
        r.intermediate_places = vec![town.place("n3")];
    };
    assert_eq!(
        town.plan("n1 -> n5 at 7:55", via_c),
        "7:57:52 walk 168 m, bus T A 8:00 - B 8:05, bus U B 8:35 - C 8:45, walk 839 m, 8:55:32"
    );
}
