//! Transfers: rules of transfers.txt, staying seated, pathways, slacks and penalties.

use trestle_engine::build::BuildOptions;
use trestle_model::Mode;
use trestle_model::PlanErrorCode;
use trestle_model::RoutingRequest;

use super::town::{Town, options};

/// From A to B, and on from B with two connections to D: the first at once, the second ten minutes later.
const CHANGE: &str = "
    stop A 41.0 -8.00
    stop B 41.1 -8.00
    stop D 41.2 -8.00
    route R 3 route_short_name=R
    route S 3 route_short_name=S
    service WK 20240101 20241231 1111111
    trip T R WK : A 8:00:00, B 8:10:00
    trip U S WK : B 8:11:00, D 8:20:00
    trip V S WK : B 8:21:00, D 8:30:00
";

fn town(extra: &str) -> Town {
    Town::new("", &format!("{CHANGE}{extra}"))
}

fn rules(rows: &str) -> Town {
    town(&format!(
        "table transfers.txt\n from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type,min_transfer_time\n {rows}\n"
    ))
}

/// Trips used from A to D.
fn trips(town: &Town, change: impl FnOnce(&mut RoutingRequest)) -> String {
    trips_of(town, "A -> D at 7:55", change)
}

/// Trips used by the first itinerary.
fn trips_of(town: &Town, question: &str, change: impl FnOnce(&mut RoutingRequest)) -> String {
    match town.itineraries(question, change) {
        Ok(plans) => {
            let legs = plans[0].legs.iter().filter_map(|leg| leg.transit.as_ref());
            legs.map(|t| t.trip_id.trim_start_matches("1:").to_owned()).collect::<Vec<_>>().join(" ")
        }
        Err(code) => format!("{code:?}"),
    }
}

fn cost(town: &Town, change: impl FnOnce(&mut RoutingRequest)) -> f64 {
    town.itineraries("A -> D at 7:55", change).unwrap()[0].generalized_cost
}

#[test]
fn slacks_and_penalties() {
    let town = town("");
    assert_eq!(trips(&town, |_| {}), "T U");
    assert_eq!(trips(&town, |r| r.transfer_slack = 90), "T V");
    assert_eq!(cost(&town, |r| r.transfer_penalty = 40) - cost(&town, |_| {}), 40.0);
    assert_eq!(cost(&town, |r| r.wait_reluctance = 2.0) - cost(&town, |_| {}), 60.0);
    assert_eq!(trips(&town, |r| r.max_transfers = 0), "PathNotFound");
    let slack = |board, alight, transfer| {
        move |r: &mut RoutingRequest| {
            (r.board_slack, r.alight_slack, r.transfer_slack) = (board, alight, transfer)
        }
    };
    assert_eq!(trips(&town, slack(30, 30, 60)), "T U");
    let late = town.plan("A -> B at 7:55", slack(240, 100, 340));
    assert_eq!(late, "7:56 bus T A 8:00 - B 8:10, 8:11:40");
    assert_eq!(town.itineraries("A -> D at 7:55", slack(30, 30, 50)), Err(PlanErrorCode::SystemError));
}

#[test]
fn more_transfers_only_where_there_is_no_trip_with_few() {
    let none_then =
        |more| move |r: &mut RoutingRequest| (r.max_transfers, r.max_transfers_if_no_path) = (0, Some(more));
    assert_eq!(trips(&town(""), none_then(1)), "T U");
    assert_eq!(trips(&town(""), none_then(0)), "PathNotFound");
    let slow = town("trip W S WK : A 8:00:00, D 9:00:00");
    assert_eq!(trips(&slow, |_| {}), "T U");
    assert_eq!(trips(&slow, none_then(1)), "W");
}

/// Five vehicles from A to F, on one day only.
const FIVE_VEHICLES: &str = "
    stop A 41.0 -8.00
    stop B 41.1 -8.00
    stop C 41.2 -8.00
    stop D 41.3 -8.00
    stop E 41.4 -8.00
    stop F 41.5 -8.00
    route R 3 route_short_name=R
    service DAY 20240103 20240103 1111111
    trip 1 R DAY : A 8:00:00, B 8:10:00
    trip 2 R DAY : B 8:11:00, C 8:20:00
    trip 3 R DAY : C 8:21:00, D 8:30:00
    trip 4 R DAY : D 8:31:00, E 8:40:00
    trip 5 R DAY : E 8:41:00, F 8:50:00
";

#[test]
fn one_transfer_more_than_necessary_or_two_instead_of_a_long_wait() {
    let trips = |extra: &str, more| {
        let town = Town::new("", &format!("{FIVE_VEHICLES}{extra}"));
        let none_then =
            |r: &mut RoutingRequest| (r.max_transfers, r.max_transfers_if_no_path) = (0, Some(more));
        trips_of(&town, "A -> F at 7:55", none_then)
    };
    let soon = "trip L R DAY : B 8:30:00, F 9:30:00\n";
    assert_eq!(trips(soon, 8), "1 L", "five vehicles cost less, but are not tried");
    let faster = "trip M R DAY : B 8:11:00, D 8:30:00\n trip N R DAY : D 8:31:00, F 8:50:00\n";
    assert_eq!(trips(&format!("{soon}{faster}"), 8), "1 M N");
    let in_the_evening = "trip L R DAY : B 20:00:00, F 21:00:00\n";
    let four = "trip M R DAY : B 8:11:00, D 8:30:00\n";
    assert_eq!(trips(&format!("{in_the_evening}{four}"), 8), "1 M 4 5");
    assert_eq!(trips(&format!("{in_the_evening}{four}"), 2), "1 L");
    assert_eq!(trips(in_the_evening, 8), "1 L");
    let gone = "trip L R DAY : B 7:00:00, F 8:00:00\n";
    assert_eq!(trips(gone, 8), "1 2 3 4 5");
    assert_eq!(trips(gone, 3), "PathNotFound");
}

#[test]
fn seconds_of_boarding_and_alighting_by_mode() {
    let town = town("");
    let bus = trestle_model::Mode::Bus as usize;
    assert_eq!(trips(&town, |r| r.board_times[bus] = 59), "T U");
    assert_eq!(trips(&town, |r| r.board_times[bus] = 61), "T V");
    assert_eq!(trips(&town, |r| r.alight_times[bus] = 61), "T V");
}

#[test]
fn rules_of_the_feed() {
    assert_eq!(trips(&rules("B,B,,,3,"), |_| {}), "PathNotFound");
    assert_eq!(trips(&rules("B,B,,,2,300"), |_| {}), "T V");
    assert_eq!(trips(&rules("B,B,T,U,3,"), |_| {}), "T V");
    // The least time is between arrival and departure, and includes the times of alighting and boarding.
    for rule in ["B,B,,,2,60", "B,B,T,U,2,60"] {
        assert_eq!(trips(&rules(rule), |r| r.board_times = [59; 13]), "T U", "{rule}");
        assert_eq!(trips(&rules(rule), |r| r.alight_times = [59; 13]), "T U", "{rule}");
    }
    // Where some transfers are recommended, the others cost more.
    let preferred = rules("B,B,,,0,");
    let plain = town("");
    assert_eq!(cost(&preferred, |_| {}), cost(&plain, |_| {}));
    assert_eq!(cost(&rules("B,B,,,1,"), |_| {}), cost(&plain, |_| {}), "timed ones are recommended as well");
    let elsewhere = rules("A,B,,,0,");
    assert_eq!(cost(&elsewhere, |_| {}) - cost(&plain, |_| {}), 180.0);
    assert_eq!(cost(&elsewhere, |r| r.nonpreferred_transfer_penalty = 30) - cost(&plain, |_| {}), 30.0);
}

#[test]
fn riders_stay_seated_in_the_trips_of_a_block() {
    let blocks = CHANGE
        .replace("trip T R WK", "trip T R WK block_id=b")
        .replace("trip U S WK", "trip U S WK block_id=b");
    let town = Town::new("", &blocks);
    assert_eq!(
        town.plan("A -> D at 7:55", |r| r.transfer_slack = 300),
        "8:00 bus T A 8:00 - B 8:10, seated bus U B 8:11 - D 8:20, 8:20"
    );
    let plans = town.itineraries("A -> D at 7:55", |_| {}).unwrap();
    assert_eq!(plans[0].transfers, 0);
}

#[test]
fn riders_stay_seated_on_the_days_on_which_both_trips_run() {
    let feed = "
        stop A 41.0 -8.00
        stop B 41.1 -8.00
        stop D 41.2 -8.00
        route R 3
        route S 3
        service WK 20240101 20241231 1111100
        service MO 20240101 20241231 1000010
        trip T R WK : A 8:00:00, B 8:10:00
        trip U S MO : B 8:11:00, D 8:20:00
        table transfers.txt
        from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id
        ,,4,T,U

    ";
    let town = Town::new("", feed);
    let ask = |question: &str| town.plan(question, |r| r.transfer_slack = 300);
    let seated = "8:00 bus T A 8:00 - B 8:10, seated bus U B 8:11 - D 8:20, 8:20";
    assert_eq!(ask("A -> D at 2024-01-08T7:55"), seated);
    assert_eq!(ask("A -> D by 2024-01-08T8:30"), seated);
    // On Tuesdays only the first trip runs, on Saturdays only the second.
    assert_eq!(ask("A -> D at 2024-01-09T7:55"), "PathNotFound");
    assert_eq!(ask("B -> D at 2024-01-13T7:55"), "8:11 bus U B 8:11 - D 8:20, 8:20");
}

#[test]
fn long_transfers_of_a_graph_built_with_them_follow_the_streets() {
    let streets = "
        n1 41.000 -8.000
        n2 41.006 -8.000
        n3 41.006 -7.992
        w1 1,2 highway=residential
        w2 2,3 highway=residential
    ";
    let feed = "
        stop A 40.5 -8.00
        stop B 41.0 -8.00
        stop C 41.006 -7.992
        stop D 41.5 -8.00
        route R 3
        route S 3
        service WK 20240101 20241231 1111111
        trip T R WK : A 8:00:00, B 8:10:00
        trip U S WK : C 8:40:00, D 8:50:00
    ";
    let options = BuildOptions { max_transfer_seconds: 1200, ..options() };
    let town = Town::built(streets, &[feed], &options);
    let plans = town.itineraries("A -> D at 7:55", |_| {}).unwrap();
    assert_eq!(plans[0].legs[1].geometry.length, 3, "the line has the corner at n2");
}

/// A town whose only transfers are those of transfers.txt, with a rule for the change from B to C, some 100 m away.
fn ruled(streets: &str, rule: &str) -> Town {
    let mut options = options();
    options.transit_layer.use_transfers_txt = true;
    let feed = format!(
        "
        stop A 41.0 -8.00
        stop B 41.1 -8.00
        stop C 41.1009 -8.00
        stop D 41.2 -8.00
        route R 3
        route S 3
        service WK 20240101 20241231 1111111
        trip T R WK : A 8:00:00, B 8:10:00
        trip U S WK : C 8:10:30, D 8:20:00
        trip V S WK : C 8:14:00, D 8:24:00
        table transfers.txt
        from_stop_id,to_stop_id,transfer_type,min_transfer_time
        {rule}

    "
    );
    Town::built(streets, &[&feed], &options)
}

#[test]
fn a_change_of_transfers_txt_without_a_time_takes_a_second_for_each_metre() {
    for rule in ["B,C,0,", "B,C,0,0", "B,C,,", "B,C,2,"] {
        let town = ruled("", rule);
        assert_eq!(trips(&town, |_| {}), "T V", "{rule}");
        let plans = town.itineraries("A -> D at 7:55", |_| {}).unwrap();
        let walk = &plans[0].legs[1];
        assert_eq!((walk.mode, walk.end_time - walk.start_time), (Mode::Walk, 100_000), "{rule}");
        assert!((walk.distance - 100.07).abs() < 0.01, "{rule}: {} m", walk.distance);
        assert_eq!((walk.geometry.length, walk.steps.len()), (2, 1), "{rule}");
        // The stops are apart, so nobody enters a vehicle at one of them who has walked to the other.
        assert_eq!(town.plan("B -> D at 8:05", |_| {}), "PathNotFound", "{rule}");
    }
}

#[test]
fn a_change_of_transfers_txt_with_a_least_time_takes_that_time() {
    let walked = |rule: &str| {
        let town = ruled("", rule);
        let plans = town.itineraries("A -> D at 7:55", |_| {}).unwrap();
        let walks = plans[0].legs.iter().filter(|leg| leg.transit.is_none());
        let walks: Vec<_> = walks.map(|leg| (leg.end_time - leg.start_time, leg.distance.round())).collect();
        (trips(&town, |_| {}), walks)
    };
    assert_eq!(walked("B,C,2,20"), ("T U".to_owned(), vec![(20_000, 100.0)]));
    assert_eq!(walked("B,C,2,240"), ("T V".to_owned(), vec![(240_000, 100.0)]));
    assert_eq!(walked("B,C,2,0"), ("T U".to_owned(), vec![(0, 100.0)]));
    assert_eq!(walked("B,C,1,240"), ("T U".to_owned(), vec![(0, 100.0)]), "a timed change has no least time");
}

#[test]
fn a_change_of_transfers_txt_does_not_follow_streets() {
    let around = "
        n1 41.1000 -8.000
        n2 41.1004 -8.001
        n3 41.1009 -8.000
        w1 1,2,3 highway=residential
    ";
    let plans = ruled(around, "B,C,0,").itineraries("A -> D at 7:55", |_| {}).unwrap();
    let walk = &plans[0].legs[1];
    assert_eq!((walk.geometry.length, walk.distance.round()), (2, 100.0));
}

#[test]
fn long_changes_of_transfers_txt_are_left_out_where_walks_are_limited() {
    let limited = |meters: f64| move |r: &mut RoutingRequest| r.max_transfer_walk_distance = meters;
    let town = ruled("", "B,C,2,20");
    assert_eq!(trips(&town, limited(101.0)), "T U");
    assert_eq!(trips(&town, limited(99.0)), "PathNotFound");
}

/// A station: the platform is two minutes from its entrance, four in a wheelchair.
const STATION: &str = "
    stop A 41.0 -8.00
    stop P 41.1 -8.00 wheelchair_boarding=1
    stop Q 41.1001 -8.00 wheelchair_boarding=1
    stop D 41.2 -8.00 wheelchair_boarding=1
    route R 1
    route S 1
    service WK 20240101 20241231 1111111
    trip T R WK wheelchair_accessible=1 : A 8:00:00, P 8:10:00
    trip U S WK wheelchair_accessible=1 : Q 8:13:00, D 8:20:00
    trip V S WK wheelchair_accessible=1 : Q 8:16:00, D 8:23:00
    table pathways.txt
    pathway_id,from_stop_id,to_stop_id,traversal_time,wheelchair_traversal_time
    p,P,Q,120,WHEELS

";

/// Stairs that take no time join a stop on the street with one that no street reaches.
#[test]
fn stairs_without_time_are_not_for_wheelchairs() {
    let streets = "
        n1 41.0 -8.000
        n2 41.0 -7.998
        w1 1,2 highway=residential
    ";
    let feed = "
        stop P 41.0 -7.998 wheelchair_boarding=1
        stop Q 41.1 -7.998 wheelchair_boarding=1
        stop D 41.2 -7.998 wheelchair_boarding=1
        route R 1
        service WK 20240101 20241231 1111111
        trip T R WK wheelchair_accessible=1 : Q 8:10:00, D 8:20:00
        trip U R WK wheelchair_accessible=1 : D 8:30:00, Q 8:40:00
        table pathways.txt
        pathway_id,from_stop_id,to_stop_id,traversal_time,wheelchair_traversal_time
        up,P,Q,0,WHEELS
        down,Q,P,0,WHEELS

    ";
    let rolling = |r: &mut RoutingRequest| r.wheelchair = true;
    for (wheels, rolls) in [("0", true), ("", false)] {
        let town = Town::new(streets, &feed.replace("WHEELS", wheels));
        for question in ["n1 -> D at 8:00", "D -> n1 at 8:25", "n1 -> D by 8:25", "D -> n1 by 8:45"] {
            assert!(town.ask(question).contains("subway"), "{question}");
            let answer = town.plan(question, rolling);
            assert_eq!(answer.contains("subway"), rolls, "{question} {wheels}: {answer}");
        }
    }
}

#[test]
fn pathways_of_a_station() {
    let walking = Town::new("", &STATION.replace("WHEELS", "240"));
    assert_eq!(
        walking.ask("A -> D at 7:55"),
        "8:00 subway T A 8:00 - P 8:10, walk 0 m, subway U Q 8:13 - D 8:20, 8:20"
    );
    let rolling = |r: &mut RoutingRequest| r.wheelchair = true;
    let stops = STATION.replace("stop A 41.0 -8.00", "stop A 41.0 -8.00 wheelchair_boarding=1");
    assert_eq!(
        Town::new("", &stops.replace("WHEELS", "240")).plan("A -> D at 7:55", rolling),
        "8:00 subway T A 8:00 - P 8:10, walk 0 m, subway V Q 8:16 - D 8:23, 8:23"
    );
    assert_eq!(Town::new("", &stops.replace("WHEELS", "")).plan("A -> D at 7:55", rolling), "PathNotFound");
    // A shorter time in a wheelchair is not that of others, who reach V and not U.
    for wheels in ["60", "0"] {
        let town = Town::new("", &STATION.replace("WHEELS", wheels).replace("Q 8:13:00", "Q 8:11:30"));
        assert!(town.ask("A -> D at 7:55").contains("subway V"), "{wheels}");
    }
    // A lift beside the stairs, in either order.
    for pathways in ["p,P,Q,120,\n    p2,P,Q,300,300", "p2,P,Q,300,300\n    p,P,Q,120,"] {
        let town = Town::new("", &stops.replace("p,P,Q,120,WHEELS", pathways));
        assert!(town.ask("A -> D at 7:55").contains("subway U"), "{pathways}");
        assert!(town.plan("A -> D at 7:55", rolling).contains("subway V"), "{pathways}");
    }
}

/// As those of some feeds do; the index lists such stations as stops.
#[test]
fn plans_begin_and_end_at_stations_that_vehicles_call_at() {
    let feed = "
        stop S 41.0 -8.00 location_type=1
        stop P 41.0 -8.00 parent_station=S
        stop Z 41.2 -8.00 location_type=1
        route R 1
        service WK 20240101 20241231 1111111
        trip T R WK : S 8:00:00, Z 8:10:00
        trip U R WK : P 9:00:00, Z 9:10:00
        trip V R WK : Z 10:00:00, S 10:10:00";
    let town = Town::new("", feed);
    assert_eq!(town.ask("S -> Z at 7:55"), "8:00 subway T S 8:00 - Z 8:10, 8:10");
    assert_eq!(town.ask("S -> Z by 9:55"), "9:00 subway U P 9:00 - Z 9:10, 9:10");
    assert_eq!(town.ask("Z -> S at 7:55"), "10:00 subway V Z 10:00 - S 10:10, 10:10");
}

#[test]
fn plans_begin_and_end_at_boarding_areas_of_platforms() {
    let feed = "
        stop S 41.0 -8.00 location_type=1
        stop P 41.0 -8.00 parent_station=S
        stop area 41.1 -8.00 location_type=4 parent_station=P
        stop Z 41.2 -8.00
        route R 1
        service WK 20240101 20241231 1111111
        trip T R WK : area 8:00:00, Z 8:10:00";
    let town = Town::new("", feed);
    for start in ["area", "P", "S"] {
        let found = town.ask(&format!("{start} -> Z at 7:55"));
        assert_eq!(found, "8:00 subway T area 8:00 - Z 8:10, 8:10", "from {start}");
    }
}

/// Platforms whose pathways lead to a hall: stairs from P, a gate, and an escalator to a part of platform Q, or a lift to
/// it.
#[test]
fn pathways_of_a_station_in_a_row() {
    let feed = "
        stop A 41.0 -8.00 wheelchair_boarding=1
        stop S 41.1 -8.00 location_type=1 wheelchair_boarding=1
        stop P 41.1 -8.00 parent_station=S
        stop Q 41.1 -8.00 parent_station=S
        stop hall 41.1 -8.00 location_type=3 parent_station=S
        stop gate 41.1 -8.00 location_type=3 parent_station=S
        stop part 41.1 -8.00 location_type=4 parent_station=Q
        stop D 41.2 -8.00 wheelchair_boarding=1
        route R 1
        route S 1
        service WK 20240101 20241231 1111111
        trip T R WK wheelchair_accessible=1 : A 8:00:00, P 8:10:00
        trip U S WK wheelchair_accessible=1 : Q 8:11:40, D 8:20:00
        trip V S WK wheelchair_accessible=1 : Q 8:11:41, D 8:21:00
        trip W S WK wheelchair_accessible=1 : Q 8:16:00, D 8:23:00
        table pathways.txt
        pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time
        stairs,P,hall,2,1,60
        lift,P,hall,5,1,300
        gate,hall,gate,6,1,
        up,gate,part,4,0,40
        ramp,gate,part,1,1,50

    ";
    let town = Town::new("", feed);
    for question in ["A -> D at 7:55", "A -> D by 8:22"] {
        let answer = town.ask(question);
        assert!(answer.contains("P 8:10, walk 0 m, subway V"), "{question}: {answer}");
    }
    let rolling = |r: &mut RoutingRequest| r.wheelchair = true;
    assert!(town.plan("A -> D at 7:55", rolling).contains("P 8:10, walk 0 m, subway W"));
    let plans = town.itineraries("A -> D at 7:55", |_| {}).unwrap();
    assert!(plans[0].legs[1].pathway);
}

/// Escalators that take no time, up to a line and down from it at its other end.
#[test]
fn pathways_without_time_lead_in_one_direction() {
    let streets = "
        n1 41.0 -8.000
        n2 41.0 -7.998
        n3 41.3 -8.000
        n4 41.3 -7.998
        w1 1,2 highway=residential
        w2 3,4 highway=residential
    ";
    let feed = "
        stop A 41.0 -7.998
        stop DeepA 41.1 -7.998
        stop B 41.3 -7.998
        stop DeepB 41.2 -7.998
        route R 1
        service WK 20240101 20241231 1111111
        trip T R WK : DeepA 8:10:00, DeepB 8:20:00
        trip U R WK : DeepB 8:30:00, DeepA 8:40:00
        table pathways.txt
        pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time
        up,A,DeepA,4,0,0
        down,DeepB,B,4,0,0

    ";
    let town = Town::new(streets, feed);
    assert!(town.ask("n1 -> n3 at 8:00").contains("subway T"));
    assert!(town.ask("n1 -> n3 by 8:30").contains("subway T"));
    assert_eq!(town.ask("n3 -> n1 at 8:00"), "PathNotFound");
    assert_eq!(town.ask("n3 -> n1 by 8:50"), "PathNotFound");
}

/// The walk takes 410 seconds on the street, and two minutes more at each end that is a subway platform.
#[test]
fn walks_to_other_lines_count_the_ways_to_platforms() {
    let streets = "
        n1 41.0 -8.000
        n2 41.0 -7.9935
        w1 1,2 highway=residential
    ";
    let feed =
        "stop A 41.05 -8.000\nstop B 41.0 -8.000\nstop C 41.0 -7.9935\nstop D 41.08 -7.9935\nroute R FIRST
        route S 1\nservice WK 20240101 20241231 1111111
        trip T R WK : A 8:00:00, B 8:10:00\ntrip U S WK : C 8:30:00, D 8:40:00";
    let ask = |first| Town::new(streets, &feed.replace("FIRST", first)).ask("A -> D at 7:50");
    assert_eq!(ask("3"), "8:00 bus T A 8:00 - B 8:10, walk 545 m, subway U C 8:30 - D 8:40, 8:40");
    assert_eq!(ask("1"), "PathNotFound", "ten minutes are the limit");
}
