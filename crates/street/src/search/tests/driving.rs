//! Random towns: rows of matrices by car, with a contraction and without.

use std::cell::Cell;
use std::sync::mpsc::channel;
use std::time::Duration;

use proptest::prelude::*;
use trestle_model::Direction;
use trestle_model::ids::{EdgeIdx, VertexIdx};

use super::random::{choices, private_town_text};
use super::*;
use crate::search::{DrivingMemory, DrivingTimes, Interrupted, Objective, TreeStart};
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
    #![proptest_config(ProptestConfig { cases: 60, max_global_rejects: 10, ..ProptestConfig::default() })]

    #[test]
    fn a_contraction_changes_no_row(choices in choices(), from in 0..25u32, walk in 0..100u32) {
        let test = restricted_town(&choices);
        let request = RoutingRequest { epoch_seconds: 8 * 3600, ..RoutingRequest::default() };
        let costs = StreetCosts::from_request(&request, 0).for_mode(StreetMode::Car);
        let (times, mut memory) = (DrivingTimes::default(), DrivingMemory::default());
        let starts = [(from, 30), (24 - from, 0)].map(|(vertex, seconds)| {
            TreeStart { vertex: VertexIdx(vertex), seconds, weight: 0.0, walk_distance: 0.0 }
        });
        let ends = (0..25).map(|v| [Some((VertexIdx(v), walk)), Some((VertexIdx((7 * v) % 25), 0))]).collect();
        let turns = times.turns(&test.graph, &costs, &|| false).unwrap().unwrap();
        let rows = turns.to((&test.graph, &costs), ends, 200, 10_000_000);
        let plain = rows.row(&starts, &mut memory, &|| false).unwrap();
        prop_assert!(!rows.is_prepared(), "the first row is searched");
        let contracted = rows.row(&starts, &mut memory, &|| false).unwrap();
        prop_assert_eq!(plain, contracted);
        // Where no drive begins, no search takes long enough for a contraction.
        prop_assume!(rows.is_prepared());
    }
}

/// Drives on one street from A to C, each over two nodes of the graph of turns, which has four.
struct Street {
    test: TestGraph,
    times: DrivingTimes,
    memory: DrivingMemory,
}

impl Street {
    fn new() -> Street {
        let test = graph("A 0 0\nB 100 0\nC 200 0\nA - B wbc\nB - C wbc");
        Street { test, times: DrivingTimes::default(), memory: DrivingMemory::default() }
    }

    /// Whether rows are prepared after so many out of some origins.
    fn is_prepared(&mut self, request: &RoutingRequest, walk: u32, [rows, origins]: [usize; 2]) -> bool {
        self.search(request, walk, [rows, origins], &|| false).unwrap()
    }

    fn search(
        &mut self,
        request: &RoutingRequest,
        walk: u32,
        [rows, origins]: [usize; 2],
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, Interrupted> {
        let costs = StreetCosts::from_request(request, 0).for_mode(StreetMode::Car);
        let turns = self.times.turns(&self.test.graph, &costs, &|| false).unwrap().unwrap();
        let ends = vec![[Some((self.test.vertex("C"), walk)), None]];
        let found = turns.to((&self.test.graph, &costs), ends, 600, origins);
        let start = TreeStart { vertex: self.test.vertex("A"), seconds: 0, weight: 0.0, walk_distance: 0.0 };
        for _ in 0..rows {
            found.row(&[start], &mut self.memory, interrupted)?;
        }
        Ok(found.is_prepared())
    }
}

#[test]
fn turns_are_contracted_once_it_pays_off_and_tables_are_kept() {
    let (mut street, request) = (Street::new(), RoutingRequest::default());
    assert!(!street.is_prepared(&request, 0, [2, 2]));
    assert!(!street.is_prepared(&request, 0, [1, 5_000]), "how long a search takes is not known yet");
    assert!(street.is_prepared(&request, 0, [2, 5_000]), "that many are worth it");
    assert!(street.is_prepared(&request, 0, [0, 1]), "the same destinations again");
    assert!(!street.is_prepared(&request, 5, [2, 2]), "others");
}

#[test]
fn costs_that_do_not_change_times_share_a_contraction() {
    let (mut street, request) = (Street::new(), RoutingRequest::default());
    assert!(street.is_prepared(&request, 0, [2, 5_000]));
    for number in 0..10 {
        let other = RoutingRequest {
            walk_reluctance: 3.0 + f64::from(number),
            turn_reluctance: 2.0,
            stairs_reluctance: 4.0,
            car_speed: 10.0,
            bike_switch_time: 10,
            elevator_board_time: 20,
            epoch_seconds: 3600,
            ..request.clone()
        };
        assert!(street.is_prepared(&other, 0, [0, 1]), "{number}");
    }
    for max_slope in [0.05, 0.06, 0.07] {
        let wheelchair = RoutingRequest { wheelchair: true, max_slope, ..request.clone() };
        assert!(!street.is_prepared(&wheelchair, 0, [0, 1]));
        assert!(street.is_prepared(&request, 0, [0, 1]), "what is used often is kept");
    }
}

#[test]
fn matrices_search_on_after_a_contraction_was_interrupted() {
    let (mut street, request) = (Street::new(), RoutingRequest::default());
    assert!(street.search(&request, 0, [2, 5_000], &|| true).is_err());
    assert!(!street.is_prepared(&request, 0, [100, 2_700]), "would be worth it otherwise");
    assert!(street.is_prepared(&request, 0, [2, 5_000]));
}

#[test]
fn matrices_without_destinations_make_no_table() {
    let test = graph("A 0 0\nB 100 0");
    let (times, mut memory) = (DrivingTimes::default(), DrivingMemory::default());
    let costs = costs(StreetMode::Car);
    let rows = times.turns(&test.graph, &costs, &|| false).unwrap().unwrap().to(
        (&test.graph, &costs),
        Vec::new(),
        600,
        2,
    );
    for _ in 0..2 {
        assert_eq!(rows.row(&[], &mut memory, &|| false), Ok(Vec::new()));
    }
    assert!(!rows.is_prepared());
}

#[test]
fn who_waits_for_turns_can_be_interrupted() {
    let test = graph("A 0 0\nB 100 0\nA > B wbc");
    let (times, costs) = (DrivingTimes::default(), costs(StreetMode::Car));
    assert_eq!(times.turns(&test.graph, &costs, &|| true).err(), Some(Interrupted));
    // The first one goes on only after the second one has given up, or should have long ago.
    let ((begin, begun), (give_up, given_up)) = (channel(), channel());
    let long = Duration::from_secs(10);
    let turns = &|interrupted: &dyn Fn() -> bool| {
        times.turns(&test.graph, &costs, interrupted).map(|turns| turns.is_some())
    };
    let [first, second] = std::thread::scope(|scope| {
        let first = scope.spawn(move || {
            turns(&|| {
                _ = begin.send(());
                _ = given_up.recv_timeout(long);
                false
            })
        });
        begun.recv_timeout(long).unwrap();
        let second = turns(&|| true);
        _ = give_up.send(());
        [first.join().unwrap(), second]
    });
    assert_eq!([first, second], [Ok(true), Err(Interrupted)]);
}

#[test]
fn who_has_begun_to_make_turns_finishes_them() {
    let mut text = "V0 0 0\n".to_owned();
    for number in 1..=10_000 {
        text += &format!("V{number} {number} 0\nV{} > V{number} c\n", number - 1);
    }
    let (test, times, costs) = (graph(&text), DrivingTimes::default(), costs(StreetMode::Car));
    let looks = Cell::new(0);
    let interrupted = || looks.replace(looks.get() + 1) > 0;
    assert!(times.turns(&test.graph, &costs, &interrupted).is_ok_and(|turns| turns.is_some()));
    assert!(times.turns(&test.graph, &costs, &|| true).is_ok(), "those who come later have them at once");
}

#[test]
fn nodes_with_very_many_streets_have_no_graph_of_turns() {
    // Cars arrive at the hub over half of the streets, and may not leave it.
    let mut text = "HUB 0 0\n".to_owned();
    for number in 0..200 {
        text += &format!("V{number} {number} 100\n");
        text +=
            &if number % 2 == 0 { format!("V{number} > HUB c\n") } else { format!("HUB > V{number} w\n") };
    }
    let test = graph(&text);
    assert!(
        DrivingTimes::default().turns(&test.graph, &costs(StreetMode::Car), &|| false).unwrap().is_none()
    );
}

#[test]
fn endless_streets_after_turns_that_are_permitted_at_times_overflow_nothing() {
    let test = graph("A 0 0\nB 100 0\nC 200 0\nD 300 0\nA > B c\nB > C c speed=1e-30\nC > D c\nno A B C");
    let mut street = Street { test, times: DrivingTimes::default(), memory: DrivingMemory::default() };
    let mut restrictions = street.test.graph.restrictions.to_vec();
    restrictions[0].time_to = 60;
    street.test.graph.restrictions = restrictions.into();
    let request = RoutingRequest { epoch_seconds: 12 * 3600, ..RoutingRequest::default() };
    let costs = StreetCosts::from_request(&request, 0).for_mode(StreetMode::Car);
    let graph = &street.test.graph;
    let turns = street.times.turns(graph, &costs, &|| false).unwrap().unwrap();
    let ends = ["A", "B", "C", "D"].map(|name| [Some((street.test.vertex(name), 0)), None]).to_vec();
    let rows = turns.to((graph, &costs), ends, 86_400, 10_000_000);
    let start = TreeStart { vertex: street.test.vertex("A"), seconds: 0, weight: 0.0, walk_distance: 0.0 };
    for _ in 0..2 {
        assert_eq!(rows.row(&[start], &mut street.memory, &|| false), Ok(vec![0, 9, i32::MAX, i32::MAX]));
    }
    assert!(rows.is_prepared());
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
    let turns = times.turns(&test.graph, &costs, &|| false).unwrap().unwrap();
    let ends = vec![[Some((to, 0)), None]];
    let rows = turns.to((&test.graph, &costs), ends, 600, 1);
    let row = rows.row(&[start], &mut memory, &|| false).unwrap();
    assert_eq!(Some(row[0] + 1), by_vertex);
}
