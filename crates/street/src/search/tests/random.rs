//! Random towns: the goal-directed search, the plain one, and the search against the travel agree.

use proptest::prelude::*;
use trestle_model::request::Optimize;
use trestle_model::{Backward, Direction, Forward};

use super::*;
use crate::search::label::Label;
use crate::search::tree::Starts;
use crate::search::{Objective, StreetTree, TreeStart};
use crate::testing::{TestGraph, graph};

/// A grid town of 5 × 5 corners with some streets left out, some one-way, some with stairs.
fn town(choices: &[u8], without_turns: bool) -> TestGraph {
    graph(&town_text(choices, without_turns))
}

/// The town with a third of its streets closed to through traffic.
fn private_town(choices: &[u8]) -> TestGraph {
    graph(&private_town_text(choices))
}

pub(super) fn private_town_text(choices: &[u8]) -> String {
    let text = town_text(choices, false);
    let close = |(i, line): (usize, &str)| match line.contains("wbc") && choices[i].is_multiple_of(3) {
        true => format!("{line} private\n"),
        false => format!("{line}\n"),
    };
    text.lines().enumerate().map(close).collect()
}

fn town_text(choices: &[u8], without_turns: bool) -> String {
    let mut text = String::new();
    for i in 0..25 {
        let jitter = f64::from(choices[i as usize] % 40);
        let split = if without_turns { "split" } else { "" };
        text += &format!("v{i} {} {} {split}\n", f64::from(i % 5) * 100.0 + jitter, f64::from(i / 5) * 100.0);
    }
    let mut streets = (0..25).flat_map(|i| {
        let right = (i % 5 < 4).then_some((i, i + 1));
        right.into_iter().chain((i < 20).then_some((i, i + 5)))
    });
    for choice in choices[25..].iter() {
        let Some((a, b)) = streets.next() else { break };
        let (a, b) = if choice & 64 == 0 { (a, b) } else { (b, a) };
        text += &match choice % 16 {
            0 => continue,
            1 => format!("v{a} > v{b} wbc\n"),
            2 => format!("v{a} - v{b} w steps\n"),
            3 => format!("v{a} - v{b} wbc speed=30\n"),
            4 => format!("v{a} - v{b} w\n"),
            5 => format!("v{a} - v{b} wbc safety=2.06\n"),
            _ => format!("v{a} - v{b} wbc\n"),
        };
    }
    text
}

pub(super) fn choices() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 65)
}

const STREET_MODES: [StreetMode; 3] = [StreetMode::Walk, StreetMode::Bicycle, StreetMode::Car];

const OPTIMIZATIONS: [Optimize; 4] =
    [Optimize::Safe, Optimize::Flat, Optimize::Greenways, Optimize::Triangle];

fn cycling(optimize: Optimize) -> StreetCosts {
    let request = RoutingRequest {
        optimize,
        triangle_time: 0.2,
        triangle_slope: 0.3,
        triangle_safety: 0.5,
        ..RoutingRequest::default()
    };
    StreetCosts::from_request(&request, 0).for_mode(StreetMode::Bicycle)
}

fn start(vertex: u32, seconds: i32) -> TreeStart {
    let vertex = trestle_model::ids::VertexIdx(vertex);
    TreeStart { vertex, seconds, weight: 0.0, walk_distance: 0.0 }
}

/// Whether two arrivals are equally early, or neither exists. They may differ by a turn, because only one of several
/// equally early paths to a vertex is kept.
fn are_as_early(found: Option<u32>, expected: Option<u32>) -> bool {
    let difference = found.zip(expected).map(|(found, expected)| found.abs_diff(expected));
    found.is_some() == expected.is_some() && difference.is_none_or(|seconds| seconds <= 7)
}

/// Whether two searches have kept different paths of the same cost to a vertex: each keeps the one that it finds first,
/// and the turns after them may differ.
fn keep_different_paths(a: &StreetSearch, b: &StreetSearch) -> bool {
    let label =
        |search: &StreetSearch, vertex| search.labels.known(vertex).map(|label| (label.weight, label.last()));
    (0..25).any(|vertex| {
        let found = label(a, vertex).zip(label(b, vertex));
        found.is_some_and(|((cost, last), (other_cost, other_last))| {
            (cost - other_cost).abs() < 1e-6 && (last.far, last.angle) != (other_last.far, other_last.angle)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn goal_direction_changes_nothing(choices in choices(), from in 0..25u32, to in 0..25u32) {
        let test = town(&choices, false);
        for costs in STREET_MODES.map(costs).into_iter().chain(OPTIMIZATIONS.map(cycling)) {
            let query = StreetQuery::new(&test.graph, &costs);
            let [a, b] = [from, to].map(|v| LinkedPlace::at_vertex(&test.graph, trestle_model::ids::VertexIdx(v)));
            let (mut directed, mut everywhere) = (StreetSearch::new(), StreetSearch::new());
            let routed = directed.route(&query, &a, &b, Direction::Forward).unwrap();
            let tree = everywhere.tree_from_place(&query, &a, Direction::Forward).unwrap();
            let reached = tree.get(trestle_model::ids::VertexIdx(to));
            prop_assert_eq!(routed.is_some(), reached.is_some());
            if let (Some(path), Some(reached)) = (routed, reached) {
                let difference = (path.weight - reached.weight).abs();
                let is_turn = difference <= 7.0 && keep_different_paths(&directed, &everywhere);
                prop_assert!(difference < 1e-6 || is_turn, "{} {}", path.weight, reached.weight);
            }
        }
    }

    #[test]
    fn what_is_cut_off_has_no_path(choices in choices(), from in 0..25u32, to in 0..25u32) {
        let test = private_town(&choices);
        for costs in STREET_MODES.map(costs) {
            let query = StreetQuery::new(&test.graph, &costs);
            let [a, b] = [from, to].map(|v| LinkedPlace::at_vertex(&test.graph, trestle_model::ids::VertexIdx(v)));
            let mut search = StreetSearch::new();
            for (direction, start, end) in [(Direction::Forward, &a, to), (Direction::Backward, &b, from)] {
                let routed = search.route(&query, &a, &b, direction).unwrap();
                let tree = search.tree_from_place(&query, start, direction).unwrap();
                let reached = tree.get(trestle_model::ids::VertexIdx(end));
                prop_assert_eq!(routed.is_some(), reached.is_some());
            }
        }
    }

    #[test]
    fn without_turn_costs_arriving_mirrors_departing(choices in choices(), from in 0..25u32, to in 0..25u32) {
        let test = town(&choices, true);
        for street_mode in STREET_MODES {
            let [forward, backward] = both_ways(&test, &costs(street_mode), &format!("v{from}"), &format!("v{to}"));
            let seconds = |line: &str| line.rsplit(' ').next().map(str::to_owned);
            prop_assert_eq!(seconds(&forward), seconds(&backward));
        }
    }

    #[test]
    fn many_starts_are_the_best_of_each(choices in choices(), a in 0..25u32, b in 0..25u32, late in 0..300i32) {
        let test = town(&choices, false);
        let costs = costs(StreetMode::Walk);
        let query = StreetQuery { objective: Objective::Time, ..StreetQuery::new(&test.graph, &costs) };
        let starts = [start(a, 0), start(b, late)];
        let mut search = StreetSearch::new();
        let mut times = |starts: &[TreeStart]| -> Vec<Option<i32>> {
            let tree = search.tree(&query, starts, Direction::Forward).unwrap();
            (0..25).map(|v| tree.get(trestle_model::ids::VertexIdx(v)).map(|r| r.seconds)).collect()
        };
        let (first, second, both) = (times(&starts[..1]), times(&starts[1..]), times(&starts));
        let mut growing = search.growing_tree(query, Direction::Forward);
        starts.iter().for_each(|&start| growing.grow(&[start], |_| {}).unwrap());
        let grown = growing.finish();
        for v in 0..25 {
            let best = [first[v], second[v]].into_iter().flatten().min();
            let is_best = |found: Option<i32>| {
                found.zip(best).is_some_and(|(b, e)| (b - e).abs() <= 7) || found == best
            };
            prop_assert!(is_best(both[v]));
            let label = grown.get(trestle_model::ids::VertexIdx(v as u32));
            prop_assert!(is_best(label.map(|label| label.seconds)));
            // The starts of both calls are numbered together.
            let from_second = second[v].zip(first[v]).is_some_and(|(second, first)| second + 7 < first);
            prop_assert!(!from_second || label.is_some_and(|label| label.start == 1));
        }
    }

    #[test]
    fn walking_times_are_those_of_the_general_search(
        choices in choices(), a in 0..25u32, b in 0..25u32, late in 0..300i32, limit in 200..2000i32,
    ) {
        let test = town(&choices, true);
        let costs = costs(StreetMode::Walk);
        let mut query = StreetQuery { objective: Objective::Time, ..StreetQuery::new(&test.graph, &costs) };
        query.limits.max_seconds = limit;
        let starts = [start(a, 0), start(b, late)];
        for direction in [Direction::Forward, Direction::Backward] {
            let (mut general, mut special) = (StreetSearch::new(), StreetSearch::new());
            let tree = general.tree(&query, &starts, direction).unwrap();
            let times = special.walk_times(&query, &starts, direction).unwrap();
            for v in (0..25).map(trestle_model::ids::VertexIdx) {
                prop_assert_eq!(tree.get(v).map(|r| r.seconds as u32), times.seconds(v));
            }
        }
    }

    #[test]
    fn trees_between_vertices_are_those_of_the_general_search(
        choices in choices(), a in 0..25u32, b in 0..25u32, late in 0..300i32, limit in 200..2000i32, metres in 100..900u32,
    ) {
        let test = town(&choices, false);
        let starts = [(a, 0), (b, late)].map(|(v, seconds)| TreeStart {
            vertex: trestle_model::ids::VertexIdx(v),
            seconds,
            weight: f64::from(seconds),
            walk_distance: f64::from(seconds / 10),
        });
        let objectives = |mode| [(mode, Objective::Cost), (mode, Objective::Time)];
        for (street_mode, objective) in STREET_MODES.into_iter().flat_map(objectives) {
            let costs = costs(street_mode);
            let mut query = StreetQuery { objective, ..StreetQuery::new(&test.graph, &costs) };
            query.limits.max_seconds = limit;
            query.limits.max_walk_distance = f64::from(metres);
            query.limits.max_cost_beyond = [f64::INFINITY, 0.0, 1500.0][late as usize % 3];
            for direction in [Direction::Forward, Direction::Backward] {
                let (mut general, mut special) = (StreetSearch::new(), StreetSearch::new());
                let expected = match direction {
                    Direction::Forward => general.tree_in::<Forward>(&query, (&starts, Starts::Anywhere), false),
                    Direction::Backward => general.tree_in::<Backward>(&query, (&starts, Starts::Anywhere), false),
                }.unwrap();
                let found = special.tree(&query, &starts, direction).unwrap();
                for v in (0..25).map(trestle_model::ids::VertexIdx) {
                    prop_assert_eq!(expected.get(v), found.get(v));
                }
                let sorted = |tree: &StreetTree<'_>| {
                    let mut vertices: Vec<u32> = tree.iter().map(|(vertex, _)| vertex.0).collect();
                    vertices.sort_unstable();
                    vertices
                };
                let reached: Vec<u32> = (0..25).filter(|&v| found.get(trestle_model::ids::VertexIdx(v)).is_some()).collect();
                prop_assert_eq!(sorted(&expected), &*reached);
                prop_assert_eq!(sorted(&found), &*reached);
            }
        }
    }

    #[test]
    fn adding_starts_later_finds_the_same_as_all_starts_at_once(choices in choices(), a in 0..25u32, b in 0..25u32) {
        let test = town(&choices, true);
        let costs = costs(StreetMode::Walk);
        let query = StreetQuery::new(&test.graph, &costs);
        let (mut at_once, mut in_turn) = (StreetSearch::new(), StreetSearch::new());
        let starts = [start(a, 0), start(b, 5)];
        let expected = at_once.walk_times(&query, &starts, Direction::Forward).unwrap();
        in_turn.walk_times(&query, &starts[..1], Direction::Forward).unwrap();
        let found = in_turn.continue_below(&query, &starts[1..], |_| u32::MAX, Direction::Forward).unwrap();
        for v in (0..25).map(trestle_model::ids::VertexIdx) {
            let (found, expected) = (found.get(v), expected.get(v));
            let as_early = are_as_early(found.map(|to| to.seconds), expected.map(|to| to.seconds));
            prop_assert!(as_early, "{found:?} {expected:?}");
        }
        let begun = found.get(trestle_model::ids::VertexIdx(a)).map(|to| (to.seconds, to.start));
        prop_assert_eq!(begun, Some((0, 0)));
    }

    #[test]
    fn stepwise_searches_arrive_as_early_as_others(
        choices in choices(), a in 0..25u32, b in 0..25u32, late in 0..300i32, ahead in 0..300i32,
    ) {
        let test = town(&choices, true);
        let costs = costs(StreetMode::Walk);
        let query = StreetQuery::new(&test.graph, &costs);
        let (mut at_once, mut stepwise) = (StreetSearch::new(), StreetSearch::new());
        let expected = at_once.walk_times(&query, &[start(a, 0), start(b, late)], Direction::Forward).unwrap();
        let ahead = [0, ahead.min(late)];
        let mut search = stepwise.stepwise_search(&query, Direction::Forward);
        let mut due = Vec::new();
        search.start(std::iter::once(start(a, 0)), ahead[0]);
        for second in 0..3600 {
            if second == late - ahead[1] {
                search.start(std::iter::once(start(b, late)), ahead[1]);
            }
            search.search_until(second, |to| due.push(to.seconds as i32 - ahead[to.start])).unwrap();
        }
        prop_assert!(due.is_sorted());
        let found = search.finish();
        for v in (0..25).map(trestle_model::ids::VertexIdx) {
            let (found, expected) = (found.seconds(v), expected.seconds(v));
            prop_assert!(are_as_early(found, expected), "{found:?} {expected:?}");
        }
    }
}
