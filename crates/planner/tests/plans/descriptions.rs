//! What is said about a whole graph.

use trestle_engine::info::describe;

use super::town::{Town, options};

const STREETS: &str = "
    n1 41.0 -8.00
    n2 41.2 -8.00
    w1 1,2 highway=residential name=Rua
";
const LINES: &str = "
    stop A 41.05 -8.00
    stop B 41.06 -8.00
    stop C 43.00 -9.00
    stop D 41.19 -8.00
    route R 3
    service WK 20240101 20241231 1111111
    trip T R WK : A 8:00:00, B 8:05:00, C 9:00:00
";

#[test]
fn the_area_of_transit_is_that_of_stops_near_streets() {
    let area = |town: &Town| describe(&town.snapshot).transit_envelope;
    let whole = Town::new(STREETS, LINES);
    assert_eq!(area(&whole), Some([41.05, -8.0, 41.06, -8.0]), "no trip calls at D");
    assert_eq!(area(&Town::new("", LINES)), Some([41.05, -9.0, 43.0, -8.0]));
    assert_eq!(area(&Town::new(STREETS, "")), None);
}

#[test]
fn an_area_of_transit_leads_the_shorter_way_around_the_earth() {
    let lines = LINES.replace("41.06 -8.00", "41.06 179.5").replace("41.05 -8.00", "41.05 -178.0");
    let town = Town::built("", &[&lines.replace("43.00 -9.00", "41.00 178.0")], &options());
    assert_eq!(describe(&town.snapshot).transit_envelope, Some([41.0, 178.0, 41.06, -178.0]));
}
