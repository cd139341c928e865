//! Random towns: rows of matrices by car, with a contraction and without.

use proptest::prelude::*;
use trestle_model::ids::{EdgeIdx, VertexIdx};

use super::random::{choices, private_town_text};
use super::*;
use crate::search::{DrivingMemory, DrivingTimes, Objective, TreeStart};
use crate::testing::{TestGraph, graph};

/// The town with restrictions of turns at some corners, every other one of which begins or ends soon after eight.
fn restricted_town(choices: &[u8]) -> TestGraph {
    let mut text = private_town_text(choices);
    let open = graph(&text).graph;
    for (number, choice) in choices.iter().enumerate().skip(30) {
        let from = open.edge(EdgeIdx(u32::from(*choice) * open.edge_count() as u32 / 256));
        let mut onward = open.out_edges(VertexIdx(from.to));
        if let Some(edge) = onward.nth(number % 3) {
            let kind = if number % 4 == 0 { "only" } else { "no" };
            text += &format!("{kind} v{} v{} v{}\n", from.from, from.to, open.edge(EdgeIdx(edge)).to);
        }
    }
    let mut test = graph(&text);
    let mut restrictions = test.graph.restrictions.to_vec();
    for (number, restriction) in restrictions.iter_mut().enumerate() {
        let eight = 8 * 3600;
        (restriction.time_from, restriction.time_to) =
            [(0, 86_400), (eight - 3600, eight + 60), (0, 0), (eight + 45, eight + 3600)][number % 4];
    }
    test.graph.restrictions = restrictions.into();
    test
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_contraction_changes_no_row(choices in choices(), from in 0..25u32, walk in 0..100u32) {
        let test = restricted_town(&choices);
        let request = RoutingRequest { epoch_seconds: 8 * 3600, ..RoutingRequest::default() };
        let costs = StreetCosts::from_request(&request, 0).for_mode(StreetMode::Car);
        let (times, mut memory) = (DrivingTimes::default(), DrivingMemory::default());
        let starts = [(from, 30), (24 - from, 0)].map(|(vertex, seconds)| {
            TreeStart { vertex: VertexIdx(vertex), seconds, weight: 0.0, walk_distance: 0.0 }
        });
        let [plain, contracted] = [1, 1_000_000].map(|origins| {
            let ends = (0..25).map(|v| [Some((VertexIdx(v), walk)), Some((VertexIdx((7 * v) % 25), 0))]).collect();
            let turns = times.turns(&test.graph, &costs).unwrap();
            let rows = turns.to((&test.graph, &costs), ends, 200, origins, &mut memory, &|| false).unwrap();
            assert_eq!(rows.is_prepared(), origins > 1);
            rows.row(&starts, &mut memory, &|| false).unwrap()
        });
        prop_assert_eq!(plain, contracted);
    }
}

#[test]
fn turns_are_contracted_once_it_pays_off_and_tables_are_kept() {
    let test = graph("A 0 0\nB 100 0\nC 200 0\nA - B wbc\nB - C wbc");
    let (times, mut memory) = (DrivingTimes::default(), DrivingMemory::default());
    let costs = costs(StreetMode::Car);
    let mut is_prepared = |origins, walk| {
        let turns = times.turns(&test.graph, &costs).unwrap();
        let ends = vec![[Some((test.vertex("C"), walk)), None]];
        turns.to((&test.graph, &costs), ends, 600, origins, &mut memory, &|| false).unwrap().is_prepared()
    };
    assert_eq!([is_prepared(1, 0), is_prepared(1, 0)], [false; 2]);
    assert!(is_prepared(2_000, 0), "that many are worth it");
    assert!(is_prepared(1, 0), "the same destinations again");
    assert!(!is_prepared(1, 5), "others");
}

#[test]
fn drives_are_not_longer_than_necessary_because_of_turns() {
    // The quickest way to B, with two seconds less, arrives from the west. From there, the turn to E takes three more.
    let test = graph(
        "A 0 0\nB 200 0\nC 200 -100 split\nD 100 -100 split\nE 200 100\nA > B wbc\nA > D wbc speed=19\n\
         D > C wbc speed=19\nC > B wbc speed=19\nB > E wbc",
    );
    let costs = costs(StreetMode::Car);
    let [from, to] = ["A", "E"].map(|name| test.vertex(name));
    let start = TreeStart { vertex: from, seconds: 0, weight: 0.0, walk_distance: 0.0 };
    let query = StreetQuery { objective: Objective::Time, ..StreetQuery::new(&test.graph, &costs) };
    let mut search = StreetSearch::new();
    let tree = search.tree(&query, &[start], Direction::Forward).unwrap();
    let by_vertex = tree.get(to).map(|label| label.seconds);
    let (times, mut memory) = (DrivingTimes::default(), DrivingMemory::default());
    let turns = times.turns(&test.graph, &costs).unwrap();
    let ends = vec![[Some((to, 0)), None]];
    let rows = turns.to((&test.graph, &costs), ends, 600, 1, &mut memory, &|| false).unwrap();
    let row = rows.row(&[start], &mut memory, &|| false).unwrap();
    assert_eq!(Some(row[0] + 1), by_vertex);
}
