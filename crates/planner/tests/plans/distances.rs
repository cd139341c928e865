//! How far legs lead.

use trestle_model::geo::{LatLon, distance_m};

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
