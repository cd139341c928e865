//! How far legs lead, and whether a trip walks more than the request allows.

use trestle_model::RoutingRequest;
use trestle_model::geo::{LatLon, distance_m};
use trestle_model::mode::{Mode, ModeSet};

use super::town::Town;

/// The line from A to B bends by way of 41.01, -8.01.
const TOWN: &str = "
    stop A 41.00 -8.00
    stop M 41.01 -8.01
    stop B 41.02 -8.00
    route R 3
    service WK 20240101 20241231 1111111
    trip T R WK shape_id=S : A 8:10:00, B 8:20:00
    shape S : 41.00 -8.00, 41.01 -8.01, 41.02 -8.00";

const STREETS: &str = "
    n1 40.99 -8.00
    n2 41.00 -8.00
    n3 41.02 -8.00
    n4 41.03 -8.00
    w1 1,2 highway=residential
    w2 3,4 highway=residential";

fn transit_metres(feed: &str) -> f64 {
    let plan = Town::new(STREETS, feed).itineraries("A -> B at 8:00", |_| ()).unwrap();
    plan[0].legs.iter().find(|leg| leg.transit.is_some()).unwrap().distance
}

#[test]
fn rides_are_as_long_as_their_shape() {
    let [a, m, b] = [(41.00, -8.00), (41.01, -8.01), (41.02, -8.00)].map(|(lat, lon)| LatLon::new(lat, lon));
    let along = distance_m(a, m) + distance_m(m, b);
    assert!((transit_metres(TOWN) - along).abs() < 1.0);
    let straight = distance_m(a, b);
    assert!((transit_metres(&TOWN.replace("shape_id=S ", "")) - straight).abs() < 1e-6);
}

#[test]
fn walks_beyond_the_limit_are_marked() {
    let town = Town::new(STREETS, TOWN);
    // 556 m to the first stop, and as many from the last one.
    let question = "40.995,-8.0 -> 41.025,-8.0 at 8:00";
    let exceeds = |question: &str, change: fn(&mut RoutingRequest)| {
        town.itineraries(question, change).unwrap()[0].walk_limit_exceeded
    };
    assert!(exceeds(question, |r| r.max_walk_distance = 600.0));
    assert!(!exceeds(question, |r| r.max_walk_distance = 1200.0));
    assert!(!exceeds(question, |r| r.max_walk_distance = f64::INFINITY));
    let on_foot = |r: &mut RoutingRequest| r.modes = ModeSet::default().with(Mode::Walk);
    let long = Town::new("n1 41.0 -8.0\n n2 41.03 -8.0\n w1 1,2 highway=residential", "");
    for (limit, expected) in [(2000.0, true), (4000.0, false), (f64::INFINITY, false)] {
        let walk = long.itineraries("n1 -> n2 at 8:00", |r| {
            on_foot(r);
            r.max_walk_distance = limit;
        });
        assert_eq!(walk.unwrap()[0].walk_limit_exceeded, expected, "{limit}");
    }
}
