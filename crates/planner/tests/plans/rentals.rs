//! Rental stations and bike parks that only live data knows.

use std::sync::Arc;

use trestle_engine::realtime::{BikeStations, LiveStation, StationKind};
use trestle_model::RoutingRequest;
use trestle_model::geo::LatLon;
use trestle_model::itinerary::VertexType;
use trestle_model::mode::{Mode, ModeSet};
use trestle_model::request::PlaceRequest;

use super::town::{Town, options};

const LINE: &str = "
    stop A 41.0 -7.976
    stop B 41.0 -7.940
    route R 3
    service WK 20240101 20241231 1111111
    trip T R WK : A 8:30:00, B 8:35:00
";

fn station(id: &str, kind: StationKind, (lat, lon): (f64, f64)) -> LiveStation {
    LiveStation {
        kind,
        id: id.to_owned(),
        position: LatLon::new(lat, lon),
        bikes: 5,
        spaces: 5,
        allow_dropoff: true,
        ..LiveStation::default()
    }
}

fn with_stations(streets: &str, stations: &[LiveStation]) -> Town {
    let mut town = Town::new(streets, LINE);
    let (bikes, unlinked) = BikeStations::new(&town.snapshot.graph.street, stations);
    assert_eq!(unlinked, Vec::<String>::new());
    town.snapshot = town.snapshot.with_bikes(Arc::new(bikes));
    town
}

fn renting(request: &mut RoutingRequest) {
    request.bike_rental = true;
    request.modes = ModeSet::default().with(Mode::Walk).with(Mode::Bicycle);
}

/// Two and a half kilometres of street, and a track for bikes 22 m south of it.
const TRACK: &str = "
    n1 41.0 -8.000
    n2 41.0 -7.985
    n3 41.0 -7.970
    n4 40.9998 -8.000
    n5 40.9998 -7.970
    w1 1,2,3 highway=residential
    w2 1,4,5,3 highway=cycleway foot=no
";

#[test]
fn stations_beside_a_track_without_foot_traffic_are_used() {
    let on_track = [(40.99978, -7.999), (40.99978, -7.971)];
    let [west, east] = on_track.map(|position| station("", StationKind::Rental, position));
    let live = [LiveStation { id: "w".to_owned(), ..west }, LiveStation { id: "e".to_owned(), ..east }];
    let town = with_stations(TRACK, &live);
    assert_eq!(
        town.plan("n1 -> n3 at 8:00", renting),
        "8:00 walk 84 m, rented bicycle 2350 m, walk 84 m, 8:11:33"
    );
}

#[test]
fn a_trip_from_station_to_station_names_both() {
    let places = [("w", -7.999), ("e", -7.971)];
    let live = places.map(|(id, lon)| station(id, StationKind::Rental, (40.99978, lon)));
    let town = with_stations(TRACK, &live);
    let found = town.itineraries("n1 -> n3 at 8:00", |request| {
        renting(request);
        for (place, (id, _)) in [&mut request.from, &mut request.to].into_iter().zip(places) {
            *place = PlaceRequest { label: format!("bike rental station {id}"), ..PlaceRequest::default() };
        }
    });
    let legs = &found.unwrap()[0].legs;
    let ends = [&legs[0].from, &legs[legs.len() - 1].to];
    let stations = ends.map(|place| (place.vertex_type, place.bike_share_id.as_deref()));
    assert_eq!(stations, [(VertexType::BikeShare, Some("w")), (VertexType::BikeShare, Some("e"))]);
    // The bike is taken and returned where the traveller is, in 60 and 30 s, without going to the street and back.
    let walks = [&legs[0], &legs[legs.len() - 1]];
    assert_eq!(walks.map(|leg| (leg.end_time - leg.start_time, leg.steps.len())), [(60_000, 0), (30_000, 0)]);
}

#[test]
fn a_station_of_the_map_without_a_network_may_belong_to_any() {
    let mut options = options();
    options.street.static_bike_rental = true;
    let ride = |[west, east]: [&str; 2]| {
        let stations = format!(
            "{TRACK}
            n6 41.0001 -7.999 amenity=bicycle_rental {west}
            n7 41.0001 -7.971 amenity=bicycle_rental {east}"
        );
        let mut town = Town::built(&stations, &[LINE], &options);
        let (bikes, _) = BikeStations::new(&town.snapshot.graph.street, &[]);
        town.snapshot = town.snapshot.with_bikes(Arc::new(bikes));
        town.plan("n1 -> n3 at 8:00", renting).contains("rented")
    };
    assert!(ride(["network=North", "network=North;South"]));
    assert!(!ride(["network=North", "network=South"]));
    assert!(ride(["network=North", ""]));
    assert!(ride(["", "network=South"]));
    assert!(ride(["", ""]));
}

#[test]
fn cars_for_rent_are_not_taken_for_bikes() {
    let places = [(41.0001, -7.999), (41.0001, -7.971)];
    let town = |kind| with_stations(TRACK, &places.map(|place| station("s", kind, place)));
    let ask = |kind| town(kind).plan("n1 -> n3 at 8:00", renting);
    assert!(ask(StationKind::Rental).contains("rented bicycle"));
    assert!(!ask(StationKind::CarRental).contains("rented"), "{}", ask(StationKind::CarRental));
    let from_station = town(StationKind::CarRental).plan("n1 -> n3 at 8:00", |request| {
        renting(request);
        request.from.position = None;
        request.from.label = "bike rental station s".to_owned();
    });
    assert!(from_station.contains("walk"), "{from_station}");
}

/// Riding around to the corner 3 and parking there costs less than walking straight to it, but is so far that the rest
/// of the way is beyond the limit.
#[test]
fn a_short_walk_from_a_park_is_found_where_a_ride_is_beyond_the_limit() {
    let streets = "
        n1 41.0 -8.2000
        n2 41.0042 -8.1940
        n3 41.0 -8.1880
        n4 41.0 -8.1835
        w1 1,2,3 highway=residential
        w2 1,3,4 highway=footway bicycle=no
    ";
    let parks = [(41.0, -8.2001), (41.0, -8.1880)];
    let town = with_stations(streets, &parks.map(|place| station("", StationKind::BikePark, place)));
    for question in ["n1 -> n4 at 8:00", "n1 -> n4 by 9:00"] {
        let itinerary = town.plan(question, |request| {
            request.bike_park = true;
            request.modes = ModeSet::TRANSIT.with(Mode::Walk).with(Mode::Bicycle);
            request.max_walk_distance = 1500.0;
        });
        assert!(itinerary.contains("walk 1385 m"), "{question}: {itinerary}");
    }
}
