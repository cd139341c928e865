use super::*;
use crate::cost::StreetLimits;
use crate::graph::Edge;
use crate::link::EdgeSplit;
use crate::nearest_vertices::nearest_vertices;
use crate::search::label::Labels;
use crate::search::{LinkedBikeStations, TreeStart};
use crate::testing::{at, graph};
use trestle_model::Direction;
use trestle_model::ids::{EdgeIdx, VertexIdx};

#[test]
fn walks_the_short_way_and_counts_whole_seconds_per_edge() {
    let test = graph(
        "A 0 0
         B 133 0
         C 133 133
         A - B w
         B - C w",
    );
    // 100 s per edge and 90°/20/1.33 = 3.4 s for the corner, each rounded up.
    let expected = "B C 204s".to_owned();
    let walk = costs(StreetMode::Walk);
    let [forward, backward] = both_ways(&test, &walk, "A", "C");
    assert_eq!((forward, backward), (expected.clone(), expected));
}

#[test]
fn places_within_a_street_use_parts_of_it() {
    let test = graph(
        "A 0 0
         B 100 0
         C 100 100
         A - B w
         B - C w",
    );
    let walk = costs(StreetMode::Walk);
    let [origin, destination] = [at(40.0, 5.0), at(103.0, 50.0)].map(|p| link(&test, p, StreetMode::Walk));
    let query = StreetQuery::new(&test.graph, &walk);
    let path = StreetSearch::new().route(&query, &origin, &destination, Direction::Forward).unwrap().unwrap();
    assert_eq!(line(&test, &path), "B * 88s");
    let lengths: Vec<i32> = path.traversals.iter().map(|t| t.length_m.round() as i32).collect();
    assert_eq!(lengths, [60, 50]);
    assert!((path.traversals[0].from_fraction - 0.4).abs() < 1e-3 && path.traversals[0].to_fraction == 1.0);
    assert_eq!(origin.splits.len(), 2, "both directions are cut");
}

#[test]
fn two_points_of_one_street_share_an_edge() {
    let test = graph("A 0 0\nB 100 0\nC 200 0\nA - B w\nB - C w");
    let [a, b, c] = [20.0, 80.0, 120.0].map(|x| link(&test, at(x, 3.0), StreetMode::Walk));
    assert!(a.shares_edge_with(&b) && !a.shares_edge_with(&c));
}

/// The street leads nowhere, so its other end can only be reached along it.
#[test]
fn two_places_on_one_street_are_joined_along_it() {
    let test = graph("A 0 0\nB 1000 0\nA - B wbc");
    let [near_a, near_b] = [100.0, 900.0].map(|x| link(&test, at(x, 3.0), StreetMode::Walk));
    for street_mode in [StreetMode::Walk, StreetMode::Bicycle, StreetMode::Car] {
        let costs = costs(street_mode);
        let query = StreetQuery::new(&test.graph, &costs);
        for ends in [[&near_a, &near_b], [&near_b, &near_a]] {
            for direction in [Direction::Forward, Direction::Backward] {
                let path = StreetSearch::new().route(&query, ends[0], ends[1], direction).unwrap().unwrap();
                let [street] = &path.traversals[..] else { panic!("{street_mode:?}: {path:?}") };
                assert_eq!(street.length_m.round(), 800.0, "{street_mode:?} {direction:?}");
                assert!((street.to_fraction - street.from_fraction - 0.8).abs() < 1e-3, "{street:?}");
            }
        }
    }
}

#[test]
fn drivers_do_not_go_back_along_a_one_way_street() {
    let test = graph("A 0 0\nB 1000 0\nA > B c");
    let [near_a, near_b] = [100.0, 900.0].map(|x| link(&test, at(x, 3.0), StreetMode::Car));
    let costs = costs(StreetMode::Car);
    let query = StreetQuery::new(&test.graph, &costs);
    for direction in [Direction::Forward, Direction::Backward] {
        let length = |from, to| {
            let path = StreetSearch::new().route(&query, from, to, direction).unwrap()?;
            Some(path.traversals.iter().map(|t| t.length_m).sum::<f64>().round())
        };
        assert_eq!(
            [length(&near_a, &near_b), length(&near_b, &near_a)],
            [Some(800.0), None],
            "{direction:?}"
        );
    }
}

#[test]
fn nothing_is_linked_beyond_a_kilometre() {
    let test = graph("A 0 0\nB 100 0\nA - B w");
    assert!(
        LinkedPlace::at_coordinate(&test.graph, at(50.0, 990.0), LinkMode::Walk, LinkEnd::Start).is_some()
    );
    assert!(
        LinkedPlace::at_coordinate(&test.graph, at(50.0, 1010.0), LinkMode::Walk, LinkEnd::Start).is_none()
    );
    assert!(LinkedPlace::at_coordinate(&test.graph, at(50.0, 10.0), LinkMode::Car, LinkEnd::Start).is_none());
}

#[test]
fn no_street_is_found_far_away_or_off_the_earth() {
    let test = graph("A 0 0\nB 100 0\nA - B w");
    let far = [
        (-89.999_999_9, 0.0),
        (90.0, 180.0),
        (95.0, 0.0),
        (1e9, -1e9),
        (f64::NAN, 0.0),
        (0.0, f64::INFINITY),
    ];
    for (lat, lon) in far {
        let place = LatLon::new(lat, lon);
        assert!(
            LinkedPlace::at_coordinate(&test.graph, place, LinkMode::Walk, LinkEnd::Start).is_none(),
            "{place:?}"
        );
        assert!(nearest_vertices(&test.graph, place, 3).is_empty(), "{place:?}");
    }
}

/// The second street between A and B is longer. One place is on it 20 m from B, the other on the first, 30 m from B.
#[test]
fn places_on_two_streets_between_the_same_vertices_are_joined_over_their_end() {
    let mut test = graph("A 0 0\nB 100 0\nA - B wbc\nA - B wbc");
    let lengths = [100_000, 300_000];
    let longer = |(number, edge): (usize, Edge)| Edge { length_mm: lengths[number % 2], ..edge };
    let edges: Vec<Edge> = test.graph.edges().enumerate().map(longer).collect();
    test.graph.set_edges(edges.iter().copied());
    let place = |street: u32, from_a: u32| {
        let rest = lengths[street as usize] - from_a;
        let split = |edge, before_mm, after_mm| {
            let fraction = f64::from(before_mm) / f64::from(before_mm + after_mm);
            EdgeSplit { edge: EdgeIdx(edge), fraction, before_mm, after_mm, at: at(100.0 * fraction, 0.0) }
        };
        let splits = vec![split(street, from_a, rest), split(street + 2, rest, from_a)];
        let snapped = at(100.0 * splits[0].fraction, 0.0);
        LinkedPlace { splits, snapped, ..LinkedPlace::default() }
    };
    let metres = |street_mode, [from, to]: [&LinkedPlace; 2]| {
        let costs = costs(street_mode);
        let query = StreetQuery::new(&test.graph, &costs);
        [Direction::Forward, Direction::Backward].map(|direction| {
            let path = StreetSearch::new().route(&query, from, to, direction).unwrap()?;
            Some(path.traversals.iter().map(|t| t.length_m).sum::<f64>().round())
        })
    };
    let [first, second, near_a] = [place(0, 70_000), place(1, 280_000), place(1, 10_000)];
    for street_mode in [StreetMode::Walk, StreetMode::Bicycle] {
        assert_eq!(metres(street_mode, [&second, &first]), [Some(50.0); 2], "{street_mode:?}");
        assert_eq!(metres(street_mode, [&second, &near_a]), [Some(130.0); 2], "{street_mode:?}");
    }
    assert_eq!(metres(StreetMode::Car, [&second, &first]), [None; 2], "a U-turn to the other carriageway");
}

#[test]
fn cars_keep_turn_restrictions_and_pedestrians_do_not() {
    let test = graph(
        "A 0 0
         B 100 0
         C 100 100
         D 200 0
         E 200 100
         A - B wc
         B - C wc
         B - D wc
         D - E wc
         E - C wc
         no A B C",
    );
    assert_eq!(both_ways(&test, &costs(StreetMode::Car), "A", "C")[0], "B D E C 57s");
    assert_eq!(both_ways(&test, &costs(StreetMode::Car), "A", "C")[1], "B D E C 57s");
    assert_eq!(both_ways(&test, &costs(StreetMode::Walk), "A", "C")[0], "B C 156s");
}

#[test]
fn only_turns_forbid_all_others_and_there_are_no_u_turns() {
    let test = graph(
        "A 0 0
         B 100 0
         C 100 100
         D 200 0
         A - B c
         B - C c
         B - D c
         only A B D",
    );
    let [forward, backward] = both_ways(&test, &costs(StreetMode::Car), "A", "C");
    assert_eq!((forward.as_str(), backward.as_str()), ("none", "none"));
}

#[test]
fn private_streets_are_not_a_short_cut() {
    let test = graph(
        "A 0 0
         B 100 0
         C 200 0
         D 300 0
         U 150 400
         A - B w
         B - C w private
         C - D w
         B - U w
         U - C w",
    );
    let walk = costs(StreetMode::Walk);
    assert!(both_ways(&test, &walk, "A", "D")[0].starts_with("B U C D"));
    let inside = link(&test, at(150.0, 2.0), StreetMode::Walk);
    let origin = LinkedPlace::at_vertex(&test.graph, test.vertex("A"));
    let query = StreetQuery::new(&test.graph, &walk);
    let path = StreetSearch::new().route(&query, &origin, &inside, Direction::Forward).unwrap();
    assert_eq!(path.map(|p| p.traversals.len()), Some(2));
}

#[test]
fn lights_stop_cars_only() {
    let test = graph(
        "A 0 0
         B 112 0 light
         C 224 0
         A - B bc
         B - C bc",
    );
    assert_eq!(both_ways(&test, &costs(StreetMode::Car), "A", "C")[0], "B C 35s");
    assert_eq!(both_ways(&test, &costs(StreetMode::Bicycle), "A", "C")[0], "B C 46s");
}

#[test]
fn wheelchairs_avoid_slopes() {
    let test = graph(
        "A 0 0
         B 100 0
         C 50 200
         A - B w slope=0.1
         A - C w
         C - B w",
    );
    let request = RoutingRequest { wheelchair: true, ..RoutingRequest::default() };
    let wheelchair = StreetCosts::from_request(&request, 0);
    assert!(both_ways(&test, &wheelchair, "A", "B")[0].starts_with("C B"));
    assert!(both_ways(&test, &costs(StreetMode::Walk), "A", "B")[0].starts_with("B "));
}

#[test]
fn the_walking_limit_is_hard_or_soft() {
    let test = graph(
        "A 0 0
         B 400 0
         C 900 0
         A - B w
         B - C w
         stop 0 B
         stop 1 C",
    );
    let walk = costs(StreetMode::Walk);
    let place = LinkedPlace::at_vertex(&test.graph, test.vertex("A"));
    let limited = |max_cost_beyond: f64| {
        let limits = StreetLimits { max_walk_distance: 800.0, max_cost_beyond, ..StreetLimits::default() };
        let query = StreetQuery { limits, ..StreetQuery::new(&test.graph, &walk) };
        let mut search = StreetSearch::new();
        search.nearby_stops(&query, &place, Direction::Forward, &|_| 1).unwrap().stops().to_vec()
    };
    let hard: Vec<u32> = limited(0.0).iter().map(|r| r.stop).collect();
    assert_eq!(hard, [0]);
    let soft = limited(f64::INFINITY);
    let beyond = soft[1].weight - 2.0 * 900.0 / 1.33 - 60.0 - 5.0 * 100.0 - 1.0;
    assert_eq!(limited(1800.0), soft[..1], "the second stop costs 1,915");
    assert_eq!(limited(2000.0), soft);
    assert!((soft[1].stop, soft[1].seconds) == (1, 301 + 376 + 1) && beyond.abs() < 0.1, "{soft:?}");
}

/// Vertices in a row, with a street between neighbours except before those in `gaps`.
fn row(vertices: u32, gaps: &[u32]) -> String {
    let positions = (0..vertices).map(|i| format!("v{i} {i} 0\n"));
    let joined = (1..vertices).filter(|i| !gaps.contains(i));
    positions.chain(joined.map(|i| format!("v{} - v{i} w\n", i - 1))).collect()
}

#[test]
fn interruption_is_reported() {
    let test = graph(&row(3000, &[]));
    let walk = costs(StreetMode::Walk);
    let query = StreetQuery { interrupted: &|| true, ..StreetQuery::new(&test.graph, &walk) };
    let [a, b] = ["v0", "v2999"].map(|n| LinkedPlace::at_vertex(&test.graph, test.vertex(n)));
    assert!(StreetSearch::new().route(&query, &a, &b, Direction::Forward).is_err());
}

#[test]
fn islands_are_not_reached_and_do_not_hide_real_paths() {
    let test = graph(&(row(600, &[300]) + "v310 > v290 w"));
    let walk = costs(StreetMode::Walk);
    assert_eq!(both_ways(&test, &walk, "v0", "v599"), ["none", "none"]);
    assert!(both_ways(&test, &walk, "v599", "v0").iter().all(|path| path.contains("v310 v290")));
}

/// Whether the search from the first vertex to the last of a network says that there is no path before it first looks at
/// its deadline, which it does after some thousand labels.
fn is_seen_at_once(text: &str, stations: Option<&LinkedBikeStations>) -> bool {
    let test = graph(text);
    let walk = costs(StreetMode::Walk);
    let query = StreetQuery { stations, interrupted: &|| true, ..StreetQuery::new(&test.graph, &walk) };
    let [first, last] = ["v0", "v2999"].map(|name| LinkedPlace::at_vertex(&test.graph, test.vertex(name)));
    let found = StreetSearch::new().route(&query, &first, &last, Direction::Forward);
    matches!(found, Ok(None))
}

/// Streets from v0 to v2999 with those before v2990 and v2991 as given.
fn long_way(gap: &str) -> String {
    row(3000, &[2990, 2991]) + gap
}

#[test]
fn a_destination_that_is_cut_off_is_not_searched() {
    let stations = LinkedBikeStations::default();
    let closed = long_way("v2989 - v2990 w private\nv2990 - v2991 w private\n");
    for stations in [None, Some(&stations)] {
        assert!(is_seen_at_once(&long_way(""), stations), "an island");
        assert!(is_seen_at_once(&closed, stations), "behind streets that are closed to through traffic");
        assert!(!is_seen_at_once(&long_way("v2989 - v2990 w\nv2990 - v2991 w\n"), stations), "a way in");
    }
}

#[test]
fn walks_to_everywhere_pass_dead_ends_by_unless_a_stop_is_there() {
    let test = graph(
        "A 0 0
         B 133 0
         C 266 0
         D 133 133
         stop 0 D
         A - B w
         B - C w
         B - D w",
    );
    let walk = costs(StreetMode::Walk);
    let query = StreetQuery::new(&test.graph, &walk);
    let start = TreeStart { vertex: test.vertex("A"), seconds: 0, weight: 0.0, walk_distance: 0.0 };
    let mut search = StreetSearch::new();
    let mut stepwise = search.stepwise_search(&query, Direction::Forward);
    stepwise.start(std::iter::once(start), 0);
    let mut settled = Vec::new();
    stepwise.search_until(3600, |to| settled.push(test.name(VertexIdx(to.vertex)))).unwrap();
    assert_eq!(settled.concat(), "ABD");
    let expected = [("A", 0), ("B", 100), ("C", 200), ("D", 204)];
    let times = stepwise.finish();
    for (name, seconds) in expected {
        assert_eq!(times.seconds(test.vertex(name)), Some(seconds), "{name}");
    }

    search.walk_times(&query, &[TreeStart { seconds: 50, ..start }], Direction::Forward).unwrap();
    let earlier = search.continue_below(&query, &[start], |_| u32::MAX, Direction::Forward).unwrap();
    let mut improved: Vec<_> = earlier.improved().map(|(to, seconds)| (test.name(to), seconds)).collect();
    improved.sort();
    assert_eq!(improved, expected.map(|(name, seconds)| (name.to_owned(), seconds)));
}

/// C is reached over D only, from where it takes too long.
#[test]
fn the_other_end_is_tried_where_the_time_limit_allows_the_straight_line() {
    for (metres, is_tried) in [(70, true), (1000, false)] {
        let test = graph(&format!("A 0 0\nB 10 0\nD 10 2000\nC {metres} 0\nA - B w\nB - D w\nD - C w"));
        let walk = costs(StreetMode::Walk);
        let limits = StreetLimits { max_seconds: 60, ..StreetLimits::default() };
        let query = StreetQuery { limits, ..StreetQuery::new(&test.graph, &walk) };
        let [origin, destination] =
            ["A", "C"].map(|name| LinkedPlace::at_vertex(&test.graph, test.vertex(name)));
        let mut search = StreetSearch::new();
        let found = search.route_from_either_end(&query, &origin, &destination, Direction::Forward);
        assert!(found.unwrap().is_none());
        // The labels are those of the last search.
        let is_from_destination = search.labels.get(test.vertex("B").0).is_none();
        assert_eq!(is_from_destination, is_tried, "{metres} m");
    }
}
