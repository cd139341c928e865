//! Searches on small graphs.

mod driving;
mod metrics;
mod random;
mod street_modes;
mod streets;

use trestle_model::geo::LatLon;
use trestle_model::{Direction, Mode, ModeSet, RoutingRequest};

use super::{StreetQuery, StreetSearch};
use crate::cost::{StreetCosts, StreetMode};
use crate::link::{LinkEnd, LinkMode, LinkedPlace};
use crate::path::{StreetPath, TraversalKind};
use crate::testing::TestGraph;

/// Costs of a street mode with default options.
fn costs(street_mode: StreetMode) -> StreetCosts {
    let request =
        RoutingRequest { modes: ModeSet::of(&[Mode::Walk, Mode::Bicycle]), ..RoutingRequest::default() };
    StreetCosts::from_request(&request, 0).for_mode(street_mode)
}

/// A path as one line: the vertices it passes, events in brackets, seconds.
fn line(test: &TestGraph, path: &StreetPath) -> String {
    let mut words: Vec<String> = path
        .traversals
        .iter()
        .map(|t| match t.kind {
            TraversalKind::Street | TraversalKind::Free => test.name(t.end_vertex),
            kind => format!("[{kind:?}]"),
        })
        .collect();
    words.push(format!("{}s", path.seconds));
    words.join(" ")
}

fn link(test: &TestGraph, position: LatLon, street_mode: StreetMode) -> LinkedPlace {
    let mode = match street_mode {
        StreetMode::Car | StreetMode::ParkCar | StreetMode::KissAndRide => LinkMode::Car,
        StreetMode::Bicycle | StreetMode::ParkBicycle => LinkMode::Bicycle,
        StreetMode::Walk | StreetMode::RentedBicycle => LinkMode::Walk,
    };
    LinkedPlace::at_coordinate(&test.graph, position, mode, LinkEnd::Both).expect("a street nearby")
}

/// The path between two vertices in both directions of search, each as a line.
fn both_ways(test: &TestGraph, costs: &StreetCosts, from: &str, to: &str) -> [String; 2] {
    let query = StreetQuery::new(&test.graph, costs);
    let [origin, destination] = [from, to].map(|name| LinkedPlace::at_vertex(&test.graph, test.vertex(name)));
    [Direction::Forward, Direction::Backward].map(|direction| {
        let found = StreetSearch::new().route(&query, &origin, &destination, direction);
        found.expect("not interrupted").map_or_else(|| "none".to_owned(), |path| line(test, &path))
    })
}
