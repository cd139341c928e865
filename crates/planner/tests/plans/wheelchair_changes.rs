//! Changes of vehicles in a wheelchair: no steps between the stops.

use trestle_engine::index::transfers_from;
use trestle_engine::realtime::messages::{StopTimeEvent, StopTimeUpdate, TripUpdate};
use trestle_model::RoutingRequest;

use super::live::{under, update};
use super::town::Town;

/// Steps of 100 m lead from B to C; around them it is 420 m.
const STEPS: &str = "
    n1 41.0 -8.000
    n2 41.0009 -8.000
    n3 41.0 -8.002
    n4 41.0009 -8.002
    w1 1,2 highway=steps
    w2 1,3,4,2 highway=residential
    n5 41.05 -8.000
    n6 41.051 -8.000
    w3 5,6 highway=residential
    n7 41.08 -8.000
    n8 41.081 -8.000
    w4 7,8 highway=residential
";

fn lines(changes: &str) -> String {
    format!(
        "
        stop A 41.05 -8.000 wheelchair_boarding=1
        stop B 41.0 -8.000 wheelchair_boarding=1
        stop C 41.0009 -8.000 wheelchair_boarding=1
        stop D 41.08 -8.000 wheelchair_boarding=1
        route R 3
        route S 3
        service WK 20240101 20241231 1111111
        trip R1 R WK wheelchair_accessible=1 : A 8:00:00, B 8:10:00
        {changes}"
    )
}

const BUSES: &str = "
        trip S1 S WK wheelchair_accessible=1 : C 8:13:00, D 8:30:00
        trip S2 S WK wheelchair_accessible=1 : C 8:20:00, D 8:40:00";

fn in_wheelchair(request: &mut RoutingRequest) {
    request.wheelchair = true;
}

#[test]
fn steps_between_stops_are_avoided() {
    let town = Town::new(STEPS, &lines(BUSES));
    // 100 m of steps count as 200 m.
    assert_eq!(
        town.ask("A -> D at 7:50"),
        "8:00 bus R1 A 8:00 - B 8:10, walk 200 m, bus S1 C 8:13 - D 8:30, 8:30"
    );
    let around = "8:00 bus R1 A 8:00 - B 8:10, walk 436 m, bus S2 C 8:20 - D 8:40, 8:40";
    assert_eq!(town.plan("A -> D at 7:50", in_wheelchair), around);
    assert_eq!(town.plan("A -> D by 8:41", in_wheelchair), around);
    let itinerary = &town.itineraries("A -> D at 7:50", in_wheelchair).unwrap()[0];
    assert_eq!(itinerary.legs[1].geometry.length, 4, "it is drawn around the steps");
}

#[test]
fn without_a_way_around_steps_there_is_no_change() {
    let steps = STEPS.replace("w2 1,3,4,2", "w2 1,3");
    let town = Town::new(&steps, &lines(BUSES));
    assert!(town.ask("A -> D at 7:50").contains("walk 200 m"));
    assert_eq!(town.plan("A -> D at 7:50", in_wheelchair), "PathNotFound");
}

/// On foot the nearest stop of the line is C, up the steps; without steps it is E.
#[test]
fn wheelchairs_change_at_another_stop_of_the_line() {
    let buses = "
        stop E 41.0 -8.0035 wheelchair_boarding=1
        trip S1 S WK wheelchair_accessible=1 : C 8:18:00, E 8:19:00, D 8:30:00";
    let steps = STEPS.replace("n3 41.0 -8.002", "n3 41.0 -8.006");
    let town = Town::new(&steps, &lines(buses));
    let plan = |change: fn(&mut RoutingRequest)| town.plan("A -> D at 7:50", change);
    assert!(plan(|_| {}).contains("walk 200 m, bus S1 C"), "{}", plan(|_| {}));
    assert!(plan(in_wheelchair).contains("walk 294 m, bus S1 E"), "{}", plan(in_wheelchair));
    let listed = |stop: &str| {
        let timetable = &town.snapshot.graph.timetable;
        let stop = timetable.stop_by_id(&format!("1:{stop}")).unwrap();
        let walks = transfers_from(&town.snapshot, stop.0).into_iter();
        walks.map(|(to, _)| timetable.stop_id(trestle_model::ids::StopIdx(to))).collect::<Vec<_>>()
    };
    assert_eq!(listed("B"), ["1:C"], "the index lists the walks on foot");
}

/// The line's nearest stop X, 42 m away, is skipped.
#[test]
fn steps_to_the_next_stop_of_live_trips_are_avoided() {
    let buses = "
        stop X 41.0 -8.0005 wheelchair_boarding=1
        trip S1 S WK wheelchair_accessible=1 : X 8:12:00, C 8:13:00, D 8:30:00
        trip S2 S WK wheelchair_accessible=1 : X 8:19:00, C 8:20:00, D 8:40:00";
    let skipping = |trip| {
        let skipped = StopTimeUpdate { stop_sequence: Some(1), relationship: Some(1), ..Default::default() };
        let on_time = Some(StopTimeEvent { delay: Some(0), ..StopTimeEvent::default() });
        let second = StopTimeUpdate { stop_sequence: Some(2), departure: on_time, ..Default::default() };
        TripUpdate { calls: vec![skipped, second], ..update(trip, None, None) }
    };
    let (town, report) = under(Town::new(STEPS, &lines(buses)), vec![skipping("S1"), skipping("S2")]);
    assert_eq!((report.modified, report.rejected), (2, 0), "{:?}", report.issues.issues());
    let plan = |change: fn(&mut RoutingRequest)| town.plan("A -> D at 7:50", change);
    assert!(plan(|_| {}).contains("walk 200 m, bus S1 C"), "{}", plan(|_| {}));
    assert!(plan(in_wheelchair).contains("walk 436 m, bus S2 C"), "{}", plan(in_wheelchair));
}
