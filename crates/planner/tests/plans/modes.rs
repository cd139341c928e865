//! Modes of travel alone, and on the way to and from transit.

use std::sync::Arc;

use trestle_engine::build::BuildOptions;
use trestle_engine::realtime::{BikeStations, LiveStation};
use trestle_model::geo::LatLon;
use trestle_model::mode::{Mode, ModeSet};
use trestle_model::{PlanErrorCode, RoutingRequest};

use super::town::{Town, options};

/// Six kilometres of street from west to east: a lot near the western end, stops at kilometres 2 and 5. A footpath
/// leads from the last corner to n6.
const STREET: &str = "
    n1 41.0 -8.000
    n2 41.0 -7.976
    n3 41.0 -7.940
    n4 41.0 -7.928
    n6 41.001 -7.928
    n7 41.0 -7.990
    w1 1,7,2,3,4 highway=residential name=Rua
    w2 4,6 highway=footway bicycle=no
";
const LINE: &str = "
    stop A 41.0 -7.976
    stop B 41.0 -7.940
    route R 3
    service WK 20240101 20241231 1111111
    trip T R WK bikes_allowed=1 : A 8:30:00, B 8:35:00
    trip U R WK bikes_allowed=2 : A 8:20:00, B 8:25:00
";

fn only(mode: Mode) -> ModeSet {
    ModeSet::default().with(mode)
}

/// Transit and the modes that get the traveller there.
fn transit_with(modes: &[Mode]) -> ModeSet {
    modes.iter().fold(ModeSet::TRANSIT, |set, mode| set.with(*mode))
}

fn with_lot(options: BuildOptions) -> Town {
    let streets = format!(
        "{STREET}
        n11 40.9999 -7.9901
        n12 40.9999 -7.9899
        w3 7,11,12,7 amenity=parking park_ride=yes name=Lot highway=service"
    );
    Town::built(&streets, &[LINE], &options)
}

#[test]
fn streets_alone() {
    let town = Town::new(STREET, "");
    assert_eq!(town.plan("n1 -> n3 at 8:00", |r| r.modes = only(Mode::Walk)), "8:00 walk 5035 m, 9:03:06");
    assert_eq!(
        town.plan("n1 -> n3 at 8:00", |r| r.modes = only(Mode::Bicycle)),
        "8:00 bicycle 5035 m, 8:16:48"
    );
    assert_eq!(town.plan("n1 -> n3 at 8:00", |r| r.modes = only(Mode::Car)), "8:00 car 5035 m, 8:07:30");
    assert_eq!(town.plan("n1 -> n3 by 8:00", |r| r.modes = only(Mode::Walk)), "6:56:54 walk 5035 m, 8:00");
}

#[test]
fn walking_to_and_from_the_bus_and_its_limit() {
    let town = Town::new(STREET, LINE);
    assert_eq!(
        town.plan("n1 -> n4 at 7:30", |r| r.max_walk_distance = 4000.0),
        "7:54:44 walk 2014 m, bus U A 8:20 - B 8:25, walk 1007 m, 8:37:39"
    );
    assert_eq!(
        town.plan("n1 -> n4 by 9:30", |r| r.max_walk_distance = 4000.0),
        "8:04:44 walk 2014 m, bus T A 8:30 - B 8:35, walk 1007 m, 8:47:39"
    );
    assert_eq!(town.plan("n1 -> n4 at 7:30", |r| r.max_walk_distance = 500.0), "PathNotFound");
}

#[test]
fn walking_speed_and_reluctance() {
    let town = Town::new(STREET, LINE);
    assert_eq!(town.plan("n7 -> n3 at 8:00", |_| {}), "8:05:15 walk 1175 m, bus U A 8:20 - B 8:25, 8:25:01");
    assert_eq!(
        town.plan("n7 -> n3 at 8:00", |r| r.walk_speed = 2.66),
        "8:12:37 walk 1175 m, bus U A 8:20 - B 8:25, 8:25:01"
    );
    let cost = |change: fn(&mut RoutingRequest)| {
        town.itineraries("n7 -> n3 at 8:00", change).unwrap()[0].generalized_cost
    };
    assert_eq!(cost(|r| r.walk_reluctance = 3.0) - cost(|_| {}), 883.3700000000003);
    assert_eq!(cost(|r| r.wait_at_beginning_factor = 1.4) - cost(|_| {}), 315.0);
    assert_eq!(cost(|r| r.walk_board_cost = 700) - cost(|_| {}), 100.0);
}

#[test]
fn bikes_go_on_board_where_trips_allow_them() {
    let town = Town::new(STREET, LINE);
    let cycling = |r: &mut RoutingRequest| r.modes = transit_with(&[Mode::Bicycle]);
    let on_board = |r: &mut RoutingRequest| {
        cycling(r);
        r.max_walk_distance = 9000.0;
    };
    assert_eq!(
        town.plan("n1 -> n4 at 8:20", on_board),
        "8:23:16 bicycle 2014 m, bus T A 8:30 - B 8:35, bicycle 1007 m, 8:38:23"
    );
    let cost = |bike_board_cost| {
        let plans = town.itineraries("n1 -> n4 at 8:20", |r| {
            cycling(r);
            r.max_walk_distance = 9000.0;
            r.bike_board_cost = bike_board_cost;
        });
        plans.unwrap()[0].generalized_cost
    };
    assert_eq!(cost(700) - cost(600), 100.0);
}

#[test]
fn a_bike_is_pushed_where_riding_is_forbidden() {
    let town = Town::new(STREET, "");
    let cycling = |change: fn(&mut RoutingRequest)| {
        town.itineraries("n3 -> n6 at 8:00", |r| {
            r.modes = only(Mode::Bicycle);
            change(r);
        })
    };
    let described = |change| cycling(change).unwrap().iter().map(|i| town.describe(i)).collect::<String>();
    assert_eq!(described(|_| {}), "8:00 bicycle 1007 m, walk 111 m, 8:05:12");
    assert_eq!(described(|r| r.bike_switch_time = 60), "8:00 bicycle 1007 m, walk 111 m, 8:06:12");
    let cost = |change| cycling(change).unwrap()[0].generalized_cost;
    assert_eq!(cost(|r| r.bike_switch_cost = 50.0) - cost(|_| {}), 50.0);
    assert_eq!(described(|r| r.bike_speed = 10.0), "8:00 bicycle 1007 m, walk 111 m, 8:03:31");
}

#[test]
fn a_bike_is_left_at_a_bike_park() {
    let mut options = options();
    options.street.static_bike_park_and_ride = true;
    let streets = format!("{STREET}\n n21 41.0001 -7.977 amenity=bicycle_parking name=Racks");
    let town = Town::built(&streets, &[LINE], &options);
    let parking = |r: &mut RoutingRequest| {
        r.modes = transit_with(&[Mode::Bicycle, Mode::Walk]);
        r.bike_park = true;
        r.max_walk_distance = 9000.0;
    };
    assert_eq!(
        town.plan("n1 -> n4 at 8:00", parking),
        "8:11:26 bicycle 1930 m, walk 84 m, bus U A 8:20 - B 8:25, walk 1007 m, 8:37:39"
    );
    assert_eq!(
        town.plan("n1 -> n4 by 9:00", parking),
        "8:21:26 bicycle 1930 m, walk 84 m, bus T A 8:30 - B 8:35, walk 1007 m, 8:47:39"
    );
}

#[test]
fn a_car_is_left_at_a_lot() {
    let town = with_lot(options());
    let parking = |r: &mut RoutingRequest| {
        r.modes = transit_with(&[Mode::Car, Mode::Walk]);
        r.car_park = true;
    };
    assert_eq!(
        town.plan("n1 -> n4 at 8:00", parking),
        "8:01:48 car 839 m, walk 1175 m, bus U A 8:20 - B 8:25, walk 1007 m, 8:37:39"
    );
    assert_eq!(
        town.plan("n1 -> n4 by 9:00", parking),
        "8:11:48 car 839 m, walk 1175 m, bus T A 8:30 - B 8:35, walk 1007 m, 8:47:39"
    );
    let mut no_lots = options();
    no_lots.street.static_park_and_ride = false;
    assert_eq!(with_lot(no_lots).itineraries("n1 -> n4 at 8:00", parking), Err(PlanErrorCode::PathNotFound));
}

#[test]
fn a_vehicle_that_was_left_is_not_at_the_next_place() {
    use Mode::{Bus, Car, Walk};
    let town = with_lot(options());
    let modes = |question: &str, leave: fn(&mut RoutingRequest)| {
        let found = town.itineraries(question, |r| {
            r.modes = transit_with(&[Car, Walk]);
            r.intermediate_places = vec![town.place("n3")];
            leave(r);
        });
        found.unwrap()[0].legs.iter().map(|leg| leg.mode).collect::<Vec<_>>()
    };
    let parked: fn(&mut RoutingRequest) = |r| r.car_park = true;
    assert_eq!(modes("n1 -> n6 at 8:00", parked), [Car, Walk, Bus, Walk]);
    assert_eq!(modes("n1 -> n6 by 9:00", parked), [Car, Walk, Bus, Walk]);
    assert_eq!(modes("n1 -> n6 at 8:00", |r| r.kiss_and_ride = true), [Car, Bus, Walk]);
}

#[test]
fn a_passenger_gets_out_at_the_stop() {
    let town = Town::new(STREET, LINE);
    let riding = |r: &mut RoutingRequest| {
        r.modes = transit_with(&[Mode::Car, Mode::Walk]);
        r.kiss_and_ride = true;
    };
    assert_eq!(
        town.plan("n1 -> n4 at 8:00", riding),
        "8:16:59 car 2014 m, bus U A 8:20 - B 8:25, walk 1007 m, 8:37:39"
    );
    let limited = |r: &mut RoutingRequest| {
        riding(r);
        r.max_pre_transit_time = 30;
        r.max_walk_distance = 800.0;
    };
    assert_eq!(town.plan("n1 -> n4 at 8:00", limited), "PathNotFound");
    assert_eq!(
        town.plan("n1 -> n4 by 9:00", riding),
        "8:26:59 car 2014 m, bus T A 8:30 - B 8:35, walk 1007 m, 8:47:39"
    );
    // The limit is for the drive, and not for the walk after it.
    let drive_limited = |r: &mut RoutingRequest| {
        riding(r);
        r.max_pre_transit_time = 560;
    };
    assert!(town.plan("n1 -> n6 at 12:00", drive_limited).starts_with("12:00 car "));
    // A destination that is a stop can be driven to.
    assert_eq!(town.plan("n1 -> A at 12:00", riding), "12:00 car 2014 m, 12:03:01");
    assert_eq!(town.plan("n1 -> A by 12:00", riding), "11:56:59 car 2014 m, 12:00");
    // While no vehicle runs, the whole trip is by car and on foot: departing, and arriving.
    let plans = ["n1 -> n6 at 12:00", "n1 -> n6 by 8:00"].map(|asked| town.plan(asked, riding));
    let parts = plans.each_ref().map(|plan| plan.split_once(' ').unwrap().1.rsplit_once(' ').unwrap().0);
    assert!(parts[0].starts_with("car ") && parts[0].contains(", walk "), "{plans:?}");
    assert_eq!(parts[0], parts[1]);
    assert!(plans[0].starts_with("12:00 ") && plans[1].ends_with(", 8:00"), "{plans:?}");
}

/// The town with rental stations, and more streets, of the map.
fn town_with_rental(stations: &str) -> Town {
    let mut options = options();
    options.street.static_bike_rental = true;
    Town::built(&format!("{STREET}\n{stations}"), &[LINE], &options)
}

#[test]
fn rented_bikes_go_from_station_to_station() {
    let town = town_with_rental(
        "n31 41.0001 -7.995 amenity=bicycle_rental name=West capacity=5 ref=w
        n32 41.0001 -7.977 amenity=bicycle_rental name=Middle capacity=5 ref=m",
    );
    let renting = |r: &mut RoutingRequest| {
        r.bike_rental = true;
        r.bike_speed = 4.3;
        r.max_walk_distance = 9000.0;
    };
    let street_only = |r: &mut RoutingRequest| {
        renting(r);
        r.modes = ModeSet::default().with(Mode::Walk).with(Mode::Bicycle);
    };
    assert_eq!(
        town.plan("n1 -> n2 at 8:00", street_only),
        "8:00 walk 420 m, rented bicycle 1511 m, walk 84 m, 8:13:46"
    );
    let with_transit = |r: &mut RoutingRequest| {
        renting(r);
        r.modes = transit_with(&[Mode::Bicycle, Mode::Walk]);
    };
    assert_eq!(
        town.plan("n1 -> n3 at 8:00", with_transit),
        "8:06:13 walk 420 m, rented bicycle 1511 m, walk 84 m, bus U A 8:20 - B 8:25, 8:25:01"
    );
    assert_eq!(
        town.plan("n1 -> n3 by 9:00", with_transit),
        "8:16:13 walk 420 m, rented bicycle 1511 m, walk 84 m, bus T A 8:30 - B 8:35, 8:35:01"
    );
}

/// Asks for a rented bike without transit.
fn renting(request: &mut RoutingRequest) {
    request.bike_rental = true;
    request.modes = only(Mode::Walk).with(Mode::Bicycle);
}

#[test]
fn rented_bikes_are_walked_from_and_to_stations_on_footways() {
    let town = town_with_rental(
        "n8 41.002 -7.990
        n9 41.002 -7.940
        w3 7,8 highway=footway bicycle=no
        w4 3,9 highway=footway bicycle=no
        n31 41.002 -7.9901 amenity=bicycle_rental name=West capacity=5 ref=w
        n32 41.002 -7.9401 amenity=bicycle_rental name=East capacity=5 ref=e",
    );
    let found = town.itineraries("n1 -> n3 at 8:00", renting).unwrap();
    let legs: Vec<_> = found[0]
        .legs
        .iter()
        .map(|leg| (leg.mode, leg.rented_bike, leg.distance.round(), leg.from.name.as_str()))
        .collect();
    assert_eq!(
        legs,
        [
            (Mode::Walk, false, 1062.0, "Origin"),
            (Mode::Walk, true, 222.0, "Bicycle rental West"),
            (Mode::Bicycle, true, 4196.0, "corner of path and Rua"),
            (Mode::Walk, true, 222.0, "corner of path and Rua"),
            (Mode::Walk, false, 222.0, "Bicycle rental East"),
        ]
    );
}

#[test]
fn rented_bikes_are_taken_along_in_lifts() {
    let town = town_with_rental(
        "n8 41.0 -7.930 highway=elevator
        n9 41.0 -7.920
        w3 3,8 highway=cycleway level=0
        w4 8,9 highway=cycleway level=1
        n31 41.0001 -7.995 amenity=bicycle_rental name=West capacity=5 ref=w
        n32 41.0001 -7.921 amenity=bicycle_rental name=East capacity=5 ref=e",
    );
    let found = town.itineraries("n1 -> n9 at 8:00", renting).unwrap();
    let legs: Vec<_> = found[0].legs.iter().map(|leg| (leg.mode, leg.rented_bike)).collect();
    assert_eq!(
        legs,
        [
            (Mode::Walk, false),
            (Mode::Bicycle, true),
            (Mode::Walk, true),
            (Mode::Bicycle, true),
            (Mode::Walk, false),
        ]
    );
}

#[test]
fn rented_bikes_on_the_streets_of_both_ends() {
    let mut town = Town::new(STREET, LINE);
    let station = |id: &str, lon: f64| LiveStation {
        id: id.to_owned(),
        position: LatLon::new(41.0001, lon),
        bikes: 5,
        spaces: 5,
        allow_dropoff: true,
        ..LiveStation::default()
    };
    // There is no corner between n1 and the western station, nor between the eastern one and n3.
    let live = [station("w", -7.999), station("e", -7.942)];
    let (bikes, _) = BikeStations::new(&town.snapshot.graph.street, &live);
    town.snapshot = town.snapshot.with_bikes(Arc::new(bikes));
    let renting = |r: &mut RoutingRequest| {
        r.bike_rental = true;
        r.modes = only(Mode::Walk).with(Mode::Bicycle);
        if r.from.label == "1:w" {
            r.from.label = "bike rental station w".to_owned();
        }
    };
    for (question, walks) in [
        ("41.0,-7.998 -> 41.0,-7.943 at 8:00", [84.0, 84.0]),
        ("41.0,-7.9995 -> 41.0,-7.9415 at 8:00", [42.0, 42.0]),
        ("41.0,-7.943 -> 41.0,-7.998 by 9:00", [84.0, 84.0]),
        ("w -> 41.0,-7.943 at 8:00", [0.0, 84.0]),
    ] {
        let found = town.itineraries(question, renting).unwrap();
        let legs: Vec<(Mode, bool, f64)> =
            found[0].legs.iter().map(|leg| (leg.mode, leg.rented_bike, leg.distance.round())).collect();
        let [(Mode::Walk, false, there), (Mode::Bicycle, true, ridden), (Mode::Walk, false, away)] = legs[..]
        else {
            panic!("{question}: {legs:?}");
        };
        assert!((there - walks[0]).abs() < 2.0 && (away - walks[1]).abs() < 2.0, "{question}: {legs:?}");
        assert!((4700.0..4900.0).contains(&ridden), "{question}: {legs:?}");
    }
}
