//! Paths found, departing at a time and arriving by one, and the choice among several.

use trestle_model::RoutingRequest;
use trestle_model::ids::RouteIdx;
use trestle_transit::overlay::{AddedTrip, LiveTimes, NO_TIME, Overlay, TripState};
use trestle_transit::raptor::{OnBoardStart, StreetAlternative, TransitQuery, TransitScratch, plan};

use super::town::{Town, Traveller, check, day, one, seconds, two};

const CROSSING: &str = "
    1/T1 : A 8:00, B 8:10, C 8:30
    1/T2 : A 8:20, B 8:30, C 8:50
    2/U1 : B 8:15, D 8:25
    2/U2 : B 8:45, D 8:55
    walk C D 266
";

#[test]
fn one_ride_and_a_change() {
    let town = Town::new(CROSSING);
    check(&town, "A -> C at 7:50", one, &["8:00 A -[T1]-> C 8:30"]);
    check(&town, "A -> D at 7:50", one, &["8:00 A -[T1]-> B 8:10, 8:15 B -[U1]-> D 8:25"]);
    check(&town, "A -> D at 8:01", one, &["8:20 A -[T2]-> B 8:30, 8:45 B -[U2]-> D 8:55"]);
    check(&town, "A -> D at 8:21", one, &["32:00 A -[T1]-> B 32:10, 32:15 B -[U1]-> D 32:25"]);
}

#[test]
fn arriving_by_a_time() {
    let town = Town::new(CROSSING);
    check(&town, "A -> C by 8:49", one, &["8:00 A -[T1]-> C 8:30"]);
    check(&town, "A -> D by 8:55", one, &["8:20 A -[T2]-> B 8:30, 8:45 B -[U2]-> D 8:55"]);
    check(&town, "A -> D by 8:54", one, &["8:00 A -[T1]-> B 8:10, 8:15 B -[U1]-> D 8:25"]);
    check(&town, "A -> D+60 by 8:55", one, &["8:00 A -[T1]-> B 8:10, 8:15 B -[U1]-> D 8:25"]);
}

#[test]
fn alternatives_use_other_trips() {
    let town = Town::new(CROSSING);
    check(
        &town,
        "A -> D at 7:50",
        two,
        &["8:00 A -[T1]-> B 8:10, 8:15 B -[U1]-> D 8:25", "8:20 A -[T2]-> B 8:30, 8:45 B -[U2]-> D 8:55"],
    );
    assert!(town.ask("A -> D at 7:50", |r| r.num_itineraries = 0).is_empty());
}

#[test]
fn waiting_is_moved_to_the_start() {
    let town = Town::new(
        "
        1/T1 : A 8:00, B 8:10
        1/T2 : A 8:20, B 8:30
        1/T3 : A 8:40, B 8:50
        2/U1 : B 9:00, C 9:10
        ",
    );
    check(&town, "A -> C at 7:50", one, &["8:40 A -[T3]-> B 8:50, 9:00 B -[U1]-> C 9:10"]);
    let path = &town.ask("A+120 -> C+60 at 7:50", one)[0];
    assert_eq!([town.clock(path.departure), town.clock(path.arrival)], ["8:38", "9:11"]);
    // Walks cost twice their seconds, 48 minutes of first wait 0.4 a second, rides and the later wait 1; two boardings.
    let expected = 2.0 * 180.0 + 0.4 * 48.0 * 60.0 + (10.0 + 10.0 + 10.0) * 60.0 + 2.0 * 600.0;
    assert!((path.weight - expected).abs() < 0.01, "{} is not {expected}", path.weight);
}

#[test]
fn the_answer_has_the_cheapest_and_the_first_to_arrive() {
    let town = Town::new(
        "
        1/SLOW : A 8:00, D 8:40
        2/T1 : A 8:00, B 8:10
        3/U1 : B 8:12, C 8:20
        4/V1 : C 8:22, D 8:30
        ",
    );
    check(&town, "A -> D at 8:00", one, &["8:00 A -[SLOW]-> D 8:40"]);
    check(
        &town,
        "A -> D at 8:00",
        two,
        &["8:00 A -[T1]-> B 8:10, 8:12 B -[U1]-> C 8:20, 8:22 C -[V1]-> D 8:30", "8:00 A -[SLOW]-> D 8:40"],
    );
    check(&town, "A -> D at 8:00", |r| r.max_transfers = 1, &["8:00 A -[SLOW]-> D 8:40"]);
}

/// A quick way with a change, a direct one, and the direct one ten minutes later.
const THREE_WAYS: &str = "
    1/SLOW : A 8:00, D 8:40
    1/NEXT : A 8:10, D 8:50
    2/T1 : A 8:00, B 8:10
    3/U1 : B 8:12, D ARRIVES
";
const DIRECT: [&str; 2] = ["8:00 A -[SLOW]-> D 8:40", "8:10 A -[NEXT]-> D 8:50"];

#[test]
fn a_slightly_earlier_arrival_is_not_worth_a_change() {
    let quick = "8:00 A -[T1]-> B 8:10, 8:12 B -[U1]-> D 8:36";
    check(&Town::new(&THREE_WAYS.replace("ARRIVES", "8:36")), "A -> D at 8:00", two, &[quick, DIRECT[0]]);
    check(&Town::new(&THREE_WAYS.replace("ARRIVES", "8:39")), "A -> D at 8:00", two, &DIRECT);
    let worth_less_than_two_minutes = Town::new(&THREE_WAYS.replace("ARRIVES", "8:38:30"));
    check(&worth_less_than_two_minutes, "A -> D at 8:00", two, &DIRECT);
}

#[test]
fn a_path_slower_than_the_streets_is_not_chosen_for_its_speed() {
    let town = Town::new(&THREE_WAYS.replace("ARRIVES", "8:36"));
    let paths = |clock: i64| {
        let epoch = town.day_start + 8 * 3600 + clock * 60;
        let walker =
            Traveller { on_streets: Some(StreetAlternative { epoch, cost: 9000.0 }), ..Traveller::default() };
        let paths = town.ask_as("A -> D at 8:00", two, walker);
        paths.iter().map(|path| town.describe(path)).collect::<Vec<_>>()
    };
    assert_eq!(paths(30), DIRECT, "walking arrives earlier");
    assert_eq!(paths(38).len(), 2);
    assert!(paths(38)[0].contains("U1"), "walking arrives later");
}

#[test]
fn nobody_rides_around_a_loop_to_where_the_streets_lead() {
    let town = Town::new("1/T1 : A 8:00, B 8:10, A 8:20\n 1/T2 : A 8:30, B 8:40, A 8:50");
    let (epoch, cost) = (town.day_start + 8 * 3600 + 60, 120.0);
    let found = |ask: &str, on_streets: Option<StreetAlternative>| {
        let paths = town.ask_as(ask, two, Traveller { on_streets, ..Traveller::default() });
        paths.iter().map(|path| town.describe(path)).collect::<Vec<_>>()
    };
    let loops = ["8:00 A -[T1]-> A 8:20", "8:30 A -[T2]-> A 8:50"];
    assert_eq!(found("A -> A+60 at 8:00", None), loops);
    let on_streets = Some(StreetAlternative { epoch, cost });
    for ask in ["A -> A+60 at 8:00", "A -> A+60 by 9:00"] {
        assert_eq!(found(ask, on_streets), [""; 0], "{ask}");
    }
    assert!(found("A -> A+60,B+300 at 8:00", on_streets).contains(&"8:00 A -[T1]-> B 8:10".to_owned()));

    let town = Town::new("1/T1 : A 8:00, B 8:10\n 2/T2 : B 8:15, A 8:25");
    let paths = town.ask_as("A -> A+60 at 8:00", two, Traveller { on_streets, ..Traveller::default() });
    assert_eq!(town.describe(&paths[0]), "8:00 A -[T1]-> B 8:10, 8:15 B -[T2]-> A 8:25", "with two vehicles");
}

#[test]
fn walks_between_stops_take_their_time() {
    // 400 m at 1.33 m/s take 301 s, and leaving and reaching the stops 2 s.
    let feed = |departure: &str| {
        format!(
            "days 20240610 20241231\n 1/T1 : A 8:00, B 8:10\n 2/U1 : C {departure}, D 8:30\n walk B C 400"
        )
    };
    let on_time = Town::new(&feed("8:15:03"));
    check(&on_time, "A -> D at 8:00", one, &["8:00 A -[T1]-> B 8:10, 303 s to C, 8:15:03 C -[U1]-> D 8:30"]);
    check(&on_time, "A -> D by 8:30", one, &["8:00 A -[T1]-> B 8:10, 303 s to C, 8:15:03 C -[U1]-> D 8:30"]);
    let path = &on_time.ask("A -> D at 8:00", one)[0];
    assert!((path.weight - (600.0 + 606.0 + (14.0 * 60.0 + 57.0) + 1200.0)).abs() < 0.01, "{}", path.weight);
    let missed = Town::new(&feed("8:15:02"));
    assert_eq!(missed.ask("A -> D by 8:30", one).len(), 0);
    check(&on_time, "A -> D by 8:30", |r| r.max_transfer_walk_distance = 399.0, &[]);
    check(&on_time, "A -> D by 8:30", |r| r.walk_speed = 1.32, &[]);
}

#[test]
fn a_faster_trip_that_overtakes_a_slower_one_is_found() {
    let town = Town::new("1/SLOW : A 8:00, B 8:30, C 9:00\n 1/FAST : A 8:05, B 8:15, C 8:25");
    check(&town, "A -> C at 8:00", one, &["8:05 A -[FAST]-> C 8:25"]);
    check(&town, "A -> B by 8:30", one, &["8:05 A -[FAST]-> B 8:15"]);
}

#[test]
fn trips_after_midnight_belong_to_the_day_before() {
    let town = Town::new("1/NIGHT : A 25:10, B 25:30");
    let paths = town.ask("A -> B at 1:00", one);
    assert_eq!(town.describe(&paths[0]), "1:10 A -[NIGHT]-> B 1:30");
    assert_eq!(paths[0].rides[0].service_date, day().plus(-1));
}

#[test]
fn riders_stay_seated_in_vehicles_of_a_block() {
    let town = Town::new(
        "
        1/T1 block_id=x : A 8:00, B 8:10
        2/T2 block_id=x : B 8:12, C 8:20
        ",
    );
    let line = "8:00 A -[T1]-> B 8:10 on 8:12 B -[T2]-> C 8:20";
    check(&town, "A -> C at 7:50", one, &[line]);
    check(&town, "A -> C by 8:30", one, &[line]);
    check(&town, "A -> C at 7:50", |r| (r.max_transfers, r.num_itineraries) = (0, 1), &[line]);
    let path = &town.ask("A -> C at 8:00", one)[0];
    assert!((path.weight - (600.0 + 1200.0)).abs() < 0.01, "{}", path.weight);
    assert!(town.ask("A -> C at 7:50", |r| r.banned_routes = vec![super::filters::route("2")]).is_empty());
}

#[test]
fn riders_stay_seated_over_midnight() {
    let town = Town::new(
        "
        1/T1 block_id=x : A 23:50, B 24:10
        2/T2 : B 0:12, C 0:20
        3/T3 block_id=x : B 24:11, C 24:40

        table transfers.txt
        from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id
        ,,4,T1,T2

        ",
    );
    let line = "23:50 A -[T1]-> B 24:10 on 24:12 B -[T2]-> C 24:20";
    check(&town, "A -> C at 23:40", one, &[line]);
    check(&town, "A -> C by 24:30", one, &[line]);
}

/// T1 is divided into T2 and T3, and T4 is coupled to T3.
#[test]
fn riders_stay_seated_in_each_part_of_a_train() {
    let town = Town::new(
        "
        1/T1 : A 8:00, B 8:10
        2/T2 : B 8:12, C 8:20
        3/T3 : B 8:14, D 8:30
        4/T4 : Z 8:01, B 8:11

        table transfers.txt
        from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id
        ,,4,T1,T2
        ,,4,T1,T3
        ,,4,T4,T3

        ",
    );
    for (to, arrival, line) in [
        ("A -> C", "8:20", "8:00 A -[T1]-> B 8:10 on 8:12 B -[T2]-> C 8:20"),
        ("A -> D", "8:30", "8:00 A -[T1]-> B 8:10 on 8:14 B -[T3]-> D 8:30"),
        ("Z -> D", "8:30", "8:01 Z -[T4]-> B 8:11 on 8:14 B -[T3]-> D 8:30"),
    ] {
        check(&town, &format!("{to} at 7:50"), one, &[line]);
        check(&town, &format!("{to} by {arrival}"), one, &[line]);
    }
}

#[test]
fn frequencies_with_and_without_fixed_times() {
    let feed = |exact: u8| {
        Town::new(&format!(
            "1/T1 : A 6:00, B 6:10\n\ntable frequencies.txt\ntrip_id,start_time,end_time,headway_secs,exact_times\nT1,8:00:00,9:00:00,600,{exact}\n\n"
        ))
    };
    let exact = feed(1);
    check(&exact, "A -> B at 8:05", one, &["8:10 A -[T1]-> B 8:20"]);
    check(&exact, "A -> B by 8:59", one, &["8:40 A -[T1]-> B 8:50"]);
    let path = &exact.ask("A -> B at 8:05", one)[0];
    assert_eq!((path.rides[0].frequency_shift, path.rides[0].headway), (seconds("2:10"), None));
    let headway = feed(0);
    check(&headway, "A -> B at 8:05", one, &["8:15 A -[T1]-> B 8:25"]);
    check(&headway, "A -> B at 7:00", one, &["8:00 A -[T1]-> B 8:10"]);
    check(&headway, "A -> B by 8:59", one, &["8:39 A -[T1]-> B 8:49"]);
    let path = &headway.ask("A -> B at 8:05", one)[0];
    assert_eq!((path.rides[0].frequency_shift, path.rides[0].headway), (seconds("2:15"), Some(600)));
}

#[test]
fn riders_leave_home_later_for_a_first_vehicle_without_fixed_times() {
    let town = |lines: &str| {
        Town::new(&format!(
            "days 20240610 20240610\n1/H1 : A 0:00, B 0:10\n2/H2 : B 0:00, C 0:05\n{lines}\n\n\
             table frequencies.txt\ntrip_id,start_time,end_time,headway_secs\nH1,8:00:00,12:00:00,600\nH2,8:00:00,12:00:00,300\n\n"
        ))
    };
    let weight = |town: &Town, question: &str| {
        town.ask(question, |r| (r.num_itineraries, r.wait_reluctance) = (1, 1.0))[0].weight
    };
    // V1 is the first at B, but its riders wait there.
    let forward = town("3/F1 : C 11:00, D 11:10\n4/V1 : A 8:01, B 8:02");
    let way = "10:40 A -[H1]-> B 10:50, 10:55 B -[H2]-> C 11:00, 11:00 C -[F1]-> D 11:10";
    for itineraries in [1, 3] {
        check(
            &forward,
            "A -> D at 8:00",
            |r| (r.num_itineraries, r.max_transfers) = (itineraries, 2),
            &[way],
        );
    }
    let expected = 0.4 * 160.0 * 60.0 + 30.0 * 60.0 + 3.0 * 600.0;
    assert!((weight(&forward, "A -> D at 8:00") - expected).abs() < 0.01);
    // Arriving by a time, riders arrive earlier, and wait after each such vehicle.
    let backward = town("3/F1 : Z 8:00, A 8:10\n4/V1 : B 11:58, C 11:59");
    let way = "8:00 Z -[F1]-> A 8:10, 8:10 A -[H1]-> B 8:20, 8:30 B -[H2]-> C 8:35";
    check(&backward, "Z -> C by 12:00", |r| (r.num_itineraries, r.max_transfers) = (1, 2), &[way]);
    let expected = 0.4 * 205.0 * 60.0 + 35.0 * 60.0 + 3.0 * 600.0;
    assert!((weight(&backward, "Z -> C by 12:00") - expected).abs() < 0.01);
}

#[test]
fn alternatives_are_later_departures_of_a_frequency() {
    let feed = |exact: u8| {
        Town::new(&format!(
            "1/T1 : A 6:00, B 6:10\n\ntable frequencies.txt\ntrip_id,start_time,end_time,headway_secs,exact_times\nT1,8:00:00,9:00:00,600,{exact}\n\n"
        ))
    };
    let three = |r: &mut trestle_model::RoutingRequest| r.num_itineraries = 3;
    let lines = |starts: [&str; 3]| {
        starts.map(|start| {
            let arrival = start[2..].parse::<i32>().unwrap() + 10;
            format!("{start} A -[T1]-> B 8:{arrival}")
        })
    };
    let check_three = |town: &Town, question: &str, starts| {
        check(town, question, three, &lines(starts).each_ref().map(String::as_str));
    };
    check_three(&feed(1), "A -> B at 8:05", ["8:10", "8:20", "8:30"]);
    check_three(&feed(1), "A -> B by 8:59", ["8:40", "8:30", "8:20"]);
    check_three(&feed(0), "A -> B at 8:05", ["8:15", "8:25", "8:35"]);
    check_three(&feed(0), "A -> B by 8:59", ["8:39", "8:29", "8:19"]);
    // The service ends: the third would leave the next morning.
    let late = feed(0).ask("A -> B at 8:35", three);
    assert_eq!(late.iter().filter(|path| path.arrival - late[0].arrival < 3600).count(), 2);
}

#[test]
fn a_search_can_start_on_board() {
    let town = Town::new(CROSSING);
    let trip = town.timetable.trip_by_id("1:T1").unwrap();
    let start = OnBoardStart { trip, service_date: day(), run_shift: 0, position: 0, shift: 0 };
    let lines = |question: &str, start| -> Vec<String> {
        let traveller = Traveller { on_board: Some(start), ..Traveller::default() };
        town.ask_as(question, one, traveller).iter().map(|p| town.describe(p)).collect()
    };
    assert_eq!(lines("- -> C at 8:05", start), ["8:00 A -[T1]-> C 8:30"]);
    assert_eq!(lines("- -> D at 8:05", start), ["8:00 A -[T1]-> B 8:10, 8:15 B -[U1]-> D 8:25"]);
    let later = OnBoardStart { position: 1, ..start };
    assert!(lines("- -> D at 8:12", later).is_empty());
    assert_eq!(lines("- -> C at 8:12", later), ["8:10 B -[T1]-> C 8:30"]);
}

#[test]
fn riders_on_board_let_vehicles_pass_where_waiting_is_cheap() {
    let town = Town::new(
        "days 20240610 20240610\n1/T1 : A 8:00, B 8:10\n2/X1 : B 8:11, C 8:41\n2/X2 : B 8:50, C 9:00\n3/Y1 : C 9:01, D 9:11\n",
    );
    let trip = town.timetable.trip_by_id("1:T1").unwrap();
    let start = OnBoardStart { trip, service_date: day(), run_shift: 0, position: 0, shift: 0 };
    let line = |wait_reluctance: f64| {
        let traveller = Traveller { on_board: Some(start), ..Traveller::default() };
        let change = |r: &mut RoutingRequest| (r.num_itineraries, r.wait_reluctance) = (1, wait_reluctance);
        town.describe(&town.ask_as("- -> D at 8:05", change, traveller)[0])
    };
    let first = "8:00 A -[T1]-> B 8:10, 8:11 B -[X1]-> C 8:41, 9:01 C -[Y1]-> D 9:11";
    let faster = "8:00 A -[T1]-> B 8:10, 8:50 B -[X2]-> C 9:00, 9:01 C -[Y1]-> D 9:11";
    assert_eq!(line(1.0), first);
    assert_eq!(line(0.5), faster);
}

#[test]
fn live_times_replace_the_schedule() {
    let live = |state: fn(Vec<i32>) -> TripState| {
        Town::with_overlay(CROSSING, |timetable| {
            let trip = timetable.trip_by_id("1:T1").unwrap();
            let times = ["8:05", "8:16", "8:35"].map(seconds).to_vec();
            let scheduled = [((trip, day()), state(times))].into_iter().collect();
            Some(Overlay { version: 1, scheduled, ..Overlay::default() })
        })
    };
    let late = live(|times| TripState::Updated(LiveTimes { arrivals: times.clone(), departures: times }));
    check(&late, "A -> C at 8:01", one, &["8:05 A -[T1]-> C 8:35"]);
    check(&late, "A -> D at 8:01", one, &["8:20 A -[T2]-> B 8:30, 8:45 B -[U2]-> D 8:55"]);
    let canceled = live(|_| TripState::Canceled);
    check(&canceled, "A -> C at 8:00", one, &["8:20 A -[T2]-> C 8:50"]);
}

#[test]
fn calls_without_live_times_cannot_be_used() {
    let town = Town::with_overlay(CROSSING, |timetable| {
        let trip = timetable.trip_by_id("1:T1").unwrap();
        let times = vec![NO_TIME, seconds("8:11"), seconds("8:31")];
        let state = TripState::Updated(LiveTimes { arrivals: times.clone(), departures: times });
        let scheduled = [((trip, day()), state)].into_iter().collect();
        Some(Overlay { version: 1, scheduled, ..Overlay::default() })
    });
    check(&town, "A -> C at 8:00", one, &["8:20 A -[T2]-> C 8:50"]);
    check(&town, "B -> C at 8:00", one, &["8:11 B -[T1]-> C 8:31"]);
}

#[test]
fn added_trips_are_ridden() {
    let town = Town::with_overlay(CROSSING, |timetable| {
        let times: Vec<i32> = ["8:02", "8:09"].map(seconds).to_vec();
        let added = AddedTrip {
            id: "EXTRA".to_owned(),
            route: RouteIdx(0),
            service_date: day(),
            stops: ["1:A", "1:D"].map(|stop| timetable.stop_by_id(stop).unwrap()).to_vec(),
            pickup: vec![0, 0],
            dropoff: vec![0, 0],
            times: LiveTimes { arrivals: times.clone(), departures: times },
            ..AddedTrip::default()
        };
        Some(Overlay { version: 1, added: vec![added], ..Overlay::default() })
    });
    let paths = town.ask("A -> D at 8:00", one);
    let ride = &paths[0].rides[0];
    assert_eq!(ride.trip.index(), town.timetable.trips.id.len());
    assert_eq!([town.clock(ride.board_time), town.clock(ride.alight_time)], ["8:02", "8:09"]);
}

/// A town where live data changes the only trip, with a call of `(stop, time, pickup_type, drop_off_type)` for each of its
/// own that is not left out. Calls where nobody boards or alights are skipped.
fn live(calls: &[(&str, &str, u8, u8)]) -> Town {
    Town::with_overlay("1/T1 : A 8:00, B 8:10, C 8:15, B 8:20, A 8:30", |timetable| {
        let trip = timetable.trip_by_id("1:T1").unwrap();
        let times: Vec<i32> = calls.iter().map(|call| seconds(call.1)).collect();
        let stop = |id: &str| timetable.stop_by_id(&format!("1:{id}")).unwrap();
        let added = AddedTrip {
            id: "T1".to_owned(),
            route: RouteIdx(0),
            service_date: day(),
            replaces: Some(trip),
            stops: calls.iter().map(|call| stop(call.0)).collect(),
            skipped: calls.iter().map(|call| (call.2, call.3) == (1, 1)).collect(),
            pickup: calls.iter().map(|call| call.2).collect(),
            dropoff: calls.iter().map(|call| call.3).collect(),
            times: LiveTimes { arrivals: times.clone(), departures: times },
            ..AddedTrip::default()
        };
        let scheduled = [((trip, day()), TripState::Modified)].into_iter().collect();
        Some(Overlay { version: 1, scheduled, added: vec![added], ..Overlay::default() })
    })
}

/// Boarding and alighting times of the rides in the live trip; the other days are as in the schedule.
fn live_rides(town: &Town, asked: &str) -> Vec<[String; 2]> {
    let rides = town.ask(asked, one).into_iter().flat_map(|path| path.rides);
    let of_it = rides.filter(|ride| ride.trip.index() == town.timetable.trips.id.len());
    of_it.map(|ride| [ride.board_time, ride.alight_time].map(|at| town.clock(at))).collect()
}

/// Like a vehicle under a scenario that skips the stop, and like one whose calls in the schedule are twice at one stop.
#[test]
fn a_live_trip_that_skips_the_stop_where_it_turns_waits_at_the_one_before() {
    for turn in [&[("C", "8:16", 1, 1)][..], &[]] {
        let (before, after) =
            ([("A", "8:01", 0, 0), ("B", "8:11", 0, 0)], [("B", "8:21", 0, 0), ("A", "8:31", 0, 0)]);
        let town = live(&[&before[..], turn, &after].concat());
        for asked in ["B -> B at 8:00", "B -> B by 9:00"] {
            assert_eq!(live_rides(&town, asked), Vec::<[String; 2]>::new());
        }
        assert_eq!(live_rides(&town, "A -> B at 8:00"), [["8:01", "8:11"]]);
        assert_eq!(live_rides(&town, "B -> A at 8:00"), [["8:21", "8:31"]]);
        assert_eq!(live_rides(&town, "B -> A by 9:00"), [["8:21", "8:31"]]);
    }
}

/// The first call at B is only for boarding, the second only for alighting.
#[test]
fn riders_of_a_live_trip_enter_at_a_call_that_allows_it() {
    let town = live(&[("A", "8:01", 0, 0), ("B", "8:11", 0, 1), ("B", "8:21", 1, 0), ("A", "8:31", 0, 0)]);
    for asked in ["B -> A at 8:00", "B -> A by 9:00"] {
        assert_eq!(live_rides(&town, asked), [["8:11", "8:31"]]);
    }
    assert_eq!(live_rides(&town, "B -> A at 8:12"), Vec::<[String; 2]>::new());
    assert_eq!(live_rides(&town, "A -> B at 8:00"), [["8:01", "8:21"]]);
}

#[test]
fn any_number_of_transfers_may_be_allowed_if_there_is_no_path() {
    // The second vehicle leaves before the first one arrives, on every day that is searched.
    let town = Town::new("1/T1 : A 8:00, B 200:00\n2/T2 : B 7:00, C 7:10");
    for few in [i32::MIN, 0, 61, 62, i32::MAX - 1, i32::MAX] {
        for most in [i32::MIN, 1, 62, i32::MAX - 1, i32::MAX] {
            let limits =
                |r: &mut RoutingRequest| (r.max_transfers, r.max_transfers_if_no_path) = (few, Some(most));
            check(&town, "A -> C at 7:50", limits, &[]);
        }
    }
}

#[test]
fn a_cancelled_search_stops() {
    let town = Town::new(CROSSING);
    let request = RoutingRequest { epoch_seconds: town.day_start, ..RoutingRequest::default() };
    let answer = |cancelled: bool| {
        let query = TransitQuery {
            request: &request,
            access: &town.endpoints("A"),
            egress: &town.endpoints("D"),
            on_board: None,
            on_streets: None,
            interrupted: &|_| cancelled,
        };
        let answer = plan(&town.timetable, &town.service, &query, &mut TransitScratch::default());
        (answer.paths.len(), answer.stopped)
    };
    assert_eq!([answer(false), answer(true)], [(2, false), (0, true)]);
}
