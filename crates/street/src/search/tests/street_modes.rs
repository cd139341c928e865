use trestle_model::Direction;

use super::*;
use crate::cost::StreetLimits;
use crate::link::LinkKind;
use crate::search::label::Labels;
use crate::search::{BikeStation, LinkedBikeStations, Objective, StationKind, StreetMetrics, TreeStart};
use crate::testing::{at, graph};

const STREET: &str = "A 0 0
     B 1000 0
     C 2000 0
     D 3000 0
     A - B wb
     B - C wb
     C - D wb
     stop 7 D";

fn station(test: &TestGraph, vertex: &str, has_bikes: bool, networks: u32) -> BikeStation {
    let place = LinkedPlace::at_vertex(&test.graph, test.vertex(vertex));
    let place = LinkedPlace { link_seconds: 1, link: LinkKind::Station, ..place };
    let kind = StationKind::Rental;
    BikeStation { kind, place, has_bikes, has_spaces: true, allow_dropoff: true, networks }
}

fn rent(stations: Vec<BikeStation>, test: &TestGraph, to: &str) -> [String; 2] {
    let stations = LinkedBikeStations::new(&test.graph, stations);
    let rented = costs(StreetMode::RentedBicycle);
    let query = StreetQuery { stations: Some(&stations), ..StreetQuery::new(&test.graph, &rented) };
    let [origin, destination] = ["A", to].map(|n| LinkedPlace::at_vertex(&test.graph, test.vertex(n)));
    [Direction::Forward, Direction::Backward].map(|direction| {
        let path = StreetSearch::new().route(&query, &origin, &destination, direction).unwrap().unwrap();
        line(test, &path)
    })
}

#[test]
fn bikes_are_taken_and_returned_at_stations() {
    let test = graph(STREET);
    let path = rent(vec![station(&test, "A", true, 1), station(&test, "C", false, 1)], &test, "D");
    // 1 + 60 + 1, two rides of 200 s, 1 + 30 + 1, a walk of 752 s.
    let expected = "[StationLink] [RentalPickup] [StationLink] B C [StationLink] [RentalDropoff] \
                    [StationLink] D 1246s";
    assert_eq!(path, [expected, expected]);
}

#[test]
fn bikes_of_one_network_are_not_returned_to_another() {
    let test = graph(STREET);
    let path = rent(vec![station(&test, "A", true, 1), station(&test, "C", true, 2)], &test, "D");
    assert_eq!(path[0], "B C D 2256s");
    assert_eq!(path[1], path[0]);
}

#[test]
fn no_stop_is_entered_on_a_rented_bike() {
    let test = graph(STREET);
    let stations = LinkedBikeStations::new(&test.graph, vec![station(&test, "A", true, 1)]);
    let rented = costs(StreetMode::RentedBicycle);
    let query = StreetQuery { stations: Some(&stations), ..StreetQuery::new(&test.graph, &rented) };
    let place = LinkedPlace::at_vertex(&test.graph, test.vertex("A"));
    let mut search = StreetSearch::new();
    let reached = search.nearby_stops(&query, &place, Direction::Forward, &|_| 1).unwrap();
    assert_eq!(reached.stops().iter().map(|r| (r.stop, r.seconds)).collect::<Vec<_>>(), [(7, 2257)]);
}

#[test]
fn a_station_within_a_street_is_reached_over_its_half() {
    let test = graph(STREET);
    let link_to = |x: f64| {
        let place =
            LinkedPlace::at_coordinate(&test.graph, at(x, 5.0), LinkMode::Walk, LinkEnd::Start).unwrap();
        let place = LinkedPlace { link_seconds: 1, link: LinkKind::Station, ..place };
        let kind = StationKind::Rental;
        BikeStation { kind, place, has_bikes: true, has_spaces: true, allow_dropoff: true, networks: 1 }
    };
    let [forward, backward] = rent(vec![link_to(100.0), link_to(2900.0)], &test, "D");
    assert!(forward.contains("[RentalPickup]") && forward.contains("[RentalDropoff]"), "{forward}");
    assert_eq!(forward, backward);
}

#[test]
fn stations_on_the_streets_of_both_ends_are_used() {
    let test = graph(STREET);
    let place = |x: f64| link(&test, at(x, 0.0), StreetMode::RentedBicycle);
    let within = |x: f64, kind| {
        let place = LinkedPlace { link_seconds: 1, link: LinkKind::Station, ..place(x) };
        BikeStation { kind, place, ..station(&test, "A", true, 1) }
    };
    let way = |street_mode, kind, [from, taken, returned, to]: [f64; 4]| {
        let stations =
            LinkedBikeStations::new(&test.graph, [taken, returned].map(|x| within(x, kind)).to_vec());
        let costs = costs(street_mode);
        let query = StreetQuery { stations: Some(&stations), ..StreetQuery::new(&test.graph, &costs) };
        [Direction::Forward, Direction::Backward].map(|direction| {
            let found = StreetSearch::new().route(&query, &place(from), &place(to), direction).unwrap();
            let path = found.unwrap();
            (line(&test, &path), (path.walk_distance_m).round())
        })
    };
    // Stations on either side of the places: the path never goes to the next corner and back.
    for (places, metres) in [
        ([200.0, 300.0, 2700.0, 2800.0], 2600.0),
        ([200.0, 100.0, 2700.0, 2800.0], 2800.0),
        ([200.0, 300.0, 2900.0, 2800.0], 2800.0),
        ([200.0, 200.0, 2800.0, 2800.0], 2600.0),
        ([2800.0, 2900.0, 100.0, 200.0], 3000.0),
    ] {
        let [forward, backward] = way(StreetMode::RentedBicycle, StationKind::Rental, places);
        let way = if places[0] < places[3] { "B C" } else { "C B" };
        let start = format!(
            "* [StationLink] [RentalPickup] [StationLink] {way} * [StationLink] [RentalDropoff] [StationLink] * "
        );
        assert!(forward.0.starts_with(&start), "{places:?}: {forward:?}");
        assert_eq!(forward.1, metres, "{places:?}");
        assert_eq!(forward, backward, "{places:?}");
    }
    let [forward, backward] =
        way(StreetMode::ParkBicycle, StationKind::BikePark, [200.0, 1300.0, 2700.0, 2800.0]);
    assert!(forward.0.starts_with("B C * [StationLink] [BikePark] [StationLink] * "), "{forward:?}");
    assert_eq!(forward, backward);
}

#[test]
fn bikes_are_ridden_from_station_to_station_along_one_street() {
    let test = graph("A 0 0\nB 3000 0\nC 3100 0\nA - B wb\nB - C wb");
    let within = |x: f64, networks| {
        let place = link(&test, at(x, 0.0), StreetMode::RentedBicycle);
        let place = LinkedPlace { link_seconds: 1, link: LinkKind::Station, ..place };
        BikeStation { place, ..station(&test, "A", true, networks) }
    };
    let ridden = |stations: &[(f64, u32)], to: &str| {
        let stations = stations.iter().map(|&(x, networks)| within(x, networks)).collect();
        let [forward, backward] = rent(stations, &test, to);
        assert_eq!(forward, backward);
        forward
    };
    // A walk to 200 m, 1 + 60 + 1, a ride of 2600 m, 1 + 30 + 1, and walks of 200 m and 100 m.
    let expected =
        "* [StationLink] [RentalPickup] [StationLink] * [StationLink] [RentalDropoff] [StationLink] B";
    assert_eq!(ridden(&[(200.0, 1), (2800.0, 1)], "B"), format!("{expected} 916s"));
    assert_eq!(ridden(&[(200.0, 1), (1000.0, 2), (2800.0, 1)], "C"), format!("{expected} C 992s"));
    assert_eq!(ridden(&[(200.0, 1), (2800.0, 2)], "B"), "B 2256s", "the bike is of another network");
    assert_eq!(ridden(&[(200.0, 1), (200.0, 1)], "B"), "B 2256s", "both are at the same point");
    let others = (0..40).map(|number| (1000.0 + f64::from(number), 2));
    let among_others: Vec<_> = [(200.0, 1)].into_iter().chain(others).chain([(2800.0, 1)]).collect();
    assert_eq!(ridden(&among_others, "B"), format!("{expected} 916s"));
}

/// The station at A is 140 m off the street, in the wrong direction, but its link takes a second.
#[test]
fn bikes_are_taken_at_a_station_off_the_street() {
    let test = graph(
        "S -140 0 rental
         A 0 0
         C 28 0
         B 1000 0
         S > A kind=7
         A > S kind=7
         A - C wb
         C - B wb",
    );
    let off_street = BikeStation {
        place: LinkedPlace::at_vertex(&test.graph, test.vertex("S")),
        ..station(&test, "S", true, 1)
    };
    let stations = vec![off_street, station(&test, "C", true, 1), station(&test, "B", true, 1)];
    let [forward, backward] = rent(stations, &test, "B");
    assert!(forward.starts_with("[StationLink] [RentalPickup]"), "{forward}");
    assert_eq!(forward, backward);
}

#[test]
fn own_bikes_are_left_at_parks_that_have_room() {
    let test = graph(STREET);
    let park = |has_spaces| {
        let park = BikeStation { kind: StationKind::BikePark, has_spaces, ..station(&test, "C", false, 1) };
        LinkedBikeStations::new(&test.graph, vec![station(&test, "A", true, 1), park])
    };
    let parking = costs(StreetMode::ParkBicycle);
    let [origin, destination] = ["A", "D"].map(|n| LinkedPlace::at_vertex(&test.graph, test.vertex(n)));
    let ways = |stations: &LinkedBikeStations| {
        let query = StreetQuery { stations: Some(stations), ..StreetQuery::new(&test.graph, &parking) };
        [Direction::Forward, Direction::Backward].map(|direction| {
            let path = StreetSearch::new().route(&query, &origin, &destination, direction).unwrap();
            path.map(|path| line(&test, &path))
        })
    };
    let expected = "B C [StationLink] [BikePark] [StationLink] D".to_owned();
    let [forward, backward] = ways(&park(true)).map(|way| way.unwrap_or_default());
    assert!(forward.starts_with(&expected), "{forward}");
    assert_eq!(forward, backward);
    assert_eq!(ways(&park(false)), [None, None]);
}

#[test]
fn own_bikes_are_pushed_where_riding_is_not_permitted() {
    let test = graph("A 0 0\nB 100 0\nC 200 0\nA - B wb\nB - C w\nstop 1 C");
    let costs = costs(StreetMode::Bicycle);
    let [origin, destination] = ["A", "C"].map(|n| LinkedPlace::at_vertex(&test.graph, test.vertex(n)));
    for direction in [Direction::Forward, Direction::Backward] {
        let query = StreetQuery::new(&test.graph, &costs);
        let path = StreetSearch::new().route(&query, &origin, &destination, direction).unwrap().unwrap();
        assert_eq!(line(&test, &path), "B C 114s");
        let modes: Vec<Mode> = path.traversals.iter().map(|traversal| traversal.mode).collect();
        assert_eq!(modes, [Mode::Bicycle, Mode::Walk]);
    }
}

#[test]
fn bikes_are_parked_before_transit() {
    let test = graph("A 0 0\nB 100 0 park\nC 200 0\nA - B wb\nB - C wb\nstop 1 C");
    let parking = costs(StreetMode::ParkBicycle);
    let query = StreetQuery::new(&test.graph, &parking);
    let place = LinkedPlace::at_vertex(&test.graph, test.vertex("A"));
    let mut search = StreetSearch::new();
    let reached = search.nearby_stops(&query, &place, Direction::Forward, &|_| 1).unwrap();
    let path = reached.path_to(0);
    assert_eq!(line(&test, &path), "B [BikePark] C [StopLink] 157s");
}

#[test]
fn cars_are_left_at_lots_or_by_getting_out() {
    let text = "A 0 0
         B 1000 0
         P 1010 0 lot
         C 2000 0
         A - B wc
         B - C w
         B > P kind=5
         P > P kind=6
         P > B kind=5
         stop 1 C
         stop 2 B";
    let test = graph(text);
    let place = LinkedPlace::at_vertex(&test.graph, test.vertex("A"));
    let stops = |street_mode: StreetMode, limit: i32| {
        let costs = costs(street_mode);
        let limits = StreetLimits { max_pre_transit_seconds: limit, ..StreetLimits::default() };
        let query = StreetQuery { limits, ..StreetQuery::new(&test.graph, &costs) };
        let mut search = StreetSearch::new();
        let reached = search.nearby_stops(&query, &place, Direction::Forward, &|_| 1).unwrap();
        (0..reached.stops().len()).map(|stop| line(&test, &reached.path_to(stop))).collect::<Vec<_>>()
    };
    assert_eq!(
        stops(StreetMode::KissAndRide, 3000),
        ["B [CarDropoff] [StopLink] 91s", "B [CarDropoff] C [StopLink] 843s"]
    );
    let parked = stops(StreetMode::ParkCar, 3000);
    // Driving 90 s, 7 s into the lot, parking 120 s, 15 s out of it on foot.
    assert_eq!(parked[0], "B [StationLink] [CarPark] [StationLink] [StopLink] 233s");
    assert_eq!(stops(StreetMode::KissAndRide, 89), Vec::<String>::new());
    // The limit is for the drive alone, and not for the walk after it.
    assert_eq!(stops(StreetMode::KissAndRide, 90).len(), 2);
    assert_eq!(stops(StreetMode::ParkCar, 90).len(), 2);
    assert_eq!(stops(StreetMode::ParkCar, 89), Vec::<String>::new());
    assert_eq!(stops(StreetMode::Car, 3000), Vec::<String>::new());
}

/// 90 s by car to B and 752 s on foot to C.
#[test]
fn drives_before_transit_cost_extra_beyond_a_soft_limit() {
    let test = graph("A 0 0\nB 1000 0\nC 2000 0\nA - B c\nB - C w");
    let costs = costs(StreetMode::KissAndRide);
    let start = TreeStart { vertex: test.vertex("A"), seconds: 0, weight: 0.0, walk_distance: 0.0 };
    let to_c = |cheap_pre_transit_seconds, objective| {
        let limits = StreetLimits { cheap_pre_transit_seconds, ..StreetLimits::default() };
        let query = StreetQuery { limits, objective, ..StreetQuery::new(&test.graph, &costs) };
        let mut search = StreetSearch::new();
        search.tree(&query, &[start], Direction::Forward).unwrap().get(test.vertex("C")).unwrap()
    };
    let plain = to_c(i32::MAX, Objective::Cost);
    for (cheap, extra) in [(20, 300 + 10 * (90 - 20)), (89, 310), (90, 0)] {
        let found = to_c(cheap, Objective::Cost);
        assert_eq!(
            (found.seconds, found.weight),
            (plain.seconds, plain.weight + f64::from(extra)),
            "{cheap} s"
        );
    }
    assert_eq!(to_c(20, Objective::Time), to_c(i32::MAX, Objective::Time));
}

#[test]
fn paths_of_passengers_are_found_along_travel_only() {
    let test = graph("A 0 0\nB 1000 0\nC 2000 0\nA - B c\nB - C w");
    let kiss_and_ride = costs(StreetMode::KissAndRide);
    assert_eq!(both_ways(&test, &kiss_and_ride, "A", "C")[1], "none");
    let [a, c] = ["A", "C"].map(|name| LinkedPlace::at_vertex(&test.graph, test.vertex(name)));
    let mut search = StreetSearch::new();
    let query = StreetQuery::new(&test.graph, &kiss_and_ride);
    assert_eq!(search.route(&query, &a, &c, Direction::Backward), Ok(None));
    assert_eq!(search.labels.ids().count(), 0, "no street is looked at");
}

#[test]
fn a_passenger_gets_out_before_a_part_of_a_street_closed_to_cars() {
    let test = graph("A 0 0\nB 1000 0\nC 2000 0\nA - B c\nB - C w");
    let a = LinkedPlace::at_vertex(&test.graph, test.vertex("A"));
    let walk = link(&test, at(1400.0, 5.0), StreetMode::Walk);
    let (kiss_and_ride, metrics) = (costs(StreetMode::KissAndRide), StreetMetrics::default());
    for metrics in [None, Some(&metrics)] {
        let query = StreetQuery { metrics, ..StreetQuery::new(&test.graph, &kiss_and_ride) };
        if let Some(metrics) = metrics {
            assert_eq!(metrics.prepare(&query, Direction::Forward), Ok(true));
        }
        let path = StreetSearch::new().route(&query, &a, &walk, Direction::Forward).unwrap().unwrap();
        let modes: Vec<_> = path.traversals.iter().map(|t| (t.kind, t.mode, t.length_m.round())).collect();
        assert_eq!(
            modes,
            [
                (TraversalKind::Street, Mode::Car, 1000.0),
                (TraversalKind::CarDropoff, Mode::LegSwitch, 0.0),
                (TraversalKind::Street, Mode::Walk, 400.0),
            ]
        );
    }
}

#[test]
fn egress_paths_come_out_in_travel_order() {
    let test = graph(STREET);
    let walk = costs(StreetMode::Walk);
    let query = StreetQuery::new(&test.graph, &walk);
    let place = LinkedPlace::at_vertex(&test.graph, test.vertex("B"));
    let mut search = StreetSearch::new();
    let reached = search.nearby_stops(&query, &place, Direction::Backward, &|_| 121).unwrap();
    let (path, stop) = (reached.path_to(0), reached.stops()[0]);
    assert_eq!(line(&test, &path), "[StopLink] C B 1625s");
    assert_eq!((path.seconds, path.weight.round()), (stop.seconds, stop.weight.round()));
}

#[test]
fn neighbouring_stops_are_measured_along_the_streets() {
    let test = graph(
        "A 0 0
         B 400 0
         C 400 300
         D 400 700
         A - B w
         B - C w
         C - D w
         stop 0 A
         stop 1 C
         stop 2 D",
    );
    let walk = costs(StreetMode::Walk);
    let query = StreetQuery::new(&test.graph, &walk);
    let mut search = StreetSearch::new();
    let near = search.stop_neighbours(&query, 0, 600, &|_| 1);
    assert_eq!(near.len(), 1);
    // The walk takes 533 seconds with a second for each link.
    let mut with_links =
        |links: [i32; 2]| search.stop_neighbours(&query, 0, 600, &|stop| links[stop.min(1) as usize]).len();
    assert_eq!([[30, 30], [40, 40], [1, 75], [75, 1]].map(&mut with_links), [1, 0, 0, 0]);
    assert_eq!((near[0].0, near[0].1.round()), (1, 700.0));
    let path = search.transfer_path(&query, 0, 1, 600).unwrap();
    assert_eq!(line(&test, &path), "[StopLink] B C [StopLink] 533s");
}

/// From A by car to B and on foot to C, beyond which cars go again: the tree from the place to all vertices and the one
/// against the travel find the same times, both between places and for passengers who are dropped off at a stop.
#[test]
fn trees_against_travel_find_the_same_as_those_along_it() {
    let text = "A 0 0
         B 1000 0
         P 1010 0 lot
         C 2000 0
         D 3000 0
         A - B wc
         B - C w
         C - D wc
         B > P kind=5
         P > P kind=6
         P > B kind=5
         stop 1 B
         stop 2 C";
    let test = graph(text);
    let names = ["A", "B", "C", "D"];
    let mut search = StreetSearch::new();
    for street_mode in [StreetMode::KissAndRide, StreetMode::ParkCar] {
        let costs = costs(street_mode);
        let query = StreetQuery::new(&test.graph, &costs);
        let mut seconds = |from: &str, to: &str| {
            let [from, to] = [from, to].map(|name| test.vertex(name));
            let start = |vertex| [TreeStart { vertex, seconds: 0, weight: 0.0, walk_distance: 0.0 }];
            let along = search.tree(&query, &start(from), Direction::Forward).unwrap();
            let along = [along.get(to), along.get_at_stop(to)];
            let against = search.tree(&query, &start(to), Direction::Backward).unwrap().get(from);
            let from_stop =
                search.tree_from_transit(&query, &start(to), Direction::Backward).unwrap().get(from);
            [along, [against, from_stop]].map(|found| found.map(|found| found.map(|found| found.seconds)))
        };
        for (from, to) in names.into_iter().flat_map(|from| names.map(|to| (from, to))) {
            let [along, against] = seconds(from, to);
            assert_eq!(along, against, "{street_mode:?} from {from} to {to}");
        }
        assert!(seconds("A", "C")[1].iter().all(Option::is_some), "{street_mode:?}");
    }
}
