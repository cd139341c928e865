//! How places are joined to streets and stops.

use trestle_model::RoutingRequest;

use super::town::{Town, options};

/// The quay of a town, and a square on an island where a ferry calls.
const ISLAND: &str = "
    n1 41.000 -8.000
    n2 41.000 -7.998
    n3 41.000 -7.996
    n4 41.000 -7.994
    n5 41.004 -7.998
    n6 41.004 -7.996
    n7 41.0045 -7.996
    n8 41.0045 -7.998
    w1 1,2 highway=residential name=Quay
    w3 2,3 highway=residential name=Quay
    w4 3,4 highway=residential name=Quay
    w2 5,6,7,8,5 highway=pedestrian area=yes name=Square
";

#[test]
fn a_nearer_street_leads_to_stops_though_not_to_other_streets() {
    let mut options = options();
    options.street.island_without_stops_max = 3;
    let feed = "
        stop S 41.004 -7.998
        stop T 41.000 -7.900
        route F 4
        service WK 20240101 20241231 1111111
        trip there F WK : S 9:00:00, T 9:30:00
        trip back F WK : T 8:00:00, S 8:30:00
    ";
    let town = Town::built(ISLAND, &[feed], &options);
    assert_eq!(
        town.ask("41.0039,-7.9962 -> T at 8:50"),
        "8:58:05 walk 151 m, ferry there S 9:00 - T 9:30, 9:30"
    );
    assert_eq!(
        town.ask("T -> 41.0039,-7.9962 at 7:50"),
        "8:00 ferry back T 8:00 - S 8:30, walk 151 m, 8:31:55"
    );
    // The quay is the nearest street from which others can be reached.
    assert_eq!(town.ask("41.0039,-7.9962 -> n1 at 8:50"), "8:50 walk 319 m, 8:54:01");
}

#[test]
fn a_place_far_from_streets_is_where_its_stop_is() {
    let streets = "
        n1 41.000 -8.000
        n2 41.000 -7.990
        n3 41.000 -7.980
        w1 1,2,3 highway=residential name=Main
    ";
    let feed = "
        stop A 41.007 -8.000
        stop B 41.000 -7.998
        stop C 41.000 -7.950
        route R 3
        service WK 20240101 20241231 1111111
        trip T R WK : B 8:10:00, C 8:20:00
        trip U R WK : A 18:10:00, C 18:20:00
    ";
    let town = Town::new(streets, feed);
    // A, which is near the place, is joined to the beginning of the street.
    assert_eq!(town.ask("41.012,-8.000 -> C at 8:00"), "8:07:51 walk 168 m, bus T B 8:10 - C 8:20, 8:20");
}

/// Two stops beyond the end of the only street, which is where both are linked, and one at its beginning.
const BEYOND: &str = "
    stop A 41.003 -7.980
    stop B 41.006 -7.980
    stop C 41.000 -8.018
    route R 3
    service WK 20240101 20241231 1111111
    trip T R WK : B 8:10:00, C 8:20:00
    trip U R WK : C 9:10:00, B 9:20:00
";

#[test]
fn stops_linked_at_one_point_are_a_straight_walk_from_each_other() {
    let streets = "
        n1 41.000 -8.020
        n2 41.000 -7.990
        n3 41.000 -7.980
        w1 1,2,3 highway=residential name=Main
    ";
    let town = Town::new(streets, BEYOND);
    assert_eq!(town.ask("A -> C at 8:00"), "8:05:47 walk 334 m, bus T B 8:10 - C 8:20, 8:20");
    assert_eq!(town.ask("C -> A at 9:00"), "9:10 bus U C 9:10 - B 9:20, walk 334 m, 9:24:13");
    assert_eq!(town.ask("C -> A by 10:00"), "9:10 bus U C 9:10 - B 9:20, walk 334 m, 9:24:13");
    let near = |r: &mut RoutingRequest| r.max_walk_distance = 300.0;
    assert_eq!(town.plan("C -> A at 9:00", near), "PathNotFound");
    let legs = |question: &str| town.itineraries(question, |_| ()).unwrap()[0].legs.clone();
    let there = &legs("A -> C at 8:00")[0];
    assert_eq!((there.from.name.as_str(), there.to.stop_id.as_deref()), ("Stop_A", Some("1:B")));
    assert_eq!(there.from.orig.as_deref(), Some(""));
    let back = &legs("C -> A at 9:00")[1];
    assert_eq!((back.to.name.as_str(), back.from.stop_id.as_deref()), ("Stop_A", Some("1:B")));
}
